/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/scontrol/scontrol.h - what the verbs of scontrol get and return */
#pragma once

#include "commands/command.h"
#include "commands/jobid.h"
#include "lib/wire.h"

struct scontrol_with { /* --with, as typed */
        const char *texts[16];
        size_t n;
};

struct scontrol {
        bool all, details, future, hide, one_liner, quiet, json, verbose;
        const char *uid; /* --uid, as typed */
        const char *clusters;
        struct clusters *sites; /* of --clusters, or of a prompt's "cluster" */
        size_t site;            /* the one of them that is asked */
        struct scontrol_with with;
};

/* argv[0] is the verb as typed.  Returns the exit code; messages are on stderr already. */
typedef int scontrol_verb_t(const struct scontrol *s, int argc, char **argv);

/* As Slurm's scontrol: without a prefix, and not at all with -Q.  EXIT_FAILURE. */
int scontrol_complain(const struct scontrol *s, const char *format, ...) _printf_(2, 3);
/* The same whatever -Q says: of an update, as Slurm does it. */
int scontrol_refuse(const char *format, ...) _printf_(1, 2);
/* Connects, asks, waits.  *ret_reply may be NULL when the answer says no more than Ok. */
int scontrol_call(Envelope *request, Envelope **ret_reply, uint32_t *ret_code, struct fail *fail);
/* Sends it; an answer that is not Ok is said as "VERB error: ...".  The exit code. */
int scontrol_ask(const struct scontrol *s, Envelope *request, const char *verb);

/* The name of the cluster that is asked, where it is another one; else NULL. */
const char *scontrol_far(const struct scontrol *s);

/* Slurm's sentence; what more there is to say has been said. */
const char *scontrol_refusal(uint32_t code, const struct fail *fail);

#define ID_LIST_MAX 100000
struct id_list { /* jobs, as the words of a command name them */
        struct job_id ids[ID_LIST_MAX];
        size_t n;
        bool bad; /* a word was no id; it has been named */
};
/* words: "1,2", "jobid=3". */
void id_list_add(const struct scontrol *s, struct id_list *list, char *words);
void id_list_done(struct id_list *list);

/* scontrol_show.c */
scontrol_verb_t scontrol_show, scontrol_completing;
void scontrol_help_entities(FILE *out); /* for --help: what "show" knows */
/* Those of the command line, or of an entity that is none: no cluster is asked. */
bool scontrol_shows_words(const char *entity);
/* scontrol_assoc.c; argv: users=, accounts=, qos=, flags= */
int scontrol_show_assoc_mgr(const struct scontrol *s, int argc, char **argv);
/* scontrol_energy.c; what: "nodes", "partitions", NULL */
int scontrol_show_energy(const struct scontrol *s, const char *what);
/* scontrol_pids.c */
scontrol_verb_t scontrol_listpids, scontrol_listjobs, scontrol_liststeps, scontrol_pidinfo;
/* scontrol_words.c */
scontrol_verb_t scontrol_abort, scontrol_cluster, scontrol_errnumstr, scontrol_getaddrs,
                scontrol_fsdampeningfactor, scontrol_schedloglevel, scontrol_takeover,
                scontrol_token;
/* scontrol_plan.c */
scontrol_verb_t scontrol_power_plan;
/* scontrol_power.c */
scontrol_verb_t scontrol_power, scontrol_reboot, scontrol_cancel_reboot;
int scontrol_power_summary(const struct scontrol *s); /* scontrol show power without a list */
/* scontrol_reservation.c */
struct setting;
scontrol_verb_t scontrol_create_reservation, scontrol_delete_reservation;
/* the first names it */
int scontrol_update_reservation(const struct scontrol *s, struct setting *settings, size_t n);
int scontrol_show_reservations(const struct scontrol *s, const char *name); /* NULL: all */
int scontrol_list_reservations(bool heading);                               /* sinfo -T */
/* scontrol_resize.c: that job, which calls, has been told how many nodes it keeps. The exit
   code. */
int scontrol_resized(uint32_t id);
/* scontrol_write.c */
scontrol_verb_t scontrol_write;
/* scontrol_update.c */
scontrol_verb_t scontrol_update, scontrol_create, scontrol_delete;
/* scontrol_act.c */
scontrol_verb_t scontrol_setdebug, scontrol_setdebugflags, scontrol_ping, scontrol_reconfigure,
                scontrol_shutdown, scontrol_wait_job;
scontrol_verb_t scontrol_suspend, scontrol_resume, scontrol_hold, scontrol_uhold, scontrol_notify,
                scontrol_top, scontrol_release, scontrol_requeue, scontrol_requeuehold;
