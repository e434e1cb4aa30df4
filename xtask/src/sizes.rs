//! `cargo xtask check-sizes`: a source file that grows has more than one idea in it.

use std::path::Path;

use crate::error::Error;
use crate::repository::Repository;

const LANGUAGES: &[&str] = &[".rs", ".c", ".h", ".js", ".mjs", ".ts", ".py"];

/// Lines from which a file is remarked on, and from which it is refused.
const LONG: usize = 500;
const TOO_LONG: usize = 800;

/// Files that may be longer, and why.
const EXEMPT: &[(&str, &str)] = &[];

pub(crate) fn run(repository: &Repository, arguments: &[String]) -> Result<(), Error> {
    crate::no_arguments(arguments)?;
    let Sizes { remarks, findings } = measure(repository, EXEMPT)?;
    for remark in remarks {
        println!("{remark}");
    }
    crate::report("check-sizes", &findings)
}

struct Sizes {
    remarks: Vec<String>,
    findings: Vec<String>,
}

fn measure(repository: &Repository, exempt: &[(&str, &str)]) -> Result<Sizes, Error> {
    let mut sizes = Sizes { remarks: Vec::new(), findings: Vec::new() };
    let files = repository.files("", LANGUAGES)?;
    for file in &files {
        let lines = repository.read(file)?.lines().count();
        let shown = file.display();
        if lines <= LONG || exempt.iter().any(|(path, _)| Path::new(path) == file) {
            continue;
        }
        if lines <= TOO_LONG {
            sizes.remarks.push(format!("{shown}: {lines} lines, more than {LONG}: perhaps two ideas"));
        } else {
            sizes.findings.push(format!(
                "{shown}: {lines} lines, more than {TOO_LONG}: split it, or say why not in xtask/src/sizes.rs"
            ));
        }
    }
    for (path, _) in exempt.iter().filter(|(path, _)| !files.iter().any(|file| Path::new(path) == file)) {
        sizes.findings.push(format!("{path}: exempt from the limit, but there is no such file"));
    }
    Ok(sizes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::tests::repository_of;

    #[test]
    fn files_over_the_limits_are_remarked_on_and_refused_unless_exempt() {
        let of_lines = |count: usize| "line\n".repeat(count);
        let (_folder, repository) = repository_of(&[
            ("fits.rs", &of_lines(500)),
            ("long.c", &of_lines(501)),
            ("longest_allowed.js", &of_lines(800)),
            ("too_long.ts", &of_lines(801)),
            ("exempt.rs", &of_lines(801)),
            ("prose.md", &of_lines(801)),
        ]);
        let sizes = measure(&repository, &[("exempt.rs", "a table"), ("gone.rs", "it was a table")]).unwrap();
        assert_eq!(
            sizes.remarks,
            [
                "long.c: 501 lines, more than 500: perhaps two ideas",
                "longest_allowed.js: 800 lines, more than 500: perhaps two ideas"
            ]
        );
        assert_eq!(
            sizes.findings,
            [
                "too_long.ts: 801 lines, more than 800: split it, or say why not in xtask/src/sizes.rs",
                "gone.rs: exempt from the limit, but there is no such file"
            ]
        );
    }
}
