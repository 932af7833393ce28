/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sacctmgr in stories and chaos: "add qos high priority=5", "modify user x set qos+=y". */
#include "controller/account_admin/acct_change.h"
#include "controller/indexes/queue.h"
#include "tests/scenario/world.h"

static void acct_word(char *text, struct acct_word *ret) {
        char *equals = strchr(text, '=');

        *ret = (struct acct_word){ "", text, '=' };
        if (!equals)
                return;
        bool list = equals > text && (equals[-1] == '+' || equals[-1] == '-');
        *ret = (struct acct_word){ text, equals + 1, list ? equals[-1] : '=' };
        equals[list ? -1 : 0] = 0;
}

static int index_of(const char *const *list, size_t n, const char *word) {
        for (size_t i = 0; i < n; i++)
                if (streq(list[i], word))
                        return (int)i;
        return -EINVAL;
}

int world_sacctmgr(struct world *w, char **words, size_t n, struct fail *fail) {
        static const char *const verbs[] = { "add", "modify", "delete" }, *const entities[] = {
                "qos",
                "account",
                "user",
                "assoc",
                "cluster",
                "coordinator",
        };
        struct acct_word list[2][16];
        size_t count[2] = { 0 };
        int verb = index_of(verbs, ELEMENTSOF(verbs), words[0]),
            entity = index_of(entities, ELEMENTSOF(entities), words[1]);
        int at = verb == ACCT_ADD;
        _cleanup_free_ char *text = NULL;

        if (verb < 0 || entity < 0)
                return fail_set(fail, -ENOSYS, "sacctmgr has no %s %s", words[0], words[1]);
        for (size_t i = 2; i < n && count[at] < ELEMENTSOF(list[0]); i++) {
                if (streq(words[i], "set"))
                        at = 1;
                else
                        acct_word(words[i], &list[at][count[at]++]);
        }
        const struct acct_request req = { .verb = (enum acct_verb)verb,
                .entity = (enum acct_entity)entity,
                .where = list[0],
                .n_where = count[0],
                .set = list[1],
                .n_set = count[1],
                .user = "root",
                .level = ADMIN_ADMINISTRATOR,
                .commit = true };
        int r = acct_change(w->c, &req, &text, fail);
        acct_clean(&w->c->acct);
        return r;
}

int world_sacctmgr_line(struct world *w, const char *line, struct fail *fail) {
        _cleanup_free_ char *copy = xstrdup(line);
        char *words[20], *rest = NULL;
        size_t n = 0;

        for (char *word = strtok_r(copy, " ", &rest); word && n < ELEMENTSOF(words);
                        word = strtok_r(NULL, " ", &rest))
                words[n++] = word;
        return world_sacctmgr(w, words, n, fail);
}
