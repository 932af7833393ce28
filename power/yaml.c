/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads power.yaml.
 *
 * The file is read as a stream of libyaml's events: no tree is built, aliases and anchors are
 * refused, and nesting cannot exceed the format. Every mapping has its keys in one table; an
 * unknown or repeated key is an error naming file, line and key. Values end as texts in struct raw,
 * from which power/entries.c makes BMCs. */
#include "lib/wordlist.h"
#include "power/entries.h"

#define ENTRIES_MAX 100000 /* a cluster's maximum: one per node */
#define SCALAR_MAX  65536  /* bytes; a host list can be long */
#define WORDS_MAX   4096   /* in one list: MAC addresses */

#define MAP_BOTH (MAP_DEFAULTS | MAP_ENTRY)
#define DURATION "a duration (250ms, 3s, 2m)"

/* clang-format off */
const struct power_key power_keys[KEY_MAX] = {
        [KEY_DRIVER] = { "driver", MAP_BOTH, 0, false, "a driver (ipmi, redfish, wake-on-lan, suspend, program)" },
        [KEY_USER] = { "user", MAP_BOTH, FOR_IPMI | FOR_REDFISH, false, "a user's name" },
        [KEY_PASSWORD_FILE] = { "password_file", MAP_BOTH,
                        FOR_IPMI | FOR_REDFISH | FOR_WAKE_ON_LAN | FOR_SUSPEND, false, "a file's path" },
        [KEY_PASSWORD_CREDENTIAL] = { "password_credential", MAP_BOTH,
                        FOR_IPMI | FOR_REDFISH | FOR_WAKE_ON_LAN | FOR_SUSPEND, false, "the name of a systemd credential" },
        [KEY_CIPHER_SUITE] = { "cipher_suite", MAP_BOTH, FOR_IPMI, false,
                        "one of 1, 2, 3, 6, 7, 8, 11, 12, 15, 16 and 17" },
        [KEY_WORKAROUNDS] = { "workarounds", MAP_BOTH, FOR_IPMI, true,
                        "a list of FreeIPMI's workarounds ([opensesspriv, ...])" },
        [KEY_RETRANSMIT] = { "retransmit", MAP_BOTH, FOR_IPMI, false, DURATION },
        [KEY_SESSION] = { "session", MAP_BOTH, FOR_IPMI, false, DURATION },
        [KEY_AUTH] = { "auth", MAP_BOTH, FOR_REDFISH, false, "session or basic" },
        [KEY_CA_FILE] = { "ca_file", MAP_BOTH, FOR_REDFISH, false, "a file's path" },
        [KEY_TLS_VERIFY] = { "tls_verify", MAP_BOTH, FOR_REDFISH, false, "yes or no" },
        [KEY_TIMEOUT] = { "timeout", MAP_BOTH, FOR_REDFISH | FOR_WAKE_ON_LAN | FOR_SUSPEND | FOR_PROGRAM,
                        false, DURATION },
        [KEY_BROADCAST] = { "broadcast", MAP_BOTH, FOR_WAKE_ON_LAN | FOR_SUSPEND, false, "HOST or HOST:PORT" },
        [KEY_OFF_PROGRAM] = { "off_program", MAP_BOTH, FOR_WAKE_ON_LAN, false, "an absolute path" },
        [KEY_PROGRAM] = { "program", MAP_BOTH, FOR_PROGRAM, false, "an absolute path" },
        [KEY_SOFT] = { "soft", MAP_BOTH, FOR_IPMI | FOR_REDFISH | FOR_WAKE_ON_LAN, false, "bmc or agent" },
        [KEY_VIA] = { "via", MAP_BOTH, 0, true, "a list of at most 16 nodes ([r1, r2]), or none" },
        [KEY_NODES] = { "nodes", MAP_ENTRY, 0, false, "a host list (n[1-8])" },
        [KEY_BMC] = { "bmc", MAP_ENTRY, FOR_IPMI | FOR_REDFISH | FOR_PROGRAM, false,
                        "as many addresses (10.1.0.[1-8]), a pattern (bmc-%n) or from-agent" },
        [KEY_SYSTEM] = { "system", MAP_ENTRY, FOR_REDFISH, false,
                        "the Id of a ComputerSystem, or a pattern (blade{n})" },
        [KEY_MAC] = { "mac", MAP_ENTRY, FOR_WAKE_ON_LAN | FOR_SUSPEND, true, "as many MAC addresses ([aa:bb:cc:dd:ee:ff, ...])" },
        [KEY_CHECK] = { "check", MAP_ENTRY, FOR_WAKE_ON_LAN | FOR_SUSPEND, false, "HOST:PORT for each node (%n:22)" },
        [KEY_DEADLINE] = { "deadline", MAP_DEFAULTS, 0, false, DURATION },
        [KEY_POLL] = { "poll", MAP_DEFAULTS, 0, false, DURATION },
        [KEY_CYCLE_PAUSE] = { "cycle_pause", MAP_DEFAULTS, 0, false, DURATION },
        [KEY_THREADS] = { "threads", MAP_DEFAULTS, 0, false, "a number from 1 to 1024" },
        [KEY_LOCK_FILE] = { "lock_file", MAP_DEFAULTS, 0, false, "an absolute path" },
        [KEY_CONSOLE_DIR] = { "dir", MAP_CONSOLE, 0, false, "an absolute path" },
        [KEY_CONSOLE_SECONDS] = { "seconds", MAP_CONSOLE, 0, false, DURATION },
        [KEY_CONSOLE_WAIT] = { "wait", MAP_CONSOLE, 0, false, DURATION },
        [KEY_CONSOLE_MAX_BYTES] = { "max_bytes", MAP_CONSOLE, 0, false, "a number from 1024 to 1073741824" },
        [KEY_CONSOLE_WORKAROUNDS] = { "workarounds", MAP_CONSOLE, 0, true,
                        "a list of FreeIPMI's workarounds ([solpayloadsize, ...])" },
};
/* clang-format on */

