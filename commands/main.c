/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slumber: the user commands in one binary; the name it is called by, or its first argument,
   chooses */
#include "commands/command.h"
#include "lib/options.h"

#include <stdio_ext.h>

static const struct command {
        const char *name;
        int (*run)(int argc, char **argv);
        const char *summary;
} commands[] = {
        { "sbatch", sbatch_main, "submit a batch job" },
        { "scancel", scancel_main, "end or signal jobs" },
        { "salloc", salloc_main, "hold nodes for a command or a shell" },
        { "srun", srun_main, "run tasks on nodes" },
#ifndef SLUMBER_QUICK /* commands/meson.build */
        { "sprio", sprio_main, "show what priorities are made of" },
        { "sshare", sshare_main, "show shares and usage" },
        { "sinfo", sinfo_main, "show nodes and partitions" },
        { "squeue", squeue_main, "show the jobs in the queue" },
        { "scontrol", scontrol_main, "show and change the state of the cluster" },
        { "sdiag", sdiag_main, "show what the controller has done" },
        { "sacct", sacct_main, "show the jobs that are over" },
        { "sacctmgr", sacctmgr_main, "show the accounts" },
#endif
};

static const char *base_name(const char *path) {
        const char *slash = strrchr(path, '/');

        return slash ? slash + 1 : path;
}

static const struct command *find(const char *name) {
        for (size_t i = 0; i < ELEMENTSOF(commands); i++)
                if (streq(commands[i].name, name))
                        return &commands[i];
        return NULL;
}

static int help(FILE *out, int r) {
        fprintf(out, "Usage: slumber COMMAND [OPTIONS], or call it by the command's name.\n\n");
        for (size_t i = 0; i < ELEMENTSOF(commands); i++)
                fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].summary);
        return r;
}

/* A list of ten thousand lines is written in few pieces, whatever the C library thinks of, and by
   one thread. */
static void buffer_output(void) {
        static char room[64 << 10];

        (void)__fsetlocking(stdout, FSETLOCKING_BYCALLER);
        if (!isatty(STDOUT_FILENO))
                setvbuf(stdout, room, _IOFBF, sizeof room);
}

static int run(const struct command *command, int argc, char **argv) {
        argv[0] = (char *)command->name;
        buffer_output();
        return command->run(argc, argv);
}

int main(int argc, char **argv) {
        const struct command *command;

        if (argc < 1)
                return EXIT_FAILURE;
        command = find(base_name(argv[0]));
        if (command)
                return run(command, argc, argv);
        if (argc < 2)
                return help(stderr, EXIT_FAILURE);
        if (streq(argv[1], "--version") || streq(argv[1], "-V")) {
                options_version(stdout);
                return EXIT_SUCCESS;
        }
        if (streq(argv[1], "--help") || streq(argv[1], "help"))
                return help(stdout, EXIT_SUCCESS);
        command = find(argv[1]);
        if (command)
                return run(command, argc - 1, argv + 1);
        command_error("slumber", "there is no command \"%s\"", argv[1]);
        return EXIT_FAILURE;
}
