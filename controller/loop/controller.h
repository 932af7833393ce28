/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/loop/controller.h - the daemon around core: what its files share
 *
 * One thread, one sd_event.  A message changes the cluster and leaves its reply in the outbox; at
 * the end of the turn what follows is decided (turn.h), what changed is handed to the store as one
 * batch, and when that batch is durable, replies and effects leave (docs/architecture.md, rules 1
 * to 3). */
#pragma once

#include "controller/loop/pace.h"
#include "controller/model/cluster.h"
#include "controller/store/store.h"
#include "lib/conn/conn.h"
#include "lib/credential.h"
#include "lib/errors.h"

#include <sys/queue.h>

struct controller;
struct address;
struct caller;
struct launch;
struct peer;
struct run;
struct first_step;
struct watch;
struct reading;
struct parked; /* a request that waits for the look-up of its user */
struct outcomes;
struct rules; /* JobSubmitPlugins */
struct gather;
struct suspend_run;
struct planning;   /* of power saving */
struct step_stats; /* of sstat */
struct operations; /* on nodes' power */
struct links;      /* to other clusters */
struct identity;   /* of the state, as agents know it */
struct outgoing;   /* a reply or effects that wait for their batch */

/* What the loop leaves to the rooms above it. */
struct controller_ops {
        void (*before_message)(struct controller *ctl);
        void (*message)(struct peer *p, Envelope *env);
        void (*closed)(struct controller *ctl, struct peer *p); /* p's connection has ended */
        /* A command has gone; all: every one that spoke through p. */
        void (*client_gone)(struct controller *ctl, struct peer *p, uint64_t client, bool all);
        void (*carry_out)(struct controller *ctl, const struct effect *fx);
        /* us; core's points in time have moved already */
        void (*clock_set)(struct controller *ctl, int64_t by);
};

/* Each has places of its own among those that run. */
enum hook_kind { HOOK_PROLOGS, HOOK_EPILOGS, HOOK_KIND_MAX };

struct controller {
        const struct controller_ops *ops;
        sd_event *event;
        struct cluster *cluster;
        struct store *store;
        /* the disk does not take their rows: a negative errno; 0: it does */
        int accounts_failed;
        struct accounting *accounting;       /* NULL: nothing is kept (AccountingStorageType) */
        struct job_rows *job_rows;           /* on their way there; NULL likewise */
        struct past_question *past_question; /* to them; NULL: none has been asked yet */
        struct credential_key *signing_key;
        struct cluster_key *cluster_key;
        struct conn_server *unix_server, *tls_server;
        sd_event_source *timer, *defer, *post, *heartbeat;
        sd_event_source *login_ask; /* hosts that are no nodes (login.h); NULL: there was none */
        sd_event_source *x11_wait;  /* forwarders may come back (x11.h); NULL: there was none */
        sd_event_source *energy;    /* when accounts of energy are stored: FACT_NODE_SHARED */
        /* CLOCK_BOOTTIME: when heartbeats are looked at; when the loop runs again at the latest */
        usec_t beats_at, runs_by;
        char *conf_path, *host;
        int64_t clock_offset;            /* CLOCK_REALTIME minus CLOCK_BOOTTIME, as core knows it */
        char boot_id[64];                /* of this machine; "": not known */
        uint64_t process_space;          /* process_space() */
        bool commands_away;              /* those of this host that the last controller knew */
        struct pace pace;                /* how soon the turn may end */
        sd_event_source *gathering_ends; /* when it may, see pace.h */
        usec_t changed_since; /* CLOCK_MONOTONIC of the first change of this turn, 0 = none */
        usec_t boot_time;     /* CLOCK_REALTIME of its start */
        gid_t slurm_gid;      /* of the programs that run as SlurmUser */
        bool started;         /* from here on what changes is kept */
        uint32_t saved_next_id;
        struct identity *identity;
        uint32_t saved_rounds; /* cluster's id_rounds */
        uint64_t last_batch;   /* that was given to the store */
        /* CLOCK_BOOTTIME: a batch has not been written since; 0: all have */
        usec_t unwritten_since;
        /* the disk does not take what we write: a negative errno; 0: it does */
        int store_failed;
        bool stopping;
        /* with programs that run still, when it was asked to stop; NULL: it was not */
        sd_event_source *patience;
        bool run_again;              /* programs that could not be run: a timer is set */
        int usual_log_level;         /* that scontrol setdebug has replaced; 0 = it has not */
        struct address *reconfigure; /* requests that wait for it */
        size_t n_reconfigure, a_reconfigure;
        bool reconfigure_wanted; /* by one that the reading of now does not serve */
        /* of the configuration, for a reconfiguration; NULL: none is under way */
        struct reading *reading;
        struct node_change *node_changes; /* nodes that are to come or go (dynamic.c) */
        size_t n_node_changes, a_node_changes;
        bool dynamic_changed; /* ... have, and the store has them otherwise */

