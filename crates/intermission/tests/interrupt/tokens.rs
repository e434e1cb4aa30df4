//! Tokens, and what a second, an older and a concurrent resume do: a test for each cell of the table of docs/continuations.md.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use intermission::codec::{Codec, Keys, MemoryStore, StoreError, Stored, Token, TokenCodec};
use intermission::{
    AbortController, Answer, Claimed, Claims, InterruptionId, MemoryClaims, Point, Resolution, ResumeInput,
    RunResult, Runner,
};

use crate::host::{Done, builder, functions, put_away, run};

const SCRIPT: &str =
    "const ok = await t.pause('pay'); const r = await t.deploy(ok); await t.pause('more'); return r";

fn keys() -> Keys {
    Keys::parse("k1:Zm9yIGRvY3VtZW50YXRpb24sIG5ldmVyIGZvciB1c2U").unwrap()
}

fn runner(done: &Done, codec: impl Codec + 'static, claims: Option<MemoryClaims>) -> Runner {
    let builder = builder().host_functions(functions(done)).codec(codec);
    match claims {
        Some(claims) => builder.claims(claims).build().unwrap(),
        None => builder.build().unwrap(),
    }
}

async fn paused(runner: &Runner, done: &Done) -> (Token, InterruptionId) {
    let result = runner.run(SCRIPT).await;
    done.take();
    let id = result.interruptions()[0].id.clone();
    (runner.encode(result.continuation().unwrap(), b"").await.unwrap(), id)
}

async fn resume(runner: &Runner, token: &Token, id: &InterruptionId, answer: &str) -> String {
    let resolution = Resolution::new(id.clone(), Answer::Value(answer.into()));
    match runner.resume(ResumeInput::new(token.clone()).resolve(resolution)).await {
        Ok(RunResult::Interrupted { interruptions, .. }) => format!("asks {:?}", interruptions[0].arguments),
        Ok(result) => format!("{:?}", result.error().map(intermission::RunError::code)),
        Err(refused) => refused.code().to_owned(),
    }
}

/// What a second resume with the same answer, one with another, and the effects are.
async fn second(runner: &Runner, done: &Done) -> [String; 3] {
    let (token, id) = paused(runner, done).await;
    assert_eq!(resume(runner, &token, &id, "yes").await, "asks [\"more\"]");
    let (same, other) = (resume(runner, &token, &id, "yes").await, resume(runner, &token, &id, "no").await);
    let effects = done.take().into_iter().filter(|call| call.starts_with("t.deploy")).collect::<Vec<_>>();
    [same, other, effects.join(" ")]
}

/// What of twenty at once, five of them with another answer, comes.
async fn concurrent(runner: &Runner, done: &Done) -> (Vec<String>, usize) {
    let (token, id) = paused(runner, done).await;
    let all = (0..20).map(|n| {
        let (runner, token, id) = (runner.clone(), token.clone(), id.clone());
        let answer = if n % 4 == 1 { "no" } else { "yes" };
        tokio::spawn(async move { format!("{answer}: {}", resume(&runner, &token, &id, answer).await) })
    });
    let mut outcomes = Vec::new();
    for one in all.collect::<Vec<_>>() {
        outcomes.push(one.await.unwrap());
    }
    outcomes.sort();
    outcomes.dedup();
    let effects = done.take().iter().filter(|call| call.starts_with("t.deploy")).count();
    (outcomes, effects)
}

#[tokio::test]
async fn without_claims_a_token_that_holds_the_continuation_can_be_gone_on_from_again() {
    let again =
        ["asks [\"more\"]", "asks [\"more\"]", "t.deploy(\"yes\") t.deploy(\"yes\") t.deploy(\"no\")"];
    for codec in [TokenCodec::sealed(keys()), TokenCodec::signed(keys()), TokenCodec::open()] {
        let done = Done::default();
        assert_eq!(second(&runner(&done, codec, None), &done).await, again);
    }
    let done = Done::default();
    let (outcomes, effects) = concurrent(&runner(&done, TokenCodec::sealed(keys()), None), &done).await;
    assert_eq!((outcomes.len(), effects), (2, 20));
}

