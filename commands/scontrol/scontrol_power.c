/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scontrol's verbs about power: power up, power down, power audit, reboot, cancel_reboot, and the
 * summary of show power. (show power with a node list: scontrol_show.c.) */
#include "commands/query.h"
#include "commands/scontrol/scontrol.h"
#include "commands/setting.h"
#include "lib/hostlist.h"
#include "lib/wire.h"

#include <strings.h>

/* ---- power ---- */

static void power_word(Slumber__PowerRequest *p, char *word, bool *ret_bad) {
        struct setting setting;

        if (setting_parse(word, &setting) == 0) {
                if (setting_is(&setting, "Action", 3))
                        p->action = (char *)(uintptr_t)setting.value;
                else if (setting_is(&setting, "Reason", 3) && !p->up)
                        p->reason = (char *)(uintptr_t)setting.value;
                else
                        *ret_bad = true;
                return;
        }
        if (!*p->nodes && strcasecmp(word, "asap") == 0)
                p->asap = true;
        else if (!*p->nodes && strcasecmp(word, "force") == 0)
                p->force = true;
        else if (!*p->nodes)
                p->nodes = word;
        else
                *ret_bad = true;
}

/* Runs "power audit [NODES]". */
static int power_audit(const struct scontrol *s, int argc, char **argv) {
        Slumber__AuditRequest request = SLUMBER__AUDIT_REQUEST__INIT;
        _cleanup_envelope_ Envelope *reply = NULL;
        struct fail fail = { 0 };
        uint32_t code;

        if (argc > 3)
                return scontrol_refuse("invalid argument for power audit: %s", argv[3]);
        request.nodes = argc > 2 ? argv[2] : (char *)(uintptr_t) "";
        ENVELOPE(envelope, AUDIT, audit, &request);
        if (scontrol_call(&envelope, &reply, &code, &fail) < 0)
                return scontrol_refuse("slurm_power_audit error: %s", fail.text);
        if (reply->body_case != SLUMBER__ENVELOPE__BODY_AUDIT_REPLY)
                return scontrol_refuse("slurm_power_audit error: unexpected answer");
        const Slumber__AuditReply *m = reply->audit_reply;
        for (size_t i = 0; i < m->n_differences; i++)
                printf("%s is %s, its BMC reads %s: %s\n", m->differences[i]->node,
                                m->differences[i]->state, m->differences[i]->observed,
                                m->differences[i]->text);
        printf("%u BMC%s read, %zu difference%s, %u node%s without a BMC\n", m->read,
                        m->read == 1 ? "" : "s", m->n_differences, m->n_differences == 1 ? "" : "s",
                        m->unknown, m->unknown == 1 ? "" : "s");
        return EXIT_SUCCESS;
}

int scontrol_power(const struct scontrol *s, int argc, char **argv) {
        Slumber__PowerRequest p = SLUMBER__POWER_REQUEST__INIT;
        bool bad = false;

        if (argc > 1 && strcasecmp(argv[1], "audit") == 0)
                return power_audit(s, argc, argv);
        if (argc > 1 && strcasecmp(argv[1], "plan") == 0)
                return scontrol_power_plan(s, argc - 1, argv + 1);
        if (argc < 3)
                return scontrol_refuse("too few arguments for keyword:%s", argv[0]);
        p.up = strcasecmp(argv[1], "up") == 0;
        if (!p.up && strcasecmp(argv[1], "down") != 0)
                return scontrol_refuse(
                                "invalid power action: %s (up, down, audit or plan is expected)",
                                argv[1]);
        for (int i = 2; i < argc && !bad; i++) {
                _cleanup_free_ char *word = xstrdup(argv[i]);

                power_word(&p, argv[i], &bad);
                if (bad)
                        return scontrol_refuse("invalid argument for power %s: %s",
                                        p.up ? "up" : "down", word);
        }
        if (p.up && p.asap)
                return scontrol_refuse("asap is valid for power down only");
        if (p.asap && p.force)
                return scontrol_refuse("asap and force exclude each other");
        if (!*p.nodes)
                return scontrol_refuse("no nodes given for power %s", p.up ? "up" : "down");
        ENVELOPE(envelope, POWER, power, &p);
        return scontrol_ask(s, &envelope, "slurm_update");
}

/* ---- the summary ---- */

struct power_group { /* nodes with equal state and reason */
        char *state, *why;
        struct hostlist *nodes;
};

struct power_summary {
        struct power_group *list;
        size_t n, allocated;
};

static struct power_group *power_group_get(struct power_summary *s, const char *state,
                const char *why) {
        for (size_t i = 0; i < s->n; i++)
                if (streq(s->list[i].state, state) && streq(s->list[i].why, why))
                        return &s->list[i];
        GROW(s->list, s->allocated, s->n);
        s->list[s->n] = (struct power_group){ xstrdup(state), xstrdup(why), hostlist_new() };
        return &s->list[s->n++];
}

