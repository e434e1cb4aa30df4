//! MCP servers: every tool becomes a host function.
//!
//! Servers start when functions are lent, all at once: a script must find every function by its name, and names and schemas come from the servers. They run on a
//! thread of their own, because they outlive the executors that runs are driven on, and end with the last function that is lent of them.

mod answer;
mod connection;
mod diagnosis;
mod http_client;
mod name;
mod server;
mod tool;

use std::sync::Arc;

use futures_util::future::join_all;
use intermission::HostFunction;

use self::server::Server;
use self::tool::lend;
use crate::error::Problem;
use crate::server::ServerConfig;

/// Servers that are under way.
#[derive(Debug)]
pub(crate) struct Servers {
    servers: Vec<Arc<Server>>,
    /// Gone when they have ended.
    runtime: Option<tokio::runtime::Runtime>,
}

/// Starts servers and gives the functions that are lent of them, with the server that each is of. Blocks until all have told their tools.
///
/// # Errors
/// The first server, in the order of the configuration, that cannot be lent from. All have ended then.
pub(crate) fn start(
    configs: &[ServerConfig],
    most_output: u32,
) -> Result<Vec<(HostFunction, usize)>, Problem> {
    if configs.is_empty() {
        return Ok(Vec::new());
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name("mcp servers")
        .enable_all()
        .build()
        .map_err(|error| cannot_start(&configs[0], &error.to_string()))?;
    let handle = runtime.handle().clone();
    // From here on the runtime ends as the servers do, wherever this is called.
    let mut all = Servers { servers: Vec::new(), runtime: Some(runtime) };
    for config in configs {
        all.servers.push(Server::new(config, handle.clone())?);
    }
    let all = Arc::new(all);
    let tools = all.block_on(join_all(all.servers.iter().map(|server| server.tools())));
    let mut functions = Vec::new();
    for ((index, server), tools) in all.servers.iter().enumerate().zip(tools) {
        let config = &configs[index];
        let tools = tools.map_err(|why| cannot_start(config, &why))?;
        let lent = lend(config, server, &all, tools, most_output)?;
        functions.extend(lent.into_iter().map(|function| (function, index)));
    }
    Ok(functions)
}

fn cannot_start(config: &ServerConfig, why: &str) -> Problem {
    Problem::Server {
        at: config.name.span(),
        server: config.name.get_ref().clone(),
        problem: format!("cannot be used: {why}"),
    }
}

impl Servers {
    /// Waits for something to be done there, on a thread where nothing else is waited for: this may be called within another executor.
    fn block_on<T: Send>(&self, work: impl Future<Output = T> + Send) -> T {
        let runtime = self.runtime.as_ref().expect("it is there until the servers are dropped");
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| runtime.block_on(work));
            waiting.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        self.block_on(join_all(self.servers.iter().map(|server| server.end())));
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
