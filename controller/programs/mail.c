/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mail about jobs (--mail-type): MailProg runs once per mail, with a subject and an address.
 *
 * A few programs run at once and further mails wait, so that the end of ten thousand jobs starts no
 * storm of processes; a hanging program is ended and blocks only a share.  Nothing waits for mail,
 * and mail is not stored: a controller killed while mailing about an end does not repeat the mail.
 *
 * Subject and address contain users' words, so MailProg runs without privileges: as nobody, if the
 * controller is root.  The address has passed mail_user_fault(), which is repeated here because the
 * state may come from an earlier version; the address follows "--" for programs known to support
 * "--". */
#include "controller/programs/mail.h"

#include "controller/loop/controller.h"

#include "controller/indexes/array.h"
#include "controller/loop/wall_clock.h"
#include "controller/programs/mail_environment.h"
#include "controller/programs/program.h"
#include "controller/records/hook_env.h"
#include "lib/files/lines.h"
#include "lib/log.h"
#include "lib/mailtype.h"
#include "lib/printable.h"
#include "lib/timetext.h"

#include <pwd.h>
#include <sys/wait.h>

#define AT_ONCE     8     /* maximum number of programs */
#define WAITING_MAX 10000 /* mails; more are dropped */
#define OVERFLOW_ID 65534 /* nobody, if no account has the name */
#define PATIENCE    (30 * USEC_PER_SEC)

/* The event of a job that a mail reports. */
struct mail_facts {
        const char *type;                   /* "Began", "Ended", "Failed", "Requeued" */
        const char *queued_time, *run_time; /* "00:01:02"; NULL: not reported */
        bool ended;
        int least, most; /* exit codes: the range of an array, else both the job's */
        bool range;      /* of an array */
};

struct mail {
        char *user, *subject;
        struct environment *environment;
        struct mails *of;
        struct program *program; /* NULL: waiting */
        struct mail *next;
};

struct mails {
        struct controller *ctl;
        struct mail *first, *last; /* waiting mails */
        size_t waiting, running;
        struct mail *active[AT_ONCE];
        bool said; /* a failure of MailProg has been logged */
        uid_t uid; /* user and group of MailProg */
        gid_t gid;
};

static void mail_free(struct mail *m) {
        free(m->user);
        free(m->subject);
        environment_free(m->environment);
        free(m);
}

static void mails_start_some(struct mails *mails);

/* MailProg has ended, or could not be started. */
static void mail_drop(struct mails *mails, struct mail *m) {
        for (size_t i = 0; i < AT_ONCE; i++)
                if (mails->active[i] == m)
                        mails->active[i] = NULL;
        mails->running--;
        mail_free(m);
}

static void mail_on_ended(pid_t pid, int status, bool timed_out, const char *said, void *user) {
        struct mail *m = user;
        struct mails *mails = m->of;

        (void)pid;
        if (timed_out)
                log_warning(0, "MailProg ran longer than %u s and was ended (%s)",
                                (unsigned)(PATIENCE / USEC_PER_SEC), m->subject);
        else if (status && !mails->said)
                log_warning(0, "MailProg failed with status %d (%s)%s%s", status, m->subject,
                                *said ? ": " : "", said);
        mails->said = status != 0;
        mail_drop(mails, m);
        mails_start_some(mails);
}

/* Returns whether the program, also behind links (/bin/mail), is known to end options with "--".  A
   site's script expects the address as third argument, as in Slurm. */
static bool ends_options(const char *path) {
        _cleanup_free_ char *real = realpath(path, NULL);

        return real &&
               word_in(strrchr(real, '/') + 1, "mail|mailx|nail|s-nail|bsd-mailx|heirloom-mailx|"
                                               "mail.mailutils|mutt");
}

/* m is already in mails->active and must not be used afterwards: the program may have ended. */
static int mail_start(struct mails *mails, struct mail *m, struct fail *fail) {
        const struct config *config = mails->ctl->cluster->config;
        const char *plain[] = { "-s", m->subject, m->user, NULL },
                   *behind[] = { "-s", m->subject, "--", m->user, NULL };
        struct program_request req = {
                .path = config->mail_prog,
                .argv = ends_options(config->mail_prog) ? behind : plain,
                .slurm_conf = config->path,
                .environment = environment_vector(m->environment),
                .uid = mails->uid,
                .gid = mails->gid,
                .timeout = PATIENCE,
        };

        for (size_t i = 0; i < AT_ONCE; i++)
                if (!mails->active[i]) {
                        mails->active[i] = m;
                        break;
                }
        mails->running++;
        return program_start(mails->ctl->event, &req, mail_on_ended, m, &m->program, fail);
}

static void mails_start_some(struct mails *mails) {
        while (mails->first && mails->running < AT_ONCE) {
                struct mail *m = mails->first;
                struct fail fail = { 0 };

                mails->first = m->next;
                mails->last = mails->first ? mails->last : NULL;
                mails->waiting--;
                if (mail_start(mails, m, &fail) >= 0)
                        continue;
                if (!mails->said)
                        log_warning(0, "MailProg: %s", fail.text);
                mails->said = true;
                mail_drop(mails, m);
        }
}

