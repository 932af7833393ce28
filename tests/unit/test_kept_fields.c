/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each member of a job, a node and a step has a row in model/kept_fields.h; it is filled by its
 * offset, and looked for in everything that is made of the rows. */
#include "tests/unit/test.h"
#include "tests/unit/testcluster.h"

#include "controller/ended/ended.h"
#include "controller/indexes/array.h"
#include "controller/indexes/queue.h"
#include "controller/jobs/dependency.h"
#include "controller/jobs/job_events.h"
#include "controller/model/het.h"
#include "controller/model/kept_fields.h"
#include "controller/orders/clock.h"
#include "controller/preempt/request.h"
#include "controller/records/record.h"

#define T0 (1790000000 * USEC_PER_SEC)
#define CONF                                                                                       \
        "ClusterName=c\nSlurmctldHost=h\nSlurmUser=0\nGresTypes=gpu\nLicenses=m:9\n"               \
        "NodeName=n[1-2] CPUs=4 RealMemory=1000 Gres=gpu:2 Feature=a,b\n"                          \
        "PartitionName=p Nodes=ALL Default=YES\n"

enum kind { IS_VALUE, IS_TIME, IS_TIME_APART, IS_TEXT, IS_REF, IS_OTHER };
enum word {
        SAYS_SAME,
        SAYS_STORED,
        SAYS_TOLD,
        SAYS_APART,
        SAYS_MADE,
        SAYS_CONFIG,
        SAYS_AGENT,
        SAYS_LOST,
        SAYS_OWN,
        SAYS_KEYED,
        SAYS_NO,
};

