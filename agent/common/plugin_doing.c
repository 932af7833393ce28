/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/common/plugin_doing.h"

#include "lib/plugins/spank.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>

static char *path_in(const char *folder) {
        return xasprintf("%s/plugin", folder);
}

struct spank_doing *plugin_doing_make(const char *folder) {
        _cleanup_free_ char *path = path_in(folder);
        _cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
                        0600);

        /* writing to a hole would raise SIGBUS when the disk is full */
        if (fd < 0 || posix_fallocate(fd, 0, sizeof(struct spank_doing)) != 0)
                return NULL;
        void *p = mmap(NULL, sizeof(struct spank_doing), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        return p == MAP_FAILED ? NULL : p;
}

/* Reads the file; false: no callback runs or ran. */
static bool doing_read(const char *folder, struct spank_doing *ret) {
        _cleanup_free_ char *path = path_in(folder);
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

        if (fd < 0 || read(fd, ret, sizeof *ret) != (ssize_t)sizeof *ret)
                return false;
        ret->text[sizeof ret->text - 1] = 0;
        return ret->text[0];
}

char *plugin_doing_text(const char *folder) {
        struct spank_doing d;

        if (!doing_read(folder, &d))
                return NULL;
        if (d.signal)
                return xasprintf("%s crashed (signal %d)", d.text, d.signal);
        return xasprintf("%s has ended the step daemon, or was ended with it", d.text);
}

bool plugin_doing_kill(const char *folder) {
        struct spank_doing d;

        return doing_read(folder, &d) && d.pid > 1 && kill(d.pid, SIGKILL) == 0;
}
