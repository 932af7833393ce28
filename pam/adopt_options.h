/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pam/adopt_options.h - options of pam_slumber_adopt.so in /etc/pam.d */
#pragma once

#include "lib/fail.h"

enum adopt_action { ADOPT_DENY, ADOPT_ALLOW, ADOPT_IGNORE, ADOPT_NEWEST };

struct adopt_options {
        /* Actions if: the user has no job here; several jobs, and the right one is unknown; the
           process cannot be moved; other failures. */
        enum adopt_action no_jobs, unknown, adopt_failure, generic_failure;
        int join_container;   /* the session gets its job's private folders */
        int no_x11;           /* the session does not get its job's DISPLAY */
        int log_level;        /* LOG_...: less severe messages are dropped; -1: all */
        const char *nodename; /* NULL: any */
        const char *service;  /* "*": all services */
        const char *socket;   /* slumberd's */
};

/* Reads the options; texts are borrowed from argv. Negative errno with fail naming the option:
   unknown option or invalid value. */
int adopt_options_parse(int argc, const char **argv, struct adopt_options *ret, struct fail *fail);
