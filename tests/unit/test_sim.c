/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small traces with the starts that were worked out by hand; and what the readers of traces take
   and refuse. */
#include "tests/unit/test.h"
#include "tests/unit/testcluster.h"

#include "controller/jobs/past.h"
#include "controller/sched/sched.h"
#include "sim/sums.h"
#include "sim/virtual.h"

#define NOW (1700000000 * USEC_PER_SEC)
#define S   USEC_PER_SEC

static struct cluster *make(unsigned nodes, const char *settings) {
        _cleanup_free_ char *text = xasprintf(
                        "ClusterName=t\nSlurmctldHost=h\nSlurmUser=root\nSelectType=select/linear\n"
                        "NodeName=n[1-%u] CPUs=2\nPartitionName=p Nodes=ALL Default=YES MaxTime=UNLIMITED\n%s",
                        nodes, settings);

        return cluster_of(text, NOW);
}

/* "0@n[1-2] 100.5@n1 never": each job's start and nodes. */
static char *starts(const struct cluster *c, const struct sim_result *r) {
        char *text = xstrdup("");

        for (size_t i = 0; i < r->n_jobs; i++) {
                const struct sim_job *j = &r->jobs[i];
                _cleanup_free_ char *nodes = sim_nodes_text(c, j), *before = text;
                text = j->n_nodes ? xasprintf("%s%s%g@%s", before, *before ? " " : "",
                                                    (double)j->start / (double)S, nodes)
                                  : xasprintf("%s%s%s", before, *before ? " " : "",
                                                    sim_outcome_text(j->outcome));
        }
        return text;
}

static char *run(unsigned nodes, const char *settings, const char *csv,
                const struct sim_options *o) {
        _cleanup_(trace_freep) struct trace *t = NULL;
        struct sim_result r = { 0 };
        struct fail fail = { 0 };

        if (csv_read("jobs.csv", csv, strlen(csv), &t, &fail) < 0)
                fail_msg("%s", fail.text);
        struct cluster *c = make(nodes, settings);
        assert_int_equal(sim_run(c, t, NOW, o, &r, &fail), 0);
        char *text = starts(c, &r);
        sim_result_done(&r);
        cluster_free(c);
        return text;
}

#define JOBS "submit,run,limit,nodes\n"
#define EASY "SchedulerParameters=bf_easy\n"
#define FIFO "SchedulerType=sched/builtin\n"

