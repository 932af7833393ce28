/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/user_texts.h"

#include "controller/model/job.h"

struct row {
        uid_t uid;
        uint64_t bytes;
        size_t jobs;
};

struct user_texts {
        struct row *rows; /* sorted by uid; only users with jobs */
        size_t n, allocated;
};

static size_t row_at(const struct user_texts *t, uid_t uid) {
        return FIRST_NOT(t->n, i, t->rows[i].uid < uid);
}

static bool has_row(const struct user_texts *t, size_t at, uid_t uid) {
        return at < t->n && t->rows[at].uid == uid;
}

void user_texts_add(struct user_texts *t, struct job *j) {
        size_t at = row_at(t, j->uid);

        if (!has_row(t, at, j->uid)) {
                GROW(t->rows, t->allocated, t->n);
                memmove(&t->rows[at + 1], &t->rows[at], (t->n++ - at) * sizeof t->rows[0]);
                t->rows[at] = (struct row){ .uid = j->uid };
        }
        j->listed.texts = job_spec_length(&j->asked);
        t->rows[at].bytes += j->listed.texts;
        t->rows[at].jobs++;
}

void user_texts_remove(struct user_texts *t, struct job *j) {
        size_t at = row_at(t, j->uid);

        assert(has_row(t, at, j->uid));
        t->rows[at].bytes -= j->listed.texts;
        j->listed.texts = 0;
        if (--t->rows[at].jobs == 0)
                memmove(&t->rows[at], &t->rows[at + 1], (--t->n - at) * sizeof t->rows[0]);
}

bool user_texts_have_room(const struct user_texts *t, uid_t uid, size_t more) {
        size_t at = row_at(t, uid);

        return uid == 0 || !has_row(t, at, uid) || t->rows[at].bytes + more <= USER_TEXTS_MAX;
}

struct user_texts *user_texts_new(void) {
        return xnew0(struct user_texts, 1);
}

struct user_texts *user_texts_free(struct user_texts *t) {
        if (t)
                free(t->rows);
        free(t);
        return NULL;
}
