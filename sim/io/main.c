/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slumber-sim: reads arguments and trace, simulates each case (configuration and settings), writes
   reports. */
#include "sim/io/io.h"

#include "controller/account_admin/acct_file.h"
#include "lib/options.h"
#include "lib/printable.h"
#include "lib/timetext.h"

#include <fcntl.h>
#include <sys/stat.h>

/* Start of virtual time for a trace without a date: any full hour except 0. */
#define ZERO           (1000800 * USEC_PER_SEC)
#define TRACE_SIZE_MAX ((size_t)4 << 30) /* bytes; read as a whole */
#define CASES_MAX      32                /* columns of a table */

struct arguments {
        const char *conf, *trace, *out, *nodes;
        struct accounts_wanted accounts;
        const char *accounts_file; /* the file, once known */
        const char *users;         /* --accounts */
        char *users_text;          /* contents of the file users */
        size_t users_size;
        const char *reservations; /* path of the file */
        char *reservations_text;
        bool accounting, compare, json, csv, quiet, pictures;
        const char *with[CASES_MAX];
        size_t n_with;
        char **confs;
        size_t n_confs;
        struct sim_options sim;
};

/* ---- arguments ---- */

/* Reads "2.5" percent as a part of whole. */
static int argument_percent(const char *name, const char *text, uint32_t whole, uint32_t *ret,
                struct fail *fail) {
        usec_t v;

        if (seconds_read(text, strlen(text), &v) < 0 || v > 100 * USEC_PER_SEC)
                return fail_set(fail, -EINVAL, "%s: \"%.60s\" is not a number from 0 to 100", name,
                                text);
        *ret = (uint32_t)(v * whole / (100 * USEC_PER_SEC));
        return 0;
}

static int argument_boot_fails(void *field, const char *value, struct fail *fail) {
        return argument_percent("--boot-fails", value, 1000000, field, fail);
}

static int argument_boot_varies(void *field, const char *value, struct fail *fail) {
        return argument_percent("--boot-varies", value, 1000, field, fail);
}

static int argument_number(const char *name, const char *text, uint64_t min, uint64_t max,
                uint64_t *ret, struct fail *fail) {
        if (uint_parse(text, min, max, ret) < 0)
                return fail_set(fail, -EINVAL,
                                "%s: \"%.60s\" is not a whole number from %llu to %llu", name, text,
                                (unsigned long long)min, (unsigned long long)max);
        return 0;
}

static int argument_per_node(void *field, const char *value, struct fail *fail) {
        uint64_t v = 0;
        int r = argument_number("--per-node", value, 1, 1000000, &v, fail);

        *(uint32_t *)field = (uint32_t)v;
        return r;
}

static int argument_seed(void *field, const char *value, struct fail *fail) {
        return argument_number("--seed", value, 0, UINT64_MAX, field, fail);
}

/* Reads a time that selects jobs of the accounts; implies --accounting. */
static int argument_moment(struct arguments *a, const char *name, const char *value, usec_t *ret,
                struct fail *fail) {
        struct fail why = { 0 };

        a->accounting = true;
        if (time_parse(value, now_realtime(), ret, &why) < 0)
                return fail_set(fail, -EINVAL, "%s: %s", name, why.text);
        return 0;
}

static int argument_start(void *field, const char *value, struct fail *fail) {
        struct arguments *a = field;

        return argument_moment(a, "--start", value, &a->accounts.from, fail);
}

static int argument_end(void *field, const char *value, struct fail *fail) {
        struct arguments *a = field;

        return argument_moment(a, "--end", value, &a->accounts.until, fail);
}

static int argument_accounting_file(void *field, const char *value, struct fail *fail) {
        struct arguments *a = field;

        a->accounting = true;
        a->accounts.file = value;
        return 0;
}

static int argument_with(void *field, const char *value, struct fail *fail) {
        struct arguments *a = field;

        if (a->n_with >= CASES_MAX - 1)
                return fail_set(fail, -E2BIG, "--with: more than %d cases", CASES_MAX - 1);
        a->with[a->n_with++] = value;
        return 0;
}

