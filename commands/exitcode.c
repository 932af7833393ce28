/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands/exitcode.h"

#include "commands/musl.h"
#include "lib/sorted.h"
#include "lib/wire.h"

#include <signal.h>

#define SIGNAL_OF(status) ((status)&0x7f)
#define CODE_OF(status)   ((status) >> 8 & 0xff)
#define CORE_FLAG         0x80

int exit_code_of(uint32_t status) {
        return SIGNAL_OF(status) ? 128 + (int)SIGNAL_OF(status) : (int)CODE_OF(status);
}

uint32_t exit_worse(uint32_t a, uint32_t b) {
        if (SIGNAL_OF(a) != SIGNAL_OF(b))
                return SIGNAL_OF(a) > SIGNAL_OF(b) ? a : b;
        return CODE_OF(a) >= CODE_OF(b) ? a : b;
}

const char *exit_text(uint32_t status, char buf[EXIT_TEXT_MAX]) {
        int sig = (int)SIGNAL_OF(status);
        const char *name;

        if (sig == TASK_STATUS_OUT_OF_MEMORY)
                return "Out Of Memory";
        if (sig == 0) {
                snprintf(buf, EXIT_TEXT_MAX, "Exited with exit code %u", CODE_OF(status));
                return buf;
        }
        name = sigdescr_np(sig);
        if (name)
                snprintf(buf, EXIT_TEXT_MAX, "%s%s", name,
                                status & CORE_FLAG ? " (core dumped)" : "");
        else
                snprintf(buf, EXIT_TEXT_MAX, "Signal %d", sig);
        return buf;
}

char *exit_tasks_text(uint32_t *ranks, size_t n) {
        char *text = NULL;
        size_t size;
        FILE *f = memstream_open(&text, &size);

        list_sort(ranks, n, sizeof *ranks, number_compare);
        fputs(n == 1 ? "task " : "tasks ", f);
        for (size_t i = 0, last; i < n; i = last + 1) {
                for (last = i; last + 1 < n && ranks[last + 1] == ranks[last] + 1;)
                        last++;
                fprintf(f, "%s%u", i ? "," : "", ranks[i]);
                if (last > i)
                        fprintf(f, "-%u", ranks[last]);
        }
        memstream_close(f);
        return text;
}
