/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/node.h - a node: what it is, how it does, whether it has power
 *
 * Its state is three fields, each written in one function: base (node_set_base), power
 * (node_power_event) and flags (node_flag).  "Allocated", "mixed" and "completing" are not stored:
 * they follow from its jobs. Only node_state_text() and its sisters join them for display
 * (power-saving guide, "node life cycle"). */
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
        NODE_UNKNOWN, /* configured, never heard of */
        NODE_DOWN,
        NODE_IDLE, /* in service; busy or not */
        NODE_FUTURE,
        NODE_BASE_MAX,
};

enum node_power {
        NODE_POWER_NONE, /* not a state: a pair that is not in the table leads here */
        NODE_ON,
        NODE_POWERING_DOWN,
        NODE_POWERED_DOWN,
        NODE_POWERING_UP,
        NODE_POWER_MAX,
};

enum node_event {
        NODE_SUSPENDED,      /* the suspend program is being run for it */
        NODE_SETTLED,        /* SuspendTimeout has passed, or an admin says so */
        NODE_RESUMED,        /* the resume program is being run for it */
        NODE_REGISTERED,     /* its agent has registered since */
        NODE_BOOT_EXPIRED,   /* ResumeTimeout has passed without that */
        NODE_SUSPEND_FAILED, /* the suspend program says so: whether it has power is not known */
        NODE_BOOT_FAILED,    /* the resume program says so */
        NODE_SWITCHED_ON,    /* its BMC says so, and it was not us */
        NODE_GIVEN_UP,       /* an admin says that it has no power, whatever it seems: up force */
        NODE_TAKEN_FOR_ON,   /* an admin says that it has power: reboot force */
        NODE_EVENT_MAX,
};

enum node_flag {
        NODE_CLOUD = 1 << 0,
        NODE_DRAIN = 1 << 1,
        NODE_FAIL = 1 << 2,
        NODE_INVALID_REG = 1 << 3,
        NODE_POWER_DOWN_WANTED = 1 << 4, /* POWER_DOWN: off when idle */
        NODE_POWER_UP_WANTED = 1 << 5,   /* POWER_UP */
        /* that DRAIN goes with it: POWER_DOWN_ASAP has brought it, or POWER_DOWN_FORCE ends it */
        NODE_POWER_DRAIN = 1 << 6,
        NODE_NOT_RESPONDING = 1 << 7,
        NODE_POWER_FORCED = 1 << 8,  /* that POWER_DOWN does not wait for a boot to end */
        NODE_REBOOT_WANTED = 1 << 9, /* REBOOT_REQUESTED */
        NODE_REBOOT_ISSUED = 1 << 10,
        NODE_REBOOT_DRAIN = 1 << 11, /* that DRAIN came with reboot ASAP and goes with it */
        NODE_WISHED = 1 << 12,       /* the switching under way was asked for by hand */
        /* that DRAIN came with too many failures and goes when an admin says so */
        NODE_QUARANTINE = 1 << 13,
        /* POWERING_UP because a person has switched it on: no program of ours was run */
        NODE_BY_HAND = 1 << 14,
        /* DOWN because its wake failed: back when that turns out to be a common fault (brake.h) */
        NODE_FELL = 1 << 15,
        /* its address was said by scontrol update, and is not what its agent came from */
        NODE_ADDRESS_SET = 1 << 16,
        NODE_DYNAMIC_FUTURE = 1 << 17, /* slumberd -F: it is the machine of this hostname */
        NODE_REBOOT_FORCED = 1 << 18,  /* that REBOOT_REQUESTED waits for nothing */
        /* a failed boot may have left it with power while waking was stopped: SuspendProgram is to
           switch it off, or does, also under jobs that wait for it */
        NODE_BOOT_REMAINS = 1 << 19,
        NODE_FLAG_ALL = (1 << 20) - 1,
};

struct node_hardware {
        uint32_t cpus, boards, sockets, cores, threads;
        uint64_t memory, tmp_disk; /* MB */
};

