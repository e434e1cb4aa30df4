/* The way back: one item after the other, arrays, Maps and Sets, and the tags. */

static JSValue decode_array(Decoder *d, uint64_t length, uint32_t sharing);
static JSValue decode_tagged(Decoder *d, uint64_t tag, uint32_t sharing);
static int decode_check_sharing(Decoder *d);

static JSValue value_decode(JSContext *ctx, const uint8_t *bytes, size_t length)
{
    Decoder d = { .ctx = ctx, .bytes = bytes, .at = bytes, .item = bytes, .end = bytes + length };
    JSValue value = decode_item(&d, NOT_SHARED);

    if (!JS_IsException(value) && decode_check_sharing(&d)) {
        JS_FreeValue(ctx, value);
        value = JS_EXCEPTION;
    }
    js_free(ctx, d.shared);
    return value;
}

static int decode_check_sharing(Decoder *d)
{
    d->item = d->at;
    if (d->at < d->end)
        return malformed_status(d, "trailing-bytes");
    for (uint32_t i = 0; i < d->shared_count; i++)
        if (!d->shared[i].used || !buffer_is_covered(&d->shared[i]))
            return malformed_status(d, d->shared[i].used ? "view-span" : "unused-share");
    return 0;
}

static bool head_is_object(const Head *head)
{
    if (head->major == MAJOR_TAG)
        return head->argument != TAG_BIGINT && head->argument != TAG_BIGINT_NEGATIVE && head->argument != TAG_WTF8 &&
            head->argument != TAG_SHARED && head->argument != TAG_REFERENCE;
    return head->major == MAJOR_BYTES || head->major == MAJOR_ARRAY || head->major == MAJOR_MAP;
}

/* One value. `sharing` is the number of the tag 28 before it, or NOT_SHARED. */
static JSValue decode_item(Decoder *d, uint32_t sharing)
{
    JSValue value;
    Head head;

    if (decode_head(d, &head))
        return JS_EXCEPTION;
    if (sharing != NOT_SHARED && !head_is_object(&head))
        return malformed(d, "share-target");
    switch (head.major) {
    case MAJOR_UNSIGNED:
    case MAJOR_NEGATIVE:
        return decode_integer(d, &head);
    case MAJOR_BYTES:
        value = decode_buffer(d, head.argument);
        decode_made(d, sharing, value);
        return value;
    case MAJOR_TEXT:
        return decode_text(d, head.argument);
    case MAJOR_ARRAY:
        return decode_array(d, head.argument, sharing);
    case MAJOR_MAP:
        return decode_object(d, head.argument, JS_VALUE_GET_OBJ(d->ctx->class_proto[JS_CLASS_OBJECT]), sharing);
    case MAJOR_TAG:
        return decode_tagged(d, head.argument, sharing);
    default:
        return decode_simple(d);
    }
}

/* --- arrays ------------------------------------------------------------------------------------------------------------ */

/* Reads the next element; behind a hole the engine's own way to add one is taken, for the array is no longer a fast one. */
static int decode_element(Decoder *d, JSObject *array, uint32_t index)
{
    JSValue element;

    if (decode_left(d) > 0 && *d->at == FORM_HOLE) {
        d->owed--;
        d->at++;
        return 0;
    }
    element = decode_owed(d);
    if (JS_IsException(element))
        return -1;
    if (!array->fast_array || array->u.array.count < index)
        return JS_DefinePropertyValueUint32(d->ctx, JS_MKPTR(JS_TAG_OBJECT, array), index, element, JS_PROP_C_W_E) < 0 ? -1 : 0;
    array->u.array.u.values[index] = element;
    array->u.array.count = index + 1;
    return 0;
}

static JSValue decode_array(Decoder *d, uint64_t length, uint32_t sharing)
{
    JSValue value;
    JSObject *array;

    if (decode_enter(d, length))
        return JS_EXCEPTION;
    value = JS_NewArray(d->ctx);
    if (JS_IsException(value))
        return value;
    decode_made(d, sharing, value);
    array = JS_VALUE_GET_OBJ(value);
    if (length > 0 && expand_fast_array(d->ctx, array, length)) {
        JS_FreeValue(d->ctx, value);
        return JS_EXCEPTION;
    }
    array->prop[0].u.value = js_uint32(length);
    for (uint32_t i = 0; i < length; i++) {
        if (decode_element(d, array, i)) {
            JS_FreeValue(d->ctx, value);
            return JS_EXCEPTION;
        }
    }
    decode_leave(d);
    return value;
}

