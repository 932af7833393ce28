/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/step/mpi/pmi_names.h - inside slumberstepd: names that tasks publish by PMI or PMIx
 * (MPI_Publish_name)
 *
 * There is one list for the step, which its first node keeps; the others ask that by the
 * exchange. What it does not answer in time is answered with no, and what it publishes too late is
 * taken back. */
#pragma once

#include "agent/pmi/pmix_line.h"
#include "agent/step/base/stepd.h"

/* For the first node's answer: its slumberd may have to come back meanwhile. */
#define PMI_NAME_WAIT (30 * USEC_PER_SEC)

#define PMI_NAME_OF_PMIX UINT32_MAX /* task of those of the PMIx server; begun is their number */
struct pmi_name { /* a question of one of this node's tasks, and its answer; texts are borrowed */
        enum pmi_name_act act;
        uint32_t task, begun; /* which one, and which program of it */
        usec_t patience;      /* for its answer; 0: PMI_NAME_WAIT, of PMI_NAME_AWAIT without end */
        bool done, late;      /* in the answer; late: none has come in time */
        const char *thread;   /* what it said of itself; NULL */
        const char *name, *port;
};

/* Before the tasks start, on all nodes; once more: nothing. */
void pmi_names_begin(struct step *s);
void pmi_names_done(struct step *s);
/* pmi_name_answered() is called once: in it, or when the first node has said, or at the latest
   its patience after now, CLOCK_MONOTONIC, by pmi_names_go_on(). */
void pmi_name_ask(struct step *s, const struct pmi_name *question, usec_t now);
/* For the step daemon's loop: milliseconds until there is something to do without an event; -1:
   never. */
void pmi_names_go_on(struct step *s, usec_t now);
int pmi_names_patience(const struct step *s, usec_t now);
/* pmi.c; of a lookup port is what was found. */
void pmi_name_answered(struct step *s, const struct pmi_name *answer);
void pmix_name_answered(struct step *s, const struct pmi_name *answer); /* pmix.c */
