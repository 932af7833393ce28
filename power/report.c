/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "power/power.h"

#include <ctype.h>
#include <json-c/json.h>
#include <math.h>

static void add_group(FILE *f, enum power_state state, const struct power_result *const *results,
                size_t n) {
        _cleanup_(hostlist_freep) struct hostlist *hl = hostlist_new();

        for (size_t i = 0; i < n; i++)
                if (results[i]->state == state)
                        hostlist_push(hl, results[i]->node);
        hostlist_sort(hl);
        _cleanup_free_ char *names = hostlist_text(hl);
        fprintf(f, "%s: %s\n", names, power_state_text(state));
}

char *power_report_text(const struct power_result *const *results, size_t n) {
        bool told[POWER_STATE_MAX] = { false };
        char *text = NULL;
        size_t size;

        FILE *f = open_memstream(&text, &size);
        assert(f);
        for (size_t i = 0; i < n; i++) {
                if (told[results[i]->state])
                        continue;
                told[results[i]->state] = true;
                add_group(f, results[i]->state, results, n);
        }
        fclose(f);
        return text;
}

char *power_report_watts(const struct power_result *const *results, size_t n) {
        _cleanup_free_ bool *told = xnew0(bool, n);
        char *text = NULL;
        size_t size;

        FILE *f = open_memstream(&text, &size);
        assert(f);
        for (size_t i = 0; i < n; i++) {
                if (told[i])
                        continue;
                _cleanup_(hostlist_freep) struct hostlist *hl = hostlist_new();
                long watts = lround(results[i]->watts);
                for (size_t k = i; k < n; k++)
                        if (!told[k] && results[k]->ok == results[i]->ok &&
                                        (!results[i]->ok || lround(results[k]->watts) == watts)) {
                                told[k] = true;
                                hostlist_push(hl, results[k]->node);
                        }
                hostlist_sort(hl);
                _cleanup_free_ char *names = hostlist_text(hl);
                if (results[i]->ok)
                        fprintf(f, "%s: %ld W\n", names, watts);
                else
                        fprintf(f, "%s: unknown\n", names);
        }
        fclose(f);
        return text;
}

