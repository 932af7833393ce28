/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binding of tasks to CPUs
 *
 * Tasks get granules, threads or whole cores, from sockets in turn or from one socket after the
 * other. When all granules are used up, dealing starts again from the first. Binding to sockets or
 * ldoms (NUMA nodes) deals threads, and then widens each task to the step's CPUs of its sockets or
 * ldoms; so does binding to cores if tasks share cores and a distribution is given. */
#include "agent/hardware/bind.h"

#include <stdlib.h>
#include <strings.h>

/* unit of dealing: a thread or a core */
struct granule {
        size_t at, n; /* CPUs deal.have[at], n CPUs */
        size_t task;  /* last task with the granule: number + 1 */
        size_t core;  /* counted over all sockets */
        bool dealt;
};

/* a socket */
struct seat {
        size_t from, n, left; /* granules from..from + n - 1, and how many are not dealt */
        size_t core;          /* core at which the search starts */
};

struct deal {
        const struct cpu_map *map;
        struct cpu *have; /* the step's CPUs in the map's order; sockets renumbered from 0 */
        size_t n_have;
        uint32_t sockets, cores;
        struct granule *list; /* sorted by socket */
        size_t n, left;
        struct seat *seats;
};

struct cpu_map *cpu_map_free(struct cpu_map *m) {
        if (m) {
                free(m->list);
                bitset_free(m->memory);
        }
        free(m);
        return NULL;
}

struct bitset *cpu_map_cores(const struct cpu_map *m, uint32_t cores_of_node, const char *cores) {
        _cleanup_(bitset_freep) struct bitset *in = bitset_new(MAX(1u, cores_of_node)),
                                              *out = bitset_new(m->bits);
        bool by_core = cores_of_node <= m->cores;

        if (cores_of_node > m->n || bitset_parse(in, cores) < 0 || bitset_empty(in))
                return NULL;
        for (size_t i = 0; i < m->n; i++) {
                size_t core = by_core ? m->list[i].core : i;
                if (core < cores_of_node && bitset_has(in, core))
                        bitset_add(out, m->list[i].number);
        }
        return TAKE(out);
}

static void deal_begin(struct deal *d, const struct bitset *have) {
        uint32_t socket = 0;

        d->have = xnew(struct cpu, d->map->n);
        d->list = xnew(struct granule, d->map->n);
        for (size_t i = 0; i < d->map->n; i++) {
                struct cpu cpu = d->map->list[i];
                if (!bitset_has(have, cpu.number))
                        continue;
                d->cores += d->n_have == 0 || cpu.core != d->have[d->n_have - 1].core;
                d->sockets += d->n_have == 0 || cpu.socket != socket;
                socket = cpu.socket;
                cpu.socket = d->sockets - 1;
                d->have[d->n_have++] = cpu;
        }
}

static void deal_done(struct deal *d) {
        free(d->have);
        free(d->list);
        free(d->seats);
}

static void deal_again(struct deal *d) {
        for (uint32_t i = 0; i < d->sockets; i++) {
                d->seats[i].left = d->seats[i].n;
                d->seats[i].core = 0;
        }
        for (size_t i = 0; i < d->n; i++)
                d->list[i].dealt = false;
        d->left = d->n;
}

static void deal_make_granules(struct deal *d, bool cores, bool one_thread) {
        size_t core = 0;

        d->seats = xnew0(struct seat, d->sockets);
        for (size_t i = 0; i < d->n_have; i++) {
                struct seat *seat = &d->seats[d->have[i].socket];
                bool first = i == 0 || d->have[i].core != d->have[i - 1].core ||
                             d->have[i].socket != d->have[i - 1].socket;
                core += first && i > 0;
                if (first || (!cores && !one_thread)) {
                        seat->from = seat->n ? seat->from : d->n;
                        seat->n++;
                        d->list[d->n++] = (struct granule){ .at = i, .n = 1, .core = core };
                } else if (cores) {
                        d->list[d->n - 1].n++;
                }
        }
        deal_again(d);
}

/* Returns the socket for a task that wants so many granules: the next socket with enough free
   granules, else the next with any. */
static uint32_t socket_for(const struct deal *d, uint32_t turn, size_t want) {
        for (size_t least = want; least > 0; least = least > 1 ? 1 : 0)
                for (uint32_t k = 0; k < d->sockets; k++)
                        if (d->seats[(turn + k) % d->sockets].left >= least)
                                return (turn + k) % d->sockets;
        return turn % d->sockets;
}

