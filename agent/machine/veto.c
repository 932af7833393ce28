/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reasons against powering off this node: three texts, joined by "; ".
 *
 *   sessions   logind's sessions of class "user" that are not closing, from sd-login, whose monitor
 *              reports changes
 *   locks      logind's "block" inhibitors of shutdown or sleep, queried by D-Bus whenever logind's
 *              properties change
 *   program    veto_program: runs every veto_interval while the node has no job, and when the last
 *              job has ended. Exit status 1 is a veto, with the first line of output as the reason;
 *              0 is no veto; any other status, or running longer than PROGRAM_LIMIT, is logged and
 *              no veto
 *
 * Without logind or a system bus there is no veto; both are looked for again every interval. */
#include "agent/machine/veto.h"

#include "agent/machine/program.h"
#include "lib/log.h"
#include "lib/printable.h"
#include "lib/wordlist.h"

#include <systemd/sd-bus.h>
#include <systemd/sd-login.h>

#define INTERVAL      (30 * USEC_PER_SEC)
#define PROGRAM_LIMIT (10 * USEC_PER_SEC)
#define LINE_MAX_SIZE 160

struct veto {
        sd_event *event;
        struct veto_wish wish;
        char *program; /* copy of wish.program; NULL: none */
        sd_event_source *tick;

        sd_login_monitor *monitor;
        sd_event_source *sessions_changed;
        char *sessions;

        sd_bus *bus;
        sd_bus_slot *asked;
        char *locks;

        struct program *running;
        bool answered;
        char *complaint; /* last warning about the program; NULL: none */
        char *verdict;   /* reason from the program */

        char *text; /* joined reasons; NULL: not known yet */
};

/* ---- joining the reasons ---- */

static void veto_add_voice(char **text, const char *voice) {
        if (!isempty(voice))
                text_add_word(text, "; ", "%s", voice);
}

static void veto_conclude(struct veto *v) {
        _cleanup_free_ char *text = xstrdup("");

        if (v->program && !v->answered)
                return; /* no answer of veto_program yet */
        veto_add_voice(&text, v->sessions);
        veto_add_voice(&text, v->locks);
        veto_add_voice(&text, v->verdict);
        if (v->text && streq(v->text, text))
                return;
        if (*text || !isempty(v->text))
                log_info("%s%s",
                                *text ? "This node must not be switched off: "
                                      : "This node may be switched off",
                                text);
        free(v->text);
        v->text = TAKE(text);
        v->wish.changed(v->text, v->wish.user);
}

/* ---- sessions ---- */

static void describe_session(const char *id, char **text) {
        _cleanup_free_ char *class = NULL, *state = NULL, *host = NULL, *tty = NULL;
        uid_t uid;

        if (sd_session_get_class(id, &class) < 0 || strncmp(class, "user", 4) != 0)
                return;
        if (sd_session_get_state(id, &state) < 0 || streq(state, "closing") ||
                        sd_session_get_uid(id, &uid) < 0)
                return;
        (void)sd_session_get_remote_host(id, &host);
        (void)sd_session_get_tty(id, &tty);
        _cleanup_free_ char *one = xasprintf("session %s of uid %u%s%s", id, (unsigned)uid,
                        host  ? " from "
                        : tty ? " on "
                              : "",
                        host ? host : strempty(tty));
        veto_add_voice(text, one);
}

static int veto_sessions(char **ret) {
        char **list = NULL, *text = xstrdup("");
        int n = sd_get_sessions(&list);

        for (int i = 0; i < n; i++) {
                describe_session(list[i], &text);
                free(list[i]);
        }
        free(list);
        if (n < 0) {
                free(text);
                return n;
        }
        *ret = text;
        return 0;
}

static void look_at_sessions(struct veto *v) {
        char *text = NULL;

        if (veto_sessions(&text) < 0)
                text = NULL;
        free(v->sessions);
        v->sessions = text;
        veto_conclude(v);
}

