/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/accounts/qos.h - qualities of service: priority, preemption and limits of jobs
 *
 * sacctmgr makes QOS, which are kept in the accounting file and named by jobs (--qos), associations
 * and partitions.  "normal" always exists.  A deleted QOS is removed when no job has the QOS any
 * longer. */
#pragma once

#include "controller/model/account.h"
#include "lib/bitset.h"
#include "lib/config/config.h"

struct acct;

struct qos *qos_new(uint32_t id, const char *name);
struct qos *qos_free(struct qos *q);
DEFINE_CLEANUP(struct qos *, qos_free)

struct qos *qos_find(const struct acct *a, const char *name); /* case-insensitive; NULL: none */
struct qos *qos_by_id(const struct acct *a, uint32_t id);
/* True if jobs of a may preempt jobs of b.  Either may be NULL: false. */
bool qos_preempts(const struct qos *a, const struct qos *b);
/* Length of the longest chain of QOS, each preemptable by the previous, below q; at most 3. 0: q
   may preempt none. */
uint32_t qos_outranks(const struct acct *a, const struct qos *q);
void qos_set_preempt(struct qos *q, uint32_t id, bool on);
/* Sets of QOS ids, which grow as needed; NULL is an empty set. */
void qos_set_put(struct bitset **set, uint32_t id, bool on);
bool qos_set_has(const struct bitset *set, uint32_t id);
/* The names of a set, sorted: "a,b"; the caller frees the text. */
char *qos_set_text(const struct acct *a, const struct bitset *set);
/* The priority of q relative to the highest, 0 to 1, for multifactor priorities.  q NULL: 0. */
double qos_priority_factor(const struct acct *a, const struct qos *q);

/* The QOS's tally of a user or an account, created on demand. */
struct tally *qos_user(struct qos *q, const char *user);
struct tally *qos_account(struct qos *q, const char *account);

/* "DenyOnLimit,NoReserve"; the caller frees the text.  Parsing: -EINVAL, and fail names the unknown
   flag. */
char *qos_flags_text(unsigned flags);
int qos_flags_parse(const char *text, unsigned *ret, struct fail *fail);
