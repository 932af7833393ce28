/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "commands/jobspec/jobspec.h"

#include <signal.h>
#include <sys/resource.h>

#define WORDS_MAX 64

/* Reads words ("--nodes=2 -J x") as a command line of the command. */
static int parse(struct job_options *o, enum job_command command, const char *line,
                struct fail *fail) {
        static char copy[512]; /* options are borrowed from here */
        char *argv[WORDS_MAX], *save = NULL;
        int argc = 0, first, r;

        snprintf(copy, sizeof copy, "%s", line);
        argv[argc++] = (char *)"test";
        for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
                argv[argc++] = w;
        argv[argc] = NULL;
        job_options_init(o, command);
        r = options_parse(job_options_table(command), argc, argv, o, &first);
        return r == 0 ? job_options_check(o, fail) : r;
}

static void good(const char *line, Slumber__JobSpec *spec) {
        static struct job_options o; /* spec points into it */
        struct fail fail = { 0 };

        assert_int_equal(parse(&o, JOB_SBATCH, line, &fail), 0);
        assert_string_equal(fail.text, "");
        job_options_spec(&o, spec);
}

static void nothing_asked_is_one_task(void **state) {
        Slumber__JobSpec s;

        good("", &s);
        assert_int_equal(s.num_tasks, 0); /* what follows from its nodes */
        assert_false(s.tasks_set);
        assert_int_equal(s.min_nodes, 0);
        assert_int_equal(s.time_limit, 0);
        assert_int_equal(s.requeue, 0);
        assert_string_equal(s.partition, "");
        assert_true(s.batch);
}

static void signal_and_memory_zero(void **state) {
        static const char *const bad[] = { "--signal=FOO", "--signal=USR1@x", "--signal=USR1@65536",
                "--signal=B:", "--signal=X:USR1", "--signal=BB:USR1", "--signal=:USR1",
                "--signal=R:", "--mem=0 --mem-per-cpu=0", "--propagate=NOPE",
                "--nodefile=/dev/null" };
        struct job_options o;
        struct fail fail = { 0 };
        Slumber__JobSpec s;

        good("--signal=B:USR1@30 --mem=0", &s);
        assert_int_equal(s.warn_signal, SIGUSR1);
        assert_int_equal(s.warn_time, 30 * USEC_PER_SEC);
        assert_true(s.warn_batch);
        assert_true(s.all_memory);
        good("--signal=10 --mem-per-cpu=0", &s);
        assert_int_equal(s.warn_signal, 10);
        assert_int_equal(s.warn_time, 60 * USEC_PER_SEC);
        assert_false(s.warn_batch);
        assert_true(s.all_memory);
        assert_false(s.borrows);
        good("--signal=R:USR1@5", &s);
        assert_true(s.borrows);
        assert_false(s.warn_batch);
        good("--signal=RB:USR1@5", &s);
        assert_true(s.borrows);
        assert_true(s.warn_batch);
        good("--mem=5", &s);
        assert_false(s.all_memory);
        for (size_t i = 0; i < ELEMENTSOF(bad); i++)
                assert_true(parse(&o, JOB_SBATCH, bad[i], &fail) < 0);
}

static void limits_are_named(void **state) {
        struct job_options o;
        struct fail fail = { 0 };

        assert_int_equal(parse(&o, JOB_SBATCH, "--propagate", &fail), 0);
        assert_int_equal(o.no_rlimits, 0);
        assert_int_equal(parse(&o, JOB_SBATCH, "--propagate=NONE", &fail), 0);
        assert_int_equal(o.no_rlimits, UINT32_MAX);
        assert_int_equal(parse(&o, JOB_SBATCH, "--propagate=stack,NOFILE", &fail), 0);
        assert_int_equal(o.no_rlimits, ~(1u << RLIMIT_STACK | 1u << RLIMIT_NOFILE));
}

static void every_option_reaches_the_spec(void **state) {
        Slumber__JobSpec s;

        good("-N 2-4 -n 8 -c 2 -p p -t 1:30 --mem=2G --ntasks-per-node=4 -C a&b -w n[1-2] -x n9 -J "
             "job "
             "-o out -e err -i none -D /tmp -H --nice --requeue -k --wait-all-nodes=1 "
             "--open-mode=append "
             "--comment=c --extra=e -A acc -q q --mincpus=3 --exclusive --wckey=w --tmp=1G -O",
                        &s);
        assert_int_equal(s.min_nodes, 2);
        assert_int_equal(s.max_nodes, 4);
        assert_int_equal(s.num_tasks, 8);
        assert_true(s.tasks_set);
        assert_int_equal(s.cpus_per_task, 2);
        assert_string_equal(s.partition, "p");
        assert_int_equal(s.time_limit, 120 * USEC_PER_SEC);
        assert_int_equal(s.mem_per_node, 2048);
        assert_int_equal(s.ntasks_per_node, 4);
        assert_string_equal(s.features, "a&b");
        assert_string_equal(s.req_nodes, "n[1-2]");
        assert_string_equal(s.exc_nodes, "n9");
        assert_string_equal(s.name, "job");
        assert_string_equal(s.std_out, "out");
        assert_string_equal(s.std_err, "err");
        assert_string_equal(s.std_in, "/dev/null");
        assert_string_equal(s.work_dir, "/tmp");
        assert_true(s.hold);
        assert_int_equal(s.nice, 100);
        assert_int_equal(s.requeue, 1);
        assert_true(s.no_kill);
        assert_int_equal(s.wait_all_nodes, 1);
        assert_true(s.append_output);
        assert_string_equal(s.comment, "c");
        assert_string_equal(s.extra, "e");
        assert_string_equal(s.account, "acc");
        assert_string_equal(s.qos, "q");
        assert_int_equal(s.min_cpus_node, 3);
        assert_int_equal(s.oversubscribe, SLUMBER__SHARE__SHARE_NO);
        assert_string_equal(s.wckey, "w");
        assert_int_equal(s.tmp_disk, 1024);
        assert_true(s.overcommit);
}

