/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/common/spool.h"

#include "lib/folder.h"
#include "lib/hook_row.h"
#include "lib/thread.h"
#include "lib/timetext.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <sys/stat.h>

#define RECORD_MAX (1u << 20) /* bytes; a hook's record may have the names of many nodes */
#define SPEC_MAX   WIRE_FRAME_MAX

/* Prepared step folders with their files. A file system that has just deleted many files searches
   long for a new inode (ext4 reuses none within a minute). Folders are prepared when slumberd is
   idle, and folders of ended steps are reused. */
#define SPARES_READY 128
#define SPARES_MAX   256
#define SPARE        ".spare-"
#define DISCARDED    ".gone-"

static const char *const step_files[] = { "record", "slurm_script", "signals", "spec", "spec.new",
        "record.new" };    /* the record first: a folder without a record is no step */
#define SPARE_FILES 5      /* files of a folder prepared ahead of a step: all but record.new */
static unsigned spares;    /* number of spare folders, numbered from 0 */
static unsigned discarded; /* number for the next discarded folder */
static char *folder_path;  /* path of the spool folder, without links */
/* Status of the spool folder when last seen complete; st_ino 0: unknown. */
static struct stat seen_whole;
#define SEEN_AFTER 2 /* seconds */

char *step_name_text(const struct step_name *n) {
        char step[STEP_TEXT_MAX];

        return xasprintf("%u.%u.%s", n->job, n->restarts, step_text(n->step, step));
}

char *step_name_folder(const struct step_name *n) {
        _cleanup_free_ char *text = step_name_text(n);

        return xasprintf("steps/%s", text);
}

int step_name_parse(const char *text, struct step_name *ret) {
        _cleanup_free_ char *copy = xstrdup(text);
        char *restarts = strchr(copy, '.'), *step = restarts ? strchr(restarts + 1, '.') : NULL;
        uint64_t j, r;
        uint32_t s;

        if (!step)
                return -EINVAL;
        *restarts++ = 0;
        *step++ = 0;
        if (uint_parse(copy, 1, UINT32_MAX, &j) < 0 || uint_parse(restarts, 0, UINT32_MAX, &r) < 0)
                return -EINVAL;
        if (step_parse(step, &s) < 0)
                return -EINVAL;
        *ret = (struct step_name){ (uint32_t)j, (uint32_t)r, s };
        return 0;
}

/* ---- the folder ---- */

static int make_parents(const char *path, struct fail *fail) {
        _cleanup_free_ char *copy = xstrdup(path);

        for (char *p = strchr(copy + 1, '/'); p; p = strchr(p + 1, '/')) {
                *p = 0;
                if (mkdir(copy, 0755) < 0 && errno != EEXIST)
                        return fail_set(fail, -errno, "cannot make %s: %s", copy, strerror(errno));
                *p = '/';
        }
        return 0;
}

static int check_owner(int fd, const char *path, struct fail *fail) {
        struct stat st;

        if (fstat(fd, &st) < 0)
                return fail_set(fail, -errno, "cannot look at %s: %s", path, strerror(errno));
        if (st.st_uid != geteuid())
                return fail_set(fail, -EPERM,
                                "%s belongs to user %u, not to user %u, which runs slumberd", path,
                                st.st_uid, geteuid());
        if (st.st_mode & (S_IWGRP | S_IWOTH))
                return fail_set(fail, -EPERM, "%s can be written by others (mode %03o)", path,
                                st.st_mode & 0777);
        return 0;
}

static int enter_folder(const char *path, struct fail *fail) {
        mode_t mode = geteuid() == 0 ? 0711 : 0700;
        _cleanup_close_ int fd = -1;
        int r;

        if (mkdir(path, mode) < 0 && errno != EEXIST)
                return fail_set(fail, -errno, "cannot make the spool folder %s: %s", path,
                                strerror(errno));
        fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0)
                return fail_set(fail, -errno, "cannot open the spool folder %s: %s", path,
                                strerror(errno));
        r = check_owner(fd, path, fail);
        if (r < 0)
                return r;
        if (fchmod(fd, mode) < 0 || fchdir(fd) < 0)
                return fail_set(fail, -errno, "cannot use the spool folder %s: %s", path,
                                strerror(errno));
        return 0;
}

