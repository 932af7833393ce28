/* SPDX-License-Identifier: GPL-3.0-or-later */
/* power/entries.h - power.yaml as texts: power/yaml.c reads them, power/entries.c makes BMCs */
#pragma once

#include <yaml.h>

#include "power/power.h"

enum key {
        /* Access to a BMC: in defaults and in each entry of nodes. */
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
        /* In entries of nodes only. */
        KEY_NODES,
        KEY_BMC,
        KEY_SYSTEM,
        KEY_MAC,
        KEY_CHECK,
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
enum map { /* bits: mappings that have a key */
        MAP_DEFAULTS = 1,
        MAP_ENTRY = 2,
        MAP_CONSOLE = 4,
};
enum { /* bits: drivers that have a key; 0: all */
        FOR_IPMI = 1,
        FOR_REDFISH = 2,
        FOR_WAKE_ON_LAN = 4,
        FOR_PROGRAM = 8,
        FOR_SUSPEND = 16,
};
struct power_key {
        const char *name;
        unsigned maps, drivers;
        bool list;            /* a list of words */
        const char *expected; /* for errors: "expected ..." */
};
extern const struct power_key power_keys[KEY_MAX];

struct raw {                  /* texts of one mapping */
        char *value[KEY_MAX]; /* words of a list are joined by commas */
        unsigned line[KEY_MAX];
        unsigned at; /* first line of the mapping */
};
struct reader {
        const char *path, *text;
        size_t size;
        struct fail *fail;
        yaml_parser_t parser;
        yaml_event_t event;
        bool have_event;
        struct power_problems *problems; /* NULL: stop at the first fault */
        unsigned depth;                  /* nesting of mappings and lists */
        bool broken;                     /* not YAML from here on */
        struct raw defaults, console, *entries;
        size_t n_entries, allocated;
};

/* Sets rd->fail to "PATH line N: WHAT"; returns -EINVAL. */
int power_yaml_wrong(struct reader *rd, unsigned line, const char *what);
/* Keeps the fault in rd->fail and returns 0 if all faults are wanted; else returns r. */
int power_yaml_go_on(struct reader *rd, int r);
/* Makes conf from the texts; passwords are paths afterwards. */
int power_entries_make(struct reader *rd, struct power_conf *conf);
