/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/reservations/license.h"

#include "controller/model/cluster.h"
#include "controller/reservations/reservation.h"
#include "lib/hostlist.h"

static int license_compare(const void *a, const void *b) {
        const struct license *x = a, *y = b;

        return strcmp(x->name, y->name);
}

static void countlist_append(struct countlist **list, struct count *count) {
        size_t n = *list ? (*list)->n : 0;

        *list = xrealloc_array(*list, 1, sizeof **list + (n + 1) * sizeof(*list)->list[0]);
        (*list)->any = false;
        (*list)->list[n] = (struct count){ TAKE(count->name), count->n };
        (*list)->n = n + 1;
}

/* ---- what reservations keep ---- */

static size_t countlist_place(const struct countlist *list, const char *name) {
        for (size_t i = 0; list && i < list->n; i++)
                if (streq(list->list[i].name, name))
                        return i;
        return SIZE_MAX;
}

uint32_t resv_licenses(const struct resv *r, const char *name) {
        size_t at = r ? countlist_place(r->licenses, name) : SIZE_MAX;

        return at == SIZE_MAX ? 0 : r->licenses->list[at].n;
}

static uint32_t used_of(const struct resv *r, const char *name) {
        size_t at = countlist_place(r->licenses, name);

        return at == SIZE_MAX ? 0 : r->licenses_used[at];
}

/* Returns whether r keeps less now. */
static bool forget_unknown(struct cluster *c, struct resv *r) {
        struct countlist *list = r->licenses;
        size_t n = 0, before = list ? list->n : 0;

        for (size_t i = 0; i < before; i++) {
                if (license_find(&c->licenses, list->list[i].name)) {
                        r->licenses_used[n] = r->licenses_used[i];
                        list->list[n++] = list->list[i];
                        continue;
                }
                cluster_log_error(c, NULL,
                                "Reservation %s keeps nothing of %s any more: there is no such %s",
                                r->name, list->list[i].name,
                                strchr(list->list[i].name, '(') ? "layer" : "license");
                free(list->list[i].name);
        }
        if (n == before)
                return false;
        list->n = n;
        if (n == 0) {
                r->licenses = countlist_free(list);
                free(TAKE(r->licenses_used));
        }
        return true;
}

void licenses_forget_kept(struct cluster *c) {
        bool some = false;

        for (size_t i = 0; i < c->resvs.n; i++)
                some |= forget_unknown(c, c->resvs.list[i]);
        if (!some)
                return;
        note(c, FACT_RESERVATION_RECORD);
        note(c, FACT_RESERVATION_CHANGED);
}

/* ---- counts ---- */

static void license_count_job(struct cluster *c, const struct job *j, bool takes) {
        const struct countlist *all = job_licenses(j);

        for (size_t i = 0; all && i < all->n; i++) {
                const struct count *held = &all->list[i];
                struct license *of = license_find(&c->licenses, held->name);
                size_t at = j->placed.resv ? countlist_place(j->placed.resv->licenses, held->name)
                                           : SIZE_MAX;
                if (of)
                        of->used = takes ? of->used + held->n : of->used - held->n;
                if (at != SIZE_MAX)
                        j->placed.resv->licenses_used[at] += takes ? held->n : -held->n;
        }
}

static void note_reserved(struct cluster *c) {
        for (size_t i = 0; i < c->licenses.n; i++) {
                struct license *l = &c->licenses.list[i];
                l->reserved = 0;
                for (size_t k = 0; k < c->resvs.n && c->resvs.licenses; k++) {
                        const struct resv *r = c->resvs.list[k];
                        uint32_t keeps = r->active ? resv_licenses(r, l->name) : 0,
                                 used = used_of(r, l->name);
                        l->reserved += keeps > used ? keeps - used : 0;
                }
        }
}

void licenses_recount(struct cluster *c) {
        for (size_t i = 0; i < c->licenses.n; i++)
                c->licenses.list[i].used = 0;
        for (size_t i = 0; i < c->resvs.n; i++) {
                struct resv *r = c->resvs.list[i];
                if (r->licenses)
                        memset(r->licenses_used, 0, r->licenses->n * sizeof r->licenses_used[0]);
        }
        for (size_t i = 0; i < c->n_active; i++)
                license_count_job(c, c->active[i], true);
        note_reserved(c);
        note(c, FACT_LICENSES_CHANGED);
}

static void licenses_append(struct licenses *l, struct license license) {
        l->list = xrenew(l->list, l->n + 1);
        l->list[l->n++] = license;
}

