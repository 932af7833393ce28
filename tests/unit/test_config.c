/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/parse_conf.h"

#define S USEC_PER_SEC

static void defaults_are_slurms(void **state) {
        _cleanup_(config_freep) struct config *c = must_parse(BASE);

        (void)state;
        assert_int_equal(c->n_warnings, 0);
        assert_string_equal(c->controller_host, "ctl");
        assert_string_equal(c->controller_address, "ctl");
        assert_int_equal(c->slurmctld_port, 6817);
        assert_int_equal(c->slurmd_port, 6818);
        assert_true(c->suspend_time == NO_LIMIT);
        assert_int_equal(c->suspend_timeout, 30 * S);
        assert_int_equal(c->resume_timeout, 60 * S);
        assert_int_equal(c->suspend_rate, 60);
        assert_int_equal(c->resume_rate, 300);
        assert_int_equal(c->slurmd_timeout, 300 * S);
        assert_int_equal(c->kill_wait, 30 * S);
        assert_int_equal(c->min_job_age, 300 * S);
        assert_int_equal(c->message_timeout, 10 * S);
        assert_int_equal(c->max_job_count, 10000);
        assert_int_equal(c->first_job_id, 1);
        assert_int_equal(c->max_job_id, 67043328);
        assert_true(c->job_requeue);
        assert_int_equal(c->select_type, SELECT_CONS_TRES);
        assert_int_equal(c->select_params, CR_CORE | CR_MEMORY);
        assert_int_equal(c->preempt_mode, PREEMPT_OFF);
        assert_null(c->suspend_program);
        assert_string_equal(c->slurm_user, "root");
        assert_int_equal(c->n_nodes, 4);
        assert_int_equal(c->n_partitions, 1);
        const struct config_partition *p = &c->partitions[0];
        assert_int_equal(hostlist_count(p->nodes), 4);
        assert_true(p->max_time == NO_LIMIT);
        assert_int_equal(p->default_time, 0);
        assert_true(p->suspend_time == TIME_UNSET);
        assert_int_equal(p->preempt_mode, PREEMPT_UNSET);
        assert_int_equal(p->priority_tier, 1);
        assert_int_equal(p->max_nodes, UINT32_MAX);
        assert_int_equal(p->oversubscribe, OVERSUBSCRIBE_NO);
        assert_string_equal(p->state, "UP");
}

static void settings_read_like_show_config(void **state) {
        static const struct {
                const char *key, *value;
        } rows[] = {
                { "SuspendTime", "INFINITE" },
                { "SuspendRate", "60 nodes/min" },
                { "ResumeRate", "300 nodes/min" },
                { "ResumeTimeout", "60 sec" },
                { "KillWait", "30 sec" },
                { "SuspendProgram", "(null)" },
                { "SlurmctldHost[0]", "ctl(127.0.0.1)" },
                { "SlurmUser", "root(0)" },
                { "JobRequeue", "1" },
                { "DefMemPerNode", "UNLIMITED" },
                { "PreemptMode", "GANG,SUSPEND" },
                { "PreemptType", "preempt/partition_prio" },
                { "SelectType", "select/cons_tres" },
                { "SelectTypeParameters", "CR_CPU_MEMORY" },
                { "CompleteWait", "7 sec" },
                { "MaxArraySize", "1001" },
                { "SLURM_CONF", "slurm.conf" },
                { "SLURM_VERSION", "25.05.0" },
                { "MaxNodeCount", "4" },
                { "TreeWidth", "16" },
                { "MessageTimeout", "10 sec" },
                { "SchedulerTimeSlice", "30 sec" },
                { "BOOT_TIME", "2026-01-01T00:00:00" },
                { "SchedulerType", "sched/builtin" },
        };
        _cleanup_(config_freep) struct config *c = must_parse(
                        "ClusterName=c\nSlurmctldHost=ctl(127.0.0.1)\nNodeName=n[1-4]\n"
                        "PartitionName=p Nodes=ALL\npreemptmode=suspend,gang PreemptType=preempt/partition_prio\n"
                        "SelectTypeParameters=CR_CPU_Memory CompleteWait=7\nSchedulerType=sched/builtin GroupUpdateTime=1\n");

        (void)state;
        config_put_setting(c, "BOOT_TIME", "2026-01-01T00:00:00");
        for (size_t i = 0; i < ELEMENTSOF(rows); i++)
                assert_string_equal(setting(c, rows[i].key), rows[i].value);
        for (size_t i = 0; i < c->n_settings; i++) {
                assert_non_null(c->settings[i].value);
                const char *key = c->settings[i].key;
                assert_true(!c->settings[i].hidden || strncmp(key, "Priority", 8) == 0 ||
                                streq(key, "FairShareDampeningFactor") ||
                                streq(key, "accept_missing"));
        }
        assert_int_equal(c->n_warnings, 1);
        assert_string_equal(c->warnings[0],
                        "slurm.conf line 7: GroupUpdateTime is not used by Slumber");
}

static void every_setting_can_be_written_back(void **state) {
        _cleanup_(config_freep) struct config *c = must_parse(BASE);

        (void)state;
        for (size_t i = 0; i < c->n_settings; i++) {
                const struct config_setting *s = &c->settings[i];
                struct config *again = NULL;
                struct fail fail = { 0 };
                if (strchr(s->key, '_') || strchr(s->key, '[') || strchr(s->value, ' ') ||
                                strchr(s->value, '('))
                        continue;
                _cleanup_free_ char *text = xasprintf(BASE "%s=%s\n", s->key, s->value);
                if (parse(text, &again, &fail) < 0)
                        fail_msg("%s", fail.text);
                if (!streq(s->key, "ClusterName"))
                        assert_int_equal(again->n_warnings, 0);
                assert_string_equal(setting(again, s->key), s->value);
                config_free(again);
        }
}

static void lines_are_joined_quoted_and_commented(void **state) {
        _cleanup_(config_freep) struct config *c = must_parse(
                        "# a comment \\\n"
                        "CLUSTERNAME = c   # the name\n"
                        "\tslurmctldhost=ctl \\\n"
                        "  SuspendTime=300 \\\n"
                        "  ResumeProgram=\"/opt/my progs/on # not a comment\"\r\n"
                        "NodeName=n1 \\\n"
                        "  Reason=\"it is late\" Feature=a\\#b,c\n"
                        "PartitionName=p Nodes=n1\n"
                        "SuspendProgram=\n");

        (void)state;
        assert_string_equal(c->cluster_name, "c");
        assert_int_equal(c->suspend_time, 300 * S);
        assert_string_equal(c->resume_program, "/opt/my progs/on # not a comment");
        assert_string_equal(c->nodes[0].reason, "it is late");
        assert_string_equal(c->nodes[0].features, "a#b,c");
        assert_null(c->suspend_program);
}

