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

static void sprio_add_words(char ***list, size_t *n, const char *value) {
        _cleanup_free_ char *copy = xstrdup(value);
        char *rest = NULL;

        for (char *w = strtok_r(copy, ",", &rest); w; w = strtok_r(NULL, ",", &rest)) {
                *list = xrenew(*list, *n + 1);
                (*list)[(*n)++] = xstrdup(w);
        }
}

static int sprio_set_users(void *field, const char *value, struct fail *fail) {
        struct sprio *s = field;

        sprio_add_words(&s->users, &s->n_users, value);
        return 0;
}

static int sprio_set_partitions(void *field, const char *value, struct fail *fail) {
        struct sprio *s = field;

        sprio_add_words(&s->partitions, &s->n_partitions, value);
        return 0;
}

static int sprio_set_jobs(void *field, const char *value, struct fail *fail) {
        struct sprio *s = field;
        _cleanup_free_ char *copy = xstrdup(strempty(value));
        char *rest = NULL;

        for (char *w = strtok_r(copy, ",", &rest); w; w = strtok_r(NULL, ",", &rest)) {
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

static const char *factor_weighted_text(const void *r, struct scratch *s, const void *u,
                const char *name) {
        const struct view *v = u;
        double w = factor_weight(v, name);

        return scratch_printf(s, "%.0f", v->weights ? w : w * factor_value(v, r, name));
}

static const char *factor_normal_text(const void *r, struct scratch *s, const void *u,
                const char *name) {
        if (!r)
                return factor_weighted_text(r, s, u, name);
        return scratch_printf(s, "%.7f", factor_value(u, r, name));
}

static uint64_t factor_number(const void *r, const void *u, const char *name) {
        return (uint64_t)(1e9 * factor_value(u, r, name));
}

#define FACTOR(id, name)                                                                           \
        static const char *weighted_##id(const void *r, struct scratch *s, const void *u) {        \
                return factor_weighted_text(r, s, u, name);                                        \
        }                                                                                          \
        static const char *normal_##id(const void *r, struct scratch *s, const void *u) {          \
                return factor_normal_text(r, s, u, name);                                          \
        }                                                                                          \
        static uint64_t number_##id(const void *r, const void *u) {                                \
                return factor_number(r, u, name);                                                  \
        }
FACTOR(age, "age")
FACTOR(assoc, "assoc")
FACTOR(fairshare, "fairshare")
FACTOR(size, "jobsize")
FACTOR(partition, "partition")
FACTOR(qos, "qos")

#define TEXT(id, what)                                                                             \
        static const char *id(const void *r, struct scratch *s, const void *u) {                   \
                const Slumber__JobPriority *j = r;                                                 \
                return j ? (what) : "";                                                            \
        }

static const char *job_id(const void *r, struct scratch *s, const void *u) {
        const Slumber__JobPriority *j = r;

        if (!j)
                return "Weights";
        if (j->het_job)
                return scratch_printf(s, "%u+%u", j->het_job, j->het_offset);
        if (j->array_job && j->id != j->array_job)
                return scratch_printf(s, "%u_%u", j->array_job, j->array_task);
        return scratch_printf(s, "%u", j->id);
}

static const char *job_priority_text(const void *r, struct scratch *s, const void *u) {
        return r ? scratch_printf(s, "%u", ((const Slumber__JobPriority *)r)->priority) : "";
}

/* Formats the priority as a fraction; rounds down. */
static const char *normal_priority(const void *r, struct scratch *s, const void *u) {
        return r ? scratch_printf(s, "0.%08llu",
                                   ((const Slumber__JobPriority *)r)->priority * 100000000ull /
                                                   UINT32_MAX)
                 : "";
}

TEXT(partition_name, j->partition)
TEXT(user_name, j->user)
TEXT(account, *j->account ? j->account : "(null)")
TEXT(qos_name, *j->qos ? j->qos : "(null)")
TEXT(cluster, "N/A")
TEXT(nice_text, scratch_printf(s, "%d", j->nice))

static const char *site_factor_text(const void *r, struct scratch *s, const void *u) {
        return r ? scratch_printf(s, "%d", ((const Slumber__JobPriority *)r)->site_factor) : "1";
}

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

