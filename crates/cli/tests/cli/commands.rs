//! Host functions that programs answer.

use std::io::Read;
use std::process::Command;

use crate::folder::Folder;
use crate::names::anonymous;
use insta::assert_snapshot;

/// A configuration with a function `f` that `sh` answers, and further settings of it.
fn shell(script: &str, settings: &str) -> String {
    format!("[functions.f]\ncommand = [\"sh\", \"-c\", '''{script}''']\n{settings}")
}

fn run(config: &str, script: &str, arguments: &[&str]) -> String {
    let folder = Folder::with(&[("intermission.toml", config), ("a.ts", script)]);
    anonymous(&folder.run(&[&["run", "a.ts"], arguments].concat()))
}

/// What the script sees of `f()`: its value, or name, code and message of its error.
fn outcome(answer: &str, settings: &str) -> String {
    let script =
        "try { return [await f({ a: 1 })] } catch (e: any) { return `${e.name} ${e.code} ${e.message}` }";
    run(&shell(answer, settings), script, &[])
}

#[test]
fn a_program_gets_the_argument_and_its_output_is_the_value() {
    assert_snapshot!(run(&shell("cat", ""), "return [await f({ a: [1, 'é'] }), await f()]", &[]), @r#"
    exit 0
    --- stdout
    [
      {
        "a": [
          1,
          "é"
        ]
      },
      null
    ]
    "#);
}

#[test]
fn no_output_is_undefined() {
    assert_snapshot!(run(&shell("cat >/dev/null", ""), "return typeof await f(1)", &[]), @r#"
    exit 0
    --- stdout
    "undefined"
    "#);
}

#[test]
fn a_program_need_not_read_its_argument() {
    assert_snapshot!(run(&shell("echo 7", ""), "return f('x'.repeat(1e6))", &[]), @r#"
    exit 0
    --- stdout
    7
    "#);
}

#[test]
fn a_blocking_function_returns_the_value_itself() {
    assert_snapshot!(run(&shell("echo 7", "blocking = true"), "return f() + 1", &[]), @r#"
    exit 0
    --- stdout
    8
    "#);
}

#[test]
fn a_program_gets_path_and_what_the_configuration_names_of_the_environment() {
    let print = "printf '\"%s|%s|%s\"' \"$TOKEN\" \"$HOME\" \"${PATH:+path}\"";
    assert_snapshot!(run(&shell(print, "env = [\"TOKEN\"]"), "return f()", &[]), @r#"
    exit 0
    --- stdout
    "t0p-secret||path"
    "#);
}

#[test]
fn programs_and_folders_are_relative_to_the_configuration() {
    let folder = Folder::with(&[
        ("etc/c.toml", "[functions.f]\ncommand = [\"./f.sh\"]\ncwd = \"sub\""),
        ("etc/f.sh", "#!/bin/sh\nprintf '\"%s\"' \"$(pwd -P)\"\n"),
        ("etc/sub/x", ""),
        ("a.js", "return f()"),
    ]);
    Command::new("chmod").arg("+x").arg(folder.path("etc/f.sh")).status().unwrap();
    assert_snapshot!(folder.run(&["run", "a.js", "--config", "etc/c.toml"]), @r#"
    exit 0
    --- stdout
    "[folder]/etc/sub"
    "#);
}

#[test]
fn schemas_are_checked_before_and_after() {
    let settings =
        "input_schema = { type = \"object\", required = [\"a\"] }\noutput_schema = { type = \"string\" }";
    assert_snapshot!(run(&shell("echo 7", settings), "return f({ b: 1 })", &[]), @r#"
    exit 1
    --- stderr
    error[SCRIPT_ERROR]: TypeError: f was called with what does not fit its schema: "a" is a required property
     --> a.ts:1:8
      |
    1 | return f({ b: 1 })
      |        ^
      |
      = help: `intermission types` prints what host functions take
    kept: what happened is in [run 1]; `intermission resume [run 1] --retry` makes the failed call again
    "#);
    assert_snapshot!(run(&shell("echo 7", settings), "return f({ a: 1 })", &[]), @r#"
    exit 1
    --- stderr
    error[SCRIPT_ERROR]: Error: f returned what does not fit its schema: 7 is not of type "string"
     --> a.ts:1:8
      |
    1 | return f({ a: 1 })
      |        ^
    kept: what happened is in [run 1]; `intermission resume [run 1] --retry` makes the failed call again
    "#);
}

#[test]
fn a_program_that_fails_is_a_rejection_with_the_end_of_its_complaint() {
    assert_snapshot!(outcome("for i in 1 2 3 4 5 6; do echo \"line $i\" >&2; done; exit 3", ""), @r#"
    exit 0
    --- stdout
    "Error HOST_FAILED f: it failed (exit status: 3): line 2\nline 3\nline 4\nline 5\nline 6"
    "#);
}

#[test]
fn a_failure_that_nothing_catches_fails_the_run() {
    assert_snapshot!(run(&shell("echo 'no such user' >&2; exit 1", ""), "const user =\n  await f(7);\nreturn user", &[]), @r#"
    exit 1
    --- stderr
    error[SCRIPT_ERROR]: Error: f: it failed (exit status: 1): no such user
     --> a.ts:2:9
      |
    2 |   await f(7);
      |         ^
    kept: what happened is in [run 1]; `intermission resume [run 1] --retry` makes the failed call again
    "#);
}

#[test]
fn a_program_that_is_killed_is_a_rejection() {
    assert_snapshot!(outcome("kill -9 $$", ""), @r#"
    exit 0
    --- stdout
    "Error HOST_KILLED f: it was killed (signal: 9 (SIGKILL))"
    "#);
}

#[test]
fn garbage_is_a_rejection_with_its_beginning() {
    assert_snapshot!(outcome("echo 'Traceback: boom'", ""), @r#"
    exit 0
    --- stdout
    "Error HOST_OUTPUT_NOT_JSON f: its answer is not JSON (expected value at line 1 column 1): Traceback: boom"
    "#);
}

#[test]
fn too_much_output_is_a_rejection_and_the_program_is_killed() {
    let script = "try { await f() } catch (e: any) { return e.code + ' ' + e.message }";
    assert_snapshot!(run(&shell("yes", ""), script, &["--limit", "output=1000"]), @r#"
    exit 0
    --- stdout
    "HOST_OUTPUT_TOO_LARGE f: it answered more than 1000 bytes, which is the limit `output`"
    "#);
}

#[test]
fn an_answer_that_is_larger_as_a_value_is_a_limit() {
    let script = "return f().then(() => 0, () => 1)";
    assert_snapshot!(run(&shell("echo [0.1,0.1,0.1]", ""), script, &["--limit", "output=20"]), @r#"
    exit 4
    --- stderr
    error[LIMIT_OUTPUT]: the limit `output` is exhausted: 21 of 20 bytes
     |
     = help: allow more with `--limit output=...`
    kept: what happened is in [run 1]; go on with `intermission resume [run 1]`
    "#);
}

#[test]
fn a_program_that_never_answers_is_timed_out() {
    assert_snapshot!(outcome("sleep 1000", "timeout = \"50ms\""), @r#"
    exit 0
    --- stdout
    "Error HOST_TIMED_OUT f: it did not answer within 50ms"
    "#);
}

#[test]
fn without_a_timeout_the_deadline_ends_the_run() {
    let told =
        run(&shell("sleep 1000", ""), "try { await f() } catch { return 1 }", &["--deadline", "300ms"]);
    let (before, after) = told.split_once("exhausted: ").unwrap();
    let (used, after) = after.split_once(" of ").unwrap();
    assert!(used.parse::<u32>().unwrap() >= 300);
    assert_snapshot!(format!("{before}exhausted: [used] of {after}"), @r#"
    exit 4
    --- stderr
    error[LIMIT_DEADLINE]: the limit `deadline` is exhausted: [used] of 300 ms
     |
     = help: a host function took long, or the script waits for a timer; allow more with `--deadline 1m`
    kept: what happened is in [run 1]; go on with `intermission resume [run 1]`
    "#);
}

#[test]
fn a_program_that_is_not_there_is_a_rejection() {
    let config = "[functions.f]\ncommand = [\"no-such-program-anywhere\"]";
    assert_snapshot!(run(config, "return f()", &[]), @r#"
    exit 1
    --- stderr
    error[SCRIPT_ERROR]: Error: f: it cannot be started: no-such-program-anywhere: No such file or directory (os error 2)
     --> a.ts:1:8
      |
    1 | return f()
      |        ^
    kept: what happened is in [run 1]; `intermission resume [run 1] --retry` makes the failed call again
    "#);
}

#[test]
fn a_call_that_nothing_waits_for_is_a_warning_and_in_strict_mode_an_error() {
    let config = shell("echo 1", "");
    assert_snapshot!(run(&config, "f(1);\nreturn 2", &[]), @r#"
    exit 0
    --- stdout
    2
    --- stderr
    warning[DETACHED_CALL]: the script ended without waiting for `f`, which has finished since
     --> a.ts:1:1
      |
    1 | f(1);
      | ^
      |
      = help: put `await` before the call
    "#);
    assert_snapshot!(run(&config, "f(1);\nreturn 2", &["--strict"]), @r#"
    exit 1
    --- stderr
    error[DETACHED_CALLS]: the script ended without waiting for `f`
     --> a.ts:1:1
      |
    1 | f(1);
      | ^
      |
      = help: put `await` before the call
    "#);
}

#[test]
fn calls_are_under_way_at_the_same_time() {
    // Each waits until the other is there: one after the other, they would never end.
    let folder = Folder::with(&[("a.ts", "return Promise.all([f('a'), f('b')])")]);
    let meet = "read me; me=$(echo $me | tr -d '\"'); echo >\"$me\" & cat $(echo $me | tr ab ba) >/dev/null; wait; echo 1";
    folder.write("intermission.toml", shell(meet, "").as_bytes());
    let fifos = ["a", "b"].map(|name| folder.path(name));
    Command::new("mkfifo").args(&fifos).status().unwrap();
    assert_snapshot!(folder.run(&["run", "a.ts"]), @r#"
    exit 0
    --- stdout
    [
      1,
      1
    ]
    "#);
}

/// A folder with a fifo and a function that holds it open until the last of its processes has ended.
fn folder_with_fifo(answer: &str) -> Folder {
    let folder = Folder::with(&[("a.ts", "return f()")]);
    Command::new("mkfifo").arg(folder.path("fifo")).status().unwrap();
    folder.write("intermission.toml", shell(&format!("exec 3>fifo; {answer}"), "").as_bytes());
    folder
}

/// Returns when nothing holds the fifo open any more.
fn wait_until_closed(fifo: &mut std::fs::File) {
    fifo.read_to_end(&mut Vec::new()).unwrap();
}

#[test]
fn what_a_program_leaves_running_is_ended_with_it() {
    let folder = folder_with_fifo("sleep 1000 & echo 1");
    let child = folder.command(&["run", "a.ts"]).spawn().unwrap();
    wait_until_closed(&mut std::fs::File::open(folder.path("fifo")).unwrap());
    assert_snapshot!(folder.told(&child.wait_with_output().unwrap()), @r#"
    exit 0
    --- stdout
    1
    "#);
}

#[test]
fn signals_end_the_run_and_its_programs() {
    for (signal, expected) in [("INT", "exit 130\n"), ("TERM", "exit 143\n")] {
        let folder = folder_with_fifo("sleep 1000");
        let child = folder.command(&["run", "a.ts"]).spawn().unwrap();
        // It can be opened when the program is running.
        let mut fifo = std::fs::File::open(folder.path("fifo")).unwrap();
        Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
        wait_until_closed(&mut fifo);
        let told = anonymous(&folder.told(&child.wait_with_output().unwrap()));
        let kept = "kept: what happened is in [run 1]; go on with `intermission resume [run 1]`\n";
        assert_eq!(told, format!("{expected}--- stderr\nerror[ABORTED]: the run was aborted\n{kept}"));
    }
}

#[test]
fn a_call_of_a_module_that_nothing_waits_for_is_shown_in_the_module() {
    let folder = Folder::with(&[
        ("intermission.toml", &shell("echo 1", "")),
        ("main.ts", "import { go } from './go.ts';\ngo();\nexport default 2;"),
        ("lib/go.ts", "export function go(): void {\n  f(1);\n}"),
    ]);
    assert_snapshot!(folder.run(&["run", "main.ts", "--modules", "lib"]), @r#"
    exit 0
    --- stdout
    2
    --- stderr
    warning[DETACHED_CALL]: the script ended without waiting for `f`, which has finished since
     --> lib/go.ts:2:3
      |
    2 |   f(1);
      |   ^
      |
      = help: put `await` before the call
    "#);
}
