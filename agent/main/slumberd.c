/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slumberd - the node daemon
 *
 * main() runs in this order: options, configuration, spool folder, cgroups, steps still running,
 * local socket, controller, event loop. Steps run on without slumberd: SIGTERM ends only the
 * daemon. */
#include "agent/bmc.h"
#include "agent/common/realtime.h"
#include "agent/gres.h"
#include "agent/health.h"
#include "agent/in_band.h"
#include "agent/jobs/groups.h"
#include "agent/jobs/job.h"
#include "agent/jobs/launch_queue.h"
#include "agent/jobs/plugins.h"
#include "agent/jobs/spare_groups.h"
#include "agent/jobs/stepds.h"
#include "agent/login.h"
#include "agent/machine/gpus_known.h"
#include "agent/machine/veto.h"
#include "agent/node_features.h"
#include "agent/nodes.h"
#include "agent/state/agent.h"
#include "agent/streams/bulk.h"
#include "agent/swap.h"
#include "agent/upstream.h"
#include "agent/users/commands.h"
#include "agent/users/relay.h"
#include "agent/wake.h"

#include "lib/background.h"
#include "lib/options.h"
#include "lib/timetext.h"

#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <signal.h>
#include <sys/socket.h>
#include <systemd/sd-daemon.h>

#define DEFAULT_PORT    6817
#define DEFAULT_SPOOL   "/var/spool/slumberd"
#define INSTALLED_STEPD SLUMBER_LIBEXECDIR "/slumberstepd"
#define KILL_WAIT       (30 * USEC_PER_SEC)
#define SLURMD_TIMEOUT  (300 * USEC_PER_SEC)
#define UNKILLABLE      (60 * USEC_PER_SEC)
#define FREEZE_TIMEOUT  (10 * USEC_PER_SEC)

/* ---- options ---- */

static int set_future(void *field, const char *value, struct fail *fail) {
        (void)fail;
        *(const char **)field = strempty(value);
        return 0;
}

#define AT(field) offsetof(struct agent_options, field)
static const struct option_row option_rows[] = {
        { "foreground", 'D', OPTION_FLAG, AT(foreground), NULL, NULL, "stay in the foreground" },
        { "config", 'f', OPTION_TEXT, AT(conf), NULL, "FILE", "read FILE instead of slurm.conf" },
        { "clear", 'c', OPTION_FLAG, AT(forget), NULL, NULL,
                        "end and forget what an earlier slumberd left" },
        { "verbose", 'v', OPTION_COUNT, AT(verbose), NULL, NULL, "log more" },
        { "node-name", 'N', OPTION_TEXT, AT(node), NULL, "NAME",
                        "name of this node (default: the host name)" },
        { "boot", 'b', OPTION_FLAG, AT(boot_now), NULL, NULL,
                        "say that the node has booted just now" },
        { "hardware", 'C', OPTION_FLAG, AT(print_hardware), NULL, NULL,
                        "print the hardware as slurm.conf has it, and end" },
        { "gres", 'G', OPTION_FLAG, AT(print_gres), NULL, NULL,
                        "print the GPUs that AutoDetect finds, and end" },
        { "logfile", 'L', OPTION_TEXT, AT(log), NULL, "FILE", "log to FILE" },
        { "stepd", 'd', OPTION_TEXT, AT(stepd), NULL, "PATH", "the step daemon's program" },
        { "conf", 0, OPTION_TEXT, AT(conf_line), NULL, "LINE",
                        "hardware and Topology= as NodeName= has them, instead of the real ones" },
        { "conf-server", 0, OPTION_TEXT, AT(conf_server), NULL, "HOST[:PORT]",
                        "the controller; no slurm.conf is needed then" },
        { "instance-id", 0, OPTION_TEXT, AT(instance_id), NULL, "TEXT", "for scontrol show node" },
        { "instance-type", 0, OPTION_TEXT, AT(instance_type), NULL, "TEXT",
                        "for scontrol show node" },
        { "extra", 0, OPTION_TEXT, AT(extra), NULL, "TEXT", "for scontrol show node" },
        { "key", 0, OPTION_TEXT, AT(key), NULL, "FILE", "the cluster key" },
        { "spool", 0, OPTION_TEXT, AT(spool), NULL, "DIR", "folder for this node's state" },
        { "socket", 0, OPTION_TEXT, AT(socket), NULL, "PATH", "socket for local users' commands" },
        { "login", 0, OPTION_FLAG, AT(login), NULL, NULL,
                        "serve commands of this host, which is no node and runs no jobs" },
        { "dynamic", 'Z', OPTION_FLAG, AT(dynamic), NULL, NULL,
                        "join as a node that slurm.conf does not name" },
        { "future", 'F', OPTION_CALL_OPTIONAL, AT(future), set_future, "FEATURE",
                        "become a node of State=FUTURE that is like this machine" },
        OPTION_ROWS_HELP('h'),
};
static const struct option_table option_table = {
        .program = "slumberd",
        .about = "The daemon of a node: launches, freezes and ends steps.\n",
        .rows = option_rows,
        .n_rows = ELEMENTSOF(option_rows),
};

