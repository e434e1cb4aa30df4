/* The tags for what was met more than once: written when the whole value is known, by copying its bytes along the marks. */

typedef struct {
    Encoder *e;
    Buffer to;
    const uint8_t *from;
    size_t done;     /* how much of `from` is copied or replaced */
    uint32_t number; /* of the next tag 28 */
} Sharing;

static Stand *share_stand(const Sharing *s, const Mark *mark)
{
    Stand *stand = mark->stand == NO_STAND ? NULL : &s->e->marks.stands[mark->stand];

    return stand && stand->objects > 1 ? stand : NULL;
}

static void share_copy(Sharing *s, size_t to)
{
    buffer_put(&s->to, s->from + s->done, to - s->done);
    s->done = to;
}

static void share_put_reference(Sharing *s, uint32_t number)
{
    put_head(&s->to, MAJOR_TAG, TAG_REFERENCE);
    put_head(&s->to, MAJOR_UNSIGNED, number);
}

/* The bytes of a buffer that several objects stand on, or the reference to them. */
static int share_put_buffer(Sharing *s, Stand *stand)
{
    JSArrayBuffer *buffer = stand->buffer->u.array_buffer;

    if (stand->written) {
        share_put_reference(s, stand->number);
        return 0;
    }
    if (stand->whole)
        stand->from = 0;
    stand->from &= ~7u;
    if (buffer->detached || stand->to > (uint32_t)buffer->byte_length) { /* by a getter that ran after the views were met */
        encode_refuse(s->e, NULL, js_new_string8(s->e->ctx, "an ArrayBuffer was detached or shrunk meanwhile"));
        return -1;
    }
    stand->written = true;
    stand->number = s->number++;
    put_head(&s->to, MAJOR_TAG, TAG_SHARED);
    put_bytes(&s->to, ground_bytes(stand->buffer, stand->from), stand->to - stand->from);
    return 0;
}

static int share_put_view(Sharing *s, const Mark *mark, Stand *stand)
{
    put_head(&s->to, MAJOR_TAG, TAG_VIEW);
    put_head(&s->to, MAJOR_ARRAY, 4);
    put_head(&s->to, MAJOR_UNSIGNED, value_view_tag(mark->object->class_id));
    if (share_put_buffer(s, stand))
        return -1;
    put_head(&s->to, MAJOR_UNSIGNED, mark->offset - stand->from);
    put_head(&s->to, MAJOR_UNSIGNED, mark->extent);
    return 0;
}

static int share_first(Sharing *s, Mark *mark)
{
    Stand *stand = share_stand(s, mark);

    if (stand && mark->object == stand->buffer) {
        s->done = mark->at + mark->length;
        return share_put_buffer(s, stand);
    }
    if (mark->shared) {
        mark->number = s->number++;
        put_head(&s->to, MAJOR_TAG, TAG_SHARED);
    }
    if (!stand)
        return 0;
    s->done = mark->at + mark->length;
    return share_put_view(s, mark, stand);
}

static int share_again(Sharing *s, const Mark *mark)
{
    const Mark *first = &s->e->marks.marks[mark->first];
    Stand *stand = share_stand(s, first);

    s->done = mark->at + mark->length;
    share_put_reference(s, stand && first->object == stand->buffer ? stand->number : first->number);
    return 0;
}

/* Writes the value that begins at `start` once more, with its tags, and puts that in the place of the first. */
static int share(Encoder *e, size_t start)
{
    Sharing s = { .e = e, .to = buffer_new(e->out->limit), .from = e->out->bytes };
    int status = 0;

    share_copy(&s, start);
    for (uint32_t i = 0; i < e->marks.count && status == 0; i++) {
        Mark *mark = &e->marks.marks[i];
        share_copy(&s, mark->at);
        status = mark->first == i ? share_first(&s, mark) : share_again(&s, mark);
    }
    share_copy(&s, e->out->length);
    if (status == 0 && !s.to.failed) {
        buffer_free(e->out);
        *e->out = s.to;
        return 0;
    }
    e->out->failed = s.to.failed;
    e->out->too_large = s.to.too_large;
    buffer_free(&s.to);
    return -1;
}