static void sockets_and_company_reach_the_spec(void **state) {
        struct fail fail = { 0 };
        struct job_options o;
        Slumber__JobSpec s;

        good("-B 2:*:4 --ntasks-per-socket=3 --ntasks-per-core=2 --prefer=a|b --contiguous --spread-job --use-min-nodes "
             "--exclusive=user -m plane=4:block,Pack --mcs-label=x",
                        &s);
        assert_int_equal(s.sockets_per_node, 2);
        assert_int_equal(s.cores_per_socket, 0);
        assert_int_equal(s.threads_per_core, 4);
        assert_int_equal(s.ntasks_per_socket, 3);
        assert_int_equal(s.ntasks_per_core, 2);
        assert_string_equal(s.prefer, "a|b");
        assert_true(s.contiguous && s.spread_job && s.use_min_nodes);
        assert_int_equal(s.oversubscribe, SLUMBER__SHARE__SHARE_USER);
        assert_string_equal(s.distribution, "plane=4:block,pack");
        assert_int_equal(s.socket_distribution, 1);
        assert_string_equal(s.mcs_label, "x");
        good("--sockets-per-node=1 --cores-per-socket=2 --threads-per-core=3 --exclusive=mcs", &s);
        assert_int_equal(s.sockets_per_node * 100 + s.cores_per_socket * 10 + s.threads_per_core,
                        123);
        assert_int_equal(s.oversubscribe, SLUMBER__SHARE__SHARE_MCS);
        good("--hint=memory_bound", &s);
        assert_int_equal(s.threads_per_core, 1);
        assert_true(s.one_core_per_socket);
        good("--hint=multithread", &s);
        assert_int_equal(s.threads_per_core, 0);
        assert_true(s.ntasks_per_core > 1000);
        assert_true(parse(&o, JOB_SBATCH, "--hint=compute_bound --threads-per-core=2", &fail) < 0);
        assert_non_null(strstr(fail.text, "mutually exclusive with --hint"));
        assert_int_equal(parse(&o, JOB_SRUN, "-m cyclic:cyclic,NoPack", &fail), 0);
        assert_true(o.cyclic && o.pack == 2 && o.socket_distribution == 2 && o.plane == 0);
        assert_int_equal(o.core_distribution, 0);
        assert_int_equal(parse(&o, JOB_SRUN, "-m *:FCyclic:Block,Pack", &fail), 0);
        assert_true(!o.cyclic && o.pack == 1 && o.socket_distribution == 3);
        assert_string_equal(o.distribution, "block:fcyclic:block,pack");
        assert_int_equal(o.core_distribution, 1);
        assert_int_equal(parse(&o, JOB_SRUN, "-m plane=2 -m Pack", &fail), 0);
        assert_true(!o.plane && o.pack == 1);
        assert_string_equal(o.distribution, "pack");
        assert_int_equal(parse(&o, JOB_SRUN, "-m plane=2:*:fcyclic", &fail), 0);
        assert_true(o.plane == 2 && o.socket_distribution == 0 && o.core_distribution == 3);
        assert_string_equal(o.distribution, "plane=2:cyclic:fcyclic");
        assert_int_equal(parse(&o, JOB_SRUN, "-m Cyclic:block:*", &fail), 0);
        assert_string_equal(o.distribution, "cyclic:block:block");
        assert_int_equal(parse(&o, JOB_SRUN, "--resv-ports --treewidth=off --whole", &fail), 0);
        assert_true(o.resv_ports == UINT32_MAX && o.tree_width == 65533 && o.whole);
        assert_int_equal(parse(&o, JOB_SRUN, "--resv-ports=3 --treewidth=4", &fail), 0);
        assert_true(o.resv_ports == 3 && o.tree_width == 4);
        good("--tres-bind=gres/gpu:verbose,map:0,1 --cpu-freq=low-high:ondemand", &s);
        assert_string_equal(s.cpu_freq, "low-high:ondemand");
        assert_int_equal(parse(&o, JOB_SRUN, "--tres-bind=gres/gpu:verbose,map:0,1", &fail), 0);
        assert_string_equal(o.gpu_bind, "verbose,map_gpu:0,1");
        assert_int_equal(parse(&o, JOB_SRUN, "--tres-bind=GRES/GPU:mask:0x3", &fail), 0);
        assert_string_equal(o.gpu_bind, "mask_gpu:0x3");
        assert_int_equal(parse(&o, JOB_SRUN, "--tres-bind=gres/gpu:single:2", &fail), 0);
        assert_string_equal(o.gpu_bind, "single:2");
}

static void a_list_says_nodes_and_tasks(void **state) {
        static const struct {
                enum job_command command;
                const char *line, *list, *expected; /* expected: tasks, nodes, or what is wrong */
        } table[] = {
                { JOB_SBATCH, "-m arbitrary -w n3,n1,n3", "n[3,1],n3", "3 2-2" },
                { JOB_SALLOC, "-m arbitrary -w n3,n1,n3 -N4", "n[3,1],n3", "3 3-3" },
                { JOB_SBATCH, "-m arbitrary -w n3,n1,n3 -n3 -c2", "n[3,1],n3", "3 2-2" },
                { JOB_SBATCH, "-m arbitrary -w n3,n1,n3 -n2", NULL,
                                "You asked for 2 tasks but hostlist specified 3 nodes" },
                { JOB_SBATCH, "-m arbitrary -w n3,n1,n3 -N1", NULL,
                                "--nodes=1 are fewer than the 2 of the list of --distribution=arbitrary" },
                { JOB_SRUN, "-m arbitrary -w n3,n1*2", "n[3,1]", "3 2-2" },
                { JOB_SRUN, "-m arbitrary -n1", NULL,
                                "With Arbitrary distribution you need to specify a nodelist or hostfile with the -w option" },
                { JOB_SRUN, "-m arbitrary -w n1*0", NULL,
                                "--nodelist: \"n1*0\": no number of tasks from 1 to 65536 behind the *" },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(table); i++) {
                struct job_options o;
                struct fail fail = { 0 };
                char got[300];

                if (parse(&o, table[i].command, table[i].line, &fail) >= 0)
                        snprintf(got, sizeof got, "%u %u-%u", o.num_tasks, o.min_nodes,
                                        o.max_nodes);
                else
                        snprintf(got, sizeof got, "%.290s", fail.text);
                assert_string_equal(got, table[i].expected);
                if (table[i].list)
                        assert_string_equal(o.nodelist, table[i].list);
        }
}

static void values_that_mean_the_opposite(void **state) {
        Slumber__JobSpec s;

        good("--no-requeue --wait-all-nodes=0 -s --nice=-5 -t 0 --no-kill=off --priority=0", &s);
        assert_int_equal(s.requeue, 2);
        assert_int_equal(s.wait_all_nodes, 2);
        assert_int_equal(s.oversubscribe, SLUMBER__SHARE__SHARE_YES);
        assert_int_equal(s.nice, -5);
        assert_true(s.time_limit == NO_LIMIT);
        assert_false(s.no_kill);
        assert_false(s.hold);
        assert_int_equal(s.priority, 0); /* as without it */
        good("--priority=top", &s);
        assert_int_equal(s.priority, 4294967293u);
}

static void counts_follow_from_each_other(void **state) {
        Slumber__JobSpec s;

        good("-N3", &s);
        assert_int_equal(s.num_tasks, 0);
        assert_false(s.tasks_set);
        assert_int_equal(s.max_nodes, 3);
        good("-N3 --ntasks-per-node=2", &s);
        assert_int_equal(s.num_tasks, 0);
        assert_true(s.tasks_set);
        good("-n5 --ntasks-per-node=2", &s);
        assert_int_equal(s.min_nodes, 3);
        good("-w n[1-3]", &s);
        assert_int_equal(s.min_nodes, 3);
        good("-N 1k", &s);
        assert_int_equal(s.min_nodes, 1024);
}

