//! TypeScript to JavaScript, in place.
//!
//! Types become white space. What has a meaning at run time (`enum`, `namespace`, parameter properties,
//! `import x =`, decorators, `accessor`) is rewritten where it stands, so that lines stay lines; expressions
//! are never moved.

mod accessors;
mod classes;
mod constant;
mod decorators;
mod enums;
mod erase;
mod members;
mod modules;
mod namespaces;
mod types;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use oxc_allocator::ArenaVec;
use oxc_ast::ast::{
    ArrowFunctionExpression, Class, ExportDeclaration, ExportDefaultDeclaration, ExportFromDeclaration,
    ExportNamedDeclaration, FormalParameter, Function, ImportDeclaration, Program, Statement, TSAsExpression,
    TSEnumDeclaration, TSExportAssignment, TSImportEqualsDeclaration, TSInstantiationExpression,
    TSNamespaceDeclaration, TSNonNullExpression, TSSatisfiesExpression, TSThisParameter, TSTypeAnnotation,
    TSTypeAssertion, TSTypeParameterDeclaration, TSTypeParameterInstantiation, VariableDeclaration,
    VariableDeclarator,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeFlags;

use crate::edits::Edits;
use crate::error::{Complaint, SourceError};

use constant::Constants;
use decorators::{Lowering, Names};
use namespaces::Exported;

pub(crate) use erase::{is_erased, without_types};
pub(crate) use words::fresh_name;

/// Whether JavaScript may hold something that the guest's engine doesn't know: decorators, `accessor` fields.
pub(crate) fn may_need_rewriting(text: &str) -> bool {
    text.contains('@') || text.contains("accessor")
}

/// Adds the edits that make JavaScript of a program.
///
/// # Errors
///
/// [`SourceError::Unsupported`] for what has no meaning here.
pub(crate) fn rewrite(text: &str, program: &Program<'_>, edits: &mut Edits) -> Result<(), SourceError> {
    let mut rewriter = Rewriter {
        text,
        program,
        edits,
        refused: None,
        lists: Vec::new(),
        exported: BTreeMap::new(),
        constants: Constants::default(),
        names: None,
        needs_helper: false,
        mentioned: None,
        class_name: None,
        lowering: None,
        numbered: 0,
    };
    rewriter.visit_program(program);
    rewriter.add_helper();
    match rewriter.refused {
        Some(complaint) => Err(SourceError::Unsupported(Box::new(complaint))),
        None => Ok(()),
    }
}

struct Rewriter<'p, 'a> {
    text: &'p str,
    program: &'p Program<'a>,
    edits: &'p mut Edits,
    /// The first thing that has no meaning here.
    refused: Option<Complaint>,
    /// The statement lists around, the innermost last.
    lists: Vec<List>,
    /// What namespaces export, by their path.
    exported: BTreeMap<String, Exported>,
    constants: Constants,
    /// The names that are used once there is a decorator or an accessor.
    names: Option<Names>,
    /// Whether the function that applies decorators is needed.
    needs_helper: bool,
    /// The names that occur as values, once that matters.
    mentioned: Option<BTreeSet<&'a str>>,
    /// The name that a class expression without one gets from the declaration around.
    class_name: Option<String>,
    /// The class around whose members have decorators.
    lowering: Option<Lowering>,
    /// How many private names were made up.
    numbered: u32,
}

/// What is known of a list of statements: a program, a block, a function's or namespace's body.
#[derive(Default)]
struct List {
    /// The variable inside of the namespace that this is the body of.
    namespace: Option<String>,
    /// The names of the namespaces around, joined by dots.
    path: String,
    /// The enums and namespaces so far, and all classes and functions: a further one of that name adds to them.
    declared: BTreeSet<String>,
}

impl List {
    fn of(statements: &[Statement<'_>]) -> Self {
        Self { declared: enums::declared_beside(statements), ..Self::default() }
    }
}

impl<'a> Rewriter<'_, 'a> {
    fn refuse(&mut self, span: Span, message: &str, hint: &str) {
        if self.refused.is_none() {
            let complaint = Complaint::new(self.text, span.start as usize, span.end as usize, message);
            self.refused = Some(complaint.hint(hint));
        }
    }

    /// Visits statements, without what is erased.
    fn statements(&mut self, statements: &[Statement<'a>]) {
        for statement in statements {
            if is_erased(statement) {
                self.edits.erase(statement.span());
            } else {
                self.visit_statement(statement);
            }
        }
    }

    /// The innermost statement list.
    fn innermost(&mut self) -> &mut List {
        if self.lists.is_empty() {
            self.lists.push(List::default());
        }
        let last = self.lists.len() - 1;
        &mut self.lists[last]
    }
}

impl<'a> Visit<'a> for Rewriter<'_, 'a> {
    fn visit_statements(&mut self, it: &ArenaVec<'a, Statement<'a>>) {
        self.lists.push(List::of(it));
        self.statements(it);
        self.lists.pop();
    }

    fn visit_ts_type_annotation(&mut self, it: &TSTypeAnnotation<'a>) {
        self.edits.blank(it.span.start, it.span.end);
    }

    fn visit_ts_type_parameter_declaration(&mut self, it: &TSTypeParameterDeclaration<'a>) {
        self.edits.blank(it.span.start, it.span.end);
    }

    fn visit_ts_type_parameter_instantiation(&mut self, it: &TSTypeParameterInstantiation<'a>) {
        self.edits.blank(it.span.start, it.span.end);
    }

    fn visit_ts_as_expression(&mut self, it: &TSAsExpression<'a>) {
        self.visit_expression(&it.expression);
        self.blank_behind(it.expression.span(), it.span);
    }

    fn visit_ts_satisfies_expression(&mut self, it: &TSSatisfiesExpression<'a>) {
        self.visit_expression(&it.expression);
        self.blank_behind(it.expression.span(), it.span);
    }

    fn visit_ts_instantiation_expression(&mut self, it: &TSInstantiationExpression<'a>) {
        self.visit_expression(&it.expression);
        self.blank_behind(it.expression.span(), it.span);
    }

    fn visit_ts_non_null_expression(&mut self, it: &TSNonNullExpression<'a>) {
        self.visit_expression(&it.expression);
        self.edits.blank(it.expression.span().end, it.span.end);
    }

    fn visit_ts_type_assertion(&mut self, it: &TSTypeAssertion<'a>) {
        self.type_assertion(it);
    }

    fn visit_ts_this_parameter(&mut self, it: &TSThisParameter<'a>) {
        self.blank_with_comma(it.span);
    }

    fn visit_variable_declaration(&mut self, it: &VariableDeclaration<'a>) {
        walk::walk_variable_declaration(self, it);
        self.constants.learn(it);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        self.variable_declarator(it);
    }

    fn visit_formal_parameter(&mut self, it: &FormalParameter<'a>) {
        self.formal_parameter(it);
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.arrow_function(it);
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        self.class_name = None;
        walk::walk_function(self, it, flags);
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        self.class(it, None);
    }

    fn visit_ts_enum_declaration(&mut self, it: &TSEnumDeclaration<'a>) {
        self.enum_declaration(it, None);
    }

    fn visit_ts_namespace_declaration(&mut self, it: &TSNamespaceDeclaration<'a>) {
        self.namespace_declaration(it, None);
    }

    fn visit_ts_import_equals_declaration(&mut self, it: &TSImportEqualsDeclaration<'a>) {
        self.import_equals(it, false);
    }

    fn visit_ts_export_assignment(&mut self, it: &TSExportAssignment<'a>) {
        self.refuse(it.span, "`export =` belongs to CommonJS", "write `export default` instead");
    }

    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        self.import_declaration(it);
    }

    fn visit_export_named_declaration(&mut self, it: &ExportNamedDeclaration<'a>) {
        self.export_specifiers(&it.specifiers);
    }

    fn visit_export_from_declaration(&mut self, it: &ExportFromDeclaration<'a>) {
        self.export_specifiers(&it.specifiers);
    }

    fn visit_export_declaration(&mut self, it: &ExportDeclaration<'a>) {
        self.export_declaration(it);
    }

    fn visit_export_default_declaration(&mut self, it: &ExportDefaultDeclaration<'a>) {
        self.export_default(it);
    }
}
