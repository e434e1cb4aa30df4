/* Which objects were met, and where: so that one met again is sent once, and a buffer under several views too.
 *
 * A mark is made where an object is met first and wherever it is met again, in the order of the bytes. When a value is
 * written and something was shared, share.c goes along the marks and puts the tags in.
 */

enum { NO_STAND = UINT32_MAX };

typedef struct {
    JSObject *object;
    size_t at;       /* where its bytes begin */
    size_t length;   /* of those bytes that sharing replaces: of buffers and views, and of a reference */
    uint32_t first;  /* the number of the first mark of this object */
    uint32_t stand;  /* the buffer that it is or stands on; NO_STAND for all other objects */
    uint32_t offset, extent; /* a view's place on its buffer, in bytes */
    uint32_t number; /* of its tag 28 */
    bool shared;     /* was met again */
} Mark;

/* An ArrayBuffer that views stand on. */
typedef struct {
    JSObject *buffer;
    uint32_t objects;  /* how many different objects of the value stand on it; it counts itself */
    uint32_t from, to; /* the bytes that they cover */
    bool whole;        /* it is itself in the value */
    bool written;      /* and has its number */
    uint32_t number;   /* of its tag 28 */
} Stand;

/* From an address to the number of its mark or stand; open addressing, `address` NULL in a free slot. */
typedef struct {
    const void *address;
    uint32_t number;
} MarkSlot;

typedef struct {
    JSContext *ctx;
    bool hold; /* keep the objects alive: guest code may run and drop them, and a new one could take the address */
    Mark *marks;
    uint32_t count;
    int capacity;
    Stand *stands;
    uint32_t stand_count;
    int stand_capacity;
    MarkSlot *slots;
    uint32_t slot_count; /* a power of two, or 0 */
    uint32_t used;
    bool shared; /* something was met again, or several objects stand on one buffer */
} Marks;

static void marks_free(Marks *m)
{
    for (uint32_t i = 0; m->hold && i < m->count; i++)
        if (m->marks[i].first == i)
            JS_FreeValue(m->ctx, JS_MKPTR(JS_TAG_OBJECT, m->marks[i].object));
    js_free(m->ctx, m->marks);
    js_free(m->ctx, m->stands);
    js_free(m->ctx, m->slots);
}

/* The slot of `address`, or the free one where it belongs. There is a free one. */
static MarkSlot *marks_slot(const Marks *m, const void *address)
{
    uint32_t i = hash32((uintptr_t)address >> 3) >> (clz32(m->slot_count) + 1);

    while (m->slots[i].address && m->slots[i].address != address)
        i = (i + 1) & (m->slot_count - 1);
    return &m->slots[i];
}

static int marks_widen(Marks *m)
{
    MarkSlot *old = m->slots;
    uint32_t old_count = m->slot_count, count = old_count ? old_count * 2 : 16;
    MarkSlot *slots = js_mallocz(m->ctx, count * sizeof(*slots));

    if (!slots)
        return -1;
    m->slots = slots;
    m->slot_count = count;
    for (uint32_t i = 0; i < old_count; i++)
        if (old[i].address)
            *marks_slot(m, old[i].address) = old[i];
    js_free(m->ctx, old);
    return 0;
}

/* Notes the number of `address`, which has none yet. */
static int marks_note(Marks *m, const void *address, uint32_t number)
{
    if (2 * (m->used + 1) > m->slot_count && marks_widen(m))
        return -1;
    *marks_slot(m, address) = (MarkSlot){ address, number };
    m->used++;
    return 0;
}

/* The number noted for `address`; -1 when there is none. */
static int64_t marks_number(const Marks *m, const void *address)
{
    MarkSlot *slot = m->slot_count ? marks_slot(m, address) : NULL;

    return slot && slot->address ? (int64_t)slot->number : -1;
}

static Mark *marks_push(Marks *m, Mark mark)
{
    if (js_resize_array(m->ctx, (void **)&m->marks, sizeof(Mark), &m->capacity, m->count + 1))
        return NULL;
    m->marks[m->count] = mark;
    return &m->marks[m->count++];
}

/* Marks the first place of `object`. NULL with an exception pending; the mark is good until the next is made. */
static Mark *marks_add(Marks *m, JSObject *object, size_t at)
{
    Mark *mark;

    if (marks_note(m, object, m->count))
        return NULL;
    mark = marks_push(m, (Mark){ .object = object, .at = at, .first = m->count, .stand = NO_STAND });
    if (mark && m->hold)
        js_dup(JS_MKPTR(JS_TAG_OBJECT, object));
    return mark;
}

/* Marks one more place of the object whose first mark is number `first`. */
static int marks_repeat(Marks *m, uint32_t first, size_t at, size_t length)
{
    m->shared = m->marks[first].shared = true;
    return marks_push(m, (Mark){ .at = at, .length = length, .first = first, .stand = NO_STAND }) ? 0 : -1;
}

/* Puts `mark`'s object on its buffer, and tells how many now stand there; 0 with an exception pending. */
static uint32_t marks_stand(Marks *m, Mark *mark, JSObject *buffer, uint32_t offset, uint32_t extent)
{
    /* The buffer object has a number of its own as a mark: the engine's record of it stands for the ground. */
    const void *ground = buffer->u.array_buffer;
    int64_t number = marks_number(m, ground);
    Stand *stand;

    if (number < 0) {
        if (js_resize_array(m->ctx, (void **)&m->stands, sizeof(Stand), &m->stand_capacity, m->stand_count + 1))
            return 0;
        if (marks_note(m, ground, m->stand_count))
            return 0;
        number = m->stand_count++;
        m->stands[number] = (Stand){ .buffer = buffer, .from = offset, .to = offset + extent };
    }
    stand = &m->stands[number];
    stand->from = min_uint32(stand->from, offset);
    stand->to = max_uint32(stand->to, offset + extent);
    stand->whole = stand->whole || mark->object == buffer;
    mark->stand = number;
    mark->offset = offset;
    mark->extent = extent;
    stand->objects++;
    m->shared = m->shared || stand->objects > 1;
    return stand->objects;
}
