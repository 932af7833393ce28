/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/step/mpi/pmix_some.h - inside slumberstepd: PMIx fences of some of a step's tasks, on
 * several nodes
 *
 * The first of these nodes gathers the parts of all, puts them together and sends that to each.
 * The same tasks enter their fences in the same order on all nodes, so it is enough to know which
 * tasks: a number that follows from their ranks. */
#pragma once

#include "agent/step/base/stepd.h"

/* From the server: fence number of its own (a struct pmix_some_head, nodes, its part).  -EBADMSG:
   it is none; another negative errno: it cannot be done, and the step is to end. */
int pmix_some_enter(struct step *s, uint32_t number, const uint8_t *data, size_t size);
/* From another node: its part (a set, then data), and what the parts of all are. */
int pmix_some_part(struct step *s, uint32_t from, const uint8_t *data, size_t size);
void pmix_some_all(struct step *s, const uint8_t *data, size_t size);
void pmix_some_heard(struct step *s, uint32_t from); /* it has a part of this node */
/* For the step daemon's loop: milliseconds until there is something to do without an event; -1:
   never.  A first node that drops parts, as one of an earlier build does, ends the step. */
void pmix_some_go_on(struct step *s, usec_t now);
int pmix_some_patience(const struct step *s, usec_t now);
void pmix_some_end(struct step *s); /* forgets what is under way */

/* pmix.c */
void pmix_some_lost(struct step *s, const char *why);
void pmix_some_done(struct step *s, uint32_t number, const void *data, size_t size);
/* kind: PMIX_LINE_SOME, PMIX_LINE_SOME_ALL or PMIX_LINE_SOME_HEARD; first is sent before data. */
int pmix_some_send(struct step *s, uint32_t node, uint32_t kind, uint64_t set, const void *data,
                size_t size);
