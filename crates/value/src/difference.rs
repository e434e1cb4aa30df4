//! Where two values differ.

use crate::number::same;
use crate::walk::{Step, Walk};
use crate::{Path, Segment, Value};

/// The first place, in the order of the byte form, where two values differ; `None` where they are equal.
///
/// Where only one of them has something, such as an element more, that is the place. Where an object's keys differ it is
/// the one of `recorded`.
///
/// ```
/// use intermission_value::{Value, first_difference};
///
/// let recorded = Value::array([Value::object([("to", "ann"), ("cc", "bob")])]);
/// let attempted = Value::array([Value::object([("to", "ann"), ("cc", "eve")])]);
/// assert_eq!(first_difference(&recorded, &attempted).unwrap().to_string(), "[0].cc");
/// assert_eq!(first_difference(&recorded, &recorded), None);
/// ```
pub fn first_difference(recorded: &Value, attempted: &Value) -> Option<Path> {
    let (mut one, mut other) = (Walk::new(recorded), Walk::new(attempted));
    loop {
        let (a, b) = match (one.next(), other.next()) {
            (None, None) => return None,
            (Some(a), Some(b)) => (a, b),
            (None, Some(_)) | (Some(_), None) => return Some(one.path()),
        };
        match (&a, &b) {
            (Step::Leaf(a), Step::Leaf(b)) if same_leaf(a, b) => {}
            (Step::Open(a), Step::Open(b)) if same_container(a, b) => {
                if let Some(field) = differing_text(a, b) {
                    return Some(one.path().then(Segment::Key(field.into())));
                }
            }
            (Step::Close(Value::Error(a)), Step::Close(Value::Error(b))) if a.code != b.code => {
                return Some(one.path().then(Segment::Key("code".into())));
            }
            (Step::Close(_), Step::Close(_))
            | (Step::Hole, Step::Hole)
            | (Step::Share(_), Step::Share(_)) => {}
            (Step::Key(a), Step::Key(b)) if a == b => {}
            (Step::Field(a), Step::Field(b)) if a == b => {}
            (Step::Close(_), _) => return Some(other.path()),
            _ => return Some(one.path()),
        }
    }
}

/// Equal where the byte forms are.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        first_difference(self, other).is_none()
    }
}

impl Eq for Value {}

fn same_leaf(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Undefined, Value::Undefined) | (Value::Null, Value::Null) => true,
        (Value::Bool(one), Value::Bool(other)) => one == other,
        (Value::Number(one), Value::Number(other)) => same(*one, *other),
        (Value::BigInt(one), Value::BigInt(other)) => one == other,
        (Value::String(one), Value::String(other)) => one == other,
        (Value::Date(one), Value::Date(other)) => one == other,
        (Value::RegExp(one), Value::RegExp(other)) => one == other,
        (Value::ArrayBuffer(one), Value::ArrayBuffer(other)) => one == other,
        (Value::View(one), Value::View(other)) => one == other,
        (Value::SharedView(one), Value::SharedView(other)) => one == other,
        (Value::Reference(one), Value::Reference(other)) => one == other,
        _ => false,
    }
}

/// Whether two containers are of one kind, whatever they hold.
fn same_container(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => one.has_null_prototype() == other.has_null_prototype(),
        _ => std::mem::discriminant(one) == std::mem::discriminant(other),
    }
}

fn differing_text(one: &Value, other: &Value) -> Option<&'static str> {
    let (Value::Error(one), Value::Error(other)) = (one, other) else { return None };
    if one.name != other.name {
        Some("name")
    } else if one.message != other.message {
        Some("message")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorCode, ErrorValue, Object};

    fn place(one: impl Into<Value>, other: impl Into<Value>) -> Option<String> {
        let (one, other) = (one.into(), other.into());
        let path = first_difference(&one, &other).map(|path| path.to_string());
        assert_eq!(one == other, path.is_none());
        path
    }

    #[test]
    fn equal_values_have_no_difference() {
        assert_eq!(place(f64::NAN, -f64::NAN), None);
        assert_eq!(place(vec![1, 2], vec![1, 2]), None);
    }

    #[test]
    fn a_root_that_differs_is_the_root() {
        for (one, other) in [
            (Value::from(0.0), Value::from(-0.0)),
            (Value::from(1), Value::from("1")),
            (Value::Undefined, Value::Null),
            (Value::Array(vec![]), Value::Set(vec![])),
            (Value::Object(Object::new()), Value::Object(Object::with_null_prototype())),
            (Value::from(1), Value::array([1])),
        ] {
            assert_eq!(place(one, other).as_deref(), Some(""));
        }
    }

    #[test]
    fn an_element_more_is_the_place() {
        assert_eq!(place(vec![1, 2], vec![1]).as_deref(), Some("[1]"));
        assert_eq!(place(vec![1], vec![1, 2]).as_deref(), Some("[1]"));
    }

    #[test]
    fn a_hole_is_not_undefined() {
        let holes = Value::Array(vec![Some(1.into()), None]);
        let filled = Value::array([Value::from(1), Value::Undefined]);
        assert_eq!(place(holes, filled).as_deref(), Some("[1]"));
    }

    #[test]
    fn of_two_keys_the_recorded_one_is_the_place() {
        let one = Value::object([("a", 1), ("b", 2)]);
        let other = Value::object([("a", 1), ("c", 2)]);
        assert_eq!(place(one.clone(), other).as_deref(), Some(".b"));
        assert_eq!(place(Value::object([("a", 1)]), one).as_deref(), Some(".b"));
    }

    #[test]
    fn maps_and_sets_count_their_entries() {
        let map = |key: i32, value: i32| Value::Map(vec![(0.into(), 0.into()), (key.into(), value.into())]);
        assert_eq!(place(map(1, 2), map(3, 2)).as_deref(), Some("<key 1>"));
        assert_eq!(place(map(1, 2), map(1, 3)).as_deref(), Some("<value 1>"));
        let set = |member: i32| Value::Set(vec![9.into(), member.into()]);
        assert_eq!(place(set(1), set(2)).as_deref(), Some("<member 1>"));
    }

    #[test]
    fn each_field_of_an_error_is_a_place() {
        let error = |change: fn(&mut ErrorValue)| {
            let mut error = ErrorValue::new("Error", "m");
            change(&mut error);
            error
        };
        let plain = || error(|_| {});
        assert_eq!(place(plain(), plain()), None);
        assert_eq!(place(plain(), error(|e| e.name = "TypeError".into())).as_deref(), Some(".name"));
        assert_eq!(place(plain(), error(|e| e.message = "n".into())).as_deref(), Some(".message"));
        assert_eq!(place(plain(), error(|e| e.cause = Some(Value::Undefined))).as_deref(), Some(".cause"));
        assert_eq!(
            place(error(|e| e.errors = Some(Value::Array(vec![]))), plain()).as_deref(),
            Some(".errors")
        );
        assert_eq!(
            place(plain(), error(|e| e.code = Some(ErrorCode::Number(1.0)))).as_deref(),
            Some(".code")
        );
        let deep = |code: f64| {
            let mut cause = ErrorValue::new("Error", "c");
            cause.code = Some(ErrorCode::Number(code));
            let mut error = ErrorValue::new("Error", "m");
            error.cause = Some(cause.into());
            error.errors = Some(Value::array([1]));
            error
        };
        assert_eq!(place(deep(1.0), deep(2.0)).as_deref(), Some(".cause.code"));
    }
}
