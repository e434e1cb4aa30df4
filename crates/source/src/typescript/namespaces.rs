//! `namespace`: a function that fills an object.
//!
//! ```ts
//! namespace N { export const x = 1; }
//! ```
//! ```js
//! var N; (function (N) {        const x = 1; N.x = x; })(N || (N = {}));
//! ```
//!
//! What is exported stays a variable of the function and becomes a property too: one that reads and writes
//! the variable where that can change. A further block of the namespace finds what earlier ones export by
//! `N.x`.

use std::collections::BTreeSet;

use oxc_ast::ast::{
    BindingIdentifier, Declaration, ExportDeclaration, Statement, TSModuleBlock, TSNamespaceDeclaration,
    TSNamespaceDeclarationBody, VariableDeclaration, VariableDeclarationKind,
};
use oxc_ast_visit::{Visit, VisitJs};

use super::words::{fresh_name, quoted};
use super::{List, Rewriter};
use crate::scopes::{Reference, free_references};

/// The names that a namespace exports.
pub(super) type Exported = BTreeSet<String>;

impl<'a> Rewriter<'_, 'a> {
    /// Rewrites a namespace. `export` is where the `export` before it begins.
    pub(super) fn namespace_declaration(&mut self, it: &TSNamespaceDeclaration<'a>, export: Option<u32>) {
        let mut nest = Nest { opening: String::new(), closing: String::new(), handled: BTreeSet::new() };
        self.namespace_level(it, export.unwrap_or(it.span.start), export.is_some(), &mut nest);
    }

    /// One name of `A.B.C`, and what is in it.
    fn namespace_level(
        &mut self,
        it: &TSNamespaceDeclaration<'a>,
        start: u32,
        exported: bool,
        nest: &mut Nest,
    ) {
        let name = it.id.name.as_str();
        let inside = match &it.body {
            TSNamespaceDeclarationBody::TSModuleBlock(block) if declares(block, name) => {
                fresh_name(self.text, &format!("{name}_"))
            }
            _ => name.to_owned(),
        };
        let opening = self.opening(name, &inside, exported);
        nest.opening.push_str(&opening);
        let path = self.path_of(name);
        nest.closing.insert_str(0, &self.closing(name, exported));
        match &it.body {
            TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => {
                nest.opening.push(' ');
                nest.closing.insert(0, ' ');
                self.lists.push(List {
                    namespace: Some(inside.clone()),
                    path: path.clone(),
                    ..List::default()
                });
                self.namespace_level(inner, start, true, nest);
                self.lists.pop();
                self.refer_to_earlier(&path, &inside, nest, |scopes| {
                    scopes.visit_ts_namespace_declaration(inner);
                });
                self.exported.entry(path).or_default().insert(inner.id.name.to_string());
            }
            TSNamespaceDeclarationBody::TSModuleBlock(block) => {
                self.edits.replace(start, block.span.start + 1, std::mem::take(&mut nest.opening));
                self.refer_to_earlier(&path, &inside, nest, |scopes| scopes.visit_ts_module_block(block));
                self.lists.push(List { namespace: Some(inside), path, ..List::of(&block.body) });
                self.statements(&block.body);
                self.lists.pop();
                self.edits.replace(block.span.end - 1, block.span.end, std::mem::take(&mut nest.closing));
            }
        }
    }

    /// Puts the namespace before the names that an earlier block of it exports.
    fn refer_to_earlier(
        &mut self,
        path: &str,
        inside: &str,
        nest: &mut Nest,
        visit: impl FnOnce(&mut crate::scopes::Scopes<'a>),
    ) {
        let Some(earlier) = self.exported.get(path) else { return };
        for Reference { name, start, shorthand } in free_references(visit) {
            if earlier.contains(name) && nest.handled.insert(start) {
                let key = if shorthand { format!("{name}: ") } else { String::new() };
                self.edits.insert(start, format!("{key}{inside}."));
            }
        }
    }

    /// The names of the namespaces around, and this one.
    fn path_of(&mut self, name: &str) -> String {
        match &self.innermost().path {
            outer if outer.is_empty() => name.to_owned(),
            outer => format!("{outer}.{name}"),
        }
    }

    /// An `export` in a namespace.
    pub(super) fn namespace_export(&mut self, it: &ExportDeclaration<'a>, namespace: &str) {
        let (names, kind) = match &it.declaration {
            Declaration::TSEnumDeclaration(inner) => {
                self.enum_declaration(inner, Some(it.span.start));
                (vec![inner.id.name.to_string()], None)
            }
            Declaration::TSNamespaceDeclaration(inner) => {
                self.namespace_declaration(inner, Some(it.span.start));
                (vec![inner.id.name.to_string()], None)
            }
            Declaration::VariableDeclaration(variables) => {
                self.blank_export(it);
                self.visit_variable_declaration(variables);
                (bound_names(variables), Some(variables.kind))
            }
            Declaration::TSImportEqualsDeclaration(alias) => {
                self.blank_export(it);
                self.import_equals(alias, true);
                (vec![alias.id.name.to_string()], Some(VariableDeclarationKind::Const))
            }
            other => {
                self.blank_export(it);
                self.visit_declaration(other);
                let name = other.id().map(|id| id.name.to_string());
                (name.into_iter().collect(), Some(VariableDeclarationKind::Const))
            }
        };
        if let Some(kind) = kind {
            let is_body = matches!(
                it.declaration,
                Declaration::FunctionDeclaration(_) | Declaration::ClassDeclaration(_)
            );
            let closed = is_body || self.text[..it.span.end as usize].ends_with(';');
            let properties: Vec<_> = names.iter().map(|name| property(namespace, name, kind)).collect();
            self.edits.insert(it.span.end, (if closed { "" } else { ";" }).to_owned() + &properties.concat());
        }
        let path = self.innermost().path.clone();
        self.exported.entry(path).or_default().extend(names);
    }

    /// Blanks the word `export`, which decorators may stand before.
    fn blank_export(&mut self, it: &ExportDeclaration<'a>) {
        let at = self.export_keyword(it.span.start, &it.declaration);
        self.edits.blank(at, at + 6);
    }
}

