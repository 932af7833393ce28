/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of options as shown by sbatch, srun and salloc -v: a single form for options with
   several spellings. */
#include "commands/jobspec/jobspec_rows.h"
#include "lib/timetext.h"

static char *exclusive(const char *value) {
        return value ? NULL : xstrdup("exclusive");
}

static char *gres(const char *value) {
        return strchr(value, '/') || strncmp(value, "gres:", 5) == 0 ? NULL
                                                                     : xasprintf("gres:%s", value);
}

static char *limit(const char *value) {
        char buf[TIMETEXT_MAX];
        usec_t time;

        return limit_parse(value, &time, NULL) < 0
                               ? NULL
                               : xstrdup(duration_text(time ? time : NO_LIMIT, buf));
}

static char *moment(const char *value) {
        char buf[TIMETEXT_MAX];
        usec_t time;

        return time_parse(value, now_realtime(), &time, NULL) < 0
                               ? NULL
                               : xstrdup(time_text(time, NULL, buf));
}

static char *nice_number(const char *value) {
        return value ? NULL : xasprintf("%d", NICE_DEFAULT);
}

/* Only the first letter matters. */
static char *open_mode(const char *value) {
        return xasprintf("%c", *value);
}

/* Formats "2@10" (minutes). */
static char *switches(const char *value) {
        const char *at = strchr(value, '@');
        _cleanup_free_ char *count = xstrndup(value, strcspn(value, "@")),
                            *wait = at ? limit(at + 1) : NULL;

        return wait ? xasprintf("%s@%s", count, wait) : NULL;
}

const struct option_shown job_options_shown[] = {
        { "begin", moment },
        { "deadline", moment },
        { "exclusive", exclusive },
        { "gres", gres },
        { "nice", nice_number },
        { "open-mode", open_mode },
        { "switches", switches },
        { "time", limit },
        { "time-min", limit },
};
const size_t n_job_options_shown = ELEMENTSOF(job_options_shown);
