/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slumber: the user commands in one binary, selected by argv[0] or the first argument */
#include "commands/command.h"
#include "commands/steps/bcast.h"
#include "commands/submit/plugins.h"
#include "lib/options.h"
#include "lib/plugins/plugstack.h"

#include <stdio_ext.h>

static const struct command {
        const char *name;
        int (*run)(int argc, char **argv);
        const char *summary;
        bool plugins; /* uses plug-ins of plugstack.conf */
        bool streams; /* command_has_streams() */
} commands[] = {
        { "sbatch", sbatch_main, "submit a batch job", true, false },
        { "scancel", scancel_main, "end or signal jobs", false, false },
        { "salloc", salloc_main, "hold nodes for a command or a shell", true, true },
        { "srun", srun_main, "run tasks on nodes", true, true },
#ifndef SLUMBER_QUICK /* commands/meson.build */
        { "sprio", sprio_main, "show what priorities are made of", false, false },
        { "sshare", sshare_main, "show shares and usage", false, false },
        { "sinfo", sinfo_main, "show nodes and partitions", false, false },
        { "squeue", squeue_main, "show the jobs in the queue", false, false },
        { "scontrol", scontrol_main, "show and change the state of the cluster", false, false },
        { "sdiag", sdiag_main, "show what the controller has done", false, false },
        { "sacct", sacct_main, "show the jobs that are over", false, false },
        { "sacctmgr", sacctmgr_main, "show the accounts", false, false },
        { "sattach", sattach_main, "see and feed the streams of a running step", false, true },
        { "sbcast", sbcast_main, "a file to all nodes of a job", false, true },
        { "bcast-receive", bcast_receive_main, NULL, false, false }, /* run on nodes */
        { "strigger", strigger_main, "run programs when something happens", false, false },
        { "sstat", sstat_main, "show what running steps use", false, false },
#endif
};

static const struct command *command_find(const char *name) {
        for (size_t i = 0; i < ELEMENTSOF(commands); i++)
                if (streq(commands[i].name, name))
                        return &commands[i];
        return NULL;
}

static int command_print_help(FILE *out, int r) {
        fprintf(out, "Usage: slumber COMMAND [OPTIONS], or call it by the command's name.\n\n");
        for (size_t i = 0; i < ELEMENTSOF(commands); i++)
                if (commands[i].summary)
                        fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].summary);
        return r;
}

/* Long lists are written in few large pieces, whatever the C library's default; stdout is used
   by a single thread. */
static void buffer_output(void) {
        static char room[64 << 10];

        (void)__fsetlocking(stdout, FSETLOCKING_BYCALLER);
        if (!isatty(STDOUT_FILENO))
                setvbuf(stdout, room, _IOFBF, sizeof room);
}

#ifdef SLUMBER_DYNAMIC
static int run_command(const struct command *command, int argc, char **argv) {
        if (plugins_begin(command->name) < 0)
                return EXIT_FAILURE;
        int rc = command->run(argc, argv);
        plugins_end();
        return rc;
}
#else
static bool has_plugstack(void) {
        const char *socket = command_socket(NULL); /* NULL: reported later by the command */
        _cleanup_free_ char *path = socket ? plugstack_link(socket) : NULL;

        return path && (access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR));
}

/* A statically linked program cannot load plug-ins, and must not run without them. */
static int become_dynamic(const char *name, char **argv) {
        char self[4096] = "";
        ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
        char *slash = strrchr(self, '/');
        _cleanup_free_ char *path = xasprintf("%.*s/slumber-dynamic",
                        slash ? (int)(slash - self) : 0, self);

        (void)n;
        execv(path, argv);
        command_error(name, "plugstack.conf has plug-ins, and %s, which loads them: %s", path,
                        strerror(errno));
        return EXIT_FAILURE;
}

static int run_command(const struct command *command, int argc, char **argv) {
        if (command->plugins && has_plugstack())
                return become_dynamic(command->name, argv);
        return command->run(argc, argv);
}
#endif

#ifdef __SANITIZE_ADDRESS__
static bool ends_soon; /* the command has no streams: short run */

/* LeakSanitizer asks at the end whether to skip the search for leaks. The search takes a fifth
   of the system tests' CPU time, and leaks of short commands are harmless; srun, salloc, sattach
   and sbcast run for long, and are searched. */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) {
        return ends_soon;
}
#endif

static int run_named_command(const struct command *command, int argc, char **argv) {
        argv[0] = (char *)command->name;
#ifdef __SANITIZE_ADDRESS__
        ends_soon = !command->streams;
#endif
        if (command->streams)
                command_has_streams();
        buffer_output();
        return run_command(command, argc, argv);
}

int main(int argc, char **argv) {
        const struct command *command;

        standard_streams_open();
        if (argc < 1)
                return EXIT_FAILURE;
        command = command_find(path_base(argv[0]));
        if (command)
                return run_named_command(command, argc, argv);
        if (argc < 2)
                return command_print_help(stderr, EXIT_FAILURE);
        if (streq(argv[1], "--version") || streq(argv[1], "-V")) {
                options_version(stdout);
                return EXIT_SUCCESS;
        }
        if (streq(argv[1], "--help") || streq(argv[1], "help"))
                return command_print_help(stdout, EXIT_SUCCESS);
        command = command_find(argv[1]);
        if (command)
                return run_named_command(command, argc - 1, argv + 1);
        command_error("slumber", "there is no command \"%s\"", argv[1]);
        return EXIT_FAILURE;
}