#define AT(field) offsetof(struct arguments, field)
static const struct option_row option_rows[] = {
        { "conf", 'f', OPTION_TEXT, AT(conf), NULL, "FILE",
                        "slurm.conf (default $SLURM_CONF, /etc/slumber/slurm.conf,\n"
                        "/etc/slurm/slurm.conf), with slumber.yaml beside it: watts,\n"
                        "boot_seconds, shutdown_seconds" },
        { "trace", 't', OPTION_TEXT, AT(trace), NULL, "FILE",
                        "jobs in the Standard Workload Format, or as CSV with named\ncolumns; - is stdin" },
        { "accounting", 0, OPTION_FLAG, AT(accounting), NULL, NULL,
                        "the jobs that really ran: those of the accounts that the\ncontroller of --conf keeps" },
        { "accounting-file", 0, OPTION_CALL, 0, argument_accounting_file, "FILE",
                        "... in this file (default accounting.db in StateSaveLocation)" },
        { "accounts", 0, OPTION_TEXT, AT(users), NULL, "FILE",
                        "accounts, users and their limits, as sacctmgr dump writes\nthem, for the jobs of --trace" },
        { "reservations", 0, OPTION_TEXT, AT(reservations), NULL, "FILE",
                        "one a line, as for scontrol create reservation, made at time 0" },
        { "start", 0, OPTION_CALL, 0, argument_start, "TIME",
                        "... and that were submitted from then on" },
        { "end", 0, OPTION_CALL, 0, argument_end, "TIME",
                        "... and that were submitted before then" },
        { "with", 'w', OPTION_CALL, 0, argument_with, "K=V,...",
                        "a case more, with these settings changed; may be given\nseveral times" },
        { "compare", 0, OPTION_FLAG, AT(compare), NULL, NULL,
                        "the arguments are configurations: one case each" },
        { "feedback", 0, OPTION_FLAG, AT(sim.feedback), NULL, NULL,
                        "a job with a think time is submitted that long after the\none before it has ended" },
        { "per-node", 0, OPTION_CALL, AT(sim.per_node), argument_per_node, "N",
                        "N processors of the trace make a node, and jobs take whole\nones" },
        { "boot-fails", 0, OPTION_CALL, AT(sim.boot_fails), argument_boot_fails, "P",
                        "P percent of all boots come to nothing" },
        { "boot-varies", 0, OPTION_CALL, AT(sim.boot_varies), argument_boot_varies, "P",
                        "boots take up to P percent longer or less" },
        { "seed", 0, OPTION_CALL, AT(sim.seed), argument_seed, "N",
                        "of what is drawn for these two (default 1)" },
        { "out", 'o', OPTION_TEXT, AT(out), NULL, "DIR",
                        "write summary.txt, summary.json, sums.csv there, and of each\n"
                        "case jobs.csv, nodes.csv, states.csv, series.csv" },
        { "pictures", 'p', OPTION_FLAG, AT(pictures), NULL, NULL,
                        "draw nodes.png, nodes.svg, series.png and series.svg there\ntoo, by gnuplot" },
        { "nodes", 0, OPTION_TEXT, AT(nodes), NULL, "LIST",
                        "which nodes states.csv and the pictures tell of (default all)" },
        { "json", 0, OPTION_FLAG, AT(json), NULL, NULL,
                        "everything on standard output as JSON instead of the table" },
        { "csv", 0, OPTION_FLAG, AT(csv), NULL, NULL,
                        "the jobs on standard output as CSV; with several cases their\nsums" },
        { "quiet", 'q', OPTION_FLAG, AT(quiet), NULL, NULL, "no progress" },
        OPTION_ROWS_HELP('h'),
};
static const struct option_table options = {
        .program = "slumber-sim",
        .own = true,
        .rows = option_rows,
        .n_rows = ELEMENTSOF(option_rows),
        .synopsis = "Usage: slumber-sim [--conf FILE] --trace FILE|--accounting [OPTIONS]\n"
                    "       slumber-sim --trace FILE|--accounting --compare [OPTIONS] CONF...\n",
        .about = "What the controller would do with these jobs on this cluster, in virtual time.\n",
};