static void add_end(struct environment *e, const struct job *j, const struct mail_facts *facts) {
        hook_env_end(e, j);
        environment_set(e, "SLURM_JOB_EXIT_CODE_MAX", "%d", facts->most);
        if (facts->range)
                environment_set(e, "SLURM_JOB_EXIT_CODE_MIN", "%d", facts->least);
}

static struct environment *environment_of(const struct controller *ctl, const struct job *j,
                const struct mail_facts *facts) {
        struct environment *e = mail_environment(ctl->cluster, j, facts->type);

        if (facts->queued_time)
                environment_set(e, "SLURM_JOB_QUEUED_TIME", "%s", facts->queued_time);
        if (facts->run_time)
                environment_set(e, "SLURM_JOB_RUN_TIME", "%s", facts->run_time);
        if (facts->ended)
                add_end(e, j, facts);
        return e;
}

void mails_start(struct controller *ctl) {
        const struct passwd *nobody = getpwnam("nobody");
        struct mails *mails = ctl->mails = xnew0(struct mails, 1);

        mails->ctl = ctl;
        mails->uid = geteuid() != 0 ? geteuid() : nobody ? nobody->pw_uid : OVERFLOW_ID;
        mails->gid = geteuid() != 0 ? getegid() : nobody ? nobody->pw_gid : OVERFLOW_ID;
}

static char *mail_recipient(const struct controller *ctl, const struct job *j) {
        return isempty(j->asked.mail_user)
                               ? mail_user_default(j->user, ctl->cluster->config->mail_domain)
                               : xstrdup(j->asked.mail_user);
}

static void mail_post(struct controller *ctl, const struct job *j, const struct mail_facts *facts,
                char *subject) {
        struct mails *mails = ctl->mails;
        struct mail *m = xnew0(struct mail, 1);

        m->of = mails;
        m->user = mail_recipient(ctl, j);
        m->subject = subject;
        printable_clean(m->subject);
        m->environment = environment_of(ctl, j, facts);
        if (mail_user_fault(m->user)) {
                log_warning_folded("No mail to \"%s\", which is no address: %s", m->user, subject);
                mail_free(m);
                return;
        }
        if (mails->waiting >= WAITING_MAX) {
                log_warning_folded("%d mails wait for MailProg, dropped: %s", WAITING_MAX, subject);
                mail_free(m);
                return;
        }
        if (mails->last)
                mails->last->next = m;
        else
                mails->first = m;
        mails->last = m;
        mails->waiting++;
        mails_start_some(mails);
}

void mails_free(struct controller *ctl) {
        struct mails *mails = ctl->mails;

        if (!mails)
                return;
        for (size_t i = 0; i < AT_ONCE; i++)
                if (mails->active[i]) { /* the program continues */
                        program_detach(mails->active[i]->program);
                        mail_free(mails->active[i]);
                }
        while (mails->first) {
                struct mail *m = mails->first;
                mails->first = m->next;
                mail_free(m);
        }
        free(TAKE(ctl->mails));
}

/* ---- subjects ---- */

static char *subject_job(const struct job *j, bool summary) {
        const char *name = strempty(j->asked.name);

        if (!j->array)
                return xasprintf("Slurm Job_id=%u Name=%s", j->id, name);
        if (summary)
                return xasprintf("Slurm Array Summary Job_id=%u_* (%u) Name=%s", j->array->id,
                                j->array->id, name);
        return xasprintf("Slurm Array Task Job_id=%u_%u (%u) Name=%s", j->array->id, j->array_task,
                        j->id, name);
}

static char *how_it_ended(const struct job *j) {
        const char *state = job_state_text(j->state);

        if (WIFSIGNALED(j->running.exit_code))
                return xasprintf("%s", state);
        return xasprintf("%s, ExitCode %d", state, WEXITSTATUS(j->running.exit_code));
}

/* Finds the best and worst exit code of an array's tasks. */
static char *how_all_ended(const struct array *a, struct mail_facts *facts, bool *ret_failed) {
        bool failed = a->failed;

        facts->range = true;
        facts->least = 255;
        facts->most = 0;
        for (size_t i = 0; i < a->n_tasks; i++) {
                int code = WEXITSTATUS(a->tasks[i]->running.exit_code);
                facts->least = MIN(facts->least, code);
                facts->most = MAX(facts->most, code);
                failed |= a->tasks[i]->state != JOB_COMPLETED;
        }
        facts->least = MIN(facts->least, facts->most);
        *ret_failed = failed;
        return xasprintf("%s, ExitCode [%d-%d]", failed ? "Mixed" : "COMPLETED", facts->least,
                        facts->most);
}

