//! `intermission resume`.

use std::path::Path;

use intermission::{ResumeInput, RunnerBuilder};

use crate::arguments::ResumeArguments;
use crate::claims::FileClaims;
use crate::config::{Config, Purpose};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::keeping::{Destination, Keeper};
use crate::operand::Operand;
use crate::script::Script;
use crate::session::{Begin, Session};
use crate::{answers, given, runner, terminal};

/// Goes on with a run. What comes of it goes where `run` lets it go, and its continuation back to where it came from.
pub(crate) fn resume(arguments: &ResumeArguments) -> Result<Exit, Failure> {
    let config = configuration(arguments)?;
    refuse_standard_input_twice(arguments)?;
    let keep = &arguments.keep;
    let keeper = Keeper::new(&config, keep.trust)?;
    let continuation = keeper.take(&arguments.run)?;
    let destination = Destination::choose(keep.continuation.as_deref(), Some(&arguments.run), &keeper)?;
    let mended = arguments.source.as_deref().map(Script::read).transpose()?;
    let input = ResumeInput {
        resolutions: answers::resolutions(&arguments.answers, &continuation.interruptions())?,
        retry: arguments.retry,
        source: mended.as_ref().map(|script| script.text.clone()),
        ..ResumeInput::new(continuation.clone())
    };
    let session = Session {
        destination,
        keeps: true,
        before: continuation.record().entries().len(),
        runner: claiming(runner::builder(&config)?, arguments.claims.as_deref()).build()?,
        config: &config,
        name: continuation.record().started().name.clone(),
        script: mended.map_or_else(|| Script::of(&continuation), Ok)?,
        keeper,
        output: &arguments.output,
        asks: !keep.no_ask && terminal::is_there(),
    };
    session.drive(Begin::Resume(Box::new(input)))
}

/// Processes that share a folder of claims do nothing twice.
fn claiming(builder: RunnerBuilder, folder: Option<&Path>) -> RunnerBuilder {
    match folder {
        Some(folder) => builder.claims(FileClaims::new(folder)),
        None => builder,
    }
}

fn configuration(arguments: &ResumeArguments) -> Result<Config, Failure> {
    let limits = arguments.limits.settings();
    let mut config = Config::load(arguments.config.config.as_deref(), Purpose::Run(&limits))?;
    config.strict |= arguments.strict;
    config.modules = arguments.modules.clone().or(config.modules);
    Ok(config)
}

fn refuse_standard_input_twice(arguments: &ResumeArguments) -> Result<(), Failure> {
    let mut asks =
        vec![arguments.run == Operand::StandardInput, arguments.source.as_deref() == Some(Path::new("-"))];
    asks.resize(asks.len() + answers::standard_inputs(&arguments.answers), true);
    given::refuse_standard_input_twice(&asks)
}
