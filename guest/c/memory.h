/* The guest's memory: blocks for QuickJS and for the bridge. A compilation unit of its own, because it stands in for functions of
 * QuickJS's, which guest.c makes weak.
 */
#ifndef MEMORY_H
#define MEMORY_H

#include <stddef.h>

/* As libc's; nothing of it counts as QuickJS's. */
void *memory_malloc(size_t size);
void *memory_realloc(void *block, size_t size);
void memory_free(void *block);

/* Room for something of the build's that leaves no trace in the image: the last that is borrowed is the first that is returned. */
void *memory_borrow(size_t size);
void memory_return(void *room, size_t size);

/* Before the first block is taken, and when the realm is made: what follows is a run. */
void memory_begin(void);
void memory_realm_made(void);

/* How a JSRuntime begins: where QuickJS counts its memory. guest.c sees to it that this is so. */
typedef struct {
    void *functions[5];
    size_t blocks, bytes;
} RuntimeHead;

#endif
