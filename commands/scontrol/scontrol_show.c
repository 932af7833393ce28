/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scontrol show: a table of entities. The name of an entity may be shortened as in Slurm; an id
 * follows as a separate word or after "=". records.c prints the records.
 *
 * Sections: jobs and steps, nodes, partitions, configuration, topology, host lists, licenses,
 * reservations, the table of entities. */
#include "commands/jobid.h"
#include "commands/json.h"
#include "commands/query.h"
#include "commands/records.h"
#include "commands/scontrol/scontrol.h"
#include "commands/show/sdiag.h"
#include "lib/errors.h"
#include "lib/hostlist.h"
#include "lib/printable.h"
#include "lib/timetext.h"

#include <json-c/json.h>
#include <strings.h>

/* maximum size of a file of host names; holds HOSTLIST_MAX long names */
#define HOST_FILE_MAX (16u << 20)

struct show {
        const struct scontrol *s;
        struct record_view view;
        const char *id; /* NULL: all */
        char **words;   /* words after the entity */
        int n_words;
};

static int show_complain(const struct show *show, const char *what, const char *text) {
        return scontrol_complain(show->s, "%s error: %s", what, text);
}

/* Prints to stderr if the records are JSON. */
static int not_found(const struct show *show, const char *what, const char *name) {
        if (!show->s->quiet)
                fprintf(show->s->json ? stderr : stdout, "%s %s not found\n", what, name);
        return EXIT_FAILURE;
}

/* ---- jobs and steps ---- */

/* Prints jobs while pages arrive. */
struct job_printer {
        const struct show *show;
        struct json_jobs *json; /* NULL: Slurm's text format */
        usec_t now;
        size_t n;       /* jobs received */
        uint32_t step;  /* UINT32_MAX: all */
        uint32_t part;  /* component of the step; 0: all */
        size_t n_steps; /* steps printed */
};

static int each_job(const struct show *show, const struct job_id *id, bool steps,
                query_each_t *each, struct job_printer *to, struct fail *fail) {
        _cleanup_(job_id_request_done) struct job_id_request named = { 0 };
        _cleanup_(wire_freep) struct wire *w = NULL;
        Slumber__JobQuery query = SLUMBER__JOB_QUERY__INIT;
        int r;

        job_id_request_init(&named, id, id->job != 0);
        query.ids = named.ids;
        query.n_ids = named.n_ids;
        query.tasks = named.task_pointers;
        query.n_tasks = named.n_tasks;
        query.with_finished = true;
        query.with_hidden = show->s->all;
        query.with_alloc = !steps;
        query.with_steps = steps || show->s->json;
        r = command_connect(&w, fail);
        if (r >= 0)
                r = query_each_job(w, &query, each, to, &to->now, fail);
        if (r >= 0 && id->job && to->n == 0)
                r = fail_set(fail, -ENOENT, "%s", slumber_error_text(SLUMBER_BAD_JOB_ID));
        return r;
}

static void show_print_job(const void *record, void *user) {
        struct job_printer *to = user;

        to->n++;
        if (to->json)
                json_jobs_add(to->json, record);
        else
                record_print_job(&to->show->view, record, stdout);
}

static int show_jobs(struct show *show) {
        _cleanup_(json_jobs_freep) struct json_jobs *json = show->s->json ? json_jobs_new(stdout)
                                                                          : NULL;
        _cleanup_(job_id_done) struct job_id id = { 0 };
        struct job_printer to = { .show = show, .json = json };
        struct fail fail = { 0 };

        bool all = !show->id || streq(show->id, "0"); /* 0 means all, as in Slurm */
        if (!all && (job_id_parse(show->id, &id) < 0 || id.has_step))
                return show_complain(show, "scontrol_print_job",
                                *fail.text ? fail.text : slumber_error_text(SLUMBER_BAD_JOB_ID));
        int r = each_job(show, &id, false, show_print_job, &to, &fail);
        if (r == -ENOENT && id.tasks)
                return not_found(show, "Job", show->id);
        if (r < 0)
                return show_complain(show, "slurm_load_jobs", fail.text);
        if (json)
                json_jobs_end(json, to.now);
        else if (to.n == 0)
                puts("No jobs in the system");
        return EXIT_SUCCESS;
}

