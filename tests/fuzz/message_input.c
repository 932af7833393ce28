/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fuzz/message_input.h"

#include <float.h>
#include <math.h>

static struct {
        const uint8_t *data;
        size_t size, at;
} in;

void input_begin(const uint8_t *data, size_t size) {
        in.data = data;
        in.size = size;
        in.at = 0;
}

int input_peek(void) {
        return in.at < in.size ? in.data[in.at] : -1;
}

uint32_t input_take(size_t bytes) {
        uint32_t v = 0;

        for (size_t i = 0; i < bytes; i++)
                v = v << 8 | (in.at < in.size ? in.data[in.at++] : 0);
        return v;
}

static struct {
        void *list[4096];
        size_t n;
} arena;

static void *arena_new(size_t size) {
        if (arena.n == ELEMENTSOF(arena.list))
                return NULL;
        return arena.list[arena.n++] = xnew0(char, MAX(size, (size_t)1));
}

void input_free(void) {
        while (arena.n)
                free(arena.list[--arena.n]);
}

uint64_t input_number(void) {
        static const uint64_t likely[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 19, 60, 100, 1000,
                4000, 65536, 1000000, 1000001, 60000000, 600000000, 0x7fffffff, 0x80000000,
                0xfffffffb, 0xfffffffe, 0xffffffff, 0x100000000, 0x7fffffffffffffff,
                0x8000000000000000, 0xfffffffffffffffe, 0xffffffffffffffff };
        uint32_t b = input_take(1);

        return b < 224 ? likely[b % ELEMENTSOF(likely)]
                       : (uint64_t)input_take(4) << (b & 1 ? 32 : 0);
}

static double input_fraction(void) {
        static const double likely[] = {
                0,
                0.5,
                1,
                -1,
                1e9,
                1e300,
                -1e300,
                DBL_MIN,
                INFINITY,
                -INFINITY,
                NAN,
        };
        uint32_t b = input_take(1);

        return b < 200 ? likely[b % ELEMENTSOF(likely)] : (double)(int32_t)input_take(4) / 1000;
}

char *input_text(void) {
        static const char *const likely[] = { "", "n1", "n2", "n[1-2]", "n[1-4]", "n4",
                "n[1-99999999]", "n9", "ALL", "low", "high", "root", "nobody", "1", "0", "-1",
                "1:00", "UNLIMITED", "INFINITE", "4294967295", "now+60", "a", "a&b", "a|b*2",
                "[a|b]", "z", "TimeLimit", "Priority", "StartTime", "Requeue", "Name", "Comment",
                "Partition", "State", "MaxTime", "DefaultTime", "PriorityTier", "MinNodes",
                "MaxNodes", "SuspendTime", "SuspendTimeout", "ResumeTimeout", "PreemptMode",
                "OverSubscribe", "Hidden", "UP", "DOWN", "DRAIN", "INACTIVE", "RESUME", "UNDRAIN",
                "IDLE", "FAIL", "FUTURE", "NORESP", "POWER_DOWN", "POWER_DOWN_ASAP",
                "POWER_DOWN_FORCE", "POWER_UP", "SUSPEND", "OFF", "FORCE:2", "EXCLUSIVE", "YES",
                "NO", "n[", "/tmp/%j", "18446744073709551615" };
        uint32_t b = input_take(1);

        if (b < 250)
                return (char *)(uintptr_t)likely[b % ELEMENTSOF(likely)];
        char *text = arena_new(17);
        for (size_t i = 0; text && i < 16; i++)
                if (!(text[i] = (char)input_take(1)))
                        break;
        return text ? text : (char *)(uintptr_t) "";
}

static ProtobufCMessage *any_message(const ProtobufCMessageDescriptor *d, unsigned depth);

