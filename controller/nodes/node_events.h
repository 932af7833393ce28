/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/nodes/node_events.h - events of a node: registration, loss, timeouts, admin
 * requests */
#pragma once

#include "controller/model/cluster.h"
#include "lib/errors.h"

struct found_job;

struct registration {
        const char *veto;        /* NULL: slumberd does not know yet */
        const char *bmc_address; /* "" or NULL: slumberd does not know (yet) */
        const char *bmc_mac;     /* "" or NULL: not known (yet) */
        /* the identity of the machine; "" or NULL: not known */
        const char *system_uuid, *system_serials, *system_macs;
        bool reclaims;          /* memory of frozen jobs can be moved to swap */
        const char *no_reclaim; /* why memory cannot be reclaimed */
        uint64_t swap_free;     /* MB */
        unsigned lacks;         /* enum slumberd_ability: bits that slumberd did not name */
        const char *version, *arch, *os, *address, *instance_id, *instance_type, *extra,
                        *active_features;
        struct node_hardware hardware;
        uint64_t free_memory;
        uint32_t load_100;
        usec_t boot_time, start_time; /* by the controller's clock */
        const struct found_job *jobs; /* job_events.h */
        size_t n_jobs;
};

/* The reason that node_boot_expired() sets. */
#define RESUME_TIMEOUT_REASON "ResumeTimeout reached"
/* Registers n.  -EAGAIN: the registration is from an earlier boot than the awaited boot (or n is
   still powering down): nothing changes.  -EINVAL: n is registered but drained, because the
   hardware is less than configured or slumberd lacks an ability that the configuration needs; fail
   says what is missing. */
int node_register(struct cluster *c, struct node *n, const struct registration *reg, usec_t now,
                struct fail *fail);
/* Drains n if slumberd lacks an ability that a new configuration demands for every job. */
void node_check_abilities(struct cluster *c, struct node *n, usec_t now);
/* The connection of n's slumberd is lost.  silent: time since the last message (0: the connection
   was closed); SlurmdTimeout counts from the last message. */
void node_lost(struct cluster *c, struct node *n, usec_t silent, usec_t now);
/* slumberd has found this number of each generic resource; with fewer than configured the node is
   drained. */
struct node_gres_found {
        const uint64_t *counts;
        const char *problem; /* error of the GPU detection; "" or NULL: none */
        char *const *cores;  /* cores near each GPU found; "" = all cores */
        size_t n_cores;
};
void node_gres_reported(struct cluster *c, struct node *n, const struct node_gres_found *found,
                usec_t now);
/* slumberd has read the address of the node's BMC. */
void node_set_bmc_address(struct cluster *c, struct node *n, const char *address, const char *mac,
                usec_t now);
/* A heartbeat of n.  Returns whether n is responding again. */
bool node_heard(struct cluster *c, struct node *n, usec_t now, uint32_t load_100,
                uint64_t free_memory);
/* Add `by` (1 or -1) to the number of SuspendPrograms (ResumePrograms) running for n. */
void node_suspending(struct cluster *c, struct node *n, int by, usec_t now);
void node_resuming(struct cluster *c, struct node *n, int by, usec_t now);
/* A SuspendProgram has been running for n since `since`.  A node removed from the configuration and
   put back has lost the fact: n becomes POWERING_DOWN. */
void node_found_suspending(struct cluster *c, struct node *n, usec_t since, usec_t now);

/* The boot of n has failed: n goes DOWN, `why` is appended to the reason of n, and the jobs of n
   are killed or requeued. */
void node_boot_failed(struct cluster *c, struct node *n, const char *why, usec_t now);

int node_power_event(struct cluster *c, struct node *n, enum node_event event, usec_t now);
/* Sets n DOWN; jobs of n are killed or requeued.  reason may be NULL. */
void node_down(struct cluster *c, struct node *n, const char *reason, usec_t now);
/* Takes n from all jobs of n, which are killed or requeued. */
void node_fail_jobs(struct cluster *c, struct node *n, usec_t now);

/* Carries out "scontrol update NodeName= State=word"; Slurm's abbreviations are accepted, reason
   may be NULL. */
enum slumber_error node_admin(struct cluster *c, struct node *n, const char *word,
                const char *reason, uid_t uid, usec_t now);
/* Returns why the request for n was refused: the state of n, or the rule that forbids the request.
   The caller frees. */
char *node_refusal(const struct cluster *c, const struct node *n, const char *word,
                enum slumber_error e);
/* ResumeAfter: a DOWN or drained node is resumed automatically after `after`; NO_LIMIT cancels. */
enum slumber_error node_resume_after(struct cluster *c, struct node *n, usec_t after, usec_t now);
void node_resume_due(struct cluster *c, struct node *n, usec_t now);
/* A reading of n's BMC.  A reading that differs by less than a twentieth from the previous reading
   is ignored, because every heartbeat brings a reading. */
void energy_reading(struct cluster *c, struct node *n, uint64_t milliwatts, usec_t now);
