/* Host functions as the script sees them, and the calls that wait for an outcome. */

/* A place in a script or module. */
typedef struct {
    JSAtom file; /* JS_ATOM_NULL: nowhere */
    uint32_t line, column;
} CallSite;

typedef struct {
    uint32_t id;
    CallSite place;
    JSValue promise;
} PendingCall;

static struct {
    PendingCall *pending; /* in call order: what settles is mostly the first */
    uint32_t count, capacity;
    uint32_t last_id; /* host calls and timers of the host are numbered from 1 */
    JSAtom file;      /* the file of the last call, and its name in UTF-8 */
    const char *file_name;
    size_t file_name_length;
} calls;

/* Where the script is: the innermost of its own frames. The file is borrowed from its function. */
static CallSite call_site(JSContext *ctx)
{
    for (JSStackFrame *frame = ctx->rt->current_stack_frame; frame; frame = frame->prev_frame) {
        JSObject *function = JS_VALUE_GET_OBJ(frame->cur_func);
        if (!js_class_has_bytecode(function->class_id))
            continue;
        JSFunctionBytecode *code = function->u.func.function_bytecode;
        if (!frame->cur_pc || code->backtrace_barrier || !code->pc2line_buf)
            continue;
        int column;
        int line = find_line_num(ctx, code, (uint32_t)(frame->cur_pc - code->byte_code_buf - 1), &column);
        if (line >= 0)
            return (CallSite){code->filename, (uint32_t)line, (uint32_t)column};
    }
    return (CallSite){JS_ATOM_NULL, 0, 0};
}

/* Has the name of a place's file ready: most calls are of the same file as the one before. */
static int name_file(JSContext *ctx, JSAtom file)
{
    if (file == calls.file)
        return 0;
    JS_FreeCString(ctx, calls.file_name);
    JS_FreeAtom(ctx, calls.file);
    calls.file = JS_ATOM_NULL;
    calls.file_name = NULL;
    calls.file_name_length = 0;
    if (file == JS_ATOM_NULL)
        return 0;
    calls.file_name = JS_AtomToCStringLen(ctx, &calls.file_name_length, file);
    if (!calls.file_name)
        return -1;
    calls.file = JS_DupAtom(ctx, file);
    return 0;
}

static void mark_refusal(JSContext *ctx);

/* u32 function, u32 line, u32 column, u32 length of the file's name and the name, arguments. */
static int encode_call(JSContext *ctx, Buffer *out, int function, CallSite place, int argc, JSValueConst *argv)
{
    if (name_file(ctx, place.file))
        return -1;
    uint32_t head[4] = {(uint32_t)function, place.line, place.column, (uint32_t)calls.file_name_length};
    size_t before = sizeof head + calls.file_name_length;
    *out = buffer_new(limit_arguments > UINT32_MAX - before ? UINT32_MAX : limit_arguments + before);
    buffer_put(out, head, sizeof head);
    buffer_put(out, calls.file_name, calls.file_name_length);
    value_was_refused = false;
    int failed = value_encode_array(ctx, out, argc, argv, "args", ENCODE_STRICT);
    if (out->too_large)
        host_emit(MESSAGE_TOO_LARGE, MESSAGE_CALL, NULL, 0);
    if (failed)
        mark_refusal(ctx);
    return failed;
}

static JSValue call_async(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv, int function)
{
    (void)this_val;
    PendingCall call = {.place = call_site(ctx)};
    Buffer message = {0};
    if (encode_call(ctx, &message, function, call.place, argc, argv))
        goto fail;
    if (calls.count == calls.capacity) {
        uint32_t capacity = calls.capacity ? calls.capacity * 2 : 16;
        PendingCall *grown = js_realloc(ctx, calls.pending, capacity * sizeof *grown);
        if (!grown)
            goto fail;
        calls.pending = grown;
        calls.capacity = capacity;
    }
    call.promise = promise_new(ctx);
    if (JS_IsException(call.promise))
        goto fail;
    call.id = calls.last_id + 1; /* not before the arguments are encoded: a getter among them may call, too */
    call.place.file = JS_DupAtom(ctx, call.place.file);
    calls.pending[calls.count++] = call;
    calls.last_id = call.id;
    host_emit(MESSAGE_CALL, call.id, message.bytes, message.length);
    buffer_free(&message);
    return JS_DupValue(ctx, call.promise);
fail:
    buffer_free(&message);
    return JS_EXCEPTION;
}

