/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths of the configuration's files. */
#include "lib/config/config_private.h"

char *config_absolute(const char *path) {
        _cleanup_free_ char *here = *path == '/' ? NULL : getcwd(NULL, 0);

        path += strncmp(path, "./", 2) == 0 ? 2 : 0;
        return here ? xasprintf("%s/%s", streq(here, "/") ? "" : here, path) : xstrdup(path);
}

char *config_find(const char *path) {
        static const char own[] = "/etc/slumber/slurm.conf", slurms[] = "/etc/slurm/slurm.conf";

        if (isempty(path))
                path = getenv("SLURM_CONF");
        if (isempty(path))
                /* if neither exists, Slumber's path is used */
                path = path_is_there(own) || !path_is_there(slurms) ? own : slurms;
        return config_absolute(path);
}

char *config_beside(const struct config *config, const char *name) {
        _cleanup_free_ char *folder = config_folder(config->path);

        return xasprintf("%s/%s", folder, name);
}

struct peek {
        const char *key;
        char *value;
};

static int peek_line(struct config_line *line, void *userdata, struct fail *fail) {
        struct peek *p = userdata;

        for (size_t i = 0; i < line->n && !p->value; i++)
                if (strcasecmp(line->words[i].key, p->key) == 0)
                        p->value = xstrdup(line->words[i].value);
        return 0;
}

char *config_peek(const char *path, const char *key) {
        _cleanup_free_ char *dir = config_folder(path), *text = NULL;
        struct peek p = { .key = key };
        size_t size;

        if (config_load(path, &text, &size, NULL) == 0)
                (void)config_lines(path, dir, text, size, peek_line, &p, NULL);
        return p.value;
}
