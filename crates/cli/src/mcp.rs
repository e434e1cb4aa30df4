//! `intermission mcp`.

use std::sync::Arc;
use std::time::Duration;

use intermission::Runner;
use intermission_config::{Config, Purpose};
use intermission_mcp::{McpServer, ServeError};
use intermission_store::{Runs, SqliteStore};
use tokio::net::TcpListener;

use crate::arguments::McpArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::signals::Signals;
use crate::terminal;

/// Serves clients of MCP until they have gone or a signal comes. Runs that are not over stay in the store.
pub(crate) fn mcp(arguments: &McpArguments) -> Result<Exit, Failure> {
    let config = Config::load(arguments.config.config.as_deref())?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::Runtime)?;
    let listen = |address| runtime.block_on(intermission_mcp::listen(address));
    let listener = arguments.http.map(listen).transpose()?;
    let store = arguments.store.open_or_make()?;
    // Last: it may start servers.
    let lent = config.lend(Purpose::Run)?;
    let runner = config.runner(&lent)?.build()?;
    let result = runtime.block_on(serve(arguments, listener, runner, store));
    // What still goes on is dropped before the servers are ended. A client that has gone may have left its end of the input open: that is not waited for longer.
    runtime.shutdown_timeout(Duration::from_secs(1));
    result
}

async fn serve(
    arguments: &McpArguments,
    listener: Option<TcpListener>,
    runner: Runner,
    store: Arc<SqliteStore>,
) -> Result<Exit, Failure> {
    let mut signals = Signals::listen().map_err(Failure::Runtime)?;
    let functions = runner.host_functions().clone();
    let runs = Runs::builder(store, runner).build().await?;
    let mut server = McpServer::new(runs, functions);
    if arguments.let_client_approve {
        server = server.let_client_approve();
    }
    let Some(listener) = listener else {
        return tokio::select! {
            biased;
            exit = signals.next() => Ok(exit),
            done = server.serve_stdio() => Ok(done.map(|()| Exit::Completed)?),
        };
    };
    let address = listener.local_addr().map_err(ServeError::from)?;
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    let serving = server.serve_http(listener, async {
        let _ = ended.await;
    });
    tokio::pin!(serving);
    terminal::show_line(&format!("MCP at http://{address}/mcp"));
    tokio::select! {
        biased;
        exit = signals.next() => {
            let _ = end.send(());
            serving.await?;
            Ok(exit)
        }
        done = &mut serving => Ok(done.map(|()| Exit::Completed)?),
    }
}
