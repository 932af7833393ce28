/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands/command.h"

#include "commands/submit/plugins.h"
#include "lib/config/config.h"
#include "lib/errors.h"
#include "lib/printable.h"
#include "lib/timetext.h"
#include "lib/wire.h"

#include <strings.h>
#include <time.h>

#define SLOW 10 /* seconds; Slurm's MessageTimeout */
/* How long, and how often, a command tries to reach a restarting daemon */
#define CONNECT_REFUSED (SLOW * USEC_PER_SEC)
#define CONNECT_MISSING USEC_PER_SEC
#define CONNECT_AGAIN   (50 * USEC_PER_MSEC)

void command_error(const char *program, const char *format, ...) {
        va_list ap;

        fprintf(stderr, "%s: error: ", program);
        va_start(ap, format);
        printable_vfprintf(stderr, format, ap);
        va_end(ap);
        fputc('\n', stderr);
}

bool command_env_set(const char *name) {
        return !isempty(getenv(name));
}

const char *command_refusal(const char *program, uint32_t code, const char *text) {
        const char *words = slumber_error_text((int)code);

        if (!words || code == SLUMBER_FAILED || code == SLUMBER_NOT_SUPPORTED ||
                        code == SLUMBER_CLUSTER_AWAY)
                return isempty(text) ? slumber_error_text(SLUMBER_FAILED) : text;
        if (!isempty(text) && !streq(text, words))
                command_error(program, "%s", text);
        return words;
}

void command_told(const char *program, bool error, const char *lines) {
        for (const char *p = strempty(lines); *p;) {
                size_t n = strcspn(p, "\n");
                printable_fprintf(stderr, "%s: %s%.*s\n", program, error ? "error: " : "", (int)n,
                                p);
                p += n + (p[n] == '\n');
        }
}

void command_estimate(const char *program, const Slumber__SubmitReply *reply, const char *cluster) {
        const Slumber__StartEstimate *e = reply->estimate;
        bool het = e && isempty(e->partition); /* several partitions; printed like Slurm */
        char when[TIMETEXT_MAX];

        if (!e)
                return;
        printable_fprintf(stderr, "%s: Job %u to start at %s%s%s using %u processors on %s%s%s%s\n",
                        program, reply->job_id, time_text(e->start_time, "%Y-%m-%dT%H:%M:%S", when),
                        cluster ? " on cluster " : "", strempty(cluster), e->num_cpus,
                        het ? "" : "nodes ", e->nodes, het ? "" : " in partition ", e->partition);
        if (e->n_preempts)
                fprintf(stderr, "%s:   Preempts: ", program);
        for (size_t i = 0; i < e->n_preempts; i++)
                fprintf(stderr, "%s%u%s", i ? "," : "", e->preempts[i],
                                i + 1 == e->n_preempts ? "\n" : "");
}

int command_user(const char *user, uid_t *ret_uid, char **ret_name, struct fail *fail) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        _cleanup_envelope_ Envelope *reply = NULL;
        Slumber__UserQuery query = SLUMBER__USER_QUERY__INIT;
        uint32_t code = SLUMBER_OK;
        int r = command_connect(&w, fail);

        query.user = (char *)(uintptr_t)user;
        ENVELOPE(envelope, USER_QUERY, user_query, &query);
        if (r >= 0)
                r = wire_call(w, &envelope, &reply, &code, fail);
        if (r == -EREMOTE && code == SLUMBER_BAD_USER)
                return -ENOENT;
        if (r < 0)
                return r;
        if (reply->body_case != SLUMBER__ENVELOPE__BODY_USER_REPLY)
                return fail_set(fail, -EPROTO, "%s", slumber_error_text(SLUMBER_PROTOCOL));
        *ret_uid = reply->user_reply->uid;
        if (ret_name)
                *ret_name = xstrdup(reply->user_reply->name);
        return 0;
}

/* Path of the daemon's socket, once known. A command with streams uses the socket of a slumberd
   beside slumberctld; instead is slumberctld's socket, tried if that slumberd does not answer at
   first. */
static const char *own_socket, *instead;
static bool has_streams; /* the command needs a slumberd for streams */

void command_has_streams(void) {
        has_streams = true;
}

