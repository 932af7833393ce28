/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/stepmgr/journal.h"

#include <fcntl.h>
#include <sys/stat.h>

#define FOLDER      "makers"
#define JOURNAL_MAX ((size_t)1 << 30)
#define HEAD        4 /* bytes of the length before an entry */

struct journal {
        char *path;
        int fd;
        size_t size;
        bool torn; /* bytes of an incomplete entry follow after size */
};

static char *journal_path(uint32_t job, uint32_t restarts, const char *of) {
        return xasprintf(FOLDER "/%u.%u%s", job, restarts, of);
}

bool journal_is_there(uint32_t job, uint32_t restarts, const char *end) {
        _cleanup_free_ char *path = journal_path(job, restarts, end);
        struct stat st;

        return lstat(path, &st) >= 0;
}

static struct journal *journal_new(char *path, int fd, size_t size) {
        struct journal *j = xnew(struct journal, 1);

        *j = (struct journal){ .path = path, .fd = fd, .size = size };
        return j;
}

struct journal *journal_free(struct journal *j) {
        if (!j)
                return NULL;
        close(j->fd);
        free(j->path);
        free(j);
        return NULL;
}

size_t journal_size(const struct journal *j) {
        return j->size;
}

void journal_remove(struct journal *j) {
        (void)unlink(j->path);
}

void journal_put_aside(uint32_t job, uint32_t restarts, struct fail *fail) {
        _cleanup_free_ char *path = journal_path(job, restarts, ""),
                            *aside = journal_path(job, restarts, JOURNAL_UNREAD);
        char why[sizeof fail->text];

        if (rename(path, aside) < 0) {
                (void)unlink(path);
                return;
        }
        memcpy(why, fail->text, sizeof why);
        fail_set(fail, -EBADMSG, "%.400s; it is kept as %s", why, aside);
}

/* ---- writing ---- */

static void journal_put_length(uint8_t *to, size_t size) {
        for (size_t i = 0; i < HEAD; i++)
                to[i] = (uint8_t)(size >> 8 * i);
}

/* The reader drops an incomplete entry at the end only: cut it off before the next entry. */
static int journal_add_bytes(struct journal *j, const uint8_t *data, size_t size) {
        if (j->torn && ftruncate(j->fd, (off_t)j->size) < 0)
                return -errno;
        j->torn = false;
        int r = fd_write(j->fd, data, size);
        if (r < 0)
                j->torn = ftruncate(j->fd, (off_t)j->size) < 0;
        return r;
}

int journal_add(struct journal *j, const Slumber__JournalEntry *entry, struct fail *fail) {
        size_t size = slumber__journal_entry__get_packed_size(entry);
        _cleanup_free_ uint8_t *data = xmalloc(HEAD + size);

        if (size > JOURNAL_ENTRY_MAX)
                return fail_set(fail, -EMSGSIZE, "an entry of %s has %zu bytes", j->path, size);
        if (HEAD + size > JOURNAL_MAX - MIN(j->size, JOURNAL_MAX)) /* unreadable */
                return fail_set(fail, -EFBIG, "%s in the spool folder has %zu bytes", j->path,
                                j->size);
        journal_put_length(data, size);
        slumber__journal_entry__pack(entry, data + HEAD);
        int r = journal_add_bytes(j, data, HEAD + size);
        if (r < 0)
                return fail_set(fail, r, "cannot write %s in the spool folder: %s", j->path,
                                strerror(-r));
        j->size += HEAD + size;
        return 0;
}

