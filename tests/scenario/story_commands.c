/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One row per command. */
#include "controller/account_admin/acct_change.h"
#include "controller/accounts/priority.h"
#include "controller/indexes/array.h"
#include "controller/indexes/changed.h"
#include "controller/jobs/job_events.h"
#include "controller/jobs/job_memory.h"
#include "controller/jobs/reservation_life.h"
#include "controller/nodes/audit.h"
#include "controller/nodes/node_events.h"
#include "controller/nodes/outcome.h"
#include "controller/nodes/reboot.h"
#include "controller/nodes/veto.h"
#include "controller/reservations/reservation.h"
#include "controller/sched/sched.h"
#include "controller/steps/step_ports.h"
#include "controller/updates/node_update.h"
#include "controller/updates/priority_top.h"
#include "controller/updates/reservation_edit.h"
#include "lib/timetext.h"
#include "tests/scenario/story.h"

/* ---- small parsers ---- */

int story_number(const char *word, uint32_t *ret, struct fail *fail) {
        uint64_t v;
        int r = uint_parse(word, 0, UINT32_MAX, &v);

        if (r < 0)
                return fail_set(fail, r, "%s is not a number", word);
        *ret = (uint32_t)v;
        return 0;
}

/* "20s", "1.5s", "3ms", "2m", "1h" */
int story_span(const char *word, usec_t *ret, struct fail *fail) {
        static const struct {
                const char *unit;
                double usec;
        } units[] = { { "ms", 1e3 }, { "us", 1 }, { "s", 1e6 }, { "m", 60e6 }, { "h", 3600e6 },
                { "d", 86400e6 } };
        char *end;
        double v = strtod(word, &end);

        for (size_t i = 0; i < ELEMENTSOF(units); i++)
                if (end != word && streq(end, units[i].unit)) {
                        *ret = (usec_t)(v * units[i].usec + 0.5);
                        return 0;
                }
        return fail_set(fail, -EINVAL, "%s is not a time like 20s or 5ms", word);
}

int story_job(struct story *s, const char *word, struct job **ret, struct fail *fail) {
        const char *task = strchr(word, '_');
        _cleanup_free_ char *first = task ? xstrndup(word, (size_t)(task - word)) : NULL;
        uint32_t id = 0, index = 0;
        int r = story_number(task ? first : word, &id, fail);

        if (r >= 0 && task)
                r = story_number(task + 1, &index, fail);
        struct array *a = r >= 0 && task ? cluster_array(s->w->c, id) : NULL;
        if (a) {
                *ret = array_waits(a, index) ? array_take(s->w->c, a, index) : array_task(a, index);
                return *ret ? 0 : fail_set(fail, -ENOENT, "there is no task %s", word);
        }

        if (r < 0)
                return r;
        *ret = cluster_job(s->w->c, id);
        return *ret ? 0 : fail_set(fail, -ENOENT, "there is no job %s", word);
}

static int find_node(struct story *s, const char *word, struct node **ret, struct fail *fail) {
        *ret = cluster_node(s->w->c, word);
        return *ret ? 0 : fail_set(fail, -ENOENT, "there is no node %s", word);
}

static void answer(struct story *s, enum slumber_error e) {
        if (e != SLUMBER_OK)
                story_out(s, "refused: %s", slumber_error_text((int)e));
}

/* ---- sacctmgr: "add qos high priority=5", "modify user x set qos+=y" ---- */

static int cmd_sacctmgr(struct story *s, char **words, size_t n, struct fail *fail) {
        struct fail why = { 0 };
        int r = world_sacctmgr(s->w, words, n, &why);

        if (r == -ENOSYS)
                return fail_set(fail, r, "%s", why.text);
        if (r < 0)
                story_out(s, "refused: %.*s", (int)strcspn(why.text + strspn(why.text, " "), "\n"),
                                why.text + strspn(why.text, " "));
        else if (r > 0)
                story_out(s, "nothing to do");
        return 0;
}

/* ---- what users and admins want of a job ---- */

