/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plug-in that tells when it is called, and misbehaves as its arguments say:
 *
 *     name=WORD          of its lines; log=FILE, to which they are added
 *     fail=CALLBACK      it fails; crash=CALLBACK, exit=CALLBACK, hang=CALLBACK likewise
 *     items              tells all items that it is given
 *     in=CONTEXT         only there: all of these
 *     options            registers --probe-late[=WHAT] in its init
 *     environment        changes the environment of the tasks
 *     control            sets variables of prologs and epilogs */
#include <slurm/spank.h>

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

SPANK_PLUGIN(probe, 7);

static char name[64] = "probe", log_file[256], word[256] = "-";

static int on_option(int value, const char *argument, int remote) {
        snprintf(word, sizeof word, "%d,%s,%d", value, argument ? argument : "none", remote);
        return argument && strcmp(argument, "bad") == 0 ? -1 : 0;
}

#ifdef TABLE
struct spank_option spank_options[] = {
        { "probe-word", "WORD", "a word for the probe", 1, 5, on_option },
        { "probe-flag", NULL, "a flag for the probe", 0, 6, on_option },
        SPANK_OPTIONS_TABLE_END,
};
#endif
static struct spank_option late = { "probe-late", "WHAT", "registered in init", 2, 9, on_option };

static const char *argument_of(int ac, char **av, const char *key) {
        size_t n = strlen(key);

        for (int i = 0; i < ac; i++)
                if (strncmp(av[i], key, n) == 0 && (av[i][n] == '=' || !av[i][n]))
                        return av[i] + n + (av[i][n] == '=');
        return NULL;
}

static void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void tell(const char *format, ...) {
        char line[4096];
        va_list ap;
        int fd = open(log_file, O_WRONLY | O_APPEND | O_CLOEXEC);

        va_start(ap, format);
        int n = vsnprintf(line, sizeof line - 1, format, ap);
        va_end(ap);
        line[n++] = '\n';
        if (fd >= 0 && write(fd, line, (size_t)n) < 0)
                slurm_error("probe cannot write %s", log_file);
        close(fd);
}

static const char *context(void) {
        switch (spank_context()) {
        case S_CTX_LOCAL:
                return "local";
        case S_CTX_REMOTE:
                return "remote";
        case S_CTX_ALLOCATOR:
                return "allocator";
        case S_CTX_SLURMD:
                return "slurmd";
        case S_CTX_JOB_SCRIPT:
                return "job_script";
        default:
                return "error";
        }
}

static void tell_numbers(spank_t sp, const char *of) {
        static const struct {
                const char *name;
                spank_item_t item;
        } numbers[] = {
                { "JOB_ID", S_JOB_ID },
                { "JOB_STEPID", S_JOB_STEPID },
                { "JOB_NNODES", S_JOB_NNODES },
                { "JOB_NODEID", S_JOB_NODEID },
                { "JOB_LOCAL_TASK_COUNT", S_JOB_LOCAL_TASK_COUNT },
                { "JOB_TOTAL_TASK_COUNT", S_JOB_TOTAL_TASK_COUNT },
                { "SLURM_RESTART_COUNT", S_SLURM_RESTART_COUNT },
                { "JOB_ARRAY_ID", S_JOB_ARRAY_ID },
                { "JOB_ARRAY_TASK_ID", S_JOB_ARRAY_TASK_ID },
                { "TASK_GLOBAL_ID", S_TASK_GLOBAL_ID },
        };
        uint32_t n;

        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
                spank_err_t r = spank_get_item(sp, numbers[i].item, &n);

                if (r == ESPANK_SUCCESS)
                        tell("%s %s=%u", of, numbers[i].name, n);
                else
                        tell("%s %s: %s", of, numbers[i].name, spank_strerror(r));
        }
}

