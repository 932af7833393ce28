/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/job_tokens.h"

#include "controller/model/job.h"

#define SLOTS_MIN 64

struct job_tokens {
        struct job **slots; /* n_slots is a power of two; chained by job->listed.token_next */
        size_t n_slots, n;
};

static bool has_one(const struct job *j) {
        return j->asked.token && !j->asked.batch;
}

/* Tokens are random unless invented by a user, so the hash uses all bits and the uid. */
static struct job **job_tokens_slot(const struct job_tokens *t, uint64_t token, uid_t uid) {
        uint64_t h = (token ^ (uint64_t)uid << 32 ^ uid) * 0x9e3779b97f4a7c15u;

        return &t->slots[(h >> 32) & (t->n_slots - 1)];
}

static void job_tokens_grow(struct job_tokens *t) {
        struct job_tokens more = { .n_slots = MAX(2 * t->n_slots, (size_t)SLOTS_MIN) };

        more.slots = xnew0(struct job *, more.n_slots);
        for (size_t i = 0; i < t->n_slots; i++)
                while (t->slots[i]) {
                        struct job *j = t->slots[i];
                        t->slots[i] = j->listed.token_next;
                        job_tokens_insert(&more, j);
                }
        free(t->slots);
        *t = more;
}

void job_tokens_insert(struct job_tokens *t, struct job *j) {
        if (!has_one(j))
                return;
        if (t->n >= t->n_slots)
                job_tokens_grow(t);
        struct job **slot = job_tokens_slot(t, j->asked.token, j->uid);
        j->listed.token_next = *slot;
        *slot = j;
        t->n++;
}

void job_tokens_remove(struct job_tokens *t, struct job *j) {
        if (!has_one(j) || t->n == 0)
                return;
        for (struct job **at = job_tokens_slot(t, j->asked.token, j->uid); *at;
                        at = &(*at)->listed.token_next)
                if (*at == j) {
                        *at = TAKE(j->listed.token_next);
                        t->n--;
                        return;
                }
}

struct job *job_tokens_find(const struct job_tokens *t, uint64_t token, uid_t uid) {
        if (token == 0 || t->n == 0)
                return NULL;
        for (struct job *j = *job_tokens_slot(t, token, uid); j; j = j->listed.token_next)
                if (j->uid == uid && j->asked.token == token)
                        return j;
        return NULL;
}

struct job_tokens *job_tokens_new(void) {
        return xnew0(struct job_tokens, 1);
}

struct job_tokens *job_tokens_free(struct job_tokens *t) {
        if (!t)
                return NULL;
        free(t->slots);
        free(t);
        return NULL;
}
