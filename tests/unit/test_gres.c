/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/cluster.h"
#include "tests/unit/test.h"

static char *read_as(const char *text, enum gres_text kind, const char *prefix) {
        struct gres_list *list = NULL;
        struct fail fail = { 0 };

        if (gres_list_parse(text, kind, &list, &fail) < 0) {
                assert_null(list);
                assert_true(*fail.text);
                return xstrdup("wrong");
        }
        char *again = gres_list_text(list, prefix);
        gres_list_free(list);
        return again;
}

static void lists_are_read_as_they_are_meant(void **state) {
        static const struct {
                enum gres_text kind;
                const char *text, *read;
        } cases[] = {
                { GRES_CONFIGURED, "gpu:a100:4(S:0-1),craynic:2", "gpu:a100:4(S:0-1),craynic:2" },
                { GRES_CONFIGURED, "disk:2K,x", "disk:2048,x:1" },
                { GRES_CONFIGURED, "gpu:2,gpu:2", "wrong" },
                { GRES_CONFIGURED, "gpu:a:2,gpu:1", "wrong" },
                { GRES_CONFIGURED, "gpu:no_consume:2", "wrong" },
                { GRES_CONFIGURED, "gpu:2(S:)", "wrong" },
                { GRES_CONFIGURED, "gpu:2(S:0", "wrong" },
                { GRES_CONFIGURED, "gpu:2(IDX:0)", "wrong" },
                { GRES_ASKED, "gres/gpu:a100:2,gpu:a100", "gpu:a100:1" },
                { GRES_ASKED, "gpu:a:1,gpu:b:1,gpu:a:2", "gpu:a:2,gpu:b:1" },
                { GRES_ASKED, "gpu:a:1,gpu:a:0", "" },
                { GRES_ASKED, "gpu=2,gres:x:0", "gpu:2" },
                { GRES_ASKED, "gpu:1g.5gb:2", "gpu:1g.5gb:2" },
                { GRES_ASKED, "gpu:1,gpu:a:1", "wrong" },
                { GRES_ASKED, "gpu:a:b:1", "wrong" },
                { GRES_ASKED, "gpu:", "wrong" },
                { GRES_ASKED, "gpu,", "wrong" },
                { GRES_ASKED, ":2", "wrong" },
                { GRES_ASKED, "gpu:-1", "gpu:-1:1" },
                { GRES_ASKED, "gpu:1(IDX:0)", "wrong" },
                { GRES_ASKED, "gpu:9223372036854775807T", "wrong" },
                { GRES_ASKED, "", "" },
                { GRES_HELD, "gpu:a:2(IDX:0,3),disk:7", "gpu:a:2(IDX:0,3),disk:7" },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_free_ char *read = read_as(cases[i].text, cases[i].kind, "");
                assert_string_equal(read, cases[i].read);
        }
        _cleanup_free_ char *tres = read_as("gpu:2,nic", GRES_ASKED, "gres/");
        assert_string_equal(tres, "gres/gpu:2,gres/nic:1");
}

/* ---- a node ---- */

static struct node *make_node(const char *gres) {
        struct node *n = xnew0(struct node, 1);

        n->name = xstrdup("n1");
        n->gres = xstrdup(gres);
        gres_configure(n);
        return n;
}

static struct gres_wants *wants(const char *per_node) {
        struct job j = { .asked.tres_per_node = (char *)(uintptr_t)per_node };
        struct gres_wants *w = NULL;

        assert_int_equal(gres_wants_parse(NULL, &j, &w, NULL), 0);
        return w;
}

