/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/step/mpi_type.h - Slurm's names for PMIx with libpmix of a major version (--mpi=pmix_v4).
 * Programs of all of these speak with the server of any, so they all mean pmix. */
#pragma once

#include "lib/base.h"

static const char *const mpi_pmix_versions[] = { "pmix_v3", "pmix_v4", "pmix_v5" };

/* An older name of none: Open MPI of those days asked nothing of srun. */
#define MPI_OPENMPI "openmpi"

/* The one that is meant, a constant; NULL: it is none of these. */
static inline const char *mpi_pmix_version(const char *type) {
        for (size_t i = 0; i < ELEMENTSOF(mpi_pmix_versions); i++)
                if (streq(type, mpi_pmix_versions[i]))
                        return mpi_pmix_versions[i];
        return NULL;
}
