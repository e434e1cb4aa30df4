//! Names for the definitions that schemas refer to.

use serde_json::Value;

use super::name::pascal_case;
use super::of_schema::Reader;
use super::shape::Shape;

/// A definition under the name that it has in the declarations.
#[derive(Clone, Debug)]
pub(super) struct Alias {
    pub(super) name: String,
    pub(super) shape: Shape,
    definition: Value,
    definitions: Option<Value>,
}

/// The aliases of one namespace.
pub(super) struct Aliases {
    all: Vec<Alias>,
    /// How many the caller has seen.
    taken: usize,
    /// Outside of a namespace a short name could hide a type of the language.
    long_names: bool,
}

impl Aliases {
    pub(super) fn new(long_names: bool) -> Self {
        Self { all: Vec::new(), taken: 0, long_names }
    }

    /// The type of a schema; `role` says which of the function's it is.
    pub(super) fn shape(&mut self, function: &str, role: &str, schema: &Value) -> Shape {
        let shape = Reader { root: schema, function, role, aliases: self }.shape(schema);
        self.cut_circles();
        shape
    }

    /// Those that were not taken before.
    pub(super) fn take_new(&mut self) -> Vec<Alias> {
        let new = self.all[self.taken..].to_vec();
        self.taken = self.all.len();
        new
    }

    /// The name of a definition: one that it has, or a new one, whose type is then found by `shape`.
    pub(super) fn name(
        reader: &mut Reader<'_, '_>,
        wanted: &str,
        definition: &Value,
        shape: impl FnOnce(&mut Reader<'_, '_>) -> Shape,
    ) -> String {
        let definitions = reader.root.get("$defs").or_else(|| reader.root.get("definitions"));
        let known = reader
            .aliases
            .all
            .iter()
            .find(|alias| alias.definition == *definition && alias.definitions.as_ref() == definitions);
        if let Some(alias) = known {
            return alias.name.clone();
        }
        let name = reader.aliases.free_name(reader.function, wanted);
        let index = reader.aliases.all.len();
        reader.aliases.all.push(Alias {
            name: name.clone(),
            // Until it is known; a definition that refers to itself asks for the name alone.
            shape: Shape::Unknown,
            definition: definition.clone(),
            definitions: definitions.cloned(),
        });
        let shape = shape(reader);
        reader.aliases.all[index].shape = shape;
        name
    }

    fn free_name(&self, function: &str, wanted: &str) -> String {
        let (short, long) =
            (pascal_case(wanted), format!("{}{}", pascal_case(function), pascal_case(wanted)));
        let is_free = |name: &String| {
            // `Promise` is what the signatures themselves say.
            name != "Promise" && !self.all.iter().any(|alias| alias.name == *name)
        };
        let short = (!self.long_names).then_some(short);
        let numbered = (2..).map(|number| format!("{long}{number}"));
        short.into_iter().chain([long.clone()]).chain(numbered).find(is_free).unwrap_or_default()
    }

    /// `type A = B | null; type B = A | null` means nothing in TypeScript: only through an object or an array may a type
    /// lead back to itself. What leads back otherwise becomes `unknown`.
    fn cut_circles(&mut self) {
        // To intersect arrays, TypeScript has to look into them.
        let through_arrays = self.all.iter().any(|alias| has_intersection(&alias.shape));
        for index in self.taken..self.all.len() {
            let name = self.all[index].name.clone();
            let circular: Vec<String> = direct_names(&self.all[index].shape, through_arrays)
                .into_iter()
                .filter(|next| self.leads_to(next, &name, through_arrays, &mut Vec::new()))
                .collect();
            let shape = std::mem::replace(&mut self.all[index].shape, Shape::Unknown);
            self.all[index].shape = without(shape, &circular);
        }
    }

    fn leads_to(&self, from: &str, to: &str, through_arrays: bool, seen: &mut Vec<String>) -> bool {
        if from == to {
            return true;
        }
        if seen.iter().any(|name| name == from) {
            return false;
        }
        seen.push(from.to_owned());
        let shape = self.all.iter().find(|alias| alias.name == from).map(|alias| &alias.shape);
        let next = shape.map(|shape| direct_names(shape, through_arrays)).unwrap_or_default();
        next.iter().any(|next| self.leads_to(next, to, through_arrays, seen))
    }
}

/// The aliases that a type consists of without an object (or an array) around them.
fn direct_names(shape: &Shape, through_arrays: bool) -> Vec<String> {
    let of_all =
        |shapes: &[Shape]| shapes.iter().flat_map(|shape| direct_names(shape, through_arrays)).collect();
    match shape {
        Shape::Alias(name) => vec![name.clone()],
        Shape::Union(members) | Shape::Intersection(members) => of_all(members),
        Shape::Array(item) if through_arrays => direct_names(item, through_arrays),
        Shape::Tuple { items, rest, .. } if through_arrays => {
            let mut names: Vec<_> = of_all(items);
            names.extend(rest.iter().flat_map(|rest| direct_names(rest, through_arrays)));
            names
        }
        _ => Vec::new(),
    }
}

/// Whether there is an intersection in it that is not within an object.
fn has_intersection(shape: &Shape) -> bool {
    match shape {
        Shape::Intersection(_) => true,
        Shape::Union(members) => members.iter().any(has_intersection),
        Shape::Array(item) => has_intersection(item),
        Shape::Tuple { items, rest, .. } => items.iter().chain(rest.as_deref()).any(has_intersection),
        _ => false,
    }
}

/// The type with `unknown` for these aliases where they stand without an object around them.
fn without(shape: Shape, names: &[String]) -> Shape {
    let all = |shapes: Vec<Shape>| shapes.into_iter().map(|shape| without(shape, names)).collect::<Vec<_>>();
    match shape {
        Shape::Alias(name) if names.contains(&name) => Shape::Unknown,
        Shape::Union(members) => Shape::union(all(members)),
        Shape::Intersection(members) => Shape::intersection(all(members)),
        Shape::Array(item) => Shape::Array(Box::new(without(*item, names))),
        Shape::Tuple { items, required, rest } => Shape::Tuple {
            items: all(items),
            required,
            rest: rest.map(|rest| Box::new(without(*rest, names))),
        },
        shape => shape,
    }
}
