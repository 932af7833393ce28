/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/programs/mail_environment.h"

#include "controller/records/hook_env.h"

struct environment *mail_environment(const struct cluster *c, const struct job *j,
                const char *type) {
        struct environment *e = environment_new();

        environment_set(e, "SLURM_JOB_MAIL_TYPE", "%s", type);
        hook_env_job(e, c, j);
        environment_default(e, "SLURM_JOB_ACCOUNT", "(null)");
        environment_set(e, "SLURM_JOB_NAME", "%s", strempty(j->asked.name));
        environment_set(e, "SLURM_JOB_GROUP", "%s", strempty(j->group));
        environment_set(e, "SLURM_JOB_STATE", "%s", job_state_text(j->state));
        hook_env_nodes(e, j);
        hook_env_array(e, j);
        return e;
}