        struct peer **peers;
        size_t n_peers, a_peers;
        size_t n_local;        /* of them: of this host's users */
        size_t requests_seen;  /* of theirs */
        struct peer **agents;  /* per node index, NULL = not connected */
        struct rival **rivals; /* registrations that wait for an answer of the connected agent */
        size_t n_rivals, a_rivals;
        uint64_t last_question;    /* to an agent, see agent_ask() */
        LIST_HEAD(, tree) trees;   /* messages for many nodes that are on their way */
        struct tree_gathering {    /* see tree_gather() */
                struct tree *tree; /* NULL: nothing */
                int kind;
                uint32_t job;
                const struct wire_tail *common;
        } gathering;
        uint32_t trees_of; /* random, see tree_next(); 0: not yet */
        uint64_t n_trees;
        size_t trees_bytes; /* of what is kept of messages to be sent */
        struct watch *watches;
        size_t n_watches, a_watches;
        struct run **runs;
        size_t n_runs, a_runs;
        struct first_step *first_steps; /* asked for with jobs of this turn */
        size_t n_first_steps, a_first_steps;
        uint32_t next_port; /* step_ports_find() */
        struct ending { /* what nodes were told alike of the last job's end; NULL: nothing yet */
                uint32_t job, restarts;
                enum job_state state;
                size_t n_nodes;
                struct wire_tail *common;
        } ending;
        struct users *users;
        struct trigger_programs *trigger_programs; /* NULL: none has run yet */
        struct mails *mails;                       /* NULL: none was ever sent */
        struct hook_run **hook_runs;               /* PrologSlurmctld, EpilogSlurmctld */
        size_t n_hook_runs, a_hook_runs, hooks_running[HOOK_KIND_MAX];
        TAILQ_HEAD(hook_run_list, hook_run) hooks_waiting[HOOK_KIND_MAX]; /* for their turn */
        struct audit *audit;
        struct parked *parked; /* in the order they came */
        size_t n_parked, a_parked, parked_bytes;
        struct rules *rules; /* NULL: none were ever in force */
        usec_t unparking;    /* since when the one waits that is being tried again; 0: none is */
        struct planning *planning;     /* NULL: not asked for */
        struct step_stats *step_stats; /* questions of sstat; NULL: none yet */
        struct operations *operations; /* by other hosts; NULL: none yet */
        struct links *links;           /* to other clusters (links.h) */
        struct cycles {
                usec_t since;                /* by core's clock: of what is counted */
                uint64_t n, last, most, sum; /* turns that looked for jobs to start; us of each */
                struct counts before;        /* as core's counts stood then */
                struct plan_times {
                        /* us of cycles of the plan; now: of the one that is not over */
                        usec_t began, now, last, most, sum;
                        uint64_t seen; /* that core has counted */
                } plan;
        } cycles;
        struct call_stats *calls; /* requests */
        struct outgoing *out;     /* in order of their batches */
        size_t n_out, a_out;
        struct running **programs; /* Suspend-, Resume- and the like that run */
        size_t n_programs, a_programs;
        bool programs_changed;      /* ... and the store has them otherwise */
        struct outcomes **outcomes; /* of programs that may still say something, oldest first */
        size_t n_outcomes, a_outcomes;
        struct gather *gathers; /* nodes that wait for their program (gather.h); NULL: none yet */
};

/* Reads the configuration again when nothing that names today's nodes waits to leave; to (may be
   NULL) is answered then. */
void controller_want_reconfigure(struct controller *ctl, const struct address *to);
/* Something of the cluster may have changed: the turn ends soon. */
void controller_changed(struct controller *ctl);
/* Something has changed that no command waits for and that nothing begins by: it is stored with the
   next change of another kind, or a moment later. */
void controller_changed_a_little(struct controller *ctl);
/* ... and a command waits for that, which gathers no more (pace.h). */
void controller_answers_command(struct controller *ctl);