/* Deals the next free granule of the socket, from seat->core on, then from its first core. */
static struct granule *seat_take_granule(struct deal *d, struct seat *seat) {
        struct granule *first = NULL;

        for (size_t i = seat->from; i < seat->from + seat->n; i++) {
                struct granule *g = &d->list[i];
                if (g->dealt || (first && g->core < seat->core))
                        continue;
                first = !first || g->core >= seat->core ? g : first;
                if (g->core >= seat->core)
                        break;
        }
        assert(first);
        first->dealt = true;
        seat->left--;
        d->left--;
        return first;
}

/* Deals a granule from *socket or a later socket, which *socket is set to. A granule that the
   task has already is skipped. NULL: all are dealt. */
static struct granule *deal_take_granule(struct deal *d, uint32_t *socket, size_t task) {
        for (; d->left > 0; (*socket)++) {
                *socket %= d->sockets;
                while (d->seats[*socket].left > 0) {
                        struct granule *g = seat_take_granule(d, &d->seats[*socket]);
                        if (g->task != task)
                                return g;
                }
        }
        return NULL;
}

/* Sets the core at which the search for the task's next granule, or the next task's, starts. */
static void seat_advance(struct seat *seat, const struct granule *g, enum bind_deal cores,
                bool last_of_task) {
        if (cores == DEAL_FCYCLIC || (cores == DEAL_CYCLIC && last_of_task))
                seat->core = g->core + 1;
        else if (cores == DEAL_CYCLIC)
                seat->core = g->core;
}

static void deal_task(struct deal *d, size_t task, size_t want, const struct bind_ask *ask,
                uint32_t *turn, struct bitset *set) {
        size_t on_one = ask->sockets == DEAL_FCYCLIC ? 1 : want;

        if (d->left == 0)
                deal_again(d);
        *turn = ask->sockets == DEAL_BLOCK ? 0 : socket_for(d, *turn, on_one);
        want = MIN(want, d->n);
        for (size_t k = 0; k < want; k++) {
                uint32_t socket = *turn % d->sockets;
                struct granule *g = deal_take_granule(d, &socket, task);
                if (!g) {
                        deal_again(d);
                        socket = *turn % d->sockets;
                        g = deal_take_granule(d, &socket, task);
                }
                assert(g);
                g->task = task;
                for (size_t i = 0; i < g->n; i++)
                        bitset_add(set, d->have[g->at + i].number);
                seat_advance(&d->seats[socket], g, ask->cores, k + 1 == want);
                if (ask->sockets == DEAL_FCYCLIC)
                        *turn = socket + 1;
        }
        *turn += ask->sockets != DEAL_FCYCLIC;
}

enum width { WIDTH_NONE, WIDTH_CORES, WIDTH_SOCKETS, WIDTH_LDOMS };

static uint32_t cpu_place(const struct cpu *cpu, enum width width) {
        return width == WIDTH_CORES ? cpu->core : width == WIDTH_LDOMS ? cpu->ldom : cpu->socket;
}

/* Adds all of the step's CPUs on the cores, sockets or ldoms in set. */
static void deal_widen_set(const struct deal *d, enum width width, struct bitset *set) {
        const size_t places[] = { [WIDTH_CORES] = d->map->cores,
                [WIDTH_SOCKETS] = d->sockets,
                [WIDTH_LDOMS] = d->map->ldoms };

        if (width == WIDTH_NONE)
                return;
        _cleanup_(bitset_freep) struct bitset *in = bitset_new(places[width]);
        for (size_t i = 0; i < d->n_have; i++)
                if (bitset_has(set, d->have[i].number))
                        bitset_add(in, cpu_place(&d->have[i], width));
        for (size_t i = 0; i < d->n_have; i++)
                if (bitset_has(in, cpu_place(&d->have[i], width)))
                        bitset_add(set, d->have[i].number);
}

/* Returns the step's CPUs in these ldoms; the caller frees. */
static struct bitset *cpus_of_ldoms(const struct cpu_map *m, const struct bitset *have,
                const struct bitset *ldoms) {
        struct bitset *cpus = bitset_new(m->bits);

        for (size_t i = 0; i < m->n; i++)
                if (bitset_has(have, m->list[i].number) && bitset_has(ldoms, m->list[i].ldom))
                        bitset_add(cpus, m->list[i].number);
        return cpus;
}

