/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sinfo: options, environment and reports. sinfo_rows.c makes the lines. */
#include "commands/show/sinfo.h"

#include "commands/command.h"
#include "commands/document.h"
#include "commands/json.h"
#include "commands/scontrol/scontrol.h"
#include "lib/hostlist.h"
#include "lib/options.h"
#include "lib/timetext.h"

struct sinfo {
        const char *clusters;
        struct clusters sites; /* of --clusters */
        size_t site;           /* index in sites of the cluster shown */
        const char *format, *format2, *sort, *nodes, *partitions, *states;
        bool heading, all, dead, exact, future, hide, json, is_long, noconvert, per_node, reasons,
                        responding, summary;
        unsigned verbose;
        uint32_t iterate;
        bool reservations;
        struct node_states node_states;
        struct hostlist *node_list;
};
#define FIELD(name) offsetof(struct sinfo, name)

static int sinfo_set_iterate(void *field, const char *value, struct fail *fail) {
        uint64_t seconds;

        if (uint_parse(value, 1, UINT32_MAX, &seconds) < 0)
                return fail_set(fail, -EINVAL, "invalid entry for --iterate=%s", value);
        ((struct sinfo *)field)->iterate = (uint32_t)seconds;
        return 0;
}

static const struct option_row options[] = {
        { "all", 'a', OPTION_FLAG, FIELD(all), NULL, NULL, "hidden partitions too" },
        { "dead", 'd', OPTION_FLAG, FIELD(dead), NULL, NULL, "only nodes that do not respond" },
        { "exact", 'e', OPTION_FLAG, FIELD(exact), NULL, NULL,
                        "one line per different configuration" },
        { "Format", 'O', OPTION_TEXT, FIELD(format2), NULL, "fields",
                        "fields by name: Name[:[.]width[suffix]],..." },
        { "format", 'o', OPTION_TEXT, FIELD(format), NULL, "format",
                        "fields by letter: %[[.]width]letter[suffix]..." },
        { "future", 'F', OPTION_FLAG, FIELD(future), NULL, NULL, "nodes of state FUTURE too" },
        { "hide", 0, OPTION_FLAG, FIELD(hide), NULL, NULL,
                        "leave hidden partitions out (the default)" },
        { "iterate", 'i', OPTION_CALL, 0, sinfo_set_iterate, "seconds", "report again and again" },
        OPTION_ROWS_DOCUMENT(FIELD(json), "the nodes"),
        { "list-reasons", 'R', OPTION_FLAG, FIELD(reasons), NULL, NULL,
                        "why nodes are down, drained or failing" },
        { "long", 'l', OPTION_FLAG, FIELD(is_long), NULL, NULL, "more fields" },
        { "Node", 'N', OPTION_FLAG, FIELD(per_node), NULL, NULL,
                        "one line per node and partition" },
        { "noconvert", 0, OPTION_FLAG, FIELD(noconvert), NULL, NULL,
                        "memory in MB (it always is)" },
        { "nodes", 'n', OPTION_TEXT, FIELD(nodes), NULL, "hosts", "only these nodes" },
        { "noheader", 'h', OPTION_UNFLAG, FIELD(heading), NULL, NULL, "no heading" },
        { "partition", 'p', OPTION_TEXT, FIELD(partitions), NULL, "partitions",
                        "only these partitions" },
        { "responding", 'r', OPTION_FLAG, FIELD(responding), NULL, NULL,
                        "only nodes that respond" },
        { "sort", 'S', OPTION_TEXT, FIELD(sort), NULL, "fields",
                        "order: letters, each with + or -; #P as configured" },
        { "states", 't', OPTION_TEXT, FIELD(states), NULL, "states",
                        "only these states; a&b, a+b: in both, ~a: not in it" },
        { "state", 0, OPTION_TEXT, FIELD(states), NULL, "states", NULL },
        { "summarize", 's', OPTION_FLAG, FIELD(summary), NULL, NULL, "one line per partition" },
        { "verbose", 'v', OPTION_COUNT, FIELD(verbose), NULL, NULL, "more words" },
        OPTION_ROWS_ALL_CLUSTERS(FIELD(clusters)),
        { "federation", 0, OPTION_IGNORED, 0, NULL, NULL, NULL },
        { "local", 0, OPTION_IGNORED, 0, NULL, NULL, NULL },
        { "reservation", 'T', OPTION_FLAG, FIELD(reservations), NULL, NULL, "the reservations" },
        OPTION_ROWS_HELP(0),
};

static const char *seen[ELEMENTSOF(options)];

static const struct option_table table = {
        .program = "sinfo",
        .rows = options,
        .n_rows = ELEMENTSOF(options),
        .seen = seen,
};

