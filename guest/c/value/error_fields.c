/* Errors: a name and a message, and of their other own properties `cause`, `errors` and `code`. */

enum { FIELD_NAME, FIELD_MESSAGE, FIELD_CAUSE, FIELD_ERRORS, FIELD_CODE, FIELD_COUNT };

/* The keys of an error's fields. The atoms of `name` to `errors` are the engine's for good; that of `code` is to be freed. */
static int field_keys(JSContext *ctx, JSAtom keys[FIELD_COUNT])
{
    keys[FIELD_NAME] = JS_ATOM_name;
    keys[FIELD_MESSAGE] = JS_ATOM_message;
    keys[FIELD_CAUSE] = JS_ATOM_cause;
    keys[FIELD_ERRORS] = JS_ATOM_errors;
    keys[FIELD_CODE] = JS_NewAtom(ctx, "code");
    return keys[FIELD_CODE] == JS_ATOM_NULL ? -1 : 0;
}

static bool field_is_sent(int field, JSValueConst value)
{
    switch (field) {
    case FIELD_CAUSE:
        return true;
    case FIELD_ERRORS:
        return JS_VALUE_GET_TAG(value) == JS_TAG_OBJECT && JS_VALUE_GET_OBJ(value)->class_id == JS_CLASS_ARRAY;
    case FIELD_CODE:
        return JS_IsString(value) || JS_IsNumber(value);
    default:
        return JS_IsString(value);
    }
}

static int field_read(Encoder *e, JSObject *p, int field, JSAtom key, JSValue *value)
{
    JSDOMExceptionData *exception = p->class_id == JS_CLASS_DOM_EXCEPTION ? p->u.opaque : NULL;

    if (exception && field <= FIELD_MESSAGE) {
        *value = js_dup(field == FIELD_NAME ? exception->name : exception->message);
        return 1;
    }
    return encode_read(e, p, key, field > FIELD_MESSAGE, value);
}

/* What stands for a field that is not there or can't be sent: JS_UNINITIALIZED for none. */
static JSValue field_default(JSContext *ctx, int field)
{
    if (field == FIELD_NAME)
        return JS_AtomToString(ctx, JS_ATOM_Error);
    return field == FIELD_MESSAGE ? js_empty_string(ctx->rt) : JS_UNINITIALIZED;
}

/* Reads all fields, in their order. -1 with those read so far in `fields`, all of which are to be freed. */
static int fields_read(Encoder *e, JSObject *p, const JSAtom keys[FIELD_COUNT], JSValue fields[FIELD_COUNT])
{
    for (int i = 0; i < FIELD_COUNT; i++) {
        int found = field_read(e, p, i, keys[i], &fields[i]);
        if (found < 0) {
            fields[i] = JS_UNINITIALIZED;
            return -1;
        }
        if (found && field_is_sent(i, fields[i]))
            continue;
        if (found)
            JS_FreeValue(e->ctx, fields[i]);
        fields[i] = field_default(e->ctx, i);
    }
    return 0;
}

static int encode_fields(Encoder *e, const JSAtom keys[FIELD_COUNT], const JSValue fields[FIELD_COUNT], const Place *outer)
{
    Place place = { .outer = outer, .kind = PLACE_PROPERTY };
    int count = 0;

    for (int i = 0; i < FIELD_COUNT; i++)
        count += !JS_IsUninitialized(fields[i]);
    put_head(e->out, MAJOR_TAG, TAG_ERROR);
    put_head(e->out, MAJOR_MAP, count);
    for (int i = 0; i < FIELD_COUNT; i++) {
        place.key = keys[i];
        if (JS_IsUninitialized(fields[i]))
            continue;
        encode_key(e, keys[i]);
        if (encode_value(e, fields[i], &place))
            return -1;
    }
    return encode_status(e);
}

static int encode_error(Encoder *e, JSObject *p, const Place *place)
{
    JSValue fields[FIELD_COUNT];
    JSAtom keys[FIELD_COUNT];
    int status;

    if (field_keys(e->ctx, keys))
        return -1;
    for (int i = 0; i < FIELD_COUNT; i++)
        fields[i] = JS_UNINITIALIZED;
    status = fields_read(e, p, keys, fields);
    if (status == 0)
        status = encode_fields(e, keys, fields, place);
    for (int i = 0; i < FIELD_COUNT; i++)
        JS_FreeValue(e->ctx, fields[i]);
    JS_FreeAtom(e->ctx, keys[FIELD_CODE]);
    return status;
}
