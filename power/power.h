/* SPDX-License-Identifier: GPL-3.0-or-later */
/* power/power.h - power of nodes by their BMCs: power.yaml, drivers, requests, results
 *
 * A BMC acknowledges before acting, and may be wrong: a change counts only after it was read back.
 * POWER_UNKNOWN is a state of its own and never means off. No function logs. */
#pragma once

#include "lib/fail.h"
#include "lib/hostlist.h"
#include "lib/identity.h"
#include "lib/strtab.h"

enum power_verb {
        POWER_STATUS,
        POWER_ON,
        POWER_OFF,   /* immediate, like cutting the power */
        POWER_SOFT,  /* asks the operating system; never escalates */
        POWER_CYCLE, /* off, confirm off, pause, on */
        POWER_WATTS, /* read the power consumption */
        POWER_CHECK, /* check that the node can be switched and has its own BMC; changes nothing */
        POWER_VERB_MAX,
};
DECLARE_STRTAB(power_verb);
static inline bool power_verb_only_reads(enum power_verb verb) {
        return verb == POWER_STATUS || verb == POWER_WATTS || verb == POWER_CHECK;
}

enum power_state {
        POWER_UNKNOWN,
        POWER_IS_OFF,
        POWER_IS_ON,
        POWER_IS_CHANGING, /* switching, according to the BMC: send no command */
        POWER_STATE_MAX,
};
DECLARE_STRTAB(power_state);

/* Reason for a failed request to a BMC; power/plan.c decides the consequence. */
enum power_fault {
        POWER_OK,
        POWER_FAULT_CONFIG, /* settings of this node in power.yaml: never repeated */
        /* Password, user, permission, file or program, used by several nodes: never repeated, since
           BMCs lock accounts. */
        POWER_FAULT_SHARED,
        POWER_FAULT_NAMES,   /* name service does not work: repeated */
        POWER_FAULT_SILENT,  /* no answer: repeated in a fresh session, in the slow lane */
        POWER_FAULT_BUSY,    /* busy, no free session, stray reply: repeated in a fresh session */
        POWER_FAULT_NOT_NOW, /* impossible in the current state: the state is read again */
        POWER_FAULT_REFUSED, /* command refused or unknown: not repeated */
        POWER_FAULT_STUCK,   /* acknowledged, without effect before the deadline */
        POWER_FAULT_MAX,
};
DECLARE_STRTAB(power_fault);

struct power_cause {
        enum power_fault fault;
        struct fail fail;   /* a sentence naming the BMC */
        usec_t retry_after; /* requested by the BMC; 0: not requested */
};

/* Report of a BMC about its machine and itself; "" for unknown values. */
struct power_identity {
        char uuid[37]; /* "0f3c...": lower case, in the BMC's byte order */
        char firmware[24];
        char product[IDENTITY_WORD_MAX + 1];
        /* Serial numbers of machine and mainboard; lists of lib/identity.h. */
        char serials[IDENTITY_LIST_SIZE];
        /* MACs of the machine's network cards, and of the BMC if the BMC does not distinguish
           them. */
        char macs[IDENTITY_LIST_SIZE];
        /* MAC of the BMC's first LAN channel, also visible from inside the machine. */
        char bmc_mac[MAC_TEXT_SIZE];
};

/* clang-format off */
#define POWER_IDENTITY_TEXTS(X) X(uuid) X(firmware) X(product) X(serials) X(macs) X(bmc_mac)
/* clang-format on */

#define POWER_WATTS_MAX 1e6                   /* higher values are errors of the BMC */
#define POWER_LATE      (200 * USEC_PER_MSEC) /* time after the deadline for the last reading */

/* Access to BMCs, shared by the nodes of one entry of power.yaml. */
struct power_access {
        const struct power_driver *driver;
        char *user, *password;
        uint32_t password_line, password_column; /* of the password in power.yaml */
        unsigned cipher_suite;
        unsigned workarounds; /* bits of FreeIPMI */
        usec_t retransmit, session;
        /* Keys of single drivers. */
        bool basic_auth, tls_verify;
        char *ca_file;      /* NULL: the system's certificates */
        char *broadcast;    /* HOST:PORT */
        char *program;      /* wake-on-lan: off_program; may be NULL */
        bool soft_by_agent; /* the node's slumberd asks logind to power off */
        /* Host list: hosts whose slumberd does the requests; NULL: this process. */
        char *via;
        char *certificates; /* text of another host's ca_file, or NULL */
        usec_t timeout;     /* maximum time of a request, a check, or a program */
};
struct power_bmc {
        /* Address: "host" or "host:port", a MAC address, or a program; NULL: reported by the node's
           slumberd. */
        char *node, *address;
        /* Second address: Redfish's system, the check address of a woken node, a program's third
           argument; or NULL. */
        char *unit;
        const struct power_access *access;
        uint32_t line, column; /* of the entry in power.yaml */
};

