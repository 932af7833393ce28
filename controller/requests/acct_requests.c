/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sacctmgr: a request is first only checked and described; with commit the change is made, and
   answered when it is on disk. */
#include "controller/loop/caller.h"
#include "controller/loop/controller.h"

#include "controller/account_admin/acct_change.h"
#include "controller/account_admin/acct_file.h"
#include "controller/indexes/queue.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/users.h"
#include "controller/orders/viewer.h"
#include "controller/records/acct_rows.h"
#include "controller/requests/foreign_requests.h"
#include "controller/requests/handlers.h"
#include "lib/log.h"
#include "lib/printable.h"

#include <strings.h>

#define WORDS_MAX 10000 /* per request */
#define PAGE_ROWS 2000

_Static_assert((int)ACCT_DELETE == (int)SLUMBER__ACCT_CHANGE__VERB__DELETE, "verbs are the wire's");
_Static_assert((int)ENTITY_COORDINATOR == (int)SLUMBER__ACCT_ENTITY__ACCT_ENTITY_COORDINATOR,
                "entities are the wire's");

static const char nothing_kept[] =
                "AccountingStorageType is accounting_storage/none: nothing is kept";

/* Returns the AdminLevel in force: root and SlurmUser are administrators; guests keep their level
   only as named operators of their cluster. */
static enum admin_level level_of(const struct controller *ctl, const struct caller *caller) {
        return caller->super ? ADMIN_ADMINISTRATOR
               : caller->guest && !guest_is_operator(caller, caller->user->name)
                               ? ADMIN_NONE
                               : acct_level(&ctl->cluster->acct, caller->user->name);
}

static bool acct_word_is_valid(const Slumber__AcctWord *w) {
        return !has_control(w->key) && !has_control(w->value) &&
               (w->op == '=' || w->op == '+' || w->op == '-') &&
               strlen(w->key) + strlen(w->value) < TEXT_MAX;
}

/* Converts the words; the texts are borrowed. Returns NULL for invalid words; the caller frees. */
static struct acct_word *acct_words_read(Slumber__AcctWord *const *from, size_t n) {
        struct acct_word *words = n <= WORDS_MAX ? xnew(struct acct_word, n + 1) : NULL;

        for (size_t i = 0; words && i < n; i++) {
                if (!acct_word_is_valid(from[i])) {
                        free(words);
                        return NULL;
                }
                words[i] = (struct acct_word){ from[i]->key, from[i]->value, (char)from[i]->op };
        }
        return words;
}

static void reply_change(const struct address *to, const char *text, int r, const char *why) {
        Slumber__AcctReply m = SLUMBER__ACCT_REPLY__INIT;

        m.text = (char *)(uintptr_t)strempty(text);
        m.code = r == -EPERM ? SLUMBER_ACCESS_DENIED
                 : r < 0     ? SLUMBER_FAILED
                 : r == 1    ? SLUMBER_NO_CHANGE
                             : SLUMBER_OK;
        m.error = (char *)(uintptr_t)(r < 0 ? why : "");
        ENVELOPE(env, ACCT_REPLY, acct_reply, &m);
        reply_now(to, &env);
}

struct pending {
        struct address to;
        char *text;
};

static void on_disk(int r, const char *why, void *user) {
        struct pending *p = user;

        reply_change(&p->to, p->text, r, why);
        address_done(&p->to);
        free(p->text);
        free(p);
}

static void log_change(const struct caller *caller, const char *text) {
        _cleanup_free_ char *line = xstrdup(text);

        for (char *p = line; *p; p++)
                *p = *p == '\n' ? ' ' : *p;
        log_info("Accounts changed by %s (UID=%u)%s%s:%.4000s", caller->user->name,
                        (unsigned)caller->uid, caller->guest ? " of cluster " : "",
                        caller->guest ? caller->guest->name : "", line);
}

static void acct_change_finish(struct controller *ctl, const struct caller *caller, bool commit,
                char *text, int r, const char *why) {
        if (r != 0 || !commit) {
                reply_change(&caller->from, text, r, why);
                free(text);
                return;
        }
        log_change(caller, text);
        struct pending *p = xnew0(struct pending, 1);
        *p = (struct pending){ address_copy(&caller->from), text };
        acct_save(ctl, on_disk, p);
        controller_changed(ctl);
}

void handle_acct_change(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__AcctChange *m = env->acct_change;
        _cleanup_free_ struct acct_word *where = acct_words_read(m->where, m->n_where),
                                        *set = acct_words_read(m->set, m->n_set);
        struct fail fail = { 0 };
        char *text = NULL;

        if (!ctl->accounting || !where || !set || (unsigned)m->verb >= ACCT_VERB_MAX ||
                        (unsigned)m->entity >= ENTITY_MAX) {
                reply_result(ctl, &caller->from,
                                ctl->accounting ? SLUMBER_PROTOCOL : SLUMBER_NOT_SUPPORTED,
                                ctl->accounting ? "too many words, or one is too long or has a control character"
                                                : nothing_kept);
                return;
        }
        if (m->commit && ctl->accounts_failed) {
                reply_not_stored(ctl, &caller->from, ctl->accounts_failed);
                return;
        }
        const struct acct_request req = { .verb = (enum acct_verb)m->verb,
                .entity = (enum acct_entity)m->entity,
                .where = where,
                .n_where = m->n_where,
                .set = set,
                .n_set = m->n_set,
                .user = caller->user->name,
                .level = level_of(ctl, caller),
                .commit = m->commit };
        int r = acct_change(ctl->cluster, &req, &text, &fail);
        const struct viewer viewer = viewer_of(ctl, caller);
        /* the reason would reveal names of users and accounts */
        if (r != 0 && viewer_is_plain(&viewer)) {
                free(text);
                reply_change(&caller->from, NULL, -EPERM,
                                slumber_error_text(SLUMBER_ACCESS_DENIED));
                return;
        }
        acct_change_finish(ctl, caller, m->commit, text, r, fail.text);
}

