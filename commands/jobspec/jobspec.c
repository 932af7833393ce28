/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of sbatch, srun and salloc. Each subject has a table (jobspec_rows.h) with a row for
 * each option, including the commands with the option; a command's table (job_options_table) is
 * made from these rows. Lines of the script, the environment and the command line use the same
 * rows, so that a value is read alike in every source.
 *
 * Options of Slurm without effect here are refused by name, unless the requested behaviour is the
 * usual behaviour (--mpi=none, --gres=none). */
#include "commands/jobspec/jobspec_rows.h"

#include "commands/command.h"
#include "lib/hostlist.h"
#include "lib/timetext.h"

#include <strings.h>

/* ---- shared functions ---- */

char *job_option_keep(char *text) {
        static char **kept;
        static size_t n, allocated;

        GROW(kept, allocated, n);
        return kept[n++] = text;
}

int job_option_invalid(const char *option, struct fail *fail) {
        return fail_set(fail, -EINVAL, "Invalid --%s specification", option);
}

int job_option_later(const char *what, struct fail *fail) {
        return fail_set(fail, -ENOTSUP, "%s is not implemented by Slumber yet", what);
}

int job_option_count(uint32_t *field, const char *value, const char *option, struct fail *fail) {
        uint64_t n;

        if (uint_parse(value, 1, JOB_COUNT_MAX, &n) < 0)
                return fail_set(fail, -EDOM, "Invalid numeric value \"%s\" for --%s.", value,
                                option);
        *field = (uint32_t)n;
        return 0;
}

int job_option_yes(void *field, const char *value, struct fail *fail) {
        if (value && !streq(value, "0") && !streq(value, "1"))
                return fail_set(fail, -EINVAL, "\"%.100s\" is neither 0 nor 1", value);
        *(protobuf_c_boolean *)field = !value || *value == '1';
        return 0;
}

int job_option_only(const char *value, const char *word, const char *option, struct fail *fail) {
        if (strcasecmp(value, word) == 0)
                return 0;
        return fail_set(fail, -ENOTSUP,
                        "--%s with another value than %s is not implemented by Slumber yet", option,
                        word);
}

/* ---- tables ---- */

/* clang-format off */
static const struct {
        const struct job_row *rows;
        const size_t *n;
} subjects[] = {
        { job_rows_gres, &n_job_rows_gres },
        { job_rows_place, &n_job_rows_place },
        { job_rows_queue, &n_job_rows_queue },
        { job_rows_size, &n_job_rows_size },
        { job_rows_step, &n_job_rows_step },
        { job_rows_words, &n_job_rows_words },
};
/* clang-format on */

const struct job_row *job_row_at(size_t i) {
        for (size_t k = 0; k < ELEMENTSOF(subjects); i -= *subjects[k++].n)
                if (i < *subjects[k].n)
                        return &subjects[k].rows[i];
        return NULL;
}

static const struct option_row last_rows[] = { OPTION_ROWS_HELP('h') };

/* Slurm's headings of --help; an option in no list is a "Parallel run option". */
static const char *const constraint_options[] = { "cluster-constraint", "constraint", "contiguous",
        "exclude", "mem", "mincpus", "no-allocate", "nodefile", "nodelist", "reservation", "tmp",
        NULL };
static const char *const consumable_options[] = {
        "exact",
        "exclusive",
        "mem-per-cpu",
        "oversubscribe",
        "resv-ports",
        NULL,
};
static const char *const affinity_options[] = { "cores-per-socket", "cpu-bind", "extra-node-info",
        "hint", "mem-bind", "ntasks-per-core", "ntasks-per-socket", "sockets-per-node",
        "threads-per-core", NULL };
static const char *const gpu_options[] = { "cpus-per-gpu", "gpu-bind", "gpu-freq", "gpus",
        "gpus-per-node", "gpus-per-socket", "gpus-per-task", "mem-per-gpu", "ntasks-per-gpu",
        NULL };
static const struct option_section sections[] = {
        { "Constraint options:", constraint_options },
        { "Consumable resources related options:", consumable_options },
        { "Affinity/Multi-core options:", affinity_options },
        { "GPU scheduling options:", gpu_options },
};

