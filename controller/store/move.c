/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state is one transaction of the destination, the accounts another one before it: a move that
 * was interrupted leaves a destination without state, which the next try fills.
 *
 * Points in time of the accounts are copied as whole microseconds: the engines print fractions with
 * different precision. */
#include "controller/store/move.h"

#include "controller/store/accounting_schema.h"
#include "controller/store/accounts_engine.h"
#include "controller/store/database.h"

#define TABLES_MAX  32
#define COLUMNS_MAX 160
#define NAME_SIZE   40

/* Counts rows, and adds up a hash of each: engines may return rows in different order. */
struct digest {
        size_t n;
        uint64_t sum;
};

struct side {
        const char *text; /* as given, for sentences */
        const char *folder, *url;
        struct database *db;
        const struct accounts_engine *engine;
        void *accounts;
};

/* ---- hashes ---- */

#define HASH_BEGIN UINT64_C(0xcbf29ce484222325)

/* FNV-1a of 64 bits: finds accidents, not attacks. */
static uint64_t hash_add(uint64_t hash, const void *data, size_t size) {
        const uint8_t *bytes = data;

        for (size_t i = 0; i < size; i++)
                hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
        return (hash ^ size) * UINT64_C(0x100000001b3);
}

static void digest_add(struct digest *d, uint64_t hash) {
        d->n++;
        d->sum += hash;
}

static int digests_compare(const char *table, const struct digest *from, const struct digest *to,
                struct fail *fail) {
        if (from->n == to->n && from->sum == to->sum)
                return 0;
        return fail_set(fail, -EBADMSG,
                        "table %s differs after the move: %zu rows were read, %zu are there", table,
                        from->n, to->n);
}

/* ---- sides ---- */

static int side_open(struct side *s, const char *text, struct fail *fail) {
        s->text = text;
        if (strncmp(text, "sqlite:/", 8) == 0)
                s->folder = text + strlen("sqlite:");
        else if (strncmp(text, "postgresql://", 13) == 0)
                s->url = text;
        else
                return fail_set(fail, -EINVAL,
                                "\"%.100s\" is not a store, expected sqlite:/FOLDER or postgresql://...",
                                text);
        int r = database_open(s->folder, s->url, &s->db, fail);
        const struct accounts_place place = { .folder = s->folder, .url = s->url };
        s->engine = s->url ? &accounts_postgresql : &accounts_sqlite;
        return r < 0 ? r : s->engine->open(&place, &s->accounts, fail);
}

/* abandon: the side was made by this process and is removed. */
static void side_close(struct side *s, bool abandon) {
        if (s->accounts)
                s->engine->close(s->accounts, abandon);
        if (abandon)
                database_abandon(s->db);
        else
                database_close(s->db);
}

/* ---- the state ---- */

struct state_copy {
        struct database *to; /* NULL: the rows are only counted */
        enum store_table table;
        struct digest digest;
        struct fail *fail;
};

static int state_row(const char *key, uint64_t number, const uint8_t *data, size_t size,
                void *user) {
        struct state_copy *c = user;
        uint64_t hash = hash_add(HASH_BEGIN, key, strlen(key));

        hash = hash_add(hash, &number, sizeof number);
        digest_add(&c->digest, hash_add(hash, data, size));
        if (!c->to)
                return 0;
        return database_put(c->to, c->table, database_text_keys(c->table) ? key : NULL, number,
                        data, size, c->fail);
}

/* Reads all tables of db into digests; puts the rows into to, if not NULL. */
static int state_read(struct database *db, struct database *to,
                struct digest digests[static STORE_TABLE_MAX], struct fail *fail) {
        int r = 0;

        for (size_t t = 0; t < STORE_TABLE_MAX && r >= 0; t++) {
                struct state_copy c = { .to = to, .table = (enum store_table)t, .fail = fail };
                r = database_load(db, c.table, state_row, &c, fail);
                digests[t] = c.digest;
        }
        return r;
}

