//! Where continuations are, and whom they are taken from.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use insta::assert_snapshot;

use crate::folder::{Folder, KEY};
use crate::names::anonymous;

const CONFIG: &str = r#"
[functions."t.ask"]
approval = true
command = ["cat"]
"#;

fn folder() -> Folder {
    Folder::with(&[("intermission.toml", CONFIG), ("a.ts", "return await t.ask(1)")])
}

fn mode(folder: &Folder, name: &str) -> u32 {
    std::fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_run_is_kept_in_a_file_of_its_name_for_its_owner_alone() {
    let folder = folder();
    let told = folder.run(&["run", "a.ts", "--ephemeral"]);
    assert_snapshot!(anonymous(&told), @r#"
    exit 75
    --- stdout
    {
      "run_id": "[run 1]",
      "interruptions": [
        {
          "id": "[int 1]",
          "kind": "approval",
          "host_function": "t.ask",
          "request_index": 1,
          "arguments": [
            1
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
        "file": "[run 1].imt",
        "token": null,
        "protected": false
      }
    }
    --- stderr
    warning[CONTINUATION_UNPROTECTED]: there is no key: [run 1].imt is readable and can be changed by its owner
     |
     = help: to seal continuations, put a secret into INTERMISSION_KEY, or into the `key_file` of the configuration
    put away: t.ask asks. Go on with `intermission resume [run 1].imt --approve [int 1]`
    "#);
    let name = told.split_once("intermission resume ").unwrap().1.split_once(' ').unwrap().0;
    assert!(name.starts_with("run_") && Path::new(name).extension().is_some_and(|end| end == "imt"));
    assert_eq!(mode(&folder, name), 0o600);
}

#[test]
fn no_file_is_ever_overwritten_and_nothing_runs_where_it_would_be() {
    let folder = folder();
    folder.write("a.imt", b"mine");
    assert_snapshot!(folder.run(&["run", "a.ts", "--continuation", "a.imt"]), @r#"
    exit 2
    --- stderr
    error[CONTINUATION_EXISTS]: a.imt is there already, and a continuation is never written over another file
     |
     = help: name another file with `--continuation`
    "#);
    assert_snapshot!(folder.run(&["run", "a.ts", "--continuation", "no/a.imt"]), @r#"
    exit 2
    --- stderr
    error[CONTINUATION_UNWRITABLE]: the continuation cannot be written to no/a.imt: entity not found
     |
     = help: name another place with `--continuation`
    "#);
    assert_eq!(std::fs::read(folder.path("a.imt")).unwrap(), b"mine");
}

#[test]
fn without_a_key_nothing_is_printed_but_where_the_risk_is_taken() {
    let folder = folder();
    assert_snapshot!(folder.run(&["run", "a.ts", "--continuation", "-"]), @r#"
    exit 2
    --- stderr
    error[KEY_MISSING]: there is no key: the continuation would be printed readable, and could be changed
     |
     = help: put a secret into INTERMISSION_KEY, or say `--unprotected` where nobody else sees the output
    "#);
    assert_snapshot!(anonymous(&folder.run(&["run", "a.ts", "--continuation", "-", "--unprotected"])), @r#"
    exit 75
    --- stdout
    {
      "run_id": "[run 1]",
      "interruptions": [
        {
          "id": "[int 1]",
          "kind": "approval",
          "host_function": "t.ask",
          "request_index": 1,
          "arguments": [
            1
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
        "file": null,
        "token": "[token]",
        "protected": false
      }
    }
    --- stderr
    warning[CONTINUATION_UNPROTECTED]: there is no key: whoever sees the continuation can read it, and change what the run has done
     |
     = help: to seal continuations, put a secret into INTERMISSION_KEY, or into the `key_file` of the configuration
    put away: t.ask asks. Go on with `intermission resume TOKEN --approve [int 1] --unprotected`
    "#);
}

#[test]
fn an_unprotected_continuation_is_taken_from_a_file_of_ones_own_only() {
    let folder = folder();
    folder.run(&["run", "a.ts", "--continuation", "a.imt"]);
    let token = std::fs::read_to_string(folder.path("a.imt")).unwrap();
    assert_snapshot!(folder.run(&["inspect", token.trim()]), @r#"
    exit 2
    --- stderr
    error[CONTINUATION_UNPROTECTED]: the token is not protected: anybody may have changed what the run has done
     |
     = help: if you trust where it comes from, say `--unprotected`
    "#);
    assert_snapshot!(folder.run_with_input(&["inspect", "-"], token.as_bytes()), @r#"
    exit 2
    --- stderr
    error[CONTINUATION_UNPROTECTED]: the standard input is not protected: anybody may have changed what the run has done
     |
     = help: if you trust where it comes from, say `--unprotected`
    "#);
    assert_snapshot!(folder.run_with_key(&["inspect", "a.imt"], KEY), @r#"
    exit 2
    --- stderr
    error[CONTINUATION_UNPROTECTED]: a.imt is not protected: anybody may have changed what the run has done
     |
     = help: if you trust where it comes from, say `--unprotected`
    "#);
    assert!(
        folder.run_with_input(&["inspect", "-", "--unprotected"], token.as_bytes()).starts_with("exit 0")
    );
    std::fs::set_permissions(folder.path("a.imt"), PermissionsExt::from_mode(0o620)).unwrap();
    assert_snapshot!(folder.run(&["inspect", "a.imt"]), @r#"
    exit 2
    --- stderr
    error[CONTINUATION_WRITABLE]: a.imt is not protected, and others than its owner can write it
     |
     = help: if you trust what is in it: `chmod 600 a.imt`
    "#);
}

#[test]
fn what_is_no_continuation_says_so() {
    let folder = folder();
    folder.run(&["run", "a.ts", "--continuation", "a.imt"]);
    let token = std::fs::read(folder.path("a.imt")).unwrap();
    folder.write("cut.imt", &token[..token.len() / 2]);
    std::fs::set_permissions(folder.path("cut.imt"), PermissionsExt::from_mode(0o600)).unwrap();
    let told: Vec<_> = ["a.ts", "none.imt", "cut.imt", "run_a4dqobyha4dqobyha4dqobyha4", "imt1_x"]
        .iter()
        .map(|operand| folder.run(&["inspect", operand]))
        .collect();
    assert_snapshot!(told.join("\n"), @r#"
    exit 2
    --- stderr
    error[NO_CONTINUATION]: a.ts is no continuation: it does not begin with `imt1_`
     |
     = help: `intermission run` writes continuations, into files `<run id>.imt`

    exit 2
    --- stderr
    error[FILE_UNREADABLE]: cannot read none.imt: No such file or directory (os error 2)

    exit 2
    --- stderr
    error[TOKEN_REFUSED]: cut.imt cannot be gone on from: the token is not accepted here; check that it is complete, that its key is among the keys given, that audience and context are those that it was made for, that tokens of its form (sealed, signed, open) are accepted, and that the clock is right
     |
     = help: it is cut off or changed, or it is sealed: then put its key into INTERMISSION_KEY

    exit 2
    --- stderr
    error[NO_STORE]: there is no store of runs at .intermission/runs.db
     |
     = help: `intermission run` makes one in the working directory; another is named with `--store`

    exit 2
    --- stderr
    error[TOKEN_REFUSED]: the token cannot be gone on from: the token is not accepted here; check that it is complete, that its key is among the keys given, that audience and context are those that it was made for, that tokens of its form (sealed, signed, open) are accepted, and that the clock is right
     |
     = help: it is cut off or changed, or it is sealed: then put its key into INTERMISSION_KEY
    "#);
}

#[test]
fn keys_come_from_the_file_that_the_configuration_names() {
    let folder = folder();
    folder.write("intermission.toml", format!("key_file = \"keys/main\"\n{CONFIG}").as_bytes());
    assert_snapshot!(folder.run(&["run", "a.ts", "--ephemeral"]), @r#"
    exit 2
    --- stderr
    error[FILE_UNREADABLE]: cannot read [folder]/keys/main: No such file or directory (os error 2)
    "#);
    folder.write("keys/main", KEY.as_bytes());
    assert_snapshot!(anonymous(&folder.run(&["run", "a.ts", "--continuation", "a.imt"])), @r#"
    exit 75
    --- stdout
    {
      "run_id": "[run 1]",
      "interruptions": [
        {
          "id": "[int 1]",
          "kind": "approval",
          "host_function": "t.ask",
          "request_index": 1,
          "arguments": [
            1
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
        "protected": true
      }
    }
    --- stderr
    put away: t.ask asks. Go on with `intermission resume a.imt --approve [int 1]`
    "#);
    folder.write("keys/main", b"k1:short");
    assert_snapshot!(folder.run(&["inspect", "a.imt"]), @r#"
    exit 2
    --- stderr
    error[KEY_SECRET_MALFORMED]: [folder]/keys/main: key 1 of the list: the secret is neither hexadecimal nor base64 nor base64url
     |
     = help: a key is at least 32 random bytes in base64 or hexadecimal: `openssl rand -base64 32` makes one
    "#);
}

#[test]
fn a_resumed_token_goes_into_a_file_of_the_runs_name() {
    let folder = folder();
    folder.run_with_key(&["run", "a.ts", "--continuation", "a.imt"], KEY);
    let token = std::fs::read_to_string(folder.path("a.imt")).unwrap();
    let told = folder.run_with_key(&["resume", token.trim()], KEY);
    assert_snapshot!(anonymous(&told), @r#"
    exit 75
    --- stdout
    {
      "run_id": "[run 1]",
      "interruptions": [
        {
          "id": "[int 1]",
          "kind": "approval",
          "host_function": "t.ask",
          "request_index": 1,
          "arguments": [
            1
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
        "file": "[run 1].imt",
        "token": null,
        "protected": true
      }
    }
    --- stderr
    put away: t.ask asks. Go on with `intermission resume [run 1].imt --approve [int 1]`
    "#);
    // Again: the file is the run's own.
    assert_eq!(folder.run_with_key(&["resume", token.trim()], KEY), told);
}

#[test]
fn a_run_that_fails_is_kept_where_that_is_asked_for() {
    let folder = folder();
    folder.write("a.ts", b"throw new Error('no')");
    assert_snapshot!(anonymous(&folder.run(&["run", "a.ts", "--continuation", "a.imt"])), @r#"
    exit 1
    --- stderr
    error[SCRIPT_ERROR]: Error: no
     --> a.ts:1:11
      |
    1 | throw new Error('no')
      |           ^^^^^
    warning[CONTINUATION_UNPROTECTED]: there is no key: a.imt is readable and can be changed by its owner
     |
     = help: to seal continuations, put a secret into INTERMISSION_KEY, or into the `key_file` of the configuration
    kept: what happened is in a.imt
    "#);
    assert_eq!(mode(&folder, "a.imt"), 0o600);
}

#[test]
fn of_a_run_that_completes_no_continuation_is_printed_but_in_its_report() {
    let folder = folder();
    folder.write("a.ts", b"return 1");
    let words = ["run", "a.ts", "--continuation", "-", "--unprotected"];
    assert_snapshot!(folder.run(&words), @r"
    exit 0
    --- stdout
    1
    ");
    let report = folder.run(&[&words[..], &["--report"]].concat());
    assert!(report.contains("\"token\": \"imt1_"), "{report}");
    assert!(report.contains("warning[CONTINUATION_UNPROTECTED]"), "{report}");
}

#[test]
fn what_a_run_has_done_that_completes_goes_back_to_its_file_where_its_value_is_printed_alone() {
    let folder = folder();
    folder.run_with_key(&["run", "a.ts", "--continuation", "a.imt"], KEY);
    let inspected = folder.run_with_key(&["inspect", "a.imt"], KEY);
    let id = inspected.split_whitespace().find(|word| word.starts_with("int_")).unwrap().to_owned();
    let resume = ["resume", "a.imt", "--approve", &id, "--continuation", "-"];
    assert_eq!(folder.run_with_key(&resume, KEY), "exit 0\n--- stdout\n1\n");
    assert!(folder.run_with_key(&resume, KEY).contains("RUN_OVER"), "it is done once");
}

#[test]
fn what_a_run_has_done_is_not_written_over_by_another_way_on_from_the_same_token() {
    let folder = folder();
    let told = folder.run_with_key(&["run", "a.ts", "--continuation", "-"], KEY);
    let asked: serde_json::Value = {
        let object = told.split_once("--- stdout\n").unwrap().1.split_once("--- stderr").unwrap().0;
        serde_json::from_str(object).unwrap()
    };
    let (run, token) = (asked["run_id"].as_str().unwrap(), asked["continuation"]["token"].as_str().unwrap());
    let id = asked["interruptions"][0]["id"].as_str().unwrap();
    assert_eq!(folder.run_with_key(&["resume", token, "--approve", id], KEY), "exit 0\n--- stdout\n1\n");
    assert!(folder.run_with_key(&["resume", token, "--deny", id], KEY).starts_with("exit 1\n"));
    let state = |file: &str| folder.run_with_key(&["inspect", &format!("{run}{file}")], KEY);
    assert!(state(".imt").contains("completed\n"), "{}", state(".imt"));
    assert!(state(".2.imt").contains("failed\n"), "{}", state(".2.imt"));
}
