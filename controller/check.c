/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of a configuration before any use: for a start, for a reconfiguration, and for --check,
 * which prints the result. */
#include "controller/check.h"

#include "controller/model/cluster.h"
#include "controller/programs/power_file.h"
#include "controller/resources/billing.h"
#include "controller/submit/lua.h"
#include "lib/conn/conn.h"
#include "lib/log.h"
#include "lib/printable.h"

/* ---- programs ---- */

/* The programs that slumberctld runs for nodes' power. */
static const struct program_key {
        const char *key;
        size_t at;   /* offset of the path in struct config */
        bool needed; /* needed for power saving */
} program_keys[] = {
        { "SuspendProgram", offsetof(struct config, suspend_program), true },
        { "ResumeProgram", offsetof(struct config, resume_program), true },
        { "ResumeFailProgram", offsetof(struct config, resume_fail_program), false },
        { "RebootProgram", offsetof(struct config, reboot_program), false },
};

static char **program_key_path(struct config *config, const struct program_key *k) {
        return (char **)((char *)config + k->at);
}

/* Returns 0 if the program is executable, or runs on nodes only, or if config_actions_check() has
   refused the program as a PowerAction's name. */
static int check_program(struct config *config, const struct program_key *k, struct fail *fail) {
        char **path = program_key_path(config, k);
        const struct config_action *a = config_action(config, *path);
        bool elsewhere = a ? a->on_nodes
                           : path == &config->reboot_program && !config->reboot_from_controller;
        bool named = !isempty(*path) && (a || strchr(*path, '/'));
        int r = !named || elsewhere ? 0 : program_check(a ? a->words[0] : *path, fail);

        return r < 0 ? fail_prefix(fail, r, "%s", k->key) : 0;
}

/* Returns whether a key names the PowerAction, which is checked with the key then. */
static bool action_is_named(struct config *config, const struct config_action *a) {
        for (size_t i = 0; i < ELEMENTSOF(program_keys); i++) {
                const char *path = *program_key_path(config, &program_keys[i]);
                if (path && streq(path, a->name))
                        return true;
        }
        return false;
}

static int check_power_action(struct config *config, const struct config_action *a,
                struct fail *fail) {
        int r = a->on_nodes || action_is_named(config, a) ? 0 : program_check(a->words[0], fail);

        return r < 0 ? fail_prefix(fail, r, "PowerAction=%s", a->name) : 0;
}

/* The programs of program_keys, followed by the PowerActions, which any request may name. */
static size_t n_programs(const struct config *config) {
        return ELEMENTSOF(program_keys) + config->n_actions;
}

static int check_at(struct config *config, size_t i, struct fail *fail) {
        return i < ELEMENTSOF(program_keys)
                               ? check_program(config, &program_keys[i], fail)
                               : check_power_action(config,
                                                 &config->actions[i - ELEMENTSOF(program_keys)],
                                                 fail);
}

/* A missing file may appear later in the start; an existing file that is not executable is a
   mistake of the configuration. */
static bool is_mistake(int r) {
        return r == -EINVAL || r == -EACCES || r == -EPERM;
}

/* Clears a key whose program is missing. */
static void drop_program(struct config *config, const struct program_key *k, const char *why) {
        if (k->needed && !config->power_fault)
                config->power_fault = xstrdup(why);
        free_and_strdup(program_key_path(config, k), NULL);
}

/* Keys are cleared after all checks, so that an action named by a key is not checked twice.  An
   action stays: requests that name the action report the missing program. */
int programs_drop_missing(struct config *config, struct fail *fail) {
        struct fail why[ELEMENTSOF(program_keys)] = { 0 };

        for (size_t i = 0; i < n_programs(config); i++) {
                struct fail of_action = { 0 },
                            *told = i < ELEMENTSOF(program_keys) ? &why[i] : &of_action;
                int r = check_at(config, i, told);

                if (r >= 0)
                        continue;
                if (is_mistake(r))
                        return fail_set(fail, r, "%s", told->text);
                log_error(0, "%s", told->text);
        }
        for (size_t i = 0; i < ELEMENTSOF(program_keys); i++)
                if (*why[i].text)
                        drop_program(config, &program_keys[i], why[i].text);
        return 0;
}

/* Reports each fault with its place; late: a missing program is no fault. */
static int check_programs(struct config *config, bool late, struct fail *fail) {
        int failed = 0;

        for (size_t i = 0; i < n_programs(config); i++) {
                struct fail why = { 0 };
                int r = check_at(config, i, &why);

                if (r >= 0 || (late && !is_mistake(r)))
                        continue;
                _cleanup_free_ char *place = config_place(config, why.text);
                failed = fail_set(fail, r, "%s: %s", place, why.text);
                if (!fail_keep(fail))
                        return failed;
        }
        return failed;
}

/* ---- Slurm's own state ---- */

/* Slurm's state is in an equal folder on a host that ran Slurm; Slumber's files have different
   names. */
char *state_of_slurm(const struct config *config) {
        static const char *const names[] = {
                "job_state",
                "node_state",
                "part_state",
                "clustername",
                "last_config_lite",
                "assoc_usage",
        };
        const char *found = NULL, *folder = strempty(config->state_save_location);

        for (size_t i = 0; i < ELEMENTSOF(names) && !found; i++) {
                _cleanup_free_ char *path = xasprintf("%s/%s", folder, names[i]);
                found = access(path, F_OK) == 0 ? names[i] : NULL;
        }
        if (!found)
                return NULL;
        _cleanup_free_ char *place = config_place(config, "StateSaveLocation");
        return xasprintf(
                        "%s: StateSaveLocation: %s holds Slurm's own state (%s): it is neither read nor changed, and jobs that Slurm has "
                        "are not known here",
                        place, folder, found);
}

