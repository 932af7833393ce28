/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slumber.yaml: one flat mapping of the keys in site_keys[], except clusters (siteconf_clusters.c).
 * Read by libyaml's events, so that nothing is built before the file is known to be small and flat:
 * an unexpected list, a nested mapping, an anchor, an alias or a second document is refused where
 * it begins. */
#include "lib/config/config_private.h"
#include "lib/timetext.h"
#include "lib/wordlist.h"

#include <yaml.h>

#define VETO_INTERVAL  (30 * USEC_PER_SEC)
#define AUDIT_INTERVAL (600 * USEC_PER_SEC)
#define SITE_SIZE_MAX  ((size_t)64 * 1024) /* a page of settings is 1 KB */

enum site_type {
        SITE_PATH,
        SITE_CGROUP,
        SITE_LAYOUT,
        SITE_YES_NO,
        SITE_RESUME_FILE,
        SITE_DURATION,
        SITE_COUNT,
        SITE_INTERVAL, /* 0: never */
        SITE_AGE,
        SITE_NAMES,  /* partitions, checked later: config_reclaim.c */
        SITE_LIST,   /* names, checked later: config_guards.c */
        SITE_FIGURE, /* per-node figures, read later: config_watts.c */
        SITE_CLUSTERS,
};

static const struct site_key {
        const char *name;
        enum site_type type;
        size_t offset;
} site_keys[] = {
        { "key_file", SITE_PATH, offsetof(struct site_config, key_file) },
        { "socket", SITE_PATH, offsetof(struct site_config, socket) },
        { "power_file", SITE_PATH, offsetof(struct site_config, power_file) },
        { "console_dir", SITE_PATH, offsetof(struct site_config, console_dir) },
        { "cgroup_root", SITE_PATH, offsetof(struct site_config, cgroup_root) },
        { "cgroup", SITE_CGROUP, offsetof(struct site_config, cgroup) },
        { "cgroup_layout", SITE_LAYOUT, offsetof(struct site_config, cgroup_layout) },
        { "freeze_timeout", SITE_DURATION, offsetof(struct site_config, freeze_timeout) },
        { "accept_missing", SITE_LIST, offsetof(struct site_config, accept_missing) },
        { "reclaim_suspended", SITE_NAMES, offsetof(struct site_config, reclaim_suspended) },
        { "reclaim_timeout", SITE_DURATION, offsetof(struct site_config, reclaim_timeout) },
        { "heartbeat", SITE_DURATION, offsetof(struct site_config, heartbeat) },
        { "boot_retries", SITE_COUNT, offsetof(struct site_config, boot_retries) },
        { "quarantine_after", SITE_COUNT, offsetof(struct site_config, quarantine_after) },
        { "brake_after", SITE_COUNT, offsetof(struct site_config, brake_after) },
        { "brake_share", SITE_COUNT, offsetof(struct site_config, brake_share) },
        { "brake_window", SITE_COUNT, offsetof(struct site_config, brake_window) },
        { "brake_pause", SITE_DURATION, offsetof(struct site_config, brake_pause) },
        { "brake_pause_max", SITE_DURATION, offsetof(struct site_config, brake_pause_max) },
        { "purge_jobs_after", SITE_AGE, offsetof(struct site_config, purge_jobs_after) },
        { "audit_interval", SITE_INTERVAL, offsetof(struct site_config, audit_interval) },
        { "veto_program", SITE_PATH, offsetof(struct site_config, veto_program) },
        { "veto_interval", SITE_DURATION, offsetof(struct site_config, veto_interval) },
        { "watts_interval", SITE_INTERVAL, offsetof(struct site_config, watts_interval) },
        { "watts_on", SITE_FIGURE, offsetof(struct site_config, figures[0]) },
        { "watts_idle", SITE_FIGURE, offsetof(struct site_config, figures[1]) },
        { "watts_off", SITE_FIGURE, offsetof(struct site_config, figures[2]) },
        { "watts_booting", SITE_FIGURE, offsetof(struct site_config, figures[3]) },
        { "boot_seconds", SITE_FIGURE, offsetof(struct site_config, figures[4]) },
        { "shutdown_seconds", SITE_FIGURE, offsetof(struct site_config, figures[5]) },
        { "plan_whole_nodes", SITE_YES_NO, offsetof(struct site_config, plan_whole_nodes) },
        { "resume_file", SITE_RESUME_FILE, offsetof(struct site_config, resume_file) },
        { "warm_up", SITE_YES_NO, offsetof(struct site_config, warm_up) },
        { "veto_logind", SITE_YES_NO, offsetof(struct site_config, veto_logind) },
        { "end_programs", SITE_YES_NO, offsetof(struct site_config, end_programs) },
        { "clusters", SITE_CLUSTERS, offsetof(struct site_config, clusters) },
};

