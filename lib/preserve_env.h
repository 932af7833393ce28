/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/preserve_env.h - variables of srun --preserve-env: tasks get them exactly as in srun's own
 * environment, or unset. Used by srun and slumberd. */
#pragma once

static const char *const preserve_env_names[] = {
        "SLURM_NNODES",
        "SLURM_NPROCS",
        "SLURM_NTASKS",
        "SLURM_TASKS_PER_NODE",
};