/* of_host: socket of slumberctld, or of the only daemon on this host. */
static const char *prefer_slumberd(const char *of_host) {
        if (!has_streams)
                return own_socket = of_host;
        char *beside = wire_slumberd_socket(of_host);
        if (access(beside, F_OK) < 0 || streq(beside, of_host)) {
                free(beside);
                return own_socket = of_host;
        }
        instead = of_host;
        return own_socket = beside;
}

/* slumber.yaml is read only if neither SLUMBER_SOCKET nor the usual socket exists: reading costs
   more than the whole connection. */
const char *command_socket(struct fail *fail) {
        static struct site_config site;
        _cleanup_free_ char *path = NULL;

        if (own_socket)
                return own_socket;
        if (command_env_set("SLUMBER_SOCKET"))
                return own_socket = getenv("SLUMBER_SOCKET");
        if (access(WIRE_SOCKET_DEFAULT, F_OK) == 0)
                return prefer_slumberd(WIRE_SOCKET_DEFAULT);
        path = config_find(NULL);
        if (!path || access(path, F_OK) < 0)
                /* The error of the connection names the socket */
                return own_socket = WIRE_SOCKET_DEFAULT;
        return site_config_read(path, &site, fail) < 0 ? NULL : prefer_slumberd(site.socket);
}

static const char *used_cluster; /* set by command_use_cluster(); NULL: this cluster */

static int connect_once(struct wire **ret, struct fail *fail) {
        int r = wire_connect_path(own_socket, ret, fail);

        if (instead && (r == -ECONNREFUSED || r == -ENOENT)) {
                own_socket = TAKE(instead);
                r = wire_connect_path(own_socket, ret, fail);
        }
        instead = NULL; /* a command stays with a slumberd once reached */
        if (r >= 0)
                wire_set_cluster(*ret, used_cluster);
        return r;
}

int command_connect_now(struct wire **ret, struct fail *fail) {
        const char *path = command_socket(fail);

        return path ? connect_once(ret, fail) : -EINVAL;
}

/* Returns how long to try again after error r (negative errno) of connecting to path. */
static usec_t patience_for(int r, const char *path) {
        const char *slash = strrchr(path, '/');
        _cleanup_free_ char *folder = slash ? xstrndup(path, (size_t)(slash - path)) : NULL;

        if (r == -ECONNREFUSED)
                return CONNECT_REFUSED;
        return r == -ENOENT && (isempty(folder) || access(folder, F_OK) == 0) ? CONNECT_MISSING : 0;
}

int command_connect(struct wire **ret, struct fail *fail) {
        const char *path = command_socket(fail);
        usec_t begin = now_monotonic();
        int r = path ? connect_once(ret, fail) : -EINVAL;

        while (r < 0 && path && now_monotonic() - begin < patience_for(r, own_socket)) {
                (void)usleep(CONNECT_AGAIN);
                r = connect_once(ret, fail);
        }
        return r;
}

/* ---- plug-ins ---- */

char *command_hook_variables(size_t at) {
        return command_plugins ? command_plugins->hook_variables(at) : (char *)(uintptr_t) "";
}

const struct command_plugins *command_plugins;
struct command_view command_view;

void command_options_begin(size_t at) {
        if (command_plugins)
                command_plugins->options_begin(at);
}

int command_options_read(size_t at, size_t n, int group, struct fail *fail) {
        return command_plugins ? command_plugins->options_read(at, n, group, fail) : 0;
}

Slumber__PluginOption **command_plugin_options(size_t at, size_t *ret_n) {
        *ret_n = 0;
        return command_plugins ? command_plugins->options(at, ret_n) : NULL;
}

void command_plugin_environment(size_t at, struct environment *e) {
        if (command_plugins)
                command_plugins->environment(at, e);
}

int command_script(struct wire *w, Slumber__ScriptQuery *query, char **ret, size_t *ret_size,
                uint32_t *ret_code, struct fail *fail) {
        _cleanup_envelope_ Envelope *reply = NULL;
        ENVELOPE(envelope, SCRIPT_QUERY, script_query, query);
        int r = wire_call(w, &envelope, &reply, ret_code, fail);
        if (r < 0)
                return r;
        if (reply->body_case != SLUMBER__ENVELOPE__BODY_SCRIPT_REPLY)
                return fail_set(fail, -EPROTO, "%s", slumber_error_text(SLUMBER_PROTOCOL));
        *ret_size = reply->script_reply->script.len;
        *ret = xmalloc(*ret_size + 1); /* script may have zero bytes */
        if (*ret_size)
                memcpy(*ret, reply->script_reply->script.data, *ret_size);
        (*ret)[*ret_size] = 0;
        return 0;
}

