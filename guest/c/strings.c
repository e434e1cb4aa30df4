/* What QuickJS's strings do slowly. */

/* `bytes` at `to`, so often that `total` bytes are filled. */
static void fill(uint8_t *to, size_t bytes, size_t total)
{
    for (size_t filled = bytes, more; filled < total; filled += more) {
        more = filled < total - filled ? filled : total - filled;
        memcpy(to + filled, to, more);
    }
}

/* String.prototype.repeat: QuickJS appends character by character. What is not plain is left to it. */
static JSValue string_repeat(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    if (JS_VALUE_GET_TAG(this_val) != JS_TAG_STRING || JS_VALUE_GET_TAG(argv[0]) != JS_TAG_INT)
        return js_string_repeat(ctx, this_val, argc, argv);
    JSString *one = JS_VALUE_GET_STRING(this_val);
    int64_t times = JS_VALUE_GET_INT(argv[0]), length = times * one->len;
    if (times < 2 || length < 1 || length > JS_STRING_LEN_MAX)
        return js_string_repeat(ctx, this_val, argc, argv);
    JSString *all = js_alloc_string(ctx, (int)length, one->is_wide_char);
    if (!all)
        return JS_EXCEPTION;
    size_t bytes = (size_t)one->len << one->is_wide_char;
    memcpy(str8(all), str8(one), bytes);
    fill(str8(all), bytes, (size_t)length << one->is_wide_char);
    if (!one->is_wide_char)
        str8(all)[length] = '\0';
    return JS_MKPTR(JS_TAG_STRING, all);
}

static void strings_quicken(JSContext *ctx)
{
    JSValue repeat = JS_NewCFunction(ctx, string_repeat, "repeat", 1);
    JS_DefinePropertyValueStr(ctx, ctx->class_proto[JS_CLASS_STRING], "repeat", repeat, JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE);
}
