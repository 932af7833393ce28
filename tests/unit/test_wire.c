/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "lib/errors.h"
#include "lib/frame.h"
#include "lib/wire.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

static struct wire *pair(int *ret_other) {
        int fd[2];

        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd), 0);
        *ret_other = fd[1];
        return wire_new(fd[0]);
}

static void put(int fd, const void *data, size_t size) {
        assert_int_equal(write(fd, data, size), size);
}

static void put_envelope(int fd, const Envelope *env) {
        _cleanup_free_ uint8_t *frame = NULL;
        size_t size;

        assert_int_equal(wire_pack(env, &frame, &size), 0);
        put(fd, frame, size);
}

static void a_message_survives_the_round_trip(void **state) {
        Slumber__KeyValue pair_ = SLUMBER__KEY_VALUE__INIT, *settings[] = { &pair_ };
        Slumber__JobUpdate update = SLUMBER__JOB_UPDATE__INIT;
        _cleanup_envelope_ Envelope *got = NULL;
        _cleanup_free_ uint8_t *frame = NULL;
        size_t size;

        (void)state;
        pair_.key = (char *)"Priority";
        pair_.value = (char *)"7";
        update.id = 42;
        update.n_settings = 1;
        update.settings = settings;
        ENVELOPE(env, JOB_UPDATE, job_update, &update);
        env.id = 3;
        assert_int_equal(wire_pack(&env, &frame, &size), 0);
        assert_int_equal(frame_get_length(frame), size - FRAME_HEADER);
        assert_int_equal(wire_unpack(frame + FRAME_HEADER, size - FRAME_HEADER, &got), 0);
        assert_int_equal(got->version, WIRE_VERSION);
        assert_int_equal(got->id, 3);
        assert_int_equal(got->body_case, SLUMBER__ENVELOPE__BODY_JOB_UPDATE);
        assert_int_equal(got->job_update->id, 42);
        assert_string_equal(got->job_update->settings[0]->key, "Priority");
        assert_string_equal(got->job_update->settings[0]->value, "7");
        assert_null(got->caller);
}

static void what_is_no_message_is_refused(void **state) {
        static const struct {
                const char *bytes;
                size_t size;
                int r;
        } cases[] = {
                { "", 0, -EBADMSG },
                { "\xff\xff\xff\xff", 4, -EBADMSG },
                /* Ok, its length missing */
                { "\x08\x01\x5a", 3, -EBADMSG },
                /* Ok, five bytes that are not there */
                { "\x08\x01\x5a\x05", 4, -EBADMSG },
                { "\x08\x01\x82\x00\x02\x08\x01", 7,
                                /* field number 0, written in two bytes */
                                -EBADMSG },
                /* the same inside Ok */
                { "\x08\x01\x5a\x05\x82\x00\x02\x08\x01", 9, -EBADMSG },
                { "\x5a\x00", 2, -EPROTONOSUPPORT }, /* no version */
                { "\x08\x02\x5a\x00", 4, -EPROTONOSUPPORT },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                Envelope *env = NULL;

                assert_int_equal(wire_unpack((const uint8_t *)cases[i].bytes, cases[i].size, &env),
                                cases[i].r);
                assert_null(env);
        }
}

static void a_body_of_a_newer_peer_is_no_body(void **state) {
        _cleanup_envelope_ Envelope *env = NULL;

        (void)state;
        /* version 1, field 1000 with two bytes */
        assert_int_equal(wire_unpack((const uint8_t *)"\x08\x01\xc2\x3e\x02\x08\x01", 7, &env), 0);
        assert_int_equal(env->body_case, SLUMBER__ENVELOPE__BODY__NOT_SET);
}

