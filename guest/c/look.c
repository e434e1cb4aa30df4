/* What `inspect` and `structuredClone` look at: values from the inside, so that no getter and no trap of the script runs. */

/* kind(value) -> the internal class of an object, or undefined for what is not an object. */
static JSValue native_kind(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val, (void)argc;
    if (!JS_IsObject(argv[0]))
        return JS_UNDEFINED;
    switch (JS_VALUE_GET_OBJ(argv[0])->class_id) {
    case JS_CLASS_C_FUNCTION:
    case JS_CLASS_BYTECODE_FUNCTION:
    case JS_CLASS_BOUND_FUNCTION:
    case JS_CLASS_C_FUNCTION_DATA:
    case JS_CLASS_C_CLOSURE:
    case JS_CLASS_GENERATOR_FUNCTION:
    case JS_CLASS_ASYNC_FUNCTION:
    case JS_CLASS_ASYNC_GENERATOR_FUNCTION:
    case JS_CLASS_PROMISE_RESOLVE_FUNCTION:
    case JS_CLASS_PROMISE_REJECT_FUNCTION:
    case JS_CLASS_ASYNC_FUNCTION_RESOLVE:
    case JS_CLASS_ASYNC_FUNCTION_REJECT:
        return JS_AtomToString(ctx, JS_ATOM_Function);
    case JS_CLASS_MAPPED_ARGUMENTS:
        return JS_AtomToString(ctx, JS_ATOM_Arguments);
    case JS_CLASS_PROXY:
        return JS_NewString(ctx, "Proxy"); /* its own class name tells callable proxies apart, kinds do not */
    default:
        return JS_AtomToString(ctx, ctx->rt->class_array[JS_VALUE_GET_OBJ(argv[0])->class_id].class_name);
    }
}

/* Only a class's `prototype` comes read-only. */
static bool is_class_constructor(JSObject *function)
{
    JSProperty *value;
    JSShapeProperty *property = find_own_property(&value, function, JS_ATOM_prototype);
    return property && !(property->flags & JS_PROP_WRITABLE);
}

/* isRegisteredSymbol(symbol) -> whether `Symbol.for` made it */
static JSValue native_is_registered_symbol(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)ctx, (void)this_val, (void)argc;
    return js_bool(JS_VALUE_GET_STRING(argv[0])->atom_type == JS_ATOM_TYPE_GLOBAL_SYMBOL);
}

static bool is_index(JSContext *ctx, JSAtom key)
{
    uint32_t index;
    return JS_AtomIsArrayIndex(ctx, &index, key);
}

static int append_key(JSContext *ctx, JSValueConst keys, uint32_t *count, JSAtom key)
{
    return JS_DefinePropertyValueUint32(ctx, keys, (*count)++, JS_AtomToValue(ctx, key), JS_PROP_C_W_E);
}

/* The keys of an array beside its indices, of which there may be millions. */
static void append_named_keys(JSContext *ctx, JSValueConst keys, JSObject *object)
{
    uint32_t count = 0;
    JSShapeProperty *property = get_shape_prop(object->shape);
    for (int i = 0; i < object->shape->prop_count; i++, property++)
        if (property->atom != JS_ATOM_NULL && property->flags & JS_PROP_ENUMERABLE && !is_index(ctx, property->atom)
            && JS_AtomGetKind(ctx, property->atom) != JS_ATOM_KIND_PRIVATE)
            append_key(ctx, keys, &count, property->atom);
}

/* keys(object, named) -> array of its own enumerable keys, symbols last; with `named` true without array indices. Not for proxies. */
static JSValue native_keys(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val, (void)argc;
    JSValue keys = JS_NewArray(ctx);
    if (JS_IsException(keys))
        return keys;
    if (JS_ToBool(ctx, argv[1])) {
        append_named_keys(ctx, keys, JS_VALUE_GET_OBJ(argv[0]));
        return keys;
    }
    JSPropertyEnum *own;
    uint32_t own_count, count = 0;
    if (JS_GetOwnPropertyNames(ctx, &own, &own_count, argv[0], JS_GPN_STRING_MASK | JS_GPN_SYMBOL_MASK | JS_GPN_ENUM_ONLY)) {
        JS_FreeValue(ctx, keys);
        return JS_EXCEPTION;
    }
    for (uint32_t i = 0; i < own_count; i++)
        append_key(ctx, keys, &count, own[i].atom);
    JS_FreePropertyEnum(ctx, own, own_count);
    return keys;
}

/* functionKind(function) -> "class", "native" for one written in C, or the name of its intrinsic constructor: "AsyncFunction", ... */
static JSValue native_function_kind(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val, (void)argc;
    JSObject *function = JS_VALUE_GET_OBJ(argv[0]);
    switch (function->class_id) {
    case JS_CLASS_GENERATOR_FUNCTION:
        return JS_NewString(ctx, "GeneratorFunction");
    case JS_CLASS_ASYNC_FUNCTION:
        return JS_NewString(ctx, "AsyncFunction");
    case JS_CLASS_ASYNC_GENERATOR_FUNCTION:
        return JS_NewString(ctx, "AsyncGeneratorFunction");
    case JS_CLASS_BYTECODE_FUNCTION:
        return JS_NewString(ctx, is_class_constructor(function) ? "class" : "Function");
    default:
        return JS_NewString(ctx, "native");
    }
}

