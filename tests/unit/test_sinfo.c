/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Golden text: what the real sinfo printed for these nodes. */
#include "tests/unit/test.h"

#include "commands/show/sinfo.h"
#include "lib/hostlist.h"

#define NODES      7
#define PARTITIONS 3

/* n1-n4 are here, c1-c3 are cloud nodes; main has all, high n1 and n2, empty none. */
struct cluster {
        Node nodes[NODES];
        Node *node_list[NODES];
        Slumber__Hardware hardware[NODES], now[NODES];
        Partition partitions[PARTITIONS];
        Partition *partition_list[PARTITIONS];
};

static void fill_nodes(struct cluster *c) {
        static const struct {
                const char *name, *text, *compact, *full, *reason;
                uint32_t cpus, used, load;
        } rows[NODES] = {
                { "n1", "ALLOCATED", "alloc", "allocated", "", 8, 8, 20 },
                { "n2", "MIXED", "mix", "mixed", "", 8, 2, 40 },
                { "n3", "ALLOCATED", "alloc", "allocated", "", 8, 8, 20 },
                { "n4", "ALLOCATED+DRAIN", "drng", "draining", "a rather long reason for this node",
                                8, 8, 20 },
                { "c1", "MIXED+CLOUD+POWERED_DOWN", "mix~", "mixed~", "", 4, 1, 0 },
                { "c2", "MIXED+CLOUD+POWERED_DOWN", "mix~", "mixed~", "", 4, 1, 0 },
                { "c3", "DOWN+CLOUD+POWERED_DOWN", "down~", "down~", "bad", 4, 0, 0 },
        };
        static char main_name[] = "main", high_name[] = "high";
        static char *only_main[] = { main_name }, *both[] = { main_name, high_name };

        for (size_t i = 0; i < NODES; i++) {
                Node *node = &c->nodes[i];
                bool cloud = rows[i].name[0] == 'c';

                slumber__node__init(node);
                slumber__hardware__init(&c->hardware[i]);
                slumber__hardware__init(&c->now[i]);
                c->node_list[i] = node;
                node->name = (char *)rows[i].name;
                node->hostname = (char *)(cloud ? rows[i].name : "vm");
                node->state_text = (char *)rows[i].text;
                node->state_short = (char *)rows[i].compact;
                node->state_long = (char *)rows[i].full;
                node->reason = (char *)rows[i].reason;
                node->reason_user = (char *)"root";
                node->reason_time = UINT64_C(1795226048) * USEC_PER_SEC;
                node->cpus_alloc = rows[i].used;
                node->weight = cloud ? 8 : 1;
                node->features = (char *)(cloud ? "" : "fast,big");
                node->configured = &c->hardware[i];
                node->configured->cpus = node->configured->sockets = rows[i].cpus;
                node->configured->boards = node->configured->cores = node->configured->threads = 1;
                node->configured->real_memory = cloud ? 2000 : 4000;
                node->registered = cloud ? NULL : &c->now[i];
                c->now[i].load = rows[i].load;
                c->now[i].free_memory = 23511 + i;
                node->partitions = i < 2 ? both : only_main;
                node->n_partitions = i < 2 ? 2 : 1;
        }
}

static void fill(struct cluster *c) {
        static const char *const names[PARTITIONS] = { "main", "high", "empty" };

        fill_nodes(c);
        for (size_t i = 0; i < PARTITIONS; i++) {
                Partition *p = &c->partitions[i];

                slumber__partition__init(p);
                c->partition_list[i] = p;
                p->name = (char *)names[i];
                p->is_default = i == 0;
                p->state = (char *)(i == 2 ? "DOWN" : "UP");
                p->max_time = i == 0 ? NO_LIMIT : (i == 1 ? 86400 : 1800) * USEC_PER_SEC;
                p->max_nodes = UINT32_MAX;
                p->priority_tier = i == 1 ? 10 : 1;
                p->oversubscribe = (char *)(i == 2 ? "NO" : "FORCE:1");
        }
}