/* 8 MiB of "0a 00" would become four million Partitions of more than 300 bytes. */
static void a_bomb_is_refused(void **state) {
        size_t body = (size_t)8 << 20, n = 0;
        _cleanup_free_ uint8_t *data = xnew0(uint8_t, body + 16);
        Envelope *env = NULL;

        (void)state;
        memcpy(data, "\x08\x01\xda\x01", 4); /* version 1, partition_list */
        n = 4;
        for (size_t v = body; v; v >>= 7)
                data[n++] = (uint8_t)((v & 0x7f) | (v >> 7 ? 0x80 : 0));
        for (size_t i = 0; i < body; i += 2)
                data[n + i] = 0x0a;
        assert_int_equal(wire_unpack(data, n + body, &env), -EMSGSIZE);
        assert_null(env);
}

/* What a user has padded is unpacked within more than it has left without that. */
static void what_shrinks_is_not_relayed(void **state) {
        const size_t n = 3000000, pad = 48 << 20;
        Slumber__JobQuery query = SLUMBER__JOB_QUERY__INIT;
        Slumber__Caller caller = SLUMBER__CALLER__INIT;
        _cleanup_free_ char **users = xnew(char *, n), *host = xmalloc(pad + 1);
        _cleanup_free_ uint8_t *frame = NULL, *relayed = NULL;
        _cleanup_envelope_ Envelope *got = NULL;
        size_t size;

        (void)state;
        for (size_t i = 0; i < n; i++)
                users[i] = (char *)"";
        memset(host, 'x', pad);
        host[pad] = 0;
        query.users = users;
        query.n_users = n;
        caller.host = host;
        ENVELOPE(env, JOB_QUERY, job_query, &query);
        env.caller = &caller;
        assert_int_equal(wire_pack(&env, &frame, &size), 0);
        assert_int_equal(wire_unpack(frame + FRAME_HEADER, size - FRAME_HEADER, &got), 0);
        Slumber__Caller *theirs = TAKE(got->caller);
        assert_int_equal(wire_pack_relayed(got, &relayed, &size), -EMSGSIZE);
        got->caller = theirs;
        query.n_users = 1000;
        env.caller = NULL;
        assert_int_equal(wire_pack_relayed(&env, &relayed, &size), 0);
}

static void too_large_a_message_is_not_packed(void **state) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;
        uint8_t *frame = NULL;
        size_t size;

        (void)state;
        io.data.len = WIRE_FRAME_MAX;
        io.data.data = xnew0(uint8_t, io.data.len);
        ENVELOPE(env, STEP_IO, step_io, &io);
        assert_int_equal(wire_pack(&env, &frame, &size), -EMSGSIZE);
        assert_null(frame);
        free(io.data.data);
}

static void frames_are_found_however_they_are_cut(void **state) {
        static const char stream[] = "\0\0\0\3abc\0\0\0\1d\0\0\0\2ef";

        (void)state;
        for (size_t step = 1; step < sizeof stream; step++) {
                struct frame_buffer *b = NULL;
                char seen[16] = "";
                const uint8_t *data;
                size_t room, size;

                b = frame_buffer_new(3);
                for (size_t i = 0; i < sizeof stream - 1; i += step) {
                        size_t n = MIN(step, sizeof stream - 1 - i);
                        memcpy(frame_buffer_space(b, &room), stream + i, n);
                        frame_buffer_filled(b, n);
                        while (frame_buffer_next(b, &data, &size) == 1)
                                strncat(strcat(seen, "|"), (const char *)data, size);
                }
                assert_string_equal(seen, "|abc|d|ef");
                assert_int_equal(frame_buffer_rest(b), 0);
                frame_buffer_free(b);
        }
}

static void bad_lengths_end_the_stream(void **state) {
        static const struct {
                const char *bytes;
                int r;
        } cases[] = {
                { "\0\0\0\0", -EBADMSG },
                { "\4\0\0\1", -EMSGSIZE },
                { "\xff\xff\xff\xff", -EMSGSIZE },
                { "GET ", -EMSGSIZE },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_close_ int other = -1;
                _cleanup_(wire_freep) struct wire *w = pair(&other);
                Envelope *env = NULL;

                put(other, cases[i].bytes, 4);
                assert_int_equal(wire_receive(w, USEC_INFINITY, &env), cases[i].r);
        }
}

