//! A run of the store asks somebody at a terminal.

use insta::assert_snapshot;

use crate::durable::{LETTER, folder};
use crate::names::anonymous;
use crate::pseudo_terminal::Terminal;

const APPROVAL: &str = "[a]pprove, [d]eny, [e]dit, [l]ater? ";

#[test]
fn at_a_terminal_the_run_asks_at_once_and_is_in_the_store_all_the_same() {
    let folder = folder(LETTER);
    let mut terminal = Terminal::of(folder.command(&["run", "a.ts"]));
    terminal.answer(APPROVAL, "a\n");
    assert_snapshot!(anonymous(&terminal.finish()), @r#"
    [run 1]: begun
    before
    mail.send needs approval
      id: [int 1]
      at: a.ts:2:25
          const sent = await mail.send({ to: 'ada' });
      argument: {"to":"ada"}
    [a]pprove, [d]eny, [e]dit, [l]ater? a
    after
    {
      "to": "ada"
    }
    exit 0
    "#);
    assert_eq!(folder.states(), ["completed"]);
    assert_eq!(folder.sent(), r#"{"to":"ada"}"#);
}

#[test]
fn at_a_terminal_somebody_else_may_be_quicker() {
    let folder = folder("try { return await mail.send({ to: 'ada' }) } catch (e) { return e.message }");
    let mut terminal = Terminal::of(folder.command(&["run", "a.ts"]));
    terminal.wait_for(APPROVAL);
    folder.run(&["inbox", "--deny", &folder.inbox().remove(0), "--reason", "not to her", "--by", "bob"]);
    terminal.answer(APPROVAL, "a\n");
    assert_snapshot!(anonymous(&terminal.finish()), @r#"
    [run 1]: begun
    mail.send needs approval
      id: [int 1]
      at: a.ts:1:25
          try { return await mail.send({ to: 'ada' }) } catch (e) { return e.message }
      argument: {"to":"ada"}
    [a]pprove, [d]eny, [e]dit, [l]ater? a
    error[RESOLUTION_CONFLICT]: another answer was first: [int 1]: denied, "not to her" (by bob)
     |
     = help: the first answer is the answer for ever; `intermission show` tells what came of it
    "not to her"
    exit 0
    "#);
    assert_eq!(folder.sent(), "");
}

#[test]
fn a_signal_at_the_prompt_leaves_the_question_to_others() {
    let folder = folder(LETTER);
    let mut terminal = Terminal::of(folder.command(&["run", "a.ts"]));
    terminal.signal_at(APPROVAL, "INT");
    assert!(terminal.finish().ends_with("exit 130"));
    assert_eq!(folder.states(), ["waiting"]);
    assert_eq!(folder.inbox().len(), 1);
}
