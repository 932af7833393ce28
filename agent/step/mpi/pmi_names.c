/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Question and answer have the same form: a head, then thread, name and port, each NUL-terminated.
 * The first node returns the head's number unchanged; an answer applies only to the question
 * waiting under its number. The exchange keeps messages in order, but an answer may never come: the
 * first node's tasks have ended, or its step daemon is a build without names. With too many waiting
 * questions the answer is a refusal. A node giving up a question that publishes or awaits a name
 * sends PMI_NAME_FORGET: the first node then withdraws the name, or drops the question. A malformed
 * message is dropped, as no step daemon sends one. */
#include "agent/step/mpi/pmi_names.h"

#include "agent/step/mpi/exchange.h"
#include "agent/step/mpi/pmi_space.h"

#include <limits.h>
#include <sys/queue.h>

/* Maximum bytes of waiting questions, with their names and values, which the exchange may hold as
   long: with PMIx a task may ask again without waiting for an answer. */
#define QUESTIONS_MAX ((size_t)4 << 20)

/* Maximum timeout: a time limit may exceed the range of poll(). */
#define LOOK_AGAIN (3600 * USEC_PER_SEC)

struct head {
        uint32_t act, task, number;
        uint8_t done, has_thread;
};

struct question { /* a question to the first node */
        uint32_t number;
        struct pmi_name of; /* without texts */
        char *thread, *name;
        size_t size; /* bytes of the question, including the exchange's copy */
        usec_t by;   /* time limit, CLOCK_MONOTONIC */
        TAILQ_ENTRY(question) next;
};

struct wait { /* at the first node: question number of node from waits for name */
        uint32_t from, number;
        char *name;
        TAILQ_ENTRY(wait) next;
};

struct pmi_names {
        /* at the first node: published: values by name; by: question "NODE.NUMBER" which published
           the name */
        struct pmi_space published, by;
        TAILQ_HEAD(, wait) waits;
        size_t waits_size; /* bytes of waits */
        uint32_t last;
        TAILQ_HEAD(questions, question) questions; /* ordered by time limit */
        size_t size;                               /* bytes of questions */
        bool complained;
};

static int names_send(struct step *s, uint32_t node, uint32_t number, const struct pmi_name *n);
static void question_answered(struct step *s, uint32_t number, const struct pmi_name *n);

/* ---- the first node ---- */

static size_t wait_size(const struct wait *w) {
        return sizeof *w + strlen(w->name);
}

static void wait_end(struct pmi_names *names, struct wait *w) {
        TAILQ_REMOVE(&names->waits, w, next);
        names->waits_size -= wait_size(w);
        free(w->name);
        free(w);
}

/* false: too many questions wait. */
static bool wait_begin(struct pmi_names *names, uint32_t from, uint32_t number, const char *name) {
        if (names->waits_size > QUESTIONS_MAX)
                return false;
        struct wait *w = xnew0(struct wait, 1);
        w->from = from;
        w->number = number;
        w->name = xstrdup(strempty(name));
        TAILQ_INSERT_TAIL(&names->waits, w, next);
        names->waits_size += wait_size(w);
        return true;
}

/* name was published: answers the questions waiting for name. */
static void name_wake_waits(struct step *s, const char *name) {
        struct pmi_names *names = s->pmi_names;
        const struct pmi_name n = { .act = PMI_NAME_AWAIT,
                .task = PMI_NAME_OF_PMIX,
                .done = true,
                .name = name,
                .port = pmi_space_get(&names->published, name) };

        for (struct wait *w = TAILQ_FIRST(&names->waits), *next; w; w = next) {
                next = TAILQ_NEXT(w, next);
                if (!streq(w->name, name))
                        continue;
                if (w->from == exchange_node(s))
                        question_answered(s, w->number, &n);
                else
                        (void)names_send(s, w->from, w->number, &n);
                wait_end(names, w);
        }
}

/* Publishes a name. With PMIx a name can be published once, and may be longer. */
static bool name_publish_once(struct pmi_space *published, struct pmi_name *n) {
        if (n->task != PMI_NAME_OF_PMIX)
                return pmi_space_put_checked(published, n->name, n->port);
        if (pmi_space_get(published, n->name)) {
                n->port = PMI_NAME_THERE;
                return false;
        }
        return pmi_space_put_long(published, n->name, n->port);
}

/* Writes a question's text "NODE.NUMBER" to by, of at least 32 bytes. */
static const char *question_text(char *by, size_t size, uint32_t from, uint32_t number) {
        snprintf(by, size, "%u.%u", from, number);
        return by;
}

/* Drops a waiting question given up by node from, or withdraws the name published by the question,
   unless published again by another question. */
