//! What a source calls, told without running it.

use std::collections::BTreeSet;

use oxc_ast::ast::{
    ArrowFunctionBody, ArrowFunctionExpression, AwaitExpression, CallExpression, ChainElement, Expression,
    ExpressionStatement, Program, ReturnStatement, UnaryExpression,
};
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_span::GetSpan;

use crate::entry::value_of_last_statement;
use crate::error::SourceError;
use crate::literal::{Literal, literals};
use crate::parse::{self, Language, Parsed};
use crate::position::Position;
use crate::prepare::{Options, with_code};
use crate::scopes::free_references;
use crate::typescript::without_types;

/// What [`analyse`] found.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// What the source is written in.
    pub language: Language,
    /// The calls of names that the source doesn't declare, in the order of the text.
    pub calls: Vec<Call>,
}

/// A call of `name(...)`, `group.name(...)` or a longer path whose first name the source doesn't declare. It
/// may be a host function or something that the engine brings along (`Math.max`).
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The path, joined by dots: `fetch`, `files.read`.
    pub path: String,
    /// Where the call begins.
    pub position: Position,
    /// The arguments.
    pub arguments: Vec<Literal>,
    /// What happens to the promise that the call may return.
    pub promise: PromiseUse,
}

/// What happens to the value of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PromiseUse {
    /// `await f()`.
    Awaited,
    /// `return f()`, `=> f()`, or the script's last expression.
    Returned,
    /// An operand, an argument, the value of a variable, the object of `.then(...)`; or thrown away openly by
    /// `void`.
    Used,
    /// A statement of its own: nobody waits for it, and nobody sees it fail.
    Floating,
}

/// Lists the calls of names that a source doesn't declare.
///
/// ```
/// use intermission_source::{Literal, Options, PromiseUse, analyse};
///
/// let analysis = analyse("files.write('a.txt', { size: 3, mode: x }); 1", &Options::default())?;
/// let call = &analysis.calls[0];
/// assert_eq!(call.path, "files.write");
/// assert_eq!(call.promise, PromiseUse::Floating);
/// assert_eq!(call.arguments[0], Literal::String("a.txt".into()));
/// # Ok::<(), intermission_source::SourceError>(())
/// ```
///
/// # Errors
///
/// As [`prepare`](crate::prepare()).
pub fn analyse(text: &str, options: &Options) -> Result<Analysis, SourceError> {
    with_code(text, options, |text| {
        parse::with_parsed(text, |read, parsed, function| {
            let analysis = analyse_parsed(read, parsed);
            // Parentheses in place of the spaces around would move it; a place before it moves nothing in it.
            match function {
                Some(start) => analysis.behind(&text[..start]),
                None => analysis,
            }
        })
    })
}

impl Analysis {
    /// The same, seen from a text in which `before` stands instead of one character.
    fn behind(mut self, before: &str) -> Self {
        let mut start = Position::START;
        start.advance(before);
        for call in &mut self.calls {
            let Position { line, column } = &mut call.position;
            if *line == 1 {
                *column += start.column - 2;
            }
            *line += start.line - 1;
        }
        self
    }
}

fn analyse_parsed(text: &str, parsed: &Parsed<'_>) -> Analysis {
    let mut calls = Calls {
        text,
        free: Free::of(&parsed.program),
        value: value_of_last_statement(&parsed.program.body).map(|value| value.span().start),
        found: Vec::new(),
        reached: (0, Position::START),
        next: PromiseUse::Used,
    };
    calls.visit_program(&parsed.program);
    Analysis { language: parsed.language, calls: calls.found }
}

/// Where names are mentioned that the source doesn't declare.
pub(crate) struct Free(BTreeSet<u32>);

impl Free {
    pub(crate) fn of(program: &Program<'_>) -> Self {
        let free = free_references(|scopes| scopes.visit_program(program));
        Self(free.into_iter().map(|reference| reference.start).collect())
    }
}

