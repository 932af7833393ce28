/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the store's database that are equal for all engines: the lock of the state folder,
 * the tables' names, the packing of scripts.
 *
 * Values of STORE_SCRIPT are zstd frames with their size. A frame with a size above STORE_VALUE_MAX
 * counts as damaged and is not unpacked. */
#include "controller/store/database.h"

#include "controller/store/database_engine.h"

#include <zstd.h>

#define COMPRESSION_LEVEL 1 /* speed matters more than the last percent */

static const struct {
        const char *name;
        bool text_keys, compressed;
} tables[STORE_TABLE_MAX] = {
        [STORE_META] = { "meta", true, false },
        [STORE_NODE] = { "node", true, false },
        [STORE_JOB] = { "job", false, false },
        [STORE_SCRIPT] = { "script", false, true },
        [STORE_ENDED] = { "ended", false, false },
};

struct database {
        const struct database_engine *engine;
        void *handle; /* the engine's */
        struct state_folder *folder;
        ZSTD_CCtx *compressor;
        uint64_t last_job; /* highest job id ever put */
};

bool database_text_keys(enum store_table t) {
        assert(t < STORE_TABLE_MAX);
        return tables[t].text_keys;
}

const char *database_table_name(enum store_table t) {
        assert(t < STORE_TABLE_MAX);
        return tables[t].name;
}

int database_open(const char *folder, const char *url, struct database **ret, struct fail *fail) {
        _cleanup_(database_abandonp) struct database *db = xnew0(struct database, 1);

        assert(folder || url);
        assert(ret);

        db->compressor = ZSTD_createCCtx();
        if (!db->compressor)
                return fail_set(fail, -ENOMEM, "out of memory");
        int r = folder ? state_folder_open(folder, &db->folder, fail) : 0;
        if (r < 0)
                return r;
        const struct database_place place = { .folder = db->folder, .url = url };
        db->engine = url ? &database_postgresql : &database_sqlite;
        r = db->engine->open(&place, &db->handle, fail);
        if (r < 0)
                return r;
        db->last_job = db->engine->last_job(db->handle);
        *ret = TAKE(db);
        return 0;
}

/* The folder is unlocked last: a concurrent open is refused until all files are written back or
   removed. */
static void database_free(struct database *db, bool abandon) {
        if (db->handle)
                db->engine->close(db->handle, abandon);
        ZSTD_freeCCtx(db->compressor);
        (abandon ? state_folder_abandon : state_folder_close)(db->folder);
        free(db);
}

struct database *database_abandon(struct database *db) {
        if (db)
                database_free(db, true);
        return NULL;
}

struct database *database_close(struct database *db) {
        if (db)
                database_free(db, false);
        return NULL;
}

/* ---- values ---- */

static void *compress_value(struct database *db, const uint8_t *data, size_t size,
                size_t *ret_size) {
        size_t bound = ZSTD_compressBound(size);
        void *frame = xmalloc(bound);

        *ret_size = ZSTD_compressCCtx(db->compressor, frame, bound, data, size, COMPRESSION_LEVEL);
        if (ZSTD_isError(*ret_size)) /* the buffer is large enough: only memory can be short */
                out_of_memory();
        return frame;
}

/* Returns 0 and a malloced copy; -EBADMSG for a frame not written by compress_value(). */
static int decompress_value(const void *frame, size_t frame_size, uint8_t **ret, size_t *ret_size) {
        unsigned long long size = ZSTD_getFrameContentSize(frame, frame_size);

        if (size > STORE_VALUE_MAX) /* true for ZSTD_CONTENTSIZE_UNKNOWN and _ERROR, too */
                return -EBADMSG;
        _cleanup_free_ uint8_t *data = xmalloc((size_t)size);
        size_t n = ZSTD_decompress(data, (size_t)size, frame, frame_size);
        if (ZSTD_isError(n) || n != size)
                return -EBADMSG;
        *ret = TAKE(data);
        *ret_size = n;
        return 0;
}

