//! `intermission show`.

use insta::assert_snapshot;

use crate::durable::folder;
use crate::names::anonymous;
use crate::steady::steady;

#[test]
fn a_run_is_shown_call_by_call_with_who_answered() {
    let folder = folder(
        "const which = await clerk.ask({ of: 'two' });
         try { await mail.send({ to: 'ada' }) } catch {}
         await shop.pay(5)",
    );
    folder.run(&["run", "a.ts"]);
    folder.run(&["resume", "latest", "--by", "ada", &format!("--answer={}=7", folder.inbox().remove(0))]);
    assert_snapshot!(steady(&folder.run(&["show", "latest"])), @r#"
    exit 0
    --- stdout
    [run 1]: waiting
      script: a.ts
      began: [time]

    CALL  FUNCTION  ARGUMENTS  AT  TOOK  OUTCOME  ANSWERED
    1  clerk.ask  {"of":"two"}  +[length]  [length]  7  answered, 7 by ada, [time]
    2  mail.send  {"to":"ada"}  +[length]  asks  approval, open
    "#);
    let id = folder.inbox().remove(0);
    folder.run(&["resume", "latest", "--by", "bob", "--deny", &id, "--reason", "not to her"]);
    assert_snapshot!(steady(&folder.run(&["show", "latest"])), @r#"
    exit 0
    --- stdout
    [run 1]: failed
      script: a.ts
      began: [time]
      error: SCRIPT_ERROR: Error: shop.pay: it failed (exit status: 1)

    CALL  FUNCTION  ARGUMENTS  AT  TOOK  OUTCOME  ANSWERED
    1  clerk.ask  {"of":"two"}  +[length]  [length]  7  answered, 7 by ada, [time]
    2  mail.send  {"to":"ada"}  +[length]  [length]  rejected: ApprovalDenied: not to her  denied, not to her by bob, [time]
    3  shop.pay  5  +[length]  [length]  rejected: Error: shop.pay: it failed (exit statu…
    "#);
}

#[test]
fn a_run_is_an_object_for_programs() {
    let folder = folder("return await clerk.ask('x')");
    folder.run(&["run", "a.ts"]);
    folder.run(&["resume", "latest", "--by", "ada", &format!("--answer={}=7", folder.inbox().remove(0))]);
    let told = folder.run(&["show", "latest", "--json"]);
    let shown: serde_json::Value = serde_json::from_str(told.split_once("stdout\n").unwrap().1).unwrap();
    let call = &shown["calls"][0];
    assert_eq!((&shown["state"], &shown["value"]), (&"completed".into(), &7.into()));
    assert_eq!((&call["host_function"], &call["arguments"][0]), (&"clerk.ask".into(), &"x".into()));
    assert_eq!(call["outcome"]["fulfilled"], 7);
    assert_eq!(call["questions"][0]["answer"]["by"], "ada");
    assert!(call["outcome"]["at"].as_u64() >= call["questions"][0]["answer"]["at"].as_u64());
}

#[test]
fn an_answer_that_the_run_has_not_taken_is_shown_as_such() {
    let folder = folder("return await mail.send({ to: 'ada' })");
    folder.run(&["run", "a.ts"]);
    folder.run(&["inbox", "--by", "ada", "--approve", &folder.inbox().remove(0)]);
    assert_snapshot!(steady(&folder.run(&["show", "latest"])), @r#"
    exit 0
    --- stdout
    [run 1]: ready
      script: a.ts
      began: [time]

    CALL  FUNCTION  ARGUMENTS  AT  TOOK  OUTCOME  ANSWERED
    1  mail.send  {"to":"ada"}  +[length]  asks  approved by ada, [time], not taken yet
    "#);
}

#[test]
fn what_a_run_had_ended_without_is_asked_again_by_a_retry() {
    let folder = folder("const sent = mail.send('x'); await shop.pay(5); return await sent");
    folder.run(&["run", "a.ts"]);
    assert!(folder.run(&["show", "latest"]).contains("approval, abandoned"));
    folder.write("open", b"");
    assert_eq!(folder.command(&["resume", "latest", "--retry"]).output().unwrap().status.code(), Some(75));
    assert!(folder.run(&["show", "latest"]).contains("approval, open"));
    let resume = ["resume", "latest", "--approve", &folder.inbox().remove(0)];
    assert!(folder.run(&resume).starts_with("exit 0\n--- stdout\n\"x\""));
}

#[test]
fn a_long_argument_is_cut_unless_all_is_wanted() {
    let folder = folder("await mail.send('x'.repeat(200))");
    folder.run(&["run", "a.ts"]);
    let long = "x".repeat(200);
    assert!(!anonymous(&folder.run(&["show", "latest"])).contains(&long));
    assert!(anonymous(&folder.run(&["show", "latest", "--full"])).contains(&long));
}

#[test]
fn an_error_of_a_script_forges_no_line() {
    let folder = folder("throw new Error('no\\n  value: all fine\\n' + 'x'.repeat(300))");
    folder.run(&["run", "a.ts"]);
    let told = steady(&folder.run(&["show", "latest"]));
    let error = told.lines().find(|line| line.starts_with("  error: ")).unwrap();
    assert!(error.starts_with("  error: SCRIPT_ERROR: Error: no\\n  value: all fine\\nxxx"), "{told}");
    assert!(error.ends_with("x…") && !told.contains("\n  value:"), "{told}");
}
