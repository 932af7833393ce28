/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands/terminal.h"

#include <termios.h>

static struct termios before;
static volatile bool raw;

void terminal_restore(void) {
        if (raw)
                (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
        raw = false;
}

bool terminal_make_raw(void) {
        struct termios now;

        if (raw || tcgetpgrp(STDIN_FILENO) != getpgrp() || tcgetattr(STDIN_FILENO, &before) < 0)
                return false;
        now = before;
        cfmakeraw(&now);
        (void)atexit(terminal_restore);
        raw = true;
        raw = tcsetattr(STDIN_FILENO, TCSADRAIN, &now) >= 0;
        return raw;
}
