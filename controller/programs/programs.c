/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Suspend, Resume, ResumeFail and Reboot programs (power-saving guide, "resume and suspend programs"): one process per list. */
#include "controller/controller.h"

#include "controller/core/node_events.h"
#include "controller/core/reboot.h"
#include "controller/programs/console_log.h"
#include "controller/programs/program.h"
#include "controller/programs/resume_file.h"
#include "controller/records/record.h"
#include "lib/log.h"
#include "lib/timetext.h"

#include <libgen.h>

struct running {
        struct controller *ctl;
        struct program *program;
        const char *key;
        char *nodes;
        bool suspends;
        usec_t limit;
        sd_event_source *overdue;
};

#define LINES_MAX 10 /* of a program's last words */
#define PATIENCE  (10 * USEC_PER_SEC) /* with those that run when the controller is to stop */

/* What it said last, line by line, below why it is told. */
static void tell_said(const struct running *run, const char *said) {
        const char *from = said + strlen(said);

        for (size_t lines = 0; from > said;) {
                if (from[-1] == '\n' && *from && ++lines == LINES_MAX)
                        break;
                from--;
        }
        while (*from) {
                size_t n = strcspn(from, "\n");
                if (n)
                        log_warning(0, "%s says: %.*s", run->key, (int)n, from);
                from += n + (from[n] == '\n');
        }
}

/* The controller stops; what runs still goes on alone. */
static void let_go(struct controller *ctl) {
        if (ctl->n_programs)
                log_warning(0, "%zu programs for nodes' power still run; they go on", ctl->n_programs);
        ctl->stopping = true;
        sd_event_source_unref(TAKE(ctl->patience));
        (void)sd_event_exit(ctl->event, 0);
}

static void on_ended(pid_t pid, int status, bool timed_out, const char *said, void *user) {
        _cleanup_free_ struct running *run = user;
        _cleanup_free_ char *nodes = run->nodes;
        struct controller *ctl = run->ctl;

        sd_event_source_disable_unref(run->overdue);
        outcomes_ended(ctl, pid);
        if (run->suspends)
                suspends_ended(ctl, pid);
        if (timed_out)
                log_warning(0, "%s for %s ran longer than its nodes may take and was ended", run->key, nodes);
        else if (WIFSIGNALED(status))
                log_warning(0, "%s for %s was killed by signal %d", run->key, nodes, WTERMSIG(status));
        else if (WEXITSTATUS(status))
                log_warning(0, "%s for %s: exit status %d", run->key, nodes, WEXITSTATUS(status));
        else
                log_info("%s for %s is done", run->key, nodes);
        if (timed_out || status)
                tell_said(run, said);
        if (--ctl->n_programs == 0 && ctl->patience)
                let_go(ctl);
}

/* Guide: programs have no time limit; one that runs long is logged, and not aborted. */
static int on_overdue(sd_event_source *s, uint64_t usec, void *user) {
        struct running *run = user;

        (void)s, (void)usec;
        log_warning(0, "%s for %s (process %d) still runs after %llu s, longer than its nodes may take; it is left to run on", run->key,
                        run->nodes, (int)program_pid(run->program), (unsigned long long)(run->limit / USEC_PER_SEC));
        return 0;
}

static int on_no_patience(sd_event_source *s, uint64_t usec, void *user) {
        (void)s, (void)usec;
        let_go(user);
        return 0;
}

void programs_wait(struct controller *ctl) {
        const struct config *config = ctl->cluster->config;
        usec_t patience = MIN(PATIENCE, MIN(config->suspend_timeout, config->resume_timeout));
        char text[TIMETEXT_MAX];

        if (ctl->n_programs == 0 || ctl->patience ||
                        sd_event_add_time_relative(ctl->event, &ctl->patience, CLOCK_BOOTTIME, patience, 0, on_no_patience, ctl) < 0) {
                let_go(ctl);
                return;
        }
        log_info("Waiting for %zu programs for nodes' power, no longer than %s", ctl->n_programs, duration_text(patience, text));
}

