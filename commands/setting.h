/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/setting.h - key=value words of scontrol's update and power verbs */
#pragma once

#include "lib/fail.h"

struct setting {
        const char *key;   /* as typed, without the sign of += and -= */
        const char *value; /* borrowed; one pair of quotes around it is taken off */
        char sign;         /* '+', '-' or 0 */
};

/* Takes word apart, writing into it.  -EINVAL: there is no key or no "=". */
int setting_parse(char *word, struct setting *ret);
/* Is it this key?  In any case, and shortened down to least letters. */
bool setting_is(const struct setting *s, const char *key, size_t least);

/* A node state of "scontrol update nodename= state=", full or shortened as Slurm allows it: the
   full word, upper case; NULL for anything else. */
const char *node_state_word(const char *text);