static void print_steps(const void *record, void *user) {
        struct job_printer *to = user;
        const Job *job = record;

        to->n++;
        for (size_t i = 0; i < job->n_steps && !job_finished(job); i++) {
                if (to->step != UINT32_MAX && job->steps[i]->id != to->step)
                        continue;
                if (to->part && job->steps[i]->part != to->part)
                        continue;
                record_print_step(&to->show->view, job, job->steps[i], stdout);
                to->n_steps++;
        }
}

static int show_steps(struct show *show) {
        _cleanup_(job_id_done) struct job_id id = { 0 };
        struct job_printer to = { .show = show };
        struct fail fail = { 0 };

        if (show->id && job_id_parse_part(show->id, &id) < 0)
                return show_complain(show, "slurm_get_job_steps",
                                slumber_error_text(SLUMBER_BAD_STEP_ID));
        to.step = id.has_step ? id.step : UINT32_MAX;
        to.part = id.part;
        id.has_step = false;
        if (each_job(show, &id, true, print_steps, &to, &fail) < 0)
                return show_complain(show, "slurm_get_job_steps", fail.text);
        if (!to.n_steps && !show->id)
                puts("No job steps in the system");
        if (!to.n_steps && show->id && !show->s->quiet)
                printf("Job step %s not found\n", show->id);
        return to.n_steps || !show->id ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Prints a completing job and the nodes where the job has not ended yet. */
static void print_completing(const void *record, void *user) {
        struct job_printer *to = user;
        const Job *job = record;
        _cleanup_(hostlist_freep) struct hostlist *left = hostlist_new();
        char end[TIMETEXT_MAX], since[TIMETEXT_MAX];

        if (!(job->state_flags & SLUMBER__JOB_FLAG__JOB_FLAG_COMPLETING))
                return;
        for (size_t i = 0; i < job->n_alloc; i++)
                if (!job->alloc[i]->done)
                        hostlist_push(left, job->alloc[i]->name);
        _cleanup_free_ char *nodes = hostlist_text(left);
        duration_text(job->end_time && to->now > job->end_time ? to->now - job->end_time : 0,
                        since);
        printf("JobId=%u EndTime=%s CompletingTime=%s Nodes(COMPLETING)=%s \n", job->id,
                        time_text(job->end_time, to->show->view.time_format, end), since, nodes);
}

int scontrol_completing(const struct scontrol *s, int argc, char **argv) {
        const struct show show = { .s = s, .view = { .time_format = getenv("SLURM_TIME_FORMAT") } };
        const struct job_id all = { 0 };
        struct job_printer to = { .show = &show };
        struct fail fail = { 0 };

        if (argc > 1)
                return scontrol_complain(s, "too many arguments for keyword:%s", argv[0]);
        if (each_job(&show, &all, false, print_completing, &to, &fail) < 0)
                return show_complain(&show, "slurm_load_jobs", fail.text);
        return EXIT_SUCCESS;
}

/* ---- nodes ---- */

/* Loads the nodes of show->id, or all. If the controller refuses the list because of an unknown
   name, loads all nodes; the caller searches by name. */
static int load_nodes(const struct show *show, bool why, struct node_list *list,
                struct fail *fail) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        Slumber__NodeQuery query = SLUMBER__NODE_QUERY__INIT;
        int r;

        query.with_future = show->s->future || show->id;
        query.with_power = why;
        query.with_phase = !why;
        if (show->id)
                query.nodes = (char *)show->id;
        r = command_connect(&w, fail);
        if (r >= 0)
                r = query_nodes(w, &query, list, NULL, fail);
        if (r == -EREMOTE && show->id) {
                query.nodes = (char *)"";
                r = query_nodes(w, &query, list, NULL, fail);
        }
        return r;
}

static const Node *show_find_node(const struct node_list *list, const char *name) {
        for (size_t i = 0; i < list->n_nodes; i++)
                if (streq(list->nodes[i]->name, name))
                        return list->nodes[i];
        return NULL;
}

typedef void node_printer_t(const struct record_view *v, const Node *node, FILE *out);
typedef void node_json_t(const Node *const *nodes, size_t n, usec_t now, FILE *out);

/* Prints nodes in the order of names. */
static int show_named_nodes(const struct show *show, const struct node_list *list,
                const struct hostlist *names, node_printer_t *print) {
        int r = EXIT_SUCCESS;

        for (size_t i = 0; i < hostlist_count(names); i++) {
                const Node *node = show_find_node(list, hostlist_get(names, i));

                if (node)
                        print(&show->view, node, stdout);
                else
                        r = not_found(show, "Node", hostlist_get(names, i));
        }
        return r;
}

