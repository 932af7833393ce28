/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/submit/rules_private.h - shared by rules.c and modify.c */
#pragma once

#include "controller/submit/lua.h"
#include "controller/submit/modify.h"
#include "controller/submit/plain.h"
#include "controller/submit/rules.h"

struct rules {
        struct lua *lua; /* NULL: no rule needs the script */
        struct throttle *throttle;
        /* submissions waiting for the script; the submission being handled again */
        struct judging *waiting, *ready;
        /* the same for updates of jobs */
        struct modify *modifies, *modify;
};

/* Converts a number returned by the script to an error code; *ret_text: text of a plain errno, or
   NULL. */
enum slumber_error rule_code(int64_t code, const char **ret_text);
void modify_client_gone(struct rules *rules, const struct peer *p, uint64_t client, bool all);
void modify_free_all(struct rules *rules);
