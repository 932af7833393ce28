/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files that a configuration is read from, and what makes it be refused: guards that are not
 * implemented, faults in any of them. */
#include "lib/config/config_private.h"
#include "tests/unit/parse_conf.h"

#include <fcntl.h>
#include <sys/stat.h>

#define S USEC_PER_SEC

static char folder[] = "/tmp/slumber-test-XXXXXX";

static int make_folder(void **state) {
        (void)state;
        return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
        static const char *const names[] = {
                "slurm.conf",
                "nodes.conf",
                "cgroup.conf",
                "slumber.yaml",
                "prog",
                "resources.yaml",
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                _cleanup_free_ char *path = xasprintf("%s/%s", folder, names[i]);
                unlink(path);
        }
        return rmdir(folder);
}

static char *put_file(const char *name, const char *text) {
        char *path = xasprintf("%s/%s", folder, name);
        FILE *f = fopen(path, "we");

        assert_non_null(f);
        assert_true(fputs(text, f) >= 0);
        assert_int_equal(fclose(f), 0);
        return path;
}

static void a_guard_that_is_missing_is_refused(void **state) {
        static const struct {
                const char *text, *key;
        } rows[] = {
                { "ResvProlog=/p", "ResvProlog" },
                { "resvepilog=/p", "ResvEpilog" },
                { "JobSubmitPlugins=lua,cray_aries", "JobSubmitPlugins=cray_aries" },
                { "CliFilterPlugins=lua,mine", "CliFilterPlugins=mine" },
                { "UsePAM=1", "UsePam" },
                { "PrEpPlugins=prep/site", "PrEpPlugins" },
                { "VSizeFactor=110", "VSizeFactor" },
                { "MaxStepCount=10", "MaxStepCount" },
                { "BurstBufferType=burst_buffer/lua", "BurstBufferType" },
                { "SwitchType=switch/hpe_slingshot", "SwitchType" },
                { "AccountingStorageEnforce=limits,wckeys", "AccountingStorageEnforce=wckeys" },
                { "SchedulerParameters=bf_window=60,max_script_size=100",
                                "SchedulerParameters=max_script_size" },
                { "SlurmctldParameters=rl_enable,rl_bucket_size=50",
                                "SlurmctldParameters=rl_enable" },
                { "CommunicationParameters=NoAddrCache,NoInAddrAny",
                                "CommunicationParameters=NoInAddrAny" },
                { "NodeName=y RestrictedCoresPerGPU=1", "RestrictedCoresPerGPU" },
                { "TaskPluginParam=SlurmdSpecOverride", "TaskPluginParam=SlurmdSpecOverride" },
                { "TopologyPlugin=topology/block", "TopologyPlugin=topology/block" },
                { "NamespaceType=namespace/linux", "NamespaceType=namespace/linux" },
                { "PartitionName=q ReqResv=YES", "ReqResv" },
                { "PartitionName=q MaxCPUsPerSocket=2", "MaxCPUsPerSocket" },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_free_ char *text = xasprintf(BASE "%s\n", rows[i].text);
                _cleanup_free_ char *place = xasprintf(
                                "slurm.conf line %d: %s is not implemented: ",
                                strchr(rows[i].text, '\n') ? 6 : 5, rows[i].key);
                struct config *c = NULL;
                struct fail fail = { 0 };
                assert_int_equal(parse(text, &c, &fail), -EOPNOTSUPP);
                assert_non_null(strstr(fail.text, place));
        }
}

static void guards_at_their_defaults_are_none(void **state) {
        _cleanup_(config_freep) struct config *c = must_parse(BASE
                        "Prolog=\nEpilog=(null)\nUsePAM=0\nInactiveLimit=0\nPrEpPlugins=prep/script\nMaxStepCount=40000\n"
                        "JobContainerType=job_container/none\nNamespaceType=namespace/none\nSwitchType=switch/none\nPrivateData=none\nTLSType=tls/none\n"
                        "BurstBufferType=burst_buffer/none\nVSizeFactor=0\n"
                        "NodeName=x CoreSpecCount=0 MemSpecLimit=0\nPartitionName=q ReqResv=NO MaxCPUsPerSocket=UNLIMITED\n");

        (void)state;
        assert_int_equal(c->n_warnings, 0);
        _cleanup_(config_freep) struct config *cloud = must_parse(BASE "PrivateData=cloud\n");
        assert_int_equal(cloud->n_warnings, 0); /* shows more, not less */
}