static int check_arguments(const struct arguments *a) {
        if (!a->trace == !a->accounting)
                return options_error(&options, "%s",
                                a->trace ? "--trace and --accounting (with its --start, --end) exclude each other"
                                         : "which jobs?  --trace FILE, or --accounting");
        if (a->users && a->accounting)
                return options_error(&options,
                                "--accounts and --accounting exclude each other: the jobs that really ran bring their accounts");
        if (a->accounts.until && a->accounts.until <= a->accounts.from)
                return options_error(&options, "--end is not behind --start");
        if (a->compare && (a->conf || a->n_confs == 0))
                return options_error(&options,
                                "--compare: the configurations are the arguments: --compare a.conf b.conf");
        if (!a->compare && a->n_confs)
                return options_error(&options, "unexpected argument \"%.100s\"", a->confs[0]);
        if (a->pictures && !a->out)
                return options_error(&options, "--pictures: where to?  --out DIR");
        if (a->nodes && !a->out)
                return options_error(&options,
                                "--nodes: of what?  states.csv of --out DIR, and its --pictures");
        if (a->json && a->csv)
                return options_error(&options, "--json and --csv exclude each other");
        if ((a->compare ? a->n_confs : 1) * (a->n_with + 1) > CASES_MAX)
                return options_error(&options, "more than %d cases", CASES_MAX);
        return 0;
}

/* Returns 0, OPTIONS_DONE, or a negative errno already reported. */
static int arguments_parse(int argc, char **argv, struct arguments *a) {
        int first, r;

        a->sim.seed = 1;
        r = options_parse(&options, argc, argv, a, &first);
        if (r != 0)
                return r;
        a->confs = argv + first;
        a->n_confs = (size_t)(argc - first);
        return check_arguments(a);
}

/* ---- the trace ---- */

static int text_read_all(const char *path, char **ret, size_t *ret_size, struct fail *fail) {
        _cleanup_close_ int fd = streq(path, "-") ? dup(STDIN_FILENO)
                                                  : open(path, O_RDONLY | O_CLOEXEC);
        _cleanup_free_ char *text = NULL;
        size_t n = 0, allocated = 0;

        if (fd < 0)
                return fail_set(fail, -errno, "%s: %s", path, strerror(errno));
        for (;;) {
                if (n + 1 >= allocated) {
                        allocated = allocated ? 2 * allocated : 1 << 16;
                        text = xrenew(text, allocated);
                }
                ssize_t k = read(fd, text + n, allocated - n - 1);
                if (k < 0 && errno == EINTR)
                        continue;
                if (k < 0)
                        return fail_set(fail, -errno, "%s: %s", path, strerror(errno));
                if (k == 0)
                        break;
                n += (size_t)k;
                if (n > TRACE_SIZE_MAX)
                        return fail_set(fail, -EFBIG, "%s: larger than %zu bytes", path,
                                        TRACE_SIZE_MAX);
        }
        text[n] = 0;
        *ret = TAKE(text);
        *ret_size = n;
        return 0;
}

/* Decides by the file name, else by the start: SWF begins with a comment or a number (also -1), CSV
   with a column name. */
static bool is_swf(const char *path, const char *text) {
        size_t n = strlen(path);

        if (n > 4 && (streq(path + n - 4, ".swf") || streq(path + n - 4, ".csv")))
                return streq(path + n - 4, ".swf");
        text += strspn(text, " \t\r\n");
        return *text && strchr(";-0123456789", *text);
}

static const char *trace_name(const struct arguments *a) {
        return a->accounting ? "the accounts" : streq(a->trace, "-") ? "standard input" : a->trace;
}

static int read_trace(const struct arguments *a, struct trace **ret, struct fail *fail) {
        const char *name = trace_name(a);
        _cleanup_free_ char *text = NULL;
        size_t size = 0;
        int r = text_read_all(a->trace, &text, &size, fail);

        if (r < 0)
                return r;
        if (strncmp(text, "\x1f\x8b", 2) == 0)
                return fail_set(fail, -EINVAL,
                                "%s: compressed by gzip; expected text: zcat FILE | slumber-sim --trace -",
                                name);
        /* UTF-8 byte order mark, as spreadsheets write */
        size_t mark = strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
        return is_swf(a->trace, text + mark) ? swf_read(name, text + mark, size - mark, ret, fail)
                                             : csv_read(name, text + mark, size - mark, ret, fail);
}

/* ---- cases ---- */

struct progress {
        const struct trace *t;
        const char *label;
};

static void tell_progress(size_t submitted, size_t over, usec_t at, void *user) {
        const struct progress *p = user;
        char buf[TIMETEXT_MAX];

        fprintf(stderr, "\r\033[K%s%s%zu of %zu jobs submitted, %zu through, at %s", p->label,
                        *p->label ? ": " : "", submitted, p->t->n, over, duration_short(at, buf));
        fflush(stderr);
}

