/* Fuel: QuickJS's own count of backward jumps and calls, made exact.
 *
 * `ctx->interrupt_counter` runs down by one at each of them and calls `fuel_poll` at zero. It is handed out in chunks, the last of
 * them cut to what is left, so that the same script stops at the same jump on every machine. Regular expressions
 * count their own steps, in ten thousands. At the end of each chunk the host is asked whether the guest should pause: the
 * interpreter's own loops can be stopped for good but do not pause (guest/src/stop_checks.rs).
 */

#define REGEXP_STEPS 10000 /* INTERRUPT_COUNTER_INIT of libregexp.c */

static struct {
    uint64_t limit; /* 0: none */
    uint64_t spent; /* in chunks that are over */
    int chunk;      /* what `ctx->interrupt_counter` began with */
} fuel;

static uint64_t fuel_used(JSContext *ctx)
{
    return fuel.spent + (uint64_t)(fuel.chunk - ctx->interrupt_counter);
}

/* Hands out the next chunk. */
static void fuel_refill(JSContext *ctx)
{
    uint64_t left = fuel.limit ? fuel.limit - fuel.spent : UINT64_MAX;
    fuel.chunk = left < JS_INTERRUPT_COUNTER_INIT ? (int)left : JS_INTERRUPT_COUNTER_INIT;
    ctx->interrupt_counter = fuel.chunk;
}

static void fuel_close_chunk(JSContext *ctx)
{
    fuel.spent = fuel_used(ctx);
    fuel.chunk = ctx->interrupt_counter = 0;
    if (fuel.limit && fuel.spent >= fuel.limit) {
        fuel.spent = fuel.limit;
        host_pause(PAUSE_FUEL); /* never returns */
    }
}

static int fuel_poll(JSContext *ctx, void *opaque)
{
    (void)opaque;
    /* The engine has just set the counter anew: the chunk is spent whole. */
    ctx->interrupt_counter = 0;
    fuel_close_chunk(ctx);
    host_pause(PAUSE_FLAG);
    fuel_refill(ctx);
    return 0;
}

/* libregexp's poll, by another name: see the compiler flags. */
int bridge_lre_check_timeout(void *opaque)
{
    JSContext *ctx = opaque;
    fuel_close_chunk(ctx);
    fuel.spent += REGEXP_STEPS;
    fuel_close_chunk(ctx);
    host_pause(PAUSE_FLAG);
    fuel_refill(ctx);
    return 0;
}

static void fuel_start(JSContext *ctx, uint64_t limit)
{
    fuel.limit = limit;
    fuel.spent = 0;
    fuel_refill(ctx);
    JS_SetInterruptHandler(JS_GetRuntime(ctx), fuel_poll, NULL);
}