/* Returns "natural(node[01-16])", independent of the order of nodes in slurm.conf, because jobs and
   reservations store layers by name.  The caller frees. */
static char *layer_name(const struct cluster *c, const char *resource, const struct bitset *nodes) {
        _cleanup_(hostlist_freep) struct hostlist *sorted = hostlist_new();

        bitset_for_each(i, nodes)
                hostlist_push(sorted, c->nodes[i]->name);
        hostlist_sort(sorted);
        _cleanup_free_ char *text = hostlist_text(sorted);
        return xasprintf("%s(%s)", resource, text);
}

static void load_variables(struct hres *h, const struct resource *from) {
        h->variables = xnew(struct resource_variable, from->n_variables + 1);
        for (; h->n_variables < from->n_variables; h->n_variables++)
                h->variables[h->n_variables] = (struct resource_variable){
                        xstrdup(from->variables[h->n_variables].name),
                        from->variables[h->n_variables].value
                };
}

/* Adds the layers to the licenses, too. */
static void load_resource(struct cluster *c, struct hres *h, const struct resource *from) {
        *h = (struct hres){ .name = xstrdup(from->name), .mode = from->mode };
        h->layers = xnew0(struct hres_layer, from->n_layers);
        for (size_t i = 0; i < from->n_layers; i++) {
                const struct resource_layer *l = &from->layers[i];
                struct bitset *nodes = NULL;
                if (cluster_nodes_parse(c, l->text, &nodes, NULL) < 0)
                        continue; /* the reader of the configuration has checked the text */
                h->layers[h->n_layers++] = (struct hres_layer){ .nodes = nodes,
                        .total = l->count,
                        .infinite = l->infinite };
                licenses_append(&c->licenses,
                                (struct license){ .name = layer_name(c, h->name, nodes),
                                                .total = l->infinite ? UINT32_MAX : l->count,
                                                .infinite = l->infinite,
                                                .hres = h });
        }
        load_variables(h, from);
        hres_complete(h);
}

/* Called when the licenses are sorted. */
static void find_layers(struct cluster *c) {
        for (size_t i = 0; i < c->hres.n; i++)
                for (size_t k = 0; k < c->hres.list[i].n_layers; k++) {
                        struct hres_layer *l = &c->hres.list[i].layers[k];
                        _cleanup_free_ char *name = layer_name(c, c->hres.list[i].name, l->nodes);
                        l->license = (size_t)(license_find(&c->licenses, name) - c->licenses.list);
                }
}

void licenses_parse_stored(const struct cluster *c, struct job *j) {
        j->needs.licenses = countlist_free(j->needs.licenses);
        j->needs.hres = countlist_free(j->needs.hres);
        if (!j->asked.licenses || licenses_parse(c, j->asked.licenses, &j->needs.licenses,
                                                  &j->needs.hres, NULL) >= 0)
                return;
        /* no license has such a name: j waits */
        countlist_append(&j->needs.licenses, &(struct count){ xstrdup(j->asked.licenses), 1 });
}

/* A former license may be a resource now, and vice versa. */
static void parse_again(struct cluster *c) {
        for (size_t i = 0; i < c->n_jobs; i++)
                if (c->jobs[i].job)
                        licenses_parse_stored(c, c->jobs[i].job);
}

void licenses_load(struct cluster *c, const struct config *config) {
        _cleanup_(countlist_freep) struct countlist *list = NULL;
        struct licenses *l = &c->licenses;
        const struct resources *r = config->resources;
        bool hres = c->hres.n || r;

        licenses_done(l);
        hres_list_done(&c->hres);
        if (!isempty(config->licenses)) /* the reader of the configuration has checked the text */
                (void)countlist_parse(config->licenses, false, &list, NULL);
        for (size_t i = 0; list && i < list->n; i++)
                licenses_append(l, (struct license){ .name = TAKE(list->list[i].name),
                                                   .total = list->list[i].n });
        c->hres.list = r ? xnew0(struct hres, r->n) : NULL;
        for (; r && c->hres.n < r->n; c->hres.n++)
                load_resource(c, &c->hres.list[c->hres.n], &r->list[c->hres.n]);
        list_sort(l->list, l->n, sizeof l->list[0], license_compare);
        find_layers(c);
        if (hres)
                parse_again(c);
        licenses_forget_kept(c);
        licenses_recount(c);
}

/* ---- texts ---- */