static void ranges_of_nodes_and_ports_run_side_by_side(void **state) {
        _cleanup_(config_freep) struct config *c = must_parse(
                        "ClusterName=c\nSlurmctldHost=h\nSlurmdPort=7000\nGresTypes=gpu\n"
                        "NodeName=DEFAULT RealMemory=4000 CPUs=8 State=cloud\n"
                        "NodeName=n[1-3] NodeHostname=h[1-3] NodeAddr=127.0.0.1 Port=[17001-17003] Weight=5\n"
                        "NodeName=DEFAULT RealMemory=8000\n"
                        "NodeName=m1,x[08-09] CoresPerSocket=2 ThreadsPerCore=2 Gres=gpu:1\n"
                        "NodeName=b1 Boards=2 SocketsPerBoard=2 CoresPerSocket=2 CPUs=8 State=FUTURE\n"
                        "PartitionName=p Nodes=n[1-2],x08\n");
        const struct config_node *n = c->nodes;

        (void)state;
        assert_int_equal(c->n_nodes, 7);
        assert_string_equal(n[2].name, "n3");
        assert_string_equal(n[2].hostname, "h3");
        assert_string_equal(n[2].address, "127.0.0.1");
        assert_int_equal(n[2].port, 17003);
        assert_int_equal(n[2].weight, 5);
        assert_int_equal(n[2].real_memory, 4000);
        assert_string_equal(n[2].state, "CLOUD");
        assert_int_equal(n[2].sockets, 8);
        assert_int_equal(n[2].cores, 1);
        assert_string_equal(n[5].name, "x09");
        assert_string_equal(n[5].address, "x09");
        assert_int_equal(n[5].port, 7000);
        assert_int_equal(n[5].real_memory, 8000);
        assert_int_equal(n[5].sockets, 2);
        assert_int_equal(n[5].weight, 1);
        assert_string_equal(n[5].gres, "gpu:1");
        assert_int_equal(n[6].boards, 2);
        assert_int_equal(n[6].sockets, 2);
        assert_string_equal(n[6].state, "FUTURE");
        _cleanup_free_ char *nodes = hostlist_text(c->partitions[0].nodes);
        assert_string_equal(nodes, "n[1-2],x08");
}

static void partitions_take_defaults_and_their_own(void **state) {
        _cleanup_(config_freep) struct config *c = must_parse(
                        "ClusterName=c\nSlurmctldHost=h\nPreemptMode=SUSPEND,GANG\n"
                        "PreemptType=preempt/partition_prio\n"
                        "PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=n[1-4] MaxTime=23:59:01\n"
                        "PartitionName=active Default=YES DefaultTime=29:30\n"
                        "PartitionName=hipri PriorityTier=2 PreemptMode=off SuspendTime=60 ResumeTimeout=INFINITE "
                        "MaxTime=UNLIMITED MinNodes=2 MaxNodes=3 PowerDownOnIdle=yes AllowGroups=a,b\n"
                        "PartitionName=gpu Nodes=fast PreemptMode=SUSPEND,GANG State=drain DefMemPerCPU=100\n"
                        "NodeSet=fast Feature=quick\n"
                        "NodeName=n[1-3]\nNodeName=n4 Feature=x,quick\n"
                        "DownNodes=n[2-3] State=DRAIN Reason=broken\n");
        const struct config_partition *p = c->partitions;

        (void)state;
        assert_int_equal(c->n_partitions, 3);
        assert_true(p[0].is_default);
        assert_int_equal(p[0].oversubscribe, OVERSUBSCRIBE_FORCE);
        assert_int_equal(p[0].oversubscribe_max, 1);
        assert_int_equal(p[0].max_time, 86400 * S);
        assert_int_equal(p[0].default_time, 1800 * S);
        assert_int_equal(p[0].preempt_mode, PREEMPT_UNSET);
        assert_int_equal(p[1].preempt_mode, PREEMPT_OFF);
        assert_int_equal(p[1].priority_tier, 2);
        assert_int_equal(p[1].suspend_time, 60 * S);
        assert_true(p[1].resume_timeout == NO_LIMIT);
        assert_true(p[1].suspend_timeout == TIME_UNSET);
        assert_true(p[1].max_time == NO_LIMIT);
        assert_int_equal(p[1].min_nodes, 2);
        assert_int_equal(p[1].max_nodes, 3);
        assert_true(p[1].power_down_on_idle);
        assert_string_equal(p[1].allow_groups, "a,b");
        assert_int_equal(p[2].preempt_mode, PREEMPT_SUSPEND);
        assert_string_equal(p[2].state, "DRAIN");
        assert_int_equal(p[2].def_mem_per_cpu, 100);
        assert_int_equal(hostlist_count(p[2].nodes), 1);
        assert_string_equal(hostlist_get(p[2].nodes, 0), "n4");
        assert_int_equal(c->n_nodesets, 1);
        assert_string_equal(c->nodes[1].state, "DRAIN");
        assert_string_equal(c->nodes[2].reason, "broken");
        assert_string_equal(c->nodes[3].state, "UNKNOWN");
        assert_int_equal(c->n_warnings, 1); /* GANG is ignored */
        assert_non_null(strstr(c->warnings[0], "GANG is ignored on a partition"));
}

static void what_means_nothing_to_whole_nodes_is_noted(void **state) {
        _cleanup_(config_freep) struct config *c = must_parse(BASE
                        "SelectType=select/linear\nSelectTypeParameters=CR_Memory,CR_ONE_TASK_PER_CORE,CR_LLN,CR_Pack_Nodes,OTHER_CONS_TRES\n");

        (void)state;
        assert_int_equal(c->select_params, CR_MEMORY | CR_PACK_NODES);
        assert_int_equal(c->n_warnings, 2);
        assert_string_equal(c->warnings[0],
                        "slurm.conf line 6: SelectTypeParameters: OTHER_CONS_TRES counts for select/cray_aries alone");
        assert_string_equal(c->warnings[1],
                        "slurm.conf line 6: SelectTypeParameters: CR_ONE_TASK_PER_CORE,CR_LLN has no effect with select/linear");
}

static void what_gpus_bring_is_read_and_shown(void **state) {
        _cleanup_(config_freep) struct config *c = must_parse(BASE
                        "DefCpuPerGPU=2\nDefMemPerGPU=300\nPartitionName=gpus Nodes=ALL DefMemPerGPU=100\n");
        uint32_t cpus;
        uint64_t mb;
        char text[JOB_DEFAULTS_TEXT_MAX];

        (void)state;
        assert_int_equal(c->n_warnings, 0);
        assert_int_equal(c->def_cpu_per_gpu, 2);
        assert_int_equal(c->def_mem_per_gpu, 300);
        assert_int_equal(c->partitions[c->n_partitions - 1].def_cpu_per_gpu, 0);
        assert_int_equal(c->partitions[c->n_partitions - 1].def_mem_per_gpu, 100);
        for (size_t i = 0; i < c->n_settings; i++)
                if (strcmp(c->settings[i].key, "JobDefaults") == 0)
                        assert_string_equal(c->settings[i].value,
                                        "DefCpuPerGPU=2,DefMemPerGPU=300");
        assert_int_equal(job_defaults_parse("DefMemPerGPU=7", &cpus, &mb, NULL), 0);
        assert_string_equal(job_defaults_text(cpus, mb, text), "DefMemPerGPU=7");
        assert_int_equal(job_defaults_parse("", &cpus, &mb, NULL), 0);
        assert_string_equal(job_defaults_text(cpus, mb, text), "(null)");
        assert_int_equal(job_defaults_parse("DefMemPerCPU=7", &cpus, &mb, NULL), -EINVAL);
        assert_int_equal(job_defaults_parse("DefMemPerGPU", &cpus, &mb, NULL), -EINVAL);
}