struct member {
        const char *name;
        size_t offset, size;
        enum kind kind;
        enum word kept, last; /* task or alike */
        enum word accounts, key;
};
#define MEMBER(type, kind, member, name, kept, last, accounts, key)                                \
        { #name, offsetof(type, member), sizeof((type){ 0 }.member), IS_##kind, SAYS_##kept,       \
                SAYS_##last, SAYS_##accounts, SAYS_##key },
#define NODE_MEMBER(type, kind, member, name, kept, alike)                                         \
        MEMBER(type, kind, member, name, kept, alike, NO, NO)
#define PART_MEMBER(type, kind, member, name, kept)                                                \
        MEMBER(type, kind, member, name, kept, NO, NO, NO)

static const struct member job_members[] = { JOB_MEMBERS(MEMBER, struct job) };
static const struct member node_members[] = { NODE_MEMBERS(NODE_MEMBER, struct node) };
static const struct member job_node_members[] = { JOB_NODE_MEMBERS(PART_MEMBER, struct job_node) };
static const struct member step_members[] = { STEP_MEMBERS(PART_MEMBER, struct step) };
static const struct member hardware_members[] = { HARDWARE_MEMBERS(PART_MEMBER,
                struct node_hardware) };
static const struct member energy_members[] = { ENERGY_MEMBERS(PART_MEMBER, struct energy) };

static const struct list {
        const char *of;
        const struct member *members;
        size_t n;
} jobs = { "job", job_members, ELEMENTSOF(job_members) },
  nodes = { "node", node_members, ELEMENTSOF(node_members) },
  parts = { "job_node", job_node_members, ELEMENTSOF(job_node_members) },
  steps = { "step", step_members, ELEMENTSOF(step_members) },
  hardware = { "node_hardware", hardware_members, ELEMENTSOF(hardware_members) },
  energies = { "energy", energy_members, ELEMENTSOF(energy_members) };

#define for_each_member(m, list)                                                                   \
        for (const struct member *m = (list)->members; m < (list)->members + (list)->n; m++)

static void *at(const struct member *m, const void *object) {
        return (char *)(uintptr_t)object + m->offset;
}

static bool is_number(const struct member *m) {
        return m->kind == IS_VALUE || m->kind == IS_TIME || m->kind == IS_TIME_APART;
}

static bool is_zero(const struct member *m, const void *object) {
        static const char zeros[4096];

        assert_true(m->size <= sizeof zeros);
        return memcmp(at(m, object), zeros, m->size) == 0;
}

static bool is_same(const struct member *m, const void *a, const void *b) {
        return memcmp(at(m, a), at(m, b), m->size) == 0;
}

static void fill(const struct member *m, void *object) {
        if (m->kind == IS_TEXT)
                *(char **)at(m, object) = xstrdup(m->name);
        else if (m->kind == IS_VALUE)
                memset(at(m, object), 1, 1); /* the least byte: true or 1 */
        else
                *(usec_t *)at(m, object) = T0 - USEC_PER_SEC * (1 + m->offset);
}

/* Those whose rows say so, in the record or in the last column. */
static void fill_kept(const struct list *l, void *object) {
        for_each_member(m, l)
                if ((is_number(m) || m->kind == IS_TEXT) && m->kept <= SAYS_STORED &&
                                is_zero(m, object))
                        fill(m, object);
}

/* ---- each member has a row ---- */

/* Where the compiler does not tell what is padding, so many bytes in a row may be some. */
#define PADDING               7
#define clear_padding(object) (void)(object)
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
#undef PADDING
#undef clear_padding
#define PADDING               0
#define clear_padding(object) __builtin_clear_padding(object)
#endif
#endif

/* image: of the struct, with zeros where it has padding. */
static void look_for_unclaimed(const struct list *l, const uint8_t *image, size_t size) {
        _cleanup_free_ uint8_t *claims = xmalloc(size);
        const char *before = "its begin";
        size_t unclaimed = 0;

        memset(claims, 0, size);
        for_each_member(m, l)
                for (size_t i = m->offset; i < m->offset + m->size; i++)
                        if (claims[i]++)
                                fail_msg("%s of struct %s has two rows", m->name, l->of);
        for (size_t i = 0; i < size; i++) {
                for_each_member(m, l)
                        if (m->offset == i)
                                before = m->name;
                unclaimed = image[i] && !claims[i] ? unclaimed + 1 : 0;
                if (unclaimed > PADDING)
                        fail_msg("a member of struct %s behind %s has no row in kept_fields.h",
                                        l->of, before);
        }
}

#define LOOK(type, list)                                                                           \
        do {                                                                                       \
                type image;                                                                        \
                memset(&image, 0xff, sizeof image);                                                \
                clear_padding(&image);                                                             \
                look_for_unclaimed(list, (const uint8_t *)&image, sizeof image);                   \
        } while (0)

static void each_member_has_a_row(void **state) {
        LOOK(struct job, &jobs);
        LOOK(struct job_node, &parts);
        LOOK(struct step, &steps);
        LOOK(struct node, &nodes);
        LOOK(struct node_hardware, &hardware);
        LOOK(struct energy, &energies);
}

/* ---- the clock ---- */

#define BY (3 * 3600 * (int64_t)USEC_PER_SEC)

static void fill_numbers(const struct list *l, void *object) {
        for_each_member(m, l)
                if (is_number(m) && m->size == sizeof(usec_t))
                        fill(m, object);
}

static void look_for_moves(const struct list *l, const void *before, const void *after) {
        for_each_member(m, l) {
                if (m->kind == IS_TIME_APART || m->kind == IS_OTHER)
                        continue;
                bool same = is_same(m, before, after);
                if (same == (m->kind == IS_TIME))
                        fail_msg("%s of struct %s is %smoved with the clock", m->name, l->of,
                                        same ? "not " : "");
                if (!same)
                        assert_true(*(usec_t *)at(m, after) ==
                                        *(usec_t *)at(m, before) + (usec_t)BY);
        }
}

static void points_in_time_move_with_the_clock(void **state) {
        struct job_node part = { 0 }, part_before;
        struct step step = { 0 }, step_before;
        struct job job = { 0 }, job_before;
        struct node node = { 0 }, node_before;

        fill_numbers(&jobs, &job);
        fill_numbers(&parts, &part);
        fill_numbers(&steps, &step);
        step.n_parts = 0;
        job.placed.alloc = &part;
        job.running.steps = &step;
        job.placed.n_alloc = job.running.n_steps = 1;
        job_before = job;
        part_before = part;
        step_before = step;
        job_clock_set(&job, BY);
        look_for_moves(&jobs, &job_before, &job);
        look_for_moves(&parts, &part_before, &part);
        look_for_moves(&steps, &step_before, &step);
        assert_true(job.waiting.eligible_time == job_before.waiting.eligible_time + (usec_t)BY);
        fill_numbers(&nodes, &node);
        fill_numbers(&energies, &node.energy);
        node.n_strays = 0;
        node_before = node;
        node_clock_set(&node, BY);
        look_for_moves(&nodes, &node_before, &node);
        look_for_moves(&energies, &node_before.energy, &node.energy);
}

/* ---- a task of an array ---- */

static char *borrowed(const char *text) {
        return (char *)(uintptr_t)text;
}

static struct job *job_of(struct cluster *c, uint32_t id) {
        struct job_spec spec = { .features = borrowed("a"),
                .prefer = borrowed("b"),
                .licenses = borrowed("m:1"),
                .tres_per_node = borrowed("gres/gpu:1"),
                .array = borrowed("0-3"),
                .batch = true,
                .batch_features = borrowed("b"),
                .num_tasks = 1,
                .cpus_per_task = 1 };
        struct job *j = xnew0(struct job, 1);

        job_spec_copy(&j->asked, &spec);
        j->id = id;
        j->partition = c->partitions[0];
        return j;
}

/* What follows from what it asks for, and what it waits for. */
static void add_wishes(struct cluster *c, struct job *j) {
        job_parse_features(j);
        j->needs.req_nodes = bitset_new(c->n_nodes);
        j->needs.exc_nodes = bitset_new(c->n_nodes);
        assert_int_equal(countlist_parse(j->asked.licenses, true, &j->needs.licenses, NULL), 0);
        assert_int_equal(countlist_parse("flat:1", true, &j->needs.hres, NULL), 0);
        assert_int_equal(gres_wants_parse(NULL, j, &j->needs.gres_wants, NULL), 0);
        assert_int_equal(dependencies_parse("afterok:99(unfulfilled)", true, &j->waiting.depends,
                                         NULL),
                        0);
}

static struct job *add_rest(struct cluster *c, struct job *j) {
        struct bitset *tasks = bitset_new(4);

        bitset_add_range(tasks, 0, 4);
        cluster_job_insert(c, j);
        array_new(c, j, tasks, 0);
        cluster_queue_insert(c, j);
        return j;
}

/* prefer_alone: what it asks for is parsed otherwise then.  found: which of them were filled. */
static void look_for_copies(bool prefer_alone, bool *found) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(CONF, T0);
        static struct assoc assoc;
        static struct resv resv;
        static struct qos qos;
        struct job *rest = job_of(c, 7), *task;

        for_each_member(m, &jobs)
                if (m->last == SAYS_SAME && m->kind != IS_REF)
                        fill(m, rest);
        rest->needs.prefer_alone = prefer_alone;
        add_wishes(c, rest);
        add_rest(c, rest);
        rest->accounting.assoc = &assoc;
        rest->placed.resv = &resv;
        rest->accounting.qos = &qos;
        task = array_take(c, rest->array, 0);
        assert_ptr_not_equal(task, rest);
        for_each_member(m, &jobs) {
                if ((m->last != SAYS_SAME && m->last != SAYS_APART) || is_zero(m, rest))
                        continue;
                found[m - jobs.members] = true;
                bool has = m->kind == IS_TEXT      ? streq(strempty(*(char **)at(m, task)), m->name)
                           : m->last == SAYS_APART ? !is_zero(m, task)
                                                   : is_same(m, rest, task);
                if (!has)
                        fail_msg("a task of an array does not have %s", m->name);
        }
        rest->accounting.assoc = task->accounting.assoc = NULL;
        rest->placed.resv = task->placed.resv = NULL;
        rest->accounting.qos = task->accounting.qos = NULL;
}

