/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The configuration that slumberd receives at registration and after a reconfiguration. */
#include "controller/agents/agent_config.h"

#include "controller/model/abilities.h"
#include "controller/model/spec.h"
#include "lib/abilities.h"
#include "lib/log.h"
#include "lib/wordlist.h"

/* Returns PrologTimeout or EpilogTimeout in microseconds; 0: none. */
static usec_t hook_timeout(const struct config *config, uint16_t own) {
        uint16_t seconds = own < 65534 ? own : config->prolog_epilog_timeout;

        return seconds < 65534 ? seconds * USEC_PER_SEC : 0;
}

/* Fills n's part of job_container.conf; all texts but the folder belong to the configuration. */
static void container_fill(const struct config *config, const struct node *n,
                Slumber__AgentConfig *c) {
        const struct node_container of = job_containers_of(config->containers, n->name);

        if (!of.base)
                return;
        c->container = xnew(Slumber__JobContainer, 1);
        slumber__job_container__init(c->container);
        c->container->folder = of.base;
        c->container->dirs = (char *)(uintptr_t)of.dirs;
        c->container->init_script = (char *)(uintptr_t)strempty(of.init_script);
        c->container->auto_base = of.auto_base;
        c->container->shared = of.shared;
}

/* Returns the cores reserved for the system, "3,6-7"; agent_config_done() frees. */
static char *spec_cores(const struct node *n) {
        _cleanup_(bitset_freep) struct bitset *set = bitset_new(n->units);

        node_add_spec(n, set);
        return bitset_text(set);
}

/* The command for a slumberd that knows only RunTimeRun. */
static const char no_create[] =
                "echo 'slurmstepd: error: container: this build knows no RunTimeCreate' >&2; exit 1";

static Slumber__OciConfig *oci_fill(const struct oci_config *from) {
        Slumber__OciConfig *c = from ? xnew(Slumber__OciConfig, 1) : NULL;

        if (!c)
                return NULL;
        slumber__oci_config__init(c);
        const struct {
                char **to, *value;
        } texts[] = {
                { &c->run, from->create ? (char *)(uintptr_t)no_create : from->run },
                { &c->create, from->create },
                { &c->start, from->start },
                { &c->query, from->query },
                { &c->kill, from->kill },
                { &c->delete_it, from->delete_it },
                { &c->mount_spool_dir, from->mount_spool_dir },
                { &c->env_exclude, from->env_exclude },
                { &c->runtime_env_exclude, from->runtime_env_exclude },
                { &c->disable_hooks, from->disable_hooks },
                { &c->env_file, from->env_file },
        };
        for (size_t i = 0; i < ELEMENTSOF(texts); i++)
                if (texts[i].value)
                        *texts[i].to = texts[i].value;
        c->ignore_config = from->ignore_config;
        return c;
}

static Slumber__MemoryRules *memory_fill(const struct config_cgroup *from, const struct node *n) {
        Slumber__MemoryRules *m = xnew0(Slumber__MemoryRules, 1);

        slumber__memory_rules__init(m);
        m->allowed_ram = from->allowed_ram;
        m->allowed_swap = from->allowed_swap;
        m->max_ram = from->max_ram;
        m->max_swap = from->max_swap;
        m->min_ram = from->min_ram;
        if (from->swappiness != UINT32_MAX) {
                m->swappiness = xnew0(Slumber__Number, 1);
                slumber__number__init(m->swappiness);
                m->swappiness->value = from->swappiness;
        }
        m->daemons = from->constrain_ram ? n->spec_memory : 0;
        return m;
}

static void memory_done(Slumber__MemoryRules *m) {
        if (m)
                free(m->swappiness);
        free(m);
}

/* An earlier build, which cannot distinguish drained nodes, checks a drained node, too, rather than
   no node. */
static uint32_t health_states(const struct config *config, const struct node *n) {
        unsigned states = config->health.states;
        bool untold = states & HEALTH_NONDRAINED_IDLE && n->lacks & CAN_TELL_DRAINED;

        return states | (untold ? HEALTH_IDLE : 0);
}

void agent_say_unheeded(const struct controller *ctl, const struct node *n) {
        _cleanup_free_ char *keys = abilities_unheeded(ctl->cluster->config, n->lacks);

        if (keys)
                log_fields(LOG_WARNING, 0, 0, n->name,
                                "The slumberd of %s is of an earlier build, which does not keep to %s of cgroup.conf",
                                n->name, keys);
}

