/* Reads the frame that `start` was given. The host writes it (crates/engine/src/frame.rs). */
typedef struct {
    const uint8_t *at;
} Reader;

static uint32_t read_u32(Reader *reader)
{
    uint32_t number;
    memcpy(&number, reader->at, sizeof number);
    reader->at += sizeof number;
    return number;
}

static uint64_t read_u64(Reader *reader)
{
    uint64_t number;
    memcpy(&number, reader->at, sizeof number);
    reader->at += sizeof number;
    return number;
}

static const uint8_t *read_bytes(Reader *reader, size_t length)
{
    const uint8_t *bytes = reader->at;
    reader->at += length;
    return bytes;
}

/* A text with its NUL, which its length counts. */
static const char *read_text(Reader *reader)
{
    uint32_t length = read_u32(reader);
    return (const char *)read_bytes(reader, length);
}