/* The bytes of a UUID; false: it is none. */
static bool uuid_bytes(const char *text, unsigned char ret[16]) {
        size_t n = 0;

        for (const char *p = text; *p; p++) {
                unsigned byte;
                if (*p == '-')
                        continue;
                if (n == 16 || !isxdigit((unsigned char)p[0]) || !isxdigit((unsigned char)p[1]) || sscanf(p, "%2x", &byte) != 1)
                        return false;
                ret[n++] = (unsigned char)byte;
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

bool power_uuid_same(const char *a, const char *b) {
        unsigned char x[16], y[16];

        if (!uuid_bytes(a, x) || !uuid_bytes(b, y))
                return false;
        for (size_t i = 0; i < ELEMENTSOF(byte_orders); i++) {
                size_t k = 0;
                while (k < 16 && x[k] == y[byte_orders[i][k]])
                        k++;
                if (k == 16)
                        return true;
        }
        return false;
}

/* Another node whose agent has told the UUID of this BMC; SIZE_MAX: none has. */
static size_t owner_of(const char *uuid, const char *const *uuids, size_t n) {
        for (size_t i = 0; i < n; i++)
                if (uuids[i] && power_uuid_same(uuid, uuids[i]))
                        return i;
        return SIZE_MAX;
}

/* Another node whose BMC says the same; SIZE_MAX: none does. */
static size_t double_of(const struct power_result *const *results, size_t n, size_t i) {
        for (size_t k = 0; k < n; k++)
                if (k != i && results[k]->ok && *results[k]->identity.uuid && streq(results[k]->identity.uuid, results[i]->identity.uuid))
                        return k;
        return SIZE_MAX;
}

/* true: it is the BMC of another machine, as far as that can be known. */
static bool check_uuid(FILE *f, const struct power_result *const *results, const char *const *uuids, size_t n, size_t i) {
        const char *uuid = results[i]->identity.uuid;
        size_t other = double_of(results, n, i), owner = owner_of(uuid, uuids, n);

        if (!*uuid) {
                fputs(", tells no UUID", f);
                return false;
        }
        fprintf(f, ", UUID %s", uuid);
        if (uuids[i] && power_uuid_same(uuid, uuids[i])) {
                fputs(" as its agent says", f);
                return false;
        }
        if (owner != SIZE_MAX)
                fprintf(f, ": this is the BMC of %s", results[owner]->node);
        else if (uuids[i])
                fprintf(f, ": its agent says %s", uuids[i]);
        else if (other != SIZE_MAX)
                fprintf(f, ": the BMC of %s has the same", results[other]->node);
        else
                fputs(", its agent has not told one yet", f);
        return owner != SIZE_MAX || uuids[i] || other != SIZE_MAX;
}

char *power_report_owners(const struct power_result *const *results, const char *const *uuids, size_t n, size_t *ret_wrong) {
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        assert(f);
        *ret_wrong = 0;
        for (size_t i = 0; i < n; i++) {
                const struct power_result *res = results[i];
                if (!res->ok)
                        continue; /* its error says why */
                fprintf(f, "%s: %s", res->node, power_state_text((int)res->state));
                if (*res->identity.firmware)
                        fprintf(f, ", firmware %s", res->identity.firmware);
                *ret_wrong += check_uuid(f, results, uuids, n, i);
                fputc('\n', f);
        }
        fclose(f);
        return text;
}

static struct json_object *text_or_null(const char *text) {
        return text ? json_object_new_string(text) : NULL;
}

static struct json_object *node_object(enum power_verb verb, const struct power_result *res) {
        struct json_object *o = json_object_new_object();

        json_object_object_add(o, "node", json_object_new_string(res->node));
        json_object_object_add(o, "bmc", text_or_null(res->address));
        json_object_object_add(o, "state", json_object_new_string(power_state_text(res->state)));
        if (verb == POWER_WATTS)
                json_object_object_add(o, "watts",
                                res->ok ? json_object_new_int64(lround(res->watts)) : NULL);
        if (verb == POWER_CHECK) {
                json_object_object_add(o, "firmware", text_or_null(*res->identity.firmware ? res->identity.firmware : NULL));
                json_object_object_add(o, "uuid", text_or_null(*res->identity.uuid ? res->identity.uuid : NULL));
        }
        json_object_object_add(o, "ok", json_object_new_boolean(res->ok));
        json_object_object_add(o, "changed", json_object_new_boolean(res->changed));
        json_object_object_add(o, "fault",
                        text_or_null(res->ok ? NULL : power_fault_text(res->cause.fault)));
        json_object_object_add(o, "error", text_or_null(res->ok ? NULL : res->cause.fail.text));
        json_object_object_add(o, "milliseconds",
                        json_object_new_int64((int64_t)(res->took / USEC_PER_MSEC)));
        return o;
}

char *power_report_json(enum power_verb verb, const struct power_result *const *results, size_t n) {
        struct json_object *root = json_object_new_object(), *nodes = json_object_new_array();

        for (size_t i = 0; i < n; i++)
                json_object_array_add(nodes, node_object(verb, results[i]));
        json_object_object_add(root, "command", json_object_new_string(power_verb_text((int)verb)));
        json_object_object_add(root, "nodes", nodes);
        char *text = xstrdup(json_object_to_json_string_ext(
                        root, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
        json_object_put(root);
        return text;
}

/* "common": nothing is wrong with the node; "no-power": another node may serve the job, this one may be tried again after that many seconds (0: it is not said). */
static const struct {
        const char *error;
        int retry_after;
} outcomes[POWER_FAULT_MAX] = {
        [POWER_FAULT_CONFIG] = {"bad-config", 0 },
        [POWER_FAULT_SHARED] = { "common",    0 },
        [POWER_FAULT_NAMES] = { "common",     0 },
        [POWER_FAULT_SILENT] = { "no-power",  60},
        [POWER_FAULT_BUSY] = { "no-power",  30},
        [POWER_FAULT_NOT_NOW] = { "no-power",  30},
        [POWER_FAULT_REFUSED] = { "fatal",     0 },
        [POWER_FAULT_STUCK] = { "no-power",  60},
};

char *power_report_outcome(const struct power_result *res) {
        struct json_object *o = json_object_new_object();

        json_object_object_add(o, "node", json_object_new_string(res->node));
        json_object_object_add(o, "ok", json_object_new_boolean(res->ok));
        if (!res->ok) {
                int after = outcomes[res->cause.fault].retry_after;
                json_object_object_add(o, "error",
                                json_object_new_string(outcomes[res->cause.fault].error));
                if (after)
                        json_object_object_add(o, "retry_after", json_object_new_int(after));
                json_object_object_add(o, "text", json_object_new_string(res->cause.fail.text));
        }
        if (res->state == POWER_IS_ON || res->state == POWER_IS_OFF)
                json_object_object_add(o, "power", json_object_new_string(power_state_text((int)res->state)));
        char *line = xasprintf("%s\n",
                        json_object_to_json_string_ext(o,
                                        JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
        json_object_put(o);
        return line;
}

char *power_report_check(const char *path, const char *nodes, usec_t deadline, const struct power_problems *problems) {
        struct json_object *o = json_object_new_object(), *errors = json_object_new_array();

        for (size_t i = 0; i < problems->n; i++)
                json_object_array_add(errors, json_object_new_string(problems->lines[i]));
        json_object_object_add(o, "file", json_object_new_string(path));
        json_object_object_add(o, "nodes", json_object_new_string(nodes));
        json_object_object_add(o, "deadline", json_object_new_int64((int64_t)(deadline / USEC_PER_MSEC)));
        json_object_object_add(o, "errors", errors);
        char *text = xstrdup(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
        json_object_put(o);
        return text;
}

int power_report_exit(const struct power_result *const *results, size_t n) {
        size_t failed = 0;

        for (size_t i = 0; i < n; i++)
                failed += !results[i]->ok;
        if (failed == 0)
                return 0;
        return failed < n ? 1 : 2;
}
