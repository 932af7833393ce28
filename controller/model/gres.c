/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/gres.h"

#include "controller/model/cluster.h"
#include "controller/model/shards.h"
#include "controller/model/sockets.h"

_Static_assert(GRES_NEAR_MAX < GRES_SIDES_MAX, "there is a side for all cores, too");

/* ---- nodes ---- */

static void sides_free(struct node *n) {
        for (uint32_t i = 0; i < n->n_sides; i++)
                bitset_free(n->sides[i]);
        free(TAKE(n->sides));
        free(TAKE(n->gres_shown));
        n->n_sides = 0;
}

void gres_items_free(struct node *n) {
        for (size_t i = 0; i < n->n_gres; i++) {
                free(n->gres_items[i].name);
                free(n->gres_items[i].type);
                free(n->gres_items[i].side);
                free(n->gres_items[i].shards);
        }
        free(TAKE(n->gres_items));
        n->n_gres = 0;
        sides_free(n);
}

static void gres_add_item(struct node *n, struct gres_item *from) {
        uint64_t first = 0, most = gres_is_shard(from->name) ? GRES_SHARDS_MAX : GRES_UNITS_MAX;

        for (size_t i = 0; i < n->n_gres; i++)
                if (streq(n->gres_items[i].name, from->name))
                        first += n->gres_items[i].count;
        n->gres_items[n->n_gres++] = (struct node_gres){ .name = TAKE(from->name),
                .type = TAKE(from->type),
                .count = from->count,
                .left = from->count,
                .first = (uint32_t)MIN(first, most),
                .numbered = first + from->count <= most };
}

void gres_configure(struct node *n) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;

        gres_items_free(n);
        if (isempty(n->gres) || gres_list_parse(n->gres, GRES_CONFIGURED, &list, NULL) < 0 || !list)
                return;
        n->gres_items = xnew0(struct node_gres, list->n);
        for (size_t i = 0; i < list->n; i++)
                gres_add_item(n, &list->list[i]);
}

/* The index of the side with the units that are cores in the list, a new side if needed.  Side 0 is
   all units (cores NULL). */
static uint8_t side_of(struct node *n, const struct bitset *cores) {
        _cleanup_(bitset_freep) struct bitset *set = bitset_new(n->units);

        for (size_t i = 0; i < n->units; i++)
                bitset_put(set, i, !cores || (i < cores->bits && bitset_has(cores, i)));
        for (uint8_t i = 0; i < n->n_sides; i++)
                if (bitset_equal(n->sides[i], set))
                        return i;
        /* too many sides: possible while jobs from before a reconfiguration hold units */
        if (n->n_sides == GRES_SIDES_MAX || bitset_empty(set))
                return 0;
        n->sides = xrenew(n->sides, n->n_sides + 1);
        n->sides[n->n_sides] = TAKE(set);
        return (uint8_t)n->n_sides++;
}

/* Sockets of an item's units, as "0-1"; units without a side are near all sockets.  NULL: no item
   of the name has sides.  The caller frees the text. */
static char *sockets_text(const struct node *n, const struct node_gres *g) {
        uint32_t sockets = node_sockets(n), each = n->units / sockets;
        bool said = false;

        for (size_t i = 0; i < n->n_gres; i++)
                said |= n->gres_items[i].side && streq(n->gres_items[i].name, g->name);
        if (!said)
                return NULL;
        _cleanup_(bitset_freep) struct bitset *set = bitset_new(sockets);
        for (uint64_t k = 0; k < g->count && (g->side || k == 0); k++)
                bitset_for_each(i, n->sides[g->side ? g->side[k] : 0])
                        bitset_add(set, i / each);
        return bitset_text(set);
}

/* Gres text in Slurm's form: "gpu:4(S:0-1)". */
static char *gres_text_shown(const struct node *n, struct gres_list *has) {
        for (size_t i = 0; i < has->n; i++) {
                char *sockets = sockets_text(n, &n->gres_items[i]);
                if (sockets) {
                        free(has->list[i].sockets);
                        has->list[i].sockets = sockets;
                }
        }
        return gres_list_text(has, "");
}

static bool node_has_shards(const struct node *n) {
        for (size_t i = 0; i < n->n_gres; i++)
                if (gres_is_shard(n->gres_items[i].name))
                        return true;
        return false;
}

