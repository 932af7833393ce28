/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/common/rendezvous.h"

#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>

#define RANDOM_SIZE 16  /* bytes */
#define WAITING_MAX 128 /* connections not accepted yet; many may be foreign */

static int rendezvous_address(const char *name, struct sockaddr_un *ret, socklen_t *ret_size) {
        size_t length = strlen(name);

        *ret = (struct sockaddr_un){ .sun_family = AF_UNIX };
        if (length == 0 || length >= sizeof ret->sun_path)
                return -EINVAL;
        memcpy(ret->sun_path + 1, name, length);
        *ret_size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
        return 0;
}

static char *new_name(void) {
        uint8_t bytes[RANDOM_SIZE];
        char hex[2 * RANDOM_SIZE + 1];

        if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
                return NULL;
        for (size_t i = 0; i < sizeof bytes; i++)
                snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
        return xasprintf("slumber-step-%s", hex);
}

int rendezvous_listen(char **ret_name, struct fail *fail) {
        _cleanup_close_ int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        _cleanup_free_ char *name = new_name();
        struct sockaddr_un address;
        socklen_t size;
        int r = name ? rendezvous_address(name, &address, &size) : -EIO;

        if (r >= 0 && (fd < 0 || bind(fd, (struct sockaddr *)&address, size) < 0 ||
                                      listen(fd, WAITING_MAX) < 0))
                r = -errno;
        if (r < 0)
                return fail_set(fail, r, "cannot make a step daemon's socket: %s", strerror(-r));
        *ret_name = name;
        name = NULL;
        return TAKE_FD(fd);
}

int rendezvous_pair(int *ret_ours, int *ret_its, struct fail *fail) {
        int fds[2];

        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds) < 0)
                return fail_set(fail, -errno, "cannot make a step daemon's line: %s",
                                strerror(errno));
        *ret_ours = fds[0];
        *ret_its = fds[1];
        return 0;
}

static bool is_ours(int fd) {
        struct ucred peer;
        socklen_t size = sizeof peer;

        return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == getuid();
}

int rendezvous_connect(const char *name) {
        _cleanup_close_ int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        struct sockaddr_un address;
        socklen_t size;

        if (fd < 0)
                return -errno;
        if (rendezvous_address(name, &address, &size) < 0)
                return -ECONNREFUSED;
        if (connect(fd, (struct sockaddr *)&address, size) < 0)
                return -errno;
        return is_ours(fd) ? TAKE_FD(fd) : -ECONNREFUSED;
}

int rendezvous_accept(int listener) {
        _cleanup_close_ int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

        if (fd < 0)
                return -errno;
        return is_ours(fd) ? TAKE_FD(fd) : -EPERM;
}
