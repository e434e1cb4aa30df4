//! `intermission wait`.

use intermission_store::Until;

use crate::arguments::WaitArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::going_on::{self, GoingOn, Retries};

/// Waits for a run, and goes on with it when its time has come and nobody else does.
pub(crate) fn wait(arguments: &WaitArguments) -> Result<Exit, Failure> {
    let config = arguments.settings.configuration()?;
    let going_on = GoingOn {
        store: &arguments.store,
        config: &config,
        settings: &arguments.settings,
        output: &arguments.output,
        asks: false,
        until: if arguments.asks { Until::Asks } else { Until::Over },
        retries: Retries::None,
    };
    going_on::go_on(&going_on, &arguments.run, None)
}
