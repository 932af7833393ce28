/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Placing one job.
 *
 * place_offers() walks the nodes in order of preference and makes offers; place_choose() takes the
 * first offers which are enough; place_settle() distributes the tasks and picks the units. The
 * cluster is not changed: the caller may start the job.
 *
 * Stages, each tried if the stage before fails:
 *
 *   placement_search()  layers narrow, then wide; free units, then shared units
 *   try_all()           --prefer, then --constraint
 *   try_alternatives()  the alternatives of "[a|b]"
 *   alternative_try()   preferred nodes, then cheaper nodes if a limit forbids the preferred nodes
 *   find_mixed()        equal parts of --gpus, then parts of different size
 *   find_evenly()       tasks anywhere, then no more tasks than the GPUs of a node allow
 *   placement_find()    one try */
#include "controller/sched/place/place_private.h"

#include "controller/accounts/bids.h"
#include "controller/accounts/limit_check.h"
#include "controller/indexes/node_sharing.h"
#include "controller/indexes/powered.h"
#include "controller/jobs/job_reboot.h"
#include "controller/model/feature.h"
#include "controller/model/sockets.h"
#include "controller/reservations/license.h"
#include "controller/reservations/reservation.h"

/* Delay before a job is tried again after a limit refused the job and the search was incomplete. */
#define LIMIT_RETRY (30 * USEC_PER_SEC)

bool place_wants_whole(const struct cluster *c, const struct job *j) {
        return cluster_whole_nodes(c) || job_share(j) == SHARE_NO ||
               j->partition->oversubscribe == OVERSUBSCRIBE_EXCLUSIVE;
}

/* Returns whether the socket of a unit matters. */
static bool minds_sockets(const struct job_spec *t) {
        return t->sockets_per_node || t->cores_per_socket || t->ntasks_per_socket ||
               t->one_core_per_socket;
}

static bool minds_gres(const struct cluster *c, const struct job *j) {
        const struct gres_wants *w = j->needs.gres_wants;

        for (size_t i = 0; w && i < w->n; i++)
                if (gres_wants_shards(&w->list[i]))
                        return true;
        for (size_t i = 0; w && i < c->n_nodes; i++)
                for (size_t k = 0; k < c->nodes[i]->n_gres; k++)
                        if (c->nodes[i]->gres_items[k].shards)
                                return true;
        return w && j->asked.gres_binding == GRES_BINDING_ENFORCED;
}

bool place_goes_by_numbers(const struct cluster *c, const struct job *j) {
        return !place_wants_whole(c, j) && !keeps_to_its_own(c, j) && alloc_rows(j) == 1 &&
               !job_has_spec(j) && !j->asked.reboot && !minds_sockets(&j->asked) &&
               !minds_gres(c, j);
}

bool place_heeds_switches(const struct cluster *c, const struct job *j) {
        return j->partition->topology && !j->asked.spread_job && !j->asked.contiguous &&
               (j->asked.switches || !c->config->topology_optional);
}

bool place_is_particular(const struct cluster *c, const struct job *j) {
        return j->asked.contiguous || gres_total_of(j->needs.gres_wants).n > 1 ||
               features_alternatives(j->needs.features) || features_counts(j->needs.features) ||
               (place_heeds_switches(c, j) &&
                               (j->partition->topology->tops > 1 || j->asked.switches));
}

/* Returns the maximum number of nodes by --nodes, the partition, and --gpus with a number per
   node. */
static uint32_t asked_nodes(const struct job *j) {
        const struct gres_wants *w = j->needs.gres_wants;
        uint64_t most = j->asked.max_nodes ? j->asked.max_nodes : UINT32_MAX;

        if (!limits_flag(j, QOS_PARTITION_MAX_NODES))
                most = MIN(most, (uint64_t)j->partition->max_nodes);
        for (size_t i = 0; w && i < w->n; i++)
                if (w->list[i].per_job && w->list[i].per_node)
                        most = MIN(most, w->list[i].per_job / w->list[i].per_node);
        return (uint32_t)most;
}

/* Returns the maximum number of nodes for a job with hierarchical resources and without a maximum
   of its own: no node without a task is added only for layers. */
static uint32_t nodes_for_layers(const struct job *j) {
        size_t named = j->needs.req_nodes ? bitset_count(j->needs.req_nodes) : 0;
        uint32_t least = MAX(j->asked.min_nodes, j->partition->min_nodes);

        least = MAX(least, features_nodes(j->needs.features));
        least = MAX(least, features_nodes(j->needs.prefer));
        return MAX(MAX(least, job_tasks(j)), (uint32_t)named);
}

