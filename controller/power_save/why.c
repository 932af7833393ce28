/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explains the actions of the pass, the deadlines and the sets in the order of their precedence:
 * first the operation under way, then requests by hand, then the reasons for staying up.  Decides
 * no action. */
#include "controller/power_save/why.h"

#include "controller/indexes/node_deadline.h"
#include "controller/jobs/job_events.h"
#include "controller/nodes/audit.h"
#include "controller/nodes/reboot.h"
#include "controller/nodes/veto.h"
#include "controller/reservations/reservation.h"

/* ---- phases ---- */

static bool waits_for_wake(const struct cluster *c, const struct node *n) {
        return n->power == NODE_POWERED_DOWN && bitset_has(c->to_resume, n->index);
}

/* The boot of n is to be aborted by force. */
static bool waits_for_cut(const struct cluster *c, const struct node *n) {
        return n->power == NODE_POWERING_UP && n->flags & NODE_POWER_FORCED &&
               bitset_has(c->to_suspend, n->index);
}

static usec_t or_never(usec_t t) {
        return t == USEC_INFINITY ? 0 : t;
}

static const char *why_switching_phase(const struct node *n) {
        if (n->confirmed || n->flags & NODE_BY_HAND)
                return "bmc-on";
        return n->program_started ? "power-command" : "decided";
}

/* Returns the start of the first job; for an idle node the end of the last job. */
static usec_t in_use_since(const struct node *n) {
        usec_t first = USEC_INFINITY;

        for (size_t i = 0; i < n->n_jobs; i++)
                if (n->jobs[i]->running.start_time)
                        first = MIN(first, n->jobs[i]->running.start_time);
        return first == USEC_INFINITY ? MAX(n->last_busy, n->start_time) : first;
}

static bool node_is_silent(const struct node *n) {
        return n->flags & NODE_NOT_RESPONDING || (n->base == NODE_UNKNOWN && !n->connected);
}

/* Returns whether n waits for the running SuspendProgram; later n waits for ResumeRate only. */
static bool waits_for_program(const struct node *n, usec_t now) {
        return now < node_wake_after(n);
}

void why_init_phase(struct why *w, const struct cluster *c, const struct node *n, usec_t now) {
        *w = (struct why){ .since = n->power_request, .until = or_never(node_power_deadline(n)) };

        if (waits_for_cut(c, n)) {
                w->phase = "queued";
                w->since = 0;
                w->until = now < node_sleep_after(n) ? node_sleep_after(n) : 0;
        } else if (n->power == NODE_POWERING_UP) {
                w->phase = why_switching_phase(n);
                w->since = MAX(n->confirmed, n->power_request);
        } else if (n->power == NODE_POWERING_DOWN) {
                w->phase = n->program_started ? "power-command" : "decided";
        } else if (n->flags & NODE_REBOOT_ISSUED) {
                w->phase = "reboot";
                w->until = or_never(reboot_deadline(n));
        } else if (n->retry_at) {
                w->phase = "retry";
                w->until = n->retry_at;
        } else if (waits_for_wake(c, n)) {
                w->phase = "queued";
                w->since = 0;
                w->until = waits_for_program(n, now) ? node_wake_after(n) : 0;
        } else if (n->power == NODE_POWERED_DOWN) {
                w->phase = n->confirmed && n->bmc_power != OBSERVED_ON ? "bmc-off" : "off";
        } else if (node_is_silent(n)) {
                w->phase = "silent";
                w->since = n->lost_since;
                w->until = n->base != NODE_DOWN && c->config->slurmd_timeout
                                           ? n->lost_since + c->config->slurmd_timeout
                                           : 0;
        } else {
                w->phase = "registered";
                w->since = in_use_since(n);
                w->until = bitset_has(c->warm, n->index) || node_claimed_by(c, n)
                                           ? 0
                                           : or_never(node_idle_deadline(c, n));
        }
}

const struct node *why_slowest(const struct cluster *c, const struct job *j, usec_t now) {
        bool all = job_all_nodes_wanted(j, c->config->sbatch_wait_nodes);
        const struct node *slowest = NULL;
        usec_t latest = 0;

        for (size_t i = 0; i < (all ? j->placed.n_alloc : MIN(j->placed.n_alloc, (size_t)1)); i++) {
                const struct node *n = j->placed.alloc[i].node;
                struct why w;
                if ((n->power == NODE_ON && !(n->flags & NODE_REBOOT_ISSUED)) ||
                                j->placed.alloc[i].done)
                        continue;
                why_init_phase(&w, c, n, now);
                usec_t until = w.until ? w.until : USEC_INFINITY;
                if (!slowest || until > latest) {
                        slowest = n;
                        latest = until;
                }
        }
        return slowest;
}

