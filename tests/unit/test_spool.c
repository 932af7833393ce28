/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "agent/common/script.h"
#include "agent/common/spool.h"
#include "agent/common/state_seen.h"
#include "lib/folder.h"

#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static void names_survive_the_round_trip(void **state) {
        static const char *const names[] = { "7.0.batch", "7.2.0", "7.2.extern",
                "4294967295.1.4026531839", "7.2.bcast0", "7.2.bcast268435439" };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                struct step_name n;

                assert_int_equal(step_name_parse(names[i], &n), 0);
                _cleanup_free_ char *text = step_name_text(&n);
                assert_string_equal(text, names[i]);
        }
}

static void other_names_are_refused(void **state) {
        static const char *const names[] = { "", "7", "7.0", "7.0.", "7.0.x", "0.0.batch", "-7.0.1",
                "7.0.1.2", "7.0.4294967295", "7.0.4026531840", "7.0.bcast", "7.0.bcast268435440",
                "../../etc", " 7.0.1", "7.0.batch/" };
        struct step_name n;

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                assert_int_equal(step_name_parse(names[i], &n), -EINVAL);
}

static int remove_path(const char *path, const struct stat *st, int type, struct FTW *ftw) {
        (void)st, (void)type, (void)ftw;
        return remove(path);
}

static void a_folder_others_can_write_is_refused(void **state) {
        char dir[] = "/tmp/agent-test-spool-XXXXXX";
        struct fail fail = { 0 };
        int lock = -1;

        (void)state;
        assert_non_null(mkdtemp(dir));
        assert_int_equal(chmod(dir, 0770), 0);
        assert_int_equal(spool_open(dir, &lock, &fail), -EPERM);
        assert_non_null(strstr(fail.text, "can be written by others"));
        assert_int_equal(spool_open("relative", &lock, &fail), -EINVAL);
        assert_int_equal(lock, -1);
        assert_int_equal(rmdir(dir), 0);
}

static void a_symbolic_link_is_not_followed(void **state) {
        char dir[] = "/tmp/agent-test-spool-XXXXXX";
        struct fail fail = { 0 };
        int lock = -1;

        (void)state;
        assert_non_null(mkdtemp(dir));
        _cleanup_free_ char *link = xasprintf("%s/link", dir);
        assert_int_equal(symlink("/tmp", link), 0);
        assert_true(spool_open(link, &lock, &fail) < 0);
        assert_int_equal(lock, -1);
        assert_int_equal(nftw(dir, remove_path, 8, FTW_DEPTH | FTW_PHYS), 0);
}

static void a_step_is_recorded_and_removed(void **state) {
        char dir[] = "/tmp/agent-test-spool-XXXXXX";
        struct step_name name = { 7, 0, STEP_BATCH };
        Slumber__StepdSpec record = SLUMBER__STEPD_SPEC__INIT, *read = NULL;
        Slumber__CredentialBody body = SLUMBER__CREDENTIAL_BODY__INIT;
        struct fail fail = { 0 };
        int lock = -1;

        (void)state;
        assert_non_null(mkdtemp(dir));
        assert_int_equal(spool_open(dir, &lock, &fail), 0);
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0)
                _exit(spool_open(dir, &(int){ -1 }, &fail) != -EBUSY);
        int status;
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(status, 0);
        assert_int_equal(spool_read_record(&name, &read), -ENOENT);
        body.job_id = 7;
        record.credential = &body;
        record.cgroup = (char *)"v2=/x";
        assert_int_equal(spool_make_step(&name, &record, &fail), 0);
        assert_true(spool_make_step(&name, &record, &fail) < 0);

        char **names = folder_list("steps", false);
        assert_string_equal(names[0], "7.0.batch");
        assert_null(names[1]);
        free(names[0]);
        free(names);
        assert_int_equal(spool_read_record(&name, &read), 0);
        assert_int_equal(read->credential->job_id, 7);
        assert_string_equal(read->cgroup, "v2=/x");
        slumber__stepd_spec__free_unpacked(read, NULL);

        spool_remove_step(&name);
        names = folder_list("steps", false);
        assert_null(names[0]);
        free(names);
        close(lock);
        assert_int_equal(chdir("/"), 0);
        assert_int_equal(nftw(dir, remove_path, 8, FTW_DEPTH | FTW_PHYS), 0);
}

