/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file of SPOOL/makers: entries with their lengths, and the jobs that their StepMakers make. */
#include "agent/stepmgr/journal.h"
#include "agent/stepmgr/stepmgr_job.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int found(const Slumber__JournalEntry *e, void *user) {
        struct fail fail = { 0 };

        (void)user;
        _cleanup_(stepmgr_job_freep) struct stepmgr_job *j = e->maker ? stepmgr_job_new(e->maker,
                                                                                        &fail)
                                                                      : NULL;
        if (j && e->row && e->row->made)
                stepmgr_job_restore_step(j, e->row->made);
        return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        ssize_t n = journal_parse(data, size, found, NULL);

        assert(n < 0 || (size_t)n <= size);
        return 0;
}
