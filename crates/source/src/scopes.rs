//! Which names are bound where, and which references are free.

use std::cell::Cell;
use std::collections::BTreeSet;

use oxc_ast::ast::{
    AssignmentTargetPropertyIdentifier, BindingIdentifier, Class, ClassType, Expression, Function,
    FunctionType, IdentifierReference, ImportDeclaration, ImportOrExportKind, ImportSpecifier,
    ObjectProperty, TSEnumDeclaration, TSExternalModuleDeclaration, TSGlobalDeclaration,
    TSNamespaceDeclaration, VariableDeclaration, VariableDeclarationKind,
};
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_syntax::scope::{ScopeFlags, ScopeId};

/// A mention of a name as a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reference<'a> {
    pub(crate) name: &'a str,
    pub(crate) start: u32,
    /// Whether it is `{ name }`, which is key and value in one.
    pub(crate) shorthand: bool,
}

/// The references in what the closure visits that nothing there binds, in the order of the text.
pub(crate) fn free_references<'a>(visit: impl FnOnce(&mut Scopes<'a>)) -> Vec<Reference<'a>> {
    let mut scopes = Scopes { list: vec![Scope::default()], ..Scopes::default() };
    visit(&mut scopes);
    let Scopes { list, references, .. } = scopes;
    let is_free = |name: &str, mut scope: usize| loop {
        let Scope { parent, names, .. } = &list[scope];
        if names.contains(name) {
            return false;
        }
        match parent {
            Some(outer) => scope = *outer,
            None => return true,
        }
    };
    references
        .into_iter()
        .filter(|(found, scope)| is_free(found.name, *scope))
        .map(|(found, _)| found)
        .collect()
}

/// Collects bindings and references. What TypeScript erases binds nothing.
#[derive(Default)]
pub(crate) struct Scopes<'a> {
    list: Vec<Scope<'a>>,
    current: usize,
    references: Vec<(Reference<'a>, usize)>,
    /// Whether the names that are bound now belong to the function around.
    in_var: bool,
}

#[derive(Default)]
struct Scope<'a> {
    parent: Option<usize>,
    names: BTreeSet<&'a str>,
    is_function: bool,
}

impl<'a> Scopes<'a> {
    fn push(&mut self, is_function: bool) {
        self.list.push(Scope { parent: Some(self.current), names: BTreeSet::new(), is_function });
        self.current = self.list.len() - 1;
    }

    fn pop(&mut self) {
        self.current = self.list[self.current].parent.unwrap_or(0);
    }

    fn bind(&mut self, name: &'a str) {
        let mut scope = self.current;
        while self.in_var && !self.list[scope].is_function {
            let Some(outer) = self.list[scope].parent else { break };
            scope = outer;
        }
        self.list[scope].names.insert(name);
    }

    fn refer(&mut self, name: &'a str, start: u32, shorthand: bool) {
        self.references.push((Reference { name, start, shorthand }, self.current));
    }
}

