/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/requests/request_check.h"

#include "controller/loop/caller.h"
#include "controller/loop/outbox.h"
#include "controller/model/job.h"
#include "lib/printable.h"

static bool message_has_control(const ProtobufCMessage *m, const char **ret_field);

static bool value_has_control(const ProtobufCFieldDescriptor *f, const void *value) {
        const void *p = *(const void *const *)value;
        const char *inner;

        if (f->type == PROTOBUF_C_TYPE_STRING)
                return p && has_control(p);
        return f->type == PROTOBUF_C_TYPE_MESSAGE && p && message_has_control(p, &inner);
}

/* Returns whether a text of m has a control character; *ret_field: the field. */
static bool message_has_control(const ProtobufCMessage *m, const char **ret_field) {
        for (unsigned i = 0; i < m->descriptor->n_fields; i++) {
                const ProtobufCFieldDescriptor *f = &m->descriptor->fields[i];
                const void *at = (const char *)m + f->offset;
                bool found = false;

                *ret_field = f->name;
                if ((f->type != PROTOBUF_C_TYPE_STRING && f->type != PROTOBUF_C_TYPE_MESSAGE) ||
                                f->flags & PROTOBUF_C_FIELD_FLAG_ONEOF)
                        continue;
                if (f->label != PROTOBUF_C_LABEL_REPEATED)
                        found = value_has_control(f, at);
                else
                        for (size_t k = 0,
                                    n = *(const size_t *)(const void *)((const char *)m +
                                                                        f->quantifier_offset);
                                        k < n && !found; k++)
                                found = value_has_control(f,
                                                *(const char *const *)at + k * sizeof(void *));
                if (found)
                        return true;
        }
        return false;
}

/* A line feed in a node's reason, for instance, would fake a line of scontrol show node. All bodies
   of the union share an address, so env->ok is the body. */
bool request_is_plain(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const char *field;

        if (!message_has_control((const ProtobufCMessage *)env->ok, &field))
                return true;
        struct fail fail = { 0 };
        fail_set(&fail, -EINVAL, "the %s has a control character", field);
        reply_result(ctl, &caller->from, SLUMBER_BAD_UPDATE, fail.text);
        return false;
}

/* Limit of entries per list: a hundred times what a command line takes; clients with more send
   several requests. Together with constant work per entry, no request blocks the event loop for
   long. */
#define LIST_MAX 100000

/* Texts that may be longer than TEXT_MAX; handlers check the sums. */
#define NODES_TEXT_MAX (4u << 20) /* a list of a hundred thousand nodes */
static const struct {
        const ProtobufCMessageDescriptor *message; /* NULL: any message with the field */
        const char *field;
        size_t most;
} long_texts[] = {
        { NULL, "environment", 16u << 20 },
        { NULL, "arguments", 16u << 20 }, /* of scripts and steps */
        { NULL, "multi_prog", 4u << 20 },
        { NULL, "task_nodes", 4u << 20 },
        { &slumber__step_spec__descriptor, "nodes", NODES_TEXT_MAX },
        { &slumber__step_spec__descriptor, "exc_nodes", NODES_TEXT_MAX },
};

/* Returns the user's name for a field, by default the field's name. */
static const char *request_field_words(const char *field) {
        static const char *const words[][2] = {
                { "req_nodes", "list of required nodes (--nodelist)" },
                { "exc_nodes", "list of excluded nodes (--exclude)" },
        };

        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (streq(field, words[i][0]))
                        return words[i][1];
        return field;
}

struct long_text {
        const char *field;
        size_t most;
};

static size_t request_text_limit(const ProtobufCMessageDescriptor *message, const char *field,
                size_t usual) {
        for (size_t i = 0; i < ELEMENTSOF(long_texts); i++)
                if (streq(field, long_texts[i].field) &&
                                (!long_texts[i].message || long_texts[i].message == message))
                        return MAX(usual, long_texts[i].most);
        return usual;
}

static bool find_long_text(const ProtobufCMessage *m, size_t usual, struct long_text *ret);

static bool is_long(const ProtobufCMessageDescriptor *message, const ProtobufCFieldDescriptor *f,
                const void *value, size_t usual, struct long_text *ret) {
        const void *p = *(const void *const *)value;

        if (!p)
                return false;
        if (f->type == PROTOBUF_C_TYPE_MESSAGE)
                return find_long_text(p, usual, ret);
        *ret = (struct long_text){ f->name, request_text_limit(message, f->name, usual) };
        return strlen(p) > ret->most;
}

/* Returns whether a text at any depth is too long. Texts in no table have a limit, too. */
static bool find_long_text(const ProtobufCMessage *m, size_t usual, struct long_text *ret) {
        bool found = false;

        for (unsigned i = 0; i < m->descriptor->n_fields && !found; i++) {
                const ProtobufCFieldDescriptor *f = &m->descriptor->fields[i];
                const char *at = (const char *)m + f->offset;
                const void *quantifier = (const char *)m + f->quantifier_offset;

                if (f->type != PROTOBUF_C_TYPE_STRING && f->type != PROTOBUF_C_TYPE_MESSAGE)
                        continue;
                if (f->flags & PROTOBUF_C_FIELD_FLAG_ONEOF &&
                                *(const uint32_t *)quantifier != f->id)
                        continue;
                if (f->label != PROTOBUF_C_LABEL_REPEATED) {
                        found = is_long(m->descriptor, f, at, usual, ret);
                        continue;
                }
                size_t n = *(const size_t *)quantifier;
                for (size_t k = 0; k < n && !found; k++)
                        found = is_long(m->descriptor, f,
                                        *(const char *const *)(const void *)at + k * sizeof(void *),
                                        usual, ret);
        }
        return found;
}

/* Lists inside entries are checked by the handlers. */
bool request_is_short(struct controller *ctl, const struct caller *caller, const Envelope *env,
                bool names_nodes) {
        const ProtobufCMessage *m = (const ProtobufCMessage *)env->ok;
        size_t usual = names_nodes ? NODES_TEXT_MAX : TEXT_MAX;
        struct fail fail = { 0 };
        struct long_text text;

        if (find_long_text(m, usual, &text)) {
                fail_set(&fail, -E2BIG, "the %s is longer than %zu bytes",
                                request_field_words(text.field), text.most);
                reply_result(ctl, &caller->from, SLUMBER_TOO_BIG, fail.text);
                return false;
        }

        for (unsigned i = 0; i < m->descriptor->n_fields; i++) {
                const ProtobufCFieldDescriptor *f = &m->descriptor->fields[i];
                if (f->label != PROTOBUF_C_LABEL_REPEATED ||
                                *(const size_t *)(const void *)((const char *)m +
                                                                f->quantifier_offset) <= LIST_MAX)
                        continue;
                fail_set(&fail, -E2BIG, "more than %d %s in one request", LIST_MAX, f->name);
                reply_result(ctl, &caller->from, SLUMBER_TOO_BIG, fail.text);
                return false;
        }
        return true;
}
