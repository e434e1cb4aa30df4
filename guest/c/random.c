/* Reads of randomness, told to the host where it wants to know each. */

static bool random_is_recorded;

static void random_tell(JSContext *ctx, JSValue value)
{
    Buffer message = buffer_new(UINT32_MAX);
    if (value_encode(ctx, &message, value, "random", ENCODE_STRICT) == 0)
        host_emit(MESSAGE_RANDOM, 0, message.bytes, message.length);
    buffer_free(&message);
    JS_FreeValue(ctx, value);
}

/* Bytes of the run's own stream. -1 with an exception pending. */
static int random_bytes(JSContext *ctx, uint8_t *bytes, size_t length)
{
    chacha_bytes(bytes, length);
    if (random_is_recorded) {
        JSValue copy = JS_NewArrayBufferCopy(ctx, bytes, length);
        if (JS_IsException(copy))
            return -1;
        random_tell(ctx, copy);
    }
    return 0;
}

static JSValue random_number(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    JSValue number = js_math_random(ctx, this_val, argc, argv);
    random_tell(ctx, number);
    return number;
}

/* From here on each read is told. */
static void random_record(JSContext *ctx)
{
    JSValue math = JS_GetPropertyStr(ctx, ctx->global_obj, "Math");
    JSValue number = JS_NewCFunction(ctx, random_number, "random", 0);
    random_is_recorded = true;
    JS_DefinePropertyValueStr(ctx, math, "random", number, JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE);
    JS_FreeValue(ctx, math);
}