static void units_are_numbered_by_name_over_the_types(void **state) {
        struct node *n = make_node("gpu:a:2,nic:3,gpu:b:2,disk:2K");
        struct gres_share *shares = NULL;
        size_t n_shares = 0;
        struct gres_wants *any = wants("gpu:3"), *b = wants("gpu:b:1"), *disk = wants("disk:1500");

        assert_int_equal(gres_left(n, &any->list[0], NULL, false), 4);
        assert_int_equal(gres_left(n, &b->list[0], NULL, false), 2);
        gres_give(n, &b->list[0], 1, GRES_ANY_SIDE, 0, NULL, false, &shares, &n_shares);
        /* what is taken already counts */
        gres_give(n, &any->list[0], 3, GRES_ANY_SIDE, 0, NULL, false, &shares, &n_shares);
        gres_give(n, &disk->list[0], 1500, GRES_ANY_SIDE, 0, NULL, false, &shares, &n_shares);
        _cleanup_free_ char *text = gres_shares_text(n, shares, n_shares);
        assert_string_equal(text, "gpu:b:2(IDX:2-3),gpu:a:2(IDX:0-1),disk:1500");

        struct gres_share *again = NULL;
        size_t n_again = 0;
        assert_int_equal(gres_shares_parse(n, "gpu:a:2(IDX:0-1),disk:1500", 7, &again, &n_again,
                                         NULL),
                        0);
        assert_int_equal(n_again, 2);
        assert_int_equal(again[0].place, 7);
        static const char *const bad[] = { "gpu:a:2(IDX:2-3)", "gpu:a:3(IDX:0-2)", "gpu:a:2(IDX:0)",
                "gpu:c:1(IDX:0)", "gpu:a:1", "disk:1(IDX:0)", "disk:3K", "tape:1" };
        for (size_t i = 0; i < ELEMENTSOF(bad); i++)
                assert_int_equal(gres_shares_parse(n, bad[i], 0, &again, &n_again, NULL), -EINVAL);
        gres_shares_free(again, n_again);
        gres_shares_free(shares, n_shares);
        gres_wants_free(any);
        gres_wants_free(b);
        gres_wants_free(disk);
        node_free(n);
}

static void what_jobs_hold_is_not_left(void **state) {
        struct node *n = make_node("gpu:4");
        struct job a = { .id = 1, .state = JOB_SUSPENDED }, b = { .id = 2 };
        struct job *jobs[] = { &a, &b };
        struct job_node on_a = { .node = n }, on_b = { .node = n };
        _cleanup_(bitset_freep) struct bitset *gone = bitset_new(2);
        struct gres_wants *w = wants("gpu:1");

        a.placed.alloc = &on_a;
        b.placed.alloc = &on_b;
        a.placed.n_alloc = b.placed.n_alloc = 1;
        b.listed.queue_at = 1;
        n->jobs = jobs;
        n->n_jobs = 2;
        gres_give(n, &w->list[0], 2, GRES_ANY_SIDE, 0, NULL, false, &a.placed.gres,
                        &a.placed.n_gres);
        gres_recount(n);
        gres_give(n, &w->list[0], 1, GRES_ANY_SIDE, 0, NULL, false, &b.placed.gres,
                        &b.placed.n_gres);
        gres_recount(n);
        assert_int_equal(gres_left(n, &w->list[0], NULL, false), 1);
        assert_int_equal(gres_left(n, &w->list[0], NULL, true), 4);
        bitset_add(gone, 0);
        assert_int_equal(gres_left(n, &w->list[0], gone, false), 3);
        _cleanup_free_ char *used = gres_used_text(n), *tres = gres_node_tres(n, true);
        assert_string_equal(used, "gpu:3(IDX:0-2)");
        assert_string_equal(tres, "gres/gpu=3");
        on_a.done = true;
        gres_recount(n);
        assert_int_equal(gres_used_sum(n), 1);
        gres_shares_free(a.placed.gres, a.placed.n_gres);
        gres_shares_free(b.placed.gres, b.placed.n_gres);
        gres_wants_free(w);
        n->jobs = NULL;
        n->n_jobs = 0;
        node_free(n);
}