/* A command's table, made on first use: sbatch in a loop does not pay for srun's. */
struct made {
        struct option_table table;
        struct option_row rows[OPTION_ROWS_MAX];
        const char *seen[OPTION_ROWS_MAX];
        const char *before[OPTION_ROWS_MAX]; /* values before the command line */
        bool skip[OPTION_ROWS_MAX];          /* options removed by a filter */
};

static void option_table_fill(struct made *m, enum job_command command) {
        const struct job_row *row;
        size_t n = 0;

        for (size_t i = 0; (row = job_row_at(i)); i++) {
                assert(n < OPTION_ROWS_MAX - ELEMENTSOF(last_rows));
                if (row->commands & command)
                        m->rows[n++] = row->row;
        }
        memcpy(m->rows + n, last_rows, sizeof last_rows);
        m->table.rows = m->rows;
        m->table.n_by_name = n;
        m->table.n_rows = n + ELEMENTSOF(last_rows);
        m->table.seen = m->seen;
        m->table.skip = m->skip;
        m->table.shown = job_options_shown;
        m->table.n_shown = n_job_options_shown;
        m->table.heading = "Parallel run options:";
        m->table.sections = sections;
        m->table.n_sections = ELEMENTSOF(sections);
}

static struct made *option_table_of(enum job_command command) {
        static struct made sbatch = {
                .table = { .program = "sbatch",
                                .operands = "executable [args...]",
                                .skeleton = "Usage: sbatch [OPTIONS(0)...] [ : [OPTIONS(N)...]] script(0) "
                                            "[args(0)...]\n",
                                .stop = true },
        };
        static struct made srun = {
                .table = { .program = "srun",
                                .operands = "executable [args...]",
                                .skeleton = "Usage: srun [OPTIONS(0)... [executable(0) [args(0)...]]] "
                                            "[ : [OPTIONS(N)...]] executable(N) [args(N)...]\n",
                                .stop = true },
        };
        static struct made salloc = {
                .table = { .program = "salloc",
                                .operands = "[command [args...]]",
                                .skeleton = "Usage: salloc [OPTIONS(0)...] [ : [OPTIONS(N)]] [command(0) "
                                            "[args(0)...]]\n",
                                .stop = true },
        };
        struct made *m = command == JOB_SBATCH ? &sbatch : command == JOB_SRUN ? &srun : &salloc;

        assert(command == JOB_SBATCH || command == JOB_SRUN || command == JOB_SALLOC);

        if (m->table.n_rows == 0)
                option_table_fill(m, command);
        return m;
}

const struct option_table *job_options_table(enum job_command command) {
        return &option_table_of(command)->table;
}

void job_options_plugins(enum job_command command, const struct option_row *rows, size_t n,
                int (*plugin)(size_t number, const char *value, struct fail *fail)) {
        struct made *m = option_table_of(command);

        assert(m->table.n_rows + n <= OPTION_ROWS_MAX);
        memcpy(m->rows + m->table.n_rows, rows, n * sizeof *rows);
        m->table.n_rows += n;
        m->table.plugin = plugin;
}

void job_options_read(struct job_options *o) {
        memcpy(o->seen, option_table_of(o->command)->seen, sizeof o->seen);
}

char *job_options_value(const struct job_options *o, const char *name) {
        return options_value(job_options_table(o->command), o->seen, name);
}

void job_options_say(const struct job_options *o, FILE *out) {
        const char *seen[OPTION_ROWS_MAX];
        struct option_table table = *job_options_table(o->command);

        memcpy(seen, o->seen, sizeof seen);
        table.seen = seen;
        options_say(&table, out);
}

/* A flag takes no value: a word for "set" is dropped. */
int job_options_set(struct job_options *o, const char *name, const char *value, struct fail *fail) {
        struct made *m = option_table_of(o->command);
        bool plain = options_take_no_value(&m->table, name, value);

        return options_set(&m->table, name, plain ? NULL : value, o, fail);
}