static int on_sessions(sd_event_source *source, int fd, uint32_t events, void *user) {
        struct veto *v = user;

        (void)source, (void)fd, (void)events;
        (void)sd_login_monitor_flush(v->monitor);
        look_at_sessions(v);
        return 0;
}

static void watch_sessions(struct veto *v) {
        if (v->monitor)
                return;
        if (sd_login_monitor_new("session", &v->monitor) < 0) {
                v->monitor = NULL;
                return;
        }
        int fd = sd_login_monitor_get_fd(v->monitor),
            events = sd_login_monitor_get_events(v->monitor);
        if (fd < 0 || events < 0 ||
                        sd_event_add_io(v->event, &v->sessions_changed, fd, (uint32_t)events,
                                        on_sessions, v) < 0)
                v->monitor = sd_login_monitor_unref(v->monitor);
}

/* ---- locks ---- */

static void describe_locks(sd_bus_message *m, char **text) {
        const char *what, *holder, *why, *mode;
        uint32_t uid, pid;

        if (sd_bus_message_enter_container(m, 'a', "(ssssuu)") < 0)
                return;
        while (sd_bus_message_read(m, "(ssssuu)", &what, &holder, &why, &mode, &uid, &pid) > 0) {
                if (!streq(mode, "block") || (!strstr(what, "shutdown") && !strstr(what, "sleep")))
                        continue;
                _cleanup_free_ char *one = xasprintf("lock of %s%s%s", holder, *why ? ": " : "",
                                why);
                veto_add_voice(text, one);
        }
}

static int on_locks(sd_bus_message *m, void *user, sd_bus_error *error) {
        struct veto *v = user;
        char *text = xstrdup("");

        (void)error;
        if (!sd_bus_message_is_method_error(m, NULL))
                describe_locks(m, &text);
        free(v->locks);
        v->locks = text;
        veto_conclude(v);
        return 0;
}

static void ask_for_locks(struct veto *v) {
        sd_bus_message *m = NULL;
        int r = sd_bus_message_new_method_call(v->bus, &m, "org.freedesktop.login1",
                        "/org/freedesktop/login1", "org.freedesktop.login1.Manager",
                        "ListInhibitors");

        if (r >= 0)
                r = sd_bus_message_set_auto_start(m, 0);
        if (r >= 0) {
                v->asked = sd_bus_slot_unref(v->asked);
                r = sd_bus_call_async(v->bus, &v->asked, m, on_locks, v, 0);
        }
        if (r < 0) /* known locks stay valid; the next tick asks again */
                log_warning(r, "Cannot ask logind for locks of sleep: %m");
        sd_bus_message_unref(m);
}

static int on_properties(sd_bus_message *m, void *user, sd_bus_error *error) {
        (void)m, (void)error;
        ask_for_locks(user);
        return 0;
}

static void veto_drop_bus(struct veto *v) {
        v->asked = sd_bus_slot_unref(v->asked);
        if (v->bus)
                (void)sd_bus_detach_event(v->bus);
        v->bus = sd_bus_close_unref(v->bus);
}

static void watch_locks(struct veto *v) {
        if (v->bus && sd_bus_is_open(v->bus) > 0) {
                ask_for_locks(v);
                return;
        }
        veto_drop_bus(v);
        if (sd_bus_open_system(&v->bus) < 0) {
                v->bus = NULL;
                free(TAKE(v->locks)); /* no logind, no locks */
                return;
        }
        if (sd_bus_attach_event(v->bus, v->event, SD_EVENT_PRIORITY_NORMAL) < 0 ||
                        sd_bus_match_signal_async(v->bus, NULL, "org.freedesktop.login1",
                                        "/org/freedesktop/login1",
                                        "org.freedesktop.DBus.Properties", "PropertiesChanged",
                                        on_properties, NULL, v) < 0) {
                veto_drop_bus(v);
                free(TAKE(v->locks));
                return;
        }
        ask_for_locks(v);
}

/* ---- the site's program ---- */