static void tasks_follow_from_the_shape_of_a_node(void **state) {
        static const struct {
                enum job_command command;
                const char *line;
                uint32_t tasks; /* 0: not said */
        } table[] = {
                { JOB_SBATCH, "-B 1:4", 4 },
                { JOB_SALLOC, "-B 2:2 -N2", 8 },
                { JOB_SALLOC, "-B 1:2 -w n1,n2", 4 },
                { JOB_SALLOC, "-B *:4 -c2", 4 },
                { JOB_SBATCH, "-N1 --sockets-per-node=2", 2 },
                { JOB_SBATCH, "--sockets-per-node=2", 0 },
                { JOB_SBATCH, "-B 2:2 -N1-2", 0 },
                { JOB_SBATCH, "-B 1:4 -n2", 2 },
                { JOB_SBATCH, "-B 1:4 --ntasks-per-node=3", 0 },
                { JOB_SBATCH, "-B 4000000000:4000000000:4000000000", 0 },
                { JOB_SRUN, "-B 1:2:1", 2 },
                { JOB_SRUN, "-N1 -B 1:2", 0 },
        };

        for (size_t i = 0; i < ELEMENTSOF(table); i++) {
                struct job_options o;
                struct fail fail = { 0 };

                assert_int_equal(parse(&o, table[i].command, table[i].line, &fail), 0);
                assert_int_equal(o.num_tasks, table[i].tasks);
        }
}

static void fewer_tasks_than_nodes_is_a_warning(void **state) {
        struct job_options o;
        struct fail fail = { 0 };

        assert_int_equal(parse(&o, JOB_SBATCH, "-N4 -n2", &fail), 0);
        assert_string_equal(fail.text,
                        "Warning: can't run 2 processes on 4 nodes, setting nnodes to 2");
        assert_int_equal(o.min_nodes, 2);
        assert_int_equal(o.max_nodes, 2);
}

/* An option alone, set by name as from the environment: what is wrong with it. */
static void bad(enum job_command command, const char *option, const char *value,
                const char *expected) {
        struct job_options o;
        struct fail fail = { 0 };

        job_options_init(&o, command);
        assert_true(options_set(job_options_table(command), option, value, &o, &fail) < 0);
        assert_string_equal(fail.text, expected);
}

/* Slurm's commands end with 1 for some values, with 255 for the others. */
static void bad_number(enum job_command command, const char *option, const char *value,
                const char *expected) {
        struct job_options o;
        struct fail fail = { 0 };

        bad(command, option, value, expected);
        job_options_init(&o, command);
        assert_int_equal(options_set(job_options_table(command), option, value, &o, &fail), -EDOM);
        assert_int_equal(job_options_exit(-EDOM), 1);
        assert_int_equal(job_options_exit(-EINVAL), 255);
}

static void bad_values_get_slurms_words(void **state) {
        bad(JOB_SBATCH, "nodes", "x", "\"x\" is not a valid node count");
        bad_number(JOB_SBATCH, "nodes", "0", "\"0\" is not a valid node count");
        bad(JOB_SBATCH, "nodes", "3-1", "Maximum node count 1 is less than minimum node count 3");
        bad(JOB_SBATCH, "nodes", "99999999999", "\"99999999999\" is not a valid node count");
        bad(JOB_SBATCH, "nodes", "1-", "\"1-\" is not a valid node count");
        bad(JOB_SBATCH, "nodes", "1-x", "\"x\" is not a valid node count");
        bad(JOB_SBATCH, "ntasks", "0", "Invalid numeric value \"0\" for --ntasks.");
        bad(JOB_SBATCH, "cpus-per-task", "y", "Invalid numeric value \"y\" for --cpus-per-task.");
        bad(JOB_SBATCH, "mincpus", "-1", "Invalid numeric value \"-1\" for --mincpus.");
        bad(JOB_SBATCH, "time", "abc", "Invalid --time specification");
        bad(JOB_SBATCH, "mem", "-5", "Invalid --mem specification");
        bad(JOB_SBATCH, "mem-per-cpu", "q", "Invalid --mem-per-cpu specification");
        bad(JOB_SBATCH, "exclusive", "foo", "Invalid --exclusive specification");
        bad(JOB_SBATCH, "nice", "99999999999",
                        "Invalid --nice value, out of range (+/- 2147483645)");
        bad(JOB_SBATCH, "wait-all-nodes", "2", "Invalid --wait-all-nodes specification");
        bad_number(JOB_SBATCH, "wait-all-nodes", "x",
                        "Invalid numeric value \"x\" for --wait-all-nodes.");
        bad(JOB_SBATCH, "open-mode", "x", "Invalid --open-mode specification");
        bad(JOB_SRUN, "jobid", "x", "Invalid numeric value \"x\" for --jobid.");
        bad(JOB_SRUN, "relative", "-1", "Invalid numeric value \"-1\" for --relative.");
        bad(JOB_SRUN, "cpu-bind", "map_cpu:", "missing list for \"--cpu-bind=map_cpu:<list>\"");
        bad(JOB_SRUN, "cpu-bind", "mask_ldom", "missing list for \"--cpu-bind=mask_ldom:<list>\"");
        bad(JOB_SRUN, "cpu-bind", "map_cpu:1,x", "Invalid list for --cpu-bind=map_cpu: \"1,x\"");
        bad(JOB_SRUN, "cpu-bind", "mask_cpu:0xg", "Invalid list for --cpu-bind=mask_cpu: \"0xg\"");
        bad(JOB_SRUN, "cpu-bind", "map_ldom:0,-1",
                        "Invalid list for --cpu-bind=map_ldom: \"0,-1\"");
        bad(JOB_SRUN, "cpu-bind", "verbose,core", "unrecognized --cpu-bind argument \"core\"");
        bad(JOB_SRUN, "cpu-bind", "cores,none", "unrecognized --cpu-bind argument \"cores,none\"");
        bad(JOB_SRUN, "mem-bind", "map_mem", "missing list for \"--mem-bind=map_mem:<list>\"");
        bad(JOB_SBATCH, "mem-bind", "mask_mem:", "missing list for \"--mem-bind=mask_mem:<list>\"");
        bad(JOB_SRUN, "mem-bind", "mask_mem:3,C,foo", "unrecognized --mem-bind argument \"foo\"");
        bad(JOB_SRUN, "mem-bind", "map_mem:x", "Invalid list for --mem-bind=map_mem: \"x\"");
        bad(JOB_SRUN, "mem-bind", "map_mem:0,x", "unrecognized --mem-bind argument \"x\"");
        bad(JOB_SRUN, "mem-bind", "mask_mem:1*0", "Invalid list for --mem-bind=mask_mem: \"1*0\"");
        bad(JOB_SRUN, "mem-bind", "mask_mem:1*99999",
                        "Invalid list for --mem-bind=mask_mem: \"1*99999\"");
        bad(JOB_SRUN, "mem-bind", "local,foo", "unrecognized --mem-bind argument \"foo\"");
        bad(JOB_SALLOC, "mem-bind", "", "unrecognized --mem-bind argument \"\"");
        bad(JOB_SRUN, "mem-bind", "verbose,prefer",
                        "--mem-bind=prefer wants local, rank, map_mem:<list> or mask_mem:<list> "
                        "beside it");
}

