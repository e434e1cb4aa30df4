/* Which blocks of the realm lie near: those that a run writes to.
 *
 * The build makes the realm twice (guest/src/preinitialise.rs). The first time it is told of every block, lets a rehearsal run and sees
 * which blocks that wrote to. The second time it says which those were, by their number in the order of asking; making a realm asks
 * for the same blocks in the same order every time.
 */

static struct {
    bool run;            /* the realm is made */
    uint32_t asked;      /* blocks, so far */
    const uint8_t *near; /* a bit for each of the first so many: whether it belongs near */
    uint32_t known;
} places;

/* Whether the block that is asked for belongs near. */
static bool places_near(void)
{
    if (places.run)
        return true;
    uint32_t number = places.asked;
    return number < places.known && places.near[number / 8] >> number % 8 & 1;
}

/* A block was asked for, and this is it. */
static void places_note(const Block *block, size_t size)
{
    if (places.run)
        return;
    uint32_t told[2] = {(uint32_t)(uintptr_t)block, (uint32_t)(size + sizeof *block)};
    host_emit(MESSAGE_BLOCK, places.asked++, told, sizeof told);
}

void memory_begin(void)
{
    near_begin();
    uint32_t bytes = host_compute(COMPUTE_PLACES, NULL, 0);
    if (bytes == COMPUTE_NONE)
        return;
    uint8_t *near = memory_borrow(bytes);
    host_take(near);
    places.near = near;
    places.known = bytes * 8;
}

/* A small run needs room, so that it need not grow its memory: that costs a run more than all else that it does. libc has a slab for
 * each power of two; one block of each makes it have one. */
static void make_room(void)
{
    for (size_t size = PAGE; size <= WASM_PAGE / 2; size *= 2) {
        void *volatile block = malloc(size - 32); /* volatile: or the compiler leaves both out */
        free(block);
    }
    if (slabs.fresh == slabs.end && !slabs.free_pages)
        block_push(&slabs.free_pages, page_take());
}

void memory_realm_made(void)
{
    if (places.near)
        memory_return((void *)places.near, places.known / 8);
    places.near = NULL;
    make_room();
    places.run = true;
}
