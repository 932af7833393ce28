/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the messages by which agents start steps: signed credential, the job's environment,
   tasks. The hooks of jobs and the ends of jobs are sent here, too. */
#include "controller/launch/launch.h"

#include "controller/indexes/array.h"
#include "controller/jobs/job_events.h"
#include "controller/launch/step_nodes.h"
#include "controller/launch/x11.h"
#include "controller/loop/controller.h"
#include "controller/loop/peers.h"
#include "controller/loop/tree.h"
#include "controller/loop/wall_clock.h"
#include "controller/model/het.h"
#include "controller/model/layout.h"
#include "controller/model/sockets.h"
#include "controller/records/hook_env.h"
#include "controller/records/identity.h"
#include "controller/records/record.h"
#include "controller/steps/step_list.h"
#include "lib/abilities.h"
#include "lib/addresses.h"
#include "lib/hostlist.h"
#include "lib/log.h"
#include "lib/step/cpufreq.h"
#include "lib/wordlist.h"

#include <arpa/inet.h>
#include <stdarg.h>

/* Credentials expire after this time, which allows for slow agents and small clock differences. */
#define CREDENTIAL_LIFE (120 * USEC_PER_SEC)

/* ---- environment ---- */

struct env {
        char **list;
        size_t n, allocated;
};

static void env_add(struct env *e, const char *format, ...) _printf_(2, 3);
static void env_add(struct env *e, const char *format, ...) {
        va_list ap;

        GROW(e->list, e->allocated, e->n);
        va_start(ap, format);
        e->list[e->n++] = xvasprintf(format, ap);
        va_end(ap);
}

/* 0 adds no variable; likewise NULL in env_add_text(). */
static void env_add_number(struct env *e, const char *name, uint64_t value) {
        if (value)
                env_add(e, "%s=%llu", name, (unsigned long long)value);
}
static void env_add_text(struct env *e, const char *name, const char *value) {
        if (value)
                env_add(e, "%s=%s", name, value);
}

static void env_done(struct env *e) {
        texts_free(e->list, e->n);
}

/* Returns the CPUs that the job may use on its i-th node. With --threads-per-core these are
   fewer than the allocated CPUs; as in Slurm, jobs that get whole nodes see all CPUs. */
static uint32_t cpus_told(const struct cluster *c, const struct job *j, size_t i) {
        uint32_t most = cluster_whole_nodes(c) ? 0 : j->asked.threads_per_core;
        uint32_t threads = (uint32_t)j->placed.alloc[i].node->cpus_per_unit;
        uint32_t cpus = j->placed.alloc[i].cpus;

        return most && most < threads ? cpus / threads * most : cpus;
}

static char *cpus_per_node(const struct cluster *c, const struct job *j) {
        _cleanup_free_ uint32_t *cpus = xnew(uint32_t, j->placed.n_alloc);

        for (size_t i = 0; i < j->placed.n_alloc; i++)
                cpus[i] = cpus_told(c, j, i);
        return layout_text(cpus, j->placed.n_alloc);
}

static void cpus_of_listed(const struct cluster *c, const struct job *j, const struct hostlist *hl,
                uint32_t *cpus) {
        for (size_t i = 0; j && i < j->placed.n_alloc; i++) {
                size_t at = hostlist_index(hl, j->placed.alloc[i].node->name);
                if (at != SIZE_MAX)
                        cpus[at] = cpus_told(c, j, i);
        }
}

/* Returns the CPUs on the listed nodes of j, or of all components of a heterogeneous job, in the
   list's order; NULL: malformed. The caller frees. */
static char *cpus_per_listed(const struct cluster *c, const struct job *j, const char *nodes) {
        _cleanup_(hostlist_freep) struct hostlist *hl = NULL;

        if (hostlist_parse(nodes, &hl, NULL) < 0)
                return NULL;
        _cleanup_free_ uint32_t *cpus = xnew0(uint32_t, hostlist_count(hl));
        cpus_of_listed(c, j, hl, cpus);
        for (uint32_t i = 0; j->het && i < j->het->n; i++)
                cpus_of_listed(c, j->het->of[i], hl, cpus);
        return layout_text(cpus, hostlist_count(hl));
}

/* Returns the tasks on each node if the job listed its tasks' nodes and has no further nodes;
   else NULL. The caller frees. */