static void contradicts(const char *line, const char *expected) {
        struct job_options o;
        struct fail fail = { 0 };

        assert_true(parse(&o, JOB_SBATCH, line, &fail) < 0);
        assert_string_equal(fail.text, expected);
}

static void cores_near_gpus_are_asked_for_by_a_flag(void **state) {
        Slumber__JobSpec s;

        good("--gres=gpu:1", &s);
        assert_int_equal(s.gres_binding, 0);
        good("--gres-flags=enforce-binding", &s);
        assert_int_equal(s.gres_binding, 1);
        good("--gres-flags=Disable-Binding", &s);
        assert_int_equal(s.gres_binding, 2);
        bad(JOB_SBATCH, "gres-flags", "near",
                        "Invalid --gres-flags specification: \"near\": enforce-binding or disable-binding was expected");
        bad(JOB_SBATCH, "gres-flags", "allow-task-sharing",
                        "--gres-flags with another value than enforce-binding or disable-binding is not implemented by Slumber yet");
}

static void tasks_and_gpus_follow_from_each_other(void **state) {
        Slumber__JobSpec s;

        good("--ntasks-per-gpu=2 --gpus=2", &s);
        assert_int_equal(s.num_tasks, 4);
        assert_int_equal(s.ntasks_per_gpu, 2);
        assert_string_equal(s.tres_per_task, "gres/gpu:1");
        assert_string_equal(s.tres_per_job, ""); /* follows from the tasks */
        good("--ntasks-per-gpu=2 -n4", &s);
        assert_int_equal(s.num_tasks, 4);
        good("--ntasks-per-gpu=3 -N2 --gres=gpu:a100:2,craynic", &s);
        assert_int_equal(s.num_tasks, 12);
        assert_string_equal(s.tres_per_task, "gres/gpu:a100:1");
        good("--ntasks-per-gpu=2 -N3", &s);
        assert_int_equal(s.num_tasks, 6);
        contradicts("--ntasks-per-gpu=2 -n5",
                        "-n/--ntasks has to be a multiple of --ntasks-per-gpu.");
        contradicts("--ntasks-per-gpu=2",
                        "--ntasks-per-gpu needs either GPUs or a number of nodes or tasks");
        contradicts("--ntasks-per-gpu=2 -N1-2",
                        "--ntasks-per-gpu needs a number of nodes, not a range");
        contradicts("--ntasks-per-gpu=2 --gpus=3 -n2",
                        "--gpus=3, --ntasks=2 and --ntasks-per-gpu=2 contradict each other");
        contradicts("--ntasks-per-gpu=2 --gpus=1 --ntasks-per-node=2",
                        "--ntasks-per-node is mutually exclusive with --ntasks-per-gpu and SLURM_NTASKS_PER_GPU");
        /* of several kinds: they are shared as tasks are bound */
        good("--ntasks-per-gpu=2 --gres=gpu:a:1,gpu:b:1 -N2", &s);
        assert_int_equal(s.num_tasks, 8);
        assert_int_equal(s.ntasks_per_node, 4);
        assert_int_equal(s.ntasks_per_gpu, 0);
        assert_string_equal(s.tres_per_task, "");
        contradicts("--ntasks-per-gpu=2 --gres=gpu:a:1,gpu:b:1 -N1-2",
                        "--ntasks-per-gpu needs a number of nodes, not a range");
        good("--gpus-per-socket=v100:2 --sockets-per-node=2 -N3", &s);
        assert_string_equal(s.tres_per_socket, "gres/gpu:v100:2");
        assert_int_equal(s.num_tasks, 6);
        assert_int_equal(s.ntasks_per_node, 2);
        good("--gpus-per-socket=1 --sockets-per-node=2", &s);
        assert_int_equal(s.num_tasks, 2);
        assert_int_equal(s.min_nodes, 1);
        /* nodes may get what there is */
        good("--gpus-per-socket=1 --sockets-per-node=2 -N1-3", &s);
        assert_int_equal(s.ntasks_per_node, 0);
        contradicts("--begin=now+1hour --deadline=now+30minutes",
                        "Incompatible begin and deadline time specification");
        contradicts("--gpus-per-socket=1",
                        "--gpus-per-socket option requires --sockets-per-node specification");
        good("-n2 --tres-per-task=cpu=3,gres/gpu:a100=2,gres/craynic=1", &s);
        assert_int_equal(s.cpus_per_task, 3);
        assert_string_equal(s.tres_per_task, "gres/gpu:a100:2,gres/craynic:1");
        bad(JOB_SBATCH, "tres-per-task", "mem=5",
                        "Invalid --tres-per-task specification: \"mem=5\": cpu=COUNT, gres/NAME=COUNT or license/NAME=COUNT was expected");
        bad(JOB_SBATCH, "tres-per-task", "cpu=0",
                        "Invalid numeric value \"0\" for --tres-per-task.");
        good("-n6 -L b:2,a --tres-per-task=license/a=2,license/b,cpu=1", &s);
        assert_string_equal(s.licenses, "b:2,a,a:12,b:6");
        assert_string_equal(s.tres_per_task, "");
        good("-N3 --ntasks-per-node=2 --tres-per-task=license/a:2", &s);
        assert_string_equal(s.licenses, "a:12");
        bad(JOB_SBATCH, "tres-per-task", "license/a=x",
                        "Invalid --tres-per-task specification: \"a=x\": \"a=x\" is not a name and a count up to 2147483647");
}

