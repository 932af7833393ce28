/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events of a node's life (power-saving guide, "node life cycle"; node.c has the table of power
 * states).
 *
 * Order: setters, power events, programs running for the node, registration, loss.  Invariants: a
 * node in POWERING_DOWN or POWERING_UP has a deadline; a lost node has a deadline; an event of a
 * node takes effect on the node's jobs in the same call. */
#include "controller/nodes/node_events.h"

#include "controller/indexes/changed.h"
#include "controller/indexes/listen.h"
#include "controller/indexes/node_deadline.h"
#include "controller/jobs/alloc.h"
#include "controller/jobs/job_events.h"
#include "controller/model/abilities.h"
#include "controller/model/node_features.h"
#include "controller/model/node_log.h"
#include "controller/nodes/audit.h"
#include "controller/nodes/brake.h"
#include "controller/nodes/outcome.h"
#include "controller/nodes/reboot.h"
#include "controller/nodes/veto.h"

void node_fail_jobs(struct cluster *c, struct node *n, usec_t now) {
        while (n->n_jobs) {
                size_t before = n->n_jobs;
                job_node_failed(c, n->jobs[n->n_jobs - 1], n, now);
                assert(n->n_jobs < before);
        }
}

void node_down(struct cluster *c, struct node *n, const char *reason, usec_t now) {
        if (reason && isempty(n->reason))
                node_set_reason(c, n, reason, c->config->slurm_uid, now);
        cluster_log(c, 0, n, "Node %s is down: %s", n->name, strna(n->reason));
        node_set_base(c, n, NODE_DOWN, now);
        node_fail_jobs(c, n, now);
}

void node_boot_failed(struct cluster *c, struct node *n, const char *text, usec_t now) {
        if (isempty(n->reason)) {
                node_set_reason(c, n, text, c->config->slurm_uid, now);
        } else if (!strstr(n->reason, text)) {
                _cleanup_free_ char *both = xasprintf("%s : %s", n->reason, text);
                node_set_reason(c, n, both, c->config->slurm_uid, now);
        }
        n->flags &= ~(unsigned)(NODE_DRAIN | NODE_POWER_DOWN_WANTED | NODE_POWER_FORCED |
                                NODE_POWER_DRAIN | NODE_POWER_UP_WANTED);
        n->flags &= ~(unsigned)NODE_NOT_RESPONDING; /* off is different from not responding */
        n->tries = 0;
        if (!(n->flags & NODE_BY_HAND)) /* else no ResumeProgram has failed */
                bitset_add(c->boot_failed, n->index);
        n->flags &= ~(unsigned)NODE_BY_HAND;
        node_down(c, n, NULL, now);
}

/* Clears everything known from the ended boot. */
static void forget_boot(struct cluster *c, struct node *n) {
        n->last_busy = n->confirmed = 0;
        node_features_forget(n);
        n->n_strays = 0;
        if (n->connected) /* slumberd, if still running, must register again */
                effects_add(&c->effects, FX_DISCONNECT)->node = n;
        n->connected = false;
        n->watts = 0;
        n->flags &= ~(unsigned)NODE_INVALID_REG;
        free_and_strdup(&n->veto, NULL);
        free_and_strdup(&n->instance_id, NULL);
        free_and_strdup(&n->instance_type, NULL);
        if (n->flags & NODE_CLOUD) {
                n->flags &= ~(unsigned)NODE_ADDRESS_SET;
                free_and_strdup(&n->address, n->name);
                free_and_strdup(&n->hostname, n->name);
        }
}

/* The power of n is unknown: a slumberd that still runs proves power by a new connection; else the
   power-off is retried at retry_at. */
static void node_doubt_power(struct cluster *c, struct node *n, usec_t now) {
        if (n->connected)
                effects_add(&c->effects, FX_DISCONNECT)->node = n;
        n->connected = false;
        n->lost_since = now;
        if (n->last_busy == 0)
                n->last_busy = now;
        n->flags |= NODE_NOT_RESPONDING;
}

/* Returns whether POWER_DOWN, wanted by PowerDownOnIdle or a user, waits for the end of n's jobs;
   the request survives earlier operations on n. */
static bool is_for_later(const struct node *n) {
        return n->n_jobs && n->wish_uid != WISH_OF_BRAKE;
}

