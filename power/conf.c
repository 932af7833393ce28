/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds power.yaml, reads its secrets, parses its values, frees it; power/yaml.c has the syntax. */
#include "power/power.h"

#include <fcntl.h>
#include <freeipmi/freeipmi.h>
#include <ipmiconsole.h>
#include <sys/stat.h>

#include "lib/config/config.h"
#include "lib/timetext.h"

#define SECRET_MAX 256 /* bytes; IPMI 2.0 itself allows 20 */

/* ---- files ---- */

int power_conf_find(const char *path, char **ret_file, char **ret_console_dir, char **ret_socket,
                struct fail *fail) {
        static const char last[] = "/etc/slumber/power.yaml";
        const char *slurm_conf = getenv("SLURM_CONF"), *own = getenv("SLUMBER_POWER_CONF");
        _cleanup_(site_config_done) struct site_config site = { 0 };
        bool named = !isempty(path) || !isempty(own);

        if (!isempty(slurm_conf)) {
                int r = site_config_read(slurm_conf, &site, fail);
                if (r < 0)
                        return r;
        }
        if (named)
                *ret_file = xstrdup(isempty(path) ? own : path);
        else if (site.power_file && (path_is_there(site.power_file) || !path_is_there(last)))
                /* if both are missing, the error names this path */
                *ret_file = xstrdup(site.power_file);
        else
                *ret_file = xstrdup(last);
        *ret_console_dir = TAKE(site.console_dir);
        *ret_socket = TAKE(site.socket);
        return 0;
}

/* Reads a regular file of at most max bytes, NUL-terminated. */
static int conf_read_file(int fd, const char *path, size_t max, char **ret, size_t *ret_size,
                struct fail *fail) {
        _cleanup_free_ char *text = NULL;
        struct stat st;
        size_t n = 0;

        if (fstat(fd, &st) < 0)
                return fail_set(fail, -errno, "%s: %s", path, strerror(errno));
        if (!S_ISREG(st.st_mode))
                return fail_set(fail, -EINVAL, "%s: not a regular file", path);
        if ((uint64_t)st.st_size > max)
                return fail_set(fail, -EFBIG, "%s: larger than %zu bytes", path, max);
        text = xmalloc((size_t)st.st_size + 1);
        while (n < (size_t)st.st_size) {
                ssize_t got = read(fd, text + n, (size_t)st.st_size - n);
                if (got < 0)
                        return fail_set(fail, -errno, "%s: %s", path, strerror(errno));
                if (got == 0)
                        break;
                n += (size_t)got;
        }
        text[n] = '\0';
        *ret_size = n;
        *ret = TAKE(text);
        return 0;
}

int power_file_read(const char *path, size_t max, char **ret, size_t *ret_size, struct fail *fail) {
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

        if (fd < 0)
                return fail_set(fail, -errno, "%s: %s", path, strerror(errno));
        return conf_read_file(fd, path, max, ret, ret_size, fail);
}

int power_secret_read(const char *path, char **ret, struct fail *fail) {
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        _cleanup_free_ char *text = NULL;
        struct stat st;
        size_t size;
        int r;

        if (fd < 0 || fstat(fd, &st) < 0)
                return fail_set(fail, -errno, "password file %s: %s", path, strerror(errno));
        if (!S_ISREG(st.st_mode))
                return fail_set(fail, -EINVAL, "password file %s: not a regular file", path);
        if (st.st_uid != 0 && st.st_uid != geteuid())
                return fail_set(fail, -EPERM,
                                "password file %s: owned by uid %u, expected %u or root", path,
                                st.st_uid, geteuid());
        if (st.st_mode & 077)
                return fail_set(fail, -EPERM,
                                "password file %s: mode %04o gives others access, expected 0600",
                                path, st.st_mode & 07777);
        r = conf_read_file(fd, path, SECRET_MAX, &text, &size, fail);
        if (r < 0)
                return r;
        size_t length = strcspn(text, "\r\n");
        if (length == 0 || strlen(text) != size)
                r = fail_set(fail, -EINVAL, "password file %s: no password in its first line",
                                path);
        else
                *ret = xstrndup(text, length);
        explicit_bzero(text, size);
        return r;
}