static int show_nodes_as_json(const struct show *show, const struct node_list *list,
                const struct hostlist *names, node_json_t *print) {
        _cleanup_free_ const Node **chosen = xnew(const Node *, list->n_nodes + 1);
        size_t n = 0;
        int r = EXIT_SUCCESS;

        for (size_t i = 0; !names && i < list->n_nodes; i++)
                chosen[n++] = list->nodes[i];
        for (size_t i = 0; names && i < hostlist_count(names); i++) {
                const Node *node = show_find_node(list, hostlist_get(names, i));

                if (node)
                        chosen[n++] = node;
                else
                        r = not_found(show, "Node", hostlist_get(names, i));
        }
        print(chosen, n, list->pages.now, stdout);
        return r;
}

struct node_printer {
        const struct show *show;
        node_printer_t *print;
        usec_t now;
        size_t n;
};

static void print_node(const void *record, void *user) {
        struct node_printer *to = user;

        to->n++;
        to->print(&to->show->view, record, stdout);
}

/* Prints nodes while the controller makes the next page. */
static int show_all_nodes(const struct show *show, bool why, node_printer_t *print) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        Slumber__NodeQuery query = SLUMBER__NODE_QUERY__INIT;
        struct node_printer to = { .show = show, .print = print };
        struct fail fail = { 0 };

        query.with_future = show->s->future;
        query.with_power = why;
        query.with_phase = !why;
        if (command_connect(&w, &fail) < 0 ||
                        query_each_node(w, &query, print_node, &to, &to.now, &fail) < 0)
                return show_complain(show, "slurm_load_node", fail.text);
        if (to.n == 0)
                puts("No nodes in the system");
        return EXIT_SUCCESS;
}

static int show_each_node(struct show *show, bool why, node_printer_t *print,
                node_json_t *print_json) {
        _cleanup_(hostlist_freep) struct hostlist *names = NULL;
        struct node_list list = { 0 };
        struct fail fail = { 0 };
        int r = EXIT_SUCCESS;

        if (show->id && strcasecmp(show->id, "all") == 0)
                show->id = NULL;
        if (show->id && hostlist_parse(show->id, &names, &fail) < 0)
                return show_complain(show, "scontrol_print_node_list", fail.text);
        if (!names && !show->s->json)
                return show_all_nodes(show, why, print);
        if (load_nodes(show, why || show->s->json, &list, &fail) < 0)
                return show_complain(show, "slurm_load_node", fail.text);

        if (show->s->json)
                r = show_nodes_as_json(show, &list, names, print_json);
        else
                r = show_named_nodes(show, &list, names, print);
        node_list_done(&list);
        return r;
}

static int show_nodes(struct show *show) {
        return show_each_node(show, false, record_print_node, json_print_nodes);
}

/* Shows why each node is on or off; an extension of Slumber. */
static int show_power(struct show *show) {
        _cleanup_envelope_ Envelope *reply = NULL;
        struct fail fail = { 0 };

        if (!show->s->json && sdiag_ask(false, &reply, &fail) >= 0 &&
                        reply->body_case == SLUMBER__ENVELOPE__BODY_STATS_REPLY &&
                        reply->stats_reply->brake)
                sdiag_print_brake(reply->stats_reply->brake);
        if (!show->id && !show->s->json)
                return scontrol_power_summary(show->s);
        return show_each_node(show, true, record_print_power, json_print_power);
}

/* Shows energy; an extension of Slumber. */
static int show_energy(struct show *show) {
        return scontrol_show_energy(show->s, show->id);
}

/* Prints the nodes of a NodeHostname: several nodes may share a host. */
static int show_aliases(struct show *show) {
        struct node_list list = { 0 };
        struct fail fail = { 0 };
        char own[256] = "";
        const char *host = show->id, *between = "";

        (void)gethostname(own, sizeof own - 1);
        own[strcspn(own, ".")] = 0;
        show->id = NULL; /* a host name, not a node name */
        if (load_nodes(show, false, &list, &fail) < 0)
                return show_complain(show, "slurm_load_node", fail.text);
        for (size_t i = 0; i < list.n_nodes; i++)
                if (streq(list.nodes[i]->hostname, host ? host : own)) {
                        printf("%s%s", between, list.nodes[i]->name);
                        between = " ";
                }
        fputs(*between ? "\n" : "", stdout);
        node_list_done(&list);
        return EXIT_SUCCESS;
}

