/* What is in front of every block, 8 bytes: QuickJS keeps an object's reference count and the collector's mark there, and leaves the
 * first three bytes to its allocator, which is this one.
 */
typedef struct {
    uint8_t units;   /* of UNIT bytes that the block takes, this included; 0: libc's */
    uint8_t is_near;
    uint8_t unused;
    uint8_t of_collector;
    int32_t of_references;
    uint8_t bytes[];
} Block;

enum { UNIT = 8, LARGEST_UNITS = 254, PAGE = 4096, WASM_PAGE = 65536 };

/* Units rounded up to what blocks there are. Of a block of up to 64 units a twelfth is wasted at most, of a larger one a third; those are as
 * large as six, five, four, three or two in a page can be. Of a page an eighth is left over at most. */
static uint32_t units_for(size_t size)
{
    uint32_t units = (uint32_t)((size + sizeof(Block) + UNIT - 1) / UNIT);
    if (units <= 16)
        return units;
    if (units <= 64) {
        uint32_t step = units <= 32 ? 2 : 4;
        return (units + step - 1) & ~(step - 1);
    }
    return units <= 84 ? 84 : units <= 101 ? 101 : units <= 127 ? 127 : units <= 169 ? 169 : LARGEST_UNITS;
}

/* Blocks given back, each of which begins with the address of another. */
static void block_push(void **list, Block *block)
{
    memcpy(block, list, sizeof *list);
    *list = block;
}

static Block *block_pop(void **list)
{
    Block *block = *list;
    memcpy(list, block, sizeof *list);
    return block;
}
