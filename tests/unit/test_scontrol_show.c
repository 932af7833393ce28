/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Golden records: the lines of Slurm 25.05 in their order, as the real one prints them for such
   jobs and nodes. */
#include "tests/unit/test.h"

#include "commands/records.h"

#define SECOND USEC_PER_SEC
#define START  (UINT64_C(1795226042) * SECOND) /* 2026-11-21T01:54:02Z */

static const struct record_view plain, one_liner = { .one_liner = true },
                                       details = { .details = true };

static FILE *capture(char **text) {
        static size_t size;

        setenv("TZ", "UTC", 1);
        return open_memstream(text, &size);
}

static void fill_job(Job *job, Slumber__JobSpec *spec) {
        slumber__job__init(job);
        slumber__job_spec__init(spec);
        job->spec = spec;
        job->id = 2;
        spec->name = (char *)"two";
        spec->batch = true;
        spec->num_tasks = 16;
        spec->min_nodes = 2;
        spec->comment = (char *)"a comment";
        spec->work_dir = (char *)"/work";
        spec->submit_host = (char *)"localhost";
        spec->submit_pid = 3650;
        job->user = job->group = (char *)"root";
        job->state = SLUMBER__JOB_STATE__JOB_RUNNING;
        job->priority = 4294901758;
        job->requeue = true;
        job->submit_time = job->eligible_time = job->accrue_time = job->start_time =
                        job->last_sched_eval = START;
        job->run_time = 5 * SECOND;
        job->time_limit = NO_LIMIT;
        job->partition = (char *)"main";
        job->nodes = (char *)"n[3-4]";
        job->batch_host = (char *)"n3";
        job->num_nodes = 2;
        job->num_cpus = 16;
        job->mem_per_node = 200;
}

static void any_number_of_tasks_on_a_core_is_a_star(void **state) {
        _cleanup_free_ char *text = NULL;
        Slumber__JobSpec spec;
        Job job;
        FILE *out = capture(&text);

        fill_job(&job, &spec);
        spec.ntasks_per_core = TASKS_PER_CORE_ANY; /* --hint=multithread */
        record_print_job(&plain, &job, out);
        fclose(out);
        assert_non_null(strstr(text, " NtasksPerN:B:S:C=0:0:*:* CoreSpec"));
}

static void a_running_job_has_slurms_lines(void **state) {
        _cleanup_free_ char *text = NULL;
        Slumber__JobSpec spec;
        Job job;
        FILE *out = capture(&text);

        fill_job(&job, &spec);
        record_print_job(&plain, &job, out);
        fclose(out);
        assert_string_equal(text,
                        "JobId=2 JobName=two\n"
                        "   UserId=root(0) GroupId=root(0) MCS_label=N/A\n"
                        "   Priority=4294901758 Nice=0 Account=(null) QOS=(null)\n"
                        "   JobState=RUNNING Reason=None Dependency=(null)\n"
                        "   Requeue=1 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=0:0\n"
                        "   RunTime=00:00:05 TimeLimit=UNLIMITED TimeMin=N/A\n"
                        "   SubmitTime=2026-11-21T01:54:02 EligibleTime=2026-11-21T01:54:02\n"
                        "   AccrueTime=2026-11-21T01:54:02\n"
                        "   StartTime=2026-11-21T01:54:02 EndTime=Unknown Deadline=N/A\n"
                        "   SuspendTime=None SecsPreSuspend=0 LastSchedEval=2026-11-21T01:54:02 "
                        "Scheduler=Main\n"
                        "   Partition=main AllocNode:Sid=localhost:3650\n"
                        "   ReqNodeList=(null) ExcNodeList=(null)\n"
                        "   NodeList=n[3-4]\n"
                        "   BatchHost=n3\n"
                        "   NumNodes=2 NumCPUs=16 NumTasks=16 CPUs/Task=1 ReqB:S:C:T=0:0:*:*\n"
                        "   ReqTRES=cpu=16,mem=400M,node=2,billing=16\n"
                        "   AllocTRES=cpu=16,mem=400M,node=2,billing=16\n"
                        "   Socks/Node=* NtasksPerN:B:S:C=0:0:*:* CoreSpec=*\n"
                        "   MinCPUsNode=1 MinMemoryNode=200M MinTmpDiskNode=0\n"
                        "   Features=(null) DelayBoot=00:00:00\n"
                        "   OverSubscribe=OK Contiguous=0 Licenses=(null) LicensesAlloc=(null) "
                        "Network=(null)\n"
                        "   Command=(null)\n"
                        "   WorkDir=/work\n"
                        "   Comment=a comment \n"
                        "   StdErr=/work/slurm-2.out\n"
                        "   StdIn=/dev/null\n"
                        "   StdOut=/work/slurm-2.out\n"
                        "\n");
}

