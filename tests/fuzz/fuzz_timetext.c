/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every parser of times and amounts; what duration_parse() accepts is printed and read back. */
#include "lib/timetext.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        static const usec_t now = 1773500400 * USEC_PER_SEC;
        _cleanup_free_ char *text = xstrndup((const char *)data, size);
        char buf[TIMETEXT_MAX];
        uint64_t mb, again;
        struct fail fail;
        usec_t t, u;

        if (duration_parse(text, &t, &fail) >= 0 &&
                        (duration_parse(duration_text(t, buf), &u, &fail) < 0 || t != u))
                abort();
        if (memory_parse(text, &mb, &fail) >= 0 &&
                        (memory_parse(memory_text(mb, buf), &again, &fail) < 0 || mb != again))
                abort();
        if (time_parse(text, now, &t, &fail) >= 0)
                time_text(t, NULL, buf);
        if (seconds_parse(text, &t, &fail) >= 0)
                duration_short(t, buf);
        again = 7;
        if (sampling_parse(text, 86400, &again) < 0 ? again != 7 : again > 86400)
                abort();
        return 0;
}
