/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes BMCs from the texts of power.yaml: each entry of "nodes" overrides "defaults". */
#include "power/entries.h"

#include <freeipmi/freeipmi.h>

#include "power/wake_on_lan.h"

#include "lib/timetext.h"
#include "lib/wordlist.h"

/* ---- values ---- */

/* Returns a key's text of the entry, else that of the defaults; text NULL: unset. */
static const struct ydoc_text *entry_text(const struct reader *rd, const struct raw *raw,
                enum key key) {
        return raw->value[key].text ? &raw->value[key] : &rd->defaults.value[key];
}

/* Sets fail to 'KEY: "WORD" is not EXPECTED'; word: the faulty part of text. */
static int entry_wrong_word(struct reader *rd, const struct ydoc_text *text, enum key key,
                const char *word) {
        return ydoc_wrong_at(rd->y, text->line, text->column, "%s: \"%.60s\" is not %s",
                        power_keys[key].key, word, power_keys[key].expected);
}

static int entry_wrong(struct reader *rd, const struct ydoc_text *text, enum key key) {
        return entry_wrong_word(rd, text, key, text->text);
}

static int get_duration(struct reader *rd, const struct raw *raw, enum key key, usec_t min,
                usec_t max, usec_t *value) {
        const struct ydoc_text *text = entry_text(rd, raw, key);
        usec_t t;

        if (!text->text)
                return 0;
        if (power_duration_parse(text->text, &t) < 0)
                return entry_wrong(rd, text, key);
        if (t < min || t > max)
                return ydoc_wrong_at(rd->y, text->line, text->column,
                                "%s: %s is not within %llu ms and %llu s", power_keys[key].key,
                                text->text, (unsigned long long)(min / USEC_PER_MSEC),
                                (unsigned long long)(max / USEC_PER_SEC));
        *value = t;
        return 0;
}

static int get_number(struct reader *rd, const struct raw *raw, enum key key, uint64_t min,
                uint64_t max, uint64_t *value) {
        const struct ydoc_text *text = entry_text(rd, raw, key);

        if (!text->text || uint_parse(text->text, min, max, value) >= 0)
                return 0;
        return entry_wrong(rd, text, key);
}

static int get_workarounds(struct reader *rd, const struct raw *raw, enum key key,
                unsigned *value) {
        const struct ydoc_text *text = entry_text(rd, raw, key);

        for_each_word(w, text->text, ", ")
                if (power_workaround_parse(w, key == KEY_CONSOLE_WORKAROUNDS, value) < 0)
                        return ydoc_wrong_at(rd->y, text->line, text->column,
                                        "%s: \"%.60s\" is not a workaround that FreeIPMI knows",
                                        power_keys[key].key, w);
        return 0;
}

/* Returns a path relative to power.yaml's folder, unless absolute. */
static char *entry_path(const struct reader *rd, const char *file) {
        const char *path = rd->conf->path, *slash = strrchr(path, '/');

        if (*file == '/' || !slash)
                return xstrdup(file);
        return xasprintf("%.*s%s", (int)(slash - path) + 1, path, file);
}

/* Finds the path of the password. A key of the entry has precedence over both keys of the
   defaults. */
static int password_path(struct reader *rd, const struct raw *raw, struct power_access *a) {
        const struct raw *from = raw->value[KEY_PASSWORD_FILE].text ||
                                                                 raw->value[KEY_PASSWORD_CREDENTIAL]
                                                                                 .text
                                                 ? raw
                                                 : &rd->defaults;
        const struct ydoc_text *file = &from->value[KEY_PASSWORD_FILE],
                               *credential = &from->value[KEY_PASSWORD_CREDENTIAL],
                               *given = file->text ? file : credential;
        const char *dir = getenv("CREDENTIALS_DIRECTORY");

        if (!given->text)
                return ydoc_wrong_at(rd->y, raw->line, raw->column,
                                "an entry needs password_file or password_credential, here or in defaults");
        if (file->text && credential->text)
                return ydoc_wrong_at(rd->y, file->line, file->column,
                                "password_file and password_credential exclude each other");
        a->password_line = given->line;
        a->password_column = given->column;
        if (file->text)
                a->password = entry_path(rd, file->text);
        else if (strchr(credential->text, '/') || *credential->text == '.')
                return entry_wrong(rd, credential, KEY_PASSWORD_CREDENTIAL);
        else
                a->password = xasprintf("%s/%s", dir ? dir : "/run/credentials", credential->text);
        return 0;
}