static void details_show_the_shares_of_nodes(void **state) {
        _cleanup_free_ char *text = NULL;
        Slumber__AllocNode a = SLUMBER__ALLOC_NODE__INIT, b = SLUMBER__ALLOC_NODE__INIT,
                           c = SLUMBER__ALLOC_NODE__INIT;
        Slumber__AllocNode *alloc[] = { &a, &b, &c };
        Slumber__JobSpec spec;
        Job job;
        FILE *out = capture(&text);

        fill_job(&job, &spec);
        a.cpus = b.cpus = 8, c.cpus = 2;
        a.name = (char *)"n3", b.name = (char *)"n4", c.name = (char *)"n5";
        a.cores = b.cores = (char *)"0-7", c.cores = (char *)"0-1";
        a.mem = b.mem = c.mem = 200;
        job.alloc = alloc;
        job.n_alloc = 3;
        record_print_job(&details, &job, out);
        fclose(out);
        assert_non_null(strstr(text, "\n   DerivedExitCode=0:0\n   RunTime="));
        assert_non_null(strstr(text,
                        "\n   JOB_GRES=(null)\n     Nodes=n[3-4] CPU_IDs=0-7 Mem=200 GRES=\n"
                        "     Nodes=n5 CPU_IDs=0-1 Mem=200 GRES=\n   MinCPUsNode=1"));
}

static void ids_are_those_of_all_threads_of_a_core(void **state) {
        static const struct {
                const char *cores;
                uint32_t cpus, threads;
                const char *ids;
        } of[] = {
                { "0,2", 4, 2, "CPU_IDs=0-1,4-5 " },
                { "0-1,3", 6, 2, "CPU_IDs=0-3,6-7 " },
                { "2", 1, 2, "CPU_IDs=4-5 " },
                { "0,2-3", 4, 4, "CPU_IDs=0-3,8-15 " },
                { "1-3", 3, 1, "CPU_IDs=1-3 " },
                { "", 0, 1, "CPU_IDs= " },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(of); i++) {
                _cleanup_free_ char *text = NULL;
                Slumber__AllocNode a = SLUMBER__ALLOC_NODE__INIT, *alloc[] = { &a };
                Slumber__JobSpec spec;
                Job job;
                FILE *out = capture(&text);

                fill_job(&job, &spec);
                a.name = (char *)"n3";
                a.cores = (char *)of[i].cores;
                a.cpus = of[i].cpus;
                a.cpus_per_core = of[i].threads;
                job.alloc = alloc;
                job.n_alloc = 1;
                record_print_job(&details, &job, out);
                fclose(out);
                assert_non_null(strstr(text, of[i].ids));
        }
}

static void a_pending_job_says_what_it_wants(void **state) {
        _cleanup_free_ char *text = NULL;
        Slumber__JobSpec spec;
        Job job;
        FILE *out = capture(&text);

        fill_job(&job, &spec);
        job.state = SLUMBER__JOB_STATE__JOB_PENDING;
        job.reason_text = (char *)"ReqNodeNotAvail, UnavailableNodes:n1";
        job.start_time = job.num_nodes = job.num_cpus = 0;
        job.nodes = job.batch_host = (char *)"";
        job.mem_per_node = 0;
        job.mem_per_cpu = 1024;
        spec.max_nodes = 4;
        spec.cpus_per_task = job.cpus_per_task = 2;
        record_print_job(&one_liner, &job, out);
        fclose(out);
        assert_non_null(strstr(text,
                        " JobState=PENDING Reason=ReqNodeNotAvail,_UnavailableNodes:n1 "
                        "Dependency=(null) "));
        assert_non_null(strstr(text,
                        " NodeList= NumNodes=2-4 NumCPUs=32 NumTasks=16 CPUs/Task=2 "));
        assert_non_null(strstr(text,
                        " ReqTRES=cpu=32,mem=32G,node=2,billing=32 AllocTRES=(null) "));
        assert_non_null(strstr(text, " MinCPUsNode=2 MinMemoryCPU=1G "));
        assert_non_null(strstr(text, " StdOut=/work/slurm-2.out TresPerTask=cpu=2\n"));
        assert_null(strstr(text, "BatchHost"));
        assert_int_equal(strcspn(text, "\n"), strlen(text) - 1);
}