/* ---- sentences ---- */

#define JOBS_NAMED 3

/* brief: omits details differing from node to node, because nodes with equal sentences share a line
   of the summary. */

static char *jobs_text(const struct node *n, bool all, bool brief) {
        char text[128] = "";
        size_t used = 0, named = 0, more = 0;

        for (size_t i = 0; i < n->n_jobs; i++) {
                if (!all && n->jobs[i]->completing)
                        continue;
                if (named++ < JOBS_NAMED)
                        used += (size_t)snprintf(text + used, sizeof text - used, "%sJobId=%u",
                                        named > 1 ? ", " : "", n->jobs[i]->id);
                else
                        more++;
        }
        if (brief)
                return xstrdup(named ? "jobs" : "");
        return more ? xasprintf("%s and %zu more", text, more) : xstrdup(text);
}

/* brief: the kind of the error only; else the full message of the program. */
static char *why_error_text(const struct node *n, bool brief) {
        const char *error = strna(n->power_error ? n->power_error : n->wake_error);

        return brief ? xasprintf("%.*s", (int)strcspn(error, ":"), error) : xstrdup(error);
}

/* Returns who made the last request, for power on or off. */
static char *request_text(const struct node *n) {
        if (n->flags & NODE_BOOT_REMAINS || n->wish_uid == WISH_OF_BRAKE)
                return xstrdup("as its boot has failed");
        if (n->wish_uid == WISH_OF_PARTITION)
                return xstrdup("as its partition says (PowerDownOnIdle)");
        return xasprintf("as asked for by hand (uid %u)", (unsigned)n->wish_uid);
}

static const char by_plan[] = "a planned job or reservation needs it soon (warm_up)";

static bool is_probe(const struct cluster *c, const struct node *n) {
        return c->brake.probe && streq(c->brake.probe, n->name);
}

static char *wanted_by(const struct cluster *c, const struct node *n, bool brief) {
        _cleanup_free_ char *jobs = jobs_text(n, false, brief);

        if (*jobs)
                return xasprintf("wanted by %s", jobs);
        if (n->flags & NODE_BY_HAND)
                return xstrdup("switched on by hand, as its BMC reads (audit)");
        if (n->flags & (NODE_WISHED | NODE_POWER_UP_WANTED))
                return request_text(n);
        const struct job *claimed = node_claimed_by(c, n);
        if (claimed)
                return brief ? xstrdup("wanted by jobs that preempt others")
                             : xasprintf("wanted by JobId=%u, for which others make way when it is up",
                                               claimed->id);
        return xstrdup(bitset_has(c->warm, n->index) ? by_plan
                        : is_probe(c, n)             ? "woken"
                                                     : "no job needs it any more");
}

static char *why_jobs_text(const struct node *n, bool brief) {
        _cleanup_free_ char *jobs = jobs_text(n, true, brief);
        _cleanup_free_ char *then = request_text(n);

        if (n->flags & NODE_POWER_DOWN_WANTED)
                return xasprintf("in use by %s; off after that, %s", jobs, then);
        return xasprintf("in use by %s", jobs);
}

static char *why_never_suspended(const struct node *n) {
        const char *partition = why_setting_from(n, WHY_SUSPEND_TIME);

        if (n->own_suspend_time != TIME_UNSET)
                return xstrdup("SuspendTime of the node is INFINITE");
        return partition ? xasprintf("SuspendTime of partition %s is INFINITE", partition)
                         : xstrdup("SuspendTime is INFINITE");
}

