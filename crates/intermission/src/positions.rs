//! From places in what the guest runs to places in what the author wrote.

use std::collections::BTreeMap;

use intermission_engine::{Frame, Position};
use intermission_source::Prepared;

/// The prepared texts of a run's script and modules, by name.
#[derive(Debug)]
pub(crate) struct Positions {
    script: Prepared,
    script_name: String,
    modules: BTreeMap<String, Prepared>,
}

impl Positions {
    pub(crate) fn new(script_name: &str, script: Prepared) -> Self {
        Self { script, script_name: script_name.to_owned(), modules: BTreeMap::new() }
    }

    pub(crate) fn script(&self) -> &Prepared {
        &self.script
    }

    pub(crate) fn add_module(&mut self, name: String, module: Prepared) {
        self.modules.insert(name, module);
    }

    /// A frame at its place in the original.
    pub(crate) fn original(&self, mut frame: Frame) -> Frame {
        let prepared =
            if frame.file == self.script_name { Some(&self.script) } else { self.modules.get(&frame.file) };
        if let Some(prepared) = prepared {
            let place = prepared.original_of_bytes(frame.line, frame.column);
            (frame.line, frame.column) = (place.line, place.column);
        }
        frame
    }

    /// A place of the main script in the original.
    pub(crate) fn in_script(&self, place: Position) -> Position {
        let place = self.script.original_of_bytes(place.line, place.column);
        Position { line: place.line, column: place.column }
    }
}
