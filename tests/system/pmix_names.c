/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program of PMIx: the first task publishes names, the last one looks them up; then they are
 * taken back.  What is not as it should be is printed. */
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

static pmix_status_t look(pmix_pdata_t d[2], const char *first, const char *second) {
        PMIX_PDATA_CONSTRUCT(&d[0]);
        PMIX_PDATA_CONSTRUCT(&d[1]);
        PMIX_LOAD_KEY(d[0].key, first);
        PMIX_LOAD_KEY(d[1].key, second);
        return PMIx_Lookup(d, 2, NULL, 0);
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
        if (me.rank == last)
                expect("lookup after", look(d, "number", name), PMIX_ERR_NOT_FOUND);
        if (me.rank == last)
                printf("done\n");
        fflush(stdout);
        PMIx_Finalize(NULL, 0);
        return 0;
}