static void tell_ids(spank_t sp, const char *of) {
        uint32_t a = 99, b = 99, c = 99, d = 99;
        int task = -1, status = -1, n = -1;
        pid_t pid = -1;
        gid_t *gids = NULL;

        spank_err_t r = spank_get_item(sp, S_TASK_ID, &task);
        tell("%s TASK_ID=%d %s", of, task, spank_strerror(r));
        r = spank_get_item(sp, S_TASK_EXIT_STATUS, &status);
        tell("%s TASK_EXIT_STATUS=%d %s", of, status, spank_strerror(r));
        r = spank_get_item(sp, S_TASK_PID, &pid);
        tell("%s TASK_PID %s %s", of, pid > 1 ? "yes" : "no", spank_strerror(r));
        spank_get_item(sp, S_JOB_PID_TO_GLOBAL_ID, pid, &a);
        spank_get_item(sp, S_JOB_PID_TO_LOCAL_ID, pid, &b);
        spank_get_item(sp, S_JOB_LOCAL_TO_GLOBAL_ID, (uint32_t)0, &c);
        spank_get_item(sp, S_JOB_GLOBAL_TO_LOCAL_ID, (uint32_t)1, &d);
        tell("%s ids=%u,%u,%u,%u", of, a, b, c, d);
        r = spank_get_item(sp, S_JOB_LOCAL_TO_GLOBAL_ID, (uint32_t)1000, &c);
        tell("%s no such task: %s", of, spank_strerror(r));
        r = spank_get_item(sp, S_JOB_SUPPLEMENTARY_GIDS, &gids, &n);
        tell("%s gids=%d %s", of, n > 0 ? (int)gids[0] : -1, spank_strerror(r));
}

static void tell_items(spank_t sp, const char *of) {
        char *version = "", *major = "", *minor = "", *micro = "", *job = "", *step = "",
             **v = NULL;
        uint64_t job_mem = 0, step_mem = 0, per_task = 0;
        uid_t uid = 12345;
        gid_t gid = 12345;
        uint16_t cpus = 0;
        int n = 0;

        spank_get_item(sp, S_JOB_UID, &uid);
        spank_get_item(sp, S_JOB_GID, &gid);
        spank_get_item(sp, S_JOB_NCPUS, &cpus);
        spank_get_item(sp, S_STEP_CPUS_PER_TASK, &per_task);
        tell("%s uid=%u gid=%u cpus=%u per_task=%u", of, uid, gid, cpus, (unsigned)per_task);
        spank_get_item(sp, S_SLURM_VERSION, &version);
        spank_get_item(sp, S_SLURM_VERSION_MAJOR, &major);
        spank_get_item(sp, S_SLURM_VERSION_MINOR, &minor);
        spank_get_item(sp, S_SLURM_VERSION_MICRO, &micro);
        tell("%s version=%s %s/%s/%s", of, version, major, minor, micro);
        spank_get_item(sp, S_JOB_ALLOC_CORES, &job);
        spank_get_item(sp, S_STEP_ALLOC_CORES, &step);
        spank_get_item(sp, S_JOB_ALLOC_MEM, &job_mem);
        spank_get_item(sp, S_STEP_ALLOC_MEM, &step_mem);
        tell("%s cores=%s/%s mem=%u/%u", of, job, step, (unsigned)job_mem, (unsigned)step_mem);
        if (spank_get_item(sp, S_JOB_ARGV, &n, &v) == ESPANK_SUCCESS)
                tell("%s argc=%d argv0=%s last=%s", of, n, v[0], v[n - 1]);
        if (spank_get_item(sp, S_JOB_ENV, &v) == ESPANK_SUCCESS)
                for (; *v; v++)
                        if (strncmp(*v, "PROBED=", 7) == 0)
                                tell("%s environment has %s", of, *v);
        tell_numbers(sp, of);
        tell_ids(sp, of);
}

static void change_environment(spank_t sp) {
        char buf[16];

        spank_setenv(sp, "PROBE_SET", "by plug-in", 1);
        tell("again: %s", spank_strerror(spank_setenv(sp, "PROBE_SET", "no", 0)));
        spank_unsetenv(sp, "PROBE_GONE");
        tell("short: %s", spank_strerror(spank_getenv(sp, "PROBE_SET", buf, 3)));
        tell("none: %s", spank_strerror(spank_getenv(sp, "PROBE_NONE", buf, sizeof buf)));
        if (spank_getenv(sp, "PROBE_SET", buf, sizeof buf) == ESPANK_SUCCESS)
                tell("set: %s", buf);
}

static int called(spank_t sp, int ac, char **av, const char *callback) {
        const char *s, *in = argument_of(ac, av, "in");

        if ((s = argument_of(ac, av, "name")))
                snprintf(name, sizeof name, "%s", s);
        if ((s = argument_of(ac, av, "log")))
                snprintf(log_file, sizeof log_file, "%s", s);
        tell("%s %s %s remote=%d euid=%u option=%s", name, callback, context(), spank_remote(sp),
                        geteuid(), word);
        if (in && strcmp(in, context()) != 0)
                return 0;
        if ((s = argument_of(ac, av, "crash")) && strcmp(s, callback) == 0)
                *(volatile int *)8 = 1;
        if ((s = argument_of(ac, av, "exit")) && strcmp(s, callback) == 0)
                exit(0);
        if ((s = argument_of(ac, av, "hang")) && strcmp(s, callback) == 0)
                for (;;)
                        pause();
        if ((s = argument_of(ac, av, "say")) && strcmp(s, callback) == 0) {
                slurm_error("an error of %s", name);
                slurm_spank_log("a word of %s", name);
                slurm_info("an info of %s", name);
                slurm_verbose("a verbose word of %s", name);
                slurm_debug("a debug word of %s", name);
                slurm_debug2("a debug2 word of %s", name);
                slurm_debug3("a debug3 word of %s", name);
        }
        if ((s = argument_of(ac, av, "items")) && strcmp(s, callback) == 0)
                tell_items(sp, callback);
        if ((s = argument_of(ac, av, "fail")) && strcmp(s, callback) == 0)
                return -3;
        return 0;
}

