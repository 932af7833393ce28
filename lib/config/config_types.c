/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types of values in slurm.conf: reading into a field, and printing for "scontrol show config". One
 * row of types[] per type. A parser says what was expected; its caller adds file, line and key. */
#include "lib/config/config_private.h"
#include "lib/countlist.h"
#include "lib/gres.h"
#include "lib/timetext.h"
#include "lib/wordlist.h"

#include <ctype.h>
#include <pwd.h>

#define FIELD(type, base, key) ((type *)(void *)((char *)(base) + (key)->offset))
#define CONST_FIELD(type, base, key)                                                               \
        ((const type *)(const void *)((const char *)(base) + (key)->offset))

/* Returns the text after name in "name,other=1", or NULL. */
static const char *find_option(const char *options, const char *name) {
        size_t length = strlen(name);

        for (const char *p = options; p && *p;) {
                size_t n = strcspn(p, ",");
                if (n >= length && strncasecmp(p, name, length) == 0 && strchr(",=", p[length]))
                        return p + length;
                p += n + (p[n] == ',');
        }
        return NULL;
}

bool option_has(const char *options, const char *name) {
        return find_option(options, name);
}

int option_percent(const char *options, const char *name, double missing, double *ret,
                struct fail *fail) {
        const char *p = find_option(options, name);
        char *end = NULL;

        *ret = missing;
        if (!p)
                return 0;
        size_t length = *p == '=' ? strcspn(++p, ",") : 0;
        _cleanup_free_ char *text = xasprintf("%.*s", (int)length, p);
        /* no sign, exponent, nan or blank */
        bool plain = *text && strspn(text, "0123456789.") == length;
        double v = plain ? strtod(text, &end) : 0;
        if (!plain || *end || v <= 0 || v > 100)
                return fail_set(fail, -EINVAL,
                                "%s=%.100s: a percentage above 0 and up to 100 was expected", name,
                                text);
        *ret = v;
        return 0;
}

int option_uint(const char *options, const char *name, uint32_t max, uint32_t missing,
                uint32_t *ret, struct fail *fail) {
        const char *p = find_option(options, name);
        uint64_t v;

        *ret = missing;
        if (!p)
                return 0;
        size_t length = *p == '=' ? strcspn(++p, ",") : 0;
        _cleanup_free_ char *text = xasprintf("%.*s", (int)length, p);
        if (uint_parse(text, 0, max, &v) < 0)
                return fail_set(fail, -EINVAL, "%s=%.100s: a whole number up to %u was expected",
                                name, text, max);
        *ret = (uint32_t)v;
        return 0;
}

int option_seconds(const char *options, const char *name, uint32_t max, uint32_t missing,
                uint32_t *ret, struct fail *fail) {
        const char *p = find_option(options, name);
        size_t length = p && *p == '=' ? strcspn(++p, ",") : 0;
        _cleanup_free_ char *text = xasprintf("%.*s", (int)length, strempty(p));
        usec_t t;

        if (!strpbrk(text, ":-"))
                return option_uint(options, name, max, missing, ret, fail);
        if (duration_parse(text, &t, fail) < 0 || t == NO_LIMIT || t / USEC_PER_SEC > max)
                return fail_set(fail, -EINVAL,
                                "%s=%.100s: seconds or a length of time (24:00:00) up to %u s was expected",
                                name, text, max);
        *ret = (uint32_t)(t / USEC_PER_SEC);
        return 0;
}

static bool value_is_unlimited(const char *value) {
        return word_in(value, "UNLIMITED|INFINITE|-1");
}

/* ---- text ---- */

static int parse_text(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        bool none = isempty(value) || word_in(value, "(null)");

        (void)fail;
        free_and_strdup(FIELD(char *, base, key), none ? key->text : value);
        return 0;
}

