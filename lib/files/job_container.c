/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/files/job_container.h"

#include "lib/files/lines.h"

#include <strings.h>

#define DIRS_DEFAULT "/tmp,/dev/shm"

static const char *const missing[] = {
        "CloneNSEpilog",
        "CloneNSEpilog_Wait",
        "CloneNSScript",
        "CloneNSScript_Wait",
};

static int parse_switch(const char *key, const char *value, bool *ret, struct fail *fail) {
        if (word_in(value, "true|yes|1")) {
                *ret = true;
        } else if (word_in(value, "false|no|0")) {
                *ret = false;
        } else {
                return fail_set(fail, -EINVAL, "%s=%.100s: true or false was expected", key, value);
        }
        return 0;
}

/* True for an absolute path without "//", "." and "..". */
static bool is_path(const char *path, size_t n) {
        _cleanup_free_ char *whole = xasprintf("%.*s/", (int)n, path);

        return n > 1 && *path == '/' && !strstr(whole, "//") && !strstr(whole, "/./") &&
               !strstr(whole, "/../");
}

static int parse_dirs(const char *value, struct fail *fail) {
        for (const char *p = value;; p++) {
                size_t n = strcspn(p, ",");
                if (!is_path(p, n))
                        return fail_set(fail, -EINVAL,
                                        "Dirs=%.200s: absolute paths by commas were expected",
                                        value);
                p += n;
                if (!*p)
                        return 0;
        }
}

static bool path_is_below(const char *path, const char *folder) {
        size_t n = strlen(folder);

        return strncmp(path, folder, n) == 0 && (path[n] == 0 || path[n] == '/');
}

static int parse_base(const char *value, struct fail *fail) {
        if (strcasecmp(value, "none") == 0)
                return 0;
        if (!is_path(value, strlen(value)))
                return fail_set(fail, -EINVAL, "BasePath=%.200s is not an absolute path", value);
        for (const char *p = strchr(value, '%'); p; p = strchr(p + 1, '%'))
                if (p[1] != 'n')
                        return fail_set(fail, -EINVAL,
                                        "BasePath=%.200s: %%n is the only pattern that is known",
                                        value);
        if (streq(value, "/tmp") || path_is_below(value, "/dev/shm"))
                return fail_set(fail, -EINVAL, "BasePath=%.200s cannot be among what is private",
                                value);
        return 0;
}

static int container_take_nodes(struct job_container *c, const char *value, struct fail *fail) {
        hostlist_free(TAKE(c->nodes));
        return hostlist_parse(value, &c->nodes, fail);
}

static int container_take_word(struct job_container *c, const struct config_word *w,
                struct fail *fail) {
        const char *key = w->key, *value = strempty(w->value);
        bool entire = false;
        int r = 0;

        for (size_t i = 0; i < ELEMENTSOF(missing); i++)
                if (strcasecmp(key, missing[i]) == 0)
                        return fail_set(fail, -EOPNOTSUPP, "%s is not implemented by Slumber",
                                        missing[i]);
        if (strcasecmp(key, "NodeName") == 0)
                return container_take_nodes(c, value, fail);
        if (strcasecmp(key, "EntireStepInNS") == 0) {
                r = parse_switch("EntireStepInNS", value, &entire, fail);
                return entire ? fail_set(fail, -EOPNOTSUPP,
                                                "EntireStepInNS is not implemented by Slumber")
                              : r;
        }
        if (strcasecmp(key, "AutoBasePath") == 0) {
                c->auto_base_said = true;
                return parse_switch("AutoBasePath", value, &c->auto_base, fail);
        }
        if (strcasecmp(key, "Shared") == 0) {
                c->shared_said = true;
                return parse_switch("Shared", value, &c->shared, fail);
        }
        if (strcasecmp(key, "BasePath") == 0) {
                free_and_strdup(&c->base, value);
                return parse_base(value, fail);
        }
        if (strcasecmp(key, "Dirs") == 0) {
                free_and_strdup(&c->dirs, value);
                return parse_dirs(value, fail);
        }
        if (strcasecmp(key, "InitScript") == 0) {
                free_and_strdup(&c->init_script, value);
                return is_path(value, strlen(value))
                                       ? 0
                                       : fail_set(fail, -EINVAL,
                                                         "InitScript=%.200s is not an absolute path",
                                                         value);
        }
        return fail_set(fail, -EINVAL, "%.100s: job_container.conf has no such key", key);
}

static int container_on_line(struct config_line *line, void *user, struct fail *fail) {
        struct job_containers *all = user;

        all->list = xrenew(all->list, all->n + 1);
        struct job_container *c = &all->list[all->n++];
        *c = (struct job_container){ 0 };
        for (size_t i = 0; i < line->n; i++) {
                int r = container_take_word(c, &line->words[i], fail);
                if (r < 0)
                        return fail_prefix(fail, r, "%s line %u", line->file, line->words[i].line);
        }
        return 0;
}

int job_containers_parse(const char *name, const char *text, size_t size,
                struct job_containers **ret, struct fail *fail) {
        _cleanup_(job_containers_freep) struct job_containers *c = xnew0(struct job_containers, 1);
        bool base = false;

        int r = config_lines(name, NULL, text, size, container_on_line, c, fail);
        if (r < 0)
                return r;
        for (size_t i = 0; i < c->n; i++)
                base |= c->list[i].base != NULL;
        if (!base)
                return fail_set(fail, -EINVAL, "%s has no BasePath", name);
        *ret = TAKE(c);
        return 0;
}

int job_containers_read(const char *path, struct job_containers **ret, struct fail *fail) {
        _cleanup_free_ char *text = NULL;
        size_t size;
        int r = config_load(path, &text, &size, fail);

        return r < 0 ? r : job_containers_parse(path, text, size, ret, fail);
}

struct job_containers *job_containers_free(struct job_containers *c) {
        if (!c)
                return NULL;
        for (size_t i = 0; i < c->n; i++) {
                hostlist_free(c->list[i].nodes);
                free(c->list[i].base);
                free(c->list[i].dirs);
                free(c->list[i].init_script);
        }
        free(c->list);
        free(c);
        return NULL;
}

/* Expands %n in "/local/%n". */
static char *base_path_expand(const char *base, const char *node) {
        char *text = xstrdup("");

        for (const char *p = base; *p; p++) {
                _cleanup_free_ char *before = text;
                bool name = p[0] == '%' && p[1] == 'n';
                text = name ? xasprintf("%s%s", before, node) : xasprintf("%s%c", before, *p);
                p += name;
        }
        return text;
}

static void container_override(struct node_container *to, const char **base,
                const struct job_container *c) {
        *base = c->base ? c->base : *base;
        to->dirs = c->dirs ? c->dirs : to->dirs;
        to->init_script = c->init_script ? c->init_script : to->init_script;
        to->auto_base = c->auto_base_said ? c->auto_base : to->auto_base;
        to->shared = c->shared_said ? c->shared : to->shared;
}

struct node_container job_containers_of(const struct job_containers *c, const char *node) {
        struct node_container of = { .dirs = DIRS_DEFAULT };
        const char *base = NULL;

        for (int own = 0; c && own < 2; own++) /* lines for all nodes first */
                for (size_t i = 0; i < c->n; i++)
                        if ((c->list[i].nodes != NULL) == own &&
                                        (!own || hostlist_has(c->list[i].nodes, node)))
                                container_override(&of, &base, &c->list[i]);
        if (base && strcasecmp(base, "none") != 0)
                of.base = base_path_expand(base, node);
        return of;
}
