/* The exports. Each runs one slice: the guest computes until its job queue is empty, then tells how it stands. */

enum { STATUS_IDLE = 0, STATUS_ENDED = 1 };
enum { START_MODULE = 1, START_ALLOW_EVAL = 2, START_RECORD_READS = 4 };
enum { ABSENT = 0xffffffff };

static struct {
    JSContext *ctx;
    JSValue main;        /* the promise of the run's value */
    JSModuleDef *module; /* the main module while its evaluation is what `main` waits for */
    bool ended;
} run;

/* Sends a value, or what went wrong with it. */
static void emit_value(JSContext *ctx, int kind, JSValueConst value, const char *root)
{
    Buffer out = buffer_new(limit_result);
    value_was_refused = false;
    if (value_encode(ctx, &out, value, root, ENCODE_STRICT)) {
        if (out.too_large)
            host_emit(MESSAGE_TOO_LARGE, (uint32_t)kind, NULL, 0);
        mark_refusal(ctx);
        JSValue error = JS_GetException(ctx);
        thrown_emit(ctx, MESSAGE_THROWN, (uint32_t)kind, error, limit_result);
        JS_FreeValue(ctx, error);
    } else {
        host_emit(kind, 0, out.bytes, out.length);
    }
    buffer_free(&out);
}

static void emit_data(JSContext *ctx)
{
    JSAtom name = JS_NewAtom(ctx, "data");
    /* A locked realm has none. */
    JSValue data = realm_is_locked() ? JS_UNDEFINED : JS_GetProperty(ctx, ctx->global_obj, name);
    JS_FreeAtom(ctx, name);
    if (JS_IsException(data)) {
        take_pending_exception(ctx);
        return;
    }
    emit_value(ctx, MESSAGE_DATA, data, "data");
    JS_FreeValue(ctx, data);
}

static void end_with_exception(JSContext *ctx)
{
    JSValue error = JS_GetException(ctx);
    thrown_emit(ctx, MESSAGE_THROWN, 0, error, limit_result);
    JS_FreeValue(ctx, error);
    run.ended = true;
}

/* The value of a module that has been evaluated: its default export. */
static JSValue module_value(JSContext *ctx, JSModuleDef *module)
{
    JSValue namespace = JS_GetModuleNamespace(ctx, module);
    if (JS_IsException(namespace))
        return namespace;
    JSValue value = JS_UNDEFINED;
    if (JS_HasProperty(ctx, namespace, JS_ATOM_default) > 0)
        value = JS_GetProperty(ctx, namespace, JS_ATOM_default);
    JS_FreeValue(ctx, namespace);
    return value;
}

/* Makes `value`, or the exception pending, what the run waits for. */
static void await_value(JSContext *ctx, JSValue value)
{
    JS_FreeValue(ctx, run.main);
    run.main = JS_UNDEFINED;
    if (JS_IsException(value)) {
        end_with_exception(ctx);
        return;
    }
    if (JS_IsPromise(value)) {
        run.main = value;
        return;
    }
    run.main = js_promise_resolve(ctx, ctx->promise_ctor, 1, vc(&value), 0);
    JS_FreeValue(ctx, value);
    if (JS_IsException(run.main)) {
        run.main = JS_UNDEFINED;
        end_with_exception(ctx);
    }
}

static void run_jobs(JSContext *ctx)
{
    JSContext *of;
    int ran;
    while ((ran = JS_ExecutePendingJob(JS_GetRuntime(ctx), &of)) != 0) {
        /* A job that throws is a fault of the engine's own reactions; the script's are promises. */
        if (ran < 0) {
            end_with_exception(of);
            return;
        }
    }
}

static int64_t finish_slice(JSContext *ctx)
{
    while (!run.ended) {
        run_jobs(ctx);
        if (run.ended)
            break;
        JSPromiseStateEnum state = JS_PromiseState(ctx, run.main);
        if (state == JS_PROMISE_PENDING)
            break;
        JSValue result = JS_PromiseResult(ctx, run.main);
        if (state == JS_PROMISE_FULFILLED && run.module) {
            JSModuleDef *module = run.module;
            run.module = NULL;
            JS_FreeValue(ctx, result);
            await_value(ctx, module_value(ctx, module));
            continue;
        }
        run.ended = true;
        if (state == JS_PROMISE_FULFILLED)
            emit_value(ctx, MESSAGE_VALUE, result, "the result");
        else
            thrown_emit(ctx, MESSAGE_THROWN, 0, result, limit_result);
        JS_FreeValue(ctx, result);
    }
    if (run.ended) {
        emit_data(ctx);
        rejections_emit(ctx, run.main);
    }
    return (int64_t)(fuel_used(ctx) << 8 | (run.ended ? STATUS_ENDED : STATUS_IDLE));
}

static void set_global(JSContext *ctx, const char *name, JSValue value)
{
    JS_DefinePropertyValueStr(ctx, ctx->global_obj, name, value, GLOBAL_FLAGS);
}

static void start_value(JSContext *ctx, Reader *reader, const char *name)
{
    uint32_t length = read_u32(reader);
    if (length != ABSENT)
        set_global(ctx, name, value_decode(ctx, read_bytes(reader, length), length));
}