/* ---- all together ---- */

int configuration_read(const char *path, bool start, struct config **ret, struct fail *fail) {
        struct config *config = NULL;
        int r = config_look(path, &config, fail), failed = r;

        fail->text[0] = 0; /* the first fault is kept in fail->all */
        r = check_programs(config, start, fail);
        failed = failed < 0 ? failed : r;
        r = billing_check(config, fail);
        failed = failed < 0 ? failed : r;
        (void)fail_keep(fail);
        r = lua_check(config, fail);
        failed = failed < 0 ? failed : r;
        (void)fail_keep(fail);
        r = start ? 0 : power_file_check(config, fail);
        failed = failed < 0 ? failed : r;
        if (failed < 0)
                fail_set(fail, failed, "%s", fail->all->lines[0]);
        *ret = config;
        return failed;
}

/* ---- --check ---- */

static const char *entry_class(const struct config_entry *e) {
        static const char *const words[] = {
                [USE_ACTS] = "acts",
                [USE_SHOWN] = "shown",
                [USE_HARMLESS] = "harmless",
                [USE_GUARDS] = "missing guard",
                [USE_UNKNOWN] = "unknown",
        };

        return e->accepted ? "missing guard, accepted" : words[e->use];
}

/* Hides passwords (JobCompPass ...), because users show the table to each other. */
static const char *entry_value(const struct config_entry *e) {
        size_t n = strlen(e->key);
        bool secret = n >= 4 && strcasecmp(e->key + n - 4, "Pass") == 0 && !isempty(e->value);

        return secret ? "(not shown)" : e->value;
}

static void print_table(const struct config *config) {
        size_t key = strlen("KEY"), value = strlen("VALUE");

        for (size_t i = 0; i < config->n_entries; i++) {
                key = MAX(key, MIN(strlen(config->entries[i].key), (size_t)40));
                value = MAX(value, MIN(strlen(entry_value(&config->entries[i])), (size_t)40));
        }
        printf("%-*s  %-*s  %-23s  %s\n", (int)key, "KEY", (int)value, "VALUE",
                        "WHAT BECOMES OF IT", "PLACE");
        for (size_t i = 0; i < config->n_entries; i++) {
                const struct config_entry *e = &config->entries[i];
                _cleanup_free_ char *place = e->line ? xasprintf("%s line %u", e->file, e->line)
                                                     : xstrdup(e->file);
                printable_fprintf(stdout, "%-*s  %-*s  %-23s  %s\n", (int)key, e->key, (int)value,
                                entry_value(e), entry_class(e), place);
        }
}

/* A future controller host has no key yet: reported as a warning, no fault of the files. */
static int check_tls_key(const struct config *config, struct fail *fail) {
        _cleanup_free_ char *path = cluster_key_path(config->site.key_file);
        struct cluster_key *key = NULL;

        if (access(path, F_OK) < 0 && errno == ENOENT) {
                fprintf(stderr, "slumberctld: warning: %s: there is no cluster key yet (key_file of slumber.yaml)\n",
                                path);
                return 0;
        }
        int r = cluster_key_read(path, &key, fail);
        cluster_key_free(key);
        return r;
}

/* Makes a cluster in memory as at a start, to check the parts against each other. */
static int check_config_cluster(struct config *config, struct fail *fail) {
        struct cluster *cluster = NULL;
        int r = cluster_new(config, USEC_PER_SEC, &cluster, fail);

        if (r >= 0) {
                cluster->config = NULL; /* still owned by the caller */
                cluster_free(cluster);
        }
        return r;
}

/* Performs the further checks of a start. */
static int check_start(struct config *config, struct fail *fail) {
        int r = check_tls_key(config, fail);

        for (size_t i = 0; i < n_programs(config); i++) {
                struct fail why = { 0 };
                if (check_at(config, i, &why) < 0)
                        printable_fprintf(stderr, "slumberctld: warning: %s\n", why.text);
        }
        if (r < 0 && !fail_keep(fail))
                return r;
        int checked = check_config_cluster(config, fail);
        return r < 0 ? r : checked;
}

int configuration_check(const char *path) {
        struct faults faults = { 0 };
        struct fail fail = { .all = &faults };
        struct config *config = NULL;
        int r = configuration_read(path, true, &config, &fail);

        fail.text[0] = 0;
        int power = power_file_check(config, &fail);
        print_table(config);
        fflush(stdout);
        for (size_t i = 0; i < config->n_warnings; i++)
                printable_fprintf(stderr, "slumberctld: warning: %s\n", config->warnings[i]);
        _cleanup_free_ char *slurms = state_of_slurm(config);
        if (slurms)
                printable_fprintf(stderr, "slumberctld: warning: %s\n", slurms);
        if (r >= 0)
                r = check_start(config, &fail);
        (void)fail_keep(&fail);
        for (size_t i = 0; i < faults.n; i++)
                printable_fprintf(stderr, "slumberctld: error: %s\n", faults.lines[i]);
        if (faults.more)
                fprintf(stderr, "slumberctld: error: and %zu more\n", faults.more);
        size_t found = faults.n + faults.more;
        printf("%s: %zu nodes, %zu partitions, %zu fault%s%s\n", path, config->n_nodes,
                        config->n_partitions, found, found == 1 ? "" : "s",
                        r < 0 ? ": a start would be refused"
                        : power < 0 ? ": a start would go on without waking nodes, a reconfiguration would be refused"
                                    : "");
        faults_done(&faults);
        config_free(config);
        return r < 0 || power < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
