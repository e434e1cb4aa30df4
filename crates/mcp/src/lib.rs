//! Runs, offered to a model by the Model Context Protocol: five tools stand for all the host functions that there are.
//!
//! A model writes a script instead of making one call after the other, and looks for functions as it needs them: `docs/mcp.md` is the page. Runs are kept in a store: what
//! a client gives up waiting for is there when it asks again, and a person may take days for an answer.
//!
//! The protocol is that of <https://modelcontextprotocol.io>, spoken by its official library.

mod answers;
mod arguments;
mod attached;
mod catalogue;
mod elicit;
mod serve;
mod server;
mod tools;
mod view;

pub use serve::{ServeError, listen};
pub use server::McpServer;
