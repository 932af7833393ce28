/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slumber.yaml: one map of the keys in site_fields[], flat except clusters (siteconf_clusters.c). */
#include "lib/config/config_private.h"
#include "lib/timetext.h"

#define VETO_INTERVAL  (30 * USEC_PER_SEC)
#define AUDIT_INTERVAL (600 * USEC_PER_SEC)
#define SITE_SIZE_MAX  ((size_t)64 * 1024) /* a page of settings is 1 KB */
#define SITE_LEVELS    4                   /* the map, clusters, a cluster, its lists */
#define SITE_COUNT_MAX 1000                /* more tries are pointless */

/* ---- types of values ---- */

/* Reads "10", "10s", "500ms". */
static int site_read_duration(struct ydoc *y, const struct ynode *n, void *to) {
        static const char expected[] = "a time of 1ms or more (10, 10s, 500ms)";
        const char *text = NULL;
        int e = ydoc_text(y, n, expected, &text);

        if (e < 0)
                return e;
        size_t digits = strspn(text, "0123456789");
        _cleanup_free_ char *number = xstrndup(text, digits);
        bool ms = streq(text + digits, "ms");
        uint64_t v;
        if ((!ms && text[digits] && !streq(text + digits, "s")) ||
                        uint_parse(number, 1, 86400 * 1000, &v) < 0)
                return ydoc_wrong_value(y, n, expected);
        *(usec_t *)ydoc_place(y, to) = v * (ms ? USEC_PER_MSEC : USEC_PER_SEC);
        return 0;
}

/* Reads a duration, or 0 for never. */
static int site_read_interval(struct ydoc *y, const struct ynode *n, void *to) {
        if (n->type != YNODE_TEXT || !streq(n->text, "0"))
                return site_read_duration(y, n, to);
        *(usec_t *)ydoc_place(y, to) = USEC_INFINITY;
        return 0;
}

/* Reads "12months", "30days", "48hours", "12" (months), as PurgeJobAfter of Slurm's
   slurmdbd.conf. */
static int site_read_age(struct ydoc *y, const struct ynode *n, void *to) {
        static const char expected[] = "an age (12months, 30days, 48hours)";
        static const struct {
                const char *words;
                usec_t unit;
        } units[] = {
                { "month|months", 30 * 86400 * USEC_PER_SEC },
                { "day|days", 86400 * USEC_PER_SEC },
                { "hour|hours", 3600 * USEC_PER_SEC },
        };
        const char *text = NULL;
        int e = ydoc_text(y, n, expected, &text);

        if (e < 0)
                return e;
        size_t digits = strspn(text, "0123456789");
        _cleanup_free_ char *number = xstrndup(text, digits);
        uint64_t v;
        for (size_t i = 0; i < ELEMENTSOF(units) && uint_parse(number, 1, 100000, &v) >= 0; i++)
                if (word_in(text + digits, units[i].words) || (i == 0 && !text[digits])) {
                        *(usec_t *)ydoc_place(y, to) = v * units[i].unit;
                        return 0;
                }
        return ydoc_wrong_value(y, n, expected);
}

/* Reads partitions, which config_reclaim.c checks. */
static int site_read_partitions(struct ydoc *y, const struct ynode *n, void *to) {
        const char *expected = y->field->expected, *text = NULL;
        int e = ydoc_text(y, n, expected, &text);

        if (e >= 0 && text[strcspn(text, " \t")])
                e = ydoc_wrong_value(y, n, expected);
        return e < 0 ? e : ydoc_later(y, n, to);
}

/* Reads a text that may be empty, which config_watts.c checks. */
static int site_read_figure(struct ydoc *y, const struct ynode *n, void *to) {
        if (n->type != YNODE_TEXT || n->n)
                return ydoc_later(y, n, to);
        free_and_strdup(&((struct ydoc_text *)ydoc_place(y, to))->text, "");
        return 0;
}

/* Reads a list of words or a text, which config_guards.c checks. */
static int site_read_guards(struct ydoc *y, const struct ynode *n, void *to) {
        return n->type == YNODE_LIST ? ydoc_words(y, n, to) : site_read_figure(y, n, to);
}

