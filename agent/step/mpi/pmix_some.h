/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/step/mpi/pmix_some.h - inside slumberstepd: PMIx fences of a part of a step's tasks, on
 * several nodes
 *
 * The first of the fence's nodes gathers the parts of all nodes and sends the joined parts to each
 * node. A fence is identified by a number computed from the tasks' ranks, as all nodes enter the
 * fences of the same tasks in the same order. */
#pragma once

#include "agent/step/base/stepd.h"

/* The server enters fence number (its own count); data is a struct pmix_some_head, the nodes and
   the part. -EBADMSG: malformed; another negative errno: impossible, the step has to end. */
int pmix_some_enter(struct step *s, uint32_t number, const uint8_t *data, size_t size);
/* pmix_some_part() takes the part of another node (the number of the fence, then data);
   pmix_some_all() takes the joined parts from the fence's first node. */
int pmix_some_part(struct step *s, uint32_t from, const uint8_t *data, size_t size);
void pmix_some_all(struct step *s, const uint8_t *data, size_t size);
void pmix_some_heard(struct step *s, uint32_t from); /* node from knows parts of this node */
/* Called by the event loop. pmix_some_patience() returns the milliseconds until pmix_some_go_on()
   has work without an event; -1: never. A first node dropping parts, as earlier builds do, ends the
   step. */
void pmix_some_go_on(struct step *s, usec_t now);
int pmix_some_patience(const struct step *s, usec_t now);
void pmix_some_end(struct step *s); /* drops pending fences */

/* pmix.c */
void pmix_some_lost(struct step *s, const char *why);
void pmix_some_done(struct step *s, uint32_t number, const void *data, size_t size);
/* kind: PMIX_LINE_SOME, PMIX_LINE_SOME_ALL or PMIX_LINE_SOME_HEARD. set is sent before data. */
int pmix_some_send(struct step *s, uint32_t node, uint32_t kind, uint64_t set, const void *data,
                size_t size);
