/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/node_features.h"

#include "controller/model/feature.h"
#include "controller/model/job.h"
#include "lib/wordlist.h"

#include <string.h>

/* The next name of a comma list; NULL at the end. */
static const char *next_name(const char **list, size_t *ret_length) {
        const char *p = strempty(*list);

        p += strspn(p, ",");
        *ret_length = strcspn(p, ",");
        *list = p + *ret_length;
        return *ret_length ? p : NULL;
}

/* The names in list (wanted), or not in list; NULL: none. */
static char *names_pick(const char *names, const char *list, bool wanted) {
        char *out = NULL;
        const char *w;
        size_t n;

        while ((w = next_name(&names, &n)))
                if (names_have(list, w, n) == wanted)
                        text_add_word(&out, ",", "%.*s", (int)n, w);
        return out;
}

void node_features_configure(struct node *n, const struct helpers *helpers) {
        const char *names = n->features, *w;
        size_t length;

        n->helpers = helpers;
        free(TAKE(n->changeable));
        while (helpers && (w = next_name(&names, &length)))
                if (helpers_find(helpers, n->name, w, length))
                        text_add_word(&n->changeable, ",", "%.*s", (int)length, w);
        _cleanup_free_ char *before = n->active;
        n->active = names_pick(before, n->changeable, true);
}

/* True if the node is off without a job: the next boot can have any features. */
static bool is_open(const struct node *n) {
        return n->flags & NODE_CLOUD && node_lacks_power(n) && n->n_jobs == 0;
}

/* True if the node is idle, in service and not CLOUD. */
static bool features_may_reboot(const struct node *n) {
        return !(n->flags & (NODE_CLOUD | NODE_NOT_RESPONDING)) && n->power == NODE_ON &&
               n->base == NODE_IDLE && n->connected && n->n_jobs == 0 && n->n_strays == 0;
}

/* True if the node is off, without a job and not CLOUD. */
static bool node_is_asleep(const struct node *n) {
        return !(n->flags & NODE_CLOUD) && n->base == NODE_IDLE && n->power == NODE_POWERED_DOWN &&
               n->n_jobs == 0;
}

bool node_features_has(const struct node *n, const char *name, size_t length, unsigned when) {
        if (!names_have(n->features, name, length))
                return false;
        if (when == FEATURES_EVER || !names_have(n->changeable, name, length) ||
                        names_have(n->active, name, length) || is_open(n))
                return true;
        if (when == FEATURES_LATER)
                return !(n->flags & NODE_CLOUD);
        if (node_is_asleep(n))
                return when == FEATURES_REBOOT || !n->image || names_have(n->image, name, length);
        return when == FEATURES_REBOOT && features_may_reboot(n);
}

bool node_features_clash(const struct node *n, const char *names) {
        for (size_t i = 0; n->helpers && i < n->helpers->n_exclusive; i++) {
                _cleanup_free_ char *both = names_pick(names, n->helpers->exclusive[i], true);
                if (both && strchr(both, ','))
                        return true;
        }
        return false;
}

bool node_features_settle(struct node *n, const struct features *f) {
        if (!n->changeable)
                return false;
        if (node_lacks_power(n)) {
                free(n->active);
                n->active = f ? features_need(f, n) : NULL;
        }
        if (n->flags & NODE_CLOUD || n->power != NODE_ON || features_match(f, n, FEATURES_NOW))
                return false;
        char *wanted = features_need(f, n);
        free(n->active);
        n->active = wanted;
        return true;
}

void node_features_forget(struct node *n) {
        free(TAKE(n->active));
}

int node_features_reported(struct node *n, const char *names, struct fail *fail) {
        if (!n->changeable)
                return 0;
        if (isempty(names)) {
                free_and_strdup(&n->image, strempty(n->active));
                return 0;
        }
        _cleanup_free_ char *missing = names_pick(n->active, names, false);
        if (missing)
                return fail_set(fail, -EINVAL,
                                "Reported active features (%s) are not a superset of currently active changeable features (%s)",
                                names, n->active);
        free(n->active);
        n->active = names_pick(names, n->changeable, true);
        free_and_strdup(&n->image, strempty(n->active));
        return 0;
}

/* The features requested by all jobs of the node. */
static char *wanted_by_jobs(const struct node *n) {
        char *all = NULL;

        for (size_t i = 0; i < n->n_jobs; i++) {
                const struct job *j = n->jobs[i];
                _cleanup_free_ char *names = j->needs.features && !j->completing
                                                             ? features_need(j->needs.features, n)
                                                             : NULL,
                                    *more = names_pick(names, all, false);
                if (more)
                        text_add_word(&all, ",", "%.*s", (int)strlen(more), more);
        }
        return all;
}

bool node_features_serve(const struct node *n, const struct job *j) {
        return j->completing || features_match(j->needs.features, n, FEATURES_NOW);
}

bool node_features_woken(struct node *n, const char *names) {
        if (!n->changeable)
                return true;
        _cleanup_free_ char *wanted = wanted_by_jobs(n);
        if (!isempty(names)) {
                free(n->active);
                n->active = names_pick(names, n->changeable, true);
        }
        free_and_strdup(&n->image, strempty(n->active));
        for (size_t i = 0; i < n->n_jobs; i++)
                if (!node_features_serve(n, n->jobs[i])) {
                        free(n->active);
                        n->active = TAKE(wanted);
                        return false;
                }
        return true;
}

int node_features_check(const struct node *n, const char *features, const char *names,
                struct fail *fail) {
        _cleanup_free_ char *strangers = names_pick(names, features, false),
                            *missing = names_pick(features, names, false);
        const char *rest = missing, *w;
        size_t length;

        if (strangers)
                return fail_set(fail, -EINVAL, "ActiveFeatures: %s is not a feature of node %s",
                                strangers, n->name);
        while ((w = next_name(&rest, &length)))
                if (!n->helpers || !helpers_find(n->helpers, n->name, w, length))
                        return fail_set(fail, -EINVAL,
                                        "ActiveFeatures: %.*s of node %s is always active, for helpers.conf does not name it",
                                        (int)length, w, n->name);
        return 0;
}

void node_features_set(struct node *n, const char *names) {
        free(n->active);
        n->active = names_pick(names, n->changeable, true);
        free_and_strdup(&n->image, strempty(n->active));
}

char *node_features_active(const struct node *n) {
        const char *names = n->features, *w;
        char *out = NULL;
        size_t length;

        while ((w = next_name(&names, &length)))
                if (!names_have(n->changeable, w, length) || names_have(n->active, w, length))
                        text_add_word(&out, ",", "%.*s", (int)length, w);
        return out;
}