/* Sets *index to the number of the key's value in words[]; unchanged if the key is unset. */
static int get_word(struct reader *rd, const struct raw *raw, enum key key,
                const char *const *words, size_t n, size_t *index) {
        const struct ydoc_text *text = entry_text(rd, raw, key);

        if (!text->text)
                return 0;
        for (size_t i = 0; i < n; i++)
                if (streq(words[i], text->text)) {
                        *index = i;
                        return 0;
                }
        return entry_wrong(rd, text, key);
}

static int get_program(struct reader *rd, const struct raw *raw, enum key key, char **ret) {
        const struct ydoc_text *text = entry_text(rd, raw, key);

        if (text->text && *text->text != '/')
                return entry_wrong(rd, text, key);
        *ret = xstrdup(text->text);
        return 0;
}

/* Reads user and password; access->password has the path until load_passwords(). */
static int get_account(struct reader *rd, const struct raw *raw, struct power_access *a) {
        const struct ydoc_text *user = entry_text(rd, raw, KEY_USER);

        if (!user->text)
                return ydoc_wrong_at(rd->y, raw->line, raw->column,
                                "an entry needs the key user, here or in defaults");
        a->user = xstrdup(user->text);
        return password_path(rd, raw, a);
}

static int ipmi_access(struct reader *rd, const struct raw *raw, struct power_access *a) {
        const struct ydoc_text *user = entry_text(rd, raw, KEY_USER);
        uint64_t suite = 3;
        int r = get_account(rd, raw, a);

        if (r < 0)
                return r;
        if (strlen(user->text) > IPMI_MAX_USER_NAME_LENGTH)
                return ydoc_wrong_at(rd->y, user->line, user->column,
                                "user: \"%.60s\" is longer than IPMI's %d bytes", user->text,
                                IPMI_MAX_USER_NAME_LENGTH);
        r = get_number(rd, raw, KEY_CIPHER_SUITE, 1, 17, &suite); /* 0 means no security */
        if (r >= 0 && !IPMI_CIPHER_SUITE_ID_SUPPORTED(suite))
                r = entry_wrong(rd, entry_text(rd, raw, KEY_CIPHER_SUITE), KEY_CIPHER_SUITE);
        a->cipher_suite = (unsigned)suite;
        if (r >= 0)
                r = get_workarounds(rd, raw, KEY_WORKAROUNDS, &a->workarounds);
        if (r >= 0)
                r = get_duration(rd, raw, KEY_RETRANSMIT, 100 * USEC_PER_MSEC, 60 * USEC_PER_SEC,
                                &a->retransmit);
        if (r >= 0)
                r = get_duration(rd, raw, KEY_SESSION, USEC_PER_SEC, 300 * USEC_PER_SEC,
                                &a->session);
        if (r >= 0 && a->retransmit >= a->session)
                r = ydoc_wrong_at(rd->y, raw->line, raw->column,
                                "retransmit must be shorter than session");
        return r;
}

static int redfish_access(struct reader *rd, const struct raw *raw, struct power_access *a) {
        static const char *const auths[] = { "session", "basic" };
        static const char *const verifies[] = { "yes", "no", "true", "false" };
        const struct ydoc_text *ca_file = entry_text(rd, raw, KEY_CA_FILE);
        size_t auth = 0, verify = 0;
        int r = get_account(rd, raw, a);

        a->timeout = 15 * USEC_PER_SEC;
        if (r >= 0)
                r = get_word(rd, raw, KEY_AUTH, auths, ELEMENTSOF(auths), &auth);
        if (r >= 0)
                r = get_word(rd, raw, KEY_TLS_VERIFY, verifies, ELEMENTSOF(verifies), &verify);
        a->basic_auth = auth == 1;
        a->tls_verify = verify % 2 == 0;
        if (ca_file->text)
                a->ca_file = entry_path(rd, ca_file->text);
        if (r >= 0 && a->ca_file && !a->tls_verify)
                r = ydoc_wrong_at(rd->y, ca_file->line, ca_file->column,
                                "ca_file: of no use with tls_verify: no");
        return r;
}

