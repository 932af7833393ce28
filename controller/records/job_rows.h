/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/records/job_rows.h - jobs that are over, and scripts that were submitted, in the
   accounts */
#pragma once

#include "controller/loop/controller.h"

/* what the last controller had not yet sent goes first */
int job_rows_open(struct controller *ctl, struct fail *fail);
void job_rows_note(struct controller *ctl, const struct ended *e);
void job_rows_note_step(struct controller *ctl, const struct ended_step *e);
/* j was submitted with that: what AccountingStoreFlags asks for is kept. */
void job_rows_note_script(struct controller *ctl, const struct job *j,
                const Slumber__JobScript *script);
/* ready(true, user): all rows of ends until now are in the accounts, or cannot be; (false): the
   controller ends. */
typedef void (*job_rows_ready)(bool there, void *user);
void job_rows_wait(struct controller *ctl, job_rows_ready ready, void *user);
/* There are ends that the accounts get at the next start only: what they lack is not known. */
bool job_rows_lack(const struct controller *ctl);
size_t job_rows_left(const struct controller *ctl); /* rows that are not in the accounts yet */
void job_rows_seal(struct controller *ctl, uint64_t batch); /* those of this turn belong to it */
void job_rows_durable(struct controller *ctl, uint64_t batch);
void job_rows_close(struct controller *ctl); /* the store is closed, accounting is about to be */
void job_rows_free(struct controller *ctl);
