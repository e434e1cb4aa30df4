//! How deep a text nests, told without a parser.

use crate::error::{Complaint, SourceError};

/// How deep brackets may nest; the values that cross the boundary have the same bound.
const MAX_DEPTH: usize = 1_000;

/// How much nesting a text may have in total: the sum, over its bytes, of the brackets that are open there.
///
/// A parser that meets `(a = ` or `f<` guesses what it will turn out to be, and reads it again when it was
/// wrong; what is nested in such guesses is read once for each. This sum bounds that work, and the memory
/// that goes with it (some 60 bytes for each).
const MAX_TOTAL: usize = 2 << 20;

/// The same for a long text: the average depth that it may have.
const MAX_AVERAGE: usize = 12;

/// How many brackets may be open behind a `<` of theirs that is open. `f<(a = ` may be a type or a comparison: the parser reads what follows twice, and what
/// is nested so in it twice as often each time.
const MAX_GUESSES: usize = 14;

/// What of a text decides how deep a parser recurses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Nesting {
    /// The most brackets and `<` that are open at one place.
    pub(crate) open: usize,
    /// The `@`, each of which may be a decorator of what follows.
    pub(crate) decorators: usize,
}

/// Refuses a text whose brackets nest absurdly.
///
/// Strings, comments and the text of templates are passed over. A regular expression is taken for code. A
/// `<` counts as open until its `>`, or until what no type has (`=`, `;`, `+`, `&&`, ...) tells that it
/// compared.
///
/// # Errors
///
/// [`SourceError::TooDeep`] at the first place that is too deep.
pub(crate) fn check_nesting(text: &str) -> Result<Nesting, SourceError> {
    Scan::new(text.as_bytes()).run().map_err(|(at, what)| {
        let complaint = Complaint::new(text, at, at + 1, what);
        SourceError::TooDeep(Box::new(
            complaint.hint("put the inner parts into variables or functions of their own"),
        ))
    })
}

struct Scan<'t> {
    bytes: &'t [u8],
    at: usize,
    /// The innermost open bracket, or the text itself.
    level: Level,
    /// Those around it, the outermost first.
    outer: Vec<Level>,
    /// Open brackets and open `<` of all levels.
    open: usize,
    /// Levels that are guesses.
    guesses: usize,
}

#[derive(Default)]
struct Level {
    /// Whether it is the `${` of a template.
    substitution: bool,
    /// The `<` that are open directly in it.
    angles: usize,
    /// Whether it was opened behind an open `<`.
    guess: bool,
}

impl<'t> Scan<'t> {
    fn new(bytes: &'t [u8]) -> Self {
        Self { bytes, at: 0, level: Level::default(), outer: Vec::new(), open: 0, guesses: 0 }
    }

    fn run(mut self) -> Result<Nesting, (usize, String)> {
        let max_total = MAX_TOTAL.max(MAX_AVERAGE * self.bytes.len());
        let mut total = 0;
        let mut counted = 0;
        let mut nesting = Nesting::default();
        while let Some(skipped) = self.bytes[self.at..].iter().position(|byte| STEPS[usize::from(*byte)]) {
            let here = self.at + skipped;
            self.at = here + 1;
            self.step(here);
            nesting.open = nesting.open.max(self.open);
            nesting.decorators += usize::from(self.bytes[here] == b'@');
            total += self.open * (self.at - counted);
            counted = self.at;
            if self.outer.len() > MAX_DEPTH {
                return Err((here, format!("brackets nest deeper than {MAX_DEPTH}")));
            }
            if self.guesses > MAX_GUESSES {
                return Err((here, format!("brackets behind `<` nest deeper than {MAX_GUESSES}")));
            }
            if total > max_total {
                return Err((here, "too much of the text is nested too deeply".to_owned()));
            }
        }
        Ok(nesting)
    }

    fn step(&mut self, here: usize) {
        let next = self.bytes.get(self.at).copied();
        match self.bytes[here] {
            b'(' | b'[' | b'{' => self.push(false),
            b')' | b']' => _ = self.pop(),
            b'}' => self.close_brace(),
            b'<' if !self.bytes[self.at..].starts_with(b"!--") => {
                self.level.angles += 1;
                self.open += 1;
            }
            b'>' if here.checked_sub(1).map(|before| self.bytes[before]) != Some(b'=') => {
                let closed = self.level.angles.min(1);
                self.level.angles -= closed;
                self.open -= closed;
            }
            b'=' if next == Some(b'>') => {}
            byte @ (b'&' | b'|') if next == Some(byte) => self.compared(),
            b'`' => self.template(),
            quote @ (b'"' | b'\'') => self.string(quote),
            b'/' if next == Some(b'/') => self.skip_past(b"\n"),
            b'/' if next == Some(b'*') => {
                self.at += 1;
                self.skip_past(b"*/");
            }
            b'=' | b';' | b'+' | b'%' | b'^' | b'~' | b'/' => self.compared(),
            _ => {}
        }
    }

    fn push(&mut self, substitution: bool) {
        let guess = self.level.angles > 0;
        self.guesses += usize::from(guess);
        let outer = std::mem::replace(&mut self.level, Level { substitution, angles: 0, guess });
        self.outer.push(outer);
        self.open += 1;
    }

    /// Behind the `}` of a substitution its template goes on.
    fn close_brace(&mut self) {
        if self.pop() {
            self.template();
        }
    }

