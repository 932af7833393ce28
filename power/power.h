/* SPDX-License-Identifier: GPL-3.0-or-later */
/* power/power.h - power of nodes through their BMCs: power.yaml, drivers, requests, results
 *
 * A BMC acknowledges before it acts, and may lie: a change counts only once it has been read back.
 * POWER_UNKNOWN is a state of its own and never means off.  Nothing here logs. */
#pragma once

#include "lib/fail.h"
#include "lib/hostlist.h"
#include "lib/identity.h"
#include "lib/strtab.h"

enum power_verb {
        POWER_STATUS,
        POWER_ON,
        POWER_OFF,   /* as a mains switch */
        POWER_SOFT,  /* asks the operating system; does not escalate */
        POWER_CYCLE, /* off, off read back, a pause, on */
        POWER_WATTS, /* its present power */
        POWER_CHECK, /* can it be switched, is it the node's own BMC; changes nothing */
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
        POWER_IS_CHANGING, /* switching, as the BMC reports: no command is sent */
        POWER_STATE_MAX,
};
DECLARE_STRTAB(power_state);

/* Why a request to a BMC failed; power/plan.c decides what follows. */
enum power_fault {
        POWER_OK,
        POWER_FAULT_CONFIG, /* the file's settings of this node: never repeated */
        /* password, user, privilege, a file, a program: nodes share them; never repeated, accounts
           get locked */
        POWER_FAULT_SHARED,
        POWER_FAULT_NAMES,   /* the name service does not work: repeated */
        POWER_FAULT_SILENT,  /* no answer: repeated with a fresh session, in the slow lane */
        POWER_FAULT_BUSY,    /* busy, no free session, stray reply: repeated with a fresh session */
        POWER_FAULT_NOT_NOW, /* not possible in the present state: the state is read again */
        POWER_FAULT_REFUSED, /* the BMC refuses or does not know the command: not repeated */
        POWER_FAULT_STUCK,   /* acknowledged, and did not act within the deadline */
        POWER_FAULT_MAX,
};
DECLARE_STRTAB(power_fault);

struct power_cause {
        enum power_fault fault;
        struct fail fail;   /* a sentence that names the BMC */
        usec_t retry_after; /* as requested by the BMC; 0: not */
};

/* What a BMC reports of its machine and of itself; "" for nothing. */
struct power_identity {
        char uuid[37]; /* "0f3c...": lower case, as the BMC has its bytes */
        char firmware[24];
        char product[IDENTITY_WORD_MAX + 1];
        /* of its machine and mainboard; lists of lib/identity.h */
        char serials[IDENTITY_LIST_SIZE];
        /* of its machine's network cards, and of its own where it does not tell them apart */
        char macs[IDENTITY_LIST_SIZE];
        /* of its first LAN channel, which the machine sees from inside, too */
        char bmc_mac[MAC_TEXT_SIZE];
};

/* clang-format off */
#define POWER_IDENTITY_TEXTS(X) X(uuid) X(firmware) X(product) X(serials) X(macs) X(bmc_mac)
/* clang-format on */

#define POWER_WATTS_MAX 1e6                   /* more is an error of the BMC */
#define POWER_LATE      (200 * USEC_PER_MSEC) /* after the deadline, for the last reading */

/* How to reach and treat a BMC; shared by the nodes of one entry of power.yaml. */
struct power_access {
        const struct power_driver *driver;
        char *user, *password;
        unsigned password_line; /* line of power.yaml that names the password */
        unsigned cipher_suite;
        unsigned workarounds; /* FreeIPMI's bits */
        usec_t retransmit, session;
        /* of single drivers */
        bool basic_auth, tls_verify;
        char *ca_file;      /* NULL: the system's */
        char *broadcast;    /* HOST:PORT */
        char *program;      /* for wake-on-lan off_program, or NULL */
        bool soft_by_agent; /* the node's own slumberd asks its logind to power off */
        /* the hosts with a slumberd that does it, a host list; NULL: this process does */
        char *via;
        char *certificates; /* the text of a ca_file on another host, or NULL */
        usec_t timeout;     /* of a request, a check, a program */
};
struct power_bmc {
        /* "host" or "host:port"; a MAC address; a program; NULL: as its agent reports it */
        char *node, *address;
        char *unit; /* what there is beside: Redfish's system, where a woken node is looked for, a
                       program's third argument; or NULL */
        const struct power_access *access;
        unsigned line; /* of its entry in power.yaml */
};