static void mistakes_are_told_with_their_place(void **state) {
        static const struct {
                const char *line, *message;
        } bad[] = {
                { "SuspendTime=abc",
                                "slurm.conf line 5: SuspendTime: \"abc\" is not a number of seconds" },
                { "SuspendTimes=3", "slurm.conf line 5: SuspendTimes: slurm.conf has no such key" },
                { "CPUs=4 NodeName=x",
                                "slurm.conf line 5: NodeName: it is the first word of its line" },
                { "Program=/bin/true PowerAction=x Location=slurmd",
                                "slurm.conf line 5: PowerAction: it is the first word of its line" },
                { "\n\nKillWait=x",
                                "slurm.conf line 7: KillWait: \"x\" is not a number of seconds" },
                { "KillWait=3 \\\n ReturnToService=5",
                                "slurm.conf line 6: ReturnToService: 5 is not between 0 and 2" },
                { "KillWait", "slurm.conf line 5: \"KillWait\" is not Key=Value" },
                { "=3", "slurm.conf line 5: \"=3\" is not Key=Value" },
                { "SuspendProgram=/x --fast 3", "slurm.conf line 5: \"--fast\" is not Key=Value" },
                { "Epilog=\"/bin/x", "slurm.conf line 5: Epilog: a quote is not closed" },
                { "SlurmctldPort=70000",
                                "slurm.conf line 5: SlurmctldPort: 70000 is not between 1 and 65535" },
                { "SuspendRate=60001",
                                "slurm.conf line 5: SuspendRate: 60001 is not between 0 and 60000" },
                { "JobRequeue=maybe",
                                "slurm.conf line 5: JobRequeue: \"maybe\" is neither YES nor NO" },
                { "SelectType=select/cray_aries",
                                "slurm.conf line 5: SelectType: \"select/cray_aries\" is not a value of SelectType" },
                { "SelectTypeParameters=CR_Socket,CR_Core",
                                "slurm.conf line 5: SelectTypeParameters: CR_CPU, CR_Core and CR_Socket exclude each other" },
                { "SelectTypeParameters=CR_CPU,CR_ONE_TASK_PER_CORE",
                                "slurm.conf line 5: SelectTypeParameters: CR_ONE_TASK_PER_CORE cannot be used with CR_CPU" },
                { "SelectTypeParameters=CR_LLN",
                                "slurm.conf line 5: SelectTypeParameters: CR_LLN goes with one of CR_CPU, CR_Core and CR_Socket" },
                { "SelectTypeParameters=CR_Memory",
                                "slurm.conf line 5: SelectTypeParameters: CR_MEMORY goes with one of CR_CPU, CR_Core and CR_Socket" },
                { "PartitionName=x SelectTypeParameters=CR_CPU",
                                "slurm.conf line 5: PartitionName=x: SelectTypeParameters may be CR_Core, CR_Core_Memory, CR_Socket or CR_Socket_Memory" },
                { "SelectType=select/linear SelectTypeParameters=CR_Core",
                                "slurm.conf line 5: SelectTypeParameters: select/linear takes neither CR_CPU nor CR_Core nor CR_Socket" },
                { "SchedulerType=sched/hold",
                                "slurm.conf line 5: SchedulerType: \"sched/hold\" is not one of" },
                { "SlurmctldDebug=loud",
                                "slurm.conf line 5: SlurmctldDebug: \"loud\" is not one of quiet|fatal|" },
                { "SlurmdDebug=10",
                                "slurm.conf line 5: SlurmdDebug: \"10\" is not one of quiet|fatal|" },
                { "SlurmctldLogFile=ctld.log",
                                "slurm.conf line 5: SlurmctldLogFile: \"ctld.log\" is not an absolute path" },
                { "RebootProgram=reboot",
                                "slurm.conf line 5: RebootProgram: \"reboot\" is neither an absolute path nor the name of a PowerAction" },
                { "TmpFS=tmp", "slurm.conf line 5: TmpFS: \"tmp\" is not an absolute path" },
                { "UnkillableStepTimeout=0",
                                "UnkillableStepTimeout: 0 is not between 1 and 65533 seconds" },
                { "PreemptType=preempt/qos",
                                "slurm.conf line 5: PreemptType and PreemptMode values incompatible" },
                { "PreemptType=preempt/qos PreemptMode=SUSPEND",
                                "slurm.conf line 5: PreemptMode=SUSPEND requires GANG too" },
                { "PreemptType=preempt/account",
                                "slurm.conf line 5: PreemptType: \"preempt/account\" is not a value of PreemptType" },
                { "PreemptMode=CANCEL",
                                "slurm.conf: PreemptType and PreemptMode values incompatible" },
                { "PreemptMode=REQUEUE,GANG", "PreemptType and PreemptMode values incompatible" },
                { "PreemptMode=WITHIN", "PreemptType and PreemptMode values incompatible" },
                { "PreemptMode=PRIORITY", "PreemptType and PreemptMode values incompatible" },
                { "PreemptType=preempt/partition_prio PreemptMode=WITHIN,PRIORITY",
                                "values incompatible" },
                { "PreemptMode=GANG,PRIORITY,CANCEL", "PreemptMode=GANG,PRIORITY,CANCEL invalid" },
                { "PreemptMode=CANCEL,OFF", "PreemptMode=CANCEL,OFF invalid" },
                { "PreemptParameters=suspend_grace_time=soon",
                                "slurm.conf line 5: PreemptParameters: suspend_grace_time=soon: a whole number up to 3600" },
                { "PreemptParameters=suspend_grace_time=3601",
                                "suspend_grace_time=3601: a whole number up to 3600" },
                { "PreemptParameters=min_exempt_priority=x",
                                "slurm.conf line 5: PreemptParameters: min_exempt_priority=x: a whole number up to" },
                { "PreemptParameters=reorder_count",
                                "slurm.conf line 5: PreemptParameters: reorder_count=: a whole number up to" },
                { "SchedulerParameters=preempt_reorder_count=1.5",
                                "slurm.conf line 5: SchedulerParameters: preempt_reorder_count=1.5: a whole number up to" },
                { "SchedulerParameters=requeue_delay=soon",
                                "slurm.conf line 5: SchedulerParameters: requeue_delay=soon: a whole number" },
                { "PreemptExemptTime=UNLIMITED",
                                "slurm.conf line 5: PreemptExemptTime: \"UNLIMITED\" would keep every job from being preempted" },
                { "PreemptExemptTime=soon", "slurm.conf line 5: PreemptExemptTime: " },
                { "PreemptMode=OFF,SUSPEND", "PreemptMode=OFF,SUSPEND invalid" },
                { "PreemptMode=CANCEL,REQUEUE", "PreemptMode=CANCEL,REQUEUE invalid" },
                { "PreemptMode=GANG,WITHIN", "PreemptMode=GANG,WITHIN invalid" },
                { "PreemptMode=x", "PreemptMode=x invalid" },
                { "PreemptMode=", "PreemptMode= invalid" },
                { "PreemptMode=SUSPEND PreemptType=preempt/partition_prio",
                                "slurm.conf line 5: PreemptMode=SUSPEND requires GANG too" },
                { "PreemptMode=SUSPEND,GANG",
                                "slurm.conf: PreemptType and PreemptMode values incompatible" },
                { "PreemptType=preempt/partition_prio",
                                "PreemptType and PreemptMode values incompatible" },
                { "PreemptType=preempt/partition_prio PreemptMode=GANG", "values incompatible" },
                { "SlurmUser=no-such-user-here",
                                "SlurmUser: there is no user \"no-such-user-here\"" },
                { "Include other.conf", "slurm.conf line 5: Include is not possible here" },
                { "NodeName=n2", "slurm.conf line 5: NodeName: node n2 is named twice" },
                { "NodeName=x[1-", "slurm.conf line 5: NodeName: host list \"x[1-\"" },
                { "NodeName=x[1-3] NodeHostname=y[1-2]", "NodeHostname has 2 values for 3 nodes" },
                { "NodeName=x[1-3] Port=[1-2]", "Port has 2 values for 3 nodes" },
                { "NodeName=x Port=0", "Port 0 is not between" },
                { "NodeName=x CPUs=7 Sockets=2 CoresPerSocket=2", "CPUs=7 fits neither" },
                { "NodeName=x Sockets=3 Boards=2", "Sockets=3 is not a multiple of Boards=2" },
                { "NodeName=x Sockets=60000 CoresPerSocket=60000 ThreadsPerCore=60000",
                                "more than 65535 CPUs" },
                { "NodeName=x State=SLEEPY",
                                "slurm.conf line 5: State: \"SLEEPY\" is not one of UNKNOWN|" },
                { "NodeName=x KillWait=3",
                                "slurm.conf line 5: KillWait: NodeName lines have no such key" },
                { "NodeName=y[0-999999999]", "more than 131072 names" },
                { "PartitionName=p",
                                "slurm.conf line 5: PartitionName: partition p is named twice" },
                { "PartitionName=q Nodes=n[4-5]",
                                "slurm.conf line 5: PartitionName: there is no node \"n5\"" },
                { "PartitionName=q Exclusive=TOPO", "Exclusive=TOPO is not implemented" },
                { "PartitionName=q Exclusive=YES", "Exclusive=YES invalid (NO, NODE, USER)" },
                { "PartitionName=q OverSubscribe=YES:0", "OverSubscribe=YES:0 invalid" },
                { "PartitionName=q OverSubscribe=FORCE:x", "OverSubscribe=FORCE:x invalid" },
                { "PartitionName=q MaxTime=x", "slurm.conf line 5: MaxTime: \"x\" is not a time" },
                { "PartitionName=q MinNodes=3 MaxNodes=2", "MinNodes=3 is more than MaxNodes=2" },
                { "PartitionName=\"a b,c\"", "cannot be the name of a partition" },
                { "PartitionName=q PreemptMode=CANCEL,REQUEUE",
                                "PreemptMode=CANCEL,REQUEUE invalid" },
                { "PreemptType=preempt/partition_prio PreemptMode=CANCEL\nPartitionName=q PreemptMode=SUSPEND",
                                "slurm.conf line 6: PartitionName=q: PreemptMode=SUSPEND of a partition requires GANG in the PreemptMode of the cluster" },
                { "PartitionName=q GraceTime=x", "GraceTime: \"x\" is not a whole number" },
                { "PartitionName=q DefMemPerCPU=-1", "DefMemPerCPU: \"-1\" is not a whole number" },
                { "PartitionName=DEFAULT Colour=red",
                                "Colour: PartitionName lines have no such key" },
                { "NodeSet=s Nodes=n9", "NodeSet: there is no node \"n9\"" },
                { "NodeSet=n1 Nodes=n1", "NodeSet: n1 is named twice" },
                { "DownNodes=n9", "DownNodes: there is no node \"n9\"" },
                { "FirstJobId=10 MaxJobId=5", "FirstJobId is more than MaxJobId" },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                _cleanup_free_ char *text = xasprintf(BASE "%s\n", bad[i].line);
                struct config *c = NULL;
                struct fail fail = { 0 };

                if (parse(text, &c, &fail) >= 0)
                        fail_msg("%s is accepted", bad[i].line);
                assert_null(c);
                if (!strstr(fail.text, bad[i].message))
                        fail_msg("%s: \"%s\" instead of \"%s\"", bad[i].line, fail.text,
                                        bad[i].message);
        }
}