static char *listed_tasks_text(const struct job *j) {
        _cleanup_free_ uint32_t *count = xnew0(uint32_t, j->placed.n_alloc), *place = NULL;
        _cleanup_free_ uint32_t *any = xnew(uint32_t, j->placed.n_alloc);
        _cleanup_free_ size_t *at = xnew(size_t, j->placed.n_alloc);
        _cleanup_(task_list_freep) struct task_list *l = task_list_new(0);
        char *text = NULL;

        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                at[i] = i;
                any[i] = UINT32_MAX;
        }
        if (layout_is_listed(j) && task_list_add(l, j->asked.req_nodes, NULL) >= 0 &&
                        hostlist_count(task_list_nodes(l)) == j->placed.n_alloc &&
                        step_list_lay_out(l, j, at, j->placed.n_alloc, any, any, any, count, &place,
                                        NULL) == SLUMBER_OK)
                text = layout_text(count, j->placed.n_alloc);
        return text;
}

char *launch_job_tasks(const struct cluster *c, const struct job *j) {
        _cleanup_free_ uint32_t *room = xnew(uint32_t, j->placed.n_alloc),
                                *count = xnew(uint32_t, j->placed.n_alloc);
        uint32_t per_task = MAX(1u, j->needs.cpus_per_task);
        char *listed = listed_tasks_text(j);

        if (listed)
                return listed;
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                room[i] = j->asked.ntasks_per_node
                                          ? j->asked.ntasks_per_node
                                          : MAX(1u, job_tasks_in(j, j->placed.alloc[i].node,
                                                                    j->placed.alloc[i].cpus,
                                                                    per_task));
        if (!j->asked.tasks_set || j->asked.ntasks_per_node) /* the highest possible number */
                return layout_text(room, j->placed.n_alloc);
        (void)layout_tasks(room, j->placed.n_alloc, MAX(job_tasks(j), (uint32_t)j->placed.n_alloc),
                        c->config->select_params & CR_PACK_NODES ? LAYOUT_PACKED : 1, true, count);
        return layout_text(count, j->placed.n_alloc);
}

/* Sets a variable to the requested GPUs: "gres/gpu:a100:2,gres/gpu:v100:1" becomes
   "a100:2,v100:1". */
static void add_gpus(struct env *e, const char *name, const char *asked) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;
        _cleanup_free_ char *text = xstrdup("");

        (void)gres_list_parse(strempty(asked), GRES_ASKED, &list, NULL);
        for (size_t i = 0; list && i < list->n; i++) {
                const struct gres_item *item = &list->list[i];
                if (streq(item->name, "gpu"))
                        text_add_word(&text, ",", "%s%s%llu", strempty(item->type),
                                        item->type ? ":" : "", (unsigned long long)item->count);
        }
        if (*text)
                env_add(e, "%s=%s", name, text);
}

/* Adds variables that srun takes as its own options, if srun has no such options. They are for
   srun only: srun tells the tasks the distribution actually used. */
static void add_distribution(struct env *e, const struct job *j) {
        const char *distribution = j->asked.distribution;

        if (layout_is_listed(j))
                env_add(e, "SLURM_ARBITRARY_NODELIST=%s", j->asked.req_nodes);
        if (distribution && strncasecmp(distribution, "plane=", 6) == 0) {
                env_add(e, "SLURM_DISTRIBUTION=plane");
                env_add(e, "SLURM_DIST_PLANESIZE=%.*s", (int)strspn(distribution + 6, "0123456789"),
                                distribution + 6);
        } else if (distribution)
                env_add(e, "SLURM_DISTRIBUTION=%s", distribution);
}

/* Linux's limit for a string of execve() (MAX_ARG_STRLEN), with the final null byte */
#define VARIABLE_MAX 131072

/* Adds the addresses of the job's cloud nodes, "c1:[10.0.0.7]:vm-17,c2:...", which no name
   service knows without SlurmctldParameters=cloud_dns. Adds no variable while cloud nodes boot,
   because these have no address yet. */
static void add_aliases(struct env *e, const struct controller *ctl, const struct job *j) {
        const char *comma = "";
        char *variable = NULL;
        size_t size;

        if (ctl->cluster->config->cloud_dns || job_boots_cloud_nodes(j))
                return;
        FILE *f = memstream_open(&variable, &size);
        fputs("SLURM_NODE_ALIASES=", f);
        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                const struct node *n = j->placed.alloc[i].node;
                if (!(n->flags & NODE_CLOUD))
                        continue;
                fprintf(f, "%s%s:[%s]:%s", comma, n->name,
                                isempty(n->address) ? n->name : n->address,
                                isempty(n->hostname) ? n->name : n->hostname);
                comma = ",";
        }
        memstream_close(f);
        if (*comma && size < VARIABLE_MAX)
                env_add(e, "%s", variable);
        else if (*comma)
                log_fields(LOG_WARNING, 0, j->id, NULL,
                                "JobId=%u: its nodes' addresses (%zu bytes) are longer than a "
                                "variable may be: it has no SLURM_NODE_ALIASES",
                                j->id, size);
        free(variable);
}

