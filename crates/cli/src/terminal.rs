//! The two streams: results on the one, everything else on the other.

use std::io::{self, IsTerminal, Write};

use intermission::ConsoleEntry;

use crate::diagnostic::Diagnostic;
use crate::failure::Failure;
use crate::printable::printable;

/// Tells a person, with an empty line between one and the next. In colour on a terminal, unless `NO_COLOR` is set.
pub(crate) fn show<'d>(diagnostics: impl IntoIterator<Item = &'d Diagnostic>) {
    for (index, diagnostic) in diagnostics.into_iter().enumerate() {
        if index > 0 {
            show_line("");
        }
        show_line(&diagnostic.to_text());
    }
}

/// A line for a person. When nobody can read it, nobody can be told so.
pub(crate) fn show_line(line: &str) {
    let _ = writeln!(anstream::stderr(), "{line}");
}

/// What a script said on its console.
pub(crate) fn show_console(entries: &[ConsoleEntry]) {
    for entry in entries {
        show_line(&printable(&entry.text));
    }
}

/// The beginning of a line, which somebody at the terminal completes.
pub(crate) fn show_prompt(prompt: &str) {
    let mut output = anstream::stderr();
    let _ = write!(output, "{prompt}").and_then(|()| output.flush());
}

/// Whether there may be somebody who reads what is shown and types answers.
pub(crate) fn is_there() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Whether somebody sees what goes on.
pub(crate) fn shows_progress() -> bool {
    io::stderr().is_terminal()
}

/// Writes the line of the cursor anew (`EL`: ECMA-48, 8.3.41), cut to what every terminal has.
pub(crate) fn rewrite_line(line: &str) {
    const COLUMNS: usize = 79;
    let line: String = line.chars().take(COLUMNS).collect();
    let mut output = io::stderr().lock();
    let _ = write!(output, "\r\x1b[K{line}").and_then(|()| output.flush());
}

/// A line of the result.
///
/// # Errors
/// When the output cannot be written, but for a reader that has gone: it has seen enough.
pub(crate) fn print(line: &str) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    match output
        .write_all(line.as_bytes())
        .and_then(|()| output.write_all(b"\n"))
        .and_then(|()| output.flush())
    {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Output(error)),
        _ => Ok(()),
    }
}