/* Appends one line's path. */
static int parse_paths(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        char **field = FIELD(char *, base, key);

        if (isempty(value) || word_in(value, "(null)"))
                return parse_text(key, value, base, fail);
        if (*value != '/')
                return fail_set(fail, -EINVAL, "\"%.200s\" is not an absolute path", value);
        _cleanup_free_ char *before = *field;
        *field = before ? xasprintf("%s,%s", before, value) : xstrdup(value);
        return 0;
}

/* Checks the text; code that needs the counts parses again. */
static int parse_countlist(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        _cleanup_(countlist_freep) struct countlist *list = NULL;
        bool none = isempty(value) || word_in(value, "(null)");
        int r = none ? 0 : countlist_parse(value, false, &list, fail);

        return r < 0 ? r : parse_text(key, value, base, fail);
}

static int parse_gres_list(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;
        bool none = isempty(value) || word_in(value, "(null)");
        int r = none ? 0 : gres_list_parse(value, GRES_CONFIGURED, &list, fail);

        return r < 0 ? r : parse_text(key, value, base, fail);
}

static char *print_text(const struct config_key *key, const void *base) {
        return xstrdup(strna(*CONST_FIELD(char *, base, key)));
}

static int parse_choice(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        if (!word_in(value, key->words))
                return fail_set(fail, -EINVAL, "\"%.100s\" is not one of %s", value, key->words);
        return parse_text(key, value, base, fail);
}

static int parse_word(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        int r = parse_choice(key, value, base, fail);

        if (r < 0)
                return r;
        for (char *p = *FIELD(char *, base, key); p && *p; p++)
                *p = (char)toupper((unsigned char)*p);
        return 0;
}

/* ---- times and numbers ---- */

static int parse_seconds(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        usec_t t;
        int r = seconds_parse(value, &t, fail);

        if (r < 0)
                return r;
        if (t == NO_LIMIT && key->max)
                return fail_set(fail, -ERANGE, "\"%s\" is not between %llu and %llu seconds", value,
                                (unsigned long long)key->min, (unsigned long long)key->max);
        if (t != NO_LIMIT && key->max &&
                        (t / USEC_PER_SEC < key->min || t / USEC_PER_SEC > key->max))
                return fail_set(fail, -ERANGE, "%s is not between %llu and %llu seconds", value,
                                (unsigned long long)key->min, (unsigned long long)key->max);
        *FIELD(usec_t, base, key) = t;
        return 0;
}

static int parse_idle(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        return suspend_time_parse(value, FIELD(usec_t, base, key), fail);
}

static char *print_seconds(const struct config_key *key, const void *base) {
        usec_t t = *CONST_FIELD(usec_t, base, key);

        return t == NO_LIMIT ? xstrdup("INFINITE")
                             : xasprintf("%llu sec", (unsigned long long)(t / USEC_PER_SEC));
}

/* Reads PreemptExemptTime; -1 means none. */
static int parse_exempt(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        usec_t t = 0;
        int r = streq(value, "-1") ? 0 : duration_parse(value, &t, fail);

        if (r >= 0 && t == NO_LIMIT)
                r = fail_set(fail, -ERANGE, "\"%.100s\" would keep every job from being preempted",
                                value);
        if (r >= 0)
                *FIELD(usec_t, base, key) = t;
        return r;
}

static char *print_exempt(const struct config_key *key, const void *base) {
        char buf[TIMETEXT_MAX];

        return xstrdup(duration_text(*CONST_FIELD(usec_t, base, key), buf));
}

static int parse_minutes(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        usec_t *field = FIELD(usec_t, base, key);

        if (word_in(value, "NONE")) {
                *field = 0;
                return 0;
        }
        return limit_parse(value, field, fail);
}

/* Prints whole minutes, as Slurm. */
static char *print_minutes(const struct config_key *key, const void *base) {
        usec_t t = *CONST_FIELD(usec_t, base, key);

        return t == NO_LIMIT ? xstrdup("UNLIMITED")
                             : xasprintf("%llu", (unsigned long long)(t / (60 * USEC_PER_SEC)));
}