/* Adds variables about the job and its allocation. */
static void add_allocation(struct env *e, const struct controller *ctl, const struct job *j) {
        _cleanup_free_ char *nodes = cluster_nodes_text(ctl->cluster, j->placed.nodes);
        _cleanup_free_ char *cpus = cpus_per_node(ctl->cluster, j),
                            *tasks = launch_job_tasks(ctl->cluster, j);

        env_add(e, "SLURM_JOB_ID=%u", j->id);
        env_add(e, "SLURM_JOBID=%u", j->id);
        env_add(e, "SLURM_JOB_NAME=%s", strempty(j->asked.name));
        env_add(e, "SLURM_JOB_NODELIST=%s", nodes);
        env_add(e, "SLURM_NODELIST=%s", nodes);
        env_add(e, "SLURM_JOB_NUM_NODES=%zu", j->placed.n_alloc);
        env_add(e, "SLURM_NNODES=%zu", j->placed.n_alloc);
        env_add(e, "SLURM_JOB_CPUS_PER_NODE=%s", cpus);
        env_add(e, "SLURM_TASKS_PER_NODE=%s", tasks);
        env_add(e, "SLURM_JOB_PARTITION=%s", j->partition->name);
        env_add(e, "SLURM_JOB_UID=%u", (unsigned)j->uid);
        env_add(e, "SLURM_JOB_USER=%s", strempty(j->user));
        env_add(e, "SLURM_JOB_GID=%u", (unsigned)j->gid);
        env_add(e, "SLURM_CLUSTER_NAME=%s", ctl->cluster->config->cluster_name);
        env_add(e, "SLURM_SUBMIT_DIR=%s", j->asked.work_dir ? j->asked.work_dir : "/");
        env_add(e, "SLURM_SUBMIT_HOST=%s", strempty(j->asked.submit_host));
        env_add(e, "SLURM_JOB_START_TIME=%llu",
                        (unsigned long long)(j->running.start_time / USEC_PER_SEC));
        env_add_number(e, "SLURM_JOB_END_TIME", j->running.end_time / USEC_PER_SEC);
        /* srun accepts one of three memory options only; mem_per_node may come from
           DefMemPerNode */
        if (!j->needs.mem_per_gpu) {
                env_add_number(e, "SLURM_MEM_PER_NODE", j->needs.mem_per_node);
                env_add_number(e, "SLURM_MEM_PER_CPU", j->needs.mem_per_cpu);
        }
        env_add_number(e, "SLURM_RESTART_COUNT", j->restarts);
        add_aliases(e, ctl, j);
}

static void add_array(struct env *e, const struct job *j) {
        const struct array *a = j->array;

        if (!a)
                return;
        env_add(e, "SLURM_ARRAY_JOB_ID=%u", a->id);
        env_add(e, "SLURM_ARRAY_TASK_ID=%u", j->array_task);
        env_add(e, "SLURM_ARRAY_TASK_COUNT=%u", a->count);
        env_add(e, "SLURM_ARRAY_TASK_MIN=%u", a->min);
        env_add(e, "SLURM_ARRAY_TASK_MAX=%u", a->max);
        env_add(e, "SLURM_ARRAY_TASK_STEP=%u", a->step);
}

