/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/fail.h"

#include <stdarg.h>

int fail_set(struct fail *fail, int r, const char *format, ...) {
        va_list ap;

        if (!fail)
                return r;
        va_start(ap, format);
        vsnprintf(fail->text, sizeof fail->text, format, ap);
        va_end(ap);
        return r;
}

int fail_prefix(struct fail *fail, int r, const char *format, ...) {
        char old[sizeof fail->text];
        va_list ap;
        int n;

        if (!fail)
                return r;
        memcpy(old, fail->text, sizeof old);
        va_start(ap, format);
        n = vsnprintf(fail->text, sizeof fail->text, format, ap);
        va_end(ap);
        if (n >= 0 && (size_t)n < sizeof fail->text)
                snprintf(fail->text + n, sizeof fail->text - (size_t)n, "%s%s",
                                old[0] ? ": " : "", old);
        return r;
}