static void what_is_kept_for_the_system_leaves_something(void **state) {
        static const struct {
                const char *line, *why;
        } rows[] = {
                { "CoreSpecCount=4", "CoreSpecCount=4 leaves jobs none of the node's 4 cores" },
                { "CoreSpecCount=1 CpuSpecList=0",
                                "CoreSpecCount and CpuSpecList exclude each other" },
                { "CpuSpecList=0-7", "CpuSpecList=0-7 leaves jobs none of the node's 4 cores" },
                { "CpuSpecList=8", "CpuSpecList=8: numbers of CPUs below 8 were expected" },
                { "CpuSpecList=x", "CpuSpecList=x: numbers of CPUs below 8 were expected" },
                { "RealMemory=100 MemSpecLimit=100",
                                "MemSpecLimit=100 leaves jobs nothing of RealMemory=100" },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_free_ char *text = xasprintf(BASE
                                "NodeName=x CPUs=8 Sockets=2 CoresPerSocket=2 ThreadsPerCore=2 "
                                "%s\n",
                                rows[i].line);
                struct config *c = NULL;
                struct fail fail = { 0 };
                assert_int_equal(parse(text, &c, &fail), -EINVAL);
                assert_non_null(strstr(fail.text, rows[i].why));
                assert_non_null(strstr(fail.text, "slurm.conf line 5: NodeName: "));
        }
        _cleanup_(config_freep) struct config *c = must_parse(
                        BASE "NodeName=x CPUs=8 Sockets=2 CoresPerSocket=2 ThreadsPerCore=2 "
                             "RealMemory=100 CpuSpecList=0,4-5 MemSpecLimit=10\n");
        const struct config_node *n = &c->nodes[c->n_nodes - 1];
        assert_string_equal(n->cpu_spec, "0,4-5");
        assert_int_equal(n->mem_spec, 10);
        assert_int_equal(config_node_cores(n), 4);
}

static void what_is_kept_and_acts_otherwise_is_said(void **state) {
        _cleanup_free_ char *path = put_file("slurm.conf",
                        "ClusterName=c\nSlurmctldHost=h\nSelectTypeParameters=CR_Socket_Memory\n"
                        "NodeName=a[1-2] CPUs=8 Sockets=2 CoresPerSocket=4 CoreSpecCount=2\n"
                        "NodeName=b CPUs=8 Sockets=2 CoresPerSocket=4 CoreSpecCount=1\n"
                        "NodeName=c CPUs=8 Sockets=2 CoresPerSocket=4 CpuSpecList=0,5\n"
                        "NodeName=d CPUs=8 Sockets=2 CoresPerSocket=4 CpuSpecList=0-1\n"
                        "PartitionName=p Nodes=ALL\nStateSaveLocation=/x\n");
        _cleanup_free_ char *site = put_file("slumber.yaml", "cgroup: none\n");
        _cleanup_(config_freep) struct config *c = NULL;
        struct fail fail = { 0 };

        (void)state;
        assert_int_equal(config_read(path, &c, &fail), 0);
        assert_int_equal(c->n_warnings, 1);
        assert_non_null(strstr(c->warnings[0], "Nodes a[1-2],c: each socket has a core"));
        assert_int_equal(unlink(site), 0);
}

