/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits of QOS and associations count the allocated resources: whole nodes and whole cores,
 * possibly more than requested. Therefore the limits depend on the nodes, and checking limits is
 * part of the search. A job refused by a limit is refused on all possible nodes: only freed
 * resources can change the result, not nodes used by other jobs or powered down.
 *
 * The preferred nodes are tried first. If a limit forbids these nodes, the cheapest nodes are
 * tried: the fewest CPUs, then the least of the resources in AccountingStorageTRES. If another
 * limit forbids these nodes too, all nodes within all limits are searched (place_within.c). If the
 * combination of nodes matters (neighbours, counts of features, fabrics) only the cheapest nodes
 * are tried. */
#include "controller/sched/place/place_private.h"

#include "controller/accounts/limit_check.h"
#include "controller/model/tres.h"

struct tres_holding place_holding(const struct job *j, const struct placement *p) {
        return (struct tres_holding){ .partition = j->partition,
                .alloc = p->alloc,
                .n_alloc = p->n_alloc,
                .num_cpus = p->num_cpus,
                .gres = p->gres,
                .n_gres = p->n_gres,
                .licenses = j->needs.licenses,
                .hres = j->needs.hres,
                .license = p->license };
}

enum job_reason place_limit(const struct cluster *c, const struct job *j,
                const struct placement *where, usec_t now, usec_t *ret_again) {
        const struct tres_holding h = place_holding(j, where);

        return limits_wait_reason(c, j, &h, NULL, now, ret_again);
}

/* Counts all resources of whole nodes, including resources kept by a suspended job: otherwise the
   job would be within a limit once other jobs hold some of the resources. */
static void add_all_gres(const struct placement *p, struct tres_holding *h,
                struct gres_share **ret) {
        size_t n = 0;

        for (size_t i = 0; i < p->n_alloc; i++)
                gres_give_all(p->alloc[i].node, (uint32_t)i, NULL, true, ret, &n);
        h->gres = *ret;
        h->n_gres = n;
}

/* Returns the holding of the job at p. *all: generic resources of whole nodes, or NULL; the caller
   frees. */
static struct tres_holding search_holding(const struct search *s, const struct placement *p,
                struct gres_share **all) {
        struct tres_holding h = place_holding(s->j, p);

        if (h.licenses && h.licenses->any) /* the license is chosen later */
                h.licenses = NULL;
        *all = NULL;
        if (s->c->acct.tres.n && place_takes_all_gres(s))
                add_all_gres(p, &h, all);
        return h;
}

int place_heed_limits(const struct search *s, struct placement *p) {
        struct gres_share *all;
        const struct tres_holding h = search_holding(s, p, &all);
        usec_t again = USEC_INFINITY;

        enum job_reason why = limits_wait_reason(s->c, s->j, &h, s->without, s->when.from, &again);
        gres_shares_free(all, all ? h.n_gres : 0);
        if (why == REASON_NONE)
                return 0;
        placement_done(p);
        *p = (struct placement){ .limit = why, .limit_again = again == USEC_INFINITY ? 0 : again };
        return -EDQUOT;
}

void place_held(const struct search *s, const struct placement *p, struct tres_set *ret,
                struct tres_set *ret_node) {
        struct gres_share *all;
        const struct tres_holding h = search_holding(s, p, &all);

        tres_held(s->c, &h, ret, ret_node);
        gres_shares_free(all, all ? h.n_gres : 0);
}

int place_heed_license_limits(const struct cluster *c, const struct job *j, usec_t now,
                place_license_free *is_free, void *user, struct placement *p) {
        enum job_reason why = REASON_NONE;
        usec_t again = USEC_INFINITY;
        size_t first = p->license;

        if (!j->needs.licenses || !j->needs.licenses->any)
                return 0;
        for (size_t i = first; i < j->needs.licenses->n; i++) {
                if (i > first && !is_free(j, i, user))
                        continue;
                p->license = i;
                enum job_reason over = place_limit(c, j, p, now, &again);
                if (over == REASON_NONE)
                        return 0;
                why = why == REASON_NONE ? over : why;
        }
        p->license = first;
        p->limit = why;
        p->limit_again = again == USEC_INFINITY ? 0 : again;
        return -EDQUOT;
}

/* ---- power ---- */

bool place_must_be_woken(const struct search *s, const struct node *n) {
        if (s->sleepless)
                return !bitset_has(s->sleepless, n->index);
        return node_lacks_power(n) && !bitset_has(s->c->to_resume, n->index);
}

int place_heed_power(const struct search *s, struct placement *p) {
        size_t more = 0;

        for (size_t i = 0; i < p->n_alloc; i++)
                more += place_must_be_woken(s, p->alloc[i].node);
        if (more <= s->power)
                return 0;
        placement_done(p);
        *p = (struct placement){ .limit = REASON_MAX_POWERED_NODES };
        return -EDQUOT;
}

/* Drops the unpowered offers beyond the allowed number, the last first. */
static void drop_unpowered(struct search *s) {
        size_t kept = 0, more = 0;

        for (size_t i = 0; i < s->n_offers; i++) {
                bool woken = place_must_be_woken(s, s->offers[i].node);
                more += woken;
                if (!woken || more <= s->power || s->offers[i].required)
                        s->offers[kept++] = s->offers[i];
        }
        s->n_offers = kept;
}

/* ---- the cheapest nodes ---- */

static int by_charge(const void *a, const void *b) {
        const struct offer *x = a, *y = b;

        if (x->required != y->required)
                return x->required ? -1 : 1;
        for (size_t i = 0; i < ELEMENTSOF(x->charge); i++)
                if (x->charge[i] != y->charge[i])
                        return x->charge[i] < y->charge[i] ? -1 : 1;
        return x->at < y->at ? -1 : x->at > y->at;
}

