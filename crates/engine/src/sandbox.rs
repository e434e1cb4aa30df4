//! One fresh instance of the guest, used for one invocation, then dropped.

use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use crate::engine::{Slot, Start};
use crate::frame;
use crate::guest::{Entry, Guest, Left};
use crate::mailbox::{Letters, Mailbox};
use crate::meter::Meter;
use crate::raw::{ImagePages, StopFlag};
use crate::resting::Rest;
use crate::step::{ConsoleEntry, Event, Outcome, Request, Step};
use crate::{Exhausted, Limit, Stop, Stopper, Thrown};

/// A running script, entered a slice at a time.
///
/// It waits nowhere and knows no clock but its run's: whoever drives it calls [`advance`](Self::advance) with an event, does what the script
/// [`requests`](Self::take_requests), and comes back with outcomes. It may move between threads between two slices. Dropping it ends the
/// script wherever it stands; nothing in the guest sees that.
pub struct Sandbox {
    // Before the slot: an instance leaves its pool place before another may have it.
    phase: Phase,
    mailbox: Mailbox,
    start: Option<Vec<u8>>,
    usage: Usage,
    /// Ticks without a pause after which the guest is stopped.
    patience: u32,
    slot: Slot,
}

/// What comes back of a slice.
type Back = (Box<Guest>, wasmtime::Result<Left>);
type Slice = Pin<Box<dyn Future<Output = Back> + Send>>;

/// A rest ends before what rests is entered or dropped: it comes first, since fields are dropped in their order.
enum Phase {
    /// Between two slices.
    Resting(Rest, Box<Guest>),
    /// Within a slice: it asked something, or stands still for others.
    Suspended(Rest, Slice, Within),
    /// It has ended, one way or another.
    Spent,
}

/// What is known of a guest while its slice has it.
#[derive(Clone, Copy)]
struct Within {
    flag: StopFlag,
    pages: ImagePages,
}

/// What a sandbox has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// CPU time of the guest's slices.
    pub cpu: Duration,
    /// Backward jumps and calls: the same on every machine. As of the last finished slice.
    pub fuel: u64,
    /// The most linear memory that the guest had, in bytes.
    pub memory: u64,
    /// Host calls and module requests.
    pub calls: u32,
    /// Bytes of the console's entries.
    pub console: u64,
}

impl Sandbox {
    pub(crate) fn new(slot: Slot, guest: Guest, mailbox: Mailbox, start: &Start<'_>) -> Self {
        Self {
            phase: Phase::Resting(slot.rest(guest.image_pages()), Box::new(guest)),
            mailbox,
            start: Some(frame::start(start)),
            usage: Usage::default(),
            patience: u32::MAX,
            slot,
        }
    }

    /// Runs the guest until it is idle, has ended, asks something, or has computed for a while.
    ///
    /// # Errors
    /// [`Stop`] when a limit is hit, the guest was stopped from outside, or it trapped. The sandbox is spent then; its requests and console can still be taken.
    ///
    /// # Panics
    /// When `event` does not fit: `Start` twice, `Answered` or `Resumed` without a question or a yield, anything after the end.
    pub fn advance(&mut self, event: Event) -> Result<Step, Stop> {
        let resumed = matches!(event, Event::Resumed);
        let (mut slice, within) = match (std::mem::replace(&mut self.phase, Phase::Spent), self.entry(event))
        {
            (Phase::Resting(rest, guest), Some(entry)) => {
                drop(rest);
                let within = Within { flag: guest.flag, pages: guest.image_pages() };
                (Box::pin(guest.enter(entry)) as Slice, within)
            }
            (Phase::Suspended(rest, slice, within), None) => {
                drop(rest);
                (slice, within)
            }
            (Phase::Resting(..) | Phase::Suspended(..), _) => {
                panic!("the event does not fit where the sandbox stands")
            }
            (Phase::Spent, _) => panic!("the sandbox is spent"),
        };
        let (polled, stopped) = self.compute(&mut slice, within.flag, resumed);
        let mut letters = self.mailbox.open();
        self.usage.memory = letters.memory;
        self.usage.calls = letters.calls;
        self.usage.console = letters.console_bytes;
        let (guest, left) = match polled {
            Poll::Ready(done) => done,
            Poll::Pending => {
                let step = letters.question.take().map_or(Step::Yielded, Step::Blocked);
                let yielding = std::mem::take(&mut letters.yielding);
                debug_assert!(yielding || step != Step::Yielded);
                self.phase = Phase::Suspended(self.slot.rest(within.pages), slice, within);
                return Ok(step);
            }
        };
        match left {
            Ok(left) if left.ended => {
                self.usage.fuel = left.fuel;
                letters
                    .end()
                    .map(Step::Ended)
                    .ok_or_else(|| Stop::Trapped("an end without a value".to_owned()))
            }
            Ok(left) => {
                self.usage.fuel = left.fuel;
                self.phase = Phase::Resting(self.slot.rest(within.pages), guest);
                Ok(Step::Idle)
            }
            Err(trap) => {
                let stop = letters.stop.take().unwrap_or_else(|| {
                    if stopped { Stop::Stopped } else { Stop::Trapped(format!("{trap:#}")) }
                });
                if let Stop::Exhausted(Exhausted { limit: Limit::Fuel, used, .. }) = stop {
                    self.usage.fuel = used;
                }
                Err(stop)
            }
        }
    }

