/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Standard Workload Format, its 18 fields one by one: each of them changes something, and is
   named when it is bad. */
#include "tests/unit/test.h"

#include "sim/sums.h"
#include "tests/unit/testcluster.h"

#define S USEC_PER_SEC

static struct trace *swf(const char *text) {
        struct trace *t = NULL;
        struct fail fail = { 0 };

        if (swf_read("t.swf", text, strlen(text), &t, &fail) < 0)
                fail_msg("%s", fail.text);
        return t;
}

static double seconds(usec_t t) {
        return t == NO_LIMIT ? -1 : (double)t / (double)S;
}

/* All that has become of a trace's last job. */
static char *told(const struct trace *t) {
        const struct trace_job *j = &t->jobs[t->n - 1];

        return xasprintf(
                        "%s at %g waited %g ran %g of %g, %u tasks, %llu MB, %u.%u %s/%s %s, after %s think %g",
                        j->name, seconds(j->submit), seconds(j->waited), seconds(j->run),
                        seconds(j->limit), j->tasks, (unsigned long long)j->mem_per_cpu, j->uid,
                        j->gid, strna(j->partition), strna(j->partition_too),
                        j->fails ? "fails" : "good",
                        j->after == UINT32_MAX ? "none" : t->jobs[j->after].name,
                        seconds(j->think));
}

#define FIRST "1 0 -1 5 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n"

static void each_field_counts(void **state) {
        static const struct {
                unsigned field; /* 0: none is changed */
                const char *line, *told;
        } cases[] = {
                /*   1 2   3  4  5 6  7    8 9  10   11 12 13 14 15 16 17 18 */
                { 0, "2 10 4 20 6 18 1024 8 60 4096 1 7 9 1 3 4 1 2",
                                "2 at 10 waited 4 ran 20 of 60, 8 tasks, 4 MB, 7.9 3/4 good, after 1 think 2" },
                { 1, "5 10 4 20 6 18 1024 8 60 4096 1 7 9 1 3 4 1 2",
                                "5 at 10 waited 4 ran 20 of 60, 8 tasks, 4 MB, 7.9 3/4 good, after 1 think 2" },
                { 2, "2 11.5 4 20 6 18 1024 8 60 4096 1 7 9 1 3 4 1 2",
                                "2 at 11.5 waited 4 ran 20 of 60, 8 tasks, 4 MB, 7.9 3/4 good, after 1 think 2" },
                { 3, "2 10 4.25 20 6 18 1024 8 60 4096 1 7 9 1 3 4 1 2",
                                "2 at 10 waited 4.25 ran 20 of 60, 8 tasks, 4 MB, 7.9 3/4 good, after 1 think 2" },
                { 4, "2 10 4 20.125 6 18 1024 8 60 4096 1 7 9 1 3 4 1 2",
                                "2 at 10 waited 4 ran 20.125 of 60, 8 tasks, 4 MB, 7.9 3/4 good, after 1 think 2" },
                { 5, "2 10 4 20 6 18 1024 -1 60 4096 1 7 9 1 3 4 1 2",
                                "2 at 10 waited 4 ran 20 of 60, 6 tasks, 4 MB, 7.9 3/4 good, after 1 think 2" },
                { 6, "2 10 4 -1 6 18.5 1024 8 60 4096 1 7 9 1 3 4 1 2",
                                "2 at 10 waited 4 ran 18.5 of 60, 8 tasks, 4 MB, 7.9 3/4 good, after 1 think 2" },
                { 7, "2 10 4 20 6 18 1025 8 60 -1 1 7 9 1 3 4 1 2",
                                "2 at 10 waited 4 ran 20 of 60, 8 tasks, 2 MB, 7.9 3/4 good, after 1 think 2" },
                { 8, "2 10 4 20 6 18 1024 9 60 4096 1 7 9 1 3 4 1 2",
                                "2 at 10 waited 4 ran 20 of 60, 9 tasks, 4 MB, 7.9 3/4 good, after 1 think 2" },
                { 9, "2 10 4 20 6 18 1024 8 60.5 4096 1 7 9 1 3 4 1 2",
                                "2 at 10 waited 4 ran 20 of 60.5, 8 tasks, 4 MB, 7.9 3/4 good, after 1 think 2" },
                { 9, "2 10 4 20 6 18 1024 8 -1 4096 1 7 9 1 3 4 1 2",
                                "2 at 10 waited 4 ran 20 of 20, 8 tasks, 4 MB, 7.9 3/4 good, after 1 think 2" },
                { 10, "2 10 4 20 6 18 1024 8 60 8192.5 1 7 9 1 3 4 1 2",
                                "2 at 10 waited 4 ran 20 of 60, 8 tasks, 9 MB, 7.9 3/4 good, after 1 think 2" },
                { 11, "2 10 4 20 6 18 1024 8 60 4096 0 7 9 1 3 4 1 2",
                                "2 at 10 waited 4 ran 20 of 60, 8 tasks, 4 MB, 7.9 3/4 fails, after 1 think 2" },
                { 12, "2 10 4 20 6 18 1024 8 60 4096 1 8 9 1 3 4 1 2",
                                "2 at 10 waited 4 ran 20 of 60, 8 tasks, 4 MB, 8.9 3/4 good, after 1 think 2" },
                { 13, "2 10 4 20 6 18 1024 8 60 4096 1 7 10 1 3 4 1 2",
                                "2 at 10 waited 4 ran 20 of 60, 8 tasks, 4 MB, 7.10 3/4 good, after 1 think 2" },
                { 15, "2 10 4 20 6 18 1024 8 60 4096 1 7 9 1 0 4 1 2",
                                "2 at 10 waited 4 ran 20 of 60, 8 tasks, 4 MB, 7.9 0/4 good, after 1 think 2" },
                { 16, "2 10 4 20 6 18 1024 8 60 4096 1 7 9 1 3 5 1 2",
                                "2 at 10 waited 4 ran 20 of 60, 8 tasks, 4 MB, 7.9 3/5 good, after 1 think 2" },
                { 17, "2 10 4 20 6 18 1024 8 60 4096 1 7 9 1 3 4 -1 2",
                                "2 at 10 waited 4 ran 20 of 60, 8 tasks, 4 MB, 7.9 3/4 good, after none think 2" },
                { 18, "2 10 4 20 6 18 1024 8 60 4096 1 7 9 1 3 4 1 0.5",
                                "2 at 10 waited 4 ran 20 of 60, 8 tasks, 4 MB, 7.9 3/4 good, after 1 think 0.5" },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_free_ char *text = xasprintf(FIRST "%s\n", cases[i].line);
                _cleanup_(trace_freep) struct trace *t = swf(text);
                _cleanup_free_ char *got = told(t);
                if (!streq(got, cases[i].told))
                        fail_msg("field %u: %s; expected %s", cases[i].field, got, cases[i].told);
        }
}

