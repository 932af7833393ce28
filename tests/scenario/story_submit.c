/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "submit" and "estimate": the rows are the options of sbatch, as far as stories need
   them. */
#include "controller/indexes/changed.h"
#include "controller/indexes/queue.h"
#include "controller/model/het.h"
#include "controller/sched/sched.h"
#include "lib/mailtype.h"
#include "lib/timetext.h"
#include "tests/scenario/story.h"

/* ---- options ---- */

struct submission {
        struct job_spec spec;
        usec_t runs;
        uint32_t exit_code, uid;
        char gpus[40], gpus_per_task[40], other[32];
        const char *user;
};

static int set_nodes(struct submission *sub, const char *word, struct fail *fail) {
        char *dash;

        sub->spec.min_nodes = (uint32_t)strtoul(word, &dash, 10);
        sub->spec.max_nodes = *dash == '-' ? (uint32_t)strtoul(dash + 1, NULL, 10)
                                           : sub->spec.min_nodes;
        return 0;
}

static int set_limit(struct submission *sub, const char *word, struct fail *fail) {
        return story_span(word, &sub->spec.time_limit, fail);
}

static int set_time_min(struct submission *sub, const char *word, struct fail *fail) {
        return story_span(word, &sub->spec.time_min, fail);
}

static int set_runs(struct submission *sub, const char *word, struct fail *fail) {
        return story_span(word, &sub->runs, fail);
}

/* "10@20s", "R:10@20s" */
static int set_signal(struct submission *sub, const char *word, struct fail *fail) {
        char *at;

        sub->spec.borrows = strncmp(word, "R:", 2) == 0;
        sub->spec.warn_signal = (uint32_t)strtoul(word + (sub->spec.borrows ? 2 : 0), &at, 10);
        return *at == '@' ? story_span(at + 1, &sub->spec.warn_time, fail) : 0;
}

static int set_mail_type(struct submission *sub, const char *word, struct fail *fail) {
        return mail_type_parse(word, &sub->spec.mail_type, fail);
}

static int set_gpus(struct submission *sub, const char *word, struct fail *fail) {
        const char *second = strchr(word, ','); /* "a:1,b:2" */
        int first = (int)(second ? (size_t)(second - word) : strlen(word));

        snprintf(sub->gpus, sizeof sub->gpus, "gpu:%.*s%s%s", first, word, second ? ",gpu:" : "",
                        second ? second + 1 : "");
        sub->spec.tres_per_job = sub->gpus;
        return 0;
}

static int set_gpus_per_task(struct submission *sub, const char *word, struct fail *fail) {
        snprintf(sub->gpus_per_task, sizeof sub->gpus_per_task, "gpu:%s", word);
        sub->spec.tres_per_task = sub->gpus_per_task;
        return 0;
}

static int set_begin(struct submission *sub, const char *word, struct fail *fail) {
        return story_span(word, &sub->spec.begin_time, fail); /* from now: admit() adds */
}

static int set_deadline(struct submission *sub, const char *word, struct fail *fail) {
        return story_span(word, &sub->spec.deadline, fail);
}

