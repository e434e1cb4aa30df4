/* ArrayBuffers and the views on them, back. */

static JSValue decode_buffer(Decoder *d, uint64_t length)
{
    const uint8_t *bytes = decode_bytes(d, length);

    return bytes ? JS_NewArrayBufferCopy(d->ctx, bytes, length) : JS_EXCEPTION;
}

/* A view of `length` bytes from `offset` on; `buffer` is freed. */
static JSValue view_new(Decoder *d, JSClassID class_id, JSValue buffer, uint64_t offset, uint64_t length)
{
    uint32_t element = value_view_element(class_id);
    JSValueConst arguments[3] = { buffer, js_int64(offset), js_int64(length / element) };
    uint64_t size = JS_VALUE_GET_OBJ(buffer)->u.array_buffer->byte_length;
    JSValue view;

    if (offset % element || length % element)
        view = malformed(d, "view-alignment");
    else if (offset > size || length > size - offset)
        view = malformed(d, "view-bounds");
    else if (class_id == JS_CLASS_DATAVIEW)
        view = js_dataview_constructor(d->ctx, JS_UNDEFINED, 3, arguments);
    else
        view = js_typed_array_constructor(d->ctx, JS_UNDEFINED, 3, arguments, class_id);
    JS_FreeValue(d->ctx, buffer);
    return view;
}

/* What is behind the tag of a view alone on its buffer. */
static JSValue decode_view(Decoder *d, JSClassID class_id)
{
    JSValue buffer;
    Head head;

    if (decode_head_of(d, MAJOR_BYTES, &head, "tag-content"))
        return JS_EXCEPTION;
    buffer = decode_buffer(d, head.argument);
    return JS_IsException(buffer) ? buffer : view_new(d, class_id, buffer, 0, head.argument);
}

/* The buffer under a view that shares it, and its number: behind tag 28 at its first place, else behind tag 29. */
static JSValue decode_shared_buffer(Decoder *d, uint32_t *number)
{
    JSValue buffer;
    Head head;

    if (decode_head_of(d, MAJOR_TAG, &head, "tag-content"))
        return JS_EXCEPTION;
    if (head.argument == TAG_REFERENCE) {
        buffer = decode_reference(d, number);
        if (!JS_IsException(buffer) && JS_VALUE_GET_OBJ(buffer)->class_id != JS_CLASS_ARRAY_BUFFER) {
            JS_FreeValue(d->ctx, buffer);
            return malformed(d, "reference-target");
        }
        return buffer;
    }
    if (head.argument != TAG_SHARED)
        return malformed(d, "tag-content");
    if (decode_sharing(d, number) || decode_head_of(d, MAJOR_BYTES, &head, "tag-content"))
        return JS_EXCEPTION;
    buffer = decode_buffer(d, head.argument);
    decode_made(d, *number, buffer);
    d->shared[*number].viewed = true;
    d->shared[*number].from = UINT64_MAX;
    return buffer;
}

/* The first byte that a view covers, down to a multiple of 8, is the first of a buffer that only views stand on; the last the last. */
static bool buffer_is_covered(const Shared *shared)
{
    return !shared->viewed || (shared->from < 8 && shared->to == (uint64_t)shared->object->u.array_buffer->byte_length);
}

/* What is behind tag 40502: [kind, buffer, byteOffset, byteLength]. */
static JSValue decode_shared_view(Decoder *d)
{
    Head head, offset, length;
    uint32_t number;
    JSClassID class_id;
    JSValue buffer;
    Shared *shared;

    if (decode_head_of(d, MAJOR_ARRAY, &head, "tag-content"))
        return JS_EXCEPTION;
    if (head.argument != 4)
        return malformed(d, "tag-content");
    if (decode_head_of(d, MAJOR_UNSIGNED, &head, "tag-content"))
        return JS_EXCEPTION;
    class_id = value_view_class(head.argument);
    if (!class_id)
        return malformed(d, "view-kind");
    buffer = decode_shared_buffer(d, &number);
    if (JS_IsException(buffer))
        return buffer;
    if (decode_head_of(d, MAJOR_UNSIGNED, &offset, "tag-content") || decode_head_of(d, MAJOR_UNSIGNED, &length, "tag-content")) {
        JS_FreeValue(d->ctx, buffer);
        return JS_EXCEPTION;
    }
    shared = &d->shared[number];
    shared->from = offset.argument < shared->from ? offset.argument : shared->from;
    shared->to = offset.argument + length.argument > shared->to ? offset.argument + length.argument : shared->to;
    return view_new(d, class_id, buffer, offset.argument, length.argument);
}