static void jobs_start_as_worked_out_by_hand(void **state) {
        static const struct {
                const char *what;
                unsigned nodes;
                const char *settings, *jobs, *starts;
        } cases[] = {
                { "a job starts at once, on the lowest numbers", 4, "", JOBS "5,10,20,2\n",
                                "5@n[1-2]" },
                { "first come, first served", 4, "", JOBS "0,100,100,4\n1,10,10,4\n",
                                "0@n[1-4] 100@n[1-4]" },
                { "what few traces tell of counts", 4, "Licenses=lic:1\n",
                                "submit,run,limit,nodes,licenses,begin,deadline,time_min\n0,10,10,1,lic,,,\n1,10,10,1,lic,,,\n2,10,10,1,,30,,\n"
                                "3,10,20,1,lic,,22,\n40,100,100,3,,,,\n41,10,10,4,,,,\n42,30,200,1,,,,50\n",
                                "0@n1 10@n1 30@n1 DEADLINE 40@n[1-3] 140@n[1-4] 42@n4" },
                { "a small one goes first where it delays none", 4, "",
                                JOBS "0,100,100,3\n1,50,50,4\n2,90,90,1\n",
                                "0@n[1-3] 100@n[1-4] 2@n4" },
                { "and not where it would", 4, "", JOBS "0,100,100,3\n1,50,50,4\n2,90,120,1\n",
                                "0@n[1-3] 100@n[1-4] 150@n1" },
                { "nor without backfill", 4, FIFO, JOBS "0,100,100,3\n1,50,50,4\n2,90,90,1\n",
                                "0@n[1-3] 100@n[1-4] 150@n1" },
                { "what ends at an instant is gone before others come", 4, "",
                                JOBS "0,50,50,4\n50,10,10,4\n50,10,10,4\n",
                                "0@n[1-4] 50@n[1-4] 60@n[1-4]" },
                { "an early end moves all up", 4, "", JOBS "0,30,100,4\n1,10,10,4\n2,10,10,4\n",
                                "0@n[1-4] 30@n[1-4] 40@n[1-4]" },
                { "conservative: no place is taken", 4, "",
                                JOBS "0,100,100,3\n1,100,100,2\n2,100,100,4\n3,400,400,1\n",
                                "0@n[1-3] 100@n[1-2] 200@n[1-4] 300@n1" },
                { "conservative: an early end puts each back where it fits first, be it at the same time",
                                3, "", JOBS "0,10,40,1\n1,10,10,2\n1,10,10,2\n2,40,40,1\n",
                                "0@n1 1@n[2-3] 11@n[1-2] 11@n3" },
                { "EASY: only the first one's is kept", 4, EASY,
                                JOBS "0,100,100,3\n1,100,100,2\n2,100,100,4\n3,400,400,1\n",
                                "0@n[1-3] 100@n[1-2] 403@n[1-4] 3@n4" },
                { "EASY: and that on its nodes", 4, EASY,
                                JOBS "0,50,100,2\n1,50,50,3\n2,200,200,1\n",
                                "0@n[1-2] 50@n[1-3] 2@n4" },
                { "EASY: one that comes when the place has gone gets one", 4, EASY,
                                JOBS "0,10,10,4\n1,20,20,4\n20,50,50,2\n30,10,10,4\n30,60,60,2\n",
                                "0@n[1-4] 10@n[1-4] 30@n[1-2] 80@n[1-4] 90@n[1-2]" },
                { "free nodes with gaps", 4, "",
                                JOBS "0,100,100,1\n0,50,50,1\n0,100,100,1\n60,10,10,2\n",
                                "0@n1 0@n2 0@n3 60@n[2,4]" },
                { "the same nodes all the time", 2, "",
                                JOBS
                                "0,100,100,1\n0,50,50,1\n1,60,60,1\n2,40,40,2\n3,10,10,1\n4,20,20,1\n",
                                "0@n1 0@n2 50@n2 110@n[1-2] 100@n1 150@n1" },
                { "a job that runs too long is ended", 4, "", JOBS "0,500,100,4\n1,10,10,4\n",
                                "0@n[1-4] 100@n[1-4]" },
                { "fractions of a second count", 4, "", JOBS "0.25,0.5,1,4\n0.5,1,1,4\n",
                                "0.25@n[1-4] 0.75@n[1-4]" },
                { "some take no time", 4, "", JOBS "0,0,10,4\n0,10,10,4\n", "0@n[1-4] 0@n[1-4]" },
                { "too large is for ever", 4, "", JOBS "0,10,10,5\n1,10,10,4\n",
                                "NEVER_STARTED 1@n[1-4]" },
                { "a job that must come after another waits", 4, "",
                                "job,submit,run,nodes,after\na,0,50,1,\nb,1,10,1,a\nc,2,5,1,\n",
                                "0@n1 50@n1 2@n2" },
                { "components start together, on nodes of their own", 4, "",
                                "job,submit,run,nodes,het\na,0,50,3,\nb,1,30,2,\n# more\n,,,1,b\nc,2,10,1,\n",
                                "0@n[1-3] 50@n[1-2] 50@n3 2@n4" },
                { "one may end before the first one, and none after it", 4, "",
                                "job,submit,run,nodes,het\na,0,50,1,\n,0,20,1,a\n,0,90,1,a\nb,1,5,2,\nc,1,5,3,\n",
                                "0@n1 0@n2 0@n3 20@n[2,4] 50@n[1-3]" },
                { "its limit ends one alone", 2, "",
                                "job,submit,run,limit,nodes,het\na,0,50,60,1,\n,,,20,1,a\nb,1,5,5,1,\n",
                                "0@n1 0@n2 20@n2" },
                { "a job after all of them, another after one", 4, "",
                                "job,submit,run,nodes,het,after\na,0,50,1,,\n,,20,1,a,\nb,1,5,1,,a\nc,1,5,1,,a+1\n",
                                "0@n1 0@n2 50@n1 20@n2" },
                { "all are refused if one is", 4, "",
                                "submit,run,nodes,het,partition\n0,50,1,,\n,,1,1,q\n1,5,4,,\n",
                                "REFUSED REFUSED 1@n[1-4]" },
                { "they never start where one cannot", 4, "",
                                "submit,run,nodes,het\n0,50,3,\n,,2,1\n1,5,4,\n",
                                "NEVER_STARTED NEVER_STARTED 1@n[1-4]" },
                { "CPUs make nodes", 4, "", "submit,run,tasks\n0,10,1\n0,10,3\n0,10,2\n",
                                "0@n1 0@n[2-3] 0@n4" },
        };
        const struct sim_options o = { 0 };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_free_ char *got = run(cases[i].nodes, cases[i].settings, cases[i].jobs,
                                &o);
                if (!streq(got, cases[i].starts))
                        fail_msg("%s: %s; expected %s", cases[i].what, got, cases[i].starts);
        }
}

