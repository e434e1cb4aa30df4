//! Host functions that ask, and what they are told.

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
    assert_snapshot!(anonymous(&told), @"");
    let id = folder.first_id();
    assert_snapshot!(anonymous(&folder.run(&["resume", "a.imt", "--answer", &format!("{id}={{\"ok\": true}}")])), @"");
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
    let folder = Folder::with(&[("intermission.toml", config), ("a.ts", "return await f()")]);
    let told = folder.run(&["run", "a.ts"]);
    assert_snapshot!(anonymous(&told), @"");
}

#[test]
fn exit_status_75_without_a_question_is_a_failure() {
    let outcome = |answer: &str| {
        let config = format!("[functions.f]\ncommand = [\"sh\", \"-c\", '''{answer}''']");
        let script = "try { return await f() } catch (e) { return [e.code, e.message] }";
        let folder = Folder::with(&[("intermission.toml", &config), ("a.ts", script)]);
        folder.run(&["run", "a.ts"])
    };
    assert_snapshot!(outcome("echo 'try later' >&2; exit 75"), @"");
    assert_snapshot!(outcome("echo '{\"question\": 1}'; exit 75"), @"");
}

#[test]
fn a_program_knows_the_call_by_its_environment() {
    let config = "[functions.\"g.f\"]\ncommand = [\"sh\", \"-c\", 'env | grep ^INTERMISSION | sort | sed s/.*/\\\"\\&\\\"/ | paste -sd, | sed \"s/.*/[&]/\"']";
    let folder = Folder::with(&[("intermission.toml", config), ("a.ts", "await g.f(); return await g.f()")]);
    // The key of continuations is none of a program's business.
    assert_snapshot!(anonymous(&folder.run_with_key(&["run", "a.ts"], KEY)), @"");
}

#[test]
fn an_approval_is_asked_before_the_program_is_started() {
    let config = "[functions.f]\napproval = true\ncommand = [\"sh\", \"-c\", 'cat; echo ran >> ran.log']";
    let (folder, told) = put_away(config, "return await f({ to: 'a' })");
    assert_snapshot!(anonymous(&told), @"");
    assert!(!folder.path("ran.log").exists());
    let id = folder.first_id();
    assert_snapshot!(anonymous(&folder.run(&["resume", "a.imt", "--approve", &id])), @"");
    assert_eq!(std::fs::read_to_string(folder.path("ran.log")).unwrap(), "ran\n");
    assert_snapshot!(anonymous(&folder.run(&["resume", "a.imt"])), @"");
    assert_eq!(std::fs::read_to_string(folder.path("ran.log")).unwrap(), "ran\n");
}

#[test]
fn a_blocking_function_cannot_need_approval_and_cannot_ask() {
    let both = "[functions.f]\napproval = true\nblocking = true\ncommand = [\"true\"]";
    let folder = Folder::with(&[("intermission.toml", both), ("a.ts", "return f()")]);
    assert_snapshot!(folder.run(&["run", "a.ts"]), @"");
    let asks = "[functions.f]\nblocking = true\ncommand = [\"sh\", \"-c\", 'echo {\\\"payload\\\":1}; exit 75']";
    folder.write("intermission.toml", asks.as_bytes());
    assert_snapshot!(folder.run(&["run", "a.ts"]), @"");
}
