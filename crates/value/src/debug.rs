//! Values as text for people.

use std::fmt::{self, Write};

use crate::path::write_key;
use crate::walk::{Step, Walk};
use crate::{ErrorCode, SharedView, Value, View, ViewBuffer, iso_date};

/// On one line, close to JavaScript's literals: `{id: 1n, list: [<hole>, "a"], when: Date 1970-01-01T00:00:00.000Z}`.
/// A shared object is `&0 {...}` at its first place and `*0` after.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut writer = Writer { f, before: Before::Bracket, shares: 0, map_values: Vec::new() };
        Walk::new(self).try_for_each(|step| writer.step(&step))
    }
}

struct Writer<'a, 'b> {
    f: &'a mut fmt::Formatter<'b>,
    before: Before,
    shares: u32,
    /// For each open container whether it is a Map, and then whether the next item is an entry's value.
    map_values: Vec<Option<bool>>,
}

/// What stands before the next item.
enum Before {
    /// The container's bracket.
    Bracket,
    Item,
    /// Its own key or share: it is written already that there is an item.
    Label,
}

impl Writer<'_, '_> {
    fn step(&mut self, step: &Step<'_>) -> fmt::Result {
        match step {
            Step::Leaf(value) => {
                self.separate()?;
                self.leaf(value)
            }
            Step::Hole => {
                self.separate()?;
                self.f.write_str("<hole>")
            }
            Step::Open(value) => {
                self.separate()?;
                self.open(value)
            }
            Step::Key(key) => {
                self.separate()?;
                write_key(self.f, key)?;
                self.label()
            }
            Step::Field(field) => {
                self.separate()?;
                self.f.write_str(field.name())?;
                self.label()
            }
            Step::Share(_) => {
                self.separate()?;
                self.before = Before::Label;
                self.share()
            }
            Step::Close(value) => self.close(value),
        }
    }

    fn separate(&mut self) -> fmt::Result {
        let value_of_map = match std::mem::replace(&mut self.before, Before::Item) {
            Before::Label => return Ok(()),
            Before::Bracket => false,
            Before::Item => {
                let value_of_map = matches!(self.map_values.last(), Some(Some(true)));
                self.f.write_str(if value_of_map { " => " } else { ", " })?;
                value_of_map
            }
        };
        if let Some(Some(value)) = self.map_values.last_mut() {
            *value = !value_of_map;
        }
        Ok(())
    }

    fn label(&mut self) -> fmt::Result {
        self.before = Before::Label;
        self.f.write_str(": ")
    }

    fn share(&mut self) -> fmt::Result {
        self.shares += 1;
        write!(self.f, "&{} ", self.shares - 1)
    }

    fn leaf(&mut self, value: &Value) -> fmt::Result {
        match value {
            Value::Undefined => self.f.write_str("undefined"),
            Value::Null => self.f.write_str("null"),
            Value::Bool(bool) => write!(self.f, "{bool}"),
            Value::Number(number) => write_number(self.f, *number),
            Value::BigInt(integer) => write!(self.f, "{integer}n"),
            Value::String(string) => write!(self.f, "{string:?}"),
            Value::Date(Some(time)) => write!(self.f, "Date {}", iso_date::format(*time)),
            Value::Date(None) => self.f.write_str("Date <invalid>"),
            Value::RegExp(regexp) => write!(self.f, "{}", regexp.to_literal()),
            Value::ArrayBuffer(bytes) => {
                self.f.write_str("ArrayBuffer ")?;
                write_hex(self.f, bytes)
            }
            Value::View(view) => write_view(self.f, view),
            Value::SharedView(view) => self.shared_view(view),
            Value::Reference(index) => write!(self.f, "*{index}"),
            _ => Ok(()),
        }
    }

    fn shared_view(&mut self, view: &SharedView) -> fmt::Result {
        write!(self.f, "{}({}+{} of ", view.kind.name(), view.byte_offset, view.byte_length)?;
        match &view.buffer {
            ViewBuffer::First(bytes) => {
                self.share()?;
                write_hex(self.f, bytes)?;
            }
            ViewBuffer::Again(index) => write!(self.f, "*{index}")?,
        }
        self.f.write_char(')')
    }

