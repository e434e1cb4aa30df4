//! Where calls are named.

use std::ops::Range;

use oxc_ast::ast::CallExpression;
use oxc_ast_visit::{VisitJs, walk_js};

use crate::analysis::{Free, path_of};
use crate::error::SourceError;
use crate::parse;
use crate::position::Position;
use crate::prepare::{Options, with_code};

/// The calls of a source by their places. An engine may take the place of something in a call's arguments for the call's: from there this leads
/// to the call's name.
///
/// ```
/// use intermission_source::{CallPlaces, Options, Position};
///
/// let places = CallPlaces::of("mail.send({\n  to: user.name,\n})", &Options::default())?;
/// let inside = Position { line: 2, column: 12 };
/// assert_eq!(places.name("mail.send", inside), Some(Position { line: 1, column: 6 }));
/// assert_eq!(places.name("mail.read", inside), None);
/// # Ok::<(), intermission_source::SourceError>(())
/// ```
#[derive(Debug)]
pub struct CallPlaces {
    text: String,
    /// Calls of names that the source doesn't declare.
    calls: Vec<Named>,
}

#[derive(Debug)]
struct Named {
    path: String,
    /// Where the last of its names begins.
    name: usize,
    call: Range<usize>,
}

impl CallPlaces {
    /// Of a source.
    ///
    /// # Errors
    /// As [`prepare`](crate::prepare()).
    pub fn of(text: &str, options: &Options) -> Result<Self, SourceError> {
        with_code(text, options, |code| {
            let calls = parse::with_parsed(code, |_, parsed, function| {
                let moved = function.map_or(0, |start| start as isize - 1);
                let mut found = Finder { free: Free::of(&parsed.program), calls: Vec::new(), moved };
                found.visit_program(&parsed.program);
                found.calls
            })?;
            Ok(Self { text: code.to_owned(), calls })
        })
    }

    /// Where the innermost call of `path` is named that has the place `inside`.
    pub fn name(&self, path: &str, inside: Position) -> Option<Position> {
        let inside = inside.offset_in(&self.text)?;
        let calls = self.calls.iter().filter(|named| named.path == path && named.call.contains(&inside));
        let innermost = calls.max_by_key(|named| named.call.start)?;
        Some(Position::of(&self.text, innermost.name))
    }
}

struct Finder {
    free: Free,
    calls: Vec<Named>,
    /// How far a place of what is read is from its place in the text.
    moved: isize,
}

impl<'a> VisitJs<'a> for Finder {
    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        if let Some((path, name)) = path_of(&it.callee, &self.free) {
            let place = |offset: u32| (offset as usize).saturating_add_signed(self.moved);
            let call = place(it.span.start)..place(it.span.end);
            self.calls.push(Named { path, name: place(name), call });
        }
        walk_js::walk_call_expression(self, it);
    }
}