static int parse_period(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        usec_t t;
        int r = limit_parse(value, &t, fail);

        if (r < 0)
                return r;
        if (t == NO_LIMIT)
                return fail_set(fail, -ERANGE,
                                "\"%.100s\" is not a length of time: minutes or D-HH:MM:SS was expected",
                                value);
        *FIELD(usec_t, base, key) = t;
        return 0;
}

static char *print_period(const struct config_key *key, const void *base) {
        char buf[TIMETEXT_MAX];

        return xstrdup(duration_text(*CONST_FIELD(usec_t, base, key), buf));
}

static int parse_number_in_range(const struct config_key *key, const char *value, uint64_t *ret,
                struct fail *fail) {
        uint64_t max = key->max ? key->max : UINT32_MAX - 2;
        int r = uint_parse(value, key->min, max, ret);

        if (r == -EINVAL)
                return fail_set(fail, r, "\"%.100s\" is not a whole number", value);
        if (r < 0)
                return fail_set(fail, r, "%.100s is not between %llu and %llu", value,
                                (unsigned long long)key->min, (unsigned long long)max);
        return 0;
}

static int parse_u16(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        uint64_t v;
        int r = parse_number_in_range(key, value, &v, fail);

        if (r >= 0)
                *FIELD(uint16_t, base, key) = (uint16_t)v;
        return r;
}

static char *print_u16(const struct config_key *key, const void *base) {
        return xasprintf("%u", (unsigned)*CONST_FIELD(uint16_t, base, key));
}

/* Reads "6817" or "6820-6830". */
static int parse_port_range(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        _cleanup_free_ char *first = xstrndup(value, strcspn(value, "-"));
        const char *dash = strchr(value, '-');
        uint64_t from, to;
        int r = parse_number_in_range(key, first, &from, fail);

        if (r >= 0)
                r = parse_number_in_range(key, dash ? dash + 1 : first, &to, fail);
        if (r < 0)
                return r;
        if (to < from)
                return fail_set(fail, -ERANGE, "\"%.100s\" is not a range of ports", value);
        FIELD(uint16_t, base, key)[0] = (uint16_t)from;
        FIELD(uint16_t, base, key)[1] = (uint16_t)to;
        return 0;
}

static char *print_ports(const struct config_key *key, const void *base) {
        const uint16_t *port = CONST_FIELD(uint16_t, base, key);

        return port[1] > port[0] ? xasprintf("%u-%u", (unsigned)port[0], (unsigned)port[1])
                                 : xasprintf("%u", (unsigned)port[0]);
}

static int parse_u32(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        uint64_t v;
        int r = parse_number_in_range(key, value, &v, fail);

        if (r >= 0)
                *FIELD(uint32_t, base, key) = (uint32_t)v;
        return r;
}

static char *print_u32(const struct config_key *key, const void *base) {
        return xasprintf("%u", *CONST_FIELD(uint32_t, base, key));
}

static char *print_u32_or_unlimited(const struct config_key *key, const void *base) {
        return *CONST_FIELD(uint32_t, base, key) == UINT32_MAX ? xstrdup("UNLIMITED")
                                                               : print_u32(key, base);
}

static int parse_u32_or_unlimited(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        if (!value_is_unlimited(value))
                return parse_u32(key, value, base, fail);
        *FIELD(uint32_t, base, key) = UINT32_MAX;
        return 0;
}

/* Reads digits and a point only: no sign, exponent, nan or blank. */
static int parse_percent(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        bool plain = *value && strspn(value, "0123456789.") == strlen(value);
        char *end = NULL;
        double v = plain ? strtod(value, &end) : 0;

        if (!plain || *end || v < (double)key->min || v > (double)key->max)
                return fail_set(fail, -EINVAL, "\"%.100s\" is not a percentage from %llu to %llu",
                                value, (unsigned long long)key->min, (unsigned long long)key->max);
        *FIELD(double, base, key) = v;
        return 0;
}

