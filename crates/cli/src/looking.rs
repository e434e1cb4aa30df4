//! A run that a command looks at: out of the store, or out of a continuation.

use std::sync::Arc;

use intermission::Continuation;
use intermission_config::Config;
use intermission_store::SqliteStore;

use crate::arguments::{RunToLookAt, StoreArguments};
use crate::failure::Failure;
use crate::keeping::Keeper;
use crate::operand::Operand;
use crate::run_name::RunName;
use crate::runtime::block_on;
use crate::store::ledger;

/// A run that is looked at.
pub(crate) struct Looked {
    pub(crate) config: Config,
    pub(crate) continuation: Continuation,
    pub(crate) place: Place,
}

/// Where it is kept.
pub(crate) enum Place {
    Store(Arc<SqliteStore>),
    /// Wherever its continuation is, which this opened.
    Elsewhere(Keeper),
}

impl Looked {
    /// The run that a command names.
    ///
    /// # Errors
    /// Where it is not there, or not in order.
    pub(crate) fn at(of: &RunToLookAt) -> Result<Self, Failure> {
        let config = Config::load(of.config.config.as_deref())?;
        match &of.run {
            Operand::Run(name) => {
                let (store, continuation) = block_on(stored(&of.store, name))?;
                Ok(Self { config, continuation, place: Place::Store(store) })
            }
            Operand::Continuation(whence) => {
                let keeper = Keeper::new(&config, of.trust)?;
                let continuation = keeper.take(whence)?;
                Ok(Self { config, continuation, place: Place::Elsewhere(keeper) })
            }
        }
    }
}

async fn stored(
    arguments: &StoreArguments,
    name: &RunName,
) -> Result<(Arc<SqliteStore>, Continuation), Failure> {
    let store = arguments.open()?;
    let run_id = name.find(&*store).await?;
    let continuation = ledger(&*store, run_id).await?;
    Ok((store, continuation))
}
