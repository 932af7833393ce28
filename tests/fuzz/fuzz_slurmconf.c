/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm.conf from memory; a refusal must say why.  The same bytes as slumberd's --conf line. */
#include "lib/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_(config_freep) struct config *config = NULL;
        _cleanup_free_ char *text = xmalloc(size + 1);
        struct config_node node = { 0 };
        struct fail fail = { "" };

        memcpy(text, data, size);
        text[size] = 0;
        if (config_parse("slurm.conf", text, size, &config, &fail) < 0 && !fail.text[0])
                abort();
        if (config_parse_node_line(text, &node, NULL) >= 0)
                config_node_done(&node);
        return 0;
}
