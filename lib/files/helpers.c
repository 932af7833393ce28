/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/files/helpers.h"

#include "lib/files/lines.h"
#include "lib/timetext.h"

#include <strings.h>

#define EXEC_TIME    10   /* seconds, Slurm's default */
#define FEATURES_MAX 1024 /* lines of one file: one per image of a large site */

struct words {
        char *nodes, *features, *helper, *exclusive, *exec_time, *boot_time, *boot_user;
};

static int helpers_take_words(struct config_line *line, struct words *w, struct fail *fail) {
        const struct {
                const char *key;
                char **value;
        } keys[] = {
                { "NodeName", &w->nodes },
                { "Feature", &w->features },
                { "Helper", &w->helper },
                { "MutuallyExclusive", &w->exclusive },
                { "ExecTime", &w->exec_time },
                { "BootTime", &w->boot_time },
                { "AllowUserBoot", &w->boot_user },
        };

        for (size_t i = 0; i < line->n; i++) {
                size_t k = 0;
                while (k < ELEMENTSOF(keys) && strcasecmp(keys[k].key, line->words[i].key) != 0)
                        k++;
                if (k == ELEMENTSOF(keys))
                        return fail_set(fail, -EINVAL, "%.100s is not a key of helpers.conf",
                                        line->words[i].key);
                if (*keys[k].value)
                        return fail_set(fail, -EINVAL, "%s stands twice on the line", keys[k].key);
                *keys[k].value = line->words[i].value;
        }
        return 0;
}

static int add_feature(struct helpers *h, const char *name, size_t length, const struct words *w,
                struct fail *fail) {
        struct hostlist *nodes = NULL;

        if (length == 0)
                return fail_set(fail, -EINVAL, "Feature=%.100s: a name is missing", w->features);
        if (h->n == FEATURES_MAX)
                return fail_set(fail, -E2BIG, "more than %d features", FEATURES_MAX);
        int r = w->nodes ? hostlist_parse(w->nodes, &nodes, fail) : 0;
        if (r < 0)
                return fail_prefix(fail, r, "NodeName");
        h->list = xrenew(h->list, h->n + 1);
        h->list[h->n++] = (struct helper){ xstrndup(name, length), xstrdup(w->helper), nodes };
        return 0;
}

static int add_features(struct helpers *h, const struct words *w, struct fail *fail) {
        if (!w->helper)
                return fail_set(fail, -EINVAL, "Feature=%.100s has no Helper=", w->features);
        if (*w->helper != '/')
                return fail_set(fail, -EINVAL, "Helper=%.200s is not an absolute path", w->helper);
        for (const char *p = w->features;; p++) {
                size_t length = strcspn(p, ",");
                int r = add_feature(h, p, length, w, fail);
                if (r < 0)
                        return r;
                p += length;
                if (!*p)
                        return 0;
        }
}

static int helpers_take_line(struct helpers *h, struct config_line *line, struct fail *fail) {
        struct words w = { 0 };
        uint64_t seconds;
        int r = helpers_take_words(line, &w, fail);

        if (r < 0)
                return r;
        if (w.exec_time) {
                if (uint_parse(w.exec_time, 1, 3600, &seconds) < 0)
                        return fail_set(fail, -EINVAL,
                                        "ExecTime=%.100s: 1 to 3600 seconds were expected",
                                        w.exec_time);
                h->exec_time = seconds * USEC_PER_SEC;
        }
        if (w.boot_time && uint_parse(w.boot_time, 0, 3600 * 24, &seconds) < 0)
                return fail_set(fail, -EINVAL, "BootTime=%.100s is not a number of seconds",
                                w.boot_time);
        h->boot_time |= w.boot_time != NULL;
        if (w.boot_user)
                free_and_strdup(&h->allow_user_boot, w.boot_user);
        if (w.exclusive) {
                h->exclusive = xrenew(h->exclusive, h->n_exclusive + 1);
                h->exclusive[h->n_exclusive++] = xstrdup(w.exclusive);
        }
        if (!w.features && (w.nodes || w.helper))
                return fail_set(fail, -EINVAL,
                                "%s= stands without Feature=", w.nodes ? "NodeName" : "Helper");
        return w.features ? add_features(h, &w, fail) : 0;
}

static int helpers_on_line(struct config_line *line, void *user, struct fail *fail) {
        int r = helpers_take_line(user, line, fail);

        return r < 0 ? fail_prefix(fail, r, "%s line %u", line->file, line->words[0].line) : 0;
}

int helpers_parse(const char *name, const char *text, size_t size, struct helpers **ret,
                struct fail *fail) {
        _cleanup_(helpers_freep) struct helpers *h = xnew0(struct helpers, 1);

        h->exec_time = EXEC_TIME * USEC_PER_SEC;
        int r = config_lines(name, NULL, text, size, helpers_on_line, h, fail);
        if (r < 0)
                return r;
        *ret = TAKE(h);
        return 0;
}

int helpers_read(const char *path, struct helpers **ret, struct fail *fail) {
        _cleanup_free_ char *text = NULL;
        size_t size;
        int r = config_load(path, &text, &size, fail);

        return r < 0 ? r : helpers_parse(path, text, size, ret, fail);
}

struct helpers *helpers_free(struct helpers *h) {
        if (!h)
                return NULL;
        for (size_t i = 0; i < h->n; i++) {
                free(h->list[i].feature);
                free(h->list[i].program);
                hostlist_free(h->list[i].nodes);
        }
        texts_free(h->exclusive, h->n_exclusive);
        free(h->allow_user_boot);
        free(h->list);
        free(h);
        return NULL;
}

const struct helper *helpers_find(const struct helpers *h, const char *node, const char *feature,
                size_t length) {
        for (size_t i = 0; h && i < h->n; i++) {
                const struct helper *f = &h->list[i];
                if (strlen(f->feature) == length && memcmp(f->feature, feature, length) == 0 &&
                                (!f->nodes || hostlist_has(f->nodes, node)))
                        return f;
        }
        return NULL;
}

bool helpers_allow(const struct helpers *h, const char *user, uid_t uid) {
        char id[32];

        if (!h || !h->allow_user_boot)
                return h;
        snprintf(id, sizeof id, "%u", (unsigned)uid);
        for (const char *p = h->allow_user_boot; *p;) {
                size_t n = strcspn(p, ",");
                if ((strlen(strempty(user)) == n && n && strncmp(p, user, n) == 0) ||
                                (strlen(id) == n && strncmp(p, id, n) == 0))
                        return true;
                p += n + (p[n] == ',');
        }
        return false;
}
