/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroup.conf in slurm.conf's folder: one row per key, as in config_keys.c */
#include "lib/config/config_private.h"

#define AT(field) offsetof(struct config, cgroup.field)

/* clang-format off */
static const struct config_key keys[] = {
        { "ConstrainRAMSpace",   KEY_BOOL,    AT(constrain_ram) },
        { "ConstrainSwapSpace",  KEY_BOOL,    AT(constrain_swap) },
        { "ConstrainCores",      KEY_BOOL,    AT(constrain_cores) },
        { "ConstrainDevices",    KEY_BOOL,    AT(constrain_devices) },
        { "AllowedRAMSpace",     KEY_PERCENT, AT(allowed_ram),  "100", .max = 1000000 },
        { "AllowedSwapSpace",    KEY_PERCENT, AT(allowed_swap), "0",   .max = 1000000 },
        { "MaxRAMPercent",       KEY_PERCENT, AT(max_ram),      "100", .max = 100 },
        { "MaxSwapPercent",      KEY_PERCENT, AT(max_swap),     "100", .max = 100 },
        { "MinRAMSpace",         KEY_U32,     AT(min_ram),      "30",  .max = 1 << 30 },
        { "MemorySwappiness",    KEY_COUNT,   AT(swappiness),   "UNLIMITED", .max = 100 },
        { "SignalChildrenProcesses", KEY_BOOL, AT(signal_children), "no" },
        { "CgroupJobIdPaths", KEY_BOOL, AT(job_id_paths), "no" },
        { "CgroupSlice", .text = "system.slice", .use = USE_HARMLESS, .note = "jobs are in the slice of slumberd.service" },
        { "CgroupMountpoint", .text = "/sys/fs/cgroup", .use = USE_HARMLESS },
        { "CgroupPlugin", .text = "autodetect", .words = "cgroup/v1|cgroup/v2", .use = USE_HARMLESS,
          .values = "autodetect|cgroup/v1|cgroup/v2|disabled" },
        { "EnableControllers", .text = "no", .words = "yes", .use = USE_HARMLESS },
        { "EnableExtraControllers", .use = USE_HARMLESS },
        { "IgnoreSystemd", .text = "no", .use = USE_HARMLESS },
        { "IgnoreSystemdOnFailure", .text = "no", .use = USE_HARMLESS },
        { "SystemdTimeout", .text = "1000", .use = USE_HARMLESS },
        { "CgroupJobIdPaths", .text = "no", .use = USE_HARMLESS, .note = "groups of jobs have paths of their own" },
        { "CgroupSlice", .text = "system.slice", .use = USE_HARMLESS, .note = "groups of jobs are in the scope that slumberd makes for them" },
        { "ConstrainKmemSpace", .text = "no", .use = USE_HARMLESS, .note = "no kernel limits it any more" },
        { "AllowedKmemSpace", .use = USE_HARMLESS },
        { "MaxKmemPercent", .text = "100", .use = USE_HARMLESS },
        { "MinKmemSpace", .text = "30", .use = USE_HARMLESS },
        { "TaskAffinity", .text = "no", .use = USE_HARMLESS, .note = "TaskPlugin=task/affinity binds tasks" },
        { "AllowedDevicesFile", .use = USE_HARMLESS },
        /* older versions: this key and the next */
        { "CgroupAutomount", .text = "no", .words = "yes", .use = USE_SHOWN },
        { "CgroupReleaseAgentDir", .use = USE_SHOWN },
};
/* clang-format on */

const struct config_key *config_cgroup_key(const char *name) {
        for (size_t i = 0; i < ELEMENTSOF(keys); i++)
                if (strcasecmp(keys[i].name, name) == 0)
                        return &keys[i];
        return NULL;
}

void config_cgroup_defaults(struct config *config) {
        for (size_t i = 0; i < ELEMENTSOF(keys); i++) {
                int r = keys[i].type == KEY_KEPT || !keys[i].text
                                        ? 0
                                        : key_parse(&keys[i], keys[i].text, config, NULL);
                assert(r >= 0); /* the table is constant */
        }
}

static int cgroup_conf_take_word(struct config *config, const char *file,
                const struct config_word *word, struct fail *fail) {
        const struct config_key *key = config_cgroup_key(word->key);
        int r = 0;

        if (!key)
                return fail_set(fail, -EINVAL, "cgroup.conf has no such key");
        if (key->type != KEY_KEPT)
                r = key_parse(key, word->value, config, fail);
        else
                r = config_key_allows(key, word->value, fail);
        if (r >= 0)
                config_entry_key(config, file, word->line, key, word->value);
        return r;
}

static int cgroup_conf_take_line(struct config_line *line, void *userdata, struct fail *fail) {
        for (size_t i = 0; i < line->n; i++) {
                int r = cgroup_conf_take_word(userdata, line->file, &line->words[i], fail);
                if (r < 0)
                        return fail_prefix(fail, r, "%s line %u: %.100s", line->file,
                                        line->words[i].line, line->words[i].key);
        }
        return 0;
}

/* Warns of keys that are set for limits switched off. */
static void cgroup_conf_check(struct config *config) {
        static const struct {
                const char *key;
                bool ram, swap; /* limits that the key belongs to */
        } needs[] = {
                { "AllowedRAMSpace", true, true },
                { "MaxRAMPercent", true, true },
                { "MinRAMSpace", true, true },
                { "AllowedSwapSpace", false, true },
                { "MaxSwapPercent", false, true },
                { "MemorySwappiness", false, true },
        };

        for (size_t i = 0; i < ELEMENTSOF(needs); i++) {
                const struct config_entry *e = config_entry_find(config, needs[i].key);
                bool acts = (needs[i].ram && config->cgroup.constrain_ram) ||
                            (needs[i].swap && config->cgroup.constrain_swap);

                if (e && !acts && !config_key_is_default(config_cgroup_key(e->key), e->value))
                        config_warn(config, e->file, e->line, "%s does nothing without %s=yes",
                                        e->key,
                                        needs[i].ram ? "ConstrainRAMSpace" : "ConstrainSwapSpace");
        }
}

int config_cgroup_read(struct config *config, const char *dir, struct fail *fail) {
        _cleanup_free_ char *path = xasprintf("%s/cgroup.conf", dir), *text = NULL;
        size_t size;
        int r = config_load(path, &text, &size, fail);

        if (r == -ENOENT)
                return 0;
        if (r >= 0)
                r = config_lines(path, dir, text, size, cgroup_conf_take_line, config, fail);
        if (r >= 0)
                cgroup_conf_check(config);
        return r;
}
