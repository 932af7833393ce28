/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sbatch submits a script as a job. The command line is parsed twice: first to find the script, and
 * again after the script's #SBATCH lines and the environment, because the command line has priority
 * over both. Everything is checked before the request is sent; the reply comes after the controller
 * has the job on disk.
 *
 * With --wait, sbatch keeps the connection for the controller's JobNotice ENDED. If the connection
 * breaks (the controller restarts), sbatch polls the job by its id until the job has ended, because
 * the new connection gets no notice. */
#include "commands/command.h"
#include "commands/exitcode.h"
#include "commands/filter/filter.h"
#include "commands/jobenv.h"
#include "commands/jobspec/jobspec.h"
#include "commands/query.h"
#include "commands/submit/plugins.h"
#include "commands/submit/script.h"
#include "commands/submit/script_foreign.h"
#include "lib/errors.h"
#include "lib/printable.h"

#include <time.h>

#define PROGRAM       "sbatch"
#define LOST_PAUSE    2 /* seconds between polls after the connection broke */
#define ARGUMENTS_MAX 65536
/* Limit of a login environment not requested by an option */
#define IMPLIED_PATIENCE (10 * USEC_PER_SEC)

extern char **environ;

/* A component of a heterogeneous job; a plain job has one. */
struct component {
        struct job_options o;
        int argc; /* part of the command line up to the next ":" */
        char **argv;
};

struct batch {
        struct job_options o; /* options of the first component and of the whole job */
        struct component *components;
        size_t n, n_said; /* n_said: components on the command line */
        struct script_lines lines;
        char *script;
        size_t script_size;
        char *path;        /* absolute path of the script; NULL: --wrap or standard input */
        char *submit_line; /* command line of sbatch */
        int argc;          /* arguments of the script, with its name */
        int failure;       /* exit code of an error at the current stage */
        bool ignore_pbs;
        char **argv;
};

static void batch_done(struct batch *b) {
        for (size_t i = 0; i < b->n_said; i++)
                free(b->components[i].argv);
        free(b->components);
        free(b->submit_line);
        script_lines_done(&b->lines);
        free(b->script);
        free(b->path);
}

/* Prints "sbatch: error: " before each line. */
static int sbatch_error_print(const struct fail *fail) {
        for (const char *s = fail->text; *s;) {
                int n = (int)strcspn(s, "\n");

                command_error(PROGRAM, "%.*s", n, s);
                s += n + (s[n] == '\n');
        }
        return EXIT_FAILURE;
}

/* ---- the script ---- */

static void wrap_script_make(struct batch *b) {
        b->script = xasprintf("#!/bin/sh\n# This script was created by sbatch --wrap.\n\n%s\n",
                        b->o.wrap);
        b->script_size = strlen(b->script);
}

static void script_path_find(struct batch *b, const char *name) {
        _cleanup_free_ char *found = script_find(name), *cwd = NULL;

        if (found[0] == '/') {
                b->path = TAKE(found);
                return;
        }
        cwd = job_cwd();
        b->path = xasprintf("%s/%s", cwd, found);
}

static int batch_script_read(struct batch *b, struct fail *fail) {
        int r;

        if (b->o.wrap) {
                if (b->argc > 0)
                        return fail_set(fail, -EINVAL,
                                        "Script arguments not permitted with --wrap option");
                wrap_script_make(b);
                return 0;
        }
        if (b->argc > 0)
                script_path_find(b, b->argv[0]);
        r = script_read(b->path, &b->script, &b->script_size, fail);
        if (r == -ENOENT)
                return fail_set(fail, r, "Unable to open file %s", b->argv[0]);
        if (r < 0)
                return r;
        return script_check(b->script, b->script_size, fail);
}

/* ---- options from all sources ---- */

static int sbatch_options_parse(struct batch *b, struct job_options *o, int argc, char **argv,
                int *ret_first) {
        int r = options_parse(job_options_table(JOB_SBATCH), argc, argv, o, ret_first);

        if (r < 0)
                b->failure = job_options_exit(r);
        return r;
}

