/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of scontrol show. Scripts read lines and keys, so the order of lines, trailing blanks and
 * words for unset values are those of Slurm 25.05; fields which Slumber lacks show Slurm's value
 * for "unused".
 *
 * One function for each paragraph of a record; record_new_line() begins each line except the first. */
#include "commands/records.h"
#include "commands/job_text.h"

#include "lib/config/config.h"
#include "lib/hostlist.h"
#include "lib/mailtype.h"
#include "lib/step/cpufreq.h"
#include "lib/timetext.h"
#include "lib/wordlist.h"

#define SLURMD_PORT 6818 /* a node's port is shown only if different */

static void record_new_line(const struct record_view *v, FILE *out) {
        fputs(v->one_liner ? " " : "\n   ", out);
}

static void record_end(const struct record_view *v, FILE *out) {
        fputs(v->one_liner ? "\n" : "\n\n", out);
}

static const char *record_time_text(const struct record_view *v, usec_t t, const char *unset,
                char buf[TIMETEXT_MAX]) {
        return t == 0 || t == NO_LIMIT ? unset : time_text(t, v->time_format, buf);
}

static const char *yes_no(bool on) {
        return on ? "YES" : "NO";
}

/* ---- power: Slumber's additional lines, shown if relevant ---- */

static void power_phase(const struct record_view *v, const Slumber__Power *p, FILE *out) {
        char a[TIMETEXT_MAX], b[TIMETEXT_MAX];

        fprintf(out, "PowerPhase=%s PowerSince=%s PowerDeadline=%s PowerTries=%u", p->phase,
                        record_time_text(v, p->since, "Unknown", a),
                        record_time_text(v, p->deadline, "None", b), p->tries);
}

static void power_details(const struct record_view *v, const Slumber__Power *p, FILE *out) {
        if (!isempty(p->error)) {
                record_new_line(v, out);
                fprintf(out, "PowerError=%s", p->error);
        }
        if (!isempty(p->console)) {
                record_new_line(v, out);
                fprintf(out, "PowerConsole=%s", p->console);
        }
}

/* ---- job ---- */

/* Replaces blanks, so that a reason is a single word for readers of key=value. */
static void print_reason(const char *reason, FILE *out) {
        for (; *reason; reason++)
                putc(*reason == ' ' ? '_' : *reason, out);
}

static void job_access_text(const struct record_view *v, const Job *job,
                const Slumber__JobSpec *spec, FILE *out) {
        fprintf(out, "JobId=%u ", job->id);
        if (job->array_job) {
                _cleanup_free_ char *tasks = job_array_tasks(job);
                fprintf(out, "ArrayJobId=%u ArrayTaskId=%s ", job->array_job, tasks);
        }
        if (job->array_limit)
                fprintf(out, "ArrayTaskThrottle=%u ", job->array_limit);
        if (job->het_job)
                fprintf(out, "HetJobId=%u HetJobOffset=%u ", job->het_job, job->het_offset);
        fprintf(out, "JobName=%s", spec->name);
        record_new_line(v, out);
        if (job->het_job) {
                _cleanup_free_ char *set = job_het_set(job);
                fprintf(out, "HetJobIdSet=%s", set);
                record_new_line(v, out);
        }
        fprintf(out, "UserId=%s(%u) GroupId=%s(%u) MCS_label=%s", job->user, job->uid, job->group,
                        job->gid, isempty(spec->mcs_label) ? "N/A" : spec->mcs_label);
        record_new_line(v, out);
        fprintf(out, "Priority=%u Nice=%d Account=%s QOS=%s", job->priority, spec->nice,
                        strna(spec->account), strna(spec->qos));
        if (!isempty(spec->wckey))
                fprintf(out, " WCKey=%s", spec->wckey);
}

static void job_state(const struct record_view *v, const Job *job, const Slumber__JobSpec *spec,
                FILE *out) {
        record_new_line(v, out);
        fprintf(out, "JobState=%s Reason=", job_shown_long(job_shown(job)));
        print_reason(job_reason(job), out);
        if (!isempty(job->failed_node))
                fprintf(out, " FailedNode=%s", job->failed_node);
        fprintf(out, " Dependency=%s", strna(job->depends));
        record_new_line(v, out);
        fprintf(out, "Requeue=%d Restarts=%u BatchFlag=%d Reboot=%d ExitCode=%u:%u", job->requeue,
                        job->restarts, spec->batch, spec->reboot, job->exit_code >> 8 & 0xff,
                        job->exit_code & 0x7f);
        if (v->details) {
                record_new_line(v, out);
                fprintf(out, "DerivedExitCode=%u:%u", job->derived_exit_code >> 8 & 0xff,
                                job->derived_exit_code & 0x7f);
        }
}