static enum slumber_error cancel(struct cluster *c, struct job *j, usec_t now) {
        return job_cancel(c, j, 1000, now);
}
static enum slumber_error hold(struct cluster *c, struct job *j, usec_t now) {
        return job_hold(c, j, true, now);
}
static enum slumber_error user_hold(struct cluster *c, struct job *j, usec_t now) {
        return job_hold(c, j, false, now);
}
static enum slumber_error release(struct cluster *c, struct job *j, usec_t now) {
        return job_release(c, j, true, now);
}
static enum slumber_error user_release(struct cluster *c, struct job *j, usec_t now) {
        return job_release(c, j, false, now);
}
static enum slumber_error requeue(struct cluster *c, struct job *j, usec_t now) {
        return job_requeue(c, j, "JOB REQUEUE", false, now);
}
static enum slumber_error requeue_hold(struct cluster *c, struct job *j, usec_t now) {
        return job_requeue(c, j, "JOB REQUEUE", true, now);
}
static enum slumber_error terminate(struct cluster *c, struct job *j, usec_t now) {
        return job_signal(c, j, 15, STEP_ANY, false, false);
}

static const struct {
        const char *word;
        enum slumber_error (*ask)(struct cluster *c, struct job *j, usec_t now);
} wishes[] = {
        { "cancel", cancel },
        { "suspend", job_suspend },
        { "resume", job_resume },
        { "hold", hold },
        { "uhold", user_hold },
        { "release", release },
        { "urelease", user_release },
        { "requeue", requeue },
        { "requeuehold", requeue_hold },
        { "term", terminate },
};

static int wish(struct story *s, const char *word, const char *id, struct fail *fail) {
        for (size_t i = 0; i < ELEMENTSOF(wishes); i++) {
                struct job *j;
                if (!streq(wishes[i].word, word))
                        continue;
                int r = story_job(s, id, &j, fail);
                if (r >= 0)
                        answer(s, wishes[i].ask(s->w->c, j, s->w->now));
                return r;
        }
        return -ENOENT;
}

/* "top 3 1" */
static int cmd_top(struct story *s, char **words, size_t n, struct fail *fail) {
        _cleanup_free_ struct job **list = xnew(struct job *, n);
        int r = 0;

        for (size_t i = 0; i < n && r >= 0; i++)
                r = story_job(s, words[i], &list[i], fail);
        if (r >= 0)
                priority_top(s->w->c, list, n, s->w->now);
        return r;
}

/* ---- nodes ---- */

typedef void (*node_func)(struct story *s, struct node *n, unsigned value);

static int each_node(struct story *s, const char *names, node_func func, unsigned value,
                struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *set = NULL;
        int r = cluster_nodes_parse(s->w->c, names, &set, fail);

        if (r < 0)
                return r;
        bitset_for_each(i, set)
                func(s, s->w->c->nodes[i], value);
        return 0;
}

static void add_fault(struct story *s, struct node *n, unsigned value) {
        s->w->agents[n->index].faults |= value;
}
static void drop_faults(struct story *s, struct node *n, unsigned value) {
        s->w->agents[n->index].faults = 0;
}
static void press(struct story *s, struct node *n, unsigned value) {
        world_power(s->w, n->index, value);
}
static void cut(struct story *s, struct node *n, unsigned value) {
        world_connect(s->w, n->index, value);
}
static void restart(struct story *s, struct node *n, unsigned value) {
        world_restart_agent(s->w, n->index);
}

static int cmd_fault(struct story *s, char **words, size_t n, struct fail *fail) {
        int fault = fault_parse(words[0]);

        if (fault < 0)
                return fail_set(fail, -EINVAL, "there is no fault %s", words[0]);
        return each_node(s, words[1], add_fault, 1u << fault, fail);
}

static int cmd_repair(struct story *s, char **words, size_t n, struct fail *fail) {
        return each_node(s, words[0], drop_faults, 0, fail);
}

static int cmd_switch(struct story *s, char **words, size_t n, struct fail *fail) {
        return each_node(s, words[1], press, streq(words[0], "on"), fail);
}

static int cmd_cut(struct story *s, char **words, size_t n, struct fail *fail) {
        return each_node(s, words[0], cut, true, fail);
}

static int cmd_mend(struct story *s, char **words, size_t n, struct fail *fail) {
        return each_node(s, words[0], cut, false, fail);
}

static int cmd_restart(struct story *s, char **words, size_t n, struct fail *fail) {
        return each_node(s, words[0], restart, 0, fail);
}

