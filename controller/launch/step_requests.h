/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/step_requests.h - the requests for steps, and their queue */
#pragma once

#include "controller/launch/run.h"
#include "controller/steps/step_request.h"

void handle_step_request(struct controller *ctl, const struct caller *caller, const Envelope *env);
/* The caller's step in its job, which has started in this turn: begins where it can now, and its
   StepReply has the allocation.  Where it cannot, nothing is said. */
void step_begin_at_once(struct controller *ctl, const struct caller *caller, struct job *j,
                const Slumber__StepRequest *m);
/* Its step began with it: the command that holds it hears of both at once. */
bool run_tells_allocation(const struct controller *ctl, uint32_t job);
/* Something of the job's became free or ready: steps that wait may start. */
void runs_retry(struct controller *ctl, uint32_t job);
/* ... or ports, of any job's: where FOLLOW_STEP_PORTS is due. */
void runs_retry_ports(struct controller *ctl);
/* Copies spec: a node that misses the step can be sent it. */
void run_take_spec(struct run *r, const Slumber__StepSpec *spec);
/* Likewise, of a request: what it leaves to slurm.conf is filled in. */
void run_take_request(const struct controller *ctl, struct run *r, const Slumber__StepRequest *m);
/* Copies those of the components behind the first; settings NULL: as they are. */
void run_take_parts(struct run *r, Slumber__StepSpec *const *parts, size_t n,
                const Slumber__StepSettings *settings);
void run_forget_request(struct run *r);
/* StepReply to the run's command, when it is durable. */
void run_reply(struct controller *ctl, const struct run *r);
/* Where the request's part fits on j now; f, zeroed before, fit_done() after. */
enum slumber_error run_fit(const struct controller *ctl, const struct run *r, size_t part,
                const struct job *j, struct fit *f, struct fail *fail);
/* It has become s, on those nodes: what it has besides. */
void run_started(struct run *r, const struct step *s, struct fit *f);
