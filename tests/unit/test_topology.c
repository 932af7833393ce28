/* SPDX-License-Identifier: GPL-3.0-or-later */
/* topology.conf and topology.yaml, places that nodes bring, and what placing makes of them. */
#include "controller/jobs/job_events.h"
#include "controller/orders/partitions.h"
#include "controller/sched/place/place.h"
#include "controller/sched/sched.h"
#include "controller/updates/node_update.h"
#include "tests/scenario/world.h"
#include "tests/unit/test.h"

#include <time.h>

static const char tree[] =
                "SwitchName=s1 Nodes=n[1-4] LinkSpeed=100\nSwitchName=s2 Nodes=n[5-7]\n"
                "SwitchName=s3 Nodes=n[8-12]\nSwitchName=left Switches=s[1-2]\nSwitchName=top Switches=left,s3\n";

static struct topology *parse(const char *text) {
        struct topology *t = NULL;
        struct fail fail = { 0 };

        assert_int_equal(topology_parse("topology.conf", text, strlen(text), &t, &fail), 0);
        return t;
}

static void a_tree_has_levels_and_addresses(void **state) {
        _cleanup_(topology_freep) struct topology *t = parse(tree);
        _cleanup_free_ char *pattern = NULL, *address = topology_address(t, 1, "n6", &pattern),
                            *all = hostlist_text(t->list[4].nodes);

        assert_int_equal(t->n, 5);
        assert_int_equal(t->list[0].level, 0);
        assert_int_equal(t->list[3].level, 1);
        assert_int_equal(t->list[4].level, 2);
        assert_string_equal(t->list[0].link_speed, "100");
        assert_string_equal(all, "n[1-12]");
        assert_string_equal(address, "top.left.s2.n6");
        assert_string_equal(pattern, "switch.switch.switch.node");
}

static void mistakes_are_told_with_their_line(void **state) {
        static const struct {
                const char *text, *message;
        } bad[] = {
                { "", "topology.conf: no switch is defined" },
                { "Nodes=n1", "topology.conf line 1: SwitchName is missing" },
                { "\nSwitchName=a", "topology.conf line 2: switch a has either Nodes or Switches" },
                { "SwitchName=a Nodes=n1 Switches=b",
                                "topology.conf line 1: switch a has either Nodes or Switches" },
                { "SwitchName=a Nodes=n1 Color=red",
                                "topology.conf line 1: Color is not a key of topology.conf" },
                { "SwitchName=a Nodes=n1\nSwitchName=a Nodes=n2",
                                "topology.conf line 2: switch a stands on line 1 already" },
                { "SwitchName=a Nodes=n[1-", "topology.conf line 1: Nodes: " },
                { "SwitchName=a Switches=b",
                                "topology.conf line 1: switch a: there is no switch b" },
                { "SwitchName=a Nodes=n1\nSwitchName=b Switches=a\nSwitchName=c Switches=a",
                                "topology.conf line 3: switch a is below b and c" },
                { "SwitchName=a Switches=b,l\nSwitchName=b Switches=a\nSwitchName=l Nodes=n1",
                                "topology.conf line 2: switch b is below itself" },
                { "SwitchName=a Switches=a", "topology.conf line 1: switch a is below itself" },
                { "SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n2",
                                "topology.conf line 2: node n2 is on switch a and b" },
        };

        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                struct topology *t = NULL;
                struct fail fail = { 0 };
                assert_true(topology_parse("topology.conf", bad[i].text, strlen(bad[i].text), &t,
                                            &fail) < 0);
                assert_null(t);
                if (strncmp(fail.text, bad[i].message, strlen(bad[i].message)) != 0)
                        fail_msg("\"%s\" instead of \"%s\"", fail.text, bad[i].message);
        }
}

/* ---- topology.yaml ---- */