/* Puts shards on the side of their GPU. */
static void configure_shard_sides(struct node *n, struct node_gres *shards) {
        for (size_t i = 0; i < n->n_gres; i++) {
                const struct node_gres *gpus = &n->gres_items[i];
                for (uint64_t k = 0; gpus->side && streq(gpus->name, "gpu") && k < gpus->count &&
                                     gpus->first + k < shards->n_gpus;
                                k++) {
                        const uint32_t *begin = &shards->shards[gpus->first + k];
                        if (!shards->side)
                                shards->side = xnew0(uint8_t, shards->count);
                        memset(&shards->side[begin[0]], gpus->side[k], begin[1] - begin[0]);
                }
        }
}

/* Cores near a unit, from gres.conf, else as detected; NULL: unknown.  The caller frees *made. */
static const struct bitset *near_unit(const struct node *n, const struct node_gres *g,
                const struct gres_device *d, uint64_t unit, struct bitset **made) {
        uint64_t gpu = g->first + unit;

        if (d->near && d->near[unit])
                return d->near[unit];
        if (!streq(g->name, "gpu") || gpu >= n->n_gpu_cores || !*n->gpu_cores[gpu] ||
                        n->n_sides > GRES_NEAR_MAX)
                return NULL;
        *made = bitset_new(n->units);
        return bitset_parse(*made, n->gpu_cores[gpu]) < 0 ? NULL : *made;
}

void gres_configure_sides(struct node *n, const struct config *config) {
        _cleanup_(gres_list_freep) struct gres_list *has = NULL;

        sides_free(n);
        for (size_t i = 0; i < n->n_gres; i++)
                free(TAKE(n->gres_items[i].side));
        if (!(config->gres_cores || n->n_gpu_cores || node_has_shards(n)) || !n->n_gres ||
                        gres_list_parse(n->gres, GRES_CONFIGURED, &has, NULL) < 0 || !has)
                return;
        struct gres_device *devices = config_gres_devices(config, n->name, has);
        (void)side_of(n, NULL);
        for (size_t i = 0; i < n->n_gres; i++)
                shards_configure(&n->gres_items[i], &devices[i]);
        for (size_t i = 0; i < n->n_gres; i++) {
                struct node_gres *g = &n->gres_items[i];
                if (!g->numbered || !(devices[i].near || (n->n_gpu_cores && streq(g->name, "gpu"))))
                        continue;
                g->side = xnew0(uint8_t, g->count);
                for (uint64_t k = 0; k < g->count; k++) {
                        _cleanup_(bitset_freep) struct bitset *made = NULL;
                        const struct bitset *near = near_unit(n, g, &devices[i], k, &made);
                        g->side[k] = near ? side_of(n, near) : 0;
                }
        }
        gres_devices_free(devices, n->n_gres);
        for (size_t i = 0; i < n->n_gres; i++)
                if (n->gres_items[i].shards)
                        configure_shard_sides(n, &n->gres_items[i]);
        char *text = gres_text_shown(n, has);
        if (n->n_sides == 1)
                sides_free(n);
        n->gres_shown = text;
        gres_recount(n);
}

void gres_forget_detected(struct node *n) {
        texts_free(TAKE(n->gpu_cores), n->n_gpu_cores);
        n->n_gpu_cores = 0;
}

bool gres_detected(struct node *n, const struct config *config, char *const *cores,
                size_t n_cores) {
        bool same = n_cores == n->n_gpu_cores;

        for (size_t i = 0; i < n_cores && same; i++)
                same = streq(cores[i], n->gpu_cores[i]);
        if (same || n_cores > GRES_UNITS_MAX)
                return false;
        gres_forget_detected(n);
        n->gpu_cores = xnew(char *, n_cores + 1);
        for (size_t i = 0; i < n_cores; i++)
                n->gpu_cores[n->n_gpu_cores++] = xstrdup(cores[i]);
        gres_configure_sides(n, config);
        return true;
}

static uint64_t left_when(const struct node *n, uint32_t item, const struct bitset *gone);

/* Returns the shares of j on n, *ret_n; none once j is done there. */
static const struct gres_share *gres_shares_held(const struct job *j, const struct node *n,
                size_t *ret_n) {
        const struct job_node *jn = j->placed.n_gres ? job_node_find(j, n) : NULL;

        *ret_n = 0;
        return jn && !jn->done ? gres_shares_of(j->placed.gres, j->placed.n_gres,
                                                 (uint32_t)(jn - j->placed.alloc), ret_n)
                               : NULL;
}

