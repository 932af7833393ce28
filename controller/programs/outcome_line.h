/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/outcome_line.h - what a program writes to SLUMBER_RESULT_FD: one JSON object
 * for each node, one per line
 *
 *      {"node":"n7","ok":false,"error":"capacity","retry_after":60,"text":"quota of zone b"}
 *      {"node":"n7","ok":true,"power":"off"}
 *
 * Keys that are not known are passed over. */
#pragma once

#include "controller/lives/outcome.h"

#define OUTCOME_LINE_MAX 4096 /* bytes: a node, a word, a sentence */
#define OUTCOME_TEXT_MAX 400  /* of the sentence: it goes into a Reason */

struct outcome_line {
        char node[256];
        char text[OUTCOME_TEXT_MAX + 1]; /* printable UTF-8 */
        struct outcome outcome;          /* its text is the one above, or NULL */
};

/* size without the newline.  -EINVAL with fail: it is not understood. */
int outcome_line_parse(const char *line, size_t size, struct outcome_line *ret, struct fail *fail);

/* Lines out of pieces. */
struct outcome_feed {
        char line[OUTCOME_LINE_MAX];
        size_t size;
        bool too_long; /* the rest of it is passed over */
        void (*on_line)(const struct outcome_line *line, void *user);
        void (*on_mistake)(const struct fail *fail, void *user);
        void *user;
};
void outcome_feed(struct outcome_feed *f, const char *data, size_t size);
void outcome_feed_end(struct outcome_feed *f); /* a last line may lack its newline */
