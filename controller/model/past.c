/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/past.h"

struct past *past_free(struct past *p) {
        if (!p)
                return NULL;
        for (size_t i = 0; i < p->n_runs; i++)
                bitset_free(p->runs[i].tasks);
        free(p->runs);
        free(p->account);
        free(p->waiting);
        free(p);
        return NULL;
}

void pasts_done(struct pasts *all) {
        for (size_t i = 0; i < all->n; i++)
                past_free(all->of[i]);
        free(all->of);
}
