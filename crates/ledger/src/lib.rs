//! The record of a run, and the machine that replays it.
//!
//! A [`Ledger`] sits between a guest and its host. What the guest does is [admitted](Ledger::admit): compared with the [`Record`] as
//! long as that has entries left, written down from there on. It waits for nothing, reads no clock, draws no random number, and
//! knows nothing of sandboxes: whoever drives it tells it what happened and when.

mod back;
mod call;
mod check;
mod clock;
mod divergence;
mod encoded;
pub mod entry;
mod facts;
mod fault;
mod flag;
mod fold;
mod guest_side;
mod host_side;
mod id;
mod ledger;
mod lineage;
mod open;
mod record;
mod retry;
mod size;

pub use self::call::{OpenCall, Standing};
pub use self::clock::{GuestClock, Mark, SliceReads};
pub use self::divergence::{Attempt, Cause, Divergence};
pub use self::entry::Entry;
pub use self::facts::{Facts, Over};
pub use self::fault::{Fault, Faults};
pub use self::guest_side::{Admitted, Asked, Delivery};
pub use self::id::{InterruptionId, NotAnId, RunId, digest, idempotency_key};
pub use self::ledger::{Ledger, LedgerError, Phase};
pub use self::record::{BEHAVIOR, FORMAT, MAX_TIME, Record, RecordError, encode_entry};
