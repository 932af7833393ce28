/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a program writes to SLUMBER_RESULT_FD, in pieces; a line that is taken must have sense in
   it, another a reason. */
#include "controller/programs/outcome_line.h"

static void on_line(const char *node, const struct outcome *outcome, void *user) {
        (void)user;
        if (!*node || outcome->kind >= OUTCOME_KIND_MAX ||
                        outcome->retry_after > OUTCOME_PAUSE_MAX ||
                        strpbrk(strempty(outcome->text), "\n\r\033"))
                abort();
}

static void on_mistake(const struct fail *fail, void *user) {
        (void)user;
        if (!*fail->text)
                abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_(outcome_feed_freep) struct outcome_feed *f = outcome_feed_new(on_line, on_mistake,
                        NULL);
        size_t half = size / 2;

        outcome_feed_add(f, (const char *)data, half);
        outcome_feed_add(f, (const char *)data + half, size - half);
        outcome_feed_end(f);
        return 0;
}
