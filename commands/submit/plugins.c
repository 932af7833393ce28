/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plug-ins of plugstack.conf in slumber-dynamic: SPANK's local context (srun) and allocator
 * context (sbatch, salloc); see lib/plugins/spank.h. Plug-ins run with the rights of the command's
 * user. */
#include "commands/submit/plugins.h"

#include "commands/command.h"
#include "commands/jobspec/jobspec.h"
#include "lib/environment.h"
#include "lib/plugins/spank.h"

#include <sys/stat.h>

extern char **environ;

#define OF_GROUP "_HET_GROUP_"

static struct {
        const char *program;
        enum job_command command;
        struct plugstack stack;
        struct spank_host host;
        struct spank *loaded; /* NULL: no plug-ins */
        struct component {
                /* An option given on the component's part of the command line or in its script */
                struct said {
                        size_t option;
                        char *value; /* NULL: no value */
                } * said;
                size_t n_said, a_said;
                Slumber__PluginOption **given;
                size_t n_given;
                char *hook_variables;
        } * components;              /* a single one, unless the job or step is heterogeneous */
        size_t n, at;                /* at: component whose options are being read */
        struct environment *control; /* spank_job_control_...() */
        struct environment *begun;   /* control after SPANK_INIT */
} all;

/* ---- callbacks for plug-ins ---- */

#define GIVE(type, value) (*va_arg(ap, type *) = (type)(value), ESPANK_SUCCESS)

static spank_err_t item_give_number(uint32_t value, va_list ap) {
        return value ? GIVE(uint32_t, value) : ESPANK_NOT_AVAIL;
}

