/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings of a reservation are read key by key into a copy, checked as a whole, and only then
 * applied. */
#include "controller/updates/reservation_edit.h"

#include "controller/accounts/assoc.h"
#include "controller/jobs/reservation_life.h"
#include "controller/model/feature.h"
#include "controller/reservations/license.h"
#include "controller/reservations/reservation.h"
#include "lib/printable.h"
#include "lib/timetext.h"
#include "lib/wordlist.h"

#include <ctype.h>
#include <strings.h>

/* StartTime may be this far in the past: 10:30 means the minute */
#define LATE        (60 * USEC_PER_SEC)
#define YEAR        (365ull * 24 * 3600 * USEC_PER_SEC) /* UNLIMITED, as in Slurm */
#define TEXT_MOST   4096
#define CORES_MOST  1000000000u
#define PURGE_USUAL (300 * USEC_PER_SEC)

struct edit {
        struct cluster *c;
        struct resv *r;         /* the copy */
        const struct resv *old; /* NULL: a new reservation */
        usec_t now, duration;
        /* given by the update; no_nodes: NodeCnt=0 */
        bool start, end, nodes, all_nodes, count, no_nodes;
        struct resv_count cores; /* CoreCnt; n 0: not given */
        const char *value;
        char sign; /* '+', '-' or 0 */
        struct fail *fail;
};

static enum slumber_error resv_edit_refuse(struct edit *e, enum slumber_error code, const char *key,
                const char *expected) {
        fail_set(e->fail, -EINVAL, "%s=%.100s: %s was expected", key, e->value, expected);
        return code;
}

/* ---- times ---- */

static enum slumber_error resv_edit_start(struct edit *e) {
        if (time_parse(e->value, e->now, &e->r->start, NULL) < 0)
                return resv_edit_refuse(e, SLUMBER_BAD_CLOCK_TIME, "StartTime",
                                "a point in time like now+1hour or 2030-01-31T12:00");
        e->start = true;
        return SLUMBER_OK;
}

static enum slumber_error resv_edit_end(struct edit *e) {
        if (time_parse(e->value, e->now, &e->r->end, NULL) < 0)
                return resv_edit_refuse(e, SLUMBER_BAD_CLOCK_TIME, "EndTime",
                                "a point in time like now+1hour or 2030-01-31T12:00");
        e->end = true;
        return SLUMBER_OK;
}

static enum slumber_error set_duration(struct edit *e) {
        usec_t d = 0, before = e->r->end - e->r->start;

        if (limit_parse(e->value, &d, NULL) < 0 || d == 0 || (d > 100 * YEAR && d != NO_LIMIT))
                return resv_edit_refuse(e, SLUMBER_BAD_CLOCK_TIME, "Duration",
                                "minutes, D-H:M or UNLIMITED");
        if (e->sign == '-' && (!e->old || d >= before))
                return resv_edit_refuse(e, SLUMBER_BAD_CLOCK_TIME, "Duration-",
                                "less than it lasts");
        d = d == NO_LIMIT ? YEAR : d;
        e->duration = e->sign == '+' && e->old ? before + d : e->sign == '-' ? before - d : d;
        return SLUMBER_OK;
}

static enum slumber_error set_start_delay(struct edit *e) {
        usec_t d = 0;

        if (*e->value && (duration_parse(e->value, &d, NULL) < 0 || d > 100 * YEAR))
                return resv_edit_refuse(e, SLUMBER_BAD_CLOCK_TIME, "MaxStartDelay",
                                "minutes or D-H:M");
        e->r->max_start_delay = d;
        return SLUMBER_OK;
}

/* ---- lists of names ---- */

static bool is_list(const char *text) {
        for (const char *p = text; *p;) {
                size_t n = strcspn(p, ",");
                size_t sign = *p == '-' || *p == '+';
                if (n == sign)
                        return false;
                for (size_t i = sign; i < n; i++)
                        if (isspace((unsigned char)p[i]))
                                return false;
                p += n;
                if (*p == ',' && !*++p)
                        return false;
        }
        return strlen(text) <= TEXT_MOST && !has_control(text);
}

static bool names_have_word(const char *list, const char *word, size_t n) {
        for (const char *p = list; *p; p += strspn(p, ",")) {
                size_t length = strcspn(p, ",");
                if (length == n && strncmp(p, word, n) == 0)
                        return true;
                p += length;
        }
        return false;
}

/* Returns list without the words of gone, followed by the words of more. */
static char *names_merge(const char *list, const char *gone, const char *more) {
        char *text = xstrdup("");
        const char *const parts[] = { strempty(list), more };

        for (size_t i = 0; i < 2; i++)
                for (const char *p = parts[i]; *p; p += strspn(p, ",")) {
                        size_t n = strcspn(p, ",");
                        if ((i == 1 || !names_have_word(gone, p, n)) &&
                                        !names_have_word(text, p, n)) {
                                text_add_word(&text, ",", "%.*s", (int)n, p);
                        }
                        p += n;
                }
        return text;
}

