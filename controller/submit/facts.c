/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/submit/facts.h"

#include "controller/accounts/assoc.h"
#include "controller/accounts/qos.h"
#include "controller/loop/users.h"
#include "controller/loop/wall_clock.h"
#include "controller/model/partition.h"
#include "controller/records/record.h"
#include "controller/records/reservation_record.h"

struct facts {
        struct partition_message *messages; /* own */
        Slumber__Partition **partitions;    /* own */
        size_t n;                           /* length of both */
        Slumber__ReservationList reservations;
};

static void sender_fill(const struct controller *ctl, const struct caller *caller,
                Slumber__RuleRequest *m) {
        const struct cluster *c = ctl->cluster;
        const struct acct_user *user = acct_user_find(&c->acct, caller->user->name);
        const char *account = user ? user->default_account : NULL;
        const struct partition *p = cluster_default_partition(c);
        const struct assoc *assoc = account ? assoc_of_job(&c->acct, account, caller->user->name,
                                                              p ? p->name : NULL)
                                            : NULL;
        const struct qos *qos = assoc ? assoc_default_qos(&c->acct, assoc) : NULL;

        m->uid = caller->uid;
        m->gid = caller->gid;
        m->user = caller->user->name;
        m->default_account = (char *)(uintptr_t)strempty(account);
        m->default_qos = (char *)(uintptr_t)(qos ? qos->name : "");
}

struct facts *facts_fill(struct controller *ctl, const struct caller *caller,
                Slumber__RuleRequest *m) {
        const struct cluster *c = ctl->cluster;
        const struct submitter submitter = submitter_of(caller);
        const struct viewer viewer = viewer_of(ctl, caller);
        struct facts *f = xnew(struct facts, 1);

        sender_fill(ctl, caller, m);
        *f = (struct facts){ xnew(struct partition_message, c->n_partitions),
                xnew(Slumber__Partition *, c->n_partitions), 0, SLUMBER__RESERVATION_LIST__INIT };
        for (size_t i = 0; i < c->n_partitions; i++) {
                if (partition_admits(c->partitions[i], &submitter, NULL) != SLUMBER_OK)
                        continue;
                partition_message_init(&f->messages[f->n], c, c->partitions[i]);
                f->partitions[f->n] = &f->messages[f->n].partition;
                f->n++;
        }
        m->partitions = f->partitions;
        m->n_partitions = f->n;
        reservation_record_fill(&viewer, "", controller_now(ctl), &f->reservations);
        m->reservations = f->reservations.reservations;
        m->n_reservations = f->reservations.n_reservations;
        return f;
}

struct facts *facts_free(struct facts *f) {
        if (!f)
                return NULL;
        for (size_t i = 0; i < f->n; i++)
                partition_message_done(&f->messages[i]);
        free(f->messages);
        free(f->partitions);
        reservation_record_done(&f->reservations);
        free(f);
        return NULL;
}
