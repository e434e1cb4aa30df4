//! Text to syntax tree: as JavaScript, and only if that fails as TypeScript.

use oxc_allocator::Allocator;
use oxc_ast::ast::{Expression, Program};
use oxc_parser::{ParseOptions, Parser, ParserReturn};
use oxc_span::{GetSpan, SourceType, Span};

use crate::error::{Complaint, SourceError};
use crate::generic_call;
use crate::leniency;

/// What a source is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// Valid JavaScript, run as it is.
    JavaScript,
    /// TypeScript: types are removed, some constructs rewritten.
    TypeScript,
}

pub(crate) struct Parsed<'a> {
    pub(crate) program: Program<'a>,
    pub(crate) language: Language,
    /// Whether `import.meta` occurs, which only modules may say.
    pub(crate) import_meta: bool,
}

/// Where and why parsing stopped.
#[derive(Debug)]
pub(crate) struct Failure {
    span: Span,
    message: String,
    help: Option<String>,
}

/// Parses a text; on failure with the complaint that is further into the text.
pub(crate) fn parse<'a>(allocator: &'a Allocator, text: &'a str) -> Result<Parsed<'a>, Failure> {
    let as_javascript = parse_as(allocator, text, Language::JavaScript);
    if let Ok(parsed) = &as_javascript
        && !(leniency::may_occur(text) && leniency::occurs(&parsed.program))
        && !(generic_call::may_occur(text) && generic_call::occurs(&parsed.program))
    {
        return as_javascript;
    }
    match (as_javascript, parse_as(allocator, text, Language::TypeScript)) {
        (_, Ok(typescript)) => Ok(typescript),
        (Ok(javascript), Err(failure)) if leniency::occurs(&javascript.program) => Err(failure),
        (Ok(javascript), Err(_)) => Ok(javascript),
        (Err(one), Err(other)) => Err(if one.span.start >= other.span.start { one } else { other }),
    }
}

fn parse_as<'a>(allocator: &'a Allocator, text: &'a str, language: Language) -> Result<Parsed<'a>, Failure> {
    let mut parsed = parser(allocator, text, language).parse();
    if let Some(failure) = first_failure(&mut parsed) {
        return Err(failure);
    }
    let import_meta = !parsed.module_record.import_metas.is_empty();
    Ok(Parsed { program: parsed.program, language, import_meta })
}

/// A module's grammar but for `return` is that of an async function's body, if the text has no HTML-like
/// comment.
fn parser<'a>(allocator: &'a Allocator, text: &'a str, language: Language) -> Parser<'a> {
    let typescript = language == Language::TypeScript;
    let source_type = SourceType::mjs().with_typescript(typescript);
    let options = ParseOptions {
        allow_return_outside_function: true,
        enable_ident_hashes: false,
        ..ParseOptions::default()
    };
    Parser::new(allocator, text, source_type).with_options(options)
}

fn first_failure(parsed: &mut ParserReturn<'_>) -> Option<Failure> {
    let diagnostics = std::mem::take(&mut parsed.diagnostics);
    if diagnostics.is_empty() {
        return None;
    }
    diagnostics
        .errors()
        .map(|error| {
            let span =
                error.labels.first().map_or(Span::empty(0), |label| Span::sized(label.offset(), label.len()));
            let help = error.help.as_deref().map(str::to_owned);
            Failure { span, message: error.message.clone().into_owned(), help }
        })
        .min_by_key(|failure| failure.span.start)
}

/// Hands on a text that was read. Where a function is all of a text, that is the function in parentheses, and where it begins is told.
pub(crate) fn with_parsed<R>(
    text: &str,
    run: impl FnOnce(&str, &Parsed<'_>, Option<usize>) -> R,
) -> Result<R, SourceError> {
    let allocator = Allocator::default();
    let failure = match parse(&allocator, text) {
        Ok(parsed) => return Ok(run(text, &parsed, None)),
        Err(failure) => failure,
    };
    let Some(function) = lone_function(&allocator, text) else { return Err(failure.into_error(text)) };
    let wrapped = format!("({})", &text[function.start as usize..function.end as usize]);
    let allocator = Allocator::default();
    let parsed = parse(&allocator, &wrapped).map_err(|failure| failure.into_error(&wrapped))?;
    Ok(run(&wrapped, &parsed, Some(function.start as usize)))
}

/// The function expression that is all of a text (but for comments and `;`), if it is one: without a name it
/// is no statement.
pub(crate) fn lone_function(allocator: &Allocator, text: &str) -> Option<Span> {
    if !text.contains("function") {
        return None;
    }
    let expression = text.trim_end_matches(|character: char| character == ';' || character.is_whitespace());
    [Language::JavaScript, Language::TypeScript].into_iter().find_map(|language| {
        match parser(allocator, expression, language).parse_expression() {
            Ok(function @ Expression::FunctionExpression(_)) => Some(function.span()),
            _ => None,
        }
    })
}

impl Failure {
    /// The error for the user, with a hint where one is known.
    pub(crate) fn into_error(self, text: &str) -> SourceError {
        let Self { span, message, help } = self;
        let hint = known_hint(text, span, &message).map(str::to_owned).or(help);
        let mut complaint = Complaint::new(text, span.start as usize, span.end as usize, message);
        complaint.hint = hint;
        SourceError::Syntax(Box::new(complaint))
    }
}

fn known_hint(text: &str, span: Span, message: &str) -> Option<&'static str> {
    let rest = text.get(span.start as usize..)?;
    if rest.starts_with(['\u{201c}', '\u{201d}', '\u{2018}', '\u{2019}']) {
        return Some("this is a typographic quote: strings stand in ' or \"");
    }
    if text.contains("</") || text.contains("/>") {
        return Some("JSX is not understood: call functions instead");
    }
    if message.contains("await") {
        return Some(
            "`await` is allowed at the top level and in `async` functions: make this function `async`",
        );
    }
    if span.start as usize >= text.trim_end().len() {
        return Some("the text ends too early: a bracket, a quote or a statement is still open");
    }
    None
}