static void fewer_than_configured_is_told(void **state) {
        struct node *n = make_node("gpu:a:4,nic:1");
        struct fail fail = { 0 };

        assert_int_equal(gres_reported(n, (const uint64_t[]){ 4, 1 }, &fail), 0);
        assert_int_equal(gres_reported(n, (const uint64_t[]){ 5, 2 }, &fail), 0);
        assert_int_equal(gres_reported(n, (const uint64_t[]){ 3, 1 }, &fail), -EINVAL);
        assert_string_equal(fail.text, "gres/gpu:a count reported lower than configured (3 < 4)");
        node_free(n);
}

/* ---- gres.conf ---- */

#define BASE                                                                                                 \
        "ClusterName=c\nSlurmctldHost=h\nSlurmUser=root\nStateSaveLocation=/tmp/x\nGresTypes=gpu,nic,disk\n" \
        "NodeName=n[1-2] CPUs=8 Gres=gpu:a:2,gpu:b:1,nic:3,disk:7\nPartitionName=p Nodes=ALL Default=YES\n"

static struct config *with_gres_conf(const char *text, struct fail *fail) {
        struct config *c = NULL;

        assert_int_equal(config_parse("slurm.conf", BASE, strlen(BASE), &c, fail), 0);
        if (gres_conf_parse(c, "gres.conf", text, strlen(text), fail) >= 0)
                return c;
        return config_free(c);
}

static void nvidia_is_looked_for_by_nvml(void **state) {
        struct fail fail = { 0 };
        _cleanup_(config_freep) struct config *c = with_gres_conf("NodeName=n1 AutoDetect=nvidia\n",
                        &fail);

        (void)state;
        assert_non_null(c);
        assert_int_equal(config_gres_detect(c, "n1"), GRES_DETECT_NVML);
        assert_int_equal(config_gres_detect(c, "n2"), GRES_DETECT_OFF);
}

static void a_node_is_told_the_files_of_its_units(void **state) {
        static const char text[] =
                        "AutoDetect=off\n"
                        "NodeName=n1 Name=gpu Type=b File=/dev/nvidia3 Flags=amd_gpu_env\n"
                        "NodeName=n[1-2] Name=gpu Type=a File=/dev/nvidia[0-1],/dev/x/y[7-8] Links=-1,0\n"
                        "Name=nic Count=2\n";
        struct fail fail = { 0 };
        _cleanup_(config_freep) struct config *c = with_gres_conf(text, &fail);
        _cleanup_(gres_list_freep) struct gres_list *has = NULL;

        assert_non_null(c);
        assert_string_equal(c->warnings[c->n_warnings - 1],
                        "gres.conf line 3: Links is not used by Slumber");
        assert_int_equal(gres_list_parse(c->nodes[0].gres, GRES_CONFIGURED, &has, NULL), 0);
        struct gres_device *d = config_gres_devices(c, "n1", has);
        assert_int_equal(d[0].n_files, 2); /* no more than the node is said to have */
        assert_string_equal(d[0].files[1], "/dev/nvidia1");
        assert_int_equal(d[0].env,
                        GRES_ENV_NVIDIA | GRES_ENV_AMD | GRES_ENV_OPENCL | GRES_ENV_INTEL);
        assert_int_equal(d[1].n_files, 1);
        assert_string_equal(d[1].files[0], "/dev/nvidia3");
        assert_int_equal(d[1].env, GRES_ENV_AMD);
        assert_int_equal(d[2].count, 2); /* fewer than slurm.conf says */
        assert_int_equal(d[3].count, 7); /* only counted: as slurm.conf says */
        gres_devices_free(d, has->n);
        d = config_gres_devices(c, "n2", has);
        assert_int_equal(d[1].count, 0); /* a GPU without a file is none */
        gres_devices_free(d, has->n);
}

