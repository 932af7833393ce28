/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pam/adopt_options.h - what stands behind pam_slumber_adopt.so in a file of /etc/pam.d */
#pragma once

#include "lib/fail.h"

enum adopt_action { ADOPT_DENY, ADOPT_ALLOW, ADOPT_IGNORE, ADOPT_NEWEST };

struct adopt_options {
        /* the user has no job here; it has several, and none is known to be meant; the process
           cannot be moved; anything else */
        enum adopt_action no_jobs, unknown, adopt_failure, generic_failure;
        int join_container;   /* the session sees the private folders of its job */
        int no_x11;           /* the session does not get the DISPLAY of its job */
        int log_level;        /* LOG_...: what is less is not said; -1: nothing is */
        const char *nodename; /* NULL: any */
        const char *service;  /* "*": all of them */
        const char *socket;   /* slumberd's */
};

/* The texts stay argv's.  Negative errno with fail, which names the option: it is not known, or its
   value is not one of its own. */
int adopt_options_parse(int argc, const char **argv, struct adopt_options *ret, struct fail *fail);