/* ---- configuration ---- */

static int agent_read_config(struct agent *a, struct fail *fail) {
        _cleanup_free_ char *path = config_find(a->options.conf);

        if (!path && !a->options.conf_server)
                return fail_set(fail, -ENOENT,
                                "no slurm.conf is to be found; name one by -f, or the controller "
                                "by --conf-server");
        if (!path || (a->options.conf_server && !a->options.conf && access(path, R_OK) < 0))
                return 0;
        return config_read_node(path, &a->config, fail);
}

/* Parses HOST, HOST:PORT or [ADDRESS]:PORT; the caller frees *ret_host. */
static int parse_server(const char *text, char **ret_host, uint16_t *ret_port, struct fail *fail) {
        const char *end = *text == '[' ? strchr(text, ']') : NULL, *colon;
        uint64_t port = DEFAULT_PORT;

        colon = end ? (end[1] == ':' ? end + 1 : NULL) : strrchr(text, ':');
        if (colon && !end && strchr(text, ':') != colon)
                colon = NULL; /* a bare IPv6 address */
        if (colon && uint_parse(colon + 1, 1, UINT16_MAX, &port) < 0)
                return fail_set(fail, -EINVAL, "\"%s\" is not HOST[:PORT]", text);
        *ret_host = end ? xstrndup(text + 1, (size_t)(end - text - 1))
                        : xstrndup(text, colon ? (size_t)(colon - text) : strlen(text));
        *ret_port = (uint16_t)port;
        return 0;
}

static int find_controller(struct agent *a, struct fail *fail) {
        if (a->options.conf_server)
                return parse_server(a->options.conf_server, &a->controller_host,
                                &a->controller_port, fail);
        a->controller_host = xstrdup(a->config->controller_address);
        a->controller_port = a->config->slurmctld_port;
        if (isempty(a->controller_host))
                return fail_set(fail, -EINVAL, "%s names no SlurmctldHost", a->config->path);
        return 0;
}

/* Nodes are not checked here if the controller sends the configuration (--conf-server), or if
   slurm.conf leaves room for dynamic nodes: the controller checks the name. */
static int check_node_name(const struct agent *a, struct fail *fail) {
        if (a->options.dynamic && a->options.future)
                return fail_set(fail, -EINVAL,
                                "-Z and -F: a node is either new or one of State=FUTURE");
        if ((a->options.dynamic || a->options.future) && config_node_name_check(a->node, fail) < 0)
                return -EINVAL;
        if (a->options.future || !a->config || a->options.conf_server)
                return 0;
        bool named = config_has_node(a->config, a->node);
        if (named && a->options.dynamic)
                return fail_set(fail, -EEXIST,
                                "%s has a node %s, and -Z is for nodes that it does not name; name another one by -N",
                                a->config->path, a->node);
        if (named || config_node_limit(a->config) > a->config->n_nodes)
                return 0;
        if (a->options.dynamic)
                return fail_set(fail, -ENOSPC,
                                "%s leaves no room for more nodes: -Z needs a MaxNodeCount above %zu",
                                a->config->path, a->config->n_nodes);
        return fail_set(fail, -ENOENT, "%s has no node %s%s", a->config->path, a->node,
                        a->options.node ? "" : ", which is this host; name another one by -N");
}

