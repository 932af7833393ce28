/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/node.h - a node: hardware, state, power, and the resources that jobs hold
 *
 * A node's state consists of three fields, each written by one function: base (node_set_base()),
 * power (node_power_event()) and flags (node_flag()). "Allocated", "mixed" and "completing" are not
 * stored but derived from the node's jobs.  node_state_text(), node_state_short() and
 * node_state_long() join the three fields for display (power-saving guide, "node life cycle"). */
#pragma once

#include "controller/model/energy.h"
#include "lib/bitset.h"
#include "lib/config/config.h"
#include "lib/fail.h"
#include "lib/strtab.h"

#include <sys/types.h>

struct helpers;
struct job;
struct partition;
struct resv;

enum node_base {
        NODE_UNKNOWN, /* configured, not registered yet */
        NODE_DOWN,
        NODE_IDLE, /* registered and in service, with or without jobs */
        NODE_FUTURE,
        NODE_BASE_MAX,
};

enum node_power {
        NODE_POWER_NONE, /* no state: the table's entry for an illegal move */
        NODE_ON,
        NODE_POWERING_DOWN,
        NODE_POWERED_DOWN,
        NODE_POWERING_UP,
        NODE_POWER_MAX,
};

enum node_event {
        NODE_SUSPENDED,      /* SuspendProgram is started for the node */
        NODE_SETTLED,        /* SuspendTimeout has passed, or an admin ended the wait */
        NODE_RESUMED,        /* ResumeProgram is started for the node */
        NODE_REGISTERED,     /* the agent has registered since the last resume */
        NODE_BOOT_EXPIRED,   /* ResumeTimeout has passed before the agent registered */
        NODE_SUSPEND_FAILED, /* SuspendProgram reports failure: the power is unknown */
        NODE_BOOT_FAILED,    /* ResumeProgram reports failure */
        NODE_SWITCHED_ON,    /* the BMC reads on, though no program switched the node on */
        NODE_GIVEN_UP,     /* "power up force": an admin says the node is off, whatever is known */
        NODE_TAKEN_FOR_ON, /* "reboot force": an admin says the node is on */
        NODE_EVENT_MAX,
};

enum node_flag {
        NODE_CLOUD = 1 << 0,
        NODE_DRAIN = 1 << 1,
        NODE_FAIL = 1 << 2,
        NODE_INVALID_REG = 1 << 3,
        NODE_POWER_DOWN_WANTED = 1 << 4, /* POWER_DOWN: switched off when idle */
        NODE_POWER_UP_WANTED = 1 << 5,   /* POWER_UP */
        /* DRAIN was set by POWER_DOWN_ASAP, or is to end after POWER_DOWN_FORCE: cleared with
           POWER_DOWN */
        NODE_POWER_DRAIN = 1 << 6,
        NODE_NOT_RESPONDING = 1 << 7,
        NODE_POWER_FORCED = 1 << 8,  /* POWER_DOWN does not wait for the end of a boot */
        NODE_REBOOT_WANTED = 1 << 9, /* REBOOT_REQUESTED */
        NODE_REBOOT_ISSUED = 1 << 10,
        /* DRAIN was set by reboot ASAP and is cleared after the reboot */
        NODE_REBOOT_DRAIN = 1 << 11,
        NODE_WISHED = 1 << 12, /* a user asked for the present switching by hand */
        /* DRAIN was set after too many failures; only an admin clears it */
        NODE_QUARANTINE = 1 << 13,
        /* POWERING_UP because a person switched the node on; ResumeProgram was not run */
        NODE_BY_HAND = 1 << 14,
        /* DOWN after a failed wake: back in service if a common fault turns out to be the cause
           (brake.h) */
        NODE_FELL = 1 << 15,
        /* scontrol update has set the address, which differs from the agent's */
        NODE_ADDRESS_SET = 1 << 16,
        /* slumberd -F: a FUTURE node taken by the machine in hostname */
        NODE_DYNAMIC_FUTURE = 1 << 17,
        NODE_REBOOT_FORCED = 1 << 18, /* the requested reboot waits for no job and no state */
        /* A failed boot may have left the node powered on while waking was stopped: SuspendProgram
           runs or is about to, even if jobs wait for the node. */
        NODE_BOOT_REMAINS = 1 << 19,
        NODE_FLAG_ALL = (1 << 20) - 1,
};

