/* SPDX-License-Identifier: GPL-3.0-or-later */
/* askall SOCKET JOB WORD... -- MARKER...: every request that there is, as the user that runs this.
 *
 * Each message that an Envelope can carry is sent several times: empty; and with all of its numbers
 * JOB and all of its texts one of the WORDs, its switches on or off, messages within it likewise;
 * and with one such field alone.  Which requests there are is read from the protocol's own
 * description, so that none is forgotten.  Prints a line "REQUEST MARKER" for each marker that
 * stands in an answer, and "REQUEST: KIND" for each answer: an error's code and text, or its name.
 */
#include "lib/wire.h"

#include <err.h>

#define PATIENCE (5 * USEC_PER_SEC)
#define DEPTH    4

struct asking {
        struct wire *wire;
        const char *word;
        uint32_t number;
        bool on, lists;
        enum { NOTHING, ALL, ONE } filled;
        unsigned one; /* field of the request */
        int choice;   /* of all that is one of several */
        uint64_t id;
};

static void fill(const struct asking *a, ProtobufCMessage *m, unsigned depth);

/* Kinds of fields that are filled, and others. */
static const struct {
        size_t size;
        enum { AS_IS, NUMBER, SWITCH, CHOICE, TEXT, MESSAGE } fill;
} kinds[] = {
        [PROTOBUF_C_TYPE_INT32] = { 4, NUMBER },
        [PROTOBUF_C_TYPE_SINT32] = { 4, NUMBER },
        [PROTOBUF_C_TYPE_SFIXED32] = { 4, NUMBER },
        [PROTOBUF_C_TYPE_UINT32] = { 4, NUMBER },
        [PROTOBUF_C_TYPE_FIXED32] = { 4, NUMBER },
        [PROTOBUF_C_TYPE_FLOAT] = { 4, AS_IS },
        [PROTOBUF_C_TYPE_INT64] = { 8, NUMBER },
        [PROTOBUF_C_TYPE_SINT64] = { 8, NUMBER },
        [PROTOBUF_C_TYPE_SFIXED64] = { 8, NUMBER },
        [PROTOBUF_C_TYPE_UINT64] = { 8, NUMBER },
        [PROTOBUF_C_TYPE_FIXED64] = { 8, NUMBER },
        [PROTOBUF_C_TYPE_DOUBLE] = { 8, AS_IS },
        [PROTOBUF_C_TYPE_BOOL] = { sizeof(protobuf_c_boolean), SWITCH },
        [PROTOBUF_C_TYPE_ENUM] = { 4, CHOICE },
        [PROTOBUF_C_TYPE_STRING] = { sizeof(char *), TEXT },
        [PROTOBUF_C_TYPE_BYTES] = { sizeof(ProtobufCBinaryData), AS_IS },
        [PROTOBUF_C_TYPE_MESSAGE] = { sizeof(void *), MESSAGE },
};

static ProtobufCMessage *message(const struct asking *a, const ProtobufCMessageDescriptor *d,
                unsigned depth) {
        ProtobufCMessage *m = xmalloc(d->sizeof_message);

        protobuf_c_message_init(d, m);
        fill(a, m, depth);
        return m;
}

/* One value; all of it is leaked: the program is short. */
static void put(const struct asking *a, const ProtobufCFieldDescriptor *f, void *at,
                unsigned depth) {
        const uint64_t number = a->number;

        if (kinds[f->type].fill == NUMBER)
                memcpy(at, &number, kinds[f->type].size); /* little-endian */
        else if (kinds[f->type].fill == SWITCH)
                *(protobuf_c_boolean *)at = a->on;
        else if (kinds[f->type].fill == CHOICE)
                *(int *)at = a->choice;
        else if (kinds[f->type].fill == TEXT)
                *(char **)at = (char *)(uintptr_t)a->word;
        else if (kinds[f->type].fill == MESSAGE)
                *(ProtobufCMessage **)at = message(a, f->descriptor, depth);
}

/* With these hardly anything would be answered. */
static bool narrows(const char *field) {
        static const char *const names[] = { "after", "after_id", "skip", "states", "fields",
                "spec_fields", "time_start", "time_end" };

        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                if (streq(field, names[i]))
                        return true;
        return false;
}

static void fill(const struct asking *a, ProtobufCMessage *m, unsigned depth) {
        for (unsigned i = 0; i < m->descriptor->n_fields && a->filled; i++) {
                const ProtobufCFieldDescriptor *f = &m->descriptor->fields[i];
                char *at = (char *)m + f->offset;

                if (depth == 0 && ((a->filled == ONE && i != a->one &&
                                                   kinds[f->type].fill != CHOICE) ||
                                                  (a->filled == ALL && narrows(f->name))))
                        continue;
                if (f->flags & PROTOBUF_C_FIELD_FLAG_ONEOF ||
                                (f->type == PROTOBUF_C_TYPE_MESSAGE && depth >= DEPTH))
                        continue;
                if (f->label != PROTOBUF_C_LABEL_REPEATED) {
                        put(a, f, at, depth + 1);
                } else if (a->lists) {
                        void *list = xnew0(char, kinds[f->type].size);
                        put(a, f, list, depth + 1);
                        *(void **)(void *)at = list;
                        *(size_t *)(void *)((char *)m + f->quantifier_offset) = 1;
                }
        }
}