void gres_recount(struct node *n) {
        for (size_t i = 0; i < n->n_gres; i++)
                n->gres_items[i].used = 0;
        for (size_t i = 0; n->n_gres && i < n->n_jobs; i++) {
                size_t k;
                for (const struct gres_share *s = gres_shares_held(n->jobs[i], n, &k); k; k--, s++)
                        n->gres_items[s->item].used += s->count;
        }
        for (uint32_t i = 0; i < n->n_gres; i++)
                n->gres_items[i].left = left_when(n, i, NULL);
}

int gres_reported(const struct node *n, const uint64_t *found, struct fail *fail) {
        for (size_t i = 0; i < n->n_gres; i++)
                if (found[i] < n->gres_items[i].count)
                        return fail_set(fail, -EINVAL,
                                        "gres/%s%s%s count reported lower than configured (%llu < %llu)",
                                        n->gres_items[i].name, n->gres_items[i].type ? ":" : "",
                                        strempty(n->gres_items[i].type),
                                        (unsigned long long)found[i],
                                        (unsigned long long)n->gres_items[i].count);
        return 0;
}

uint64_t gres_used_sum(const struct node *n) {
        uint64_t sum = 0;

        for (size_t i = 0; i < n->n_gres; i++)
                sum += n->gres_items[i].used;
        return sum;
}

/* ---- requests of jobs ---- */

static struct gres_want *want_of(struct gres_wants **w, const struct gres_item *item) {
        for (size_t i = 0; *w && i < (*w)->n; i++)
                if (streq((*w)->list[i].name, item->name) &&
                                streq(strempty((*w)->list[i].type), strempty(item->type)))
                        return &(*w)->list[i];
        size_t n = *w ? (*w)->n : 0;
        *w = xrealloc_array(*w, 1, sizeof **w + (n + 1) * sizeof(*w)->list[0]);
        (*w)->n = n + 1;
        (*w)->list[n] = (struct gres_want){ .name = xstrdup(item->name),
                .type = xstrdup(item->type),
                .sharers = 1 };
        return &(*w)->list[n];
}

static int add_wants(struct gres_wants **w, const char *text, size_t field, struct fail *fail) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;
        int r = gres_list_parse(strempty(text), GRES_ASKED, &list, fail);

        for (size_t i = 0; r >= 0 && list && i < list->n; i++)
                *(uint64_t *)(void *)((char *)want_of(w, &list->list[i]) +
                                      field) = list->list[i].count;
        return r;
}

/* GPUs belong to no particular socket: the count per socket is multiplied by the sockets per
   node. */
static int add_per_socket(struct gres_wants **w, const struct job_spec *spec, struct fail *fail) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;
        int r = gres_list_parse(strempty(spec->tres_per_socket), GRES_ASKED, &list, fail);

        if (r >= 0 && list && !spec->sockets_per_node)
                return fail_set(fail, -EINVAL,
                                "--gpus-per-socket option requires --sockets-per-node specification");
        for (size_t i = 0; r >= 0 && list && i < list->n; i++)
                if (list->list[i].count > UINT64_MAX / 2 / spec->sockets_per_node)
                        return fail_set(fail, -ERANGE, "--gpus-per-socket: too many");
                else
                        want_of(w, &list->list[i])->per_node += list->list[i].count *
                                                                spec->sockets_per_node;
        return r;
}

static bool some_node_has(const struct cluster *c, const struct gres_want *w) {
        for (size_t i = 0; i < c->n_nodes; i++)
                if (gres_left(c->nodes[i], w, NULL, true))
                        return true;
        return false;
}

static int check_wants(const struct cluster *c, const struct gres_wants *w, struct fail *fail) {
        for (size_t i = 0; w && i < w->n; i++) {
                const struct gres_want *a = &w->list[i];
                if (!some_node_has(c, a))
                        return fail_set(fail, -EINVAL, "no node has gres/%s%s%s", a->name,
                                        a->type ? ":" : "", strempty(a->type));
                for (size_t k = 0; k < w->n; k++)
                        if (gres_wants_shards(a) && streq(w->list[k].name, "gpu"))
                                return fail_set(fail, -EINVAL,
                                                "gres/gpu and gres/%s are not given to one job",
                                                a->name);
                for (size_t k = 0; k < i; k++)
                        if (streq(w->list[k].name, a->name) && !a->type != !w->list[k].type)
                                return fail_set(fail, -EINVAL,
                                                "gres/%s is asked for with and without type identification",
                                                a->name);
        }
        return 0;
}