    /// Closes a bracket; whether it was that of a substitution.
    fn pop(&mut self) -> bool {
        self.compared();
        let Some(outer) = self.outer.pop() else { return false };
        self.open -= 1;
        let closed = std::mem::replace(&mut self.level, outer);
        self.guesses -= usize::from(closed.guess);
        closed.substitution
    }

    /// What looked like open angle brackets was comparisons.
    fn compared(&mut self) {
        self.open -= std::mem::take(&mut self.level.angles);
    }

    /// From behind a backtick, or the `}` of a substitution, to behind the next backtick or `${`.
    fn template(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'`' => return,
                b'$' if self.bytes.get(self.at) == Some(&b'{') => {
                    self.at += 1;
                    return self.push(true);
                }
                _ => {}
            }
        }
        self.at = self.bytes.len();
    }

    /// From behind a quote to behind the next one, or to the end of the line.
    fn string(&mut self, quote: u8) {
        while let Some(&byte) = self.bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'\n' => return,
                _ if byte == quote => return,
                _ => {}
            }
        }
        self.at = self.bytes.len();
    }

    fn skip_past(&mut self, what: &[u8]) {
        let rest = &self.bytes[self.at.min(self.bytes.len())..];
        let found = rest.windows(what.len()).position(|window| window == what);
        self.at = found.map_or(self.bytes.len(), |found| self.at + found + what.len());
    }
}

/// The bytes at which something happens.
const STEPS: [bool; 256] = {
    let mut steps = [false; 256];
    let bytes = b"()[]{}<>=;+%^~&|`\"'/@";
    let mut index = 0;
    while index < bytes.len() {
        steps[bytes[index] as usize] = true;
        index += 1;
    }
    steps
};

#[cfg(test)]
mod tests {
    use super::*;

    fn too_deep_at(text: &str) -> Option<usize> {
        Scan::new(text.as_bytes()).run().err().map(|(at, _)| at)
    }

    fn nested(open: &str, close: &str, depth: usize) -> String {
        format!("{}1{}", open.repeat(depth), close.repeat(depth))
    }

    #[test]
    fn what_would_be_read_twice_at_each_level_is_bounded() {
        let nest = |times: usize| "w<(a= ".repeat(times) + "1" + &" )>".repeat(times);
        assert!(check_nesting(&nest(14)).is_ok());
        assert_eq!(check_nesting(&nest(15)).unwrap_err().code(), "SOURCE_TOO_DEEP");
        let types = "Map<string, {a: ".repeat(14) + "1" + &"}>".repeat(14);
        assert!(check_nesting(&types).is_ok());
    }

    #[test]
    fn a_thousand_brackets_pass_and_one_more_does_not() {
        for (open, close) in [("(", ")"), ("[", "]"), ("{", "}")] {
            assert_eq!(too_deep_at(&nested(open, close, 1_000)), None);
            assert_eq!(too_deep_at(&nested(open, close, 1_001)), Some(1_000));
        }
    }

    #[test]
    fn templates_nest_by_their_substitutions() {
        assert_eq!(too_deep_at(&nested("`${", "}`", 500)), None);
        assert_eq!(too_deep_at(&nested("`${", "", 1_001)), Some(3_000));
    }

    #[test]
    fn brackets_in_strings_comments_and_templates_are_not_counted() {
        let brackets = "(".repeat(3_000);
        for (before, behind) in [("'", "'"), ("`", "`"), ("// ", "\n"), ("/* ", " */")] {
            assert_eq!(too_deep_at(&format!("{before}{brackets}{behind}")), None, "{before}");
        }
    }

    #[test]
    fn what_would_be_read_again_and_again_is_refused_by_its_sum() {
        assert_eq!(too_deep_at(&"A<".repeat(1_000)), None);
        assert_eq!(too_deep_at(&"A<".repeat(20_000)), Some(2_895));
        assert_eq!(too_deep_at(&"({a=".repeat(400)), None);
        assert!(too_deep_at(&"(({a=".repeat(499)).is_some());
    }

    #[test]
    fn comparisons_in_statements_add_up_to_nothing() {
        assert_eq!(too_deep_at(&"if (a < b && c < d) { e = f < g; }\n".repeat(7_000)), None);
        assert_eq!(too_deep_at(&"const a = b < c\n".repeat(16_000)), None);
        assert_eq!(too_deep_at(&"<!-- a\n".repeat(30_000)), None);
    }

    #[test]
    fn the_depth_and_the_decorators_are_told() {
        assert_eq!(check_nesting("@a f([1], Map<A>, '@')"), Ok(Nesting { open: 2, decorators: 1 }));
    }

    #[test]
    fn stray_closing_brackets_are_left_to_the_parser() {
        assert_eq!(too_deep_at(&")]}>".repeat(1_000)), None);
    }

    #[test]
    fn text_that_ends_early_is_left_to_the_parser() {
        for end in ["'", "`", "\\", "'\\", "`\\", "/*", "//", "`${"] {
            assert_eq!(too_deep_at(end), None);
        }
    }

    #[test]
    fn the_error_names_the_place() {
        let error = check_nesting(&format!("\n{}", "(".repeat(1_001))).unwrap_err();
        assert_eq!(error.code(), "SOURCE_TOO_DEEP");
        assert_eq!(error.position(), Some(crate::Position { line: 2, column: 1_001 }));
    }
}
