//! A run that is driven by hand: the steps for drivers in other languages.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::task::{Wake, Waker};
use std::thread::ThreadId;
use std::time::Duration;

use intermission::{
    AbortController, Answer, Execution, HostCall, HostError, HostFunction, HostFunctions, Limits, Progress,
    Resolution, ResumeInput, RunEvent, RunInput, RunResult, Runner, Value,
};

/// Says from which thread it was woken.
struct Bell(Sender<ThreadId>);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        let _ = self.0.send(std::thread::current().id());
    }
}

fn bell() -> (Waker, Receiver<ThreadId>) {
    let (sender, woken) = channel();
    (Arc::new(Bell(sender)).into(), woken)
}

/// Timers alone: nothing is polled there.
fn timers() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap()
}

/// A runner whose slices stay where they begin, however slow this machine is.
fn runner(functions: impl IntoIterator<Item = HostFunction>) -> Runner {
    let functions = HostFunctions::new(functions).unwrap();
    Runner::builder().host_functions(functions).tick(Duration::from_mins(10)).build().unwrap()
}

/// One whose long slices are handed to its workers.
fn handing_over(functions: impl IntoIterator<Item = HostFunction>) -> Runner {
    Runner::builder().host_functions(HostFunctions::new(functions).unwrap()).build().unwrap()
}

/// Goes on until something comes out, waiting for the bell where it has to.
fn until_news(run: &mut Execution, waker: &Waker, woken: &Receiver<ThreadId>) -> Progress {
    loop {
        let progress = run.advance(waker);
        let is_news =
            !progress.calls.is_empty() || !progress.events.is_empty() || !progress.answers.is_empty();
        if is_news || progress.end.is_some() {
            return progress;
        }
        woken.recv_timeout(Duration::from_mins(1)).expect("whoever waits is woken");
    }
}

/// The same, with a bell of its own.
fn news(run: &mut Execution) -> Progress {
    let (waker, woken) = bell();
    until_news(run, &waker, &woken)
}

/// Goes on as long as the run wakes itself: what is left waits for the driver.
fn rest(run: &mut Execution) {
    let (waker, woken) = bell();
    loop {
        let progress = run.advance(&waker);
        assert!(progress.calls.is_empty() && progress.end.is_none());
        if woken.try_recv().is_err() {
            return;
        }
    }
}

fn ended(progress: Progress) -> RunResult {
    progress.end.expect("it has ended").expect("it was not refused")
}

fn indices(calls: &[HostCall]) -> Vec<u32> {
    calls.iter().map(HostCall::request_index).collect()
}

#[test]
fn a_run_that_calls_nobody_ends_with_its_first_step() {
    let timers = timers();
    let _here = timers.enter();
    let mut run = Execution::run(&runner([]), RunInput::new("return input + 1").input(41.0));
    assert!(run.run_id().is_some());
    let first = news(&mut run);
    assert_eq!(ended(first).into_value().unwrap(), Value::from(42.0));
    let nothing_more = run.advance(Waker::noop());
    assert!(nothing_more.end.is_none() && nothing_more.calls.is_empty());
}

#[test]
fn calls_are_settled_in_any_order_and_each_but_once() {
    let timers = timers();
    let _here = timers.enter();
    let source = "const order = [];
        const note = (call) => call.then((value) => order.push(value), (error) => order.push(`${error.name} ${error.code}`));
        await Promise.all(['a', 'b', 'c'].map((name) => note(t.ask(name))));
        return order";
    let mut run = Execution::run(&runner([HostFunction::driven("t.ask")]), source);
    let progress = news(&mut run);
    assert_eq!(indices(&progress.calls), [1, 2, 3]);
    let asked: Vec<_> = progress.calls.iter().map(HostCall::input).collect();
    assert_eq!(asked, ["a", "b", "c"].map(Value::from));
    assert!(run.settle(3, Ok("third".into())));
    rest(&mut run);
    assert!(run.settle(1, Err(HostError::new("no").with_name("TypeError").with_code("NO"))));
    assert!(!run.settle(1, Ok("again".into())), "it has an outcome already");
    assert!(!run.settle(9, Ok("unknown".into())));
    rest(&mut run);
    assert!(run.settle(2, Ok("second".into())));
    let result = ended(news(&mut run));
    assert_eq!(result.into_value().unwrap(), Value::array(["third", "TypeError NO", "second"]));
}