/* "admin n1 POWER_DOWN action=shutdown": a PowerAction */
static int admin_action(struct story *s, const char *nodes, const char *state, const char *action) {
        const struct node_update u = { .state = state, .action = action };
        struct fail why = { 0 };
        enum slumber_error e = nodes_update(s->w->c, nodes, &u, 0, s->w->now, &why);

        if (e != SLUMBER_OK)
                story_out(s, "refused: %s", why.text);
        return 0;
}

static int cmd_admin(struct story *s, char **words, size_t n, struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *set = NULL;
        int r = cluster_nodes_parse(s->w->c, words[0], &set, fail);

        if (r < 0)
                return r;
        if (n > 2 && strncmp(words[2], "action=", 7) == 0)
                return admin_action(s, words[0], words[1], words[2] + 7);
        bitset_for_each(i, set)
                answer(s, node_admin(s->w->c, s->w->c->nodes[i], words[1], n > 2 ? words[2] : NULL,
                                          0, s->w->now));
        return 0;
}

/* "resume-after n1 60s"; "resume-after n1 never" */
static int cmd_resume_after(struct story *s, char **words, size_t n, struct fail *fail) {
        usec_t after = NO_LIMIT;
        struct node *node;
        int r = find_node(s, words[0], &node, fail);

        if (r >= 0 && !streq(words[1], "never"))
                r = story_span(words[1], &after, fail);
        if (r >= 0)
                answer(s, node_resume_after(s->w->c, node, after, s->w->now));
        return r;
}

/* "reboot n[1-2] asap next=DOWN" */
static int cmd_reboot(struct story *s, char **words, size_t n, struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *set = NULL;
        struct reboot_wish w = { 0 };
        int r = cluster_nodes_parse(s->w->c, words[0], &set, fail);

        for (size_t i = 1; r >= 0 && i < n; i++) {
                if (streq(words[i], "asap"))
                        w.asap = true;
                else if (streq(words[i], "force"))
                        w.force = true;
                else if (strncmp(words[i], "action=", 7) == 0)
                        w.action = words[i] + 7;
                else if (streq(words[i], "next=DOWN"))
                        w.next = NODE_NEXT_DOWN;
                else if (streq(words[i], "next=RESUME"))
                        w.next = NODE_NEXT_RESUME;
                else
                        w.reason = words[i];
        }
        if (r < 0)
                return r;
        bitset_for_each(i, set)
                answer(s, reboot_request(s->w->c, s->w->c->nodes[i], &w, s->w->now));
        return 0;
}

/* "register n1 3 4f 9.1": a registration by hand that tells of jobs 3, 4 (frozen) and 9 (its first
   restart). */
static int cmd_register(struct story *s, char **words, size_t n, struct fail *fail) {
        struct found_job found[WORDS_MAX] = { 0 };
        struct fail why = { 0 };
        struct node *node;
        int r = find_node(s, words[0], &node, fail);

        if (r < 0)
                return r;
        for (size_t i = 1; i < n; i++) {
                char *end;
                found[i - 1].id = (uint32_t)strtoul(words[i], &end, 10);
                if (*end == '.')
                        found[i - 1].restarts = (uint32_t)strtoul(end + 1, &end, 10);
                found[i - 1].frozen = *end == 'f';
                found[i - 1].owes = *end == 'h' || *end == 'b'; /* its hooks alone */
                found[i - 1].script = !found[i - 1].owes;
                found[i - 1].lost = *end == 'l' || *end == 'b';
        }
        struct registration reg = { .hardware = node->configured,
                .boot_time = s->w->agents[node->index].boot_time,
                .start_time = s->w->now,
                .jobs = found,
                .n_jobs = n - 1 };
        r = node_register(s->w->c, node, &reg, s->w->now, &why);
        if (r < 0)
                story_out(s, "refused: %s", why.text);
        s->w->agents[node->index].linked = r != -EAGAIN;
        return 0;
}

/* "outcome n[1-2] resume capacity 60s "no more of them" off": what its program says, and what it
   has read */
