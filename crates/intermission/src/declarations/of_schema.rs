//! From a JSON Schema (draft 2020-12, and what earlier drafts say differently) to a type. What TypeScript cannot say (`not`, `if`, patterns, ranges)
//! makes a type wider, never narrower.

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use super::aliases::Aliases;
use super::name::quoted;
use super::shape::{Property, Shape};

/// Tuples of equal elements are written out up to this length.
const LONGEST_REPEAT: usize = 4;

/// Keywords that a property's comment repeats: a type cannot say them.
const TAGS: &[&str] = &["default", "format", "pattern", "minimum", "maximum", "minLength", "maxLength"];

/// Reads one schema.
pub(super) struct Reader<'s, 'a> {
    pub(super) root: &'s Value,
    pub(super) function: &'s str,
    pub(super) role: &'s str,
    pub(super) aliases: &'a mut Aliases,
}

impl Reader<'_, '_> {
    /// The type of a schema within the root.
    pub(super) fn shape(&mut self, schema: &Value) -> Shape {
        let Value::Object(keywords) = schema else {
            return if *schema == Value::Bool(false) { Shape::Never } else { Shape::Unknown };
        };
        let mut parts = vec![self.own_shape(keywords)];
        if let Some(Value::String(reference)) = keywords.get("$ref").or_else(|| keywords.get("$dynamicRef")) {
            parts.push(self.reference(reference));
        }
        for choice in ["anyOf", "oneOf"] {
            if let Some(Value::Array(schemas)) = keywords.get(choice) {
                parts.push(Shape::union(self.shapes(schemas)));
            }
        }
        if let Some(Value::Array(schemas)) = keywords.get("allOf") {
            parts.extend(self.shapes(schemas));
        }
        let shape = Shape::intersection(parts);
        if keywords.get("nullable") == Some(&Value::Bool(true)) {
            Shape::union([shape, Shape::word("null")])
        } else {
            shape
        }
    }

    fn shapes(&mut self, schemas: &[Value]) -> Vec<Shape> {
        schemas.iter().map(|schema| self.shape(schema)).collect()
    }

    /// What a schema says without looking into others at its side.
    fn own_shape(&mut self, keywords: &Map<String, Value>) -> Shape {
        if let Some(value) = keywords.get("const") {
            return literal(value);
        }
        if let Some(Value::Array(values)) = keywords.get("enum") {
            return Shape::union(values.iter().map(literal));
        }
        match keywords.get("type") {
            Some(Value::String(name)) => self.typed(name, keywords),
            Some(Value::Array(names)) => {
                Shape::union(names.iter().filter_map(Value::as_str).map(|name| self.typed(name, keywords)))
            }
            _ if OF_OBJECTS.iter().any(|keyword| keywords.contains_key(*keyword)) => self.object(keywords),
            _ if OF_ARRAYS.iter().any(|keyword| keywords.contains_key(*keyword)) => self.array(keywords),
            _ => Shape::Unknown,
        }
    }

    fn typed(&mut self, name: &str, keywords: &Map<String, Value>) -> Shape {
        match name {
            "string" | "number" | "boolean" | "null" => Shape::word(name),
            "integer" => Shape::word("number"),
            "array" => self.array(keywords),
            "object" => self.object(keywords),
            _ => Shape::Unknown,
        }
    }

    fn object(&mut self, keywords: &Map<String, Value>) -> Shape {
        let required: Vec<&str> = keywords
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let declared = keywords.get("properties").and_then(Value::as_object);
        let mut properties: Vec<Property> = declared
            .into_iter()
            .flatten()
            .map(|(key, schema)| self.property(key, schema, required.contains(&key.as_str())))
            .collect();
        for key in required {
            if !properties.iter().any(|property| property.key == key) {
                properties.push(self.property(key, &Value::Bool(true), true));
            }
        }
        let rest = self.further_properties(keywords, &properties);
        Shape::Object { properties, rest: rest.map(Box::new) }
    }

    fn property(&mut self, key: &str, schema: &Value, required: bool) -> Property {
        let tag = |name: &&str| schema.get(name).map(|value| format!("@{name} {}", bare(value)));
        Property {
            key: key.to_owned(),
            optional: !required,
            shape: self.shape(schema),
            description: schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned(),
            tags: TAGS.iter().filter_map(tag).collect(),
        }
    }

