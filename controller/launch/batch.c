/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches a batch script after reading the script from the store. A job with a step manager gets
 * the script launched by the step manager's node (step_manager.c). */
#include "controller/launch/batch.h"

#include "controller/indexes/array.h"
#include "controller/jobs/job_events.h"
#include "controller/launch/launch.h"
#include "controller/launch/step_manager.h"
#include "controller/loop/wall_clock.h"
#include "controller/model/abilities.h"
#include "lib/log.h"

struct batch {
        struct controller *ctl;
        uint32_t job, restarts;
};

/* spec borrows from j and script. */
static void fill_batch_spec(const struct config *config, const struct job *j,
                const Slumber__JobScript *script, Slumber__StepSpec *spec) {
        bool frequency = config->batch_sets_cpu_freq;
        const struct {
                char **to, *value;
        } texts[] = {
                { &spec->name, j->asked.name },
                { &spec->cpu_freq, frequency ? j->asked.cpu_freq : NULL },
                { &spec->cpu_freq_default, frequency ? config->cpu_freq_def : NULL },
                { &spec->work_dir, j->asked.work_dir },
                { &spec->std_in, j->asked.std_in },
                { &spec->std_out, j->asked.std_out },
                { &spec->std_err, j->asked.std_err },
                { &spec->container, j->asked.container },
        };

        for (size_t i = 0; i < ELEMENTSOF(texts); i++)
                if (texts[i].value)
                        *texts[i].to = texts[i].value;
        spec->append_output = j->asked.append_output ||
                              (config->job_file_append && !j->asked.truncate_output);
        spec->num_tasks = 1;
        spec->container_dir = j->asked.container_dir;
        spec->oom_kill_step = j->asked.oom_kill_step;
        spec->umask = script->umask;
        spec->acct_frequency = script->acct_frequency;
        spec->plugin_options = script->plugin_options;
        spec->n_plugin_options = script->n_plugin_options;
}

static void send_batch(struct controller *ctl, struct job *j, Slumber__JobScript *script) {
        static const uint32_t rank0 = 0;
        Slumber__StepSpec spec = SLUMBER__STEP_SPEC__INIT;
        _cleanup_free_ char *tasks = launch_job_tasks(ctl->cluster, j),
                            *nodes = cluster_nodes_text(ctl->cluster, j->placed.nodes);

        fill_batch_spec(ctl->cluster->config, j, script, &spec);
        struct launch l = {
                .job = j,
                .at = &j->placed.alloc[j->placed.batch_at],
                .step = STEP_BATCH,
                .num_nodes = (uint32_t)j->placed.n_alloc,
                .num_tasks = 1,
                .cpus = j->placed.alloc[j->placed.batch_at].cpus,
                .ranks = &rank0,
                .n_ranks = 1,
                .tasks_per_node = tasks,
                .step_nodes = nodes,
                .spec = &spec,
                .script = script,
                .job_nodes = nodes,
        };
        _cleanup_(wire_tail_unrefp) struct wire_tail *common = l.common = launch_common(ctl, &l);
        int r = job_has_home(j) ? home_launch(ctl, &l) : launch_send(ctl, &l);
        if (r == -EOPNOTSUPP) {
                _cleanup_free_ char *why = abilities_lack_text(l.at->node, launch_lacks(ctl, &l));
                job_launched(ctl->cluster, j, why, controller_now(ctl));
                controller_changed(ctl);
        } else if (r < 0)
                log_fields(LOG_WARNING, r, j->id, j->placed.alloc[j->placed.batch_at].node->name,
                                "JobId=%u is launched when its node is back: %m", j->id);
}

static void on_script(const uint8_t *data, size_t size, void *user) {
        _cleanup_free_ struct batch *b = user;
        struct job *j = cluster_job(b->ctl->cluster, b->job);

        if (!j || j->restarts != b->restarts || j->state != JOB_RUNNING || j->completing)
                return; /* cancelled meanwhile */
        Slumber__JobScript *script = data ? slumber__job_script__unpack(NULL, size, data) : NULL;
        if (!script) {
                job_launched(b->ctl->cluster, j, "its script is not in the store",
                                controller_now(b->ctl));
                controller_changed(b->ctl);
                return;
        }
        send_batch(b->ctl, j, script);
        slumber__job_script__free_unpacked(script, NULL);
}

void batch_launch(struct controller *ctl, uint32_t job) {
        struct job *j = cluster_job(ctl->cluster, job);

        if (!j || j->state != JOB_RUNNING || j->completing)
                return;
        if (home_chosen(ctl, j)) /* FX_LAUNCH is repeated once the choice is stored */
                return;
        struct batch *b = xnew0(struct batch, 1);
        *b = (struct batch){ ctl, job, j->restarts };
        store_read(ctl->store, STORE_SCRIPT, job_script_id(j), on_script, b);
}
