/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scontrol update: one in each line ("j JOB KEY=VALUE ..." by an operator, "o JOB ..." by the owner
 * of the job, "p PARTITION ...", "c PARTITION ..." creates one, "d PARTITION" deletes it, "x ..."
 * is power saving; "t SECONDS" is time that passes).  One that is refused has its words and changes
 * nothing. */
#include "controller/nodes/node_events.h"
#include "controller/sched/sched.h"
#include "controller/turn/turn.h"
#include "controller/updates/exclude_update.h"
#include "controller/updates/job_update.h"
#include "controller/updates/partition_update.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define WORDS_MAX 32
#define LINES_MAX 50
#define START     (UINT64_C(1790000000) * USEC_PER_SEC)
#define JOBS      3

static const char conf[] =
                "ClusterName=c\nSlurmctldHost=h\nStateSaveLocation=/x\nSlurmUser=0\nSelectType=select/cons_tres\n"
                "SelectTypeParameters=CR_Core_Memory\nGresTypes=gpu\nLicenses=l:4\nPriorityType=priority/multifactor\n"
                "NodeName=n[1-4] CPUs=4 RealMemory=1000 Gres=gpu:2 Feature=a\nPartitionName=p Nodes=n[1-4] Default=YES\n"
                "PartitionName=q Nodes=n[2-3] MaxTime=60\n";

static size_t read_words(char *text, struct update_setting *settings) {
        char *rest = NULL;
        size_t n = 0;

        for (char *w = strtok_r(text, " ", &rest); w && n < WORDS_MAX;
                        w = strtok_r(NULL, " ", &rest)) {
                char *equals = strchrnul(w, '=');
                settings[n++] = (struct update_setting){ w, *equals ? equals + 1 : equals };
                *equals = 0;
        }
        return n;
}

/* Some of what an update may change. */
struct sums {
        size_t texts, nodes;
        uint64_t numbers;
};

static struct sums sums_of(const struct cluster *c) {
        struct sums s = { 0 };

        for (uint32_t id = 1; id <= JOBS; id++) {
                const struct job *j = cluster_job(c, id);
                if (!j)
                        continue;
                s.texts += job_spec_length(&j->asked);
                s.nodes += j->placed.n_alloc;
                s.numbers += j->needs.time_limit + j->priority + j->asked.min_nodes +
                             j->asked.num_tasks + j->asked.begin_time + j->needs.ordered;
        }
        for (size_t i = 0; i < c->n_partitions; i++) {
                s.nodes += bitset_count(c->partitions[i]->nodes);
                s.numbers += c->partitions[i]->max_time + c->partitions[i]->priority_tier;
        }
        return s;
}

static enum slumber_error update_job(struct cluster *c, const struct update_setting *settings,
                size_t n, bool is_operator, usec_t now, struct fail *fail) {
        struct job *j = cluster_job(c, (uint32_t)strtoul(settings[0].key, NULL, 10));
        _cleanup_(bitset_freep) struct bitset *kept = NULL;

        if (!j)
                return SLUMBER_BAD_JOB_ID;
        const struct updater by = {
                .user = { .uid = j->uid, .gid = j->gid, .user = j->user, .group = j->group },
                .is_operator = is_operator,
                .is_admin = is_operator,
        };
        return job_update(c, j, &by, settings + 1, n - 1, now, &kept, fail);
}

static void ask(struct cluster *c, char *line, usec_t *now) {
        struct update_setting settings[WORDS_MAX];
        struct fail fail = { 0 };
        char verb = *line;
        enum slumber_error e = SLUMBER_OK;
        size_t n = read_words(*line ? line + 1 : line, settings);
        const struct sums before = sums_of(c);
        unsigned kinds;

        if (n == 0)
                return;
        if (verb == 't')
                *now += strtoull(settings[0].key, NULL, 10) % 10000 * USEC_PER_SEC;
        else if (verb == 'j' || verb == 'o')
                e = update_job(c, settings, n, verb == 'j', *now, &fail);
        else if (verb == 'p')
                e = partition_update(c, settings[0].key, settings + 1, n - 1, *now, &fail);
        else if (verb == 'c')
                e = partition_create(c, settings[0].key, settings + 1, n - 1, *now, &fail);
        else if (verb == 'd')
                e = partition_delete(c, settings[0].key, *now, &fail);
        else if (verb == 'x')
                e = exclusions_update_all(c, settings, n, *now, &kinds, &fail);
        const struct sums after = sums_of(c);
        assert(e == SLUMBER_OK || (slumber_error_text((int)e) && before.texts == after.texts &&
                                                  before.nodes == after.nodes &&
                                                  before.numbers == after.numbers));
        turn(c, *now);
        effects_done(&c->effects);
}

/* One that runs, one that waits for it, an array that is held. */
static void submit(struct cluster *c, usec_t now) {
        const struct submitter user = { .uid = 1000, .gid = 1000, .user = "u", .group = "u" };
        const struct registration reg = {
                .version = "1",
                .hardware = { 4, 1, 1, 4, 1, 1000, 0 },
                .boot_time = now,
                .start_time = now,
        };

        for (size_t i = 0; i < c->n_nodes; i++)
                (void)node_register(c, c->nodes[i], &reg, now, NULL);
        for (uint32_t i = 1; i <= JOBS; i++) {
                const struct job_spec spec = {
                        .name = (char *)(uintptr_t) "job",
                        .batch = true,
                        .min_nodes = 5 - i,
                        .max_nodes = 5 - i,
                        .share = SHARE_NO,
                        .time_limit = 3600 * USEC_PER_SEC,
                        .array = (char *)(uintptr_t)(i == JOBS ? "1-4" : NULL),
                        .hold = i == JOBS,
                };
                struct job *j;
                if (job_admit(c, &spec, &user, now, &j, NULL) != SLUMBER_OK)
                        abort();
                turn(c, now);
                effects_done(&c->effects);
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
        submit(c, now);
        for (char *line = strtok_r(text, "\n", &rest); line && lines < LINES_MAX;
                        line = strtok_r(NULL, "\n", &rest), lines++)
                ask(c, line, &now);
        cluster_free(c);
        return 0;
}
