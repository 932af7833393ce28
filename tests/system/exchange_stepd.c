/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exchange-stepd - slumberstepd whose steps use the exchange between their nodes, for
 * launch/exchange: slumberd --stepd
 *
 * A step with EXCHANGE_DIR in its environment does one exchange_all() after the other, with parts
 * of up to EXCHANGE_SIZE bytes, until FOLDER/stop is there, and sends a message to the next node in
 * each.  What arrives is compared with what must.  FOLDER/NODE.round has how many are done,
 * FOLDER/NODE.end that it was all of them: "ok", or what was wrong. */
#include "agent/step/mpi/exchange.h"

#include "lib/timetext.h"

#include <fcntl.h>

int __real_step_start_tasks(struct step *s, struct fail *fail);
int __wrap_step_start_tasks(struct step *s, struct fail *fail);

static struct {
        struct step *s;
        const char *folder;
        size_t size;
        uint32_t round, heard;
        bool wrong;
} test;

static const char *variable(const struct step *s, const char *name) {
        const Slumber__StepSpec *spec = s->launch->spec;
        size_t n = strlen(name);

        for (size_t i = 0; i < spec->n_environment; i++)
                if (strncmp(spec->environment[i], name, n) == 0 && spec->environment[i][n] == '=')
                        return spec->environment[i] + n + 1;
        return NULL;
}

static void say(const char *name, const char *text) {
        _cleanup_free_ char *path = xasprintf("%s/%u.%s", test.folder, exchange_node(test.s), name),
                            *new = xasprintf("%s.new", path);
        _cleanup_close_ int fd = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

        if (fd >= 0 && fd_write(fd, text, strlen(text)) >= 0)
                (void)rename(new, path);
}

static void wrong(const char *what) {
        if (!test.wrong)
                say("end", what);
        test.wrong = true;
}

/* The first byte says whether this node has seen the stop. */
static size_t part_size(uint32_t node, uint32_t round) {
        return 1 + (node * 7919u + round * 104729u) % test.size;
}

static uint8_t part_byte(uint32_t node, uint32_t round, size_t i) {
        return (uint8_t)(node * 3 + round * 5 + i);
}

static bool right(const struct exchange_part *p, uint32_t node) {
        if (p->size != part_size(node, test.round))
                return false;
        for (size_t i = 1; i < p->size; i++)
                if (p->data[i] != part_byte(node, test.round, i))
                        return false;
        return true;
}

static void begin(void);

static void on_done(const struct exchange_part *parts, size_t n, void *user) {
        bool stop = false;

        (void)user;
        if (n != exchange_nodes(test.s))
                wrong("another number of nodes");
        for (uint32_t i = 0; i < n; i++) {
                if (!right(&parts[i], i))
                        wrong("a part is not what its node gave");
                stop |= parts[i].data[0];
        }
        _cleanup_free_ char *text = xasprintf("%u\n", ++test.round);
        say("round", text);
        if (stop && !test.wrong)
                say("end", "ok\n");
        else if (!test.wrong)
                begin();
}

static void on_text(struct step *s, uint32_t from, const uint8_t *data, size_t size, void *user) {
        uint32_t number;

        (void)user;
        if (size != sizeof number ||
                        from != (exchange_node(s) + exchange_nodes(s) - 1) % exchange_nodes(s)) {
                wrong("a message that was not sent");
                return;
        }
        memcpy(&number, data, sizeof number);
        if (number != test.heard++)
                wrong("a message was lost, or came twice");
}

static void begin(void) {
        uint32_t me = exchange_node(test.s), next = (me + 1) % exchange_nodes(test.s);
        size_t size = part_size(me, test.round);
        _cleanup_free_ char *stop = xasprintf("%s/stop", test.folder);
        _cleanup_free_ uint8_t *data = xmalloc(size);

        for (size_t i = 0; i < size; i++)
                data[i] = part_byte(me, test.round, i);
        data[0] = path_is_there(stop);
        if (next != me && exchange_send(test.s, next, EXCHANGE_TEST, &test.round,
                                          sizeof test.round) < 0)
                wrong("exchange_send() refused");
        if (exchange_all(test.s, data, size, on_done, NULL) < 0)
                wrong("exchange_all() refused");
}

int __wrap_step_start_tasks(struct step *s, struct fail *fail) {
        const char *folder = variable(s, "EXCHANGE_DIR"), *size = variable(s, "EXCHANGE_SIZE");
        uint64_t bytes = 1000;

        if (folder && !s->launch->batch) {
                if (size)
                        (void)uint_parse(size, 1, EXCHANGE_PART_MAX, &bytes);
                memset(&test, 0, sizeof test);
                test.s = s;
                test.folder = folder;
                test.size = bytes;
                exchange_hook(s, EXCHANGE_TEST, on_text, NULL);
                begin();
        }
        return __real_step_start_tasks(s, fail);
}
