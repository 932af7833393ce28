/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/accounts/assoc.h - accounts, users, and the tree of associations that join them
 *
 * The root account is the root of the tree, other accounts stand below an account, users (maybe for
 * one partition only) below accounts.  What an association does not set it has from the one above:
 * its QOS, default QOS and limits of a single job or user; limits of groups count at each level.
 * All is made by sacctmgr and kept in the accounting file; the root account, the user root and the
 * QOS "normal" are always there.
 *
 * Jobs point to their association and QOS (acct_admit(), and acct_bind() after a restart or
 * change).  What they use is charged to each level as they come, start and go: acct_note(). */
#pragma once

#include "controller/accounts/qos.h"
#include "controller/model/account.h"
#include "lib/errors.h"
#include "lib/strtab.h"

struct cluster;
struct job;
struct partition;

DECLARE_STRTAB(admin_level); /* None, Operator, Administrator */

void acct_init(struct acct *a); /* what is always there */
void acct_done(struct acct *a);

struct account *account_find(const struct acct *a, const char *name); /* any case */
struct acct_user *acct_user_find(const struct acct *a, const char *name);
/* Is that user a coordinator of its account, or of one above. */
bool assoc_coordinates(const struct acct *a, const struct assoc *assoc, const char *user);
enum admin_level acct_level(const struct acct *a, const char *user);
/* or coordinators; only then is it worth asking for a user's */
bool acct_has_levels(struct acct *a);
/* Exactly that one; user, partition NULL: none. */
struct assoc *assoc_find(const struct acct *a, const char *account, const char *user,
                const char *partition);
/* Has that user one in that account, for whichever partition. */
bool assoc_is_in(const struct acct *a, const char *account, const char *user);
/* The one that a job of that user, account and partition has: with the partition, or without. */
struct assoc *assoc_of_job(const struct acct *a, const char *account, const char *user,
                const char *partition);

/* New ones, filled but for what is given; they must not be there yet, and parents must. */
struct account *account_add(struct acct *a, const char *name);
struct acct_user *acct_user_add(struct acct *a, const char *name);
struct assoc *assoc_add(struct acct *a, uint32_t id, struct assoc *parent, const char *account,
                const char *user, const char *partition);
struct qos *qos_add(struct acct *a, uint32_t id, const char *name);
/* true: it was not so before. */
bool account_coordinate(struct account *account, const char *user, bool on);
/* And away; nothing points to it any more. */
void account_remove(struct acct *a, struct account *account);
void acct_user_remove(struct acct *a, struct acct_user *user);
void assoc_remove(struct acct *a, struct assoc *assoc);
void qos_remove(struct acct *a, struct qos *q); /* also from all lists and defaults */
void assoc_set_parent(struct assoc *assoc, struct assoc *parent);
bool assoc_is_below(const struct assoc *assoc, const struct assoc *above); /* or the same */

/* ---- other clusters whose associations are kept ---- */

struct acct_cluster *acct_cluster_find(const struct acct *a, const char *name); /* any case */
/* Without its root yet. */
struct acct_cluster *acct_cluster_add(struct acct *a, const char *name);
/* The root, its user root, and the QOS normal: ids are a's next. */
void acct_cluster_fill(struct acct *a, struct acct_cluster *k);
void acct_cluster_remove(struct acct *a, struct acct_cluster *k); /* with its associations */
/* What follows of a's associations is about those of k, until acct_enter(a, NULL).  No job and no
   limit may be looked at meanwhile. */
void acct_enter(struct acct *a, struct acct_cluster *k);
/* An account, or (user) a user, has an association in this cluster or in one that is kept. */
bool acct_has_assoc(const struct acct *a, const char *name, bool user);

/* What holds for it, own or inherited. */
const struct bitset *assoc_qos(const struct assoc *assoc); /* NULL: all */
/* never NULL: at last "normal" */
struct qos *assoc_default_qos(const struct acct *a, const struct assoc *assoc);
uint32_t assoc_priority(const struct assoc *assoc); /* NULL: 0 */
void acct_count_priorities(struct acct *a);
bool assoc_allows_qos(const struct assoc *assoc, const struct qos *q);

/* For the accounting file: this object is another now, or no more. key: a name, or NULL and an
   id. */
void acct_touch(struct acct *a, unsigned table, const char *key, uint32_t id, bool removed);
void acct_clean(struct acct *a); /* it has seen it */

/* ---- jobs ---- */

/* --account: the one that was named, or the user's default; into asked.account. */
void acct_pick_account(const struct cluster *c, struct job *j);
/* Its partition and account are known: association and QOS, into j; with what
   AccountingStorageEnforce asks for. */
enum slumber_error acct_admit(struct cluster *c, struct job *j, struct fail *fail);
/* May it have these (NULL: the default) in that partition. */
enum slumber_error acct_allows(const struct cluster *c, const struct job *j,
                const struct partition *p, const char *account, const char *qos);
/* The names of its account and QOS as they are written there: limits count by them. */
void acct_spell(struct job *j);
/* RequiresReservation: SLUMBER_BAD_QOS where a job of q (NULL: of none) names no reservation. */
enum slumber_error acct_wants_reservation(const struct qos *q, const char *reservation,
                struct fail *fail);
/* Of a job that is there, by the names that it has: NULL where they mean nothing any more. */
void acct_point(const struct cluster *c, struct job *j);
/* The same, and it counts there. */
void acct_bind(struct cluster *c, struct job *j);
/* That one is about to go: nothing points to it any more. */
void acct_unbind(struct cluster *c, const struct assoc *assoc, const struct qos *qos);
/* j may have come, started, ended or gone: what it is charged with follows. Part of
   cluster_job_changed(). */
void acct_note(struct cluster *c, struct job *j);
void acct_forget(struct cluster *c, struct job *j); /* it is about to be freed */
/* A charge counts in t, once more (sign 1) or once less (-1). */
void tally_add(struct tally *t, const struct job_charge *g, int sign);
/* What is left of its time limit. */
void charge_time(struct job_charge *g, const struct job *j);
