/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running programs for nodes' power, each with its nodes, from start to end.  A program that runs
 * longer than any node may take is logged or ended.  A node of a running SuspendProgram may still
 * lose power after SuspendTimeout (node->suspending), and a node of a running ResumeProgram may
 * still get power (node->resuming).
 *
 * The list is stored, because a stopping controller waits at most 10 s for programs, a killed
 * controller not at all, and the programs continue.  The next controller finds the programs by
 * process number and start time, unless the machine has been rebooted, and treats them like
 * programs of its own, with the new configuration.  The results of such programs are lost and the
 * exit status is unknown, so the last lines of output are logged in any case.  A program started
 * just before the controller was killed may be missing from the list: the nodes' records do not say
 * that the program was started either, so the program is run again. */
#include "controller/programs/running.h"

#include "controller/loop/wall_clock.h"
#include "controller/programs/gather.h"

#include "controller/nodes/node_events.h"
#include "controller/nodes/outcome.h"
#include "controller/power_save/power_save.h"
#include "controller/programs/outcomes.h"
#include "lib/child.h"
#include "lib/hostlist.h"
#include "lib/log.h"
#include "lib/process.h"
#include "lib/timetext.h"

struct running {
        struct controller *ctl;
        enum running_kind kind;
        struct program *program;
        uint64_t start; /* process_start() */
        char *nodes;
        bool outlived;  /* started by an earlier controller */
        usec_t started; /* start by the controller's clock, unless outlived */
        usec_t limit;
        sd_event_source *overdue;
};

#define LINES_MAX 10 /* of the last output */
/* power_request must precede the start of a SuspendProgram for results to count; the start is known
   in clock ticks only */
#define DECIDED_BEFORE USEC_PER_SEC
/* pause after a failed start: the nodes have time until their timeouts */
#define RUN_AGAIN (10 * USEC_PER_SEC)
#define PATIENCE  (10 * USEC_PER_SEC) /* wait for running programs when the controller is to stop */

static const char *const kinds[RUNNING_MAX] = {
        [RUNNING_SUSPEND] = "SuspendProgram",
        [RUNNING_RESUME] = "ResumeProgram",
        [RUNNING_RESUME_FAIL] = "ResumeFailProgram",
        [RUNNING_REBOOT] = "RebootProgram",
};
DEFINE_STRTAB_TEXT(running_kind, kinds)
static DECLARE_STRTAB_PARSE(running_kind);
DEFINE_STRTAB_PARSE(running_kind, kinds)

/* Adds `by` to the programs of each node.  Nodes are found by name, because a reconfiguration
   replaces the nodes. */
static void running_count_nodes(const struct running *run, int by) {
        _cleanup_(hostlist_freep) struct hostlist *names = NULL;
        struct controller *ctl = run->ctl;

        if ((run->kind != RUNNING_SUSPEND && run->kind != RUNNING_RESUME) ||
                        hostlist_parse(run->nodes, &names, NULL) < 0)
                return;
        usec_t now = controller_now(ctl),
               since = now - MIN(now, (run->start ? program_age(run->start) : 0) + DECIDED_BEFORE);
        for (size_t i = 0; i < hostlist_count(names); i++) {
                struct node *n = cluster_node(ctl->cluster, hostlist_get(names, i));
                if (n)
                        (run->kind == RUNNING_SUSPEND ? node_suspending
                                                      : node_resuming)(ctl->cluster, n, by, now);
                if (n && by > 0 && run->kind == RUNNING_SUSPEND)
                        node_found_suspending(ctl->cluster, n, since, now);
        }
}

void running_count(struct controller *ctl, int by) {
        for (size_t i = 0; i < ctl->n_programs; i++)
                running_count_nodes(ctl->programs[i], by);
}

bool running_some(const struct controller *ctl, enum running_kind kind) {
        for (size_t i = 0; i < ctl->n_programs; i++)
                if (ctl->programs[i]->kind == kind)
                        return true;
        return false;
}