/* Returns the variable if word, "power:full_node", names a variable of the resource; else NULL. */
static const struct resource_variable *variable_in(const struct cluster *c, const char *word,
                size_t length) {
        size_t n = 0;

        while (n < length && !strchr(":=", word[n]))
                n++;
        _cleanup_free_ char *name = xstrndup(word, n),
                            *value = xstrndup(word + n + (n < length), length - MIN(n + 1, length));
        const struct hres *h = hres_find(&c->hres, name);
        for (size_t i = 0; h && i < h->n_variables; i++)
                if (streq(h->variables[i].name, value))
                        return &h->variables[i];
        return NULL;
}

/* -EINVAL for "power:full_nod": neither a count nor a variable of the resource. */
static int unknown_variable(const struct cluster *c, const char *text, struct fail *fail) {
        for (const char *p = text; *p; p += strcspn(p, ",;|"), p += *p != '\0') {
                size_t length = strcspn(p, ",;|"), n = strcspn(p, ":=,;|");
                _cleanup_free_ char *name = xstrndup(p, n),
                                    *value = n < length ? xstrndup(p + n + 1, length - n - 1)
                                                        : NULL;
                const struct hres *h = value ? hres_find(&c->hres, name) : NULL;
                if (h && value[strspn(value, "0123456789")])
                        return fail_set(fail, -EINVAL, "%.100s: a count%s was expected behind %s",
                                        value, h->n_variables ? " or one of its variables" : "",
                                        name);
        }
        return 0;
}

/* Replaces variables by numbers; the caller frees. */
static char *with_values(const struct cluster *c, const char *text) {
        char *ret = NULL;
        size_t size;
        FILE *out = memstream_open(&ret, &size);

        for (const char *p = text; *p;) {
                size_t length = strcspn(p, ",;|");
                const struct resource_variable *v = variable_in(c, p, length);
                if (v)
                        fprintf(out, "%.*s:%u", (int)strcspn(p, ":="), p, v->value);
                else
                        fprintf(out, "%.*s", (int)length, p);
                p += length;
                if (*p)
                        fputc(*p++, out);
        }
        memstream_close(out);
        return ret;
}

/* Moves the hierarchical resources from *asked to *ret. */
static int move_hres(const struct cluster *c, struct countlist **asked, struct countlist **ret,
                struct fail *fail) {
        struct countlist *list = *asked, *licenses = NULL;
        const char *by_node = NULL;
        bool any = false;

        for (size_t i = 0; i < list->n; i++) {
                const struct hres *h = hres_find(&c->hres, list->list[i].name);
                if (!h)
                        continue;
                if (list->any)
                        return fail_set(fail, -EOPNOTSUPP,
                                        "%s: a hierarchical resource cannot be one of several (\"|\")",
                                        h->name);
                if (h->mode == RESOURCE_MODE_3 && by_node)
                        return fail_set(fail, -EOPNOTSUPP,
                                        "%s and %s: a job has one resource of MODE_3 at most",
                                        by_node, h->name);
                by_node = h->mode == RESOURCE_MODE_3 ? h->name : by_node;
                any = true;
        }
        if (!any)
                return 0;
        for (size_t i = 0; i < list->n; i++)
                countlist_append(hres_find(&c->hres, list->list[i].name) ? ret : &licenses,
                                &list->list[i]);
        countlist_free(list);
        *asked = licenses;
        return 0;
}

const char *licenses_unknown(const struct cluster *c, const struct job *j) {
        const struct countlist *l = j->needs.licenses;
        const char *unknown = NULL;

        for (size_t i = 0; l && i < l->n; i++) {
                bool known = license_find(&c->licenses, l->list[i].name);
                if (known && l->any)
                        return NULL;
                if (!known && !unknown)
                        unknown = l->list[i].name;
        }
        return unknown;
}

int licenses_check_hres(const struct cluster *c, const struct countlist *asked, struct fail *fail) {
        for (size_t i = 0; asked && i < asked->n; i++) {
                uint32_t most = hres_most(hres_find(&c->hres, asked->list[i].name));
                if (asked->list[i].n > most)
                        return fail_set(fail, -EINVAL,
                                        "%u of %s requested, %u can be had of it at most",
                                        asked->list[i].n, asked->list[i].name, most);
        }
        return 0;
}

