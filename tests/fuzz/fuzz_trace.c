/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first byte chooses the reader. What is read is in order, and each job comes after those that
   it waits for. */
#include "sim/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_(trace_freep) struct trace *t = NULL;
        struct fail fail;

        if (size == 0)
                return 0;
        _cleanup_free_ char *text = xstrndup((const char *)data + 1, size - 1);
        memcpy(text, data + 1, strlen(text));
        int r = (*data & 1 ? swf_read : csv_read)("fuzz", text, strlen(text), &t, &fail);
        if (r < 0)
                return 0;
        for (size_t i = 0; i < t->n; i++) {
                const struct trace_job *j = &t->jobs[i];
                if ((i > 0 && j->submit < t->jobs[i - 1].submit) ||
                                (j->after != UINT32_MAX && j->after >= i) || !j->name ||
                                j->run > TRACE_TIME_MAX || j->het > HET_MAX ||
                                (j->het && (i + j->het > t->n ||
                                                           j->submit != j[j->het - 1].submit)))
                        abort();
        }
        return 0;
}
