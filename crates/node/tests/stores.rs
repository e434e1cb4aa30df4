//! A store that one side wrote, the other goes on with. The package has to be built: `crates/node/build.sh`.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use intermission::{Answer, HostCall, HostFunction, HostFunctions, Resolution, RunId, Runner, Value};
use intermission_store::{InboxQuery, RunState, Runs, SqliteStore, Until};

/// The same functions as [`runs`] has. Without a run, it starts one and lets it ask; with one, it answers it.
const NODE: &str = "
    import { answer, approval, openRuns } from 'intermission'
    const { STORE, RUN } = process.env
    const runs = await openRuns({ store: STORE, hostFunctions: { mail: approval((to) => `node sent to ${to.get('name')}`) } })
    if (RUN === undefined) {
      const run = await runs.start(\"const user = await waitFor('user'); return [user, await mail(user)]\", { name: 'shop.js' })
      await runs.emit(run, 'user', new Map([['name', 'ann']]))
      await runs.wait(run, 'asks')
      process.stdout.write(run)
    } else {
      const [{ interruption }] = await runs.inbox()
      await runs.resolve(RUN, { interruptionId: interruption.id, kind: 'approve' }, { by: 'node' })
      const { value } = await runs.wait(RUN)
      process.stdout.write(`${value[0].get('name')}, ${value[1]}`)
    }
    await runs.close()
";

/// What Node says, with a run or without.
fn node(store: &Path, run: Option<RunId>) -> String {
    let room = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(room.join("dist/index.js").exists(), "build the Node package first: crates/node/build.sh debug");
    let mut command = Command::new("node");
    command.current_dir(room).args(["--input-type=module", "--eval", NODE]);
    command.env("STORE", store).envs(run.map(|run| ("RUN", run.to_string())));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

async fn runs(store: &Path) -> Runs {
    let mail = HostFunction::sync("mail", |call: HostCall| {
        let Value::Map(entries) = call.input() else { return Ok("sent to nobody".to_owned()) };
        Ok(format!("rust sent to {}", entries[0].1.as_str().unwrap_or_default()))
    });
    let functions = HostFunctions::new([mail.approval()]).unwrap();
    let runner = Runner::builder().host_functions(functions).build().unwrap();
    Runs::builder(Arc::new(SqliteStore::open(store).unwrap()), runner).build().await.unwrap()
}

fn ann() -> Value {
    Value::Map(vec![("name".into(), "ann".into())])
}

#[tokio::test]
async fn a_run_that_node_began_is_gone_on_with_in_rust() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db");
    let run: RunId = node(&store, None).parse().unwrap();
    let runs = runs(&store).await;
    assert_eq!(runs.get(run).await.unwrap().name, "shop.js");
    let asked = runs.inbox(InboxQuery::default()).await.unwrap().remove(0).interruption;
    runs.resolve(run, Resolution::new(asked.id, Answer::Approve), None).await.unwrap();
    let value = Value::array([ann(), "rust sent to ann".into()]);
    assert_eq!(runs.wait(run, Until::Over).await.unwrap().state, RunState::Completed { value });
}

#[tokio::test]
async fn a_run_that_rust_began_is_gone_on_with_in_node() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db");
    let runs = runs(&store).await;
    let run =
        runs.start("const user = await waitFor('user'); return [user, await mail(user)]").await.unwrap();
    runs.emit(run, "user", ann(), None).await.unwrap();
    runs.wait(run, Until::Asks).await.unwrap();
    drop(runs);
    assert_eq!(node(&store, Some(run)), "ann, node sent to ann");
}
