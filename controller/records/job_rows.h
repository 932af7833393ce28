/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/records/job_rows.h - rows of the accounts for ended jobs and steps, and for submitted
   scripts */
#pragma once

#include "controller/loop/controller.h"

/* Sends first the rows that the previous controller had not sent. */
int job_rows_open(struct controller *ctl, struct fail *fail);
void job_rows_note(struct controller *ctl, const struct ended *e);
void job_rows_note_step(struct controller *ctl, const struct ended_step *e);
/* Stores what AccountingStoreFlags selects of the script with which j was submitted. */
void job_rows_note_script(struct controller *ctl, const struct job *j,
                const Slumber__JobScript *script);
/* Calls ready(true, user) when the rows of all ends so far are in the accounts or have failed, and
   ready(false, user) if the controller ends first. */
typedef void (*job_rows_ready)(bool there, void *user);
void job_rows_wait(struct controller *ctl, job_rows_ready ready, void *user);
/* True if some ends get into the accounts only at the next start, so that answers may be
   incomplete. */
bool job_rows_lack(const struct controller *ctl);
size_t job_rows_left(const struct controller *ctl); /* number of rows not in the accounts yet */
void job_rows_seal(struct controller *ctl, uint64_t batch); /* assigns the turn's rows to batch */
void job_rows_durable(struct controller *ctl, uint64_t batch);
void job_rows_close(struct controller *ctl); /* the store is closed; accounting still open */
void job_rows_free(struct controller *ctl);
