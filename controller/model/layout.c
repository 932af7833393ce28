/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/layout.h"

#include "controller/model/job.h"

#include <strings.h>

bool layout_is_listed(const struct job *j) {
        const char *how = j->asked.distribution;

        return how && j->asked.req_nodes && strcasecmp(how, "arbitrary") == 0;
}

static bool has_none_yet(const uint32_t *room, const uint32_t *count, size_t i) {
        return count[i] == 0 && (!room || room[i] > 0);
}

/* Distributes tasks in rounds of chunk per node, leaving a task for each later node without tasks.
   Returns the number of tasks left. */
static uint32_t round_robin(const uint32_t *room, size_t n, uint32_t tasks, uint32_t chunk,
                uint32_t *count) {
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

bool layout_tasks(const uint32_t *room, size_t n, uint32_t tasks, uint32_t chunk, bool over,
                uint32_t *ret_count) {
        bool planes = chunk > 1 && chunk != LAYOUT_PACKED;

        memset(ret_count, 0, n * sizeof *ret_count);
        uint32_t left = round_robin(room, n, tasks, MAX(1u, chunk), ret_count);
        if (left && over && planes) { /* whole chunks, regardless of room */
                memset(ret_count, 0, n * sizeof *ret_count);
                left = tasks;
        }
        if (left && over)
                left = round_robin(NULL, n, left, planes ? chunk : 1, ret_count);
        return left == 0;
}

/* Index of the first rank of each node, followed by the end of the last node. */
static size_t *first_ranks(const uint32_t *count, size_t n) {
        size_t *first = xnew(size_t, n + 1);

        first[0] = 0;
        for (size_t i = 0; i < n; i++)
                first[i + 1] = first[i] + count[i];
        return first;
}

uint32_t *layout_ranks(const uint32_t *count, size_t n, uint32_t chunk) {
        _cleanup_free_ size_t *next = first_ranks(count, n), *end = first_ranks(count, n);
        /* Nodes with ranks missing. */
        _cleanup_free_ size_t *unfilled = xnew(size_t, n + 1);
        uint32_t *ranks = xnew(uint32_t, end[n]), rank = 0;
        size_t n_unfilled = 0;

        for (size_t i = 0; i < n; i++)
                if (count[i])
                        unfilled[n_unfilled++] = i;
        while (n_unfilled) {
                size_t kept = 0;
                for (size_t k = 0; k < n_unfilled; k++) {
                        size_t i = unfilled[k];
                        for (uint32_t t = 0; (t < chunk || !chunk) && next[i] < end[i + 1]; t++)
                                ranks[next[i]++] = rank++;
                        if (next[i] < end[i + 1])
                                unfilled[kept++] = i;
                }
                n_unfilled = kept;
        }
        return ranks;
}

uint32_t *layout_ranks_at(const uint32_t *place, uint32_t tasks, const uint32_t *count, size_t n) {
        _cleanup_free_ size_t *next = first_ranks(count, n);
        uint32_t *ranks = xnew(uint32_t, tasks);

        assert(next[n] == tasks);
        for (uint32_t t = 0; t < tasks; t++)
                ranks[next[place[t]]++] = t;
        return ranks;
}

char *layout_text(const uint32_t *count, size_t n) {
        char *text = NULL;
        size_t size;
        FILE *f = memstream_open(&text, &size);

        for (size_t i = 0; i < n;) {
                size_t same = 1;
                while (i + same < n && count[i + same] == count[i])
                        same++;
                fprintf(f, same > 1 ? "%s%u(x%zu)" : "%s%u", i ? "," : "", count[i], same);
                i += same;
        }
        memstream_close(f);
        return text;
}

/* An equal number of ranks on each of several consecutive nodes. */
struct block {
        size_t first, nodes, ranks;
};

/* If the blocks repeat, the first block represents all blocks; the last block may be shorter. */
static size_t blocks_needed(const struct block *b, size_t n) {
        size_t same = 1;

        while (same < n && b[same].first == b->first && b[same].ranks == b->ranks &&
                        (b[same].nodes == b->nodes || same + 1 == n) && b[same].nodes <= b->nodes)
                same++;
        return same == n ? MIN(n, (size_t)1) : n;
}

static char *blocks_text(const struct block *b, size_t n) {
        char *text = NULL;
        size_t size;
        FILE *out = memstream_open(&text, &size);

        fputs("(vector", out);
        n = blocks_needed(b, n);
        for (size_t i = 0; i < n; i++)
                fprintf(out, ",(%zu,%zu,%zu)", b[i].first, b[i].nodes, b[i].ranks);
        putc(')', out);
        memstream_close(out);
        return text;
}

char *layout_mapping(const uint32_t *ranks, const uint32_t *count, size_t n) {
        _cleanup_free_ size_t *first = first_ranks(count, n);
        _cleanup_free_ uint32_t *node = xnew(uint32_t, first[n] + 1);
        _cleanup_free_ struct block *blocks = NULL;
        size_t n_blocks = 0, allocated = 0;

        for (size_t i = 0; i < n; i++)
                for (size_t k = first[i]; k < first[i + 1]; k++)
                        node[ranks[k]] = (uint32_t)i;
        for (size_t rank = 0, same; rank < first[n]; rank += same) {
                struct block *last = n_blocks ? &blocks[n_blocks - 1] : NULL;

                for (same = 1; rank + same < first[n] && node[rank + same] == node[rank];)
                        same++;
                if (last && node[rank] == last->first + last->nodes && same == last->ranks) {
                        last->nodes++;
                        continue;
                }
                GROW(blocks, allocated, n_blocks);
                blocks[n_blocks++] = (struct block){ node[rank], 1, same };
        }
        return blocks_text(blocks, n_blocks);
}
