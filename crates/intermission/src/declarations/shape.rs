//! A TypeScript type, as far as a JSON Schema can say one.

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// Anything.
    Unknown,
    /// Nothing at all.
    Never,
    /// A keyword, a literal or the name of an alias.
    Word(String),
    /// The name of an alias.
    Alias(String),
    /// `T[]`.
    Array(Box<Shape>),
    /// `[A, B?, ...C[]]`.
    Tuple { items: Vec<Shape>, required: usize, rest: Option<Box<Shape>> },
    /// `{ a: A; b?: B; [key: string]: C }`.
    Object { properties: Vec<Property>, rest: Option<Box<Shape>> },
    /// `A | B`: two or more, made by [`Shape::union`].
    Union(Vec<Shape>),
    /// `A & B`: two or more, made by [`Shape::intersection`].
    Intersection(Vec<Shape>),
}

/// A property of an object type.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Property {
    pub(super) key: String,
    pub(super) optional: bool,
    pub(super) shape: Shape,
    pub(super) description: String,
    /// `@default 10`.
    pub(super) tags: Vec<String>,
}

impl Shape {
    pub(super) fn word(word: impl Into<String>) -> Self {
        Self::Word(word.into())
    }

    /// One of these. Each counts once; anything or else is anything; none of them is nothing.
    pub(super) fn union(shapes: impl IntoIterator<Item = Self>) -> Self {
        let mut members = Vec::new();
        for shape in shapes {
            match shape {
                Self::Unknown => return Self::Unknown,
                Self::Never => {}
                Self::Union(inner) => add_new(&mut members, inner),
                shape => add_new(&mut members, [shape]),
            }
        }
        only(members)
            .unwrap_or_else(|members| if members.is_empty() { Self::Never } else { Self::Union(members) })
    }

    /// All of these at once. Each counts once; what may be anything says nothing.
    pub(super) fn intersection(shapes: impl IntoIterator<Item = Self>) -> Self {
        let mut members = Vec::new();
        for shape in shapes {
            match shape {
                Self::Unknown => {}
                Self::Never => return Self::Never,
                Self::Intersection(inner) => add_new(&mut members, inner),
                shape => add_new(&mut members, [shape]),
            }
        }
        only(members).unwrap_or_else(|members| {
            if members.is_empty() { Self::Unknown } else { Self::Intersection(members) }
        })
    }

    /// Whether `null` is a value of it, as far as can be seen without following aliases.
    pub(super) fn takes_null(&self) -> bool {
        match self {
            Self::Unknown => true,
            Self::Word(word) => word == "null",
            Self::Union(members) => members.iter().any(Self::takes_null),
            Self::Intersection(members) => members.iter().all(Self::takes_null),
            _ => false,
        }
    }
}

fn add_new(members: &mut Vec<Shape>, shapes: impl IntoIterator<Item = Shape>) {
    for shape in shapes {
        if !members.contains(&shape) {
            members.push(shape);
        }
    }
}

fn only(mut members: Vec<Shape>) -> Result<Shape, Vec<Shape>> {
    match members.pop() {
        Some(shape) if members.is_empty() => Ok(shape),
        Some(shape) => {
            members.push(shape);
            Err(members)
        }
        None => Err(members),
    }
}