static int sinfo_check_conflicts(const struct sinfo *s) {
        if (s->format && s->format2) {
                command_error("sinfo", "-O (--Format) is incompatible with -o (--format)");
                return -EINVAL;
        }
        if ((s->format || s->format2) && s->is_long) {
                fprintf(stderr, "sinfo: fatal: Options -o(--format) and -l(--long) are mutually "
                                "exclusive. "
                                "Please remove one and retry.\n");
                return -EINVAL;
        }
        if (s->all && s->partitions) {
                command_error("sinfo", "Conflicting options, -a and -p, specified. Please choose "
                                       "one or the other.");
                return -EINVAL;
        }
        return 0;
}

static int sinfo_parse_states(struct sinfo *s) {
        _cleanup_free_ char *bad = NULL;

        if (node_states_parse(&s->node_states, s->states, &bad) >= 0)
                return 0;
        command_error("sinfo", "Bad state string: \"%s\"", bad);
        fprintf(stderr, "sinfo: error: valid states: ");
        node_states_say(stderr);
        fputc('\n', stderr);
        return -EINVAL;
}

static int sinfo_complete_options(struct sinfo *s, bool all_by_environment) {
        struct fail fail;

        if (sinfo_check_conflicts(s) < 0)
                return -EINVAL;
        s->all = s->all || all_by_environment;
        if (s->states && strcasecmp(s->states, "all") == 0)
                s->states = NULL;
        if (s->states && sinfo_parse_states(s) < 0)
                return -EINVAL;
        if (!s->nodes)
                return 0;
        if (hostlist_parse(s->nodes, &s->node_list, &fail) >= 0)
                return 0;
        command_error("sinfo", "%s", fail.text);
        return -EINVAL;
}

/* ---- format ---- */

static int longest_partition(const struct partition_list *list) {
        size_t longest = 9;

        for (size_t i = 0; i < list->n_partitions; i++)
                longest = MAX(longest, strlen(list->partitions[i]->name) +
                                                       list->partitions[i]->is_default);
        return (int)MIN(longest, (size_t)FIELD_WIDTH_MAX);
}

static int longest_node(const struct node_list *list) {
        size_t longest = 9;

        for (size_t i = 0; i < list->n_nodes; i++)
                longest = MAX(longest, strlen(list->nodes[i]->name));
        return (int)MIN(longest, (size_t)FIELD_WIDTH_MAX);
}

static const char *default_format(const struct sinfo *s, int p, int n, struct scratch *text) {
        if (s->summary)
                return scratch_printf(text, "%%%dP %%.5a %%.10l %%.16F %%N", p);
        if (s->reasons)
                return s->is_long ? "%20E %12U %19H %6t %N" : "%20E %9u %19H %N";
        if (s->per_node && s->is_long)
                return scratch_printf(text,
                                "%%%dN %%.6D %%.%dP %%.11T %%4c %%.8z %%.6m %%.8d %%.6w %%.8f "
                                "%%20E",
                                n, p);
        if (s->per_node)
                return scratch_printf(text, "%%%dN %%.6D %%.%dP %%6t", n, p);
        if (s->is_long)
                return scratch_printf(text,
                                "%%%dP %%.5a %%.10l %%.10s %%.4r %%.8h %%.10g %%.6D %%.11T %%.11i "
                                "%%N",
                                p);
        return scratch_printf(text, "%%%dP %%.5a %%.10l %%.6D %%.6t %%N", p);
}

static bool format_is_given(const struct sinfo *s) {
        return s->format || s->format2;
}

static void sinfo_parse_format(const struct sinfo *s, struct format *format) {
        if (s->format2)
                format_parse_names(format, s->format2, sinfo_fields());
        else if (s->format)
                format_parse_letters(format, s->format, sinfo_fields());
}

static void sinfo_choose_format(const struct sinfo *s, const struct node_list *nodes,
                const struct partition_list *parts, struct format *format) {
        struct scratch text = { 0 };

        if (!format_is_given(s))
                format_parse_letters(format,
                                default_format(s, longest_partition(parts), longest_node(nodes),
                                                &text),
                                sinfo_fields());
        scratch_done(&text);
}

/* Returns true if nodes with equal records may share a record: no option or field tells single
   nodes apart. The default formats do not. */
static bool groups_only(const struct sinfo *s, const struct format *given) {
        for (size_t i = 0; i < given->n_columns; i++)
                if (given->columns[i].field && sinfo_field_of_one_node(given->columns[i].field))
                        return false;
        return !s->per_node && !s->json && !s->node_list && !s->sort;
}

/* ---- one report ---- */