uint32_t place_most_nodes(const struct job *j) {
        uint32_t most = asked_nodes(j);
        const struct gres_total total = gres_total_of(j->needs.gres_wants);

        if (total.n)
                return (uint32_t)MIN((uint64_t)most, gres_total_sum(&total));
        return j->needs.hres && !j->asked.max_nodes ? MIN(most, nodes_for_layers(j)) : most;
}

uint32_t place_fewest_nodes(const struct job *j, uint32_t tasks, const struct gres_parts *gres) {
        const struct job_spec *spec = &j->asked;
        const struct gres_total total = gres_total_of(j->needs.gres_wants);
        uint32_t nodes = MAX(1u, spec->max_nodes ? spec->min_nodes
                                                 : MAX(spec->min_nodes, j->partition->min_nodes));

        if (j->needs.req_nodes)
                nodes = MAX(nodes, (uint32_t)bitset_count(j->needs.req_nodes));
        nodes = MAX(nodes, features_nodes(j->needs.features));
        nodes = MAX(nodes, DIV_ROUND_UP(job_tasks(j), tasks));
        for (uint32_t k = 0; k < total.n && gres_parts_sum(gres); k++)
                nodes = gres->of[k] ? (uint32_t)MAX((uint64_t)nodes,
                                                      DIV_ROUND_UP(total.of[k], gres->of[k]))
                                    : UINT32_MAX;
        return nodes;
}

bool place_takes_more(const struct job *j) {
        return j->asked.spread_job ||
               (j->asked.max_nodes > j->asked.min_nodes && !j->asked.use_min_nodes);
}

/* Returns the number of nodes wanted: a range (-N2-4) is filled, but not beyond the number of
   tasks. */
static uint32_t wanted_nodes(const struct search *s) {
        const struct job_spec *spec = &s->j->asked;
        uint32_t asked = asked_nodes(s->j);

        if (spec->spread_job && (spec->tasks_set || spec->max_nodes <= s->min_nodes))
                return MAX(s->min_nodes, MIN(s->max_nodes, s->num_tasks));
        if (!spec->max_nodes || asked <= s->min_nodes || spec->use_min_nodes)
                return s->min_nodes;
        return MAX(s->min_nodes, MIN(asked, spec->tasks_set ? s->num_tasks : UINT32_MAX));
}

/* Returns the fewest CPUs of a node: all tasks' CPUs if the job has a single node. */
static uint32_t least_cpus(const struct search *s) {
        const struct job_spec *spec = &s->j->asked;
        uint64_t tasks = MAX(s->max_nodes == 1 ? s->num_tasks : 1, spec->ntasks_per_node);

        return (uint32_t)MIN(MAX(place_cpus_used(s, tasks), (uint64_t)s->j->needs.min_cpus_node),
                        UINT32_MAX);
}

void place_least(struct cluster *c, const struct job *j, const struct node *n, uint32_t tasks,
                struct place_need *ret) {
        struct search s = place_search(c, j, PLACE_EVER);

        tasks = MAX(tasks, j->asked.ntasks_per_node);
        uint64_t cpus = MAX(place_cpus_used(&s, tasks), (uint64_t)j->needs.min_cpus_node);

        *ret = (struct place_need){ .units = place_units_for(&s, n, NULL, tasks, least_cpus(&s)),
                .tasks = tasks };
        if (!(s.select & CR_MEMORY))
                return;
        if (j->needs.mem_per_node)
                ret->memory = j->needs.mem_per_node;
        else if (j->needs.mem_per_cpu)
                ret->memory = j->needs.mem_per_cpu *
                              job_memory_cpus(j, n, (uint32_t)MIN(cpus, (uint64_t)UINT32_MAX));
        else if (!j->needs.mem_per_gpu)
                ret->memory = PLACE_ALL_MEMORY;
}

/* ---- the search ---- */

