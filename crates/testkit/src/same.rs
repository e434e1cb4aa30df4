//! When two values are the same.

use serde_json::Value as Json;

/// Whether two values are the same to JavaScript: `1` is `1.0`, and keys have no order.
pub fn same(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Number(one), Json::Number(other)) => one.as_f64() == other.as_f64(),
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Json::Object(one), Json::Object(other)) => {
            let has = |(key, value): (&String, &Json)| other.get(key).is_some_and(|other| same(value, other));
            one.len() == other.len() && one.iter().all(has)
        }
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::same;
    use serde_json::json;

    #[test]
    fn numbers_are_javascripts_and_keys_have_no_order() {
        assert!(same(&json!({ "a": [1], "b": null }), &json!({ "b": null, "a": [1.0] })));
        assert!(!same(&json!({ "a": 1 }), &json!({ "a": 1, "b": 2 })));
        assert!(!same(&json!([1, 2]), &json!([2, 1])));
        assert!(!same(&json!("1"), &json!(1)));
    }
}
