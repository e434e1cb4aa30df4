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

const SCRIPT: &str = "console.log('hello');\nconst a = await t.echo({ n: 1 });\nconst b = await t.send(a);\nreturn [a, b]";

fn put_away() -> Folder {
    let folder = Folder::with(&[("intermission.toml", CONFIG), ("a.ts", SCRIPT)]);
    folder.run(&["run", "a.ts", "--continuation", "a.imt"]);
    folder
}

fn calls(folder: &Folder) -> String {
    std::fs::read_to_string(folder.path("calls.log")).unwrap_or_default()
}

#[test]
fn an_inspection_shows_what_is_asked_and_what_was_done() {
    let folder = put_away();
    assert_snapshot!(anonymous(&folder.run(&["inspect", "a.imt", "--entries"])), @"");
    assert_snapshot!(anonymous(&folder.run(&["inspect", "a.imt", "--json"])), @"");
}

#[test]
fn a_replay_invokes_nothing_and_says_how_far_the_run_is() {
    let folder = put_away();
    let before = std::fs::read(folder.path("a.imt")).unwrap();
    assert_snapshot!(anonymous(&folder.run(&["replay", "a.imt"])), @"");
    assert_eq!(calls(&folder), "echo\n");
    assert_eq!(std::fs::read(folder.path("a.imt")).unwrap(), before);
    let id = folder.first_id();
    folder.run(&["resume", "a.imt", "--approve", &id]);
    assert_snapshot!(anonymous(&folder.run(&["replay", "a.imt", "--json"])), @"");
    assert_eq!(calls(&folder), "echo\nsend\n");
}

#[test]
fn a_replay_of_another_script_shows_where_it_differs() {
    let folder = put_away();
    folder.write("b.ts", SCRIPT.replace("n: 1", "n: 2").as_bytes());
    assert_snapshot!(anonymous(&folder.run(&["replay", "a.imt", "--source", "b.ts"])), @"");
    assert_snapshot!(anonymous(&folder.run(&["replay", "a.imt", "--source", "b.ts", "--json"])), @"");
    folder.write("c.ts", SCRIPT.replace("return [a, b]", "return { a, b }").as_bytes());
    assert!(folder.run(&["replay", "a.imt", "--source", "c.ts"]).starts_with("exit 0\n"));
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
    assert_snapshot!(anonymous(&folder.run(&["fork", "a.imt", "--at", &at, "--continuation", "b.imt"])), @"");
    std::fs::rename(folder.path("b.imt"), folder.path("a.imt")).unwrap();
    assert_ne!(folder.first_id(), id);
    let approve = folder.first_id();
    assert!(folder.run(&["resume", "a.imt", "--approve", &approve]).starts_with("exit 0\n"));
    assert_eq!(calls(&folder), "echo\nsend\nsend\n");
}

#[test]
fn a_fork_where_there_is_nothing_is_refused() {
    let folder = put_away();
    assert_snapshot!(folder.run(&["fork", "a.imt", "--at", "0"]), @"");
    assert_snapshot!(folder.run(&["fork", "a.imt", "--at", "99"]), @"");
}
