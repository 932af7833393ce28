/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/tres.h"
#include "controller/model/spec.h"
#include "lib/wordlist.h"

/* ---- generic resources and licenses ---- */

static void tres_add_gres(const struct tres_names *names, const char *name, const char *type,
                uint64_t count, struct tres_set *set) {
        for (size_t i = 0; i < names->n; i++) {
                const struct tres_named *t = &names->list[i];
                if (!t->license && strcasecmp(t->name, name) == 0 &&
                                (!t->type || (type && strcasecmp(t->type, type) == 0)))
                        set->of[TRES_NAMED + i] += count;
        }
}

static void tres_add_license(const struct tres_names *names, const struct count *of,
                struct tres_set *set) {
        for (size_t i = 0; i < names->n; i++)
                if (names->list[i].license && strcasecmp(names->list[i].name, of->name) == 0)
                        set->of[TRES_NAMED + i] += of->n;
}

/* MODE_3 counts per node; the remaining modes count the request, regardless of the number of layers
   charged. */
static void add_hres(const struct cluster *c, const struct countlist *asked, uint64_t nodes,
                struct tres_set *set) {
        for (size_t i = 0; asked && i < asked->n; i++) {
                const struct hres *h = hres_find(&c->hres, asked->list[i].name);
                uint64_t times = h && h->mode == RESOURCE_MODE_3 ? nodes : nodes > 0;
                struct count all = asked->list[i];
                all.n = (uint32_t)MIN(all.n * times, (uint64_t)UINT32_MAX);
                tres_add_license(&c->acct.tres, &all, set);
        }
}

static void add_shares(const struct tres_names *names, const struct tres_holding *h,
                struct tres_set *job, struct tres_set *node) {
        struct tres_set here = { 0 };

        for (size_t i = 0; i < h->n_gres; i++) {
                const struct gres_share *s = &h->gres[i];
                const struct node *n = h->alloc[s->place].node;
                if (i && s->place != s[-1].place)
                        here = (struct tres_set){ 0 };
                if (s->item >= n->n_gres)
                        continue;
                tres_add_gres(names, n->gres_items[s->item].name, n->gres_items[s->item].type,
                                s->count, job);
                tres_add_gres(names, n->gres_items[s->item].name, n->gres_items[s->item].type,
                                s->count, &here);
                for (size_t t = TRES_NAMED; node && t < TRES_NAMED + names->n; t++)
                        node->of[t] = MAX(node->of[t], here.of[t]);
        }
}

/* ---- jobs ---- */

double tres_cost(const struct cluster *c, const struct partition *p, const struct tres_set *set) {
        return billing_of(&p->billing, &c->acct.tres, set, c->config->priority.flags);
}

static void put_cost(const struct cluster *c, const struct partition *p, struct tres_set *set) {
        set->of[TRES_BILLING] = (uint64_t)MIN(tres_cost(c, p, set), 9e18);
}

void tres_held(const struct cluster *c, const struct tres_holding *h, struct tres_set *job,
                struct tres_set *node) {
        struct tres_set most = { .of = { [TRES_NODE] = 1 } };

        *job = (struct tres_set){ .of = { [TRES_CPU] = h->num_cpus, [TRES_NODE] = h->n_alloc } };
        for (size_t i = 0; i < h->n_alloc; i++) {
                job->of[TRES_MEM] += h->alloc[i].memory;
                most.of[TRES_CPU] = MAX(most.of[TRES_CPU], (uint64_t)h->alloc[i].cpus);
                most.of[TRES_MEM] = MAX(most.of[TRES_MEM], h->alloc[i].memory);
        }
        if (c->acct.tres.n) {
                add_shares(&c->acct.tres, h, job, &most);
                for (size_t i = 0; h->licenses && i < h->licenses->n; i++)
                        if (!h->licenses->any || i == h->license)
                                tres_add_license(&c->acct.tres, &h->licenses->list[i], job);
                add_hres(c, h->hres, h->n_alloc, job);
        }
        put_cost(c, h->partition, job);
        if (node)
                *node = most;
}

void tres_of_job(const struct cluster *c, const struct job *j, struct tres_set *ret) {
        const struct tres_holding h = { .partition = j->partition,
                .alloc = j->placed.alloc,
                .n_alloc = j->placed.n_alloc,
                .num_cpus = j->placed.num_cpus,
                .gres = j->placed.gres,
                .n_gres = j->placed.n_gres,
                .licenses = j->placed.licenses_held,
                .hres = j->needs.hres };

        tres_held(c, &h, ret, NULL);
}

static void tres_add_asked_gres(const struct tres_names *names, const struct gres_wants *wants,
                uint64_t nodes, uint64_t tasks, struct tres_set *job, struct tres_set *node) {
        for (size_t i = 0; wants && i < wants->n; i++) {
                const struct gres_want *w = &wants->list[i];
                uint64_t all = w->per_job ? w->per_job
                                          : MAX(w->per_node * nodes, gres_of_tasks(w, tasks));
                tres_add_gres(names, w->name, w->type, all, job);
                if (node)
                        tres_add_gres(names, w->name, w->type, DIV_ROUND_UP(all, nodes), node);
        }
}

