/* Where blocks come from.
 *
 *   near     the first blocks of a run, of every size up to 2 KiB
 *   slabs    the others of that size
 *   libc     larger blocks
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "memory.h"

size_t malloc_usable_size(void *block);

#include "memory/block.h"
#include "memory/near.c"
#include "memory/slabs.c"
#include "memory/places.c"

static Block *block_of(const void *bytes)
{
    return (Block *)((uint8_t *)bytes - offsetof(Block, bytes));
}

static Block *take(size_t size)
{
    uint32_t units = 0;
    Block *block;
    if (size > LARGEST_UNITS * UNIT - sizeof *block) {
        block = size > SIZE_MAX - sizeof *block ? NULL : malloc(sizeof *block + size);
    } else {
        units = units_for(size);
        block = places_near() ? near_take(units) : NULL;
        if (!block)
            block = slab_take(units);
    }
    if (block)
        block->units = (uint8_t)units;
    return block;
}

static void give_back(Block *block)
{
    if (!block->units)
        free(block);
    else if (block->is_near)
        near_give_back(block);
    else
        slab_give_back(block);
}

/* The bytes for whoever has the block: the same wherever it lies. */
static size_t size_of(const Block *block)
{
    return (block->units ? block->units * UNIT : malloc_usable_size((void *)block)) - sizeof *block;
}

static Block *resize(Block *block, size_t size)
{
    bool large = size > LARGEST_UNITS * UNIT - sizeof *block;
    if (!block->units && large)
        return size > SIZE_MAX - sizeof *block ? NULL : realloc(block, sizeof *block + size);
    if (block->units && !large) {
        uint32_t units = units_for(size);
        if (units == block->units || (block->is_near && units > block->units && near_extend(block, units)))
            return block;
    }
    Block *moved = take(size);
    if (!moved)
        return NULL;
    size_t old = size_of(block);
    moved->of_collector = block->of_collector;
    moved->of_references = block->of_references;
    memcpy(moved->bytes, block->bytes, size < old ? size : old);
    give_back(block);
    return moved;
}

void *memory_malloc(size_t size)
{
    Block *block = take(size);
    places_note(block, size);
    return block ? block->bytes : NULL;
}

void *memory_realloc(void *bytes, size_t size)
{
    if (!bytes)
        return memory_malloc(size);
    Block *block = resize(block_of(bytes), size);
    places_note(block, size);
    return block ? block->bytes : NULL;
}

void memory_free(void *bytes)
{
    if (bytes)
        give_back(block_of(bytes));
}

/* --- what QuickJS calls -------------------------------------------------------------------------------------------------- */

void *js_malloc_rt(RuntimeHead *runtime, size_t size)
{
    void *bytes = size ? memory_malloc(size) : NULL;
    if (bytes) {
        runtime->blocks++;
        runtime->bytes += size_of(block_of(bytes)) + sizeof(Block);
    }
    return bytes;
}

void *js_calloc_rt(RuntimeHead *runtime, size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total))
        return NULL;
    void *bytes = js_malloc_rt(runtime, total ? total : 1); /* unlike malloc, it gives a block of nothing, too */
    return bytes ? memset(bytes, 0, total) : NULL;
}

void js_free_rt(RuntimeHead *runtime, void *bytes)
{
    if (!bytes)
        return;
    runtime->blocks--;
    runtime->bytes -= size_of(block_of(bytes)) + sizeof(Block);
    memory_free(bytes);
}

void *js_realloc_rt(RuntimeHead *runtime, void *bytes, size_t size)
{
    if (!bytes)
        return js_malloc_rt(runtime, size);
    if (!size) {
        js_free_rt(runtime, bytes);
        return NULL;
    }
    size_t old = size_of(block_of(bytes));
    bytes = memory_realloc(bytes, size);
    if (bytes)
        runtime->bytes += size_of(block_of(bytes)) - old;
    return bytes;
}

size_t js_malloc_usable_size_rt(RuntimeHead *runtime, const void *bytes)
{
    (void)runtime;
    return bytes ? size_of(block_of(bytes)) : 0;
}