/* --- Maps and Sets ------------------------------------------------------------------------------------------------------ */

static bool is_negative_zero(JSValueConst value)
{
    return JS_TAG_IS_FLOAT64(JS_VALUE_GET_TAG(value)) && JS_VALUE_GET_FLOAT64(value) == 0;
}

/* Adds an entry with `key`, which is freed; its value is undefined. NULL with an exception pending. */
static JSMapRecord *decode_record(Decoder *d, JSMapState *map, JSValue key, bool is_set)
{
    JSMapRecord *record = NULL;

    if (is_negative_zero(key))
        malformed(d, "negative-zero");
    else if (map_find_record(d->ctx, map, key))
        malformed(d, is_set ? "duplicate-member" : "duplicate-key");
    else if ((record = map_add_record(d->ctx, map, key)))
        record->value = JS_UNDEFINED;
    JS_FreeValue(d->ctx, key);
    return record;
}

static int decode_entry(Decoder *d, JSMapState *map, bool is_set)
{
    JSValue key = decode_owed(d), value;
    JSMapRecord *record;

    if (JS_IsException(key) || !(record = decode_record(d, map, key, is_set)))
        return -1;
    if (is_set)
        return 0;
    value = decode_owed(d);
    if (JS_IsException(value))
        return -1;
    record->value = value;
    return 0;
}

/* What is behind tag 258 or 259. */
static JSValue decode_entries(Decoder *d, bool is_set, uint32_t sharing)
{
    JSValue map;
    Head head;

    if (decode_head_of(d, is_set ? MAJOR_ARRAY : MAJOR_MAP, &head, "tag-content"))
        return JS_EXCEPTION;
    if (head.argument > UINT32_MAX)
        return malformed(d, "truncated");
    if (decode_enter(d, is_set ? head.argument : 2 * head.argument))
        return JS_EXCEPTION;
    map = js_map_constructor(d->ctx, JS_UNDEFINED, 0, NULL, is_set ? MAGIC_SET : 0);
    if (JS_IsException(map))
        return map;
    decode_made(d, sharing, map);
    for (uint64_t i = 0; i < head.argument; i++) {
        if (decode_entry(d, JS_VALUE_GET_OBJ(map)->u.map_state, is_set)) {
            JS_FreeValue(d->ctx, map);
            return JS_EXCEPTION;
        }
    }
    decode_leave(d);
    return map;
}

/* --- tags --------------------------------------------------------------------------------------------------------------- */

static JSValue decode_shared(Decoder *d)
{
    uint32_t sharing;

    return decode_sharing(d, &sharing) ? JS_EXCEPTION : decode_item(d, sharing);
}

static JSValue decode_met_object(Decoder *d)
{
    uint32_t number;
    JSValue object = decode_reference(d, &number);

    if (!JS_IsException(object))
        d->shared[number].viewed = false;
    return object;
}

static JSValue decode_null_prototype(Decoder *d, uint32_t sharing)
{
    Head head;

    if (decode_head_of(d, MAJOR_MAP, &head, "tag-content"))
        return JS_EXCEPTION;
    return decode_object(d, head.argument, NULL, sharing);
}

/* What is behind the tag of a value that holds no others. */
static JSValue decode_tagged_leaf(Decoder *d, uint64_t tag)
{
    JSClassID view = value_view_class(tag);

    switch (tag) {
    case TAG_DATE:
        return decode_date(d);
    case TAG_REGEXP:
        return decode_regexp(d);
    case TAG_VIEW:
        return decode_shared_view(d);
    default:
        return view ? decode_view(d, view) : malformed(d, "unknown-tag");
    }
}

static JSValue decode_tagged(Decoder *d, uint64_t tag, uint32_t sharing)
{
    JSValue value;

    switch (tag) {
    case TAG_BIGINT:
    case TAG_BIGINT_NEGATIVE:
        return decode_bigint(d, tag == TAG_BIGINT_NEGATIVE);
    case TAG_WTF8:
        return decode_wtf8(d);
    case TAG_SHARED:
        return decode_shared(d);
    case TAG_REFERENCE:
        return decode_met_object(d);
    case TAG_SET:
    case TAG_MAP:
        return decode_entries(d, tag == TAG_SET, sharing);
    case TAG_NULL_PROTOTYPE:
        return decode_null_prototype(d, sharing);
    case TAG_ERROR:
        return decode_error(d, sharing);
    default:
        value = decode_tagged_leaf(d, tag);
        decode_made(d, sharing, value);
        return value;
    }
}
