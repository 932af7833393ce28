/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sacctmgr load: a file that is refused changes nothing and says why; of one that is taken the dump
   says the same again. */
#include "controller/account_admin/acct_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char conf[] = "ClusterName=c\nSlurmctldHost=h\nStateSaveLocation=/x\nSlurmUser=0\n"
                           "NodeName=n CPUs=4\nPartitionName=p Nodes=ALL Default=YES\n";

static struct cluster *make(void) {
        struct config *config = NULL;
        struct cluster *c = NULL;

        if (config_parse("slurm.conf", conf, sizeof conf - 1, &config, NULL) < 0 ||
                        cluster_new(config, USEC_PER_SEC, &c, NULL) < 0)
                abort();
        return c;
}

static int load(struct cluster *c, const char *text, size_t size, bool clean) {
        const struct acct_import import = { .text = text,
                .size = size,
                .clean = clean,
                .commit = true,
                .user = "u",
                .level = ADMIN_ADMINISTRATOR };
        _cleanup_free_ char *told = NULL, *before = acct_dump(c), *after = NULL;
        struct fail fail = { 0 };
        int r = acct_import(c, &import, &told, &fail);

        after = acct_dump(c);
        assert(told);
        assert(r == 0 || streq(before, after));
        assert(r >= 0 || *fail.text);
        return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_(cluster_freep) struct cluster *c = make(), *other = make();

        (void)load(c, (const char *)data, size, size && *data == '#');
        _cleanup_free_ char *text = acct_dump(c), *again = NULL;
        if (load(other, text, strlen(text), false) < 0)
                abort();
        again = acct_dump(other);
        assert(streq(text, again));
        assert(account_find(&c->acct, "root") && assoc_find(&c->acct, "root", "root", NULL));
        return 0;
}
