/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names published by tasks through PMIx: the step's first node stores the names, together with
 * names of PMI (agent/step/mpi/pmi_names.c); the step daemons ask that node. The library calls from
 * a thread of its own; answers come in the thread of the line to the step daemon. */
#include "agent/pmi/pmixd.h"

#include <pthread.h>

static const char *nspace;
static uint32_t n_tasks;

void names_begin(const char *space, uint32_t tasks) {
        nspace = space;
        n_tasks = tasks;
}

/* A task's request, sent key by key to the step's first node; an answer has the number of its
   question. */
struct names {
        struct names *next;
        uint32_t number, rank;
        enum pmi_name_act act; /* PMI_NAME_AWAIT: lookup that waits for all keys */
        usec_t by;             /* the task's time limit, CLOCK_MONOTONIC; 0: none */
        char **keys, **values;
        size_t n, at;
        pmix_status_t status; /* first failure */
        pmix_pdata_t *found;
        size_t n_found;
        pmix_op_cbfunc_t done;
        pmix_lookup_cbfunc_t told; /* set for a lookup only */
        void *user;
};
static struct names *asked_names; /* protected by names_lock, like published */
static struct published {
        struct published *next;
        uint32_t rank;
        char *key;
} * published;
static pthread_mutex_t names_lock = PTHREAD_MUTEX_INITIALIZER;

static void names_request_free(struct names *q) {
        for (size_t i = 0; i < q->n; i++) {
                free(q->keys[i]);
                free(q->values[i]);
        }
        free(q->keys);
        free(q->values);
        if (q->found)
                PMIX_PDATA_FREE(q->found, q->n);
        free(q);
}

static struct names *names_new(enum pmi_name_act act, const pmix_proc_t *proc, size_t n,
                void *user) {
        struct names *q = xnew0(struct names, 1);

        q->act = act;
        q->rank = proc->rank;
        q->keys = xnew0(char *, MAX(n, (size_t)1));
        q->values = xnew0(char *, MAX(n, (size_t)1));
        q->status = PMIX_SUCCESS;
        q->user = user;
        return q;
}

static void names_request_add(struct names *q, const char *key, char *value) {
        q->keys[q->n] = xasprintf("%.*s", PMIX_MAX_KEYLEN, key);
        q->values[q->n++] = value;
}

/* Returns the remaining time for the step daemon in ms; 0: the step daemon's default. */
static uint32_t names_time_left(const struct names *q) {
        usec_t now = now_monotonic(), left = q->by > now ? (q->by - now) / USEC_PER_MSEC : 0;

        return q->by ? (uint32_t)MIN(MAX(left, (usec_t)1), (usec_t)UINT32_MAX) : 0;
}

static void names_ask(struct names *q) {
        const struct pmix_name_head head = { q->act, names_time_left(q) };
        static uint32_t last;
        char *text = NULL;
        size_t size;
        FILE *out = memstream_open(&text, &size);

        fwrite(q->keys[q->at], 1, strlen(q->keys[q->at]) + 1, out);
        fwrite(strempty(q->values[q->at]), 1, strlen(strempty(q->values[q->at])) + 1, out);
        memstream_close(out);
        (void)pthread_mutex_lock(&names_lock);
        uint32_t number = q->number = ++last;
        q->next = asked_names;
        asked_names = q; /* the answer may arrive from now on */
        (void)pthread_mutex_unlock(&names_lock);
        pmixd_say(PMIX_LINE_NAME, number, &head, sizeof head, text, size);
        free(text);
}

static struct names *names_take(uint32_t number) {
        struct names **p = &asked_names, *q;

        (void)pthread_mutex_lock(&names_lock);
        while (*p && (*p)->number != number)
                p = &(*p)->next;
        q = *p;
        if (q)
                *p = q->next;
        (void)pthread_mutex_unlock(&names_lock);
        return q;
}

static void note_published(uint32_t rank, const char *key) {
        struct published *p = xnew0(struct published, 1);

        p->rank = rank;
        p->key = xstrdup(key);
        (void)pthread_mutex_lock(&names_lock);
        p->next = published;
        published = p;
        (void)pthread_mutex_unlock(&names_lock);
}

