/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/files/ydoc.h - a small file in YAML of a fixed form: resources.yaml, topology.yaml
 *
 * The file is read as one document of libyaml's, a megabyte at most, and walked from the top by
 * tables of keys.  Messages are "FILE line N column M: ...". */
#pragma once

#include "lib/fail.h"

#include <yaml.h>

struct ydoc {
        const char *file; /* as it stands in messages; borrowed */
        unsigned levels;  /* lists and mappings inside one another, at most */
        struct fail *fail;
        void *user;           /* of the functions that read */
        yaml_document_t *doc; /* set by ydoc_read() */
};

/* A function that reads one node of the document into *to: negative with fail. */
typedef int (*ydoc_read_t)(struct ydoc *y, const yaml_node_t *n, void *to);

/* Reads text, and calls root with its top node, unless the file is empty.  -EFBIG: it is larger
   than a megabyte; -EINVAL: no YAML, nested too deep, an alias inside what it stands for, or more
   than one document. */
int ydoc_read(struct ydoc *y, const char *text, size_t size, ydoc_read_t root, void *to);

/* -EINVAL, with the place of that node before the sentence. */
int ydoc_wrong(struct ydoc *y, const yaml_node_t *at, const char *format, ...) _printf_(3, 4);
const yaml_node_t *ydoc_node(const struct ydoc *y, int index);
const char *ydoc_scalar(const yaml_node_t *n); /* of a node that is a scalar */
/* A scalar that is not empty; *ret is the document's.  what: "a count". */
int ydoc_text(struct ydoc *y, const yaml_node_t *n, const char *what, const char **ret);
/* The same of letters, digits, "_", "-" and ".", up to 64 of them; the caller frees *ret. */
int ydoc_name(struct ydoc *y, const yaml_node_t *n, const char *what, char **ret);

struct ydoc_field { /* a key of a mapping */
        const char *key;
        bool needed;
        ydoc_read_t read; /* gets the value, and the mapping's *to */
};

/* Each key at most once, those that are needed are there; 64 fields at most. */
int ydoc_map(struct ydoc *y, const yaml_node_t *n, const char *what,
                const struct ydoc_field *fields, size_t n_fields, void *to);
/* Calls read with each item. */
int ydoc_list(struct ydoc *y, const yaml_node_t *n, const char *what, size_t most, ydoc_read_t read,
                void *to);
/* Of a mapping that has keys, the first one is key. */
int ydoc_begins(struct ydoc *y, const yaml_node_t *n, const char *key);
