/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm/slurm_version.h - the version of Slurm whose behaviour Slumber follows */
#ifndef SLUMBER_SLURM_SLURM_VERSION_H
#define SLUMBER_SLURM_SLURM_VERSION_H

#define SLURM_VERSION_NUM(MAJOR, MINOR, MICRO) (((MAJOR) << 16) + ((MINOR) << 8) + (MICRO))
#define SLURM_VERSION_MAJOR(NUMBER)            (((NUMBER) >> 16) & 0xff)
#define SLURM_VERSION_MINOR(NUMBER)            (((NUMBER) >> 8) & 0xff)
#define SLURM_VERSION_MICRO(NUMBER)            ((NUMBER)&0xff)
#define SLURM_VERSION_NUMBER                   SLURM_VERSION_NUM(25, 5, 0)

#endif
