//! How late limits of time are, by the clock: twenty rounds of each script, the worst of each. `cargo xtask check-limits`.
//!
//! A limit must stop its script within a tenth of it or 50 ms, whichever is more, with the right code, whatever the script catches. It is a chore and no test:
//! on a machine that is busy elsewhere it may rightly fail. The tests prove the same scripts with fuel and with a ticker
//! that they fire themselves.
#![expect(clippy::print_stdout, reason = "a chore tells what it measured")]
#![expect(clippy::disallowed_methods, reason = "this measures time")]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use intermission::{HostFunction, HostFunctions, Limits, RunInput, Runner};

const ROUNDS: u32 = 20;
const LIMIT: Duration = Duration::from_millis(200);

struct Case {
    what: &'static str,
    script: &'static str,
    /// The codes with which it may rightly end.
    codes: &'static [&'static str],
}

const CPU: &[&str] = &["LIMIT_CPU"];
const CPU_OR_MEMORY: &[&str] = &["LIMIT_CPU", "LIMIT_MEMORY"];

const CASES: &[Case] = &[
    Case {
        what: "while(true){}",
        script: "try { while (true) {} } catch {} finally { while (true) {} }",
        codes: CPU,
    },
    Case {
        what: "a catastrophic regular expression",
        script: "try { /^(a+)+$/.test('a'.repeat(50) + '!') } catch {}",
        codes: CPU,
    },
    Case {
        what: "'a'.repeat(2**29)",
        script: "try { for (;;) 'a'.repeat(2 ** 29) } catch { for (;;); }",
        codes: CPU_OR_MEMORY,
    },
    Case {
        what: "new Array(1e9).fill(0)",
        script: "try { new Array(1e9).fill(0) } catch { for (;;); }",
        codes: CPU_OR_MEMORY,
    },
    Case {
        what: "recursion that catches its RangeError",
        script: "function f() { try { f() } catch { f() } } for (;;) { try { f() } catch {} }",
        codes: CPU,
    },
    Case {
        what: "microtasks",
        script: "const again = () => Promise.resolve().then(again); await again()",
        codes: CPU,
    },
    Case {
        what: "while(true) await f()",
        script: "while (true) { try { await f() } catch {} }",
        codes: &["LIMIT_CPU", "LIMIT_DEADLINE", "LIMIT_CALLS"],
    },
    Case {
        what: "indexOf over 2**53 holes",
        script: "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)",
        codes: CPU,
    },
    Case {
        what: "a search in long strings",
        script: "const s = 'a'.repeat(2 ** 24); for (;;) s.indexOf('b')",
        codes: CPU,
    },
    Case {
        what: "sorting typed arrays",
        script: "for (;;) new Float64Array(2 ** 20).map((_, i) => -i).sort()",
        codes: CPU,
    },
    Case { what: "big powers", script: "for (;;) 7n ** 300000n", codes: CPU },
    Case {
        what: "normalize",
        script: "const s = '\\u0344'.repeat(2 ** 20); for (;;) s.normalize('NFD')",
        codes: CPU,
    },
    Case {
        what: "JSON.stringify",
        script: "const a = Array(1e5).fill(1); for (;;) JSON.stringify(a)",
        codes: CPU,
    },
    Case { what: "waiting for nothing that comes", script: "await never()", codes: &["LIMIT_DEADLINE"] },
];

fn main() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_time().build().expect("a runtime");
    let allowed = (LIMIT / 10).max(Duration::from_millis(50));
    println!("limit {LIMIT:?}, {ROUNDS} rounds; allowed to be late: {allowed:?}\n");
    let failures = runtime.block_on(async {
        let mut failures = 0;
        for case in CASES {
            let (worst, wrong) = rounds(case).await;
            let fine = worst <= allowed && wrong.is_none();
            failures += u32::from(!fine);
            let code = wrong.map(|code| format!(", ended with {code}")).unwrap_or_default();
            println!(
                "{} {:40} worst {:6.1} ms late{code}",
                if fine { "ok  " } else { "FAIL" },
                case.what,
                worst.as_secs_f64() * 1e3
            );
        }
        failures + u32::from(!long_loop_completes().await)
    });
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The worst lateness, and a code that should not have been.
async fn rounds(case: &Case) -> (Duration, Option<String>) {
    let functions = HostFunctions::new([
        HostFunction::new("f", |_| async { Ok(1.0) }),
        HostFunction::new("never", |_| std::future::pending::<Result<f64, intermission::HostError>>()),
    ]);
    let runner = Runner::builder().host_functions(functions.expect("good names")).build().expect("a runner");
    let limits = Limits { cpu: LIMIT, deadline: LIMIT * 2, calls: 1 << 30, ..Limits::default() };
    let (mut worst, mut wrong) = (Duration::ZERO, None);
    for _ in 0..ROUNDS {
        let began = Instant::now();
        let result = runner.run(RunInput::new(case.script).limits(limits)).await;
        let took = began.elapsed();
        let code = result.error().map_or("no error", intermission::RunError::code).to_owned();
        // A CPU limit is measured in CPU time: the wall may rightly show more on a busy machine.
        let late = match code.as_str() {
            "LIMIT_CPU" => result.report().stats.cpu.saturating_sub(LIMIT),
            _ => took.saturating_sub(LIMIT * 2),
        };
        worst = worst.max(late);
        if !case.codes.contains(&code.as_str()) {
            wrong = Some(code);
        }
    }
    (worst, wrong)
}

/// Ten seconds of loop under a limit of thirty.
async fn long_loop_completes() -> bool {
    let runner = Runner::new().expect("a runner");
    let script = "const until = Date.now() + 10000; let n = 0; while (Date.now() < until) n++; return n > 0";
    let limits =
        Limits { deadline: Duration::from_secs(30), cpu: Duration::from_secs(30), ..Limits::default() };
    let result = runner.run(RunInput::new(script).limits(limits)).await;
    let fine = result.error().is_none();
    println!(
        "{} 10 s of loop under a limit of 30 s: {:?}",
        if fine { "ok  " } else { "FAIL" },
        result.error()
    );
    fine
}
