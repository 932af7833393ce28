/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/subset.h"

#define NUMBERS_MAX 1024 /* of fields that may be left out */

void subset_init(struct subset *s, const ProtobufCMessageDescriptor *of, const uint32_t *numbers,
                size_t n) {
        bool wanted[NUMBERS_MAX] = { false };

        *s = (struct subset){ .kind = *of };
        if (n == 0)
                return;
        for (size_t i = 0; i < n; i++)
                if (numbers[i] < NUMBERS_MAX)
                        wanted[numbers[i]] = true;
        s->fields = xnew(ProtobufCFieldDescriptor, of->n_fields);
        s->kind.fields = s->fields;
        s->kind.n_fields = 0;
        for (unsigned i = 0; i < of->n_fields; i++)
                if (of->fields[i].id >= NUMBERS_MAX || wanted[of->fields[i].id])
                        s->fields[s->kind.n_fields++] = of->fields[i];
}

void subset_done(struct subset *s) {
        free(TAKE(s->fields));
}
