/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/job_names.h"

#include "controller/model/job.h"

#define SLOTS_MIN 64

struct job_names {
        /* n_slots is a power of two; chained by job->listed.name_next and name_prev, newest
           first. */
        struct job **slots;
        size_t n_slots, n;
};

static struct job **job_names_slot(const struct job_names *t, uid_t uid, const char *name) {
        uint64_t h = uid;

        for (const char *p = strempty(name); *p; p++)
                h = (h ^ (unsigned char)*p) * 0x100000001b3u;
        h *= 0x9e3779b97f4a7c15u;
        return &t->slots[(h >> 32) & (t->n_slots - 1)];
}

static bool job_has_name(const struct job *j, uid_t uid, const char *name) {
        return j->uid == uid && streq(strempty(j->asked.name), strempty(name));
}

static void put_first(struct job_names *t, struct job *j) {
        struct job **slot = job_names_slot(t, j->uid, j->asked.name);

        j->listed.name_prev = NULL;
        j->listed.name_next = *slot;
        if (*slot)
                (*slot)->listed.name_prev = j;
        *slot = j;
        t->n++;
}

/* Inserts from the oldest job on, so that the order stays. */
static void job_names_grow(struct job_names *t) {
        struct job_names more = { .n_slots = MAX(2 * t->n_slots, (size_t)SLOTS_MIN) };

        more.slots = xnew0(struct job *, more.n_slots);
        for (size_t i = 0; i < t->n_slots; i++) {
                struct job *j = t->slots[i];
                while (j && j->listed.name_next)
                        j = j->listed.name_next;
                for (struct job *newer; j; j = newer) {
                        newer = j->listed.name_prev;
                        put_first(&more, j);
                }
        }
        free(t->slots);
        *t = more;
}

void job_names_insert(struct job_names *t, struct job *j) {
        if (t->n >= t->n_slots)
                job_names_grow(t);
        put_first(t, j);
}

void job_names_remove(struct job_names *t, struct job *j) {
        assert(t->n > 0);
        if (j->listed.name_next)
                j->listed.name_next->listed.name_prev = j->listed.name_prev;
        if (j->listed.name_prev)
                j->listed.name_prev->listed.name_next = j->listed.name_next;
        else
                *job_names_slot(t, j->uid, j->asked.name) = j->listed.name_next;
        j->listed.name_next = j->listed.name_prev = NULL;
        t->n--;
}

struct job *job_names_latest(const struct job_names *t, uid_t uid, const char *name) {
        struct job *j = t->n ? *job_names_slot(t, uid, name) : NULL;

        while (j && !job_has_name(j, uid, name))
                j = j->listed.name_next;
        return j;
}

struct job *job_names_before(const struct job *j) {
        struct job *older = j->listed.name_next;

        while (older && !job_has_name(older, j->uid, j->asked.name))
                older = older->listed.name_next;
        return older;
}

struct job_names *job_names_new(void) {
        return xnew0(struct job_names, 1);
}

struct job_names *job_names_free(struct job_names *t) {
        if (!t)
                return NULL;
        free(t->slots);
        free(t);
        return NULL;
}