bool job_options_has(enum job_command command, const char *name) {
        const struct made *m = option_table_of(command);
        size_t last = m->table.n_by_name + ELEMENTSOF(last_rows);

        for (size_t i = 0; i < m->table.n_rows; i++)
                if ((i < m->table.n_by_name || i >= last) && streq(strempty(m->rows[i].name), name))
                        return true;
        return false;
}

bool job_options_take_no_value(enum job_command command, const char *name, const char *value) {
        return options_take_no_value(&option_table_of(command)->table, name, value);
}

void job_options_skip(enum job_command command, const char *name) {
        struct made *m = option_table_of(command);

        for (size_t i = 0; i < m->table.n_rows; i++)
                if (streq(strempty(m->rows[i].name), name))
                        m->skip[i] = true;
        memset(m->seen, 0, sizeof m->seen);
        memset(m->before, 0, sizeof m->before);
}

void job_options_skip_none(enum job_command command) {
        struct made *m = option_table_of(command);

        memset(m->skip, 0, sizeof m->skip);
}

/* Returns the row of an option by its index in the command's table. */
static const struct job_row *job_row_of_option(enum job_command command, size_t number) {
        const struct job_row *row;

        for (size_t i = 0, n = 0; (row = job_row_at(i)); i++)
                if (row->commands & command && n++ == number)
                        return row;
        return NULL; /* --help and the like, or a plug-in's */
}

bool job_options_is_carried(enum job_command command, const char *name) {
        const struct job_row *row;

        for (size_t i = 0; (row = job_row_of_option(command, i)); i++)
                if (streq(strempty(row->row.name), name))
                        return row->commands & CARRIED;
        return false;
}

int job_options_carry(struct job_options *o, int argc, char **argv) {
        struct made *m = option_table_of(o->command);
        bool skip[OPTION_ROWS_MAX];
        int first;

        memcpy(skip, m->skip, sizeof skip);
        for (size_t i = 0; i < m->table.n_rows; i++) {
                const struct job_row *row = job_row_of_option(o->command, i);
                m->skip[i] |= !row || !(row->commands & CARRIED);
        }
        int r = options_parse(&m->table, argc, argv, o, &first);
        memcpy(m->skip, skip, sizeof skip);
        return r;
}

void job_options_line_begins(void) {
        struct made *m = option_table_of(JOB_SRUN);

        memcpy(m->before, m->seen, sizeof m->before);
        memset(m->seen, 0, sizeof m->seen);
}

/* Returns the value given on srun's command line for an existing option; NULL: none. */
static const char *command_line_value(const char *name) {
        const struct made *m = option_table_of(JOB_SRUN);
        size_t i = 0;

        while (!m->rows[i].name || !streq(m->rows[i].name, name))
                i++;
        return m->seen[i];
}

static int refuse_for_step(const struct job_options *o, struct fail *fail) {
        const struct made *m = option_table_of(JOB_SRUN);
        const struct job_row *row;

        for (size_t i = 0, n = 0; (row = job_row_at(i)); i++)
                if (row->commands & JOB_SRUN && m->seen[n++] && row->commands & NO_STEP)
                        return fail_set(fail, -ENOTSUP,
                                        "--%s is for jobs: a step in job %u cannot have it",
                                        row->row.name, o->job_id);
        if (o->says_exclusive && o->share != SLUMBER__SHARE__SHARE_NO)
                return fail_set(fail, -ENOTSUP,
                                "--exclusive=user and mcs are for jobs: a step in job %u cannot have it",
                                o->job_id);
        return 0;
}

int job_options_line_ends(struct job_options *o, struct fail *fail) {
        struct made *m = option_table_of(JOB_SRUN);
        int r = o->job_id ? refuse_for_step(o, fail) : 0;

        o->says_per_core = command_line_value("ntasks-per-core");
        o->says_per_socket = command_line_value("ntasks-per-socket");
        o->says_partition = command_line_value("partition");
        o->says_qos = command_line_value("qos");
        o->says_account = command_line_value("account");
        o->says_reservation = command_line_value("reservation");
        for (size_t i = 0; i < m->table.n_rows; i++)
                if (!m->seen[i])
                        m->seen[i] = m->before[i];
        return r;
}

