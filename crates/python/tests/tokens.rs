//! A token that one side made, another goes on from: Rust, Node, Python. The packages have to be built: `crates/python/build.sh`, `crates/node/build.sh`.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;
use std::process::Command;

use intermission::codec::{Keys, TokenCodec};
use intermission::{
    Answer, HostCall, HostFunction, HostFunctions, Resolution, ResumeInput, RunResult, Runner, Value,
};

const KEY: &str = "k1:Zm9yIGRvY3VtZW50YXRpb24sIG5ldmVyIGZvciB1c2U";

/// The same script on every side; it has been told something by the time it asks.
const SCRIPT: &str =
    "const user = await users.find({ id: 7n }); const sent = await mail(user); return [user, sent]";

/// The same functions, keys and audience as [`runner`] has.
const NODE: &str = include_str!("../../node/tests/tokens.mjs");

/// What a program says, with a token or without.
fn said(command: &mut Command, token: Option<&str>) -> String {
    let output =
        command.env("KEY", KEY).env("SCRIPT", SCRIPT).envs(token.map(|token| ("TOKEN", token))).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn python(token: Option<&str>) -> String {
    let room = Path::new(env!("CARGO_MANIFEST_DIR"));
    let package = room.join("python");
    assert!(
        package.join("intermission/_native.abi3.so").exists(),
        "build the package first: crates/python/build.sh debug"
    );
    said(Command::new("python3").arg(room.join("tests/tokens.py")).env("PYTHONPATH", package), token)
}

fn node(token: Option<&str>) -> String {
    let room = Path::new(env!("CARGO_MANIFEST_DIR")).join("../node");
    assert!(room.join("dist/index.js").exists(), "build the Node package first: crates/node/build.sh debug");
    said(Command::new("node").current_dir(room).args(["--input-type=module", "--eval", NODE]), token)
}

fn runner() -> Runner {
    let ann = || Value::Map(vec![("name".into(), "ann".into())]);
    let find = HostFunction::sync("users.find", move |_| Ok(ann()))
        .input_schema(serde_json::json!({ "type": "object" }));
    let mail = HostFunction::sync("mail", |call: HostCall| {
        let Value::Map(entries) = call.input() else { return Ok("sent to nobody".to_owned()) };
        Ok(format!("rust sent to {}", entries[0].1.as_str().unwrap_or_default()))
    });
    Runner::builder()
        .host_functions(HostFunctions::new([find, mail.approval()]).unwrap())
        .codec(TokenCodec::sealed(Keys::parse(KEY).unwrap()))
        .audience("post")
        .build()
        .unwrap()
}

async fn gone_on_with(token: String) -> Value {
    let runner = runner();
    let asked = runner.inspect(&token, b"user 7").await.unwrap().interruptions;
    let approved = Resolution::new(asked[0].id.clone(), Answer::Approve);
    let token = intermission::codec::Token::from(token);
    runner
        .resume(ResumeInput::new(token).context(*b"user 7").resolve(approved))
        .await
        .unwrap()
        .into_value()
        .unwrap()
}

#[tokio::test]
async fn a_token_that_python_made_is_gone_on_from_in_rust() {
    let value = gone_on_with(python(None)).await;
    assert_eq!(value[0], Value::Map(vec![("name".into(), "ann".into())]));
    assert_eq!(value[1], Value::from("rust sent to ann"));
}

#[tokio::test]
async fn a_token_that_rust_made_is_gone_on_from_in_python() {
    let runner = runner();
    let RunResult::Interrupted { continuation, .. } = runner.run(SCRIPT).await else { panic!("it asks") };
    let token = runner.encode(&continuation, b"user 7").await.unwrap();
    assert_eq!(python(Some(token.as_str())), "ann, python sent to ann");
}

#[test]
fn a_token_that_node_made_is_gone_on_from_in_python() {
    assert_eq!(python(Some(&node(None))), "ann, python sent to ann");
}

#[test]
fn a_token_that_python_made_is_gone_on_from_in_node() {
    assert_eq!(node(Some(&python(None))), "ann, node sent to ann");
}
