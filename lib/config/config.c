/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a configuration, in order: lines of slurm.conf (global keys are set at once, nodes and
 * partitions collected); nodes and partitions; cgroup.conf, slumber.yaml and other files in the
 * same folder; checks between keys; defaults of slumber.yaml that depend on slurm.conf; texts of
 * all settings. The caller gets the configuration only if all is valid. */
#include "lib/config/config_private.h"

#define HEARTBEAT_MAX (30 * USEC_PER_SEC)

struct reading {
        struct config *config;
        struct config_records *records;
        struct hostlist *seen; /* keys, in lower case */
};

static void config_done(struct config *c) {
        char **texts[] = { &c->path, &c->cluster_name, &c->control_machine, &c->control_addr,
                &c->fast_schedule, &c->slurm_user, &c->slurmd_user, &c->state_save_location,
                &c->slurmd_spool_dir, &c->slurmctld_log, &c->slurmd_log, &c->slurmctld_pid_file,
                &c->slurmd_pid_file, &c->mail_prog, &c->mail_domain, &c->primary_on_program,
                &c->primary_off_program, &c->propagate_text, &c->propagate_except_text,
                &c->suspend_program, &c->resume_program, &c->resume_fail_program, &c->task_prolog,
                &c->task_epilog, &c->srun_prolog, &c->srun_epilog, &c->health.program,
                &c->health.states_text, &c->unkillable_program, &c->mpi_default, &c->mpi_params,
                &c->cpu_freq_def, &c->cpu_freq_governors, &c->prolog, &c->epilog,
                &c->prolog_slurmctld, &c->requeue_exit_text, &c->requeue_exit_hold_text,
                &c->epilog_slurmctld, &c->prolog_flags_text, &c->interactive_options,
                &c->job_container, &c->namespace_type, &c->launch_parameters, &c->x11_parameters,
                &c->plugin_dir, &c->plugstack, &c->plugstack_path, &c->power_fault,
                &c->reboot_program, &c->suspend_exc_nodes, &c->suspend_exc_parts,
                &c->suspend_exc_states, &c->reconfig_flags, &c->node_features_plugins,
                &c->slurmctld_parameters, &c->scheduler_parameters, &c->dependency_parameters,
                &c->licenses, &c->gres_types, &c->preempt_parameters, &c->gather_frequency,
                &c->gather_type, &c->gather_params, &c->bcast_parameters, &c->bcast_exclude,
                &c->task_plugin, &c->task_params, &c->slurmd_parameters, &c->scheduler_type,
                &c->mcs_plugin, &c->mcs_parameters, &c->private_data_text, &c->submit_text,
                &c->filter_text, &c->filter_params, &c->filter, &c->topology_plugin,
                &c->topology_param, &c->enforce_text, &c->tmp_fs, &c->debug_flags,
                &c->slurmctld_debug, &c->slurmd_debug, &c->accounting_storage_type,
                &c->store_flags_text, &c->enforce_accounts, &c->tracked, &c->priority.type,
                &c->priority.flags_text, &c->priority.reset_text, &c->priority.tres_text };

        for (size_t i = 0; i < ELEMENTSOF(texts); i++)
                free(*texts[i]);
        bitset_free(c->requeue_exit);
        bitset_free(c->requeue_exit_hold);
}

struct config *config_free(struct config *config) {
        if (!config)
                return NULL;
        config_done(config);
        site_config_done(&config->site);
        for (size_t i = 0; i < config->n_nodes; i++)
                config_node_done(&config->nodes[i]);
        for (size_t i = 0; i < config->n_partitions; i++)
                config_partition_done(&config->partitions[i]);
        for (size_t i = 0; i < config->n_nodesets; i++) {
                free(config->nodesets[i].name);
                free(config->nodesets[i].nodes_text);
                free(config->nodesets[i].feature);
                hostlist_free(config->nodesets[i].nodes);
        }
        for (size_t i = 0; i < config->n_settings; i++)
                free(config->settings[i].value);
        for (size_t i = 0; i < config->priority.n_tres; i++)
                free(config->priority.tres[i]);
        for (size_t i = 0; i < config->n_warnings; i++)
                free(config->warnings[i]);
        config_entries_done(config);
        helpers_free(config->helpers);
        job_containers_free(config->containers);
        oci_config_free(config->oci);
        gres_conf_done(config);
        topologies_free(config->topologies);
        topologies_free(config->placed);
        resources_free(config->resources);
        free(config->nodes);
        free(config->partitions);
        free(config->nodesets);
        for (size_t i = 0; i < config->n_actions; i++)
                config_action_done(&config->actions[i]);
        free(config->actions);
        for (size_t i = 0; i < config->n_controllers; i++) {
                free(config->controllers[i].host);
                free(config->controllers[i].address);
        }
        free(config->controllers);
        free(config->settings);
        free(config->warnings);
        free(config);
        return NULL;
}