static void gpus_are_found_where_gres_conf_says_so(void **state) {
        static const char text[] =
                        "AutoDetect=nvml\nNodeName=n1 AutoDetect=off Name=gpu Type=a File=/dev/nvidia[0-1]\n";
        struct fail fail = { 0 };
        _cleanup_(config_freep) struct config *c = with_gres_conf(text, &fail);
        _cleanup_(gres_list_freep) struct gres_list *has = NULL;

        assert_non_null(c);
        assert_int_equal(config_gres_detect(c, "n1"), GRES_DETECT_OFF);
        assert_int_equal(config_gres_detect(c, "n2"), GRES_DETECT_NVML);
        assert_int_equal(gres_list_parse(c->nodes[0].gres, GRES_CONFIGURED, &has, NULL), 0);
        struct gres_device *d = config_gres_devices(c, "n2", has);
        assert_int_equal(d[0].count, 2); /* so many are looked for */
        assert_int_equal(d[0].n_files, 0);
        assert_int_equal(d[0].env, GRES_ENV_NVIDIA | GRES_ENV_OPENCL);
        gres_devices_free(d, has->n);
        d = config_gres_devices(c, "n1", has);
        assert_int_equal(d[0].n_files, 2);
        assert_int_equal(d[1].count, 0);
        gres_devices_free(d, has->n);
}

static void units_lie_near_the_cores_that_were_found(void **state) {
        static const char text[] = "AutoDetect=nvml\n";
        char *const cores[] = { (char *)"0-3", (char *)"4-7", (char *)"" };
        struct fail fail = { 0 };
        _cleanup_(config_freep) struct config *c = with_gres_conf(text, &fail);
        struct node *n = make_node("gpu:a:2,gpu:b:1");

        n->units = 8;
        n->configured = (struct node_hardware){ .cpus = 8,
                .boards = 1,
                .sockets = 2,
                .cores = 4,
                .threads = 1 };
        assert_true(gres_detected(n, c, cores, ELEMENTSOF(cores)));
        assert_false(gres_detected(n, c, cores, ELEMENTSOF(cores)));
        assert_string_equal(n->gres_shown, "gpu:a:2(S:0-1),gpu:b:1(S:0-1)");
        assert_int_equal(n->n_sides, 3);
        assert_int_equal(n->gres_items[0].side[0], 1);
        assert_int_equal(n->gres_items[0].side[1], 2);
        assert_int_equal(n->gres_items[1].side[0], 0);
        /* nonsense is no cores */
        assert_true(gres_detected(n, c, (char *const[]){ (char *)"x", (char *)"999999" }, 2));
        assert_int_equal(n->n_sides, 0);
        node_free(n);
}

static char *near_of(const struct gres_device *d, size_t unit) {
        return d->near && d->near[unit] ? bitset_text(d->near[unit]) : xstrdup("all");
}

static void a_unit_lies_near_the_cores_of_its_line(void **state) {
        static const char text[] =
                        "NodeName=n1 Name=gpu Type=a File=/dev/a1 Cores=4-7\n"
                        "NodeName=n1 Name=gpu Type=a File=/dev/a0 CPUs=0,2-3\n"
                        "NodeName=n1 Name=gpu Type=b File=/dev/b\n"
                        "Name=nic Count=1 Cores=1\nName=nic Count=1\nName=nic Count=1 Cores=0-7\n"
                        "NodeName=n3 Name=nic Count=1 Cores=100\n";
        static const char *const near[] = { "4-7", "0,2-3", "all", "1", "all", "0-7" };
        struct fail fail = { 0 };
        _cleanup_(config_freep) struct config *c = with_gres_conf(text, &fail);
        _cleanup_(gres_list_freep) struct gres_list *has = NULL;
        size_t at = 0;

        assert_non_null(c);
        assert_int_equal(gres_list_parse(c->nodes[0].gres, GRES_CONFIGURED, &has, NULL), 0);
        struct gres_device *d = config_gres_devices(c, "n1", has);
        for (size_t i = 0; i < 3; i++)
                for (size_t k = 0; k < has->list[i].count; k++) {
                        _cleanup_free_ char *is = near_of(&d[i], k);
                        assert_string_equal(is, near[at++]);
                }
        gres_devices_free(d, has->n);
}

