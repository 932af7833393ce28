/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scontrol write state: a copy of the store and the accounts, usable for another start.
 *
 * The threads of the two files make the copies, the store first: the row of an ended job stays in
 * the store until the accounts have it for good, so at least one of the copies has the row. A row
 * in both copies is harmless. */
#include "controller/loop/caller.h"
#include "controller/loop/controller.h"

#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/requests/handlers.h"
#include "controller/store/accounting.h"
#include "controller/store/store.h"
#include "lib/log.h"

struct copying {
        struct controller *ctl;
        struct address to;
        char *folder;
};

static void state_copy_finish(struct copying *c, int r, const char *why) {
        if (r >= 0)
                log_info("The state has been copied to %s", c->folder);
        reply_result(c->ctl, &c->to, r < 0 ? SLUMBER_FAILED : SLUMBER_OK, why);
        address_done(&c->to);
        free(c->folder);
        free(c);
}

static void accounts_copied(int r, const char *why, void *user) {
        state_copy_finish(user, r, why);
}

static void store_copied(int r, const char *why, void *user) {
        struct copying *c = user;

        if (r >= 0 && c->ctl->accounting)
                accounting_copy(c->ctl->accounting, c->folder, accounts_copied, c);
        else
                state_copy_finish(c, r, why);
}

void handle_state_copy(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const char *folder = env->state_copy->folder;

        if (*folder != '/') {
                reply_result(ctl, &caller->from, SLUMBER_FAILED,
                                "the folder of the copy is not an absolute path");
                return;
        }
        struct copying *c = xnew(struct copying, 1);
        *c = (struct copying){ .ctl = ctl,
                .to = address_copy(&caller->from),
                .folder = xstrdup(folder) };
        store_copy(ctl->store, folder, store_copied, c);
}
