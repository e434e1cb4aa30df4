//! Scripts that attack: none traps, sees what is not its own, escapes a limit or runs another way the second time.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{Ran, drive, engine, run, run_with, start, started};
use intermission_engine::{
    Event, Exhausted, FunctionTable, Limit, Outcome, Question, Request, SandboxLimits, SourceKind, Start,
    Step, Stop,
};
use intermission_value::{Value, encode};

/// What came of a script, in one line.
fn outcome(ran: &Ran) -> String {
    match &ran.end {
        Ok(end) if end.result.is_ok() => format!("{:?}", ran.value()),
        Ok(end) => match &end.result.as_ref().unwrap_err().value {
            Some(value) => format!("threw {value:?}"),
            None => format!("threw {}", ran.thrown()),
        },
        Err(stop) => format!("stopped: {}", limit(stop)),
    }
}

fn limit(stop: &Stop) -> &'static str {
    match stop {
        Stop::Exhausted(Exhausted { limit, .. }) => limit.code(),
        _ => "it trapped",
    }
}

/// Runs each script twice: each time to the expected end, with the same fuel, memory, calls and console.
fn each_ends_as_expected(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let (first, second) = (run(text), run(text));
        assert_eq!(outcome(&first), *expected, "{text}");
        assert_eq!(outcome(&second), *expected, "the second time: {text}");
        let used = |ran: &Ran| (ran.usage.fuel, ran.usage.memory, ran.calls.clone(), ran.console.clone());
        assert_eq!(used(&first), used(&second), "{text}");
    }
}

#[test]
fn what_ends_the_wrapper_early_gains_nothing() {
    each_ends_as_expected(&[
        ("}); globalThis.x = 1; (async()=>{ return typeof native + typeof kit", r#""undefinedundefined""#),
        ("}), 42, (async()=>{}), ({", "threw TypeError: not a function"),
        ("}); await 1; (async()=>{", "threw SyntaxError: expecting ';'"),
        ("}) /*", "threw SyntaxError: unexpected end of comment"),
        ("return 1 //", "1"),
        ("super.x", "threw SyntaxError: 'super' is only valid in a method"),
    ]);
}

#[test]
fn sloppy_code_reaches_no_caller() {
    each_ends_as_expected(&[
        (
            "return [typeof this, this === globalThis, (function () { return this === globalThis })()]",
            r#"["object", true, true]"#,
        ),
        (
            "with ({ x: 1 }) { var y = x } l: { break l } undeclared = 2; return [y, globalThis.undeclared]",
            "[1, 2]",
        ),
        (
            "const seen = []; const target = new EventTarget(); \
             target.addEventListener('x', function f() { seen.push(f.caller, arguments.callee.caller) }); \
             target.dispatchEvent(new Event('x')); setTimeout(function g() { seen.push(g.caller, this === globalThis) }); await sleep(1); return seen",
            "[undefined, undefined, undefined, true]",
        ),
    ]);
}

/// From everything that a script can reach: each function shows `[native code]`, and nothing is called as what the realm is made of.
#[test]
fn nothing_that_can_be_reached_shows_how_the_realm_is_made() {
    let text = r"
        const found = [], seen = new Set();
        const walk = (value, path) => {
            if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
            seen.add(value);
            if (typeof value === 'function' && !/\[native code\]/.test(Function.prototype.toString.call(value))) found.push(path);
            for (const key of Reflect.ownKeys(value)) {
                if (/native|kit|emitConsole|onTimer|uncurry/i.test(String(key))) found.push(path + String(key));
                const { value: held, get, set } = Object.getOwnPropertyDescriptor(value, key);
                for (const next of [held, get, set]) walk(next, path + '.' + String(key));
            }
            walk(Object.getPrototypeOf(value), path + '.__proto__');
        };
        walk(globalThis, 'globalThis');
        return [seen.size > 600, found]";
    each_ends_as_expected(&[(text, "[true, []]")]);
}

#[test]
fn call_sites_hand_out_no_functions_and_no_objects() {
    let text = r"
        const found = new Set();
        Error.prepareStackTrace = (error, sites) => {
            for (const site of sites) for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(site))) {
                if (name === 'constructor') continue;
                try { const got = site[name](); if (Object(got) === got) found.add(name) } catch {}
            }
        };
        const look = (run) => { try { run() } catch (error) { error.stack } };
        look(() => setTimeout(1)); look(() => structuredClone(() => 1)); look(() => new URL('')); look(() => crypto.getRandomValues(1));
        look(() => [1].map(() => { throw new Error('x') })); look(() => t.echo(() => 1));
        const target = new EventTarget(); target.addEventListener('x', () => new Error('y').stack); target.dispatchEvent(new Event('x'));
        setTimeout(() => new Error('z').stack); await sleep(1);
        return [...found]";
    each_ends_as_expected(&[(text, "[]")]);
}