static void exit_codes_are_code_and_signal(void **state) {
        _cleanup_free_ char *text = NULL;
        Slumber__JobSpec spec;
        Job job;
        FILE *out = capture(&text);

        fill_job(&job, &spec);
        job.exit_code = 3 << 8 | 9;
        record_print_job(&plain, &job, out);
        fclose(out);
        assert_non_null(strstr(text, " ExitCode=3:9\n"));
}

static void fill_node(Node *node, Slumber__Hardware *h, Slumber__Hardware *now, char **partitions) {
        slumber__node__init(node);
        slumber__hardware__init(h);
        slumber__hardware__init(now);
        node->name = (char *)"n1";
        node->hostname = (char *)"vm";
        node->address = (char *)"127.0.0.1";
        node->port = 19301;
        node->version = (char *)"25.05.0";
        node->state_text = (char *)"ALLOCATED";
        node->features = node->active_features = (char *)"fast,big";
        node->configured = h;
        node->registered = now;
        h->cpus = h->sockets = 8;
        h->boards = h->cores = h->threads = 1;
        h->real_memory = 4000;
        now->arch = (char *)"x86_64";
        now->os = (char *)"Linux 6.1.0";
        now->load = 20;
        now->free_memory = 23511;
        node->cpus_alloc = 8;
        node->mem_alloc = 800;
        node->weight = 1;
        node->boot_time = START - 10 * SECOND;
        node->start_time = START;
        node->last_busy = START + SECOND;
        node->partitions = partitions;
        node->n_partitions = 2;
}

static void a_node_has_slurms_lines(void **state) {
        _cleanup_free_ char *text = NULL;
        char *partitions[] = { (char *)"main", (char *)"high" };
        Slumber__Hardware h, now;
        Node node;
        FILE *out = capture(&text);

        fill_node(&node, &h, &now, partitions);
        node.reason = (char *)"a test";
        node.reason_user = (char *)"root";
        node.reason_time = START;
        node.extra = (char *)"more";
        node.instance_id = (char *)"i-1";
        record_print_node(&plain, &node, out);
        fclose(out);
        assert_string_equal(text,
                        "NodeName=n1 Arch=x86_64 CoresPerSocket=1 \n"
                        "   CPUAlloc=8 CPUEfctv=8 CPUTot=8 CPULoad=0.20\n"
                        "   AvailableFeatures=fast,big\n"
                        "   ActiveFeatures=fast,big\n"
                        "   Gres=(null)\n"
                        "   NodeAddr=127.0.0.1 NodeHostName=vm Port=19301 Version=25.05.0\n"
                        "   OS=Linux 6.1.0 \n"
                        "   RealMemory=4000 AllocMem=800 FreeMem=23511 Sockets=8 Boards=1\n"
                        "   State=ALLOCATED ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A "
                        "MCS_label=N/A\n"
                        "   Partitions=main,high \n"
                        "   BootTime=2026-11-21T01:53:52 SlurmdStartTime=2026-11-21T01:54:02\n"
                        "   LastBusyTime=2026-11-21T01:54:03 ResumeAfterTime=None\n"
                        "   CfgTRES=cpu=8,mem=4000M,billing=8\n"
                        "   AllocTRES=cpu=8,mem=800M\n"
                        "   CurrentWatts=0 AveWatts=0\n"
                        "   Reason=a test [root@2026-11-21T01:54:02]\n"
                        "   Extra=more\n"
                        "   InstanceId=i-1 InstanceType=\n"
                        "\n");
}

static void a_node_that_never_came_says_so(void **state) {
        _cleanup_free_ char *text = NULL;
        Node node = SLUMBER__NODE__INIT;
        FILE *out = capture(&text);

        node.name = node.hostname = node.address = (char *)"c1";
        node.state_text = (char *)"IDLE+CLOUD+POWERED_DOWN";
        record_print_node(&plain, &node, out);
        record_print_node(&one_liner, &node, out);
        fclose(out);
        assert_int_equal(strncmp(text, "NodeName=c1 CoresPerSocket=0 \n", 30), 0);
        assert_non_null(strstr(text, "CPULoad=N/A\n"));
        assert_non_null(strstr(text, "\n   NodeAddr=c1 NodeHostName=c1 \n   RealMemory=0 "
                                     "AllocMem=0 FreeMem=N/A "));
        assert_non_null(strstr(text, "\n   State=IDLE+CLOUD+POWERED_DOWN ThreadsPerCore="));
        assert_non_null(strstr(text,
                        "\n   BootTime=None SlurmdStartTime=None\n   LastBusyTime=Unknown "));
        assert_non_null(strstr(text, "\n   AllocTRES=\n"));
        assert_non_null(strstr(text, "\n\nNodeName=c1 CoresPerSocket=0  CPUAlloc=0 "));
        assert_null(strstr(text, "SuspendTime"));
}

