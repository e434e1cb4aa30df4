//! `intermission resume`.

use insta::assert_snapshot;

use crate::folder::{Folder, KEY};
use crate::names::anonymous;

const CONFIG: &str = r#"
[functions."t.echo"]
command = ["sh", "-c", "echo echo >> calls.log; cat"]

[functions."t.send"]
approval = true
command = ["sh", "-c", "echo send >> calls.log; cat"]
input_schema = { type = "object", properties = { to = { type = "string" } }, required = ["to"] }

[functions."t.ask"]
command = ["sh", "-c", '''
if [ -z "$INTERMISSION_RESUME" ]; then echo '{"payload": "Which?"}'; exit 75; fi
echo "$INTERMISSION_RESUME" | sed 's/.*"resolution":\([^,]*\),.*/\1/'
''']
"#;

/// A run that was put away in `a.imt`.
fn put_away(script: &str) -> Folder {
    let folder = Folder::with(&[("intermission.toml", CONFIG), ("a.ts", script)]);
    let told = folder.run(&["run", "a.ts", "--continuation", "a.imt"]);
    assert!(told.starts_with("exit 75\n"), "{told}");
    folder
}

fn resume(folder: &Folder, arguments: &[&str]) -> String {
    anonymous(&folder.run(&[&["resume", "a.imt"], arguments].concat()))
}

fn calls(folder: &Folder) -> String {
    std::fs::read_to_string(folder.path("calls.log")).unwrap_or_default()
}