    fn open(&mut self, value: &Value) -> fmt::Result {
        self.before = Before::Bracket;
        self.map_values.push(matches!(value, Value::Map(_)).then_some(false));
        match value {
            Value::Object(object) if object.has_null_prototype() => self.f.write_str("[null prototype] {"),
            Value::Object(_) => self.f.write_char('{'),
            Value::Map(_) => self.f.write_str("Map {"),
            Value::Set(_) => self.f.write_str("Set {"),
            Value::Error(error) => {
                self.before = Before::Item;
                write!(self.f, "{} {{message: {:?}", error.name, error.message)
            }
            _ => self.f.write_char('['),
        }
    }

    fn close(&mut self, value: &Value) -> fmt::Result {
        self.before = Before::Item;
        self.map_values.pop();
        if let Value::Error(error) = value {
            match &error.code {
                Some(ErrorCode::String(code)) => write!(self.f, ", code: {code:?}")?,
                Some(ErrorCode::Number(code)) => {
                    self.f.write_str(", code: ")?;
                    write_number(self.f, *code)?;
                }
                None => {}
            }
        }
        self.f.write_char(if matches!(value, Value::Array(_)) { ']' } else { '}' })
    }
}

fn write_number(f: &mut fmt::Formatter<'_>, number: f64) -> fmt::Result {
    if number.is_infinite() {
        f.write_str(if number > 0.0 { "Infinity" } else { "-Infinity" })
    } else if number == 0.0 || (1e-6..1e21).contains(&number.abs()) || number.is_nan() {
        write!(f, "{number}")
    } else {
        write!(f, "{number:e}")
    }
}

fn write_view(f: &mut fmt::Formatter<'_>, view: &View) -> fmt::Result {
    write!(f, "{} ", view.kind().name())?;
    write_hex(f, view.bytes())
}

fn write_hex(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    f.write_char('<')?;
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
    f.write_char('>')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorValue, JsString, Object, RegExp, SharedView, ViewKind};

    #[test]
    fn each_kind_reads_like_its_literal() {
        let error = ErrorValue {
            cause: Some(Value::Undefined),
            errors: Some(Value::array([1])),
            code: Some(ErrorCode::Number(4.0)),
            ..ErrorValue::new("E", "m")
        };
        let mut bare = Object::with_null_prototype();
        bare.insert("a b", 1);
        for (value, text) in [
            (Value::Undefined, "undefined"),
            (Value::from(-0.0), "-0"),
            (Value::from(1.5), "1.5"),
            (Value::from(1e21), "1e21"),
            (Value::from(f64::NEG_INFINITY), "-Infinity"),
            (Value::from(i64::MAX), "9223372036854775807n"),
            (Value::from(JsString::from_utf16(&[0x22, 0xd800])), r#""\"\u{d800}""#),
            (Value::Array(vec![None, Some(true.into())]), "[<hole>, true]"),
            (Value::from(bare), r#"[null prototype] {"a b": 1}"#),
            (Value::Date(Some(-1)), "Date 1969-12-31T23:59:59.999Z"),
            (Value::Date(None), "Date <invalid>"),
            (Value::from(RegExp::new("a", "g").unwrap()), "/a/g"),
            (
                Value::Map(vec![(1.into(), Value::array([2, 3])), (Value::Map(vec![]), 4.into())]),
                "Map {1 => [2, 3], Map {} => 4}",
            ),
            (Value::Set(vec![1.into(), Value::Set(vec![])]), "Set {1, Set {}}"),
            (Value::ArrayBuffer(vec![1, 255]), "ArrayBuffer <01ff>"),
            (Value::bytes(vec![]), "Uint8Array <>"),
            (Value::from(error), r#"E {message: "m", cause: undefined, errors: [1], code: 4}"#),
            (Value::Shared(Box::new(Value::array([Value::Null, Value::Reference(0)]))), "&0 [null, *0]"),
            (
                Value::array([
                    Value::from(SharedView {
                        kind: ViewKind::Int8Array,
                        buffer: ViewBuffer::First(vec![1, 2]),
                        byte_offset: 0,
                        byte_length: 2,
                    }),
                    Value::from(SharedView {
                        kind: ViewKind::DataView,
                        buffer: ViewBuffer::Again(0),
                        byte_offset: 1,
                        byte_length: 1,
                    }),
                ]),
                "[Int8Array(0+2 of &0 <0102>), DataView(1+1 of *0)]",
            ),
        ] {
            assert_eq!(format!("{value:?}"), text);
        }
    }
}