static void job_times(const struct record_view *v, const Job *job, FILE *out) {
        char a[TIMETEXT_MAX], b[TIMETEXT_MAX], c[TIMETEXT_MAX];

        record_new_line(v, out);
        fprintf(out, "RunTime=%s TimeLimit=%s TimeMin=%s", duration_text(job->run_time, a),
                        duration_text(job->time_limit, b),
                        job->spec->time_min ? duration_text(job->spec->time_min, c) : "N/A");
        record_new_line(v, out);
        fprintf(out, "SubmitTime=%s EligibleTime=%s",
                        record_time_text(v, job->submit_time, "Unknown", a),
                        record_time_text(v, job->eligible_time, "Unknown", b));
        record_new_line(v, out);
        fprintf(out, "AccrueTime=%s", record_time_text(v, job->accrue_time, "Unknown", a));
        if (job->resize_time) {
                record_new_line(v, out);
                fprintf(out, "ResizeTime=%s", record_time_text(v, job->resize_time, "Unknown", a));
        }
        record_new_line(v, out);
        fprintf(out, "StartTime=%s EndTime=%s", record_time_text(v, job_start(job), "Unknown", a),
                        record_time_text(v, job_end(job), "Unknown", b));
        fprintf(out, " Deadline=%s", record_time_text(v, job->spec->deadline, "N/A", a));
        if (job->preempt_eligible_time) {
                record_new_line(v, out);
                fprintf(out, "PreemptEligibleTime=%s PreemptTime=%s",
                                record_time_text(v, job->preempt_eligible_time, "Unknown", a),
                                record_time_text(v, job->preempt_time, "None", b));
        }
        record_new_line(v, out);
        fprintf(out, "SuspendTime=%s SecsPreSuspend=%llu LastSchedEval=%s Scheduler=Main",
                        record_time_text(v, job->suspend_time, "None", a),
                        (unsigned long long)(job->pre_suspend / USEC_PER_SEC),
                        record_time_text(v, job->last_sched_eval, "Unknown", b));
}

static void job_place(const struct record_view *v, const Job *job, const Slumber__JobSpec *spec,
                FILE *out) {
        record_new_line(v, out);
        fprintf(out, "Partition=%s AllocNode:Sid=%s:%u",
                        isempty(job->partition) ? spec->partition : job->partition,
                        spec->submit_host, spec->submit_pid);
        record_new_line(v, out);
        fprintf(out, "ReqNodeList=%s ExcNodeList=%s", strna(spec->req_nodes),
                        strna(spec->exc_nodes));
        record_new_line(v, out);
        fprintf(out, "NodeList=%s", job->nodes);
        if (!isempty(job->sched_nodes))
                fprintf(out, " SchedNodeList=%s", job->sched_nodes);
        if (!isempty(job->batch_host)) {
                record_new_line(v, out);
                if (!isempty(spec->batch_features))
                        fprintf(out, "BatchFeatures=%s ", spec->batch_features);
                fprintf(out, "BatchHost=%s", job->batch_host);
        } else if (!isempty(spec->batch_features)) {
                record_new_line(v, out);
                fprintf(out, "BatchFeatures=%s", spec->batch_features);
        }
}

static const char *count_or_star(uint32_t n, char buf[12]) {
        snprintf(buf, 12, "%u", n);
        return n ? buf : "*";
}

/* "CoreSpec=2", "ThreadSpec=2", or "CoreSpec=*" if determined by the nodes. */
static void job_spec_words(const Slumber__JobSpec *spec, FILE *out) {
        if (spec->thread_spec)
                fprintf(out, "ThreadSpec=%u", spec->thread_spec);
        else if (spec->core_spec)
                fprintf(out, "CoreSpec=%u", spec->core_spec - 1);
        else
                fputs("CoreSpec=*", out);
}

static void job_wanted(const struct record_view *v, const Job *job, const Slumber__JobSpec *spec,
                FILE *out) {
        char cores[12], threads[12], tasks[12];
        struct scratch s = { 0 };

        record_new_line(v, out);
        if (job_pending(job) && spec->max_nodes)
                fprintf(out, "NumNodes=%u-%u", job_nodes(job),
                                MAX(spec->max_nodes, job_nodes(job)));
        else
                fprintf(out, "NumNodes=%u", job_nodes(job));
        fprintf(out, " NumCPUs=%u NumTasks=%u CPUs/Task=%u ReqB:S:C:T=0:0:%s:%s", job_cpus(job),
                        job_tasks(job), MAX(job->cpus_per_task, 1u),
                        count_or_star(spec->cores_per_socket, cores),
                        count_or_star(spec->threads_per_core, threads));
        record_new_line(v, out);
        fprintf(out, "ReqTRES=%s", job_tres(job, false, &s));
        record_new_line(v, out);
        fprintf(out, "AllocTRES=%s", job_tres(job, true, &s));
        record_new_line(v, out);
        fprintf(out, "Socks/Node=%s NtasksPerN:B:S:C=%u:0:%s:%s ",
                        count_or_star(spec->sockets_per_node, cores), spec->ntasks_per_node,
                        count_or_star(spec->ntasks_per_socket, threads),
                        count_or_star(spec->ntasks_per_core < TASKS_PER_CORE_ANY
                                                        ? spec->ntasks_per_core
                                                        : 0,
                                        tasks));
        job_spec_words(spec, out);
        scratch_done(&s);
}

