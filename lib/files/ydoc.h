/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/files/ydoc.h - reads a small YAML file of fixed form: resources.yaml, topology.yaml
 *
 * libyaml reads the file, at most a megabyte, as one document; tables of keys walk it from the top.
 * Messages are "FILE line N column M: ...". */
#pragma once

#include "lib/fail.h"

#include <yaml.h>

struct ydoc {
        const char *file; /* name for messages; borrowed */
        unsigned levels;  /* maximum nesting of lists and mappings */
        struct fail *fail;
        void *user;           /* for the reading functions */
        yaml_document_t *doc; /* set by ydoc_read() */
};

/* Reads one node of the document into *to. Returns a negative errno with fail. */
typedef int (*ydoc_read_t)(struct ydoc *y, const yaml_node_t *n, void *to);

/* Parses text and calls root with the top node, unless the file is empty. -EFBIG: larger than a
   megabyte; -EINVAL: not YAML, nested too deep, an alias inside its anchor, or more than one
   document. */
int ydoc_read(struct ydoc *y, const char *text, size_t size, ydoc_read_t root, void *to);

/* Sets fail to the place of node at and the sentence; returns -EINVAL. */
int ydoc_wrong(struct ydoc *y, const yaml_node_t *at, const char *format, ...) _printf_(3, 4);
const yaml_node_t *ydoc_node(const struct ydoc *y, int index);
const char *ydoc_scalar(const yaml_node_t *n); /* n must be a scalar */
/* Reads a scalar that is not empty; *ret is borrowed from the document. what: "a count". */
int ydoc_text(struct ydoc *y, const yaml_node_t *n, const char *what, const char **ret);
/* ydoc_text() limited to 64 letters, digits, "_", "-" and "."; the caller frees *ret. */
int ydoc_name(struct ydoc *y, const yaml_node_t *n, const char *what, char **ret);

struct ydoc_field { /* a key of a mapping */
        const char *key;
        bool needed;
        ydoc_read_t read; /* called with the value and the mapping's *to */
};

/* Reads a mapping: each key at most once, needed keys present; at most 64 fields. */
int ydoc_map(struct ydoc *y, const yaml_node_t *n, const char *what,
                const struct ydoc_field *fields, size_t n_fields, void *to);
/* Calls read with each item of a list. */
int ydoc_list(struct ydoc *y, const yaml_node_t *n, const char *what, size_t most, ydoc_read_t read,
                void *to);
/* Checks that a non-empty mapping begins with key. */
int ydoc_begins(struct ydoc *y, const yaml_node_t *n, const char *key);
