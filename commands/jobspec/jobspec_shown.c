/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of options as shown by sbatch, srun and salloc -v: a single form for options with
   several spellings. */
#include "commands/jobspec/jobspec_rows.h"
#include "lib/timetext.h"

static char *shown_exclusive(const char *value) {
        return value ? NULL : xstrdup("exclusive");
}

static char *shown_gres_list(const char *value) {
        return strchr(value, '/') || strncmp(value, "gres:", 5) == 0 ? NULL
                                                                     : xasprintf("gres:%s", value);
}

static char *shown_limit(const char *value) {
        char buf[TIMETEXT_MAX];
        usec_t time;

        return limit_parse(value, &time, NULL) < 0
                               ? NULL
                               : xstrdup(duration_text(time ? time : NO_LIMIT, buf));
}

static char *shown_time(const char *value) {
        char buf[TIMETEXT_MAX];
        usec_t time;

        return time_parse(value, now_realtime(), &time, NULL) < 0
                               ? NULL
                               : xstrdup(time_text(time, NULL, buf));
}

static char *shown_nice(const char *value) {
        return value ? NULL : xasprintf("%d", NICE_DEFAULT);
}

/* Only the first letter matters. */
static char *shown_open_mode(const char *value) {
        return xasprintf("%c", *value);
}

/* Formats "2@10" (minutes). */
static char *shown_switches(const char *value) {
        const char *at = strchr(value, '@');
        _cleanup_free_ char *count = xstrndup(value, strcspn(value, "@")),
                            *wait = at ? shown_limit(at + 1) : NULL;

        return wait ? xasprintf("%s@%s", count, wait) : NULL;
}

const struct option_shown job_options_shown[] = {
        { "begin", shown_time },
        { "deadline", shown_time },
        { "exclusive", shown_exclusive },
        { "gres", shown_gres_list },
        { "nice", shown_nice },
        { "open-mode", shown_open_mode },
        { "switches", shown_switches },
        { "time", shown_limit },
        { "time-min", shown_limit },
};
const size_t n_job_options_shown = ELEMENTSOF(job_options_shown);