static void a_suspend_time_of_its_own_is_shown(void **state) {
        static const struct {
                uint64_t value;
                const char *shown;
        } times[] = {
                { 600 * USEC_PER_SEC + 1, " ResumeAfterTime=None\n   SuspendTime=600\n" },
                { 1, "\n   SuspendTime=0\n" },
                { NO_LIMIT, "\n   SuspendTime=INFINITE\n" },
        };

        for (size_t i = 0; i < ELEMENTSOF(times); i++) {
                _cleanup_free_ char *text = NULL;
                Node node = SLUMBER__NODE__INIT;
                FILE *out = capture(&text);

                node.name = node.hostname = node.address = (char *)"c1";
                node.state_text = (char *)"IDLE";
                node.suspend_time = times[i].value;
                record_print_node(&plain, &node, out);
                fclose(out);
                assert_non_null(strstr(text, times[i].shown));
        }
}

static void a_partition_has_slurms_lines(void **state) {
        _cleanup_free_ char *text = NULL;
        Partition p = SLUMBER__PARTITION__INIT;
        FILE *out = capture(&text);

        p.name = (char *)"high";
        p.nodes = (char *)"n[1-2]";
        p.state = (char *)"UP";
        p.max_time = 86400 * SECOND;
        p.max_nodes = UINT32_MAX;
        p.priority_job_factor = 1;
        p.priority_tier = 10;
        p.oversubscribe = (char *)"FORCE:1";
        p.preempt_mode = (char *)"GANG,SUSPEND";
        p.def_mem_per_cpu = 100;
        p.total_cpus = 16;
        p.total_nodes = 2;
        p.total_memory = 8000;
        p.over_time_limit = UINT32_MAX;
        p.resume_timeout = p.suspend_timeout = (char *)"GLOBAL";
        p.suspend_time = (char *)"INFINITE";
        record_print_partition(&plain, &p, out);
        fclose(out);
        assert_null(strstr(text, " Exclusive="));
        assert_string_equal(text,
                        "PartitionName=high\n"
                        "   AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL\n"
                        "   AllocNodes=ALL Default=NO QoS=N/A\n"
                        "   DefaultTime=NONE DisableRootJobs=NO ExclusiveUser=NO ExclusiveTopo=NO "
                        "GraceTime=0 "
                        "Hidden=NO\n"
                        "   MaxNodes=UNLIMITED MaxTime=1-00:00:00 MinNodes=0 LLN=NO "
                        "MaxCPUsPerNode=UNLIMITED "
                        "MaxCPUsPerSocket=UNLIMITED\n"
                        "   Nodes=n[1-2]\n"
                        "   PriorityJobFactor=1 PriorityTier=10 RootOnly=NO ReqResv=NO "
                        "OverSubscribe=FORCE:1\n"
                        "   OverTimeLimit=NONE PreemptMode=GANG,SUSPEND\n"
                        "   State=UP TotalCPUs=16 TotalNodes=2 SelectTypeParameters=NONE\n"
                        "   JobDefaults=(null)\n"
                        "   DefMemPerCPU=100 MaxMemPerNode=UNLIMITED\n"
                        "   TRES=cpu=16,mem=8000M,node=2,billing=16\n"
                        "   ResumeTimeout=GLOBAL SuspendTimeout=GLOBAL SuspendTime=INFINITE "
                        "PowerDownOnIdle=NO\n"
                        "\n");
}

static void exclusive_stands_where_it_was_said(void **state) {
        _cleanup_free_ char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        Slumber__Partition p = SLUMBER__PARTITION__INIT;

        p.name = p.nodes = (char *)"p";
        p.exclusive = (char *)"NODE";
        p.oversubscribe = (char *)"NO";
        record_print_partition(&plain, &p, out);
        fclose(out);
        assert_non_null(strstr(text, " DisableRootJobs=NO Exclusive=NODE GraceTime=0 Hidden=NO\n"));
        assert_null(strstr(text, "ExclusiveUser"));
}