static void any_value(const ProtobufCFieldDescriptor *f, void *to, unsigned depth) {
        ProtobufCBinaryData bytes = { 0 };

        switch (f->type) {
        case PROTOBUF_C_TYPE_STRING:
                *(char **)to = input_text();
                return;
        case PROTOBUF_C_TYPE_BYTES:
                bytes.len = input_take(1) % 16;
                if ((bytes.data = arena_new(bytes.len)))
                        for (size_t i = 0; i < bytes.len; i++)
                                bytes.data[i] = (uint8_t)input_take(1);
                else
                        bytes.len = 0;
                *(ProtobufCBinaryData *)to = bytes;
                return;
        case PROTOBUF_C_TYPE_MESSAGE:
                *(ProtobufCMessage **)to = any_message(f->descriptor, depth + 1);
                return;
        case PROTOBUF_C_TYPE_BOOL:
                *(protobuf_c_boolean *)to = true;
                return;
        case PROTOBUF_C_TYPE_UINT64:
        case PROTOBUF_C_TYPE_INT64:
        case PROTOBUF_C_TYPE_SINT64:
        case PROTOBUF_C_TYPE_FIXED64:
        case PROTOBUF_C_TYPE_SFIXED64:
                *(uint64_t *)to = input_number();
                return;
        case PROTOBUF_C_TYPE_UINT32:
        case PROTOBUF_C_TYPE_INT32:
        case PROTOBUF_C_TYPE_SINT32:
        case PROTOBUF_C_TYPE_FIXED32:
        case PROTOBUF_C_TYPE_SFIXED32:
        case PROTOBUF_C_TYPE_ENUM:
                *(uint32_t *)to = (uint32_t)input_number();
                return;
        case PROTOBUF_C_TYPE_DOUBLE:
                *(double *)to = input_fraction();
                return;
        case PROTOBUF_C_TYPE_FLOAT:
                abort(); /* the protocol has none */
        }
}

static size_t value_size(const ProtobufCFieldDescriptor *f) {
        switch (f->type) {
        case PROTOBUF_C_TYPE_STRING:
        case PROTOBUF_C_TYPE_MESSAGE:
                return sizeof(void *);
        case PROTOBUF_C_TYPE_BYTES:
                return sizeof(ProtobufCBinaryData);
        case PROTOBUF_C_TYPE_UINT64:
        case PROTOBUF_C_TYPE_INT64:
        case PROTOBUF_C_TYPE_SINT64:
        case PROTOBUF_C_TYPE_FIXED64:
        case PROTOBUF_C_TYPE_SFIXED64:
        case PROTOBUF_C_TYPE_DOUBLE:
                return sizeof(uint64_t);
        case PROTOBUF_C_TYPE_UINT32:
        case PROTOBUF_C_TYPE_INT32:
        case PROTOBUF_C_TYPE_SINT32:
        case PROTOBUF_C_TYPE_FIXED32:
        case PROTOBUF_C_TYPE_SFIXED32:
        case PROTOBUF_C_TYPE_ENUM:
        case PROTOBUF_C_TYPE_BOOL:
        case PROTOBUF_C_TYPE_FLOAT:
                break;
        }
        return sizeof(uint32_t);
}

static void any_field(ProtobufCMessage *m, const ProtobufCFieldDescriptor *f, unsigned depth) {
        char *member = (char *)m + f->offset;

        if (f->label != PROTOBUF_C_LABEL_REPEATED) {
                any_value(f, member, depth);
                return;
        }
        size_t n = input_take(1) % 4, size = value_size(f);
        char *list = arena_new(n * size);
        for (size_t i = 0; list && i < n; i++) {
                any_value(f, list + i * size, depth);
                if (f->type == PROTOBUF_C_TYPE_MESSAGE && !*(void **)(void *)(list + i * size))
                        n = i;
        }
        *(size_t *)(void *)((char *)m + f->quantifier_offset) = list ? n : 0;
        *(char **)(void *)member = list;
}

static ProtobufCMessage *any_message(const ProtobufCMessageDescriptor *d, unsigned depth) {
        ProtobufCMessage *m = depth > 4 ? NULL : arena_new(d->sizeof_message);

        if (!m)
                return NULL;
        d->message_init(m);
        for (uint32_t n = input_take(1) % 12; n > 0 && d->n_fields; n--)
                any_field(m, &d->fields[input_take(1) % d->n_fields], depth);
        return m;
}

ProtobufCMessage *input_message(const ProtobufCMessageDescriptor *d) {
        return any_message(d, 0);
}