static void numbers_of_gpus_that_contradict_each_other_are_refused(void **state) {
        Slumber__JobSpec s;

        good("--gpus=4 --gpus-per-node=2", &s);
        good("--gpus=4 --gpus-per-node=2 -N1-3", &s);
        good("--gpus=4 --gpus-per-task=2 -n2", &s);
        good("--gpus-per-node=4 --gpus-per-socket=2 --sockets-per-node=2", &s);
        contradicts("--gpus=5 --gpus-per-node=2",
                        "--gpus is not a multiple of --gpus-per-node (or --gres=gpu)");
        contradicts("--gpus=4 --gres=gpu:3",
                        "--gpus is not a multiple of --gpus-per-node (or --gres=gpu)");
        contradicts("--gpus=3 --gpus-per-task=2", "--gpus is not a multiple of --gpus-per-task");
        contradicts("--gpus-per-node=3 --gpus-per-task=2 -n2",
                        "--gpus-per-node (or --gres=gpu) is not a multiple of --gpus-per-task");
        contradicts("--gpus-per-node=2 --gpus-per-task=1 --ntasks-per-node=3",
                        "--gpus-per-node and --gpus-per-task ask for 2 tasks on a node, not 3");
        contradicts("--gpus=4 --gpus-per-node=2 -N3",
                        "--gpus and --gpus-per-node ask for 2 nodes, not 3");
        contradicts("--gpus=4 --gpus-per-node=2 -N1",
                        "--gpus and --gpus-per-node ask for 2 nodes, not 1");
        contradicts("--gpus=4 --gpus-per-task=1 -n2",
                        "--gpus and --gpus-per-task ask for 4 tasks, not 2");
        contradicts("--gpus-per-node=2 --gpus-per-socket=2 --sockets-per-node=2",
                        "--gpus-per-node and --gpus-per-socket ask for 1 sockets, not 2");
        good("--gpus=a:2,b:1 -N3", &s);
        assert_string_equal(s.tres_per_job, "gres/gpu:a:2,gres/gpu:b:1");
        good("--gpus=a,b,a:2", &s);
        assert_string_equal(s.tres_per_job, "gres/gpu:a:2,gres/gpu:b:1");
        good("--gpus=a:4,b:1 --gpus-per-node=a:2 -N2", &s);
        /* tasks follow from the one, and the other stays */
        good("--gpus=a:4,b:1 --gpus-per-task=a:2", &s);
        assert_int_equal(s.num_tasks, 2);
        assert_string_equal(s.tres_per_job, "gres/gpu:b:1");
        assert_string_equal(s.tres_per_task, "gres/gpu:a:2");
        good("--gpus=a:2,b:4 --gpus-per-task=a:1,b:2", &s);
        assert_string_equal(s.tres_per_job, "");
        contradicts("--gpus=a:2,b:1 -N4",
                        "each node gives one GPU at least: --gpus=3 is too few for 4 nodes");
        contradicts("--gpus=a:3,b:2 --gpus-per-node=b:1,a:2",
                        "--gpus is not a multiple of --gpus-per-node (or --gres=gpu)");
        contradicts("--gpus=a:2,b:2 --gpus-per-task=a:1,b:2",
                        "--gpus and --gpus-per-task ask for 1 tasks, not 2");
        contradicts("--gpus=a:2,b:2 --gpus-per-node=1",
                        "\"gres/gpu:a:2,gres/gpu:b:2,gres/gpu:1\": \"gres/gpu:1\" stands with and without type identification");
        contradicts("--gpus=b:2 --gpus-per-task=a:1",
                        "--gpus-per-task used without either --gpus or -n/--ntasks is not allowed.");
        bad(JOB_SBATCH, "gpus", "2,a:1",
                        "Invalid --gpus specification: \"gpu:2,gpu:a:1\": \"gpu:a:1\" stands with and without type identification");
        good("--gpus=a:2,b:1 --ntasks-per-gpu=2", &s);
        assert_int_equal(s.num_tasks, 6);
        assert_string_equal(s.tres_per_job, "gres/gpu:a:2,gres/gpu:b:1");
        contradicts("--gpus=a:2,b:1 --ntasks-per-gpu=1 -n2",
                        "--gpus=3, --ntasks=2 and --ntasks-per-gpu=1 contradict each other");
        contradicts("--gpus=1 -N2",
                        "each node gives one GPU at least: --gpus=1 is too few for 2 nodes");
        contradicts("--gpus=2 --ntasks-per-gpu=1 -N3",
                        "each node gives one GPU at least: --gpus=2 is too few for 3 nodes");
}

static void what_is_not_there_is_refused_by_name(void **state) {
        bad(JOB_SBATCH, "exclusive", "topo", "--exclusive=topo is not implemented by Slumber yet");
        bad(JOB_SBATCH, "distribution", "block:", "Invalid --distribution specification");
        bad(JOB_SBATCH, "distribution", "block:plane=2", "Invalid --distribution specification");
        bad(JOB_SBATCH, "distribution", "block:*:*:block", "Invalid --distribution specification");
        bad(JOB_SBATCH, "distribution", "arbitrary:block", "Invalid --distribution specification");
        bad(JOB_SBATCH, "distribution", "arbitrary,Pack", "Invalid --distribution specification");
        bad(JOB_SBATCH, "distribution", "plane", "Invalid --distribution specification");
        bad(JOB_SBATCH, "distribution", "block,squeeze", "Invalid --distribution specification");
        bad(JOB_SRUN, "tres-bind", "gres/nic:single:1",
                        "Invalid --tres-bind argument: \"gres/nic:single:1\": "
                        "gres/gpu:[verbose,]HOW was expected; only GPUs are bound");
        bad(JOB_SRUN, "tres-bind", "gres/gpu:none+gres/nic:none",
                        "Invalid --tres-bind argument: \"gres/gpu:none+gres/nic:none\": "
                        "gres/gpu:[verbose,]HOW was expected; only GPUs are bound");
        bad(JOB_SRUN, "tres-bind", "gres/gpu:map:x",
                        "Invalid --tres-bind argument: \"gres/gpu:map:x\": none, closest, "
                        "single:TASKS, per_task:GPUS, map:LIST or mask:LIST was expected behind "
                        "gres/gpu:");
        bad(JOB_SRUN, "resv-ports", "x", "Invalid numeric value \"x\" for --resv-ports.");
        bad(JOB_SRUN, "treewidth", "0",
                        "Invalid numeric value \"0\" for --treewidth: 1 to 65533 or off");
        bad(JOB_SRUN, "cpu-freq", "fast",
                        "unrecognized --cpu-freq argument \"fast\": kHz, low, medium, highm1, high "
                        "or a governor was expected");
        bad(JOB_SBATCH, "hint", "fast", "unrecognized --hint argument \"fast\", see --hint=help");
        bad(JOB_SBATCH, "extra-node-info", "1:2:3:4", "Invalid --extra-node-info specification");
        bad_number(JOB_SBATCH, "extra-node-info", "x:1",
                        "Invalid numeric value \"x\" for first arg of -B.");
        bad_number(JOB_SBATCH, "extra-node-info", "1:0",
                        "Invalid numeric value \"0\" for second arg of -B.");
        bad_number(JOB_SBATCH, "gres", "gpu:a:b:1",
                        "Invalid --gres specification: \"gpu:a:b:1\": \"gpu:a:b:1\" has too many "
                        "parts");
        bad_number(JOB_SBATCH, "exclude", "/no/such",
                        "--exclude: /no/such: No such file or directory");
        bad_number(JOB_SBATCH, "nodelist", "/no/such",
                        "--nodelist: /no/such: No such file or directory");
        bad_number(JOB_SRUN, "kill-on-bad-exit", "x",
                        "Invalid numeric value \"x\" for --kill-on-bad-exit.");
        bad(JOB_SBATCH, "core-spec", "x", "Invalid numeric value \"x\" for --core-spec.");
        bad(JOB_SBATCH, "thread-spec", "0", "Invalid numeric value \"0\" for --thread-spec.");
        bad(JOB_SBATCH, "delay-boot", "x", "Invalid --delay-boot specification");
        bad(JOB_SBATCH, "mail-type", "END,TIME_LIMIT_70", "Invalid --mail-type specification");
        bad(JOB_SBATCH, "mail-type", "END,", "Invalid --mail-type specification");
        bad(JOB_SRUN, "pty", "3", "--pty with a file descriptor is not implemented by Slumber yet");
        bad(JOB_SRUN, "cpu-bind", "boards", "unrecognized --cpu-bind argument \"boards\"");
        bad(JOB_SRUN, "mpi", "bogus", "Invalid MPI type 'bogus', --mpi=list for acceptable types");
        bad_number(JOB_SRUN, "het-group", "3-2", "Invalid --het-group value: 3-2");
        bad_number(JOB_SRUN, "het-group", "0,", "Invalid --het-group value: 0,");
        bad_number(JOB_SRUN, "het-group", "0,128", "Invalid --het-group value: 0,128");
        bad_number(JOB_SRUN, "het-group", "[0-1", "Invalid --het-group value: [0-1");
        bad_number(JOB_SRUN, "het-group", "0-1]", "Invalid --het-group value: 0-1]");
        bad_number(JOB_SRUN, "het-group", "[0],1", "Invalid --het-group value: [0],1");
        bad_number(JOB_SRUN, "het-group", "[]", "Invalid --het-group value: []");
        bad_number(JOB_SRUN, "het-group", "x", "Invalid --het-group value: x");
        bad(JOB_SRUN, "wrap", "x", "unknown option --wrap");
}