static void a_task_has_what_its_array_has(void **state) {
        bool found[ELEMENTSOF(job_members)] = { false };

        look_for_copies(false, found);
        look_for_copies(true, found);
        for_each_member(m, &jobs)
                if ((m->last == SAYS_SAME || m->last == SAYS_APART) && !found[m - jobs.members])
                        fail_msg("%s is not filled by this test", m->name);
}

/* ---- records ---- */

/* found: which of them were filled. */
static void look_for_kept(const struct list *l, const void *was, const void *is, bool *found) {
        for_each_member(m, l) {
                bool by_hand = m->kept == SAYS_APART;
                if ((m->kept > SAYS_STORED && !by_hand) || is_zero(m, was))
                        continue;
                found[m - l->members] = true;
                bool has = m->kind == IS_TEXT ? streq(*(char **)at(m, was),
                                                                strempty(*(char **)at(m, is)))
                           : is_number(m)     ? is_same(m, was, is)
                                              : !is_zero(m, is);
                if (!has)
                        fail_msg("%s of struct %s is not restored", m->name, l->of);
        }
}

static void all_are_found(const struct list *l, const bool *found) {
        for_each_member(m, l)
                if ((m->kept <= SAYS_STORED || m->kept == SAYS_APART) && !found[m - l->members])
                        fail_msg("%s of struct %s is not filled by this test", m->name, l->of);
}

