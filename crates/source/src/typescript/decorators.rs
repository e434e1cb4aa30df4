//! Decorators (TC39 proposal of stage 3, as TypeScript 5 understands them).
//!
//! ```ts
//! @c class A { @m f() {} }
//! ```
//! ```js
//! let A = $decorate([c], $class => { var A = class   { static { A = $class.apply(this, [...]); }
//!   static [$class.of(m)]() {} f() {} static { $class.finish(); } }; return A = $class.value; });
//! ```
//!
//! A decorator's expression stays where it is, in front of its member: it becomes the computed name of a
//! method that exists for no one, so that it is evaluated in order, in its scope. `$decorate` (`decorate.js`)
//! stands once at the end of the text.

use oxc_ast::ast::{
    AccessorPropertyType, Class, ClassElement, ClassType, Decorator, MethodDefinitionKind,
    PropertyDefinitionType, PropertyKey,
};
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};

use super::Rewriter;
use super::classes::{Export, property_fields};
use super::words::{fresh_name, next_token, quoted};

const HELPER: &str = include_str!("decorate.js");

/// The class around, whose members take part in decoration.
#[derive(Debug)]
pub(super) struct Lowering {
    /// The variable for what `$decorate` lends.
    pub(super) variable: String,
    /// The index of the next member that takes part.
    pub(super) next: usize,
}

/// The names of what is put in: none of them occurs in the text.
#[derive(Debug, Clone)]
pub(super) struct Names {
    helper: String,
    class: String,
    anonymous: String,
    /// The begin of the private names of `accessor` fields.
    pub(super) storage: String,
}

impl Names {
    fn fresh_in(text: &str) -> Self {
        Self {
            helper: fresh_name(text, "$decorate"),
            class: fresh_name(text, "$class"),
            anonymous: fresh_name(text, "$self"),
            storage: fresh_name(text, "#$value"),
        }
    }
}

/// Whether a class has decorators, or an accessor whose computed name must be kept.
pub(super) fn needs_lowering(class: &Class<'_>) -> bool {
    !class.decorators.is_empty() || class.body.body.iter().any(takes_part)
}

fn takes_part(element: &ClassElement<'_>) -> bool {
    match element {
        ClassElement::MethodDefinition(it) => !it.decorators.is_empty() && it.value.body.is_some(),
        ClassElement::PropertyDefinition(it) => {
            let erased = it.declare || it.r#type == PropertyDefinitionType::TSAbstractPropertyDefinition;
            !it.decorators.is_empty() && !erased
        }
        ClassElement::AccessorProperty(it) => {
            it.r#type == AccessorPropertyType::AccessorProperty && (it.computed || !it.decorators.is_empty())
        }
        ClassElement::StaticBlock(_) | ClassElement::TSIndexSignature(_) => false,
    }
}

