/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A node's units by socket.
 *
 * A job can use a quota of a socket's free units:
 *
 *   0                  a socket partly in use with CR_Socket, or with fewer free cores than
 *                      requested
 *   one core           --hint=memory_bound
 *   units of N tasks   --ntasks-per-socket=N
 *   all free units     otherwise
 *
 * An offer adds the quotas up; taking units respects the quotas too, so that the offered units are
 * available. As in Slurm, units are taken from all sockets in turn, or from as few sockets as
 * possible (CR_CORE_DEFAULT_DIST_BLOCK, --distribution=*:block, CR_Socket). */
#include "controller/sched/place/place_private.h"

#include "controller/model/sockets.h"

bool place_by_socket(const struct job *j, unsigned select) {
        const struct job_spec *t = &j->asked;

        return (select & CR_SOCKET) || t->sockets_per_node || t->cores_per_socket ||
               t->ntasks_per_socket || t->one_core_per_socket;
}

/* Returns the quota of a socket with this number of free units; *ret_tasks: maximum number of
   tasks. */
static uint32_t socket_quota(const struct search *s, const struct node *n, uint32_t units,
                uint32_t *ret_tasks) {
        const struct job_spec *t = &s->j->asked;
        uint32_t used = job_threads_used(s->j, n), per_task = s->cpus_per_task;

        *ret_tasks = 0;
        if ((s->select & CR_SOCKET && units < n->units / node_sockets(n)) ||
                        units < t->cores_per_socket)
                return 0;
        /* with CR_Socket sockets are allocated whole */
        if (t->one_core_per_socket && !(s->select & CR_SOCKET))
                units = MIN(units, 1u);
        uint32_t room = t->overcommit ? UINT32_MAX : units * used / per_task;
        *ret_tasks = t->ntasks_per_socket ? MIN(room, t->ntasks_per_socket) : UINT32_MAX;
        if (s->select & CR_SOCKET || !t->ntasks_per_socket || t->overcommit)
                return units;
        return (uint32_t)MIN((uint64_t)units, DIV_ROUND_UP((uint64_t)*ret_tasks * per_task, used));
}

static uint32_t free_in(const struct bitset *blocked, uint32_t from, uint32_t n) {
        uint32_t units = n;

        for (uint32_t i = 0; blocked && i < n; i++)
                units -= bitset_has(blocked, from + i);
        return units;
}

struct room place_room(const struct search *s, const struct node *n, const struct bitset *blocked) {
        uint32_t sockets = node_sockets(n), each = n->units / sockets, usable = 0;
        struct room room = { .blocked = blocked };
        uint64_t tasks = 0;

        for (uint32_t i = 0; i < sockets; i++) {
                uint32_t here, units = free_in(blocked, i * each, each),
                               can = socket_quota(s, n, units, &here);

                room.free += units;
                room.units += can;
                tasks += here;
                usable += can > 0;
        }
        room.tasks = (uint32_t)MIN(tasks, (uint64_t)UINT32_MAX);
        if (usable < s->j->asked.sockets_per_node)
                room.units = room.tasks = 0;
        return room;
}

/* ---- taking ---- */

struct socket {
        uint32_t from, free, left; /* first unit; free units; units still available */
        /* --ntasks-per-socket: dealt tasks; units still due for these tasks */
        uint32_t tasks, due;
};

static bool in_blocks(const struct search *s) {
        uint32_t asked = s->j->asked.socket_distribution;

        return s->select & CR_SOCKET ||
               (asked ? asked == DISTRIBUTION_BLOCK : s->select & CR_CORE_DEFAULT_DIST_BLOCK);
}

/* Returns the smallest socket with `want` units, else the socket with the most units; NULL:
   none. */
static struct socket *best_socket(struct socket *list, uint32_t n, uint32_t want) {
        struct socket *best = NULL;

        for (uint32_t i = 0; i < n; i++) {
                struct socket *k = &list[i];
                if (k->left == 0)
                        continue;
                bool fits = k->left >= want, best_fits = best && best->left >= want;
                if (!best || (fits && !best_fits) ||
                                (fits == best_fits && (fits ? k->left < best->left
                                                            : k->left > best->left)))
                        best = k;
        }
        return best;
}

/* Returns the sockets of n; units already set in `units` (NULL: none) reduce `left`. The caller
   frees. */
static struct socket *sockets_of(const struct search *s, const struct node *n,
                const struct bitset *blocked, const struct bitset *units, size_t at) {
        uint32_t sockets = node_sockets(n), each = n->units / sockets, tasks;
        struct socket *list = xnew0(struct socket, sockets);

        for (uint32_t i = 0; i < sockets; i++) {
                struct socket *k = &list[i];
                uint32_t taken = 0;

                k->from = i * each;
                k->free = free_in(blocked, k->from, each);
                for (uint32_t u = 0; units && u < each; u++)
                        taken += bitset_has(units, at + k->from + u);
                k->left = s->by_socket && !s->whole ? socket_quota(s, n, k->free, &tasks) : k->free;
                k->left -= MIN(taken, k->left);
        }
        return list;
}

/* Returns the number of units of a socket for tasks. */
static uint32_t units_of_tasks(const struct search *s, const struct node *n, uint32_t tasks) {
        uint32_t each = n->units / node_sockets(n);

        if (tasks == 0 || s->select & CR_SOCKET)
                return tasks ? each : 0;
        return (uint32_t)DIV_ROUND_UP((uint64_t)tasks * s->cpus_per_task,
                        job_threads_used(s->j, n));
}

