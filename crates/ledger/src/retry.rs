//! Which entries count: all but those that a retry made void.

use std::collections::LinkedList;

use crate::entry::{Ending, Entry, Outcome};
use crate::fold::Nonsense;

/// The way of a replay through a record.
///
/// `Retried` cuts it at the settlement of its call. What the guest did since is void. What the host knows of other calls is kept: an outcome that came
/// later is told to the guest again, which may do something else with it this time.
#[derive(Debug, Default)]
pub(crate) struct Path {
    steps: Vec<Step>,
}

#[derive(Debug)]
#[expect(
    clippy::linkedlist,
    reason = "kept by many retries, lists are joined in no time, so that a record of many takes no square of it"
)]
pub(crate) enum Step {
    /// An entry, by its index.
    Follow(usize),
    /// What a retry keeps of the entries behind its cut.
    Keep(LinkedList<usize>),
}

impl Path {
    /// Through the first entries, so many of them: none is a retry.
    pub(crate) fn straight(entries: usize) -> Self {
        Self { steps: (0..entries).map(Step::Follow).collect() }
    }

    /// Goes on to the entry at `index`, the next of the record.
    pub(crate) fn push(&mut self, entries: &[Entry], index: usize) -> Result<(), Nonsense> {
        if let Entry::Retried { call } = &entries[index] {
            self.cut(entries, *call)?;
        }
        self.steps.push(Step::Follow(index));
        Ok(())
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The indices of the entries that count.
    pub(crate) fn into_followed(self) -> Vec<usize> {
        let followed = self.steps.into_iter().filter_map(|step| match step {
            Step::Follow(index) => Some(index),
            Step::Keep(_) => None,
        });
        followed.collect()
    }

    fn cut(&mut self, entries: &[Entry], call: u32) -> Result<(), Nonsense> {
        let (mut kept, mut ended) = (LinkedList::new(), false);
        while let Some(step) = self.steps.pop() {
            let at = match step {
                Step::Follow(at) => at,
                Step::Keep(mut before) => {
                    before.append(&mut kept);
                    kept = before;
                    continue;
                }
            };
            match &entries[at] {
                Entry::Settled { call: settled, outcome, .. } if *settled == call => {
                    if !ended || matches!(outcome, Outcome::Fulfilled(_)) {
                        return Err("a retry of a call that did not end the run");
                    }
                    if !kept.is_empty() {
                        self.steps.push(Step::Keep(kept));
                    }
                    return Ok(());
                }
                Entry::Called { .. } => {
                    return Err("a retry of a call behind whose rejection others were made");
                }
                Entry::Cancelled => return Err("a retry in a run that was cancelled"),
                Entry::Ended(Ending::Threw { call: Some(by), .. }) if *by == call => ended = true,
                entry if is_kept(entry) => kept.push_front(at),
                _ => {}
            }
        }
        Err("a retry of a call that was not rejected")
    }
}

/// The call itself has nothing behind its settlement.
fn is_kept(entry: &Entry) -> bool {
    matches!(
        entry,
        Entry::Settled { .. }
            | Entry::Dispatched { .. }
            | Entry::Interrupted(_)
            | Entry::Resolved { .. }
            | Entry::Retried { .. }
            | Entry::Used { .. }
            | Entry::Spent(_)
            | Entry::Forked { .. }
    )
}
