/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/pmi/pmix_line.h - messages between a step daemon and its PMIx server (pmixd.c) over a
 * stream: a head, then head.size bytes
 *
 * The server runs as the step's user, so the step daemon trusts the server no more than a task. */
#pragma once

#include "agent/pmi/pmi_wire.h"

#define PMIX_LINE_MAX ((size_t)15 << 20) /* maximum size of a message from the server, bytes */
#define MPI_SPACE     "slurm.pmix.%u.%u" /* namespace, with job and step id */

enum pmi_name_act { /* requests about published names, of PMI-1 and PMI-2, too */
        PMI_NAME_PUBLISH,
        PMI_NAME_LOOKUP,
        PMI_NAME_UNPUBLISH,
        PMI_NAME_AWAIT,  /* lookup that waits for the publication; PMIx only */
        PMI_NAME_FORGET, /* between step daemons: cancels the question with the number */
        PMI_NAME_ACT_MAX,
};

/* Value in the answer to a publication whose name is already published */
#define PMI_NAME_THERE "there"

enum pmix_line_kind {
        PMIX_LINE_SETUP, /* first message to the server: struct pmix_setup and its texts */
        PMIX_LINE_FENCE, /* every task here is in fence number; answer: the data of all nodes */
        /* Asks for the data of rank number. data begins with a node (uint32_t): from the server the
           node to ask, to the server the asking node. */
        PMIX_LINE_ASK,
        /* The data of rank number; from the server after the asking node (uint32_t). */
        PMIX_LINE_TOLD,
        PMIX_LINE_ABORT,  /* rank number ends the step: exit code (int32_t), text */
        PMIX_LINE_FAILED, /* last message of the server: reason of the failure */
        /* Some tasks have entered fence number: struct pmix_some_head, nodes, data; answer: the
           data of all nodes in question. */
        PMIX_LINE_SOME,
        PMIX_LINE_SOME_ALL, /* between step daemons: the collected data */
        /* Between step daemons: the first node has the sender's data and will send
           PMIX_LINE_SOME_ALL. */
        PMIX_LINE_SOME_HEARD,
        /* Question number about a name: struct pmix_name_head, name, value; answer: enum
           pmix_name_outcome (uint32_t), value. */
        PMIX_LINE_NAME,
        PMIX_LINE_REFUSED, /* task number's request is not supported: text for the user */
        PMIX_LINE_KIND_MAX,
};

struct pmix_line_head {
        uint32_t kind, number, size;
};

struct pmix_some_head {
        uint64_t set; /* hash of the tasks' ranks */
        uint32_t n_nodes, unused;
};

struct pmix_name_head {
        uint32_t act;      /* enum pmi_name_act */
        uint32_t patience; /* ms; 0: as in struct pmi_name */
};
enum pmix_name_outcome {
        PMIX_NAME_NO,
        PMIX_NAME_DONE,
        PMIX_NAME_LATE, /* no answer in time */
};
/* A stored value is the publishing task's rank, a blank, and the value in hexadecimal digits. */
#define PMIX_NAME_PREFIX "PMIX " /* keeps names of PMIx apart from names of PMI-1 and PMI-2 */

/* Followed by three texts with their zero bytes: process mapping, nodes, this node */
struct pmix_setup {
        uint32_t job, step, node, n_nodes, n_tasks, uid, gid;
};