bool place_keeps_tasks_apart(const struct search *s) {
        return s->j->asked.ntasks_per_socket && !s->whole && !s->j->asked.overcommit;
}

/* --ntasks-per-socket: deals one task to each socket in turn, or (block) as many as fit to each
   socket. Tasks without room are not dealt. */
static void deal_tasks(const struct search *s, const struct node *n, struct socket *list,
                uint32_t tasks) {
        uint32_t sockets = node_sockets(n), chunk = in_blocks(s) ? UINT32_MAX : 1;

        for (uint32_t before = 0; tasks && tasks != before;) {
                before = tasks;
                for (uint32_t i = 0; i < sockets && tasks; i++) {
                        uint32_t most;
                        (void)socket_quota(s, n, list[i].free, &most);
                        uint32_t more = MIN(MIN(chunk, tasks), most - MIN(most, list[i].tasks));
                        list[i].tasks += more;
                        tasks -= more;
                }
        }
        for (uint32_t i = 0; i < sockets; i++)
                list[i].due = units_of_tasks(s, n, list[i].tasks);
}

uint32_t place_units_for(const struct search *s, const struct node *n, const struct bitset *blocked,
                uint32_t tasks, uint32_t least) {
        uint64_t units = 0;

        if (s->whole)
                return job_units_on(s->j, n);
        if (place_keeps_tasks_apart(s)) {
                _cleanup_free_ struct socket *list = sockets_of(s, n, blocked, NULL, 0);
                deal_tasks(s, n, list, tasks);
                for (uint32_t i = 0; i < node_sockets(n); i++)
                        units += list[i].due;
        } else
                units = DIV_ROUND_UP(place_cpus_used(s, tasks), job_threads_used(s->j, n));
        least = MAX(least, place_least_cpus(s->c, s->j, n));
        units = MAX(units, (uint64_t)DIV_ROUND_UP(least, n->cpus_per_unit));
        if (s->select & CR_SOCKET) {
                uint32_t each = n->units / node_sockets(n);
                units = DIV_ROUND_UP(units, each) * each;
        }
        return (uint32_t)MIN(units, (uint64_t)job_units_on(s->j, n));
}

static void take_one(const struct bitset *blocked, struct bitset *units, size_t at,
                struct socket *k) {
        for (uint32_t i = k->from;; i++)
                if (!bitset_has(blocked, i) && !bitset_has(units, at + i)) {
                        bitset_add(units, at + i);
                        k->left--;
                        return;
                }
}

static uint32_t take_in_blocks(struct socket *list, uint32_t n, const struct bitset *blocked,
                struct bitset *units, size_t at, uint32_t want) {
        for (struct socket *k; want && (k = best_socket(list, n, want));)
                while (want && k->left) {
                        take_one(blocked, units, at, k);
                        want--;
                }
        return want;
}

static uint32_t take_in_turn(struct socket *list, uint32_t n, const struct bitset *blocked,
                struct bitset *units, size_t at, uint32_t want) {
        for (uint32_t before = 0; want && want != before;) {
                before = want;
                for (uint32_t i = 0; i < n && want; i++)
                        if (list[i].left) {
                                take_one(blocked, units, at, &list[i]);
                                want--;
                        }
        }
        return want;
}

uint32_t place_take_units(const struct search *s, const struct node *n,
                const struct bitset *blocked, struct bitset *units, size_t at, uint32_t want,
                uint32_t tasks) {
        _cleanup_free_ struct socket *list = sockets_of(s, n, blocked, units, at);
        uint32_t sockets = node_sockets(n);

        if (place_keeps_tasks_apart(s))
                deal_tasks(s, n, list, tasks);
        for (uint32_t i = 0; i < sockets; i++)
                for (; want && list[i].due; list[i].due--, want--)
                        take_one(blocked, units, at, &list[i]);
        return in_blocks(s) ? take_in_blocks(list, sockets, blocked, units, at, want)
                            : take_in_turn(list, sockets, blocked, units, at, want);
}

/* Returns the first available unit of a side; SIZE_MAX: none. */
static size_t first_free(const struct bitset *side, const struct bitset *blocked,
                const struct socket *list, uint32_t each) {
        bitset_for_each(i, side)
                if (!bitset_has(blocked, i) && list[i / each].left)
                        return i;
        return SIZE_MAX;
}

static bool has_some_of(const struct bitset *side, const struct bitset *units, size_t at) {
        bitset_for_each(i, side)
                if (bitset_has(units, at + i))
                        return true;
        return false;
}

bool place_take_of_each(const struct search *s, const struct node *n, uint32_t sides,
                const struct bitset *blocked, struct bitset *units, size_t at, uint32_t *left) {
        _cleanup_free_ struct socket *list = sockets_of(s, n, blocked, units, at);
        uint32_t each = n->units / node_sockets(n);
        bool all = true;

        for (uint32_t k = 1; k < n->n_sides && *left; k++) {
                if (!(sides >> k & 1) || has_some_of(n->sides[k], units, at))
                        continue;
                size_t free = first_free(n->sides[k], blocked, list, each);
                if (free == SIZE_MAX) {
                        all = false;
                } else if (s->select & CR_SOCKET) {
                        for (struct socket *of = &list[free / each]; of->left && *left; --*left)
                                take_one(blocked, units, at, of);
                } else {
                        bitset_add(units, at + free);
                        list[free / each].left--;
                        --*left;
                }
        }
        return all;
}
