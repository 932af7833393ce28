/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --cpu-freq and CpuFreqGovernors: the text of what was read is read as the same. */
#include "lib/step/cpufreq.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_free_ char *said = xstrndup((const char *)data, size);
        struct cpu_freq f, again;
        struct fail fail;
        unsigned governors;

        if (cpu_freq_parse(said, &f, &fail) >= 0) {
                _cleanup_free_ char *text = cpu_freq_text(&f);
                if (cpu_freq_parse(text, &again, &fail) < 0 || f.min != again.min ||
                                f.max != again.max || f.governor != again.governor)
                        abort();
                if (!f.max && !f.governor)
                        abort();
        }
        if (cpu_governors_parse(said, &governors, &fail) >= 0 && governors >> GOVERNOR_MAX)
                abort();
        return 0;
}