static int wake_on_lan_access(struct reader *rd, const struct raw *raw, struct power_access *a) {
        const struct ydoc_text *text = entry_text(rd, raw, KEY_BROADCAST);
        const char *broadcast = text->text ? text->text : "255.255.255.255";
        int r;

        a->timeout = 2 * USEC_PER_SEC;
        if (power_address_check(broadcast, NULL) < 0)
                return entry_wrong(rd, text, KEY_BROADCAST);
        a->broadcast = strchr(broadcast, ':') ? xstrdup(broadcast) : xasprintf("%s:9", broadcast);
        r = a->driver == power_driver_suspend()
                            ? 0
                            : get_program(rd, raw, KEY_OFF_PROGRAM, &a->program);
        /* The defaults' password is for BMCs: SecureOn's password must be in the entry. */
        if (r >= 0 && (raw->value[KEY_PASSWORD_FILE].text ||
                                      raw->value[KEY_PASSWORD_CREDENTIAL].text))
                r = password_path(rd, raw, a);
        return r;
}

static int program_access(struct reader *rd, const struct raw *raw, struct power_access *a) {
        int r = get_program(rd, raw, KEY_PROGRAM, &a->program);

        a->timeout = 30 * USEC_PER_SEC;
        if (r >= 0 && !a->program)
                r = ydoc_wrong_at(rd->y, raw->line, raw->column,
                                "an entry needs the key program, here or in defaults");
        return r;
}

enum { /* bits: drivers */
        FOR_IPMI = 1,
        FOR_REDFISH = 2,
        FOR_WAKE_ON_LAN = 4,
        FOR_PROGRAM = 8,
        FOR_SUSPEND = 16,
};

/* Drivers that have a key of entries; 0: all. */
static const unsigned key_drivers[KEY_MAX] = {
        [KEY_BMC] = FOR_IPMI | FOR_REDFISH | FOR_PROGRAM,
        [KEY_SYSTEM] = FOR_REDFISH,
        [KEY_MAC] = FOR_WAKE_ON_LAN | FOR_SUSPEND,
        [KEY_CHECK] = FOR_WAKE_ON_LAN | FOR_SUSPEND,
        [KEY_USER] = FOR_IPMI | FOR_REDFISH,
        [KEY_PASSWORD_FILE] = FOR_IPMI | FOR_REDFISH | FOR_WAKE_ON_LAN | FOR_SUSPEND,
        [KEY_PASSWORD_CREDENTIAL] = FOR_IPMI | FOR_REDFISH | FOR_WAKE_ON_LAN | FOR_SUSPEND,
        [KEY_CIPHER_SUITE] = FOR_IPMI,
        [KEY_WORKAROUNDS] = FOR_IPMI,
        [KEY_RETRANSMIT] = FOR_IPMI,
        [KEY_SESSION] = FOR_IPMI,
        [KEY_AUTH] = FOR_REDFISH,
        [KEY_CA_FILE] = FOR_REDFISH,
        [KEY_TLS_VERIFY] = FOR_REDFISH,
        [KEY_TIMEOUT] = FOR_REDFISH | FOR_WAKE_ON_LAN | FOR_SUSPEND | FOR_PROGRAM,
        [KEY_BROADCAST] = FOR_WAKE_ON_LAN | FOR_SUSPEND,
        [KEY_OFF_PROGRAM] = FOR_WAKE_ON_LAN,
        [KEY_PROGRAM] = FOR_PROGRAM,
        [KEY_SOFT] = FOR_IPMI | FOR_REDFISH | FOR_WAKE_ON_LAN,
};

static const struct {
        const char *name;
        unsigned bit;
        int (*access)(struct reader *rd, const struct raw *raw, struct power_access *a);
        enum key place; /* key of the address; required in an entry */
} drivers[] = {
        { "ipmi", FOR_IPMI, ipmi_access, KEY_NODES },
        { "redfish", FOR_REDFISH, redfish_access, KEY_NODES },
        { "wake-on-lan", FOR_WAKE_ON_LAN, wake_on_lan_access, KEY_MAC },
        { "suspend", FOR_SUSPEND, wake_on_lan_access, KEY_MAC },
        { "program", FOR_PROGRAM, program_access, KEY_NODES },
};

/* Checks that an entry's keys belong to its driver; keys of the defaults may be for other
   entries. */
static int check_keys(struct reader *rd, const struct raw *raw, unsigned bit, const char *driver) {
        for (size_t k = 0; k < KEY_MAX; k++)
                if (raw->value[k].text && key_drivers[k] && !(key_drivers[k] & bit))
                        return ydoc_wrong_at(rd->y, raw->value[k].line, raw->value[k].column,
                                        "%s is not a key of the driver %s", power_keys[k].key,
                                        driver);
        return 0;
}