static void raw_done(struct raw *raw) {
        for (size_t k = 0; k < KEY_MAX; k++)
                free(raw->value[k]);
}

/* ---- events ---- */

static unsigned reader_line(const struct reader *rd) {
        return (unsigned)rd->event.start_mark.line + 1;
}

int power_yaml_wrong(struct reader *rd, unsigned line, const char *what) {
        return fail_set(rd->fail, -EINVAL, "%s line %u: %s", rd->path, line, what);
}

int power_yaml_go_on(struct reader *rd, int r) {
        if (r >= 0 || !rd->problems || rd->broken)
                return r;
        power_problems_add(rd->problems, rd->fail->text);
        rd->fail->text[0] = 0;
        return 0;
}

/* Returns the line of a YAML error. libyaml counts lines of parsed text; for invalid bytes it has
   only the offset. */
static unsigned line_of_problem(const struct reader *rd) {
        unsigned line = 1;

        if (rd->parser.error != YAML_READER_ERROR)
                return (unsigned)rd->parser.problem_mark.line + 1;
        for (size_t i = 0; i < MIN(rd->parser.problem_offset, rd->size); i++)
                line += rd->text[i] == '\n';
        return line;
}

static const yaml_char_t *anchor_of(const yaml_event_t *event) {
        switch ((int)event->type) {
        case YAML_SCALAR_EVENT:
                return event->data.scalar.anchor ? event->data.scalar.anchor
                                                 : event->data.scalar.tag;
        case YAML_SEQUENCE_START_EVENT:
                return event->data.sequence_start.anchor ? event->data.sequence_start.anchor
                                                         : event->data.sequence_start.tag;
        case YAML_MAPPING_START_EVENT:
                return event->data.mapping_start.anchor ? event->data.mapping_start.anchor
                                                        : event->data.mapping_start.tag;
        default:
                return NULL;
        }
}

