//! What is done by itself: leases are renewed, runs woken and picked up, old ones deleted.

use std::iter;
use std::sync::{Arc, Weak};
use std::time::Duration;

use super::driver::Told;
use super::{Retention, Shared, millis};
use crate::StoreError;
use crate::rows::{Rest, Wanted};

/// How often old runs are deleted, and how many at once, so that nobody waits for long.
const SWEEP: (Duration, usize) = (Duration::from_mins(1), 100);

/// Tends to the runs until nobody has them any more.
pub(super) async fn tend(runs: Weak<Shared>) {
    let Some(news) = runs.upgrade().map(|shared| Arc::clone(&shared.news)) else { return };
    let mut tending = Tending::default();
    loop {
        let pause = match runs.upgrade() {
            None => return,
            Some(shared) => match tending.turn(&shared).await {
                Ok(pause) => pause,
                Err(error) => {
                    tracing::error!(code = error.code(), "{error}");
                    shared.longest_pause()
                }
            },
        };
        let _ = tokio::time::timeout(pause, news.notified()).await;
    }
}

impl Shared {
    /// Leases have to be renewed in time, of what is started meanwhile too.
    fn longest_pause(&self) -> Duration {
        self.settings.look_again.min(self.settings.lease / 3)
    }
}

#[derive(Default)]
struct Tending {
    renewed: u64,
    swept: u64,
}

impl Tending {
    /// One look. Gives how long nothing is to be done, as far as is known here.
    async fn turn(&mut self, shared: &Arc<Shared>) -> Result<Duration, StoreError> {
        let now = shared.runner.time();
        if now.saturating_sub(self.renewed) >= millis(shared.settings.lease) / 3 {
            self.renewed = now;
            renew(shared).await?;
        }
        if !shared.live().is_empty() {
            hear(shared).await?;
        }
        let picks_up = shared.settings.picks_up && !shared.room.is_closed();
        if picks_up {
            pick_up(shared).await?;
        }
        if let Retention::For(kept) = shared.settings.retention
            && now.saturating_sub(self.swept) >= millis(SWEEP.0)
        {
            let before = now.saturating_sub(millis(kept));
            if shared.store.delete_over(before, SWEEP.1).await? < SWEEP.1 {
                self.swept = now;
            }
        }
        let wakes = if picks_up { shared.store.next_wake().await? } else { None };
        let until_due = wakes.map(|due| Duration::from_millis(due.saturating_sub(shared.runner.time())));
        let longest = shared.longest_pause();
        // Where there is no room, what is due has to wait.
        let until_due = until_due.filter(|_| shared.room.available_permits() > 0);
        Ok(until_due.map_or(longest, |due| due.min(longest)))
    }
}

/// Goes on with what nobody goes on with, as far as there is room.
async fn pick_up(shared: &Arc<Shared>) -> Result<(), StoreError> {
    // Half of the room, so that a run that is started meanwhile finds a place, too.
    let most = shared.room.available_permits().div_ceil(2);
    let places: Vec<_> = iter::from_fn(|| shared.place()).take(most).collect();
    if places.is_empty() {
        return Ok(());
    }
    let wanted = Wanted::Any { most: places.len(), except: shared.unfit().iter().copied().collect() };
    let leases = shared.store.claim(shared.leasing(), wanted).await?;
    if leases.len() == places.len() {
        // There may be more.
        shared.news.notify_one();
    }
    for (lease, place) in leases.into_iter().zip(places) {
        shared.go_on(lease, shared.going(), Some(place), None);
    }
    Ok(())
}

/// A run whose lease was lost is stopped; one that could not be put down is given back.
async fn renew(shared: &Shared) -> Result<(), StoreError> {
    let left = std::mem::take(&mut *shared.left());
    for lease in &left {
        if let Err(error) = shared.store.put_down(*lease, Rest::Ready, shared.runner.time()).await {
            shared.left().extend(&left);
            return Err(error);
        }
    }
    if shared.live().is_empty() {
        return Ok(());
    }
    // Those leased after this are not in what is renewed.
    let before: Vec<_> = shared.live().values().map(|live| live.lease).collect();
    let renewed = shared.store.renew(shared.leasing()).await?;
    for lease in before.into_iter().filter(|lease| !renewed.contains(lease)) {
        if let Some(live) = shared.live().get(&lease.run_id).filter(|live| live.lease == lease) {
            live.lost.abort();
        }
    }
    Ok(())
}

/// What other processes have written for the runs that are gone on with here.
async fn hear(shared: &Shared) -> Result<(), StoreError> {
    for held in shared.store.held(shared.worker).await? {
        let live = shared.live();
        let Some(live) = live.get(&held.lease.run_id) else { continue };
        for (told, is) in [(Told::Cancel, held.cancel), (Told::Answers, held.answers)] {
            if is {
                let _ = live.told.send(told);
            }
        }
    }
    Ok(())
}
