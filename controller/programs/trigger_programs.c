/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/programs/trigger_programs.h"

#include "controller/orders/triggers.h"
#include "controller/programs/program.h"
#include "lib/log.h"
#include "lib/process.h"
#include "lib/wordlist.h"

#include <dirent.h>
#include <sys/wait.h>

#define AT_ONCE  16                   /* maximum number of programs */
#define OF_USERS 12                   /* maximum for users except root and SlurmUser */
#define OF_USER  4                    /* maximum for each of these users */
#define PATIENCE (300 * USEC_PER_SEC) /* time limit of a program, as in Slurm */
/* A program that could not be started for lack of memory, processes or room is started again. */
#define STARTS_MAX  10
#define START_AGAIN (30 * USEC_PER_SEC)
#define MARK        "trigger." /* followed by the serial: the file's name */
#define PATH        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

struct trigger_run { /* a program that runs, or waits */
        struct controller *ctl;
        uint64_t serial;
        uint32_t id;
        uid_t uid;
        bool runs;
        unsigned starts;        /* failed starts */
        sd_event_source *again; /* the next start; NULL: at once */
        struct program *program;
};

struct trigger_programs {
        struct trigger_run **list; /* in order of arrival */
        size_t n, allocated, running;
        uid_t users[AT_ONCE]; /* of running programs, unordered */
};

static char *mark_of(const struct controller *ctl, uint64_t serial) {
        return xasprintf("%s/" MARK "%llu", ctl->cluster->config->state_save_location,
                        (unsigned long long)serial);
}

static void triggers_start_some(struct controller *ctl);

/* Returns the list of this controller, created on first use. */
static struct trigger_programs *all_of(struct controller *ctl) {
        if (!ctl->trigger_programs)
                ctl->trigger_programs = xnew0(struct trigger_programs, 1);
        return ctl->trigger_programs;
}

static void count_running(struct trigger_run *run) {
        struct trigger_programs *all = all_of(run->ctl);

        run->runs = true;
        all->users[all->running++] = run->uid;
}

static void count_ended(struct trigger_run *run) {
        struct trigger_programs *all = all_of(run->ctl);
        size_t i = 0;

        if (!run->runs)
                return;
        while (all->users[i] != run->uid)
                i++;
        all->users[i] = all->users[--all->running];
        run->runs = false;
}

static void trigger_run_drop(struct trigger_run *run) {
        struct trigger_programs *all = all_of(run->ctl);

        count_ended(run);
        for (size_t i = 0; i < all->n; i++)
                if (all->list[i] == run) {
                        memmove(&all->list[i], &all->list[i + 1],
                                        (--all->n - i) * sizeof all->list[0]);
                        break;
                }
        sd_event_source_disable_unref(run->again);
        free(run);
}

static void trigger_run_over(struct trigger_run *run) {
        struct controller *ctl = run->ctl;

        trigger_ended(ctl->cluster, run->serial);
        controller_changed(ctl);
        trigger_run_drop(run);
}

static void trigger_on_ended(pid_t pid, int status, bool timed_out, const char *said, void *user) {
        struct trigger_run *run = user;
        struct controller *ctl = run->ctl;

        if (timed_out)
                log_warning(0, "The program of trigger %u ran longer than %u s and was ended",
                                run->id, (unsigned)(PATIENCE / USEC_PER_SEC));
        else if (status > 0)
                log_warning(0, "The program of trigger %u (process %d) failed with status %d%s%s",
                                run->id, (int)pid, WIFEXITED(status) ? WEXITSTATUS(status) : status,
                                *said ? ": " : "", said);
        trigger_run_over(run);
        triggers_start_some(ctl);
}

/* Returns the path and arguments, followed by the event; as in Slurm, blanks separate words. */
static char **trigger_command_words(const struct trigger *t) {
        char **words = NULL;
        size_t n = 0;

        texts_add_words(&words, &n, t->program, " \t");
        words = xrenew(words, n + 2);
        words[n] = xstrdup(t->argument);
        words[n + 1] = NULL;
        return words;
}

static int trigger_run_start(struct trigger_run *run, const struct trigger *t, struct fail *fail) {
        struct controller *ctl = run->ctl;
        _cleanup_free_ char *mark = mark_of(ctl, t->serial), *user = xasprintf("USER=%s", t->user);
        char path[] = PATH, *environment[] = { path, user, NULL },
             **words = trigger_command_words(t);
        struct program_request req = {
                .path = words[0],
                .argv = (const char *const *)words + 1,
                .slurm_conf = ctl->cluster->config->path,
                .environment = environment,
                .once = mark,
                .uid = t->uid,
                .gid = t->gid,
                .timeout = PATIENCE,
        };
        int r = words[1] ? program_start(ctl->event, &req, trigger_on_ended, run, &run->program,
                                           fail)
                         : fail_set(fail, -EINVAL, "it has no program");

        for (size_t i = 0; words[i]; i++)
                free(words[i]);
        free(words);
        return r;
}

/* Adopts a program started by an earlier controller: watched while running, never started again. */
static int trigger_run_adopt(struct trigger_run *run, const struct trigger *t) {
        return program_adopt(run->ctl->event, (pid_t)t->pid, t->start, PATIENCE, trigger_on_ended,
                        run, &run->program);
}