static bool same_share(const Slumber__AllocNode *a, const Slumber__AllocNode *b) {
        return a->mem == b->mem && streq(a->cores, b->cores) && a->cpus == b->cpus &&
               a->cpus_per_core == b->cpus_per_core && streq(a->gres, b->gres);
}

/* Parses the next range of "0,2-3"; false: the end. */
static bool cpu_range_next(const char **text, unsigned long *ret_from, unsigned long *ret_to) {
        char *end;

        if (!**text)
                return false;
        *ret_from = *ret_to = strtoul(*text, &end, 10);
        if (*end == '-')
                *ret_to = strtoul(end + 1, &end, 10);
        *text = *end ? end + 1 : end;
        return true;
}

/* Returns CPU ids of cores: "0,2-3" with two threads each is "0-1,4-7". A job has all threads of
   its cores, even if charged for fewer. The caller frees. */
static char *cpu_ids(const Slumber__AllocNode *a) {
        unsigned long threads = MAX(1u, a->cpus_per_core), from, to;
        char *ids = xstrdup("");

        for (const char *p = a->cores; cpu_range_next(&p, &from, &to);) {
                unsigned long first = from * threads, last = to * threads + threads - 1;
                if (first == last)
                        text_add_word(&ids, ",", "%lu", first);
                else
                        text_add_word(&ids, ",", "%lu-%lu", first, last);
        }
        return ids;
}

/* -d: cores of the job on its nodes; neighbours with equal shares share a line. */
static void job_shares(const struct record_view *v, const Job *job, FILE *out) {
        record_new_line(v, out);
        fprintf(out, "JOB_GRES=%s", strna(job->gres));
        for (size_t i = 0, k; i < job->n_alloc; i = k) {
                _cleanup_free_ const char **names = xnew(const char *, job->n_alloc);
                _cleanup_free_ char *list = NULL;
                const Slumber__AllocNode *first = job->alloc[i];

                for (k = i; k < job->n_alloc && same_share(first, job->alloc[k]); k++)
                        names[k - i] = job->alloc[k]->name;
                list = hostlist_compress(names, k - i);
                _cleanup_free_ char *ids = cpu_ids(first);
                record_new_line(v, out);
                fprintf(out, "%sNodes=%s CPU_IDs=%s Mem=%llu GRES=%s", v->one_liner ? "" : "  ",
                                list, ids, (unsigned long long)first->mem,
                                *first->gres_shown ? first->gres_shown : first->gres);
        }
}

static void job_rest(const struct record_view *v, const Job *job, const Slumber__JobSpec *spec,
                FILE *out) {
        bool per_cpu = job->mem_per_node == 0 && job->mem_per_cpu != 0;
        char buf[TIMETEXT_MAX];

        record_new_line(v, out);
        fprintf(out, "MinCPUsNode=%u MinMemory%s=%s MinTmpDiskNode=%u", job_min_cpus_node(job),
                        per_cpu ? "CPU" : "Node", job_memory(job, per_cpu, false, buf),
                        spec->tmp_disk);
        record_new_line(v, out);
        fprintf(out, "Features=%s DelayBoot=%s", strna(spec->features),
                        duration_text(spec->delay_boot, buf));
        if (!isempty(spec->prefer)) {
                record_new_line(v, out);
                fprintf(out, "Prefer=%s", spec->prefer);
        }
        if (!isempty(spec->reservation)) {
                record_new_line(v, out);
                fprintf(out, "Reservation=%s", spec->reservation);
        }
        record_new_line(v, out);
        fprintf(out,
                        "OverSubscribe=%s Contiguous=%d Licenses=%s LicensesAlloc=%s "
                        "Network=(null)",
                        job_oversubscribe(job), spec->contiguous, strna(spec->licenses),
                        strna(job->licenses_alloc));
        record_new_line(v, out);
        fprintf(out, "Command=%s", strna(spec->command));
        record_new_line(v, out);
        fprintf(out, "WorkDir=%s", spec->work_dir);
        if (spec->switches) {
                record_new_line(v, out);
                fprintf(out, "Switches=%u@%s", spec->switches,
                                duration_text(spec->switch_wait, buf));
        }
}

static void job_gres(const struct record_view *v, const Job *job, const Slumber__JobSpec *spec,
                FILE *out) {
        const struct {
                const char *key, *value;
        } texts[] = { { "TresBind", spec->tres_bind }, { "TresPerJob", spec->tres_per_job },
                { "TresPerNode", spec->tres_per_node },
                { "TresPerSocket", spec->tres_per_socket } };

        if (spec->gres_binding) {
                record_new_line(v, out);
                fprintf(out, "GresEnforceBind=%s", spec->gres_binding == 1 ? "Yes" : "No");
        }
        if (job->cpus_per_gpu) {
                record_new_line(v, out);
                fprintf(out, "CpusPerTres=gres/gpu:%u", job->cpus_per_gpu);
        }
        if (job->mem_per_gpu) {
                record_new_line(v, out);
                fprintf(out, "MemPerTres=gres/gpu:%llu", (unsigned long long)job->mem_per_gpu);
        }
        for (size_t i = 0; i < ELEMENTSOF(texts); i++)
                if (!isempty(texts[i].value)) {
                        record_new_line(v, out);
                        fprintf(out, "%s=%s", texts[i].key, texts[i].value);
                }
        if (spec->ntasks_per_gpu) {
                record_new_line(v, out);
                fprintf(out, "NtasksPerTRES=%u", spec->ntasks_per_gpu);
        }
        if (!spec->cpus_per_task && isempty(spec->tres_per_task))
                return;
        record_new_line(v, out);
        fputs("TresPerTask=", out);
        if (spec->cpus_per_task)
                fprintf(out, "cpu=%u%s", spec->cpus_per_task,
                                isempty(spec->tres_per_task) ? "" : ",");
        fputs(spec->tres_per_task, out);
}

