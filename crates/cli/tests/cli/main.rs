//! The command line as it is used: exit code, standard output and standard error of whole commands.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod asking;
mod asks;
mod bad_config;
mod bad_input;
mod check;
mod commands;
mod doctor;
mod durable;
mod durable_asking;
mod example;
mod folder;
mod guide;
mod inbox;
mod kept;
mod kill;
mod ledgers;
mod modules;
mod names;
mod printed_commands;
mod pseudo_terminal;
mod readme;
mod report;
mod resume;
mod run;
mod services;
mod shells;
mod show;
mod steady;
mod store;
mod terminal;
