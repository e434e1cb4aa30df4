/* What containers hold: the properties of objects, the elements of arrays, the entries of Maps and Sets. */

/* Reads a property of `p` that is its own or, unless `own`, inherited. 1 with a value to free, 0 when there is none, -1. */
static int encode_read(Encoder *e, JSObject *p, JSAtom key, bool own, JSValue *value)
{
    JSProperty *slot = NULL;
    JSShapeProperty *property = NULL;
    JSObject *from = p;
    int type;

    for (; from && from->class_id != JS_CLASS_PROXY; from = own ? NULL : from->shape->proto)
        if ((property = find_own_property(&slot, from, key)))
            break;
    if (!from)
        return 0;
    type = property ? property->flags & JS_PROP_TMASK : JS_PROP_GETSET;
    if (type == JS_PROP_NORMAL) {
        *value = js_dup(slot->u.value);
        return 1;
    }
    if (type == JS_PROP_GETSET && e->mode == ENCODE_DESCRIBE)
        *value = js_new_string8(e->ctx, "[Getter]");
    else if (type == JS_PROP_GETSET && !encode_may_run(e))
        return -1;
    else
        *value = JS_GetProperty(e->ctx, JS_MKPTR(JS_TAG_OBJECT, p), key);
    return JS_IsException(*value) ? -1 : 1;
}

static int encode_free(Encoder *e, JSValue value, const Place *place)
{
    int status = encode_value(e, value, place);

    JS_FreeValue(e->ctx, value);
    return status;
}

/* --- plain objects ---------------------------------------------------------------------------------------------------- */

static bool is_sent(JSContext *ctx, const JSShapeProperty *property)
{
    return property->atom != JS_ATOM_NULL && (property->flags & JS_PROP_ENUMERABLE) &&
        (__JS_AtomIsTaggedInt(property->atom) || ctx->rt->atom_array[property->atom]->atom_type == JS_ATOM_TYPE_STRING);
}

/* How many properties there are to send, if the shape lists them as they are sent: in this order, and all plain data. Else -1. */
static int shape_count(JSContext *ctx, JSShape *shape)
{
    const JSShapeProperty *property = get_shape_prop(shape);
    uint32_t index;
    int count = 0;

    for (int i = 0; i < shape->prop_count; i++, property++) {
        if (!is_sent(ctx, property))
            continue;
        if ((property->flags & JS_PROP_TMASK) != JS_PROP_NORMAL || JS_AtomIsArrayIndex(ctx, &index, property->atom))
            return -1;
        count++;
    }
    return count;
}

/* Goes along the shape; in a quick walk only, where it can't change meanwhile. */
static int encode_shape(Encoder *e, JSObject *p, int count, const Place *outer)
{
    const JSShapeProperty *property = get_shape_prop(p->shape);
    Place place = { .outer = outer, .kind = PLACE_PROPERTY };

    put_head(e->out, MAJOR_MAP, count);
    for (int i = 0; i < p->shape->prop_count; i++, property++) {
        if (!is_sent(e->ctx, property))
            continue;
        place.key = property->atom;
        encode_key(e, property->atom);
        if (encode_value(e, p->prop[i].u.value, &place))
            return -1;
    }
    return encode_status(e);
}

static int encode_listed_property(Encoder *e, JSObject *p, JSAtom key, const Place *outer)
{
    Place place = { .outer = outer, .kind = PLACE_PROPERTY, .key = key };
    JSValue value = JS_UNDEFINED; /* of a property that a getter before it took away */

    if (encode_read(e, p, key, true, &value) < 0)
        return -1;
    encode_key(e, key);
    return encode_free(e, value, &place);
}

/* Goes along a list of the keys, in JavaScript's order. */
static int encode_listed(Encoder *e, JSObject *p, const Place *place)
{
    JSPropertyEnum *keys;
    uint32_t count;
    int status = 0;

    if (JS_GetOwnPropertyNamesInternal(e->ctx, &keys, &count, p, JS_GPN_STRING_MASK | JS_GPN_ENUM_ONLY))
        return -1;
    put_head(e->out, MAJOR_MAP, count);
    for (uint32_t i = 0; i < count && status == 0; i++)
        status = encode_listed_property(e, p, keys[i].atom, place);
    js_free_prop_enum(e->ctx, keys, count);
    return status;
}

static int encode_plain(Encoder *e, JSObject *p, const Place *place)
{
    int count = e->careful ? -1 : shape_count(e->ctx, p->shape);

    if (!p->shape->proto && e->mode != ENCODE_INSTANCES)
        put_head(e->out, MAJOR_TAG, TAG_NULL_PROTOTYPE);
    return count < 0 ? encode_listed(e, p, place) : encode_shape(e, p, count, place);
}

/* --- arrays ----------------------------------------------------------------------------------------------------------- */