/* Reads the next event into rd->event, valid until the next call. */
static int reader_next(struct reader *rd) {
        if (rd->have_event)
                yaml_event_delete(&rd->event);
        rd->have_event = false;
        rd->broken = !yaml_parser_parse(&rd->parser, &rd->event);
        if (rd->broken)
                return fail_set(rd->fail, -EINVAL, "%s line %u: not YAML: %s", rd->path,
                                line_of_problem(rd),
                                rd->parser.problem ? rd->parser.problem
                                                   : "libyaml gives no reason");
        rd->have_event = true;
        rd->depth += rd->event.type == YAML_MAPPING_START_EVENT ||
                     rd->event.type == YAML_SEQUENCE_START_EVENT;
        rd->depth -= rd->event.type == YAML_MAPPING_END_EVENT ||
                     rd->event.type == YAML_SEQUENCE_END_EVENT;
        if (rd->event.type == YAML_ALIAS_EVENT || anchor_of(&rd->event))
                return power_yaml_wrong(rd, reader_line(rd),
                                "anchors (&), aliases (*) and tags (!) are not allowed here");
        return 0;
}

/* Skips to the end of the mapping or list at that depth after a fault inside, if all faults are
   wanted. */
static int go_on_at(struct reader *rd, unsigned depth, int r) {
        r = power_yaml_go_on(rd, r);
        while (r >= 0 && rd->depth > depth)
                r = power_yaml_go_on(rd, reader_next(rd));
        return r;
}

static int reader_expect(struct reader *rd, yaml_event_type_t type, const char *what) {
        return rd->event.type == type ? 0 : power_yaml_wrong(rd, reader_line(rd), what);
}

static const char *event_word(const yaml_event_t *event) {
        switch ((int)event->type) {
        case YAML_MAPPING_START_EVENT:
                return "a mapping";
        case YAML_SEQUENCE_START_EVENT:
                return "a list";
        default:
                return "a value";
        }
}

/* what: name of the key, or "a key" for the key itself. */
static int scalar_text(struct reader *rd, const char *what, const char *expected, char **ret) {
        const char *text;
        size_t length;

        if (rd->event.type != YAML_SCALAR_EVENT)
                return fail_set(rd->fail, -EINVAL, "%s line %u: %s: %s stands here, expected %s",
                                rd->path, reader_line(rd), what, event_word(&rd->event), expected);
        text = (const char *)rd->event.data.scalar.value;
        length = rd->event.data.scalar.length;
        if (length == 0)
                return fail_set(rd->fail, -EINVAL,
                                "%s line %u: %s: nothing stands here, expected %s", rd->path,
                                reader_line(rd), what, expected);
        if (length > SCALAR_MAX || memchr(text, 0, length))
                return fail_set(rd->fail, -EINVAL,
                                "%s line %u: %s: too long or binary, expected %s", rd->path,
                                reader_line(rd), what, expected);
        *ret = xstrndup(text, length);
        return 0;
}

/* Reads [a, b] or a plain "a,b". */
static int list_text(struct reader *rd, const char *what, const char *expected, char **ret) {
        _cleanup_free_ char *all = NULL;
        int r;

        if (rd->event.type != YAML_SEQUENCE_START_EVENT)
                return scalar_text(rd, what, expected, ret);
        all = xstrdup("");
        for (unsigned n = 0;; n++) {
                _cleanup_free_ char *word = NULL;
                r = reader_next(rd);
                if (r < 0)
                        return r;
                if (rd->event.type == YAML_SEQUENCE_END_EVENT)
                        break;
                if (n == WORDS_MAX)
                        return fail_set(rd->fail, -E2BIG,
                                        "%s line %u: %s: more than %d words, expected %s", rd->path,
                                        reader_line(rd), what, WORDS_MAX, expected);
                r = scalar_text(rd, what, expected, &word);
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
                if (!(power_keys[k].maps & map))
                        continue;
                text_add_word(&text, ", ", "%s", power_keys[k].name);
        }
        return text;
}