/* Moves rank's published names listed in keys (NULL: all) from the list to the request. */
static void take_published(struct names *q, uint32_t rank, char **keys) {
        struct published **p = &published;
        size_t room = 1; /* allocated by names_new() */

        (void)pthread_mutex_lock(&names_lock);
        while (*p) {
                struct published *own = *p;
                bool meant = own->rank == rank && !keys;

                for (size_t i = 0; keys && keys[i] && own->rank == rank; i++)
                        meant |= streq(keys[i], own->key);
                if (!meant) {
                        p = &own->next;
                        continue;
                }
                *p = own->next;
                GROW(q->keys, room, q->n);
                q->keys[q->n++] = own->key;
                free(own);
        }
        (void)pthread_mutex_unlock(&names_lock);
        free(q->values);
        q->values = xnew0(char *, MAX(q->n, (size_t)1));
}

static char *published_value_text(uint32_t rank, pmix_value_t *value) {
        pmix_data_buffer_t buffer;
        pmix_byte_object_t bytes = { 0 };
        char *text = NULL;
        size_t size;

        PMIX_DATA_BUFFER_CONSTRUCT(&buffer);
        if (PMIx_Data_pack(NULL, &buffer, value, 1, PMIX_VALUE) != PMIX_SUCCESS ||
                        PMIx_Data_unload(&buffer, &bytes) != PMIX_SUCCESS) {
                PMIX_DATA_BUFFER_DESTRUCT(&buffer);
                return NULL;
        }
        FILE *out = memstream_open(&text, &size);
        fprintf(out, "%u ", rank);
        for (size_t i = 0; i < bytes.size; i++)
                fprintf(out, "%02x", (uint8_t)bytes.bytes[i]);
        memstream_close(out);
        PMIX_BYTE_OBJECT_DESTRUCT(&bytes);
        return text;
}

static int hex_digit_number(char c) {
        static const char digits[] = "0123456789abcdef";
        const char *at = c ? strchr(digits, c) : NULL;

        return at ? (int)(at - digits) : -1;
}

/* Reads a value published by a task, possibly on another node: data is not trusted. */
static bool published_value_read(const char *text, uint32_t *ret_rank, pmix_value_t *ret) {
        unsigned long rank = strtoul(text, (char **)&text, 10);
        size_t n = strlen(text) / 2;
        pmix_data_buffer_t buffer;
        int32_t one = 1;

        if (*text++ != ' ' || rank >= n_tasks)
                return false;
        char *bytes = xmalloc(MAX(n, (size_t)1));
        for (size_t i = 0; i < n; i++) {
                int high = hex_digit_number(text[2 * i]),
                    low = high < 0 ? -1 : hex_digit_number(text[2 * i + 1]);
                if (low < 0) {
                        n = 0;
                        break;
                }
                bytes[i] = (char)(high << 4 | low);
        }
        PMIX_DATA_BUFFER_CONSTRUCT(&buffer);
        pmix_byte_object_t whole = { .bytes = bytes, .size = n };
        *ret_rank = (uint32_t)rank;
        if (!n)
                free(bytes);
        bool good = n && PMIx_Data_load(&buffer, &whole) == PMIX_SUCCESS &&
                    PMIx_Data_unpack(NULL, &buffer, ret, &one, PMIX_VALUE) == PMIX_SUCCESS;
        PMIX_DATA_BUFFER_DESTRUCT(&buffer);
        return good;
}

static void names_end(struct names *q) {
        pmix_status_t status = q->status;

        /* The library passes values on to the task only if the status is success. */
        if (q->told && q->n_found > 0 && status != PMIX_ERR_TIMEOUT)
                status = PMIX_SUCCESS;
        if (q->told)
                q->told(status, q->found, q->n_found, q->user);
        else if (q->done)
                q->done(status, q->user);
        names_request_free(q);
}

static void name_found(struct names *q, const char *text) {
        pmix_pdata_t *d = &q->found[q->n_found];
        uint32_t rank;

        if (!published_value_read(text, &rank, &d->value)) {
                q->status = PMIX_ERR_NOT_FOUND;
                return;
        }
        PMIX_LOAD_PROCID(&d->proc, nspace, rank);
        PMIX_LOAD_KEY(d->key, q->keys[q->at]);
        q->n_found++;
}