static void there_are_only_so_many_sides(void **state) {
        _cleanup_free_ char *text = xstrdup("");
        struct fail fail = { 0 };

        for (unsigned i = 0; i <= GRES_NEAR_MAX; i++) {
                _cleanup_free_ char *before = text;
                text = xasprintf("%sName=nic Count=1 Cores=%s%u\n", before, i < 8 ? "" : "0,",
                                i < 8 ? i : i - 7);
                struct config *c = with_gres_conf(text, &fail);
                assert_true((c != NULL) == (i < GRES_NEAR_MAX));
                config_free(c);
        }
        assert_string_equal(fail.text,
                        "gres.conf line 13: Cores=0,5: node n1 has more than 12 different ones");
}

static void units_are_given_by_sides(void **state) {
        static const char text[] =
                        "Name=nic Count=2 Cores=4-7\nName=nic Count=1\nName=gpu Type=a File=/dev/a[0-1] Cores=0-3\n"
                        "Name=gpu Type=b File=/dev/b Cores=4-7\n";
        struct node *n = make_node("gpu:a:2,gpu:b:1,nic:3,disk:7");
        struct gres_wants *gpus = wants("gpu:1"), *nics = wants("nic:1");
        struct gres_share *shares = NULL;
        size_t n_shares = 0;
        uint64_t left[GRES_SIDES_MAX] = { 0 };
        uint32_t sides;
        struct fail fail = { 0 };
        _cleanup_(config_freep) struct config *c = with_gres_conf(text, &fail);

        assert_non_null(c);
        n->units = 8;
        gres_configure_sides(n, c);
        assert_int_equal(n->n_sides, 3); /* all, 0-3, 4-7 */
        gres_left_by_side(n, &nics->list[0], NULL, false, left);
        assert_true(left[0] == 1 && left[1] == 0 && left[2] == 2);
        assert_int_equal(gres_give(n, &nics->list[0], 3, 1u << 2, 0, NULL, false, &shares,
                                         &n_shares),
                        1);
        assert_int_equal(gres_give(n, &gpus->list[0], 1, 1u << 1, 0, NULL, false, &shares,
                                         &n_shares),
                        0);
        struct bitset *near = gres_near(n, shares, n_shares, &sides);
        assert_true(bitset_empty(near) && sides == 6); /* nothing is near both */
        bitset_free(near);
        assert_int_equal(gres_give(n, &gpus->list[0], 2, 1u << 2 | 1, 0, NULL, false, &shares,
                                         &n_shares),
                        1);
        near = gres_near(n, shares, n_shares, &sides);
        _cleanup_free_ char *cores = bitset_text(near),
                            *held = gres_shares_text(n, shares, n_shares);
        assert_string_equal(cores, "4-7");
        assert_string_equal(held, "nic:2(IDX:0-1),gpu:a:1(IDX:0),gpu:b:1(IDX:2)");
        bitset_free(near);
        assert_int_equal(gres_give(n, &nics->list[0], 1, GRES_ANY_SIDE, 0, NULL, false, &shares,
                                         &n_shares),
                        0);
        near = gres_near(n, shares, 1, &sides); /* one of them lies near all */
        assert_null(near);
        gres_shares_free(shares, n_shares);
        gres_wants_free(gpus);
        gres_wants_free(nics);
        node_free(n);
}