struct node_hardware {
        uint32_t cpus, boards, sockets, cores, threads;
        uint64_t memory, tmp_disk; /* MB */
};

/* The number of boots whose duration is kept. */
#define NODE_BOOTS 20

struct node {
        uint64_t moment; /* takes a new value at each cluster_node_changed() */
        uint32_t index;
        char *name, *address, *hostname;
        uint16_t port;
        uint32_t weight;
        /* Place in the topology by scontrol or slumberd --conf; MOVED_OUT: in no topology; NULL: as
         * configured. */
        char *moved_to;
        char *place_told; /* the place that slumberd registered last; NULL: none */
        size_t *leaves;   /* leaf switch in each topology, see node_leaf(); NULL: none */
        char *features;   /* comma list, as configured or updated */
        /* Features listed in helpers.conf, and the active ones of these; kept by
           node_features.c. */
        char *changeable, *active;
        /* The changeable features of the last boot ("": none; NULL: unknown).  A node that is off
           and not CLOUD probably wakes with these features. */
        char *image;
        const struct helpers *helpers;
        char *gres;
        struct node_gres *gres_items; /* made from gres by gres.c */
        /* Sets of units near some generic resource; sides[0] is all units.  NULL: each resource is
           near all units. */
        struct bitset **sides;
        uint32_t n_sides;
        char *gres_shown; /* gres with the sockets of each resource; NULL: no sockets known */
        size_t n_gres;
        /* Cores near each GPU, "0-7" ("": all), detected by the agent; used where gres.conf names
           none. */
        char **gpu_cores;
        size_t n_gpu_cores;
        struct node_hardware configured, registered;
        uint32_t free_memory_mb, load_100;
        char *arch, *os, *version;

        enum node_base base;
        enum node_power power;
        unsigned flags; /* enum node_flag */

        /* Points in time, CLOCK_REALTIME; 0: never or not set. */
        usec_t last_busy; /* start of the idle time; 0: never suspended when idle */
        usec_t last_response, boot_time, start_time;
        usec_t power_request; /* when the last suspend, resume or reboot was issued */
        usec_t suspended_at;  /* when the last suspend was issued */
        usec_t lost_since;    /* start of NOT_RESPONDING */
        usec_t resume_after;  /* ResumeAfter: the end of DOWN or DRAIN, set by an admin */
        /* The last wake that failed for a common cause; 0: a later wake succeeded. */
        usec_t common_at;
        /* No new attempt before this time after a failed switching (outcome.h); 0: no pause. */
        usec_t retry_at;
        /* When the program confirmed the wanted power, after the last request. */
        usec_t confirmed;
        usec_t armed;               /* the node's entry in the deadline heap; 0: none */
        uint32_t boots[NODE_BOOTS]; /* durations of the last boots, in ms */
        size_t n_boots;
        uint32_t boots_usual; /* 95th percentile of boots[], in ms; kept by node_count_boots() */
        /* Duration of the last boot, from the request to the registration; 0: none was seen. */
        usec_t boot_took;
        unsigned next;        /* enum node_next: the state after a reboot */
        bool dynamic;         /* DYNAMIC_NORM: not in slurm.conf (config_join()) */
        bool connected;       /* the agent is connected */
        bool program_started; /* the program for the present power state was started */
        /* Running SuspendPrograms for the node, counted by the daemon (running.c). */
        uint32_t suspending;
        uint32_t resuming; /* running ResumePrograms, counted likewise */
        /* The present boot has passed node_late_deadline(). */
        bool late;
        /* The plan has a place for a pending job on the node; kept by backfill.c, for display. */
        bool planned;

        char *slumberd_at; /* ADDRESS:PORT of the registered slumberd, for others; NULL: unknown */
        char *bmc_address; /* read in band by the agent; NULL: unknown */
        char *bmc_mac;     /* read in band by the agent; NULL: unknown */
        /* Identity of the machine, reported by the agent; lists of lib/identity.h. */
        char *system_uuid, *system_serials, *system_macs;
        uint32_t watts; /* power draw in the last heartbeat; 0: unknown */
        /* The reason for staying up that DebugFlags=Power logged last; a constant. */
        const char *told;
        char *veto; /* the agent's reason against power-off (veto.h); NULL: none */