/* Splits "A=1,B=n[1,2]": commas in brackets, or not before a KEY=, belong to the value. */
static char **split_settings(const char *text, size_t *ret_n) {
        char **list = NULL;
        size_t n = 0;

        while (text && *text) {
                size_t end = 0;
                int depth = 0;
                for (; text[end]; end++) {
                        depth += (text[end] == '[') - (text[end] == ']');
                        if (text[end] != ',' || depth > 0)
                                continue;
                        size_t key = strcspn(text + end + 1, "=,");
                        if (text[end + 1 + key] == '=' && memchr(text + end + 1, '[', key) == NULL)
                                break;
                }
                list = xrenew(list, n + 1);
                list[n++] = xstrndup(text, end);
                text += end + (text[end] == ',');
        }
        *ret_n = n;
        return list;
}

static void case_done(struct sim_case *k) {
        cluster_free(k->c);
        sim_result_done(&k->result);
        free(k->label);
        free(k->conf);
        free(k->with);
        free(k->name);
        free(k->sleepless);
}

/* Frees a case except for its sums. */
static void case_shrink(struct sim_case *k) {
        k->c = cluster_free(k->c);
        struct sim_causes refused = k->result.refused, waiting = k->result.waiting;
        k->result.refused = k->result.waiting = (struct sim_causes){ 0 };
        sim_result_done(&k->result);
        k->result.refused = refused;
        k->result.waiting = waiting;
}

/* Returns the reason if a SuspendTime has no effect only because a program is missing. */
static char *why_sleepless(const struct cluster *c) {
        bool some_time = c->config->suspend_time != NO_LIMIT;

        for (size_t i = 0; i < c->config->n_partitions; i++)
                some_time |= c->config->partitions[i].suspend_time < TIME_UNSET;
        return some_time && !c->power_save ? xstrdup(c->power_save_off_because) : NULL;
}

/* Checks --nodes before a long run. */
static int arguments_check_nodes(const char *text, const struct cluster *c, struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *nodes = NULL;

        return text ? cluster_nodes_parse(c, text, &nodes, fail) : 0;
}

/* Loads the accounts and limits of --accounts into c. */
static int know_users(const struct arguments *a, struct cluster *c, struct fail *fail) {
        _cleanup_free_ char *told = NULL;
        const struct acct_import import = { .text = a->users_text,
                .size = a->users_size,
                .cluster = c->config->cluster_name,
                .user = "root",
                .level = ADMIN_ADMINISTRATOR,
                .commit = true };

        if (c->config->accounting_off)
                return fail_set(fail, -ENOTSUP,
                                "--accounts: AccountingStorageType is accounting_storage/none: limits do not count");
        int r = acct_import(c, &import, &told, fail);
        return r < 0 ? fail_prefix(fail, r, "%.200s", a->users) : 0;
}

static int case_simulate(const struct arguments *a, const struct trace *t, struct sim_case *k,
                bool several, struct fail *fail) {
        struct progress progress = { t, several ? k->label : "" };
        struct sim_options o = a->sim;
        usec_t zero = t->zero ? t->zero : ZERO;
        struct config *config = NULL;
        size_t n = 0;
        char **settings = split_settings(k->with, &n);
        int r = config_read_for(k->conf, (const char *const *)settings, n, &config, fail);

        texts_free(settings, n);
        if (r < 0)
                return k->with ? fail_prefix(fail, r, "--with %.100s", k->with) : r;
        for (size_t i = 0; i < config->n_warnings && !a->quiet; i++)
                printable_fprintf(stderr, "slumber-sim: warning: %s\n", config->warnings[i]);
        r = cluster_new(config, zero, &k->c, fail);
        if (r < 0) {
                config_free(config);
                return r;
        }
        r = arguments_check_nodes(a->nodes, k->c, fail);
        if (r >= 0 && a->accounting && !config->accounting_off)
                r = accounting_know(a->accounts_file, k->c, fail);
        if (r >= 0 && a->users)
                r = know_users(a, k->c, fail);
        if (r < 0)
                return r;
        k->sleepless = why_sleepless(k->c);
        bool tell = !a->quiet && isatty(STDERR_FILENO);
        o.progress = tell ? tell_progress : NULL;
        o.user = &progress;
        o.changes = a->out || a->json;
        o.reservations = a->reservations_text;
        r = sim_run(k->c, t, zero, &o, &k->result, fail);
        if (r == -EINVAL && a->reservations) /* the fault is in that file */
                r = fail_prefix(fail, r, "%.200s", a->reservations);
        if (tell)
                fputs("\r\033[K", stderr);
        if (r >= 0)
                sums_make(k->c, &k->result, &k->sums);
        return r;
}

