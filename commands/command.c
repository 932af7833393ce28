/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands/command.h"

#include "lib/wire.h"

#include <stdarg.h>

void command_error(const char *program, const char *format, ...) {
        va_list ap;

        fprintf(stderr, "%s: error: ", program);
        va_start(ap, format);
        vfprintf(stderr, format, ap);
        va_end(ap);
        fputc('\n', stderr);
}

bool command_env_set(const char *name) {
        return !isempty(getenv(name));
}

int command_connect(struct wire **ret, struct fail *fail) {
        return wire_connect(ret, fail);
}
