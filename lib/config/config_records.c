/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Common parts of record lines: words become values, values a struct; node lists are resolved. */
#include "lib/config/config_records.h"

/* ---- values ---- */

static int record_fault_place(const struct config_line *line, size_t word, int r,
                struct fail *fail) {
        return fail_prefix(fail, r, "%s line %u: %s", line->file, line->words[word].line,
                        line->words[word].key);
}

int record_read(const struct record_type *type, const struct config_line *line,
                struct value *values, struct fail *fail) {
        int failed = 0;

        for (size_t i = 0; i < line->n; i++) {
                const struct config_word *word = &line->words[i];
                size_t k = 0;
                while (k < type->n && strcasecmp(type->keys[k].name, word->key) != 0)
                        k++;
                if (k < type->n) {
                        values[k] = (struct value){ word->value, line->file, word->line };
                        continue;
                }
                fail_set(fail, -EINVAL, "%s lines have no such key", type->keys[0].name);
                failed = record_fault_place(line, i, -EINVAL, fail);
                if (!fail_keep(fail))
                        return failed;
        }
        return failed;
}

static void note_value(struct config_records *records, const struct record_type *type, size_t k,
                const struct value *v) {
        const struct config_key *key = &type->keys[k];

        if (!v->text || !records->config || records->noted[type->kind][k] ||
                        config_key_is_default(key, v->text))
                return;
        config_entry_key(records->config, v->file, v->line, key, v->text);
        records->noted[type->kind][k] = true;
}

int record_parse(struct config_records *records, const struct record_type *type,
                const struct value *values, void *base, struct fail *fail) {
        int failed = 0;

        for (size_t k = 0; k < type->n; k++) {
                const struct config_key *key = &type->keys[k];
                const struct value *v = &values[k];
                const char *text = v->text ? v->text : key->text;
                if (key->use != USE_ACTS)
                        note_value(records, type, k, v);
                if (key->type == KEY_KEPT || !text)
                        continue;
                int r = key_parse(key, text, base, fail);
                if (r < 0 && v->text)
                        fail_prefix(fail, r, "%s line %u: %s", v->file, v->line, key->name);
                if (r < 0 && !fail_keep(fail))
                        return r;
                failed = failed ? failed : MIN(r, 0);
        }
        return failed;
}

/* ---- lists of nodes ---- */

static void push_all(struct hostlist *to, const struct hostlist *from) {
        for (size_t i = 0; i < hostlist_count(from); i++)
                hostlist_push(to, hostlist_get(from, i));
}

void records_note_wrong(struct config_records *records, const struct value *name) {
        _cleanup_(hostlist_freep) struct hostlist *names = NULL;
        struct fail quiet = { 0 };

        if (name->text && hostlist_parse(name->text, &names, &quiet) >= 0)
                push_all(records->wrong, names);
        else
                records->wrong_names = true;
}

const struct config_nodeset *config_find_set(const struct config *config, const char *name) {
        for (size_t i = 0; i < config->n_nodesets; i++)
                if (streq(config->nodesets[i].name, name))
                        return &config->nodesets[i];
        return NULL;
}

int records_resolve_nodes(const struct config_records *records, const char *text,
                struct hostlist **ret, struct fail *fail) {
        _cleanup_(hostlist_freep) struct hostlist *words = NULL, *nodes = hostlist_new();
        int r = hostlist_parse(text ? text : "", &words, fail);

        if (r < 0)
                return r;
        for (size_t i = 0; i < hostlist_count(words); i++) {
                const char *word = hostlist_get(words, i);
                const struct config_nodeset *set = config_find_set(records->config, word);
                if (set)
                        push_all(nodes, set->nodes);
                else if (strcasecmp(word, "ALL") == 0)
                        push_all(nodes, records->names);
                else if (hostlist_has(records->names, word))
                        hostlist_push(nodes, word);
                else if (!records->wrong_names && !hostlist_has(records->wrong, word))
                        return fail_set(fail, -ENOENT, "there is no node \"%s\"", word);
        }
        *ret = TAKE(nodes);
        return 0;
}
