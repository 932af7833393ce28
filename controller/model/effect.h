/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/effect.h - orders to the outside world, as data
 *
 * Core only appends effects.  The daemon carries out effects once the state that caused them is
 * durable; the simulator and the stories carry out effects in virtual time.  After a restart any
 * effect may be issued again. */
#pragma once

#include "controller/model/node.h"
#include "lib/step_id.h"

struct ended;
struct ended_step;

enum effect_kind {
        FX_LAUNCH, /* start the job's batch script on the first node */
        FX_PROLOG, /* run Prolog for job on nodes */
        /* Run the current hook of the job in the controller, or look for it where it runs.  serial:
           number of the hook; now: kill the hook instead. */
        FX_HOOK,
        FX_HOOK_OVER, /* the result of the hook is known: delete its traces */
        FX_FREEZE,    /* freeze the job's processes on node; the answer carries serial */
        FX_THAW,
        /* Reclaim the job's memory on node until at most memory is in use; the answer carries
           serial. */
        FX_RECLAIM,
        FX_TERMINATE,   /* end the job's processes on node; now: without SIGTERM */
        FX_SIGNAL,      /* send signal to the job's processes on node */
        FX_SUSPEND,     /* run SuspendProgram for nodes */
        FX_RESUME,      /* run ResumeProgram for nodes; wakes lists the jobs */
        FX_RESUME_FAIL, /* run ResumeFailProgram for nodes */
        FX_REBOOT,      /* run RebootProgram on nodes */
        FX_DISCONNECT,  /* drop the agent's connection, which is not trusted any longer */
        FX_PROBE,       /* make the agent of node show a sign of life */
        FX_LOOK,        /* read the BMC of node: node_observed() */
        FX_ALLOCATED,   /* inform the command holding the job */
        FX_READY,       /* ... when its nodes are up: steps may start */
        FX_STOPPED,
        FX_CONTINUED,
        FX_ENDED,
        FX_MESSAGE, /* show text to the user of the holding command */
        FX_MAIL,    /* mail the job's user about event mail_type */
        /* The job is removed: delete its record, and the script of job serial unless 0. */
        FX_FORGET,
        FX_LAUNCH_STEP,   /* the step has its nodes: start the tasks */
        FX_STEP_LOST,     /* node has no process of the job's steps any longer */
        FX_NODE_LOST,     /* the job runs on after losing node, but the steps on node do not */
        FX_STEP_ORPHANED, /* the srun of the step has not come back: end the step */
        FX_STEP_ROW,      /* a step has ended: store row ended_step in the accounts */
        /* The job continues on fewer nodes: store row ended, about the job so far, in the
           accounts. */
        FX_RUN_ROW,
        /* Start the program of trigger run serial; without such a run, delete its traces. */
        FX_TRIGGER,
        /* ask the accounts for the end of a removed job; answer: dependencies_told() */
        FX_ASK_ACCOUNTS,
        FX_LOG, /* log text, for job and node if set */
        EFFECT_MAX,
};

struct wake { /* the part of a resume done for a job */
        uint32_t job;
        struct bitset *nodes;
};

struct effect {
        enum effect_kind kind;
        uint32_t job;
        struct node *node;
        uint64_t serial;
        int signal;
        uint32_t step;      /* FX_SIGNAL: a step, or STEP_ANY */
        uint64_t memory;    /* MB */
        uint32_t mail_type; /* FX_MAIL: a single bit of lib/mailtype.h */
        bool now, batch_only, full;
        bool epilog; /* FX_TERMINATE: node belongs to the job's allocation and must run Epilog */
        bool error;  /* FX_LOG: as an error */
        bool folded; /* FX_LOG: users can cause many such lines; only a few are logged */
        /* FX_SIGNAL: end the step (SIGKILL: at once); text, if set, goes to the step's output */
        bool terminate;
        struct bitset *nodes;
        struct wake *wakes;
        size_t n_wakes;
        char *text;
        /* FX_SUSPEND, FX_RESUME, FX_REBOOT: the PowerAction to run; NULL: the program in
           slurm.conf */
        char *action;
        struct ended_step *ended_step;
        /* FX_ENDED, FX_RUN_ROW: row for the accounts; NULL: no accounts of jobs */
        struct ended *ended;
};
#define STEP_ANY UINT32_MAX

struct effects {
        struct effect *list;
        size_t n, allocated;
};

/* Returns the new effect, borrowed until the next call, for the caller to fill in. */
struct effect *effects_add(struct effects *e, enum effect_kind kind);
void effects_done(struct effects *e); /* frees the list */
DECLARE_STRTAB(effect_kind);
