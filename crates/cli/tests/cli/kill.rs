//! A process that is killed, or told to end, in the middle of a call.

use std::io::{BufRead, BufReader, Read};
use std::process::Command;

use insta::assert_snapshot;

use crate::folder::Folder;
use crate::names::anonymous;

/// A function that says on a pipe that it has begun, and stays, the first time.
fn folder(effect: &str) -> Folder {
    let config = format!(
        "[functions.\"shop.pay\"]\neffect = \"{effect}\"\ncommand = [\"sh\", \"-c\", 'if test -e begun; then cat; else touch begun; echo >fifo; exec sleep 1000; fi']\n"
    );
    let script = "console.log('paying'); const paid = await shop.pay(5); return paid + 1";
    let folder = Folder::with(&[("intermission.toml", &config), ("a.ts", script)]);
    assert!(Command::new("mkfifo").arg(folder.path("fifo")).status().unwrap().success());
    folder
}

/// Sends a signal to a run that is in the middle of its call.
fn run_and(folder: &Folder, signal: &str) -> String {
    let child = folder.command(&["run", "a.ts"]).spawn().unwrap();
    std::fs::read(folder.path("fifo")).unwrap();
    Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
    anonymous(&folder.told(&child.wait_with_output().unwrap()))
}

#[test]
fn a_run_that_was_told_to_end_goes_on_at_once() {
    let folder = folder("idempotent");
    assert_snapshot!(run_and(&folder, "INT"), @r#"
    exit 130
    --- stderr
    paying
    error[ABORTED]: the run was aborted
    kept: what happened is in [run 1]; go on with `intermission resume [run 1]`
    "#);
    assert_eq!(folder.states(), ["ready"]);
    assert_snapshot!(folder.run(&["resume", "latest"]), @r#"
    exit 0
    --- stdout
    6
    "#);
}

#[test]
fn a_run_whose_process_was_killed_goes_on_in_the_next() {
    let folder = folder("unsafe");
    assert_eq!(run_and(&folder, "KILL"), "exit signal: 9 (SIGKILL)\n");
    assert_eq!(folder.states(), ["running"]);
    let told = folder.run(&["resume", "latest"]);
    let waiting = "waiting for another process, which goes on with [run 1]; if it has died, for ";
    assert!(anonymous(&told).contains(waiting), "{told}");
    // Nobody knows whether it was paid.
    assert_snapshot!(anonymous(&told).lines().last().unwrap(), @r#"
    put away: shop.pay asks. Go on with `intermission resume [run 1] --happened [int 1]=JSON`; where nothing happened, with `--did-not-happen` instead
    "#);
    let id = folder.inbox().remove(0);
    assert_snapshot!(folder.run(&["resume", "latest", "--did-not-happen", &id]), @r#"
    exit 0
    --- stdout
    6
    "#);
}

#[test]
fn whoever_stops_waiting_for_another_process_is_told_that_it_goes_on() {
    let folder = folder("idempotent");
    let mut first = folder.command(&["run", "a.ts"]).spawn().unwrap();
    std::fs::read(folder.path("fifo")).unwrap();
    let mut second = folder.command(&["resume", "latest"]).spawn().unwrap();
    let mut errors = BufReader::new(second.stderr.take().unwrap());
    let mut told = String::new();
    errors.read_line(&mut told).unwrap();
    assert!(told.starts_with("waiting for another process"), "{told}");
    Command::new("kill").args(["-s", "INT", &second.id().to_string()]).status().unwrap();
    let mut told = String::new();
    errors.read_to_string(&mut told).unwrap();
    let output = second.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(130), &b""[..]));
    assert_snapshot!(anonymous(&told), @r#"
    error[ABORTED]: not waited for any longer: another process goes on with [run 1]
     |
     = help: `intermission wait [run 1]` waits for it again, `intermission cancel [run 1]` ends it for good
    "#);
    first.kill().unwrap();
    first.wait().unwrap();
}