static void a_promised_length_takes_no_memory(void **state) {
        struct frame_buffer *b = NULL;
        size_t room;

        (void)state;
        b = frame_buffer_new(WIRE_FRAME_MAX);
        frame_put_length(frame_buffer_space(b, &room), WIRE_FRAME_MAX);
        frame_buffer_filled(b, FRAME_HEADER);
        frame_buffer_space(b, &room);
        assert_true(frame_buffer_size(b) < 100000);
        frame_buffer_trim(b); /* something is there: nothing is lost */
        assert_int_equal(frame_buffer_rest(b), FRAME_HEADER);
        frame_buffer_free(b);
}

static void an_idle_buffer_takes_no_memory(void **state) {
        struct frame_buffer *b = NULL;
        const uint8_t *data;
        size_t room;

        (void)state;
        b = frame_buffer_new(WIRE_FRAME_MAX);
        memcpy(frame_buffer_space(b, &room), "\0\0\0\1x", 5);
        frame_buffer_filled(b, 5);
        assert_int_equal(frame_buffer_next(b, &data, &room), 1);
        frame_buffer_trim(b);
        assert_int_equal(frame_buffer_size(b), 0);
        memcpy(frame_buffer_space(b, &room), "\0\0\0\1y", 5);
        frame_buffer_filled(b, 5);
        assert_int_equal(frame_buffer_next(b, &data, &room), 1);
        assert_int_equal(data[0], 'y');
        frame_buffer_free(b);
}

static void messages_that_came_together_are_buffered(void **state) {
        Slumber__Ok ok = SLUMBER__OK__INIT;
        ENVELOPE(env, OK, ok, &ok);
        _cleanup_close_ int other = -1;
        _cleanup_(wire_freep) struct wire *w = pair(&other);

        (void)state;
        for (uint64_t i = 1; i <= 3; i++) {
                env.id = i;
                put_envelope(other, &env);
        }
        for (uint64_t i = 1; i <= 3; i++) {
                _cleanup_envelope_ Envelope *got = NULL;

                assert_int_equal(wire_buffered(w), i > 1);
                assert_int_equal(wire_receive(w, 0, &got), 0);
                assert_int_equal(got->id, i);
        }
        assert_false(wire_buffered(w));

        Envelope *none = NULL;
        assert_int_equal(wire_receive(w, 1000, &none), -ETIMEDOUT);
        put(other, "\0\0\0\5x", 5);
        close(TAKE_FD(other));
        assert_int_equal(wire_receive(w, USEC_INFINITY, &none), -ECONNRESET);
        assert_int_equal(wire_send(w, &env), -ECONNRESET);
}

static void an_error_answer_becomes_a_sentence(void **state) {
        static const struct {
                uint32_t code;
                const char *text, *want;
        } cases[] = {
                { SLUMBER_ACCESS_DENIED, "", "Access/permission denied" },
                { SLUMBER_FAILED, "because of it", "because of it" },
                { 4711, "", "Error 4711" },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_close_ int other = -1;
                _cleanup_(wire_freep) struct wire *w = pair(&other);
                Slumber__PingRequest ping = SLUMBER__PING_REQUEST__INIT;
                Slumber__Error error = SLUMBER__ERROR__INIT;
                struct fail fail = { 0 };
                Envelope *reply = NULL;
                uint32_t code = 0;

                ENVELOPE(request, PING, ping, &ping);
                error.code = cases[i].code;
                error.text = (char *)cases[i].text;
                ENVELOPE(answer, ERROR, error, &error);
                answer.reply_to = 99; /* someone else's: dropped */
                put_envelope(other, &answer);
                answer.reply_to = 1;
                put_envelope(other, &answer);
                assert_int_equal(wire_call(w, &request, &reply, &code, &fail), -EREMOTE);
                assert_null(reply);
                assert_int_equal(code, cases[i].code);
                assert_string_equal(fail.text, cases[i].want);
        }
}

