//! Conditions: the Common Expression Language (<https://cel.dev>), of which what always ends soon.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use cel::common::ast::{EntryExpr, Expr, IdedExpr};
use cel::objects::Value as Cel;
use cel::{Context, Env, Program};

use super::argument::Arguments;
use crate::suggestion;

/// A condition over the arguments of a call.
#[derive(Clone)]
pub(crate) struct Predicate {
    text: Arc<str>,
    compiled: Arc<(Arc<Env>, Program)>,
    /// Every name in it, and those of them that its loops give to elements.
    names: BTreeSet<String>,
    bound: BTreeSet<String>,
}

/// What is no condition.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PredicateError {
    #[error("`{text}` is no condition: {message} (column {column})")]
    Syntax { text: String, message: String, column: isize },
    #[error("`{text}` calls `{function}`, which there is not")]
    Function { text: String, function: String },
    #[error("`{text}` has a loop within a loop, which a script could make run for ever")]
    Nested { text: String },
    #[error("`{text}` makes lists")]
    Lists { text: String },
}

impl PredicateError {
    /// What to do.
    pub(crate) fn hint(&self) -> String {
        match self {
            Self::Syntax { .. } => {
                "a condition is one of CEL: `amount > 100`, `to.endsWith(\"@example.com\")`, `has(input.note)`"
                    .to_owned()
            }
            Self::Function { function, .. } => suggestion::hint(function, FUNCTIONS.iter().copied()),
            Self::Nested { .. } => "make two rules of it".to_owned(),
            Self::Lists { .. } => "say it with `all`, `exists` or `exists_one`".to_owned(),
        }
    }
}

/// Why a condition neither holds nor does not.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unclear {
    #[error("{0}")]
    Arguments(String),
    #[error("{0}")]
    Evaluation(String),
    #[error("it is neither true nor false")]
    NotBoolean,
}

/// What can be called, besides operators.
const FUNCTIONS: &[&str] = &[
    "size",
    "contains",
    "startsWith",
    "endsWith",
    "matches",
    "has",
    "all",
    "exists",
    "exists_one",
    "int",
    "double",
    "string",
    "bool",
];

impl Predicate {
    /// Reads a condition.
    ///
    /// # Errors
    /// [`PredicateError`].
    pub(crate) fn read(text: String) -> Result<Self, PredicateError> {
        let env = Env::stdlib().with_optional_support(false);
        // Of several errors the first: the others mostly follow from it.
        let program = env.compile(&text).map_err(|errors| {
            let first = errors.errors.into_iter().next();
            let (message, column) =
                first.map_or_else(|| ("it is empty".to_owned(), 1), |error| (error.msg, error.pos.1));
            PredicateError::Syntax { text: text.clone(), message: first_words(&message), column }
        })?;
        let mut look = Look::default();
        look.at(program.expression(), 0);
        if let Some(function) = look.unknown {
            return Err(PredicateError::Function { text, function });
        }
        if look.lists {
            return Err(PredicateError::Lists { text });
        }
        if look.nested {
            return Err(PredicateError::Nested { text });
        }
        let compiled = Arc::new((Arc::new(env), program));
        Ok(Self { text: text.into(), compiled, names: look.variables, bound: look.bound })
    }

    /// As it was written.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The names that it asks for: `input`, `arguments`, keys of the first argument.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        self.names.difference(&self.bound).map(String::as_str)
    }

    /// Whether it holds.
    ///
    /// # Errors
    /// [`Unclear`].
    pub(crate) fn holds(&self, arguments: &Arguments<'_>) -> Result<bool, Unclear> {
        let (env, program) = &*self.compiled;
        let evaluate = || {
            let mut context = Context::with_env(Arc::clone(env));
            arguments.bind(&self.names, &mut context).map_err(Unclear::Arguments)?;
            match program.execute(&context) {
                Ok(Cel::Bool(holds)) => Ok(holds),
                Ok(_) => Err(Unclear::NotBoolean),
                Err(error) => Err(Unclear::Evaluation(error.to_string())),
            }
        };
        // Whatever the evaluator makes of what a script sends, it must not end somebody else's run.
        catch_unwind(AssertUnwindSafe(evaluate))
            .unwrap_or_else(|_| Err(Unclear::Evaluation("the evaluator panicked".to_owned())))
    }
}

impl std::fmt::Debug for Predicate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Predicate({:?})", self.text)
    }
}

/// The parser lists all that it would have taken.
fn first_words(message: &str) -> String {
    let message = message.trim_start_matches("Syntax error: ");
    let message = message.split(" expecting ").next().unwrap_or(message);
    let message = message.replace("mismatched input '<EOF>'", "it ends too early");
    message.replace("mismatched input", "unexpected").replace("extraneous input", "unexpected")
}

/// What there is in an expression.
#[derive(Default)]
struct Look {
    variables: BTreeSet<String>,
    /// Names that loops give to elements.
    bound: BTreeSet<String>,
    unknown: Option<String>,
    nested: bool,
    lists: bool,
}