static void find_node_name(struct agent *a) {
        char host[HOST_NAME_MAX + 1] = "localhost";

        (void)gethostname(host, sizeof host - 1);
        host[strcspn(host, ".")] = 0;
        a->node = xstrdup(a->options.node ? a->options.node : host);
        a->machine = xstrdup(a->node);
        for (size_t i = 0; !a->options.node && !a->options.future && a->config &&
                           i < a->config->n_nodes;
                        i++) {
                const struct config_node *n = &a->config->nodes[i];

                if (!isempty(n->hostname) && streq(n->hostname, host)) {
                        free_and_strdup(&a->node, n->name);
                        return;
                }
        }
}

static int find_key(struct agent *a, struct fail *fail) {
        _cleanup_free_ char *path =
                        a->options.key ? xstrdup(a->options.key)
                                       : cluster_key_path(a->config ? a->config->site.key_file
                                                                    : NULL);

        return cluster_key_read(path, &a->key, fail);
}

/* Checks the line as slumberctld will. Checks against the configuration are left to slumberctld. */
static int check_dynamic(const char *line, struct fail *fail) {
        struct config_node *nodes = NULL;
        size_t n = 0;
        int r = config_dynamic_parse(NULL, NODE_FROM_AGENT, line, &nodes, &n, fail);

        for (size_t i = 0; i < n; i++)
                config_node_done(&nodes[i]);
        free(nodes);
        return r;
}

static int find_hardware(struct agent *a, struct fail *fail) {
        struct config_node line = { 0 };
        struct config_said said = { 0 };
        int r;

        a->hardware = hardware_new(a->config ? a->config->tmp_fs : NULL);
        if (!a->options.conf_line)
                return 0;
        r = config_parse_node_line(a->options.conf_line, &line, &said, fail);
        if (r < 0)
                return r;
        hardware_apply(a->hardware, &line, &said);
        config_node_done(&line);
        return a->options.dynamic ? check_dynamic(a->options.conf_line, fail) : 0;
}

/* Finds --stepd, slumberstepd beside slumberd in a build folder, or the installed slumberstepd. */
static int find_stepd(struct agent *a, struct fail *fail) {
        char self[PATH_MAX] = "";
        ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
        char *slash = n > 0 ? strrchr(self, '/') : NULL;

        if (a->options.stepd) {
                a->stepd = realpath(a->options.stepd, NULL);
        } else if (slash) {
                snprintf(slash + 1, sizeof self - (size_t)(slash + 1 - self), "slumberstepd");
                a->stepd = xstrdup(access(self, X_OK) == 0 ? self : INSTALLED_STEPD);
        }
        if (!a->stepd || access(a->stepd, X_OK) < 0)
                return fail_set(fail, -ENOENT, "cannot run the step daemon %s: %s",
                                a->options.stepd ? a->options.stepd : INSTALLED_STEPD,
                                strerror(errno));
        return 0;
}

/* Replaces %n by the node's name, %h by the host's name. The caller frees the result. */
static char *expand_spool(const char *pattern, const char *node) {
        char host[HOST_NAME_MAX + 1] = "localhost", *text = NULL;
        size_t size;
        FILE *out = memstream_open(&text, &size);

        (void)gethostname(host, sizeof host - 1);
        host[strcspn(host, ".")] = 0;
        for (const char *p = pattern; *p; p++) {
                const char *value = p[0] != '%'   ? NULL
                                    : p[1] == 'n' ? node
                                    : p[1] == 'h' ? host
                                                  : NULL;

                fprintf(out, "%s%.*s", value ? value : "", value ? 0 : 1, p);
                p += value != NULL;
        }
        memstream_close(out);
        return text;
}

