/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/accounts/qos.h"

#include "controller/accounts/assoc.h"
#include "controller/accounts/limit_check.h"
#include "lib/wordlist.h"

#include <limits.h>
#include <strings.h>

struct qos *qos_new(uint32_t id, const char *name) {
        struct qos *q = xnew0(struct qos, 1);

        q->id = id;
        q->name = xstrdup(name);
        q->description = xstrdup(name);
        q->preempt_mode = PREEMPT_UNSET;
        q->preempt_exempt_time = TIME_UNSET;
        q->usage_factor = 1;
        q->usage_threshold = q->limit_factor = -1;
        limits_clear(&q->limits);
        return q;
}

static void tallies_free(struct tally **list, size_t n) {
        for (size_t i = 0; i < n; i++) {
                free(list[i]->key);
                free(list[i]);
        }
        free(list);
}

struct qos *qos_free(struct qos *q) {
        if (!q)
                return NULL;
        tallies_free(q->users, q->n_users);
        tallies_free(q->accounts, q->n_accounts);
        free(q->name);
        free(q->description);
        bitset_free(q->preempt);
        free(q);
        return NULL;
}

/* ---- lookups: linear, as there are few QOS ---- */

struct qos *qos_find(const struct acct *a, const char *name) {
        for (size_t i = 0; name && i < a->n_qos; i++)
                if (strcasecmp(a->qos[i]->name, name) == 0)
                        return a->qos[i];
        return NULL;
}

struct qos *qos_by_id(const struct acct *a, uint32_t id) {
        for (size_t i = 0; i < a->n_qos; i++)
                if (a->qos[i]->id == id)
                        return a->qos[i];
        return NULL;
}

double qos_priority_factor(const struct acct *a, const struct qos *q) {
        uint32_t highest = 0;

        for (size_t i = 0; q && i < a->n_qos; i++)
                highest = MAX(highest, a->qos[i]->priority);
        return highest ? (double)q->priority / highest : 0;
}

/* ---- sets of QOS ---- */

void qos_set_put(struct bitset **set, uint32_t id, bool on) {
        if (*set && id < (*set)->bits) {
                bitset_put(*set, id, on);
                return;
        }
        if (!on)
                return;
        struct bitset *larger = bitset_new(((size_t)id / 64 + 1) * 64);
        if (*set)
                bitset_for_each(i, *set)
                        bitset_add(larger, i);
        bitset_add(larger, id);
        bitset_free(*set);
        *set = larger;
}

bool qos_set_has(const struct bitset *set, uint32_t id) {
        return set && id < set->bits && bitset_has(set, id);
}

static int qos_by_name(const void *a, const void *b) {
        const struct qos *const *x = a, *const *y = b;

        return strcmp((*x)->name, (*y)->name);
}

char *qos_set_text(const struct acct *a, const struct bitset *set) {
        _cleanup_free_ const struct qos **list = xnew(const struct qos *, a->n_qos);
        char *text = xstrdup("");
        size_t n = 0;

        for (size_t i = 0; i < a->n_qos; i++)
                if (qos_set_has(set, a->qos[i]->id))
                        list[n++] = a->qos[i];
        list_sort(list, n, sizeof list[0], qos_by_name);
        for (size_t i = 0; i < n; i++) {
                text_add_word(&text, ",", "%s", list[i]->name);
        }
        return text;
}

bool qos_preempts(const struct qos *a, const struct qos *b) {
        return a && b && qos_set_has(a->preempt, b->id);
}

/* Maximum length of a chain; bounds the recursion for circular lists. */
#define ROW_MAX 3

static uint32_t qos_levels_below(const struct acct *a, const struct qos *q, uint32_t most) {
        uint32_t n = 0;

        for (size_t i = 0; n < most && i < a->n_qos; i++)
                if (a->qos[i] != q && qos_preempts(q, a->qos[i]))
                        n = MAX(n, 1 + qos_levels_below(a, a->qos[i], most - 1));
        return n;
}

uint32_t qos_outranks(const struct acct *a, const struct qos *q) {
        return q && q->preempt ? qos_levels_below(a, q, ROW_MAX) : 0;
}

void qos_set_preempt(struct qos *q, uint32_t id, bool on) {
        qos_set_put(&q->preempt, id, on);
}

/* ---- tallies ---- */

static struct tally *tally_of(struct tally ***list, size_t *n, size_t *allocated, const char *key) {
        size_t at = FIRST_NOT(*n, i, strcmp((*list)[i]->key, key) < 0);

        if (at < *n && streq((*list)[at]->key, key))
                return (*list)[at];
        struct tally *t = xnew0(struct tally, 1);
        t->key = xstrdup(key);
        GROW(*list, *allocated, *n);
        memmove(&(*list)[at + 1], &(*list)[at], (*n - at) * sizeof(*list)[0]);
        (*list)[at] = t;
        (*n)++;
        return t;
}

struct tally *qos_user(struct qos *q, const char *user) {
        return tally_of(&q->users, &q->n_users, &q->a_users, user);
}

struct tally *qos_account(struct qos *q, const char *account) {
        return tally_of(&q->accounts, &q->n_accounts, &q->a_accounts, account);
}

/* ---- flags ---- */

static const struct flag_word flags[] = {
        /* sorted as Slurm prints */
        { "DenyOnLimit", QOS_DENY_ON_LIMIT },
        { "EnforceUsageThreshold", QOS_ENFORCE_THRESHOLD },
        { "NoDecay", QOS_NO_DECAY },
        { "NoReserve", QOS_NO_RESERVE },
        { "OverPartQOS", QOS_OVER_PART_QOS },
        { "PartitionMaxNodes", QOS_PARTITION_MAX_NODES },
        { "PartitionMinNodes", QOS_PARTITION_MIN_NODES },
        { "PartitionTimeLimit", QOS_PARTITION_TIME_LIMIT },
        { "RequiresReservation", QOS_REQUIRES_RESV },
        { "UsageFactorSafe", QOS_USAGE_FACTOR_SAFE },
};

char *qos_flags_text(unsigned set) {
        return flags_text(set, flags, ELEMENTSOF(flags), ",");
}

int qos_flags_parse(const char *text, unsigned *ret, struct fail *fail) {
        unsigned set = 0;

        if (flags_parse(text, ",", flags, ELEMENTSOF(flags), &set, NULL) < 0) {
                _cleanup_free_ char *all = qos_flags_text(UINT_MAX);
                return fail_set(fail, -EINVAL,
                                " Unknown QOS flag used in:\n  '%.100s'\n Valid QOS flags are\n  '%s'",
                                text, all);
        }
        *ret = set;
        return 0;
}
