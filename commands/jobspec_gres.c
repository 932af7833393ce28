/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a job asks for that is counted by name: generic resources, GPUs, licenses, burst buffers. */
#include "commands/jobspec_rows.h"

DEFINE_ONLY(only_gres, "gres", "none")

/* clang-format off */
const struct job_row job_rows_gres[] = {
        CALL(ALL, "gres", 0, 0, only_gres, NULL, NULL),
        TEXT(ALL, "licenses", 'L', licenses, "list", "licenses that it must have: name:count, joined by commas, or by | for one of them"),

        REFUSED_ARG(ALL, "bb", 0),
        REFUSED_ARG(ALL, "bbf", 0),
        REFUSED_ARG(ALL, "cpus-per-gpu", 0),
        REFUSED_ARG(ALL, "gpu-bind", 0),
        REFUSED_ARG(ALL, "gpu-freq", 0),
        REFUSED_ARG(ALL, "gpus", 'G'),
        REFUSED_ARG(ALL, "gpus-per-node", 0),
        REFUSED_ARG(ALL, "gpus-per-socket", 0),
        REFUSED_ARG(ALL, "gpus-per-task", 0),
        REFUSED_ARG(ALL, "gres-flags", 0),
        REFUSED_ARG(ALL, "mem-per-gpu", 0),
        REFUSED_ARG(ALL, "ntasks-per-gpu", 0),
        REFUSED_ARG(ALL, "tres-bind", 0),
        REFUSED_ARG(ALL, "tres-per-task", 0),
};
/* clang-format on */
const size_t n_job_rows_gres = ELEMENTSOF(job_rows_gres);
