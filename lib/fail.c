/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/fail.h"

#include "lib/printable.h"

int fail_set(struct fail *fail, int r, const char *format, ...) {
        char text[sizeof fail->text];
        va_list ap;

        if (!fail)
                return r;
        va_start(ap, format);
        vsnprintf(text, sizeof text, format, ap);
        va_end(ap);
        printable_copy(fail->text, sizeof fail->text, text);
        return r;
}

int fail_prefix(struct fail *fail, int r, const char *format, ...) {
        char before[sizeof fail->text], both[2 * sizeof fail->text + 2];
        va_list ap;

        if (!fail)
                return r;
        va_start(ap, format);
        vsnprintf(before, sizeof before, format, ap);
        va_end(ap);
        snprintf(both, sizeof both, "%s%s%s", before, fail->text[0] ? ": " : "", fail->text);
        printable_copy(fail->text, sizeof fail->text, both);
        return r;
}
