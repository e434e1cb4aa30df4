//! Programs, as a tree that can be made at random and made smaller.

use proptest::collection::vec;
use proptest::prelude::*;

/// A host function that programs call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    /// Without effect.
    Pure,
    /// Again is the same as once.
    Idem,
    /// Again is twice.
    Once,
    /// Asks before it answers.
    Ask,
    /// Asks, and again is twice.
    AskOnce,
    /// Needs approval; again is the same as once.
    Mail,
    /// Needs approval; again is twice.
    Wire,
}

/// A host function for which the program stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blocking {
    /// Without effect.
    Peek,
    /// Again is twice.
    Stamp,
}

/// An expression that gives a promise.
#[derive(Clone, Debug)]
pub(crate) enum Job {
    Call(Function),
    Sleep(u16),
    All(Vec<Job>),
    Settled(Vec<Job>),
    Race(Vec<Job>),
    Any(Vec<Job>),
    /// The second when the first is fulfilled.
    Then(Box<Job>, Box<Job>),
    /// The first's rejection becomes its message.
    Catch(Box<Job>),
    /// Says so when it is settled.
    Finally(Box<Job>),
    /// An async function of its own.
    Block(Vec<Step>),
}

/// A statement.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Waits for it and keeps its value.
    Await(Job),
    /// Sets it going and does not wait.
    Hold(Job),
    /// Waits for what was last set going.
    Release,
    Try {
        body: Vec<Step>,
        catch: Vec<Step>,
        finally: Vec<Step>,
    },
    Loop {
        times: u8,
        body: Vec<Step>,
    },
    /// `for await` over an async generator, perhaps left early.
    ForAwait {
        jobs: Vec<Job>,
        leave: bool,
    },
    /// A generator whose promises are awaited outside of it.
    Generator(Vec<Job>),
    Timer {
        delay: u16,
        then: Option<Function>,
        clear: bool,
    },
    Interval {
        delay: u16,
        ticks: u8,
    },
    Block(Blocking),
    /// A module, by number; the last does not exist.
    Import(u8),
    Clock,
    Random,
    Data,
    Say,
    Throw,
}

/// How many modules [`Step::Import`] knows.
pub(crate) const MODULES: u8 = 4;

pub(crate) fn program() -> BoxedStrategy<Vec<Step>> {
    vec(step(2), 4..10).boxed()
}

fn function() -> impl Strategy<Value = Function> {
    use Function::{Ask, AskOnce, Idem, Mail, Once, Pure, Wire};
    prop_oneof![
        3 => Just(Pure), 3 => Just(Idem), 3 => Just(Once), 3 => Just(Ask), 2 => Just(AskOnce), 1 => Just(Mail), 1 => Just(Wire),
    ]
}

fn leaf() -> BoxedStrategy<Job> {
    prop_oneof![8 => function().prop_map(Job::Call), 2 => delay().prop_map(Job::Sleep)].boxed()
}

/// Most are short; some are longer than any pause before them, few than any invocation.
fn delay() -> impl Strategy<Value = u16> {
    prop_oneof![6 => 0..40_u16, 3 => 40..600_u16, 1 => Just(40_000)]
}

fn job(depth: u32) -> BoxedStrategy<Job> {
    if depth == 0 {
        return leaf();
    }
    let inner = || job(depth - 1);
    prop_oneof![
        5 => leaf(),
        2 => vec(inner(), 2..5).prop_map(Job::All),
        2 => vec(inner(), 2..5).prop_map(Job::Settled),
        2 => vec(inner(), 2..4).prop_map(Job::Race),
        1 => vec(inner(), 2..4).prop_map(Job::Any),
        1 => (inner(), inner()).prop_map(|(one, other)| Job::Then(Box::new(one), Box::new(other))),
        1 => inner().prop_map(|job| Job::Catch(Box::new(job))),
        1 => inner().prop_map(|job| Job::Finally(Box::new(job))),
        2 => vec(step(depth - 1), 1..4).prop_map(Job::Block),
    ]
    .boxed()
}

fn step(depth: u32) -> BoxedStrategy<Step> {
    let simple = prop_oneof![
        3 => (delay(), proptest::option::of(function()), any::<bool>())
            .prop_map(|(delay, then, clear)| Step::Timer { delay, then, clear }),
        1 => (1..60_u16, 1..4_u8).prop_map(|(delay, ticks)| Step::Interval { delay, ticks }),
        2 => prop_oneof![Just(Blocking::Peek), Just(Blocking::Stamp)].prop_map(Step::Block),
        1 => (0..MODULES).prop_map(Step::Import),
        3 => Just(Step::Clock),
        1 => Just(Step::Random),
        1 => Just(Step::Data),
        2 => Just(Step::Say),
        2 => Just(Step::Release),
        1 => Just(Step::Throw),
    ];
    let work = prop_oneof![5 => job(depth).prop_map(Step::Await), 2 => job(depth).prop_map(Step::Hold)];
    if depth == 0 {
        return prop_oneof![2 => simple, 3 => work].boxed();
    }
    let inner = |most: usize| vec(step(depth - 1), 0..most);
    let nested = prop_oneof![
        3 => (inner(4), inner(2), inner(3)).prop_map(|(body, catch, finally)| Step::Try { body, catch, finally }),
        2 => (2..4_u8, inner(3)).prop_map(|(times, body)| Step::Loop { times, body }),
        1 => (vec(job(depth - 1), 1..4), any::<bool>()).prop_map(|(jobs, leave)| Step::ForAwait { jobs, leave }),
        1 => vec(job(depth - 1), 1..4).prop_map(Step::Generator),
    ];
    prop_oneof![3 => simple, 6 => work, 3 => nested].boxed()
}
