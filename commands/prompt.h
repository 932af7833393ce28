/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/prompt.h - commands from standard input, line by line: scontrol and sacctmgr without a
   verb */
#pragma once

#include "commands/command.h"

/* A line that changes how those after it are done; a table of them ends with one without a name. */
struct prompt_switch {
        const char *name;
        size_t least;  /* letters that must be typed */
        size_t offset; /* of a bool in user */
        bool value;
};

struct prompt {
        const char *program;
        const struct prompt_switch *switches;
        int (*run)(void *user, int argc, char **argv); /* a line's words; the exit code */
        void *user;
};

/* Until the end of the input, "quit" or "exit". The exit code: that of the last line that had
   one. */
int prompt_read(const struct prompt *p);

/* Is word one of the switches?  All rows of its name are carried out. */
bool prompt_switch(const struct prompt *p, const char *word);

/* The words of line, which is cut up, with a NULL behind them; what stands in quotes of either kind
   is part of a word, also where they are not closed.  The caller frees *ret. */
size_t prompt_words(char *line, char ***ret);
