/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/maker/visits.h - commands of this host whose steps the first node of their job makes (its
 * home), which is another host
 *
 * The controller answers the first StepRequest with HomeAt: where that slumberd listens, and a
 * token by which it believes this one about the job's user.  Requests and answers then go between
 * the two (Visit); what this one knows of homes is in the spool while commands visit them.  A
 * command is told that the controller is away where its home is: it asks again. */
#pragma once

#include "agent/state/agent.h"

/* HomeAt, in answer to c's request, which goes there. */
void visit_begin(struct client *c, const Envelope *env);
/* A StepRequest of c; false: it is for the controller. */
bool visit_request(struct client *c, const Envelope *env);
bool visit_action(struct client *c, const Envelope *env); /* likewise, a JobAction */
void visit_gone(struct client *c);                        /* it has ended */
void visit_free(struct client *c);                        /* without a word; if it has one */
/* A Visit of a home. */
void visits_take(struct agent *a, struct peer *p, Slumber__Visit *m);
void visits_lost(struct agent *a, const struct peer *p);
bool visits_use(const struct agent *a, const struct peer *p);
void visits_done(struct agent *a);
/* What an earlier slumberd has kept in the spool. */
void visits_read(struct agent *a);
/* One of these; false: it is none. */
bool visits_restore(struct agent *a, uint32_t job, const uint8_t *data, size_t size);