/* 14, the program, is checked and not used; -1 in all that may be unknown leaves a job that says
   little. */
static void unknown_fields_say_nothing(void **state) {
        static const struct {
                const char *line, *told;
        } cases[] = {
                { "5 10 -0.000000 20 6 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1",
                                "5 at 10 waited 0 ran 20 of 20, 6 tasks, 0 MB, 0.0 (null)/(null) good, after none think -1" },
                { "-1 10 -1 20 6 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1",
                                "2 at 10 waited -1 ran 20 of 20, 6 tasks, 0 MB, 0.0 (null)/(null) good, after none think -1" },
                { "2 10 -1.0 -1 -1 20 -1 6 -1.00 -1 -1 -1 -1 14 -1 -1 -1 -1.",
                                "2 at 10 waited -1 ran 20 of 20, 6 tasks, 0 MB, 0.0 (null)/(null) good, after none think -1" },
                { "2 10 0 0 6 0 0 0 0 0 1 0 0 0 0 0 0 0",
                                "2 at 10 waited 0 ran 0 of 1, 6 tasks, 0 MB, 0.0 0/0 good, after none think 0" },
                { "2 10 0 20 6 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 99 5",
                                "2 at 10 waited 0 ran 20 of 20, 6 tasks, 0 MB, 0.0 (null)/(null) good, after none think 5" },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_free_ char *text = xasprintf(FIRST "\t%s \r\n", cases[i].line);
                _cleanup_(trace_freep) struct trace *t = swf(text);
                _cleanup_free_ char *got = told(t);
                assert_string_equal(got, cases[i].told);
        }
}

