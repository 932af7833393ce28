/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/loop/outbox.h - messages waiting for their batch */
#pragma once

#include "controller/loop/controller.h"

/* Send a reply; set env->reply_to and caller. reply_durable() sends when all changes of this turn
   are on disk; reply_now() sends at once or behind the client's waiting messages. */
void reply_now(const struct address *to, Envelope *env);
void reply_durable(struct controller *ctl, const struct address *to, Envelope *env);
/* Like reply_durable(), for an agent that waits for nothing else: this turn does not end for the
   reply (controller_changed_a_little()). */
void reply_when_stored(struct controller *ctl, const struct address *to, Envelope *env);
/* Replies Ok for SLUMBER_OK, else Error with text (may be NULL). */
void reply_result(struct controller *ctl, const struct address *to, enum slumber_error e,
                const char *text);
/* assigns batch to the replies and effects of this turn */
void outbox_seal(struct controller *ctl, uint64_t batch);
void outbox_release(struct controller *ctl, uint64_t durable);
/* Tells a command, direct or relayed, why its answer is delayed; clients of earlier versions ignore
   the message. */
void outbox_tell(const struct address *to, enum slumber_error e, const char *text);
/* Tells all commands with waiting answers the reason: r, the error of the disk (a negative
   errno). */
void outbox_tell_why(struct controller *ctl, int r);
void outbox_free(struct controller *ctl);
/* Replies SLUMBER_STORE_FULL with the error r of the disk (a negative errno). */
void reply_not_stored(struct controller *ctl, const struct address *to, int r);