static int encode_elements(Encoder *e, JSObject *p, uint32_t count, const Place *outer)
{
    Place place = { .outer = outer, .kind = PLACE_INDEX };

    for (; place.index < count; place.index++)
        if (encode_value(e, p->u.array.u.values[place.index], &place))
            return -1;
    return 0;
}

/* As encode_read, of an element of an array, which may be one of its fast elements or a property. */
static int encode_read_element(Encoder *e, JSObject *p, JSAtom key, uint32_t index, JSValue *element)
{
    if (!p->fast_array)
        return encode_read(e, p, key, true, element);
    if (index >= p->u.array.count)
        return 0;
    *element = js_dup(p->u.array.u.values[index]);
    return 1;
}

/* Goes along a list of the indices that are there, and fills the holes between them. */
static int encode_sparse(Encoder *e, JSObject *p, const JSPropertyEnum *keys, uint32_t count, uint32_t length, const Place *outer)
{
    Place place = { .outer = outer, .kind = PLACE_INDEX };
    JSValue element;
    uint32_t done = 0;

    for (uint32_t i = 0; i < count && JS_AtomIsArrayIndex(e->ctx, &place.index, keys[i].atom) && place.index < length; i++) {
        int found;
        buffer_fill(e->out, FORM_HOLE, place.index - done);
        done = place.index;
        found = encode_read_element(e, p, keys[i].atom, place.index, &element);
        if (found < 0)
            return -1;
        if (found == 0) /* a getter before it took it away */
            continue;
        if (encode_free(e, element, &place))
            return -1;
        done++;
    }
    buffer_fill(e->out, FORM_HOLE, length - done);
    return encode_status(e);
}

static int encode_array(Encoder *e, JSObject *p, const Place *place)
{
    uint32_t length = 0, count;
    JSPropertyEnum *keys;
    int status;

    JS_ToUint32(e->ctx, &length, p->prop[0].u.value);
    put_head(e->out, MAJOR_ARRAY, length);
    if (!buffer_reserve(e->out, length)) /* an item is a byte or more: an array of many holes is refused before it is walked */
        return -1;
    if (p->fast_array && !e->careful) {
        count = min_uint32(p->u.array.count, length);
        if (encode_elements(e, p, count, place))
            return -1;
        buffer_fill(e->out, FORM_HOLE, length - count);
        return encode_status(e);
    }
    if (JS_GetOwnPropertyNamesInternal(e->ctx, &keys, &count, p, JS_GPN_STRING_MASK))
        return -1;
    status = encode_sparse(e, p, keys, count, length, place);
    js_free_prop_enum(e->ctx, keys, count);
    return status;
}

/* --- Maps and Sets ---------------------------------------------------------------------------------------------------- */

static int encode_entry(Encoder *e, JSValueConst key, JSValueConst value, bool is_set, uint32_t index, const Place *outer)
{
    Place place = { .outer = outer, .kind = is_set ? PLACE_MEMBER : PLACE_KEY, .index = index };

    if (encode_value(e, key, &place))
        return -1;
    place.kind = PLACE_ENTRY;
    return is_set ? 0 : encode_value(e, value, &place);
}

static int encode_records(Encoder *e, JSMapState *map, bool is_set, const Place *place)
{
    struct list_head *link;
    uint32_t index = 0;

    list_for_each(link, &map->records) {
        JSMapRecord *record = list_entry(link, JSMapRecord, link);
        if (!record->empty && encode_entry(e, record->key, record->value, is_set, index++, place))
            return -1;
    }
    return encode_status(e);
}

/* Goes along a copy of the entries: keys and values in turn. */
static int encode_copied_records(Encoder *e, JSMapState *map, bool is_set, const Place *place)
{
    uint32_t count = map->record_count, copied = 0;
    JSValue *entries = js_malloc(e->ctx, max_uint32(count, 1) * 2 * sizeof(*entries));
    struct list_head *link;
    int status = 0;

    if (!entries)
        return -1;
    list_for_each(link, &map->records) {
        JSMapRecord *record = list_entry(link, JSMapRecord, link);
        if (record->empty)
            continue;
        entries[copied++] = js_dup(record->key);
        entries[copied++] = js_dup(record->value);
    }
    for (uint32_t i = 0; i < count && status == 0; i++)
        status = encode_entry(e, entries[2 * i], entries[2 * i + 1], is_set, i, place);
    for (uint32_t i = 0; i < copied; i++)
        JS_FreeValue(e->ctx, entries[i]);
    js_free(e->ctx, entries);
    return status;
}

static int encode_entries(Encoder *e, JSObject *p, const Place *place)
{
    bool is_set = p->class_id == JS_CLASS_SET;
    JSMapState *map = p->u.map_state;

    put_head(e->out, MAJOR_TAG, is_set ? TAG_SET : TAG_MAP);
    put_head(e->out, is_set ? MAJOR_ARRAY : MAJOR_MAP, map->record_count);
    return e->careful ? encode_copied_records(e, map, is_set, place) : encode_records(e, map, is_set, place);
}
