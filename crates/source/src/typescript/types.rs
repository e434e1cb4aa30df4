//! Types in expressions, parameters and variables: white space, without joining or splitting what is around.

use oxc_ast::ast::{
    ArrowFunctionExpression, BindingPattern, FormalParameter, TSTypeAssertion, VariableDeclarator,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};

use super::Rewriter;
use super::words::{has_line_end, next_token};

impl<'a> Rewriter<'_, 'a> {
    /// Blanks what stands behind an expression (`as T`, `satisfies T`, `<T>`). Nothing can continue such an
    /// expression, but without it the next line might: then it is closed by `;`.
    pub(super) fn blank_behind(&mut self, expression: Span, whole: Span) {
        let next = self.text[next_token(self.text, whole.end) as usize..].chars().next();
        if matches!(next, Some('(' | '[' | '`')) {
            self.edits.blank_after(';', expression.end, whole.end);
        } else {
            self.edits.blank(expression.end, whole.end);
        }
    }

    /// `<T>x`. A line end in the type would end a `return` before it: then `x` is put into parentheses that
    /// begin in time.
    pub(super) fn type_assertion(&mut self, it: &TSTypeAssertion<'a>) {
        let Span { start, .. } = it.span;
        let Span { start: inner, end, .. } = it.expression.span();
        let broken = has_line_end(&self.text[start as usize..inner as usize]);
        if broken {
            self.edits.blank_after('(', start, inner);
        } else {
            self.edits.blank(start, inner);
        }
        self.visit_expression(&it.expression);
        if broken {
            self.edits.insert(end, ")");
        }
    }

    /// An arrow function. No line may end before its parameters when `async` or `return` stands before them,
    /// nor before its arrow: a parenthesis moves to the other end of a type that has a line end.
    pub(super) fn arrow_function(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.class_name = None;
        let parameters = it.params.span;
        if let Some(types) = &it.type_parameters {
            if has_line_end(&self.text[types.span.start as usize..parameters.start as usize]) {
                self.edits.blank_after('(', types.span.start, parameters.start + 1);
            } else {
                self.visit_ts_type_parameter_declaration(types);
            }
        }
        self.visit_formal_parameters(&it.params);
        if let Some(types) = &it.return_type {
            if has_line_end(&self.text[parameters.end as usize..types.span.end as usize]) {
                self.edits.blank_before(')', parameters.end - 1, types.span.end);
            } else {
                self.visit_ts_type_annotation(types);
            }
        }
        self.visit_arrow_function_body(&it.body);
    }

    pub(super) fn formal_parameter(&mut self, it: &FormalParameter<'a>) {
        if let Some(decorator) = it.decorators.first() {
            let hint = "decorators of ECMAScript stand before classes and their members only";
            self.refuse(decorator.span, "a parameter can't have a decorator", hint);
        }
        if it.accessibility.is_some() || it.readonly || it.r#override {
            self.blank_modifiers(it.span.start, it.pattern.span().start);
        }
        if it.optional {
            self.blank_mark(it.pattern.span().end);
        }
        walk::walk_formal_parameter(self, it);
    }

    pub(super) fn variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        if it.definite {
            self.blank_mark(it.id.span().end);
        }
        self.class_name = match &it.id {
            BindingPattern::BindingIdentifier(id) => Some(id.name.to_string()),
            _ => None,
        };
        walk::walk_variable_declarator(self, it);
        self.class_name = None;
    }

    /// Blanks the `?` or `!` that comes next.
    pub(super) fn blank_mark(&mut self, from: u32) {
        let at = next_token(self.text, from);
        self.edits.blank(at, at + 1);
    }

    /// Blanks an item of a list, and the comma behind it.
    pub(super) fn blank_with_comma(&mut self, item: Span) {
        let next = next_token(self.text, item.end);
        let comma = self.text[next as usize..].starts_with(',');
        self.edits.blank(item.start, if comma { next + 1 } else { item.end });
    }
}