static void what_another_cluster_says_commands_no_terminal(void **state) {
        char name[] = "\x1b]0;owned\a", lines[] = "one\n\ttwo \x9b caf\xc3\xa9",
             *values[] = { name, lines };
        Slumber__AcctRow row = SLUMBER__ACCT_ROW__INIT, *rows[] = { &row };
        Slumber__AcctList list = SLUMBER__ACCT_LIST__INIT;
        Slumber__PingRequest ping = SLUMBER__PING_REQUEST__INIT;
        Slumber__Error error = SLUMBER__ERROR__INIT;
        _cleanup_close_ int other = -1;
        _cleanup_(wire_freep) struct wire *w = pair(&other);
        struct fail fail = { 0 };
        Envelope *reply = NULL;

        (void)state;
        row.values = values;
        row.n_values = ELEMENTSOF(values);
        list.rows = rows;
        list.n_rows = 1;
        ENVELOPE(env, ACCT_LIST, acct_list, &list);
        wire_clean(w, &env.base); /* this cluster's */
        assert_string_equal(name, "\x1b]0;owned\a");
        wire_set_cluster(w, "beta");
        wire_clean(w, &env.base);
        assert_string_equal(name, "?]0;owned?");
        assert_string_equal(lines, "one\n\ttwo ? caf\xc3\xa9");

        ENVELOPE(request, PING, ping, &ping);
        error.code = SLUMBER_FAILED;
        error.text = (char *)"\x1b[2Jgone";
        ENVELOPE(answer, ERROR, error, &error);
        answer.reply_to = 1;
        put_envelope(other, &answer);
        assert_int_equal(wire_call(w, &request, &reply, NULL, &fail), -EREMOTE);
        assert_string_equal(fail.text, "?[2Jgone");
}

/* Answers one StepIo by itself: a child, because both sides block. */
static pid_t echo(int fd, struct wire *parents) {
        pid_t pid = fork();

        if (pid != 0)
                return pid;
        close(wire_fd(parents));
        struct wire *w = wire_new(fd);
        Envelope *env = NULL;
        if (wire_receive(w, USEC_INFINITY, &env) < 0)
                _exit(1);
        env->reply_to = env->id;
        _exit(wire_send(w, env) < 0);
}

static void ten_megabytes_go_there_and_back(void **state) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;
        _cleanup_close_ int other = -1;
        _cleanup_(wire_freep) struct wire *w = pair(&other);
        _cleanup_envelope_ Envelope *reply = NULL;
        pid_t pid = echo(other, w);
        int status = 0;

        (void)state;
        assert_true(pid > 0);
        close(TAKE_FD(other));
        io.data.len = 10 << 20;
        io.data.data = xnew(uint8_t, io.data.len);
        for (size_t i = 0; i < io.data.len; i++)
                io.data.data[i] = (uint8_t)(i * 2654435761u >> 24);
        ENVELOPE(env, STEP_IO, step_io, &io);
        assert_int_equal(wire_call(w, &env, &reply, NULL, NULL), 0);
        assert_int_equal(reply->step_io->data.len, io.data.len);
        assert_memory_equal(reply->step_io->data.data, io.data.data, io.data.len);
        free(io.data.data);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(status, 0);
}

static int told[2];

static void tell(const char *why) {
        assert_null(why);
        (void)!write(told[1], "", 1);
}

/* The answering side waits until the other side has said that it waits. */
static void a_slow_answer_is_talked_of(void **state) {
        Slumber__PingRequest ping = SLUMBER__PING_REQUEST__INIT;
        _cleanup_close_ int other = -1;
        _cleanup_(wire_freep) struct wire *w = pair(&other);
        _cleanup_envelope_ Envelope *reply = NULL;
        int status = 0;

        (void)state;
        assert_int_equal(pipe(told), 0);
        pid_t pid = fork();
        if (pid == 0) {
                Slumber__Ok ok = SLUMBER__OK__INIT;
                char bytes[2];

                ENVELOPE(answer, OK, ok, &ok);
                answer.reply_to = 1;
                if (read(told[0], bytes, 1) != 1)
                        _exit(1);
                put_envelope(other, &answer);
                _exit(0);
        }
        wire_when_slow(w, 1, tell);
        ENVELOPE(request, PING, ping, &ping);
        assert_int_equal(wire_call(w, &request, &reply, NULL, NULL), 0);
        assert_int_equal(reply->body_case, SLUMBER__ENVELOPE__BODY_OK);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(status, 0);
        close(told[0]);
        close(told[1]);
}

