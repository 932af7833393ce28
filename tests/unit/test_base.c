/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/base.h"
#include "tests/unit/test.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern void __asan_init(void) __attribute__((weak)); /* NULL without that sanitizer */

static void a_stream_into_memory_gives_its_text(void **state) {
        char *text = NULL;
        size_t size = 1;
        FILE *f = memstream_open(&text, &size);

        fprintf(f, "%d jobs", 3);
        assert_int_equal(ftell(f), 6);
        assert_int_equal(fflush(f), 0);
        fputs(" wait", f);
        assert_int_equal(ftell(f), 11);
        memstream_close(f);
        assert_string_equal(text, "3 jobs wait");
        assert_int_equal(size, 11);
        free(text);
        memstream_close(memstream_open(&text, &size));
        assert_string_equal(text, "");
        assert_int_equal(size, 0);
        free(text);
}

/* Writes more than it may have; its errors go to fd. */
static void write_too_much(int fd) {
        static const char block[65536];
        struct rlimit limit = { 256 << 20, 256 << 20 };
        char *text;
        size_t size;

        if (dup2(fd, STDERR_FILENO) < 0 || setrlimit(RLIMIT_AS, &limit) < 0)
                _exit(2);
        FILE *f = memstream_open(&text, &size);
        for (size_t i = 0; i < (1 << 30) / sizeof block; i++)
                fwrite(block, sizeof block, 1, f);
        memstream_close(f);
        _exit(0);
}

static void text_that_memory_does_not_suffice_for_ends_the_process(void **state) {
        char told[64] = "";
        int fds[2], status;

        if (__asan_init) /* its shadow memory alone is more */
                skip();
        assert_int_equal(pipe(fds), 0);
        pid_t pid = fork();
        if (pid == 0)
                write_too_much(fds[1]);
        close(fds[1]);
        assert_true(read(fds[0], told, sizeof told - 1) > 0);
        close(fds[0]);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
        assert_string_equal(told, "out of memory\n");
}

static void lists_of_texts_are_replaced(void **state) {
        char a[] = "a", b[] = "b", *two[] = { a, b }, **texts = NULL;
        size_t n = 0;

        texts_set(&texts, &n, two, 2);
        texts_set(&texts, &n, two + 1, 1);
        assert_int_equal(n, 1);
        assert_string_equal(texts[0], "b");
        texts_set(&texts, &n, NULL, 0);
        assert_null(texts);
        assert_int_equal(n, 0);
        texts_free(NULL, 2);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_stream_into_memory_gives_its_text),
                cmocka_unit_test(lists_of_texts_are_replaced),
                cmocka_unit_test(text_that_memory_does_not_suffice_for_ends_the_process),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
