/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/job_names.h"

#include "controller/model/job.h"

#define SLOTS_MIN 64

struct job_names {
        struct job **slots; /* a power of two of them; chained by job->name_next and name_prev, the newest first */
        size_t n_slots, n;
};

static struct job **slot_of(const struct job_names *t, uid_t uid, const char *name) {
        uint64_t h = uid;

        for (const char *p = strempty(name); *p; p++)
                h = (h ^ (unsigned char)*p) * 0x100000001b3u;
        h *= 0x9e3779b97f4a7c15u;
        return &t->slots[(h >> 32) & (t->n_slots - 1)];
}

static bool has_name(const struct job *j, uid_t uid, const char *name) {
        return j->uid == uid && streq(strempty(j->spec.name), strempty(name));
}

static void put_first(struct job_names *t, struct job *j) {
        struct job **slot = slot_of(t, j->uid, j->spec.name);

        j->name_prev = NULL;
        j->name_next = *slot;
        if (*slot)
                (*slot)->name_prev = j;
        *slot = j;
        t->n++;
}

/* From the oldest on: their order stays. */
static void grow(struct job_names *t) {
        struct job_names more = { .n_slots = MAX(2 * t->n_slots, (size_t)SLOTS_MIN) };

        more.slots = xnew0(struct job *, more.n_slots);
        for (size_t i = 0; i < t->n_slots; i++) {
                struct job *j = t->slots[i];
                while (j && j->name_next)
                        j = j->name_next;
                for (struct job *newer; j; j = newer) {
                        newer = j->name_prev;
                        put_first(&more, j);
                }
        }
        free(t->slots);
        *t = more;
}

void job_names_insert(struct job_names *t, struct job *j) {
        if (t->n >= t->n_slots)
                grow(t);
        put_first(t, j);
}

void job_names_remove(struct job_names *t, struct job *j) {
        assert(t->n > 0);
        if (j->name_next)
                j->name_next->name_prev = j->name_prev;
        if (j->name_prev)
                j->name_prev->name_next = j->name_next;
        else
                *slot_of(t, j->uid, j->spec.name) = j->name_next;
        j->name_next = j->name_prev = NULL;
        t->n--;
}

struct job *job_names_latest(const struct job_names *t, uid_t uid, const char *name) {
        struct job *j = t->n ? *slot_of(t, uid, name) : NULL;

        while (j && !has_name(j, uid, name))
                j = j->name_next;
        return j;
}

struct job *job_names_before(const struct job *j) {
        struct job *older = j->name_next;

        while (older && !has_name(older, j->uid, j->spec.name))
                older = older->name_next;
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
