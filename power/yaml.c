/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads power.yaml.
 *
 * The file is read as a stream of libyaml's events: no tree is built, aliases and anchors are refused, nesting is
 * no deeper than the format itself.  Every mapping has a table of its keys; a key that is not in it, or stands
 * there twice, is an error that names file, line and key.  Values end as texts in struct raw; once the whole
 * file is known, each entry of "nodes" is laid over "defaults" and made into BMCs. */
#include "power/power.h"

#include <yaml.h>

#include "lib/timetext.h"

#define ENTRIES_MAX     100000 /* one per node of the largest cluster */
#define SCALAR_MAX      65536  /* bytes; a host list can be long */
#define WORKAROUNDS_MAX 16     /* in one list; there are fewer names */

enum key {
        /* how to reach a BMC: in defaults and in each entry of nodes */
        KEY_DRIVER,
        KEY_USER,
        KEY_PASSWORD_FILE,
        KEY_PASSWORD_CREDENTIAL,
        KEY_CIPHER_SUITE,
        KEY_WORKAROUNDS,
        KEY_RETRANSMIT,
        KEY_SESSION,
        /* entries of nodes only */
        KEY_NODES,
        KEY_BMC,
        /* defaults only */
        KEY_DEADLINE,
        KEY_POLL,
        KEY_CYCLE_PAUSE,
        KEY_THREADS,
        KEY_LOCK_FILE,
        /* console */
        KEY_CONSOLE_DIR,
        KEY_CONSOLE_SECONDS,
        KEY_CONSOLE_WAIT,
        KEY_CONSOLE_MAX_BYTES,
        KEY_CONSOLE_WORKAROUNDS,
        KEY_MAX,
};
enum map { /* bits: the mappings that have a key */
        MAP_DEFAULTS = 1,
        MAP_ENTRY = 2,
        MAP_CONSOLE = 4,
};
static const struct {
        const char *name;
        unsigned maps;
        bool list; /* of words */
} keys[KEY_MAX] = {
        [KEY_DRIVER] = { "driver", MAP_DEFAULTS | MAP_ENTRY, false },
        [KEY_USER] = { "user", MAP_DEFAULTS | MAP_ENTRY, false },
        [KEY_PASSWORD_FILE] = { "password_file", MAP_DEFAULTS | MAP_ENTRY, false },
        [KEY_PASSWORD_CREDENTIAL] = { "password_credential", MAP_DEFAULTS | MAP_ENTRY, false },
        [KEY_CIPHER_SUITE] = { "cipher_suite", MAP_DEFAULTS | MAP_ENTRY, false },
        [KEY_WORKAROUNDS] = { "workarounds", MAP_DEFAULTS | MAP_ENTRY, true },
        [KEY_RETRANSMIT] = { "retransmit", MAP_DEFAULTS | MAP_ENTRY, false },
        [KEY_SESSION] = { "session", MAP_DEFAULTS | MAP_ENTRY, false },
        [KEY_NODES] = { "nodes", MAP_ENTRY, false },
        [KEY_BMC] = { "bmc", MAP_ENTRY, false },
        [KEY_DEADLINE] = { "deadline", MAP_DEFAULTS, false },
        [KEY_POLL] = { "poll", MAP_DEFAULTS, false },
        [KEY_CYCLE_PAUSE] = { "cycle_pause", MAP_DEFAULTS, false },
        [KEY_THREADS] = { "threads", MAP_DEFAULTS, false },
        [KEY_LOCK_FILE] = { "lock_file", MAP_DEFAULTS, false },
        [KEY_CONSOLE_DIR] = { "dir", MAP_CONSOLE, false },
        [KEY_CONSOLE_SECONDS] = { "seconds", MAP_CONSOLE, false },
        [KEY_CONSOLE_WAIT] = { "wait", MAP_CONSOLE, false },
        [KEY_CONSOLE_MAX_BYTES] = { "max_bytes", MAP_CONSOLE, false },
        [KEY_CONSOLE_WORKAROUNDS] = { "workarounds", MAP_CONSOLE, true },
};

