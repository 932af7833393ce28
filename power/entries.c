/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes BMCs from the texts of power.yaml: each entry of "nodes" overrides "defaults". */
#include "power/entries.h"

#include <freeipmi/freeipmi.h>

#include "power/wake_on_lan.h"

#include "lib/timetext.h"
#include "lib/wordlist.h"

/* ---- values ---- */

/* Returns a key's value from the entry, else from the defaults. */
static const char *entry_value(const struct reader *rd, const struct raw *raw, enum key key,
                unsigned *ret_line) {
        if (!raw->value[key])
                raw = &rd->defaults;
        *ret_line = raw->line[key];
        return raw->value[key];
}

static int entry_bad_value(struct reader *rd, unsigned line, enum key key, const char *text) {
        return fail_set(rd->fail, -EINVAL, "%s line %u: %s: \"%.60s\" is not %s", rd->path, line,
                        power_keys[key].name, text, power_keys[key].expected);
}

static int get_duration(struct reader *rd, const struct raw *raw, enum key key, usec_t min,
                usec_t max, usec_t *value) {
        unsigned line;
        const char *text = entry_value(rd, raw, key, &line);
        usec_t t;

        if (!text)
                return 0;
        if (power_duration_parse(text, &t) < 0)
                return entry_bad_value(rd, line, key, text);
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
        const char *text = entry_value(rd, raw, key, &line);

        if (!text || uint_parse(text, min, max, value) >= 0)
                return 0;
        return entry_bad_value(rd, line, key, text);
}

static int get_workarounds(struct reader *rd, const struct raw *raw, enum key key,
                unsigned *value) {
        unsigned line;
        const char *value_text = entry_value(rd, raw, key, &line);

        for_each_word(w, value_text, ", ")
                if (power_workaround_parse(w, key == KEY_CONSOLE_WORKAROUNDS, value) < 0)
                        return fail_set(rd->fail, -EINVAL,
                                        "%s line %u: %s: \"%.60s\" is not a workaround that "
                                        "FreeIPMI knows",
                                        rd->path, line, power_keys[key].name, w);
        return 0;
}

/* Returns a path relative to power.yaml's folder, unless absolute. */
static char *entry_path(const struct reader *rd, const char *file) {
        const char *slash = strrchr(rd->path, '/');

        if (*file == '/' || !slash)
                return xstrdup(file);
        return xasprintf("%.*s%s", (int)(slash - rd->path) + 1, rd->path, file);
}

/* Finds the path of the password. A key of the entry has precedence over both keys of the
   defaults. */
static int password_path(struct reader *rd, const struct raw *raw, char **ret, unsigned *ret_line) {
        const struct raw *from = raw->value[KEY_PASSWORD_FILE] ||
                                                                 raw->value[KEY_PASSWORD_CREDENTIAL]
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
        if (file)
                *ret = entry_path(rd, file);
        else if (!*credential || strchr(credential, '/') || *credential == '.')
                return entry_bad_value(rd, from->line[KEY_PASSWORD_CREDENTIAL],
                                KEY_PASSWORD_CREDENTIAL, credential);
        else
                *ret = xasprintf("%s/%s", dir ? dir : "/run/credentials", credential);
        return 0;
}

/* Sets *index to the number of the key's value in words[]; unchanged if the key is unset. */
static int get_word(struct reader *rd, const struct raw *raw, enum key key,
                const char *const *words, size_t n, size_t *index) {
        unsigned line;
        const char *text = entry_value(rd, raw, key, &line);

        if (!text)
                return 0;
        for (size_t i = 0; i < n; i++)
                if (streq(words[i], text)) {
                        *index = i;
                        return 0;
                }
        return entry_bad_value(rd, line, key, text);
}

static int get_program(struct reader *rd, const struct raw *raw, enum key key, char **ret) {
        unsigned line;
        const char *text = entry_value(rd, raw, key, &line);

        if (text && *text != '/')
                return entry_bad_value(rd, line, key, text);
        *ret = xstrdup(text);
        return 0;
}

/* Reads user and password; access->password has the path until load_passwords(). */
static int get_account(struct reader *rd, const struct raw *raw, struct power_access *a) {
        unsigned line;
        const char *user = entry_value(rd, raw, KEY_USER, &line);

        if (!user)
                return power_yaml_wrong(rd, raw->at,
                                "an entry needs the key user, here or in defaults");
        a->user = xstrdup(user);
        return password_path(rd, raw, &a->password, &a->password_line);
}

