/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Look-ups of users. One thread asks the name service, which may be a slow or unreachable directory
 * on the network; the loop uses known entries and learns of new ones by an eventfd.
 *
 *   users_get() -> lookup into todo -> thread: lookup_answer() -> lookup into done -> eventfd
 *        -> lookups_collect() -> found()
 *
 * A lookup belongs to the thread from todo to done; entries belong to the loop. users_new() starts
 * the thread. A list is a single lookup, put at the end again after each of its names: other
 * lookups do not wait for the whole list, and lists have no size limit. */
#include "controller/loop/users.h"

#include "lib/thread.h"
#include "lib/timetext.h"

#include <grp.h>
#include <pwd.h>
#include <sys/eventfd.h>
#include <time.h>

/* active users; the least recently requested entry is replaced */
#define ENTRIES_MAX 4096
/* names of one kind, valid or not; the least recently requested name is replaced */
#define NAMED_MAX 256
/* logins being looked up: any holder of another cluster's key can invent names at full speed */
#define LOGINS_LOOKING_MAX 64
/* LOGIN_NAME_MAX of kernel and glibc: libnss_systemd aborts for names of megabytes */
#define NAME_BYTES 256
#define GROUPS_MAX 65536     /* limit of the kernel */
#define BUFFER_MAX (4 << 20) /* a group of 100,000 members */

/* Each kind has separate space, so no kind displaces a second kind. */
enum named_kind { NAMED_USER, NAMED_LIST, NAMED_LOGIN };

struct lookup {
        struct lookup *next;
        bool want_groups;
        char *wanted; /* name or uid, or a list of both; NULL: user.uid */
        enum named_kind kind;
        size_t at; /* position of the next name in a list */
        struct user user;
};

struct entry {
        struct user user;
        /* CLOCK_MONOTONIC; found_at 0: only the name is known, or outdated */
        usec_t found_at, asked_at;
        bool has_groups;
        uint64_t looking; /* number of the running lookup; 0: none */
};

/* A name as given by a client. */
struct named {
        char *wanted, *name; /* name NULL: no such user, or for a list: not all names are users */
        enum named_kind kind;
        uid_t uid;
        gid_t gid;
        usec_t found_at, asked_at; /* CLOCK_MONOTONIC; found_at 0: not yet */
        uint64_t looking;          /* as in struct entry */
};

struct users {
        void (*found)(void *user);
        void *user;
        sd_event_source *source;
        int eventfd;

        struct entry *entries;
        size_t n_entries, a_entries;
        struct named *named;
        size_t n_named, a_named;
        uint64_t last_lookup, awaited; /* numbers; awaited: see users_awaited() */

        pthread_t thread;
        bool running;
        pthread_mutex_t mutex;
        pthread_cond_t wake;
        struct lookup *todo, *done; /* under the mutex */
        bool closing;
};

static void user_clear(struct user *user) {
        free(user->name);
        free(user->group);
        texts_free(user->groups, user->n_groups);
        *user = (struct user){ 0 };
}

static void user_lookup_free(struct lookup *l) {
        user_clear(&l->user);
        free(l->wanted);
        free(l);
}

/* ---- the thread ---- */

/* Enlarges the buffer; returns false above BUFFER_MAX. Buffers live for seconds and are rare. */
static bool lookup_grow_buffer(char **buffer, size_t *size) {
        *size = *size ? *size * 4 : 16384;
        free(*buffer);
        *buffer = *size > BUFFER_MAX ? NULL : xmalloc(*size);
        return *buffer;
}

static char *user_group_name(gid_t gid) {
        _cleanup_free_ char *buffer = NULL;
        struct group gr, *found = NULL;
        size_t size = 0;

        while (lookup_grow_buffer(&buffer, &size) &&
                        getgrgid_r(gid, &gr, buffer, size, &found) == ERANGE)
                ;
        return found ? xstrdup(found->gr_name) : NULL;
}

static void user_find_groups(struct user *user, gid_t primary) {
        _cleanup_free_ gid_t *gids = NULL;
        int n = 64, asked;

        do {
                asked = n;
                gids = xrenew(gids, (size_t)n);
        } while (getgrouplist(user->name, primary, gids, &n) < 0 && n > asked && n <= GROUPS_MAX);
        n = MIN(n, asked);
        user->groups = xnew0(char *, (size_t)n + 1);
        for (int i = 0; i < n; i++) {
                char *name = user_group_name(gids[i]);
                if (name)
                        user->groups[user->n_groups++] = name;
        }
}

