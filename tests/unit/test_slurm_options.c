/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each option of Slurm's sbatch, srun and salloc (22.05) is one of ours: it acts, or
 * docs/options.md says why it does not. */
#include "tests/unit/test.h"

#include "commands/jobspec/jobspec_rows.h"
#include "commands/submit/script.h"

/* clang-format off */
static const struct {
        const char *name;
        unsigned commands;
} options[] = {
        { "account", ALL },
        { "acctg-freq", JOB_SRUN },
        { "array", JOB_SBATCH },
        { "bb", ALL },
        { "bbf", ALL },
        { "bcast", JOB_SRUN },
        { "bcast-exclude", JOB_SRUN },
        { "begin", ALL },
        { "bell", JOB_SALLOC },
        { "chdir", ALL },
        { "cluster-constraint", ALL },
        { "clusters", ALL },
        { "comment", ALL },
        { "compress", JOB_SRUN },
        { "constraint", ALL },
        { "container", ALL },
        { "contiguous", ALL },
        { "core-spec", ALL },
        { "cores-per-socket", ALL },
        { "cpu-freq", ALL },
        { "cpus-per-gpu", ALL },
        { "cpus-per-task", ALL },
        { "deadline", ALL },
        { "delay-boot", ALL },
        { "dependency", ALL },
        { "disable-status", JOB_SRUN },
        { "distribution", ALL },
        { "epilog", JOB_SRUN },
        { "error", JOB_SBATCH | JOB_SRUN },
        { "exact", JOB_SRUN },
        { "exclude", ALL },
        { "exclusive", ALL },
        { "export", JOB_SBATCH | JOB_SRUN },
        { "export-file", JOB_SBATCH },
        { "extra-node-info", ALL },
        { "get-user-env", JOB_SBATCH | JOB_SALLOC },
        { "gid", JOB_SBATCH | JOB_SALLOC },
        { "gpu-bind", ALL },
        { "gpu-freq", ALL },
        { "gpus", ALL },
        { "gpus-per-node", ALL },
        { "gpus-per-socket", ALL },
        { "gpus-per-task", ALL },
        { "gres", ALL },
        { "gres-flags", ALL },
        { "help", ALL },
        { "het-group", JOB_SRUN },
        { "hold", ALL },
        { "ignore-pbs", JOB_SBATCH },
        { "immediate", JOB_SRUN | JOB_SALLOC },
        { "input", JOB_SBATCH | JOB_SRUN },
        { "job-name", ALL },
        { "jobid", JOB_SRUN },
        { "kill-command", JOB_SALLOC },
        { "kill-on-bad-exit", JOB_SRUN },
        { "label", JOB_SRUN },
        { "licenses", ALL },
        { "mail-type", ALL },
        { "mail-user", ALL },
        { "mcs-label", ALL },
        { "mem", ALL },
        { "mem-per-cpu", ALL },
        { "mem-per-gpu", ALL },
        { "mincpus", ALL },
        { "mpi", JOB_SRUN },
        { "multi-prog", JOB_SRUN },
        { "nice", ALL },
        { "no-allocate", JOB_SRUN },
        { "no-bell", JOB_SALLOC },
        { "no-kill", ALL },
        { "no-requeue", JOB_SBATCH },
        { "nodefile", JOB_SBATCH | JOB_SALLOC },
        { "nodelist", ALL },
        { "nodes", ALL },
        { "ntasks", ALL },
        { "ntasks-per-core", ALL },
        { "ntasks-per-node", ALL },
        { "ntasks-per-socket", ALL },
        { "output", JOB_SBATCH | JOB_SRUN },
        { "overcommit", ALL },
        { "overlap", JOB_SRUN },
        { "oversubscribe", ALL },
        { "parsable", JOB_SBATCH },
        { "partition", ALL },
        { "power", ALL },
        { "preserve-env", JOB_SRUN },
        { "priority", ALL },
        { "profile", ALL },
        { "prolog", JOB_SRUN },
        { "propagate", JOB_SBATCH | JOB_SRUN },
        { "pty", JOB_SRUN },
        { "qos", ALL },
        { "quiet", ALL },
        { "quit-on-interrupt", JOB_SRUN },
        { "reboot", ALL },
        { "relative", JOB_SRUN },
        { "requeue", JOB_SBATCH },
        { "reservation", ALL },
        { "resv-ports", JOB_SRUN },
        { "send-libs", JOB_SRUN },
        { "signal", ALL },
        { "slurmd-debug", JOB_SRUN },
        { "sockets-per-node", ALL },
        { "spread-job", ALL },
        { "switches", ALL },
        { "task-epilog", JOB_SRUN },
        { "task-prolog", JOB_SRUN },
        { "thread-spec", ALL },
        { "threads", JOB_SRUN },
        { "threads-per-core", ALL },
        { "time", ALL },
        { "time-min", ALL },
        { "tmp", ALL },
        { "uid", JOB_SBATCH | JOB_SALLOC },
        { "unbuffered", JOB_SRUN },
        { "usage", ALL },
        { "use-min-nodes", ALL },
        { "verbose", ALL },
        { "version", ALL },
        { "wait", JOB_SBATCH | JOB_SRUN },
        { "wckey", ALL },
        { "wrap", JOB_SBATCH },
};
/* clang-format on */

