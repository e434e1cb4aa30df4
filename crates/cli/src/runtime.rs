//! Waiting for what is asynchronous.

use crate::failure::Failure;

/// What comes of it. For commands that ask the store, and drive no run.
///
/// # Errors
/// Its own.
pub(crate) fn block_on<T>(later: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_all().build().map_err(Failure::Runtime)?;
    let done = runtime.block_on(later);
    runtime.shutdown_background();
    done
}
