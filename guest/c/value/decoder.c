/* What the way back carries along: the bytes, their heads, and what is refused.
 *
 * No code of the guest runs while a value is built, so that what is half built can't be seen. Only the host writes what the
 * guest decodes; all the same nothing here trusts the bytes, and every form but the canonical one is refused.
 */

/* An object under a tag 28. */
typedef struct {
    JSObject *object;  /* NULL until it is made; the value being built keeps it alive */
    bool used;         /* a tag 29 was there */
    bool viewed;       /* a buffer that was first met under a view, and so far only there: */
    uint64_t from, to; /* the bytes that its views cover */
} Shared;

typedef struct {
    JSContext *ctx;
    const uint8_t *bytes, *at, *end;
    const uint8_t *item; /* where the item begins that is being read */
    uint64_t owed;       /* items that the open containers wait for; each is a byte or more */
    int depth;
    Shared *shared;
    uint32_t shared_count;
    int shared_capacity;
} Decoder;

typedef struct {
    int major;
    uint64_t argument;
} Head;

/* The number of the tag 28 before an item. */
enum { NOT_SHARED = UINT32_MAX };

static JSValue decode_item(Decoder *d, uint32_t sharing);

/* Throws VALUE_MALFORMED with one of the reasons of docs/values.md. */
static JSValue malformed(Decoder *d, const char *reason)
{
    JSContext *ctx = d->ctx;
    StringBuffer words;

    string_buffer_init(ctx, &words, 64);
    string_buffer_puts8(&words, "these bytes are not a value: ");
    string_buffer_puts8(&words, reason);
    string_buffer_puts8(&words, " at byte ");
    string_buffer_concat_value_free(&words, JS_ToStringFree(ctx, js_int64(d->item - d->bytes)));
    value_throw(ctx, string_buffer_end(&words), "VALUE_MALFORMED", "reason", js_new_string8(ctx, reason));
    return JS_EXCEPTION;
}

static int malformed_status(Decoder *d, const char *reason)
{
    malformed(d, reason);
    return -1;
}

static size_t decode_left(const Decoder *d)
{
    return d->end - d->at;
}

static uint64_t take_big_endian(Decoder *d, int bytes)
{
    uint64_t number = 0;

    while (bytes-- > 0)
        number = number << 8 | *d->at++;
    return number;
}

/* The argument that follows a first byte: 1, 2, 4 or 8 bytes. */
static int decode_argument(Decoder *d, int bytes, uint64_t *argument)
{
    if (decode_left(d) < (size_t)bytes)
        return malformed_status(d, "truncated");
    *argument = take_big_endian(d, bytes);
    return 0;
}

/* A head; of the major type 7 the argument is the additional information alone. */
static int decode_head(Decoder *d, Head *head)
{
    int information;

    d->item = d->at;
    if (d->at == d->end)
        return malformed_status(d, "truncated");
    head->major = *d->at >> 5;
    information = *d->at++ & 31;
    head->argument = information;
    if (information < 24 || head->major == MAJOR_SIMPLE)
        return 0;
    if (information == 31 && head->major != MAJOR_UNSIGNED && head->major != MAJOR_NEGATIVE && head->major != MAJOR_TAG)
        return malformed_status(d, "indefinite-length");
    if (information > 27)
        return malformed_status(d, "reserved-head");
    if (decode_argument(d, 1 << (information - 24), &head->argument))
        return -1;
    if (head->argument < (information == 24 ? 24 : UINT64_C(1) << (4 << (information - 24))))
        return malformed_status(d, "long-head");
    return 0;
}

static int decode_head_of(Decoder *d, int major, Head *head, const char *reason)
{
    if (decode_head(d, head))
        return -1;
    return head->major == major ? 0 : malformed_status(d, reason);
}

/* The bytes of a byte or text string after its head; NULL when they are not all there. */
static const uint8_t *decode_bytes(Decoder *d, uint64_t length)
{
    const uint8_t *bytes = d->at;

    if (length > decode_left(d)) {
        malformed(d, "truncated");
        return NULL;
    }
    d->at += length;
    return bytes;
}

/* Opens a container of so many items. */
static int decode_enter(Decoder *d, uint64_t items)
{
    if (items > decode_left(d) || items + d->owed > decode_left(d))
        return malformed_status(d, "truncated");
    if (d->depth == VALUE_DEPTH_MAX)
        return malformed_status(d, "too-deep");
    if (js_check_stack_overflow(d->ctx->rt, 0)) {
        JS_ThrowStackOverflow(d->ctx);
        return -1;
    }
    d->owed += items;
    d->depth++;
    return 0;
}

static void decode_leave(Decoder *d)
{
    d->depth--;
}

/* One of the items that the innermost container waits for. */
static JSValue decode_owed(Decoder *d)
{
    d->owed--;
    return decode_item(d, NOT_SHARED);
}

/* Tells which object stands under a tag 28, before what it holds is read. */
static void decode_made(Decoder *d, uint32_t sharing, JSValueConst object)
{
    if (sharing != NOT_SHARED && !JS_IsException(object))
        d->shared[sharing].object = JS_VALUE_GET_OBJ(object);
}

/* Gives a number to the object that follows a tag 28. */
static int decode_sharing(Decoder *d, uint32_t *sharing)
{
    if (js_resize_array(d->ctx, (void **)&d->shared, sizeof(Shared), &d->shared_capacity, d->shared_count + 1))
        return -1;
    *sharing = d->shared_count++;
    d->shared[*sharing] = (Shared){ 0 };
    return 0;
}

/* The object that a tag 29 stands for, and its number. */
static JSValue decode_reference(Decoder *d, uint32_t *number)
{
    Shared *shared;
    Head head;

    if (decode_head_of(d, MAJOR_UNSIGNED, &head, "tag-content"))
        return JS_EXCEPTION;
    if (head.argument >= d->shared_count || !d->shared[head.argument].object)
        return malformed(d, "unknown-reference");
    *number = head.argument;
    shared = &d->shared[*number];
    shared->used = true;
    return js_dup(JS_MKPTR(JS_TAG_OBJECT, shared->object));
}