/* Prints "CPU_min_freq=Low CPU_max_freq=High Governor=OnDemand", each if requested, with Slurm's
 * blanks. */
static void cpu_freq(const char *asked, FILE *out) {
        struct cpu_freq f;

        if (cpu_freq_parse(asked, &f, NULL) < 0)
                return;
        _cleanup_free_ char *min = cpu_freq_number_text(f.min), *max = cpu_freq_number_text(f.max);
        const char *governor = cpu_governor_name(f.governor);
        if (*min)
                fprintf(out, "CPU_min_freq=%s ", min);
        if (*max)
                fprintf(out, "CPU_max_freq=%s ", max);
        if (*governor)
                fprintf(out, "Governor=%s", governor);
}

static void job_texts(const struct record_view *v, const Job *job, const Slumber__JobSpec *spec,
                FILE *out) {
        static const struct {
                const char *key;
                enum job_stream stream;
        } streams[] = { { "StdErr", JOB_STDERR }, { "StdIn", JOB_STDIN },
                { "StdOut", JOB_STDOUT } };
        struct scratch s = { 0 };

        if (!isempty(job->admin_comment)) {
                record_new_line(v, out);
                fprintf(out, "AdminComment=%s ", job->admin_comment);
        }
        if (!isempty(spec->comment)) {
                record_new_line(v, out);
                fprintf(out, "Comment=%s ", spec->comment);
        }
        if (!isempty(spec->extra)) {
                record_new_line(v, out);
                fprintf(out, "Extra=%s", spec->extra);
        }
        for (size_t i = 0; i < ELEMENTSOF(streams) && spec->batch; i++) {
                record_new_line(v, out);
                fprintf(out, "%s=%s", streams[i].key, job_shown_file(job, streams[i].stream, &s));
        }
        if (!isempty(spec->container)) {
                record_new_line(v, out);
                fprintf(out, "Container=%s", spec->container);
        }
        if (spec->kill_on_invalid_dep) {
                record_new_line(v, out);
                /* Slurm's spelling */
                fprintf(out, "KillOInInvalidDependent=%s",
                                spec->kill_on_invalid_dep == 1 ? "Yes" : "No");
        }
        job_gres(v, job, spec, out);
        if (!isempty(spec->cpu_freq)) {
                record_new_line(v, out);
                cpu_freq(spec->cpu_freq, out);
        }
        if (spec->mail_type) {
                _cleanup_free_ char *types = mail_type_text(spec->mail_type);
                record_new_line(v, out);
                fprintf(out, "MailUser=%s MailType=%s",
                                isempty(spec->mail_user) ? job->user : spec->mail_user, types);
        }
        scratch_done(&s);
}

/* Slumber's own lines: memory that a suspended job has lent or is asked to lend, and memory that
   a starting job waits for. */
static void job_lent_memory(const struct record_view *v, const Job *job, FILE *out) {
        uint64_t given = 0, asked = 0, owed = 0;

        for (size_t i = 0; i < job->n_alloc; i++) {
                given += job->alloc[i]->done ? 0 : job->alloc[i]->mem_given;
                asked += job->alloc[i]->done ? 0 : job->alloc[i]->mem_asked;
                owed += job->alloc[i]->done ? 0 : job->alloc[i]->mem_owed;
        }
        if (given || asked) {
                record_new_line(v, out);
                fprintf(out, "MemoryGiven=%lluM MemoryAsked=%lluM", (unsigned long long)given,
                                (unsigned long long)asked);
        }
        if (owed) {
                record_new_line(v, out);
                fprintf(out, "MemoryAwaited=%lluM", (unsigned long long)owed);
        }
        if (job->no_reclaim) {
                char until[TIMETEXT_MAX];
                record_new_line(v, out);
                fprintf(out, "NoReclaim=%s NoReclaimUntil=%s", job->no_reclaim_why,
                                record_time_text(v, job->may_give_again, "None", until));
        }
}