static void what_must_be_there_is_asked_for(void **state) {
        static const struct {
                const char *text, *message;
        } bad[] = {
                { "", "slurm.conf: ClusterName is missing" },
                { "ClusterName=c\n", "slurm.conf: SlurmctldHost is missing" },
                { "ClusterName=c\nSlurmctldHost=h\n", "slurm.conf: PartitionName is missing" },
                { "SlurmctldHost=a(b\n",
                                "line 1: SlurmctldHost: \"a(b\" is not host or host(address)" },
                { "SlurmctldHost=a()\n", "is not host or host(address)" },
                { "SlurmctldHost=a(b)c\n", "is not host or host(address)" },
                { "ClusterName=c/d\nSlurmctldHost=h\n", "ClusterName: \"c/d\"" },
        };
        struct config *c = NULL;
        struct fail fail = { 0 };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                assert_true(parse(bad[i].text, &c, &fail) < 0);
                assert_non_null(strstr(fail.text, bad[i].message));
        }
        assert_true(config_parse("slurm.conf", "a\0b", 3, &c, &fail) < 0);
        assert_non_null(strstr(fail.text, "zero byte"));
}

static void unused_keys_give_one_warning_each(void **state) {
        _cleanup_(config_freep) struct config *c = must_parse(BASE
                        "MpiDefault=none\nInactiveLimit=0\nPriorityParameters=x\n"
                        "TaskPluginParam=SlurmdOffSpec\nJobCompType=jobcomp/none\n"
                        "NodeName=a[1-2] TRESWeights=x CoreSpecCount=0\nNodeName=b TRESWeights=y\n"
                        "PartitionName=q JobDefaults=x\nKillWait=10\nKillWait=11\nSlurmctldHost=backup\n"
                        "SuspendExcParts=p,zz\n"
                        "MailDomain=x TreeWidth=65 MessageTimeout=10\nSlurmdUser=0\nSlurmdPidFile=/run/slurmd.pid\nSlurmctldPidFile=/x.pid\n"
                        "NodeName=g CPUs=2\nSchedulerParameters=sbatch_wait_nodes,bf_yield_sleep=9\n"
                        "SlurmctldParameters=cloud_dns,max_powered_nodes=3,max_dbd_msg_action=discard\n"
                        "ReconfigFlags=KeepNodeStateFuture\nSlurmdParameters=shutdown_on_reboot,config_overrides\n"
                        "PreemptParameters=min_exempt_priority=9,reclaim_licenses,reorder_count=2,send_user_signal,strict_order,"
                        "suspend_grace_time=2,youngest_first\n");
        static const char *const warnings[] = {
                "slurm.conf line 7: PriorityParameters is not used by Slumber",
                "slurm.conf line 14: KillWait stands twice, the last one counts",
                "slurm.conf line 10: TRESWeights is not used by Slumber",
                "slurm.conf line 12: JobDefaults is not used by Slumber",
                "slurm.conf line 16: SuspendExcParts: there is no partition \"zz\"",
                "slurm.conf line 22: SchedulerParameters=bf_yield_sleep is not used by Slumber",
                "slurm.conf line 23: SlurmctldParameters=max_dbd_msg_action is not used by Slumber",
                "slurm.conf line 24: ReconfigFlags=KeepNodeStateFuture is not used by Slumber",
                "slurm.conf line 25: SlurmdParameters=shutdown_on_reboot is not used by Slumber",
        };

        (void)state;
        assert_int_equal(c->n_warnings, ELEMENTSOF(warnings));
        for (size_t i = 0; i < ELEMENTSOF(warnings); i++)
                assert_string_equal(c->warnings[i], warnings[i]);
        assert_int_equal(c->kill_wait, 11 * S);
        assert_string_equal(c->controller_host, "ctl");
}