static void files_beside_slurm_conf_are_read(void **state) {
        _cleanup_(config_freep) struct config *c = NULL;
        _cleanup_free_ char *path = put_file("slurm.conf",
                        "ClusterName=c\nSlurmctldHost=h\nInclude nodes.conf\nSlurmdTimeout=30\n"
                        "PartitionName=p Nodes=ALL\nStateSaveLocation=/x\n");
        _cleanup_free_ char *nodes = put_file("nodes.conf", "NodeName=n[1-2]\n");
        _cleanup_free_ char *cgroup = put_file("cgroup.conf",
                        "ConstrainRAMSpace=yes\nMemorySwappiness=1\nCgroupPlugin=autodetect\n");
        _cleanup_free_ char *site = put_file("slumber.yaml",
                        "# ours\nsocket: /tmp/s.sock\ncgroup: none\nfreeze_timeout: 500ms\n"
                        "reclaim_suspended: p\nreclaim_timeout: 5s\nboot_retries: 0\nquarantine_after: 5\naudit_interval: 0\npurge_jobs_after: 30days\nveto_program: /x/veto\nend_programs: yes\nresume_file: 26.05\n");
        struct fail fail = { 0 };

        (void)state;
        assert_int_equal(config_read(path, &c, &fail), 0);
        assert_int_equal(c->n_nodes, 2);
        assert_true(c->cgroup.constrain_ram);
        assert_false(c->cgroup.constrain_cores);
        assert_int_equal(c->n_warnings, 1);
        assert_non_null(strstr(c->warnings[0],
                        "/cgroup.conf line 2: MemorySwappiness does nothing without ConstrainSwapSpace=yes"));
        assert_int_equal(c->cgroup.swappiness, 1);
        assert_true(c->cgroup.allowed_ram == 100 && c->cgroup.allowed_swap == 0);
        assert_int_equal(c->cgroup.min_ram, 30);
        assert_memory_equal(c->warnings[0], path, strlen(path) - strlen("slurm.conf"));
        assert_string_equal(c->site.socket, "/tmp/s.sock");
        assert_string_equal(c->site.cgroup, "none");
        assert_int_equal(c->site.freeze_timeout, 500 * USEC_PER_MSEC);
        assert_int_equal(c->site.boot_retries, 0);
        assert_string_equal(c->site.reclaim_suspended.text, "p");
        assert_int_equal(c->site.reclaim_timeout, 5 * S);
        assert_int_equal(c->site.quarantine_after, 5);
        assert_int_equal(c->site.heartbeat, 10 * S);
        assert_true(c->site.audit_interval == USEC_INFINITY);
        assert_true(c->site.purge_jobs_after == 30 * 86400 * USEC_PER_SEC);
        assert_string_equal(c->site.veto_program, "/x/veto");
        assert_string_equal(c->site.resume_file, "26.05");
        assert_string_equal(c->site.veto_logind, "yes");
        assert_string_equal(c->site.end_programs, "yes");
        assert_string_equal(c->site.warm_up, "no");
        assert_string_equal(c->site.plan_whole_nodes, "no");
        assert_false(c->bf.warm_up);
        assert_true(c->site.veto_interval == 30 * S);
        assert_string_equal(c->site.console_dir, "/x/console");
        assert_string_equal(c->site.key_file, "/etc/slumber/cluster.key");
        assert_non_null(strstr(c->site.power_file, "/power.yaml"));

        _cleanup_free_ char *first = config_peek(path, "stateSaveLocation"),
                            *none = config_peek(path, "Prolog"),
                            *no_file = config_peek("/no/such/file", "Prolog");
        assert_string_equal(first, "/x");
        assert_null(none);
        assert_null(no_file);

        _cleanup_(site_config_done) struct site_config only_site = { 0 };
        assert_int_equal(site_config_read(path, &only_site, &fail), 0);
        assert_string_equal(only_site.socket, "/tmp/s.sock");
        assert_int_equal(unlink(cgroup), 0);
}

#define SHORT                                                                                      \
        "ClusterName=c\nSlurmctldHost=h\nNodeName=n1\nPartitionName=p Nodes=ALL\nStateSaveLocation=/x\n"

static void refused_with(const char *path, const char *what) {
        struct faults faults = { 0 };
        struct fail fail = { .all = &faults };
        struct config *c = NULL;

        assert_true(config_read(path, &c, &fail) < 0);
        _cleanup_free_ char *all = faults_text(&faults);
        if (!strstr(all, what))
                fail_msg("%s: no %s", all, what);
        faults_done(&faults);
}

/* Of each list that checks or protects: a word that is not known is one fault, and none where
   accept_missing names it. */
static void an_unknown_word_is_one_fault_unless_it_is_accepted(void **state) {
        size_t n;
        const struct config_words *lists = config_words(&n);

        (void)state;
        for (size_t i = 0; i < n; i++) {
                /* the key itself is refused for another value, too */
                if (lists[i].lenient || streq(lists[i].key, "TopologyPlugin"))
                        continue;
                _cleanup_free_ char *text = xasprintf(SHORT "%s=foo\n", lists[i].key),
                                    *path = put_file("slurm.conf", text),
                                    *yaml = xasprintf("accept_missing: [%s=foo]\n", lists[i].key);
                struct faults faults = { 0 };
                struct fail fail = { .all = &faults };
                struct config *c = NULL;
                free(put_file("slumber.yaml", ""));
                assert_true(config_look(path, &c, &fail) < 0);
                c = config_free(c);
                if (faults.n != 1)
                        fail_msg("%s=foo: %zu faults, %s", lists[i].key, faults.n,
                                        faults.n ? faults.lines[0] : "");
                faults_done(&faults);
                free(put_file("slumber.yaml", yaml));
                fail = (struct fail){ 0 };
                if (config_read(path, &c, &fail) < 0)
                        fail_msg("%s=foo is accepted: %s", lists[i].key, fail.text);
                c = config_free(c);
        }
        free(put_file("slumber.yaml", ""));
}