static void a_bad_value_names_its_field(void **state) {
        static const struct {
                const char *name;
                bool whole;
        } fields[] = {
                { "job number", true },
                { "submit time", false },
                { "wait time", false },
                { "run time", false },
                { "allocated processors", true },
                { "average CPU time", false },
                { "used memory", false },
                { "requested processors", true },
                { "requested time", false },
                { "requested memory", false },
                { "status", true },
                { "user", true },
                { "group", true },
                { "executable", true },
                { "queue", true },
                { "partition", true },
                { "preceding job", true },
                { "think time", false },
        };
        static const char *const values[] = {
                "x",
                "-2",
                "-0.5",
                "-",
                "1e3",
                "0x10",
                "1.5.2",
                "99999999999999999999",
                "0.5",
        };

        for (size_t f = 0; f < ELEMENTSOF(fields); f++)
                for (size_t v = 0; v < ELEMENTSOF(values); v++) {
                        char line[512] = "";
                        for (size_t i = 0; i < ELEMENTSOF(fields); i++)
                                snprintf(line + strlen(line), sizeof line - strlen(line), "%s%s",
                                                i ? " " : "", i == f ? values[v] : "1");
                        struct trace *t = NULL;
                        struct fail fail = { 0 };
                        int r = swf_read("f", line, strlen(line), &t, &fail);
                        bool good = streq(values[v], "0.5") && !fields[f].whole;
                        _cleanup_free_ char *wanted = xasprintf(
                                        "f line 1: field %zu (%s): \"%s\" is neither -1 nor a %s in its range",
                                        f + 1, fields[f].name, values[v],
                                        fields[f].whole ? "whole number" : "number");
                        if (good != (r >= 0 || strstr(fail.text, "comes after")) ||
                                        (!good && !streq(fail.text, wanted)))
                                fail_msg("field %zu, %s: \"%s\"; expected \"%s\"", f + 1, values[v],
                                                fail.text, good ? "" : wanted);
                        trace_free(t);
                }
}

static void bad_lines_are_refused(void **state) {
        static const struct {
                const char *text, *error;
        } cases[] = {
                { "", "f: there is no job in it" },
                { "; only: a header\n", "f: there is no job in it" },
                { "\n1 2 3\n", "f line 2: there are 3 fields; expected 18" },
                { "1 0 5 10 4 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1 9\n",
                                "f line 1: there are more than 18 fields" },
                { "1 0 5 10 4 -1 -1 -1 -1 -1 6 -1 -1 -1 -1 -1 -1 -1\n",
                                "f line 1: field 11 (status): \"6\" is neither -1 nor a whole number in its range" },
                { "1 -1 5 10 4 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n",
                                "f line 1: field 2 (submit time): it is not known" },
                { ";x\n1 -1 5 10 4 -1 -1 -1 -1 -1 2 -1 -1 -1 -1 -1 -1 -1\n1 -1 5 10 4 -1 -1 -1 -1 -1 3 -1 -1 -1 -1 -1 -1 -1\n",
                                "f line 2: field 2 (submit time): it is not known" },
                { "1 0 5 10 4 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 1 -1\n",
                                "f line 1: job 1 comes after job 1, which is submitted later" },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                struct trace *t = NULL;
                struct fail fail = { 0 };
                assert_true(swf_read("f", cases[i].text, strlen(cases[i].text), &t, &fail) < 0);
                assert_string_equal(fail.text, cases[i].error);
                assert_null(t);
        }
}

static void what_never_ran_is_left_out(void **state) {
        _cleanup_(trace_freep) struct trace *t = swf(
                        "1 0 5 10 4 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
                        "2 0 5 0 4 -1 -1 -1 -1 -1 5 -1 -1 -1 -1 -1 -1 -1\n"
                        "3 0 5 -1 4 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
                        "4 0 5 7 -1 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
                        "5 0 5 7 1 -1 -1 -1 -1 -1 5 -1 -1 -1 -1 -1 -1 -1\n"
                        "6 0 5 -1 4 -1 -1 -1 -1 -1 5 -1 -1 -1 -1 -1 -1 -1\n");

        assert_int_equal(t->n, 2);
        assert_string_equal(t->jobs[1].name, "5"); /* it ran until it was cancelled */
        assert_int_equal(t->left_out[LEFT_NEVER_RAN], 2);
        assert_int_equal(t->left_out[LEFT_NO_RUN], 1);
        assert_int_equal(t->left_out[LEFT_NO_SIZE], 1);
}

