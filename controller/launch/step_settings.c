/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/launch/step_settings.h"

#include "controller/accounts/qos.h"
#include "controller/model/partition.h"
#include "lib/config/config.h"

Slumber__StepSettings step_settings(const struct config *config) {
        Slumber__StepSettings m = SLUMBER__STEP_SETTINGS__INIT;
        const struct {
                char **to, *value;
        } texts[] = {
                { &m.mpi_default, config->mpi_default },
                { &m.srun_prolog, config->srun_prolog },
                { &m.srun_epilog, config->srun_epilog },
                { &m.cpu_freq_default, config->cpu_freq_def },
        };

        for (size_t i = 0; i < ELEMENTSOF(texts); i++)
                if (texts[i].value)
                        *texts[i].to = texts[i].value;
        m.cpu_governors = config->cpu_governors;
        m.no_rlimits = config->no_rlimits;
        m.default_gbytes = config->default_gbytes;
        m.kill_on_bad_exit = config->kill_on_bad_exit;
        m.append_output = config->job_file_append;
        m.block_sockets = config->select_params & (CR_SOCKET | CR_CORE_DEFAULT_DIST_BLOCK);
        m.pack = config->select_params & CR_PACK_NODES;
        m.containers = config->oci != NULL;
        m.max_tasks_per_node = config->max_tasks_per_node;
        m.memory_watch = config->memory_watch;
        m.kill_wait = (uint32_t)(config->kill_wait / USEC_PER_SEC);
        m.wait_time = (uint32_t)(config->wait_time / USEC_PER_SEC);
        return m;
}

struct step_job step_job_of(const struct job *j) {
        return (struct step_job){ j->partition ? j->partition->name : NULL,
                j->accounting.qos ? j->accounting.qos->name : j->asked.qos, j->asked.account,
                j->asked.reservation };
}