#[test]
fn a_call_that_asks_puts_the_run_away_and_gets_the_answer_when_it_is_gone_on_with() {
    let timers = timers();
    let _here = timers.enter();
    let runner = runner([HostFunction::driven("pay")]);
    let mut run = Execution::run(&runner, "return await pay(10)");
    let progress = news(&mut run);
    let ask = progress.calls[0].interrupt("Pay 10?", Value::from(7.0));
    run.settle(1, Err(ask));
    let RunResult::Interrupted { interruptions, continuation, .. } = ended(news(&mut run)) else {
        panic!("it asks")
    };
    assert_eq!(interruptions[0].payload, Value::from("Pay 10?"));

    let answer = Resolution::new(interruptions[0].id.clone(), Answer::Value("yes".into()));
    let mut run = Execution::resume(&runner, ResumeInput::new(continuation.clone()).resolve(answer));
    assert_eq!(run.run_id(), None, "nothing is read before the first step");
    let progress = news(&mut run);
    assert_eq!(run.run_id(), Some(continuation.run_id()));
    let resume = progress.calls[0].resume().expect("it is told the answer");
    assert_eq!((&resume.resolution, &resume.state), (&"yes".into(), &Some(Value::from(7.0))));
    run.settle(1, Ok("paid".into()));
    assert_eq!(ended(news(&mut run)).into_value().unwrap(), Value::from("paid"));
}

#[test]
fn a_resume_that_is_refused_ends_with_why() {
    let timers = timers();
    let _here = timers.enter();
    let runner = runner([]);
    let continuation = {
        let mut run = Execution::run(&runner, "return 1");
        ended(news(&mut run)).continuation().unwrap().clone()
    };
    let id = "int_aaaaaaaaaaaaaaaaaaaaaaaaaa".parse().unwrap();
    let answer = Resolution::new(id, Answer::Approve);
    let mut run = Execution::resume(&runner, ResumeInput::new(continuation).resolve(answer));
    let refused = news(&mut run).end.unwrap().unwrap_err();
    assert_eq!(refused.code(), "RUN_OVER");
}

#[test]
fn a_short_slice_stays_on_this_thread_and_a_long_one_is_finished_on_another_which_wakes() {
    const SOURCE: &str = "let n = 0; while (n < 3_000_000) n++; return n";
    let timers = timers();
    let _here = timers.enter();
    let (waker, woken) = bell();
    let mut short = Execution::run(&runner([]), SOURCE);
    let result = ended(until_news(&mut short, &waker, &woken));
    assert_eq!(result.into_value().unwrap(), Value::from(3_000_000.0));
    let here = std::thread::current().id();
    assert!(woken.try_iter().all(|thread| thread == here), "no other thread had a part in it");

    let mut long = Execution::run(&handing_over([]), SOURCE);
    assert!(long.advance(&waker).end.is_none(), "this thread is given back before it is done");
    assert_ne!(woken.recv_timeout(Duration::from_mins(1)).unwrap(), here);
    let result = ended(until_news(&mut long, &waker, &woken));
    assert_eq!(result.into_value().unwrap(), Value::from(3_000_000.0));
}

