/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "update KEY=VALUE...": scontrol update, by the rules of controller/updates/. */
#include "tests/scenario/story.h"

#include "controller/model/het.h"
#include "controller/model/partition.h"
#include "controller/updates/exclude_update.h"
#include "controller/updates/job_update.h"
#include "controller/updates/node_update.h"
#include "controller/updates/partition_update.h"
#include "controller/updates/step_update.h"

#include <strings.h>

struct update_words {
        struct story *s;
        /* of a job: its owner asks, or an operator that is no administrator; else one */
        bool owner, operator;
        const char *name;
        struct update_setting list[WORDS_MAX]; /* behind the name */
        size_t n;
};

static enum slumber_error update_job(const struct update_words *u, struct fail *why,
                struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *kept = NULL;
        struct cluster *c = u->s->w->c;
        struct job *j;

        if (story_job(u->s, u->name, &j, fail) < 0)
                return SLUMBER_BAD_JOB_ID;
        const struct updater by = {
                .user = { .uid = j->uid, .gid = j->gid, .user = j->user, .group = j->group },
                .is_operator = !u->owner,
                .is_admin = !u->owner && !u->operator, };
        return job_update(c, j, &by, u->list, u->n, u->s->w->now, &kept, why);
}

/* Of all components. */
static enum slumber_error update_het(const struct update_words *u, struct fail *why,
                struct fail *fail) {
        struct job_update of[HET_MAX];
        struct job *j;
        size_t n = 0;

        if (story_job(u->s, u->name, &j, fail) < 0 || !j->het)
                return SLUMBER_BAD_JOB_ID;
        for (uint32_t i = 0; i < j->het->n; i++)
                if (j->het->of[i])
                        of[n++] = (struct job_update){ .j = j->het->of[i],
                                .settings = u->list,
                                .n = u->n };
        const struct updater by = {
                .user = { .uid = j->uid, .gid = j->gid, .user = j->user, .group = j->group },
                .is_operator = !u->owner,
                .is_admin = !u->owner && !u->operator,
                .is_of_whole = true,
        };
        enum slumber_error e = jobs_update(u->s->w->c, of, n, &by, u->s->w->now, why);

        for (size_t i = 0; i < n; i++)
                bitset_free(of[i].kept);
        return e;
}

static enum slumber_error update_step(const struct update_words *u, struct fail *why,
                struct fail *fail) {
        const char *dot = strchr(u->name, '.');
        _cleanup_free_ char *id = xstrndup(u->name, strcspn(u->name, "."));
        uint32_t step = dot ? (uint32_t)strtoul(dot + 1, NULL, 10) : 0;
        struct job *j;

        if (story_job(u->s, id, &j, fail) < 0)
                return SLUMBER_BAD_JOB_ID;
        return step_update(u->s->w->c, j, dot ? &step : NULL, u->list, u->n, why);
}

static enum slumber_error update_node(const struct update_words *u, struct fail *why,
                struct fail *fail) {
        static const struct {
                const char *key;
                size_t field;
        } texts[] = {
                { "State", offsetof(struct node_update, state) },
                { "Reason", offsetof(struct node_update, reason) },
                { "Comment", offsetof(struct node_update, comment) },
                { "Features", offsetof(struct node_update, features) },
                { "ActiveFeatures", offsetof(struct node_update, active_features) },
                { "Topology", offsetof(struct node_update, topology) },
                { "NodeAddr", offsetof(struct node_update, lists[NODE_LIST_ADDRESSES]) },
                { "NodeHostName", offsetof(struct node_update, lists[NODE_LIST_HOSTNAMES]) },
                { "InstanceId", offsetof(struct node_update, lists[NODE_LIST_IDS]) },
        };
        struct node_update m = { 0 };
        uint32_t seconds;

        for (size_t i = 0; i < u->n; i++) {
                const char *key = u->list[i].key, *value = u->list[i].value;
                size_t k = 0;
                while (k < ELEMENTSOF(texts) && !streq(texts[k].key, key))
                        k++;
                if (k < ELEMENTSOF(texts))
                        *(const char **)(void *)((char *)&m + texts[k].field) = value;
                else if (streq(key, "Weight") && story_number(value, &m.weight, fail) >= 0)
                        m.new_weight = true;
                else if (streq(key, "ResumeAfter") && story_number(value, &seconds, fail) >= 0) {
                        m.new_resume_after = true;
                        m.resume_after = seconds * USEC_PER_SEC;
                } else
                        fail_set(fail, -EINVAL, "update of a node has no %s=%s", key, value);
        }
        return *fail->text ? SLUMBER_BAD_UPDATE
                           : nodes_update(u->s->w->c, u->name, &m, 0, u->s->w->now, why);
}

static enum slumber_error update_partition(const struct update_words *u, struct fail *why,
                struct fail *fail) {
        return partition_update(u->s->w->c, u->name, u->list, u->n, u->s->w->now, why);
}

/* All words: none of them is a name. */
static enum slumber_error update_exclusions(const struct update_words *u, struct fail *why,
                struct fail *fail) {
        struct cluster *c = u->s->w->c;
        unsigned kinds;
        enum slumber_error e = exclusions_update_all(c, u->list, u->n, u->s->w->now, &kinds, why);

        for (int k = 0; k < EXCLUDE_KIND_MAX; k++)
                if (kinds & 1u << k)
                        story_out(u->s, "%s", strna(c->exclusions.text[k]));
        return e;
}

static const struct {
        const char *key; /* the first one's */
        enum slumber_error (
                        *update)(const struct update_words *u, struct fail *why, struct fail *fail);
} kinds_of_update[] = {
        { "JobId", update_job },
        { "HetJobId", update_het },
        { "StepId", update_step },
        { "NodeName", update_node },
        { "PartitionName", update_partition },
        { "SuspendExc", update_exclusions },
};

int story_update(struct story *s, char **words, size_t n, struct fail *fail) {
        struct update_words u = { .s = s,
                .owner = streq(words[0], "owner"),
                .operator= streq(words[0], "operator") };
        size_t first = u.owner || u.operator;
        struct fail why = { 0 };
        size_t kind = 0;

        while (kind < ELEMENTSOF(kinds_of_update) &&
                        strncmp(words[first], kinds_of_update[kind].key,
                                        strlen(kinds_of_update[kind].key)) != 0)
                kind++;
        if (kind == ELEMENTSOF(kinds_of_update))
                return fail_set(fail, -EINVAL, "there is no update of %s", words[first]);
        for (size_t i = first; i < n; i++) {
                char *equals = strchr(words[i], '=');
                if (!equals)
                        return fail_set(fail, -EINVAL, "%s has no =", words[i]);
                *equals = 0;
                if (i == first && kinds_of_update[kind].update != update_exclusions)
                        u.name = equals + 1;
                else
                        u.list[u.n++] = (struct update_setting){ words[i], equals + 1 };
        }
        enum slumber_error e = kinds_of_update[kind].update(&u, &why, fail);
        if (*fail->text)
                return -EINVAL;
        if (e == SLUMBER_FAILED) /* the sentence says it all */
                story_out(s, "refused: %s", why.text);
        else if (e != SLUMBER_OK)
                story_out(s, "refused: %s%s%s%s", slumber_error_text((int)e), *why.text ? " (" : "",
                                why.text, *why.text ? ")" : "");
        return 0;
}
