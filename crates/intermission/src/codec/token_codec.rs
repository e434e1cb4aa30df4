//! Tokens that hold the continuation themselves.

use std::time::Duration;

use futures_util::future::BoxFuture;
use intermission_token::{Expected, Header, Keys, Limits, Protection, SKEW, Token, read, write};
use rand::Rng;

use super::{Codec, CodecError, Opened, Scope};
use crate::Continuation;

/// Tokens that hold the whole continuation: docs/tokens.md.
///
/// Such a token can be copied: going on from it twice is two continuations from one point, with the same request ids and idempotency keys, unless the
/// runner has [`Claims`](crate::Claims).
///
/// ```
/// use intermission::codec::{Keys, TokenCodec};
/// use intermission::{HostFunction, HostFunctions, RunResult, Runner};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mail = HostFunction::sync("mail", |call| Ok(call.input())).approval();
/// let keys = Keys::parse("k1:Zm9yIGRvY3VtZW50YXRpb24sIG5ldmVyIGZvciB1c2U")?;
/// let runner = Runner::builder()
///     .host_functions(HostFunctions::new([mail])?)
///     .codec(TokenCodec::sealed(keys))
///     .build()?;
/// let RunResult::Interrupted { continuation, .. } = runner.run("await mail('hello')").await else { panic!("it asks") };
/// let token = runner.encode(&continuation, b"user 7").await?;
/// assert_eq!(runner.inspect(token.as_str(), b"user 7").await?.interruptions.len(), 1);
/// assert_eq!(runner.inspect(token.as_str(), b"user 8").await.unwrap_err().code(), "TOKEN_REFUSED");
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct TokenCodec {
    protection: Kept,
    life: Option<Duration>,
    skew: u64,
    limits: Limits,
}

#[derive(Debug)]
enum Kept {
    Sealed(Keys),
    Signed(Keys),
    Open,
}

impl TokenCodec {
    /// Encrypted and authenticated: the one to use unless there is a reason not to.
    pub fn sealed(keys: Keys) -> Self {
        Self::new(Kept::Sealed(keys))
    }

    /// Authenticated, and readable by whoever has the token.
    pub fn signed(keys: Keys) -> Self {
        Self::new(Kept::Signed(keys))
    }

    /// **Not protected at all**: whoever can write where the token is kept decides what the run has done and does next. Only for a store that you trust as you
    /// trust the memory of your own program.
    pub fn open() -> Self {
        Self::new(Kept::Open)
    }

    fn new(protection: Kept) -> Self {
        let limits = Limits { token: 16 << 20, payload: 64 << 20 };
        Self { protection, life: None, skew: SKEW, limits }
    }

    /// How long a token is good. Default: for ever.
    #[must_use]
    pub fn expires_in(mut self, life: Duration) -> Self {
        self.life = Some(life);
        self
    }

    /// By how much the clocks of machines may differ. Default: one minute.
    #[must_use]
    pub fn skew(mut self, skew: Duration) -> Self {
        self.skew = u64::try_from(skew.as_millis()).unwrap_or(u64::MAX);
        self
    }

    /// The largest token, in bytes of its text, and the largest ledger in it. Default: 16 MiB and 64 MiB.
    #[must_use]
    pub fn limits(mut self, token: usize, ledger: usize) -> Self {
        self.limits = Limits { token, payload: ledger };
        self
    }

    fn protection(&self) -> Protection<'_> {
        match &self.protection {
            Kept::Sealed(keys) => Protection::Sealed(keys),
            Kept::Signed(keys) => Protection::Signed(keys),
            Kept::Open => Protection::Open,
        }
    }

    /// A token for a continuation: what [`Codec::encode`] gives, without a future.
    ///
    /// # Errors
    /// [`CodecError`].
    pub fn write_token(&self, continuation: &Continuation, scope: Scope<'_>) -> Result<Token, CodecError> {
        let mut random = rand::rng();
        let mut id = [0; 16];
        random.fill_bytes(&mut id);
        let life = self.life.map(|life| u64::try_from(life.as_millis()).unwrap_or(u64::MAX));
        let header = Header {
            audience: scope.audience.map(str::to_owned),
            issued: scope.now,
            expires: life.map(|life| scope.now.saturating_add(life)),
            id,
        };
        let payload = continuation.to_bytes();
        Ok(write(&payload, &header, scope.context, self.protection(), self.limits, &mut random)?)
    }

    /// What is in a token: what [`Codec::read`] gives, without a future.
    ///
    /// # Errors
    /// [`CodecError`].
    pub fn read_token(&self, token: &str, scope: Scope<'_>) -> Result<Opened, CodecError> {
        let expected = Expected {
            accept: &[self.protection()],
            audience: scope.audience,
            context: scope.context,
            now: scope.now,
            skew: self.skew,
            limits: self.limits,
        };
        let contents = read(token, &expected)?;
        let continuation = Continuation::from_bytes(&contents.payload)?;
        Ok(Opened { continuation, expires: contents.header.expires, ticket: None })
    }
}

impl Codec for TokenCodec {
    fn encode<'a>(
        &'a self,
        continuation: &'a Continuation,
        scope: Scope<'a>,
    ) -> BoxFuture<'a, Result<Token, CodecError>> {
        Box::pin(async move { self.write_token(continuation, scope) })
    }

    fn read<'a>(&'a self, token: &'a str, scope: Scope<'a>) -> BoxFuture<'a, Result<Opened, CodecError>> {
        Box::pin(async move { self.read_token(token, scope) })
    }
}
