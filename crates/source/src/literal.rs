//! Values that can be read off the text.

use indexmap::IndexMap;
use oxc_ast::ast::{
    Argument, ArrayExpressionElement, Expression, ObjectPropertyKind, PropertyKey, PropertyKind,
    UnaryOperator,
};

use crate::typescript::without_types;

/// The value of an expression, as far as it is written out.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    /// Not written out: a variable, a call, a template with substitutions.
    Unknown,
    /// `...x` among arguments or array elements: any number of unknown values.
    Spread,
    /// `undefined`.
    Undefined,
    /// `null`.
    Null,
    /// `true`, `false`.
    Boolean(bool),
    /// A number.
    Number(f64),
    /// A BigInt, in decimal.
    BigInt(String),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Literal>),
    /// An object: its keys and values in the order of the text.
    Object(ObjectLiteral),
}

/// A written object.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ObjectLiteral {
    /// Keys and values, in the order of the text; of two with one key the last counts.
    pub entries: IndexMap<String, Literal>,
    /// Whether there may be others: `...x`, or a computed key.
    pub open: bool,
}

/// What arguments are written out.
pub(crate) fn literals(arguments: &[Argument<'_>]) -> Vec<Literal> {
    arguments.iter().map(|argument| argument.as_expression().map_or(Literal::Spread, Literal::of)).collect()
}

impl Literal {
    fn of(expression: &Expression<'_>) -> Self {
        match without_types(expression) {
            Expression::NullLiteral(_) => Self::Null,
            Expression::BooleanLiteral(it) => Self::Boolean(it.value),
            Expression::NumericLiteral(it) => Self::Number(it.value),
            Expression::BigIntLiteral(it) => Self::BigInt(it.value.to_string()),
            Expression::StringLiteral(it) if !it.lone_surrogates => Self::String(it.value.to_string()),
            Expression::TemplateLiteral(it) if it.expressions.is_empty() => {
                let text = it.quasis.first().filter(|quasi| !quasi.lone_surrogates);
                text.and_then(|quasi| quasi.value.cooked.as_ref())
                    .map_or(Self::Unknown, |text| Self::String(text.to_string()))
            }
            Expression::Identifier(it) if it.name == "undefined" => Self::Undefined,
            Expression::UnaryExpression(it) => match (it.operator, Self::of(&it.argument)) {
                (UnaryOperator::UnaryNegation, Self::Number(number)) => Self::Number(-number),
                (UnaryOperator::UnaryNegation, Self::BigInt(number)) => Self::BigInt(format!("-{number}")),
                (UnaryOperator::Void, known) if known != Self::Unknown => Self::Undefined,
                _ => Self::Unknown,
            },
            Expression::ArrayExpression(it) => {
                Self::Array(it.elements.iter().map(Self::of_element).collect())
            }
            Expression::ObjectExpression(it) => {
                let mut object = ObjectLiteral::default();
                for property in &it.properties {
                    object.add(property);
                }
                Self::Object(object)
            }
            _ => Self::Unknown,
        }
    }

    fn of_element(element: &ArrayExpressionElement<'_>) -> Self {
        match element {
            ArrayExpressionElement::SpreadElement(_) => Self::Spread,
            ArrayExpressionElement::Elision(_) => Self::Undefined,
            other => other.as_expression().map_or(Self::Unknown, Self::of),
        }
    }
}

impl ObjectLiteral {
    fn add(&mut self, property: &ObjectPropertyKind<'_>) {
        let ObjectPropertyKind::ObjectProperty(property) = property else {
            self.open = true;
            return;
        };
        let key = match &property.key {
            PropertyKey::StaticIdentifier(it) => it.name.to_string(),
            PropertyKey::StringLiteral(it) => it.value.to_string(),
            PropertyKey::NumericLiteral(it) if it.value.fract() == 0.0 && it.value.abs() < 1e15 => {
                format!("{}", it.value)
            }
            _ => {
                self.open = true;
                return;
            }
        };
        let value =
            if property.kind == PropertyKind::Init { Literal::of(&property.value) } else { Literal::Unknown };
        self.entries.insert(key, value);
    }
}
