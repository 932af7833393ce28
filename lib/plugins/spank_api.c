/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that plug-ins call: slurm/spank.h, exported by name (spank.symbols). */
#include "lib/plugins/spank.h"

static const char *const error_texts[] = {
        [ESPANK_SUCCESS] = "Success",
        [ESPANK_ERROR] = "Error",
        [ESPANK_BAD_ARG] = "Bad argument",
        [ESPANK_NOT_TASK] = "Not in a task",
        [ESPANK_ENV_EXISTS] = "The variable is set already",
        [ESPANK_ENV_NOEXIST] = "The variable is not set",
        [ESPANK_NOSPACE] = "The buffer is too small",
        [ESPANK_NOT_REMOTE] = "Only in the step daemon",
        [ESPANK_NOEXIST] = "There is no such task or process",
        [ESPANK_NOT_EXECD] = "The task has not begun its program",
        [ESPANK_NOT_AVAIL] = "Not available",
        [ESPANK_NOT_LOCAL] = "Only in srun, sbatch and salloc",
};

const char *spank_strerror(spank_err_t error) {
        return (size_t)error < ELEMENTSOF(error_texts) ? error_texts[error] : "Unknown error";
}

/* Returns the host; NULL: not a valid handle. */
static const struct spank_host *handle_host(spank_t handle) {
        struct spank *s = spank_current();

        return s && handle == spank_handle_of(s) ? spank_host_of(s) : NULL;
}

enum spank_context spank_context(void) {
        struct spank *s = spank_current();

        return s ? spank_host_of(s)->context : S_CTX_ERROR;
}

int spank_remote(spank_t handle) {
        const struct spank_host *h = handle_host(handle);

        return h ? h->context == S_CTX_REMOTE : -1;
}

int spank_symbol_supported(const char *symbol) {
        return symbol ? spank_calls(symbol) : -1;
}

/* ---- items ---- */

/* Returns "25.05.0" (part -1), or one of its parts. */
static char *slurm_version_part(int part) {
        static char parts[3][8];
        const char *from = SLURM_VERSION;

        if (part < 0)
                return (char *)(uintptr_t)SLURM_VERSION;
        for (int i = 0; i < part; i++)
                from += strcspn(from, ".") + 1;
        snprintf(parts[part], sizeof parts[part], "%.*s", (int)strcspn(from, "."), from);
        return parts[part];
}

spank_err_t spank_get_item(spank_t handle, spank_item_t item, ...) {
        const struct spank_host *h = handle_host(handle);
        spank_err_t r = ESPANK_SUCCESS;
        va_list ap;

        if (!h)
                return ESPANK_BAD_ARG;
        va_start(ap, item);
        if (item >= S_SLURM_VERSION && item <= S_SLURM_VERSION_MICRO)
                *va_arg(ap, char **) = slurm_version_part((int)item - (int)S_SLURM_VERSION - 1);
        else
                r = h->item ? h->item(h->user, spank_task_of(spank_current()), item, ap)
                            : ESPANK_NOT_AVAIL;
        va_end(ap);
        return r;
}

/* ---- environments ---- */

static bool is_variable_name(const char *name) {
        return !isempty(name) && !strchr(name, '=');
}

static spank_err_t value_copy(const char *value, char *buf, int len) {
        if (!value)
                return ESPANK_ENV_NOEXIST;
        if (strlen(value) >= (size_t)len)
                return ESPANK_NOSPACE;
        strcpy(buf, value);
        return ESPANK_SUCCESS;
}

spank_err_t spank_getenv(spank_t handle, const char *name, char *buf, int len) {
        const struct spank_host *h = handle_host(handle);

        if (!h || !is_variable_name(name) || !buf || len <= 0)
                return ESPANK_BAD_ARG;
        return h->get_env ? value_copy(h->get_env(h->user, name), buf, len) : ESPANK_NOT_REMOTE;
}

spank_err_t spank_setenv(spank_t handle, const char *name, const char *value, int overwrite) {
        const struct spank_host *h = handle_host(handle);

        if (!h || !is_variable_name(name) || !value)
                return ESPANK_BAD_ARG;
        if (!h->set_env)
                return ESPANK_NOT_REMOTE;
        if (!overwrite && h->get_env(h->user, name))
                return ESPANK_ENV_EXISTS;
        h->set_env(h->user, name, value);
        return ESPANK_SUCCESS;
}