#[tokio::test]
async fn with_claims_the_same_answer_gives_the_same_result_and_another_is_a_conflict() {
    let once = ["asks [\"more\"]", "RESOLUTION_CONFLICT", "t.deploy(\"yes\")"];
    for codec in [TokenCodec::sealed(keys()), TokenCodec::signed(keys()), TokenCodec::open()] {
        let done = Done::default();
        assert_eq!(second(&runner(&done, codec, Some(MemoryClaims::default())), &done).await, once);
    }
    let done = Done::default();
    let stored = Stored::new(MemoryStore::default());
    assert_eq!(second(&runner(&done, stored, Some(MemoryClaims::default())), &done).await, once);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_twenty_answers_at_once_one_wins_and_its_like_get_its_result() {
    let done = Done::default();
    let runner = runner(&done, TokenCodec::sealed(keys()), Some(MemoryClaims::default()));
    let (outcomes, effects) = concurrent(&runner, &done).await;
    assert_eq!(effects, 1);
    let yes = ["no: RESOLUTION_CONFLICT", "yes: asks [\"more\"]"];
    let no = ["no: asks [\"more\"]", "yes: RESOLUTION_CONFLICT"];
    assert!(outcomes == yes || outcomes == no, "{outcomes:?}");
}

#[tokio::test]
async fn a_stored_token_is_good_once() {
    let done = Done::default();
    let stored = Stored::new(MemoryStore::default());
    let runner = runner(&done, stored, None);
    assert_eq!(second(&runner, &done).await, ["TOKEN_USED", "TOKEN_USED", "t.deploy(\"yes\")"]);
    let (outcomes, effects) = concurrent(&runner, &done).await;
    assert_eq!(effects, 1);
    assert!(
        outcomes.iter().all(|outcome| ["asks", "TOKEN"].iter().any(|word| outcome.contains(word))),
        "{outcomes:?}"
    );
}

#[tokio::test]
async fn a_refused_answer_leaves_a_stored_token_good() {
    let done = Done::default();
    let runner = runner(&done, Stored::new(MemoryStore::default()), Some(MemoryClaims::default()));
    let (token, id) = paused(&runner, &done).await;
    let wrong = Resolution::new(id.clone(), Answer::Approve);
    let refused = runner.resume(ResumeInput::new(token.clone()).resolve(wrong)).await.unwrap_err();
    assert_eq!(refused.code(), "RESOLUTION_INVALID");
    assert_eq!(resume(&runner, &token, &id, "yes").await, "asks [\"more\"]");
}

#[tokio::test]
async fn a_run_that_fails_behind_its_approval_is_kept_under_the_same_stored_token() {
    let done = Done::default();
    let runner = runner(&done, Stored::new(MemoryStore::default()), None);
    let script = "const ok=await t.pause('deploy'); await t.deploy(ok); await t.report(); return 'done';";
    let result = runner.run(script).await;
    let id = result.interruptions()[0].id.clone();
    let token = runner.encode(result.continuation().unwrap(), b"").await.unwrap();
    let answer = Resolution::new(id, Answer::Value(true.into()));
    let failed = runner.resume(ResumeInput::new(token.clone()).resolve(answer)).await.unwrap();
    assert_eq!(failed.error().unwrap().code(), "SCRIPT_ERROR");
    done.take();
    let result = runner.resume(ResumeInput::new(token).retry()).await.unwrap();
    assert_eq!(result.into_value().unwrap(), "done".into());
    assert_eq!(done.take(), ["t.report()"]);
}

#[tokio::test]
async fn an_older_token_is_gone_on_from_again_or_remembered() {
    for (claims, expected) in
        [(None, "asks [\"more\"]"), (Some(MemoryClaims::default()), "RESOLUTION_CONFLICT")]
    {
        let done = Done::default();
        let runner = runner(&done, TokenCodec::sealed(keys()), claims);
        let (older, id) = paused(&runner, &done).await;
        let answer = Resolution::new(id.clone(), Answer::Value("yes".into()));
        let result = runner.resume(ResumeInput::new(older.clone()).resolve(answer)).await.unwrap();
        let newer = runner.encode(result.continuation().unwrap(), b"").await.unwrap();
        let more = result.interruptions()[0].id.clone();
        resume(&runner, &newer, &more, "yes").await;
        assert_eq!(resume(&runner, &older, &id, "other").await, expected);
        assert_eq!(resume(&runner, &older, &id, "yes").await, "asks [\"more\"]");
    }
}

#[tokio::test]
async fn a_resume_that_changes_nothing_claims_nothing() {
    let done = Done::default();
    let runner = runner(&done, TokenCodec::sealed(keys()), Some(MemoryClaims::default()));
    let (token, id) = paused(&runner, &done).await;
    runner.resume(ResumeInput::new(token.clone())).await.unwrap();
    assert_eq!(resume(&runner, &token, &id, "yes").await, "asks [\"more\"]");
}

#[tokio::test]
async fn a_claim_whose_holder_has_died_passes_to_the_next_with_the_same_answers() {
    let claims = Arc::new(MemoryClaims::default());
    let point = Point { run_id: intermission::RunId::from_bytes([1; 16]), length: 3 };
    let first = claims.claim(point, "a", 1_000, 50).await.unwrap();
    assert_eq!(first, Claimed::Yours { ticket: 1, left: None });
    let other = claims.claim(point, "b", 1_000, 50).await.unwrap();
    assert_eq!(other, Claimed::Conflict { winner: "a".to_owned() });
    let next = claims.claim(point, "a", 1_010, 50).await.unwrap();
    assert_eq!(next, Claimed::Yours { ticket: 2, left: None });
    claims.settle(point, 1, vec![1], true).await.unwrap();
    claims.settle(point, 2, vec![2], true).await.unwrap();
    assert_eq!(claims.claim(point, "a", 1_020, 50).await.unwrap(), Claimed::Done(vec![2]));
}

/// Claims that somebody else has for ever.
struct Waiting;

impl Claims for Waiting {
    fn claim<'a>(
        &'a self,
        _: Point,
        _: &'a str,
        _: u64,
        _: u64,
    ) -> BoxFuture<'a, Result<Claimed, StoreError>> {
        Box::pin(std::future::pending())
    }

    fn settle(&self, _: Point, _: u64, _: Vec<u8>, _: bool) -> BoxFuture<'_, Result<(), StoreError>> {
        panic!("nothing was claimed")
    }

    fn release(&self, _: Point, _: u64) -> BoxFuture<'_, Result<(), StoreError>> {
        panic!("nothing was claimed")
    }
}