/* ---- dump and load ---- */

/* Answers an impossible request with an error; returns whether the request was impossible. */
static bool refuse_file(struct controller *ctl, const struct caller *caller, bool commit) {
        if (!ctl->accounting)
                reply_result(ctl, &caller->from, SLUMBER_NOT_SUPPORTED, nothing_kept);
        else if (level_of(ctl, caller) < ADMIN_ADMINISTRATOR)
                reply_result(ctl, &caller->from, SLUMBER_ACCESS_DENIED, NULL);
        else if (commit && ctl->accounts_failed)
                reply_not_stored(ctl, &caller->from, ctl->accounts_failed);
        else
                return false;
        return true;
}

void handle_acct_dump(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const char *cluster = env->acct_dump->cluster, *own = ctl->cluster->config->cluster_name;
        _cleanup_free_ char *text = NULL, *why = NULL;

        if (refuse_file(ctl, caller, false))
                return;
        struct acct_cluster *other = acct_cluster_find(&ctl->cluster->acct, cluster);
        if (strcasecmp(cluster, own) != 0 && !other) {
                why = xasprintf("the accounts are those of cluster %s, not of %s", own, cluster);
                reply_result(ctl, &caller->from, SLUMBER_FAILED, why);
                return;
        }
        acct_enter(&ctl->cluster->acct, other);
        text = acct_dump(ctl->cluster);
        acct_enter(&ctl->cluster->acct, NULL);
        reply_change(&caller->from, text, 0, NULL);
}

void handle_acct_import(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__AcctImport *m = env->acct_import;
        struct fail fail = { 0 };
        char *text = NULL;

        if (refuse_file(ctl, caller, m->commit))
                return;
        const struct acct_import import = { .text = (const char *)m->text.data,
                .size = m->text.len,
                .cluster = isempty(m->cluster) ? NULL : m->cluster,
                .clean = m->clean,
                .commit = m->commit,
                .user = caller->user->name,
                .level = level_of(ctl, caller) };
        int r = acct_import(ctl->cluster, &import, &text, &fail);
        acct_change_finish(ctl, caller, m->commit, text, r, fail.text);
}

/* ---- show ---- */

struct rows {
        Slumber__AcctRow **list;
        size_t n, allocated;
};

static void acct_rows_add(const char *const *texts, size_t n, void *user) {
        struct rows *rows = user;
        Slumber__AcctRow *row = xnew(Slumber__AcctRow, 1);

        slumber__acct_row__init(row);
        row->values = xnew(char *, n + 1);
        row->n_values = n;
        for (size_t i = 0; i < n; i++)
                row->values[i] = xstrdup(texts[i]);
        GROW(rows->list, rows->allocated, rows->n);
        rows->list[rows->n++] = row;
}

static void rows_done(struct rows *rows) {
        for (size_t i = 0; i < rows->n; i++) {
                for (size_t k = 0; k < rows->list[i]->n_values; k++)
                        free(rows->list[i]->values[k]);
                free(rows->list[i]->values);
                free(rows->list[i]);
        }
        free(rows->list);
}

void handle_acct_query(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__AcctQuery *m = env->acct_query;
        _cleanup_free_ struct acct_word *where = acct_words_read(m->where, m->n_where);
        Slumber__AcctList list = SLUMBER__ACCT_LIST__INIT;
        struct rows rows = { 0 };
        struct fail fail = { 0 };
        bool more = false;

        if (!ctl->accounting || !where || (unsigned)m->entity >= ENTITY_MAX) {
                reply_result(ctl, &caller->from,
                                ctl->accounting ? SLUMBER_PROTOCOL : SLUMBER_NOT_SUPPORTED,
                                ctl->accounting ? "too many words, or one is too long or has a control character"
                                                : nothing_kept);
                return;
        }
        const struct acct_show show = { .entity = (enum acct_entity)m->entity,
                .where = where,
                .n_where = m->n_where,
                .skip = m->skip,
                .limit = PAGE_ROWS,
                .with_assoc = m->with_assoc,
                .viewer = viewer_of(ctl, caller),
                .row = acct_rows_add,
                .user = &rows };
        if (acct_show(ctl->cluster, &show, &more, &fail) < 0) {
                reply_result(ctl, &caller->from, SLUMBER_FAILED, fail.text);
        } else {
                list.columns = (char **)(uintptr_t)acct_columns(show.entity, m->with_assoc,
                                &list.n_columns);
                list.rows = rows.list;
                list.n_rows = rows.n;
                list.more = more;
                ENVELOPE(answer, ACCT_LIST, acct_list, &list);
                reply_now(&caller->from, &answer);
        }
        rows_done(&rows);
}
