/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/plugins/spank.h"

#include <ctype.h>
#include <dlfcn.h>
#include <signal.h>
#include <sys/stat.h>

#define OPTIONS_MAX 256
#define NAME_MAX_   64 /* bytes of an option's name */

static const struct {
        const char *name;
        bool all; /* call all plug-ins, also after a failure */
} calls[SPANK_CALL_MAX] = {
        [SPANK_INIT] = { "slurm_spank_init" },
        [SPANK_INIT_POST_OPT] = { "slurm_spank_init_post_opt" },
        [SPANK_LOCAL_USER_INIT] = { "slurm_spank_local_user_init" },
        [SPANK_USER_INIT] = { "slurm_spank_user_init" },
        [SPANK_TASK_INIT_PRIVILEGED] = { "slurm_spank_task_init_privileged" },
        [SPANK_TASK_POST_FORK] = { "slurm_spank_task_post_fork" },
        [SPANK_TASK_INIT] = { "slurm_spank_task_init" },
        [SPANK_TASK_EXIT] = { "slurm_spank_task_exit", .all = true },
        [SPANK_EXIT] = { "slurm_spank_exit", .all = true },
        [SPANK_SLURMD_INIT] = { "slurm_spank_slurmd_init" },
        [SPANK_SLURMD_EXIT] = { "slurm_spank_slurmd_exit", .all = true },
        [SPANK_JOB_PROLOG] = { "slurm_spank_job_prolog" },
        [SPANK_JOB_EPILOG] = { "slurm_spank_job_epilog" },
};

struct plugin {
        const struct plugstack_entry *entry;
        const char *name;
        spank_f *call[SPANK_CALL_MAX];
};

struct spank_handle {
        struct spank *stack;
};

struct spank {
        const struct spank_host *host;
        struct spank_handle handle;
        struct plugin *list;
        size_t n;
        const struct plugin *running; /* plug-in whose callback runs; NULL: none */
        enum spank_call phase;
        bool loading;
        void *task;
        struct spank_registered *options;
        size_t n_options, options_allocated;
};

static struct spank *current;
static struct spank_doing own_doing, *doing = &own_doing;
static const char *program = "";

/* ---- a crash ---- */

static void stderr_put(const char *text) {
        (void)!write(STDERR_FILENO, text, strlen(text));
}

/* Reports the crash; the signal is then raised again and ends the process. */
static void on_crash(int sig) {
        char number[] = " crashed: signal 00\n";

        if (!doing->text[0])
                return;
        doing->signal = sig;
        number[sizeof number - 4] = (char)('0' + sig / 10 % 10);
        number[sizeof number - 3] = (char)('0' + sig % 10);
        stderr_put(program);
        stderr_put(": error: ");
        stderr_put(doing->text);
        stderr_put(number);
}

static void watch_crashes(void) {
        static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS };
        static char room[64 << 10]; /* the handler's own stack, in case the stack has overflowed */
        stack_t stack = { .ss_sp = room, .ss_size = sizeof room };
        struct sigaction action = { .sa_handler = on_crash,
                .sa_flags = (int)SA_RESETHAND | SA_ONSTACK };

        (void)sigaltstack(&stack, NULL);
        for (size_t i = 0; i < ELEMENTSOF(signals); i++)
                (void)sigaction(signals[i], &action, NULL);
}

static void spank_call_begin(struct spank *s, const struct plugin *p, const char *what) {
        s->running = p;
        doing->pid = (int32_t)getpid();
        snprintf(doing->text, sizeof doing->text, "plug-in %s: %s()", p->entry->path, what);
}

static void spank_call_end(struct spank *s) {
        s->running = NULL;
        doing->text[0] = 0;
}

void spank_in_child(struct spank *s) {
        if (s)
                doing = &own_doing;
}

/* ---- messages of plug-ins ---- */

static _printf_(2, 3) void say(enum spank_level level, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        spank_say(level, format, ap);
        va_end(ap);
}

void spank_say(enum spank_level level, const char *format, va_list ap) {
        _cleanup_free_ char *text = xvasprintf(format, ap);
        size_t n = strlen(text);

        while (n > 0 && text[n - 1] == '\n')
                text[--n] = 0;
        if (current)
                current->host->say(current->host->user, level, text);
}

/* ---- loading ---- */

/* Leaves out an optional plug-in with a warning; returns r for a required one. */
static int spank_leave_out(const struct plugstack_entry *e, struct fail *fail, int r) {
        fail_prefix(fail, r, "%s line %u", e->file, e->line);
        if (e->required)
                return r;
        say(SPANK_SAY_ERROR, "%s (optional: going on without it)", fail->text);
        return 0;
}

