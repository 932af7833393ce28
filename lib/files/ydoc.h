/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/files/ydoc.h - reads a YAML file of fixed form: slumber.yaml, power.yaml, resources.yaml,
 * topology.yaml
 *
 * libyaml reads the file as one document, which tables of keys walk from the top. Messages are
 * "FILE line N column M: ...". Reading continues after a fault if all faults are wanted
 * (fail_keep()). */
#pragma once

#include "lib/arena.h"
#include "lib/fail.h"

struct ynode {
        enum ynode_type { YNODE_TEXT, YNODE_LIST, YNODE_MAP } type;
        uint32_t line, column; /* from 1 */
        uint32_t n; /* bytes of the text, items of the list, keys and values of the map */
        union {
                const char *text;           /* followed by a zero byte */
                const struct ynode **items; /* of a map: key, value, key, value... */
        };
};

struct ydoc_text {             /* a text that is checked after the walk */
        char *text;            /* owned; NULL: unset */
        uint32_t line, column; /* 0: not from a file */
};

enum {                       /* bits: parts of YAML that a file must not have */
        YDOC_NO_ANCHORS = 1, /* nor aliases */
        YDOC_NO_TAGS = 2,
};

struct ydoc {
        const char *file; /* name for messages, borrowed; NULL: messages have no place */
        size_t most;      /* maximum size, bytes */
        unsigned levels;  /* maximum nesting of lists and maps */
        unsigned refused; /* YDOC_NO_... */
        struct fail *fail;
        void *user;                     /* for the reading functions */
        const char *within;             /* words before each message; NULL: none */
        const struct ydoc_field *field; /* key of the value being read; NULL: none */
        unsigned n_faults;              /* faults after which reading continued */
        struct arena nodes;             /* filled and freed by ydoc_read() */
};

/* Reads the value n of y->field into *to, the struct of the map. Returns a negative errno with
   fail. */
typedef int (*ydoc_read_t)(struct ydoc *y, const struct ynode *n, void *to);

struct ydoc_form;

struct ydoc_field { /* a key of a map */
        const char *key;
        ydoc_read_t read;     /* type of the value: a function below, or of the file's own code */
        size_t offset;        /* of the value's place in *to */
        const char *expected; /* for messages: "an absolute path" */
        bool needed;
        const char *words;            /* ydoc_choice: words, joined by | */
        uint64_t min, max;            /* range: of ydoc_number, of the count of ydoc_items */
        ydoc_read_t item;             /* ydoc_items: reads one item into *to */
        bool single;                  /* ydoc_items: a text is a list of itself */
        const struct ydoc_form *form; /* ydoc_form: keys of the value */
};
struct ydoc_form {        /* a map */
        const char *what; /* "a layer" */
        const struct ydoc_field *fields;
        size_t n_fields; /* at most 64 */
};

/* ---- types of values ---- */

int ydoc_path(struct ydoc *y, const struct ynode *n, void *to);   /* char *, absolute */
int ydoc_name(struct ydoc *y, const struct ynode *n, void *to);   /* char *, ydoc_name_read() */
int ydoc_choice(struct ydoc *y, const struct ynode *n, void *to); /* char *, one of words */
int ydoc_truth(struct ydoc *y, const struct ynode *n, void *to);  /* bool */
int ydoc_number(struct ydoc *y, const struct ynode *n, void *to); /* uint32_t */
int ydoc_later(struct ydoc *y, const struct ynode *n, void *to);  /* struct ydoc_text */
int ydoc_words(struct ydoc *y, const struct ynode *n, void *to);  /* ydoc_text: "a,b" or [a, b] */
int ydoc_items(struct ydoc *y, const struct ynode *n, void *to);  /* a list, read by item */
int ydoc_submap(struct ydoc *y, const struct ynode *n, void *to); /* the struct of form */

/* ---- parts of them, for functions of the file's own code ---- */

void *ydoc_place(const struct ydoc *y, void *to); /* place of y->field in *to */
/* Sets fail to the place of node at and the sentence; returns -EINVAL. */
int ydoc_wrong(struct ydoc *y, const struct ynode *at, const char *format, ...) _printf_(3, 4);
/* ydoc_wrong() at a line and column; 0: the file as a whole. */
int ydoc_wrong_at(struct ydoc *y, uint32_t line, uint32_t column, const char *format, ...)
                _printf_(4, 5);
/* Sets fail to 'KEY: "TEXT" is not EXPECTED'; returns -EINVAL. */
int ydoc_wrong_value(struct ydoc *y, const struct ynode *at, const char *expected);
/* Reads a text without zero bytes, not empty; *ret is borrowed. expected: "a count". */
int ydoc_text(struct ydoc *y, const struct ynode *n, const char *expected, const char **ret);
/* ydoc_text() limited to 64 letters, digits, "_", "-" and "."; the caller frees *ret. */
int ydoc_name_read(struct ydoc *y, const struct ynode *n, const char *expected, char **ret);
/* Reads "true", "yes", "on", "false", "no", "off" in any case. */
int ydoc_truth_read(struct ydoc *y, const struct ynode *n, bool *ret);

/* Takes the result e of a part of the walk. Returns true if reading continues: e is no error, or
   all faults are wanted and fewer than FAULTS_MAX were found. *failed keeps the first error. */
bool ydoc_continues(struct ydoc *y, int e, int *failed);

/* ---- lists, maps, documents ---- */

/* Reads a map: each key at most once, needed keys present. */
int ydoc_map(struct ydoc *y, const struct ynode *n, const struct ydoc_form *form, void *to);
/* Calls read with each item of a list; what: "layers". */
int ydoc_list(struct ydoc *y, const struct ynode *n, const char *what, size_t most,
                ydoc_read_t read, void *to);
/* Checks that a non-empty map begins with key. */
int ydoc_begins(struct ydoc *y, const struct ynode *n, const char *key);
const struct ynode *ydoc_find(const struct ynode *map, const char *key); /* key's node; NULL */

/* Parses text and calls root with the top node, unless the file is empty. -EFBIG: larger than
   y->most; -EINVAL: not YAML, nested too deep, an alias inside its anchor, or more than one
   document. */
int ydoc_read(struct ydoc *y, const char *text, size_t size, ydoc_read_t root, void *to);
