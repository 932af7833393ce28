/* SPDX-License-Identifier: GPL-3.0-or-later */
/* power/via.h - BMCs reachable only from another host: requested by the controller, handled by that
 * host's worker
 *
 *     slumber-power -> slumberctld -> slumberd of a host in "via" -> slumber-power --worker
 *
 * One BmcRequest covers the nodes of each list of hosts and includes passwords: in the memory of
 * these four processes, and on local sockets and TLS between them, during the request only; never
 * in a file, argument or log. */
#pragma once

#include "power/power.h"

/* Fills in addresses that power.yaml leaves to the nodes' slumberds, as known to slumberctld;
   unknown addresses stay NULL. */
int power_addresses_ask(struct power_conf *conf, const struct hostlist *nodes, struct fail *fail);
/* Returns the reports of all nodes about their machines, sorted by node. The caller frees by
   power_reported_free(), also after a failure. */
struct power_reported;
int power_reported_ask(struct power_reported **ret, size_t *ret_n, struct fail *fail);
void power_reported_free(struct power_reported *told, size_t n);

/* Starts a thread that reports the results of nodes handled by other hosts to pool; no-op without
   such nodes. Arguments must stay valid until the process ends. */
void power_via_start(struct power_pool *pool, const struct power_conf *conf, enum power_verb verb,
                usec_t deadline);

/* Sets the socket of the host's daemon, used without $SLUMBER_SOCKET; NULL: the default. path must
   stay valid; call before starting threads. */
void power_via_socket(const char *path);
/* Asks the node's own slumberd for the action of a logind driver; blocks up to limit. 0:
   started. */
int power_ask_node(const char *node, const struct power_driver *driver, usec_t limit,
                struct power_cause *cause);

/* Handles one BmcRequest from fd, writing results as they come. lock_file: see power.yaml. Returns
   the exit code: 0: request handled, whatever the nodes' results. */
int power_worker(int fd, const char *lock_file);