static int parse_mb(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        static const struct config_key limits = { .max = UINT64_C(1) << 40 };
        uint64_t v;
        int r = parse_number_in_range(&limits, value, &v, fail);

        if (r >= 0)
                *FIELD(uint64_t, base, key) = v;
        return r;
}

static int parse_memory(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        if (!value_is_unlimited(value) || streq(value, "-1"))
                return parse_mb(key, value, base, fail);
        *FIELD(uint64_t, base, key) = 0;
        return 0;
}

static char *print_memory(const struct config_key *key, const void *base) {
        uint64_t mb = *CONST_FIELD(uint64_t, base, key);

        return mb ? xasprintf("%llu", (unsigned long long)mb) : xstrdup("UNLIMITED");
}

static int parse_bool(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        bool yes = word_in(value, "YES|TRUE|UP|1");

        if (!yes && !word_in(value, "NO|FALSE|DOWN|0"))
                return fail_set(fail, -EINVAL, "\"%.100s\" is neither YES nor NO", value);
        *FIELD(bool, base, key) = yes;
        return 0;
}

static char *print_switch(const struct config_key *key, const void *base) {
        return xstrdup(*CONST_FIELD(bool, base, key) ? "1" : "0");
}

static char *print_yes(const struct config_key *key, const void *base) {
        return xstrdup(*CONST_FIELD(bool, base, key) ? "Yes" : "No");
}

/* ---- users, hosts ---- */

/* Looks up a user's name or number. */
static int find_uid(const char *name, uid_t *ret) {
        uint64_t v;
        const struct passwd *pw;

        if (streq(name, "root")) { /* no look-up for the default */
                *ret = 0;
                return 0;
        }
        if (uint_parse(name, 0, UINT32_MAX - 1, &v) == 0) {
                *ret = (uid_t)v;
                return 0;
        }
        pw = getpwnam(name);
        if (!pw)
                return -ENOENT;
        *ret = pw->pw_uid;
        return 0;
}

static int parse_user(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        uid_t uid = 0;

        if (find_uid(value, &uid) < 0 && !((const struct config *)base)->elsewhere)
                return fail_set(fail, -ENOENT, "there is no user \"%.100s\" on this host", value);
        free_and_strdup(FIELD(char *, base, key), value);
        if (key->offset == offsetof(struct config, slurm_user))
                ((struct config *)base)->slurm_uid = uid;
        return 0;
}

static char *print_user(const struct config_key *key, const void *base) {
        const char *name = *CONST_FIELD(char *, base, key);
        uid_t uid = 0;

        return find_uid(name, &uid) < 0 ? xstrdup(name) : xasprintf("%s(%u)", name, (unsigned)uid);
}

static bool is_host_name(const char *s, size_t n) {
        for (size_t i = 0; i < n; i++)
                if (!isalnum((unsigned char)s[i]) && !strchr("._-:", s[i]))
                        return false;
        return n > 0 && n <= HOSTLIST_NAME_MAX;
}

/* Reads "host" or "host(address)". */
static int parse_host(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        struct config *config = base;
        size_t host = strcspn(value, "("), address = 0;

        (void)key;
        if (value[host]) {
                address = strcspn(value + host + 1, ")");
                if (!streq(value + host + 1 + address, ")") ||
                                !is_host_name(value + host + 1, address))
                        host = 0;
        }
        if (!is_host_name(value, host))
                return fail_set(fail, -EINVAL, "\"%.100s\" is not host or host(address)", value);
        GROW(config->controllers, config->a_controllers, config->n_controllers);
        struct config_controller *c = &config->controllers[config->n_controllers++];
        c->host = xstrndup(value, host);
        c->address = address ? xstrndup(value + host + 1, address) : xstrdup(c->host);
        config_controller_choose(config, 0);
        return 0;
}

void config_controller_choose(struct config *config, size_t i) {
        assert(i < config->n_controllers);
        config->controller_host = config->controllers[i].host;
        config->controller_address = config->controllers[i].address;
}

