/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/mail.h - MailProg */
#pragma once

#include "controller/loop/controller.h"

/* Before any of the others; as whom MailProg is to run. */
void mails_start(struct controller *ctl);
/* A job's nodes are up (FX_READY) or it has left them (FX_ENDED): its user gets mail, if
   --mail-type asks for it. */
void mail_tell(struct controller *ctl, enum effect_kind kind, const struct job *j);
/* FX_MAIL: one of the bits of lib/mailtype.h. */
void mail_reached(struct controller *ctl, const struct job *j, uint32_t type);
void mails_free(struct controller *ctl);
