/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/system/fakectld.h - the controller's side of the protocol, against one slumberd that it
 * starts
 *
 * Every message that slumberd sends is kept in an inbox; wait_for() takes the first that fits and
 * runs the event loop until there is one.  Whatever does not come in time ends the test. */
#pragma once

#include "tests/unit/test.h"

#include "lib/conn/conn.h"
#include "lib/credential.h"

#define PATIENCE       (60 * USEC_PER_SEC)
#define HEARTBEAT_RARE (200 * USEC_PER_SEC) /* an idle step daemon stays as long as its test */
#define INBOX_MAX      16384
#define NODE           "n1"
#define USER_OTHER     65534
#define BODY(name)     SLUMBER__ENVELOPE__BODY_##name

/* The program, and auto|v2|v1|none: from the command line. */
extern const char *slumberd, *cgroup_kind;

struct world {
        char dir[64];
        sd_event *event;
        struct cluster_key *key;
        struct credential_key *signer;
        struct conn_server *server;
        struct conn *agent; /* the newest connection */
        uint16_t port;
        pid_t daemon;
        Envelope *inbox[INBOX_MAX];
        size_t n;
        bool welcome; /* answer Register */
        usec_t suspend_grace, heartbeat;
        uid_t uid;
        uint32_t next_job;
};
extern struct world w;

struct launch { /* what a test says; the rest is filled in */
        const char *script;
        const char *const *arguments; /* a step's program, NULL-terminated */
        uint32_t step, restarts, tasks;
        const char *std_out;
        bool frozen, forged, expired;
        bool as_root;    /* the credential's user was changed after it was signed */
        bool other_kind; /* a script with the credential of a step */
        const struct credential_key *key; /* that signs; NULL: the one that the agent was told */
        const char *node;
        uint32_t job; /* 0: the next */
};

void drop_inbox(void);
/* The first message of that kind, taken out of the inbox; the caller frees. */
Envelope *take(int body);
Envelope *wait_for(int body);
void start_slumberd(void);
void end_slumberd(int sig);
/* The newest child of that name; 0: none. */
pid_t find_child(pid_t parent, const char *name);
void write_file(const char *name, const char *text, mode_t mode);
int set_up(void **state);
void acknowledge(const Slumber__StepEnded *e);
int tear_down(void **state);
uint32_t launch(struct launch l);
void registered(void);
uint32_t launched(struct launch l);
void refused(struct launch l, const char *words);
Envelope *wait_for_end(void);
/* The wait status of the step's first task. */
uint32_t ended(uint32_t job);
void terminate(uint32_t job, const char *reason, bool now);
void gone(uint32_t job);
void freeze(uint32_t job, bool on, uint64_t serial);
char *content(const char *name);
size_t size_of(const char *name);
/* Runs the loop until the file is longer than before. */
void grows(const char *name);
void appears(const char *name);
void stands_still(const char *name);