/* So many boots are remembered of a node. */
#define NODE_BOOTS 20

struct node {
        uint64_t moment; /* another one after each cluster_node_changed() */
        uint32_t index;
        char *name, *address, *hostname;
        uint16_t port;
        uint32_t weight;
        /* its place by scontrol or slumberd --conf, MOVED_OUT: in no topology; NULL: as files say
         */
        char *moved_to;
        char *place_told; /* what its slumberd has said of its place last; NULL: nothing */
        size_t *leaves;   /* of each topology: node_leaf(); NULL: none */
        char *features;   /* comma list, as configured or updated */
        /* of these: in helpers.conf, and in force now; node_features.c keeps them */
        char *changeable, *active;
        char *image; /* of the changeable: what its last boot had ("": none, NULL: not known); an
                        off one that is no cloud's wakes with it, most likely */
        const struct helpers *helpers;
        char *gres;
        struct node_gres *gres_items; /* of which gres.c makes these */
        /* sets of its units that its generic resources lie near, the first one all; NULL: they all
           lie near all */
        struct bitset **sides;
        uint32_t n_sides;
        char *gres_shown; /* gres with the sockets that these are in; NULL: as it is */
        size_t n_gres;
        /* near each of its GPUs, "0-7", "" = all, as its agent has found them; where gres.conf does
           not say */
        char **gpu_cores;
        size_t n_gpu_cores;
        struct node_hardware configured, registered;
        uint32_t free_memory_mb, load_100;
        char *arch, *os, *version;

        enum node_base base;
        enum node_power power;
        unsigned flags; /* enum node_flag */

        /* Points in time, CLOCK_REALTIME, 0 = never or not set */
        usec_t last_busy; /* the idle clock; 0: never suspended by itself */
        usec_t last_response, boot_time, start_time;
        usec_t power_request; /* when the last suspend, resume or reboot was issued */
        usec_t suspended_at;  /* when the last suspend was issued */
        usec_t lost_since;    /* NOT_RESPONDING since */
        usec_t resume_after;  /* DOWN or drained until then; an admin has said so */
        /* its last wake that failed for a common cause; 0: it went well since */
        usec_t common_at;
        /* its last switching failed: not tried again before (outcome.h); 0: nothing waits */
        usec_t retry_at;
        /* the program has said that the power is as wanted, since the last request */
        usec_t confirmed;
        usec_t armed;               /* its entry in the deadline heap, 0 = none */
        uint32_t boots[NODE_BOOTS]; /* what the last ones took, in ms */
        size_t n_boots;
        uint32_t boots_usual; /* 95 of 100 took no longer; kept by node_count_boots() */
        /* its last boot, from the request to its registration; a duration, 0 = none was seen */
        usec_t boot_took;
        unsigned next;        /* enum node_next: after a reboot */
        bool dynamic;         /* slurm.conf does not name it (config_join()): DYNAMIC_NORM */
        bool connected;       /* its agent's connection stands */
        bool program_started; /* the program for the present power state has been started */
        /* SuspendPrograms that run for it; the daemon counts them (running.c) */
        uint32_t suspending;
        uint32_t resuming; /* ResumePrograms; likewise */
        /* its boot takes too long to be trusted still (node_late_deadline()) */
        bool late;
        /* a job that waits has it in the plan; backfill.c keeps it, for display */
        bool planned;

        char *bmc_address; /* that its agent has read from inside; NULL */
        char *bmc_mac;     /* likewise */
        /* of its machine, likewise; lists of lib/identity.h */
        char *system_uuid, *system_serials, *system_macs;
        uint32_t watts;   /* likewise, with its last heartbeat; 0 = not known */
        const char *told; /* why it stays up, as DebugFlags=Power was told last; a constant */
        char *veto;       /* why its agent does not want it switched off (veto.h); NULL */