/* Searches once, with the features and limits of s. */
static int placement_find(struct search *s, const struct bitset *usable, struct placement *ret) {
        const struct job *j = s->j;
        int r = s->max_nodes < s->min_nodes ? -ENOENT
                : j->needs.req_nodes        ? place_required(s, usable)
                                            : 0;

        if (r < 0)
                return r;
        if (s->when.room && j->needs.req_nodes &&
                        !bitset_contains(s->when.room->allowed, j->needs.req_nodes))
                return -EBUSY;
        _cleanup_(bitset_freep) struct bitset *set = bitset_copy(usable);
        bitset_and(set, j->partition->nodes);
        if (j->needs.exc_nodes)
                bitset_minus(set, j->needs.exc_nodes);
        if (bitset_count(set) < s->min_nodes)
                return -ENOENT;
        if (s->when.room)
                place_heed_layers(s, set);
        if (s->few)
                place_thin_out(s, set);
        if (s->mode == PLACE_FREE && !s->shares && !s->of.gone && !s->of.lent && s->whole &&
                        bitset_count_and(set, s->c->unused) < s->min_nodes)
                return -EBUSY; /* the common case, without looking at nodes */
        place_offers(s, set);
        size_t n = s->when.room ? place_choose_layers(s) : place_choose(s);
        if (n == 0)
                return -EBUSY;
        uint32_t switches = s->tree ? place_count_switches(s, n) : 0;
        r = place_settle(s, n, ret);
        if (r < 0)
                return r;
        ret->switches = switches;
        r = s->limits ? place_heed_limits(s, ret) : 0;
        if (r >= 0 && s->power != SIZE_MAX)
                r = place_heed_power(s, ret);
        if (r >= 0 && s->when.room)
                ret->layers = hres_charge(s->when.room, ret->nodes, licenses_name, s->c);
        return r;
}

static void forget_offers(struct search *s) {
        s->n_offers = 0;
        s->dealt = false;
        s->tasks = 0;
        s->gres = (struct gres_sums){ 0 };
        s->largest_do = false;
        for (size_t i = 0; i < ELEMENTSOF(s->largest); i++)
                s->largest[i] = (struct largest){ .of = s->largest[i].of,
                        .allocated = s->largest[i].allocated };
}

/* If the tasks need more GPUs than requested (-EDOM), searches again with no more tasks on a node
   than the node's part of the GPUs allows. */
static int find_evenly(struct search *s, const struct bitset *usable, struct placement *ret) {
        int r = placement_find(s, usable, ret);

        if (r != -EDOM)
                return r;
        struct place_memo *memo = TAKE(s->memo); /* not valid with evenly */
        s->evenly = true;
        forget_offers(s);
        r = placement_find(s, usable, ret);
        s->evenly = false;
        s->memo = memo;
        return r == -EDOM ? -EBUSY : r;
}

/* Searches again with parts of different size: a node giving GPUs of several sides beside nodes
   giving GPUs of one side. */
static int find_mixed(struct search *s, const struct bitset *usable, struct placement *ret) {
        int r = find_evenly(s, usable, ret);

        if (r != -EBUSY || !place_may_mix(s))
                return r;
        struct place_memo *memo = TAKE(s->memo);
        bool all = s->all;
        s->mixed = s->all = true;
        forget_offers(s);
        r = placement_find(s, usable, ret);
        s->mixed = false;
        s->all = all;
        s->memo = memo;
        return r;
}

/* Searches any nodes within all limits, with parts of --gpus of any size. */
static int find_within(struct search *s, const struct bitset *usable, struct placement *ret) {
        struct place_memo *memo = s->memo;

        s->mixed = place_may_mix(s);
        if (s->mixed)
                s->memo = NULL;
        int r = placement_find(s, usable, ret);
        s->mixed = false;
        s->memo = memo;
        return r;
}

/* Returns whether this stage can find other nodes. */
static bool may_be_lightest(const struct search *s, enum lightest how) {
        switch (how) {
        case LIGHTEST_CPUS:
                return true;
        case LIGHTEST_NAMED:
                return s->c->acct.tres.n && (s->j->needs.gres_wants || s->whole);
        case LIGHTEST_WITHIN:
                return place_may_be_within(s);
        case LIGHTEST_NOT:
        case LIGHTEST_MAX:
                break;
        }
        abort();
}

/* Tries cheaper nodes, if a limit forbids the preferred nodes. */
static int alternative_try(struct search *s, const struct bitset *usable, struct placement *ret) {
        const struct search before = *s;
        int r = find_mixed(s, usable, ret);

        if (r != -EDQUOT)
                return r;
        struct placement refused = *ret;
        s->all = true;
        s->want_nodes = s->min_nodes;
        s->unsure = false;
        for (s->lightest = LIGHTEST_CPUS; r < 0 && s->lightest < LIGHTEST_MAX; s->lightest++) {
                if (!may_be_lightest(s, s->lightest))
                        continue;
                forget_offers(s);
                r = s->lightest == LIGHTEST_WITHIN ? find_within(s, usable, ret)
                                                   : find_evenly(s, usable, ret);
                if (r == -EDQUOT)
                        refused = *ret;
        }
        s->lightest = LIGHTEST_NOT;
        s->all = before.all;
        s->want_nodes = before.want_nodes;
        if (r >= 0)
                return r;
        *ret = refused;
        if (s->unsure)
                ret->limit_again = MIN(ret->limit_again ? ret->limit_again : USEC_INFINITY,
                                s->when.from + LIMIT_RETRY);
        return -EDQUOT;
}

