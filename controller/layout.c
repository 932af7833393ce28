/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/layout.h"

static uint32_t round_robin(const uint32_t *room, size_t n, uint32_t tasks, uint32_t *count) {
        for (uint32_t before = 0; tasks && before != tasks;) {
                before = tasks;
                for (size_t i = 0; i < n && tasks; i++)
                        if (!room || count[i] < room[i]) {
                                count[i]++;
                                tasks--;
                        }
        }
        return tasks;
}

bool layout_tasks(const uint32_t *room, size_t n, uint32_t tasks, bool over, uint32_t *ret_count) {
        memset(ret_count, 0, n * sizeof *ret_count);
        uint32_t left = round_robin(room, n, tasks, ret_count);
        if (left && over)
                left = round_robin(NULL, n, left, ret_count);
        return left == 0;
}

uint32_t *layout_ranks(const uint32_t *count, size_t n, size_t i, bool cyclic) {
        uint32_t *ranks = xnew(uint32_t, count[i]);

        assert(i < n);
        if (!cyclic) {
                uint32_t first = 0;
                for (size_t k = 0; k < i; k++)
                        first += count[k];
                for (uint32_t k = 0; k < count[i]; k++)
                        ranks[k] = first + k;
                return ranks;
        }
        uint32_t rank = 0;
        for (uint32_t round = 0, mine = 0; mine < count[i]; round++)
                for (size_t k = 0; k < n; k++)
                        if (count[k] > round) {
                                if (k == i)
                                        ranks[mine++] = rank;
                                rank++;
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