/* A program is about to run for n. */
static void node_note_request(struct cluster *c, struct node *n, enum node_event event,
                enum node_power from, usec_t now) {
        unsigned wish = event == NODE_SUSPENDED ? NODE_POWER_DOWN_WANTED : NODE_POWER_UP_WANTED;
        bool by_hand = n->flags & wish;

        if (!by_hand)
                free_and_strdup(&n->action, NULL);

        if (event == NODE_SUSPENDED && from != NODE_ON)
                n->tries = 0;
        n->tries++;
        n->power_request = now;
        n->confirmed = n->retry_at = 0;
        if (event == NODE_SUSPENDED)
                n->suspended_at = now;
        n->program_started = false;
        bitset_del(c->to_suspend, n->index);
        bitset_del(c->to_resume, n->index);
        n->flags &= ~(unsigned)(NODE_POWER_FORCED | NODE_POWER_UP_WANTED | NODE_WISHED);
        n->flags |= by_hand ? NODE_WISHED : 0;
        if (!is_for_later(n))
                n->flags &= ~(unsigned)NODE_POWER_DOWN_WANTED;
}

/* Treats n as if a program had been run. */
static void node_assume_switched_on(struct node *n, usec_t now) {
        n->power_request = now;
        n->confirmed = n->retry_at = 0;
        n->program_started = true; /* no program is to be started */
        n->flags |= NODE_BY_HAND | NODE_NOT_RESPONDING;
}

/* Earlier failures are obsolete. */
static void went_well(struct node *n) {
        outcome_forgive(n);
        free_and_strdup(&n->action, NULL);
        n->common_at = 0;
}

int node_power_event(struct cluster *c, struct node *n, enum node_event event, usec_t now) {
        struct node_move m;
        enum node_power from = n->power;
        bool by_hand = n->flags & NODE_BY_HAND;
        int r = node_power_step(from, event, &m);

        if (r < 0)
                return r;
        n->power = m.to;
        n->late = false;
        if (event != NODE_SETTLED)
                audit_forget(c, n, event, now);
        if (event != NODE_SUSPENDED)
                n->flags &= ~(unsigned)NODE_BOOT_REMAINS;
        if (event == NODE_SWITCHED_ON)
                node_assume_switched_on(n, now);
        else if (event != NODE_BOOT_EXPIRED)
                n->flags &= ~(unsigned)NODE_BY_HAND;
        if (event == NODE_SUSPENDED || event == NODE_RESUMED)
                node_note_request(c, n, event, from, now);
        if (event == NODE_SETTLED || (event == NODE_REGISTERED && from != NODE_ON))
                went_well(n);
        if (event == NODE_REGISTERED)
                free_and_strdup(&n->wake_error, NULL);
        if (event == NODE_GIVEN_UP) { /* earlier boots were of a machine that is gone */
                n->suspended_at = n->retry_at = 0;
                n->flags &= ~(unsigned)NODE_NOT_RESPONDING;
        }
        if (event == NODE_SUSPENDED)
                n->flags &= ~(unsigned)NODE_NOT_RESPONDING;
        if (event == NODE_SUSPENDED && !is_for_later(n))
                n->flags &= ~(unsigned)((n->flags & NODE_POWER_DRAIN ? NODE_DRAIN : 0) |
                                        NODE_POWER_DRAIN);
        if (event == NODE_RESUMED)
                n->flags |= NODE_NOT_RESPONDING;
        /* the reason for the power-off and earlier faults are obsolete */
        if (event == NODE_RESUMED && !node_is_out_of_service(n))
                node_set_reason(c, n, NULL, 0, now);
        if (m.effects & NODE_FX_FORGET)
                forget_boot(c, n);
        if (m.effects & NODE_FX_SILENT)
                node_doubt_power(c, n, now);
        if (m.effects & NODE_FX_BUSY)
                n->last_busy = now;
        if (from != m.to)
                node_log(c, n, now, ": %s, %s -> %s", node_event_text((int)event),
                                node_power_text((int)from), node_power_text((int)m.to));
        if (from != m.to && m.to == NODE_POWERED_DOWN && n->flags & NODE_CLOUD && !n->dynamic) {
                /* the next instance of the name may be elsewhere in the topology */
                free(TAKE(n->place_told));
                if (n->moved_to)
                        note(c, FACT_PLACE_LEFT);
                free(TAKE(n->moved_to));
        }
        cluster_node_changed(c, n, now);
        if (m.effects & NODE_FX_DOWN)
                node_boot_expired(c, n, now);
        /* a POWERED_DOWN node had been given up for the exit status of ResumeProgram only */
        if (event == NODE_REGISTERED && !by_hand &&
                        (from == NODE_POWERING_UP ||
                                        (from == NODE_POWERED_DOWN && c->brake.by_exit)))
                brake_wake_worked(c, n, WAKE_BOOTED, now);
        return 0;
}

