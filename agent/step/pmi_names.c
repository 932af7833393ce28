/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Question and answer are the same message: a head, then thread, name and port, each with its NUL.
 * The exchange keeps them in order and loses none; a message that is none is dropped, as no step
 * daemon sends one. */
#include "agent/step/pmi_names.h"

#include "agent/step/exchange.h"
#include "agent/step/pmi_space.h"

struct head {
        uint32_t act, task, begun;
        uint8_t done, has_thread;
};

static void answer(struct step *s, struct pmi_name *n) {
        struct pmi_space *names = s->pmi_names;
        const char *port = NULL;

        switch (n->act) {
        case PMI_NAME_PUBLISH:
                n->done = pmi_space_put_checked(names, n->name, n->port);
                break;
        case PMI_NAME_LOOKUP:
                port = pmi_space_get(names, n->name);
                n->done = port;
                break;
        case PMI_NAME_UNPUBLISH:
                n->done = pmi_space_drop(names, strempty(n->name));
                break;
        case PMI_NAME_ACT_MAX:
        default:
                n->done = false;
        }
        n->port = port;
}

static int tell(struct step *s, uint32_t node, const struct pmi_name *n) {
        const struct head head = { n->act, n->task, n->begun, n->done, n->thread != NULL };
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

/* Borrowed from data. */
static bool read_message(const uint8_t *data, size_t size, struct pmi_name *ret) {
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
        *ret = (struct pmi_name){ (enum pmi_name_act)head.act, head.task, head.begun, head.done,
                head.has_thread ? texts[0] : NULL, texts[1], texts[2] };
        return head.act < PMI_NAME_ACT_MAX;
}

static void heard(struct step *s, uint32_t from, const uint8_t *data, size_t size, void *user) {
        struct pmi_name n;

        (void)user;
        if (!read_message(data, size, &n))
                return;
        if (exchange_node(s) == 0) {
                answer(s, &n);
                (void)tell(s, from, &n);
        } else if (from == 0) {
                pmi_name_answered(s, &n);
        }
}

void pmi_names_begin(struct step *s) {
        if (exchange_node(s) == 0)
                s->pmi_names = xnew0(struct pmi_space, 1);
        if (exchange_nodes(s) > 1)
                exchange_hook(s, EXCHANGE_NAMES, heard, NULL);
}

void pmi_names_done(struct step *s) {
        if (s->pmi_names)
                pmi_space_done(s->pmi_names);
        free(TAKE(s->pmi_names));
}

void pmi_name_ask(struct step *s, const struct pmi_name *question) {
        struct pmi_name n = *question;

        if (exchange_node(s) == 0)
                answer(s, &n);
        else if (tell(s, 0, &n) >= 0)
                return;
        pmi_name_answered(s, &n);
}