static int cmd_outcome(struct story *s, char **words, size_t n, struct fail *fail) {
        enum outcome_verb verb = streq(words[1], "suspend") ? OUTCOME_SUSPEND : OUTCOME_RESUME;
        _cleanup_(bitset_freep) struct bitset *set = NULL;
        int kind = outcome_kind_parse(words[2]),
            r = cluster_nodes_parse(s->w->c, words[0], &set, fail);
        struct outcome o = {
                .kind = (enum outcome_kind)kind,
                .text = n > 4 && *words[4] ? words[4] : NULL,
        };

        if (n > 5)
                o.seen = (enum node_observed)MAX(OBSERVED_NOTHING, node_observed_parse(words[5]));
        if (r >= 0 && kind < 0)
                r = fail_set(fail, -EINVAL, "there is no outcome %s", words[2]);
        if (r >= 0 && n > 3)
                r = story_span(words[3], &o.retry_after, fail);
        if (r < 0)
                return r;
        bitset_for_each(i, set)
                if (node_outcome(s->w->c, s->w->c->nodes[i], verb, &o, s->w->now, s->w->now) < 0)
                        story_out(s, "%s is past that", s->w->c->nodes[i]->name);
        return 0;
}

/* "exited n[1-2] well", "exited n[1-2] "exit status 3"": its ResumeProgram has ended without a word
   of them */
static int cmd_exited(struct story *s, char **words, size_t n, struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *set = NULL;
        int r = cluster_nodes_parse(s->w->c, words[0], &set, fail);

        if (r < 0)
                return r;
        bitset_for_each(i, set)
                node_resume_exited(s->w->c, s->w->c->nodes[i],
                                streq(words[1], "well") ? NULL : words[1], s->w->now, s->w->now);
        return 0;
}

/* "kill": the controller dies, and the next one begins with what was written. */
static int cmd_kill(struct story *s, char **words, size_t n, struct fail *fail) {
        if (!s->store.nodes)
                return fail_set(fail, -EINVAL, "nothing is written here");
        records_restart(&s->store, s->w, 0);
        s->w->next_port = 0;
        return 0;
}

/* "audit n[1-3] [TIME]": what their BMCs, which were asked so long ago, read, where it is not what
   the core thinks */
static void audit(struct story *s, struct node *n, unsigned seconds) {
        int result = world_observe(s->w, n->index,
                        s->w->now - MIN(s->w->now, seconds * USEC_PER_SEC));

        if (result != AUDIT_AGREES)
                story_out(s, "%s reads %s: %s", n->name, node_observed_text((int)n->bmc_power),
                                audit_result_text(result));
}

static int cmd_audit(struct story *s, char **words, size_t n, struct fail *fail) {
        usec_t ago = 0;
        int r = n > 1 ? story_span(words[1], &ago, fail) : 0;

        return r < 0 ? r : each_node(s, words[0], audit, (unsigned)(ago / USEC_PER_SEC), fail);
}

/* "bmcs on": BMCs of nodes with lost agents are read */
static int cmd_bmcs(struct story *s, char **words, size_t n, struct fail *fail) {
        s->w->has_bmcs = streq(words[0], "on");
        return 0;
}

/* "swap n1 100": its agent says that so many MB of swap are free; "swap n1 none" */
static int cmd_swap(struct story *s, char **words, size_t n, struct fail *fail) {
        struct node *node;
        uint64_t mb = 0;
        int r = find_node(s, words[0], &node, fail);

        (void)n;
        if (r < 0)
                return r;
        bool none = streq(words[1], "none");
        if (!none && uint_parse(words[1], 0, UINT32_MAX, &mb) < 0)
                return fail_set(fail, -EINVAL, "\"%s\" is not a number of MB", words[1]);
        memory_swap(s->w->c, node, !none, none ? "the node has no swap" : "", mb, s->w->now);
        return 0;
}

/* "veto n1 "a user is logged in""; "veto n1": not any more */
static int cmd_veto(struct story *s, char **words, size_t n, struct fail *fail) {
        struct node *node;
        int r = find_node(s, words[0], &node, fail);

        if (r >= 0)
                world_veto(s->w, node->index, n > 1 ? words[1] : NULL);
        return r;
}

/* "helpers "Feature=f1,f2 Helper=/bin/true"": helpers.conf, a line each word */
static int cmd_helpers(struct story *s, char **words, size_t n, struct fail *fail) {
        _cleanup_free_ char *text = xstrdup("");

        for (size_t i = 0; i < n; i++) {
                _cleanup_free_ char *before = text;
                text = xasprintf("%s%s\n", before, words[i]);
        }
        return world_helpers(s->w, text, fail);
}

