/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --distribution=arbitrary: tasks on the nodes of a list, in order. The list comes from -w, from a
 * file (SLURM_HOSTFILE, preferred to any distribution but not to -w), or from the job
 * (SLURM_ARBITRARY_NODELIST). As in Slurm the list of -w is used completely, other lists up to the
 * requested number of tasks. */
#include "commands/jobspec/jobspec_rows.h"

#include "lib/step/tasklist.h"

#define HOST_FILE_MAX (1u << 20) /* bytes */

/* ---- files ---- */

static int read_whole(const char *path, char **ret, struct fail *fail) {
        _cleanup_free_ char *text = xmalloc(HOST_FILE_MAX + 2);
        FILE *in = fopen(path, "re");

        if (!in)
                return fail_set(fail, -errno, "%s: %s", path, strerror(errno));
        size_t n = fread(text, 1, HOST_FILE_MAX + 1, in);
        int r = ferror(in) ? -EIO : 0;
        fclose(in);
        if (r < 0)
                return fail_set(fail, r, "%s: cannot be read", path);
        if (n > HOST_FILE_MAX)
                return fail_set(fail, -E2BIG, "%s: longer than 1 MiB", path);
        text[n] = 0;
        if (strlen(text) != n)
                return fail_set(fail, -EINVAL, "%s: it has a NUL byte, which no name has", path);
        *ret = TAKE(text);
        return 0;
}

/* Reads names separated by commas and white space; # begins a comment. */
static int arbitrary_read_list(const char *path, struct task_list *l, struct fail *fail) {
        _cleanup_free_ char *text = NULL;
        unsigned number = 0;
        int r = read_whole(path, &text, fail);

        for (char *line = text, *next; r >= 0 && line; line = next) {
                char *end = strchr(line, '\n');
                next = end ? end + 1 : NULL;
                if (end)
                        *end = 0;
                line[strcspn(line, "#")] = 0;
                number++;
                r = task_list_add(l, line, fail);
                if (r < 0)
                        return fail_prefix(fail, r, "%s:%u", path, number);
        }
        if (r >= 0 && task_list_tasks(l) == 0)
                return fail_set(fail, -ENODATA, "%s: no node is named in it", path);
        return r;
}

/* The last list read from a file, with repetitions; valid until the process ends. */
static const char *list_of_file;

int job_names_file(void *field, const char *path, const char *option, struct fail *fail) {
        _cleanup_(task_list_freep) struct task_list *l = task_list_new(0);
        int r = arbitrary_read_list(path, l, fail);

        if (r >= 0)
                *(const char **)field = job_option_keep(task_list_text(l));
        return r < 0 ? fail_prefix(fail, r, "--%s", option) : 0;
}

int job_node_file(void *field, const char *path, const char *option, struct fail *fail) {
        int r = job_names_file(&list_of_file, path, option, fail);

        if (r >= 0)
                *(const char **)field = list_of_file;
        return r;
}

/* ---- lists ---- */

/* Cuts a given list to the requested number of tasks. */
static int arbitrary_cut_list(const struct job_options *o, struct task_list *l, struct fail *fail) {
        size_t listed = task_list_tasks(l);
        size_t tasks = o->num_tasks ? o->num_tasks : o->max_nodes ? o->max_nodes : listed;

        if (tasks > listed)
                return fail_set(fail, -EINVAL,
                                "Too few NodeNames in Slurm Hostfile (%zu for %zu tasks)", listed,
                                tasks);
        task_list_cut(l, tasks);
        return 0;
}

static int from_file(const struct job_options *o, const char *path, struct task_list *l,
                struct fail *fail) {
        int r = arbitrary_read_list(path, l, fail);

        if (r >= 0)
                r = arbitrary_cut_list(o, l, fail);
        return r < 0 ? fail_prefix(fail, r, "SLURM_HOSTFILE") : 0;
}

