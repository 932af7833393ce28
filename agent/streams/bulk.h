/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/streams/bulk.h - slumberd gives up real-time priority while much output of steps passes, so
 * that the commands of the node's users run, too
 *
 * A thread of real-time priority restores slumberd's priority when a message of the controller
 * arrives: an order to freeze a job must not wait for a thousand processes competing for the
 * CPU. */
#pragma once

#include <stddef.h>

struct agent;
struct bulk;

/* Creates agent.bulk, also if a negative errno is returned because the thread cannot start. The
   calling thread is the thread whose priority changes. */
int bulk_new(struct agent *a);
struct bulk *bulk_free(struct bulk *b); /* b may be NULL; returns NULL */
/* Counts a message of a step daemon, another slumberd or a command with bytes of a stream. Messages
   of the controller are not counted, as each restores the priority. Does nothing on a login host
   (--login): slumberd has no real-time priority and no agent.bulk there. */
void bulk_moved(struct agent *a, size_t bytes);
/* Another slumberd has passed on an order of the controller: restores the priority. */
void bulk_order(struct agent *a);
