//! What a child does.

use std::path::Path;

use intermission::{Answer, Resolution};
use intermission_store::{SyncLevel, Until};
use nix::sys::resource::{Resource, setrlimit};
use tokio::io::{AsyncBufReadExt, BufReader, Lines, Stdin};

use crate::world::World;
use crate::{kills, scenario};

/// `FOLDER WHAT ...`
pub(crate) fn main(arguments: &[String]) {
    // One that aborts is meant to: it leaves no core.
    setrlimit(Resource::RLIMIT_CORE, 0, 0).unwrap();
    let folder = Path::new(&arguments[0]);
    let rest: Vec<&str> = arguments[2..].iter().map(String::as_str).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        match (arguments[1].as_str(), &rest[..]) {
            ("scenario", []) => scenario::play(folder, None, None).await,
            ("scenario", ["at", point]) => scenario::play(folder, Some(point.parse().unwrap()), None).await,
            ("scenario", ["in", function]) => {
                scenario::play(folder, None, Some((*function).to_owned())).await;
            }
            ("programs", [sync]) => kills::programs(folder, sync_of(sync), None).await,
            ("programs", [sync, batches]) => {
                kills::programs(folder, sync_of(sync), Some(batches.parse().unwrap())).await;
            }
            ("answer", [run, value]) => answer(folder, run, value).await,
            ("work", ["hurry"]) => work(World::new(folder, None)).await,
            ("work", ["linger"]) => work(World::new(folder, None).lingering()).await,
            other => panic!("{other:?}"),
        }
    });
}

fn sync_of(name: &str) -> SyncLevel {
    if name == "full" { SyncLevel::Full } else { SyncLevel::Normal }
}

async fn heard(lines: &mut Lines<BufReader<Stdin>>) -> Option<String> {
    lines.next_line().await.unwrap()
}

/// Answers five times at once, then tells what came of each answer, and of the run.
async fn answer(folder: &Path, run: &str, value: &str) {
    let world = World::new(folder, None);
    let runs = world.runs(world.store(SyncLevel::Normal, None)).build().await.unwrap();
    let run = run.parse().unwrap();
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    println!("ready");
    heard(&mut lines).await;
    let value: f64 = value.parse().unwrap();
    let answers = (0..5).map(|_| {
        let runs = runs.clone();
        tokio::spawn(async move {
            let id = intermission::InterruptionId::new(run, 1, 1);
            let answer = Resolution::new(id, Answer::Value(value.into()));
            let told = match runs.resolve(run, answer, Some(&value.to_string())).await {
                Ok(_) => "accepted".to_owned(),
                Err(error) => error.code().to_owned(),
            };
            let ended = runs.wait(run, Until::Over).await.unwrap();
            format!("{told} {:?}", ended.state)
        })
    });
    for answer in answers.collect::<Vec<_>>() {
        println!("{}", answer.await.unwrap());
    }
}

/// Goes on with whatever there is, until it is told to stop. For each line that it hears it starts a run, and tells of its end.
async fn work(world: World) {
    let runs = world.runs(world.store(SyncLevel::Normal, None)).max_live(60).build().await.unwrap();
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    println!("ready");
    while heard(&mut lines).await.is_some() {
        let run = runs.start("await t.slow(50); return 1").await.unwrap();
        runs.wait(run, Until::Over).await.unwrap();
        println!("{run}");
    }
}