int config_controller_find(const struct config *config, const char *host) {
        size_t n = strcspn(host, ".");

        for (size_t i = 0; i < config->n_controllers; i++) {
                const char *name = config->controllers[i].host;
                if (strcspn(name, ".") == n && strncasecmp(name, host, n) == 0)
                        return (int)i;
        }
        return -1;
}

char *config_controller_text(const struct config *config, size_t i) {
        const struct config_controller *c = &config->controllers[i];

        return streq(c->host, c->address) ? xstrdup(c->host)
                                          : xasprintf("%s(%s)", c->host, c->address);
}

static char *print_host(const struct config_key *key, const void *base) {
        const struct config *config = base;

        (void)key;
        return config->n_controllers ? config_controller_text(config, 0) : xstrdup("(null)");
}

/* ---- plug-ins built in ---- */

struct choice {
        const char *word;
        int value; /* -1: not implemented */
};

static int choice_find(const struct choice *choices, size_t n, const char *name, const char *value,
                int *ret, struct fail *fail) {
        for (size_t i = 0; i < n; i++) {
                if (strcasecmp(choices[i].word, value) != 0)
                        continue;
                if (choices[i].value < 0)
                        return fail_set(fail, -EOPNOTSUPP, "%s is not implemented yet",
                                        choices[i].word);
                *ret = choices[i].value;
                return 0;
        }
        return fail_set(fail, -EINVAL, "\"%.100s\" is not a value of %s", value, name);
}

static int parse_select_type(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        static const struct choice types[] = {
                { "select/linear", SELECT_LINEAR },
                { "select/cons_tres", SELECT_CONS_TRES },
                { "select/cons_res", SELECT_CONS_TRES },
        };
        int v = 0, r = choice_find(types, ELEMENTSOF(types), key->name, value, &v, fail);

        if (r >= 0)
                *FIELD(enum select_type, base, key) = (enum select_type)v;
        return r;
}

static char *print_select_type(const struct config_key *key, const void *base) {
        return xstrdup(*CONST_FIELD(enum select_type, base, key) == SELECT_LINEAR
                                        ? "select/linear"
                                        : "select/cons_tres");
}

const char *job_defaults_text(uint32_t cpus, uint64_t mb, char *buf) {
        size_t n = 0;

        if (cpus)
                n = (size_t)snprintf(buf, JOB_DEFAULTS_TEXT_MAX, "DefCpuPerGPU=%u", cpus);
        if (mb)
                snprintf(buf + n, JOB_DEFAULTS_TEXT_MAX - n, "%sDefMemPerGPU=%llu", n ? "," : "",
                                (unsigned long long)mb);
        return cpus || mb ? buf : "(null)";
}

int job_defaults_parse(const char *text, uint32_t *ret_cpus, uint64_t *ret_mb, struct fail *fail) {
        uint64_t cpus = 0, mb = 0;

        for_each_word(w, text, ",") {
                char *value = strchr(w, '=');
                if (value)
                        *value++ = 0;
                bool of_cpus = strcasecmp(w, "DefCpuPerGPU") == 0,
                     known = of_cpus || strcasecmp(w, "DefMemPerGPU") == 0;
                if (!value || !known ||
                                uint_parse(value, 0, of_cpus ? UINT32_MAX - 1 : UINT64_MAX - 1,
                                                of_cpus ? &cpus : &mb) < 0)
                        return fail_set(fail, -EINVAL,
                                        "JobDefaults=%.100s: DefCpuPerGPU=N and DefMemPerGPU=MB were expected",
                                        text);
        }
        *ret_cpus = (uint32_t)cpus;
        *ret_mb = mb;
        return 0;
}