static const char two[] = "- topology: flat\n"
                          "  flat: true\n"
                          "- topology: tree\n"
                          "  cluster_default: true\n"
                          "  tree:\n"
                          "    switches:\n"
                          "      - {switch: top, children: 's[1-2]'}\n"
                          "      - {switch: s1, nodes: 'n[1-2]'}\n"
                          "      - {switch: s2, nodes: n3, children: x}\n"
                          "      - {switch: s3}\n"
                          "- topology: named\n"
                          "  cluster_default: true\n"
                          "  flat: {alpha_step_rank: true}\n"
                          "- topology: racks\n"
                          "  block:\n"
                          "    block_sizes: [4, 16]\n"
                          "    blocks: [{block: b1, nodes: 'n[1-4]'}]\n";

static struct topologies *parse_yaml(const char *text) {
        struct topologies *all = NULL;
        struct fail fail = { 0 };

        if (topologies_parse("topology.yaml", text, strlen(text), &all, &fail) < 0)
                fail_msg("%s", fail.text);
        return all;
}

static void topologies_have_names_and_kinds(void **state) {
        _cleanup_(topologies_freep) struct topologies *all = parse_yaml(two);
        const struct topology *t = topologies_find(all, "tree");

        assert_int_equal(all->n, 4);
        assert_int_equal(all->usual, 1); /* the first that says so */
        assert_int_equal(topologies_find(all, "flat")->n, 0);
        assert_true(topologies_find(all, "named")->by_name);
        assert_string_equal(topologies_find(all, "racks")->missing, "block");
        assert_int_equal(topologies_find(all, "racks")->line, 15);
        assert_null(topologies_find(all, "none"));
        assert_int_equal(t->n, 4);
        assert_int_equal(t->tops, 2); /* top and s3 */
        assert_int_equal(t->list[0].level, 1);
        assert_int_equal(hostlist_count(t->list[0].nodes), 3);
        assert_true(t->list[2].both && !t->list[2].switches);
        assert_int_equal(hostlist_count(t->list[3].nodes), 0);
}

#define TREE(switches) "- topology: t\n  tree:\n    switches: " switches

static void mistakes_are_told_with_line_and_column(void **state) {
        static const struct {
                const char *text, *message;
        } bad[] = {
                { "", "topology.yaml: no topology is defined" },
                { "a: b", "topology.yaml line 1 column 1: a mapping stands here, expected a list of topologies" },
                { "- flat: true",
                                "topology.yaml line 1 column 3: topology was expected as the first key" },
                { "- topology: a/b\n  flat: true",
                                "topology.yaml line 1 column 13: \"a/b\" is not the name of a topology: " },
                { "- topology: a",
                                "topology.yaml line 1 column 3: topology a has neither tree nor flat" },
                { "- topology: a\n  flat: true\n- topology: a\n  flat: true",
                                "topology.yaml line 3 column 13: there is a topology a already, line 1" },
                { "- topology: a\n  flat: no",
                                "topology.yaml line 2 column 9: flat: true was expected" },
                { "- topology: a\n  flat: true\n  tree: {}",
                                "topology.yaml line 3 column 9: tree beside flat: one of them was expected" },
                { "- topology: a\n  cluster_default: perhaps\n  flat: true",
                                "topology.yaml line 2 column 20: cluster_default: \"perhaps\" is not true or false" },
                { "- topology: a\n  hyperx: {}",
                                "topology.yaml line 2 column 3: hyperx is not a key of a topology" },
                { TREE("[]"), "topology.yaml line 3 column 5: a tree has no switches" },
                { TREE("[{switch: s1, nodes: n1}, {switch: s1, nodes: n2}]"),
                                "topology.yaml line 3 column 41: switch s1 stands on line 3 already" },
                { TREE("[{switch: s1, nodes: 'n[1-'}]"),
                                "topology.yaml line 3 column 36: names of nodes were expected: " },
                { TREE("[{switch: s1, nodes: n1}, {switch: s2, nodes: n1}]"),
                                "topology.yaml line 3 column " },
                { TREE("[{switch: s1, children: s2}]"),
                                "topology.yaml line 3 column 16: switch s1: there is no switch s2" },
                { TREE("[{switch: s1, children: s1}]"),
                                "topology.yaml line 3 column 16: switch s1 is below itself" },
                { TREE("[{switch: s1, nodes: n1, speed: 1}]"),
                                "topology.yaml line 3 column 40: speed is not a key of a switch" },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                struct topologies *all = NULL;
                struct fail fail = { 0 };
                assert_true(topologies_parse("topology.yaml", bad[i].text, strlen(bad[i].text),
                                            &all, &fail) < 0);
                assert_null(all);
                if (strncmp(fail.text, bad[i].message, strlen(bad[i].message)) != 0)
                        fail_msg("\"%s\" instead of \"%s\"", fail.text, bad[i].message);
        }
}

