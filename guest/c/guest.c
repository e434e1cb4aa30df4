/* The program inside the sandbox: QuickJS-ng, the bridge to the host, and a realm. One compilation unit; a file a room.
 * Memory is a unit of its own (memory/memory.c).
 *
 *   platform     what libc asks of an operating system
 *   buffer       growing bytes
 *   frame        what a run begins with, as the host describes it
 *   value        what crosses the boundary (docs/values.md)
 *   natives      what guest/js is written on
 *   fuel         the deterministic meter, and where the host may pause the guest
 *   promises     what the host settles
 *   calls        host functions, and the calls that wait
 *   modules      ES modules, loaded through the host
 *   thrown       errors, told to the host
 *   rejections   promises rejected with nobody listening
 *   strings      what QuickJS's strings do slowly
 *   realm        runtime, intrinsics, guest/js: made at build time
 *   run          the exports: start, settle, fire
 *
 * Boundary discipline: every byte from the host comes through `host_take`, every byte to it through `host_emit` and
 * `host_ask`; the host reads and writes guest memory nowhere else.
 */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
/* Weak: memory/memory.c has others. */
#pragma weak js_malloc_rt
#pragma weak js_calloc_rt
#pragma weak js_realloc_rt
#pragma weak js_free_rt
#pragma weak js_malloc_usable_size_rt
#include "quickjs.c"
#pragma clang diagnostic pop

#include "bridge.h"

_Static_assert(offsetof(JSRuntime, malloc_state.malloc_count) == offsetof(RuntimeHead, blocks) &&
               offsetof(JSRuntime, malloc_state.malloc_size) == offsetof(RuntimeHead, bytes), "RuntimeHead is how a JSRuntime begins");

/* The name of the script in stack traces. */
static const char *script_name = "script.js";

/* Bytes that the arguments of a call, and a result, may take. The host checks them again. */
static uint32_t limit_arguments, limit_result;

#include "platform.c"
#include "buffer.c"
#include "frame.c"
#include "value.c"
#include "natives.c"
#include "fuel.c"
#include "promises.c"
#include "calls.c"
#include "thrown.c"
#include "modules.c"
#include "rejections.c"
#include "strings.c"
#include "realm.c"
#include "run.c"
