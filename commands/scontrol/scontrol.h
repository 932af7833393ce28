/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/scontrol/scontrol.h - parameters and results of scontrol's verbs */
#pragma once

#include "commands/command.h"
#include "commands/jobid.h"
#include "lib/wire.h"

struct scontrol_with { /* values of --with */
        const char *texts[16];
        size_t n;
};

struct scontrol {
        bool all, details, future, hide, one_liner, quiet, json, verbose;
        const char *uid; /* as typed */
        const char *clusters;
        struct clusters *sites; /* clusters of --clusters or of the prompt's "cluster" command */
        size_t site;            /* index in sites of the cluster asked */
        struct scontrol_with with;
};

/* A verb: argv[0] is the verb as typed. Returns the exit code; messages are printed already. */
typedef int scontrol_verb_t(const struct scontrol *s, int argc, char **argv);

/* Prints a message without a prefix, as Slurm's scontrol does, but nothing with -Q. Returns
   EXIT_FAILURE. */
int scontrol_complain(const struct scontrol *s, const char *format, ...) _printf_(2, 3);
/* Like scontrol_complain(), but ignores -Q, as Slurm does for updates. */
int scontrol_refuse(const char *format, ...) _printf_(1, 2);
/* Connects, sends the request and waits for the answer. ret_reply may be NULL if the answer
   carries no data. */
int scontrol_call(Envelope *request, Envelope **ret_reply, uint32_t *ret_code, struct fail *fail);
/* Sends the request and prints a refusal as "VERB error: ...". Returns the exit code. */
int scontrol_ask(const struct scontrol *s, Envelope *request, const char *verb);

/* Returns Slurm's sentence for a refusal; a more specific text, if any, is printed before. */
const char *scontrol_refusal(uint32_t code, const struct fail *fail);

#define ID_LIST_MAX 100000
struct id_list { /* jobs given as arguments */
        struct job_id ids[ID_LIST_MAX];
        size_t n;
        bool bad; /* a word was not a job id; a message was printed */
};
/* words: "1,2" or "jobid=3"; the text is changed. */
void id_list_add(const struct scontrol *s, struct id_list *list, char *words);
void id_list_done(struct id_list *list);

/* scontrol_show.c */
scontrol_verb_t scontrol_show, scontrol_completing;
void scontrol_help_entities(FILE *out); /* prints the entities of "show", for --help */
/* Returns true if "show ENTITY" asks no cluster: host lists, and unknown or unsupported
   entities. */
bool scontrol_shows_words(const char *entity);
/* scontrol_assoc.c; argv: words users=, accounts=, qos= and flags= */
int scontrol_show_assoc_mgr(const struct scontrol *s, int argc, char **argv);
/* scontrol_energy.c; what: "nodes" or "partitions"; NULL: partitions */
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
int scontrol_power_summary(const struct scontrol *s); /* scontrol show power without a node list */
/* scontrol_reservation.c */
struct setting;
scontrol_verb_t scontrol_create_reservation, scontrol_delete_reservation;
/* settings[0] names the reservation. */
int scontrol_update_reservation(const struct scontrol *s, struct setting *settings, size_t n);
int scontrol_show_reservations(const struct scontrol *s, const char *name); /* name: NULL: all */
int scontrol_list_reservations(bool heading);                               /* sinfo -T */
/* scontrol_resize.c: writes the resize scripts after the caller's own job gave up nodes. Returns
   the exit code. */
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