/* Logs a new complaint once, however often the program runs; NULL: no complaint. Takes
   complaint. */
static void veto_log_complaint(struct veto *v, char *complaint) {
        _cleanup_free_ char *before = v->complaint;

        v->complaint = complaint;
        if (complaint && !(before && streq(before, complaint)))
                log_warning(0, "%s; not taken as a veto", complaint);
}

static void on_program_ended(void *user, char *output, int status, const char *why) {
        struct veto *v = user;
        char shown[LINE_MAX_SIZE + 1];

        v->running = NULL;
        output[MIN(strcspn(output, "\r\n"), (size_t)LINE_MAX_SIZE)] = 0;
        for (char *p = output; *p; p++)
                if ((unsigned char)*p < ' ' || *p == 127)
                        *p = '?';
        printable_copy(shown, sizeof shown, output);
        free(TAKE(v->verdict));
        if (!why && status == 1)
                v->verdict = xstrdup(*shown ? shown : "veto_program");
        veto_log_complaint(v, why ? xasprintf("%s %s", v->program, why) : NULL);
        v->answered = true;
        veto_conclude(v);
}

static void ask_program(struct veto *v) {
        struct fail fail = { 0 };

        if (!v->program || v->running || (v->answered && v->wish.busy(v->wish.user)))
                return;
        _cleanup_free_ char *name = xasprintf("SLURMD_NODENAME=%s", *v->wish.node);
        const struct program_wish w = { v->program, .variables = { name }, .listen = true,
                .alone = true, .last_good = 1, .limit = PROGRAM_LIMIT, .limit_name = "it may",
                .ended = on_program_ended, .user = v };
        v->running = program_start(v->event, &w, &fail);
        if (v->running)
                return;
        veto_log_complaint(v, xasprintf("veto_program: %s", fail.text));
        v->answered = true;
        free(TAKE(v->verdict));
        veto_conclude(v);
}

void veto_idle(struct veto *v) {
        if (v)
                ask_program(v);
}

/* ---- time ---- */

static void veto_check_all(struct veto *v) {
        if (v->wish.logind) {
                watch_sessions(v);
                watch_locks(v);
                look_at_sessions(v);
        }
        ask_program(v);
        veto_conclude(v);
}

static int veto_on_tick(sd_event_source *source, uint64_t t, void *user) {
        struct veto *v = user;

        (void)t;
        veto_check_all(v);
        (void)sd_event_source_set_time_relative(source, v->wish.interval);
        return sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
}

struct veto *veto_free(struct veto *v) {
        if (!v)
                return NULL;
        sd_event_source_disable_unref(v->tick);
        sd_event_source_disable_unref(v->sessions_changed);
        sd_login_monitor_unref(v->monitor);
        veto_drop_bus(v);
        program_free(v->running);
        free(v->program);
        free(v->sessions);
        free(v->locks);
        free(v->verdict);
        free(v->complaint);
        free(v->text);
        free(v);
        return NULL;
}

const char *veto_text(const struct veto *v) {
        return v ? v->text : NULL;
}

void veto_configure(struct veto **v, sd_event *event, const struct veto_wish *w) {
        const char *program = isempty(w->program) ? NULL : w->program;
        usec_t interval = w->interval ? w->interval : INTERVAL;
        struct veto *n = *v;

        if (n && n->wish.logind == w->logind && n->wish.interval == interval &&
                        streq(strempty(n->program), strempty(program)))
                return;
        veto_free(n);
        n = *v = xnew0(struct veto, 1);
        *n = (struct veto){ .event = event,
                .wish = *w,
                .program = program ? xstrdup(program) : NULL };
        n->wish.interval = interval;
        n->wish.program = n->program;
        if (sd_event_add_time_relative(event, &n->tick, CLOCK_MONOTONIC, interval,
                            USEC_PER_SEC / 10, veto_on_tick, n) < 0)
                log_error(0, "Sessions, locks and veto_program cannot be watched: nothing keeps this node from being switched off");
        veto_check_all(n);
}
