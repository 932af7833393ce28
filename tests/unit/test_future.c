/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/orders/future.h"
#include "tests/unit/test.h"

#include "controller/indexes/changed.h"
#include "controller/model/cluster.h"

#define T0 (UINT64_C(1700000000) * USEC_PER_SEC)

static const char conf[] =
                "ClusterName=test\nSlurmctldHost=localhost\nSlurmUser=root\nSelectType=select/cons_tres\n"
                "NodeName=n1 CPUs=4 RealMemory=1000\n"
                "NodeName=f[1-2] CPUs=4 RealMemory=1000 State=FUTURE\n"
                "NodeName=f3 CPUs=4 RealMemory=4000 State=FUTURE Feature=big,fast\n"
                "NodeName=g1 Sockets=2 CoresPerSocket=2 ThreadsPerCore=1 RealMemory=1000 State=FUTURE\n"
                "PartitionName=all Nodes=ALL Default=YES\n";

static struct config *make_config(void) {
        struct config *config = NULL;
        struct fail fail = { 0 };

        if (config_parse("test.conf", conf, strlen(conf), &config, &fail) < 0)
                fail_msg("%s", fail.text);
        return config;
}

static struct cluster *make_cluster(void) {
        struct cluster *c = NULL;
        struct fail fail = { 0 };

        assert_int_equal(cluster_new(make_config(), T0, &c, &fail), 0);
        return c;
}

/* What a machine has of a node's line. */
static struct node_hardware like(const struct cluster *c, const char *node, uint64_t memory) {
        struct node_hardware h = cluster_node(c, node)->configured;

        h.memory = memory;
        return h;
}

static void finds(const struct cluster *c, const char *machine, const char *feature,
                struct node_hardware has, const char *want) {
        struct fail fail = { 0 };
        const struct node *n = future_find(c, machine, feature, &has, &fail);

        assert_string_equal(n ? n->name : fail.text, want);
}

static void the_first_free_node_that_fits_is_taken(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster();
        struct node *f1 = cluster_node(c, "f1"), *f2 = cluster_node(c, "f2");

        finds(c, "a", "", like(c, "f1", 64000), "f1");
        finds(c, "a", "big", like(c, "f1", 64000), "f3");
        finds(c, "a", "", like(c, "g1", 64000), "g1");
        future_take(c, f1, "a", T0);
        assert_string_equal(f1->hostname, "a");
        finds(c, "b", "", like(c, "f1", 1000), "f2");
        f2->connected = true; /* an admin has set it to FUTURE, and its agent is there */
        finds(c, "b", "", like(c, "f1", 4000), "f3");
        f2->connected = false;
        node_set_base(c, f2, NODE_IDLE, T0); /* it has registered as what it is */
        finds(c, "b", "", like(c, "f1", 4000), "f3");
}

static void a_machine_stays_the_node_that_it_is(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster();
        struct node *f2 = cluster_node(c, "f2");

        future_take(c, f2, "a", T0);
        node_set_base(c, f2, NODE_IDLE, T0);
        finds(c, "a", "", like(c, "f1", 1000), "f2");
        node_set_base(c, f2, NODE_DOWN, T0);
        finds(c, "a", "no-such", like(c, "g1", 1), "f2");
        struct fail fail = { 0 };
        assert_int_equal(cluster_reconfigure(c, make_config(), T0, &fail), 0);
        assert_string_equal(f2->hostname, "a");
}

static void what_does_not_fit_is_told(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster();
        struct node_hardware h = like(c, "f1", 999);
        struct fail fail = { 0 };

        assert_null(future_find(c, "a", "", &h, &fail));
        assert_non_null(strstr(fail.text, "no free node of State=FUTURE has CPUs=4 "));
        assert_non_null(strstr(fail.text, "a RealMemory of at most 999"));
        assert_null(strstr(fail.text, "feature"));
        h.memory = 64000;
        assert_null(future_find(c, "a", "small", &h, &fail));
        assert_non_null(strstr(fail.text, "at most 64000 and the feature small"));
        h.cpus = h.cores = 8;
        assert_null(future_find(c, "a", "", &h, &fail));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(the_first_free_node_that_fits_is_taken),
                cmocka_unit_test(a_machine_stays_the_node_that_it_is),
                cmocka_unit_test(what_does_not_fit_is_told),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
