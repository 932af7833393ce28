/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the texts of power.yaml to BMCs: each entry of "nodes" is laid over "defaults". */
#include "power/entries.h"

#include <freeipmi/freeipmi.h>

#include "lib/timetext.h"

/* ---- values ---- */

/* The value of a key, from the first of two mappings that has it. */
static const char *value_of(
                const struct reader *rd, const struct raw *raw, enum key key, unsigned *ret_line) {
        if (!raw->value[key])
                raw = &rd->defaults;
        *ret_line = raw->line[key];
        return raw->value[key];
}

static int bad_value(struct reader *rd, unsigned line, enum key key, const char *text) {
        return fail_set(rd->fail, -EINVAL, "%s line %u: %s: \"%.60s\" is not %s", rd->path, line,
                        power_keys[key].name, text, power_keys[key].expected);
}

static int get_duration(struct reader *rd, const struct raw *raw, enum key key, usec_t min,
                usec_t max, usec_t *value) {
        unsigned line;
        const char *text = value_of(rd, raw, key, &line);
        usec_t t;

        if (!text)
                return 0;
        if (power_duration_parse(text, &t) < 0)
                return bad_value(rd, line, key, text);
        if (t < min || t > max)
                return fail_set(rd->fail, -ERANGE,
                                "%s line %u: %s: %s is not within %llu ms and %llu s", rd->path,
                                line, power_keys[key].name, text,
                                (unsigned long long)(min / USEC_PER_MSEC),
                                (unsigned long long)(max / USEC_PER_SEC));
        *value = t;
        return 0;
}

static int get_number(struct reader *rd, const struct raw *raw, enum key key, uint64_t min,
                uint64_t max, uint64_t *value) {
        unsigned line;
        const char *text = value_of(rd, raw, key, &line);

        if (!text || uint_parse(text, min, max, value) >= 0)
                return 0;
        return bad_value(rd, line, key, text);
}

static int get_workarounds(
                struct reader *rd, const struct raw *raw, enum key key, unsigned *value) {
        unsigned line;
        const char *value_text = value_of(rd, raw, key, &line);
        _cleanup_free_ char *text = xstrdup(value_text ? value_text : "");
        char *save = NULL;

        for (char *w = strtok_r(text, ", ", &save); w; w = strtok_r(NULL, ", ", &save))
                if (power_workaround_parse(w, key == KEY_CONSOLE_WORKAROUNDS, value) < 0)
                        return fail_set(rd->fail, -EINVAL,
                                        "%s line %u: %s: \"%.60s\" is not a workaround that "
                                        "FreeIPMI knows",
                                        rd->path, line, power_keys[key].name, w);
        return 0;
}

/* Where the password is, as a path.  An entry's own key wins over either key of the defaults. */
static int password_path(struct reader *rd, const struct raw *raw, char **ret, unsigned *ret_line) {
        const struct raw *from =
                        raw->value[KEY_PASSWORD_FILE] || raw->value[KEY_PASSWORD_CREDENTIAL]
                                        ? raw
                                        : &rd->defaults;
        const char *file = from->value[KEY_PASSWORD_FILE],
                   *credential = from->value[KEY_PASSWORD_CREDENTIAL];
        const char *dir = getenv("CREDENTIALS_DIRECTORY");

        if (!file && !credential)
                return power_yaml_wrong(rd, raw->at,
                                "an entry needs password_file or password_credential, here or in "
                                "defaults");
        *ret_line = from->line[file ? KEY_PASSWORD_FILE : KEY_PASSWORD_CREDENTIAL];
        if (file && credential)
                return power_yaml_wrong(rd, *ret_line,
                                "password_file and password_credential exclude each other");
        if (file && *file == '/')
                *ret = xstrdup(file);
        else if (file) {
                const char *slash = strrchr(rd->path, '/');
                *ret = xasprintf("%.*s%s", slash ? (int)(slash - rd->path) + 1 : 0, rd->path, file);
        } else if (!*credential || strchr(credential, '/') || *credential == '.')
                return bad_value(rd, from->line[KEY_PASSWORD_CREDENTIAL], KEY_PASSWORD_CREDENTIAL,
                                credential);
        else
                *ret = xasprintf("%s/%s", dir ? dir : "/run/credentials", credential);
        return 0;
}

