//! Many who answer at once.

use intermission_store::{SyncLevel, Until};
use libtest_mimic::Failed;

use crate::parent::{Running, must};
use crate::world::World;

pub(crate) fn check() -> Result<(), Failed> {
    for answers in [["5", "5", "5", "5"], ["5", "5", "6", "5"]] {
        compete(answers)?;
    }
    Ok(())
}

/// Each process answers five times.
fn compete(answers: [&str; 4]) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let world = World::new(folder.path(), None);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let run = runtime.block_on(async {
        let runs = world.runs(world.store(SyncLevel::Normal, None)).build().await.unwrap();
        let run = runs.start("return await t.pay(await t.ask(1))").await.unwrap();
        runs.wait(run, Until::Asks).await.unwrap();
        run.to_string()
    });
    let start = |value: &&str| Running::start(folder.path(), &["answer", &run, value]);
    let mut children: Vec<Running> = answers.iter().map(start).collect();
    for child in &mut children {
        must(child.hear() == "ready", || "a child does not begin".to_owned())?;
    }
    for child in &mut children {
        child.say("go");
    }
    let told: Vec<Vec<String>> =
        children.iter_mut().map(|child| (0..5).map(|_| child.hear()).collect()).collect();
    for child in children {
        child.end();
    }
    let result = |line: &String| line.split_once(' ').map(|(_, state)| state.to_owned());
    let winner = result(&told[0][0]).ok_or("nothing was told")?;
    let winning = answers.iter().find(|value| winner == format!("Completed {{ value: {value} }}"));
    let winning = winning.ok_or_else(|| format!("nobody's answer has won: {told:?}"))?;
    for (value, lines) in answers.iter().zip(&told) {
        let said = if value == winning { "accepted" } else { "RESOLUTION_CONFLICT" };
        let expected = format!("{said} {winner}");
        must(lines.iter().all(|line| *line == expected), || format!("{expected} is not {lines:?}"))?;
    }
    let paid = world.judge()?.get("t.pay").copied();
    must(paid == Some(1), || format!("it was paid {paid:?} times"))
}
