/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"
#include "tests/unit/testcluster.h"

#include "controller/records/identity.h"

#define T0 (UINT64_C(1700000000) * USEC_PER_SEC)

static const char conf[] = "ClusterName=test\nSlurmctldHost=localhost\nSlurmUser=root\n"
                           "FirstJobId=1\nMaxJobId=1000\nNodeName=n1\n"
                           "PartitionName=all Nodes=ALL Default=YES\n";

/* A controller, as far as its state goes. */
struct ctld {
        struct cluster *c;
        struct identity id;
};

static uint64_t random_numbers = 100;

static void start(struct ctld *t, bool accepts) {
        const uint64_t random[IDENTITY_RANDOM] = { random_numbers + 1, random_numbers + 2, 3, 4 };

        random_numbers += 2;
        t->id.accepts = accepts;
        identity_begin(&t->id, t->c, random);
}

static struct ctld new_ctld(void) {
        struct ctld t = { .c = cluster_of(conf, T0) };

        return t;
}

static void end(struct ctld *t) {
        identity_done(&t->id);
        cluster_free(t->c);
}

/* What another one has that is started from the same file. */
static struct ctld copy_of(const struct ctld *t) {
        Slumber__StateIdentity m = SLUMBER__STATE_IDENTITY__INIT;
        struct ctld copy = new_ctld();

        identity_record_fill(&t->id, t->c, &m);
        identity_restore(&copy.id, copy.c, &m);
        identity_record_done(&m);
        copy.c->next_job_id = t->c->next_job_id;
        return copy;
}

static void again(struct ctld *t, bool accepts) {
        struct ctld next = copy_of(t);

        end(t);
        *t = next;
        start(t, accepts);
}

static void give(struct ctld *t, unsigned n) {
        while (n-- > 0)
                assert_true(cluster_take_job_id(t->c));
}

static void turn(struct ctld *t) {
        identity_seal(&t->id, t->c, 1);
        identity_durable(&t->id, 1);
}

static struct state_seen told(const struct ctld *t, uint32_t job) {
        Slumber__StateSeen m;

        assert_non_null(identity_tell(&t->id, t->c, job, &m));
        return (struct state_seen){ m.state, m.generation, m.start, m.given, m.proof };
}

static void what_is_not_on_the_disk_is_not_told(void **state) {
        struct ctld t = new_ctld();
        Slumber__StateSeen m;

        start(&t, false);
        assert_null(identity_tell(&t.id, t.c, 0, &m));
        identity_seal(&t.id, t.c, 5);
        assert_null(identity_tell(&t.id, t.c, 0, &m));
        identity_durable(&t.id, 4);
        assert_null(identity_tell(&t.id, t.c, 0, &m));
        identity_durable(&t.id, 5);
        assert_int_equal(told(&t, 0).given, 0);
        give(&t, 2);
        assert_int_equal(told(&t, 0).given, 0);
        identity_seal(&t.id, t.c, 6);
        give(&t, 1);
        identity_seal(&t.id, t.c, 7); /* batches that come close behind each other */
        identity_durable(&t.id, 6);
        assert_int_equal(told(&t, 0).given, 2);
        assert_int_equal(told(&t, 3).given, 3); /* a job is launched when it is on the disk */
        assert_int_equal(told(&t, 1).given, 2);
        end(&t);
}

static void restarts_are_none_of_it(void **state) {
        struct ctld t = new_ctld();
        struct state_seen seen[2 * IDENTITY_STARTS];

        start(&t, false);
        for (size_t i = 0; i < ELEMENTSOF(seen); i++) {
                turn(&t);
                give(&t, 3);
                turn(&t);
                seen[i] = told(&t, 0);
                again(&t, false);
                assert_int_equal(t.id.now.generation, i + 2);
                for (size_t k = 0; k <= i; k++)
                        assert_false(identity_is_older(&t.id, t.c, &seen[k]));
        }
        assert_int_equal(t.id.n_starts, IDENTITY_STARTS);
        assert_int_equal(t.c->next_job_id, 601);
        assert_false(identity_is_older(&t.id, t.c, &(struct state_seen){ 0 })); /* a new agent */
        end(&t);
}

static void an_older_copy_is_known_by_ids_and_by_starts(void **state) {
        struct ctld t = new_ctld();

        start(&t, false);
        turn(&t);
        give(&t, 10);
        turn(&t);
        struct state_seen before = told(&t, 0);
        struct ctld copy = copy_of(&t);
        give(&t, 1);
        turn(&t);
        struct state_seen same_start = told(&t, 0);
        again(&t, false);
        turn(&t);
        struct state_seen next_start = told(&t, 0);
        again(&t, false);
        turn(&t);
        struct state_seen third_start = told(&t, 0);

        start(&copy, false);
        turn(&copy);
        assert_false(identity_is_older(&copy.id, copy.c, &before));
        assert_true(identity_is_older(&copy.id, copy.c, &same_start));
        assert_true(identity_is_older(&copy.id, copy.c, &next_start));
        assert_true(identity_is_older(&copy.id, copy.c, &third_start));
        /* also when it has given as many before it hears of them */
        give(&copy, 5);
        assert_false(identity_is_older(&copy.id, copy.c, &before));
        assert_true(identity_is_older(&copy.id, copy.c, &same_start));
        assert_true(identity_is_older(&copy.id, copy.c, &next_start));
        again(&copy, false);
        assert_true(identity_is_older(&copy.id, copy.c, &same_start));
        assert_true(identity_is_older(&copy.id, copy.c, &next_start));
        assert_true(identity_is_older(&copy.id, copy.c, &third_start));
        end(&copy);
        end(&t);
}

