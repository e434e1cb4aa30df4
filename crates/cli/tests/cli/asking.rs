//! Asking somebody at a terminal.

use std::process::Command;

use insta::assert_snapshot;

use crate::folder::Folder;
use crate::names::anonymous;
use crate::pseudo_terminal::Terminal;

const CONFIG: &str = r#"
[functions."mail.send"]
approval = true
command = ["sh", "-c", "tee -a sent.log"]
input_schema = { type = "object", properties = { to = { type = "string" } }, required = ["to"] }

[functions."clerk.ask"]
command = ["sh", "-c", '''
if [ -z "$INTERMISSION_RESUME" ]; then echo '{"payload": "Which?"}'; exit 75; fi
echo "$INTERMISSION_RESUME" | sed 's/.*"resolution":\([^,]*\),.*/\1/'
''']
"#;

const APPROVAL: &str = "[a]pprove, [d]eny, [e]dit, [l]ater? ";

fn folder(script: &str) -> Folder {
    Folder::with(&[("intermission.toml", CONFIG), ("a.ts", script)])
}

fn run(folder: &Folder) -> Command {
    folder.command(&["run", "a.ts", "--continuation", "a.imt"])
}

/// What is on the screen when these lines are typed after these prompts.
fn talk(script: &str, lines: &[(&str, &str)]) -> String {
    let folder = folder(script);
    let mut terminal = Terminal::of(run(&folder));
    for (prompt, line) in lines {
        terminal.answer(prompt, &format!("{line}\n"));
    }
    anonymous(&terminal.finish())
}