/* Locks the spool folder. The lock belongs to the process, not to children: a forked child about to
   exec may outlive slumberd. */
static int spool_lock(const char *path, int *ret, struct fail *fail) {
        struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
        _cleanup_close_ int fd = open("lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

        if (fd < 0)
                return fail_set(fail, -errno, "cannot open %s/lock: %s", path, strerror(errno));
        if (fcntl(fd, F_SETLK, &whole) < 0)
                return fail_set(fail, errno == EACCES || errno == EAGAIN ? -EBUSY : -errno,
                                "another slumberd uses the spool folder %s", path);
        *ret = TAKE_FD(fd);
        return 0;
}

static char *spare_folder(unsigned number) {
        return xasprintf("steps/" SPARE "%u", number);
}

/* ---- removal of folders ---- */

struct discarded {
        int steps; /* descriptor of steps/ */
        char name[NAME_MAX + 1];
};

static void *remove_discarded(void *user) {
        _cleanup_free_ struct discarded *d = user;
        _cleanup_close_ int steps = d->steps;

        (void)folder_remove(steps, d->name); /* failures are tried again at the next start */
        return NULL;
}

/* Removes a folder in a separate thread, as the user may have filled the folder. */
static void remove_beside(const char *name) {
        struct discarded *d = xnew0(struct discarded, 1);
        pthread_t thread;

        snprintf(d->name, sizeof d->name, "%s", name);
        d->steps = open("steps", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (d->steps >= 0 && thread_start(&thread, "spool-remove", remove_discarded, d) >= 0) {
                (void)pthread_detach(thread);
                return;
        }
        if (d->steps >= 0)
                close(d->steps);
        free(d);
}

/* Removes a folder owned by a user, by a rename and a separate thread. */
static void user_folder_discard(const char *path) {
        char to[64];
        int r;

        do {
                snprintf(to, sizeof to, "steps/" DISCARDED "%u", discarded++);
                r = renameat2(AT_FDCWD, path, AT_FDCWD, to, RENAME_NOREPLACE) < 0 ? -errno : 0;
        } while (r == -EEXIST);
        if (r >= 0)
                remove_beside(to + strlen("steps/"));
}

/* Removes a container's folder of the step's tasks: owned by root, with known files
   (agent/step/oci.c). */
static void remove_container(const char *path) {
        static const char *const files[] = { "config.json", "environment" };

        for (size_t k = 0; k < ELEMENTSOF(files); k++) {
                _cleanup_free_ char *file = xasprintf("%s/%s", path, files[k]);
                (void)unlink(file);
        }
        (void)rmdir(path);
}

static void remove_folders(const char *folder) {
        struct stat st;

        if (stat(folder, &st) < 0 || st.st_nlink == 2) /* no subfolders */
                return;
        char **names = folder_list(folder, true);
        for (size_t i = 0; names[i]; i++) {
                _cleanup_free_ char *name = names[i];
                _cleanup_free_ char *path = xasprintf("%s/%s", folder, name);
                if (streq(name, SPOOL_X11))
                        user_folder_discard(path);
                else
                        remove_container(path);
        }
        free(names);
}

static void remove_folder(const char *folder) {
        remove_folders(folder);
        for (size_t i = 0; i < ELEMENTSOF(step_files); i++) {
                _cleanup_free_ char *path = xasprintf("%s/%s", folder, step_files[i]);
                (void)unlink(path);
        }
        (void)rmdir(folder);
}

/* Removes spare and discarded folders of an earlier slumberd. */
static void remove_spares(void) {
        DIR *dir = opendir("steps");
        struct dirent *d;

        while (dir && (d = readdir(dir)))
                if (strncmp(d->d_name, SPARE, strlen(SPARE)) == 0) {
                        _cleanup_free_ char *folder = xasprintf("steps/%s", d->d_name);
                        remove_folder(folder);
                } else if (strncmp(d->d_name, DISCARDED, strlen(DISCARDED)) == 0) {
                        remove_beside(d->d_name);
                }
        if (dir)
                closedir(dir);
        spares = 0;
}

bool spool_make_spare(void) {
        _cleanup_free_ char *folder = spare_folder(spares);

        if (spares >= SPARES_READY || mkdir(folder, geteuid() == 0 ? 0711 : 0700) < 0)
                return false;
        for (size_t i = 0; i < SPARE_FILES; i++) {
                _cleanup_free_ char *path = xasprintf("%s/%s", folder, step_files[i]);
                _cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

                if (fd < 0) {
                        remove_folder(folder);
                        return false;
                }
        }
        spares++;
        return true;
}

static int make_folders(const char *path, struct fail *fail) {
        if (mkdir("steps", geteuid() == 0 ? 0711 : 0700) < 0 && errno != EEXIST)
                return fail_set(fail, -errno, "cannot make %s/steps: %s", path, strerror(errno));
        if (mkdir("hooks", 0700) < 0 && errno != EEXIST)
                return fail_set(fail, -errno, "cannot make %s/hooks: %s", path, strerror(errno));
        remove_spares();
        return 0;
}

int spool_open(const char *path, int *ret_lock, struct fail *fail) {
        int r;

        if (*path != '/')
                return fail_set(fail, -EINVAL, "the spool folder \"%s\" is not an absolute path",
                                path);
        r = make_parents(path, fail);
        if (r >= 0)
                r = enter_folder(path, fail);
        if (r >= 0)
                r = spool_lock(path, ret_lock, fail);
        if (r < 0)
                return r;
        free(folder_path);
        folder_path = getcwd(NULL, 0);
        return folder_path ? make_folders(path, fail)
                           : fail_set(fail, -errno, "cannot find %s: %s", path, strerror(errno));
}

/* ---- a folder that was removed ---- */

/* Checks that only root and slumberd's user can replace entries of the folder. */
static int check_parent(const char *path, struct fail *fail) {
        struct stat st;

        if (lstat(path, &st) < 0)
                return fail_set(fail, -errno, "cannot look at %s: %s", path, strerror(errno));
        if (!S_ISDIR(st.st_mode))
                return fail_set(fail, -ENOTDIR, "%s is not a folder", path);
        if (st.st_uid != 0 && st.st_uid != geteuid())
                return fail_set(fail, -EPERM, "%s belongs to user %u", path, st.st_uid);
        if (st.st_mode & (S_IWGRP | S_IWOTH) && !(st.st_mode & S_ISVTX))
                return fail_set(fail, -EPERM, "%s can be written by others (mode %03o)", path,
                                st.st_mode & 0777);
        return 0;
}

/* Creates missing parents, from the root on; each is checked before an entry is created in it. */
static int make_parents_again(const char *path, struct fail *fail) {
        _cleanup_free_ char *copy = xstrdup(path);
        int r = check_parent("/", fail);

        for (char *p = strchr(copy + 1, '/'); p && r >= 0; p = strchr(p + 1, '/')) {
                *p = 0;
                if (mkdir(copy, 0755) < 0 && errno != EEXIST)
                        return fail_set(fail, -errno, "cannot make %s: %s", copy, strerror(errno));
                r = check_parent(copy, fail);
                *p = '/';
        }
        return r;
}

static int enter_again(const char *path, int *lock_fd, struct fail *fail) {
        _cleanup_close_ int before = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC), fd = -1;
        int r = make_parents_again(path, fail);

        if (r >= 0)
                r = enter_folder(path, fail);
        if (r >= 0)
                r = spool_lock(path, &fd, fail);
        if (r < 0) {
                if (before >= 0)
                        (void)!fchdir(before);
                return r;
        }
        close(*lock_fd);
        *lock_fd = TAKE_FD(fd);
        return 0;
}

static bool same_folder(const struct stat *a, const struct stat *b) {
        return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Remembers the folder's status: removals and renames within the folder change the ctime. A ctime
   of a moment ago is not kept, as file systems count up to a second coarsely and the next change
   may get an equal ctime. */
static void remember_whole(const struct stat *st) {
        bool long_ago = st->st_ctim.tv_sec < time(NULL) - SEEN_AFTER;

        seen_whole = long_ago ? *st : (struct stat){ 0 };
}

static bool is_as_seen(const struct stat *st) {
        return seen_whole.st_ino && same_folder(st, &seen_whole) &&
               st->st_ctim.tv_sec == seen_whole.st_ctim.tv_sec &&
               st->st_ctim.tv_nsec == seen_whole.st_ctim.tv_nsec;
}

int spool_look(int *lock_fd, struct fail *fail) {
        const char *path = folder_path;
        struct fail why = { 0 };
        struct stat there, ours;
        int r = 0;

        bool is_there = lstat(path, &there) >= 0;
        if (is_there && is_as_seen(&there))
                return 0;
        bool same = is_there && stat(".", &ours) >= 0 && same_folder(&there, &ours);
        if (same && access("steps", F_OK) >= 0 && access("hooks", F_OK) >= 0) {
                remember_whole(&there);
                return 0;
        }
        if (!same)
                r = enter_again(path, lock_fd, &why);
        if (r >= 0)
                r = make_folders(path, &why);
        return r < 0 ? fail_set(fail, r, "the spool folder %s was removed, and: %s", path, why.text)
                     : 1;
}

/* ---- one step ---- */

static int write_whole(const char *path, const uint8_t *data, size_t size) {
        _cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

        if (fd < 0)
                return -errno;
        int r = fd_write(fd, data, size);
        struct stat st;
        if (r < 0 || (fstat(fd, &st) >= 0 && (uint64_t)st.st_size == size))
                return r;
        /* shortened last: ext4 writes a file truncated to zero and refilled to disk at once */
        return ftruncate(fd, (off_t)size) < 0 ? -errno : 0;
}

/* No message begins with a zero: such a record is ignored (spool_read_record()). The file stays for
   the next step. */
void spool_remove_record(const struct step_name *name) {
        _cleanup_free_ char *folder = step_name_folder(name);
        _cleanup_free_ char *path = xasprintf("%s/record", folder);
        _cleanup_close_ int fd = open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);

        if (fd < 0 ? errno != ENOENT : pwrite(fd, "", 1, 0) != 1)
                (void)unlink(path);
}

/* Packs record; the caller frees. NULL: more than most bytes. */
static uint8_t *message_pack(const ProtobufCMessage *record, size_t most, size_t *ret_size) {
        size_t size = *ret_size = protobuf_c_message_get_packed_size(record);
        uint8_t *data;

        if (size > most)
                return NULL;
        data = xmalloc(MAX(size, (size_t)1));
        protobuf_c_message_pack(record, data);
        return data;
}

/* Replaces the file atomically. */
static int write_beside(const char *path, const uint8_t *data, size_t size) {
        _cleanup_free_ char *new = xasprintf("%s.new", path);
        int r = data ? write_whole(new, data, size) : -EMSGSIZE;

        return r >= 0 && rename(new, path) < 0 ? -errno : r;
}

static int cannot_write(const char *path, int r, struct fail *fail) {
        return fail_set(fail, r, "cannot write %s in the spool folder: %s", path, strerror(-r));
}

static int write_message(const char *path, const ProtobufCMessage *record, size_t most,
                struct fail *fail) {
        size_t size;
        _cleanup_free_ uint8_t *data = message_pack(record, most, &size);
        int r = write_beside(path, data, size);

        return r < 0 ? cannot_write(path, r, fail) : 0;
}

static int step_record_write(const struct step_name *name, const Slumber__StepdSpec *record,
                struct fail *fail) {
        _cleanup_free_ char *folder = step_name_folder(name);
        _cleanup_free_ char *path = xasprintf("%s/record", folder);

        return write_message(path, &record->base, RECORD_MAX, fail);
}

/* Renames a spare folder, with the record in it, to the step's folder. */
static bool use_spare(const char *folder, const uint8_t *record, size_t size) {
        if (spares == 0)
                return false;
        _cleanup_free_ char *spare = spare_folder(spares - 1),
                            *path = xasprintf("%s/record", spare);
        if (write_whole(path, record, size) < 0 ||
                        renameat2(AT_FDCWD, spare, AT_FDCWD, folder, RENAME_NOREPLACE) < 0)
                return false;
        spares--;
        return true;
}

int spool_make_step(const struct step_name *name, const Slumber__StepdSpec *record,
                struct fail *fail) {
        _cleanup_free_ char *folder = step_name_folder(name),
                            *path = xasprintf("%s/record", folder);
        size_t size;
        _cleanup_free_ uint8_t *data = message_pack(&record->base, RECORD_MAX, &size);

        if (!data)
                return cannot_write(path, -EMSGSIZE, fail);
        if (use_spare(folder, data, size))
                return 0;
        if (mkdir(folder, geteuid() == 0 ? 0711 : 0700) < 0)
                return fail_set(fail, -errno, "cannot make %s in the spool folder: %s", folder,
                                strerror(errno));
        int r = write_beside(path, data, size);
        return r < 0 ? cannot_write(path, r, fail) : 0;
}

/* Clears contents which the next step in the folder must not find; records are always written
   whole. */
static void empty_folder(const char *folder, uint32_t step) {
        /* a batch step has a script, other steps may have had signals of their srun */
        _cleanup_free_ char *left = xasprintf("%s/%s", folder,
                                            step == STEP_BATCH ? "slurm_script" : "signals"),
                            *spec = xasprintf("%s/spec", folder);

        remove_folders(folder);
        (void)unlink(spec);
        /* truncation to zero would be written to disk at once, see write_whole() */
        (void)truncate(left, 1);
}

void spool_remove_step(const struct step_name *name) {
        _cleanup_free_ char *folder = step_name_folder(name), *spare = spare_folder(spares);

        if (spares >= SPARES_MAX ||
                        renameat2(AT_FDCWD, folder, AT_FDCWD, spare, RENAME_NOREPLACE) < 0) {
                remove_folder(folder);
                return;
        }
        empty_folder(spare, name->step);
        spares++;
}

static const char *this_boot(void) {
        static char boot[BOOT_ID_SIZE];

        if (!*boot)
                boot_id(boot);
        return boot;
}

/* Appended bytes are read as further fields of the packed message. */
int spool_keep_end(const struct step_name *name, const Slumber__StepEnded *ended) {
        Slumber__StepdSpec more = SLUMBER__STEPD_SPEC__INIT;
        _cleanup_free_ char *folder = step_name_folder(name);
        _cleanup_free_ char *path = xasprintf("%s/record", folder);
        _cleanup_close_ int fd = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
        off_t before = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);

        if (before < 0)
                return -errno;
        more.ended = (Slumber__StepEnded *)(uintptr_t)ended;
        more.ended_boot = (char *)(uintptr_t)this_boot();
        more.socket = (char *)"-"; /* the daemon uses the socket for its next step */
        size_t size = slumber__stepd_spec__get_packed_size(&more);
        if ((uint64_t)before + size > RECORD_MAX)
                return -EMSGSIZE;
        _cleanup_free_ uint8_t *data = xmalloc(size);
        slumber__stepd_spec__pack(&more, data);
        ssize_t n = write(fd, data, size);
        int r = n == (ssize_t)size ? 0 : n < 0 ? -errno : -ENOSPC;
        if (r < 0 && ftruncate(fd, before) < 0)
                return -errno;
        return r;
}

