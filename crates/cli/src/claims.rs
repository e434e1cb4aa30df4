//! Which answers a run was gone on with, in a folder of files: of the processes that share it one goes on from each point of a run.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::{DirBuilder, File, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use intermission::codec::StoreError;
use intermission::{Claimed, Claims, Continuation, Point};
use serde::{Deserialize, Serialize};

use crate::keeping::{Keeper, file};
use crate::terminal;

/// How often a process looks whether another has come to an end.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

type Later<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// A folder with two files a point: `.lock`, which whoever goes on from there holds locked until he is done or dead; `.json`, his answers and what came of them.
/// One who is killed leaves his answers only.
#[derive(Debug)]
pub(crate) struct FileClaims {
    folder: PathBuf,
    keeper: Arc<Keeper>,
    /// The points that this process goes on from, by ticket.
    held: Mutex<BTreeMap<u64, Held>>,
}

/// A point that this process goes on from, as long as the file is open.
#[derive(Debug)]
struct Held {
    _lock: File,
    known: Known,
}

/// What is known of a point.
#[derive(Debug, Deserialize, Serialize)]
struct Known {
    answers: String,
    /// What came of them, as every continuation is kept.
    continuation: Option<String>,
    /// Whether that is the end of it. Else whoever gives the same answers goes on from there.
    done: bool,
}

impl FileClaims {
    /// In a folder, made when it is needed.
    pub(crate) fn new(folder: &Path, keeper: Arc<Keeper>) -> Self {
        Self { folder: folder.to_owned(), keeper, held: Mutex::default() }
    }

    fn held(&self) -> MutexGuard<'_, BTreeMap<u64, Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn path(&self, point: Point, kind: &str) -> PathBuf {
        self.folder.join(format!("{}-{}.{kind}", point.run_id, point.length))
    }

    /// One look; `None` while another process goes on from there with the same answers.
    fn look(&self, point: Point, answers: &str) -> Result<Option<Claimed>, StoreError> {
        let lock = File::options().create(true).append(true).mode(0o600).open(self.path(point, "lock"));
        let lock = lock.map_err(|error| self.failed(&error))?;
        let is_ours = match lock.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => false,
            Err(TryLockError::Error(error)) => return Err(self.failed(&error)),
        };
        match self.known(point).map_err(|error| self.failed(&error))? {
            Some(known) if known.answers != answers => Ok(Some(Claimed::Conflict { winner: known.answers })),
            _ if !is_ours => Ok(None),
            Some(known) => {
                let ledger = self.ledger(point, &known)?;
                Ok(Some(match ledger {
                    Some(ledger) if known.done => Claimed::Done(ledger),
                    None if known.done => return Err(self.failed(&"what is done has no continuation")),
                    left => Claimed::Yours { ticket: self.hold(lock, known), left },
                }))
            }
            None => {
                let known = Known { answers: answers.to_owned(), continuation: None, done: false };
                self.write(point, &known).map_err(|error| self.failed(&error))?;
                Ok(Some(Claimed::Yours { ticket: self.hold(lock, known), left: None }))
            }
        }
    }

    fn hold(&self, lock: File, known: Known) -> u64 {
        let mut held = self.held();
        let ticket = held.keys().next_back().map_or(1, |last| last + 1);
        held.insert(ticket, Held { _lock: lock, known });
        ticket
    }

    fn known(&self, point: Point) -> io::Result<Option<Known>> {
        let path = self.path(point, "json");
        match std::fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text).map(Some).map_err(|error| {
                io::Error::other(format!("{} is no file of claims: {error}", path.display()))
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn ledger(&self, point: Point, known: &Known) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(text) = &known.continuation else { return Ok(None) };
        let opened = self.keeper.open_file(&self.path(point, "json"), text);
        opened.map(|continuation| Some(continuation.to_bytes())).map_err(|error| self.failed(&error))
    }

    fn write(&self, point: Point, known: &Known) -> io::Result<()> {
        file::put(&self.path(point, "json"), &serde_json::to_string(known)?)
    }

    fn settled(&self, point: Point, ticket: u64, ledger: &[u8], done: bool) -> Result<(), StoreError> {
        let Some(Held { _lock, known }) = self.held().remove(&ticket) else { return Ok(()) };
        let continuation = Continuation::from_bytes(ledger).map_err(|error| self.failed(&error))?;
        let text = self.keeper.seal(&continuation).map_err(|error| self.failed(&error))?;
        let known = Known { continuation: Some(text), done, ..known };
        self.write(point, &known).map_err(|error| self.failed(&error))
    }

    fn released(&self, point: Point, ticket: u64) -> io::Result<()> {
        match self.held().remove(&ticket) {
            Some(held) if held.known.continuation.is_none() => std::fs::remove_file(self.path(point, "json")),
            _ => Ok(()),
        }
    }

    fn failed(&self, error: &dyn Display) -> StoreError {
        StoreError(format!("{}: {error}", self.folder.display()))
    }
}

