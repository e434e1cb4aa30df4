//! Tokens that are keys into a store.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use intermission_token::Token;
use rand::Rng;

use super::{Codec, CodecError, Opened, Scope};
use crate::{Continuation, Point};

/// What is kept under a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEntry {
    /// The continuation's bytes.
    pub continuation: Vec<u8>,
    /// Who may use the token.
    pub audience: Option<String>,
    /// The caller's context.
    pub context: Vec<u8>,
    /// Until when the token is good, in milliseconds since 1970.
    pub expires: Option<u64>,
}

/// Where [`Stored`] keeps continuations. An implementation must do each of these in one step, however many processes use it.
pub trait ContinuationStore: Send + Sync {
    /// Keeps an entry under a new key.
    fn put<'a>(&'a self, key: &'a str, entry: StoredEntry) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Looks at an entry; `None` where there is none. A used one is still there.
    fn get<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<Option<StoredEntry>, StoreError>>;

    /// Claims an entry for the holder of `ticket`, until `until` (milliseconds since 1970). A claim that was too old at `now` counts for nothing.
    fn claim<'a>(
        &'a self,
        key: &'a str,
        ticket: &'a str,
        now: u64,
        until: u64,
    ) -> BoxFuture<'a, Result<ClaimedEntry, StoreError>>;

    /// Marks an entry as used, if `ticket` still holds it.
    fn consume<'a>(&'a self, key: &'a str, ticket: &'a str) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Gives an entry back, if `ticket` still holds it, perhaps with another continuation.
    fn release<'a>(
        &'a self,
        key: &'a str,
        ticket: &'a str,
        continuation: Option<Vec<u8>>,
    ) -> BoxFuture<'a, Result<(), StoreError>>;
}

/// What comes of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimedEntry {
    /// It is the caller's.
    Yours(StoredEntry),
    /// It is somebody else's at this moment.
    Busy,
    /// It was used.
    Used(StoredEntry),
    /// There is none.
    Unknown,
}

/// A store failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StoreError(pub String);

/// Tokens that are keys into a store, `imt1_k` and 43 characters of base64url: 256 random bits. A token is good once: while a run goes on from it nobody else can, and then it is used.
/// A run that fails is kept under the same token, with all that it did.
#[derive(Debug)]
pub struct Stored<S> {
    store: S,
    life: Option<Duration>,
    claim: Duration,
}

impl<S: ContinuationStore> Stored<S> {
    /// Over a store.
    pub fn new(store: S) -> Self {
        Self { store, life: None, claim: Duration::from_mins(5) }
    }

    /// How long a token is good. Default: for ever.
    #[must_use]
    pub fn expires_in(mut self, life: Duration) -> Self {
        self.life = Some(life);
        self
    }

    /// How long a claim holds of which nothing more is heard: its process has died. Longer than any resume takes. Default: 5 minutes.
    #[must_use]
    pub fn claims_last(mut self, claim: Duration) -> Self {
        self.claim = claim;
        self
    }

    fn opened(entry: &StoredEntry, scope: Scope<'_>, ticket: Option<String>) -> Result<Opened, CodecError> {
        let meant = entry.audience.as_deref() == scope.audience && entry.context == scope.context;
        if !meant {
            return Err(intermission_token::ReadError::Refused.into());
        }
        if let Some(expires) = entry.expires.filter(|expires| *expires <= scope.now) {
            return Err(intermission_token::ReadError::Expired { expires, now: scope.now }.into());
        }
        let continuation = Continuation::from_bytes(&entry.continuation)?;
        Ok(Opened { continuation, expires: entry.expires, ticket })
    }
}

const PREFIX: &str = "imt1_k";