#[test]
fn calls_go_on_while_a_worker_computes() {
    let timers = timers();
    let _here = timers.enter();
    let (waker, woken) = bell();
    let source =
        "const asked = ask(1); let n = 0; while (n < 3_000_000) n++; return [await asked, await ask(n)]";
    let mut run = Execution::run(&handing_over([HostFunction::driven("ask")]), source);
    let first = until_news(&mut run, &waker, &woken);
    assert_eq!(indices(&first.calls), [1]);
    run.settle(1, Ok("one".into()));
    let second = until_news(&mut run, &waker, &woken);
    assert_eq!(second.calls[0].input(), Value::from(3_000_000.0));
    run.settle(2, Ok("two".into()));
    let result = ended(until_news(&mut run, &waker, &woken));
    assert_eq!(result.into_value().unwrap(), Value::array(["one", "two"]));
}

#[test]
fn a_timer_of_the_script_wakes() {
    let timers = timers();
    let _here = timers.enter();
    let (waker, woken) = bell();
    let mut run = Execution::run(&runner([]), "await sleep(5); return 'later'");
    let result = ended(until_news(&mut run, &waker, &woken));
    assert_eq!(result.into_value().unwrap(), Value::from("later"));
}

#[test]
fn an_abort_wakes_and_ends_the_invocation_and_the_calls_are_told() {
    let timers = timers();
    let _here = timers.enter();
    let (waker, woken) = bell();
    let controller = AbortController::new();
    let input = RunInput::new("return await ask()").abort(controller.signal());
    let mut run = Execution::run(&runner([HostFunction::driven("ask")]), input);
    let call = until_news(&mut run, &waker, &woken).calls.remove(0);
    assert!(!call.abort_signal().is_aborted());
    controller.abort();
    assert_eq!(woken.try_recv(), Ok(std::thread::current().id()));
    let result = ended(until_news(&mut run, &waker, &woken));
    assert_eq!(result.error().unwrap().code(), "ABORTED");
    assert!(call.abort_signal().is_aborted());
    assert!(!run.settle(1, Ok("too late".into())));
}

#[test]
fn a_run_that_is_cancelled_is_over_for_good() {
    let timers = timers();
    let _here = timers.enter();
    let functions = HostFunctions::new([HostFunction::driven("ask")]).unwrap();
    let runner = Runner::builder().host_functions(functions).drain(Duration::ZERO).build().unwrap();
    let mut run = Execution::run(&runner, "return await ask()");
    assert_eq!(news(&mut run).calls.len(), 1);
    run.cancel();
    let RunResult::Cancelled { continuation, .. } = ended(news(&mut run)) else { panic!() };
    let mut again = Execution::resume(&runner, ResumeInput::new(continuation));
    assert_eq!(news(&mut again).end.unwrap().unwrap_err().code(), "RUN_OVER");
}

#[test]
fn dropping_a_run_in_its_middle_tells_its_calls_and_gives_its_place_back() {
    let timers = timers();
    let _here = timers.enter();
    let one = std::num::NonZeroU32::MIN;
    let functions = HostFunctions::new([HostFunction::driven("ask")]).unwrap();
    let runner = Runner::builder().host_functions(functions).max_runs(one).lanes(one).build().unwrap();
    let mut run = Execution::run(&runner, "return await ask()");
    let call = news(&mut run).calls.remove(0);
    let (waker, woken) = bell();
    let mut queued = Execution::run(&runner, "return 2");
    assert!(queued.advance(&waker).end.is_none(), "the only place is taken");
    drop(run);
    assert!(call.abort_signal().is_aborted());
    let result = ended(until_news(&mut queued, &waker, &woken));
    assert_eq!(result.into_value().unwrap(), Value::from(2.0));
}

