/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pam/adopt_options.h"

#include <strings.h>
#include <syslog.h>

struct word {
        const char *word;
        int value;
};

static const struct word no_jobs[] = { { "deny", ADOPT_DENY }, { "ignore", ADOPT_IGNORE }, { 0 } };
static const struct word unknown[] = { { "newest", ADOPT_NEWEST }, { "allow", ADOPT_ALLOW },
        { "deny", ADOPT_DENY }, { 0 } };
static const struct word failure[] = { { "allow", ADOPT_ALLOW }, { "deny", ADOPT_DENY }, { 0 } };
static const struct word generic[] = { { "ignore", ADOPT_IGNORE }, { "allow", ADOPT_ALLOW },
        { "deny", ADOPT_DENY }, { 0 } };
/* Slurm's names. */
static const struct word levels[] = { { "quiet", -1 }, { "fatal", LOG_CRIT }, { "error", LOG_ERR },
        { "info", LOG_INFO }, { "verbose", LOG_INFO }, { "debug", LOG_DEBUG },
        { "debug2", LOG_DEBUG }, { "debug3", LOG_DEBUG }, { "debug4", LOG_DEBUG },
        { "debug5", LOG_DEBUG }, { 0 } };
static const struct word x11[] = { { "0", 0 }, { "1", 1 }, { 0 } };

static const struct word yes_no[] = { { "true", 1 }, { "false", 0 }, { 0 } };

#define AT(field) offsetof(struct adopt_options, field)

static const struct {
        const char *name;
        const struct word *words; /* NULL: any non-empty text */
        size_t at;
} rows[] = {
        { "action_no_jobs", no_jobs, AT(no_jobs) },
        { "action_unknown", unknown, AT(unknown) },
        { "action_adopt_failure", failure, AT(adopt_failure) },
        { "action_generic_failure", generic, AT(generic_failure) },
        { "disable_x11", x11, AT(no_x11) },
        { "join_container", yes_no, AT(join_container) },
        { "log_level", levels, AT(log_level) },
        { "nodename", NULL, AT(nodename) },
        { "service", NULL, AT(service) },
        { "socket", NULL, AT(socket) },
};

static int option_word_expected(const char *option, const struct word *words, struct fail *fail) {
        char text[160] = "";

        for (const struct word *w = words; w->word; w++)
                snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s",
                                w == words ? "" : ", ", w->word);
        return fail_set(fail, -EINVAL, "option \"%.100s\": one of %s was expected", option, text);
}

static int adopt_option_parse(const char *option, struct adopt_options *ret, struct fail *fail) {
        size_t n = strcspn(option, "="), i = 0;
        const char *value = option[n] ? option + n + 1 : "";

        while (i < ELEMENTSOF(rows) &&
                        (strlen(rows[i].name) != n || strncasecmp(rows[i].name, option, n) != 0))
                i++;
        if (i == ELEMENTSOF(rows))
                return fail_set(fail, -EINVAL, "there is no option \"%.100s\"", option);
        if (!rows[i].words && !*value)
                return fail_set(fail, -EINVAL, "option \"%.100s\" has no value", option);
        void *to = (char *)ret + rows[i].at;
        if (!rows[i].words) {
                memcpy(to, &value, sizeof value);
                return 0;
        }
        for (const struct word *w = rows[i].words; w->word; w++)
                if (strcasecmp(w->word, value) == 0) {
                        memcpy(to, &w->value, sizeof w->value);
                        return 0;
                }
        return option_word_expected(option, rows[i].words, fail);
}

int adopt_options_parse(int argc, const char **argv, struct adopt_options *ret, struct fail *fail) {
        *ret = (struct adopt_options){
                .no_jobs = ADOPT_DENY,
                .unknown = ADOPT_NEWEST,
                .adopt_failure = ADOPT_DENY,
                .generic_failure = ADOPT_DENY,
                .join_container = 1,
                .log_level = LOG_INFO,
                .service = "sshd",
        };
        for (int i = 0; i < argc; i++) {
                int r = adopt_option_parse(argv[i], ret, fail);
                if (r < 0)
                        return r;
        }
        return 0;
}
