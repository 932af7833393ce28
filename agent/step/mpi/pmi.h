/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/step/mpi/pmi.h - inside slumberstepd: PMI-1, PMI-2 and PMIx for the tasks of a step */
#pragma once

#include "agent/step/base/stepd.h"

/* ---- pmi.c ---- */
/* Before its tasks are started: do they get PMI?  An error: they were to, and cannot. */
int pmi_begin(struct step *s, struct fail *fail);
/* Around the fork of t, in the step daemon: a socket pair for it, whose other end then closes. */
int pmi_open(struct step *s, struct task *t, struct fail *fail);
void pmi_opened(struct step *s, struct task *t);
/* In the child: the descriptor and its variables; and right before exec: it is handed on. */
void pmi_take(struct step *s, const struct task *t);
void pmi_keep(const struct step *s);
bool pmi_is_offered(const struct step *s);
/* There, after pmi_keep(): it stands in that place, as its variable says from now on, too. */
int pmi_move(const struct step *s, int to);
/* Our end, to be polled for these events; -1: there is none. */
int pmi_wants(const struct step *s, const struct task *t, short *ret_events);
void pmi_serve(struct step *s, struct task *t); /* poll() says so */
void pmi_done(struct step *s);

/* ---- pmix.c ---- */
/* As pmi_begin(): a socket that the tasks are told of. */
int pmix_begin(struct step *s, struct fail *fail);
void pmix_take(struct step *s, const struct task *t); /* in the child: its variables */
/* The socket, or the line to the server, to be polled for these events; -1: there is none. */
int pmix_wants(const struct step *s, short *ret_events);
void pmix_serve(struct step *s); /* poll() says so */
void pmix_done(struct step *s);
