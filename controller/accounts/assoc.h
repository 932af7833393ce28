/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/accounts/assoc.h - accounts, users, and the tree of associations
 *
 * The root account is the root of the tree.  Every further account is below an account; users,
 * possibly for a single partition, are below accounts.  An association inherits unset values from
 * its parent: QOS, default QOS, and limits on a single job or user.  Group limits apply at each
 * level.  sacctmgr makes the objects, which are kept in the accounting file; the root account, the
 * user root and the QOS "normal" always exist.
 *
 * Jobs point to their association and QOS (acct_admit(), and acct_bind() after a restart or a
 * change).  acct_note() charges each level as jobs are submitted, start and end. */
#pragma once

#include "controller/accounts/qos.h"
#include "controller/model/account.h"
#include "lib/errors.h"
#include "lib/strtab.h"

struct cluster;
struct job;
struct partition;

DECLARE_STRTAB_TEXT(admin_level); /* None, Operator, Administrator */

void acct_init(struct acct *a); /* makes the objects that always exist */
void acct_done(struct acct *a);

/* case-insensitive; NULL: none */
struct account *account_find(const struct acct *a, const char *name);
struct acct_user *acct_user_find(const struct acct *a, const char *name);
/* True if the user is coordinator of the association's account, or of an account above. */
bool assoc_coordinates(const struct acct *a, const struct assoc *assoc, const char *user);
enum admin_level acct_level(const struct acct *a, const char *user);
/* True if a user besides root has a level or is coordinator; if false, acct_level() need not be
   asked. */
bool acct_has_levels(struct acct *a);
/* Finds an exact match; user, partition NULL: none. */
struct assoc *assoc_find(const struct acct *a, const char *account, const char *user,
                const char *partition);
/* True if the user has an association in the account, for any partition or none. */
bool assoc_is_in(const struct acct *a, const char *account, const char *user);
/* The association for a job of the user, account and partition: for that partition, or else without
   partition. */
struct assoc *assoc_of_job(const struct acct *a, const char *account, const char *user,
                const char *partition);

/* Add objects with default values.  The object must not exist; the parent must. */
struct account *account_add(struct acct *a, const char *name);
struct acct_user *acct_user_add(struct acct *a, const char *name);
struct assoc *assoc_add(struct acct *a, uint32_t id, struct assoc *parent, const char *account,
                const char *user, const char *partition);
struct qos *qos_add(struct acct *a, uint32_t id, const char *name);
/* Makes a user coordinator (on), or removes a coordinator; returns false if nothing changed. */
bool account_coordinate(struct account *account, const char *user, bool on);
/* Remove objects; no pointer to the object may be left. */
void account_remove(struct acct *a, struct account *account);
void acct_user_remove(struct acct *a, struct acct_user *user);
void assoc_remove(struct acct *a, struct assoc *assoc);
/* removes the QOS from all lists and defaults too */
void qos_remove(struct acct *a, struct qos *q);
void assoc_set_parent(struct assoc *assoc, struct assoc *parent);
bool assoc_is_below(const struct assoc *assoc, const struct assoc *above); /* true also if equal */

/* ---- other clusters whose associations are stored here ---- */

/* case-insensitive; NULL: none */
struct acct_cluster *acct_cluster_find(const struct acct *a, const char *name);
/* Adds a cluster, still without root association. */
struct acct_cluster *acct_cluster_add(struct acct *a, const char *name);
/* Adds the root association, the user root and the QOS normal; ids are a's next ids. */
void acct_cluster_fill(struct acct *a, struct acct_cluster *k);
void acct_cluster_remove(struct acct *a, struct acct_cluster *k); /* frees the associations too */
/* Makes k's associations those of a, until acct_enter(a, NULL).  Meanwhile no job and no limit may
   be looked at. */
void acct_enter(struct acct *a, struct acct_cluster *k);
/* True if an account, or (user) a user, has an association in this cluster or in a stored
   cluster. */
bool acct_has_assoc(const struct acct *a, const char *name, bool user);

/* Values in force, own or inherited. */
const struct bitset *assoc_qos(const struct assoc *assoc); /* NULL: all */
/* never NULL: "normal" as last resort */
struct qos *assoc_default_qos(const struct acct *a, const struct assoc *assoc);
uint32_t assoc_priority(const struct assoc *assoc); /* assoc NULL: 0 */
void acct_count_priorities(struct acct *a);
bool assoc_allows_qos(const struct assoc *assoc, const struct qos *q);

/* Notes a changed or removed object for the accounting file.  key: the name, or NULL for an object
   with an id. */
void acct_touch(struct acct *a, unsigned table, const char *key, uint32_t id, bool removed);
void acct_clean(struct acct *a); /* forgets noted changes, after they were saved */

/* ---- jobs ---- */

/* Sets asked.account to the user's default account, unless --account was given. */
void acct_pick_account(const struct cluster *c, struct job *j);
/* Sets the association and QOS of j, whose partition and account are known, with the checks of
   AccountingStorageEnforce. */
enum slumber_error acct_admit(struct cluster *c, struct job *j, struct fail *fail);
/* Checks whether j may have the account and QOS (NULL: the default) in p. */
enum slumber_error acct_allows(const struct cluster *c, const struct job *j,
                const struct partition *p, const char *account, const char *qos);
/* Sets the names of account and QOS to the spelling in the accounts, by which limits count. */
void acct_spell(struct job *j);
/* RequiresReservation: SLUMBER_BAD_QOS if q (NULL: no QOS) requires a reservation and none is
   named. */
enum slumber_error acct_wants_reservation(const struct qos *q, const char *reservation,
                struct fail *fail);
/* Sets association and QOS of an existing job from its names; NULL: no longer known. */
void acct_point(const struct cluster *c, struct job *j);
/* Like acct_point(); also charges the job. */
void acct_bind(struct cluster *c, struct job *j);
/* Clears all pointers to an association or QOS about to be removed. */
void acct_unbind(struct cluster *c, const struct assoc *assoc, const struct qos *qos);
/* Updates the charge of j after any change of its state.  Part of cluster_job_changed(). */
void acct_note(struct cluster *c, struct job *j);
/* takes back the charge of a job about to be freed */
void acct_forget(struct cluster *c, struct job *j);
/* Adds a charge to t (sign 1), or subtracts the charge (sign -1). */
void tally_add(struct tally *t, const struct job_charge *g, int sign);
/* Sets the remaining time of the job's time limit. */
void charge_time(struct job_charge *g, const struct job *j);
