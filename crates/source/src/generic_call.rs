//! `f<string>(x)`: a comparison by the letter, a call by intent.
//!
//! Valid JavaScript is read as JavaScript, so `a<b>(c)` compares. Where what stands between the angle
//! brackets names a type of TypeScript that the script doesn't declare as a variable, though, the comparison
//! could only throw a `ReferenceError`; then the text is read as TypeScript.

use oxc_ast::ast::{
    BinaryExpression, BinaryOperator, BindingIdentifier, Expression, IdentifierReference, Program,
};
use oxc_ast_visit::{VisitJs, walk_js};

/// The types with a name that is free for variables.
const TYPES: [&str; 9] =
    ["any", "bigint", "boolean", "never", "number", "object", "string", "symbol", "unknown"];

/// Whether the text has a `>` (of no arrow) before a `(`: told at a glance, before the tree is searched.
pub(crate) fn may_occur(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|byte| *byte == b'>') {
        let behind = rest[at + 1..].iter().find(|byte| !byte.is_ascii_whitespace());
        if behind == Some(&b'(') && at.checked_sub(1).map(|before| rest[before]) != Some(b'=') {
            return true;
        }
        rest = &rest[at + 1..];
    }
    false
}

/// Whether a comparison of the shape `f<T>(...)`, `T` a type's name that is no variable, is in the program.
pub(crate) fn occurs(program: &Program<'_>) -> bool {
    let mut search = Search::default();
    search.visit_program(program);
    search.shape
        && TYPES.iter().zip(search.compared).zip(search.declared).any(|((_, used), own)| used && !own)
}

#[derive(Default)]
struct Search {
    /// Whether something is compared with a parenthesis by `>`, `>>` or `>>>`.
    shape: bool,
    compared: [bool; TYPES.len()],
    declared: [bool; TYPES.len()],
    in_comparison: bool,
}

impl<'a> VisitJs<'a> for Search {
    fn visit_binary_expression(&mut self, it: &BinaryExpression<'a>) {
        let closes = matches!(
            it.operator,
            BinaryOperator::GreaterThan | BinaryOperator::ShiftRight | BinaryOperator::ShiftRightZeroFill
        );
        let opens = it.operator == BinaryOperator::LessThan;
        self.shape |= closes && matches!(it.right, Expression::ParenthesizedExpression(_));
        let outer = self.in_comparison;
        self.in_comparison |= opens || closes;
        walk_js::walk_binary_expression(self, it);
        self.in_comparison = outer;
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        if let Some(index) = TYPES.iter().position(|name| self.in_comparison && *name == it.name.as_str()) {
            self.compared[index] = true;
        }
    }

    fn visit_binding_identifier(&mut self, it: &BindingIdentifier<'a>) {
        if let Some(index) = TYPES.iter().position(|name| *name == it.name.as_str()) {
            self.declared[index] = true;
        }
    }
}
