/* Where in a value we are, in words, and the errors that say so. */

/* A step from a container to what it holds. The steps of one path are linked from the inside out, on the C stack. */
typedef struct Place {
    const struct Place *outer; /* NULL: the container is the whole value */
    enum { PLACE_PROPERTY, PLACE_INDEX, PLACE_KEY, PLACE_ENTRY, PLACE_MEMBER } kind;
    JSAtom key;                /* of a property */
    uint32_t index;            /* of all else */
} Place;

/* A key is cut in a path after so many UTF-16 units. */
enum { PATH_KEY_MAX = 64 };

static bool path_is_name(JSString *key)
{
    int at = 0;

    if (key->len == 0 || key->len > PATH_KEY_MAX || !lre_js_is_ident_first(string_getc(key, &at)))
        return false;
    while (at < (int)key->len)
        if (!lre_js_is_ident_next(string_getc(key, &at)))
            return false;
    return true;
}

static void path_put_key(JSContext *ctx, StringBuffer *path, JSAtom atom)
{
    JSValue key = JS_AtomToString(ctx, atom);
    JSString *text;

    if (JS_IsException(key))
        return;
    text = JS_VALUE_GET_STRING(key);
    if (path_is_name(text)) {
        string_buffer_putc8(path, '.');
        string_buffer_concat(path, text, 0, text->len);
    } else {
        string_buffer_putc8(path, '[');
        string_buffer_concat_value_free(path, JS_ToQuotedStringFree(ctx, js_sub_string(ctx, text, 0, min_int(text->len, PATH_KEY_MAX))));
        string_buffer_puts8(path, text->len > PATH_KEY_MAX ? "...]" : "]");
    }
    JS_FreeValue(ctx, key);
}

static void path_put_index(JSContext *ctx, StringBuffer *path, const char *before, uint32_t index, const char *after)
{
    string_buffer_puts8(path, before);
    string_buffer_concat_value_free(path, JS_ToStringFree(ctx, js_uint32(index)));
    string_buffer_puts8(path, after);
}

static void path_put(JSContext *ctx, StringBuffer *path, const Place *place)
{
    if (!place)
        return;
    path_put(ctx, path, place->outer);
    switch (place->kind) {
    case PLACE_PROPERTY:
        if (__JS_AtomIsTaggedInt(place->key))
            path_put_index(ctx, path, "[\"", __JS_AtomToUInt32(place->key), "\"]");
        else
            path_put_key(ctx, path, place->key);
        break;
    case PLACE_INDEX:
        path_put_index(ctx, path, "[", place->index, "]");
        break;
    case PLACE_KEY:
        path_put_index(ctx, path, "<key ", place->index, ">");
        break;
    case PLACE_ENTRY:
        path_put_index(ctx, path, "<value ", place->index, ">");
        break;
    case PLACE_MEMBER:
        path_put_index(ctx, path, "<member ", place->index, ">");
        break;
    }
}

static JSValue path_text(JSContext *ctx, const char *root, const Place *place)
{
    StringBuffer path;

    string_buffer_init(ctx, &path, 64);
    string_buffer_puts8(&path, root);
    path_put(ctx, &path, place);
    return string_buffer_end(&path);
}

/* Throws a TypeError with `message`, `code` and one more own property. The values are freed; always -1. */
static int value_throw(JSContext *ctx, JSValue message, const char *code, const char *name, JSValue detail)
{
    JSValue error;

    if (JS_IsException(message) || JS_IsException(detail))
        goto fail;
    error = JS_MakeError2(ctx, JS_TYPE_ERROR, false, "");
    if (JS_IsException(error))
        goto fail;
    JS_DefinePropertyValue(ctx, error, JS_ATOM_message, message, JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE);
    JS_DefinePropertyValueStr(ctx, error, "code", js_new_string8(ctx, code), JS_PROP_C_W_E);
    JS_DefinePropertyValueStr(ctx, error, name, detail, JS_PROP_C_W_E);
    build_backtrace(ctx, error, JS_UNDEFINED, NULL, 0, 0, 0);
    JS_Throw(ctx, error);
    return -1;
fail:
    JS_FreeValue(ctx, message);
    JS_FreeValue(ctx, detail);
    return -1;
}

/* Set by each refusal; whoever encodes clears it before, and can tell a refusal from what a getter threw. */
static bool value_was_refused;

/* Throws `cannot send PATH: WHAT`. `what` is freed; always -1. */
static int value_throw_refused(JSContext *ctx, const char *code, const char *root, const Place *place, JSValue what)
{
    JSValue path = path_text(ctx, root, place);
    StringBuffer message;

    value_was_refused = true;
    string_buffer_init(ctx, &message, 64);
    string_buffer_puts8(&message, "cannot send ");
    string_buffer_concat_value(&message, path);
    string_buffer_puts8(&message, ": ");
    string_buffer_concat_value_free(&message, what);
    return value_throw(ctx, string_buffer_end(&message), code, "path", path);
}