/* The record's line with that boot's id is changed: one of the machine's boots before. */
static void spoil_boot(const char *path) {
        _cleanup_fclose_ FILE *f = fopen(path, "r+e");
        char boot[BOOT_ID_SIZE], data[4096];

        assert_non_null(f);
        boot_id(boot);
        size_t n = fread(data, 1, sizeof data, f);
        char *at = memmem(data, n, boot, strlen(boot));
        assert_non_null(at);
        *at = *at == '0' ? '1' : '0';
        rewind(f);
        assert_int_equal(fwrite(data, 1, n, f), n);
}

static void an_end_joins_the_record(void **state) {
        char dir[] = "/tmp/agent-test-spool-XXXXXX";
        struct step_name name = { 7, 0, STEP_BATCH }, none = { 8, 0, STEP_BATCH };
        Slumber__StepdSpec record = SLUMBER__STEPD_SPEC__INIT, *read = NULL;
        Slumber__CredentialBody body = SLUMBER__CREDENTIAL_BODY__INIT;
        Slumber__StepEnded ended = SLUMBER__STEP_ENDED__INIT;
        struct fail fail = { 0 };
        int lock = -1;

        (void)state;
        assert_non_null(mkdtemp(dir));
        assert_int_equal(spool_open(dir, &lock, &fail), 0);
        body.job_id = 7;
        record.credential = &body;
        record.cgroup = (char *)"v2=/x";
        record.socket = (char *)"somewhere";
        ended.job_id = 7;
        ended.cpu_time = 123;
        ended.last = true;
        assert_int_equal(spool_keep_end(&none, &ended), -ENOENT);
        assert_int_equal(spool_make_step(&name, &record, &fail), 0);
        assert_int_equal(spool_keep_end(&name, &ended), 0);
        assert_int_equal(spool_read_record(&name, &read), 0);
        assert_int_equal(read->credential->job_id, 7);
        assert_string_equal(read->cgroup, "v2=/x");
        assert_string_not_equal(read->socket, "somewhere");
        assert_non_null(read->ended);
        assert_int_equal(read->ended->cpu_time, 123);
        slumber__stepd_spec__free_unpacked(read, NULL);

        spoil_boot("steps/7.0.batch/record");
        assert_int_equal(spool_read_record(&name, &read), 0);
        assert_int_equal(read->credential->job_id, 7);
        assert_null(read->ended);
        slumber__stepd_spec__free_unpacked(read, NULL);
        close(lock);
        assert_int_equal(chdir("/"), 0);
        assert_int_equal(nftw(dir, remove_path, 8, FTW_DEPTH | FTW_PHYS), 0);
}

/* Its folder, with a record that names the group. */
static void make_step(const struct step_name *name, const char *cgroup) {
        Slumber__StepdSpec record = SLUMBER__STEPD_SPEC__INIT, *read = NULL;
        Slumber__CredentialBody body = SLUMBER__CREDENTIAL_BODY__INIT;
        struct fail fail = { 0 };

        record.credential = &body;
        record.cgroup = (char *)cgroup;
        assert_int_equal(spool_make_step(name, &record, &fail), 0);
        assert_int_equal(spool_read_record(name, &read), 0);
        assert_string_equal(read->cgroup, cgroup);
        slumber__stepd_spec__free_unpacked(read, NULL);
}

static ino_t inode_of(const struct step_name *name) {
        _cleanup_free_ char *folder = step_name_folder(name);
        struct stat st;

        return stat(folder, &st) < 0 ? 0 : st.st_ino;
}

static void a_step_inherits_no_signals(void **state) {
        char dir[] = "/tmp/agent-test-spool-XXXXXX";
        struct step_name first = { 7, 0, 0 }, second = { 8, 0, 1 };
        struct fail fail = { 0 };
        uint32_t last = 0;
        uint64_t bits = 0;
        int lock = -1;

        (void)state;
        assert_non_null(mkdtemp(dir));
        assert_int_equal(spool_open(dir, &lock, &fail), 0);
        make_step(&first, "v2=/x");
        ino_t folder = inode_of(&first);
        spool_write_signals(&first, 5, 31);
        assert_true(spool_read_signals(&first, &last, &bits));
        assert_int_equal(last, 5);
        assert_int_equal(bits, 31);
        spool_remove_step(&first);
        make_step(&second, "v2=/x");
        assert_int_equal(inode_of(&second), folder);
        assert_false(spool_read_signals(&second, &last, &bits));
        spool_write_signals(&second, 1, 1);
        assert_true(spool_read_signals(&second, &last, &bits));
        assert_int_equal(last, 1);
        spool_remove_step(&second);
        close(lock);
        assert_int_equal(chdir("/"), 0);
        assert_int_equal(nftw(dir, remove_path, 8, FTW_DEPTH | FTW_PHYS), 0);
}