/* Returns why an idle node stays up, or when the node sleeps. */
static char *why_idle(const struct cluster *c, const struct node *n, bool brief) {
        const char *excluded = exclusion_of(c, n);
        _cleanup_free_ char *request = request_text(n), *error = why_error_text(n, brief);
        const char *veto = brief ? "its veto" : n->veto;

        if (!c->power_save && !(n->flags & NODE_POWER_DOWN_WANTED))
                return xasprintf("power saving is off (%s)", strna(c->power_save_off_because));
        if (n->flags & NODE_QUARANTINE)
                return xstrdup("quarantined, left alone until scontrol update state=resume");
        if (n->retry_at)
                return xasprintf("could not be switched off (%s), to be tried again", error);
        if (n->flags & NODE_POWER_DOWN_WANTED && node_is_vetoed(n))
                return xasprintf("to be switched off %s, when its agent lets it: %s", request,
                                veto);
        if (n->flags & NODE_POWER_DOWN_WANTED)
                return xasprintf("to be switched off %s, waits for SuspendRate", request);
        if (node_is_vetoed(n))
                return xasprintf("must not be switched off, says its agent: %s", veto);
        if (excluded)
                return xasprintf("excluded by %s", excluded);
        if (n->suspend_time == NO_LIMIT)
                return why_never_suspended(n);
        if (resv_keeps_awake(c, n))
                return xasprintf("reserved (%s), stays up (warm_up)", n->resv->name);
        if (bitset_has(c->warm, n->index))
                return xstrdup(c->exclusions.planned
                                                ? "a job is planned there (SuspendExcStates=PLANNED)"
                                                : by_plan);
        const struct job *claimed = node_claimed_by(c, n);
        if (claimed && brief)
                return xstrdup("kept for a job that waits for those that it preempts");
        if (claimed)
                return xasprintf("kept for JobId=%u, which waits for those that it preempts",
                                claimed->id);
        if (bitset_has(c->exclusions.held, n->index))
                return xstrdup("one of those that a count in SuspendExcNodes keeps up");
        if (bitset_has(c->to_suspend, n->index))
                return xstrdup("idle for SuspendTime, waits for SuspendRate");
        return n->last_busy ? xstrdup("idle, off after SuspendTime")
                            : xstrdup("not in use since the controller started");
}

/* Returns why an admin has taken n out of service; NULL if in service. */
static char *out_of_service(const struct node *n, bool brief) {
        const char *reason = strna(n->reason);
        /* console output follows the semicolon */
        int length = (int)(brief ? strcspn(reason, ";") : strlen(reason));

        if (n->base == NODE_DOWN)
                return xasprintf("DOWN: %.*s", length, reason);
        return n->flags & (NODE_DRAIN | NODE_FAIL) ? xasprintf("drained: %.*s", length, reason)
                                                   : NULL;
}

/* A node out of service sleeps like an idle node, hence both texts. */
static char *why_unused(const struct cluster *c, const struct node *n, bool brief) {
        _cleanup_free_ char *out = out_of_service(n, brief), *idle = why_idle(c, n, brief);

        return out ? xasprintf("%s; %s", out, idle) : TAKE(idle);
}

static char *why_on(const struct cluster *c, const struct node *n, bool brief) {
        if (n->flags & NODE_REBOOT_ISSUED && n->n_jobs && n->active && !brief)
                return xasprintf("being rebooted for features %s of JobId=%u", n->active,
                                n->jobs[0]->id);
        if (n->flags & NODE_REBOOT_ISSUED)
                return xstrdup("being rebooted");
        if (n->answer_due)
                return xstrdup("its BMC reads off (audit), its agent is asked");
        if (n->n_jobs)
                return why_jobs_text(n, brief);
        if (n->base == NODE_FUTURE)
                return xstrdup("not in use (FUTURE)");
        if (n->base == NODE_UNKNOWN)
                return xstrdup("its agent has not been heard of since the controller started");
        return why_unused(c, n, brief);
}

/* Leaves out the cause of the brake, which the caller appends. */
static char *why_it_fell_asleep(const struct cluster *c, const struct node *n, bool brief) {
        if (n->power_request == 0)
                return xstrdup("never woken");
        _cleanup_free_ char *request = request_text(n), *error = why_error_text(n, brief);
        if (n->flags & NODE_WISHED)
                return xasprintf("switched off %s", request);
        if (!n->power_error && !n->wake_error)
                return xstrdup("was idle for SuspendTime");
        return c->brake.by != BRAKE_OFF && streq(error, strna(c->brake.cause))
                               ? xstrdup("could not be woken")
                               : xasprintf("could not be woken (%s)", error);
}

