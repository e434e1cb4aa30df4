//! The end of what is done here: a process that ends in order leaves its runs to others at once.

use std::time::Duration;

use super::Runs;

impl Runs {
    /// Nothing more is taken up here, by itself or by [`take_up`](Self::take_up): for a process that is about to end. Runs that are gone on with may go on for `patience`, and are put down where they
    /// ask or end; those that are still under way then are aborted, as their host functions are told, and are ready for other processes at once, which ask about unsafe calls that were under way.
    ///
    /// The store can be read and written as before: what is started, answered or emitted is gone on with by others.
    pub async fn close(&self, patience: Duration) {
        self.0.room.close();
        let mut live = self.live();
        // It is told as long as this is there.
        if tokio::time::timeout(patience, live.wait_for(|runs| *runs == 0)).await.is_ok() {
            return;
        }
        self.0.live().values().for_each(|live| live.lost.abort());
        let _ = live.wait_for(|runs| *runs == 0).await;
    }
}
