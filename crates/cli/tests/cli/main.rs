//! The command line as it is used: exit code, standard output and standard error of whole commands.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bad_config;
mod bad_input;
mod check;
mod commands;
mod example;
mod folder;
mod modules;
mod report;
mod run;
mod services;
mod terminal;
