/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/oci/bundle.h"

#include <json-c/json.h>
#include <string.h>

#define DEPTH_MAX 32

static void put_json(struct json_object **o) {
        (void)json_object_put(*o);
}

/* Returns object name of o, made if missing; NULL: another type. */
static struct json_object *config_object_at(struct json_object *o, const char *name) {
        struct json_object *at = NULL;

        if (json_object_object_get_ex(o, name, &at))
                return json_object_is_type(at, json_type_object) ? at : NULL;
        at = json_object_new_object();
        json_object_object_add(o, name, at);
        return at;
}

static struct json_object *config_array_at(struct json_object *o, const char *name) {
        struct json_object *at = NULL;

        if (json_object_object_get_ex(o, name, &at))
                return json_object_is_type(at, json_type_array) ? at : NULL;
        at = json_object_new_array();
        json_object_object_add(o, name, at);
        return at;
}

static const char *config_text_at(struct json_object *o, const char *name) {
        struct json_object *at = NULL;

        return json_object_object_get_ex(o, name, &at) && json_object_is_type(at, json_type_string)
                               ? json_object_get_string(at)
                               : NULL;
}

static void array_add_text(struct json_object *array, const char *text) {
        json_object_array_add(array, json_object_new_string(text));
}

static void object_set_text(struct json_object *o, const char *name, const char *text) {
        json_object_object_add(o, name, json_object_new_string(text));
}

static bool same_name(const char *a, const char *b) {
        size_t n = strcspn(a, "=");

        return strncmp(a, b, n) == 0 && b[n] == '=';
}

static int set_environment(struct json_object *process, char *const *environment) {
        struct json_object *own = config_array_at(process, "env"), *all;

        if (!own)
                return -EINVAL;
        all = json_object_new_array();
        for (size_t i = 0; i < json_object_array_length(own); i++) {
                const char *line = json_object_get_string(json_object_array_get_idx(own, i));
                size_t k = 0;

                while (line && environment[k] && !same_name(environment[k], line))
                        k++;
                if (line && !environment[k])
                        array_add_text(all, line);
        }
        for (size_t k = 0; environment[k]; k++)
                array_add_text(all, environment[k]);
        json_object_object_add(process, "env", all);
        return 0;
}

static struct json_object *id_mapping_list(uint32_t host) {
        struct json_object *list = json_object_new_array(), *row = json_object_new_object();

        json_object_object_add(row, "containerID", json_object_new_int(0));
        json_object_object_add(row, "hostID", json_object_new_int64(host));
        json_object_object_add(row, "size", json_object_new_int(1));
        json_object_array_add(list, row);
        return list;
}

static int add_user_namespace(struct json_object *linux_) {
        struct json_object *spaces = config_array_at(linux_, "namespaces"), *user;

        if (!spaces)
                return -EINVAL;
        for (size_t i = 0; i < json_object_array_length(spaces); i++) {
                struct json_object *one = json_object_array_get_idx(spaces, i);
                if (json_object_is_type(one, json_type_object) &&
                                streq(strempty(config_text_at(one, "type")), "user"))
                        return 0;
        }
        user = json_object_new_object();
        object_set_text(user, "type", "user");
        json_object_array_add(spaces, user);
        return 0;
}

/* The user becomes root in a user namespace with no other user, unless the bundle has a mapping,
   which the kernel checks. */
static int set_user(struct json_object *config, struct json_object *process,
                const struct bundle_wish *wish) {
        struct json_object *linux_ = config_object_at(config, "linux"), *user;

        if (!linux_)
                return -EINVAL;
        /* The container stays in the step's cgroup, with the step's limits. */
        json_object_object_del(linux_, "cgroupsPath");
        json_object_object_del(linux_, "resources");
        if (wish->uid == 0 || json_object_object_get_ex(linux_, "uidMappings", NULL))
                return 0;
        json_object_object_add(linux_, "uidMappings", id_mapping_list(wish->uid));
        json_object_object_add(linux_, "gidMappings", id_mapping_list(wish->gid));
        user = json_object_new_object();
        json_object_object_add(user, "uid", json_object_new_int(0));
        json_object_object_add(user, "gid", json_object_new_int(0));
        json_object_object_add(process, "user", user);
        return add_user_namespace(linux_);
}

static int add_script(struct json_object *config, const struct bundle_wish *wish) {
        struct json_object *mounts = config_array_at(config, "mounts"), *row, *options;

        if (!mounts)
                return -EINVAL;
        row = json_object_new_object();
        options = json_object_new_array();
        object_set_text(row, "destination", wish->script_there);
        object_set_text(row, "type", "none");
        object_set_text(row, "source", wish->script);
        array_add_text(options, "bind");
        array_add_text(options, "ro");
        json_object_object_add(row, "options", options);
        json_object_array_add(mounts, row);
        return 0;
}

