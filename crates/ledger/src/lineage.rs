//! Records made of records: a retry, another source, another run.

use crate::entry::{Ending, Entry};
use crate::retry::Path;
use crate::{Ledger, LedgerError, Over, Record, RunId};

const MALFORMED: LedgerError = LedgerError::Refused("a record that is malformed");

impl Ledger {
    /// Makes the call again whose rejection ended the run: what the guest did since is void. To be resumed from the start.
    ///
    /// # Errors
    /// [`LedgerError::Refused`] when no call's rejection ended it, or the script made other calls since.
    pub fn retry(record: Record) -> Result<Record, LedgerError> {
        let ledger = Self::resume(record).map_err(|_| MALFORMED)?;
        let Some(Over::Ended(Ending::Threw { call: Some(call), .. })) = &ledger.facts().over else {
            return Err(LedgerError::Refused("a retry where no host call's rejection ended the run"));
        };
        let call = *call;
        let mut record = ledger.into_record();
        record.push(Entry::Retried { call });
        let mut path = Path::default();
        for index in 0..record.entries().len() {
            path.push(record.entries(), index).map_err(LedgerError::Refused)?;
        }
        Ok(record)
    }

    /// Goes on with another source. Whether it does what the record says, the replay finds out.
    pub fn change_source(mut record: Record, source: String) -> Record {
        record.push(Entry::SourceChanged { source });
        record
    }

    /// Another run that has the first `at` entries in common with this one.
    ///
    /// # Errors
    /// [`LedgerError::Refused`] when there are not so many, or when `run_id` is this run's own.
    pub fn fork(record: &Record, at: usize, run_id: RunId) -> Result<Record, LedgerError> {
        if at == 0 || at > record.entries().len() {
            return Err(LedgerError::Refused("a fork without the first entry, or with more than there are"));
        }
        let kept = Self::resume(record.prefix(at)).map_err(|_| MALFORMED)?;
        let from = kept.facts().run_id;
        if run_id == from {
            return Err(LedgerError::Refused("a fork to the run itself"));
        }
        let mut record = kept.into_record();
        record.push(Entry::Forked { run_id, from, at: at as u64 });
        Ok(record)
    }
}
