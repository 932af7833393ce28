/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/preserve_env.h - what srun --preserve-env is about: these numbers tasks have as srun's own
 * environment has them, or not at all.  Included by srun and by the agent. */
#pragma once

static const char *const preserve_env_names[] = {
        "SLURM_NNODES",
        "SLURM_NPROCS",
        "SLURM_NTASKS",
        "SLURM_TASKS_PER_NODE",
};
