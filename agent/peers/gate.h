/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/peers/gate.h - what may wait for a step daemon that does not read, of what srun sends it
 *
 * Behind what was dropped the daemon is told that something was lost (StepIo.lost), which it reads
 * when it has read what waits; it then asks srun to send again.  Data is dropped soon, as srun
 * keeps it; acknowledgements, of which a reader sends few, late.  Pure. */
#pragma once

#include "lib/base.h"

#define GATE_DATA ((size_t)4 << 20)  /* bytes that wait: no more data */
#define GATE_MOST ((size_t)64 << 20) /* ... nothing more */

struct gate {      /* zeroed: nothing was dropped */
        bool told; /* the daemon, and it has not asked for it yet */
};
enum gate_use { GATE_PASS, GATE_DROP, GATE_DROP_AND_TELL };

/* A message goes to a daemon for which queued bytes wait. */
static inline enum gate_use gate_use(struct gate *g, size_t queued, bool has_data) {
        if (queued < (has_data ? GATE_DATA : GATE_MOST))
                return GATE_PASS;
        if (g->told)
                return GATE_DROP;
        g->told = true;
        return GATE_DROP_AND_TELL;
}
/* The daemon asks srun to send again, or there is a new connection to it, by which it does. */
static inline void gate_asked(struct gate *g) {
        g->told = false;
}