/* Numbers the wants of the whole job. */
static int number_kinds(struct gres_wants *w, struct fail *fail) {
        uint32_t n = 0;

        for (size_t i = 0; w && i < w->n; i++)
                if (w->list[i].per_job)
                        w->list[i].of_job = n++;
        if (n > GRES_KINDS_MAX)
                return fail_set(fail, -E2BIG, "more than %d types of --gpus", GRES_KINDS_MAX);
        return 0;
}

int gres_wants_parse(const struct cluster *c, const struct job *j, struct gres_wants **ret,
                struct fail *fail) {
        _cleanup_(gres_wants_freep) struct gres_wants *w = NULL;
        int r = add_wants(&w, j->asked.tres_per_node, offsetof(struct gres_want, per_node), fail);

        if (r >= 0)
                r = add_per_socket(&w, &j->asked, fail);
        if (r >= 0)
                r = add_wants(&w, j->asked.tres_per_task, offsetof(struct gres_want, per_task),
                                fail);
        if (r >= 0)
                r = add_wants(&w, j->asked.tres_per_job, offsetof(struct gres_want, per_job), fail);
        if (r >= 0)
                r = number_kinds(w, fail);
        if (r >= 0 && c)
                r = check_wants(c, w, fail);
        if (r < 0)
                return r;
        for (size_t i = 0; w && i < w->n; i++)
                if (w->list[i].per_task && streq(w->list[i].name, "gpu"))
                        w->list[i].sharers = MAX(1u, j->asked.ntasks_per_gpu);
        *ret = TAKE(w);
        return 0;
}

struct gres_wants *gres_wants_copy(const struct gres_wants *w) {
        if (!w)
                return NULL;
        struct gres_wants *to = xmalloc(sizeof *to + w->n * sizeof to->list[0]);
        to->n = w->n;
        for (size_t i = 0; i < w->n; i++) {
                to->list[i] = w->list[i];
                to->list[i].name = xstrdup(w->list[i].name);
                to->list[i].type = xstrdup(w->list[i].type);
        }
        return to;
}

struct gres_wants *gres_wants_free(struct gres_wants *w) {
        for (size_t i = 0; w && i < w->n; i++) {
                free(w->list[i].name);
                free(w->list[i].type);
        }
        free(w);
        return NULL;
}

uint64_t gres_of_tasks(const struct gres_want *w, uint64_t tasks) {
        return w->per_task * DIV_ROUND_UP(tasks, (uint64_t)w->sharers);
}

uint64_t gres_tasks_of(const struct gres_want *w, uint64_t count) {
        uint64_t groups = count / w->per_task;

        return groups > UINT32_MAX ? UINT32_MAX : groups * w->sharers;
}

static uint64_t gres_sum_gpus(const struct gres_wants *w, size_t field) {
        uint64_t sum = 0;

        for (size_t i = 0; w && i < w->n; i++)
                if (streq(w->list[i].name, "gpu"))
                        sum += *(const uint64_t *)(const void *)((const char *)&w->list[i] + field);
        return sum;
}

uint64_t gres_gpus_per_node(const struct gres_wants *w) {
        return gres_sum_gpus(w, offsetof(struct gres_want, per_node));
}

uint64_t gres_gpus_per_task(const struct gres_wants *w) {
        return gres_sum_gpus(w, offsetof(struct gres_want, per_task));
}

/* ---- units in use ---- */

const struct gres_share *gres_shares_of(const struct gres_share *shares, size_t n, uint32_t place,
                size_t *ret_n) {
        size_t first = FIRST_NOT(n, i, shares[i].place < place), end = first;

        while (end < n && shares[end].place == place)
                end++;
        *ret_n = end - first;
        return n ? &shares[first] : NULL;
}

static bool gres_want_fits(const struct node_gres *g, const struct gres_want *w) {
        return streq(g->name, w->name) && (!w->type || (g->type && streq(g->type, w->type)));
}

/* Returns the units of an item held by jobs on n except jobs in gone.  Adds the units to set, and
   to crossed the units blocked by shares of a different item; both have the item's size or are
   NULL. */