/* ---- programs that run for a node ---- */

static void node_count_programs(struct cluster *c, struct node *n, uint32_t *programs, int by,
                usec_t now) {
        if (by < 0 && !*programs) /* the node was configured anew and the count is lost */
                return;
        *programs += (uint32_t)by;
        node_rearm(c, n, now);
}

void node_suspending(struct cluster *c, struct node *n, int by, usec_t now) {
        node_count_programs(c, n, &n->suspending, by, now);
}

void node_resuming(struct cluster *c, struct node *n, int by, usec_t now) {
        node_count_programs(c, n, &n->resuming, by, now);
}

void node_found_suspending(struct cluster *c, struct node *n, usec_t since, usec_t now) {
        if (n->power_request || n->base == NODE_FUTURE ||
                        node_power_event(c, n, NODE_SUSPENDED, now) < 0)
                return;
        n->power_request = since;
        n->program_started = true;
        if (n->base == NODE_UNKNOWN) /* a sleeping node is in service */
                node_set_base(c, n, NODE_IDLE, now);
        node_rearm(c, n, now);
}

/* ---- registration and loss ---- */

static int check_hardware(const struct cluster *c, const struct node *n,
                const struct node_hardware *h, struct fail *fail) {
        double percent = c->config->node_reg_mem_percent;

        if (c->config->config_overrides)
                return 0;
        if (percent <= 0)
                percent = n->flags & NODE_CLOUD ? 90 : 100;
        if (h->cpus < n->configured.cpus)
                return fail_set(fail, -EINVAL, "Low socket*core*thread count, Low CPUs (%u < %u)",
                                h->cpus, n->configured.cpus);
        if ((double)h->memory < (double)n->configured.memory * percent / 100)
                return fail_set(fail, -EINVAL,
                                "Low RealMemory (reported:%llu < %.2f%% of configured:%llu)",
                                (unsigned long long)h->memory, percent,
                                (unsigned long long)n->configured.memory);
        if (h->tmp_disk < n->configured.tmp_disk)
                return fail_set(fail, -EINVAL, "Low TmpDisk (reported:%llu < configured:%llu)",
                                (unsigned long long)h->tmp_disk,
                                (unsigned long long)n->configured.tmp_disk);
        return 0;
}

/* The boot time may be rounded to seconds. */
static bool booted_since(const struct registration *reg, usec_t t) {
        return reg->boot_time >= t / USEC_PER_SEC * USEC_PER_SEC;
}

static bool registration_is_stale(const struct node *n, const struct registration *reg) {
        if (n->flags & NODE_BY_HAND)
                return false; /* the node was off, and may have booted before the BMC was read */
        if (n->power == NODE_POWERING_UP || n->flags & NODE_REBOOT_ISSUED)
                return !booted_since(reg, n->power_request);
        /* past SuspendTimeout, but the running program has yet to cut the power */
        if (n->power == NODE_POWERED_DOWN && n->suspending)
                return !booted_since(reg, n->power_request);
        return n->power == NODE_POWERING_DOWN && reg->boot_time < node_power_deadline(n);
}

/* SlurmctldParameters=cloud_reg_addrs: the address of the registration overrides any set
   address. */
static bool takes_address(const struct cluster *c, const struct node *n) {
        bool tells = n->flags & (NODE_CLOUD | NODE_DYNAMIC_FUTURE) || n->dynamic;

        return tells && (c->config->cloud_reg_addrs || !(n->flags & NODE_ADDRESS_SET));
}

/* ---- a slumberd that survives a power-off ---- */

/* Pause before SuspendProgram runs again; doubled each time. */
#define STAYS_ON_PAUSE     (60 * USEC_PER_SEC)
#define STAYS_ON_PAUSE_MAX (3600 * USEC_PER_SEC)