/* "[a|b]": tries each alternative. */
static int try_alternatives(struct search *s, const struct bitset *usable, struct placement *ret) {
        size_t n = MAX((size_t)1, features_alternatives(s->features));
        int r = -ENOENT;

        for (s->alternative = 0; s->alternative < n && r < 0; s->alternative++) {
                forget_offers(s);
                int now = alternative_try(s, usable, ret);
                if (now >= 0 || (now != -ENOENT && r != -EDQUOT))
                        r = now;
        }
        return r;
}

usec_t place_boots_from(const struct job *j, usec_t now) {
        const struct job *itself = job_itself(j);
        usec_t eligible = itself->waiting.eligible_time;

        if (!j->needs.features || !j->asked.delay_boot || itself->waiting.boot_delayed)
                return 0;
        return (eligible ? eligible : now) + j->asked.delay_boot;
}

struct search place_search(struct cluster *c, const struct job *j, enum place_mode mode) {
        const struct job_spec *spec = &j->asked;
        unsigned select = partition_select(c, j->partition);
        const struct topology *tree = place_heeds_switches(c, j) ? j->partition->topology : NULL;
        const struct gres_total total = gres_total_of(j->needs.gres_wants);

        return (struct search){
                .c = c,
                .j = j,
                .mode = mode,
                .features = j->needs.features,
                .tree = tree,
                .all = tree || spec->contiguous || spec->use_min_nodes ||
                       features_counts(j->needs.features) || total.n > 1,
                .may_reboot = j->needs.features && mode != PLACE_EVER && reboot_allowed_now(c, j),
                .select = select,
                .reserved = mode != PLACE_EVER,
                .lln = j->partition->lln || select & CR_LLN,
                .by_socket = place_by_socket(j, select),
                .whole = place_wants_whole(c, j),
                .total = total,
                .min_nodes = MAX(1u,
                                spec->max_nodes ? spec->min_nodes
                                                : MAX(spec->min_nodes, j->partition->min_nodes)),
                .max_nodes = place_most_nodes(j),
                .num_tasks = job_tasks(j),
                .cpus_per_task = MAX(1u, j->needs.cpus_per_task),
                .group = MAX(1u, spec->ntasks_per_gpu),
                .most_of_cpu = j->needs.mem_per_gpu && !j->needs.mem_per_node &&
                                                               !j->needs.mem_per_cpu
                                               ? partition_max_mem_per_cpu(c, j->partition)
                                               : 0,
                .power = SIZE_MAX,
        };
}

void place_search_done(struct search *s) {
        for (size_t i = 0; i < ELEMENTSOF(s->largest); i++)
                free(s->largest[i].of);
        free(s->offers);
        bitset_free(s->blocked);
        resv_kept_free(s->kept);
        place_answers_free(s->answers);
}

/* Tries --prefer, then --constraint. */
static int try_all(struct search *s, const struct bitset *usable, struct placement *ret) {
        const struct job *j = s->j;
        int r = -ENOENT;

        if (j->needs.prefer && s->mode != PLACE_EVER) {
                struct search preferred = *s;

                preferred.features = j->needs.prefer;
                preferred.may_reboot = false;
                preferred.all |= features_counts(j->needs.prefer) > 0;
                preferred.min_nodes = MAX(s->min_nodes, features_nodes(j->needs.prefer));
                preferred.offers = NULL;
                preferred.blocked = NULL;
                preferred.kept = NULL;
                preferred.answers = NULL;
                memset(preferred.largest, 0, sizeof preferred.largest);
                preferred.n_offers = preferred.a_offers = 0;
                r = try_alternatives(&preferred, usable, ret);
                if (r >= 0)
                        ret->preferred = true;
                place_search_done(&preferred);
        }
        if (r < 0) {
                s->min_nodes = MAX(s->min_nodes, features_nodes(j->needs.features));
                r = try_alternatives(s, usable, ret);
        }
        return r;
}

/* Returns whether max_powered_nodes would allow j if all nodes allowed to sleep were asleep. Then j
   waits for power, and later jobs wait for j. */