/* ---- masks ---- */

/* The mask has as many hexadecimal digits as the machine's highest CPU number needs. */
static char *bind_mask_text(const struct bitset *set) {
        size_t digits = DIV_ROUND_UP(MAX(set->bits, (size_t)1), (size_t)4);
        char *text = xmalloc(digits + 3), *to = text + sprintf(text, "0x");

        for (size_t i = digits; i-- > 0;) {
                unsigned bits = 0;
                for (size_t b = 0; b < 4; b++)
                        bits |= i * 4 + b < set->bits && bitset_has(set, i * 4 + b) ? 1u << b : 0;
                to += sprintf(to, "%X", bits);
        }
        return text;
}

static void bind_add_mask(struct bind_plan *p, const struct bitset *set) {
        p->masks = xrenew(p->masks, p->n + 1);
        p->masks[p->n++] = bind_mask_text(set);
}

/* ---- lists ---- */

/* false: a bit is beyond the machine. */
static bool bind_read_mask(const char *hex, struct bitset *set) {
        size_t n = strlen(hex);
        bool all = true;

        for (size_t i = 0; i < n; i++) {
                char digit[2] = { hex[n - 1 - i], 0 };
                unsigned long bits = strtoul(digit, NULL, 16);
                for (size_t b = 0; b < 4; b++) {
                        if (!(bits & 1ul << b))
                                continue;
                        if (i * 4 + b < set->bits)
                                bitset_add(set, i * 4 + b);
                        else
                                all = false;
                }
        }
        return all;
}

static bool bind_read_number(const char *text, struct bitset *set) {
        unsigned long cpu = strtoul(text, NULL, strncasecmp(text, "0x", 2) == 0 ? 16 : 10);

        if (cpu < set->bits)
                bitset_add(set, cpu);
        return cpu < set->bits;
}

/* Returns the next item of a list, cut off; *ret: number of tasks ("3*4": 4). NULL: the end. */
static char *bind_next_item(char **rest, size_t *ret) {
        char *item, *star;

        do
                item = strsep(rest, ",");
        while (item && !*item);
        star = item ? strchr(item, '*') : NULL;
        *ret = star ? strtoul(star + 1, NULL, 10) : 1;
        if (star)
                *star = 0;
        return item;
}

/* Adds the mask the given number of times, up to one mask a task. */
static void add_masks(struct bind_plan *p, const struct bitset *set, size_t times, size_t tasks) {
        for (; times > 0 && p->n < tasks; times--)
                bind_add_mask(p, set);
}

static bool bind_read_item(bool numbers, const char *item, struct bitset *set) {
        if (numbers)
                return bind_read_number(item, set);
        return bind_read_mask(strncasecmp(item, "0x", 2) == 0 ? item + 2 : item, set);
}

/* ---- the plan ---- */

static char *bind_plan_text(const struct bind_plan *p) {
        char *text = NULL;
        size_t size;
        FILE *out = memstream_open(&text, &size);

        for (size_t i = 0; i < p->n; i++)
                fprintf(out, "%s%s", i ? "," : "mask_cpu:", p->masks[i]);
        memstream_close(out);
        return text;
}

/* Returns the default binding: the unit whose number in the step equals the tasks' CPUs. */
static const char *bind_default_unit(const struct deal *d, const struct bind_ask *ask) {
        uint64_t cpus = (uint64_t)ask->tasks * MAX(1u, ask->cpus_per_task);

        return cpus == d->sockets  ? "sockets"
               : cpus == d->cores  ? "cores"
               : cpus == d->n_have ? "threads"
               : ask->otherwise    ? ask->otherwise
                                   : "none";
}

/* Cores of a task: one for each of its CPUs if the step has enough cores, else the fewest with
   enough threads. */
static size_t cores_of_task(const struct deal *d, const struct bind_ask *ask) {
        size_t per_task = MAX(1u, ask->cpus_per_task), threads = 1;

        for (size_t i = 0; i < d->n; i++)
                threads = MAX(threads, d->list[i].n);
        return ask->tasks * per_task <= d->n ? per_task : DIV_ROUND_UP(per_task, threads);
}

