/* The realm: the runtime, the intrinsics and guest/js, made at build time and then part of the module's memory image. It is made twice for
 * each image, which has the second one (guest/src/preinitialise.rs).
 */

static JSValue throw_eval_error(JSContext *ctx, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    JSValue thrown = JS_ThrowError(ctx, JS_EVAL_ERROR, format, arguments);
    va_end(arguments);
    return thrown;
}

/* `eval` and `Function` of a realm that does not allow them. */
static JSValue refuse_eval(JSContext *ctx, JSValueConst this_obj, const char *input, size_t length, const char *filename, int line,
                           int flags, int scope)
{
    (void)this_obj; (void)input; (void)length; (void)filename; (void)line; (void)flags; (void)scope;
    return throw_eval_error(ctx, "code from strings is switched off here: write it as code, or have the host allow eval");
}

static void realm_check(JSContext *ctx, JSValue value)
{
    if (JS_IsException(value)) {
        JSValue error = JS_GetException(ctx);
        const char *text = JS_ToCString(ctx, error);
        const char *stack = JS_ToCString(ctx, JS_GetPropertyStr(ctx, error, "stack"));
        if (text)
            host_emit(MESSAGE_THROWN, 0, text, strlen(text));
        if (stack)
            host_emit(MESSAGE_THROWN, 1, stack, strlen(stack));
        __builtin_trap();
    }
    JS_FreeValue(ctx, value);
}

/* What the engine adds and a deterministic realm does not have. */
static void realm_remove(JSContext *ctx)
{
    static const char *const names[] = {"SharedArrayBuffer", "Atomics", "performance", "navigator", "gc"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        JSAtom name = JS_NewAtom(ctx, names[i]);
        JS_DeleteProperty(ctx, ctx->global_obj, name, 0);
        JS_FreeAtom(ctx, name);
    }
}

/* The realm's own functions show `[native code]`, and traces no places in them: those change
 * from version to version. */
static void strip(JSRuntime *runtime, JSValueConst value)
{
    if (JS_VALUE_GET_TAG(value) != JS_TAG_FUNCTION_BYTECODE)
        return;
    JSFunctionBytecode *code = JS_VALUE_GET_PTR(value);
    js_free_rt(runtime, code->source);
    code->source = NULL;
    code->source_len = 0;
    js_free_rt(runtime, code->pc2line_buf);
    code->pc2line_buf = NULL;
    code->pc2line_len = 0;
    for (int i = 0; i < code->cpool_count; i++)
        strip(runtime, code->cpool[i]);
}

/* Runs a file, `name` and `text`, each with a NUL behind it. Its value is a function, called with what all of them share. */
static void realm_run_file(JSContext *ctx, const char *name, size_t length, JSValueConst *arguments)
{
    const char *text = name + strlen(name) + 1;
    size_t text_length = (size_t)(name + length - text) - 1;
    JSValue code = __JS_EvalInternal(ctx, ctx->global_obj, text, text_length, name, 1, JS_EVAL_TYPE_GLOBAL | JS_EVAL_FLAG_COMPILE_ONLY, -1);
    strip(JS_GetRuntime(ctx), code);
    JSValue file = JS_IsException(code) ? JS_EXCEPTION : JS_EvalFunction(ctx, code);
    JSValue done = JS_IsException(file) ? JS_EXCEPTION : JS_Call(ctx, file, JS_UNDEFINED, 2, arguments);
    realm_check(ctx, done);
    JS_FreeValue(ctx, file);
}

/* The files of guest/js, as the build hands them out. */
static void realm_run_files(JSContext *ctx)
{
    JSValue native = natives_new(ctx);
    JSValue kit = JS_NewObjectProto(ctx, JS_NULL);
    JSValueConst arguments[2] = {native, kit};
    uint32_t length;
    while ((length = host_compute(COMPUTE_FILE, NULL, 0)) != COMPUTE_NONE) {
        char *file = memory_borrow(length);
        host_take(file);
        realm_run_file(ctx, file, length, arguments);
        memory_return(file, length);
    }
    JS_FreeValue(ctx, kit);
    JS_FreeValue(ctx, native);
}

/* Most garbage goes by its count of references. A search for cycles writes to every object there is, the realm's too: there is one when the heap is
 * this large, which few scripts reach, then at each growth by half. */
enum { LEAST_HEAP_TO_COLLECT = 8 << 20 };

/* For the runtime itself, before there is one that counts. */
static void *runtime_calloc(void *opaque, size_t count, size_t size)
{
    (void)opaque;
    void *block = memory_malloc(count * size);
    return block ? memset(block, 0, count * size) : NULL;
}

/* Nothing else asks for memory this way. */
static const JSMallocFunctions memory_functions = {.js_calloc = runtime_calloc};

static JSContext *realm_new(void)
{
    JSRuntime *runtime = JS_NewRuntime2(&memory_functions, NULL);
    JSContext *ctx = runtime ? JS_NewContextRaw(runtime) : NULL;
    if (!ctx || JS_AddIntrinsicBaseObjects(ctx) || JS_AddIntrinsicDate(ctx) || JS_AddIntrinsicEval(ctx) || JS_AddIntrinsicRegExp(ctx) ||
        JS_AddIntrinsicJSON(ctx) || JS_AddIntrinsicProxy(ctx) || JS_AddIntrinsicMapSet(ctx) || JS_AddIntrinsicTypedArrays(ctx) ||
        JS_AddIntrinsicPromise(ctx) || JS_AddIntrinsicWeakRef(ctx) || JS_AddIntrinsicDOMException(ctx) || JS_AddIntrinsicAToB(ctx))
        __builtin_trap();
    JS_SetMaxStackSize(runtime, 1 << 20);
    calls_prepare(ctx);
    realm_remove(ctx);
    strings_quicken(ctx);
    realm_run_files(ctx);
    JS_SetModuleLoaderFunc(runtime, module_normalize, module_load, NULL);
    JS_SetHostPromiseRejectionTracker(runtime, rejections_track, NULL);
    JS_RunGC(runtime);
    JS_SetGCThreshold(runtime, LEAST_HEAP_TO_COLLECT);
    return ctx;
}