void record_print_job(const struct record_view *v, const Job *job, FILE *out) {
        static const Slumber__JobSpec none = SLUMBER__JOB_SPEC__INIT;
        const Slumber__JobSpec *spec = job->spec ? job->spec : &none;

        job_access_text(v, job, spec, out);
        job_state(v, job, spec, out);
        job_times(v, job, out);
        job_place(v, job, spec, out);
        job_wanted(v, job, spec, out);
        if (v->details)
                job_shares(v, job, out);
        job_rest(v, job, spec, out);
        job_texts(v, job, spec, out);
        if (job->stopped_for) {
                char until[TIMETEXT_MAX];
                record_new_line(v, out);
                fprintf(out, "StoppedFor=%u StoppedUntil=%s", job->stopped_for,
                                record_time_text(v, job->resume_expected, "Unknown", until));
        }
        if (job->no_suspend) {
                char until[TIMETEXT_MAX];
                record_new_line(v, out);
                fprintf(out, "NoSuspend=%s NoSuspendUntil=%s", job->no_suspend_why,
                                record_time_text(v, job->may_stop_again, "None", until));
        }
        job_lent_memory(v, job, out);
        if (job->waits_for) {
                record_new_line(v, out);
                fprintf(out, "WaitsFor=%s ", job->waits_for->node);
                power_phase(v, job->waits_for, out);
                power_details(v, job->waits_for, out);
        }
        record_end(v, out);
}

/* ---- step ---- */

static uint32_t count_hosts(const char *nodes) {
        _cleanup_(hostlist_freep) struct hostlist *list = NULL;

        return hostlist_parse(nodes, &list, NULL) < 0 ? 0 : (uint32_t)hostlist_count(list);
}

/* A step of a heterogeneous job is "700+1.0". */
static void record_step_name(const Job *job, const Step *step, FILE *out) {
        char id[STEP_TEXT_MAX];

        fprintf(out, "StepId=%u", job->het_job ? job->het_job : job->id);
        if (job->het_job)
                fprintf(out, "+%u", job->het_offset);
        fprintf(out, ".%s", step_part_text(step->id, step->part, id));
}

void record_print_step(const struct record_view *v, const Job *job, const Step *step, FILE *out) {
        bool special = step->id > STEP_NUMBER_MAX;
        char buf[TIMETEXT_MAX];

        record_step_name(job, step, out);
        fprintf(out, " UserId=%u StartTime=%s", job->uid,
                        record_time_text(v, step->start_time, "Unknown", buf));
        fprintf(out, " TimeLimit=%s",
                        duration_text(step->time_limit ? step->time_limit : NO_LIMIT, buf));
        record_new_line(v, out);
        fprintf(out, "State=RUNNING Partition=%s NodeList=%s", job->partition, step->nodes);
        record_new_line(v, out);
        fprintf(out, "Nodes=%u CPUs=%u Tasks=%u Name=%s Network=(null)", count_hosts(step->nodes),
                        special ? 0 : step->num_cpus, MAX(step->num_tasks, 1u), step->name);
        record_new_line(v, out);
        struct scratch scratch = { 0 };
        fprintf(out, "TRES=%s",
                        special || !step->num_cpus ? "(null)" : step_tres(job, step, &scratch));
        scratch_done(&scratch);
        record_new_line(v, out);
        fprintf(out, "ResvPorts=%s", strna(step->resv_ports));
        record_new_line(v, out);
        if (!isempty(step->container)) {
                fprintf(out, "Container=%s", step->container);
                record_new_line(v, out);
        }
        if (isempty(step->cpu_freq))
                fputs("CPUFreqReq=Default", out);
        else
                cpu_freq(step->cpu_freq, out);
        fputs(special ? "" : " Dist=Block", out);
        record_new_line(v, out);
        fprintf(out, "SrunHost:Pid=%s:%u", strna(step->host), step->pid);
        if (!isempty(step->tres_bind)) {
                record_new_line(v, out);
                fprintf(out, "TresBind=%s", step->tres_bind);
        }
        record_end(v, out);
}

/* ---- node ---- */

static void node_what(const struct record_view *v, const Node *node, const Slumber__Hardware *h,
                FILE *out) {
        const Slumber__Hardware *now = node->registered;

        fprintf(out, "NodeName=%s ", node->name);
        if (now && !isempty(now->arch))
                fprintf(out, "Arch=%s ", now->arch);
        fprintf(out, "CoresPerSocket=%u ", h->cores);
        record_new_line(v, out);
        fprintf(out, "CPUAlloc=%u CPUEfctv=%u CPUTot=%u CPULoad=", node->cpus_alloc,
                        node_cpus(node), h->cpus);
        if (now)
                fprintf(out, "%.2f", now->load / 100.0);
        else
                fputs("N/A", out);
        record_new_line(v, out);
        fprintf(out, "AvailableFeatures=%s", strna(node->features));
        record_new_line(v, out);
        fprintf(out, "ActiveFeatures=%s", strna(node->active_features));
        record_new_line(v, out);
        fprintf(out, "Gres=%s", strna(node->gres));
        if (v->details) {
                record_new_line(v, out);
                fputs("GresDrain=N/A", out);
                record_new_line(v, out);
                fprintf(out, "GresUsed=%s", strna(node->gres_used));
        }
}

static void node_where(const struct record_view *v, const Node *node, FILE *out) {
        const Slumber__Hardware *now = node->registered;
        bool has_port = node->port && node->port != SLURMD_PORT,
             has_version = !isempty(node->version);

        record_new_line(v, out);
        fprintf(out, "NodeAddr=%s NodeHostName=%s ", node->address, node->hostname);
        if (has_port)
                fprintf(out, "Port=%u%s", node->port, has_version ? " " : "");
        if (has_version)
                fprintf(out, "Version=%s", node->version);
        if (now && !isempty(now->os)) {
                record_new_line(v, out);
                fprintf(out, "OS=%s ", now->os);
        }
}

