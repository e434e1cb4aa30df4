//! Runs of the store: begun, found again, gone on with, ended.

use insta::assert_snapshot;

use crate::folder::Folder;
use crate::names::anonymous;
use crate::steady::steady;

pub(crate) const CONFIG: &str = r#"
[functions."mail.send"]
approval = true
command = ["sh", "-c", "tee -a sent.log"]

[functions."clerk.ask"]
command = ["sh", "-c", '''
if [ -z "$INTERMISSION_RESUME" ]; then echo '{"payload": "Which?"}'; exit 75; fi
echo "$INTERMISSION_RESUME" | sed 's/.*"resolution":\([^,]*\),.*/\1/'
''']

[functions."shop.pay"]
command = ["sh", "-c", "cat; test -e open"]
"#;

pub(crate) const LETTER: &str = "console.log('before');\nconst sent = await mail.send({ to: 'ada' });\nconsole.log('after');\nreturn sent";

pub(crate) fn folder(script: &str) -> Folder {
    Folder::with(&[("intermission.toml", CONFIG), ("a.ts", script)])
}

impl Folder {
    /// What the runs of the store ask.
    pub(crate) fn inbox(&self) -> Vec<String> {
        let output = self.command(&["inbox", "--json", "--events"]).output().unwrap();
        let asked: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let id = |asked: &serde_json::Value| asked["id"].as_str().unwrap().to_owned();
        asked.as_array().unwrap().iter().map(id).collect()
    }

    /// The states of the runs, the newest first.
    pub(crate) fn states(&self) -> Vec<String> {
        let output = self.command(&["runs", "--json"]).output().unwrap();
        let runs: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let state = |run: &serde_json::Value| run["state"].as_str().unwrap().to_owned();
        runs.as_array().unwrap().iter().map(state).collect()
    }

    /// The id of the newest run.
    pub(crate) fn newest(&self) -> String {
        let output = self.command(&["runs", "--json", "--limit", "1"]).output().unwrap();
        let runs: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        runs[0]["run_id"].as_str().unwrap().to_owned()
    }

    /// What `mail.send` was called with.
    pub(crate) fn sent(&self) -> String {
        std::fs::read_to_string(self.path("sent.log")).unwrap_or_default()
    }
}

