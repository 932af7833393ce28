/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/files/lines.h - reads files as lines of Key=Value words: comments, continuation, quotes,
 * Include */
#pragma once

#include "lib/fail.h"

#define CONFIG_SIZE_MAX                                                                            \
        ((size_t)16 * 1024 * 1024) /* maximum bytes of a file: 100,000 nodes with a line each */

/* Reads a whole file, NUL-terminated; the caller frees. -ENOENT: no such file. */
int config_load(const char *path, char **ret, size_t *ret_size, struct fail *fail);
char *config_folder(const char *path); /* the file's folder; the caller frees */

struct config_word {
        char *key, *value;
        unsigned line;
};

struct config_line { /* never empty */
        char *file;  /* path for messages */
        struct config_word *words;
        size_t n, allocated;
};

typedef int (*config_line_t)(struct config_line *line, void *userdata, struct fail *fail);

/* Checks that text has no zero byte; -EINVAL otherwise. */
int config_is_text(const char *file, const char *text, size_t size, struct fail *fail);
/* Calls handle for every line of text; handle may take ownership of the words. dir: folder of
 * included files; NULL refuses Include. */
int config_lines(const char *file, const char *dir, const char *text, size_t size,
                config_line_t handle, void *userdata, struct fail *fail);
bool word_in(const char *word, const char *words); /* "a|b", any case */
void config_line_done(struct config_line *line);