static struct running *running_new(struct controller *ctl, enum running_kind kind,
                const char *nodes) {
        struct running *run = xnew(struct running, 1);

        *run = (struct running){ .ctl = ctl, .kind = kind, .nodes = xstrdup(nodes) };
        return run;
}

static struct running *running_free(struct running *run) {
        sd_event_source_disable_unref(run->overdue);
        program_detach(run->program);
        free(run->nodes);
        free(run);
        return NULL;
}

static void running_add(struct running *run) {
        struct controller *ctl = run->ctl;

        GROW(ctl->programs, ctl->a_programs, ctl->n_programs);
        ctl->programs[ctl->n_programs++] = run;
}

/* Removes a program; a reconfiguration or gathered nodes may wait for the end. */
static void running_drop(struct running *run) {
        struct controller *ctl = run->ctl;

        for (size_t i = 0; i < ctl->n_programs; i++)
                if (ctl->programs[i] == run) {
                        ctl->programs[i] = ctl->programs[--ctl->n_programs];
                        break;
                }
        running_count_nodes(run, -1);
        running_free(run);
        ctl->programs_changed = true;
        controller_changed(ctl);
}

void running_done(struct controller *ctl) {
        while (ctl->n_programs)
                running_free(ctl->programs[--ctl->n_programs]);
        free(TAKE(ctl->programs));
}

/* ---- programs that run too long ---- */

/* Returns the longest time that any node may take: the largest of all timeouts.  A program that
 * runs longer is logged, or ended as by Slurm since 23.02 where slumber.yaml says so. */
static usec_t running_time_limit(const struct cluster *c) {
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

usec_t running_timeout(const struct controller *ctl) {
        return streq(ctl->cluster->config->site.end_programs, "yes")
                               ? running_time_limit(ctl->cluster)
                               : USEC_INFINITY;
}

/* Power-saving guide: programs have no time limit; a long run is logged, not aborted. */
static int on_overdue(sd_event_source *s, uint64_t usec, void *user) {
        struct running *run = user;

        (void)s, (void)usec;
        log_warning(0, "%s for %s (process %d) still runs after %llu s, longer than its nodes may take; it is not ended",
                        running_kind_text((int)run->kind), run->nodes,
                        (int)program_pid(run->program),
                        (unsigned long long)(run->limit / USEC_PER_SEC));
        return 0;
}

static void tell_overdue(struct running *run, usec_t age) {
        struct controller *ctl = run->ctl;

        run->limit = running_time_limit(ctl->cluster);
        if (running_timeout(ctl) < USEC_INFINITY || run->limit == USEC_INFINITY)
                return;
        int r = sd_event_add_time_relative(ctl->event, &run->overdue, CLOCK_MONOTONIC,
                        run->limit - MIN(age, run->limit), USEC_PER_SEC / 20, on_overdue, run);
        if (r < 0)
                log_warning(r, "%s for %s is not told if it runs too long, as there is no timer: %m",
                                running_kind_text((int)run->kind), run->nodes);
}

/* ---- the end ---- */

/* Logs the last lines of output. */
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
                        log_warning(0, "%s says: %.*s", running_kind_text((int)run->kind), (int)n,
                                        from);
                from += n + (from[n] == '\n');
        }
}

/* A ResumeProgram has ended without results: successfully (why is NULL), or with why and the last
   line.  ran: the program could be run. */
static void tell_nodes(struct controller *ctl, const char *nodes, bool ran, usec_t started,
                const char *why, const char *said) {
        _cleanup_(hostlist_freep) struct hostlist *names = NULL;
        size_t n = strlen(said);

        while (n && said[n - 1] == '\n')
                n--;
        const char *last = memrchr(said, '\n', n);
        last = last ? last + 1 : said;
        _cleanup_free_ char *text = why ? xasprintf("ResumeProgram: %s%s%.*s", why, n ? ": " : "",
                                                          (int)(said + n - last), last)
                                        : NULL;
        if (hostlist_parse(nodes, &names, NULL) < 0)
                return;
        for (size_t i = 0; i < hostlist_count(names); i++) {
                struct node *node = cluster_node(ctl->cluster, hostlist_get(names, i));
                if (node)
                        (ran ? node_resume_exited : node_not_resumed)(ctl->cluster, node, text,
                                        started, controller_now(ctl));
        }
        controller_changed(ctl);
}

