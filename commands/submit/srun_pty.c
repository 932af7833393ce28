/* SPDX-License-Identifier: GPL-3.0-or-later */
/* srun --pty: connects this terminal to task 0. The terminal is raw while the task runs, because
 * the task's own terminal on the node handles signals, echo and lines. The size is sent at the
 * start of the step and at each change. */
#include "commands/submit/srun.h"

#include "commands/terminal.h"

#include <signal.h>
#include <sys/ioctl.h>

static void window_measure(Slumber__Window *ret) {
        struct winsize size = { 0 };

        slumber__window__init(ret);
        (void)ioctl(STDIN_FILENO, TIOCGWINSZ, &size);
        ret->rows = size.ws_row;
        ret->columns = size.ws_col;
}

Slumber__Window *srun_pty_window(const struct srun *s) {
        static Slumber__Window window;

        if (!s->o.pty)
                return NULL;
        window_measure(&window);
        return &window;
}

void srun_pty_begin(struct srun *s) {
        if (s->o.pty && terminal_make_raw())
                srun_pty_resized(s, ""); /* the size may have changed while the step waited */
}

void srun_pty_resized(struct srun *s, const char *node) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;
        Slumber__Window window;

        if (!s->o.pty || s->phase != SRUN_RUNNING || !isatty(STDIN_FILENO))
                return;
        window_measure(&window);
        io.job_id = s->job;
        io.step_id = s->step;
        io.rank = 0;
        io.window = &window;
        io.node = (char *)(uintptr_t)node;
        ENVELOPE(env, STEP_IO, step_io, &io);
        (void)srun_send(s, &env, false);
}

void srun_pty_end(struct srun *s) {
        (void)s;
        terminal_restore();
}
