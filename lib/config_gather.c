/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JobAcctGatherParams=OverMemoryKill and the two keys that say how and how often.  What steps use is counted without them. */
#include "lib/config_private.h"

#include <stdlib.h>

#define EVERY_MAX 86400 /* s */

static int bad_frequency(const struct config *config, struct fail *fail) {
        return fail_set(fail, -EINVAL, "JobAcctGatherFrequency: \"%.100s\" is neither a number of seconds up to %d nor task=SECONDS,...",
                        config->gather_frequency, EVERY_MAX);
}

/* "30", "task=30,energy=60": of the tasks, 30 where only others are named. */
static int read_frequency(struct config *config, usec_t *ret, struct fail *fail) {
        _cleanup_free_ char *copy = xstrdup(strempty(config->gather_frequency));
        unsigned long seconds = 30;
        char *rest = NULL;

        for (char *w = strtok_r(copy, ",", &rest); w; w = strtok_r(NULL, ",", &rest)) {
                char *end, *value = strchr(w, '=');
                if (value)
                        *value++ = 0;
                if (value && !word_in(w, "task|energy|network|filesystem"))
                        return bad_frequency(config, fail);
                const char *number = value ? value : w;
                errno = 0;
                unsigned long n = strtoul(number, &end, 10);
                if (*number < '0' || *number > '9' || *end || errno || n > EVERY_MAX)
                        return bad_frequency(config, fail);
                if (!value || strcasecmp(w, "task") == 0)
                        seconds = n;
        }
        *ret = seconds * USEC_PER_SEC;
        return 0;
}

int config_gather(struct config *config, struct fail *fail) {
        const char *type = isempty(config->gather_type) ? "jobacct_gather/none" : config->gather_type;
        bool none = strcasecmp(type, "jobacct_gather/none") == 0, wanted = option_has(config->gather_params, "OverMemoryKill");
        usec_t every = 0;

        if (!word_in(type, "jobacct_gather/none|jobacct_gather/linux|jobacct_gather/cgroup"))
                return fail_set(fail, -EINVAL, "JobAcctGatherType: \"%.100s\" is not one of jobacct_gather/none, /linux and /cgroup", type);
        int r = read_frequency(config, &every, fail);
        if (r < 0)
                return r;
        if (wanted && (none || every == 0))
                config_warn(config, config->path, 0, "JobAcctGatherParams=OverMemoryKill does nothing with %s",
                                none ? "JobAcctGatherType=jobacct_gather/none" : "JobAcctGatherFrequency=0");
        config->memory_watch = wanted && !none ? every : 0;
        config->memory_watched = option_has(config->gather_params, "UsePss")     ? MEMORY_PSS
                                 : option_has(config->gather_params, "NoShared") ? MEMORY_OWN
                                                                                 : MEMORY_RSS;
        return 0;
}