/* Reads the password files, each once, though entries share files. */
static int load_passwords(struct power_conf *conf, struct fail *fail) {
        _cleanup_free_ char **paths = xnew0(char *, conf->n_accesses);
        int failed = 0;

        for (size_t i = 0; i < conf->n_accesses; i++) {
                struct power_access *a = &conf->accesses[i];
                int r = 0;
                size_t same;
                paths[i] = TAKE(a->password);
                if (!paths[i])
                        continue;
                for (same = 0; same < i && (!paths[same] || !streq(paths[same], paths[i])); same++)
                        ;
                if (same < i)
                        a->password = xstrdup(conf->accesses[same].password);
                else
                        r = power_secret_read(paths[i], &a->password, fail);
                if (r < 0)
                        r = fail_prefix(fail, r, "%s line %u column %u", conf->path,
                                        a->password_line, a->password_column);
                failed = failed ? failed : r;
                if (r < 0 && !fail_keep(fail))
                        break;
        }
        for (size_t i = 0; i < conf->n_accesses; i++)
                free(paths[i]);
        return failed;
}

int power_conf_read(const char *path, struct power_conf **ret, struct fail *fail) {
        _cleanup_(power_conf_unrefp) struct power_conf *conf = NULL;
        _cleanup_free_ char *text = NULL;
        size_t size = 0;
        int r;

        r = power_file_read(path, POWER_YAML_MAX, &text, &size, fail);
        if (r >= 0)
                r = power_conf_parse(path, text, size, &conf, fail);
        if (r >= 0)
                r = load_passwords(conf, fail);
        if (r < 0)
                return r;
        *ret = TAKE(conf);
        return 0;
}

/* ---- values ---- */

int power_duration_parse(const char *text, usec_t *ret) {
        static const struct {
                const char *unit;
                usec_t usec;
        } units[] = {
                { "", USEC_PER_SEC },
                { "s", USEC_PER_SEC },
                { "ms", USEC_PER_MSEC },
                { "m", 60 * USEC_PER_SEC },
                { "h", 3600 * USEC_PER_SEC },
        };
        size_t digits = strspn(text, "0123456789");
        _cleanup_free_ char *number = xstrndup(text, digits);
        uint64_t n;

        if (uint_parse(number, 0, 1000000000, &n) < 0)
                return -EINVAL;
        for (size_t i = 0; i < ELEMENTSOF(units); i++)
                if (streq(text + digits, units[i].unit)) {
                        *ret = n * units[i].usec;
                        return 0;
                }
        return -EINVAL;
}

#define CHASSIS(flag) IPMI_WORKAROUND_FLAGS_OUTOFBAND_2_0_##flag
#define CONSOLE(flag) IPMICONSOLE_WORKAROUND_##flag

int power_workaround_parse(const char *name, bool console, unsigned *ret) {
        /* clang-format off */
        static const struct {
                const char *name;
                unsigned chassis, console;
        } names[] = {
                { "authcap", CHASSIS(AUTHENTICATION_CAPABILITIES), CONSOLE(AUTHENTICATION_CAPABILITIES) },
                { "intel20", CHASSIS(INTEL_2_0_SESSION), CONSOLE(INTEL_2_0_SESSION) },
                { "supermicro20", CHASSIS(SUPERMICRO_2_0_SESSION), CONSOLE(SUPERMICRO_2_0_SESSION) },
                { "sun20", CHASSIS(SUN_2_0_SESSION), CONSOLE(SUN_2_0_SESSION) },
                { "opensesspriv", CHASSIS(OPEN_SESSION_PRIVILEGE), CONSOLE(OPEN_SESSION_PRIVILEGE) },
                { "integritycheckvalue", CHASSIS(NON_EMPTY_INTEGRITY_CHECK_VALUE), CONSOLE(NON_EMPTY_INTEGRITY_CHECK_VALUE) },
                { "nochecksumcheck", CHASSIS(NO_CHECKSUM_CHECK), CONSOLE(NO_CHECKSUM_CHECK) },
                { "serialalertsdeferred", 0, CONSOLE(SERIAL_ALERTS_DEFERRED) },
                { "solpacketseq", 0, CONSOLE(INCREMENT_SOL_PACKET_SEQUENCE) },
                { "solpayloadsize", 0, CONSOLE(IGNORE_SOL_PAYLOAD_SIZE) },
                { "solport", 0, CONSOLE(IGNORE_SOL_PORT) },
                { "solstatus", 0, CONSOLE(SKIP_SOL_ACTIVATION_STATUS) },
                { "solchannelsupport", 0, CONSOLE(SKIP_CHANNEL_PAYLOAD_SUPPORT) },
        };
        /* clang-format on */

        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                unsigned bit = console ? names[i].console : names[i].chassis;
                if (!bit || !streq(names[i].name, name))
                        continue;
                *ret |= bit;
                return 0;
        }
        return -EINVAL;
}