static void with_feedback_a_job_comes_after_thinking(void **state) {
        const struct sim_options o = { .feedback = true };
        _cleanup_free_ char *got = run(4, "",
                        "job,submit,run,nodes,after,think\na,0,50,4,,\nb,1,10,4,a,30\nc,90,5,1,b,\n",
                        &o);

        /* a job that gives no time for it comes when the trace says */
        assert_string_equal(got, "0@n[1-4] 80@n[1-4] 90@n1");
}

static void components_come_with_their_first_one(void **state) {
        const struct sim_options o = { .feedback = true };
        _cleanup_free_ char *got = run(4, "",
                        "job,submit,run,nodes,after,think,het\na,0,50,4,,,\nb,1,10,3,a,30,\n,,,1,,,b\nc,2,5,4,,,\n",
                        &o);

        assert_string_equal(got, "0@n[1-4] 80@n[1-3] 80@n4 50@n[1-4]");
}

static void a_job_has_so_many_components(void **state) {
        _cleanup_(trace_freep) struct trace *t = NULL;
        _cleanup_free_ char *text = xstrdup("submit,run,het\n1,2,\n");
        struct fail fail = { 0 };

        for (unsigned i = 0; i < HET_MAX; i++) {
                char *longer = xasprintf("%s,,1\n", text);
                free(text);
                text = longer;
        }
        assert_int_equal(csv_read("f", text, strlen(text), &t, &fail), -EINVAL);
        assert_string_equal(fail.text, "f line 130: het: more than 128 components");
        assert_int_equal(csv_read("f", text, strlen(text) - strlen(",,1\n"), &t, &fail), 0);
        assert_int_equal(t->jobs[0].het, HET_MAX);
        assert_string_equal(t->jobs[127].name, "1+127");
}

static void processors_make_whole_nodes_where_asked(void **state) {
        const struct sim_options o = { .per_node = 8 };
        _cleanup_free_ char *got = run(4, "", "submit,run,tasks\n0,10,9\n0,10,16\n", &o);

        assert_string_equal(got, "0@n[1-2] 0@n[3-4]");
}

