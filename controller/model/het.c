/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/het.h"

#include "lib/base.h"

struct het *het_new(uint32_t id, uint32_t n) {
        struct het *h = xcalloc(1, sizeof *h + n * sizeof *h->of);

        h->id = id;
        h->n = n;
        return h;
}

int het_join(struct het *h, struct job *j, uint32_t offset) {
        if (offset >= h->n || h->of[offset])
                return -EEXIST;
        h->of[offset] = j;
        j->het = h;
        j->het_offset = offset;
        return 0;
}

void het_leave(struct job *j) {
        struct het *h = j->het;

        if (!h)
                return;
        h->of[j->het_offset] = NULL;
        j->het = NULL;
        for (uint32_t i = 0; i < h->n; i++)
                if (h->of[i])
                        return;
        free(h);
}

bool job_may_run_again(const struct job *j) {
        bool may = j->asked.batch && j->needs.requeue;

        for (uint32_t i = 0; j->het && i < j->het->n; i++)
                may = may && j->het->of[i] && j->het->of[i]->asked.batch &&
                      j->het->of[i]->needs.requeue;
        return may;
}
