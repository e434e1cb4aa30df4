/* What the guest's C files share: byte buffers, the rooms' entry points.
 *
 * The guest is one compilation unit: guest.c includes QuickJS-ng's quickjs.c and then each room, so that a room may use the
 * engine's internals (`JSContext`, class ids) without a patch to its sources. Everything here is `static`.
 */
#ifndef BRIDGE_H
#define BRIDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host.h"
#include "memory.h"

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