/* Idle 0..100, going down ..110, off ..200, booting ..220, busy ..250; the other one stays off. */
static void sleep_costs_a_boot_and_saves_energy(void **state) {
        static const char csv[] = "submit,run,nodes\n200,30,1\n";
        struct cluster *c = make(2,
                        "SuspendProgram=/s\nResumeProgram=/r\nSuspendTime=100\nSuspendTimeout=10\nResumeTimeout=60\n"
                        "SuspendRate=0\nResumeRate=0\n");
        const struct sim_options o = { .changes = true };
        _cleanup_(trace_freep) struct trace *t = NULL;
        struct sim_result r;
        struct sums sums;

        assert_int_equal(csv_read("x.csv", csv, strlen(csv), &t, NULL), 0);
        for (size_t i = 0; i < 2; i++) {
                struct node *n = c->nodes[i];
                n->boots_in = 20 * S;
                n->figures[ENERGY_ON] = 200000;
                n->figures[ENERGY_IDLE] = 100000;
                n->figures[ENERGY_OFF] = 10000;
                n->figures[ENERGY_BOOTING] = 150000;
        }
        assert_int_equal(sim_run(c, t, NOW, &o, &r, NULL), 0);
        assert_true(r.jobs[0].start == 220 * S && r.jobs[0].end == 250 * S && r.end == 250 * S);
        const usec_t in[SIM_STATE_MAX] = { 100 * S, 30 * S, 20 * S, 10 * S, 90 * S, 0 };
        assert_memory_equal(r.nodes[0].in, in, sizeof in);
        assert_int_equal(r.nodes[0].used, 20900000);
        assert_int_equal(r.nodes[1].used, 12400000);
        assert_int_equal(r.nodes[0].suspends + r.nodes[0].resumes, 2);
        assert_int_equal(r.nodes[1].suspends + r.nodes[1].resumes, 1);
        sums_make(c, &r, &sums);
        assert_true(sums.wait.mean == 20 && sums.wait.p95 == 20 && sums.slowdown.mean == 50.0 / 30);
        assert_true(sums.cpus_used == 100.0 * 30 * 2 / (250 * 4));
        assert_true(sums.watts_max == 210); /* one in use, one off */
        sim_result_done(&r);
        cluster_free(c);
}

/* Too large; too late; before its time: after one that does not run. Job 4 waits in two partitions,
   and is one job. */
static void each_job_is_counted_once(void **state) {
        static const char csv[] =
                        "job,submit,run,nodes,deadline,partition,after,think\na,0,50,2,,p,,\nlarge,0,10,3,,p,,\nlate,0,10,2,20,p,,\n"
                        "both,0,10,2,,\"p,q\",,\nafter,1,10,1,,p,large,5\n";
        const struct sim_options o = { .feedback = true };
        _cleanup_(trace_freep) struct trace *t = NULL;
        struct sim_result r = { 0 };
        struct sums sums = { 0 };
        struct cluster *c = make(2, "PartitionName=q Nodes=ALL\n");

        assert_int_equal(csv_read("jobs.csv", csv, strlen(csv), &t, NULL), 0);
        assert_int_equal(sim_run(c, t, NOW, &o, &r, NULL), 0);
        assert_int_equal(r.points[0].pending, 3);
        assert_int_equal(r.points[1].at, 10 * S); /* it could not end in time any more */
        assert_int_equal(r.points[1].pending, 2);
        assert_int_equal(c->n_pending, 1);
        sums_make(c, &r, &sums);
        assert_true(sums.jobs == 5 && sums.ran == 2 && sums.refused == 0 &&
                        sums.never_started == 3);
        static const char *const why[] = {
                "PartitionNodeLimit",
                "DeadLine",
                "the job that it comes after does not run",
        };
        assert_int_equal(r.waiting.n, ELEMENTSOF(why));
        for (size_t i = 0; i < ELEMENTSOF(why); i++)
                assert_string_equal(r.waiting.list[i].why, why[i]);
        sim_result_done(&r);
        cluster_free(c);
}