static void name_forget(struct pmi_names *names, uint32_t from, uint32_t number, const char *name) {
        const char *by = pmi_space_get(&names->by, name);
        struct wait *w;
        char own[32];

        TAILQ_FOREACH(w, &names->waits, next)
                if (w->from == from && w->number == number) {
                        wait_end(names, w);
                        return;
                }
        if (!by || !streq(by, question_text(own, sizeof own, from, number)))
                return;
        (void)pmi_space_drop(&names->by, name);
        (void)pmi_space_drop(&names->published, name);
}

/* Handles question number of node from; false: no answer yet. */
static bool question_answer(struct step *s, uint32_t from, uint32_t number, struct pmi_name *n) {
        struct pmi_space *published = &s->pmi_names->published;
        const char *port = NULL;
        char by[32];

        switch (n->act) {
        case PMI_NAME_PUBLISH:
                n->done = name_publish_once(published, n);
                if (n->done) {
                        pmi_space_put(&s->pmi_names->by, n->name,
                                        question_text(by, sizeof by, from, number));
                        name_wake_waits(s, n->name);
                }
                port = n->done ? NULL : n->port;
                break;
        case PMI_NAME_AWAIT:
        case PMI_NAME_LOOKUP:
                port = pmi_space_get(published, n->name);
                n->done = port;
                if (!port && n->act == PMI_NAME_AWAIT &&
                                wait_begin(s->pmi_names, from, number, n->name))
                        return false;
                break;
        case PMI_NAME_UNPUBLISH:
                n->done = pmi_space_drop(published, strempty(n->name));
                (void)pmi_space_drop(&s->pmi_names->by, strempty(n->name));
                break;
        case PMI_NAME_FORGET:
                name_forget(s->pmi_names, from, number, n->name);
                return false;
        case PMI_NAME_ACT_MAX:
        default:
                n->done = false;
        }
        n->port = port;
        return true;
}

/* ---- waiting questions ---- */

static size_t size_of(const struct pmi_name *n) {
        return sizeof(struct question) + strlen(strempty(n->thread)) + strlen(strempty(n->name)) +
               strlen(strempty(n->port));
}

static void question_forget(struct pmi_names *names, struct question *q) {
        TAILQ_REMOVE(&names->questions, q, next);
        names->size -= q->size;
        free(q->thread);
        free(q->name);
        free(q);
}

/* Keeps the questions ordered by time limit. */
static void question_insert(struct pmi_names *names, struct question *q) {
        struct question *before = TAILQ_LAST(&names->questions, questions);

        while (before && before->by > q->by)
                before = TAILQ_PREV(before, questions, next);
        if (before)
                TAILQ_INSERT_AFTER(&names->questions, before, q, next);
        else
                TAILQ_INSERT_HEAD(&names->questions, q, next);
}

static usec_t time_limit(const struct pmi_name *n, usec_t now) {
        if (n->patience)
                return now + n->patience;
        return n->act == PMI_NAME_AWAIT ? USEC_INFINITY : now + PMI_NAME_WAIT;
}

static struct question *question_add(struct pmi_names *names, const struct pmi_name *n,
                usec_t now) {
        struct question *q = xnew0(struct question, 1);

        *q = (struct question){ .number = ++names->last,
                .of = { .act = n->act,
                                .task = n->task,
                                .begun = n->begun,
                                .patience = n->patience },
                .thread = xstrdup(n->thread),
                .name = xstrdup(strempty(n->name)),
                .size = size_of(n),
                .by = time_limit(n, now) };
        question_insert(names, q);
        names->size += q->size;
        return q;
}

static void tell_asker(struct step *s, const struct pmi_name *n) {
        if (n->task == PMI_NAME_OF_PMIX)
                pmix_name_answered(s, n);
        else
                pmi_name_answered(s, n);
}

/* Answers a question and frees it. late: the time limit has passed; port: the first node's
   answer. */
static void question_end(struct step *s, struct question *q, bool done, bool late,
                const char *port) {
        struct pmi_name n = q->of;

        n.done = done;
        n.late = late;
        n.thread = q->thread;
        n.port = port;
        tell_asker(s, &n);
        question_forget(s->pmi_names, q);
}

static void question_answered(struct step *s, uint32_t number, const struct pmi_name *n) {
        struct question *q;

        TAILQ_FOREACH(q, &s->pmi_names->questions, next)
                if (q->number == number) {
                        question_end(s, q, n->done, false, n->port);
                        return;
                }
}

/* ---- messages ---- */

