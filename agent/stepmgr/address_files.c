/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/stepmgr/address_files.h"
#include "lib/log.h"
#include "lib/timetext.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#define FOLDER "homes"
#define NEW    FOLDER "/.new"

static char *stepmgr_address_file_path(uint32_t job) {
        return xasprintf(FOLDER "/%u", job);
}

void stepmgr_address_file_remove(uint32_t job) {
        _cleanup_free_ char *path = stepmgr_address_file_path(job);

        (void)unlink(path);
}

static int stepmgr_address_file_create(void) {
        int fd;

        (void)unlink(NEW);
        fd = open(NEW, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd < 0 && errno == ENOENT && mkdir(FOLDER, 0700) >= 0)
                fd = open(NEW, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        return fd < 0 ? -errno : fd;
}

int stepmgr_address_file_write(uint32_t job, const uint8_t *data, size_t size) {
        _cleanup_free_ char *path = stepmgr_address_file_path(job);

        if (size > HOME_FILE_MAX)
                return -EFBIG;
        _cleanup_close_ int fd = stepmgr_address_file_create();
        if (fd < 0)
                return fd;
        int r = fd_write(fd, data, size);
        if (r >= 0 && rename(NEW, path) < 0)
                r = -errno;
        if (r < 0)
                (void)unlink(NEW);
        return r;
}

/* Returns the number of bytes read, or negative errno. */
static ssize_t stepmgr_address_file_read(int folder, const char *name, uint8_t *data, size_t room) {
        _cleanup_close_ int fd = openat(folder, name,
                        O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        struct stat st;

        if (fd < 0 || fstat(fd, &st) < 0)
                return -errno;
        if (!S_ISREG(st.st_mode) || st.st_size <= 0 || (size_t)st.st_size > room)
                return -EBADMSG;
        ssize_t n = read(fd, data, room);
        return n < 0 ? -errno : n;
}

void stepmgr_address_files_read(
                bool (*found)(uint32_t job, const uint8_t *data, size_t size, void *user),
                void *user) {
        DIR *folder = opendir(FOLDER);
        _cleanup_free_ uint8_t *data = NULL;
        const struct dirent *e;

        if (!folder)
                return;
        data = xmalloc(HOME_FILE_MAX);
        while ((e = readdir(folder))) {
                uint64_t job;
                if (streq(e->d_name, ".") || streq(e->d_name, ".."))
                        continue;
                ssize_t n = uint_parse(e->d_name, 1, UINT32_MAX, &job) < 0
                                            ? -EBADMSG
                                            : stepmgr_address_file_read(dirfd(folder), e->d_name,
                                                              data, HOME_FILE_MAX);
                if (n > 0 && found((uint32_t)job, data, (size_t)n, user))
                        continue;
                if (*e->d_name != '.')
                        log_warning(n < 0 ? (int)n : 0,
                                        "File " FOLDER "/%s in the spool folder does not say which "
                                        "node makes the steps of a job, and is removed",
                                        e->d_name);
                (void)unlinkat(dirfd(folder), e->d_name, 0);
        }
        closedir(folder);
}