/* By a wrong word a guard may be missing: it refuses the start and names those that are known. */
static void wrong_words_are_refused(void **state) {
        static const char *const rows[][2] = {
                { "PrologFlags=contian", "PrologFlags: \"contian\" is none of Alloc, Contain, " },
                { "TaskPlugin=task/affinity,task/cgorup",
                                "TaskPlugin: \"task/cgorup\" is none of task/none, none, " },
                { "AuthType=auth/foo", "\"auth/foo\" is not one of auth/munge|auth/slurm" },
                { "AuthAltTypes=auth/jtw", "\"auth/jtw\" is not one of auth/jwt" },
                { "CredType=cred/foo", "\"cred/foo\" is not one of " },
                { "ProctrackType=proctrack/cgruop", "\"proctrack/cgruop\" is not one of " },
                { "TLSType=tls/s3n", "\"tls/s3n\" is not one of tls/none|tls/s2n" },
                { "PropagatePrioProcess=3", "\"3\" is not one of 0|1|2" },
                { "TrackWCKey=yse", "\"yse\" is not one of YES|NO" },
                { "UsePAM=onn", "\"onn\" is not one of YES|NO" },
                { "AccountingStorageEnforce=asociations",
                                "\"asociations\" is none of none, no, 0, associations" },
                { "CommunicationParameters=NoInAdrAny", "\"NoInAdrAny\" is none of NoInAddrAny" },
                { "SlurmctldParameters=rl_enabel", "\"rl_enabel\" is none of allow_user_triggers" },
                { "SchedulerParameters=max_script_sise=9", "\"max_script_sise\" is none of " },
                { "ReconfigFlags=KeepPartInfos", "\"KeepPartInfos\" is none of " },
                { "JobAcctGatherParams=OverMemoryKil",
                                "\"OverMemoryKil\" is none of OverMemoryKill" },
                { "TopologyParam=NoInAdrAny", "\"NoInAdrAny\" is none of TopoOptional" },
                { "PrivateData=job", "\"job\" is not one of accounts" },
                { "MailDomain=a|b", "MailDomain: \"a|b\" is no domain" },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_free_ char *text = xasprintf(BASE "%s\n", rows[i][0]);
                struct config *c = NULL;
                struct fail fail = { 0 };

                assert_true(parse(text, &c, &fail) < 0);
                if (!strstr(fail.text, rows[i][1]))
                        fail_msg("%s: %s", rows[i][0], fail.text);
        }
}

/* Slurm passes over words of lists that neither check nor protect. */
static void words_of_a_later_slurm_are_passed_over(void **state) {
        _cleanup_(config_freep) struct config *c = must_parse(BASE
                        "SchedulerParameters=bf_of_tomorrow=3,bf_interval=7,bb_array_stage_cnt=2,bf_allow_magnetic_slot\n"
                        "SlurmctldParameters=foo\nLaunchParameters=bar=1\n"
                        "SlurmdParameters=conmgr_quiesce_timeout=1,conmgr_wait_write_delay=1\n"
                        "DebugFlags=ExtSensors,TimeCray,MPI\n");
        static const char *const warnings[] = {
                "slurm.conf line 5: SchedulerParameters=bf_of_tomorrow is not used by Slumber: no such word is known",
                "slurm.conf line 5: SchedulerParameters=bb_array_stage_cnt is not used by Slumber",
                "slurm.conf line 5: SchedulerParameters=bf_allow_magnetic_slot is not used by Slumber",
                "slurm.conf line 6: SlurmctldParameters=foo is not used by Slumber: no such word is known",
                "slurm.conf line 7: LaunchParameters=bar is not used by Slumber: no such word is known",
                "slurm.conf line 8: SlurmdParameters=conmgr_quiesce_timeout is not used by Slumber",
                "slurm.conf line 8: SlurmdParameters=conmgr_wait_write_delay is not used by Slumber",
        };

        (void)state;
        assert_true(c->n_warnings >= ELEMENTSOF(warnings));
        for (size_t i = 0; i < ELEMENTSOF(warnings); i++) {
                size_t n = 0;
                for (size_t k = 0; k < c->n_warnings; k++)
                        n += streq(c->warnings[k], warnings[i]);
                if (n != 1)
                        fail_msg("%zu times: %s", n, warnings[i]);
        }
}

static void hooks_are_several_paths(void **state) {
        _cleanup_(config_freep) struct config *c = must_parse(BASE
                        "Prolog=/a\nEpilog=/e/*\nprolog=/b/[0-9]*\nPrologEpilogTimeout=30\n"
                        "PrologFlags=deferbatch,Serial\nSchedulerParameters=nohold_on_prolog_fail\n");
        _cleanup_(config_freep) struct config *none = must_parse(BASE "PrologFlags=Alloc\n");
        struct config *bad = NULL;
        struct fail fail = { 0 };

        (void)state;
        assert_string_equal(c->prolog, "/a,/b/[0-9]*");
        assert_string_equal(setting(c, "Prolog"), "/a,/b/[0-9]*");
        assert_string_equal(c->epilog, "/e/*");
        assert_int_equal(c->prolog_epilog_timeout, 30);
        assert_int_equal(c->prolog_flags, PROLOG_ALLOC | PROLOG_DEFER | PROLOG_SERIAL);
        assert_true(c->nohold_on_prolog_fail);
        assert_int_equal(c->n_warnings, 0);
        assert_int_equal(none->prolog_flags, 0); /* there is nothing to run */
        assert_int_equal(none->prolog_epilog_timeout, 65534);
        _cleanup_(config_freep) struct config *in_job = must_parse(BASE "PrologFlags=RunInJob\n");
        assert_int_equal(in_job->prolog_flags, PROLOG_ALLOC | PROLOG_CONTAIN | PROLOG_IN_JOB);
        assert_int_equal(parse(BASE "Prolog=hook\n", &bad, &fail), -EINVAL);
        assert_string_equal(fail.text,
                        "slurm.conf line 5: Prolog: \"hook\" is not an absolute path");
}

static void what_is_enforced_comes_with_what_it_implies(void **state) {
        static const struct {
                const char *text;
                unsigned bits;
        } rows[] = {
                { "", 0 },
                { "AccountingStorageEnforce=none\n", 0 },
                { "AccountingStorageEnforce=associations\n", ENFORCE_ASSOCIATIONS },
                { "AccountingStorageEnforce=Limits,nosteps\n",
                                ENFORCE_ASSOCIATIONS | ENFORCE_LIMITS | ENFORCE_NO_STEPS },
                { "AccountingStorageEnforce=qos\n", ENFORCE_ASSOCIATIONS | ENFORCE_QOS },
                { "AccountingStorageEnforce=safe\n",
                                ENFORCE_ASSOCIATIONS | ENFORCE_LIMITS | ENFORCE_SAFE },
                { "AccountingStorageEnforce=all\n", ENFORCE_ASSOCIATIONS | ENFORCE_LIMITS |
                                                                    ENFORCE_QOS | ENFORCE_SAFE },
        };
        struct fail fail = { 0 };
        struct config *bad = NULL;

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_free_ char *text = xasprintf("%s%s", BASE, rows[i].text);
                _cleanup_(config_freep) struct config *c = must_parse(text);
                assert_int_equal(c->enforce, rows[i].bits);
        }
        static const char none[] = BASE
                        "AccountingStorageType=accounting_storage/none\nAccountingStorageEnforce=qos\n";
        assert_true(config_parse("slurm.conf", none, sizeof none - 1, &bad, &fail) < 0);
        assert_non_null(strstr(fail.text, "AccountingStorageEnforce wants accounts"));
        static const char word[] = BASE "AccountingStorageEnforce=limit\n";
        assert_true(config_parse("slurm.conf", word, sizeof word - 1, &bad, &fail) < 0);
        assert_non_null(strstr(fail.text,
                        "AccountingStorageEnforce: \"limit\" is none of none, no, 0, associations"));
}

