/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/loop/controller.h - struct controller, the state of slumberctld outside the pure rooms
 *
 * slumberctld has one thread and one sd_event loop. A message changes the cluster and leaves its
 * reply in the outbox. At the end of the turn the consequences are decided (turn.h), the changes go
 * to the store as one batch and, when the batch is durable, replies and effects are sent
 * (docs/architecture.md, rules 1 to 3). */
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
struct parked; /* a request waiting for the look-up of its user */
struct outcomes;
struct rules; /* JobSubmitPlugins */
struct gather;
struct suspend_run;
struct planning;   /* of power saving */
struct step_stats; /* of sstat */
struct operations; /* on the power of nodes */
struct links;      /* to other clusters */
struct identity;   /* identity of the state, checked by slumberd */
struct outgoing;   /* a reply or effects waiting for a batch */

/* Callbacks of the loop to the rooms above. */
struct controller_ops {
        void (*before_message)(struct controller *ctl);
        void (*message)(struct peer *p, Envelope *env);
        void (*closed)(struct controller *ctl, struct peer *p); /* p's connection has ended */
        /* A command has disconnected; all: every command that used p. */
        void (*client_gone)(struct controller *ctl, struct peer *p, uint64_t client, bool all);
        void (*carry_out)(struct controller *ctl, const struct effect *fx);
        /* us; the cluster's points in time have moved already */
        void (*clock_set)(struct controller *ctl, int64_t by);
};

/* Each kind has its own limit of running programs. */
enum hook_kind { HOOK_PROLOGS, HOOK_EPILOGS, HOOK_KIND_MAX };

struct controller {
        const struct controller_ops *ops;
        sd_event *event;
        struct cluster *cluster;
        struct store *store;
        /* the accounts cannot be written: a negative errno; 0: no failure */
        int accounts_failed;
        struct accounting *accounting;       /* NULL: AccountingStorageType keeps no accounts */
        struct job_rows *job_rows;           /* on the way to the accounts; NULL: no accounts */
        struct past_question *past_question; /* questions to the accounts; NULL: none yet */
        struct credential_key *signing_key;
        struct cluster_key *cluster_key;
        struct conn_server *unix_server, *tls_server;
        sd_event_source *timer, *defer, *post, *heartbeat;
        sd_event_source *login_ask; /* asks login hosts (login.h); NULL: none yet */
        sd_event_source *x11_wait;  /* waits for X11 forwarders (x11.h); NULL: none yet */
        sd_event_source *energy;    /* stores accounts of energy: FACT_NODE_SHARED */
        /* CLOCK_BOOTTIME: next check of heartbeats; latest next run of the loop */
        usec_t beats_at, runs_by;
        char *conf_path, *host;
        /* CLOCK_REALTIME minus CLOCK_BOOTTIME, as the cluster knows it */
        int64_t clock_offset;
        char boot_id[64];                /* of this machine; "": unknown */
        uint64_t process_space;          /* process_space() */
        bool commands_away;              /* commands of this host may return after a restart */
        struct pace pace;                /* earliest end of the turn */
        sd_event_source *gathering_ends; /* ends a delayed turn, see pace.h */
        usec_t changed_since; /* CLOCK_MONOTONIC of the first change of this turn, 0 = none */
        usec_t boot_time;     /* CLOCK_REALTIME of the start of slumberctld */
        gid_t slurm_gid;      /* group of programs run as SlurmUser */
        bool started;         /* the state is restored: changes are stored from now on */
        uint32_t saved_next_id;
        struct identity *identity;
        uint32_t saved_rounds; /* the cluster's id_rounds */
        uint64_t last_batch;   /* last batch given to the store */
        /* CLOCK_BOOTTIME since when a batch is not written; 0: all are written */
        usec_t unwritten_since;
        /* the state cannot be written: a negative errno; 0: no failure */
        int store_failed;
        bool stopping;
        bool hands_over;             /* this process ends and begins again as a backup */
        struct followers *followers; /* agents/followers.h; NULL: there is one controller */
        struct lease *lease;         /* several controllers; NULL: this is the only one */
        /* timer since the request to stop while programs still run; else NULL */
        sd_event_source *patience;
        bool run_again;              /* a timer retries programs that could not be started */
        int usual_log_level;         /* log level before scontrol setdebug; 0: unchanged */
        struct address *reconfigure; /* requests waiting for a reconfiguration */
        size_t n_reconfigure, a_reconfigure;
        /* a request waits for a reading of slurm.conf not begun yet */
        bool reconfigure_wanted;
        /* running reading of the configuration for a reconfiguration; else NULL */
        struct reading *reading;
        struct node_change *node_changes; /* nodes to add or delete (dynamic.c) */
        size_t n_node_changes, a_node_changes;
        bool dynamic_changed; /* nodes were added or deleted since the last store */