static void config_texts(const struct controller *ctl, Slumber__AgentConfig *c) {
        const struct config *config = ctl->cluster->config;
        const struct {
                char **to, *value;
        } texts[] = {
                { &c->cluster_name, config->cluster_name },
                { &c->tmp_fs, config->tmp_fs },
                { &c->task_prolog, config->task_prolog },
                { &c->task_epilog, config->task_epilog },
                { &c->health_program, config->health.program },
                { &c->unkillable_program, config->unkillable_program },
                { &c->plugin_dir, config->plugin_dir },
                { &c->plugstack, config->plugstack_path },
                { &c->cli_filter, config->filter },
                { &c->veto_program, config->site.veto_program },
                { &c->controller_host, ctl->host },
        };

        for (size_t i = 0; i < ELEMENTSOF(texts); i++)
                if (texts[i].value)
                        *texts[i].to = texts[i].value;
}

/* Fills the limits that confine a step to its resources. */
static void config_confinement(const struct config *config, const struct node *n,
                Slumber__AgentConfig *c) {
        c->constrain_memory = config->cgroup.constrain_ram;
        c->constrain_swap = config->cgroup.constrain_swap;
        c->allowed_swap = (uint32_t)config->cgroup.allowed_swap;
        c->signal_children = config->cgroup.signal_children;
        c->memory_rules = memory_fill(&config->cgroup, n);
        c->memory_watch = config->memory_watch;
        c->memory_watched = config->memory_watched;
        c->constrain_cores = config->cgroup.constrain_cores;
        c->constrain_devices = config->cgroup.constrain_devices;
        c->task_affinity = config->task.affinity;
        c->task_bind = (char *)(uintptr_t)config->task.bind;
        c->task_autobind = (char *)(uintptr_t)config->task.autobind;
        c->task_verbose = config->task.verbose;
        c->units = n->units;
        c->spec_cores = spec_cores(n);
        c->off_spec = config->task.off_spec;
}

static void config_hardware(const struct node *n, Slumber__Hardware *hw) {
        hw->cpus = n->configured.cpus;
        hw->boards = n->configured.boards;
        hw->sockets = n->configured.sockets;
        hw->cores = n->configured.cores;
        hw->threads = n->configured.threads;
        hw->real_memory = n->configured.memory;
}

/* Prolog, Epilog, HealthCheckProgram. */
static void config_hooks(const struct config *config, const struct node *n,
                Slumber__AgentConfig *c) {
        texts_add_words(&c->prolog, &c->n_prolog, config->prolog, ",");
        texts_add_words(&c->epilog, &c->n_epilog, config->epilog, ",");
        c->prolog_timeout = hook_timeout(config, config->prolog_timeout);
        c->epilog_timeout = hook_timeout(config, config->epilog_timeout);
        c->health_interval = config->health.interval;
        c->health_states = health_states(config, n);
        c->health_timeout = config->health.timeout;
        c->serial_hooks = config->prolog_flags & PROLOG_SERIAL;
        c->hooks_in_job = config->prolog_flags & PROLOG_IN_JOB;
}

void agent_config_fill(const struct controller *ctl, const struct node *n, Slumber__AgentConfig *c,
                Slumber__Hardware *hw) {
        const struct config *config = ctl->cluster->config;
        config_texts(ctl, c);
        c->kill_wait = config->kill_wait;
        c->slurmd_timeout = config->slurmd_timeout;
        c->heartbeat = config->site.heartbeat;
        c->veto_interval = config->site.veto_interval;
        c->veto_logind = streq(config->site.veto_logind, "yes");
        c->unkillable_timeout = config->unkillable_step_timeout;
        c->freeze_timeout = config->site.freeze_timeout;
        c->suspend_grace = config->preempt.suspend_grace;
        config_confinement(config, n, c);
        config_hardware(n, hw);
        c->configured = hw;
        config_hooks(config, n, c);
        container_fill(config, n, c);
        c->oci = oci_fill(config->oci);
        agent_gres_fill(ctl->cluster, n, c);
        agent_helpers_fill(ctl->cluster, n, c);
}

void agent_config_done(Slumber__AgentConfig *c) {
        texts_free(c->prolog, c->n_prolog);
        texts_free(c->epilog, c->n_epilog);
        if (c->container)
                free(c->container->folder);
        free(c->container);
        if (c->spec_cores != protobuf_c_empty_string)
                free(c->spec_cores);
        free(c->oci);
        memory_done(c->memory_rules);
        agent_gres_done(c);
        agent_helpers_done(c);
}