/* Root of a node has the cluster's key, but not that of the state. */
static void what_is_made_up_counts_as_nothing(void **state) {
        struct ctld t = new_ctld(), other = new_ctld();

        start(&t, false);
        turn(&t);
        const struct state_seen told_before = told(&t, 0);
        struct state_seen made_up = told_before;
        assert_true(identity_has_told(&t.id, &told_before));
        made_up.generation = 1000;
        assert_false(identity_has_told(&t.id, &made_up));
        assert_false(identity_is_older(&t.id, t.c, &made_up));
        made_up = told_before;
        made_up.given = 1000;
        assert_false(identity_is_older(&t.id, t.c, &made_up));
        made_up.proof = identity_proof(&other.id, &made_up); /* without a key */
        assert_false(identity_is_older(&t.id, t.c, &made_up));
        made_up.proof = identity_proof(&t.id, &made_up);
        assert_true(identity_is_older(&t.id, t.c, &made_up));
        again(&t, false); /* the key is in the state */
        assert_true(identity_has_told(&t.id, &told_before));
        assert_true(identity_is_older(&t.id, t.c, &made_up));
        end(&other);
        end(&t);
}

static void another_state_is_no_older_one(void **state) {
        struct ctld t = new_ctld(), fresh = new_ctld();

        start(&t, false);
        give(&t, 10);
        turn(&t);
        start(&fresh, false);
        struct state_seen seen = told(&t, 0);
        assert_false(identity_is_older(&fresh.id, fresh.c, &seen));
        assert_int_equal(fresh.c->next_job_id, 1);
        end(&fresh);
        end(&t);
}

static void ids_that_begin_anew_go_on(void **state) {
        struct ctld t = new_ctld();

        start(&t, false);
        give(&t, 1000);
        turn(&t);
        struct state_seen last = told(&t, 0), end_of_round = told(&t, 1000);
        assert_int_equal(end_of_round.given, 1000);
        give(&t, 3);
        turn(&t);
        assert_int_equal(t.c->next_job_id, 4);
        assert_int_equal(told(&t, 0).given, (UINT64_C(1) << 32) + 3);
        assert_int_equal(identity_given_with(t.c, 999), 999);
        assert_int_equal(identity_given_with(t.c, 2), (UINT64_C(1) << 32) + 2);
        assert_false(identity_is_older(&t.id, t.c, &last));
        again(&t, false);
        assert_false(identity_is_older(&t.id, t.c, &last));
        assert_int_equal(t.c->id_rounds, 1);
        assert_true(cluster_take_job_ids(t.c, 997)); /* to the last one */
        assert_true(cluster_take_job_ids(t.c, 2));
        assert_int_equal(t.c->id_rounds, 2);
        end(&t);
}

static void it_stands_still_until_it_is_accepted(void **state) {
        struct ctld t = new_ctld();
        Slumber__StateSeen m;

        start(&t, false);
        give(&t, 10);
        turn(&t);
        struct ctld copy = copy_of(&t);
        give(&t, 10);
        again(&t, false);
        turn(&t);
        struct state_seen most = told(&t, 0), less = most;
        less.given -= 5;
        less.proof = identity_proof(&t.id, &less);

        start(&copy, false);
        turn(&copy);
        identity_stop(&copy.id, "n1", &less);
        assert_null(identity_tell(&copy.id, copy.c, 0, &m));
        identity_stop(&copy.id, "n2", &most);
        identity_stop(&copy.id, "n1", &less);
        _cleanup_free_ char *text = identity_text(&copy.id, copy.c);
        assert_non_null(strstr(text, "node n2 knows generation 2 of it and JobId=20, and it has "
                                     "generation 2 and JobId=10; "));
        again(&copy, false);
        assert_string_equal(copy.id.newer.node, "n2");
        assert_int_equal(copy.id.now.generation, 2); /* agents cannot take it for a later one */
        turn(&copy);
        assert_null(identity_tell(&copy.id, copy.c, 0, &m));

        again(&copy, true);
        assert_null(copy.id.newer.node);
        assert_int_equal(copy.id.now.generation, 3);
        assert_int_equal(copy.c->next_job_id, 21);
        assert_false(identity_is_older(&copy.id, copy.c, &most));
        /* one that comes later and knows more */
        most.generation = 7;
        most.given += 10;
        most.proof = identity_proof(&t.id, &most);
        assert_true(identity_is_older(&copy.id, copy.c, &most));
        identity_accept(&copy.id, copy.c, &most);
        assert_int_equal(copy.c->next_job_id, 31);
        again(&copy, false);
        assert_int_equal(copy.id.now.generation, 9);
        assert_false(identity_is_older(&copy.id, copy.c, &most));
        assert_false(identity_is_older(&copy.id, copy.c, &less));
        end(&copy);
        end(&t);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(what_is_not_on_the_disk_is_not_told),
                cmocka_unit_test(restarts_are_none_of_it),
                cmocka_unit_test(an_older_copy_is_known_by_ids_and_by_starts),
                cmocka_unit_test(what_is_made_up_counts_as_nothing),
                cmocka_unit_test(another_state_is_no_older_one),
                cmocka_unit_test(ids_that_begin_anew_go_on),
                cmocka_unit_test(it_stands_still_until_it_is_accepted),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