/* A caller's row() or buffer, behind the unpacking of scripts. */
struct unpacking {
        const struct database *db;
        database_row row;
        void *user;
        uint8_t *data; /* database_read(): the value */
        size_t size;
        struct fail *fail;
};

static int unpack_script(const struct unpacking *u, const uint8_t *frame, size_t frame_size,
                uint8_t **ret, size_t *ret_size) {
        int r = decompress_value(frame, frame_size, ret, ret_size);

        if (r < 0)
                return fail_set(u->fail, r, "a script in the store %s is damaged",
                                u->db->engine->place(u->db->handle));
        return 0;
}

static int unpack_row(const char *key, uint64_t number, const uint8_t *frame, size_t frame_size,
                void *user) {
        struct unpacking *u = user;
        _cleanup_free_ uint8_t *data = NULL;
        size_t size = 0;
        int r = unpack_script(u, frame, frame_size, &data, &size);

        return r < 0 ? r : u->row(key, number, data, size, u->user);
}

static int keep_script(const char *key, uint64_t number, const uint8_t *frame, size_t frame_size,
                void *user) {
        struct unpacking *u = user;

        (void)key, (void)number;
        return unpack_script(u, frame, frame_size, &u->data, &u->size);
}

static int keep_value(const char *key, uint64_t number, const uint8_t *data, size_t size,
                void *user) {
        struct unpacking *u = user;

        (void)key, (void)number;
        u->data = xmalloc(size);
        if (size > 0)
                memcpy(u->data, data, size);
        u->size = size;
        return 0;
}

/* ---- the worker's functions ---- */

int database_begin(struct database *db, struct fail *fail) {
        return db->engine->begin(db->handle, fail);
}

int database_commit(struct database *db, struct fail *fail) {
        return db->engine->commit(db->handle, db->last_job, fail);
}

void database_rollback(struct database *db) {
        db->engine->rollback(db->handle);
}

int database_check(const struct database *db, struct fail *fail) {
        return db->engine->check(db->handle, fail);
}

uint64_t database_last_job(const struct database *db) {
        return db->last_job;
}

int database_put(struct database *db, enum store_table t, const char *key, uint64_t number,
                const uint8_t *data, size_t size, struct fail *fail) {
        _cleanup_free_ void *frame = NULL;

        if (t == STORE_JOB)
                db->last_job = MAX(db->last_job, number);
        if (tables[t].compressed) {
                frame = compress_value(db, data, size, &size);
                data = frame;
        }
        return db->engine->put(db->handle, t, key, number, data, size, fail);
}

int database_delete(struct database *db, enum store_table t, const char *key, uint64_t number,
                struct fail *fail) {
        return db->engine->delete (db->handle, t, key, number, fail);
}

int database_read(struct database *db, enum store_table t, uint64_t number, uint8_t **ret,
                size_t *ret_size, struct fail *fail) {
        struct unpacking u = { .db = db, .fail = fail };
        int r = db->engine->read(db->handle, t, number,
                        tables[t].compressed ? keep_script : keep_value, &u, fail);

        if (r <= 0) {
                free(u.data);
                return r;
        }
        *ret = u.data;
        *ret_size = u.size;
        return r;
}

int database_load(struct database *db, enum store_table t, database_row row, void *user,
                struct fail *fail) {
        struct unpacking u = { .db = db, .row = row, .user = user, .fail = fail };

        return tables[t].compressed ? db->engine->load(db->handle, t, unpack_row, &u, fail)
                                    : db->engine->load(db->handle, t, row, user, fail);
}

int database_clear(struct database *db, struct fail *fail) {
        int r = database_begin(db, fail);

        db->last_job = 0;
        for (size_t t = 0; t < STORE_TABLE_MAX && r >= 0; t++)
                if (t != STORE_ENDED)
                        r = db->engine->clear(db->handle, (enum store_table)t, fail);
        if (r >= 0)
                r = database_commit(db, fail);
        if (r < 0)
                database_rollback(db);
        return r;
}

int database_copy(struct database *db, const char *folder, struct fail *fail) {
        return db->engine->copy(db->handle, folder, fail);
}
