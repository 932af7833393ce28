/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes of a job, sharing with other jobs, and distribution of tasks. */
#include "commands/jobspec/jobspec_rows.h"

#include "lib/timetext.h"

#include <strings.h>

static int set_share(struct job_options *o, Slumber__Share share) {
        o->share = share;
        return 0;
}

static int option_set_exclusive(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;

        o->says_exclusive = true;
        if (!value || streq(value, "exclusive"))
                return set_share(o, SLUMBER__SHARE__SHARE_NO);
        if (strcasecmp(value, "user") == 0)
                return set_share(o, SLUMBER__SHARE__SHARE_USER);
        if (strcasecmp(value, "mcs") == 0)
                return set_share(o, SLUMBER__SHARE__SHARE_MCS);
        if (strcasecmp(value, "topo") == 0)
                return job_option_later("--exclusive=topo", fail);
        return job_option_invalid("exclusive", fail);
}

static int option_set_oversubscribe(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;

        o->says_oversubscribe = true;
        return set_share(o, SLUMBER__SHARE__SHARE_YES);
}

/* Sets "1[@5:00]". */
static int option_set_switches(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;
        const char *at = strchrnul(value, '@');
        _cleanup_free_ char *count = xstrndup(value, (size_t)(at - value));
        uint64_t n;

        if (uint_parse(count, 1, UINT32_MAX, &n) < 0)
                return fail_set(fail, -EDOM, "Invalid numeric value \"%.50s\" for --switches.",
                                value);
        if (*at && duration_parse(at + 1, &o->switch_wait, NULL) < 0)
                return job_option_invalid("switches", fail);
        o->switches = (uint32_t)n;
        return 0;
}

int job_options_switch_wait(struct job_options *o, const char *value, struct fail *fail) {
        if (duration_parse(value, &o->switch_wait, NULL) < 0)
                return fail_set(fail, -EINVAL, "\"%.100s\" is not a time", value);
        return 0;
}

static int option_set_batch(void *field, const char *value, struct fail *fail) {
        if (isempty(value))
                return fail_set(fail, -EINVAL, "Invalid --batch specification");
        *(const char **)field = value;
        return 0;
}

static int option_set_wait_all_nodes(void *field, const char *value, struct fail *fail) {
        if (isempty(value) || strspn(value, "0123456789") != strlen(value))
                return fail_set(fail, -EDOM,
                                "Invalid numeric value \"%.50s\" for --wait-all-nodes.", value);
        if (!streq(value, "0") && !streq(value, "1"))
                return job_option_invalid("wait-all-nodes", fail);
        *(uint32_t *)field = *value == '1' ? 1 : 2;
        return 0;
}

static int option_set_nodefile(void *field, const char *value, struct fail *fail) {
        return job_node_file(field, value, "nodefile", fail);
}

/* A value with a slash is a file: node names have none. */
static int option_set_nodelist(void *field, const char *value, struct fail *fail) {
        if (strchr(value, '/'))
                return job_node_file(field, value, "nodelist", fail) < 0 ? -EDOM : 0;
        *(const char **)field = value;
        return 0;
}

static int option_set_exclude(void *field, const char *value, struct fail *fail) {
        if (strchr(value, '/'))
                return job_names_file(field, value, "exclude", fail) < 0 ? -EDOM : 0;
        *(const char **)field = value;
        return 0;
}

/* Sets the first word: distribution over nodes. */
static int set_node_distribution(struct job_options *o, const char *word, struct fail *fail) {
        uint64_t plane;

        o->cyclic = strcasecmp(word, "cyclic") == 0;
        o->plane = 0;
        o->arbitrary = strcasecmp(word, "arbitrary") == 0;
        if (o->arbitrary || o->cyclic || strcasecmp(word, "block") == 0 || streq(word, "*"))
                return 0;
        const char *size = strncasecmp(word, "plane=", 6) == 0 ? word + 6
                           : strcasecmp(word, "plane") == 0    ? getenv("SLURM_DIST_PLANESIZE")
                                                               : NULL;
        if (!size || uint_parse(size, 1, UINT32_MAX / 2, &plane) < 0)
                return job_option_invalid("distribution", fail);
        o->plane = (uint32_t)plane;
        return 0;
}