static int journal_create_file(const char *path, int *ret) {
        (void)unlink(path);
        *ret = open(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
        return *ret < 0 ? -errno : 0;
}

static int journal_replace_file(int fd, const char *new, const char *path) {
        if (rename(new, path) >= 0)
                return 0;
        int r = -errno;
        close(fd);
        (void)unlink(new);
        return r;
}

int journal_create(uint32_t job, uint32_t restarts, const Slumber__JournalEntry *first,
                struct journal **ret, struct fail *fail) {
        _cleanup_free_ char *path = journal_path(job, restarts, ""),
                            *new = journal_path(job, restarts, ".new");
        int fd = -1;

        if (mkdir(FOLDER, 0700) < 0 && errno != EEXIST)
                return fail_set(fail, -errno, "cannot make " FOLDER " in the spool folder: %s",
                                strerror(errno));
        int r = journal_create_file(new, &fd);
        if (r < 0)
                return fail_set(fail, r, "cannot make %s in the spool folder: %s", new,
                                strerror(-r));
        struct journal *j = journal_new(TAKE(path), fd, 0);
        r = journal_add(j, first, fail);
        if (r >= 0 && rename(new, j->path) < 0)
                r = fail_set(fail, -errno, "cannot rename %s: %s", new, strerror(errno));
        if (r < 0) {
                (void)unlink(new);
                journal_free(j);
                return r;
        }
        *ret = j;
        return 0;
}

int journal_rewrite(struct journal *j, const struct journal_text *entries, size_t n,
                struct fail *fail) {
        _cleanup_free_ char *new = xasprintf("%s.new", j->path);
        size_t size = 0, at = 0;
        int fd = -1;

        for (size_t i = 0; i < n; i++)
                size += HEAD + entries[i].size;
        _cleanup_free_ uint8_t *data = xmalloc(MAX(size, (size_t)1));
        for (size_t i = 0; i < n; i++) {
                journal_put_length(data + at, entries[i].size);
                memcpy(data + at + HEAD, entries[i].data, entries[i].size);
                at += HEAD + entries[i].size;
        }
        int r = journal_create_file(new, &fd);
        if (r >= 0) {
                r = fd_write(fd, data, size);
                if (r >= 0)
                        r = journal_replace_file(fd, new, j->path);
                else
                        close(fd);
        }
        if (r < 0) {
                (void)unlink(new);
                return fail_set(fail, r, "cannot write %s in the spool folder: %s", new,
                                strerror(-r));
        }
        close(j->fd);
        j->fd = fd;
        j->size = size;
        j->torn = false;
        return 0;
}

/* ---- reading ---- */

static size_t journal_get_length(const uint8_t *data) {
        return data[0] | (size_t)data[1] << 8 | (size_t)data[2] << 16 | (size_t)data[3] << 24;
}

ssize_t journal_parse(const uint8_t *data, size_t size,
                int (*found)(const Slumber__JournalEntry *entry, void *user), void *user) {
        size_t at = 0;

        while (size - at >= HEAD) {
                size_t length = journal_get_length(data + at);
                if (length > JOURNAL_ENTRY_MAX)
                        return -EBADMSG;
                if (length == 0 || length > size - at - HEAD) /* cut off */
                        break;
                Slumber__JournalEntry *e = slumber__journal_entry__unpack(NULL, length,
                                data + at + HEAD);
                if (!e)
                        return -EBADMSG;
                int r = (e->maker != NULL) == (at == 0) ? found(e, user) : -EBADMSG;
                slumber__journal_entry__free_unpacked(e, NULL);
                if (r < 0)
                        return r;
                at += HEAD + length;
        }
        return at ? (ssize_t)at : -EBADMSG;
}

static int journal_read_file(int fd, uint8_t **ret, size_t *ret_size) {
        struct stat st;

        if (fstat(fd, &st) < 0)
                return -errno;
        if (!S_ISREG(st.st_mode) || st.st_size < 0 || (size_t)st.st_size > JOURNAL_MAX)
                return -EBADMSG;
        *ret = xmalloc((size_t)st.st_size + 1);
        for (*ret_size = 0; *ret_size < (size_t)st.st_size;) {
                ssize_t n = read(fd, *ret + *ret_size, (size_t)st.st_size - *ret_size);
                if (n < 0)
                        return -errno;
                if (n == 0)
                        break;
                *ret_size += (size_t)n;
        }
        return 0;
}

int journal_open(uint32_t job, uint32_t restarts,
                int (*found)(const Slumber__JournalEntry *entry, void *user), void *user,
                struct journal **ret, struct fail *fail) {
        char *path = journal_path(job, restarts, "");
        int fd = open(path, O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
        _cleanup_free_ uint8_t *data = NULL;
        size_t size = 0;

        int r = fd < 0 ? -errno : journal_read_file(fd, &data, &size);
        ssize_t whole = r < 0 ? r : journal_parse(data, size, found, user);
        if (whole >= 0 && (size_t)whole < size && ftruncate(fd, whole) < 0)
                whole = -errno;
        if (whole < 0) {
                fail_set(fail, (int)whole, "cannot read %s in the spool folder: %s", path,
                                strerror((int)-whole));
                if (fd >= 0)
                        close(fd);
                free(path);
                return (int)whole;
        }
        *ret = journal_new(path, fd, (size_t)whole);
        return 0;
}
