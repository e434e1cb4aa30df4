//! Types as text.

use super::comment::comment;
use super::name::key;
use super::shape::{Property, Shape};

/// Lines get no longer than this, where they can be broken.
const WIDTH: usize = 100;

/// The type as it stands in a line that is indented by `indent` steps. An object type takes a line for each property where it has descriptions or is
/// too long for one line.
pub(super) fn print(shape: &Shape, indent: usize) -> String {
    match shape {
        Shape::Unknown => "unknown".to_owned(),
        Shape::Never => "never".to_owned(),
        Shape::Word(word) | Shape::Alias(word) => word.clone(),
        Shape::Array(item) => format!("{}[]", operand(item, indent)),
        Shape::Tuple { items, required, rest } => tuple(items, *required, rest.as_deref(), indent),
        Shape::Object { properties, rest } => object(properties, rest.as_deref(), indent),
        Shape::Union(members) => list(members, " | ", indent),
        Shape::Intersection(members) => list(members, " & ", indent),
    }
}

fn list(members: &[Shape], separator: &str, indent: usize) -> String {
    members.iter().map(|member| operand(member, indent)).collect::<Vec<_>>().join(separator)
}

/// In parentheses where what stands beside it would else take a part of it.
fn operand(shape: &Shape, indent: usize) -> String {
    match shape {
        Shape::Union(_) | Shape::Intersection(_) => format!("({})", print(shape, indent)),
        _ => print(shape, indent),
    }
}

fn tuple(items: &[Shape], required: usize, rest: Option<&Shape>, indent: usize) -> String {
    let item = |(index, item): (usize, &Shape)| {
        if index < required { print(item, indent) } else { format!("{}?", operand(item, indent)) }
    };
    let rest = rest.map(|rest| format!("...{}[]", operand(rest, indent)));
    let parts: Vec<_> = items.iter().enumerate().map(item).chain(rest).collect();
    format!("[{}]", parts.join(", "))
}

fn object(properties: &[Property], rest: Option<&Shape>, indent: usize) -> String {
    let rest = |indent| rest.map(|rest| format!("[key: string]: {}", print(rest, indent)));
    let is_plain =
        properties.iter().all(|property| property.description.is_empty() && property.tags.is_empty());
    if is_plain {
        let members: Vec<_> =
            properties.iter().map(|property| member(property, indent)).chain(rest(indent)).collect();
        let line = format!("{{ {} }}", members.join("; "));
        if line.len() + 2 * indent <= WIDTH && !line.contains('\n') {
            return line;
        }
    }
    let inner = indent + 1;
    let line = |member: String| format!("{}{member};\n", "  ".repeat(inner));
    let mut lines = String::new();
    for property in properties {
        lines.push_str(&comment(&property.description, &property.tags, inner));
        lines.push_str(&line(member(property, inner)));
    }
    lines.extend(rest(inner).map(line));
    format!("{{\n{lines}{}}}", "  ".repeat(indent))
}

fn member(Property { key: name, optional, shape, .. }: &Property, indent: usize) -> String {
    format!("{}{}: {}", key(name), if *optional { "?" } else { "" }, print(shape, indent))
}