/* Reads via; "none" in an entry overrides the defaults. */
static int get_via(struct reader *rd, const struct raw *raw, struct power_access *a) {
        _cleanup_(hostlist_freep) struct hostlist *hosts = NULL;
        const struct ydoc_text *text = entry_text(rd, raw, KEY_VIA);

        if (!text->text || streq(text->text, "none"))
                return 0;
        if (hostlist_parse(text->text, &hosts, NULL) < 0 || hostlist_count(hosts) == 0 ||
                        hostlist_count(hosts) > POWER_VIA_MAX)
                return entry_wrong(rd, text, KEY_VIA);
        a->via = hostlist_text(hosts);
        return 0;
}

static int get_soft(struct reader *rd, const struct raw *raw, struct power_access *a) {
        static const char *const words[] = { "bmc", "agent" };
        size_t word = 0;
        int r = get_word(rd, raw, KEY_SOFT, words, ELEMENTSOF(words), &word);

        a->soft_by_agent = word == 1;
        return r;
}

static int make_access(struct reader *rd, const struct raw *raw, struct power_access *a) {
        const struct ydoc_text *text = entry_text(rd, raw, KEY_DRIVER);
        const char *driver = text->text ? text->text : "ipmi";
        size_t d = 0;

        *a = (struct power_access){ .retransmit = 3 * USEC_PER_SEC, .session = 15 * USEC_PER_SEC };
        while (d < ELEMENTSOF(drivers) && !streq(drivers[d].name, driver))
                d++;
        if (d == ELEMENTSOF(drivers))
                return entry_wrong(rd, text, KEY_DRIVER);
        a->driver = power_driver_find(driver);
        int r = check_keys(rd, raw, drivers[d].bit, driver);
        if (r >= 0 && !(raw->value[KEY_NODES].text && raw->value[drivers[d].place].text))
                r = ydoc_wrong_at(rd->y, raw->line, raw->column, "an entry needs the %s",
                                drivers[d].place == KEY_MAC ? "keys nodes and mac" : "key nodes");
        if (r >= 0)
                r = drivers[d].access(rd, raw, a);
        if (r >= 0)
                r = get_via(rd, raw, a);
        if (r >= 0)
                r = get_soft(rd, raw, a);
        if (r >= 0)
                r = get_duration(rd, raw, KEY_TIMEOUT, 100 * USEC_PER_MSEC, 600 * USEC_PER_SEC,
                                &a->timeout);
        return r;
}

/* Node names become file names. */
static bool node_name_valid(const char *name) {
        return *name != '.' &&
               strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
                               strlen(name);
}

/* Returns one text per node, from a list of equal length or a pattern; all NULL without the key. */
static int get_places(struct reader *rd, const struct raw *raw, enum key key,
                const struct hostlist *nodes, char ***ret) {
        const struct ydoc_text *text = &raw->value[key];
        struct fail why = { 0 };

        if (!text->text) {
                *ret = xnew0(char *, hostlist_count(nodes));
                return 0;
        }
        return power_addresses(text->text, nodes, ret, &why) < 0
                               ? ydoc_wrong_at(rd->y, text->line, text->column, "%s: %s",
                                                 power_keys[key].key, why.text)
                               : 0;
}

static int get_checks(struct reader *rd, const struct raw *raw, const struct hostlist *nodes,
                char ***ret) {
        int r = get_places(rd, raw, KEY_CHECK, nodes, ret);

        for (size_t i = 0; r >= 0 && i < hostlist_count(nodes); i++)
                if ((*ret)[i] && !strchr((*ret)[i], ':'))
                        r = entry_wrong_word(rd, &raw->value[KEY_CHECK], KEY_CHECK, (*ret)[i]);
        return r;
}

static bool system_valid(const char *id) {
        static const char allowed[] =
                        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

        return *id && *id != '.' && strspn(id, allowed) == strlen(id) && strlen(id) <= 64;
}

static int get_systems(struct reader *rd, const struct raw *raw, const struct hostlist *nodes,
                char ***ret) {
        const char *pattern = raw->value[KEY_SYSTEM].text;
        size_t n = hostlist_count(nodes);
        int r = 0;

        *ret = xnew0(char *, n);
        for (size_t i = 0; pattern && r >= 0 && i < n; i++) {
                (*ret)[i] = power_pattern_fill(pattern, hostlist_get(nodes, i));
                if (!system_valid((*ret)[i]))
                        r = entry_wrong_word(rd, &raw->value[KEY_SYSTEM], KEY_SYSTEM, (*ret)[i]);
        }
        return r;
}