/* "#SBATCH hetjob" starts the next component; as in Slurm, the word must not be quoted. */
static bool line_is_separator(const struct script_line *line) {
        return line->kind == SCRIPT_SBATCH && line->argc > 1 && line->plain &&
               (strcasecmp(line->argv[1], "hetjob") == 0 ||
                               strcasecmp(line->argv[1], "packjob") == 0);
}

static void tell_ignored(const char *name, const struct script_line *line) {
        if (line->argc > 2)
                printable_fprintf(stderr,
                                PROGRAM ": Warning: %s: line %u: the rest of the line is ignored "
                                        "behind \"%s\"\n",
                                name, line->number, line->argv[1]);
}

static int script_lines_read(struct batch *b, struct fail *fail) {
        const char *name = b->path ? b->argv[0] : "script";
        size_t n = 1;
        bool old = false;
        int r = script_lines(b->script, b->script_size, name, &b->lines, fail);

        for (size_t i = 0; i < b->lines.n && r == 0; i++) {
                const struct script_line *line = &b->lines.lines[i];
                if (!line_is_separator(line))
                        continue;
                n++;
                old |= strcasecmp(line->argv[1], "packjob") == 0;
                tell_ignored(name, line);
        }
        if (old)
                fputs(PROGRAM ": Warning: the \"packjob\" component separator is being deprecated. "
                              "Please, use \"hetjob\" instead.\n",
                                stderr);
        if (r == 0 && n > HET_COMPONENTS_MAX)
                return fail_set(fail, -E2BIG, "more than %d components", HET_COMPONENTS_MAX);
        if (r == 0 && n > b->n) {
                b->components = xrenew(b->components, n);
                memset(b->components + b->n, 0, (n - b->n) * sizeof b->components[0]);
                b->n = n;
        }
        return r;
}

/* Parses the #SBATCH lines of component `at`. */
static int script_options(struct batch *b, struct job_options *o, size_t at, struct fail *fail) {
        const char *name = b->path ? b->argv[0] : "script";
        size_t of = 0;
        int first, r = 0;

        for (size_t i = 0; i < b->lines.n && r == 0; i++) {
                struct script_line *line = &b->lines.lines[i];

                of += line_is_separator(line);
                if (line->kind != SCRIPT_SBATCH || line_is_separator(line) || of != at)
                        continue;
                r = sbatch_options_parse(b, o, line->argc, line->argv, &first);
                if (r < 0) /* options_parse() has printed the reason */
                        return fail_set(fail, r, "%s: line %u: this #SBATCH line is refused", name,
                                        line->number);
                if (r == 0 && first < line->argc) {
                        b->failure = job_options_exit(-EINVAL);
                        return fail_set(fail, -EINVAL,
                                        "Invalid directive found in batch script: %s",
                                        line->argv[first]);
                }
        }
        return r;
}

/* Returns the part of the command line for component `at`; the last part holds for all further
   components. */
static struct component *component_line(const struct batch *b, size_t at) {
        return &b->components[MIN(at, b->n_said - 1)];
}

/* Applies options carried from earlier components: of each component its #SBATCH lines, then its
   part of the command line, unless this part is also the component's own. */
static int carried_options(struct batch *b, struct job_options *o, size_t at) {
        size_t line = 0;
        int r = 0;

        for (size_t of = 0; of < at && r == 0; of++) {
                for (; line < b->lines.n && r == 0; line++) {
                        struct script_line *l = &b->lines.lines[line];

                        if (line_is_separator(l))
                                break;
                        if (l->kind == SCRIPT_SBATCH)
                                r = job_options_carry(o, l->argc, l->argv);
                }
                line++;
                const struct component *part = component_line(b, of);
                if (r == 0 && part != component_line(b, at))
                        r = job_options_carry(o, part->argc, part->argv);
        }
        return r;
}

