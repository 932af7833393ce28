/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "trigger down,up [nodes=n[1-2]] [job=1] [offset=-30] [user=1000] [perm]": strigger --set;
 * "trigger clear [id=1] [job=1] [user=1000]"; "trigger ended SERIAL": its program. */
#include "tests/scenario/story.h"

#include "controller/orders/triggers.h"

static int read_events(char *list, uint32_t *events, struct fail *fail) {
        char *rest = NULL;

        for (char *w = strtok_r(list, ",", &rest); w; w = strtok_r(NULL, ",", &rest)) {
                uint32_t event = trigger_event_of(w);
                if (!event)
                        return fail_set(fail, -EINVAL, "there is no event %s", w);
                *events |= event;
        }
        return 0;
}

struct trigger_words {
        struct trigger t;
        uint32_t id;
        bool user;
};

static int read_words(struct trigger_words *to, char **words, size_t n, struct fail *fail) {
        for (size_t i = 0; i < n; i++) {
                char *value = strchrnul(words[i], '=');
                if (*value)
                        *value++ = 0;
                int number = atoi(value);
                if (streq(words[i], "nodes"))
                        to->t.nodes = value;
                else if (streq(words[i], "job"))
                        to->t.job = (uint32_t)number;
                else if (streq(words[i], "id"))
                        to->id = (uint32_t)number;
                else if (streq(words[i], "offset"))
                        to->t.offset = number;
                else if (streq(words[i], "user"))
                        to->t.uid = (uid_t)number, to->user = true;
                else if (streq(words[i], "perm"))
                        to->t.permanent = true;
                else
                        return fail_set(fail, -EINVAL, "a trigger has no %s", words[i]);
        }
        return 0;
}

int story_trigger(struct story *s, char **words, size_t n, struct fail *fail) {
        char program[] = "/p", user[] = "root";
        struct trigger_words w = { .t = { .program = program, .user = user } };
        struct fail why = { 0 };
        uint32_t id;

        if (streq(words[0], "ended")) {
                trigger_ended(s->w->c, n > 1 ? strtoull(words[1], NULL, 10) : 0);
                return 0;
        }
        int r = read_words(&w, words + 1, n - 1, fail);
        if (r >= 0 && streq(words[0], "clear")) {
                const struct trigger_choice which = { w.id, w.t.job, w.user ? &w.t.uid : NULL };
                story_out(s, "cleared %zu", triggers_clear(s->w->c, &which, NULL));
                return 0;
        }
        if (r >= 0)
                r = read_events(words[0], &w.t.events, fail);
        if (r < 0)
                return r;
        enum slumber_error e = trigger_set(s->w->c, &w.t, s->w->now, &id, &why);
        if (e == SLUMBER_OK)
                story_out(s, "trigger %u", id);
        else
                story_out(s, "refused: %s",
                                e == SLUMBER_FAILED ? why.text : slumber_error_text((int)e));
        return 0;
}
