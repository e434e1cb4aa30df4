//! A slot is used again and again: no run sees what another did, whatever its size.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::num::NonZeroU32;

use common::{Ran, drive, started};
use intermission_engine::{Engine, EngineConfig, FunctionTable, Profile, SandboxLimits, Start};

const SMALL: &str = "globalThis.seen = (globalThis.seen ?? 0) + 1; Array.prototype.mark = 1; return [seen, Object.keys(globalThis).length]";
/// Takes 20 MB, collects garbage, leaves marks in the realm's own objects.
const BIG: &str = "const rows = []; for (let n = 0; n < 150000; n++) rows.push({ n, text: `row ${n}` }); \
                   for (const key of Object.getOwnPropertyNames(globalThis)) { try { globalThis[key].mark = key } catch {} } \
                   Object.prototype.mark = 1; return rows.length";
const GROWING: &str = "const bytes = new Uint8Array(3 << 20); const text = 'x'.repeat(1 << 20); let sum = 0; \
                       for (let n = 0; n < bytes.length; n += 512) sum += bytes[n]; return [sum, text.length, [].mark ?? null]";

fn one_slot() -> Engine {
    Engine::new(EngineConfig { slots: NonZeroU32::MIN, lanes: NonZeroU32::MIN, tick: None }).unwrap()
}

fn run(engine: &Engine, profile: Profile, text: &str) -> Ran {
    let limits = SandboxLimits { memory: 256 << 20, ..SandboxLimits::default() };
    drive(started(engine, Start { profile, limits, ..Start::function_body(text) }))
}

#[test]
fn a_run_after_a_big_one_is_the_same_as_before_it() {
    for profile in [Profile::Full, Profile::Bare] {
        let engine = one_slot();
        let scripts = [SMALL, GROWING, SMALL, GROWING];
        let seen = |text| {
            let Ran { end, usage, .. } = run(&engine, profile, text);
            (end.unwrap().result.unwrap(), usage.memory, usage.fuel)
        };
        let before = scripts.map(seen);
        assert_eq!(before[0], before[2]);
        assert_eq!(before[1], before[3]);
        for _ in 0..3 {
            assert!(run(&engine, profile, BIG).usage.memory > 10 << 20);
            assert_eq!(scripts.map(seen), before);
        }
    }
}

#[test]
fn functions_of_a_group_need_not_be_side_by_side() {
    let names = ["t.a", "u.x", "f", "t.b"];
    let functions = FunctionTable::new(names.into_iter().map(|name| (name, false)));
    let text = "const keys = Object.keys(globalThis).slice(-3); const { value, ...flags } = Object.getOwnPropertyDescriptor(t, 'b'); \
                await Promise.all([t.b(), f(), u.x(), t.a()]); \
                return JSON.stringify([keys, Object.keys(t), Object.keys(u), value.name, value.length, flags, t.b === t.b, 'a' in t, delete t.a, Object.keys(t)])";
    let engine = one_slot();
    let ran = drive(started(&engine, Start { functions: &functions, ..Start::function_body(text) }));
    let expected = r#"[["t","u","f"],["a","b"],["x"],"b",0,{"writable":true,"enumerable":true,"configurable":true},true,true,true,["b"]]"#;
    assert_eq!(ran.value(), expected.into());
    assert_eq!(ran.calls.iter().map(|call| call.function).collect::<Vec<_>>(), [3, 2, 1, 0]);
}

#[test]
fn of_two_functions_of_one_name_scripts_have_the_latter() {
    let names = ["t.a", "f", "t.b", "t.a", "f"];
    let functions = FunctionTable::new(names.into_iter().map(|name| (name, false)));
    let engine = one_slot();
    let start =
        Start { functions: &functions, ..Start::function_body("await t.a(); await f(); await t.b()") };
    let ran = drive(started(&engine, start));
    assert_eq!(ran.calls.iter().map(|call| call.function).collect::<Vec<_>>(), [3, 4, 2]);
}
