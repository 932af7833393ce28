/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sprio: the parts of the priorities of pending jobs. The controller sends factors from 0 to 1 and
 * weights; sprio multiplies both (or prints the plain factors, -n) in Slurm's columns. */
#include "commands/command.h"
#include "commands/jobid.h"
#include "commands/rows.h"
#include "lib/errors.h"
#include "lib/options.h"
#include "lib/timetext.h"
#include "lib/wordlist.h"

/* Columns after job, partition and (-u) user. */
#define FORMAT             " %.10Y %.10S"
#define FORMAT_NORMAL      " %10y"
#define FORMAT_NORMAL_LONG "%.15i %9r %.8u %10y %10a %10b %10f %10j %10p %10q %20t"
#define FORMAT_LONG        "%.15i %9r %.8u %.10Y %.10S %.10A %.10B %.10F %.10J %.10P %.10Q %.11N %.20T"

struct sprio {
        const char *clusters;
        bool no_header, normal, is_long, weights;
        const char *format, *sort;
        char **users, **partitions;
        size_t n_users, n_partitions;
        uint32_t *ids; /* job ids; for "12+1" the component's own id, 13 */
        size_t n_ids;
        struct asked {
                uint32_t id;
                /* Offset of the component in the heterogeneous job; below 0: all components */
                int64_t component;
        } * asked; /* parallel to ids */
        /* the answer */
        Envelope **replies;
        size_t n_pages;
        const Slumber__JobPriority **jobs;
        size_t n_jobs;
};

#define FIELD(name) offsetof(struct sprio, name)

static int sprio_set_users(void *field, const char *value, struct fail *fail) {
        struct sprio *s = field;

        texts_add_words(&s->users, &s->n_users, value, ",");
        return 0;
}

static int sprio_set_partitions(void *field, const char *value, struct fail *fail) {
        struct sprio *s = field;

        texts_add_words(&s->partitions, &s->n_partitions, value, ",");
        return 0;
}

static int sprio_set_jobs(void *field, const char *value, struct fail *fail) {
        struct sprio *s = field;

        for_each_word(w, value, ",") {
                char *plus = strchr(w, '+');
                uint64_t id, component = 0;

                if (plus)
                        *plus = 0;
                if (uint_parse(w, 1, UINT32_MAX - 1, &id) < 0 ||
                                (plus && uint_parse(plus + 1, 0, UINT32_MAX - 1 - id, &component) <
                                                                0)) {
                        if (plus)
                                *plus = '+';
                        return fail_set(fail, -EINVAL, "Invalid job id: %s", w);
                }
                s->ids = xrenew(s->ids, s->n_ids + 1);
                s->asked = xrenew(s->asked, s->n_ids + 1);
                s->asked[s->n_ids] = (struct asked){ (uint32_t)id, plus ? (int64_t)component : -1 };
                s->ids[s->n_ids++] = (uint32_t)(id + component); /* they follow each other */
        }
        return 0;
}

/* Filters the answer: the controller sends all components of a job, or a component of another
   job with the guessed id. */
static bool sprio_selects_job(const struct sprio *s, const Slumber__JobPriority *j) {
        for (size_t i = 0; i < s->n_ids; i++) {
                const struct asked *a = &s->asked[i];
                if (a->component < 0 ? j->id == a->id || j->array_job == a->id ||
                                                                j->het_job == a->id
                                     : j->het_job == a->id && j->het_offset == a->component)
                        return true;
        }
        return s->n_ids == 0;
}

