/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/loop/outbox.h - what waits for its batch */
#pragma once

#include "controller/loop/controller.h"

/* Replies; env->reply_to and caller are set here.  The durable one leaves when all that this turn
   changes is on disk, the other one now, or right behind what that client has to wait for. */
void reply_now(const struct address *to, Envelope *env);
void reply_durable(struct controller *ctl, const struct address *to, Envelope *env);
/* As the durable one, to an agent that waits for nothing else: this turn does not end for it
   (controller_changed_a_little()). */
void reply_when_stored(struct controller *ctl, const struct address *to, Envelope *env);
/* Convenience for the two commonest bodies; e SLUMBER_OK gives Ok. */
void reply_result(struct controller *ctl, const struct address *to, enum slumber_error e,
                const char *text);
/* this turn's replies and effects belong to it */
void outbox_seal(struct controller *ctl, uint64_t batch);
void outbox_release(struct controller *ctl, uint64_t durable);
/* Tells a command, by itself or relayed, why its answer is not there yet; one of an earlier build
   passes over what it does not know. */
void outbox_tell(const struct address *to, enum slumber_error e, const char *text);
/* Tells commands with waiting answers why: r is the disk's error (a negative errno). */
void outbox_tell_why(struct controller *ctl, int r);
void outbox_free(struct controller *ctl);
/* SLUMBER_STORE_FULL, with what the disk says (a negative errno). */
void reply_not_stored(struct controller *ctl, const struct address *to, int r);