void job_options_init(struct job_options *o, enum job_command command) {
        struct made *m = option_table_of(command);

        *o = (struct job_options){ .command = command, .spec = SLUMBER__JOB_SPEC__INIT };
        memset(m->seen, 0, sizeof m->seen);
        memset(m->before, 0, sizeof m->before);
}

/* ---- checks and derived values ---- */

/* srun uses only the first nodes of a list longer than --nodes allows. */
static int first_nodes(struct job_options *o, const struct hostlist *nodes) {
        _cleanup_(hostlist_freep) struct hostlist *first = hostlist_new();

        command_error("srun",
                        "Required nodelist includes more nodes than permitted by max-node count (%zu > %u). "
                        "Eliminating nodes from the nodelist.",
                        hostlist_count(nodes), o->max_nodes);
        for (size_t i = 0; i < o->max_nodes; i++)
                hostlist_push(first, hostlist_get(nodes, i));
        o->nodelist = job_option_keep(hostlist_text(first));
        o->min_nodes = o->max_nodes;
        return 0;
}

#define SHORTENED (16u << 10) /* longer lists are compressed with brackets, bytes */

/* The controller accepts 64 KiB from ordinary users: room for thousands of names in brackets. */
static const char *nodelist_shorten(const char *list, const struct hostlist *nodes) {
        if (strlen(list) <= SHORTENED)
                return list;
        _cleanup_free_ char *text = hostlist_text(nodes);
        return strlen(text) < strlen(list) ? job_option_keep(TAKE(text)) : list;
}

/* Host lists are checked here, so that a typing error does not cause a job which waits for ever. */
static int nodelists_check(struct job_options *o, struct fail *fail) {
        _cleanup_(hostlist_freep) struct hostlist *nodes = NULL, *excluded = NULL;
        size_t count;
        int r;

        if (o->exclude && (r = hostlist_parse(o->exclude, &excluded, fail)) < 0)
                return r;
        if (o->exclude)
                o->exclude = nodelist_shorten(o->exclude, excluded);
        if (!o->nodelist)
                return 0;
        r = hostlist_parse(o->nodelist, &nodes, fail);
        if (r < 0)
                return r;
        if (!o->arbitrary) /* an arbitrary list needs its repetitions */
                o->nodelist = nodelist_shorten(o->nodelist, nodes);
        count = hostlist_count(nodes);
        if (o->max_nodes && count > o->max_nodes && o->command == JOB_SRUN)
                return first_nodes(o, nodes);
        if (o->max_nodes && count > o->max_nodes)
                return fail_set(fail, -EINVAL, "invalid number of nodes (-N %zu-%u)", count,
                                o->max_nodes);
        if (count > o->min_nodes)
                o->min_nodes = (uint32_t)count;
        return 0;
}

/* The shape of a node implies the number of tasks without -n and --ntasks-per-node, as in Slurm:
   sbatch and salloc need -B or a fixed -N, srun all three numbers. --cores-per-socket alone is only
   a requirement of nodes. */
static void tasks_of_shape(struct job_options *o) {
        bool fixed = o->min_nodes == o->max_nodes || !o->max_nodes;
        uint64_t tasks;

        if (o->num_tasks || o->ntasks_per_node || !fixed)
                return;
        if (o->command == JOB_SRUN ? !(o->sockets_per_node && o->cores_per_socket &&
                                                     o->threads_per_core)
                                   : !(o->node_info || o->max_nodes))
                return;
        tasks = (uint64_t)MAX(o->sockets_per_node, 1u) * MAX(o->cores_per_socket, 1u);
        if (tasks <= JOB_COUNT_MAX)
                tasks *= MAX(o->threads_per_core, 1u);
        /* no node has more */
        if (tasks > 1 && tasks <= JOB_COUNT_MAX && tasks * MAX(o->min_nodes, 1u) <= JOB_COUNT_MAX)
                o->num_tasks = (uint32_t)(tasks * MAX(o->min_nodes, 1u));
}

/* srun's --ntasks-per-node, often the job's, is dropped if it contradicts the numbers of tasks
   and nodes. */
