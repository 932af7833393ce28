/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/submit/rules_private.h - what rules.c and modify.c share */
#pragma once

#include "controller/submit/lua.h"
#include "controller/submit/modify.h"
#include "controller/submit/plain.h"
#include "controller/submit/rules.h"

struct rules {
        struct lua *lua; /* NULL: no rule needs it */
        struct throttle *throttle;
        /* submissions that wait for the script, and the one that is being handled again */
        struct judging *waiting, *ready;
        /* likewise updates of jobs */
        struct modify *modifies, *modify;
};

/* The number that the script has returned as one of our errors; *ret_text: the words of one that
   is none, or NULL. */
enum slumber_error rule_code(int64_t code, const char **ret_text);
void modify_client_gone(struct rules *rules, const struct peer *p, uint64_t client, bool all);
void modify_free_all(struct rules *rules);