/* "image n1 f1,f2": what its helpers report, from its next registration on */
static int cmd_image(struct story *s, char **words, size_t n, struct fail *fail) {
        struct node *node;
        int r = find_node(s, words[0], &node, fail);

        if (r >= 0)
                free_and_strdup(&s->w->agents[node->index].image, words[1]);
        return r;
}

/* "figures n[1-3] 300 120 8 200": watts on, idle, off, booting */
static int cmd_figures(struct story *s, char **words, size_t n, struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *set = NULL;
        uint32_t watts[ENERGY_FIGURE_MAX];
        int r = cluster_nodes_parse(s->w->c, words[0], &set, fail);

        for (size_t i = 0; r >= 0 && i < ENERGY_FIGURE_MAX; i++)
                r = story_number(words[1 + i], &watts[i], fail);
        if (r < 0)
                return r;
        bitset_for_each(k, set) {
                for (size_t i = 0; i < ENERGY_FIGURE_MAX; i++)
                        s->w->c->nodes[k]->figures[i] = (uint64_t)watts[i] * 1000;
                cluster_node_changed(s->w->c, s->w->c->nodes[k], s->w->now);
        }
        return 0;
}

/* "watts n1 250": its BMC says so */
static int cmd_watts(struct story *s, char **words, size_t n, struct fail *fail) {
        struct node *node;
        uint32_t watts = 0;
        int r = find_node(s, words[0], &node, fail);

        if (r >= 0)
                r = story_number(words[1], &watts, fail);
        if (r >= 0)
                energy_reading(s->w->c, node, (uint64_t)watts * 1000, s->w->now);
        return r;
}

/* ---- agents ---- */

static int cmd_agents(struct story *s, char **words, size_t n, struct fail *fail) {
        s->w->answering = streq(words[0], "on");
        return 0;
}

static int cmd_delay(struct story *s, char **words, size_t n, struct fail *fail) {
        int delay = delay_parse(words[0]);

        if (delay < 0)
                return fail_set(fail, -EINVAL, "there is no delay %s", words[0]);
        return story_span(words[1], &s->w->delays[delay], fail);
}

/* "step 3 [10m] [ports[=4]]": a step of job 3 starts on all of its nodes, perhaps with a time limit
   or ports of its own */
static int cmd_step(struct story *s, char **words, size_t n, struct fail *fail) {
        usec_t limit = NO_LIMIT;
        uint32_t ports = 0;
        struct job *j;
        int r = story_job(s, words[0], &j, fail);

        for (size_t i = 1; r >= 0 && i < n; i++) {
                if (streq(words[i], "ports"))
                        ports = STEP_PORTS_BY_TASKS;
                else if (strncmp(words[i], "ports=", 6) == 0)
                        r = story_number(words[i] + 6, &ports, fail);
                else
                        r = story_span(words[i], &limit, fail);
        }
        if (r >= 0)
                answer(s, world_start_step(s->w, j, limit, ports));
        return r;
}

/* "step-ends 3 0 n[1-2]": step 0 of job 3 has ended on these nodes */
static int cmd_step_ends(struct story *s, char **words, size_t n, struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *set = NULL;
        uint32_t id = 0;
        struct job *j;
        int r = story_job(s, words[0], &j, fail);

        (void)n;
        if (r >= 0)
                r = story_number(words[1], &id, fail);
        if (r >= 0)
                r = cluster_nodes_parse(s->w->c, words[2], &set, fail);
        if (r < 0)
                return r;
        struct step *step = job_step_find(j, id);
        if (!step)
                return fail_set(fail, -ENOENT, "job %s has no step %s", words[0], words[1]);
        bitset_for_each(i, set)
                (void)job_step_node_ended(s->w->c, j, step, s->w->c->nodes[i], 0, NULL, s->w->now);
        return 0;
}

/* "holder 3 lost": the connection of the srun that holds job 3 and has started its steps is broken;
   "holder 3 back" */
