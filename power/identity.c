/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whose BMC is it?  What is compared, in this order:
 *
 *   UUID            the BMC's (system GUID, Redfish UUID)       the agent's by DMI: a difference says that it is another's
 *   serial number   of product and board (FRU, Redfish)         the agent's by DMI: only a match proves anything, as the two need
 *                                                                not speak of the same part
 *   MAC address     of the machine's cards (Redfish), and of     of the machine's cards, and of the BMC as the machine sees it from
 *                   the BMC's own LAN (IPMI)                     inside: a match proves, also where they share a port.  The BMC's own
 *                                                                differs from the cards' in general; it is another's only where
 *                                                                the one that was seen from inside differs
 *
 * A match with the own agent in any of these makes the BMC the node's, whatever differs.  Without one, a match with the agent
 * of exactly one other node names that node; a value that several agents have told is nobody's. */
#include "power/identity.h"

#include <ctype.h>

/* ---- UUIDs ---- */

static unsigned digit(char c) {
        return (unsigned)(isdigit((unsigned char)c) ? c - '0' : (c | 0x20) - 'a' + 10);
}

/* The bytes of a UUID; false: it is none. */
static bool uuid_bytes(const char *text, unsigned char ret[16]) {
        size_t n = 0;

        for (const char *p = text; *p; p++) {
                if (*p == '-')
                        continue;
                if (n == 16 || !isxdigit((unsigned char)p[0]) || !isxdigit((unsigned char)p[1]))
                        return false;
                ret[n++] = (unsigned char)(digit(p[0]) << 4 | digit(p[1]));
                p++;
        }
        return n == 16;
}

/* How the second may have the bytes of the first: DMI's first three fields are little-endian, and IPMI sends all of them backwards. */
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

/* All bytes equal, or what boards have on which nobody has written one. */
static bool uuid_is_placeholder(const unsigned char b[16]) {
        static const unsigned char unwritten[16] = { 3, 0, 2, 0, 4, 0, 5, 0, 0, 6, 0, 7, 0, 8, 0, 9 };
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

/* ---- each kind of value: true and *ret, a match ---- */

static bool uuid_match(const struct power_identity *bmc, const struct power_told *told, char ret[IDENTITY_WORD_MAX + 1]) {
        if (!told->uuid || !power_uuid_same(bmc->uuid, told->uuid))
                return false;
        snprintf(ret, IDENTITY_WORD_MAX + 1, "%s", bmc->uuid);
        return true;
}

static bool serial_match(const struct power_identity *bmc, const struct power_told *told, char ret[IDENTITY_WORD_MAX + 1]) {
        return told->serials && identity_shared(bmc->serials, told->serials, ret);
}

static bool mac_match(const struct power_identity *bmc, const struct power_told *told, char ret[IDENTITY_WORD_MAX + 1]) {
        const char *const bmcs[] = { bmc->macs, bmc->bmc_mac }, *const tolds[] = { told->macs, told->bmc_mac };

        for (size_t i = 0; i < ELEMENTSOF(bmcs) * ELEMENTSOF(tolds); i++)
                if (tolds[i % 2] && identity_shared(bmcs[i / 2], tolds[i % 2], ret))
                        return true;
        return false;
}

/* What its agent says instead; NULL: it does not contradict. */
static const char *uuid_differs(const struct power_identity *bmc, const struct power_told *told) {
        return uuid_usable(bmc->uuid) && uuid_usable(told->uuid) ? told->uuid : NULL;
}

static const char *mac_differs(const struct power_identity *bmc, const struct power_told *told) {
        return *bmc->bmc_mac && !isempty(told->bmc_mac) ? told->bmc_mac : NULL;
}

static const struct {
        const char *noun;
        size_t offset; /* of the text in power_identity that two BMCs cannot share; SIZE_MAX: they can */
        bool (*match)(const struct power_identity *bmc, const struct power_told *told, char ret[IDENTITY_WORD_MAX + 1]);
        const char *(*differs)(const struct power_identity *bmc, const struct power_told *told); /* of what does not match; or NULL */
} values[] = {
        { "UUID",          offsetof(struct power_identity, uuid),    uuid_match,   uuid_differs},
        { "serial number", SIZE_MAX,                                 serial_match, NULL        },
        { "MAC address",   offsetof(struct power_identity, bmc_mac), mac_match,    mac_differs },
};

static const char *text_at(const struct power_identity *id, size_t value) {
        return values[value].offset == SIZE_MAX ? "" : (const char *)id + values[value].offset;
}

/* ---- the verdict ---- */

static int compare_told(const void *name, const void *told) {
        return strcmp(name, ((const struct power_told *)told)->node);
}

/* The only other node whose agent has told that; NULL: none has, or several. */
static const struct power_told *owner_of(const struct power_result *res, size_t value, const struct power_told *told, size_t n,
                char ret[IDENTITY_WORD_MAX + 1]) {
        const struct power_told *owner = NULL;

        for (size_t i = 0; i < n; i++) {
                if (streq(told[i].node, res->node) || !values[value].match(&res->identity, &told[i], ret))
                        continue;
                if (owner)
                        return NULL;
                owner = &told[i];
        }
        return owner;
}

/* Another node whose BMC says the same; NULL: none does. */
static const char *double_of(const struct power_result *const *results, size_t n, size_t i, size_t value) {
        const char *text = text_at(&results[i]->identity, value);

        if (!*text || (value == 0 && !uuid_usable(text)))
                return NULL;
        for (size_t k = 0; k < n; k++)
                if (k != i && results[k]->ok && streq(text_at(&results[k]->identity, value), text))
                        return results[k]->node;
        return NULL;
}

struct power_verdict power_verdict(const struct power_result *const *results, size_t n, size_t i, const struct power_told *told,
                size_t n_told) {
        const struct power_result *res = results[i];
        const struct power_told *own = n_told ? bsearch(res->node, told, n_told, sizeof *told, compare_told) : NULL, *owner;
        struct power_verdict v = { .kind = VERDICT_OWN };

        for (size_t k = 0; own && k < ELEMENTSOF(values); k++)
                if (v.noun = values[k].noun, values[k].match(&res->identity, own, v.value))
                        return v;
        v.kind = VERDICT_OTHER;
        for (size_t k = 0; k < ELEMENTSOF(values); k++)
                if (v.noun = values[k].noun, (owner = owner_of(res, k, told, n_told, v.value))) {
                        v.node = owner->node;
                        return v;
                }
        for (size_t k = 0; k < ELEMENTSOF(values); k++) {
                v.noun = values[k].noun;
                snprintf(v.value, sizeof v.value, "%s", text_at(&res->identity, k));
                v.kind = VERDICT_DIFFERS;
                if (own && values[k].differs && (v.told = values[k].differs(&res->identity, own)))
                        return v;
                v.kind = VERDICT_DOUBLE;
                if ((v.node = double_of(results, n, i, k)))
                        return v;
        }
        return (struct power_verdict){ .kind = VERDICT_UNKNOWN };
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