/* The node's shards, GPU by GPU: "4,4". */
static char *shards_of(const char *gres, const char *conf) {
        _cleanup_free_ char *text = xasprintf(
                        "ClusterName=c\nSlurmctldHost=h\nSlurmUser=root\nStateSaveLocation=/tmp/x\n"
                        "GresTypes=gpu,shard\nNodeName=n1 CPUs=8 Gres=%s\nPartitionName=p Nodes=ALL Default=YES\n",
                        gres);
        _cleanup_(config_freep) struct config *c = NULL;
        _cleanup_(gres_list_freep) struct gres_list *has = NULL;
        struct fail fail = { 0 };
        char *shards = xstrdup("");

        if (config_parse("slurm.conf", text, strlen(text), &c, &fail) < 0 ||
                        gres_conf_parse(c, "gres.conf", conf, strlen(conf), &fail) < 0) {
                free(shards);
                return xstrdup(fail.text);
        }
        assert_int_equal(gres_list_parse(c->nodes[0].gres, GRES_CONFIGURED, &has, NULL), 0);
        struct gres_device *d = config_gres_devices(c, "n1", has);
        for (size_t i = 0; i < has->n; i++)
                for (size_t k = 0; k < d[i].n_shards; k++) {
                        char *before = shards;
                        shards = xasprintf("%s%s%u", before,
                                        k         ? ","
                                        : *before ? ";"
                                                  : "",
                                        d[i].shards[k]);
                        free(before);
                }
        gres_devices_free(d, has->n);
        return shards;
}

static void shards_are_parts_of_gpus(void **state) {
        static const struct {
                const char *gres, *conf, *shards;
        } cases[] = {
                { "gpu:2,shard:8", "Name=gpu File=/dev/x[0-1]", "4,4" },
                { "gpu:2,shard:8", "Name=gpu File=/dev/x[0-1]\nName=shard Count=8 Cores=99 Type=b",
                                "4,4" },
                { "shard:7,gpu:3", "Name=gpu File=/dev/x[0-2]", "3,2,2" },
                { "gpu:a:1,gpu:b:2,shard:b:4", "Name=gpu Type=b File=/dev/x[0-1]", "0,2,2" },
                { "gpu:a:1,gpu:b:1,shard:a:4,shard:b:2", "", "4,0;0,2" },
                { "gpu:2,shard:8",
                                "Name=gpu File=/dev/x[0-1]\nName=shard File=/dev/x1 Count=8\n"
                                "Name=shard File=/dev/x0 Count=0",
                                "0,8" },
                { "gpu:2,shard:8", "Name=gpu File=/dev/x[0-1]\nName=shard File=/dev/x1 Count=9",
                                "0,8" },
                { "gpu:2,shard:8", "Name=gpu File=/dev/x[0-1]\nName=shard File=/dev/x1 Count=5",
                                "0,5" },
                { "gpu:2,shard:8", "Name=shard File=/dev/x[0-1] Count=4",
                                "gres.conf line 1: Name=shard: one File= was expected on a line, that of the GPU which has Count= shards" },
                { "gpu:2,shard:8", "Name=shard Count=0",
                                "gres.conf line 1: Name=shard: Count=0 wants the File= of a GPU" },
                { "gpu:2,shard:8", "Name=gpu File=/dev/x0 Count=0",
                                "gres.conf line 1: Count=0: a number above 0 was expected, perhaps with K, M or G" },
                { "shard:8", "",
                                "slurm.conf line 6: NodeName=n1 Gres=shard:8: shard wants gpu, of which it is a part" },
                { "gpu:a:2,shard:b:8", "",
                                "slurm.conf line 6: NodeName=n1 Gres=gpu:a:2,shard:b:8: shard:b wants gpu:b, of which it is a part" },
                { "gpu:2,shard:65537", "",
                                "slurm.conf line 6: NodeName=n1 Gres=gpu:2,shard:65537: 65536 shards of 1024 GPUs are the most that a node may have" },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_free_ char *shards = shards_of(cases[i].gres, cases[i].conf);
                assert_string_equal(shards, cases[i].shards);
        }
}