#[test]
fn what_happened_is_not_done_again_and_the_console_goes_on() {
    let folder = put_away(
        "console.log('one');\nconst a = await t.echo(1);\nconst b = await t.send({ to: 'x' });\nconsole.log('two');\nreturn [a, b]",
    );
    let id = folder.first_id();
    assert_snapshot!(resume(&folder, &["--approve", &id]), @r#"
    exit 0
    --- stdout
    [
      1,
      {
        "to": "x"
      }
    ]
    --- stderr
    two
    "#);
    assert_eq!(calls(&folder), "echo\nsend\n");
}

#[test]
fn a_resume_that_answers_nothing_asks_the_same_again() {
    let folder = put_away("return await t.send({ to: 'x' })");
    let before = std::fs::read(folder.path("a.imt")).unwrap();
    assert_snapshot!(resume(&folder, &[]), @r#"
    exit 75
    --- stdout
    {
      "run_id": "[run 1]",
      "interruptions": [
        {
          "id": "[int 1]",
          "kind": "approval",
          "host_function": "t.send",
          "request_index": 1,
          "arguments": [
            {
              "to": "x"
            }
          ],
          "digest": "[digest 1]",
          "payload": {
            "kind": "approval"
          },
          "position": {
            "file": "a.ts",
            "line": 1,
            "column": 16
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
    --- stderr
    put away: t.send asks. Go on with `intermission resume a.imt --approve [int 1]`
    "#);
    assert_eq!(folder.ids().len(), 1);
    assert!(!before.is_empty());
}

#[test]
fn rounds_follow_each_other_and_an_id_may_be_cut_short() {
    let folder = put_away("return [await t.ask(1), await t.ask(2)]");
    let first = folder.first_id();
    let again = resume(&folder, &["--answer", &format!("{}=1", &first[..12])]);
    assert!(again.starts_with("exit 75\n"), "{again}");
    let second = folder.first_id();
    assert_ne!(first, second);
    assert_snapshot!(resume(&folder, &["--answer", &format!("{second}=@-")]), @r#"
    exit 2
    --- stderr
    error[NOT_JSON]: the standard input is not JSON: EOF while parsing a value at line 1 column 0
     |
     = help: JSON has double quotes, around keys too: {"name": "x"}; a file is `@file`
    "#);
    assert_snapshot!(anonymous(&folder.run_with_input(&["resume", "a.imt", "--answer", &format!("{second}=@-")], b"\"two\"")), @r#"
    exit 0
    --- stdout
    [
      1,
      "two"
    ]
    "#);
}

#[test]
fn a_call_can_be_edited_or_denied_with_a_reason() {
    let script = "const r = await Promise.allSettled([t.send({ to: 'a' }), t.send({ to: 'b' })]);\nreturn r.map((x) => x.value ?? x.reason.message)";
    let folder = put_away(script);
    let ids = folder.ids();
    let edit = format!("{}={{\"to\": \"c\"}}", ids[0]);
    assert_snapshot!(resume(&folder, &["--edit", &edit, "--deny", &ids[1], "--reason", "no letters"]), @r#"
    exit 0
    --- stdout
    [
      {
        "to": "c"
      },
      "no letters"
    ]
    "#);
}

#[test]
fn wrong_answers_change_nothing_and_say_what_to_do() {
    let folder = put_away("return await Promise.all([t.send({ to: 'a' }), t.ask(1)])");
    let ids = folder.ids();
    let (send, ask) = (ids[0].as_str(), ids[1].as_str());
    let mut told = String::new();
    let mut typo = send.to_owned();
    typo.replace_range(29.., if send.ends_with('a') { "b" } else { "a" });
    let answer = format!("{send}=1");
    let malformed = format!("{ask}={{yes}}");
    let unfit = format!("{send}={{}}");
    let cases: [&[&str]; 10] = [
        &["--approve", "send"],
        &["--approve", &typo],
        &["--approve", "int_"],
        &["--answer", &answer],
        &["--approve", ask],
        &["--answer", &malformed],
        &["--answer", ask],
        &["--edit", &unfit],
        &["--approve", send, "--deny", send],
        &["--happened", &answer],
    ];
    for case in cases {
        told.push_str(&folder.run(&[&["resume", "a.imt"], case].concat()));
        told.push('\n');
    }
    // Ids first in the order of the run.
    assert_snapshot!(anonymous(&format!("{send} {ask}\n{told}").replace(&typo, "[typo]")), @r#"
    [int 1] [int 2]
    exit 2
    --- stderr
    error[RESOLUTION_UNKNOWN]: the run does not ask `send`
     |
     = help: there are: `[int 1]`, `[int 2]`

    exit 2
    --- stderr
    error[RESOLUTION_UNKNOWN]: the run has no interruption [typo]: it may belong to another run, or to a later state of this one
     |
     = help: did you mean `[int 1]`?

    exit 2
    --- stderr
    error[RESOLUTION_AMBIGUOUS]: `int_` can mean 2 of the run's questions
     |
     = help: there are: `[int 1]`, `[int 2]`

    exit 2
    --- stderr
    error[RESOLUTION_INVALID]: the interruption [int 1] cannot be answered so: it is an approval: approve it, approve it with other arguments, or deny it
     |
     = help: it takes `--approve ID`, `--edit ID=JSON` or `--deny ID`

    exit 2
    --- stderr
    error[RESOLUTION_INVALID]: the interruption [int 2] cannot be answered so: a host function asks: answer with a value
     |
     = help: it takes `--answer ID=JSON`

    exit 2
    --- stderr
    error[NOT_JSON]: the value of --answer is not JSON: key must be a string at line 1 column 2
     |
     = help: JSON has double quotes, around keys too: {"name": "x"}; a file is `@file`

    exit 2
    --- stderr
    error: invalid value '[int 2]' for '--answer <ID=JSON>': expected an id, `=` and JSON, for example `int_abc={"to": "x"}`

    For more information, try '--help'.

    exit 2
    --- stderr
    error[RESOLUTION_INVALID]: the interruption [int 1] cannot be answered so: t.send was called with what does not fit its schema: "to" is a required property
     |
     = help: it takes `--approve ID`, `--edit ID=JSON` or `--deny ID`

    exit 2
    --- stderr
    error[RESOLUTION_DUPLICATE]: the interruption [int 1] is answered twice: give one answer

    exit 2
    --- stderr
    error[RESOLUTION_INVALID]: the interruption [int 1] cannot be answered so: it is an approval: approve it, approve it with other arguments, or deny it
     |
     = help: it takes `--approve ID`, `--edit ID=JSON` or `--deny ID`
    "#);
    assert_eq!(calls(&folder), "");
    assert_eq!(folder.ids(), ids);
}

#[test]
fn an_answer_to_what_was_answered_before_is_stale() {
    let folder = put_away("return [await t.ask(1), await t.ask(2)]");
    let first = folder.first_id();
    let answer = format!("{first}=1");
    resume(&folder, &["--answer", &answer]);
    assert_snapshot!(resume(&folder, &["--answer", &answer]), @r#"
    exit 2
    --- stderr
    error[RESOLUTION_STALE]: the interruption [int 1] has been answered already
     |
     = help: there are: `[int 2]`
    "#);
    let second = format!("{}=2", folder.first_id());
    resume(&folder, &["--answer", &second]);
    assert_snapshot!(resume(&folder, &["--answer", &second]), @r#"
    exit 2
    --- stderr
    error[RUN_OVER]: the run is over: nothing is asked any more
     |
     = help: `intermission inspect` shows what came of it
    "#);
    assert_snapshot!(resume(&folder, &[]), @r#"
    exit 0
    --- stdout
    [
      1,
      2
    ]
    "#);
}

#[test]
fn an_answer_to_another_run_is_told_apart() {
    let (folder, other) = (put_away("return await t.ask(1)"), put_away("return await t.ask(1)"));
    let answer = format!("{}=1", other.first_id());
    assert_snapshot!(resume(&folder, &["--answer", &answer]), @r#"
    exit 2
    --- stderr
    error[RESOLUTION_UNKNOWN]: the run has no interruption [int 1]: it may belong to another run, or to a later state of this one
     |
     = help: there are: `[int 2]`
    "#);
}

#[test]
fn a_mended_script_goes_on_and_another_one_diverges() {
    let folder = put_away("const a = await t.echo(1);\nawait t.send({ to: 'x' });\nreturn a");
    folder.write("other.ts", b"const a = await t.echo(2);\nawait t.send({ to: 'x' });\nreturn a");
    let before = std::fs::read(folder.path("a.imt")).unwrap();
    let id = folder.first_id();
    assert_snapshot!(resume(&folder, &["--source", "other.ts", "--approve", &id]), @r#"
    exit 6
    --- stderr
    error[DIVERGED]: the script does not do what it did before, at entry [n] of the ledger: recorded is call 1, t.echo(1), now it is call 1, t.echo(2); the first difference is at args[0] (the script computes other arguments than before: was it, or what it imports, changed?)
     --> other.ts:1:19
      |
    1 | const a = await t.echo(2);
      |                   ^^^^
      |
      = help: nothing was called, and nothing has changed: go on with a script that does what was done
    "#);
    assert_eq!(calls(&folder), "echo\n");
    assert_eq!(std::fs::read(folder.path("a.imt")).unwrap(), before);
    folder
        .write("mended.ts", b"const a = await t.echo(1);\nawait t.send({ to: 'x' });\nreturn [a, 'mended']");
    assert_snapshot!(resume(&folder, &["--source", "mended.ts", "--approve", &id]), @r#"
    exit 0
    --- stdout
    [
      1,
      "mended"
    ]
    "#);
}

#[test]
fn a_failed_call_is_made_again_by_a_retry() {
    let config = format!(
        "{CONFIG}\n[functions.\"t.report\"]\ncommand = [\"sh\", \"-c\", \"test -e fixed || (echo broken >&2; false)\"]"
    );
    let script = "await t.send({ to: 'x' });\nawait t.report();\nreturn 'done'";
    let folder = Folder::with(&[("intermission.toml", &config), ("a.ts", script)]);
    folder.run(&["run", "a.ts", "--continuation", "a.imt"]);
    let id = folder.first_id();
    assert_snapshot!(resume(&folder, &["--approve", &id]), @r#"
    exit 1
    --- stderr
    error[SCRIPT_ERROR]: Error: t.report: it failed (exit status: 1): broken
     --> a.ts:2:9
      |
    2 | await t.report();
      |         ^^^^^^
    kept: what happened is in a.imt; `intermission resume a.imt --retry` makes the failed call again
    "#);
    folder.write("fixed", b"");
    assert_snapshot!(resume(&folder, &["--retry"]), @r#"
    exit 0
    --- stdout
    "done"
    "#);
    assert_eq!(calls(&folder), "send\n");
}

#[test]
fn a_function_that_is_gone_or_changed_is_named() {
    let folder = put_away("return await t.send({ to: 'x' })");
    let id = folder.first_id();
    folder.write("intermission.toml", b"");
    assert_snapshot!(resume(&folder, &["--approve", &id]), @r#"
    exit 2
    --- stderr
    error[FUNCTION_MISSING]: a call of `t.send` is still open, and the function is not lent any more: lend it again, then resume
     |
     = help: write [functions."t.send"] into the configuration, or name another with --config
    "#);
    folder.write("intermission.toml", CONFIG.replace("\"to\"]", "]").as_bytes());
    assert_snapshot!(resume(&folder, &["--approve", &id]), @r#"
    exit 2
    --- stderr
    error[FUNCTION_CHANGED]: a call of `t.send` is still open, and the function's schemas have changed since: restore them, or start anew
    "#);
    folder.write("intermission.toml", CONFIG.as_bytes());
    assert!(resume(&folder, &["--approve", &id]).starts_with("exit 0\n"));
}

#[test]
fn with_a_key_everything_is_sealed_and_another_key_opens_nothing() {
    let folder = Folder::with(&[("intermission.toml", CONFIG), ("a.ts", "return await t.ask('secret')")]);
    assert_snapshot!(anonymous(&folder.run_with_key(&["run", "a.ts", "--continuation", "-"], KEY)), @r#"
    exit 75
    --- stdout
    {
      "run_id": "[run 1]",
      "interruptions": [
        {
          "id": "[int 1]",
          "kind": "question",
          "host_function": "t.ask",
          "request_index": 1,
          "arguments": [
            "secret"
          ],
          "digest": "[digest 1]",
          "payload": "Which?",
          "position": {
            "file": "a.ts",
            "line": 1,
            "column": 16
          },
          "created": [n],
          "expires_at": null,
          "default": null
        }
      ],
      "wake_at": null,
      "continuation": {
        "file": null,
        "token": "[token]",
        "protected": true
      }
    }
    --- stderr
    put away: t.ask asks. Go on with `intermission resume TOKEN --answer [int 1]=JSON`
    "#);
    folder.run_with_key(&["run", "a.ts", "--continuation", "a.imt"], KEY);
    assert_snapshot!(folder.run(&["inspect", "a.imt"]), @r#"
    exit 2
    --- stderr
    error[TOKEN_REFUSED]: a.imt cannot be gone on from: the token is not accepted here; check that it is complete, that its key is among the keys given, that audience and context are those that it was made for, that tokens of its form (sealed, signed, open) are accepted, and that the clock is right
     |
     = help: it is cut off or changed, or it is sealed: then put its key into INTERMISSION_KEY
    "#);
    let other = "dGVzdHMgb25seSwgYW5vdGhlciBvbmUsIG5ldmVyIHVzZWQ";
    assert_snapshot!(folder.run_with_key(&["inspect", "a.imt"], other), @r#"
    exit 2
    --- stderr
    error[TOKEN_REFUSED]: a.imt cannot be gone on from: the token is not accepted here; check that it is complete, that its key is among the keys given, that audience and context are those that it was made for, that tokens of its form (sealed, signed, open) are accepted, and that the clock is right
     |
     = help: it is cut off or changed, or was sealed with a key that is not among those given
    "#);
    assert_snapshot!(folder.run_with_key(&["inspect", "a.imt"], "hunter2"), @r#"
    exit 2
    --- stderr
    error[KEY_SECRET_MALFORMED]: INTERMISSION_KEY: key 1 of the list: the secret is neither hexadecimal nor base64 nor base64url
     |
     = help: a key is at least 32 random bytes in base64 or hexadecimal: `openssl rand -base64 32` makes one
    "#);
}
