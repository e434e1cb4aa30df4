//! `intermission resume`.

use std::path::Path;
use std::sync::Arc;

use intermission::{ResumeInput, RunnerBuilder};
use intermission_config::{Config, Purpose};
use intermission_store::Until;

use crate::arguments::ResumeArguments;
use crate::claims::FileClaims;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::going_on::{self, GoingOn, Retries};
use crate::keeping::{Destination, HeldFile, Keeper};
use crate::operand::{Operand, Whence};
use crate::run_name::RunName;
use crate::script::Script;
use crate::session::{Begin, Ephemeral, Session};
use crate::{answers, given, runner, terminal};

/// Goes on with a run. What comes of it goes where `run` lets it go, and a continuation back to where it came from.
pub(crate) fn resume(arguments: &ResumeArguments) -> Result<Exit, Failure> {
    let mut config = arguments.settings.configuration()?;
    config.claims = arguments.claims.clone().or(config.claims);
    refuse_standard_input_twice(arguments)?;
    match &arguments.run {
        Operand::Run(name) => durable(arguments, &config, name),
        Operand::Continuation(whence) => ephemeral(arguments, &config, whence),
    }
}

fn durable(arguments: &ResumeArguments, config: &Config, name: &RunName) -> Result<Exit, Failure> {
    let given = [
        ("--continuation", arguments.keep.continuation.is_some()),
        ("--claims", arguments.claims.is_some()),
        ("--source", arguments.source.is_some()),
    ];
    if let Some((option, _)) = given.into_iter().find(|(_, is_given)| *is_given) {
        return Err(Failure::NotOfStore { option, run: name.to_string() });
    }
    let going_on = GoingOn {
        store: &arguments.store,
        config,
        settings: &arguments.settings,
        output: &arguments.output,
        asks: !arguments.keep.no_ask && terminal::is_there(),
        until: Until::PutAway,
        retries: if arguments.retry { Retries::All } else { Retries::Stopped },
    };
    going_on::go_on(&going_on, name, Some((&arguments.answers, arguments.by.name())))
}

fn ephemeral(arguments: &ResumeArguments, config: &Config, whence: &Whence) -> Result<Exit, Failure> {
    let keep = &arguments.keep;
    let keeper = Arc::new(Keeper::new(config, keep.trust)?);
    let file = whence.file();
    let _held = file.map(HeldFile::hold).transpose()?;
    let continuation = keeper.take(whence)?;
    let destination = Destination::choose(keep.continuation.as_deref(), Some(whence), &keeper)?;
    if !arguments.output.report {
        destination.check_way_back(file)?;
    }
    let mended = arguments.source.as_deref().map(Script::read).transpose()?;
    let source = mended.as_ref().map(|script| script.text.clone());
    let pending = continuation.interruptions();
    let resolutions = answers::resolutions(&arguments.answers, &pending)?;
    let lent = config.lend(Purpose::Run)?;
    let session = Session {
        config,
        settings: &arguments.settings,
        name: continuation.record().started().name.clone(),
        script: mended.unwrap_or_else(|| Script::of(&continuation)),
        output: &arguments.output,
        asks: !keep.no_ask && terminal::is_there(),
    };
    let before = continuation.record().entries().len();
    let input = ResumeInput { resolutions, retry: arguments.retry, source, ..ResumeInput::new(continuation) };
    session.drive(Ephemeral {
        runner: claiming(runner::builder(config, &lent)?, config.claims.as_deref(), &keeper).build()?,
        begin: Some(Begin::Resume(Box::new(input), pending)),
        prints_value_alone: matches!(destination, Destination::Output) && !arguments.output.report,
        keeper,
        destination,
        origin: file.map(Path::to_owned),
        keeps: true,
        before,
    })
}

/// Of the processes that share a folder of claims one goes on from each point of a run.
fn claiming(builder: RunnerBuilder, folder: Option<&Path>, keeper: &Arc<Keeper>) -> RunnerBuilder {
    match folder {
        Some(folder) => builder.claims(FileClaims::new(folder, Arc::clone(keeper))),
        None => builder,
    }
}

fn refuse_standard_input_twice(arguments: &ResumeArguments) -> Result<(), Failure> {
    let run_and_source =
        [arguments.run.is_standard_input(), arguments.source.as_deref() == Some(Path::new("-"))];
    let answers = answers::standard_inputs(&arguments.answers);
    given::refuse_standard_input_twice(run_and_source.into_iter().chain(answers))
}
