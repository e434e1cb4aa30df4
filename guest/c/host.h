/* What the host lends the guest, and the kinds of what they tell each other. */
#ifndef HOST_H
#define HOST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __wasm__
#define HOST(name) __attribute__((import_module("intermission"), import_name(#name))) extern
#define EXPORT(name) __attribute__((export_name(#name), used))
#else /* a native build, for tests of single rooms: the test's main supplies the host's functions */
#define HOST(name) extern
#define EXPORT(name)
#endif

/* crates/engine/src/imports.rs is the other side. */

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
    MESSAGE_RANDOM = 10,     /* a read of randomness that is to be recorded: the number or the bytes, encoded */
    MESSAGE_TOO_LARGE = 9,   /* id: the kind of message that would have been larger than its limit; never returns */
};
/* Of the build alone, which makes the realm (memory/places.c, realm.c, run.c). */
enum { MESSAGE_BLOCK = 100 }; /* id: its number; bytes: u32 address, u32 size */
enum { COMPUTE_PLACES = 100, COMPUTE_REHEARSAL = 101, COMPUTE_FILE = 102 };
enum { ASK_CALL = 1, ASK_NORMALIZE = 2, ASK_LOAD = 3 };
enum { COMPUTE_URL_PARSE = 1, COMPUTE_URL_SET = 2 };
enum { PAUSE_FLAG = 0, PAUSE_FUEL = 1, PAUSE_TRAP = 2 };

#endif
