/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/step_id.h"

#include "lib/timetext.h"

#define BCAST "bcast"

static const struct {
        uint32_t step;
        const char *word;
} words[] = {
        { STEP_BATCH, "batch" },
        { STEP_EXTERN, "extern" },
        { STEP_INTERACTIVE, "interactive" },
};

const char *step_text(uint32_t step, char buf[static STEP_TEXT_MAX]) {
        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (words[i].step == step)
                        return words[i].word;
        if (step >= STEP_BCAST_FIRST && step <= STEP_NUMBER_MAX)
                snprintf(buf, STEP_TEXT_MAX, BCAST "%u", step - STEP_BCAST_FIRST);
        else
                snprintf(buf, STEP_TEXT_MAX, "%u", step);
        return buf;
}

const char *step_part_text(uint32_t step, uint32_t part, char buf[static STEP_TEXT_MAX]) {
        if (!part)
                return step_text(step, buf);
        snprintf(buf, STEP_TEXT_MAX, "%u+%u", step, part - 1);
        return buf;
}

int step_parse(const char *text, uint32_t *ret) {
        uint64_t n;

        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (streq(words[i].word, text)) {
                        *ret = words[i].step;
                        return 0;
                }
        bool bcast = strncmp(text, BCAST, strlen(BCAST)) == 0;
        if (uint_parse(bcast ? text + strlen(BCAST) : text, 0,
                            bcast ? STEP_NUMBER_MAX - STEP_BCAST_FIRST : STEP_BCAST_FIRST - 1,
                            &n) < 0)
                return -EINVAL;
        *ret = (uint32_t)n + (bcast ? STEP_BCAST_FIRST : 0);
        return 0;
}