/* Adds variables about the options of the job. */
static void add_asked(struct env *e, const struct job *j) {
        const struct job_spec *spec = &j->asked;

        env_add_text(e, "SLURM_JOB_ACCOUNT", spec->account);
        env_add_text(e, "SLURM_JOB_QOS", spec->qos);
        if (spec->tasks_set) {
                env_add(e, "SLURM_NTASKS=%u", job_tasks(j));
                env_add(e, "SLURM_NPROCS=%u", job_tasks(j));
        }
        /* Steps inherit --overcommit */
        env_add_number(e, "SLURM_OVERCOMMIT", spec->overcommit);
        /* Steps inherit --oom-kill-step */
        env_add_number(e, "SLURM_OOM_KILL_STEP", spec->oom_kill_step);
        struct cpu_freq f;
        if (spec->cpu_freq && cpu_freq_parse(spec->cpu_freq, &f, NULL) >= 0) {
                _cleanup_free_ char *text = cpu_freq_text(&f);
                env_add(e, "SLURM_CPU_FREQ_REQ=%s", text);
        }
        env_add_number(e, "SLURM_CPUS_PER_TASK", j->needs.cpus_per_task);
        env_add_number(e, "SLURM_NTASKS_PER_NODE", spec->ntasks_per_node);
        env_add_number(e, "SLURM_NTASKS_PER_SOCKET", spec->ntasks_per_socket);
        if (spec->ntasks_per_core < TASKS_PER_CORE_ANY)
                env_add_number(e, "SLURM_NTASKS_PER_CORE", spec->ntasks_per_core);
        env_add_number(e, "SLURM_THREADS_PER_CORE", spec->threads_per_core);
        add_gpus(e, "SLURM_GPUS", spec->tres_per_job);
        add_gpus(e, "SLURM_GPUS_PER_SOCKET", spec->tres_per_socket);
        env_add_number(e, "SLURM_NTASKS_PER_GPU", spec->ntasks_per_gpu);
        if (!spec->ntasks_per_gpu) {
                add_gpus(e, "SLURM_GPUS_PER_TASK", spec->tres_per_task);
                env_add_text(e, "SLURM_TRES_PER_TASK", spec->tres_per_task);
        }
        env_add_number(e, "SLURM_CPUS_PER_GPU", j->needs.cpus_per_gpu);
        env_add_number(e, "SLURM_MEM_PER_GPU", j->needs.mem_per_gpu);
        env_add_text(e, "SLURM_JOB_RESERVATION", spec->reservation);
        env_add_text(e, "SLURM_JOB_LICENSES", spec->licenses);
        env_add_text(e, "SLURM_JOB_DEPENDENCY", spec->dependency);
}

/* Variables equal for all components are not repeated for each component. */
static bool is_of_whole(const char *variable) {
        static const char *const names[] = { "SLURM_CLUSTER_NAME", "SLURM_SUBMIT_DIR",
                "SLURM_SUBMIT_HOST", "SLURM_JOB_UID", "SLURM_JOB_USER", "SLURM_JOB_GID",
                "SLURM_RESTART_COUNT" };
        size_t n = strcspn(variable, "=");

        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                if (strlen(names[i]) == n && strncmp(names[i], variable, n) == 0)
                        return true;
        return false;
}

/* Adds each variable of a component with the component's number behind the name (Slurm's guide
   "Heterogeneous Job Support"), also with the older word PACK_GROUP, as in Slurm. */
static void env_add_component(struct env *e, const struct controller *ctl, const struct job *m) {
        struct env own = { 0 };

        add_allocation(&own, ctl, m);
        add_asked(&own, m);
        add_distribution(&own, m);
        for (size_t i = 0; i < own.n; i++) {
                const char *variable = own.list[i];
                int n = (int)strcspn(variable, "=");
                if (is_of_whole(variable))
                        continue;
                env_add(e, "%.*s_HET_GROUP_%u%s", n, variable, m->het_offset, variable + n);
                env_add(e, "%.*s_PACK_GROUP_%u%s", n, variable, m->het_offset, variable + n);
        }
        env_done(&own);
}

static void env_add_components(struct env *e, const struct controller *ctl, const struct job *j) {
        const struct het *h = j->het;

        if (!h)
                return;
        env_add(e, "SLURM_JOB_ID=%u", h->id);
        env_add(e, "SLURM_JOBID=%u", h->id);
        env_add(e, "SLURM_HET_SIZE=%u", h->n);
        env_add(e, "SLURM_PACK_SIZE=%u", h->n);
        for (uint32_t i = 0; i < h->n; i++)
                if (h->of[i] && h->of[i]->placed.nodes)
                        env_add_component(e, ctl, h->of[i]);
}

/* Adds the variables that are the same on all nodes. */
static void add_job_environment(struct env *e, const struct controller *ctl, const struct job *j) {
        add_allocation(e, ctl, j);
        add_asked(e, j);
        add_array(e, j);
        env_add_components(e, ctl, j);
}

/* Adds the variables for salloc's command. With a heterogeneous job, a variable without a
   component number would be applied by srun to all components. */
static void add_holder_environment(struct env *e, const struct controller *ctl,
                const struct job *j) {
        struct env all = { 0 };

        if (!j->het) {
                add_job_environment(e, ctl, j);
                return;
        }
        add_allocation(&all, ctl, j);
        for (size_t i = 0; i < all.n; i++)
                if (is_of_whole(all.list[i]))
                        env_add(e, "%s", all.list[i]);
        env_done(&all);
        env_add_components(e, ctl, j);
}

