/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/accounts/qos.h - qualities of service: priority and preemption of their jobs, and how
 * much there may be
 *
 * They are made by sacctmgr, kept in the accounting file, and named by jobs (--qos), associations
 * and partitions.  "normal" is always there.  A QOS that is deleted goes when no job has it any
 * more. */
#pragma once

#include "controller/model/account.h"
#include "lib/bitset.h"
#include "lib/config/config.h"

struct acct;

struct qos *qos_new(uint32_t id, const char *name);
struct qos *qos_free(struct qos *q);
DEFINE_CLEANUP(struct qos *, qos_free)

struct qos *qos_find(const struct acct *a, const char *name); /* any case; NULL */
struct qos *qos_by_id(const struct acct *a, uint32_t id);
/* Is b in a's list of those that its jobs may preempt.  Either may be NULL: no. */
bool qos_preempts(const struct qos *a, const struct qos *b);
/* How many are one below the other that its jobs may preempt, counted up to three: 0: they may
   preempt none. */
uint32_t qos_outranks(const struct acct *a, const struct qos *q);
void qos_set_preempt(struct qos *q, uint32_t id, bool on);
/* A set of QOS ids; it grows as needed.  NULL is empty. */
void qos_set_put(struct bitset **set, uint32_t id, bool on);
bool qos_set_has(const struct bitset *set, uint32_t id);
/* "a,b" of the names of a set, sorted; the caller frees. */
char *qos_set_text(const struct acct *a, const struct bitset *set);
/* 0 to 1: its priority among all of them, for multifactor priorities.  NULL: 0. */
double qos_priority_factor(const struct acct *a, const struct qos *q);

/* Its tally of a user or an account; made if it is not there. */
struct tally *qos_user(struct qos *q, const char *user);
struct tally *qos_account(struct qos *q, const char *account);

/* "DenyOnLimit,NoReserve"; the caller frees.  Parsing: -EINVAL names the stranger. */
char *qos_flags_text(unsigned flags);
int qos_flags_parse(const char *text, unsigned *ret, struct fail *fail);
