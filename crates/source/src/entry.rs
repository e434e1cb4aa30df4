//! Tolerant entry: what a script's value is when it doesn't say `return`.
//!
//! In this order:
//! 1. a top-level `return`: the script says itself what its value is, nothing changes;
//! 2. `export default` of anything but a class: its value, or if it is a function what it returns;
//! 3. a last statement that is an expression: its value, or if it is a function expression what it returns;
//! 4. a last statement that declares a function which is `main`, or the only one, and which nothing mentions: what it
//!    returns.
//!
//! A function is called with `input`.

use oxc_ast::ast::{
    Declaration, ExportDefaultDeclaration, ExportDefaultDeclarationKind, ExportSpecifier, Expression,
    Function, IdentifierReference, Statement, TSModuleReference,
};
use oxc_ast_visit::VisitJs;
use oxc_span::{GetSpan, Span};

use crate::edits::Edits;
use crate::error::{Complaint, SourceError};
use crate::parse::Parsed;
use crate::prepare::{Kind, SourceKind};
use crate::returns::top_level_return;
use crate::typescript::{fresh_name, is_erased, without_types};

/// Decides how the source is run, and makes its value what the guest hands out.
pub(crate) fn enter(
    text: &str,
    parsed: &Parsed<'_>,
    wanted: SourceKind,
    edits: &mut Edits,
) -> Result<Kind, SourceError> {
    let statements = parsed.program.body.as_slice();
    let module_syntax = || statements.iter().filter(|it| is_module_syntax(it));
    let default = module_syntax().find_map(exported_value);
    let only_default = default.is_some() && module_syntax().count() == 1 && !parsed.import_meta;

    let kind = match wanted {
        SourceKind::Imported => return Ok(Kind::Module),
        SourceKind::Module => Kind::Module,
        SourceKind::Auto if !only_default && (module_syntax().next().is_some() || parsed.import_meta) => {
            Kind::Module
        }
        SourceKind::Auto | SourceKind::FunctionBody => Kind::FunctionBody,
    };
    if kind == Kind::FunctionBody
        && !only_default
        && let Some(statement) = module_syntax().next()
    {
        let keyword = Span::sized(statement.span().start, 6);
        let complaint = complain(text, keyword, "`import` and `export` belong to modules");
        return Err(SourceError::Syntax(Box::new(complaint.hint("run it as a module, or leave them out"))));
    }
    let entry = Entry { text, statements, kind };
    match (top_level_return(statements), default) {
        (Some(span), default) if default.is_some() || kind == Kind::Module => {
            let complaint = complain(text, span, "`return` outside of a function, in a module");
            Err(SourceError::Syntax(Box::new(
                complaint.hint("a module's value is what it exports as `default`"),
            )))
        }
        (Some(_), _) => Ok(kind),
        (None, Some(export)) => {
            entry.export(export, edits);
            Ok(kind)
        }
        (None, None) => {
            if !module_syntax().any(exports_default) {
                entry.last_statement(edits);
            }
            Ok(kind)
        }
    }
}

/// The last statement's expression, if it is one. Function declarations are hoisted: they may well stand
/// behind the statement that uses them.
pub(crate) fn value_of_last_statement<'p, 'a>(statements: &'p [Statement<'a>]) -> Option<&'p Expression<'a>> {
    match statements.iter().rfind(|it| !is_empty(it) && declared_function(it).is_none()) {
        Some(Statement::ExpressionStatement(statement)) => Some(&statement.expression),
        _ => None,
    }
}

struct Entry<'p, 'a> {
    text: &'p str,
    statements: &'p [Statement<'a>],
    kind: Kind,
}

