//! A codec that is the user's own.

use futures_util::future::BoxFuture;
use intermission::codec::{Codec, CodecError, Opened, Scope, Token};
use intermission::{Continuation, Value};

use crate::asks::Asks;
use crate::message::maybe;

pub(crate) struct AskedCodec(pub(crate) Asks);

fn scoped<const N: usize>(scope: Scope<'_>, more: [(&'static str, Value); N]) -> Vec<(&'static str, Value)> {
    let scope = [
        ("audience", maybe(scope.audience)),
        ("context", Value::bytes(scope.context.to_vec())),
        ("now", Value::from(scope.now as f64)),
    ];
    scope.into_iter().chain(more).collect()
}

impl AskedCodec {
    async fn open(&self, kind: &'static str, token: &str, scope: Scope<'_>) -> Result<Opened, CodecError> {
        let body = scoped(scope, [("token", token.into())]);
        let opened = self.0.ask_or(kind, body, CodecError::Other).await?;
        let bytes = opened["continuation"].as_bytes();
        let bytes = bytes.ok_or_else(|| CodecError::Other("a codec reads continuations".to_owned()))?;
        Ok(Opened {
            continuation: Continuation::from_bytes(bytes)?,
            expires: opened["expires"].as_f64().map(|time| time as u64),
            ticket: opened["ticket"].as_str().map(str::to_owned),
        })
    }
}

impl Codec for AskedCodec {
    fn encode<'a>(
        &'a self,
        continuation: &'a Continuation,
        scope: Scope<'a>,
    ) -> BoxFuture<'a, Result<Token, CodecError>> {
        Box::pin(async move {
            let body = scoped(scope, [("continuation", Value::bytes(continuation.to_bytes()))]);
            let token = self.0.ask_or("codec.encode", body, CodecError::Other).await?;
            let text = token.as_str().ok_or_else(|| CodecError::Other("a codec writes texts".to_owned()))?;
            Ok(Token::from(text.to_owned()))
        })
    }

    fn read<'a>(&'a self, token: &'a str, scope: Scope<'a>) -> BoxFuture<'a, Result<Opened, CodecError>> {
        Box::pin(self.open("codec.read", token, scope))
    }

    fn claim<'a>(&'a self, token: &'a str, scope: Scope<'a>) -> BoxFuture<'a, Result<Opened, CodecError>> {
        Box::pin(self.open("codec.claim", token, scope))
    }

    fn consume<'a>(&'a self, ticket: &'a str) -> BoxFuture<'a, Result<(), CodecError>> {
        Box::pin(async move {
            self.0.ask_or("codec.consume", [("ticket", ticket.into())], CodecError::Other).await.map(drop)
        })
    }

    fn release<'a>(
        &'a self,
        ticket: &'a str,
        continuation: Option<&'a Continuation>,
    ) -> BoxFuture<'a, Result<(), CodecError>> {
        Box::pin(async move {
            let came = maybe(continuation.map(|came| Value::bytes(came.to_bytes())));
            let body = [("ticket", ticket.into()), ("continuation", came)];
            self.0.ask_or("codec.release", body, CodecError::Other).await.map(drop)
        })
    }
}