int licenses_parse(const struct cluster *c, const char *text, struct countlist **ret,
                struct countlist **ret_hres, struct fail *fail) {
        _cleanup_(countlist_freep) struct countlist *licenses = NULL, *hres = NULL;
        _cleanup_free_ char *values = c->hres.n ? with_values(c, text) : NULL;

        if (c->hres.n && strchr(text, '('))
                return fail_set(fail, -EINVAL,
                                "\"%.100s\": a layer is for reservations; a job asks for the resource",
                                text);
        int r = values ? unknown_variable(c, values, fail) : 0;

        if (r >= 0)
                r = countlist_parse(values ? values : text, true, &licenses, fail);
        if (r >= 0 && licenses && c->hres.n)
                r = move_hres(c, &licenses, &hres, fail);
        if (r < 0)
                return r;
        *ret = TAKE(licenses);
        *ret_hres = TAKE(hres);
        return 0;
}

/* Converts *name, "flat(node[09-12])", to the layer's name. */
static int name_layer(const struct cluster *c, char **name, struct fail *fail) {
        size_t n = strcspn(*name, "("), length = strlen(*name);
        _cleanup_free_ char *resource = xstrndup(*name, n),
                            *hosts = (*name)[n] ? xstrndup(*name + n + 1, length - n - 2) : NULL;
        _cleanup_(bitset_freep) struct bitset *nodes = NULL;
        const struct hres *h = hres_find(&c->hres, resource);

        if (!h && hosts)
                return fail_set(fail, -EINVAL, "%s: there is no hierarchical resource %s", *name,
                                resource);
        if (!h)
                return 0;
        if (!hosts)
                return fail_set(fail, -EINVAL, "%s: a layer of it was expected, as %s(NODES)",
                                *name, resource);
        int r = cluster_nodes_parse(c, hosts, &nodes, fail);
        if (r < 0)
                return r;
        char *layer = layer_name(c, resource, nodes);
        free(*name);
        *name = layer;
        return license_find(&c->licenses, layer)
                               ? 0
                               : fail_set(fail, -EINVAL, "%s has no layer %s", resource, layer);
}

int licenses_parse_kept(const struct cluster *c, const char *text, struct countlist **ret,
                struct fail *fail) {
        _cleanup_(countlist_freep) struct countlist *list = NULL, *again = NULL;
        int r = countlist_parse_layers(text, &list, fail);

        for (size_t i = 0; r >= 0 && list && i < list->n; i++)
                r = name_layer(c, &list->list[i].name, fail);
        if (r < 0)
                return r;
        /* a layer may have been written in two forms */
        _cleanup_free_ char *names = countlist_text(list);
        r = countlist_parse_layers(names, &again, fail);
        if (r >= 0)
                *ret = TAKE(again);
        return r;
}

static uint32_t license_most_for(const struct license *l, const struct resv *of) {
        uint32_t keeps = resv_licenses(of, l->name);

        return keeps ? MIN(keeps, l->total) : l->total;
}

int licenses_check(const struct cluster *c, const struct countlist *asked, const struct resv *of,
                struct fail *fail) {
        bool some = false;

        for (size_t i = 0; asked && i < asked->n; i++) {
                const struct license *l = license_find(&c->licenses, asked->list[i].name);
                if (!l)
                        return fail_set(fail, -EINVAL, "there is no license %.100s",
                                        asked->list[i].name);
                bool enough = asked->list[i].n <= license_most_for(l, of);
                if (!enough && (!asked->any || (!some && i + 1 == asked->n)))
                        return fail_set(fail, -EINVAL, "%u of license %s requested, %u exist%s%s",
                                        asked->list[i].n, l->name, license_most_for(l, of),
                                        resv_licenses(of, l->name) ? " in reservation " : "",
                                        resv_licenses(of, l->name) ? of->name : "");
                some |= enough;
        }
        return 0;
}

/* ---- what is left ---- */

static uint32_t held_of(const struct job *j, const char *name) {
        const struct countlist *held = job_licenses(j);

        for (size_t i = 0; held && i < held->n; i++)
                if (streq(held->list[i].name, name))
                        return held->list[i].n;
        return 0;
}

/* Returns the number held by the jobs of gone (NULL: none); of: in this reservation only, NULL:
   all. */
static uint32_t license_held_by_jobs(const struct cluster *c, const struct bitset *gone,
                const char *name, const struct resv *of) {
        uint32_t n = 0;

        for (size_t i = gone ? bitset_next(gone, 0) : SIZE_MAX; i != SIZE_MAX;
                        i = bitset_next(gone, i + 1))
                if (!of || c->active[i]->placed.resv == of)
                        n += held_of(c->active[i], name);
        return n;
}

