/* Where QuickJS's memory comes from.
 *
 * Its small blocks live in arenas of just under 4 KiB, and libc's malloc rounds such a request, with its own header, up to 8 KiB. Arenas come
 * from pages of exactly 4 KiB instead: half the memory, and half the pages to reset after a run. malloc never gives
 * out an address at a page's beginning (its header is there), so the address tells which of the two a block came from.
 */

enum { PAGE = 4096, LEAST_FOR_PAGE = 2048, WASM_PAGE = 65536 };

static struct {
    void *free;             /* pages given back, linked through their first word */
    uint8_t *fresh, *end;   /* pages never used */
} pages;

static bool is_page(const void *block)
{
    return ((uintptr_t)block & (PAGE - 1)) == 0;
}

static void *page_take(void)
{
    if (pages.free) {
        void *page = pages.free;
        memcpy(&pages.free, page, sizeof pages.free);
        return page;
    }
    if (pages.fresh == pages.end) {
        size_t at = __builtin_wasm_memory_grow(0, 1);
        if (at == SIZE_MAX)
            return NULL;
        pages.fresh = (uint8_t *)(at * WASM_PAGE);
        pages.end = pages.fresh + WASM_PAGE;
    }
    void *page = pages.fresh;
    pages.fresh += PAGE;
    return page;
}

static void page_give_back(void *page)
{
    memcpy(page, &pages.free, sizeof pages.free);
    pages.free = page;
}

static void *memory_malloc(void *opaque, size_t size)
{
    (void)opaque;
    return size > LEAST_FOR_PAGE && size <= PAGE ? page_take() : malloc(size);
}

static void *memory_calloc(void *opaque, size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total))
        return NULL;
    void *block = memory_malloc(opaque, total);
    return block ? memset(block, 0, total) : NULL;
}

static void memory_free(void *opaque, void *block)
{
    (void)opaque;
    if (block && is_page(block))
        page_give_back(block);
    else
        free(block);
}

static size_t memory_usable_size(const void *block)
{
    return block && is_page(block) ? PAGE : malloc_usable_size((void *)block);
}

static void *memory_realloc(void *opaque, void *block, size_t size)
{
    if (!block)
        return memory_malloc(opaque, size);
    if (!is_page(block))
        return realloc(block, size);
    if (size > LEAST_FOR_PAGE && size <= PAGE)
        return block;
    void *moved = malloc(size);
    if (moved) {
        memcpy(moved, block, size < PAGE ? size : PAGE);
        page_give_back(block);
    }
    return moved;
}

static const JSMallocFunctions memory_functions = {
    memory_calloc, memory_malloc, memory_free, memory_realloc, memory_usable_size,
};

/* Room for a small run, so that it need not grow its memory: that costs a run more than all else that it does. malloc has a
 * slab for each power of two; one block of each makes it have one. */
static void memory_make_room(void)
{
    for (size_t size = 16; size <= WASM_PAGE / 2; size *= 2) {
        void *volatile block = malloc(size - 16); /* volatile: or the compiler leaves both out */
        free(block);
    }
    if (pages.end - pages.fresh < WASM_PAGE / 2) {
        while (pages.fresh != pages.end) {
            page_give_back(pages.fresh);
            pages.fresh += PAGE;
        }
        page_give_back(page_take());
    }
}