#define CALLBACK(what)                                                                             \
        int slurm_spank_##what(spank_t sp, int ac, char **av) {                                    \
                return called(sp, ac, av, #what);                                                  \
        }

int slurm_spank_init(spank_t sp, int ac, char **av) {
        if (argument_of(ac, av,
                            "options")) { /* what a plug-in makes for the call is its own again */
                char name[] = "probe-late", usage[] = "registered in init";
                struct spank_option option = late;
                option.name = name;
                option.usage = usage;
                spank_option_register(sp, &option);
                memset(name, 'x', sizeof name - 1);
                memset(usage, 'x', sizeof usage - 1);
                memset(&option, 0, sizeof option);
        }
        return called(sp, ac, av, "init");
}
int slurm_spank_init_post_opt(spank_t sp, int ac, char **av) {
        char *given = NULL;
        int r = called(sp, ac, av, "init_post_opt");

        if (argument_of(ac, av, "control")) {
                char buf[16] = "";
                spank_err_t set = spank_job_control_setenv(sp, "PROBE", "of job", 1);
                spank_err_t bad = spank_job_control_setenv(sp, "A-B", "x", 1);
                spank_err_t again = spank_job_control_setenv(sp, "PROBE", "no", 0);

                spank_job_control_setenv(sp, "GONE", "x", 1);
                spank_job_control_unsetenv(sp, "GONE");
                spank_job_control_getenv(sp, "PROBE", buf, sizeof buf);
                tell("control %s: %s; %s; %s; %s", context(), spank_strerror(set),
                                spank_strerror(bad), spank_strerror(again), buf);
        }

        if (argument_of(ac, av, "options")) {
                spank_err_t got = spank_option_getopt(sp, &late, &given);

                tell("getopt: %s %s; late register: %s", spank_strerror(got),
                                given ? given : "none",
                                spank_strerror(spank_option_register(sp, &late)));
        }
        return r;
}
CALLBACK(local_user_init)
CALLBACK(user_init)
int slurm_spank_task_init_privileged(spank_t sp, int ac, char **av) {
        const char *words[] = { "/usr/bin/env", "PROBE_PREPENDED=yes" };

        if (argument_of(ac, av, "environment"))
                change_environment(sp);
        if (argument_of(ac, av, "prepend"))
                tell("prepend: %s", spank_strerror(spank_prepend_task_argv(sp, 2, words)));
        return called(sp, ac, av, "task_init_privileged");
}
CALLBACK(task_post_fork)
CALLBACK(task_init)
CALLBACK(task_exit)
CALLBACK(exit)
#ifdef SLURMD
CALLBACK(slurmd_init)
CALLBACK(slurmd_exit)
#endif
#ifdef JOB
static int in_job_script(spank_t sp, int ac, char **av, const char *callback) {
        char *given = NULL;
        spank_err_t got = spank_option_getopt(sp, &late, &given);

        if (getenv("SPANK_PROBE"))
                tell("%s SPANK_PROBE=%s SPANK_GONE=%s", callback, getenv("SPANK_PROBE"),
                                getenv("SPANK_GONE") ? "set" : "unset");
        tell("%s PATH=%s USER=%s job=%s getopt=%s,%s", callback, getenv("PATH"),
                        getenv("USER") ? "set" : "unset", getenv("SLURM_JOB_ID"),
                        spank_strerror(got), given ? given : "none");
        return 0;
}

int slurm_spank_job_prolog(spank_t sp, int ac, char **av) {
        int r = called(sp, ac, av, "job_prolog");

        in_job_script(sp, ac, av, "job_prolog");
        return r;
}

int slurm_spank_job_epilog(spank_t sp, int ac, char **av) {
        int r = called(sp, ac, av, "job_epilog");

        in_job_script(sp, ac, av, "job_epilog");
        return r;
}
#endif