Slumber__Allocation *allocation_message(const struct controller *ctl, const struct job *j) {
        Slumber__Allocation *m = xnew0(Slumber__Allocation, 1);
        const struct config *config = ctl->cluster->config;
        struct env env = { 0 };

        slumber__allocation__init(m);
        m->nodes = cluster_nodes_text(ctl->cluster, j->placed.nodes);
        add_holder_environment(&env, ctl, j);
        if (!j->het)
                add_distribution(&env, j);
        m->environment = env.list;
        m->n_environment = env.n;
        bool wait = config->salloc_wait_nodes || (!config->cloud_dns && job_boots_cloud_nodes(j));
        /* Commands wait for the prologs in any case */
        bool prologs = !isempty(config->prolog_slurmctld) ||
                       (config->prolog_flags & (PROLOG_ALLOC | PROLOG_NOHOLD)) == PROLOG_ALLOC;
        m->wait_nodes = prologs || j->asked.wait_all_nodes == 1 ||
                        (j->asked.wait_all_nodes == 0 && wait);
        m->ready = j->state == JOB_RUNNING && !j->configuring;
        if (config->use_interactive_step)
                m->interactive = config->interactive_options;
        return m;
}

Slumber__Allocation *allocation_message_free(Slumber__Allocation *m) {
        if (!m)
                return NULL;
        env_done(&(struct env){ .list = m->environment, .n = m->n_environment });
        free(m->nodes);
        free(m);
        return NULL;
}

/* ---- the message ---- */

char *launch_job_cores(const struct job *j, const struct job_node *at) {
        _cleanup_(bitset_freep) struct bitset *set = bitset_new(at->node->units);

        bitset_or_part(set, j->placed.units, at->units_at);
        return bitset_text(set);
}

/* Returns the cores of step s on the node; those of the job if s is NULL or has no cores of its
   own. The caller frees. */
static char *launch_cores_text(const struct launch *l, const struct step *s) {
        uint32_t before = s && s->span ? s->span->first_node : 0;

        return s && s->cores ? bitset_text(s->cores[l->node_rank - before])
                             : launch_job_cores(l->job, l->at);
}

/* Returns the job's generic resources on the node in the credential's form; the caller frees. */
static char *job_gres_of(const struct launch *l) {
        size_t n;
        const struct gres_share *shares = gres_shares_of(l->job->placed.gres, l->job->placed.n_gres,
                        (uint32_t)(l->at - l->job->placed.alloc), &n);

        return gres_shares_text(l->at->node, shares, n);
}

/* Returns the node's address in the topology of the job's partition; the caller frees both
   texts. */
static char *launch_topology_address(const struct launch *l, char **ret_pattern) {
        const struct topology *t = l->job->partition->topology;

        return topology_address(t, node_leaf(l->at->node, t), l->at->node->name, ret_pattern);
}

/* The part of a credential common to all steps of the job on the node; borrows all texts. */
static Slumber__CredentialBody credential_body_common(const struct launch *l, char *job_cores) {
        const struct job *j = l->job;
        Slumber__CredentialBody body = SLUMBER__CREDENTIAL_BODY__INIT;

        body.job_id = j->id;
        body.restarts = j->restarts;
        body.uid = j->uid;
        body.gid = j->gid;
        body.user = j->user ? j->user : (char *)(uintptr_t) "";
        body.nodes = (char *)(uintptr_t)l->job_nodes;
        body.node = l->at->node->name;
        body.cpus = l->cpus;
        body.mem = body.job_mem = l->at->memory;
        body.cores = body.job_cores = job_cores;
        return body;
}

static int launch_credential_sign(struct controller *ctl, const struct launch *l, bool in_tree,
                Slumber__Credential **ret) {
        const struct job *j = l->job;
        struct node *n = l->at->node;
        struct step *s = l->step == STEP_BATCH ? NULL : job_step_find(j, l->step);
        _cleanup_free_ char *cores = launch_cores_text(l, s),
                            *job_cores = launch_cores_text(l, NULL);
        Slumber__CredentialBody body = credential_body_common(l, job_cores);

        body.step_id = l->step;
        body.mem = l->memory ? MIN(l->memory, body.mem) : body.mem;
        body.cores = cores;
        body.stream_token = !s ? 0 : s->id == STEP_EXTERN ? x11_token(ctl, j, s) : s->stream_token;
        if (s && s->span) {
                body.known_job = s->span->job;
                body.known_restarts = s->span->restarts;
        }
        if (body.stream_token && l->home)
                body.stream_home = (char *)(uintptr_t)l->home;
        size_t n_own = 0;
        const struct step *part = s ? job_step_part_at(s, (size_t)(l->at - j->placed.alloc)) : NULL;
        bool own = part && part->gres_kind == STEP_GRES_OWN;
        const struct gres_share *shares = own ? gres_shares_of(s->gres, s->n_gres,
                                                                (uint32_t)(l->at - j->placed.alloc),
                                                                &n_own)
                                              : NULL;
        _cleanup_free_ char *job_gres = job_gres_of(l),
                            *own_gres = gres_shares_text(n, shares, n_own);
        body.job_gres = job_gres;
        body.step_gres = own || (part && part->gres_kind == STEP_GRES_NONE) ? own_gres : job_gres;
        body.expires = controller_now(ctl) + CREDENTIAL_LIFE;
        if (!in_tree)
                return credential_sign(ctl->signing_key, &body, ret);
        *ret = credential_unsigned(&body); /* a row of the tree is signed as a whole */
        return 0;
}

