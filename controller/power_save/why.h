/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/power_save/why.h - explains a node's power state: the cause, the end, the settings */
#pragma once

#include "controller/model/cluster.h"

struct why {
        /* the progress of switching: "power-command"; for a node at rest: "registered" */
        const char *phase;
        usec_t since; /* start of the phase; 0: not known */
        usec_t until; /* when the phase ends by itself or times out; 0: never */
        char *text;   /* a sentence without times; owned, freed by why_done() */
};
/* Fills *w; why_done() releases it.  brief: the sentence is equal for all nodes in an equal
   situation, names no job, and gives only the kind of an error. */
void why_init(struct why *w, const struct cluster *c, const struct node *n, bool brief, usec_t now);
void why_done(struct why *w);
/* Fills *w except for the sentence, which costs more. */
void why_init_phase(struct why *w, const struct cluster *c, const struct node *n, usec_t now);
/* Returns the node for which the configuring job j waits longest; NULL if j waits for no node or no
   power. */
const struct node *why_slowest(const struct cluster *c, const struct job *j, usec_t now);

enum why_setting { WHY_SUSPEND_TIME, WHY_SUSPEND_TIMEOUT, WHY_RESUME_TIMEOUT, WHY_SETTING_MAX };
/* Returns the name of the partition that sets n's value; NULL: the cluster's value applies.  The
   value of the node's own line must have been excluded. */
const char *why_setting_from(const struct node *n, enum why_setting setting);
