//! `intermission inspect`, `replay` and `fork`.

use insta::assert_snapshot;

use crate::folder::Folder;
use crate::names::anonymous;

const CONFIG: &str = r#"
[functions."t.echo"]
command = ["sh", "-c", "echo echo >> calls.log; cat"]

[functions."t.send"]
approval = true
command = ["sh", "-c", "echo send >> calls.log; cat"]
"#;

const SCRIPT: &str = "const a = await t.echo({ n: 1 });\nconst b = await t.send(a);\nreturn [a, b]";

fn put_away() -> Folder {
    let folder = Folder::with(&[("intermission.toml", CONFIG), ("a.ts", SCRIPT)]);
    folder.run(&["run", "a.ts", "--continuation", "a.imt"]);
    folder
}

/// Entries without their numbers, and without reads of the clock: there may have been none.
fn entries(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines().filter(|line| !line.contains("  clock: ")) {
        let number = line.trim_start().split(' ').next().unwrap_or_default();
        let is_entry = line.starts_with("   ") && number.parse::<u32>().is_ok();
        lines.push(if is_entry {
            line.replacen(number, "-", 1).trim_start().to_owned()
        } else {
            line.to_owned()
        });
    }
    lines.join("\n")
}

fn calls(folder: &Folder) -> String {
    std::fs::read_to_string(folder.path("calls.log")).unwrap_or_default()
}

