/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What steps set for their CPUs in the kernel's files, and what is put back, on an invented
 * machine: CPUs 0 to 3, of which 2 and 3 are one policy. */
#include "tests/unit/test.h"

#include "agent/common/cpufreq.h"
#include "agent/common/cpufreq_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

struct world {
        char folder[64];
        char *spool, *tree;
        struct cpufreq c;
        uint32_t over; /* the step of job 7 that is */
};

static void write_file(const char *folder, const char *name, const char *text) {
        _cleanup_free_ char *path = xasprintf("%s/%s", folder, name);
        _cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

        assert_true(fd >= 0);
        assert_int_equal(fd_write(fd, text, strlen(text)), 0);
}

static void make_policy(const struct world *w, const char *name, const char *cpus) {
        _cleanup_free_ char *folder = xasprintf("%s/cpufreq/%s", w->tree, name);

        assert_int_equal(mkdir(folder, 0755), 0);
        write_file(folder, "affected_cpus", cpus);
        write_file(folder, "scaling_available_governors", "ondemand performance userspace\n");
        write_file(folder, "scaling_available_frequencies", "3000 2500 2000 1500 1000 \n");
        write_file(folder, "scaling_governor", "ondemand\n");
        write_file(folder, "scaling_min_freq", "1000\n");
        write_file(folder, "scaling_max_freq", "3000\n");
        write_file(folder, "scaling_setspeed", "<unsupported>\n");
}

static int begin(void **state) {
        static const char *const policies[] = { "policy0", "policy1", "policy2", "policy2" };
        struct world *w = xnew0(struct world, 1);

        strcpy(w->folder, "/tmp/test-cpufreq-XXXXXX");
        assert_non_null(mkdtemp(w->folder));
        w->spool = xasprintf("%s/spool", w->folder);
        w->tree = xasprintf("%s/cpu", w->folder);
        _cleanup_free_ char *folder = xasprintf("%s/cpufreq", w->tree);
        assert_int_equal(mkdir(w->spool, 0755) | mkdir(w->tree, 0755) | mkdir(folder, 0755), 0);
        make_policy(w, "policy0", "0\n");
        make_policy(w, "policy1", "1\n");
        make_policy(w, "policy2", "2 3\n");
        for (size_t i = 0; i < ELEMENTSOF(policies); i++) {
                _cleanup_free_ char *cpu = xasprintf("%s/cpu%zu", w->tree, i);
                _cleanup_free_ char *link = xasprintf("%s/cpufreq", cpu);
                _cleanup_free_ char *to = xasprintf("../cpufreq/%s", policies[i]);
                assert_int_equal(mkdir(cpu, 0755), 0);
                assert_int_equal(symlink(to, link), 0);
        }
        w->c = (struct cpufreq){ .spool = w->spool, .tree = w->tree };
        *state = w;
        return 0;
}

static int end(void **state) {
        struct world *w = *state;
        _cleanup_free_ char *line = xasprintf("rm -rf %s", w->folder);

        (void)!system(line);
        free(w->spool);
        free(w->tree);
        free(w);
        return 0;
}

static char *read_file(const struct world *w, const char *policy, const char *name) {
        _cleanup_free_ char *path = xasprintf("%s/cpufreq/%s/%s", w->tree, policy, name);
        _cleanup_fclose_ FILE *f = fopen(path, "re");
        char line[128] = "";

        assert_non_null(f);
        (void)!fgets(line, sizeof line, f);
        line[strcspn(line, "\n")] = 0;
        return xstrdup(line);
}

/* "ondemand 1000 3000" */
static void policy_is(const struct world *w, const char *policy, const char *wanted) {
        _cleanup_free_ char *governor = read_file(w, policy, "scaling_governor"),
                            *min = read_file(w, policy, "scaling_min_freq"),
                            *max = read_file(w, policy, "scaling_max_freq"),
                            *speed = read_file(w, policy, "scaling_setspeed"),
                            *text = xasprintf("%s %s %s%s%s", governor, min, max,
                                            streq(governor, "userspace") ? " " : "",
                                            streq(governor, "userspace") ? speed : "");

        assert_string_equal(text, wanted);
}

static int set(const struct world *w, uint32_t step, const char *cpus, const char *asked,
                struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *set = bitset_new(64);
        const struct step_name name = { 7, 0, step };
        struct cpu_freq f;

        assert_int_equal(bitset_parse(set, cpus), 0);
        assert_true(cpufreq_wanted(asked, "", &f));
        return cpufreq_set(&w->c, &name, set, &f, fail);
}

static bool is_over(const struct step_name *name, void *user) {
        const struct world *w = user;

        return name->job == 7 && name->step == w->over;
}

static void end_step(struct world *w, uint32_t step) {
        struct fail fail = { 0 };

        w->over = step;
        if (cpufreq_end(&w->c, is_over, w, true, &fail) < 0)
                fail_msg("%s", fail.text);
}

