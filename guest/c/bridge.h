/* What the guest's C files share: the host's functions, byte buffers, the rooms' entry points.
 *
 * The guest is one compilation unit: guest.c includes QuickJS-ng's quickjs.c and then each room, so that a room may use the
 * engine's internals (`JSContext`, class ids) without a patch to its sources. Everything here is `static`.
 */
#ifndef BRIDGE_H
#define BRIDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __wasm__
#define HOST(name) __attribute__((import_module("intermission"), import_name(#name))) extern
#define EXPORT(name) __attribute__((export_name(#name), used))
#else /* a native build, for tests of single rooms: the test's main supplies the host's functions */
#define HOST(name) extern
#define EXPORT(name)
#endif

/* --- what the host lends (crates/engine/src/imports.rs is the other side) ------------------------------------------ */

/* Copies the bytes that the host holds for the guest to `to`; their number was told with the event that announced them. */
HOST(take) void host_take(void *to);
/* Tells the host something; nothing comes back. `kind` is a MESSAGE_ below. */
HOST(emit) void host_emit(int32_t kind, uint32_t id, const void *bytes, size_t length);
/* Asks the host and blocks until it answers. `kind` is an ASK_ below. The number of bytes to take, with ANSWER_REJECTED set for a rejection. */
HOST(ask) uint32_t host_ask(int32_t kind, uint32_t id, const void *bytes, size_t length);
/* Pure computations in the host (URLs). The number of bytes to take, or COMPUTE_NONE for "no such thing". */
HOST(compute) uint32_t host_compute(int32_t kind, const void *bytes, size_t length);
/* The run's clock, whole milliseconds. */
HOST(now) double host_now(void);
/* The guest is asked to stop for a while or for good: the host suspends it or never returns. `why` is a PAUSE_ below. */
HOST(pause) void host_pause(int32_t why);

#define ANSWER_REJECTED 0x80000000u
#define COMPUTE_NONE 0xffffffffu

enum {
    MESSAGE_CALL = 1,        /* id: the call; bytes: calls.c, encode_call */
    MESSAGE_TIMER_SET = 2,   /* id: the timer; bytes: f64 delay in milliseconds */
    MESSAGE_TIMER_CLEAR = 3, /* id: the timer */
    MESSAGE_CONSOLE = 4,     /* u32 length, encoded [method, text] of that length, encoded arguments */
    MESSAGE_VALUE = 5,       /* the run's value, encoded */
    MESSAGE_THROWN = 6,      /* what ended the run (thrown.c) */
    MESSAGE_DATA = 7,        /* the final state of `data`, encoded */
    MESSAGE_UNHANDLED = 8,   /* a rejection that nobody handles; bytes as MESSAGE_THROWN */
    MESSAGE_TOO_LARGE = 9,   /* id: the kind of message that would have been larger than its limit; never returns */
};
enum { ASK_CALL = 1, ASK_NORMALIZE = 2, ASK_LOAD = 3 };
enum { COMPUTE_URL_PARSE = 1, COMPUTE_URL_SET = 2 };
enum { PAUSE_FLAG = 0, PAUSE_FUEL = 1, PAUSE_TRAP = 2 };

/* --- buffer.c: byte buffers ------------------------------------------------------------------------------------------ */

/* A growing run of bytes, from malloc. `failed` is sticky: `limit` passed (then `too_large` too), or out of memory. A write that
 * fails writes nothing, so a whole message may be written before `failed` is looked at. */
typedef struct {
    uint8_t *bytes;
    size_t length, capacity, limit;
    bool failed, too_large;
} Buffer;

/* An empty one, which takes up to `limit` bytes. Nothing is allocated yet. */
static Buffer buffer_new(size_t limit);
/* Frees the bytes; the buffer is empty again, and has not failed. */
static void buffer_free(Buffer *buffer);
/* Room for `more` bytes behind the last, to be written there and added to `length`; NULL when it failed. */
static uint8_t *buffer_reserve(Buffer *buffer, size_t more);
static void buffer_put(Buffer *buffer, const void *bytes, size_t length);
static void buffer_put_u8(Buffer *buffer, uint8_t byte);
/* Appends `byte` so many times. */
static void buffer_fill(Buffer *buffer, uint8_t byte, size_t length);

/* --- value.c: docs/values.md ----------------------------------------------------------------------------------------- */

enum {
    ENCODE_STRICT = 0,
    /* For structuredClone: a class instance becomes a plain object, as HTML's StructuredSerialize does. */
    ENCODE_INSTANCES = 1,
    /* For the console: what cannot cross becomes a short text in its place ("[Function: f]"), getters are not run. */
    ENCODE_DESCRIBE = 2,
};

/* Appends the byte form of `value` to `out`, whose limit counts all its bytes. `root` begins the path in an error ("args",
 * "the result"). 0, or -1 with an exception pending and `out` as long as before: a TypeError (own properties `code`, "VALUE_REFUSED" or
 * "VALUE_TOO_LARGE", and `path`), what a getter threw, the engine's own for memory and stack. Getters may run (not with
 * ENCODE_DESCRIBE), and with them anything. */
static int value_encode(JSContext *ctx, Buffer *out, JSValueConst value, const char *root, int mode);
/* The value of `bytes`, or JS_EXCEPTION: a TypeError with `code` "VALUE_MALFORMED" and `reason` (one of docs/values.md), the engine's
 * own for memory and stack. Runs no code of the guest, but for Error.prepareStackTrace when it throws. */
static JSValue value_decode(JSContext *ctx, const uint8_t *bytes, size_t length);

/* --- natives.c: the functions that guest/js is written on ---------------------------------------------------------------- */

/* The object `native` that every file of guest/js is called with. */
static JSValue natives_new(JSContext *ctx);
/* Fires timer `id` (calls what `native.onTimer` was given). 0, or -1 with an exception pending. */
static int natives_fire_timer(JSContext *ctx, uint32_t id);

#endif
