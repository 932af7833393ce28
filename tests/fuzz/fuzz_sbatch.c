/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch scripts: the check, the words of the #SBATCH lines, what the options make of each word, and
   #PBS and #BSUB lines. */
#include "commands/jobspec/jobspec.h"
#include "commands/submit/script.h"
#include "commands/submit/script_foreign.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Each word as the value of an option that parses: getopt's complaints would flood the log. */
static void try_values(const struct script_line *line) {
        static const char *const names[] = { "nodes", "time", "mem", "nodelist", "nice",
                "exclusive" };
        const struct option_table *table = job_options_table(JOB_SBATCH);

        for (int i = 1; i < line->argc; i++) {
                Slumber__JobSpec spec;
                struct job_options o;
                struct fail fail;

                job_options_init(&o, JOB_SBATCH);
                for (size_t n = 0; n < ELEMENTSOF(names); n++)
                        (void)options_set(table, names[n], line->argv[i], &o, &fail);
                if (job_options_check(&o, &fail) == 0)
                        job_options_spec(&o, &spec);
        }
}

static void not_read(const char *text, void *user) {
        (void)user;
        if (strlen(text) == SIZE_MAX)
                abort();
}

static void try_foreign(struct script_line *line) {
        struct job_options o;
        struct fail fail;

        job_options_init(&o, JOB_SBATCH);
        (void)script_foreign(job_options_table(JOB_SBATCH), line, &o, not_read, NULL, &fail);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_free_ char *script = xstrndup((const char *)data, size);
        struct script_lines lines;
        struct fail fail;

        (void)script_check(script, strlen(script), &fail);
        if (script_lines(script, strlen(script), "script", &lines, &fail) < 0)
                return 0;
        for (size_t i = 0; i < lines.n; i++)
                if (lines.lines[i].kind == SCRIPT_SBATCH)
                        try_values(&lines.lines[i]);
                else
                        try_foreign(&lines.lines[i]);
        script_lines_done(&lines);
        return 0;
}