static void power_group_add_node(const void *record, void *user) {
        const Node *node = record;

        hostlist_push(power_group_get(user, node->state_text, node->power ? node->power->why : "")
                                        ->nodes,
                        node->name);
}

static int power_group_compare(const void *a, const void *b) {
        const struct power_group *x = a, *y = b;
        size_t m = hostlist_count(x->nodes), n = hostlist_count(y->nodes);

        return m != n ? (m > n ? -1 : 1)
                      : strcmp(hostlist_get(x->nodes, 0), hostlist_get(y->nodes, 0));
}

static void print_summary(const struct scontrol *s, struct power_summary *sum) {
        list_sort(sum->list, sum->n, sizeof sum->list[0], power_group_compare);
        for (size_t i = 0; i < sum->n; i++) {
                struct power_group *g = &sum->list[i];
                _cleanup_free_ char *nodes = hostlist_text(g->nodes);
                const char *between = s->one_liner ? " " : "\n   ";
                printf("NodeCnt=%zu State=%s NodeList=%s%sWhy=%s%s", hostlist_count(g->nodes),
                                g->state, nodes, between, g->why, s->one_liner ? "\n" : "\n\n");
                hostlist_free(g->nodes);
                free(g->state);
                free(g->why);
        }
        free(sum->list);
}

int scontrol_power_summary(const struct scontrol *s) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        Slumber__NodeQuery query = SLUMBER__NODE_QUERY__INIT;
        struct power_summary sum = { 0 };
        struct fail fail = { 0 };
        usec_t now;

        query.with_future = s->future;
        query.with_power = query.brief_power = true;
        if (command_connect(&w, &fail) < 0 ||
                        query_each_node(w, &query, power_group_add_node, &sum, &now, &fail) < 0)
                return scontrol_complain(s, "slurm_load_node error: %s", fail.text);
        if (sum.n == 0)
                puts("No nodes in the system");
        print_summary(s, &sum);
        return EXIT_SUCCESS;
}

/* ---- reboots ---- */

/* Sets the option of one word, before or after the nodes; false: word is no option. */
static bool reboot_word(Slumber__RebootRequest *r, Slumber__Text *reason, char *word) {
        static const char *const states[] = { "", "RESUME", "DOWN" }; /* enum node_next */
        struct setting setting;

        if (strcasecmp(word, "asap") == 0) {
                r->asap = true;
                return true;
        }
        if (strcasecmp(word, "force") == 0) {
                r->force = true;
                return true;
        }
        if (setting_parse(word, &setting) < 0)
                return false;
        if (setting_is(&setting, "reason", 3)) {
                reason->value = (char *)(uintptr_t)setting.value;
                r->reason = reason;
                return true;
        }
        if (setting_is(&setting, "action", 3)) {
                r->action = (char *)(uintptr_t)setting.value;
                return true;
        }
        for (uint32_t i = 1; setting_is(&setting, "nextstate", 5) && i < ELEMENTSOF(states); i++)
                if (strcasecmp(setting.value, states[i]) == 0) {
                        r->next = i;
                        return true;
                }
        return false;
}

int scontrol_reboot(const struct scontrol *s, int argc, char **argv) {
        Slumber__RebootRequest r = SLUMBER__REBOOT_REQUEST__INIT;
        Slumber__Text reason = SLUMBER__TEXT__INIT;

        for (int i = 1; i < argc; i++) {
                _cleanup_free_ char *word = xstrdup(argv[i]);
                bool how = strcasecmp(argv[i], "asap") == 0 || strcasecmp(argv[i], "force") == 0;
                if (!strchr(argv[i], '=') && !how && !*r.nodes)
                        r.nodes = argv[i];
                else if (!reboot_word(&r, &reason, argv[i]))
                        return scontrol_refuse(
                                        "invalid argument for reboot: %s (ASAP, FORCE, nextstate=RESUME|DOWN, reason= or action= is expected)",
                                        word);
        }
        if (!*r.nodes)
                return scontrol_refuse("no nodes given for %s", argv[0]);
        ENVELOPE(envelope, REBOOT, reboot, &r);
        return scontrol_ask(s, &envelope, "slurm_reboot_nodes");
}

int scontrol_cancel_reboot(const struct scontrol *s, int argc, char **argv) {
        Slumber__NodeUpdate update = SLUMBER__NODE_UPDATE__INIT;

        if (argc != 2)
                return scontrol_refuse("one list of nodes is expected: %s NODES", argv[0]);
        update.nodes = argv[1];
        update.state = (char *)(uintptr_t) "CANCEL_REBOOT";
        ENVELOPE(envelope, NODE_UPDATE, node_update, &update);
        return scontrol_ask(s, &envelope, "slurm_update");
}
