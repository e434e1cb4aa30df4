//! `intermission inbox`.

use insta::assert_snapshot;

use crate::durable::folder;
use crate::names::anonymous;
use crate::pseudo_terminal::Terminal;
use crate::steady::steady;

const THREE: &str =
    "return await Promise.all([mail.send({ to: 'ada' }), clerk.ask(7), mail.send({ to: 'bob' })])";

#[test]
fn what_all_runs_ask_is_listed_the_oldest_first() {
    let folder = folder(THREE);
    assert_snapshot!(folder.run(&["inbox"]), @r#"
    exit 2
    --- stderr
    error[NO_STORE]: there is no store of runs at .intermission/runs.db
     |
     = help: `intermission run` makes one in the working directory; another is named with `--store`
    "#);
    folder.run(&["run", "a.ts"]);
    folder.write("b.ts", b"return await clerk.ask({ n: 1 })");
    folder.run(&["run", "b.ts"]);
    let told = steady(&folder.run(&["inbox"]));
    let kinds: Vec<&str> = told.lines().map(|line| line.split("  ").nth(1).unwrap_or_default()).collect();
    assert_eq!(kinds[2..], ["KIND", "approval", "approval", "question", "question"], "{told}");
    assert_snapshot!(told.lines().last().unwrap(), @r#"
    [int 4]  question  "Which?" by clerk.ask({"n":1})  [length]  b.ts  [run 2]
    "#);
    assert_snapshot!(steady(&folder.run(&["inbox", "--limit", "1", "--run", "latest"])), @r#"
    exit 0
    --- stdout
    QUESTION  KIND  ASKED  AGE  EXPIRES  SCRIPT  RUN
    [int 1]  question  "Which?" by clerk.ask({"n":1})  [length]  b.ts  [run 1]
    "#);
}

#[test]
fn the_first_answer_wins_and_a_conflict_names_who_gave_it() {
    let folder = folder(THREE);
    folder.run(&["run", "a.ts"]);
    let ids = folder.inbox();
    let first = ids[0].as_str();
    assert_snapshot!(anonymous(&folder.run(&["inbox", "--deny", first, "--reason", "too late", "--by", "ada"])), @r#"
    exit 0
    --- stdout
    [int 1]: denied, "too late"
    --- stderr
    go on with `intermission resume [run 1]`, and the options that it was run with
    "#);
    assert_snapshot!(anonymous(&folder.run(&["inbox", "--deny", first, "--reason", "too late", "--by", "bob"])), @r#"
    exit 0
    --- stdout
    [int 1]: denied, "too late"
    --- stderr
    go on with `intermission resume [run 1]`, and the options that it was run with
    "#);
    assert_snapshot!(anonymous(&folder.run(&["inbox", "--approve", first, "--by", "bob"])), @r#"
    exit 2
    --- stderr
    error[RESOLUTION_CONFLICT]: another answer was first: [int 1]: denied, "too late" (by ada)
     |
     = help: the first answer is the answer for ever; `intermission show` tells what came of it
    "#);
    assert_snapshot!(folder.run(&["inbox", "--approve", "int_aaaaaaaaaaaaaaaaaaaaaaaaaa"]).lines().take(3).collect::<Vec<_>>().join("\n"), @r#"
    exit 2
    --- stderr
    error[RESOLUTION_UNKNOWN]: the run does not ask `int_aaaaaaaaaaaaaaaaaaaaaaaaaa`
    "#);
    assert_eq!(folder.inbox().len(), 2);
}

#[test]
fn an_answer_that_is_refused_says_nothing_of_the_others() {
    let folder = folder("return await Promise.all([mail.send(1), mail.send(2)])");
    folder.run(&["run", "a.ts"]);
    let ids = folder.inbox();
    let told = folder.run(&["inbox", "--approve", &ids[0], "--answer", &format!("{}=1", ids[1])]);
    assert!(told.starts_with("exit 2\n--- stdout\n") && told.contains("error[RESOLUTION_INVALID]"), "{told}");
    assert_eq!(folder.inbox(), ids[1..]);
}

#[test]
fn at_a_terminal_one_question_is_asked_after_the_other() {
    let folder = folder("return await mail.send({ to: 'ada' })");
    folder.run(&["run", "a.ts"]);
    folder.write("a.ts", b"return await mail.send({ to: 'bob' })");
    folder.run(&["run", "a.ts"]);
    let prompt = "[a]pprove, [d]eny, [e]dit, [l]ater? ";
    let mut terminal = Terminal::of(folder.command(&["inbox", "--by", "ada"]));
    terminal.answer(prompt, "a\n");
    terminal.answer(prompt, "l\n");
    assert_snapshot!(steady(&terminal.finish()), @r#"
    [run 1], a.ts, [length] ago:
    mail.send needs approval
      id: [int 1]
      at: a.ts:1:19
          return await mail.send({ to: 'ada' })
      argument: {"to":"ada"}
    [a]pprove, [d]eny, [e]dit, [l]ater? a
    [run 2], a.ts, [length] ago:
    mail.send needs approval
      id: [int 2]
      at: a.ts:1:19
          return await mail.send({ to: 'bob' })
      argument: {"to":"bob"}
    [a]pprove, [d]eny, [e]dit, [l]ater? l
    [int 1]: approved
    go on with `intermission resume [run 1]`, and the options that it was run with
    exit 0
    "#);
    assert_eq!(folder.inbox().len(), 1);
}

#[test]
fn what_a_script_has_written_does_not_move_the_cursor() {
    let folder = folder("return await mail.send({ to: 'ada\\u001b[2J\\u202e' })");
    folder.run(&["run", "a.ts"]);
    for command in [&["inbox"][..], &["show", "latest"], &["runs"]] {
        let told = folder.run(command);
        assert!(!told.contains('\u{1b}') && !told.contains('\u{202e}'), "{told}");
    }
    assert!(folder.run(&["inbox"]).contains(r"\u001b[2J\u{202e}"));
}

#[test]
fn whoever_only_answers_needs_no_function_and_whoever_edits_does() {
    let folder = folder("return await mail.send({ to: 'ada' })");
    folder.run(&["run", "a.ts"]);
    folder.run(&["run", "a.ts"]);
    folder.write("intermission.toml", b"[mcp.x]\ncommand = [\"no-such-program-anywhere\"]\n");
    let ids = folder.inbox();
    assert!(folder.run(&["inbox", "--approve", &ids[0]]).starts_with("exit 0\n"));
    let edited = folder.run(&["inbox", "--edit", &format!("{}={{}}", ids[1])]);
    assert!(edited.starts_with("exit 2\n") && edited.contains("no-such-program-anywhere"), "{edited}");
    assert_eq!(folder.inbox(), ids[1..]);
}