#[test]
fn thrown_things_of_any_kind_are_told() {
    each_ends_as_expected(&[
        ("throw null", "threw null"),
        ("throw undefined", "threw undefined"),
        (
            "throw new Proxy(new Error('p'), { get() { throw 1 }, getPrototypeOf() { throw 2 } })",
            r#"threw "[Proxy]""#,
        ),
        (
            "const e = new Error('x'); for (const key of ['name', 'message', 'stack']) Object.defineProperty(e, key, { get() { throw e } }); \
             e.cause = e; e.errors = [e]; throw e",
            "threw ?: ?",
        ),
        (
            "const e = new Error('x'); e.f = () => 1; e.p = new Proxy({}, { ownKeys() { throw 1 } }); e.self = e; throw e",
            "threw Error: x",
        ),
        (
            "class E extends Error { get cause() { throw 1 } } const e = new E('x'); e.errors = { length: 5 }; throw e",
            "threw Error: x",
        ),
        (
            "const e = new AggregateError([], 'x'); e.errors = Array(100).fill(e); throw e",
            "threw AggregateError: x",
        ),
        (
            "Error.prepareStackTrace = () => { throw new Error('in it') }; null.x",
            "threw TypeError: cannot read property 'x' of null",
        ),
        (
            "const e = new Error('x'); Object.defineProperty(e, 'name', { get() { t.echo(1); Promise.reject(2); return 'N' } }); throw e",
            "threw N: x",
        ),
        (
            "setTimeout(() => { throw { get message() { for (;;) {} } } }); await sleep(1)",
            "threw {message: \"[Getter]\"}",
        ),
    ]);
}

#[test]
fn rejections_that_nobody_handles_are_told_up_to_a_number() {
    let flood = run(
        "const e = new Error('x'.repeat(1e5)); for (let i = 0; i < 500; i++) Promise.reject(e); return 1",
    );
    assert_eq!(flood.end.unwrap().unhandled.len(), 100);
    let endless = run(
        "const e = new Error('x'); Object.defineProperty(e, 'name', { get() { Promise.reject(e); return 'N' } }); Promise.reject(e); return 1",
    );
    assert_eq!(endless.end.unwrap().unhandled.len(), 100);
    let freed = "const all = []; for (let i = 0; i < 50; i++) { const e = new Error('x'); all.push(Promise.reject(e)); \
                 Object.defineProperty(e, 'name', { get() { for (const p of all) p.catch(() => {}); all.length = 0; return 'N' } }) } return 1";
    each_ends_as_expected(&[(freed, "1")]);
    let million = run("for (let i = 0; i < 1e6; i++) Promise.reject(i); return 1");
    assert_eq!(limit(&million.stop()), "LIMIT_MEMORY");
}