/* ---- addresses ---- */

/* Returns the digits at the end of a node's name without leading zeros, or "". */
static const char *conf_node_number(const char *node) {
        const char *p = node + strlen(node);

        while (p > node && p[-1] >= '0' && p[-1] <= '9')
                p--;
        while (p[0] == '0' && p[1])
                p++;
        return p;
}

char *power_pattern_fill(const char *pattern, const char *node) {
        char *text = NULL;
        size_t size;
        FILE *f = memstream_open(&text, &size);

        for (const char *p = pattern; *p;) {
                if (strncmp(p, "%n", 2) == 0) {
                        fputs(node, f);
                        p += 2;
                } else if (strncmp(p, "{n}", 3) == 0) {
                        fputs(conf_node_number(node), f);
                        p += 3;
                } else
                        fputc(*p++, f);
        }
        memstream_close(f);
        return text;
}

int power_address_check(const char *address, struct fail *fail) {
        static const char allowed[] =
                        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
        size_t host = strspn(address, allowed);
        uint64_t port;

        if (host == 0 || host > HOSTLIST_NAME_MAX - 6 || (address[host] && address[host] != ':') ||
                        strchr(address, ':') != strrchr(address, ':'))
                return fail_set(fail, -EINVAL, "\"%.80s\" is not HOST or HOST:PORT", address);
        if (address[host] && uint_parse(address + host + 1, 1, 65535, &port) < 0)
                return fail_set(fail, -EINVAL, "\"%.80s\" does not end with a port number",
                                address);
        return 0;
}

static void conf_addresses_free(char **addresses, size_t n) {
        texts_free(addresses, n);
}

int power_addresses(const char *pattern, const struct hostlist *nodes, char ***ret,
                struct fail *fail) {
        _cleanup_(hostlist_freep) struct hostlist *list = NULL;
        bool each = strstr(pattern, "%n") || strstr(pattern, "{n}");
        size_t n = hostlist_count(nodes);
        int r = 0;

        if (!each) {
                r = hostlist_parse(pattern, &list, fail);
                if (r < 0)
                        return r;
                if (hostlist_count(list) != n)
                        return fail_set(fail, -EINVAL, "%zu addresses for %zu nodes",
                                        hostlist_count(list), n);
        }
        char **addresses = xnew0(char *, n);
        for (size_t i = 0; i < n && r >= 0; i++) {
                addresses[i] = each ? power_pattern_fill(pattern, hostlist_get(nodes, i))
                                    : xstrdup(hostlist_get(list, i));
                r = power_address_check(addresses[i], fail);
        }
        if (r < 0) {
                conf_addresses_free(addresses, n);
                return r;
        }
        *ret = addresses;
        return 0;
}

/* ---- reading and freeing ---- */

static int conf_bmc_by_node(const void *name, const void *bmc) {
        return strcmp(name, ((const struct power_bmc *)bmc)->node);
}

const struct power_bmc *power_conf_lookup(const struct power_conf *conf, const char *node) {
        return list_search(node, conf->bmcs, conf->n_bmcs, sizeof *conf->bmcs, conf_bmc_by_node);
}

void power_conf_set_address(struct power_conf *conf, const char *node, const char *address) {
        struct power_bmc *bmc = list_search(node, conf->bmcs, conf->n_bmcs, sizeof *conf->bmcs,
                        conf_bmc_by_node);

        if (bmc)
                free_and_strdup(&bmc->address, address);
}

struct power_conf *power_conf_ref(struct power_conf *conf) {
        __atomic_add_fetch(&conf->refs, 1, __ATOMIC_RELAXED);
        return conf;
}

struct power_conf *power_conf_unref(struct power_conf *conf) {
        if (!conf || __atomic_sub_fetch(&conf->refs, 1, __ATOMIC_ACQ_REL) > 0)
                return NULL;
        for (size_t i = 0; i < conf->n_bmcs; i++) {
                free(conf->bmcs[i].node);
                free(conf->bmcs[i].address);
                free(conf->bmcs[i].unit);
        }
        for (size_t i = 0; i < conf->n_accesses; i++) {
                struct power_access *a = &conf->accesses[i];
                if (a->password)
                        explicit_bzero(a->password, strlen(a->password));
                free(a->password);
                free(a->user);
                free(a->ca_file);
                free(a->broadcast);
                free(a->program);
                free(a->via);
                free(a->certificates);
        }
        free(conf->bmcs);
        free(conf->accesses);
        free(conf->console.dir);
        free(conf->lock_file);
        free(conf->path);
        free(conf);
        return NULL;
}
