/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A configuration in force, written as a slurm.conf: what reads it again has the same. */
#include "tests/unit/parse_conf.h"

#include "controller/model/node.h"
#include "controller/model/partition.h"
#include "controller/orders/config_now.h"
#include "controller/updates/node_update.h"
#include "controller/updates/partition_update.h"

#define T0 (1700000000 * USEC_PER_SEC)

static const char conf[] =
                "ClusterName=c\nSlurmctldHost=ctl(10.0.0.1)\nSlurmctldPort=7000\nSlurmdPort=7001\n"
                "Prolog=/a/prolog.d/*\nProlog=/b/prolog\nAccountingStoragePass=secret\n"
                "InteractiveStepOptions=\"--interactive --pty $SHELL\"\nMessageTimeout=30\n"
                "SuspendExcNodes=n1\nSchedulerParameters=bf_window=100,bf_easy SuspendTime=300\n"
                "SuspendProgram=/bin/true ResumeProgram=/bin/true GresTypes=gpu\n"
                "NodeName=n[1-4] CPUs=4 RealMemory=100 Feature=a,b Port=[9001-9004]\n"
                "NodeName=m[1-3] Boards=2 SocketsPerBoard=2 CoresPerSocket=2 ThreadsPerCore=2 "
                "RealMemory=500 TmpDisk=7 Weight=3 CoreSpecCount=1 MemSpecLimit=10 Gres=gpu:2 "
                "NodeAddr=10.0.0.[1-3]\n"
                "NodeName=x[1-20] NodeHostname=vm CPUs=2 State=CLOUD\n"
                "NodeName=d1 CPUs=2 State=DRAIN Reason=\"bad # fan\"\n"
                "NodeSet=some Nodes=n[1-2] Feature=a\n"
                "PartitionName=p Nodes=ALL Default=YES MaxTime=1-0 DefaultTime=90 OverTimeLimit=5 "
                "PriorityTier=7 OverSubscribe=FORCE:2 SuspendTime=INFINITE ResumeTimeout=90 "
                "DefMemPerCPU=10 MaxMemPerNode=400 AllowGroups=g1,g2 GraceTime=9 MaxNodes=3 "
                "LLN=YES MaxCPUsPerNode=2 State=DRAIN SelectTypeParameters=CR_Core\n"
                "PartitionName=q Nodes=some,m1 Hidden=YES DefMemPerGPU=5 QOS=normal\n";

static struct cluster *make(const char *text) {
        struct cluster *c = NULL;
        struct fail fail = { 0 };

        if (cluster_new(must_parse(text), T0, &c, &fail) < 0)
                fail_msg("%s", fail.text);
        return c;
}

static char *written(const struct cluster *c) {
        return cluster_config_text(c, &(struct config_asked){ .heading = "h" });
}

static void update(struct cluster *c, const char *part, const char *key, const char *value) {
        struct update_setting setting = { (char *)(uintptr_t)key, (char *)(uintptr_t)value };
        struct fail fail = { 0 };

        if (partition_update(c, part, &setting, 1, T0, &fail) != SLUMBER_OK)
                fail_msg("%s", fail.text);
}