static int ipmi_access(struct reader *rd, const struct raw *raw, struct power_access *a) {
        unsigned line;
        uint64_t suite = 3;
        int r = get_account(rd, raw, a);

        if (r < 0)
                return r;
        const char *user = entry_value(rd, raw, KEY_USER, &line);
        if (strlen(user) > IPMI_MAX_USER_NAME_LENGTH)
                return fail_set(rd->fail, -EINVAL,
                                "%s line %u: user: \"%.60s\" is longer than IPMI's %d bytes",
                                rd->path, line, user, IPMI_MAX_USER_NAME_LENGTH);
        r = get_number(rd, raw, KEY_CIPHER_SUITE, 1, 17, &suite); /* 0 means no security */
        if (r >= 0 && !IPMI_CIPHER_SUITE_ID_SUPPORTED(suite)) {
                const char *text = entry_value(rd, raw, KEY_CIPHER_SUITE, &line);
                r = entry_bad_value(rd, line, KEY_CIPHER_SUITE, text);
        }
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
                r = power_yaml_wrong(rd, raw->at, "retransmit must be shorter than session");
        return r;
}

static int redfish_access(struct reader *rd, const struct raw *raw, struct power_access *a) {
        static const char *const auths[] = { "session", "basic" };
        static const char *const verifies[] = { "yes", "no", "true", "false" };
        size_t auth = 0, verify = 0;
        unsigned line;
        int r = get_account(rd, raw, a);

        a->timeout = 15 * USEC_PER_SEC;
        if (r >= 0)
                r = get_word(rd, raw, KEY_AUTH, auths, ELEMENTSOF(auths), &auth);
        if (r >= 0)
                r = get_word(rd, raw, KEY_TLS_VERIFY, verifies, ELEMENTSOF(verifies), &verify);
        a->basic_auth = auth == 1;
        a->tls_verify = verify % 2 == 0;
        const char *ca_file = entry_value(rd, raw, KEY_CA_FILE, &line);
        if (ca_file)
                a->ca_file = entry_path(rd, ca_file);
        if (r >= 0 && a->ca_file && !a->tls_verify)
                r = fail_set(rd->fail, -EINVAL,
                                "%s line %u: ca_file: of no use with tls_verify: no", rd->path,
                                line);
        return r;
}

static int wake_on_lan_access(struct reader *rd, const struct raw *raw, struct power_access *a) {
        unsigned line;
        const char *broadcast = entry_value(rd, raw, KEY_BROADCAST, &line);
        struct fail fail;
        int r;

        a->timeout = 2 * USEC_PER_SEC;
        if (!broadcast)
                broadcast = "255.255.255.255";
        if (power_address_check(broadcast, &fail) < 0)
                return entry_bad_value(rd, line, KEY_BROADCAST, broadcast);
        a->broadcast = strchr(broadcast, ':') ? xstrdup(broadcast) : xasprintf("%s:9", broadcast);
        r = a->driver == power_driver_suspend()
                            ? 0
                            : get_program(rd, raw, KEY_OFF_PROGRAM, &a->program);
        /* The defaults' password is for BMCs: SecureOn's password must be in the entry. */
        if (r >= 0 && (raw->value[KEY_PASSWORD_FILE] || raw->value[KEY_PASSWORD_CREDENTIAL]))
                r = password_path(rd, raw, &a->password, &a->password_line);
        return r;
}

static int program_access(struct reader *rd, const struct raw *raw, struct power_access *a) {
        int r = get_program(rd, raw, KEY_PROGRAM, &a->program);

        a->timeout = 30 * USEC_PER_SEC;
        if (r >= 0 && !a->program)
                r = power_yaml_wrong(rd, raw->at,
                                "an entry needs the key program, here or in defaults");
        return r;
}

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
                if (raw->value[k] && power_keys[k].drivers && !(power_keys[k].drivers & bit))
                        return fail_set(rd->fail, -EINVAL,
                                        "%s line %u: key \"%s\" is not a key of the driver %s",
                                        rd->path, raw->line[k], power_keys[k].name, driver);
        return 0;
}