    /// For how many ticks the guest may compute, from one [`advance`](Self::advance) on, without coming back; then it is stopped for good
    /// ([`Stop::Stopped`]). It comes back long before, but for the few loops that cannot pause. Default: [`u32::MAX`], for ever.
    pub fn stop_after(&mut self, ticks: u32) {
        self.patience = ticks;
    }

    /// [`stop_after`](Self::stop_after) the ticks that surely last for `span`: `span` is over whenever the guest is stopped. For ever in an engine that
    /// does not tick of itself.
    pub fn stop_after_span(&mut self, span: Duration) {
        self.stop_after(self.slot.ticks_in(span));
    }

    /// What stops it from another thread.
    pub fn stopper(&self) -> Stopper {
        self.slot.stopper()
    }

    /// Polls the slice once, on the meter and in the ticker's sight. Gives whether it was to stop, too.
    fn compute(&mut self, slice: &mut Slice, flag: StopFlag, resumed: bool) -> (Poll<Back>, bool) {
        let entered = self.slot.lane().running.enter(self.slot.sandbox, flag, self.patience);
        self.slot.keep_awake();
        let meter = Meter::start(resumed);
        let polled = slice.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        self.usage.cpu += meter.read();
        (polled, entered.leave())
    }

    /// The export that `event` calls, its bytes put ready; `None` where the guest goes on in the middle.
    fn entry(&mut self, event: Event) -> Option<Entry> {
        let mut letters = self.mailbox.open();
        match event {
            Event::Start => {
                letters.inbox = self.start.take().expect("a sandbox starts once");
                Some(Entry::Start { length: letters.inbox.len() as u32 })
            }
            Event::Settled { call, outcome } => {
                letters.settled(call);
                let (rejected, length) = put(&mut letters, outcome);
                Some(Entry::Settle { call, rejected, length })
            }
            Event::Due(timer) => {
                letters.timer_gone();
                Some(Entry::Fire { timer })
            }
            Event::Report => Some(Entry::Report),
            Event::Answered(outcome) => {
                letters.answer = Some(put(&mut letters, outcome).0);
                None
            }
            Event::Resumed => None,
        }
    }

    /// What the script has asked for since the last time, in order.
    pub fn take_requests(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.mailbox.open().requests)
    }

    /// The same, put behind what `requests` has: no memory is asked for where it has room.
    pub fn take_requests_into(&mut self, requests: &mut Vec<Request>) {
        requests.append(&mut self.mailbox.open().requests);
    }

    /// What came on the console since the last time, in order.
    pub fn take_console(&mut self) -> Vec<ConsoleEntry> {
        self.mailbox.open().console()
    }

    /// What [`Event::Report`] told.
    pub fn take_data(&mut self) -> Option<Result<Vec<u8>, Thrown>> {
        self.mailbox.open().data()
    }

    /// The rejections that nobody handles, as [`Event::Report`] told.
    pub fn take_unhandled(&mut self) -> Vec<Thrown> {
        self.mailbox.open().unhandled()
    }

    /// Whether it stands between two slices: neither in one, nor spent.
    pub fn is_resting(&self) -> bool {
        matches!(self.phase, Phase::Resting(..))
    }

    /// What has been used.
    pub fn usage(&self) -> Usage {
        self.usage
    }
}

fn put(letters: &mut Letters, outcome: Outcome) -> (bool, u32) {
    let (rejected, bytes) = match outcome {
        Outcome::Fulfilled(bytes) => (false, bytes),
        Outcome::Rejected(bytes) => (true, bytes),
    };
    letters.inbox = bytes;
    (rejected, letters.inbox.len() as u32)
}

impl std::fmt::Debug for Sandbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let phase = match self.phase {
            Phase::Resting(..) => "resting",
            Phase::Suspended(..) => "suspended",
            Phase::Spent => "spent",
        };
        f.debug_struct("Sandbox").field("phase", &phase).field("usage", &self.usage).finish_non_exhaustive()
    }
}
