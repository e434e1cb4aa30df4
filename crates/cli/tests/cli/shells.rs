//! What shells and manuals are given.

use crate::folder::Folder;

#[test]
fn every_shell_has_completions_that_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let told = Folder::with(&[]).run(&["completions", shell]);
        assert!(told.starts_with("exit 0\n--- stdout\n") && told.contains("inbox"), "{shell}: {told}");
    }
}

#[test]
fn a_page_of_the_manual_is_printed_and_one_for_each_command_is_written() {
    let folder = Folder::with(&[]);
    let told = folder.run(&["man"]);
    assert!(told.contains(".TH intermission 1") && told.contains(".SH SUBCOMMANDS"), "{told}");
    assert_eq!(folder.run(&["man", "--folder", "man1"]), "exit 0\n");
    for name in ["intermission.1", "intermission-run.1", "intermission-inbox.1"] {
        let page = std::fs::read_to_string(folder.path(&format!("man1/{name}"))).unwrap();
        assert!(page.contains(".TH intermission"), "{name}");
    }
}
