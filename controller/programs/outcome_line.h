/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/outcome_line.h - parses the output of a program on SLUMBER_RESULT_FD: a JSON
 * object per node, a line per object
 *
 *      {"node":"n7","ok":false,"error":"capacity","retry_after":60,"text":"quota of zone b"}
 *      {"node":"n7","ok":true,"power":"off"}
 *
 * Unknown keys are ignored. */
#pragma once

#include "controller/nodes/outcome.h"

#define OUTCOME_LINE_MAX 4096 /* bytes: a node, a word, a sentence */
#define OUTCOME_TEXT_MAX 400  /* maximum bytes of the sentence, which becomes part of a Reason */

/* Assembles lines from pieces. */
struct outcome_feed;
/* outcome is borrowed; outcome->text is printable UTF-8. */
typedef void outcome_on_line(const char *node, const struct outcome *outcome, void *user);
typedef void outcome_on_mistake(const struct fail *fail, void *user); /* a line is invalid */
struct outcome_feed *outcome_feed_new(outcome_on_line *on_line, outcome_on_mistake *on_mistake,
                void *user);
struct outcome_feed *outcome_feed_free(struct outcome_feed *f); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct outcome_feed *, outcome_feed_free)
void outcome_feed_add(struct outcome_feed *f, const char *data, size_t size);
void outcome_feed_end(struct outcome_feed *f); /* accepts a last line without newline */
