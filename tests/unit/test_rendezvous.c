/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "agent/common/rendezvous.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

static void both_sides_meet(void **state) {
        _cleanup_free_ char *name = NULL, *other = NULL;
        struct fail fail = { 0 };
        int listener = rendezvous_listen(&name, &fail), second = rendezvous_listen(&other, &fail);
        int client = rendezvous_connect(name), daemon = rendezvous_accept(listener);
        char byte = 0;

        (void)state;
        assert_true(second >= 0 && client >= 0 && daemon >= 0);
        assert_string_not_equal(name, other);
        assert_int_equal(write(client, "x", 1), 1);
        assert_int_equal(read(daemon, &byte, 1), 1);
        assert_int_equal(byte, 'x');
        close(daemon);
        close(client);
        close(second);
        close(listener);
}

static void gone_job_is_not_found(void **state) {
        _cleanup_free_ char *name = NULL;
        struct fail fail = { 0 };

        (void)state;
        close(rendezvous_listen(&name, &fail));
        assert_int_equal(rendezvous_connect(name), -ECONNREFUSED);
        assert_int_equal(rendezvous_connect(""), -ECONNREFUSED); /* a record without */
}

/* In a child: another user connects to name, or takes it, and waits to be killed. */
static pid_t stranger(const char *name, int listener, bool takes) {
        int ready[2];
        char byte;

        assert_int_equal(pipe(ready), 0);
        pid_t pid = fork();
        if (pid == 0) {
                (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
                close(listener);
                struct sockaddr_un address = { .sun_family = AF_UNIX };
                socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
                                             strlen(name));
                int fd = socket(AF_UNIX, SOCK_STREAM, 0);

                memcpy(address.sun_path + 1, name, strlen(name));
                if (setuid(1000) < 0 ||
                                (takes ? bind(fd, (struct sockaddr *)&address, size) < 0 ||
                                                                                listen(fd, 8) < 0
                                       : connect(fd, (struct sockaddr *)&address, size) < 0))
                        _exit(1);
                (void)!write(ready[1], "", 1);
                for (;;)
                        pause();
        }
        close(ready[1]);
        assert_int_equal(read(ready[0], &byte, 1), 1);
        close(ready[0]);
        return pid;
}

static void strangers_are_sent_away(void **state) {
        _cleanup_free_ char *name = NULL;
        struct fail fail = { 0 };

        (void)state;
        if (getuid() != 0)
                skip(); /* which frees nothing */
        int listener = rendezvous_listen(&name, &fail);
        pid_t guest = stranger(name, listener, false);
        assert_int_equal(rendezvous_accept(listener), -EPERM);
        close(listener);
        pid_t heir = stranger(name, -1, true);
        assert_int_equal(rendezvous_connect(name), -ECONNREFUSED);
        kill(guest, SIGKILL);
        kill(heir, SIGKILL);
        assert_int_equal(waitpid(guest, NULL, 0), guest);
        assert_int_equal(waitpid(heir, NULL, 0), heir);
}

/* No step is taken for gone because others crowd its socket. */
static void behind_a_crowd_one_comes_again(void **state) {
        _cleanup_free_ char *name = NULL;
        struct fail fail = { 0 };
        int listener = rendezvous_listen(&name, &fail), crowd[1000], n = 0;

        (void)state;
        while ((crowd[n] = rendezvous_connect(name)) >= 0 && n < 999)
                n++;
        assert_int_equal(crowd[n], -EAGAIN); /* it is full */
        close(rendezvous_accept(listener));
        int client = rendezvous_connect(name);
        assert_true(client >= 0);
        close(client);
        for (int i = 0; i < n; i++)
                close(crowd[i]);
        close(listener);
}

static void a_line_has_two_ends(void **state) {
        struct fail fail = { 0 };
        int ours = -1, its = -1;
        char byte = 0;

        (void)state;
        assert_int_equal(rendezvous_pair(&ours, &its, &fail), 0);
        assert_int_equal(read(ours, &byte, 1), -1);
        assert_int_equal(errno, EAGAIN);
        assert_int_equal(write(its, "x", 1), 1);
        assert_int_equal(read(ours, &byte, 1), 1);
        assert_int_equal(byte, 'x');
        close(ours);
        assert_int_equal(read(its, &byte, 1), 0);
        close(its);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(both_sides_meet),
                cmocka_unit_test(gone_job_is_not_found),
                cmocka_unit_test(strangers_are_sent_away),
                cmocka_unit_test(behind_a_crowd_one_comes_again),
                cmocka_unit_test(a_line_has_two_ends),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
