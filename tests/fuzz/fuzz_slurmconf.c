/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm.conf from memory; a refusal must say why, also where all faults are wanted.  The same bytes as slumberd's --conf line. */
#include "lib/config.h"

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
        int r = config_parse("slurm.conf", text, size, &config, &fail), whole = config_parse("slurm.conf", text, size, &again, &all);
        (void)fail_keep(&all);
        if ((r < 0) != (whole < 0) || (r < 0 && (!fail.text[0] || !faults.n)))
                abort();
        faults_done(&faults);
        config_free(again);
        if (config_parse_node_line(text, &node, NULL, NULL) >= 0)
                config_node_done(&node);
        return 0;
}