/* Its inode. */
static ino_t write_script(const struct step_name *name, const char *text, uid_t uid) {
        _cleanup_free_ char *folder = step_name_folder(name),
                            *path = xasprintf("%s/slurm_script", folder);
        char read_back[100] = "";
        struct stat st;

        assert_int_equal(script_write(path, text, strlen(text), uid, getegid()), 0);
        assert_int_equal(stat(path, &st), 0);
        assert_int_equal(st.st_mode & 07777, 0500);
        assert_int_equal(st.st_uid, uid);
        int fd = open(path, O_RDONLY);
        assert_int_equal(read(fd, read_back, sizeof read_back - 1), strlen(text));
        assert_string_equal(read_back, text);
        close(fd);
        return st.st_ino;
}

/* A process that had the file open does not see another user's. */
static void a_script_serves_its_user_alone(void **state) {
        char dir[] = "/tmp/agent-test-spool-XXXXXX";
        struct step_name name = { 7, 0, STEP_BATCH };
        struct fail fail = { 0 };
        char byte;
        int lock = -1;

        (void)state;
        if (geteuid() != 0)
                skip();
        assert_non_null(mkdtemp(dir));
        assert_int_equal(spool_open(dir, &lock, &fail), 0);
        make_step(&name, "v2=/x");
        ino_t first = write_script(&name, "#!/bin/sh\necho mine\n", 1000);
        int kept = open("steps/7.0.batch/slurm_script", O_RDONLY);
        spool_remove_step(&name);
        make_step(&name, "v2=/x");
        ino_t second = write_script(&name, "#!/bin/sh\necho secret\n", 1001);
        assert_int_not_equal(second, first);
        assert_int_equal(pread(kept, &byte, 1, 1), 0); /* and the old text has not stayed */
        close(kept);

        assert_int_equal(link("steps/7.0.batch/slurm_script", "second-name"), 0);
        assert_int_not_equal(write_script(&name, "#!/bin/sh\n", 1001), second);
        spool_remove_step(&name);
        close(lock);
        assert_int_equal(chdir("/"), 0);
        assert_int_equal(nftw(dir, remove_path, 8, FTW_DEPTH | FTW_PHYS), 0);
}

static void a_folder_serves_the_next_step(void **state) {
        char dir[] = "/tmp/agent-test-spool-XXXXXX";
        struct step_name first = { 7, 0, STEP_BATCH }, second = { 8, 0, 0 };
        Slumber__StepdSpec *read = NULL;
        struct fail fail = { 0 };
        int lock = -1;

        (void)state;
        assert_non_null(mkdtemp(dir));
        assert_int_equal(spool_open(dir, &lock, &fail), 0);
        make_step(&first, "v2=/a-long-name");
        ino_t script = write_script(&first, "#!/bin/sh\necho one\n", geteuid());
        ino_t folder = inode_of(&first);
        spool_remove_step(&first);
        assert_int_equal(inode_of(&first), 0);
        make_step(&second, "v2=/x"); /* a record that is shorter than the one before */
        assert_int_equal(inode_of(&second), folder);
        ino_t again = write_script(&second, "#!/bin/sh\n", geteuid());
        if (geteuid() == 0) /* others cannot write what has mode 0500 */
                assert_int_equal(again, script);
        spool_remove_record(&second);
        assert_int_equal(spool_read_record(&second, &read), -ENOENT);
        spool_remove_record(&second);
        spool_remove_step(&second);
        make_step(&second, "v2=/z");
        assert_int_equal(inode_of(&second), folder);
        spool_remove_step(&second);

        for (int made = 1; spool_make_spare(); made++)
                assert_true(made < 1000);
        make_step(&first, "v2=/y");
        (void)write_script(&first, "#!/bin/sh\n", geteuid() == 0 ? 1000 : geteuid());
        spool_remove_step(&first);

        close(lock); /* the next slumberd begins without */
        assert_int_equal(spool_open(dir, &lock, &fail), 0);
        assert_int_equal(rmdir("steps"), 0);
        close(lock);
        assert_int_equal(chdir("/"), 0);
        assert_int_equal(nftw(dir, remove_path, 8, FTW_DEPTH | FTW_PHYS), 0);
}