static bool is_exclusion(const char *list) {
        return *list == '-';
}

/* Returns the words without leading minus signs; NULL if any word has none. */
static char *names_excluded(const char *list) {
        char *text = xstrdup(list), *to = text;

        for (const char *p = list; *p;) {
                if (*p != '-') {
                        free(text);
                        return NULL;
                }
                size_t n = strcspn(p, ",") + (p[strcspn(p, ",")] == ',');
                memcpy(to, p + 1, n - 1);
                to += n - 1;
                p += n;
        }
        *to = '\0';
        return text;
}

/* Returns the words with this sign, without the sign. */
static char *words_with(const char *list, char sign) {
        char *text = xnew(char, strlen(list) + 1), *to = text;

        for (const char *p = list; *p; p += strspn(p, ",")) {
                size_t n = strcspn(p, ",");
                if (*p == sign)
                        to += sprintf(to, "%s%.*s", to > text ? "," : "", (int)n - 1, p + 1);
                p += n;
        }
        *to = '\0';
        return text;
}

static bool has_plus(const char *list) {
        return *list == '+' || strstr(list, ",+");
}

static bool all_signed(const char *list) {
        for (const char *p = list; *p; p += strcspn(p, ","), p += strspn(p, ","))
                if (!strchr("+-", *p))
                        return false;
        return true;
}

/* Users=+a,-b: adds a, removes b. */
static char *change_words(const char *field, const char *value) {
        _cleanup_free_ char *gone = words_with(value, '-'), *more = words_with(value, '+');

        return names_merge(field, gone, more);
}

/* Users=-NAME removes NAME from a list of permitted users, like Users-=NAME. */
static char *resv_edit_whole_list(const struct edit *e, const char *field) {
        if (has_plus(e->value))
                return change_words(field, e->value);
        _cleanup_free_ char *gone = e->old && field && *e->value && !is_exclusion(field)
                                                    ? names_excluded(e->value)
                                                    : NULL;

        return gone ? names_merge(field, gone, "") : names_merge(NULL, "", e->value);
}

/* Users-=NAME: on an empty list, all users but NAME are permitted. */
static char *names_take_off(const char *field, const char *names) {
        if (!isempty(field))
                return names_merge(field, names, "");
        char *text = xstrdup("");
        for (const char *p = names; *p; p += strspn(p, ",")) {
                size_t n = strcspn(p, ",");
                text_add_word(&text, ",", "-%.*s", (int)n, p);
                p += n;
        }
        return text;
}

static bool has_minus(const char *list) {
        return *list == '-' || strstr(list, ",-");
}

/* Returns whether the list mixes excluded and permitted names: a list with exclusions permits all
   further names anyway. */
static bool is_mixed(const char *list) {
        _cleanup_free_ char *out = has_minus(list) ? names_excluded(list) : NULL;

        return has_minus(list) && !out;
}

static enum slumber_error resv_edit_list(struct edit *e, const char *key, char **field) {
        if (!is_list(e->value))
                return resv_edit_refuse(e, SLUMBER_BAD_UPDATE, key,
                                "names joined by commas, each perhaps behind a sign");
        if (e->sign && (has_plus(e->value) || (e->sign == '-' && has_minus(e->value))))
                return resv_edit_refuse(e, SLUMBER_BAD_UPDATE, key,
                                "a list of names without signs");
        if (has_plus(e->value) && !all_signed(e->value))
                return resv_edit_refuse(e, SLUMBER_BAD_UPDATE, key,
                                "a sign before each of the names, or a plus before none,");
        _cleanup_free_ char *text = e->sign == 0     ? resv_edit_whole_list(e, *field)
                                    : e->sign == '+' ? names_merge(*field, "", e->value)
                                                     : names_take_off(*field, e->value);
        if (strlen(text) > TEXT_MOST)
                return resv_edit_refuse(e, SLUMBER_TOO_BIG, key, "a shorter list");
        if (is_mixed(text))
                return resv_edit_refuse(e, SLUMBER_BAD_UPDATE, key,
                                "a list of permitted names or, each with a minus sign, of excluded ones");
        free_and_strdup(field, *text ? text : NULL);
        return SLUMBER_OK;
}

static enum slumber_error resv_edit_users(struct edit *e) {
        return resv_edit_list(e, "Users", &e->r->users);
}