static struct job *again(const struct cluster *c, const struct job *j, struct cluster *to) {
        struct fail fail = { 0 };
        struct job_message m;

        job_message_init(&m, c, j, RECORD_STORE | RECORD_ALLOC | RECORD_STEPS, T0);
        size_t size = slumber__job__get_packed_size(&m.job);
        _cleanup_free_ uint8_t *data = xmalloc(size);
        slumber__job__pack(&m.job, data);
        job_message_done(&m);
        Slumber__Job *read = slumber__job__unpack(NULL, size, data);
        if (job_restore(to, read, T0, &fail) < 0)
                fail_msg("%s", fail.text);
        slumber__job__free_unpacked(read, NULL);
        return cluster_job(to, j->id);
}

static struct job *make_waiting(struct cluster *c) {
        struct job *j = job_of(c, 7);
        _cleanup_(bitset_freep) struct bitset *claim = bitset_new(c->n_nodes);

        add_wishes(c, j);
        add_rest(c, j);
        fill_kept(&jobs, j);
        j->placed.num_cpus = 0; /* it has no nodes */
        j->reason = REASON_HELD_USER;
        bitset_add(claim, 1);
        job_claim(c, j, claim);
        j->claim.in = j->partition;
        j->claim.tasks = 2;
        return j;
}

static void add_nodes(struct cluster *c, struct job *j) {
        j->placed.n_alloc = 2;
        j->placed.alloc = xnew0(struct job_node, 2);
        j->placed.nodes = bitset_new(c->n_nodes);
        j->placed.units = bitset_new(8);
        for (uint32_t i = 0; i < 2; i++) {
                struct job_node *jn = &j->placed.alloc[i];
                *jn = (struct job_node){ .node = c->nodes[i],
                        .memory = 100,
                        .units_at = 4 * i,
                        .given = 10,
                        .owed = 20,
                        .asked = 5,
                        .asked_for = 9,
                        .signals = { 1, 2, 3 } };
                fill_kept(&parts, jn);
                bitset_add(j->placed.nodes, i);
                bitset_add(j->placed.units, jn->units_at);
                assert_int_equal(gres_shares_parse(jn->node, "gpu:1(IDX:0)", i, &j->placed.gres,
                                                 &j->placed.n_gres, NULL),
                                0);
        }
        j->placed.batch_at = 1;
        assert_int_equal(countlist_parse("m:1", false, &j->placed.licenses_held, NULL), 0);
}

