//! One case: a program, what the world makes of its calls, and what befalls the run.

use proptest::array;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::print::{Style, text};
use crate::program::{Step, program};

/// All that a run depends on.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) program: Vec<Step>,
    /// What becomes of calls, in turn, by their arguments.
    pub(crate) plan: Vec<Planned>,
    /// What happens at each pause, in turn.
    pub(crate) pauses: Vec<Pause>,
    /// Where the process dies, in 65,536ths of the ledger.
    pub(crate) crashes: Vec<u16>,
    /// Whether a script that waits for nothing fails.
    pub(crate) strict: bool,
    /// Whether it goes on in the sandbox in which it paused, where that is still there.
    pub(crate) in_place: bool,
    /// Whether the program observes order and time.
    pub(crate) ordered: bool,
    pub(crate) seed: [u8; 32],
}

/// What becomes of a call.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    /// Milliseconds until it is known; 0: at once.
    pub(crate) delay: u16,
    pub(crate) rejects: bool,
    /// How many questions it asks first, if it is one that asks.
    pub(crate) questions: u8,
    pub(crate) verdict: Verdict,
    /// Whether it was done, where a crash lost its outcome.
    pub(crate) survives: bool,
}

/// What an approver says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Yes,
    Edited,
    No,
}

/// What happens while a run is put away.
#[derive(Clone, Debug)]
pub(crate) struct Pause {
    /// Milliseconds until it goes on. Negative: on a machine whose clock is behind.
    pub(crate) gap: i64,
    /// Which of the questions are answered, by their places.
    pub(crate) answered: u8,
    /// How many milliseconds ago each answer was given, times its place.
    pub(crate) ago: u16,
    /// Which mistakes are made before.
    pub(crate) mistakes: u8,
}

impl Case {
    pub(crate) fn text(&self) -> String {
        text(&self.program, Style { ordered: self.ordered, salt: SALT })
    }

    /// A text whose calls have other arguments.
    pub(crate) fn other_text(&self) -> String {
        text(&self.program, Style { ordered: self.ordered, salt: "b" })
    }
}

/// What the calls of the true text carry.
pub(crate) const SALT: &str = "a";

impl std::fmt::Debug for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { plan, pauses, crashes, strict, in_place, ordered, .. } = self;
        writeln!(f, "strict: {strict}, in place: {in_place}, ordered: {ordered}, crashes: {crashes:?}")?;
        writeln!(f, "{}", self.text())?;
        plan.iter().enumerate().try_for_each(|(at, planned)| writeln!(f, "plan {at}: {planned:?}"))?;
        pauses.iter().enumerate().try_for_each(|(at, pause)| writeln!(f, "pause {at}: {pause:?}"))
    }
}

pub(crate) fn case() -> impl Strategy<Value = Case> {
    let plan = vec(planned(), 13);
    let life = (vec(pause(), 1..6), vec(any::<u16>(), 2));
    let kind =
        (proptest::bool::weighted(0.15), proptest::bool::weighted(0.3), proptest::bool::weighted(0.75));
    (program(), plan, life, kind, array::uniform32(any::<u8>())).prop_map(
        |(program, plan, (pauses, crashes), (strict, in_place, ordered), seed)| {
            let strict = strict && ordered;
            Case { program, plan, pauses, crashes, strict, in_place: in_place && !strict, ordered, seed }
        },
    )
}

fn planned() -> impl Strategy<Value = Planned> {
    let delay = prop_oneof![2 => Just(0), 3 => 1..12_u16, 3 => 12..40_u16];
    let verdict = prop_oneof![3 => Just(Verdict::Yes), 2 => Just(Verdict::Edited), 1 => Just(Verdict::No)];
    (delay, proptest::bool::weighted(0.12), 1..3_u8, verdict, any::<bool>()).prop_map(
        |(delay, rejects, questions, verdict, survives)| Planned {
            delay,
            rejects,
            questions,
            verdict,
            survives,
        },
    )
}

fn pause() -> impl Strategy<Value = Pause> {
    let gap = prop_oneof![2 => Just(0), 4 => 1..100_i64, 2 => 100..100_000_i64, 2 => -50..0_i64];
    (gap, any::<u8>(), prop_oneof![Just(0), 0..60_u16], any::<u8>())
        .prop_map(|(gap, answered, ago, mistakes)| Pause { gap, answered, ago, mistakes })
}