/* Adds srun's address. Messages to srun go through the controller, so the port is slumberctld's. */
static void add_launcher(struct env *e, const struct controller *ctl, const struct launch *l) {
        const struct peer *agent = ctl->agents[l->at->node->index];
        char own[INET6_ADDRSTRLEN] = "";
        const char *address = l->launcher;

        if (!address && agent && agent->conn)
                conn_own_address(agent->conn, own, sizeof own);
        address = address ? address : own;
        env_add(e, "SLURM_SRUN_COMM_HOST=%s", *address ? address : l->spec->host);
        env_add_text(e, "SLURM_LAUNCH_NODE_IPADDR", *address ? address : NULL);
        env_add_number(e, "SLURM_SRUN_COMM_PORT", ctl->cluster->config->slurmctld_port);
        env_add_number(e, "SLURM_STEP_LAUNCHER_PORT", ctl->cluster->config->slurmctld_port);
}

uint32_t launch_tree_width(const struct controller *ctl, const struct step *s) {
        return s && s->tree_width ? s->tree_width : ctl->cluster->config->tree_width;
}

/* Adds the addresses that the nodes of a step need to talk to each other; the caller frees the
   rows. */
static void add_addresses(const struct controller *ctl, const struct launch *l,
                Slumber__LaunchStep *m) {
        const struct step *s = job_step_find(l->job, l->step);

        if ((l->step > STEP_NUMBER_MAX && !l->job->asked.x11) || l->num_nodes < 2 || !s)
                return;
        m->addresses = step_nodes_addresses(ctl, l->job, s, &m->n_addresses);
        m->tree_width = launch_tree_width(ctl, s);
}

/* Returns the environment of the nodes' Prolog and Epilog; the caller frees. */
static struct environment *hook_environment(const struct controller *ctl, const struct launch *l) {
        struct environment *hooks = environment_new();

        if (config_has_prolog(ctl->cluster->config) || config_has_epilog(ctl->cluster->config))
                hook_env_fill(hooks, ctl->cluster, l->job, HOOK_NODE_PROLOG);
        return hooks;
}

static void fill_array(const struct job *j, Slumber__LaunchStep *m) {
        if (!j->array)
                return;
        m->array_job = j->array->id;
        m->array_task = j->array_task;
}

/* Adds variables of a step spanning components. As in Slurm, these replace the job's own: an MPI
   program expects the nodes of the step to be the whole job. */
static void add_whole(struct env *e, const struct cluster *c, const struct launch *l) {
        _cleanup_free_ char *cpus = cpus_per_listed(c, l->job, l->step_nodes);

        env_add(e, "SLURM_JOB_NODELIST=%s", l->step_nodes);
        env_add(e, "SLURM_NODELIST=%s", l->step_nodes);
        env_add(e, "SLURM_JOB_NUM_NODES=%u", l->num_nodes);
        env_add_text(e, "SLURM_JOB_CPUS_PER_NODE", cpus);
}

struct wire_tail *launch_common(const struct controller *ctl, const struct launch *l) {
        Slumber__LaunchStep m = SLUMBER__LAUNCH_STEP__INIT;
        struct env env = { 0 };
        _cleanup_(environment_freep) struct environment *hooks = hook_environment(ctl, l);

        add_job_environment(&env, ctl, l->job);
        /* A heterogeneous job has a distribution for each component */
        if (l->script && !l->job->het)
                add_distribution(&env, l->job);
        const struct step *s = job_step_find(l->job, l->step);
        env_add_text(&env, "SLURM_STEP_RESV_PORTS", s ? s->resv_ports : NULL);
        if (s && (s->n_parts || s->span))
                add_whole(&env, ctl->cluster, l);
        m.batch = l->script != NULL;
        m.script = l->script;
        m.spec = l->spec;
        m.num_tasks = l->num_tasks;
        m.num_nodes = l->num_nodes;
        m.job_environment = env.list;
        m.n_job_environment = env.n;
        m.hook_environment = environment_vector(hooks);
        m.n_hook_environment = environment_count(hooks);
        m.tasks_per_node = (char *)(uintptr_t)l->tasks_per_node;
        m.step_nodes = (char *)(uintptr_t)l->step_nodes;
        m.process_mapping = (char *)(uintptr_t)strempty(l->process_mapping);
        fill_array(l->job, &m);
        add_addresses(ctl, l, &m);
        struct wire_tail *common = wire_tail_new(&m.base);
        texts_free(m.addresses, m.n_addresses);
        env_done(&env);
        return common;
}

