/* Where runs begin: one region, filled from its beginning with blocks of every size.
 *
 * A page that a run writes to is copied then, and reset afterwards: that is most of what a small run costs. So what every run
 * writes lies together: first the blocks of the realm that a run writes to, if only to count a reference (places.c knows
 * them), then the blocks that the run itself takes.
 */

enum { NEAR_BYTES = 96 << 10 };

static struct {
    uint8_t *next, *end;             /* what no block has taken yet */
    void *free[LARGEST_UNITS + 1];   /* by units */
    _Alignas(UNIT) uint8_t bytes[NEAR_BYTES];
} near;

static void near_begin(void)
{
    near.next = near.bytes;
    near.end = near.bytes + NEAR_BYTES;
}

/* NULL when there is no room. */
static Block *near_take(uint32_t units)
{
    Block *block;
    if (near.free[units]) {
        block = block_pop(&near.free[units]);
    } else {
        if (units * UNIT > (size_t)(near.end - near.next))
            return NULL;
        block = (Block *)near.next;
        near.next += units * UNIT;
    }
    block->is_near = true;
    return block;
}

static void near_give_back(Block *block)
{
    block_push(&near.free[block->units], block);
}

/* Makes the block that was taken last larger where it is. */
static bool near_extend(Block *block, uint32_t units)
{
    uint8_t *wanted = (uint8_t *)block + units * UNIT;
    if ((uint8_t *)block + block->units * UNIT != near.next || wanted > near.end)
        return false;
    near.next = wanted;
    block->units = (uint8_t)units;
    return true;
}

static size_t in_units(size_t size)
{
    return (size + UNIT - 1) & ~(size_t)(UNIT - 1);
}

void *memory_borrow(size_t size)
{
    if (in_units(size) > (size_t)(near.end - near.next))
        __builtin_trap();
    return near.end -= in_units(size);
}

void memory_return(void *room, size_t size)
{
    memset(room, 0, in_units(size));
    near.end = (uint8_t *)room + in_units(size);
}