        /* Readings of the BMC (audit.h). */
        unsigned bmc_power; /* enum node_observed: the last reading */
        usec_t observed_at;
        usec_t off_read_at; /* first reading "off" since the last suspend; 0: none */
        usec_t answer_due;  /* a reading "off": deadline for the agent's answer; 0: not asked */
        usec_t looked_at;   /* the last FX_LOOK */
        usec_t asked_at;    /* when the agent was asked for a heartbeat (listen.h); 0: answered */
        bool awaited;       /* ... and expired deadlines wait for the answer */
        unsigned audit_strikes; /* consecutive audits that found the node on, though POWERED_DOWN */

        uint64_t figures[ENERGY_FIGURE_MAX]; /* mW, from slumber.yaml; 0: unknown */
        /* Durations from slumber.yaml, for plans and simulations; 0: unknown. */
        usec_t boots_in, shuts_down_in;
        struct energy energy;
        /* The restored energy.at, or 0: the restored sums do not count jobs that started later. */
        usec_t energy_known;
        uint32_t sharing_cpus; /* CPUs of the jobs that share the node's power draw */

        /* Values in force: the node's own, else the largest of the node's partitions, else the
           cluster's; NO_LIMIT: never. */
        usec_t suspend_time, suspend_timeout, resume_timeout;
        usec_t own_suspend_time; /* the SuspendTime on the node's line of slurm.conf; TIME_UNSET */

        /* The user of the last power request by hand, or WISH_OF_... */
        uid_t wish_uid;
        uint32_t tries;          /* programs started for the present switching */
        uint32_t power_failures; /* consecutive failures reported by programs */
        uint32_t stays_on; /* consecutive power-offs after which the agent was still running */
        char *power_error; /* text of the last reported failure; NULL: success since */
        char *action;      /* PowerAction named by the last power request; NULL: none */
        /* Why the last wake failed, other than by a common cause or lack of capacity; NULL: the
           node has booted since. */
        char *wake_error;

        uint32_t trigger_seen; /* state at the last change, as trigger events (trigger_events.c) */
        uint32_t trigger_events; /* enum trigger_event: not yet matched against triggers */

        char *reason, *comment, *extra, *instance_id, *instance_type;
        /* instance_id, instance_type and extra as stored in the accounts; NULL: not stored. */
        struct node_instance *accounted;
        usec_t reason_time;
        uid_t reason_uid;

        bool reclaims;      /* the agent can reclaim memory of frozen jobs */
        char *no_reclaim;   /* why the agent cannot reclaim; NULL: not reported */
        uint64_t swap_free; /* MB, from the agent's last report */
        unsigned lacks; /* enum slumberd_ability: abilities that the agent lacks (abilities.h) */

        /* Jobs holding a part of the node: running, suspended or completing. */
        struct job **jobs;
        size_t n_jobs, a_jobs;
        /* Jobs still running on the node without an allocation; the agent is ending each, and no
           job starts before the end. */
        struct stray *strays;
        size_t n_strays, a_strays;
        const struct resv *resv; /* the reservation now active on the node; NULL: none */
        struct partition **partitions;
        size_t n_partitions;

        uint32_t failed_launches; /* consecutive */
        uid_t failed_uid;         /* the user of the last failed launch */
        bool failed_for_many;     /* more than one user's launches failed */

        /* Units are the resources handed out: cores, or CPUs if no cores are configured. */
        uint32_t units, cpus_per_unit;
        /* CPUs and memory reserved for the system (spec.h): units in the order of their
           reservation, and MB. */
        uint32_t *spec, n_spec;
        uint64_t spec_memory;
        bool spec_first;      /* the first units are reserved, not the last */
        uint32_t cpus_used;   /* CPUs of jobs not suspended by hand; kept by alloc.c */
        uint32_t units_used;  /* units of jobs not suspended by hand */
        bool units_shared;    /* two jobs, including suspended jobs, hold one unit */
        uint64_t memory_used; /* MB promised to jobs not suspended by hand */
        /* MB of all jobs, including memory lent by frozen jobs, which must be returned. */
        uint64_t memory_held;
};