static void node_state(const struct record_view *v, const Node *node, const Slumber__Hardware *h,
                FILE *out) {
        record_new_line(v, out);
        fprintf(out, "RealMemory=%llu AllocMem=%llu FreeMem=", (unsigned long long)h->real_memory,
                        (unsigned long long)node->mem_alloc);
        if (node->registered)
                fprintf(out, "%llu", (unsigned long long)node->registered->free_memory);
        else
                fputs("N/A", out);
        fprintf(out, " Sockets=%u Boards=%u", h->sockets * MAX(h->boards, 1u), MAX(h->boards, 1u));
        record_new_line(v, out);
        if (node->core_spec)
                fprintf(out, "CoreSpecCount=%u CPUSpecList=%s ", node->core_spec, node->cpu_spec);
        if (node->mem_spec)
                fprintf(out, "MemSpecLimit=%llu", (unsigned long long)node->mem_spec);
        if (node->core_spec || node->mem_spec)
                record_new_line(v, out);
        fprintf(out, "State=%s ThreadsPerCore=%u TmpDisk=%llu Weight=%u Owner=%s MCS_label=%s",
                        node->state_text, h->threads, (unsigned long long)h->tmp_disk, node->weight,
                        isempty(node->owner) ? "N/A" : node->owner,
                        isempty(node->mcs_label) ? "N/A" : node->mcs_label);
        if (node_next_word(node)) {
                record_new_line(v, out);
                fprintf(out, "NextState=%s", node_next_word(node));
        }
        if (!node->n_partitions)
                return;
        record_new_line(v, out);
        for (size_t i = 0; i < node->n_partitions; i++)
                fprintf(out, "%s%s", i ? "," : "Partitions=", node->partitions[i]);
        putc(' ', out);
}

static void node_times(const struct record_view *v, const Node *node, FILE *out) {
        char a[TIMETEXT_MAX], b[TIMETEXT_MAX];

        record_new_line(v, out);
        fprintf(out, "BootTime=%s SlurmdStartTime=%s",
                        record_time_text(v, node->boot_time, "None", a),
                        record_time_text(v, node->start_time, "None", b));
        record_new_line(v, out);
        fprintf(out, "LastBusyTime=%s ResumeAfterTime=%s",
                        record_time_text(v, node->last_busy, "Unknown", a),
                        record_time_text(v, node->resume_after, "None", b));
        if (!node->suspend_time)
                return;
        record_new_line(v, out);
        if (node->suspend_time == NO_LIMIT)
                fputs("SuspendTime=INFINITE", out);
        else
                fprintf(out, "SuspendTime=%llu",
                                (unsigned long long)(node->suspend_time / USEC_PER_SEC));
}

/* Slumber's own lines */
static void node_power(const struct record_view *v, const Node *node, FILE *out) {
        char buf[TIMETEXT_MAX];

        if (!isempty(node->veto)) {
                record_new_line(v, out);
                fprintf(out, "Veto=%s", node->veto);
        }
        if (node->reclaim_wanted && node->last_response) {
                record_new_line(v, out);
                fprintf(out, "MemoryReclaim=%s", node->reclaims ? "yes" : "no");
                if (!node->reclaims)
                        fprintf(out, " (%s)",
                                        isempty(node->no_reclaim) ? "its agent does not say"
                                                                  : node->no_reclaim);
        }
        if (!isempty(node->bmc_address)) {
                record_new_line(v, out);
                fprintf(out, "BmcAddress=%s", node->bmc_address);
        }
        if (!node->observed_at)
                return;
        record_new_line(v, out);
        fprintf(out, "BmcPower=%s ObservedAt=%s", node_bmc_word(node),
                        record_time_text(v, node->observed_at, "Never", buf));
}

static void node_tres(const struct record_view *v, const Node *node, FILE *out) {
        _cleanup_free_ char *configured = node_tres_text(node), *used = node_tres_used_text(node);

        record_new_line(v, out);
        fprintf(out, "CfgTRES=%s", configured);
        record_new_line(v, out);
        fprintf(out, "AllocTRES=%s", used);
        record_new_line(v, out);
        const Slumber__Energy *e = node->energy;
        fprintf(out, "CurrentWatts=%.0f AveWatts=%.0f",
                        node->watts || !e ? (double)node->watts : (double)e->draws / 1000,
                        e && e->at > e->from ? (double)e->used * 1000 / (double)(e->at - e->from)
                                             : 0);
}