/* Checks that accounts exist, if associations are enforced. */
static enum slumber_error resv_edit_check_accounts(struct edit *e) {
        if (!(e->c->config->enforce & ENFORCE_ASSOCIATIONS) || e->sign == '-')
                return SLUMBER_OK;
        for (const char *p = e->value; *p; p += strspn(p, ",")) {
                bool taken_off = *p == '-' && e->old;
                p += *p == '+' || *p == '-';
                size_t n = strcspn(p, ",");
                _cleanup_free_ char *name = xstrndup(p, n);
                if (!taken_off && !account_find(&e->c->acct, name)) {
                        fail_set(e->fail, -ENOENT, "Accounts: there is no account \"%s\"", name);
                        return SLUMBER_BAD_ACCOUNT;
                }
                p += n;
        }
        return SLUMBER_OK;
}

static enum slumber_error set_accounts(struct edit *e) {
        enum slumber_error r = resv_edit_list(e, "Accounts", &e->r->accounts);

        return r == SLUMBER_OK ? resv_edit_check_accounts(e) : r;
}

static enum slumber_error set_groups(struct edit *e) {
        return resv_edit_list(e, "Groups", &e->r->groups);
}

static enum slumber_error resv_edit_qos(struct edit *e) {
        return resv_edit_list(e, "QOS", &e->r->qos);
}

/* ---- nodes ---- */

/* "Nodes=" has no effect: scripts write an empty Nodes beside NodeCnt. */
static enum slumber_error resv_edit_nodes(struct edit *e) {
        struct bitset *nodes = NULL;

        if (!*e->value && !e->sign)
                return SLUMBER_OK;
        if (cluster_nodes_parse(e->c, e->value, &nodes, e->fail) < 0)
                return SLUMBER_BAD_NODE_NAME;
        if (e->sign == '+')
                bitset_or(nodes, e->r->nodes);
        if (e->sign == '-') {
                bitset_minus(e->r->nodes, nodes);
                bitset_assign(nodes, e->r->nodes);
        }
        bitset_free(e->r->nodes);
        e->r->nodes = nodes;
        e->r->node_count = 0;
        e->r->flags |= RESV_SPEC_NODES;
        e->nodes = true;
        e->all_nodes = strcasecmp(e->value, "ALL") == 0;
        return SLUMBER_OK;
}

static enum slumber_error resv_edit_node_count(struct edit *e) {
        uint64_t n;

        if (uint_parse(e->value, 0, UINT32_MAX - 1, &n) < 0)
                return resv_edit_refuse(e, SLUMBER_BAD_NODE_COUNT, "NodeCnt", "a number of nodes");
        if (n == 0) {
                e->no_nodes = true;
                return SLUMBER_OK;
        }
        e->r->node_count = (uint32_t)n;
        e->r->flags &= ~(unsigned)RESV_SPEC_NODES;
        e->count = true;
        return SLUMBER_OK;
}

static enum slumber_error set_features(struct edit *e) {
        _cleanup_(features_freep) struct features *f = NULL;

        if (*e->value && (features_parse(e->value, &f, e->fail) < 0 ||
                                         !features_known(f, e->c->nodes, e->c->n_nodes) ||
                                         features_counts(f) || features_alternatives(f)))
                return SLUMBER_BAD_FEATURE;
        free_and_strdup(&e->r->features, *e->value ? e->value : NULL);
        return SLUMBER_OK;
}

static enum slumber_error resv_edit_partition(struct edit *e) {
        if (*e->value && !cluster_partition(e->c, e->value))
                return SLUMBER_BAD_PARTITION;
        free_and_strdup(&e->r->partition, *e->value ? e->value : NULL);
        return SLUMBER_OK;
}

static void add_core_count(struct edit *e, uint64_t n) {
        uint32_t *list = (uint32_t *)(uintptr_t)e->cores.list; /* owned by the edit */

        list = xrenew(list, e->cores.n + 1);
        list[e->cores.n++] = (uint32_t)n;
        e->cores.list = list;
}

/* Reads a number of cores, or a number for each node. */
static enum slumber_error set_core_count(struct edit *e) {
        uint64_t n;

        e->cores.n = 0;
        for (const char *p = e->value;; p++) {
                size_t length = strcspn(p, ",");
                _cleanup_free_ char *word = xstrndup(p, length);
                if (uint_parse(word, 1, CORES_MOST, &n) < 0)
                        break;
                add_core_count(e, n);
                p += length;
                if (!*p)
                        return SLUMBER_OK;
        }
        return resv_edit_refuse(e, SLUMBER_BAD_CORE_COUNT, "CoreCnt",
                        "a number of cores, or one for each node, joined by commas,");
}

/* ---- licenses ---- */

static enum slumber_error resv_edit_licenses(struct edit *e) {
        struct countlist *list = NULL;

