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
//! A decorator's expression stays where it is, in front of its member: it becomes the computed name of a method that
//! exists for no one, so that it is evaluated in order, in its scope. `$decorate` (`decorate.js`) stands once at the end of the text.

use oxc_ast::ast::{
    AccessorProperty, AccessorPropertyType, Class, ClassElement, ClassType, Decorator, Expression,
    MethodDefinition, MethodDefinitionKind, PropertyDefinitionType, PropertyKey,
};
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};

use super::Rewriter;
use super::classes::{Export, property_fields};
use super::erase::without_types;
use super::words::{fresh_name, next_token, quoted};

const HELPER: &str = include_str!("decorate.js");

/// The class around, whose members take part in decoration.
#[derive(Debug)]
pub(super) struct Lowering {
    /// The variable for what `$decorate` lends.
    variable: String,
    /// The index of the next member that takes part.
    next: usize,
}

/// The names of what is put in: none of them occurs in the text.
#[derive(Debug, Clone)]
pub(super) struct Names {
    helper: String,
    class: String,
    anonymous: String,
    /// The begin of the private names of `accessor` fields.
    storage: String,
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

/// A member's place among those that take part in decoration.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub(super) index: usize,
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

        let mut before = self.outer_declaration(it, export, own_name.as_deref());
        before.push_str(&format!("{helper}(["));
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
        let mut end = format!("{same}; return {inner} = {variable}.value; }})");
        if let Some(name) = own_name.filter(|_| it.r#type == ClassType::ClassDeclaration) {
            end.push(';');
            if export.is_some_and(|export| export.is_default) {
                end.push_str(&format!(" export {{ {name} as default }};"));
            }
        }
        self.edits.insert(it.span.end, end);
    }

    /// What stands before the call: the variable of a declaration, with its `export`.
    fn outer_declaration(&mut self, it: &Class<'a>, export: Option<Export>, name: Option<&str>) -> String {
        let decorators_first =
            |keyword: u32| it.decorators.first().is_some_and(|first| first.span.start < keyword);
        let mut text = String::new();
        if let Some(Export { keyword, is_default }) = export {
            let word = if is_default { "export default" } else { "export" };
            let stays = (!is_default || name.is_none()) && !decorators_first(keyword);
            if !stays {
                let mut end = keyword + 6;
                if is_default {
                    end = next_token(self.text, end) + 7;
                }
                self.edits.blank(keyword, end);
                if !is_default || name.is_none() {
                    text.push_str(word);
                    text.push(' ');
                }
            }
        }
        if let Some(name) = name.filter(|_| it.r#type == ClassType::ClassDeclaration) {
            text.push_str(&format!("let {name} = "));
        }
        text
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
    fn decorator_list(&mut self, decorators: &[Decorator<'a>], opening: String) {
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
        let mut spec = format!("{{ kind: \"{kind}\"");
        if !computed {
            spec.push_str(&format!(", name: {}", self.key_literal(key)));
        }
        if fixed {
            spec.push_str(", static: true");
        }
        if let PropertyKey::PrivateIdentifier(name) = key {
            let name = &name.name;
            spec.push_str(&format!(
                ", private: true, has: it => #{name} in it, get: it => it.#{name}, \
                 set: (it, value) => {{ it.#{name} = value; }}"
            ));
            if kind == "accessor" {
                let storage = self.storage_name(index);
                spec.push_str(&format!(
                    ", base: {{ get() {{ return this.{storage}; }}, set(value) {{ this.{storage} = value; }} }}"
                ));
            }
        }
        spec.push_str(" }");
        spec
    }

    fn key_literal(&self, key: &PropertyKey<'a>) -> String {
        match key {
            PropertyKey::StaticIdentifier(it) => quoted(&it.name),
            PropertyKey::PrivateIdentifier(it) => quoted(&format!("#{}", it.name)),
            other => self.text[other.span().start as usize..other.span().end as usize].to_owned(),
        }
    }

    /// The decorators of a member, as the name of a method that `$decorate` takes away.
    pub(super) fn element_decorators(&mut self, decorators: &[Decorator<'a>]) -> Option<Slot> {
        let last = decorators.last()?;
        let slot = self.take_slot()?;
        self.decorator_list(decorators, format!("static [{}.of(", self.lowered()));
        self.edits.insert(last.span.end, ")]() {}");
        Some(slot)
    }

    pub(super) fn accessor_decorators(&mut self, it: &AccessorProperty<'a>) -> Option<Slot> {
        if it.computed && it.decorators.is_empty() {
            let slot = self.take_slot()?;
            self.edits.insert(it.span.start, format!("static [{}.of()]() {{}} ", self.lowered()));
            return Some(slot);
        }
        self.element_decorators(&it.decorators)
    }

    fn take_slot(&mut self) -> Option<Slot> {
        let lowering = self.lowering.as_mut()?;
        lowering.next += 1;
        Some(Slot { index: lowering.next - 1 })
    }

    /// The variable of the class around that is rewritten.
    pub(super) fn lowered(&self) -> &str {
        self.lowering.as_ref().map_or("", |lowering| &lowering.variable)
    }

    /// A member's key. A computed one is remembered where the member takes part.
    pub(super) fn element_key(&mut self, key: &PropertyKey<'a>, computed: bool, slot: Option<Slot>) {
        if !computed {
            return;
        }
        let Span { start, end, .. } = key.span();
        if let Some(slot) = slot {
            self.edits.insert(start, format!("{}.key({}, ", self.lowered(), slot.index));
        }
        let outer = self.lowering.take();
        self.visit_property_key(key);
        self.lowering = outer;
        if slot.is_some() {
            self.edits.insert(end, ")");
        }
    }

    /// A private method, getter or setter can't be replaced: it goes by another name, and one that asks for it stays.
    pub(super) fn private_method(&mut self, it: &MethodDefinition<'a>, slot: Option<Slot>) {
        if slot.is_some() && it.kind == MethodDefinitionKind::Constructor {
            return self.refuse(
                it.key.span(),
                "a constructor can't have a decorator",
                "decorate the class instead",
            );
        }
        let (Some(Slot { index }), PropertyKey::PrivateIdentifier(key)) = (slot, &it.key) else { return };
        let variable = self.lowered().to_owned();
        self.edits.replace(key.span.start, key.span.end, format!("[{variable}.slot({index})]"));
        let fixed = if it.r#static { "static " } else { "" };
        let own = format!("{variable}.own({index})");
        let name = &key.name;
        let stand_in = match it.kind {
            MethodDefinitionKind::Get => format!("get #{name}() {{ return {own}.get.call(this); }}"),
            MethodDefinitionKind::Set => format!("set #{name}(value) {{ {own}.set.call(this, value); }}"),
            MethodDefinitionKind::Method | MethodDefinitionKind::Constructor => {
                format!("get #{name}() {{ return {own}.value; }}")
            }
        };
        self.edits.insert(it.span.end, format!(" {fixed}{stand_in}"));
    }

    /// The value of a field, run through the initialisers of its decorators; then those that they added.
    pub(super) fn field_value(
        &mut self,
        key_end: u32,
        value: Option<&Expression<'a>>,
        whole: Span,
        fixed: bool,
        slot: Option<Slot>,
    ) {
        let Some(Slot { index }) = slot else {
            if let Some(value) = value {
                let outer = self.lowering.take();
                self.visit_expression(value);
                self.lowering = outer;
            }
            return;
        };
        let variable = self.lowered().to_owned();
        match value {
            None => self.edits.insert(key_end, format!(" = {variable}.init({index}, this)")),
            Some(value) => {
                let Span { start, end, .. } = value.span();
                let named = is_anonymous(without_types(value));
                let (open, close) =
                    if named { (format!("{variable}.named({index}, "), "))") } else { (String::new(), ")") };
                self.edits.insert(start, format!("{variable}.init({index}, this, {open}"));
                let outer = self.lowering.take();
                self.visit_expression(value);
                self.lowering = outer;
                self.edits.insert(end, close);
            }
        }
        let closed = self.text[..whole.end as usize].ends_with(';');
        let fixed = if fixed { "static " } else { "" };
        let semicolon = if closed { "" } else { ";" };
        let text = format!("{semicolon} {fixed}#{variable}{index} = {variable}.extra({index}, this);");
        self.edits.insert(whole.end, text);
    }

    /// The private field behind an `accessor`.
    pub(super) fn storage_of(&mut self, slot: Option<Slot>) -> String {
        match slot {
            Some(Slot { index }) => self.storage_name(index),
            None => {
                self.numbered += 1;
                let number = self.numbered;
                format!("{}_{number}", self.names().storage)
            }
        }
    }

    fn storage_name(&mut self, index: usize) -> String {
        format!("{}{index}", self.names().storage)
    }

    fn names(&mut self) -> &Names {
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

/// Whether an expression is a function or class that takes the name of what it is assigned to.
fn is_anonymous(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::ArrowFunctionExpression(_) => true,
        Expression::FunctionExpression(it) => it.id.is_none(),
        Expression::ClassExpression(it) => it.id.is_none(),
        _ => false,
    }
}