static const char *weighted_tres(const void *r, struct scratch *s, const void *u) {
        return tres_factors_text(r, s, u, true);
}
static const char *normal_tres(const void *r, struct scratch *s, const void *u) {
        return tres_factors_text(r, s, u, false);
}

static uint64_t id_number(const void *r, const void *u) {
        return ((const Slumber__JobPriority *)r)->id;
}
static uint64_t priority_number(const void *r, const void *u) {
        return ((const Slumber__JobPriority *)r)->priority;
}
static uint64_t nice_number(const void *r, const void *u) {
        return (uint64_t)((int64_t)((const Slumber__JobPriority *)r)->nice + INT32_MAX);
}

static const struct field fields[] = {
        { 'a', NULL, "AGE", normal_age, number_age, 0 },
        { 'A', NULL, "AGE", weighted_age, number_age, 0 },
        { 'b', NULL, "ASSOC", normal_assoc, number_assoc, 0 },
        { 'B', NULL, "ASSOC", weighted_assoc, number_assoc, 0 },
        { 'c', NULL, "CLUSTER", cluster, NULL, 0 },
        { 'f', NULL, "FAIRSHARE", normal_fairshare, number_fairshare, 0 },
        { 'F', NULL, "FAIRSHARE", weighted_fairshare, number_fairshare, 0 },
        { 'i', NULL, "JOBID", job_id, id_number, 0 },
        { 'j', NULL, "JOBSIZE", normal_size, number_size, 0 },
        { 'J', NULL, "JOBSIZE", weighted_size, number_size, 0 },
        { 'n', NULL, "QOSNAME", qos_name, NULL, 0 },
        { 'N', NULL, "NICE", nice_text, nice_number, 0 },
        { 'o', NULL, "ACCOUNT", account, NULL, 0 },
        { 'p', NULL, "PARTITION", normal_partition, number_partition, 0 },
        { 'P', NULL, "PARTITION", weighted_partition, number_partition, 0 },
        { 'q', NULL, "QOS", normal_qos, number_qos, 0 },
        { 'Q', NULL, "QOS", weighted_qos, number_qos, 0 },
        { 'r', NULL, "PARTITION", partition_name, NULL, 0 },
        { 'S', NULL, "SITE", site_factor_text, NULL, 0 },
        { 't', NULL, "TRES", normal_tres, NULL, 0 },
        { 'T', NULL, "TRES", weighted_tres, NULL, 0 },
        { 'u', NULL, "USER", user_name, NULL, 0 },
        { 'y', NULL, "PRIORITY", normal_priority, priority_number, 0 },
        { 'Y', NULL, "PRIORITY", job_priority_text, priority_number, 0 },
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
        static const struct {
                const char *name, *weighted, *normal;
        } columns[] = {
                { "age", " %.10A", " %10a" },
                { "assoc", " %.10B", " %10b" },
                { "fairshare", " %.10F", " %10f" },
                { "jobsize", " %.10J", " %10j" },
                { "partition", " %.10P", " %10p" },
                { "qos", " %.10Q", " %10q" },
        };
        char *text = xasprintf("%s%s%s", "%.15i %9r", s->n_users ? " %.8u" : "",
                        s->normal ? FORMAT_NORMAL : FORMAT);
        bool tres_weighted = false;

        for (size_t i = 0; i < v->list->n_names; i++)
                tres_weighted |= is_tres(v->list->names[i]) && v->list->weights[i] > 0;
        for (size_t i = 0; i <= ELEMENTSOF(columns); i++) {
                bool last = i == ELEMENTSOF(columns);
                if (last ? !tres_weighted : factor_weight(v, columns[i].name) == 0)
                        continue;
                const char *more = last        ? (s->normal ? " %20t" : " %.20T")
                                   : s->normal ? columns[i].normal
                                               : columns[i].weighted;
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
        for (size_t i = 0; i < s->n_users; i++)
                free(s->users[i]);
        for (size_t i = 0; i < s->n_partitions; i++)
                free(s->partitions[i]);
        free(s->users);
        free(s->partitions);
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
