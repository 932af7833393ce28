/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/files/lines.h - the bytes of a file, and its lines of Key=Value words: comments,
 * continuation, quotes, Include */
#pragma once

#include "lib/fail.h"

#define CONFIG_SIZE_MAX                                                                            \
        ((size_t)16 * 1024 * 1024) /* bytes of one file: 100,000 nodes on a line each */

/* A whole file, NUL at its end.  -ENOENT says nothing in fail but that. */
int config_load(const char *path, char **ret, size_t *ret_size, struct fail *fail);
char *config_folder(const char *path); /* of a file; the caller frees */

struct config_word {
        char *key, *value;
        unsigned line;
};

struct config_line { /* never empty */
        char *file;  /* as it stands in messages */
        struct config_word *words;
        size_t n, allocated;
};

typedef int (*config_line_t)(struct config_line *line, void *userdata, struct fail *fail);

/* -EINVAL: it has a zero byte. */
int config_is_text(const char *file, const char *text, size_t size, struct fail *fail);
/* Calls handle for every line of text, which may take the words away. dir: where Include looks,
 * NULL refuses it; the file's bytes come by config_load(). */
int config_lines(const char *file, const char *dir, const char *text, size_t size,
                config_line_t handle, void *userdata, struct fail *fail);
bool word_in(const char *word, const char *words); /* "a|b", any case */
void config_line_done(struct config_line *line);