static void agent_set_defaults(struct agent *a) {
        const struct config *c = a->config;

        TAILQ_INIT(&a->clients);
        TAILQ_INIT(&a->commands);
        TAILQ_INIT(&a->commands_dead);
        a->kill_wait = c ? c->kill_wait : KILL_WAIT;
        a->slurmd_timeout = !c                  ? SLURMD_TIMEOUT
                            : c->slurmd_timeout ? c->slurmd_timeout
                                                : USEC_INFINITY;
        a->unkillable_timeout = c && c->unkillable_step_timeout ? c->unkillable_step_timeout
                                                                : UNKILLABLE;
        a->freeze_timeout = c && c->site.freeze_timeout ? c->site.freeze_timeout : FREEZE_TIMEOUT;
        a->heartbeat = c && c->site.heartbeat ? c->site.heartbeat
                                              : MIN(a->slurmd_timeout / 3, HEARTBEAT_LAST);
        a->started = (int64_t)now_boottime();
        a->booted = a->options.boot_now
                                    ? a->started
                                    : a->started - (int64_t)(now_realtime() - hardware_boot_time());
        srandom((unsigned)(now_realtime() ^ (usec_t)getpid()));
}

/* ---- the process ---- */

/* Several clusters may have a node of the same name on one machine, for example in tests. Each has
   a spool folder, whose path makes the group's name unique and keeps the name after a restart. */
static char *group_name(const struct agent *a) {
        uint32_t h = 2166136261u; /* FNV-1a */

        for (const char *p = a->spool; *p; p++)
                h = (h ^ (unsigned char)*p) * 16777619u;
        return xasprintf("%s-%08x", a->node, h);
}

/* CgroupJobIdPaths asks for Slurm's layout of cgroups. */
static const char *cgroup_layout(const struct config *config) {
        const char *layout = config ? config->site.cgroup_layout : "auto";

        return config && streq(layout, "auto") && config->cgroup.job_id_paths ? "slurm" : layout;
}

static int open_groups(struct agent *a, struct fail *fail) {
        _cleanup_free_ char *name = group_name(a);
        struct cg_setup setup = {
                .kind = a->config ? a->config->site.cgroup : NULL,
                .root = a->config ? a->config->site.cgroup_root : NULL,
                .layout = cgroup_layout(a->config),
                .node = name,
                .name = a->node,
                .state_dir = a->spool,
                .holder = a->stepd,
        };
        int r = cg_system_open(&setup, &a->cgroups, fail);

        if (r < 0)
                return r;
        if (*fail->text)
                log_info("Not used: %s", fail->text);
        if (streq(cg_system_kind(a->cgroups), "none"))
                log_warning(0, "No cgroup can be used: jobs are stopped by signals to their "
                               "process trees");
        else
                log_info("Jobs are in %s below %s", cg_system_kind(a->cgroups),
                                cg_system_folder(a->cgroups));
        return 0;
}

/* slumberd must not open slumberctld's socket while slumberctld is down: slumberctld could not open
   the socket again. Returns true if SlurmctldHost is this host. */
static bool controller_is_here(const struct agent *a) {
        const char *name = a->options.conf_server ? a->controller_host
                           : a->config            ? a->config->controller_host
                                                  : NULL;
        char host[HOST_NAME_MAX + 1] = "";
        size_t n;

        (void)gethostname(host, sizeof host - 1);
        n = strcspn(host, ".");
        return name && (streq(name, host) || streq(name, "localhost") ||
                                       (strncmp(name, host, n) == 0 && name[n] == 0));
}

/* Beside slumberctld the folder belongs to SlurmUser, as if made by slumberctld: either daemon may
   be the first. */
