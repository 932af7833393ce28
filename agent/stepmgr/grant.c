/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/stepmgr/grant.h"

#include "lib/bitset.h"
#include "lib/credential.h"
#include "lib/gres.h"
#include "lib/step_id.h"

#define CORES_MAX 65536 /* cores of a node */

struct grant {
        Slumber__Grant *message;
};

static Slumber__Grant *grant_copy(const Slumber__Grant *m) {
        size_t size = slumber__grant__get_packed_size(m);
        _cleanup_free_ uint8_t *data = xmalloc(MAX(size, (size_t)1));

        slumber__grant__pack(m, data);
        return slumber__grant__unpack(NULL, size, data);
}

struct grant *grant_new(const Slumber__Grant *m, struct fail *fail) {
        if (*m->why || m->key.len != CREDENTIAL_KEY_SIZE || !m->most) {
                fail_set(fail, -EACCES, "%s", *m->why ? m->why : "the controller grants nothing");
                return NULL;
        }
        struct grant *g = xnew(struct grant, 1);
        g->message = grant_copy(m);
        return g;
}

struct grant *grant_free(struct grant *g) {
        if (!g)
                return NULL;
        slumber__grant__free_unpacked(g->message, NULL);
        free(g);
        return NULL;
}

bool grant_is_of(const struct grant *g, uint32_t job, uint32_t restarts) {
        return g->message->job_id == job && g->message->restarts == restarts;
}

char **grant_hook_environment(const struct grant *g, size_t *ret_n) {
        *ret_n = g->message->n_hook_environment;
        return g->message->hook_environment;
}

/* ---- the comparison ---- */

static bool within_cores(const char *cores, const char *most) {
        _cleanup_(bitset_freep) struct bitset *a = bitset_new(CORES_MAX),
                                              *b = bitset_new(CORES_MAX);

        if (!*cores) /* all cores */
                return !*most;
        if (bitset_parse(a, cores) < 0 || bitset_parse(b, most) < 0)
                return false;
        return bitset_contains(b, a);
}

static bool within_units(const char *units, const char *most) {
        return (!units && !most) || (units && most && within_cores(units, most));
}

static bool gres_list_covers(const struct gres_list *most, const struct gres_item *item) {
        for (size_t i = 0; most && i < most->n; i++) {
                const struct gres_item *m = &most->list[i];
                if (streq(m->name, item->name) && streq(strempty(m->type), strempty(item->type)))
                        return item->count <= m->count && within_units(item->units, m->units);
        }
        return false;
}

static bool within_gres(const char *gres, const char *most) {
        _cleanup_(gres_list_freep) struct gres_list *a = NULL, *b = NULL;

        if (gres_list_parse(gres, GRES_HELD, &a, NULL) < 0 ||
                        gres_list_parse(most, GRES_HELD, &b, NULL) < 0)
                return false;
        for (size_t i = 0; a && i < a->n; i++)
                if (!gres_list_covers(b, &a->list[i]))
                        return false;
        return true;
}

/* 0: all memory of the node. */
static bool within_memory(uint64_t memory, uint64_t most) {
        return !most || (memory && memory <= most);
}

/* Returns the part of the credential that exceeds the grant; NULL if all is granted. */
static const char *grant_find_excess(const Slumber__CredentialBody *b,
                const Slumber__CredentialBody *most) {
        const struct {
                bool good;
                const char *what;
        } checks[] = {
                { b->job_id == most->job_id && b->restarts == most->restarts, "another job" },
                { b->step_id <= STEP_NUMBER_MAX, "another kind of step" },
                { b->uid == most->uid && b->gid == most->gid && streq(b->user, most->user) &&
                                                b->n_groups == 0,
                                "another user" },
                { b->cpus <= most->cpus && within_cores(b->cores, most->cores) &&
                                                streq(b->job_cores, most->job_cores),
                                "more cores" },
                { within_memory(b->mem, most->mem) && b->job_mem == most->job_mem, "more memory" },
                { within_gres(b->step_gres, most->job_gres) && streq(b->job_gres, most->job_gres),
                                "more generic resources" },
                { *b->maker && b->stream_token, "an answer to nobody" },
        };

        for (size_t i = 0; i < ELEMENTSOF(checks); i++)
                if (!checks[i].good)
                        return checks[i].what;
        return NULL;
}

int grant_check(const struct grant *g, const Slumber__LaunchStep *m, const char *node, uint64_t now,
                Slumber__CredentialBody **ret, struct fail *fail) {
        const Slumber__Grant *of = g->message;
        _cleanup_(credential_body_freep) Slumber__CredentialBody *body = NULL;

        if (!m->credential || !m->spec || m->batch || m->script || m->maker || m->x11)
                return fail_set(fail, -EACCES, "it is no launch of a step of srun's");
        int r = credential_verify(of->key.data, of->key.len, m->credential, node, now, &body, fail);
        if (r < 0)
                return r;
        const char *what = grant_find_excess(body, of->most);
        if (what)
                return fail_set(fail, -EACCES, "it is for %s than the controller grants job %u",
                                what, of->job_id);
        *ret = TAKE(body);
        return 0;
}
