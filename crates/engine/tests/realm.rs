//! Runs each script of tests/realm in the full realm: it throws where something is wrong, and gives the number of its checks.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{drive, engine, started};
use intermission_engine::{FunctionTable, Profile, SandboxLimits, Start};

#[test]
fn the_realm_is_as_its_scripts_say() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/realm");
    let mut scripts: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    scripts.sort();
    assert!(scripts.len() > 10, "there are only {} scripts", scripts.len());
    let engine = engine();
    let functions = FunctionTable::new([("t.echo", false)].into_iter());
    for script in scripts {
        let name = script.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&script).unwrap();
        let limits = SandboxLimits { console: 16 << 20, ..SandboxLimits::default() };
        let start_with = Start { functions: &functions, name: &name, limits, ..Start::function_body(&text) };
        let ran = drive(started(&engine, start_with));
        let ended = ran.end.as_ref().unwrap_or_else(|stop| panic!("{name}: {stop}"));
        if let Err(thrown) = &ended.result {
            panic!("{name}: {:?} {:?} {:?}", thrown.name, thrown.message, thrown.frames);
        }
        assert!(ran.value().as_f64().unwrap() > 0.0, "{name} checked nothing");
    }
}

#[test]
fn the_bare_realm_has_no_more_globals_than_its_script_says() {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bare/globals.js")).unwrap();
    let bare = Start { profile: Profile::Bare, ..Start::function_body(&text) };
    let ran = drive(started(&engine(), bare));
    assert!(ran.value().as_f64().unwrap() > 0.0);
}

#[test]
fn the_console_prints_what_node_prints() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/console");
    let mut compared = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let script = entry.unwrap().path();
        if script.extension().is_none_or(|extension| extension != "js") {
            continue;
        }
        let text = std::fs::read_to_string(&script).unwrap();
        let ran = drive(started(&engine(), Start::function_body(&text)));
        assert!(ran.end.is_ok(), "{}: {:?}", script.display(), ran.end);
        let printed: String = ran.text().iter().flat_map(|line| [line, "\n"]).collect();
        let expected = std::fs::read_to_string(script.with_extension("txt")).unwrap();
        assert_eq!(printed, expected, "{}", script.display());
        compared += 1;
    }
    assert!(compared > 0);
}
