/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/step/mpi/pmi_names.h - inside slumberstepd: names published by tasks with PMI or PMIx
 * (MPI_Publish_name)
 *
 * The first node of the step keeps the only list of names; the other nodes ask the first node by
 * the exchange. A question without an answer in time gets a negative answer, and a name published
 * too late is withdrawn. */
#pragma once

#include "agent/pmi/pmix_line.h"
#include "agent/step/base/stepd.h"

/* Time limit of the first node's answer: its slumberd may be restarting. */
#define PMI_NAME_WAIT (30 * USEC_PER_SEC)

#define PMI_NAME_OF_PMIX UINT32_MAX /* task of the PMIx server; begun is the question's number */
struct pmi_name { /* a question of a task on this node, and its answer; texts are borrowed */
        enum pmi_name_act act;
        uint32_t task, begun; /* task: number on this node; begun: number of the task's program */
        usec_t patience;      /* time limit, us; 0: PMI_NAME_WAIT, or none for PMI_NAME_AWAIT */
        bool done, late;      /* set in the answer; late: the time limit has passed */
        const char *thread;   /* thread id of PMI-2; NULL: none */
        const char *name, *port;
};

/* Call on all nodes before the tasks start; a second call does nothing. */
void pmi_names_begin(struct step *s);
void pmi_names_done(struct step *s);
/* Asks a question. pmi_name_answered() is called once: within the call, at the first node's answer,
   or at the time limit by pmi_names_go_on(). now is CLOCK_MONOTONIC. */
void pmi_name_ask(struct step *s, const struct pmi_name *question, usec_t now);
/* Called by the event loop. pmi_names_patience() returns the milliseconds until pmi_names_go_on()
   has work without an event; -1: never. */
void pmi_names_go_on(struct step *s, usec_t now);
int pmi_names_patience(const struct step *s, usec_t now);
/* pmi.c; after a lookup port is the name's port. */
void pmi_name_answered(struct step *s, const struct pmi_name *answer);
void pmix_name_answered(struct step *s, const struct pmi_name *answer); /* pmix.c */