    /// The type of the properties that the schema does not name; none where it doesn't say that there are any.
    fn further_properties(
        &mut self,
        keywords: &Map<String, Value>,
        properties: &[Property],
    ) -> Option<Shape> {
        let patterns = keywords.get("patternProperties").and_then(Value::as_object);
        let further = keywords.get("additionalProperties").or_else(|| keywords.get("unevaluatedProperties"));
        let schemas: Vec<&Value> = patterns.into_iter().flat_map(Map::values).chain(further).collect();
        let rest = Shape::union(schemas.iter().map(|schema| self.shape(schema)));
        match (schemas.is_empty(), properties.is_empty()) {
            (true, true) => Some(Shape::Unknown),
            (true, false) => None,
            (false, true) => Some(rest),
            (false, false) if rest == Shape::Never => None,
            // In TypeScript an index signature holds for the named properties, too.
            (false, false) => {
                let absent =
                    properties.iter().any(|property| property.optional).then(|| Shape::word("undefined"));
                let named = properties.iter().map(|property| property.shape.clone());
                Some(Shape::union([rest].into_iter().chain(named).chain(absent)))
            }
        }
    }

    fn array(&mut self, keywords: &Map<String, Value>) -> Shape {
        let items = keywords.get("items");
        // Draft 2019-09 and before: a list of `items`, and `additionalItems`.
        let (prefix, rest) = match (keywords.get("prefixItems"), items) {
            (Some(Value::Array(prefix)), rest) => (prefix.as_slice(), rest),
            (None, Some(Value::Array(prefix))) => (prefix.as_slice(), keywords.get("additionalItems")),
            _ => (&[][..], items),
        };
        let length = |keyword| keywords.get(keyword).and_then(Value::as_u64).map(|length| length as usize);
        let (least, most) = (length("minItems").unwrap_or(0), length("maxItems"));
        let rest = rest.map_or(Shape::Unknown, |rest| self.shape(rest));
        if prefix.is_empty() {
            return match most {
                Some(most) if most == least && most <= LONGEST_REPEAT => {
                    Shape::Tuple { items: vec![rest; most], required: most, rest: None }
                }
                _ => Shape::Array(Box::new(rest)),
            };
        }
        let is_closed = rest == Shape::Never || most.is_some_and(|most| most <= prefix.len());
        let items = self.shapes(prefix);
        Shape::Tuple { required: least.min(items.len()), items, rest: (!is_closed).then(|| Box::new(rest)) }
    }

    /// What a `$ref` within the document leads to; anything where it leads elsewhere.
    fn reference(&mut self, reference: &str) -> Shape {
        let root = self.root;
        let Some(fragment) = reference.strip_prefix('#') else { return Shape::Unknown };
        let pointer = percent_decode_str(fragment).decode_utf8_lossy();
        let Some(definition) = root.pointer(&pointer) else { return Shape::Unknown };
        let wanted = pointer.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or(self.role);
        Shape::Alias(Aliases::name(self, wanted, definition, |reader| reader.shape(definition)))
    }
}

const OF_OBJECTS: &[&str] = &["properties", "required", "additionalProperties", "patternProperties"];
const OF_ARRAYS: &[&str] = &["items", "prefixItems"];

/// The type of exactly one value.
fn literal(value: &Value) -> Shape {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => Shape::word(value.to_string()),
        Value::String(text) => Shape::word(quoted(text)),
        Value::Array(items) => {
            Shape::Tuple { items: items.iter().map(literal).collect(), required: items.len(), rest: None }
        }
        Value::Object(entries) => {
            let property = |(key, value): (&String, &Value)| Property {
                key: key.clone(),
                optional: false,
                shape: literal(value),
                description: String::new(),
                tags: Vec::new(),
            };
            let rest = entries.is_empty().then(|| Box::new(Shape::Never));
            Shape::Object { properties: entries.iter().map(property).collect(), rest }
        }
    }
}

/// Text without its quotes, everything else as JSON.
fn bare(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
