/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/step_requests.h - requests for steps, and their queue */
#pragma once

#include "controller/launch/run.h"
#include "controller/steps/step_request.h"

void handle_step_request(struct controller *ctl, const struct caller *caller, const Envelope *env);
/* Starts the caller's step, if possible now, in a job that has started in this turn; the
   StepReply then has the allocation, too. Sends no reply if the step cannot start. */
void step_begin_at_once(struct controller *ctl, const struct caller *caller, struct job *j,
                const Slumber__StepRequest *m);
/* Returns whether the StepReply of a step started with the job tells the command about the
   allocation. */
bool run_tells_allocation(const struct controller *ctl, uint32_t job);
/* Called when resources of the job became free or ready: waiting steps may start. */
void runs_retry(struct controller *ctl, uint32_t job);
/* Called when ports of any job became free: acts if FOLLOW_STEP_PORTS is due. */
void runs_retry_ports(struct controller *ctl);
/* Copies spec, so that the launch can be repeated. */
void run_take_spec(struct run *r, const Slumber__StepSpec *spec);
/* Copies the specifications of a request, with defaults from slurm.conf filled in. */
void run_take_request(const struct controller *ctl, struct run *r, const Slumber__StepRequest *m);
/* Copies the specifications of further components; settings NULL: without filling in defaults. */
void run_take_parts(struct run *r, Slumber__StepSpec *const *parts, size_t n,
                const Slumber__StepSettings *settings);
void run_forget_request(struct run *r);
/* Sends StepReply to the run's command once the step is durable. */
void run_reply(struct controller *ctl, const struct run *r);
/* Fits the request's component `part` on j now. f must be zeroed before; fit_done() frees f's
   members. */
enum slumber_error run_fit(const struct controller *ctl, const struct run *r, size_t part,
                const struct job *j, struct fit *f, struct fail *fail);
/* Makes r the run of the started step s: takes the tasks' places from f. */
void run_started(struct run *r, const struct step *s, struct fit *f);
