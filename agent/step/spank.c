/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plug-ins of plugstack.conf in a step daemon: SPANK's remote context (lib/plugins/spank.h).
 *
 * A step daemon with plug-ins runs a single step: plugstack.conf is read at each launch, and a
 * plug-in may change the process for good. The running callback is recorded in the step's folder,
 * so that slumberd can name the plug-in that crashed a step daemon, and can kill a hanging step
 * daemon (plugin_doing.c). */
#include "lib/plugins/spank.h"
#include "agent/common/plugin_doing.h"
#include "agent/step/parts.h"

#include <fcntl.h>

struct step_plugins {
        struct plugstack stack;
        struct spank_host host;
        struct spank *loaded; /* NULL: none loaded yet */
        int go[2];            /* tasks wait for a byte before exec; -1: closed */
        char **prepended;     /* arguments prepended to the task's own */
        size_t n_prepended;
        bool ended;
};

/* ---- items for plug-ins ---- */

#define GIVE(type, value) (*va_arg(ap, type *) = (type)(value), ESPANK_SUCCESS)
/* Context of a question. A va_list is passed beside the struct, as an array type could not be
   copied into a member. */
struct asked {
        const struct step *s;
        const struct task *t; /* NULL: no task */
};

static spank_err_t item_of_task(const struct asked *a, spank_item_t item, va_list ap) {
        const struct step *s = a->s;
        const struct task *t = a->t;

        if (!t)
                return ESPANK_NOT_TASK;
        switch ((int)item) {
        case S_TASK_ID:
                return GIVE(int, t - s->tasks);
        case S_TASK_GLOBAL_ID:
                return GIVE(uint32_t, t->rank);
        case S_TASK_PID:
                return GIVE(pid_t, t->pid ? t->pid : getpid());
        default: /* S_TASK_EXIT_STATUS */
                return t->running || !t->pid ? ESPANK_NOT_AVAIL : GIVE(int, t->status);
        }
}

static spank_err_t item_number(const struct step *s, spank_item_t item, va_list ap) {
        const Slumber__CredentialBody *c = s->credential;
        const struct {
                spank_item_t item;
                uint32_t value;
        } numbers[] = {
                { S_JOB_ID, c->job_id },
                { S_JOB_STEPID, c->step_id },
                { S_JOB_NNODES, MAX(s->launch->num_nodes, 1u) },
                { S_JOB_NODEID, s->launch->node_rank },
                { S_JOB_LOCAL_TASK_COUNT, (uint32_t)s->n_tasks },
                { S_JOB_TOTAL_TASK_COUNT, MAX(s->launch->num_tasks, 1u) },
                { S_SLURM_RESTART_COUNT, c->restarts },
                { S_JOB_ARRAY_ID, s->launch->array_job },
                { S_JOB_ARRAY_TASK_ID, s->launch->array_task },
        };

        for (size_t i = 0; i < ELEMENTSOF(numbers); i++)
                if (numbers[i].item == item)
                        return GIVE(uint32_t, numbers[i].value);
        return ESPANK_BAD_ARG;
}

/* Translates a process id, a local or a global task number to a task number. */
static spank_err_t item_translate_id(const struct step *s, spank_item_t item, va_list ap) {
        bool by_pid = item == S_JOB_PID_TO_GLOBAL_ID || item == S_JOB_PID_TO_LOCAL_ID;
        bool to_global = item == S_JOB_PID_TO_GLOBAL_ID || item == S_JOB_LOCAL_TO_GLOBAL_ID;
        pid_t pid = by_pid ? va_arg(ap, pid_t) : 0;
        uint32_t id = by_pid ? 0 : va_arg(ap, uint32_t), *to = va_arg(ap, uint32_t *);

        for (size_t i = 0; i < s->n_tasks; i++) {
                const struct task *t = &s->tasks[i];
                bool found = by_pid                             ? t->pid == pid && pid > 0
                             : item == S_JOB_LOCAL_TO_GLOBAL_ID ? i == id
                                                                : t->rank == id;

                if (!found)
                        continue;
                *to = to_global ? t->rank : (uint32_t)i;
                return ESPANK_SUCCESS;
        }
        return ESPANK_NOEXIST;
}

static spank_err_t item_list(struct step *s, spank_item_t item, va_list ap) {
        if (item == S_JOB_ENV) {
                *va_arg(ap, char ***) = environment_vector(s->environment);
        } else if (item == S_JOB_SUPPLEMENTARY_GIDS) {
                *va_arg(ap, gid_t **) = s->user.groups;
                *va_arg(ap, int *) = (int)s->user.n_groups;
        } else {
                int *n = va_arg(ap, int *);
                bool batch = s->launch->batch;
                /* the script's own path comes first, the array has room for the path */
                *va_arg(ap, char ***) = batch ? step_script_arguments(s)
                                              : s->launch->spec->arguments;
                *n = (int)(batch ? s->launch->script->n_arguments + 1
                                 : s->launch->spec->n_arguments);
        }
        return ESPANK_SUCCESS;
}

