//! MCP servers, over both transports. This program is its own server: it starts itself with `--serve`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod calls;
mod ends;
mod house;
mod refusals;

use std::process::ExitCode;

use intermission_testkit::McpServer;
use libtest_mimic::{Arguments, Trial};

/// A trial for each function, by its name.
#[macro_export]
macro_rules! trials {
    ($($test:ident),* $(,)?) => {
        vec![$(($crate::trial(concat!(module_path!(), "::", stringify!($test)), $test))),*]
    };
}

fn trial(name: &str, test: fn()) -> Trial {
    let name = name.trim_start_matches("servers::").to_owned();
    Trial::test(name, move || {
        test();
        Ok(())
    })
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some("--serve") {
        let server = McpServer::of_arguments(arguments);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        return match runtime.block_on(server.serve_stdio()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        };
    }
    let trials = [calls::trials(), ends::trials(), refusals::trials()].into_iter().flatten().collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