struct ask {
        const char *letters, *names, *sort, *states, *nodes, *partitions;
        bool per_node, exact, reasons, dead;
};

static char *show(struct ask a) {
        struct cluster c;
        struct node_states states = { 0 };
        struct hostlist *hosts = NULL;
        struct sinfo_filter filter = { .partitions = a.partitions,
                .reasons = a.reasons,
                .dead = a.dead };
        struct sinfo_view view = { .per_node = a.per_node, .exact = a.exact };
        struct format format = { 0 };
        struct sort sort = { 0 };
        struct sinfo_row **rows;
        char *text = NULL, *bad;
        size_t size, n;
        FILE *out = open_memstream(&text, &size);

        setenv("TZ", "UTC", 1);
        fill(&c);
        if (a.states) {
                assert_int_equal(node_states_parse(&states, a.states, &bad), 0);
                filter.states = &states;
        }
        if (a.nodes) {
                assert_int_equal(hostlist_parse(a.nodes, &hosts, NULL), 0);
                filter.nodes = hosts;
        }
        if (a.letters)
                format_parse_letters(&format, a.letters, sinfo_fields());
        else
                format_parse_names(&format, a.names, sinfo_fields());
        sort_parse(&sort, a.sort ? a.sort : "#P,-t", sinfo_fields());
        rows = sinfo_group(c.node_list, NODES, c.partition_list, PARTITIONS, &format, &filter,
                        &view, &n);
        sinfo_print(&format, &sort, rows, n, true, &view, out);
        sinfo_rows_free(rows, n);
        format_done(&format);
        node_states_done(&states);
        hostlist_free(hosts);
        fclose(out);
        return text;
}

static void prints(struct ask a, const char *golden) {
        _cleanup_free_ char *text = show(a);

        assert_string_equal(text, golden);
}

#define DEFAULT "%9P %.5a %.10l %.6D %.6t %N"

static void the_default_table_is_slurms(void **state) {
        prints((struct ask){ .letters = DEFAULT },
                        "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\n"
                        "main*        up   infinite      2   mix~ c[1-2]\n"
                        "main*        up   infinite      1  down~ c3\n"
                        "main*        up   infinite      1   drng n4\n"
                        "main*        up   infinite      1    mix n2\n"
                        "main*        up   infinite      2  alloc n[1,3]\n"
                        "high         up 1-00:00:00      1    mix n2\n"
                        "high         up 1-00:00:00      1  alloc n1\n"
                        "empty      down      30:00      0    n/a \n");
}

static void the_long_table_says_more_of_the_partition(void **state) {
        prints((struct ask){ .letters = "%9P %.5a %.10l %.10s %.4r %.8h %.10g %.6D %.11T %.11i %N",
                               .partitions = "high,empty" },
                        "PARTITION AVAIL  TIMELIMIT   JOB_SIZE ROOT OVERSUBS     GROUPS  NODES     "
                        "  STATE RESERVATION "
                        "NODELIST\n"
                        "high         up 1-00:00:00 1-infinite   no  FORCE:1        all      1     "
                        "  mixed             "
                        "n2\n"
                        "high         up 1-00:00:00 1-infinite   no  FORCE:1        all      1   "
                        "allocated             "
                        "n1\n"
                        "empty      down      30:00 1-infinite   no       NO        all      0     "
                        "    n/a             "
                        "\n");
}

