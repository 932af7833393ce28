/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config.json of an OCI bundle from memory, and the same bytes as a container's state and as
   oci.conf; a refusal must say why. */
#include "agent/oci/bundle.h"
#include "lib/files/oci.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        char *const words[] = { (char *)"A=1", NULL };
        const struct bundle_wish wish = { .folder = "/b",
                .arguments = words,
                .environment = words,
                .script = "/s",
                .script_there = "/t",
                .disable_hooks = "prestart",
                .uid = 1 };
        _cleanup_free_ char *text = xmalloc(size + 1), *made = NULL, *root = NULL;
        _cleanup_(oci_config_freep) struct oci_config *c = NULL;
        struct fail fail = { 0 };

        memcpy(text, data, size);
        text[size] = 0;
        if (bundle_config(text, size, &wish, &made, &root, &fail) < 0 ? !fail.text[0] : !made)
                abort();
        pid_t pid = 0;
        fail.text[0] = 0;
        if (container_state_pid(text, size, &pid, &fail) < 0 ? !fail.text[0] : pid <= 1)
                abort();
        fail.text[0] = 0;
        if (oci_config_parse("oci.conf", text, size, &c, &fail) < 0 && !fail.text[0])
                abort();
        return 0;
}