static void mistakes_are_named_with_their_place(void **state) {
        static const struct {
                const char *text, *told;
        } cases[] = {
                { "Name=gpu File=dev/x",
                                "gres.conf line 1: File: File=dev/x is not an absolute path" },
                { "\nName=tape Count=1",
                                "gres.conf line 2: Name=tape is not in GresTypes of slurm.conf" },
                { "Name=gpu Count=2",
                                "gres.conf line 1: Name=gpu wants File=, Flags=CountOnly or AutoDetect=" },
                { "Name=gpu File=/dev/x[0-1] Count=3",
                                "gres.conf line 1: Count=3 does not go with 2 files" },
                { "AutoDetect=oneapi",
                                "gres.conf line 1: AutoDetect: AutoDetect=oneapi is not implemented by Slumber: "
                                "nvml, rsmi or off was expected, or off with Name and File for each device" },
                { "NodeName=n[1-2] AutoDetect=off\nAutoDetect=nvml\nNodeName=n2 AutoDetect=rsmi",
                                "gres.conf line 3: AutoDetect=rsmi: node n2 has AutoDetect=off already" },
                { "AutoDetect=nvml\nAutoDetect=off",
                                "gres.conf line 2: AutoDetect=off: node all has AutoDetect=nvml already" },
                { "AutoDetect=nvml\nNodeName=n1 AutoDetect=off Name=gpu Count=2",
                                "gres.conf line 2: Name=gpu wants File=, Flags=CountOnly or AutoDetect=" },
                { "Name=nic Count=x",
                                "gres.conf line 1: Count: Count=x: a number above 0 was expected, perhaps with K, M or G" },
                { "Name=nic Flags=one_sharing",
                                "gres.conf line 1: Flags: Flags=one_sharing is not implemented by Slumber" },
                { "Nmae=nic", "gres.conf line 1: Nmae: gres.conf has no such key" },
                { "Name=nic Cores=",
                                "gres.conf line 1: Cores: : numbers of cores were expected, such as 0-7,16-23" },
                { "Name=nic CPUs=3-1",
                                "gres.conf line 1: CPUs: 3-1: numbers of cores were expected, such as 0-7,16-23" },
                { "Name=nic Cores=0-1,65536",
                                "gres.conf line 1: Cores: 0-1,65536: numbers of cores were expected, such as 0-7,16-23" },
                { "Name=nic Cores=0 CPUs=1", "gres.conf line 1: CPUs: the line has cores already" },
                { "Name=nic Count=2K Cores=0",
                                "gres.conf line 1: Cores= does not go with Count=2048: 1024 at most were expected" },
                { "\nNodeName=n2 Name=nic Cores=8",
                                "gres.conf line 2: Cores=8: node n2 has 8 cores, numbers from 0 to 7 were expected" },
                { "Cores=0", "gres.conf line 1: Name= is missing" },
                { "File=/dev/x", "gres.conf line 1: Name= is missing" },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                struct fail fail = { 0 };
                assert_null(with_gres_conf(cases[i].text, &fail));
                assert_string_equal(fail.text, cases[i].told);
        }
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(lists_are_read_as_they_are_meant),
                cmocka_unit_test(units_are_numbered_by_name_over_the_types),
                cmocka_unit_test(what_jobs_hold_is_not_left),
                cmocka_unit_test(fewer_than_configured_is_told),
                cmocka_unit_test(nvidia_is_looked_for_by_nvml),
                cmocka_unit_test(a_node_is_told_the_files_of_its_units),
                cmocka_unit_test(a_unit_lies_near_the_cores_of_its_line),
                cmocka_unit_test(there_are_only_so_many_sides),
                cmocka_unit_test(units_are_given_by_sides),
                cmocka_unit_test(gpus_are_found_where_gres_conf_says_so),
                cmocka_unit_test(units_lie_near_the_cores_that_were_found),
                cmocka_unit_test(shards_are_parts_of_gpus),
                cmocka_unit_test(mistakes_are_named_with_their_place),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