static void a_record_may_stand_for_many_nodes(void **state) {
        static char alike[] = "n[7,10-12]";
        struct cluster c;
        struct sinfo_view view = { 0 };
        struct sinfo_filter filter = { 0 };
        struct format format = { 0 };
        struct sort sort = { 0 };
        char *text = NULL;
        size_t size, n;
        FILE *out = open_memstream(&text, &size);

        fill(&c);
        c.nodes[1].alike = alike;
        c.nodes[1].n_alike = 4;
        format_parse_letters(&format, "%P %D %t %C %F %N", sinfo_fields());
        sort_parse(&sort, "#P,-t", sinfo_fields());
        struct sinfo_row **rows = sinfo_group(c.node_list, 3, c.partition_list, 2, &format, &filter,
                        &view, &n);
        sinfo_print(&format, &sort, rows, n, false, &view, out);
        fclose(out);
        assert_string_equal(text, "main* 4 mix 8/24/0/32 4/0/0/4 n[7,10-12]\n"
                                  "main* 2 alloc 16/0/0/16 2/0/0/2 n[1,3]\n"
                                  "high 4 mix 8/24/0/32 4/0/0/4 n[7,10-12]\n"
                                  "high 1 alloc 8/0/0/8 1/0/0/1 n1\n");
        sinfo_rows_free(rows, n);
        format_done(&format);
        free(text);
}

static void one_line_per_node_and_partition(void **state) {
        prints((struct ask){ .letters = "%9N %.6D %.9P %6t", .per_node = true, .sort = "N" },
                        "NODELIST   NODES PARTITION STATE \n"
                        "c1             1     main* mix~  \n"
                        "c2             1     main* mix~  \n"
                        "c3             1     main* down~ \n"
                        "n1             1     main* alloc \n"
                        "n1             1      high alloc \n"
                        "n2             1     main* mix   \n"
                        "n2             1      high mix   \n"
                        "n3             1     main* alloc \n"
                        "n4             1     main* drng  \n");
}

static void one_long_line_per_node(void **state) {
        prints((struct ask){ .letters = "%9N %.6D %.9P %.11T %4c %.8z %.6m %.8d %.6w %.8f %20E",
                               .per_node = true,
                               .sort = "N",
                               .nodes = "c3,n4,zz" },
                        "NODELIST   NODES PARTITION       STATE CPUS    S:C:T MEMORY TMP_DISK "
                        "WEIGHT AVAIL_FE REASON  "
                        "            \n"
                        "c3             1     main*       down~ 4       4:1:1   2000        0      "
                        "8   (null) bad     "
                        "            \n"
                        "n4             1     main*    draining 8       8:1:1   4000        0      "
                        "1 fast,big a rather "
                        "long reason\n");
}

static void the_summary_counts_states(void **state) {
        prints((struct ask){ .letters = "%9P %.5a %.10l %.16F %N" },
                        "PARTITION AVAIL  TIMELIMIT   NODES(A/I/O/T) NODELIST\n"
                        "main*        up   infinite          6/0/1/7 c[1-3],n[1-4]\n"
                        "high         up 1-00:00:00          2/0/0/2 n[1-2]\n"
                        "empty      down      30:00          0/0/0/0 \n");
}

static void reasons_are_listed(void **state) {
        prints((struct ask){ .letters = "%20E %9u %19H %N", .reasons = true },
                        "REASON               USER      TIMESTAMP           NODELIST\n"
                        "bad                  root      2026-11-21T01:54:08 c3\n"
                        "a rather long reason root      2026-11-21T01:54:08 n4\n");
}

static void a_node_of_two_partitions_counts_once(void **state) {
        prints((struct ask){ .letters = "%C|%A|%D" },
                        "CPUS(A/I/O/T)|NODES(A/I)|NODES\n28/12/4/44|6/0|7\n");
        prints((struct ask){ .letters = "%D %t" },
                        "NODES STATE\n2 mix~\n1 down~\n1 drng\n1 mix\n2 alloc\n");
}

static void ranges_show_their_least(void **state) {
        prints((struct ask){ .letters = "%c %m %w|%z" },
                        "CPUS MEMORY WEIGHT|S:C:T\n4+ 2000+ 1+|4+:1:1\n");
        prints((struct ask){ .letters = "%P %c", .exact = true, .partitions = "main", .sort = "c" },
                        "PARTITION CPUS\nmain* 4\nmain* 8\n");
        prints((struct ask){ .letters = "%O %e", .nodes = "n[1-3],c1" },
                        "CPU_LOAD FREE_MEM\n0.20-0.40 23511-23513\n");
        prints((struct ask){ .letters = "%O %e", .nodes = "c1" }, "CPU_LOAD FREE_MEM\nN/A N/A\n");
}

