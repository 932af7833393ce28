/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/indexes/node_sharing.h"

#include "controller/accounts/assoc.h"

bool shares_with_own_user(const struct job *j) {
        return job_share(j) == SHARE_USER ||
               (j->partition->exclusive_user && job_share(j) != SHARE_NO);
}

/* True if j shares nodes only with jobs of its MCS label. */
static bool shares_with_own_label(const struct cluster *c, const struct job *j) {
        enum mcs_select select = c->config->mcs.select;

        return j->asked.mcs_label &&
               (select == MCS_SELECT ||
                               (select == MCS_SELECT_ON_DEMAND && job_share(j) == SHARE_MCS));
}

bool keeps_to_its_own(const struct cluster *c, const struct job *j) {
        return shares_with_own_user(j) || shares_with_own_label(c, j);
}

static bool same_label(const struct job *a, const struct job *b) {
        return a->asked.mcs_label && b->asked.mcs_label &&
               streq(a->asked.mcs_label, b->asked.mcs_label);
}

static bool jobs_may_share(const struct cluster *c, const struct job *a, const struct job *b) {
        if (a->uid != b->uid && (shares_with_own_user(a) || shares_with_own_user(b)))
                return false;
        return !(shares_with_own_label(c, a) || shares_with_own_label(c, b)) || same_label(a, b);
}

/* The exception of the preemption guide: a job that has the node alone is ignored. */
static bool has_node_alone(const struct job *v) {
        return job_share(v) == SHARE_NO || v->partition->oversubscribe == OVERSUBSCRIBE_EXCLUSIVE;
}

bool may_share_node(const struct cluster *c, const struct node *n, const struct job *j,
                const struct yield *base, const struct yield *of) {
        for (size_t i = 0; c->has_sharing_rules && i < n->n_jobs; i++) {
                const struct job *v = n->jobs[i];
                if (v == j || yield_gone(base, v) || jobs_may_share(c, j, v) ||
                                (yield_units(of, v) && has_node_alone(v)))
                        continue;
                return false;
        }
        return true;
}

const struct job *node_sharing_owner(const struct node *n) {
        for (size_t i = 0; i < n->n_jobs; i++)
                if (shares_with_own_user(n->jobs[i]))
                        return n->jobs[i];
        return NULL;
}

const struct job *node_sharing_labeller(const struct cluster *c, const struct node *n) {
        for (size_t i = 0; i < n->n_jobs; i++)
                if (shares_with_own_label(c, n->jobs[i]))
                        return n->jobs[i];
        return NULL;
}

void node_sharing_note(struct cluster *c, const struct job *j) {
        c->has_sharing_rules = c->has_sharing_rules || keeps_to_its_own(c, j);
}

/* ---- MCS labels ---- */

static bool in_groups(const struct submitter *submitter, const char *name) {
        for (size_t i = 0; i < submitter->n_groups; i++)
                if (streq(submitter->groups[i], name))
                        return true;
        return submitter->group && streq(submitter->group, name);
}

/* The first of the configured groups (separated by |; none: the user's own group) with the user as
   member; or wanted, if the user is a member of it. */
static char *group_label(const char *groups, const struct submitter *submitter,
                const char *wanted) {
        if (isempty(groups))
                return wanted && !in_groups(submitter, wanted)
                                       ? NULL
                                       : xstrdup(wanted ? wanted : submitter->group);
        for (const char *p = groups; *p;) {
                size_t n = strcspn(p, "|");
                char *name = xstrndup(p, n);
                if (in_groups(submitter, name) && (!wanted || streq(wanted, name)))
                        return name;
                free(name);
                p += n + (p[n] == '|');
        }
        return NULL;
}

static char *sharing_label(const struct cluster *c, const struct job *j,
                const struct submitter *submitter, const char *wanted) {
        const char *own = NULL;

        switch (c->config->mcs.plugin) {
        case MCS_NONE:
                return NULL;
        case MCS_LABEL:
                return xstrdup(wanted);
        case MCS_GROUP:
                return group_label(c->config->mcs.groups, submitter, wanted);
        case MCS_USER:
                own = submitter->user;
                break;
        case MCS_ACCOUNT:
                own = j->asked.account;
                break;
        }
        return wanted && !streq(wanted, strempty(own)) ? NULL : xstrdup(own);
}

enum slumber_error mcs_label(const struct cluster *c, struct job *j,
                const struct submitter *submitter, struct fail *fail) {
        bool asked = j->asked.mcs_label || j->asked.share == SHARE_MCS;

        if (c->config->mcs.plugin == MCS_NONE && asked) {
                fail_set(fail, -ENOTSUP, "MCSPlugin is mcs/none: there are no MCS labels");
                return SLUMBER_NOT_SUPPORTED;
        }
        if (!asked && !c->config->mcs.enforced)
                return SLUMBER_OK;
        char *label = sharing_label(c, j, submitter, j->asked.mcs_label);
        free(j->asked.mcs_label);
        j->asked.mcs_label = label;
        return label || (!asked && c->config->mcs.plugin == MCS_NONE) ? SLUMBER_OK
                                                                      : SLUMBER_BAD_MCS_LABEL;
}

bool mcs_admits(const struct cluster *c, const struct submitter *submitter, const char *label) {
        if (!label)
                return true;
        switch (c->config->mcs.plugin) {
        case MCS_USER:
                return streq(label, submitter->user);
        case MCS_GROUP:
                return in_groups(submitter, label);
        case MCS_ACCOUNT:
                return assoc_is_in(&c->acct, label, submitter->user);
        case MCS_NONE:
        case MCS_LABEL:
                break;
        }
        return false;
}