static void disable_hooks(struct json_object *config, const char *names) {
        struct json_object *hooks;
        _cleanup_free_ char *copy = xstrdup(strempty(names));
        char *rest = copy;

        if (!json_object_object_get_ex(config, "hooks", &hooks) ||
                        !json_object_is_type(hooks, json_type_object))
                return;
        for (const char *name; (name = strsep(&rest, ","));)
                json_object_object_del(hooks, name);
}

static int set_process(struct json_object *config, const struct bundle_wish *wish,
                struct fail *fail) {
        struct json_object *process = config_object_at(config, "process"), *arguments;

        if (!process)
                return fail_set(fail, -EINVAL, "process is not an object");
        json_object_object_add(process, "terminal", json_object_new_boolean(false));
        json_object_object_del(process, "consoleSize");
        arguments = json_object_new_array();
        for (size_t i = 0; wish->arguments[i]; i++)
                array_add_text(arguments, wish->arguments[i]);
        json_object_object_add(process, "args", arguments);
        if (wish->work_dir || !config_text_at(process, "cwd"))
                object_set_text(process, "cwd", wish->work_dir ? wish->work_dir : "/");
        if (set_environment(process, wish->environment) < 0)
                return fail_set(fail, -EINVAL, "process.env is not an array");
        return set_user(config, process, wish) < 0
                               ? fail_set(fail, -EINVAL,
                                                 "linux is not an object, or linux.namespaces not an array")
                               : 0;
}

static int set_root(struct json_object *config, const char *folder, char **ret_root,
                struct fail *fail) {
        struct json_object *root = NULL;
        const char *path = json_object_object_get_ex(config, "root",
                                           &root) && json_object_is_type(root, json_type_object)
                                           ? config_text_at(root, "path")
                                           : NULL;

        if (isempty(path))
                return fail_set(fail, -EINVAL, "root.path is missing");
        *ret_root = *path == '/' ? xstrdup(path) : xasprintf("%s/%s", folder, path);
        object_set_text(root, "path", *ret_root);
        return 0;
}

static struct json_object *bundle_parse(const char *text, size_t size, struct fail *fail) {
        struct json_tokener *t = json_tokener_new_ex(DEPTH_MAX);
        struct json_object *config = json_tokener_parse_ex(t, text, (int)size + 1);
        enum json_tokener_error e = json_tokener_get_error(t);
        size_t end = json_tokener_get_parse_end(t);

        json_tokener_free(t);
        if (e == json_tokener_continue || e == json_tokener_error_parse_eof)
                fail_set(fail, -EINVAL, "it ends too early");
        else if (e != json_tokener_success)
                fail_set(fail, -EINVAL, "byte %zu: %s", end, json_tokener_error_desc(e));
        else if (!json_object_is_type(config, json_type_object))
                fail_set(fail, -EINVAL, "it is not an object");
        else
                return config;
        (void)json_object_put(config);
        return NULL;
}

int bundle_config(const char *text, size_t size, const struct bundle_wish *wish, char **ret,
                char **ret_root, struct fail *fail) {
        _cleanup_free_ char *root = NULL;

        if (size > BUNDLE_CONFIG_MAX)
                return fail_set(fail, -E2BIG, "it is larger than 1 MiB");
        _cleanup_(put_json) struct json_object *config = bundle_parse(text, size, fail);
        if (!config)
                return -EINVAL;
        int r = set_root(config, wish->folder, &root, fail);
        if (r >= 0)
                r = set_process(config, wish, fail);
        if (r >= 0 && wish->script && add_script(config, wish) < 0)
                r = fail_set(fail, -EINVAL, "mounts is not an array");
        if (r < 0)
                return r;
        disable_hooks(config, wish->disable_hooks);
        *ret = xstrdup(json_object_to_json_string_ext(config, JSON_C_TO_STRING_NOSLASHESCAPE));
        *ret_root = TAKE(root);
        return 0;
}

int container_state_pid(const char *text, size_t size, pid_t *ret, struct fail *fail) {
        if (size > BUNDLE_CONFIG_MAX)
                return fail_set(fail, -E2BIG, "it is larger than 1 MiB");
        _cleanup_(put_json) struct json_object *state = bundle_parse(text, size, fail);
        struct json_object *pid = NULL; /* the pid member of state */
        if (!state)
                return -EINVAL;
        bool there = json_object_object_get_ex(state, "pid", &pid) &&
                     json_object_is_type(pid, json_type_int);
        int64_t v = there ? json_object_get_int64(pid) : 0;
        if (v <= 1 || v > INT32_MAX)
                return fail_set(fail, -EINVAL, "pid is missing, or no number of a process");
        *ret = (pid_t)v;
        return 0;
}
