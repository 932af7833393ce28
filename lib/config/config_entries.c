/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys that are set, with file and line; warnings naming the place. */
#include "lib/config/config_private.h"

#include <stdarg.h>

bool config_key_is_default(const struct config_key *key, const char *value) {
        bool flag = key->type == KEY_KEPT && key->text && strcasecmp(key->text, "no") == 0;

        if (isempty(value) || word_in(value, "(null)") ||
                        (key->text && strcasecmp(key->text, value) == 0))
                return true;
        return (flag && word_in(value, "FALSE|DOWN|0")) ||
               (key->words && word_in(value, key->words));
}

const char *config_line_kind(const char *key) {
        static const char *const kinds[] = {
                "NodeName",
                "PartitionName",
                "NodeSet",
                "DownNodes",
                "PowerAction",
        };

        for (size_t i = 0; i < ELEMENTSOF(kinds); i++)
                if (strcasecmp(key, kinds[i]) == 0)
                        return kinds[i];
        return NULL;
}

const struct config_entry *config_entry_find(const struct config *config, const char *key) {
        for (size_t i = config->n_entries; i-- > 0;)
                if (strcasecmp(config->entries[i].key, key) == 0)
                        return &config->entries[i];
        return NULL;
}

/* True if the entry is the record of name: a partition line by its name, a node line by its host
   list. */
static bool entry_is_of(const struct config_entry *e, const char *name) {
        _cleanup_(hostlist_freep) struct hostlist *names = NULL;

        if (streq(e->key, "PartitionName"))
                return streq(e->value, name);
        return !streq(e->key, "NodeName") ||
               (hostlist_parse(e->value, &names, NULL) >= 0 && hostlist_has(names, name));
}

/* Sentence: "Key: ...", "Key=value ...", "Key is ..."; value: name of a partition or node. */
char *config_place(const struct config *config, const char *sentence) {
        _cleanup_free_ char *key = xstrndup(sentence, strcspn(sentence, ":= ")), *value = NULL;
        const char *rest = sentence + strlen(key);

        if (*rest == '=')
                value = xstrndup(rest + 1, strcspn(rest + 1, ": "));
        for (size_t i = config->n_entries; i-- > 0;) {
                const struct config_entry *e = &config->entries[i];
                if (strcasecmp(e->key, key) == 0 && entry_is_of(e, strempty(value)))
                        return xasprintf("%s line %u", e->file, e->line);
        }
        return xstrdup(config->path);
}

void config_warn(struct config *config, const char *file, unsigned line, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        _cleanup_free_ char *text = xvasprintf(format, ap);
        va_end(ap);
        _cleanup_free_ char *place = line || !streq(file, config->path)
                                                     ? xstrdup(file)
                                                     : config_place(config, text);
        config->warnings = xrenew(config->warnings, config->n_warnings + 1);
        config->warnings[config->n_warnings++] = line ? xasprintf("%s line %u: %s", file, line,
                                                                        text)
                                                      : xasprintf("%s: %s", place, text);
}

static struct config_entry *entry_at(struct config *config, const char *key) {
        if (config->n_entries % 64 == 0)
                config->entries = xrenew(config->entries, config->n_entries + 64);
        struct config_entry *e = &config->entries[config->n_entries++];
        *e = (struct config_entry){ .key = xstrdup(key) };
        return e;
}

void config_entry(struct config *config, const char *file, unsigned line, const char *key,
                const char *value, enum config_use use, const char *note) {
        struct config_entry *e = entry_at(config, key);

        e->value = xstrdup(value);
        e->file = xstrdup(file);
        e->line = line;
        e->use = use;
        e->note = note;
        if (use == USE_HARMLESS)
                config_warn(config, file, line, "%s is not used by Slumber%s%s", key,
                                note ? ": " : "", strempty(note));
}

void config_entry_key(struct config *config, const char *file, unsigned line,
                const struct config_key *key, const char *value) {
        bool set = key->use != USE_ACTS && !config_key_is_default(key, value);

        config_entry(config, file, line, key->name, value,
                        set || key->use == USE_ACTS ? key->use : USE_SHOWN, key->note);
}

void config_entries_done(struct config *config) {
        for (size_t i = 0; i < config->n_entries; i++) {
                free(config->entries[i].key);
                free(config->entries[i].value);
                free(config->entries[i].file);
        }
        free(config->entries);
}
