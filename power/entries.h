/* SPDX-License-Identifier: GPL-3.0-or-later */
/* power/entries.h - keys of power.yaml as texts: power/yaml.c reads them, power/entries.c makes
 * BMCs */
#pragma once

#include "power/power.h"

#include "lib/files/ydoc.h"

enum key { /* the order makes the keys of entries and those of defaults ranges */
        /* In entries of nodes only. */
        KEY_NODES,
        KEY_BMC,
        KEY_SYSTEM,
        KEY_MAC,
        KEY_CHECK,
        /* Access to a BMC: in entries and in defaults. */
        KEY_DRIVER,
        KEY_USER,
        KEY_PASSWORD_FILE,
        KEY_PASSWORD_CREDENTIAL,
        KEY_CIPHER_SUITE,
        KEY_WORKAROUNDS,
        KEY_RETRANSMIT,
        KEY_SESSION,
        KEY_AUTH,
        KEY_CA_FILE,
        KEY_TLS_VERIFY,
        KEY_TIMEOUT,
        KEY_BROADCAST,
        KEY_OFF_PROGRAM,
        KEY_PROGRAM,
        KEY_SOFT,
        KEY_VIA,
        /* In defaults only. */
        KEY_DEADLINE,
        KEY_POLL,
        KEY_CYCLE_PAUSE,
        KEY_THREADS,
        KEY_LOCK_FILE,
        /* In console. */
        KEY_CONSOLE_DIR,
        KEY_CONSOLE_SECONDS,
        KEY_CONSOLE_WAIT,
        KEY_CONSOLE_MAX_BYTES,
        KEY_CONSOLE_WORKAROUNDS,
        KEY_MAX,
};
extern const struct ydoc_field power_keys[KEY_MAX];

struct raw { /* the keys of a map as texts; words of a list are joined by commas */
        struct ydoc_text value[KEY_MAX];
        uint32_t line, column; /* place of the map */
};
struct reader {
        struct ydoc *y;
        struct power_conf *conf;
        struct raw defaults, console;
        const struct ynode *nodes; /* list of entries; NULL: none */
};

/* Makes the settings of conf from defaults and console. */
int power_settings_make(struct reader *rd);
/* Makes the BMCs of an entry; passwords are paths afterwards. conf->accesses has room for the
   entry's access. */
int power_entry_make(struct reader *rd, const struct raw *raw);
/* Sorts the BMCs by node. Checks that nodes and BMCs correspond one to one. */
int power_entries_check(struct reader *rd);
