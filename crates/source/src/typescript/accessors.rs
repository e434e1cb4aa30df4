//! `accessor` fields (decorators proposal): a getter, a setter and a private field.
//!
//! ```ts
//! accessor x = 1;
//! ```
//! ```js
//! get x() { return this.#$a; } set x(value) { this.#$a = value; } #$a = 1;
//! ```

use oxc_ast::ast::{AccessorProperty, PropertyKey};
use oxc_ast_visit::Visit;
use oxc_span::GetSpan;

use super::Rewriter;
use super::members::Slot;
use super::words::next_token;

impl<'a> Rewriter<'_, 'a> {
    pub(super) fn accessor(&mut self, it: &AccessorProperty<'a>) {
        let slot = self.accessor_decorators(it);
        let start = it.decorators.last().map_or(it.span.start, |last| last.span.end);
        self.blank_modifiers(start, it.key.span().start);
        self.keyword_to_get(start, it.key.span().start);

        let storage = self.storage_of(slot);
        let key_end = self.key_end(&it.key, it.computed);
        let fixed = if it.r#static { "static " } else { "" };
        let second = self.second_key(&it.key, it.computed, slot);
        let (read, write) = match slot {
            Some(slot) if matches!(it.key, PropertyKey::PrivateIdentifier(_)) => {
                let own = format!("{}.own({})", self.lowered(), slot.index);
                (format!("return {own}.get.call(this);"), format!("{own}.set.call(this, value);"))
            }
            _ => (format!("return this.{storage};"), format!("this.{storage} = value;")),
        };
        let text = format!("() {{ {read} }} {fixed}set {second}(value) {{ {write} }} {fixed}{storage}");
        self.element_key(&it.key, it.computed, slot);
        self.edits.insert(key_end, text);
        if it.definite {
            self.blank_mark(key_end);
        }
        if let Some(types) = &it.type_annotation {
            self.visit_ts_type_annotation(types);
        }
        self.field_value(key_end, it.value.as_ref(), it.span, it.r#static, slot);
    }

    fn keyword_to_get(&mut self, from: u32, to: u32) {
        let mut at = next_token(self.text, from);
        while at < to {
            let rest = &self.text[at as usize..];
            if rest.starts_with("accessor") {
                return self.edits.replace(at, at + 8, "get");
            }
            let word = rest.bytes().take_while(u8::is_ascii_alphabetic).count().max(1);
            at = next_token(self.text, at + word as u32);
        }
    }

    /// The key of the setter, which must not compute the getter's again.
    fn second_key(&self, key: &PropertyKey<'a>, computed: bool, slot: Option<Slot>) -> String {
        match slot {
            Some(slot) if computed => format!("[{}.again({})]", self.lowered(), slot.index),
            _ => self.text[key.span().start as usize..key.span().end as usize].to_owned(),
        }
    }
}