static uint64_t gres_units_held(const struct node *n, uint32_t item, const struct bitset *gone,
                struct bitset *set, struct bitset *crossed) {
        uint64_t count = 0;

        for (size_t i = 0; i < n->n_jobs; i++) {
                size_t k;
                if (gone && n->jobs[i]->placed.n_gres &&
                                bitset_has(gone, n->jobs[i]->listed.queue_at))
                        continue;
                for (const struct gres_share *s = gres_shares_held(n->jobs[i], n, &k); k; k--, s++)
                        if (s->item == item) {
                                count += s->count;
                                if (set && s->units)
                                        bitset_or(set, s->units);
                        } else if (crossed)
                                shards_add_crossed(n, item, s, crossed);
        }
        return count;
}

/* Number of units outside taken. */
static uint64_t gres_units_free(const struct bitset *taken, uint64_t count) {
        return count - MIN(count, (uint64_t)bitset_count(taken));
}

/* Units held by jobs except jobs in gone; ever: none. */
static struct bitset *gres_units_taken(const struct node *n, uint32_t item,
                const struct bitset *gone, bool ever) {
        struct bitset *taken = bitset_new(n->gres_items[item].count);

        if (!ever)
                (void)gres_units_held(n, item, gone, taken, taken);
        return taken;
}

static uint64_t left_when(const struct node *n, uint32_t item, const struct bitset *gone) {
        const struct node_gres *g = &n->gres_items[item];
        uint64_t used = gone ? gres_units_held(n, item, gone, NULL, NULL) : g->used;

        if (!g->shards && !(node_has_shards(n) && g->numbered && streq(g->name, "gpu")))
                return g->count > used ? g->count - used : 0;
        _cleanup_(bitset_freep) struct bitset *taken = gres_units_taken(n, item, gone, false);
        return g->shards ? shards_most(g, taken) : gres_units_free(taken, g->count);
}

static uint64_t gres_units_left(const struct node *n, uint32_t item, const struct bitset *gone,
                bool ever) {
        const struct node_gres *g = &n->gres_items[item];

        if (ever)
                return g->shards ? shards_most(g, NULL) : g->count;
        return gone ? left_when(n, item, gone) : g->left;
}

bool gres_wants_shards(const struct gres_want *w) {
        return gres_is_shard(w->name);
}

uint64_t gres_left(const struct node *n, const struct gres_want *w, const struct bitset *gone,
                bool ever) {
        uint64_t left = 0;

        for (uint32_t i = 0; i < n->n_gres; i++)
                if (gres_want_fits(&n->gres_items[i], w)) {
                        uint64_t more = gres_units_left(n, i, gone, ever);
                        left = gres_wants_shards(w) ? MAX(left, more) : left + more;
                }
        return left;
}

int64_t gres_sum_named(const struct node *n, const int64_t *counts, const char *name) {
        int64_t sum = 0;

        for (uint32_t i = 0; i < n->n_gres; i++)
                if (strcasecmp(n->gres_items[i].name, name) == 0)
                        sum += counts[i];
        return sum;
}

uint64_t gres_sum(const struct node *n, const int64_t *counts, const struct gres_want *w) {
        int64_t sum = 0;

        for (uint32_t i = 0; i < n->n_gres; i++)
                if (gres_want_fits(&n->gres_items[i], w))
                        sum += counts[i];
        return (uint64_t)MAX(MIN(sum, gres_sum_named(n, counts, w->name)), 0);
}

void gres_left_by_side(const struct node *n, const struct gres_want *w, const struct bitset *gone,
                bool ever, uint64_t left[GRES_SIDES_MAX]) {
        for (uint32_t i = 0; i < n->n_gres; i++) {
                const struct node_gres *g = &n->gres_items[i];
                if (!gres_want_fits(g, w))
                        continue;
                if (!g->side && !g->shards) {
                        left[0] += gres_units_left(n, i, gone, ever);
                        continue;
                }
                _cleanup_(bitset_freep) struct bitset *taken = gres_units_taken(n, i, gone, ever);
                if (g->shards) {
                        shards_most_by_side(g, taken, left);
                        continue;
                }
                for (size_t k = 0; k < g->count; k++)
                        left[g->side[k]] += !bitset_has(taken, k);
        }
}

/* Adds the units on all sides but the given sides. */
static void leave_sides(const struct node_gres *g, uint32_t sides, struct bitset *taken) {
        for (size_t i = 0; g->side && i < g->count; i++)
                if (!(sides >> g->side[i] & 1))
                        bitset_add(taken, i);
}