static void values_that_change_nothing_are_accepted(void **state) {
        Slumber__JobSpec s;

        good("--mail-type=none --mail-user=me --gres=none --profile=none --mem-bind=none "
             "--ignore-pbs",
                        &s);
        assert_int_equal(s.num_tasks, 0);
}

static void exclusive_job_does_not_share(void **state) {
        struct job_options o;
        struct fail fail = { 0 };

        assert_int_equal(parse(&o, JOB_SBATCH, "-s --exclusive=user", &fail), -EINVAL);
        assert_string_equal(fail.text, "--exclusive and --oversubscribe are mutually exclusive.");
        assert_int_equal(parse(&o, JOB_SRUN, "--exclusive --oversubscribe", &fail), -EINVAL);
        assert_int_equal(parse(&o, JOB_SBATCH, "-s", &fail), 0);
        setenv("SBATCH_EXCLUSIVE", "user", 1); /* is what holds without the option */
        job_options_init(&o, JOB_SBATCH);
        assert_int_equal(job_options_environment(&o, &fail), 0);
        assert_int_equal(o.share, SLUMBER__SHARE__SHARE_USER);
        assert_false(o.says_exclusive);
        unsetenv("SBATCH_EXCLUSIVE");
}

static void memory_can_be_said_in_one_way_only(void **state) {
        struct job_options o;
        struct fail fail = { 0 };

        assert_int_equal(parse(&o, JOB_SBATCH, "--mem=1G --mem-per-cpu=1G", &fail), -EINVAL);
        assert_string_equal(fail.text,
                        "--mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive.");
        assert_int_equal(parse(&o, JOB_SRUN, "--mem=1G --mem-per-cpu=1G", &fail), -EINVAL);
        assert_int_equal(parse(&o, JOB_SRUN, "--mem-per-gpu=1G --mem=1G", &fail), -EINVAL);
}

static void help_in_the_environment_ends_the_command(void **state) {
        static const struct {
                enum job_command command;
                const char *variable, *value;
        } rows[] = {
                { JOB_SRUN, "SLURM_MPI_TYPE", "list" },
                { JOB_SRUN, "SLURM_CPU_BIND", "help" },
                { JOB_SRUN, "SLURM_MEM_BIND", "help" },
                { JOB_SRUN, "SLURM_HINT", "help" },
                { JOB_SRUN, "SLURM_GRES", "help" },
                { JOB_SBATCH, "SBATCH_HINT", "help" },
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                struct job_options o;
                struct fail fail = { 0 };
                setenv(rows[i].variable, rows[i].value, 1);
                job_options_init(&o, rows[i].command);
                assert_int_equal(job_options_environment(&o, &fail), OPTIONS_DONE);
                unsetenv(rows[i].variable);
        }
}

static void memory_is_one_variable_of_the_environment(void **state) {
        static const struct {
                const char *first, *second;
                int command;
        } rows[] = {
                { "SLURM_MEM_PER_CPU", "SLURM_MEM_PER_NODE", JOB_SRUN },
                { "SLURM_MEM_PER_GPU", "SLURM_MEM_PER_NODE", JOB_SRUN },
                { "SBATCH_MEM_PER_CPU", "SBATCH_MEM_PER_GPU", JOB_SBATCH },
                { "SALLOC_MEM_PER_NODE", "SALLOC_MEM_PER_CPU", JOB_SALLOC },
        };
        struct job_options o;
        struct fail fail = { 0 };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                setenv(rows[i].first, "10", 1);
                job_options_init(&o, rows[i].command);
                assert_int_equal(job_options_environment(&o, &fail), 0);
                setenv(rows[i].second, "20", 1);
                job_options_init(&o, rows[i].command);
                assert_int_equal(job_options_environment(&o, &fail), -EDOM);
                assert_non_null(strstr(fail.text, "mutually exclusive"));
                clearenv();
        }
}

static void memory_of_the_environment_yields_to_options(void **state) {
        static const struct {
                const char *script, *variable, *line;
                int command;
                uint64_t mem, per_cpu, per_gpu;
        } rows[] = {
                { "", "SLURM_MEM_PER_CPU", "--mem=30", JOB_SRUN, 30, 0, 0 },
                { "", "SLURM_MEM_PER_GPU", "--mem=30", JOB_SRUN, 30, 0, 0 },
                { "", "SBATCH_MEM_PER_NODE", "--mem-per-cpu=30", JOB_SBATCH, 0, 30, 0 },
                { "", "SALLOC_MEM_PER_NODE", "--mem-per-gpu=30", JOB_SALLOC, 0, 0, 30 },
                { "--mem=30", "SBATCH_MEM_PER_CPU", "", JOB_SBATCH, 30, 0, 0 },
                { "--mem-per-cpu=30", "SBATCH_MEM_PER_CPU", "", JOB_SBATCH, 0, 10, 0 },
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                struct job_options o;
                struct fail fail = { 0 };
                char script[64], line[64];
                char *both[] = { script, line };
                int first;
                snprintf(script, sizeof script, "%s", rows[i].script);
                snprintf(line, sizeof line, "%s", rows[i].line);
                setenv(rows[i].variable, "10", 1);
                job_options_init(&o, rows[i].command);
                for (size_t k = 0; k < ELEMENTSOF(both); k++) {
                        char *argv[] = { (char *)"test", both[k], NULL };
                        if (*both[k])
                                assert_int_equal(options_parse(job_options_table(rows[i].command),
                                                                 2, argv, &o, &first),
                                                0);
                        if (k == 0)
                                assert_int_equal(job_options_environment(&o, &fail), 0);
                }
                assert_int_equal(job_options_check(&o, &fail), 0);
                assert_int_equal(o.mem, rows[i].mem);
                assert_int_equal(o.mem_per_cpu, rows[i].per_cpu);
                assert_int_equal(o.mem_per_gpu, rows[i].per_gpu);
                unsetenv(rows[i].variable);
        }
}