/* Reads via; "none" in an entry overrides the defaults. */
static int get_via(struct reader *rd, const struct raw *raw, struct power_access *a) {
        _cleanup_(hostlist_freep) struct hostlist *hosts = NULL;
        unsigned line;
        const char *text = entry_value(rd, raw, KEY_VIA, &line);
        struct fail fail;

        if (!text || streq(text, "none"))
                return 0;
        if (hostlist_parse(text, &hosts, &fail) < 0 || hostlist_count(hosts) == 0 ||
                        hostlist_count(hosts) > POWER_VIA_MAX)
                return entry_bad_value(rd, line, KEY_VIA, text);
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
        unsigned line;
        const char *driver = entry_value(rd, raw, KEY_DRIVER, &line);
        size_t d = 0;
        int r;

        *a = (struct power_access){ .retransmit = 3 * USEC_PER_SEC, .session = 15 * USEC_PER_SEC };
        if (!driver)
                driver = "ipmi";
        for (d = 0; d < ELEMENTSOF(drivers) && !streq(drivers[d].name, driver); d++)
                ;
        if (d == ELEMENTSOF(drivers))
                return entry_bad_value(rd, line, KEY_DRIVER, driver);
        a->driver = power_driver_find(driver);
        r = check_keys(rd, raw, drivers[d].bit, driver);
        if (r >= 0 && (!raw->value[KEY_NODES] || !raw->value[drivers[d].place]))
                r = drivers[d].place == KEY_NODES
                                    ? power_yaml_wrong(rd, raw->at, "an entry needs the key nodes")
                                    : fail_set(rd->fail, -EINVAL,
                                                      "%s line %u: an entry needs the keys nodes "
                                                      "and %s",
                                                      rd->path, raw->at,
                                                      power_keys[drivers[d].place].name);
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
        if (!raw->value[key]) {
                *ret = xnew0(char *, hostlist_count(nodes));
                return 0;
        }
        int r = power_addresses(raw->value[key], nodes, ret, rd->fail);
        return r < 0 ? fail_prefix(rd->fail, r, "%s line %u: %s", rd->path, raw->line[key],
                                       power_keys[key].name)
                     : 0;
}

static void texts_free(char **texts, size_t n) {
        for (size_t i = 0; texts && i < n; i++)
                free(texts[i]);
        free(texts);
}

static int get_checks(struct reader *rd, const struct raw *raw, const struct hostlist *nodes,
                char ***ret) {
        int r = get_places(rd, raw, KEY_CHECK, nodes, ret);

        for (size_t i = 0; r >= 0 && i < hostlist_count(nodes); i++)
                if ((*ret)[i] && !strchr((*ret)[i], ':'))
                        r = entry_bad_value(rd, raw->line[KEY_CHECK], KEY_CHECK, (*ret)[i]);
        return r;
}

static bool system_valid(const char *id) {
        static const char allowed[] =
                        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

        return *id && *id != '.' && strspn(id, allowed) == strlen(id) && strlen(id) <= 64;
}

static int get_systems(struct reader *rd, const struct raw *raw, const struct hostlist *nodes,
                char ***ret) {
        const char *pattern = raw->value[KEY_SYSTEM];
        size_t n = hostlist_count(nodes);
        int r = 0;

        *ret = xnew0(char *, n);
        for (size_t i = 0; pattern && r >= 0 && i < n; i++) {
                (*ret)[i] = power_pattern_fill(pattern, hostlist_get(nodes, i));
                if (!system_valid((*ret)[i]))
                        r = entry_bad_value(rd, raw->line[KEY_SYSTEM], KEY_SYSTEM, (*ret)[i]);
        }
        return r;
}

static int get_macs(struct reader *rd, const struct raw *raw, const struct hostlist *nodes,
                char ***ret) {
        size_t n = hostlist_count(nodes), i = 0;
        unsigned line = raw->line[KEY_MAC];
        uint8_t mac[MAC_SIZE];

        *ret = xnew0(char *, n);
        for_each_word(w, raw->value[KEY_MAC], ", ") {
                if (mac_parse(w, mac) < 0)
                        return entry_bad_value(rd, line, KEY_MAC, w);
                if (i < n)
                        (*ret)[i] = xasprintf("%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1],
                                        mac[2], mac[3], mac[4], mac[5]);
                i++;
        }
        return i == n ? 0
                      : fail_set(rd->fail, -EINVAL, "%s line %u: mac: %zu addresses for %zu nodes",
                                        rd->path, line, i, n);
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
        if (raw->value[KEY_BMC] && streq(raw->value[KEY_BMC], "from-agent"))
                *ret_addresses = xnew0(char *, n);
        else
                r = get_places(rd, raw, KEY_BMC, nodes, ret_addresses);
        return r < 0 ? r : get_systems(rd, raw, nodes, ret_units);
}