struct power_driver {
        const char *name, *noun; /* noun: kind of address, for messages */
        bool keeps; /* keep the session while waiting for a state: a new one is expensive */
        bool silence_is_off; /* no answer means off */
        bool many;           /* an address may serve several nodes */
        bool console;        /* supports Serial over LAN */
        void (*init)(void);  /* called before threads, possibly repeatedly */
        /* Functions below may block up to limit or the access's session time, several times over.
           Return 0, or a negative errno with *cause. One session per BMC at a time. */
        int (*open)(const struct power_bmc *bmc, usec_t limit, void **ret_session,
                        struct power_cause *cause);
        int (*status)(void *session, enum power_state *ret, struct power_cause *cause);
        /* ON, OFF or SOFT. Returns 1 if done without a way to read back. */
        int (*control)(void *session, enum power_verb verb, struct power_cause *cause);
        /* NULL: not supported. */
        int (*watts)(void *session, double *ret, struct power_cause *cause);
        /* NULL: not supported. */
        int (*identify)(void *session, struct power_identity *ret, struct power_cause *cause);
        void (*close)(void *session);
};
const struct power_driver *power_driver_find(const char *name); /* NULL */
const struct power_driver *power_driver_ipmi(void);
const struct power_driver *power_driver_redfish(void);
const struct power_driver *power_driver_wake_on_lan(void);
const struct power_driver *power_driver_program(void);
const struct power_driver *power_driver_suspend(void);
/* Drivers not allowed in power.yaml: actions of a node's own slumberd (power/via.h). */
const struct power_driver *power_driver_logind_suspend(void);
const struct power_driver *power_driver_logind_poweroff(void);

/* ---- power.yaml (power/yaml.c) ---- */

struct power_conf {
        unsigned refs;
        char *path;
        struct power_bmc *bmcs; /* sorted by node name */
        size_t n_bmcs;
        struct power_access *accesses;
        size_t n_accesses;
        usec_t deadline, poll, cycle_pause;
        bool deadline_set; /* deadline was set in the file */
        uint64_t threads;
        char *lock_file; /* NULL: the default, if accessible */
        struct {
                char *dir; /* NULL: no consoles are recorded */
                usec_t seconds, wait;
                uint64_t max_bytes;
                unsigned workarounds; /* in addition to the node's */
        } console;
};

#define POWER_VIA_MAX  16         /* hosts of an entry: a rack has two or three suitable ones */
#define POWER_YAML_MAX (8u << 20) /* bytes: enough for 100,000 nodes with a line each */

/* Finds power.yaml: path if given; $SLUMBER_POWER_CONF; power_file of slumber.yaml beside
   $SLURM_CONF, or power.yaml there, if it exists; /etc/slumber/power.yaml. *ret_console_dir:
   slumber.yaml's console_dir; *ret_socket: its daemon's socket; NULL if unset. The caller frees.
   Fails for a faulty slumber.yaml. */
int power_conf_find(const char *path, char **ret_file, char **ret_console_dir, char **ret_socket,
                struct fail *fail);
/* Reads the file and the password files. */
int power_conf_read(const char *path, struct power_conf **ret, struct fail *fail);
/* Parses text without reading password files; path is used in messages and as base of relative
   names. */
int power_conf_parse(const char *path, const char *text, size_t size, struct power_conf **ret,
                struct fail *fail);
/* Reads a regular file of at most max bytes, NUL-terminated; the caller frees *ret. */
int power_file_read(const char *path, size_t max, char **ret, size_t *ret_size, struct fail *fail);
struct power_conf *power_conf_ref(struct power_conf *conf);
struct power_conf *power_conf_unref(struct power_conf *conf); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct power_conf *, power_conf_unref)
/* Sets a node's address to a copy of address. */
void power_conf_set_address(struct power_conf *conf, const char *node, const char *address);
const struct power_bmc *power_conf_lookup(const struct power_conf *conf,
                const char *node); /* NULL: unknown node */

/* Reads "3", "3s", "250ms", "2m", "1h"; a plain number is seconds. */
int power_duration_parse(const char *text, usec_t *ret);
/* Makes one address per node: "127.1.0.[1-8]" is a list of equal length; a text with %n (node name)
   or {n} (number at the end of the name) is filled in per node. ret: one allocated text per
   node. */
int power_addresses(const char *pattern, const struct hostlist *nodes, char ***ret,
                struct fail *fail);