static void node_lists_are_checked(void **state) {
        struct job_options o;
        struct fail fail = { 0 };

        assert_true(parse(&o, JOB_SBATCH, "-w n[1-", &fail) < 0);
        assert_true(parse(&o, JOB_SBATCH, "-x n[2-1]", &fail) < 0);
        assert_int_equal(parse(&o, JOB_SBATCH, "-N1 -w n1,n2", &fail), -EINVAL);
        assert_string_equal(fail.text, "invalid number of nodes (-N 2-1)");
}

static void the_environment_loses_against_the_command_line(void **state) {
        static char *argv[] = { (char *)"sbatch", (char *)"-pcmd", NULL };
        struct job_options o;
        struct fail fail = { 0 };
        int first;

        job_options_init(&o, JOB_SBATCH);
        o.partition = "script";
        o.qos = "script";
        setenv("SBATCH_PARTITION", "env", 1);
        setenv("SBATCH_QOS", "env", 1);
        setenv("SBATCH_NO_REQUEUE", "1", 1);
        setenv("SBATCH_WAIT", "0", 1);
        setenv("SLURM_HINT", "compute_bound", 1); /* sbatch and salloc read that, too */
        setenv("SLURM_PARTITION", "of srun", 1);
        assert_int_equal(job_options_environment(&o, &fail), 0);
        assert_string_equal(o.partition, "env");
        assert_int_equal(options_parse(job_options_table(JOB_SBATCH), 2, argv, &o, &first), 0);
        assert_string_equal(o.partition, "cmd");
        assert_string_equal(o.qos, "env");
        assert_int_equal(o.requeue, 2);
        assert_false(o.wait);
        assert_string_equal(o.hint, "compute_bound");
        clearenv();
}

/* --no-kill[=off|no] and --get-user-env[=seconds]: as the option, with what is in the variable. */
static void variables_of_options_that_may_have_a_value_have_it(void **state) {
        static const struct {
                enum job_command command;
                const char *variable, *value;
                int on; /* < 0: refused */
        } rows[] = {
                { JOB_SRUN, "SLURM_NO_KILL", "", 1 },
                { JOB_SRUN, "SLURM_NO_KILL", "no", 0 },
                { JOB_SRUN, "SLURM_NO_KILL", "off", 0 },
                { JOB_SRUN, "SLURM_NO_KILL", "x", -1 },
                { JOB_SRUN, "SLURM_NO_KILL", "0", -1 },
                { JOB_SBATCH, "SBATCH_NO_KILL", "1", -1 },
                { JOB_SALLOC, "SALLOC_NO_KILL", "yes", -1 },
                { JOB_SBATCH, "SBATCH_GET_USER_ENV", "", 0 },
                { JOB_SBATCH, "SBATCH_GET_USER_ENV", "10L", 0 },
                { JOB_SBATCH, "SBATCH_GET_USER_ENV", "0", 0 },
                { JOB_SBATCH, "SBATCH_GET_USER_ENV", "x", -1 },
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_free_ char *refused = xasprintf("%s: Invalid", rows[i].variable);
                struct job_options o;
                struct fail fail = { 0 };
                setenv(rows[i].variable, rows[i].value, 1);
                job_options_init(&o, rows[i].command);
                int r = job_options_environment(&o, &fail);
                assert_int_equal(r < 0 ? -1 : o.spec.no_kill, rows[i].on);
                if (r < 0)
                        assert_int_equal(strncmp(fail.text, refused, strlen(refused)), 0);
                unsetenv(rows[i].variable);
        }
}

static void variables_of_flags_are_read_as_by_slurm(void **state) {
        static const struct {
                const char *value;
                bool on;
        } rows[] = {
                { "", true },
                { "1", true },
                { "yes", true },
                { "3", true },
                { "0", false },
                { "no", false },
                { "x", false },
        };
        struct job_options o;
        struct fail fail = { 0 };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                setenv("SBATCH_WAIT", rows[i].value, 1);
                setenv("SBATCH_NO_REQUEUE", rows[i].value, 1);
                job_options_init(&o, JOB_SBATCH);
                assert_int_equal(job_options_environment(&o, &fail), 0);
                assert_int_equal(o.wait, rows[i].on);
                assert_int_equal(o.requeue, rows[i].on ? 2 : 0);
        }
        clearenv();
        setenv("SLURM_KILL_BAD_EXIT", "", 1);
        setenv("SLURM_EXCLUSIVE", "", 1);
        setenv("SLURM_DEBUG", "", 1);
        setenv("SLURM_NTASKS", "", 1);
        setenv("SLURM_IMMEDIATE", "5", 1);
        job_options_init(&o, JOB_SRUN);
        assert_int_equal(job_options_environment(&o, &fail), 0);
        assert_true(o.kill_on_bad_exit && o.immediate && o.immediate_seconds == 5);
        assert_int_equal(o.share, SLUMBER__SHARE__SHARE_NO);
        assert_int_equal(o.verbose + o.num_tasks, 0);
        setenv("SLURM_DEBUG", "3", 1); /* -vvv */
        job_options_init(&o, JOB_SRUN);
        assert_int_equal(job_options_environment(&o, &fail), 0);
        assert_int_equal(o.verbose, 3);
        unsetenv("SLURM_DEBUG");
        setenv("SLURM_IMMEDIATE", "0", 1);
        job_options_init(&o, JOB_SRUN);
        assert_int_equal(job_options_environment(&o, &fail), 0);
        assert_false(o.immediate);
        clearenv();
}

static void a_bad_variable_is_named(void **state) {
        struct job_options o;
        struct fail fail = { 0 };

        setenv("SLURM_NTASKS", "many", 1);
        job_options_init(&o, JOB_SRUN);
        assert_int_equal(job_options_environment(&o, &fail), -EDOM);
        assert_int_equal(job_options_exit(-EDOM), 1);
        assert_int_equal(job_options_exit(-EINVAL), 255);
        assert_string_equal(fail.text,
                        "SLURM_NTASKS: Invalid numeric value \"many\" for --ntasks.");
        clearenv();
}

