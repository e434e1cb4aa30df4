//! All that a runner lends to its scripts.

use std::collections::BTreeSet;
use std::sync::Arc;

use intermission_engine::FunctionTable;
use intermission_ledger::entry;

use crate::schema::{SchemaError, Schemas};
use crate::word::{is_identifier, is_reserved};
use crate::{Declared, HostFunction};

/// A checked set of host functions. Cheap to clone.
///
/// ```
/// use intermission::{HostFunction, HostFunctions, HostFunctionsError};
///
/// let functions = HostFunctions::new([
///     HostFunction::sync("t.echo", |call| Ok(call.input())),
///     HostFunction::sync("now", |_| Ok(0.0)),
/// ])?;
/// assert_eq!(functions.names().collect::<Vec<_>>(), ["t.echo", "now"]);
///
/// let twice = HostFunctions::new([HostFunction::sync("f", |_| Ok(1.0)), HostFunction::sync("f", |_| Ok(2.0))]);
/// assert!(matches!(twice, Err(HostFunctionsError::Duplicate { .. })));
/// # Ok::<(), HostFunctionsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct HostFunctions(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// Those that were given, and behind them the library's own.
    functions: Vec<Lent>,
    given: usize,
    table: FunctionTable,
}

/// None but what every run has.
impl Default for HostFunctions {
    fn default() -> Self {
        Self::of(Vec::new())
    }
}

/// A function and its compiled schemas.
#[derive(Debug)]
pub(crate) struct Lent {
    pub(crate) function: HostFunction,
    pub(crate) schemas: Schemas,
    /// Of its schemas: a continuation is bound to it once the function is used.
    pub(crate) fingerprint: [u8; 16],
}

/// Why a set of host functions is refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HostFunctionsError {
    /// Not `name` or `group.name` of plain identifiers.
    #[error(
        "`{name}` is no name for a host function: use `name` or `group.name`, of letters, digits, `_` and `$`"
    )]
    Name {
        /// The name.
        name: String,
    },
    /// The name, or the group, is one that scripts rely on.
    #[error("`{name}` is a word of the language, or would hide a global: choose another name")]
    Reserved {
        /// The global.
        name: String,
    },
    /// Two functions of one name, or a function with the name of a group.
    #[error("`{name}` is there twice")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// A blocking function cannot wait for an approval: the script stands still until it has answered.
    #[error("`{name}` cannot be blocking and need approval: make it an ordinary function")]
    BlockingApproval {
        /// The function.
        name: String,
    },
    /// A schema is not a JSON Schema.
    #[error("the {which} schema of `{name}` is no JSON Schema: {error}")]
    Schema {
        /// The function.
        name: String,
        /// `input` or `output`.
        which: &'static str,
        /// What is wrong.
        error: String,
    },
}

impl HostFunctionsError {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Name { .. } => "HOST_FUNCTION_NAME",
            Self::Reserved { .. } => "HOST_FUNCTION_RESERVED",
            Self::Duplicate { .. } => "HOST_FUNCTION_DUPLICATE",
            Self::BlockingApproval { .. } => "HOST_FUNCTION_BLOCKING_APPROVAL",
            Self::Schema { .. } => "HOST_FUNCTION_SCHEMA",
        }
    }
}

impl HostFunctions {
    /// Checks names and schemas.
    ///
    /// # Errors
    /// [`HostFunctionsError`] for the first function that is not in order.
    pub fn new(functions: impl IntoIterator<Item = HostFunction>) -> Result<Self, HostFunctionsError> {
        let functions = functions.into_iter().map(Lent::new).collect::<Result<Vec<_>, _>>()?;
        check_distinct(&functions)?;
        Ok(Self::of(functions))
    }

    fn of(mut functions: Vec<Lent>) -> Self {
        let given = functions.len();
        functions.push(Lent::wait_for());
        let table =
            FunctionTable::new(functions.iter().map(|lent| (lent.function.name(), lent.function.blocking)));
        Self(Arc::new(Inner { functions, given, table }))
    }

    /// What is known of each, in the order in which they were given, and the fingerprint that stands for its schemas in a ledger:
    /// [`Entry::Used`](crate::ledger::Entry::Used).
    pub fn declared(&self) -> impl ExactSizeIterator<Item = (Declared<'_>, [u8; 16])> {
        self.0.functions[..self.0.given].iter().map(|lent| (lent.function.declared(), lent.fingerprint))
    }

