//! One wasmtime engine with a pool of its own.
//!
//! A thread starts its runs on one lane and so do few others: pool slots, and the memory behind them, stay near one core. A pool shared
//! by all cores gains almost nothing from a second one.

use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::{Context, Poll, Waker};

use wasmtime::{
    Enabled, Engine, InstanceAllocationStrategy, InstancePre, ModuleExport, PoolingAllocationConfig, Result,
    Store,
};

use crate::guest::Guest;
use crate::imports::{self, State};
use crate::mailbox::Mailbox;
use crate::resting::Resting;
use crate::ticker::Running;
use crate::{Profile, raw, settings};

/// Memory that a freed slot keeps of what its run wrote, so that the next run finds its pages there; a small run writes seven. A run that grew its
/// memory keeps none of the image's: see [`Guest`].
const KEEP_RESIDENT: usize = 1 << 20;
const KEEP_RESIDENT_TABLE: usize = 16 << 10;

pub(crate) struct Lane {
    engine: Engine,
    full: OnceLock<Prepared>,
    bare: OnceLock<Prepared>,
    locked: OnceLock<Prepared>,
    making: Mutex<()>,
    slots: usize,
    free: AtomicUsize,
    pub(crate) running: Running,
    pub(crate) resting: Arc<Resting>,
}

/// A realm that was made when the program was built.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Image {
    Full,
    Bare,
    /// The bare one, none of whose built-ins can be changed.
    Locked,
}

impl From<Profile> for Image {
    fn from(profile: Profile) -> Self {
        match profile {
            Profile::Full => Self::Full,
            Profile::Bare => Self::Bare,
        }
    }
}

/// An image's module, ready to be instantiated.
pub(crate) struct Prepared {
    pub(crate) instance: InstancePre<State>,
    pub(crate) exports: Arc<Exports>,
}

/// Where the guest's exports are, found once.
pub(crate) struct Exports {
    pub(crate) memory: ModuleExport,
    pub(crate) stop: ModuleExport,
    pub(crate) start: ModuleExport,
    pub(crate) settle: ModuleExport,
    pub(crate) fire: ModuleExport,
    pub(crate) report: ModuleExport,
}

impl Lane {
    pub(crate) fn new(slots: u32) -> Result<Self> {
        let mut pool = PoolingAllocationConfig::new();
        pool.total_core_instances(slots)
            .total_memories(slots * 2)
            .total_tables(slots)
            .total_stacks(slots)
            .max_memories_per_module(2)
            .max_memory_size(1 << 32)
            .table_elements(8192)
            .linear_memory_keep_resident(KEEP_RESIDENT)
            .table_keep_resident(KEEP_RESIDENT_TABLE)
            // Where the kernel has it, only the pages that a run dirtied are reset; elsewhere all that is kept.
            .pagemap_scan(Enabled::Auto);
        let mut config = settings::settings();
        config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
        Ok(Self {
            engine: Engine::new(&config)?,
            full: OnceLock::new(),
            bare: OnceLock::new(),
            locked: OnceLock::new(),
            making: Mutex::new(()),
            slots: slots as usize,
            free: AtomicUsize::new(slots as usize),
            running: Running::default(),
            resting: Arc::default(),
        })
    }

    pub(crate) fn slots(&self) -> usize {
        self.slots
    }

    /// Takes a slot; `false` when none is free.
    pub(crate) fn take_slot(&self) -> bool {
        self.free.fetch_update(Ordering::AcqRel, Ordering::Acquire, |free| free.checked_sub(1)).is_ok()
    }

    pub(crate) fn give_slot_back(&self) {
        self.free.fetch_add(1, Ordering::AcqRel);
    }

    /// The module of `image`, loaded the first time that it is wanted.
    pub(crate) fn prepared(&self, image: Image) -> Result<&Prepared> {
        let (cell, code) = match image {
            Image::Full => (&self.full, FULL),
            Image::Bare => (&self.bare, BARE),
            Image::Locked => (&self.locked, LOCKED),
        };
        if let Some(prepared) = cell.get() {
            return Ok(prepared);
        }
        let _one_at_a_time = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if cell.get().is_none() {
            let _ = cell.set(self.prepare(code)?);
        }
        cell.get().ok_or_else(|| wasmtime::Error::msg("it has just been set"))
    }

    fn prepare(&self, code: &[u8]) -> Result<Prepared> {
        let module = raw::load(&self.engine, code)?;
        let export = |name: &str| {
            module.get_export_index(name).ok_or_else(|| wasmtime::Error::msg(format!("no export `{name}`")))
        };
        let exports = Arc::new(Exports {
            memory: export("memory")?,
            stop: export("stop")?,
            start: export("start")?,
            settle: export("settle")?,
            fire: export("fire")?,
            report: export("report")?,
        });
        Ok(Prepared { instance: imports::linker(&self.engine)?.instantiate_pre(&module)?, exports })
    }

    pub(crate) fn instantiate(&self, image: Image, mailbox: &Mailbox) -> Result<Guest> {
        let prepared = self.prepared(image)?;
        let state = State { mailbox: mailbox.clone(), memory: None, flag: None };
        let mut store = Store::new(&self.engine, state);
        store.limiter(|state| state);
        // Wants to be asynchronous because some imports are; nothing in it waits.
        let instantiation = pin!(prepared.instance.instantiate_async(&mut store))
            .poll(&mut Context::from_waker(Waker::noop()));
        let Poll::Ready(instance) = instantiation else {
            return Err(wasmtime::Error::msg("an instantiation waits for something"));
        };
        let instance = instance?;
        Guest::new(store, instance, Arc::clone(&prepared.exports))
    }
}

const FULL: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/full.cwasm"));
const LOCKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/locked.cwasm"));
const BARE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/bare.cwasm"));
