/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pam_slumber_adopt.so: only users with a job on the node may log in, and sessions become part of
 * the job.
 *
 * An account and session module of sshd. The account line may run in a child of the process from
 * which the session descends (keyboard-interactive authentication); the shared connection
 * identifies the parent. The session line never runs in such a child, and does the work of the
 * account line if not yet done. The module asks the host's slumberd over a Unix socket; slumberd
 * identifies and moves the process by the kernel's credentials (agent/users/adopt.c). root is let
 * in. Undecidable cases are denied. */
#include "lib/errors.h"
#include "lib/wire.h"
#include "pam/adopt_options.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <pwd.h>
#include <sched.h>
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <security/pam_modutil.h>
#include <stdarg.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <syslog.h>

#define PATIENCE    (10 * USEC_PER_SEC) /* maximum wait for slumberd */
#define SOCKETS_MAX 256                 /* descriptors searched for the connection */

struct session {
        pam_handle_t *pam;
        struct adopt_options options;
        const char *user;
        uid_t uid;
};

static void session_log(const struct session *s, int level, const char *format, ...) _printf_(3, 4);
static void session_log(const struct session *s, int level, const char *format, ...) {
        va_list ap;

        if (level > s->options.log_level)
                return;
        va_start(ap, format);
        pam_vsyslog(s->pam, LOG_AUTHPRIV | level, format, ap);
        va_end(ap);
}

static void tell_user(const struct session *s, const char *text) {
        (void)pam_error(s->pam, "Access denied by pam_slumber_adopt: %s", text);
}

/* Logs and returns the result of an action. */
static int adopt_act(const struct session *s, enum adopt_action action, const char *why) {
        static const struct {
                int result;
                const char *text;
        } rows[] = {
                [ADOPT_DENY] = { PAM_PERM_DENIED, "denied" },
                [ADOPT_ALLOW] = { PAM_SUCCESS, "let in" },
                [ADOPT_IGNORE] = { PAM_IGNORE, "left to other modules" },
                [ADOPT_NEWEST] = { PAM_PERM_DENIED, "denied" },
        };

        session_log(s, rows[action].result == PAM_PERM_DENIED ? LOG_ERR : LOG_INFO,
                        "user %s: %s; %s", s->user, why, rows[action].text);
        if (rows[action].result == PAM_PERM_DENIED)
                tell_user(s, why);
        return rows[action].result;
}

/* ---- the connection ---- */

struct end {
        char address[INET6_ADDRSTRLEN];
        uint16_t port;
};

static bool connection_end_read(const struct sockaddr_storage *a, struct end *ret) {
        const struct sockaddr_in *four = (const struct sockaddr_in *)a;
        const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)a;
        bool v6 = a->ss_family == AF_INET6;

        if (!v6 && a->ss_family != AF_INET)
                return false;
        ret->port = ntohs(v6 ? six->sin6_port : four->sin_port);
        return inet_ntop(a->ss_family, v6 ? (const void *)&six->sin6_addr : &four->sin_addr,
                               ret->address, sizeof ret->address) != NULL;
}

/* Returns the first socket connected to another host, or by TCP to the local host; -1: none. */
static int find_connection(struct end *from, struct end *to) {
        for (int fd = 0; fd < SOCKETS_MAX; fd++) {
                struct sockaddr_storage peer, own;
                socklen_t peer_size = sizeof peer, own_size = sizeof own;

                if (getpeername(fd, (struct sockaddr *)&peer, &peer_size) >= 0 &&
                                getsockname(fd, (struct sockaddr *)&own, &own_size) >= 0 &&
                                connection_end_read(&peer, from) && connection_end_read(&own, to))
                        return fd;
        }
        return -1;
}

/* Returns the parent process if the parent has the connection open, too: the session then descends
   from the parent. A listening parent does not have the connection open. 0: the session descends
   from the calling process. */
static pid_t parent_with_connection(int connection) {
        char path[64], wanted[64], found[64];
        pid_t parent = getppid();
        struct dirent *d;
        struct stat st;
        bool has = false;

        if (parent <= 1 || fstat(connection, &st) < 0)
                return 0;
        snprintf(path, sizeof path, "/proc/%d/fd", (int)parent);
        snprintf(wanted, sizeof wanted, "socket:[%llu]", (unsigned long long)st.st_ino);
        DIR *dir = opendir(path);
        while (dir && !has && (d = readdir(dir))) {
                ssize_t n = readlinkat(dirfd(dir), d->d_name, found, sizeof found - 1);
                found[MAX(n, 0)] = 0;
                has = streq(found, wanted);
        }
        if (dir)
                closedir(dir);
        return has ? parent : 0;
}

