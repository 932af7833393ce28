/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a program writes to SLUMBER_RESULT_FD, in pieces; a line that is taken must have sense in
   it, another a reason. */
#include "controller/programs/outcome_line.h"

static void on_line(const struct outcome_line *line, void *user) {
        (void)user;
        if (!*line->node || line->outcome.kind >= OUTCOME_KIND_MAX ||
                        line->outcome.retry_after > OUTCOME_PAUSE_MAX ||
                        strpbrk(line->text, "\n\r\033"))
                abort();
}

static void on_mistake(const struct fail *fail, void *user) {
        (void)user;
        if (!*fail->text)
                abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        struct outcome_feed f = { .on_line = on_line, .on_mistake = on_mistake };
        size_t half = size / 2;

        outcome_feed(&f, (const char *)data, half);
        outcome_feed(&f, (const char *)data + half, size - half);
        outcome_feed_end(&f);
        return 0;
}
