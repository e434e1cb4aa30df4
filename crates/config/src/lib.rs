//! `intermission.toml`: what scripts are lent, and what they may use and do. `docs/configuration.md` has every key.
//!
//! A [`Config`] is read from a file, and [lends](Config::lend) host functions: programs, HTTP services, the tools of MCP servers. Every door that takes a
//! configuration takes it from here.
//!
//! ```
//! use intermission_config::{Config, Purpose};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("intermission.toml");
//! std::fs::write(&file, "[limits]\ncalls = 10\n\n[functions.\"clock.now\"]\ncommand = [\"date\", \"+%s\"]\n")?;
//! let config = Config::load(Some(&file))?;
//! let lent = config.lend(Purpose::Run)?;
//! let runner = config.runner(&lent)?.build()?;
//! assert_eq!(runner.host_functions().names().collect::<Vec<_>>(), ["clock.now"]);
//! # Ok(()) }
//! ```

mod config;
mod effect;
mod error;
mod files;
mod function;
mod functions;
mod lent;
mod limits;
mod mcp;
mod modules_folder;
mod needs;
mod pattern;
mod policy;
mod reader;
mod rules;
mod schema;
mod secret_text;
mod server;
pub mod suggestion;

pub use config::{Config, DEFAULT_FILE, Purpose};
pub use error::{ConfigError, LoadError};
pub use files::{FileError, MOST_BYTES, read_file};
pub use lent::Lent;
pub use limits::{LimitError, LimitName, LimitSetting};
pub use modules_folder::{ModulesError, ModulesFolder};
pub use needs::{Need, Needed};
pub use schema::schema;