/* Returns why the program failed; NULL: success or unknown. */
static char *how_it_failed(int status, bool timed_out) {
        if (timed_out)
                return xstrdup("ran longer than its nodes may take and was ended");
        if (status == PROGRAM_STATUS_UNKNOWN)
                return NULL;
        if (WIFSIGNALED(status))
                return xasprintf("was killed by signal %d", WTERMSIG(status));
        return WEXITSTATUS(status) ? xasprintf("exit status %d", WEXITSTATUS(status)) : NULL;
}

static void running_log_end(const struct running *run, pid_t pid, int status, bool timed_out,
                const char *said) {
        const char *key = running_kind_text((int)run->kind);
        _cleanup_free_ char *how = how_it_failed(status, timed_out);

        if (how)
                log_warning(0, "%s for %s%s %s", key, run->nodes,
                                strncmp(how, "exit", 4) == 0 ? ":" : "", how);
        else if (status == PROGRAM_STATUS_UNKNOWN)
                log_info("%s for %s (process %d), which an earlier controller had started, has ended",
                                key, run->nodes, (int)pid);
        else
                log_info("%s for %s is done", key, run->nodes);
        if (how)
                tell_said(run, said);
}

/* Counts programs whose results are read: stopping loses no results of other programs. */
static size_t count_ours(const struct controller *ctl) {
        size_t n = 0;

        for (size_t i = 0; i < ctl->n_programs; i++)
                n += !ctl->programs[i]->outlived;
        return n;
}

/* The controller stops; running programs continue. */
static void running_detach_all(struct controller *ctl) {
        if (ctl->n_programs)
                log_warning(0, "%zu programs for nodes' power still run; they go on",
                                ctl->n_programs);
        ctl->stopping = true;
        sd_event_source_unref(TAKE(ctl->patience));
        (void)sd_event_exit(ctl->event, 0);
}

static void running_on_ended(pid_t pid, int status, bool timed_out, const char *said, void *user) {
        struct running *run = user;
        struct controller *ctl = run->ctl;

        run->program = NULL; /* program frees itself */
        bool silent = !run->outlived && outcomes_ended(ctl, pid);
        running_log_end(run, pid, status, timed_out, said);
        if (silent && run->kind == RUNNING_RESUME) {
                _cleanup_free_ char *how = how_it_failed(status, timed_out);
                tell_nodes(ctl, run->nodes, true, run->started, how, said);
        }
        enum running_kind kind = run->kind;
        running_drop(run);
        gather_ended(ctl, kind);
        if (ctl->patience && count_ours(ctl) == 0)
                running_detach_all(ctl);
}

static int on_no_patience(sd_event_source *s, uint64_t usec, void *user) {
        (void)s, (void)usec;
        running_detach_all(user);
        return 0;
}

void programs_wait(struct controller *ctl) {
        const struct config *config = ctl->cluster->config;
        usec_t patience = MIN(PATIENCE, MIN(config->suspend_timeout, config->resume_timeout));
        char text[TIMETEXT_MAX];

        gather_flush(ctl);
        size_t n = count_ours(ctl);

        if (n == 0 || ctl->patience ||
                        sd_event_add_time_relative(ctl->event, &ctl->patience, CLOCK_BOOTTIME,
                                        patience, 0, on_no_patience, ctl) < 0) {
                running_detach_all(ctl);
                return;
        }
        log_info("Waiting for %zu programs for nodes' power, no longer than %s", n,
                        duration_text(patience, text));
}

/* ---- the start ---- */