static void ignore_per_node(struct job_options *o, struct fail *fail) {
        bool fixed = o->min_nodes && o->min_nodes == o->max_nodes && o->num_tasks &&
                     o->ntasks_per_node;

        if (o->command != JOB_SRUN || !fixed ||
                        o->num_tasks <= (uint64_t)o->ntasks_per_node * o->min_nodes)
                return;
        fail_set(fail, 0,
                        "Warning: can't honor --ntasks-per-node set to %u which doesn't match the requested tasks %u "
                        "with the number of requested nodes %u. Ignoring --ntasks-per-node.",
                        o->ntasks_per_node, o->num_tasks, o->min_nodes);
        o->ntasks_per_node = 0;
}

static void options_count_nodes(struct job_options *o, struct fail *fail) {
        ignore_per_node(o, fail);
        if (!o->min_nodes && o->num_tasks && o->ntasks_per_node)
                o->min_nodes = (o->num_tasks + o->ntasks_per_node - 1) / o->ntasks_per_node;
        if (!o->num_tasks)
                return;
        if (o->max_nodes > o->num_tasks)
                o->max_nodes = MAX(o->num_tasks, 1u);
        if (o->min_nodes <= o->num_tasks)
                return;
        fail_set(fail, 0, "Warning: can't run %u processes on %u nodes, setting nnodes to %u",
                        o->num_tasks, o->min_nodes, o->num_tasks);
        o->min_nodes = o->num_tasks;
}

int job_options_check(struct job_options *o, struct fail *fail) {
        int r;

        if (o->mem_set && o->mem_per_cpu_set)
                return fail_set(fail, -EINVAL,
                                "--mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive.");
        if (o->zero_nodes && !o->job_id)
                return fail_set(fail, -EDOM, "\"0\" is not a valid node count");
        if (o->spec.core_spec && o->spec.thread_spec)
                return fail_set(fail, -EINVAL,
                                "-S/--core-spec and --thread-spec options are mutually exclusive");
        if (o->says_exclusive && o->says_oversubscribe)
                return fail_set(fail, -EINVAL,
                                "--exclusive and --oversubscribe are mutually exclusive.");
        if (o->begin && o->deadline && o->deadline < o->begin)
                return fail_set(fail, -EINVAL,
                                "Incompatible begin and deadline time specification");
        r = job_hint_check(o, fail);
        if (r >= 0)
                r = job_options_check_gres(o, fail);
        if (r >= 0)
                r = job_arbitrary_check(o, fail);
        if (r >= 0)
                r = nodelists_check(o, fail);
        if (r < 0)
                return r;
        tasks_of_shape(o);
        options_count_nodes(o, fail);
        return 0;
}

int job_options_exit(int r) {
        return r == -EDOM ? command_exit_error() : 255;
}

static const char *job_std_path(const char *path) {
        return path && streq(path, "none") ? "/dev/null" : path;
}

/* The partition name of -p "", often from an empty variable of a script: not the default, but
   unknown, as in Slurm. */
static const char no_name[] = "(null)";

static void spec_size(const struct job_options *o, Slumber__JobSpec *ret) {
        ret->min_nodes = o->min_nodes;
        ret->max_nodes = o->max_nodes;
        ret->num_tasks = o->num_tasks; /* 0: derived from other members */
        ret->tasks_set = o->num_tasks || o->ntasks_per_node;
        ret->cpus_per_task = o->cpus_per_task;
        ret->ntasks_per_node = o->ntasks_per_node;
        ret->mem_per_node = o->mem;
        ret->mem_per_cpu = o->mem_per_cpu;
        ret->plain_sizes = o->plain_sizes;
        ret->all_memory = (o->mem_set || o->mem_per_cpu_set) && !o->mem && !o->mem_per_cpu;
        ret->tmp_disk = (uint32_t)MIN(o->tmp_disk, (uint64_t)UINT32_MAX);
        ret->overcommit = o->overcommit;
        ret->sockets_per_node = o->sockets_per_node;
        ret->cores_per_socket = o->cores_per_socket;
        ret->threads_per_core = o->threads_per_core;
        ret->ntasks_per_socket = o->ntasks_per_socket;
        ret->ntasks_per_core = o->ntasks_per_core;
        ret->one_core_per_socket = o->one_core_per_socket;
}

