/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugstack.conf from memory; a refusal must say why. */
#include "lib/plugins/plugstack.h"

static int include(struct plugstack *p, const char *pattern, void *user, struct fail *fail) {
        (void)p, (void)user;
        return streq(pattern, "missing") ? fail_set(fail, -ENOENT, "there is none") : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_(plugstack_done) struct plugstack p = { 0 };
        _cleanup_free_ char *text = xmalloc(size + 1);
        struct fail fail = { 0 };

        memcpy(text, data, size);
        text[size] = 0;
        if (plugstack_parse(&p, "plugstack.conf", text, size, "/usr/lib/slumber", include, NULL,
                            &fail) < 0 &&
                        !fail.text[0])
                abort();
        for (size_t i = 0; i < p.n; i++)
                if (*p.list[i].path != '/' || p.list[i].argv[p.list[i].argc] || p.list[i].line == 0)
                        abort();
        return 0;
}