        /* What its BMC says (audit.h) */
        unsigned bmc_power; /* enum node_observed: the last reading */
        usec_t observed_at;
        usec_t off_read_at; /* read as off since the last suspend; 0 = not yet */
        usec_t answer_due;  /* reads off: until when its agent must answer; 0 = it is not asked */
        usec_t looked_at;   /* last FX_LOOK */
        usec_t asked_at;    /* its agent is asked to speak (listen.h); 0 = it has answered */
        bool awaited;       /* ... and deadlines of others wait for it, too */
        unsigned audit_strikes; /* audits in a row that found it on though it should be off */

        uint64_t figures[ENERGY_FIGURE_MAX]; /* mW, of slumber.yaml; 0: not known */
        /* durations of slumber.yaml, for plans and simulations; 0: not known */
        usec_t boots_in, shuts_down_in;
        struct energy energy;
        usec_t energy_known;   /* after a restart: energy.at of the record; later jobs are in no
                                  record */
        uint32_t sharing_cpus; /* of the jobs that run there: they share what it draws */

        /* In force for this node (its own, else the largest of its partitions', else the
           cluster's); NO_LIMIT */
        usec_t suspend_time, suspend_timeout, resume_timeout;
        usec_t own_suspend_time; /* what its own line says; TIME_UNSET */

        /* the last user with a request by hand for power on or off, or a WISH_OF_... */
        uid_t wish_uid;
        uint32_t tries;          /* programs started for the present switching */
        uint32_t power_failures; /* of which programs told, in a row */
        uint32_t stays_on;       /* power-offs in a row that its agent has outlived */
        char *power_error;       /* what the last of them was; NULL: it went well since */
        char *action; /* the PowerAction that the last request by hand has named; NULL: none */
        /* why its last wake failed, if not for a common cause or for lack of capacity; NULL: it has
           booted since */
        char *wake_error;

        uint32_t trigger_seen;   /* what its state has been for triggers (trigger_events.c) */
        uint32_t trigger_events; /* that triggers have not been compared with (enum trigger_event)
                                  */

        char *reason, *comment, *extra, *instance_id, *instance_type;
        /* these three as the accounts have them; NULL: they have none */
        struct node_instance *accounted;
        usec_t reason_time;
        uid_t reason_uid;

        bool reclaims;      /* its agent can push out what frozen jobs have in memory... */
        char *no_reclaim;   /* ... or why not; NULL: it has not said */
        uint64_t swap_free; /* MB, as its agent said last */
        unsigned lacks;     /* enum slumberd_ability that its agent has not named (abilities.h) */

        /* Jobs that hold a part of it: running, suspended or completing */
        struct job **jobs;
        size_t n_jobs, a_jobs;
        /* What its agent is ending although no job of ours holds the node for it; nothing starts
           before it is gone */
        struct stray *strays;
        size_t n_strays, a_strays;
        const struct resv *resv; /* that has begun and has the node; NULL: none */
        struct partition **partitions;
        size_t n_partitions;

        uint32_t failed_launches; /* in a row */
        uid_t failed_uid;         /* the user of the last of these jobs */
        bool failed_for_many;     /* not all were of one user's jobs */

        /* Units are what is handed out: cores, or CPUs where the configuration knows of no cores */
        uint32_t units, cpus_per_unit;
        /* Kept for the system (spec.h): units in the order in which they are kept, and MB */
        uint32_t *spec, n_spec;
        uint64_t spec_memory;
        bool spec_first;      /* the first units are, not the last */
        uint32_t cpus_used;   /* by its jobs but those suspended by hand; alloc.c keeps it */
        uint32_t units_used;  /* likewise */
        bool units_shared;    /* some unit is held by two jobs, suspended ones counted */
        uint64_t memory_used; /* MB that are promised to its jobs; likewise */
        /* MB of all its jobs, what frozen ones have given to others included: what they get back
           counts */
        uint64_t memory_held;
};

#define WISH_OF_PARTITION ((uid_t)-1) /* PowerDownOnIdle */
#define WISH_OF_BRAKE     ((uid_t)-3) /* its boot has failed while waking was stopped */

struct node_instance {
        char *id, *type, *extra;
};
struct node_instance *node_instance_free(struct node_instance *i);

