/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PrivateData: data hidden from other users. MCSPlugin and MCSParameters: jobs sharing nodes. */
#include "lib/config/config_private.h"

/* ---- PrivateData ---- */

static const struct {
        const char *word;
        unsigned bits;
} private_words[] = {
        /* Order of "scontrol show config". */
        { "accounts", PRIVATE_ACCOUNTS },
        { "cloud", PRIVATE_CLOUD },
        { "events", PRIVATE_EVENTS },
        { "jobs", PRIVATE_JOBS },
        { "nodes", PRIVATE_NODES },
        { "partitions", PRIVATE_PARTITIONS },
        { "reservations", PRIVATE_RESERVATIONS },
        { "usage", PRIVATE_USAGE },
        { "users", PRIVATE_USERS },
        { "all", PRIVATE_ALL },
        { "none", 0 },
};

static int take_private_word(struct config *config, const char *w, struct fail *fail) {
        for (size_t i = 0; i < ELEMENTSOF(private_words); i++)
                if (strcasecmp(private_words[i].word, w) == 0) {
                        config->private_data |= private_words[i].bits;
                        return 0;
                }
        return fail_set(fail, -EINVAL,
                        "PrivateData: \"%.100s\" is none of accounts, cloud, events, jobs, nodes, "
                        "partitions, reservations, usage, users, all and none",
                        w);
}

static char *private_text(unsigned bits) {
        char *text = xstrdup(bits ? "" : "none");

        for (size_t i = 0; bits && private_words[i].bits != PRIVATE_ALL; i++) {
                if (!(bits & private_words[i].bits))
                        continue;
                char *longer = xasprintf("%s%s%s", text, *text ? "," : "", private_words[i].word);
                free(text);
                text = longer;
        }
        return text;
}

static int check_private_data(struct config *config, struct fail *fail) {
        _cleanup_free_ char *copy = xstrdup(strempty(config->private_data_text));
        char *rest = NULL;

        config->private_data = 0;
        for (char *w = strtok_r(copy, ", ", &rest); w; w = strtok_r(NULL, ", ", &rest)) {
                int r = take_private_word(config, w, fail);
                if (r < 0)
                        return r;
        }
        free(config->private_data_text);
        config->private_data_text = private_text(config->private_data);
        return 0;
}

/* ---- MCS ---- */

static int take_mcs_word(struct config *config, const char *w, struct fail *fail) {
        if (!word_in(w, "ondemand|enforced|select|noselect|ondemandselect|privatedata|"
                        "noprivatedata"))
                return fail_set(fail, -EINVAL,
                                "MCSParameters: \"%.100s\" is not one of ondemand, enforced, "
                                "select, "
                                "noselect, ondemandselect, privatedata and noprivatedata",
                                w);
        if (word_in(w, "enforced"))
                config->mcs.enforced = true;
        else if (word_in(w, "select|noselect"))
                config->mcs.select = word_in(w, "select") ? MCS_SELECT : MCS_NO_SELECT;
        else if (word_in(w, "privatedata"))
                config->mcs.private_data = true;
        return 0;
}

/* "[ondemand|enforced][,select|noselect|ondemandselect][,privatedata|noprivatedata][:groups]" */
static int check_mcs(struct config *config, struct fail *fail) {
        static const char *const plugins[] = { "mcs/none", "mcs/user", "mcs/group", "mcs/account",
                "mcs/label" };
        const char *text = strempty(config->mcs_parameters), *colon = strchr(text, ':');
        _cleanup_free_ char *copy = xstrndup(text, colon ? (size_t)(colon - text) : strlen(text));
        char *rest = NULL;

        config->mcs.enforced = config->mcs.private_data = false;
        config->mcs.select = MCS_SELECT_ON_DEMAND;
        for (size_t i = 0; i < ELEMENTSOF(plugins); i++)
                if (word_in(config->mcs_plugin, plugins[i]))
                        config->mcs.plugin = (enum mcs_plugin)i;
        for (char *w = strtok_r(copy, ",", &rest); w; w = strtok_r(NULL, ",", &rest)) {
                int r = take_mcs_word(config, w, fail);
                if (r < 0)
                        return r;
        }
        if (config->mcs.enforced && config->mcs.plugin == MCS_NONE)
                return fail_set(fail, -EINVAL,
                                "MCSParameters: enforced goes with an MCSPlugin other than "
                                "mcs/none");
        /* without plugin no labels exist */
        config->mcs.private_data &= config->mcs.plugin != MCS_NONE;
        config->mcs.groups = colon ? colon + 1 : NULL;
        return 0;
}

int config_access(struct config *config, struct fail *fail) {
        int r = check_private_data(config, fail);

        return r < 0 ? r : check_mcs(config, fail);
}