static int cmd_holder(struct story *s, char **words, size_t n, struct fail *fail) {
        bool lost = streq(words[1], "lost");
        struct job *j;
        int r = story_job(s, words[0], &j, fail);

        if (r < 0)
                return r;
        if (lost)
                job_holder_lost(s->w->c, j, s->w->now);
        else
                j->running.orphan_due = 0;
        for (size_t i = 0; i < j->running.n_steps; i++) {
                if (lost)
                        job_step_holder_lost(s->w->c, j, &j->running.steps[i], s->w->now);
                else
                        j->running.steps[i].orphan_due = 0;
        }
        return 0;
}

static int cmd_launched(struct story *s, char **words, size_t n, struct fail *fail) {
        struct job *j;
        int r = story_job(s, words[0], &j, fail);

        if (r >= 0)
                job_launched(s->w->c, j, n > 1 ? words[1] : NULL, s->w->now);
        return r;
}

static int cmd_ended(struct story *s, char **words, size_t n, struct fail *fail) {
        uint32_t status = 0;
        struct job *j;
        int r = story_job(s, words[0], &j, fail);

        if (r >= 0 && n > 1)
                r = story_number(words[1], &status, fail);
        if (r >= 0)
                job_batch_ended(s->w->c, j, status, n > 2 && streq(words[2], "oom"), NULL,
                                s->w->now, s->w->now);
        return r;
}

/* "frozen 3 n1 yes": the answer to the last freeze or thaw; "frozen 3 n1 no D-state" */
static int cmd_frozen(struct story *s, char **words, size_t n, struct fail *fail) {
        struct node *node;
        struct job *j;
        int r = story_job(s, words[0], &j, fail);

        if (r >= 0)
                r = find_node(s, words[1], &node, fail);
        if (r < 0)
                return r;
        const struct job_node *jn = job_node_find(j, node);
        uint64_t serial = jn ? jn->serial - (streq(words[2], "late") ? 1 : 0) : 0;
        job_frozen(s->w->c, j, node, !streq(words[2], "no"), serial, n > 3 ? words[3] : NULL,
                        s->w->now);
        return 0;
}

static int cmd_gone(struct story *s, char **words, size_t n, struct fail *fail) {
        uint32_t id = (uint32_t)strtoul(words[0], NULL, 10);
        const char *dot = strchr(words[0], '.');
        struct node *node;
        int r = find_node(s, words[1], &node, fail);

        if (r >= 0)
                node_job_gone(s->w->c, node, id, dot ? (uint32_t)strtoul(dot + 1, NULL, 10) : 0,
                                n > 2 ? &(struct node_fault){ kill_failed, words[2] } : NULL,
                                s->w->now);
        return r;
}

/* gres NODE COUNT...: what its agent finds of each item */
static int cmd_gres(struct story *s, char **words, size_t n, struct fail *fail) {
        uint64_t counts[WORDS_MAX] = { 0 };
        const struct node_gres_found found = { .counts = counts };
        struct node *node;
        int r = find_node(s, words[0], &node, fail);

        for (size_t i = 1; i < n; i++)
                counts[i - 1] = strtoull(words[i], NULL, 10);
        if (r >= 0)
                node_gres_reported(s->w->c, node, &found, s->w->now);
        return r;
}

/* ---- looking ---- */

static const struct {
        const char *word;
        void (*all)(struct story *s);
        void (*named)(struct story *s, const char *name);
        void (*numbered)(struct story *s, uint32_t id);
} shows[] = {
        { "nodes", .all = show_nodes },
        { "brake", .all = show_brake },
        { "jobs", .all = show_jobs },
        { "plan", .all = show_plan },
        { "licenses", .all = show_licenses },
        { "gres", .all = show_gres },
        { "parts", .all = show_parts },
        { "stopped", .all = show_stopped },
        { "reservations", .all = show_reservations },
        { "priorities", .all = show_priorities },
        { "shares", .all = show_shares },
        { "node", .named = show_node },
        { "address", .named = show_address },
        { "why", .named = show_why },
        { "cores", .named = show_cores },
        { "features", .named = show_features },
        { "energy", .named = show_energy },
        { "job", .numbered = show_job },
        { "consumed", .numbered = show_consumed },
        { "ports", .numbered = show_ports },
        { "slowest", .numbered = show_slowest },
        { "sizes", .numbered = show_sizes },
};