struct power_driver {
        const char *name, *noun; /* noun: before an address, for people */
        bool keeps; /* the session is kept while the state is awaited: a new one is expensive */
        bool silence_is_off; /* a node that is off is unknown to it */
        bool many;           /* an address serves any number of nodes */
        bool console;        /* Serial over LAN */
        void (*init)(void);  /* before there are threads; more than once */
        /* All of these may block up to limit or the access's session time, each a few times over.
           They return 0 or negative errno with *cause filled.  One session at a time per BMC. */
        int (*open)(const struct power_bmc *bmc, usec_t limit, void **ret_session,
                        struct power_cause *cause);
        int (*status)(void *session, enum power_state *ret, struct power_cause *cause);
        /* ON OFF SOFT.  1: carried out, and there is no way to read it back. */
        int (*control)(void *session, enum power_verb verb, struct power_cause *cause);
        int (*watts)(void *session, double *ret, struct power_cause *cause); /* NULL: it has none */
        /* likewise */
        int (*identify)(void *session, struct power_identity *ret, struct power_cause *cause);
        void (*close)(void *session);
};
const struct power_driver *power_driver_find(const char *name); /* NULL */
const struct power_driver *power_driver_ipmi(void);
const struct power_driver *power_driver_redfish(void);
const struct power_driver *power_driver_wake_on_lan(void);
const struct power_driver *power_driver_program(void);
const struct power_driver *power_driver_suspend(void);
/* Not in power.yaml: actions of a node's own slumberd (power/via.h). */
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
        bool deadline_set; /* set in the file */
        uint64_t threads;
        char *lock_file; /* NULL: the default, if it can be had */
        struct {
                char *dir; /* NULL: no consoles are kept */
                usec_t seconds, wait;
                uint64_t max_bytes;
                unsigned workarounds; /* beside those of the node */
        } console;
};

#define POWER_VIA_MAX  16         /* hosts of an entry: a rack has two or three that could */
#define POWER_YAML_MAX (8u << 20) /* bytes: 100,000 nodes with a line each fit well */

/* Where power.yaml is: path if given, $SLUMBER_POWER_CONF, what slumber.yaml beside $SLURM_CONF
   names (power_file, else power.yaml there) if it is there, /etc/slumber/power.yaml.
   *ret_console_dir: slumber.yaml's console_dir, *ret_socket: where its daemon listens; NULL without
   one.  The caller frees them.  Fails if slumber.yaml is wrong. */
int power_conf_find(const char *path, char **ret_file, char **ret_console_dir, char **ret_socket,
                struct fail *fail);
int power_conf_read(const char *path, struct power_conf **ret, struct fail *fail);
/* Parses text, without reading password files; path is for messages and relative names. */
int power_conf_parse(const char *path, const char *text, size_t size, struct power_conf **ret,
                struct fail *fail);
/* All errors of a file, each "PATH line N: KEY: what was expected", once. */
struct power_problems {
        char **lines;
        size_t n, allocated;
};
void power_problems_add(struct power_problems *problems, const char *line); /* copied */
void power_problems_done(struct power_problems *problems);
/* As power_conf_parse() and power_conf_read(), but continue after each error, as long as the file
   is YAML.  -EINVAL: there are problems. */
int power_conf_parse_all(const char *path, const char *text, size_t size, struct power_conf **ret,
                struct power_problems *problems);
int power_conf_check(const char *path, struct power_conf **ret, struct power_problems *problems);
/* Reads a regular file of at most max bytes, with a zero byte after it; the caller frees *ret. */
int power_file_read(const char *path, size_t max, char **ret, size_t *ret_size, struct fail *fail);
struct power_conf *power_conf_ref(struct power_conf *conf);
struct power_conf *power_conf_unref(struct power_conf *conf); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct power_conf *, power_conf_unref)
/* copied */
void power_conf_set_address(struct power_conf *conf, const char *node, const char *address);
const struct power_bmc *power_conf_lookup(const struct power_conf *conf,
                const char *node); /* NULL */

/* "3", "3s", "250ms", "2m", "1h"; a plain number is seconds. */
int power_duration_parse(const char *text, usec_t *ret);
/* "127.1.0.[1-8]" is the list of as many addresses as there are nodes; a text with %n (the node's
   name) or {n} (the number at its end) is made for each.  ret: one allocated text per node. */
int power_addresses(const char *pattern, const struct hostlist *nodes, char ***ret,
                struct fail *fail);