static int get_macs(struct reader *rd, const struct raw *raw, const struct hostlist *nodes,
                char ***ret) {
        size_t n = hostlist_count(nodes), i = 0;
        const struct ydoc_text *macs = &raw->value[KEY_MAC];
        uint8_t mac[MAC_SIZE];

        *ret = xnew0(char *, n);
        for_each_word(w, macs->text, ", ") {
                if (mac_parse(w, mac) < 0)
                        return entry_wrong_word(rd, macs, KEY_MAC, w);
                if (i < n)
                        (*ret)[i] = xasprintf("%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1],
                                        mac[2], mac[3], mac[4], mac[5]);
                i++;
        }
        return i == n ? 0
                      : ydoc_wrong_at(rd->y, macs->line, macs->column,
                                        "mac: %zu addresses for %zu nodes", i, n);
}

/* Reads the addresses of the nodes, and the drivers' second addresses (units). */
static int get_reach(struct reader *rd, const struct raw *raw, const struct power_access *access,
                const struct hostlist *nodes, char ***ret_addresses, char ***ret_units) {
        size_t n = hostlist_count(nodes);
        int r = 0;

        if (access->driver == power_driver_wake_on_lan() ||
                        access->driver == power_driver_suspend()) {
                r = get_macs(rd, raw, nodes, ret_addresses);
                return r < 0 ? r : get_checks(rd, raw, nodes, ret_units);
        }
        if (access->driver == power_driver_program()) {
                *ret_addresses = xnew0(char *, n);
                for (size_t i = 0; i < n; i++)
                        (*ret_addresses)[i] = xstrdup(access->program);
                return get_places(rd, raw, KEY_BMC, nodes, ret_units);
        }
        if (streq(strempty(raw->value[KEY_BMC].text), "from-agent"))
                *ret_addresses = xnew0(char *, n);
        else
                r = get_places(rd, raw, KEY_BMC, nodes, ret_addresses);
        return r < 0 ? r : get_systems(rd, raw, nodes, ret_units);
}

static int check_node_names(struct reader *rd, const struct raw *raw,
                const struct hostlist *nodes) {
        const struct ydoc_text *text = &raw->value[KEY_NODES];

        if (rd->conf->n_bmcs + hostlist_count(nodes) > HOSTLIST_MAX)
                return ydoc_wrong_at(rd->y, raw->line, raw->column, "too many nodes");
        for (size_t i = 0; i < hostlist_count(nodes); i++)
                if (!node_name_valid(hostlist_get(nodes, i)))
                        return ydoc_wrong_at(rd->y, text->line, text->column,
                                        "nodes: \"%s\" is not a node's name",
                                        hostlist_get(nodes, i));
        return 0;
}

static int add_bmcs(struct reader *rd, const struct raw *raw, const struct power_access *access) {
        _cleanup_(hostlist_freep) struct hostlist *nodes = NULL;
        const struct ydoc_text *text = &raw->value[KEY_NODES];
        struct power_conf *conf = rd->conf;
        char **addresses = NULL, **units = NULL;
        struct fail why = { 0 };

        if (hostlist_parse(text->text, &nodes, &why) < 0)
                return ydoc_wrong_at(rd->y, text->line, text->column, "nodes: %s", why.text);
        size_t n = hostlist_count(nodes);
        int r = check_node_names(rd, raw, nodes);
        if (r >= 0)
                r = get_reach(rd, raw, access, nodes, &addresses, &units);
        if (r < 0) {
                texts_free(addresses, n);
                texts_free(units, n);
                return r;
        }
        conf->bmcs = xrenew(conf->bmcs, conf->n_bmcs + n);
        for (size_t i = 0; i < n; i++)
                conf->bmcs[conf->n_bmcs++] = (struct power_bmc){ xstrdup(hostlist_get(nodes, i)),
                        addresses[i], units[i], access, raw->line, raw->column };
        free(addresses);
        free(units);
        return 0;
}

int power_entry_make(struct reader *rd, const struct raw *raw) {
        struct power_access *a = &rd->conf->accesses[rd->conf->n_accesses++];
        int r = make_access(rd, raw, a);

        return r < 0 ? r : add_bmcs(rd, raw, a);
}

/* ---- the BMCs as a whole ---- */

static int entry_by_node(const void *a, const void *b) {
        return strcmp(((const struct power_bmc *)a)->node, ((const struct power_bmc *)b)->node);
}

/* Returns the system's ID for Redfish, where several systems share a BMC, else "": a woken node's
   unit does not identify its card. */
static const char *entry_unit(const struct power_bmc *bmc) {
        return bmc->access->driver == power_driver_redfish() && bmc->unit ? bmc->unit : "";
}

