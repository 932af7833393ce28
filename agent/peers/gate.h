/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/peers/gate.h - limits for srun's messages waiting for a step daemon that does not read
 *
 * After a dropped message the daemon is told of the loss (StepIo.lost), behind the waiting
 * messages; the daemon then asks srun to send again. Data is dropped early, as srun keeps data;
 * acknowledgements, few from a reading daemon, are dropped late. Pure. */
#pragma once

#include "lib/base.h"

#define GATE_DATA ((size_t)4 << 20)  /* waiting bytes from which data is dropped */
#define GATE_MOST ((size_t)64 << 20) /* waiting bytes from which every message is dropped */

/* A zeroed gate has dropped no message. */
struct gate {
        bool told; /* the daemon was told of a loss, and has not yet asked srun to send again */
};
enum gate_use { GATE_PASS, GATE_DROP, GATE_DROP_AND_TELL };

/* Decides about a message to a daemon for which queued bytes wait. */
static inline enum gate_use gate_use(struct gate *g, size_t queued, bool has_data) {
        if (queued < (has_data ? GATE_DATA : GATE_MOST))
                return GATE_PASS;
        if (g->told)
                return GATE_DROP;
        g->told = true;
        return GATE_DROP_AND_TELL;
}
/* The daemon has asked srun to send again, or has a new connection, by which it will ask. */
static inline void gate_asked(struct gate *g) {
        g->told = false;
}