/* The share of item at place, which must be the last place in shares; NULL: none. */
static struct gres_share *gres_share_find(struct gres_share *shares, size_t n, uint32_t place,
                uint32_t item) {
        for (size_t i = n; i-- > 0 && shares[i].place == place;)
                if (shares[i].item == item)
                        return &shares[i];
        return NULL;
}

/* Returns up to count units outside taken, units free now first. */
static struct bitset *gres_pick_units(const struct node *n, uint32_t item,
                const struct bitset *taken, uint64_t count, bool ever) {
        const struct node_gres *g = &n->gres_items[item];
        _cleanup_(bitset_freep) struct bitset *first = g->shards ? gres_units_taken(n, item, NULL,
                                                                                   ever)
                                                                 : NULL;
        struct bitset *units = bitset_new(g->count);

        for (int others = !first; others <= 1; others++)
                for (size_t i = 0; count && i < g->count; i++)
                        if (!bitset_has(taken, i) && !bitset_has(units, i) &&
                                        (others || !bitset_has(first, i))) {
                                bitset_add(units, i);
                                count--;
                        }
        return units;
}

/* Gives up to count units of an item; for shards: all or none.  Returns the missing number. */
static uint64_t give_item(const struct node *n, uint32_t item, uint64_t count, uint32_t sides,
                uint32_t place, const struct bitset *gone, bool ever, struct gres_share **shares,
                size_t *n_shares) {
        const struct node_gres *g = &n->gres_items[item];
        _cleanup_(bitset_freep) struct bitset *taken = g->numbered ? bitset_new(g->count) : NULL;
        uint64_t used = ever ? 0 : gres_units_held(n, item, gone, taken, taken);

        struct gres_share *same = gres_share_find(*shares, *n_shares, place, item);
        if (same) {
                used += same->count;
                if (taken)
                        bitset_or(taken, same->units);
        }
        if (!g->side && !(sides & 1))
                return count;
        if (g->side)
                leave_sides(g, sides, taken);
        if (g->shards)
                shards_leave_one_gpu(g, count, same ? same->units : NULL, taken);
        uint64_t takes = MIN(count, taken             ? gres_units_free(taken, g->count)
                                    : g->count > used ? g->count - used
                                                      : 0);
        if (takes == 0)
                return count;
        struct gres_share s = { place, item, takes,
                taken ? gres_pick_units(n, item, taken, takes, ever) : NULL };
        if (same) { /* extends the share already made for the place */
                same->count += takes;
                if (taken)
                        bitset_or(same->units, s.units);
                bitset_free(s.units);
                return count - takes;
        }
        *shares = xrenew(*shares, *n_shares + 1);
        (*shares)[(*n_shares)++] = s;
        return count - takes;
}

uint64_t gres_give(const struct node *n, const struct gres_want *w, uint64_t count, uint32_t sides,
                uint32_t place, const struct bitset *gone, bool ever, struct gres_share **shares,
                size_t *n_shares) {
        for (uint32_t i = 0; count && i < n->n_gres; i++)
                if (gres_want_fits(&n->gres_items[i], w))
                        count = give_item(n, i, count, sides, place, gone, ever, shares, n_shares);
        return count;
}

/* Adds the units near the shares of a name to set; *sides: the sides of these shares. */
static void add_near(const struct node *n, const char *name, const struct gres_share *shares,
                size_t n_shares, struct bitset *set, uint32_t *sides) {
        for (size_t i = 0; i < n_shares; i++) {
                const struct node_gres *g = shares[i].item < n->n_gres
                                                            ? &n->gres_items[shares[i].item]
                                                            : NULL;
                if (!g || !streq(g->name, name))
                        continue;
                if (!g->side)
                        *sides |= 1;
                else if (shares[i].units)
                        bitset_for_each(k, shares[i].units)
                                *sides |= 1u << g->side[k];
        }
        for (uint32_t i = 0; i < n->n_sides; i++)
                if (*sides >> i & 1)
                        bitset_or(set, n->sides[i]);
}

struct bitset *gres_near(const struct node *n, const struct gres_share *shares, size_t n_shares,
                uint32_t *ret_sides) {
        struct bitset *near = NULL;

        *ret_sides = 0;
        for (size_t i = 0; i < n_shares && n->n_sides; i++) {
                _cleanup_(bitset_freep) struct bitset *set = bitset_new(n->units);
                uint32_t sides = 0;
                if (shares[i].item < n->n_gres)
                        add_near(n, n->gres_items[shares[i].item].name, shares, n_shares, set,
                                        &sides);
                if (sides == 0 || sides & 1)
                        continue;
                *ret_sides |= sides;
                if (near)
                        bitset_and(near, set);
                else
                        near = TAKE(set);
        }
        return near;
}

