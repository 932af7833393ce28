/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sstat: usage of running steps. The controller lists the steps and asks their nodes; each step
 * becomes an accounting record, printed by sacct's fields. */
#include "commands/accounts/sacct.h"
#include "commands/command.h"
#include "commands/jobid.h"
#include "lib/errors.h"
#include "lib/hostlist.h"
#include "lib/options.h"
#include "lib/wordlist.h"

#include <strings.h>

#define USUAL                                                                                      \
        "JobID,MaxVMSize,MaxVMSizeNode,MaxVMSizeTask,AveVMSize,MaxRSS,MaxRSSNode,MaxRSSTask,"      \
        "AveRSS,MaxPages,MaxPagesNode,MaxPagesTask,AvePages,MinCPU,MinCPUNode,MinCPUTask,AveCPU,"  \
        "NTasks,AveCPUFreq,ReqCPUFreqMin,ReqCPUFreqMax,ReqCPUFreqGov,ConsumedEnergy,MaxDiskRead,"  \
        "MaxDiskReadNode,MaxDiskReadTask,AveDiskRead,MaxDiskWrite,MaxDiskWriteNode,"               \
        "MaxDiskWriteTask,AveDiskWrite,TRESUsageInAve,TRESUsageInMax,TRESUsageInMaxNode,"          \
        "TRESUsageInMaxTask,TRESUsageInMin,TRESUsageInMinNode,TRESUsageInMinTask,TRESUsageInTot,"  \
        "TRESUsageOutAve,TRESUsageOutMax,TRESUsageOutMaxNode,TRESUsageOutMaxTask,"                 \
        "TRESUsageOutMin,TRESUsageOutMinNode,TRESUsageOutMinTask,TRESUsageOutTot"
#define PIDS "JobID,Nodelist,Pids"

struct wanted { /* a step to ask for */
        const Job *job;
        uint32_t step, part; /* part: as Step.part */
};

struct sstat {
        bool all_steps, helpformat, pids, no_header, no_convert, parsable, parsable2;
        const char *ids, *format;
        struct job_list *lists; /* one per word of ids */
        size_t n_lists;
        struct wanted *steps;
        size_t n_steps, allocated;
        Envelope *reply;
        bool failed;
};

#define FIELD(name) offsetof(struct sstat, name)

static const struct option_row rows[] = {
        { "allsteps", 'a', OPTION_FLAG, FIELD(all_steps), NULL, NULL,
                        "all running steps of jobs that are named without a step" },
        { "helpformat", 'e', OPTION_FLAG, FIELD(helpformat), NULL, NULL, "list the fields" },
        { "pidformat", 'i', OPTION_FLAG, FIELD(pids), NULL, NULL,
                        "processes: a line for each step and node" },
        { "jobs", 'j', OPTION_TEXT, FIELD(ids), NULL, "job[.step],...",
                        "these; without a step: the first that has a number" },
        { "noheader", 'n', OPTION_FLAG, FIELD(no_header), NULL, NULL, "no heading" },
        { "noconvert", 0, OPTION_FLAG, FIELD(no_convert), NULL, NULL, "sizes in bytes" },
        { "format", 'o', OPTION_TEXT, FIELD(format), NULL, "fields",
                        "these fields: NAME[%[-]WIDTH],..." },
        { "fields", 0, OPTION_TEXT, FIELD(format), NULL, "fields", NULL },
        { "parsable", 'p', OPTION_FLAG, FIELD(parsable), NULL, NULL, "a bar behind each field" },
        { "parsable2", 'P', OPTION_FLAG, FIELD(parsable2), NULL, NULL, "a bar between fields" },
        { "verbose", 'v', OPTION_IGNORED, 0, NULL, NULL, "accepted, changes nothing" },
        OPTION_ROWS_HELP('h'),
};

static const struct option_table table = {
        .program = "sstat",
        .skeleton = "sstat [<OPTION>] -j <job(.stepid)>\n    Valid <OPTION> values are:\n",
        .rows = rows,
        .n_rows = ELEMENTSOF(rows),
};

/* ---- fields ---- */

struct row { /* record of the fields */
        struct sacct_row step;
        Ended e;
        const Slumber__StepStatOf *m;
        const Slumber__NodePids *node; /* --pidformat: node of the line; else NULL */
};

static const char *node_list(const void *record, const struct member *m, struct scratch *s,
                const void *user) {
        const struct row *row = record;

        return row->node ? row->node->node : row->m->nodes;
}