    /// The names, in the order in which they were given.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.iter().map(HostFunction::name)
    }

    /// The functions, in the order in which they were given.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &HostFunction> {
        self.0.functions[..self.0.given].iter().map(|lent| &lent.function)
    }

    /// With the library's own.
    fn all(&self) -> impl ExactSizeIterator<Item = &HostFunction> {
        self.0.functions.iter().map(|lent| &lent.function)
    }

    /// TypeScript declarations of them: what a model is shown.
    pub fn types(&self) -> String {
        crate::declarations::declarations(self)
    }

    pub(crate) fn table(&self) -> &FunctionTable {
        &self.0.table
    }

    pub(crate) fn get(&self, index: usize) -> Option<&Lent> {
        self.0.functions.get(index)
    }

    pub(crate) fn by_name(&self, name: &str) -> Option<&Lent> {
        self.0.functions.iter().find(|lent| lent.function.name() == name)
    }

    /// As a script sees them.
    pub(crate) fn as_lent(&self) -> Vec<entry::Lent> {
        let lent = |function: &HostFunction| entry::Lent {
            name: function.name().to_owned(),
            blocking: function.blocking,
        };
        self.all().map(lent).collect()
    }

    /// Whether these are they: name for name, each blocking or not.
    pub(crate) fn are(&self, lent: &[entry::Lent]) -> bool {
        let same = |(today, lent): (&HostFunction, &entry::Lent)| {
            today.name() == lent.name && today.blocking == lent.blocking
        };
        self.all().len() == lent.len() && self.all().zip(lent).all(same)
    }

    /// Where each function that was lent to a run is today, by name.
    pub(crate) fn find(&self, lent: &[entry::Lent]) -> Vec<Option<usize>> {
        let index = |lent: &entry::Lent| self.all().position(|function| function.name() == lent.name);
        lent.iter().map(index).collect()
    }
}

impl Lent {
    /// It has no schemas, so its fingerprint never changes.
    fn wait_for() -> Self {
        let function = HostFunction::wait_for();
        let fingerprint = crate::schema::fingerprint(&function);
        Self { function, schemas: Schemas::default(), fingerprint }
    }

    fn new(function: HostFunction) -> Result<Self, HostFunctionsError> {
        check_name(function.name())?;
        let name = function.name().to_owned();
        if function.blocking && function.approval {
            return Err(HostFunctionsError::BlockingApproval { name });
        }
        let fingerprint = crate::schema::fingerprint(&function);
        let schemas = Schemas::new(&function)
            .map_err(|SchemaError { which, error }| HostFunctionsError::Schema { name, which, error })?;
        Ok(Self { function, schemas, fingerprint })
    }
}

fn check_name(name: &str) -> Result<(), HostFunctionsError> {
    let parts: Vec<_> = name.split('.').collect();
    if parts.len() > 2 || !parts.iter().all(|part| is_identifier(part)) {
        return Err(HostFunctionsError::Name { name: name.to_owned() });
    }
    let unreachable = |part: &&str| ["__proto__", "constructor", "prototype", "then"].contains(part);
    if let Some(part) = parts.iter().find(|part| unreachable(part)) {
        return Err(HostFunctionsError::Reserved { name: (*part).to_owned() });
    }
    if RESERVED.contains(&parts[0]) || is_reserved(parts[0]) {
        return Err(HostFunctionsError::Reserved { name: parts[0].to_owned() });
    }
    Ok(())
}

fn check_distinct(functions: &[Lent]) -> Result<(), HostFunctionsError> {
    let mut names = BTreeSet::new();
    let mut groups = BTreeSet::new();
    for name in functions.iter().map(|lent| lent.function.name()) {
        if !names.insert(name) {
            return Err(HostFunctionsError::Duplicate { name: name.to_owned() });
        }
        groups.extend(name.split_once('.').map(|(group, _)| group));
    }
    match groups.into_iter().find(|group| names.contains(group)) {
        Some(name) => Err(HostFunctionsError::Duplicate { name: name.to_owned() }),
        None => Ok(()),
    }
}

/// Globals that a script takes for granted.
const RESERVED: &[&str] = &[
    "AbortController",
    "AbortSignal",
    "AggregateError",
    "Array",
    "ArrayBuffer",
    "BigInt",
    "BigInt64Array",
    "BigUint64Array",
    "Boolean",
    "CustomEvent",
    "DOMException",
    "DataView",
    "Date",
    "Error",
    "EvalError",
    "Event",
    "EventTarget",
    "FinalizationRegistry",
    "Float16Array",
    "Float32Array",
    "Float64Array",
    "Function",
    "Infinity",
    "Int16Array",
    "Int32Array",
    "Int8Array",
    "Iterator",
    "JSON",
    "Map",
    "Math",
    "NaN",
    "Number",
    "Object",
    "Promise",
    "Proxy",
    "RangeError",
    "ReferenceError",
    "Reflect",
    "RegExp",
    "Set",
    "String",
    "Symbol",
    "SyntaxError",
    "TextDecoder",
    "TextEncoder",
    "TypeError",
    "URIError",
    "URL",
    "URLSearchParams",
    "Uint16Array",
    "Uint32Array",
    "Uint8Array",
    "Uint8ClampedArray",
    "WeakMap",
    "WeakRef",
    "WeakSet",
    "atob",
    "btoa",
    "clearImmediate",
    "clearInterval",
    "clearTimeout",
    "console",
    "crypto",
    "data",
    "decodeURI",
    "decodeURIComponent",
    "encodeURI",
    "encodeURIComponent",
    "escape",
    "eval",
    "globalThis",
    "input",
    "isFinite",
    "isNaN",
    "parseFloat",
    "parseInt",
    "performance",
    "queueMicrotask",
    "setImmediate",
    "setInterval",
    "setTimeout",
    "sleep",
    "structuredClone",
    "undefined",
    "unescape",
    "waitFor",
];
