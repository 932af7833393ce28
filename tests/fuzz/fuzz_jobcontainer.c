/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_container.conf from memory: a refusal must say why, and what is read has no path that leads
   elsewhere. */
#include "lib/files/job_container.h"

static void check_path(const char *path) {
        if (*path != '/' || strstr(path, "/../"))
                abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_(job_containers_freep) struct job_containers *c = NULL;
        _cleanup_free_ char *text = xmalloc(size + 1);
        struct fail fail = { 0 };

        memcpy(text, data, size);
        text[size] = 0;
        if (job_containers_parse("job_container.conf", text, size, &c, &fail) < 0) {
                if (!fail.text[0])
                        abort();
                return 0;
        }
        struct node_container of = job_containers_of(c, "n1");
        _cleanup_free_ char *base = of.base;
        if (base)
                check_path(base);
        check_path(of.dirs);
        if (of.init_script)
                check_path(of.init_script);
        return 0;
}