/* The function that the text of a function body, wrapped by the host, evaluates to; called. */
static JSValue start_body(JSContext *ctx, const char *text, size_t length)
{
    JSValue body = __JS_EvalInternal(ctx, ctx->global_obj, text, length, script_name, 0, JS_EVAL_TYPE_GLOBAL, -1);
    if (JS_IsException(body))
        return body;
    JSValue promise = JS_Call(ctx, body, JS_UNDEFINED, 0, NULL);
    JS_FreeValue(ctx, body);
    return promise;
}

static JSValue start_module(JSContext *ctx, const char *text, size_t length)
{
    run.module = module_compile(ctx, text, length, script_name);
    if (!run.module)
        return JS_EXCEPTION;
    return JS_EvalFunction(ctx, JS_DupValue(ctx, JS_MKPTR(JS_TAG_MODULE, run.module)));
}

/* Begins the run that the `length` bytes which the host holds describe. */
EXPORT(start) int64_t start(uint32_t length)
{
    JSContext *ctx = run.ctx;
    JSRuntime *runtime = JS_GetRuntime(ctx);
    JS_UpdateStackTop(runtime);
    uint8_t *frame = js_malloc(ctx, length);
    if (!frame)
        __builtin_trap();
    host_take(frame);
    Reader reader = {frame};
    uint32_t flags = read_u32(&reader);
    JS_SetMaxStackSize(runtime, read_u32(&reader));
    uint64_t fuel_limit = read_u64(&reader);
    limit_arguments = read_u32(&reader);
    limit_result = read_u32(&reader);
    const uint8_t *seed = read_bytes(&reader, 32);
    memcpy(&ctx->random_state, seed, sizeof ctx->random_state);
    ctx->random_state |= 1;
    natives_seed(seed);
    natives_started = host_now();
    if (!(flags & START_ALLOW_EVAL))
        ctx->eval_internal = refuse_eval;
    if (flags & START_RECORD_READS)
        random_record(ctx);
    calls_lend(ctx, &reader);
    start_value(ctx, &reader, "input");
    start_value(ctx, &reader, "data");
    script_name = read_text(&reader); /* the frame stays; the text has a NUL behind it, too */
    uint32_t text_length = read_u32(&reader);
    const char *text = (const char *)read_bytes(&reader, text_length);
    run.main = JS_UNDEFINED;
    fuel_start(ctx, fuel_limit);
    await_value(ctx, flags & START_MODULE ? start_module(ctx, text, text_length) : start_body(ctx, text, text_length));
    return finish_slice(ctx);
}

/* Gives call `id` its outcome: the `length` bytes that the host holds. */
EXPORT(settle) int64_t settle(uint32_t id, uint32_t rejected, uint32_t length)
{
    JS_UpdateStackTop(JS_GetRuntime(run.ctx));
    calls_settle(run.ctx, id, rejected, length);
    return finish_slice(run.ctx);
}

/* Timer `id` is due. */
EXPORT(fire) int64_t fire(uint32_t id)
{
    JS_UpdateStackTop(JS_GetRuntime(run.ctx));
    if (natives_fire_timer(run.ctx, id))
        end_with_exception(run.ctx);
    return finish_slice(run.ctx);
}

/* Sends `data` as it is now, and the rejections that nobody handles, of a run that has not ended. */
EXPORT(report) int64_t report(void)
{
    JS_UpdateStackTop(JS_GetRuntime(run.ctx));
    emit_data(run.ctx);
    rejections_emit(run.ctx, run.main);
    return (int64_t)(fuel_used(run.ctx) << 8 | STATUS_IDLE);
}

/* What nearly every run does, so that the build sees what it writes to. */
static void rehearse(JSContext *ctx)
{
    /* Two entries; a group of one: function 0, which does not block. */
    static const char functions[] = "\2\0\0\0" "\1\0\0\0" "\6\0\0\0group\0" "\0\0\0\0" "\0\0\0\0" "\5\0\0\0call";
    static const char text[] = "(async()=>{\nconst rows = []; for (let n = 0; n < 2; n++) rows.push(await group.call({ n })); return rows.length\n})";
    static const uint8_t row[] = {0xa1, 0x61, 'n', 0xf9, 0x38, 0x00}; /* { n: 0.5 } */
    Reader reader = {(const uint8_t *)functions};
    limit_arguments = limit_result = UINT32_MAX;
    script_name = "rehearsal.js";
    run.main = JS_UNDEFINED;
    calls_lend(ctx, &reader);
    fuel_start(ctx, 0);
    await_value(ctx, start_body(ctx, text, sizeof text - 1));
    finish_slice(ctx);
    while (calls.count) {
        PendingCall call = calls.pending[--calls.count];
        JSValue value = value_decode(ctx, row, sizeof row);
        promise_settle(ctx, call.promise, value, false);
        finish_slice(ctx);
    }
}

/* Makes the realm: at build time, in a module that becomes the image of every run. */
EXPORT(prepare_realm) void prepare_realm(void)
{
    memory_begin();
    run.ctx = realm_new();
    if (!realm_is_locked()) {
        set_global(run.ctx, "input", JS_UNDEFINED);
        set_global(run.ctx, "data", JS_UNDEFINED);
    }
    memory_realm_made();
    if (host_compute(COMPUTE_REHEARSAL, NULL, 0) != COMPUTE_NONE)
        rehearse(run.ctx);
}
