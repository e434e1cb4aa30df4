//! `intermission run`.

use std::sync::Arc;

use intermission::RunInput;
use intermission_config::{Config, Purpose};
use intermission_source::{Options, prepare};

use crate::arguments::RunArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::keeping::{Destination, Keeper};
use crate::script::Script;
use crate::session::{Begin, Durable, Ephemeral, Session, Start};
use crate::{given, runner, terminal};

/// Runs the script. Its value, or what it asks, goes to the standard output, everything else to the standard error.
pub(crate) fn run(arguments: &RunArguments) -> Result<Exit, Failure> {
    let config = configuration(arguments)?;
    given::refuse_standard_input_twice([
        arguments.script.as_os_str() == "-",
        given::is_standard_input(arguments.input.as_deref()),
        given::is_standard_input(arguments.data.as_deref()),
    ])?;
    if arguments.keep.continuation.is_some() && arguments.store.store.is_some() {
        return Err(Failure::TwoPlaces);
    }
    let script = Script::read(&arguments.script)?;
    let name = script.name(config.modules.as_deref());
    let mut input = RunInput::new(script.text.clone())
        .name(name.clone())
        .input(given::value("--input", arguments.input.as_deref())?)
        .data(given::value("--data", arguments.data.as_deref())?);
    if let Some(seed) = arguments.seed {
        input = input.seed(seed_of(seed));
    }
    let session = Session {
        config: &config,
        settings: &arguments.settings,
        script,
        name,
        output: &arguments.output,
        asks: !arguments.keep.no_ask && terminal::is_there(),
    };
    if arguments.is_ephemeral() {
        ephemeral(arguments, &session, input)
    } else {
        durable(arguments, &session, input)
    }
}

/// Kept in the store before it does anything.
fn durable(
    arguments: &RunArguments,
    session: &Session<'_>,
    input: RunInput<'static>,
) -> Result<Exit, Failure> {
    // Last: it may start servers.
    let lent = session.config.lend(Purpose::Run)?;
    let runner = runner::builder(session.config, &lent)?.build()?;
    let is_script = prepare(&input.source, &Options::default()).is_ok();
    let begun = match runner.begin(input.clone()) {
        Ok(begun) if is_script => begun,
        // What cannot even begin is not kept: it is told as of any run.
        _ => return ephemeral(arguments, session, input),
    };
    let store = arguments.store.open_or_make()?;
    let run_id = begun.run_id();
    let start = Start::Begin(Box::new(begun));
    session.drive(Durable::new(store, runner, run_id, start, arguments.store.option()))
}

/// In this process alone.
fn ephemeral(
    arguments: &RunArguments,
    session: &Session<'_>,
    input: RunInput<'static>,
) -> Result<Exit, Failure> {
    let keep = &arguments.keep;
    let keeper = Arc::new(Keeper::new(session.config, keep.trust)?);
    let destination = Destination::choose(keep.continuation.as_deref(), None, &keeper)?;
    // Last: it may start servers.
    let lent = session.config.lend(Purpose::Run)?;
    session.drive(Ephemeral {
        runner: runner::builder(session.config, &lent)?.build()?,
        begin: Some(Begin::Run(Box::new(input))),
        prints_value_alone: matches!(destination, Destination::Output) && !arguments.output.report,
        keeper,
        destination,
        origin: None,
        keeps: keep.continuation.is_some(),
        before: 0,
    })
}

fn configuration(arguments: &RunArguments) -> Result<Config, Failure> {
    let mut config = arguments.settings.configuration()?;
    config.allow_eval |= arguments.allow_eval;
    config.profile = arguments.profile.map_or(config.profile, Into::into);
    Ok(config)
}

/// A number as a seed: its bytes, the lowest first, and zeros.
fn seed_of(number: u64) -> [u8; 32] {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    seed
}