/* As long as any of its nodes may take at all: the largest of all time-outs.  One that runs longer is logged, or ended as by Slurm
 * since 23.02 where slumber.yaml says so. */
static usec_t time_limit(const struct cluster *c) {
        usec_t longest = MAX(c->config->suspend_timeout, c->config->resume_timeout);

        for (size_t i = 0; i < c->n_partitions; i++) {
                const struct partition *p = c->partitions[i];
                if (p->suspend_timeout < TIME_UNSET)
                        longest = MAX(longest, p->suspend_timeout);
                if (p->resume_timeout != TIME_UNSET)
                        longest = MAX(longest, p->resume_timeout);
        }
        return longest;
}

/* As slurmctld's own would be. */
static char *working_folder(const struct config *config) {
        if (isempty(config->slurmctld_log))
                return xstrdup(config->state_save_location);
        _cleanup_free_ char *copy = xstrdup(config->slurmctld_log);
        return xstrdup(dirname(copy));
}

enum speech { SAYS_NOTHING, SAYS_RESUMED, SAYS_SUSPENDED }; /* on SLUMBER_RESULT_FD */

static int run(struct controller *ctl, const char *key, const char *path, const struct bitset *nodes,
                const char *json, const char *features, enum speech speech) {
        _cleanup_close_ int result_fd = -1;
        const struct config *config = ctl->cluster->config;
        _cleanup_free_ char *cwd = working_folder(config), *names = cluster_nodes_text(ctl->cluster, nodes);
        struct fail fail = { 0 };

        if (isempty(path)) { /* taken out, or dropped at the start, since it was decided to run it */
                log_error(0, "%s for %s: there is none any more", key, names);
                return -ENOENT;
        }
        struct running *running = xnew0(struct running, 1);
        running->ctl = ctl;
        running->key = key;
        running->nodes = TAKE(names);
        running->limit = time_limit(ctl->cluster);
        bool ends = streq(config->site.end_programs, "yes");
        struct program_request req = {
                .path = path,
                .hostlist = running->nodes,
                .features = features,
                .slurm_conf = config->path,
                .resume_json = json,
                .cwd = cwd,
                .uid = config->slurm_uid,
                .gid = ctl->slurm_gid,
                .timeout = ends ? running->limit : USEC_INFINITY,
        };
        if (speech != SAYS_NOTHING) {
                int e = outcomes_open(ctl, key, speech == SAYS_RESUMED, running->nodes, req.timeout, &result_fd);
                if (e < 0)
                        log_warning(e, "%s for %s runs without SLUMBER_RESULT_FD: %m", key, running->nodes);
        }
        req.result_fd = MAX(result_fd, 0);
        log_info("%s for %s", key, running->nodes);
        if (!ends && running->limit < USEC_INFINITY)
                (void)sd_event_add_time_relative(ctl->event, &running->overdue, CLOCK_MONOTONIC, running->limit, USEC_PER_SEC / 20, on_overdue, running);
        int r = program_start(ctl->event, &req, on_ended, running, &running->program, &fail);
        if (r < 0) {
                log_error(0, "%s for %s: %s", key, running->nodes, fail.text);
                sd_event_source_disable_unref(running->overdue);
                free(running->nodes);
                free(running);
                return r;
        }
        if (result_fd >= 0)
                outcomes_of(ctl, program_pid(running->program));
        ctl->n_programs++;
        running->suspends = speech == SAYS_SUSPENDED;
        if (running->suspends)
                suspends_started(ctl, program_pid(running->program), running->nodes);
        return 0;
}

static void mark_started(struct controller *ctl, const struct bitset *nodes) {
        bitset_for_each(i, nodes) {
                ctl->cluster->nodes[i]->program_started = true;
                bitset_add(ctl->cluster->dirty_nodes, i);
        }
        controller_changed(ctl);
}

void program_suspend(struct controller *ctl, const struct effect *fx) {
        if (run(ctl, "SuspendProgram", ctl->cluster->config->suspend_program, fx->nodes, NULL, NULL, SAYS_SUSPENDED) >= 0)
                mark_started(ctl, fx->nodes);
}