void tres_asked(const struct cluster *c, const struct job *j, struct tres_set *job,
                struct tres_set *node) {
        const struct job_spec *s = &j->asked;
        uint64_t nodes = MAX(1u, s->min_nodes);
        uint64_t cpus = MAX(job_cpus_asked(j), nodes * MAX(1u, j->needs.min_cpus_node));
        uint64_t memory = j->needs.mem_per_node ? j->needs.mem_per_node * nodes
                                                : j->needs.mem_per_cpu * cpus;

        *job = (struct tres_set){
                .of = { [TRES_CPU] = cpus, [TRES_MEM] = memory, [TRES_NODE] = nodes },
        };
        if (node)
                *node = (struct tres_set){
                        .of = { [TRES_CPU] = DIV_ROUND_UP(cpus, nodes),
                                        [TRES_MEM] = DIV_ROUND_UP(memory, nodes),
                                        [TRES_NODE] = 1 },
                };
        if (c->acct.tres.n)
                tres_add_asked_gres(&c->acct.tres, j->needs.gres_wants, nodes, job_tasks(j), job,
                                node);
        for (size_t i = 0; j->needs.licenses && !j->needs.licenses->any && i < j->needs.licenses->n;
                        i++)
                tres_add_license(&c->acct.tres, &j->needs.licenses->list[i], job);
        add_hres(c, j->needs.hres, nodes, job);
        put_cost(c, j->partition, job);
}

/* ---- texts ---- */

static bool is_tracked(const struct tres_names *names, const char *name, size_t length) {
        for (size_t i = 0; i < names->n; i++)
                if (strlen(names->list[i].text) == length &&
                                strncasecmp(names->list[i].text, name, length) == 0)
                        return true;
        return false;
}

/* gres: "gres/gpu=2", summed by name; taken over and freed. */
static char *named_text(const struct tres_names *names, const struct tres_set *set, char *gres) {
        _cleanup_free_ char *others = gres;
        char *text;

        if (names->n == 0)
                return TAKE(others);
        text = xstrdup("");
        for (size_t i = 0; i < names->n; i++) {
                char count[24];
                snprintf(count, sizeof count, "%llu", (unsigned long long)set->of[TRES_NAMED + i]);
                if (set->of[TRES_NAMED + i])
                        text_add_word(&text, ",", "%.*s=%s", (int)strlen(names->list[i].text),
                                        names->list[i].text, count);
        }
        for_each_word(w, others, ",") {
                size_t length = strcspn(w, "=");
                if (!is_tracked(names, w, length))
                        text_add_word(&text, ",", "%.*s=%s", (int)length, w, w + length + 1);
        }
        return text;
}

char *tres_job_text(const struct cluster *c, const struct job *j, bool held) {
        struct tres_set set;

        if (held)
                tres_of_job(c, j, &set);
        else
                tres_asked(c, j, &set, NULL);
        return named_text(&c->acct.tres, &set,
                        held ? gres_total_text(j, true)
                             : gres_asked_text(j->needs.gres_wants, MAX(1u, j->asked.min_nodes),
                                               job_tasks(j)));
}

static void tres_add_node(const struct tres_names *names, const struct node *n, bool used,
                struct tres_set *set) {
        set->of[TRES_CPU] += node_job_cpus(n);
        set->of[TRES_MEM] += n->configured.memory;
        set->of[TRES_NODE]++;
        for (size_t i = 0; i < n->n_gres; i++)
                tres_add_gres(names, n->gres_items[i].name, n->gres_items[i].type,
                                used ? n->gres_items[i].used : n->gres_items[i].count, set);
}

char *tres_node_text(const struct cluster *c, const struct node *n, bool used) {
        struct tres_set set = { 0 };

        tres_add_node(&c->acct.tres, n, used, &set);
        return named_text(&c->acct.tres, &set, gres_node_tres(n, used));
}

struct tres_set tres_of_partition(const struct cluster *c, const struct partition *p) {
        struct tres_set set = { 0 };

        bitset_for_each(i, p->nodes)
                tres_add_node(&c->acct.tres, c->nodes[i], false, &set);
        for (size_t i = 0; i < c->licenses.n; i++)
                tres_add_license(&c->acct.tres,
                                &(const struct count){ .name = c->licenses.list[i].name,
                                                .n = c->licenses.list[i].total },
                                &set);
        for (size_t i = 0; i < c->hres.n; i++)
                tres_add_license(&c->acct.tres,
                                &(const struct count){ .name = c->hres.list[i].name,
                                                .n = (uint32_t)MIN(hres_total(&c->hres.list[i]),
                                                                UINT32_MAX) },
                                &set);
        return set;
}

uint64_t tres_node_cost(const struct cluster *c, const struct node *n) {
        struct tres_set set = { 0 };
        bool weighted = false;
        double most = 0;

        for (size_t i = 0; i < n->n_partitions; i++)
                weighted |= n->partitions[i]->billing.weighted;
        if (!weighted)
                return 0;
        tres_add_node(&c->acct.tres, n, false, &set);
        for (size_t i = 0; i < n->n_partitions; i++)
                most = MAX(most, tres_cost(c, n->partitions[i], &set));
        return (uint64_t)MIN(most, 9e18);
}

uint64_t tres_partition_cost(const struct cluster *c, const struct partition *p) {
        struct tres_set set = p->billing.weighted ? tres_of_partition(c, p)
                                                  : (struct tres_set){ 0 };

        return p->billing.weighted ? (uint64_t)MIN(tres_cost(c, p, &set), 9e18) : 0;
}

char *tres_partition_text(const struct cluster *c, const struct partition *p) {
        struct tres_set set = tres_of_partition(c, p);

        return named_text(&c->acct.tres, &set, gres_nodes_text(c->nodes, p->nodes, false));
}
