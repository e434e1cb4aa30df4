//! The README's console: its commands answer what it says.

use std::path::Path;

use crate::folder::Folder;

/// The first block of a language behind a heading.
fn block<'p>(page: &'p str, heading: &str, language: &str) -> &'p str {
    let section = page.split_once(heading).unwrap().1;
    let start = section.split_once(&format!("```{language}\n")).unwrap().1;
    start.split_once("```").unwrap().0
}

/// Whether a text is what is expected, in which `…` stands for anything.
pub(crate) fn is_like(text: &str, expected: &str) -> bool {
    let mut pieces = expected.split('…');
    let Some(mut rest) = text.strip_prefix(pieces.next().unwrap_or_default()) else { return false };
    let mut ends_open = false;
    for piece in pieces {
        let Some((_, behind)) = rest.split_once(piece) else { return false };
        (rest, ends_open) = (behind, piece.trim().is_empty());
    }
    rest.is_empty() || ends_open
}

#[test]
fn the_commands_of_the_readme_answer_what_it_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let page = std::fs::read_to_string(path).unwrap();
    let heading = "### Stop, ask, carry on";
    let folder = Folder::with(&[
        ("intermission.toml", block(&page, heading, "toml")),
        ("letter.ts", block(&page, heading, "ts")),
    ]);
    let console = block(&page, heading, "console");
    let mut id = String::new();
    let mut commands = 0;
    for command in console.split("$ intermission ").skip(1) {
        let (arguments, expected) = command.split_once('\n').unwrap();
        let arguments = arguments.replace("int_…", &id);
        let output = folder.command(&arguments.split(' ').collect::<Vec<_>>()).output().unwrap();
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(is_like(&told, expected), "{arguments}:\n{told}\nis not like\n{expected}");
        if let Some((_, behind)) = told.split_once("\"id\": \"") {
            id = behind.split('"').next().unwrap().to_owned();
        }
        commands += 1;
    }
    assert_eq!(commands, 4);
    let sent = std::fs::read_to_string(folder.path("outbox.json")).unwrap();
    assert_eq!(sent, r#"{"to":"ada@example.com","text":"See you at nine."}"#);
}

#[test]
fn anything_stands_for_an_ellipsis_and_nothing_else_does() {
    assert!(is_like("run_abc: 1\nmore\n", "run_…: 1\n…\n"));
    assert!(is_like("a b\n", "a b\n"));
    assert!(!is_like("a c\n", "a b\n"));
    assert!(!is_like("a b\nmore\n", "a b\n"));
    assert!(!is_like("run_abc: 2\n", "run_…: 1\n"));
}