impl<'a> Entry<'_, 'a> {
    /// `export default`: the value is kept where it is and handed out behind everything else.
    fn export(&self, export: &ExportDefaultDeclaration<'a>, edits: &mut Edits) {
        let start = export.span.start;
        match &export.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                edits.blank(start, function.span.start);
                let name = if let Some(id) = &function.id {
                    id.name.to_string()
                } else {
                    let name = fresh_name(self.text, "$default");
                    let parameters =
                        function.type_parameters.as_ref().map_or(function.params.span, |types| types.span);
                    let apart = self.text[..parameters.start as usize].ends_with(char::is_whitespace);
                    edits.insert(parameters.start, format!("{}{name}", if apart { "" } else { " " }));
                    name
                };
                self.append(&format!("{name}(input)"), edits);
            }
            declaration => {
                let Some(expression) = declaration.as_expression() else { return };
                let name = fresh_name(self.text, "$default");
                edits.replace(start, expression.span().start, format!("const {name} = "));
                let value = match self.callable(expression) {
                    Some(true) => format!("{name}(input)"),
                    Some(false) => name,
                    None => format!("typeof {name} === \"function\" ? {name}(input) : {name}"),
                };
                self.append(&value, edits);
            }
        }
    }

    /// Whether the value of an expression is a function to call, if that can be told.
    fn callable(&self, expression: &Expression<'a>) -> Option<bool> {
        match without_types(expression) {
            Expression::ArrowFunctionExpression(_) => Some(true),
            Expression::FunctionExpression(function) => Some(!function.generator),
            Expression::Identifier(name) => {
                let class = self.statements.iter().any(|statement| {
                    matches!(statement, Statement::ClassDeclaration(class)
                        if class.id.as_ref().is_some_and(|id| id.name == name.name))
                });
                if class { Some(false) } else { None }
            }
            Expression::CallExpression(_)
            | Expression::StaticMemberExpression(_)
            | Expression::ComputedMemberExpression(_)
            | Expression::ConditionalExpression(_)
            | Expression::LogicalExpression(_)
            | Expression::AwaitExpression(_)
            | Expression::AssignmentExpression(_)
            | Expression::SequenceExpression(_) => None,
            _ => Some(false),
        }
    }

    fn last_statement(&self, edits: &mut Edits) {
        let Some(last) = self.statements.iter().rfind(|it| !is_empty(it)) else { return };
        if let Some(function) = declared_function(last)
            && let Some(name) = self.main_function(function)
        {
            return self.append(&format!("{name}(input)"), edits);
        }
        if let Some(value) = value_of_last_statement(self.statements) {
            self.value(value, edits);
        }
    }

    fn value(&self, expression: &Expression<'a>, edits: &mut Edits) {
        let is_function = match without_types(expression) {
            Expression::ArrowFunctionExpression(_) => true,
            Expression::FunctionExpression(function) => !function.generator,
            _ => false,
        };
        let Span { start, end, .. } = expression.span();
        let (open, close) = match (self.kind, is_function) {
            (Kind::FunctionBody, false) => ("return ", ""),
            (Kind::FunctionBody, true) => ("return (", ")(input)"),
            (Kind::Module, false) => ("export default await (", ")"),
            (Kind::Module, true) => ("export default await (", ")(input)"),
        };
        edits.insert(start, open);
        if !close.is_empty() {
            edits.insert(end, close);
        }
    }

    /// The name of the function that is the script: `main`, or the only one that the top level declares.
    fn main_function(&self, last: &Function<'a>) -> Option<&'a str> {
        let mut functions = self.statements.iter().filter_map(declared_function);
        let main = match functions.clone().find(|function| name_of(function) == Some("main")) {
            Some(main) => main,
            None if functions.nth(1).is_none() => last,
            None => return None,
        };
        let name = name_of(main)?;
        let mut mentions = Mentions { name, inside: main.span, found: false };
        for statement in self.statements {
            mentions.visit_statement(statement);
        }
        (!mentions.found && !main.generator).then_some(name)
    }

    /// Hands a value out at the end of the text, on a line of its own: the last one may be a comment.
    fn append(&self, value: &str, edits: &mut Edits) {
        let hand_out = match self.kind {
            Kind::FunctionBody => "return",
            Kind::Module => "export default await",
        };
        let value = if value.contains(' ') && self.kind == Kind::Module {
            format!("({value})")
        } else {
            value.to_owned()
        };
        edits.insert(self.text.len() as u32, format!("\n{hand_out} {value};"));
    }
}

/// Looks for a mention of a function outside of itself.
struct Mentions<'a> {
    name: &'a str,
    inside: Span,
    found: bool,
}

impl<'a> VisitJs<'a> for Mentions<'_> {
    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.found |= it.name.as_str() == self.name && !self.inside.contains_inclusive(it.span);
    }
}

/// The `export default` whose value can be the script's: of anything but a class or a generator function.
fn exported_value<'p, 'a>(statement: &'p Statement<'a>) -> Option<&'p ExportDefaultDeclaration<'a>> {
    let Statement::ExportDefaultDeclaration(export) = statement else { return None };
    let stays = match &export.declaration {
        ExportDefaultDeclarationKind::ClassDeclaration(_) => true,
        ExportDefaultDeclarationKind::FunctionDeclaration(function) => function.generator,
        _ => false,
    };
    (!stays).then_some(&**export)
}

/// Whether a statement exports something by the name `default`.
fn exports_default(statement: &Statement<'_>) -> bool {
    let names_default = |specifiers: &[ExportSpecifier<'_>]| {
        specifiers.iter().any(|specifier| specifier.exported.name() == "default")
    };
    match statement {
        Statement::ExportDefaultDeclaration(_) => true,
        Statement::ExportNamedDeclaration(export) => names_default(&export.specifiers),
        Statement::ExportFromDeclaration(export) => names_default(&export.specifiers),
        _ => false,
    }
}

fn is_module_syntax(statement: &Statement<'_>) -> bool {
    let required = matches!(statement, Statement::TSImportEqualsDeclaration(import)
        if matches!(import.module_reference, TSModuleReference::ExternalModuleReference(_)));
    (required || statement.is_module_declaration()) && !is_erased(statement)
}

/// The function that a statement declares (and perhaps exports), if it has a body.
fn declared_function<'p, 'a>(statement: &'p Statement<'a>) -> Option<&'p Function<'a>> {
    let function = match statement {
        Statement::FunctionDeclaration(function) => function,
        Statement::ExportDeclaration(export) => match &export.declaration {
            Declaration::FunctionDeclaration(function) => function,
            _ => return None,
        },
        _ => return None,
    };
    function.body.is_some().then_some(&**function)
}

fn name_of<'a>(function: &Function<'a>) -> Option<&'a str> {
    function.id.as_ref().map(|id| id.name.as_str())
}

fn is_empty(statement: &Statement<'_>) -> bool {
    matches!(statement, Statement::EmptyStatement(_)) || is_erased(statement)
}

fn complain(text: &str, span: Span, message: &str) -> Complaint {
    Complaint::new(text, span.start as usize, span.end as usize, message)
}