/* ---- slumberd ---- */

/* Checks that slumberd runs as root: the socket's folder may belong to another user
   (slumberctld's). */
static int check_peer(int fd, const char *path, struct fail *fail) {
        struct ucred peer;
        socklen_t size = sizeof peer;

        if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
                return fail_set(fail, -errno, "what serves %s is not known: %s", path,
                                strerror(errno));
        if (peer.uid != 0)
                return fail_set(fail, -EPERM, "%s is served by user %u, not by root's slumberd",
                                path, (unsigned)peer.uid);
        return 0;
}

static int slumberd_connect(const char *path, struct wire **ret, struct fail *fail) {
        const struct timeval patience = { .tv_sec = PATIENCE / USEC_PER_SEC };
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        _cleanup_close_ int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

        if (strlen(path) >= sizeof address.sun_path)
                return fail_set(fail, -ENAMETOOLONG, "socket=%s is longer than %zu bytes", path,
                                sizeof address.sun_path - 1);
        strcpy(address.sun_path, path);
        /* also limits connect() and write() */
        if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) < 0)
                return fail_set(fail, -errno, "cannot make a socket: %s", strerror(errno));
        if (connect(fd, (struct sockaddr *)&address, sizeof address) < 0)
                return fail_set(fail, -errno, "%s: %s; is slumberd running on this host?", path,
                                strerror(errno));
        int r = check_peer(fd, path, fail);
        if (r >= 0)
                *ret = wire_new(TAKE_FD(fd));
        return r;
}

/* Returns slumberd's socket: beside slumberctld's default socket if present, else the default. */
static char *find_socket(const struct session *s) {
        _cleanup_free_ char *beside = wire_slumberd_socket(WIRE_SOCKET_DEFAULT);

        if (s->options.socket)
                return xstrdup(s->options.socket);
        return access(beside, F_OK) == 0 ? TAKE(beside) : xstrdup(WIRE_SOCKET_DEFAULT);
}

static int adopt_query_send(const struct session *s, Envelope **ret, struct fail *fail) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        Slumber__AdoptQuery m = SLUMBER__ADOPT_QUERY__INIT;
        struct end from, to;
        _cleanup_free_ char *socket = find_socket(s);
        int r = slumberd_connect(socket, &w, fail);

        if (r < 0)
                return r;
        m.uid = s->uid;
        m.newest = s->options.unknown == ADOPT_NEWEST;
        int connection = find_connection(&from, &to);
        if (connection >= 0) {
                m.parent = (uint32_t)parent_with_connection(connection);
                m.from = from.address;
                m.from_port = from.port;
                m.to = to.address;
                m.to_port = to.port;
        }
        ENVELOPE(env, ADOPT_QUERY, adopt_query, &m);
        env.id = 1;
        r = wire_send(w, &env);
        if (r >= 0)
                r = wire_receive(w, PATIENCE, ret);
        if (r < 0)
                return fail_set(fail, r, "slumberd does not answer by %s: %s", socket,
                                wire_strerror(r));
        if ((*ret)->body_case == SLUMBER__ENVELOPE__BODY_ADOPT_REPLY)
                return 0;
        return fail_set(fail, -EPROTO, "what answers by %s is no slumberd that knows this module",
                        socket);
}

