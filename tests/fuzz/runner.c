/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Feeds every file of a corpus folder to LLVMFuzzerTestOneInput, and each of its prefixes
   (truncation is the commonest damage).  An empty folder is a failure: a test that tests nothing.
 */
#include "lib/base.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every prefix of small inputs, some of large ones: the run stays short. */
#define PREFIXES_MAX 512

static void run(const uint8_t *data, size_t size) {
        /* Its own block of exactly this size, so that the sanitizer sees each byte read beyond
           it. */
        _cleanup_free_ uint8_t *copy = xmalloc(size);

        memcpy(copy, data, size);
        LLVMFuzzerTestOneInput(copy, size);
}

static int run_file(int dir, const char *name) {
        _cleanup_close_ int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
        struct stat st;

        if (fd < 0 || fstat(fd, &st) < 0)
                return -errno;
        size_t size = (size_t)st.st_size;
        _cleanup_free_ uint8_t *data = xmalloc(size);
        if (read(fd, data, size) != (ssize_t)size)
                return -EIO;
        size_t step = size / PREFIXES_MAX + 1;
        for (size_t n = 0; n < size; n += step)
                run(data, n);
        run(data, size);
        return 0;
}

int main(int argc, char **argv) {
        size_t files = 0;

        if (argc != 2) {
                fprintf(stderr, "usage: %s CORPUS-FOLDER\n", argv[0]);
                return 2;
        }
        DIR *dir = opendir(argv[1]);
        if (!dir) {
                fprintf(stderr, "%s: %s\n", argv[1], strerror(errno));
                return 1;
        }
        for (struct dirent *e; (e = readdir(dir));) {
                if (e->d_name[0] == '.')
                        continue;
                int r = run_file(dirfd(dir), e->d_name);
                if (r < 0) {
                        fprintf(stderr, "%s/%s: %s\n", argv[1], e->d_name, strerror(-r));
                        return 1;
                }
                files++;
        }
        closedir(dir);
        printf("%zu inputs\n", files);
        return files ? 0 : 1;
}