/* Job 1 runs at 0-30, 60-70, job 2 at 30-60, 70-80: two on the same CPUs use them once. */
static void suspended_job_uses_no_cpus(void **state) {
        static const char csv[] = "submit,run,nodes,partition\n0,40,2,g\n0,40,2,g\n";
        static const struct {
                usec_t at;
                uint32_t job;
        } turns[] = {
                { 0, 0 },
                { 30 * S, 1 },
                { 60 * S, 0 },
                { 70 * S, 1 },
                { 80 * S, SIM_NO_JOB },
        };
        const struct sim_options o = { .changes = true };
        _cleanup_(trace_freep) struct trace *t = NULL;
        struct sim_result r = { 0 };
        struct sums sums = { 0 };
        struct fail fail = { 0 };
        struct cluster *c = make(2,
                        "PreemptMode=GANG\nPartitionName=g Nodes=ALL OverSubscribe=FORCE:2\n");
        size_t n = 0;

        assert_int_equal(csv_read("jobs.csv", csv, strlen(csv), &t, &fail), 0);
        assert_int_equal(sim_run(c, t, NOW, &o, &r, &fail), 0);
        for (size_t i = 0; i < r.n_changes; i++) {
                if (r.changes[i].node != 0)
                        continue;
                assert_true(n < ELEMENTSOF(turns));
                assert_true(r.changes[i].at == turns[n].at && r.changes[i].job == turns[n].job);
                n++;
        }
        assert_int_equal(n, ELEMENTSOF(turns));
        assert_true(r.jobs[0].end == 70 * S && r.jobs[0].suspended == 30 * S);
        assert_true(r.jobs[1].start == 30 * S && r.jobs[1].suspended == 10 * S);
        sums_make(c, &r, &sums);
        assert_true(sums.cpus_used == 100);
        assert_true(sums.jobs_suspended == 2 && sums.suspended == 40.0 / 3600);
        assert_true(sums.slowdown.max == 80.0 / 40 &&
                        sums.slowdown.mean == (70.0 / 40 + 80.0 / 40) / 2);
        sim_result_done(&r);
        cluster_free(c);
}

/* A plan was longer than the place that was found for it: by the boot of a node that has gone to
   sleep since the last sweep, by the rounding of its end. */
static void plans_have_room_for_boots_and_rounding(void **state) {
        static const char sleepy[] =
                        "SuspendProgram=/s\nResumeProgram=/r\nSuspendTime=20\nSuspendTimeout=5\nResumeTimeout=30\n"
                        "SuspendRate=0\nResumeRate=0\n";
        static const char boots[] = JOBS
                        "0,1,15,6\n9,57,57,4\n9,32,32,4\n9,39,79,3\n9,62,137,2\n171,4,9,2\n225,44,59,3\n225,73,147,8\n"
                        "225,64,64,5\n225,32,47,4\n225,1,30,2\n396,90,90,6\n396,1,61,4\n519,103,103,5\n633,8,81,1\n798,119,123,5\n";
        static const char ends[] = JOBS
                        "0,70,141,2\n0,25,51,6\n0,8,22,9\n0,1,2,6\n27,1,1,6\n27,63,126,1\n27,45,91,7\n27,1,128,2\n27,1,87,7\n"
                        "27,54,108,2\n27,18,25,7\n63,99,99,8\n63,22,22,6\n63,1,6,8\n138,21,21,4\n138,1,4,2\n192,121,121,1\n"
                        "192,1,129,10\n315,10,10,7\n465,104,106,7\n465,43,87,4\n";
        const struct sim_options o = { 0 };
        _cleanup_free_ char *a = run(8, sleepy, boots, &o),
                            *b = run(10, "SchedulerParameters=bf_resolution=60\n", ends, &o);

        assert_null(strstr(a, "NEVER"));
        assert_null(strstr(b, "NEVER"));
}