static void node_texts(const struct record_view *v, const Node *node, FILE *out) {
        char buf[TIMETEXT_MAX];

        if (!isempty(node->reason)) {
                record_new_line(v, out);
                fprintf(out, "Reason=%s", node->reason);
                if (!isempty(node->reason_user))
                        fprintf(out, " [%s@%s]", node->reason_user,
                                        record_time_text(v, node->reason_time, "Unknown", buf));
                else if (node->reason_time)
                        fprintf(out, " [%u@%s]", node->reason_uid,
                                        record_time_text(v, node->reason_time, "Unknown", buf));
        }
        if (!isempty(node->comment)) {
                record_new_line(v, out);
                fprintf(out, "Comment=%s", node->comment);
        }
        if (!isempty(node->extra)) {
                record_new_line(v, out);
                fprintf(out, "Extra=%s", node->extra);
        }
        if (!isempty(node->instance_id) || !isempty(node->instance_type)) {
                record_new_line(v, out);
                fprintf(out, "InstanceId=%s InstanceType=%s", node->instance_id,
                                node->instance_type);
        }
        if (!isempty(node->reservation)) {
                record_new_line(v, out);
                fprintf(out, "ReservationName=%s", node->reservation);
        }
}

/* A node in a stable power state without an error is shown as in Slurm. */
static void node_phase(const struct record_view *v, const Node *node, FILE *out) {
        static const char *const at_rest[] = { "registered", "silent", "off", "bmc-off" };
        const Slumber__Power *p = node->power;
        bool rests = false;

        for (size_t i = 0; p && i < ELEMENTSOF(at_rest); i++)
                rests |= streq(p->phase, at_rest[i]);
        if (!p || (rests && isempty(p->error)))
                return;
        record_new_line(v, out);
        power_phase(v, p, out);
        power_details(v, p, out);
}

static void power_setting(const char *key, usec_t value, const char *from, FILE *out) {
        if (value == NO_LIMIT)
                fprintf(out, "%s=INFINITE(%s)", key, from);
        else
                fprintf(out, "%s=%llu(%s)", key, (unsigned long long)(value / USEC_PER_SEC), from);
}

void record_print_power(const struct record_view *v, const Node *node, FILE *out) {
        const Slumber__Power *p = node->power;

        if (!p) { /* old controller */
                fprintf(out, "NodeName=%s State=%s", node->name, node->state_text);
                record_end(v, out);
                return;
        }
        fprintf(out, "NodeName=%s State=%s ", node->name, node->state_text);
        power_phase(v, p, out);
        record_new_line(v, out);
        fprintf(out, "Why=%s", p->why);
        record_new_line(v, out);
        power_setting("SuspendTime", p->suspend_time, p->suspend_time_from, out);
        power_setting(" SuspendTimeout", p->suspend_timeout, p->suspend_timeout_from, out);
        power_setting(" ResumeTimeout", p->resume_timeout, p->resume_timeout_from, out);
        fprintf(out, " Excluded=%s", isempty(p->excluded) ? "No" : p->excluded);
        node_power(v, node, out);
        power_details(v, p, out);
        record_end(v, out);
}

void record_print_node(const struct record_view *v, const Node *node, FILE *out) {
        static const Slumber__Hardware none = SLUMBER__HARDWARE__INIT;
        const Slumber__Hardware *h = node->configured ? node->configured : &none;

        node_what(v, node, h, out);
        node_where(v, node, out);
        node_state(v, node, h, out);
        node_times(v, node, out);
        node_tres(v, node, out);
        node_power(v, node, out);
        node_texts(v, node, out);
        node_phase(v, node, out);
        record_end(v, out);
}

/* ---- partition ---- */

static void number_or(const char *key, uint64_t n, uint64_t none, const char *word, FILE *out) {
        if (n == none)
                fprintf(out, "%s=%s", key, word);
        else
                fprintf(out, "%s=%llu", key, (unsigned long long)n);
}

static const char *list_text_or_all(const char *list) {
        return isempty(list) ? "ALL" : list;
}

static void partition_access(const struct record_view *v, const Partition *p, FILE *out) {
        char buf[TIMETEXT_MAX];

        fprintf(out, "PartitionName=%s", p->name);
        record_new_line(v, out);
        bool denies = !isempty(p->deny_accounts) &&
                      streq(list_text_or_all(p->allow_accounts), "ALL");
        bool denies_qos = !isempty(p->deny_qos) && streq(list_text_or_all(p->allow_qos), "ALL");
        fprintf(out, "AllowGroups=%s %sAccounts=%s %sQos=%s", list_text_or_all(p->allow_groups),
                        denies ? "Deny" : "Allow",
                        denies ? p->deny_accounts : list_text_or_all(p->allow_accounts),
                        denies_qos ? "Deny" : "Allow",
                        denies_qos ? p->deny_qos : list_text_or_all(p->allow_qos));
        record_new_line(v, out);
        fprintf(out, "AllocNodes=%s Default=%s QoS=%s", list_text_or_all(p->alloc_nodes),
                        yes_no(p->is_default), isempty(p->qos) ? "N/A" : p->qos);
        record_new_line(v, out);
        fprintf(out, "DefaultTime=%s DisableRootJobs=%s ",
                        p->default_time ? duration_text(p->default_time, buf) : "NONE",
                        yes_no(p->disable_root_jobs));
        if (isempty(p->exclusive))
                fprintf(out, "ExclusiveUser=%s ExclusiveTopo=NO", yes_no(p->exclusive_user));
        else /* replaces both words, as in Slurm 26.05 */
                fprintf(out, "Exclusive=%s", p->exclusive);
        fprintf(out, " GraceTime=%u Hidden=%s", p->grace_time, yes_no(p->hidden));
}