static void guards_are_refused_at_once_unless_they_are_accepted(void **state) {
        _cleanup_free_ char *path = put_file("slurm.conf", SHORT "ResvEpilog=/p\nResvProlog=/t\n");
        _cleanup_free_ char *resources = put_file("resources.yaml", "# mine\n");
        struct fail fail = { 0 };
        struct config *c = NULL;

        (void)state;
        refused_with(path, "/slurm.conf line 6: ResvEpilog is not implemented: ");
        refused_with(path, "/slurm.conf line 7: ResvProlog is not implemented: ");
        free(put_file("slumber.yaml", "accept_missing: [ResvEpilog, resvprolog, SwitchTyp]\n"));
        refused_with(path,
                        "/slumber.yaml line 1 column 17: accept_missing: \"SwitchTyp\" is not a key that guards");
        free(put_file("slumber.yaml", "accept_missing: [ResvEpilog, resvprolog]\n"));
        free(put_file("slumber.yaml",
                        "cgroup: none\naccept_missing:\n  - ResvEpilog\n  - ResvProlog\n  - KillWait\n  - PrologFlags=X11\n"));
        assert_int_equal(config_read(path, &c, &fail), 0);
        assert_string_equal(setting(c, "accept_missing"),
                        "ResvEpilog,ResvProlog,KillWait,PrologFlags=X11");
        assert_int_equal(c->n_warnings, 4);
        assert_non_null(strstr(c->warnings[0],
                        "/slumber.yaml line 3: accept_missing: KillWait is not missing"));
        assert_non_null(strstr(c->warnings[1], "accept_missing: PrologFlags=X11 is not missing"));
        assert_non_null(strstr(c->warnings[2],
                        "/slurm.conf line 6: ResvEpilog is not implemented, as accept_missing accepts: what it"));
        c = config_free(c);
        free(put_file("resources.yaml", "a: 1\n"));
        refused_with(path,
                        "/resources.yaml line 1 column 1: a mapping stands here, expected a list of resources");
        free(put_file("resources.yaml", "# mine\n"));
        static const char *const bad[] = { "accept_missing: [a, [b]]\n",
                "accept_missing: [{a: b}]\n", "accept_missing: [a b]\n", "socket: [a]\n" };
        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                free(put_file("slumber.yaml", bad[i]));
                refused_with(path, "/slumber.yaml line 1 column ");
        }
        (void)unlink(resources);
}

static void limits_of_memory_are_read(void **state) {
        _cleanup_free_ char *path = put_file("slurm.conf", SHORT);
        _cleanup_free_ char *site = put_file("slumber.yaml", "cgroup: none\n");
        static const struct {
                const char *text, *fault;
        } wrong[] = {
                { "AllowedRAMSpace=-1\n",
                                "AllowedRAMSpace: \"-1\" is not a percentage from 0 to " },
                { "AllowedSwapSpace=1e3\n", "AllowedSwapSpace: \"1e3\" is not a percentage" },
                { "MaxRAMPercent=101\n",
                                "MaxRAMPercent: \"101\" is not a percentage from 0 to 100" },
                { "MaxSwapPercent=5.5.5\n", "MaxSwapPercent: \"5.5.5\" is not a percentage" },
                { "MinRAMSpace=30M\n", "MinRAMSpace: \"30M\" is not a whole number" },
                { "MemorySwappiness=101\n", "MemorySwappiness: 101 is not between 0 and 100" },
        };
        _cleanup_(config_freep) struct config *c = NULL;
        struct fail fail = { 0 };

        (void)state;
        _cleanup_free_ char *cgroup = put_file("cgroup.conf",
                        "ConstrainRAMSpace=yes\nConstrainSwapSpace=yes\nAllowedRAMSpace=101.5\n"
                        "AllowedSwapSpace=50.5\nMaxRAMPercent=90\nMaxSwapPercent=95\nMinRAMSpace=40\n"
                        "MemorySwappiness=0\n");
        assert_int_equal(config_read(path, &c, &fail), 0);
        assert_int_equal(c->n_warnings, 0);
        assert_true(c->cgroup.allowed_ram == 101.5 && c->cgroup.allowed_swap == 50.5);
        assert_true(c->cgroup.max_ram == 90 && c->cgroup.max_swap == 95);
        assert_int_equal(c->cgroup.min_ram, 40);
        assert_int_equal(c->cgroup.swappiness, 0);
        for (size_t i = 0; i < ELEMENTSOF(wrong); i++) {
                free(put_file("cgroup.conf", wrong[i].text));
                refused_with(path, wrong[i].fault);
        }
        (void)unlink(cgroup);
        (void)unlink(site);
}

