//! What the host lends the guest: the other side of guest/c/bridge.h.

use std::future::poll_fn;
use std::task::Poll;

use wasmtime::{Caller, Engine, Linker, Memory, ResourceLimiter, Result};

use crate::mailbox::{Letters, Mailbox};
use crate::raw::StopFlag;
use crate::step::Question;
use crate::{Exhausted, Limit, Stop, url};

const MODULE: &str = "intermission";
const ANSWER_REJECTED: u32 = 0x8000_0000;
const COMPUTE_NONE: u32 = u32::MAX;

/// What a guest's store holds.
pub(crate) struct State {
    pub(crate) mailbox: Mailbox,
    /// Set as soon as the instance is there.
    pub(crate) memory: Option<Memory>,
    pub(crate) flag: Option<StopFlag>,
}

impl ResourceLimiter for State {
    /// Refusing is not enough: the guest would see an exception that it can catch.
    fn memory_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> Result<bool> {
        let mut letters = self.mailbox.open();
        let (allowed, used) = (letters.limits.memory, desired as u64);
        if used > allowed {
            return Err(letters.stop(Exhausted { limit: Limit::Memory, allowed, used }.into()));
        }
        letters.memory = letters.memory.max(used);
        Ok(true)
    }

    fn table_growing(&mut self, _: usize, _: usize, _: Option<usize>) -> Result<bool> {
        Ok(true)
    }
}

/// The bytes that the guest points at, and its mailbox.
fn reading<T>(
    caller: &mut Caller<'_, State>,
    at: u32,
    length: u32,
    read: impl FnOnce(&mut Letters, &[u8]) -> Result<T>,
) -> Result<T> {
    let memory = caller.data().memory.ok_or_else(|| wasmtime::Error::msg("no memory"))?;
    let (memory, state) = memory.data_and_store_mut(caller);
    let mut letters = state.mailbox.open();
    match memory.get(at as usize..at as usize + length as usize) {
        Some(bytes) => read(&mut letters, bytes),
        None => Err(letters.stop(Stop::Trapped("a message outside of memory".to_owned()))),
    }
}

fn take(mut caller: Caller<'_, State>, to: u32) -> Result<()> {
    let memory = caller.data().memory.ok_or_else(|| wasmtime::Error::msg("no memory"))?;
    let (memory, state) = memory.data_and_store_mut(&mut caller);
    let mut letters = state.mailbox.open();
    let inbox = std::mem::take(&mut letters.inbox);
    match memory.get_mut(to as usize..to as usize + inbox.len()) {
        Some(room) => room.copy_from_slice(&inbox),
        None => return Err(letters.stop(Stop::Trapped("taking outside of memory".to_owned()))),
    }
    Ok(())
}

fn question(letters: &mut Letters, kind: i32, id: u32, bytes: &[u8]) -> Result<Question> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match kind {
        1 => Ok(Question::Call(letters.call(id, bytes)?)),
        2 => {
            letters.count_call()?;
            let mut strings = url::strings(bytes);
            let mut next = || strings.next().map(str::to_owned).unwrap_or_default();
            Ok(Question::Normalize { id, specifier: next(), importer: next() })
        }
        3 => {
            letters.count_call()?;
            Ok(Question::Load { id, name: text(bytes) })
        }
        _ => Err(letters.stop(Stop::Trapped("a malformed question".to_owned()))),
    }
}

async fn ask(mut caller: Caller<'_, State>, (kind, id, at, length): (i32, u32, u32, u32)) -> Result<u32> {
    reading(&mut caller, at, length, |letters, bytes| {
        letters.question = Some(question(letters, kind, id, bytes)?);
        Ok(())
    })?;
    let mailbox = caller.data().mailbox.clone();
    poll_fn(move |_| {
        let mut letters = mailbox.open();
        let Some(rejected) = letters.answer.take() else { return Poll::Pending };
        let length = letters.inbox.len() as u32;
        Poll::Ready(Ok(if rejected { length | ANSWER_REJECTED } else { length }))
    })
    .await
}

const PAUSE_FLAG: i32 = 0;
const PAUSE_FUEL: i32 = 1;

/// The guest stands still when its flag asks for it, until it is entered again; or it is stopped for good.
async fn pause(caller: Caller<'_, State>, why: i32) -> Result<()> {
    let State { mailbox, flag, .. } = caller.data();
    let (mailbox, flag) = (mailbox.clone(), *flag);
    if why != PAUSE_FLAG {
        let mut letters = mailbox.open();
        let stop = match (why, letters.limits.fuel) {
            (PAUSE_FUEL, Some(allowed)) => Exhausted { limit: Limit::Fuel, allowed, used: allowed }.into(),
            _ => Stop::Trapped("a pause without a reason".to_owned()),
        };
        return Err(letters.stop(stop));
    }
    let Some(flag) = flag.filter(|flag| flag.is_raised()) else { return Ok(()) };
    if flag.stops() {
        return Err(wasmtime::Error::msg("stopped from outside"));
    }
    flag.has_paused();
    let mut asked = false;
    poll_fn(move |_| {
        let mut letters = mailbox.open();
        if asked {
            return Poll::Ready(());
        }
        asked = true;
        letters.yielding = true;
        Poll::Pending
    })
    .await;
    Ok(())
}

pub(crate) fn linker(engine: &Engine) -> Result<Linker<State>> {
    let mut linker = Linker::new(engine);
    linker.func_wrap(MODULE, "take", take)?;
    linker.func_wrap(
        MODULE,
        "emit",
        |mut caller: Caller<'_, State>, kind: i32, id: u32, at: u32, length: u32| {
            reading(&mut caller, at, length, |letters, bytes| letters.receive(kind, id, bytes))
        },
    )?;
    linker.func_wrap(
        MODULE,
        "compute",
        |mut caller: Caller<'_, State>, kind: i32, at: u32, length: u32| {
            reading(&mut caller, at, length, |letters, bytes| {
                let Some(parts) = url::compute(kind, bytes) else { return Ok(COMPUTE_NONE) };
                letters.inbox = parts;
                Ok(letters.inbox.len() as u32)
            })
        },
    )?;
    linker.func_wrap(MODULE, "now", |caller: Caller<'_, State>| {
        caller.data().mailbox.open().now().map(|now| now as f64)
    })?;
    linker.func_wrap_async(MODULE, "ask", |caller: Caller<'_, State>, question: (i32, u32, u32, u32)| {
        Box::new(ask(caller, question))
    })?;
    linker.func_wrap_async(MODULE, "pause", |caller: Caller<'_, State>, (why,): (i32,)| {
        Box::new(pause(caller, why))
    })?;
    Ok(linker)
}
