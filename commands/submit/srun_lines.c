/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line of srun, which ":" cuts into lines, and --het-group (guide "Heterogeneous job
 * support", "Launching Applications"): in a heterogeneous job a line is for the components that it
 * names, else for that of its own place, and each component has one part of the step at most.  The
 * parts are in the order of the components, whatever that of the lines is. */
#include "commands/jobid.h"
#include "commands/submit/srun.h"

#include "lib/config/config.h"
#include "lib/timetext.h"

extern char **environ;

#define PARTS_MAX 128 /* as the controller has it */
#define GROUP     "_HET_GROUP_"

/* ---- the environment ---- */

/* Of a heterogeneous job the environment has what is of each component by its number; what has none
   is of the one that the script, or another step, is on. */
void srun_take_group(int group) {
        size_t n = 0;

        if (group < 0)
                return;
        while (environ[n])
                n++;
        _cleanup_free_ char **names = xnew0(char *, n + 1);
        for (size_t i = 0, k = 0; i < n; i++) {
                const char *of_group = strstr(environ[i], GROUP);
                if (of_group && strncmp(environ[i], "SLURM_", 6) == 0 &&
                                of_group < environ[i] + strcspn(environ[i], "="))
                        names[k++] = xstrndup(environ[i], (size_t)(of_group - environ[i]));
        }
        for (char **name = names; *name; name++) {
                _cleanup_free_ char *of_group = xasprintf("%s" GROUP "%d", *name, group);
                const char *value = getenv(of_group);
                if (value)
                        (void)setenv(*name, value, true);
                else
                        (void)unsetenv(*name);
                free(*name);
        }
}

/* Which component of the job that the environment is of do the options mean?  -ENOENT: that job is
   not meant. */
static int find_group(const struct job_options *o, bool several) {
        const char *first = getenv("SLURM_JOB_ID" GROUP "0");
        uint64_t id, group;

        if (!o->job_id)
                return 0;
        if (uint_parse(strempty(first), 1, UINT32_MAX, &id) < 0 || id != o->job_id)
                return -ENOENT;
        if (!o->job_component)
                return o->het_group || several ? 0 : -ENOENT;
        return uint_parse(strchr(o->job_component, '+') + 1, 0, HET_COMPONENTS_MAX - 1, &group) < 0
                               ? -ENOENT
                               : (int)group;
}

/* ---- lines ---- */

/* From argv[0] on, the program's name or ":". */
static int read_line(struct srun *s, int argc, char **argv, struct job_options *o,
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

/* A line without a program has that of the next one that has one. */
static void fill_programs(struct srun *s) {
        for (size_t i = s->n_lines - 1; i-- > 0;)
                if (!s->lines[i].n_program) {
                        s->lines[i].n_program = s->lines[i + 1].n_program;
                        s->lines[i].program = s->lines[i + 1].program;
                }
}

/* ---- which component each is for ---- */

static void add_part(struct srun *s, size_t line, int group) {
        s->parts = xrenew(s->parts, s->n_parts + 1);
        s->parts[s->n_parts++] = (struct srun_part){ .line = line,
                .group = group,
                .output_fd = { -1, -1, -1 } };
}

/* size: components of the job; single: of a step on one component, where it names none. */
static int add_groups(struct srun *s, int size, int single, struct fail *fail) {
        int line_of[HET_COMPONENTS_MAX];

        for (int g = 0; g < HET_COMPONENTS_MAX; g++)
                line_of[g] = -1;
        for (size_t i = 0; i < s->n_lines; i++) {
                bool set[HET_COMPONENTS_MAX] = { false };
                if (s->lines[i].groups)
                        (void)job_het_groups(s->lines[i].groups, set);
                else
                        set[s->n_lines > 1 ? (int)i : single] = true;
                for (int g = 0; g < HET_COMPONENTS_MAX; g++) {
                        if (!set[g])
                                continue;
                        if (g >= size)
                                return fail_set(fail, -EPERM,
                                                "Requested het-group offset exceeds highest "
                                                "hetjob index (%d > %d)",
                                                g, size - 1);
                        if (line_of[g] >= 0)
                                return fail_set(fail, -EPERM,
                                                "--het-group: component %d of the job can have "
                                                "one part of the step only",
                                                g);
                        line_of[g] = (int)i;
                }
        }
        for (int g = 0; g < size; g++)
                if (line_of[g] >= 0)
                        add_part(s, (size_t)line_of[g], g);
        return 0;
}

/* A step on one component is as any other. */
static void settle(struct srun *s) {
        s->spans = s->n_parts > 1;
        if (s->spans)
                return;
        s->line = s->parts[0].line;
        s->group = s->parts[0].group;
        free(TAKE(s->parts));
        s->n_parts = 0;
}

/* Nothing of what this file is about. */
static bool is_plain(int argc, char **argv) {
        for (int i = 1; i < argc; i++)
                if (strncmp(argv[i], "--het", 5) == 0 || strncmp(argv[i], "--pack", 6) == 0 ||
                                streq(argv[i], ":"))
                        return false;
        return !getenv("SLURM_HET_SIZE");
}

int srun_split(struct srun *s, int argc, char **argv, struct fail *fail) {
        const char *text = getenv("SLURM_HET_SIZE");
        struct job_options first, o;
        uint64_t size = 0;

        s->group = -1;
        if (is_plain(argc, argv)) {
                s->lines = xnew(struct srun_line, 1);
                s->lines[s->n_lines++] = (struct srun_line){ .argc = argc, .argv = argv };
                return 0;
        }
        int r = read_line(s, argc, argv, &first, fail), at = 0;
        bool said = first.het_group;

        while (r == 0 && (at += s->lines[s->n_lines - 1].argc) < argc) {
                r = read_line(s, argc - at, argv + at, &o, fail);
                said |= r == 0 && o.het_group;
        }
        if (r != 0)
                return r;
        fill_programs(s);
        if (text && uint_parse(text, 1, HET_COMPONENTS_MAX, &size) < 0)
                size = 0;
        int single = find_group(&first, s->n_lines > 1);
        if (said && (!size || single < 0))
                return fail_set(fail, -EPERM,
                                "--het-group is for steps in a heterogeneous job, and there is none");
        if (size && single >= 0 && single < (int)size) {
                r = add_groups(s, (int)size, single, fail);
                if (r == 0)
                        settle(s);
                return r;
        }
        for (size_t i = 0; s->n_lines > 1 && i < s->n_lines; i++)
                add_part(s, i, -1);
        return 0;
}