static const char stays_on_text[] =
                "still on after power-off: its agent answers with the boot of before";

/* SuspendProgram did nothing or reached the wrong BMC. */
static bool outlived_suspend(const struct node *n, const struct registration *reg) {
        return n->suspended_at && !n->suspending &&
               !(n->flags & (NODE_BY_HAND | NODE_REBOOT_ISSUED)) &&
               !booted_since(reg, n->suspended_at);
}

/* Returns whether n, wanted again, has never powered off.  A power-off may take SuspendTimeout;
   after SuspendTimeout the controller no longer waits for a boot. */
static bool never_went_off(const struct node *n, const struct registration *reg, usec_t now) {
        usec_t patience = MIN(n->suspend_timeout, n->resume_timeout / 2);

        return n->power == NODE_POWERING_UP && outlived_suspend(n, reg) &&
               now >= n->power_request + patience;
}

/* n has registered from the earlier boot: jobs may use n, and the power-off is retried later. */
static void note_stays_on(struct cluster *c, struct node *n, usec_t now) {
        usec_t pause = STAYS_ON_PAUSE << MIN(n->stays_on, 6u);

        n->stays_on++;
        n->retry_at = now + MIN(pause, STAYS_ON_PAUSE_MAX);
        free_and_strdup(&n->power_error, stays_on_text);
        if (isempty(n->reason))
                node_set_reason(c, n, stays_on_text, c->config->slurm_uid, now);
        cluster_log(c, 0, n,
                        "Node %s is %s (does power.yaml name its own BMC?); it is switched off again in %llu s at the earliest",
                        n->name, stays_on_text,
                        (unsigned long long)(MIN(pause, STAYS_ON_PAUSE_MAX) / USEC_PER_SEC));
}

/* n has booted anew, with or without a power-off of ours. */
static void note_went_off(struct cluster *c, struct node *n, usec_t now) {
        n->stays_on = 0;
        if (n->power_error && streq(n->power_error, stays_on_text)) {
                outcome_forgive(n);
                n->last_busy = now;
        }
        if (n->reason && streq(n->reason, stays_on_text))
                node_set_reason(c, n, NULL, 0, now);
}

static void take_facts(const struct cluster *c, struct node *n, const struct registration *reg,
                bool rebooted) {
        const struct {
                char **field;
                const char *value;
                bool always;
        } texts[] = {
                { &n->version, reg->version, true },
                { &n->system_uuid, reg->system_uuid, true },
                { &n->system_serials, reg->system_serials, true },
                { &n->system_macs, reg->system_macs, true },
                { &n->arch, reg->arch, true },
                { &n->os, reg->os, true },
                { &n->instance_id, reg->instance_id, rebooted },
                { &n->instance_type, reg->instance_type, rebooted },
                { &n->extra, reg->extra, rebooted },
                { &n->address, reg->address, takes_address(c, n) },
        };

        for (size_t i = 0; i < ELEMENTSOF(texts); i++)
                if (texts[i].always && !isempty(texts[i].value))
                        free_and_strdup(texts[i].field, texts[i].value);
        n->reclaims = reg->reclaims;
        n->swap_free = reg->swap_free;
        n->lacks = reg->lacks;
        free_and_strdup(&n->no_reclaim,
                        reg->reclaims || isempty(reg->no_reclaim) ? NULL : reg->no_reclaim);
        n->registered = reg->hardware;
        n->free_memory_mb = (uint32_t)MIN(reg->free_memory, (uint64_t)UINT32_MAX);
        n->load_100 = reg->load_100;
        n->boot_time = reg->boot_time;
        n->start_time = reg->start_time;
}

/* Power-saving guide: a node booting after ResumeTimeout gets a new reason; a reason set by a user
   stays. */
static bool booted_too_late(const struct node *n, const struct registration *reg) {
        return strncmp(strempty(n->reason), RESUME_TIMEOUT_REASON, strlen(RESUME_TIMEOUT_REASON)) ==
                               0 &&
               booted_since(reg, n->power_request);
}

/* Power-saving guide: ReturnToService decides whether a node that was DOWN or rebooted unexpectedly
   returns to service. */
