/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/programs/power_file.h"

#include "controller/loop/controller.h"
#include "controller/programs/programs.h"
#include "lib/child.h"
#include "lib/hostlist.h"

#include <json-c/json.h>
#include <limits.h>

#define ELSEWHERE  "/etc/slumber/power.yaml" /* last place where slumber-power looks */
#define PATIENCE   (10 * USEC_PER_SEC)
#define OUTPUT_MAX ((size_t)8 << 20)

char *slumber_power_path(void) {
        return program_beside("slumber-power", "power");
}

static void add_warning(struct config *config, char *line) {
        config->warnings = xrenew(config->warnings, config->n_warnings + 1);
        config->warnings[config->n_warnings++] = line;
}

/* Returns whether the program is slumber-power, by any name. */
static bool power_program_is_ours(const struct config *config, const char *program) {
        const struct config_action *action = config_action(config, program);
        char real[PATH_MAX];

        program = action ? action->words[0] : program;
        if (isempty(program) || !realpath(program, real))
                return false;
        const char *name = strrchr(real, '/') + 1;
        return streq(name, "slumber-power");
}

static bool power_file_is_needed(const struct config *config) {
        /* slurm.conf or slumber.yaml is unreadable, which is reported elsewhere */
        if (!config->site.power_file)
                return false;
        return path_is_there(config->site.power_file) || path_is_there(ELSEWHERE) ||
               power_program_is_ours(config, config->resume_program) ||
               power_program_is_ours(config, config->suspend_program);
}

/* ---- the child ---- */

/* Returns the file that slumber-power itself would find by SLURM_CONF; given explicitly, because
   slumber-power would otherwise repeat the errors of slumber.yaml. */
static const char *power_file_path(const struct config *config) {
        bool other = !path_is_there(config->site.power_file) && path_is_there(ELSEWHERE);

        return other ? ELSEWHERE : config->site.power_file;
}

/* Returns the output of slumber-power; NULL with fail. */
static char *power_file_ask(const struct config *config, struct fail *fail) {
        _cleanup_free_ char *program = slumber_power_path(),
                            *check = xasprintf("--check-file=%u", (unsigned)config->slurm_uid);
        const char *argv[] = {
                "slumber-power",
                check,
                "--json",
                "--config",
                power_file_path(config),
                NULL,
        };
        char *text = NULL;
        int status;

        if (child_output(program, (char **)(uintptr_t)argv, STDOUT_FILENO, PATIENCE, OUTPUT_MAX,
                            &text, &status, fail) < 0)
                return NULL;
        if (*text)
                return text;
        free(text);
        fail_set(fail, -EIO, "%s has not reported on power.yaml", program);
        return NULL;
}

/* ---- evaluation of the output ---- */

static void note_missing(struct config *config, const char *path, const char *names) {
        _cleanup_(hostlist_freep) struct hostlist *known = NULL, *missing = hostlist_new();

        if (hostlist_parse(names, &known, NULL) < 0)
                return;
        hostlist_sort(known);
        for (size_t i = 0; i < config->n_nodes; i++)
                if (!hostlist_has(known, config->nodes[i].name))
                        hostlist_push(missing, config->nodes[i].name);
        if (hostlist_count(missing) == 0)
                return;
        hostlist_sort(missing);
        _cleanup_free_ char *text = hostlist_text(missing);
        add_warning(config, xasprintf("%s: %s not in it: slumber-power cannot switch %s", path,
                                            text, hostlist_count(missing) == 1 ? "it" : "them"));
}

static void note_deadline(struct config *config, const char *path, const char *key, usec_t timeout,
                usec_t deadline) {
        usec_t most = program_deadline(timeout);

        if (deadline && most && deadline > most)
                add_warning(config,
                                xasprintf("%s: deadline is %llu s, but %s is %llu s: slumber-power is given %.3g s, so that a failure is known in time",
                                                path, (unsigned long long)(deadline / USEC_PER_SEC),
                                                key, (unsigned long long)(timeout / USEC_PER_SEC),
                                                (double)most / USEC_PER_SEC));
}

static void note_deadlines(struct config *config, const char *path, usec_t deadline) {
        note_deadline(config, path, "ResumeTimeout", config->resume_timeout, deadline);
        note_deadline(config, path, "SuspendTimeout", config->suspend_timeout, deadline);
        for (size_t i = 0; i < config->n_partitions; i++) {
                const struct config_partition *p = &config->partitions[i];
                _cleanup_free_ char *resume = xasprintf("ResumeTimeout of partition %s", p->name),
                                    *suspend = xasprintf("SuspendTimeout of partition %s", p->name);
                if (p->resume_timeout < TIME_UNSET)
                        note_deadline(config, path, resume, p->resume_timeout, deadline);
                if (p->suspend_timeout < TIME_UNSET)
                        note_deadline(config, path, suspend, p->suspend_timeout, deadline);
        }
}

static const char *power_json_text(struct json_object *o, const char *key) {
        struct json_object *v;

        return json_object_object_get_ex(o, key, &v) && json_object_is_type(v, json_type_string)
                               ? json_object_get_string(v)
                               : "";
}

static int power_file_take(struct config *config, struct json_object *o, struct fail *fail) {
        const char *path = power_json_text(o, "file");
        struct json_object *errors, *deadline;

        if (!json_object_object_get_ex(o, "errors", &errors) ||
                        !json_object_is_type(errors, json_type_array) ||
                        !json_object_object_get_ex(o, "deadline", &deadline))
                return fail_set(fail, -EINVAL,
                                "slumber-power has printed something else than what it thinks of power.yaml");
        for (size_t i = 0; i < json_object_array_length(errors); i++) {
                fail_set(fail, -EINVAL, "%s",
                                json_object_get_string(json_object_array_get_idx(errors, i)));
                if (!fail_keep(fail))
                        break;
        }
        if (json_object_array_length(errors))
                return -EINVAL;
        note_missing(config, path, power_json_text(o, "nodes"));
        note_deadlines(config, path, (usec_t)json_object_get_int64(deadline) * USEC_PER_MSEC);
        return 0;
}

int power_file_check(struct config *config, struct fail *fail) {
        struct fail why = { 0 };

        if (!power_file_is_needed(config))
                return 0;
        _cleanup_free_ char *text = power_file_ask(config, &why);
        struct json_object *o = text ? json_tokener_parse(text) : NULL;
        int r;
        if (!text)
                r = fail_set(fail, -EINVAL, "%s: %s", config->site.power_file, why.text);
        else if (o && json_object_is_type(o, json_type_object))
                r = power_file_take(config, o, fail);
        else
                r = fail_set(fail, -EINVAL, "slumber-power has printed no JSON");
        if (r < 0)
                (void)fail_keep(fail);
        json_object_put(o);
        return r;
}
