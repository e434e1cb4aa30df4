//! From what the author handed in to code: byte order mark, hashbang, Markdown, HTML-like comments.
//!
//! Everything here keeps every place: what is no code becomes white space or a `//` comment of the same length.

use std::borrow::Cow;

use oxc_allocator::Allocator;
use oxc_ast::ast::{ArrowFunctionBody, Expression, Program, Statement, StringLiteral};
use oxc_ast_visit::VisitJs;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::{SourceType, Span};

use crate::edits::Edits;
use crate::error::{Complaint, SourceError};
use crate::markdown::{Fence, fences};
use crate::parse::{Parsed, parse};
use crate::position::Position;
use crate::skim::Grammar;
use crate::stack::with_room_for;

/// Without a byte order mark. No editor counts it as a column, so neither do we.
pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Makes of a hashbang line (ECMA-262, 12.5) a `//` comment: the guest puts a line before the text.
pub(crate) fn without_hashbang(text: Cow<'_, str>) -> Cow<'_, str> {
    let rest = text.trim_start();
    match rest.strip_prefix("#!") {
        Some(line) => Cow::Owned(format!("{}//{line}", &text[..text.len() - rest.len()])),
        None => text,
    }
}

/// The code of a text that is Markdown, everything else blanked; nothing if the text is code itself.
///
/// A text that begins with a fence is Markdown, and one that has fences and is no code.
///
/// # Errors
///
/// [`SourceError::ManyFences`].
pub(crate) fn code_in_markdown(text: &str) -> Result<Option<String>, SourceError> {
    let found = fences(text);
    let Some(first) = found.first() else { return Ok(None) };
    let leads = text[..first.block.start].trim().is_empty();
    if !leads && is_code(text, first) {
        return Ok(None);
    }
    if let Some(second) = found.get(1) {
        let at = second.block.start;
        let (first, second) = (Position::of(text, first.block.start), Position::of(text, at));
        let message = format!(
            "{} Markdown fences, the first two on lines {} and {}: which one is the script?",
            found.len(),
            first.line,
            second.line
        );
        let complaint = Complaint::new(text, at, at + 3, message);
        return Err(SourceError::ManyFences(Box::new(
            complaint.hint("send one fence, or the code without fences"),
        )));
    }
    Ok(Some(only_code(text, first)))
}

/// The text with everything but the fence's code blanked.
fn only_code(text: &str, fence: &Fence) -> String {
    let mut edits = Edits::default();
    edits.blank(0, fence.code.start as u32);
    edits.blank(fence.code.end as u32, text.len() as u32);
    edits.apply(text).0
}

/// Whether the text is code with the fence in a comment or in a string. Anywhere else three backticks are an
/// empty template that is called by its neighbour, which no one writes.
fn is_code(text: &str, fence: &Fence) -> bool {
    with_room_for(text, Grammar::Module, || is_code_around(text, fence)).unwrap_or(false)
}

fn is_code_around(text: &str, fence: &Fence) -> bool {
    let allocator = Allocator::default();
    let Ok(Parsed { program, .. }) = parse(&allocator, text) else { return false };
    let at = fence.block.start as u32;
    let holds_fence = |span: Span| (span.start..span.end).contains(&at);
    if program.comments.iter().any(|comment| holds_fence(comment.span)) {
        return true;
    }
    let mut search = InString { at, found: false };
    search.visit_program(&program);
    search.found
}

struct InString {
    at: u32,
    found: bool,
}

impl<'a> VisitJs<'a> for InString {
    fn visit_string_literal(&mut self, it: &StringLiteral<'a>) {
        self.found |= (it.span.start..it.span.end).contains(&self.at);
    }
}

/// Makes of each HTML-like comment (ECMA-262, B.1.1) one with `//`. They are comments in a function body and
/// code in a module; with this the module's grammar will do for both.
pub(crate) fn without_html_comments(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains("<!--") && !text.contains("-->") {
        return text;
    }
    let wrapped = format!("async()=>{{{text}\n}}");
    match with_room_for(&wrapped, Grammar::Script, || html_comments_replaced(&text, &wrapped)) {
        Ok(Some(replaced)) => Cow::Owned(replaced),
        // It is no function body; what else it is, the module's grammar tells.
        Ok(None) | Err(_) => text,
    }
}

fn html_comments_replaced(text: &str, wrapped: &str) -> Option<String> {
    let before = wrapped.len() - text.len() - 2;
    let allocator = Allocator::default();
    [false, true].into_iter().find_map(|typescript| {
        let source_type = SourceType::script().with_typescript(typescript);
        let options = ParseOptions { enable_ident_hashes: false, ..ParseOptions::default() };
        let parsed = Parser::new(&allocator, wrapped, source_type).with_options(options).parse();
        if !parsed.diagnostics.is_empty() || !is_one_body(&parsed.program, wrapped) {
            return None;
        }
        let mut edits = Edits::default();
        for comment in &parsed.program.comments {
            let start = comment.span.start as usize - before;
            if ["<!--", "-->"].iter().any(|mark| text[start..].starts_with(mark)) {
                edits.replace(start as u32, start as u32 + 2, "//");
            }
        }
        Some(edits.apply(text).0)
    })
}

/// Whether the wrapped text stayed inside of its wrapper, and is no module.
fn is_one_body(program: &Program<'_>, wrapped: &str) -> bool {
    let [Statement::ExpressionStatement(statement)] = program.body.as_slice() else { return false };
    let Expression::ArrowFunctionExpression(arrow) = &statement.expression else { return false };
    let ArrowFunctionBody::FunctionBody(body) = &arrow.body else { return false };
    arrow.span.end as usize == wrapped.len() && !body.statements.iter().any(Statement::is_module_declaration)
}
