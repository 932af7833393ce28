/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reservations: requests, one in each line ("c KEY=VALUE ...", "u NAME KEY=VALUE ...", "d NAME"; "t
 * SECONDS" is time that passes). One that is refused changes nothing and says why; what is there
 * can be told and has nodes and an end behind its start. */
#include "controller/jobs/reservation_life.h"
#include "controller/model/cluster.h"
#include "controller/reservations/reservation.h"
#include "controller/turn/turn.h"
#include "controller/updates/reservation_edit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define WORDS_MAX 32
#define LINES_MAX 100
#define START     (UINT64_C(1790000000) * USEC_PER_SEC)

static const char conf[] =
                "ClusterName=c\nSlurmctldHost=h\nStateSaveLocation=/x\nSlurmUser=0\nNodeName=n[1-4] CPUs=4 Feature=a\n"
                "PartitionName=p Nodes=n[1-3] Default=YES\n";

static size_t read_words(char *text, struct update_setting *wishes) {
        char *rest = NULL;
        size_t n = 0;

        for (char *w = strtok_r(text, " ", &rest); w && n < WORDS_MAX;
                        w = strtok_r(NULL, " ", &rest)) {
                char *equals = strchrnul(w, '=');
                wishes[n++] = (struct update_setting){ w, *equals ? equals + 1 : equals };
                *equals = 0;
        }
        return n;
}

static void ask(struct cluster *c, char *line, usec_t *now) {
        struct update_setting wishes[WORDS_MAX];
        struct fail fail = { 0 };
        char verb = *line, *text = *line ? line + 1 : line;
        enum slumber_error e = SLUMBER_OK;
        struct resv *r = NULL;
        size_t n = read_words(text, wishes), before = c->resvs.n;

        if (verb == 't' && n)
                *now += strtoull(wishes[0].key, NULL, 10) % 100000000 * USEC_PER_SEC;
        else if (verb == 'c')
                e = resv_create(c, wishes, n, 0, *now, &r, &fail);
        else if (n && (r = resv_find(c, wishes[0].key)))
                e = verb == 'd' ? resv_delete(c, r, *now)
                                : resv_update(c, r, wishes + 1, n - 1, *now, &fail);
        assert(e == SLUMBER_OK || (c->resvs.n == before && slumber_error_text((int)e)));
        turn(c, *now);
        effects_done(&c->effects);
        for (size_t i = 0; i < c->resvs.n; i++) {
                const struct resv *x = c->resvs.list[i];
                _cleanup_free_ char *flags = resv_flags_text(x);
                bool floats = x->flags & RESV_FLOAT;
                assert(x->end > x->start && (floats || x->end > *now) && !bitset_empty(x->nodes) &&
                                *x->name);
                assert(x->active == (!floats && *now >= x->start) && resv_find(c, x->name) == x);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_free_ char *text = xstrndup((const char *)data, size);
        struct config *config = NULL;
        struct cluster *c = NULL;
        usec_t now = START;
        char *rest = NULL;
        int lines = 0;

        if (config_parse("slurm.conf", conf, strlen(conf), &config, NULL) < 0 ||
                        cluster_new(config, now, &c, NULL) < 0)
                abort();
        for (char *line = strtok_r(text, "\n", &rest); line && lines < LINES_MAX;
                        line = strtok_r(NULL, "\n", &rest), lines++)
                ask(c, line, &now);
        cluster_free(c);
        return 0;
}
