//! A run from its beginning to its end, through every pause.

use std::collections::BTreeMap;

use intermission::ledger::Entry;
use intermission::{
    ConsoleEntry, Continuation, Interruption, InterruptionId, Report, Resolution, ResumeInput, RunInput,
    RunResult, Runner, TimeSource, Value,
};

use crate::alive::answered_in_place;
use crate::case::{Case, Pause};
use crate::laws::{Broken, broken};
use crate::mistakes;
use crate::reach::Reach;
use crate::rig::Rig;

/// After so many pauses everything is answered.
const PATIENCE: usize = 7;
/// No run has more.
const MOST_PAUSES: usize = 200;

pub(crate) struct Life<'a> {
    pub(crate) rig: &'a Rig,
    pub(crate) case: &'a Case,
    pub(crate) runner: &'a Runner,
    pub(crate) reach: Reach,
    /// Questions that were asked, as they were asked first.
    asked: BTreeMap<InterruptionId, Interruption>,
    /// Those that were answered.
    pub(crate) answered: Vec<InterruptionId>,
    /// The console up to the last pause.
    said: Vec<ConsoleEntry>,
}

/// A run that is put away.
pub(crate) struct AtRest {
    pub(crate) bytes: Vec<u8>,
    pub(crate) continuation: Continuation,
    pub(crate) interruptions: Vec<Interruption>,
    pub(crate) wake_at: Option<u64>,
}

impl<'a> Life<'a> {
    pub(crate) fn new(rig: &'a Rig, case: &'a Case) -> Self {
        Self::on(rig.runner(case), rig, case)
    }

    /// One that nobody interrupts.
    pub(crate) fn uninterrupted(rig: &'a Rig, case: &'a Case) -> Self {
        Self::on(&rig.knowing, rig, case)
    }

    fn on(runner: &'a Runner, rig: &'a Rig, case: &'a Case) -> Self {
        let (asked, answered, said) = (BTreeMap::new(), Vec::new(), Vec::new());
        Self { rig, case, runner, reach: Reach::default(), asked, answered, said }
    }

    fn input(&self) -> RunInput<'static> {
        RunInput::new(self.case.text()).data(Value::object([("n", 0.0)])).seed(self.case.seed)
    }

    /// The first invocation.
    pub(crate) async fn begin(&self) -> RunResult {
        self.runner.run(self.input()).await
    }

    /// The first invocation; now and then somebody listens and answers at once.
    pub(crate) async fn begin_somehow(&mut self) -> Result<RunResult, Broken> {
        let pause = &self.case.pauses[0];
        if !pause.mistakes.is_multiple_of(4) {
            return Ok(self.begin().await);
        }
        let begun = answered_in_place(self.runner, self.input(), &self.rig.world, pause).await?;
        self.answered = begun.1;
        Ok(begun.0)
    }

    /// Goes on until the run is over.
    pub(crate) async fn carry_on(&mut self, mut result: RunResult) -> Result<RunResult, Broken> {
        for turn in 0..MOST_PAUSES {
            self.hear(result.report())?;
            let RunResult::Interrupted { interruptions, continuation, wake_at, .. } = result else {
                return Ok(result);
            };
            let bytes = continuation.to_bytes();
            let continuation = Continuation::from_bytes(&bytes)
                .map_err(|error| broken(4, format!("its own bytes: {error}")))?;
            let rest = AtRest { bytes, continuation, interruptions, wake_at };
            self.look_at(&rest)?;
            let pause = &self.case.pauses[turn % self.case.pauses.len()];
            mistakes::make(self, &rest, pause).await?;
            result = self.go_on(&rest, pause, turn).await?;
        }
        Err(broken(1, format!("a run that is put away {MOST_PAUSES} times")))
    }

    /// What was said before is said again, first and once.
    pub(crate) fn hear(&mut self, report: &Report) -> Result<(), Broken> {
        if !report.console.starts_with(&self.said) || report.replayed != self.said.len() {
            let (said, now) = (&self.said, &report.console);
            return Err(broken(3, format!("the console was {said:?}, now {} of {now:?}", report.replayed)));
        }
        self.said.clone_from(&report.console);
        Ok(())
    }

    /// A run that starts from the first `said` entries of its console.
    pub(crate) fn has_said(&mut self, console: &[ConsoleEntry]) {
        self.said = console.to_vec();
    }

    fn look_at(&mut self, rest: &AtRest) -> Result<(), Broken> {
        let entries = rest.continuation.record().entries();
        let last = entries.last();
        let standing = entries.iter().rev().find_map(|entry| match entry {
            Entry::Called { call, request } => Some((*call, request.clone())),
            _ => None,
        });
        let blocked = standing.is_some_and(|(call, request)| {
            mistakes::is_blocking(rest.continuation.record(), &request)
                && rest.interruptions.iter().any(|asked| asked.request_index == call)
        });
        if last != Some(&Entry::Paused) && !blocked {
            return Err(broken(2, format!("it is put away behind {last:?}")));
        }
        if rest.interruptions != rest.continuation.interruptions() {
            return Err(broken(4, "what is asked is not what its ledger asks".to_owned()));
        }
        for asked in &rest.interruptions {
            if self.answered.contains(&asked.id) {
                return Err(broken(4, format!("{asked:?} is asked though it was answered")));
            }
            let before = self.asked.entry(asked.id.clone()).or_insert_with(|| asked.clone());
            if before != asked {
                return Err(broken(4, format!("{asked:?} has the id of {before:?}")));
            }
        }
        self.reach.several_pending |= rest.interruptions.len() > 1;
        Ok(())
    }

    async fn go_on(&mut self, rest: &AtRest, pause: &Pause, turn: usize) -> Result<RunResult, Broken> {
        let world = &self.rig.world;
        let picked = |place: usize| pause.answered >> (place % 8) & 1 == 1;
        let mut chosen: Vec<usize> =
            (0..rest.interruptions.len()).filter(|place| turn > PATIENCE || picked(*place)).collect();
        if chosen.is_empty() && rest.wake_at.is_none() {
            chosen = (0..rest.interruptions.len()).collect();
        }
        let now = world.now();
        let next = match rest.wake_at {
            Some(due) if chosen.is_empty() => now.max(due),
            _ => now.saturating_add_signed(pause.gap),
        };
        world.set_now(next);
        let mut input = ResumeInput::new(rest.continuation.clone());
        for place in &chosen {
            let asked = &rest.interruptions[*place];
            let at = next.saturating_sub(u64::from(pause.ago) * *place as u64);
            input = input.resolve(Resolution::new(asked.id.clone(), world.answer(asked)).at(at));
            self.answered.push(asked.id.clone());
        }
        // In which order answers are handed over does not matter.
        if pause.answered % 2 == 1 {
            input.resolutions.reverse();
        }
        self.reach.partial_resume |= !chosen.is_empty() && chosen.len() < rest.interruptions.len();
        let result = self.runner.resume(input).await;
        let result =
            result.map_err(|refused| broken(4, format!("a correct answer is refused: {refused}")))?;
        begins_with(&result, &rest.bytes)?;
        self.reach.in_place |= result.report().stats.in_place;
        Ok(result)
    }
}

/// A ledger is only ever written on.
pub(crate) fn begins_with(result: &RunResult, bytes: &[u8]) -> Result<(), Broken> {
    let continuation = result.continuation().ok_or_else(|| broken(2, "its ledger is gone".to_owned()))?;
    if continuation.to_bytes().starts_with(bytes) {
        Ok(())
    } else {
        Err(broken(2, "the ledger does not begin with what it was resumed from".to_owned()))
    }
}