static void what_the_files_say_is_written(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make(conf);
        _cleanup_free_ char *text = written(c);
        static const char *const lines[] = {
                "# h\n",
                "\nSlurmctldHost=ctl(10.0.0.1)\n",
                "\nProlog=/a/prolog.d/*\nProlog=/b/prolog\n",
                "\n# AccountingStoragePass is for administrators\n",
                "\nInteractiveStepOptions=\"--interactive --pty $SHELL\"\n",
                "\nMessageTimeout=30\n",
                "\nSuspendExcNodes=n1\n",
                "\nNodeName=n1 Port=9001 CPUs=4 Sockets=4 CoresPerSocket=1 ThreadsPerCore=1 "
                "RealMemory=100 Feature=a,b\n",
                "\nNodeName=m1 NodeAddr=10.0.0.1 CPUs=16 Boards=2 SocketsPerBoard=2",
                "\nNodeName=x[1-20] NodeHostname=vm CPUs=2 Sockets=2 CoresPerSocket=1 "
                "ThreadsPerCore=1 RealMemory=1 State=CLOUD\n",
                " State=DRAIN Reason=\"bad \\# fan\"\n",
                "\nNodeSet=some Nodes=n[1-2] Feature=a\n",
                "\nPartitionName=p Nodes=ALL Default=Yes LLN=Yes State=DRAIN MaxTime=1440 "
                "DefaultTime=90 MaxNodes=3 PriorityTier=7 OverSubscribe=FORCE:2 "
                "SuspendTime=INFINITE ResumeTimeout=90 ",
                " OverTimeLimit=5\n",
                "\nPartitionName=q Nodes=some,m1 Hidden=Yes DefMemPerGPU=5 QOS=normal\n",
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(lines); i++)
                if (!strstr(text, lines[i]))
                        fail_msg("%s is missing in\n%s", lines[i], text);
        assert_null(strstr(text, "=secret"));
        assert_null(strstr(text, "KillWait"));
}

static void what_has_been_changed_is_written(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make(conf);
        struct node_update u = { .features = "z", .new_weight = true, .weight = 9 },
                           down = { .state = "DOWN", .reason = "say \"no\"" },
                           up = { .state = "RESUME" };
        struct fail fail = { 0 };

        (void)state;
        update(c, "p", "DefaultTime", "20");
        update(c, "p", "MaxTime", "30");
        update(c, "p", "Nodes-", "x[2-19]");
        update(c, "q", "SuspendTime", "70");
        assert_int_equal(partition_create(c, "made", NULL, 0, T0, &fail), SLUMBER_OK);
        assert_int_equal(partition_delete(c, "q", T0, &fail), SLUMBER_OK);
        assert_int_equal(nodes_update(c, "n2", &u, 0, T0, &fail), SLUMBER_OK);
        assert_int_equal(nodes_update(c, "n3", &down, 0, T0, &fail), SLUMBER_OK);
        assert_int_equal(nodes_update(c, "d1", &up, 0, T0, &fail), SLUMBER_OK);
        c->config->priority.dampening = 4;
        free_and_strdup(&c->exclusions.text[EXCLUDE_NODES], NULL);

        _cleanup_free_ char *text = written(c);
        static const char *const lines[] = {
                " State=DOWN Reason=\"say 'no'\"\n",
                "\nFairShareDampeningFactor=4\n",
                " Weight=9 Feature=z\n",
                "\nPartitionName=p Nodes=n[1-4],m[1-3],x[1,20],d1 ",
                " MaxTime=30 DefaultTime=20 ",
                "\nPartitionName=made\n",
        };
        for (size_t i = 0; i < ELEMENTSOF(lines); i++)
                if (!strstr(text, lines[i]))
                        fail_msg("%s is missing in\n%s", lines[i], text);
        assert_null(strstr(text, "PartitionName=q"));
        assert_null(strstr(text, "SuspendExcNodes"));
        assert_null(strstr(text, "fan"));
}

/* ... by what has read it. */
static void the_same_is_written_again(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make(conf);
        _cleanup_free_ char *first = NULL, *second = NULL;

        (void)state;
        update(c, "p", "OverTimeLimit", "UNLIMITED");
        update(c, "q", "PreemptMode", "OFF");
        update(c, "q", "MaxTime", "UNLIMITED");
        first = written(c);
        _cleanup_(cluster_freep) struct cluster *again = make(first);
        second = written(again);
        /* what is for administrators is missing there */
        char *secret = strstr(first, "# AccountingStoragePass"), *rest = strchr(secret, '\n') + 1;
        memmove(secret, rest, strlen(rest) + 1);
        assert_string_equal(first, second);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(what_the_files_say_is_written),
                cmocka_unit_test(what_has_been_changed_is_written),
                cmocka_unit_test(the_same_is_written_again),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
