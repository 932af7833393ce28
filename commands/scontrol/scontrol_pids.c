/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scontrol listpids, listjobs, liststeps and pidinfo: the slumberd of this host knows the processes
 * of each job. The environment of a process shows task and rank: SLURM_TASK_PID equals the pid
 * only for a task's own process, not for its children. */
#include "commands/jobid.h"
#include "commands/query.h"
#include "commands/scontrol/scontrol.h"
#include "lib/errors.h"
#include "lib/timetext.h"

#include <limits.h>

struct process {
        uint32_t pid;
        int local, global; /* ids of a task; -1: not a task */
};

/* Sets *value to 7 for the line "NAME=7"; leaves *value alone for any other line. */
static void environ_read_number(const char *line, const char *name, int *value) {
        size_t n = strlen(name);
        uint64_t number;

        if (strncmp(line, name, n) == 0 && line[n] == '=' &&
                        uint_parse(line + n + 1, 0, INT_MAX, &number) >= 0)
                *value = (int)number;
}

static struct process process_read(uint32_t pid) {
        _cleanup_free_ char *path = xasprintf("/proc/%u/environ", pid), *line = NULL;
        _cleanup_fclose_ FILE *f = fopen(path, "re");
        struct process p = { pid, -1, -1 };
        int task = -1;
        size_t size = 0;

        while (f && getdelim(&line, &size, 0, f) > 0) {
                environ_read_number(line, "SLURM_TASK_PID", &task);
                environ_read_number(line, "SLURM_LOCALID", &p.local);
                environ_read_number(line, "SLURM_PROCID", &p.global);
        }
        return task == (int)pid ? p : (struct process){ pid, -1, -1 };
}

/* Sorts tasks before other processes. */
static int process_compare_task(const void *a, const void *b) {
        const struct process *x = a, *y = b;

        if ((x->local < 0) != (y->local < 0))
                return x->local < 0 ? 1 : -1;
        if (x->local != y->local)
                return x->local < y->local ? -1 : 1;
        return x->pid < y->pid ? -1 : x->pid > y->pid;
}

static void print_cell(int value, int width) {
        if (value < 0)
                printf(" %-*s", width, "-");
        else
                printf(" %-*d", width, value);
}

static void pids_print_step(const Slumber__StepPids *step) {
        _cleanup_free_ struct process *list = xnew(struct process, step->n_pids + 1);
        char buf[STEP_TEXT_MAX];
        const char *name = step_text(step->step, buf);

        for (size_t i = 0; i < step->n_pids; i++)
                list[i] = process_read(step->pids[i]);
        list_sort(list, step->n_pids, sizeof list[0], process_compare_task);
        for (size_t i = 0; i < step->n_pids; i++) {
                printf("%-8u %-8u %-8s", list[i].pid, step->job, name);
                print_cell(list[i].local, 7);
                print_cell(list[i].global, 8);
                putchar('\n');
        }
}

static int step_pids_compare(const void *a, const void *b) {
        const Slumber__StepPids *x = *(Slumber__StepPids *const *)a,
                                *y = *(Slumber__StepPids *const *)b;

        if (x->job != y->job)
                return x->job < y->job ? -1 : 1;
        return x->step < y->step ? -1 : x->step > y->step;
}

static int pids_send_query(Slumber__PidsQuery *query, Envelope **ret, struct fail *fail) {
        uint32_t code = 0;

        ENVELOPE(request, PIDS_QUERY, pids_query, query);
        int r = scontrol_call(&request, ret, &code, fail);
        if (code == SLUMBER_NOT_SUPPORTED) /* the controller answered */
                return fail_set(fail, r,
                                "no slumberd answers on this host; the processes of a node's jobs are listed there");
        if (r >= 0 && (*ret)->body_case != SLUMBER__ENVELOPE__BODY_PIDS_REPLY)
                r = fail_set(fail, -EPROTO, "%s", slumber_error_text(SLUMBER_PROTOCOL));
        return r;
}

static int none_there(const struct job_id *id, const char *node) {
        if (!id->job)
                return EXIT_SUCCESS;
        if (id->has_step)
                fprintf(stderr, "StepId=%u.%u does not exist on node %s.\n", id->job, id->step,
                                node);
        else
                fprintf(stderr, "There are no steps for job %u on node %s.\n", id->job, node);
        return EXIT_FAILURE;
}

/* Sets id to the job id known to this host's slumberd; < 0 after a message. */
static int find_named(const char *text, struct job_id *id) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        struct fail fail = { 0 };
        /* slumberd knows an array task by the task's own job id only */
        int r = strchr(text, '_') ? -EINVAL : job_id_parse_part(text, id);

        if (r < 0) {
                scontrol_refuse("\"%s\" does not look like a jobid", text);
                return r;
        }
        if (id->part) {
                scontrol_refuse("%s is a component of a step: its processes are those of the whole "
                                "on each of its nodes, JOBID.STEPID",
                                text);
                return -EINVAL;
        }
        if (!id->tasks)
                return 0;
        const struct job_id job = { .job = id->job, .tasks = id->tasks };
        r = command_connect(&w, &fail);
        if (r >= 0)
                r = query_component(w, &job, &id->job, &fail);
        if (r < 0)
                scontrol_refuse("%s for job %s", fail.text, text);
        return r;
}