static int state_check_empty(const struct side *s, struct fail *fail) {
        struct digest digests[STORE_TABLE_MAX] = { 0 };
        int r = state_read(s->db, NULL, digests, fail);

        for (size_t t = 0; t < STORE_TABLE_MAX && r >= 0; t++)
                if (digests[t].n)
                        return fail_set(fail, -EEXIST,
                                        "the store %s has a state already, expected an empty one",
                                        s->text);
        return r;
}

static int state_move(const struct side *from, const struct side *to, struct store_moved *ret,
                struct fail *fail) {
        struct digest read[STORE_TABLE_MAX] = { 0 }, there[STORE_TABLE_MAX] = { 0 };
        int r = database_begin(to->db, fail);

        if (r >= 0)
                r = state_read(from->db, to->db, read, fail);
        if (r >= 0)
                r = database_commit(to->db, fail);
        if (r < 0) {
                database_rollback(to->db);
                return r;
        }
        r = state_read(to->db, NULL, there, fail);
        for (size_t t = 0; t < STORE_TABLE_MAX && r >= 0; t++) {
                r = digests_compare(database_table_name((enum store_table)t), &read[t], &there[t],
                                fail);
                ret->rows += there[t].n;
        }
        ret->jobs = there[STORE_JOB].n;
        return r;
}

/* ---- the accounts ---- */

struct table {
        char name[NAME_SIZE];
        size_t n;
        char columns[COLUMNS_MAX][NAME_SIZE];
        bool is_time[COLUMNS_MAX]; /* a point in time or a duration with fractions */
};

static int column_add(const char *const *values, void *user) {
        struct table *t = user;

        if (t->n == COLUMNS_MAX || strlen(values[0]) >= NAME_SIZE)
                return -E2BIG;
        t->is_time[t->n] = streq(values[1], "REAL") || streq(values[1], "double precision");
        snprintf(t->columns[t->n++], NAME_SIZE, "%s", values[0]);
        return 0;
}

/* Reads the names and types of the columns of side's table t->name. */
static int table_read(const struct side *s, struct table *t, struct fail *fail) {
        const char *params[] = { t->name };

        t->n = 0;
        int r = s->engine->query(s->accounts, s->engine->columns_sql, params, 1, 2, column_add, t,
                        fail);
        return r == -E2BIG ? fail_set(fail, r, "table %s has too many columns", t->name) : r;
}

/* Finds the tables that the steps of accounting_schema.c create; returns their number. */
static size_t tables_find(char names[TABLES_MAX][NAME_SIZE]) {
        static const char create[] = "CREATE TABLE ";
        size_t n = 0;

        for (size_t i = 0; i < n_accounting_steps; i++)
                for (const char *p = accounting_steps[i];
                                (p = strstr(p, create)) && n < TABLES_MAX;) {
                        p += strlen(create);
                        snprintf(names[n++], NAME_SIZE, "%.*s", (int)strcspn(p, " ("), p);
                }
        return n;
}

static char *select_sql(const struct table *t) {
        char *sql = NULL;
        size_t size;
        FILE *out = memstream_open(&sql, &size);

        fputs("SELECT ", out);
        for (size_t i = 0; i < t->n; i++)
                fprintf(out, t->is_time[i] ? "%sCAST(round(%s * 1000000) AS BIGINT)" : "%s%s",
                                i ? ", " : "", t->columns[i]);
        fprintf(out, " FROM %s", t->name);
        memstream_close(out);
        return sql;
}

static char *insert_sql(const struct table *t) {
        char *sql = NULL;
        size_t size;
        FILE *out = memstream_open(&sql, &size);

        fprintf(out, "INSERT INTO %s (", t->name);
        for (size_t i = 0; i < t->n; i++)
                fprintf(out, "%s%s", i ? ", " : "", t->columns[i]);
        fputs(") VALUES (", out);
        for (size_t i = 0; i < t->n; i++)
                fprintf(out, t->is_time[i] ? "%sCAST(?%zu AS BIGINT) / 1000000.0" : "%s?%zu",
                                i ? ", " : "", i + 1);
        fputc(')', out);
        memstream_close(out);
        return sql;
}

