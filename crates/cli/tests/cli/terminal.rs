//! Colours.

use crate::folder::Folder;

fn error_with(variables: &[(&str, &str)]) -> String {
    let folder = Folder::with(&[("a.js", "throw new Error('no')")]);
    let output = folder.command(&["run", "a.js"]).envs(variables.iter().copied()).output().unwrap();
    folder.told(&output)
}

#[test]
fn there_are_colours_where_they_are_wanted_and_nowhere_else() {
    let plain = error_with(&[]);
    assert!(!plain.contains('\u{1b}'));
    assert!(error_with(&[("CLICOLOR_FORCE", "1")]).contains("\u{1b}["));
    assert_eq!(error_with(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), plain);
}
