/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The worker of slumberctld, a child process, serves one request after the other. Before each
 * request the worker checks whether the script has changed; a newer version with an error leaves
 * the previous version in force. */
#include "submit/job_submit.h"

#include "lib/wire.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <syslog.h>

/* Identifies the version of the script's file read last, with or without errors. */
struct version {
        dev_t dev;
        ino_t ino;
        off_t size;
        struct timespec changed;
};

struct worker {
        struct wire *wire;
        char *path;
        struct script *script; /* version in force; NULL: no version without errors yet */
        struct version version;
        struct fail broken;         /* why the newest version is not in force; "": no error */
        ProtobufCBinaryData loaded; /* owned: text of a version in force since the last answer */
};

/* Returns whether the file has changed since the last call. */
static bool has_changed(struct worker *w) {
        struct stat st = { 0 };

        (void)stat(w->path, &st);
        struct version v = { st.st_dev, st.st_ino, st.st_size, st.st_ctim };
        bool same = v.dev == w->version.dev && v.ino == w->version.ino &&
                    v.size == w->version.size && v.changed.tv_sec == w->version.changed.tv_sec &&
                    v.changed.tv_nsec == w->version.changed.tv_nsec;

        w->version = v;
        return !same;
}

static void look_at_script(struct worker *w, struct script_said *said) {
        _cleanup_free_ char *text = NULL;
        struct script *fresh = NULL;
        size_t size = 0;

        if (!has_changed(w))
                return;
        w->broken = (struct fail){ 0 };
        int r = script_read(w->path, 0, &text, &size, &w->broken);
        if (r >= 0)
                r = script_load(&job_submit_script, w->path, text, size, said, &fresh, &w->broken);
        if (r < 0) {
                script_say_log(said, LOG_ERR, "%s%s", w->broken.text,
                                w->script ? "; the version before stays in force" : "");
                return;
        }
        script_free(w->script);
        w->script = fresh;
        free(w->loaded.data);
        w->loaded = (ProtobufCBinaryData){ size, (uint8_t *)TAKE(text) };
}

static int worker_answer(struct worker *w, Envelope *request) {
        Slumber__RuleReply m = SLUMBER__RULE_REPLY__INIT;
        _cleanup_(script_said_done) struct script_said said = { 0 };
        struct fail fail = { 0 };

        look_at_script(w, &said);
        if (w->script)
                job_submit_call(w->script, request->rule_request, &said, &m, &fail);
        else
                m.failure = w->broken.text;
        m.log = said.lines;
        m.n_log = said.n_lines;
        m.text = w->loaded;
        ENVELOPE(env, RULE_REPLY, rule_reply, &m);
        env.reply_to = request->id;
        int r = wire_send(w->wire, &env);
        free(w->loaded.data);
        w->loaded = (ProtobufCBinaryData){ 0 };
        return r;
}

/* Loads the last good version, sent by the controller, until the file is read. */
static int worker_begin(struct worker *w) {
        _cleanup_envelope_ Envelope *env = NULL;
        _cleanup_(script_said_done) struct script_said said = { 0 };
        int r = wire_receive(w->wire, USEC_INFINITY, &env);

        if (r < 0 || env->body_case != SLUMBER__ENVELOPE__BODY_RULE_SCRIPT)
                return -EBADMSG;
        const Slumber__RuleScript *m = env->rule_script;
        struct fail fail = { 0 };
        w->path = xstrdup(m->path);
        if (m->text.len)
                (void)script_load(&job_submit_script, m->path, (const char *)m->text.data,
                                m->text.len, &said, &w->script, &fail);
        return 0;
}

int submit_worker(int fd) {
        /* Programs started by the script must not inherit the socket */
        int own = fcntl(fd, F_DUPFD_CLOEXEC, 3), null = open("/dev/null", O_RDWR | O_CLOEXEC);
        struct worker w = { 0 };

        if (own < 0 || null < 0 || dup2(null, fd) < 0)
                return EXIT_FAILURE;
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        w.wire = wire_new(own);
        int r = worker_begin(&w);
        while (r >= 0) {
                _cleanup_envelope_ Envelope *env = NULL;
                r = wire_receive(w.wire, USEC_INFINITY, &env);
                if (r >= 0)
                        r = env->body_case == SLUMBER__ENVELOPE__BODY_RULE_REQUEST
                                            ? worker_answer(&w, env)
                                            : -EBADMSG;
        }
        script_free(w.script);
        wire_free(w.wire);
        free(w.path);
        return r == -ECONNRESET ? EXIT_SUCCESS : EXIT_FAILURE;
}
