/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TaskPlugin, TaskPluginParam: binding of tasks to CPUs, with defaults for srun. CpuFreqDef,
 * CpuFreqGovernors: CPU frequencies. MpiParams: ports of steps. */
#include "lib/config/config_private.h"

#include "lib/step/cpufreq.h"
#include "lib/timetext.h"
#include "lib/wordlist.h"

static const char *const units[] = { "none", "threads", "cores", "sockets" };

static const char *binding_unit(const char *word) {
        for (size_t i = 0; i < ELEMENTSOF(units); i++)
                if (strcasecmp(word, units[i]) == 0)
                        return units[i];
        return NULL;
}

/* Reads a word of TaskPluginParam; config_guards() refuses unknown words. */
static int take_param(struct config_task *task, const char *word, struct fail *fail) {
        bool autobind = strncasecmp(word, "autobind=", 9) == 0;
        const char *unit = binding_unit(autobind ? word + 9 : word);

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
        else if (autobind || strcasecmp(word, "autobind") == 0)
                return fail_set(fail, -EINVAL,
                                "TaskPluginParam: \"%.100s\" is none of autobind=none|threads|cores|sockets",
                                word);
        return 0;
}

int config_task(struct config *config, struct fail *fail) {
        struct config_task *task = &config->task;

        *task = (struct config_task){ .bind = "", .autobind = "" };
        task->affinity = option_has(config->task_plugin, "task/affinity") ||
                         option_has(config->task_plugin, "affinity");
        if (strcasecmp(strempty(config->task_params), TASK_PARAMS_NONE) == 0)
                return 0;
        for_each_word(w, config->task_params, ", ") {
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

int config_cpu_freq(struct config *config, struct fail *fail) {
        struct cpu_freq f;
        int r = cpu_governors_parse(config->cpu_freq_governors, &config->cpu_governors, fail);

        if (r < 0)
                return fail_prefix(fail, r, "CpuFreqGovernors=%.100s", config->cpu_freq_governors);
        if (isempty(config->cpu_freq_def) || strcasecmp(config->cpu_freq_def, "Unknown") == 0)
                return 0; /* not a frequency */
        r = cpu_freq_parse(config->cpu_freq_def, &f, fail);
        if (r >= 0 && f.min)
                r = fail_set(fail, -EINVAL, "a frequency or a governor was expected, no range");
        return r < 0 ? fail_prefix(fail, r, "CpuFreqDef=%.100s", config->cpu_freq_def) : 0;
}

static int take_ports(struct config *config, char *range, struct fail *fail) {
        char *last = range, *first = strsep(&last, "-");
        uint64_t from, to;

        if (!last || uint_parse(first, 1, UINT16_MAX, &from) < 0 ||
                        uint_parse(last, from, UINT16_MAX, &to) < 0)
                return fail_set(fail, -EINVAL,
                                "MpiParams=%.100s: ports=A-B was expected, A and B from 1 to 65535 "
                                "and A no more than B",
                                config->mpi_params);
        config->ports_first = (uint32_t)from;
        config->ports_last = (uint32_t)to;
        return 0;
}

int config_mpi(struct config *config, struct fail *fail) {
        for_each_word(w, config->mpi_params, ", ") {
                int r = strncasecmp(w, "ports=", 6) == 0 ? take_ports(config, w + 6, fail) : 0;
                if (r < 0)
                        return r;
        }
        if (config->ports_first && option_has(config->slurmctld_parameters, "enable_stepmgr"))
                config_warn(config, config->path, 0,
                                "SlurmctldParameters=enable_stepmgr has no effect with "
                                "MpiParams=ports=, as the ports of all steps are dealt by "
                                "slumberctld: it makes the steps of all jobs");
        return 0;
}