/* Nodes without a recorded start of their SuspendProgram are exactly those for which the program
   could not be run, as after a start of slumberctld. */
static int on_run_again(sd_event_source *s, uint64_t usec, void *user) {
        struct controller *ctl = user;

        (void)s, (void)usec;
        ctl->run_again = false;
        power_save_restart(ctl->cluster, controller_now(ctl));
        controller_changed(ctl);
        return 0;
}

static void cannot_run(struct controller *ctl, enum running_kind kind, const char *nodes,
                const char *why) {
        if (kind == RUNNING_RESUME)
                tell_nodes(ctl, nodes, false, controller_now(ctl), why, "");
        if (kind == RUNNING_SUSPEND && !ctl->run_again &&
                        sd_event_add_time_relative(ctl->event, NULL, CLOCK_BOOTTIME, RUN_AGAIN, 0,
                                        on_run_again, ctl) >= 0)
                ctl->run_again = true;
}

int running_start(struct controller *ctl, enum running_kind kind, const struct program_request *req,
                pid_t *ret, struct fail *fail) {
        struct running *run = running_new(ctl, kind, req->hostlist);
        int r = program_start(ctl->event, req, running_on_ended, run, &run->program, fail);

        if (r < 0) {
                cannot_run(ctl, kind, req->hostlist, fail->text);
                running_free(run);
                return r;
        }
        run->started = controller_now(ctl);
        *ret = program_pid(run->program);
        run->start = process_start(*ret, false);
        running_add(run);
        tell_overdue(run, 0);
        running_count_nodes(run, 1);
        ctl->programs_changed = true;
        controller_changed(ctl);
        return 0;
}

/* ---- from controller to controller ---- */

static void running_restore_one(struct controller *ctl, const Slumber__ProgramRun *m) {
        int kind = running_kind_parse(m->program);

        if (kind < 0)
                return;
        struct running *run = running_new(ctl, (enum running_kind)kind, m->nodes);
        run->outlived = true;
        run->start = m->start;
        if (program_adopt(ctl->event, (pid_t)m->pid, m->start, running_timeout(ctl),
                            running_on_ended, run, &run->program) < 0)
                running_free(run);
        else
                running_add(run);
}

void running_restore(struct controller *ctl, const Slumber__ProgramRuns *m) {
        bool same_boot = *ctl->boot_id && streq(ctl->boot_id, m->boot_id);

        ctl->programs_changed = m->n_runs;
        for (size_t i = 0; same_boot && i < m->n_runs; i++)
                running_restore_one(ctl, m->runs[i]);
}

void running_restored(struct controller *ctl) {
        for (size_t i = 0; i < ctl->n_programs; i++) {
                struct running *run = ctl->programs[i];
                log_warning(0, "%s for %s (process %d), which an earlier controller had started, still runs",
                                running_kind_text((int)run->kind), run->nodes,
                                (int)program_pid(run->program));
                tell_overdue(run, program_age(run->start));
                running_count_nodes(run, 1);
        }
}

void running_fill(const struct controller *ctl, Slumber__ProgramRuns *m) {
        m->boot_id = (char *)(uintptr_t)ctl->boot_id;
        m->runs = xnew0(Slumber__ProgramRun *, ctl->n_programs);
        for (size_t i = 0; i < ctl->n_programs; i++) {
                const struct running *run = ctl->programs[i];
                Slumber__ProgramRun *r = m->runs[m->n_runs++] = xnew0(Slumber__ProgramRun, 1);
                slumber__program_run__init(r);
                r->program = (char *)(uintptr_t)running_kind_text((int)run->kind);
                r->pid = (uint32_t)program_pid(run->program);
                r->start = run->start;
                r->nodes = run->nodes;
        }
}

void running_fill_done(Slumber__ProgramRuns *m) {
        for (size_t i = 0; i < m->n_runs; i++)
                free(m->runs[i]);
        free(TAKE(m->runs));
        m->n_runs = 0;
}