/* ---- partitions ---- */

/* Prints the time and number of records, for -v. */
static void say_records(const struct show *show, usec_t now, size_t n) {
        char buf[TIMETEXT_MAX];

        if (show->s->verbose)
                printf("last_update_time=%s, records=%zu\n",
                                time_text(now, show->view.time_format, buf), n);
}

static int show_partitions(struct show *show) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        struct partition_list list = { 0 };
        struct fail fail = { 0 };
        size_t n = 0;
        int r;

        r = command_connect(&w, &fail);
        if (r >= 0)
                r = query_partitions(w, NULL, &list, NULL, &fail);
        if (r < 0)
                return show_complain(show, "slurm_load_partitions", fail.text);

        _cleanup_free_ const Partition **chosen = xnew(const Partition *, list.n_partitions + 1);
        for (size_t i = 0; i < list.n_partitions; i++) {
                const Partition *p = list.partitions[i];

                if (show->id ? streq(p->name, show->id)
                             : !p->hidden || show->s->all || list.sees_hidden)
                        chosen[n++] = p;
        }
        if (show->s->json)
                json_print_partitions(chosen, n, list.pages.now, stdout);
        if (!show->s->json)
                say_records(show, list.pages.now, list.n_partitions);
        for (size_t i = 0; i < n && !show->s->json; i++)
                record_print_partition(&show->view, chosen[i], stdout);
        partition_list_done(&list);
        if (n == 0 && show->id)
                return not_found(show, "Partition", show->id);
        if (n == 0 && !show->s->json)
                puts("No partitions in the system");
        return EXIT_SUCCESS;
}

/* ---- configuration ---- */

static int show_config(struct show *show) {
        Slumber__ConfigQuery query = SLUMBER__CONFIG_QUERY__INIT;
        _cleanup_(wire_freep) struct wire *w = NULL;
        _cleanup_envelope_ Envelope *reply = NULL;
        struct fail fail = { 0 };
        ENVELOPE(request, CONFIG_QUERY, config_query, &query);
        int r;

        if (show->id)
                return scontrol_complain(show->s, "too many arguments for keyword:show");
        r = command_connect(&w, &fail);
        if (r >= 0)
                r = wire_call(w, &request, &reply, NULL, &fail);
        if (r >= 0 && reply->body_case != SLUMBER__ENVELOPE__BODY_CONFIG_LIST)
                r = fail_set(&fail, -EPROTO, "the controller answered something else");
        if (r < 0)
                return show_complain(show, "slurm_load_ctl_conf", fail.text);
        record_print_config(&show->view, reply->config_list, stdout);
        return EXIT_SUCCESS;
}

/* ---- topology ---- */

/* Reads "NAME" of a topology, switch or node; "switch=S" or "unit=S"; "node=LIST". The name of a
   topology may come before the other forms. */
static int read_topology_words(struct show *show, Slumber__ConfigQuery *query) {
        for (size_t i = 0; i < (size_t)show->n_words; i++) {
                char *word = show->words[i], *equals = strchr(word, '='),
                     *value = equals ? equals + 1 : word;
                size_t n = equals ? (size_t)(equals - word) : 0;
                if (!equals && i == 0 && show->n_words > 1)
                        query->topology_name = value;
                else if (!equals && show->n_words == 1)
                        query->topology = value;
                else if (n == 4 && strncasecmp(word, "node", n) == 0)
                        query->topology_nodes = value;
                else if ((n == 6 && strncasecmp(word, "switch", n) == 0) ||
                                (n == 4 && strncasecmp(word, "unit", n) == 0))
                        query->topology = value;
                else
                        return scontrol_complain(show->s, "invalid option:%s for keyword:topology",
                                        word);
        }
        return EXIT_SUCCESS;
}

static int ask_topology(struct show *show, Slumber__ConfigQuery *query, Envelope **ret) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        struct fail fail = { 0 };

        ENVELOPE(request, CONFIG_QUERY, config_query, query);
        int r = command_connect(&w, &fail);
        if (r >= 0)
                r = wire_call(w, &request, ret, NULL, &fail);
        if (r >= 0 && (*ret)->body_case != SLUMBER__ENVELOPE__BODY_CONFIG_LIST)
                r = fail_set(&fail, -EPROTO, "the controller answered something else");
        return r < 0 ? show_complain(show, "slurm_load_topo", fail.text) : EXIT_SUCCESS;
}

