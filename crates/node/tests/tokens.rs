//! A token that one side made, the other goes on from. The package has to be built: `crates/node/build.sh`.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;
use std::process::Command;

use intermission::codec::{Keys, TokenCodec};
use intermission::{
    Answer, HostCall, HostFunction, HostFunctions, Resolution, ResumeInput, RunResult, Runner, Value,
};

const KEY: &str = "k1:Zm9yIGRvY3VtZW50YXRpb24sIG5ldmVyIGZvciB1c2U";

/// The same script on either side; it has been told something by the time it asks.
const SCRIPT: &str =
    "const user = await users.find({ id: 7n }); const sent = await mail(user); return [user, sent]";

/// The same functions, keys and audience as [`runner`] has.
const NODE: &str = include_str!("tokens.mjs");

/// What Node says, with a token or without.
fn node(token: Option<&str>) -> String {
    let room = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(room.join("dist/index.js").exists(), "build the Node package first: crates/node/build.sh debug");
    let mut command = Command::new("node");
    command.current_dir(room).args(["--input-type=module", "--eval", NODE]);
    command.env("KEY", KEY).env("SCRIPT", SCRIPT).envs(token.map(|token| ("TOKEN", token)));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
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

#[tokio::test]
async fn a_token_that_node_made_is_gone_on_from_in_rust() {
    let (runner, token) = (runner(), node(None));
    let asked = runner.inspect(&token, b"user 7").await.unwrap().interruptions;
    let approved = Resolution::new(asked[0].id.clone(), Answer::Approve);
    let token = intermission::codec::Token::from(token);
    let result = runner.resume(ResumeInput::new(token).context(*b"user 7").resolve(approved)).await.unwrap();
    let value = result.into_value().unwrap();
    assert_eq!(value[1], Value::from("rust sent to ann"));
    assert_eq!(value[0], Value::Map(vec![("name".into(), "ann".into())]));
}

#[tokio::test]
async fn a_token_that_rust_made_is_gone_on_from_in_node() {
    let runner = runner();
    let RunResult::Interrupted { continuation, .. } = runner.run(SCRIPT).await else { panic!("it asks") };
    let token = runner.encode(&continuation, b"user 7").await.unwrap();
    assert_eq!(node(Some(token.as_str())), "ann, node sent to ann");
}