static void deal_all_tasks(struct deal *d, const char *how, const struct bind_ask *ask,
                struct bind_plan *ret) {
        struct bind_ask by = *ask;
        bool rank = streq(how, "rank"), cores = streq(how, "cores");
        size_t want = rank ? 1 : MAX(1u, ask->cpus_per_task);
        /* With an explicit distribution, tasks that share cores are dealt threads, but bound to
           whole cores. */
        bool threads = cores && ask->tasks * want > d->cores &&
                       (ask->cores != DEAL_DEFAULT || ask->sockets == DEAL_FCYCLIC);
        enum width width = threads                 ? WIDTH_CORES
                           : streq(how, "ldoms")   ? WIDTH_LDOMS
                           : streq(how, "sockets") ? WIDTH_SOCKETS
                                                   : WIDTH_NONE;
        uint32_t turn = 0;

        if (rank) {
                by.sockets = DEAL_BLOCK;
                by.cores = DEAL_DEFAULT;
        }
        deal_make_granules(d, cores && !threads, ask->one_thread);
        if (cores && !threads)
                want = cores_of_task(d, ask);
        for (size_t i = 0; i < ask->tasks; i++) {
                _cleanup_(bitset_freep) struct bitset *set = bitset_new(d->map->bits);
                deal_task(d, i + 1, want, &by, &turn, set);
                deal_widen_set(d, width, set);
                bind_add_mask(ret, set);
        }
}

/* rank_ldom: tasks get the ldoms with CPUs of the step in turn. */
static void bind_by_ldom_rank(const struct cpu_map *m, const struct bitset *have, size_t tasks,
                struct bind_plan *ret) {
        _cleanup_(bitset_freep) struct bitset *one = bitset_new(m->ldoms);

        while (ret->n < tasks)
                for (uint32_t ldom = 0; ldom < m->ldoms && ret->n < tasks; ldom++) {
                        bitset_add(one, ldom);
                        _cleanup_(bitset_freep) struct bitset *set = cpus_of_ldoms(m, have, one);
                        if (!bitset_empty(set))
                                bind_add_mask(ret, set);
                        bitset_del(one, ldom);
                }
}

/* Returns the list as shown to tasks: like Slurm, masks lose their 0x. */
static char *bind_list_without_0x(const char *how) {
        char *text = xstrdup(how), *to = strchr(text, ':') + 1;
        bool masks = strncmp(how, "mask_", 5) == 0;

        for (const char *p = to; *p; p++) {
                if (masks && (p[-1] == ':' || p[-1] == ',') && strncasecmp(p, "0x", 2) == 0)
                        p += 2;
                *to++ = *p;
                if (!*p)
                        break;
        }
        *to = 0;
        return text;
}

/* A list shorter than the tasks is used cyclically, as masks are. */
static int bind_by_list(const struct cpu_map *m, const struct bitset *have,
                const struct bind_ask *ask, struct bind_plan *ret, struct fail *fail) {
        _cleanup_free_ char *list = xstrdup(strchr(ask->how, ':') + 1);
        bool numbers = strncmp(ask->how, "map_", 4) == 0, ldoms = strstr(ask->how, "_ldom:");
        char *rest = list, *w;
        size_t times;

        while (ret->n < ask->tasks && (w = bind_next_item(&rest, &times))) {
                _cleanup_(bitset_freep) struct bitset *said = bitset_new(
                                ldoms ? m->ldoms : m->bits);
                bool all = bind_read_item(numbers, w, said);
                _cleanup_(bitset_freep) struct bitset *set = ldoms ? cpus_of_ldoms(m, have, said)
                                                                   : TAKE(said);
                all &= !ldoms || !bitset_empty(set);
                if (ask->strict && (!all || !bitset_contains(have, set))) {
                        _cleanup_free_ char *text = bind_mask_text(have);
                        return fail_set(fail, -EINVAL,
                                        "CPU binding outside of job step allocation, allocated "
                                        "CPUs are: %s.",
                                        text);
                }
                add_masks(ret, set, times, ask->tasks);
        }
        return 0;
}

