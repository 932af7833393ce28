/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the owner of a BMC. Compared values, in this order:
 *
 *   value          reported by the BMC              reported by slumberd      rule
 *   UUID           system GUID, Redfish UUID        DMI                       a difference proves
 *                                                                             another owner
 *   serial number  product and board (FRU,          DMI                       only a match proves:
 *                  Redfish)                                                   parts may differ
 *   MAC address    machine's cards (Redfish),       machine's cards, and      a match proves, also
 *                  BMC's own LAN (IPMI)             the BMC's MAC as seen     for a shared port
 *                                                   from inside
 *
 * The BMC's own MAC usually differs from the cards' MACs; the BMC is another node's only if the MAC
 * seen from inside differs.
 *
 * A match with the node's own slumberd in any value makes the BMC the node's, whatever else
 * differs. Otherwise a match with exactly one other node's slumberd names that node; a value
 * reported by several nodes names none. */
#include "power/identity.h"

#include <ctype.h>

/* ---- UUIDs ---- */

static unsigned identity_hex_digit(char c) {
        return (unsigned)(isdigit((unsigned char)c) ? c - '0' : (c | 0x20) - 'a' + 10);
}

/* Reads the bytes of a UUID; false: not a UUID. */
static bool uuid_bytes(const char *text, unsigned char ret[16]) {
        size_t n = 0;

        for (const char *p = text; *p; p++) {
                if (*p == '-')
                        continue;
                if (n == 16 || !isxdigit((unsigned char)p[0]) || !isxdigit((unsigned char)p[1]))
                        return false;
                ret[n++] = (unsigned char)(identity_hex_digit(p[0]) << 4 |
                                           identity_hex_digit(p[1]));
                p++;
        }
        return n == 16;
}

/* Byte orders of equal UUIDs: DMI's first three fields are little-endian, and IPMI sends all fields
   reversed. */
