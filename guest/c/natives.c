/* The functions that guest/js is written on: one object, handed to the realm's files at build time and to nothing else. */

#include "chacha.c"
#include "random.c"
#include "text.c"
#include "url.c"
#include "look.c"
#include "collate.c"

/* The run's clock when it started; guest.c sets it. */
static double natives_started;

/* What `native.onTimer` was given. */
static JSValue natives_on_timer;

/* Bytes of an entry of the console. The text alone is bounded by console.js, well below. */
enum { CONSOLE_ENTRY_MOST = 4 << 20 };

/* emitConsole(method, text, args): u32 length of what follows, encoded [method, text], encoded args. They are apart so that a line is never lost with
 * arguments that cannot be told; then nothing stands in their place. */
static JSValue native_emit_console(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val, (void)argc;
    JSValue line = js_create_array(ctx, 2, argv);
    if (JS_IsException(line))
        return line;
    Buffer message = buffer_new(CONSOLE_ENTRY_MOST);
    uint32_t length = 0;
    buffer_put(&message, &length, sizeof length);
    int failed = value_encode(ctx, &message, line, "console", ENCODE_DESCRIBE);
    JS_FreeValue(ctx, line);
    if (!failed) {
        length = (uint32_t)(message.length - sizeof length);
        memcpy(message.bytes, &length, sizeof length);
        failed = value_encode(ctx, &message, argv[2], "console", ENCODE_DESCRIBE);
        if (failed && !JS_IsUncatchableError(ctx->rt->current_exception)) {
            JS_FreeValue(ctx, JS_GetException(ctx));
            failed = 0;
        }
    }
    if (!failed)
        host_emit(MESSAGE_CONSOLE, 0, message.bytes, message.length);
    buffer_free(&message);
    return failed ? JS_EXCEPTION : JS_UNDEFINED;
}

/* setTimer(id, ms): fires once; a timer that fired may be set again. */
static JSValue native_set_timer(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val, (void)argc;
    uint32_t id;
    double delay;
    if (JS_ToUint32(ctx, &id, argv[0]) || JS_ToFloat64(ctx, &delay, argv[1]))
        return JS_EXCEPTION;
    host_emit(MESSAGE_TIMER_SET, id, &delay, sizeof delay);
    return JS_UNDEFINED;
}

/* clearTimer(id) */
static JSValue native_clear_timer(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val, (void)argc;
    uint32_t id;
    if (JS_ToUint32(ctx, &id, argv[0]))
        return JS_EXCEPTION;
    host_emit(MESSAGE_TIMER_CLEAR, id, NULL, 0);
    return JS_UNDEFINED;
}

/* onTimer(function): it is called with the id of each timer that fires. */
static JSValue native_on_timer(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val, (void)argc;
    set_value(ctx, &natives_on_timer, js_dup(argv[0]));
    return JS_UNDEFINED;
}

static int natives_fire_timer(JSContext *ctx, uint32_t id)
{
    JSValueConst argument = js_uint32(id);
    JSValue result = JS_Call(ctx, natives_on_timer, JS_UNDEFINED, 1, &argument);
    JS_FreeValue(ctx, result);
    return JS_IsException(result) ? -1 : 0;
}

/* What makes groups of host functions in a realm that is locked; undefined where it is not. */
static JSValue natives_lend_group;

/* onLend(function): the realm is locked. It is called with an object of the functions of each group, and the group's name, and gives what the script finds. */
static JSValue native_on_lend(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val, (void)argc;
    set_value(ctx, &natives_lend_group, js_dup(argv[0]));
    return JS_UNDEFINED;
}

static bool realm_is_locked(void)
{
    return !JS_IsUndefined(natives_lend_group);
}

/* now() -> the run's clock, whole milliseconds since 1970 */
static JSValue native_now(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)ctx, (void)this_val, (void)argc, (void)argv;
    return js_float64(host_now());
}

/* started() -> the clock at the run's start */
static JSValue native_started(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)ctx, (void)this_val, (void)argc, (void)argv;
    return js_float64(natives_started);
}

/* randomBytes(uint8Array): fills it. */
static JSValue native_random_bytes(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val, (void)argc;
    size_t length;
    uint8_t *bytes = JS_GetUint8Array(ctx, &length, argv[0]);
    if (!bytes && JS_HasException(ctx))
        return JS_EXCEPTION;
    return random_bytes(ctx, bytes, length) ? JS_EXCEPTION : JS_UNDEFINED;
}

static JSValue natives_new(JSContext *ctx)
{
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("emitConsole", 3, native_emit_console),
        JS_CFUNC_DEF("setTimer", 2, native_set_timer),
        JS_CFUNC_DEF("clearTimer", 1, native_clear_timer),
        JS_CFUNC_DEF("onTimer", 1, native_on_timer),
        JS_CFUNC_DEF("onLend", 1, native_on_lend),
        JS_CFUNC_DEF("now", 0, native_now),
        JS_CFUNC_DEF("started", 0, native_started),
        JS_CFUNC_DEF("randomBytes", 1, native_random_bytes),
        JS_CFUNC_DEF("encodeUtf8", 1, native_encode_utf8),
        JS_CFUNC_DEF("encodeUtf8Into", 2, native_encode_utf8_into),
        JS_CFUNC_DEF("decodeText", 3, native_decode_text),
        JS_CFUNC_DEF("urlParse", 2, native_url_parse),
        JS_CFUNC_DEF("urlSet", 3, native_url_set),
        JS_CFUNC_DEF("compareText", 4, native_compare_text),
        JS_CFUNC_DEF("kind", 1, native_kind),
        JS_CFUNC_DEF("isRegisteredSymbol", 1, native_is_registered_symbol),
        JS_CFUNC_DEF("keys", 2, native_keys),
        JS_CFUNC_DEF("functionKind", 1, native_function_kind),
        JS_CFUNC_DEF("promiseParts", 1, native_promise_parts),
        JS_CFUNC_DEF("regexpFlags", 1, native_regexp_flags),
        JS_CFUNC_DEF("proxyTarget", 1, native_proxy_target),
        JS_CFUNC_DEF("entries", 2, native_entries),
    };
    natives_on_timer = natives_lend_group = JS_UNDEFINED;
    JSValue native = JS_NewObjectProto(ctx, JS_NULL);
    if (!JS_IsException(native))
        JS_SetPropertyFunctionList(ctx, native, functions, countof(functions));
    return native;
}
