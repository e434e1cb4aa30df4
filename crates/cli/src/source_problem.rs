//! A text that is no script, explained.

use intermission::SourceError;
use intermission_source::Complaint;

use crate::diagnostic::Diagnostic;
use crate::script::Script;

/// What is wrong with the script, where, and what to do.
pub(crate) fn explain(script: &Script, error: &SourceError) -> Diagnostic {
    let place = error.position().map(|at| script.place(at.line, at.column));
    match error {
        SourceError::Syntax(complaint)
        | SourceError::Unsupported(complaint)
        | SourceError::ManyFences(complaint)
        | SourceError::TooDeep(complaint) => {
            let Complaint { message, hint, .. } = &**complaint;
            let diagnostic = Diagnostic::error(error.code(), message).at(place);
            match hint {
                Some(hint) => diagnostic.hint(hint),
                None => diagnostic,
            }
        }
        error => Diagnostic::error(error.code(), error.to_string()).at(place),
    }
}
