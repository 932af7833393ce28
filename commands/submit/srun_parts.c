/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The components of a heterogeneous step, "srun A : B" (Slurm's guide "Heterogeneous Job Support",
 * "Heterogeneous Steps"). Each component has its own options, program and files; the step, the
 * connection, the standard input and the end are common.
 *
 * struct srun has the first component; another component is swapped in while its options are read
 * or its request is made (srun_turn()). */
#include "commands/submit/srun.h"

#include "lib/timetext.h"

#include <fcntl.h>

#define SWAP(a, b)                                                                                 \
        do {                                                                                       \
                typeof(a) swapped_ = (a);                                                          \
                (a) = (b);                                                                         \
                (b) = swapped_;                                                                    \
        } while (0)

void srun_turn(struct srun *s, size_t part) {
        struct srun_part *p = part ? &s->parts[part] : NULL;

        if (!p)
                return;
        SWAP(s->o, p->o);
        SWAP(s->argc, p->argc);
        SWAP(s->argv, p->argv);
        SWAP(s->copy, p->copy);
        SWAP(s->out_file, p->out_file);
        SWAP(s->err_file, p->err_file);
        for (int k = 0; k < 3; k++) {
                SWAP(s->output_fd[k], p->output_fd[k]);
                SWAP(s->output[k], p->output[k]);
        }
}

/* ---- the command line ---- */

#define WHOLE_VALUE(name, field)                                                                   \
        {                                                                                          \
                (name), offsetof(struct job_options, field),                                       \
                                sizeof(((struct job_options *)0)->field), false                    \
        }
#define WHOLE_TEXT(name, field)                                                                    \
        { (name), offsetof(struct job_options, field), sizeof(char *), true }

/* Options that must be equal for all components. */
static const struct {
        const char *option;
        size_t at, size;
        bool text;
} whole[] = {
        WHOLE_VALUE("debugger-test", debugger_test),
        WHOLE_VALUE("disable-status", disable_status),
        WHOLE_TEXT("epilog", srun_epilog),
        WHOLE_TEXT("gid", become.group),
        WHOLE_VALUE("immediate", immediate),
        WHOLE_VALUE("immediate", immediate_seconds),
        WHOLE_TEXT("input", in),
        WHOLE_VALUE("jobid", job_id),
        WHOLE_TEXT("jobid", job_component),
        WHOLE_VALUE("kill-on-bad-exit", kill_on_bad_exit),
        WHOLE_VALUE("kill-on-bad-exit", keep_on_bad_exit),
        WHOLE_TEXT("mpi", mpi),
        WHOLE_VALUE("msg-timeout", launch_seconds),
        WHOLE_TEXT("prolog", srun_prolog),
        WHOLE_VALUE("pty", pty),
        WHOLE_VALUE("quiet", quiet),
        WHOLE_VALUE("quit-on-interrupt", quit_on_interrupt),
        WHOLE_VALUE("resv-ports", resv_ports),
        WHOLE_VALUE("resv-ports", no_ports),
        WHOLE_VALUE("slurmd-debug", debug_level),
        WHOLE_VALUE("test-only", test_only),
        WHOLE_VALUE("time", time_limit),
        WHOLE_VALUE("treewidth", tree_width),
        WHOLE_TEXT("uid", become.user),
        WHOLE_VALUE("verbose", verbose),
        WHOLE_VALUE("wait", wait_seconds),
        WHOLE_VALUE("wait", wait_said),
        WHOLE_VALUE("x11", spec.x11),
};

static bool whole_option_is_same(const struct job_options *a, const struct job_options *b,
                size_t i) {
        const char *x = (const char *)a + whole[i].at, *y = (const char *)b + whole[i].at;

        if (!whole[i].text)
                return memcmp(x, y, whole[i].size) == 0;
        return streq(strempty(*(const char *const *)(const void *)x),
                        strempty(*(const char *const *)(const void *)y));
}

/* --time may differ: each component of a job has its own limit. */
static bool is_of_own_job(const struct job_options *first, const char *option) {
        return !first->job_id && streq(option, "time");
}

static int whole_options_check(const struct job_options *first, const struct job_options *o,
                size_t part, struct fail *fail) {
        for (size_t i = 0; i < ELEMENTSOF(whole); i++)
                if (!whole_option_is_same(first, o, i) && !is_of_own_job(first, whole[i].option))
                        return fail_set(fail, -EINVAL,
                                        "--%s is for all components of a step: component %zu "
                                        "cannot have another one than the first",
                                        whole[i].option, part);
        return 0;
}

/* Refuses options that are not possible with several components. */
static int check_plain(const struct srun *s, struct fail *fail) {
        const struct {
                const char *option;
                bool said;
        } rows[] = { { "interactive", s->o.interactive }, { "multi-prog", s->o.multi_prog } };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++)
                if (rows[i].said)
                        return fail_set(fail, -ENOTSUP,
                                        s->spans ? "--%s option not supported with multiple het groups"
                                                 : "--%s is not for a step of several components "
                                                   "(\":\")",
                                        rows[i].option);
        return 0;
}

/* Takes options not given for the component from the first component. */
static void fill_from_first(struct job_options *o, const struct job_options *first) {
        if (!o->mpi)
                o->mpi = first->mpi;
        if (!o->resv_ports && !o->no_ports) {
                o->resv_ports = first->resv_ports;
                o->no_ports = first->no_ports;
        }
        if (!o->job_component)
                o->job_component = first->job_component;
        if (!o->tree_width)
                o->tree_width = first->tree_width;
        o->debugger_test |= first->debugger_test;
        o->disable_status |= first->disable_status;
        if (!o->spec.x11)
                o->spec.x11 = first->spec.x11;
}