struct tree *launch_tree(struct controller *ctl, const struct launch *l, size_t n) {
        uint32_t width = launch_tree_width(ctl, job_step_find(l->job, l->step));
        struct tree_wish wish = { l->job->id, l->job->restarts, l->step, l->common,
                TREE_LAUNCH_PATIENCE, width };

        return tree_is_worth_it(width, n) ? tree_new(ctl, &wish) : NULL;
}

unsigned launch_lacks(const struct controller *ctl, const struct launch *l) {
        const struct job *j = l->job;
        unsigned lacks = l->at->node->lacks;

        if (lacks & CAN_CONTAINERS && !isempty(l->spec->container))
                return CAN_CONTAINERS;
        return lacks & CAN_X11 && step_is_sruns(l->step) &&
                                               x11_here(ctl, j, (size_t)(l->at - j->placed.alloc))
                               ? CAN_X11
                               : 0;
}

int launch_send(struct controller *ctl, const struct launch *l) {
        _cleanup_(credential_freep) Slumber__Credential *credential = NULL;
        Slumber__LaunchStep m = SLUMBER__LAUNCH_STEP__INIT;
        Slumber__StateSeen seen;
        struct env env = { 0 };
        bool in_tree = l->tree && tree_takes(ctl, l->at->node);

        if (launch_lacks(ctl, l))
                return -EOPNOTSUPP;
        int r = launch_credential_sign(ctl, l, in_tree, &credential);
        if (r < 0)
                return r;
        if (!l->script)
                add_launcher(&env, ctl, l);
        m.job_environment = env.list;
        m.n_job_environment = env.n;
        m.credential = credential;
        m.ranks = (uint32_t *)(uintptr_t)l->ranks;
        m.n_ranks = l->n_ranks;
        m.node_rank = l->node_rank;
        m.maker = (Slumber__StepMaker *)(uintptr_t)l->maker;
        _cleanup_free_ char *pattern = NULL, *address = launch_topology_address(l, &pattern);
        m.topology_addr = address;
        m.topology_pattern = pattern;
        m.x11 = l->x11;
        m.seen = identity_tell(ctl->identity, ctl->cluster, l->job->id, &seen);
        ENVELOPE(envelope, LAUNCH_STEP, launch_step, &m);
        if (in_tree)
                r = tree_add(l->tree, l->at->node, &envelope) ? 0 : -EMSGSIZE;
        else
                r = agent_send_with_tail(ctl, l->at->node, &envelope, l->common) ? 0 : -ENOTCONN;
        env_done(&env);
        return r;
}

void launch_by_node(const struct controller *ctl, const struct launch *of,
                Slumber__StepMaker *maker, void (*use)(Slumber__StepMaker *maker, void *user),
                void *user) {
        const struct peer *agent = ctl->agents[of->at->node->index];
        Slumber__LaunchStep m = SLUMBER__LAUNCH_STEP__INIT;
        Slumber__StepSpec none = SLUMBER__STEP_SPEC__INIT;
        struct launch l = *of;
        struct env env = { 0 };

        l.spec = &none; /* StepSpec without a host */
        l.launcher = agent && agent->conn ? conn_peer_address(agent->conn) : NULL;
        _cleanup_free_ char *cores = launch_cores_text(&l, NULL), *gres = job_gres_of(&l),
                            *pattern = NULL, *address = launch_topology_address(&l, &pattern);
        _cleanup_(environment_freep) struct environment *hooks = hook_environment(ctl, &l);
        Slumber__CredentialBody body = credential_body_common(&l, cores);
        body.job_gres = body.step_gres = gres;
        add_job_environment(&env, ctl, l.job);
        add_launcher(&env, ctl, &l);
        m.job_environment = env.list;
        m.n_job_environment = env.n;
        m.hook_environment = environment_vector(hooks);
        m.n_hook_environment = environment_count(hooks);
        m.topology_addr = address;
        m.topology_pattern = pattern;
        m.tree_width = ctl->cluster->config->tree_width;
        fill_array(l.job, &m);
        maker->launch = &m;
        maker->credential = &body;
        use(maker, user);
        env_done(&env);
}