#[test]
fn a_run_that_is_dropped_while_a_worker_computes_is_stopped() {
    let timers = timers();
    let _here = timers.enter();
    let (waker, _woken) = bell();
    let limits =
        Limits { cpu: Duration::from_mins(10), deadline: Duration::from_mins(10), ..Limits::default() };
    let one = std::num::NonZeroU32::MIN;
    let runner = Runner::builder().max_runs(one).lanes(one).build().unwrap();
    let mut run = Execution::run(&runner, RunInput::new("for (;;) {}").limits(limits));
    assert!(run.advance(&waker).end.is_none());
    drop(run);
    let (waker, woken) = bell();
    let mut next = Execution::run(&runner, "return 'the place is free'");
    let result = ended(until_news(&mut next, &waker, &woken));
    assert_eq!(result.into_value().unwrap(), Value::from("the place is free"));
}

#[test]
fn a_blocking_function_answers_in_the_middle_of_a_slice() {
    let timers = timers();
    let _here = timers.enter();
    let runner = runner([HostFunction::driven("now").blocking()]);
    let mut run = Execution::run(&runner, "return [now(), typeof now()]");
    for (index, answer) in [(1, 5.0), (2, 6.0)] {
        let progress = news(&mut run);
        assert_eq!(indices(&progress.calls), [index]);
        assert!(run.settle(index, Ok(answer.into())));
    }
    let result = ended(news(&mut run));
    assert_eq!(result.into_value().unwrap(), Value::array([Value::from(5.0), Value::from("number")]));
}

#[test]
fn a_question_is_announced_and_answered_while_the_run_goes_on() {
    let timers = timers();
    let _here = timers.enter();
    let runner = runner([HostFunction::driven("mail").approval(), HostFunction::driven("slow")]);
    let mut run = Execution::run(&runner, "return await Promise.all([mail('hello'), slow()])");
    let progress = news(&mut run);
    assert_eq!(indices(&progress.calls), [2], "the other waits for an approval");
    let [RunEvent::Interrupted(asked)] = progress.events.as_slice() else { panic!("it asks") };
    run.resolve(1, Resolution::new(asked.id.clone(), Answer::Approve));
    run.resolve(2, Resolution::new(asked.id.clone(), Answer::Approve));
    let progress = news(&mut run);
    let codes: Vec<_> = progress
        .answers
        .iter()
        .map(|(number, answer)| (*number, answer.as_ref().err().map(intermission::ResumeError::code)))
        .collect();
    assert_eq!(codes, [(1, None), (2, Some("RESOLUTION_STALE"))]);
    assert_eq!(indices(&progress.calls), [1]);
    run.settle(1, Ok("sent".into()));
    run.settle(2, Ok("done".into()));
    let progress = news(&mut run);
    assert_eq!(ended(progress).into_value().unwrap(), Value::array(["sent", "done"]));
    run.resolve(3, Resolution::new(asked.id.clone(), Answer::Approve));
    let (number, late) = run.advance(Waker::noop()).answers.remove(0);
    assert_eq!((number, late.unwrap_err().code()), (3, "RUN_NOT_UNDER_WAY"));
}

#[test]
fn functions_of_the_host_and_of_the_driver_live_side_by_side() {
    let timers = timers();
    let _here = timers.enter();
    let called = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&called);
    let own = HostFunction::sync("own", move |_| Ok(count.fetch_add(1, Ordering::SeqCst) as f64));
    let mut run =
        Execution::run(&runner([own, HostFunction::driven("ask")]), "return [await own(), await ask()]");
    let progress = news(&mut run);
    assert_eq!((indices(&progress.calls), called.load(Ordering::SeqCst)), (vec![2], 1));
    run.settle(2, Ok(true.into()));
    let result = ended(news(&mut run));
    assert_eq!(result.into_value().unwrap(), Value::array([Value::from(0.0), Value::from(true)]));
}

#[tokio::test]
async fn a_driven_function_is_a_rejection_where_nobody_drives() {
    let runner = runner([HostFunction::driven("ask")]);
    let error = runner.run("return await ask()").await.into_value().unwrap_err();
    let intermission::RunError::Script(thrown) = error else { panic!("it is the script's error") };
    assert_eq!(thrown.code(), Some("NO_DRIVER"));
}
