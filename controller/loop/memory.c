/* SPDX-License-Identifier: GPL-3.0-or-later */
/* free() returns only the end of the heap to the kernel: one surviving job keeps all memory before
 * it. malloc_trim() returns the rest. Returned memory still counts as free in mallinfo2(), so only
 * memory freed or made resident since then is a reason for a new malloc_trim(). */
#include "controller/loop/memory.h"

#include "lib/base.h"

#include <malloc.h>

#define PAUSE (10 * USEC_PER_SEC)
#define WORTH (UINT64_C(16) << 20) /* bytes; less is not worth the time */

/* Returns the resident set size in bytes; 0: unknown. */
static uint64_t memory_resident(void) {
        FILE *f = fopen("/proc/self/statm", "re");
        unsigned long pages = 0;

        if (!f)
                return 0;
        if (fscanf(f, "%*u %lu", &pages) != 1)
                pages = 0;
        fclose(f);
        return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

void memory_review(void) {
        static struct {        /* the process has one allocator */
                usec_t looked; /* CLOCK_MONOTONIC of the last review; 0: never */
                /* bytes after the last malloc_trim(), or the minimum since then */
                uint64_t resident, unused;
        } last, *m = &last;
        usec_t now = now_monotonic();

        if (m->looked && now - m->looked < PAUSE)
                return;
        m->looked = now;
        uint64_t bytes = memory_resident(), unused = mallinfo2().fordblks;
        m->resident = MIN(m->resident, bytes);
        m->unused = MIN(m->unused, unused);
        if (unused < WORTH || (bytes < m->resident + WORTH && unused < m->unused + WORTH))
                return;
        (void)malloc_trim(0);
        m->resident = memory_resident();
        m->unused = mallinfo2().fordblks;
}