static const char *const part_words[] = { "*", "block", "cyclic", "fcyclic" };

/* Sets the other words, modifying words: distribution over sockets of a node, and over cores of
   a socket. */
static int set_node_parts(struct job_options *o, char *words, struct fail *fail) {
        uint32_t *const fields[] = { &o->socket_distribution, &o->core_distribution };
        const char *word;

        for (size_t i = 0; (word = strsep(&words, ":")); i++) {
                uint32_t k = 0;
                while (k < ELEMENTSOF(part_words) && strcasecmp(word, part_words[k]) != 0)
                        k++;
                if (i == ELEMENTSOF(fields) || k == ELEMENTSOF(part_words))
                        return job_option_invalid("distribution", fail);
                *fields[i] = k;
        }
        return 0;
}

/* Returns the distribution as shown to jobs, with "parts" words after the first: "*" becomes the
 * default, lower case. */
static const char *distribution_text(const struct job_options *o, size_t parts) {
        const char *sockets = part_words[o->socket_distribution ? o->socket_distribution : 2];
        const char *cores = o->core_distribution ? part_words[o->core_distribution] : sockets;
        char nodes[32];

        if (o->plane)
                snprintf(nodes, sizeof nodes, "plane=%u", o->plane);
        else
                snprintf(nodes, sizeof nodes, "%s",
                                o->arbitrary ? "arbitrary"
                                : o->cyclic  ? "cyclic"
                                             : "block");
        return job_option_keep(xasprintf("%s%s%s%s%s%s", nodes, parts > 0 ? ":" : "",
                        parts > 0 ? sockets : "", parts > 1 ? ":" : "", parts > 1 ? cores : "",
                        o->pack == 1   ? ",pack"
                        : o->pack == 2 ? ",nopack"
                                       : ""));
}

static uint32_t pack_of(const char *word) {
        return strcasecmp(word, "pack") == 0 ? 1 : strcasecmp(word, "nopack") == 0 ? 2 : 0;
}

/* Handles "Pack" or "NoPack" alone: other parts keep defaults. */
static bool set_pack_alone(struct job_options *o, const char *value) {
        uint32_t pack = pack_of(value);

        if (!pack)
                return false;
        o->pack = pack;
        o->cyclic = o->arbitrary = false;
        o->plane = o->socket_distribution = o->core_distribution = 0;
        o->distribution = pack == 1 ? "pack" : "nopack";
        return true;
}

/* Sets "block|cyclic|plane=4[:block|cyclic|fcyclic[:block|cyclic|fcyclic]][,Pack|NoPack]",
   "Pack|NoPack", "arbitrary". */
static int option_set_distribution(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;
        size_t whole = strcspn(value, ","), first = MIN(strcspn(value, ":"), whole);
        _cleanup_free_ char *nodes = xstrndup(value, first);
        _cleanup_free_ char *parts = first < whole ? xstrndup(value + first + 1, whole - first - 1)
                                                   : NULL;
        const char *pack = value[whole] ? value + whole + 1 : NULL;
        int r = 0;

        if (set_pack_alone(o, value))
                return 0;
        o->pack = pack ? pack_of(pack) : 0;
        if (pack && !o->pack)
                return job_option_invalid("distribution", fail);
        o->socket_distribution = o->core_distribution = 0;
        r = set_node_distribution(o, nodes, fail);
        if (r >= 0 && o->arbitrary && (parts || pack))
                return job_option_invalid("distribution", fail);
        size_t n = !parts ? 0 : strchr(parts, ':') ? 2 : 1;
        if (r >= 0 && parts)
                r = set_node_parts(o, parts, fail);
        if (r >= 0)
                o->distribution = distribution_text(o, n);
        return r;
}