static void the_configuration_lines_up(void **state) {
        _cleanup_free_ char *text = NULL;
        Slumber__KeyValue a = SLUMBER__KEY_VALUE__INIT, b = SLUMBER__KEY_VALUE__INIT;
        Slumber__KeyValue *settings[] = { &a, &b };
        Slumber__ConfigList list = SLUMBER__CONFIG_LIST__INIT;
        FILE *out = capture(&text);

        a.key = (char *)"ClusterName", a.value = (char *)"peer";
        b.key = (char *)"AccountingStorageBackupHost";
        list.settings = settings;
        list.n_settings = 2;
        list.now = START;
        list.controller_host = (char *)"vm";
        record_print_config(&plain, &list, out);
        fclose(out);
        assert_string_equal(text, "Configuration data as of 2026-11-21T01:54:02\n"
                                  "ClusterName             = peer\n"
                                  "AccountingStorageBackupHost = (null)\n"
                                  "\nSlurmctld(primary) at vm is UP\n");
}

static void a_batch_step_has_slurms_lines(void **state) {
        _cleanup_free_ char *text = NULL;
        Step step = SLUMBER__STEP__INIT;
        Slumber__JobSpec spec;
        Job job;
        FILE *out = capture(&text);

        fill_job(&job, &spec);
        step.id = UINT32_C(0xfffffffb);
        step.name = (char *)"batch";
        step.nodes = (char *)"n3";
        step.start_time = START;
        record_print_step(&plain, &job, &step, out);
        fclose(out);
        assert_string_equal(text, "StepId=2.batch UserId=0 StartTime=2026-11-21T01:54:02 "
                                  "TimeLimit=UNLIMITED\n"
                                  "   State=RUNNING Partition=main NodeList=n3\n"
                                  "   Nodes=1 CPUs=0 Tasks=1 Name=batch Network=(null)\n"
                                  "   TRES=(null)\n"
                                  "   ResvPorts=(null)\n"
                                  "   CPUFreqReq=Default\n"
                                  "   SrunHost:Pid=(null):0\n"
                                  "\n");
}

static void a_step_of_a_component_has_both_numbers(void **state) {
        _cleanup_free_ char *text = NULL;
        Step step = SLUMBER__STEP__INIT;
        Slumber__JobSpec spec;
        Job job;
        FILE *out = capture(&text);

        fill_job(&job, &spec);
        job.id = 701;
        job.het_job = 700;
        job.het_offset = 1;
        record_print_step(&plain, &job, &step, out);
        fclose(out);
        assert_ptr_equal(strstr(text, "StepId=700+1.0 UserId=0 "), text);
}

static void a_planned_job_ends_by_its_limit(void **state) {
        _cleanup_free_ char *text = NULL;
        struct record_view epoch = { .time_format = "%s" };
        Slumber__JobSpec spec;
        Job job;
        FILE *out = capture(&text);

        (void)state;
        fill_job(&job, &spec);
        job.state = SLUMBER__JOB_STATE__JOB_PENDING;
        job.time_limit = 300 * SECOND;
        record_print_job(&epoch, &job, out);
        job.time_limit = NO_LIMIT;
        record_print_job(&epoch, &job, out);
        fclose(out);
        assert_non_null(strstr(text, "StartTime=1795226042 EndTime=1795226342"));
        assert_non_null(strstr(text, "StartTime=1795226042 EndTime=Unknown"));
}

static void times_follow_the_format_of_the_environment(void **state) {
        _cleanup_free_ char *text = NULL;
        struct record_view epoch = { .time_format = "%s" };
        Slumber__JobSpec spec;
        Job job;
        FILE *out = capture(&text);

        fill_job(&job, &spec);
        record_print_job(&epoch, &job, out);
        fclose(out);
        assert_non_null(strstr(text, "StartTime=1795226042 EndTime=Unknown"));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(any_number_of_tasks_on_a_core_is_a_star),
                cmocka_unit_test(a_running_job_has_slurms_lines),
                cmocka_unit_test(details_show_the_shares_of_nodes),
                cmocka_unit_test(ids_are_those_of_all_threads_of_a_core),
                cmocka_unit_test(a_pending_job_says_what_it_wants),
                cmocka_unit_test(exit_codes_are_code_and_signal),
                cmocka_unit_test(a_node_has_slurms_lines),
                cmocka_unit_test(a_node_that_never_came_says_so),
                cmocka_unit_test(a_suspend_time_of_its_own_is_shown),
                cmocka_unit_test(a_partition_has_slurms_lines),
                cmocka_unit_test(exclusive_stands_where_it_was_said),
                cmocka_unit_test(the_configuration_lines_up),
                cmocka_unit_test(a_batch_step_has_slurms_lines),
                cmocka_unit_test(a_step_of_a_component_has_both_numbers),
                cmocka_unit_test(a_planned_job_ends_by_its_limit),
                cmocka_unit_test(times_follow_the_format_of_the_environment),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