struct place {
        const char *name;
        const struct script_line *line;
        bool tell;
};

static void tell_not_read(const char *text, void *user) {
        const struct place *at = user;

        if (at->tell)
                printable_fprintf(stderr, PROGRAM ": %s: line %u: %s %s is not read\n", at->name,
                                at->line->number, script_prefix(at->line->kind), text);
}

/* Applies #PBS and #BSUB lines: these have priority over #SBATCH lines and hold for all
   components, as in Slurm. */
static int foreign_options(struct batch *b, struct job_options *o, bool tell, struct fail *fail) {
        struct place at = { .name = b->path ? b->argv[0] : "script", .tell = tell };
        int r = 0;

        for (size_t i = 0; i < b->lines.n && r >= 0 && !o->ignore_pbs; i++) {
                struct script_line *line = &b->lines.lines[i];
                at.line = line;
                if (at.line->kind == SCRIPT_SBATCH)
                        continue;
                struct fail why = { 0 };
                r = script_foreign(job_options_table(JOB_SBATCH), line, o, tell_not_read, &at,
                                &why);
                if (r < 0) {
                        b->failure = job_options_exit(r);
                        (void)fail_set(fail, r, "%s: line %u: %s %s", at.name, at.line->number,
                                        script_prefix(at.line->kind), why.text);
                }
        }
        return r;
}

static int sbatch_plugins_call(struct batch *b, struct fail *fail) {
        struct fail why = { 0 };
        int r = 0;

        command_view.argc = b->argc;
        command_view.argv = b->argv;
        command_view.verbose = b->o.verbose;
        command_view.quiet = b->o.quiet;
        for (size_t i = 0; i < b->n && r >= 0; i++)
                r = command_options_read(i, b->n, -1, &why);
        if (r >= 0)
                return 0;
        b->failure = r == -EINVAL ? job_options_exit(r) : EXIT_FAILURE;
        return fail_set(fail, r, "%s", why.text);
}

/* Reads the options of component `at` from all sources, lowest priority first. As in Slurm,
   carried options have a lower priority than the environment and the component's own options. */
static int component_sources_read(struct batch *b, size_t at, struct job_options *o,
                struct fail *fail) {
        int first;

        job_options_init(o, JOB_SBATCH);
        command_options_begin(at);
        int r = filter_defaults(o, false, fail);
        if (r == 0)
                r = carried_options(b, o, at);
        if (r == 0)
                r = script_options(b, o, at, fail);
        o->ignore_pbs |= b->ignore_pbs;
        if (r == 0)
                r = foreign_options(b, o, at == 0, fail);
        if (r == 0) {
                r = job_options_environment(o, fail);
                b->failure = r < 0 ? job_options_exit(r) : EXIT_FAILURE;
        }
        if (r == 0)
                r = sbatch_options_parse(b, o, component_line(b, at)->argc,
                                component_line(b, at)->argv, &first);
        if (r == 0)
                r = filter_apply(o, fail);
        job_options_read(o);
        return r;
}

static int component_filter(struct batch *b, size_t at, struct job_options *o, struct fail *fail) {
        bool changed;
        int r = filter_pre_submit(o, b->argc, b->argv, &changed, fail);

        return r == 0 && changed ? component_sources_read(b, at, o, fail) : r;
}

static int component_read(struct batch *b, size_t at, struct fail *fail) {
        struct job_options *o = &b->components[at].o;

        filter_component(JOB_SBATCH, at);
        int r = component_sources_read(b, at, o, fail);

        if (r == 0)
                r = component_filter(b, at, o, fail);
        return r == 0 ? job_options_check(o, fail) : r;
}