static void boots_that_fail_come_from_the_seed(void **state) {
        static const char settings[] =
                        "SuspendProgram=/s\nResumeProgram=/r\nSuspendTime=10\nSuspendTimeout=10\nResumeTimeout=60\n"
                        "SuspendRate=0\nResumeRate=0\n";
        static const char csv[] = JOBS "100,10,10,4\n300,10,10,4\n600,10,10,4\n";
        const struct sim_options none = { .boot_fails = 0, .boot_varies = 500, .seed = 3 },
                                 all = { .boot_fails = 1000000, .seed = 3 },
                                 other = { .boot_varies = 500, .seed = 4 };
        _cleanup_free_ char *a = run(8, settings, csv, &none), *b = run(8, settings, csv, &none),
                            *c = run(8, settings, csv, &all), *d = run(8, settings, csv, &other);

        assert_string_equal(a, b);
        assert_string_not_equal(a, d);
        assert_non_null(strstr(c, "NEVER_STARTED"));
}

/* ---- traces ---- */

static void bad_traces_are_refused_by_line_and_field(void **state) {
        static const struct {
                int (*read)(const char *, const char *, size_t, struct trace **, struct fail *);
                const char *text, *error;
        } cases[] = {
                { csv_read, "submit,run\n", "f: there is no job in it" },
                { csv_read, "submit,nodes\n1,2\n", "f line 1: there is no column \"run\"" },
                { csv_read, "submit,run,colour\n1,2,red\n",
                                "f line 1: \"colour\" is not the name of a column; slumber-sim(1) has them" },
                { csv_read, "submit,run,run\n1,2,3\n", "f line 1: the column run stands twice" },
                { csv_read, "submit,run\n1\n", "f line 2: there are 1 values; expected 2" },
                { csv_read, "submit,run\n1,2,3\n", "f line 2: there are more values than columns" },
                { csv_read, "submit,run\n,2\n", "f line 2: submit: it is empty" },
                { csv_read, "submit,run\n1,-2\n",
                                "f line 2: run: \"-2\" is not a number of seconds" },
                { csv_read, "submit,run,nodes\n1,2,4-2\n",
                                "f line 2: nodes: \"4-2\" is not a number of nodes, nor two of them (2-4)" },
                { csv_read, "submit,run,limit\n1,2,0\n",
                                "f line 2: limit: \"0\" is not a number of seconds above 0, nor UNLIMITED" },
                { csv_read, "submit,run,mem\n1,2,much\n",
                                "f line 2: mem: \"much\" is not an amount of memory like 4096 (MB) or 4G" },
                { csv_read, "submit,run,exclusive\n1,2,maybe\n",
                                "f line 2: exclusive: \"maybe\" is not yes or no" },
                { csv_read, "submit,run,after\n1,2,x\n", "f line 2: after: there is no job \"x\"" },
                { csv_read, "job,submit,run,after\na,1,2,b\nb,3,4,\n",
                                "f line 2: job a comes after job b, which is submitted later" },
                { csv_read, "job,submit,run,het\na,1,2,\nb,1,2,\n,,,a\n",
                                "f line 4: het: \"a\" is not the job before it, behind which its components stand" },
                { csv_read, "submit,run,het\n1,2,1\n",
                                "f line 2: het: \"1\" is not the job before it, behind which its components stand" },
                { csv_read, "submit,run,het\n1,2,\n3,2,1\n",
                                "f line 3: submit: a component is submitted when its first one is" },
                { csv_read, "submit,run,user,het\n1,2,ann,\n,,bob,1\n",
                                "f line 3: user: a component has the user of its first one" },
                { csv_read, "submit,run,after,het\n1,2,,\n2,2,,\n,,1,2\n",
                                "f line 4: after: that of the first component counts for all" },
                { csv_read, "submit,run,think,het\n1,2,,\n,,5,1\n",
                                "f line 3: think: that of the first component counts for all" },
                { csv_read, "submit,run,het\n1,2,\n1,x,1\n",
                                "f line 3: run: \"x\" is not a number of seconds" },
                { csv_read, "submit,run\n\"1,2\n",
                                "f line 2: a quoted value does not end with \" before a comma" },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                struct trace *t = NULL;
                struct fail fail = { 0 };
                assert_true(cases[i].read("f", cases[i].text, strlen(cases[i].text), &t, &fail) <
                                0);
                assert_string_equal(fail.text, cases[i].error);
                assert_null(t);
        }
}

