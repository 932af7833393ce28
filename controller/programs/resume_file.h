/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/resume_file.h - the text of SLURM_RESUME_FILE, in the form of Slurm 25.05
 * or, where slumber.yaml says so (resume_file), of 26.05 */
#pragma once

#include "lib/base.h"

/* NULL or "" = not set, null in the file; nodes_ are host lists and always text. */
struct resume_job {
        uint32_t id;
        const char *extra, *features, *nodes_alloc, *nodes_resume;
        const char *oversubscribe; /* OK YES NO USER MCS; of 26.05 OK YES NO */
        const char *exclusive;     /* of 26.05: NO NODE USER MCS; else NULL: not in the file */
        uint32_t priority;         /* the same */
        const char *partition, *reservation;
};

/* One line, malloced. Bytes of users that are no UTF-8 become U+FFFD: every JSON reader must take
   the file. */
char *resume_file_text(const struct resume_job *jobs, size_t n_jobs, const char *all_nodes);