static spank_err_t plugin_item_get(void *user, void *task, spank_item_t item, va_list ap) {
        const struct command_view *v = user;

        (void)task;
        switch ((int)item) {
        case S_JOB_UID:
                return GIVE(uid_t, getuid());
        case S_JOB_GID:
                return GIVE(gid_t, getgid());
        case S_JOB_ID:
                return item_give_number(v->job, ap);
        case S_JOB_STEPID:
                return v->has_step ? GIVE(uint32_t, v->step) : ESPANK_NOT_AVAIL;
        case S_JOB_NNODES:
                return item_give_number(v->nodes, ap);
        case S_JOB_TOTAL_TASK_COUNT:
                return item_give_number(v->tasks, ap);
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

static void plugin_message_print(void *user, enum spank_level level, const char *text) {
        const struct command_view *v = user;
        static const char *const words[SPANK_SAY_MAX] = { "error: ", "", "", "",
                "debug:  ", "debug2: ", "debug3: " };

        if (level > SPANK_SAY_INFO && level - SPANK_SAY_INFO > v->verbose)
                return;
        if (level == SPANK_SAY_INFO && v->quiet)
                return;
        fprintf(stderr, "%s: %s%s\n", all.program, words[level], text);
}

static bool plugin_option_given(void *user, const char *plugin, const char *option,
                const char **ret_value) {
        _cleanup_free_ char *name = spank_option_variable(plugin, option);
        const char *value = getenv(name);

        (void)user;
        *ret_value = isempty(value) ? NULL : value;
        return value;
}

static bool option_name_is_taken(void *user, const char *option) {
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

static void keep_hook_variables(struct component *c) {
        char *const *lines = environment_vector(all.control);
        size_t size;

        free(TAKE(c->hook_variables));
        FILE *out = memstream_open(&c->hook_variables, &size);

        for (; *lines; lines++)
                fprintf(out, "%s\n", *lines);
        memstream_close(out);
}

static char *hook_variables(size_t at) {
        if (all.n == 1) /* control may have changed in later callbacks */
                keep_hook_variables(&all.components[at]);
        return all.components[at].hook_variables;
}

/* ---- options of plug-ins ---- */

static void options_begin(size_t at) {
        for (; all.n <= at; all.n++) {
                all.components = xrenew(all.components, all.n + 1);
                all.components[all.n] = (struct component){ 0 };
        }
        all.at = at;
        while (all.components[at].n_said)
                free(all.components[at].said[--all.components[at].n_said].value);
}

/* Notes an option. Options may be read more than once, and all components' options are read
   before the callbacks are called. */
static int take_option(size_t n, const char *value, struct fail *fail) {
        if (all.n == 0)
                options_begin(0);
        struct component *c = &all.components[all.at];

        (void)fail;
        GROW(c->said, c->a_said, c->n_said);
        c->said[c->n_said++] = (struct said){ n, xstrdup(value) };
        return 0;
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

static void component_options_note(struct component *c) {
        size_t n;
        const struct spank_registered *list = spank_options_of(all.loaded, &n);

        c->given = xnew0(Slumber__PluginOption *, MAX(n, (size_t)1));
        for (size_t i = 0; i < n; i++) {
                if (!list[i].given)
                        continue;
                Slumber__PluginOption *o = xnew(Slumber__PluginOption, 1);

                slumber__plugin_option__init(o);
                o->plugin = (char *)(uintptr_t)list[i].plugin;
                o->option = list[i].option->name;
                o->value = xstrdup(strempty(list[i].value));
                o->has_value = list[i].value != NULL;
                c->given[c->n_given++] = o;
        }
}

static void put_environment(size_t at, struct environment *e) {
        const struct component *c = &all.components[at];

        for (size_t i = 0; i < c->n_given; i++) {
                _cleanup_free_ char *name = spank_option_variable(c->given[i]->plugin,
                                c->given[i]->option);
                environment_set(e, name, "%s", c->given[i]->value);
        }
}

/* Passes the component's options to commands in the job by environment variables: with the
   component's number if the job is heterogeneous, as srun expects in such a job; component 0
   also without a number. */
static void tell_commands(size_t at, size_t n) {
        const struct component *c = &all.components[at];

        for (size_t i = 0; i < c->n_given; i++) {
                _cleanup_free_ char *name = spank_option_variable(c->given[i]->plugin,
                                                    c->given[i]->option),
                                    *of_group = xasprintf("%s" OF_GROUP "%zu", name, at);
                if (at == 0)
                        setenv(name, c->given[i]->value, 1);
                if (n > 1 && all.command != JOB_SRUN)
                        setenv(of_group, c->given[i]->value, 1);
        }
}

static int take_of_group(int group, struct fail *fail) {
        size_t n;
        const struct spank_registered *list = spank_options_of(all.loaded, &n);
        int r = 0;

        for (size_t i = 0; i < n && r >= 0; i++) {
                _cleanup_free_ char *name = spank_option_variable(list[i].plugin,
                                                    list[i].option->name),
                                    *of_group = xasprintf("%s" OF_GROUP "%d", name, group);
                const char *value = getenv(of_group);
                if (value)
                        r = spank_option_take(all.loaded, i, *value ? value : NULL, fail);
        }
        return r;
}

static int options_read(size_t at, size_t n, int group, struct fail *fail) {
        int r = 0;

        if (all.n <= at)
                options_begin(at);
        if (at) { /* drop the previous component's control variables */
                environment_free(all.control);
                all.control = environment_copy(all.begun);
        }
        if (group >= 0)
                r = take_of_group(group, fail);
        struct component *c = &all.components[at];
        for (size_t i = 0; i < c->n_said && r >= 0; i++)
                r = spank_option_take(all.loaded, c->said[i].option, c->said[i].value, fail);
        if (r >= 0)
                r = spank_call(all.loaded, SPANK_INIT_POST_OPT, NULL, fail);
        if (r < 0)
                return r;
        component_options_note(c);
        keep_hook_variables(c);
        tell_commands(at, n);
        return 0;
}

static int step_begins(struct fail *fail) {
        return spank_call(all.loaded, SPANK_LOCAL_USER_INIT, NULL, fail);
}

static Slumber__PluginOption **component_options_get(size_t at, size_t *ret_n) {
        *ret_n = all.components[at].n_given;
        return all.components[at].given;
}

/* ---- start and end ---- */

static char *read_link(const char *path) {
        char to[4096];
        ssize_t n = readlink(path, to, sizeof to - 1);

        return n < 0 ? NULL : xstrndup(to, (size_t)n);
}

/* Loads the plug-ins. Returns 0 with all.loaded NULL if no plug-ins are configured; files of the
   owner of the link beside the socket are trusted like root's. */
static int plugins_load(struct fail *fail) {
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
                .say = plugin_message_print,
                .item = plugin_item_get,
                .given = plugin_option_given,
                .get_control = get_control,
                .set_control = set_control,
                .is_taken = option_name_is_taken,
                .owner = st.st_uid,
                .user = &command_view,
        };
        return spank_load(&all.stack, &all.host, &all.loaded, fail);
}

int plugins_begin(const char *program) {
        static const struct command_plugins functions = { options_begin, options_read, step_begins,
                component_options_get, hook_variables, put_environment };
        struct fail fail = { 0 };

        all.program = program;
        all.command = streq(program, "srun")     ? JOB_SRUN
                      : streq(program, "sbatch") ? JOB_SBATCH
                                                 : JOB_SALLOC;
        int r = plugins_load(&fail);
        if (r >= 0)
                r = spank_call(all.loaded, SPANK_INIT, NULL, &fail);
        if (r < 0) {
                command_error(program, "%s", fail.text);
                return r;
        }
        if (!all.loaded)
                return 0;
        all.begun = environment_copy(all.control);
        add_options();
        command_plugins = &functions;
        return 0;
}

void plugins_end(void) {
        struct fail fail = { 0 };

        if (spank_call(all.loaded, SPANK_EXIT, NULL, &fail) < 0)
                command_error(all.program, "%s", fail.text);
}
