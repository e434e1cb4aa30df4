//! The command that goes on, as `run` and `resume` print it.

use insta::assert_snapshot;

use crate::durable::{LETTER, folder};
use crate::names::anonymous;

#[test]
fn the_printed_command_has_the_settings_that_the_run_was_given() {
    let folder = folder(LETTER);
    std::fs::create_dir(folder.path("my lib")).unwrap();
    let run = ["run", "a.ts", "--modules", "my lib", "--strict", "--memory", "128MiB", "--limit", "calls=7"];
    let output = folder.command(&run).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    let settings = " --modules 'my lib' --strict --limit memory=134217728 --limit calls=7";
    assert!(told.ends_with(&format!("{settings}`\n")), "{told}");
    let id = folder.inbox().remove(0);
    let resume = ["resume", "latest", "--deny", &id, "--modules", "my lib", "--strict"];
    assert_eq!(folder.command(&resume).output().unwrap().status.code(), Some(1));
}

#[test]
fn a_run_that_has_failed_by_its_own_fault_is_printed_no_command() {
    let folder = folder("await mail.send({ to: 'ada' }); clerk.ask(); return 5");
    folder.run(&["run", "a.ts"]);
    let id = folder.inbox().remove(0);
    assert!(folder.run(&["resume", "latest", "--approve", &id, "--strict"]).contains("DETACHED_CALL"));
    // Not strict itself, it has the store's word.
    let told = anonymous(&folder.run(&["resume", "latest"]));
    assert_snapshot!(told, @r"
    exit 1
    --- stderr
    error[DETACHED_CALLS]: the script ended without waiting for clerk.ask (1:39): await every call, or allow detached calls
    ");
}

#[test]
fn limits_that_are_too_low_are_not_in_the_printed_command() {
    let folder = folder("for (let i = 0; i < 3e6; i++); return await mail.send({ to: 'ada' })");
    folder.run(&["run", "a.ts"]);
    let id = folder.inbox().remove(0);
    let resume = ["resume", "latest", "--approve", &id, "--cpu", "1ms", "--deadline", "20s"];
    let told = anonymous(&folder.run(&resume));
    assert!(told.contains("error[LIMIT_TOO_LOW]"), "{told}");
    assert!(told.ends_with("go on with `intermission resume [run 1]`\n"), "{told}");
}

#[test]
fn a_limit_that_has_stopped_the_run_is_not_in_the_printed_command() {
    let folder = folder("for (;;) {}");
    let output = folder.command(&["run", "a.ts", "--fuel", "1000", "--cpu", "5s"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.ends_with(" --limit cpu=5000ms`\n"), "{told}");
}

#[test]
fn the_key_of_an_event_makes_no_line_of_its_own() {
    let folder = folder("await waitFor('a\\n\\x1b[31mput away: b')");
    let told = anonymous(&folder.run(&["run", "a.ts"]));
    assert_snapshot!(told.split_once("--- stderr\n").unwrap().1, @r"
    put away: the run waits for the event a\n\u{1b}[31mput away: b. `intermission emit [run 1] KEY JSON` emits it; go on with `intermission resume [run 1]`
    ");
}