static const struct option_row rows[] = {
        { "format", 'o', OPTION_TEXT, FIELD(format), NULL, "format",
                        "fields by letter: %[[.]width]letter[suffix]..." },
        { "jobs", 'j', OPTION_CALL, 0, sprio_set_jobs, "job_ids", "only these jobs" },
        { "long", 'l', OPTION_FLAG, FIELD(is_long), NULL, NULL, "all factors" },
        { "noheader", 'h', OPTION_FLAG, FIELD(no_header), NULL, NULL, "no heading" },
        { "norm", 'n', OPTION_FLAG, FIELD(normal), NULL, NULL,
                        "factors from 0 to 1, without their weights" },
        { "partition", 'p', OPTION_CALL, 0, sprio_set_partitions, "partitions",
                        "only these partitions" },
        { "sort", 'S', OPTION_TEXT, FIELD(sort), NULL, "fields",
                        "order: letters, each with + or -" },
        { "user", 'u', OPTION_CALL, 0, sprio_set_users, "users", "only jobs of these users" },
        { "users", 0, OPTION_CALL, 0, sprio_set_users, "users", NULL },
        { "verbose", 'v', OPTION_IGNORED, 0, NULL, NULL, "accepted, changes nothing" },
        { "weights", 'w', OPTION_FLAG, FIELD(weights), NULL, NULL, "the weights alone" },
        OPTION_ROWS_ALL_CLUSTERS(FIELD(clusters)),
        { "federation", 0, OPTION_IGNORED, 0, NULL, NULL, NULL },
        { "local", 0, OPTION_IGNORED, 0, NULL, NULL, NULL },
        { "sibling", 0, OPTION_IGNORED, 0, NULL, NULL, NULL },
        OPTION_ROWS_HELP(0),
};

static const struct option_table table = {
        .program = "sprio",
        .rows = rows,
        .n_rows = ELEMENTSOF(rows),
};

/* ---- one record ---- */

struct view {                              /* user pointer of the fields */
        const Slumber__PriorityList *list; /* names and weights of factors */
        bool weights;                      /* -w: print the weights only */
};

enum factor { AGE, ASSOC, FAIRSHARE, JOBSIZE, PARTITION, QOS };

/* The controller's names, and columns without -o. */
static const struct {
        const char *name, *weighted, *normal;
} factors[] = {
        [AGE] = { "age", " %.10A", " %10a" },
        [ASSOC] = { "assoc", " %.10B", " %10b" },
        [FAIRSHARE] = { "fairshare", " %.10F", " %10f" },
        [JOBSIZE] = { "jobsize", " %.10J", " %10j" },
        [PARTITION] = { "partition", " %.10P", " %10p" },
        [QOS] = { "qos", " %.10Q", " %10q" },
};

static size_t factor_index(const struct view *v, const char *name) {
        size_t i = 0;

        while (i < v->list->n_names && !streq(v->list->names[i], name))
                i++;
        return i;
}

static double factor_weight(const struct view *v, const char *name) {
        size_t i = factor_index(v, name);

        return i < v->list->n_weights ? v->list->weights[i] : 0;
}

static double factor_value(const struct view *v, const Slumber__JobPriority *j, const char *name) {
        size_t i = factor_index(v, name);

        return j && i < j->n_factors ? j->factors[i] : 0;
}

static const char *factor_weighted(const void *r, const struct member *m, struct scratch *s,
                const void *u) {
        const struct view *v = u;
        const char *name = factors[m->detail].name;
        double w = factor_weight(v, name);

        return scratch_printf(s, "%.0f", v->weights ? w : w * factor_value(v, r, name));
}

static const char *factor_normal(const void *r, const struct member *m, struct scratch *s,
                const void *u) {
        if (!r)
                return factor_weighted(r, m, s, u);
        return scratch_printf(s, "%.7f", factor_value(u, r, factors[m->detail].name));
}

static uint64_t factor_number(const void *r, const struct member *m, const void *u) {
        return (uint64_t)(1e9 * factor_value(u, r, factors[m->detail].name));
}

#define TEXT(id, what)                                                                             \
        static const char *id(const void *r, const struct member *m, struct scratch *s,            \
                        const void *u) {                                                           \
                const Slumber__JobPriority *j = r;                                                 \
                return j ? (what) : "";                                                            \
        }

