/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/layout.h"

#include "controller/model/job.h"

#include <strings.h>

bool layout_is_listed(const struct job *j) {
        const char *how = j->spec.distribution;

        return how && j->spec.req_nodes && strcasecmp(how, "arbitrary") == 0;
}

static bool has_none_yet(const uint32_t *room, const uint32_t *count, size_t i) {
        return count[i] == 0 && (!room || room[i] > 0);
}

/* chunk: to each node so many at a time, but so that those behind it that have none yet can have one. */
static uint32_t round_robin(const uint32_t *room, size_t n, uint32_t tasks, uint32_t chunk, uint32_t *count) {
        uint32_t waiting = 0;

        for (size_t i = 0; i < n; i++)
                waiting += has_none_yet(room, count, i);
        for (uint32_t before = 0; tasks && before != tasks;) {
                before = tasks;
                for (size_t i = 0; i < n && tasks; i++) {
                        waiting -= has_none_yet(room, count, i);
                        uint32_t more = MIN(chunk, tasks > waiting ? tasks - waiting : 1u);
                        if (room)
                                more = MIN(more, room[i] - MIN(room[i], count[i]));
                        count[i] += more;
                        tasks -= more;
                }
        }
        return tasks;
}

bool layout_tasks(const uint32_t *room, size_t n, uint32_t tasks, uint32_t chunk, bool over, uint32_t *ret_count) {
        bool planes = chunk > 1 && chunk != LAYOUT_PACKED;

        memset(ret_count, 0, n * sizeof *ret_count);
        uint32_t left = round_robin(room, n, tasks, MAX(1u, chunk), ret_count);
        if (left && over && planes) { /* whole ones, whatever there is room for */
                memset(ret_count, 0, n * sizeof *ret_count);
                left = tasks;
        }
        if (left && over)
                left = round_robin(NULL, n, left, planes ? chunk : 1, ret_count);
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
