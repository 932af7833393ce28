/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/records/past_question.h - FX_ASK_ACCOUNTS: how forgotten jobs ended, which
   dependencies name */
#pragma once

#include "controller/loop/controller.h"

/* Ids that are asked for while a question is under way share the next one. */
void past_question_add(struct controller *ctl, const struct effect *fx);
void past_question_free(struct controller *ctl);