static void a_pipe_serves_as_well(void **state) {
        Slumber__Ok ok = SLUMBER__OK__INIT;
        ENVELOPE(env, OK, ok, &ok);
        _cleanup_envelope_ Envelope *got = NULL;
        int fd[2];

        (void)state;
        assert_int_equal(pipe2(fd, O_CLOEXEC), 0);
        _cleanup_(wire_freep) struct wire *r = wire_new(fd[0]), *w = wire_new(fd[1]);
        assert_int_equal(wire_send(w, &env), 0);
        assert_int_equal(wire_receive(r, USEC_PER_SEC, &got), 0);
        assert_int_equal(got->body_case, SLUMBER__ENVELOPE__BODY_OK);
}

static void missing_daemon_is_reported(void **state) {
        struct fail fail = { 0 };
        struct wire *w = NULL;
        char longer[200];

        (void)state;
        setenv("SLUMBER_SOCKET", "/nonexistent/slumber.sock", 1);
        assert_int_equal(wire_connect(&w, &fail), -ENOENT);
        assert_non_null(strstr(fail.text, "Unable to contact slurm controller (connect failure)"));
        assert_non_null(strstr(fail.text, "/nonexistent/slumber.sock"));
        memset(longer, 'x', sizeof longer - 1);
        longer[sizeof longer - 1] = 0;
        assert_int_equal(wire_connect_path(longer, &w, &fail), -ENAMETOOLONG);
        assert_null(w);
}

static void a_sockets_folder_is_made(void **state) {
        char folder[] = "/tmp/slumber-wire-XXXXXX";
        struct fail fail = { 0 };
        struct stat st;

        (void)state;
        assert_non_null(mkdtemp(folder));
        _cleanup_free_ char *made = xasprintf("%s/run", folder),
                            *socket = xasprintf("%s/run/sock", folder);
        _cleanup_free_ char *deep = xasprintf("%s/a/b/sock", folder);

        assert_int_equal(wire_make_folder(socket, geteuid(), getegid(), &fail), 0);
        assert_int_equal(stat(made, &st), 0);
        assert_true(S_ISDIR(st.st_mode) && (st.st_mode & 022) == 0);
        /* it is there */
        assert_int_equal(wire_make_folder(socket, geteuid(), getegid(), &fail), 0);
        assert_int_equal(wire_make_folder("/sock", geteuid(), getegid(), &fail), 0);
        assert_int_equal(wire_make_folder(deep, geteuid(), getegid(), &fail), -ENOENT);
        assert_non_null(strstr(fail.text, "cannot make the socket's folder"));
        assert_int_equal(rmdir(made), 0);
        assert_int_equal(rmdir(folder), 0);
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_message_survives_the_round_trip),
                cmocka_unit_test(what_is_no_message_is_refused),
                cmocka_unit_test(a_body_of_a_newer_peer_is_no_body),
                cmocka_unit_test(a_bomb_is_refused),
                cmocka_unit_test(what_shrinks_is_not_relayed),
                cmocka_unit_test(too_large_a_message_is_not_packed),
                cmocka_unit_test(frames_are_found_however_they_are_cut),
                cmocka_unit_test(bad_lengths_end_the_stream),
                cmocka_unit_test(a_promised_length_takes_no_memory),
                cmocka_unit_test(an_idle_buffer_takes_no_memory),
                cmocka_unit_test(messages_that_came_together_are_buffered),
                cmocka_unit_test(an_error_answer_becomes_a_sentence),
                cmocka_unit_test(what_another_cluster_says_commands_no_terminal),
                cmocka_unit_test(ten_megabytes_go_there_and_back),
                cmocka_unit_test(a_slow_answer_is_talked_of),
                cmocka_unit_test(a_pipe_serves_as_well),
                cmocka_unit_test(missing_daemon_is_reported),
                cmocka_unit_test(a_sockets_folder_is_made),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