fn random_text() -> String {
    let mut bytes = [0; 32];
    rand::rng().fill_bytes(&mut bytes);
    data_encoding::BASE64URL_NOPAD.encode(&bytes)
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl<S: ContinuationStore> Codec for Stored<S> {
    fn encode<'a>(
        &'a self,
        continuation: &'a Continuation,
        scope: Scope<'a>,
    ) -> BoxFuture<'a, Result<Token, CodecError>> {
        Box::pin(async move {
            let key = format!("{PREFIX}{}", random_text());
            let entry = StoredEntry {
                continuation: continuation.to_bytes(),
                audience: scope.audience.map(str::to_owned),
                context: scope.context.to_vec(),
                expires: self.life.map(|life| scope.now.saturating_add(millis(life))),
            };
            self.store.put(&key, entry).await?;
            Ok(Token::from(key))
        })
    }

    fn read<'a>(&'a self, token: &'a str, scope: Scope<'a>) -> BoxFuture<'a, Result<Opened, CodecError>> {
        Box::pin(async move {
            let entry = self.store.get(token).await?.ok_or(CodecError::Unknown)?;
            Self::opened(&entry, scope, None)
        })
    }

    fn claim<'a>(&'a self, token: &'a str, scope: Scope<'a>) -> BoxFuture<'a, Result<Opened, CodecError>> {
        Box::pin(async move {
            let secret = random_text();
            let until = scope.now.saturating_add(millis(self.claim));
            match self.store.claim(token, &secret, scope.now, until).await? {
                ClaimedEntry::Unknown => Err(CodecError::Unknown),
                ClaimedEntry::Busy => Err(CodecError::Busy),
                ClaimedEntry::Used(entry) => {
                    let opened = Self::opened(&entry, scope, None)?;
                    Err(CodecError::Used { point: Point::of(&opened.continuation) })
                }
                ClaimedEntry::Yours(entry) => {
                    let ticket = format!("{token} {secret}");
                    match Self::opened(&entry, scope, Some(ticket)) {
                        Ok(opened) => Ok(opened),
                        Err(refused) => {
                            self.store.release(token, &secret, None).await?;
                            Err(refused)
                        }
                    }
                }
            }
        })
    }

    fn consume<'a>(&'a self, ticket: &'a str) -> BoxFuture<'a, Result<(), CodecError>> {
        Box::pin(async move {
            let (key, secret) = ticket.split_once(' ').ok_or(CodecError::Unknown)?;
            Ok(self.store.consume(key, secret).await?)
        })
    }

    fn release<'a>(
        &'a self,
        ticket: &'a str,
        continuation: Option<&'a Continuation>,
    ) -> BoxFuture<'a, Result<(), CodecError>> {
        Box::pin(async move {
            let (key, secret) = ticket.split_once(' ').ok_or(CodecError::Unknown)?;
            Ok(self.store.release(key, secret, continuation.map(Continuation::to_bytes)).await?)
        })
    }
}

/// A store in memory: for tests, and for a process that keeps its runs to itself.
#[derive(Debug, Default)]
pub struct MemoryStore(Mutex<BTreeMap<String, Place>>);

#[derive(Debug)]
struct Place {
    entry: StoredEntry,
    held: Held,
}

#[derive(Debug)]
enum Held {
    Free,
    Claimed { ticket: String, until: u64 },
    Used,
}

impl MemoryStore {
    fn places(&self) -> MutexGuard<'_, BTreeMap<String, Place>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The place under `key`, if `ticket` holds it.
    fn held(&self, key: &str, ticket: &str, act: impl FnOnce(&mut Place)) {
        if let Some(place) = self.places().get_mut(key)
            && matches!(&place.held, Held::Claimed { ticket: holder, .. } if holder == ticket)
        {
            act(place);
        }
    }
}

impl ContinuationStore for MemoryStore {
    fn put<'a>(&'a self, key: &'a str, entry: StoredEntry) -> BoxFuture<'a, Result<(), StoreError>> {
        self.places().insert(key.to_owned(), Place { entry, held: Held::Free });
        Box::pin(async { Ok(()) })
    }

    fn get<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<Option<StoredEntry>, StoreError>> {
        let entry = self.places().get(key).map(|place| place.entry.clone());
        Box::pin(async { Ok(entry) })
    }

    fn claim<'a>(
        &'a self,
        key: &'a str,
        ticket: &'a str,
        now: u64,
        until: u64,
    ) -> BoxFuture<'a, Result<ClaimedEntry, StoreError>> {
        let claimed = match self.places().get_mut(key) {
            None => ClaimedEntry::Unknown,
            Some(place) => match place.held {
                Held::Used => ClaimedEntry::Used(place.entry.clone()),
                Held::Claimed { until, .. } if until > now => ClaimedEntry::Busy,
                Held::Free | Held::Claimed { .. } => {
                    place.held = Held::Claimed { ticket: ticket.to_owned(), until };
                    ClaimedEntry::Yours(place.entry.clone())
                }
            },
        };
        Box::pin(async { Ok(claimed) })
    }

    fn consume<'a>(&'a self, key: &'a str, ticket: &'a str) -> BoxFuture<'a, Result<(), StoreError>> {
        self.held(key, ticket, |place| place.held = Held::Used);
        Box::pin(async { Ok(()) })
    }

    fn release<'a>(
        &'a self,
        key: &'a str,
        ticket: &'a str,
        continuation: Option<Vec<u8>>,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.held(key, ticket, |place| {
            place.held = Held::Free;
            if let Some(continuation) = continuation {
                place.entry.continuation = continuation;
            }
        });
        Box::pin(async { Ok(()) })
    }
}
