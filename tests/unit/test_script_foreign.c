/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands/submit/script_foreign.h"

#include "commands/jobspec/jobspec.h"
#include "tests/unit/test.h"

#include <sys/stat.h>

static char said[1024];

static void not_read(const char *text, void *user) {
        (void)user;
        snprintf(said + strlen(said), sizeof said - strlen(said), "[%s]", text);
}

static void add(FILE *out, const char *name, const char *value) {
        if (!isempty(value))
                fprintf(out, "%s=%s ", name, value);
}

static void add_number(FILE *out, const char *name, long long value) {
        if (value)
                fprintf(out, "%s=%lld ", name, value);
}

/* What differs from a job of which nothing is asked, and what was not read. */
static char *described(const struct job_options *o) {
        Slumber__JobSpec s;
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);

        job_options_spec(o, &s);
        add(out, "name", s.name);
        add(out, "partition", s.partition);
        add(out, "account", s.account);
        add(out, "nodelist", s.req_nodes);
        add(out, "features", s.features);
        add(out, "gres", s.tres_per_node);
        add(out, "out", s.std_out);
        add(out, "err", s.std_err);
        add(out, "dir", s.work_dir);
        add(out, "array", s.array);
        add(out, "dependency", s.dependency);
        add(out, "mail", s.mail_user);
        add(out, "export", o->export);
        add_number(out, "nodes", s.min_nodes > 1 ? s.min_nodes : 0);
        add_number(out, "tasks", s.tasks_set ? s.num_tasks : 0);
        add_number(out, "per-node", s.ntasks_per_node);
        add_number(out, "mincpus", s.min_cpus_node);
        add_number(out, "mem", (long long)s.mem_per_node);
        add_number(out, "mem-per-cpu", (long long)s.mem_per_cpu);
        add_number(out, "tmp", s.tmp_disk);
        add_number(out, "time", (long long)(s.time_limit / USEC_PER_SEC));
        add_number(out, "nice", s.nice);
        add_number(out, "requeue", s.requeue);
        add_number(out, "mail-type", s.mail_type);
        add_number(out, "hold", s.hold);
        add_number(out, "share", s.oversubscribe);
        fprintf(out, "%s", said);
        fclose(out);
        while (size && text[size - 1] == ' ')
                text[--size] = 0;
        return text;
}

/* As Slurm 22.05 reads them; in [] what is told of. */
static const struct {
        const char *line, *wanted;
} rows[] = {
        { "#PBS -N name -q main -A proj", "name=name partition=main account=proj" },
        { "#PBS -Nname", "name=name" },
        { "#PBS -o /tmp/o -e /tmp/e", "out=/tmp/o err=/tmp/e" },
        { "#PBS -t 1-3", "array=1-3" },
        { "#PBS -J 1-3%2", "array=1-3%2" },
        { "#PBS -h", "hold=1" },
        { "#PBS -r y", "requeue=1" },
        { "#PBS -r n", "requeue=2" },
        { "#PBS -p 100", "nice=100" },
        { "#PBS -m ab -M me@x", "mail=me@x mail-type=5" },
        { "#PBS -v A=1,B", "export=A=1,B" },
        { "#PBS -V -W depend=afterok:1", "dependency=afterok:1" },
        { "#PBS -l walltime=01:02:03,mem=100mb", "mem=100 time=3780" },
        { "#PBS -l \"walltime=10:00\"", "time=600" },
        { "#PBS -lcput=00:10:00", "time=600" },
        { "#PBS -l mem=1gb", "mem=1024" },
        { "#PBS -l mem=1000", "mem=1000" },
        { "#PBS -l file=10gb", "tmp=10240" },
        { "#PBS -l nodes=2", "nodes=2" },
        { "#PBS -l nodes=2:ppn=2", "nodes=2 tasks=4" },
        { "#PBS -l nodes=2+3", "nodes=5" },
        { "#PBS -l nodes=n1:ppn=2+n2:ppn=2", "nodelist=n1,n2 nodes=2 tasks=4" },
        { "#PBS -l nodes=2:ppn=3:fast:gpus=1", "features=fast gres=gres/gpu:1 nodes=2 tasks=6" },
        { "#PBS -l select=2:ncpus=2:mpiprocs=2:mem=100mb", "nodes=2 per-node=2 mincpus=2 mem=100" },
        { "#PBS -l ncpus=2,nice=5,proc=x", "features=x mincpus=2 nice=5" },
        { "#PBS -l naccelerators=2", "gres=gres/gpu:2" },
        { "#PBS -k oe -j oe -S /bin/sh -I -z -c n", "[-k oe][-j oe][-S /bin/sh][-I][-z][-c n]" },
        { "#PBS -l pmem=1gb,bogus -W x=y", "[-l pmem=1gb][-l bogus][-W x=y]" },
        { "#PBS -x -Q a -N b", "name=b [-x][-Q a]" },
        { "#PBS", "" },
        { "#PBSx -N foo", NULL },
        { "#BSUB -J a -q main -o /tmp/o.%J -e /tmp/e -cwd /tmp",
                        "name=a partition=main out=/tmp/o.%J err=/tmp/e dir=/tmp" },
        { "#BSUB -n 4 -W 30", "tasks=4 time=1800" },
        { "#BSUB -n 2,4 -W 1:30", "tasks=2 time=5400" },
        { "#BSUB -M 102400", "mem-per-cpu=100" },
        { "#BSUB -M 100MB -m \"n1 n2\"", "nodelist=n1,n2 mem-per-cpu=100" },
        { "#BSUB -x", "share=1" },
        { "#BSUB -R span[ptile=2] -P proj -K", "[-R span[ptile=2]][-P proj][-K]" },
};

