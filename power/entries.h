/* SPDX-License-Identifier: GPL-3.0-or-later */
/* power/entries.h - what power.yaml says, as texts; power/yaml.c reads it, power/entries.c makes
   BMCs of it */
#pragma once

#include <yaml.h>

#include "power/power.h"

enum key {
        /* how to reach a BMC: in defaults and in each entry of nodes */
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
        /* entries of nodes only */
        KEY_NODES,
        KEY_BMC,
        KEY_SYSTEM,
        KEY_MAC,
        KEY_CHECK,
        /* defaults only */
        KEY_DEADLINE,
        KEY_POLL,
        KEY_CYCLE_PAUSE,
        KEY_THREADS,
        KEY_LOCK_FILE,
        /* console */
        KEY_CONSOLE_DIR,
        KEY_CONSOLE_SECONDS,
        KEY_CONSOLE_WAIT,
        KEY_CONSOLE_MAX_BYTES,
        KEY_CONSOLE_WORKAROUNDS,
        KEY_MAX,
};
enum map { /* bits: the mappings that have a key */
        MAP_DEFAULTS = 1,
        MAP_ENTRY = 2,
        MAP_CONSOLE = 4,
};
enum { /* bits: the drivers that have a key; 0 is all of them */
        FOR_IPMI = 1,
        FOR_REDFISH = 2,
        FOR_WAKE_ON_LAN = 4,
        FOR_PROGRAM = 8,
        FOR_SUSPEND = 16,
};
struct power_key {
        const char *name;
        unsigned maps, drivers;
        bool list;            /* of words */
        const char *expected; /* for messages: "not ..." */
};
extern const struct power_key power_keys[KEY_MAX];

struct raw {                  /* the texts of one mapping */
        char *value[KEY_MAX]; /* words of a list are joined by commas */
        unsigned line[KEY_MAX];
        unsigned at; /* the line where the mapping begins */
};
struct reader {
        const char *path, *text;
        size_t size;
        struct fail *fail;
        yaml_parser_t parser;
        yaml_event_t event;
        bool have_event;
        struct power_problems *problems; /* NULL: the first fault is the end */
        unsigned depth;                  /* of mappings and lists */
        bool broken;                     /* it is no YAML from here on */
        struct raw defaults, console, *entries;
        size_t n_entries, allocated;
};

/* Sets rd->fail: "PATH line N: WHAT". */
int power_yaml_wrong(struct reader *rd, unsigned line, const char *what);
/* Where all faults are wanted the one in rd->fail is kept, and 0 returned; else r. */
int power_yaml_go_on(struct reader *rd, int r);
/* The raws into conf; passwords are paths afterwards. */
int power_entries_make(struct reader *rd, struct power_conf *conf);
