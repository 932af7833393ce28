/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/prompt.h - commands read line by line from standard input: scontrol and sacctmgr
   without a verb */
#pragma once

#include "commands/command.h"

/* A word that switches an option for later lines; a table ends with a name of NULL. */
struct prompt_switch {
        const char *name;
        size_t least;  /* minimum letters to type */
        size_t offset; /* offset of a bool in user */
        bool value;
};

struct prompt {
        const char *program;
        const struct prompt_switch *switches;
        /* Runs a line's words; returns the exit code */
        int (*run)(void *user, int argc, char **argv);
        void *user;
};

/* Reads until the end of input, "quit" or "exit". Returns the exit code of the last line with an
   exit code. */
int prompt_read(const struct prompt *p);

/* Returns whether word is a switch; applies all rows with its name. */
bool prompt_switch(const struct prompt *p, const char *word);

/* Splits line, which is modified, into words; the list ends with NULL. Quoted text is part of a
   word, even without a closing quote. The caller frees *ret. */
size_t prompt_words(char *line, char ***ret);
