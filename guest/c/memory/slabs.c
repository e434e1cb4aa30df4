/* Small blocks, by the thousand: pages of 4 KiB, each cut into blocks of one size. A page whose blocks are all free is free for
 * another size.
 */

typedef struct Slab {
    struct Slab *next, *previous; /* among those of its size that have room */
    void *free;
    uint16_t units;               /* of a block */
    uint16_t fresh;               /* where the part begins that was never used */
    uint16_t used, most;          /* blocks */
    _Alignas(UNIT) uint8_t blocks[];
} Slab;

static struct {
    Slab *with_room[LARGEST_UNITS + 1]; /* by the units of their blocks */
    void *free_pages;
    uint8_t *fresh, *end;               /* of the latest 64 KiB: pages never used */
} slabs;

static void *page_take(void)
{
    if (slabs.free_pages)
        return block_pop(&slabs.free_pages);
    if (slabs.fresh == slabs.end) {
        size_t at = __builtin_wasm_memory_grow(0, 1);
        if (at == SIZE_MAX)
            return NULL;
        slabs.fresh = (uint8_t *)(at * WASM_PAGE);
        slabs.end = slabs.fresh + WASM_PAGE;
    }
    void *page = slabs.fresh;
    slabs.fresh += PAGE;
    return page;
}

static void slab_link(Slab *slab)
{
    Slab **first = &slabs.with_room[slab->units];
    slab->previous = NULL;
    slab->next = *first;
    if (*first)
        (*first)->previous = slab;
    *first = slab;
}

static void slab_unlink(Slab *slab)
{
    if (slab->previous)
        slab->previous->next = slab->next;
    else
        slabs.with_room[slab->units] = slab->next;
    if (slab->next)
        slab->next->previous = slab->previous;
}

static __attribute__((noinline)) Slab *slab_new(uint32_t units)
{
    Slab *slab = page_take();
    if (!slab)
        return NULL;
    *slab = (Slab){
        .units = (uint16_t)units, .fresh = sizeof *slab, .most = (uint16_t)((PAGE - sizeof *slab) / (units * UNIT)),
    };
    slab_link(slab);
    return slab;
}

/* NULL when the memory is used up. */
static Block *slab_take(uint32_t units)
{
    Slab *slab = slabs.with_room[units];
    if (!slab && !(slab = slab_new(units)))
        return NULL;
    Block *block;
    if (slab->free) {
        block = block_pop(&slab->free);
    } else {
        block = (Block *)((uint8_t *)slab + slab->fresh);
        slab->fresh += (uint16_t)(units * UNIT);
    }
    if (++slab->used == slab->most)
        slab_unlink(slab);
    block->is_near = false;
    return block;
}

static void slab_give_back(Block *block)
{
    Slab *slab = (Slab *)((uintptr_t)block & ~(uintptr_t)(PAGE - 1));
    block_push(&slab->free, block);
    if (slab->used-- == slab->most) {
        slab_link(slab);
    } else if (!slab->used) {
        slab_unlink(slab);
        block_push(&slabs.free_pages, (Block *)slab);
    }
}
