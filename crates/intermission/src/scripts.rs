//! Scripts that were prepared lately.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use intermission_source::{CallPlaces, Options, Position, Prepared, SourceError, prepare};

/// What goes on from a run has its script, and so have many runs of one program: they are prepared once.
#[derive(Default)]
pub(crate) struct Scripts(Mutex<VecDeque<Arc<Script>>>);

/// A script, as it was written and as the guest runs it.
#[derive(Debug)]
pub(crate) struct Script {
    source: String,
    options: Options,
    pub(crate) prepared: Prepared,
    /// Its calls, looked up when one is told of.
    calls: OnceLock<Option<CallPlaces>>,
}

/// So many, and none that is longer, in bytes.
const MOST: usize = 16;
const LONGEST: usize = 64 << 10;

impl Scripts {
    /// A script as the guest runs it.
    ///
    /// # Errors
    /// As [`prepare`].
    pub(crate) fn prepare(&self, source: &str, options: &Options) -> Result<Arc<Script>, SourceError> {
        if source.len() > LONGEST.min(options.max_bytes) {
            return Script::new(source, options);
        }
        if let Some(script) = self.find(source, options) {
            return Ok(script);
        }
        let script = Script::new(source, options)?;
        let mut all = self.all();
        all.truncate(MOST - 1);
        all.push_front(Arc::clone(&script));
        Ok(script)
    }

    fn find(&self, source: &str, options: &Options) -> Option<Arc<Script>> {
        let mut all = self.all();
        let is_it = |script: &Arc<Script>| script.options.kind == options.kind && script.source == source;
        let at = all.iter().position(is_it)?;
        let script = all.remove(at)?;
        all.push_front(Arc::clone(&script));
        Some(script)
    }

    fn all(&self) -> MutexGuard<'_, VecDeque<Arc<Script>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Script {
    fn new(source: &str, options: &Options) -> Result<Arc<Self>, SourceError> {
        let prepared = prepare(source, options)?;
        let (source, options) = (source.to_owned(), *options);
        Ok(Arc::new(Self { source, options, prepared, calls: OnceLock::new() }))
    }

    /// Where the call of `function` is named that has the place `inside`.
    pub(crate) fn name_of_call(&self, function: &str, inside: Position) -> Option<Position> {
        let calls = self.calls.get_or_init(|| CallPlaces::of(&self.source, &self.options).ok());
        calls.as_ref()?.name(function, inside)
    }
}

#[cfg(test)]
mod tests {
    use intermission_source::SourceKind;

    use super::*;

    #[test]
    fn a_script_is_prepared_once_and_the_one_that_was_not_used_for_longest_goes() {
        let scripts = Scripts::default();
        let get = |source: &str| scripts.prepare(source, &Options::default()).unwrap();
        let first = get("return 1");
        assert!(Arc::ptr_eq(&first, &get("return 1")));
        for other in 0..MOST {
            get(&format!("return {}", other + 2));
            assert!(Arc::ptr_eq(&first, &get("return 1")), "it was used a moment ago");
        }
        for other in 0..MOST {
            get(&format!("return -{other}"));
        }
        let again = get("return 1");
        assert!(!Arc::ptr_eq(&first, &again));
        assert_eq!(first.prepared, again.prepared);
    }

    #[test]
    fn what_is_kept_is_for_the_same_way_to_run_it_and_within_the_limit() {
        let scripts = Scripts::default();
        let with = |kind, max_bytes| scripts.prepare("await 1", &Options { kind, max_bytes });
        let [auto, module] = [SourceKind::Auto, SourceKind::Module].map(|kind| with(kind, 100).unwrap());
        assert_ne!(auto.prepared.kind, module.prepared.kind);
        assert!(matches!(with(SourceKind::Auto, 3), Err(SourceError::TooLarge { .. })));
    }
}
