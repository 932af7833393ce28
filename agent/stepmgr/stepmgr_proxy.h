/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/stepmgr/stepmgr_proxy.h - commands of this host with the step manager on another node
 *
 * The controller answers the first StepRequest with HomeAt: the address of the step manager's
 * slumberd, and a token which proves the job's user to that slumberd. Requests and answers then go
 * between the two slumberds (Visit). HomeAt is kept in the spool while commands of this host use
 * the step manager. When the step manager cannot be reached, a command is told that the controller
 * is away, and asks again. */
#pragma once

#include "agent/state/agent.h"

/* Handles HomeAt, the answer to c's request, which now goes to the step manager. */
void stepmgr_proxy_begin(struct client *c, const Envelope *env);
/* Handles a StepRequest of client c; false: for the controller. */
bool stepmgr_proxy_request(struct client *c, const Envelope *env);
/* A JobAction; false: for the controller */
bool stepmgr_proxy_action(struct client *c, const Envelope *env);
void stepmgr_proxy_client_gone(struct client *c); /* client c has ended */
void stepmgr_proxy_free(struct client *c);        /* frees c->proxy, if any, and sends no message */
/* Handles a Visit from a step manager. */
void stepmgr_proxy_handle_message(struct agent *a, struct peer *p, Slumber__Visit *m);
void stepmgr_proxies_peer_lost(struct agent *a, const struct peer *p);
bool stepmgr_proxies_use_peer(const struct agent *a, const struct peer *p);
void stepmgr_proxies_done(struct agent *a);
/* Reads the HomeAts that an earlier slumberd has kept in the spool. */
void stepmgr_addresses_read(struct agent *a);
/* Restores one HomeAt; false: the data is not valid. */
bool stepmgr_address_unpack(struct agent *a, uint32_t job, const uint8_t *data, size_t size);