/* Several tasks may end in a turn: the last task sends the mail for the array. */
static bool is_last(const struct job *j) {
        if (!array_is_over(j->array))
                return false;
        for (size_t i = 0; i < j->array->n_tasks; i++) {
                const struct job *o = j->array->tasks[i];
                if (o->running.end_time > j->running.end_time ||
                                (o->running.end_time == j->running.end_time &&
                                                o->array_task > j->array_task))
                        return false;
        }
        return true;
}

static void tell_begin(struct controller *ctl, const struct job *j, bool summary) {
        struct mail_facts facts = { .type = "Began" };
        _cleanup_free_ char *job = NULL;
        char waited[TIMETEXT_MAX];

        if (!(j->asked.mail_type & MAIL_BEGIN) || (summary && j->array_task != j->array->min))
                return;
        job = subject_job(j, summary);
        duration_text(j->running.start_time > j->submit_time
                                        ? j->running.start_time - j->submit_time
                                        : 0,
                        waited);
        facts.queued_time = summary ? NULL : waited;
        mail_post(ctl, j, &facts,
                        summary ? xasprintf("%s Began", job)
                                : xasprintf("%s Began, Queued time %s", job, waited));
}

static void tell_requeued(struct controller *ctl, const struct job *j) {
        struct mail_facts facts = { .type = "Requeued" };
        _cleanup_free_ char *job = subject_job(j, false);
        char ran[TIMETEXT_MAX];

        if (!(j->asked.mail_type & MAIL_REQUEUE))
                return;
        duration_text(j->running.start_time && controller_now(ctl) > j->running.start_time
                                        ? controller_now(ctl) - j->running.start_time
                                        : 0,
                        ran);
        facts.run_time = ran;
        mail_post(ctl, j, &facts, xasprintf("%s Requeued, Run time %s", job, ran));
}

/* Like Slurm: a failure is mailed as MAIL_FAIL, or as MAIL_END if MAIL_FAIL was not asked for. */
static void mail_send_end(struct controller *ctl, const struct job *j, bool summary) {
        bool failed = j->state != JOB_COMPLETED && j->state != JOB_CANCELLED;
        struct mail_facts facts = { .ended = true, .most = WEXITSTATUS(j->running.exit_code) };
        _cleanup_free_ char *job = NULL, *how = NULL;
        char ran[TIMETEXT_MAX];

        if (summary && !is_last(j))
                return;
        how = summary ? how_all_ended(j->array, &facts, &failed) : how_it_ended(j);
        bool as_failure = failed && j->asked.mail_type & MAIL_FAIL;
        if (!as_failure && !(j->asked.mail_type & MAIL_END))
                return;
        job = subject_job(j, summary);
        duration_text(j->running.ran_before, ran);
        facts.type = as_failure ? "Failed" : "Ended";
        facts.run_time = ran;
        if (summary)
                mail_post(ctl, j, &facts, xasprintf("%s %s, %s", job, facts.type, how));
        else
                mail_post(ctl, j, &facts,
                                xasprintf("%s %s, Run time %s, %s", job, facts.type, ran, how));
}

/* Mails of these types are about each array task, not about the array as a whole. */
void mail_reached(struct controller *ctl, const struct job *j, uint32_t type) {
        static const struct {
                uint32_t type;
                const char *words;
        } rows[] = {
                { MAIL_INVALID_DEPEND, "Invalid dependency" },
                { MAIL_TIME_LIMIT_50, "Reached 50% of time limit" },
                { MAIL_TIME_LIMIT_80, "Reached 80% of time limit" },
                { MAIL_TIME_LIMIT_90, "Reached 90% of time limit" },
                { MAIL_TIME_LIMIT, "Reached time limit" },
        };
        size_t i = 0;

        while (i < ELEMENTSOF(rows) && rows[i].type != type)
                i++;
        if (i == ELEMENTSOF(rows) || !(j->asked.mail_type & type))
                return;
        struct mail_facts facts = { .type = rows[i].words };
        _cleanup_free_ char *job = subject_job(j, j->array && job_is_rest(j));
        if (type == MAIL_INVALID_DEPEND) {
                mail_post(ctl, j, &facts, xasprintf("%s %s", job, facts.type));
                return;
        }
        char ran[TIMETEXT_MAX];
        duration_text(job_run_time(j, controller_now(ctl)), ran);
        facts.run_time = ran;
        mail_post(ctl, j, &facts, xasprintf("%s %s, Run time %s", job, facts.type, ran));
}

void mail_tell(struct controller *ctl, enum effect_kind kind, const struct job *j) {
        bool summary = j->array && !(j->asked.mail_type & MAIL_ARRAY_TASKS);

        if (!j->asked.mail_type || (j->array && job_is_rest(j)))
                return;
        if (kind == FX_READY)
                tell_begin(ctl, j, summary);
        else if (kind == FX_ENDED && !job_is_finished(j))
                tell_requeued(ctl, j);
        else if (kind == FX_ENDED) {
                if (j->state == JOB_TIMEOUT)
                        mail_reached(ctl, j, MAIL_TIME_LIMIT);
                mail_send_end(ctl, j, summary);
        }
}
