/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of slumber.yaml: watts_on, watts_idle, watts_off, watts_booting, boot_seconds,
 * shutdown_seconds. Format: "300", or "300 gpu[1-4]=2000 n7=150": a figure for all nodes, and
 * figures for named nodes, the last of which is used. Watts may have a fraction. */
#include "lib/config/config_private.h"
#include "lib/hostlist.h"
#include "lib/timetext.h"
#include "lib/wordlist.h"

struct figure {
        const char *key, *unit;
        uint32_t max;        /* maximum for one node; more is an error */
        uint32_t unit_parts; /* resolution kept: thousandths of a watt, whole seconds */
        size_t offset;
};

#define WATTS(i) 1000000, 1000, offsetof(struct config_node, milliwatts) + (i) * sizeof(uint32_t)
static const struct figure figures[] = {
        { "watts_on", "watts", WATTS(0) },
        { "watts_idle", "watts", WATTS(1) },
        { "watts_off", "watts", WATTS(2) },
        { "watts_booting", "watts", WATTS(3) },
        { "boot_seconds", "seconds", 86400, 1, offsetof(struct config_node, boot_seconds) },
        { "shutdown_seconds", "seconds", 86400, 1, offsetof(struct config_node, shutdown_seconds) },
};

static void figure_set(struct config_node *node, const struct figure *figure, uint64_t value) {
        *(uint32_t *)(void *)((char *)node + figure->offset) = (uint32_t)value;
}

static int set_named(struct config *config, const struct figure *figure, const char *nodes,
                uint64_t value, struct fail *fail) {
        _cleanup_(hostlist_freep) struct hostlist *names = NULL;
        size_t known = 0;
        int r = hostlist_parse(nodes, &names, fail);

        if (r < 0)
                return r;
        for (size_t i = 0; i < config->n_nodes; i++)
                if (hostlist_has(names, config->nodes[i].name)) {
                        figure_set(&config->nodes[i], figure, value);
                        known++;
                }
        return known < hostlist_count(names)
                               ? fail_set(fail, -ENOENT,
                                                 "\"%.100s\" names nodes that are not configured",
                                                 nodes)
                               : 0;
}

/* Reads "120" or "0.5" in parts of the unit, rounded down. */
static int figure_read(const struct figure *figure, char *text, uint64_t *ret) {
        char *point = figure->unit_parts > 1 ? strchr(text, '.') : NULL;
        uint64_t whole = 0, part = 0, parts = figure->unit_parts;

        if (point) {
                *point = 0;
                size_t digits = strspn(point + 1, "0123456789");
                if (digits == 0 || point[1 + digits])
                        return -EINVAL;
                for (size_t i = 0; i < digits && parts > 1; i++, parts /= 10)
                        part = part * 10 + (uint64_t)(point[1 + i] - '0');
        }
        int r = uint_parse(text, 0, figure->max, &whole);
        if (point)
                *point = '.';
        *ret = whole * figure->unit_parts + part * parts;
        return r;
}

static int figure_take_word(struct config *config, const struct figure *figure, char *word,
                struct fail *fail) {
        char *equals = strchr(word, '=');
        uint64_t value;

        if (figure_read(figure, equals ? equals + 1 : word, &value) < 0)
                return fail_set(fail, -EINVAL, "\"%.100s\" is not a number of %s, nor NODES=%c%s",
                                word, figure->unit, figure->unit[0] - 'a' + 'A', figure->unit + 1);
        if (equals) {
                *equals = 0;
                return set_named(config, figure, word, value, fail);
        }
        for (size_t i = 0; i < config->n_nodes; i++)
                figure_set(&config->nodes[i], figure, value);
        return 0;
}

int config_watts(struct config *config, struct fail *fail) {
        const struct ydoc_text *texts = config->site.figures;
        _Static_assert(ELEMENTSOF(figures) == SITE_FIGURES, "a figure without a text");

        for (size_t i = 0; i < ELEMENTSOF(figures); i++) {
                for_each_word(w, texts[i].text, " \t") {
                        int r = figure_take_word(config, &figures[i], w, fail);
                        if (r < 0)
                                return site_text_fail(config, &texts[i], figures[i].key, r, fail);
                }
        }
        return 0;
}
