/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "controller/model/job.h"
#include "controller/model/job_names.h"

#define MANY  1000
#define NAMES 7
#define USERS 3

/* Ids of those that are there, from the latest on. */
static void has(const struct job_names *t, const struct job *jobs, uid_t uid, const char *name,
                bool every_second) {
        const struct job *found = job_names_latest(t, uid, name);

        for (uint32_t i = MANY; i-- > 0;) {
                if (jobs[i].uid != uid || strcmp(strempty(jobs[i].asked.name), name) != 0 ||
                                (every_second && i % 2))
                        continue;
                assert_ptr_equal(found, &jobs[i]);
                found = job_names_before(found);
        }
        assert_null(found);
}

static void namesakes_are_found_from_the_latest_on(void **state) {
        static char *const names[NAMES] = { (char *)"a", (char *)"b", (char *)"ab", (char *)"ba",
                (char *)"wrap", (char *)"", NULL };
        _cleanup_free_ struct job *jobs = xnew0(struct job, MANY);
        _cleanup_(job_names_freep) struct job_names *t = job_names_new();

        (void)state;
        assert_null(job_names_latest(t, 0, "a"));
        for (uint32_t i = 0; i < MANY; i++) {
                jobs[i].uid = i % USERS;
                jobs[i].asked.name = names[i % NAMES];
                job_names_insert(t, &jobs[i]);
        }
        for (unsigned pass = 0; pass < 2; pass++) {
                for (uid_t uid = 0; uid <= USERS; uid++) /* one that no job has */
                        for (size_t i = 0; i < NAMES; i++)
                                has(t, jobs, uid, strempty(names[i]), pass);
                assert_null(job_names_latest(t, 0, "nobody's"));
                for (uint32_t i = 1; i < MANY && pass == 0; i += 2)
                        job_names_remove(t, &jobs[i]);
        }
        for (uint32_t i = 0; i < MANY; i += 2)
                job_names_remove(t, &jobs[i]);
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(namesakes_are_found_from_the_latest_on),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