static bool has(const uint8_t *data, size_t size, const char *word) {
        return memmem(data, size, word, strlen(word));
}

static const char *body_name(const Envelope *env) {
        const ProtobufCFieldDescriptor *f = protobuf_c_message_descriptor_get_field(
                        &slumber__envelope__descriptor, env->body_case);

        return f ? f->name : "nothing";
}

static void tell(const char *request, const Envelope *answer, char *const *markers) {
        uint8_t *data = NULL;
        size_t size = 0;

        if (wire_pack(answer, &data, &size) < 0)
                abort();
        bool error = answer->body_case ==
                     SLUMBER__ENVELOPE__BODY_ERROR; /* which may repeat what was asked for */
        for (; *markers && !error; markers++)
                if (has(data, size, *markers))
                        printf("%s %s\n", request, *markers);
        if (error)
                printf("%s: error %u %s\n", request, answer->error->code, answer->error->text);
        else
                printf("%s: %s\n", request, body_name(answer));
        free(data);
}

static void ask(struct asking *a, const ProtobufCFieldDescriptor *body, char *const *markers) {
        Envelope env = SLUMBER__ENVELOPE__INIT;
        Envelope *answer = NULL;
        usec_t end = now_monotonic() + PATIENCE;

        env.version = WIRE_VERSION;
        env.id = ++a->id;
        env.body_case = (Slumber__Envelope__BodyCase)body->id;
        put(a, body, (char *)&env + body->offset, 0);
        if (wire_send(a->wire, &env) < 0)
                errx(1, "%s: cannot be sent", body->name);
        for (int r = 0; r >= 0 && now_monotonic() < end;) {
                r = wire_receive(a->wire, PATIENCE, &answer);
                if (r < 0)
                        errx(1, "%s: %s", body->name, wire_strerror(r));
                if (answer->reply_to == env.id) {
                        tell(body->name, answer, markers);
                        return;
                }
        }
        printf("%s: silent\n", body->name);
}

/* Answers, and what is not answered: these are told to the other side, or go on with something; a
   ping that names a job says that its holder lives. */
static bool is_request(const ProtobufCFieldDescriptor *f) {
        static const char *const told[] = { "step_io", "client_gone", "bmc_stop", "ping" };

        for (size_t i = 0; i < ELEMENTSOF(told); i++)
                if (streq(f->name, told[i]))
                        return false;
        return f->type == PROTOBUF_C_TYPE_MESSAGE && f->flags & PROTOBUF_C_FIELD_FLAG_ONEOF;
}

static void ask_filled(struct asking *a, const ProtobufCFieldDescriptor *body,
                char *const *markers) {
        const ProtobufCMessageDescriptor *d = body->descriptor;

        a->filled = ALL;
        for (int how = 0; how < 4; how++) {
                a->on = how & 1;
                a->lists = how & 2;
                ask(a, body, markers);
        }
        a->filled = ONE;
        for (a->one = 0; a->one < d->n_fields; a->one++)
                ask(a, body, markers);
}

static int choices(const ProtobufCMessageDescriptor *d) {
        for (unsigned i = 0; i < d->n_fields; i++)
                if (d->fields[i].type == PROTOBUF_C_TYPE_ENUM)
                        return (int)((const ProtobufCEnumDescriptor *)d->fields[i].descriptor)
                                        ->n_values;
        return 1;
}

static void ask_each(struct asking *a, const ProtobufCFieldDescriptor *body, char **words,
                char *const *markers) {
        a->filled = NOTHING;
        ask(a, body, markers);
        for (a->choice = 0; a->choice < choices(body->descriptor); a->choice++)
                for (char **word = words; *word; word++) {
                        a->word = *word;
                        ask_filled(a, body, markers);
                }
}

int main(int argc, char **argv) {
        const ProtobufCMessageDescriptor *d = &slumber__envelope__descriptor;
        struct asking a = { 0 };
        struct fail fail = { 0 };
        int at = 3;

        while (at < argc && strcmp(argv[at], "--") != 0)
                at++;
        if (argc < 5 || at >= argc)
                errx(2, "usage: askall SOCKET JOB WORD... -- MARKER...");
        argv[at] = NULL;
        a.number = (uint32_t)strtoul(argv[2], NULL, 10);
        if (wire_connect_path(argv[1], &a.wire, &fail) < 0)
                errx(1, "%s", fail.text);
        for (unsigned i = 0; i < d->n_fields; i++)
                if (is_request(&d->fields[i]))
                        ask_each(&a, &d->fields[i], argv + 3, argv + at + 1);
        wire_free(a.wire);
        return 0;
}