static int show_topoconf(struct show *show) {
        Slumber__ConfigQuery query = SLUMBER__CONFIG_QUERY__INIT;
        _cleanup_envelope_ Envelope *reply = NULL;

        query.topoconf = true;
        if (ask_topology(show, &query, &reply) != EXIT_SUCCESS)
                return EXIT_FAILURE;
        for (size_t i = 0; i < reply->config_list->n_topology; i++)
                fputs(reply->config_list->topology[i], stdout);
        return EXIT_SUCCESS;
}

static int show_topology(struct show *show) {
        Slumber__ConfigQuery query = SLUMBER__CONFIG_QUERY__INIT;
        _cleanup_envelope_ Envelope *reply = NULL;

        query.topology = (char *)(uintptr_t)(show->id && !show->n_words ? show->id : "*");
        if (read_topology_words(show, &query) != EXIT_SUCCESS ||
                        ask_topology(show, &query, &reply) != EXIT_SUCCESS)
                return EXIT_FAILURE;
        const Slumber__ConfigList *list = reply->config_list;
        for (size_t i = 0; i < list->n_topology; i++)
                puts(list->topology[i]);
        if (list->n_topology)
                return EXIT_SUCCESS;
        if (!show->id) {
                puts("No topology information available");
                return EXIT_SUCCESS;
        }
        printable_fprintf(stderr,
                        "scontrol: error: Topology information contains no switch or node named %s\n",
                        show->n_words ? show->words[show->n_words - 1] : show->id);
        return EXIT_FAILURE;
}

/* ---- host lists ---- */

typedef int hosts_parser_t(const char *text, struct hostlist **ret, struct fail *fail);

static int hosts_of(hosts_parser_t *parse, const char *text, struct hostlist **ret) {
        struct fail fail = { 0 };
        int r = parse(text, ret, &fail);

        if (r < 0)
                fprintf(stderr, "scontrol: error: %s\n", fail.text);
        return r;
}

static int show_host_names(struct show *show) {
        _cleanup_(hostlist_freep) struct hostlist *names = NULL;
        const char *text = show->id ? show->id : getenv("SLURM_JOB_NODELIST");

        if (!text)
                text = getenv("SLURM_NODELIST"); /* older name of the variable */
        if (isempty(text)) {
                fputs("scontrol: error: host list is empty\n", stderr);
                return EXIT_SUCCESS; /* as in Slurm */
        }
        if (hosts_of(hostlist_parse_repeats, text, &names) < 0)
                return EXIT_FAILURE;
        for (size_t i = 0; i < hostlist_count(names); i++)
                puts(hostlist_get(names, i));
        return EXIT_SUCCESS;
}

/* Returns the names in a file, separated by blanks, lines or commas, as one list; the caller
   frees the list. */
static char *read_names(FILE *in) {
        char *text = xnew(char, HOST_FILE_MAX + 1);
        size_t n = fread(text, 1, HOST_FILE_MAX, in), used = 0;

        for (size_t i = 0; i < n; i++) {
                bool blank = text[i] == '\n' || text[i] == ' ' || text[i] == '\t' ||
                             text[i] == '\r';
                char c = blank ? ',' : text[i];

                if (c != ',' || (used > 0 && text[used - 1] != ','))
                        text[used++] = c;
        }
        if (used > 0 && text[used - 1] == ',')
                used--;
        text[used] = 0;
        return text;
}

static int show_host_list(struct show *show, bool sorted) {
        _cleanup_(hostlist_freep) struct hostlist *names = NULL;
        _cleanup_free_ char *from_file = NULL, *text = NULL;
        _cleanup_fclose_ FILE *in = NULL;

        if (!show->id) {
                fputs("invalid encode argument\n", stderr);
                return EXIT_FAILURE;
        }
        if (show->id[0] == '/' || show->id[0] == '-') {
                in = fopen(show->id[0] == '-' ? "/dev/stdin" : show->id, "re");
                if (!in) {
                        fprintf(stderr, "scontrol: error: %s: %s\n", show->id, strerror(errno));
                        return EXIT_FAILURE;
                }
                from_file = read_names(in);
        }
        if (hosts_of(sorted ? hostlist_parse : hostlist_parse_repeats,
                            from_file ? from_file : show->id, &names) < 0)
                return EXIT_FAILURE;
        if (sorted)
                hostlist_sort(names);
        text = hostlist_text(names);
        puts(text);
        return EXIT_SUCCESS;
}