        struct peer **peers;
        size_t n_peers, a_peers;
        size_t n_local;        /* peers on this host */
        size_t requests_seen;  /* requests of peers on this host */
        struct peer **agents;  /* per node index, NULL = not connected */
        struct rival **rivals; /* registrations waiting until the connected slumberd answers */
        size_t n_rivals, a_rivals;
        uint64_t last_question;    /* to slumberd, see agent_ask() */
        LIST_HEAD(, tree) trees;   /* messages for many nodes under way */
        struct tree_gathering {    /* see tree_gather() */
                struct tree *tree; /* NULL: no message is gathered */
                int kind;
                uint32_t job;
                const struct wire_tail *common;
        } gathering;
        uint32_t trees_of; /* random, see tree_next(); 0: not set yet */
        uint64_t n_trees;
        size_t trees_bytes; /* stored for messages still to be sent */
        struct watch *watches;
        size_t n_watches, a_watches;
        struct run **runs;
        size_t n_runs, a_runs;
        struct first_step *first_steps; /* steps requested with jobs of this turn */
        size_t n_first_steps, a_first_steps;
        uint32_t next_port; /* for step_ports_find() */
        struct ending { /* the common part of messages about the last job's end; NULL: none yet */
                uint32_t job, restarts;
                enum job_state state;
                size_t n_nodes;
                struct wire_tail *common;
        } ending;
        struct users *users;
        struct trigger_programs *trigger_programs; /* NULL: none has run yet */
        struct mails *mails;                       /* NULL: none has been sent yet */
        struct hook_run **hook_runs;               /* PrologSlurmctld, EpilogSlurmctld */
        size_t n_hook_runs, a_hook_runs, hooks_running[HOOK_KIND_MAX];
        /* waiting to be started */
        TAILQ_HEAD(hook_run_list, hook_run) hooks_waiting[HOOK_KIND_MAX];
        struct audit *audit;
        struct parked *parked; /* oldest first */
        size_t n_parked, a_parked, parked_bytes;
        struct rules *rules;       /* NULL: no rules so far */
        usec_t unparking;          /* since when the request waits that is being retried; 0: none */
        struct planning *planning; /* NULL: not requested */
        struct step_stats *step_stats; /* questions of sstat; NULL: none yet */
        struct operations *operations; /* power operations by hosts; NULL: none yet */
        struct links *links;           /* to other clusters (links.h) */
        struct cycles {
                usec_t since;                /* the cluster's time since when cycles are counted */
                uint64_t n, last, most, sum; /* passes that looked for jobs to start; us of each */
                struct counts before;        /* the cluster's counts at that time */
                struct plan_times {
                        /* us of backfill cycles; now: of the unfinished cycle */
                        usec_t began, now, last, most, sum;
                        uint64_t seen; /* cycles that the cluster has counted so far */
                } plan;
        } cycles;
        struct call_stats *calls; /* requests */
        struct outgoing *out;     /* in order of batches */
        size_t n_out, a_out;
        struct running **programs; /* running SuspendProgram, ResumeProgram etc. */
        size_t n_programs, a_programs;
        bool programs_changed; /* programs changed since the last store */
        /* results of programs that may still write output, oldest first */
        struct outcomes **outcomes;
        size_t n_outcomes, a_outcomes;
        struct gather *gathers; /* nodes waiting for a program (gather.h); NULL: none yet */
};

/* Reads the configuration again once no pending message refers to the present nodes; to (may be
   NULL) gets the answer. */
void controller_want_reconfigure(struct controller *ctl, const struct address *to);
/* Notes that the cluster may have changed: the turn ends soon. */
void controller_changed(struct controller *ctl);
/* Notes a change for which no command waits and which starts nothing: the change is stored with the
   next other change, or a few milliseconds later. */
void controller_changed_a_little(struct controller *ctl);
/* controller_changed() with a waiting command, so the turn ends without delay (pace.h). */
void controller_answers_command(struct controller *ctl);
