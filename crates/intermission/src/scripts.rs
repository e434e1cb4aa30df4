//! Scripts that were prepared lately.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use intermission_source::{Options, Prepared, SourceError, SourceKind, prepare};

/// What goes on from a run has its script, and so have many runs of one program: they are prepared once.
#[derive(Default)]
pub(crate) struct Scripts(Mutex<VecDeque<Kept>>);

struct Kept {
    source: String,
    kind: SourceKind,
    prepared: Arc<Prepared>,
}

/// So many, and none that is longer, in bytes.
const MOST: usize = 16;
const LONGEST: usize = 64 << 10;

impl Scripts {
    /// A script as the guest runs it.
    ///
    /// # Errors
    /// As [`prepare`].
    pub(crate) fn prepare(&self, source: &str, options: &Options) -> Result<Arc<Prepared>, SourceError> {
        if source.len() > LONGEST.min(options.max_bytes) {
            return Ok(Arc::new(prepare(source, options)?));
        }
        if let Some(prepared) = self.find(source, options.kind) {
            return Ok(prepared);
        }
        let prepared = Arc::new(prepare(source, options)?);
        let kept = Kept { source: source.to_owned(), kind: options.kind, prepared: Arc::clone(&prepared) };
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.truncate(MOST - 1);
        all.push_front(kept);
        Ok(prepared)
    }

    fn find(&self, source: &str, kind: SourceKind) -> Option<Arc<Prepared>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = all.iter().position(|kept| kept.kind == kind && kept.source == source)?;
        let prepared = Arc::clone(&all[at].prepared);
        if at > 0 {
            let kept = all.remove(at)?;
            all.push_front(kept);
        }
        Some(prepared)
    }
}

#[cfg(test)]
mod tests {
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
        assert_eq!(first, again);
    }

    #[test]
    fn what_is_kept_is_for_the_same_way_to_run_it_and_within_the_limit() {
        let scripts = Scripts::default();
        let with = |kind, max_bytes| scripts.prepare("await 1", &Options { kind, max_bytes });
        let [auto, module] = [SourceKind::Auto, SourceKind::Module].map(|kind| with(kind, 100).unwrap());
        assert_ne!(auto.kind, module.kind);
        assert!(matches!(with(SourceKind::Auto, 3), Err(SourceError::TooLarge { .. })));
    }
}
