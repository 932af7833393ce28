/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of log levels, also read by commands, which have no log. */
#include "lib/log.h"

#include <strings.h>

static const struct {
        const char *word;
        int level;
} levels[] = {
        /* Slurm's names; the index is Slurm's number */
        { "quiet", LOG_EMERG },
        { "fatal", LOG_CRIT },
        { "error", LOG_ERR },
        { "info", LOG_INFO },
        { "verbose", LOG_INFO },
        { "debug", LOG_DEBUG },
        { "debug2", LOG_DEBUG },
        { "debug3", LOG_DEBUG },
        { "debug4", LOG_DEBUG },
        { "debug5", LOG_DEBUG },
};

int log_level_parse(const char *text) {
        if (text[0] >= '0' && text[0] <= '9' && text[1] == 0)
                return levels[text[0] - '0'].level;
        for (size_t i = 0; i < ELEMENTSOF(levels); i++)
                if (strcasecmp(text, levels[i].word) == 0)
                        return levels[i].level;
        return -EINVAL;
}
