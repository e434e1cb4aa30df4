//! How deep a text nests, told without a parser.

use crate::error::{Complaint, SourceError};
use crate::skim::{Grammar, Mark, Skim};

/// How deep brackets may nest; the values that cross the boundary have the same bound.
const MAX_DEPTH: usize = 1_000;

/// How much nesting a text may have in total: the sum, over its bytes, of the brackets that are open there.
///
/// A parser that meets `(a = `, `f<` or `a ? (b) : c =>` guesses what it will turn out to be, and reads it again when
/// it was wrong; what is nested in such guesses is read once for each. This sum bounds that work, and the memory
/// that goes with it (some 60 bytes for each).
const MAX_TOTAL: usize = 2 << 20;

/// The same for a long text: the average depth that it may have.
const MAX_AVERAGE: usize = 12;

/// What stands in brackets inside of an open `<` is read as a type, as parameters and as a value, each time that what is
/// around it is read: for each such `<` around it three times as often. The sum counts it so often.
const READINGS_OF_GUESS: usize = 3;

/// A text in which some `/` are in doubt is read once for each combination of what they may mean: so many bytes in all, ...
const MAX_READ: usize = 8 << 20;

/// ... or so many times.
const MIN_READINGS: usize = 32;

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
/// A `<` counts as open until its `>`, or until what no type has (`=`, `;`, `+`, `&&`, ...) tells that it
/// compared.
///
/// # Errors
///
/// [`SourceError::TooDeep`] at the first place that is too deep; [`SourceError::Unsupported`] at a `/` whose
/// meaning only a parser could tell.
pub(crate) fn check_nesting(text: &str, grammar: Grammar) -> Result<Nesting, SourceError> {
    measure(text, grammar).map_err(|refusal| refusal.into_error(text))
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Refusal {
    Depth(usize),
    Total(usize),
    Slash(usize),
}

/// Reads the text in every way in which it might be read.
fn measure(text: &str, grammar: Grammar) -> Result<Nesting, Refusal> {
    let most = (MAX_READ / text.len().max(1)).max(MIN_READINGS);
    let mut nesting = Nesting::default();
    let mut read = 0;
    let mut to_do = vec![Vec::new()];
    while let Some(readings) = to_do.pop() {
        let mut skim = Skim::new(text, grammar, &readings);
        let Nesting { open, decorators } = sum_up(text, &mut skim)?;
        nesting.open = nesting.open.max(open);
        nesting.decorators = nesting.decorators.max(decorators);
        read += 1;
        let doubts = skim.doubts();
        to_do.extend((readings.len()..doubts.len()).map(|doubt| other_reading(&readings, doubt)));
        match doubts.first() {
            Some(&doubt) if read + to_do.len() > most => return Err(Refusal::Slash(doubt)),
            _ => {}
        }
    }
    Ok(nesting)
}

/// As these, but for the `/` in doubt with this number, which they take for a division.
fn other_reading(readings: &[bool], doubt: usize) -> Vec<bool> {
    let mut other = readings.to_vec();
    other.resize(doubt, false);
    other.push(true);
    other
}

fn sum_up(text: &str, skim: &mut Skim<'_>) -> Result<Nesting, Refusal> {
    let max_total = MAX_TOTAL.max(MAX_AVERAGE * text.len());
    let mut levels = Levels::default();
    let mut total = 0_usize;
    let mut counted = 0;
    let mut nesting = Nesting::default();
    for Mark { at, byte } in skim {
        levels.step(text.as_bytes(), at, byte);
        nesting.open = nesting.open.max(levels.open);
        nesting.decorators += usize::from(byte == b'@');
        total = levels.weight().saturating_mul(at + 1 - counted).saturating_add(total);
        counted = at + 1;
        if levels.outer.len() > MAX_DEPTH {
            return Err(Refusal::Depth(at));
        }
        if total > max_total {
            return Err(Refusal::Total(at));
        }
    }
    Ok(nesting)
}

impl Refusal {
    fn into_error(self, text: &str) -> SourceError {
        let complaint = |at: usize, what: &str| Complaint::new(text, at, at + 1, what);
        let deep = |at, what: &str| {
            let complaint = complaint(at, what);
            SourceError::TooDeep(Box::new(
                complaint.hint("put the inner parts into variables or functions of their own"),
            ))
        };
        match self {
            Self::Depth(at) => deep(at, &format!("brackets nest deeper than {MAX_DEPTH}")),
            Self::Total(at) => deep(at, "too much of the text is nested too deeply"),
            Self::Slash(at) => SourceError::Unsupported(Box::new(
                complaint(at, "this `/` may divide, or begin a regular expression").hint(
                    "put a regular expression behind a `;` or into parentheses, and a division on one line",
                ),
            )),
        }
    }
}

/// The innermost open bracket, or the text itself, and those around it.
#[derive(Default)]
struct Levels {
    level: Level,
    /// The outermost first.
    outer: Vec<Level>,
    /// Open brackets and guesses of all levels.
    open: usize,
    /// The `<` that are open around the innermost bracket.
    guesses: usize,
}

#[derive(Default)]
struct Level {
    /// What opened it; 0 for the text itself.
    bracket: u8,
    /// The `<` that are open directly in it.
    angles: usize,
    /// The `?` whose `:` is still to come.
    questions: usize,
    /// Whether `? (...) :` may be the head of an arrow function, with its type.
    head: bool,
    /// Arrow functions that began so.
    arrows: usize,
    /// Whether a parenthesis has just been closed in it.
    closed: bool,
}

impl Levels {
    /// How often what stands here is read, more than once.
    fn weight(&self) -> usize {
        READINGS_OF_GUESS.saturating_pow(self.guesses as u32).saturating_add(self.open) - 1
    }

    fn step(&mut self, bytes: &[u8], at: usize, byte: u8) {
        let next = bytes.get(at + 1).copied();
        let closed = std::mem::take(&mut self.level.closed);
        match byte {
            b'(' | b'[' | b'{' => self.push(byte),
            b')' => {
                self.pop(b'(');
                self.level.closed = true;
            }
            b']' => self.pop(b'['),
            b'}' => self.pop(b'{'),
            b'<' => {
                self.level.angles += 1;
                self.open += 1;
            }
            b'>' if at > 0 && bytes[at - 1] == b'=' => self.arrow(),
            b'>' => {
                let closed = self.level.angles.min(1);
                self.level.angles -= closed;
                self.open -= closed;
            }
            b'=' if next == Some(b'>') => {}
            b'?' if !matches!(next, Some(b'.' | b'?' | b':' | b',' | b')')) => self.level.questions += 1,
            b':' if self.level.questions > 0 => {
                self.level.questions -= 1;
                self.level.head |= closed;
            }
            b'&' | b'|' if next == Some(byte) => self.compared(),
            b'=' | b'+' | b'%' | b'^' | b'~' | b'/' => self.compared(),
            b';' | b',' => self.ended(byte),
            _ => {}
        }
    }

    fn push(&mut self, bracket: u8) {
        let outer = std::mem::replace(&mut self.level, Level { bracket, ..Level::default() });
        self.guesses += outer.angles;
        self.outer.push(outer);
        self.open += 1;
    }

    /// Closes the innermost such bracket, and what was left open in it.
    fn pop(&mut self, bracket: u8) {
        while let Some(outer) = self.outer.pop() {
            self.open -= 1 + self.level.angles + self.level.arrows;
            self.guesses -= outer.angles;
            let closed = std::mem::replace(&mut self.level, outer);
            if closed.bracket == bracket {
                return;
            }
        }
    }

    /// What looked like open angle brackets was comparisons.
    fn compared(&mut self) {
        self.open -= std::mem::take(&mut self.level.angles);
        self.level.head = false;
    }

    fn ended(&mut self, byte: u8) {
        self.open -= std::mem::take(&mut self.level.arrows);
        self.level.head = false;
        if byte == b';' {
            self.compared();
            self.level.questions = 0;
        }
    }

    fn arrow(&mut self) {
        let guess = usize::from(std::mem::take(&mut self.level.head));
        self.level.arrows += guess;
        self.open += guess;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn too_deep_at(text: &str) -> Option<usize> {
        match measure(text, Grammar::Script) {
            Ok(_) => None,
            Err(Refusal::Depth(at) | Refusal::Total(at) | Refusal::Slash(at)) => Some(at),
        }
    }

    fn nested(open: &str, close: &str, depth: usize) -> String {
        format!("{}1{}", open.repeat(depth), close.repeat(depth))
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
        assert_eq!(too_deep_at(&nested("`${", "", 1_001)), Some(3_002));
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
    fn what_would_be_read_twice_at_each_level_is_refused_early() {
        assert_eq!(too_deep_at(&"w<(a=".repeat(8)), None);
        assert_eq!(too_deep_at(&"w<(a=".repeat(50)), Some(59));
        assert_eq!(too_deep_at(&"w<(a=new A<".repeat(50)), Some(67));
        let types = "let a: Map<string, Array<Promise<{ b: Set<[c: number]> }>>>;\n";
        assert_eq!(too_deep_at(&types.repeat(1_000)), None);
    }

    #[test]
    fn arrow_functions_that_may_be_branches_nest() {
        assert_eq!(too_deep_at(&"a?(b):c=>".repeat(1_000)), Some(6_146));
        assert_eq!(too_deep_at(&"a ? (b) : c;\n".repeat(20_000)), None);
        assert_eq!(too_deep_at(&"a ? (b) : c => d;\n".repeat(15_000)), None);
        assert_eq!(too_deep_at(&"const f = (a?: A): B => c\n".repeat(10_000)), None);
    }

    #[test]
    fn nothing_hides_brackets() {
        let brackets = "(".repeat(1_001);
        let before = [
            "/`/;",
            "/[/*]/;",
            "/'/;",
            "x = a\n/`/;",
            "let a\n/`/;",
            "{}/`/;",
            "if (a) /`/;",
            "a++\n/`/;",
            "x!\n/`/;",
            "f<a>/`/;",
            "return /`/;",
            "=> /`/;",
            "// \r",
            "// \u{2028}",
            "'\\\r\n';",
            "`${`\\``}`;",
            "`${{}/{/}`;",
            "/a/.b /*`*/;",
            "/* ' */",
            "<!-- `\n",
            "a/b/c;",
            "a = b / c + '/';",
            "a\n/ (b) / c;",
            "a\n/ b // '\n",
            ".../`/,",
        ];
        for before in before {
            assert!(too_deep_at(&format!("{before}{brackets}")).is_some(), "{before:?}");
        }
    }

    #[test]
    fn a_slash_in_doubt_is_read_both_ways_unless_there_are_too_many() {
        assert_eq!(too_deep_at(&"a\n/ b // it's half\n".repeat(5)), None);
        assert_eq!(too_deep_at(&"a\n/ b // it's half\n".repeat(50)), Some(2));
    }

    #[test]
    fn comparisons_in_statements_add_up_to_nothing() {
        assert_eq!(too_deep_at(&"if (a < b && c < d) { e = f < g; }\n".repeat(7_000)), None);
        assert_eq!(too_deep_at(&"const a = b < c\n".repeat(16_000)), None);
        assert_eq!(too_deep_at(&"<!-- a\n".repeat(30_000)), None);
    }

    #[test]
    fn the_depth_and_the_decorators_are_told() {
        assert_eq!(
            check_nesting("@a f([1], Map<A>, '@')", Grammar::Module),
            Ok(Nesting { open: 2, decorators: 1 })
        );
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
        let error = check_nesting(&format!("\n{}", "(".repeat(1_001)), Grammar::Module).unwrap_err();
        assert_eq!(error.code(), "SOURCE_TOO_DEEP");
        assert_eq!(error.position(), Some(crate::Position { line: 2, column: 1_001 }));
    }
}
