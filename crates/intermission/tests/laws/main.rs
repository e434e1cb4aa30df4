//! The laws of the design, as properties of generated programs.
//!
//! Each case is a program, a plan of what the world makes of its calls, what happens at each pause, and where its process dies. `INTERMISSION_LAWS_CASES` says how
//! many there are (default: 10,000), `INTERMISSION_LAWS_SEED` which (default: 0; the same number gives the same cases).
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod alive;
mod case;
mod crash;
mod laws;
mod life;
mod mistakes;
mod oracle;
mod prefixes;
mod print;
mod program;
mod reach;
mod rig;
mod shards;
mod world;

use intermission::RunnerBuilder;

use crate::shards::{Found, search, setting};

const CASES: u32 = 10_000;

#[test]
fn the_laws_hold_of_generated_programs() {
    let cases = setting("INTERMISSION_LAWS_CASES").map_or(CASES, |cases| cases.parse().unwrap());
    let seed = setting("INTERMISSION_LAWS_SEED").map_or(0, |seed| seed.parse().unwrap());
    let found = search(cases, seed, with_faults);
    match found {
        Found::Nothing(total) => {
            println!("{total}");
            assert!(cases < CASES || total.missed().is_empty(), "not reached: {:?}", total.missed());
        }
        Found::Broken { law, cases, how } => {
            panic!("{how}\nBROKEN law={law} cases={cases}");
        }
    }
}

#[cfg(not(feature = "faults"))]
fn with_faults(builder: RunnerBuilder) -> RunnerBuilder {
    builder
}

/// The fault that `cargo xtask mutants` asks for, if it does.
#[cfg(feature = "faults")]
fn with_faults(builder: RunnerBuilder) -> RunnerBuilder {
    use intermission::ledger::Fault;
    let Some(name) = setting("INTERMISSION_LAWS_FAULT") else { return builder };
    let fault = Fault::ALL.into_iter().find(|fault| fault.name() == name);
    builder.fault(fault.unwrap_or_else(|| panic!("there is no fault `{name}`")))
}
