/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The handling side: a child of slumberd, connected by a socket. The request becomes a struct
 * power_conf for nodes handled by this host; results of the pool are sent back one by one. */
#include "power/via.h"

#include <signal.h>
#include <sys/prctl.h>

#include "lib/config/config.h"
#include "lib/errors.h"
#include "lib/wire.h"

#define DEADLINE_MAX (3600 * USEC_PER_SEC)
#define THREADS_MAX  1024

static int access_take(const Slumber__BmcAccess *m, struct power_access *a, struct fail *fail) {
        *a = (struct power_access){
                .driver = power_driver_find(m->driver),
                .user = xstrdup(m->user),
                .password = text_copy_or_null(m->password),
                .cipher_suite = m->cipher_suite,
                .workarounds = m->workarounds,
                .retransmit = m->retransmit,
                .session = m->session,
                .basic_auth = m->basic_auth,
                .tls_verify = m->tls_verify,
                .certificates = text_copy_or_null(m->certificates),
                .broadcast = text_copy_or_null(m->broadcast),
                .program = text_copy_or_null(m->program),
                .timeout = m->timeout,
                .soft_by_agent = m->soft_by_agent,
        };
        if (!a->driver)
                return fail_set(fail, -EOPNOTSUPP, "driver \"%.40s\" is not known to this host",
                                m->driver);
        if ((a->driver == power_driver_wake_on_lan() || a->driver == power_driver_suspend()) &&
                        !a->broadcast)
                return fail_set(fail, -EBADMSG, "no broadcast address is given");
        if (a->driver == power_driver_program() && !a->program)
                return fail_set(fail, -EBADMSG, "no program is given");
        if ((a->driver == power_driver_ipmi() || a->driver == power_driver_redfish()) &&
                        !a->password)
                return fail_set(fail, -EBADMSG, "no password is given");
        /* This process may be root, the requesting user need not be. */
        return a->program ? program_check(a->program, fail) : 0;
}

static int worker_by_node(const void *a, const void *b) {
        return strcmp(((const struct power_bmc *)a)->node, ((const struct power_bmc *)b)->node);
}

static int nodes_take(const Slumber__BmcRequest *m, struct power_conf *conf, struct fail *fail) {
        conf->bmcs = xnew0(struct power_bmc, m->n_nodes);
        for (size_t i = 0; i < m->n_nodes; i++) {
                const Slumber__BmcNode *n = m->nodes[i];
                if (n->access >= conf->n_accesses)
                        return fail_set(fail, -EBADMSG, "node %.100s has no access", n->name);
                conf->bmcs[conf->n_bmcs++] = (struct power_bmc){ xstrdup(n->name),
                        xstrdup(n->address), text_copy_or_null(n->unit), &conf->accesses[n->access],
                        0, 0 };
        }
        list_sort(conf->bmcs, conf->n_bmcs, sizeof *conf->bmcs, worker_by_node);
        for (size_t i = 1; i < conf->n_bmcs; i++)
                if (streq(conf->bmcs[i - 1].node, conf->bmcs[i].node))
                        return fail_set(fail, -EEXIST, "node %.100s stands there twice",
                                        conf->bmcs[i].node);
        return 0;
}

static int conf_take(const Slumber__BmcRequest *m, const char *lock_file, struct power_conf *conf,
                struct fail *fail) {
        int r = 0;

        conf->path = xstrdup("the request");
        conf->poll = MAX(m->poll, 10 * USEC_PER_MSEC);
        conf->cycle_pause = m->cycle_pause;
        conf->threads = MIN(MAX(m->threads, 1u), THREADS_MAX);
        conf->lock_file = xstrdup(lock_file);
        conf->accesses = xnew0(struct power_access, m->n_accesses);
        for (size_t i = 0; i < m->n_accesses && r >= 0; i++)
                r = access_take(m->accesses[i], &conf->accesses[conf->n_accesses++], fail);
        if (r >= 0)
                r = nodes_take(m, conf, fail);
        if (r >= 0 && (m->deadline == 0 || m->deadline > DEADLINE_MAX || m->n_nodes == 0 ||
                                      power_verb_parse(m->verb) < 0))
                r = fail_set(fail, -EBADMSG, "the request is malformed");
        return r;
}

/* If slumberd is gone, this process is killed. */
static void tell_result(const struct power_result *res, size_t n, size_t all, void *userdata) {
        Slumber__BmcResult m = SLUMBER__BMC_RESULT__INIT, *list[] = { &m };
        Slumber__BmcResults results = SLUMBER__BMC_RESULTS__INIT;

        if (!res)
                return;
        m.node = (char *)(uintptr_t)res->node;
        m.state = (char *)(uintptr_t)power_state_text((int)res->state);
        m.ok = res->ok;
        m.changed = res->changed;
        m.confirmed = res->confirmed;
        m.milliwatts = (uint64_t)(res->watts * 1000 + 0.5); /* at most POWER_WATTS_MAX */
#define X(field) m.field = (char *)(uintptr_t)res->identity.field;
        POWER_IDENTITY_TEXTS(X)
#undef X
        m.took = res->took;
        if (!res->ok) {
                m.fault = (char *)(uintptr_t)power_fault_text((int)res->cause.fault);
                m.text = (char *)(uintptr_t)res->cause.fail.text;
                m.retry_after = res->cause.retry_after;
        }
        results.results = list;
        results.n_results = 1;
        results.last = n == all;
        ENVELOPE(env, BMC_RESULTS, bmc_results, &results);
        (void)wire_send(userdata, &env);
}

static void worker_refuse(struct wire *w, int r, const struct fail *fail) {
        Slumber__Error e = SLUMBER__ERROR__INIT;

        e.code = r == -EOPNOTSUPP ? SLUMBER_NOT_SUPPORTED : SLUMBER_FAILED;
        e.text = (char *)(uintptr_t)fail->text;
        ENVELOPE(env, ERROR, error, &e);
        (void)wire_send(w, &env);
}

int power_worker(int fd, const char *lock_file) {
        struct power_conf *conf = xnew0(struct power_conf, 1);
        _cleanup_envelope_ Envelope *env = NULL;
        struct wire *w = wire_new(fd);
        struct fail fail = { 0 };
        int r;

        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        conf->refs = 1;
        r = wire_receive(w, DEADLINE_MAX, &env);
        if (r < 0 || env->body_case != SLUMBER__ENVELOPE__BODY_BMC_REQUEST)
                return 1;
        r = conf_take(env->bmc_request, lock_file, conf, &fail);
        if (r >= 0) {
                const Slumber__BmcRequest *m = env->bmc_request;
                struct power_pool *pool = power_pool_new(conf,
                                (enum power_verb)power_verb_parse(m->verb), m->deadline);
                for (size_t i = 0; i < m->n_nodes; i++)
                        power_pool_add(pool, m->nodes[i]->name);
                r = power_pool_run(pool, tell_result, w, &fail);
        }
        if (r < 0)
                worker_refuse(w, r, &fail);
        return r < 0;
}
