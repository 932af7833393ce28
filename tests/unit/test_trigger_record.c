/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The store has a row for each trigger: what one does writes its own alone, and a restart finds
 * all as they were. */
#include "tests/unit/test.h"
#include "tests/unit/testcluster.h"

#include "controller/records/trigger_record.h"

#define T0 (1700000000 * USEC_PER_SEC)
#define N  100

static const char conf[] = "ClusterName=t\nSlurmctldHost=h\nSlurmUser=root\n"
                           "NodeName=n[1-4] CPUs=4\nPartitionName=all Nodes=ALL Default=YES\n";

struct row {
        char *key;
        uint8_t *data;
        size_t size;
};

struct rows {
        struct row of[3 * N]; /* by their keys */
        size_t n, put, dropped;
};

static size_t place(const struct rows *r, const char *key) {
        size_t i = 0;

        while (i < r->n && strcmp(r->of[i].key, key) < 0)
                i++;
        return i;
}

static bool is_at(const struct rows *r, size_t i, const char *key) {
        return i < r->n && streq(r->of[i].key, key);
}

static void put(const char *key, uint8_t *data, size_t size, void *user) {
        struct rows *r = user;
        size_t i = place(r, key);

        r->put++;
        if (!is_at(r, i, key)) {
                assert_true(r->n < ELEMENTSOF(r->of));
                memmove(&r->of[i + 1], &r->of[i], (r->n++ - i) * sizeof r->of[0]);
                r->of[i] = (struct row){ .key = xstrdup(key) };
        }
        free(r->of[i].data);
        r->of[i].data = data;
        r->of[i].size = size;
}

static void drop(const char *key, void *user) {
        struct rows *r = user;
        size_t i = place(r, key);

        r->dropped++;
        if (!is_at(r, i, key))
                return;
        free(r->of[i].key);
        free(r->of[i].data);
        memmove(&r->of[i], &r->of[i + 1], (--r->n - i) * sizeof r->of[0]);
}

static void save(struct cluster *c, struct rows *r) {
        r->put = r->dropped = 0;
        trigger_record_save(c, "this boot", &(struct trigger_rows){ put, drop, r });
}

static struct cluster *restored(const struct rows *r, const char *boot) {
        struct cluster *c = cluster_of(conf, T0);

        for (size_t i = 0; i < r->n; i++)
                assert_int_equal(trigger_record_restore(c, boot, r->of[i].key, r->of[i].data,
                                                 r->of[i].size),
                                1);
        return c;
}

static void done(struct rows *r) {
        while (r->n)
                drop(r->of[0].key, r);
}

static struct trigger *copy_of(uint32_t id, uint64_t serial) {
        const struct trigger t = { .id = id,
                .serial = serial,
                .events = TRIGGER_DOWN,
                .program = (char *)(uintptr_t) "/bin/true",
                .user = (char *)(uintptr_t) "root",
                .argument = serial ? (char *)(uintptr_t) "n1" : NULL };

        return trigger_copy(&t);
}

static void set_some(struct cluster *c) {
        for (uint32_t i = 1; i <= N; i++)
                triggers_add(&c->triggers, copy_of(i, 0));
}

static void one_that_changes_is_written_alone(void **state) {
        struct cluster *c = cluster_of(conf, T0);
        struct rows r = { 0 };

        (void)state;
        set_some(c);
        save(c, &r);
        assert_int_equal(r.put, N + 1); /* and the head */
        c->triggers.waiting[41]->hits = TRIGGER_DOWN;
        trigger_changed(&c->triggers, c->triggers.waiting[41]);
        save(c, &r);
        assert_int_equal(r.put, 2);
        triggers_drop(&c->triggers, 0); /* it fires */
        triggers_add_run(&c->triggers, copy_of(1, 7));
        save(c, &r);
        assert_int_equal(r.put, 2);
        assert_int_equal(r.dropped, 1);
        assert_int_equal(r.n, N + 1);
        done(&r);
        cluster_free(c);
}

