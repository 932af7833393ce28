/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/nodes/node_events.h - what may happen to a node: it registers, is lost, times out, an
   admin wants something */
#pragma once

#include "controller/model/cluster.h"
#include "lib/errors.h"

struct found_job;

struct registration {
        const char *veto;        /* NULL: it does not know yet */
        const char *bmc_address; /* "" or NULL: it does not know (yet) */
        const char *bmc_mac;     /* likewise */
        const char *system_uuid, *system_serials, *system_macs; /* of its machine; likewise */
        bool reclaims;          /* memory of frozen jobs can be pushed out... */
        const char *no_reclaim; /* ... why not */
        uint64_t swap_free;     /* MB */
        unsigned lacks;         /* enum slumberd_ability that it has not named */
        const char *version, *arch, *os, *address, *instance_id, *instance_type, *extra,
                        *active_features;
        struct node_hardware hardware;
        uint64_t free_memory;
        uint32_t load_100;
        usec_t boot_time, start_time; /* in the controller's clock */
        const struct found_job *jobs; /* job_events.h */
        size_t n_jobs;
};

/* What node_boot_expired() says. */
#define RESUME_TIMEOUT_REASON "ResumeTimeout reached"
/* -EAGAIN: it is the boot before the one that is awaited (or still going down): not believed,
   nothing changes. -EINVAL: registered, but its hardware is less than configured, or its slumberd
   cannot do what is: fail says what is missing, the node is drained. */
int node_register(struct cluster *c, struct node *n, const struct registration *reg, usec_t now,
                struct fail *fail);
/* After a new configuration: n is drained when its agent lacks what each job has there now. */
void node_check_abilities(struct cluster *c, struct node *n, usec_t now);
/* Its agent's connection is gone; silent: for so long nothing had come on it (0: it was closed).
   SlurmdTimeout counts from the last word. */
void node_lost(struct cluster *c, struct node *n, usec_t silent, usec_t now);
/* Its agent has found so many of each of its generic resources: with fewer than are configured it
   is drained. */
struct node_gres_found {
        const uint64_t *counts;
        const char *problem; /* of the detection of GPUs; "" or NULL: none */
        char *const *cores;  /* near each GPU, "" = all; of those that were found */
        size_t n_cores;
};
void node_gres_reported(struct cluster *c, struct node *n, const struct node_gres_found *found,
                usec_t now);
/* Its agent has read where its BMC is. */
void node_set_bmc_address(struct cluster *c, struct node *n, const char *address, const char *mac,
                usec_t now);
/* A heartbeat; true: something has changed. */
bool node_heard(struct cluster *c, struct node *n, usec_t now, uint32_t load_100,
                uint64_t free_memory);
/* One more SuspendProgram runs for it, or one less; and ResumeProgram. */
void node_suspending(struct cluster *c, struct node *n, int by, usec_t now);
void node_resuming(struct cluster *c, struct node *n, int by, usec_t now);
/* One runs for it since then. A node that has been taken out of the configuration and put back does
   not know: it is on its way off. */
void node_found_suspending(struct cluster *c, struct node *n, usec_t since, usec_t now);

/* Its boot has come to nothing: DOWN for that reason, after its own; its jobs are killed or
   requeued. */
void node_boot_failed(struct cluster *c, struct node *n, const char *why, usec_t now);

int node_power_event(struct cluster *c, struct node *n, enum node_event event, usec_t now);
/* its jobs are killed or requeued */
void node_down(struct cluster *c, struct node *n, const char *reason, usec_t now);
/* likewise: they have lost it */
void node_fail_jobs(struct cluster *c, struct node *n, usec_t now);

/* One of Slurm's words for "scontrol update nodename= state=", abbreviations included; reason may
   be NULL. */
enum slumber_error node_admin(struct cluster *c, struct node *n, const char *word,
                const char *reason, uid_t uid, usec_t now);
/* Which node was refused what it was asked for, and why: in what state it is, or what forbids
   it. */
char *node_refusal(const struct cluster *c, const struct node *n, const char *word,
                enum slumber_error e);
/* ResumeAfter: one that is DOWN or drained is resumed by itself after so long; NO_LIMIT: that is
   taken back. */
enum slumber_error node_resume_after(struct cluster *c, struct node *n, usec_t after, usec_t now);
void node_resume_due(struct cluster *c, struct node *n, usec_t now);
/* Its BMC says so. What differs by less than a twentieth from the last reading changes nothing:
   heartbeats bring readings. */
void energy_reading(struct cluster *c, struct node *n, uint64_t milliwatts, usec_t now);
