/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of --distribution=arbitrary, of a user's file or program: the text of what was read is read
 * as the same tasks. */
#include "lib/tasklist.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_free_ char *said = xstrndup((const char *)data, size);
        struct task_list l = { 0 }, again = { 0 }, few = { .most = 1 + (uint32_t)size % 4 };
        struct fail fail;

        int r = task_list_add(&few, said, &fail);
        uint32_t on_first = 0;
        for (size_t i = 0; i < few.n; i++)
                on_first += few.node[i] == 0;
        if (on_first > few.most)
                abort();
        int any = task_list_add(&l, said, &fail);
        if (r >= 0 && (any < 0 || l.n != few.n))
                abort();
        if (any >= 0) {
                _cleanup_free_ char *text = task_list_text(&l);
                if (task_list_add(&again, text, &fail) < 0 || again.n != l.n || l.n > TASK_LIST_MAX)
                        abort();
                for (size_t i = 0; i < l.n; i++)
                        if (l.node[i] != again.node[i] || l.node[i] >= task_list_nodes(&l))
                                abort();
                task_list_cut(&l, size / 2);
        }
        task_list_done(&l);
        task_list_done(&again);
        task_list_done(&few);
        return 0;
}