static pmix_status_t names_failure_status(const struct names *q, uint32_t outcome,
                const char *text) {
        if (outcome == PMIX_NAME_LATE)
                return PMIX_ERR_TIMEOUT;
        if (q->act != PMI_NAME_PUBLISH)
                return PMIX_ERR_NOT_FOUND;
        return streq(text, PMI_NAME_THERE) ? PMIX_ERR_DUPLICATE_KEY : PMIX_ERR_OUT_OF_RESOURCE;
}

void names_answered(uint32_t number, const uint8_t *data, size_t size) {
        struct names *q = names_take(number);
        const char *text = (const char *)data + sizeof(uint32_t);
        uint32_t outcome = 0;

        if (!q || size <= sizeof outcome)
                return;
        memcpy(&outcome, data, sizeof outcome);
        if (outcome == PMIX_NAME_DONE && q->told)
                name_found(q, text);
        else if (outcome == PMIX_NAME_DONE && q->act == PMI_NAME_PUBLISH)
                note_published(q->rank, q->keys[q->at]);
        else if (outcome != PMIX_NAME_DONE && q->status == PMIX_SUCCESS)
                q->status = names_failure_status(q, outcome, text);
        if (++q->at < q->n && q->status != PMIX_ERR_TIMEOUT)
                names_ask(q);
        else
                names_end(q);
}

/* ---- options of requests ---- */

static bool pmix_value_number(const pmix_value_t *value, int64_t *ret) {
        switch (value->type) {
        case PMIX_DATA_RANGE:
                *ret = value->data.range;
                return true;
        case PMIX_PERSIST:
                *ret = value->data.persist;
                return true;
        case PMIX_INT:
                *ret = value->data.integer;
                return true;
        case PMIX_INT32:
                *ret = value->data.int32;
                return true;
        case PMIX_UINT:
                *ret = value->data.uint;
                return true;
        case PMIX_UINT32:
                *ret = value->data.uint32;
                return true;
        case PMIX_UINT8:
                *ret = value->data.uint8;
                return true;
        default:
                return false;
        }
}

/* A name is visible to exactly the tasks of the step, the namespace. So a lookup with a wider
   range finds the step's names. PMIx_Publish() uses the range "session" by default, and Open MPI
   always does: session means the step here. */
static pmix_status_t take_range(struct names *q, int64_t range) {
        bool all = range == PMIX_RANGE_UNDEF || range == PMIX_RANGE_NAMESPACE ||
                   range == PMIX_RANGE_SESSION;

        return all || (range == PMIX_RANGE_GLOBAL && q->act != PMI_NAME_PUBLISH)
                               ? PMIX_SUCCESS
                               : PMIX_ERR_NOT_SUPPORTED;
}

/* A name stays until unpublished or the step ends: shorter persistence is not supported. */
static pmix_status_t take_persistence(struct names *q, int64_t persistence) {
        (void)q;
        return persistence == PMIX_PERSIST_FIRST_READ || persistence == PMIX_PERSIST_PROC
                               ? PMIX_ERR_NOT_SUPPORTED
                               : PMIX_SUCCESS;
}

static pmix_status_t take_timeout(struct names *q, int64_t seconds) {
        if (seconds < 0)
                return PMIX_ERR_BAD_PARAM;
        if (seconds > 0)
                q->by = now_monotonic() + (usec_t)seconds * USEC_PER_SEC;
        return PMIX_SUCCESS;
}

/* Waiting is supported for all keys together only. */
static pmix_status_t take_wait(struct names *q, int64_t number) {
        if (q->act == PMI_NAME_PUBLISH || q->act == PMI_NAME_UNPUBLISH ||
                        (number != 0 && number != (int64_t)q->n))
                return PMIX_ERR_NOT_SUPPORTED;
        q->act = PMI_NAME_AWAIT;
        return PMIX_SUCCESS;
}