static int option_set_delay_boot(void *field, const char *value, struct fail *fail) {
        usec_t delay;

        if (limit_parse(value, &delay, NULL) < 0 || delay == NO_LIMIT)
                return job_option_invalid("delay-boot", fail);
        *(uint64_t *)field = MAX(delay, (usec_t)1); /* 0 would mean the cluster's default */
        return 0;
}

/* clang-format off */
const struct job_row job_rows_place[] = {
        CALL(JOB_SBATCH | ENV(JOB_SBATCH), "batch", 0, WIRE(batch_features), option_set_batch, "list",
             "features of the node that the script runs on"),
        TEXT(ALL | CARRIED, "cluster", 0, clusters, "names", NULL),
        TEXT(ALL | ENV(JOB_SBATCH | JOB_SALLOC) | CARRIED, "clusters", 'M', clusters, "names", "sbatch: on that of these clusters, or of all, where it can start first"),
        WIRE_TEXT(ALL | ENV(ALL), "constraint", 'C', features, "list", "features that its nodes must have"),
        WIRE_FLAG(ALL | NO_STEP, "contiguous", 0, contiguous, "nodes that are neighbours"),
        CALL(ALL | ENV(ALL) | NO_STEP | CARRIED, "delay-boot", 0, WIRE(delay_boot), option_set_delay_boot, "minutes", "no reboot of a node for its features before it has waited so long"),
        CALL(ALL | ENV(BOTH), "distribution", 'm', 0, option_set_distribution, "how", "block, cyclic, plane=N or arbitrary: how tasks go to nodes; then :block, :cyclic or :fcyclic to sockets, and to cores; pack or nopack behind it, or alone"),
        CALL(ALL | CARRIED, "exclude", 'x', AT(exclude), option_set_exclude, "nodes|path", "nodes that it must not get; with a slash a file of their names"),
        CALL_OPT(ALL, "exclusive", 0, 0, option_set_exclusive, "user|mcs", "no other job on its nodes; none of another user, of another MCS label"),
        WIRE_TEXT(ALL | NO_STEP | CARRIED, "mcs-label", 0, mcs_label, "label", "one of MCSPlugin's labels"),
        CALL(ALL, "nodefile", 'F', AT(nodelist), option_set_nodefile, "file", "as --nodelist, names in a file"),
        CALL(ALL, "nodelist", 'w', AT(nodelist), option_set_nodelist, "nodes|path", "nodes that it must get; with a slash a file of their names"),
        CALL_FLAG(ALL, "oversubscribe", 's', 0, option_set_oversubscribe, "other jobs may use the same CPUs"),
        WIRE_TEXT(ALL | NO_STEP | CARRIED, "prefer", 0, prefer, "list", "features that its nodes should have, if there are such"),
        WIRE_FLAG(ALL | NO_STEP | CARRIED, "reboot", 0, reboot, "its nodes are rebooted before it starts; for administrators"),
        CALL_FLAG(ALL, "share", 0, 0, option_set_oversubscribe, NULL),
        WIRE_FLAG(ALL | ENV(ALL) | NO_STEP, "spread-job", 0, spread_job, "over as many nodes as possible, tasks evenly"),
        CALL(ALL | NO_STEP, "switches", 0, 0, option_set_switches, "count[@time]", "on so many leaf switches at most, or wait so long"),
        CALL(ALL | ENV(JOB_SBATCH | JOB_SALLOC) | CARRIED, "wait-all-nodes", 0, WIRE(wait_all_nodes), option_set_wait_all_nodes, "0|1", "start when all nodes are up"),

        NEVER_ARG(ALL | CARRIED, "cluster-constraint", 0, "there are no federations of clusters"),
        NEVER_ARG(ALL | ENV(ALL), "network", 0, "no switch of a network is programmed"),
        NEVER_ARG(ALL | ENV(ALL), "power", 0, "Slurm has dropped it"),
        NEVER_ARG(ALL, "segment", 0, "there is no topology/block"),
};
/* clang-format on */
const size_t n_job_rows_place = ELEMENTSOF(job_rows_place);