static const struct choice select_params[] = {
        { "NONE", 0 },
        { "CR_CPU", CR_CPU },
        { "CR_CORE", CR_CORE },
        { "CR_SOCKET", CR_SOCKET },
        { "CR_MEMORY", CR_MEMORY },
        { "CR_CPU_MEMORY", CR_CPU | CR_MEMORY },
        { "CR_CORE_MEMORY", CR_CORE | CR_MEMORY },
        { "CR_SOCKET_MEMORY", CR_SOCKET | CR_MEMORY },
        { "CR_ONE_TASK_PER_CORE", CR_ONE_TASK_PER_CORE },
        { "CR_CORE_DEFAULT_DIST_BLOCK", CR_CORE_DEFAULT_DIST_BLOCK },
        { "CR_LLN", CR_LLN },
        { "CR_PACK_NODES", CR_PACK_NODES },
        { "CR_NO_DIST_TOPO_BLOCK", CR_NODE_ORDER },
        { "LL_SHARED_GRES", -1 },
        { "MULTIPLE_SHARING_GRES_PJ", -1 },
        { "ENFORCE_BINDING_GRES", -1 },
        { "ONE_TASK_PER_SHARING_GRES", -1 },
        { "OTHER_CONS_RES", CR_OTHER },
        { "OTHER_CONS_TRES", CR_OTHER },
};

static int parse_select_params(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        unsigned all = 0, unit;

        for_each_word(w, value, ",") {
                int v = 0, r = choice_find(select_params, ELEMENTSOF(select_params), key->name, w,
                                           &v, fail);
                if (r < 0)
                        return r;
                all |= (unsigned)v;
        }
        unit = all & (CR_CPU | CR_CORE | CR_SOCKET);
        if (unit & (unit - 1))
                return fail_set(fail, -EINVAL, "CR_CPU, CR_Core and CR_Socket exclude each other");
        if (all & CR_ONE_TASK_PER_CORE && all & CR_CPU)
                return fail_set(fail, -EINVAL, "CR_ONE_TASK_PER_CORE cannot be used with CR_CPU");
        *FIELD(unsigned, base, key) = all;
        return 0;
}

char *select_params_text(unsigned params) {
        const unsigned what = CR_CPU | CR_CORE | CR_SOCKET | CR_MEMORY;
        char *text = xstrdup("");

        for (size_t i = 0; i < ELEMENTSOF(select_params); i++) {
                unsigned bits = (unsigned)select_params[i].value;
                bool flag = bits && !(bits & what) && select_params[i].value > 0;
                if (!(flag && params & bits) && !(bits && bits == (params & what)))
                        continue;
                text_add_word(&text, ",", "%s", select_params[i].word);
        }
        if (!*text)
                free_and_strdup(&text, "NONE");
        return text;
}

static char *print_select_params(const struct config_key *key, const void *base) {
        return select_params_text(*CONST_FIELD(unsigned, base, key));
}

static int parse_preempt_type(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        static const struct choice types[] = {
                { "preempt/none", PREEMPT_NONE },
                { "preempt/partition_prio", PREEMPT_PARTITION_PRIO },
                { "preempt/qos", PREEMPT_QOS },
        };
        int v = 0, r = choice_find(types, ELEMENTSOF(types), key->name, value, &v, fail);

        if (r >= 0)
                *FIELD(enum preempt_type, base, key) = (enum preempt_type)v;
        return r;
}

static char *print_preempt_type(const struct config_key *key, const void *base) {
        static const char *const texts[] = {
                [PREEMPT_NONE] = "(null)",
                [PREEMPT_PARTITION_PRIO] = "preempt/partition_prio",
                [PREEMPT_QOS] = "preempt/qos",
        };

        return xstrdup(texts[*CONST_FIELD(enum preempt_type, base, key)]);
}

static int parse_preempt_mode(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        return preempt_mode_parse(value, FIELD(unsigned, base, key), fail);
}

static char *print_preempt_mode(const struct config_key *key, const void *base) {
        return xstrdup(preempt_mode_text(*CONST_FIELD(unsigned, base, key)));
}

