//! The open form: a record as JSON that a person can read. docs/ledger.md has it entry by entry.

mod answer;
mod fields;
mod names;
mod read;
mod value;
mod words;
mod write;

use serde_json::Value as Json;

use crate::{Record, RecordError};
use names::Names;

impl Record {
    /// The open form: an array with an object for each entry. It holds all that the byte form does.
    ///
    /// ```
    /// # use intermission_ledger::entry::{Profile, SourceKind, Started};
    /// # use intermission_ledger::{Record, RunId};
    /// # let started = Started {
    /// #     run_id: RunId::from_bytes([7; 16]), behavior: 0, source: "1".into(), kind: SourceKind::Auto, name: "main.js".into(),
    /// #     input: Some(vec![0x81, 0x02].into()), data: None, time: 1000, seed: [0; 32], stack: 1 << 20, profile: Profile::Full,
    /// #     allow_eval: false, functions: vec![], record_reads: false,
    /// # };
    /// let record = Record::new(started);
    /// let open = record.to_open();
    /// assert_eq!(open[0]["run_id"], "run_a4dqobyha4dqobyha4dqobyha4");
    /// assert_eq!(open[0]["input"], serde_json::json!([2]));
    /// assert_eq!(Record::from_open(&open)?, record);
    /// # Ok::<(), intermission_ledger::RecordError>(())
    /// ```
    pub fn to_open(&self) -> Json {
        let names = Names::of(self.started());
        Json::Array(self.entries().iter().map(|entry| write::entry(entry, &names)).collect())
    }

    /// Reads the open form.
    ///
    /// # Errors
    /// [`RecordError::Field`] with the entry and the field that is wrong, missing or unknown; else as [`decode`](Self::decode).
    pub fn from_open(open: &Json) -> Result<Self, RecordError> {
        let Json::Array(open) = open else {
            return Err(RecordError::malformed(0, "the open form is an array of entries"));
        };
        let (mut entries, mut names) = (Vec::with_capacity(open.len()), Names::default());
        for (index, json) in open.iter().enumerate() {
            let entry = read::entry(index, json, &names)?;
            if let crate::Entry::Started(started) = &entry {
                names = Names::of(started);
            }
            entries.push(entry);
        }
        Self::from_entries(entries)
    }
}