static int read_script(const char *script, struct script_lines *lines, struct job_options *o,
                struct fail *fail) {
        int r = script_lines(script, strlen(script), "script", lines, fail);

        said[0] = 0;
        job_options_init(o, JOB_SBATCH);
        for (size_t i = 0; i < lines->n && r >= 0; i++)
                if (lines->lines[i].kind != SCRIPT_SBATCH)
                        r = script_foreign(job_options_table(JOB_SBATCH), &lines->lines[i], o,
                                        not_read, NULL, fail);
        return r;
}

static void each_line_is_read_as_slurm_does(void **state) {
        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_free_ char *script = xasprintf("#!/bin/sh\n%s\n", rows[i].line),
                                    *text = NULL;
                struct script_lines lines = { 0 };
                struct job_options o;
                struct fail fail = { 0 };
                if (read_script(script, &lines, &o, &fail) < 0)
                        fail_msg("%s: %s", rows[i].line, fail.text);
                if (!rows[i].wanted)
                        assert_int_equal(lines.n, 0);
                text = described(&o);
                if (strcmp(text, strempty(rows[i].wanted)) != 0)
                        fail_msg("%s: got \"%s\", wanted \"%s\"", rows[i].line, text,
                                        rows[i].wanted);
                script_lines_done(&lines);
        }
}

static void they_are_read_behind_the_first_command_too(void **state) {
        struct script_lines lines = { 0 };
        struct fail fail = { 0 };
        struct job_options o;

        (void)state;
        assert_int_equal(read_script("#!/bin/sh\n#PBS -N a\necho\n#SBATCH -J no\n#PBS -N b\n",
                                         &lines, &o, &fail),
                        0);
        assert_string_equal(o.name, "b");
        assert_int_equal(lines.n, 2);
        assert_int_equal(lines.lines[1].number, 5);
        script_lines_done(&lines);
}

static void a_umask_is_the_jobs(void **state) {
        mode_t before = umask(022);
        struct script_lines lines = { 0 };
        struct fail fail = { 0 };
        struct job_options o;

        (void)state;
        assert_int_equal(read_script("#!/bin/sh\n#PBS -W umask=077\n", &lines, &o, &fail), 0);
        assert_int_equal(umask(before), 077);
        script_lines_done(&lines);
}

static void dates_are_those_of_pbs(void **state) {
        static const char *const good[] = { "2359", "12312359", "3012312359.30", "203012312359",
                "now+1hour", "16:00" };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(good); i++) {
                _cleanup_free_ char *script = xasprintf("#!/bin/sh\n#PBS -a %s\n", good[i]);
                struct script_lines lines = { 0 };
                struct fail fail = { 0 };
                struct job_options o;
                if (read_script(script, &lines, &o, &fail) < 0)
                        fail_msg("%s: %s", good[i], fail.text);
                script_lines_done(&lines);
        }
}

static void what_is_wrong_is_named(void **state) {
        static const char *const bad[][2] = {
                { "#PBS foo", "Invalid argument: foo" },
                { "#PBS -N", "option requires an argument -- 'N'" },
                { "#PBS -l mem=2mw", "-l mem=2mw" },
                { "#PBS -l nodes=1:ppn=x", "Invalid number \"x\"" },
                { "#PBS -l nodes=", "Invalid node specification" },
                { "#PBS -l select=", "Invalid node specification" },
                { "#PBS -r maybe", "neither y nor n" },
                { "#PBS -m z", "Invalid mail type \"z\"" },
                { "#PBS -W umask=9", "Invalid umask" },
                { "#BSUB -W x", "-W x" },
                { "#BSUB -n none", "-n none" },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                _cleanup_free_ char *script = xasprintf("#!/bin/sh\n%s\n", bad[i][0]);
                struct script_lines lines = { 0 };
                struct fail fail = { 0 };
                struct job_options o;
                if (read_script(script, &lines, &o, &fail) >= 0 || !strstr(fail.text, bad[i][1]))
                        fail_msg("%s: \"%s\"", bad[i][0], fail.text);
                script_lines_done(&lines);
        }
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(each_line_is_read_as_slurm_does),
                cmocka_unit_test(they_are_read_behind_the_first_command_too),
                cmocka_unit_test(a_umask_is_the_jobs),
                cmocka_unit_test(dates_are_those_of_pbs),
                cmocka_unit_test(what_is_wrong_is_named),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