static void return_to_service(struct cluster *c, struct node *n, const struct registration *reg,
                bool rebooted, bool awaited, usec_t now) {
        static const char unexpected[] = "Node unexpectedly rebooted";
        uint32_t rule = c->config->return_to_service;
        bool silent = n->reason && strncmp(n->reason, "Not responding", 14) == 0;

        if (n->base == NODE_UNKNOWN || n->base == NODE_FUTURE) {
                node_set_base(c, n, NODE_IDLE, now);
        } else if (n->base == NODE_IDLE) {
                if (rebooted && !awaited && rule != 2)
                        node_down(c, n, unexpected, now);
        } else if (rule == 2 || (rule == 1 && silent && (awaited || !rebooted))) {
                node_set_reason(c, n, NULL, 0, now);
                node_set_base(c, n, NODE_IDLE, now);
                n->last_busy = now;
        } else if (booted_too_late(n, reg) || (rebooted && !awaited && isempty(n->reason))) {
                node_set_reason(c, n, unexpected, c->config->slurm_uid, now);
        }
}

void node_gres_reported(struct cluster *c, struct node *n, const struct node_gres_found *found,
                usec_t now) {
        struct fail fail = { 0 };

        if (!isempty(found->problem))
                cluster_log(c, 0, n, "Node %s: %.500s", n->name, found->problem);
        if (gres_detected(n, c->config, found->cores, found->n_cores))
                cluster_node_changed(c, n, now);
        if (gres_reported(n, found->counts, &fail) >= 0) {
                /* the node stays drained */
                if (n->flags & NODE_INVALID_REG && n->reason && strncmp(n->reason, "gres/", 5) == 0)
                        node_flag(c, n, 0, NODE_INVALID_REG, now);
                return;
        }
        cluster_log(c, 0, n, "Node %s: %s", n->name, fail.text);
        _cleanup_free_ char *reason = isempty(found->problem) ? xstrdup(fail.text)
                                                              : xasprintf("%s: %.200s", fail.text,
                                                                                found->problem);
        if (!(n->flags & NODE_DRAIN) || isempty(n->reason))
                node_set_reason(c, n, reason, c->config->slurm_uid, now);
        node_flag(c, n, NODE_INVALID_REG | NODE_DRAIN, 0, now);
        cluster_node_changed(c, n, now);
}

#define ADDRESS_MAX 64

void node_set_bmc_address(struct cluster *c, struct node *n, const char *address, const char *mac,
                usec_t now) {
        if (isempty(address) || strlen(address) > ADDRESS_MAX ||
                        strlen(strempty(mac)) > ADDRESS_MAX ||
                        (streq(strempty(n->bmc_address), address) &&
                                        streq(strempty(n->bmc_mac), strempty(mac))))
                return;
        free_and_strdup(&n->bmc_address, address);
        free_and_strdup(&n->bmc_mac, mac);
        cluster_log(c, 0, n, "Node %s: its BMC is at %s", n->name, address);
        cluster_node_changed(c, n, now);
}

/* -EINVAL with fail: n has less than configured.  *ret_other_image: n has woken without the
   features that jobs of n ask for. */
static int check_found(const struct cluster *c, struct node *n, const struct registration *reg,
                bool *ret_other_image, struct fail *fail) {
        int r = abilities_check(c->config, n, reg->lacks, fail);

        if (r >= 0)
                r = check_hardware(c, n, &reg->hardware, fail);
        *ret_other_image = false;
        if (r < 0)
                return r;
        if (n->power == NODE_ON || n->flags & NODE_CLOUD)
                return node_features_reported(n, reg->active_features, fail);
        *ret_other_image = !node_features_woken(n, reg->active_features);
        return r;
}

/* n stays registered and is drained; without kill, running jobs may end. */
static void refuse_service(struct cluster *c, struct node *n, const char *why, bool kill,
                usec_t now) {
        if (n->base == NODE_UNKNOWN)
                node_set_base(c, n, NODE_IDLE, now);
        node_set_reason(c, n, why, c->config->slurm_uid, now);
        node_flag(c, n, NODE_INVALID_REG | NODE_DRAIN, 0, now);
        if (kill)
                node_fail_jobs(c, n, now);
}

void node_check_abilities(struct cluster *c, struct node *n, usec_t now) {
        struct fail fail = { 0 };

        if (abilities_check(c->config, n, n->lacks, &fail) >= 0)
                return;
        refuse_service(c, n, fail.text, false, now);
        cluster_node_changed(c, n, now);
}

