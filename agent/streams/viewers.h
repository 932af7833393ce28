/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/streams/viewers.h - the sattach commands of a step (viewers), on the host of the step's
 * srun: copies of srun's output go to the slumberd of each viewer's host
 *
 * A repeated piece of output, or a piece behind a gap, is not copied: each byte goes to a viewer
 * once and in order. A copy is dropped while a viewer's connection is full, and the viewer sees the
 * gap by the next offset: neither the step nor srun waits for a viewer. */
#pragma once

#include "agent/peers/peers.h"

#define VIEWERS_MAX   64                  /* maximum viewers of a step */
#define VIEWER_SILENT (60 * USEC_PER_SEC) /* each viewer repeats BEGIN every 20 s */
/* bytes queued on a connection; copies are dropped above */
#define VIEWER_QUEUE ((size_t)4 << 20)

struct viewers;

struct viewers *viewers_new(uint32_t num_tasks);
struct viewers *viewers_free(struct viewers *v); /* v may be NULL; returns NULL */
bool viewers_are_none(const struct viewers *v);  /* v may be NULL */
/* Takes a BEGIN of a new or known viewer, received by p, and answers. Viewers silent for
   VIEWER_SILENT are forgotten. */
void viewers_begin(struct viewers *v, struct peer *p, const Slumber__View *m, usec_t now);
void viewers_output(struct viewers *v, const Slumber__StepIo *io); /* io was given to srun */
void viewers_exit(struct viewers *v, const Slumber__StepNotice *m);
void viewers_forget(struct viewers *v, uint64_t id); /* the viewer has ended */
/* Sends srun's message to the viewer named by m. */
void viewers_send(struct viewers *v, const Slumber__View *m);
void viewers_end(struct viewers *v); /* srun has ended: tells all viewers */
void viewers_lost(struct viewers *v, const struct peer *p);
/* Sends by p, to sattach's slumberd, a message of this kind for m's step and viewer. */
void viewer_say(struct peer *p, const Slumber__View *m, Slumber__View__Kind kind);
