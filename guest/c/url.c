/* URLs are parsed by the host, which has a WHATWG implementation (https://url.spec.whatwg.org).
 *
 * Strings travel as UTF-8 behind their length (u32, little-endian).
 * COMPUTE_URL_PARSE: href, and the base's href where there is one.
 * COMPUTE_URL_SET: href, the part to set ("href", "protocol", "username", "password", "host", "hostname", "port", "pathname",
 * "search" or "hash") and its value.
 * The answer to both: the parts of URL_PARTS in that order. COMPUTE_NONE: not a URL; from COMPUTE_URL_SET only for "href", since any
 * other part that cannot be set stays as it is.
 */

/* href, origin, protocol, username, password, host, hostname, port, pathname, search, hash */
enum { URL_PARTS = 11 };

static int put_string(JSContext *ctx, Buffer *out, JSValueConst value)
{
    JSValue string = JS_ToString(ctx, value);
    if (JS_IsException(string))
        return -1;
    JSString *text = JS_VALUE_GET_STRING(string);
    uint32_t length = (uint32_t)utf8_length(text);
    uint8_t bytes[4];
    buffer_put(out, &length, sizeof length);
    for (uint32_t at = 0; at < text->len;) {
        size_t count = put_utf8(bytes, next_scalar(text, &at));
        buffer_put(out, bytes, count);
    }
    JS_FreeValue(ctx, string);
    return 0;
}

static JSValue take_parts(JSContext *ctx, uint32_t size)
{
    uint8_t *bytes = js_malloc(ctx, size ? size : 1);
    if (!bytes)
        return JS_EXCEPTION;
    host_take(bytes);
    JSValue parts = JS_NewArray(ctx);
    size_t at = 0;
    for (uint32_t part = 0; part < URL_PARTS && !JS_IsException(parts); part++) {
        uint32_t length = 0;
        memcpy(&length, bytes + at, sizeof length);
        at += sizeof length;
        JSValue text = JS_NewStringLen(ctx, (const char *)bytes + at, length);
        at += length;
        if (JS_IsException(text) || JS_DefinePropertyValueUint32(ctx, parts, part, text, JS_PROP_C_W_E) < 0) {
            JS_FreeValue(ctx, parts);
            parts = JS_EXCEPTION;
        }
    }
    js_free(ctx, bytes);
    return parts;
}

static JSValue compute_url(JSContext *ctx, int32_t kind, int argc, JSValueConst *argv)
{
    Buffer request = buffer_new(SIZE_MAX);
    JSValue parts = JS_EXCEPTION;
    for (int i = 0; i < argc; i++)
        if (put_string(ctx, &request, argv[i]))
            goto done;
    if (request.failed) {
        JS_ThrowOutOfMemory(ctx);
        goto done;
    }
    uint32_t size = host_compute(kind, request.bytes, request.length);
    parts = size == COMPUTE_NONE ? JS_UNDEFINED : take_parts(ctx, size);
done:
    buffer_free(&request);
    return parts;
}

/* urlParse(href, base?) -> the parts, or undefined where it is not a URL */
static JSValue native_url_parse(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val;
    return compute_url(ctx, COMPUTE_URL_PARSE, argc > 1 && !JS_IsUndefined(argv[1]) ? 2 : 1, argv);
}

/* urlSet(href, part, value) -> the parts, or undefined where `part` is "href" and `value` is not a URL */
static JSValue native_url_set(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val;
    return compute_url(ctx, COMPUTE_URL_SET, argc, argv);
}