        if (*e->value && licenses_parse_kept(e->c, e->value, &list, e->fail) < 0)
                return SLUMBER_BAD_LICENSE;
        countlist_free(e->r->licenses);
        e->r->licenses = list;
        return licenses_check(e->c, list, NULL, e->fail) < 0 ? SLUMBER_BAD_LICENSE : SLUMBER_OK;
}

/* Adds "2", after "cpu=2,", for the next node. */
static bool is_more_cpus(struct edit *e, const char *w) {
        uint64_t n;

        if (!e->cores.cpus || uint_parse(w, 1, CORES_MOST, &n) < 0)
                return false;
        add_core_count(e, n);
        return true;
}

/* "node=2,cpu=4,license/matlab=1": equals NodeCnt, CoreCnt (of CPUs) and Licenses. */
static enum slumber_error resv_edit_tres(struct edit *e) {
        _cleanup_free_ char *licenses = xstrdup("");
        const char *whole = e->value;

        for_each_word(w, whole, ",") {
                char *value = strchr(w, '=');
                enum slumber_error r = SLUMBER_OK;
                if (!value && is_more_cpus(e, w))
                        continue;
                if (!value)
                        return resv_edit_refuse(e, SLUMBER_BAD_UPDATE, "TRES",
                                        "node=NUMBER, cpu=NUMBER or license/NAME=NUMBER, joined by commas,");
                *value++ = 0;
                if (strcasecmp(w, "node") == 0) {
                        e->value = value;
                        r = resv_edit_node_count(e);
                } else if (strcasecmp(w, "cpu") == 0) {
                        e->value = value;
                        r = set_core_count(e);
                        e->cores.cpus = true;
                } else if (strncasecmp(w, "license/", strlen("license/")) == 0) {
                        text_add_word(&licenses, ",", "%s:%s", w + strlen("license/"), value);
                } else {
                        fail_set(e->fail, -EOPNOTSUPP,
                                        "TRES=%.100s of a reservation is not implemented; node, cpu and license/NAME are",
                                        w);
                        r = SLUMBER_NOT_SUPPORTED;
                }
                if (r != SLUMBER_OK)
                        return r;
        }
        e->value = licenses;
        enum slumber_error r = *licenses ? resv_edit_licenses(e) : SLUMBER_OK;
        e->value = whole;
        return r;
}

/* Moves to the next turn. */
static enum slumber_error set_skip(struct edit *e) {
        struct resv_turn turn = { e->r->start, e->r->end, e->r->late };

        if (*e->value || !e->old || !(e->r->flags & RESV_REPEATS) || !resv_next_turn(e->r, &turn)) {
                fail_set(e->fail, -EINVAL,
                                "Skip is for the update of a reservation that comes again, without a value");
                return SLUMBER_BAD_UPDATE;
        }
        e->r->start = turn.start;
        e->r->end = turn.end;
        e->r->late = turn.late;
        return SLUMBER_OK;
}

/* ---- flags ---- */

static const struct {
        const char *word, *shown;
        unsigned flag;
} flags[] = {
        /* sorted in the order of display */
        { "MAINT", "MAINT", RESV_MAINT },
        { "FLEX", "FLEX", RESV_FLEX },
        { "OVERLAP", "OVERLAP", RESV_OVERLAP },
        { "IGNORE_JOBS", "IGNORE_JOBS", RESV_IGNORE_JOBS },
        { "HOURLY", "HOURLY", RESV_HOURLY },
        { "DAILY", "DAILY", RESV_DAILY },
        { "WEEKDAY", "WEEKDAY", RESV_WEEKDAY },
        { "WEEKEND", "WEEKEND", RESV_WEEKEND },
        { "WEEKLY", "WEEKLY", RESV_WEEKLY },
        { "SPEC_NODES", "SPEC_NODES", RESV_SPEC_NODES },
        { NULL, "ALL_NODES", RESV_ALL_NODES }, /* set by Nodes=ALL */
        { "STATIC_ALLOC", "STATIC", RESV_STATIC },
        { "STATIC", NULL, RESV_STATIC },
        { "NO_HOLD_JOBS_AFTER", "NO_HOLD_JOBS_AFTER_END", RESV_NO_HOLD },
        { "NO_HOLD_JOBS_AFTER_END", NULL, RESV_NO_HOLD },
        { "USER_DELETE", "USER_DELETE", RESV_USER_DELETE },
        { "PART_NODES", "PART_NODES", RESV_PART_NODES },
        { "TIME_FLOAT", "TIME_FLOAT", RESV_FLOAT },
        { "REPLACE", "REPLACE", RESV_REPLACE },
        { "REPLACE_DOWN", "REPLACE_DOWN", RESV_REPLACE_DOWN },
        { "PURGE_COMP", "PURGE_COMP", RESV_PURGE },
        { "MAGNETIC", "MAGNETIC", RESV_MAGNETIC },
        { "ANY_NODES", "ANY_NODES", RESV_ANY_NODES },
        { "LICENSE_ONLY", NULL, RESV_ANY_NODES },
        { "FIRST_CORES", "FIRST_CORES", RESV_FIRST_CORES },
};

