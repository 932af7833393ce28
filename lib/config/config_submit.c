/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JobSubmitPlugins: rules for requests, in order; CliFilterPlugins, for commands. Unknown words are
 * guards (config_guards.c). */
#include "lib/cli_filter.h"
#include "lib/config/config_private.h"
#include "lib/wordlist.h"

static const char *const rules[] = {
        [SUBMIT_LUA] = "lua",
        [SUBMIT_ALL_PARTITIONS] = "all_partitions",
        [SUBMIT_REQUIRE_TIMELIMIT] = "require_timelimit",
        [SUBMIT_PARTITION] = "partition",
        [SUBMIT_THROTTLE] = "throttle",
        [SUBMIT_DEFAULTS] = "defaults",
};
_Static_assert(ELEMENTSOF(rules) == SUBMIT_RULES, "each rule has a name");

#define PREFIX      "job_submit/"
#define FILTER_PATH "cli_filter_lua_path="

static void add_rule(struct config *config, const char *word) {
        size_t skip = strncasecmp(word, PREFIX, strlen(PREFIX)) == 0 ? strlen(PREFIX) : 0;

        for (size_t i = 0; i < SUBMIT_RULES; i++) {
                bool there = config_submits_by(config, (enum submit_rule)i);
                if (word_in(word + skip, rules[i]) && !there)
                        config->submit_rules[config->n_submit_rules++] = (enum submit_rule)i;
        }
}

bool config_submits_by(const struct config *config, enum submit_rule rule) {
        for (size_t i = 0; i < config->n_submit_rules; i++)
                if (config->submit_rules[i] == rule)
                        return true;
        return false;
}

/* Returns the script of cli_filter/lua: CliFilterParameters=cli_filter_lua_path=PATH, or the
   default; NULL with fail: PATH is not absolute. */
static char *filter_script(const struct config *config, struct fail *fail) {
        _cleanup_free_ char *path = NULL;

        for_each_word(w, config->filter_params, ", ")
                if (strncasecmp(w, FILTER_PATH, strlen(FILTER_PATH)) == 0)
                        free_and_strdup(&path, w + strlen(FILTER_PATH));
        if (path && *path != '/') {
                fail_set(fail, -EINVAL,
                                "CliFilterParameters: " FILTER_PATH
                                "%.100s: an absolute path was expected",
                                path);
                return NULL;
        }
        return path ? TAKE(path) : config_beside(config, "cli_filter.lua");
}

static int set_filter(struct config *config, struct fail *fail) {
        _cleanup_free_ char *script = filter_script(config, fail);
        struct cli_filter filter = { 0 };

        if (!script)
                return -EINVAL;
        cli_filter_words(&filter, config->filter_text);
        free(config->filter);
        config->filter = cli_filter_text(&filter, strempty(config->cluster_name), script);
        return 0;
}

int config_submit(struct config *config, struct fail *fail) {
        int r = set_filter(config, fail);

        if (r < 0)
                return r;
        config->n_submit_rules = 0;
        for_each_word(w, config->submit_text, ", ")
                add_rule(config, w);
        r = option_uint(config->scheduler_parameters, "jobs_per_user_per_hour", UINT32_MAX - 1, 0,
                        &config->jobs_per_user_per_hour, fail);
        if (r < 0)
                return fail_prefix(fail, r, "SchedulerParameters");
        if (config_submits_by(config, SUBMIT_THROTTLE) && !config->jobs_per_user_per_hour)
                return fail_set(fail, -EINVAL,
                                "JobSubmitPlugins: throttle needs jobs_per_user_per_hour=NUMBER in SchedulerParameters");
        return 0;
}