struct site {
        struct site_config *config;
        const char *file;
        unsigned depth;
        bool done;                  /* a document has ended */
        const struct site_key *key; /* key whose value follows */
        size_t line;                /* line of key */
        char *list;                 /* items so far while reading a list */
        struct clusters_reader clusters;
        bool skip;        /* the value of a faulty key follows */
        unsigned skipped; /* depth of a skipped value */
        bool seen[ELEMENTSOF(site_keys)];
};

static int find_site_key(struct site *site, const char *name, struct fail *fail) {
        for (size_t i = 0; i < ELEMENTSOF(site_keys); i++) {
                if (!streq(site_keys[i].name, name))
                        continue;
                if (site->seen[i])
                        return fail_set(fail, -EEXIST, "%s stands twice", name);
                site->seen[i] = true;
                site->key = &site_keys[i];
                return 0;
        }
        return fail_set(fail, -EINVAL, "%.100s is not a key of slumber.yaml", name);
}

/* Reads "10", "10s", "500ms". */
static int parse_duration(const char *text, usec_t *ret, struct fail *fail) {
        size_t digits = strspn(text, "0123456789");
        _cleanup_free_ char *number = xstrndup(text, digits);
        bool ms = streq(text + digits, "ms");
        uint64_t v;

        if ((!ms && text[digits] && !streq(text + digits, "s")) ||
                        uint_parse(number, 1, 86400 * 1000, &v) < 0)
                return fail_set(fail, -EINVAL,
                                "\"%.100s\" is not a time of 1ms or more (10, 10s, 500ms)", text);
        *ret = v * (ms ? USEC_PER_MSEC : USEC_PER_SEC);
        return 0;
}

/* Reads "12months", "30days", "48hours", "12" (months), as PurgeJobAfter of Slurm's
   slurmdbd.conf. */
static int parse_age(const char *text, usec_t *ret, struct fail *fail) {
        static const struct {
                const char *words;
                usec_t unit;
        } units[] = {
                { "month|months", 30 * 86400 * USEC_PER_SEC },
                { "day|days", 86400 * USEC_PER_SEC },
                { "hour|hours", 3600 * USEC_PER_SEC },
        };
        size_t digits = strspn(text, "0123456789");
        _cleanup_free_ char *number = xstrndup(text, digits);
        uint64_t v;

        for (size_t i = 0; i < ELEMENTSOF(units) && uint_parse(number, 1, 100000, &v) >= 0; i++)
                if (word_in(text + digits, units[i].words) || (i == 0 && !text[digits])) {
                        *ret = v * units[i].unit;
                        return 0;
                }
        return fail_set(fail, -EINVAL, "\"%.100s\" is not an age (12months, 30days, 48hours)",
                        text);
}

#define SITE_COUNT_MAX 1000 /* more tries are pointless */

static int site_count_parse(const char *text, uint32_t *ret, struct fail *fail) {
        uint64_t v;

        if (uint_parse(text, 0, SITE_COUNT_MAX, &v) < 0)
                return fail_set(fail, -EINVAL, "\"%.100s\" is not a number from 0 to %d", text,
                                SITE_COUNT_MAX);
        *ret = (uint32_t)v;
        return 0;
}

static bool is_site_name(const char *text) {
        return *text && !text[strcspn(text, " \t,")];
}

/* Appends an item of a list to one text with commas. */
static int site_list_add(struct site *site, const char *text, struct fail *fail) {
        if (!is_site_name(text))
                return fail_set(fail, -EINVAL, "%s: \"%.100s\" is not a name", site->key->name,
                                text);
        text_add_word(&site->list, ",", "%s", text);
        return 0;
}