static void all_faults_are_found_at_once(void **state) {
        static const char *const wanted[] = {
                "/slurm.conf line 2: KillWait: \"x\" is not a number of seconds",
                "/slurm.conf line 3: Fooo: slurm.conf has no such key",
                "/slurm.conf line 4: \"Bar\" is not Key=Value",
                "/nodes.conf line 1: Weight: \"heavy\" is not a whole number",
                "/nodes.conf line 1: Wait: NodeName lines have no such key",
                "/slurm.conf line 7: State: \"ON\" is not one of",
                "/slurm.conf line 7: MaxNodes: \"some\" is not a whole number",
                "/slurm.conf line 7: PartitionName: there is no node \"n3\"",
                "/slurm.conf line 8: ResvEpilog is not implemented: ",
                "/slurm.conf: SlurmctldHost is missing",
                "/slurm.conf line 10: TmpFS: \"tmp\" is not an absolute path",
                "/slurm.conf line 9: StateSaveLocation: \"x\" is not an absolute path",
                "/cgroup.conf line 2: ConstrainRAMSpace: \"perhaps\" is neither YES nor NO",
                "/slumber.yaml line 1 column 1: sockett is not a key of slumber.yaml",
                "/slumber.yaml line 3 column 9: socket: a list stands here",
                "/slumber.yaml line 4 column 10: warm_up: \"maybe\" is not yes or no",
        };
        _cleanup_free_ char *path = put_file("slurm.conf",
                        "ClusterName=c\nKillWait=x SlurmctldPort=1\nFooo=1\nBar\nInclude nodes.conf\n"
                        "NodeName=n1\nPartitionName=p Nodes=n[1-9] State=ON MaxNodes=some\nResvEpilog=/p\n"
                        "StateSaveLocation=x\nTmpFS=tmp\n");
        _cleanup_free_ char *nodes = put_file("nodes.conf", "NodeName=n2 Weight=heavy Wait=1\n");
        _cleanup_free_ char *cgroup = put_file("cgroup.conf",
                        "ConstrainCores=yes\nConstrainRAMSpace=perhaps\n");
        _cleanup_free_ char *site = put_file("slumber.yaml",
                        "sockett: {a: [b, c], d: e}\nboot_retries: 1\nsocket: [x, {y: z}]\nwarm_up: maybe\n");
        struct faults faults = { 0 };
        struct fail fail = { .all = &faults };
        struct config *c = NULL;

        (void)state;
        assert_true(config_look(path, &c, &fail) < 0);
        _cleanup_free_ char *all = faults_text(&faults);
        for (size_t i = 0; i < ELEMENTSOF(wanted); i++)
                if (!strstr(all, wanted[i])) {
                        puts(all);
                        fail_msg("no %s", wanted[i]);
                }
        assert_null(strstr(all, "no node \"n2\"")); /* it stands on a line with a mistake */
        assert_null(strstr(all, "PartitionName is missing"));
        assert_string_equal(fail.text, faults.lines[0]);
        assert_int_equal(faults.n, ELEMENTSOF(wanted));
        faults_done(&faults);
        config_free(c);
        (void)unlink(cgroup);
        (void)unlink(site);
}

static void partitions_that_are_to_give_memory_are_known(void **state) {
        struct fail fail = { 0 };
        struct config *c = NULL;
        _cleanup_free_ char *path = put_file("slurm.conf",
                        "ClusterName=c\nSlurmctldHost=h\nNodeName=n1\nPartitionName=p Nodes=ALL\n"
                        "PartitionName=q Nodes=ALL\nStateSaveLocation=/x\n");
        _cleanup_free_ char *site = put_file("slumber.yaml",
                        "cgroup: none\n\nreclaim_suspended: p,other\n");

        (void)state;
        assert_true(config_read(path, &c, &fail) < 0);
        _cleanup_free_ char *place = xasprintf(
                        "%s line 3 column 20: reclaim_suspended: \"other\" is not a partition",
                        site);
        assert_non_null(strstr(fail.text, place));
        free(site);
        site = put_file("slumber.yaml", "reclaim_suspended: p,q\n");
        assert_int_equal(config_read(path, &c, &fail), 0);
        c = config_free(c);
        free(site);
        site = put_file("slumber.yaml", "reclaim_suspended: ALL\n");
        assert_int_equal(config_read(path, &c, &fail), 0);
        assert_int_equal(c->site.reclaim_timeout, 60 * S);
        config_free(c);
}