/* Reads a file into data, which has room for RECORD_MAX bytes. */
static ssize_t read_message(const char *path, uint8_t *data) {
        _cleanup_close_ int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        ssize_t n = fd < 0 ? -1 : read(fd, data, RECORD_MAX);

        return n < 0 ? -errno : n;
}

int spool_read_record(const struct step_name *name, Slumber__StepdSpec **ret) {
        _cleanup_free_ char *folder = step_name_folder(name);
        _cleanup_free_ char *path = xasprintf("%s/record", folder);
        _cleanup_free_ uint8_t *data = xmalloc(RECORD_MAX);
        ssize_t n = read_message(path, data);

        if (n < 0)
                return (int)n;
        if (n > 0 && data[0] == 0) /* invalidated by spool_remove_record() */
                return -ENOENT;
        Slumber__StepdSpec *record = slumber__stepd_spec__unpack(NULL, (size_t)n, data);
        if (!record || !record->credential) {
                if (record)
                        slumber__stepd_spec__free_unpacked(record, NULL);
                return -EBADMSG;
        }
        if (record->ended && !streq(record->ended_boot, this_boot())) {
                slumber__step_ended__free_unpacked(record->ended, NULL);
                record->ended = NULL;
        }
        *ret = record;
        return 0;
}

int spool_write_socket(const struct step_name *name, const char *socket, struct fail *fail) {
        Slumber__StepdSpec *record = NULL;
        int r = spool_read_record(name, &record);

        if (r < 0)
                return fail_set(fail, r, "the step's record cannot be read: %s", strerror(-r));
        char *before = record->socket;
        record->socket = (char *)(uintptr_t)socket;
        r = step_record_write(name, record, fail);
        record->socket = before;
        slumber__stepd_spec__free_unpacked(record, NULL);
        return r;
}