int node_register(struct cluster *c, struct node *n, const struct registration *reg, usec_t now,
                struct fail *fail) {
        bool stays_on = never_went_off(n, reg, now) ||
                        (n->power == NODE_POWERED_DOWN && outlived_suspend(n, reg));

        if (registration_is_stale(n, reg) && !stays_on)
                return fail_set(fail, -EAGAIN, "this is an earlier boot");

        bool rebooted = n->last_response == 0 || reg->boot_time > n->last_response;
        bool awaited = n->power == NODE_POWERING_UP || n->flags & NODE_REBOOT_ISSUED;
        bool asleep = n->power != NODE_ON;
        bool fresh = n->base == NODE_UNKNOWN;
        unsigned lacked = n->lacks;
        bool other_image;
        int r = check_found(c, n, reg, &other_image, fail);

        take_facts(c, n, reg, rebooted);
        bool issued = n->flags & NODE_REBOOT_ISSUED;
        if (issued)
                reboot_done(c, n, now);
        if (!stays_on && (asleep || booted_since(reg, n->suspended_at)))
                note_went_off(c, n, now);
        if (!issued && r >= 0)
                return_to_service(c, n, reg, rebooted && n->last_response, awaited, now);
        n->last_response = now;
        n->connected = true;
        if (fresh)
                n->last_busy = now;
        n->flags &= ~(unsigned)(NODE_NOT_RESPONDING | NODE_POWER_UP_WANTED |
                                (r >= 0 ? NODE_INVALID_REG : 0));
        if (n->power == NODE_POWERING_UP && !stays_on)
                node_add_boot(n, now - MIN(now, n->power_request));
        (void)node_power_event(c, n, NODE_REGISTERED, now);
        if (stays_on)
                note_stays_on(c, n, now);
        if (other_image)
                reboot_woken(c, n, now);
        c->features_moment += lacked != n->lacks;
        /* the node may have the features that a job waits for, or be rebooted into them */
        if (n->changeable)
                note(c, FACT_NODE_USABLE);
        if (r < 0)
                refuse_service(c, n, fail ? fail->text : "Low hardware", asleep || awaited, now);
        if (reg->veto)
                node_set_veto(c, n, reg->veto, now);
        node_set_bmc_address(c, n, reg->bmc_address, reg->bmc_mac, now);
        jobs_reconcile(c, n, reg->jobs, reg->n_jobs, now);
        listen_ask(c, n, now);
        cluster_node_changed(c, n, now);
        return r;
}

void node_lost(struct cluster *c, struct node *n, usec_t silent, usec_t now) {
        n->connected = false;
        n->watts = 0;
        if (n->power != NODE_ON || n->flags & NODE_NOT_RESPONDING)
                return;
        cluster_log(c, 0, n, "Node %s: its agent's connection is lost", n->name);
        n->lost_since = now - MIN(silent, now);
        node_flag(c, n, NODE_NOT_RESPONDING, 0, now);
        audit_lost(c, n, now);
}

bool node_heard(struct cluster *c, struct node *n, usec_t now, uint32_t load_100,
                uint64_t free_memory) {
        bool again = n->flags & NODE_NOT_RESPONDING && n->connected && n->power == NODE_ON &&
                     !(n->flags & NODE_REBOOT_ISSUED);

        if (again) /* an admin had set NORESP */
                node_flag(c, n, 0, NODE_NOT_RESPONDING, now);
        n->last_response = now;
        if (n->answer_due)
                cluster_log(c, 0, n,
                                "Node %s: its BMC reads off, but its agent answers: does power.yaml name the right one?",
                                n->name);
        n->answer_due = 0;
        n->load_100 = load_100;
        n->free_memory_mb = (uint32_t)MIN(free_memory, (uint64_t)UINT32_MAX);
        return again;
}

void energy_reading(struct cluster *c, struct node *n, uint64_t milliwatts, usec_t now) {
        uint64_t before = n->energy.reading,
                 difference = MAX(before, milliwatts) - MIN(before, milliwatts);

        if (n->energy.read_in == (unsigned)n->power && difference <= before / 20)
                return;
        n->energy.reading = milliwatts;
        n->energy.read_in = (unsigned)n->power;
        if (n->power == NODE_ON && n->n_jobs == 0)
                n->energy.idle_reading = milliwatts;
        cluster_node_changed(c, n, now);
}