static void a_restart_finds_them(void **state) {
        struct cluster *c = cluster_of(conf, T0);
        struct rows r = { 0 };

        (void)state;
        set_some(c);
        triggers_add_run(&c->triggers, copy_of(200, 12));
        triggers_add_run(&c->triggers, copy_of(201, 13));
        c->triggers.runs[1]->pid = 4711;
        save(c, &r);
        cluster_free(c);

        c = restored(&r, "this boot");
        assert_int_equal(c->triggers.n_waiting, N);
        assert_int_equal(c->triggers.waiting[9]->id, 10); /* in their order */
        assert_int_equal(c->triggers.n_runs, 2);
        assert_int_equal(c->triggers.runs[1]->pid, 4711);
        assert_int_equal(c->triggers.last_id, 201);
        assert_int_equal(c->triggers.last_serial, 13);
        assert_true(c->triggers.known);
        save(c, &r);
        assert_int_equal(r.put, 1); /* the head: there is a new controller */
        cluster_free(c);

        c = restored(&r, "the next one");
        assert_int_equal(c->triggers.runs[1]->pid, 0);
        save(c, &r);
        assert_int_equal(r.put, 2);
        cluster_free(c);
        done(&r);
}

/* An earlier version had all of them in one row. */
static void one_row_becomes_many(void **state) {
        Slumber__Trigger t = SLUMBER__TRIGGER__INIT, *list[] = { &t };
        Slumber__TriggerList m = SLUMBER__TRIGGER_LIST__INIT;
        struct cluster *c = cluster_of(conf, T0);
        uint8_t data[256];
        struct rows r = { 0 };

        (void)state;
        t.id = 3;
        t.events = TRIGGER_UP;
        t.program = (char *)(uintptr_t) "/bin/true";
        m.triggers = list;
        m.n_triggers = 1;
        m.last_id = 5;
        assert_in_range(slumber__trigger_list__get_packed_size(&m), 1, sizeof data);
        size_t size = slumber__trigger_list__pack(&m, data);
        assert_int_equal(trigger_record_restore(c, "", "triggers", data, size), 1);
        assert_int_equal(c->triggers.n_waiting, 1);
        save(c, &r);
        assert_int_equal(r.put, 2);
        cluster_free(c);
        c = restored(&r, "this boot");
        assert_int_equal(c->triggers.n_waiting, 1);
        assert_int_equal(c->triggers.last_id, 5);
        cluster_free(c);
        done(&r);
}

static void other_rows_are_not_theirs(void **state) {
        static const uint8_t broken[] = { 0xff, 0xff };
        struct cluster *c = cluster_of(conf, T0);

        (void)state;
        assert_int_equal(trigger_record_restore(c, "", "clock", broken, sizeof broken), 0);
        assert_int_equal(trigger_record_restore(c, "", "triggers", broken, sizeof broken),
                        -EBADMSG);
        assert_int_equal(trigger_record_restore(c, "", "trigger.0000000001", broken, sizeof broken),
                        -EBADMSG);
        cluster_free(c);
}

/* It was written by no version. */
static void a_row_that_makes_no_trigger_is_an_error(void **state) {
        const struct {
                const char *program;
                uint32_t pid;
                int result;
        } cases[] = { { "/bin/true", 5, 1 }, { "", 5, -EBADMSG },
                { "/bin/true", (uint32_t)INT32_MAX + 1, -EBADMSG } };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                Slumber__Trigger t = SLUMBER__TRIGGER__INIT, *list[] = { &t };
                Slumber__TriggerList m = SLUMBER__TRIGGER_LIST__INIT;
                struct cluster *c = cluster_of(conf, T0);
                uint8_t data[256];

                t.id = 3;
                t.serial = 4;
                t.program = (char *)(uintptr_t)cases[i].program;
                t.pid = cases[i].pid;
                assert_in_range(slumber__trigger__get_packed_size(&t), 1, sizeof data);
                size_t size = slumber__trigger__pack(&t, data);
                assert_int_equal(trigger_record_restore(c, "", "trigger.run.4", data, size),
                                cases[i].result);
                m.triggers = list;
                m.n_triggers = 1;
                assert_in_range(slumber__trigger_list__get_packed_size(&m), 1, sizeof data);
                size = slumber__trigger_list__pack(&m, data);
                assert_int_equal(trigger_record_restore(c, "", "triggers", data, size),
                                cases[i].result);
                cluster_free(c);
        }
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_row_that_makes_no_trigger_is_an_error),
                cmocka_unit_test(one_that_changes_is_written_alone),
                cmocka_unit_test(a_restart_finds_them),
                cmocka_unit_test(one_row_becomes_many),
                cmocka_unit_test(other_rows_are_not_theirs),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