static void no_letter_and_no_name_stands_twice(void **state) {
        for (int c = 0; c < 2; c++) {
                const struct option_table *t = job_options_table(c ? JOB_SRUN : JOB_SBATCH);

                for (size_t i = 0; i < t->n_rows; i++)
                        for (size_t j = i + 1; j < t->n_rows; j++) {
                                assert_string_not_equal(t->rows[i].name, t->rows[j].name);
                                if (t->rows[i].letter)
                                        assert_int_not_equal(t->rows[i].letter, t->rows[j].letter);
                        }
        }
}

static const char *const carried_list[] = { "account", "acctg-freq", "begin", "bbf", "chdir",
        "cluster-constraint", "clusters", "comment", "container", "deadline", "delay-boot",
        "dependency", "epilog", "error", "exact", "exclude", "export", "export-file", "extra",
        "get-user-env", "gid", "hold", "ignore-pbs", "immediate", "input", "job-name",
        "kill-on-bad-exit", "kill-on-invalid-dep", "label", "mcs-label", "mem", "msg-timeout",
        "nice", "no-allocate", "no-kill", "no-requeue", "open-mode", "output", "overlap",
        "parsable", "prefer", "priority", "profile", "prolog", "propagate", "pty", "qos", "quiet",
        "quit-on-interrupt", "reboot", "requeue", "reservation", "signal", "slurmd-debug",
        "task-epilog", "task-prolog", "test-only", "threads", "time", "time-min", "uid",
        "unbuffered", "verbose", "wait", "wait-all-nodes", "wckey", "whole" };
static const char *const anew_list[] = { "nodes", "ntasks", "cpus-per-task", "mem-per-cpu",
        "mem-per-gpu", "partition", "constraint", "nodelist", "nodefile", "exclusive",
        "oversubscribe", "gres", "gpus", "gpus-per-node", "gpus-per-socket", "gpus-per-task",
        "tres-per-task", "licenses", "distribution", "ntasks-per-core", "ntasks-per-node",
        "ntasks-per-socket", "ntasks-per-gpu", "sockets-per-node", "cores-per-socket",
        "threads-per-core", "core-spec", "thread-spec", "contiguous", "mincpus", "tmp", "cpu-bind",
        "mem-bind", "hint", "switches", "network", "bb", "mail-type", "mail-user", "overcommit",
        "spread-job", "use-min-nodes", "bcast", "send-libs", "relative", "resv-ports" };

static bool in_list(const char *const *list, size_t n, const char *name) {
        for (size_t i = 0; i < n; i++)
                if (streq(list[i], name))
                        return true;
        return false;
}

/* Of each command that has it. */
static bool is_carried(const char *name) {
        static const enum job_command commands[] = { JOB_SBATCH, JOB_SRUN, JOB_SALLOC };
        size_t n = 0, yes = 0;

        for (size_t i = 0; i < ELEMENTSOF(commands); i++) {
                bool has = job_options_has(commands[i], name);
                n += has;
                yes += has && job_options_is_carried(commands[i], name);
        }
        assert_true(n > 0);
        assert_true(yes == 0 || yes == n);
        return yes;
}

static void a_later_component_has_what_is_carried(void **state) {
        for (size_t i = 0; i < ELEMENTSOF(carried_list); i++) {
                assert_true(is_carried(carried_list[i]));
                assert_false(in_list(anew_list, ELEMENTSOF(anew_list), carried_list[i]));
        }
        for (size_t i = 0; i < ELEMENTSOF(anew_list); i++)
                assert_false(is_carried(anew_list[i]));
        /* whatever else is carried would be a decision of its own */
        const struct option_table *t = job_options_table(JOB_SRUN);
        for (size_t i = 0; i < t->n_rows; i++)
                if (t->rows[i].name && job_options_is_carried(JOB_SRUN, t->rows[i].name))
                        assert_true(in_list(carried_list, ELEMENTSOF(carried_list),
                                                    t->rows[i].name) ||
                                        streq(t->rows[i].name, "cluster"));
}

static void options_are_carried_to_a_later_component(void **state) {
        char *first[] = { (char *)"srun", (char *)"-N2", (char *)"-J", (char *)"eins",
                (char *)"--mem=5", (char *)"-v", (char *)"-t3", (char *)"-plow", NULL };
        char *second[] = { (char *)"srun", (char *)"-n3", (char *)"-t4", NULL };
        struct job_options o;
        int at;

        job_options_init(&o, JOB_SRUN);
        assert_int_equal(job_options_carry(&o, ELEMENTSOF(first) - 1, first), 0);
        assert_int_equal(options_parse(job_options_table(JOB_SRUN), ELEMENTSOF(second) - 1, second,
                                         &o, &at),
                        0);
        assert_int_equal(o.min_nodes, 0);
        assert_null(o.partition);
        assert_string_equal(o.name, "eins");
        assert_int_equal(o.mem, 5);
        assert_int_equal(o.verbose, 1);
        assert_int_equal(o.num_tasks, 3);
        assert_int_equal(o.time_limit, 4 * 60 * USEC_PER_SEC);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_later_component_has_what_is_carried),
                cmocka_unit_test(options_are_carried_to_a_later_component),
                cmocka_unit_test(nothing_asked_is_one_task),
                cmocka_unit_test(signal_and_memory_zero),
                cmocka_unit_test(limits_are_named),
                cmocka_unit_test(every_option_reaches_the_spec),
                cmocka_unit_test(sockets_and_company_reach_the_spec),
                cmocka_unit_test(a_list_says_nodes_and_tasks),
                cmocka_unit_test(values_that_mean_the_opposite),
                cmocka_unit_test(counts_follow_from_each_other),
                cmocka_unit_test(tasks_follow_from_the_shape_of_a_node),
                cmocka_unit_test(fewer_tasks_than_nodes_is_a_warning),
                cmocka_unit_test(bad_values_get_slurms_words),
                cmocka_unit_test(cores_near_gpus_are_asked_for_by_a_flag),
                cmocka_unit_test(tasks_and_gpus_follow_from_each_other),
                cmocka_unit_test(numbers_of_gpus_that_contradict_each_other_are_refused),
                cmocka_unit_test(what_is_not_there_is_refused_by_name),
                cmocka_unit_test(values_that_change_nothing_are_accepted),
                cmocka_unit_test(exclusive_job_does_not_share),
                cmocka_unit_test(memory_can_be_said_in_one_way_only),
                cmocka_unit_test(help_in_the_environment_ends_the_command),
                cmocka_unit_test(memory_is_one_variable_of_the_environment),
                cmocka_unit_test(memory_of_the_environment_yields_to_options),
                cmocka_unit_test(node_lists_are_checked),
                cmocka_unit_test(the_environment_loses_against_the_command_line),
                cmocka_unit_test(variables_of_flags_are_read_as_by_slurm),
                cmocka_unit_test(variables_of_options_that_may_have_a_value_have_it),
                cmocka_unit_test(a_bad_variable_is_named),
                cmocka_unit_test(no_letter_and_no_name_stands_twice),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
