//! `intermission doctor`.

use insta::assert_snapshot;

use crate::durable::folder;
use crate::folder::Folder;

#[test]
fn what_is_in_order_is_said_to_be() {
    let folder = folder("return 1");
    assert_snapshot!(folder.run(&["doctor"]), @r#"
    exit 0
    --- stdout
    ok    version        intermission 0.1.0
    ok    store          there is none at .intermission/runs.db yet
                         `intermission run` makes one
    ok    configuration  in order, 3 host functions
    ok    key            there is none: continuations in files are not protected
    "#);
    folder.run(&["run", "a.ts"]);
    assert_snapshot!(folder.run(&["doctor"]), @r#"
    exit 0
    --- stdout
    ok    version        intermission 0.1.0
    ok    store          .intermission/runs.db is in order
    ok    configuration  in order, 3 host functions
    ok    key            there is none: continuations in files are not protected
    "#);
    assert_snapshot!(Folder::with(&[]).run(&["doctor"]), @r#"
    exit 0
    --- stdout
    ok    version        intermission 0.1.0
    ok    store          there is none at .intermission/runs.db yet
                         `intermission run` makes one
    ok    configuration  there is none: scripts are lent nothing
                         write `intermission.toml`; docs/configuration.md has every key
    ok    key            there is none: continuations in files are not protected
    "#);
}

#[test]
fn what_is_missing_is_said_with_what_to_do() {
    let config = r#"
[functions.one]
command = ["no-such-program-anywhere"]

[functions.two]
command = ["cat"]
env = ["NO_SUCH_VARIABLE_ANYWHERE"]

[functions.three]
http = { url = "http://127.0.0.1:1/", headers = { authorization = "Bearer $NO_SUCH_SECRET_ANYWHERE" } }
"#;
    let folder = Folder::with(&[("intermission.toml", config)]);
    folder.write("runs.db", b"this is no database at all, though it is long enough to be looked at as one.");
    assert_snapshot!(folder.run(&["doctor", "--store", "runs.db"]), @r#"
    exit 1
    --- stdout
    ok    version        intermission 0.1.0
    warn  store          others can read runs.db, and in it what its runs were told
                         `chmod go-rwx runs.db`
    fail  store          runs.db: this is no store of runs: give another file [STORE_NOT_A_STORE]
    fail  configuration  one: there is no program no-such-program-anywhere
                         install it, or put its folder into PATH
    warn  configuration  two: its program is not handed NO_SUCH_VARIABLE_ANYWHERE, which the environment has not
                         set it if it is needed: `export NO_SUCH_VARIABLE_ANYWHERE=...`
    fail  configuration  three: the environment has no variable NO_SUCH_SECRET_ANYWHERE
                         set it: `export NO_SUCH_SECRET_ANYWHERE=...`
    ok    key            there is none: continuations in files are not protected
    "#);
}

#[test]
fn a_mistake_in_the_configuration_has_its_place() {
    let folder = Folder::with(&[("intermission.toml", "strikt = true\n")]);
    assert_snapshot!(folder.run(&["doctor", "--json"]), @r#"
    exit 1
    --- stdout
    [
      {
        "check": "version",
        "status": "ok",
        "message": "intermission 0.1.0",
        "hint": null
      },
      {
        "check": "store",
        "status": "ok",
        "message": "there is none at .intermission/runs.db yet",
        "hint": "`intermission run` makes one"
      },
      {
        "check": "configuration",
        "status": "fail",
        "message": "intermission.toml:1:1: there is no setting `strikt` [CONFIG_UNKNOWN_KEY]",
        "hint": "did you mean `strict`?"
      }
    ]
    "#);
}

#[test]
fn a_run_that_nobody_goes_on_with_is_found() {
    let folder = folder("return await mail.send(1)");
    folder.run(&["run", "a.ts"]);
    folder.run(&["inbox", "--approve", &folder.inbox().remove(0)]);
    let told = crate::names::anonymous(&folder.run(&["doctor"]));
    assert_snapshot!(told.lines().filter(|line| line.starts_with("warn")).collect::<Vec<_>>().join("\n"), @r#"
    warn  runs           1 can go on, and nobody goes on with them, [run 1] among them
    "#);
}

#[test]
fn a_folder_in_which_no_store_would_be_made_is_found() {
    let folder = folder("return 1");
    std::fs::create_dir(folder.path(".intermission")).unwrap();
    let open_to_all = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    std::fs::set_permissions(folder.path(".intermission"), open_to_all).unwrap();
    assert_snapshot!(folder.run(&["doctor"]), @r"
    exit 1
    --- stdout
    ok    version        intermission 0.1.0
    fail  store          the store is not to be trusted: others than its owner can write .intermission [STORE_UNTRUSTED]
                         if you trust what is in it: `chmod go-w .intermission`; else name a place in a folder of your own with `--store FILE`
    ok    configuration  in order, 3 host functions
    ok    key            there is none: continuations in files are not protected
    ");
}