#define WISH_OF_PARTITION ((uid_t)-1) /* wish_uid: PowerDownOnIdle */
#define WISH_OF_BRAKE     ((uid_t)-3) /* wish_uid: the boot failed while waking was stopped */

struct node_instance {
        char *id, *type, *extra;
};
struct node_instance *node_instance_free(struct node_instance *i);

struct stray {
        uint32_t job, restarts;
        usec_t due;   /* the agent must report the end before */
        bool overdue; /* the agent was asked again and has not answered */
};

struct node_move {
        enum node_power to;
        unsigned effects; /* enum node_effect */
};
enum node_effect {
        NODE_FX_AVAILABLE = 1, /* jobs may get the node again */
        NODE_FX_FORGET = 2,    /* address and instance of the last boot are void */
        NODE_FX_DOWN = 4,      /* DOWN: the boot failed */
        NODE_FX_BUSY = 8,      /* the idle time starts anew */
        /* The agent must connect anew before jobs get the node. */
        NODE_FX_SILENT = 16,
};
/* The state machine of a node's power.  Returns -EPROTO if the table has no such move; *ret is then
   unchanged. */
int node_power_step(enum node_power from, enum node_event event, struct node_move *ret);

/* ---- questions ---- */
bool node_is_completing(const struct node *n);
bool node_has_suspended(const struct node *n);
/* True if a job may be placed on the node, now or after a wake: in service, not drained, not being
   switched off. */
bool node_is_schedulable(const struct node *n);
bool node_is_ready(const struct node *
                                n); /* up, agent connected, without strays: steps can be launched */
/* True if the agent's veto counts; the veto of a lost agent counts until the node is DOWN. */
bool node_is_vetoed(const struct node *n);
/* DOWN, drained or failing. */
bool node_is_out_of_service(const struct node *n);
/* POWERED_DOWN or POWERING_DOWN. */
bool node_lacks_power(const struct node *n);
/* The time until the node is usable; jobs get near nodes first. */
enum node_distance {
        NODE_IS_UP,
        NODE_IS_WAKING,
        NODE_IS_ASLEEP,
        /* no power or POWERING_UP, and the last boot failed or this boot is late */
        NODE_IS_FAILING,
        NODE_IS_LEAVING, /* POWERING_DOWN */
        NODE_DISTANCE_MAX,
};
enum node_distance node_distance(const struct node *n);
#define MOVED_OUT "(none)" /* value of moved_to */

/* When a boot becomes late: after the usual duration plus half of the time left until
   ResumeTimeout.  USEC_INFINITY: not booting, late already, or no timeout. */
usec_t node_late_deadline(const struct node *n);
/* The node's leaf switch in t; TOPOLOGY_NONE: none, or t is NULL. */
static inline size_t node_leaf(const struct node *n, const struct topology *t) {
        return t && n->leaves ? n->leaves[t->index] : TOPOLOGY_NONE;
}
/* Idle CPUs available to jobs, excluding those reserved for the system. */
static inline uint32_t node_cpus_spare(const struct node *n) {
        uint32_t used = n->units_used + n->n_spec;

        return n->cpus_used >= n->configured.cpus || used >= n->units
                               ? 0
                               : (n->units - used) * n->cpus_per_unit;
}
/* Expected duration from the request to the registration: the 95th percentile of the measured
   boots, or ResumeTimeout before the first one. */
usec_t node_boot_time(const struct node *n);
void node_add_boot(struct node *n, usec_t took);
void node_count_boots(struct node *n); /* must be called after a change of boots[] */
/* True if the comma list contains name (length bytes); list may be NULL. */
bool names_have(const char *list, const char *name, size_t length);

/* ---- display ---- */
/* "IDLE+CLOUD+POWERED_DOWN", "idle~" and "allocated#", as shown by scontrol, sinfo %t and sinfo %T.
   The caller frees the text. */
/* The states of HealthCheckNodeState that the displayed state includes (enum health_state). */
unsigned node_health_states(const struct node *n);
char *node_state_text(const struct node *n);
char *node_state_short(const struct node *n);
char *node_state_long(const struct node *n);
/* True if all three texts are equal for both nodes. */
bool node_state_same(const struct node *a, const struct node *b);
DECLARE_STRTAB(node_power);
DECLARE_STRTAB(node_base);
DECLARE_STRTAB(node_event);

struct node *node_free(struct node *n);