/// The texts around the innermost block of `namespace A.B.C`, and the references that are rewritten.
struct Nest {
    opening: String,
    closing: String,
    handled: BTreeSet<u32>,
}

/// A property of the namespace for a name: its value if that stays, else a way to the variable.
fn property(namespace: &str, name: &str, kind: VariableDeclarationKind) -> String {
    if kind == VariableDeclarationKind::Const {
        return format!(" {namespace}.{name} = {name};");
    }
    let value = if name == "value" { "it" } else { "value" };
    format!(
        " Object.defineProperty({namespace}, {}, {{ enumerable: true, configurable: true, get: () => {name}, \
         set: {value} => {{ {name} = {value}; }} }});",
        quoted(name)
    )
}

fn bound_names(variables: &VariableDeclaration<'_>) -> Vec<String> {
    struct Names(Vec<String>);
    impl<'a> VisitJs<'a> for Names {
        fn visit_binding_identifier(&mut self, it: &BindingIdentifier<'a>) {
            self.0.push(it.name.to_string());
        }

        fn visit_expression(&mut self, _: &oxc_ast::ast::Expression<'a>) {}
    }
    let mut names = Names(Vec::new());
    for declarator in &variables.declarations {
        names.visit_binding_pattern(&declarator.id);
    }
    names.0
}

/// Whether a block declares a name itself.
fn declares(block: &TSModuleBlock<'_>, name: &str) -> bool {
    block.body.iter().any(|statement| {
        let declaration = match statement {
            Statement::ExportDeclaration(export) => Some(&export.declaration),
            other => other.as_declaration(),
        };
        declaration.is_some_and(|declaration| match declaration {
            Declaration::VariableDeclaration(variables) => bound_names(variables).iter().any(|it| it == name),
            other => other.id().is_some_and(|id| id.name == name),
        })
    })
}
