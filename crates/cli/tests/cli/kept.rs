//! Where continuations are, and whom they are taken from.

use std::os::unix::fs::PermissionsExt;

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
    let told = folder.run(&["run", "a.ts"]);
    assert_snapshot!(anonymous(&told), @"");
    let files: Vec<_> = std::fs::read_dir(folder.path("")).unwrap().map(|file| file.unwrap().file_name()).collect();
    let name = files.iter().find_map(|file| file.to_str().filter(|name| name.ends_with(".imt"))).unwrap();
    assert_eq!(mode(&folder, name), 0o600);
    assert!(told.contains(&format!("intermission resume {name} --approve")));
}

#[test]
fn no_file_is_ever_overwritten_and_nothing_runs_where_it_would_be() {
    let folder = folder();
    folder.write("a.imt", b"mine");
    assert_snapshot!(folder.run(&["run", "a.ts", "--continuation", "a.imt"]), @"");
    assert_snapshot!(folder.run(&["run", "a.ts", "--continuation", "no/a.imt"]), @"");
    assert_eq!(std::fs::read(folder.path("a.imt")).unwrap(), b"mine");
}

#[test]
fn without_a_key_nothing_is_printed_but_where_the_risk_is_taken() {
    let folder = folder();
    assert_snapshot!(folder.run(&["run", "a.ts", "--continuation", "-"]), @"");
    assert_snapshot!(anonymous(&folder.run(&["run", "a.ts", "--continuation", "-", "--unprotected"])), @"");
}

#[test]
fn an_unprotected_continuation_is_taken_from_a_file_of_ones_own_only() {
    let folder = folder();
    folder.run(&["run", "a.ts", "--continuation", "a.imt"]);
    let token = std::fs::read_to_string(folder.path("a.imt")).unwrap();
    assert_snapshot!(folder.run(&["inspect", token.trim()]), @"");
    assert_snapshot!(folder.run_with_input(&["inspect", "-"], token.as_bytes()), @"");
    assert_snapshot!(folder.run_with_key(&["inspect", "a.imt"], KEY), @"");
    assert!(folder.run_with_input(&["inspect", "-", "--unprotected"], token.as_bytes()).starts_with("exit 0"));
    std::fs::set_permissions(folder.path("a.imt"), PermissionsExt::from_mode(0o620)).unwrap();
    assert_snapshot!(folder.run(&["inspect", "a.imt"]), @"");
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
    assert_snapshot!(told.join("\n"), @"");
}

#[test]
fn keys_come_from_the_file_that_the_configuration_names() {
    let folder = folder();
    folder.write("intermission.toml", format!("key_file = \"keys/main\"\n{CONFIG}").as_bytes());
    assert_snapshot!(folder.run(&["run", "a.ts"]), @"");
    folder.write("keys/main", KEY.as_bytes());
    assert_snapshot!(anonymous(&folder.run(&["run", "a.ts", "--continuation", "a.imt"])), @"");
    folder.write("keys/main", b"k1:short");
    assert_snapshot!(folder.run(&["inspect", "a.imt"]), @"");
}

#[test]
fn a_resumed_token_goes_into_a_file_of_the_runs_name() {
    let folder = folder();
    folder.run_with_key(&["run", "a.ts", "--continuation", "a.imt"], KEY);
    let token = std::fs::read_to_string(folder.path("a.imt")).unwrap();
    let told = folder.run_with_key(&["resume", token.trim()], KEY);
    assert_snapshot!(anonymous(&told), @"");
    // Again: the file is the run's own.
    assert_eq!(folder.run_with_key(&["resume", token.trim()], KEY), told);
}

#[test]
fn a_run_that_fails_is_kept_where_that_is_asked_for() {
    let folder = folder();
    folder.write("a.ts", b"throw new Error('no')");
    assert_snapshot!(anonymous(&folder.run(&["run", "a.ts", "--continuation", "a.imt"])), @"");
    assert_eq!(mode(&folder, "a.imt"), 0o600);
}
