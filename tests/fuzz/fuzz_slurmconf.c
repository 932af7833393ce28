/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm.conf from memory; a refusal must say why, also where all faults are wanted. The same bytes
   as slumberd's --conf line. */
#include "lib/config/config.h"

/* What is taken gives a line that is taken again. */
static void try_dynamic(const char *text) {
        for (int from = 0; from < NODE_FROM_MAX; from++) {
                struct config_node *nodes = NULL;
                size_t n = 0;

                (void)config_dynamic_parse(NULL, (enum config_node_from)from, text, &nodes, &n,
                                NULL);
                for (size_t i = 0; i < n; i++) {
                        struct config_node *again = NULL;
                        size_t n_again = 0;
                        nodes[i].port = nodes[i].port ? nodes[i].port : 1;
                        _cleanup_free_ char *line = nodes[i].name && i < 4
                                                                    ? config_node_line(&nodes[i])
                                                                    : NULL;
                        if (line && strlen(line) <= CONFIG_NODE_LINE_MAX &&
                                        config_dynamic_parse(NULL, NODE_FROM_STORE, line, &again,
                                                        &n_again, NULL) < 0)
                                abort();
                        for (size_t k = 0; k < n_again; k++)
                                config_node_done(&again[k]);
                        free(again);
                        config_node_done(&nodes[i]);
                }
                free(nodes);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_(config_freep) struct config *config = NULL;
        _cleanup_free_ char *text = xmalloc(size + 1);
        struct config_node node = { 0 };
        struct fail fail = { 0 };

        memcpy(text, data, size);
        text[size] = 0;
        struct faults faults = { 0 };
        struct fail all = { .all = &faults };
        struct config *again = NULL;
        int r = config_parse("slurm.conf", text, size, &config, &fail),
            whole = config_parse("slurm.conf", text, size, &again, &all);
        (void)fail_keep(&all);
        if ((r < 0) != (whole < 0) || (r < 0 && (!fail.text[0] || !faults.n)))
                abort();
        faults_done(&faults);
        config_free(again);
        try_dynamic(text);
        if (config_parse_node_line(text, &node, NULL, NULL) >= 0)
                config_node_done(&node);
        return 0;
}