int spool_write_spec(const struct step_name *name, const Slumber__StepdSpec *spec,
                struct fail *fail) {
        _cleanup_free_ char *folder = step_name_folder(name), *path = xasprintf("%s/spec", folder);

        return write_message(path, &spec->base, SPEC_MAX, fail);
}

int spool_read_spec(const struct step_name *name, Slumber__StepdSpec **ret) {
        _cleanup_free_ char *folder = step_name_folder(name), *path = xasprintf("%s/spec", folder);
        _cleanup_close_ int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        struct stat st;

        if (fd < 0 || fstat(fd, &st) < 0)
                return -errno;
        if (st.st_size == 0) /* created empty with the spare folder */
                return -ENOENT;
        if ((uint64_t)st.st_size > SPEC_MAX)
                return -EMSGSIZE;
        _cleanup_free_ uint8_t *data = xmalloc((size_t)st.st_size + 1);
        ssize_t n = read(fd, data, (size_t)st.st_size);
        if (n != st.st_size)
                return n < 0 ? -errno : -EBADMSG;
        *ret = slumber__stepd_spec__unpack(NULL, (size_t)n, data);
        return *ret ? 0 : -EBADMSG;
}

/* ---- signals ---- */

#define SIGNALS_SIZE 28 /* "%010u %016x\n": one write, never partial */

