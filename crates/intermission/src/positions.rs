//! From places in what the guest runs to places in what the author wrote.

use std::collections::BTreeMap;
use std::sync::Arc;

use intermission_engine::{Call, Frame, Position};
use intermission_source::{Options, Prepared, SourceError, SourceKind, prepare};

use crate::scripts::Script;

/// The prepared texts of a run's script and modules, by name.
#[derive(Debug)]
pub(crate) struct Positions {
    script: Arc<Script>,
    guest_name: String,
    script_name: Arc<str>,
    modules: BTreeMap<String, Prepared>,
    /// Whether there is something before the script that its author knows nothing of.
    hides_first: bool,
}

impl Positions {
    pub(crate) fn new(script_name: &str, script: Arc<Script>) -> Self {
        Self {
            script,
            guest_name: guest_name(script_name),
            script_name: script_name.into(),
            modules: BTreeMap::new(),
            hides_first: false,
        }
    }

    /// The same, of a script that something comes [before](intermission_engine::Start::first).
    pub(crate) fn hiding_first(self) -> Self {
        Self { hides_first: true, ..self }
    }

    /// The script's name inside.
    pub(crate) fn guest_name(&self) -> &str {
        &self.guest_name
    }

    pub(crate) fn script(&self) -> &Prepared {
        &self.script.prepared
    }

    /// What the guest runs of a module, whose places are known from now on.
    ///
    /// # Errors
    /// [`SourceError`].
    pub(crate) fn prepare_module(
        &mut self,
        name: &str,
        text: &str,
        max_bytes: usize,
    ) -> Result<Vec<u8>, SourceError> {
        let module = prepare(text, &Options { kind: SourceKind::Imported, max_bytes })?;
        let prepared = module.text.clone().into_bytes();
        self.modules.insert(name.to_owned(), module);
        Ok(prepared)
    }

    /// A module's name as the author knows it.
    pub(crate) fn original_name(&self, name: String) -> String {
        if name == self.guest_name { self.script_name.as_ref().to_owned() } else { name }
    }

    /// A frame at its place in the original. One of what is before the script is none of its own.
    pub(crate) fn original(&self, mut frame: Frame) -> Option<Frame> {
        if self.hides_first && frame.line == 0 && frame.file == self.guest_name {
            return None;
        }
        let place = self.place(Some(&frame.file), Position { line: frame.line, column: frame.column });
        (frame.line, frame.column) = (place.line, place.column);
        if frame.file == self.guest_name {
            self.script_name.as_ref().clone_into(&mut frame.file);
        }
        Some(frame)
    }

    /// A call with its place in the original.
    pub(crate) fn original_call(&self, mut call: Call) -> Call {
        call.position = call.position.map(|place| self.place(call.file.as_deref(), place));
        if call.file.as_deref().is_some_and(|file| file == self.guest_name) {
            call.file = Some(Arc::clone(&self.script_name));
        }
        call
    }

    /// Where a call of `function` is named: the engine takes the last name that it reads for that, which may be one among the arguments.
    pub(crate) fn of_call(&self, call: &Call, function: &str) -> Option<Position> {
        let place = call.position?;
        if call.file.as_deref() != Some(&self.script_name) {
            return Some(place);
        }
        let inside = intermission_source::Position { line: place.line, column: place.column };
        let named = self.script.name_of_call(function, inside);
        Some(named.map_or(place, |at| Position { line: at.line, column: at.column }))
    }

    fn place(&self, file: Option<&str>, place: Position) -> Position {
        let prepared = match file {
            Some(file) if file == self.guest_name => Some(&self.script.prepared),
            Some(file) => self.modules.get(file),
            None => None,
        };
        prepared.map_or(place, |prepared| {
            let place = prepared.original_of_bytes(place.line, place.column);
            Position { line: place.line, column: place.column }
        })
    }
}

/// A name that stack traces can be read with again: they have blanks, brackets and colons of their own.
fn guest_name(name: &str) -> String {
    let plain = |letter: char| if letter.is_alphanumeric() || "._-/".contains(letter) { letter } else { '_' };
    name.chars().map(plain).take(100).collect()
}