static bool awaits_power(struct search *s, const struct bitset *usable) {
        _cleanup_(bitset_freep) struct bitset *sleepless = powered_for_good(s->c);
        const size_t most = s->c->config->max_powered_nodes;
        struct placement where = { 0 };

        s->sleepless = sleepless;
        s->power = most - MIN(bitset_count(sleepless), most);
        s->limits = false;
        s->all = true;
        s->max_nodes = (uint32_t)MIN((size_t)s->max_nodes, powered_most(s->c, sleepless));
        s->want_nodes = s->min_nodes;
        bool could = s->min_nodes <= s->max_nodes && try_all(s, usable, &where) >= 0;
        placement_done(&where);
        return could;
}

/* Returns whether --delay-boot is over at this time. */
static bool boots_then(const struct cluster *c, const struct job *j, usec_t at) {
        usec_t from = place_boots_from(j, at);

        return from && at >= from && reboot_allowed(c, j);
}

static int placement_search(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, enum place_mode mode, const struct yield *base,
                const struct yield *of, bool limits, const struct supposed *then,
                struct place_memo *memo, struct placement *ret) {
        const struct bitset *powered = then ? then->powered : NULL;
        struct search s = place_search(c, j, mode);

        s.when = when;
        s.may_reboot |= j->needs.features && mode != PLACE_EVER && boots_then(c, j, when.from);
        s.base = *base;
        s.of = *of;
        s.stops = of != base;
        s.memo = memo;
        s.limits = limits && c->config->enforce & ENFORCE_LIMITS;
        s.without = then ? then->limits : NULL;
        s.sleepless = powered;
        if (powered)
                s.power = c->config->max_powered_nodes -
                          MIN(bitset_count(powered), (size_t)c->config->max_powered_nodes);
        else
                s.power = limits ? powered_room(c) : SIZE_MAX;
        s.shares = s.stops && alloc_rows(j) > 1;
        if (j->needs.req_nodes)
                s.min_nodes = MAX(s.min_nodes, (uint32_t)bitset_count(j->needs.req_nodes));
        s.want_nodes = wanted_nodes(&s);
        s.least_cpus = least_cpus(&s);
        s.narrow = when.room;
        s.few = s.counted = when.room && hres_is_counted(when.room);
        int r = try_all(&s, usable, ret);
        if (r < 0 && s.few) { /* the nodes may be in use, or too small */
                s.few = false;
                s.all = true;
                r = try_all(&s, usable, ret);
        }
        if (r < 0 && s.narrow && place_may_widen(&s, usable)) {
                s.narrow = false;
                s.all = true;
                r = try_all(&s, usable, ret);
        }
        /* Idle units first, then units of other jobs. */
        if ((r == -EBUSY || r == -EDQUOT) && mode == PLACE_FREE && !s.shares && alloc_rows(j) > 1) {
                s.shares = true;
                int shared = try_all(&s, usable, ret);
                r = r == -EDQUOT && shared < 0 ? r : shared;
        }
        if (r == -EDQUOT && ret->limit == REASON_MAX_POWERED_NODES)
                ret->awaits_power = awaits_power(&s, usable);
        place_search_done(&s);
        return r;
}

int place(struct cluster *c, const struct job *j, const struct bitset *usable, struct period when,
                enum place_mode mode, struct placement *ret) {
        static const struct yield no_victims;

        return placement_search(c, j, usable, when, mode, &no_victims, &no_victims,
                        mode == PLACE_FREE, NULL, NULL, ret);
}

int place_after(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, const struct bitset *gone, struct placement *ret) {
        const struct yield base = { .gone = gone };

        return placement_search(c, j, usable, when, PLACE_FREE, &base, &base, false, NULL, NULL,
                        ret);
}

int place_then(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, const struct supposed *then, struct placement *ret) {
        const struct yield base = { .gone = then->gone };

        return placement_search(c, j, usable, when, PLACE_FREE, &base, &base, true, then, NULL,
                        ret);
}

int place_instead(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, const struct yield *base, const struct yield *of,
                struct place_memo *memo, struct placement *ret) {
        return placement_search(c, j, usable, when, PLACE_FREE, base, of, true, NULL, memo, ret);
}

void placement_done(struct placement *p) {
        bitset_free(TAKE(p->nodes));
        bitset_free(TAKE(p->units));
        gres_shares_free(TAKE(p->gres), p->n_gres);
        free(TAKE(p->alloc));
        free(TAKE(p->victims));
        countlist_free(TAKE(p->layers));
}
