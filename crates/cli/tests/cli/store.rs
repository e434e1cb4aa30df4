//! The store: where it is, what is in it, and how its runs are named.

use std::os::unix::fs::PermissionsExt;

use insta::assert_snapshot;

use crate::durable::{LETTER, folder};
use crate::names::anonymous;
use crate::steady::steady;

#[test]
fn a_run_is_kept_for_its_owner_alone_and_for_no_repository() {
    let folder = folder("return 1 + 1");
    assert_snapshot!(folder.run(&["run", "a.ts"]), @r#"
    exit 0
    --- stdout
    2
    "#);
    assert_snapshot!(steady(&folder.run(&["runs"])), @r#"
    exit 0
    --- stdout
    RUN  STATE  AGE  SCRIPT
    [run 1]  completed  [length]  a.ts  2
    "#);
    assert_eq!(std::fs::read_to_string(folder.path(".intermission/.gitignore")).unwrap(), "*\n");
    let mode = |name: &str| std::fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(".intermission"), mode(".intermission/runs.db")), (0o700, 0o600));
}

#[test]
fn a_store_has_a_place_of_its_own_where_it_is_named() {
    let folder = folder(LETTER);
    let told = anonymous(&folder.run(&["run", "a.ts", "--store", "kept/of ada.db"]));
    assert!(told.ends_with("put away: mail.send asks. Go on with `intermission resume [run 1] --approve [int 1] --store 'kept/of ada.db'`\n"), "{told}");
    assert!(!folder.path(".intermission").exists());
    assert_snapshot!(anonymous(&folder.run(&["resume", "latest", "--store", "kept/of ada.db", "--no-ask", "--report"])).lines().take(3).collect::<Vec<_>>().join("\n"), @r#"
    exit 75
    --- stdout
    {
    "#);
}

#[test]
fn an_ephemeral_run_is_in_no_store() {
    let folder = folder(LETTER);
    folder.run(&["run", "a.ts", "--ephemeral"]);
    folder.run(&["run", "a.ts", "--continuation", "a.imt"]);
    assert!(!folder.path(".intermission").exists());
    assert_snapshot!(folder.run(&["run", "a.ts", "--ephemeral", "--store", "b.db"]), @r#"
    exit 2
    --- stderr
    error: the argument '--ephemeral' cannot be used with '--store <FILE>'

    Usage: intermission run --ephemeral <SCRIPT>

    For more information, try '--help'.
    "#);
    assert_snapshot!(folder.run(&["run", "a.ts", "--continuation", "b.imt", "--store", "b.db"]), @r#"
    exit 2
    --- stderr
    error[NOT_OF_STORE]: --store and --continuation are two places, and a run is kept in one
     |
     = help: leave one of them out
    "#);
    folder.run(&["run", "a.ts"]);
    assert_snapshot!(folder.run(&["resume", "latest", "--continuation", "b.imt"]), @r#"
    exit 2
    --- stderr
    error[NOT_OF_STORE]: --continuation is for continuations, and latest is a run of the store
     |
     = help: leave it out, or give the file of a continuation
    "#);
}

#[test]
fn where_no_store_can_be_made_nothing_runs() {
    let folder = folder("await mail.send(1)");
    folder.write(".intermission", b"");
    assert_snapshot!(folder.run(&["run", "a.ts"]), @r#"
    exit 2
    --- stderr
    error[STORE_UNREACHABLE]: .intermission/runs.db: it cannot be opened: File exists (os error 17)
     |
     = help: name another place with `--store FILE`; `run --ephemeral` keeps no run in a store
    "#);
    folder.write("text.db", b"this is no database at all, though it is long enough to be looked at as one.");
    assert_snapshot!(folder.run(&["runs", "--store", "text.db"]), @r#"
    exit 2
    --- stderr
    error[STORE_NOT_A_STORE]: text.db: this is no store of runs: give another file
    "#);
}

#[test]
fn a_store_that_others_may_have_written_is_not_opened() {
    let folder = folder("return 1");
    folder.run(&["run", "a.ts"]);
    let set = |name: &str, mode| {
        std::fs::set_permissions(folder.path(name), PermissionsExt::from_mode(mode)).unwrap();
    };
    set(".intermission/runs.db", 0o620);
    assert_snapshot!(folder.run(&["runs"]), @r#"
    exit 2
    --- stderr
    error[STORE_UNTRUSTED]: the store is not to be trusted: others than its owner can write .intermission/runs.db
     |
     = help: if you trust what is in it: `chmod go-w .intermission/runs.db`; else name a place in a folder of your own with `--store FILE`
    "#);
    set(".intermission/runs.db", 0o600);
    set(".intermission", 0o777);
    let told = folder.run(&["run", "a.ts"]);
    assert!(told.contains("error[STORE_UNTRUSTED]") && told.contains("can write .intermission\n"), "{told}");
    set(".intermission", 0o700);
    std::os::unix::fs::symlink(".intermission/runs.db", folder.path("file.db")).unwrap();
    std::os::unix::fs::symlink(".intermission", folder.path("linked")).unwrap();
    std::os::unix::fs::symlink("nowhere.db", folder.path("dangling.db")).unwrap();
    for (store, link) in [
        ("file.db", "file.db"),
        ("linked/runs.db", "linked"),
        ("linked/new.db", "linked"),
        ("dangling.db", "dangling.db"),
    ] {
        let told = folder.run(&["run", "a.ts", "--store", store]);
        let why = format!("error[STORE_UNTRUSTED]: the store is not to be trusted: {link} is a link: ");
        assert!(told.starts_with(&format!("exit 2\n--- stderr\n{why}")), "{told}");
    }
    assert!(!folder.path("nowhere.db").exists() && !folder.path(".intermission/new.db").exists());
    assert_eq!(folder.states(), ["completed"]);
}

#[test]
fn that_others_can_read_a_store_is_said() {
    let folder = folder("return 1");
    folder.run(&["run", "a.ts"]);
    for (name, mode) in [(".intermission/runs.db", 0o644), (".intermission", 0o755)] {
        std::fs::set_permissions(folder.path(name), PermissionsExt::from_mode(mode)).unwrap();
    }
    assert_snapshot!(folder.run(&["resume", "latest"]), @r#"
    exit 0
    --- stdout
    1
    --- stderr
    warning[STORE_READABLE]: others can read .intermission/runs.db, and in it what its runs were told
     |
     = help: `chmod go-rwx .intermission/runs.db`
    "#);
    let told = folder.run(&["doctor"]);
    assert!(told.contains("warn  store          others can read .intermission/runs.db, and"), "{told}");
}

#[test]
fn what_is_no_script_is_not_kept() {
    let folder = folder("return return");
    assert_snapshot!(folder.run(&["run", "a.ts"]), @r#"
    exit 3
    --- stderr
    error[SOURCE_SYNTAX]: Unexpected token
     --> a.ts:1:8
      |
    1 | return return
      |        ^^^^^^
    "#);
    assert!(!folder.path(".intermission").exists());
}

#[test]
fn a_run_is_named_by_its_id_or_the_beginning_of_it() {
    let folder = folder("return 7");
    assert_snapshot!(folder.run(&["show", "latest"]), @r#"
    exit 2
    --- stderr
    error[NO_STORE]: there is no store of runs at .intermission/runs.db
     |
     = help: `intermission run` makes one in the working directory; another is named with `--store`
    "#);
    folder.run(&["run", "a.ts"]);
    let run = folder.newest();
    assert_eq!(folder.run(&["resume", &run]), "exit 0\n--- stdout\n7\n");
    assert_eq!(folder.run(&["resume", &run[..12]]), "exit 0\n--- stdout\n7\n");
    assert_snapshot!(folder.run(&["resume", "run_zz"]), @r#"
    exit 2
    --- stderr
    error[RUN_UNKNOWN]: there is no run `run_zz` in the store
     |
     = help: `intermission runs` lists them
    "#);
    assert_snapshot!(folder.run(&["show", "a.imt"]), @r#"
    exit 2
    --- stderr
    error: invalid value 'a.imt' for '<RUN>': expected the id of a run, the beginning of one (`run_...`), or `latest`

    For more information, try '--help'.
    "#);
    let told = folder.run(&["cancel", &run[..9]]);
    let why = format!(
        "error[RUN_AMBIGUOUS]: `{}` is hardly an id: at least 6 characters behind `run_` say which run is meant",
        &run[..9]
    );
    assert!(told.starts_with(&format!("exit 2\n--- stderr\n{why}\n")), "{told}");
    folder.run(&["run", "a.ts"]);
    assert_snapshot!(anonymous(&folder.run(&["resume", "run_"])), @r#"
    exit 2
    --- stderr
    error[RUN_AMBIGUOUS]: `run_` can mean 2 runs
     |
     = help: there are: `[run 1]`, `[run 2]`
    "#);
}
