/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/users/origin.h"

#include "lib/timetext.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <time.h>

#define END_MAX 48
#define BUDGET  (50 * USEC_PER_MSEC) /* CPU time, as slumberd's loop waits meanwhile */

static usec_t cpu_time(void) {
        struct timespec t;

        if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) < 0)
                return USEC_INFINITY;
        return (usec_t)t.tv_sec * USEC_PER_SEC + (usec_t)t.tv_nsec / 1000;
}

/* Formats an end like the kernel's tables: 32-bit words in the machine's byte order. */
static bool end_text(const char *address, uint16_t port, bool v6, char buf[static END_MAX]) {
        struct in6_addr six = IN6ADDR_ANY_INIT;
        struct in_addr four;
        uint32_t words[4];

        bool is_six = inet_pton(AF_INET6, address, &six) == 1;
        if (is_six && IN6_IS_ADDR_V4MAPPED(&six))
                memcpy(&four, &six.s6_addr[12], sizeof four);
        else if (is_six ? !v6 : inet_pton(AF_INET, address, &four) != 1)
                return false;
        if (!v6) {
                snprintf(buf, END_MAX, "%08" PRIX32 ":%04X", four.s_addr, port);
                return true;
        }
        if (!is_six) {
                six.s6_addr[10] = six.s6_addr[11] = 0xff;
                memcpy(&six.s6_addr[12], &four, sizeof four);
        }
        memcpy(words, &six, sizeof words);
        snprintf(buf, END_MAX, "%08" PRIX32 "%08" PRIX32 "%08" PRIX32 "%08" PRIX32 ":%04X",
                        words[0], words[1], words[2], words[3], port);
        return true;
}

/* Returns the inode of the socket at the other end; 0: none. */
static uint64_t origin_find_inode(const struct origin_ask *ask, const char *path, bool v6,
                usec_t until) {
        char from[END_MAX], to[END_MAX], line[512];
        char row_from[END_MAX], row_to[END_MAX];
        _cleanup_fclose_ FILE *f = fopen(path, "re");
        uint64_t inode;

        if (!end_text(ask->from, ask->from_port, v6, from) ||
                        !end_text(ask->to, ask->to_port, v6, to))
                return 0;
        while (f && cpu_time() < until && fgets(line, sizeof line, f))
                if (sscanf(line, " %*[0-9]: %47s %47s %*x %*x:%*x %*x:%*x %*x %*u %*u %" SCNu64,
                                    row_from, row_to, &inode) == 3 &&
                                streq(row_from, from) && streq(row_to, to))
                        return inode;
        return 0;
}

static bool has_socket(int proc, const char *pid, uid_t uid, const char *socket, usec_t until) {
        _cleanup_free_ char *path = xasprintf("%s/fd", pid);
        char target[64];
        struct stat st;
        bool found = false;

        if (fstatat(proc, pid, &st, 0) < 0 || st.st_uid != uid)
                return false;
        int fd = openat(proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        DIR *dir = fd < 0 ? NULL : fdopendir(fd);
        for (struct dirent *e; dir && !found && cpu_time() < until && (e = readdir(dir));) {
                ssize_t n = readlinkat(fd, e->d_name, target, sizeof target - 1);
                target[MAX(n, 0)] = 0;
                found = n > 0 && streq(target, socket);
        }
        if (dir)
                closedir(dir);
        return found;
}

pid_t origin_process(const struct origin_ask *ask) {
        usec_t until = cpu_time() + (ask->budget ? ask->budget : BUDGET);
        uint64_t inode = origin_find_inode(ask, "/proc/net/tcp", false, until), pid;
        char socket[64];
        pid_t found = 0;

        inode = inode ? inode : origin_find_inode(ask, "/proc/net/tcp6", true, until);
        if (!inode)
                return 0;
        snprintf(socket, sizeof socket, "socket:[%" PRIu64 "]", inode);
        DIR *proc = opendir("/proc");
        for (struct dirent *e; proc && !found && cpu_time() < until && (e = readdir(proc));)
                if (uint_parse(e->d_name, 1, INT32_MAX, &pid) >= 0 &&
                                has_socket(dirfd(proc), e->d_name, ask->uid, socket, until))
                        found = (pid_t)pid;
        if (proc)
                closedir(proc);
        return found;
}