static spank_err_t plugin_get_item(void *user, void *task, spank_item_t item, va_list ap) {
        struct step *s = user;
        const struct asked asked = { s, task };

        switch ((int)item) {
        case S_JOB_UID:
                return GIVE(uid_t, s->credential->uid);
        case S_JOB_GID:
                return GIVE(gid_t, s->credential->gid);
        case S_JOB_NCPUS:
                return GIVE(uint16_t, s->credential->cpus);
        case S_STEP_CPUS_PER_TASK:
                return GIVE(uint64_t, MAX(s->launch->spec->cpus_per_task, 1u));
        case S_JOB_ALLOC_CORES:
                return GIVE(char *, s->credential->job_cores);
        case S_STEP_ALLOC_CORES:
                return GIVE(char *, s->credential->cores);
        case S_JOB_ALLOC_MEM:
                return GIVE(uint64_t, s->credential->job_mem);
        case S_STEP_ALLOC_MEM:
                return GIVE(uint64_t, s->credential->mem);
        case S_TASK_ID:
        case S_TASK_GLOBAL_ID:
        case S_TASK_PID:
        case S_TASK_EXIT_STATUS:
                return item_of_task(&asked, item, ap);
        case S_JOB_PID_TO_GLOBAL_ID:
        case S_JOB_PID_TO_LOCAL_ID:
        case S_JOB_LOCAL_TO_GLOBAL_ID:
        case S_JOB_GLOBAL_TO_LOCAL_ID:
                return item_translate_id(s, item, ap);
        case S_JOB_ARGV:
        case S_JOB_ENV:
        case S_JOB_SUPPLEMENTARY_GIDS:
                return item_list(s, item, ap);
        default:
                return item_number(s, item, ap);
        }
}

static const char *get_env(void *user, const char *name) {
        return environment_get(((struct step *)user)->environment, name);
}

static void set_env(void *user, const char *name, const char *value) {
        struct environment *e = ((struct step *)user)->environment;

        if (value)
                environment_set(e, name, "%s", value);
        else
                environment_unset(e, name);
}

static bool spank_option_given(void *user, const char *plugin, const char *option,
                const char **ret_value) {
        const struct step *s = user;
        const Slumber__StepSpec *spec = s->launch->spec;

        for (size_t i = 0; i < spec->n_plugin_options; i++) {
                const Slumber__PluginOption *o = spec->plugin_options[i];

                if (!streq(o->plugin, plugin) || !streq(o->option, option))
                        continue;
                *ret_value = o->has_value ? o->value : NULL;
                return true;
        }
        return false;
}

/* Runs in the process of a task. */
static int spank_prepend(void *user, int argc, const char *const *argv) {
        struct step_plugins *p = ((struct step *)user)->plugins;
        char **list = xnew(char *, p->n_prepended + (size_t)argc);

        if (p->go[1] >= 0) /* the step daemon itself has no task arguments */
                return -EINVAL;
        for (int i = 0; i < argc; i++)
                list[i] = xstrdup(argv[i]);
        for (size_t i = 0; i < p->n_prepended; i++)
                list[(size_t)argc + i] = p->prepended[i];
        free(p->prepended);
        p->prepended = list;
        p->n_prepended += (size_t)argc;
        return 0;
}

char **spank_task_arguments(const struct step *s, char **v) {
        const struct step_plugins *p = s->plugins;
        size_t n = 0;

        if (!p || p->n_prepended == 0)
                return v;
        while (v[n])
                n++;
        char **all = xnew(char *, p->n_prepended + n + 1);
        memcpy(all, p->prepended, p->n_prepended * sizeof *all);
        memcpy(all + p->n_prepended, v, (n + 1) * sizeof *all);
        return all;
}

/* ---- messages of plug-ins ---- */

static bool in_task(const struct step *s) {
        return s->plugins->go[1] < 0;
}

static void plugin_say(void *user, enum spank_level level, const char *text) {
        static const int levels[SPANK_SAY_MAX] = { LOG_ERR, LOG_ERR, LOG_INFO, LOG_INFO, LOG_DEBUG,
                LOG_DEBUG, LOG_DEBUG };
        struct step *s = user;
        const char *word = level == SPANK_SAY_ERROR ? "error: " : "";
        bool shown = levels[level] == LOG_ERR ||
                     (uint32_t)levels[level] < s->launch->spec->debug_level;

        if (in_task(s)) {
                if (shown)
                        dprintf(STDERR_FILENO, "slurmstepd: %s%s\n", word, text);
                return;
        }
        if (levels[level] <= LOG_INFO)
                fprintf(stderr, "slumberstepd: job %u: %s%s\n", s->credential->job_id, word, text);
        if (shown)
                step_say(s, "slurmstepd: %s%s\n", word, text);
}

/* ---- callbacks ---- */