static int make_socket_folder(const struct agent *a, const char *path, bool beside,
                struct fail *fail) {
        const struct passwd *pw = beside && geteuid() == 0 && a->config
                                                  ? getpwuid(a->config->slurm_uid)
                                                  : NULL;

        return pw ? wire_make_folder(path, pw->pw_uid, pw->pw_gid, fail)
                  : wire_make_folder(path, geteuid(), getegid(), fail);
}

/* Failing to open the socket of --socket is an error. The socket of slumber.yaml and the default
   socket may be in use by another daemon; without slurm.conf the default may be impossible for a
   plain user. */
static int open_relay(struct agent *a, struct fail *fail) {
        const char *path = a->options.socket;
        bool beside = !path && controller_is_here(a);

        if (!path)
                path = a->config ? a->config->site.socket : WIRE_SOCKET_DEFAULT;
        a->socket = beside ? wire_slumberd_socket(path) : xstrdup(path);
        int r = make_socket_folder(a, a->socket, beside, fail);
        if (r >= 0)
                r = relay_open(a, a->socket, fail);
        if (r < 0 && a->options.login) /* a login host serves local commands only */
                return r;
        if (r == -EADDRINUSE && !a->options.socket) {
                log_info("Local users use another daemon's socket: %s", fail->text);
                return 0;
        }
        if (r < 0 && !a->config && !a->options.socket) {
                log_info("Local users cannot reach the controller: %s", fail->text);
                free(TAKE(a->socket));
                return 0;
        }
        return r;
}

static int on_hangup(sd_event_source *source, const struct signalfd_siginfo *info, void *user) {
        (void)source, (void)info;
        (void)sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%llu",
                        (unsigned long long)now_monotonic());
        log_info("SIGHUP: registering again");
        upstream_reconnect(user);
        (void)sd_notify(0, "READY=1");
        return 0;
}

static int on_rotate(sd_event_source *source, const struct signalfd_siginfo *info, void *user) {
        (void)source, (void)info, (void)user;
        log_reopen();
        return 0;
}

static int add_signals(struct agent *a) {
        static const struct {
                int signal;
                sd_event_signal_handler_t handler; /* NULL: leaves the loop */
        } signals[] = {
                { SIGTERM, NULL },
                { SIGINT, NULL },
                { SIGHUP, on_hangup },
                { SIGUSR2, on_rotate },
        };
        sigset_t set;
        int r = 0;

        sigemptyset(&set);
        sigaddset(&set, SIGCHLD);
        for (size_t i = 0; i < ELEMENTSOF(signals); i++)
                sigaddset(&set, signals[i].signal);
        if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
                return -errno;
        (void)signal(SIGPIPE, SIG_IGN);
        for (size_t i = 0; i < ELEMENTSOF(signals) && r >= 0; i++)
                r = sd_event_add_signal(a->event, NULL, signals[i].signal, signals[i].handler,
                                signals[i].handler ? a : NULL); /* NULL, NULL: exit code 0 */
        return r;
}

static void write_pidfile(struct agent *a) {
        _cleanup_free_ char *path = a->config && !isempty(a->config->slurmd_pid_file)
                                                    ? expand_spool(a->config->slurmd_pid_file,
                                                                      a->node)
                                                    : NULL;
        struct fail fail = { 0 };

        if (pidfile_open(path, geteuid(), &a->pidfile, &fail) < 0)
                log_warning(0, "SlurmdPidFile: %s", fail.text);
        pidfile_write(a->pidfile);
}

static void say_ready(struct agent *a, int ready) {
        write_pidfile(a);
        (void)sd_notifyf(0, "READY=1\nSTATUS=%s %s", a->options.login ? "Login host" : "Node",
                        a->node);
        if (ready >= 0)
                background_ready(ready, log_leave_terminal());
}

/* Paths are made absolute before the spool folder becomes the working folder. */
static int make_absolute(const char **path) {
        if (*path && **path != '/') {
                _cleanup_free_ char *here = getcwd(NULL, 0);

                if (!here)
                        return -errno;
                *path = xasprintf("%s/%s", here, *path);
        }
        return 0;
}