static void spec_place(const struct job_options *o, Slumber__JobSpec *ret) {
        ret->switches = o->switches;
        ret->switch_wait = o->switch_wait;
        ret->distribution = message_text(o->distribution);
        ret->socket_distribution = o->socket_distribution;
        ret->req_nodes = message_text(o->nodelist);
        ret->exc_nodes = message_text(o->exclude);
        ret->oversubscribe = o->share;
}

static void spec_queue(const struct job_options *o, Slumber__JobSpec *ret) {
        ret->partition = o->partition && !*o->partition ? (char *)no_name
                                                        : message_text(o->partition);
        ret->qos = message_text(o->qos);
        ret->time_limit = o->time_limit;
        ret->begin_time = o->begin;
        ret->deadline = o->deadline;
        ret->warn_signal = o->warn_signal;
        ret->warn_time = o->warn_time;
        ret->warn_batch = o->warn_batch;
        ret->borrows = o->borrows;
        ret->priority = o->priority;
        ret->requeue = o->requeue;
}

static void spec_words(const struct job_options *o, Slumber__JobSpec *ret) {
        ret->name = message_text(o->name);
        ret->work_dir = message_text(o->chdir);
        ret->container_dir = o->chdir != NULL;
        ret->std_in = message_text(job_std_path(o->in));
        ret->std_out = message_text(job_std_path(o->out));
        ret->std_err = message_text(job_std_path(o->err));
        ret->append_output = o->append;
        ret->truncate_output = o->truncate;
}

static void spec_gres(const struct job_options *o, Slumber__JobSpec *ret) {
        ret->licenses = message_text(job_options_licenses(o));
        ret->tres_per_node = message_text(job_options_per_node(o));
        ret->tres_per_socket = message_text(o->gpus_per_socket);
        ret->tres_per_task = message_text(job_options_per_task(o));
        ret->tres_bind = message_text(job_options_tres_bind(o));
        ret->ntasks_per_gpu = o->ntasks_per_gpu;
        ret->tres_per_job = message_text(o->gpus);
        ret->cpus_per_gpu = o->cpus_per_gpu;
        ret->mem_per_gpu = o->mem_per_gpu;
}

void job_options_spec(const struct job_options *o, Slumber__JobSpec *ret) {
        *ret = o->spec;
        spec_size(o, ret);
        spec_place(o, ret);
        spec_gres(o, ret);
        spec_queue(o, ret);
        spec_words(o, ret);
        ret->batch = o->command == JOB_SBATCH;
        ret->stays = o->no_shell;
}

static const ProtobufCFieldDescriptor *field_at(size_t offset) {
        for (unsigned i = 0; i < slumber__job_spec__descriptor.n_fields; i++)
                if (slumber__job_spec__descriptor.fields[i].offset == offset)
                        return &slumber__job_spec__descriptor.fields[i];
        return NULL;
}

static size_t field_size_of(ProtobufCType type) {
        switch ((int)type) {
        case PROTOBUF_C_TYPE_STRING:
                return sizeof(char *);
        case PROTOBUF_C_TYPE_UINT64:
                return sizeof(uint64_t);
        default:
                return sizeof(uint32_t);
        }
}

void job_options_step(const struct job_options *o, Slumber__StepSpec *ret) {
        const struct option_table *table = job_options_table(JOB_SRUN);

        for (size_t i = 0; i < table->n_rows; i++) {
                size_t at = table->rows[i].offset - offsetof(struct job_options, spec);
                const ProtobufCFieldDescriptor *of = at < sizeof o->spec ? field_at(at) : NULL;
                const ProtobufCFieldDescriptor *to =
                                of ? protobuf_c_message_descriptor_get_field_by_name(
                                                     &slumber__step_spec__descriptor, of->name)
                                   : NULL;
                if (to && to->type == of->type)
                        memcpy((char *)ret + to->offset, (const char *)&o->spec + at,
                                        field_size_of(of->type));
        }
}