static char *user_find_wanted(const char *wanted, struct user *ret) {
        _cleanup_free_ char *buffer = NULL;
        struct passwd pw, *found = NULL;
        uint64_t uid;
        bool number = uint_parse(wanted, 0, UINT32_MAX - 1, &uid) == 0;
        size_t size = 0;

        while (lookup_grow_buffer(&buffer, &size) &&
                        (number ? getpwuid_r((uid_t)uid, &pw, buffer, size, &found)
                                : getpwnam_r(wanted, &pw, buffer, size, &found)) == ERANGE)
                ;
        if (!found)
                return NULL;
        ret->uid = found->pw_uid;
        ret->gid = found->pw_gid;
        return xstrdup(found->pw_name);
}

/* Looks up the next name of a list. Returns true at the end of the list, with user.name set, or at
   an unknown name, with user.name NULL. */
static bool lookup_answer_next(struct lookup *l) {
        const char *from = l->wanted + l->at + strspn(l->wanted + l->at, ",");
        size_t sign = *from == '-' || *from == '+', n = strcspn(from + sign, ",");
        _cleanup_free_ char *name = xstrndup(from + sign, n), *found = NULL;

        if (*from && n) {
                found = n > NAME_BYTES ? NULL : user_find_wanted(name, &l->user);
                if (!found)
                        return true;
        }
        l->at = (size_t)(from + sign + n - l->wanted);
        if (l->wanted[l->at])
                return false;
        l->user.name = xstrdup("");
        return true;
}

/* Looks up l; returns false if a list has more names. */
static bool lookup_answer(struct lookup *l) {
        _cleanup_free_ char *buffer = NULL;
        struct passwd pw, *found = NULL;
        size_t size = 0;

        if (l->kind == NAMED_LIST)
                return lookup_answer_next(l);
        if (l->wanted) {
                l->user.name = user_find_wanted(l->wanted, &l->user);
                return true;
        }
        while (lookup_grow_buffer(&buffer, &size) &&
                        getpwuid_r(l->user.uid, &pw, buffer, size, &found) == ERANGE)
                ;
        l->user.name = xstrdup(found ? found->pw_name : "nobody");
        l->user.group = user_group_name(l->user.gid);
        if (!l->user.group)
                l->user.group = xstrdup("nobody");
        if (found && l->want_groups)
                user_find_groups(&l->user, found->pw_gid);
        return true;
}

/* Appends l to todo; needs the mutex. */
static void lookup_put_last(struct users *u, struct lookup *l) {
        struct lookup **last = &u->todo;

        while (*last)
                last = &(*last)->next;
        l->next = NULL;
        *last = l;
}

static void *lookup_thread_work(void *arg) {
        struct users *u = arg;

        pthread_mutex_lock(&u->mutex);
        while (!u->closing) {
                struct lookup *l = u->todo;
                if (!l) {
                        pthread_cond_wait(&u->wake, &u->mutex);
                        continue;
                }
                u->todo = l->next;
                pthread_mutex_unlock(&u->mutex);
                bool through = lookup_answer(l);
                pthread_mutex_lock(&u->mutex);
                if (!through) {
                        lookup_put_last(u, l);
                        continue;
                }
                l->next = u->done;
                u->done = l;
                (void)eventfd_write(u->eventfd, 1);
        }
        pthread_mutex_unlock(&u->mutex);
        return NULL;
}

/* ---- the loop ---- */

static struct entry *entry_find(const struct users *u, uid_t uid, gid_t gid, bool any_gid) {
        for (size_t i = 0; i < u->n_entries; i++)
                if (u->entries[i].user.uid == uid && (any_gid || u->entries[i].user.gid == gid))
                        return &u->entries[i];
        return NULL;
}

static struct entry *entry_add(struct users *u, uid_t uid, gid_t gid) {
        struct entry *e = NULL;

        if (u->n_entries < ENTRIES_MAX) {
                GROW(u->entries, u->a_entries, u->n_entries);
                e = &u->entries[u->n_entries++];
        } else {
                for (size_t i = 0; i < u->n_entries; i++)
                        if (!e || u->entries[i].asked_at < e->asked_at)
                                e = &u->entries[i];
                user_clear(&e->user);
        }
        *e = (struct entry){ .user = { .uid = uid, .gid = gid } };
        return e;
}