/* Moves the calling process, and thus the session, into the mount namespace of the job. */
static int join_container(const struct session *s, const Slumber__AdoptReply *m) {
        if (!s->options.join_container || isempty(m->container))
                return 0;
        _cleanup_close_ int fd = open(m->container, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        return fd < 0 || setns(fd, CLONE_NEWNS) < 0 ? -errno : 0;
}

/* Sets DISPLAY to the job's X11; sshd's own DISPLAY of ssh -X is set later and overrides it. */
static void set_display(const struct session *s, const Slumber__AdoptReply *m) {
        if (s->options.no_x11 || isempty(m->display))
                return;
        _cleanup_free_ char *display = xasprintf("DISPLAY=%s", m->display),
                            *authority = xasprintf("XAUTHORITY=%s", m->xauthority);
        if (pam_putenv(s->pam, display) != PAM_SUCCESS ||
                        pam_putenv(s->pam, authority) != PAM_SUCCESS)
                session_log(s, LOG_ERR, "user %s: DISPLAY of job %u cannot be set", s->user,
                                m->job);
}

/* PAM data: the calling process is in the job. Children may inherit the data; the parent has
   none. */
#define MOVED "slumber_adopt_moved"

static void moved_pid_free(pam_handle_t *pam, void *data, int status) {
        (void)pam, (void)status;
        free(data);
}

static void session_note_moved(const struct session *s) {
        pid_t *pid = xnew(pid_t, 1);

        *pid = getpid();
        if (pam_set_data(s->pam, MOVED, pid, moved_pid_free) != PAM_SUCCESS)
                free(pid);
}

static bool session_is_moved(const struct session *s) {
        const void *pid = NULL;

        return pam_get_data(s->pam, MOVED, &pid) == PAM_SUCCESS && pid &&
               *(const pid_t *)pid == getpid();
}

static int adopt_reply_judge(const struct session *s, const Slumber__AdoptReply *m) {
        const struct adopt_options *o = &s->options;
        _cleanup_free_ char *text = NULL;
        int r;

        if (o->nodename && strcasecmp(o->nodename, m->node) != 0) {
                text = xasprintf("slumberd is of node %.64s, and nodename=%.64s", m->node,
                                o->nodename);
                return adopt_act(s, o->generic_failure, text);
        }
        switch ((int)m->outcome) {
        case SLUMBER__ADOPT_REPLY__OUTCOME__ADOPTED:
                r = join_container(s, m);
                if (r < 0) {
                        text = xasprintf("the private folders of job %u cannot be joined: %s",
                                        m->job, strerror(-r));
                        return adopt_act(s, o->adopt_failure, text);
                }
                session_log(s, LOG_INFO, "user %s: in job %u", s->user, m->job);
                set_display(s, m);
                session_note_moved(s);
                return PAM_SUCCESS;
        case SLUMBER__ADOPT_REPLY__OUTCOME__NO_JOBS:
                return adopt_act(s, o->no_jobs, "you have no active jobs on this node");
        case SLUMBER__ADOPT_REPLY__OUTCOME__UNKNOWN:
                return adopt_act(s, o->unknown,
                                "which of your jobs the connection is from is not known");
        default:
                return adopt_act(s, o->adopt_failure, m->text);
        }
}

/* ---- PAM ---- */

static int find_user(struct session *s) {
        const char *service = NULL;

        (void)pam_get_item(s->pam, PAM_SERVICE, (const void **)&service);
        if (!streq(s->options.service, "*") && !streq(strempty(service), s->options.service))
                return PAM_IGNORE;
        if (pam_get_user(s->pam, &s->user, NULL) != PAM_SUCCESS || isempty(s->user)) {
                session_log(s, LOG_ERR, "the session has no user; denied");
                return PAM_USER_UNKNOWN;
        }
        const struct passwd *p = pam_modutil_getpwnam(s->pam, s->user);
        if (!p) {
                session_log(s, LOG_ERR, "there is no user %.100s; denied", s->user);
                return PAM_USER_UNKNOWN;
        }
        s->uid = p->pw_uid;
        return s->uid == 0 ? PAM_IGNORE : PAM_SUCCESS;
}

static int adopt_decide(pam_handle_t *pam, int argc, const char **argv) {
        struct session s = { .pam = pam, .options = { .log_level = LOG_ERR } };
        _cleanup_envelope_ Envelope *reply = NULL;
        struct fail fail = { 0 };

        if (adopt_options_parse(argc, argv, &s.options, &fail) < 0) {
                s.options.log_level = LOG_ERR;
                session_log(&s, LOG_ERR, "%s; denied", fail.text);
                return PAM_SERVICE_ERR;
        }
        int r = find_user(&s);
        if (r != PAM_SUCCESS)
                return r;
        if (session_is_moved(&s))
                return PAM_SUCCESS;
        if (adopt_query_send(&s, &reply, &fail) < 0)
                return adopt_act(&s, s.options.generic_failure, fail.text);
        return adopt_reply_judge(&s, reply->adopt_reply);
}

PAM_EXTERN int pam_sm_acct_mgmt(pam_handle_t *pam, int flags, int argc, const char **argv) {
        (void)flags;
        return adopt_decide(pam, argc, argv);
}

PAM_EXTERN int pam_sm_open_session(pam_handle_t *pam, int flags, int argc, const char **argv) {
        (void)flags;
        return adopt_decide(pam, argc, argv);
}

/* No-op: the session ends with its job. */
PAM_EXTERN int pam_sm_close_session(pam_handle_t *pam, int flags, int argc, const char **argv) {
        (void)pam, (void)flags, (void)argc, (void)argv;
        return PAM_SUCCESS;
}
