/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PrivateData: data hidden from other users. MCSPlugin and MCSParameters: jobs sharing nodes. */
#include "lib/config/config_private.h"
#include "lib/wordlist.h"

/* ---- PrivateData ---- */

static const struct flag_word private_words[] = {
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

static char *private_text(unsigned bits) {
        /* without "all" and "none" behind the others */
        return bits ? flags_text(bits, private_words, ELEMENTSOF(private_words) - 2, ",")
                    : xstrdup("none");
}

static int check_private_data(struct config *config, struct fail *fail) {
        config->private_data = 0;
        int r = flags_parse(config->private_data_text, ", ", private_words,
                        ELEMENTSOF(private_words), &config->private_data, fail);
        if (r < 0)
                return fail_prefix(fail, r, "PrivateData");
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

        config->mcs.enforced = config->mcs.private_data = false;
        config->mcs.select = MCS_SELECT_ON_DEMAND;
        for (size_t i = 0; i < ELEMENTSOF(plugins); i++)
                if (word_in(config->mcs_plugin, plugins[i]))
                        config->mcs.plugin = (enum mcs_plugin)i;
        for_each_word(w, copy, ",") {
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