#[tokio::test]
async fn whoever_waits_for_a_claim_can_be_aborted_and_has_changed_nothing() {
    let done = Done::default();
    let (questions, continuation) = put_away(run(&crate::host::runner(&done), SCRIPT).await);
    let runner = builder().host_functions(functions(&done)).claims(Waiting).build().unwrap();
    let abort = AbortController::new();
    let answer = Resolution::new(questions.values().next().unwrap().clone(), Answer::Value(true.into()));
    let input = ResumeInput::new(continuation.clone()).resolve(answer).abort(abort.signal());
    let (result, ()) = tokio::join!(runner.resume(input), async { abort.abort() });
    let result = result.unwrap();
    assert_eq!(result.error().unwrap().code(), "ABORTED");
    assert_eq!(result.continuation(), Some(&continuation));
    assert_eq!(done.take(), Vec::<String>::new());
}

#[tokio::test]
async fn a_token_is_for_its_context_and_audience_and_says_what_it_asks() {
    let done = Done::default();
    let for_audience = |audience: &str| {
        let builder = builder().host_functions(functions(&done)).codec(TokenCodec::sealed(keys()));
        builder.audience(audience).build().unwrap()
    };
    let (mine, others) = (for_audience("mine"), for_audience("others"));
    let result = mine.run(SCRIPT).await;
    let token = mine.encode(result.continuation().unwrap(), b"user 7").await.unwrap();
    let inspection = mine.inspect(token.as_str(), b"user 7").await.unwrap();
    assert_eq!(inspection.run_id, result.report().run_id);
    assert_eq!(inspection.interruptions, result.interruptions());
    assert_eq!(mine.inspect(token.as_str(), b"user 8").await.unwrap_err().code(), "TOKEN_REFUSED");
    assert_eq!(others.inspect(token.as_str(), b"user 7").await.unwrap_err().code(), "TOKEN_REFUSED");
    let resumed = mine.resume(ResumeInput::new(token.clone()).context("user 7")).await.unwrap();
    assert_eq!(resumed.interruptions().len(), 1);
    let refused = mine.resume(ResumeInput::new(token)).await.unwrap_err();
    assert_eq!(refused.code(), "TOKEN_REFUSED");
}
