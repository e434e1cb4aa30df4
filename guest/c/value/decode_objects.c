/* Plain objects, back.
 *
 * Rows of a table have the same keys in the same order, and so have the answers of a function that is called again and again: the shapes
 * of objects that were read are kept, as long as the realm lives, but for large ones, whose keys would fill the script's memory. One of the
 * same size with the same first key is made with that shape at once, and its keys are then only compared. Where one differs, the object is
 * taken back to the properties that it has until there, and goes on key by key.
 */

enum { KEPT_SHAPES = 32, KEPT_PROPERTIES = 64 };

static JSShape *kept_shapes[KEPT_SHAPES]; /* by first key and size */

typedef struct {
    Decoder *d;
    JSObject *p;
    bool shaped;    /* has its last shape from the start; properties not read yet are undefined */
    bool plain;     /* its keys so far are short and of ASCII, and no indices: worth keeping the shape */
    bool has_index; /* and the greatest is last_index */
    bool has_name;  /* another key than an index */
    uint32_t last_index;
} Building;

/* Where the shape of an object is kept whose first key is at `d->at`. NULL when it is not of the plain sort. */
static JSShape **shape_slot(Decoder *d, uint64_t count)
{
    size_t left = decode_left(d);
    uint32_t hash = count;

    if (left < 2 || d->at[0] >> 5 != MAJOR_TEXT)
        return NULL;
    for (size_t i = 0; i < 4 && i < left; i++)
        hash = hash * 31 + d->at[i];
    return &kept_shapes[hash % KEPT_SHAPES];
}

/* Steps over the next key if it is `atom`, a string of ASCII, with its shortest head. */
static bool decode_expected_key(Decoder *d, JSAtom atom)
{
    JSString *key = d->ctx->rt->atom_array[atom];
    size_t head = key->len < 24 ? 1 : 2;

    if (decode_left(d) < head + key->len)
        return false;
    if (head == 1 ? d->at[0] != (MAJOR_TEXT << 5 | key->len) : d->at[0] != (MAJOR_TEXT << 5 | 24) || d->at[1] != key->len)
        return false;
    if (memcmp(d->at + head, str8(key), key->len))
        return false;
    d->at += head + key->len;
    d->owed--;
    return true;
}

static bool key_is_plain(Decoder *d, JSAtom atom)
{
    JSString *key;

    if (__JS_AtomIsTaggedInt(atom))
        return false;
    key = d->ctx->rt->atom_array[atom];
    return !key->is_wide_char && key->len <= UINT8_MAX && text_is_ascii(str8(key), key->len);
}

/* The next key, to be freed. JS_ATOM_NULL with an exception pending. */
static JSAtom decode_key(Decoder *d, const char *reason)
{
    JSValue key;

    d->owed--;
    key = decode_string(d, reason);
    return JS_IsException(key) ? JS_ATOM_NULL : JS_NewAtomStr(d->ctx, JS_VALUE_GET_STRING(key));
}

/* JavaScript's order of keys: indices ascending, then the others. */
static int check_key(Building *b, JSAtom key)
{
    uint32_t index;

    if (find_own_property1(b->p, key))
        return malformed_status(b->d, "duplicate-key");
    if (!JS_AtomIsArrayIndex(b->d->ctx, &index, key)) {
        b->has_name = true;
        return 0;
    }
    if (b->has_name || (b->has_index && index < b->last_index))
        return malformed_status(b->d, "key-order");
    b->has_index = true;
    b->last_index = index;
    b->plain = false;
    return 0;
}

static int add_undefined(JSContext *ctx, JSObject *p, JSAtom key)
{
    JSProperty *property = add_property(ctx, p, key, JS_PROP_C_W_E);

    if (!property)
        return -1;
    property->u.value = JS_UNDEFINED;
    return 0;
}

