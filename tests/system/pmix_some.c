/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program of PMIx: fences of some of its tasks.  Each puts its rank; the even and the odd ones
 * meet apart, twice, then all with an odd number of turns more for the odd ones.  Each says what it
 * has learned of the others of its kind: "RANK: SUM". */
#include <pmix.h>
#include <stdio.h>
#include <string.h>

static int meet(const pmix_proc_t *me, uint32_t size, int turn) {
        pmix_proc_t procs[64];
        pmix_value_t mine, *its;
        char key[32];
        bool collect = true;
        pmix_info_t info;
        size_t n = 0;
        uint32_t sum = 0, number = me->rank + 1;
        int r;

        snprintf(key, sizeof key, "number.%d", turn);
        PMIX_VALUE_LOAD(&mine, &number, PMIX_UINT32);
        if (PMIx_Put(PMIX_GLOBAL, key, &mine) != PMIX_SUCCESS || PMIx_Commit() != PMIX_SUCCESS)
                return -1;
        for (uint32_t i = me->rank % 2; i < size; i += 2, n++) /* the macro names it twice */
                PMIX_LOAD_PROCID(&procs[n], me->nspace, i);
        PMIX_INFO_LOAD(&info, PMIX_COLLECT_DATA, &collect, PMIX_BOOL);
        r = PMIx_Fence(procs, n, &info, 1);
        if (r != PMIX_SUCCESS) {
                fprintf(stderr, "%u: fence: %s\n", me->rank, PMIx_Error_string(r));
                return -1;
        }
        for (size_t i = 0; i < n; i++) {
                r = PMIx_Get(&procs[i], key, NULL, 0, &its);
                if (r != PMIX_SUCCESS) {
                        fprintf(stderr, "%u: %s of %u: %s\n", me->rank, key, procs[i].rank,
                                        PMIx_Error_string(r));
                        return -1;
                }
                sum += its->data.uint32;
                PMIX_VALUE_RELEASE(its);
        }
        return (int)sum;
}

int main(void) {
        pmix_proc_t me, all;
        pmix_value_t *value;
        int sum = 0;

        if (PMIx_Init(&me, NULL, 0) != PMIX_SUCCESS)
                return 2;
        PMIX_LOAD_PROCID(&all, me.nspace, PMIX_RANK_WILDCARD);
        if (PMIx_Get(&all, PMIX_JOB_SIZE, NULL, 0, &value) != PMIX_SUCCESS)
                return 3;
        for (int turn = 0; turn < (me.rank % 2 ? 5 : 2); turn++)
                sum = meet(&me, value->data.uint32, turn);
        printf("%u: %d\n", me.rank, sum);
        fflush(stdout);
        PMIx_Fence(NULL, 0, NULL, 0);
        PMIx_Finalize(NULL, 0);
        return sum < 0;
}
