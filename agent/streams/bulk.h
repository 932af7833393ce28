/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/streams/bulk.h - while slumberd moves much output of steps, it has no real-time priority,
 * so that the commands of the node's users are run, too
 *
 * A thread of real-time priority gives the priority back to slumberd as soon as the controller says
 * something: an order to freeze a job must not wait for a thousand processes that want the CPU. */
#pragma once

#include <stddef.h>

struct agent;
struct bulk;

/* Belongs to the agent and to the calling thread, whose priority it changes; stays in agent.bulk.
   Negative errno: there is no thread. */
int bulk_new(struct agent *a);
struct bulk *bulk_free(struct bulk *b); /* NULL */
/* A message with so many bytes of a stream has passed, from a step daemon, another slumberd or a
   command; those by the controller are not counted, as each is something that it says.  Nothing
   happens on a login host (--login), whose slumberd has no real-time priority, and no agent.bulk.
 */
void bulk_moved(struct agent *a, size_t bytes);
/* Another slumberd has passed on an order of the controller's: the priority is given back. */
void bulk_order(struct agent *a);