char *power_pattern_fill(const char *pattern, const char *node); /* the caller frees */
int power_address_check(const char *address, struct fail *fail); /* HOST or HOST:PORT */
/* Reads a secret from a regular file of the own user or root without access for others. */
int power_secret_read(const char *path, char **ret, struct fail *fail);
/* FreeIPMI's names of workarounds; console takes those of Serial over LAN too. */
int power_workaround_parse(const char *name, bool console, unsigned *ret);

/* ---- requests to many BMCs at once (power/pool.c) ---- */

struct power_result {
        const char *node;
        char *address;          /* NULL: the node is not in power.yaml */
        enum power_state state; /* last read */
        bool finished, ok;
        bool changed;                   /* a command was sent */
        bool confirmed;                 /* ok, and the state that was wanted was read */
        double watts;                   /* of POWER_WATTS, when ok */
        struct power_identity identity; /* of POWER_CHECK, when ok and cause is empty */
        struct power_cause cause;       /* when not ok */
        usec_t took;
};

struct power_pool;
struct power_pool *power_pool_new(struct power_conf *conf, enum power_verb verb, usec_t deadline);
void power_pool_add(struct power_pool *pool, const char *node);
/* hook is called on any thread when node i was read as off and is about to be switched on.  If it
   returns true, the node is left alone until power_pool_release() or for so long. */
void power_pool_before_on(struct power_pool *pool, bool (*hook)(size_t i, void *userdata),
                void *userdata, usec_t wait);
void power_pool_release(struct power_pool *pool, size_t i); /* from any thread */
/* The result of node i, for which another host cares (power_access.via); from any thread, as soon
   as it was added.  Copies state, ok, changed, confirmed, watts and cause.  Nothing if the node has
   a result already. */
void power_pool_report(struct power_pool *pool, size_t i, const struct power_result *res);
/* Called for each node as it gets its result, with how many have one and how many there are; and
   with NULL several times a second while none does. */
typedef void (*power_done_t)(const struct power_result *res, size_t n, size_t all, void *userdata);
/* Returns when every node has its result, at the latest a moment after the deadline.  done (may be
   NULL) is called on this thread. */
int power_pool_run(struct power_pool *pool, power_done_t done, void *userdata, struct fail *fail);
size_t power_pool_count(const struct power_pool *pool);
const struct power_result *power_pool_result(const struct power_pool *pool, size_t i);
/* Threads that are still inside a BMC's answer keep what they need and free it themselves. */
struct power_pool *power_pool_unref(struct power_pool *pool);
DEFINE_CLEANUP(struct power_pool *, power_pool_unref)

/* ---- what is printed (power/report.c) ---- */

/* "n[1-4]: on\nn5: off\n": groups in the order of their first node; the caller frees. */
char *power_report_text(const struct power_result *const *results, size_t n);
char *power_report_watts(const struct power_result *const *results,
                size_t n); /* "n[1-2]: 352 W\n" */
/* POWER_CHECK: a line for each node, "n1: on, firmware 2.10, UUID ... as its agent says";
   verdicts[i] is of results[i]. */
struct power_verdict;
char *power_report_owners(const struct power_result *const *results,
                const struct power_verdict *verdicts, size_t n);
/* verdicts: NULL but of POWER_CHECK. */
char *power_report_json(enum power_verb verb, const struct power_result *const *results,
                const struct power_verdict *verdicts, size_t n);
/* A line for the descriptor SLUMBER_RESULT_FD:
   {"node":"n7","ok":false,"error":"no-power","retry_after":60,"text":"...", "power":"on"}; power is
   what was read last, if anything was; what each fault means to the controller is in its table. The
   caller frees. */
char *power_report_outcome(const struct power_result *res);
/* {"file":..., "nodes":"n[1-8]", "deadline":MS or 0, "errors":[...]}; the caller frees. */
char *power_report_check(const char *path, const char *nodes, usec_t deadline,
                const struct power_problems *problems);
/* 0 all, 1 some failed, 2 none succeeded. */
int power_report_exit(const struct power_result *const *results, size_t n);

/* ---- the boot console (power/console.c) ---- */

/* Starts a child for the consoles of these BMCs; no connection is made yet.  *ret_fd is a
   SOCK_SEQPACKET: an index (uint32_t) written to it has that BMC's console captured into
   DIR/NODE.log, and the index comes back once it is connected or known not to work.  The child
   lives until the time or size given in power.yaml is reached for all that were asked for, whether
   or not the caller is still there.  Call while single-threaded. */
int power_console_start(const struct power_conf *conf, const struct power_bmc *const *bmcs,
                size_t n, int *ret_fd, struct fail *fail);
