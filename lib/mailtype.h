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
        MAIL_INVALID_DEPEND = 32,
        MAIL_STAGE_OUT = 64, /* of burst buffers: there are none, so it never comes */
        MAIL_TIME_LIMIT_50 = 128,
        MAIL_TIME_LIMIT_80 = 256,
        MAIL_TIME_LIMIT_90 = 512,
        MAIL_TIME_LIMIT = 1024,
};

/* "BEGIN,END", in any case; ALL is all but ARRAY_TASKS and TIME_LIMIT..., as in Slurm; NONE among
 * other words is none. */
int mail_type_parse(const char *text, uint32_t *ret, struct fail *fail);
/* The words with commas, malloced; "NONE". */
char *mail_type_text(uint32_t types);
/* MailUser: NULL where the text may be given to MailProg as the recipient, else what was expected
 * instead.  Several addresses with commas; each is NAME or NAME@DOMAIN of letters, digits and
 * . _ + - =, which begin with a letter, a digit or an underscore: so MailProg takes none for an
 * option, a file or a command.  "": the job's user. */
const char *mail_user_fault(const char *text);
/* MailDomain: what may stand behind the @. */
bool mail_is_domain(const char *text);
/* "user@MailDomain", or the user where that is not set (NULL or ""); malloced. */
char *mail_user_default(const char *user, const char *domain);
