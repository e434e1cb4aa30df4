//! `cargo xtask check-docs`: what the Markdown points at is there.

mod markdown;

use std::path::{Component, Path, PathBuf};

use crate::error::Error;
use crate::repository::Repository;
use markdown::{Pointer, Target};

/// A code span that begins with one of these is meant as a path of this repository.
const ROOMS: &[&str] = &[
    ".cargo/",
    ".ci/",
    "benches/",
    "conformance/",
    "crates/",
    "docs/",
    "examples/",
    "fuzz/",
    "guest/",
    "xtask/",
    "./",
];

/// Made by a build, so not there in a fresh clone.
const BUILT: &[&str] = &["guest/guest.wasm", "guest/guest.wasm.stamp"];

pub(crate) fn run(repository: &Repository, arguments: &[String]) -> Result<(), Error> {
    crate::no_arguments(arguments)?;
    crate::report("check-docs", &findings(repository)?)
}

fn findings(repository: &Repository) -> Result<Vec<String>, Error> {
    let mut findings = Vec::new();
    for page in repository.files("", &[".md"])? {
        for Pointer { line, target } in markdown::pointers(&repository.read(&page)?) {
            let problem = match target {
                Target::Span(span) => dead_span(repository, &span),
                Target::Link(link) => dead_link(repository, &page, &link)?,
            };
            if let Some(problem) = problem {
                findings.push(format!("{}:{line}: {problem}", page.display()));
            }
        }
    }
    Ok(findings)
}

fn dead_span(repository: &Repository, span: &str) -> Option<String> {
    let is_path = ROOMS.iter().any(|room| span.starts_with(room))
        && span.chars().all(|c| c.is_ascii_alphanumeric() || "/._-*<>{}".contains(c));
    if !is_path || BUILT.contains(&span) {
        return None;
    }
    // Of a pattern (`crates/*/README.md`), the folder before it.
    let certain = match span.find(['*', '<', '{']) {
        Some(pattern) => &span[..span[..pattern].rfind('/').unwrap_or(0)],
        None => span,
    };
    (!repository.path(certain).exists()).then(|| format!("`{span}` is not in this repository"))
}

fn dead_link(repository: &Repository, page: &Path, link: &str) -> Result<Option<String>, Error> {
    if link.contains("://") || link.starts_with("mailto:") {
        return Ok(None);
    }
    let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
    let target = if path.is_empty() {
        page.to_owned()
    } else {
        without_dots(&page.parent().unwrap_or(Path::new("")).join(path))
    };
    if !repository.root().join(&target).exists() {
        return Ok(Some(format!("the link to {link} leads nowhere")));
    }
    if fragment.is_empty() || target.extension().is_none_or(|extension| extension != "md") {
        return Ok(None);
    }
    let there = markdown::anchors(&repository.read(&target)?).iter().any(|anchor| anchor == fragment);
    Ok((!there).then(|| format!("the link to {link} leads to a heading that is not there")))
}

fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::tests::repository_of;

    #[test]
    fn live_pointers_pass() {
        let page = "\
# The page
See `guest/c`, `guest/c/guest.c`, `./demo`, `crates/*/README.md`, `guest/guest.wasm`, `guest/c/{a,b}.c`.
Not paths: `guest`, `crates/value = 1`, `args[0].to`, `and/or`.
[up](../README.md), [itself](#the-page), [there](other.md#two-words-its-code), [out](https://example.org/x.md)
[folder](../guest/c/)

```sh
cat guest/absent.c `crates/absent`
```
";
        let (_folder, repository) = repository_of(&[
            ("docs/page.md", page),
            ("docs/other.md", "## Two words: it's `code`\n"),
            ("README.md", ""),
            ("demo", ""),
            ("guest/c/guest.c", ""),
            ("crates/value/src/lib.rs", ""),
        ]);
        assert_eq!(findings(&repository).unwrap(), [""; 0]);
    }

    #[test]
    fn dead_pointers_are_found_with_their_lines() {
        let page = "# Page\n`guest/c/gone.c`\n\n[a](gone.md) and [b](README.md#nowhere)\n[c][ref] `./tset` `attic/*`, `docs/*`\n\n[ref]: docs/gone.md\n";
        let (_folder, repository) = repository_of(&[("README.md", page), ("guest/c/guest.c", "")]);
        assert_eq!(
            findings(&repository).unwrap(),
            [
                "README.md:2: `guest/c/gone.c` is not in this repository",
                "README.md:4: the link to gone.md leads nowhere",
                "README.md:4: the link to README.md#nowhere leads to a heading that is not there",
                "README.md:5: the link to docs/gone.md leads nowhere",
                "README.md:5: `./tset` is not in this repository",
                "README.md:5: `docs/*` is not in this repository",
            ]
        );
    }
}
