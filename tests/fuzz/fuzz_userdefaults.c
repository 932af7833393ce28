/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ~/.slurm/defaults from memory, given to each command; a refusal must say why. */
#include "commands/filter/user_defaults.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        static const enum job_command commands[] = { JOB_SBATCH, JOB_SRUN, JOB_SALLOC };
        _cleanup_(user_defaults_done) struct user_defaults d = { 0 };
        static struct job_options o;
        struct fail fail = { 0 };

        if (user_defaults_parse("defaults", (const char *)data, size, &d, &fail) < 0) {
                if (!fail.text[0])
                        abort();
                return 0;
        }
        for (size_t i = 0; i < d.n; i++)
                if (!*d.rows[i].option || d.rows[i].line == 0 || !d.rows[i].commands)
                        abort();
        for (size_t i = 0; i < ELEMENTSOF(commands); i++) {
                job_options_init(&o, commands[i]);
                if (user_defaults_set(&d, "c", &o, &fail) < 0 && !fail.text[0])
                        abort();
        }
        return 0;
}
