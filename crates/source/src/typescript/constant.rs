//! The values of constant expressions, as TypeScript computes those of enum members.

use std::collections::BTreeMap;

use oxc_ast::ast::{
    BinaryOperator, BindingPattern, Expression, TSEnumMemberName, UnaryOperator, VariableDeclaration,
    VariableDeclarationKind,
};

/// A value known before the program runs. Of a text only that it is one: it gets no reverse mapping, and no
/// number comes out of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Constant {
    Number(f64),
    Text,
}

/// What is known: the members of enums, and variables.
#[derive(Debug, Default)]
pub(super) struct Constants {
    enums: BTreeMap<String, BTreeMap<String, Option<Constant>>>,
    variables: BTreeMap<String, Option<Constant>>,
}

impl Constants {
    /// Learns the `const` variables of a declaration whose values are literals.
    pub(super) fn learn(&mut self, declaration: &VariableDeclaration<'_>) {
        if declaration.kind != VariableDeclarationKind::Const {
            return;
        }
        for declarator in &declaration.declarations {
            let (BindingPattern::BindingIdentifier(id), Some(init)) = (&declarator.id, &declarator.init)
            else {
                continue;
            };
            let value = if declarator.type_annotation.is_none() { self.value(init, "") } else { None };
            if value.is_some() || self.variables.contains_key(id.name.as_str()) {
                // Declared twice, in two scopes: which of them is meant is not known.
                let known = if self.variables.contains_key(id.name.as_str()) { None } else { value };
                self.variables.insert(id.name.to_string(), known);
            }
        }
    }

    /// Learns a member of an enum.
    pub(super) fn learn_member(&mut self, owner: &str, member: &str, value: Option<Constant>) {
        self.enums.entry(owner.to_owned()).or_default().insert(member.to_owned(), value);
    }

    /// Forgets an enum: another of that name begins.
    pub(super) fn forget(&mut self, owner: &str) {
        self.enums.remove(owner);
    }

    /// Whether an enum has a member of this name so far.
    pub(super) fn has_member(&self, owner: &str, member: &str) -> bool {
        self.enums.get(owner).is_some_and(|members| members.contains_key(member))
    }

    /// The value of an expression, if it is constant, in the initialiser of a member of `owner`.
    pub(super) fn value(&self, expression: &Expression<'_>, owner: &str) -> Option<Constant> {
        match expression {
            Expression::NumericLiteral(it) => Some(Constant::Number(it.value)),
            Expression::StringLiteral(_) => Some(Constant::Text),
            Expression::ParenthesizedExpression(it) => self.value(&it.expression, owner),
            Expression::TemplateLiteral(it) => {
                let known = it.expressions.iter().all(|inner| self.value(inner, owner).is_some());
                known.then_some(Constant::Text)
            }
            Expression::UnaryExpression(it) => {
                let Constant::Number(number) = self.value(&it.argument, owner)? else { return None };
                match it.operator {
                    UnaryOperator::UnaryPlus => Some(Constant::Number(number)),
                    UnaryOperator::UnaryNegation => Some(Constant::Number(-number)),
                    UnaryOperator::BitwiseNot => Some(Constant::Number(f64::from(!to_int32(number)))),
                    _ => None,
                }
            }
            Expression::BinaryExpression(it) => {
                binary(it.operator, self.value(&it.left, owner)?, self.value(&it.right, owner)?)
            }
            Expression::Identifier(it) => {
                let name = it.name.as_str();
                match self.enums.get(owner).and_then(|members| members.get(name)) {
                    Some(member) => *member,
                    None => self.variables.get(name).copied().flatten(),
                }
            }
            Expression::StaticMemberExpression(it) => self.member(&it.object, it.property.name.as_str()),
            Expression::ComputedMemberExpression(it) => match &it.expression {
                Expression::StringLiteral(name) => self.member(&it.object, &name.value),
                _ => None,
            },
            _ => None,
        }
    }

    fn member(&self, object: &Expression<'_>, member: &str) -> Option<Constant> {
        let Expression::Identifier(owner) = object else { return None };
        *self.enums.get(owner.name.as_str())?.get(member)?
    }
}

/// The name of an enum's member.
pub(super) fn member_name(name: &TSEnumMemberName<'_>) -> String {
    match name {
        TSEnumMemberName::Identifier(it) => it.name.to_string(),
        TSEnumMemberName::String(it) | TSEnumMemberName::ComputedString(it) => it.value.to_string(),
        TSEnumMemberName::ComputedTemplateString(it) => it
            .quasis
            .first()
            .and_then(|quasi| quasi.value.cooked.as_ref())
            .map(ToString::to_string)
            .unwrap_or_default(),
    }
}

fn binary(operator: BinaryOperator, left: Constant, right: Constant) -> Option<Constant> {
    let (Constant::Number(left), Constant::Number(right)) = (left, right) else {
        return (operator == BinaryOperator::Addition).then_some(Constant::Text);
    };
    let shift = to_int32(right) & 31;
    Some(Constant::Number(match operator {
        BinaryOperator::Addition => left + right,
        BinaryOperator::Subtraction => left - right,
        BinaryOperator::Multiplication => left * right,
        BinaryOperator::Division => left / right,
        BinaryOperator::Remainder => left % right,
        BinaryOperator::Exponential => left.powf(right),
        BinaryOperator::BitwiseAnd => f64::from(to_int32(left) & to_int32(right)),
        BinaryOperator::BitwiseOR => f64::from(to_int32(left) | to_int32(right)),
        BinaryOperator::BitwiseXOR => f64::from(to_int32(left) ^ to_int32(right)),
        BinaryOperator::ShiftLeft => f64::from(to_int32(left) << shift),
        BinaryOperator::ShiftRight => f64::from(to_int32(left) >> shift),
        BinaryOperator::ShiftRightZeroFill => f64::from((to_int32(left) as u32) >> shift),
        _ => return None,
    }))
}

/// `ToInt32` (ECMA-262, 7.1.6).
fn to_int32(number: f64) -> i32 {
    if number.is_finite() { number.trunc().rem_euclid(4_294_967_296.0) as u32 as i32 } else { 0 }
}

/// A literal of a number.
pub(super) fn number_text(number: f64) -> String {
    if number.is_finite() {
        format!("{number}")
    } else if number.is_nan() {
        "NaN".to_owned()
    } else if number > 0.0 {
        "Infinity".to_owned()
    } else {
        "-Infinity".to_owned()
    }
}