static void csv_has_columns_in_any_order(void **state) {
        static const char text[] =
                        "# mine\nrun,Submit,job,user,nodes,limit,mem,exclusive,nodelist,nice\r\n"
                        "10,30,late,bob,2-4,60,2G,yes,\"n[1,3]\",-5\n1.5,2,early,ann,,UNLIMITED,,,,\n2,2,\"a \"\"b\"\"\",bob,,,,no,,\n";
        _cleanup_(trace_freep) struct trace *t = NULL;
        struct fail fail = { 0 };

        if (csv_read("f", text, strlen(text), &t, &fail) < 0)
                fail_msg("%s", fail.text);
        assert_int_equal(t->n, 3);
        const struct trace_job *a = &t->jobs[0], *b = &t->jobs[1], *c = &t->jobs[2];
        assert_string_equal(a->name, "early");
        assert_true(a->run == 1500000 && a->limit == NO_LIMIT && a->uid == 1001);
        assert_string_equal(b->name, "a \"b\"");
        assert_true(b->uid == 1000 && b->limit == 2 * S);
        assert_true(c->nodes == 2 && c->max_nodes == 4 && c->mem_per_node == 2048 && c->exclusive &&
                        c->nice == -5);
        assert_string_equal(c->nodelist, "n[1,3]");
}

/* Nobody answers there; what was asked before the cluster was copied is not answered, either. */
static void plans_ask_no_accounts(void **state) {
        static const struct virtual_ops ops = { 0 };
        _cleanup_(cluster_freep) struct cluster *c = make(1, "");
        const struct submitter by = { .uid = 1000, .gid = 1000, .user = "u", .group = "g" };
        struct job_spec spec = { .min_nodes = 1, .batch = true, .time_limit = 60 * S };
        struct job *first, *second;
        struct fail fail = { 0 };

        (void)state;
        c->next_job_id = 10;
        c->pasts.kept = true;
        spec.dependency = (char *)"afterok:5";
        assert_int_equal(job_admit(c, &spec, &by, NOW, &first, &fail), SLUMBER_OK);
        spec.dependency = (char *)"after:10,afterok:6";
        assert_int_equal(job_admit(c, &spec, &by, NOW, &second, &fail), SLUMBER_OK);
        assert_non_null(past_of(c, 5));
        _cleanup_(virtual_freep) struct virtual *v = virtual_new(c, NOW, &ops, NULL);
        virtual_register_all(v);
        (void)virtual_run(v, NOW + 200 * S);
        assert_null(first->waiting.depends);
        assert_null(second->waiting.depends);
}

static void words_make_the_round_trip(void **state) {
        for (int i = 0; i < SIM_STATE_MAX; i++)
                assert_int_equal(sim_state_parse(sim_state_text(i)), i);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(jobs_start_as_worked_out_by_hand),
                cmocka_unit_test(with_feedback_a_job_comes_after_thinking),
                cmocka_unit_test(components_come_with_their_first_one),
                cmocka_unit_test(a_job_has_so_many_components),
                cmocka_unit_test(processors_make_whole_nodes_where_asked),
                cmocka_unit_test(sleep_costs_a_boot_and_saves_energy),
                cmocka_unit_test(each_job_is_counted_once),
                cmocka_unit_test(suspended_job_uses_no_cpus),
                cmocka_unit_test(plans_have_room_for_boots_and_rounding),
                cmocka_unit_test(boots_that_fail_come_from_the_seed),
                cmocka_unit_test(bad_traces_are_refused_by_line_and_field),
                cmocka_unit_test(csv_has_columns_in_any_order),
                cmocka_unit_test(plans_ask_no_accounts),
                cmocka_unit_test(words_make_the_round_trip),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