#define LINE_SHOWN 4096 /* bytes */

char *command_line_text(int argc, char *const *argv) {
        _cleanup_free_ char *all = NULL;
        char *text = xmalloc(LINE_SHOWN);
        size_t size;
        FILE *f = memstream_open(&all, &size);

        for (int i = 0; i < argc && ftell(f) < LINE_SHOWN; i++)
                fprintf(f, "%s%.*s", i ? " " : "", LINE_SHOWN, argv[i]);
        memstream_close(f);
        printable_copy(text, LINE_SHOWN, all);
        for (char *c = text; *c; c++)
                if (*c == '\n' || *c == '\t')
                        *c = ' ';
        return text;
}

int command_cluster_name(struct wire *w, char **ret, struct fail *fail) {
        _cleanup_envelope_ Envelope *reply = NULL;
        Slumber__PingRequest ping = SLUMBER__PING_REQUEST__INIT;
        ENVELOPE(envelope, PING, ping, &ping);
        int r = wire_call(w, &envelope, &reply, NULL, fail);

        if (r < 0)
                return r;
        if (reply->body_case != SLUMBER__ENVELOPE__BODY_PING_REPLY)
                return fail_set(fail, -EPROTO, "%s", slumber_error_text(SLUMBER_PROTOCOL));
        *ret = xstrdup(reply->ping_reply->cluster);
        return 0;
}

/* ---- several clusters ---- */

void command_use_cluster(const struct clusters *c, size_t at) {
        const char *name = c->names[at];

        used_cluster = name && !streq(name, c->own) ? name : NULL;
}

void command_cluster_heading(const struct clusters *c, size_t at) {
        if (c->own)
                printf("%sCLUSTER: %s\n", at ? "\n" : "", c->names[at]);
}

static int ask_clusters(Envelope **ret, struct fail *fail) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        Slumber__ClusterQuery query = SLUMBER__CLUSTER_QUERY__INIT;
        ENVELOPE(envelope, CLUSTER_QUERY, cluster_query, &query);

        used_cluster = NULL;
        int r = command_connect(&w, fail);
        if (r >= 0)
                r = wire_call(w, &envelope, ret, NULL, fail);
        if (r < 0)
                return r;
        if ((*ret)->body_case != SLUMBER__ENVELOPE__BODY_CLUSTER_LIST ||
                        !(*ret)->cluster_list->n_clusters)
                return fail_set(fail, -EPROTO, "%s", slumber_error_text(SLUMBER_PROTOCOL));
        return 0;
}

static void clusters_add_name(struct clusters *c, const char *name) {
        for (size_t i = 0; i < c->n; i++)
                if (streq(c->names[i], name))
                        return;
        c->names = xrenew(c->names, c->n + 1);
        c->names[c->n++] = xstrdup(name);
}

/* Adds all known clusters, or the named cluster. Returns their number; 0: unknown. */
static size_t add_known(struct clusters *c, const Slumber__ClusterList *known, const char *name) {
        bool all = strcasecmp(name, "all") == 0;
        size_t found = 0;

        for (size_t i = 0; i < known->n_clusters; i++) {
                const Slumber__ClusterRecord *r = known->clusters[i];
                if (all ? i > 0 && !r->n_there : strcasecmp(r->name, name) != 0)
                        continue;
                clusters_add_name(c, r->name);
                found++;
        }
        return found;
}

static void say_unknown(const char *program, const char *name) {
        command_error(program, "No cluster '%s' known by database.", name);
}

static int unknown_cluster(const char *program, const char *name, const char *list) {
        say_unknown(program, name);
        command_error(program,
                        "'%s' can't be reached now, or it is an invalid entry for --cluster.  "
                        "Use 'sacctmgr list clusters' to see available clusters.",
                        list);
        return -ENOENT;
}