/* Returns the unused part of the reservation's licenses, not counting the jobs of gone. */
static uint32_t left_inside(const struct cluster *c, const struct resv *r, uint32_t keeps,
                const char *name, const struct bitset *gone) {
        uint32_t used = keeps ? used_of(r, name) - license_held_by_jobs(c, gone, name, r) : 0;

        return keeps > used ? keeps - used : 0;
}

/* license_left() if the jobs at the indexes `gone` of c->active were gone; NULL: none. */
static uint32_t license_left_on_layer(const struct cluster *c, const struct job *j,
                const struct license *l, usec_t now, bool moment, const uint32_t *kept,
                const struct bitset *gone) {
        const char *name = l->name;
        usec_t limit = moment ? 1 : j->needs.time_limit, until = usec_after(now, limit);

        if (resv_licenses(j->placed.resv, name))
                return left_inside(c, j->placed.resv, license_most_for(l, j->placed.resv), name,
                                gone);
        if (l->infinite)
                return UINT32_MAX;
        uint64_t taken = l->used - license_held_by_jobs(c, gone, name, NULL) +
                         (kept ? kept[l - c->licenses.list] : 0);
        for (size_t i = 0; i < c->resvs.n && c->resvs.licenses; i++) {
                const struct resv *r = c->resvs.list[i];
                uint32_t left = left_inside(c, r, resv_licenses(r, name), name, gone);
                if (left && resv_lasts_in(r, now, until))
                        taken += left;
        }
        return l->total > taken ? l->total - (uint32_t)taken : 0;
}

static uint32_t left_without(const struct cluster *c, const struct job *j, const char *name,
                usec_t now, bool moment, const uint32_t *kept, const struct bitset *gone) {
        const struct license *l = license_find(&c->licenses, name);

        return l ? license_left_on_layer(c, j, l, now, moment, kept, gone) : 0;
}

/* The time and the excluded jobs of free_of(). */
struct occasion {
        usec_t now;
        bool moment, ever; /* ever: as if all were free */
        const uint32_t *kept;
        const struct bitset *gone;
};

static uint64_t free_of(const struct cluster *c, const struct job *j, const struct hres_layer *of,
                const struct occasion *o) {
        if (o->ever)
                return of->infinite ? HRES_FREE : of->total;
        uint32_t left = license_left_on_layer(c, j, &c->licenses.list[of->license], o->now,
                        o->moment, o->kept, o->gone);
        return left == UINT32_MAX ? HRES_FREE : left;
}

static struct hres_room *licenses_room_on(const struct cluster *c, const struct job *j,
                const struct occasion *o) {
        const struct countlist *asked = j->needs.hres;

        if (!asked)
                return NULL;
        struct hres_room *room = hres_room_new(c->n_nodes, asked->n);
        for (size_t i = 0; i < asked->n; i++) {
                const struct hres *h = hres_find(&c->hres, asked->list[i].name);
                uint64_t *free = xnew(uint64_t, h->n_layers);
                for (size_t k = 0; k < h->n_layers; k++)
                        free[k] = free_of(c, j, &h->layers[k], o);
                hres_room_add(room, h, asked->list[i].n, free);
        }
        return room;
}

struct hres_room *licenses_room(const struct cluster *c, const struct job *j, usec_t now,
                bool moment, const uint32_t *kept, const struct bitset *gone) {
        const struct occasion o = { .now = now, .moment = moment, .kept = kept, .gone = gone };

        return licenses_room_on(c, j, &o);
}

struct hres_room *licenses_room_ever(const struct cluster *c, const struct job *j) {
        return licenses_room_on(c, j, &(struct occasion){ .ever = true });
}

const char *licenses_name(const void *user, size_t license) {
        return ((const struct cluster *)user)->licenses.list[license].name;
}

uint32_t license_left(const struct cluster *c, const struct job *j, const char *name, usec_t now,
                bool moment, const uint32_t *kept) {
        return left_without(c, j, name, now, moment, kept, NULL);
}

static bool layers_free(const struct cluster *c, const struct job *j, usec_t now, bool moment,
                const uint32_t *kept, const struct bitset *gone) {
        if (!j->needs.hres)
                return true;
        _cleanup_(hres_room_freep) struct hres_room *room = licenses_room(c, j, now, moment, kept,
                        gone);
        return hres_is_open(room, j->partition->nodes, MAX(1u, j->asked.min_nodes));
}

