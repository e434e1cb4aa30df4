//! What a run may use, and what it says when that is not enough.

use std::fmt;

/// What is bounded. Each has a code of its own that never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Limit {
    /// Wall-clock time of one invocation, host calls included, in milliseconds.
    Deadline,
    /// Time that the guest computes, in milliseconds of its thread's CPU time.
    Cpu,
    /// Backward jumps and calls of the script: the same number on every machine.
    Fuel,
    /// Linear memory of the sandbox and the arguments of its calls under way, in bytes.
    Memory,
    /// The source text, in bytes.
    Source,
    /// The run's value, or its final `data`, in bytes of their encoded form.
    Result,
    /// All console entries together, in bytes of their encoded form.
    Console,
    /// The arguments of one host call, in bytes of their encoded form.
    Arguments,
    /// The outcome of one host call, in bytes of its encoded form.
    Output,
    /// Host calls and module requests of a run.
    Calls,
    /// Host calls without an outcome at one time.
    InFlight,
    /// Timers that are set at one time.
    Timers,
    /// The run's record, in bytes: what it asked for and was told.
    Ledger,
    /// CPU time of a replay, in milliseconds: ten times what the run had used, and a second more.
    Replay,
}

impl Limit {
    /// Every limit.
    pub const ALL: [Self; 14] = [
        Self::Deadline,
        Self::Cpu,
        Self::Fuel,
        Self::Memory,
        Self::Source,
        Self::Result,
        Self::Console,
        Self::Arguments,
        Self::Output,
        Self::Calls,
        Self::InFlight,
        Self::Timers,
        Self::Ledger,
        Self::Replay,
    ];

    /// The stable code: `LIMIT_DEADLINE` and so on.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Deadline => "LIMIT_DEADLINE",
            Self::Cpu => "LIMIT_CPU",
            Self::Fuel => "LIMIT_FUEL",
            Self::Memory => "LIMIT_MEMORY",
            Self::Source => "LIMIT_SOURCE",
            Self::Result => "LIMIT_RESULT",
            Self::Console => "LIMIT_CONSOLE",
            Self::Arguments => "LIMIT_ARGUMENTS",
            Self::Output => "LIMIT_OUTPUT",
            Self::Calls => "LIMIT_CALLS",
            Self::InFlight => "LIMIT_IN_FLIGHT",
            Self::Timers => "LIMIT_TIMERS",
            Self::Ledger => "LIMIT_LEDGER",
            Self::Replay => "LIMIT_REPLAY",
        }
    }

    /// Its name in configuration: `deadline`, `in_flight`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Deadline => "deadline",
            Self::Cpu => "cpu",
            Self::Fuel => "fuel",
            Self::Memory => "memory",
            Self::Source => "source",
            Self::Result => "result",
            Self::Console => "console",
            Self::Arguments => "arguments",
            Self::Output => "output",
            Self::Calls => "calls",
            Self::InFlight => "in_flight",
            Self::Timers => "timers",
            Self::Ledger => "ledger",
            Self::Replay => "replay",
        }
    }

    /// What is counted: `ms`, `bytes`, `jumps and calls`.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Deadline | Self::Cpu | Self::Replay => "ms",
            Self::Fuel => "jumps and calls",
            Self::Calls | Self::InFlight => "calls",
            Self::Timers => "timers",
            Self::Memory
            | Self::Source
            | Self::Result
            | Self::Console
            | Self::Arguments
            | Self::Output
            | Self::Ledger => "bytes",
        }
    }
}

/// A limit was hit. The guest could not catch it; the run has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted {
    /// Which.
    pub limit: Limit,
    /// What was allowed, in the limit's unit.
    pub allowed: u64,
    /// What was used, or would have been.
    pub used: u64,
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { limit, allowed, used } = self;
        write!(f, "the limit `{}` is exhausted: {used} of {allowed} {}", limit.name(), limit.unit())
    }
}

impl std::error::Error for Exhausted {}

/// The limits that the sandbox itself enforces. Time is the driver's: it stops entering the sandbox, and has a guest that does not come back
/// stopped ([`Sandbox::stop_after_span`](crate::Sandbox::stop_after_span), [`Stopper`](crate::Stopper)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SandboxLimits {
    /// [`Limit::Fuel`]; `None`: not limited.
    pub fuel: Option<u64>,
    /// [`Limit::Memory`], in bytes: the guest's, and the arguments of calls under way. At least [`SandboxLimits::LEAST_MEMORY`].
    pub memory: u64,
    /// JavaScript's stack, in bytes: when it is used up, a `RangeError` that the script can catch. 64 KiB to 1 MiB.
    pub js_stack: u32,
    /// [`Limit::Result`].
    pub result: u32,
    /// [`Limit::Console`].
    pub console: u32,
    /// [`Limit::Arguments`].
    pub arguments: u32,
    /// [`Limit::Calls`].
    pub calls: u32,
    /// [`Limit::InFlight`].
    pub in_flight: u32,
    /// [`Limit::Timers`].
    pub timers: u32,
    /// [`Limit::Ledger`]; here what the script asks for, calls with their arguments and timers.
    pub ledger: u64,
}

impl SandboxLimits {
    /// An image has about 2.7 MB; a run needs some room above it.
    pub const LEAST_MEMORY: u64 = 4 << 20;
    /// The JavaScript stack that the guest was linked for.
    pub const MOST_STACK: u32 = 1 << 20;
    /// Below this not even the realm's own functions run.
    pub const LEAST_STACK: u32 = 64 << 10;
}

impl Default for SandboxLimits {
    /// No fuel limit; 128 MiB of memory, 1 MiB of stack, 8 MiB of result, 1 MiB of console, 8 MiB of arguments a call, 10,000 calls, 1,000 in
    /// flight, 10,000 timers, 64 MiB of ledger.
    fn default() -> Self {
        Self {
            fuel: None,
            memory: 128 << 20,
            js_stack: 1 << 20,
            result: 8 << 20,
            console: 1 << 20,
            arguments: 8 << 20,
            calls: 10_000,
            in_flight: 1_000,
            timers: 10_000,
            ledger: 64 << 20,
        }
    }
}
