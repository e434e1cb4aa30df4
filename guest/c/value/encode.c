/* The walk over a value: which form each object takes, and what it holds. */

typedef enum {
    KIND_REFUSED,
    KIND_PLAIN,
    KIND_ARRAY,
    KIND_MAP,
    KIND_SET,
    KIND_ERROR,
    KIND_DATE,
    KIND_REGEXP,
    KIND_GROUND, /* a buffer or a view */
} Kind;

static int encode_object(Encoder *e, JSObject *p, const Place *place);
static int encode_whole(Encoder *e, JSValueConst value);

static int value_encode(JSContext *ctx, Buffer *out, JSValueConst value, const char *root, int mode)
{
    Encoder e = { .ctx = ctx, .out = out, .root = root, .mode = mode, .marks.ctx = ctx };
    int status = encode_whole(&e, value);

    if (e.give_up) {
        e = (Encoder){ .ctx = ctx, .out = out, .root = root, .mode = mode, .careful = true, .marks = { .ctx = ctx, .hold = true } };
        status = encode_whole(&e, value);
    }
    return status;
}

/* The array of `count` values. It is made only where there are objects among them. */
static int value_encode_array(JSContext *ctx, Buffer *out, int count, JSValueConst *values, const char *root, int mode)
{
    JSValue array;
    int status = 0;

    for (int i = 0; i < count; i++) {
        if (JS_IsObject(values[i]) || JS_IsSymbol(values[i])) {
            array = js_create_array(ctx, count, values);
            status = JS_IsException(array) ? -1 : value_encode(ctx, out, array, root, mode);
            JS_FreeValue(ctx, array);
            return status;
        }
    }
    put_head(out, MAJOR_ARRAY, count);
    for (int i = 0; i < count && status == 0; i++)
        status = value_encode(ctx, out, values[i], root, mode);
    return status;
}

static int encode_failed(Encoder *e)
{
    StringBuffer words;

    if (!e->out->failed)
        return -1;
    if (!e->out->too_large) {
        JS_ThrowOutOfMemory(e->ctx);
        return -1;
    }
    string_buffer_init(e->ctx, &words, 32);
    string_buffer_puts8(&words, "larger than ");
    string_buffer_concat_value_free(&words, JS_ToStringFree(e->ctx, js_int64(e->out->limit)));
    string_buffer_puts8(&words, " bytes");
    return value_throw_refused(e->ctx, "VALUE_TOO_LARGE", e->root, NULL, string_buffer_end(&words));
}

static int encode_whole(Encoder *e, JSValueConst value)
{
    size_t start = e->out->length;
    int status = encode_value(e, value, NULL);

    if (status == 0 && e->marks.shared)
        status = share(e, start);
    if (status < 0) {
        e->out->length = start;
        if (!e->give_up)
            encode_failed(e);
    }
    marks_free(&e->marks);
    return status;
}

static int encode_value(Encoder *e, JSValueConst value, const Place *place)
{
    switch (JS_VALUE_GET_NORM_TAG(value)) {
    case JS_TAG_INT:
        encode_integer(e, JS_VALUE_GET_INT(value));
        break;
    case JS_TAG_FLOAT64:
        encode_number(e, JS_VALUE_GET_FLOAT64(value));
        break;
    case JS_TAG_STRING:
        encode_text(e, JS_VALUE_GET_STRING(value));
        break;
    case JS_TAG_STRING_ROPE:
        return encode_string_free(e, js_linearize_string_rope(e->ctx, value));
    case JS_TAG_BOOL:
        buffer_put_u8(e->out, JS_VALUE_GET_BOOL(value) ? FORM_TRUE : FORM_FALSE);
        break;
    case JS_TAG_NULL:
        buffer_put_u8(e->out, FORM_NULL);
        break;
    case JS_TAG_SHORT_BIG_INT:
    case JS_TAG_BIG_INT:
        encode_bigint(e, value);
        break;
    case JS_TAG_OBJECT:
        return encode_object(e, JS_VALUE_GET_OBJ(value), place);
    case JS_TAG_SYMBOL:
        return encode_refused_symbol(e, value, place);
    default:
        buffer_put_u8(e->out, FORM_UNDEFINED);
        break;
    }
    return encode_status(e);
}

