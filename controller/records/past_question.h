/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/records/past_question.h - FX_ASK_ACCOUNTS: asks the accounts how removed jobs ended
   that dependencies name */
#pragma once

#include "controller/loop/controller.h"

/* Asks for the job of fx; ids added while a question is under way are combined in the next
   question. */
void past_question_add(struct controller *ctl, const struct effect *fx);
void past_question_free(struct controller *ctl);
