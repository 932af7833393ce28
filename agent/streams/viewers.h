/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/streams/viewers.h - the sattaches of a step, on its srun's host: copies of what srun is
 * given go to the slumberd of each one's host
 *
 * What comes to srun a second time, or behind a gap, is not copied: each byte goes to a viewer once
 * and in order.  What a viewer has no room for is dropped, which it sees by the next offset:
 * neither the step nor srun waits for it. */
#pragma once

#include "agent/peers/peers.h"

#define VIEWERS_MAX   64                  /* of a step */
#define VIEWER_SILENT (60 * USEC_PER_SEC) /* each says every 20 s that it is there */
/* bytes on a connection from which on copies are dropped */
#define VIEWER_QUEUE ((size_t)4 << 20)

struct viewers;

struct viewers *viewers_new(uint32_t num_tasks);
struct viewers *viewers_free(struct viewers *v); /* takes NULL, returns NULL */
bool viewers_are_none(const struct viewers *v);  /* takes NULL */
/* A BEGIN that has come by p: it is a new one, or is one still; it is answered.  Others that have
   said nothing for VIEWER_SILENT are forgotten. */
void viewers_begin(struct viewers *v, struct peer *p, const Slumber__View *m, usec_t now);
void viewers_output(struct viewers *v, const Slumber__StepIo *io); /* that srun is given */
void viewers_exit(struct viewers *v, const Slumber__StepNotice *m);
void viewers_forget(struct viewers *v, uint64_t id); /* it has gone */
/* What srun says to the viewer that m names. */
void viewers_send(struct viewers *v, const Slumber__View *m);
void viewers_end(struct viewers *v); /* srun has gone: all hear it */
void viewers_lost(struct viewers *v, const struct peer *p);
/* m's step and viewer with the kind; by p, to sattach's slumberd. */
void viewer_say(struct peer *p, const Slumber__View *m, Slumber__View__Kind kind);