static const char *conf_name(const char *conf) {
        const char *slash = strrchr(conf, '/');

        return slash ? slash + 1 : conf;
}

/* Returns a configuration's label, without folder unless needed to distinguish configurations. */
static char *label_of(const struct arguments *a, const char *conf, const char *with) {
        const char *name = conf_name(conf);

        for (size_t i = 0; a->compare && i < a->n_confs; i++)
                if (streq(conf_name(a->confs[i]), conf_name(conf)) && !streq(a->confs[i], conf))
                        name = conf;

        if (!a->compare)
                return xstrdup(with ? with : "as configured");
        return with ? xasprintf("%s %s", name, with) : xstrdup(name);
}

static size_t make_cases(const struct arguments *a, struct sim_case *cases) {
        _cleanup_free_ char *found = a->compare ? NULL : config_find(a->conf);
        size_t n = 0;

        for (size_t i = 0; i < (a->compare ? a->n_confs : 1); i++) {
                const char *conf = a->compare ? a->confs[i] : found;
                for (size_t w = 0; w <= a->n_with; w++) {
                        const char *with = w ? a->with[w - 1] : NULL;
                        cases[n++] = (struct sim_case){ .label = label_of(a, conf, with),
                                .conf = xstrdup(conf),
                                .with = xstrdup(with) };
                }
        }
        return n;
}

/* ---- output ---- */

static int report_write_file(const char *dir, const char *name,
                void (*write)(const struct report *, const struct sim_case *, const void *, FILE *),
                const struct report *r, const struct sim_case *k, const void *user,
                struct fail *fail) {
        _cleanup_free_ char *path = xasprintf("%s/%s", dir, name);
        _cleanup_fclose_ FILE *f = fopen(path, "we");

        if (!f)
                return fail_set(fail, -errno, "%s: %s", path, strerror(errno));
        write(r, k, user, f);
        if (fflush(f) != 0 || ferror(f))
                return fail_set(fail, -EIO, "%s: cannot be written: %s", path, strerror(errno));
        return 0;
}

static void report_to_jobs(const struct report *r, const struct sim_case *k, const void *user,
                FILE *f) {
        csv_jobs(r, k, f);
}
static void report_to_nodes(const struct report *r, const struct sim_case *k, const void *user,
                FILE *f) {
        csv_nodes(k, f);
}
static void report_to_states(const struct report *r, const struct sim_case *k, const void *user,
                FILE *f) {
        csv_states(r, k, user, f);
}
static void report_to_series(const struct report *r, const struct sim_case *k, const void *user,
                FILE *f) {
        csv_series(k, f);
}
static void report_to_text(const struct report *r, const struct sim_case *k, const void *user,
                FILE *f) {
        text_write(r, f);
}
static void report_to_json(const struct report *r, const struct sim_case *k, const void *user,
                FILE *f) {
        json_write(r, false, f);
}
static void report_to_sums(const struct report *r, const struct sim_case *k, const void *user,
                FILE *f) {
        csv_sums(r, f);
}

/* Makes the folder; an existing one must be writable. Called before a long run. */
static int make_folder(const char *dir, struct fail *fail) {
        _cleanup_free_ char *inside = xasprintf("%s/.", dir);

        if (mkdir(dir, 0777) < 0 && (errno != EEXIST || access(inside, W_OK | X_OK) < 0))
                return fail_set(fail, -errno, "%s: %s", dir, strerror(errno));
        return 0;
}

