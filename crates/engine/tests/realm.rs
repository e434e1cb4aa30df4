//! Runs each script of tests/realm in the full realm: it throws where something is wrong, and gives the number of its checks.

mod common;

use common::{drive, engine, start};
use intermission_engine::{FunctionTable, Start};

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
        let start_with = Start { functions: &functions, name: &name, ..Start::function_body(&text) };
        let ran = drive(start(&engine, start_with));
        let ended = ran.end.as_ref().unwrap_or_else(|stop| panic!("{name}: {stop}"));
        if let Err(thrown) = &ended.result {
            panic!("{name}: {:?} {:?} {:?}", thrown.name, thrown.message, thrown.frames);
        }
        assert!(ran.value().as_f64().unwrap() > 0.0, "{name} checked nothing");
    }
}
