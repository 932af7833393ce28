/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/streams/attach.h - sattach commands of this host */
#pragma once

#include "agent/state/agent.h"

void attach_open(struct client *c, const Slumber__AttachReply *m);
void attach_close(struct client *c); /* nothing happens unless c is a sattach */
void attach_send(struct client *c, Envelope *env);
void attach_take(struct agent *a, Envelope *env); /* env: a View from srun's host */
void attach_lost(struct agent *a, const struct peer *p);
