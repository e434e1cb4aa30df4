/* What ended a run, or was never handled, told to the host: an error with all that it carries, or any other value. */

static JSValue thrown_describe(JSContext *ctx, JSValueConst thrown, int depth);

enum { CAUSE_DEPTH = 16, ERRORS_MOST = 100 };

/* Errors that are still described, causes and members of all levels together. */
static int thrown_budget;

static void take_pending_exception(JSContext *ctx)
{
    JS_FreeValue(ctx, JS_GetException(ctx));
}

/* A string property of an error; the script may have made it anything, a getter that throws included. */
static void copy_text(JSContext *ctx, JSValueConst to, JSValueConst from, const char *key)
{
    JSValue value = JS_GetPropertyStr(ctx, from, key);
    if (JS_IsException(value)) {
        take_pending_exception(ctx);
        return;
    }
    if (JS_IsString(value))
        JS_DefinePropertyValueStr(ctx, to, key, value, JS_PROP_C_W_E);
    else
        JS_FreeValue(ctx, value);
}

static bool is_told_apart(JSContext *ctx, JSAtom key)
{
    static const char *const names[] = {"name", "message", "stack", "cause", "errors"};
    const char *text = JS_AtomToCString(ctx, key);
    if (!text) {
        take_pending_exception(ctx);
        return true;
    }
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        found |= !strcmp(text, names[i]);
    JS_FreeCString(ctx, text);
    return found;
}

/* The error's own data properties, but for those that have a place of their own. */
static void copy_properties(JSContext *ctx, JSValueConst to, JSValueConst from)
{
    JSPropertyEnum *keys;
    uint32_t count;
    if (JS_GetOwnPropertyNames(ctx, &keys, &count, from, JS_GPN_STRING_MASK)) {
        take_pending_exception(ctx);
        return;
    }
    JSValue properties = JS_NewObject(ctx);
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        JSPropertyDescriptor own;
        if (is_told_apart(ctx, keys[i].atom) || JS_GetOwnProperty(ctx, &own, from, keys[i].atom) <= 0)
            continue;
        if (own.flags & JS_PROP_GETSET) {
            JS_FreeValue(ctx, own.getter);
            JS_FreeValue(ctx, own.setter);
        } else {
            JS_DefinePropertyValue(ctx, properties, keys[i].atom, own.value, JS_PROP_C_W_E);
            any = true;
        }
    }
    JS_FreePropertyEnum(ctx, keys, count);
    if (any)
        JS_DefinePropertyValueStr(ctx, to, "properties", properties, JS_PROP_C_W_E);
    else
        JS_FreeValue(ctx, properties);
}

static void copy_cause(JSContext *ctx, JSValueConst to, JSValueConst from, int depth)
{
    JSPropertyDescriptor own;
    if (JS_GetOwnProperty(ctx, &own, from, JS_ATOM_cause) <= 0)
        return;
    if (!(own.flags & JS_PROP_GETSET))
        JS_DefinePropertyValueStr(ctx, to, "cause", thrown_describe(ctx, own.value, depth + 1), JS_PROP_C_W_E);
    JS_FreeValue(ctx, own.value);
    JS_FreeValue(ctx, own.getter);
    JS_FreeValue(ctx, own.setter);
}

static void copy_errors(JSContext *ctx, JSValueConst to, JSValueConst from, int depth)
{
    JSPropertyDescriptor own;
    if (JS_GetOwnProperty(ctx, &own, from, JS_ATOM_errors) <= 0)
        return;
    int64_t length;
    if (!(own.flags & JS_PROP_GETSET) && JS_IsArray(own.value) && JS_GetLength(ctx, own.value, &length) == 0) {
        JSValue errors = JS_NewArray(ctx);
        for (int64_t i = 0; i < length && thrown_budget > 0; i++) {
            JSValue error = JS_GetPropertyInt64(ctx, own.value, i);
            if (JS_IsException(error)) {
                take_pending_exception(ctx);
                break;
            }
            JS_SetPropertyInt64(ctx, errors, i, thrown_describe(ctx, error, depth + 1));
            JS_FreeValue(ctx, error);
        }
        JS_DefinePropertyValueStr(ctx, to, "errors", errors, JS_PROP_C_W_E);
    }
    JS_FreeValue(ctx, own.value);
    JS_FreeValue(ctx, own.getter);
    JS_FreeValue(ctx, own.setter);
}

/* { name, message, stack, properties?, cause?, errors? } of an error; { value } of anything else. */
static JSValue thrown_describe(JSContext *ctx, JSValueConst thrown, int depth)
{
    JSValue told = JS_NewObject(ctx);
    if (!JS_IsError(thrown) && JS_GetClassID(thrown) != JS_CLASS_DOM_EXCEPTION) {
        JS_DefinePropertyValueStr(ctx, told, "value", js_dup(thrown), JS_PROP_C_W_E);
        return told;
    }
    thrown_budget--;
    copy_text(ctx, told, thrown, "name");
    copy_text(ctx, told, thrown, "message");
    copy_text(ctx, told, thrown, "stack");
    copy_properties(ctx, told, thrown);
    if (depth < CAUSE_DEPTH && thrown_budget > 0) {
        copy_cause(ctx, told, thrown, depth);
        copy_errors(ctx, told, thrown, depth);
    }
    return told;
}

/* Appends the encoded `value` behind its length; nothing but a length of 0 where it cannot be told. */
static void put_described(JSContext *ctx, Buffer *out, JSValueConst value)
{
    size_t at = out->length;
    uint32_t length = 0;
    buffer_put(out, &length, sizeof length);
    if (value_encode(ctx, out, value, "thrown", ENCODE_DESCRIBE)) {
        take_pending_exception(ctx);
        out->failed = out->too_large = false;
        return;
    }
    length = (uint32_t)(out->length - at - sizeof length);
    memcpy(out->bytes + at, &length, sizeof length);
}

/* Sends what was thrown as a message of `kind`, twice: its name, message and stack alone, and with all that it carries. What it carries may be too large, or
 * nothing that can be told; the first must not be lost with it. Behind them stands the call whose rejection it is, or 0. */
static void thrown_emit(JSContext *ctx, int kind, uint32_t id, JSValueConst thrown, size_t limit)
{
    Buffer out = buffer_new(limit);
    JSValue line = JS_NewObject(ctx);
    if (JS_IsError(thrown) || JS_GetClassID(thrown) == JS_CLASS_DOM_EXCEPTION) {
        copy_text(ctx, line, thrown, "name");
        copy_text(ctx, line, thrown, "message");
        copy_text(ctx, line, thrown, "stack");
    }
    put_described(ctx, &out, line);
    JS_FreeValue(ctx, line);
    thrown_budget = ERRORS_MOST;
    JSValue told = thrown_describe(ctx, thrown, 0);
    put_described(ctx, &out, told);
    JS_FreeValue(ctx, told);
    uint32_t call[2] = {sizeof *call, rejected_call(thrown)};
    buffer_put(&out, call, sizeof call);
    host_emit(kind, id, out.bytes, out.length);
    buffer_free(&out);
}
