/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line of srun, split by ":" into lines, and --het-group (Slurm's guide "Heterogeneous
 * Job Support", "Launching Applications"). In a heterogeneous job a line is for the components
 * named by --het-group, or else for the component of the same number; a component has at most one
 * part of the step. Parts are in the order of components, not of lines. */
#include "commands/query.h"
#include "commands/submit/srun.h"

#include "lib/errors.h"
#include "lib/timetext.h"

extern char **environ;

#define PARTS_MAX    128 /* the controller's limit */
#define GROUP        "_HET_GROUP_"
#define SPANK_OPTION "_SLURM_SPANK_OPTION_" /* as in spank_option_variable() */

/* ---- the environment ---- */

/* Sets a variable. Options borrow values from the environment, so texts are never freed, and
   equal texts are shared. */
static void put_variable(const char *name, const char *value) {
        static struct lines {
                char *text;
                struct lines *next;
        } * lines;
        _cleanup_free_ char *text = xasprintf("%s=%s", name, value);
        struct lines *l = lines;

        while (l && !streq(l->text, text))
                l = l->next;
        if (!l) {
                l = xnew(struct lines, 1);
                *l = (struct lines){ TAKE(text), lines };
                lines = l;
        }
        (void)putenv(l->text);
}

static bool is_jobs(const char *line) {
        return strncmp(line, "SLURM_", strlen("SLURM_")) == 0 ||
               strncmp(line, SPANK_OPTION, strlen(SPANK_OPTION)) == 0;
}

/* Sets the variables of a component of a heterogeneous job. The environment has variables of
   each component by number; variables without a number belong to the component of the script or
   of another step. */
void srun_take_group(const struct srun *s, int group) {
        size_t n = 0;

        if (group < 0 || s->elsewhere)
                return;
        while (environ[n])
                n++;
        _cleanup_free_ char **names = xnew0(char *, n + 1);
        for (size_t i = 0, k = 0; i < n; i++) {
                const char *of_group = strstr(environ[i], GROUP);
                if (of_group && is_jobs(environ[i]) &&
                                of_group < environ[i] + strcspn(environ[i], "="))
                        names[k++] = xstrndup(environ[i], (size_t)(of_group - environ[i]));
        }
        for (char **name = names; *name; name++) {
                _cleanup_free_ char *of_group = xasprintf("%s" GROUP "%d", *name, group);
                const char *value = getenv(of_group);
                if (value)
                        put_variable(*name, value);
                else
                        (void)unsetenv(*name);
                free(*name);
        }
}

/* ---- lines ---- */

/* Reads a line, from argv[0], the program's name or ":". */
static int srun_line_read(struct srun *s, int argc, char **argv, struct job_options *o,
                struct fail *fail) {
        static char name[] = SRUN; /* in the place of ":" */
        struct srun_line line = { .argv = argv };
        int first;

        if (s->n_lines == PARTS_MAX)
                return fail_set(fail, -E2BIG, "a step has %d components at most", PARTS_MAX);
        if (s->n_lines)
                argv[0] = name;
        job_options_init(o, JOB_SRUN);
        int r = options_parse(job_options_table(JOB_SRUN), argc, argv, o, &first);
        if (r != 0) {
                s->failure = r < 0 ? job_options_exit(r) : s->failure;
                return r;
        }
        line.program = argv + first;
        while (first + line.n_program < argc && !streq(line.program[line.n_program], ":"))
                line.n_program++;
        line.argc = first + line.n_program;
        line.groups = o->het_group;
        s->lines = xrenew(s->lines, s->n_lines + 1);
        s->lines[s->n_lines++] = line;
        return 0;
}

/* A line without a program gets the program of the next line with one. */
static void fill_programs(struct srun *s) {
        for (size_t i = s->n_lines - 1; i-- > 0;)
                if (!s->lines[i].n_program) {
                        s->lines[i].n_program = s->lines[i + 1].n_program;
                        s->lines[i].program = s->lines[i + 1].program;
                }
}

/* ---- components of the lines ---- */

static void line_part_add(struct srun *s, size_t line, int group) {
        s->parts = xrenew(s->parts, s->n_parts + 1);
        s->parts[s->n_parts++] = (struct srun_part){ .line = line,
                .group = group,
                .output_fd = { -1, -1, -1 } };
}

/* The heterogeneous job in which the step runs. */
struct het_job {
        uint32_t leader; /* 0: no heterogeneous job */
        int size;        /* number of components */
        /* Component of a step without --het-group; named: --jobid=12+1 allows only this one */
        int single;
        bool named;
};

static int line_group_add(const struct het_job *h, int group, int *line_of, int line,
                struct fail *fail) {
        if (line_of[group] >= 0)
                return fail_set(fail, -EPERM,
                                "--het-group: component %d of the job can have one part of the "
                                "step only",
                                group);
        if (h->named && group != h->single)
                return fail_set(fail, -EINVAL,
                                "--jobid=%u+%d names one component of the job, and the step is for "
                                "component %d",
                                h->leader, h->single, group);
        line_of[group] = line;
        return 0;
}

/* Sets the components of line i in ret. */
static void line_groups_find(const struct srun *s, const struct het_job *h, size_t i, bool *ret) {
        if (s->lines[i].groups)
                (void)job_het_groups(s->lines[i].groups, ret);
        else
                ret[s->n_lines > 1 ? (int)i : h->single] = true;
}

static int check_highest(const struct srun *s, const struct het_job *h, struct fail *fail) {
        bool set[HET_COMPONENTS_MAX] = { false };
        int highest = HET_COMPONENTS_MAX - 1;

        for (size_t i = 0; i < s->n_lines; i++)
                line_groups_find(s, h, i, set);
        while (highest > 0 && !set[highest])
                highest--;
        if (highest < h->size)
                return 0;
        return fail_set(fail, -EPERM,
                        "Requested het-group offset exceeds highest hetjob index (%d > %d)",
                        highest, h->size - 1);
}

static int add_groups(struct srun *s, const struct het_job *h, struct fail *fail) {
        int line_of[HET_COMPONENTS_MAX], r = check_highest(s, h, fail);

        for (int g = 0; g < HET_COMPONENTS_MAX; g++)
                line_of[g] = -1;
        for (size_t i = 0; i < s->n_lines && r >= 0; i++) {
                bool set[HET_COMPONENTS_MAX] = { false };
                line_groups_find(s, h, i, set);
                for (int g = 0; g < h->size && r >= 0; g++)
                        r = set[g] ? line_group_add(h, g, line_of, (int)i, fail) : 0;
        }
        for (int g = 0; g < h->size && r >= 0; g++)
                if (line_of[g] >= 0)
                        line_part_add(s, (size_t)line_of[g], g);
        return r;
}

/* A step on a single component is treated like any step. */
static void component_single_use(struct srun *s) {
        s->spans = s->n_parts > 1;
        if (s->spans)
                return;
        s->line = s->parts[0].line;
        s->group = s->parts[0].group;
        free(TAKE(s->parts));
        s->n_parts = 0;
}

/* ---- the job ---- */

static uint32_t variable_number(const char *variable) {
        uint64_t n;

        return uint_parse(strempty(getenv(variable)), 1, UINT32_MAX, &n) < 0 ? 0 : (uint32_t)n;
}

/* Takes the heterogeneous job of the environment, unless --jobid names another job. */
static void find_here(const struct job_options *o, struct het_job *h) {
        uint32_t size = variable_number("SLURM_HET_SIZE"),
                 leader = variable_number("SLURM_JOB_ID_HET_GROUP_0");

        if (!leader || !size || size > HET_COMPONENTS_MAX || (o->job_id && o->job_id != leader))
                return;
        h->leader = leader;
        h->size = (int)size;
}

/* Queries the job from the controller. */
static int find_elsewhere(uint32_t job, struct het_job *h, struct fail *fail) {
        _cleanup_(job_list_done) struct job_list list = { 0 };
        _cleanup_(wire_freep) struct wire *w = NULL;
        Slumber__JobQuery q = SLUMBER__JOB_QUERY__INIT;
        int r = command_connect(&w, fail);

        q.ids = &job;
        q.n_ids = 1;
        q.with_finished = true;
        if (r >= 0)
                r = query_jobs(w, &q, &list, NULL, fail);
        if (r < 0)
                return r;
        const Job *first = list.n_jobs ? list.jobs[0] : NULL;
        if (!first || (first->het_job && first->het_job != job))
                return fail_set(fail, -ESRCH, "Unable to confirm allocation for job %u: %s", job,
                                slumber_error_text(first ? SLUMBER_NOT_HET_LEADER
                                                         : SLUMBER_BAD_JOB_ID));
        if (first->het_job && first->het_size <= HET_COMPONENTS_MAX) {
                h->leader = job;
                h->size = (int)first->het_size;
        }
        return 0;
}

static int find_single(const struct job_options *o, struct het_job *h, struct fail *fail) {
        const char *plus = o->job_component ? strchr(o->job_component, '+') : NULL;
        uint64_t group = 0;

        if (!h->leader || !plus)
                return 0;
        if (uint_parse(plus + 1, 0, UINT32_MAX, &group) < 0 || group >= (uint64_t)h->size)
                return fail_set(fail, -ESRCH, "Unable to confirm allocation for job %s: %s",
                                o->job_component, slumber_error_text(SLUMBER_BAD_JOB_ID));
        h->single = (int)group;
        h->named = true;
        return 0;
}

/* first: options of the first line; said: some line has --het-group. */
static int find_job(struct srun *s, const struct job_options *first, bool said, struct het_job *h,
                struct fail *fail) {
        uint32_t job = first->job_id ? first->job_id : variable_number("SLURM_JOB_ID");
        int r = 0;

        find_here(first, h);
        if (!h->leader && job && (said || (first->job_id && s->n_lines > 1))) {
                s->elsewhere = true;
                r = find_elsewhere(job, h, fail);
        }
        if (r >= 0 && said && !h->leader)
                r = fail_set(fail, -EPERM,
                                "--het-group is for steps in a heterogeneous job, and there is none");
        return r < 0 ? r : find_single(first, h, fail);
}

/* ---- the whole command line ---- */

/* Returns whether the command line has neither components nor heterogeneous jobs. */
static bool is_plain(int argc, char **argv) {
        for (int i = 1; i < argc; i++)
                if (strncmp(argv[i], "--het", 5) == 0 || strncmp(argv[i], "--pack", 6) == 0 ||
                                streq(argv[i], ":"))
                        return false;
        return !getenv("SLURM_HET_SIZE");
}

int srun_split(struct srun *s, int argc, char **argv, struct fail *fail) {
        struct job_options first, o;
        struct het_job h = { 0 };

        s->group = -1;
        if (is_plain(argc, argv)) {
                s->lines = xnew(struct srun_line, 1);
                s->lines[s->n_lines++] = (struct srun_line){ .argc = argc, .argv = argv };
                return 0;
        }
        int r = srun_line_read(s, argc, argv, &first, fail), at = 0;
        bool said = first.het_group;

        while (r == 0 && (at += s->lines[s->n_lines - 1].argc) < argc) {
                r = srun_line_read(s, argc - at, argv + at, &o, fail);
                said |= r == 0 && o.het_group;
        }
        if (r != 0)
                return r;
        fill_programs(s);
        r = find_job(s, &first, said, &h, fail);
        if (r < 0)
                return r;
        s->leader = h.leader;
        if (h.leader) {
                r = add_groups(s, &h, fail);
                if (r == 0)
                        component_single_use(s);
                return r;
        }
        for (size_t i = 0; s->n_lines > 1 && i < s->n_lines; i++)
                line_part_add(s, i, -1);
        return 0;
}