static const char *job_id(const void *r, const struct member *m, struct scratch *s, const void *u) {
        const Slumber__JobPriority *j = r;

        if (!j)
                return "Weights";
        if (j->het_job)
                return scratch_printf(s, "%u+%u", j->het_job, j->het_offset);
        if (j->array_job && j->id != j->array_job)
                return scratch_printf(s, "%u_%u", j->array_job, j->array_task);
        return scratch_printf(s, "%u", j->id);
}

/* Formats the priority as a fraction; rounds down. */
static const char *normal_priority(const void *r, const struct member *m, struct scratch *s,
                const void *u) {
        return r ? scratch_printf(s, "0.%08llu",
                                   ((const Slumber__JobPriority *)r)->priority * 100000000ull /
                                                   UINT32_MAX)
                 : "";
}

TEXT(account, *j->account ? j->account : "(null)")
TEXT(cluster, "N/A")
TEXT(qos_name, *j->qos ? j->qos : "(null)")

/* Returns true for a factor of PriorityWeightTRES ("cpu", "gres/gpu"). */
static bool is_tres(const char *name) {
        return strchr(name, '/') || streq(name, "cpu") || streq(name, "mem") || streq(name, "node");
}

/* Returns the heading of a weight as in Slurm. */
static const char *name_of_weight(const char *name) {
        return streq(name, "cpu")    ? "CPU"
               : streq(name, "mem")  ? "Mem"
               : streq(name, "node") ? "Node"
                                     : name;
}

/* Returns "cpu=31,mem=500,gres/gpu=1000", TRES with a weight only; "" if the priority was set by
   hand. */
static const char *tres_factors_text(const void *r, struct scratch *s, const void *u,
                bool is_weighted) {
        const struct view *v = u;
        _cleanup_free_ char *text = xstrdup("");

        for (size_t i = 0; i < v->list->n_names && !(r && ((const Slumber__JobPriority *)r)->own);
                        i++) {
                const char *name = v->list->names[i];
                double w = factor_weight(v, name), x = factor_value(v, r, name);
                if (!is_tres(name) || w == 0)
                        continue;
                if (v->weights)
                        text_add_word(&text, ",", "%s=%.0f", name_of_weight(name), w);
                else
                        text_add_word(&text, ",", "%s=%.*f", name, is_weighted ? 0 : 2,
                                        is_weighted ? w * x : x);
        }
        return scratch_printf(s, "%s", text);
}

static const char *weighted_tres(const void *r, const struct member *m, struct scratch *s,
                const void *u) {
        return tres_factors_text(r, s, u, true);
}
static const char *normal_tres(const void *r, const struct member *m, struct scratch *s,
                const void *u) {
        return tres_factors_text(r, s, u, false);
}

#define WEIGHTED(factor) .text = factor_weighted, .number = factor_number, .member.detail = factor
#define NORMAL(factor)   .text = factor_normal, .number = factor_number, .member.detail = factor
#define JOB(name, ...)   MEMBER(Slumber__JobPriority, name, __VA_ARGS__)

static const struct field fields[] = {
        { 'a', NULL, "AGE", 0, NORMAL(AGE) },
        { 'A', NULL, "AGE", 0, WEIGHTED(AGE) },
        { 'b', NULL, "ASSOC", 0, NORMAL(ASSOC) },
        { 'B', NULL, "ASSOC", 0, WEIGHTED(ASSOC) },
        { 'c', NULL, "CLUSTER", 0, .text = cluster },
        { 'f', NULL, "FAIRSHARE", 0, NORMAL(FAIRSHARE) },
        { 'F', NULL, "FAIRSHARE", 0, WEIGHTED(FAIRSHARE) },
        { 'i', NULL, "JOBID", 0, .text = job_id, JOB(id) },
        { 'j', NULL, "JOBSIZE", 0, NORMAL(JOBSIZE) },
        { 'J', NULL, "JOBSIZE", 0, WEIGHTED(JOBSIZE) },
        { 'n', NULL, "QOSNAME", 0, .text = qos_name },
        { 'N', NULL, "NICE", 0, JOB(nice, .none = "") },
        { 'o', NULL, "ACCOUNT", 0, .text = account },
        { 'p', NULL, "PARTITION", 0, NORMAL(PARTITION) },
        { 'P', NULL, "PARTITION", 0, WEIGHTED(PARTITION) },
        { 'q', NULL, "QOS", 0, NORMAL(QOS) },
        { 'Q', NULL, "QOS", 0, WEIGHTED(QOS) },
        { 'r', NULL, "PARTITION", 0, JOB(partition) },
        { 'S', NULL, "SITE", 0, JOB(site_factor, .none = "1") },
        { 't', NULL, "TRES", 0, .text = normal_tres },
        { 'T', NULL, "TRES", 0, .text = weighted_tres },
        { 'u', NULL, "USER", 0, JOB(user) },
        { 'y', NULL, "PRIORITY", 0, .text = normal_priority, JOB(priority) },
        { 'Y', NULL, "PRIORITY", 0, JOB(priority, .none = "") },
};

