//! Imports and exports: the types among them, and TypeScript's own forms.

use std::collections::BTreeSet;

use oxc_ast::ast::{
    Declaration, ExportDeclaration, ExportDefaultDeclaration, ExportDefaultDeclarationKind, ExportSpecifier,
    IdentifierReference, ImportDeclaration, ImportDeclarationSpecifier, ImportOrExportKind,
    TSImportEqualsDeclaration, TSModuleReference,
};
use oxc_ast_visit::{Visit, VisitJs, walk};

use super::Rewriter;
use super::classes::Export;
use super::words::next_token;

impl<'a> Rewriter<'_, 'a> {
    pub(super) fn import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        for specifier in it.specifiers.iter().flatten() {
            if let ImportDeclarationSpecifier::ImportSpecifier(named) = specifier
                && named.import_kind == ImportOrExportKind::Type
            {
                self.blank_with_comma(named.span);
            }
        }
    }

    pub(super) fn export_specifiers(&mut self, specifiers: &[ExportSpecifier<'a>]) {
        for specifier in specifiers {
            if specifier.export_kind == ImportOrExportKind::Type {
                self.blank_with_comma(specifier.span);
            }
        }
    }

    pub(super) fn export_declaration(&mut self, it: &ExportDeclaration<'a>) {
        if let Some(namespace) = self.innermost().namespace.clone() {
            return self.namespace_export(it, &namespace);
        }
        let start = it.span.start;
        match &it.declaration {
            Declaration::TSEnumDeclaration(inner) => self.enum_declaration(inner, Some(start)),
            Declaration::TSNamespaceDeclaration(inner) => self.namespace_declaration(inner, Some(start)),
            Declaration::TSImportEqualsDeclaration(inner) => self.import_equals(inner, true),
            Declaration::ClassDeclaration(class) => {
                let keyword = self.export_keyword(start, &it.declaration);
                self.class(class, Some(Export { keyword, is_default: false }));
            }
            other => self.visit_declaration(other),
        }
    }

    pub(super) fn export_default(&mut self, it: &ExportDefaultDeclaration<'a>) {
        match &it.declaration {
            ExportDefaultDeclarationKind::ClassDeclaration(class) => {
                let behind = class.decorators.last().filter(|it| it.span.end <= class.body.span.start);
                let keyword = match behind {
                    Some(last) if !self.text[it.span.start as usize..].starts_with("export") => {
                        next_token(self.text, last.span.end)
                    }
                    _ => it.span.start,
                };
                self.class(class, Some(Export { keyword, is_default: true }));
            }
            _ => walk::walk_export_default_declaration(self, it),
        }
    }

    /// Where the word `export` stands: at the start, or behind decorators.
    pub(super) fn export_keyword(&self, start: u32, declaration: &Declaration<'a>) -> u32 {
        match declaration {
            Declaration::ClassDeclaration(class) if !self.text[start as usize..].starts_with("export") => {
                class.decorators.last().map_or(start, |last| next_token(self.text, last.span.end))
            }
            _ => start,
        }
    }

    /// `import x = A.B` is a constant, unless only types use it; `import x = require("m")` imports the
    /// namespace of `m`.
    pub(super) fn import_equals(&mut self, it: &TSImportEqualsDeclaration<'a>, exported: bool) {
        match &it.module_reference {
            TSModuleReference::ExternalModuleReference(module) => {
                let name = self.text
                    [module.expression.span.start as usize..module.expression.span.end as usize]
                    .to_owned();
                self.edits.replace(it.span.start, it.id.span.start, "import * as ");
                self.edits.replace(it.id.span.end, module.span.end, format!(" from {name}"));
                if exported {
                    self.refuse(
                        it.span,
                        "an import that is exported at once",
                        "import it first, then export it",
                    );
                }
            }
            _ if exported || self.is_mentioned(it) => {
                self.edits.replace(it.span.start, it.id.span.start, "const ");
            }
            _ => self.edits.erase(it.span),
        }
    }

    /// Whether the name of an alias occurs as a value.
    fn is_mentioned(&mut self, alias: &TSImportEqualsDeclaration<'a>) -> bool {
        let program = self.program;
        let mentioned = self.mentioned.get_or_insert_with(|| {
            let mut mentions = Mentions::default();
            mentions.visit_program(program);
            mentions.names
        });
        mentioned.contains(alias.id.name.as_str())
    }
}

/// Collects the names that occur as values.
#[derive(Default)]
struct Mentions<'a> {
    names: BTreeSet<&'a str>,
}

impl<'a> VisitJs<'a> for Mentions<'a> {
    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.names.insert(it.name.as_str());
    }
}