static void fill_step(struct job *j, struct step *s, struct step begin) {
        *s = (struct step){ .id = begin.id,
                .part = begin.part,
                .num_tasks = 2,
                .cpus = 2,
                .n_tasks_on = 1,
                .nodes = bitset_new(2),
                .ended = bitset_new(2),
                .launched = bitset_new(2),
                .gres_kind = STEP_GRES_OWN };
        bitset_add(s->nodes, 0);
        bitset_add(s->launched, 0);
        s->tasks = xnew0(uint32_t, 1);
        s->taken = xnew0(uint32_t, 1);
        s->place = xnew0(uint32_t, 2);
        s->cores = xnew0(struct bitset *, 1);
        s->tasks[0] = s->taken[0] = 2;
        s->cores[0] = bitset_new(4);
        assert_int_equal(gres_shares_parse(j->placed.alloc[0].node, "gpu:1(IDX:0)", 0, &s->gres,
                                         &s->n_gres, NULL),
                        0);
        measures_add(&s->measures, MEASURE_CPU, 3, 1);
        fill_kept(&steps, s);
}

static void add_step(struct job *j) {
        struct step *s = job_step_add(j);

        fill_step(j, s, (struct step){ 0 });
        s->span = xnew0(struct step_span, 1);
        *s->span = (struct step_span){ .job = 7, .num_tasks = 3, .num_nodes = 2, .first_node = 1 };
        s->span->first_task = 1;
        s->span->users = xnew(uint32_t, 1);
        *s->span->users = 1;
        s->span->nodes = xstrdup("n[1-2]");
        s->span->count = xnew0(uint32_t, 2);
        s->span->place = xnew0(uint32_t, 3);
        s->span->count[0] = s->span->place[1] = s->span->place[2] = 1;
        s->span->count[1] = 2;
        s->span->n_parts = 1;
        s->span->parts = xnew0(uint32_t, 1);
        s->span->parts[0] = 3;
        s->parts = xnew0(struct step, 1);
        s->n_parts = 1;
        fill_step(j, s->parts, (struct step){ .id = s->id, .part = 1 });
}

static struct job *make_running(struct cluster *c) {
        struct job *j = job_of(c, 8);

        free_and_strdup(&j->asked.array, NULL);
        add_nodes(c, j);
        add_step(j);
        j->state = JOB_RUNNING;
        j->configuring = true;
        j->placed.resv_asked = xstrdup("reservation_asked");
        assert_int_equal(het_join(het_new(7, 2), j, 1), 0);
        j->running.ran_before = 5 * USEC_PER_SEC;
        fill_kept(&jobs, j);
        cluster_job_insert(c, j);
        return j;
}

static struct job *make_completing(struct cluster *c) {
        struct job *j = job_of(c, 9);

        add_nodes(c, j);
        free_and_strdup(&j->asked.array, NULL);
        j->state = JOB_TIMEOUT;
        j->completing = true;
        fill_kept(&jobs, j);
        cluster_job_insert(c, j);
        return j;
}

static void a_restored_job_has_each(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(CONF, T0),
                                                *copy = cluster_of(CONF, T0);
        const struct job *list[] = { make_waiting(c), make_running(c), make_completing(c) };
        bool in_jobs[ELEMENTSOF(job_members)] = { false },
             in_steps[ELEMENTSOF(step_members)] = { false },
             in_parts[ELEMENTSOF(job_node_members)] = { false };

        for (size_t i = 0; i < ELEMENTSOF(list); i++) {
                const struct job *was = list[i], *is = again(c, was, copy);
                look_for_kept(&jobs, was, is, in_jobs);
                for (size_t k = 0; k < was->placed.n_alloc; k++)
                        look_for_kept(&parts, &was->placed.alloc[k], &is->placed.alloc[k],
                                        in_parts);
                for (size_t k = 0; k < was->running.n_steps; k++)
                        look_for_kept(&steps, &was->running.steps[k], &is->running.steps[k],
                                        in_steps);
        }
        all_are_found(&jobs, in_jobs);
        all_are_found(&parts, in_parts);
        all_are_found(&steps, in_steps);
}

