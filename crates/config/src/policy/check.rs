//! Whether rules make sense for the functions that there are: a rule that is about nothing would not be missed until it is too late.

use intermission::{Declared, HostFunction};
use serde_json::Value as Json;

use crate::error::Problem;
use crate::rules::{RuleConfig, Verdict};
use crate::suggestion;

/// # Errors
/// The first rule that makes no sense.
pub(crate) fn check(rules: &[RuleConfig], functions: &[HostFunction]) -> Result<(), Problem> {
    for rule in rules {
        check_patterns(rule, functions)?;
        check_variables(rule, functions)?;
    }
    functions.iter().try_for_each(|function| check_blocking(rules, function.declared()))
}

fn check_patterns(rule: &RuleConfig, functions: &[HostFunction]) -> Result<(), Problem> {
    let names = || functions.iter().map(HostFunction::name);
    let idle = rule.functions.iter().find(|pattern| !names().any(|name| pattern.matches(name)));
    match idle {
        None => Ok(()),
        Some(pattern) => Err(Problem::Rule {
            at: pattern.at.clone(),
            key: format!("{}.{}", rule.key, rule.verdict.key()),
            problem: format!("`{}` is about no function", pattern.as_str()),
            hint: Some(suggestion::hint(pattern.as_str(), names())),
        }),
    }
}

/// A name that no function that the rule is about takes is a slip, where they say what they take.
fn check_variables(rule: &RuleConfig, functions: &[HostFunction]) -> Result<(), Problem> {
    let Some(when) = &rule.when else { return Ok(()) };
    let about = functions.iter().map(HostFunction::declared);
    let about = about.filter(|function| rule.is_about(function.name, function.effect));
    let Some(taken) = about.map(keys_of).collect::<Option<Vec<_>>>().filter(|taken| !taken.is_empty()) else {
        return Ok(());
    };
    let taken: Vec<&str> = taken.into_iter().flatten().chain(["input", "arguments"]).collect();
    match when.get_ref().variables().find(|variable| !taken.contains(variable)) {
        None => Ok(()),
        Some(variable) => Err(Problem::Rule {
            at: when.span(),
            key: format!("{}.when", rule.key),
            problem: format!("no function that the rule is about takes `{variable}`"),
            hint: Some(suggestion::hint(variable, taken.iter().copied())),
        }),
    }
}

/// The keys that a function says that it takes.
fn keys_of(function: Declared<'_>) -> Option<Vec<&str>> {
    let properties = function.input_schema?.get("properties").and_then(Json::as_object)?;
    Some(properties.keys().map(String::as_str).collect())
}

/// A blocking call cannot be asked about: the first rules that may match must not ask.
fn check_blocking(rules: &[RuleConfig], function: Declared<'_>) -> Result<(), Problem> {
    if !function.blocking {
        return Ok(());
    }
    for rule in rules.iter().filter(|rule| rule.is_about(function.name, function.effect)) {
        if rule.verdict == Verdict::Ask {
            let pattern = rule.functions.iter().find(|pattern| pattern.matches(function.name));
            return Err(Problem::Rule {
                at: pattern.map(|pattern| pattern.at.clone()).unwrap_or_default(),
                key: format!("{}.ask", rule.key),
                problem: format!("`{}` is blocking, so nobody can be asked about it", function.name),
                hint: Some("make it an ordinary function, or allow it by a rule before".to_owned()),
            });
        }
        if rule.when.is_none() {
            return Ok(());
        }
    }
    Ok(())
}