int command_known_clusters(const char *program, const char *list, struct clusters *ret) {
        _cleanup_envelope_ Envelope *reply = NULL;
        struct fail fail = { 0 };

        *ret = (struct clusters){ 0 };
        if (ask_clusters(&reply, &fail) < 0) {
                command_error(program, "%s", fail.text);
                return -ENOTCONN;
        }
        ret->own = xstrdup(reply->cluster_list->clusters[0]->name);
        for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',') {
                _cleanup_free_ char *name = xstrndup(p, strcspn(p, ","));
                if (!add_known(ret, reply->cluster_list, name) && !ret->unknown)
                        ret->unknown = xstrdup(name);
        }
        return 0;
}

/* some: a single known cluster in the list is enough. */
static int choose_clusters(const char *program, const char *list, bool some, struct clusters *ret) {
        list = list ? list : getenv("SLURM_CLUSTERS");
        if (isempty(list)) {
                *ret = (struct clusters){ .names = xnew0(char *, 1), .n = 1 };
                return 0;
        }
        int r = command_known_clusters(program, list, ret);
        if (r >= 0 && ret->n && (some || !ret->unknown)) {
                if (ret->unknown)
                        say_unknown(program, ret->unknown);
                return 0;
        }
        if (r >= 0)
                r = unknown_cluster(program, strempty(ret->unknown), list);
        command_clusters_done(ret);
        return r;
}

int command_clusters(const char *program, const char *list, struct clusters *ret) {
        return choose_clusters(program, list, false, ret);
}

int command_clusters_to_show(const char *program, const char *list, struct clusters *ret) {
        return choose_clusters(program, list, true, ret);
}

void command_clusters_done(struct clusters *c) {
        used_cluster = NULL;
        texts_free(c->names, c->n);
        free(c->own);
        free(c->unknown);
        *c = (struct clusters){ 0 };
}

int command_each_cluster(const char *program, const char *list, int (*run)(void *user, size_t at),
                void *user) {
        struct clusters c;
        int code = command_clusters(program, list, &c) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;

        command_greet(&c);
        for (size_t i = 0; i < c.n; i++) {
                command_use_cluster(&c, i);
                int one = run(user, i);
                code = MAX(code, one);
                fflush(stdout);
        }
        command_clusters_done(&c);
        return code;
}

int command_cluster(const char *program, const char *list, char **ret) {
        struct clusters c;
        int r = command_clusters(program, list, &c);

        *ret = NULL;
        for (size_t i = 0; i < c.n && r >= 0; i++)
                if (c.own && !streq(c.names[i], c.own)) {
                        command_error(program, "--clusters: %s works in this cluster, %s, alone",
                                        program, c.own);
                        r = -EOPNOTSUPP;
                }
        if (r >= 0 && c.own)
                *ret = xstrdup(c.own);
        command_clusters_done(&c);
        return r;
}

static const char *slow_program;

static void say_slow(const char *why) {
        if (why) {
                printable_fprintf(stderr, "%s: %s; still waiting\n", slow_program, why);
                return;
        }
        fprintf(stderr, "%s: no answer for %d s: the controller gives it when the change is on its disk; still waiting\n",
                        slow_program, SLOW);
}

void command_say_when_slow(struct wire *w, const char *program) {
        slow_program = program;
        wire_when_slow(w, SLOW * USEC_PER_SEC, say_slow);
}

static int exit_from(const char *name, int otherwise) {
        const char *value = getenv(name);
        char *end;

        if (isempty(value))
                return otherwise;
        long code = strtol(value, &end, 10);
        return *end || code <= 0 || code > 255 ? otherwise : (int)code;
}

int command_exit_error(void) {
        return exit_from("SLURM_EXIT_ERROR", EXIT_FAILURE);
}

int command_exit_immediate(void) {
        return exit_from("SLURM_EXIT_IMMEDIATE", EXIT_FAILURE);
}

int command_repeat(uint32_t seconds, int (*report)(const void *user), const void *user) {
        int r = report(user);

        while (r >= 0 && seconds && fflush(stdout) == 0) {
                putchar('\n');
                sleep(seconds);
                r = report(user);
        }
        if (fflush(stdout) != 0 || ferror(stdout))
                return -EIO;
        return r;
}

void command_print_date(void) {
        time_t now = time(NULL);
        char buf[64];
        struct tm tm;

        if (localtime_r(&now, &tm) && strftime(buf, sizeof buf, "%a %b %d %H:%M:%S %Y", &tm))
                puts(buf);
}