static void on_leaf(const struct topologies *all, const char *name, const char *leaf,
                const char *nodes) {
        const struct topology *t = topologies_find(all, name);
        size_t at = topology_find(t, leaf);

        assert_true(at != TOPOLOGY_NONE);
        _cleanup_free_ char *text = hostlist_text(t->list[at].nodes);
        assert_string_equal(text, nodes);
}

static void nodes_bring_their_place(void **state) {
        static const struct topology_place places[] = {
                { "d1", "tree:s1" },
                { "n1", "tree:top:s2" },
                { "n2", "racks:b1" }, /* out of the tree */
                { "d2", "tree:hall2:row1:s9" },
                { "d3", "tree:row1:s9,racks:b7" },
        };
        _cleanup_(topologies_freep) struct topologies *all = parse_yaml(two), *placed = NULL;
        struct fail fail = { 0 };

        (void)state;
        if (topologies_place(all, places, ELEMENTSOF(places), false, &placed, &fail) < 0)
                fail_msg("%s", fail.text);
        on_leaf(placed, "tree", "s1", "d1");
        on_leaf(placed, "tree", "s2", "n[1,3]");
        on_leaf(placed, "tree", "s9", "d[2-3]");
        on_leaf(placed, "tree", "hall2", "d[2-3]");
        on_leaf(placed, "tree", "top", "d1,n[1,3]");
        on_leaf(all, "tree", "s1", "n[1-2]");
        assert_int_equal(topologies_find(placed, "tree")->tops, 3);
        const struct topology *t = topologies_find(placed, "tree");
        assert_int_equal(t->list[topology_find(t, "hall2")].level, 2);
}

/* One alone that cannot be; which other nodes are there and in which order does not matter. */
static void places_that_cannot_be_are_refused(void **state) {
        static const struct {
                const char *text, *why;
        } rows[] = {
                { "nope:s1", "there is no topology nope" },
                { "flat:s1", "topology flat is flat: it has no switches" },
                { "tree", "tree:SWITCH was expected" },
                { "tree:s9", "topology tree has no leaf switch s9" },
                { "tree:row1", "topology tree has no leaf switch row1" },
                { "tree:top", "topology tree has no leaf switch top" },
                { "tree:s1,tree:s2", "topology tree stands twice" },
                { "tree:s1:x", "switch s1 is a leaf: no switch is below it" },
                { "tree:s3:s1", "switch s3 is a leaf" },
                { "tree:new:s1", "switch s1 is below top, not below new" },
                { "tree:new:s3", "switch s3 is below none, not below new" },
                { "tree:a:b:a", "switch a has switches below it" },
                { "tree:a:b:a:c", "switch a would be below itself" },
                { "tree:a::c", "\"\" is not the name of a switch" },
                { "tree:1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17",
                                "a path has no more than 16 switches, and 17 is one more" },
                { "tree:a:b c", "\"b c\" is not the name of a switch" },
        };
        _cleanup_(topologies_freep) struct topologies *all = parse_yaml(two);

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                const struct topology_place places[] = {
                        { "d1", "tree:hall2:row1:s9" },
                        { "bad", rows[i].text },
                        { "d2", "tree:row1:s8" },
                };
                _cleanup_(topologies_freep) struct topologies *placed = NULL, *skipped = NULL;
                _cleanup_free_ char *message = xasprintf("node bad: Topology=%s: %s", rows[i].text,
                                rows[i].why);
                struct fail fail = { 0 };
                assert_int_equal(topologies_place(all, places, 3, false, &placed, &fail), -EINVAL);
                assert_null(placed);
                if (strncmp(fail.text, message, strlen(message)) != 0)
                        fail_msg("\"%s\" instead of \"%s\"", fail.text, message);
                assert_int_equal(topologies_place(all, places, 3, true, &skipped, &fail), -EINVAL);
                on_leaf(skipped, "tree", "s8", "d2");
                on_leaf(skipped, "tree", "hall2", "d[1-2]");
                assert_true(topology_find(topologies_find(skipped, "tree"), "a") == TOPOLOGY_NONE);
        }
}