/* 1 has a line that sums it up, 2 and 3 have not. */
static void jobs_in_parts_are_one_job(void **state) {
        _cleanup_(trace_freep) struct trace *t = swf(
                        "1 0 5 10 4 -1 -1 -1 -1 -1 0 -1 -1 -1 -1 -1 -1 -1\n"
                        "1 0 5 4 4 -1 -1 -1 -1 -1 2 -1 -1 -1 -1 -1 -1 -1\n"
                        "1 -1 5 6 4 -1 -1 -1 -1 -1 4 -1 -1 -1 -1 -1 -1 -1\n"
                        "2 7 1 4 4 -1 -1 2 60 -1 2 -1 -1 -1 -1 -1 -1 -1\n"
                        "3 8 1 -1 4 5 -1 2 60 -1 2 -1 -1 -1 -1 -1 -1 -1\n"
                        "2 -1 9 2.5 4 -1 -1 2 60 -1 2 -1 -1 -1 -1 -1 -1 -1\n"
                        "3 -1 1 2 4 -1 -1 2 60 -1 4 -1 -1 -1 -1 -1 -1 -1\n"
                        "2 -1 9 1 4 -1 -1 2 60 -1 3 -1 -1 -1 -1 -1 -1 -1\n"
                        "4 20 1 1 1 -1 -1 1 60 -1 1 -1 -1 -1 -1 -1 2 3\n");

        assert_int_equal(t->n, 4);
        assert_int_equal(t->left_out[LEFT_PART], 2);
        const struct trace_job *one = &t->jobs[0], *two = &t->jobs[1], *three = &t->jobs[2],
                               *four = &t->jobs[3];
        assert_true(one->run == 10 * S && one->fails);
        assert_string_equal(two->name, "2");
        assert_true(two->submit == 7 * S && two->run == 7500000 && two->waited == S &&
                        !two->fails && two->tasks == 2);
        assert_true(three->submit == 8 * S && three->run == 7 * S && three->fails);
        assert_true(four->after == 1 && four->think == 3 * S);
}

static void the_header_is_read(void **state) {
        _cleanup_(trace_freep) struct trace *t = swf(
                        "; Computer: Cray T3E\n;UnixStartTime: 1027839845.5 (about)\n; MaxProcs: 240\n; MaxNodes: 120 (2 each)\n"
                        "; Note: MaxProcs: 7\n; Queue: 3 night (long)\n; Partition: 2 fast, new\n; a remark\n;\n\n" FIRST
                        "2 0 0 60 1 -1 -1 1 30 -1 1 -1 -1 -1 3 2 -1 -1\n3 0 0 60 1 -1 -1 1 30 -1 1 -1 -1 -1 4 -1 -1 -1\n");

        assert_true(t->zero == 1027839845 * S + S / 2);
        assert_int_equal(t->processors, 240);
        assert_int_equal(t->machine_nodes, 120);
        assert_string_equal(trace_label_of(t, "computer"), "Cray T3E");
        assert_string_equal(trace_label_of(t, "Note"), "MaxProcs: 7");
        assert_null(trace_label_of(t, "Version"));
        assert_string_equal(t->jobs[1].partition, "night");
        assert_string_equal(t->jobs[1].partition_too, "fast");
        assert_string_equal(t->jobs[2].partition, "4"); /* has no name */
        assert_true(t->jobs[1].limit == 30 * S);
}

static void where_jobs_may_overuse_their_limits_do_not_end_them(void **state) {
        static const char line[] =
                        "1 0 0 60 1 -1 -1 1 30 -1 1 -1 -1 -1 3 2 -1 -1\n2 0 0 60 1 -1 -1 1 90 -1 1 -1 -1 -1 3 2 -1 -1\n";
        _cleanup_free_ char *yes = xasprintf("; AllowOveruse: Yes\n%s", line),
                            *no = xasprintf("; AllowOveruse: No\n%s", line);
        _cleanup_(trace_freep) struct trace *a = swf(yes), *b = swf(no);

        assert_true(a->jobs[0].limit == 60 * S && a->jobs[1].limit == 90 * S);
        assert_true(b->jobs[0].limit == 30 * S && b->jobs[1].limit == 90 * S);
}

static void waits_of_the_trace_are_summed_up(void **state) {
        _cleanup_(trace_freep) struct trace *t = swf(
                        "1 0 5 10 4 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n2 0 -1 10 4 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
                        "3 0 10 10 4 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n");
        struct spread waits;

        assert_int_equal(sums_waited(t, &waits), 2);
        assert_true(waits.mean == 7.5 && waits.max == 10);
}