static const struct field_table field_table = {
        .fields = fields,
        .n_fields = ELEMENTSOF(fields),
        .bad_letter = "sprio: error: Invalid job format specification: ",
        .bad_name = "sprio: error: Invalid job format specification: ",
        .bad_sort = "sprio: error: Invalid sort specification: ",
};

/* ---- all ---- */

static int sprio_query(struct sprio *s, struct fail *fail) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        Slumber__PriorityQuery q = { .base = PROTOBUF_C_MESSAGE_INIT(
                                                     &slumber__priority_query__descriptor),
                .n_ids = s->n_ids,
                .ids = s->ids,
                .n_users = s->n_users,
                .users = s->users,
                .n_partitions = s->n_partitions,
                .partitions = s->partitions };
        int r = command_connect(&w, fail);

        for (bool more = true; r >= 0 && more;) {
                Envelope *reply = NULL;
                uint32_t code = SLUMBER_OK;

                ENVELOPE(request, PRIORITY_QUERY, priority_query, &q);
                r = wire_call(w, &request, &reply, &code, fail);
                if (r < 0)
                        break;
                s->replies = xrenew(s->replies, s->n_pages + 1);
                s->replies[s->n_pages++] = reply;
                if (reply->body_case != SLUMBER__ENVELOPE__BODY_PRIORITY_LIST)
                        return fail_set(fail, -EPROTO, "%s", slumber_error_text(SLUMBER_PROTOCOL));
                const Slumber__PriorityList *list = reply->priority_list;
                s->jobs = xrenew(s->jobs, s->n_jobs + list->n_jobs + 1);
                for (size_t i = 0; i < list->n_jobs; i++)
                        if (sprio_selects_job(s, list->jobs[i]))
                                s->jobs[s->n_jobs++] = list->jobs[i];
                more = list->more && list->n_jobs > 0;
                if (more)
                        q.after_id = list->jobs[list->n_jobs - 1]->id;
        }
        return r;
}

/* Returns the columns without -o: factors with a weight; the caller frees the text. */
static char *usual_format(const struct sprio *s, const struct view *v) {
        char *text = xasprintf("%s%s%s", "%.15i %9r", s->n_users ? " %.8u" : "",
                        s->normal ? FORMAT_NORMAL : FORMAT);
        bool tres_weighted = false;

        for (size_t i = 0; i < v->list->n_names; i++)
                tres_weighted |= is_tres(v->list->names[i]) && v->list->weights[i] > 0;
        for (size_t i = 0; i <= ELEMENTSOF(factors); i++) {
                bool last = i == ELEMENTSOF(factors);
                if (last ? !tres_weighted : factor_weight(v, factors[i].name) == 0)
                        continue;
                const char *more = last        ? (s->normal ? " %20t" : " %.20T")
                                   : s->normal ? factors[i].normal
                                               : factors[i].weighted;
                text_add_word(&text, "", "%s", more);
        }
        return text;
}

