/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of glibc missing in musl: names of signals. */
#include "commands/musl.h"

#include <signal.h>
#include <stddef.h>

#define SIGNALS_MAX 32

static const struct {
        const char *name, *text;
} signals[SIGNALS_MAX] = {
        [SIGHUP] = { "HUP", "Hangup" },
        [SIGINT] = { "INT", "Interrupt" },
        [SIGQUIT] = { "QUIT", "Quit" },
        [SIGILL] = { "ILL", "Illegal instruction" },
        [SIGTRAP] = { "TRAP", "Trace/breakpoint trap" },
        [SIGABRT] = { "ABRT", "Aborted" },
        [SIGBUS] = { "BUS", "Bus error" },
        [SIGFPE] = { "FPE", "Floating point exception" },
        [SIGKILL] = { "KILL", "Killed" },
        [SIGUSR1] = { "USR1", "User defined signal 1" },
        [SIGSEGV] = { "SEGV", "Segmentation fault" },
        [SIGUSR2] = { "USR2", "User defined signal 2" },
        [SIGPIPE] = { "PIPE", "Broken pipe" },
        [SIGALRM] = { "ALRM", "Alarm clock" },
        [SIGTERM] = { "TERM", "Terminated" },
        [SIGSTKFLT] = { "STKFLT", "Stack fault" },
        [SIGCHLD] = { "CHLD", "Child exited" },
        [SIGCONT] = { "CONT", "Continued" },
        [SIGSTOP] = { "STOP", "Stopped (signal)" },
        [SIGTSTP] = { "TSTP", "Stopped" },
        [SIGTTIN] = { "TTIN", "Stopped (tty input)" },
        [SIGTTOU] = { "TTOU", "Stopped (tty output)" },
        [SIGURG] = { "URG", "Urgent I/O condition" },
        [SIGXCPU] = { "XCPU", "CPU time limit exceeded" },
        [SIGXFSZ] = { "XFSZ", "File size limit exceeded" },
        [SIGVTALRM] = { "VTALRM", "Virtual timer expired" },
        [SIGPROF] = { "PROF", "Profiling timer expired" },
        [SIGWINCH] = { "WINCH", "Window changed" },
        [SIGPOLL] = { "POLL", "I/O possible" },
        [SIGPWR] = { "PWR", "Power failure" },
        [SIGSYS] = { "SYS", "Bad system call" },
};

const char *sigabbrev_np(int sig) {
        return sig > 0 && sig < SIGNALS_MAX ? signals[sig].name : NULL;
}

const char *sigdescr_np(int sig) {
        return sig > 0 && sig < SIGNALS_MAX ? signals[sig].text : NULL;
}