#[test]
fn promises_are_the_engines_own_whatever_the_script_makes_of_them() {
    each_ends_as_expected(&[
        (
            "Promise.prototype.then = () => 5; Promise.resolve = null; globalThis.Promise = null; return await t.echo(4)",
            "4",
        ),
        (
            "const p = t.echo(1); p.then = (resolve) => resolve('mine'); return [await p, (await Promise.all([p]))[0]]",
            r#"[1, "mine"]"#,
        ),
        ("Object.prototype.then = (resolve) => resolve('taken'); return await t.echo({})", r#""taken""#),
        (
            "Object.defineProperty(Object.prototype, 'then', { get() { throw new Error('looked at') } }); return await t.echo({})",
            "threw Error: looked at",
        ),
        (
            "let looks = 0; Object.defineProperty(Object.prototype, 'then', { get() { looks++ } }); await Promise.all([t.echo({}), t.echo(1)]); return looks",
            // For the call's value and for the array of `Promise.all`.
            "2",
        ),
        (
            "let n = 0; const again = { then(resolve) { if (n++ < 1e4) resolve(again); else resolve(n) } }; return again",
            "10001",
        ),
        (
            "Object.defineProperty(Promise.prototype, 'constructor', { get() { throw new Error('mine') } }); return await t.echo(1)",
            "threw Error: mine",
        ),
        (
            "class P extends Promise { static get [Symbol.species]() { return function (run) { run(() => { throw 1 }, () => { throw 2 }) } } } \
             return P.resolve(1).then(() => 2)",
            "threw 1",
        ),
        (
            "const g = (async function* () { yield 1; })(); const all = [g.next(), g.next(), g.return(5)]; return (await Promise.all(all)).length",
            "3",
        ),
    ]);
}

#[test]
fn objects_that_were_received_have_nothing_in_common() {
    each_ends_as_expected(&[
        (
            "const a = await t.echo({ x: 1, y: 2 }); a.z = 3; delete a.x; Object.freeze(a); const b = await t.echo({ x: 4, y: 5 }); \
             Object.defineProperty(b, 'y', { value: 6, writable: false, enumerable: false }); const c = await t.echo({ x: 7, y: 8 }); c.x++; \
             return [Object.entries(a), Object.entries(b), Object.entries(c), Object.isFrozen(b), Object.getOwnPropertyDescriptor(c, 'y').writable]",
            r#"[[["y", 2], ["z", 3]], [["x", 4]], [["x", 8], ["y", 8]], false, true]"#,
        ),
        (
            "const a = await t.echo({ x: 1, y: 2 }); const b = await t.echo({ x: 1, z: 2 }); Object.setPrototypeOf(a, { w: 1 }); \
             const c = await t.echo({ x: 1, y: 2 }); return [a.w, c.w, Object.keys(b), Object.keys(c)]",
            r#"[1, undefined, ["x", "z"], ["x", "y"]]"#,
        ),
    ]);
}

#[test]
fn large_objects_that_are_gone_leave_nothing_behind() {
    // Each with keys of its own, ten megabytes in all.
    let script = "for (let r = 0; r < 40; r++) { const o = {}; for (let k = 0; k < 10_000; k++) o['key' + r + '_' + k] = 1; await t.echo(o) } return 1";
    let limits = SandboxLimits { memory: 16 << 20, ..SandboxLimits::default() };
    assert_eq!(outcome(&run_with(script, limits)), "1");
}

#[test]
fn arguments_are_what_they_are_while_they_are_read() {
    each_ends_as_expected(&[
        (
            "const inner = []; const outer = t.echo({ get x() { inner.push(t.echo('inner')); return 'outer' } }); return [await outer, await inner[0]]",
            r#"[{x: "outer"}, "inner"]"#,
        ),
        (
            "const b = new ArrayBuffer(8); try { t.echo({ get x() { b.transfer(); return 1 }, v: new Uint8Array(b) }) } catch (e) { return e.message }",
            r#""cannot send args[0].v: a view of a detached ArrayBuffer""#,
        ),
        (
            "const b = new ArrayBuffer(64, { maxByteLength: 99 }), v = new Uint8Array(b, 8, 8); \
             try { t.echo({ get x() { b.resize(9); return 1 }, v }) } catch (e) { return e.message }",
            r#""cannot send args[0].v: a view beyond the end of its ArrayBuffer""#,
        ),
        ("const a = []; a[4294967294] = 1; await t.echo(a)", "stopped: LIMIT_ARGUMENTS"),
        ("const a = [1]; a.length = 4294967295; return a", "stopped: LIMIT_RESULT"),
        ("return t.echo.apply(null, { length: 65534 })", "undefined"),
        ("try { t.echo(...Array(300000)) } catch (e) { return e.name }", r#""RangeError""#),
        (
            "const o = { get x() { return t.echo(o) } }; try { t.echo(o) } catch (e) { return e.name }",
            r#""RangeError""#,
        ),
        (
            "let seen = 0; Object.defineProperty(Array.prototype, 0, { set() { seen++ } }); Array.prototype[Symbol.iterator] = null; \
             const r = await t.echo([1, [2]]); console.log(1, 2); console.table([[1]]); return [seen, r.length]",
            "[0, 2]",
        ),
    ]);
}

#[test]
fn buffers_that_shrink_under_a_built_in_are_no_way_out() {
    let text = r"
        const buffer = new ArrayBuffer(1 << 16, { maxByteLength: 1 << 20 }), view = new Uint8Array(buffer), to = (size) => ({ valueOf() { buffer.resize(size); return 0 } });
        const run = [
            () => view.copyWithin(to(16), 0, 60000), () => view.slice(to(8), 60000), () => view.subarray(to(0)), () => view.with(to(4), 1), () => view.fill(1, to(3)),
            () => view.indexOf(1, to(2)), () => view.includes(undefined, to(0)), () => view.join({ toString() { buffer.resize(0); return ',' } }),
            () => view.toSorted(() => { buffer.resize(0); return 1 }), () => view.map((x, i) => { if (i === 1) buffer.resize(2); return x }), () => view.set(view, to(0)),
            () => buffer.slice(to(0), 50000), () => new DataView(buffer).setFloat64(to(4), 1), () => new Uint8Array(buffer, to(1), 100),
            () => view.sort(() => { buffer.resize(8); return 1 }), () => new TextDecoder().decode(view, { get stream() { buffer.resize(0); return true } }),
            () => new TextEncoder().encodeInto({ toString() { buffer.resize(2); return 'abcdef' } }, view), () => crypto.getRandomValues(view),
            () => structuredClone({ get x() { buffer.resize(0); return 1 }, view }),
        ];
        for (const one of run) { buffer.resize(1 << 16); try { one() } catch {} }
        return run.length";
    each_ends_as_expected(&[(text, "19")]);
}

#[test]
fn every_function_of_the_realm_takes_anything() {
    let text = r"
        const odd = [undefined, null, 0, -1, NaN, 2 ** 53, 1n, '', Symbol('s'), {}, [], () => {}, new Proxy({}, {}), Object.create(null), new Map(), new Uint8Array(4), new Error('e')];
        const seen = new Set(), functions = [];
        const walk = (value, depth, path) => {
            if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value) || depth > 5) return;
            seen.add(value);
            for (const key of Reflect.ownKeys(value)) {
                const { value: held, get, set } = Object.getOwnPropertyDescriptor(value, key);
                for (const next of [held, get, set]) {
                    if (typeof next === 'function') functions.push([path + '.' + String(key), next]);
                    walk(next, depth + 1, path + '.' + String(key));
                }
            }
            walk(Object.getPrototypeOf(value), depth + 1, path);
        };
        walk(globalThis, 0, '');
        const spared = /repeat|pad(Start|End)|setPrototypeOf|freeze|seal|preventExtensions|define|__proto__|assign|deleteProperty|^\.console/;
        const { apply, construct } = Reflect, { catch: handle } = Promise.prototype;
        let i = 0;
        const next = () => odd[i++ % odd.length];
        for (const [path, f] of functions) {
            if (spared.test(path)) continue;
            for (const self of odd) {
                try { const got = apply(f, self, [next(), next(), next()]); if (got instanceof Promise) apply(handle, got, [() => {}]) } catch {}
                try { construct(f, [next(), next()]) } catch {}
            }
        }
        return functions.length > 600";
    each_ends_as_expected(&[(text, "true")]);
}

