/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/files/oci.h"

#include "lib/files/lines.h"

#include <regex.h>
#include <strings.h>

#define VALUE_MAX 8192 /* bytes: a line for the shell */
#define HOOKS     "prestart|createRuntime|createContainer|startContainer|poststart|poststop"

struct oci_key {
        const char *name;
        size_t offset;
        int (*check)(const char *value, struct fail *fail); /* NULL: any text */
        const char *why_not;                                /* reason for refusing a known key */
};

static int check_pattern(const char *value, struct fail *fail) {
        for (const char *p = value; (p = strchr(p, '%')); p += 2)
                if (!p[1] || !strchr(OCI_LETTERS, p[1]))
                        return fail_set(fail, -EINVAL, "\"%.2s\" is not a pattern", p);
        return 0;
}

static int check_regex(const char *value, struct fail *fail) {
        char text[128];
        regex_t re;
        int r = regcomp(&re, value, REG_EXTENDED | REG_NOSUB);

        if (r != 0) {
                (void)regerror(r, &re, text, sizeof text);
                return fail_set(fail, -EINVAL, "\"%.100s\": %s", value, text);
        }
        regfree(&re);
        return 0;
}

static int oci_check_folder(const char *value, struct fail *fail) {
        return *value == '/' ? 0
                             : fail_set(fail, -EINVAL, "\"%.100s\" is not an absolute path", value);
}

static int check_env_file(const char *value, struct fail *fail) {
        return word_in(value, "newline|null|disabled")
                               ? 0
                               : fail_set(fail, -EINVAL,
                                                 "\"%.100s\" is none of newline, null, disabled",
                                                 value);
}

static int check_hooks(const char *value, struct fail *fail) {
        _cleanup_free_ char *copy = xstrdup(value);
        char *rest = copy;

        for (const char *name; (name = strsep(&rest, ","));)
                if (!word_in(name, HOOKS))
                        return fail_set(fail, -EINVAL, "\"%.100s\" is not a hook of OCI", name);
        return 0;
}

static int check_yes(const char *value, struct fail *fail) {
        return word_in(value, "true|yes|1|false|no|0")
                               ? 0
                               : fail_set(fail, -EINVAL, "\"%.100s\" is neither true nor false",
                                                 value);
}

#define AT(field) offsetof(struct oci_config, field)
#define NO_SCRUN  "it is for scrun, which Slumber does not have"
/* clang-format off */
static const struct oci_key keys[] = {
        { "RunTimeRun", AT(run), check_pattern, NULL },
        { "RunTimeCreate", AT(create), check_pattern, NULL },
        { "RunTimeStart", AT(start), check_pattern, NULL },
        { "RunTimeQuery", AT(query), check_pattern, NULL },
        { "RunTimeKill", AT(kill), check_pattern, NULL },
        { "RunTimeDelete", AT(delete_it), check_pattern, NULL },
        { "MountSpoolDir", AT(mount_spool_dir), oci_check_folder, NULL },
        { "EnvExclude", AT(env_exclude), check_regex, NULL },
        { "RunTimeEnvExclude", AT(runtime_env_exclude), check_regex, NULL },
        { "DisableHooks", AT(disable_hooks), check_hooks, NULL },
        { "CreateEnvFile", AT(env_file), check_env_file, NULL },
        { "IgnoreFileConfigJson", AT(ignore_config), check_yes, NULL },
        { "ContainerPath", 0, NULL, "a task's bundle is in the spool folder of its step" },
        { "DisableCleanup", 0, NULL, "what a task leaves is always deleted" },
        { "DebugFlags", 0, NULL, NO_SCRUN },
        { "FileDebug", 0, NULL, NO_SCRUN },
        { "StdIODebug", 0, NULL, NO_SCRUN },
        { "SyslogDebug", 0, NULL, NO_SCRUN },
        { "SrunArgs", 0, NULL, NO_SCRUN },
        { "SrunPath", 0, NULL, NO_SCRUN },
};
/* clang-format on */

static const struct oci_key *oci_key_find(const char *name) {
        for (size_t i = 0; i < ELEMENTSOF(keys); i++)
                if (strcasecmp(keys[i].name, name) == 0)
                        return &keys[i];
        return NULL;
}

static int oci_take_word(struct oci_config *c, const struct config_word *word, struct fail *fail) {
        const struct oci_key *key = oci_key_find(word->key);
        void *field = key ? (char *)c + key->offset : NULL;

        if (!key)
                return fail_set(fail, -EINVAL, "oci.conf has no such key");
        if (key->why_not)
                return fail_set(fail, -EOPNOTSUPP, "it cannot be had here: %s", key->why_not);
        if (strlen(word->value) > VALUE_MAX)
                return fail_set(fail, -E2BIG, "it is longer than %d bytes", VALUE_MAX);
        int r = key->check(word->value, fail);
        if (r < 0)
                return r;
        if (key->check == check_yes)
                *(bool *)field = word_in(word->value, "true|yes|1");
        else
                free_and_strdup((char **)field, word->value);
        return 0;
}

static int oci_take_line(struct config_line *line, void *userdata, struct fail *fail) {
        for (size_t i = 0; i < line->n; i++) {
                int r = oci_take_word(userdata, &line->words[i], fail);
                if (r < 0)
                        return fail_prefix(fail, r, "%s line %u: %.100s", line->file,
                                        line->words[i].line, line->words[i].key);
        }
        return 0;
}

/* Checks that exactly one way to start a container is set. */
static int check_runtime(const struct oci_config *c, const char *name, struct fail *fail) {
        bool run = !isempty(c->run), create = !isempty(c->create), start = !isempty(c->start);

        if (run && (create || start))
                return fail_set(fail, -EINVAL,
                                "%s: RunTimeRun excludes RunTimeCreate and RunTimeStart", name);
        if (!run && !create && !start)
                return fail_set(fail, -EINVAL, "%s: RunTimeRun is missing", name);
        if (create != start)
                return fail_set(fail, -EINVAL, "%s: %s is missing", name,
                                create ? "RunTimeStart" : "RunTimeCreate");
        if (create && isempty(c->query))
                return fail_set(fail, -EINVAL,
                                "%s: RunTimeQuery is missing: it tells the process that RunTimeCreate has made",
                                name);
        return 0;
}

int oci_config_parse(const char *name, const char *text, size_t size, struct oci_config **ret,
                struct fail *fail) {
        _cleanup_(oci_config_freep) struct oci_config *c = xnew0(struct oci_config, 1);
        int r = config_lines(name, NULL, text, size, oci_take_line, c, fail);

        if (r >= 0)
                r = check_runtime(c, name, fail);
        if (r < 0)
                return r;
        if (c->env_file && word_in("disabled", c->env_file))
                free(TAKE(c->env_file));
        *ret = TAKE(c);
        return 0;
}

int oci_config_read(const char *path, struct oci_config **ret, struct fail *fail) {
        _cleanup_free_ char *text = NULL;
        size_t size;
        int r = config_load(path, &text, &size, fail);

        if (r >= 0)
                r = config_is_text(path, text, size, fail);
        return r < 0 ? r : oci_config_parse(path, text, size, ret, fail);
}

struct oci_config *oci_config_free(struct oci_config *c) {
        if (!c)
                return NULL;
        for (size_t i = 0; i < ELEMENTSOF(keys); i++)
                if (keys[i].check && keys[i].check != check_yes)
                        free(*(char **)((char *)c + keys[i].offset));
        free(c);
        return NULL;
}