/* Splits the command line at each ":" in the place of the script. */
static int split_line(struct batch *b, int argc, char **argv, struct fail *fail) {
        int at = 0, first;

        for (;;) {
                struct component c = { .argc = argc - at, .argv = xnew(char *, argc - at + 1) };
                memcpy(c.argv, argv + at, (size_t)c.argc * sizeof c.argv[0]);
                c.argv[0] = argv[0];
                c.argv[c.argc] = NULL;
                b->components = xrenew(b->components, b->n + 1);
                b->components[b->n] = c;
                b->n_said = ++b->n;
                if (b->n > HET_COMPONENTS_MAX)
                        return fail_set(fail, -E2BIG, "more than %d components",
                                        HET_COMPONENTS_MAX);
                int r = sbatch_options_parse(b, &b->o, c.argc, c.argv, &first);
                if (r != 0)
                        return r;
                at += first;
                if (first >= c.argc || !streq(c.argv[first], ":"))
                        break;
                b->components[b->n - 1].argc = first;
                b->components[b->n - 1].argv[first] = NULL;
        }
        b->argc = argc - at;
        b->argv = argv + at;
        return 0;
}

static int check_user(const struct batch *b, size_t at, struct fail *fail) {
        const struct job_options *a = &b->components[0].o, *o = &b->components[at].o;

        return user_check_component(a->become.user, a->become.group, o->become.user,
                        o->become.group, at, fail);
}

/* Takes the options of the whole job: from the first component, or from any component. */
static void whole_options_take(struct batch *b) {
        const char *wrap = b->o.wrap;

        b->o = b->components[0].o;
        b->o.wrap = wrap;
        for (size_t i = 1; i < b->n; i++) {
                b->o.verbose = MAX(b->o.verbose, b->components[i].o.verbose);
                b->o.parsable |= b->components[i].o.parsable;
                b->o.wait |= b->components[i].o.wait;
                b->o.test_only |= b->components[i].o.test_only;
                /* The last component's value, as in Slurm */
                b->o.clusters = b->components[i].o.clusters;
        }
}

/* Returns 0, OPTIONS_DONE, or a negative errno with fail (empty: already printed). */
static int sbatch_options_read(struct batch *b, int argc, char **argv, struct fail *fail) {
        job_options_init(&b->o, JOB_SBATCH);
        int r = filter_defaults(&b->o, true, fail);
        if (r == 0)
                r = split_line(b, argc, argv, fail);
        if (r != 0)
                return r;
        if (b->argc > ARGUMENTS_MAX)
                return fail_set(fail, -E2BIG, "more than %d arguments", ARGUMENTS_MAX);
        r = batch_script_read(b, fail);
        if (r < 0)
                return r;
        b->ignore_pbs = b->o.ignore_pbs || getenv("SBATCH_IGNORE_PBS");
        r = script_lines_read(b, fail);
        for (size_t i = 0; r == 0 && i < b->n; i++)
                r = component_read(b, i, fail);
        for (size_t i = 1; r == 0 && i < b->n; i++)
                r = check_user(b, i, fail);
        whole_options_take(b);
        if (r == 0)
                r = sbatch_plugins_call(b, fail);
        if (r == 0) { /* the script was read with the rights of the parent */
                r = user_become(b->o.become.user, b->o.become.group, fail);
                b->failure = r == -EINVAL ? job_options_exit(r) : b->failure;
        }
        return r;
}

/* ---- the request ---- */

static const char *default_name(const struct batch *b) {
        if (b->o.wrap)
                return "wrap";
        if (!b->path)
                return PROGRAM;
        return strrchr(b->path, '/') + 1;
}

/* Merges a login environment into *e. Variables wanted by --export replace the login's;
   variables exported only by default do not. */
static int add_login(const struct batch *b, struct environment **e, usec_t patience, char mode,
                struct fail *fail) {
        _cleanup_(environment_freep) struct environment *ours = *e;

        *e = environment_new();
        int r = user_login_environment(*e, patience, mode, fail);
        for (char **line = environment_vector(ours); *line; line++) {
                _cleanup_free_ char *name = xstrndup(*line, strcspn(*line, "="));
                if (!environment_get(*e, name) || job_env_is_wanted(b->o.export, name))
                        environment_put(*e, *line);
        }
        return r;
}

