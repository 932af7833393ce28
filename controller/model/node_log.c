/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Log lines for many nodes.
 *
 * Nodes wait in a set for each text.  A few nodes get a line each; more nodes in a turn get a
 * common line at once.  Nodes after such a burst are logged when a time window ends; each window is
 * twice as long as the previous window, until two windows pass without a node.  Before a node waits
 * with a second text, the line with the first text is written, so that the events of a node are
 * logged in order. */
#include "controller/model/node_log.h"

#include <stdarg.h>

#define ALONE_MAX  4 /* maximum of single lines in a window, or instead of a common line */
#define WINDOW_MIN USEC_PER_SEC
#define WINDOW_MAX (30 * USEC_PER_SEC)
/* More texts mean that the text differs from node to node: the oldest is written and dropped. */
#define NODE_TEXTS_MAX 64

struct node_lines {
        char *text;
        struct bitset *nodes; /* nodes not logged yet */
        /* since: the last line was written; window: how long later nodes wait, or belong to that
           line. */
        usec_t since, window;
        size_t alone; /* single lines since then */
        bool burst;   /* the last line was a common one */
        usec_t due;   /* next line is due; 0: no node waits */
};

/* nodes_go: nodes may be freed before the line is written, so the line has only their names. */
static void node_lines_log_all(struct cluster *c, struct node_lines *l, bool nodes_go) {
        size_t n = bitset_count(l->nodes);

        if (n > ALONE_MAX) {
                _cleanup_free_ char *names = cluster_nodes_text(c, l->nodes);
                cluster_log(c, 0, NULL, "Nodes %s%s", names, l->text);
        } else {
                bitset_for_each(i, l->nodes)
                        cluster_log(c, 0, nodes_go ? NULL : c->nodes[i], "Node %s%s",
                                        c->nodes[i]->name, l->text);
        }
        bitset_clear(l->nodes);
}

static void node_lines_log(struct cluster *c, struct node_lines *l) {
        node_lines_log_all(c, l, false);
}

static void tell_burst(struct cluster *c, struct node_lines *l, usec_t window, usec_t now) {
        node_lines_log(c, l);
        l->since = now;
        l->window = window;
        l->burst = true;
        l->due = 0;
}

static void tell_if_due(struct cluster *c, struct node_lines *l, usec_t now) {
        size_t n = bitset_count(l->nodes);

        if (n == 0 || now < l->due)
                return;
        if (l->due) {
                tell_burst(c, l, MIN(2 * l->window, WINDOW_MAX), now);
                return;
        }
        if (now >= l->since + 2 * l->window) {
                l->since = now;
                l->window = WINDOW_MIN;
                l->alone = 0;
                l->burst = false;
        }
        if (!l->burst && l->alone + n <= ALONE_MAX) {
                l->alone += n;
                node_lines_log(c, l);
        } else if (!l->burst && l->alone == 0) {
                tell_burst(c, l, WINDOW_MIN, now);
        } else {
                l->due = l->since + l->window > now ? l->since + l->window : now + l->window;
                cluster_arm(c, l->due, DEADLINE_TURN, 0);
        }
}

void node_log_tell(struct cluster *c, usec_t now) {
        for (size_t i = 0; i < c->node_logs.n; i++)
                if (now != USEC_INFINITY)
                        tell_if_due(c, &c->node_logs.list[i], now);
                else if (!bitset_empty(c->node_logs.list[i].nodes))
                        node_lines_log_all(c, &c->node_logs.list[i], true);
        if (now == USEC_INFINITY)
                node_log_done(&c->node_logs);
}

static void lines_done(struct node_lines *l) {
        free(l->text);
        bitset_free(l->nodes);
}

void node_log_done(struct node_logs *logs) {
        for (size_t i = 0; i < logs->n; i++)
                lines_done(&logs->list[i]);
        free(logs->list);
        *logs = (struct node_logs){ 0 };
}

static struct node_lines *lines_of(struct cluster *c, const char *text) {
        struct node_logs *logs = &c->node_logs;

        for (size_t i = 0; i < logs->n; i++)
                if (streq(logs->list[i].text, text))
                        return &logs->list[i];
        if (logs->n == NODE_TEXTS_MAX) {
                node_lines_log(c, &logs->list[0]);
                lines_done(&logs->list[0]);
                memmove(&logs->list[0], &logs->list[1], --logs->n * sizeof logs->list[0]);
        }
        GROW(logs->list, logs->allocated, logs->n);
        logs->list[logs->n] = (struct node_lines){ .text = xstrdup(text),
                .nodes = bitset_new(c->n_nodes) };
        return &logs->list[logs->n++];
}

void node_log(struct cluster *c, struct node *n, usec_t now, const char *format, ...) {
        char text[256];
        va_list ap;

        va_start(ap, format);
        (void)vsnprintf(text, sizeof text, format, ap);
        va_end(ap);
        if (c->debug & DEBUG_POWER) {
                cluster_log(c, 0, n, "Node %s%s", n->name, text);
                return;
        }
        struct node_lines *l = lines_of(c, text);
        for (size_t i = 0; i < c->node_logs.n; i++)
                if (bitset_has(c->node_logs.list[i].nodes, n->index))
                        node_lines_log(c, &c->node_logs.list[i]);
        bitset_add(l->nodes, n->index);
}