struct accounts_copy {
        const struct side *to; /* NULL: the rows are only counted */
        const char *insert;
        size_t n; /* columns */
        struct digest digest;
        struct fail *fail;
};

static int accounts_row_copy(const char *const *values, void *user) {
        struct accounts_copy *c = user;
        uint64_t hash = HASH_BEGIN;

        for (size_t i = 0; i < c->n; i++) {
                _cleanup_free_ char *copy = NULL;
                const char *text = accounts_text_as_utf8(values[i], &copy);
                hash = hash_add(hash, text, strlen(text));
        }
        digest_add(&c->digest, hash);
        return c->to ? c->to->engine->execute(c->to->accounts, c->insert, values, c->n, c->fail)
                     : 0;
}

static int table_copy_rows(const struct side *from, const struct side *to, const struct table *t,
                struct digest *ret, struct fail *fail) {
        _cleanup_free_ char *select = select_sql(t), *insert = insert_sql(t);
        struct accounts_copy c = { .to = to, .insert = insert, .n = t->n, .fail = fail };
        int r = from->engine->query(from->accounts, select, NULL, 0, t->n, accounts_row_copy, &c,
                        fail);

        *ret = c.digest;
        return r;
}

static int table_move(const struct side *from, const struct side *to, const char *name,
                struct digest *ret, struct fail *fail) {
        _cleanup_free_ struct table *t = xnew0(struct table, 1);
        _cleanup_free_ char *clear = xasprintf("DELETE FROM %s", name);
        struct digest there;

        snprintf(t->name, sizeof t->name, "%s", name);
        int r = table_read(from, t, fail);
        if (r >= 0)
                r = to->engine->execute(to->accounts, clear, NULL, 0, fail); /* predefined rows */
        if (r >= 0)
                r = table_copy_rows(from, to, t, ret, fail);
        if (r >= 0 && to->engine->ids_copied)
                r = to->engine->ids_copied(to->accounts, name, fail);
        if (r >= 0)
                r = table_copy_rows(to, NULL, t, &there, fail);
        return r < 0 ? r : digests_compare(name, ret, &there, fail);
}

static int accounts_move(const struct side *from, const struct side *to, size_t *ret_rows,
                struct fail *fail) {
        char names[TABLES_MAX][NAME_SIZE];
        size_t n = tables_find(names);

        if (!to->engine->is_new(to->accounts))
                return fail_set(fail, -EEXIST,
                                "the store %s has accounts already, expected an empty one",
                                to->text);
        int r = to->engine->begin(to->accounts, true, fail);
        for (size_t i = 0; i < n && r >= 0; i++) {
                struct digest d = { 0 };
                r = table_move(from, to, names[i], &d, fail);
                *ret_rows += d.n;
        }
        if (r >= 0)
                r = to->engine->commit(to->accounts, true, fail);
        if (r < 0)
                to->engine->rollback(to->accounts, true);
        return r;
}

/* ---- both ---- */

int store_move(const char *from, const char *to, struct store_moved *ret, struct fail *fail) {
        struct side a = { 0 }, b = { 0 };

        *ret = (struct store_moved){ 0 };
        int r = side_open(&a, from, fail);
        if (r >= 0)
                r = database_check(a.db, fail);
        if (r >= 0)
                r = side_open(&b, to, fail);
        if (r >= 0)
                r = state_check_empty(&b, fail);
        if (r >= 0)
                r = accounts_move(&a, &b, &ret->accounts, fail);
        if (r >= 0)
                r = state_move(&a, &b, ret, fail);
        side_close(&b, r < 0);
        side_close(&a, false);
        return r;
}