static char *resume_json(struct controller *ctl, const struct effect *fx) {
        static const char *const shares[] = { [SHARE_OK] = "OK", [SHARE_NO] = "NO", [SHARE_YES] = "YES",
                [SHARE_USER] = "USER", [SHARE_MCS] = "MCS" };
        _Static_assert(ELEMENTSOF(shares) == SHARE_MAX, "a way to share without a word");
        struct cluster *c = ctl->cluster;
        _cleanup_free_ struct resume_job *jobs = xnew0(struct resume_job, fx->n_wakes);
        _cleanup_free_ char **texts = xnew0(char *, fx->n_wakes * 2);
        _cleanup_free_ char *all = cluster_nodes_text(c, fx->nodes);
        size_t n = 0;

        for (size_t i = 0; i < fx->n_wakes; i++) {
                const struct job *j = cluster_job(c, fx->wakes[i].job);
                if (!j || !j->nodes)
                        continue;
                jobs[n] = (struct resume_job){
                        .id = j->id,
                        .extra = j->spec.extra,
                        .features = j->spec.features,
                        .nodes_alloc = texts[2 * n] = cluster_nodes_text(c, j->nodes),
                        .nodes_resume = texts[2 * n + 1] = cluster_nodes_text(c, fx->wakes[i].nodes),
                        .oversubscribe = shares[record_share(c, j)],
                        .partition = j->partition->name,
                        .reservation = j->resv ? j->resv->name : NULL,
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

        if (run(ctl, "ResumeProgram", ctl->cluster->config->resume_program, fx->nodes, json, NULL, SAYS_RESUMED) >= 0)
                mark_started(ctl, fx->nodes);
}

/* ---- a boot that failed ---- */

void program_resume_fail(struct controller *ctl, const struct effect *fx) {
        struct cluster *c = ctl->cluster;

        bitset_for_each(i, fx->nodes) {
                struct node *n = c->nodes[i];
                _cleanup_free_ char *tail = console_log_tail(c->config, n->name, 0);
                if (isempty(tail))
                        continue;
                _cleanup_free_ char *reason = xasprintf("%s; console: %.400s", n->reason ? n->reason : "", tail);
                node_set_reason(c, n, reason, c->config->slurm_uid, controller_now(ctl));
                controller_changed(ctl);
        }
        if (!isempty(c->config->resume_fail_program))
                (void)run(ctl, "ResumeFailProgram", c->config->resume_fail_program, fx->nodes, NULL, NULL, SAYS_NOTHING);
}

/* ---- reboots ---- */

/* They are known to be as they were, so that nobody waits ResumeTimeout for them. */
static void cannot_reboot(struct controller *ctl, const struct bitset *nodes, const char *why) {
        bitset_for_each(i, nodes)
                reboot_failed(ctl->cluster, ctl->cluster->nodes[i], why, controller_now(ctl));
        controller_changed(ctl);
}

/* Slurm's way: each node runs it for itself; SlurmctldParameters=reboot_from_controller: here, for all. */
void program_reboot(struct controller *ctl, const struct effect *fx) {
        const struct config *config = ctl->cluster->config;
        Slumber__RebootNode m = SLUMBER__REBOOT_NODE__INIT;
        bool here = config->reboot_from_controller;

        if (isempty(config->reboot_program)) {
                cannot_reboot(ctl, fx->nodes, "there is no RebootProgram");
                return;
        }
        if (here && run(ctl, "RebootProgram", config->reboot_program, fx->nodes, NULL, fx->text, SAYS_NOTHING) < 0) {
                cannot_reboot(ctl, fx->nodes, "RebootProgram cannot be run");
                return;
        }
        m.features = fx->text ? fx->text : (char *)(uintptr_t)"";
        m.program = config->reboot_program;
        ENVELOPE(env, REBOOT_NODE, reboot_node, &m);
        bitset_for_each(i, fx->nodes) {
                struct node *n = ctl->cluster->nodes[i];
                if (!here && !agent_send(ctl, n, &env))
                        reboot_failed(ctl->cluster, n, "its agent is not connected", controller_now(ctl));
        }
        mark_started(ctl, fx->nodes);
}
