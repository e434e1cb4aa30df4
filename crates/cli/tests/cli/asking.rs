//! Asking somebody at a terminal.

use std::process::Command;

use insta::assert_snapshot;

use crate::folder::Folder;
use crate::names::anonymous;
use crate::pseudo_terminal::Terminal;

const CONFIG: &str = r#"
[functions."mail.send"]
approval = true
command = ["sh", "-c", "tee -a sent.log"]
input_schema = { type = "object", properties = { to = { type = "string" } }, required = ["to"] }

[functions."clerk.ask"]
command = ["sh", "-c", '''
if [ -z "$INTERMISSION_RESUME" ]; then echo '{"payload": "Which?"}'; exit 75; fi
echo "$INTERMISSION_RESUME" | sed 's/.*"resolution":\([^,]*\),.*/\1/'
''']
"#;

const APPROVAL: &str = "[a]pprove, [d]eny, [e]dit, [l]ater? ";

fn folder(script: &str) -> Folder {
    Folder::with(&[("intermission.toml", CONFIG), ("a.ts", script)])
}

fn run(folder: &Folder) -> Command {
    folder.command(&["run", "a.ts", "--continuation", "a.imt"])
}

/// What is on the screen when these lines are typed after these prompts.
fn talk(script: &str, lines: &[(&str, &str)]) -> String {
    let folder = folder(script);
    let mut terminal = Terminal::of(run(&folder));
    for (prompt, line) in lines {
        terminal.answer(prompt, &format!("{line}\n"));
    }
    anonymous(&terminal.finish())
}

#[test]
fn an_approved_call_is_made_and_the_run_ends_in_the_same_process() {
    assert_snapshot!(talk("console.log('before');\nconst sent = await mail.send({ to: 'ada' });\nconsole.log('after');\nreturn sent", &[(APPROVAL, "a")]), @"");
}

#[test]
fn a_denied_call_is_an_error_with_the_reason() {
    let script = "try { await mail.send({ to: 'ada' }) } catch (e) { return [e.code, e.message] }";
    assert_snapshot!(talk(script, &[(APPROVAL, "d"), ("why (may be left empty): ", "not to her")]), @"");
}

#[test]
fn an_edit_on_a_line_is_asked_for_again_until_it_is_json_that_fits() {
    let script = "return await mail.send({ to: 'ada' })";
    let edit = "other argument (JSON): ";
    let lines = [(APPROVAL, "e"), (edit, "{to}"), (edit, "{}"), (APPROVAL, "e"), (edit, r#"{"to": "grace"}"#)];
    assert_snapshot!(talk(script, &lines), @"");
}

#[test]
fn an_edit_is_made_in_the_users_editor() {
    let folder = folder("return await mail.send({ to: 'ada' })");
    folder.write("new.json", br#"{"to": "grace"}"#);
    let editor = format!("cp {}", folder.path("new.json").display());
    let mut command = run(&folder);
    command.env("VISUAL", editor);
    let mut terminal = Terminal::of(command);
    terminal.answer(APPROVAL, "e\n");
    assert_snapshot!(anonymous(&terminal.finish()), @"");
}

#[test]
fn an_editor_that_leaves_no_json_or_changes_nothing_approves_nothing() {
    let folder = folder("return await mail.send({ to: 'ada' })");
    folder.write("new.json", b"{to}");
    let mut command = run(&folder);
    command.env("EDITOR", format!("cp {}", folder.path("new.json").display()));
    let mut terminal = Terminal::of(command);
    terminal.answer(APPROVAL, "e\n");
    terminal.answer(APPROVAL, "l\n");
    assert_snapshot!(anonymous(&terminal.finish()), @"");
    let mut command = folder.command(&["resume", "a.imt"]);
    command.env("EDITOR", "true");
    let mut terminal = Terminal::of(command);
    terminal.answer(APPROVAL, "e\n");
    terminal.answer(APPROVAL, "l\n");
    assert_snapshot!(anonymous(&terminal.finish()), @"");
}

#[test]
fn several_questions_are_asked_one_after_the_other_and_those_left_for_later_are_kept() {
    let script = "return await Promise.all([mail.send({ to: 'ada' }), clerk.ask(1), mail.send({ to: 'grace' })])";
    let lines = [(APPROVAL, "a"), ("[v]alue, [l]ater? ", "v"), ("answer (JSON): ", "yes"), ("answer (JSON): ", "true"), (APPROVAL, "later"), (APPROVAL, "l")];
    assert_snapshot!(talk(script, &lines), @"");
}

#[test]
fn the_end_of_the_input_leaves_everything_for_later() {
    let folder = folder("return await Promise.all([mail.send({ to: 'ada' }), mail.send({ to: 'grace' })])");
    let mut terminal = Terminal::of(run(&folder));
    terminal.answer(APPROVAL, "\u{4}");
    assert_snapshot!(anonymous(&terminal.finish()), @"");
    assert_eq!(folder.ids().len(), 2);
}

#[test]
fn what_a_script_writes_cannot_move_the_cursor_or_hide_and_what_is_long_is_cut() {
    let script = "await mail.send({ to: '\\u001b[2J\\u202eada', text: 'x'.repeat(400), lines: Array.from({ length: 40 }, (_, i) => i) })";
    let prompt = "[a]pprove, [d]eny, [e]dit, [s]how all, [l]ater? ";
    assert_snapshot!(talk(script, &[(prompt, "l")]), @"");
    let whole = talk(script, &[(prompt, "s"), (prompt, "l")]);
    assert!(whole.contains(&"x".repeat(400)) && whole.contains("\n      39\n"));
}

#[test]
fn a_key_that_is_none_of_the_choices_is_asked_for_again() {
    let lines = [(APPROVAL, "y"), (APPROVAL, "")];
    assert_snapshot!(talk("return await mail.send({ to: 'ada' })", &[lines[0], lines[1], (APPROVAL, "approve")]), @"");
}