/* Takes `length` bytes from the host and decodes them. */
static JSValue take_value(JSContext *ctx, uint32_t length)
{
    uint8_t few[512];
    uint8_t *bytes = length <= sizeof few ? few : js_malloc(ctx, length);
    if (!bytes)
        return JS_EXCEPTION;
    host_take(bytes);
    JSValue value = value_decode(ctx, bytes, length);
    if (bytes != few)
        js_free(ctx, bytes);
    return value;
}

/* The key under which an error of the host keeps the number of its call. It is private: no script can see it. */
static JSAtom calls_rejected_by;

static void calls_prepare(JSContext *ctx)
{
    calls_rejected_by = js_symbol_to_atom(ctx, JS_NewSymbolFromAtom(ctx, JS_ATOM_brand, JS_ATOM_TYPE_PRIVATE));
}

static void mark_rejection(JSContext *ctx, JSValueConst value, uint32_t call)
{
    if (JS_IsObject(value))
        JS_DefinePropertyValue(ctx, value, calls_rejected_by, JS_NewUint32(ctx, call), 0);
}

/* In the place of a call's number: a value that cannot cross was refused. */
enum { REFUSED_VALUE = 0x7fffffff };

/* The exception pending is marked if it says that a value cannot cross: so the host of a locked realm tells it from an error of the script's own. */
static void mark_refusal(JSContext *ctx)
{
    if (!realm_is_locked() || !value_was_refused)
        return;
    JSValue error = JS_GetException(ctx);
    mark_rejection(ctx, error, REFUSED_VALUE);
    JS_Throw(ctx, error);
}

/* The call whose rejection `value` is; 0 where it is none's. */
static uint32_t rejected_call(JSValueConst value)
{
    JSProperty *property;
    if (!JS_IsObject(value) || !find_own_property(&property, JS_VALUE_GET_OBJ(value), calls_rejected_by))
        return 0;
    return (uint32_t)JS_VALUE_GET_INT(property->u.value);
}

/* An error that the host made has no frames: it gets the place of the call. */
static void set_call_site(JSContext *ctx, JSValueConst error, CallSite place)
{
    if (!JS_IsError(error) || place.file == JS_ATOM_NULL)
        return;
    char name[256], frame[sizeof "    at :4294967295:4294967295\n" + sizeof name];
    JS_AtomGetStr(ctx, name, sizeof name, place.file);
    snprintf(frame, sizeof frame, "    at %s:%u:%u\n", name, place.line, place.column);
    JS_DefinePropertyValueStr(ctx, error, "stack", JS_NewString(ctx, frame), JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE);
}

static JSValue call_blocking(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv, int function)
{
    (void)this_val;
    CallSite place = call_site(ctx);
    Buffer message = {0};
    if (encode_call(ctx, &message, function, place, argc, argv)) {
        buffer_free(&message);
        return JS_EXCEPTION;
    }
    uint32_t call = ++calls.last_id;
    uint32_t answer = host_ask(ASK_CALL, call, message.bytes, message.length);
    buffer_free(&message);
    JSValue value = take_value(ctx, answer & ~ANSWER_REJECTED);
    if (JS_IsException(value) || !(answer & ANSWER_REJECTED))
        return value;
    set_call_site(ctx, value, place);
    mark_rejection(ctx, value, call);
    return JS_Throw(ctx, value);
}

/* Gives call `id` its outcome, which the host holds ready. */
static void calls_settle(JSContext *ctx, uint32_t id, bool rejected, uint32_t length)
{
    JSValue value = take_value(ctx, length);
    uint32_t i = 0;
    while (i < calls.count && calls.pending[i].id != id)
        i++;
    if (i == calls.count) {
        JS_FreeValue(ctx, value);
        return;
    }
    PendingCall call = calls.pending[i];
    memmove(&calls.pending[i], &calls.pending[i + 1], (--calls.count - i) * sizeof call);
    if (JS_IsException(value)) {
        value = JS_GetException(ctx);
        rejected = true;
    }
    if (rejected) {
        set_call_site(ctx, value, call.place);
        mark_rejection(ctx, value, id);
    }
    promise_settle(ctx, call.promise, value, rejected);
    JS_FreeValue(ctx, value);
    JS_FreeValue(ctx, call.promise);
    JS_FreeAtom(ctx, call.place.file);
}

