/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/subset.h"

#define NUMBERS_MAX 1024 /* field numbers from here on are never left out */

struct subset {
        ProtobufCMessageDescriptor kind; /* descriptor to set in messages to pack */
        ProtobufCFieldDescriptor *fields;
};

struct subset *subset_new(const ProtobufCMessageDescriptor *of, const uint32_t *numbers, size_t n) {
        struct subset *s = xnew0(struct subset, 1);
        bool wanted[NUMBERS_MAX] = { false };

        s->kind = *of;
        if (n == 0)
                return s;
        for (size_t i = 0; i < n; i++)
                if (numbers[i] < NUMBERS_MAX)
                        wanted[numbers[i]] = true;
        s->fields = xnew(ProtobufCFieldDescriptor, of->n_fields);
        s->kind.fields = s->fields;
        s->kind.n_fields = 0;
        for (unsigned i = 0; i < of->n_fields; i++)
                if (of->fields[i].id >= NUMBERS_MAX || wanted[of->fields[i].id])
                        s->fields[s->kind.n_fields++] = of->fields[i];
        return s;
}

struct subset *subset_free(struct subset *s) {
        if (s)
                free(s->fields);
        free(s);
        return NULL;
}

const ProtobufCMessageDescriptor *subset_kind(const struct subset *s) {
        return &s->kind;
}