/* Each switch below the one before: what is done must not grow with a power of their number. */
static void a_long_chain_is_soon_read(void **state) {
        _cleanup_free_ char *text = NULL;
        size_t size;
        FILE *f = memstream_open(&text, &size);

        (void)state;
        for (int i = 1; i < TOPOLOGY_SWITCHES; i++)
                fprintf(f, "SwitchName=c%d Switches=c%d\n", i, i - 1);
        fputs("SwitchName=c0 Nodes=n[1-9]\n", f);
        memstream_close(f);
        clock_t began = clock();
        _cleanup_(topology_freep) struct topology *t = parse(text);
        assert_true(clock() - began < 10 * CLOCKS_PER_SEC);
        assert_int_equal(hostlist_count(t->list[TOPOLOGY_SWITCHES - 2].nodes), 9);
        assert_int_equal(t->list[TOPOLOGY_SWITCHES - 2].level, TOPOLOGY_SWITCHES - 1);
}

/* ---- placing ---- */

/* n[9-12] hang on nothing */
static const char islands[] = "SwitchName=s1 Nodes=n[1-4]\nSwitchName=s2 Nodes=n[5-8]\n";

static struct world *make_with(const char *more, const char *text) {
        _cleanup_free_ char *conf = xasprintf(
                        "ClusterName=t\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/t\n"
                        "SelectTypeParameters=CR_Core\nNodeName=n[1-12] CPUs=4 RealMemory=1000\nPartitionName=p Nodes=ALL Default=YES\n%s",
                        more);
        struct world *w = NULL;
        struct fail fail = { 0 };

        assert_int_equal(world_new(conf, &w, &fail), 0);
        w->c->config->topologies = topologies_new();
        topologies_push(w->c->config->topologies, parse(text));
        cluster_partitions_changed(w->c, w->now);
        world_advance(w, w->now);
        return w;
}

static struct world *make(const char *more) {
        return make_with(more, tree);
}

static enum slumber_error try(struct world *w, uint32_t nodes, uint32_t most, uint32_t tasks,
                const char *named, uint32_t switches, usec_t wait, struct job **ret) {
        struct job_spec spec = { .batch = true,
                .min_nodes = nodes,
                .max_nodes = most,
                .num_tasks = tasks,
                .tasks_set = tasks > 0,
                .share = SHARE_NO,
                .req_nodes = (char *)(uintptr_t)named,
                .switches = switches,
                .switch_wait = wait,
                .time_limit = 3600 * USEC_PER_SEC };
        enum slumber_error e = job_admit(w->c, &spec,
                        &(struct submitter){ .uid = 1, .gid = 1, .user = "u", .group = "g" },
                        w->now, ret, NULL);

        world_turn(w);
        return e;
}

static struct job *submit(struct world *w, uint32_t nodes, uint32_t tasks, const char *named,
                uint32_t switches, usec_t wait) {
        struct job *j = NULL;

        assert_int_equal(try(w, nodes, nodes, tasks, named, switches, wait, &j), SLUMBER_OK);
        return j;
}

static void is_on(const struct world *w, const struct job *j, const char *nodes) {
        _cleanup_free_ char *text = j->placed.nodes ? cluster_nodes_text(w->c, j->placed.nodes)
                                                    : xstrdup("");

        assert_string_equal(text, nodes);
}

