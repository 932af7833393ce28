/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plug-ins of plugstack.conf outside of steps: slurmd_init and slurmd_exit, in a process started by
 * slumberd, and job_prolog and job_epilog, in a child of the step daemon running the job's hooks
 * (hook_run.c). Each runs in a separate process, of which slumberd needs only the end. */
#include "agent/step/spank_scripts.h"

#include "lib/plugins/spank.h"

static void scripts_say(void *user, enum spank_level level, const char *text) {
        (void)user;
        if (level <= SPANK_SAY_INFO)
                fprintf(stderr, "slumberd: %s%s\n", level == SPANK_SAY_ERROR ? "error: " : "",
                                text);
}

/* Items are limited to those in the environment of the job's hooks. */
static spank_err_t scripts_get_item(void *user, void *task, spank_item_t item, va_list ap) {
        const Slumber__HookSpec *h = user;

        (void)task;
        if (!h || (item != S_JOB_ID && item != S_JOB_UID))
                return ESPANK_NOT_AVAIL;
        if (item == S_JOB_ID)
                *va_arg(ap, uint32_t *) = h->job;
        else
                *va_arg(ap, uid_t *) = h->uid;
        return ESPANK_SUCCESS;
}

static bool scripts_option_given(void *user, const char *plugin, const char *option,
                const char **ret_value) {
        const Slumber__HookSpec *h = user;

        for (size_t i = 0; h && i < h->n_plugin_options; i++) {
                const Slumber__PluginOption *o = h->plugin_options[i];

                if (!streq(o->plugin, plugin) || !streq(o->option, option))
                        continue;
                *ret_value = o->has_value ? o->value : NULL;
                return true;
        }
        return false;
}

/* Calls one callback of all plug-ins; returns 0 if there are no plug-ins. */
static int scripts_call(const char *path, const char *dir, enum spank_call what,
                const Slumber__HookSpec *h, struct spank_doing *doing, struct fail *fail) {
        struct plugstack stack = { 0 };
        const struct spank_host host = {
                .context = h ? S_CTX_JOB_SCRIPT : S_CTX_SLURMD,
                .program = "slumberd",
                .say = scripts_say,
                .item = scripts_get_item,
                .given = scripts_option_given,
                .doing = doing,
                .user = (void *)(uintptr_t)h,
        };
        struct spank *loaded = NULL;
        int r = plugstack_read(&stack, path, dir, 0, fail);

        if (r == -ENOENT)
                return 0;
        if (r >= 0)
                r = spank_load(&stack, &host, &loaded, fail);
        if (r < 0) {
                plugstack_done(&stack);
                return r;
        }
        return spank_call(loaded, what, NULL, fail); /* the plug-ins refer to stack */
}

int spank_slurmd(const char *path, bool ends) {
        const char *dir = getenv(SPANK_DIR_VARIABLE);
        struct fail fail = { 0 };
        int r = scripts_call(path, dir, ends ? SPANK_SLURMD_EXIT : SPANK_SLURMD_INIT, NULL, NULL,
                        &fail);

        if (r < 0)
                fprintf(stderr, "slumberd: error: %s\n", fail.text);
        return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

void spank_job_script(const Slumber__HookSpec *h, struct spank_script *result) {
        struct fail fail = { 0 };

        /* processes left by a plug-in must not hold the step daemon's sockets */
        (void)close_range(3, ~0U, 0);
        clearenv();
        for (size_t i = 0; i < h->n_environment; i++)
                putenv(h->environment[i]);
        int r = scripts_call(h->plugstack, h->plugin_dir,
                        h->epilog ? SPANK_JOB_EPILOG : SPANK_JOB_PROLOG, h, &result->doing, &fail);
        memcpy(result->text, fail.text, sizeof result->text);
        _exit(r < 0);
}
