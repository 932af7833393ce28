/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slumber-hook RESULT TIMEOUT FILE...: runs the programs of PrologSlurmctld or EpilogSlurmctld for
 * slumberctld (hook_programs.c, lib/hook_row.h), with the environment of slumber-hook.  SIGTERM
 * ends the programs. */
#include "lib/hook_row.h"
#include "lib/timetext.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <sys/stat.h>

extern char **environ;

static int stop_descriptor(void) {
        sigset_t set;

        sigemptyset(&set);
        sigaddset(&set, SIGTERM);
        (void)sigprocmask(SIG_SETMASK, &set, NULL);
        return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int main(int argc, char **argv) {
        struct fail fail = { 0 };
        uint64_t timeout;

        standard_streams_open();
        if (argc < 3 || uint_parse(argv[2], 0, UINT64_MAX, &timeout) < 0) {
                fprintf(stderr, "slumber-hook is run by slumberctld alone\n");
                return EXIT_FAILURE;
        }
        struct hook_row row = { .files = argv + 3,
                .n_files = (size_t)argc - 3,
                .environment = environ,
                .timeout = timeout,
                .stop_fd = stop_descriptor() };

        row.fd = hook_begin(argv[1], true, &fail);
        if (row.fd < 0) {
                if (row.fd != -EEXIST)
                        fprintf(stderr, "%s\n", fail.text);
                return EXIT_FAILURE;
        }
        (void)umask(022);
        int r = hook_run_row(&row, &fail);
        r = hook_end(row.fd, true, r >= 0, fail.text);
        if (r < 0)
                fprintf(stderr, "cannot write %s: %s\n", argv[1], strerror(-r));
        return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