static void mistakes_in_included_files_name_them(void **state) {
        _cleanup_free_ char *path = put_file("slurm.conf", "ClusterName=c\nInclude nodes.conf\n");
        _cleanup_free_ char *nodes = put_file("nodes.conf", "\nKillWait=x\n");
        struct config *c = NULL;
        struct fail fail = { 0 };

        (void)state;
        assert_true(config_read(path, &c, &fail) < 0);
        _cleanup_free_ char *place = xasprintf(
                        "%s line 2: KillWait: \"x\" is not a number of seconds", nodes);
        assert_string_equal(fail.text, place);
        free(nodes);
        nodes = put_file("nodes.conf", "Include nodes.conf\n");
        assert_int_equal(config_read(path, &c, &fail), -ELOOP);
        free(nodes);
        nodes = put_file("nodes.conf", "Include /no/such/file\n");
        assert_int_equal(config_read(path, &c, &fail), -ENOENT);
        assert_non_null(strstr(fail.text, "/no/such/file: No such file"));
        assert_int_equal(config_read("/no/such/slurm.conf", &c, &fail), -ENOENT);
        assert_string_equal(fail.text, "/no/such/slurm.conf: No such file or directory");
        assert_int_equal(config_read("/tmp", &c, &fail), -EINVAL);
}

static void the_site_file_is_flat_and_checked(void **state) {
        static const struct {
                const char *text, *message;
        } bad[] = {
                { "sockett: /x\n",
                                "slumber.yaml line 1 column 1: sockett is not a key of slumber.yaml" },
                { "\nsocket: x\n",
                                "slumber.yaml line 2 column 9: socket: \"x\" is not an absolute path" },
                { "socket: /x\nsocket: /y\n", "slumber.yaml line 2 column 1: socket stands twice" },
                { "resume_file: 27\n", "resume_file: \"27\" is not 25.05 or 26.05" },
                { "cgroup: v3\n", "cgroup: \"v3\" is not auto, v2, v1 or none" },
                { "heartbeat: soon\n", "heartbeat: \"soon\" is not a time" },
                { "\nreclaim_suspended: a, b\n",
                                "slumber.yaml line 2 column 20: reclaim_suspended: \"a, b\" is not ALL or partitions with commas between them" },
                { "reclaim_timeout: 0\n",
                                "slumber.yaml line 1 column 18: reclaim_timeout: \"0\" is not a time of 1ms or more (10, 10s, 500ms)" },
                { "heartbeat: 0\n", "heartbeat: \"0\" is not a time of 1ms or more" },
                { "socket: [/x]\n",
                                "slumber.yaml line 1 column 9: socket: a list stands here, expected an absolute path" },
                { "socket: { a: b }\n",
                                "slumber.yaml line 1 column 9: socket: a mapping stands here, expected an absolute path" },
                { "socket: &a /x\nkey_file: *a\n",
                                "slumber.yaml line 1 column 9: anchors (&) are not allowed" },
                { "socket: *a\n", "slumber.yaml line 1 column 9: aliases (*) are not allowed" },
                { "just text\n",
                                "slumber.yaml line 1 column 1: a text stands here, expected slumber.yaml as a mapping (key: value)" },
                { "--- {}\n--- {}\n",
                                "slumber.yaml line 2 column 5: a second document: one was expected" },
                { "socket: \"x\n", "slumber.yaml line" },
                { "- a\n", "slumber.yaml line 1 column 1: a list stands here, expected slumber.yaml as a mapping (key: value)" },
                { "clusters: b\n",
                                "slumber.yaml line 1 column 11: clusters: a mapping of the names of clusters is expected" },
                { "clusters:\n  a b: {}\n",
                                "slumber.yaml line 2 column 3: clusters: \"a b\" is not the name of a cluster (1 to 40 letters, digits, - and _; not all)" },
                { "clusters: { all: {} }\n", "\"all\" is not the name of a cluster" },
                { "clusters:\n  b: x\n",
                                "slumber.yaml line 2 column 6: clusters: b: a text stands here, expected a cluster as a mapping (key: value)" },
                { "clusters: { b: { hots: x } }\n", "clusters: b: hots is not a key of a cluster" },
                { "clusters: { b: { hosts: \"c tl\" } }\n",
                                "slumber.yaml line 1 column 25: clusters: b: hosts: \"c tl\" is not the name of a host or a numeric address" },
                { "clusters: { b: { hosts: 10.0.0.256 } }\n",
                                "slumber.yaml line 1 column 25: clusters: b: hosts: \"10.0.0.256\" is not the name of a host or a numeric address" },
                { "clusters: { b: { hosts: -x } }\n",
                                "slumber.yaml line 1 column 25: clusters: b: hosts: \"-x\" is not the name of a host or a numeric address" },
                { "clusters:\n  b:\n    hosts: 10.0.0.1\n    port: 0\n",
                                "slumber.yaml line 4 column 11: clusters: b: port: \"0\" is not a port from 1 to 65535" },
                { "clusters: { b: { hosts: 10.0.0.1 } }\n",
                                "slumber.yaml line 1 column 16: clusters: b: a cluster has no key_file" },
                { "clusters: { b: { key_file: /k } }\n",
                                "slumber.yaml line 1 column 16: clusters: b: a cluster has no hosts" },
                { "clusters: { b: { key_file: [/k] } }\n",
                                "slumber.yaml line 1 column 28: clusters: b: key_file: a list stands here, expected an absolute path" },
                { "clusters: { b: { users: { x: y } } }\n",
                                "slumber.yaml line 1 column 25: clusters: b: users: a mapping stands here, expected a list of users" },
                { "clusters: { b: { there: [show, all] } }\n",
                                "clusters: b: there: \"all\" is not show, submit, cancel, update or accounts" },
                { "clusters: { b: { users: [\"a b\"] } }\n",
                                "clusters: b: users: \"a b\" is not a name" },
                { "clusters: { b: { hosts: &x 10.0.0.1 } }\n",
                                "slumber.yaml line 1 column 25: anchors (&) are not allowed" },
                { "clusters: { b: { hosts: *x } }\n",
                                "slumber.yaml line 1 column 25: aliases (*) are not allowed" },
                { "clusters:\n  b: { hosts: 10.0.0.1, key_file: /k }\n  B: {}\n",
                                "slumber.yaml line 3 column 3: clusters: B stands twice" },
                { "clusters: { b: { here: show, here: show } }\n",
                                "clusters: b: here stands twice" },
        };
        struct site_config c = { 0 };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                struct fail fail = { 0 };
                assert_true(site_config_parse(&c, "slumber.yaml", bad[i].text, strlen(bad[i].text),
                                            &fail) < 0);
                site_config_done(&c);
                if (!strstr(fail.text, bad[i].message))
                        fail_msg("%s: %s", bad[i].text, fail.text);
        }
        assert_int_equal(site_config_parse(&c, "slumber.yaml", "# nothing\n", 10, NULL), 0);
        site_config_done(&c);
}