static int open_log(struct agent *a, struct fail *fail) {
        _cleanup_free_ char *path = NULL;
        const char *from = a->options.log;
        int level = a->options.verbose ? LOG_DEBUG : 0, r;

        if (!from && !a->options.foreground && a->config)
                from = a->config->slurmd_log;
        if (!isempty(from))
                path = expand_spool(from, a->node);
        if (!level && a->config && !isempty(a->config->slurmd_debug))
                level = log_level_parse(a->config->slurmd_debug);
        else if (!level)
                level = LOG_INFO;
        r = log_open("slumberd", path, level);
        return r < 0 ? fail_set(fail, r, "cannot open the log %s: %s", path ? path : "",
                                       strerror(-r))
                     : 0;
}

static int agent_configure(struct agent *a, struct fail *fail) {
        int r = login_check(&a->options, fail);

        if (r < 0)
                return r;
        (void)make_absolute(&a->options.conf);
        (void)make_absolute(&a->options.key);
        (void)make_absolute(&a->options.log);
        (void)make_absolute(&a->options.socket);
        (void)make_absolute(&a->options.spool);
        r = agent_read_config(a, fail);
        if (r < 0)
                return r;
        find_node_name(a);
        r = a->options.login ? config_node_name_check(a->node, fail) : check_node_name(a, fail);
        if (r < 0)
                return r;
        agent_set_defaults(a);
        r = find_controller(a, fail);
        if (r >= 0)
                r = find_hardware(a, fail);
        if (r >= 0)
                r = find_key(a, fail);
        if (r >= 0 && !a->options.login)
                r = find_stepd(a, fail);
        if (r >= 0)
                r = open_log(a, fail);
        const char *spool = a->config ? a->config->slurmd_spool_dir : NULL;
        a->spool = a->options.spool ? xstrdup(a->options.spool)
                                    : expand_spool(isempty(spool) ? DEFAULT_SPOOL : spool, a->node);
        return r;
}

static int on_nothing_to_do(sd_event_source *source, void *user) {
        (void)user;
        return spool_make_spare() ? 0 : sd_event_source_set_enabled(source, SD_EVENT_OFF);
}

static int make_spares(struct agent *a) {
        _cleanup_(sd_event_source_unrefp) sd_event_source *source = NULL;
        int r = sd_event_add_defer(a->event, &source, on_nothing_to_do, a);

        if (r >= 0)
                r = sd_event_source_set_priority(source, SD_EVENT_PRIORITY_IDLE);
        if (r >= 0)
                r = sd_event_source_set_enabled(source, SD_EVENT_ON);
        if (r >= 0)
                r = sd_event_source_set_floating(source, true);
        return r;
}

static void on_gpus_known(void *user) {
        upstream_prepared(user);
}

static int agent_set_up(struct agent *a, struct fail *fail) {
        int r;

        r = spool_open(a->spool, &a->lock, fail);
        if (r < 0)
                return r;
        state_seen_read(&a->seen);
        r = sd_event_new(&a->event); /* a default one would look up its thread each round */
        if (r >= 0)
                r = add_signals(a);
        if (r >= 0)
                r = make_spares(a);
        if (r >= 0)
                r = upstream_init(a);
        if (r >= 0)
                r = spare_groups_init(a);
        if (r >= 0)
                r = launches_init(a);
        if (r >= 0)
                r = sd_event_set_watchdog(a->event, true);
        if (r < 0)
                return fail_set(fail, r, "cannot make an event loop: %s", strerror(-r));
        jobs_begin(a);
        a->gpus = gpus_known_new(a->event, on_gpus_known, a);
        r = open_relay(a, fail);
        if (r >= 0 && a->options.login)
                return nodes_listen(a, fail);
        if (r >= 0)
                r = open_groups(a, fail);
        if (r < 0)
                return r;
        r = realtime_take(0);
        if (r < 0)
                log_debug("No priority over jobs: %s", strerror(-r));
        r = bulk_new(a);
        if (r < 0) {
                log_warning(-r, "Commands may wait while much output of steps passes");
                a->bulk = bulk_free(a->bulk);
        }
        r = jobs_adopt(a, fail);
        if (r >= 0)
                r = nodes_listen(a, fail);
        if (r < 0)
                return r;
        return spawner_start(a, fail); /* the spawner tells tasks the relay's socket */
}