/* ---- slurm.conf ---- */

/* Notes that key was set. SlurmctldHost and keys with paths take several lines; for any other repeated key the last value is used. */
static int note_key(struct reading *rd, const char *file, const struct config_key *is,
                const struct config_word *word) {
        char key[64];
        size_t n = 0;

        for (; n < sizeof key - 1 && word->key[n]; n++)
                key[n] = (char)(word->key[n] | 0x20);
        key[n] = 0;
        if (!hostlist_has(rd->seen, key)) {
                hostlist_push(rd->seen, key);
                return 0;
        }
        if (is->type == KEY_PATHS || is->type == KEY_HOST)
                return 0;
        config_warn(rd->config, file, word->line, "%s stands twice, the last one counts",
                        word->key);
        return 0;
}

static int take_global(struct reading *rd, const char *file, const struct config_word *word,
                struct fail *fail) {
        const struct config_key *key = config_find_key(word->key);
        int r = key ? note_key(rd, file, key, word) : 0;

        if (r == 0)
                r = config_set(rd->config, word->key, word->value, fail);
        if (r < 0)
                fail_prefix(fail, r, "%s line %u: %.100s", file, word->line, word->key);
        if (key)
                config_entry_key(rd->config, file, word->line, key, word->value);
        else
                config_entry(rd->config, file, word->line, word->key, word->value, USE_UNKNOWN,
                                NULL);
        return MIN(r, 0);
}

/* Notes the line of a record, for --check and for errors about partitions and nodes. */
static void note_record(struct config *config, const struct config_line *line) {
        const struct config_word *w = &line->words[0];
        const char *kind = config_line_kind(w->key);

        if (kind && strcasecmp(w->value, "DEFAULT") != 0)
                config_entry(config, line->file, w->line, kind, w->value, USE_ACTS, NULL);
}

/* NodeName must be the first word of its line, as in Slurm. */
static int config_line_check_order(const struct config_line *line, struct fail *fail) {
        for (size_t i = 1; i < line->n; i++) {
                const struct config_word *w = &line->words[i];
                if (config_line_kind(w->key))
                        return fail_set(fail, -EINVAL,
                                        "%s line %u: %.100s: it is the first word of its line",
                                        line->file, w->line, w->key);
        }
        return 0;
}

static int config_take_line(struct config_line *line, void *userdata, struct fail *fail) {
        struct reading *rd = userdata;
        int failed = 0;

        note_record(rd->config, line);
        int r = config_records_take(rd->records, line);

        if (r != 0)
                return 0;
        r = config_line_check_order(line, fail);
        if (r < 0)
                return r; /* the caller keeps the fault */
        for (size_t i = 0; i < line->n; i++) {
                r = take_global(rd, line->file, &line->words[i], fail);
                if (r < 0 && !fail_keep(fail))
                        return r;
                failed = failed ? failed : MIN(r, 0);
        }
        return failed;
}

static int read_main(struct config *config, const char *name, const char *dir, const char *text,
                size_t size, struct fail *fail) {
        struct reading rd = { config, config_records_new(), hostlist_new() };

        config_defaults(config);
        int r = config_lines(name, dir, text, size, config_take_line, &rd, fail), applied = 0;
        if (r >= 0 || fail_keep(fail))
                applied = config_records_apply(rd.records, config, fail);
        config_records_free(rd.records);
        hostlist_free(rd.seen);
        return r < 0 ? r : applied;
}