char *resv_flags_text(const struct resv *r) {
        char text[512], time[TIMETEXT_MAX];
        size_t used = 0;

        *text = 0;
        for (size_t i = 0; i < ELEMENTSOF(flags); i++)
                if (flags[i].shown && r->flags & flags[i].flag)
                        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s%s",
                                        used ? "," : "", flags[i].shown,
                                        flags[i].flag == RESV_PURGE ? "=" : "",
                                        flags[i].flag == RESV_PURGE ? duration_text(r->purge, time)
                                                                    : "");
        return xstrdup(text);
}

/* Applies a flag with a sign of its own, as in Flags=+MAINT,-DAILY, or the sign of Flags+=,
   Flags-=. */
static enum slumber_error resv_edit_flag(struct edit *e, const char *word, size_t n) {
        bool is_signed = !e->sign && n > 1 && strchr("+-", *word);
        char sign = is_signed ? *word : e->sign;
        word += is_signed;
        n -= is_signed;
        size_t name = MIN(n, strcspn(word, "="));
        _cleanup_free_ char *time = name < n ? xstrndup(word + name + 1, n - name - 1) : NULL;
        usec_t purge = PURGE_USUAL;

        for (size_t i = 0; i < ELEMENTSOF(flags); i++) {
                if (!flags[i].word || strlen(flags[i].word) != name ||
                                strncasecmp(flags[i].word, word, name) != 0)
                        continue;
                if (time && (flags[i].flag != RESV_PURGE ||
                                            duration_parse(time, &purge, NULL) < 0 ||
                                            purge > 100 * YEAR))
                        break;
                e->r->flags = sign == '-' ? e->r->flags & ~flags[i].flag
                                          : e->r->flags | flags[i].flag;
                if (flags[i].flag == RESV_PURGE)
                        e->r->purge = purge;
                return SLUMBER_OK;
        }
        fail_set(e->fail, -EINVAL, "Flags: \"%.*s\" is not a flag of reservations",
                        (int)MIN(n, (size_t)100), word);
        return SLUMBER_BAD_UPDATE;
}

static enum slumber_error resv_edit_flags(struct edit *e) {
        enum slumber_error r = SLUMBER_OK;

        for (const char *p = e->value; r == SLUMBER_OK && *p; p += strspn(p, ",")) {
                size_t n = strcspn(p, ",");
                r = resv_edit_flag(e, p, n);
                p += n;
        }
        return r;
}

/* ---- keys ---- */

static enum slumber_error not_yet(struct edit *e) {
        return SLUMBER_NOT_SUPPORTED;
}

static const struct {
        const char *key;
        size_t least;
        enum slumber_error (*set)(struct edit *e);
        bool signs;
} keys[] = {
        { "StartTime", 1, resv_edit_start, false },
        { "EndTime", 1, resv_edit_end, false },
        { "Duration", 1, set_duration, true },
        { "Users", 1, resv_edit_users, true },
        { "Accounts", 1, set_accounts, true },
        { "Groups", 1, set_groups, true },
        { "QOS", 1, resv_edit_qos, true },
        { "NodeCnt", 5, resv_edit_node_count, false },
        { "Nodes", 5, resv_edit_nodes, true },
        { "Features", 2, set_features, false },
        { "AllowedPartitions", 2, not_yet, true },
        { "PartitionName", 1, resv_edit_partition, false },
        { "Flags", 2, resv_edit_flags, true },
        { "BurstBuffer", 1, not_yet, true },
        { "CoreCnt", 5, set_core_count, false },
        { "Licenses", 1, resv_edit_licenses, false },
        { "MaxStartDelay", 1, set_start_delay, false },
        { "Skip", 2, set_skip, false },
        { "TRES", 1, resv_edit_tres, false },
        { "TRESPerNode", 5, not_yet, false },
        { "Watts", 1, not_yet, false },
};

static bool key_means(size_t at, const char *key, size_t n) {
        return n >= keys[at].least && n <= strlen(keys[at].key) &&
               strncasecmp(keys[at].key, key, n) == 0;
}

bool resv_key_is_skip(const char *key) {
        size_t at = 0;

        while (at < ELEMENTSOF(keys) && !key_means(at, key, strlen(key)))
                at++;
        return at < ELEMENTSOF(keys) && keys[at].set == set_skip;
}

