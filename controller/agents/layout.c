/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/agents/layout.h"

/* chunk: to each node so many at a time. */
static uint32_t round_robin(const uint32_t *room, size_t n, uint32_t tasks, uint32_t chunk, uint32_t *count) {
        for (uint32_t before = 0; tasks && before != tasks;) {
                before = tasks;
                for (size_t i = 0; i < n && tasks; i++) {
                        uint32_t more = MIN(chunk, tasks);
                        if (room)
                                more = MIN(more, room[i] - MIN(room[i], count[i]));
                        count[i] += more;
                        tasks -= more;
                }
        }
        return tasks;
}

bool layout_tasks(const uint32_t *room, size_t n, uint32_t tasks, uint32_t chunk, bool over, uint32_t *ret_count) {
        uint32_t left = tasks;

        memset(ret_count, 0, n * sizeof *ret_count);
        if (chunk > 1 && tasks >= n && chunk == LAYOUT_PACKED) /* each has its one, then they are filled */
                left = tasks - (uint32_t)n + round_robin(room, n, (uint32_t)n, 1, ret_count);
        left = round_robin(room, n, left, MAX(1u, chunk), ret_count);
        if (left && over)
                left = round_robin(NULL, n, left, 1, ret_count);
        return left == 0;
}

uint32_t *layout_ranks(const uint32_t *count, size_t n, size_t i, uint32_t chunk) {
        uint32_t *ranks = xnew(uint32_t, count[i]), rank = 0, mine = 0;

        assert(i < n);
        if (chunk == 0)
                chunk = UINT32_MAX;
        for (uint32_t done = 0; mine < count[i]; done = done > UINT32_MAX - chunk ? UINT32_MAX : done + chunk)
                for (size_t k = 0; k < n; k++) {
                        uint32_t more = MIN(chunk, count[k] - MIN(count[k], done));
                        for (uint32_t t = 0; k == i && t < more; t++)
                                ranks[mine++] = rank + t;
                        rank += more;
                }
        return ranks;
}

char *layout_text(const uint32_t *count, size_t n) {
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        assert(f);
        for (size_t i = 0; i < n;) {
                size_t same = 1;
                while (i + same < n && count[i + same] == count[i])
                        same++;
                fprintf(f, same > 1 ? "%s%u(x%zu)" : "%s%u", i ? "," : "", count[i], same);
                i += same;
        }
        fclose(f);
        return text;
}
