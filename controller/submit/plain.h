/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/submit/plain.h - the submit rules that need no script */
#pragma once

#include "controller/submit/rules.h"

/* Submissions of the last hour, a row for each user that has one. */
struct throttle;
struct throttle *throttle_free(struct throttle *t); /* takes NULL, returns NULL */

struct plain {
        const struct cluster *c;
        const struct submitter *submitter;
        struct throttle **throttle;
        usec_t now; /* CLOCK_MONOTONIC */
};
/* spec was unpacked; *text: the error's sentence, where it has one. */
enum slumber_error plain_rule(enum submit_rule rule, const struct plain *p, Slumber__JobSpec *spec,
                struct fail *fail);
