//! TypeScript that the parser lets pass as JavaScript: modifiers and `?` in classes, `export default
//! interface`.

use oxc_ast::ast::{
    AccessorProperty, Class, ExportDefaultDeclaration, ExportDefaultDeclarationKind, MethodDefinition,
    Program, PropertyDefinition,
};
use oxc_ast_visit::{VisitJs, walk_js};

/// Whether the text has the words without which there is nothing to find.
pub(crate) fn may_occur(text: &str) -> bool {
    text.contains("class") || text.contains("interface")
}

/// Whether a program that passed as JavaScript is TypeScript.
pub(crate) fn occurs(program: &Program<'_>) -> bool {
    let mut search = Search { found: false };
    search.visit_program(program);
    search.found
}

struct Search {
    found: bool,
}

impl<'a> VisitJs<'a> for Search {
    fn visit_class(&mut self, it: &Class<'a>) {
        self.found |= it.r#abstract;
        walk_js::walk_class(self, it);
    }

    fn visit_method_definition(&mut self, it: &MethodDefinition<'a>) {
        self.found |= it.accessibility.is_some() || it.r#override || it.optional || it.r#type.is_abstract();
        walk_js::walk_method_definition(self, it);
    }

    fn visit_property_definition(&mut self, it: &PropertyDefinition<'a>) {
        self.found |= it.accessibility.is_some() || it.r#override || it.optional || it.r#type.is_abstract();
        self.found |= it.readonly || it.declare || it.definite;
        walk_js::walk_property_definition(self, it);
    }

    fn visit_accessor_property(&mut self, it: &AccessorProperty<'a>) {
        self.found |= it.accessibility.is_some() || it.r#override || it.definite || it.r#type.is_abstract();
        walk_js::walk_accessor_property(self, it);
    }

    fn visit_export_default_declaration(&mut self, it: &ExportDefaultDeclaration<'a>) {
        self.found |= matches!(it.declaration, ExportDefaultDeclarationKind::TSInterfaceDeclaration(_));
        walk_js::walk_export_default_declaration(self, it);
    }
}
