/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/loop/pace.h"

void pace_next(struct pace *p, usec_t now, usec_t took) {
        p->asked = false;
        p->due = took < PACE_LEAST ? 0 : now + MIN(PACE_SHARE * took, PACE_MOST);
}

usec_t pace_wait(const struct pace *p, usec_t now) {
        return p->asked || now >= p->due ? 0 : p->due - now;
}