static char *why_it_sleeps(const struct cluster *c, const struct node *n, usec_t now, bool brief) {
        _cleanup_free_ char *error = why_error_text(n, brief);

        if (waits_for_wake(c, n)) {
                _cleanup_free_ char *request = wanted_by(c, n, brief);
                if (n->retry_at)
                        return xasprintf("%s; could not be woken (%s), to be tried again", request,
                                        error);
                if (waits_for_program(n, now))
                        return xasprintf("%s, waits for its SuspendProgram, which still runs",
                                        request);
                return c->brake.by != BRAKE_OFF
                                       ? xasprintf("%s, waits as waking of nodes is stopped: %s",
                                                         request, strna(c->brake.cause))
                                       : xasprintf("%s, waits for ResumeRate", request);
        }
        if (n->flags & NODE_QUARANTINE)
                return xstrdup("quarantined, left alone until scontrol update state=resume");
        if (n->retry_at)
                return xasprintf("could not be woken (%s), no job gets it before its pause is over",
                                error);
        bool reads_on = n->bmc_power == OBSERVED_ON && !n->off_read_at;
        _cleanup_free_ char *out = out_of_service(n, brief);
        if (out)
                return reads_on ? xasprintf("%s; its BMC reads on and is left alone (audit)", out)
                                : TAKE(out);
        if (reads_on && n->audit_strikes)
                return xstrdup("switched off, but its BMC reads on: once more, and it is switched off again (audit)");
        _cleanup_free_ char *before = why_it_fell_asleep(c, n, brief);
        if (c->brake.by != BRAKE_OFF)
                return xasprintf("%s, and waking of nodes is stopped: %s", before,
                                strna(c->brake.cause));
        return n->power_request ? xasprintf("%s, no job needs it", before) : TAKE(before);
}

static char *why_off(const struct cluster *c, const struct node *n, usec_t now, bool brief) {
        _cleanup_free_ char *why = why_it_sleeps(c, n, now, brief);

        return c->power_save || n->flags & NODE_POWER_UP_WANTED
                               ? TAKE(why)
                               : xasprintf("%s; nothing wakes it while power saving is off (%s)",
                                                 why, strna(c->power_save_off_because));
}

static char *why_going_off(const struct node *n) {
        return n->flags & NODE_WISHED ? request_text(n) : xstrdup("was idle for SuspendTime");
}

static char *why_booting(const struct cluster *c, const struct node *n, usec_t now, bool brief) {
        if (!waits_for_cut(c, n)) {
                _cleanup_free_ char *wanted = wanted_by(c, n, brief);
                return is_probe(c, n) ? xasprintf("%s, as a test while waking of nodes is stopped: %s",
                                                        wanted, strna(c->brake.cause))
                                      : TAKE(wanted);
        }
        _cleanup_free_ char *request = request_text(n);
        return xasprintf("to be switched off %s, waits for %s", request,
                        now < node_sleep_after(n) ? "its ResumeProgram, which still runs"
                                                  : "SuspendRate");
}

void why_init(struct why *w, const struct cluster *c, const struct node *n, bool brief,
                usec_t now) {
        why_init_phase(w, c, n, now);
        switch (n->power) {
        case NODE_ON:
                w->text = why_on(c, n, brief);
                break;
        case NODE_POWERING_DOWN:
                w->text = why_going_off(n);
                break;
        case NODE_POWERED_DOWN:
                w->text = why_off(c, n, now, brief);
                break;
        case NODE_POWERING_UP:
                w->text = why_booting(c, n, now, brief);
                break;
        case NODE_POWER_NONE:
        case NODE_POWER_MAX:
                w->text = NULL;
                break;
        }
}

void why_done(struct why *w) {
        free(TAKE(w->text));
}

/* ---- settings ---- */

const char *why_setting_from(const struct node *n, enum why_setting setting) {
        const struct partition *best = NULL;
        usec_t longest = 0;

        for (size_t i = 0; i < n->n_partitions; i++) {
                const struct partition *p = n->partitions[i];
                usec_t v = setting == WHY_SUSPEND_TIME      ? p->suspend_time
                           : setting == WHY_SUSPEND_TIMEOUT ? p->suspend_timeout
                                                            : p->resume_timeout;
                if (v != TIME_UNSET && (!best || v > longest)) {
                        best = p;
                        longest = v;
                }
        }
        return best ? best->name : NULL;
}