static int from_job(const struct job_options *o, const char *list, struct task_list *l,
                struct fail *fail) {
        int r = task_list_add(l, list, fail);

        if (r >= 0)
                r = arbitrary_cut_list(o, l, fail);
        return r < 0 ? fail_prefix(fail, r, "SLURM_ARBITRARY_NODELIST") : 0;
}

/* Uses the list of -w, whose length is the number of tasks. */
static int from_option(const struct job_options *o, struct task_list *l, struct fail *fail) {
        bool says_tasks = o->num_tasks && (o->command != JOB_SRUN || o->says_tasks);
        bool says_nodes = o->max_nodes && (o->command != JOB_SRUN || o->says_nodes);
        int r = task_list_add(l, o->nodelist, fail);

        if (r < 0)
                return fail_prefix(fail, r, "--nodelist");
        size_t tasks = task_list_tasks(l), nodes = hostlist_count(task_list_nodes(l));
        if (says_tasks && o->num_tasks != tasks)
                return fail_set(fail, -EINVAL,
                                "You asked for %u tasks but hostlist specified %zu nodes",
                                o->num_tasks, tasks);
        if (says_nodes && o->max_nodes < nodes)
                return fail_set(fail, -EINVAL,
                                "--nodes=%u are fewer than the %zu of the list of "
                                "--distribution=arbitrary",
                                o->max_nodes, nodes);
        return 0;
}

/* A job may have more nodes than tasks, but a step has the nodes of its list. */
static void arbitrary_set_options(struct job_options *o, const struct task_list *l) {
        uint32_t n = (uint32_t)hostlist_count(task_list_nodes(l));
        bool more = !o->job_id && (o->command != JOB_SRUN || o->says_nodes);

        char *tasks = job_option_keep(task_list_text(l)),
             *nodes = job_option_keep(hostlist_text(task_list_nodes(l)));
        o->arbitrary = true;
        o->distribution = "arbitrary";
        o->cyclic = false;
        o->plane = o->pack = 0;
        o->num_tasks = (uint32_t)task_list_tasks(l);
        o->min_nodes = more ? MAX(o->min_nodes, n) : n;
        o->max_nodes = more ? MAX(o->max_nodes, o->min_nodes) : n;
        o->nodelist = tasks;
        if (o->command != JOB_SRUN)
                return;
        o->nodelist = nodes;
        o->task_nodes = tasks;
        o->ntasks_per_node = 0;
}

/* A file with a line for each slot is long: without an arbitrary distribution each node is named
   once. */
static int drop_repeats(struct job_options *o, struct fail *fail) {
        if (!o->nodelist || o->nodelist != list_of_file)
                return 0;
        _cleanup_(task_list_freep) struct task_list *l = task_list_new(0);
        int r = task_list_add(l, o->nodelist, fail);
        if (r >= 0)
                o->nodelist = job_option_keep(hostlist_text(task_list_nodes(l)));
        return r;
}

int job_arbitrary_check(struct job_options *o, struct fail *fail) {
        const char *file = o->nodelist ? NULL : getenv("SLURM_HOSTFILE");
        const char *of_job = o->command == JOB_SRUN ? getenv("SLURM_ARBITRARY_NODELIST") : NULL;
        int r;

        if (isempty(file) && !o->arbitrary)
                return drop_repeats(o, fail);
        if (o->relative_set)
                return fail_set(fail, -EINVAL,
                                "--relative is not for --distribution=arbitrary: its list names "
                                "the nodes");
        _cleanup_(task_list_freep) struct task_list *l = task_list_new(0);
        if (!isempty(file))
                r = from_file(o, file, l, fail);
        else if (o->nodelist)
                r = from_option(o, l, fail);
        else if (!isempty(of_job))
                r = from_job(o, of_job, l, fail);
        else
                r = fail_set(fail, -EINVAL,
                                "With Arbitrary distribution you need to specify a nodelist or "
                                "hostfile with the -w option");
        if (r >= 0 && task_list_tasks(l) == 0)
                r = fail_set(fail, -EINVAL, "--distribution=arbitrary: the list names no node");
        if (r >= 0)
                arbitrary_set_options(o, l);
        return r;
}
