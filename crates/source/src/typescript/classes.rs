//! Classes: modifiers, members that are types, parameter properties.

use oxc_ast::ast::{
    AccessorPropertyType, BindingPattern, CallExpression, Class, ClassElement, Expression, FormalParameter,
    FunctionBody, MethodDefinition, MethodDefinitionKind, PropertyDefinition, PropertyDefinitionType,
    PropertyKey, Statement,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};

use super::Rewriter;
use super::words::next_token;

/// The `export` before a class.
#[derive(Debug, Clone, Copy)]
pub(super) struct Export {
    /// Where the word begins. Decorators may stand before it.
    pub(super) keyword: u32,
    pub(super) is_default: bool,
}

const MODIFIERS: [&str; 7] =
    ["public", "private", "protected", "readonly", "declare", "abstract", "override"];

impl<'a> Rewriter<'_, 'a> {
    pub(super) fn class(&mut self, it: &Class<'a>, export: Option<Export>) {
        let name = self.class_name.take();
        let outer = self.lowering.take();
        if super::decorators::needs_lowering(it) {
            self.decorated_class(it, export, name);
        } else {
            let property_fields = property_fields(it);
            if !property_fields.is_empty() {
                self.edits.insert(it.body.span.start + 1, property_fields);
            }
            self.class_parts(it);
        }
        self.lowering = outer;
    }

    /// Everything of a class but its decorators and name.
    pub(super) fn class_parts(&mut self, it: &Class<'a>) {
        if it.r#abstract {
            let start = it.decorators.last().map_or(it.span.start, |last| last.span.end.max(it.span.start));
            self.blank_modifiers(start, it.id.as_ref().map_or(it.body.span.start, |id| id.span.start));
        }
        if let Some(types) = &it.type_parameters {
            self.visit_ts_type_parameter_declaration(types);
        }
        if let Some(heritage) = &it.heritage {
            self.visit_class_heritage(heritage);
        }
        self.blank_implements(it);
        for element in &it.body.body {
            self.class_element(element, it.heritage.is_some());
        }
    }

    fn blank_implements(&mut self, it: &Class<'a>) {
        let Some(last) = it.implements.last() else { return };
        let before = match (&it.heritage, &it.type_parameters, &it.id) {
            (Some(heritage), ..) => heritage
                .type_arguments
                .as_ref()
                .map_or(heritage.expression.span().end, |types| types.span.end),
            (None, Some(types), _) => types.span.end,
            (None, None, Some(id)) => id.span.end,
            (None, None, None) => self.class_keyword(it) + 5,
        };
        self.edits.blank(next_token(self.text, before), last.span.end);
    }

    /// Where the word `class` stands: behind decorators, `export` and `abstract`.
    fn class_keyword(&self, it: &Class<'a>) -> u32 {
        let mut at = it.decorators.last().map_or(it.span.start, |last| last.span.end.max(it.span.start));
        loop {
            at = next_token(self.text, at);
            let length = word_length(&self.text[at as usize..]);
            if length == 0 || &self.text[at as usize..(at + length) as usize] == "class" {
                return at;
            }
            at += length;
        }
    }

    fn class_element(&mut self, element: &ClassElement<'a>, derived: bool) {
        match element {
            ClassElement::TSIndexSignature(it) => self.edits.erase(it.span),
            ClassElement::StaticBlock(it) => walk::walk_static_block(self, it),
            ClassElement::MethodDefinition(it) if it.value.body.is_none() => self.edits.erase(it.span),
            ClassElement::MethodDefinition(it) => self.method(it, derived),
            ClassElement::PropertyDefinition(it)
                if it.declare || it.r#type == PropertyDefinitionType::TSAbstractPropertyDefinition =>
            {
                self.edits.erase(it.span);
            }
            ClassElement::PropertyDefinition(it) => self.property(it),
            ClassElement::AccessorProperty(it)
                if it.r#type == AccessorPropertyType::TSAbstractAccessorProperty =>
            {
                self.edits.erase(it.span);
            }
            ClassElement::AccessorProperty(it) => self.accessor(it),
        }
    }

    fn method(&mut self, it: &MethodDefinition<'a>, derived: bool) {
        let slot = self.element_decorators(&it.decorators);
        let start = it.decorators.last().map_or(it.span.start, |last| last.span.end);
        if it.accessibility.is_some() || it.r#override {
            let generator = it.value.generator && !it.value.r#async;
            let opens = !it.r#static
                && it.kind == MethodDefinitionKind::Method
                && (generator || it.computed && !it.value.r#async);
            self.blank_element_modifiers(start, &it.key, opens);
        }
        if it.optional {
            self.blank_mark(self.key_end(&it.key, it.computed));
        }
        self.element_key(&it.key, it.computed, slot);
        self.private_method(it, slot);
        walk::walk_function(self, &it.value, oxc_syntax::scope::ScopeFlags::Function);
        if it.kind == MethodDefinitionKind::Constructor
            && let Some(body) = &it.value.body
        {
            self.assign_properties(&it.value.params.items, body, derived);
        }
    }

    fn property(&mut self, it: &PropertyDefinition<'a>) {
        let slot = self.element_decorators(&it.decorators);
        let start = it.decorators.last().map_or(it.span.start, |last| last.span.end);
        if it.accessibility.is_some() || it.r#override || it.readonly {
            self.blank_element_modifiers(start, &it.key, !it.r#static && it.computed);
        }
        let key_end = self.key_end(&it.key, it.computed);
        if it.optional || it.definite {
            self.blank_mark(key_end);
        }
        self.element_key(&it.key, it.computed, slot);
        if let Some(types) = &it.type_annotation {
            // A field of one of these names would become the modifier of what stands on the next line.
            let is_modifier = it.value.is_none()
                && matches!(&it.key, PropertyKey::StaticIdentifier(key)
                    if matches!(key.name.as_str(), "get" | "set" | "static" | "async" | "accessor"));
            if is_modifier {
                self.edits.blank_after(';', types.span.start, types.span.end);
            } else {
                self.visit_ts_type_annotation(types);
            }
        }
        self.field_value(key_end, it.value.as_ref(), it.span, it.r#static, slot);
    }

    /// Where a member's key ends, with its bracket.
    pub(super) fn key_end(&self, key: &PropertyKey<'a>, computed: bool) -> u32 {
        let end = key.span().end;
        if computed { next_token(self.text, end) + 1 } else { end }
    }

    /// Blanks the modifiers of a member. When a `[` or `*` is left at its beginning, which would belong to
    /// the line before, a `;` takes the first one's place.
    pub(super) fn blank_element_modifiers(&mut self, start: u32, key: &PropertyKey<'a>, opens: bool) {
        let word = matches!(key, PropertyKey::StaticIdentifier(it)
            if matches!(it.name.as_str(), "in" | "instanceof"));
        let first = next_token(self.text, start);
        if opens || word {
            let length = word_length(&self.text[first as usize..]);
            self.edits.blank_after(';', first, first + length);
            self.blank_modifiers(first + length, key.span().start);
        } else {
            self.blank_modifiers(start, key.span().start);
        }
    }

    /// Blanks the modifiers of TypeScript between two places.
    pub(super) fn blank_modifiers(&mut self, from: u32, to: u32) {
        let mut at = next_token(self.text, from);
        while at < to {
            let length = word_length(&self.text[at as usize..]);
            let word = &self.text[at as usize..(at + length) as usize];
            if MODIFIERS.contains(&word) {
                self.edits.blank(at, at + length);
            }
            at = next_token(self.text, at + length.max(1));
        }
    }

    /// `this.x = x;` for each parameter property, at the earliest place where there is a `this`.
    fn assign_properties(
        &mut self,
        parameters: &[FormalParameter<'a>],
        body: &FunctionBody<'a>,
        derived: bool,
    ) {
        let assignments = property_names(parameters)
            .fold(String::new(), |text, name| text + " this." + name + " = " + name + ";");
        if assignments.is_empty() {
            return;
        }
        if !derived {
            let at = body.directives.last().map_or(body.span.start + 1, |last| last.span.end);
            return self.edits.insert(at, self.after_statement(at, &assignments));
        }
        match body.statements.iter().find(|statement| is_super_call(statement)) {
            Some(statement) => {
                let Span { end, .. } = statement.span();
                self.edits.insert(end, self.after_statement(end, &assignments));
            }
            None => self.refuse(
                body.span,
                "a constructor with parameter properties must call `super` in a statement of its own",
                "put `super(...)` at the top of the constructor",
            ),
        }
    }

    fn after_statement(&self, end: u32, text: &str) -> String {
        let closed = self.text[..end as usize].ends_with([';', '{']);
        format!("{}{text}", if closed { "" } else { ";" })
    }
}

/// The fields that parameter properties declare: they come before the others.
pub(super) fn property_fields(class: &Class<'_>) -> String {
    let constructor = class.body.body.iter().find_map(|element| match element {
        ClassElement::MethodDefinition(it)
            if it.kind == MethodDefinitionKind::Constructor && it.value.body.is_some() =>
        {
            Some(it)
        }
        _ => None,
    });
    let Some(constructor) = constructor else { return String::new() };
    property_names(&constructor.value.params.items)
        .fold(String::new(), |fields, name| fields + " " + name + ";")
}

fn property_names<'p>(parameters: &'p [FormalParameter<'_>]) -> impl Iterator<Item = &'p str> {
    parameters.iter().filter(|it| it.accessibility.is_some() || it.readonly || it.r#override).filter_map(
        |it| match &it.pattern {
            BindingPattern::BindingIdentifier(id) => Some(id.name.as_str()),
            _ => None,
        },
    )
}

fn is_super_call(statement: &Statement<'_>) -> bool {
    matches!(statement, Statement::ExpressionStatement(it)
        if matches!(&it.expression, Expression::CallExpression(call) if is_super(call)))
}

fn is_super(call: &CallExpression<'_>) -> bool {
    matches!(call.callee, Expression::Super(_))
}

fn word_length(text: &str) -> u32 {
    text.bytes().take_while(u8::is_ascii_alphabetic).count() as u32
}
