//! The members of a class that take part in decoration.

use oxc_ast::ast::{
    AccessorProperty, Decorator, Expression, MethodDefinition, MethodDefinitionKind, PropertyKey,
};
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};

use super::Rewriter;
use super::erase::without_types;

/// A member's place among those that take part in decoration.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub(super) index: usize,
}

impl<'a> Rewriter<'_, 'a> {
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

    /// A private method, getter or setter can't be replaced: it goes by another name, and one that asks for
    /// it stays.
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
        if let Some(Slot { index }) = slot {
            return self.storage_name(index);
        }
        self.numbered += 1;
        let number = self.numbered;
        format!("{}_{number}", self.names().storage)
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