/* Writes one case: a single case to DIR, several to DIR/1, DIR/2 and so on. */
static int write_case(const struct arguments *a, const struct report *r, const struct sim_case *k,
                size_t number, struct fail *fail) {
        static const struct {
                const char *name;
                void (*write)(const struct report *, const struct sim_case *, const void *, FILE *);
        } files[] = {
                { "jobs.csv", report_to_jobs },
                { "nodes.csv", report_to_nodes },
                { "states.csv", report_to_states },
                { "series.csv", report_to_series },
        };
        _cleanup_free_ char *dir = r->n > 1 ? xasprintf("%s/%zu", a->out, number) : xstrdup(a->out);
        _cleanup_(bitset_freep) struct bitset *nodes = NULL;
        int res = make_folder(dir, fail);

        if (res >= 0)
                res = cluster_nodes_parse(k->c, a->nodes ? a->nodes : "ALL", &nodes, fail);
        for (size_t i = 0; i < ELEMENTSOF(files) && res >= 0; i++)
                res = report_write_file(dir, files[i].name, files[i].write, r, k, nodes, fail);
        return res;
}

static int report_write_all(const struct arguments *a, const struct report *r, struct fail *fail) {
        int res = report_write_file(a->out, "summary.txt", report_to_text, r, NULL, NULL, fail);

        if (res >= 0)
                res = report_write_file(a->out, "summary.json", report_to_json, r, NULL, NULL,
                                fail);
        if (res >= 0)
                res = report_write_file(a->out, "sums.csv", report_to_sums, r, NULL, NULL, fail);
        return res;
}

static int report_print(const struct arguments *a, const struct report *r, struct fail *fail) {
        struct report coloured = *r;
        const char *no_color = getenv("NO_COLOR");

        coloured.colour = isatty(STDOUT_FILENO) && isempty(no_color);
        if (a->json)
                json_write(r, true, stdout);
        else if (a->csv && r->n == 1)
                csv_jobs(r, &r->cases[0], stdout);
        else if (a->csv)
                csv_sums(r, stdout);
        else
                text_write(&coloured, stdout);
        if (fflush(stdout) != 0 || ferror(stdout))
                return fail_set(fail, -EIO, "standard output cannot be written: %s",
                                strerror(errno));
        return 0;
}

static int run_cases(const struct arguments *a, struct report *r, struct fail *fail) {
        bool keep = a->json || (a->csv && r->n == 1);
        int res = a->pictures ? pictures_run("--check", fail) : 0;

        if (res >= 0 && a->out)
                res = make_folder(a->out, fail);

        for (size_t i = 0; i < r->n && res >= 0; i++) {
                res = case_simulate(a, r->t, &r->cases[i], r->n > 1, fail);
                if (res >= 0 && i == 0)
                        r->cluster_name = r->cases[0].name = xstrdup(
                                        r->cases[0].c->config->cluster_name);
                if (res >= 0 && a->out)
                        res = write_case(a, r, &r->cases[i], i + 1, fail);
                if (res >= 0 && !keep)
                        case_shrink(&r->cases[i]);
        }
        if (res >= 0 && a->out)
                res = report_write_all(a, r, fail);
        if (res >= 0 && a->pictures)
                res = pictures_run(a->out, fail);
        return res >= 0 ? report_print(a, r, fail) : res;
}

static int cases_run(struct arguments *a, struct fail *fail) {
        _cleanup_(trace_freep) struct trace *t = NULL;
        _cleanup_free_ char *accounts_file = NULL;
        struct sim_case cases[CASES_MAX] = { 0 };
        struct report report = { .trace_file = trace_name(a), .cases = cases };
        int r = 0;

        report.n = make_cases(a, cases);
        if (a->accounting)
                r = accounting_read(cases[0].conf, &a->accounts, &t, &accounts_file, fail);
        else
                r = read_trace(a, &t, fail);
        if (r >= 0 && a->users)
                r = text_read_all(a->users, &a->users_text, &a->users_size, fail);
        if (r >= 0 && a->reservations)
                r = text_read_all(a->reservations, &a->reservations_text, &(size_t){ 0 }, fail);
        report.t = t;
        a->accounts_file = accounts_file;
        if (r >= 0)
                r = run_cases(a, &report, fail);
        for (size_t i = 0; i < report.n; i++)
                case_done(&cases[i]);
        free(a->users_text);
        free(a->reservations_text);
        return r;
}

int main(int argc, char **argv) {
        struct arguments a = { 0 };
        struct fail fail = { 0 };

        standard_streams_open();
        int r = arguments_parse(argc, argv, &a);
        if (r == OPTIONS_DONE)
                return EXIT_SUCCESS;
        if (r == 0) {
                r = cases_run(&a, &fail);
                if (r < 0)
                        printable_fprintf(stderr, "slumber-sim: error: %s\n",
                                        fail.text[0] ? fail.text : strerror(-r));
        }
        return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
