/* Promises that were rejected with nobody listening. Those still unheard when the run ends are reported. */

typedef struct {
    JSValue promise, reason;
} Rejection;

static struct {
    Rejection *list;
    uint32_t count, capacity;
} unheard;

static void rejections_track(JSContext *ctx, JSValueConst promise, JSValueConst reason, bool handled, void *opaque)
{
    (void)opaque;
    if (handled) {
        for (uint32_t i = 0; i < unheard.count; i++) {
            if (JS_VALUE_GET_PTR(unheard.list[i].promise) != JS_VALUE_GET_PTR(promise))
                continue;
            JS_FreeValue(ctx, unheard.list[i].promise);
            JS_FreeValue(ctx, unheard.list[i].reason);
            memmove(&unheard.list[i], &unheard.list[i + 1], (--unheard.count - i) * sizeof *unheard.list);
            return;
        }
        return;
    }
    if (unheard.count == unheard.capacity) {
        uint32_t capacity = unheard.capacity ? unheard.capacity * 2 : 8;
        Rejection *grown = js_realloc(ctx, unheard.list, capacity * sizeof *grown);
        if (!grown) {
            JS_FreeValue(ctx, JS_GetException(ctx));
            return;
        }
        unheard.list = grown;
        unheard.capacity = capacity;
    }
    unheard.list[unheard.count++] = (Rejection){JS_DupValue(ctx, promise), JS_DupValue(ctx, reason)};
}

enum { UNHEARD_MOST = 100, UNHEARD_BYTES = 64 << 10 };

/* Tells the host of the first of them, but for the run's own promise. */
static void rejections_emit(JSContext *ctx, JSValueConst main_promise)
{
    for (uint32_t i = 0; i < unheard.count && i < UNHEARD_MOST; i++) {
        bool is_main = JS_IsObject(main_promise) && JS_VALUE_GET_PTR(unheard.list[i].promise) == JS_VALUE_GET_PTR(main_promise);
        if (!is_main)
            thrown_emit(ctx, MESSAGE_UNHANDLED, i, unheard.list[i].reason, UNHEARD_BYTES);
    }
}
