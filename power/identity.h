/* SPDX-License-Identifier: GPL-3.0-or-later */
/* power/identity.h - the owner of a BMC: what a BMC reports of its machine, compared with what
 * agents reported
 *
 * No I/O.  Values prove what they can and no more: the file has the rule, slumber-power(8) tells
 * it. */
#pragma once

#include "power/power.h"

/* What a node's agent told the controller at its last registration; NULL where it did not.  Nodes
   whose agents have never registered have none. */
struct power_reported {
        char *node, *uuid, *serials, *macs, *bmc_mac;
};

/* Why it cannot be told whose a BMC is. */
enum power_unknown {
        UNKNOWN_NOT_ASKED,      /* there is no controller that knows what agents reported */
        UNKNOWN_NOT_REGISTERED, /* its agent has not */
        UNKNOWN_AGENT_MUTE,     /* its agent reports nothing of its machine */
        UNKNOWN_BMC_MUTE,       /* nor does the BMC */
        UNKNOWN_NOT_COMPARABLE, /* both do, but not the same kind of value */
        UNKNOWN_MAX,
};

struct power_verdict {
        enum power_verdict_kind {
                VERDICT_UNKNOWN, /* nothing to compare */
                VERDICT_OWN,
                VERDICT_OTHER,   /* wrong from here on: the BMC of another node */
                VERDICT_DIFFERS, /* not that of the node, as its agent told it */
                VERDICT_DOUBLE,  /* the BMC of another node that is checked says the same */
        } kind;
        /* of the value that decided: "UUID", "serial number", "MAC address"; NULL: none did */
        const char *noun;
        char value[IDENTITY_WORD_MAX + 1]; /* as the BMC has it */
        /* OTHER, DOUBLE: which; DIFFERS: what its agent says. Borrowed. */
        const char *node, *told;
        enum power_unknown unknown; /* UNKNOWN: why */
};

/* All reports: the results, read or not, and told[], what agents reported, sorted by node. Both are
   borrowed. */
struct power_marks;
struct power_marks *power_marks_new(const struct power_result *const *results, size_t n,
                const struct power_reported *told, size_t n_told);
struct power_marks *power_marks_free(struct power_marks *m); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct power_marks *, power_marks_free)
/* Of results[i], which has been read, against what all agents say: its own and any others. */
struct power_verdict power_verdict(const struct power_marks *m, size_t i);
/* "its agent has not registered yet" */
const char *power_unknown_text(enum power_unknown unknown);
/* "this is the BMC of n2 (UUID 0f3c...)"; NULL unless it is wrong.  The caller frees. */
char *power_verdict_text(const struct power_verdict *v);
/* The same machine: BMCs and DMI disagree about the order of the bytes. Never true of what no
   single machine has. */
bool power_uuid_same(const char *a, const char *b);
