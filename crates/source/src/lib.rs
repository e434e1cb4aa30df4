//! What the author wrote, made into what the guest runs, and places back.
//!
//! A source is JavaScript or TypeScript, handed in as a function body, a module, a Markdown fence, a bare
//! function. [`prepare`] makes of it the text that the guest compiles, with every line where it was and
//! nearly every column, and a [`PositionMap`] that leads places in that text back to the author's.
//! [`analyse`] lists the calls of host functions.
//!
//! Valid JavaScript stays as it is, but for the entry: where a script doesn't say `return`, its last
//! expression (or `export default`, or its only function) becomes its value. `docs/source.md` is the whole of
//! it.

mod analysis;
mod base;
mod call_places;
mod edits;
mod entry;
mod error;
mod generic_call;
mod leniency;
mod literal;
mod markdown;
mod nesting;
mod parse;
mod position;
mod prepare;
mod returns;
mod scopes;
mod skim;
mod slash;
mod snippet;
mod stack;
mod typescript;

pub use analysis::{Analysis, Call, PromiseUse, analyse};
pub use call_places::CallPlaces;
pub use error::{Complaint, SourceError};
pub use literal::{Literal, ObjectLiteral};
pub use parse::Language;
pub use position::{Position, PositionMap};
pub use prepare::{Kind, Options, Prepared, SourceKind, prepare, prepare_bytes};
