/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TaskPlugin, TaskPluginParam: are tasks bound to CPUs, and to which where srun does not say. */
#include "lib/config/config_private.h"

static const char *const units[] = { "none", "threads", "cores", "sockets" };

static const char *unit_of(const char *word) {
        for (size_t i = 0; i < ELEMENTSOF(units); i++)
                if (strcasecmp(word, units[i]) == 0)
                        return units[i];
        return NULL;
}

static int take_param(struct config_task *task, const char *word, struct fail *fail) {
        bool autobind = strncasecmp(word, "autobind=", 9) == 0;
        const char *unit = unit_of(autobind ? word + 9 : word);

        if (strcasecmp(word, "verbose") == 0)
                task->verbose = true;
        else if (strcasecmp(word, "SlurmdOffSpec") == 0)
                task->off_spec = true;
        else if (unit && autobind)
                task->autobind = unit;
        else if (unit && *task->bind)
                return fail_set(fail, -EINVAL,
                                "TaskPluginParam: \"%s\" and \"%s\" exclude each other", task->bind,
                                unit);
        else if (unit)
                task->bind = unit;
        else if (!word_in(word, TASK_OTHER_WORDS))
                return fail_set(fail, -EINVAL,
                                "TaskPluginParam: \"%.100s\" is none of none, threads, cores, "
                                "sockets, verbose and autobind=none|threads|cores|sockets",
                                word);
        return 0;
}

int config_task(struct config *config, struct fail *fail) {
        _cleanup_free_ char *copy = xstrdup(strempty(config->task_params));
        struct config_task *task = &config->task;
        char *rest = NULL;

        *task = (struct config_task){ .bind = "", .autobind = "" };
        task->affinity = option_has(config->task_plugin, "task/affinity") ||
                         option_has(config->task_plugin, "affinity");
        if (strcasecmp(copy, TASK_PARAMS_NONE) == 0)
                return 0;
        for (char *w = strtok_r(copy, ", ", &rest); w; w = strtok_r(NULL, ", ", &rest)) {
                int r = take_param(task, w, fail);
                if (r < 0)
                        return r;
        }
        if (!task->affinity && (task->verbose || *task->bind || *task->autobind))
                config_warn(config, config->path, 0,
                                "TaskPluginParam=%s does nothing without TaskPlugin=task/affinity",
                                config->task_params);
        return 0;
}
