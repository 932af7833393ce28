/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reservations of a simulation: one per line, with the keys of scontrol create reservation. */
#include "sim/reserve.h"

#include "controller/updates/reservation_edit.h"

#define WORDS_MAX 64
#define BLANKS    " \t\r"

/* Makes the reservation of a line; modifies line. */
static int make_one(struct cluster *c, char *line, usec_t now, struct fail *fail) {
        struct update_setting settings[WORDS_MAX];
        struct resv *made;
        size_t n = 0;
        char *rest;

        for (char *word = strtok_r(line, BLANKS, &rest); word;
                        word = strtok_r(NULL, BLANKS, &rest)) {
                char *value = strchr(word, '=');
                if (!value || n == WORDS_MAX)
                        return fail_set(fail, -EINVAL, "\"%.60s\": %s", word,
                                        value ? "too many words" : "KEY=VALUE was expected");
                *value++ = 0;
                settings[n++] = (struct update_setting){ word, value };
        }
        enum slumber_error e = resv_create(c, settings, n, 0, now, &made, fail);
        if (e != SLUMBER_OK && !fail->text[0])
                fail_set(fail, -EINVAL, "%s", slumber_error_text((int)e));
        return e == SLUMBER_OK ? 0 : -EINVAL;
}

int sim_reserve(struct cluster *c, const char *text, usec_t now, struct fail *fail) {
        _cleanup_free_ char *copy = xstrdup(text);
        char *rest = copy;
        int r = 0;

        for (unsigned i = 1; r >= 0 && rest; i++) {
                char *line = strsep(&rest, "\n");
                const char *word = line + strspn(line, BLANKS);
                if (!*word || *word == '#')
                        continue;
                r = make_one(c, line, now, fail);
                if (r < 0)
                        r = fail_prefix(fail, r, "line %u", i);
        }
        return r;
}