int oversubscribe_parse(const char *text, enum oversubscribe *ret, uint32_t *ret_max,
                struct fail *fail) {
        static const struct choice words[] = {
                { "NO", OVERSUBSCRIBE_NO },
                { "EXCLUSIVE", OVERSUBSCRIBE_EXCLUSIVE },
        };

        assert(text);
        assert(ret);
        assert(ret_max);

        for (size_t i = 0; i < ELEMENTSOF(words); i++) {
                if (strcasecmp(words[i].word, text) != 0)
                        continue;
                *ret = (enum oversubscribe)words[i].value;
                *ret_max = 1;
                return 0;
        }
        const char *colon = strchrnul(text, ':');
        _cleanup_free_ char *word = xstrndup(text, (size_t)(colon - text));
        uint64_t n = 4;
        if (!word_in(word, "YES|FORCE") || (*colon && uint_parse(colon + 1, 1, 32767, &n) < 0))
                return fail_set(fail, -EINVAL,
                                "OverSubscribe=%.100s invalid (NO, EXCLUSIVE, YES[:n], FORCE[:n])",
                                text);
        *ret = strcasecmp(word, "YES") == 0 ? OVERSUBSCRIBE_YES : OVERSUBSCRIBE_FORCE;
        *ret_max = (uint32_t)n;
        return 0;
}

static int parse_oversubscribe(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        struct config_partition *part = base;

        (void)key;
        return oversubscribe_parse(value, &part->oversubscribe, &part->oversubscribe_max, fail);
}

static char *print_oversubscribe(const struct config_key *key, const void *base) {
        const struct config_partition *part = base;

        (void)key;
        if (part->oversubscribe == OVERSUBSCRIBE_NO ||
                        part->oversubscribe == OVERSUBSCRIBE_EXCLUSIVE)
                return xstrdup(part->oversubscribe == OVERSUBSCRIBE_NO ? "NO" : "EXCLUSIVE");
        return xasprintf("%s:%u", part->oversubscribe == OVERSUBSCRIBE_YES ? "YES" : "FORCE",
                        part->oversubscribe_max);
}

static const char *const exclusive_words[EXCLUSIVE_MAX] = {
        [EXCLUSIVE_UNSAID] = "",
        [EXCLUSIVE_NO] = "NO",
        [EXCLUSIVE_NODE] = "NODE",
        [EXCLUSIVE_USER] = "USER",
};

const char *partition_exclusive_text(enum partition_exclusive e) {
        assert(e < EXCLUSIVE_MAX);
        return exclusive_words[e];
}

int partition_exclusive_parse(const char *text, enum partition_exclusive *ret, struct fail *fail) {
        if (strcasecmp(text, "TOPO") == 0)
                return fail_set(fail, -EOPNOTSUPP,
                                "Exclusive=TOPO is not implemented: jobs would share a topology unit");
        *ret = strcasecmp(text, "NONE") == 0 ? EXCLUSIVE_NO : EXCLUSIVE_UNSAID;
        for (int e = EXCLUSIVE_NO; e < EXCLUSIVE_MAX; e++)
                if (strcasecmp(text, exclusive_words[e]) == 0)
                        *ret = (enum partition_exclusive)e;
        if (*ret == EXCLUSIVE_UNSAID)
                return fail_set(fail, -EINVAL, "Exclusive=%.100s invalid (NO, NODE, USER)", text);
        return 0;
}

static int parse_exclusive(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        return partition_exclusive_parse(value, FIELD(enum partition_exclusive, base, key), fail);
}

static char *print_exclusive(const struct config_key *key, const void *base) {
        return xstrdup(partition_exclusive_text(*CONST_FIELD(enum partition_exclusive, base, key)));
}

/* The older key Priority= sets both. */
static int parse_priority(const struct config_key *key, const char *value, void *base,
                struct fail *fail) {
        struct config_partition *part = base;
        int r = parse_u32(key, value, base, fail);

        if (r >= 0)
                part->priority_job_factor = part->priority_tier;
        return r;
}

