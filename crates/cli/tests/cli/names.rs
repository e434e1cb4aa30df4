//! Ids, keys and times, which no two runs have in common, as names that tests can expect.

/// What begins so is followed by 26 characters, or by 52.
const IDS: [(&str, &str, usize); 5] = [
    ("run_", "run", 26),
    ("int_", "int", 26),
    ("inv_", "inv", 26),
    ("key_", "key", 26),
    ("sha256:", "digest", 52),
];

/// What stands before a number that no two runs have in common: a time, or a place in a ledger. That has an entry more where the clock was read
/// in another millisecond.
const NUMBERS: [&str; 11] = [
    "\"wake_at\": ",
    "\"began\": ",
    "\"created\": ",
    "\"length\": ",
    "\"entry\": ",
    "at entry ",
    "ledger: ",
    "what the ",
    "the ledger has ",
    "takes 1 to ",
    "clock: ",
];

/// The text with each id as its kind and a number, in the order in which they come: `[run 1]`, `[int 2]`. Tokens are `[token]`,
/// numbers of the moment `[n]`.
pub(crate) fn anonymous(text: &str) -> String {
    let text =
        IDS.iter().fold(text.to_owned(), |text, (prefix, kind, length)| number(&text, prefix, kind, *length));
    let is_of_token = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let text = cut(&text, "imt1_", "[token]", is_of_token);
    let text = cut(&text, "waits until ", "waits until [time]", |c| !c.is_whitespace());
    let text = cut(&text, "began: ", "began: [time]", |c| !c.is_whitespace());
    NUMBERS
        .iter()
        .fold(text, |text, prefix| cut(&text, prefix, &format!("{prefix}[n]"), |c| c.is_ascii_digit()))
}

fn number(text: &str, prefix: &str, kind: &str, length: usize) -> String {
    let mut seen: Vec<&str> = Vec::new();
    let mut parts = text.split(prefix);
    let mut named = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.get(..length).filter(|id| id.bytes().all(|byte| byte.is_ascii_alphanumeric())) {
            Some(id) => {
                let place = seen.iter().position(|known| *known == id).unwrap_or_else(|| {
                    seen.push(id);
                    seen.len() - 1
                });
                named.extend(["[", kind, " ", &(place + 1).to_string(), "]", &part[length..]]);
            }
            None => named.extend([prefix, part]),
        }
    }
    named
}

fn cut(text: &str, prefix: &str, name: &str, belongs: impl Fn(char) -> bool) -> String {
    let mut parts = text.split(prefix);
    let mut named = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(&belongs);
        let name = if rest.len() == part.len() { prefix } else { name };
        named.extend([name, rest]);
    }
    named
}