static int show_host_list_as_is(struct show *show) {
        return show_host_list(show, false);
}

static int show_host_list_sorted(struct show *show) {
        return show_host_list(show, true);
}

/* ---- licenses ---- */

static int load_licenses(struct license_list *list, const char *name, struct fail *fail) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        int r = command_connect(&w, fail);

        return r < 0 ? r : query_licenses(w, name, list, NULL, fail);
}

static uint64_t license_free(const Slumber__License *l) {
        return l->total > l->used ? l->total - l->used : 0;
}

static void show_license(const Slumber__License *l, const char *next) {
        const uint64_t free = license_free(l);

        printf("LicenseName=%s%s", l->name, next);
        if (l->infinite)
                printf("Total=INFINITE Used=%llu Free=INFINITE", (unsigned long long)l->used);
        else
                printf("Total=%u Used=%llu Free=%llu", l->total, (unsigned long long)l->used,
                                (unsigned long long)free);
        printf(" Reserved=%u Remote=no", l->reserved);
        if (*l->nodes)
                printf("%sNodes=%s Mode=%u", next, l->nodes, l->mode);
        putchar('\n');
}

/* Returns Slurm's JSON object of a license; -1: infinite. Slumber has no remote licenses, so
   fields of remote licenses are 0. */
static struct json_object *license_object(const Slumber__License *l, usec_t now) {
        const struct {
                const char *key;
                int64_t value;
        } numbers[] = {
                { "Total", l->infinite ? -1 : (int64_t)l->total },
                { "Used", (int64_t)l->used },
                { "Free", l->infinite ? -1 : (int64_t)license_free(l) },
                { "Reserved", l->reserved },
                { "LastConsumed", 0 },
                { "LastDeficit", 0 },
                { "LastUpdate", (int64_t)(now / USEC_PER_SEC) },
        };
        struct json_object *o = json_object_new_object();

        json_object_object_add(o, "LicenseName", json_text(l->name));
        for (size_t i = 0; i < ELEMENTSOF(numbers); i++)
                json_object_object_add(o, numbers[i].key, json_object_new_int64(numbers[i].value));
        json_object_object_add(o, "Remote", json_object_new_boolean(false));
        json_object_object_add(o, "Nodes", json_text(l->nodes));
        if (*l->nodes)
                json_object_object_add(o, "Mode", json_object_new_int64(l->mode));
        return o;
}

static void print_licenses(const struct license_list *list) {
        struct json_object *all = json_object_new_array();

        for (size_t i = 0; i < list->n_licenses; i++)
                json_object_array_add(all, license_object(list->licenses[i], list->pages.now));
        json_print_object("licenses", all, list->pages.now, stdout);
}

static int show_licenses(struct show *show) {
        _cleanup_(license_list_done) struct license_list list = { 0 };
        struct fail fail = { 0 };

        if (load_licenses(&list, show->id, &fail) < 0)
                return show_complain(show, "slurm_load_licenses", fail.text);
        if (list.n_licenses == 0 && show->id) {
                printable_fprintf(stderr, "License %s not found\n", show->id);
                return EXIT_FAILURE;
        }
        if (show->s->json) {
                print_licenses(&list);
                return EXIT_SUCCESS;
        }
        if (list.n_licenses == 0)
                puts("No licenses configured in Slurm.");
        for (size_t i = 0; i < list.n_licenses; i++) {
                const Slumber__License *l = list.licenses[i];
                show_license(l, show->view.one_liner ? " " : "\n    ");
        }
        return EXIT_SUCCESS;
}

/* ---- reservations ---- */

static int show_assoc_mgr(struct show *show) {
        return scontrol_show_assoc_mgr(show->s, show->n_words, show->words);
}

static int show_reservations(struct show *show) {
        return scontrol_show_reservations(show->s, show->id);
}

/* ---- the table ---- */