static void the_smallest_leaf_that_is_large_enough(void **state) {
        struct world *w = make("");

        is_on(w, submit(w, 3, 0, NULL, 0, 0), "n[5-7]");
        is_on(w, submit(w, 5, 0, NULL, 0, 0), "n[8-12]");
        is_on(w, submit(w, 2, 0, NULL, 0, 0), "n[1-2]");
        world_free(w);
}

static void the_lowest_switch_and_few_leaves_below_it(void **state) {
        struct world *w = make("");

        is_on(w, submit(w, 6, 0, NULL, 0, 0), "n[1-6]"); /* left has 7 */
        is_on(w, submit(w, 6, 0, NULL, 0, 0), "n[7-12]");
        world_free(w);
}

static void named_nodes_bring_their_switch(void **state) {
        struct world *w = make("");

        is_on(w, submit(w, 2, 0, "n8", 0, 0), "n[8-9]");
        is_on(w, submit(w, 4, 16, "n2,n6", 0, 0), "n[1-3,6]");
        world_free(w);
}

static void fewer_switches_are_waited_for(void **state) {
        struct world *w = make("");
        struct job *a = submit(w, 2, 0, "n1,n2", 0, 0), *b = submit(w, 2, 0, "n9,n10", 0, 0), *j,
                   *k;

        j = submit(w, 4, 0, NULL, 1, 60 * USEC_PER_SEC); /* there are 2, 3 and 3 */
        assert_int_equal(j->state, JOB_PENDING);
        world_advance(w, w->now + 59 * USEC_PER_SEC);
        assert_int_equal(j->state, JOB_PENDING);
        world_advance(w, w->now + 2 * USEC_PER_SEC);
        assert_int_equal(j->state, JOB_RUNNING);
        assert_int_equal(job_cancel(w->c, j, 0, w->now), SLUMBER_OK);
        world_turn(w);
        world_advance(w, w->now + 5 * USEC_PER_SEC);
        k = submit(w, 4, 0, NULL, 1, 0);
        assert_int_equal(k->state, JOB_PENDING);
        assert_int_equal(job_cancel(w->c, a, 0, w->now), SLUMBER_OK);
        world_turn(w);
        world_advance(w, w->now + 5 * USEC_PER_SEC);
        is_on(w, k, "n[1-4]");
        assert_int_equal(b->state, JOB_RUNNING);
        world_free(w);
}

static void ends(struct world *w, struct job *j) {
        assert_int_equal(job_cancel(w->c, j, 0, w->now), SLUMBER_OK);
        world_turn(w);
        world_advance(w, w->now + 5 * USEC_PER_SEC);
}

static void a_range_is_as_large_as_one_switch_has(void **state) {
        struct world *w = make("");
        struct job *j = NULL;

        assert_int_equal(try(w, 2, 8, 0, NULL, 0, 0, &j), SLUMBER_OK);
        is_on(w, j, "n[5-12]");
        ends(w, j);
        /* rather few switches than many nodes */
        assert_int_equal(try(w, 2, 8, 0, NULL, 1, 0, &j), SLUMBER_OK);
        is_on(w, j, "n[8-12]");
        ends(w, j);
        /* not one more that would be on another */
        assert_int_equal(try(w, 6, 12, 0, NULL, 2, 0, &j), SLUMBER_OK);
        is_on(w, j, "n[1-4,8-12]");
        ends(w, j);
        assert_int_equal(try(w, 2, 8, 20, NULL, 1, 0, &j), SLUMBER_OK);
        is_on(w, j, "n[8-12]");
        ends(w, j);
        assert_int_equal(try(w, 2, 3, 0, NULL, 1, 0, &j), SLUMBER_OK);
        is_on(w, j, "n[5-7]");
        assert_int_equal(try(w, 2, 20, 0, NULL, 0, 0, &j), SLUMBER_OK);
        is_on(w, j, "n[1-4,8-12]");
        world_free(w);
}