static int config_finish(struct config *config, struct fail *fail) {
        int r = config_check(config, fail);

        if (r < 0 && !fail_keep(fail))
                return r;
        config_fill_settings(config);
        return r;
}

/* True if reading continues after result r; keeps a fault if all faults are wanted. */
static bool may_continue(int r, int *failed, struct fail *fail) {
        if (r < 0 && *failed == 0)
                *failed = r;
        if (r >= 0 && fail)
                fail->text[0] = 0; /* a missing optional file */
        return r >= 0 || fail_keep(fail);
}

int config_parse(const char *name, const char *text, size_t size, struct config **ret,
                struct fail *fail) {
        _cleanup_(config_freep) struct config *config = xnew0(struct config, 1);
        int failed = 0;

        assert(name);
        assert(text);
        assert(ret);

        config->path = xstrdup(name);
        if (may_continue(read_main(config, name, NULL, text, size, fail), &failed, fail) &&
                        may_continue(config_finish(config, fail), &failed, fail))
                (void)may_continue(config_guards(config, fail), &failed, fail);
        if (failed < 0)
                return failed;
        *ret = TAKE(config);
        return 0;
}

/* ---- other files in the folder ---- */

static void note_file(struct config *config, const char *name, const char *path) {
        config_entry(config, path, 0, name, path, USE_ACTS, NULL);
}

static int read_gres(struct config *config, const char *dir, struct fail *fail) {
        _cleanup_free_ char *path = xasprintf("%s/gres.conf", dir), *text = NULL;
        size_t size;

        if (isempty(config->gres_types))
                return 0;
        int r = config_load(path, &text, &size, fail);
        if (r == -ENOENT)
                return 0;
        note_file(config, "gres.conf", path);
        return r < 0 ? r : gres_conf_parse(config, path, text, size, fail);
}

/* Sets defaults of slumber.yaml that depend on slurm.conf. */
static void derive_site(struct config *config) {
        usec_t third = config->slurmd_timeout / 3;

        config->bf.warm_up = streq(config->site.warm_up, "yes");
        config->bf.parts = streq(config->site.plan_whole_nodes, "no");
        if (!config->site.console_dir)
                config->site.console_dir = xasprintf("%s/console", config->state_save_location);
        if (config->site.heartbeat == 0)
                config->site.heartbeat = third ? MIN(third, HEARTBEAT_MAX) : HEARTBEAT_MAX;
}

/* Reads job_container.conf for JobContainerType=job_container/tmpfs or
   NamespaceType=namespace/tmpfs. */
static int read_containers(struct config *config, const char *dir, struct fail *fail) {
        _cleanup_free_ char *path = xasprintf("%s/job_container.conf", dir);
        bool later = streq(strempty(config->namespace_type), "namespace/tmpfs");
        const char *key = later ? "NamespaceType=namespace/tmpfs"
                                : "JobContainerType=job_container/tmpfs";

        if (!later && !streq(strempty(config->job_container), "job_container/tmpfs"))
                return 0;
        if (!option_has(config->prolog_flags_text, "Contain") &&
                        !option_has(config->prolog_flags_text, "RunInJob") &&
                        !option_has(config->prolog_flags_text, "X11"))
                return fail_set(fail, -EINVAL, "%s: %s needs PrologFlags=Contain", config->path,
                                key);
        note_file(config, "job_container.conf", path);
        int r = job_containers_read(path, &config->containers, fail);
        return r == -ENOENT ? fail_set(fail, -EINVAL, "%s: there is no %s", key, path) : r;
}

/* Reads helpers.conf for NodeFeaturesPlugins. */
static int read_helpers(struct config *config, const char *dir, struct fail *fail) {
        _cleanup_free_ char *path = xasprintf("%s/helpers.conf", dir);
        const char *plugins = config->node_features_plugins;

        if (isempty(plugins))
                return 0;
        if (!word_in(plugins, "node_features/helpers|helpers"))
                return fail_set(fail, -EINVAL,
                                "%s: NodeFeaturesPlugins=%.100s: node_features/helpers is the only one",
                                config->path, plugins);
        note_file(config, "helpers.conf", path);
        int r = helpers_read(path, &config->helpers, fail);
        if (r >= 0 && config->helpers->boot_time)
                config_warn(config, path, 0, "BootTime is not used by Slumber");
        return r < 0 ? fail_prefix(fail, r, "NodeFeaturesPlugins") : 0;
}