static const struct entity {
        const char *name;
        size_t least;                  /* minimum number of letters */
        int (*run)(struct show *show); /* NULL: not implemented by Slumber */
        bool json;
        bool words;      /* takes any number of words */
        bool here;       /* asks no cluster */
        const char *key; /* key of a record, accepted as entity: show jobid=7 */
} entities[] = {
        { .name = "aliases", .least = 1, .run = show_aliases },
        { .name = "assoc_mgr", .least = 2, .run = show_assoc_mgr, .words = true },
        { .name = "bbstat", .least = 2, .run = NULL },
        { .name = "burstbuffer", .least = 2, .run = NULL },
        { .name = "config", .least = 1, .run = show_config },
        { .name = "daemons", .least = 1, .run = NULL },
        { .name = "dwstat", .least = 2, .run = NULL },
        { .name = "energy", .least = 1, .run = show_energy, .json = true },
        { .name = "federation", .least = 1, .run = NULL },
        { .name = "hostnames", .least = 5, .run = show_host_names, .here = true },
        { .name = "hostlist", .least = 5, .run = show_host_list_as_is, .here = true },
        { .name = "hostlistsorted", .least = 9, .run = show_host_list_sorted, .here = true },
        { .name = "jobs", .least = 1, .run = show_jobs, .json = true, .key = "jobid" },
        { .name = "licenses", .least = 2, .run = show_licenses, .json = true },
        { .name = "nodes", .least = 1, .run = show_nodes, .json = true },
        { .name = "partitions",
                        .least = 1,
                        .run = show_partitions,
                        .json = true,
                        .key = "partitionname" },
        { .name = "power", .least = 2, .run = show_power, .json = true },
        { .name = "reservations",
                        .least = 1,
                        .run = show_reservations,
                        .json = true,
                        .key = "reservationname" },
        { .name = "steps", .least = 2, .run = show_steps },
        { .name = "slurmd", .least = 2, .run = NULL },
        { .name = "topoconf", .least = 5, .run = show_topoconf },
        { .name = "topology", .least = 1, .run = show_topology, .words = true },
};

static const struct entity *show_find_entity(const char *word, size_t n) {
        for (size_t i = 0; i < ELEMENTSOF(entities); i++)
                if (n >= entities[i].least &&
                                (strncasecmp(entities[i].name, word, n) == 0 ||
                                                (entities[i].key && strncasecmp(entities[i].key,
                                                                                    word, n) == 0)))
                        return &entities[i];
        return NULL;
}

bool scontrol_shows_words(const char *entity) {
        const struct entity *e = show_find_entity(entity, strcspn(entity, "="));

        return !e || !e->run || e->here;
}

void scontrol_help_entities(FILE *out) {
        fputs("\n  <ENTITY> may be", out);
        for (size_t i = 0, n = 0, column = 0; i < ELEMENTSOF(entities); i++) {
                if (!entities[i].run)
                        continue;
                if (n++)
                        column += (size_t)fprintf(out, "%s", column > 60 ? ",\n      " : ",");
                column = column > 60 ? 0 : column;
                column += (size_t)fprintf(out, " %s", entities[i].name);
        }
        fputc('\n', out);
}

int scontrol_show(const struct scontrol *s, int argc, char **argv) {
        struct show show = {
                .s = s,
                .view = {
                        .one_liner = s->one_liner,
                        .details = s->details,
                        .time_format = getenv("SLURM_TIME_FORMAT"),
                },
        };
        const struct entity *entity;
        size_t n;

        if (argc < 2)
                return scontrol_complain(s, "too few arguments for keyword:show");

        n = strcspn(argv[1], "=");
        entity = show_find_entity(argv[1], n);
        if (argc > (argv[1][n] ? 2 : 3) && !(entity && entity->words))
                return scontrol_complain(s, "too many arguments for keyword:show");
        show.id = argv[1][n] ? argv[1] + n + 1 : argc > 2 ? argv[2] : NULL;
        show.words = argv + 2;
        show.n_words = argc - 2;
        if (!entity)
                return scontrol_complain(s, "invalid entity:%s for keyword:%s ", argv[1], argv[0]);
        if (!entity->run) {
                command_error("scontrol", "show %s is not implemented by Slumber yet",
                                entity->name);
                return EXIT_FAILURE;
        }
        if (s->json && !entity->json) {
                command_error("scontrol", "show %s is not there as JSON", entity->name);
                return EXIT_FAILURE;
        }
        return entity->run(&show);
}