int bind_make(const struct cpu_map *m, const struct bitset *have, const struct bind_ask *ask,
                struct bind_plan *ret, struct fail *fail) {
        struct deal d = { .map = m };
        int r = 0;

        assert(!bitset_empty(have) && have->bits == m->bits);
        *ret = (struct bind_plan){ 0 };
        if (strchr(ask->how, ':')) {
                r = bind_by_list(m, have, ask, ret, fail);
                ret->how = bind_list_without_0x(ask->how);
                return r;
        }
        deal_begin(&d, have);
        const char *how = *ask->how ? ask->how : bind_default_unit(&d, ask);
        bool by_word = streq(how, ask->how) && (streq(how, "none") || strncmp(how, "rank", 4) == 0);
        if (streq(how, "none"))
                bind_add_mask(ret, have);
        else if (streq(how, "rank_ldom"))
                bind_by_ldom_rank(m, have, ask->tasks, ret);
        else
                deal_all_tasks(&d, how, ask, ret);
        ret->how = by_word ? xstrdup(how) : bind_plan_text(ret);
        deal_done(&d);
        return r;
}

/* ---- memory ---- */

static int memory_by_list(const struct cpu_map *m, const char *how, size_t tasks,
                struct bind_plan *ret, struct fail *fail) {
        _cleanup_free_ char *list = xstrdup(strchr(how, ':') + 1);
        bool numbers = strncmp(how, "map_", 4) == 0;
        char *rest = list, *w;
        size_t times;

        while (ret->n < tasks && (w = bind_next_item(&rest, &times))) {
                _cleanup_(bitset_freep) struct bitset *set = bitset_new(m->memory->bits);
                if (!bind_read_item(numbers, w, set) || bitset_empty(set) ||
                                !bitset_contains(m->memory, set)) {
                        _cleanup_free_ char *nodes = bitset_text(m->memory);
                        return fail_set(fail, -EINVAL,
                                        "--mem-bind=%.100s: \"%.50s\" is not of the NUMA nodes of "
                                        "this machine: %.100s",
                                        how, w, nodes);
                }
                add_masks(ret, set, times, tasks);
        }
        return ret->n ? 0 : fail_set(fail, -EINVAL, "--mem-bind=%.100s: the list is empty", how);
}

static void memory_by_rank(const struct cpu_map *m, size_t tasks, struct bind_plan *ret) {
        _cleanup_(bitset_freep) struct bitset *one = bitset_new(m->memory->bits);

        while (ret->n < tasks)
                bitset_for_each(node, m->memory) {
                        bitset_add(one, node);
                        add_masks(ret, one, 1, tasks);
                        bitset_del(one, node);
                }
}

/* Binds to the NUMA nodes of the CPUs; if these have no memory, to all NUMA nodes. */
static void memory_near(const struct cpu_map *m, const struct bitset *cpus, struct bind_plan *ret) {
        _cleanup_(bitset_freep) struct bitset *near = bitset_new(m->memory->bits);

        for (size_t i = 0; i < m->n; i++)
                if (bitset_has(cpus, m->list[i].number) && m->list[i].ldom < near->bits &&
                                bitset_has(m->memory, m->list[i].ldom))
                        bitset_add(near, m->list[i].ldom);
        bind_add_mask(ret, bitset_empty(near) ? m->memory : near);
}

int bind_memory(const struct cpu_map *m, const struct bitset *have, const struct bind_plan *cpus,
                const char *how, size_t tasks, struct bind_plan *ret, struct fail *fail) {
        *ret = (struct bind_plan){ 0 };
        if (!m->memory || bitset_empty(m->memory))
                return fail_set(fail, -EINVAL,
                                "--mem-bind=%.100s: the NUMA nodes of this machine "
                                "are not known",
                                how);
        if (strncmp(how, "map_mem:", 8) == 0 || strncmp(how, "mask_mem:", 9) == 0)
                return memory_by_list(m, how, tasks, ret, fail);
        if (streq(how, "rank")) {
                memory_by_rank(m, tasks, ret);
                return 0;
        }
        if (!streq(how, "local"))
                return fail_set(fail, -EINVAL, "--mem-bind=%.100s is not known", how);
        for (size_t i = 0; i < cpus->n; i++) {
                _cleanup_(bitset_freep) struct bitset *set = bitset_new(m->bits);
                (void)bind_read_mask(cpus->masks[i] + 2, set);
                memory_near(m, set, ret);
        }
        if (cpus->n == 0)
                memory_near(m, have, ret);
        return 0;
}

void bind_done(struct bind_plan *p) {
        texts_free(p->masks, p->n);
        free(p->how);
        *p = (struct bind_plan){ 0 };
}
