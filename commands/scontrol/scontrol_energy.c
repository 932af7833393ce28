/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scontrol show energy: energy used and saved by nodes. The controller counts per node; a
 * partition's figure is the sum of its present nodes. A node of two partitions counts in both, but
 * only once in the total. */
#include "commands/json.h"
#include "commands/scontrol/scontrol.h"
#include "lib/timetext.h"

#include <json-c/json.h>
#include <strings.h>

struct sum {
        const char *key, *name;
        size_t nodes;
        double used, saved; /* J */
        double watts;
        double average; /* W, sum over the nodes */
        usec_t since;   /* earliest start of counting; 0: none */
};

static void energy_sum_add_node(struct sum *s, const Node *n) {
        const Slumber__Energy *e = n->energy;

        s->nodes++;
        if (!e || !e->from)
                return;
        s->used += (double)e->used / 1000;
        s->saved += (double)e->saved / 1000;
        s->watts += (double)e->draws / 1000;
        if (e->at > e->from)
                s->average += (double)e->used * 1000 / (double)(e->at - e->from);
        s->since = s->since ? MIN(s->since, e->from) : e->from;
}

/* ---- printing ---- */

#define KWH(joules) ((joules) / 3.6e6)

static void energy_sum_print(const struct sum *s) {
        const char *format = getenv("SLURM_TIME_FORMAT");
        char since[TIMETEXT_MAX];

        printf("%s=%s ", s->key, s->name);
        if (!streq(s->key, "NodeName"))
                printf("Nodes=%zu ", s->nodes);
        printf("EnergyUsed=%.3fkWh EnergySaved=%.3fkWh CurrentWatts=%.0f AveWatts=%.0f Since=%s\n",
                        KWH(s->used), KWH(s->saved), s->watts, s->average,
                        s->since ? time_text(s->since, format, since) : "Never");
}

static struct json_object *energy_sum_object(const struct sum *s) {
        struct json_object *o = json_object_new_object(), *since = json_object_new_object();

        json_object_object_add(o,
                        streq(s->key, "NodeName")        ? "node"
                        : streq(s->key, "PartitionName") ? "partition"
                                                         : "total",
                        json_object_new_string(s->name));
        json_object_object_add(o, "nodes", json_object_new_uint64(s->nodes));
        json_object_object_add(o, "used_joules", json_object_new_double(s->used));
        json_object_object_add(o, "saved_joules", json_object_new_double(s->saved));
        json_object_object_add(o, "current_watts", json_object_new_double(s->watts));
        json_object_object_add(o, "average_watts", json_object_new_double(s->average));
        json_object_object_add(since, "set", json_object_new_boolean(s->since != 0));
        json_object_object_add(since, "infinite", json_object_new_boolean(false));
        json_object_object_add(since, "number", json_object_new_uint64(s->since / USEC_PER_SEC));
        json_object_object_add(o, "since", since);
        return o;
}

static void print_all(const struct sum *sums, size_t n, bool json, usec_t now) {
        struct json_object *list = json ? json_object_new_array() : NULL;

        for (size_t i = 0; i < n; i++)
                if (json)
                        json_object_array_add(list, energy_sum_object(&sums[i]));
                else
                        energy_sum_print(&sums[i]);
        if (json)
                json_print_object("energy", list, now, stdout);
}

/* ---- summing ---- */

static bool node_is_in_partition(const Node *n, const char *partition) {
        for (size_t i = 0; i < n->n_partitions; i++)
                if (streq(n->partitions[i], partition))
                        return true;
        return false;
}

static int energy_query_nodes(struct node_list *nodes, struct partition_list *partitions,
                struct fail *fail) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        Slumber__NodeQuery query = SLUMBER__NODE_QUERY__INIT;
        int r = command_connect(&w, fail);

        if (r >= 0)
                r = query_nodes(w, &query, nodes, NULL, fail);
        return r < 0 ? r : query_partitions(w, NULL, partitions, NULL, fail);
}

int scontrol_show_energy(const struct scontrol *s, const char *what) {
        struct partition_list partitions = { 0 };
        struct node_list nodes = { 0 };
        struct fail fail = { 0 };
        size_t n = 0, length = what ? strlen(what) : 0;
        bool of_nodes = length && strncasecmp(what, "nodes", length) == 0;
        bool of_partitions = !what || (length && strncasecmp(what, "partitions", length) == 0);

        if (!of_nodes && !of_partitions)
                return scontrol_complain(s,
                                "invalid argument for show energy: %s (nodes or partitions)", what);
        if (energy_query_nodes(&nodes, &partitions, &fail) < 0) {
                node_list_done(&nodes);
                return scontrol_complain(s, "slurm_load_node error: %s", fail.text);
        }
        struct sum *sums = xnew0(struct sum, MAX(nodes.n_nodes, partitions.n_partitions) + 1);
        for (size_t i = 0; of_nodes && i < nodes.n_nodes; i++) {
                sums[n] = (struct sum){ .key = "NodeName", .name = nodes.nodes[i]->name };
                energy_sum_add_node(&sums[n++], nodes.nodes[i]);
        }
        for (size_t i = 0; of_partitions && i < partitions.n_partitions; i++) {
                sums[n] = (struct sum){ .key = "PartitionName",
                        .name = partitions.partitions[i]->name };
                for (size_t k = 0; k < nodes.n_nodes; k++)
                        if (node_is_in_partition(nodes.nodes[k], sums[n].name))
                                energy_sum_add_node(&sums[n], nodes.nodes[k]);
                n++;
        }
        sums[n] = (struct sum){ .key = "Total", .name = "ALL" };
        for (size_t k = 0; k < nodes.n_nodes; k++)
                energy_sum_add_node(&sums[n], nodes.nodes[k]);
        print_all(sums, n + 1, s->json, nodes.pages.now);
        free(sums);
        node_list_done(&nodes);
        partition_list_done(&partitions);
        return EXIT_SUCCESS;
}
