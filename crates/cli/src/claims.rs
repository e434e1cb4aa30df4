//! Which answers a run was gone on with, in a folder of files: processes that share it do nothing twice.

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use intermission::codec::StoreError;
use intermission::{Claimed, Claims, Point};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

/// How often a process looks whether another has come to an end.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

type Later<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// A folder with up to three files a point: `.lock`, which whoever goes on from there holds locked until he is done or dead; `.json`, his answers; `.ledger`, what
/// came of them.
#[derive(Debug)]
pub(crate) struct FileClaims {
    folder: PathBuf,
    /// The locks of the points that this process goes on from, by ticket.
    held: Mutex<BTreeMap<u64, File>>,
}

/// What is known of a point.
#[derive(Debug, Deserialize, Serialize)]
struct Known {
    answers: String,
    done: bool,
}

impl FileClaims {
    /// In a folder, made when it is needed.
    pub(crate) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), held: Mutex::default() }
    }

    fn held(&self) -> MutexGuard<'_, BTreeMap<u64, File>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn path(&self, point: Point, kind: &str) -> PathBuf {
        self.folder.join(format!("{}-{}.{kind}", point.run_id, point.length))
    }

    /// One look; `None` while another process goes on from there with the same answers.
    fn look(&self, point: Point, answers: &str) -> io::Result<Option<Claimed>> {
        std::fs::create_dir_all(&self.folder)?;
        let lock = File::options().create(true).append(true).open(self.path(point, "lock"))?;
        let is_ours = match lock.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => false,
            Err(TryLockError::Error(error)) => return Err(error),
        };
        let known = self.known(point)?;
        match known {
            Some(known) if known.answers != answers => Ok(Some(Claimed::Conflict { winner: known.answers })),
            _ if !is_ours => Ok(None),
            Some(Known { done: true, .. }) => {
                Ok(Some(Claimed::Done(std::fs::read(self.path(point, "ledger"))?)))
            }
            Some(_) => Ok(Some(self.take(lock, self.ledger(point)?))),
            None => {
                self.write(point, &Known { answers: answers.to_owned(), done: false })?;
                Ok(Some(self.take(lock, None)))
            }
        }
    }

    fn take(&self, lock: File, left: Option<Vec<u8>>) -> Claimed {
        let mut held = self.held();
        let ticket = held.keys().next_back().map_or(1, |last| last + 1);
        held.insert(ticket, lock);
        Claimed::Yours { ticket, left }
    }

    fn known(&self, point: Point) -> io::Result<Option<Known>> {
        match std::fs::read(self.path(point, "json")) {
            Ok(text) => Ok(Some(serde_json::from_slice(&text)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn ledger(&self, point: Point) -> io::Result<Option<Vec<u8>>> {
        match std::fs::read(self.path(point, "ledger")) {
            Ok(ledger) => Ok(Some(ledger)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn write(&self, point: Point, known: &Known) -> io::Result<()> {
        self.replace(&self.path(point, "json"), serde_json::to_string(known)?.as_bytes())
    }

    /// Whoever reads it meanwhile gets the old contents or the new ones.
    fn replace(&self, path: &Path, contents: &[u8]) -> io::Result<()> {
        let mut file = NamedTempFile::new_in(&self.folder)?;
        io::Write::write_all(&mut file, contents)?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    }

    fn settled(&self, point: Point, ticket: u64, ledger: &[u8], done: bool) -> io::Result<()> {
        let Some(_lock) = self.held().remove(&ticket) else { return Ok(()) };
        let Some(known) = self.known(point)? else { return Ok(()) };
        self.replace(&self.path(point, "ledger"), ledger)?;
        self.write(point, &Known { done, ..known })
    }

    fn released(&self, point: Point, ticket: u64) -> io::Result<()> {
        let Some(_lock) = self.held().remove(&ticket) else { return Ok(()) };
        match std::fs::remove_file(self.path(point, "json")) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn failed(&self, error: &io::Error) -> StoreError {
        StoreError(format!("{}: {error}", self.folder.display()))
    }
}

impl Claims for FileClaims {
    fn claim<'a>(&'a self, point: Point, answers: &'a str, _now: u64, _lease: u64) -> Later<'a, Claimed> {
        Box::pin(async move {
            loop {
                match self.look(point, answers).map_err(|error| self.failed(&error))? {
                    Some(claimed) => return Ok(claimed),
                    None => tokio::time::sleep(LOOK_AGAIN).await,
                }
            }
        })
    }

    fn settle(&self, point: Point, ticket: u64, ledger: Vec<u8>, done: bool) -> Later<'_, ()> {
        let settled = self.settled(point, ticket, &ledger, done).map_err(|error| self.failed(&error));
        Box::pin(std::future::ready(settled))
    }

    fn release(&self, point: Point, ticket: u64) -> Later<'_, ()> {
        let released = self.released(point, ticket).map_err(|error| self.failed(&error));
        Box::pin(std::future::ready(released))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(length: usize) -> Point {
        Point { run_id: intermission::RunId::from_bytes([3; 16]), length }
    }

    #[tokio::test(flavor = "current_thread")]
    async fn the_first_answers_count_and_the_same_get_what_came_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = [(); 2].map(|()| FileClaims::new(&folder.path().join("claims")));
        assert_eq!(one.claim(point(3), "yes", 0, 0).await, Ok(Claimed::Yours { ticket: 1, left: None }));
        let conflict = Claimed::Conflict { winner: "yes".to_owned() };
        assert_eq!(other.claim(point(3), "no", 0, 0).await, Ok(conflict));
        assert!(other.look(point(3), "yes").unwrap().is_none());
        one.settle(point(3), 1, vec![7], true).await.unwrap();
        assert_eq!(other.claim(point(3), "yes", 0, 0).await, Ok(Claimed::Done(vec![7])));
        assert_eq!(other.claim(point(4), "no", 0, 0).await, Ok(Claimed::Yours { ticket: 1, left: None }));
    }

    #[tokio::test(flavor = "current_thread")]
    async fn a_process_that_dies_leaves_the_point_to_the_next_with_the_same_answers() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = [(); 2].map(|()| FileClaims::new(&folder.path().join("claims")));
        one.claim(point(3), "yes", 0, 0).await.unwrap();
        drop(one);
        assert_eq!(other.claim(point(3), "yes", 0, 0).await, Ok(Claimed::Yours { ticket: 1, left: None }));
        other.settle(point(3), 1, vec![8], false).await.unwrap();
        let again = other.claim(point(3), "yes", 0, 0).await;
        assert_eq!(again, Ok(Claimed::Yours { ticket: 1, left: Some(vec![8]) }));
        other.release(point(3), 1).await.unwrap();
        assert!(matches!(other.look(point(3), "no"), Ok(Some(Claimed::Yours { .. }))));
    }
}
