/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/mailtype.h - of what a job's user wants mail (--mail-type), as bits; they are stored */
#pragma once

#include "lib/fail.h"

enum mail_type {
        MAIL_BEGIN = 1,
        MAIL_END = 2,
        MAIL_FAIL = 4,
        MAIL_REQUEUE = 8,
        MAIL_ARRAY_TASKS = 16, /* of each task, not of the array */
};

/* "BEGIN,END", in any case; ALL is all but ARRAY_TASKS, NONE none.  Slurm's other words are refused by name. */
int mail_type_parse(const char *text, uint32_t *ret, struct fail *fail);
/* The words with commas, malloced; "NONE". */
char *mail_type_text(uint32_t types);
