//! Some programs that go on from every prefix of their ledgers.

use crate::case::{Case, Pause, Planned, Verdict};
use crate::crash::go_on_after;
use crate::laws::{end, invoked_as_recorded, shown};
use crate::life::Life;
use crate::program::{Blocking, Function, Job, Step};
use crate::rig::Rig;
use crate::world::{BEGINNING, Memory};

fn every_prefix_of(program: &[Step]) {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let rig = Rig::new(|builder| builder);
    for (survives, verdict) in [(true, Verdict::Yes), (true, Verdict::Edited), (false, Verdict::Edited)] {
        let planned = |delay| Planned { delay, rejects: false, questions: 2, verdict, survives };
        let case = Case {
            program: program.to_vec(),
            plan: [0, 5, 0, 20, 5, 7, 1].map(planned).to_vec(),
            pauses: vec![Pause { gap: 10, answered: 0b0101_0101, ago: 1, mistakes: 0 }],
            crashes: Vec::new(),
            strict: false,
            in_place: false,
            ordered: false,
            seed: [7; 32],
        };
        runtime.block_on(async {
            let mut life = Life::new(&rig, &case);
            rig.world.begin(&case.plan, BEGINNING, Memory::default());
            let first = life.begin().await;
            let result = life.carry_on(first).await.unwrap();
            let record = end(&life, &result).await.unwrap();
            let (memory, value) = (rig.world.memory(), shown(&result).unwrap());
            invoked_as_recorded(&record, &memory).unwrap();
            for kept in 1..=record.entries().len() {
                let gone_on = go_on_after(&rig, &case, &record, &memory, kept, &value).await;
                gone_on.unwrap_or_else(|broken| panic!("{broken}\n{:#?}", record.entries()));
            }
        });
    }
}

#[test]
fn a_run_goes_on_from_every_prefix_of_blocking_calls() {
    every_prefix_of(&[
        Step::Hold(Job::Call(Function::Once)),
        Step::Block(Blocking::Stamp),
        Step::Await(Job::Settled(vec![Job::Call(Function::AskOnce), Job::Call(Function::Idem)])),
        Step::Block(Blocking::Peek),
        Step::Block(Blocking::Stamp),
        Step::Release,
    ]);
}

#[test]
fn a_run_goes_on_from_every_prefix_of_imports() {
    every_prefix_of(&[
        Step::Import(2),
        Step::Await(Job::Call(Function::Ask)),
        Step::Import(1),
        Step::Try { body: vec![Step::Import(3)], catch: vec![Step::Import(0)], finally: Vec::new() },
        Step::Await(Job::Call(Function::Once)),
    ]);
}

#[test]
fn a_run_goes_on_from_every_prefix_of_questions_and_approvals() {
    let calls = [Function::Mail, Function::Wire, Function::Ask, Function::AskOnce].map(Job::Call).to_vec();
    every_prefix_of(&[
        Step::Await(Job::Settled(calls.clone())),
        Step::Loop { times: 2, body: vec![Step::Await(Job::Settled(calls))] },
    ]);
}
