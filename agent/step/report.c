/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports to slumberd: the result of the launch, the step's state (StepdHello), its use, its
   end. */
#include "agent/step/mpi/exchange.h"
#include "agent/step/parts.h"
#include "cgroup/proc.h"
#include "lib/step/measure_wire.h"

void report_set_launch(struct step *s, int r, const char *text) {
        if (s->launch_known)
                return;
        s->launch_known = true;
        s->launch_error = r;
        if (r < 0)
                (void)fail_set(&s->launch_why, r, "%s", text);
}

/* Adds the processes of started tasks. */
static void add_processes(struct step *s, Slumber__LaunchResult *result) {
        result->processes = xnew(Slumber__TaskProcess *, s->n_tasks);
        for (size_t i = 0; i < s->n_tasks; i++) {
                const struct task *t = &s->tasks[i];
                if (!t->pid)
                        continue;
                Slumber__TaskProcess *p = xnew(Slumber__TaskProcess, 1);
                slumber__task_process__init(p);
                p->rank = t->rank;
                p->pid = (uint32_t)t->pid;
                p->executable = task_executable(s, t);
                result->processes[result->n_processes++] = p;
        }
}

static void drop_processes(Slumber__LaunchResult *result) {
        for (size_t i = 0; i < result->n_processes; i++) {
                free(result->processes[i]->executable);
                free(result->processes[i]);
        }
        free(result->processes);
}

void report_launch(struct step *s) {
        Slumber__LaunchResult result = SLUMBER__LAUNCH_RESULT__INIT;
        Slumber__Error error = SLUMBER__ERROR__INIT;

        if (!s->launch_known || s->launch_reported || !link_up(s->link))
                return;
        result.job_id = s->credential->job_id;
        result.step_id = s->credential->step_id;
        result.restarts = s->credential->restarts;
        result.node = s->spec->node;
        result.pid = s->n_tasks ? (uint32_t)s->tasks[0].pid : 0;
        result.error = &error;
        if (s->launch_error < 0) {
                error.code = 1; /* SLUMBER_FAILED */
                error.text = s->launch_why.text;
        } else if (s->launch->spec->tell_processes) {
                add_processes(s, &result);
        }
        ENVELOPE(env, LAUNCH_RESULT, launch_result, &result);
        link_send(s->link, &env);
        s->launch_reported = link_up(s->link);
        drop_processes(&result);
}

static uint64_t peak_memory(struct step *s) {
        uint64_t bytes;

        if (cg_memory_peak(s->group, &bytes) >= 0)
                return bytes;
        return s->is_extern ? s->guests[MEASURE_RSS] : (uint64_t)s->usage.ru_maxrss * 1024;
}

bool step_out_of_memory(struct step *s) {
        if (s->out_of_memory_known)
                return s->out_of_memory;
        s->out_of_memory = s->over_memory || cg_out_of_memory(s->group) > 0;
        s->out_of_memory_known = s->over_at > 0;
        return s->out_of_memory;
}

/* Sets the CPU time of the cgroup, which counts all processes; without cgroup, the CPU time of the
   processes waited for. */
static void tell_cpu_time(struct step *s, Slumber__StepEnded *ended) {
        uint64_t user, system;

        if (cg_cpu_time(s->group, &user, &system) < 0) {
                user = usec_of(&s->usage.ru_utime);
                system = usec_of(&s->usage.ru_stime);
        }
        ended->cpu_time = user + system;
        ended->system_time = system;
}

