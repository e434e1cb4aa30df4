//! The points at which a process can be made to abort: for the crash matrix alone.

/// Everything that writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "crash-points", expect(missing_docs, reason = "each is the operation of its name"))]
#[cfg_attr(
    not(feature = "crash-points"),
    expect(unreachable_pub, reason = "public for the crash matrix alone")
)]
pub enum Write {
    Create,
    Append,
    Claim,
    Renew,
    PutDown,
    Resolve,
    Discard,
    Emit,
    Wish,
    Delete,
    DeleteOver,
    RememberFunctions,
    ClaimPoint,
    SettlePoint,
    ReleasePoint,
}

/// When in a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(
    not(feature = "crash-points"),
    expect(unreachable_pub, reason = "public for the crash matrix alone")
)]
pub enum Moment {
    /// Before its transaction.
    Before,
    /// After its statements, before the commit.
    Written,
    /// After the commit.
    Committed,
}

#[cfg(feature = "crash-points")]
mod armed {
    use std::fmt;
    use std::str::FromStr;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::{Moment, Write};

    impl Write {
        /// All of them.
        pub const ALL: [Self; 15] = [
            Self::Create,
            Self::Append,
            Self::Claim,
            Self::Renew,
            Self::PutDown,
            Self::Resolve,
            Self::Discard,
            Self::Emit,
            Self::Wish,
            Self::Delete,
            Self::DeleteOver,
            Self::RememberFunctions,
            Self::ClaimPoint,
            Self::SettlePoint,
            Self::ReleasePoint,
        ];
    }

    impl Moment {
        /// All of them.
        pub const ALL: [Self; 3] = [Self::Before, Self::Written, Self::Committed];
    }

    /// A moment of a write, the how many-th time that it comes. As a text: `append.committed.3`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct CrashPoint {
        /// Of which write.
        pub write: Write,
        /// When.
        pub moment: Moment,
        /// The how many-th time, from 1.
        pub time: usize,
    }

    impl CrashPoint {
        /// All points, the first time.
        pub fn all() -> impl Iterator<Item = Self> {
            let at = |write| Moment::ALL.map(move |moment| Self { write, moment, time: 1 });
            Write::ALL.into_iter().flat_map(at)
        }
    }

    impl fmt::Display for CrashPoint {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let text = format!("{:?}.{:?}.{}", self.write, self.moment, self.time);
            f.write_str(&text.to_lowercase())
        }
    }

    impl FromStr for CrashPoint {
        type Err = String;

        fn from_str(text: &str) -> Result<Self, String> {
            let (point, time) = text.rsplit_once('.').ok_or("a point is WRITE.MOMENT.TIME")?;
            let time = time.parse().map_err(|error| format!("{text}: {error}"))?;
            let found = Self::all().find(|known| known.to_string() == format!("{point}.1"));
            Ok(Self { time, ..found.ok_or_else(|| format!("{text} is no crash point"))? })
        }
    }

    /// Where the process aborts, and how often it was there.
    #[derive(Debug, Default)]
    pub(crate) struct Armed {
        point: Option<CrashPoint>,
        passed: AtomicUsize,
    }

    impl Armed {
        pub(crate) fn new(point: Option<CrashPoint>) -> Self {
            Self { point, passed: AtomicUsize::new(0) }
        }

        pub(crate) fn is_at(&self, write: Write) -> bool {
            self.point.is_some_and(|point| point.write == write)
        }

        pub(crate) fn pass(&self, write: Write, moment: Moment) {
            let Some(point) = self.point.filter(|point| (point.write, point.moment) == (write, moment))
            else {
                return;
            };
            if self.passed.fetch_add(1, Ordering::SeqCst) + 1 == point.time {
                std::process::abort();
            }
        }
    }
}

#[cfg(feature = "crash-points")]
pub(crate) use armed::Armed;
#[cfg(feature = "crash-points")]
pub use armed::CrashPoint;

/// Nothing, outside of the crash matrix.
#[cfg(not(feature = "crash-points"))]
#[derive(Debug, Default)]
pub(crate) struct Armed;

#[cfg(not(feature = "crash-points"))]
impl Armed {
    #[expect(clippy::unused_self, reason = "with the feature it has a point")]
    pub(crate) fn is_at(&self, _: Write) -> bool {
        false
    }

    pub(crate) fn pass(&self, write: Write, moment: Moment) {
        let _ = (self, write, moment);
    }
}