static const struct control {
        const char *key;
        pmix_status_t (*take)(struct names *q, int64_t number);
} controls[] = {
        { PMIX_RANGE, take_range },
        { PMIX_PERSISTENCE, take_persistence },
        { PMIX_TIMEOUT, take_timeout },
        { PMIX_WAIT, take_wait },
};

/* Returns true if info is an option of the request, not a name. */
static bool info_is_control(const pmix_info_t *info) {
        return strncmp(info->key, "pmix", 4) == 0;
}

/* An unknown option is ignored, as PMIx demands, unless the task requires the option. */
static pmix_status_t take_control(struct names *q, const pmix_info_t *info) {
        int64_t number;

        for (size_t i = 0; i < ELEMENTSOF(controls); i++)
                if (streq(info->key, controls[i].key))
                        return pmix_value_number(&info->value, &number)
                                               ? controls[i].take(q, number)
                                               : PMIX_ERR_BAD_PARAM;
        return PMIX_INFO_IS_REQUIRED(info) ? PMIX_ERR_NOT_SUPPORTED : PMIX_SUCCESS;
}

static pmix_status_t take_controls(struct names *q, const pmix_info_t info[], size_t n) {
        pmix_status_t r = PMIX_SUCCESS;

        for (size_t i = 0; i < n && r == PMIX_SUCCESS; i++)
                if (info_is_control(&info[i]))
                        r = take_control(q, &info[i]);
        return r;
}

/* Sends the request, or frees it on an error. */
static pmix_status_t ask_or_free(struct names *q, pmix_status_t r) {
        if (r == PMIX_SUCCESS)
                names_ask(q);
        else
                names_request_free(q);
        return r;
}

/* ---- callbacks of the library ---- */

static pmix_status_t add_published(struct names *q, const pmix_info_t *info) {
        pmix_value_t value = info->value;
        char *text = info_is_control(info) ? NULL : published_value_text(q->rank, &value);

        if (info_is_control(info))
                return PMIX_SUCCESS;
        if (!text)
                return PMIX_ERR_NOT_SUPPORTED;
        names_request_add(q, info->key, text);
        return strlen(text) > PMI_LONG_VALUE_MAX ? PMIX_ERR_OUT_OF_RESOURCE : PMIX_SUCCESS;
}

pmix_status_t names_publish(const pmix_proc_t *proc, const pmix_info_t info[], size_t n,
                pmix_op_cbfunc_t done, void *user) {
        struct names *q = names_new(PMI_NAME_PUBLISH, proc, n, user);
        pmix_status_t r = take_controls(q, info, n);

        q->done = done;
        for (size_t i = 0; i < n && r == PMIX_SUCCESS; i++)
                r = add_published(q, &info[i]);
        if (r == PMIX_SUCCESS && q->n == 0)
                r = PMIX_ERR_BAD_PARAM;
        return ask_or_free(q, r);
}

pmix_status_t names_lookup(const pmix_proc_t *proc, char **keys, const pmix_info_t info[], size_t n,
                pmix_lookup_cbfunc_t told, void *user) {
        size_t n_keys = 0;

        while (keys && keys[n_keys])
                n_keys++;
        struct names *q = names_new(PMI_NAME_LOOKUP, proc, n_keys, user);
        q->told = told;
        for (size_t i = 0; i < n_keys; i++)
                names_request_add(q, keys[i], NULL);
        if (n_keys > 0)
                PMIX_PDATA_CREATE(q->found, n_keys);
        return ask_or_free(q, n_keys > 0 ? take_controls(q, info, n) : PMIX_ERR_BAD_PARAM);
}

/* A task can unpublish only names that the task has published. */
pmix_status_t names_unpublish(const pmix_proc_t *proc, char **keys, const pmix_info_t info[],
                size_t n, pmix_op_cbfunc_t done, void *user) {
        struct names *q = names_new(PMI_NAME_UNPUBLISH, proc, 0, user);
        pmix_status_t r = take_controls(q, info, n);

        q->done = done;
        if (r == PMIX_SUCCESS)
                take_published(q, proc->rank, keys);
        if (r == PMIX_SUCCESS && q->n == 0)
                r = keys ? PMIX_ERR_NOT_FOUND : PMIX_OPERATION_SUCCEEDED;
        return ask_or_free(q, r);
}