char *power_pattern_fill(const char *pattern, const char *node); /* the caller frees */
int power_address_check(const char *address, struct fail *fail); /* HOST or HOST:PORT */
/* Reads a secret from a regular file of the process's user or root, inaccessible to others. */
int power_secret_read(const char *path, char **ret, struct fail *fail);
/* Reads FreeIPMI's name of a workaround; console: also those of Serial over LAN. */
int power_workaround_parse(const char *name, bool console, unsigned *ret);

/* ---- requests to many BMCs (power/pool.c) ---- */

struct power_result {
        const char *node;
        char *address;          /* NULL: the node is not in power.yaml */
        enum power_state state; /* last read */
        bool finished, ok;
        bool changed;                   /* a command was sent */
        bool confirmed;                 /* ok, and the requested state was read */
        double watts;                   /* for POWER_WATTS, if ok */
        struct power_identity identity; /* result of POWER_CHECK, if ok and cause is empty */
        struct power_cause cause;       /* if not ok */
        usec_t took;
};

struct power_pool;
struct power_pool *power_pool_new(struct power_conf *conf, enum power_verb verb, usec_t deadline);
void power_pool_add(struct power_pool *pool, const char *node);
/* Sets a hook called on any thread when node i was read as off and will be switched on. If the hook
   returns true, the node waits for power_pool_release(), at most for wait. */
void power_pool_before_on(struct power_pool *pool, bool (*hook)(size_t i, void *userdata),
                void *userdata, usec_t wait);
void power_pool_release(struct power_pool *pool, size_t i); /* from any thread */
/* Reports the result of node i, handled by another host (power_access.via); from any thread, any
   time after power_pool_add(). Copies state, ok, changed, confirmed, watts and cause. Ignored if
   the node has a result. */
void power_pool_report(struct power_pool *pool, size_t i, const struct power_result *res);
/* Called for each new result with the number of results and of nodes; and with res NULL several
   times a second while no result arrives. */
typedef void (*power_done_t)(const struct power_result *res, size_t n, size_t all, void *userdata);
/* Returns when every node has its result, at most slightly after the deadline. done (may be NULL)
   is called on the calling thread. */
int power_pool_run(struct power_pool *pool, power_done_t done, void *userdata, struct fail *fail);
size_t power_pool_count(const struct power_pool *pool);
const struct power_result *power_pool_result(const struct power_pool *pool, size_t i);
/* Frees the pool. Threads still waiting for a BMC keep their memory and free it later. */
struct power_pool *power_pool_unref(struct power_pool *pool);
DEFINE_CLEANUP(struct power_pool *, power_pool_unref)

/* ---- output (power/report.c) ---- */

/* Returns "n[1-4]: on\nn5: off\n", groups in the order of their first node; the caller frees. */
char *power_report_text(const struct power_result *const *results, size_t n);
char *power_report_watts(const struct power_result *const *results,
                size_t n); /* "n[1-2]: 352 W\n" */
/* POWER_CHECK: a line per node, "n1: on, firmware 2.10, UUID ... as its agent says"; verdicts[i] is
   of results[i]. */
struct power_verdict;
char *power_report_owners(const struct power_result *const *results,
                const struct power_verdict *verdicts, size_t n);
/* verdicts: NULL except for POWER_CHECK. */
char *power_report_json(enum power_verb verb, const struct power_result *const *results,
                const struct power_verdict *verdicts, size_t n);
/* Returns a line for descriptor SLUMBER_RESULT_FD:
   {"node":"n7","ok":false,"error":"no-power","retry_after":60,"text":"...","power":"on"}. power:
   last state read, if any; the table in report.c has the error of each fault. The caller frees. */
char *power_report_outcome(const struct power_result *res);
/* Returns {"file":..., "nodes":"n[1-8]", "deadline":MS or 0, "errors":[...]}; the caller frees. */
char *power_report_check(const char *path, const char *nodes, usec_t deadline,
                const struct faults *faults);
/* Returns the exit code: 0: all succeeded; 1: some failed; 2: none succeeded. */
int power_report_exit(const struct power_result *const *results, size_t n);

/* ---- the boot console (power/console.c) ---- */

/* Starts a child for the consoles of the BMCs, not yet connected. *ret_fd is a SOCK_SEQPACKET:
   writing an index (uint32_t) starts recording of that BMC's console into DIR/NODE.log; the index
   is returned when the console is connected or known to fail. The child runs until the time or size
   limit of power.yaml is reached for all requested consoles, even if the caller ends. Call before
   starting threads. */
int power_console_start(const struct power_conf *conf, const struct power_bmc *const *bmcs,
                size_t n, int *ret_fd, struct fail *fail);
