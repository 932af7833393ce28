/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/pmi/pmix_line.h - what a step daemon and its PMIx server (pmixd.c) tell each other over a
 * stream: a head, then head.size bytes
 *
 * The server runs as the step's user, so the step daemon believes it no more than a task. */
#pragma once

#include "agent/pmi/pmi_wire.h"

#define PMIX_LINE_MAX ((size_t)15 << 20) /* bytes of a message of the server */
#define MPI_SPACE     "slurm.pmix.%u.%u" /* of job and step */

enum pmi_name_act { /* likewise of PMI-1 and PMI-2 */
        PMI_NAME_PUBLISH,
        PMI_NAME_LOOKUP,
        PMI_NAME_UNPUBLISH,
        PMI_NAME_AWAIT,  /* a lookup that waits until it is published; by PMIx alone */
        PMI_NAME_FORGET, /* between step daemons alone: the question of that number */
        PMI_NAME_ACT_MAX,
};

/* The answer's value where it was not published because there is one of that name. */
#define PMI_NAME_THERE "there"

enum pmix_line_kind {
        PMIX_LINE_SETUP, /* to the server, the first: struct pmix_setup and its texts */
        PMIX_LINE_FENCE, /* all tasks here have entered fence number; and its data of all nodes */
        PMIX_LINE_ASK,   /* what of rank number is wanted; from the node first in data (uint32_t) */
        PMIX_LINE_TOLD,  /* the answer about rank number; to that node, first in data */
        PMIX_LINE_ABORT, /* rank number ends the step: exit code (int32_t), words */
        PMIX_LINE_FAILED, /* from the server, the last: why it cannot go on */
        /* some tasks have entered fence number, of those: struct pmix_some_head, nodes, data; and
           the data of all these nodes */
        PMIX_LINE_SOME,
        PMIX_LINE_SOME_ALL,   /* between step daemons alone: that data */
        PMIX_LINE_SOME_HEARD, /* the same, from the first of these nodes: it will send that */
        /* question number about a name: struct pmix_name_head, name, value; and enum
           pmix_name_outcome (uint32_t), value */
        PMIX_LINE_NAME,
        PMIX_LINE_REFUSED, /* task number has asked for what is not there: words for its user */
        PMIX_LINE_KIND_MAX,
};

struct pmix_line_head {
        uint32_t kind, number, size;
};

struct pmix_some_head {
        uint64_t set; /* which tasks: a number that follows from their ranks */
        uint32_t n_nodes, unused;
};

struct pmix_name_head {
        uint32_t act;      /* enum pmi_name_act */
        uint32_t patience; /* ms; 0: as in struct pmi_name */
};
enum pmix_name_outcome {
        PMIX_NAME_NO,
        PMIX_NAME_DONE,
        PMIX_NAME_LATE, /* there was no answer in time */
};
/* What is stored of a name: the rank of its task, a blank, its value in hexadecimal digits. */
#define PMIX_NAME_PREFIX "PMIX " /* apart from names of PMI-1 and PMI-2 */

struct pmix_setup { /* and behind it, each with its end: where ranks are, nodes, this node */
        uint32_t job, step, node, n_nodes, n_tasks, uid, gid;
};