static void a_restored_node_has_each(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(CONF, T0),
                                                *copy = cluster_of(CONF, T0);
        bool found[ELEMENTSOF(node_members)] = { false },
             in_energy[ELEMENTSOF(energy_members)] = { false },
             in_hardware[ELEMENTSOF(hardware_members)] = { false };
        struct node *n = c->nodes[0];
        struct node_message m;

        n->base = NODE_DOWN;
        n->power = NODE_POWERED_DOWN;
        n->energy.read_in = NODE_POWERED_DOWN; /* so it is that it draws, and not idle_reading */
        n->energy.idle_reading = 2;
        n->n_boots = 1;
        n->boots[0] = 3;
        for_each_member(h, &hardware)
                fill(h, &n->registered);
        fill_kept(&nodes, n);
        fill_kept(&energies, &n->energy);
        node_record_init(&m, c, n);
        size_t size = slumber__node__get_packed_size(&m.node);
        _cleanup_free_ uint8_t *data = xmalloc(size);
        slumber__node__pack(&m.node, data);
        node_message_done(&m);
        Slumber__Node *read = slumber__node__unpack(NULL, size, data);
        node_restore(copy, read, T0);
        slumber__node__free_unpacked(read, NULL);
        look_for_kept(&nodes, n, copy->nodes[0], found);
        look_for_kept(&energies, &n->energy, &copy->nodes[0]->energy, in_energy);
        all_are_found(&nodes, found);
        all_are_found(&energies, in_energy);
        look_for_kept(&hardware, &n->registered, &copy->nodes[0]->registered, in_hardware);
        all_are_found(&hardware, in_hardware);
}

/* ---- rows of a list ---- */

/* Of jobs, partitions and generic resources it counts what they are, not where they stand. */
static bool is_deep(const struct member *m) {
        static const char *const deep[] = { "gres_items", "n_gres", "jobs", "n_jobs", "partitions",
                "resv" };

        for (size_t i = 0; i < ELEMENTSOF(deep); i++)
                if (streq(deep[i], m->name))
                        return true;
        return false;
}

/* Something else; before: of the member's size. */
static void change(const struct member *m, void *object, void *before) {
        memcpy(before, at(m, object), m->size);
        if (m->kind == IS_TEXT)
                *(char **)at(m, object) = borrowed("another");
        else
                *(uint8_t *)at(m, object) ^= 1;
        if (is_number(m) && m->size == sizeof(uint64_t))
                *(uint64_t *)at(m, object) += 1 << 20; /* what is shown of it may be less exact */
}

static void nodes_are_alike_as_their_rows_say(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(CONF, T0);
        struct node *a = c->nodes[0], *b = c->nodes[1];
        uint8_t before[512];

        assert_true(nodes_alike(a, b));
        for_each_member(m, &nodes) {
                if (is_deep(m))
                        continue;
                assert_true(m->size <= sizeof before);
                change(m, b, before);
                bool alike = nodes_alike(a, b);
                memcpy(at(m, b), before, m->size);
                if (alike != (m->last == SAYS_NO))
                        fail_msg("nodes that differ in %s are %s", m->name,
                                        alike ? "alike" : "not alike");
        }
}

static void each_part_of_the_hardware_counts(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(CONF, T0);
        struct node *a = c->nodes[0], *b = c->nodes[1];
        uint8_t before[sizeof(uint64_t)];

        for_each_member(m, &hardware) {
                change(m, &b->configured, before);
                if (nodes_alike(a, b))
                        fail_msg("nodes that differ in %s are alike", m->name);
                memcpy(at(m, &b->configured), before, m->size);
        }
}

/* ---- the accounts and the key of equal requests ---- */