static const char *step_pids_text(const void *record, const struct member *m, struct scratch *s,
                const void *user) {
        const struct row *row = record;
        _cleanup_free_ char *text = NULL;
        size_t size, n = 0;
        FILE *out = memstream_open(&text, &size);

        for (size_t i = 0; i < row->m->n_pids; i++)
                for (size_t k = 0; k < row->m->pids[i]->n_pids; k++)
                        if (!row->node || row->node == row->m->pids[i])
                                fprintf(out, "%s%u", n++ ? "," : "", row->m->pids[i]->pids[k]);
        memstream_close(out);
        return scratch_printf(s, "%s", text);
}

/* Fields in the order of --helpformat; take_sacct_fields() says what a row without text shows. */
static struct table_field fields[] = {
        { "AveCPU", .width = 10 },
        { "AveCPUFreq", .width = 10 },
        { "AveDiskRead", .width = 12 },
        { "AveDiskWrite", .width = 12 },
        { "AvePages", .width = 10 },
        { "AveRSS", .width = 10 },
        { "AveVMSize", .width = 10 },
        { "ConsumedEnergy", .width = 14 },
        { "ConsumedEnergyRaw", .width = 17 },
        { "JobID", .width = -12 },
        { "MaxDiskRead", .width = 12 },
        { "MaxDiskReadNode", .width = 15 },
        { "MaxDiskReadTask", .width = 15 },
        { "MaxDiskWrite", .width = 12 },
        { "MaxDiskWriteNode", .width = 16 },
        { "MaxDiskWriteTask", .width = 16 },
        { "MaxPages", .width = 8 },
        { "MaxPagesNode", .width = 12 },
        { "MaxPagesTask", .width = 14 },
        { "MaxRSS", .width = 10 },
        { "MaxRSSNode", .width = 10 },
        { "MaxRSSTask", .width = 10 },
        { "MaxVMSize", .width = 10 },
        { "MaxVMSizeNode", .width = 14 },
        { "MaxVMSizeTask", .width = 14 },
        { "MinCPU", .width = 10 },
        { "MinCPUNode", .width = 10 },
        { "MinCPUTask", .width = 10 },
        { "Nodelist", 20, .text = node_list },
        { "NTasks", .width = 8 },
        { "Pids", 20, .text = step_pids_text },
        { "ReqCPUFreq", .width = 10 },
        { "ReqCPUFreqMin", .width = 13 },
        { "ReqCPUFreqMax", .width = 13 },
        { "ReqCPUFreqGov", .width = 13 },
        { "TRESUsageInAve", .width = 14 },
        { "TRESUsageInMax", .width = 14 },
        { "TRESUsageInMaxNode", .width = 18 },
        { "TRESUsageInMaxTask", .width = 18 },
        { "TRESUsageInMin", .width = 14 },
        { "TRESUsageInMinNode", .width = 18 },
        { "TRESUsageInMinTask", .width = 18 },
        { "TRESUsageInTot", .width = 14 },
        { "TRESUsageOutAve", .width = 15 },
        { "TRESUsageOutMax", .width = 15 },
        { "TRESUsageOutMaxNode", .width = 19 },
        { "TRESUsageOutMaxTask", .width = 19 },
        { "TRESUsageOutMin", .width = 15 },
        { "TRESUsageOutMinNode", .width = 19 },
        { "TRESUsageOutMinTask", .width = 19 },
        { "TRESUsageOutTot", .width = 15 },
};

/* sacct's fields take the struct sacct_row at the beginning of a struct row. */
_Static_assert(offsetof(struct row, step) == 0, "sacct's fields get a struct row");

static void take_sacct_fields(void) {
        size_t n;
        const struct table_field *theirs = sacct_fields(&n);

        for (size_t i = 0; i < ELEMENTSOF(fields); i++)
                for (size_t k = 0; k < n && !fields[i].text; k++)
                        if (streq(fields[i].name, theirs[k].name)) {
                                fields[i].text = theirs[k].text;
                                fields[i].member = theirs[k].member;
                        }
}

static int sstat_choose_fields(const struct sstat *s, struct table *t) {
        const char *format = s->format ? s->format : s->pids ? PIDS : USUAL;
        struct fail fail = { 0 };

        take_sacct_fields();
        for_each_word(w, format, ",") {
                struct table one = { .first_match = true };
                size_t length = strcspn(w, "%");
                if (table_parse(&one, w, fields, ELEMENTSOF(fields), &fail) >= 0)
                        continue;
                if (w[length])
                        command_error("sstat", "%s", fail.text);
                else
                        command_error("sstat", "Invalid field requested: \"%s\"", w);
                return -EINVAL;
        }
        int r = table_parse(t, format, fields, ELEMENTSOF(fields), &fail);
        if (r < 0)
                command_error("sstat", "%s", fail.text);
        return r;
}

/* ---- selection of steps ---- */