static enum slumber_error resv_edit_setting(struct edit *e, const struct update_setting *w) {
        size_t n = strlen(w->key);

        e->sign = n && strchr("+-", w->key[n - 1]) ? w->key[--n] : 0;
        e->value = w->value;
        for (size_t i = 0; i < ELEMENTSOF(keys); i++) {
                if (!key_means(i, w->key, n))
                        continue;
                if (keys[i].set == not_yet) {
                        fail_set(e->fail, -EOPNOTSUPP, "%s of a reservation is not implemented yet",
                                        keys[i].key);
                        return SLUMBER_NOT_SUPPORTED;
                }
                if (e->sign && !keys[i].signs)
                        break;
                return keys[i].set(e);
        }
        fail_set(e->fail, -EINVAL, "a reservation has no parameter %.100s", w->key);
        return SLUMBER_BAD_UPDATE;
}

/* ---- checks of the whole ---- */

static enum slumber_error resv_edit_check_times(struct edit *e) {
        struct resv *r = e->r;
        usec_t length = e->old ? e->old->end - e->old->start : 0;

        if (!e->old && !e->start) {
                fail_set(e->fail, -EINVAL, "a StartTime must be given");
                return SLUMBER_BAD_CLOCK_TIME;
        }
        if (e->start && r->start + LATE < e->now) {
                fail_set(e->fail, -EINVAL, "StartTime lies in the past");
                return SLUMBER_BAD_CLOCK_TIME;
        }
        if (e->start && e->old && (e->old->active || e->old->over)) {
                fail_set(e->fail, -EINVAL, "it has begun: its StartTime cannot be changed");
                return SLUMBER_BAD_CLOCK_TIME;
        }
        if (e->start)
                r->late = 0;
        if (e->duration || e->end)
                r->by_end = !e->duration;
        if (e->duration)
                r->end = r->start + e->duration;
        else if (!e->end && e->old && !r->by_end)
                r->end = r->start + length;
        else if (!e->end && !e->old) {
                fail_set(e->fail, -EINVAL, "an EndTime or a Duration must be given");
                return SLUMBER_BAD_CLOCK_TIME;
        }
        if (r->end <= r->start || r->end <= e->now) {
                fail_set(e->fail, -EINVAL, "%s",
                                r->end <= r->start ? "EndTime must be later than StartTime"
                                                   : "it would be over already");
                return SLUMBER_BAD_CLOCK_TIME;
        }
        return SLUMBER_OK;
}

static enum slumber_error check_repeats(struct edit *e) {
        unsigned repeats = e->r->flags & RESV_REPEATS;
        usec_t hours = repeats & RESV_HOURLY ? 1 : repeats & RESV_WEEKLY ? 7 * 24 : 24;

        if (repeats & (repeats - 1)) {
                fail_set(e->fail, -EINVAL,
                                "Flags: only one of HOURLY, DAILY, WEEKDAY, WEEKEND, WEEKLY can be");
                return SLUMBER_BAD_UPDATE;
        }
        if (repeats && e->r->end - e->r->start > hours * 3600 * USEC_PER_SEC) {
                fail_set(e->fail, -EINVAL, "it would begin again before it ends");
                return SLUMBER_BAD_CLOCK_TIME;
        }
        return SLUMBER_OK;
}

/* Checks combinations of flags and settings. */
static enum slumber_error check_flags(struct edit *e) {
        struct resv *r = e->r;
        const char *wrong = NULL;
        bool has_cores = e->cores.n > 0 || r->n_cores > 0;

