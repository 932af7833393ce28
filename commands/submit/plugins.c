/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plug-ins of plugstack.conf in slumber-dynamic: SPANK's local context (srun) and allocator
 * (sbatch, salloc); lib/plugins/spank.h.  They have the rights of the user that has called the
 * command. */
#include "commands/submit/plugins.h"

#include "commands/command.h"
#include "commands/jobspec/jobspec.h"
#include "lib/environment.h"
#include "lib/plugins/spank.h"

#include <sys/stat.h>

extern char **environ;

static struct {
        const char *program;
        enum job_command command;
        struct plugstack stack;
        struct spank_host host;
        struct spank *loaded; /* NULL: there are none */
        Slumber__PluginOption **given;
        size_t n_given;
        struct environment *control; /* spank_job_control_...() */
        char *hook_variables;
} all;

/* ---- what plug-ins ask and say ---- */

#define GIVE(type, value) (*va_arg(ap, type *) = (type)(value), ESPANK_SUCCESS)

static spank_err_t number(uint32_t value, va_list ap) {
        return value ? GIVE(uint32_t, value) : ESPANK_NOT_AVAIL;
}

static spank_err_t get_item(void *user, void *task, spank_item_t item, va_list ap) {
        const struct command_view *v = user;

        (void)task;
        switch ((int)item) {
        case S_JOB_UID:
                return GIVE(uid_t, getuid());
        case S_JOB_GID:
                return GIVE(gid_t, getgid());
        case S_JOB_ID:
                return number(v->job, ap);
        case S_JOB_STEPID:
                return v->has_step ? GIVE(uint32_t, v->step) : ESPANK_NOT_AVAIL;
        case S_JOB_NNODES:
                return number(v->nodes, ap);
        case S_JOB_TOTAL_TASK_COUNT:
                return number(v->tasks, ap);
        case S_JOB_ARGV:
                if (!v->argv)
                        return ESPANK_NOT_AVAIL;
                *va_arg(ap, int *) = v->argc;
                return GIVE(char **, v->argv);
        case S_JOB_ENV:
                return GIVE(char **, environ);
        default:
                return item >= S_JOB_UID && item <= S_JOB_ARRAY_TASK_ID ? ESPANK_NOT_REMOTE
                                                                        : ESPANK_BAD_ARG;
        }
}

static void say(void *user, enum spank_level level, const char *text) {
        const struct command_view *v = user;
        static const char *const words[SPANK_SAY_MAX] = { "error: ", "", "", "",
                "debug:  ", "debug2: ", "debug3: " };

        if (level > SPANK_SAY_INFO && level - SPANK_SAY_INFO > v->verbose)
                return;
        if (level == SPANK_SAY_INFO && v->quiet)
                return;
        fprintf(stderr, "%s: %s%s\n", all.program, words[level], text);
}

static bool given(void *user, const char *plugin, const char *option, const char **ret_value) {
        _cleanup_free_ char *name = spank_option_variable(plugin, option);
        const char *value = getenv(name);

        (void)user;
        *ret_value = isempty(value) ? NULL : value;
        return value;
}

static bool is_taken(void *user, const char *option) {
        const struct option_table *t = job_options_table(all.command);

        (void)user;
        for (size_t i = 0; i < t->n_rows; i++)
                if (t->rows[i].name && streq(t->rows[i].name, option))
                        return true;
        return false;
}

static const char *get_control(void *user, const char *name) {
        (void)user;
        return environment_get(all.control, name);
}

static void set_control(void *user, const char *name, const char *value) {
        (void)user;
        if (value)
                environment_set(all.control, name, "%s", value);
        else
                environment_unset(all.control, name);
}

static char *hook_variables(void) {
        char *const *lines = environment_vector(all.control);
        size_t size;

        free(TAKE(all.hook_variables));
        FILE *out = memstream_open(&all.hook_variables, &size);

        for (; *lines; lines++)
                fprintf(out, "%s\n", *lines);
        memstream_close(out);
        return all.hook_variables;
}

/* ---- their options ---- */

static int take_option(size_t n, const char *value, struct fail *fail) {
        return spank_option_take(all.loaded, n, value, fail);
}

