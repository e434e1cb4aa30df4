//! What is there for the type checker alone.

use oxc_ast::ast::{
    Declaration, ExportDefaultDeclarationKind, ExportSpecifier, Expression, Function, ImportDeclaration,
    ImportDeclarationSpecifier, ImportOrExportKind, Statement, TSNamespaceDeclaration,
    TSNamespaceDeclarationBody,
};

/// Whether a statement has no meaning at run time.
///
/// An import counts as a value's unless it says `type`: a module is loaded even where its names are only used
/// as types.
pub(crate) fn is_erased(statement: &Statement<'_>) -> bool {
    if let Some(declaration) = statement.as_declaration() {
        return is_erased_declaration(declaration);
    }
    let is_type = |kind: ImportOrExportKind| kind == ImportOrExportKind::Type;
    match statement {
        Statement::ImportDeclaration(it) => is_type(it.import_kind) || imports_only_types(it),
        Statement::ExportDeclaration(it) => is_erased_declaration(&it.declaration),
        Statement::ExportNamedDeclaration(it) => {
            is_type(it.export_kind) || exports_only_types(&it.specifiers)
        }
        Statement::ExportFromDeclaration(it) => is_type(it.export_kind) || exports_only_types(&it.specifiers),
        Statement::ExportAllDeclaration(it) => is_type(it.export_kind),
        Statement::ExportDefaultDeclaration(it) => match &it.declaration {
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => true,
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => is_erased_function(function),
            _ => false,
        },
        Statement::TSNamespaceExportDeclaration(_) => true,
        _ => false,
    }
}

fn is_erased_declaration(declaration: &Declaration<'_>) -> bool {
    match declaration {
        Declaration::TSTypeAliasDeclaration(_)
        | Declaration::TSInterfaceDeclaration(_)
        | Declaration::TSGlobalDeclaration(_)
        | Declaration::TSExternalModuleDeclaration(_) => true,
        Declaration::VariableDeclaration(it) => it.declare,
        Declaration::FunctionDeclaration(it) => is_erased_function(it),
        Declaration::ClassDeclaration(it) => it.declare,
        Declaration::TSEnumDeclaration(it) => it.declare,
        Declaration::TSNamespaceDeclaration(it) => is_erased_namespace(it),
        Declaration::TSImportEqualsDeclaration(it) => it.import_kind == ImportOrExportKind::Type,
    }
}

/// Overloads have no body.
fn is_erased_function(function: &Function<'_>) -> bool {
    function.declare || function.body.is_none()
}

/// A namespace of types alone is none at run time.
fn is_erased_namespace(namespace: &TSNamespaceDeclaration<'_>) -> bool {
    namespace.declare
        || match &namespace.body {
            TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => is_erased_namespace(inner),
            TSNamespaceDeclarationBody::TSModuleBlock(block) => block.body.iter().all(is_erased),
        }
}

fn imports_only_types(import: &ImportDeclaration<'_>) -> bool {
    import.specifiers.as_ref().is_some_and(|specifiers| {
        !specifiers.is_empty()
            && specifiers.iter().all(|specifier| {
                matches!(specifier, ImportDeclarationSpecifier::ImportSpecifier(it)
                    if it.import_kind == ImportOrExportKind::Type)
            })
    })
}

fn exports_only_types(specifiers: &[ExportSpecifier<'_>]) -> bool {
    !specifiers.is_empty() && specifiers.iter().all(|it| it.export_kind == ImportOrExportKind::Type)
}

/// The expression inside of parentheses and type annotations.
pub(crate) fn without_types<'p, 'a>(mut expression: &'p Expression<'a>) -> &'p Expression<'a> {
    loop {
        expression = match expression {
            Expression::ParenthesizedExpression(it) => &it.expression,
            Expression::TSAsExpression(it) => &it.expression,
            Expression::TSSatisfiesExpression(it) => &it.expression,
            Expression::TSTypeAssertion(it) => &it.expression,
            Expression::TSNonNullExpression(it) => &it.expression,
            Expression::TSInstantiationExpression(it) => &it.expression,
            other => return other,
        };
    }
}
