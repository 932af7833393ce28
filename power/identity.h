/* SPDX-License-Identifier: GPL-3.0-or-later */
/* power/identity.h - finds the owner of a BMC: compares the BMC's report of its machine with the
 * nodes' reports
 *
 * No I/O. identity.c has the rules, slumber-power(8) explains them. */
#pragma once

#include "power/power.h"

/* Report of a node's slumberd at its last registration; NULL if not reported. Nodes that never
   registered have none. */
struct power_reported {
        char *node, *uuid, *serials, *macs, *bmc_mac;
};

/* Reason why the owner of a BMC is unknown. */
enum power_unknown {
        UNKNOWN_NOT_ASKED,      /* no controller with the nodes' reports */
        UNKNOWN_NOT_REGISTERED, /* the node's slumberd has not registered */
        UNKNOWN_AGENT_MUTE,     /* the node's slumberd reports no values */
        UNKNOWN_BMC_MUTE,       /* the BMC reports no values */
        UNKNOWN_NOT_COMPARABLE, /* both report values, of different kinds */
        UNKNOWN_MAX,
};

struct power_verdict {
        enum power_verdict_kind {
                VERDICT_UNKNOWN, /* no values to compare */
                VERDICT_OWN,
                VERDICT_OTHER,   /* first wrong verdict: another node's BMC */
                VERDICT_DIFFERS, /* different from the value of the node's slumberd */
                VERDICT_DOUBLE,  /* another checked node's BMC reports an equal value */
        } kind;
        /* Kind of the deciding value: "UUID", "serial number", "MAC address"; NULL: none. */
        const char *noun;
        char value[IDENTITY_WORD_MAX + 1]; /* as the BMC reports */
        /* Other node for OTHER and DOUBLE; told: slumberd's value for DIFFERS. Borrowed. */
        const char *node, *told;
        enum power_unknown unknown; /* reason for UNKNOWN */
};

/* Holds results (of BMCs, read or failed) and told[] (reports of slumberds, sorted by node), both
   borrowed. */
struct power_marks;
struct power_marks *power_marks_new(const struct power_result *const *results, size_t n,
                const struct power_reported *told, size_t n_told);
struct power_marks *power_marks_free(struct power_marks *m); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct power_marks *, power_marks_free)
/* Judges results[i], which must be read, by the reports of all nodes. */
struct power_verdict power_verdict(const struct power_marks *m, size_t i);
/* Returns a text such as "its agent has not registered yet". */
const char *power_unknown_text(enum power_unknown unknown);
/* Returns "this is the BMC of n2 (UUID 0f3c...)"; NULL if the verdict is not wrong. The caller
   frees. */
char *power_verdict_text(const struct power_verdict *v);
/* True if both are one machine's UUID: BMCs and DMI differ in byte order. False for
   placeholders. */
bool power_uuid_same(const char *a, const char *b);