/// `a.b.c`, if `a` is free, and where the last of its names begins.
pub(crate) fn path_of(callee: &Expression<'_>, free: &Free) -> Option<(String, u32)> {
    let mut names = Vec::new();
    let mut expression = without_types(callee);
    loop {
        expression = match expression {
            Expression::Identifier(it) if free.0.contains(&it.span.start) => {
                names.push((it.name.as_str(), it.span.start));
                break;
            }
            Expression::StaticMemberExpression(it) => {
                names.push((it.property.name.as_str(), it.property.span.start));
                without_types(&it.object)
            }
            Expression::ComputedMemberExpression(it) => {
                let Expression::StringLiteral(name) = &it.expression else { return None };
                names.push((name.value.as_str(), name.span.start));
                without_types(&it.object)
            }
            _ => return None,
        };
    }
    let last = names.first()?.1;
    let names: Vec<_> = names.into_iter().rev().map(|(name, _)| name).collect();
    Some((names.join("."), last))
}

struct Calls<'t> {
    text: &'t str,
    free: Free,
    /// Where the expression begins that is the script's value.
    value: Option<u32>,
    found: Vec<Call>,
    /// The offset and place of the last call.
    reached: (usize, Position),
    /// What happens to the expression that comes next.
    next: PromiseUse,
}

impl Calls<'_> {
    /// Visits an expression whose value is put to this use.
    fn used_as(&mut self, promise: PromiseUse, expression: &Expression<'_>) {
        self.next = promise;
        self.visit_expression(expression);
        self.next = PromiseUse::Used;
    }

    /// The place of an offset. Calls are met in the order of the text: each place is reached from the last.
    fn position(&mut self, offset: u32) -> Position {
        let (last, position) = &mut self.reached;
        position.advance(&self.text[*last..offset as usize]);
        *last = offset as usize;
        *position
    }
}

impl<'a> VisitJs<'a> for Calls<'_> {
    fn visit_expression(&mut self, it: &Expression<'a>) {
        let promise = self.next;
        match it {
            Expression::CallExpression(_)
            | Expression::ChainExpression(_)
            | Expression::ParenthesizedExpression(_)
            | Expression::TSAsExpression(_)
            | Expression::TSSatisfiesExpression(_)
            | Expression::TSTypeAssertion(_)
            | Expression::TSNonNullExpression(_) => {}
            Expression::ConditionalExpression(choice) => {
                self.next = PromiseUse::Used;
                self.visit_expression(&choice.test);
                self.used_as(promise, &choice.consequent);
                self.used_as(promise, &choice.alternate);
                return;
            }
            Expression::LogicalExpression(choice) => {
                self.next = PromiseUse::Used;
                self.visit_expression(&choice.left);
                self.used_as(promise, &choice.right);
                return;
            }
            Expression::SequenceExpression(sequence) => {
                let last = sequence.expressions.len().saturating_sub(1);
                for (index, expression) in sequence.expressions.iter().enumerate() {
                    self.used_as(if index == last { promise } else { PromiseUse::Floating }, expression);
                }
                return;
            }
            _ => self.next = PromiseUse::Used,
        }
        walk_js::walk_expression(self, it);
    }

    fn visit_chain_element(&mut self, it: &ChainElement<'a>) {
        if !matches!(it, ChainElement::CallExpression(_)) {
            self.next = PromiseUse::Used;
        }
        walk_js::walk_chain_element(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let promise = std::mem::replace(&mut self.next, PromiseUse::Used);
        if let Some((path, _)) = path_of(&it.callee, &self.free) {
            let position = self.position(it.span.start);
            self.found.push(Call { path, position, arguments: literals(&it.arguments), promise });
        }
        walk_js::walk_call_expression(self, it);
    }

    fn visit_await_expression(&mut self, it: &AwaitExpression<'a>) {
        self.used_as(PromiseUse::Awaited, &it.argument);
    }

    fn visit_unary_expression(&mut self, it: &UnaryExpression<'a>) {
        self.used_as(PromiseUse::Used, &it.argument);
    }

    fn visit_return_statement(&mut self, it: &ReturnStatement<'a>) {
        if let Some(argument) = &it.argument {
            self.used_as(PromiseUse::Returned, argument);
        }
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.visit_formal_parameters(&it.params);
        match &it.body {
            ArrowFunctionBody::FunctionBody(body) => self.visit_function_body(body),
            body => {
                if let Some(expression) = body.as_expression() {
                    self.used_as(PromiseUse::Returned, expression);
                }
            }
        }
    }

    fn visit_expression_statement(&mut self, it: &ExpressionStatement<'a>) {
        let is_value = self.value == Some(it.span.start);
        self.used_as(if is_value { PromiseUse::Returned } else { PromiseUse::Floating }, &it.expression);
    }
}