/* Adds a login environment, except with --export=NIL. Without ALL, sbatch behaves as with
   --get-user-env, but ignores a failure. */
static int environment_of_login(const struct batch *b, struct environment **e, struct fail *fail) {
        struct fail failure_is_ignored = { 0 };

        if (b->o.login_env)
                return add_login(b, e, b->o.login_patience, b->o.login_mode, fail);
        if (job_env_is_fresh(b->o.export))
                (void)add_login(b, e, IMPLIED_PATIENCE, 'L', &failure_is_ignored);
        return 0;
}

static int script_environment_fill(const struct batch *b, const char *cwd, const char *host,
                struct environment **ret, struct fail *fail) {
        _cleanup_(environment_freep) struct environment *e = environment_new();
        int r = job_env_fill(e, environ, b->o.export, getenv("SLURM_JOB_ID") != NULL, fail);

        if (r < 0)
                return r;
        job_env_basic(e, environ);
        r = environment_of_login(b, &e, fail);
        if (r >= 0 && b->o.export_file)
                r = user_export_file(e, b->o.export_file, fail);
        if (r < 0)
                return r;
        environment_set(e, "SLURM_SUBMIT_DIR", "%s", cwd);
        environment_set(e, "SLURM_SUBMIT_HOST", "%s", host);
        environment_set(e, "SLURM_PRIO_PROCESS", "0");
        if (b->o.hint)
                environment_set(e, "SLURM_HINT", "%s", b->o.hint);
        for (size_t i = 0; i < b->n; i++)
                job_options_tell_steps(&b->components[i].o, b->n > 1 ? (int)i : -1, e);
        if (b->o.acct_frequency_text)
                environment_set(e, "SLURM_ACCTG_FREQ", "%s", b->o.acct_frequency_text);
        if (b->o.export)
                environment_set(e, "SLURM_EXPORT_ENV", "%s", b->o.export);
        if (b->o.login_env || job_env_is_fresh(b->o.export))
                environment_set(e, "SLURM_GET_USER_ENV", "1");
        *ret = TAKE(e);
        return 0;
}

static void fill_spec(const struct batch *b, size_t at, Slumber__JobSpec *spec, char *cwd,
                char *host) {
        job_options_spec(&b->components[at].o, spec);
        if (isempty(spec->name))
                spec->name = (char *)default_name(b);
        if (isempty(spec->work_dir))
                spec->work_dir = cwd;
        if (isempty(spec->std_in))
                spec->std_in = (char *)"/dev/null";
        if (isempty(spec->std_out))
                spec->std_out = (char *)(isempty(spec->array) ? "slurm-%j.out" : "slurm-%A_%a.out");
        if (b->path)
                spec->command = b->path;
        spec->submit_host = host;
        spec->hook_variables = command_hook_variables(at);
        spec->submit_line = b->submit_line;
        spec->submit_pid = (uint32_t)getsid(0);
}

static void fill_script(const struct batch *b, Slumber__JobScript *script, struct environment *e) {
        slumber__job_script__init(script);
        script->script.data = (uint8_t *)b->script;
        script->script.len = b->script_size;
        script->environment = environment_vector(e);
        script->n_environment = environment_count(e);
        script->arguments = b->argc > 1 ? b->argv + 1 : NULL;
        script->n_arguments = b->argc > 1 ? (size_t)b->argc - 1 : 0;
        script->umask = job_umask();
        script->acct_frequency = b->o.acct_frequency;
        script->rlimits_said = b->o.rlimits_said;
        script->plugin_options = command_plugin_options(0, &script->n_plugin_options);
}

/* Options of a submission. */
enum {
        SUBMIT_TEST = 1, /* estimate only */
        SUBMIT_WAIT = 2, /* notify the connection of the job's end */
};

