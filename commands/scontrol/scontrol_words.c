/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scontrol's small verbs: the text of an error number, settings of the controller until the next
 * restart, and verbs for features that Slumber lacks: a log of the scheduler,
 * tokens. */
#include "commands/scontrol/scontrol.h"

#include "commands/query.h"
#include "lib/errors.h"
#include "lib/hostlist.h"
#include "lib/timetext.h"

#include <strings.h>

/* ---- errnumstr ---- */

static const char *error_number_text(uint64_t number) {
        int e = slumber_error_of(number);

        return e < 0 ? strerror((int)number) /* "Unknown error 99999" */
                     : slumber_error_text(e);
}

int scontrol_errnumstr(const struct scontrol *s, int argc, char **argv) {
        uint64_t number;

        if (argc != 2)
                return scontrol_complain(s, "%s for keyword:%s",
                                argc < 2 ? "one arguments required" : "too many arguments",
                                argv[0]);
        if (uint_parse(argv[1], 0, INT32_MAX, &number) < 0)
                return scontrol_complain(s, "numeric arguments required for keyword:%s", argv[0]);
        puts(error_number_text(number));
        return EXIT_SUCCESS;
}

/* ---- getaddrs ---- */

static bool node_is_named(const struct hostlist *names, const Node *n) {
        return hostlist_has(names, n->name);
}

int scontrol_getaddrs(const struct scontrol *s, int argc, char **argv) {
        _cleanup_(hostlist_freep) struct hostlist *names = NULL;
        _cleanup_(wire_freep) struct wire *w = NULL;
        Slumber__NodeQuery query = SLUMBER__NODE_QUERY__INIT;
        struct node_list list = { 0 };
        struct fail fail = { 0 };
        size_t found = 0;

        if (argc != 2)
                return scontrol_complain(s, "too %s arguments for keyword:%s",
                                argc < 2 ? "few" : "many", argv[0]);
        query.nodes = argv[1];
        int r = hostlist_parse(argv[1], &names, &fail);
        if (r >= 0)
                r = command_connect(&w, &fail);
        if (r >= 0)
                r = query_nodes(w, &query, &list, NULL, &fail);
        for (size_t i = 0; r >= 0 && i < list.n_nodes; i++)
                if (node_is_named(names, list.nodes[i])) {
                        printf("%s: %s:%u\n", list.nodes[i]->name, list.nodes[i]->address,
                                        list.nodes[i]->port);
                        found++;
                }
        node_list_done(&list);
        if (r < 0)
                return scontrol_complain(s, "slurm_get_node_addrs error: %s", fail.text);
        return found == hostlist_count(names)
                               ? EXIT_SUCCESS
                               : scontrol_complain(s, "slurm_get_node_addrs error: %s",
                                                 slumber_error_text(SLUMBER_BAD_NODE_NAME));
}

/* ---- settings of the controller ---- */

int scontrol_fsdampeningfactor(const struct scontrol *s, int argc, char **argv) {
        Slumber__DebugRequest request = SLUMBER__DEBUG_REQUEST__INIT;
        uint64_t factor;

        if (argc != 2)
                return scontrol_complain(s, "too %s arguments for keyword:%s",
                                argc < 2 ? "few" : "many", argv[0]);
        if (uint_parse(argv[1], 1, UINT16_MAX, &factor) < 0)
                return scontrol_complain(s, "invalid dampening factor: %s", argv[1]);
        request.dampening_factor = (uint32_t)factor;
        ENVELOPE(envelope, DEBUG, debug, &request);
        return scontrol_ask(s, &envelope, "slurm_set_fs_dampeningfactor");
}

/* Refuses like Slurm without SlurmSchedLogFile. */
int scontrol_schedloglevel(const struct scontrol *s, int argc, char **argv) {
        static const char *const levels[] = { "0", "1", "disable", "enable" };
        bool known = false;

        if (argc != 2)
                return scontrol_complain(s, "too %s arguments for keyword:%s",
                                argc < 2 ? "few" : "many", argv[0]);
        for (size_t i = 0; i < ELEMENTSOF(levels); i++)
                known |= strcasecmp(argv[1], levels[i]) == 0;
        if (!known)
                return scontrol_complain(s, "invalid schedlog level: %s", argv[1]);
        return scontrol_refuse("slurm_set_schedlog_level error: %s",
                        slumber_error_text(SLUMBER_DISABLED));
}

int scontrol_abort(const struct scontrol *s, int argc, char **argv) {
        Slumber__ShutdownRequest request = SLUMBER__SHUTDOWN_REQUEST__INIT;

        if (argc > 2)
                return scontrol_complain(s, "too many arguments for keyword:%s", argv[0]);
        request.abort = true;
        ENVELOPE(envelope, SHUTDOWN, shutdown, &request);
        return scontrol_ask(s, &envelope, "slurm_shutdown");
}

/* ---- missing features ---- */

int scontrol_token(const struct scontrol *s, int argc, char **argv) {
        return scontrol_refuse(
                        "Error fetching token: Slumber has no auth/jwt; its users are known by their sockets");
}

/* Sets the clusters for later lines of the prompt; no name: the own cluster. */
int scontrol_cluster(const struct scontrol *s, int argc, char **argv) {
        struct clusters chosen;

        if (argc > 2)
                return scontrol_complain(s, "too many arguments for keyword:%s", argv[0]);
        if (command_clusters("scontrol", argc > 1 ? argv[1] : "", &chosen) < 0)
                return EXIT_FAILURE;
        command_clusters_done(s->sites);
        *s->sites = chosen;
        return EXIT_SUCCESS;
}