static const char *step_name(uint32_t job, uint32_t step, uint32_t part, char buf[static 32]) {
        char text[STEP_TEXT_MAX];

        snprintf(buf, 32, "%u.%s", job, step_part_text(step, part, text));
        return buf;
}

static void sstat_add_step(struct sstat *s, const Job *job, const Step *step) {
        for (size_t i = 0; i < s->n_steps; i++)
                if (s->steps[i].job->id == job->id && s->steps[i].step == step->id &&
                                s->steps[i].part == step->part)
                        return;
        GROW(s->steps, s->allocated, s->n_steps);
        s->steps[s->n_steps++] = (struct wanted){ job, step->id, step->part };
}

/* Adds the steps of job selected by id; false: none. */
static bool choose_steps(struct sstat *s, const struct job_id *id, const Job *job) {
        const Step *first = NULL;
        size_t n = 0;

        for (size_t i = 0; i < job->n_steps; i++) {
                const Step *step = job->steps[i];
                if (id->has_step ? step->id == id->step && (!id->part || step->part == id->part)
                                 : s->all_steps) {
                        sstat_add_step(s, job, step);
                        n++;
                } else if (!id->has_step && step->id <= STEP_NUMBER_MAX &&
                                (!first || step->id < first->id)) {
                        first = step;
                }
        }
        for (size_t i = 0; first && i < job->n_steps; i++)
                if (job->steps[i]->id == first->id) { /* each component of the step */
                        sstat_add_step(s, job, job->steps[i]);
                        n++;
                }
        return n > 0;
}

static int find_steps(struct sstat *s, struct wire *w, const struct job_id *id, struct fail *fail) {
        Slumber__JobQuery q = SLUMBER__JOB_QUERY__INIT;
        struct job_id whole = { .job = id->job, .tasks = id->tasks };
        struct job_id_request request;
        struct job_list *list;
        uint32_t code = SLUMBER_OK;
        char name[32];
        bool found = false;

        s->lists = xrenew(s->lists, s->n_lists + 1);
        list = &s->lists[s->n_lists++];
        *list = (struct job_list){ 0 };
        job_id_request_init(&request, &whole, 1);
        q.ids = request.ids;
        q.n_ids = request.n_ids;
        q.tasks = request.task_pointers;
        q.n_tasks = request.n_tasks;
        q.with_steps = q.with_hidden = true;
        int r = query_jobs(w, &q, list, &code, fail);
        job_id_request_done(&request);
        if (r < 0 && code != SLUMBER_BAD_JOB_ID)
                return r;
        for (size_t i = 0; r >= 0 && i < list->n_jobs; i++)
                found |= choose_steps(s, id, list->jobs[i]);
        if (!found && id->has_step)
                command_error("sstat", "StepId=%s not found running.",
                                step_name(id->job, id->step, id->part, name));
        else if (!found)
                command_error("sstat", "No steps running for job %u", id->job);
        return 0;
}

static int sstat_find_all_steps(struct sstat *s, struct wire *w, struct fail *fail) {
        _cleanup_free_ char *copy = xstrdup(s->ids);
        char *rest = copy, *word;
        int r = 0;

        while (r >= 0 && (word = job_id_next(&rest))) {
                struct job_id id = { 0 };
                r = job_id_parse_part(word, &id);
                if (r == -EINVAL)
                        fail_set(fail, r, "Bad job/step specified: %s", word);
                if (r >= 0)
                        r = find_steps(s, w, &id, fail);
                job_id_done(&id);
        }
        return r;
}

static int sstat_query(struct sstat *s, struct wire *w, struct fail *fail) {
        Slumber__StepStatQuery q = SLUMBER__STEP_STAT_QUERY__INIT;
        _cleanup_free_ Slumber__StepName *names = xnew(Slumber__StepName, s->n_steps + 1);
        _cleanup_free_ Slumber__StepName **list = xnew(Slumber__StepName *, s->n_steps + 1);
        uint32_t code = SLUMBER_OK;

        for (size_t i = 0; i < s->n_steps; i++) {
                slumber__step_name__init(&names[i]);
                names[i].job_id = s->steps[i].job->id;
                names[i].step_id = s->steps[i].step;
                names[i].part = s->steps[i].part;
                list[q.n_steps++] = &names[i];
        }
        q.steps = list;
        ENVELOPE(request, STEP_STAT_QUERY, step_stat_query, &q);
        int r = wire_call(w, &request, &s->reply, &code, fail);
        if (r >= 0 && (s->reply->body_case != SLUMBER__ENVELOPE__BODY_STEP_STAT_REPLY ||
                                      s->reply->step_stat_reply->n_steps != s->n_steps))
                r = fail_set(fail, -EPROTO, "%s", slumber_error_text(SLUMBER_PROTOCOL));
        return r;
}