/* Sends the request over w. The body of *ret_reply is a SubmitReply; the caller frees. */
static int batch_submit(const struct batch *b, unsigned how, struct wire *w, Envelope **ret_reply,
                struct fail *fail) {
        _cleanup_(environment_freep) struct environment *env = NULL;
        _cleanup_free_ Slumber__Rlimit **limits = NULL;
        _cleanup_free_ char *cwd = job_cwd(), *host = job_host();
        _cleanup_envelope_ Envelope *reply = NULL;
        _cleanup_free_ Slumber__JobSpec *specs = xnew(Slumber__JobSpec, b->n);
        _cleanup_free_ Slumber__SubmitRequest *requests = xnew(Slumber__SubmitRequest, b->n),
                                              **pointers = xnew(Slumber__SubmitRequest *, b->n);
        Slumber__JobScript script;
        Slumber__SubmitHet all = SLUMBER__SUBMIT_HET__INIT;
        int r;

        r = script_environment_fill(b, cwd, host, &env, fail);
        if (r < 0)
                return r;
        fill_script(b, &script, env);
        script.rlimits = limits = job_rlimits(b->o.no_rlimits, &script.n_rlimits);
        for (size_t i = 0; i < b->n; i++) {
                pointers[i] = &requests[i];
                slumber__submit_request__init(pointers[i]);
                fill_spec(b, i, &specs[i], cwd, host);
                requests[i].spec = &specs[i];
                requests[i].test_only = how & SUBMIT_TEST;
        }
        requests[0].script = &script;
        requests[0].wait = how & SUBMIT_WAIT;
        all.components = pointers;
        all.n_components = b->n;
        ENVELOPE(plain, SUBMIT, submit, pointers[0]);
        ENVELOPE(het, SUBMIT_HET, submit_het, &all);
        uint32_t code = SLUMBER_OK;
        r = wire_call(w, b->n > 1 ? &het : &plain, &reply, &code, fail);
        if (r == -EREMOTE) {
                _cleanup_free_ char *text = xstrdup(fail->text);
                return fail_set(fail, r, "%s", command_refusal(PROGRAM, code, text));
        }
        if (r < 0)
                return r;
        if (reply->body_case != SLUMBER__ENVELOPE__BODY_SUBMIT_REPLY)
                return fail_set(fail, -EPROTO, "%s", slumber_error_text(SLUMBER_PROTOCOL));
        *ret_reply = TAKE(reply);
        return 0;
}

/* ---- the answer ---- */

static void submission_print(const struct batch *b, const Slumber__SubmitReply *reply,
                const char *cluster) {
        command_told(PROGRAM, false, reply->told);
        if (b->o.test_only) {
                if (!b->o.quiet)
                        command_estimate(PROGRAM, reply, cluster);
                return;
        }
        if (!isempty(reply->message))
                fprintf(stderr, PROGRAM ": %s\n", reply->message);
        if (b->o.parsable)
                printf("%u%s%s\n", reply->job_id, cluster ? ";" : "", strempty(cluster));
        else if (!b->o.quiet)
                printf("Submitted batch job %u%s%s\n", reply->job_id, cluster ? " on cluster " : "",
                                strempty(cluster));
        fflush(stdout);
}

static bool has_ended(const Slumber__Job *job) {
        return job->state > SLUMBER__JOB_STATE__JOB_SUSPENDED && !job->state_flags;
}

/* Returns whether the error of a slumberd or of another cluster means an absent controller. */
static bool is_away(uint32_t code) {
        return code == SLUMBER_CONTROLLER_AWAY || code == SLUMBER_CONTROLLER_LOST ||
               code == SLUMBER_CLUSTER_AWAY;
}

