/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/core/node_features.h"

#include "controller/core/feature.h"

#include <string.h>

/* The next name of a comma list; NULL at the end. */
static const char *next_name(const char **list, size_t *ret_length) {
        const char *p = strempty(*list);

        p += strspn(p, ",");
        *ret_length = strcspn(p, ",");
        *list = p + *ret_length;
        return *ret_length ? p : NULL;
}

static void append(char **list, const char *name, size_t length) {
        char *longer = isempty(*list) ? xstrndup(name, length) : xasprintf("%s,%.*s", *list, (int)length, name);

        free(*list);
        *list = longer;
}

/* Those of names that are (or are not) in list; NULL when none is. */
static char *picked(const char *names, const char *list, bool wanted) {
        char *out = NULL;
        const char *w;
        size_t n;

        while ((w = next_name(&names, &n)))
                if (names_have(list, w, n) == wanted)
                        append(&out, w, n);
        return out;
}

void node_features_configure(struct node *n, const struct helpers *helpers) {
        const char *names = n->features, *w;
        size_t length;

        n->helpers = helpers;
        free(TAKE(n->changeable));
        while (helpers && (w = next_name(&names, &length)))
                if (helpers_find(helpers, n->name, w, length))
                        append(&n->changeable, w, length);
        _cleanup_free_ char *before = n->active;
        n->active = picked(before, n->changeable, true);
}

bool node_features_open(const struct node *n) {
        return n->flags & NODE_CLOUD && node_lacks_power(n) && n->n_jobs == 0;
}

bool node_features_may_reboot(const struct node *n) {
        return !(n->flags & (NODE_CLOUD | NODE_NOT_RESPONDING)) && n->power == NODE_ON && n->base == NODE_IDLE &&
               n->connected && n->n_jobs == 0 && n->n_strays == 0;
}

bool node_features_has(const struct node *n, const char *name, size_t length, unsigned when) {
        if (!names_have(n->features, name, length))
                return false;
        return when == FEATURES_EVER || !names_have(n->changeable, name, length) || names_have(n->active, name, length) ||
               node_features_open(n) || (when == FEATURES_REBOOT && node_features_may_reboot(n));
}

bool node_features_clash(const struct node *n, const char *names) {
        for (size_t i = 0; n->helpers && i < n->helpers->n_exclusive; i++) {
                _cleanup_free_ char *both = picked(names, n->helpers->exclusive[i], true);
                if (both && strchr(both, ','))
                        return true;
        }
        return false;
}

bool node_features_settle(struct node *n, const struct features *f) {
        if (!n->changeable)
                return false;
        if (n->flags & NODE_CLOUD && node_lacks_power(n)) {
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
        if (isempty(names) || !n->changeable)
                return 0;
        _cleanup_free_ char *missing = picked(n->active, names, false);
        if (missing)
                return fail_set(fail, -EINVAL,
                                "Reported active features (%s) are not a superset of currently active changeable features (%s)",
                                names, n->active);
        free(n->active);
        n->active = picked(names, n->changeable, true);
        return 0;
}

int node_features_check(const struct node *n, const char *features, const char *names, struct fail *fail) {
        _cleanup_free_ char *strangers = picked(names, features, false), *missing = picked(features, names, false);
        const char *rest = missing, *w;
        size_t length;

        if (strangers)
                return fail_set(fail, -EINVAL, "ActiveFeatures: %s is not a feature of node %s", strangers, n->name);
        while ((w = next_name(&rest, &length)))
                if (!n->helpers || !helpers_find(n->helpers, n->name, w, length))
                        return fail_set(fail, -EINVAL,
                                        "ActiveFeatures: %.*s of node %s is always active, for helpers.conf does not name it",
                                        (int)length, w, n->name);
        return 0;
}

void node_features_set(struct node *n, const char *names) {
        free(n->active);
        n->active = picked(names, n->changeable, true);
}

char *node_features_active(const struct node *n) {
        const char *names = n->features, *w;
        char *out = NULL;
        size_t length;

        while ((w = next_name(&names, &length)))
                if (!names_have(n->changeable, w, length) || names_have(n->active, w, length))
                        append(&out, w, length);
        return out;
}