        if (e->old && (e->nodes || e->count)) /* new nodes replace the followed nodes */
                r->flags &= ~(e->old->flags & (RESV_ALL_NODES | RESV_PART_NODES));
        if (e->all_nodes && !has_cores)
                r->flags |= r->partition ? RESV_PART_NODES : RESV_ALL_NODES;
        r->ahead = e->start ? r->start - MIN(r->start, e->now) : r->ahead;
        if (r->flags & RESV_FLOAT && r->flags & RESV_REPEATS)
                wrong = "TIME_FLOAT cannot come again";
        else if (r->flags & RESV_FLOAT && r->ahead == 0)
                wrong = "TIME_FLOAT needs a StartTime that lies ahead, like now+1hour";
        else if (r->flags & RESV_FLOAT && r->flags & RESV_PURGE)
                wrong = "TIME_FLOAT never begins, so that PURGE_COMP says nothing";
        else if (r->flags & (RESV_REPLACE | RESV_REPLACE_DOWN) &&
                        (r->flags & RESV_STATIC || !r->node_count))
                wrong = "REPLACE and REPLACE_DOWN are for NodeCnt, and not together with STATIC_ALLOC";
        else if (r->flags & RESV_PART_NODES &&
                        (!r->partition || (e->nodes || !e->old ? !e->all_nodes : false) ||
                                        r->node_count))
                wrong = "PART_NODES needs PartitionName and Nodes=ALL";
        else if (r->flags & (RESV_REPLACE | RESV_REPLACE_DOWN | RESV_PART_NODES) && has_cores)
                wrong = "REPLACE, REPLACE_DOWN and PART_NODES do not go with CoreCnt";
        else if (r->flags & RESV_FIRST_CORES && !has_cores)
                wrong = "FIRST_CORES is for CoreCnt";
        else if (r->flags & RESV_ANY_NODES && has_cores)
                wrong = "ANY_NODES does not go with CoreCnt";
        else if (r->flags & RESV_ANY_NODES && !r->licenses)
                wrong = "ANY_NODES needs Licenses";
        else if (r->flags & (RESV_FLOAT | RESV_FLEX) && r->licenses)
                wrong = "TIME_FLOAT and FLEX do not go with Licenses";
        if (!wrong)
                return SLUMBER_OK;
        fail_set(e->fail, -EINVAL, "Flags: %s", wrong);
        return SLUMBER_BAD_UPDATE;
}

static enum slumber_error resv_edit_check_users(struct edit *e) {
        if (!e->r->users && !e->r->accounts && !e->r->groups && !e->r->qos)
                return SLUMBER_RESERVATION_EMPTY;
        if (e->r->users && e->r->groups) {
                fail_set(e->fail, -EINVAL, "Users and Groups cannot be given both");
                return SLUMBER_BAD_UPDATE;
        }
        return SLUMBER_OK;
}

static enum slumber_error resv_edit_check_cores(struct edit *e) {
        bool other = e->nodes || e->count ||
                     (e->old && (e->r->flags ^ e->old->flags) & RESV_FIRST_CORES);

        if (e->old && (e->cores.n > 0 || (e->old->n_cores && other)))
                return SLUMBER_CORES_STAY;
        if (e->cores.n > 0 && cluster_whole_nodes(e->c)) {
                fail_set(e->fail, -EOPNOTSUPP,
                                "CoreCnt: jobs have whole nodes here (SelectType=select/linear)");
                return SLUMBER_NOT_SUPPORTED;
        }
        return SLUMBER_OK;
}

/* ANY_NODES reserves licenses: a new reservation has only the nodes named in Nodes, whatever
   NodeCnt is, as in Slurm. */
static enum slumber_error heed_any_nodes(struct edit *e) {
        bool any = e->r->flags & RESV_ANY_NODES;

        if (any && e->count && !e->old) {
                e->no_nodes = true;
                e->count = false;
        }
        if (!e->no_nodes)
                return SLUMBER_OK;
        if (!any) {
                fail_set(e->fail, -EINVAL, "NodeCnt=0 is for Licenses with Flags=ANY_NODES");
                return SLUMBER_BAD_NODE_COUNT;
        }
        bitset_clear(e->r->nodes);
        e->r->node_count = 0;
        e->r->flags &= ~(unsigned)RESV_SPEC_NODES;
        return SLUMBER_OK;
}

static enum slumber_error resv_edit_check_nodes(struct edit *e) {
        if (e->nodes && (e->count || e->no_nodes)) {
                fail_set(e->fail, -EINVAL, "Nodes and NodeCnt cannot be given both");
                return SLUMBER_BAD_NODE_COUNT;
        }
        enum slumber_error r = heed_any_nodes(e);
        if (r != SLUMBER_OK)
                return r;
        if (e->cores.n > 0)
                return resv_pick_cores(e->c, e->r, &e->cores, e->now, e->fail);
        if (e->r->flags & RESV_PART_NODES)
                bitset_assign(e->r->nodes, cluster_partition(e->c, e->r->partition)->nodes);
        return e->count ? resv_pick(e->c, e->r, e->old, e->now, e->fail)
                        : resv_check_named(e->c, e->r, e->old, e->now, e->fail);
}

/* Checks that enough licenses remain beside overlapping reservations. */
static enum slumber_error resv_edit_check_licenses(struct edit *e) {
        for (size_t i = 0; e->r->licenses && i < e->r->licenses->n; i++) {
                const struct count *asked = &e->r->licenses->list[i];
                uint64_t kept = asked->n;
                for (size_t k = 0; k < e->c->resvs.n; k++) {
                        const struct resv *other = e->c->resvs.list[k];
                        if (other != e->old && resv_licenses(other, asked->name) &&
                                        resv_overlap(e->r, other))
                                kept += resv_licenses(other, asked->name);
                }
                const struct license *l = license_find(&e->c->licenses, asked->name);
                if (!l || kept > l->total) {
                        fail_set(e->fail, -EBUSY,
                                        "with other reservations %llu of license %s would be kept, there are %u",
                                        (unsigned long long)kept, asked->name, l ? l->total : 0);
                        return SLUMBER_BAD_LICENSE;
                }
        }
        free(e->r->licenses_used);
        e->r->licenses_used = e->r->licenses ? xnew0(uint32_t, e->r->licenses->n) : NULL;
        return SLUMBER_OK;
}