static const unsigned char byte_orders[][16] = {
        { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
        { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 },
        { 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0 },
        { 12, 13, 14, 15, 10, 11, 8, 9, 7, 6, 5, 4, 3, 2, 1, 0 },
};

static bool bytes_same(const unsigned char x[16], const unsigned char y[16]) {
        for (size_t i = 0; i < ELEMENTSOF(byte_orders); i++) {
                size_t k = 0;
                while (k < 16 && x[k] == y[byte_orders[i][k]])
                        k++;
                if (k == 16)
                        return true;
        }
        return false;
}

/* True if all bytes are equal, or for the default of boards without a UUID. */
static bool uuid_is_placeholder(const unsigned char b[16]) {
        static const unsigned char unwritten[16] = {
                3,
                0,
                2,
                0,
                4,
                0,
                5,
                0,
                0,
                6,
                0,
                7,
                0,
                8,
                0,
                9,
        };
        size_t k = 1;

        while (k < 16 && b[k] == b[0])
                k++;
        return k == 16 || bytes_same(b, unwritten);
}

bool power_uuid_same(const char *a, const char *b) {
        unsigned char x[16], y[16];

        return uuid_bytes(a, x) && uuid_bytes(b, y) && !uuid_is_placeholder(x) && bytes_same(x, y);
}

static bool uuid_usable(const char *uuid) {
        unsigned char b[16];

        return uuid && uuid_bytes(uuid, b) && !uuid_is_placeholder(b);
}

/* ---- matches by kind of value: true with *ret ---- */

static bool uuid_match(const struct power_identity *bmc, const struct power_reported *told,
                char ret[IDENTITY_WORD_MAX + 1]) {
        if (!told->uuid || !power_uuid_same(bmc->uuid, told->uuid))
                return false;
        snprintf(ret, IDENTITY_WORD_MAX + 1, "%s", bmc->uuid);
        return true;
}

static bool serial_match(const struct power_identity *bmc, const struct power_reported *told,
                char ret[IDENTITY_WORD_MAX + 1]) {
        return told->serials && identity_shared(bmc->serials, told->serials, ret);
}

static bool mac_match(const struct power_identity *bmc, const struct power_reported *told,
                char ret[IDENTITY_WORD_MAX + 1]) {
        const char *const bmcs[] = { bmc->macs, bmc->bmc_mac }, *const reports[] = {
                told->macs,
                told->bmc_mac,
        };

        for (size_t i = 0; i < ELEMENTSOF(bmcs) * ELEMENTSOF(reports); i++)
                if (reports[i % 2] && identity_shared(bmcs[i / 2], reports[i % 2], ret))
                        return true;
        return false;
}

/* Returns the slumberd's UUID if it contradicts the BMC's; NULL: no contradiction. */
static const char *uuid_differs(const struct power_identity *bmc,
                const struct power_reported *told) {
        return uuid_usable(bmc->uuid) && uuid_usable(told->uuid) ? told->uuid : NULL;
}

static const char *mac_differs(const struct power_identity *bmc,
                const struct power_reported *told) {
        return *bmc->bmc_mac && !isempty(told->bmc_mac) ? told->bmc_mac : NULL;
}

enum { VALUE_UUID, VALUE_SERIAL, VALUE_MAC, VALUE_MAX };

static const struct {
        const char *noun;
        /* Offset in power_identity of a text that no two BMCs share; SIZE_MAX: none. */
        size_t offset;
        bool (*match)(const struct power_identity *bmc, const struct power_reported *told,
                        char ret[IDENTITY_WORD_MAX + 1]);
        /* Returns a contradicting value; NULL: kind without contradictions. */
        const char *(*differs)(const struct power_identity *bmc, const struct power_reported *told);
} values[VALUE_MAX] = {
        { "UUID", offsetof(struct power_identity, uuid), uuid_match, uuid_differs },
        { "serial number", SIZE_MAX, serial_match, NULL },
        { "MAC address", offsetof(struct power_identity, bmc_mac), mac_match, mac_differs },
};

static const char *identity_text_at(const struct power_identity *id, unsigned value) {
        return values[value].offset == SIZE_MAX ? "" : (const char *)id + values[value].offset;
}

/* ---- reported values ---- */

/* Words by hash, sorted: each of 10,000 nodes finds candidates without comparing all others. */
struct mark {
        uint64_t hash;
        unsigned value;
        size_t index; /* in told, or in results */
};

struct marks {
        struct mark *list;
        size_t n, allocated;
};

struct power_marks {
        const struct power_result *const *results;
        const struct power_reported *told;
        size_t n, n_told;
        struct marks by_agent, by_bmc;
};

static uint64_t hash_of(const void *data, size_t n) {
        const unsigned char *p = data;
        uint64_t h = 0xcbf29ce484222325;

        for (size_t i = 0; i < n; i++)
                h = (h ^ p[i]) * 0x100000001b3;
        return h;
}

static int compare_bytes(const void *a, const void *b) {
        return *(const unsigned char *)a - *(const unsigned char *)b;
}

/* Hashes a UUID independently of byte order; false: a placeholder. */
static bool uuid_hash(const char *uuid, uint64_t *ret) {
        unsigned char b[16];

        if (!uuid || !uuid_bytes(uuid, b) || uuid_is_placeholder(b))
                return false;
        list_sort(b, sizeof b, 1, compare_bytes);
        *ret = hash_of(b, sizeof b);
        return true;
}

static void marks_add(struct marks *m, uint64_t hash, unsigned value, size_t index) {
        GROW(m->list, m->allocated, m->n);
        m->list[m->n++] = (struct mark){ hash, value, index };
}

static void marks_add_words(struct marks *m, const char *words, unsigned value, size_t index) {
        for (const char *p = strempty(words); *p;) {
                size_t n = strcspn(p, ",");
                marks_add(m, hash_of(p, n), value, index);
                p += n + (p[n] == ',');
        }
}

static void marks_add_uuid(struct marks *m, const char *uuid, size_t index) {
        uint64_t hash;

        if (uuid_hash(uuid, &hash))
                marks_add(m, hash, VALUE_UUID, index);
}

static int compare_marks(const void *a, const void *b) {
        const struct mark *x = a, *y = b;

        if (x->hash != y->hash)
                return x->hash < y->hash ? -1 : 1;
        if (x->value != y->value)
                return x->value < y->value ? -1 : 1;
        return (x->index > y->index) - (x->index < y->index);
}

static void marks_sort(struct marks *m) {
        list_sort(m->list, m->n, sizeof m->list[0], compare_marks);
}

/* Returns the index of the first mark with the hash and kind. */
static size_t marks_find(const struct marks *m, uint64_t hash, unsigned value) {
        const struct mark wanted = { hash, value, 0 };

        return FIRST_NOT(m->n, i, compare_marks(&m->list[i], &wanted) < 0);
}

static bool identity_is_mark(const struct marks *m, size_t at, uint64_t hash, unsigned value) {
        return at < m->n && m->list[at].hash == hash && m->list[at].value == value;
}

struct power_marks *power_marks_new(const struct power_result *const *results, size_t n,
                const struct power_reported *told, size_t n_told) {
        struct power_marks *m = xnew0(struct power_marks, 1);

        *m = (struct power_marks){ .results = results, .told = told, .n = n, .n_told = n_told };
        for (size_t i = 0; i < n_told; i++) {
                marks_add_uuid(&m->by_agent, told[i].uuid, i);
                marks_add_words(&m->by_agent, told[i].serials, VALUE_SERIAL, i);
                marks_add_words(&m->by_agent, told[i].macs, VALUE_MAC, i);
                marks_add_words(&m->by_agent, told[i].bmc_mac, VALUE_MAC, i);
        }
        for (size_t i = 0; i < n; i++)
                for (unsigned k = 0; results[i]->ok && k < VALUE_MAX; k++) {
                        const char *text = identity_text_at(&results[i]->identity, k);
                        if (*text && (k != VALUE_UUID || uuid_usable(text)))
                                marks_add(&m->by_bmc, hash_of(text, strlen(text)), k, i);
                }
        marks_sort(&m->by_agent);
        marks_sort(&m->by_bmc);
        return m;
}

struct power_marks *power_marks_free(struct power_marks *m) {
        if (!m)
                return NULL;
        free(m->by_agent.list);
        free(m->by_bmc.list);
        free(m);
        return NULL;
}

/* ---- the verdict ---- */

static int identity_compare_node(const void *name, const void *told) {
        return strcmp(name, ((const struct power_reported *)told)->node);
}

/* Returns the only other node whose slumberd reported the value; NULL: none or several. */
static const struct power_reported *owner_of(const struct power_marks *m,
                const struct power_result *res, unsigned value, char ret[IDENTITY_WORD_MAX + 1]) {
        const struct power_identity *id = &res->identity;
        const struct power_reported *owner = NULL;
        struct marks own = { 0 };
        bool several = false;

        if (value == VALUE_UUID)
                marks_add_uuid(&own, id->uuid, 0);
        else
                marks_add_words(&own, value == VALUE_SERIAL ? id->serials : id->macs, value, 0);
        if (value == VALUE_MAC)
                marks_add_words(&own, id->bmc_mac, value, 0);
        for (size_t i = 0; i < own.n && !several; i++)
                for (size_t k = marks_find(&m->by_agent, own.list[i].hash, value);
                                !several &&
                                identity_is_mark(&m->by_agent, k, own.list[i].hash, value);
                                k++) {
                        const struct power_reported *told = &m->told[m->by_agent.list[k].index];
                        if (told == owner || streq(told->node, res->node) ||
                                        !values[value].match(id, told, ret))
                                continue;
                        several = owner != NULL;
                        owner = told;
                }
        free(own.list);
        return several ? NULL : owner;
}

/* Returns another node whose BMC reports the value; NULL: none. */
static const char *double_of(const struct power_marks *m, size_t i, unsigned value) {
        const char *text = identity_text_at(&m->results[i]->identity, value);
        uint64_t hash = hash_of(text, strlen(text));

        for (size_t k = marks_find(&m->by_bmc, hash, value);
                        identity_is_mark(&m->by_bmc, k, hash, value); k++) {
                const struct power_result *other = m->results[m->by_bmc.list[k].index];
                if (m->by_bmc.list[k].index != i &&
                                streq(identity_text_at(&other->identity, value), text))
                        return other->node;
        }
        return NULL;
}

static enum power_unknown why_unknown(const struct power_identity *bmc,
                const struct power_reported *own) {
        if (!own)
                return UNKNOWN_NOT_REGISTERED;
        if (!uuid_usable(own->uuid) && !own->serials && !own->macs && !own->bmc_mac)
                return UNKNOWN_AGENT_MUTE;
        return uuid_usable(bmc->uuid) || *bmc->serials || *bmc->macs || *bmc->bmc_mac
                               ? UNKNOWN_NOT_COMPARABLE
                               : UNKNOWN_BMC_MUTE;
}

struct power_verdict power_verdict(const struct power_marks *m, size_t i) {
        const struct power_result *res = m->results[i];
        const struct power_reported *own = list_search(res->node, m->told, m->n_told,
                                                    sizeof *m->told, identity_compare_node),
                                    *owner;
        struct power_verdict v = { .kind = VERDICT_OWN };

        for (unsigned k = 0; own && k < VALUE_MAX; k++)
                if (v.noun = values[k].noun, values[k].match(&res->identity, own, v.value))
                        return v;
        v.kind = VERDICT_OTHER;
        for (unsigned k = 0; k < VALUE_MAX; k++)
                if (v.noun = values[k].noun, (owner = owner_of(m, res, k, v.value))) {
                        v.node = owner->node;
                        return v;
                }
        for (unsigned k = 0; k < VALUE_MAX; k++) {
                v.noun = values[k].noun;
                snprintf(v.value, sizeof v.value, "%s", identity_text_at(&res->identity, k));
                v.kind = VERDICT_DIFFERS;
                if (own && values[k].differs && (v.told = values[k].differs(&res->identity, own)))
                        return v;
                v.kind = VERDICT_DOUBLE;
                if ((v.node = double_of(m, i, k)))
                        return v;
        }
        return (struct power_verdict){ .kind = VERDICT_UNKNOWN,
                .unknown = why_unknown(&res->identity, own) };
}

const char *power_unknown_text(enum power_unknown unknown) {
        static const char *const texts[UNKNOWN_MAX] = {
                [UNKNOWN_NOT_ASKED] = "what its agent reported is not available",
                [UNKNOWN_NOT_REGISTERED] = "its agent has not registered yet",
                [UNKNOWN_AGENT_MUTE] = "its agent reports no UUID, serial number or MAC address",
                [UNKNOWN_BMC_MUTE] = "it reports no UUID, serial number or MAC address",
                [UNKNOWN_NOT_COMPARABLE] = "it and its agent report nothing that can be compared",
        };

        return texts[unknown];
}

char *power_verdict_text(const struct power_verdict *v) {
        switch (v->kind) {
        case VERDICT_OTHER:
                return xasprintf("this is the BMC of %s (%s %s)", v->node, v->noun, v->value);
        case VERDICT_DIFFERS:
                return xasprintf("its %s is %s, its agent says %s", v->noun, v->value, v->told);
        case VERDICT_DOUBLE:
                return xasprintf("the BMC of %s has the same %s %s", v->node, v->noun, v->value);
        case VERDICT_UNKNOWN:
        case VERDICT_OWN:
        default:
                return NULL;
        }
}
