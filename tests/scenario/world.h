/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/scenario/world.h - a cluster in virtual time: the controller's own core, and machines with
 * agents around it
 *
 * Effects of the core are carried out on simulated machines; their answers come back as events
 * after settable delays. What really runs where is kept here, beside the core, so that check.c can
 * compare the two. */
#pragma once

#include "controller/model/cluster.h"

enum fault {                            /* bits */
        FAULT_NEVER_REGISTERS = 1 << 0, /* has power but its agent never comes */
        FAULT_IGNORES_OFF = 1 << 1,     /* switching it off does nothing */
        FAULT_CANNOT_FREEZE = 1 << 2,   /* a process of every job stands in the way */
        FAULT_LAUNCH_FAILS = 1 << 3,
        FAULT_UNKILLABLE = 1 << 4, /* processes that do not die */
        FAULT_LOW_MEMORY = 1 << 5, /* registers with half of its memory */
        FAULT_NEVER_ANSWERS = 1 << 6,
        FAULT_BMC_LIES = 1 << 7, /* reads off when it is on */
        FAULT_IGNORES_ON = 1 << 8,
        FAULT_KEEPS_IMAGE = 1 << 9, /* boots what it booted before, whatever it was told */
        /* its swap is nearly full: less is pushed out than is wanted */
        FAULT_KEEPS_MEMORY = 1 << 10,
        FAULT_NO_SWAP = 1 << 11, /* it has none, and says so when it registers */
        FAULT_PROLOG_FAILS = 1 << 12,
        FAULT_EPILOG_FAILS = 1 << 13,
        FAULT_EARLIER_BUILD = 1 << 14, /* names no ability when it registers */
};

enum delay {
        DELAY_BOOT,     /* power on to registration */
        DELAY_SHUTDOWN, /* power off to gone */
        DELAY_LAUNCH,
        DELAY_FREEZE,
        DELAY_THAW,
        DELAY_GONE,       /* the end of a job that listens to SIGTERM */
        DELAY_GIVE_UP,    /* of a freeze */
        DELAY_UNKILLABLE, /* of a kill */
        DELAY_RETRY,      /* of an agent that was not believed */
        DELAY_RECLAIM,    /* to push memory out */
        DELAY_SUSPEND,    /* a SuspendProgram runs for so long; 0: it has ended at once */
        DELAY_RESUME,     /* a ResumeProgram; likewise */
        DELAY_PROLOG,
        DELAY_HOOK,   /* PrologSlurmctld and EpilogSlurmctld */
        DELAY_EPILOG, /* beyond DELAY_GONE */
        DELAY_MAX,
};

/* What an agent has of one incarnation of a job. */
struct process {
        uint32_t job, restarts;
        bool batch, frozen, terminating;
        bool left_behind; /* did not die; its node was drained for it */
        bool unheard;     /* was to end, but its agent does not hear */
        bool over;        /* the script has ended and has not been reported */
        usec_t ended;     /* ... then */
        usec_t left;      /* to run; NO_LIMIT: does not end by itself */
        usec_t since;     /* when the clock of left started */
        uint32_t status;  /* its wait status will be */
        uint64_t serial;  /* of the last freeze or thaw */
        struct bitset *units;
        uint64_t memory, resident; /* MB: what it uses when it runs; now */
};

struct agent {
        bool power, up, linked; /* mains, its agent runs, the connection stands */
        bool cut;               /* the network between is broken */
        char *veto;             /* why it does not want its node switched off; NULL */
        /* the changeable features that its helpers report, a comma list; NULL: nothing */
        char *image;
        unsigned faults;
        uint32_t epoch;         /* of this boot: what was to happen in an earlier one does not */
        uint32_t link;          /* of this connection: answers of an earlier one are lost */
        usec_t boot_time, late; /* beyond DELAY_BOOT */
        uint32_t suspending, resuming; /* Suspend- and ResumePrograms that run for it */
        struct process *list;
        size_t n, allocated;
};

struct world_event;

struct plan { /* what a job's script will do */
        usec_t runs;
        uint32_t status;
};

