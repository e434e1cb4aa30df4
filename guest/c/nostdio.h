/* Included before everything else: the guest has no streams and no process to abort.
 * QuickJS prints only in diagnostics that are never reached here; without these lines its libc would import WASI. */
#include <stdio.h>
#include <stdlib.h>
#undef putchar
#undef putc
#undef fputc
#define printf(...) ((void)0)
#define fprintf(...) ((void)0)
#define vfprintf(...) ((void)0)
#define fwrite(...) ((size_t)0)
#define fputs(...) ((void)0)
#define puts(...) ((void)0)
#define fputc(...) ((void)0)
#define putc(...) ((void)0)
#define putchar(...) ((void)0)
#define fflush(...) ((void)0)
#define abort() __builtin_trap()
