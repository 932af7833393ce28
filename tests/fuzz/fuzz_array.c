/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sbatch --array: what is understood, written as the store has it, is understood as the same. */
#include "controller/indexes/array.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_free_ char *text = xstrndup((const char *)data, size);
        _cleanup_(bitset_freep) struct bitset *tasks = NULL, *again = NULL;
        struct fail fail = { 0 };
        uint32_t limit;

        if (array_tasks_parse(text, ARRAY_SIZE_MAX, &tasks, &limit, &fail) < 0) {
                assert(!tasks && *fail.text);
                return 0;
        }
        assert(!bitset_empty(tasks) && tasks->bits <= ARRAY_SIZE_MAX);
        _cleanup_free_ char *stored = bitset_text(tasks);
        assert(array_tasks_parse(stored, ARRAY_SIZE_MAX, &again, &limit, &fail) >= 0);
        assert(bitset_equal(tasks, again));
        return 0;
}
