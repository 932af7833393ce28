/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/setting.h - key=value words of scontrol's update and power verbs */
#pragma once

#include "lib/fail.h"

struct setting {
        const char *key;   /* key as typed, without the sign of += and -= */
        const char *value; /* borrowed; without a surrounding pair of quotes */
        char sign;         /* '+', '-' or 0 */
};

/* Splits word in place. -EINVAL: no key or no "=". */
int setting_parse(char *word, struct setting *ret);
/* Compares the key, in any case, possibly shortened to at least least letters. */
bool setting_is(const struct setting *s, const char *key, size_t least);

/* Returns the full upper-case word of a node state in "scontrol update nodename= state=", given
   in full or shortened as in Slurm; NULL: unknown. */
const char *node_state_word(const char *text);