static int spank_load_stack(struct step *s, struct fail *fail) {
        const Slumber__AgentConfig *config = s->spec->config;
        struct step_plugins *p = s->plugins;
        int r = plugstack_read(&p->stack, config->plugstack, config->plugin_dir, 0, fail);

        if (r == -ENOENT) /* removed meanwhile */
                return 0;
        if (r < 0 || p->stack.n == 0)
                return r;
        p->host = (struct spank_host){
                .context = S_CTX_REMOTE,
                .program = "slurmstepd",
                .say = plugin_say,
                .item = plugin_get_item,
                .get_env = get_env,
                .set_env = set_env,
                .prepend = spank_prepend,
                .given = spank_option_given,
                .doing = plugin_doing_make(s->spec->spool),
                .owner = 0,
                .user = s,
        };
        return spank_load(&p->stack, &p->host, &p->loaded, fail);
}

static int as_user(struct step *s, struct fail *fail) {
        int r = step_put_on_user(s);

        if (r < 0) {
                (void)step_take_off_user();
                return fail_set(fail, r, "cannot become the user: %s", strerror(-r));
        }
        r = spank_call(s->plugins->loaded, SPANK_USER_INIT, NULL, fail);
        int back = step_take_off_user();
        return r < 0 || back >= 0 ? r : fail_set(fail, back, "cannot become root again");
}

int spank_start(struct step *s, struct fail *fail) {
        if (!s->spec->config || isempty(s->spec->config->plugstack))
                return 0;
        s->plugins = xnew0(struct step_plugins, 1);
        s->plugins->go[0] = s->plugins->go[1] = -1;
        if (pipe2(s->plugins->go, O_CLOEXEC) < 0)
                return fail_set(fail, -errno, "cannot make a pipe: %s", strerror(errno));
        int r = spank_load_stack(s, fail);
        struct spank *loaded = s->plugins->loaded;

        if (r >= 0)
                r = spank_call(loaded, SPANK_INIT, NULL, fail);
        if (r >= 0)
                r = spank_call(loaded, SPANK_INIT_POST_OPT, NULL, fail);
        if (r >= 0 && spank_has(loaded, SPANK_USER_INIT))
                r = as_user(s, fail);
        return r;
}

int spank_forked(struct step *s, struct fail *fail) {
        int r = 0;

        if (!s->plugins || s->plugins->go[0] < 0)
                return 0;
        for (size_t i = 0; r >= 0 && i < s->n_tasks; i++)
                if (s->tasks[i].pid)
                        r = spank_call(s->plugins->loaded, SPANK_TASK_POST_FORK, &s->tasks[i],
                                        fail);
        for (size_t i = 0; r >= 0 && i < s->n_tasks; i++)
                (void)!write(s->plugins->go[1], "", 1);
        close(TAKE_FD(s->plugins->go[0]));
        return r;
}

/* Ends the process on failure, like a task whose program cannot be run. */
static void call_in_task(struct step *s, struct task *t, enum spank_call call) {
        struct fail fail = { 0 };

        if (spank_call(s->plugins->loaded, call, t, &fail) >= 0)
                return;
        dprintf(STDERR_FILENO, "slurmstepd: error: %s\n", fail.text);
        _exit(EXIT_FAILURE);
}

void spank_task_privileged(struct step *s, struct task *t) {
        struct step_plugins *p = s->plugins;
        char byte;

        if (!p)
                return;
        spank_in_child(p->loaded);
        close(TAKE_FD(p->go[1]));
        call_in_task(s, t, SPANK_TASK_INIT_PRIVILEGED);
        /* no byte: the step daemon has ended, or refuses the tasks */
        ssize_t n;
        do
                n = read(p->go[0], &byte, 1);
        while (n < 0 && errno == EINTR);
        if (n != 1)
                _exit(EXIT_FAILURE);
}

void spank_task_init(struct step *s, struct task *t) {
        if (s->plugins)
                call_in_task(s, t, SPANK_TASK_INIT);
}

void spank_task_exit(struct step *s, struct task *t) {
        struct fail fail = { 0 };

        if (s->plugins && spank_call(s->plugins->loaded, SPANK_TASK_EXIT, t, &fail) < 0)
                step_complain(s, "%s", fail.text);
}

void spank_exit(struct step *s) {
        struct fail fail = { 0 };

        if (!s->plugins || s->plugins->ended)
                return;
        s->plugins->ended = true;
        if (spank_call(s->plugins->loaded, SPANK_EXIT, NULL, &fail) < 0)
                step_complain(s, "%s", fail.text);
}

void spank_done(struct step *s) {
        struct step_plugins *p = s->plugins;

        if (!p)
                return;
        spank_free(p->loaded);
        plugstack_done(&p->stack);
        for (int i = 0; i < 2; i++)
                if (p->go[i] >= 0)
                        close(p->go[i]);
        free(p);
        s->plugins = NULL;
}