struct raw {                  /* the texts of one mapping */
        char *value[KEY_MAX]; /* words of a list are joined by commas */
        unsigned line[KEY_MAX];
        unsigned at; /* the line where the mapping begins */
};
struct reader {
        const char *path;
        struct fail *fail;
        yaml_parser_t parser;
        yaml_event_t event;
        bool have_event;
        struct raw defaults, console, *entries;
        size_t n_entries, allocated;
};

static void raw_done(struct raw *raw) {
        for (size_t k = 0; k < KEY_MAX; k++)
                free(raw->value[k]);
}

/* ---- events ---- */

static unsigned line_of(const struct reader *rd) {
        return (unsigned)rd->event.start_mark.line + 1;
}

static int wrong(struct reader *rd, unsigned line, const char *what) {
        return fail_set(rd->fail, -EINVAL, "%s line %u: %s", rd->path, line, what);
}

/* The next event is in rd->event until the next call. */
static int next(struct reader *rd) {
        if (rd->have_event)
                yaml_event_delete(&rd->event);
        rd->have_event = false;
        if (!yaml_parser_parse(&rd->parser, &rd->event))
                return fail_set(rd->fail, -EINVAL, "%s line %u: %s", rd->path,
                                (unsigned)rd->parser.problem_mark.line + 1,
                                rd->parser.problem ? rd->parser.problem : "not YAML");
        rd->have_event = true;
        if (rd->event.type == YAML_ALIAS_EVENT)
                return wrong(rd, line_of(rd), "aliases are not allowed here");
        return 0;
}

static int expect(struct reader *rd, yaml_event_type_t type, const char *what) {
        return rd->event.type == type ? 0 : wrong(rd, line_of(rd), what);
}

static int scalar_text(struct reader *rd, const char *what, char **ret) {
        const char *text;
        size_t length;

        if (rd->event.type != YAML_SCALAR_EVENT)
                return fail_set(rd->fail, -EINVAL, "%s line %u: %s must be a plain value", rd->path,
                                line_of(rd), what);
        text = (const char *)rd->event.data.scalar.value;
        length = rd->event.data.scalar.length;
        if (length > SCALAR_MAX || memchr(text, 0, length))
                return fail_set(rd->fail, -EINVAL,
                                "%s line %u: the value of %s is too long or binary", rd->path,
                                line_of(rd), what);
        *ret = xstrndup(text, length);
        return 0;
}

/* [a, b] or a plain "a,b" */
static int list_text(struct reader *rd, const char *what, char **ret) {
        _cleanup_free_ char *all = NULL;
        int r;

        if (rd->event.type != YAML_SEQUENCE_START_EVENT)
                return scalar_text(rd, what, ret);
        all = xstrdup("");
        for (unsigned n = 0;; n++) {
                _cleanup_free_ char *word = NULL;
                r = next(rd);
                if (r < 0)
                        return r;
                if (rd->event.type == YAML_SEQUENCE_END_EVENT)
                        break;
                if (n == WORKAROUNDS_MAX)
                        return fail_set(rd->fail, -E2BIG, "%s line %u: %s has too many words",
                                        rd->path, line_of(rd), what);
                r = scalar_text(rd, what, &word);
                if (r < 0)
                        return r;
                char *joined = xasprintf("%s%s%s", all, n ? "," : "", word);
                free(all);
                all = joined;
        }
        *ret = TAKE(all);
        return 0;
}

/* ---- mappings ---- */

static char *known_keys(enum map map) {
        char *text = xstrdup("");

        for (size_t k = 0; k < KEY_MAX; k++) {
                if (!(keys[k].maps & map))
                        continue;
                char *more = xasprintf("%s%s%s", text, *text ? ", " : "", keys[k].name);
                free(text);
                text = more;
        }
        return text;
}

static int key_find(struct reader *rd, enum map map, const char *name, enum key *ret) {
        for (size_t k = 0; k < KEY_MAX; k++)
                if (keys[k].maps & map && streq(keys[k].name, name)) {
                        *ret = (enum key)k;
                        return 0;
                }
        _cleanup_free_ char *known = known_keys(map);
        return fail_set(rd->fail, -EINVAL, "%s line %u: key \"%.40s\" is not known here (%s)",
                        rd->path, line_of(rd), name, known);
}