struct world {
        struct cluster *c;
        usec_t now, start;    /* start: of virtual time */
        struct agent *agents; /* by node index */
        bool answering;       /* agents answer by themselves */
        usec_t delays[DELAY_MAX];
        struct world_event *events; /* a heap */
        size_t n_events, a_events;
        uint64_t sequence;
        struct plan *plans; /* by job id */
        size_t n_plans;
        uint64_t loud;      /* UINT64_C(1) << enum effect_kind: what is told */
        bool accounts_kept; /* FX_ASK_ACCOUNTS is answered by the story */
        bool tell_agents;
        bool has_bmcs; /* FX_LOOK is answered */
        uint64_t turns, stuck;
        uint32_t next_port; /* of this controller: step_ports_find() */
        /* Every line that happens; NULL is silent. */
        void (*tell)(const char *line, void *user);
        /* What a turn has changed is to be written (NULL: it is forgotten); false: the controller
           dies before it has done anything outside. */
        bool (*commit)(struct world *w, void *user);
        char *conf, *helpers; /* helpers.conf, NULL: there is none */
        /* After every turn. */
        void (*after_turn)(struct world *w, void *user);
        void *user;
};

/* conf: the text of slurm.conf. */
int world_new(const char *conf, struct world **ret, struct fail *fail);
struct world *world_free(struct world *w);
DEFINE_CLEANUP(struct world *, world_free)
/* An empty cluster of the same configuration; every connection is lost, agents register within a
   second. */
int world_new_controller(struct world *w, struct fail *fail);
/* accounts.c: sacctmgr as root: the words of a command, or a line of them. -ENOSYS: it has no such
   verb or entity; else as acct_change(). */
int world_sacctmgr(struct world *w, char **words, size_t n, struct fail *fail);
int world_sacctmgr_line(struct world *w, const char *line, struct fail *fail);
/* The wall clock is set: now is another, what is to come is as far away as before. */
void world_set_clock(struct world *w, int64_t by);
void world_move_time(struct world *w, int64_t by); /* ... while there is no controller */
int world_reconfigure(struct world *w, const char *conf, struct fail *fail);

/* nodes.c: the nodes of a line join, the machines of those that no admin has created come up; of a
   list leave. */
int world_join(struct world *w, enum config_node_from from, const char *line, struct fail *fail);
int world_leave(struct world *w, const char *list, struct fail *fail);
/* A configuration that was read anew has those that have joined. */
int world_keep_dynamic(const struct config *old, struct config *config, struct fail *fail);
/* Nodes have other numbers now; names: as they were numbered before. Machines and what is to happen
   to them follow. */
void world_renumber(struct world *w, char *const *names, size_t n);

/* Everything up to then happens, in order. */
void world_advance(struct world *w, usec_t until);
/* What follows from what was just done to the core. */
void world_turn(struct world *w);

/* tell.c: a line for w->tell: "at TIME ..."; an effect is told if it is loud. */
void world_say(struct world *w, const char *format, ...) _printf_(2, 3);
void world_tell_effect(struct world *w, const struct effect *fx);
const char *time_word(usec_t t, char buf[32]); /* 12.5s */
/* conf.c: lines of text with "yaml ", "gres.conf " or "topology.conf " before them belong to that
   file, others to slurm.conf. */
int world_read_conf(const char *text, struct config **ret, struct fail *fail);

void world_plan(struct world *w, uint32_t job, usec_t runs, uint32_t status);
void world_power(struct world *w, size_t node, bool on);    /* the switch, pressed by hand */
void world_connect(struct world *w, size_t node, bool cut); /* the network */
/* Its BMC, which was asked at that time, has answered; enum audit_result. */
int world_observe(struct world *w, size_t node, usec_t asked);
/* of its agent; NULL: not any more */
void world_veto(struct world *w, size_t node, const char *text);
void world_restart_agent(struct world *w,
                size_t node); /* slumberd dies and comes back; processes stay */
/* The text of helpers.conf, for this controller and the next ones. */
int world_helpers(struct world *w, const char *text, struct fail *fail);
/* A step on all nodes of j, that ends with it; limit: its own, or NO_LIMIT; ports: of its own as
   --resv-ports asks for them, 0: none.  Not SLUMBER_OK: it has no ports, and does not start. */
enum slumber_error world_start_step(struct world *w, struct job *j, usec_t limit, uint32_t ports);
void world_register(struct world *w, size_t node);
usec_t world_next(const struct world *w); /* when something happens next; USEC_INFINITY */
struct process *agent_find(struct agent *a, uint32_t job, uint32_t restarts);

DECLARE_STRTAB(fault); /* bit numbers */
DECLARE_STRTAB(delay);

/* check.c: what must hold after every turn; the first sentence that does not, or NULL. The caller
   frees. */
char *world_check(struct world *w);
/* Nothing is left undone: no job could start, go on, and no node waits for anything that does not
   come. */
char *world_check_settled(struct world *w);
