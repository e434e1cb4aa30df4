/* What a walk over a value carries along, and the heads that it writes.
 *
 * A walk is *quick* at first: it runs no code of the guest, so nothing moves under it, and an object that only its container
 * holds can't be met twice and needs no mark. When a getter would have to run, the walk is given up before it does, and begins
 * again as a *careful* one: every object is marked and kept alive, and what it holds is listed before it is walked.
 */

typedef struct {
    JSContext *ctx;
    Buffer *out;
    const char *root;
    int mode;     /* an ENCODE_ of bridge.h */
    bool careful;
    bool give_up; /* a quick walk failed because it needs to be a careful one; no exception is pending */
    int depth;
    Marks marks;
} Encoder;

/* Why a function of an Encoder returned -1: an exception is pending, or `out->failed`, or `give_up`. */

static int encode_value(Encoder *e, JSValueConst value, const Place *place);

static int encode_status(const Encoder *e)
{
    return e->out->failed ? -1 : 0;
}

/* Ends the walk unless it may run the guest's code. */
static bool encode_may_run(Encoder *e)
{
    e->give_up = !e->careful;
    return e->careful;
}

static int encode_head_size(uint64_t argument)
{
    return argument < 24 ? 1 : argument <= UINT8_MAX ? 2 : argument <= UINT16_MAX ? 3 : argument <= UINT32_MAX ? 5 : 9;
}

static void put_big_endian(uint8_t *to, uint64_t number, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = number >> 8 * (bytes - 1 - i);
}

/* A head of CBOR in its shortest form (RFC 8949, 3). */
static void put_head(Buffer *out, int major, uint64_t argument)
{
    int size = encode_head_size(argument);
    uint8_t *to = buffer_reserve(out, size);

    if (!to)
        return;
    if (size == 1) {
        *to = major << 5 | argument;
    } else {
        *to = major << 5 | (23 + (size == 2 ? 1 : size == 3 ? 2 : size == 5 ? 3 : 4));
        put_big_endian(to + 1, argument, size - 1);
    }
    out->length += size;
}

static void put_bytes(Buffer *out, const void *bytes, size_t length)
{
    put_head(out, MAJOR_BYTES, length);
    buffer_put(out, bytes, length);
}
