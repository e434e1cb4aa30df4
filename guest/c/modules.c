/* ES modules: names and texts come from the host, which may take its time; the guest blocks meanwhile. */

/* Two strings as length-prefixed UTF-8. */
static void put_text(Buffer *out, const char *text)
{
    uint32_t length = (uint32_t)strlen(text);
    buffer_put(out, &length, sizeof length);
    buffer_put(out, text, length);
}

/* What the host answered, NUL-terminated, or NULL with its rejection thrown. */
static char *take_text(JSContext *ctx, uint32_t answer, size_t *length)
{
    *length = answer & ~ANSWER_REJECTED;
    if (answer & ANSWER_REJECTED) {
        JSValue error = take_value(ctx, (uint32_t)*length);
        if (!JS_IsException(error))
            JS_Throw(ctx, error);
        return NULL;
    }
    char *text = js_malloc(ctx, *length + 1);
    if (!text)
        return NULL;
    host_take(text);
    text[*length] = 0;
    return text;
}

static char *module_normalize(JSContext *ctx, const char *importer, const char *specifier, void *opaque)
{
    (void)opaque;
    Buffer message = buffer_new(limit_arguments);
    put_text(&message, specifier);
    put_text(&message, importer);
    if (message.failed) {
        buffer_free(&message);
        JS_ThrowRangeError(ctx, "the name of a module is longer than the arguments of a call may be");
        return NULL;
    }
    uint32_t answer = host_ask(ASK_NORMALIZE, ++calls.last_id, message.bytes, message.length);
    buffer_free(&message);
    size_t length;
    return take_text(ctx, answer, &length);
}

static int set_import_meta(JSContext *ctx, JSModuleDef *module, const char *name)
{
    JSValue meta = JS_GetImportMeta(ctx, module);
    if (JS_IsException(meta))
        return -1;
    int defined = JS_DefinePropertyValueStr(ctx, meta, "url", JS_NewString(ctx, name), JS_PROP_C_W_E);
    JS_FreeValue(ctx, meta);
    return defined < 0 ? -1 : 0;
}

/* Compiles `text` as the module `name`; it is linked and evaluated by whoever imports it. */
static JSModuleDef *module_compile(JSContext *ctx, const char *text, size_t length, const char *name)
{
    JSValue function = __JS_EvalInternal(ctx, JS_UNDEFINED, text, length, name, 1, JS_EVAL_TYPE_MODULE | JS_EVAL_FLAG_COMPILE_ONLY, -1);
    if (JS_IsException(function))
        return NULL;
    JSModuleDef *module = JS_VALUE_GET_PTR(function);
    JS_FreeValue(ctx, function); /* the context's list keeps it */
    return set_import_meta(ctx, module, name) ? NULL : module;
}

static JSModuleDef *module_load(JSContext *ctx, const char *name, void *opaque)
{
    (void)opaque;
    uint32_t answer = host_ask(ASK_LOAD, ++calls.last_id, name, strlen(name));
    size_t length;
    char *text = take_text(ctx, answer, &length);
    if (!text)
        return NULL;
    JSModuleDef *module = module_compile(ctx, text, length, name);
    js_free(ctx, text);
    return module;
}
