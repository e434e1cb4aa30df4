//! `examples/expenses`, from its check to its report.

use std::path::Path;

use crate::folder::Folder;
use crate::names::anonymous;
use insta::assert_snapshot;

/// A copy, so that nothing is written into the repository.
fn example() -> Folder {
    let folder = Folder::with(&[]);
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/expenses");
    let files = [
        "report.ts",
        "intermission.toml",
        "rates.json",
        "schemas/files.write.json",
        "tools/files.py",
        "tools/rates.py",
    ];
    for name in files.into_iter().chain(["data/meals.csv", "data/office.csv", "data/travel.csv"]) {
        folder.write(name, &std::fs::read(example.join(name)).unwrap());
    }
    folder
}

#[test]
fn the_example_is_in_order() {
    assert_snapshot!(example().run(&["check", "report.ts"]), @r#"exit 0"#);
}

#[test]
fn the_example_writes_its_report() {
    let folder = example();
    assert_snapshot!(folder.run(&["run", "report.ts", "--input", r#"{"month": "2025-03"}"#]), @r#"
    exit 0
    --- stdout
    {
      "report": "out/2025-03.md",
      "total": "€7,001.52",
      "outliers": [
        "Workshop catering",
        "Monitor, 27\"",
        "Flight to London"
      ],
      "problems": [
        {
          "place": "data/travel.csv, line 8",
          "reason": "“abc” is not a number"
        },
        {
          "place": "JPY",
          "reason": "rates.lookup: it failed (exit status: 1): no rate for JPY in 2025-03; there are EUR, USD, GBP, CHF"
        }
      ]
    }
    --- stderr
    2025-03: 19 expenses, 3 out of the ordinary, 2 problems
    "#);
    assert_snapshot!(std::fs::read_to_string(folder.path("out/2025-03.md")).unwrap(), @r#"
    # Expenses in 2025-03

    18 expenses, **€7,001.52** in all.

    | Category | Expenses | Total |
    |---|---:|---:|
    | meals | 7 | €1,154.04 |
    | office | 5 | €689.11 |
    | travel | 6 | €5,158.37 |

    | Employee | Expenses | Total |
    |---|---:|---:|
    | Ada | 5 | €443.07 |
    | Barbara | 3 | €4,397.04 |
    | Edsger | 6 | €1,493.59 |
    | Grace | 4 | €667.83 |

    ## Out of the ordinary

    - 2025-03-12, Barbara: Workshop catering, €885.14
    - 2025-03-17, Grace: Monitor, 27", €464.82
    - 2025-03-26, Barbara: Flight to London, €3,480.00

    ## Problems

    - data/travel.csv, line 8: “abc” is not a number
    - JPY: rates.lookup: it failed (exit status: 1): no rate for JPY in 2025-03; there are EUR, USD, GBP, CHF
    "#);
}

#[test]
fn the_tools_of_the_example_keep_to_their_folders() {
    let folder = example();
    folder.write("escape.ts", b"return files.read({ path: 'data/../rates.json' })");
    assert_snapshot!(anonymous(&folder.run(&["run", "escape.ts"])), @r#"
    exit 1
    --- stderr
    error[SCRIPT_ERROR]: Error: files.read: it failed (exit status: 1): data/../rates.json lies outside of data
     --> escape.ts:1:14
      |
    1 | return files.read({ path: 'data/../rates.json' })
      |              ^^^^
    kept: what happened is in [run 1]; `intermission resume [run 1] --retry` makes the failed call again
    "#);
}

/// A copy of the example that asks.
fn reminders() -> Folder {
    let folder = Folder::with(&[]);
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/reminders");
    for name in [
        "reminders.ts",
        "intermission.toml",
        "invoices.csv",
        "tools/books.py",
        "tools/clerk.py",
        "tools/mail.py",
    ] {
        folder.write(name, &std::fs::read(example.join(name)).unwrap());
    }
    folder
}

#[test]
fn the_reminders_are_in_order() {
    assert_snapshot!(reminders().run(&["check", "reminders.ts"]), @r#"exit 0"#);
}

#[test]
fn the_reminders_go_out_once_over_three_processes() {
    let folder = reminders();
    let input = r#"{"today": "2025-04-10"}"#;
    let told = folder.run(&["run", "reminders.ts", "--input", input, "--continuation", "a.imt"]);
    assert!(told.starts_with("exit 75\n"), "{told}");
    let waive = format!("{}=true", folder.first_id());
    let told = folder.run(&["resume", "a.imt", "--answer", &waive]);
    assert!(told.starts_with("exit 75\n"), "{told}");
    let ids = folder.ids();
    let edit = format!(
        r#"{}={{"to": "donald@example.com", "subject": "Invoice R-1006", "text": "Please pay."}}"#,
        ids[2]
    );
    let answers = ["--approve", &ids[0], "--deny", &ids[1], "--reason", "they have paid", "--edit", &edit];
    let told = folder.run(&[&["resume", "a.imt"], answers.as_slice()].concat());
    assert_snapshot!(anonymous(&told), @r#"
    exit 0
    --- stdout
    {
      "waived": [
        "R-1003"
      ],
      "outcomes": [
        {
          "invoice": "R-1001",
          "letter": "[key 1].txt"
        },
        {
          "invoice": "R-1002",
          "denied": "they have paid"
        },
        {
          "invoice": "R-1006",
          "letter": "[key 2].txt"
        }
      ]
    }
    "#);
    let sent = || {
        let log = std::fs::read_to_string(folder.path("out/sent.log")).unwrap();
        // They go out at the same time.
        let mut lines: Vec<_> = log.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let letters = ["Invoice R-1001: ada@example.com", "Invoice R-1006: donald@example.com"];
    assert_eq!(sent(), letters);
    assert!(folder.run(&["resume", "a.imt"]).starts_with("exit 0\n"));
    assert_eq!(sent(), letters);
}