static int decode_new_key(Building *b)
{
    JSAtom key = decode_key(b->d, "key-type");
    int status;

    if (key == JS_ATOM_NULL)
        return -1;
    b->plain = b->plain && key_is_plain(b->d, key);
    status = check_key(b, key);
    if (status == 0)
        status = add_undefined(b->d->ctx, b->p, key);
    JS_FreeAtom(b->d->ctx, key);
    return status;
}

/* Takes an object of a kept shape back to its first `count` properties. */
static int unshape(Building *b, uint32_t count)
{
    JSContext *ctx = b->d->ctx;
    JSShape *shape = b->p->shape;
    JSProperty *properties = b->p->prop;
    JSValue bare = JS_NewObjectProto(ctx, shape->proto ? JS_MKPTR(JS_TAG_OBJECT, shape->proto) : JS_NULL);
    JSObject *p;
    int status = 0;

    if (JS_IsException(bare))
        return -1;
    p = JS_VALUE_GET_OBJ(bare);
    for (uint32_t i = 0; i < count && status == 0; i++) {
        status = add_undefined(ctx, p, get_shape_prop(shape)[i].atom);
        if (status == 0) {
            p->prop[i].u.value = properties[i].u.value;
            properties[i].u.value = JS_UNDEFINED;
        }
    }
    /* The object itself may be shared already: it takes what the bare one has, and leaves it the rest. */
    b->p->shape = p->shape;
    b->p->prop = p->prop;
    p->shape = shape;
    p->prop = properties;
    JS_FreeValue(ctx, bare);
    b->shaped = false;
    b->has_name = count > 0;
    return status;
}

static JSValue object_new(Decoder *d, JSObject *proto, JSShape *shape)
{
    JSValue object;

    if (!shape)
        return JS_NewObjectProto(d->ctx, proto ? JS_MKPTR(JS_TAG_OBJECT, proto) : JS_NULL);
    object = JS_NewObjectFromShape(d->ctx, js_dup_shape(shape), JS_CLASS_OBJECT, NULL);
    for (int i = 0; !JS_IsException(object) && i < shape->prop_count; i++)
        JS_VALUE_GET_OBJ(object)->prop[i].u.value = JS_UNDEFINED;
    return object;
}

static int decode_property(Building *b, uint32_t i)
{
    JSValue value;

    if (b->shaped && !decode_expected_key(b->d, get_shape_prop(b->p->shape)[i].atom))
        if (unshape(b, i))
            return -1;
    if (!b->shaped && decode_new_key(b))
        return -1;
    value = decode_owed(b->d);
    if (JS_IsException(value))
        return -1;
    b->p->prop[i].u.value = value;
    return 0;
}

static void keep_shape(Decoder *d, JSShape **slot, JSShape *shape)
{
    if (!shape->is_hashed || shape->prop_count > KEPT_PROPERTIES)
        return;
    js_free_shape_null(d->ctx->rt, *slot);
    *slot = js_dup_shape(shape);
}

/* What is behind a map's head: an object with that prototype, or NULL. */
static JSValue decode_object(Decoder *d, uint64_t count, JSObject *proto, uint32_t sharing)
{
    JSShape **slot = shape_slot(d, count);
    bool shaped = slot && *slot && (uint64_t)(*slot)->prop_count == count && (*slot)->proto == proto;
    Building b = { .d = d, .shaped = shaped, .plain = true };
    JSValue object;

    if (count > UINT32_MAX || decode_enter(d, 2 * count))
        return count > UINT32_MAX ? malformed(d, "truncated") : JS_EXCEPTION;
    object = object_new(d, proto, shaped ? *slot : NULL);
    if (JS_IsException(object))
        return object;
    decode_made(d, sharing, object);
    b.p = JS_VALUE_GET_OBJ(object);
    for (uint32_t i = 0; i < count; i++) {
        if (decode_property(&b, i)) {
            JS_FreeValue(d->ctx, object);
            return JS_EXCEPTION;
        }
    }
    if (slot && b.plain && !b.shaped)
        keep_shape(d, slot, b.p->shape);
    decode_leave(d);
    return object;
}
