//! The frame that starts a guest. guest/c/run.c reads it, and its functions guest/c/calls.c; guest/c/frame.c is what both read with.

use crate::engine::{SourceKind, Start};

const MODULE: u32 = 1;
const ALLOW_EVAL: u32 = 2;
const RECORD_READS: u32 = 4;
const ABSENT: u32 = u32::MAX;

pub(crate) fn start(start: &Start<'_>) -> Vec<u8> {
    let mut frame = Frame(Vec::with_capacity(256 + start.text.len() + start.functions.0.len()));
    let module = matches!(start.kind, SourceKind::Module);
    frame.word(
        (u32::from(module) * MODULE)
            | (u32::from(start.allow_eval) * ALLOW_EVAL)
            | (u32::from(start.record_reads) * RECORD_READS),
    );
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
    frame.text(start.name);
    // The guest's parser wants a zero behind the text; it is not counted.
    match start.kind {
        SourceKind::Module => frame.bytes(&[start.text.as_bytes()]),
        SourceKind::FunctionBody => {
            let comma = if start.first.is_empty() { "" } else { "," };
            let parts = ["(", start.first, comma, BEFORE_BODY, start.text, AFTER_BODY];
            frame.bytes(&parts.map(str::as_bytes));
        }
    }
    frame.0.push(0);
    frame.0
}

/// A function body becomes the body of an async arrow function. It begins on a line of its own, which the guest numbers 0.
const BEFORE_BODY: &str = "async()=>{\n";
const AFTER_BODY: &str = "\n})";

/// The host functions of a run, as the guest is told of them. Made once, used by many runs.
#[derive(Clone, Debug, Default)]
pub struct FunctionTable(Vec<u8>);

impl FunctionTable {
    /// Of no functions.
    pub const fn empty() -> Self {
        Self(Vec::new())
    }

    /// Of names `group.name` or `name`, each with whether a call of it blocks the guest. Of two that have the same name, scripts have the latter. Their
    /// indices are those of [`crate::Call::function`].
    pub fn new<'a>(functions: impl ExactSizeIterator<Item = (&'a str, bool)>) -> Self {
        let mut frame = Frame(Vec::new());
        let groups = Group::all(functions);
        let count = |group: &Group<'_>| group.functions.len() + usize::from(group.name.is_some());
        frame.word(groups.iter().map(count).sum::<usize>() as u32);
        for Group { name, functions } in groups {
            frame.word(name.map_or(0, |_| functions.len()) as u32);
            if let Some(name) = name {
                frame.text(name);
            }
            for (index, name, blocking) in functions {
                frame.word(index);
                frame.word(blocking.into());
                frame.text(name);
            }
        }
        Self(frame.0)
    }
}

/// The functions of one group, in the order of their first names, or one that is by itself.
struct Group<'a> {
    name: Option<&'a str>,
    functions: Vec<(u32, &'a str, bool)>,
}

impl<'a> Group<'a> {
    fn all(functions: impl Iterator<Item = (&'a str, bool)>) -> Vec<Self> {
        let mut groups: Vec<Self> = Vec::new();
        for (index, (path, blocking)) in (0..).zip(functions) {
            let (group, name) =
                path.split_once('.').map_or((None, path), |(group, name)| (Some(group), name));
            let function = (index, name, blocking);
            match groups.iter_mut().find(|there| group.is_some() && there.name == group) {
                Some(there) => there.add(function),
                None => groups.push(Self { name: group, functions: vec![function] }),
            }
        }
        groups
    }

    fn add(&mut self, function: (u32, &'a str, bool)) {
        match self.functions.iter_mut().find(|there| there.1 == function.1) {
            Some(there) => *there = function,
            None => self.functions.push(function),
        }
    }
}

struct Frame(Vec<u8>);

impl Frame {
    fn word(&mut self, word: u32) {
        self.0.extend(word.to_le_bytes());
    }

    /// With a zero behind it, which is counted.
    fn text(&mut self, text: &str) {
        self.bytes(&[text.as_bytes(), &[0]]);
    }

    fn bytes(&mut self, parts: &[&[u8]]) {
        self.word(parts.iter().map(|part| part.len()).sum::<usize>() as u32);
        for part in parts {
            self.0.extend(*part);
        }
    }
}