static void the_older_priority_sets_both(void **state) {
        _cleanup_(config_freep) struct config *c = must_parse(BASE
                        "PartitionName=q Priority=5\nPartitionName=r Priority=5 PriorityTier=7\n"
                        "PartitionName=DEFAULT PriorityTier=3\nPartitionName=s\n");
        static const unsigned tiers[] = { 1, 5, 5, 3 }; /* as Slurm 22.05 */

        (void)state;
        assert_int_equal(c->n_partitions, ELEMENTSOF(tiers));
        for (size_t i = 0; i < ELEMENTSOF(tiers); i++)
                assert_int_equal(c->partitions[i].priority_tier, tiers[i]);
        assert_int_equal(c->partitions[1].priority_job_factor, 5);
        assert_int_equal(c->partitions[3].priority_job_factor, 1);
}

static void memory_per_node_beats_per_cpu(void **state) {
        _cleanup_(config_freep) struct config *c = must_parse(BASE
                        "DefMemPerCPU=7\nDefMemPerNode=500\nMaxMemPerCPU=90\n"
                        "PartitionName=b DefMemPerCPU=3 MaxMemPerNode=50 MaxMemPerCPU=5\nNodeName=i State=IDLE\n");
        static const char *const warnings[] = {
                "slurm.conf line 8: MaxMemPerCPU is ignored beside MaxMemPerNode",
                "slurm.conf line 5: DefMemPerCPU is ignored beside DefMemPerNode",
        };

        (void)state;
        assert_int_equal(c->n_warnings, ELEMENTSOF(warnings));
        for (size_t i = 0; i < ELEMENTSOF(warnings); i++)
                assert_string_equal(c->warnings[i], warnings[i]);
        assert_string_equal(setting(c, "DefMemPerNode"), "500");
        assert_string_equal(setting(c, "MaxMemPerCPU"), "90");
        assert_int_equal(c->partitions[1].def_mem_per_cpu, 3);
        assert_int_equal(c->partitions[1].max_mem_per_cpu, 0);
}

static void options_inside_parameters_are_found(void **state) {
        _cleanup_(config_freep) struct config *c = must_parse(BASE
                        "SlurmctldParameters=cloud_dns,node_reg_mem_percent=92.5,idle_on_node_suspend\n"
                        "SlurmdParameters=config_overrides\nSchedulerParameters=defer=1,sbatch_wait_nodes,bf_easy,bf_window=60\n"
                        "EnforcePartLimits=ALL\nDefMemPerCPU=200\n");

        (void)state;
        assert_true(c->cloud_dns);
        assert_true(c->idle_on_node_suspend);
        assert_true(c->config_overrides);
        assert_true(c->sbatch_wait_nodes);
        assert_true(c->bf.on);
        assert_true(c->bf.easy);
        assert_int_equal(c->bf.window, 3600 * S);
        assert_int_equal(c->bf.interval, 30 * S);
        assert_int_equal(c->n_warnings, 1); /* defer */
        assert_false(c->salloc_wait_nodes);
        assert_true(c->enforce_part_limits);
        assert_true(c->node_reg_mem_percent > 92.4 && c->node_reg_mem_percent < 92.6);
        assert_string_equal(setting(c, "DefMemPerCPU"), "200");
}

static void a_percentage_that_is_none_is_an_error(void **state) {
        static const char *const bad[] = {
                "",
                "=",
                "=0",
                "=101",
                "=-5",
                "=1e1",
                "=nan",
                "=50%",
                "= 50",
                "=5 0",
                "=1.2.3",
                "=x",
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                _cleanup_free_ char *text = xasprintf(
                                BASE "SlurmctldParameters=\"node_reg_mem_percent%s\"\n", bad[i]);
                struct config *c = NULL;
                struct fail fail = { 0 };
                assert_int_equal(parse(text, &c, &fail), -EINVAL);
                assert_non_null(strstr(fail.text, "SlurmctldParameters: node_reg_mem_percent="));
                assert_non_null(strstr(fail.text,
                                "a percentage above 0 and up to 100 was expected"));
        }
}

static void preempt_modes_survive_the_round_trip(void **state) {
        static const char *const texts[] = { "OFF", "GANG", "SUSPEND", "GANG,SUSPEND", "CANCEL",
                "GANG,CANCEL", "REQUEUE", "GANG,REQUEUE", "WITHIN", "WITHIN,CANCEL",
                "PRIORITY,REQUEUE", "WITHIN,PRIORITY,CANCEL" };
        unsigned mode;

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(texts); i++) {
                assert_int_equal(preempt_mode_parse(texts[i], &mode, NULL), 0);
                assert_string_equal(preempt_mode_text(mode), texts[i]);
        }
        assert_int_equal(preempt_mode_parse("on", &mode, NULL), 0);
        assert_int_equal(mode, PREEMPT_SUSPEND);
        assert_string_equal(preempt_mode_text(PREEMPT_UNSET), "CLUSTER");
}

static void preempt_parameters_have_two_places(void **state) {
        static const char on[] = "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n";
        static const struct {
                const char *text;
                bool strict, youngest, signal;
                uint32_t reorder, exempt;
        } same[] = {
                { "", false, false, false, 1, UINT32_MAX },
                { "PreemptParameters=strict_order,youngest_first,send_user_signal,reorder_count=3,min_exempt_priority=7",
                                true, true, true, 3, 7 },
                { "SchedulerParameters=preempt_strict_order,preempt_youngest_first,preempt_reorder_count=3\n"
                  "SlurmctldParameters=preempt_send_user_signal",
                                true, true, true, 3, UINT32_MAX },
                { "SchedulerParameters=preempt_reorder_count=3\nPreemptParameters=reorder_count=0",
                                false, false, false, 0, UINT32_MAX },
                { "PreemptParameters=reorder_count=-2", false, false, false, 1, UINT32_MAX },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(same); i++) {
                _cleanup_free_ char *text = xasprintf(BASE "%s%s\n", on, same[i].text);
                _cleanup_(config_freep) struct config *c = must_parse(text);
                assert_int_equal(c->preempt.strict_order, same[i].strict);
                assert_int_equal(c->preempt.youngest_first, same[i].youngest);
                assert_int_equal(c->preempt.send_user_signal, same[i].signal);
                assert_int_equal(c->preempt.reorder_count, same[i].reorder);
                assert_int_equal(c->preempt.min_exempt_priority, same[i].exempt);
                assert_int_equal(c->n_warnings, i == 4);
        }
}

