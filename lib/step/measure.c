/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/step/measure.h"
#include "lib/wordlist.h"

#include <inttypes.h>

static const char *const names[MEASURE_MAX] = {
        [MEASURE_CPU] = "cpu",
        [MEASURE_RSS] = "mem",
        [MEASURE_PAGES] = "pages",
        [MEASURE_READ] = "read",
        [MEASURE_WRITTEN] = "written",
        [MEASURE_VM] = "vmem",
};

static void extreme_replace(struct extreme *to, const struct extreme *by, const char *node) {
        to->value = by->value;
        to->task = by->task;
        if (node)
                free_and_strdup(&to->node, node);
}

static void measured_merge(struct measured *to, const struct measured *from, const char *node) {
        if (from->most.task && (!to->most.task || from->most.value > to->most.value))
                extreme_replace(&to->most, &from->most, node);
        if (from->least.task && (!to->least.task || from->least.value < to->least.value))
                extreme_replace(&to->least, &from->least, node);
        to->sum += from->sum;
}

void measures_add(struct measures *m, enum measure which, uint64_t value, uint32_t rank) {
        struct extreme task = { .value = value, .task = rank + 1 };

        measured_merge(&m->of[which],
                        &(struct measured){ .most = task, .least = task, .sum = value }, NULL);
}

void measures_merge(struct measures *m, const struct measures *others, const char *node) {
        for (size_t i = 0; i < MEASURE_MAX; i++)
                measured_merge(&m->of[i], &others->of[i], node);
}

void measures_done(struct measures *m) {
        for (size_t i = 0; i < MEASURE_MAX; i++) {
                free(m->of[i].most.node);
                free(m->of[i].least.node);
        }
        *m = (struct measures){ 0 };
}

/* Returns the text of one part; NULL: not measured. */
static char *part_text(const struct measured *m, enum measure_part part) {
        const struct extreme *e = part >= LEAST && part <= LEAST_TASK ? &m->least : &m->most;

        if (!e->task)
                return NULL;
        if (part == MOST_NODE || part == LEAST_NODE)
                return e->node ? xstrdup(e->node) : NULL;
        if (part == MOST_TASK || part == LEAST_TASK)
                return xasprintf("%" PRIu32, e->task - 1);
        return xasprintf("%" PRIu64, part == SUM ? m->sum : e->value);
}

char *measures_text(const struct measures *m, enum measure_part part) {
        char *text = xstrdup("");

        for (size_t i = 0; i < MEASURE_MAX; i++) {
                _cleanup_free_ char *value = part_text(&m->of[i], part);

                if (!value)
                        continue;
                text_add_word(&text, ",", "%s=%s", names[i], value);
        }
        return text;
}

const char *measure_find(const char *text, enum measure which) {
        size_t length = strlen(names[which]);

        while (strncmp(text, names[which], length) != 0 || text[length] != '=') {
                text = strchr(text, ',');
                if (!text)
                        return NULL;
                text++;
        }
        return text + length + 1;
}
