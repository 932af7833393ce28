/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/step/mpi/pmi.h - inside slumberstepd: PMI-1, PMI-2 and PMIx for the tasks of a step */
#pragma once

#include "agent/step/base/stepd.h"

/* ---- pmi.c ---- */
/* Before the tasks are started: decides if tasks get PMI. Negative errno: requested, but
   impossible. */
int pmi_begin(struct step *s, struct fail *fail);
/* pmi_open() makes a socket pair before the fork of t, in the step daemon; pmi_opened() closes the
   task's end afterwards. */
int pmi_open(struct step *s, struct task *t, struct fail *fail);
void pmi_opened(struct step *s, struct task *t);
/* pmi_take() runs in the child and sets the descriptor and its variables; pmi_keep(), just before
   exec, keeps the descriptor open. */
void pmi_take(struct step *s, const struct task *t);
void pmi_keep(const struct step *s);
bool pmi_is_offered(const struct step *s);
/* Moves the descriptor, in the child after pmi_keep(), to number to and updates PMI_FD. */
int pmi_move(const struct step *s, int to);
/* Returns the step daemon's end for poll() and sets the events; -1: none. */
int pmi_wants(const struct step *s, const struct task *t, short *ret_events);
void pmi_serve(struct step *s, struct task *t); /* called after poll() reports an event */
void pmi_done(struct step *s);

/* ---- pmix.c ---- */
/* Like pmi_begin(), for PMIx: opens a socket known to the tasks. */
int pmix_begin(struct step *s, struct fail *fail);
void pmix_take(struct step *s, const struct task *t); /* sets the variables, in the child */
/* Returns the listening socket or the line to the server for poll(), and sets the events; -1:
   none. */
int pmix_wants(const struct step *s, short *ret_events);
void pmix_serve(struct step *s); /* called after poll() reports an event */
void pmix_done(struct step *s);
