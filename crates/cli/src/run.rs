//! `intermission run`.

mod explain;
mod report;
mod signals;

use intermission::{AbortController, RunInput, RunResult, Runner, Value};

use self::explain::Explanation;
use crate::arguments::RunArguments;
use crate::config::{Config, Purpose};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printable::printable;
use crate::script::Script;
use crate::{given, runner, terminal};

/// Runs the script. Its value goes to the standard output, everything else to the standard error.
pub(crate) fn run(arguments: &RunArguments) -> Result<Exit, Failure> {
    let config = configuration(arguments)?;
    refuse_standard_input_twice(arguments)?;
    let script = Script::read(&arguments.script)?;
    let name = script.name(config.modules.as_deref());
    let mut input = RunInput::new(script.text.as_str())
        .name(name.as_str())
        .input(given::value("--input", arguments.input.as_deref())?)
        .data(given::value("--data", arguments.data.as_deref())?);
    if let Some(seed) = arguments.seed {
        input = input.seed(seed_of(seed));
    }
    let runner = runner::builder(&config)?.build()?;
    let (result, ended_by) = drive(&runner, input)?;

    for entry in &result.report().console {
        terminal::show_line(&printable(&entry.text));
    }
    let explanation = Explanation { script: &script, name: &name, config: &config };
    terminal::show(&explanation.of(&result));
    print_result(arguments, &result)?;
    Ok(ended_by.unwrap_or(result.error().map_or(Exit::Completed, Exit::of)))
}

fn configuration(arguments: &RunArguments) -> Result<Config, Failure> {
    let mut config = Config::load(arguments.config.config.as_deref(), Purpose::Run(&arguments.limits()))?;
    config.strict |= arguments.strict;
    config.allow_eval |= arguments.allow_eval;
    config.profile = arguments.profile.unwrap_or(config.profile);
    config.modules = arguments.modules.clone().or(config.modules);
    Ok(config)
}

fn refuse_standard_input_twice(arguments: &RunArguments) -> Result<(), Failure> {
    let asks = [
        arguments.script.as_os_str() == "-",
        given::is_standard_input(arguments.input.as_deref()),
        given::is_standard_input(arguments.data.as_deref()),
    ];
    if asks.into_iter().filter(|asks| *asks).count() > 1 { Err(Failure::InputTwice) } else { Ok(()) }
}

/// A number as a seed: its bytes, the lowest first, and zeros.
fn seed_of(number: u64) -> [u8; 32] {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    seed
}

/// The run, to its end or until a signal ends it.
fn drive(runner: &Runner, input: RunInput<'_>) -> Result<(RunResult, Option<Exit>), Failure> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Failure::Runtime)?;
    let driven = runtime.block_on(async {
        let abort = AbortController::new();
        let mut signals = signals::Signals::listen().map_err(Failure::Runtime)?;
        let run = runner.run(input.abort(abort.signal()));
        tokio::pin!(run);
        tokio::select! {
            biased;
            result = &mut run => Ok((result, None)),
            exit = signals.next() => {
                abort.abort();
                let result = run.await;
                // A run that had its value anyway has it.
                let ended_by = result.error().is_some().then_some(exit);
                Ok((result, ended_by))
            }
        }
    });
    // A request that nobody waits for must not hold up the end.
    runtime.shutdown_background();
    driven
}

fn print_result(arguments: &RunArguments, result: &RunResult) -> Result<(), Failure> {
    if arguments.report {
        return terminal::print(&format!("{:#}", report::to_json(result)?));
    }
    match result {
        RunResult::Completed { value: Value::String(text), .. } if arguments.raw => {
            terminal::print(&text.to_string_lossy())
        }
        RunResult::Completed { value, .. } => {
            let json = value.to_json().map_err(Failure::ValueNotJson)?;
            terminal::print(&format!("{json:#}"))
        }
        _ => Ok(()),
    }
}