static int find_functions(struct plugin *p, void *object, struct fail *fail) {
        const char *path = p->entry->path;
        const unsigned *interface = dlsym(object, "slumber_spank_interface");

        p->name = dlsym(object, "plugin_name");
        if (!p->name)
                return fail_set(fail, -ENOEXEC, "%s has no SPANK_PLUGIN()", path);
        if (!interface || *interface != SLUMBER_SPANK_INTERFACE)
                return fail_set(fail, -ENOEXEC,
                                "%s was compiled for another program: compile it with the "
                                "slurm/spank.h of this Slumber",
                                path);
        for (int i = 0; i < SPANK_CALL_MAX; i++)
                *(void **)&p->call[i] = dlsym(object, calls[i].name);
        return 0;
}

static void drop_last_option(struct spank *s) {
        struct spank_registered *o = &s->options[--s->n_options];

        free(o->option->name);
        free(o->option->arginfo);
        free(o->option->usage);
        free(o->option);
        free(o->value);
}

/* Removes the last plug-in with its options, which are the last options. */
static void forget_last(struct spank *s) {
        const struct plugin *last = &s->list[--s->n];

        while (s->n_options && s->options[s->n_options - 1].plugin == last->name)
                drop_last_option(s);
}

static int open_plugin(struct spank *s, const struct plugstack_entry *e, struct fail *fail) {
        struct plugin p = { .entry = e };
        int r = plugstack_check_file(e->path, s->host->owner, fail);

        if (r < 0)
                return r;
        void *object = dlopen(e->path, RTLD_NOW | RTLD_LOCAL);
        if (!object)
                return fail_set(fail, -ENOEXEC, "%s", strempty(dlerror()));
        r = find_functions(&p, object, fail);
        if (r < 0)
                return r;
        s->list[s->n++] = p;
        struct spank_option *o = dlsym(object, "spank_options");
        if (!o || (s->host->context != S_CTX_LOCAL && s->host->context != S_CTX_REMOTE))
                return 0;
        s->running = &s->list[s->n - 1];
        for (; r >= 0 && o->name; o++)
                r = spank_register(s, o) == ESPANK_SUCCESS
                                    ? 0
                                    : fail_set(fail, -EINVAL, "%s: its option \"%s\" is refused",
                                                      e->path, o->name);
        s->running = NULL;
        if (r < 0)
                forget_last(s);
        return r;
}

int spank_load(const struct plugstack *stack, const struct spank_host *host, struct spank **ret,
                struct fail *fail) {
        struct spank *s = xnew0(struct spank, 1);
        int r = 0;

        *s = (struct spank){ .host = host, .loading = true };
        s->handle.stack = s;
        s->list = xnew0(struct plugin, MAX(stack->n, (size_t)1));
        current = s;
        program = host->program;
        if (host->doing)
                doing = host->doing;
        watch_crashes();
        for (size_t i = 0; r >= 0 && i < stack->n; i++) {
                const struct plugstack_entry *e = &stack->list[i];
                struct fail why = { 0 };

                r = open_plugin(s, e, &why);
                if (r < 0)
                        r = spank_leave_out(e, &why, r);
                if (r < 0)
                        fail_set(fail, r, "%s", why.text);
        }
        s->loading = false;
        if (r < 0)
                spank_free(s);
        else
                *ret = s;
        return r;
}

struct spank *spank_free(struct spank *s) {
        if (!s)
                return NULL;
        while (s->n_options)
                drop_last_option(s);
        free(s->options);
        free(s->list);
        free(s);
        current = NULL;
        return NULL;
}

/* ---- calling ---- */

bool spank_has(const struct spank *s, enum spank_call call) {
        for (size_t i = 0; s && i < s->n; i++)
                if (s->list[i].call[call])
                        return true;
        return false;
}

/* Calls one function of one plug-in. */
static int call_plugin(struct spank *s, const struct plugin *p, enum spank_call call,
                struct fail *fail) {
        spank_call_begin(s, p, calls[call].name);
        int r = p->call[call](&s->handle, p->entry->argc, p->entry->argv);
        spank_call_end(s);
        if (r == 0)
                return 0;
        fail_set(fail, -ECANCELED, "plug-in %s: %s() failed with %d", p->entry->path,
                        calls[call].name, r);
        if (p->entry->required)
                return -ECANCELED;
        say(SPANK_SAY_ERROR, "%s (optional: going on)", fail->text);
        return 0;
}

int spank_call(struct spank *s, enum spank_call call, void *task, struct fail *fail) {
        int result = 0;

        if (!s)
                return 0;
        s->phase = call;
        s->task = task;
        for (size_t i = 0; i < s->n; i++) {
                struct fail why = { 0 };
                int r = s->list[i].call[call] ? call_plugin(s, &s->list[i], call, &why) : 0;

                if (r < 0 && result == 0)
                        result = fail_set(fail, r, "%s", why.text);
                if (r < 0 && !calls[call].all)
                        break;
        }
        s->task = NULL;
        return result;
}