static void frequencies_are_set_and_put_back(void **state) {
        static const struct {
                const char *asked, *set;
        } rows[] = {
                { "low", "userspace 1000 1000 1000" },
                { "medium", "userspace 2000 2000 2000" },
                { "highm1:userspace", "userspace 2500 2500 2500" },
                { "high", "userspace 3000 3000 3000" },
                { "1501", "userspace 2000 2000 2000" },
                { "9", "userspace 1000 1000 1000" },
                { "9999", "userspace 3000 3000 3000" },
                { "1500-2000", "ondemand 1500 2000" },
                { "2600-high:performance", "performance 3000 3000" },
                { "low-1500:OnDemand", "ondemand 1000 1500" },
                { "high-1000", "ondemand 1000 1000" },
                { "performance", "performance 1000 3000" },
        };
        struct world *w = *state;

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                struct fail fail = { 0 };
                if (set(w, 1, "0", rows[i].asked, &fail) < 0)
                        fail_msg("%s: %s", rows[i].asked, fail.text);
                policy_is(w, "policy0", rows[i].set);
                policy_is(w, "policy1", "ondemand 1000 3000");
                end_step(w, 1);
                policy_is(w, "policy0", "ondemand 1000 3000");
        }
        _cleanup_free_ char *record = xasprintf("%s/cpufreq", w->spool);
        assert_true(access(record, F_OK) < 0);
}

static void steps_beside_each_other_have_their_own(void **state) {
        struct world *w = *state;
        struct fail fail = { 0 };

        assert_int_equal(set(w, 1, "0", "low", &fail), 0);
        assert_int_equal(set(w, 2, "1-2", "performance", &fail), 0);
        policy_is(w, "policy0", "userspace 1000 1000 1000");
        policy_is(w, "policy2", "performance 1000 3000");
        /* CPU 3 goes with CPU 2, which the step before has */
        assert_int_equal(set(w, 3, "3", "1500", &fail), 0);
        policy_is(w, "policy2", "userspace 1500 1500 1500");
        end_step(w, 3);
        policy_is(w, "policy2", "performance 1000 3000");
        end_step(w, 1);
        policy_is(w, "policy0", "ondemand 1000 3000");
        policy_is(w, "policy1", "performance 1000 3000");
        end_step(w, 2);
        policy_is(w, "policy1", "ondemand 1000 3000");
        policy_is(w, "policy2", "ondemand 1000 3000");
}

static void what_cannot_be_had_is_told(void **state) {
        struct world *w = *state;
        struct fail fail = { 0 };

        assert_int_equal(set(w, 1, "0-1", "schedutil", &fail), -ENOTSUP);
        assert_string_equal(fail.text, "CPU 0 has no governor SchedUtil; it has ondemand "
                                       "performance userspace");
        policy_is(w, "policy0", "ondemand 1000 3000");
        end_step(w, 1);
        assert_int_equal(set(w, 2, "9", "low", &fail), -ENODEV);
        assert_string_equal(fail.text, "CPU frequency setting not configured for this node");
        const struct cpufreq nowhere = { .spool = w->spool, .tree = "/nowhere" };
        w->c = nowhere;
        assert_int_equal(set(w, 2, "0", "low", &fail), -ENODEV);
}

/* A CPU that is offline when its step ends. */
static void what_cannot_be_put_back_is_tried_again(void **state) {
        struct world *w = *state;
        _cleanup_free_ char *here = xasprintf("%s/cpufreq/policy0", w->tree);
        _cleanup_free_ char *away = xasprintf("%s/away", w->folder);
        _cleanup_free_ char *record = xasprintf("%s/cpufreq", w->spool);
        struct fail fail = { 0 };

        assert_int_equal(set(w, 1, "0-1", "low", &fail), 0);
        assert_int_equal(rename(here, away), 0);
        w->over = 1;
        assert_true(cpufreq_end(&w->c, is_over, w, true, &fail) < 0);
        policy_is(w, "policy1", "ondemand 1000 3000");
        assert_true(cpufreq_end(&w->c, is_over, w, true, &fail) < 0);
        assert_int_equal(rename(away, here), 0);
        policy_is(w, "policy0", "userspace 1000 1000 1000");
        end_step(w, 1);
        policy_is(w, "policy0", "ondemand 1000 3000");
        assert_true(access(record, F_OK) < 0);
}

/* As a disk that cannot be read at the moment: a folder is what root cannot read either. */
static void a_record_that_cannot_be_read_is_kept(void **state) {
        struct world *w = *state;
        _cleanup_free_ char *record = xasprintf("%s/cpufreq", w->spool);
        struct fail fail = { 0 };

        assert_int_equal(mkdir(record, 0700), 0);
        assert_int_equal(cpufreq_end(&w->c, is_over, w, true, &fail), -EISDIR);
        assert_non_null(strstr(fail.text, record));
        assert_int_equal(set(w, 1, "0", "low", &fail), -EISDIR);
        policy_is(w, "policy0", "ondemand 1000 3000");
        assert_int_equal(access(record, F_OK), 0);
}