/* clang-format off */
#define SPEC(field) offsetof(struct job_spec, field)
static const struct {
        const char *name;
        enum { NUMBER, MEGABYTES, TEXT, FLAG, SHARE, CHOICE, OTHER } kind;
        size_t offset;
        int value; /* SHARE, CHOICE */
        int (*set)(struct submission *sub, const char *word, struct fail *fail);
} options[] = {
        { "-p", TEXT, SPEC(partition), 0, NULL },
        { "-C", TEXT, SPEC(features), 0, NULL },
        { "--batch", TEXT, SPEC(batch_features), 0, NULL },
        { "--sockets-block", CHOICE, SPEC(socket_distribution), DISTRIBUTION_BLOCK, NULL },
        { "-w", TEXT, SPEC(req_nodes), 0, NULL },
        { "-x", TEXT, SPEC(exc_nodes), 0, NULL },
        { "-J", TEXT, SPEC(name), 0, NULL },
        { "-d", TEXT, SPEC(dependency), 0, NULL },
        { "-L", TEXT, SPEC(licenses), 0, NULL },
        { "--gres", TEXT, SPEC(tres_per_node), 0, NULL },
        { "--gpus", OTHER, 0, 0, set_gpus },
        { "--gpus-per-task", OTHER, 0, 0, set_gpus_per_task },
        { "--gres-per-task", TEXT, SPEC(tres_per_task), 0, NULL },
        { "--gres-per-socket", TEXT, SPEC(tres_per_socket), 0, NULL },
        { "--enforce-binding", CHOICE, SPEC(gres_binding), GRES_BINDING_ENFORCED, NULL },
        { "--disable-binding", CHOICE, SPEC(gres_binding), GRES_BINDING_DISABLED, NULL },
        { "-A", TEXT, SPEC(account), 0, NULL },
        { "-q", TEXT, SPEC(qos), 0, NULL },
        { "--kill-on-invalid-dep", CHOICE, SPEC(kill_on_invalid_dep), 1, NULL },
        { "-n", NUMBER, SPEC(num_tasks), 0, NULL },
        { "-c", NUMBER, SPEC(cpus_per_task), 0, NULL },
        { "--mincpus", NUMBER, SPEC(min_cpus_node), 0, NULL },
        { "--tmp", NUMBER, SPEC(tmp_disk), 0, NULL },
        { "--mem", MEGABYTES, SPEC(mem_per_node), 0, NULL },
        { "-s", SHARE, 0, SHARE_YES, NULL },
        { "--exclusive", SHARE, 0, SHARE_NO, NULL },
        { "--exclusive=user", SHARE, 0, SHARE_USER, NULL },
        { "--exclusive=mcs", SHARE, 0, SHARE_MCS, NULL },
        { "--requeue", CHOICE, SPEC(requeue), 1, NULL },
        { "--no-requeue", CHOICE, SPEC(requeue), 2, NULL },
        { "--wait-all-nodes", CHOICE, SPEC(wait_all_nodes), 1, NULL },
        { "-N", OTHER, 0, 0, set_nodes },
        { "-t", OTHER, 0, 0, set_limit },
        { "--time-min", OTHER, 0, 0, set_time_min },
        { "--begin", OTHER, 0, 0, set_begin },
        { "--deadline", OTHER, 0, 0, set_deadline },
        { "--signal", OTHER, 0, 0, set_signal },
        { "--mail-type", OTHER, 0, 0, set_mail_type },
        { "--runs", OTHER, 0, 0, set_runs },
/* "--contiguous": each field of model/job_fields.h by its own name. */
#define KIND_OF(field)                                                                             \
        _Generic(((struct job_spec *)0)->field, char *: TEXT, bool: FLAG, uint64_t: MEGABYTES,     \
                        default: NUMBER)
#define X(field) { #field, KIND_OF(field), SPEC(field), 0, NULL },
        JOB_TEXTS_ALL(X)
        JOB_NUMBERS(JOB_ROW_FIELD, X)
#undef X
};
#undef SPEC
/* clang-format on */

/* "--mem-per-cpu" is mem_per_cpu, too. */
static bool names(const char *word, const char *field) {
        size_t i = 0;

        if (strncmp(word, "--", 2) != 0)
                return false;
        for (word += 2; word[i] && field[i]; i++)
                if (word[i] != field[i] && (word[i] != '-' || field[i] != '_'))
                        break;
        return !word[i] && !field[i];
}

static int set_option(struct submission *sub, size_t i, char *word, struct fail *fail) {
        void *at = (char *)&sub->spec + options[i].offset;

        switch (options[i].kind) {
        case NUMBER:
                return story_number(word, at, fail);
        case MEGABYTES:
                return memory_parse(word, at, fail);
        case TEXT:
                *(char **)at = word;
                break;
        case FLAG:
                *(bool *)at = true;
                break;
        case SHARE:
                sub->spec.share = (enum job_share)options[i].value;
                break;
        case CHOICE:
                *(uint32_t *)at = (uint32_t)options[i].value;
                break;
        case OTHER:
                return options[i].set(sub, word, fail);
        }
        return 0;
}

static bool takes_word(size_t i) {
        return options[i].kind != FLAG && options[i].kind != SHARE && options[i].kind != CHOICE;
}