/* ---- hooks ---- */

void launch_prolog(struct controller *ctl, const struct effect *fx) {
        const struct job *j = cluster_job(ctl->cluster, fx->job);
        Slumber__StepSpec spec = SLUMBER__STEP_SPEC__INIT;

        if (!j || j->state != JOB_RUNNING || j->completing || j->restarts != fx->serial)
                return;
        bool contains = job_step_find(j, STEP_EXTERN);
        _cleanup_free_ char *nodes = cluster_nodes_text(ctl->cluster, j->placed.nodes),
                            *home = x11_home(ctl, j);
        struct launch l = { .job = j,
                .step = contains ? STEP_EXTERN : STEP_PROLOG,
                .home = home,
                .num_nodes = (uint32_t)j->placed.n_alloc,
                .tasks_per_node = "",
                .step_nodes = "",
                .spec = &spec,
                .job_nodes = nodes };
        _cleanup_(wire_tail_unrefp) struct wire_tail *common = l.common = launch_common(ctl, &l);
        l.tree = launch_tree(ctl, &l, bitset_count(fx->nodes));
        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                l.at = &j->placed.alloc[i];
                l.node_rank = (uint32_t)i;
                l.cpus = l.at->cpus;
                l.x11 = contains ? x11_here(ctl, j, i) : 0;
                if (bitset_has(fx->nodes, l.at->node->index))
                        /* On failure the agent registers again, and the prolog is requested
                           again */
                        (void)launch_send(ctl, &l);
        }
        if (l.tree)
                tree_send(l.tree);
        x11_launched(ctl, j);
}

/* Returns the part of TerminateJob equal for all nodes of j. The last result is cached, because
   a large job has many nodes. */
static struct wire_tail *end_common(struct controller *ctl, const struct job *j) {
        Slumber__TerminateJob m = SLUMBER__TERMINATE_JOB__INIT;
        struct ending key = { j->id, job_incarnation(j), j->state, j->placed.n_alloc, NULL },
                      *last = &ctl->ending;
        _cleanup_(environment_freep) struct environment *env = environment_new();

        if (last->common && last->job == key.job && last->restarts == key.restarts &&
                        last->state == key.state && last->n_nodes == key.n_nodes)
                return last->common;
        hook_env_fill(env, ctl->cluster, j, HOOK_NODE_EPILOG);
        m.hook_environment = environment_vector(env);
        m.n_hook_environment = environment_count(env);
        key.common = wire_tail_new(&m.base);
        wire_tail_unref(last->common);
        *last = key;
        return key.common;
}

/* Returns whether the node still has to confirm the job's end. A confirmation in this turn has
   already led to a JobGoneAck: after the ack the node would not know the job, and would run an
   Epilog for it. */
static bool has_to_end(const struct job *j, const struct effect *fx) {
        const struct node *n = fx->node;
        const struct job_node *jn = j && fx->serial == job_incarnation(j) ? job_node_find(j, n)
                                                                          : NULL;

        for (size_t i = 0; i < n->n_strays; i++)
                if (n->strays[i].job == fx->job && n->strays[i].restarts == fx->serial)
                        return true;
        return jn && !jn->done;
}

void terminate_send(struct controller *ctl, const struct effect *fx) {
        Slumber__TerminateJob m = SLUMBER__TERMINATE_JOB__INIT;
        const struct job *j = cluster_job(ctl->cluster, fx->job);
        const struct job_node *jn = j && fx->epilog ? job_node_find(j, fx->node) : NULL;
        _cleanup_free_ char *gres = NULL;
        size_t n = 0;

        if (!has_to_end(j, fx))
                return;
        m.job_id = fx->job;
        m.restarts = (uint32_t)fx->serial;
        m.now = fx->now;
        m.epilog = fx->epilog;
        if (j) {
                m.uid = j->uid;
                m.reason = (char *)(uintptr_t)strempty(j->running.kill_reason);
        }
        if (jn) {
                const struct gres_share *shares = gres_shares_of(j->placed.gres, j->placed.n_gres,
                                (uint32_t)(jn - j->placed.alloc), &n);
                m.job_gres = gres = gres_shares_text(fx->node, shares, n);
        }
        ENVELOPE(env, TERMINATE_JOB, terminate_job, &m);
        /* the environment is only known for the current run of the job */
        bool own = fx->epilog && j && fx->serial == job_incarnation(j);
        (void)tree_gather(ctl, (int)fx->kind, fx->job, own ? end_common(ctl, j) : NULL, fx->node,
                        &env);
}