/* Submit times, sizes and outcomes as they come out: "1@0-20". */
static char *outcome(const char *text, const struct sim_options *o) {
        struct cluster *c = cluster_of(
                        "ClusterName=t\nSlurmctldHost=h\nSlurmUser=root\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\n"
                        "DefMemPerCPU=1\nNodeName=n[1-2] CPUs=4 RealMemory=100\nPartitionName=p Nodes=n1 Default=YES MaxTime=UNLIMITED\n"
                        "PartitionName=night Nodes=n2 MaxTime=UNLIMITED\n",
                        1700000000 * S);
        _cleanup_(trace_freep) struct trace *t = swf(text);
        struct sim_result r = { 0 };
        char *all = xstrdup("");

        assert_int_equal(sim_run(c, t, 1700000000 * S, o, &r, NULL), 0);
        for (size_t i = 0; i < r.n_jobs; i++) {
                const struct sim_job *j = &r.jobs[i];
                _cleanup_free_ char *nodes = sim_nodes_text(c, j), *before = all;
                all = xasprintf("%s%s%g-%g@%s%s", before, *before ? " " : "", seconds(j->start),
                                seconds(j->end), nodes,
                                j->outcome == JOB_COMPLETED ? ""
                                : j->outcome == JOB_FAILED  ? " F"
                                : j->outcome == JOB_TIMEOUT ? " TO"
                                                            : " ?");
        }
        sim_result_done(&r);
        cluster_free(c);
        return all;
}

static void fields_decide_what_happens(void **state) {
        static const struct {
                const char *what, *jobs, *outcome;
                bool feedback;
        } cases[] = {
                { "processors: 8 first, else 5",
                                "1 0 -1 20 4 -1 -1 3 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n2 0 -1 20 4 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n",
                                "0-20@n1 20-40@n1", false },
                { "memory of a processor: 30 MB times two, twice",
                                "1 0 -1 20 2 -1 -1 2 -1 30720 1 -1 -1 -1 -1 -1 -1 -1\n2 0 -1 20 2 -1 30720 2 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n",
                                "0-20@n1 20-40@n1", false },
                { "the requested time ends it",
                                "1 0 -1 20.5 1 -1 -1 1 10.25 -1 1 -1 -1 -1 -1 -1 -1 -1\n",
                                "0-10.25@n1 TO", false },
                { "status 0 fails, 5 does not",
                                "1 0 -1 20 1 -1 -1 1 -1 -1 0 -1 -1 -1 -1 -1 -1 -1\n2 0 -1 20 1 -1 -1 1 -1 -1 5 -1 -1 -1 -1 -1 -1 -1\n",
                                "0-20@n1 F 0-20@n1", false },
                { "queue by name, else partition by name, else the default one",
                                ";Queue: 1 night\n;Partition: 2 night\n"
                                "1 0 -1 20 1 -1 -1 1 -1 -1 1 -1 -1 -1 1 -1 -1 -1\n2 0 -1 20 1 -1 -1 1 -1 -1 1 -1 -1 -1 7 2 -1 -1\n3 0 -1 20 1 -1 -1 1 -1 -1 1 -1 -1 -1 7 7 -1 -1\n",
                                "0-20@n2 0-20@n2 0-20@n1", false },
                { "the preceding job ends first",
                                "1 0 -1 20 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n2 5 -1 20 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 1 30\n",
                                "0-20@n1 20-40@n1", false },
                { "with feedback there is thinking between them",
                                "1 0 -1 20 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n2 5 -1 20 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 1 30.5\n",
                                "0-20@n1 50.5-70.5@n1", true },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                const struct sim_options o = { .feedback = cases[i].feedback };
                _cleanup_free_ char *got = outcome(cases[i].jobs, &o);
                if (!streq(got, cases[i].outcome))
                        fail_msg("%s: %s; expected %s", cases[i].what, got, cases[i].outcome);
        }
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(each_field_counts),
                cmocka_unit_test(unknown_fields_say_nothing),
                cmocka_unit_test(a_bad_value_names_its_field),
                cmocka_unit_test(bad_lines_are_refused),
                cmocka_unit_test(what_never_ran_is_left_out),
                cmocka_unit_test(jobs_in_parts_are_one_job),
                cmocka_unit_test(the_header_is_read),
                cmocka_unit_test(where_jobs_may_overuse_their_limits_do_not_end_them),
                cmocka_unit_test(waits_of_the_trace_are_summed_up),
                cmocka_unit_test(fields_decide_what_happens),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
