/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "accounts kept": there are accounts to be asked for forgotten jobs (ask-accounts).  "answer 7
 * COMPLETED", "answer 7 0=COMPLETED 1=FAILED [0-3,9]=CANCELLED" (tasks), "answer 7 +1=FAILED" (a
 * component), "answer 7 none", "answer 7 fails": what they say; UID:STATE is of another user,
 * STATE@SECONDS began then, STATE^SECONDS was submitted then. */
#include "tests/scenario/story.h"

#include "controller/jobs/dependency.h"
#include "controller/jobs/past.h"

int story_accounts_kept(struct story *s, char **words, size_t n, struct fail *fail) {
        if (!streq(words[0], "kept"))
                return fail_set(fail, -EINVAL, "accounts are kept");
        s->w->accounts_kept = s->w->c->pasts.kept = true;
        return 0;
}

static void read_row(struct story *s, struct past *p, char *word, uint64_t row) {
        char *equal = strchr(word, '='), *state = equal ? equal + 1 : word;
        struct past_row r = { .row = row, .uid = 1000 };

        if (equal) {
                *equal = 0;
                r.part = *word == '[' ? PAST_REST : (uint32_t)atoi(word + (*word == '+'));
                *(*word == '+' ? &r.het_job : &r.array_job) = p->job;
                r.array_tasks = *word == '[' ? word : NULL;
        }
        char *colon = strchr(state, ':'), *at = strchr(state, '@'), *up = strchr(state, '^');
        if (up) {
                *up = 0;
                r.submit = s->w->start + (usec_t)atoi(up + 1) * USEC_PER_SEC;
        }
        if (at) {
                *at = 0;
                r.start = s->w->start + (usec_t)atoi(at + 1) * USEC_PER_SEC;
        }
        if (colon) {
                *colon = 0;
                r.uid = (uint32_t)atoi(state);
                state = colon + 1;
        }
        r.completed = streq(state, "COMPLETED");
        past_add(p, &r);
}

int story_answer(struct story *s, char **words, size_t n, struct fail *fail) {
        uint32_t id;
        int r = story_number(words[0], &id, fail);
        struct past *p = r >= 0 ? past_of(s->w->c, id) : NULL;

        if (r < 0)
                return r;
        if (!p)
                return fail_set(fail, -ENOENT, "the accounts are not asked for job %u", id);
        if (streq(words[1], "fails")) {
                dependencies_untold(s->w->c, id, s->w->now);
                return 0;
        }
        for (size_t i = 1; i < n && !streq(words[1], "none"); i++)
                read_row(s, p, words[i], i);
        past_settle(p);
        dependencies_told(s->w->c, id, s->w->now);
        return 0;
}