static void add_options(void) {
        static const enum option_kind kinds[] = { OPTION_PLUGIN, OPTION_PLUGIN_ARG,
                OPTION_PLUGIN_OPTIONAL };
        size_t n;
        const struct spank_registered *list = spank_options_of(all.loaded, &n);
        _cleanup_free_ struct option_row *rows = xnew0(struct option_row, MAX(n, (size_t)1));

        for (size_t i = 0; i < n; i++)
                rows[i] = (struct option_row){
                        .name = list[i].option->name,
                        .kind = kinds[list[i].option->has_arg],
                        .offset = OPTION_PLUGINS + i,
                        .argument = list[i].option->arginfo,
                        .help = strempty(list[i].option->usage),
                };
        job_options_plugins(all.command, rows, n, take_option);
}

/* What is given now also goes to commands in the job, by its environment. */
static void note_options(void) {
        size_t n;
        const struct spank_registered *list = spank_options_of(all.loaded, &n);

        all.given = xnew0(Slumber__PluginOption *, MAX(n, (size_t)1));
        for (size_t i = 0; i < n; i++) {
                if (!list[i].given)
                        continue;
                _cleanup_free_ char *name = spank_option_variable(list[i].plugin,
                                list[i].option->name);
                Slumber__PluginOption *o = xnew(Slumber__PluginOption, 1);

                slumber__plugin_option__init(o);
                o->plugin = (char *)(uintptr_t)list[i].plugin;
                o->option = list[i].option->name;
                o->value = list[i].value ? list[i].value : (char *)"";
                o->has_value = list[i].value != NULL;
                all.given[all.n_given++] = o;
                setenv(name, o->value, 1);
        }
}

static int options_read(struct fail *fail) {
        int r = spank_call(all.loaded, SPANK_INIT_POST_OPT, NULL, fail);

        if (r >= 0)
                note_options();
        return r;
}

static int step_begins(struct fail *fail) {
        return spank_call(all.loaded, SPANK_LOCAL_USER_INIT, NULL, fail);
}

static Slumber__PluginOption **options(size_t *ret_n) {
        *ret_n = all.n_given;
        return all.given;
}

/* ---- the beginning and the end ---- */

static char *read_link(const char *path) {
        char to[4096];
        ssize_t n = readlink(path, to, sizeof to - 1);

        return n < 0 ? NULL : xstrndup(to, (size_t)n);
}

/* 0 and nothing loaded where there are none. */
static int load(struct fail *fail) {
        const char *socket = command_socket(NULL);
        _cleanup_free_ char *link = socket ? plugstack_link(socket) : NULL,
                            *dir_link = socket ? plugstack_dir_link(socket) : NULL,
                            *path = link ? read_link(link) : NULL,
                            *dir = dir_link ? read_link(dir_link) : NULL;
        struct stat st;

        if (!path || lstat(link, &st) < 0)
                return 0;
        int r = plugstack_read(&all.stack, path, dir, st.st_uid, fail);
        if (r == -ENOENT || (r >= 0 && all.stack.n == 0))
                return 0;
        if (r < 0)
                return r;
        all.control = environment_new();
        all.host = (struct spank_host){
                .context = all.command == JOB_SRUN ? S_CTX_LOCAL : S_CTX_ALLOCATOR,
                .program = all.program,
                .say = say,
                .item = get_item,
                .given = given,
                .get_control = get_control,
                .set_control = set_control,
                .is_taken = is_taken,
                .owner = st.st_uid,
                .user = &command_view,
        };
        return spank_load(&all.stack, &all.host, &all.loaded, fail);
}

int plugins_begin(const char *program) {
        static const struct command_plugins functions = { options_read, step_begins, options,
                hook_variables };
        struct fail fail = { 0 };

        all.program = program;
        all.command = streq(program, "srun")     ? JOB_SRUN
                      : streq(program, "sbatch") ? JOB_SBATCH
                                                 : JOB_SALLOC;
        int r = load(&fail);
        if (r >= 0)
                r = spank_call(all.loaded, SPANK_INIT, NULL, &fail);
        if (r < 0) {
                command_error(program, "%s", fail.text);
                return r;
        }
        if (!all.loaded)
                return 0;
        add_options();
        command_plugins = &functions;
        return 0;
}

void plugins_end(void) {
        struct fail fail = { 0 };

        if (spank_call(all.loaded, SPANK_EXIT, NULL, &fail) < 0)
                command_error(all.program, "%s", fail.text);
}
