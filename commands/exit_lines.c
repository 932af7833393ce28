/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands/exit_lines.h"

#include "commands/command.h"
#include "commands/exitcode.h"

#define WAIT (200 * USEC_PER_MSEC) /* time to collect tasks with equal ends */

struct exit_line {
        char *node;
        uint32_t status, *ranks;
        size_t n, allocated;
};

static struct exit_line *exit_line_get(struct exit_lines *l, const char *node, uint32_t status) {
        for (size_t i = 0; i < l->n; i++)
                if (l->lines[i].status == status && streq(l->lines[i].node, node))
                        return &l->lines[i];
        GROW(l->lines, l->allocated, l->n);
        l->lines[l->n] = (struct exit_line){ .node = xstrdup(node), .status = status };
        return &l->lines[l->n++];
}

void exit_lines_add(struct exit_lines *l, const char *node, uint32_t status, const uint32_t *ranks,
                size_t n) {
        struct exit_line *line = exit_line_get(l, node, status);

        for (size_t i = 0; i < n; i++) {
                GROW(line->ranks, line->allocated, line->n);
                line->ranks[line->n++] = ranks[i];
        }
        if (!l->due)
                l->due = now_monotonic() + WAIT;
}

static void exit_line_done(struct exit_line *line) {
        free(line->node);
        free(line->ranks);
}

static void exit_line_print(struct exit_line *line, const char *program) {
        char words[EXIT_TEXT_MAX];
        _cleanup_free_ char *tasks = exit_tasks_text(line->ranks, line->n);

        command_error(program, "%s%s%s: %s", line->node, *line->node ? ": " : "", tasks,
                        exit_text(line->status, words));
}

void exit_lines_print(struct exit_lines *l, const char *program, const char *node) {
        size_t kept = 0;

        for (size_t i = 0; i < l->n; i++) {
                if (node && !streq(l->lines[i].node, node)) {
                        l->lines[kept++] = l->lines[i];
                        continue;
                }
                exit_line_print(&l->lines[i], program);
                exit_line_done(&l->lines[i]);
        }
        l->n = kept;
        if (kept == 0)
                l->due = 0;
}

void exit_lines_done(struct exit_lines *l) {
        for (size_t i = 0; i < l->n; i++)
                exit_line_done(&l->lines[i]);
        free(l->lines);
        *l = (struct exit_lines){ 0 };
}