#[test]
fn an_inspection_shows_what_is_asked_and_what_was_done() {
    let folder = put_away();
    assert_snapshot!(entries(&anonymous(&folder.run(&["inspect", "a.imt", "--entries"]))), @r#"
    exit 0
    --- stdout
    [run 1]: interrupted
      script: a.ts
      began: [time]
      host calls: t.echo 1, t.send 1
      ledger: [n] entries

    -  started a.ts
    -  called 1: t.echo({n: 1})
    -  used t.echo
    -  dispatched 1
    -  settled 1: fulfilled, {n: 1}
    -  called 2: t.send({n: 1})
    -  used t.send
    -  interrupted 2: approval
    -  spent
    -  paused

    t.send needs approval
      id: [int 1]
      at: a.ts:2:19
          const b = await t.send(a);
      argument: {"n":1}
    "#);
    assert_snapshot!(anonymous(&folder.run(&["inspect", "a.imt", "--json"])), @r#"
    exit 0
    --- stdout
    {
      "run_id": "[run 1]",
      "state": "interrupted",
      "script": "a.ts",
      "source": "const a = await t.echo({ n: 1 });\nconst b = await t.send(a);\nreturn [a, b]",
      "began": [n],
      "calls": {
        "t.echo": 1,
        "t.send": 1
      },
      "interruptions": [
        {
          "id": "[int 1]",
          "kind": "approval",
          "host_function": "t.send",
          "request_index": 2,
          "arguments": [
            {
              "n": 1
            }
          ],
          "digest": "[digest 1]",
          "payload": {
            "kind": "approval"
          },
          "position": {
            "file": "a.ts",
            "line": 2,
            "column": 19
          },
          "created": [n],
          "expires_at": null,
          "default": null
        }
      ],
      "wake_at": null,
      "value": null,
      "error": null,
      "length": [n],
      "entries": null
    }
    "#);
}

#[test]
fn a_replay_invokes_nothing_and_says_how_far_the_run_is() {
    let folder = put_away();
    let before = std::fs::read(folder.path("a.imt")).unwrap();
    assert_snapshot!(anonymous(&folder.run(&["replay", "a.imt"])), @r#"
    exit 0
    --- stdout
    [run 1]: the script does what the [n] entries of its ledger say, and nothing was invoked
      state: interrupted
    "#);
    assert_eq!(calls(&folder), "echo\n");
    assert_eq!(std::fs::read(folder.path("a.imt")).unwrap(), before);
    let id = folder.first_id();
    folder.run(&["resume", "a.imt", "--approve", &id]);
    assert_snapshot!(anonymous(&folder.run(&["replay", "a.imt", "--json"])), @r#"
    exit 0
    --- stdout
    {
      "run_id": "[run 1]",
      "state": "completed",
      "length": [n],
      "value": [
        {
          "n": 1
        },
        {
          "n": 1
        }
      ],
      "divergence": null
    }
    "#);
    assert_eq!(calls(&folder), "echo\nsend\n");
}

#[test]
fn a_replay_of_another_script_shows_where_it_differs() {
    let folder = put_away();
    folder.write("b.ts", SCRIPT.replace("n: 1", "n: 2").as_bytes());
    assert_snapshot!(anonymous(&folder.run(&["replay", "a.imt", "--source", "b.ts"])), @r#"
    exit 6
    --- stderr
    error[DIVERGED]: the script does not do what it did before, at entry [n] of the ledger: recorded is call 1, t.echo({n: 1}), now it is call 1, t.echo({n: 2}); the first difference is at args[0].n (the script computes other arguments than before: was it, or what it imports, changed?)
     --> b.ts:1:19
      |
    1 | const a = await t.echo({ n: 2 });
      |                   ^^^^
      |
      = help: nothing was called, and nothing has changed: go on with a script that does what was done
    "#);
    assert_snapshot!(anonymous(&folder.run(&["replay", "a.imt", "--source", "b.ts", "--json"])), @r#"
    exit 6
    --- stdout
    {
      "run_id": "[run 1]",
      "state": "diverged",
      "length": [n],
      "value": null,
      "divergence": {
        "entry": [n],
        "recorded": "call 1, t.echo({n: 1})",
        "attempted": "call 1, t.echo({n: 2})",
        "argument": "args[0].n",
        "explanation": "the script computes other arguments than before: was it, or what it imports, changed?",
        "file": "b.ts",
        "line": 1,
        "column": 19
      }
    }
    --- stderr
    error[DIVERGED]: the script does not do what it did before, at entry [n] of the ledger: recorded is call 1, t.echo({n: 1}), now it is call 1, t.echo({n: 2}); the first difference is at args[0].n (the script computes other arguments than before: was it, or what it imports, changed?)
     --> b.ts:1:19
      |
    1 | const a = await t.echo({ n: 2 });
      |                   ^^^^
      |
      = help: nothing was called, and nothing has changed: go on with a script that does what was done
    "#);
    folder.write("c.ts", SCRIPT.replace("return [a, b]", "return { a, b }").as_bytes());
    assert!(folder.run(&["replay", "a.imt", "--source", "c.ts"]).starts_with("exit 0\n"));
}

#[test]
fn a_replay_that_could_not_be_done_does_not_say_that_the_script_does_what_it_did() {
    let folder = put_away();
    folder.write("b.ts", b"const a = ;");
    assert_snapshot!(anonymous(&folder.run(&["replay", "a.imt", "--source", "b.ts"])), @"
    exit 3
    --- stderr
    error[SOURCE_SYNTAX]: Unexpected token
     --> b.ts:1:11
      |
    1 | const a = ;
      |           ^
    ");
    folder.write("c.ts", b"for (;;);");
    assert_snapshot!(anonymous(&folder.run(&["replay", "a.imt", "--source", "c.ts", "--fuel", "1000"])), @"
    exit 4
    --- stderr
    error[LIMIT_FUEL]: the limit `fuel` is exhausted: 1000 of 1000 jumps and calls
     |
     = help: is there a loop without an end? Else allow more with `--limit fuel=...`
    ");
}

#[test]
fn a_replay_reads_the_standard_input_once() {
    let folder = put_away();
    assert_snapshot!(folder.run(&["replay", "-", "--source", "-"]), @"
    exit 2
    --- stderr
    error[INPUT_TWICE]: the standard input can be read only once, and two arguments ask for it
    ");
}

#[test]
fn a_fork_is_another_run_with_the_same_beginning() {
    let folder = put_away();
    let id = folder.first_id();
    folder.run(&["resume", "a.imt", "--approve", &id]);
    let whole = anonymous(&folder.run(&["inspect", "a.imt", "--entries"]));
    let asked = whole.lines().position(|line| line.contains("paused")).unwrap();
    let first = whole.lines().position(|line| line.contains("started")).unwrap();
    let at = (asked - first + 1).to_string();
    assert_snapshot!(anonymous(&folder.run(&["fork", "a.imt", "--at", &at, "--continuation", "b.imt"])), @r#"
    exit 0
    --- stdout
    [run 1], from [run 2] at entry [n]: b.imt
    --- stderr
    warning[CONTINUATION_UNPROTECTED]: there is no key: b.imt is readable and can be changed by its owner
     |
     = help: to seal continuations, put a secret into INTERMISSION_KEY, or into the `key_file` of the configuration
    "#);
    std::fs::rename(folder.path("b.imt"), folder.path("a.imt")).unwrap();
    assert_ne!(folder.first_id(), id);
    let approve = folder.first_id();
    assert!(folder.run(&["resume", "a.imt", "--approve", &approve]).starts_with("exit 0\n"));
    assert_eq!(calls(&folder), "echo\nsend\nsend\n");
}

#[test]
fn a_fork_where_there_is_nothing_is_refused() {
    let folder = put_away();
    assert_snapshot!(anonymous(&folder.run(&["fork", "a.imt", "--at", "0"])), @r#"
    exit 2
    --- stderr
    error[FORK_REFUSED]: a fork at 0 is not possible: the ledger has [n] entries, --at takes 1 to [n]
     |
     = help: `intermission inspect --entries` numbers the entries
    "#);
    assert_snapshot!(anonymous(&folder.run(&["fork", "a.imt", "--at", "99"])), @r#"
    exit 2
    --- stderr
    error[FORK_REFUSED]: a fork at 99 is not possible: the ledger has [n] entries, --at takes 1 to [n]
     |
     = help: `intermission inspect --entries` numbers the entries
    "#);
}

#[test]
fn an_inspection_shows_what_came_of_a_run_that_is_over() {
    let folder = put_away();
    let id = folder.first_id();
    folder.run(&["resume", "a.imt", "--approve", &id]);
    let told = folder.run(&["inspect", "a.imt"]);
    assert!(told.contains(": completed\n") && told.contains("\n  value: [{\"n\":1},{\"n\":1}]\n"), "{told}");
    assert_snapshot!(folder.run(&["resume", "a.imt", "--approve", "int_"]), @"
    exit 2
    --- stderr
    error[RESOLUTION_STALE]: the run asks nothing any more: `int_` was answered, or is another run's
     |
     = help: `intermission inspect` shows what came of it
    ");
}
