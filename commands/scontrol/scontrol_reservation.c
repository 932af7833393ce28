/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scontrol create, delete, update and show for reservations. The controller checks the values. */
#include "commands/json.h"
#include "commands/query.h"
#include "commands/scontrol/scontrol.h"
#include "commands/setting.h"
#include "lib/errors.h"
#include "lib/timetext.h"

#include <strings.h>

#define WORDS_MAX 64

struct wishes {
        Slumber__ReservationUpdate update;
        Slumber__KeyValue values[WORDS_MAX], *pointers[WORDS_MAX];
        char *keys[WORDS_MAX];
};

static void wishes_done(struct wishes *w) {
        for (size_t i = 0; i < w->update.n_settings; i++)
                free(w->keys[i]);
}

static void reservation_add_setting(struct wishes *w, const struct setting *s) {
        size_t at = w->update.n_settings++;

        w->keys[at] = xasprintf("%s%.1s", s->key, s->sign ? &s->sign : "");
        slumber__key_value__init(&w->values[at]);
        w->values[at].key = w->keys[at];
        w->values[at].value = (char *)(uintptr_t)s->value;
        w->pointers[at] = &w->values[at];
        w->update.settings = w->pointers;
}

/* Accepts "res" up to "reservationname", and "reservations". */
static bool is_entity(const char *word, size_t n) {
        return n >= 3 &&
               ((n <= strlen("reservationname") && strncasecmp(word, "reservationname", n) == 0) ||
                               (n == strlen("reservations") &&
                                               strncasecmp(word, "reservations", n) == 0));
}

static int reservation_report_refusal(const char *what, uint32_t code, const struct fail *fail) {
        fprintf(stderr, "Error %s the reservation: %s\n", what, fail->text);
        if (code == SLUMBER_NODES_BUSY)
                fputs("Note, unless nodes are directly requested a reservation must exist in a single partition.\n"
                      "If no partition is requested the default partition is assumed.\n",
                                stderr);
        return EXIT_FAILURE;
}

int scontrol_create_reservation(const struct scontrol *s, int argc, char **argv) {
        _cleanup_(wishes_done) struct wishes w = { .update = SLUMBER__RESERVATION_UPDATE__INIT };
        _cleanup_envelope_ Envelope *reply = NULL;
        struct fail fail = { 0 };
        uint32_t code;
        int first = 2;

        w.update.create = true;
        if (argc < 2)
                return scontrol_complain(s, "too few arguments for %s keyword", argv[0]);
        if (argc > WORDS_MAX)
                return scontrol_complain(s, "too many arguments for keyword:%s", argv[0]);
        size_t n = strcspn(argv[1], "=");
        if (!is_entity(argv[1], n)) {
                command_error("scontrol", "Invalid creation entity: %s", argv[1]);
                return EXIT_FAILURE;
        }
        if (argv[1][n])
                first = 1;
        for (int i = first; i < argc; i++) {
                struct setting setting;
                if (setting_parse(argv[i], &setting) < 0) {
                        command_error("scontrol", "Unknown parameter %s.  No reservation created.",
                                        argv[i]);
                        return EXIT_FAILURE;
                }
                if (is_entity(setting.key, strlen(setting.key)))
                        w.update.name = (char *)(uintptr_t)setting.value;
                else
                        reservation_add_setting(&w, &setting);
        }
        ENVELOPE(request, RESERVATION_UPDATE, reservation_update, &w.update);
        if (scontrol_call(&request, &reply, &code, &fail) < 0)
                return reservation_report_refusal("creating", code, &fail);
        if (reply->body_case == SLUMBER__ENVELOPE__BODY_RESERVATION_REPLY)
                printf("Reservation created: %s\n", reply->reservation_reply->name);
        return EXIT_SUCCESS;
}

int scontrol_update_reservation(const struct scontrol *s, struct setting *settings, size_t n) {
        _cleanup_(wishes_done) struct wishes w = { .update = SLUMBER__RESERVATION_UPDATE__INIT };
        struct fail fail = { 0 };
        uint32_t code;

        if (n < 2)
                return scontrol_refuse("No changes specified");
        if (n > WORDS_MAX)
                return scontrol_refuse("too many arguments for keyword:update");
        w.update.name = (char *)(uintptr_t)settings[0].value;
        for (size_t i = 1; i < n; i++)
                reservation_add_setting(&w, &settings[i]);
        ENVELOPE(request, RESERVATION_UPDATE, reservation_update, &w.update);
        if (scontrol_call(&request, NULL, &code, &fail) < 0) {
                (void)reservation_report_refusal("updating", code, &fail);
                const char *words = slumber_error_text((int)code);
                return scontrol_refuse("slurm_update error: %s", words ? words : fail.text);
        }
        if (!s->quiet)
                puts("Reservation updated.");
        return EXIT_SUCCESS;
}

int scontrol_delete_reservation(const struct scontrol *s, int argc, char **argv) {
        Slumber__ReservationUpdate update = SLUMBER__RESERVATION_UPDATE__INIT;
        struct fail fail = { 0 };
        uint32_t code;

        if (argc < 2)
                return scontrol_complain(s, "too few arguments for %s keyword", argv[0]);
        size_t n = strcspn(argv[1], "=");
        if (argc > 3 || (argv[1][n] == 0) != (argc == 3)) {
                command_error("scontrol",
                                "Proper format is 'delete <ENTITY>=<ID>' or 'delete <ENTITY> <ID>'");
                return EXIT_FAILURE;
        }
        if (!is_entity(argv[1], n))
                return scontrol_refuse("Invalid deletion entity: %s", argv[1]);
        update.remove = true;
        update.name = argc == 3 ? argv[2] : argv[1] + n + 1;
        ENVELOPE(request, RESERVATION_UPDATE, reservation_update, &update);
        if (scontrol_call(&request, NULL, &code, &fail) < 0)
                return scontrol_complain(s, "delete_reservation %s: %s", argv[1], fail.text);
        return EXIT_SUCCESS;
}

