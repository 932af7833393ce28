/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm/slurm_errno.h - return values of plug-ins */
#ifndef SLUMBER_SLURM_SLURM_ERRNO_H
#define SLUMBER_SLURM_SLURM_ERRNO_H

#include <errno.h>

#define SLURM_SUCCESS  0
#define SLURM_ERROR    (-1)
#define ESLURM_SUCCESS SLURM_SUCCESS

#endif
