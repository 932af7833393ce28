/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/indexes/yield.h"

bool yield_gone(const struct yield *y, const struct job *v) {
        return y->gone && bitset_has(y->gone, v->listed.queue_at);
}

bool yield_units(const struct yield *y, const struct job *v) {
        return yield_gone(y, v) || (y->lent && bitset_has(y->lent, v->listed.queue_at));
}