static bool trigger_error_is_temporary(int error) {
        static const int errors[] = { -EAGAIN, -ENOMEM, -EMFILE, -ENFILE, -ENOSPC, -EDQUOT, -EIO };

        for (size_t i = 0; i < ELEMENTSOF(errors); i++)
                if (errors[i] == error)
                        return true;
        return false;
}

static int trigger_on_again(sd_event_source *source, uint64_t at, void *user) {
        struct trigger_run *run = user;

        (void)source, (void)at;
        run->again = sd_event_source_disable_unref(run->again);
        triggers_start_some(run->ctl);
        return 0;
}

/* Returns whether the program is started again later; until then the place is free. */
static bool start_later(struct trigger_run *run) {
        _cleanup_free_ char *mark = mark_of(run->ctl, run->serial);

        if (++run->starts >= STARTS_MAX ||
                        sd_event_add_time_relative(run->ctl->event, &run->again, CLOCK_MONOTONIC,
                                        START_AGAIN, 0, trigger_on_again, run) < 0)
                return false;
        (void)unlink(mark); /* the child may have created the mark before the start failed */
        count_ended(run);
        return true;
}

static void trigger_run_begin(struct trigger_run *run, struct trigger *t) {
        struct fail fail = { 0 };

        if (t->pid) {
                if (trigger_run_adopt(run, t) < 0)
                        trigger_run_over(run);
                return;
        }
        int r = trigger_run_start(run, t, &fail);
        if (r == -EEXIST) /* started by an earlier controller that could not record the start */
                log_info("The program of trigger %u has been started before", t->id);
        else if (r < 0)
                log_warning(0, "The program of trigger %u: %s", t->id, fail.text);
        if (trigger_error_is_temporary(r) && start_later(run))
                return;
        if (r < 0) {
                trigger_run_over(run);
                return;
        }
        log_info("Trigger %u: %s %s as %s", t->id, t->program, t->argument, t->user);
        t->pid = (uint32_t)program_pid(run->program);
        t->start = process_start(program_pid(run->program), false);
        trigger_changed(&run->ctl->cluster->triggers, t);
        controller_changed(run->ctl);
}

static bool trigger_is_users(const struct controller *ctl, uid_t uid) {
        return uid != 0 && uid != ctl->cluster->config->slurm_uid;
}

static bool may_start(struct controller *ctl, const struct trigger_run *run) {
        const struct trigger_programs *all = all_of(ctl);
        size_t of_users = 0, of_user = 0;

        if (run->runs || run->again)
                return false;
        for (size_t i = 0; i < all->running; i++) {
                of_users += trigger_is_users(ctl, all->users[i]);
                of_user += all->users[i] == run->uid;
        }
        return !trigger_is_users(ctl, run->uid) || (of_users < OF_USERS && of_user < OF_USER);
}

static void triggers_start_some(struct controller *ctl) {
        struct trigger_programs *all = all_of(ctl);

        while (all->running < AT_ONCE) {
                size_t i = 0;
                while (i < all->n && !may_start(ctl, all->list[i]))
                        i++;
                if (i == all->n)
                        return;
                struct trigger_run *run = all->list[i];
                struct trigger *t = trigger_run(ctl->cluster, run->serial);
                count_running(run);
                if (t)
                        trigger_run_begin(run, t);
                else
                        trigger_run_drop(run);
        }
}

void trigger_program(struct controller *ctl, const struct effect *fx) {
        struct trigger_programs *all = all_of(ctl);
        const struct trigger *t = trigger_run(ctl->cluster, fx->serial);

        if (!t) { /* the end of the run is stored by now */
                _cleanup_free_ char *mark = mark_of(ctl, fx->serial);
                (void)unlink(mark);
                return;
        }
        struct trigger_run *run = xnew0(struct trigger_run, 1);
        run->ctl = ctl;
        run->serial = fx->serial;
        run->id = t->id;
        run->uid = t->uid;
        GROW(all->list, all->allocated, all->n);
        all->list[all->n++] = run;
        triggers_start_some(ctl);
}

void trigger_programs_sweep(struct controller *ctl) {
        DIR *dir = opendir(ctl->cluster->config->state_save_location);
        struct dirent *d;

        while (dir && (d = readdir(dir))) {
                if (strncmp(d->d_name, MARK, strlen(MARK)) != 0)
                        continue;
                char *end;
                uint64_t serial = strtoull(d->d_name + strlen(MARK), &end, 10);
                if (!*end && !trigger_run(ctl->cluster, serial))
                        (void)unlinkat(dirfd(dir), d->d_name, 0);
        }
        if (dir)
                closedir(dir);
}

/* Running programs continue. */
void trigger_programs_free(struct controller *ctl) {
        struct trigger_programs *all = ctl->trigger_programs;

        if (!all)
                return;
        for (size_t i = 0; i < all->n; i++) {
                program_detach(all->list[i]->program);
                sd_event_source_disable_unref(all->list[i]->again);
                free(all->list[i]);
        }
        free(all->list);
        free(TAKE(ctl->trigger_programs));
}