impl Look {
    fn at(&mut self, expression: &IdedExpr, loops: usize) {
        match &expression.expr {
            Expr::Unspecified | Expr::Literal(_) => {}
            Expr::Ident(name) => {
                if !name.starts_with('@') {
                    self.variables.insert(name.clone());
                }
            }
            Expr::Call(call) => {
                let name = &call.func_name;
                // Operators are `_+_`, `!_` and so on, and what macros make begins with an at sign.
                let is_operator = name.contains('_') && !name.starts_with(|c: char| c.is_ascii_alphabetic());
                if !is_operator && !name.starts_with('@') && !FUNCTIONS.contains(&name.as_str()) {
                    self.unknown.get_or_insert_with(|| name.clone());
                }
                call.target.iter().for_each(|target| self.at(target, loops));
                call.args.iter().for_each(|argument| self.at(argument, loops));
            }
            Expr::Comprehension(all) => {
                self.nested |= loops > 0;
                self.lists |= matches!(all.accu_init.expr, Expr::List(_) | Expr::Map(_));
                self.bound.extend([all.iter_var.clone(), all.accu_var.clone()]);
                self.bound.extend(all.iter_var2.clone());
                self.at(&all.iter_range, loops);
                for part in [&all.accu_init, &all.loop_cond, &all.loop_step, &all.result] {
                    self.at(part, loops + 1);
                }
            }
            Expr::List(list) => list.elements.iter().for_each(|element| self.at(element, loops)),
            Expr::Select(select) => self.at(&select.operand, loops),
            Expr::Map(map) => map.entries.iter().for_each(|entry| self.at_entry(&entry.expr, loops)),
            Expr::Struct(all) => all.entries.iter().for_each(|entry| self.at_entry(&entry.expr, loops)),
        }
    }

    fn at_entry(&mut self, entry: &EntryExpr, loops: usize) {
        match entry {
            EntryExpr::StructField(field) => self.at(&field.value, loops),
            EntryExpr::MapEntry(entry) => {
                self.at(&entry.key, loops);
                self.at(&entry.value, loops);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use intermission::Value;
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Predicate {
        Predicate::read(text.to_owned()).unwrap()
    }

    fn holds(text: &str, input: serde_json::Value) -> Result<bool, String> {
        let arguments = [Value::from_json(input)];
        read(text).holds(&Arguments::new(&arguments)).map_err(|error| error.to_string())
    }

    #[test]
    fn conditions_are_about_the_keys_of_the_first_argument_and_about_all_arguments() {
        let input = json!({ "amount": 150, "to": "a@example.com", "list": [1, 2.5], "x-y": { "z": null } });
        for (text, expected) in [
            ("amount > 100", true),
            ("amount > 150.5", false),
            ("amount == 150", true),
            (r#"to.endsWith("@example.com")"#, true),
            ("to.matches('^b')", false),
            ("has(input.note)", false),
            ("input['x-y'].z == null", true),
            ("list.exists(one, one > 2)", true),
            ("list.all(one, one > 2)", false),
            ("size(arguments) == 1", true),
            ("amount in [1, 150]", true),
            ("amount > 100 && !(to.startsWith('b') || size(list) > 9)", true),
        ] {
            assert_eq!(holds(text, input.clone()), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_not_there_or_of_another_type_is_unclear() {
        assert_eq!(holds("amount > 1", json!({})), Err("Undeclared reference to 'amount'".to_owned()));
        assert_eq!(holds("input.amount > 1", json!({})), Err("No such key: amount".to_owned()));
        let text = json!({ "amount": "1" });
        let error = "found no matching overload for '_>_' applied to '(string, int)'";
        assert_eq!(holds("amount > 1", text), Err(error.to_owned()));
        assert_eq!(holds("amount", json!({ "amount": 1 })), Err("it is neither true nor false".to_owned()));
    }

    #[test]
    fn a_script_cannot_put_another_thing_in_the_place_of_the_input() {
        assert_eq!(holds("input.n == 1", json!({ "n": 1, "input": { "n": 2 }, "arguments": 5 })), Ok(true));
        assert_eq!(holds("size(arguments) == 1", json!({ "arguments": [] })), Ok(true));
        assert_eq!(holds("input.n == 1", json!({ "n": 1, "input.n": 2 })), Ok(true));
        assert_eq!(holds("to.n == 1", json!({ "to": { "n": 1 }, "to.n": 2 })), Ok(true));
    }

    #[test]
    fn arguments_that_are_too_much_to_look_at_are_unclear() {
        let input = json!({ "list": vec![0; 100_000] });
        let error = "there are more than 100000 values in it";
        assert_eq!(holds("size(list) > 1", input), Err(error.to_owned()));
    }

    #[test]
    fn what_is_no_condition_says_why_and_what_to_do() {
        let complaint = |text: &str| {
            let error = Predicate::read(text.to_owned()).unwrap_err();
            (error.to_string(), error.hint())
        };
        let (error, hint) = complaint("amount >");
        assert_eq!(error, "`amount >` is no condition: it ends too early (column 9)");
        assert!(hint.starts_with("a condition is one of CEL: `amount > 100`"), "{hint}");
        let (error, hint) = complaint("to.endswith('x')");
        assert_eq!(error, "`to.endswith('x')` calls `endswith`, which there is not");
        assert_eq!(hint, "did you mean `endsWith`?");
        let (error, _) = complaint("a.all(x, b.exists(y, x == y))");
        assert_eq!(
            error,
            "`a.all(x, b.exists(y, x == y))` has a loop within a loop, which a script could make run for ever"
        );
        let (error, hint) = complaint("size(a.filter(x, x > 1)) > 2");
        assert_eq!(error, "`size(a.filter(x, x > 1)) > 2` makes lists");
        assert_eq!(hint, "say it with `all`, `exists` or `exists_one`");
    }

    #[test]
    fn its_variables_are_what_it_asks_a_call_for() {
        let variables = |text| read(text).variables().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(variables("list.all(x, x > least) && has(input.a)"), ["input", "least", "list"]);
    }
}
