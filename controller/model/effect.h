/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/effect.h - what the outside must do, as data
 *
 * Core never does: it appends effects.  The daemon carries them out once the state that led to them
 * is durable; the simulator and the stories carry them out in virtual time.  Each may be asked for
 * again after a restart. */
#pragma once

#include "controller/model/node.h"
#include "lib/step_id.h"

struct ended;
struct ended_step;

enum effect_kind {
        FX_LAUNCH, /* start job's batch script on its first node */
        FX_PROLOG, /* run Prolog for job on nodes */
        /* run the hook of the controller that job is in, or look for it where it runs; serial: the
           number of the hook; now: end it instead */
        FX_HOOK,
        FX_HOOK_OVER, /* what came of it is known: nothing of it is kept */
        FX_FREEZE,    /* stop job's processes on node; the answer carries serial */
        FX_THAW,
        /* push job's memory on node out until it uses no more than memory; the answer carries
           serial */
        FX_RECLAIM,
        FX_TERMINATE,   /* end what job has on node; now: without SIGTERM */
        FX_SIGNAL,      /* signal to job's processes on node */
        FX_SUSPEND,     /* run SuspendProgram for nodes */
        FX_RESUME,      /* run ResumeProgram for nodes; wakes tells for which jobs */
        FX_RESUME_FAIL, /* run ResumeFailProgram for nodes */
        FX_REBOOT,      /* run RebootProgram on nodes */
        FX_DISCONNECT,  /* drop node's agent connection: it is not believed any more */
        FX_PROBE,       /* have node's agent show that it lives */
        FX_LOOK,        /* read node's BMC: node_observed() */
        FX_ALLOCATED,   /* tell the command that holds the job */
        FX_READY,       /* ... its nodes are up: steps may start */
        FX_STOPPED,
        FX_CONTINUED,
        FX_ENDED,
        FX_MESSAGE, /* ... text, for its user */
        FX_MAIL,    /* mail its user that mail_type has come */
        /* job is known no longer: drop it from the store, and the script of job serial, if not 0 */
        FX_FORGET,
        FX_LAUNCH_STEP,   /* step of job has its nodes: start its tasks */
        FX_STEP_LOST,     /* node has nothing of job's steps any more */
        FX_NODE_LOST,     /* job goes on without node, which it has lost: its steps there do not */
        FX_STEP_ORPHANED, /* step's srun has not come back: end it */
        FX_STEP_ROW, /* a step is over: ended_step is for the accounts, nothing is to be done */
        /* a job goes on smaller: ended, what it was so far, is for the accounts, nothing is to be
           done */
        FX_RUN_ROW,
        /* start the program of the trigger's run serial; where there is none, its traces may go */
        FX_TRIGGER,
        FX_ASK_ACCOUNTS, /* how did job end, which is forgotten? dependencies_told() */
        FX_LOG,          /* text, for job and node where they are set */
        EFFECT_MAX,
};

struct wake { /* one job's part of a resume */
        uint32_t job;
        struct bitset *nodes;
};

struct effect {
        enum effect_kind kind;
        uint32_t job;
        struct node *node;
        uint64_t serial;
        int signal;
        uint32_t step;      /* FX_SIGNAL: one step, or STEP_ANY */
        uint64_t memory;    /* MB */
        uint32_t mail_type; /* FX_MAIL: one bit of lib/mailtype.h */
        bool now, batch_only, full;
        bool epilog;    /* FX_TERMINATE: node is of the job's allocation, and owes its epilog */
        bool error;     /* FX_LOG: as one */
        bool folded;    /* FX_LOG: users may cause many such lines, of which few are written */
        bool terminate; /* FX_SIGNAL: the step ends, by signal SIGKILL at once; with a text, it says
                           that */
        struct bitset *nodes;
        struct wake *wakes;
        size_t n_wakes;
        char *text;
        /* FX_SUSPEND, FX_RESUME, FX_REBOOT: the PowerAction to run; NULL: slurm.conf's program */
        char *action;
        struct ended_step *ended_step;
        struct ended *ended; /* FX_ENDED, FX_RUN_ROW: for the accounts; NULL: they keep no jobs */
};
#define STEP_ANY UINT32_MAX

struct effects {
        struct effect *list;
        size_t n, allocated;
};

/* The new effect, to be filled in. */
struct effect *effects_add(struct effects *e, enum effect_kind kind);
void effects_done(struct effects *e); /* empties */
DECLARE_STRTAB(effect_kind);
