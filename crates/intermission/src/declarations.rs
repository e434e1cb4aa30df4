//! TypeScript declarations of host functions: what whoever writes scripts is shown.

mod aliases;
mod comment;
mod name;
mod of_schema;
mod print;
mod shape;

#[cfg(test)]
mod tests;

use self::aliases::{Alias, Aliases};
use self::comment::comment;
use self::print::print;
use self::shape::Shape;
use crate::word::is_reserved;
use crate::{HostFunction, HostFunctions};

const GLOBALS: &str = "/** What the script was started with. */
declare const input: unknown;
/** What the script may change: its final state is part of the result. */
declare let data: any;
/** Waits for an event of this key, and gives its value; rejected with a `TimeoutError` after the timeout: milliseconds, or `'30s'`, `'7d'`. */
declare function waitFor(key: string, options?: { timeout?: number | string }): Promise<unknown>;
";

/// A `.d.ts` with a namespace for each group. Functions without an input schema take anything; types that are unknown are
/// `unknown`. Definitions that schemas refer to become type aliases beside the function.
pub(crate) fn declarations(functions: &HostFunctions) -> String {
    let mut text = GLOBALS.to_owned();
    for (group, functions) in grouped(functions) {
        text.push('\n');
        match group {
            Some(group) => text.push_str(&namespace(group, &functions)),
            None => text.push_str(&top_level(&functions)),
        }
    }
    text
}

/// Functions without a group first, then each group where its first function is.
fn grouped(functions: &HostFunctions) -> Vec<(Option<&str>, Vec<Member<'_>>)> {
    let mut groups: Vec<(_, Vec<_>)> = Vec::new();
    let (grouped, top_level): (Vec<_>, Vec<_>) =
        functions.iter().partition(|function| function.name.contains('.'));
    for function in top_level.into_iter().chain(grouped) {
        let (group, name) = match function.name.split_once('.') {
            Some((group, name)) => (Some(group), name),
            None => (None, &*function.name),
        };
        let member = Member { name, function };
        match groups.iter_mut().find(|(known, _)| *known == group) {
            Some((_, members)) => members.push(member),
            None => groups.push((group, vec![member])),
        }
    }
    groups
}

/// A function by its name within its group.
struct Member<'f> {
    name: &'f str,
    function: &'f HostFunction,
}

/// A function and the aliases that its types need.
struct Signature {
    aliases: Vec<Alias>,
    /// `(input: ...): ...`
    text: String,
}

fn namespace(group: &str, members: &[Member<'_>]) -> String {
    // A namespace that exports one name explicitly exports no other implicitly.
    let export = if members.iter().any(|member| is_reserved(member.name)) { "export " } else { "" };
    let mut aliases = Aliases::new(false);
    let mut body = String::new();
    for member in members {
        let Signature { aliases, text } = signature(member, &mut aliases, 1);
        for alias in &aliases {
            body.push_str(&alias_line(alias, export, 1));
        }
        body.push_str(&description(member.function, 1));
        body.push_str(&member_line(member.name, &text, export));
    }
    format!("declare namespace {group} {{\n{body}}}\n")
}

fn member_line(name: &str, signature: &str, export: &str) -> String {
    if is_reserved(name) {
        format!("  function {name}_{signature};\n  export {{ {name}_ as {name} }};\n")
    } else {
        format!("  {export}function {name}{signature};\n")
    }
}

fn top_level(members: &[Member<'_>]) -> String {
    let mut aliases = Aliases::new(true);
    let mut body = String::new();
    for member in members {
        let Signature { aliases, text } = signature(member, &mut aliases, 0);
        for alias in &aliases {
            body.push_str(&alias_line(alias, "declare ", 0));
        }
        body.push_str(&description(member.function, 0));
        body.push_str(&["declare function ", member.name, &text, ";\n"].concat());
    }
    body
}

fn signature(member: &Member<'_>, aliases: &mut Aliases, indent: usize) -> Signature {
    let input =
        member.function.input_schema.as_ref().map(|schema| aliases.shape(member.name, "Input", schema));
    let output =
        member.function.output_schema.as_ref().map(|schema| aliases.shape(member.name, "Output", schema));
    let parameters = match input {
        None => "...args: unknown[]".to_owned(),
        Some(shape) if shape.takes_null() => format!("input?: {}", print(&shape, indent)),
        Some(shape) => format!("input: {}", print(&shape, indent)),
    };
    let output = print(&output.unwrap_or(Shape::Unknown), indent);
    let text = if member.function.blocking {
        format!("({parameters}): {output}")
    } else {
        format!("({parameters}): Promise<{output}>")
    };
    Signature { aliases: aliases.take_new(), text }
}

fn alias_line(Alias { name, shape, .. }: &Alias, keyword: &str, indent: usize) -> String {
    format!("{}{keyword}type {name} = {};\n", "  ".repeat(indent), print(shape, indent))
}

fn description(function: &HostFunction, indent: usize) -> String {
    function.description.as_deref().map_or_else(String::new, |text| comment(text, &[], indent))
}
