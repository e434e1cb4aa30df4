//! Which check each loop of a function begins with.

use std::collections::BTreeMap;

use wasmparser::{FunctionBody, Operator};

/// The function that interprets bytecode.
pub(super) const INTERPRETER: &str = "JS_CallInternal";

/// What JavaScript's code reaches for at each step, and where it may compute for long without a loop that pauses: a native function, a comparison of
/// long numbers or strings. They begin with a pausing check.
pub(super) const PAUSING_AT_ENTRY: &[&str] =
    &["js_call_c_function", "js_eq_slow", "js_relational_slow", "js_strict_eq_slow"];

/// Hot, and their loops are short or linear: the steps to a name and to a property, through shapes and prototypes, the digits of a number, the
/// letters of a string in JSON. Their loops never pause; those that call them do.
pub(super) const NEVER_PAUSING: &[&str] = &[
    "JS_CreateProperty",
    "JS_DefineProperty",
    "JS_GetPropertyInternal",
    "__JS_FindAtom",
    "__JS_NewAtom",
    "add_property",
    "js_atod",
    "js_dtoa2",
    "js_json_to_str",
    "js_new_shape2",
    "json_next_token",
    "json_parse_string",
    "mul_pow",
    "output_digits",
];

/// The dispatch loop is told from others by its jump table: one target for each of some 250 bytecodes.
const DISPATCH_TARGETS: u32 = 200;

/// What a loop begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Check {
    /// Nothing: the dispatch loop.
    None,
    /// Stops for good, never pauses.
    Stop,
    /// Pauses, or stops for good.
    Pause,
}

/// What is known of a function by its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    #[default]
    Ordinary,
    PausingAtEntry,
    NeverPausing,
    Interpreter,
}

impl Role {
    pub(super) fn of(name: &str) -> Self {
        match name {
            INTERPRETER => Self::Interpreter,
            name if PAUSING_AT_ENTRY.contains(&name) => Self::PausingAtEntry,
            name if NEVER_PAUSING.contains(&name) => Self::NeverPausing,
            _ => Self::Ordinary,
        }
    }
}

/// The check of each loop in `body`, by the index of its operator.
pub(super) fn checks(body: &FunctionBody<'_>, role: Role) -> wasmparser::Result<BTreeMap<usize, Check>> {
    let mut found = BTreeMap::new();
    let mut open: Vec<Option<Loop>> = Vec::new();
    for (index, operator) in body.get_operators_reader()?.into_iter().enumerate() {
        match operator? {
            Operator::Loop { .. } => {
                not_innermost(&mut open);
                open.push(Some(Loop { index, check: Check::Stop }));
            }
            Operator::Block { .. } | Operator::If { .. } | Operator::TryTable { .. } => open.push(None),
            Operator::End => {
                if let Some(Some(Loop { index, check })) = open.pop() {
                    let pauses = matches!(role, Role::Ordinary | Role::PausingAtEntry);
                    found.insert(index, if check == Check::Pause && !pauses { Check::Stop } else { check });
                }
            }
            Operator::Call { .. } | Operator::CallIndirect { .. } => not_innermost(&mut open),
            Operator::BrTable { targets }
                if role == Role::Interpreter && targets.len() > DISPATCH_TARGETS =>
            {
                if let Some(dispatch) = open.iter_mut().rev().find_map(Option::as_mut) {
                    dispatch.check = Check::None;
                }
            }
            _ => {}
        }
    }
    Ok(found)
}

struct Loop {
    index: usize,
    check: Check,
}

/// A call or another loop has been found in every loop that is open.
fn not_innermost(open: &mut [Option<Loop>]) {
    for around in open.iter_mut().flatten() {
        if around.check == Check::Stop {
            around.check = Check::Pause;
        }
    }
}