#[test]
fn a_run_that_is_not_cancelled_for_want_of_a_function_says_so_and_can_be_gone_on_with() {
    let folder = folder(LETTER);
    folder.run(&["run", "a.ts"]);
    folder.write("intermission.toml", b"");
    assert_snapshot!(anonymous(&folder.run(&["cancel", "latest"])), @r#"
    exit 2
    --- stderr
    error[RUN_NOT_CANCELLED]: [run 1] is failed, and not cancelled: FUNCTION_MISSING: a call of `mail.send` is still open, and the function is not lent any more: lend it again, then resume
     |
     = help: where it needs its configuration for that, give it with `--config`; it can still be gone on with
    "#);
    folder.write("intermission.toml", CONFIG.as_bytes());
    assert_snapshot!(anonymous(&folder.run(&["cancel", "latest"])), @r#"
    exit 0
    --- stdout
    [run 1]: cancelled
    "#);
}

#[test]
fn a_question_is_answered_in_another_process_and_nothing_happens_twice() {
    let folder = folder(LETTER);
    assert_snapshot!(anonymous(&folder.run(&["run", "a.ts"])), @r#"
    exit 75
    --- stdout
    {
      "run_id": "[run 1]",
      "interruptions": [
        {
          "id": "[int 1]",
          "kind": "approval",
          "host_function": "mail.send",
          "request_index": 1,
          "arguments": [
            {
              "to": "ada"
            }
          ],
          "digest": "[digest 1]",
          "payload": {
            "kind": "approval"
          },
          "position": {
            "file": "a.ts",
            "line": 2,
            "column": 25
          },
          "created": [n],
          "expires_at": null,
          "default": null
        }
      ],
      "wake_at": null,
      "continuation": null
    }
    --- stderr
    before
    put away: mail.send asks. Go on with `intermission resume [run 1] --approve [int 1]`
    "#);
    let id = folder.inbox().remove(0);
    assert_snapshot!(folder.run(&["resume", "latest", "--approve", &id]), @r#"
    exit 0
    --- stdout
    {
      "to": "ada"
    }
    --- stderr
    after
    "#);
    assert_eq!(folder.sent(), r#"{"to":"ada"}"#);
    assert_snapshot!(folder.run(&["resume", "latest", "--approve", &id]), @r#"
    exit 0
    --- stdout
    {
      "to": "ada"
    }
    "#);
    assert_snapshot!(anonymous(&folder.run(&["resume", "latest", "--deny", &id])), @r#"
    exit 2
    --- stderr
    error[RESOLUTION_CONFLICT]: another answer was first: [int 1]: approved
     |
     = help: the first answer is the answer for ever; `intermission show` tells what came of it
    "#);
    assert_eq!(folder.sent(), r#"{"to":"ada"}"#);
}

#[test]
fn an_answer_that_does_not_fit_changes_nothing() {
    let folder = folder("return [await mail.send(1), await mail.send(2)]");
    folder.run(&["run", "a.ts"]);
    let id = folder.inbox().remove(0);
    assert_snapshot!(anonymous(&folder.run(&["resume", "latest", &format!("--answer={id}=1")])), @r#"
    exit 2
    --- stderr
    error[RESOLUTION_INVALID]: the interruption [int 1] cannot be answered so: it is an approval: approve it, approve it with other arguments, or deny it
     |
     = help: it takes `--approve ID`, `--edit ID=JSON` or `--deny ID`
    "#);
    assert_snapshot!(anonymous(&folder.run(&["resume", "latest", "--approve", "int_aaaaaaaaaaaaaaaaaaaaaaaaaa"])), @r#"
    exit 2
    --- stderr
    error[RESOLUTION_UNKNOWN]: the run does not ask `[int 1]`
     |
     = help: there are: `[int 2]`
    "#);
    assert_eq!(folder.inbox(), [id]);
    assert_eq!(folder.sent(), "");
}

#[test]
fn of_several_answers_none_is_kept_where_one_is_refused() {
    let folder = folder("return await Promise.all([mail.send(1), clerk.ask(2)])");
    folder.run(&["run", "a.ts"]);
    let ids = folder.inbox();
    let [letter, question] = ids.as_slice() else { panic!("{ids:?}") };
    let answer = format!("--answer={question}=1");
    assert_snapshot!(anonymous(&folder.run(&["resume", "latest", "--approve", letter, "--approve", question])), @r#"
    exit 2
    --- stderr
    error[RESOLUTION_INVALID]: the interruption [int 1] cannot be answered so: a host function asks: answer with a value
     |
     = help: it takes `--answer ID=JSON`
    "#);
    assert_snapshot!(anonymous(&folder.run(&["resume", "latest", "--approve", letter, "--deny", letter, &answer])), @r#"
    exit 2
    --- stderr
    error[RESOLUTION_DUPLICATE]: the interruption [int 1] is answered twice: give one answer
    "#);
    assert_eq!(folder.inbox(), ids);
    folder.run(&["inbox", "--by", "ada", "--deny", letter]);
    let told = anonymous(&folder.run(&["resume", "latest", &answer, "--approve", letter]));
    assert!(
        told.contains("error[RESOLUTION_CONFLICT]: another answer was first: [int 1]: denied (by ada)"),
        "{told}"
    );
    assert_eq!(folder.inbox(), [question.as_str()]);
    assert_eq!(folder.sent(), "");
}

#[test]
fn an_id_that_is_hardly_one_answers_nothing() {
    let folder = folder(LETTER);
    folder.run(&["run", "a.ts"]);
    let id = folder.inbox().remove(0);
    for short in ["in", "int_", &id[..9]] {
        let told = anonymous(&folder.run(&["resume", "latest", "--approve", short]));
        let why = format!(
            "error[RESOLUTION_AMBIGUOUS]: `{short}` is hardly an id: at least 6 characters behind `int_` say which question is meant"
        );
        assert_eq!(told, format!("exit 2\n--- stderr\n{why}\n |\n = help: there are: `[int 1]`\n"));
    }
    assert_eq!(folder.sent(), "");
    assert!(folder.run(&["resume", "latest", "--approve", &id[..10]]).starts_with("exit 0\n"));
}

#[test]
fn the_value_of_a_run_is_told_under_limits_that_it_would_not_have_come_to_it_with() {
    let folder =
        folder("const all = []; for (let n = 0; n < 200000; n++) all.push({ n }); return all.length");
    assert_eq!(folder.run(&["run", "a.ts"]), "exit 0\n--- stdout\n200000\n");
    assert_eq!(folder.run(&["resume", "latest", "--memory", "4MiB"]), "exit 0\n--- stdout\n200000\n");
}

#[test]
fn a_limit_below_what_was_used_is_refused() {
    let folder = folder("await clerk.ask(1); await clerk.ask(2)");
    folder.run(&["run", "a.ts"]);
    folder.run(&["resume", "latest", &format!("--answer={}=1", folder.inbox().remove(0))]);
    let answer = format!("--answer={}=1", folder.inbox().remove(0));
    let told = folder.run(&["resume", "latest", "--limit", "calls=1", &answer]);
    assert!(told.starts_with("exit 2\n") && told.contains("error[LIMIT_TOO_LOW]"), "{told}");
    assert!(folder.run(&["resume", "latest"]).starts_with("exit 0\n"));
}

#[test]
fn a_key_that_looks_like_an_option_is_emitted_as_a_key() {
    let folder = folder("return await waitFor('--by=root')");
    let told = anonymous(&folder.run(&["run", "a.ts", "--store", "a.db"]));
    assert!(told.contains("`intermission emit [run 1] --store a.db -- --by=root JSON` emits it"), "{told}");
    folder.run(&["emit", "latest", "--store", "a.db", "--", "--by=root", "7"]);
    assert_eq!(folder.run(&["resume", "latest", "--store", "a.db"]), "exit 0\n--- stdout\n7\n");
}

#[test]
fn an_answer_is_taken_by_a_run_that_a_limit_has_stopped() {
    let script =
        "const sent = mail.send(1); await clerk.ask(2); for (let n = 0; n < 100000; n++); return await sent";
    let folder = folder(script);
    folder.run(&["run", "a.ts"]);
    let ids = folder.inbox();
    let told = folder.run(&["resume", "latest", &format!("--answer={}=2", ids[1]), "--fuel", "5000"]);
    assert!(told.starts_with("exit 4\n"), "{told}");
    assert_eq!(folder.run(&["resume", "latest", "--approve", &ids[0]]), "exit 0\n--- stdout\n1\n");
    assert_eq!(folder.sent(), "1");
}

#[test]
fn a_failed_call_is_made_again() {
    let folder = folder("return await shop.pay(5)");
    assert_snapshot!(anonymous(&folder.run(&["run", "a.ts"])), @r#"
    exit 1
    --- stderr
    error[SCRIPT_ERROR]: Error: shop.pay: it failed (exit status: 1)
     --> a.ts:1:19
      |
    1 | return await shop.pay(5)
      |                   ^^^
    kept: what happened is in [run 1]; `intermission resume [run 1] --retry` makes the failed call again
    "#);
    assert_eq!(folder.states(), ["failed"]);
    folder.write("open", b"");
    assert_snapshot!(folder.run(&["resume", "latest", "--retry"]), @r#"
    exit 0
    --- stdout
    5
    "#);
    assert_snapshot!(folder.run(&["resume", "latest", "--retry"]), @r#"
    exit 2
    --- stderr
    error[NOT_RETRYABLE]: the run cannot be retried: it would be a retry where no host call's rejection ended the run
     |
     = help: a run is tried again that a host call's rejection has ended
    "#);
    assert_eq!(folder.states(), ["completed"]);
}

#[test]
fn a_run_that_a_limit_has_stopped_goes_on_with_more() {
    let folder = folder("let n = 0; for (; n < 100000; n++); return n");
    let told = folder.run(&["run", "a.ts", "--fuel", "1000"]);
    assert!(told.starts_with("exit 4\n"), "{told}");
    // Whoever only waits changes nothing.
    let told = folder.run(&["wait", "latest"]);
    assert!(told.starts_with("exit 4\n"), "{told}");
    assert_eq!(folder.states(), ["failed"]);
    assert_eq!(folder.run(&["resume", "latest"]), "exit 0\n--- stdout\n100000\n");
}

#[test]
fn an_event_ends_a_wait_and_the_first_of_its_key_stays() {
    let folder = folder("const paid = await waitFor('order 7'); return paid.by");
    let told = anonymous(&folder.run(&["run", "a.ts"]));
    assert_snapshot!(told.split_once("--- stderr\n").unwrap().1, @r#"
    put away: the run waits for the event order 7. `intermission emit [run 1] 'order 7' JSON` emits it; go on with `intermission resume [run 1]`
    "#);
    assert_snapshot!(steady(&folder.run(&["runs"])), @r#"
    exit 0
    --- stdout
    RUN  STATE  AGE  SCRIPT
    [run 1]  waiting  [length]  a.ts  for the event order 7
    "#);
    assert_snapshot!(anonymous(&folder.run(&["emit", "latest", "order 7", r#"{"by": "card"}"#])), @r#"
    exit 0
    --- stderr
    kept; go on with `intermission resume [run 1]`, and the options that it was run with
    "#);
    assert_snapshot!(folder.run(&["emit", "latest", "order 7", r#"{"by": "card"}"#]), @r#"
    exit 0
    --- stderr
    it was emitted before
    "#);
    assert_snapshot!(folder.run(&["emit", "latest", "order 7", r#"{"by": "cash"}"#]), @r#"
    exit 2
    --- stderr
    error[EVENT_CONFLICT]: another event `order 7` was first: {by: "card"}
     |
     = help: the first event of a key is its event for ever
    "#);
    assert_eq!(folder.run(&["resume", "latest"]), "exit 0\n--- stdout\n\"card\"\n");
    assert_snapshot!(folder.run(&["emit", "latest", "other", "1"]), @r#"
    exit 2
    --- stderr
    error[RUN_OVER]: the run is over: nothing is asked any more
     |
     = help: `intermission inspect` shows what came of it
    "#);
}

#[test]
fn a_cancelled_run_is_over_for_good_and_can_be_deleted() {
    let folder = folder(LETTER);
    folder.run(&["run", "a.ts"]);
    let id = folder.inbox().remove(0);
    assert_snapshot!(anonymous(&folder.run(&["delete", "latest"])), @r#"
    exit 2
    --- stderr
    error[RUN_NOT_OVER]: the run [run 1] is not over: cancel it, then delete it
     |
     = help: `intermission cancel` ends it for good
    "#);
    assert_snapshot!(anonymous(&folder.run(&["cancel", "latest"])), @r#"
    exit 0
    --- stdout
    [run 1]: cancelled
    "#);
    assert_eq!(folder.states(), ["cancelled"]);
    assert_snapshot!(anonymous(&folder.run(&["wait", "latest"])), @r#"
    exit 1
    --- stderr
    error[RUN_CANCELLED]: the run was cancelled, for good
    "#);
    let report: serde_json::Value =
        serde_json::from_slice(&folder.command(&["wait", "latest", "--report"]).output().unwrap().stdout)
            .unwrap();
    assert_eq!(report["error"]["code"], "RUN_CANCELLED");
    assert!(folder.inbox().is_empty());
    assert_snapshot!(anonymous(&folder.run(&["resume", "latest", "--approve", &id])), @r#"
    exit 2
    --- stderr
    error[RUN_OVER]: the run is over: nothing is asked any more
     |
     = help: `intermission inspect` shows what came of it
    "#);
    assert_snapshot!(anonymous(&folder.run(&["cancel", "latest"])), @r#"
    exit 2
    --- stderr
    error[RUN_OVER]: the run is over: nothing is asked any more
     |
     = help: `intermission inspect` shows what came of it
    "#);
    assert_snapshot!(anonymous(&folder.run(&["delete", "latest"])), @r#"
    exit 0
    --- stdout
    [run 1]: deleted
    "#);
    assert!(folder.states().is_empty());
    assert_eq!(folder.sent(), "");
}

#[test]
fn runs_that_have_been_over_for_long_are_deleted_and_others_stay() {
    let folder = folder("return 1");
    folder.run(&["run", "a.ts"]);
    folder.write("a.ts", LETTER.as_bytes());
    folder.run(&["run", "a.ts"]);
    assert_eq!(folder.run(&["delete", "--over-for", "1d"]), "exit 0\n--- stdout\n0 deleted\n");
    assert_eq!(folder.run(&["delete", "--over-for", "0s"]), "exit 0\n--- stdout\n1 deleted\n");
    assert_eq!(folder.states(), ["waiting"]);
}

#[test]
fn a_run_of_the_store_is_replayed_inspected_and_forked() {
    let folder = folder(LETTER);
    folder.run(&["run", "a.ts"]);
    folder.run(&["resume", "latest", "--approve", &folder.inbox().remove(0)]);
    assert_snapshot!(anonymous(&folder.run(&["replay", "latest"])), @r#"
    exit 0
    --- stdout
    [run 1]: the script does what the [n] entries of its ledger say, and nothing was invoked
      state: completed
    --- stderr
    before
    after
    "#);
    folder.write("b.ts", b"return await mail.send({ to: 'grace' })");
    let told = folder.run(&["replay", "latest", "--source", "b.ts"]);
    assert!(told.starts_with("exit 6\n--- stderr\nerror[DIVERGED]"), "{told}");
    let told = anonymous(&folder.run(&["inspect", "latest"]));
    assert!(told.starts_with("exit 0\n--- stdout\n[run 1]: completed\n"), "{told}");
    assert_snapshot!(anonymous(&folder.run(&["fork", "latest", "--at", "1"])), @r#"
    exit 0
    --- stdout
    [run 1], from [run 2] at entry [n]
    "#);
    assert_eq!(folder.states(), ["ready", "completed"]);
    folder.run(&["resume", "latest"]);
    assert_eq!(folder.inbox().len(), 1);
    assert_eq!(folder.sent(), r#"{"to":"ada"}"#);
}

#[test]
fn a_fork_tells_what_had_been_with_another_outcome() {
    let folder =
        folder("const n = await clerk.ask('how many?'); const m = n * 2; return [n, m, await clerk.ask(m)]");
    folder.run(&["run", "a.ts"]);
    folder.run(&["resume", "latest", &format!("--answer={}=7", folder.inbox().remove(0))]);
    let run = folder.newest();
    assert_snapshot!(anonymous(&folder.run(&["fork", &run, "--with", "1=100"])), @r#"
    exit 0
    --- stdout
    [run 1], from [run 2] at entry [n]
    "#);
    folder.run(&["resume", "latest"]);
    let asked = folder.run(&["inbox", "--run", "latest", "--json"]);
    assert!(asked.contains("200"), "{asked}");
    assert!(folder.run(&["show", "latest"]).contains(&format!("forked from: {run}")));
    let all = folder.command(&["inspect", &run, "--json"]).output().unwrap();
    let all: serde_json::Value = serde_json::from_slice(&all.stdout).unwrap();
    assert_snapshot!(anonymous(&folder.run(&["fork", &run, "--with", "1=100", "--at", &all["length"].to_string()])), @r#"
    exit 2
    --- stderr
    error[FORK_REFUSED]: with that the script does something else: the script does not do what it did before, at entry [n] of the ledger: recorded is call 2, clerk.ask(14), now it is call 2, clerk.ask(200); the first difference is at args[0] (the script computes other arguments than before: was it, or what it imports, changed?)
     |
     = help: `intermission inspect --entries` numbers the entries
    "#);
    assert_snapshot!(folder.run(&["fork", &run, "--with", "2=100"]), @r#"
    exit 2
    --- stderr
    error[FORK_REFUSED]: the call 2 has no outcome
     |
     = help: `intermission inspect --entries` numbers the entries
    "#);
    assert_snapshot!(folder.run(&["fork", &run, "--with", "two=100"]), @r#"
    exit 2
    --- stderr
    error: invalid value 'two=100' for '--with <CALL=JSON>': expected the number of a call, `=` and JSON, for example `3={"total": 5}`

    For more information, try '--help'.
    "#);
}

#[test]
fn somebody_who_waits_sees_the_run_to_its_end() {
    let folder = folder(LETTER);
    folder.run(&["run", "a.ts"]);
    assert_snapshot!(anonymous(&folder.run(&["wait", "latest", "--asks"])).lines().take(3).collect::<Vec<_>>().join("\n"), @r#"
    exit 75
    --- stdout
    {
    "#);
    let waiting = folder.command(&["wait", "latest"]).spawn().unwrap();
    folder.run(&["inbox", "--approve", &folder.inbox().remove(0)]);
    let told = folder.told(&waiting.wait_with_output().unwrap());
    assert_snapshot!(told, @r#"
    exit 0
    --- stdout
    {
      "to": "ada"
    }
    --- stderr
    after
    "#);
}

#[test]
fn a_run_that_waits_for_a_time_goes_on_where_somebody_waits_for_it() {
    let folder = folder("await new Promise((done) => setTimeout(done, 2000)); return 'awake'");
    let told = anonymous(&folder.run(&["run", "a.ts", "--deadline", "1s"]));
    assert_snapshot!(told.split_once("--- stderr\n").unwrap().1, @r#"
    put away: the run waits until [time] Go on with `intermission wait [run 1] --limit deadline=1000ms`
    "#);
    assert_eq!(folder.states(), ["waiting"]);
    assert_eq!(folder.run(&["wait", "latest"]), "exit 0\n--- stdout\n\"awake\"\n");
}

#[test]
fn a_function_that_is_not_lent_any_more_loses_no_answer() {
    let folder = folder(LETTER);
    folder.run(&["run", "a.ts"]);
    folder.write("intermission.toml", b"");
    assert_snapshot!(anonymous(&folder.run(&["resume", "latest", "--approve", &folder.inbox().remove(0)])), @r#"
    exit 2
    --- stderr
    error[FUNCTION_MISSING]: a call of `mail.send` is still open, and the function is not lent any more: lend it again, then resume
    kept: what happened is in [run 1]; go on with `intermission resume [run 1]`
    "#);
    assert_eq!(folder.states(), ["failed"]);
    folder.write("intermission.toml", CONFIG.as_bytes());
    assert_snapshot!(anonymous(&folder.run(&["resume", "latest"])), @r#"
    exit 0
    --- stdout
    {
      "to": "ada"
    }
    --- stderr
    after
    "#);
    assert_eq!(folder.sent(), r#"{"to":"ada"}"#);
}

#[test]
fn runs_are_chosen_by_their_states() {
    let folder = folder("return 1");
    folder.run(&["run", "a.ts"]);
    folder.write("a.ts", LETTER.as_bytes());
    folder.run(&["run", "a.ts"]);
    let told = steady(&folder.run(&["runs", "--state", "waiting", "--state", "failed"]));
    assert_eq!(told.lines().filter(|line| line.starts_with("[run ")).count(), 1, "{told}");
    assert_snapshot!(folder.run(&["runs", "--state", "asleep"]), @r#"
    exit 2
    --- stderr
    error: invalid value 'asleep' for '--state <STATE>': there are: ready, running, waiting, completed, failed, cancelled

    For more information, try '--help'.
    "#);
    assert_snapshot!(steady(&folder.run(&["runs", "--limit", "1"])), @r#"
    exit 0
    --- stdout
    RUN  STATE  AGE  SCRIPT
    [run 1]  waiting  [length]  a.ts  mail.send asks
    --- stderr
    the newest 1; `--limit` shows more
    "#);
    assert_snapshot!(folder.run(&["runs", "--state", "cancelled"]), @r#"
    exit 0
    --- stderr
    no runs
    "#);
}

#[test]
fn a_report_of_a_run_of_the_store_says_all_that_there_is() {
    let folder = folder(LETTER);
    folder.run(&["run", "a.ts"]);
    let output = folder
        .command(&["resume", "latest", "--report", "--approve", &folder.inbox().remove(0)])
        .output()
        .unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let console: Vec<_> = report["console"].as_array().unwrap().iter().map(|said| &said["text"]).collect();
    assert_eq!(console, ["before", "after"]);
    assert_eq!((&report["completed"], &report["value"]["to"]), (&true.into(), &"ada".into()));
    assert_eq!((&report["continuation"], &report["stats"]["calls"]), (&serde_json::Value::Null, &1.into()));
}
