/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "power/identity.h"

#include <json-c/json.h>
#include <math.h>

static void report_add_group(FILE *f, enum power_state state,
                const struct power_result *const *results, size_t n) {
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

        FILE *f = memstream_open(&text, &size);
        for (size_t i = 0; i < n; i++) {
                if (told[results[i]->state])
                        continue;
                told[results[i]->state] = true;
                report_add_group(f, results[i]->state, results, n);
        }
        memstream_close(f);
        return text;
}

char *power_report_watts(const struct power_result *const *results, size_t n) {
        _cleanup_free_ bool *told = xnew0(bool, n);
        char *text = NULL;
        size_t size;

        FILE *f = memstream_open(&text, &size);
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
        memstream_close(f);
        return text;
}

/* Prints the UUID and, if another value was decisive, that value. */
static void print_verdict(FILE *f, const struct power_identity *id, const struct power_verdict *v) {
        _cleanup_free_ char *wrong = power_verdict_text(v);

        if (*id->serials)
                fprintf(f, ", serial number %s", id->serials);
        if (*id->uuid)
                fprintf(f, ", UUID %s", id->uuid);
        else
                fputs(", tells no UUID", f);
        if (wrong)
                fprintf(f, ": %s", wrong);
        else if (v->kind == VERDICT_OWN && streq(v->value, id->uuid))
                fputs(" as its agent says", f);
        else if (v->kind == VERDICT_OWN)
                fprintf(f, ", %s %s as its agent says", v->noun, v->value);
        else
                fprintf(f, ", whose it is cannot be told: %s", power_unknown_text(v->unknown));
}

char *power_report_owners(const struct power_result *const *results,
                const struct power_verdict *verdicts, size_t n) {
        char *text = NULL;
        size_t size;
        FILE *f = memstream_open(&text, &size);

        for (size_t i = 0; i < n; i++) {
                const struct power_result *res = results[i];
                if (!res->ok)
                        continue; /* the error has the reason */
                fprintf(f, "%s: %s", res->node, power_state_text((int)res->state));
                if (*res->identity.product)
                        fprintf(f, ", %s", res->identity.product);
                if (*res->identity.firmware)
                        fprintf(f, ", firmware %s", res->identity.firmware);
                if (res->cause.fail.text[0])
                        fprintf(f, ", its machine cannot be told: %s", res->cause.fail.text);
                else
                        print_verdict(f, &res->identity, &verdicts[i]);
                fputc('\n', f);
        }
        memstream_close(f);
        return text;
}

static struct json_object *report_text(const char *text) {
        return text ? json_object_new_string(text) : NULL;
}

/* Adds the BMC's identity and, if the verdict is wrong, the reason. */
static void add_identity(struct json_object *o, const struct power_identity *id,
                const struct power_verdict *v) {
        const struct {
                const char *key, *text;
        } texts[] = {
                { "firmware", id->firmware },
                { "uuid", id->uuid },
                { "product", id->product },
                { "serials", id->serials },
                { "macs", id->macs },
                { "bmc_mac", id->bmc_mac },
        };
        _cleanup_free_ char *wrong = v ? power_verdict_text(v) : NULL;

        for (size_t i = 0; i < ELEMENTSOF(texts); i++)
                json_object_object_add(o, texts[i].key,
                                report_text(*texts[i].text ? texts[i].text : NULL));
        json_object_object_add(o, "wrong", report_text(wrong));
        json_object_object_add(o, "not_identified",
                        report_text(v && v->kind == VERDICT_UNKNOWN ? power_unknown_text(v->unknown)
                                                                    : NULL));
}

static struct json_object *report_node_object(enum power_verb verb, const struct power_result *res,
                const struct power_verdict *v) {
        struct json_object *o = json_object_new_object();

        json_object_object_add(o, "node", json_object_new_string(res->node));
        json_object_object_add(o, "bmc", report_text(res->address));
        json_object_object_add(o, "state", json_object_new_string(power_state_text(res->state)));
        if (verb == POWER_WATTS)
                json_object_object_add(o, "watts",
                                res->ok ? json_object_new_int64(lround(res->watts)) : NULL);
        if (verb == POWER_CHECK)
                add_identity(o, &res->identity, v);
        json_object_object_add(o, "ok", json_object_new_boolean(res->ok));
        json_object_object_add(o, "changed", json_object_new_boolean(res->changed));
        json_object_object_add(o, "fault",
                        report_text(res->ok ? NULL : power_fault_text(res->cause.fault)));
        json_object_object_add(o, "error", report_text(res->ok ? NULL : res->cause.fail.text));
        json_object_object_add(o, "milliseconds",
                        json_object_new_int64((int64_t)(res->took / USEC_PER_MSEC)));
        return o;
}

char *power_report_json(enum power_verb verb, const struct power_result *const *results,
                const struct power_verdict *verdicts, size_t n) {
        struct json_object *root = json_object_new_object(), *nodes = json_object_new_array();

        for (size_t i = 0; i < n; i++)
                json_object_array_add(nodes, report_node_object(verb, results[i],
                                                             verdicts ? &verdicts[i] : NULL));
        json_object_object_add(root, "command", json_object_new_string(power_verb_text((int)verb)));
        json_object_object_add(root, "nodes", nodes);
        char *text = xstrdup(json_object_to_json_string_ext(root,
                        JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
        json_object_put(root);
        return text;
}

/* Errors for the controller. "common": not the node's fault; "no-power": another node may serve the
   job, this node may be retried after retry_after seconds (0: unspecified). */
static const struct {
        const char *error;
        int retry_after;
} outcomes[POWER_FAULT_MAX] = {
        [POWER_FAULT_CONFIG] = { "bad-config", 0 },
        [POWER_FAULT_SHARED] = { "common", 0 },
        [POWER_FAULT_NAMES] = { "common", 0 },
        [POWER_FAULT_SILENT] = { "no-power", 60 },
        [POWER_FAULT_BUSY] = { "no-power", 30 },
        [POWER_FAULT_NOT_NOW] = { "no-power", 30 },
        [POWER_FAULT_REFUSED] = { "fatal", 0 },
        [POWER_FAULT_STUCK] = { "no-power", 60 },
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
                json_object_object_add(o, "power",
                                json_object_new_string(power_state_text((int)res->state)));
        char *line = xasprintf("%s\n",
                        json_object_to_json_string_ext(o,
                                        JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
        json_object_put(o);
        return line;
}

char *power_report_check(const char *path, const char *nodes, usec_t deadline,
                const struct faults *faults) {
        struct json_object *o = json_object_new_object(), *errors = json_object_new_array();

        for (size_t i = 0; i < faults->n; i++)
                json_object_array_add(errors, json_object_new_string(faults->lines[i]));
        json_object_object_add(o, "file", json_object_new_string(path));
        json_object_object_add(o, "nodes", json_object_new_string(nodes));
        json_object_object_add(o, "deadline",
                        json_object_new_int64((int64_t)(deadline / USEC_PER_MSEC)));
        json_object_object_add(o, "errors", errors);
        char *text = xstrdup(json_object_to_json_string_ext(o,
                        JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
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