static int sinfo_print_report(const struct sinfo *s, struct format *format,
                const struct node_list *nodes, const struct partition_list *parts) {
        struct sinfo_view view = {
                .time_format = getenv("SLURM_TIME_FORMAT"),
                .per_node = s->per_node,
                .exact = s->exact,
        };
        struct sinfo_filter filter = {
                .partitions = s->partitions,
                .nodes = s->node_list,
                .states = s->states ? &s->node_states : NULL,
                .hidden = s->all || parts->sees_hidden,
                .dead = s->dead,
                .responding = s->responding,
                .reasons = s->reasons,
        };
        struct sort sort = { 0 };
        struct sinfo_row **rows;
        size_t n;

        sinfo_choose_format(s, nodes, parts, format);
        int r = sort_parse(&sort, s->sort ? s->sort : s->per_node ? "N" : "#P,-t", sinfo_fields());
        rows = sinfo_group(nodes->nodes, nodes->n_nodes, parts->partitions, parts->n_partitions,
                        format, &filter, &view, &n);
        if (r >= 0 && s->verbose)
                sinfo_say(&table, format,
                                s->partitions || s->nodes || s->states || s->dead ||
                                                s->responding || s->reasons,
                                filter.hidden, stdout);
        if (r >= 0 && s->heading && (s->is_long || s->iterate || s->verbose) && s->site == 0)
                command_print_date();
        if (r >= 0 && s->heading)
                command_cluster_heading(&s->sites, s->site);
        if (r >= 0)
                sinfo_print(format, &sort, rows, n, s->heading, &view, stdout);
        sinfo_rows_free(rows, n);
        return r;
}

static int sinfo_report_nodes(const struct sinfo *s) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        Slumber__NodeQuery query = SLUMBER__NODE_QUERY__INIT;
        struct partition_list parts = { 0 };
        struct node_list nodes = { 0 };
        struct format format = { 0 };
        struct fail fail = { 0 };
        int r;

        if (!s->json)
                sinfo_parse_format(s, &format);
        query.with_future = s->future;
        query.alike = groups_only(s, &format);
        r = command_connect(&w, &fail);
        if (r >= 0)
                r = query_partitions(w, NULL, &parts, NULL, &fail);
        if (r >= 0)
                r = query_nodes(w, &query, &nodes, NULL, &fail);
        if (r < 0)
                fprintf(stderr, "slurm_load_partitions: %s\n", fail.text);
        else if (s->json)
                json_print_nodes((const Node *const *)nodes.nodes, nodes.n_nodes, nodes.pages.now,
                                stdout);
        else
                r = sinfo_print_report(s, &format, &nodes, &parts);
        format_done(&format);
        node_list_done(&nodes);
        partition_list_done(&parts);
        return r;
}

static int list_reservations(const struct sinfo *s) {
        if (s->heading)
                command_cluster_heading(&s->sites, s->site);
        return scontrol_list_reservations(s->heading);
}

static int sinfo_report_cluster(void *user, size_t at) {
        struct sinfo s = *(const struct sinfo *)user;

        s.site = at;
        int r = s.reservations ? list_reservations(&s) : sinfo_report_nodes(&s);
        return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Reports all clusters; a cluster without an answer is reported on stderr and does not end -i. */
static int sinfo_report_all(const void *user) {
        struct sinfo s = *(const struct sinfo *)user;
        int code = command_at_once(&s.sites, sinfo_report_cluster, &s);

        return code == EXIT_SUCCESS || (s.sites.n > 1 && s.iterate) ? 0 : -EIO;
}

int sinfo_main(int argc, char **argv) {
        struct sinfo s = {
                .heading = true,
                .partitions = command_env_set("SINFO_PARTITION") ? getenv("SINFO_PARTITION") : NULL,
                .sort = command_env_set("SINFO_SORT") ? getenv("SINFO_SORT") : NULL,
        };
        int first, r;

        r = options_parse(&table, argc, argv, &s, &first);
        if (r != 0)
                return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
        if (first < argc) {
                command_error("sinfo", "Unrecognized option: %s", argv[first]);
                return EXIT_FAILURE;
        }
        r = sinfo_complete_options(&s, command_env_set("SINFO_ALL"));
        if (!s.format && !s.format2 && !s.is_long && !s.reasons && !s.summary &&
                        command_env_set("SINFO_FORMAT"))
                s.format = getenv("SINFO_FORMAT");
        if (r >= 0)
                r = command_clusters_to_show("sinfo", s.clusters, &s.sites);
        if (r >= 0 && s.json && s.sites.n > 1) {
                command_error("sinfo", "--json shows one cluster at a time");
                r = -EINVAL;
        }
        if (r >= 0)
                r = command_repeat(s.reservations ? 0 : s.iterate, sinfo_report_all, &s);
        command_clusters_done(&s.sites);
        node_states_done(&s.node_states);
        hostlist_free(s.node_list);
        return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
