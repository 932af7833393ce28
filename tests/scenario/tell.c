/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What happens in virtual time, as lines: "at 12.5s launch job 1 on n1". */
#include "tests/scenario/world.h"

#include "lib/mailtype.h"

#include <inttypes.h>
#include <stdarg.h>

const char *time_word(usec_t t, char buf[32]) {
        usec_t whole = t / USEC_PER_SEC, rest = t % USEC_PER_SEC;

        int n = snprintf(buf, 32, "%" PRIu64, whole);
        if (rest) {
                n += snprintf(buf + n, 32 - (size_t)n, ".%06" PRIu64, rest);
                while (buf[n - 1] == '0')
                        n--;
        }
        snprintf(buf + n, 32 - (size_t)n, "s");
        return buf;
}

void world_say(struct world *w, const char *format, ...) {
        char when[32];
        va_list ap;

        if (!w->tell)
                return;
        va_start(ap, format);
        _cleanup_free_ char *text = xvasprintf(format, ap);
        va_end(ap);
        _cleanup_free_ char *line = xasprintf("at %s %s", time_word(w->now - w->start, when), text);
        w->tell(line, w->user);
}

static char *wakes_text(const struct world *w, const struct effect *fx) {
        char *text = xstrdup("");

        for (size_t i = 0; i < fx->n_wakes; i++) {
                _cleanup_free_ char *nodes = cluster_nodes_text(w->c, fx->wakes[i].nodes),
                                    *before_it = text;
                text = xasprintf("%s%sjob %u: %s", before_it, i ? "; " : " (", fx->wakes[i].job,
                                nodes);
        }
        if (fx->n_wakes) {
                _cleanup_free_ char *open = text;
                text = xasprintf("%s)", open);
        }
        return text;
}

void world_tell_effect(struct world *w, const struct effect *fx) {
        const struct job *j = fx->job ? cluster_job(w->c, fx->job) : NULL;
        _cleanup_free_ char *nodes = fx->nodes ? cluster_nodes_text(w->c, fx->nodes) : NULL,
                            *wakes = NULL;

        if (!w->tell || !(w->loud & UINT64_C(1) << fx->kind))
                return;
        if (fx->kind == FX_LOG || fx->kind == FX_MESSAGE) {
                world_say(w, "%s: %s", effect_kind_text((int)fx->kind), fx->text);
        } else if (fx->kind == FX_MAIL) {
                _cleanup_free_ char *type = mail_type_text(fx->mail_type);
                world_say(w, "mail job %u %s", fx->job, type);
        } else if (fx->kind == FX_TRIGGER) {
                if (fx->text)
                        world_say(w, "trigger %s", fx->text);
        } else if (nodes) {
                wakes = wakes_text(w, fx);
                world_say(w, "%s %s%s%s%s", effect_kind_text((int)fx->kind), nodes,
                                fx->action ? " by " : "", strempty(fx->action), wakes);
        } else if (fx->kind == FX_ENDED && j) {
                bool again = !job_is_finished(j);
                world_say(w, "job %u %s", j->id,
                                again ? "is requeued" : job_state_text((int)j->state));
        } else if (fx->kind == FX_DISCONNECT) {
                world_say(w, "disconnect %s", fx->node->name);
        } else {
                world_say(w, "%s job %u%s%s%s", effect_kind_text((int)fx->kind), fx->job,
                                fx->node ? " on " : "", fx->node ? fx->node->name : "",
                                fx->now ? " at once" : "");
        }
}