static bool licenses_named_are_free(const struct cluster *c, const struct job *j, usec_t now,
                bool moment, const uint32_t *kept, const struct bitset *gone, size_t *ret) {
        const struct countlist *asked = j->needs.licenses;

        *ret = 0;
        for (size_t i = 0; asked && i < asked->n; i++) {
                bool enough = left_without(c, j, asked->list[i].name, now, moment, kept, gone) >=
                              asked->list[i].n;
                if (asked->any && enough) {
                        *ret = i;
                        return true;
                }
                if (!asked->any && !enough)
                        return false;
        }
        return !asked || !asked->any;
}

static bool free_without(const struct cluster *c, const struct job *j, usec_t now, bool moment,
                const uint32_t *kept, const struct bitset *gone, size_t *ret) {
        return licenses_named_are_free(c, j, now, moment, kept, gone, ret) &&
               layers_free(c, j, now, moment, kept, gone);
}

bool licenses_free_but_layers(const struct cluster *c, const struct job *j, usec_t now,
                const uint32_t *kept, size_t *ret) {
        return licenses_named_are_free(c, j, now, false, kept, NULL, ret);
}

bool licenses_free(const struct cluster *c, const struct job *j, usec_t now, bool moment,
                const uint32_t *kept, size_t *ret) {
        return free_without(c, j, now, moment, kept, NULL, ret);
}

bool licenses_free_without(const struct cluster *c, const struct job *j, usec_t now,
                const uint32_t *kept, const struct bitset *gone) {
        size_t unused;

        return free_without(c, j, now, false, kept, gone, &unused);
}

void licenses_choose(struct job *j, size_t choice, struct countlist *layers) {
        countlist_free(j->placed.licenses_held);
        j->placed.licenses_held = j->needs.licenses && j->needs.licenses->any
                                                  ? countlist_one(j->needs.licenses, choice)
                                                  : countlist_copy(j->needs.licenses);
        j->placed.licenses_held = countlist_join(j->placed.licenses_held, layers);
}

void licenses_take(struct cluster *c, const struct job *j) {
        if (!job_licenses(j))
                return;
        license_count_job(c, j, true);
        note_reserved(c);
        note(c, FACT_LICENSES_CHANGED);
}

void licenses_return(struct cluster *c, const struct job *j) {
        if (!job_licenses(j))
                return;
        license_count_job(c, j, false);
        note_reserved(c);
        note(c, FACT_LICENSES_RETURNED);
}

static struct bitset *job_nodes_left(const struct cluster *c, const struct job *j) {
        struct bitset *nodes = bitset_new(c->n_nodes);

        for (size_t i = 0; i < j->placed.n_alloc; i++)
                if (!j->placed.alloc[i].done)
                        bitset_add(nodes, j->placed.alloc[i].node->index);
        return nodes;
}

/* Returns the present free amount of each layer, for hres_charge_always(). */
static uint64_t *free_layers(const struct cluster *c, const struct hres *h, const struct job *j,
                usec_t now) {
        uint64_t *free = xnew0(uint64_t, h->n_layers);

        for (size_t i = 0; i < h->n_layers; i++)
                free[i] = free_of(c, j, &h->layers[i],
                                &(struct occasion){ .now = now, .moment = true });
        return free;
}

/* Returns the layers charged for the nodes of j; NULL: no node is in a layer. */
static struct countlist *layers_now(const struct cluster *c, const struct job *j,
                const struct count *asked, usec_t now) {
        const struct hres *h = hres_find(&c->hres, asked->name);
        _cleanup_(bitset_freep) struct bitset *nodes = job_nodes_left(c, j);
        _cleanup_free_ uint64_t *free = free_layers(c, h, j, now);

        return hres_charge_always(h, asked->n, free, nodes, licenses_name, c);
}

int licenses_now(const struct cluster *c, const struct job *j, const struct countlist *licenses,
                const struct countlist *hres, usec_t now, struct countlist **ret,
                struct fail *fail) {
        _cleanup_(countlist_freep) struct countlist *all = NULL;
        size_t choice = 0;

        while (licenses && licenses->any && choice + 1 < licenses->n &&
                        license_left(c, j, licenses->list[choice].name, now, true, NULL) <
                                        licenses->list[choice].n)
                choice++;
        all = licenses && licenses->any ? countlist_one(licenses, choice)
                                        : countlist_copy(licenses);
        for (size_t i = 0; hres && i < hres->n; i++) {
                struct countlist *layers = layers_now(c, j, &hres->list[i], now);
                if (!layers)
                        return fail_set(fail, -EINVAL, "no node of JobId=%u has %s", j->id,
                                        hres->list[i].name);
                all = countlist_join(all, layers);
        }
        *ret = TAKE(all);
        return 0;
}