/* Checks the value of a key kept as text. */
static int check_site_text(enum site_type type, const char *value, struct fail *fail) {
        static const struct {
                enum site_type type;
                const char *words, *otherwise;
        } choices[] = {
                { SITE_YES_NO, "yes|no", "is not yes or no" },
                { SITE_CGROUP, "auto|v2|v1|none", "is not auto, v2, v1 or none" },
                { SITE_LAYOUT, "auto|slurm|slumber", "is not auto, slurm or slumber" },
                { SITE_RESUME_FILE, "25.05|26.05", "is not 25.05 or 26.05" },
        };

        for (size_t i = 0; i < ELEMENTSOF(choices); i++)
                if (type == choices[i].type && !word_in(value, choices[i].words))
                        return fail_set(fail, -EINVAL, "\"%.100s\" %s", value,
                                        choices[i].otherwise);
        if (type == SITE_PATH && *value != '/')
                return fail_set(fail, -EINVAL, "\"%.100s\" is not an absolute path", value);
        if (type == SITE_NAMES && (!*value || value[strcspn(value, " \t")]))
                return fail_set(fail, -EINVAL,
                                "\"%.100s\" is not ALL or partitions with commas between them",
                                value);
        return 0;
}

static int take_site_text(enum site_type type, char *field, const char *value, size_t line,
                struct fail *fail) {
        int r = check_site_text(type, value, fail);

        if (type == SITE_LIST || type == SITE_NAMES || type == SITE_FIGURE)
                ((struct site_text *)(void *)field)->line = line;
        if (r >= 0)
                free_and_strdup((char **)(void *)field, value);
        return r;
}

static int set_site_value(struct site *site, const char *value, struct fail *fail) {
        const struct site_key *key = site->key;
        char *field = (char *)site->config + key->offset;
        usec_t *time = (usec_t *)(void *)field;
        int r = 0;

        site->key = NULL;
        if (key->type == SITE_INTERVAL && streq(value, "0"))
                *time = USEC_INFINITY;
        else if (key->type == SITE_INTERVAL || key->type == SITE_DURATION)
                r = parse_duration(value, time, fail);
        else if (key->type == SITE_AGE)
                r = parse_age(value, time, fail);
        else if (key->type == SITE_COUNT)
                r = site_count_parse(value, (uint32_t *)(void *)field, fail);
        else if (key->type == SITE_CLUSTERS)
                r = fail_set(fail, -EINVAL, "a mapping of the names of clusters is expected");
        else
                r = take_site_text(key->type, field, value, site->line, fail);
        return r < 0 ? fail_prefix(fail, r, "%s", key->name) : 0;
}

static int handle_scalar(struct site *site, const yaml_event_t *event, struct fail *fail) {
        const char *text = (const char *)event->data.scalar.value;

        if (event->data.scalar.anchor)
                return fail_set(fail, -EINVAL, "anchors are not allowed");
        if (strlen(text) != event->data.scalar.length)
                return fail_set(fail, -EINVAL, "a value has a zero byte");
        if (site->depth == 0 && !*text) /* an empty document */
                return 0;
        if (site->depth == 0)
                return fail_set(fail, -EINVAL, "key: value expected");
        if (site->list)
                return site_list_add(site, text, fail);
        site->line = event->start_mark.line + 1;
        return site->key ? set_site_value(site, text, fail) : find_site_key(site, text, fail);
}

static int site_list_end(struct site *site, struct fail *fail) {
        _cleanup_free_ char *list = TAKE(site->list);

        return set_site_value(site, list, fail);
}

static bool begins_clusters(const struct site *site, const yaml_event_t *event) {
        return event->type == YAML_MAPPING_START_EVENT && site->key && !site->list &&
               site->key->type == SITE_CLUSTERS;
}

static int handle_event(struct site *site, const yaml_event_t *event, struct fail *fail) {
        if (begins_clusters(site, event)) {
                site->key = NULL;
                site->clusters.config = site->config;
                return clusters_read(&site->clusters, event, fail);
        }
        if (site->clusters.depth)
                return clusters_read(&site->clusters, event, fail);
        switch (event->type) {
        case YAML_SCALAR_EVENT:
                return handle_scalar(site, event, fail);
        case YAML_MAPPING_START_EVENT:
                if (site->list || site->depth > 0)
                        return fail_set(fail, -EINVAL,
                                        "a mapping inside the mapping is not allowed");
                if (event->data.mapping_start.anchor)
                        return fail_set(fail, -EINVAL, "anchors are not allowed");
                site->depth++;
                return 0;
        case YAML_MAPPING_END_EVENT:
                site->depth--;
                return 0;
        case YAML_DOCUMENT_START_EVENT:
                return site->done ? fail_set(fail, -EINVAL, "only one document is allowed") : 0;
        case YAML_DOCUMENT_END_EVENT:
                site->done = true;
                return 0;
        case YAML_SEQUENCE_START_EVENT:
                if (!site->key || site->key->type != SITE_LIST || site->list ||
                                event->data.sequence_start.anchor)
                        return fail_set(fail, -EINVAL, "a list is not allowed");
                site->line = event->start_mark.line + 1;
                site->list = xstrdup("");
                return 0;
        case YAML_SEQUENCE_END_EVENT:
                return site_list_end(site, fail);
        case YAML_ALIAS_EVENT:
                return fail_set(fail, -EINVAL, "aliases are not allowed");
        case YAML_NO_EVENT:
        case YAML_STREAM_START_EVENT:
        case YAML_STREAM_END_EVENT:
                return 0;
        }
        return 0;
}

