//! The rules of the approval policy, as they are written.

use std::ops::Range;

use intermission::Effect;
use toml::Spanned;

use crate::effect::EffectName;
use crate::error::Problem;
use crate::pattern::Pattern;
use crate::policy::Predicate;
use crate::reader::Reader;
use crate::suggestion;

/// One rule: which calls it is about, and what becomes of them.
#[derive(Clone, Debug)]
pub(crate) struct RuleConfig {
    /// What errors call it: `policy[0]`.
    pub(crate) key: String,
    /// How people call it.
    pub(crate) name: String,
    pub(crate) verdict: Verdict,
    /// Which functions it is about.
    pub(crate) functions: Vec<Pattern>,
    /// Which effect classes; any where nothing is said.
    pub(crate) effects: Vec<EffectName>,
    /// With which arguments; any where nothing is said.
    pub(crate) when: Option<Spanned<Predicate>>,
    pub(crate) reason: Option<String>,
}

/// What becomes of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Allow,
    Ask,
    Deny,
}

impl Verdict {
    const ALL: [Self; 3] = [Self::Allow, Self::Ask, Self::Deny];

    /// As it is written.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// Reads the rules, in their order.
pub(crate) fn read_rules(tables: Vec<(Range<usize>, Reader<'_>)>) -> Result<Vec<RuleConfig>, Problem> {
    tables.into_iter().map(|(at, table)| read_rule(at, table)).collect()
}

fn read_rule(at: Range<usize>, mut table: Reader<'_>) -> Result<RuleConfig, Problem> {
    let key = table.name().to_owned();
    let mut verdicts = Vec::new();
    for verdict in Verdict::ALL {
        let path = table.path(verdict.key());
        let patterns = table.take_texts(verdict.key())?.into_iter().map(|text| Pattern::read(&text, &path));
        let patterns = patterns.collect::<Result<Vec<_>, _>>()?;
        if !patterns.is_empty() {
            verdicts.push((verdict, patterns));
        }
    }
    let effect_key = table.path("effect");
    let effects = table.take_texts("effect")?.into_iter().map(|text| read_effect(&text, &effect_key));
    let effects = effects.collect::<Result<Vec<_>, _>>()?;
    let when_key = table.path("when");
    let when = table.take::<String>("when")?.map(|text| read_predicate(text, &when_key)).transpose()?;
    let name = table.take("name")?.map(Spanned::into_inner);
    let reason = table.take("reason")?.map(Spanned::into_inner);
    table.end()?;
    let (Some((verdict, functions)), None) = (verdicts.pop(), verdicts.pop()) else {
        return Err(Problem::Rule {
            at,
            key,
            problem: "a rule has one of `allow`, `ask`, `deny`, with the functions that it is about"
                .to_owned(),
            hint: Some("for example `ask = \"mail.*\"`".to_owned()),
        });
    };
    let when_text = when.as_ref().map(|when| when.get_ref().text());
    let name = name.unwrap_or_else(|| describe(verdict, &functions, &effects, when_text));
    Ok(RuleConfig { key, name, verdict, functions, effects, when, reason })
}

/// `ask mail.*, payments.* when amount > 100`: what a rule without a name is called.
fn describe(verdict: Verdict, functions: &[Pattern], effects: &[EffectName], when: Option<&str>) -> String {
    let functions: Vec<_> = functions.iter().map(Pattern::as_str).collect();
    let effects: Vec<_> = effects.iter().map(|effect| Effect::from(*effect).name()).collect();
    let effects = if effects.is_empty() { String::new() } else { format!(" ({})", effects.join(", ")) };
    let when = when.map(|when| format!(" when {when}")).unwrap_or_default();
    format!("{} {}{effects}{when}", verdict.key(), functions.join(", "))
}

fn read_effect(text: &Spanned<String>, key: &str) -> Result<EffectName, Problem> {
    let found = EffectName::ALL.iter().zip([EffectName::Pure, EffectName::Idempotent, EffectName::Unsafe]);
    let found = found.into_iter().find(|(name, _)| *name == text.get_ref());
    found.map(|(_, effect)| effect).ok_or_else(|| Problem::Rule {
        at: text.span(),
        key: key.to_owned(),
        problem: format!("there is no effect class `{}`", text.get_ref()),
        hint: Some(suggestion::hint(text.get_ref(), EffectName::ALL)),
    })
}

fn read_predicate(text: Spanned<String>, key: &str) -> Result<Spanned<Predicate>, Problem> {
    let at = text.span();
    match Predicate::read(text.into_inner()) {
        Ok(predicate) => Ok(Spanned::new(at, predicate)),
        Err(error) => Err(Problem::Rule {
            at,
            key: key.to_owned(),
            hint: Some(error.hint()),
            problem: error.to_string(),
        }),
    }
}