spank_err_t spank_unsetenv(spank_t handle, const char *name) {
        const struct spank_host *h = handle_host(handle);

        if (!h || !is_variable_name(name))
                return ESPANK_BAD_ARG;
        if (!h->set_env)
                return ESPANK_NOT_REMOTE;
        h->set_env(h->user, name, NULL);
        return ESPANK_SUCCESS;
}

/* True if name and value fit into a line of a list. */
static bool is_job_control(const char *name, const char *value) {
        static const char letters[] =
                        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";

        return is_variable_name(name) && !name[strspn(name, letters)] && !strchr(value, '\n');
}

spank_err_t spank_job_control_getenv(spank_t handle, const char *name, char *buf, int len) {
        const struct spank_host *h = handle_host(handle);

        if (!h || !is_variable_name(name) || !buf || len <= 0)
                return ESPANK_BAD_ARG;
        return h->get_control ? value_copy(h->get_control(h->user, name), buf, len)
                              : ESPANK_NOT_LOCAL;
}

spank_err_t spank_job_control_setenv(spank_t handle, const char *name, const char *value,
                int overwrite) {
        const struct spank_host *h = handle_host(handle);

        if (!h || !value || !is_job_control(name, value))
                return ESPANK_BAD_ARG;
        if (!h->set_control)
                return ESPANK_NOT_LOCAL;
        if (!overwrite && h->get_control(h->user, name))
                return ESPANK_ENV_EXISTS;
        h->set_control(h->user, name, value);
        return ESPANK_SUCCESS;
}

spank_err_t spank_job_control_unsetenv(spank_t handle, const char *name) {
        const struct spank_host *h = handle_host(handle);

        if (!h || !is_variable_name(name))
                return ESPANK_BAD_ARG;
        if (!h->set_control)
                return ESPANK_NOT_LOCAL;
        h->set_control(h->user, name, NULL);
        return ESPANK_SUCCESS;
}

spank_err_t spank_prepend_task_argv(spank_t handle, int argc, const char *argv[]) {
        const struct spank_host *h = handle_host(handle);

        if (!h || argc <= 0 || !argv)
                return ESPANK_BAD_ARG;
        for (int i = 0; i < argc; i++)
                if (!argv[i])
                        return ESPANK_BAD_ARG;
        if (!h->prepend)
                return ESPANK_NOT_REMOTE;
        return h->prepend(h->user, argc, argv) < 0 ? ESPANK_NOT_TASK : ESPANK_SUCCESS;
}

/* ---- options ---- */

spank_err_t spank_option_register(spank_t handle, struct spank_option *option) {
        if (!handle_host(handle) || !option)
                return ESPANK_BAD_ARG;
        return (spank_err_t)spank_register(spank_current(), option);
}

spank_err_t spank_option_getopt(spank_t handle, struct spank_option *option, char **argument) {
        const struct spank_host *h = handle_host(handle);

        if (!h || !option || isempty(option->name))
                return ESPANK_BAD_ARG;
        if (h->context == S_CTX_JOB_SCRIPT) { /* no registration in job scripts */
                const char *value = NULL;

                if (!spank_given(spank_current(), option->name, &value))
                        return ESPANK_ERROR;
                if (argument)
                        *argument = (char *)(uintptr_t)value;
                return ESPANK_SUCCESS;
        }
        const struct spank_registered *o = spank_find_option(spank_current(), option->name);
        if (!o)
                return ESPANK_BAD_ARG;
        if (!o->given)
                return ESPANK_ERROR;
        if (argument)
                *argument = o->value;
        return ESPANK_SUCCESS;
}

/* ---- messages ---- */

#define SAYS(name, level)                                                                          \
        void name(const char *format, ...) {                                                       \
                va_list ap;                                                                        \
                                                                                                   \
                va_start(ap, format);                                                              \
                spank_say(level, format, ap);                                                      \
                va_end(ap);                                                                        \
        }
SAYS(slurm_error, SPANK_SAY_ERROR)
SAYS(slurm_spank_log, SPANK_SAY_LOG)
SAYS(slurm_info, SPANK_SAY_INFO)
SAYS(slurm_verbose, SPANK_SAY_VERBOSE)
SAYS(slurm_debug, SPANK_SAY_DEBUG)
SAYS(slurm_debug2, SPANK_SAY_DEBUG2)
SAYS(slurm_debug3, SPANK_SAY_DEBUG3)
