/* ArrayBuffers and the views on them. */

/* The bytes of a buffer that an object stands on: its own, or those of the buffer under a view. */
typedef struct {
    JSObject *buffer;
    uint32_t offset, length;
} Ground;

static Ground ground_of(JSObject *p)
{
    JSTypedArray *view;
    JSArrayBuffer *buffer;

    if (p->class_id == JS_CLASS_ARRAY_BUFFER)
        return (Ground){ p, 0, p->u.array_buffer->byte_length };
    view = p->u.typed_array;
    buffer = view->buffer->u.array_buffer;
    if (!view->track_rab)
        return (Ground){ view->buffer, view->offset, view->length };
    if (p->class_id == JS_CLASS_DATAVIEW)
        return (Ground){ view->buffer, view->offset, buffer->byte_length - view->offset };
    return (Ground){ view->buffer, view->offset, p->u.array.count << typed_array_size_log2(p->class_id) };
}

/* Whether a buffer or a view has all its bytes, and for itself. */
static bool ground_is_firm(JSObject *p)
{
    JSObject *buffer = p->class_id == JS_CLASS_ARRAY_BUFFER ? p : p->u.typed_array->buffer;

    if (buffer->u.array_buffer->shared || buffer->u.array_buffer->detached)
        return false;
    if (p->class_id == JS_CLASS_ARRAY_BUFFER)
        return true;
    return p->class_id == JS_CLASS_DATAVIEW ? !dataview_is_oob(p) : !typed_array_is_oob(p);
}

static const uint8_t *ground_bytes(JSObject *buffer, uint32_t offset)
{
    return buffer->u.array_buffer->data ? buffer->u.array_buffer->data + offset : NULL;
}

/* `mark` is NULL where nothing else can stand on the same buffer. */
static int encode_ground(Encoder *e, JSObject *p, Mark *mark)
{
    Ground ground = ground_of(p);
    size_t start = e->out->length;
    uint32_t standing = mark ? marks_stand(&e->marks, mark, ground.buffer, ground.offset, ground.length) : 1;

    if (standing == 0)
        return -1;
    if (standing > 1) /* share.c writes it: sent by itself it could be larger than all of them together */
        return 0;
    if (p->class_id != JS_CLASS_ARRAY_BUFFER)
        put_head(e->out, MAJOR_TAG, value_view_tag(p->class_id));
    put_bytes(e->out, ground_bytes(ground.buffer, ground.offset), ground.length);
    if (mark)
        mark->length = e->out->length - start;
    return encode_status(e);
}
