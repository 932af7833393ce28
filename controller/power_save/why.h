/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/power_save/why.h - why a node has power or not, until when that is so, and which
   settings say so */
#pragma once

#include "controller/model/cluster.h"

struct why {
        /* how far its switching is: "power-command"; what is said of a node at rest too:
           "registered" */
        const char *phase;
        usec_t since; /* of the phase; 0: not known */
        usec_t until; /* when it ends by itself, or is given up; 0: never */
        char *text;   /* a sentence without times; why_done() frees it */
};
/* brief: the sentence is the same for all nodes for which the same holds: it names no job, and of
   an error only the kind. */
void why_init(struct why *w, const struct cluster *c, const struct node *n, bool brief, usec_t now);
void why_done(struct why *w);
/* Without the sentence, which costs more. */
void why_init_phase(struct why *w, const struct cluster *c, const struct node *n, usec_t now);
/* The node that a configuring job waits for longest; NULL: it waits for none, or for no power. */
const struct node *why_slowest(const struct cluster *c, const struct job *j, usec_t now);

enum why_setting { WHY_SUSPEND_TIME, WHY_SUSPEND_TIMEOUT, WHY_RESUME_TIMEOUT, WHY_SETTING_MAX };
/* Where the value in force for n stands, if not in its own line: the name of a partition, or NULL:
   the cluster's. */
const char *why_setting_from(const struct node *n, enum why_setting setting);
