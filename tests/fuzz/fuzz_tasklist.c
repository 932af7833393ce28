/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of --distribution=arbitrary, of a user's file or program: the text of what was read is read
 * as the same tasks. */
#include "lib/step/tasklist.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_free_ char *said = xstrndup((const char *)data, size);
        uint32_t most = 1 + (uint32_t)size % 4;
        struct task_list *l = task_list_new(0), *again = task_list_new(0),
                         *few = task_list_new(most);
        struct fail fail;

        int r = task_list_add(few, said, &fail);
        uint32_t on_first = 0;
        for (size_t i = 0; i < task_list_tasks(few); i++)
                on_first += task_list_node(few, i) == 0;
        if (on_first > most)
                abort();
        int any = task_list_add(l, said, &fail);
        if (r >= 0 && (any < 0 || task_list_tasks(l) != task_list_tasks(few)))
                abort();
        if (any >= 0) {
                _cleanup_free_ char *text = task_list_text(l);
                size_t n = task_list_tasks(l);
                if (task_list_add(again, text, &fail) < 0 || task_list_tasks(again) != n ||
                                n > TASK_LIST_MAX)
                        abort();
                for (size_t i = 0; i < n; i++)
                        if (task_list_node(l, i) != task_list_node(again, i) ||
                                        task_list_node(l, i) >= hostlist_count(task_list_nodes(l)))
                                abort();
                task_list_cut(l, size / 2);
        }
        task_list_free(l);
        task_list_free(again);
        task_list_free(few);
        return 0;
}
