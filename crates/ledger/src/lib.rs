//! The record of a run, and the machine that replays it.
//!
//! A [`Ledger`] sits between a guest and its host. What the guest does is [admitted](Ledger::admit): compared with the [`Record`] as
//! long as that has entries left, written down from there on. It waits for nothing, reads no clock, draws no random number, and
//! knows nothing of sandboxes: whoever drives it tells it what happened and when.

mod clock;
mod divergence;
pub mod entry;
mod facts;
mod id;
mod ledger;
mod record;
mod retry;

pub use self::clock::{GuestClock, Mark, SliceReads};
pub use self::divergence::{Attempt, Cause, Divergence};
pub use self::entry::Entry;
pub use self::facts::{Facts, OpenCall, Over, Standing};
pub use self::id::{InterruptionId, NotAnId, RunId, digest, idempotency_key};
pub use self::ledger::{Admitted, Asked, Delivery, Ledger, LedgerError, Phase};
pub use self::record::{FORMAT, Record, RecordError, encode_entry};