static int read_key(struct reader *rd, enum map map, struct raw *raw) {
        _cleanup_free_ char *name = NULL;
        enum key key = 0;
        int r;

        r = scalar_text(rd, "a key", &name);
        if (r < 0)
                return r;
        r = key_find(rd, map, name, &key);
        if (r < 0)
                return r;
        if (raw->value[key])
                return fail_set(rd->fail, -EINVAL, "%s line %u: key \"%s\" stands there twice",
                                rd->path, line_of(rd), name);
        raw->line[key] = line_of(rd);
        r = next(rd);
        if (r < 0)
                return r;
        return keys[key].list ? list_text(rd, name, &raw->value[key])
                              : scalar_text(rd, name, &raw->value[key]);
}

/* From its start event on, to its end event. */
static int read_map(struct reader *rd, enum map map, struct raw *raw) {
        int r = expect(rd, YAML_MAPPING_START_EVENT, "a mapping (key: value) is expected here");

        raw->at = line_of(rd);
        while (r >= 0) {
                r = next(rd);
                if (r < 0 || rd->event.type == YAML_MAPPING_END_EVENT)
                        break;
                r = read_key(rd, map, raw);
        }
        return r;
}

static int read_entries(struct reader *rd) {
        int r = expect(rd, YAML_SEQUENCE_START_EVENT, "nodes must be a list of entries");

        while (r >= 0) {
                r = next(rd);
                if (r < 0 || rd->event.type == YAML_SEQUENCE_END_EVENT)
                        break;
                if (rd->n_entries == ENTRIES_MAX)
                        return wrong(rd, line_of(rd), "too many entries");
                GROW(rd->entries, rd->allocated, rd->n_entries);
                struct raw *raw = &rd->entries[rd->n_entries++];
                *raw = (struct raw){ 0 };
                r = read_map(rd, MAP_ENTRY, raw);
        }
        return r;
}

static int read_section(struct reader *rd, unsigned *seen) {
        static const char *const names[] = { "defaults", "nodes", "console" };
        _cleanup_free_ char *name = NULL;
        unsigned i;
        int r;

        r = scalar_text(rd, "a key", &name);
        if (r < 0)
                return r;
        for (i = 0; i < ELEMENTSOF(names) && !streq(name, names[i]); i++)
                ;
        if (i == ELEMENTSOF(names))
                return fail_set(rd->fail, -EINVAL,
                                "%s line %u: key \"%.40s\" is not known here (defaults, nodes, "
                                "console)",
                                rd->path, line_of(rd), name);
        if (*seen & 1u << i)
                return fail_set(rd->fail, -EINVAL, "%s line %u: key \"%s\" stands there twice",
                                rd->path, line_of(rd), name);
        *seen |= 1u << i;
        r = next(rd);
        if (r < 0)
                return r;
        if (i == 1)
                return read_entries(rd);
        return i == 0 ? read_map(rd, MAP_DEFAULTS, &rd->defaults)
                      : read_map(rd, MAP_CONSOLE, &rd->console);
}

static int read_file(struct reader *rd) {
        unsigned seen = 0;
        int r;

        for (unsigned i = 0; i < 3; i++) { /* stream start, document start, mapping start */
                r = next(rd);
                if (r < 0)
                        return r;
                if (rd->event.type == YAML_STREAM_END_EVENT)
                        return wrong(rd, line_of(rd), "the file is empty");
        }
        r = expect(rd, YAML_MAPPING_START_EVENT, "the file must be a mapping with the key nodes");
        while (r >= 0) {
                r = next(rd);
                if (r < 0 || rd->event.type == YAML_MAPPING_END_EVENT)
                        break;
                r = read_section(rd, &seen);
        }
        if (r < 0)
                return r;
        r = next(rd); /* document end */
        if (r >= 0)
                r = next(rd);
        return r < 0 ? r : expect(rd, YAML_STREAM_END_EVENT, "there must be one document only");
}

/* ---- values ---- */

/* The value of a key, from the first of two mappings that has it. */
static const char *value_of(
                const struct reader *rd, const struct raw *raw, enum key key, unsigned *ret_line) {
        if (!raw->value[key])
                raw = &rd->defaults;
        *ret_line = raw->line[key];
        return raw->value[key];
}