/* Networks of two racks may use equal addresses. */
static const char *via_of(const struct power_bmc *bmc) {
        return bmc->access->via ? bmc->access->via : "";
}

static int by_address(const void *a, const void *b) {
        const struct power_bmc *x = *(const struct power_bmc *const *)a,
                               *y = *(const struct power_bmc *const *)b;
        int r = strcmp(x->address ? x->address : "", y->address ? y->address : "");

        if (r == 0)
                r = strcmp(entry_unit(x), entry_unit(y));
        return r ? r : strcmp(via_of(x), via_of(y));
}

static int entry_twice(struct reader *rd, const struct power_bmc *a, const struct power_bmc *b,
                const char *what) {
        const struct power_bmc *later = a->line > b->line || (a->line == b->line &&
                                                                             a->column > b->column)
                                                        ? a
                                                        : b;

        return ydoc_wrong_at(rd->y, later->line, later->column, "%s (the other is in line %u)",
                        what, MIN(a->line, b->line));
}

/* A BMC with two owners would get two requests at a time. */
int power_entries_check(struct reader *rd) {
        struct power_conf *conf = rd->conf;
        _cleanup_free_ char *what = NULL;

        list_sort(conf->bmcs, conf->n_bmcs, sizeof *conf->bmcs, entry_by_node);
        for (size_t i = 1; i < conf->n_bmcs; i++) {
                const struct power_bmc *a = &conf->bmcs[i - 1], *b = &conf->bmcs[i];
                if (!streq(a->node, b->node))
                        continue;
                what = xasprintf("nodes: node %s stands there twice", b->node);
                return entry_twice(rd, a, b, what);
        }
        _cleanup_free_ const struct power_bmc **sorted = xnew(const struct power_bmc *,
                        conf->n_bmcs);
        for (size_t i = 0; i < conf->n_bmcs; i++)
                sorted[i] = &conf->bmcs[i];
        list_sort(sorted, conf->n_bmcs, sizeof *sorted, by_address);
        for (size_t i = 1; i < conf->n_bmcs; i++) {
                const struct power_bmc *a = sorted[i - 1], *b = sorted[i];
                if (!b->address || by_address(&a, &b) != 0 || b->access->driver->many)
                        continue;
                what = xasprintf("nodes %s and %s have the same %s %s", a->node, b->node,
                                b->access->driver->noun, b->address);
                return entry_twice(rd, a, b, what);
        }
        return 0;
}

/* ---- settings ---- */

static int get_console(struct reader *rd) {
        struct power_conf *conf = rd->conf;
        const struct raw *raw = &rd->console;
        int r = get_program(rd, raw, KEY_CONSOLE_DIR, &conf->console.dir);

        conf->console.seconds = 120 * USEC_PER_SEC;
        conf->console.wait = 2 * USEC_PER_SEC;
        conf->console.max_bytes = 1 << 20;
        if (r >= 0)
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

int power_settings_make(struct reader *rd) {
        struct power_conf *conf = rd->conf;
        const struct raw *raw = &rd->defaults;
        const struct {
                enum key key;
                usec_t min, max, *value;
        } times[] = {
                { KEY_DEADLINE, USEC_PER_SEC, 3600 * USEC_PER_SEC, &conf->deadline },
                { KEY_POLL, 10 * USEC_PER_MSEC, 60 * USEC_PER_SEC, &conf->poll },
                { KEY_CYCLE_PAUSE, 0, 600 * USEC_PER_SEC, &conf->cycle_pause },
        };
        int failed = 0;

        conf->deadline = 60 * USEC_PER_SEC;
        conf->poll = 250 * USEC_PER_MSEC;
        conf->cycle_pause = 5 * USEC_PER_SEC;
        conf->threads = 64;
        conf->deadline_set = raw->value[KEY_DEADLINE].text;
        bool more = ydoc_continues(rd->y, get_program(rd, raw, KEY_LOCK_FILE, &conf->lock_file),
                        &failed);
        for (size_t i = 0; i < ELEMENTSOF(times) && more; i++)
                more = ydoc_continues(rd->y,
                                get_duration(rd, raw, times[i].key, times[i].min, times[i].max,
                                                times[i].value),
                                &failed);
        if (more && ydoc_continues(rd->y, get_number(rd, raw, KEY_THREADS, 1, 1024, &conf->threads),
                                    &failed))
                (void)ydoc_continues(rd->y, get_console(rd), &failed);
        return failed;
}