static bool event_opens(const yaml_event_t *event) {
        return event->type == YAML_SEQUENCE_START_EVENT || event->type == YAML_MAPPING_START_EVENT;
}

/* True if the event is part of a skipped value. */
static bool site_skip_event(struct site *site, const yaml_event_t *event) {
        if (!site->skip && !site->skipped)
                return false;
        site->skipped += event_opens(event);
        site->skipped -= event->type == YAML_SEQUENCE_END_EVENT ||
                         event->type == YAML_MAPPING_END_EVENT;
        site->skip = false;
        return true;
}

/* Skips the faulty value after a fault and returns true, if all faults are wanted. A second
   document ends reading. */
static bool site_may_continue(struct site *site, const yaml_event_t *event, bool value,
                struct fail *fail) {
        if (event->type == YAML_DOCUMENT_START_EVENT || !fail_keep(fail))
                return false;
        site->skip = !event_opens(event) && !value && site->depth && !site->clusters.depth;
        site->skipped = event_opens(event) + site->clusters.depth;
        site->clusters.depth = 0;
        if (!site->list)
                site->key = NULL;
        return true;
}

static int read_events(struct site *site, yaml_parser_t *parser, struct fail *fail) {
        int failed = 0;

        for (bool end = false; !end;) {
                yaml_event_t event;
                if (!yaml_parser_parse(parser, &event))
                        return fail_set(fail, -EINVAL, "%s line %zu: %s", site->file,
                                        parser->problem_mark.line + 1,
                                        parser->problem ? parser->problem : "not YAML");
                end = event.type == YAML_STREAM_END_EVENT;
                bool value = site->key || site->list;
                int r = site_skip_event(site, &event) ? 0 : handle_event(site, &event, fail);
                if (r < 0)
                        fail_prefix(fail, r, "%s line %zu", site->file, event.start_mark.line + 1);
                bool more = r >= 0 || site_may_continue(site, &event, value, fail);
                yaml_event_delete(&event);
                if (!more)
                        return r;
                failed = failed ? failed : MIN(r, 0);
        }
        return failed;
}

int site_config_parse(struct site_config *config, const char *name, const char *text, size_t size,
                struct fail *fail) {
        struct site site = { .config = config, .file = name };
        yaml_parser_t parser;

        assert(config);
        assert(name);
        assert(text);

        if (size > SITE_SIZE_MAX)
                return fail_set(fail, -EFBIG, "%s: larger than %zu bytes", name, SITE_SIZE_MAX);
        if (!yaml_parser_initialize(&parser))
                return fail_set(fail, -ENOMEM, "%s: libyaml has no memory", name);
        yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
        int r = read_events(&site, &parser, fail);
        clusters_end(&site.clusters);
        yaml_parser_delete(&parser);
        free(site.list);
        return r;
}

int site_config_set(struct site_config *site, const char *key, const char *value,
                struct fail *fail) {
        struct site s = { .config = site };

        assert(site);
        assert(key);
        assert(value);

        for (size_t i = 0; i < ELEMENTSOF(site_keys); i++)
                if (streq(site_keys[i].name, key)) {
                        s.key = &site_keys[i];
                        return set_site_value(&s, value, fail);
                }
        return fail_set(fail, -ENOENT, "%.100s is not a key of slumber.yaml", key);
}

int site_text_fail(const struct config *config, const struct site_text *text, const char *key,
                int r, struct fail *fail) {
        _cleanup_free_ char *dir = config->path && text->line ? config_folder(config->path) : NULL;

        fail_prefix(fail, r, "%s", key);
        return dir ? fail_prefix(fail, r, "%s/slumber.yaml line %zu", dir, text->line) : r;
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
                site->end_programs, site->reclaim_suspended.text, site->accept_missing.text };

        for (size_t i = 0; i < ELEMENTSOF(texts); i++)
                free(texts[i]);
        for (size_t i = 0; i < ELEMENTSOF(site->figures); i++)
                free(site->figures[i].text);
        site_clusters_done(site);
        *site = (struct site_config){ 0 };
}
