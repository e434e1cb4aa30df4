/* What cannot cross: said in an error, or shown by a short text in its place (ENCODE_DESCRIBE). */

/* The own data property `key`, or undefined: looks without running anything. */
static JSValueConst peek_own(JSObject *p, JSAtom key)
{
    JSProperty *slot;
    JSShapeProperty *property = find_own_property(&slot, p, key);

    return property && (property->flags & JS_PROP_TMASK) == JS_PROP_NORMAL ? slot->u.value : JS_UNDEFINED;
}

/* A function's name, or undefined when it has none worth showing. */
static JSValueConst peek_name(JSContext *ctx, JSValueConst function)
{
    JSValueConst name = JS_IsFunction(ctx, function) ? peek_own(JS_VALUE_GET_OBJ(function), JS_ATOM_name) : JS_UNDEFINED;

    return JS_VALUE_GET_TAG(name) == JS_TAG_STRING && JS_VALUE_GET_STRING(name)->len > 0 ? name : JS_UNDEFINED;
}

static JSValue concat(JSContext *ctx, const char *before, JSValueConst text, const char *after)
{
    return JS_ConcatString3(ctx, before, js_dup(text), after);
}

static JSValue class_name(JSContext *ctx, JSObject *p)
{
    return JS_AtomToString(ctx, ctx->rt->class_array[p->class_id].class_name);
}

static JSValue instance_words(JSContext *ctx, JSObject *p)
{
    JSValueConst name = peek_name(ctx, peek_own(p->shape->proto, JS_ATOM_constructor));

    return JS_IsUndefined(name) ? js_new_string8(ctx, "an object with a prototype of its own") : concat(ctx, "an instance of ", name, "");
}

static const char *buffer_words(JSObject *p)
{
    JSArrayBuffer *buffer = p->class_id == JS_CLASS_ARRAY_BUFFER ? p->u.array_buffer : p->u.typed_array->buffer->u.array_buffer;

    if (buffer->shared)
        return "a view of a SharedArrayBuffer";
    if (p->class_id == JS_CLASS_ARRAY_BUFFER)
        return "a detached ArrayBuffer";
    return buffer->detached ? "a view of a detached ArrayBuffer" : "a view beyond the end of its ArrayBuffer";
}

/* Boxed primitives and arguments, whose class alone would read as something else. */
static bool is_called_object(JSObject *p)
{
    return (p->class_id >= JS_CLASS_NUMBER && p->class_id <= JS_CLASS_MAPPED_ARGUMENTS) || p->class_id == JS_CLASS_BIG_INT;
}

/* "a WeakMap", "an Arguments object", "a Number object" */
static JSValue class_words(JSContext *ctx, JSObject *p)
{
    JSValue name = class_name(ctx, p), words;
    int first = JS_IsException(name) || JS_VALUE_GET_STRING(name)->len == 0 ? 0 : string_get(JS_VALUE_GET_STRING(name), 0);

    if (JS_IsException(name))
        return name;
    words = concat(ctx, first && strchr("AEIOU", first) ? "an " : "a ", name, is_called_object(p) ? " object" : "");
    JS_FreeValue(ctx, name);
    return words;
}

/* "a function", "an instance of Foo", "a WeakMap", ... */
static JSValue refusal_words(JSContext *ctx, JSObject *p)
{
    if (p->class_id == JS_CLASS_PROXY)
        return js_new_string8(ctx, "a proxy");
    if (JS_IsFunction(ctx, JS_MKPTR(JS_TAG_OBJECT, p)))
        return js_new_string8(ctx, "a function");
    if (p->class_id == JS_CLASS_OBJECT)
        return instance_words(ctx, p);
    if (p->class_id == JS_CLASS_PROMISE)
        return js_new_string8(ctx, "a promise");
    if (p->class_id == JS_CLASS_ARRAY_BUFFER || p->class_id == JS_CLASS_DATAVIEW || is_typed_array(p->class_id))
        return js_new_string8(ctx, buffer_words(p));
    return class_words(ctx, p);
}

/* "[Function: f]", "[WeakMap]", ... */
static JSValue description(JSContext *ctx, JSObject *p)
{
    JSValue text = JS_MKPTR(JS_TAG_OBJECT, p);

    if (p->class_id == JS_CLASS_PROXY)
        return js_new_string8(ctx, "[Proxy]");
    if (JS_IsFunction(ctx, text)) {
        JSValueConst name = peek_name(ctx, text);
        return JS_IsUndefined(name) ? js_new_string8(ctx, "[Function (anonymous)]") : concat(ctx, "[Function: ", name, "]");
    }
    text = class_name(ctx, p);
    return JS_IsException(text) ? text : JS_ConcatString3(ctx, "[", text, "]");
}

/* Throws VALUE_REFUSED: `cannot send PATH: WHAT`. `what` is freed; always -1. */
static int encode_refuse(Encoder *e, const Place *place, JSValue what)
{
    return value_throw_refused(e->ctx, "VALUE_REFUSED", e->root, place, what);
}

static int encode_refused_object(Encoder *e, JSObject *p, const Place *place)
{
    if (e->mode == ENCODE_DESCRIBE)
        return encode_string_free(e, description(e->ctx, p));
    return encode_refuse(e, place, refusal_words(e->ctx, p));
}

static int encode_refused_symbol(Encoder *e, JSValueConst symbol, const Place *place)
{
    JSValue text;

    if (e->mode != ENCODE_DESCRIBE)
        return encode_refuse(e, place, js_new_string8(e->ctx, "a symbol"));
    text = JS_AtomToString(e->ctx, js_symbol_to_atom(e->ctx, symbol));
    return encode_string_free(e, JS_IsException(text) ? text : JS_ConcatString3(e->ctx, "Symbol(", text, ")"));
}
