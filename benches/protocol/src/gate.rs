//! Where `tools.block` waits.

use std::sync::Arc;

use tokio::sync::Semaphore;

/// Holds every call of `tools.block` until it is opened, and counts them. Clones are the same gate.
#[derive(Clone, Debug)]
pub struct Gate(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// A permit for each call that has come.
    arrived: Semaphore,
    /// Closed when the gate is opened; it never has a permit.
    closed: Semaphore,
}

impl Default for Gate {
    fn default() -> Self {
        Self(Arc::new(Inner { arrived: Semaphore::new(0), closed: Semaphore::new(0) }))
    }
}

impl Gate {
    /// What `tools.block` does: comes, and waits for the gate to open.
    pub async fn pass(&self) {
        self.0.arrived.add_permits(1);
        let opened = self.0.closed.acquire().await;
        debug_assert!(opened.is_err(), "there are no permits");
    }

    /// Waits until that many calls have come.
    pub(crate) async fn full(&self, calls: u32) {
        let arrived = self.0.arrived.acquire_many(calls).await;
        arrived.expect("it is never closed").forget();
    }

    /// Lets everybody pass, now and later.
    pub(crate) fn open(&self) {
        self.0.closed.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_gate_holds_every_call_until_it_is_opened() {
        let gate = Gate::default();
        let calls: Vec<_> = (0..3)
            .map(|_| {
                tokio::spawn({
                    let gate = gate.clone();
                    async move { gate.pass().await }
                })
            })
            .collect();
        gate.full(3).await;
        assert!(calls.iter().all(|call| !call.is_finished()));
        gate.open();
        for call in calls {
            call.await.unwrap();
        }
        gate.pass().await;
    }
}