/* --- objects ---------------------------------------------------------------------------------------------------------- */

/* An object is what its internal slots say: an instance of a class that extends Array or Error is an array or an error. */
static Kind kind_of(const Encoder *e, JSObject *p)
{
    switch (p->class_id) {
    case JS_CLASS_OBJECT:
        if (e->mode != ENCODE_STRICT || !p->shape->proto || p->shape->proto == JS_VALUE_GET_OBJ(e->ctx->class_proto[JS_CLASS_OBJECT]))
            return KIND_PLAIN;
        return KIND_REFUSED;
    case JS_CLASS_ARRAY:
        return KIND_ARRAY;
    case JS_CLASS_MAP:
        return KIND_MAP;
    case JS_CLASS_SET:
        return KIND_SET;
    case JS_CLASS_ERROR:
    case JS_CLASS_DOM_EXCEPTION:
        return KIND_ERROR;
    case JS_CLASS_DATE:
        return KIND_DATE;
    case JS_CLASS_REGEXP:
        return KIND_REGEXP;
    default:
        if (p->class_id == JS_CLASS_ARRAY_BUFFER || p->class_id == JS_CLASS_DATAVIEW || is_typed_array(p->class_id))
            return ground_is_firm(p) ? KIND_GROUND : KIND_REFUSED;
        return KIND_REFUSED;
    }
}

static int encode_leaf(Encoder *e, JSObject *p, Kind kind, Mark *mark)
{
    switch (kind) {
    case KIND_DATE:
        return encode_date(e, p);
    case KIND_REGEXP:
        return encode_regexp(e, p);
    default:
        return encode_ground(e, p, mark);
    }
}

static int encode_container(Encoder *e, JSObject *p, Kind kind, const Place *place)
{
    switch (kind) {
    case KIND_PLAIN:
        return encode_plain(e, p, place);
    case KIND_ARRAY:
        return encode_array(e, p, place);
    case KIND_ERROR:
        return encode_error(e, p, place);
    default:
        return encode_entries(e, p, place);
    }
}

/* Whether more than one way may lead to an object, or to the buffer under it. */
static bool can_be_met_again(const Encoder *e, JSObject *p, Kind kind)
{
    return e->careful || JS_REF_COUNT(p) > 1 ||
        (kind == KIND_GROUND && p->class_id != JS_CLASS_ARRAY_BUFFER && JS_REF_COUNT(p->u.typed_array->buffer) > 1);
}

static int encode_again(Encoder *e, uint32_t first)
{
    size_t at = e->out->length;

    put_head(e->out, MAJOR_TAG, TAG_REFERENCE);
    put_head(e->out, MAJOR_UNSIGNED, 0);
    return marks_repeat(&e->marks, first, at, e->out->length - at) ? -1 : encode_status(e);
}

static int encode_too_deep(Encoder *e, JSObject *p, const Place *place)
{
    if (e->mode == ENCODE_DESCRIBE)
        return encode_string_free(e, description(e->ctx, p));
    return encode_refuse(e, place, js_new_string8(e->ctx, "deeper than 1,000 containers"));
}

static int encode_object(Encoder *e, JSObject *p, const Place *place)
{
    Kind kind = kind_of(e, p);
    bool is_container = kind >= KIND_PLAIN && kind <= KIND_ERROR;
    bool is_marked = can_be_met_again(e, p, kind);
    int64_t first = is_marked ? marks_number(&e->marks, p) : -1;
    Mark *mark = NULL;
    int status;

    if (kind == KIND_REFUSED)
        return encode_refused_object(e, p, place);
    if (first >= 0)
        return encode_again(e, first);
    if (is_container && e->depth == VALUE_DEPTH_MAX)
        return encode_too_deep(e, p, place);
    if (js_check_stack_overflow(e->ctx->rt, 0)) {
        JS_ThrowStackOverflow(e->ctx);
        return -1;
    }
    if (is_marked && !(mark = marks_add(&e->marks, p, e->out->length)))
        return -1;
    if (!is_container)
        return encode_leaf(e, p, kind, mark);
    e->depth++;
    status = encode_container(e, p, kind, place);
    e->depth--;
    return status;
}
