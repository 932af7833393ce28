/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/requests/job_resize.h"

#include "controller/agents/steps.h"
#include "controller/loop/wall_clock.h"
#include "controller/orders/resize.h"
#include "lib/timetext.h"

static size_t nodes_left(const struct job *j) {
        size_t n = 0;

        for (size_t i = 0; i < j->placed.n_alloc; i++)
                n += !j->placed.alloc[i].done;
        return n;
}

/* A range is for a job that waits. */
static enum slumber_error count_of(const char *text, const struct job *j, size_t *ret,
                struct fail *fail) {
        uint64_t n;

        if (strchr(text, '-'))
                return SLUMBER_JOB_NOT_PENDING;
        if (uint_parse(text, 1, INT32_MAX, &n) < 0)
                return SLUMBER_BAD_NODE_COUNT;
        if (n > nodes_left(j)) {
                fail_set(fail, -EOPNOTSUPP, "NumNodes=%s: a job that runs cannot get more nodes",
                                text);
                return SLUMBER_NOT_SUPPORTED;
        }
        *ret = n;
        return SLUMBER_OK;
}

static void keep_first(const struct job *j, size_t n, struct bitset *keep) {
        for (size_t i = 0; i < j->placed.n_alloc && n; i++)
                if (!j->placed.alloc[i].done) {
                        bitset_add(keep, i);
                        n--;
                }
}

static enum slumber_error keep_named(const struct cluster *c, const struct job *j,
                const char *names, struct bitset *keep, struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *nodes = NULL;

        if (cluster_nodes_parse(c, names, &nodes, NULL) < 0 || bitset_empty(nodes))
                return SLUMBER_BAD_NODE_NAME;
        bitset_for_each(i, nodes) {
                const struct job_node *jn = job_node_find(j, c->nodes[i]);
                if (!jn || jn->done) {
                        fail_set(fail, -EOPNOTSUPP,
                                        "NodeList: a job that runs cannot get more nodes, it does not have %s",
                                        c->nodes[i]->name);
                        return SLUMBER_NOT_SUPPORTED;
                }
                bitset_add(keep, (size_t)(jn - j->placed.alloc));
        }
        return SLUMBER_OK;
}

enum slumber_error resize_check(const struct cluster *c, const struct job *j, const char *count,
                const char *nodes, struct bitset **ret, struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *keep = bitset_new(j->placed.n_alloc);
        enum slumber_error e = SLUMBER_OK;
        size_t n = 0;

        if (!count && !nodes)
                return SLUMBER_OK;
        if (count)
                e = count_of(count, j, &n, fail);
        if (e == SLUMBER_OK && nodes)
                e = keep_named(c, j, nodes, keep, fail);
        else if (e == SLUMBER_OK)
                keep_first(j, n, keep);
        if (e == SLUMBER_OK && count && bitset_count(keep) != n)
                e = SLUMBER_BAD_NODE_COUNT;
        if (e == SLUMBER_OK)
                e = job_may_shrink(j, keep, fail);
        if (e == SLUMBER_OK)
                *ret = TAKE(keep);
        return e;
}

void resize_apply(struct controller *ctl, struct job *j, const struct bitset *keep) {
        if (bitset_count(keep) == j->placed.n_alloc)
                return;
        job_shrink(ctl->cluster, j, keep, controller_now(ctl));
        runs_renumber(ctl, j, keep);
}