/* ---- output ---- */

static void sstat_print_rows(const struct sstat *s, const struct table *t, struct row *row) {
        const struct sacct_view view = { .no_convert = s->no_convert };
        struct scratch scratch = { 0 };

        for (size_t i = 0; i < (s->pids ? row->m->n_pids : 1); i++) {
                row->node = s->pids ? row->m->pids[i] : NULL;
                table_row(t, row, &scratch, &view, stdout);
        }
        scratch_done(&scratch);
}

static void sstat_print_step(const struct sstat *s, const struct table *t, const Job *job,
                const Slumber__StepStatOf *m) {
        Ended of_job = SLUMBER__ENDED__INIT;
        EndedStep step = SLUMBER__ENDED_STEP__INIT;
        struct row row = { .m = m };

        of_job.job_id = job->id;
        of_job.array_job = job->array_job;
        of_job.het_job = job->het_job;
        of_job.het_offset = job->het_offset;
        of_job.array_task = job->array_job ? (int64_t)job->array_task : -1;
        step.step_id = m->step->step_id;
        step.part = m->step->part;
        for (size_t i = 0; i < job->n_steps; i++)
                if (job->steps[i]->id == m->step->step_id && job->steps[i]->part == m->step->part)
                        step.cpu_freq = job->steps[i]->cpu_freq;
        sacct_step_measure(&step, m);
        row.step = sacct_step_row(&of_job, &step, &row.e);
        row.step.measured = *step.task_sum;
        sstat_print_rows(s, t, &row);
        sacct_step_measure_done(&step);
}

static void sstat_print(struct sstat *s, const struct table *t) {
        for (size_t i = 0; i < s->n_steps; i++) {
                const Slumber__StepStatOf *m = s->reply->step_stat_reply->steps[i];
                char name[32];
                if (!m->step)
                        continue;
                step_name(m->step->job_id, m->step->step_id, m->step->part, name);
                if (m->code == SLUMBER_BAD_JOB_ID) { /* the step ended meanwhile */
                        command_error("sstat", "StepId=%s not found running.", name);
                        continue;
                }
                s->failed |= m->code || *m->silent;
                if (m->code)
                        command_error("sstat", "StepId=%s: %s", name,
                                        slumber_error_text((int)m->code));
                else
                        sstat_print_step(s, t, s->steps[i].job, m);
                if (*m->silent)
                        command_error("sstat", "StepId=%s: no answer from %s", name, m->silent);
        }
}

static int sstat_run(struct sstat *s) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        struct table t = { .first_match = true,
                .no_heading = s->no_header,
                .style = s->parsable2  ? TABLE_BARS
                         : s->parsable ? TABLE_BARS_END
                                       : TABLE_PADDED };
        struct fail fail = { 0 };

        if (sstat_choose_fields(s, &t) < 0)
                return EXIT_FAILURE;
        if (isempty(s->ids)) {
                command_error("sstat", "You didn't give me any jobs to stat.");
                return EXIT_FAILURE;
        }
        int r = command_connect(&w, &fail);
        if (r >= 0)
                r = sstat_find_all_steps(s, w, &fail);
        if (r >= 0 && s->n_steps)
                r = sstat_query(s, w, &fail);
        if (r < 0) {
                command_error("sstat", "%s", fail.text);
                return EXIT_FAILURE;
        }
        if (!s->no_header)
                table_heading(&t, stdout);
        if (s->reply)
                sstat_print(s, &t);
        return fflush(stdout) == 0 && !s->failed ? EXIT_SUCCESS : EXIT_FAILURE;
}

static void sstat_done(struct sstat *s) {
        for (size_t i = 0; i < s->n_lists; i++)
                job_list_done(&s->lists[i]);
        if (s->reply)
                slumber__envelope__free_unpacked(s->reply, NULL);
        free(s->lists);
        free(s->steps);
}

int sstat_main(int argc, char **argv) {
        struct sstat s = { 0 };
        int first, r = options_parse(&table, argc, argv, &s, &first), code = EXIT_FAILURE;

        if (r == OPTIONS_DONE)
                code = EXIT_SUCCESS;
        else if (r == 0 && first + (s.ids ? 0 : 1) < argc)
                command_error("sstat", "Unrecognized option: %s", argv[argc - 1]);
        else if (r == 0 && s.helpformat) {
                table_help(fields, ELEMENTSOF(fields), stdout);
                code = EXIT_SUCCESS;
        } else if (r == 0) {
                s.ids = s.ids ? s.ids : first < argc ? argv[first] : NULL;
                code = sstat_run(&s);
        }
        sstat_done(&s);
        return code;
}