enum { GLOBAL_FLAGS = JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE | JS_PROP_ENUMERABLE };

static JSCFunctionListEntry read_function(Reader *reader)
{
    uint32_t index = read_u32(reader), blocking = read_u32(reader);
    JSCFunctionMagic *call = blocking ? call_blocking : call_async;
    return (JSCFunctionListEntry){
        .name = read_text(reader), .prop_flags = GLOBAL_FLAGS, .def_type = JS_DEF_CFUNC, .magic = (int16_t)index,
        .u.func = {.cproto = JS_CFUNC_generic_magic, .cfunc.generic_magic = call},
    };
}

/* Gives `owner` a function, or an object with functions. It is made when the script first looks at it. */
static void lend(JSContext *ctx, JSValueConst owner, const JSCFunctionListEntry *entry)
{
    JSAtom name = JS_NewAtom(ctx, entry->name);
    JSPropertyDescriptor there;
    if (JS_GetOwnPropertyInternal(ctx, &there, JS_VALUE_GET_OBJ(owner), name) <= 0) {
        JS_InstantiateFunctionListItem(ctx, owner, name, entry);
    } else {
        if (entry->def_type == JS_DEF_OBJECT && JS_IsObject(there.value))
            for (int i = 0; i < entry->u.prop_list.len; i++)
                lend(ctx, there.value, &entry->u.prop_list.tab[i]);
        else
            JS_DefinePropertyValue(ctx, owner, name, JS_InstantiateFunctionListItem2(ctx, NULL, name, (void *)entry), GLOBAL_FLAGS);
        js_free_desc(ctx, &there);
    }
    JS_FreeAtom(ctx, name);
}

/* Nobody can take away or replace what a locked realm is lent, nor add to it. */
static void lend_locked(JSContext *ctx, const JSCFunctionListEntry *entry)
{
    JSAtom name = JS_NewAtom(ctx, entry->name);
    JSValue lent;
    if (entry->def_type == JS_DEF_OBJECT) {
        JSValue functions = JS_NewObjectProto(ctx, JS_NULL);
        for (int i = 0; i < entry->u.prop_list.len; i++)
            lend(ctx, functions, &entry->u.prop_list.tab[i]);
        JSValue arguments[] = {functions, JS_AtomToString(ctx, name)};
        lent = JS_Call(ctx, natives_lend_group, JS_UNDEFINED, 2, vc(arguments));
        JS_FreeValue(ctx, arguments[0]);
        JS_FreeValue(ctx, arguments[1]);
    } else {
        lent = JS_InstantiateFunctionListItem2(ctx, NULL, name, (void *)entry);
    }
    if (JS_IsException(lent) || JS_DefinePropertyValue(ctx, ctx->global_obj, name, lent, JS_PROP_ENUMERABLE) <= 0)
        __builtin_trap();
    JS_FreeAtom(ctx, name);
}

/* Lends the script the host's functions: u32 how many there are, groups included; each function by itself as a group of none. */
static void calls_lend(JSContext *ctx, Reader *reader)
{
    uint32_t count = read_u32(reader);
    if (!count)
        return;
    JSCFunctionListEntry *next = js_malloc(ctx, count * sizeof *next), *end = next + count;
    if (!next)
        __builtin_trap();
    while (next != end) {
        JSCFunctionListEntry *entry = next++;
        uint32_t functions = read_u32(reader);
        if (functions) {
            *entry = (JSCFunctionListEntry)JS_OBJECT_DEF(read_text(reader), next, (int)functions, GLOBAL_FLAGS);
            while (functions--)
                *next++ = read_function(reader);
        } else {
            *entry = read_function(reader);
        }
        if (realm_is_locked())
            lend_locked(ctx, entry);
        else
            lend(ctx, ctx->global_obj, entry);
    }
}