static void nothing_spans_what_nothing_connects(void **state) {
        struct world *w = make_with("", islands);
        struct job *a, *b, *j = NULL;

        assert_int_equal(try(w, 5, 5, 0, NULL, 0, 0, &j), SLUMBER_NODES_NOT_AVAILABLE);
        assert_int_equal(try(w, 1, 1, 0, "n9", 0, 0, &j), SLUMBER_NODES_NOT_AVAILABLE);
        assert_int_equal(try(w, 2, 2, 0, "n4,n5", 0, 0, &j), SLUMBER_NODES_NOT_AVAILABLE);
        a = submit(w, 2, 0, "n1,n2", 0, 0);
        world_advance(w, w->now + 600 * USEC_PER_SEC);
        b = submit(w, 2, 0, "n7,n8", 0, 0);
        j = submit(w, 4, 0, NULL, 0, 0); /* four are free */
        assert_int_equal(j->state, JOB_PENDING);
        assert_non_null(j->waiting.plan);
        assert_int_equal(j->waiting.plan->start, a->running.end_time); /* and not on some of both */
        ends(w, b);
        is_on(w, j, "n[5-8]");
        world_free(w);

        w = make_with("TopologyParam=TopoOptional", islands);
        is_on(w, submit(w, 5, 0, NULL, 0, 0), "n[1-5]");
        /* it has asked for switches */
        assert_int_equal(try(w, 5, 5, 0, NULL, 2, 0, &j), SLUMBER_NODES_NOT_AVAILABLE);
        is_on(w, submit(w, 2, 0, NULL, 2, 0), "n[6-7]");
        world_free(w);
}

static void the_plan_heeds_switches(void **state) {
        struct world *w = make("SchedulerParameters=max_switch_wait=7200");
        struct job *a = submit(w, 2, 0, "n1,n2", 0, 0), *j;

        world_advance(w, w->now + 600 * USEC_PER_SEC);
        (void)submit(w, 6, 0, "n[5-10]", 0, 0); /* two are free on either side */
        j = submit(w, 4, 0, NULL, 1, 7200 * USEC_PER_SEC);
        assert_int_equal(j->state, JOB_PENDING);
        assert_non_null(j->waiting.plan);
        assert_int_equal(j->waiting.plan->start, a->running.end_time);
        world_free(w);

        w = make("");
        a = submit(w, 2, 0, "n1,n2", 0, 0);
        world_advance(w, w->now + 600 * USEC_PER_SEC);
        (void)submit(w, 6, 0, "n[5-10]", 0, 0);
        j = submit(w, 4, 0, NULL, 1, 7200 * USEC_PER_SEC);
        assert_int_equal(j->asked.switch_wait, 300 * USEC_PER_SEC); /* max_switch_wait */
        assert_non_null(j->waiting.plan);
        assert_int_equal(j->waiting.plan->start, j->waiting.switches_since + 300 * USEC_PER_SEC);
        world_advance(w, j->waiting.plan->start + USEC_PER_SEC);
        is_on(w, j, "n[3-4,11-12]");
        assert_int_equal(a->state, JOB_RUNNING);
        world_free(w);
}

/* ---- slumberd --conf ---- */

static void is_told(struct world *w, const char *node, const char *text, const char *why,
                bool planned) {
        struct fail fail = { 0 };

        (void)follows_take(w->c, UINT32_MAX);
        int r = partitions_place_told(w->c, cluster_node(w->c, node), text, &fail);
        assert_int_equal(r < 0, why != NULL);
        if (why && !strstr(fail.text, why))
                fail_msg("\"%s\" instead of \"%s\"", fail.text, why);
        assert_int_equal(follows_take(w->c, FOLLOW_PLAN_ANEW), planned);
}

static void is_below(struct world *w, const char *leaf, const char *nodes) {
        on_leaf(config_topologies(w->c->config), "default", leaf, nodes);
}