static char *document; /* its text */

static const struct option_row *row_of(enum job_command command, const char *name) {
        const struct option_table *t = job_options_table(command);

        for (size_t i = 0; i < t->n_rows; i++)
                if (streq(strempty(t->rows[i].name), name))
                        return &t->rows[i];
        return NULL;
}

static bool does_nothing(const struct option_row *row) {
        return row->kind >= OPTION_IGNORED && row->kind <= OPTION_REFUSED_OPTIONAL;
}

/* "| `--bb` | reason |" */
static bool is_in_document(const char *name) {
        _cleanup_free_ char *line = xasprintf("| `--%s` | ", name);
        const char *at = strstr(document, line);

        return at && at[strlen(line)] != '|';
}

static void each_option_of_slurm_is_known(void **state) {
        static const enum job_command commands[] = { JOB_SBATCH, JOB_SRUN, JOB_SALLOC };

        for (size_t i = 0; i < ELEMENTSOF(options); i++)
                for (size_t k = 0; k < ELEMENTSOF(commands); k++)
                        if (options[i].commands & commands[k] &&
                                        !row_of(commands[k], options[i].name))
                                fail_msg("%s does not know --%s",
                                                job_options_table(commands[k])->program,
                                                options[i].name);
}

static void what_does_nothing_is_in_the_document(void **state) {
        const struct job_row *row;

        for (size_t i = 0; (row = job_row_at(i)); i++)
                if (row->row.name && does_nothing(&row->row) && !is_in_document(row->row.name))
                        fail_msg("docs/options.md does not say why --%s does nothing",
                                        row->row.name);
}

static void a_reason_is_said(void **state) {
        static struct job_options o;
        struct fail fail = { 0 };

        job_options_init(&o, JOB_SBATCH);
        assert_int_equal(options_set(job_options_table(JOB_SBATCH), "cluster-constraint", "a", &o,
                                         &fail),
                        -ENOTSUP);
        assert_string_equal(fail.text,
                        "--cluster-constraint is refused: there are no federations of clusters");
}

int main(int argc, char **argv) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(each_option_of_slurm_is_known),
                cmocka_unit_test(what_does_nothing_is_in_the_document),
                cmocka_unit_test(a_reason_is_said),
        };
        struct fail why = { 0 };
        size_t size;

        if (argc != 2 || script_read(argv[1], &document, &size, &why) < 0)
                return EXIT_FAILURE;
        int failed = cmocka_run_group_tests(tests, NULL, NULL);
        free(document);
        return failed;
}