static void never_suspended_partition_is_named(void **state) {
        _cleanup_(config_freep) struct config *c = must_parse(
                        "ClusterName=c\nSlurmctldHost=h\nPreemptMode=SUSPEND,GANG PreemptType=preempt/partition_prio\n"
                        "NodeName=n[1-9]\n"
                        /* for high and top: told once */
                        "PartitionName=low Nodes=n[1-4] Default=YES\n"
                        "PartitionName=some Nodes=n[2-4] OverSubscribe=YES:2\n"
                        /* so it is meant */
                        "PartitionName=off Nodes=n[1-4] PreemptMode=OFF\n"
                        "PartitionName=ended Nodes=n[1-4] PreemptMode=CANCEL\n"
                        /* as it should be */
                        "PartitionName=forced Nodes=n[1-7] OverSubscribe=FORCE:1\n"
                        /* no job comes there */
                        "PartitionName=apart Nodes=n9\n"
                        "PartitionName=high Nodes=n[4-6] PriorityTier=2 OverSubscribe=FORCE:1\n"
                        "PartitionName=top Nodes=n[4,7] PriorityTier=3 OverSubscribe=EXCLUSIVE\n");
        static const char *const warnings[] = {
                "slurm.conf line 5: PartitionName=low: with OverSubscribe=NO its jobs cannot be suspended for those of high: "
                "set OverSubscribe=FORCE:1 (or PreemptMode=OFF, if they are not to be)",
                "slurm.conf line 6: PartitionName=some: with OverSubscribe=YES its jobs without --oversubscribe cannot be suspended for those of high: "
                "set OverSubscribe=FORCE:1 (or PreemptMode=OFF, if they are not to be)",
                "slurm.conf line 12: PartitionName=top: with OverSubscribe=EXCLUSIVE its jobs cannot suspend those of low: "
                "set another, its jobs may ask for whole nodes by --exclusive",
        };

        (void)state;
        assert_int_equal(c->n_warnings, ELEMENTSOF(warnings));
        for (size_t i = 0; i < ELEMENTSOF(warnings); i++)
                assert_string_equal(c->warnings[i], warnings[i]);
        _cleanup_(config_freep) struct config *linear = must_parse(
                        "ClusterName=c\nSlurmctldHost=h\nPreemptMode=SUSPEND,GANG PreemptType=preempt/partition_prio\nSelectType=select/linear\n"
                        "NodeName=n1\nPartitionName=low Nodes=n1 Default=YES\nPartitionName=high Nodes=n1 PriorityTier=2 OverSubscribe=EXCLUSIVE\n");
        assert_int_equal(linear->n_warnings, 0);
}

static void memory_is_watched_where_all_three_keys_say_so(void **state) {
#define KILL "JobAcctGatherParams=OverMemoryKill\n"
#define TYPE "JobAcctGatherType=jobacct_gather/linux\n"
        static const struct {
                const char *text;
                unsigned every; /* s */
                enum memory_watched what;
                const char *warning;
        } good[] = {
                { "", 0, MEMORY_RSS, NULL },
                { "JobAcctGatherType=jobacct_gather/none\n", 0, MEMORY_RSS, NULL },
                { TYPE, 0, MEMORY_RSS, NULL },
                { KILL, 0, MEMORY_RSS,
                                "JobAcctGatherParams=OverMemoryKill does nothing with JobAcctGatherType=jobacct_gather/none" },
                { TYPE KILL, 30, MEMORY_RSS, NULL },
                { TYPE KILL "JobAcctGatherFrequency=5\n", 5, MEMORY_RSS, NULL },
                { TYPE KILL "JobAcctGatherFrequency=energy=9,task=7\n", 7, MEMORY_RSS, NULL },
                { TYPE KILL "JobAcctGatherFrequency=energy=9\n", 30, MEMORY_RSS, NULL },
                { TYPE KILL "JobAcctGatherFrequency=0\n", 0, MEMORY_RSS,
                                "JobAcctGatherParams=OverMemoryKill does nothing with JobAcctGatherFrequency=0" },
                { "JobAcctGatherType=jobacct_gather/cgroup\nJobAcctGatherParams=UsePss,OverMemoryKill\n",
                                30, MEMORY_PSS, NULL },
                { TYPE "JobAcctGatherParams=NoShared,OverMemoryKill\n", 30, MEMORY_OWN, NULL },
                { TYPE "JobAcctGatherParams=OverMemoryKill,DisableGPUAcct\n", 30, MEMORY_RSS,
                                "JobAcctGatherParams=DisableGPUAcct is not used by Slumber" },
        };
        static const struct {
                const char *text, *error;
        } bad[] = {
                { "JobAcctGatherType=jobacct_gather/magic\n",
                                "slurm.conf line 5: JobAcctGatherType: \"jobacct_gather/magic\" is not one of jobacct_gather/none, /linux and /cgroup" },
                { "JobAcctGatherFrequency=often\n",
                                "slurm.conf line 5: JobAcctGatherFrequency: \"often\" is neither a number of seconds up to 86400 nor task=SECONDS,..." },
                { "JobAcctGatherFrequency=task=-1\n",
                                "slurm.conf line 5: JobAcctGatherFrequency: \"task=-1\" is neither a number of seconds up to 86400 nor task=SECONDS,..." },
                { "JobAcctGatherFrequency=taks=3\n",
                                "slurm.conf line 5: JobAcctGatherFrequency: \"taks=3\" is neither a number of seconds up to 86400 nor task=SECONDS,..." },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(good); i++) {
                _cleanup_free_ char *text = xasprintf(BASE "%s", good[i].text);
                _cleanup_(config_freep) struct config *c = must_parse(text);
                assert_int_equal(c->memory_watch, good[i].every * USEC_PER_SEC);
                assert_int_equal(c->memory_watched, good[i].what);
                assert_int_equal(c->n_warnings, good[i].warning != NULL);
                if (good[i].warning)
                        assert_non_null(strstr(c->warnings[0], good[i].warning));
        }
        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                _cleanup_free_ char *text = xasprintf(BASE "%s", bad[i].text);
                struct config *c = NULL;
                struct fail fail = { 0 };
                assert_true(parse(text, &c, &fail) < 0);
                assert_string_equal(fail.text, bad[i].error);
        }
}

static void the_plugin_for_tasks_is_read(void **state) {
        static const struct {
                const char *text, *bind, *autobind, *warning;
                bool affinity, verbose;
        } rows[] = {
                { "", "", "", NULL, false, false },
                { "TaskPlugin=task/cgroup\n", "", "", NULL, false, false },
                { "TaskPlugin=task/cgroup,task/affinity\n", "", "", NULL, true, false },
                { "TaskPlugin=affinity\n", "", "", NULL, true, false },
                { "TaskPlugin=task/affinity\nTaskPluginParam=Verbose,Cores\n", "cores", "", NULL,
                                true, true },
                { "TaskPlugin=task/affinity\nTaskPluginParam=AutoBind=Threads\n", "", "threads",
                                NULL, true, false },
                { "TaskPluginParam=none\n", "none", "",
                                "TaskPluginParam=none does nothing without TaskPlugin=task/affinity",
                                false, false },
                { "TaskPlugin=task/cray_aries\n", "", "",
                                "TaskPlugin=task/cray_aries is not used by Slumber", false, false },
        };
        static const char *const bad[] = {
                "cores,threads",
                "hyperthreads",
                "autobind=x",
                "autobind",
        };
        struct config *c = NULL;

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_free_ char *text = xasprintf(BASE "%s", rows[i].text);
                c = must_parse(text);
                assert_int_equal(c->task.affinity, rows[i].affinity);
                assert_int_equal(c->task.verbose, rows[i].verbose);
                assert_string_equal(c->task.bind, rows[i].bind);
                assert_string_equal(c->task.autobind, rows[i].autobind);
                assert_int_equal(c->n_warnings, rows[i].warning ? 1 : 0);
                if (rows[i].warning)
                        assert_non_null(strstr(c->warnings[0], rows[i].warning));
                config_free(c);
        }
        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                _cleanup_free_ char *text = xasprintf(BASE "TaskPluginParam=%s\n", bad[i]);
                struct fail fail = { 0 };
                assert_true(parse(text, &c, &fail) < 0);
                assert_non_null(strstr(fail.text, "TaskPluginParam"));
        }
}