impl<'a> VisitJs<'a> for Scopes<'a> {
    fn enter_scope(&mut self, flags: ScopeFlags, _: &Cell<Option<ScopeId>>) {
        let is_function = ScopeFlags::Function | ScopeFlags::TsModuleBlock | ScopeFlags::ClassStaticBlock;
        self.push(flags.intersects(is_function));
    }

    fn leave_scope(&mut self) {
        self.pop();
    }

    fn visit_binding_identifier(&mut self, it: &BindingIdentifier<'a>) {
        self.bind(it.name.as_str());
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.refer(it.name.as_str(), it.span.start, false);
    }

    fn visit_object_property(&mut self, it: &ObjectProperty<'a>) {
        match &it.value {
            Expression::Identifier(name) if it.shorthand => {
                self.refer(name.name.as_str(), name.span.start, true);
            }
            _ => walk_js::walk_object_property(self, it),
        }
    }

    fn visit_assignment_target_property_identifier(&mut self, it: &AssignmentTargetPropertyIdentifier<'a>) {
        self.refer(it.binding.name.as_str(), it.binding.span.start, true);
        if let Some(init) = &it.init {
            self.visit_expression(init);
        }
    }

    fn visit_variable_declaration(&mut self, it: &VariableDeclaration<'a>) {
        if !it.declare {
            let in_var = it.kind == VariableDeclarationKind::Var;
            for declarator in &it.declarations {
                let outer = std::mem::replace(&mut self.in_var, in_var);
                self.visit_binding_pattern(&declarator.id);
                self.in_var = outer;
                if let Some(init) = &declarator.init {
                    self.visit_expression(init);
                }
            }
        }
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        if it.declare || it.body.is_none() {
            return;
        }
        if let Some(id) = &it.id
            && it.r#type == FunctionType::FunctionDeclaration
        {
            self.bind(id.name.as_str());
        }
        let outer = std::mem::take(&mut self.in_var);
        walk_js::walk_function(self, it, flags);
        self.in_var = outer;
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        if it.declare {
            return;
        }
        let outer = std::mem::take(&mut self.in_var);
        if it.r#type == ClassType::ClassExpression {
            self.push(false);
            walk_js::walk_class(self, it);
            self.pop();
        } else {
            walk_js::walk_class(self, it);
        }
        self.in_var = outer;
    }

    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        if it.import_kind == ImportOrExportKind::Value {
            walk_js::walk_import_declaration(self, it);
        }
    }

    fn visit_import_specifier(&mut self, it: &ImportSpecifier<'a>) {
        if it.import_kind == ImportOrExportKind::Value {
            self.bind(it.local.name.as_str());
        }
    }

    fn visit_ts_enum_declaration(&mut self, it: &TSEnumDeclaration<'a>) {
        if !it.declare {
            walk_js::walk_ts_enum_declaration(self, it);
        }
    }

    fn visit_ts_namespace_declaration(&mut self, it: &TSNamespaceDeclaration<'a>) {
        if !it.declare {
            walk_js::walk_ts_namespace_declaration(self, it);
        }
    }

    fn visit_ts_external_module_declaration(&mut self, _: &TSExternalModuleDeclaration<'a>) {}

    fn visit_ts_global_declaration(&mut self, _: &TSGlobalDeclaration<'a>) {}
}

#[cfg(test)]
mod tests {
    use oxc_allocator::Allocator;

    use super::*;

    fn free(text: &str) -> Vec<String> {
        let allocator = Allocator::default();
        let parsed = crate::parse::parse(&allocator, text).unwrap();
        free_references(|scopes| scopes.visit_program(&parsed.program))
            .iter()
            .map(|it| it.name.to_owned())
            .collect()
    }

    #[test]
    fn declared_names_are_not_free() {
        assert_eq!(
            free("const a = b; let { c, d: e = f, ...g } = h; a + c + d + e + g"),
            ["b", "f", "h", "d"]
        );
        assert_eq!(free("function f(x, { y } = z) { return f(x, y, w) }"), ["z", "w"]);
        assert_eq!(free("import i, { j as k } from 'm'; i + j + k"), ["j"]);
        assert_eq!(free("class C extends D { m() { return C } }"), ["D"]);
        assert_eq!(free("try {} catch (e) { e } e"), ["e"]);
        assert_eq!(free("(x => x + y)(x)"), ["y", "x"]);
    }

    #[test]
    fn declarations_count_before_their_place() {
        assert_eq!(free("f(a); function f() {} var a"), Vec::<String>::new());
    }

    #[test]
    fn var_belongs_to_the_function_and_let_to_the_block() {
        assert_eq!(free("{ var a; let b } a + b"), ["b"]);
        assert_eq!(free("function f() { { var a } return a } a"), ["a"]);
        assert_eq!(free("for (let i = 0; i < 1;) {} i"), ["i"]);
    }

    #[test]
    fn names_of_expressions_are_theirs() {
        assert_eq!(free("(function f() { f }); f"), ["f"]);
        assert_eq!(free("(class C { m = C }); C"), ["C"]);
    }

    #[test]
    fn what_typescript_erases_binds_nothing() {
        assert_eq!(
            free("declare const t: any; declare function u(): void; import type { V } from 'v'; t + u + V"),
            ["t", "u", "V"]
        );
        assert_eq!(free("enum E { A } namespace N { export const x = 1 } E + N"), Vec::<String>::new());
    }

    #[test]
    fn shorthand_properties_are_marked() {
        let allocator = Allocator::default();
        let parsed = crate::parse::parse(&allocator, "({ a, b: c }); ({ d } = e)").unwrap();
        let found = free_references(|scopes| scopes.visit_program(&parsed.program));
        let marks: Vec<_> = found.iter().map(|it| (it.name, it.shorthand)).collect();
        assert_eq!(marks, [("a", true), ("c", false), ("d", true), ("e", false)]);
    }
}