static int add_bmcs(struct reader *rd, struct power_conf *conf, const struct raw *raw,
                const struct power_access *access) {
        _cleanup_(hostlist_freep) struct hostlist *nodes = NULL;
        char **addresses = NULL, **units = NULL;
        int r;

        r = hostlist_parse(raw->value[KEY_NODES], &nodes, rd->fail);
        if (r < 0)
                return fail_prefix(rd->fail, r, "%s line %u: nodes", rd->path,
                                raw->line[KEY_NODES]);
        size_t n = hostlist_count(nodes);
        if (conf->n_bmcs + n > HOSTLIST_MAX)
                return power_yaml_wrong(rd, raw->at, "too many nodes");
        for (size_t i = 0; i < n; i++)
                if (!node_name_valid(hostlist_get(nodes, i)))
                        return fail_set(rd->fail, -EINVAL,
                                        "%s line %u: nodes: \"%s\" is not a node's name", rd->path,
                                        raw->line[KEY_NODES], hostlist_get(nodes, i));
        r = get_reach(rd, raw, access, nodes, &addresses, &units);
        if (r < 0) {
                texts_free(addresses, n);
                texts_free(units, n);
                return r;
        }
        conf->bmcs = xrenew(conf->bmcs, conf->n_bmcs + n);
        for (size_t i = 0; i < n; i++)
                conf->bmcs[conf->n_bmcs++] = (struct power_bmc){ xstrdup(hostlist_get(nodes, i)),
                        addresses[i], units[i], access, raw->at };
        free(addresses);
        free(units);
        return 0;
}

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
        return fail_set(rd->fail, -EEXIST, "%s line %u: %s (the other is in line %u)", rd->path,
                        MAX(a->line, b->line), what, MIN(a->line, b->line));
}

/* Checks that nodes and BMCs correspond one to one: a BMC with two owners would get two requests at
   a time. */
static int check_unique(struct reader *rd, struct power_conf *conf) {
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

static int make_console(struct reader *rd, struct power_conf *conf) {
        const struct raw *raw = &rd->console;
        const char *dir = raw->value[KEY_CONSOLE_DIR];
        int r;

        conf->console.dir = xstrdup(dir);
        conf->console.seconds = 120 * USEC_PER_SEC;
        conf->console.wait = 2 * USEC_PER_SEC;
        conf->console.max_bytes = 1 << 20;
        if (dir && *dir != '/')
                return entry_bad_value(rd, raw->line[KEY_CONSOLE_DIR], KEY_CONSOLE_DIR, dir);
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
        conf->deadline_set = rd->defaults.value[KEY_DEADLINE];
        r = 0;
        if (lock_file && *lock_file != '/')
                r = power_yaml_go_on(rd, entry_bad_value(rd, rd->defaults.line[KEY_LOCK_FILE],
                                                         KEY_LOCK_FILE, lock_file));
        if (r >= 0)
                r = power_yaml_go_on(rd, get_duration(rd, &rd->defaults, KEY_DEADLINE, USEC_PER_SEC,
                                                         3600 * USEC_PER_SEC, &conf->deadline));
        if (r >= 0)
                r = power_yaml_go_on(rd,
                                get_duration(rd, &rd->defaults, KEY_POLL, 10 * USEC_PER_MSEC,
                                                60 * USEC_PER_SEC, &conf->poll));
        if (r >= 0)
                r = power_yaml_go_on(rd, get_duration(rd, &rd->defaults, KEY_CYCLE_PAUSE, 0,
                                                         600 * USEC_PER_SEC, &conf->cycle_pause));
        if (r >= 0)
                r = power_yaml_go_on(rd, get_number(rd, &rd->defaults, KEY_THREADS, 1, 1024,
                                                         &conf->threads));
        if (r >= 0)
                r = power_yaml_go_on(rd, make_console(rd, conf));
        if (r >= 0 && rd->n_entries == 0 && !(rd->problems && rd->problems->n))
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
                r = power_yaml_go_on(rd, r);
        }
        return r < 0 ? r : check_unique(rd, conf);
}
