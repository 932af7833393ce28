/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SuspendProgram, ResumeProgram, ResumeFailProgram and RebootProgram (power-saving guide, "resume
 * and suspend programs"): one process per list of nodes. */
#include "controller/programs/programs.h"

#include "controller/loop/controller.h"

#include "controller/indexes/changed.h"
#include "controller/loop/peers.h"
#include "controller/loop/wall_clock.h"
#include "controller/nodes/outcome.h"
#include "controller/nodes/reboot.h"
#include "controller/programs/console_log.h"
#include "controller/programs/outcomes.h"
#include "controller/programs/resume_file.h"
#include "controller/programs/running.h"
#include "controller/records/record.h"
#include "lib/abilities.h"
#include "lib/log.h"
#include "lib/timetext.h"

#include <libgen.h>

/* Like the working folder of slurmctld. */
char *programs_folder(const struct config *config) {
        if (isempty(config->slurmctld_log))
                return xstrdup(config->state_save_location);
        _cleanup_free_ char *copy = xstrdup(config->slurmctld_log);
        return xstrdup(dirname(copy));
}

/* Leaves a program time to report a failure before the node's timeout: a tenth less than the
   timeout, or 2 s less where more, but never less than half. */
usec_t program_deadline(usec_t timeout) {
        return timeout == NO_LIMIT
                               ? 0
                               : timeout - MIN(MAX(timeout / 10, 2 * USEC_PER_SEC), timeout / 2);
}

static usec_t deadline_of(const struct cluster *c, enum running_kind kind,
                const struct bitset *nodes) {
        usec_t shortest = NO_LIMIT;

        if (kind != RUNNING_RESUME && kind != RUNNING_SUSPEND)
                return 0;
        bitset_for_each(i, nodes)
                shortest = MIN(shortest, kind == RUNNING_RESUME ? c->nodes[i]->resume_timeout
                                                                : c->nodes[i]->suspend_timeout);
        return program_deadline(shortest);
}

/* Returns the arguments after the path: the words of an action, the nodes, the features of a
   reboot. */
static const char **argv_of(const struct config_action *a, const char *names,
                const char *features) {
        const char **argv = xnew0(const char *, a->n_words + 2);
        size_t n = 0;

        for (size_t i = 1; i < a->n_words; i++)
                argv[n++] = a->words[i];
        argv[n++] = names;
        argv[n] = features;
        return argv;
}

/* program: a path, or the name of a PowerAction that runs on this host. */
static int programs_run(struct controller *ctl, enum running_kind kind, const char *program,
                const struct bitset *nodes, const char *json, const char *features) {
        _cleanup_close_ int result_fd = -1;
        const struct config *config = ctl->cluster->config;
        _cleanup_free_ char *cwd = programs_folder(config),
                            *names = cluster_nodes_text(ctl->cluster, nodes);
        const char *key = running_kind_text((int)kind);
        struct fail fail = { 0 };
        pid_t pid;

        const struct config_action *action = config_action(config, program);
        const char *path = action ? action->words[0] : program;
        _cleanup_free_ const char **argv = action ? argv_of(action, names, features) : NULL;

        /* removed or rejected since the decision */
        if (isempty(path) || path[0] != '/') {
                log_error(0, "%s for %s: slurm.conf names no such program any more", key, names);
                return -ENOENT;
        }
        struct program_request req = {
                .path = path,
                .hostlist = names,
                .argv = argv,
                .features = features,
                .slurm_conf = config->path,
                .resume_json = json,
                .cwd = cwd,
                .uid = config->slurm_uid,
                .gid = ctl->slurm_gid,
                .timeout = running_timeout(ctl),
                .deadline = deadline_of(ctl->cluster, kind, nodes),
        };
        /* these programs may report results on SLUMBER_RESULT_FD */
        if (kind == RUNNING_RESUME || kind == RUNNING_SUSPEND) {
                int e = outcomes_open(ctl, key, kind == RUNNING_RESUME, names, req.timeout,
                                &result_fd);
                if (e < 0)
                        log_warning(e, "%s for %s runs without SLUMBER_RESULT_FD: %m", key, names);
        }
        req.result_fd = MAX(result_fd, 0);
        log_info("%s for %s", key, names);
        int r = running_start(ctl, kind, &req, &pid, &fail);
        if (r < 0)
                log_error(0, "%s for %s: %s", key, names, fail.text);
        else if (result_fd >= 0)
                outcomes_of(ctl, pid);
        return r;
}

static void mark_started(struct controller *ctl, const struct bitset *nodes) {
        bitset_for_each(i, nodes) {
                ctl->cluster->nodes[i]->program_started = true;
                note_node(ctl->cluster, FACT_NODE_RECORD, ctl->cluster->nodes[i]);
        }
        controller_changed(ctl);
}

/* ---- programs that nodes run themselves ---- */

/* Returns the requested action if the action runs on the nodes; NULL: a program runs here. */
static const struct config_action *action_on_nodes(const struct controller *ctl,
                const struct effect *fx, const char *usual) {
        const struct config_action *a = config_action(ctl->cluster->config,
                        fx->action ? fx->action : usual);

        return a && a->on_nodes ? a : NULL;
}

/* Returns NULL after sending; else why not. */
static const char *tell_node(struct controller *ctl, struct node *n, Envelope *env) {
        if (n->lacks & CAN_RUN_ACTIONS)
                return "its slumberd is of an earlier build without PowerAction";
        return agent_send(ctl, n, env) ? NULL : "its agent is not connected";
}

static void node_action_init(Slumber__NodeAction *m, const struct config_action *a,
                const char *features) {
        slumber__node_action__init(m);
        m->name = a->name;
        m->words = a->words;
        m->n_words = a->n_words;
        m->features = (char *)(uintptr_t)strempty(features);
}

/* A node that cannot be reached is most likely off: SuspendTimeout decides. */
static void suspend_on_nodes(struct controller *ctl, const struct config_action *a,
                const struct bitset *nodes) {
        _cleanup_free_ char *names = cluster_nodes_text(ctl->cluster, nodes);
        Slumber__NodeAction m;

        log_info("PowerAction %s on %s", a->name, names);
        node_action_init(&m, a, NULL);
        ENVELOPE(env, NODE_ACTION, node_action, &m);
        bitset_for_each(i, nodes) {
                struct node *n = ctl->cluster->nodes[i];
                const char *why = tell_node(ctl, n, &env);
                if (why)
                        log_fields(LOG_WARNING, 0, 0, n->name,
                                        "Node %s is not told to run PowerAction %s: %s", n->name,
                                        a->name, why);
        }
        mark_started(ctl, nodes);
}

void program_node_failed(struct controller *ctl, struct node *n, const char *text) {
        struct outcome o = { .kind = OUTCOME_NO_POWER, .text = text };

        (void)node_outcome(ctl->cluster, n, OUTCOME_SUSPEND, &o, n->power_request,
                        controller_now(ctl));
        controller_changed(ctl);
}

void program_suspend(struct controller *ctl, const struct effect *fx) {
        const char *usual = ctl->cluster->config->suspend_program;
        const struct config_action *a = action_on_nodes(ctl, fx, usual);

        if (a)
                suspend_on_nodes(ctl, a, fx->nodes);
        else if (programs_run(ctl, RUNNING_SUSPEND, fx->action ? fx->action : usual, fx->nodes,
                                 NULL, NULL) >= 0)
                mark_started(ctl, fx->nodes);
}

static char *resume_json(struct controller *ctl, const struct effect *fx) {
        static const char *const shares[] = { [SHARE_OK] = "OK",
                [SHARE_NO] = "NO",
                [SHARE_YES] = "YES",
                [SHARE_USER] = "USER",
                [SHARE_MCS] = "MCS" };
        _Static_assert(ELEMENTSOF(shares) == SHARE_MAX, "a way to share without a word");
        struct cluster *c = ctl->cluster;
        _cleanup_free_ struct resume_job *jobs = xnew0(struct resume_job, fx->n_wakes);
        _cleanup_free_ char **texts = xnew0(char *, fx->n_wakes * 2);
        _cleanup_free_ char *all = cluster_nodes_text(c, fx->nodes);
        bool newer = streq(c->config->site.resume_file, "26.05");
        size_t n = 0;

        for (size_t i = 0; i < fx->n_wakes; i++) {
                const struct job *j = cluster_job(c, fx->wakes[i].job);
                if (!j || !j->placed.nodes)
                        continue;
                jobs[n] = (struct resume_job){
                        .id = j->id,
                        .extra = j->asked.extra,
                        .features = j->asked.features,
                        .nodes_alloc = texts[2 * n] = cluster_nodes_text(c, j->placed.nodes),
                        .nodes_resume = texts[2 * n + 1] = cluster_nodes_text(c,
                                        fx->wakes[i].nodes),
                        .oversubscribe = newer ? record_oversubscribe_word(c, j)
                                               : shares[record_share(c, j)],
                        .exclusive = newer ? record_exclusive_word(j) : NULL,
                        .priority = j->priority,
                        .partition = j->partition->name,
                        .reservation = j->placed.resv ? j->placed.resv->name : NULL,
                };
                n++;
        }
        char *json = resume_file_text(jobs, n, all);
        for (size_t i = 0; i < fx->n_wakes * 2; i++)
                free(texts[i]);
        return json;
}

void program_resume(struct controller *ctl, const struct effect *fx) {
        _cleanup_free_ char *json = resume_json(ctl, fx);

        if (programs_run(ctl, RUNNING_RESUME,
                            fx->action ? fx->action : ctl->cluster->config->resume_program,
                            fx->nodes, json, NULL) >= 0)
                mark_started(ctl, fx->nodes);
}

/* ---- a boot that failed ---- */

void program_resume_fail(struct controller *ctl, const struct effect *fx) {
        struct cluster *c = ctl->cluster;

        bitset_for_each(i, fx->nodes) {
                struct node *n = c->nodes[i];
                char when[TIMETEXT_MAX];
                usec_t written;
                _cleanup_free_ char *tail = console_log_tail(c->config, n->name, n->power_request,
                                &written);
                if (isempty(tail) || n->base != NODE_DOWN)
                        continue;
                _cleanup_free_ char *reason = xasprintf("%s; console at %s: %.400s",
                                strempty(n->reason), time_text(written, NULL, when), tail);
                node_set_reason(c, n, reason, c->config->slurm_uid, controller_now(ctl));
                controller_changed(ctl);
        }
        if (!isempty(c->config->resume_fail_program))
                (void)programs_run(ctl, RUNNING_RESUME_FAIL, c->config->resume_fail_program,
                                fx->nodes, NULL, NULL);
}

/* ---- reboots ---- */

/* The nodes are known to be unchanged; without this report jobs would wait for ResumeTimeout. */
static void cannot_reboot(struct controller *ctl, const struct bitset *nodes, const char *why) {
        bitset_for_each(i, nodes)
                reboot_failed(ctl->cluster, ctl->cluster->nodes[i], why, controller_now(ctl));
        controller_changed(ctl);
}

/* The nodes run the reboot; a node that cannot be reached has failed to reboot. */
static void reboot_on_nodes(struct controller *ctl, const struct bitset *nodes, Envelope *env) {
        bitset_for_each(i, nodes) {
                struct node *n = ctl->cluster->nodes[i];
                const char *why = NULL;
                if (env->body_case == SLUMBER__ENVELOPE__BODY_NODE_ACTION)
                        why = tell_node(ctl, n, env);
                else if (!agent_send(ctl, n, env))
                        why = "its agent is not connected";
                if (why)
                        reboot_failed(ctl->cluster, n, why, controller_now(ctl));
        }
}

/* Slurm's default: each node reboots itself; SlurmctldParameters=reboot_from_controller: a program
   here, for all nodes.  A PowerAction decides by Location. */
void program_reboot(struct controller *ctl, const struct effect *fx) {
        const struct config *config = ctl->cluster->config;
        const char *program = fx->action ? fx->action : config->reboot_program;
        const struct config_action *action = config_action(config, program);
        bool here = action ? !action->on_nodes : config->reboot_from_controller;

        if (isempty(program) || (!action && program[0] != '/')) {
                cannot_reboot(ctl, fx->nodes,
                                fx->action ? "its PowerAction is gone"
                                           : "there is no RebootProgram");
                return;
        }
        if (here && programs_run(ctl, RUNNING_REBOOT, program, fx->nodes, NULL, fx->text) < 0) {
                cannot_reboot(ctl, fx->nodes, "RebootProgram cannot be run");
                return;
        }
        if (!here && action) {
                Slumber__NodeAction m;
                node_action_init(&m, action, fx->text);
                m.reboot = true;
                ENVELOPE(env, NODE_ACTION, node_action, &m);
                reboot_on_nodes(ctl, fx->nodes, &env);
        } else if (!here) {
                Slumber__RebootNode m = SLUMBER__REBOOT_NODE__INIT;
                m.features = fx->text ? fx->text : (char *)(uintptr_t) "";
                m.program = config->reboot_program;
                ENVELOPE(env, REBOOT_NODE, reboot_node, &m);
                reboot_on_nodes(ctl, fx->nodes, &env);
        }
        mark_started(ctl, fx->nodes);
}