void licenses_exchange(struct cluster *c, struct job *j, struct countlist *held) {
        licenses_return(c, j);
        countlist_free(j->placed.licenses_held);
        j->placed.licenses_held = held;
        licenses_take(c, j);
}

static const struct hres_layer *layer_of(const struct cluster *c, const char *name) {
        const struct license *l = license_find(&c->licenses, name);

        for (size_t i = 0; l && l->hres && i < l->hres->n_layers; i++)
                if (l->hres->layers[i].license == (size_t)(l - c->licenses.list))
                        return &l->hres->layers[i];
        return NULL;
}

/* Returns the part of `held`, held for the nodes before, that belongs to the nodes left: MODE_3
   charges each node equally. */
static uint32_t held_for(const struct cluster *c, const struct count *held,
                const struct bitset *before, const struct bitset *left) {
        const struct hres_layer *layer = layer_of(c, held->name);
        enum resource_mode mode = layer ? license_find(&c->licenses, held->name)->hres->mode
                                        : RESOURCE_MODE_1;

        if (mode == RESOURCE_MODE_1)
                return held->n;
        if (mode == RESOURCE_MODE_2)
                return bitset_overlaps(layer->nodes, left) ? held->n : 0;
        uint64_t had = MAX((size_t)1, bitset_count_and(layer->nodes, before)),
                 has = bitset_count_and(layer->nodes, left);
        return has >= had ? held->n : (uint32_t)((held->n * has + had - 1) / had);
}

struct bitset *licenses_nodes(const struct cluster *c, const struct job *j) {
        return job_licenses(j) && c->hres.n ? job_nodes_left(c, j) : NULL;
}

void licenses_shrink(struct cluster *c, struct job *j, const struct bitset *before) {
        _cleanup_(bitset_freep) struct bitset *left = before ? licenses_nodes(c, j) : NULL;
        struct countlist *held = j->placed.licenses_held;
        size_t n = 0;
        bool less = false;

        for (size_t i = 0; left && i < held->n; i++)
                less |= held_for(c, &held->list[i], before, left) < held->list[i].n;
        if (!less)
                return;
        licenses_return(c, j);
        for (size_t i = 0; i < held->n; i++) {
                held->list[i].n = held_for(c, &held->list[i], before, left);
                if (held->list[i].n)
                        held->list[n++] = held->list[i];
                else
                        free(held->list[i].name);
        }
        held->n = n;
        if (n == 0)
                j->placed.licenses_held = countlist_free(held);
        licenses_take(c, j);
}

/* ---- layers added after the start ---- */

/* Returns whether name is a former layer of the resource, or a former license of the name. */
static bool license_is_stale(const struct cluster *c, const struct hres *h, const char *name) {
        size_t n = strcspn(name, "(");

        return strlen(h->name) == n && strncmp(h->name, name, n) == 0 &&
               !license_find(&c->licenses, name);
}

/* Removes from j the former layers of the resource and a former license that is a resource now. */
static void drop_stale(const struct cluster *c, const struct hres *h, struct job *j) {
        struct countlist *held = j->placed.licenses_held;
        size_t n = 0;

        for (size_t i = 0; held && i < held->n; i++)
                if (license_is_stale(c, h, held->list[i].name))
                        free(held->list[i].name);
                else
                        held->list[n++] = held->list[i];
        if (held)
                held->n = n;
        if (n == 0)
                j->placed.licenses_held = countlist_free(held);
}

static bool holds_some(const struct cluster *c, const struct hres *h, const struct job *j) {
        for (size_t i = 0; i < h->n_layers; i++)
                if (held_of(j, licenses_name(c, h->layers[i].license)))
                        return true;
        return false;
}

/* Returns the layers of the resource that j should hold for the nodes but does not; NULL: none. */
static struct countlist *licenses_owed(const struct cluster *c, const struct hres *h, uint32_t n,
                const struct job *j, const struct bitset *nodes, usec_t now) {
        if (h->mode == RESOURCE_MODE_1 && holds_some(c, h, j))
                return NULL;
        _cleanup_free_ uint64_t *free = free_layers(c, h, j, now);
        _cleanup_(countlist_freep) struct countlist *all = hres_charge_always(h, n, free, nodes,
                        licenses_name, c);
        struct countlist *ret = NULL;
        for (size_t i = 0; all && i < all->n; i++)
                if (!held_of(j, all->list[i].name))
                        countlist_append(&ret, &all->list[i]);
        return ret;
}

