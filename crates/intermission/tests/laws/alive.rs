//! Answers that are given while the run is alive, in place.

use std::time::Duration;

use intermission::{InterruptionId, Resolution, ResumeError, RunEvent, RunInput, RunResult, Runner};

use crate::case::Pause;
use crate::laws::{Broken, broken};
use crate::world::World;

/// The first invocation, some of whose questions are answered as soon as they are asked or a little later. What comes of it, and what was answered.
pub(crate) async fn answered_in_place(
    runner: &Runner,
    input: RunInput<'static>,
    world: &World,
    pause: &Pause,
) -> Result<(RunResult, Vec<InterruptionId>), Broken> {
    let mut run = runner.start(input);
    let (mut answered, mut place) = (Vec::new(), 0);
    while let Some(event) = run.next_event().await {
        let RunEvent::Interrupted(asked) = event else { continue };
        place += 1;
        if pause.answered >> (place % 8) & 1 == 0 {
            continue;
        }
        tokio::time::sleep(Duration::from_millis(u64::from(pause.ago % 16))).await;
        match run.resolve(Resolution::new(asked.id.clone(), world.answer(&asked))).await {
            Ok(()) => answered.push(asked.id),
            // It was put away meanwhile, or is over.
            Err(ResumeError::NotUnderWay | ResumeError::Unknown { .. }) => {}
            Err(refused) => return Err(broken(4, format!("an answer in place is refused: {refused}"))),
        }
    }
    Ok((run.wait().await, answered))
}
