/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/submit/plain.h - the submit rules without a script */
#pragma once

#include "controller/submit/rules.h"

/* Submissions of the last hour, a row per user. */
struct throttle;
struct throttle *throttle_free(struct throttle *t); /* takes NULL, returns NULL */

struct plain {
        const struct cluster *c;
        const struct submitter *submitter;
        struct throttle **throttle;
        usec_t now; /* CLOCK_MONOTONIC */
};
/* Applies rule to spec, an unpacked message; fail: the error's text, if any. */
enum slumber_error plain_rule(enum submit_rule rule, const struct plain *p, Slumber__JobSpec *spec,
                struct fail *fail);
