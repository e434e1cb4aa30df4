/* Byte buffers: what the rooms write their messages into.
 *
 * A failed write writes nothing and is remembered, so that a caller may write a whole message and look at `failed` once.
 */

enum { BUFFER_FIRST_CAPACITY = 256 };

static Buffer buffer_new(size_t limit)
{
    return (Buffer){ .limit = limit };
}

static void buffer_free(Buffer *buffer)
{
    free(buffer->bytes);
    *buffer = buffer_new(buffer->limit);
}

static bool buffer_fits(const Buffer *buffer, size_t more)
{
    return !buffer->failed && more <= buffer->limit - buffer->length;
}

static bool buffer_grow(Buffer *buffer, size_t more)
{
    size_t capacity = buffer->capacity ? buffer->capacity : BUFFER_FIRST_CAPACITY;
    uint8_t *bytes;

    if (!buffer_fits(buffer, more)) {
        buffer->too_large = buffer->too_large || !buffer->failed;
        buffer->failed = true;
        return false;
    }
    while (capacity - buffer->length < more)
        capacity = capacity <= SIZE_MAX / 2 ? capacity * 2 : SIZE_MAX;
    if (capacity > buffer->limit)
        capacity = buffer->limit;
    bytes = realloc(buffer->bytes, capacity);
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