/* Reads oci.conf, needed for --container. */
static int read_oci(struct config *config, const char *dir, struct fail *fail) {
        _cleanup_free_ char *path = xasprintf("%s/oci.conf", dir);
        int r = oci_config_read(path, &config->oci, fail);

        if (r == -ENOENT)
                return 0;
        note_file(config, "oci.conf", path);
        return r;
}

/* Notes each file of Slurm that Slumber does not read. */
static int config_note_unread_files(struct config *config, const char *dir, struct fail *fail) {
        static const struct {
                const char *name, *why;
        } files[] = {
                { "acct_gather.conf", "nothing is gathered by AcctGatherEnergyType and its like" },
                { "mpi.conf", "--mpi=pmix has no settings" },
        };

        for (size_t i = 0; i < ELEMENTSOF(files); i++) {
                _cleanup_free_ char *path = xasprintf("%s/%s", dir, files[i].name);
                if (path_is_there(path))
                        config_entry(config, path, 0, files[i].name, path, USE_HARMLESS,
                                        files[i].why);
        }
        return 0;
}

/* Reads resources.yaml if present. */
static int read_resources(struct config *config, const char *dir, struct fail *fail) {
        _cleanup_free_ char *path = xasprintf("%s/resources.yaml", dir), *text = NULL;
        size_t size;

        if (!path_is_there(path))
                return 0;
        note_file(config, "resources.yaml", path);
        int r = config_load(path, &text, &size, fail);
        return r < 0 ? r : config_resources(config, path, text, size, fail);
}

static bool is_line(const char *key) {
        return config_line_kind(key) || strcasecmp(key, "Include") == 0;
}

/* Applies a setting "KEY=VALUE" or "PARTITION.KEY=VALUE". */
static int config_change_setting(struct config *config, const char *setting, struct fail *fail) {
        const char *equals = strchr(setting, '=');
        _cleanup_free_ char *key = xstrndup(setting,
                        equals ? (size_t)(equals - setting) : strlen(setting));
        char *dot = strrchr(key, '.');
        int r = -ENOENT;

        if (!equals)
                return fail_set(fail, -EINVAL, "\"%.100s\" is not KEY=VALUE", setting);
        if (!dot) {
                r = config_change(config, key, equals + 1, fail);
                if (r == -ENOENT)
                        r = site_config_set(&config->site, key, equals + 1, fail);
                if (r == -ENOENT)
                        fail_set(fail, r,
                                        is_line(key) ? "lines of that kind are not settings: change them in a copy of slurm.conf"
                                                     : "neither slurm.conf nor slumber.yaml has such a key");
                return r < 0 ? fail_prefix(fail, r, "%.100s", key) : 0;
        }
        *dot = 0;
        for (size_t i = 0; i < config->n_partitions; i++)
                if (streq(config->partitions[i].name, key)) {
                        r = config_partition_change(&config->partitions[i], dot + 1, equals + 1,
                                        fail);
                        return r < 0 ? fail_prefix(fail, r, "%.100s.%.100s", key, dot + 1) : 0;
                }
        return fail_set(fail, -ENOENT, "%.100s.%.100s: there is no partition \"%.100s\"", key,
                        dot + 1, key);
}

/* Program for which the files are read. */
enum config_reader {
        READER_CONTROLLER,
        READER_NODE,
        READER_ELSEWHERE, /* another cluster, whose users may be unknown here */
};

static int read_site(struct config *config, const char *dir, struct fail *fail) {
        _cleanup_free_ char *path = xasprintf("%s/slumber.yaml", dir);

        if (path_is_there(path))
                note_file(config, "slumber.yaml", path);
        return site_config_fill(config->path, &config->site, fail);
}

/* Reads the files beside slurm.conf. READER_NODE skips files of the controller, which sends nodes
   their settings. */