static int sprio_print(struct sprio *s) {
        const struct view view = { s->replies[0]->priority_list, s->weights };
        _cleanup_free_ char *usual = s->is_long ? xstrdup(s->normal ? FORMAT_NORMAL_LONG
                                                                    : FORMAT_LONG)
                                                : usual_format(s, &view);
        struct format format = { 0 };
        struct sort sort = { 0 };
        struct rows *lines = rows_new(&format, &sort, &view);
        int r = s->sort ? sort_parse(&sort, s->sort, &field_table) : 0;

        format_parse_letters(&format, s->format ? s->format : usual, &field_table);
        if (s->weights) {
                sort.n_keys = 0; /* a single row, without a job */
                rows_add(lines, NULL);
        }
        for (size_t i = 0; i < s->n_jobs && !s->weights; i++)
                rows_add(lines, s->jobs[i]);
        if (r >= 0 && !s->no_header)
                format_heading(&format, stdout);
        if (r >= 0)
                rows_print(lines, stdout);
        rows_free(lines);
        format_done(&format);
        return r < 0 || fflush(stdout) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Replaces uids by user names. */
static int find_users(struct sprio *s, struct fail *fail) {
        for (size_t i = 0; i < s->n_users; i++) {
                char *name = NULL;
                uid_t uid;
                int r = command_user(s->users[i], &uid, &name, fail);
                if (r == -ENOENT)
                        return fail_set(fail, r, "Invalid user: %s", s->users[i]);
                if (r < 0)
                        return r;
                free(s->users[i]);
                s->users[i] = name;
        }
        return 0;
}

static int sprio_print_cluster(struct sprio *s) {
        struct fail fail = { 0 };

        if (find_users(s, &fail) < 0) {
                command_error("sprio", "%s", fail.text);
                return EXIT_FAILURE;
        }
        if (sprio_query(s, &fail) < 0) {
                command_error("sprio", "Couldn't get priority factors from controller: %s",
                                fail.text);
                return EXIT_FAILURE;
        }
        if (!s->replies[0]->priority_list->multifactor) {
                fprintf(stderr, "You are not running a supported priority plugin\n(priority/basic).\n"
                                "Only 'priority/multifactor' is supported.\n");
                return EXIT_FAILURE;
        }
        if (s->n_ids && !s->n_jobs && !s->weights) {
                /* printed in place of the rows, without a failure, as in Slurm */
                puts("Unable to find jobs matching user/id(s) specified");
                return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
        }
        return sprio_print(s);
}

/* Frees the answer. */
static void sprio_free_answer(struct sprio *s) {
        for (size_t i = 0; i < s->n_pages; i++)
                slumber__envelope__free_unpacked(s->replies[i], NULL);
        free(TAKE(s->replies));
        free(TAKE(s->jobs));
        s->n_pages = s->n_jobs = 0;
}

struct each {
        struct sprio *s;
        const struct clusters *c;
};

static int sprio_run_in_cluster(void *user, size_t at) {
        const struct each *e = user;

        if (e->c->n > 1 && !e->s->no_header)
                command_cluster_heading(e->c, at);
        int code = sprio_print_cluster(e->s);
        sprio_free_answer(e->s);
        return code;
}

static int sprio_run(struct sprio *s) {
        _cleanup_(command_clusters_done) struct clusters clusters = { 0 };
        struct each each = { s, &clusters };

        return command_clusters_to_show("sprio", s->clusters, &clusters) < 0
                               ? EXIT_FAILURE
                               : command_at_once(&clusters, sprio_run_in_cluster, &each);
}

static void sprio_done(struct sprio *s) {
        texts_free(s->users, s->n_users);
        texts_free(s->partitions, s->n_partitions);
        free(s->ids);
        free(s->asked);
}

int sprio_main(int argc, char **argv) {
        struct sprio s = { 0 };
        int first, r = options_parse(&table, argc, argv, &s, &first), code = EXIT_FAILURE;

        if (r == OPTIONS_DONE)
                code = EXIT_SUCCESS;
        else if (r == 0 && first < argc)
                command_error("sprio", "Unrecognized option: %s", argv[first]);
        else if (r == 0)
                code = sprio_run(&s);
        sprio_done(&s);
        return code;
}
