/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the active changeable features: each helper of helpers.conf for the node is run once
 * after slumberd's start, and prints the active features, one a line. If a helper prints nothing,
 * the controller decides. A helper that fails, hangs or prints too much is logged and counts as
 * printing nothing.
 *
 * The node needs no helpers.conf: the controller answers a registration lacking results of the
 * current helpers with the list of helpers. slumberd runs the helpers one after the other,
 * without blocking, and registers again; only then the node is accepted. A later change of the
 * list applies to reboots (reboot.c) at once, and is run at the next registration. */
#include "agent/machine/program.h"
#include "agent/node_features.h"
#include "agent/state/agent.h"
#include "agent/upstream.h"
#include "lib/wordlist.h"

/* State while helpers run. */
struct asking {
        struct agent *a;
        struct helpers *helpers;
        size_t next;
        char *list; /* features printed so far */
        struct program *running;
};

static struct asking *asking_free(struct asking *q) {
        if (!q)
                return NULL;
        program_free(q->running);
        helpers_free(q->helpers);
        free(q->list);
        free(q);
        return NULL;
}

/* Adds the features printed in lines to a comma list; invalid names are skipped. */
static void add_names(char **list, const char *lines) {
        for_each_word(w, lines, "\n\r\t, ") {
                if (w[strspn(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:-")])
                        continue;
                text_add_word(list, ",", "%s", w);
        }
}

/* Returns the next helper not run yet; NULL: all have run. */
static const struct helper *features_next_helper(struct asking *q) {
        while (q->next < q->helpers->n) {
                const struct helper *h = &q->helpers->list[q->next++];
                bool again = false;
                for (const struct helper *k = q->helpers->list; k < h; k++)
                        again |= streq(k->program, h->program);
                if (!again)
                        return h;
        }
        return NULL;
}

static void helpers_run_next(struct asking *q);

static void on_helper_ended(void *user, char *output, int status, const char *why) {
        struct asking *q = user;
        const char *program = q->helpers->list[q->next - 1].program;

        (void)status;
        q->running = NULL;
        if (why)
                log_warning(0, "helpers.conf: %s %s", program, why);
        else if (strlen(output) == PROGRAM_OUTPUT_MAX)
                log_warning(0, "helpers.conf: %s wrote %d bytes or more", program,
                                PROGRAM_OUTPUT_MAX);
        else
                add_names(&q->list, output);
        helpers_run_next(q);
}

static void helpers_run_next(struct asking *q) {
        struct agent *a = q->a;
        const struct helper *h;

        while ((h = features_next_helper(q))) {
                const struct program_wish w = { h->program, .listen = true, .heard = true,
                        .limit = q->helpers->exec_time, .limit_name = "ExecTime",
                        .ended = on_helper_ended, .user = q };
                struct fail fail = { 0 };
                q->running = program_start(a->event, &w, &fail);
                if (q->running)
                        return;
                log_warning(0, "helpers.conf: %s", fail.text);
        }
        helpers_free(a->helpers_run);
        a->helpers_run = TAKE(q->helpers);
        free(a->features);
        a->features = TAKE(q->list);
        a->asking = asking_free(q);
        upstream_prepared(a);
}

static struct helpers *from_message(const Slumber__AgentConfig *m) {
        struct helpers *h = xnew0(struct helpers, 1);

        h->exec_time = m->helper_time;
        h->list = xnew0(struct helper, m->n_helpers);
        for (size_t i = 0; i < m->n_helpers; i++)
                h->list[h->n++] = (struct helper){ xstrdup(m->helpers[i]->feature),
                        xstrdup(m->helpers[i]->program), NULL };
        return h;
}

void features_apply(struct agent *a, const Slumber__AgentConfig *config) {
        helpers_free(a->helpers);
        a->helpers = from_message(config);
}

static bool helpers_equal(const struct helpers *x, const struct helpers *y) {
        for (size_t i = 0; i < MIN(x->n, y->n); i++)
                if (!streq(x->list[i].feature, y->list[i].feature) ||
                                !streq(x->list[i].program, y->list[i].program))
                        return false;
        return x->n == y->n;
}

void features_run(struct agent *a, const Slumber__AgentConfig *config) {
        features_apply(a, config);
        if (a->asking && helpers_equal(a->asking->helpers, a->helpers))
                return; /* the helpers run already, since before a loss of the connection */
        if (!a->asking && a->helpers_run && helpers_equal(a->helpers_run, a->helpers)) {
                upstream_prepared(a); /* the helpers have run; the controller asks for the GPUs */
                return;
        }
        asking_free(a->asking);
        a->asking = xnew0(struct asking, 1);
        *a->asking = (struct asking){ .a = a, .helpers = from_message(config) };
        helpers_run_next(a->asking);
}

void features_fill_message(const struct agent *a, Slumber__Register *m) {
        const struct helpers *h = a->helpers_run;

        m->active_features = (char *)(a->features ? a->features : "");
        m->helpers_run = h ? xnew(Slumber__NodeHelper *, h->n) : NULL;
        for (size_t i = 0; h && i < h->n; i++) {
                Slumber__NodeHelper *to = m->helpers_run[m->n_helpers_run++] = xnew(
                                Slumber__NodeHelper, 1);
                slumber__node_helper__init(to);
                to->feature = h->list[i].feature;
                to->program = h->list[i].program;
        }
}

void features_done_message(Slumber__Register *m) {
        for (size_t i = 0; i < m->n_helpers_run; i++)
                free(m->helpers_run[i]);
        free(m->helpers_run);
}

void features_done(struct agent *a) {
        helpers_free(a->helpers);
        helpers_free(a->helpers_run);
        asking_free(a->asking);
        free(a->features);
}
