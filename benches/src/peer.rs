//! Intermission as a peer: everything goes through `Runner`, with every default on; tokens are sealed. `--replaying`: no sandbox of a paused run is kept, so that
//! every resume is what it is in another process.

use intermission::codec::Token;
use intermission::{Answer, Resolution, ResumeInput, RunResult, Runner};
use intermission_bench_protocol::{Next, Paused, PeerError, Sandbox, speak};
use intermission_benches::builder;

#[derive(Clone)]
struct Intermission(Runner);

fn main() -> Result<(), PeerError> {
    let replaying = std::env::args().any(|argument| argument == "--replaying");
    speak(move |gate| {
        let builder = builder(gate);
        let builder = if replaying { builder.snapshots(0) } else { builder };
        Ok(Intermission(builder.build().map_err(|error| error.to_string())?))
    })
}

impl Intermission {
    async fn next(&self, result: RunResult) -> Result<Next, String> {
        match result {
            RunResult::Interrupted { interruptions, continuation, .. } => {
                let token = self.0.encode(&continuation, b"").await.map_err(|error| error.to_string())?;
                let questions = interruptions.into_iter().map(|asked| asked.id.to_string()).collect();
                Ok(Next::Paused(Paused { token: token.into_string(), questions }))
            }
            result => {
                let value = result.into_value().map_err(|error| error.to_string())?;
                serde_json::to_value(&value).map(Next::Value).map_err(|error| error.to_string())
            }
        }
    }
}

impl Sandbox for Intermission {
    async fn run(&self, source: &str) -> Result<serde_json::Value, String> {
        let value = self.0.run(source).await.into_value().map_err(|error| error.to_string())?;
        serde_json::to_value(&value).map_err(|error| error.to_string())
    }

    async fn pause(&self, source: &str) -> Result<Paused, String> {
        match self.next(self.0.run(source).await).await? {
            Next::Paused(paused) => Ok(paused),
            Next::Value(value) => Err(format!("it asks nothing and gives {value}")),
        }
    }

    async fn resume(&self, paused: Paused) -> Result<Next, String> {
        let mut input = ResumeInput::new(Token::from(paused.token));
        for question in paused.questions {
            let id = question.parse().map_err(|_| "no interruption".to_owned())?;
            input = input.resolve(Resolution::new(id, Answer::Value(true.into())));
        }
        let result = self.0.resume(input).await.map_err(|error| error.to_string())?;
        self.next(result).await
    }
}