static int parse_option(struct submission *sub, char **words, size_t n, size_t *at,
                struct fail *fail) {
        for (size_t i = 0; i < ELEMENTSOF(options); i++) {
                bool shorter = options[i].name[1] != '-' &&
                               strncmp(options[i].name, words[*at], 2) == 0;
                if (shorter && words[*at][2]) /* -N1 */
                        return set_option(sub, i, words[*at] + 2, fail);
                if (!streq(options[i].name, words[*at]) && !names(words[*at], options[i].name))
                        continue;
                if (takes_word(i) && ++*at == n)
                        return fail_set(fail, -EINVAL, "%s wants a value", options[i].name);
                return set_option(sub, i, words[*at], fail);
        }
        if (streq(words[*at], "--interactive"))
                sub->spec.batch = false;
        else if (strncmp(words[*at], "--exit=", 7) == 0)
                return story_number(words[*at] + 7, &sub->exit_code, fail);
        else if (strncmp(words[*at], "--uid=", 6) == 0)
                return story_number(words[*at] + 6, &sub->uid, fail);
        else if (strncmp(words[*at], "--user=", 7) == 0)
                sub->user = words[*at] + 7;
        else
                return fail_set(fail, -EINVAL, "submit has no %s", words[*at]);
        return 0;
}

/* *ret: the job that job_admit() or job_check() made; NULL: it was refused, and that was told. */
static int read_request(struct story *s, char **words, size_t n, struct submission *sub,
                struct fail *fail) {
        *sub = (struct submission){ .spec = { .batch = true, .name = (char *)(uintptr_t) "job" },
                .runs = NO_LIMIT,
                .uid = 1000 };
        for (size_t i = 0; i < n; i++) {
                int r = parse_option(sub, words, n, &i, fail);
                if (r < 0)
                        return r;
        }
        sub->spec.tasks_set = sub->spec.num_tasks > 0 || sub->spec.ntasks_per_node > 0;
        if (sub->spec.begin_time)
                sub->spec.begin_time += s->w->now;
        if (sub->spec.deadline)
                sub->spec.deadline += s->w->now;
        snprintf(sub->other, sizeof sub->other, "user%u", sub->uid);
        return 0;
}

static struct submitter submitter_of_request(const struct submission *sub) {
        const char *user = sub->user ? sub->user : sub->uid == 1000 ? "user" : sub->other;

        return (struct submitter){
                .uid = sub->uid,
                .gid = sub->uid,
                .user = user,
                .group = user,
        };
}

static void tell_refused(struct story *s, enum slumber_error e, const struct fail *why) {
        story_out(s, "refused: %s%s%s%s", slumber_error_text((int)e), *why->text ? " (" : "",
                        why->text, *why->text ? ")" : "");
}

static int request(struct story *s, char **words, size_t n,
                enum slumber_error (*make)(struct cluster *, const struct job_spec *,
                                const struct submitter *, usec_t, struct job **, struct fail *),
                struct submission *sub, struct job **ret, struct fail *fail) {
        struct fail why = { 0 };
        int r = read_request(s, words, n, sub, fail);

        *ret = NULL;
        if (r < 0)
                return r;
        const struct submitter submitter = submitter_of_request(sub);
        enum slumber_error e = make(s->w->c, &sub->spec, &submitter, s->w->now, ret, &why);
        if (e != SLUMBER_OK)
                tell_refused(s, e, &why);
        return 0;
}

/* Are there words of a component behind these. */
static size_t component_words(char **words, size_t n) {
        size_t i = 0;

        while (i < n && !streq(words[i], ":"))
                i++;
        return i;
}

static int read_components(struct story *s, char **words, size_t n, struct submission *subs,
                struct job_spec *specs, size_t *ret, struct fail *fail) {
        *ret = 0;
        for (size_t at = 0; at <= n && *ret < HET_MAX; ++*ret) {
                size_t len = component_words(words + at, n - at);
                int r = read_request(s, words + at, len, &subs[*ret], fail);
                if (r < 0)
                        return r;
                specs[*ret] = subs[*ret].spec;
                at += len + 1;
        }
        return 0;
}