static int cmd_show(struct story *s, char **words, size_t n, struct fail *fail) {
        size_t i = 0;

        while (i < ELEMENTSOF(shows) && !streq(shows[i].word, words[0]))
                i++;
        if (i == ELEMENTSOF(shows) || (!shows[i].all && n < 2))
                return fail_set(fail, -EINVAL, "there is no show %s, or more was expected",
                                words[0]);
        if (shows[i].all)
                shows[i].all(s);
        else if (shows[i].named)
                shows[i].named(s, words[1]);
        else
                shows[i].numbered(s, (uint32_t)strtoul(words[1], NULL, 10));
        return 0;
}

static int tell(struct story *s, const char *word, bool on, struct fail *fail) {
        int kind = effect_kind_parse(word);

        if (streq(word, "agents"))
                s->w->tell_agents = on;
        else if (kind < 0)
                return fail_set(fail, -EINVAL, "there is no effect %s", word);
        else if (on)
                s->w->loud |= UINT64_C(1) << kind;
        else
                s->w->loud &= ~(UINT64_C(1) << kind);
        return 0;
}

/* "clock forward 3h", "clock back 20m": the wall clock is set; a story's own times go on evenly. */
static int cmd_clock(struct story *s, char **words, size_t n, struct fail *fail) {
        usec_t by = 0;
        int r = story_span(words[1], &by, fail);

        if (r < 0)
                return r;
        world_set_clock(s->w, streq(words[0], "back") ? -(int64_t)by : (int64_t)by);
        return 0;
}

static int cmd_tell(struct story *s, char **words, size_t n, struct fail *fail) {
        return tell(s, words[0], true, fail);
}

static int cmd_hush(struct story *s, char **words, size_t n, struct fail *fail) {
        return tell(s, words[0], false, fail);
}

/* "reserve ReservationName=r StartTime=now+100 Duration=1 ..." */
static int cmd_reserve(struct story *s, char **words, size_t n, struct fail *fail) {
        struct update_setting wanted[WORDS_MAX];
        struct fail why = { 0 };
        struct resv *r = NULL;

        for (size_t i = 0; i < n; i++) {
                char *equals = strchr(words[i], '=');
                if (!equals)
                        return fail_set(fail, -EINVAL, "%s has no =", words[i]);
                *equals = 0;
                wanted[i] = (struct update_setting){ words[i], equals + 1 };
        }
        bool update = strcmp(wanted[0].key, "update") == 0;
        struct resv *old = update ? resv_find(s->w->c, wanted[0].value) : NULL;
        enum slumber_error e = update && !old ? SLUMBER_BAD_RESERVATION
                               : update ? resv_update(s->w->c, old, wanted + 1, n - 1, s->w->now,
                                                          &why)
                                        : resv_create(s->w->c, wanted, n, 0, s->w->now, &r, &why);
        if (e != SLUMBER_OK)
                story_out(s, "refused: %s%s%s%s", slumber_error_text((int)e), *why.text ? " (" : "",
                                why.text, *why.text ? ")" : "");
        else if (r)
                story_out(s, "reservation %s", r->name);
        return 0;
}

static int cmd_unreserve(struct story *s, char **words, size_t n, struct fail *fail) {
        struct resv *r = resv_find(s->w->c, words[0]);

        (void)n, (void)fail;
        answer(s, r ? resv_delete(s->w->c, r, s->w->now) : SLUMBER_BAD_RESERVATION);
        return 0;
}

/* As slumber.yaml has it. */
static int cmd_warm_up(struct story *s, char **words, size_t n, struct fail *fail) {
        (void)words, (void)n, (void)fail;
        s->w->c->config->bf.warm_up = true;
        return 0;
}

static void say_refused(struct story *s, int r, const struct fail *why) {
        if (r < 0)
                story_out(s, "refused: %s", why->text);
}

/* "join NodeName=d1 CPUs=4 Feature=f": its slumberd -Z registers. */
static int cmd_join(struct story *s, char **words, size_t n, struct fail *fail) {
        _cleanup_free_ char *line = xstrdup("");
        struct fail why = { 0 };

        (void)fail;
        for (size_t i = 0; i < n; i++) {
                _cleanup_free_ char *before = line;
                line = xasprintf("%s%s%s", before, i ? " " : "", words[i]);
        }
        bool created = strstr(line, "State=") != NULL; /* scontrol create */
        say_refused(s, world_join(s->w, created ? NODE_FROM_ADMIN : NODE_FROM_STORE, line, &why),
                        &why);
        return 0;
}