static void the_site_file_names_other_clusters(void **state) {
        static const char text[] = "clusters:\n"
                                   "  beta:\n"
                                   "    hosts: [10.0.0.1, \"::1\", ctl-2.site.org]\n"
                                   "    port: 7000\n"
                                   "    key_file: /etc/beta.key\n"
                                   "    there: [show, submit]\n"
                                   "    here: [show, accounts]\n"
                                   "    users: [alice, bob]\n"
                                   "    operators: alice\n"
                                   "  gamma: { hosts: 10.0.0.3, key_file: /etc/gamma.key }\n"
                                   "socket: /run/x.sock\n";
        struct site_config c = { 0 };

        (void)state;
        assert_int_equal(site_config_parse(&c, "slumber.yaml", text, sizeof text - 1, NULL), 0);
        assert_int_equal(c.n_clusters, 2);
        const struct site_cluster *beta = site_cluster_find(&c, "BETA"),
                                  *gamma = site_cluster_find(&c, "gamma");
        assert_ptr_equal(beta, &c.clusters[0]);
        assert_int_equal(beta->n_hosts, 3);
        assert_string_equal(beta->hosts[1], "::1");
        assert_string_equal(beta->hosts[2], "ctl-2.site.org");
        assert_int_equal(beta->port, 7000);
        assert_int_equal(beta->there, CLUSTER_SHOW | CLUSTER_SUBMIT);
        assert_int_equal(beta->here, CLUSTER_SHOW | CLUSTER_ACCOUNTS);
        assert_int_equal(beta->n_users, 2);
        assert_string_equal(beta->operators[0], "alice");
        assert_int_equal(gamma->port, 6817);
        assert_int_equal(gamma->there | gamma->here, 0); /* nothing, as long as nothing is said */
        assert_null(site_cluster_find(&c, "delta"));
        assert_string_equal(c.socket, "/run/x.sock");
        site_config_done(&c);
}

