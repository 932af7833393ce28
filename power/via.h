/* SPDX-License-Identifier: GPL-3.0-or-later */
/* power/via.h - BMCs that only another host reaches: asked for through the controller, done by that
 * host's worker
 *
 *     slumber-power -> slumberctld -> slumberd of a host in "via" -> slumber-power --worker
 *
 * One BmcRequest for the nodes of each list of hosts, passwords with it: they are in the memory of
 * these four, on local sockets and TLS between, for as long as it takes; no file, argument or log
 * has them. */
#pragma once

#include "power/power.h"

/* Fills in the addresses of BMCs that power.yaml leaves to the nodes' agents, as slumberctld knows
   them.  What it does not know stays NULL. */
int power_addresses_ask(struct power_conf *conf, const struct hostlist *nodes, struct fail *fail);
/* What all agents of the cluster have told of their machines, sorted by node.  The caller frees by
   power_reported_free(), also after a failure. */
struct power_reported;
int power_reported_ask(struct power_reported **ret, size_t *ret_n, struct fail *fail);
void power_reported_free(struct power_reported *told, size_t n);

/* Starts a thread that reports to pool the result of each of its nodes that is for another host;
   nothing if there is none. All that is given must live as long as the process. */
void power_via_start(struct power_pool *pool, const struct power_conf *conf, enum power_verb verb,
                usec_t deadline);

/* Where the daemon of this host listens if $SLUMBER_SOCKET does not say, NULL: the usual place.
   Must live as long as the process; before there are threads. */
void power_via_socket(const char *path);
/* Has the node's own slumberd do what one of the logind drivers does; blocks up to limit. 0: it has
   been set going. */
int power_ask_node(const char *node, const struct power_driver *driver, usec_t limit,
                struct power_cause *cause);

/* The other end: reads one BmcRequest from fd, does it, writes results as they come.  lock_file:
   see power.yaml. Returns an exit code: 0 the request was carried out, whatever became of its
   nodes. */
int power_worker(int fd, const char *lock_file);
