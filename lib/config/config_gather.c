/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JobAcctGatherParams=OverMemoryKill (formerly MemLimitEnforce), with two keys for method and
   interval. Usage of steps is measured without these keys. */
#include "lib/config/config_private.h"
#include "lib/timetext.h"

#define EVERY_MAX 86400 /* s */

static int bad_frequency(const struct config *config, struct fail *fail) {
        return fail_set(fail, -EINVAL,
                        "JobAcctGatherFrequency: \"%.100s\" is neither a number of seconds up to %d nor task=SECONDS,...",
                        config->gather_frequency, EVERY_MAX);
}

/* Reads the interval of tasks; 30 s if not given. */
static int read_frequency(struct config *config, usec_t *ret, struct fail *fail) {
        uint64_t seconds = 30;

        if (sampling_parse(strempty(config->gather_frequency), EVERY_MAX, &seconds) < 0)
                return bad_frequency(config, fail);
        *ret = seconds * USEC_PER_SEC;
        return 0;
}

int config_gather(struct config *config, struct fail *fail) {
        const char *type = isempty(config->gather_type) ? "jobacct_gather/none"
                                                        : config->gather_type;
        bool none = strcasecmp(type, "jobacct_gather/none") == 0,
             wanted = config->mem_limit_enforce ||
                      option_has(config->gather_params, "OverMemoryKill");
        usec_t every = 0;

        if (!word_in(type, "jobacct_gather/none|jobacct_gather/linux|jobacct_gather/cgroup"))
                return fail_set(fail, -EINVAL,
                                "JobAcctGatherType: \"%.100s\" is not one of jobacct_gather/none, /linux and /cgroup",
                                type);
        int r = read_frequency(config, &every, fail);
        if (r < 0)
                return r;
        if (wanted && (none || every == 0))
                config_warn(config, config->path, 0, "%s does nothing with %s",
                                config->mem_limit_enforce ? "MemLimitEnforce"
                                                          : "JobAcctGatherParams=OverMemoryKill",
                                none ? "JobAcctGatherType=jobacct_gather/none"
                                     : "JobAcctGatherFrequency=0");
        config->memory_watch = wanted && !none ? every : 0;
        config->memory_watched = option_has(config->gather_params, "UsePss")     ? MEMORY_PSS
                                 : option_has(config->gather_params, "NoShared") ? MEMORY_OWN
                                                                                 : MEMORY_RSS;
        return 0;
}

bool config_gather_allows(usec_t memory_watch, uint32_t seconds) {
        return seconds == 0 || memory_watch == 0 || seconds * USEC_PER_SEC <= memory_watch;
}