/* Where all faults are wanted the checks of what was read come all the same: of whole ones only. */
static void clusters_with_a_mistake_are_none(void **state) {
        static const struct {
                const char *yaml, *fault;
                size_t n;
        } cases[] = {
                { "  b: { hosts: 10.0.0.1 }\n",
                                "line 2 column 6: clusters: b: a cluster has no key_file", 1 },
                { "  b: { hosts: 10.0.0.1, prt: 1, key_file: /k }\n",
                                "line 2 column 25: clusters: b: prt is not a key of a cluster", 1 },
                { "  a: { hosts: 10.0.0.1, key_file: /k }\n  b: { hosts: a/b }\n",
                                "line 3 column 15: clusters: b: hosts: \"a/b\" is not the name",
                                1 },
                { "  b: { hosts: 10.0.0.1\n",
                                "line 3 column 1: not YAML: did not find expected ',' or '}'", 1 },
                { "  c: { hosts: 10.0.0.1, key_file: /k }\n  b: { hosts: 10.0.0.1, key: /k }\n",
                                "line 2 column 3: clusters: c: it is this cluster's own ClusterName",
                                2 },
        };
        _cleanup_free_ char *path = put_file("slurm.conf", SHORT);

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_free_ char *text = xasprintf("clusters:\n%s", cases[i].yaml),
                                    *site = put_file("slumber.yaml", text);
                struct faults faults = { 0 };
                struct fail fail = { .all = &faults };
                struct config *c = NULL;

                assert_true(config_look(path, &c, &fail) < 0);
                _cleanup_free_ char *all = faults_text(&faults);
                if (!strstr(all, cases[i].fault) || faults.n != cases[i].n)
                        fail_msg("%s: expected %s", all, cases[i].fault);
                for (size_t j = 0; j < c->site.n_clusters; j++)
                        assert_non_null(c->site.clusters[j].key_file);
                faults_done(&faults);
                config_free(c);
                (void)unlink(site);
        }
}

/* What slurm.conf lacks is a fault of its own, beside those of clusters. */
static void clusters_are_checked_without_a_cluster_name(void **state) {
        _cleanup_free_ char *path = put_file("slurm.conf", "SlurmctldHost=a\n"),
                            *site = put_file("slumber.yaml",
                                            "clusters:\n  b: { hosts: ctl, key_file: /k }\n");
        struct faults faults = { 0 };
        struct fail fail = { .all = &faults };
        struct config *c = NULL;

        (void)state;
        assert_true(config_look(path, &c, &fail) < 0);
        _cleanup_free_ char *all = faults_text(&faults);
        assert_non_null(strstr(all, "ClusterName"));
        faults_done(&faults);
        config_free(c);
        (void)unlink(site);
}

static void programs_are_checked_before_use(void **state) {
        _cleanup_free_ char *path = put_file("prog", "#!/bin/sh\n");
        struct fail fail = { 0 };

        (void)state;
        assert_int_equal(program_check("prog", &fail), -EINVAL);
        assert_string_equal(fail.text, "prog is not an absolute path");
        assert_int_equal(program_check("/no/such/program", &fail), -ENOENT);
        assert_int_equal(program_check(folder, &fail), -EACCES);
        assert_int_equal(chmod(path, 0644), 0);
        assert_int_equal(program_check(path, &fail), -EACCES);
        assert_int_equal(chmod(path, 0775), 0);
        assert_int_equal(program_check(path, &fail), -EPERM);
        assert_int_equal(chmod(path, 0757), 0);
        assert_int_equal(program_check(path, &fail), -EPERM);
        assert_int_equal(chmod(path, 0755), 0);
        assert_int_equal(program_check(path, &fail), 0);
}

static void the_environment_names_the_file(void **state) {
        _cleanup_free_ char *given = config_find("/a"), *found = NULL;

        (void)state;
        assert_string_equal(given, "/a");
        setenv("SLURM_CONF", "/b", 1);
        found = config_find(NULL);
        assert_string_equal(found, "/b");
        unsetenv("SLURM_CONF");

        /* a program that is handed the name may be in another folder */
        _cleanup_free_ char *here = getcwd(NULL, 0), *wanted = xasprintf("%s/c/slurm.conf", here);
        _cleanup_free_ char *relative = config_find("c/slurm.conf"),
                            *dotted = config_find("./c/slurm.conf");
        assert_string_equal(relative, wanted);
        assert_string_equal(dotted, wanted);
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_guard_that_is_missing_is_refused),
                cmocka_unit_test(guards_at_their_defaults_are_none),
                cmocka_unit_test(what_is_kept_for_the_system_leaves_something),
                cmocka_unit_test(what_is_kept_and_acts_otherwise_is_said),
                cmocka_unit_test(files_beside_slurm_conf_are_read),
                cmocka_unit_test(an_unknown_word_is_one_fault_unless_it_is_accepted),
                cmocka_unit_test(guards_are_refused_at_once_unless_they_are_accepted),
                cmocka_unit_test(limits_of_memory_are_read),
                cmocka_unit_test(all_faults_are_found_at_once),
                cmocka_unit_test(partitions_that_are_to_give_memory_are_known),
                cmocka_unit_test(mistakes_in_included_files_name_them),
                cmocka_unit_test(the_site_file_is_flat_and_checked),
                cmocka_unit_test(the_site_file_names_other_clusters),
                cmocka_unit_test(clusters_with_a_mistake_are_none),
                cmocka_unit_test(clusters_are_checked_without_a_cluster_name),
                cmocka_unit_test(programs_are_checked_before_use),
                cmocka_unit_test(the_environment_names_the_file),
        };

        return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