void spool_write_signals(const struct step_name *name, uint32_t last, uint64_t bits) {
        _cleanup_free_ char *folder = step_name_folder(name),
                            *path = xasprintf("%s/signals", folder);
        _cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
        char text[SIGNALS_SIZE + 1];

        snprintf(text, sizeof text, "%010" PRIu32 " %016" PRIx64 "\n", last, bits);
        if (fd >= 0)
                (void)fd_write(fd, text, SIGNALS_SIZE);
}

bool spool_read_signals(const struct step_name *name, uint32_t *ret_last, uint64_t *ret_bits) {
        _cleanup_free_ char *folder = step_name_folder(name),
                            *path = xasprintf("%s/signals", folder);
        _cleanup_close_ int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        char text[SIGNALS_SIZE + 1] = "";

        return fd >= 0 && read(fd, text, SIGNALS_SIZE) == SIGNALS_SIZE &&
               sscanf(text, "%10" SCNu32 " %16" SCNx64, ret_last, ret_bits) == 2;
}

/* ---- the port ---- */

void spool_write_port(uint16_t port) {
        _cleanup_close_ int fd = open("port", O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
                        0600);
        _cleanup_free_ char *text = xasprintf("%u\n", port);

        if (fd >= 0)
                (void)fd_write(fd, text, strlen(text));
}