/* Calls use with a description of the end of all tasks. */
static void with_ended(struct step *s, void (*use)(struct step *s, Slumber__StepEnded *ended)) {
        Slumber__StepEnded ended = SLUMBER__STEP_ENDED__INIT;
        _cleanup_free_ Slumber__TaskExit *exits = xnew(Slumber__TaskExit, s->n_tasks);
        _cleanup_free_ Slumber__TaskExit **list = xnew(Slumber__TaskExit *, s->n_tasks);
        struct measures guests = { 0 };

        for (size_t i = 0; i < s->n_tasks; i++) {
                task_fill_exit(&s->tasks[i], &exits[i]);
                list[i] = &exits[i];
        }
        step_fill_ended(s, &ended);
        ended.tasks = list;
        ended.n_tasks = s->n_tasks;
        ended.last = true;
        if (s->is_extern)
                guests_measure(s, &guests);
        _cleanup_free_ Slumber__Measure **measures = measures_pack(
                        s->is_extern ? &guests : &s->measures);
        ended.text = s->no_streams ? s->no_streams : (char *)"";
        tell_cpu_time(s, &ended);
        ended.max_memory = peak_memory(s);
        ended.measures = measures;
        ended.n_measures = MEASURE_MAX;
        ended.out_of_memory = step_out_of_memory(s);
        ended.job_over_memory = s->job_over_memory;
        use(s, &ended);
}

static void report_send_ended(struct step *s, Slumber__StepEnded *ended) {
        ENVELOPE(env, STEP_ENDED, step_ended, ended);
        link_send(s->link, &env);
}

void report_stat(struct step *s, uint64_t question) {
        Slumber__StepStat m = SLUMBER__STEP_STAT__INIT;
        Slumber__StepName name = SLUMBER__STEP_NAME__INIT;
        _cleanup_(measures_done) struct measures now = { 0 };
        struct pid_set set = { 0 };

        measures_merge(&now, &s->measures, NULL);
        tasks_measure(s, &now);
        _cleanup_free_ Slumber__Measure **measures = measures_pack(&now);
        (void)cg_pids(s->group, &set); /* empty if the step is over */
        _cleanup_free_ uint32_t *pids = xnew(uint32_t, set.n + 1);
        for (; m.n_pids < set.n; m.n_pids++)
                pids[m.n_pids] = (uint32_t)set.pid[m.n_pids];
        pid_set_done(&set);
        name.job_id = s->credential->job_id;
        name.step_id = s->credential->step_id;
        name.restarts = s->credential->restarts;
        m.step = &name;
        m.measures = measures;
        m.n_measures = MEASURE_MAX;
        m.pids = pids;
        ENVELOPE(env, STEP_STAT, step_stat, &m);
        env.reply_to = question;
        link_send(s->link, &env);
}

static void send_hello(struct step *s, Slumber__StepEnded *ended) {
        Slumber__StepdHello hello = SLUMBER__STEPD_HELLO__INIT;
        _cleanup_free_ uint32_t *ranks = xnew(uint32_t, s->n_tasks);

        hello.job_id = s->credential->job_id;
        hello.step_id = s->credential->step_id;
        hello.restarts = s->credential->restarts;
        hello.uid = s->credential->uid;
        hello.gid = s->credential->gid;
        if (s->user.looked_up) {
                hello.groups = s->user.groups;
                hello.n_groups = s->user.n_groups;
                hello.groups_time = s->user.looked_up;
        }
        hello.pid = (uint32_t)getpid();
        const char *authority, *display = step_x11_display(s, &authority);
        hello.display = (char *)(uintptr_t)strempty(display);
        hello.xauthority = (char *)(uintptr_t)strempty(authority);
        hello.x11_fault = (char *)(uintptr_t)strempty(s->x11_fault);
        hello.terminating = s->terminating;
        hello.running_ranks = ranks;
        for (size_t i = 0; i < s->n_tasks; i++)
                if (s->tasks[i].running)
                        ranks[hello.n_running_ranks++] = s->tasks[i].rank;
        hello.ended = s->over ? ended : NULL;
        hello.node_rank = exchange_node(s);
        hello.num_nodes = exchange_nodes(s);
        hello.addresses = s->launch->addresses;
        hello.n_addresses = s->launch->n_addresses;
        hello.tree_width = s->launch->tree_width;
        ENVELOPE(env, STEPD_HELLO, stepd_hello, &hello);
        link_send(s->link, &env);
}

void report_hello(struct step *s) {
        with_ended(s, send_hello);
}

void report_ended(struct step *s) {
        with_ended(s, report_send_ended);
}