/* submit A : B : C */
static int submit_het(struct story *s, char **words, size_t n, struct fail *fail) {
        struct submission subs[HET_MAX];
        struct job_spec specs[HET_MAX];
        struct job *jobs[HET_MAX];
        struct fail why = { 0 };
        size_t count, failed;
        int r = read_components(s, words, n, subs, specs, &count, fail);

        if (r < 0)
                return r;
        const struct submitter submitter = submitter_of_request(&subs[0]);
        enum slumber_error e = het_admit(s->w->c, specs, count, &submitter, s->w->now, jobs,
                        &failed, &why);
        if (e != SLUMBER_OK) {
                tell_refused(s, e, &why);
                return 0;
        }
        for (size_t i = 0; i < count; i++)
                world_plan(s->w, jobs[i]->id, subs[i].runs, subs[i].exit_code << 8);
        story_out(s, "job %u, with components up to %u", jobs[0]->id, jobs[count - 1]->id);
        return 0;
}

int story_submit(struct story *s, char **words, size_t n, struct fail *fail) {
        struct submission sub;
        struct job *j;

        if (component_words(words, n) < n)
                return submit_het(s, words, n, fail);
        int r = request(s, words, n, job_admit, &sub, &j, fail);

        if (r < 0 || !j)
                return r;
        world_plan(s->w, j->id, sub.runs, sub.exit_code << 8);
        story_out(s, "job %u", j->id);
        return 0;
}

/* estimate A : B */
static int estimate_het(struct story *s, char **words, size_t n, struct fail *fail) {
        struct submission subs[HET_MAX];
        struct job_spec specs[HET_MAX];
        struct job *jobs[HET_MAX];
        struct het_estimate e = { 0 };
        struct fail why = { 0 };
        char span_buf[TIMETEXT_MAX];
        size_t count;
        int r = read_components(s, words, n, subs, specs, &count, fail);

        if (r < 0)
                return r;
        const struct submitter submitter = submitter_of_request(&subs[0]);
        enum slumber_error refused = het_check(s->w->c, specs, count, &submitter, s->w->now, jobs,
                        &why);
        if (refused != SLUMBER_OK) {
                tell_refused(s, refused, &why);
                return 0;
        }
        r = het_estimate(s->w->c, jobs[0], s->w->now, &e);
        if (r < 0) {
                story_out(s, r == -EDQUOT ? "never within its limits" : "not on these nodes");
        } else {
                _cleanup_free_ char *nodes = cluster_nodes_text(s->w->c, e.nodes);
                story_out(s, "in %s on %s, %u CPUs%s", duration_text(e.start - s->w->now, span_buf),
                                nodes, e.num_cpus, e.n_victims ? ", with victims" : "");
        }
        het_estimate_done(&e);
        het_checked_done(s->w->c, jobs, count);
        return 0;
}

/* submit --test-only */
int story_estimate(struct story *s, char **words, size_t n, struct fail *fail) {
        _cleanup_(job_freep) struct job *j = NULL;
        _cleanup_free_ char *nodes = NULL;
        struct submission sub;
        _cleanup_(estimate_freep) struct estimate *e = NULL;
        char span_buf[TIMETEXT_MAX];

        if (component_words(words, n) < n)
                return estimate_het(s, words, n, fail);
        int r = request(s, words, n, job_check, &sub, &j, fail);

        if (r < 0 || !j)
                return r;
        enum job_reason why = partitions_wait_reason(s->w->c, j);
        if (why != REASON_NONE) {
                story_out(s, "never: %s", job_reason_text((int)why));
                return 0;
        }
        r = job_estimate(s->w->c, j, s->w->now, &e);
        if (r < 0) {
                story_out(s, r == -EDQUOT ? "never within its limits" : "not on these nodes");
        } else {
                const struct placement *where = estimate_where(e);
                nodes = cluster_nodes_text(s->w->c, where->nodes);
                story_out(s, "in %s on %s, %u CPUs%s",
                                duration_text(estimate_start(e) - s->w->now, span_buf), nodes,
                                where->num_cpus, where->n_victims ? ", with victims" : "");
        }
        return 0;
}