impl<'a> Rewriter<'_, 'a> {
    /// Rewrites a class with decorators. `given` is the name that it gets from a variable.
    pub(super) fn decorated_class(&mut self, it: &Class<'a>, export: Option<Export>, given: Option<String>) {
        self.needs_helper = true;
        let Names { helper, class: variable, anonymous, .. } = self.names().clone();
        let own_name = it.id.as_ref().map(|id| id.name.to_string());
        let named = own_name.clone().or(given);
        let is_named = named.is_some();
        let inner = named.unwrap_or(anonymous);

        let before = self.outer_declaration(it, export, own_name.as_deref()) + &helper + "([";
        let same = if is_named { String::new() } else { format!("{variable}.same(") };
        let begin = format!("], {variable} => {{ var {inner} = {same}");
        self.class_decorators(it, before, begin);

        if let Some(id) = &it.id {
            self.edits.blank(id.span.start, id.span.end);
        }
        let start = self.class_start(it, &inner, &variable);
        self.edits.insert(it.body.span.start + 1, start);
        self.lowering = Some(Lowering { variable: variable.clone(), next: 0 });
        self.class_parts(it);
        if !it.decorators.is_empty() {
            self.edits.insert(it.body.span.end - 1, format!(" static {{ {variable}.finish(); }} "));
        }
        let same = if is_named { "" } else { ")" };
        self.edits.insert(it.span.end, format!("{same}; return {inner} = {variable}.value; }})"));
        if let Some(name) = own_name.filter(|_| it.r#type == ClassType::ClassDeclaration) {
            self.edits.insert(it.span.end, ";");
            if export.is_some_and(|export| export.is_default) {
                self.edits.insert(it.span.end, format!(" export {{ {name} as default }};"));
            }
        }
    }

    /// What stands before the call: the variable of a declaration, with its `export`.
    fn outer_declaration(&mut self, it: &Class<'a>, export: Option<Export>, name: Option<&str>) -> String {
        let variable = match name {
            Some(name) if it.r#type == ClassType::ClassDeclaration => format!("let {name} = "),
            _ => String::new(),
        };
        let Some(Export { keyword, is_default }) = export else { return variable };
        // A default export with a name is exported behind its declaration.
        let exported_later = is_default && name.is_some();
        let behind_decorators = it.decorators.first().is_some_and(|first| first.span.start < keyword);
        if exported_later || behind_decorators {
            let end = if is_default { next_token(self.text, keyword + 6) + 7 } else { keyword + 6 };
            self.edits.blank(keyword, end);
        }
        match (behind_decorators, is_default) {
            (true, false) => format!("export {variable}"),
            (true, true) if !exported_later => "export default ".to_owned(),
            _ => variable,
        }
    }

    fn class_decorators(&mut self, it: &Class<'a>, before: String, begin: String) {
        if let Some(last) = it.decorators.last() {
            self.decorator_list(&it.decorators, before);
            self.edits.insert(last.span.end, begin);
        } else {
            self.edits.insert(it.span.start, before + &begin);
        }
    }

    /// `@a @b` as a list, opened by a text.
    pub(super) fn decorator_list(&mut self, decorators: &[Decorator<'a>], opening: String) {
        let mut separator = opening;
        for decorator in decorators {
            let Span { start, .. } = decorator.span;
            self.edits.replace(start, start + 1, std::mem::replace(&mut separator, ",".to_owned()));
            self.visit_expression(&decorator.expression);
        }
    }

    /// The static block that applies the decorators, and what comes before the first field.
    fn class_start(&mut self, it: &Class<'a>, inner: &str, variable: &str) -> String {
        let elements: Vec<String> = it
            .body
            .body
            .iter()
            .filter(|it| takes_part(it))
            .enumerate()
            .map(|(index, it)| self.spec(index, it))
            .collect();
        let initialised = it.body.body.iter().any(|element| {
            matches!(element, ClassElement::MethodDefinition(it) if !it.r#static && !it.decorators.is_empty())
        });
        let start =
            if initialised { format!(" #{variable} = {variable}.start(this);") } else { String::new() };
        let specs = elements.join(", ");
        format!(" static {{ {inner} = {variable}.apply(this, [{specs}]); }}{start}{}", property_fields(it))
    }

    /// What `$decorate` must know of a member.
    fn spec(&mut self, index: usize, element: &ClassElement<'a>) -> String {
        let (kind, key, computed, fixed) = match element {
            ClassElement::MethodDefinition(it) => {
                let kind = match it.kind {
                    MethodDefinitionKind::Get => "getter",
                    MethodDefinitionKind::Set => "setter",
                    MethodDefinitionKind::Method | MethodDefinitionKind::Constructor => "method",
                };
                (kind, &it.key, it.computed, it.r#static)
            }
            ClassElement::PropertyDefinition(it) => ("field", &it.key, it.computed, it.r#static),
            ClassElement::AccessorProperty(it) => ("accessor", &it.key, it.computed, it.r#static),
            ClassElement::StaticBlock(_) | ClassElement::TSIndexSignature(_) => return String::new(),
        };
        let mut spec = vec![format!("kind: \"{kind}\"")];
        if !computed {
            spec.push(format!("name: {}", self.key_literal(key)));
        }
        if fixed {
            spec.push("static: true".to_owned());
        }
        if let PropertyKey::PrivateIdentifier(name) = key {
            let name = &name.name;
            spec.push(format!(
                "private: true, has: it => #{name} in it, get: it => it.#{name}, \
                 set: (it, value) => {{ it.#{name} = value; }}"
            ));
            if kind == "accessor" {
                let storage = self.storage_name(index);
                spec.push(format!(
                    "base: {{ get() {{ return this.{storage}; }}, set(value) {{ this.{storage} = value; }} }}"
                ));
            }
        }
        format!("{{ {} }}", spec.join(", "))
    }

    fn key_literal(&self, key: &PropertyKey<'a>) -> String {
        match key {
            PropertyKey::StaticIdentifier(it) => quoted(&it.name),
            PropertyKey::PrivateIdentifier(it) => quoted(&format!("#{}", it.name)),
            other => self.text[other.span().start as usize..other.span().end as usize].to_owned(),
        }
    }

    /// The private field behind an `accessor` that takes part.
    pub(super) fn storage_name(&mut self, index: usize) -> String {
        format!("{}{index}", self.names().storage)
    }

    pub(super) fn names(&mut self) -> &Names {
        self.names.get_or_insert_with(|| Names::fresh_in(self.text))
    }

    /// Puts `$decorate` behind the text where it is needed. Function declarations are hoisted.
    pub(super) fn add_helper(&mut self) {
        if self.needs_helper {
            let helper = HELPER.trim_end().replacen("$decorate", &self.names().helper, 1);
            self.edits.insert(self.text.len() as u32, format!("\n{helper}"));
        }
    }
}