static int bad_value(struct reader *rd, unsigned line, enum key key, const char *text,
                const char *expected) {
        return fail_set(rd->fail, -EINVAL, "%s line %u: %s: \"%.60s\" is not %s", rd->path, line,
                        keys[key].name, text, expected);
}

static int get_duration(struct reader *rd, const struct raw *raw, enum key key, usec_t min,
                usec_t max, usec_t *value) {
        unsigned line;
        const char *text = value_of(rd, raw, key, &line);
        usec_t t;

        if (!text)
                return 0;
        if (power_duration_parse(text, &t) < 0)
                return bad_value(rd, line, key, text, "a duration (250ms, 3s, 2m)");
        if (t < min || t > max)
                return fail_set(rd->fail, -ERANGE,
                                "%s line %u: %s: %s is not within %llu ms and %llu s", rd->path,
                                line, keys[key].name, text,
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
        return fail_set(rd->fail, -ERANGE,
                        "%s line %u: %s: \"%.60s\" is not a number from %llu to %llu", rd->path,
                        line, keys[key].name, text, (unsigned long long)min,
                        (unsigned long long)max);
}

static int get_workarounds(
                struct reader *rd, const struct raw *raw, enum key key, unsigned *value) {
        unsigned line;
        const char *value_text = value_of(rd, raw, key, &line);
        _cleanup_free_ char *text = xstrdup(value_text ? value_text : "");
        char *save = NULL;

        for (char *w = strtok_r(text, ", ", &save); w; w = strtok_r(NULL, ", ", &save))
                if (power_workaround_parse(w, key == KEY_CONSOLE_WORKAROUNDS, value) < 0)
                        return bad_value(rd, line, key, w, "a workaround that FreeIPMI knows");
        return 0;
}

/* Where the password is, as a path.  An entry's own key wins over either key of the defaults. */
static int password_path(struct reader *rd, const struct raw *raw, char **ret) {
        const struct raw *from =
                        raw->value[KEY_PASSWORD_FILE] || raw->value[KEY_PASSWORD_CREDENTIAL]
                                        ? raw
                                        : &rd->defaults;
        const char *file = from->value[KEY_PASSWORD_FILE],
                   *credential = from->value[KEY_PASSWORD_CREDENTIAL];
        const char *dir = getenv("CREDENTIALS_DIRECTORY");

        if (!file && !credential)
                return wrong(rd, raw->at, "neither password_file nor password_credential is given");
        if (file && credential)
                return wrong(rd, from->line[KEY_PASSWORD_FILE],
                                "password_file and password_credential exclude each other");
        if (file && *file == '/')
                *ret = xstrdup(file);
        else if (file) {
                const char *slash = strrchr(rd->path, '/');
                *ret = xasprintf("%.*s%s", slash ? (int)(slash - rd->path) + 1 : 0, rd->path, file);
        } else if (!*credential || strchr(credential, '/') || *credential == '.')
                return bad_value(rd, from->line[KEY_PASSWORD_CREDENTIAL], KEY_PASSWORD_CREDENTIAL,
                                credential, "the name of a systemd credential");
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
                return bad_value(rd, line, KEY_DRIVER, driver, "a driver (ipmi)");
        const char *user = value_of(rd, raw, KEY_USER, &line);
        if (!user)
                return wrong(rd, raw->at, "no user is given");
        r = get_number(rd, raw, KEY_CIPHER_SUITE, 1, 17, &suite); /* 0 is no security at all */
        if (r >= 0)
                r = get_workarounds(rd, raw, KEY_WORKAROUNDS, &a->workarounds);
        if (r >= 0)
                r = get_duration(rd, raw, KEY_RETRANSMIT, 100 * USEC_PER_MSEC, 60 * USEC_PER_SEC,
                                &a->retransmit);
        if (r >= 0)
                r = get_duration(rd, raw, KEY_SESSION, USEC_PER_SEC, 300 * USEC_PER_SEC,
                                &a->session);
        if (r >= 0 && a->retransmit >= a->session)
                r = wrong(rd, raw->at, "retransmit must be shorter than session");
        if (r >= 0)
                r = password_path(rd, raw, &a->password);
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
                return wrong(rd, raw->at, "an entry needs the keys nodes and bmc");
        r = hostlist_parse(raw->value[KEY_NODES], &nodes, rd->fail);
        if (r < 0)
                return fail_prefix(
                                rd->fail, r, "%s line %u: nodes", rd->path, raw->line[KEY_NODES]);
        r = power_addresses(raw->value[KEY_BMC], nodes, &addresses, rd->fail);
        if (r < 0)
                return fail_prefix(rd->fail, r, "%s line %u: bmc", rd->path, raw->line[KEY_BMC]);
        size_t n = hostlist_count(nodes);
        if (conf->n_bmcs + n > HOSTLIST_MAX)
                r = wrong(rd, raw->at, "too many nodes");
        conf->bmcs = xrenew(conf->bmcs, conf->n_bmcs + n);
        for (size_t i = 0; i < n; i++) {
                conf->bmcs[conf->n_bmcs++] = (struct power_bmc){ xstrdup(hostlist_get(nodes, i)),
                        addresses[i], access };
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

/* One BMC per node and one node per BMC: with two owners a BMC would get two requests at a time. */
static int check_unique(struct reader *rd, struct power_conf *conf) {
        qsort(conf->bmcs, conf->n_bmcs, sizeof *conf->bmcs, by_node);
        for (size_t i = 1; i < conf->n_bmcs; i++)
                if (streq(conf->bmcs[i - 1].node, conf->bmcs[i].node))
                        return fail_set(rd->fail, -EEXIST, "%s: node %s stands there twice",
                                        rd->path, conf->bmcs[i].node);

        _cleanup_free_ const struct power_bmc **sorted =
                        xnew(const struct power_bmc *, conf->n_bmcs);
        for (size_t i = 0; i < conf->n_bmcs; i++)
                sorted[i] = &conf->bmcs[i];
        qsort(sorted, conf->n_bmcs, sizeof *sorted, by_address);
        for (size_t i = 1; i < conf->n_bmcs; i++)
                if (streq(sorted[i - 1]->address, sorted[i]->address))
                        return fail_set(rd->fail, -EEXIST,
                                        "%s: nodes %s and %s have the same BMC %s", rd->path,
                                        sorted[i - 1]->node, sorted[i]->node, sorted[i]->address);
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
                return bad_value(rd, raw->line[KEY_CONSOLE_DIR], KEY_CONSOLE_DIR, dir,
                                "an absolute path");
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

static int make_conf(struct reader *rd, struct power_conf *conf) {
        const char *lock_file = rd->defaults.value[KEY_LOCK_FILE];
        int r;

        conf->deadline = 60 * USEC_PER_SEC;
        conf->poll = 250 * USEC_PER_MSEC;
        conf->cycle_pause = 5 * USEC_PER_SEC;
        conf->threads = 64;
        conf->lock_file = xstrdup(lock_file);
        if (lock_file && *lock_file != '/')
                return bad_value(rd, rd->defaults.line[KEY_LOCK_FILE], KEY_LOCK_FILE, lock_file,
                                "an absolute path");
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
                r = fail_set(rd->fail, -EINVAL, "%s: there are no nodes in it", rd->path);
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

int power_conf_parse(const char *path, const char *text, size_t size, struct power_conf **ret,
                struct fail *fail) {
        _cleanup_(power_conf_unrefp) struct power_conf *conf = xnew0(struct power_conf, 1);
        struct reader rd = { .path = path, .fail = fail };
        int r;

        conf->refs = 1;
        conf->path = xstrdup(path);
        if (size > POWER_YAML_MAX)
                return fail_set(fail, -EFBIG, "%s: larger than %u bytes", path, POWER_YAML_MAX);
        if (!yaml_parser_initialize(&rd.parser))
                return fail_set(fail, -ENOMEM, "%s: libyaml does not start", path);
        yaml_parser_set_input_string(&rd.parser, (const unsigned char *)text, size);
        r = read_file(&rd);
        if (r >= 0)
                r = make_conf(&rd, conf);
        if (rd.have_event)
                yaml_event_delete(&rd.event);
        yaml_parser_delete(&rd.parser);
        for (size_t i = 0; i < rd.n_entries; i++)
                raw_done(&rd.entries[i]);
        free(rd.entries);
        raw_done(&rd.defaults);
        raw_done(&rd.console);
        if (r < 0)
                return r;
        *ret = TAKE(conf);
        return 0;
}
