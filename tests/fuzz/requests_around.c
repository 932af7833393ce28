/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Around the controller of fuzz_requests.c: everything here does at once, and always in the same
 * way, what it is asked for. */
#include "tests/fuzz/requests_around.h"

#include "controller/loop/users.h"
#include "controller/programs/program.h"
#include "controller/requests/clone.h"
#include "tests/fuzz/message_input.h"

/* ---- the store: rows in memory, durable at once, and still there after a restart ---- */

struct disk disk;

struct store {
        int unused;
};

struct row *disk_find(enum store_table t, const char *key, uint64_t number) {
        for (size_t i = 0; i < disk.n; i++)
                if (disk.rows[i].table == t && disk.rows[i].number == number &&
                                streq(disk.rows[i].key, key ? key : ""))
                        return &disk.rows[i];
        return NULL;
}

static void row_remove(struct row *r) {
        free(r->key);
        free(r->data);
        *r = disk.rows[--disk.n];
}

int store_open(const char *folder, const char *url, sd_event *event, const struct store_ops *ops,
                void *user, struct store **ret, struct fail *fail) {
        *ret = xnew0(struct store, 1);
        return 0;
}

int store_load(struct store *s, enum store_table t,
                int (*row)(const char *key, uint64_t number, const uint8_t *data, size_t size,
                                void *user),
                void *user, struct fail *fail) {
        for (size_t i = 0; i < disk.n; i++) {
                const struct row *r = &disk.rows[i];
                int result = r->table == t ? row(r->key, r->number, r->data, r->size, user) : 0;
                if (result < 0)
                        return result;
        }
        return 0;
}

int store_check(const struct store *s, struct fail *fail) {
        return 0;
}

uint64_t store_last_job(const struct store *s) {
        return 0;
}

int store_clear(struct store *s, struct fail *fail) {
        while (disk.n)
                row_remove(&disk.rows[disk.n - 1]);
        return 0;
}

void store_put(struct store *s, enum store_table t, const char *key, uint64_t number, uint8_t *data,
                size_t size) {
        struct row *r = disk_find(t, key, number);

        disk.changed = true;
        if (!r) {
                GROW(disk.rows, disk.allocated, disk.n);
                r = &disk.rows[disk.n++];
                *r = (struct row){ .table = t, .key = xstrdup(key ? key : ""), .number = number };
        }
        free(r->data);
        r->data = data;
        r->size = size;
}

void store_delete(struct store *s, enum store_table t, const char *key, uint64_t number) {
        struct row *r = disk_find(t, key, number);

        disk.changed = true;
        if (r)
                row_remove(r);
}

uint64_t store_commit(struct store *s) {
        disk.batch += disk.changed;
        disk.changed = false;
        return disk.batch;
}

uint64_t store_durable(const struct store *s) {
        return disk.batch;
}

void store_read(struct store *s, enum store_table t, uint64_t number,
                void (*done)(const uint8_t *data, size_t size, void *user), void *user) {
        const struct row *r = disk_find(t, NULL, number);

        done(r ? r->data : NULL, r ? r->size : 0, user);
}

void store_copy(struct store *s, const char *folder,
                void (*done)(int r, const char *why, void *user), void *user) {
        (void)s;
        (void)folder;
        done(-EROFS, "there are no files here", user);
}

void store_finish(struct store *s) {
        (void)s;
}

struct store *store_close(struct store *s) {
        free(s);
        return NULL;
}

int store_start(struct store *s, struct fail *fail) {
        (void)s, (void)fail;
        return 0;
}

struct store *store_abandon(struct store *s) {
        return store_close(s);
}

void disk_clear(void) {
        (void)store_clear(NULL, NULL);
        free(TAKE(disk.rows));
        disk.allocated = 0;
}

/* ---- users: all are known ---- */

int users_new(sd_event *event, void (*found)(void *user), void *user, struct users **ret) {
        *ret = xmalloc(1);
        return 0;
}

struct users *users_free(struct users *u) {
        free(u);
        return NULL;
}

const struct user *users_get(struct users *u, uid_t uid, gid_t gid, bool groups) {
        static char *names[] = { (char *)(uintptr_t) "users", (char *)(uintptr_t) "video" };
        static struct user user = { .groups = names, .n_groups = ELEMENTSOF(names) };

        user.uid = uid;
        user.gid = gid;
        user.name = user.group = names[0];
        return &user;
}

int users_find(struct users *u, const char *wanted, uid_t *ret_uid, const char **ret_name) {
        if (strlen(wanted) > 3)
                return strlen(wanted) > 6 ? -EAGAIN : -ENOENT;
        *ret_uid = (uid_t)strlen(wanted);
        *ret_name = "user";
        return 0;
}

int users_find_login(struct users *u, const char *wanted, uid_t *ret_uid, gid_t *ret_gid) {
        const char *name;

        *ret_gid = 7;
        return users_find(u, wanted, ret_uid, &name);
}

int users_check(struct users *u, const char *list) {
        return strlen(list) > 12 ? -EAGAIN : strlen(list) > 9 ? -ENOENT : 0;
}

uint64_t users_awaited(const struct users *u) {
        return 0;
}

bool users_await(const struct users *u, uint64_t number) {
        return false;
}

const char *users_name(const struct users *u, uid_t uid) {
        return NULL;
}

void users_learn(struct users *u, uid_t uid, const char *name) {
}

void users_outdate(struct users *u) {
}

/* ---- programs: they end well in the event loop's next round, as no real one ends before it has
   been started ---- */

struct fake_program {
        program_ended ended;
        void *user;
};

static int on_program_over(sd_event_source *source, void *user) {
        struct fake_program *p = user;

        (void)source;
        p->ended(1, 0, false, "", p->user);
        return 0;
}

int program_start(sd_event *event, const struct program_request *req, program_ended ended,
                void *user, struct program **ret, struct fail *fail) {
        bool fails = input_peek() == 0xf1;

        if (fails)
                return fail_set(fail, -EAGAIN, "no more processes");
        struct fake_program *p = xnew(struct fake_program, 1);
        sd_event_source *source;

        *p = (struct fake_program){ ended, user };
        if (sd_event_add_defer(event, &source, on_program_over, p) < 0 ||
                        sd_event_source_set_destroy_callback(source, free) < 0)
                abort();
        (void)sd_event_source_set_floating(source, 1);
        sd_event_source_unref(source);
        return 0;
}

int program_adopt(sd_event *event, pid_t pid, uint64_t start, usec_t timeout, program_ended ended,
                void *user, struct program **ret) {
        (void)event, (void)pid, (void)start, (void)timeout, (void)ended, (void)user, (void)ret;
        return -ESRCH;
}

pid_t program_pid(const struct program *p) {
        (void)p;
        return 1;
}

void program_signal(const struct program *p, int sig) {
        (void)p, (void)sig;
}

usec_t program_age(uint64_t start) {
        (void)start;
        return 0;
}

/* ---- plans: being made until no command waits for them any more ---- */

struct clone {
        int unused;
};

struct program *program_detach(struct program *p) {
        (void)p;
        return NULL;
}

int clone_start(sd_event *event, const struct clone_request *req, struct clone **ret,
                struct fail *fail) {
        *ret = xnew0(struct clone, 1);
        return 0;
}

struct clone *clone_stop(struct clone *c) {
        free(c);
        return NULL;
}

int clone_compute(void (*work)(void *user, void *result), void *user, void *result, size_t size) {
        abort();
}
