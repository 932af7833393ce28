/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/jobs/dependency.h - what a job waits for before it may be scheduled (sbatch
 * --dependency)
 *
 * A job with dependencies left is in the queue but not counted there.  A job that starts, ends or
 * is requeued says so by dependency_news(); turn() then looks at those that wait for it, and at no
 * others. */
#pragma once

#include "controller/model/dependency.h"
#include "lib/fail.h"

struct array;
struct cluster;
struct job;

/* "afterok:12:13_4:14_[0-6:2],after:15+5", "afterok:12?afternotok:12", "singleton", "12".  -EINVAL
   or -ERANGE with fail, which names what was expected.  stored: dependencies_text()'s own form,
   with (failed) and (unfulfilled).  *ret NULL: text is empty or "0". */
int dependencies_parse(const char *text, bool stored, struct dependencies **ret, struct fail *fail);
/* As squeue %E shows what is left: "afterok:12(failed)"; the caller frees. */
char *dependencies_text(const struct dependencies *d);

/* j itself, or the array that it is of, is among those that are waited for. */
bool dependencies_name(const struct dependencies *d, const struct job *j);
/* Each id has been given to a job, and each component that they name is one of its job, as far as
   that is known; else fail says which is not. */
bool dependencies_exist(const struct cluster *c, const struct dependencies *d, struct fail *fail);
/* As things are they will never be met. */
bool dependencies_never(const struct dependencies *d);
/* Would j, if it waited for these, in the end wait for itself? */
bool dependencies_circular(const struct cluster *c, const struct job *j,
                const struct dependencies *d);

/* j, which has an id, waits from now on for what j->waiting.depends says: what is met already
   goes. */
void dependencies_join(struct cluster *c, struct job *j, usec_t now);
/* The accounts have answered for the job of that id: past_of(), which is settled, and goes. */
void dependencies_told(struct cluster *c, uint32_t id, usec_t now);
/* They cannot be read: they are asked again after a while. */
void dependencies_untold(struct cluster *c, uint32_t id, usec_t now);
/* The time of an after:ID+MINUTES may have come, or that to ask the accounts again. */
void dependencies_due(struct cluster *c, struct job *j, usec_t now);
/* j has another name: its singleton dependencies, and those on it. */
void dependencies_renamed(struct cluster *c, struct job *j, usec_t now);
/* a runs, is over, or is back in the queue. */
void dependency_news(struct cluster *c, const struct job *a);
/* Carries the news to those that wait for it, and what follows from that. */
void dependencies_settle(struct cluster *c, usec_t now);
