//! What a run may use.

use std::time::Duration;

use intermission_engine::SandboxLimits;

/// Every limit of a run. Each has a code of its own ([`crate::Limit::code`]) and none can be caught by the script, but for the JavaScript stack: a
/// `RangeError`.
///
/// ```
/// use intermission::Limits;
/// use std::time::Duration;
///
/// let limits = Limits { cpu: Duration::from_secs(5), calls: 100, ..Limits::default() };
/// assert_eq!(limits.memory, 128 << 20);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time of one invocation, host calls and timers included. Default: 30 s.
    pub deadline: Duration,
    /// Time that the script computes. Default: 30 s.
    pub cpu: Duration,
    /// Backward jumps and calls; the same number on every machine. Default: none.
    pub fuel: Option<u64>,
    /// Linear memory of the sandbox and the arguments of its calls under way, in bytes, 4 MiB to 4 GiB; about 2.7 MB of it is the realm.
    /// Default: 128 MiB.
    pub memory: u64,
    /// JavaScript's stack in bytes, 64 KiB to 1 MiB. Default: 1 MiB, some 3,200 plain calls deep.
    pub js_stack: u32,
    /// The source, and each module, in bytes; never more than 1 MiB, which the parser can bear. Default: 256 KiB.
    pub source: usize,
    /// The value and the final `data`, each in bytes of its encoded form. Default: 8 MiB.
    pub result: u32,
    /// The console, in bytes of its encoded form. Default: 1 MiB.
    pub console: u32,
    /// The arguments of one call, in bytes of their encoded form. Default: 8 MiB.
    pub arguments: u32,
    /// The outcome of one call, in bytes of its encoded form. Default: 8 MiB.
    pub output: u32,
    /// Host calls and module requests. Default: 10,000.
    pub calls: u32,
    /// Host calls under way at one time. Default: 1,000.
    pub in_flight: u32,
    /// Timers set at one time. Default: 10,000.
    pub timers: u32,
    /// The run's ledger, in bytes of its encoded form, about. Default: 64 MiB.
    pub ledger: u64,
}

impl Default for Limits {
    fn default() -> Self {
        let sandbox = SandboxLimits::default();
        Self {
            deadline: Duration::from_secs(30),
            cpu: Duration::from_secs(30),
            fuel: sandbox.fuel,
            memory: sandbox.memory,
            js_stack: sandbox.js_stack,
            source: 256 << 10,
            result: sandbox.result,
            console: sandbox.console,
            arguments: sandbox.arguments,
            output: 8 << 20,
            calls: sandbox.calls,
            in_flight: sandbox.in_flight,
            timers: sandbox.timers,
            ledger: sandbox.ledger,
        }
    }
}

impl Limits {
    /// Those that the sandbox itself enforces.
    pub(crate) fn sandbox(&self) -> SandboxLimits {
        SandboxLimits {
            fuel: self.fuel,
            memory: self.memory,
            js_stack: self.js_stack,
            result: self.result,
            console: self.console,
            arguments: self.arguments,
            calls: self.calls,
            in_flight: self.in_flight,
            timers: self.timers,
            ledger: self.ledger,
        }
    }
}
