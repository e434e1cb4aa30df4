//! The frame that starts a guest. guest/c/run.c reads it.

use crate::engine::{SourceKind, Start};

const MODULE: u32 = 1;
const ALLOW_EVAL: u32 = 2;
const ABSENT: u32 = u32::MAX;

pub(crate) fn start(start: &Start<'_>) -> Vec<u8> {
    let mut frame = Frame(Vec::with_capacity(256 + start.text.len() + start.functions.0.len()));
    let module = matches!(start.kind, SourceKind::Module);
    frame.word((u32::from(module) * MODULE) | (u32::from(start.allow_eval) * ALLOW_EVAL));
    frame.word(start.limits.js_stack);
    frame.0.extend(start.limits.fuel.unwrap_or(0).to_le_bytes());
    frame.word(start.limits.arguments);
    frame.word(start.limits.result);
    frame.0.extend(start.seed);
    match start.functions.0.as_slice() {
        [] => frame.word(0),
        table => frame.0.extend(table),
    }
    for value in [start.input, start.data] {
        match value {
            Some(bytes) => frame.bytes(&[bytes]),
            None => frame.word(ABSENT),
        }
    }
    frame.bytes(&[start.name.as_bytes(), &[0]]);
    // The guest's parser wants a zero behind the text; it is not counted.
    match start.kind {
        SourceKind::Module => frame.bytes(&[start.text.as_bytes()]),
        SourceKind::FunctionBody => {
            frame.bytes(&[BEFORE_BODY.as_bytes(), start.text.as_bytes(), AFTER_BODY.as_bytes()]);
        }
    }
    frame.0.push(0);
    frame.0
}

/// A function body becomes the body of an async arrow function. It begins on a line of its own, which the guest numbers 0.
const BEFORE_BODY: &str = "(async()=>{\n";
const AFTER_BODY: &str = "\n})";

/// The host functions of a run, as the guest is told of them. Made once, used by many runs.
#[derive(Clone, Debug, Default)]
pub struct FunctionTable(Vec<u8>);

impl FunctionTable {
    /// Of no functions.
    pub const fn empty() -> Self {
        Self(Vec::new())
    }

    /// Of names `group.name` or `name`, each with whether a call of it blocks the guest. Their indices are those of [`crate::Call::function`].
    pub fn new<'a>(functions: impl ExactSizeIterator<Item = (&'a str, bool)>) -> Self {
        let mut frame = Frame(Vec::new());
        frame.word(functions.len() as u32);
        for (name, blocking) in functions {
            frame.word(blocking.into());
            frame.bytes(&[name.as_bytes()]);
        }
        Self(frame.0)
    }
}

struct Frame(Vec<u8>);

impl Frame {
    fn word(&mut self, word: u32) {
        self.0.extend(word.to_le_bytes());
    }

    fn bytes(&mut self, parts: &[&[u8]]) {
        self.word(parts.iter().map(|part| part.len()).sum::<usize>() as u32);
        for part in parts {
            self.0.extend(*part);
        }
    }
}
