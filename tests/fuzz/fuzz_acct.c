/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sacctmgr: requests, one in each line ("ab KEY=VALUE ... \x01 KEY=VALUE ...", a the verb, b the
 * entity), asked one after the other. A request that is refused changes nothing; what is shown of a
 * setting can be set. */
#include "controller/account_admin/acct_change.h"
#include "controller/model/cluster.h"

#include <ctype.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define WORDS_MAX 32

static const char conf[] =
                "ClusterName=c\nSlurmctldHost=h\nStateSaveLocation=/x\nSlurmUser=0\nNodeName=n CPUs=4\nPartitionName=p Nodes=ALL Default=YES\n";

static void read_words(char *text, struct acct_word *words, size_t *n) {
        char *rest = NULL;

        for (char *w = strtok_r(text, " ", &rest); w && *n < WORDS_MAX;
                        w = strtok_r(NULL, " ", &rest)) {
                char *equals = strchr(w, '=');
                words[*n] = (struct acct_word){ "", w, '=' };
                if (equals && equals > w) {
                        *equals = 0;
                        bool list = equals > w + 1 && (equals[-1] == '+' || equals[-1] == '-');
                        words[*n] = (struct acct_word){ w, equals + 1, list ? equals[-1] : '=' };
                        if (list)
                                equals[-1] = 0;
                }
                (*n)++;
        }
}

static size_t objects(const struct acct *a) {
        size_t n = a->n_assocs;

        for (size_t i = 0; i < a->n_clusters; i++)
                n += 1 + a->clusters[i]->n_assocs;
        return a->n_qos + a->n_accounts * 1000 + a->n_users * 1000000 + n * 1000000000;
}

static void ask(struct cluster *c, char *line) {
        struct acct_word where[WORDS_MAX], set[WORDS_MAX];
        struct acct_request req = {
                .where = where,
                .set = set,
                .user = "u",
                .level = ADMIN_ADMINISTRATOR,
                .commit = true,
        };
        char *split = strchr(line, 1);
        _cleanup_free_ char *text = NULL;
        struct fail fail = { 0 };
        size_t before = objects(&c->acct), dirty = c->acct.n_dirty;

        if (!isdigit((unsigned char)line[0]) || !isdigit((unsigned char)line[1]))
                return;
        req.verb = (enum acct_verb)((line[0] - '0') % ACCT_VERB_MAX);
        req.entity = (enum acct_entity)((line[1] - '0') % ENTITY_MAX);
        if (split) {
                *split = 0;
                read_words(split + 1, set, &req.n_set);
        }
        read_words(line + 2, req.verb == ACCT_ADD && !split ? set : where,
                        req.verb == ACCT_ADD && !split ? &req.n_set : &req.n_where);
        int r = acct_change(c, &req, &text, &fail);
        assert(text && !c->acct.entered);
        if (r < 0)
                assert(*fail.text);
        if (r != 0)
                assert(objects(&c->acct) == before && c->acct.n_dirty == dirty);
}

static void show_again(const struct acct *a, enum acct_table table, void *object) {
        size_t n;
        const struct acct_field *fields = acct_fields(table, &n);

        for (size_t i = 0; i < n; i++) {
                _cleanup_free_ char *text = acct_field_text(a, &fields[i], object), *again = NULL;
                int r = acct_field_set(a, &fields[i], object, '=', text, NULL);
                assert(r >= 0 || fields[i].type == ACCT_TEXT || fields[i].type == ACCT_MODE);
                again = acct_field_text(a, &fields[i], object);
                assert(streq(text, again));
        }
}

/* Of the cluster that is entered. */
static void check_assocs(const struct acct *a) {
        assert(a->root && a->root->user == NULL && !a->root->parent);
        for (size_t i = 0; i < a->n_assocs; i++) {
                assert(assoc_is_below(a->assocs[i], a->root));
                assert(account_find(a, a->assocs[i]->account));
                show_again(a, ACCT_ASSOC, a->assocs[i]);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_free_ char *text = xstrndup((const char *)data, size);
        _cleanup_(cluster_freep) struct cluster *c = NULL;
        struct config *config = NULL;
        char *rest = NULL;

        if (config_parse("slurm.conf", conf, sizeof conf - 1, &config, NULL) < 0 ||
                        cluster_new(config, USEC_PER_SEC, &c, NULL) < 0)
                abort();
        for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
                ask(c, line);
        assert(qos_find(&c->acct, "normal") && c->acct.root && account_find(&c->acct, "root"));
        for (size_t i = 0; i < c->acct.n_qos; i++)
                show_again(&c->acct, ACCT_QOS, c->acct.qos[i]);
        check_assocs(&c->acct);
        for (size_t i = 0; i < c->acct.n_clusters; i++) {
                acct_enter(&c->acct, c->acct.clusters[i]);
                check_assocs(&c->acct);
        }
        acct_enter(&c->acct, NULL);
        return 0;
}