static void fields_go_by_name(void **state) {
        prints((struct ask){ .names = "nodelist:8,CPUsState,statelong:.12,partition:2,nodes:|,"
                                      "StateComplete:12",
                               .partitions = "high" },
                        "NODELISTCPUS(A/I/O/T)              STATEPANODES|STATECOMPLET\n"
                        "n2      2/6/0/8                    mixedhi1|mixed       \n"
                        "n1      8/0/0/8                allocatedhi1|allocated   \n");
}

static void unknown_letters_stay_as_typed(void **state) {
        prints((struct ask){ .letters = "%R %5.3t %k|", .partitions = "high" },
                        "PARTITION %5.3t %k|\nhigh %5.3t %k|\n");
}

static void states_filter(void **state) {
        static const struct {
                const char *states, *nodes;
        } rows[] = {
                { "idle", "" },
                { "alloc", "c[1-2],n[1-4]" },
                { "mix", "c[1-2],n2" },
                { "drain", "n4" },
                { "draining", "n4" },
                { "drained", "" },
                { "powered_down", "c[1-3]" },
                { "mixed&cloud", "c[1-2]" },
                { "MIXED&~cloud,down", "c3,n2" },
                { "down&drain", "" },
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_free_ char *golden = xasprintf("%s%s", rows[i].nodes,
                                rows[i].nodes[0] ? "\n" : "");
                _cleanup_free_ char *text = show(
                                (struct ask){ .letters = "%N", .states = rows[i].states });

                assert_string_equal(text + strlen("NODELIST\n"), golden);
        }
}

static void a_filter_leaves_the_partition_its_line(void **state) {
        prints((struct ask){ .letters = DEFAULT, .dead = true },
                        "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\n"
                        "main*        up   infinite      0    n/a \n"
                        "high         up 1-00:00:00      0    n/a \n"
                        "empty      down      30:00      0    n/a \n");
}

static void unknown_states_are_refused(void **state) {
        static const char *const texts[] = {
                "bogus",
                "idle,pow_dn",
                "idle&!cloud",
                "idle&",
                "idle+powered_down",
                "idle+~down",
        };
        static const bool good[] = { false, false, false, true, true, true };

        for (size_t i = 0; i < ELEMENTSOF(texts); i++) {
                struct node_states states = { 0 };
                _cleanup_free_ char *bad = NULL;

                assert_int_equal(node_states_parse(&states, texts[i], &bad), good[i] ? 0 : -EINVAL);
                node_states_done(&states);
        }
}

static void no_field_is_there_twice(void **state) {
        const struct field_table *t = sinfo_fields();

        for (size_t i = 0; i < t->n_fields; i++)
                for (size_t k = i + 1; k < t->n_fields; k++) {
                        assert_false(t->fields[i].letter &&
                                        t->fields[i].letter == t->fields[k].letter);
                        assert_false(streq(t->fields[i].name, t->fields[k].name));
                }
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(the_default_table_is_slurms),
                cmocka_unit_test(the_long_table_says_more_of_the_partition),
                cmocka_unit_test(a_record_may_stand_for_many_nodes),
                cmocka_unit_test(one_line_per_node_and_partition),
                cmocka_unit_test(one_long_line_per_node),
                cmocka_unit_test(the_summary_counts_states),
                cmocka_unit_test(reasons_are_listed),
                cmocka_unit_test(a_node_of_two_partitions_counts_once),
                cmocka_unit_test(ranges_show_their_least),
                cmocka_unit_test(fields_go_by_name),
                cmocka_unit_test(unknown_letters_stay_as_typed),
                cmocka_unit_test(states_filter),
                cmocka_unit_test(a_filter_leaves_the_partition_its_line),
                cmocka_unit_test(unknown_states_are_refused),
                cmocka_unit_test(no_field_is_there_twice),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