bool spank_calls(const char *name) {
        for (int i = 0; i < SPANK_CALL_MAX; i++)
                if (streq(calls[i].name, name))
                        return true;
        return false;
}

struct spank *spank_current(void) {
        return current;
}

struct spank_handle *spank_handle_of(struct spank *s) {
        return &s->handle;
}

const struct spank_host *spank_host_of(const struct spank *s) {
        return s->host;
}

void *spank_task_of(const struct spank *s) {
        return s->task;
}

/* ---- options ---- */

const struct spank_registered *spank_options_of(const struct spank *s, size_t *ret_n) {
        *ret_n = s->n_options;
        return s->options;
}

char *spank_option_variable(const char *plugin, const char *option) {
        char *name = xasprintf("_SLURM_SPANK_OPTION_%s_%s", plugin, option);

        for (char *c = name; *c; c++)
                if (!isalnum((unsigned char)*c))
                        *c = '_';
        return name;
}

static bool may_register(const struct spank *s) {
        return s->loading || (s->running && s->phase == SPANK_INIT);
}

static const struct spank_registered *spank_option_find(const struct spank *s, const char *name) {
        for (size_t i = 0; i < s->n_options; i++)
                if (streq(s->options[i].option->name, name))
                        return &s->options[i];
        return NULL;
}

static int call_option(struct spank *s, const struct plugin *p, struct spank_registered *o) {
        const struct plugin *before = s->running;

        if (!o->option->cb)
                return 0;
        spank_call_begin(s, p, o->option->name);
        int r = o->option->cb(o->option->val, o->value, s->host->context == S_CTX_REMOTE);
        spank_call_end(s);
        if (before) /* registered by a callback, which continues */
                spank_call_begin(s, before, calls[s->phase].name);
        return r;
}

/* Returns a copy of an option: the plug-in's struct and texts may be local variables. */
static struct spank_option *option_copy(const struct spank_option *o) {
        struct spank_option *copy = xnew(struct spank_option, 1);

        *copy = *o;
        copy->name = xstrdup(o->name);
        copy->arginfo = xstrdup(o->arginfo);
        copy->usage = xstrdup(o->usage);
        return copy;
}

int spank_register(struct spank *s, struct spank_option *option) {
        const struct spank_host *h = s->host;
        const char *value;

        if (!may_register(s) || isempty(option->name) || strlen(option->name) > NAME_MAX_ ||
                        option->has_arg < 0 || option->has_arg > 2 || s->n_options == OPTIONS_MAX ||
                        option->name[strcspn(option->name, "= \t")])
                return ESPANK_BAD_ARG;
        if (spank_option_find(s, option->name) ||
                        (h->is_taken && h->is_taken(h->user, option->name))) {
                say(SPANK_SAY_ERROR, "plug-in %s: --%s is an option already",
                                s->running->entry->path, option->name);
                return ESPANK_BAD_ARG;
        }
        GROW(s->options, s->options_allocated, s->n_options);
        struct spank_registered *o = &s->options[s->n_options++];
        *o = (struct spank_registered){ .plugin = s->running->name, .option = option_copy(option) };
        if (!h->given || !h->given(h->user, o->plugin, option->name, &value))
                return ESPANK_SUCCESS;
        o->given = true;
        o->value = xstrdup(value);
        return call_option(s, s->running, o) == 0 ? ESPANK_SUCCESS : ESPANK_ERROR;
}

static const struct plugin *spank_plugin_of_name(const struct spank *s, const char *name) {
        size_t i = 0;

        while (i + 1 < s->n && s->list[i].name != name)
                i++;
        return &s->list[i];
}

int spank_option_take(struct spank *s, size_t number, const char *value, struct fail *fail) {
        struct spank_registered *o = &s->options[number];

        o->given = true;
        free(o->value);
        o->value = xstrdup(value);
        s->phase = SPANK_CALL_MAX;
        if (call_option(s, spank_plugin_of_name(s, o->plugin), o) == 0)
                return 0;
        return fail_set(fail, -EINVAL, "Invalid --%s argument: %.200s", o->option->name,
                        value ? value : "(none)");
}

bool spank_given(const struct spank *s, const char *name, const char **ret_value) {
        const struct spank_host *h = s->host;

        return s->running && h->given && h->given(h->user, s->running->name, name, ret_value);
}

/* Returns an option of the running plug-in. */
const struct spank_registered *spank_find_option(const struct spank *s, const char *name) {
        const struct spank_registered *o = spank_option_find(s, name);

        return o && s->running && streq(o->plugin, s->running->name) ? o : NULL;
}