static int read_others(struct config *config, const char *dir, enum config_reader reader,
                const char *const *settings, size_t n, int *failed, struct fail *fail) {
        static const struct {
                int (*read)(struct config *config, const char *dir, struct fail *fail);
                bool node;
        } readers[] = {
                { config_cgroup_read, true },
                { read_containers, false },
                { read_helpers, true },
                { read_gres, true },
                { read_oci, false },
                { config_note_unread_files, false },
                { read_site, true },
        };

        for (size_t i = 0; i < ELEMENTSOF(readers); i++)
                if ((readers[i].node || reader != READER_NODE) &&
                                !may_continue(readers[i].read(config, dir, fail), failed, fail))
                        return *failed;
        for (size_t i = 0; i < n; i++)
                if (!may_continue(config_change_setting(config, settings[i], fail), failed, fail))
                        return *failed;
        if (!may_continue(config_finish(config, fail), failed, fail) || reader == READER_NODE)
                return *failed;
        if (!may_continue(config_topology_read(config, dir, fail), failed, fail))
                return *failed;
        if (!may_continue(read_resources(config, dir, fail), failed, fail))
                return *failed;
        (void)may_continue(config_guards(config, fail), failed, fail);
        return *failed;
}

/* True if plugstack.conf has a line other than comments. */
static bool names_plugins(const char *path) {
        _cleanup_free_ char *text = NULL;
        size_t size;

        if (config_load(path, &text, &size, NULL) < 0)
                return access(path, F_OK) == 0; /* the launch reports the error */
        for (const char *line = text; *line; line += strcspn(line, "\n")) {
                line += strspn(line, " \t\r\n");
                if (*line && *line != '#')
                        return true;
        }
        return false;
}

/* Reads all files. fail->text keeps the first fault, for callers that report only one. */
static int read_files(struct config *config, enum config_reader reader, const char *const *settings,
                size_t n, struct fail *fail) {
        _cleanup_free_ char *dir = config_folder(config->path), *text = NULL;
        int failed = 0;
        size_t size;
        int r = config_load(config->path, &text, &size, fail);

        if (r >= 0)
                r = config_is_text(config->path, text, size, fail);
        if (r < 0) { /* missing keys are no faults without slurm.conf */
                failed = r;
                (void)fail_keep(fail);
        } else if (may_continue(read_main(config, config->path, dir, text, size, fail), &failed,
                                   fail)) {
                (void)read_others(config, dir, reader, settings, n, &failed, fail);
        }
        if (failed == 0) {
                config_topology_warn(config);
                derive_site(config);
                config->plugstack_path = isempty(config->plugstack)
                                                         ? xasprintf("%s/plugstack.conf", dir)
                                                         : xstrdup(config->plugstack);
                config->plugin_hooks = names_plugins(config->plugstack_path);
                config_derive_prolog_flags(config);
        } else if (fail && fail->all && fail->all->n) {
                fail_set(fail, failed, "%s", fail->all->lines[0]);
        }
        return failed;
}

static int config_read_from(const char *path, enum config_reader reader,
                const char *const *settings, size_t n, struct config **ret, struct fail *fail) {
        _cleanup_(config_freep) struct config *config = xnew0(struct config, 1);

        assert(path);
        assert(ret);

        config->path = xstrdup(path);
        config->elsewhere = reader == READER_ELSEWHERE;
        int r = read_files(config, reader, settings, n, fail);
        if (r >= 0)
                *ret = TAKE(config);
        return r;
}

int config_read(const char *path, struct config **ret, struct fail *fail) {
        return config_read_from(path, READER_CONTROLLER, NULL, 0, ret, fail);
}

int config_look(const char *path, struct config **ret, struct fail *fail) {
        *ret = xnew0(struct config, 1);
        (*ret)->path = xstrdup(path);
        return read_files(*ret, READER_CONTROLLER, NULL, 0, fail);
}

int config_read_node(const char *path, struct config **ret, struct fail *fail) {
        return config_read_from(path, READER_NODE, NULL, 0, ret, fail);
}

int config_read_for(const char *path, const char *const *settings, size_t n, struct config **ret,
                struct fail *fail) {
        return config_read_from(path, READER_ELSEWHERE, settings, n, ret, fail);
}
