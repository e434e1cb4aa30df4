//! Faults on purpose: what the property tests of the laws must find.
//!
//! For tests alone. Without the feature `faults`, which nothing but `cargo xtask mutants` turns on, [`Faults`] holds nothing and
//! [`has`](Faults::has) is the constant `false`.

/// One thing that a run may get wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Outcomes are told in the order of the calls, not in that of their finishing.
    SettleInCallOrder,
    /// Two answers are given to each other's questions.
    SwapResolutions,
    /// A replay invokes the host functions of recorded calls.
    InvokeRecorded,
    /// What was answered is invoked before the replay is through.
    InvokeBeforeFrontier,
    /// A run is put away without [`Entry::Paused`](crate::Entry::Paused).
    DropPaused,
    /// The guest's clock follows the host's back.
    ClockGoesBack,
    /// A pause is an exception in the guest.
    FinallyAtPause,
    /// All questions of a call have one id.
    ReuseInterruptionId,
    /// A replay does not know of edited arguments.
    ForgetEdit,
    /// A replay does not compare arguments.
    SkipArgumentCheck,
    /// In strict mode, calls of the last slice are made.
    DrainNewCalls,
    /// An answer to a question that was answered is taken for its call's next question.
    AcceptStale,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::SettleInCallOrder,
        Self::SwapResolutions,
        Self::InvokeRecorded,
        Self::InvokeBeforeFrontier,
        Self::DropPaused,
        Self::ClockGoesBack,
        Self::FinallyAtPause,
        Self::ReuseInterruptionId,
        Self::ForgetEdit,
        Self::SkipArgumentCheck,
        Self::DrainNewCalls,
        Self::AcceptStale,
    ];

    /// Its name on the command line: `settle-in-call-order`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SettleInCallOrder => "settle-in-call-order",
            Self::SwapResolutions => "swap-resolutions",
            Self::InvokeRecorded => "invoke-recorded",
            Self::InvokeBeforeFrontier => "invoke-before-frontier",
            Self::DropPaused => "drop-paused",
            Self::ClockGoesBack => "clock-goes-back",
            Self::FinallyAtPause => "finally-at-pause",
            Self::ReuseInterruptionId => "reuse-interruption-id",
            Self::ForgetEdit => "forget-edit",
            Self::SkipArgumentCheck => "skip-argument-check",
            Self::DrainNewCalls => "drain-new-calls",
            Self::AcceptStale => "accept-stale",
        }
    }
}

/// Which fault there is, if any. Default: none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    #[cfg(feature = "faults")]
    only: Option<Fault>,
}

impl Faults {
    /// Just this one.
    #[cfg(feature = "faults")]
    pub const fn only(fault: Fault) -> Self {
        Self { only: Some(fault) }
    }

    /// Whether there is this one.
    #[cfg(feature = "faults")]
    pub fn has(self, fault: Fault) -> bool {
        self.only == Some(fault)
    }

    /// Whether there is this one: never, in this build.
    #[cfg(not(feature = "faults"))]
    pub const fn has(self, _: Fault) -> bool {
        false
    }
}