static int names_send(struct step *s, uint32_t node, uint32_t number, const struct pmi_name *n) {
        const struct head head = { n->act, n->task, number, n->done, n->thread != NULL };
        const char *const texts[] = { strempty(n->thread), strempty(n->name), strempty(n->port) };
        char *data = NULL;
        size_t size;
        FILE *out = memstream_open(&data, &size);

        fwrite(&head, sizeof head, 1, out);
        for (size_t i = 0; i < ELEMENTSOF(texts); i++)
                fwrite(texts[i], strlen(texts[i]) + 1, 1, out);
        memstream_close(out);
        int r = exchange_send(s, node, EXCHANGE_NAMES, data, size);
        free(data);
        return r;
}

/* Texts are borrowed from data. */
static bool names_read_message(const uint8_t *data, size_t size, struct pmi_name *ret,
                uint32_t *ret_number) {
        const char *texts[3], *p = (const char *)data + sizeof(struct head);
        struct head head;

        if (size < sizeof head)
                return false;
        memcpy(&head, data, sizeof head);
        for (size_t i = 0; i < ELEMENTSOF(texts); i++) {
                const char *end = memchr(p, 0, size - (size_t)(p - (const char *)data));
                if (!end)
                        return false;
                texts[i] = p;
                p = end + 1;
        }
        *ret = (struct pmi_name){ .act = (enum pmi_name_act)head.act,
                .task = head.task,
                .done = head.done,
                .thread = head.has_thread ? texts[0] : NULL,
                .name = texts[1],
                .port = texts[2] };
        *ret_number = head.number;
        return head.act < PMI_NAME_ACT_MAX;
}

static void names_on_message(struct step *s, uint32_t from, const uint8_t *data, size_t size,
                void *user) {
        struct pmi_name n;
        uint32_t number;

        (void)user;
        if (!s->pmi_names || !names_read_message(data, size, &n, &number))
                return;
        if (exchange_node(s) == 0) {
                if (question_answer(s, from, number, &n))
                        (void)names_send(s, from, number, &n); /* failure: the time limit answers */
                return;
        }
        if (from == 0)
                question_answered(s, number, &n);
}

/* ---- calls ---- */

void pmi_names_begin(struct step *s) {
        if (s->pmi_names)
                return;
        s->pmi_names = xnew0(struct pmi_names, 1);
        TAILQ_INIT(&s->pmi_names->questions);
        TAILQ_INIT(&s->pmi_names->waits);
        if (exchange_nodes(s) > 1)
                exchange_hook(s, EXCHANGE_NAMES, names_on_message, NULL);
}

void pmi_names_done(struct step *s) {
        struct pmi_names *names = TAKE(s->pmi_names);

        if (!names)
                return;
        while (!TAILQ_EMPTY(&names->questions))
                question_forget(names, TAILQ_FIRST(&names->questions));
        while (!TAILQ_EMPTY(&names->waits))
                wait_end(names, TAILQ_FIRST(&names->waits));
        pmi_space_done(&names->published);
        pmi_space_done(&names->by);
        free(names);
}

void pmi_name_ask(struct step *s, const struct pmi_name *question, usec_t now) {
        struct pmi_names *names = s->pmi_names;
        struct question *q = question_add(names, question, now);
        struct pmi_name n = *question;
        bool first = exchange_node(s) == 0;

        if (names->size > QUESTIONS_MAX || (!first && names_send(s, 0, q->number, &n) < 0))
                question_end(s, q, false, false, NULL);
        else if (first && question_answer(s, 0, q->number, &n))
                question_end(s, q, n.done, false, n.port);
}

static void question_give_up(struct step *s, struct question *q) {
        const struct pmi_name n = { .act = PMI_NAME_FORGET, .task = q->of.task, .name = q->name };

        if (exchange_node(s) == 0)
                name_forget(s->pmi_names, 0, q->number, q->name);
        else if (q->of.act == PMI_NAME_PUBLISH || q->of.act == PMI_NAME_AWAIT)
                (void)names_send(s, 0, q->number, &n);
        question_end(s, q, false, true, NULL);
}

void pmi_names_go_on(struct step *s, usec_t now) {
        struct question *q;

        while (s->pmi_names && (q = TAILQ_FIRST(&s->pmi_names->questions)) && q->by <= now) {
                if (!q->of.patience && !s->pmi_names->complained) {
                        step_complain(s,
                                        "the first node of the step does not answer for published names");
                        s->pmi_names->complained = true;
                }
                question_give_up(s, q);
        }
}

int pmi_names_patience(const struct step *s, usec_t now) {
        const struct question *q = s->pmi_names ? TAILQ_FIRST(&s->pmi_names->questions) : NULL;

        if (!q || q->by == USEC_INFINITY)
                return -1;
        return q->by <= now ? 0 : (int)(MIN(q->by - now, LOOK_AGAIN) / USEC_PER_MSEC + 1);
}
