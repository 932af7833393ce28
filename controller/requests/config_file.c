/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scontrol write config: the configuration in force as a slurm.conf, written by the command with
 * the rights of its caller. The text has no more than show config, show node and show partition,
 * except passwords, which only administrators get. */
#include "controller/loop/caller.h"
#include "controller/loop/controller.h"

#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/wall_clock.h"
#include "controller/orders/config_now.h"
#include "controller/orders/viewer.h"
#include "controller/requests/handlers.h"
#include "lib/log.h"
#include "lib/timetext.h"

#include <syslog.h>

/* Returns the word of scontrol setdebug for a log level; NULL if none. */
static const char *debug_word(int level) {
        static const char *const words[] = { [LOG_EMERG] = "quiet",
                [LOG_CRIT] = "fatal",
                [LOG_ERR] = "error",
                [LOG_INFO] = "info",
                [LOG_DEBUG] = "debug" };

        return level >= 0 && (size_t)level < ELEMENTSOF(words) ? words[level] : NULL;
}

void handle_config_file(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const struct config *config = ctl->cluster->config;
        Slumber__ConfigFile m = SLUMBER__CONFIG_FILE__INIT;
        const struct viewer viewer = viewer_of(ctl, caller);
        char at[TIMETEXT_MAX];

        (void)env;
        if (!viewer_sees_nodes(&viewer) || !viewer_sees_partitions(&viewer)) {
                reply_result(ctl, &caller->from, SLUMBER_ACCESS_DENIED, NULL);
                return;
        }
        _cleanup_free_ char *heading = xasprintf(
                        "%s: slumberctld %s of cluster %s had this in force at %s", config->path,
                        SLUMBER_VERSION, config->cluster_name,
                        time_text(controller_now(ctl), "standard", at));
        _cleanup_free_ char *text = cluster_config_text(ctl->cluster,
                        &(struct config_asked){ heading,
                                        ctl->usual_log_level ? debug_word(log_level()) : NULL,
                                        caller->super });
        m.text = text;
        m.path = config->path;
        m.secret = caller->super;
        ENVELOPE(reply, CONFIG_FILE, config_file, &m);
        reply_now(&caller->from, &reply);
}
