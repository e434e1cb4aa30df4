//! A question as text. Scripts and programs write most of it: nothing in it moves the cursor, and what is long is cut.

use intermission::{Interruption, InterruptionKind, Value};

use crate::interruptions::of_value;
use crate::moment::moment;
use crate::printable::on_one_line;
use crate::script::Script;

/// How much is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    /// So that what is asked stays on the screen.
    Short,
    Full,
}

/// The script that asks, and what frames call it.
#[derive(Clone, Copy)]
pub(crate) struct Source<'s> {
    pub(crate) script: &'s Script,
    pub(crate) name: &'s str,
}

/// A question as text.
pub(crate) struct Shown {
    pub(crate) text: String,
    /// Whether there is more.
    pub(crate) is_cut: bool,
}

/// Of one value, so many lines and characters a line are shown in short.
const LINES: usize = 30;
const COLUMNS: usize = 300;
/// What has no more characters than this is shown on one line.
const ONE_LINE: usize = 72;

/// What is asked: by whom, where, with what. `number` is the question's place among how many.
pub(crate) fn question(
    asked: &Interruption,
    source: Option<Source<'_>>,
    number: Option<(usize, usize)>,
    length: Length,
) -> Shown {
    let mut page = Page { lines: Vec::new(), length, is_cut: false };
    let what = match asked.kind {
        InterruptionKind::Question => "asks",
        InterruptionKind::Approval => "needs approval",
        InterruptionKind::OutcomeUnknown => "was begun, and nobody knows what came of it",
        InterruptionKind::Event => "waits for an event",
    };
    let number = number.map(|(number, of)| format!("{number} of {of}: ")).unwrap_or_default();
    page.line(&format!("{number}{} {what}", asked.host_function));
    page.line(&format!("  id: {}", asked.id));
    page.place(asked, source);
    match asked.arguments.as_slice() {
        [] => {}
        [argument] => page.value("argument", argument),
        several => page.value("arguments", &Value::array(several.to_vec())),
    }
    match asked.kind {
        InterruptionKind::Question => page.value("question", &asked.payload),
        InterruptionKind::Approval => page.ground(&asked.payload),
        InterruptionKind::OutcomeUnknown | InterruptionKind::Event => {}
    }
    if let Some(expires) = asked.expires {
        page.line(&format!("  until: {}", moment(expires)));
    }
    if let Some(default) = &asked.default {
        page.value("without an answer", default);
    }
    Shown { text: page.lines.join("\n"), is_cut: page.is_cut }
}

struct Page {
    lines: Vec<String>,
    length: Length,
    is_cut: bool,
}

impl Page {
    fn line(&mut self, line: &str) {
        self.lines.push(on_one_line(line));
    }

    fn place(&mut self, asked: &Interruption, source: Option<Source<'_>>) {
        let Some(at) = asked.position else { return };
        let file = asked.file.as_deref().unwrap_or("the script");
        self.line(&format!("  at: {file}:{}:{}", at.line, at.column));
        // The text at hand is the script's own, not that of a module.
        let own = source.filter(|source| asked.file.as_deref().is_none_or(|file| file == source.name));
        if let Some(Source { script, .. }) = own {
            let text = script.place(at.line, at.column).text;
            let shown: String = text.trim().chars().take(COLUMNS).collect();
            self.line(&format!("      {shown}"));
        }
    }

    /// The rule of a policy that wants to know, and why.
    fn ground(&mut self, payload: &Value) {
        for key in ["rule", "reason"] {
            if let Some(text) = payload[key].as_str() {
                self.line(&format!("  {key}: {text}"));
            }
        }
    }

    fn value(&mut self, name: &str, value: &Value) {
        let json = of_value(value);
        let compact = json.to_string();
        if compact.chars().count() <= ONE_LINE {
            return self.line(&format!("  {name}: {compact}"));
        }
        self.line(&format!("  {name}:"));
        let pretty = format!("{json:#}");
        let all = pretty.lines().count();
        let most = if self.length == Length::Full { all } else { LINES };
        for line in pretty.lines().take(most) {
            let end = line.char_indices().nth(COLUMNS).filter(|_| self.length == Length::Short);
            match end {
                Some((end, _)) => {
                    self.is_cut = true;
                    self.line(&format!(
                        "    {}… ({} characters more)",
                        &line[..end],
                        line[end..].chars().count()
                    ));
                }
                None => self.line(&format!("    {line}")),
            }
        }
        if all > most {
            self.is_cut = true;
            self.line(&format!("    … ({} lines more)", all - most));
        }
    }
}
