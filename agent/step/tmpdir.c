/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TMPDIR of a task: an existing folder, or /tmp. */
#include "agent/step/parts.h"

#include <stdarg.h>
#include <sys/stat.h>

#define TMPDIR "TMPDIR"
#define USUAL  "/tmp"

static void tmpdir_complain(const struct step *s, const char *format, ...) _printf_(2, 3);
static void tmpdir_complain(const struct step *s, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        _cleanup_free_ char *text = xvasprintf(format, ap);
        va_end(ap);
        dprintf(STDERR_FILENO, "slurmstepd-%s: error: %s\n", s->spec->node, text);
}

static bool tmpdir_exists(const char *path) {
        struct stat st;

        return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

void task_make_tmpdir(struct step *s, bool first) {
        const char *path = environment_get(s->environment, TMPDIR);

        if (step_has_oci(s)) /* the container has its own /tmp */
                return;
        if (path && (mkdir(path, 0700) == 0 || (errno == EEXIST && tmpdir_exists(path))))
                return;
        if (path && first && errno == EEXIST)
                tmpdir_complain(s, TMPDIR " [%s] is not a directory", path);
        else if (path && first)
                tmpdir_complain(s, "Unable to create " TMPDIR " [%s]: %s", path, strerror(errno));
        if (path && first)
                tmpdir_complain(s, "Setting " TMPDIR " to " USUAL);
        environment_set(s->environment, TMPDIR, USUAL);
}
