//! docs/guide.md is followed: its files are those of the example, and its commands answer what it says.

use std::path::{Path, PathBuf};

use crate::folder::Folder;
use crate::readme::is_like;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

/// The blocks of a language, in order.
fn blocks<'p>(page: &'p str, language: &str) -> Vec<&'p str> {
    let fence = format!("```{language}\n");
    let starts = page.match_indices(&fence).map(|(at, fence)| at + fence.len());
    starts.map(|start| page[start..].split_once("```").unwrap().0).collect()
}

#[test]
fn the_files_of_the_guide_are_those_of_the_example() {
    let page = read("docs/guide.md");
    let (config, script) = (read("examples/refund/intermission.toml"), read("examples/refund/refund.ts"));
    let shown = [blocks(&page, "toml"), blocks(&page, "ts")].map(|blocks| blocks.len());
    assert_eq!(shown, [2, 1]);
    for block in blocks(&page, "toml") {
        assert!(config.contains(block), "{block}");
    }
    assert!(script.ends_with(blocks(&page, "ts")[0]));
}

#[test]
fn the_commands_of_the_guide_answer_what_it_says() {
    let page = read("docs/guide.md");
    let folder = Folder::with(&[]);
    for name in ["intermission.toml", "refund.ts", "orders.json", "tools/orders.py", "tools/payments.py"] {
        folder.write(name, read(&format!("examples/refund/{name}")).as_bytes());
    }
    let console = blocks(&page, "console").concat();
    let mut id = String::new();
    let mut commands = 0;
    for command in console.split("$ intermission ").skip(1) {
        let (line, expected) = command.split_once('\n').unwrap();
        let line = line.replace("int_…", &id);
        let words = words(&line);
        let output = folder.command(&words.iter().map(String::as_str).collect::<Vec<_>>()).output().unwrap();
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(is_like(&told, expected), "{line}:\n{told}\nis not like\n{expected}");
        if let Some((_, behind)) = told.split_once("\"id\": \"") {
            id = behind.split('"').next().unwrap().to_owned();
        }
        commands += 1;
    }
    assert_eq!(commands, 9);
    let paid = std::fs::read_to_string(folder.path("out/refunds.log")).unwrap();
    let orders: Vec<&str> = paid.lines().map(|line| line.split(' ').nth(1).unwrap()).collect();
    assert_eq!(orders, ["R-3", "R-7"]);
}

/// The words of a command, as a shell has them: a blank within quotes is no end of one.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for letter in line.chars() {
        match words.last_mut() {
            _ if letter == '\'' => is_quoted = !is_quoted,
            Some(word) if letter != ' ' || is_quoted => word.push(letter),
            _ => words.push(String::new()),
        }
    }
    words
}
