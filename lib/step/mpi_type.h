/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/step/mpi_type.h - Slurm's names of PMIx with libpmix of a major version (--mpi=pmix_v4). A
 * server of any version serves clients of all: the names are equivalent to pmix. */
#pragma once

#include "lib/base.h"

static const char *const mpi_pmix_versions[] = { "pmix_v3", "pmix_v4", "pmix_v5" };

/* Older name of --mpi=none: early Open MPI needed nothing from srun. */
#define MPI_OPENMPI "openmpi"

/* Returns the matching constant; NULL: not a version of PMIx. */
static inline const char *mpi_pmix_version(const char *type) {
        for (size_t i = 0; i < ELEMENTSOF(mpi_pmix_versions); i++)
                if (streq(type, mpi_pmix_versions[i]))
                        return mpi_pmix_versions[i];
        return NULL;
}