static void an_exempt_time_is_a_duration(void **state) {
        static const struct {
                const char *text;
                usec_t time;
                const char *shown;
        } times[] = {
                { "-1", 0, "00:00:00" },
                { "5", 300, "00:05:00" },
                { "5:30", 330, "00:05:30" },
                { "1-2", 26 * 3600, "1-02:00:00" },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(times); i++) {
                _cleanup_free_ char *text = xasprintf(BASE "PreemptExemptTime=%s\n", times[i].text);
                _cleanup_(config_freep) struct config *c = must_parse(text);
                assert_int_equal(c->preempt_exempt_time, times[i].time * USEC_PER_SEC);
                for (size_t k = 0; k < c->n_settings; k++)
                        if (streq(c->settings[k].key, "PreemptExemptTime"))
                                assert_string_equal(c->settings[k].value, times[i].shown);
        }
}

static void a_node_line_of_slumberd_is_read(void **state) {
        struct config_node n = { 0 };
        struct fail fail = { 0 };

        (void)state;
        assert_int_equal(config_parse_node_line("NodeName=n1 CPUs=4 RealMemory=100 Feature=a", &n,
                                         NULL, &fail),
                        0);
        assert_string_equal(n.name, "n1");
        assert_int_equal(n.cpus, 4);
        assert_int_equal(n.real_memory, 100);
        assert_string_equal(n.features, "a");
        config_node_done(&n);
        assert_int_equal(config_parse_node_line("RealMemory=100 Gres=gpu:2", &n, NULL, &fail), 0);
        assert_null(n.name);
        assert_string_equal(n.gres, "gpu:2");
        config_node_done(&n);
        assert_true(config_parse_node_line("NodeName=n[1-2]", &n, NULL, &fail) < 0);
        assert_string_equal(fail.text, "--conf: NodeName: more than one node");
        assert_true(config_parse_node_line("CPUs=x", &n, NULL, &fail) < 0);
        assert_string_equal(fail.text, "--conf line 1: CPUs: \"x\" is not a whole number");
        assert_true(config_parse_node_line("Colour=x", &n, NULL, &fail) < 0);
        assert_true(config_parse_node_line("Include x", &n, NULL, &fail) < 0);
}

static void old_keys_count_or_are_told(void **state) {
        _cleanup_(config_freep) struct config *c = must_parse(
                        "ClusterName=c\nControlMachine=ctl\nControlAddr=10.0.0.1\nBackupController=b\nBackupAddr=b\nCryptoType=crypto/munge\n"
                        "FastSchedule=0\nSelectType=select/cons_res\nSelectTypeParameters=CR_CPU\nSlurmctldPort=6820-6830\nSchedulerParameters=max_switch_wait=24:00:00\n"
                        "RoutePlugin=route/topology\nKeepAliveTime=60\nHealthCheckTimeout=9\nMetricsType=metrics/none\nLicenseParameters=x\n"
                        "CacheGroups=0\nSchedulerPort=7321\nJobCheckpointDir=/x\nAccountingStoreJobComment=YES\nAccountingStorageLoc=x\n"
                        "AccountingStorageType=accounting_storage/filetxt\nProctrackType=proctrack/pgid\nJobAcctGatherType=jobacct_gather/linux\n"
                        "NodeName=n1\nPartitionName=p Nodes=ALL\nStateSaveLocation=\n");
        static const char *const warnings[] = {
                "slurm.conf line 4: BackupController is not used by Slumber: there is one controller",
                "slurm.conf line 5: BackupAddr is not used by Slumber: there is one controller",
                "slurm.conf line 12: RoutePlugin is not used by Slumber: Slurm has dropped it",
                "slurm.conf line 16: LicenseParameters is not used by Slumber",
                "slurm.conf line 17: CacheGroups is not used by Slumber: Slurm has dropped it",
                "slurm.conf line 18: SchedulerPort is not used by Slumber: Slurm has dropped it",
                "slurm.conf line 19: JobCheckpointDir is not used by Slumber: Slurm has dropped it",
                "slurm.conf line 20: AccountingStoreJobComment is not used by Slumber: it is AccountingStoreFlags now",
                "slurm.conf line 21: AccountingStorageLoc is not used by Slumber: the controller keeps the accounts itself",
                "slurm.conf line 22: AccountingStorageType: accounting_storage/filetxt is not used by Slumber: the controller keeps the accounts itself",
                "slurm.conf line 8: SelectType: select/cons_res is select/cons_tres now",
                "slurm.conf line 7: FastSchedule=0 is not used by Slumber: jobs are placed by what a node's line says",
                "slurm.conf line 10: SlurmctldPort: of the range port 6820 is used",
        };

        (void)state;
        assert_int_equal(c->n_warnings, ELEMENTSOF(warnings));
        for (size_t i = 0; i < ELEMENTSOF(warnings); i++)
                assert_string_equal(c->warnings[i], warnings[i]);
        assert_string_equal(c->controller_host, "ctl");
        assert_string_equal(c->controller_address, "10.0.0.1");
        assert_int_equal(c->slurmctld_port, 6820);
        assert_string_equal(setting(c, "SlurmctldPort"), "6820-6830");
        assert_int_equal(c->select_type, SELECT_CONS_TRES);
        assert_true(c->max_switch_wait == 86400 * S);
        assert_string_equal(c->state_save_location, "/var/spool"); /* nothing is the default */
        assert_false(c->config_overrides);
        _cleanup_(config_freep) struct config *fast = must_parse(
                        BASE "FastSchedule=2\nControlMachine=other\n");
        assert_true(fast->config_overrides);
        assert_string_equal(fast->controller_host, "ctl");
        assert_string_equal(fast->warnings[0],
                        "slurm.conf line 6: ControlMachine is ignored beside SlurmctldHost");
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(defaults_are_slurms),
                cmocka_unit_test(settings_read_like_show_config),
                cmocka_unit_test(every_setting_can_be_written_back),
                cmocka_unit_test(lines_are_joined_quoted_and_commented),
                cmocka_unit_test(ranges_of_nodes_and_ports_run_side_by_side),
                cmocka_unit_test(partitions_take_defaults_and_their_own),
                cmocka_unit_test(what_means_nothing_to_whole_nodes_is_noted),
                cmocka_unit_test(what_gpus_bring_is_read_and_shown),
                cmocka_unit_test(mistakes_are_told_with_their_place),
                cmocka_unit_test(what_must_be_there_is_asked_for),
                cmocka_unit_test(unused_keys_give_one_warning_each),
                cmocka_unit_test(wrong_words_are_refused),
                cmocka_unit_test(words_of_a_later_slurm_are_passed_over),
                cmocka_unit_test(hooks_are_several_paths),
                cmocka_unit_test(what_is_enforced_comes_with_what_it_implies),
                cmocka_unit_test(the_older_priority_sets_both),
                cmocka_unit_test(memory_per_node_beats_per_cpu),
                cmocka_unit_test(options_inside_parameters_are_found),
                cmocka_unit_test(a_percentage_that_is_none_is_an_error),
                cmocka_unit_test(preempt_modes_survive_the_round_trip),
                cmocka_unit_test(preempt_parameters_have_two_places),
                cmocka_unit_test(never_suspended_partition_is_named),
                cmocka_unit_test(memory_is_watched_where_all_three_keys_say_so),
                cmocka_unit_test(the_plugin_for_tasks_is_read),
                cmocka_unit_test(an_exempt_time_is_a_duration),
                cmocka_unit_test(a_node_line_of_slumberd_is_read),
                cmocka_unit_test(old_keys_count_or_are_told),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