/* The password's path stands in access->password until load_passwords(). */
static int make_access(struct reader *rd, const struct raw *raw, struct power_access *a) {
        unsigned line;
        const char *driver = value_of(rd, raw, KEY_DRIVER, &line);
        uint64_t suite = 3;
        int r;

        *a = (struct power_access){ .retransmit = 3 * USEC_PER_SEC, .session = 15 * USEC_PER_SEC };
        if (!driver)
                driver = "ipmi";
        a->driver = power_driver_find(driver);
        if (!a->driver)
                return bad_value(rd, line, KEY_DRIVER, driver);
        const char *user = value_of(rd, raw, KEY_USER, &line);
        if (!user)
                return power_yaml_wrong(
                                rd, raw->at, "an entry needs the key user, here or in defaults");
        if (strlen(user) > IPMI_MAX_USER_NAME_LENGTH)
                return fail_set(rd->fail, -EINVAL,
                                "%s line %u: user: \"%.60s\" is longer than IPMI's %d bytes",
                                rd->path, line, user, IPMI_MAX_USER_NAME_LENGTH);
        r = get_number(rd, raw, KEY_CIPHER_SUITE, 1, 17, &suite); /* 0 is no security at all */
        if (r >= 0 && !IPMI_CIPHER_SUITE_ID_SUPPORTED(suite)) {
                const char *text = value_of(rd, raw, KEY_CIPHER_SUITE, &line);
                r = bad_value(rd, line, KEY_CIPHER_SUITE, text);
        }
        if (r >= 0)
                r = get_workarounds(rd, raw, KEY_WORKAROUNDS, &a->workarounds);
        if (r >= 0)
                r = get_duration(rd, raw, KEY_RETRANSMIT, 100 * USEC_PER_MSEC, 60 * USEC_PER_SEC,
                                &a->retransmit);
        if (r >= 0)
                r = get_duration(rd, raw, KEY_SESSION, USEC_PER_SEC, 300 * USEC_PER_SEC,
                                &a->session);
        if (r >= 0 && a->retransmit >= a->session)
                r = power_yaml_wrong(rd, raw->at, "retransmit must be shorter than session");
        if (r >= 0)
                r = password_path(rd, raw, &a->password, &a->password_line);
        a->cipher_suite = (unsigned)suite;
        a->user = xstrdup(user);
        return r;
}

/* Node names become names of files. */
static bool node_name_valid(const char *name) {
        return *name != '.' &&
               strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
                               strlen(name);
}

static int add_bmcs(struct reader *rd, struct power_conf *conf, const struct raw *raw,
                const struct power_access *access) {
        _cleanup_(hostlist_freep) struct hostlist *nodes = NULL;
        char **addresses = NULL;
        int r;

        if (isempty(raw->value[KEY_NODES]) || isempty(raw->value[KEY_BMC]))
                return power_yaml_wrong(rd, raw->at, "an entry needs the keys nodes and bmc");
        r = hostlist_parse(raw->value[KEY_NODES], &nodes, rd->fail);
        if (r < 0)
                return fail_prefix(
                                rd->fail, r, "%s line %u: nodes", rd->path, raw->line[KEY_NODES]);
        r = power_addresses(raw->value[KEY_BMC], nodes, &addresses, rd->fail);
        if (r < 0)
                return fail_prefix(rd->fail, r, "%s line %u: bmc", rd->path, raw->line[KEY_BMC]);
        size_t n = hostlist_count(nodes);
        if (conf->n_bmcs + n > HOSTLIST_MAX)
                r = power_yaml_wrong(rd, raw->at, "too many nodes");
        conf->bmcs = xrenew(conf->bmcs, conf->n_bmcs + n);
        for (size_t i = 0; i < n; i++) {
                conf->bmcs[conf->n_bmcs++] = (struct power_bmc){ xstrdup(hostlist_get(nodes, i)),
                        addresses[i], access, raw->at };
                if (r >= 0 && !node_name_valid(hostlist_get(nodes, i)))
                        r = fail_set(rd->fail, -EINVAL, "%s line %u: \"%s\" is not a node's name",
                                        rd->path, raw->line[KEY_NODES], hostlist_get(nodes, i));
        }
        free(addresses);
        return r;
}

static int by_node(const void *a, const void *b) {
        return strcmp(((const struct power_bmc *)a)->node, ((const struct power_bmc *)b)->node);
}

static int by_address(const void *a, const void *b) {
        return strcmp((*(const struct power_bmc *const *)a)->address,
                        (*(const struct power_bmc *const *)b)->address);
}

static int twice(struct reader *rd, const struct power_bmc *a, const struct power_bmc *b,
                const char *what) {
        return fail_set(rd->fail, -EEXIST, "%s line %u: %s (the other is in line %u)", rd->path,
                        MAX(a->line, b->line), what, MIN(a->line, b->line));
}

