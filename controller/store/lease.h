/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/store/lease.h - which of several controllers on one PostgreSQL database is primary
 *
 * The primary is the controller whose session of the state holds the advisory lock
 * (store/postgresql.h). The lock fences: a controller without the lock has no session that may
 * write. The primary also renews the lease, by a thread and a session of its own, as long as its
 * event loop turns. A backup looks again and again: it becomes primary when the lock is free, and
 * ends the sessions of a primary whose lease was not renewed for LEASE_SILENCE. Clocks of hosts are
 * never compared. */
#pragma once

#include "lib/fail.h"

#include <systemd/sd-event.h>

#define LEASE_LOOK    (100 * USEC_PER_MSEC) /* between two looks of a backup */
#define LEASE_RENEW   (300 * USEC_PER_MSEC)
#define LEASE_SILENCE (3 * USEC_PER_SEC)
/* An event loop that did not turn for longer is stopped or hangs: the lease is not renewed. */
#define LEASE_TURN_MAX (4 * USEC_PER_SEC)

/* ---- a backup ---- */

struct standby;

/* Names this process for the sessions on the server: SlurmctldHost's name and position, of which
   position 0 is Slurm's primary. */
void lease_name_set(const char *host, unsigned position);
/* url: a postgresql:// address. Connects nothing yet. */
int standby_new(const char *url, struct standby **ret, struct fail *fail);
struct standby *standby_free(struct standby *s); /* takes NULL, returns NULL */
/* Looks once; may block for some seconds. Returns 1: this controller may become primary now;
   0: another controller is primary (*ret_holder, borrowed: its session's name; "" unknown);
   negative errno with fail: the server cannot be asked. */
int standby_look(struct standby *s, const char **ret_holder, struct fail *fail);

/* ---- the primary ---- */

uint64_t lease_number(void); /* counts take-overs; larger is newer */

struct lease;
/* lost(): another controller has become primary. Called from the event loop, once. */
int lease_new(const char *url, sd_event *event, void (*lost)(const char *why, void *user),
                void *user, struct lease **ret, struct fail *fail);
struct lease *lease_free(struct lease *l); /* takes NULL, returns NULL */
/* Makes sure that this controller is primary before effects are carried out: asks the database, and
   blocks, if the event loop stood still since the last renewal. -ESTALE: another one is primary; other
   errors: the database cannot be asked. */
int lease_confirm(struct lease *l, struct fail *fail);
/* Sets bit i of *ret_up for each backup at SlurmctldHost's position i (0 to 63) that waits, as seen
   at the last renewal. */
void lease_backups(struct lease *l, uint64_t *ret_up);
/* Reserves the next lease for the backup at position: others wait for some seconds. Blocks until
   the database has acknowledged. The caller then ends its sessions. */
int lease_reserve(struct lease *l, unsigned position, struct fail *fail);