/* "delete d[1-2]": scontrol delete nodename= */
static int cmd_delete(struct story *s, char **words, size_t n, struct fail *fail) {
        struct fail why = { 0 };

        (void)n, (void)fail;
        say_refused(s, world_leave(s->w, words[0], &why), &why);
        return 0;
}

static const struct {
        const char *word;
        size_t least; /* words behind it */
        int (*run)(struct story *s, char **words, size_t n, struct fail *fail);
} commands[] = {
        { "submit", 0, story_submit },
        { "update", 1, story_update },
        { "join", 1, cmd_join }, /* with State= it is created by scontrol */
        { "delete", 1, cmd_delete },
        { "sacctmgr", 2, cmd_sacctmgr },
        { "estimate", 0, story_estimate },
        { "fault", 2, cmd_fault },
        { "repair", 1, cmd_repair },
        { "switch", 2, cmd_switch },
        { "cut", 1, cmd_cut },
        { "mend", 1, cmd_mend },
        { "restart", 1, cmd_restart },
        { "admin", 2, cmd_admin },
        { "reboot", 1, cmd_reboot },
        { "resume-after", 2, cmd_resume_after },
        { "register", 1, cmd_register },
        { "outcome", 3, cmd_outcome },
        { "exited", 2, cmd_exited },
        { "kill", 0, cmd_kill },
        { "audit", 1, cmd_audit },
        { "bmcs", 1, cmd_bmcs },
        { "veto", 1, cmd_veto },
        { "swap", 2, cmd_swap },
        { "figures", 5, cmd_figures },
        { "helpers", 1, cmd_helpers },
        { "image", 2, cmd_image },
        { "watts", 2, cmd_watts },
        { "agents", 1, cmd_agents },
        { "delay", 2, cmd_delay },
        { "step", 1, cmd_step },
        { "step-ends", 3, cmd_step_ends },
        { "holder", 2, cmd_holder },
        { "launched", 1, cmd_launched },
        { "ended", 1, cmd_ended },
        { "frozen", 3, cmd_frozen },
        { "gone", 2, cmd_gone },
        { "show", 1, cmd_show },
        { "gres", 2, cmd_gres },
        { "tell", 1, cmd_tell },
        { "hush", 1, cmd_hush },
        { "warm-up", 0, cmd_warm_up },
        { "reserve", 1, cmd_reserve },
        { "unreserve", 1, cmd_unreserve },
        { "clock", 2, cmd_clock },
        { "top", 1, cmd_top },
        { "trigger", 1, story_trigger },
        { "accounts", 1, story_accounts_kept },
        { "answer", 2, story_answer },
};

/* As tests/unit/check-story-words looks for them in tests/README.md. */
void story_words(FILE *out) {
        for (size_t i = 0; i < ELEMENTSOF(commands); i++)
                fprintf(out, "%s\n", commands[i].word);
        for (size_t i = 0; i < ELEMENTSOF(wishes); i++)
                fprintf(out, "%s\n", wishes[i].word);
        for (size_t i = 0; i < ELEMENTSOF(shows); i++)
                fprintf(out, "show %s\n", shows[i].word);
        for (int i = 0; fault_text(i); i++)
                fprintf(out, "fault %s\n", fault_text(i));
        for (int i = 0; delay_text(i); i++)
                fprintf(out, "delay %s\n", delay_text(i));
}

int story_command(struct story *s, char **words, size_t n, struct fail *fail) {
        for (size_t i = 0; i < ELEMENTSOF(commands); i++) {
                if (!streq(commands[i].word, words[0]))
                        continue;
                if (n - 1 < commands[i].least)
                        return fail_set(fail, -EINVAL, "%s wants %zu words", words[0],
                                        commands[i].least);
                return commands[i].run(s, words + 1, n - 1, fail);
        }
        int r = n > 1 ? wish(s, words[0], words[1], fail) : -ENOENT;
        return r == -ENOENT && !*fail->text
                               ? fail_set(fail, -EINVAL, "there is no command %s", words[0])
                               : r;
}