/* True if two jobs cannot hold both shares. */
static bool are_at_odds(const struct node *n, const struct gres_share *a,
                const struct gres_share *b) {
        if (a->item != b->item)
                return shards_cross(n, a, b);
        return !a->units || !b->units || bitset_overlaps(a->units, b->units);
}

bool gres_overlap(const struct job *v, const struct node *n, const struct gres_share *shares,
                size_t n_shares) {
        const struct job_node *vn = v->placed.n_gres ? job_node_find(v, n) : NULL;
        size_t k = 0;
        const struct gres_share *s = vn ? gres_shares_of(v->placed.gres, v->placed.n_gres,
                                                          (uint32_t)(vn - v->placed.alloc), &k)
                                        : NULL;

        for (; k; k--, s++)
                for (size_t i = 0; i < n_shares; i++)
                        if (are_at_odds(n, s, &shares[i]))
                                return true;
        return false;
}

void gres_give_all(const struct node *n, uint32_t place, const struct bitset *gone, bool ever,
                struct gres_share **shares, size_t *n_shares) {
        for (uint32_t i = 0; i < n->n_gres; i++) /* whole GPUs instead of their shards */
                if (!n->gres_items[i].shards)
                        (void)give_item(n, i, UINT64_MAX, GRES_ANY_SIDE, place, gone, ever, shares,
                                        n_shares);
}

void gres_shares_free(struct gres_share *shares, size_t n) {
        for (size_t i = 0; shares && i < n; i++)
                bitset_free(shares[i].units);
        free(shares);
}

/* ---- texts ---- */

/* Numbers of the units on the node. */
static char *units_text(const struct node_gres *g, const struct bitset *units) {
        _cleanup_(bitset_freep) struct bitset *set = bitset_new(g->first + g->count);

        bitset_for_each(i, units)
                bitset_add(set, g->first + i);
        return bitset_text(set);
}

/* shown: for display, with the number of shards of each GPU. */
static void gres_add_held(struct gres_list **list, const struct node_gres *g, uint64_t count,
                const struct bitset *units, bool shown) {
        bool known = units && units->bits == g->count, shards = g->shards && shown;

        gres_list_add(list, (struct gres_item){ .name = xstrdup(g->name),
                                            .type = xstrdup(g->type),
                                            .count = count,
                                            .units = known && !shards ? units_text(g, units) : NULL,
                                            .of_gpus = known && shards ? shards_text(g, units)
                                                                       : NULL });
}

static char *shares_text(const struct node *n, const struct gres_share *shares, size_t n_shares,
                bool shown) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;

        for (size_t i = 0; i < n_shares; i++)
                if (shares[i].item < n->n_gres) /* false: the node was reconfigured since */
                        gres_add_held(&list, &n->gres_items[shares[i].item], shares[i].count,
                                        shares[i].units, shown);
        return gres_list_text(list, "");
}

char *gres_shares_text(const struct node *n, const struct gres_share *shares, size_t n_shares) {
        return shares_text(n, shares, n_shares, false);
}

char *gres_shares_shown(const struct node *n, const struct gres_share *shares, size_t n_shares) {
        for (size_t i = 0; i < n_shares; i++)
                if (shares[i].item < n->n_gres && n->gres_items[shares[i].item].shards)
                        return shares_text(n, shares, n_shares, true);
        return NULL;
}

char *gres_used_text(const struct node *n) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;

        for (uint32_t i = 0; i < n->n_gres; i++) {
                const struct node_gres *g = &n->gres_items[i];
                _cleanup_(bitset_freep) struct bitset *units = g->numbered ? bitset_new(g->count)
                                                                           : NULL;
                (void)gres_units_held(n, i, NULL, units, NULL);
                gres_add_held(&list, g, g->used,
                                units && (g->shards || !bitset_empty(units)) ? units : NULL, true);
        }
        return gres_list_text(list, "");
}

static int item_of(const struct node *n, const struct gres_item *item) {
        for (size_t i = 0; i < n->n_gres; i++)
                if (streq(n->gres_items[i].name, item->name) &&
                                streq(strempty(n->gres_items[i].type), strempty(item->type)))
                        return (int)i;
        return -ENOENT;
}

