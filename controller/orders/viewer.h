/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/orders/viewer.h - what the sender of a request may see (PrivateData,
 * MCSParameters=privatedata)
 *
 * Every request that shows jobs, nodes, partitions, reservations, usage, users, accounts or events
 * asks here, and nothing else decides it.  What a viewer does not see is answered as if it did not
 * exist; nodes, partitions and events are private as a whole, and refused.  Operators, root and
 * SlurmUser see all; a coordinator sees jobs, associations and usage of its accounts. */
#pragma once

#include "controller/model/cluster.h"
#include "controller/model/partition.h"

struct viewer {
        const struct cluster *c;
        /* Borrowed.  With hidden = 0 the caller sees all, and nothing else of it is used. */
        struct submitter caller;
};

bool viewer_sees_nodes(const struct viewer *v);
bool viewer_sees_partitions(const struct viewer *v);
bool viewer_sees_events(const struct viewer *v);

bool viewer_sees_job(const struct viewer *v, const struct job *j);
/* The job of that id, or any record of that array: NULL where there is none, or it is hidden. */
const struct job *viewer_job(const struct viewer *v, uint32_t id);
/* id, or 0 when that job is hidden. */
uint32_t viewer_job_id(const struct viewer *v, uint32_t id);
/* What d names and is hidden is unknown from now on: of the accounts the user's own rows alone
   count, and without accounts it waits for nothing. */
void viewer_hide_dependencies(const struct viewer *v, struct dependencies *d);
bool viewer_sees_reservation(const struct viewer *v, const struct resv *r);
/* resv_check_list() for its jobs, where one that it does not see is SLUMBER_BAD_RESERVATION; *ret
   only for SLUMBER_OK. */
enum slumber_error viewer_check_reservations(const struct viewer *v, const char *list,
                const char *account, const char *qos, struct resv **ret);
bool viewer_sees_user(const struct viewer *v, const char *name);
/* Its definition: accounts are private. */
bool viewer_sees_account(const struct viewer *v, const struct account *account);
/* Where any of the private kinds hides it, its user and the coordinators of its account see it. */
bool viewer_sees_assoc(const struct viewer *v, const struct assoc *a, unsigned kinds);
/* It may see less than an operator or coordinator of something. */
bool viewer_is_plain(const struct viewer *v);
/* What a QOS counts for that user, or for that account. */
bool viewer_sees_user_tally(const struct viewer *v, const char *user);
bool viewer_sees_account_tally(const struct viewer *v, const char *account);