static int srun_part_read(struct srun *s, size_t part, struct fail *fail) {
        const struct srun_line *line = &s->lines[s->parts[part].line];

        srun_turn(s, part);
        s->turn = part;
        s->line = s->parts[part].line;
        s->group = s->parts[part].group;
        int r = srun_sources_read(s, JOB_SRUN, line->argc, line->argv, fail);
        s->turn = 0;
        srun_turn(s, part);
        return r;
}

/* Called in the component's turn. */
static int check_part(struct srun *s, size_t part, struct fail *fail) {
        int r = check_plain(s, fail);

        if (r >= 0 && s->o.task_licenses)
                r = fail_set(fail, -EINVAL,
                                "license/ in --tres-per-task: a step has no licenses of its own, "
                                "only its job's");
        if (r >= 0)
                r = srun_options_check(s, fail);
        if (r >= 0)
                r = whole_options_check(&s->parts[part].o, &s->o, part, fail);
        return r;
}

/* The step is in the job of the leader. */
static void name_whole_job(struct srun *s) {
        for (size_t i = 0; i < s->n_parts; i++)
                *(i ? &s->parts[i].o.job_id : &s->o.job_id) = s->leader;
}

int srun_read_parts(struct srun *s, struct fail *fail) {
        int r = 0;

        for (size_t i = 1; r == 0 && i < s->n_parts; i++)
                r = srun_part_read(s, i, fail);
        if (r != 0)
                return r;
        if (s->spans)
                name_whole_job(s);
        s->spans |= !s->o.job_id; /* a new heterogeneous job */
        for (size_t i = 1; r >= 0 && i < s->n_parts; i++) {
                fill_from_first(&s->parts[i].o, &s->o);
                if (!s->parts[i].argc)
                        continue; /* the first component has no program either */
                srun_take_group(s, s->parts[i].group);
                srun_turn(s, i);
                r = check_part(s, i, fail);
                srun_turn(s, i);
        }
        if (s->n_parts)
                srun_take_group(s, s->parts[0].group);
        if (r >= 0 && !s->lines[s->n_lines - 1].n_program)
                s->argc = 0;
        return r >= 0 ? check_plain(s, fail) : r;
}

/* ---- the step ---- */

int srun_parts_begin(struct srun *s, const Slumber__StepReply *reply) {
        uint32_t end = 0;

        if (!s->n_parts)
                return 0;
        if (reply->n_part_tasks != s->n_parts) {
                command_error(SRUN, "what makes the job's steps is of an earlier version and knows "
                                    "none of several components. Aborting step.");
                return -EOPNOTSUPP;
        }
        for (size_t i = 0; i < s->n_parts; i++)
                s->parts[i].end = end += reply->part_tasks[i];
        return 0;
}

/* Returns the component of a rank. */
static size_t srun_part_of(const struct srun *s, uint32_t rank) {
        size_t i = 0;

        while (i + 1 < s->n_parts && rank >= s->parts[i].end)
                i++;
        return i;
}

struct step_output *srun_part_output(const struct srun *s, size_t part, uint32_t stream) {
        return part ? s->parts[part].output[stream] : s->output[stream];
}

struct step_output *srun_output(const struct srun *s, uint32_t stream, uint32_t rank) {
        return srun_part_output(s, srun_part_of(s, rank), stream);
}

/* Returns whether %x, the job name, is equal for both. */
static bool part_has_name(const struct srun *s, const struct srun_part *p) {
        if (s->o.name || p->o.name)
                return streq(strempty(s->o.name), strempty(p->o.name));
        return streq(s->argv[0], p->argv[0]);
}

/* Returns a duplicate descriptor of the component's file with this pattern; -1: none. */
static int part_file_share(const struct srun *s, const struct srun_part *p, const char *pattern) {
        const char *files[] = { NULL, p->out_file, p->err_file };
        bool named = step_file_has(pattern, "x");

        if ((s->own || s->spans) && step_file_has(pattern, "jJA"))
                return -1; /* each component is a job with its own id */
        for (int k = 1; k < 3 && (!named || part_has_name(s, p)); k++)
                if (p->output_fd[k] >= 0 && files[k] && streq(files[k], pattern))
                        return fcntl(p->output_fd[k], F_DUPFD_CLOEXEC, 0);
        return -1;
}

int srun_shared_file(const struct srun *s, size_t part, const char *pattern) {
        int fd = -1;

        /* The first component is at parts[part] in the turn of `part` */
        for (size_t i = 1; fd < 0 && i <= part && i < s->n_parts; i++)
                fd = part_file_share(s, &s->parts[i], pattern);
        return fd;
}

void srun_parts_free(struct srun *s) {
        for (size_t i = 1; i < s->n_parts; i++) {
                struct srun_part *p = &s->parts[i];
                for (int k = 1; k < 3; k++) {
                        step_output_free(p->output[k]);
                        if (p->output_fd[k] >= 0)
                                close(p->output_fd[k]);
                }
                srun_copy_done(&p->copy);
                free(p->out_file);
                free(p->err_file);
        }
        free(s->parts);
        free(s->lines);
}
