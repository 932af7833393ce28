/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/resources/billing.h"
#include "lib/wordlist.h"

#include <math.h>

static const char units[] = "MGTP"; /* units of memory, each 1024 times the unit before */

static int parse_weight(int kind, const char *text, double *ret) {
        char *end = NULL;
        double v = strtod(text, &end);

        if (end == text || !isfinite(v) || fabs(v) > 1e9)
                return -EINVAL;
        if (kind == TRES_MEM && *end) {
                const char *unit = strchr("KMGTP", *end & ~0x20);
                if (!unit || end[1])
                        return -EINVAL;
                for (const char *u = units; *unit != 'K' && *u != *unit; u++)
                        v /= 1024;
                *ret = *unit == 'K' ? v * 1024 : v;
                return 0;
        }
        *ret = v;
        return *end ? -EINVAL : 0;
}

int billing_parse(const struct tres_names *names, const char *text, struct billing *ret,
                struct fail *fail) {
        struct billing b = { .weighted = !isempty(text) };

        for_each_word(w, text, ",") {
                char *value = strchr(w, '=');
                if (!value)
                        return fail_set(fail, -EINVAL,
                                        "TRESBillingWeights: \"%.100s\" is not NAME=WEIGHT, as in CPU=1.0",
                                        w);
                *value++ = 0;
                int kind = tres_name_parse(w);
                if (kind < 0)
                        kind = tres_find(names, w);
                if (kind < 0 || kind == TRES_BILLING)
                        return fail_set(fail, -EINVAL,
                                        "TRESBillingWeights: \"%.100s\" is neither CPU, Mem nor Node, nor does AccountingStorageTRES name it",
                                        w);
                if (parse_weight(kind, value, &b.weight[kind]) < 0)
                        return fail_set(fail, -EINVAL,
                                        "TRESBillingWeights: %.100s=%.100s: a number was expected%s",
                                        w, value,
                                        kind == TRES_MEM ? ", and maybe one of K, M, G, T, P" : "");
        }
        *ret = b;
        return 0;
}

int billing_check(const struct config *config, struct fail *fail) {
        struct tres_names names = { 0 };
        int failed = tres_names_add(&names, config->tracked, fail);

        for (size_t i = 0; i < config->n_partitions && (failed >= 0 || fail_keep(fail)); i++) {
                _cleanup_free_ char *named = xasprintf("PartitionName=%s",
                                config->partitions[i].name);
                struct billing b;
                int r = billing_parse(&names, config->partitions[i].billing, &b, fail);
                if (r >= 0)
                        continue;
                _cleanup_free_ char *place = config_place(config, named);
                failed = fail_prefix(fail, r, "%s: %s", place, named);
        }
        tres_names_done(&names);
        return failed;
}

double billing_of(const struct billing *b, const struct tres_names *names,
                const struct tres_set *set, unsigned priority_flags) {
        bool most = priority_flags & (PRIORITY_MAX_TRES | PRIORITY_MAX_TRES_GRES);
        double sum = 0, max = 0;

        if (!b->weighted)
                return (double)set->of[TRES_CPU];
        for (size_t t = 0; t < TRES_NAMED + names->n; t++) {
                bool gres = t >= TRES_NAMED && !names->list[t - TRES_NAMED].license,
                     license = t >= TRES_NAMED && !gres;
                double cost = t == TRES_BILLING ? 0 : (double)set->of[t] * b->weight[t];
                if (!most || license || (gres && priority_flags & PRIORITY_MAX_TRES_GRES))
                        sum += cost;
                else
                        max = MAX(max, cost);
        }
        return MAX(sum + max, 0); /* negative weights are a rebate, but give no credit */
}
