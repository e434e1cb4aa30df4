//! `enum`: a function that fills an object.
//!
//! ```ts
//! enum A { X = 1, Y, Z = "z" }
//! ```
//! ```js
//! var A; (function (A) { A[A["X"] = 1] = "X"; A[A["Y"] = 2] = "Y"; A["Z"] = "z"; })(A || (A = {}));
//! ```

use std::collections::BTreeSet;

use oxc_ast::ast::{Declaration, Expression, Statement, TSEnumDeclaration, TSEnumMember, TSEnumMemberName};
use oxc_ast_visit::{Visit, VisitJs};
use oxc_span::GetSpan;

use super::Rewriter;
use super::constant::{Constant, member_name, number_text};
use super::words::{next_token, quoted};
use crate::scopes::{Reference, free_references};

impl<'a> Rewriter<'_, 'a> {
    /// Rewrites an enum. `export` is where the `export` before it begins.
    pub(super) fn enum_declaration(&mut self, it: &TSEnumDeclaration<'a>, export: Option<u32>) {
        let name = it.id.name.as_str();
        let opening = self.opening(name, name, export.is_some());
        self.edits.replace(export.unwrap_or(it.span.start), it.body.span.start + 1, opening);
        for member in &it.body.members {
            // A member may refer to those behind it, too: it gets what is there by then.
            if !self.constants.has_member(name, &member_name(&member.id)) {
                self.constants.learn_member(name, &member_name(&member.id), None);
            }
        }
        let mut last = Some(Constant::Number(-1.0));
        for member in &it.body.members {
            last = self.enum_member(name, member, last);
        }
        let closing = self.closing(name, export.is_some());
        self.edits.replace(it.body.span.end - 1, it.body.span.end, closing);
    }

    /// Rewrites a member; its value, if it is known.
    fn enum_member(
        &mut self,
        owner: &str,
        it: &TSEnumMember<'a>,
        last: Option<Constant>,
    ) -> Option<Constant> {
        let key = self.member_key(&it.id);
        let (value, end) = if let Some(init) = &it.initializer {
            (self.initialised_member(owner, it, init, &key), init.span().end)
        } else {
            let number = if let Some(Constant::Number(number)) = last { Some(number + 1.0) } else { None };
            if number.is_none() {
                let hint = "the member before it is no number that is known: write a value";
                self.refuse(it.span, "this member of an enum needs a value", hint);
            }
            let literal = number.map(number_text).unwrap_or_default();
            let text = format!("{owner}[{owner}[{key}] = {literal}] = {key};");
            self.edits.replace(it.span.start, it.span.end, text);
            (number.map(Constant::Number), it.span.end)
        };
        let comma = next_token(self.text, end);
        if self.text[comma as usize..].starts_with(',') {
            self.edits.blank(comma, comma + 1);
        }
        self.constants.learn_member(owner, &member_name(&it.id), value);
        value
    }

    fn initialised_member(
        &mut self,
        owner: &str,
        it: &TSEnumMember<'a>,
        init: &Expression<'a>,
        key: &str,
    ) -> Option<Constant> {
        let value = self.constants.value(init, owner);
        let (before, behind) = match value {
            Some(Constant::Text) => (format!("{owner}[{key}] = "), ";".to_owned()),
            _ => (format!("{owner}[{owner}[{key}] = "), format!("] = {key};")),
        };
        self.edits.replace(it.span.start, init.span().start, before);
        for Reference { name, start, shorthand } in
            free_references(|scopes| VisitJs::visit_expression(scopes, init))
        {
            if self.constants.has_member(owner, name) {
                let path = if shorthand { format!("{name}: {owner}.") } else { format!("{owner}.") };
                self.edits.insert(start, path);
            }
        }
        Visit::visit_expression(self, init);
        self.edits.insert(init.span().end, behind);
        value
    }

    /// A member's name as a literal.
    fn member_key(&self, name: &TSEnumMemberName<'a>) -> String {
        match name {
            TSEnumMemberName::Identifier(it) => quoted(&it.name),
            TSEnumMemberName::String(it) | TSEnumMemberName::ComputedString(it) => {
                self.text[it.span.start as usize..it.span.end as usize].to_owned()
            }
            TSEnumMemberName::ComputedTemplateString(it) => {
                self.text[it.span.start as usize..it.span.end as usize].to_owned()
            }
        }
    }

    /// `var A; (function (A) {`: the variable unless it is there, and the function whose parameter is `inside`.
    pub(super) fn opening(&mut self, name: &str, inside: &str, exported: bool) -> String {
        let at_top = self.lists.len() == 1;
        let is_new = self.innermost().declared.insert(name.to_owned());
        if is_new {
            self.constants.forget(name);
        }
        let variable = match (is_new, at_top) {
            (false, _) => String::new(),
            (true, true) if exported => format!("export var {name}; "),
            (true, true) => format!("var {name}; "),
            (true, false) => format!("let {name}; "),
        };
        format!("{variable}(function ({inside}) {{")
    }

    /// `})(A || (A = {}));`, or with a namespace around that it is exported from `})(A = N.A || (N.A = {}));`.
    pub(super) fn closing(&mut self, name: &str, exported: bool) -> String {
        match self.innermost().namespace.clone() {
            Some(outer) if exported => format!("}})({name} = {outer}.{name} || ({outer}.{name} = {{}}));"),
            _ => format!("}})({name} || ({name} = {{}}));"),
        }
    }
}

/// The names of the classes and functions that a list declares, where an enum or a namespace might add to them.
pub(super) fn declared_beside(statements: &[Statement<'_>]) -> BTreeSet<String> {
    let declarations = || {
        statements.iter().filter_map(|statement| match statement {
            Statement::ExportDeclaration(export) => Some(&export.declaration),
            other => other.as_declaration(),
        })
    };
    let adds = |it: &Declaration<'_>| {
        matches!(it, Declaration::TSEnumDeclaration(_) | Declaration::TSNamespaceDeclaration(_))
    };
    if !declarations().any(adds) {
        return BTreeSet::new();
    }
    declarations()
        .filter_map(|declaration| match declaration {
            Declaration::ClassDeclaration(it) => it.id.as_ref(),
            Declaration::FunctionDeclaration(it) => it.id.as_ref(),
            _ => None,
        })
        .map(|id| id.name.to_string())
        .collect()
}
