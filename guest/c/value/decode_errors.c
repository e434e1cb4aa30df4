/* Errors, back. */

static bool text_is(JSValueConst text, const char *ascii)
{
    JSString *chars = JS_VALUE_GET_STRING(text);
    size_t length = strlen(ascii);

    return !chars->is_wide_char && chars->len == length && memcmp(str8(chars), ascii, length) == 0;
}

/* The prototype of the built-in error of that name; JS_NULL when there is none. */
static JSValueConst error_prototype(JSContext *ctx, JSValueConst name)
{
    if (text_is(name, "Error"))
        return ctx->class_proto[JS_CLASS_ERROR];
    for (int i = 0; i < JS_NATIVE_ERROR_COUNT; i++)
        if (text_is(name, native_error_name[i]))
            return ctx->native_error_proto[i];
    return JS_NULL;
}

/* An error of that name, which is freed. It has a stack, as all errors have, and an empty one. */
static JSValue error_new(JSContext *ctx, JSValue name)
{
    JSValueConst proto = error_prototype(ctx, name);
    JSValue error = JS_NewObjectProtoClass(ctx, JS_IsNull(proto) ? ctx->class_proto[JS_CLASS_ERROR] : proto, JS_CLASS_ERROR);

    if (JS_IsException(error) || !JS_IsNull(proto)) {
        JS_FreeValue(ctx, name);
    } else if (JS_DefinePropertyValue(ctx, error, JS_ATOM_name, name, JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE) < 0) {
        JS_FreeValue(ctx, error);
        return JS_EXCEPTION;
    }
    if (!JS_IsException(error))
        JS_VALUE_GET_OBJ(error)->u.object_data = js_empty_string(ctx->rt);
    return error;
}

/* The next key, as the number of a field behind `last`; -1 with an exception pending. */
static int decode_field_key(Decoder *d, const JSAtom keys[FIELD_COUNT], int last)
{
    JSAtom key = decode_key(d, "error-fields");
    int field = last + 1;

    if (key == JS_ATOM_NULL)
        return -1;
    while (field < FIELD_COUNT && keys[field] != key)
        field++;
    JS_FreeAtom(d->ctx, key);
    if (field == FIELD_COUNT || (last < FIELD_MESSAGE && field != last + 1))
        return malformed_status(d, "error-fields");
    return field;
}

static JSValue decode_field_value(Decoder *d, int field)
{
    bool is_reference = decode_left(d) > 1 && d->at[0] == (MAJOR_TAG << 5 | 24) && d->at[1] == TAG_REFERENCE;
    JSValue value = decode_owed(d);

    if (JS_IsException(value) || field_is_sent(field, value))
        return value;
    JS_FreeValue(d->ctx, value);
    return malformed(d, is_reference && field == FIELD_ERRORS ? "reference-target" : "error-fields");
}

static int decode_field(Decoder *d, const JSAtom keys[FIELD_COUNT], int last, JSValue *error, uint32_t sharing)
{
    int field = decode_field_key(d, keys, last);
    JSValue value = field < 0 ? JS_EXCEPTION : decode_field_value(d, field);

    if (JS_IsException(value))
        return -1;
    if (field == FIELD_NAME) {
        *error = error_new(d->ctx, value);
        decode_made(d, sharing, *error);
        return JS_IsException(*error) ? -1 : field;
    }
    if (JS_DefinePropertyValue(d->ctx, *error, keys[field], value,
                               field == FIELD_CODE ? JS_PROP_C_W_E : JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE) < 0)
        return -1;
    return field;
}

static JSValue decode_fields(Decoder *d, uint64_t count, const JSAtom keys[FIELD_COUNT], uint32_t sharing)
{
    JSValue error = JS_UNDEFINED;
    int field = -1;

    for (uint64_t i = 0; i < count; i++) {
        field = decode_field(d, keys, field, &error, sharing);
        if (field < 0) {
            JS_FreeValue(d->ctx, error);
            return JS_EXCEPTION;
        }
    }
    return error;
}

/* What is behind tag 40503. */
static JSValue decode_error(Decoder *d, uint32_t sharing)
{
    JSAtom keys[FIELD_COUNT];
    JSValue error;
    Head head;

    if (decode_head_of(d, MAJOR_MAP, &head, "tag-content"))
        return JS_EXCEPTION;
    if (head.argument < 2 || head.argument > FIELD_COUNT)
        return malformed(d, "error-fields");
    if (decode_enter(d, 2 * head.argument) || field_keys(d->ctx, keys))
        return JS_EXCEPTION;
    error = decode_fields(d, head.argument, keys, sharing);
    JS_FreeAtom(d->ctx, keys[FIELD_CODE]);
    decode_leave(d);
    return error;
}
