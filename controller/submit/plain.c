/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/submit/plain.h"

#include "controller/model/partition.h"
#include "lib/wordlist.h"

#define HOUR (3600 * USEC_PER_SEC)
/* Users with submissions in the last hour; a new user beyond the limit is refused. */
#define USERS_MAX      65536
#define PARTITIONS_MAX 32 /* per job: orders/admit.c */

static void text_replace(char **text, const char *value) {
        if (*text != protobuf_c_empty_string)
                free(*text);
        *text = xstrdup(value);
}

static bool plain_partition_admits(const struct plain *p, const struct partition *part,
                const Slumber__JobSpec *spec) {
        const char *account = isempty(spec->account) ? NULL : spec->account;

        return partition_admits(part, p->submitter, account) == SLUMBER_OK;
}

/* all_partitions: a job without --partition asks for all partitions that admit the job. */
static enum slumber_error rule_all_partitions(const struct plain *p, Slumber__JobSpec *spec,
                struct fail *fail) {
        _cleanup_free_ char *list = NULL;
        size_t n = 0;

        (void)fail;
        if (!isempty(spec->partition))
                return SLUMBER_OK;
        for (size_t i = 0; i < p->c->n_partitions && n < PARTITIONS_MAX; i++) {
                const struct partition *part = p->c->partitions[i];
                if (!plain_partition_admits(p, part, spec))
                        continue;
                text_add_word(&list, ",", "%s", part->name);
                n++;
        }
        if (list)
                text_replace(&spec->partition, list);
        return SLUMBER_OK;
}

static enum slumber_error rule_require_timelimit(const struct plain *p, Slumber__JobSpec *spec,
                struct fail *fail) {
        (void)p, (void)fail;
        return spec->time_limit ? SLUMBER_OK : SLUMBER_MISSING_TIME_LIMIT;
}

static bool partition_fits_request(const struct partition *part, const Slumber__JobSpec *spec) {
        uint64_t memory = spec->mem_per_node;

        return spec->min_nodes <= part->max_nodes &&
               (spec->max_nodes == 0 || spec->max_nodes >= part->min_nodes) &&
               (spec->time_limit == 0 || spec->time_limit <= part->max_time) &&
               (part->max_mem_per_node == 0 || memory <= part->max_mem_per_node);
}

/* partition: a job without --partition gets the partition of highest priority with room for the
   job. */
static enum slumber_error rule_pick_partition(const struct plain *p, Slumber__JobSpec *spec,
                struct fail *fail) {
        const struct partition *best = NULL;

        (void)fail;
        if (!isempty(spec->partition))
                return SLUMBER_OK;
        for (size_t i = 0; i < p->c->n_partitions; i++) {
                const struct partition *part = p->c->partitions[i];
                if (plain_partition_admits(p, part, spec) && partition_fits_request(part, spec) &&
                                (!best || part->priority_tier > best->priority_tier))
                        best = part;
        }
        if (best)
                text_replace(&spec->partition, best->name);
        return SLUMBER_OK;
}

/* ---- throttle ---- */

struct throttle {
        struct {
                uid_t uid;
                uint32_t n;
                usec_t since; /* CLOCK_MONOTONIC of the first submission counted */
        } * users;
        size_t n, a;
};

struct throttle *throttle_free(struct throttle *t) {
        if (t)
                free(t->users);
        free(t);
        return NULL;
}

static void throttle_forget_old(struct throttle *t, usec_t now) {
        size_t n = 0;

        for (size_t i = 0; i < t->n; i++)
                if (now - t->users[i].since < HOUR)
                        t->users[n++] = t->users[i];
        t->n = n;
}

/* throttle: limits the requests of a user in the hour from the first request. */
static enum slumber_error rule_throttle(const struct plain *p, Slumber__JobSpec *spec,
                struct fail *fail) {
        struct throttle *t = *p->throttle ? *p->throttle : xnew0(struct throttle, 1);
        size_t i = 0;

        (void)spec;
        *p->throttle = t;
        throttle_forget_old(t, p->now);
        while (i < t->n && t->users[i].uid != p->submitter->uid)
                i++;
        if (i == t->n) {
                if (t->n == USERS_MAX)
                        return SLUMBER_ACCOUNTING_POLICY;
                GROW(t->users, t->a, t->n);
                t->users[t->n].uid = p->submitter->uid;
                t->users[t->n].n = 0;
                t->users[t->n++].since = p->now;
        }
        if (t->users[i].n >= p->c->config->jobs_per_user_per_hour) {
                fail_set(fail, -EDQUOT, "Reached jobs per hour limit");
                return SLUMBER_ACCOUNTING_POLICY;
        }
        t->users[i].n++;
        return SLUMBER_OK;
}

/* Slurm's plug-in changes nothing: it is a template for plug-ins compiled by sites. */
static enum slumber_error rule_defaults(const struct plain *p, Slumber__JobSpec *spec,
                struct fail *fail) {
        (void)p, (void)spec, (void)fail;
        return SLUMBER_OK;
}

/* ---- the rules ---- */

enum slumber_error plain_rule(enum submit_rule rule, const struct plain *p, Slumber__JobSpec *spec,
                struct fail *fail) {
        static enum slumber_error (*const rules[SUBMIT_RULES])(const struct plain *p,
                        Slumber__JobSpec *spec, struct fail *fail) = {
                [SUBMIT_ALL_PARTITIONS] = rule_all_partitions,
                [SUBMIT_REQUIRE_TIMELIMIT] = rule_require_timelimit,
                [SUBMIT_PARTITION] = rule_pick_partition,
                [SUBMIT_THROTTLE] = rule_throttle,
                [SUBMIT_DEFAULTS] = rule_defaults,
        };

        return rules[rule](p, spec, fail); /* SUBMIT_LUA is not a plain rule */
}
