/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm/slurm.h - what plug-ins (slurm/spank.h) need of Slurm's constants; no functions */
#ifndef SLUMBER_SLURM_SLURM_H
#define SLUMBER_SLURM_SLURM_H

#include <slurm/slurm_errno.h>

/* Of the version whose behaviour Slumber follows. */
#define SLURM_VERSION_NUM(MAJOR, MINOR, MICRO) (((MAJOR) << 16) + ((MINOR) << 8) + (MICRO))
#define SLURM_VERSION_NUMBER                   SLURM_VERSION_NUM(25, 5, 0)

#define NO_VAL   0xfffffffeu
#define NO_VAL16 ((unsigned short)0xfffeu)
#define NO_VAL64 0xfffffffffffffffeull
#define INFINITE 0xffffffffu

/* Step ids that are no numbers of steps. */
#define SLURM_BATCH_SCRIPT     0xfffffffbu
#define SLURM_EXTERN_CONT      0xfffffffcu
#define SLURM_INTERACTIVE_STEP 0xfffffffau

#endif