/* Reads "sqlite" or the address of a PostgreSQL database, which is kept as it is: libpq judges it. */
static int site_read_store(struct ydoc *y, const struct ynode *n, void *to) {
        static const char expected[] = "sqlite or an address of PostgreSQL (postgresql:///slumber)";
        const char *text = NULL;
        int e = ydoc_text(y, n, expected, &text);

        if (e < 0)
                return e;
        if (!streq(text, "sqlite") && strncmp(text, "postgresql://", 13) != 0)
                return ydoc_wrong_value(y, n, expected);
        free_and_strdup((char **)ydoc_place(y, to), streq(text, "sqlite") ? NULL : text);
        return 0;
}

/* ---- the keys ---- */

#define SITE(name, type, ...)                                                                      \
        { #name, type, offsetof(struct site_config, name), __VA_ARGS__ }
#define SITE_PATH(name)      SITE(name, ydoc_path)
#define SITE_TIME(name)      SITE(name, site_read_duration)
#define SITE_COUNT(name)     SITE(name, ydoc_number, .max = SITE_COUNT_MAX)
#define SITE_CHOICE(name, w) SITE(name, ydoc_choice, .words = (w))
#define SITE_FIGURE(name, i)                                                                       \
        {                                                                                          \
                name, site_read_figure, offsetof(struct site_config, figures[i]),                  \
                                "a figure, or figures of nodes (300 gpu[1-4]=2000)"                \
        }

static const struct ydoc_field site_fields[] = {
        SITE_PATH(key_file),
        SITE_PATH(socket),
        SITE_PATH(power_file),
        SITE(store, site_read_store),
        SITE_PATH(console_dir),
        SITE_PATH(cgroup_root),
        SITE_CHOICE(cgroup, "auto|v2|v1|none"),
        SITE_CHOICE(cgroup_layout, "auto|slurm|slumber"),
        SITE_TIME(freeze_timeout),
        SITE(accept_missing, site_read_guards, "names of keys"),
        SITE(reclaim_suspended, site_read_partitions, "ALL or partitions with commas between them"),
        SITE_TIME(reclaim_timeout),
        SITE_TIME(heartbeat),
        SITE_COUNT(boot_retries),
        SITE_COUNT(quarantine_after),
        SITE_COUNT(brake_after),
        SITE_COUNT(brake_share),
        SITE_COUNT(brake_window),
        SITE_TIME(brake_pause),
        SITE_TIME(brake_pause_max),
        SITE(purge_jobs_after, site_read_age),
        SITE(audit_interval, site_read_interval),
        SITE_PATH(veto_program),
        SITE_TIME(veto_interval),
        SITE(watts_interval, site_read_interval),
        SITE_FIGURE("watts_on", 0),
        SITE_FIGURE("watts_idle", 1),
        SITE_FIGURE("watts_off", 2),
        SITE_FIGURE("watts_booting", 3),
        SITE_FIGURE("boot_seconds", 4),
        SITE_FIGURE("shutdown_seconds", 5),
        SITE_CHOICE(plan_whole_nodes, "yes|no"),
        SITE_CHOICE(resume_file, "25.05|26.05"),
        SITE_CHOICE(warm_up, "yes|no"),
        SITE_CHOICE(veto_logind, "yes|no"),
        SITE_CHOICE(end_programs, "yes|no"),
        SITE(clusters, site_read_clusters),
};
static const struct ydoc_form site_form = { "slumber.yaml", site_fields, ELEMENTSOF(site_fields) };

static int site_read_map(struct ydoc *y, const struct ynode *n, void *to) {
        return ydoc_map(y, n, &site_form, to);
}

int site_config_parse(struct site_config *config, const char *name, const char *text, size_t size,
                struct fail *fail) {
        struct ydoc y = { .file = name,
                .most = SITE_SIZE_MAX,
                .levels = SITE_LEVELS,
                .refused = YDOC_NO_ANCHORS,
                .fail = fail };

        assert(config);
        assert(name);
        assert(text);

        return ydoc_read(&y, text, size, site_read_map, config);
}

int site_config_set(struct site_config *site, const char *key, const char *value,
                struct fail *fail) {
        struct ynode n = { .type = YNODE_TEXT, .n = (uint32_t)strlen(value), .text = value };
        struct ydoc y = { .fail = fail };

        assert(site);
        assert(key);

        for (size_t i = 0; i < ELEMENTSOF(site_fields); i++)
                if (streq(site_fields[i].key, key)) {
                        y.field = &site_fields[i];
                        return y.field->read(&y, &n, site);
                }
        return fail_set(fail, -ENOENT, "%.100s is not a key of slumber.yaml", key);
}

int site_text_fail(const struct config *config, const struct ydoc_text *text, const char *key,
                int r, struct fail *fail) {
        _cleanup_free_ char *dir = config->path && text->line ? config_folder(config->path) : NULL;

        fail_prefix(fail, r, "%s", key);
        return dir ? fail_prefix(fail, r, "%s/slumber.yaml line %u column %u", dir, text->line,
                                     text->column)
                   : r;
}

static void put_default(char **field, const char *value) {
        if (!*field)
                *field = xstrdup(value);
}

static void put_defaults(struct site_config *site, const char *dir) {
        _cleanup_free_ char *power = xasprintf("%s/power.yaml", dir);

        put_default(&site->key_file, "/etc/slumber/cluster.key");
        put_default(&site->socket, "/run/slumber/slumber.sock");
        put_default(&site->power_file, power);
        put_default(&site->cgroup, "auto");
        put_default(&site->cgroup_layout, "auto");
        put_default(&site->veto_logind, "yes");
        put_default(&site->end_programs, "no");
        put_default(&site->resume_file, "25.05");
        put_default(&site->warm_up, "no");
        put_default(&site->plan_whole_nodes, "no");
        if (site->brake_pause == 0)
                site->brake_pause = 10 * USEC_PER_SEC;
        if (site->brake_pause_max == 0)
                site->brake_pause_max = MAX(600 * USEC_PER_SEC, site->brake_pause);
        if (site->veto_interval == 0)
                site->veto_interval = VETO_INTERVAL;
        if (site->audit_interval == 0)
                site->audit_interval = AUDIT_INTERVAL;
        if (site->watts_interval == 0)
                site->watts_interval = USEC_INFINITY;
        if (site->freeze_timeout == 0)
                site->freeze_timeout = 10 * USEC_PER_SEC;
        if (site->reclaim_timeout == 0)
                site->reclaim_timeout = 60 * USEC_PER_SEC;
}

static int check_brake(const struct site_config *site, const char *path, struct fail *fail) {
        if (site->brake_share > 100)
                return fail_set(fail, -EINVAL,
                                "%s: brake_share: %u is not a percentage from 0 to 100", path,
                                site->brake_share);
        if (site->brake_window == 0 || site->brake_window < site->brake_after)
                return fail_set(fail, -EINVAL,
                                "%s: brake_window: %u wakes are remembered, expected at least 1 and brake_after (%u)",
                                path, site->brake_window, site->brake_after);
        if (site->brake_pause_max < site->brake_pause)
                return fail_set(fail, -EINVAL,
                                "%s: brake_pause_max: %llu ms is less than brake_pause (%llu ms)",
                                path, (unsigned long long)(site->brake_pause_max / USEC_PER_MSEC),
                                (unsigned long long)(site->brake_pause / USEC_PER_MSEC));
        return 0;
}

int site_config_read(const char *slurm_conf_path, struct site_config *ret, struct fail *fail) {
        struct site_config site = { 0 };
        int r = site_config_fill(slurm_conf_path, &site, fail);

        assert(ret);

        if (r < 0)
                site_config_done(&site);
        else
                *ret = site;
        return r;
}

int site_config_fill(const char *slurm_conf_path, struct site_config *ret, struct fail *fail) {
        _cleanup_free_ char *dir = config_folder(slurm_conf_path),
                            *path = xasprintf("%s/slumber.yaml", dir), *text = NULL;
        struct site_config site = {
                .boot_retries = 1,
                .quarantine_after = 3,
                .brake_after = 5,
                .brake_share = 50,
                .brake_window = 20,
        };
        size_t size;

        int r = config_load(path, &text, &size, fail);
        if (r >= 0)
                r = site_config_parse(&site, path, text, size, fail);
        else if (r == -ENOENT)
                r = 0;
        put_defaults(&site, dir);
        if (r >= 0)
                r = check_brake(&site, path, fail);
        *ret = site;
        return r;
}

void site_config_done(struct site_config *site) {
        char *texts[] = { site->key_file, site->socket, site->power_file, site->console_dir,
                site->cgroup_root, site->cgroup, site->cgroup_layout, site->resume_file,
                site->veto_program, site->veto_logind, site->warm_up, site->plan_whole_nodes,
                site->end_programs, site->store, site->reclaim_suspended.text,
                site->accept_missing.text };

        for (size_t i = 0; i < ELEMENTSOF(texts); i++)
                free(texts[i]);
        for (size_t i = 0; i < ELEMENTSOF(site->figures); i++)
                free(site->figures[i].text);
        site_clusters_done(site);
        *site = (struct site_config){ 0 };
}
