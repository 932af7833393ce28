/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/orders/viewer.h - what the sender of a request may see (PrivateData,
 * MCSParameters=privatedata)
 *
 * Every request that shows jobs, nodes, partitions, reservations, usage, users, accounts or events
 * is filtered here, and only here.  Hidden objects are treated as nonexistent; nodes, partitions
 * and events are private as a whole, and refused.  Operators, root and SlurmUser see all; a
 * coordinator sees jobs, associations and usage of the coordinator's accounts. */
#pragma once

#include "controller/model/cluster.h"
#include "controller/model/partition.h"

struct viewer {
        const struct cluster *c;
        /* Borrowed.  With hidden = 0 the caller sees all, and the remaining members are unused. */
        struct submitter caller;
};

bool viewer_sees_nodes(const struct viewer *v);
bool viewer_sees_partitions(const struct viewer *v);
bool viewer_sees_events(const struct viewer *v);

bool viewer_sees_job(const struct viewer *v, const struct job *j);
/* Returns the job of the id, or any record of the array; NULL if unknown or hidden. */
const struct job *viewer_job(const struct viewer *v, uint32_t id);
/* Returns id, or 0 if the job is hidden. */
uint32_t viewer_job_id(const struct viewer *v, uint32_t id);
/* Makes hidden jobs named by d unknown: only the user's own rows of the accounts count for them,
   and without accounts the dependency waits for nothing. */
void viewer_hide_dependencies(const struct viewer *v, struct dependencies *d);
bool viewer_sees_reservation(const struct viewer *v, const struct resv *r);
/* resv_check_list() for the viewer's jobs, where a hidden reservation is SLUMBER_BAD_RESERVATION;
   *ret is set only for SLUMBER_OK. */
enum slumber_error viewer_check_reservations(const struct viewer *v, const char *list,
                const char *account, const char *qos, struct resv **ret);
bool viewer_sees_user(const struct viewer *v, const char *name);
/* Checks the definition of the account: accounts are private. */
bool viewer_sees_account(const struct viewer *v, const struct account *account);
/* If any of the private kinds hides the association, only the user and coordinators of the account
   see the association. */
bool viewer_sees_assoc(const struct viewer *v, const struct assoc *a, unsigned kinds);
/* Returns whether the viewer may see less than an operator or coordinator. */
bool viewer_is_plain(const struct viewer *v);
/* Check the counts of a QOS for the user, or for the account. */
bool viewer_sees_user_tally(const struct viewer *v, const char *user);
bool viewer_sees_account_tally(const struct viewer *v, const char *account);
