//! What one thread needs to live through cases: runners, a world, an oracle.

use std::num::NonZeroU32;
use std::time::Duration;

use intermission::{Runner, RunnerBuilder};
use intermission_engine::{Engine, EngineConfig};

use crate::case::Case;
use crate::print::modules;
use crate::world::{Manner, World};

/// Made once a thread.
pub(crate) struct Rig {
    pub(crate) world: World,
    asking: Runner,
    /// It goes on in place where it can; the others replay always.
    in_place: Runner,
    /// Its ledgers have every read of the clock and of randomness, too.
    strict: Runner,
    /// One whose host functions never ask.
    pub(crate) knowing: Runner,
    pub(crate) engine: Engine,
}

/// No slice is handed to another thread: which of them are is a matter of the machine's mood, and virtual time passes while a thread waits for another.
const NEVER: Duration = Duration::from_hours(1);

impl Rig {
    pub(crate) fn new(change: impl Fn(RunnerBuilder) -> RunnerBuilder) -> Self {
        let world = World::new();
        let runner = |manner| {
            let builder = Runner::builder()
                .host_functions(world.functions(manner))
                .time_source(world.clone())
                .modules(modules())
                .max_runs(NonZeroU32::new(2).unwrap())
                .lanes(NonZeroU32::MIN)
                .snapshots(0)
                .tick(NEVER);
            change(builder)
        };
        Self {
            asking: runner(Manner::Asking).build().unwrap(),
            in_place: runner(Manner::Asking).snapshots(u64::MAX).build().unwrap(),
            strict: runner(Manner::Asking).strict(true).record_reads(true).build().unwrap(),
            knowing: runner(Manner::Knowing).build().unwrap(),
            engine: Engine::new(EngineConfig {
                slots: NonZeroU32::new(2).unwrap(),
                lanes: NonZeroU32::MIN,
                tick: None,
            })
            .unwrap(),
            world,
        }
    }

    pub(crate) fn runner(&self, case: &Case) -> &Runner {
        match case {
            Case { strict: true, .. } => &self.strict,
            Case { in_place: true, .. } => &self.in_place,
            _ => &self.asking,
        }
    }
}