static void partition_limits(const struct record_view *v, const Partition *p, FILE *out) {
        char buf[TIMETEXT_MAX];

        record_new_line(v, out);
        number_or("MaxNodes", p->max_nodes, UINT32_MAX, "UNLIMITED", out);
        fprintf(out, " MaxTime=%s MinNodes=%u LLN=%s ", duration_text(p->max_time, buf),
                        p->min_nodes, yes_no(p->lln));
        number_or("MaxCPUsPerNode", p->max_cpus_per_node ? p->max_cpus_per_node : UINT32_MAX,
                        UINT32_MAX, "UNLIMITED", out);
        fputs(" MaxCPUsPerSocket=UNLIMITED", out);
        record_new_line(v, out);
        fprintf(out, "Nodes=%s", strna(p->nodes));
        record_new_line(v, out);
        fprintf(out, "PriorityJobFactor=%u PriorityTier=%u RootOnly=%s ReqResv=%s OverSubscribe=%s",
                        p->priority_job_factor, p->priority_tier, yes_no(p->root_only),
                        yes_no(p->req_resv), isempty(p->oversubscribe) ? "NO" : p->oversubscribe);
        record_new_line(v, out);
        if (p->over_time_limit == UINT32_MAX)
                fputs("OverTimeLimit=NONE", out);
        else
                number_or("OverTimeLimit", p->over_time_limit, UINT32_MAX - 1, "UNLIMITED", out);
        fprintf(out, " PreemptMode=%s", isempty(p->preempt_mode) ? "OFF" : p->preempt_mode);
}

static void memory_limit(const char *key, uint64_t per_node, uint64_t per_cpu, FILE *out) {
        if (per_cpu && per_cpu != NO_LIMIT)
                fprintf(out, "%sPerCPU=%llu", key, (unsigned long long)per_cpu);
        else if (per_node && per_node != NO_LIMIT)
                fprintf(out, "%sPerNode=%llu", key, (unsigned long long)per_node);
        else
                fprintf(out, "%sPerNode=UNLIMITED", key);
}

static void partition_size(const struct record_view *v, const Partition *p, FILE *out) {
        char buf[TIMETEXT_MAX], cost[BILLING_TEXT_MAX], defaults[JOB_DEFAULTS_TEXT_MAX];
        uint32_t cpus = p->job_cpus ? p->job_cpus : p->total_cpus;

        record_new_line(v, out);
        fprintf(out, "State=%s TotalCPUs=%u TotalNodes=%u SelectTypeParameters=%s", p->state,
                        p->total_cpus, p->total_nodes,
                        isempty(p->select_params) ? "NONE" : p->select_params);
        if (!isempty(p->topology))
                fprintf(out, " Topology=%s", p->topology);
        record_new_line(v, out);
        fprintf(out, "JobDefaults=%s",
                        job_defaults_text(p->def_cpu_per_gpu, p->def_mem_per_gpu, defaults));
        record_new_line(v, out);
        memory_limit("DefMem", p->def_mem_per_node, p->def_mem_per_cpu, out);
        putc(' ', out);
        memory_limit("MaxMem", p->max_mem_per_node, p->max_mem_per_cpu, out);
        record_new_line(v, out);
        if (p->total_nodes)
                fprintf(out, "TRES=cpu=%u,mem=%s,node=%u%s%s%s", cpus,
                                memory_text(p->total_memory, buf), p->total_nodes,
                                billing_text(p->billing, cpus, cost), isempty(p->tres) ? "" : ",",
                                p->tres);
        else
                fputs("TRES=(null)", out);
        if (!isempty(p->billing_weights)) {
                record_new_line(v, out);
                fprintf(out, "TRESBillingWeights=%s", p->billing_weights);
        }
}

void record_print_partition(const struct record_view *v, const Partition *p, FILE *out) {
        partition_access(v, p, out);
        partition_limits(v, p, out);
        partition_size(v, p, out);
        if (!isempty(p->resume_timeout)) { /* power saving is on */
                record_new_line(v, out);
                fprintf(out, "ResumeTimeout=%s SuspendTimeout=%s SuspendTime=%s PowerDownOnIdle=%s",
                                p->resume_timeout, p->suspend_timeout, p->suspend_time,
                                yes_no(p->power_down_on_idle));
        }
        record_end(v, out);
}

/* ---- configuration ---- */

void record_print_config(const struct record_view *v, const Slumber__ConfigList *config,
                FILE *out) {
        char buf[TIMETEXT_MAX];

        fprintf(out, "Configuration data as of %s\n",
                        record_time_text(v, config->now, "Unknown", buf));
        for (size_t i = 0; i < config->n_settings; i++)
                fprintf(out, "%-23s = %s\n", config->settings[i]->key,
                                strna(config->settings[i]->value));
        fprintf(out, "\nSlurmctld(primary) at %s is UP\n", config->controller_host);
}