/* promiseParts(promise) -> [state: 0 pending, 1 fulfilled, 2 rejected; result] */
static JSValue native_promise_parts(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val, (void)argc;
    JSPromiseData *promise = JS_GetOpaque2(ctx, argv[0], JS_CLASS_PROMISE);
    if (!promise)
        return JS_EXCEPTION;
    JSValueConst parts[2] = {js_int32(promise->promise_state), promise->promise_result};
    return js_create_array(ctx, 2, parts);
}

/* regexpFlags(regexp) -> its flags in the order of the standard's `flags`, which reads properties that a script may patch */
static JSValue native_regexp_flags(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val, (void)argc;
    static const struct {
        int flag;
        char letter;
    } letters[] = {
        {LRE_FLAG_INDICES, 'd'}, {LRE_FLAG_GLOBAL, 'g'},  {LRE_FLAG_IGNORECASE, 'i'},   {LRE_FLAG_MULTILINE, 'm'},
        {LRE_FLAG_DOTALL, 's'},  {LRE_FLAG_UNICODE, 'u'}, {LRE_FLAG_UNICODE_SETS, 'v'}, {LRE_FLAG_STICKY, 'y'},
    };
    JSRegExp *regexp = js_get_regexp(ctx, argv[0], true);
    if (!regexp)
        return JS_EXCEPTION;
    int flags = lre_get_flags((const uint8_t *)str8(regexp->bytecode));
    char text[countof(letters)];
    size_t length = 0;
    for (size_t i = 0; i < countof(letters); i++)
        if (flags & letters[i].flag)
            text[length++] = letters[i].letter;
    return JS_NewStringLen(ctx, text, length);
}

/* proxyTarget(proxy) -> its target, or null where it is revoked */
static JSValue native_proxy_target(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val, (void)argc;
    JSProxyData *proxy = JS_GetOpaque2(ctx, argv[0], JS_CLASS_PROXY);
    if (!proxy)
        return JS_EXCEPTION;
    return proxy->is_revoked ? JS_NULL : js_dup(proxy->target);
}

static JSMapState *map_state_of(JSValueConst value)
{
    int class_id = JS_IsObject(value) ? JS_VALUE_GET_OBJ(value)->class_id : 0;
    return class_id == JS_CLASS_MAP || class_id == JS_CLASS_SET ? JS_VALUE_GET_OBJ(value)->u.map_state : NULL;
}

typedef struct {
    JSMapState *state;      /* NULL: nothing to see */
    struct list_head *from; /* the first record */
    bool set, keys, values; /* a set keeps its members as keys alone, which are its values too */
} Records;

static Records records_of(JSValueConst value)
{
    int class_id = JS_VALUE_GET_OBJ(value)->class_id;
    if (class_id == JS_CLASS_MAP || class_id == JS_CLASS_SET) {
        JSMapState *state = map_state_of(value);
        return (Records){.state = state, .from = state->records.next, .keys = true, .values = class_id == JS_CLASS_MAP};
    }
    if (class_id == JS_CLASS_MAP_ITERATOR || class_id == JS_CLASS_SET_ITERATOR) {
        JSMapIteratorData *iterator = JS_VALUE_GET_OBJ(value)->u.map_iterator_data;
        JSMapState *state = map_state_of(iterator->obj);
        if (!state)
            return (Records){0};
        bool entries = iterator->kind == JS_ITERATOR_KIND_KEY_AND_VALUE;
        bool set = class_id == JS_CLASS_SET_ITERATOR;
        return (Records){
            .state = state,
            .from = iterator->cur_record ? iterator->cur_record->link.next : state->records.next,
            .set = set,
            .keys = entries || set || iterator->kind == JS_ITERATOR_KIND_KEY,
            .values = entries || (!set && iterator->kind == JS_ITERATOR_KIND_VALUE),
        };
    }
    return (Records){0};
}

/* entries(map | set | iterator of one, most) -> [flat array of at most `most` records, records in all, whether they are pairs] */
static JSValue native_entries(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val, (void)argc;
    uint32_t most, total = 0, length = 0;
    if (JS_ToUint32(ctx, &most, argv[1]))
        return JS_EXCEPTION;
    Records records = records_of(argv[0]);
    JSValue flat = JS_NewArray(ctx);
    if (JS_IsException(flat))
        return flat;
    for (struct list_head *link = records.from; records.state && link != &records.state->records; link = link->next) {
        JSMapRecord *record = list_entry(link, JSMapRecord, link);
        if (record->empty || total++ >= most)
            continue;
        if (records.keys)
            JS_DefinePropertyValueUint32(ctx, flat, length++, js_dup(record->key), JS_PROP_C_W_E);
        if (records.values)
            JS_DefinePropertyValueUint32(ctx, flat, length++, js_dup(records.set ? record->key : record->value), JS_PROP_C_W_E);
    }
    JSValueConst parts[3] = {flat, js_int32((int32_t)total), js_bool(records.keys && records.values)};
    JSValue answer = js_create_array(ctx, 3, parts);
    JS_FreeValue(ctx, flat);
    return answer;
}