static void agent_done(struct agent *a) {
        a->veto = veto_free(a->veto);
        health_done(a);
        bmc_stop_all(a);
        wake_done(a);
        swap_done(a);
        in_band_done(a);
        relay_close(a);
        commands_free(a);
        nodes_done(a);
        spawner_stop(a);
        stepds_done(a);
        upstream_done(a);
        a->bulk = bulk_free(a->bulk);
        launches_done(a);
        while (a->jobs)
                job_forget(a->jobs);
        spare_groups_done(a);
        groups_forget(a);
        if (a->cgroups)
                cg_system_remove(a->cgroups); /* keeps cgroups of remaining jobs */
        cg_system_free(a->cgroups);
        cluster_key_free(a->key);
        config_free(a->config);
        hardware_free(a->hardware);
        features_done(a);
        a->gpus = gpus_known_free(a->gpus);
        sd_event_unref(a->event);
        gres_done(a);
        free(a->node);
        free(a->machine);
        free(a->stepd);
        free(a->socket);
        free(a->spool);
        free(a->controller_host);
        if (a->lock >= 0)
                close(a->lock);
        /* a program waiting for the pid file's removal may start the next slumberd */
        a->pidfile = pidfile_free(a->pidfile);
}

static int print_hardware(struct agent *a) {
        find_node_name(a);
        _cleanup_(hardware_freep) struct hardware *hardware = hardware_new(NULL);
        _cleanup_free_ char *gres = gpus_gres_text();
        hardware_print(hardware, a->node, gres, stdout);
        return 0;
}

/* Connects to the controller after the first health check: a node failing the check is drained
   before a job can start. */
static void agent_begin(struct agent *a) {
        const struct config *c = a->config;

        if (c)
                health_configure(a, &(struct health_wish){ c->health.program, c->health.interval,
                                                    c->health.states, c->health.timeout });
        if (!health_first(a))
                upstream_connect(a);
}

int main(int argc, char **argv) {
        static struct agent agent = { .lock = -1, .spawner = -1, .wake_timer = -1, .swaps = -1 };
        struct agent *a = &agent;
        struct fail fail = { 0 };
        int r, ready = -1;

        standard_streams_open();
        r = options_only(&option_table, argc, argv, &a->options);
        if (r != 0)
                return r < 0;
        if (a->options.print_hardware)
                return print_hardware(a);
        if (a->options.print_gres) {
                gpus_print(stdout);
                return 0;
        }
        r = agent_configure(a, &fail);
        if (r >= 0 && !a->options.foreground)
                r = background_enter(&ready, &fail);
        if (r >= 0)
                r = agent_set_up(a, &fail);
        if (r < 0) {
                fprintf(stderr, "slumberd: error: %s\n", *fail.text ? fail.text : strerror(-r));
                agent_done(a);
                return 1;
        }
        log_info("slumberd %s started for %s %s", SLUMBER_VERSION,
                        a->options.login ? "login host" : "node", a->node);
        if (a->options.login) {
                upstream_connect(a);
        } else {
                wake_watch(a);
                swap_watch(a);
                in_band_start(a);
                agent_begin(a);
        }
        say_ready(a, ready);
        r = sd_event_loop(a->event);
        (void)sd_notify(0, "STOPPING=1");
        plugins_end(a);
        log_info("slumberd ends%s", a->options.login ? "" : "; jobs go on");
        agent_done(a);
        return r < 0;
}
