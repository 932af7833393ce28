/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/tcp_user: whose a connection on the loopback is. */
#include "agent/pmi/tcp_user.h"

#include "tests/unit/test.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define OTHER_USER 1

static int connect_to(const struct sockaddr_in *at) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);

        return connect(fd, (const struct sockaddr *)at, sizeof *at) < 0 ? -1 : fd;
}

static void the_kernel_says_whose_a_connection_is(void **state) {
        struct sockaddr_in at = { .sin_family = AF_INET,
                .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
        socklen_t size = sizeof at;
        int listener = socket(AF_INET, SOCK_STREAM, 0);

        (void)state;
        assert_int_equal(bind(listener, (struct sockaddr *)&at, size), 0);
        assert_int_equal(listen(listener, 4), 0);
        assert_int_equal(getsockname(listener, (struct sockaddr *)&at, &size), 0);
        int fd = connect_to(&at), its = accept(listener, NULL, NULL);
        assert_true(fd >= 0 && its >= 0);
        assert_true(tcp_peer_is(its, geteuid()));
        assert_false(tcp_peer_is(its, geteuid() + OTHER_USER));
        close(fd);
        close(its);
        if (geteuid() != 0) {
                close(listener);
                return;
        }
        pid_t pid = fork();
        if (pid == 0) {
                char byte;
                if (setuid(OTHER_USER) < 0 || (fd = connect_to(&at)) < 0)
                        _exit(1);
                _exit(read(fd, &byte, 1) != 0);
        }
        its = accept(listener, NULL, NULL);
        assert_true(its >= 0);
        assert_false(tcp_peer_is(its, 0));
        assert_true(tcp_peer_is(its, OTHER_USER));
        close(its);
        int status;
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(status, 0);
        close(listener);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(the_kernel_says_whose_a_connection_is),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