static bool charge_late(struct cluster *c, const struct count *asked, struct job *j,
                const struct bitset *nodes, usec_t now) {
        const struct hres *h = hres_find(&c->hres, asked->name);
        struct countlist *more = h ? licenses_owed(c, h, asked->n, j, nodes, now) : NULL;

        if (!more)
                return false;
        for (size_t i = 0; i < more->n; i++)
                cluster_log(c, j->id, NULL,
                                "JobId=%u has started before the layer %s was there: it is charged for %u there now",
                                j->id, more->list[i].name, more->list[i].n);
        licenses_return(c, j);
        drop_stale(c, h, j);
        j->placed.licenses_held = countlist_join(j->placed.licenses_held, more);
        licenses_take(c, j);
        return true;
}

bool licenses_charge_late(struct cluster *c, struct job *j, usec_t now) {
        _cleanup_(bitset_freep) struct bitset *nodes = j->needs.hres ? licenses_nodes(c, j) : NULL;
        bool some = false;

        for (size_t i = 0; nodes && i < j->needs.hres->n; i++)
                some |= charge_late(c, &j->needs.hres->list[i], j, nodes, now);
        return some;
}

/* ---- holders of lacking licenses ---- */

/* Returns whether the licenses of j and v of the name come from a common pool. */
static bool is_one_pool(const struct job *j, const struct job *v, const char *name) {
        const struct resv *mine = resv_licenses(j->placed.resv, name) ? j->placed.resv : NULL,
                          *its = resv_licenses(v->placed.resv, name) ? v->placed.resv : NULL;

        return mine == its;
}

/* Returns whether v holds a layer with too little left for j. */
static bool holds_layer(const struct cluster *c, const struct job *j, const struct job *v,
                usec_t now) {
        const struct countlist *held = job_licenses(v);

        for (size_t i = 0; j->needs.hres && held && i < held->n; i++) {
                const struct license *l = license_find(&c->licenses, held->list[i].name);
                for (size_t k = 0; l && l->hres && k < j->needs.hres->n; k++)
                        if (streq(l->hres->name, j->needs.hres->list[k].name) &&
                                        is_one_pool(j, v, l->name) &&
                                        license_left_on_layer(c, j, l, now, false, NULL, NULL) <
                                                        j->needs.hres->list[k].n)
                                return true;
        }
        return false;
}

bool licenses_meet(const struct cluster *c, const struct job *j, const struct job *v) {
        const struct countlist *held = job_licenses(v);

        for (size_t i = 0; j->needs.hres && held && i < held->n; i++) {
                const struct license *l = license_find(&c->licenses, held->list[i].name);
                if (l && l->hres && countlist_place(j->needs.hres, l->hres->name) != SIZE_MAX)
                        return true;
        }
        return false;
}

static bool holds_any(const struct cluster *c, const struct job *j, const struct job *v,
                usec_t now) {
        for (size_t i = 0; j->needs.licenses && i < j->needs.licenses->n; i++) {
                const struct count *asked = &j->needs.licenses->list[i];
                if (held_of(v, asked->name) && is_one_pool(j, v, asked->name) &&
                                license_left(c, j, asked->name, now, false, NULL) < asked->n)
                        return true;
        }
        return holds_layer(c, j, v, now);
}

static int by_age(const void *a, const void *b) {
        const struct job *const *x = a, *const *y = b;

        if ((*x)->running.start_time != (*y)->running.start_time)
                return (*x)->running.start_time < (*y)->running.start_time ? -1 : 1;
        return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

size_t licenses_holders(const struct cluster *c, const struct job *j, usec_t now,
                struct job ***ret) {
        size_t n = 0, allocated = 0;

        *ret = NULL;
        if ((!j->needs.licenses && !j->needs.hres) ||
                        (j->needs.licenses && j->needs.licenses->any) ||
                        licenses_check(c, j->needs.licenses, j->placed.resv, NULL) < 0)
                return 0;
        for (size_t i = 0; i < c->n_active; i++)
                if (holds_any(c, j, c->active[i], now)) {
                        GROW(*ret, allocated, n);
                        (*ret)[n++] = c->active[i];
                }
        list_sort(*ret, n, sizeof **ret, by_age);
        return n;
}
