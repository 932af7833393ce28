/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HealthCheckProgram, run as root: at the start of slumberd (or only at the first start since
 * boot), before the node registers, and at each interval.
 *
 * A check acts on its findings itself (drains the node by scontrol); the exit status is ignored.
 * If a check still runs when the next is due, no second check starts. The node decides by its own
 * jobs whether to check now, and asks the controller only if slurm.conf separates ALLOC from
 * MIXED, or drained from undrained nodes. The check at the start delays the registration no
 * longer than the time limit, even if the check cannot be killed (state D). */
#include "agent/health.h"
#include "agent/machine/program.h"
#include "agent/state/agent.h"
#include "agent/upstream.h"

#include "lib/trusted.h"

#include <fcntl.h>

#define LIMIT (60 * USEC_PER_SEC)
#define DIES  (2 * USEC_PER_SEC) /* time for a killed check to end */

struct health {
        struct agent *agent;
        char *program; /* "": none */
        usec_t interval, timeout;
        unsigned states;
        struct program *running;
        bool started; /* the check at the start has been run */
        bool of_boot; /* the running check is the check at the start */
        bool first;   /* the check at the start still runs, and the node is not registered */
        char *complaint;
        sd_event_source *tick;
        sd_event_source *first_due; /* time limit of the check at the start */
};

/* File in the spool with the ID of the boot whose check has run. */
#define CHECKED "health-check"

static bool boot_is_checked(const struct agent *a) {
        char boot[BOOT_ID_SIZE], checked[BOOT_ID_SIZE] = "";
        _cleanup_close_ int fd = open(CHECKED, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

        boot_id(boot);
        return fd >= 0 && !a->options.boot_now && read(fd, checked, sizeof checked - 1) > 0 &&
               streq(checked, boot);
}

/* Records the boot as checked. After a failure or an incomplete check, the next start checks
   again. */
static void note_checked(void) {
        char boot[BOOT_ID_SIZE];

        boot_id(boot);
        (void)unlink(CHECKED);
        _cleanup_close_ int fd = open(CHECKED, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                        0600);
        if (fd < 0 || write(fd, boot, strlen(boot)) < 0)
                log_warning(-errno, "HealthCheckProgram: cannot write %s: %m", CHECKED);
}

/* ---- HealthCheckProgram ---- */

/* Logs a complaint once, however often the program runs; takes ownership. NULL: no complaint. */
static void health_complain(struct health *h, char *complaint) {
        _cleanup_free_ char *before = h->complaint;

        h->complaint = complaint;
        if (complaint && !(before && streq(before, complaint)))
                log_error(0, "HealthCheckProgram: %s", complaint);
}

/* Ends the wait for the check at the start, and connects to the controller. */
static void first_over(struct health *h) {
        bool first = h->first;

        h->first = false;
        h->first_due = sd_event_source_disable_unref(h->first_due);
        if (first && !h->agent->controller)
                upstream_connect(h->agent);
}

static int on_first_due(sd_event_source *source, uint64_t t, void *user) {
        struct health *h = user;

        (void)source, (void)t;
        health_complain(h,
                        xasprintf("%s does not end although it is killed: this node is registered without it",
                                        h->program));
        first_over(h);
        return 0;
}

static void health_on_ended(void *user, char *output, int status, const char *why) {
        struct health *h = user;

        (void)output, (void)status;
        h->running = NULL;
        if (h->of_boot && !why)
                note_checked();
        h->of_boot = false;
        health_complain(h, why ? xasprintf("%s %s", h->program, why) : NULL);
        first_over(h);
}

static void health_run_check(struct health *h) {
        struct fail fail = { 0 };

        if (h->running)
                return;
        _cleanup_free_ char *name = xasprintf("SLURMD_NODENAME=%s", h->agent->node);
        _cleanup_free_ char *conf = xasprintf("SLURM_CONF=%s",
                        h->agent->config ? h->agent->config->path : "");
        const struct program_wish w = { h->program,
                .variables = { name, h->agent->config ? conf : NULL }, .heard = true,
                .last_good = INT_MAX, .limit = h->timeout, .limit_name = "HealthCheckTimeout",
                .ended = health_on_ended, .user = h };
        if (trusted_program(h->program, &fail) >= 0)
                h->running = program_start(h->agent->event, &w, &fail);
        if (!h->running)
                health_complain(h, xstrdup(fail.text));
}

static bool health_is_wanted(const struct health *h) {
        return h->states & (h->agent->jobs ? HEALTH_BUSY : HEALTH_IDLE);
}

/* Returns the states known only to the controller. */
static unsigned health_asked_states(const struct health *h) {
        return h->states & (h->agent->jobs ? HEALTH_ALLOC | HEALTH_MIXED : HEALTH_NONDRAINED_IDLE);
}

static void health_ask_controller(struct health *h) {
        Slumber__NodeUse question = SLUMBER__NODE_USE__INIT;

        ENVELOPE(env, NODE_USE, node_use, &question);
        upstream_send(h->agent, &env);
}

void health_used(struct agent *a, unsigned states) {
        struct health *h = a->health;

        if (h && *h->program && h->tick && health_asked_states(h) & states)
                health_run_check(h);
}

static int on_tick(sd_event_source *source, uint64_t t, void *user) {
        struct health *h = user;

        (void)t;
        if (health_is_wanted(h))
                health_run_check(h);
        else if (health_asked_states(h))
                health_ask_controller(h);
        (void)sd_event_source_set_time_relative(source, h->interval);
        return sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
}

/* Starts the timer of the interval. CYCLE: the first interval is random, which spreads nodes
   started together. */
static void set_timer(struct health *h) {
        bool on = *h->program && h->interval && !(h->states & HEALTH_START);
        usec_t first = h->states & HEALTH_CYCLE ? h->interval * ((usec_t)random() % 1024 + 1) / 1024
                                                : h->interval;

        h->tick = sd_event_source_disable_unref(h->tick);
        if (on && sd_event_add_time_relative(h->agent->event, &h->tick, CLOCK_MONOTONIC, first,
                                  USEC_PER_SEC / 10, on_tick, h) < 0)
                log_error(0, "HealthCheckProgram: there is no timer: this node is not checked");
}

void health_configure(struct agent *a, const struct health_wish *w) {
        struct health *h = a->health;

        if (!h)
                h = a->health = xnew0(struct health, 1);
        else if (streq(h->program, strempty(w->program)) && h->interval == w->interval &&
                        h->states == w->states && h->timeout == w->timeout)
                return;
        h->agent = a;
        free_and_strdup(&h->program, strempty(w->program));
        h->interval = w->interval;
        h->timeout = w->timeout ? w->timeout : LIMIT;
        h->states = w->states;
        set_timer(h);
        if (h->started || !*h->program)
                return;
        h->started = true;
        if (h->states & HEALTH_REBOOT && boot_is_checked(a))
                return;
        health_run_check(h);
        h->of_boot = h->running;
        h->first = h->running && !a->controller &&
                   sd_event_add_time_relative(a->event, &h->first_due, CLOCK_MONOTONIC,
                                   h->timeout + DIES, USEC_PER_SEC / 10, on_first_due, h) >= 0;
}

bool health_first(const struct agent *a) {
        return a->health && a->health->first;
}

void health_done(struct agent *a) {
        struct health *h = TAKE(a->health);

        if (!h)
                return;
        sd_event_source_disable_unref(h->tick);
        sd_event_source_disable_unref(h->first_due);
        program_free(h->running);
        free(h->program);
        free(h->complaint);
        free(h);
}