/* Queries the wait status of a job; -EAGAIN: not ended yet, or the controller is away. */
static int look_up(uint32_t id, uint32_t *ret_status, struct fail *fail) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        _cleanup_(job_list_done) struct job_list list = { 0 };
        Slumber__JobQuery query = SLUMBER__JOB_QUERY__INIT;
        uint32_t code = SLUMBER_OK;

        if (command_connect(&w, fail) < 0)
                return -EAGAIN; /* the controller comes back, or the user ends sbatch */
        query.ids = &id;
        query.n_ids = 1;
        query.with_finished = true;
        int r = query_jobs(w, &query, &list, &code, fail);
        if (r < 0)
                return r == -EREMOTE && !is_away(code) ? r : -EAGAIN;
        if (list.n_jobs == 0)
                return fail_set(fail, -ENOENT, "%s", slumber_error_text(SLUMBER_BAD_JOB_ID));
        *ret_status = 0;
        for (size_t i = 0; i < list.n_jobs; i++) { /* each task of an array */
                if (!has_ended(list.jobs[i]))
                        return -EAGAIN;
                *ret_status = MAX(*ret_status, list.jobs[i]->exit_code);
        }
        return 0;
}

static int wait_without_notice(uint32_t id, uint32_t *ret_status, struct fail *fail) {
        int r;

        while ((r = look_up(id, ret_status, fail)) == -EAGAIN)
                nanosleep(&(struct timespec){ .tv_sec = LOST_PAUSE }, NULL);
        return r;
}

static int job_end_wait(struct wire *w, uint32_t id, uint32_t *ret_status, struct fail *fail) {
        for (;;) {
                _cleanup_envelope_ Envelope *env = NULL;
                const Slumber__JobNotice *notice;

                if (wire_receive(w, USEC_INFINITY, &env) < 0)
                        return wait_without_notice(id, ret_status, fail);
                if (env->body_case == SLUMBER__ENVELOPE__BODY_ERROR && is_away(env->error->code))
                        return wait_without_notice(id, ret_status, fail);
                if (env->body_case != SLUMBER__ENVELOPE__BODY_JOB_NOTICE)
                        continue;
                notice = env->job_notice;
                if (notice->job_id != id || notice->kind != SLUMBER__JOB_NOTICE__KIND__ENDED)
                        continue;
                if (!notice->job)
                        return wait_without_notice(id, ret_status, fail);
                *ret_status = notice->job->exit_code;
                return 0;
        }
}

static int submission_failed(const struct batch *b, const struct fail *fail) {
        if (b->o.test_only)
                fprintf(stderr, "allocation failure: %s\n", fail->text);
        else
                command_error(PROGRAM, "Batch job submission failed: %s", fail->text);
        return command_exit_error();
}

/* Returns sbatch's exit code; as in Slurm, 1 stands for every signal. */
static int waited_code(uint32_t status) {
        return status & 0x7f ? EXIT_FAILURE : exit_code_of(status);
}

static void say_refused(const char *lines) {
        command_told(PROGRAM, true, lines);
}

/* ---- submitting to several clusters ---- */

/* Queries when the job would start in the selected cluster, in seconds since 1970. */
static int ask_start(const struct batch *b, usec_t *ret, struct fail *fail) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        _cleanup_envelope_ Envelope *reply = NULL;
        int r = command_connect(&w, fail);

        if (r >= 0)
                r = batch_submit(b, SUBMIT_TEST, w, &reply, fail);
        if (r < 0)
                return r;
        if (!reply->submit_reply->estimate)
                return fail_set(fail, -EPROTO, "it does not say when the job would start");
        *ret = reply->submit_reply->estimate->start_time / USEC_PER_SEC;
        return 0;
}

/* Controllers already name the cluster in some refusals. */
static void say_why_not_there(const char *cluster, const char *why) {
        _cleanup_free_ char *named = xasprintf("cluster %s ", cluster);

        if (strcasestr(why, named))
                command_error(PROGRAM, "%s", why);
        else
                command_error(PROGRAM, "cluster %s: %s", cluster, why);
}

/* Chooses the cluster with the earliest start; among equals the own cluster, then the first in
   the list. Prints the errors of the clusters; fail has the last error if no cluster accepts the
   job. */
