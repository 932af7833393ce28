/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program of PMIx: the first task publishes names, the last one looks them up; then they are
 * taken back; then each waits for a name of the other's.  What is not as it should be is printed.
 */
#include <pmix.h>
#include <stdio.h>
#include <string.h>

#define LONG_NAME 300 /* characters: more than PMI has */

static pmix_proc_t me;

static void expect(const char *what, pmix_status_t got, pmix_status_t wanted) {
        if (got != wanted)
                printf("%u: %s: %s\n", me.rank, what, PMIx_Error_string(got));
}

static void publish(const char *name, const void *value, pmix_data_type_t type,
                pmix_status_t wanted) {
        pmix_info_t info;

        PMIX_INFO_LOAD(&info, name, value, type);
        expect("publish", PMIx_Publish(&info, 1), wanted);
}

/* The same with a word of how it is to be done. */
static void publish_so(const char *name, const char *key, const void *value, pmix_data_type_t type,
                pmix_status_t wanted) {
        pmix_info_t info[2];

        PMIX_INFO_LOAD(&info[0], name, "a text", PMIX_STRING);
        PMIX_INFO_LOAD(&info[1], key, value, type);
        if (strcmp(key, "pmix.nonsense") == 0)
                PMIX_INFO_REQUIRED(&info[1]);
        expect(key, PMIx_Publish(info, 2), wanted);
}

static pmix_status_t look(pmix_pdata_t d[2], const char *first, const char *second) {
        PMIX_PDATA_CONSTRUCT(&d[0]);
        PMIX_PDATA_CONSTRUCT(&d[1]);
        PMIX_LOAD_KEY(d[0].key, first);
        PMIX_LOAD_KEY(d[1].key, second);
        return PMIx_Lookup(d, 2, NULL, 0);
}

/* Waits for as many of two names as wait says, 0 is both; seconds 0: without end. */
static pmix_status_t await(const char *first, const char *second, int wait, int seconds) {
        pmix_info_t info[2];
        pmix_pdata_t d[2];

        for (int i = 0; i < 2; i++)
                PMIX_PDATA_CONSTRUCT(&d[i]);
        PMIX_LOAD_KEY(d[0].key, first);
        PMIX_LOAD_KEY(d[1].key, second);
        PMIX_INFO_LOAD(&info[0], PMIX_WAIT, &wait, PMIX_INT);
        PMIX_INFO_LOAD(&info[1], PMIX_TIMEOUT, &seconds, PMIX_INT);
        pmix_status_t r = PMIx_Lookup(d, 2, info, 2);
        if (r == PMIX_SUCCESS && (d[0].value.type != PMIX_UINT32 || d[1].value.type != PMIX_STRING))
                printf("%u: what was waited for is wrong\n", me.rank);
        return r;
}

/* What cannot be done as it is said is refused, and not done. */
static void refuse(void) {
        pmix_data_range_t world = PMIX_RANGE_GLOBAL, here = PMIX_RANGE_LOCAL;
        pmix_persistence_t process = PMIX_PERSIST_PROC;
        pmix_pdata_t d[2];
        int one = 1;

        publish_so("no", PMIX_RANGE, &world, PMIX_DATA_RANGE, PMIX_ERR_NOT_SUPPORTED);
        publish_so("no", PMIX_RANGE, &here, PMIX_DATA_RANGE, PMIX_ERR_NOT_SUPPORTED);
        publish_so("no", PMIX_PERSISTENCE, &process, PMIX_PERSIST, PMIX_ERR_NOT_SUPPORTED);
        publish_so("no", "pmix.nonsense", &one, PMIX_INT, PMIX_ERR_NOT_SUPPORTED);
        expect("not published", look(d, "no", "no"), PMIX_ERR_NOT_FOUND);
        expect("one of two", await("number", "no", 1, 9), PMIX_ERR_NOT_SUPPORTED);
        expect("time limit", await("number", "no", 0, 1), PMIX_ERR_TIMEOUT);
}

/* Each waits for what the other one publishes. */
static void wait_for_each_other(uint32_t last) {
        pmix_data_range_t all = PMIX_RANGE_NAMESPACE, session = PMIX_RANGE_SESSION;
        uint32_t seven = 7;
        int minute = 60;

        if (me.rank == 0) {
                publish("first's number", &seven, PMIX_UINT32, PMIX_SUCCESS);
                expect("wait for the last", await("last's number", "last's text", 0, 0),
                                PMIX_SUCCESS);
                publish_so("first's text", PMIX_RANGE, &all, PMIX_DATA_RANGE, PMIX_SUCCESS);
        }
        if (me.rank == last) {
                publish("last's number", &seven, PMIX_UINT32, PMIX_SUCCESS);
                publish_so("last's text", PMIX_TIMEOUT, &minute, PMIX_INT, PMIX_SUCCESS);
                publish_so("of the session", PMIX_RANGE, &session, PMIX_DATA_RANGE, PMIX_SUCCESS);
                expect("wait for the first", await("first's number", "first's text", 2, 60),
                                PMIX_SUCCESS);
        }
}

static void look_all(const char *name) {
        pmix_pdata_t d[2];

        expect("lookup", look(d, "number", name), PMIX_SUCCESS);
        if (d[0].value.type != PMIX_UINT32 || d[0].value.data.uint32 != 7 || d[0].proc.rank != 0)
                printf("number is wrong\n");
        if (d[1].value.type != PMIX_STRING || strcmp(d[1].value.data.string, "a text") != 0)
                printf("text is wrong\n");
        (void)look(d, "number", "missing");
        if (d[0].value.type != PMIX_UINT32 || d[1].value.type != PMIX_UNDEF)
                printf("what is there is not found beside what is missing\n");
}

int main(void) {
        char name[LONG_NAME + 1] = "", *number[] = { (char *)"number", NULL };
        pmix_pdata_t d[2];
        pmix_value_t *value;
        pmix_proc_t all;
        uint32_t seven = 7;

        if (PMIx_Init(&me, NULL, 0) != PMIX_SUCCESS)
                return 2;
        PMIX_LOAD_PROCID(&all, me.nspace, PMIX_RANK_WILDCARD);
        if (PMIx_Get(&all, PMIX_JOB_SIZE, NULL, 0, &value) != PMIX_SUCCESS)
                return 3;
        uint32_t last = value->data.uint32 - 1;
        memset(name, 'x', LONG_NAME);
        if (me.rank == 0) {
                publish("number", &seven, PMIX_UINT32, PMIX_SUCCESS);
                publish(name, "a text", PMIX_STRING, PMIX_SUCCESS);
                publish("number", &seven, PMIX_UINT32, PMIX_ERR_DUPLICATE_KEY);
        }
        PMIx_Fence(NULL, 0, NULL, 0);
        if (me.rank == last) {
                look_all(name);
                expect("another's", PMIx_Unpublish(number, NULL, 0), PMIX_ERR_NOT_FOUND);
        }
        PMIx_Fence(NULL, 0, NULL, 0);
        if (me.rank == 0)
                expect("unpublish", PMIx_Unpublish(NULL, NULL, 0), PMIX_SUCCESS);
        PMIx_Fence(NULL, 0, NULL, 0);
        if (me.rank == last) {
                expect("lookup after", look(d, "number", name), PMIX_ERR_NOT_FOUND);
                refuse();
        }
        wait_for_each_other(last);
        PMIx_Fence(NULL, 0, NULL, 0);
        if (me.rank == last)
                printf("done\n");
        fflush(stdout);
        PMIx_Finalize(NULL, 0);
        return 0;
}