static int parse_share(const struct node *n, const struct gres_item *item, struct gres_share *ret) {
        int at = item_of(n, item);
        const struct node_gres *g = at < 0 ? NULL : &n->gres_items[at];

        if (!g || item->count > g->count || (item->units != NULL) != g->numbered)
                return -EINVAL;
        *ret = (struct gres_share){ .item = (uint32_t)at, .count = item->count };
        if (!g->numbered)
                return 0;
        _cleanup_(bitset_freep) struct bitset *set = bitset_new(g->first + g->count);
        if (bitset_parse(set, item->units) < 0 || bitset_count(set) != item->count ||
                        bitset_next(set, 0) < g->first)
                return -EINVAL;
        ret->units = bitset_new(g->count);
        bitset_for_each(i, set)
                bitset_add(ret->units, i - g->first);
        return 0;
}

int gres_shares_parse(const struct node *n, const char *text, uint32_t place,
                struct gres_share **shares, size_t *n_shares, struct fail *fail) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;
        int r = gres_list_parse(text, GRES_HELD, &list, fail);

        for (size_t i = 0; r >= 0 && list && i < list->n; i++) {
                struct gres_share s;
                r = parse_share(n, &list->list[i], &s);
                if (r < 0)
                        return fail_set(fail, r, "gres %s, which node %s does not have", text,
                                        n->name);
                s.place = place;
                *shares = xrenew(*shares, *n_shares + 1);
                (*shares)[(*n_shares)++] = s;
        }
        return r;
}

/* Sums by name and type, or, with type NULL, by name. */
static void add_sum(struct gres_list **list, const char *name, const char *type, uint64_t count) {
        for (size_t i = 0; *list && i < (*list)->n; i++)
                if (streq((*list)->list[i].name, name) &&
                                streq(strempty((*list)->list[i].type), strempty(type))) {
                        (*list)->list[i].count += count;
                        return;
                }
        gres_list_add(list, (struct gres_item){ .name = xstrdup(name),
                                            .type = xstrdup(type),
                                            .count = count });
}

static int gres_item_by_name(const void *a, const void *b) {
        const struct gres_item *x = a, *y = b;

        return strcmp(x->name, y->name);
}

/* "gres/craynic=2,gres/gpu=4" */
static char *sums_text(struct gres_list *list) {
        char *text = xstrdup("");

        if (list)
                list_sort(list->list, list->n, sizeof list->list[0], gres_item_by_name);
        for (size_t i = 0; list && i < list->n; i++) {
                _cleanup_free_ char *before = text;
                text = xasprintf("%s%sgres/%s=%llu", before, i ? "," : "", list->list[i].name,
                                (unsigned long long)list->list[i].count);
        }
        return text;
}

char *gres_total_text(const struct job *j, bool tres) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;

        for (size_t i = 0; i < j->placed.n_gres; i++) {
                const struct node *n = j->placed.alloc[j->placed.gres[i].place].node;
                if (j->placed.gres[i].item < n->n_gres)
                        add_sum(&list, n->gres_items[j->placed.gres[i].item].name,
                                        tres ? NULL : n->gres_items[j->placed.gres[i].item].type,
                                        j->placed.gres[i].count);
        }
        return tres ? sums_text(list) : gres_list_text(list, "");
}

char *gres_asked_text(const struct gres_wants *w, uint64_t nodes, uint64_t tasks) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;

        for (size_t i = 0; w && i < w->n; i++) {
                const struct gres_want *a = &w->list[i];
                add_sum(&list, a->name, NULL,
                                a->per_job ? a->per_job
                                           : MAX(a->per_node * nodes, gres_of_tasks(a, tasks)));
        }
        return sums_text(list);
}

static void gres_add_node(struct gres_list **list, const struct node *n, bool used) {
        for (size_t k = 0; k < n->n_gres; k++)
                if (!used || n->gres_items[k].used)
                        add_sum(list, n->gres_items[k].name, NULL,
                                        used ? n->gres_items[k].used : n->gres_items[k].count);
}

char *gres_node_tres(const struct node *n, bool used) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;

        gres_add_node(&list, n, used);
        return sums_text(list);
}

char *gres_nodes_text(struct node *const *nodes, const struct bitset *set, bool used) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;

        bitset_for_each(i, set)
                gres_add_node(&list, nodes[i], used);
        return sums_text(list);
}