static void named_done(struct named *n) {
        free(n->wanted);
        free(n->name);
}

static struct named *named_find(const struct users *u, const char *wanted, enum named_kind kind) {
        for (size_t i = 0; i < u->n_named; i++)
                if (u->named[i].kind == kind && streq(u->named[i].wanted, wanted))
                        return &u->named[i];
        return NULL;
}

/* Adds a name. Names being looked up are not replaced: their requests are handled again after the
   lookup and would ask again. Returns NULL if full. */
static struct named *named_add(struct users *u, const char *wanted, enum named_kind kind) {
        struct named *n = NULL;
        size_t kept = 0, looking = 0;

        for (size_t i = 0; i < u->n_named; i++) {
                struct named *o = &u->named[i];
                kept += o->kind == kind;
                looking += o->kind == kind && o->looking != 0;
                if (o->kind == kind && !o->looking && (!n || o->asked_at < n->asked_at))
                        n = o;
        }
        if (kind == NAMED_LOGIN && looking >= LOGINS_LOOKING_MAX)
                return NULL;
        if (kept < NAMED_MAX) {
                GROW(u->named, u->a_named, u->n_named);
                n = &u->named[u->n_named++];
        } else if (n) {
                named_done(n);
        } else {
                return NULL;
        }
        *n = (struct named){ .wanted = xstrdup(wanted), .kind = kind };
        return n;
}

static void named_take_result(struct users *u, struct lookup *l) {
        struct named *n = named_find(u, l->wanted, l->kind);

        if (n) {
                free(n->name);
                n->name = TAKE(l->user.name);
                n->uid = l->user.uid;
                n->gid = l->user.gid;
                n->found_at = now_monotonic();
                n->looking = 0;
        }
        user_lookup_free(l);
}

static void entry_take_result(struct users *u, struct lookup *l) {
        struct entry *e = entry_find(u, l->user.uid, l->user.gid, false);

        if (e) { /* NULL: the entry was replaced meanwhile */
                user_clear(&e->user);
                e->user = l->user;
                e->found_at = now_monotonic();
                e->has_groups = l->want_groups;
                e->looking = 0;
                l->user = (struct user){ 0 };
        }
        user_lookup_free(l);
}

static int lookups_collect(sd_event_source *s, int fd, uint32_t events, void *user) {
        struct users *u = user;
        eventfd_t n;

        (void)eventfd_read(fd, &n);
        pthread_mutex_lock(&u->mutex);
        struct lookup *l = TAKE(u->done);
        pthread_mutex_unlock(&u->mutex);
        while (l) {
                struct lookup *next = l->next;
                l->wanted ? named_take_result(u, l) : entry_take_result(u, l);
                l = next;
        }
        u->found(u->user);
        return 0;
}

static void lookup_queue(struct users *u, struct lookup *l) {
        pthread_mutex_lock(&u->mutex);
        lookup_put_last(u, l);
        pthread_cond_signal(&u->wake);
        pthread_mutex_unlock(&u->mutex);
}

static void entry_ask(struct users *u, struct entry *e, bool groups) {
        struct lookup *l = xnew0(struct lookup, 1);

        e->looking = ++u->last_lookup;
        l->want_groups = groups;
        l->user.uid = e->user.uid;
        l->user.gid = e->user.gid;
        lookup_queue(u, l);
}

static void named_ask(struct users *u, struct named *n) {
        struct lookup *l = xnew0(struct lookup, 1);

        n->looking = ++u->last_lookup;
        l->wanted = xstrdup(n->wanted);
        l->kind = n->kind;
        lookup_queue(u, l);
}

const struct user *users_get(struct users *u, uid_t uid, gid_t gid, bool groups) {
        struct entry *e = entry_find(u, uid, gid, false);
        usec_t now = now_monotonic();

        if (!e)
                e = entry_add(u, uid, gid);
        e->asked_at = now;
        bool known = e->found_at && (e->has_groups || !groups);
        if (!e->looking && (!known || now - e->found_at > USERS_FRESH))
                entry_ask(u, e, groups);
        if (known && now - e->found_at <= USERS_OLD)
                return &e->user;
        u->awaited = e->looking;
        return NULL;
}