static int choose_cluster(const struct batch *b, const struct clusters *c, size_t *ret,
                struct fail *fail) {
        usec_t first = USEC_INFINITY, start = 0;
        int r = -ENOENT;

        command_greet(c);
        for (size_t i = 0; i < c->n; i++) {
                struct fail why = { 0 };

                command_use_cluster(c, i);
                if (ask_start(b, &start, &why) < 0) {
                        say_why_not_there(c->names[i], why.text);
                        *fail = why;
                        continue;
                }
                r = 0;
                /* Starts within the same second count as equal */
                start = streq(c->names[i], c->own) && start ? start - 1 : start;
                if (start >= first)
                        continue;
                first = start;
                *ret = i;
        }
        return r;
}

/* Waits for the end of the job; in another cluster by polling, because the connection gets no
   notice. */
static int wait_in(bool other, struct wire *w, uint32_t id, uint32_t *ret_status,
                struct fail *fail) {
        return other ? wait_without_notice(id, ret_status, fail)
                     : job_end_wait(w, id, ret_status, fail);
}

static void tell_filter(const struct batch *b, uint32_t job) {
        _cleanup_free_ const struct job_options **list = xnew0(const struct job_options *, b->n);

        for (size_t i = 0; i < b->n; i++)
                list[i] = &b->components[i].o;
        filter_post_submit(list, b->n, job, STEP_NONE);
}

static int submit_in(const struct batch *b, const struct clusters *c, size_t at) {
        const char *cluster = c->names[at];
        bool other = cluster && !streq(cluster, c->own), wait = b->o.wait && !b->o.test_only;
        _cleanup_(wire_freep) struct wire *w = NULL;
        _cleanup_envelope_ Envelope *reply = NULL;
        struct fail fail = { 0 };
        uint32_t status;

        command_use_cluster(c, at);
        if (command_connect(&w, &fail) < 0)
                return submission_failed(b, &fail);
        command_say_when_slow(w, "sbatch");
        wire_when_told(w, say_refused);
        if (batch_submit(b, (b->o.test_only ? SUBMIT_TEST : 0) | (wait && !other ? SUBMIT_WAIT : 0),
                            w, &reply, &fail) < 0)
                return submission_failed(b, &fail);
        submission_print(b, reply->submit_reply, cluster);
        if (!b->o.test_only)
                tell_filter(b, reply->submit_reply->job_id);
        if (!wait)
                return EXIT_SUCCESS;
        if (wait_in(other, w, reply->submit_reply->job_id, &status, &fail) < 0)
                return sbatch_error_print(&fail);
        return waited_code(status);
}

static int sbatch_run(const struct batch *b) {
        _cleanup_(command_clusters_done) struct clusters clusters = { 0 };
        struct fail fail = { 0 };
        size_t at = 0;

        if (command_clusters(PROGRAM, b->o.clusters, &clusters) < 0)
                return command_exit_error();
        if (clusters.n > 1 && choose_cluster(b, &clusters, &at, &fail) < 0)
                return submission_failed(b, &fail);
        return submit_in(b, &clusters, at);
}

int sbatch_main(int argc, char **argv) {
        _cleanup_(batch_done) struct batch b = { .failure = EXIT_FAILURE };
        struct fail fail = { 0 };
        int r;

        b.submit_line = command_line_text(argc, argv);
        r = sbatch_options_read(&b, argc, argv, &fail);
        if (r == OPTIONS_DONE)
                return EXIT_SUCCESS;
        if (r < 0) {
                sbatch_error_print(&fail);
                return b.failure;
        }
        for (size_t i = 0; i < b.n && b.o.verbose; i++)
                job_options_say(&b.components[i].o, stderr);
        if (fail.text[0] && !b.o.quiet)
                fprintf(stderr, PROGRAM ": %s\n", fail.text);
        return sbatch_run(&b);
}
