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
    folder.run(&["run", "a.ts"]);
    assert_snapshot!(anonymous(&folder.run(&["resume", "run_"])), @r#"
    exit 2
    --- stderr
    error[RUN_AMBIGUOUS]: `run_` can mean 2 runs
     |
     = help: there are: `[run 1]`, `[run 2]`
    "#);
}