/* ---- show ---- */

static void print_one(const Slumber__Reservation *r, bool one_liner) {
        const char *sep = one_liner ? " " : "\n   ";
        char start[TIMETEXT_MAX], end[TIMETEXT_MAX], duration[TIMETEXT_MAX];
        const char *format = getenv("SLURM_TIME_FORMAT");

        printf("ReservationName=%s StartTime=%s EndTime=%s Duration=%s%s", r->name,
                        time_text(r->start_time, format, start),
                        time_text(r->end_time, format, end),
                        duration_text(r->end_time - r->start_time, duration), sep);
        printf("Nodes=%s NodeCnt=%u CoreCnt=%u Features=%s PartitionName=%s Flags=%s%s",
                        strna(r->nodes), r->num_nodes, r->num_cores, strna(r->features),
                        strna(r->partition), r->flags_text, sep);
        for (size_t i = 0; i < r->n_cores; i++)
                printf("%sNodeName=%s CoreIDs=%s%s", one_liner ? "" : "  ", r->cores[i]->node,
                                r->cores[i]->cores, sep);
        if (r->num_cpus)
                printf("TRES=cpu=%u%s", r->num_cpus, sep);
        else
                printf("TRES=(null)%s", sep);
        printf("Users=%s Groups=%s Accounts=%s Licenses=%s State=%s BurstBuffer=(null)%s",
                        strna(r->users), strna(r->groups), strna(r->accounts), strna(r->licenses),
                        r->active ? "ACTIVE" : "INACTIVE", sep);
        if (*r->qos)
                printf("QOS=%s%s", r->qos, sep);
        printf("MaxStartDelay=%s\n%s",
                        r->max_start_delay ? duration_text(r->max_start_delay, duration) : "(null)",
                        one_liner ? "" : "\n");
}

/* name: NULL: all. *ret holds a ReservationList; the caller frees *ret. */
static int reservations_load(const char *name, Envelope **ret, struct fail *fail) {
        Slumber__ReservationQuery query = SLUMBER__RESERVATION_QUERY__INIT;
        _cleanup_envelope_ Envelope *reply = NULL;
        uint32_t code;

        query.name = (char *)(uintptr_t)strempty(name);
        ENVELOPE(request, RESERVATION_QUERY, reservation_query, &query);
        int r = scontrol_call(&request, &reply, &code, fail);
        if (r >= 0 && reply->body_case != SLUMBER__ENVELOPE__BODY_RESERVATION_LIST)
                r = fail_set(fail, -EPROTO, "%s", slumber_error_text(SLUMBER_PROTOCOL));
        if (r >= 0)
                *ret = TAKE(reply);
        return r;
}

int scontrol_show_reservations(const struct scontrol *s, const char *name) {
        _cleanup_envelope_ Envelope *reply = NULL;
        struct fail fail = { 0 };

        if (reservations_load(name, &reply, &fail) < 0)
                return scontrol_complain(s, "slurm_load_reservations error: %s", fail.text);
        const Slumber__ReservationList *list = reply->reservation_list;
        if (s->json) {
                json_print_reservations(list, stdout);
                return name && list->n_reservations == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
        }
        if (list->n_reservations == 0) {
                if (!name)
                        puts("No reservations in the system");
                else
                        printf("Reservation %s not found\n", name);
                return name ? EXIT_FAILURE : EXIT_SUCCESS;
        }
        for (size_t i = 0; i < list->n_reservations; i++)
                print_one(list->reservations[i], s->one_liner);
        return EXIT_SUCCESS;
}

/* ---- sinfo -T ---- */

int scontrol_list_reservations(bool heading) {
        _cleanup_envelope_ Envelope *reply = NULL;
        struct fail fail = { 0 };
        int width = (int)strlen("RESV_NAME");

        if (reservations_load(NULL, &reply, &fail) < 0) {
                fprintf(stderr, "slurm_load_reservations: %s\n", fail.text);
                return -EIO;
        }
        const Slumber__ReservationList *list = reply->reservation_list;
        if (list->n_reservations == 0) {
                puts("No reservations in the system");
                return 0;
        }
        for (size_t i = 0; i < list->n_reservations; i++)
                width = MAX(width, (int)strlen(list->reservations[i]->name));
        if (heading)
                printf("%-*s  %8s  %19s  %19s  %11s  %s\n", width, "RESV_NAME", "STATE",
                                "START_TIME", "END_TIME", "DURATION", "NODELIST");
        for (size_t i = 0; i < list->n_reservations; i++) {
                const Slumber__Reservation *r = list->reservations[i];
                char start[TIMETEXT_MAX], end[TIMETEXT_MAX], duration[TIMETEXT_MAX];
                const char *format = getenv("SLURM_TIME_FORMAT");
                printf("%-*s  %8s  %19s  %19s  %11s  %s\n", width, r->name,
                                r->active ? "ACTIVE" : "INACTIVE",
                                time_text(r->start_time, format, start),
                                time_text(r->end_time, format, end),
                                duration_text(r->end_time - r->start_time, duration), r->nodes);
        }
        return 0;
}
