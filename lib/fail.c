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

        if (!fail || (fail->all && !fail->text[0]))
                return r;
        va_start(ap, format);
        vsnprintf(before, sizeof before, format, ap);
        va_end(ap);
        snprintf(both, sizeof both, "%s%s%s", before, fail->text[0] ? ": " : "", fail->text);
        printable_copy(fail->text, sizeof fail->text, both);
        return r;
}

bool fail_keep(struct fail *fail) {
        struct faults *all = fail ? fail->all : NULL;

        if (!all)
                return false;
        for (size_t i = 0; i < all->n; i++)
                if (streq(all->lines[i], fail->text))
                        fail->text[0] = 0;
        if (fail->text[0] && all->n == FAULTS_MAX)
                all->more++;
        else if (fail->text[0]) {
                GROW(all->lines, all->allocated, all->n);
                all->lines[all->n++] = xstrdup(fail->text);
        }
        fail->text[0] = 0;
        return true;
}

char *faults_text(const struct faults *faults) {
        char *text = xstrdup(faults->n ? faults->lines[0] : "");

        for (size_t i = 1; i < faults->n; i++) {
                _cleanup_free_ char *before = text;
                text = xasprintf("%s\n%s", before, faults->lines[i]);
        }
        if (faults->more) {
                _cleanup_free_ char *before = text;
                text = xasprintf("%s\nand %zu more", before, faults->more);
        }
        return text;
}

void faults_done(struct faults *faults) {
        texts_free(faults->lines, faults->n);
        *faults = (struct faults){ 0 };
}