static int key_find(struct reader *rd, enum map map, const char *name, enum key *ret) {
        for (size_t k = 0; k < KEY_MAX; k++)
                if (power_keys[k].maps & map && streq(power_keys[k].name, name)) {
                        *ret = (enum key)k;
                        return 0;
                }
        _cleanup_free_ char *known = known_keys(map);
        return fail_set(rd->fail, -EINVAL, "%s line %u: key \"%.40s\" is not known here (%s)",
                        rd->path, reader_line(rd), name, known);
}

/* Reads a key; anything other than a key makes the rest unparsable. */
static int key_text(struct reader *rd, char **ret) {
        int r = scalar_text(rd, "key", "a plain word", ret);

        if (r < 0 && rd->problems) {
                power_problems_add(rd->problems, rd->fail->text);
                rd->broken = true;
        }
        return r;
}

static int reader_read_key(struct reader *rd, enum map map, struct raw *raw) {
        _cleanup_free_ char *name = NULL;
        enum key key = 0;
        int r;

        r = key_text(rd, &name);
        if (r < 0)
                return r;
        r = key_find(rd, map, name, &key);
        if (r >= 0 && raw->value[key])
                r = fail_set(rd->fail, -EINVAL, "%s line %u: key \"%s\" stands there twice",
                                rd->path, reader_line(rd), name);
        unsigned line = reader_line(rd);
        int at = reader_next(rd); /* the value of whatever key */
        if (r < 0 || at < 0)
                return rd->broken || r >= 0 ? at : r;
        raw->line[key] = line;
        const char *expected = power_keys[key].expected;
        return power_keys[key].list ? list_text(rd, name, expected, &raw->value[key])
                                    : scalar_text(rd, name, expected, &raw->value[key]);
}

/* Reads a mapping from its start event to its end event. */
static int read_map(struct reader *rd, enum map map, const char *section, struct raw *raw) {
        int r = 0;

        if (rd->event.type != YAML_MAPPING_START_EVENT)
                r = fail_set(rd->fail, -EINVAL,
                                "%s line %u: %s: %s stands here, expected a mapping (key: value)",
                                rd->path, reader_line(rd), section, event_word(&rd->event));

        raw->at = reader_line(rd);
        while (r >= 0) {
                unsigned depth = rd->depth;
                r = reader_next(rd);
                if (r < 0 || rd->event.type == YAML_MAPPING_END_EVENT)
                        break;
                r = go_on_at(rd, depth, reader_read_key(rd, map, raw));
        }
        return r;
}

static int read_entries(struct reader *rd) {
        int r = reader_expect(rd, YAML_SEQUENCE_START_EVENT,
                        "nodes must be a list of entries (- {nodes: ..., bmc: ...})");

        while (r >= 0) {
                unsigned depth = rd->depth;
                r = reader_next(rd);
                if (r < 0 || rd->event.type == YAML_SEQUENCE_END_EVENT)
                        break;
                if (rd->n_entries == ENTRIES_MAX)
                        return power_yaml_wrong(rd, reader_line(rd), "too many entries");
                GROW(rd->entries, rd->allocated, rd->n_entries);
                struct raw *raw = &rd->entries[rd->n_entries++];
                *raw = (struct raw){ 0 };
                r = read_map(rd, MAP_ENTRY, "nodes", raw);
                if (r < 0) { /* not a valid entry */
                        raw_done(raw);
                        rd->n_entries--;
                }
                r = go_on_at(rd, depth, r);
        }
        return r;
}