impl Claims for FileClaims {
    fn claim<'a>(&'a self, point: Point, answers: &'a str, _now: u64, _lease: u64) -> Later<'a, Claimed> {
        Box::pin(async move {
            let folder = DirBuilder::new().recursive(true).mode(0o700).create(&self.folder);
            folder.map_err(|error| self.failed(&error))?;
            if let Some(claimed) = self.look(point, answers)? {
                return Ok(claimed);
            }
            terminal::show_line("waiting for another process, which goes on with the same answers");
            loop {
                tokio::time::sleep(LOOK_AGAIN).await;
                if let Some(claimed) = self.look(point, answers)? {
                    return Ok(claimed);
                }
            }
        })
    }

    fn settle(&self, point: Point, ticket: u64, ledger: Vec<u8>, done: bool) -> Later<'_, ()> {
        Box::pin(std::future::ready(self.settled(point, ticket, &ledger, done)))
    }

    fn release(&self, point: Point, ticket: u64) -> Later<'_, ()> {
        let released = self.released(point, ticket).map_err(|error| self.failed(&error));
        Box::pin(std::future::ready(released))
    }
}

#[cfg(test)]
mod tests {
    use intermission::Runner;
    use intermission_config::Config;

    use super::*;
    use crate::arguments::TrustArguments;

    fn point(length: usize) -> Point {
        Point { run_id: intermission::RunId::from_bytes([3; 16]), length }
    }

    /// Two processes that share a folder.
    fn two(folder: &tempfile::TempDir) -> [FileClaims; 2] {
        let keeper = Keeper::new(&Config::default(), TrustArguments { unprotected: false }).unwrap();
        let keeper = Arc::new(keeper);
        [(); 2].map(|()| FileClaims::new(&folder.path().join("claims"), Arc::clone(&keeper)))
    }

    async fn ledger(script: &str) -> Vec<u8> {
        let result = Runner::new().unwrap().run(script).await;
        result.continuation().unwrap().to_bytes()
    }

    #[tokio::test(flavor = "current_thread")]
    async fn the_first_answers_count_and_the_same_get_what_came_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = two(&folder);
        assert_eq!(one.claim(point(3), "yes", 0, 0).await, Ok(Claimed::Yours { ticket: 1, left: None }));
        let conflict = Claimed::Conflict { winner: "yes".to_owned() };
        assert_eq!(other.claim(point(3), "no", 0, 0).await, Ok(conflict));
        assert!(other.look(point(3), "yes").unwrap().is_none());
        let ledger = ledger("return 7").await;
        one.settle(point(3), 1, ledger.clone(), true).await.unwrap();
        assert_eq!(other.claim(point(3), "yes", 0, 0).await, Ok(Claimed::Done(ledger)));
        assert_eq!(other.claim(point(4), "no", 0, 0).await, Ok(Claimed::Yours { ticket: 1, left: None }));
    }

    #[tokio::test(flavor = "current_thread")]
    async fn a_process_that_dies_leaves_the_point_to_the_next_with_the_same_answers() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = two(&folder);
        one.claim(point(3), "yes", 0, 0).await.unwrap();
        drop(one);
        assert_eq!(other.claim(point(3), "yes", 0, 0).await, Ok(Claimed::Yours { ticket: 1, left: None }));
        let ledger = ledger("return 8").await;
        other.settle(point(3), 1, ledger.clone(), false).await.unwrap();
        let again = other.claim(point(3), "yes", 0, 0).await;
        assert_eq!(again, Ok(Claimed::Yours { ticket: 1, left: Some(ledger.clone()) }));
        other.release(point(3), 1).await.unwrap();
        let again = other.claim(point(3), "yes", 0, 0).await;
        assert_eq!(again, Ok(Claimed::Yours { ticket: 1, left: Some(ledger) }));
    }

    #[tokio::test(flavor = "current_thread")]
    async fn a_point_from_which_nobody_got_on_is_free_again() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = two(&folder);
        one.claim(point(3), "yes", 0, 0).await.unwrap();
        one.release(point(3), 1).await.unwrap();
        assert_eq!(other.claim(point(3), "no", 0, 0).await, Ok(Claimed::Yours { ticket: 1, left: None }));
    }
}
