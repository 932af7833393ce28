/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/steps/step_ports.h"

#include "controller/model/node.h"

#define PORTS (UINT16_MAX + 1)

/* A job on one of the nodes asked for. */
struct user {
        const struct job *job;
        const struct node *node;
};

static int port_user_compare(const void *a, const void *b) {
        uintptr_t x = (uintptr_t)((const struct user *)a)->job,
                  y = (uintptr_t)((const struct user *)b)->job;

        return (x > y) - (x < y);
}

/* Returns all jobs with steps on these nodes, sorted by job; *ret_bits is enough for the nodes'
   indexes. The caller frees. */
static struct user *users_of(const struct job *j, const size_t *at, size_t n, size_t *ret_n,
                size_t *ret_bits) {
        struct user *users = NULL;
        size_t allocated = 0;

        *ret_n = *ret_bits = 0;
        for (size_t i = 0; i < n; i++) {
                const struct node *node = j->placed.alloc[at[i]].node;
                *ret_bits = MAX(*ret_bits, (size_t)node->index + 1);
                for (size_t k = 0; k < node->n_jobs; k++) {
                        if (node->jobs[k]->running.n_steps == 0)
                                continue;
                        GROW(users, allocated, *ret_n);
                        users[(*ret_n)++] = (struct user){ node->jobs[k], node };
                }
        }
        list_sort(users, *ret_n, sizeof *users, port_user_compare);
        return users;
}

static bool step_is_running_on(const struct step *s, const struct bitset *places) {
        bitset_for_each(at, s->nodes)
                if (bitset_has(places, at) && !bitset_has(s->ended, at))
                        return true;
        return false;
}

/* Adds the ports of j's steps on these nodes (a set of indexes) to taken. */
static void add_ports_of(const struct job *j, const struct bitset *nodes, struct bitset *taken) {
        _cleanup_(bitset_freep) struct bitset *places = NULL;

        if (!job_has_ports(j))
                return;
        places = bitset_new(j->placed.n_alloc);
        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                size_t index = j->placed.alloc[i].node->index;
                if (index < nodes->bits && bitset_has(nodes, index))
                        bitset_add(places, i);
        }
        for (size_t i = 0; i < j->running.n_steps; i++) {
                const struct step *s = &j->running.steps[i];
                if (s->resv_ports && step_is_running_on(s, places))
                        (void)bitset_parse(taken, s->resv_ports);
        }
}

/* Adds all ports in use on these nodes. Each job and step is visited only once, even with many
   nodes. */
static void ports_add_taken(const struct job *j, const size_t *at, size_t n, struct bitset *taken) {
        size_t n_users, bits;
        _cleanup_free_ struct user *users = users_of(j, at, n, &n_users, &bits);
        _cleanup_(bitset_freep) struct bitset *nodes = bitset_new(bits);

        for (size_t i = 0, end; i < n_users; i = end) {
                for (end = i; end < n_users && users[end].job == users[i].job; end++)
                        bitset_add(nodes, users[end].node->index);
                add_ports_of(users[i].job, nodes, taken);
                for (size_t k = i; k < end; k++)
                        bitset_del(nodes, users[k].node->index);
        }
}

enum slumber_error step_ports_find(const struct job *j, const size_t *at, const uint32_t *tasks,
                size_t n, uint32_t asked, struct port_range range, uint32_t *next, char **ret) {
        _cleanup_(bitset_freep) struct bitset *taken = NULL, *found = NULL;
        uint32_t most = 0, size = range.first ? range.last - range.first + 1 : 0, k = 0;

        *ret = NULL;
        for (size_t i = 0; i < n; i++)
                most = MAX(most, tasks[i]);
        uint32_t want = asked == STEP_PORTS_BY_TASKS ? most + 1 : asked;
        if (want > size)
                return SLUMBER_TOO_MANY_PORTS;
        if (!want)
                return SLUMBER_OK;
        taken = bitset_new(PORTS);
        found = bitset_new(PORTS);
        ports_add_taken(j, at, n, taken);
        bool within = *next >= range.first && *next <= range.last;
        uint32_t begin = within ? *next - range.first : 0;
        for (; k < size && want > 0; k++) {
                uint32_t port = range.first + (begin + k) % size;
                if (bitset_has(taken, port))
                        continue;
                bitset_add(found, port);
                want--;
        }
        if (want > 0)
                return SLUMBER_PORTS_BUSY;
        *next = range.first + (begin + k) % size;
        *ret = bitset_text(found);
        return SLUMBER_OK;
}
