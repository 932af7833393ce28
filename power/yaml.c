/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads power.yaml. Values end as texts in struct raw, from which power/entries.c makes BMCs: the
 * range of a value depends on the driver, and entries override defaults, which may follow them. */
#include "power/entries.h"

#define ENTRIES_MAX 100000 /* a cluster's maximum: one per node */
#define LEVELS_MOST 4      /* the map, nodes, an entry, a list of words */
#define DURATION    "a duration (250ms, 3s, 2m)"

#define ROW(k, name, type, what) [k] = { name, type, offsetof(struct raw, value[k]), what }
#define TEXT(k, name, what)      ROW(k, name, ydoc_later, what)
#define WORDS(k, name, what)     ROW(k, name, ydoc_words, what)

/* clang-format off */
const struct ydoc_field power_keys[KEY_MAX] = {
        TEXT(KEY_NODES, "nodes", "a host list (n[1-8])"),
        TEXT(KEY_BMC, "bmc", "as many addresses (10.1.0.[1-8]), a pattern (bmc-%n) or from-agent"),
        TEXT(KEY_SYSTEM, "system", "the Id of a ComputerSystem, or a pattern (blade{n})"),
        WORDS(KEY_MAC, "mac", "as many MAC addresses ([aa:bb:cc:dd:ee:ff, ...])"),
        TEXT(KEY_CHECK, "check", "HOST:PORT for each node (%n:22)"),
        TEXT(KEY_DRIVER, "driver", "a driver (ipmi, redfish, wake-on-lan, suspend, program)"),
        TEXT(KEY_USER, "user", "a user's name"),
        TEXT(KEY_PASSWORD_FILE, "password_file", "a file's path"),
        TEXT(KEY_PASSWORD_CREDENTIAL, "password_credential", "the name of a systemd credential"),
        TEXT(KEY_CIPHER_SUITE, "cipher_suite", "one of 1, 2, 3, 6, 7, 8, 11, 12, 15, 16 and 17"),
        WORDS(KEY_WORKAROUNDS, "workarounds", "a list of FreeIPMI's workarounds ([opensesspriv, ...])"),
        TEXT(KEY_RETRANSMIT, "retransmit", DURATION),
        TEXT(KEY_SESSION, "session", DURATION),
        TEXT(KEY_AUTH, "auth", "session or basic"),
        TEXT(KEY_CA_FILE, "ca_file", "a file's path"),
        TEXT(KEY_TLS_VERIFY, "tls_verify", "yes or no"),
        TEXT(KEY_TIMEOUT, "timeout", DURATION),
        TEXT(KEY_BROADCAST, "broadcast", "HOST or HOST:PORT"),
        TEXT(KEY_OFF_PROGRAM, "off_program", "an absolute path"),
        TEXT(KEY_PROGRAM, "program", "an absolute path"),
        TEXT(KEY_SOFT, "soft", "bmc or agent"),
        WORDS(KEY_VIA, "via", "a list of at most 16 nodes ([r1, r2]), or none"),
        TEXT(KEY_DEADLINE, "deadline", DURATION),
        TEXT(KEY_POLL, "poll", DURATION),
        TEXT(KEY_CYCLE_PAUSE, "cycle_pause", DURATION),
        TEXT(KEY_THREADS, "threads", "a number from 1 to 1024"),
        TEXT(KEY_LOCK_FILE, "lock_file", "an absolute path"),
        TEXT(KEY_CONSOLE_DIR, "dir", "an absolute path"),
        TEXT(KEY_CONSOLE_SECONDS, "seconds", DURATION),
        TEXT(KEY_CONSOLE_WAIT, "wait", DURATION),
        TEXT(KEY_CONSOLE_MAX_BYTES, "max_bytes", "a number from 1024 to 1073741824"),
        WORDS(KEY_CONSOLE_WORKAROUNDS, "workarounds", "a list of FreeIPMI's workarounds ([solpayloadsize, ...])"),
};
/* clang-format on */

#define KEYS(first, end) &power_keys[first], (end) - (first)
static const struct ydoc_form entry_form = { "an entry of nodes", KEYS(KEY_NODES, KEY_DEADLINE) },
                              defaults_form = { "defaults", KEYS(KEY_DRIVER, KEY_CONSOLE_DIR) },
                              console_form = { "console", KEYS(KEY_CONSOLE_DIR, KEY_MAX) };

static void raw_done(struct raw *raw) {
        for (size_t k = 0; k < KEY_MAX; k++)
                free(raw->value[k].text);
}

static int entry_read(struct ydoc *y, const struct ynode *n, void *to) {
        struct raw raw = { .line = n->line, .column = n->column };
        int failed = 0;

        if (ydoc_continues(y, ydoc_map(y, n, &entry_form, &raw), &failed) && n->type == YNODE_MAP)
                (void)ydoc_continues(y, power_entry_make(to, &raw), &failed);
        raw_done(&raw);
        return failed;
}

/* Keeps the place of the entries, which are read after defaults. */
static int entries_find(struct ydoc *y, const struct ynode *n, void *to) {
        (void)y;
        ((struct reader *)to)->nodes = n;
        return 0;
}

static const struct ydoc_field file_fields[] = {
        { "nodes", .read = entries_find },
        { "defaults", ydoc_submap, offsetof(struct reader, defaults), .form = &defaults_form },
        { "console", ydoc_submap, offsetof(struct reader, console), .form = &console_form },
};
static const struct ydoc_form file_form = { "power.yaml", file_fields, ELEMENTSOF(file_fields) };

static int entries_read(struct reader *rd) {
        struct ydoc *y = rd->y;

        if (!rd->nodes || (rd->nodes->type == YNODE_LIST && rd->nodes->n == 0))
                return y->n_faults ? 0
                                   : ydoc_wrong_at(y, 0, 0,
                                                     "there are no nodes in it, expected nodes: [{nodes: ..., bmc: ...}]");
        y->field = &file_fields[0];
        if (rd->nodes->type == YNODE_LIST)
                rd->conf->accesses = xnew0(struct power_access, rd->nodes->n);
        return ydoc_list(y, rd->nodes, "entries (- {nodes: ..., bmc: ...})", ENTRIES_MAX,
                        entry_read, rd);
}

static int file_read(struct ydoc *y, const struct ynode *n, void *to) {
        static int (*const steps[])(struct reader * rd) = { power_settings_make, entries_read,
                power_entries_check };
        int failed = 0;
        bool more = ydoc_continues(y, ydoc_map(y, n, &file_form, to), &failed);

        for (size_t i = 0; i < ELEMENTSOF(steps) && more; i++)
                more = ydoc_continues(y, steps[i](to), &failed);
        return failed;
}

int power_conf_parse(const char *path, const char *text, size_t size, struct power_conf **ret,
                struct fail *fail) {
        _cleanup_(power_conf_unrefp) struct power_conf *conf = xnew0(struct power_conf, 1);
        struct ydoc y = { .file = path,
                .most = POWER_YAML_MAX,
                .levels = LEVELS_MOST,
                .refused = YDOC_NO_ANCHORS | YDOC_NO_TAGS,
                .fail = fail };
        struct reader rd = { .y = &y, .conf = conf };

        conf->refs = 1;
        conf->path = xstrdup(path);
        int e = ydoc_read(&y, text, size, file_read, &rd);
        if (e >= 0 && conf->n_bmcs == 0)
                e = ydoc_wrong_at(&y, 0, 0, "the file is empty, expected the key nodes");
        raw_done(&rd.defaults);
        raw_done(&rd.console);
        if (e >= 0)
                *ret = TAKE(conf);
        return e;
}