#[test]
fn bombs_end_in_an_error_or_at_a_limit() {
    each_ends_as_expected(&[
        ("try { 2n ** 10000000n } catch (e) { return e.name }", r#""RangeError""#),
        ("try { 1n << 1000000000000n } catch (e) { return e.name }", r#""RangeError""#),
        ("try { BigInt.asUintN(2 ** 53 - 1, -1n) } catch (e) { return e.name }", r#""RangeError""#),
        ("'x'.padEnd(2 ** 30 - 1)", "stopped: LIMIT_MEMORY"),
        ("try { 'x'.repeat(2 ** 30) } catch (e) { return e.name }", r#""RangeError""#),
        ("String.raw({ raw: { length: 2 ** 53 - 1 } }, 1)", "stopped: LIMIT_MEMORY"),
        ("'\\ufdfa'.repeat(1e6).normalize('NFKD')", "stopped: LIMIT_MEMORY"),
        (
            "let s = 'a'; for (let i = 0; i < 24; i++) s += s; return s.replaceAll('a', '$&$&$`')",
            "stopped: LIMIT_MEMORY",
        ),
        ("const m = new Map(); for (;;) m.set({}, m)", "stopped: LIMIT_MEMORY"),
        ("for (let i = 0; i < 1e6; i++) console.count('x'.repeat(100) + i)", "stopped: LIMIT_CONSOLE"),
        ("const s = 'x'.repeat(4 << 20); for (let i = 0; i < 100; i++) t.echo(s)", "stopped: LIMIT_LEDGER"),
        ("for (let i = 0; i < 1e5; i++) clearTimeout(setTimeout(() => {})); return 1", "1"),
    ]);
}

#[test]
fn garbage_cannot_be_seen() {
    let text = "let called = 0; const registry = new FinalizationRegistry(() => called++), refs = []; \
                for (let i = 0; i < 1e4; i++) { const o = {}; registry.register(o, i); refs.push(new WeakRef(o)) } await sleep(1); \
                return [called, refs.every((ref) => ref.deref())]";
    each_ends_as_expected(&[
        (text, "[0, true]"),
        (
            "const map = new WeakMap(); let o = {}; for (let i = 0; i < 1e5; i++) { const n = {}; map.set(o, n); o = n } o = null; return map.has({})",
            "false",
        ),
        (
            "let o = null; for (let i = 0; i < 3e5; i++) o = { o }; o = null; let f = () => 1; for (let i = 0; i < 1e5; i++) { const g = f; f = () => g } return 1",
            "1",
        ),
    ]);
}

#[test]
fn delays_and_timers_of_any_kind_are_taken_or_refused() {
    let engine = engine();
    let text = "for (const d of [-1, NaN, 1e300, Infinity, -0, '5', {}, { valueOf() { return 3.9 } }]) setTimeout(() => {}, d); \
                for (const id of [0, -1, NaN, 1e300, 'x', {}, Symbol('s'), null, 99n]) clearTimeout(id); \
                try { setTimeout(() => {}, 5n) } catch (e) { return e.name }";
    let mut sandbox = start(&engine, Start::function_body(text));
    let Ok(Step::Ended(end)) = sandbox.advance(Event::Start) else { panic!("it should end") };
    assert_eq!(end.result.unwrap(), encode(&Value::from("TypeError")).unwrap());
    let delays: Vec<_> = sandbox
        .take_requests()
        .into_iter()
        .filter_map(|request| if let Request::TimerSet { delay, .. } = request { Some(delay) } else { None })
        .collect();
    assert_eq!(delays, [0.0, 0.0, 8.64e15, 8.64e15, 0.0, 5.0, 0.0, 3.0]);
    each_ends_as_expected(&[(
        "let n = 0, done; const id = setInterval(() => { n++; clearInterval(id); clearInterval(id); setTimeout(() => { n += 10; done() }) }); \
         await new Promise((resolve) => { done = resolve }); return n",
        "11",
    )]);
}

/// What a script's imports come to when each module has the text that `load` gives to its name.
fn importing(
    text: &str,
    load: fn(&str) -> Result<&'static str, Vec<u8>>,
) -> (Result<String, Stop>, Vec<String>) {
    let engine = engine();
    let mut sandbox = start(&engine, Start::function_body(text));
    let mut asked = Vec::new();
    let mut step = sandbox.advance(Event::Start);
    loop {
        let event = match step {
            Ok(Step::Blocked(Question::Normalize { specifier, .. })) => {
                Event::Answered(Outcome::Fulfilled(specifier.into_bytes()))
            }
            Ok(Step::Blocked(Question::Load { name, .. })) => {
                let loaded = load(&name);
                asked.push(name);
                Event::Answered(match loaded {
                    Ok(text) => Outcome::Fulfilled(text.as_bytes().to_vec()),
                    Err(error) => Outcome::Rejected(error),
                })
            }
            Ok(Step::Ended(end)) => {
                let value = intermission_value::decode(&end.result.unwrap(), usize::MAX).unwrap();
                return (Ok(format!("{value:?}")), asked);
            }
            Ok(other) => panic!("{other:?}"),
            Err(stopped) => return (Err(stopped), asked),
        };
        step = sandbox.advance(event);
    }
}

#[test]
fn modules_that_go_in_circles_throw_or_lie_are_errors_each_time() {
    let text = "const seen = []; for (const name of ['circle', 'circle', 'throws', 'throws', 'no-syntax', 'bytes', 'script.js']) \
                try { seen.push(Object.keys(await import(name)).join()) } catch (e) { seen.push(`${e.name}: ${e.code ?? e.message}`) } return seen";
    let (value, asked) = importing(text, |name| match name {
        "circle" => Ok("import * as all from 'circle'; export * from 'circle'; export const a = all"),
        "throws" => Ok("throw new Error('mine')"),
        "no-syntax" => Ok("export const = 1"),
        "bytes" => Err(vec![0xff, 0xff]),
        _ => Ok("export default 1"),
    });
    let expected = r#"["a", "a", "Error: mine", "Error: mine", "SyntaxError: variable name expected", "TypeError: VALUE_MALFORMED", "default"]"#;
    assert_eq!(value, Ok(expected.to_owned()));
    assert_eq!(asked, ["circle", "throws", "no-syntax", "bytes", "script.js"]);
}

#[test]
fn importing_for_ever_ends_at_the_number_of_calls() {
    let (stopped, asked) =
        importing("for (let i = 0; ; i++) try { await import('m' + i) } catch {}", |_| Ok(""));
    assert_eq!(limit(&stopped.unwrap_err()), "LIMIT_CALLS");
    assert_eq!(asked.len(), 5_000);
}

#[test]
fn a_modules_value_is_its_default_export_whatever_else_it_exports() {
    let engine = engine();
    let module = |text| {
        let ran = drive(started(&engine, Start { kind: SourceKind::Module, ..Start::function_body(text) }));
        outcome(&ran)
    };
    assert_eq!(
        module(
            "export function then(resolve) { resolve(42) } export default { then(resolve) { resolve(2) } }"
        ),
        "2"
    );
    assert_eq!(module("export const x = 1; throw new Proxy(new Error('p'), {})"), r#"threw "[Proxy]""#);
    assert_eq!(module("export { x as default }; throw 5; let x = 1"), "threw 5");
}

#[test]
fn host_functions_may_be_called_like_anything_of_a_prototype() {
    let engine = engine();
    let names = [
        "toString",
        "hasOwnProperty.call",
        "t.valueOf",
        "t.then",
        "length.name",
        "__proto__.x",
        "Object.keys",
        "undefinedGroup.constructor",
    ];
    let functions = FunctionTable::new(names.iter().map(|name| (*name, false)));
    let text = "const own = (object, ...path) => path.reduce((value, key) => Object.getOwnPropertyDescriptor(value, key).value, object); \
                const called = [own(globalThis, 'toString')(1), own(globalThis, 'hasOwnProperty', 'call')(2), t.valueOf(3), own(globalThis, '__proto__', 'x')(4), Object.keys(5)]; \
                return [await Promise.all(called), Object.prototype.toString.call([]), {} instanceof Object]";
    let ran = drive(started(&engine, Start { functions: &functions, ..Start::function_body(text) }));
    assert_eq!(outcome(&ran), r#"[[1, 2, 3, 4, 5], "[object Array]", true]"#);
}

#[test]
fn the_console_takes_what_throws_at_every_touch() {
    let text = r"
        const proxy = new Proxy({}, new Proxy({}, { get(_, key) { throw new Error(String(key)) } }));
        const evil = { toString() { throw 1 }, [Symbol.toPrimitive]() { throw 2 }, get [Symbol.toStringTag]() { throw 3 }, get constructor() { throw 4 } };
        console.log(proxy, [proxy], new Map([[proxy, proxy]])); console.log('%s %d %i %f %j %o %O %c', evil, evil, evil, evil, evil, evil, evil, evil);
        console.table([proxy, { a: proxy }]); console.dir(proxy); console.log(Object.setPrototypeOf(new Map(), { get size() { for (;;) {} } }));
        const wide = {}; for (let i = 0; i < 1000; i++) wide['k' + i] = wide; console.log(wide); console.log([, , 1], new Array(1e9));
        let deep = []; for (let i = 0; i < 1e5; i++) deep = [deep]; console.log(deep); console.log(Symbol('s'), NaN, -0, 1n)";
    let ran = run(text);
    assert_eq!(outcome(&ran), "undefined");
    let texts = ran.text();
    assert_eq!(texts.len(), 9);
    assert_eq!(texts[0], "{} [ {} ] Map(1) { {} => {} }");
    assert_eq!(texts[6], "[ <2 empty items>, 1 ] [ <1000000000 empty items> ]");
    assert_eq!(texts[8], "Symbol(s) NaN -0 1n");
}

#[test]
fn the_least_fuel_ends_at_the_first_jump() {
    let limits = SandboxLimits { fuel: Some(1), ..SandboxLimits::default() };
    let stop = run_with("for (;;) {}", limits).stop();
    assert_eq!(stop, Stop::Exhausted(Exhausted { limit: Limit::Fuel, allowed: 1, used: 1 }));
}
