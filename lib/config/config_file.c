/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which files the configuration is, and their bytes. */
#include "lib/config/config_private.h"

#include <fcntl.h>
#include <sys/stat.h>

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
                /* where there is none, ours is expected */
                path = path_is_there(own) || !path_is_there(slurms) ? own : slurms;
        return config_absolute(path);
}

char *config_beside(const struct config *config, const char *name) {
        _cleanup_free_ char *folder = config_folder(config->path);

        return xasprintf("%s/%s", folder, name);
}

char *config_folder(const char *path) {
        const char *slash = strrchr(path, '/');

        if (!slash)
                return xstrdup(".");
        return xstrndup(path, slash == path ? 1 : (size_t)(slash - path));
}

int config_load(const char *path, char **ret, size_t *ret_size, struct fail *fail) {
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        _cleanup_free_ char *text = NULL;
        struct stat st;
        size_t used = 0;
        ssize_t n = 1;

        /* A file may be missing, but a dangling link is an error. */
        if (fd < 0 && errno == ENOENT && path_is_there(path))
                return fail_set(fail, -ELOOP, "%s: a link to a file that is not there", path);
        if (fd < 0 || fstat(fd, &st) < 0) {
                int r = -errno;
                return fail_set(fail, r, "%s: %s", path, strerror(-r));
        }
        if (!S_ISREG(st.st_mode))
                return fail_set(fail, -EINVAL, "%s: not a regular file", path);
        if (st.st_size > (off_t)CONFIG_SIZE_MAX)
                return fail_set(fail, -EFBIG, "%s: larger than %zu bytes", path, CONFIG_SIZE_MAX);
        text = xmalloc((size_t)st.st_size + 1);
        while (n > 0 && used < (size_t)st.st_size) {
                n = read(fd, text + used, (size_t)st.st_size - used);
                if (n < 0 && errno != EINTR) {
                        int r = -errno;
                        return fail_set(fail, r, "%s: %s", path, strerror(-r));
                }
                used += n > 0 ? (size_t)n : 0;
        }
        text[used] = 0;
        *ret = TAKE(text);
        *ret_size = used;
        return 0;
}