static int read_section(struct reader *rd, unsigned *seen) {
        static const char *const names[] = { "defaults", "nodes", "console" };
        _cleanup_free_ char *name = NULL;
        unsigned i;
        int r;

        r = key_text(rd, &name);
        if (r < 0)
                return r;
        for (i = 0; i < ELEMENTSOF(names) && !streq(name, names[i]); i++)
                ;
        if (i == ELEMENTSOF(names))
                r = fail_set(rd->fail, -EINVAL,
                                "%s line %u: key \"%.40s\" is not known here (defaults, nodes, "
                                "console)",
                                rd->path, reader_line(rd), name);
        else if (*seen & 1u << i)
                r = fail_set(rd->fail, -EINVAL, "%s line %u: key \"%s\" stands there twice",
                                rd->path, reader_line(rd), name);
        *seen |= 1u << i;
        int at = reader_next(rd);
        if (r < 0 || at < 0)
                return rd->broken || r >= 0 ? at : r;
        if (i == 1)
                return read_entries(rd);
        return i == 0 ? read_map(rd, MAP_DEFAULTS, name, &rd->defaults)
                      : read_map(rd, MAP_CONSOLE, name, &rd->console);
}

/* Reads the whole file into rd's texts. */
static int power_yaml_read(struct reader *rd) {
        unsigned seen = 0;
        int r;

        for (unsigned i = 0; i < 3; i++) { /* stream start, document start, mapping start */
                r = reader_next(rd);
                if (r < 0)
                        return r;
                if (rd->event.type == YAML_STREAM_END_EVENT)
                        return power_yaml_wrong(rd, reader_line(rd),
                                        "the file is empty, expected the key nodes");
        }
        r = reader_expect(rd, YAML_MAPPING_START_EVENT,
                        "the file must be a mapping with the key nodes (nodes: [...])");
        while (r >= 0) {
                unsigned depth = rd->depth;
                r = reader_next(rd);
                if (r < 0 || rd->event.type == YAML_MAPPING_END_EVENT)
                        break;
                r = go_on_at(rd, depth, read_section(rd, &seen));
        }
        if (r < 0)
                return r;
        r = reader_next(rd); /* document end */
        if (r >= 0)
                r = reader_next(rd);
        return r < 0 ? r
                     : reader_expect(rd, YAML_STREAM_END_EVENT, "there must be one document only");
}

static int reader_parse(const char *path, const char *text, size_t size,
                struct power_problems *problems, struct power_conf **ret, struct fail *fail) {
        _cleanup_(power_conf_unrefp) struct power_conf *conf = xnew0(struct power_conf, 1);
        struct reader rd = {
                .path = path,
                .text = text,
                .size = size,
                .fail = fail,
                .problems = problems,
        };
        int r;

        conf->refs = 1;
        conf->path = xstrdup(path);
        if (size > POWER_YAML_MAX)
                return fail_set(fail, -EFBIG, "%s: larger than %u bytes", path, POWER_YAML_MAX);
        if (!yaml_parser_initialize(&rd.parser))
                return fail_set(fail, -ENOMEM, "%s: libyaml does not start", path);
        yaml_parser_set_input_string(&rd.parser, (const unsigned char *)text, size);
        r = power_yaml_read(&rd);
        if (r >= 0)
                r = power_entries_make(&rd, conf);
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

int power_conf_parse(const char *path, const char *text, size_t size, struct power_conf **ret,
                struct fail *fail) {
        return reader_parse(path, text, size, NULL, ret, fail);
}

int power_conf_parse_all(const char *path, const char *text, size_t size, struct power_conf **ret,
                struct power_problems *problems) {
        _cleanup_(power_conf_unrefp) struct power_conf *conf = NULL;
        struct fail fail = { 0 };
        int r = reader_parse(path, text, size, problems, &conf, &fail);

        if (r < 0 && *fail.text)
                power_problems_add(problems, fail.text);
        if (r >= 0 && problems->n == 0)
                *ret = TAKE(conf);
        return problems->n ? -EINVAL : 0;
}
