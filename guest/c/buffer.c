/* Byte buffers: what the rooms write their messages into.
 *
 * A failed write writes nothing and is remembered, so that a caller may write a whole message and look at `failed` once.
 */

enum { BUFFER_MARGIN = 240 };

static Buffer buffer_new(size_t limit)
{
    return (Buffer){ .limit = limit };
}

static void buffer_free(Buffer *buffer)
{
    memory_free(buffer->bytes);
    *buffer = buffer_new(buffer->limit);
}

static bool buffer_fits(const Buffer *buffer, size_t more)
{
    return !buffer->failed && more <= buffer->limit - buffer->length;
}

static bool buffer_grow(Buffer *buffer, size_t more)
{
    size_t needed = buffer->length + more, capacity;
    uint8_t *bytes;

    if (!buffer_fits(buffer, more)) {
        buffer->too_large = buffer->too_large || !buffer->failed;
        buffer->failed = true;
        return false;
    }
    /* Twice as much as there was, or what a large piece needs and a little for what follows it. */
    capacity = buffer->capacity <= buffer->limit / 2 ? buffer->capacity * 2 : buffer->limit;
    if (capacity < needed)
        capacity = buffer->limit - needed > BUFFER_MARGIN ? needed + BUFFER_MARGIN : buffer->limit;
    bytes = memory_realloc(buffer->bytes, capacity);
    if (!bytes) {
        buffer->failed = true;
        return false;
    }
    buffer->bytes = bytes;
    buffer->capacity = capacity;
    return true;
}

static uint8_t *buffer_reserve(Buffer *buffer, size_t more)
{
    if (more > buffer->capacity - buffer->length || buffer->failed)
        if (!buffer_grow(buffer, more))
            return NULL;
    return buffer->bytes + buffer->length;
}

static void buffer_put(Buffer *buffer, const void *bytes, size_t length)
{
    uint8_t *to;

    if (length == 0 || !(to = buffer_reserve(buffer, length)))
        return;
    memcpy(to, bytes, length);
    buffer->length += length;
}

static void buffer_put_u8(Buffer *buffer, uint8_t byte)
{
    uint8_t *to = buffer_reserve(buffer, 1);

    if (to) {
        *to = byte;
        buffer->length++;
    }
}

static void buffer_fill(Buffer *buffer, uint8_t byte, size_t length)
{
    uint8_t *to;

    if (length == 0 || !(to = buffer_reserve(buffer, length)))
        return;
    memset(to, byte, length);
    buffer->length += length;
}
