//! `return` at the top level, in reach of the function body that a script is.

use oxc_ast::ast::Statement;
use oxc_span::Span;

/// The first `return` of the statements that is in none of their functions.
pub(crate) fn top_level_return(statements: &[Statement<'_>]) -> Option<Span> {
    statements.iter().find_map(return_in)
}

fn return_in(statement: &Statement<'_>) -> Option<Span> {
    match statement {
        Statement::ReturnStatement(it) => Some(Span::sized(it.span.start, 6)),
        Statement::BlockStatement(it) => top_level_return(&it.body),
        Statement::IfStatement(it) => {
            return_in(&it.consequent).or_else(|| it.alternate.as_ref().and_then(return_in))
        }
        Statement::ForStatement(it) => return_in(&it.body),
        Statement::ForInStatement(it) => return_in(&it.body),
        Statement::ForOfStatement(it) => return_in(&it.body),
        Statement::WhileStatement(it) => return_in(&it.body),
        Statement::DoWhileStatement(it) => return_in(&it.body),
        Statement::LabeledStatement(it) => return_in(&it.body),
        Statement::WithStatement(it) => return_in(&it.body),
        Statement::SwitchStatement(it) => it.cases.iter().find_map(|case| top_level_return(&case.consequent)),
        Statement::TryStatement(it) => top_level_return(&it.block.body)
            .or_else(|| it.handler.as_ref().and_then(|handler| top_level_return(&handler.body.body)))
            .or_else(|| it.finalizer.as_ref().and_then(|finalizer| top_level_return(&finalizer.body))),
        _ => None,
    }
}