static bool same_row(const struct ended *a, const struct ended *b) {
#define X(field) &&streq(a->field, b->field)
        bool same = true ENDED_TEXTS(X);
#undef X
#define X(field) &&a->field == b->field
        return same ENDED_NUMBERS(X) ENDED_TIMES(X);
#undef X
}

/* Does the row of a job that has been in several states say what m is? */
static bool is_accounted(const struct cluster *c, struct job *j, const struct member *m) {
        uint8_t before[sizeof(uint64_t)];
        bool differs = false;

        assert_true(m->size <= sizeof before);
        struct ended *was = ended_new(c, j, "COMPLETED", true, T0);
        change(m, j, before);
        struct ended *is = ended_new(c, j, "COMPLETED", true, T0);
        memcpy(at(m, j), before, m->size);
        differs = !same_row(was, is);
        ended_free(was);
        ended_free(is);
        return differs;
}

/* Places in other members, whose number is not changed by itself. */
static bool is_simple(const struct member *m) {
        return (is_number(m) || m->kind == IS_TEXT) && !streq(m->name, "n_alloc") &&
               !streq(m->name, "n_gres") && !streq(m->name, "array_task");
}

static void the_accounts_have_what_the_rows_say(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(CONF, T0);
        struct job *j = make_running(c);

        c->keeps_ended = true;
        c->nodes[0]->energy.per_cpu = 1 << 20;
        j->placed.alloc[0].done = false;
        /* queued_time, which is later, counts. */
        j->submit_time = T0 - 86400 * USEC_PER_SEC;
        /* It has not run all the time since then. */
        j->running.start_time = j->submit_time + 3600 * USEC_PER_SEC;
        j->running.resize_time = j->running.start_time + 3600 * USEC_PER_SEC;
        for_each_member(m, &jobs) {
                if (!is_simple(m))
                        continue;
                bool found = is_accounted(c, j, m);
                usec_t resized = j->running.resize_time, ran = j->running.resize_ran;
                j->running.resize_time = j->running.resize_ran = 0;
                j->configuring = false;
                found |= is_accounted(c, j, m);
                j->running.resize_time = resized;
                j->running.resize_ran = ran;
                j->configuring = true;
                if (found != (m->accounts != SAYS_NO))
                        fail_msg("the accounts %s %s", found ? "have" : "do not have", m->name);
        }
}

static void the_key_has_what_the_rows_say(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(CONF, T0);
        struct request was[2] = { 0 }, is[2] = { 0 };
        struct job *j = make_waiting(c);

        c->has_sharing_rules = true;
        c->resvs.n = 1; /* the list is not looked at */
        request_with_limits(&was[0], c, j);
        request_to_preempt(&was[1], c, j, true);
        for_each_member(m, &jobs) {
                uint8_t before[sizeof(uint64_t)];
                if (m->kind == IS_OTHER || streq(m->name, "n_alloc"))
                        continue;
                change(m, j, before);
                request_with_limits(&is[0], c, j);
                request_to_preempt(&is[1], c, j, true);
                memcpy(at(m, j), before, m->size);
                bool keyed = !request_same(&was[0], &is[0]) || !request_same(&was[1], &is[1]);
                if (keyed != (m->key == SAYS_KEYED))
                        fail_msg("%s is %sin the key", m->name, keyed ? "" : "not ");
        }
        c->resvs.n = 0;
        for (size_t i = 0; i < 2; i++) {
                request_done(&was[i]);
                request_done(&is[i]);
        }
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(each_member_has_a_row),
                cmocka_unit_test(points_in_time_move_with_the_clock),
                cmocka_unit_test(a_task_has_what_its_array_has),
                cmocka_unit_test(a_restored_job_has_each),
                cmocka_unit_test(a_restored_node_has_each),
                cmocka_unit_test(nodes_are_alike_as_their_rows_say),
                cmocka_unit_test(each_part_of_the_hardware_counts),
                cmocka_unit_test(the_accounts_have_what_the_rows_say),
                cmocka_unit_test(the_key_has_what_the_rows_say),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