struct stray {
        uint32_t job, restarts;
        usec_t due;   /* until when its agent must say that it is gone */
        bool overdue; /* it has been asked once in vain */
};

struct node_move {
        enum node_power to;
        unsigned effects; /* enum node_effect */
};
enum node_effect {
        NODE_FX_AVAILABLE = 1, /* may be given to jobs again */
        NODE_FX_FORGET = 2,    /* what the last boot told is void: address, instance */
        NODE_FX_DOWN = 4,      /* goes DOWN: its boot failed */
        NODE_FX_BUSY = 8,      /* the idle clock starts anew */
        /* must show by a new connection that it is up before it is used again */
        NODE_FX_SILENT = 16,
};
/* The whole life of a node's power.  -EPROTO: the pair is not in the table, nothing changes. */
int node_power_step(enum node_power from, enum node_event event, struct node_move *ret);

/* ---- questions ---- */
bool node_is_completing(const struct node *n);
bool node_has_suspended(const struct node *n);
/* A job may be placed on it now or after waking it: in service, not drained, not being switched
   off. */
bool node_is_schedulable(const struct node *n);
bool node_is_ready(const struct node *
                                n); /* up, its agent connected, no strays: a step can be launched */
/* The word of an agent that is lost counts as long as the node is not DOWN for it. */
bool node_is_vetoed(const struct node *n);
/* DOWN, drained or failing. */
bool node_is_out_of_service(const struct node *n);
/* Off or on its way there. */
bool node_lacks_power(const struct node *n);
/* How far it is from being of use; jobs are given the nearer ones first. */
enum node_distance {
        NODE_IS_UP,
        NODE_IS_WAKING,
        NODE_IS_ASLEEP,
        /* without power or waking, but its last boot has failed, or this one is late */
        NODE_IS_FAILING,
        NODE_IS_LEAVING, /* being switched off */
        NODE_DISTANCE_MAX,
};
enum node_distance node_distance(const struct node *n);
#define MOVED_OUT "(none)" /* of moved_to */

/* A boot that is not over by then is late: half of what ResumeTimeout leaves beyond the usual.
   USEC_INFINITY: it never is, or is so already. */
usec_t node_late_deadline(const struct node *n);
/* Its leaf switch, by its place in t; TOPOLOGY_NONE: it is on none, or t is NULL. */
static inline size_t node_leaf(const struct node *n, const struct topology *t) {
        return t && n->leaves ? n->leaves[t->index] : TOPOLOGY_NONE;
}
/* Of those that it has for jobs: none uses them. */
static inline uint32_t node_cpus_spare(const struct node *n) {
        uint32_t used = n->units_used + n->n_spec;

        return n->cpus_used >= n->configured.cpus || used >= n->units
                               ? 0
                               : (n->units - used) * n->cpus_per_unit;
}
/* How long it takes from the request until its agent registers: 95 of 100 boots that were measured
   took no longer; without any, ResumeTimeout. */
usec_t node_boot_time(const struct node *n);
void node_add_boot(struct node *n, usec_t took);
void node_count_boots(struct node *n); /* after boots[] has been filled otherwise */
/* Is name (of so many bytes) in a comma list?  list may be NULL. */
bool names_have(const char *list, const char *name, size_t length);

/* ---- words ---- */
/* "IDLE+CLOUD+POWERED_DOWN"; "idle~"; "allocated#": as scontrol, sinfo %t, sinfo %T. The caller
   frees. */
/* What HealthCheckNodeState tells apart (enum health_state), as its state is shown. */
unsigned node_health_states(const struct node *n);
char *node_state_text(const struct node *n);
char *node_state_short(const struct node *n);
char *node_state_long(const struct node *n);
/* All three words are the same for both. */
bool node_state_same(const struct node *a, const struct node *b);
DECLARE_STRTAB(node_power);
DECLARE_STRTAB(node_base);
DECLARE_STRTAB(node_event);

struct node *node_free(struct node *n);