static enum slumber_error take_all(struct edit *e, const struct update_setting *settings,
                size_t n) {
        static enum slumber_error (*const checks[])(struct edit *) = {
                resv_edit_check_times,
                check_repeats,
                check_flags,
                resv_edit_check_users,
                resv_edit_check_cores,
                resv_edit_check_nodes,
                resv_edit_check_licenses,
        };
        enum slumber_error r = SLUMBER_OK;

        for (size_t i = 0; r == SLUMBER_OK && i < n; i++)
                r = resv_edit_setting(e, &settings[i]);
        for (size_t i = 0; r == SLUMBER_OK && i < ELEMENTSOF(checks); i++)
                r = checks[i](e);
        free((void *)(uintptr_t)e->cores.list);
        e->cores.list = NULL;
        return r;
}

static bool is_good_name(const char *name) {
        for (const char *p = name; *p; p++)
                if (!isalnum((unsigned char)*p) && !strchr("_-.", *p))
                        return false;
        return *name && strlen(name) <= 64;
}

/* Returns the first user or account, and a number. */
static char *make_name(struct cluster *c, const struct resv *r) {
        const char *list = r->users      ? r->users
                           : r->accounts ? r->accounts
                           : r->groups   ? r->groups
                                         : r->qos;
        int n = (int)MIN(strcspn(list + (*list == '-'), ","), (size_t)40);
        char *name = NULL;

        do {
                free(name);
                name = xasprintf("%.*s_%u", n, list + (*list == '-'), ++c->resvs.made);
        } while (resv_find(c, name));
        return name;
}

enum slumber_error resv_create(struct cluster *c, const struct update_setting *settings, size_t n,
                uid_t creator, usec_t now, struct resv **ret, struct fail *fail) {
        _cleanup_(resv_freep) struct resv *r = xnew0(struct resv, 1);
        struct edit e = { .c = c, .r = r, .now = now, .fail = fail };
        bool named = n && strcasecmp(settings[0].key, "ReservationName") == 0;

        r->creator = creator;
        r->nodes = bitset_new(c->n_nodes);
        if (c->resvs.n >= RESV_MAX) {
                fail_set(fail, -EDQUOT, "there are %d reservations already", RESV_MAX);
                return SLUMBER_TOO_BIG;
        }
        if (named && !is_good_name(settings[0].value)) {
                e.value = settings[0].value;
                return resv_edit_refuse(&e, SLUMBER_BAD_UPDATE, "ReservationName",
                                "up to 64 letters, digits, \"_\", \"-\" and \".\"");
        }
        if (named && resv_find(c, settings[0].value))
                return SLUMBER_RESERVATION_NAME;
        enum slumber_error error = take_all(&e, settings + named, n - named);
        if (error != SLUMBER_OK)
                return error;
        c->resvs.made += named;
        r->name = named ? xstrdup(settings[0].value) : make_name(c, r);
        *ret = r;
        resv_add(c, TAKE(r));
        resv_changed(c, now);
        return SLUMBER_OK;
}

static struct resv *resv_edit_copy(const struct resv *r) {
        struct resv *to = xnew(struct resv, 1);

        *to = *r;
        to->name = xstrdup(r->name);
        to->users = xstrdup(r->users);
        to->accounts = xstrdup(r->accounts);
        to->groups = xstrdup(r->groups);
        to->qos = xstrdup(r->qos);
        to->partition = xstrdup(r->partition);
        to->features = xstrdup(r->features);
        to->nodes = bitset_copy(r->nodes);
        resv_cores_copy(to, r);
        to->licenses = countlist_copy(r->licenses);
        to->licenses_used = NULL;
        return to;
}

enum slumber_error resv_update(struct cluster *c, struct resv *r,
                const struct update_setting *settings, size_t n, usec_t now, struct fail *fail) {
        _cleanup_(resv_freep) struct resv *draft = resv_edit_copy(r);
        struct edit e = { .c = c, .r = draft, .old = r, .now = now, .fail = fail };
        enum slumber_error error = take_all(&e, settings, n);

        if (error != SLUMBER_OK)
                return error;
        struct resv before = *r;
        *r = *draft;
        *draft = before; /* freed by draft */
        resv_changed(c, now);
        return SLUMBER_OK;
}
