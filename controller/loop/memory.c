/* SPDX-License-Identifier: GPL-3.0-or-later */
/* free() gives back only what lies at the end of the heap, and one job that stays there keeps all
 * that is before it.  What has been given back still counts as free in mallinfo2(), so that only
 * what has become free or resident since is a reason to do it again. */
#include "controller/loop/memory.h"

#include "lib/base.h"

#include <malloc.h>

#define PAUSE (10 * USEC_PER_SEC)
#define WORTH (UINT64_C(16) << 20) /* bytes; less is not worth the time */

/* 0: not known. */
static uint64_t resident(void) {
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
        static struct {        /* there is one allocator */
                usec_t looked; /* CLOCK_MONOTONIC: when last; 0: never */
                /* bytes, after it was given back the last time; or less, as it was since */
                uint64_t resident, unused;
        } last, *m = &last;
        usec_t now = now_monotonic();

        if (m->looked && now - m->looked < PAUSE)
                return;
        m->looked = now;
        uint64_t bytes = resident(), unused = mallinfo2().fordblks;
        m->resident = MIN(m->resident, bytes);
        m->unused = MIN(m->unused, unused);
        if (unused < WORTH || (bytes < m->resident + WORTH && unused < m->unused + WORTH))
                return;
        (void)malloc_trim(0);
        m->resident = resident();
        m->unused = mallinfo2().fordblks;
}