/* So that its time says when it was changed last. */
static void await_age(const char *path) {
        struct stat st;

        assert_int_equal(stat(path, &st), 0);
        while (time(NULL) <= st.st_ctim.tv_sec + 2)
                usleep(10000);
}

static void a_removed_folder_is_seen(void **state) {
        char dir[] = "/tmp/agent-test-spool-XXXXXX";
        struct fail fail = { 0 };
        int lock = -1;

        (void)state;
        assert_non_null(mkdtemp(dir));
        assert_int_equal(spool_open(dir, &lock, &fail), 0);
        assert_int_equal(spool_look(&lock, &fail), 0);
        assert_int_equal(rmdir("hooks"), 0);
        assert_int_equal(spool_look(&lock, &fail), 1);
        await_age(dir);
        for (int i = 0; i < 2; i++)
                assert_int_equal(spool_look(&lock, &fail), 0);
        assert_int_equal(rmdir("steps"), 0);
        assert_int_equal(spool_look(&lock, &fail), 1);
        assert_int_equal(access("steps", F_OK), 0);
        assert_int_equal(nftw(dir, remove_path, 8, FTW_DEPTH | FTW_PHYS), 0);
        assert_int_equal(spool_look(&lock, &fail), 1);
        assert_int_equal(spool_look(&lock, &fail), 0);
        close(lock);
        assert_int_equal(chdir("/"), 0);
        assert_int_equal(nftw(dir, remove_path, 8, FTW_DEPTH | FTW_PHYS), 0);
}

static void take(struct state_seen_kept *kept, uint64_t start, uint64_t given) {
        Slumber__StateSeen m = SLUMBER__STATE_SEEN__INIT;

        m.state = 7;
        m.generation = start;
        m.start = start;
        m.given = given;
        m.proof = given + 1;
        state_seen_take(kept, &m, false);
}

static void what_controllers_have_said_is_kept(void **state) {
        char dir[] = "/tmp/agent-test-spool-XXXXXX";
        struct state_seen_kept kept, again;
        struct fail fail = { 0 };
        int lock = -1;

        (void)state;
        assert_non_null(mkdtemp(dir));
        assert_int_equal(spool_open(dir, &lock, &fail), 0);
        state_seen_read(&kept);
        assert_int_equal(kept.seen.state, 0);
        state_seen_take(&kept, NULL, true);
        assert_int_equal(access("state_seen", F_OK), -1);
        take(&kept, 3, 40);
        take(&kept, 3, 39); /* a launch that was overtaken by a heartbeat */
        state_seen_read(&again);
        assert_int_equal(again.seen.state, 7);
        assert_int_equal(again.seen.generation, 3);
        assert_int_equal(again.seen.given, 40);
        assert_int_equal(again.seen.proof, 41);
        take(&kept, 9, UINT64_MAX);
        take(&kept, 10, 20); /* a state that was gone on from */
        state_seen_read(&again);
        assert_int_equal(again.seen.start, 10);
        assert_int_equal(again.seen.given, 20);
        assert_int_equal(truncate("state_seen", 20), 0);
        state_seen_read(&again);
        assert_int_equal(again.seen.state | again.seen.generation, 0);
        take(&again, 11, 21);
        state_seen_read(&kept);
        assert_int_equal(kept.seen.given, 21);
        close(lock);
        assert_int_equal(chdir("/"), 0);
        assert_int_equal(nftw(dir, remove_path, 8, FTW_DEPTH | FTW_PHYS), 0);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(names_survive_the_round_trip),
                cmocka_unit_test(other_names_are_refused),
                cmocka_unit_test(a_folder_others_can_write_is_refused),
                cmocka_unit_test(a_symbolic_link_is_not_followed),
                cmocka_unit_test(a_step_is_recorded_and_removed),
                cmocka_unit_test(an_end_joins_the_record),
                cmocka_unit_test(a_folder_serves_the_next_step),
                cmocka_unit_test(a_removed_folder_is_seen),
                cmocka_unit_test(a_step_inherits_no_signals),
                cmocka_unit_test(a_script_serves_its_user_alone),
                cmocka_unit_test(what_controllers_have_said_is_kept),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