uint16_t spool_read_port(void) {
        _cleanup_close_ int fd = open("port", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        char text[8] = "";
        uint64_t port;

        if (fd < 0 || read(fd, text, sizeof text - 1) <= 0)
                return 0;
        text[strcspn(text, "\n")] = 0;
        return uint_parse(text, 1, UINT16_MAX, &port) < 0 ? 0 : (uint16_t)port;
}

/* ---- hooks of a job ---- */

bool hook_name_parse(const char *text, uint32_t *ret_job, uint32_t *ret_restarts) {
        _cleanup_free_ char *copy = xstrdup(text);
        char *restarts = strchr(copy, '.');
        uint64_t j, r;

        if (!restarts)
                return false;
        *restarts++ = 0;
        if (uint_parse(copy, 1, UINT32_MAX, &j) < 0 || uint_parse(restarts, 0, UINT32_MAX, &r) < 0)
                return false;
        *ret_job = (uint32_t)j;
        *ret_restarts = (uint32_t)r;
        return true;
}

char *spool_hook_path(uint32_t job, uint32_t restarts, const char *of) {
        return xasprintf("hooks/%u.%u%s", job, restarts, of);
}

int spool_write_hook(uint32_t job, uint32_t restarts, const Slumber__HookRecord *record,
                struct fail *fail) {
        _cleanup_free_ char *path = spool_hook_path(job, restarts, "");

        return write_message(path, &record->base, RECORD_MAX, fail);
}

static void *sync_path(void *user) {
        _cleanup_free_ char *path = user;

        (void)hook_sync(path); /* fails if the job is over by now */
        return NULL;
}

void spool_sync_hook(uint32_t job, uint32_t restarts) {
        char *path = spool_hook_path(job, restarts, "");
        pthread_t thread;

        if (thread_start(&thread, "spool-sync", sync_path, path) < 0)
                free(path);
        else
                (void)pthread_detach(thread);
}

int spool_read_hook(uint32_t job, uint32_t restarts, Slumber__HookRecord **ret) {
        _cleanup_free_ char *path = spool_hook_path(job, restarts, "");
        _cleanup_free_ uint8_t *data = xmalloc(RECORD_MAX);
        ssize_t n = read_message(path, data);

        if (n < 0)
                return (int)n;
        *ret = slumber__hook_record__unpack(NULL, (size_t)n, data);
        if (!*ret)
                return -EBADMSG;
        if (*(*ret)->boot)
                return 0;
        slumber__hook_record__free_unpacked(*ret, NULL); /* truncated by a power failure */
        *ret = NULL;
        return -EBADMSG;
}

void spool_remove_hook(uint32_t job, uint32_t restarts) {
        static const char *const files[] = { ".prolog", ".epilog", "" };

        for (size_t i = 0; i < ELEMENTSOF(files); i++) {
                _cleanup_free_ char *path = spool_hook_path(job, restarts, files[i]);
                (void)unlink(path);
        }
}