/* Returns 0 with *ret a known user, or an error of users_find(). */
static int named_get(struct users *u, const char *wanted, enum named_kind kind,
                const struct named **ret) {
        if (kind != NAMED_LIST && strnlen(wanted, NAME_BYTES + 1) > NAME_BYTES)
                return -ENOENT;
        struct named *n = named_find(u, wanted, kind);
        usec_t now = now_monotonic();
        if (!n && !(n = named_add(u, wanted, kind)))
                return -EBUSY;
        n->asked_at = now;
        *ret = n;
        if (n->found_at && now - n->found_at <= USERS_FRESH)
                return n->name ? 0 : -ENOENT;
        if (!n->looking)
                named_ask(u, n);
        u->awaited = n->looking;
        return -EAGAIN;
}

uint64_t users_awaited(const struct users *u) {
        return u->awaited;
}

bool users_await(const struct users *u, uint64_t number) {
        if (!number)
                return false;
        for (size_t i = 0; i < u->n_entries; i++)
                if (u->entries[i].looking == number)
                        return true;
        for (size_t i = 0; i < u->n_named; i++)
                if (u->named[i].looking == number)
                        return true;
        return false;
}

int users_find(struct users *u, const char *wanted, uid_t *ret_uid, const char **ret_name) {
        const struct named *n;
        int r = named_get(u, wanted, NAMED_USER, &n);

        if (r < 0)
                return r;
        *ret_uid = n->uid;
        *ret_name = n->name;
        return 0;
}

int users_find_login(struct users *u, const char *wanted, uid_t *ret_uid, gid_t *ret_gid) {
        const struct named *n;
        int r = named_get(u, wanted, NAMED_LOGIN, &n);

        if (r < 0)
                return r;
        if (!streq(n->name, wanted))
                return -ENOENT;
        *ret_uid = n->uid;
        *ret_gid = n->gid;
        return 0;
}

int users_check(struct users *u, const char *list) {
        if (!list[strspn(list, ",")])
                return 0;
        const struct named *n;
        return named_get(u, list, NAMED_LIST, &n);
}

const char *users_name(const struct users *u, uid_t uid) {
        const struct entry *e = entry_find(u, uid, 0, true);

        return e ? e->user.name : NULL;
}

void users_learn(struct users *u, uid_t uid, const char *name) {
        if (entry_find(u, uid, 0, true))
                return;
        struct entry *e = entry_add(u, uid, (gid_t)-1);
        e->user.name = xstrdup(name);
        e->user.group = xstrdup("");
}

void users_outdate(struct users *u) {
        for (size_t i = 0; i < u->n_entries; i++)
                u->entries[i].found_at = 0;
        for (size_t i = 0; i < u->n_named; i++)
                u->named[i].found_at = 0;
}

int users_new(sd_event *event, void (*found)(void *user), void *user, struct users **ret) {
        struct users *u = xnew0(struct users, 1);

        u->found = found;
        u->user = user;
        thread_locks_init(&u->mutex, &u->wake);
        u->eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        int r = u->eventfd < 0 ? -errno
                               : sd_event_add_io(event, &u->source, u->eventfd, EPOLLIN,
                                                 lookups_collect, u);
        if (r >= 0)
                r = thread_start(&u->thread, "users", lookup_thread_work, u);
        u->running = r >= 0;
        if (r < 0) {
                users_free(u);
                return r;
        }
        *ret = u;
        return 0;
}

static void lookups_free(struct lookup *l) {
        while (l) {
                struct lookup *next = l->next;
                user_lookup_free(l);
                l = next;
        }
}

struct users *users_free(struct users *u) {
        struct timespec until;

        if (!u)
                return NULL;
        sd_event_source_disable_unref(u->source);
        pthread_mutex_lock(&u->mutex);
        u->closing = true;
        pthread_cond_signal(&u->wake);
        pthread_mutex_unlock(&u->mutex);
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += 2;
        if (u->running && pthread_timedjoin_np(u->thread, NULL, &until) != 0)
                return NULL; /* the directory does not answer: the thread ends with the process */
        lookups_free(u->todo);
        lookups_free(u->done);
        for (size_t i = 0; i < u->n_entries; i++)
                user_clear(&u->entries[i].user);
        free(u->entries);
        for (size_t i = 0; i < u->n_named; i++)
                named_done(&u->named[i]);
        free(u->named);
        pthread_cond_destroy(&u->wake);
        pthread_mutex_destroy(&u->mutex);
        if (u->eventfd >= 0)
                close(u->eventfd);
        free(u);
        return NULL;
}