/* A file of root's that a link would lead to is not written. */
static void links_out_of_the_tree_are_not_followed(void **state) {
        struct world *w = *state;
        _cleanup_free_ char *link = xasprintf("%s/cpu0/cpufreq", w->tree);
        _cleanup_free_ char *outside = xasprintf("%s/outside", w->folder);
        _cleanup_free_ char *file = xasprintf("%s/cpufreq/policy1/scaling_governor", w->tree);
        _cleanup_free_ char *target = xasprintf("%s/target", w->folder);
        _cleanup_free_ char *from = xasprintf("%s/cpufreq/policy0", w->tree);
        struct fail fail = { 0 };

        assert_int_equal(rename(from, outside), 0);
        assert_int_equal(unlink(link), 0);
        assert_int_equal(symlink(outside, link), 0);
        assert_int_equal(set(w, 1, "0", "performance", &fail), -ENODEV);
        assert_int_equal(unlink(link), 0);
        assert_int_equal(symlink("../../outside", link), 0);
        assert_int_equal(set(w, 1, "0", "performance", &fail), -ENODEV);
        write_file(w->folder, "target", "mine\n");
        assert_int_equal(unlink(file), 0);
        assert_int_equal(symlink(target, file), 0);
        assert_true(set(w, 1, "1", "performance", &fail) < 0);
        _cleanup_fclose_ FILE *f = fopen(target, "re");
        char line[16] = "";
        assert_non_null(fgets(line, sizeof line, f));
        assert_string_equal(line, "mine\n");
}

static void records_that_mean_nothing_are_dropped(void **state) {
        struct world *w = *state;
        struct fail fail = { 0 };
        _cleanup_free_ char *record = xasprintf("%s/cpufreq", w->spool);
        Slumber__CpuFreqRecord old = SLUMBER__CPU_FREQ_RECORD__INIT;
        Slumber__CpuFreqPolicy policy = SLUMBER__CPU_FREQ_POLICY__INIT, *policies = &policy;
        Slumber__CpuFreqStep step = SLUMBER__CPU_FREQ_STEP__INIT, *steps = &step;
        uint8_t data[256];

        write_file(w->spool, "cpufreq", "\xff\xff\xff");
        w->over = 1;
        assert_int_equal(cpufreq_end(&w->c, is_over, w, true, &fail), -EBADMSG);
        assert_non_null(strstr(fail.text, record));
        assert_int_equal(cpufreq_end(&w->c, is_over, w, true, &fail), 0);
        /* of an earlier boot */
        old.boot = (char *)"another";
        policy.governor = (char *)"performance";
        step.job = 7;
        step.step = 1;
        step.policies = (char *)"0";
        old.policies = &policies;
        old.steps = &steps;
        old.n_policies = old.n_steps = 1;
        size_t n = slumber__cpu_freq_record__pack(&old, data);
        _cleanup_close_ int fd = open(record, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        assert_int_equal(fd_write(fd, data, n), 0);
        end_step(w, 1);
        policy_is(w, "policy0", "ondemand 1000 3000");
        assert_true(access(record, F_OK) < 0);
}

static void a_default_fills_what_is_not_said(void **state) {
        static const struct {
                const char *asked, *otherwise, *wanted;
        } rows[] = {
                { "", "", "" },
                { "", "performance", "Performance" },
                { "", "low", "Low" },
                { "low", "performance", "Low" },
                { "low-high", "performance", "Low-High:Performance" },
                { "low-high:ondemand", "performance", "Low-High:OnDemand" },
                { "low-high", "userspace", "Low-High" },
                { "low-high", "low", "Low-High" },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                struct cpu_freq f;
                assert_int_equal(cpufreq_wanted(rows[i].asked, rows[i].otherwise, &f),
                                *rows[i].wanted != 0);
                _cleanup_free_ char *text = cpu_freq_text(&f);
                assert_string_equal(text, rows[i].wanted);
        }
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test_setup_teardown(frequencies_are_set_and_put_back, begin, end),
                cmocka_unit_test_setup_teardown(steps_beside_each_other_have_their_own, begin, end),
                cmocka_unit_test_setup_teardown(what_cannot_be_had_is_told, begin, end),
                cmocka_unit_test_setup_teardown(what_cannot_be_put_back_is_tried_again, begin, end),
                cmocka_unit_test_setup_teardown(a_record_that_cannot_be_read_is_kept, begin, end),
                cmocka_unit_test_setup_teardown(links_out_of_the_tree_are_not_followed, begin, end),
                cmocka_unit_test_setup_teardown(records_that_mean_nothing_are_dropped, begin, end),
                cmocka_unit_test(a_default_fills_what_is_not_said),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