#[test]
fn an_approved_call_is_made_and_the_run_ends_in_the_same_process() {
    assert_snapshot!(talk("console.log('before');\nconst sent = await mail.send({ to: 'ada' });\nconsole.log('after');\nreturn sent", &[(APPROVAL, "a")]), @r#"
    before
    mail.send needs approval
      id: [int 1]
      at: a.ts:2:25
          const sent = await mail.send({ to: 'ada' });
      argument: {"to":"ada"}
    [a]pprove, [d]eny, [e]dit, [l]ater? a
    after
    warning[CONTINUATION_UNPROTECTED]: there is no key: a.imt is readable and can be changed by its owner
     |
     = help: to seal continuations, put a secret into INTERMISSION_KEY, or into the `key_file` of the configuration
    {
      "to": "ada"
    }
    exit 0
    "#);
}

#[test]
fn a_denied_call_is_an_error_with_the_reason() {
    let script = "try { await mail.send({ to: 'ada' }) } catch (e) { return [e.code, e.message] }";
    assert_snapshot!(talk(script, &[(APPROVAL, "d"), ("why (may be left empty): ", "not to her")]), @r#"
    mail.send needs approval
      id: [int 1]
      at: a.ts:1:18
          try { await mail.send({ to: 'ada' }) } catch (e) { return [e.code, e.message] }
      argument: {"to":"ada"}
    [a]pprove, [d]eny, [e]dit, [l]ater? d
    why (may be left empty): not to her
    warning[CONTINUATION_UNPROTECTED]: there is no key: a.imt is readable and can be changed by its owner
     |
     = help: to seal continuations, put a secret into INTERMISSION_KEY, or into the `key_file` of the configuration
    [
      "APPROVAL_DENIED",
      "not to her"
    ]
    exit 0
    "#);
}

#[test]
fn an_edit_on_a_line_is_asked_for_again_until_it_is_json_that_fits() {
    let script = "return await mail.send({ to: 'ada' })";
    let edit = "other argument (JSON): ";
    let lines =
        [(APPROVAL, "e"), (edit, "{to}"), (edit, "{}"), (APPROVAL, "e"), (edit, r#"{"to": "grace"}"#)];
    assert_snapshot!(talk(script, &lines), @r#"
    mail.send needs approval
      id: [int 1]
      at: a.ts:1:19
          return await mail.send({ to: 'ada' })
      argument: {"to":"ada"}
    [a]pprove, [d]eny, [e]dit, [l]ater? e
    other argument (JSON): {to}
    That is not JSON (key must be a string at line 1 column 2); a text has double quotes: "yes"
    other argument (JSON): {}
    error[RESOLUTION_INVALID]: the interruption [int 1] cannot be answered so: mail.send was called with what does not fit its schema: "to" is a required property
     |
     = help: it takes `--approve ID`, `--edit ID=JSON` or `--deny ID`
    mail.send needs approval
      id: [int 1]
      at: a.ts:1:19
          return await mail.send({ to: 'ada' })
      argument: {"to":"ada"}
    [a]pprove, [d]eny, [e]dit, [l]ater? e
    other argument (JSON): {"to": "grace"}
    warning[CONTINUATION_UNPROTECTED]: there is no key: a.imt is readable and can be changed by its owner
     |
     = help: to seal continuations, put a secret into INTERMISSION_KEY, or into the `key_file` of the configuration
    {
      "to": "grace"
    }
    exit 0
    "#);
}

#[test]
fn an_edit_is_made_in_the_users_editor() {
    let folder = folder("return await mail.send({ to: 'ada' })");
    folder.write("new.json", br#"{"to": "grace"}"#);
    let editor = format!("cp {}", folder.path("new.json").display());
    let mut command = run(&folder);
    command.env("VISUAL", editor);
    let mut terminal = Terminal::of(command);
    terminal.answer(APPROVAL, "e\n");
    assert_snapshot!(anonymous(&terminal.finish()), @r#"
    mail.send needs approval
      id: [int 1]
      at: a.ts:1:19
          return await mail.send({ to: 'ada' })
      argument: {"to":"ada"}
    [a]pprove, [d]eny, [e]dit, [l]ater? e
    warning[CONTINUATION_UNPROTECTED]: there is no key: a.imt is readable and can be changed by its owner
     |
     = help: to seal continuations, put a secret into INTERMISSION_KEY, or into the `key_file` of the configuration
    {
      "to": "grace"
    }
    exit 0
    "#);
}

#[test]
fn an_editor_that_leaves_no_json_or_changes_nothing_approves_nothing() {
    let folder = folder("return await mail.send({ to: 'ada' })");
    folder.write("new.json", b"{to}");
    let mut command = run(&folder);
    command.env("EDITOR", format!("cp {}", folder.path("new.json").display()));
    let mut terminal = Terminal::of(command);
    terminal.answer(APPROVAL, "e\n");
    terminal.answer(APPROVAL, "l\n");
    assert_snapshot!(anonymous(&terminal.finish()), @r#"
    mail.send needs approval
      id: [int 1]
      at: a.ts:1:19
          return await mail.send({ to: 'ada' })
      argument: {"to":"ada"}
    [a]pprove, [d]eny, [e]dit, [l]ater? e
    That is not JSON: key must be a string at line 1 column 2. Edit it again, or choose otherwise.
    [a]pprove, [d]eny, [e]dit, [l]ater? l
    warning[CONTINUATION_UNPROTECTED]: there is no key: a.imt is readable and can be changed by its owner
     |
     = help: to seal continuations, put a secret into INTERMISSION_KEY, or into the `key_file` of the configuration
    put away: mail.send asks. Go on with `intermission resume a.imt --approve [int 1]`
    {
      "run_id": "[run 1]",
      "interruptions": [
        {
          "id": "[int 1]",
          "kind": "approval",
          "host_function": "mail.send",
          "request_index": 1,
          "arguments": [
            {
              "to": "ada"
            }
          ],
          "digest": "[digest 1]",
          "payload": {
            "kind": "approval"
          },
          "position": {
            "file": "a.ts",
            "line": 1,
            "column": 19
          },
          "created": [n],
          "expires_at": null,
          "default": null
        }
      ],
      "wake_at": null,
      "continuation": {
        "file": "a.imt",
        "token": null,
        "protected": false
      }
    }
    exit 75
    "#);
    let mut command = folder.command(&["resume", "a.imt"]);
    command.env("EDITOR", "true");
    let mut terminal = Terminal::of(command);
    terminal.answer(APPROVAL, "e\n");
    terminal.answer(APPROVAL, "l\n");
    assert_snapshot!(anonymous(&terminal.finish()), @r#"
    mail.send needs approval
      id: [int 1]
      at: a.ts:1:19
          return await mail.send({ to: 'ada' })
      argument: {"to":"ada"}
    [a]pprove, [d]eny, [e]dit, [l]ater? e
    Nothing was changed.
    [a]pprove, [d]eny, [e]dit, [l]ater? l
    put away: mail.send asks. Go on with `intermission resume a.imt --approve [int 1]`
    {
      "run_id": "[run 1]",
      "interruptions": [
        {
          "id": "[int 1]",
          "kind": "approval",
          "host_function": "mail.send",
          "request_index": 1,
          "arguments": [
            {
              "to": "ada"
            }
          ],
          "digest": "[digest 1]",
          "payload": {
            "kind": "approval"
          },
          "position": {
            "file": "a.ts",
            "line": 1,
            "column": 19
          },
          "created": [n],
          "expires_at": null,
          "default": null
        }
      ],
      "wake_at": null,
      "continuation": {
        "file": "a.imt",
        "token": null,
        "protected": false
      }
    }
    exit 75
    "#);
}

#[test]
fn several_questions_are_asked_one_after_the_other_and_those_left_for_later_are_kept() {
    let script =
        "return await Promise.all([mail.send({ to: 'ada' }), clerk.ask(1), mail.send({ to: 'grace' })])";
    let lines = [
        (APPROVAL, "a"),
        ("[v]alue, [l]ater? ", "v"),
        ("answer (JSON): ", "yes"),
        ("answer (JSON): ", "true"),
        (APPROVAL, "later"),
    ];
    assert_snapshot!(talk(script, &lines), @r#"
    1 of 3: mail.send needs approval
      id: [int 1]
      at: a.ts:1:32
          return await Promise.all([mail.send({ to: 'ada' }), clerk.ask(1), mail.send({ to: 'grace' })])
      argument: {"to":"ada"}
    [a]pprove, [d]eny, [e]dit, [l]ater? a
    2 of 3: clerk.ask asks
      id: [int 2]
      at: a.ts:1:59
          return await Promise.all([mail.send({ to: 'ada' }), clerk.ask(1), mail.send({ to: 'grace' })])
      argument: 1
      question: "Which?"
    [v]alue, [l]ater? v
    answer (JSON): yes
    That is not JSON (expected value at line 1 column 1); a text has double quotes: "yes"
    answer (JSON): true
    3 of 3: mail.send needs approval
      id: [int 3]
      at: a.ts:1:72
          return await Promise.all([mail.send({ to: 'ada' }), clerk.ask(1), mail.send({ to: 'grace' })])
      argument: {"to":"grace"}
    [a]pprove, [d]eny, [e]dit, [l]ater? later
    warning[CONTINUATION_UNPROTECTED]: there is no key: a.imt is readable and can be changed by its owner
     |
     = help: to seal continuations, put a secret into INTERMISSION_KEY, or into the `key_file` of the configuration
    put away: mail.send asks. Go on with `intermission resume a.imt --approve [int 3]`
    {
      "run_id": "[run 1]",
      "interruptions": [
        {
          "id": "[int 3]",
          "kind": "approval",
          "host_function": "mail.send",
          "request_index": 3,
          "arguments": [
            {
              "to": "grace"
            }
          ],
          "digest": "[digest 1]",
          "payload": {
            "kind": "approval"
          },
          "position": {
            "file": "a.ts",
            "line": 1,
            "column": 72
          },
          "created": [n],
          "expires_at": null,
          "default": null
        }
      ],
      "wake_at": null,
      "continuation": {
        "file": "a.imt",
        "token": null,
        "protected": false
      }
    }
    exit 75
    "#);
}

#[test]
fn the_end_of_the_input_leaves_everything_for_later() {
    let folder = folder("return await Promise.all([mail.send({ to: 'ada' }), mail.send({ to: 'grace' })])");
    let mut terminal = Terminal::of(run(&folder));
    terminal.answer(APPROVAL, "\u{4}");
    assert_snapshot!(anonymous(&terminal.finish()), @r#"
    1 of 2: mail.send needs approval
      id: [int 1]
      at: a.ts:1:32
          return await Promise.all([mail.send({ to: 'ada' }), mail.send({ to: 'grace' })])
      argument: {"to":"ada"}
    [a]pprove, [d]eny, [e]dit, [l]ater? 
    warning[CONTINUATION_UNPROTECTED]: there is no key: a.imt is readable and can be changed by its owner
     |
     = help: to seal continuations, put a secret into INTERMISSION_KEY, or into the `key_file` of the configuration
    put away: 2 questions are open. Go on with `intermission resume a.imt --approve [int 1] --approve [int 2]`
    {
      "run_id": "[run 1]",
      "interruptions": [
        {
          "id": "[int 1]",
          "kind": "approval",
          "host_function": "mail.send",
          "request_index": 1,
          "arguments": [
            {
              "to": "ada"
            }
          ],
          "digest": "[digest 1]",
          "payload": {
            "kind": "approval"
          },
          "position": {
            "file": "a.ts",
            "line": 1,
            "column": 32
          },
          "created": [n],
          "expires_at": null,
          "default": null
        },
        {
          "id": "[int 2]",
          "kind": "approval",
          "host_function": "mail.send",
          "request_index": 2,
          "arguments": [
            {
              "to": "grace"
            }
          ],
          "digest": "[digest 2]",
          "payload": {
            "kind": "approval"
          },
          "position": {
            "file": "a.ts",
            "line": 1,
            "column": 58
          },
          "created": [n],
          "expires_at": null,
          "default": null
        }
      ],
      "wake_at": null,
      "continuation": {
        "file": "a.imt",
        "token": null,
        "protected": false
      }
    }
    exit 75
    "#);
    assert_eq!(folder.ids().len(), 2);
}

#[test]
fn what_a_script_writes_cannot_move_the_cursor_or_hide_and_what_is_long_is_cut() {
    let script = "await mail.send({ to: '\\u001b[2J\\u202eada', text: 'x'.repeat(400), lines: Array.from({ length: 40 }, (_, i) => i) })";
    let prompt = "[a]pprove, [d]eny, [e]dit, [s]how all, [l]ater? ";
    let shown = |lines: &[(&str, &str)]| talk(script, lines).split_once("put away").unwrap().0.to_owned();
    assert_snapshot!(shown(&[(prompt, "l")]), @r#"
    mail.send needs approval
      id: [int 1]
      at: a.ts:1:12
          await mail.send({ to: '\u001b[2J\u202eada', text: 'x'.repeat(400), lines: Array.from({ length: 40 }, (_, i) => i) })
      argument:
        {
          "to": "\u001b[2J\u{202e}ada",
          "text": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… (113 characters more)
          "lines": [
            0,
            1,
            2,
            3,
            4,
            5,
            6,
            7,
            8,
            9,
            10,
            11,
            12,
            13,
            14,
            15,
            16,
            17,
            18,
            19,
            20,
            21,
            22,
            23,
            24,
            25,
        … (16 lines more)
    [a]pprove, [d]eny, [e]dit, [s]how all, [l]ater? l
    warning[CONTINUATION_UNPROTECTED]: there is no key: a.imt is readable and can be changed by its owner
     |
     = help: to seal continuations, put a secret into INTERMISSION_KEY, or into the `key_file` of the configuration
    "#);
    let whole = shown(&[(prompt, "s"), (prompt, "l")]);
    assert!(whole.contains(&"x".repeat(400)) && whole.contains(" 39\n"), "{whole}");
}

#[test]
fn a_key_that_is_none_of_the_choices_is_asked_for_again() {
    let lines = [(APPROVAL, "y"), (APPROVAL, "")];
    assert_snapshot!(talk("return await mail.send({ to: 'ada' })", &[lines[0], lines[1], (APPROVAL, "approve")]), @r#"
    mail.send needs approval
      id: [int 1]
      at: a.ts:1:19
          return await mail.send({ to: 'ada' })
      argument: {"to":"ada"}
    [a]pprove, [d]eny, [e]dit, [l]ater? y
    That is none of these; the letters in brackets are enough.
    [a]pprove, [d]eny, [e]dit, [l]ater? 
    [a]pprove, [d]eny, [e]dit, [l]ater? approve
    warning[CONTINUATION_UNPROTECTED]: there is no key: a.imt is readable and can be changed by its owner
     |
     = help: to seal continuations, put a secret into INTERMISSION_KEY, or into the `key_file` of the configuration
    {
      "to": "ada"
    }
    exit 0
    "#);
}

#[test]
fn a_signal_at_the_prompt_puts_the_run_away() {
    let folder = folder("return await mail.send({ to: 'ada' })");
    let mut terminal = Terminal::of(run(&folder));
    terminal.signal_at(APPROVAL, "INT");
    let told = terminal.finish();
    assert!(told.ends_with("\nexit 130"), "{told}");
    assert_eq!(folder.ids().len(), 1);
}

#[test]
fn a_resume_asks_what_its_options_leave_open() {
    let folder = folder("return await Promise.all([mail.send({ to: 'ada' }), mail.send({ to: 'grace' })])");
    folder.run(&["run", "a.ts", "--continuation", "a.imt"]);
    let first = folder.first_id();
    let mut terminal = Terminal::of(folder.command(&["resume", "a.imt", "--approve", &first]));
    terminal.answer(APPROVAL, "a\n");
    assert_snapshot!(anonymous(&terminal.finish()), @r#"
    mail.send needs approval
      id: [int 1]
      at: a.ts:1:58
          return await Promise.all([mail.send({ to: 'ada' }), mail.send({ to: 'grace' })])
      argument: {"to":"grace"}
    [a]pprove, [d]eny, [e]dit, [l]ater? a
    [
      {
        "to": "ada"
      },
      {
        "to": "grace"
      }
    ]
    exit 0
    "#);
    let log = std::fs::read_to_string(folder.path("sent.log")).unwrap();
    assert_eq!(log, r#"{"to":"ada"}{"to":"grace"}"#);
}

#[test]
fn nobody_is_asked_where_that_is_said() {
    let folder = folder("return await mail.send({ to: 'ada' })");
    let command = folder.command(&["run", "a.ts", "--continuation", "a.imt", "--no-ask"]);
    let told = Terminal::of(command).finish();
    assert!(!told.contains(APPROVAL) && told.ends_with("\nexit 75"), "{told}");
}