int scontrol_listpids(const struct scontrol *s, int argc, char **argv) {
        Slumber__PidsQuery query = SLUMBER__PIDS_QUERY__INIT;
        Slumber__Number step = SLUMBER__NUMBER__INIT;
        _cleanup_(job_id_done) struct job_id id = { 0 };
        _cleanup_envelope_ Envelope *reply = NULL;
        struct fail fail = { 0 };

        if (argc > 3)
                return scontrol_complain(s, "too many arguments for keyword:%s", argv[0]);
        if (argc > 1 && !streq(argv[1], "*") && find_named(argv[1], &id) < 0)
                return EXIT_FAILURE;
        query.job = id.job;
        step.value = id.step;
        query.step = id.has_step ? &step : NULL;
        if (pids_send_query(&query, &reply, &fail) < 0)
                return scontrol_refuse("%s", fail.text);
        const Slumber__PidsReply *m = reply->pids_reply;
        if (argc > 2 && !streq(argv[2], m->node))
                return scontrol_refuse(
                                "this host is node %s, not %s: the processes of a node's jobs are listed there",
                                m->node, argv[2]);
        puts("PID      JOBID    STEPID   LOCALID GLOBALID");
        list_sort(m->steps, m->n_steps, sizeof m->steps[0], step_pids_compare);
        for (size_t i = 0; i < m->n_steps; i++)
                pids_print_step(m->steps[i]);
        return m->n_steps ? EXIT_SUCCESS : none_there(&id, m->node);
}

/* ---- listjobs, liststeps ---- */

/* Returns all steps of this host's node, sorted by job and step; the caller frees the reply.
   NULL after a message. */
static Envelope *ask_all(const struct scontrol *s, int argc, char **argv) {
        Slumber__PidsQuery query = SLUMBER__PIDS_QUERY__INIT;
        Envelope *reply = NULL;
        struct fail fail = { 0 };

        if (argc > 2) {
                scontrol_complain(s, "too many arguments for keyword:%s", argv[0]);
                return NULL;
        }
        if (pids_send_query(&query, &reply, &fail) < 0) {
                scontrol_refuse("%s", fail.text);
                return NULL;
        }
        const Slumber__PidsReply *m = reply->pids_reply;
        if (argc > 1 && !streq(argv[1], m->node)) {
                scontrol_refuse("this host is node %s, not %s: the jobs of a node are listed there",
                                m->node, argv[1]);
                slumber__envelope__free_unpacked(reply, NULL);
                return NULL;
        }
        list_sort(m->steps, m->n_steps, sizeof m->steps[0], step_pids_compare);
        return reply;
}

int scontrol_listjobs(const struct scontrol *s, int argc, char **argv) {
        _cleanup_envelope_ Envelope *reply = ask_all(s, argc, argv);

        if (!reply)
                return EXIT_FAILURE;
        const Slumber__PidsReply *m = reply->pids_reply;
        puts("JOBID");
        for (size_t i = 0; i < m->n_steps; i++)
                if (i == 0 || m->steps[i]->job != m->steps[i - 1]->job)
                        printf("%u\n", m->steps[i]->job);
        return EXIT_SUCCESS;
}

int scontrol_liststeps(const struct scontrol *s, int argc, char **argv) {
        _cleanup_envelope_ Envelope *reply = ask_all(s, argc, argv);

        char buf[STEP_TEXT_MAX];

        if (!reply)
                return EXIT_FAILURE;
        puts("STEPID");
        for (size_t i = 0; i < reply->pids_reply->n_steps; i++) {
                const Slumber__StepPids *step = reply->pids_reply->steps[i];
                printf("%u.%s\n", step->job, step_text(step->step, buf));
        }
        return EXIT_SUCCESS;
}

/* ---- pidinfo ---- */

static uint32_t pids_find_job(const Slumber__PidsReply *m, uint64_t pid) {
        for (size_t i = 0; i < m->n_steps; i++)
                for (size_t k = 0; k < m->steps[i]->n_pids; k++)
                        if (m->steps[i]->pids[k] == pid)
                                return m->steps[i]->job;
        return 0;
}

static int print_end(uint32_t id) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        _cleanup_(job_list_done) struct job_list list = { 0 };
        Slumber__JobQuery query = SLUMBER__JOB_QUERY__INIT;
        struct fail fail = { 0 };
        char end[TIMETEXT_MAX];

        query.ids = &id;
        query.n_ids = 1;
        query.with_hidden = true;
        int r = command_connect(&w, &fail);
        if (r >= 0)
                r = query_jobs(w, &query, &list, NULL, &fail);
        if (r < 0 || list.n_jobs == 0)
                return scontrol_refuse("slurm_load_jobs error: %s",
                                r < 0 ? fail.text : slumber_error_text(SLUMBER_BAD_JOB_ID));
        const Job *job = list.jobs[0];
        bool ends = job->time_limit != NO_LIMIT && job->end_time;
        usec_t left = ends && job->end_time > list.pages.now ? job->end_time - list.pages.now : 0;
        printf("Slurm JobId=%u ends at %s\n", id,
                        ends ? time_text(job->end_time, getenv("SLURM_TIME_FORMAT"), end) : "NONE");
        printf("slurm_get_rem_time is %lld\n", ends ? (long long)(left / USEC_PER_SEC) : -1LL);
        return EXIT_SUCCESS;
}

int scontrol_pidinfo(const struct scontrol *s, int argc, char **argv) {
        Slumber__PidsQuery query = SLUMBER__PIDS_QUERY__INIT;
        _cleanup_envelope_ Envelope *reply = NULL;
        struct fail fail = { 0 };
        uint64_t pid;

        if (argc != 2)
                return scontrol_complain(s, "too %s arguments for keyword:%s",
                                argc < 2 ? "few" : "many", argv[0]);
        if (uint_parse(argv[1], 1, INT32_MAX, &pid) < 0)
                return scontrol_refuse("\"%s\" is not a process id", argv[1]);
        if (pids_send_query(&query, &reply, &fail) < 0)
                return scontrol_refuse("%s", fail.text);
        uint32_t job = pids_find_job(reply->pids_reply, pid);
        return job ? print_end(job) : scontrol_refuse("Failed to locate job for requested pid");
}
