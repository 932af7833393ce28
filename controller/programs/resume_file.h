/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/resume_file.h - the text of SLURM_RESUME_FILE, in the format of Slurm 25.05
 * or, where slumber.yaml says so (resume_file), of 26.05 */
#pragma once

#include "lib/base.h"

/* NULL or "": not set, null in the file; the nodes_ members are hostlists and always text. */
struct resume_job {
        uint32_t id;
        const char *extra, *features, *nodes_alloc, *nodes_resume;
        const char *oversubscribe; /* OK YES NO USER MCS; in 26.05 OK YES NO */
        const char *exclusive;     /* format 26.05: NO NODE USER MCS; else NULL: not in the file */
        uint32_t priority;         /* format 26.05 only */
        const char *partition, *reservation;
};

/* Returns a single line; the caller frees.  Invalid UTF-8 in users' texts becomes U+FFFD, because
   every JSON reader must accept the file. */
char *resume_file_text(const struct resume_job *jobs, size_t n_jobs, const char *all_nodes);