static void an_agent_names_what_is_there(void **state) {
        struct world *w = make_with("", tree);

        (void)state;
        is_told(w, "n1", "default:top:new", "has no switch new there", false);
        is_told(w, "n1", "default:new:s1", "has no switch new there", false);
        is_told(w, "n1", "default:left:s3", "has no switch s3 there", false);
        is_told(w, "n1", "(none)", "there is no topology (none)", false);
        is_told(w, "n1", "default:s9", "has no leaf switch s9", false);
        is_below(w, "s1", "n[1-4]");
        is_told(w, "n1", "default:left:s2", NULL, true);
        is_below(w, "s2", "n[1,5-7]");
        is_told(w, "n1", "default:left:s2", NULL, false);
        is_told(w, "n1", NULL, NULL, true);
        is_below(w, "s1", "n[1-4]");
        world_free(w);
}

static void a_place_of_scontrol_stays(void **state) {
        struct world *w = make_with("", tree);
        struct fail fail = { 0 };

        (void)state;
        is_told(w, "n1", "default:s2", NULL, true);
        assert_int_equal(nodes_update(w->c, "n1", &(struct node_update){ .topology = "default:s3" },
                                         0, w->now, &fail),
                        SLUMBER_OK);
        is_told(w, "n1", "default:s2", NULL, false); /* as before */
        is_below(w, "s3", "n[1,8-12]");
        is_told(w, "n1", NULL, NULL, false);
        is_below(w, "s3", "n[1,8-12]");
        is_told(w, "n1", "default:s2", NULL, true);
        is_below(w, "s2", "n[1,5-7]");
        world_free(w);
}

static void cloud_nodes_bring_a_few_switches(void **state) {
        struct world *w = make_with("", tree);
        unsigned brought = 0;

        (void)state;
        for (size_t i = 0; i < 12; i++)
                w->c->nodes[i]->flags |= NODE_CLOUD;
        is_told(w, "n1", "default:top:new", NULL, true);
        is_below(w, "new", "n1");
        world_free(w);

        _cleanup_(topologies_freep) struct topologies *all = topologies_new();
        topologies_push(all, parse(tree));
        for (unsigned i = 0; i < 30 && brought == 0; i++) {
                _cleanup_(topologies_freep) struct topologies *placed = NULL;
                struct fail fail = { 0 };
                _cleanup_free_ char *text = xasprintf("default:top");
                struct topology_place p = { "n1", NULL };
                for (unsigned k = 1; k < TOPOLOGY_DEPTH; k++) {
                        _cleanup_free_ char *before = text;
                        text = xasprintf("%s:b%u-%u", before, i, k);
                }
                p.text = text;
                if (topologies_check_brought(all, &p, true, &fail) < 0) {
                        assert_non_null(strstr(fail.text, "256 switches that no file has"));
                        brought = i * (TOPOLOGY_DEPTH - 1);
                        break;
                }
                assert_int_equal(topologies_place(all, &p, 1, false, &placed, &fail), 0);
                topologies_free(all);
                all = TAKE(placed);
        }
        assert_int_equal(brought, TOPOLOGY_BROUGHT / (TOPOLOGY_DEPTH - 1) * (TOPOLOGY_DEPTH - 1));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_tree_has_levels_and_addresses),
                cmocka_unit_test(mistakes_are_told_with_their_line),
                cmocka_unit_test(topologies_have_names_and_kinds),
                cmocka_unit_test(mistakes_are_told_with_line_and_column),
                cmocka_unit_test(nodes_bring_their_place),
                cmocka_unit_test(places_that_cannot_be_are_refused),
                cmocka_unit_test(the_smallest_leaf_that_is_large_enough),
                cmocka_unit_test(the_lowest_switch_and_few_leaves_below_it),
                cmocka_unit_test(named_nodes_bring_their_switch),
                cmocka_unit_test(fewer_switches_are_waited_for),
                cmocka_unit_test(a_range_is_as_large_as_one_switch_has),
                cmocka_unit_test(nothing_spans_what_nothing_connects),
                cmocka_unit_test(the_plan_heeds_switches),
                cmocka_unit_test(a_long_chain_is_soon_read),
                cmocka_unit_test(an_agent_names_what_is_there),
                cmocka_unit_test(a_place_of_scontrol_stays),
                cmocka_unit_test(cloud_nodes_bring_a_few_switches),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
