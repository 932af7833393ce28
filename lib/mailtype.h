/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/mailtype.h - events of a job's mails (--mail-type) as bits; the values are stored */
#pragma once

#include "lib/fail.h"

enum mail_type {
        MAIL_BEGIN = 1,
        MAIL_END = 2,
        MAIL_FAIL = 4,
        MAIL_REQUEUE = 8,
        MAIL_ARRAY_TASKS = 16, /* mail for each task instead of the whole array */
        MAIL_INVALID_DEPEND = 32,
        MAIL_STAGE_OUT = 64, /* burst buffers are not supported: never sent */
        MAIL_TIME_LIMIT_50 = 128,
        MAIL_TIME_LIMIT_80 = 256,
        MAIL_TIME_LIMIT_90 = 512,
        MAIL_TIME_LIMIT = 1024,
};

/* Reads "BEGIN,END", in any case; ALL is all but ARRAY_TASKS and TIME_LIMIT..., as in Slurm; NONE
 * among other words has no effect. */
int mail_type_parse(const char *text, uint32_t *ret, struct fail *fail);
/* Returns the words with commas, or "NONE"; the caller frees. */
char *mail_type_text(uint32_t types);
/* Checks MailUser. Returns NULL if MailProg may get the text as recipient, else a description of
 * valid text. Valid: "" (the job's user) or addresses with commas, each NAME or NAME@DOMAIN of
 * letters, digits and . _ + - =, beginning with a letter, digit or underscore: MailProg cannot take
 * such an address for an option, a file or a command. */
const char *mail_user_fault(const char *text);
/* True if text may stand behind the @. */
bool mail_is_domain(const char *text);
/* Returns "user@MailDomain", or the user if domain is NULL or ""; the caller frees. */
char *mail_user_default(const char *user, const char *domain);
