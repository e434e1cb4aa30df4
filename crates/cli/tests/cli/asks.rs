//! Host functions that ask, and what they are told.

use std::process::Command;

use insta::assert_snapshot;

use crate::folder::{Folder, KEY};
use crate::names::anonymous;

/// A program that asks until it is answered, and then gives what it was told.
const ASKS: &str = r#"
[functions."t.pause"]
command = ["sh", "-c", '''
if [ -z "$INTERMISSION_RESUME" ]; then echo '{"payload": {"q": "Pay?"}, "state": [1]}'; exit 75; fi
echo "$INTERMISSION_RESUME"
''']
"#;

fn put_away(config: &str, script: &str) -> (Folder, String) {
    let folder = Folder::with(&[("intermission.toml", config), ("a.ts", script)]);
    let told = folder.run(&["run", "a.ts", "--continuation", "a.imt"]);
    (folder, told)
}

#[test]
fn a_program_asks_by_exit_status_75_and_gets_the_answer_with_its_state() {
    let (folder, told) = put_away(ASKS, "return await t.pause({ n: 1 })");
    assert_snapshot!(anonymous(&told), @r#"
    exit 75
    --- stdout
    {
      "run_id": "[run 1]",
      "interruptions": [
        {
          "id": "[int 1]",
          "kind": "question",
          "host_function": "t.pause",
          "request_index": 1,
          "arguments": [
            {
              "n": 1
            }
          ],
          "digest": "[digest 1]",
          "payload": {
            "q": "Pay?"
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
    warning[CONTINUATION_UNPROTECTED]: there is no key: a.imt is readable and can be changed by its owner
     |
     = help: to seal continuations, put a secret into INTERMISSION_KEY, or into the `key_file` of the configuration
    put away: t.pause asks. Go on with `intermission resume a.imt --answer [int 1]=JSON`
    "#);
    let id = folder.first_id();
    assert_snapshot!(anonymous(&folder.run(&["resume", "a.imt", "--answer", &format!("{id}={{\"ok\": true}}")])), @r#"
    exit 0
    --- stdout
    {
      "interruption_id": "[int 1]",
      "resolution": {
        "ok": true
      },
      "payload": {
        "q": "Pay?"
      },
      "state": [
        1
      ],
      "expired": false
    }
    "#);
}

#[test]
fn a_question_can_expire_with_an_answer_for_that_case() {
    let config = r#"
[functions.f]
command = ["sh", "-c", '''
if [ -n "$INTERMISSION_RESUME" ]; then echo "$INTERMISSION_RESUME"; exit; fi
echo '{"payload": "now?", "expires_at": 1000, "default": "no"}'; exit 75
''']
"#;
    // Its time is over when it is asked.
    let folder = Folder::with(&[("intermission.toml", config), ("a.ts", "return await f()")]);
    assert_snapshot!(anonymous(&folder.run(&["run", "a.ts"])), @r#"
    exit 0
    --- stdout
    {
      "interruption_id": "[int 1]",
      "resolution": "no",
      "payload": "now?",
      "state": null,
      "expired": true
    }
    "#);
}

#[test]
fn exit_status_75_without_a_question_is_a_failure() {
    let outcome = |answer: &str| {
        let config = format!("[functions.f]\ncommand = [\"sh\", \"-c\", '''{answer}''']");
        let script = "try { return await f() } catch (e) { return [e.code, e.message] }";
        let folder = Folder::with(&[("intermission.toml", &config), ("a.ts", script)]);
        folder.run(&["run", "a.ts"])
    };
    assert_snapshot!(outcome("echo 'try later' >&2; exit 75"), @r#"
    exit 0
    --- stdout
    [
      "HOST_FAILED",
      "f: it failed (exit status: 75): try later"
    ]
    "#);
    assert_snapshot!(outcome("echo '{\"question\": 1}'; exit 75"), @r#"
    exit 0
    --- stdout
    [
      "HOST_INTERRUPT_INVALID",
      "f: it asks, but not so that it can be asked: unknown field `question`, expected one of `payload`, `state`, `expires_at`, `default` at line 1 column 11; expected is an object with `payload`, and if you like `state`, `expires_at`, `default`"
    ]
    "#);
}

#[test]
fn a_program_knows_the_call_by_its_environment() {
    let config = "[functions.\"g.f\"]\ncommand = [\"sh\", \"-c\", 'env | grep ^INTERMISSION | sort | sed s/.*/\\\"\\&\\\"/ | paste -sd, | sed \"s/.*/[&]/\"']";
    let folder = Folder::with(&[("intermission.toml", config), ("a.ts", "await g.f(); return await g.f()")]);
    // The key of continuations is none of a program's business.
    assert_snapshot!(anonymous(&folder.run_with_key(&["run", "a.ts"], KEY)), @r#"
    exit 0
    --- stdout
    [
      "INTERMISSION_HOST_FUNCTION=g.f",
      "INTERMISSION_IDEMPOTENCY_KEY=[key 1]",
      "INTERMISSION_INVOCATION_ID=[inv 1]",
      "INTERMISSION_REQUEST_ID=[run 1].2",
      "INTERMISSION_REQUEST_INDEX=2",
      "INTERMISSION_RUN_ID=[run 1]"
    ]
    "#);
}

#[test]
fn an_approval_is_asked_before_the_program_is_started() {
    let config = "[functions.f]\napproval = true\ncommand = [\"sh\", \"-c\", 'cat; echo ran >> ran.log']";
    let (folder, told) = put_away(config, "return await f({ to: 'a' })");
    assert_snapshot!(anonymous(&told), @r#"
    exit 75
    --- stdout
    {
      "run_id": "[run 1]",
      "interruptions": [
        {
          "id": "[int 1]",
          "kind": "approval",
          "host_function": "f",
          "request_index": 1,
          "arguments": [
            {
              "to": "a"
            }
          ],
          "digest": "[digest 1]",
          "payload": {
            "kind": "approval"
          },
          "position": {
            "file": "a.ts",
            "line": 1,
            "column": 14
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
    warning[CONTINUATION_UNPROTECTED]: there is no key: a.imt is readable and can be changed by its owner
     |
     = help: to seal continuations, put a secret into INTERMISSION_KEY, or into the `key_file` of the configuration
    put away: f asks. Go on with `intermission resume a.imt --approve [int 1]`
    "#);
    assert!(!folder.path("ran.log").exists());
    let id = folder.first_id();
    assert_snapshot!(anonymous(&folder.run(&["resume", "a.imt", "--approve", &id])), @r#"
    exit 0
    --- stdout
    {
      "to": "a"
    }
    "#);
    assert_eq!(std::fs::read_to_string(folder.path("ran.log")).unwrap(), "ran\n");
    assert_snapshot!(anonymous(&folder.run(&["resume", "a.imt"])), @r#"
    exit 0
    --- stdout
    {
      "to": "a"
    }
    "#);
    assert_eq!(std::fs::read_to_string(folder.path("ran.log")).unwrap(), "ran\n");
}

#[test]
fn a_blocking_function_cannot_need_approval_and_cannot_ask() {
    let both = "[functions.f]\napproval = true\nblocking = true\ncommand = [\"true\"]";
    let folder = Folder::with(&[("intermission.toml", both), ("a.ts", "return f()")]);
    assert_snapshot!(folder.run(&["run", "a.ts"]), @r#"
    exit 2
    --- stderr
    error[HOST_FUNCTION_BLOCKING_APPROVAL]: `f` cannot be blocking and need approval: make it an ordinary function
     --> intermission.toml:1:12
      |
    1 | [functions.f]
      |            ^
    "#);
    let asks =
        "[functions.f]\nblocking = true\ncommand = [\"sh\", \"-c\", 'echo {\\\"payload\\\":1}; exit 75']";
    folder.write("intermission.toml", asks.as_bytes());
    assert_snapshot!(folder.run(&["run", "a.ts"]), @r#"
    exit 1
    --- stderr
    error[INTERRUPT_IN_SYNC]: the blocking host function `f` interrupted the run: only functions that the script awaits can
     |
     = help: leave `blocking` out of [functions."f"]
    "#);
}

#[test]
fn a_question_that_the_script_did_not_wait_for_is_abandoned() {
    let config = format!("{ASKS}\n[functions.\"t.fast\"]\ncommand = [\"echo\", \"1\"]");
    let script = "return await Promise.race([t.pause(1), t.fast()])";
    let folder = Folder::with(&[("intermission.toml", &config), ("a.ts", script)]);
    assert_snapshot!(folder.run(&["run", "a.ts"]), @r#"
    exit 0
    --- stdout
    1
    --- stderr
    warning[ABANDONED]: the script ended without waiting for `t.pause`, which asked and was not answered
     --> a.ts:1:30
      |
    1 | return await Promise.race([t.pause(1), t.fast()])
      |                              ^^^^^
    "#);
}

#[test]
fn a_run_that_waits_for_long_is_put_away_without_a_question() {
    let folder = Folder::with(&[("a.ts", "await sleep(86_400_000);\nreturn 'next day'")]);
    assert_snapshot!(anonymous(&folder.run(&["run", "a.ts", "--continuation", "a.imt"])), @r#"
    exit 75
    --- stdout
    {
      "run_id": "[run 1]",
      "interruptions": [],
      "wake_at": [n],
      "continuation": {
        "file": "a.imt",
        "token": null,
        "protected": false
      }
    }
    --- stderr
    warning[CONTINUATION_UNPROTECTED]: there is no key: a.imt is readable and can be changed by its owner
     |
     = help: to seal continuations, put a secret into INTERMISSION_KEY, or into the `key_file` of the configuration
    put away: the run waits until [time] Go on with `intermission resume a.imt`
    "#);
    assert!(folder.run(&["inspect", "a.imt"]).contains(": waiting\n"));
}

#[test]
fn a_call_whose_outcome_was_lost_is_asked_about() {
    let config =
        "[functions.f]\ncommand = [\"sh\", \"-c\", 'test -e again && exec echo 1; exec 3>fifo; sleep 1000']";
    let folder = Folder::with(&[("intermission.toml", config), ("a.ts", "return await f()")]);
    Command::new("mkfifo").arg(folder.path("fifo")).status().unwrap();
    let child = folder.command(&["run", "a.ts", "--continuation", "a.imt"]).spawn().unwrap();
    // It can be opened when the program is running.
    let fifo = std::fs::File::open(folder.path("fifo")).unwrap();
    Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().unwrap();
    assert_snapshot!(folder.told(&child.wait_with_output().unwrap()), @r#"
    exit 130
    --- stderr
    error[ABORTED]: the run was aborted
    warning[CONTINUATION_UNPROTECTED]: there is no key: a.imt is readable and can be changed by its owner
     |
     = help: to seal continuations, put a secret into INTERMISSION_KEY, or into the `key_file` of the configuration
    kept: what happened is in a.imt; go on with `intermission resume a.imt`
    "#);
    drop(fifo);
    assert_snapshot!(anonymous(&folder.run(&["resume", "a.imt"])), @r#"
    exit 75
    --- stdout
    {
      "run_id": "[run 1]",
      "interruptions": [
        {
          "id": "[int 1]",
          "kind": "outcome-unknown",
          "host_function": "f",
          "request_index": 1,
          "arguments": [],
          "digest": "[digest 1]",
          "payload": {
            "kind": "outcome-unknown"
          },
          "position": {
            "file": "a.ts",
            "line": 1,
            "column": 14
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
    put away: f asks. Go on with `intermission resume a.imt --happened [int 1]=JSON`; where nothing happened, with `--did-not-happen` instead
    "#);
    let id = folder.first_id();
    std::fs::copy(folder.path("a.imt"), folder.path("b.imt")).unwrap();
    assert_snapshot!(folder.run(&["resume", "b.imt", "--happened", &format!("{id}=[2]")]), @r#"
    exit 0
    --- stdout
    [
      2
    ]
    "#);
    folder.write("again", b"");
    assert_snapshot!(folder.run(&["resume", "a.imt", "--did-not-happen", &id]), @r#"
    exit 0
    --- stdout
    1
    "#);
}

/// A function that asks once, and notes when it has its answer.
const NOTES_EFFECTS: &str = r#"
[functions.f]
command = ["sh", "-c", '''
if [ -n "$INTERMISSION_RESUME" ]; then echo done >> effects; echo 1; exit; fi
echo '{"payload": "now?"}'; exit 75
''']
"#;

#[test]
fn of_many_processes_that_go_on_from_one_file_one_does_and_the_others_see_what_it_did() {
    let folder = Folder::with(&[("intermission.toml", NOTES_EFFECTS), ("a.ts", "return await f()")]);
    folder.run(&["run", "a.ts", "--continuation", "a.imt"]);
    let answer = format!("{}=true", folder.first_id());
    let resume = || folder.command(&["resume", "a.imt", "--answer", &answer, "--no-ask"]).spawn().unwrap();
    let started: Vec<_> = (0..10).map(|_| resume()).collect();
    let told = started.into_iter().map(|child| folder.told(&child.wait_with_output().unwrap()));
    let waits = "waiting for another process, which goes on from a.imt\n";
    let mut told: Vec<String> =
        told.map(|told| told.replace(waits, "").replace("--- stderr\n", "")).collect();
    told.sort();
    assert_eq!(told.remove(0), "exit 0\n--- stdout\n1\n");
    told.dedup();
    assert_snapshot!(told.join("\n"), @"
    exit 2
    error[RUN_OVER]: the run is over: nothing is asked any more
     |
     = help: `intermission inspect` shows what came of it
    ");
    assert_eq!(std::fs::read_to_string(folder.path("effects")).unwrap(), "done\n");
}

#[test]
fn the_folder_of_claims_may_stand_in_the_configuration() {
    let config = format!("claims = \"claims\"\n{NOTES_EFFECTS}");
    let folder = Folder::with(&[("intermission.toml", &config), ("a.ts", "return await f()")]);
    folder.run(&["run", "a.ts", "--continuation", "a.imt"]);
    let answer = format!("{}=true", folder.first_id());
    std::fs::copy(folder.path("a.imt"), folder.path("b.imt")).unwrap();
    for copy in ["a.imt", "b.imt"] {
        let told = folder.run(&["resume", copy, "--answer", &answer, "--no-ask"]);
        assert_eq!(told, "exit 0\n--- stdout\n1\n", "{copy}");
    }
    assert_eq!(std::fs::read_to_string(folder.path("effects")).unwrap(), "done\n");
    let private = |name: &str, mode| {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(
            std::fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777,
            mode,
            "{name}"
        );
    };
    private("claims", 0o700);
    for file in std::fs::read_dir(folder.path("claims")).unwrap() {
        private(&format!("claims/{}", file.unwrap().file_name().to_str().unwrap()), 0o600);
    }
}
