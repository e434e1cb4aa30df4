//! Calls, as pages write them.

use std::fmt;

use serde::Deserialize;
use serde_json::Value as Json;

use crate::same;

/// A host function and its argument: `["t.echo", 1]`, or `["t.report"]` for a call without one, which is the same as `null`. The argument `"*"` is any.
///
/// ```
/// use intermission_testkit::Called;
///
/// let called: Called = serde_json::from_str(r#"["t.echo", {"n": 1}]"#)?;
/// assert_eq!(called.to_string(), r#"t.echo({"n":1})"#);
/// assert_eq!(called, Called::new("t.echo", serde_json::json!({ "n": 1.0 })));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Vec<Json>")]
pub struct Called {
    /// `group.name` or `name`.
    pub function: String,
    /// The first argument.
    pub argument: Json,
}

impl Called {
    /// A call.
    pub fn new(function: impl Into<String>, argument: Json) -> Self {
        Self { function: function.into(), argument }
    }
}

/// Numbers are JavaScript's, `1` is `1.0`, and `"*"` is like everything.
impl PartialEq for Called {
    fn eq(&self, other: &Self) -> bool {
        let is_any = |argument: &Json| argument == "*";
        self.function == other.function
            && (is_any(&self.argument) || is_any(&other.argument) || same(&self.argument, &other.argument))
    }
}

impl TryFrom<Vec<Json>> for Called {
    type Error = &'static str;

    fn try_from(parts: Vec<Json>) -> Result<Self, Self::Error> {
        let mut parts = parts.into_iter();
        match (parts.next(), parts.next(), parts.next()) {
            (Some(Json::String(function)), argument, None) => {
                Ok(Self { function, argument: argument.unwrap_or_default() })
            }
            _ => Err("a call is written as [\"function\"] or [\"function\", argument]"),
        }
    }
}

impl fmt::Display for Called {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.argument {
            Json::Null => write!(f, "{}()", self.function),
            argument => write!(f, "{}({argument})", self.function),
        }
    }
}

/// A call that a host function has carried out: as [`Called`], or `{ "call": ["t.mail", "b"], "instead_of": "a" }` where an approver has put another
/// argument in the place of the script's.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "WrittenMade")]
pub struct Made {
    /// What the host function got.
    pub call: Called,
    /// What the script had given.
    pub instead_of: Option<Json>,
}

impl fmt::Display for Made {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.instead_of {
            None => self.call.fmt(f),
            Some(argument) => write!(f, "{} instead of {argument}", self.call),
        }
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenMade {
    Plain(Called),
    Edited(Edited),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Edited {
    call: Called,
    instead_of: Json,
}

impl From<WrittenMade> for Made {
    fn from(written: WrittenMade) -> Self {
        match written {
            WrittenMade::Plain(call) => Self { call, instead_of: None },
            WrittenMade::Edited(Edited { call, instead_of }) => Self { call, instead_of: Some(instead_of) },
        }
    }
}