/* ---- the table ---- */

static const struct {
        int (*parse)(const struct config_key *key, const char *value, void *base,
                        struct fail *fail);
        char *(*print)(const struct config_key *key, const void *base);
} types[KEY_TYPE_MAX] = {
        [KEY_TEXT] = { parse_text, print_text },
        [KEY_PATHS] = { parse_paths, print_text },
        [KEY_GRES] = { parse_gres_list, print_text },
        [KEY_COUNTLIST] = { parse_countlist, print_text },
        [KEY_CHOICE] = { parse_choice, print_text },
        [KEY_WORD] = { parse_word, print_text },
        [KEY_SECONDS] = { parse_seconds, print_seconds },
        [KEY_IDLE] = { parse_idle, print_seconds },
        [KEY_MINUTES] = { parse_minutes, print_minutes },
        [KEY_EXEMPT] = { parse_exempt, print_exempt },
        [KEY_PERIOD] = { parse_period, print_period },
        [KEY_U16] = { parse_u16, print_u16 },
        [KEY_PORTS] = { parse_port_range, print_ports },
        [KEY_U32] = { parse_u32, print_u32 },
        [KEY_COUNT] = { parse_u32_or_unlimited, print_u32_or_unlimited },
        [KEY_PERCENT] = { parse_percent, NULL },
        [KEY_MB] = { parse_mb, NULL },
        [KEY_MEMORY] = { parse_memory, print_memory },
        [KEY_BOOL] = { parse_bool, print_yes },
        [KEY_SWITCH] = { parse_bool, print_switch },
        [KEY_YES] = { parse_bool, print_yes },
        [KEY_USER] = { parse_user, print_user },
        [KEY_HOST] = { parse_host, print_host },
        [KEY_SELECT_TYPE] = { parse_select_type, print_select_type },
        [KEY_SELECT_PARAMS] = { parse_select_params, print_select_params },
        [KEY_PREEMPT_TYPE] = { parse_preempt_type, print_preempt_type },
        [KEY_PREEMPT_MODE] = { parse_preempt_mode, print_preempt_mode },
        [KEY_OVERSUBSCRIBE] = { parse_oversubscribe, print_oversubscribe },
        [KEY_EXCLUSIVE] = { parse_exclusive, print_exclusive },
        [KEY_PRIORITY] = { parse_priority, NULL },
};

int key_parse(const struct config_key *key, const char *value, void *base, struct fail *fail) {
        assert(types[key->type].parse);

        return types[key->type].parse(key, value, base, fail);
}

char *key_print(const struct config_key *key, const void *base) {
        assert(types[key->type].print);

        char *text = types[key->type].print(key, base);
        if (!text || !key->unit)
                return text;
        char *whole = xasprintf("%s%s", text, key->unit);
        free(text);
        return whole;
}

char *key_written(const struct config_key *key, const void *base) {
        char *text = types[key->type].print ? types[key->type].print(key, base) : NULL;
        size_t n = strlen(strempty(text));

        if (n > 4 && (key->type == KEY_SECONDS || key->type == KEY_IDLE) &&
                        streq(text + n - 4, " sec"))
                text[n - 4] = 0;
        return text;
}

/* Writes a word that Slurm's parser can read: no quote within quotes, no control character, #
   escaped. */
void config_put_word(FILE *out, bool first, const char *key, const char *value) {
        bool spaced = isempty(value) || strpbrk(value, " \t\n"),
             quoted = spaced || (strpbrk(value, "#\\") && !strchr(value, '"'));

        fprintf(out, "%s%s=%s", first ? "" : " ", key, quoted ? "\"" : "");
        for (const char *p = value; *p; p++) {
                if (*p == '#')
                        fputc('\\', out);
                fputc((unsigned char)*p < ' ' ? ' ' : *p == '"' && quoted ? '\'' : *p, out);
        }
        if (quoted)
                fputc('"', out);
}