/* Returns the units on o named by AccountingStorageTRES; typed: only units named with a type (GPUs
   of one type, if the job asks for any type). */
static uint64_t named_on(struct search *s, const struct offer *o, uint32_t tasks,
                const struct gres_parts *gres, bool typed) {
        const struct tres_names *names = &s->c->acct.tres;
        struct offer one = *o;
        struct placement p = { 0 };
        struct tres_set set;
        uint64_t sum = 0;

        one.given = tasks;
        one.dealt = *gres;
        if (place_takes_all_gres(s))
                gres_give_all(o->node, 0, NULL, true, &p.gres, &p.n_gres);
        else
                (void)place_give_gres(s, &p, &one, 0);
        const struct job_node alloc = { .node = o->node };
        const struct tres_holding h = {
                .partition = s->j->partition,
                .alloc = &alloc,
                .n_alloc = 1,
                .gres = p.gres,
                .n_gres = p.n_gres,
        };
        tres_held(s->c, &h, &set, NULL);
        for (size_t t = 0; t < names->n; t++)
                sum += typed && !names->list[t].type ? 0 : set.of[TRES_NAMED + t];
        gres_shares_free(p.gres, p.n_gres);
        return sum;
}

/* Notes the tasks, or units of --gpus, as cheap as the first; o gets these before other offers get
   more. */
static void note_light(struct search *s, struct offer *o, uint32_t first) {
        bool gres = s->total.n;
        uint32_t low = gres ? 1 : first, high = gres ? gres_parts_largest(&o->gres) : o->tasks;
        struct gres_parts some = gres_parts_upto(&o->gres, 1);
        uint64_t least = named_on(s, o, first, &some, true);

        while (low < high) {
                uint32_t middle = low + (high - low + 1) / 2;
                some = gres_parts_upto(&o->gres, middle);
                if (named_on(s, o, gres ? first : middle, &some, true) <= least)
                        low = middle;
                else
                        high = middle - 1;
        }
        o->light = gres ? o->tasks : low;
        o->light_gres = gres_parts_upto(&o->gres, low);
}

/* Returns the part of each node if all nodes were equal. */
static uint64_t share_of(const struct search *s) {
        return DIV_ROUND_UP(s->total.n ? gres_total_sum(&s->total) : s->num_tasks,
                        (uint64_t)s->want_nodes);
}

void place_lightest_first(struct search *s) {
        uint32_t tasks = MAX(1u, s->j->asked.ntasks_per_node);
        bool named = s->lightest == LIGHTEST_NAMED;

        for (size_t i = 0; i < s->n_offers; i++) {
                struct offer *o = &s->offers[i];
                const struct node *n = o->node;
                const struct gres_parts one = gres_parts_upto(&o->gres, 1);
                o->at = i;
                o->charge[0] = named ? named_on(s, o, tasks, &one, false) : 0;
                if (named)
                        note_light(s, o, tasks);
                o->charge[1] = named ? UINT64_MAX - MIN(s->total.n ? gres_parts_sum(&o->light_gres)
                                                                   : o->light,
                                                                    share_of(s))
                                     : 0;
                o->charge[2] = place_charge(s, n, tasks,
                                s->whole ? job_units_on(s->j, n)
                                         : place_units_for(s, n, NULL, tasks, 0),
                                0);
                o->charge[3] = s->j->needs.mem_per_node || s->j->needs.mem_per_cpu
                                               ? 0
                                               : node_job_memory(n);
        }
        list_sort(s->offers, s->n_offers, sizeof s->offers[0], by_charge);
        if (s->power != SIZE_MAX)
                drop_unpowered(s);
}

bool place_is_named(const struct search *s, const char *name, const char *type) {
        const struct tres_names *names = &s->c->acct.tres;

        for (size_t i = 0; i < names->n && type; i++)
                if (!names->list[i].license && names->list[i].type &&
                                strcasecmp(names->list[i].name, name) == 0 &&
                                strcasecmp(names->list[i].type, type) == 0)
                        return true;
        return false;
}

/* Minimizes the maximum cost of a node, then the number of nodes, within the allowed number of
   nodes. */
size_t place_choose_lightest(struct search *s) {
        const struct size_order *size;
        size_t most = MIN((size_t)s->max_nodes, s->n_offers), high = place_fewest_first(s, &size);
        struct gres_sums gres = { 0 };
        uint64_t tasks = 0;

        if (high == 0)
                return 0;
        list_sort(&s->offers[most], high - most, sizeof s->offers[0], size->smallest);
        for (size_t i = 0; i < most; i++) {
                tasks += s->offers[i].tasks;
                gres_sums_add(&gres, &s->offers[i].gres);
        }
        for (size_t heavy = 1;
                        heavy <= most && !s->offers[most - heavy].required && high - heavy >= most;
                        heavy++) {
                struct offer *light = &s->offers[most - heavy];
                tasks += s->offers[high - heavy].tasks - (uint64_t)light->tasks;
                gres_sums_add(&gres, &s->offers[high - heavy].gres);
                gres_sums_minus(&gres, &light->gres);
                const struct offer o = *light;
                *light = s->offers[high - heavy];
                s->offers[high - heavy] = o;
                if (tasks >= s->num_tasks && gres_sums_do(&gres, &s->total))
                        return most;
        }
        list_sort(s->offers, high, sizeof s->offers[0], size->largest);
        return most;
}