/* One BMC per node and one node per BMC: with two owners a BMC would get two requests at a time. */
static int check_unique(struct reader *rd, struct power_conf *conf) {
        _cleanup_free_ char *what = NULL;

        qsort(conf->bmcs, conf->n_bmcs, sizeof *conf->bmcs, by_node);
        for (size_t i = 1; i < conf->n_bmcs; i++) {
                const struct power_bmc *a = &conf->bmcs[i - 1], *b = &conf->bmcs[i];
                if (!streq(a->node, b->node))
                        continue;
                what = xasprintf("nodes: node %s stands there twice", b->node);
                return twice(rd, a, b, what);
        }
        _cleanup_free_ const struct power_bmc **sorted =
                        xnew(const struct power_bmc *, conf->n_bmcs);
        for (size_t i = 0; i < conf->n_bmcs; i++)
                sorted[i] = &conf->bmcs[i];
        qsort(sorted, conf->n_bmcs, sizeof *sorted, by_address);
        for (size_t i = 1; i < conf->n_bmcs; i++) {
                const struct power_bmc *a = sorted[i - 1], *b = sorted[i];
                if (!streq(a->address, b->address))
                        continue;
                what = xasprintf("bmc: nodes %s and %s have the same BMC %s", a->node, b->node,
                                b->address);
                return twice(rd, a, b, what);
        }
        return 0;
}

static int make_console(struct reader *rd, struct power_conf *conf) {
        const struct raw *raw = &rd->console;
        const char *dir = raw->value[KEY_CONSOLE_DIR];
        int r;

        conf->console.dir = xstrdup(dir);
        conf->console.seconds = 120 * USEC_PER_SEC;
        conf->console.wait = 2 * USEC_PER_SEC;
        conf->console.max_bytes = 1 << 20;
        if (dir && *dir != '/')
                return bad_value(rd, raw->line[KEY_CONSOLE_DIR], KEY_CONSOLE_DIR, dir);
        r = get_duration(rd, raw, KEY_CONSOLE_SECONDS, USEC_PER_SEC, 3600 * USEC_PER_SEC,
                        &conf->console.seconds);
        if (r >= 0)
                r = get_duration(rd, raw, KEY_CONSOLE_WAIT, 0, 60 * USEC_PER_SEC,
                                &conf->console.wait);
        if (r >= 0)
                r = get_number(rd, raw, KEY_CONSOLE_MAX_BYTES, 1024, 1 << 30,
                                &conf->console.max_bytes);
        if (r >= 0)
                r = get_workarounds(rd, raw, KEY_CONSOLE_WORKAROUNDS, &conf->console.workarounds);
        return r;
}

int power_entries_make(struct reader *rd, struct power_conf *conf) {
        const char *lock_file = rd->defaults.value[KEY_LOCK_FILE];
        int r;

        conf->deadline = 60 * USEC_PER_SEC;
        conf->poll = 250 * USEC_PER_MSEC;
        conf->cycle_pause = 5 * USEC_PER_SEC;
        conf->threads = 64;
        conf->lock_file = xstrdup(lock_file);
        if (lock_file && *lock_file != '/')
                return bad_value(rd, rd->defaults.line[KEY_LOCK_FILE], KEY_LOCK_FILE, lock_file);
        r = get_duration(rd, &rd->defaults, KEY_DEADLINE, USEC_PER_SEC, 3600 * USEC_PER_SEC,
                        &conf->deadline);
        if (r >= 0)
                r = get_duration(rd, &rd->defaults, KEY_POLL, 10 * USEC_PER_MSEC, 60 * USEC_PER_SEC,
                                &conf->poll);
        if (r >= 0)
                r = get_duration(rd, &rd->defaults, KEY_CYCLE_PAUSE, 0, 600 * USEC_PER_SEC,
                                &conf->cycle_pause);
        if (r >= 0)
                r = get_number(rd, &rd->defaults, KEY_THREADS, 1, 1024, &conf->threads);
        if (r >= 0)
                r = make_console(rd, conf);
        if (r >= 0 && rd->n_entries == 0)
                r = fail_set(rd->fail, -EINVAL,
                                "%s: there are no nodes in it, expected nodes: [{nodes: ..., bmc: "
                                "...}]",
                                rd->path);
        if (r < 0)
                return r;
        conf->accesses = xnew0(struct power_access, rd->n_entries);
        for (size_t i = 0; i < rd->n_entries && r >= 0; i++) {
                struct power_access *a = &conf->accesses[conf->n_accesses++];
                r = make_access(rd, &rd->entries[i], a);
                if (r >= 0)
                        r = add_bmcs(rd, conf, &rd->entries[i], a);
        }
        return r < 0 ? r : check_unique(rd, conf);
}
