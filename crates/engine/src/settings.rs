//! The settings that compiled code depends on: the build script compiles with them, the engine loads with them.

use wasmtime::Config;

/// The native stack that a guest may use. QuickJS counts its own (shadow) stack; the deepest of the hostile scripts that were tried take some
/// thirty times as much native stack as shadow stack.
pub(crate) const NATIVE_STACK: usize = 32 << 20;

pub(crate) fn settings() -> Config {
    let mut config = Config::new();
    config
        // The second memory, with the stop flag, and the atomic load of it.
        .wasm_multi_memory(true)
        .wasm_threads(true)
        // Two machines must agree bit for bit.
        .wasm_relaxed_simd(false)
        .memory_init_cow(true)
        .generate_address_map(false)
        .native_unwind_info(false)
        .max_wasm_stack(NATIVE_STACK)
        .async_stack_size(NATIVE_STACK + (512 << 10));
    config
}
