/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/mail.h - MailProg */
#pragma once

#include "controller/loop/controller.h"

/* Called before the functions below; looks up the user of MailProg. */
void mails_start(struct controller *ctl);
/* The nodes of j are up (FX_READY) or j has left them (FX_ENDED): mails the user if --mail-type
   asks for mail. */
void mail_tell(struct controller *ctl, enum effect_kind kind, const struct job *j);
/* FX_MAIL; type: a bit of lib/mailtype.h. */
void mail_reached(struct controller *ctl, const struct job *j, uint32_t type);
void mails_free(struct controller *ctl);
