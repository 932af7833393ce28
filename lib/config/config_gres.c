/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gres.conf: the device files of nodes' generic resources. Only the controller reads the file and
 * sends each node its part. GresTypes and the nodes' Gres are in slurm.conf. */
#include "lib/bitset.h"
#include "lib/config/config_private.h"
#include "lib/gres.h"
#include "lib/timetext.h"

#include <strings.h>

#define FILES_MAX 1024  /* per line, and per kind on a node: as in Slurm */
#define CORES_MAX 65536 /* more than any node has */

static const struct {
        const char *flag;
        unsigned env;
} env_flags[] = {
        { "nvidia_gpu_env", GRES_ENV_NVIDIA },
        { "amd_gpu_env", GRES_ENV_AMD },
        { "opencl_env", GRES_ENV_OPENCL },
        { "intel_gpu_env", GRES_ENV_INTEL },
        { "no_gpu_env", GRES_ENV_NONE },
};

const char *const gres_detect_names[GRES_DETECT_MAX] = { "", "off", "nvml", "rsmi" };

/* Reads AutoDetect; refuses Slurm's methods that Slumber does not have. */
static int set_detect(struct gres_conf_line *l, const char *value, struct fail *fail) {
        for (int i = GRES_DETECT_OFF; i < GRES_DETECT_MAX; i++)
                if (strcasecmp(value, gres_detect_names[i]) == 0)
                        l->detect = (enum gres_detect)i;
        /* NVIDIA GPUs without NVML in Slurm; NVML finds them, too */
        if (strcasecmp(value, "nvidia") == 0)
                l->detect = GRES_DETECT_NVML;
        return l->detect ? 0
                         : fail_set(fail, -ENOTSUP,
                                           "AutoDetect=%.50s is not implemented by Slumber: nvml, "
                                           "rsmi or off was expected, "
                                           "or off with Name and File for each device",
                                           value);
}

static int gres_conf_line_set_flags(struct gres_conf_line *l, const char *value,
                struct fail *fail) {
        while (*value) {
                size_t n = strcspn(value, ","), i = 0;
                bool count_only = n == strlen("CountOnly") &&
                                  strncasecmp(value, "CountOnly", n) == 0;

                while (!count_only && i < ELEMENTSOF(env_flags) &&
                                (strlen(env_flags[i].flag) != n ||
                                                strncasecmp(env_flags[i].flag, value, n) != 0))
                        i++;
                if (!count_only && i == ELEMENTSOF(env_flags))
                        return fail_set(fail, -ENOTSUP, "Flags=%.*s is not implemented by Slumber",
                                        (int)MIN(n, (size_t)50), value);
                l->count_only |= count_only;
                l->env |= count_only ? 0 : env_flags[i].env;
                value += n + (value[n] == ',');
        }
        return 0;
}

/* Reads "/dev/nvidia[0-3],/dev/nvidia7". */
static int add_files(struct gres_conf_line *l, const char *value, struct fail *fail) {
        while (*value) {
                size_t n = 0, slash = 0;
                for (bool inside = false; value[n] && (inside || value[n] != ','); n++) {
                        inside = value[n] == '[' ? true : value[n] == ']' ? false : inside;
                        slash = value[n] == '/' ? n : slash;
                }
                if (*value != '/')
                        return fail_set(fail, -EINVAL, "File=%.*s is not an absolute path",
                                        (int)MIN(n, (size_t)100), value);
                _cleanup_free_ char *names = xstrndup(value + slash + 1, n - slash - 1);
                _cleanup_(hostlist_freep) struct hostlist *list = NULL;
                if (hostlist_parse(names, &list, fail) < 0)
                        return fail_prefix(fail, -EINVAL, "File");
                for (size_t i = 0; i < hostlist_count(list); i++) {
                        if (l->n_files == FILES_MAX)
                                return fail_set(fail, -E2BIG, "File: more than %d files",
                                                FILES_MAX);
                        l->files = xrenew(l->files, l->n_files + 1);
                        l->files[l->n_files++] = xasprintf("%.*s/%s", (int)slash, value,
                                        hostlist_get(list, i));
                }
                value += n + (value[n] == ',');
        }
        return 0;
}

static int gres_conf_line_set_count(struct gres_conf_line *l, const char *value,
                struct fail *fail) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;
        _cleanup_free_ char *text = xasprintf("x:%s", value);

        l->none = *value && !value[strspn(value, "0")];
        if (l->none) /* check_line() checks where Count=0 is allowed */
                return 0;
        if (gres_list_parse(text, GRES_CONFIGURED, &list, NULL) < 0 || !list || list->n != 1 ||
                        list->list[0].type)
                return fail_set(fail, -EINVAL,
                                "Count=%.100s: a number above 0 was expected, perhaps with K, M or G",
                                value);
        l->count = list->list[0].count;
        return 0;
}

/* Reads "0-7,16-23". */
static int set_cores(struct gres_conf_line *l, const char *value, struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *all = bitset_new(CORES_MAX);

        if (l->cores)
                return fail_set(fail, -EINVAL, "the line has cores already");
        if (bitset_parse(all, value) < 0 || bitset_empty(all))
                return fail_set(fail, -EINVAL,
                                "%.100s: numbers of cores were expected, such as 0-7,16-23", value);
        size_t last = 0;
        bitset_for_each(i, all)
                last = i;
        l->cores = bitset_new(last + 1);
        bitset_for_each(i, all)
                bitset_add(l->cores, i);
        return 0;
}

/* True for Cores and its older name. */
static bool is_cores(const char *key) {
        return strcasecmp(key, "Cores") == 0 || strcasecmp(key, "CPUs") == 0;
}

static int gres_conf_line_take_word(struct config *config, struct gres_conf_line *l,
                const struct config_line *line, const struct config_word *w, struct fail *fail) {
        if (strcasecmp(w->key, "NodeName") == 0)
                return l->nodes ? fail_set(fail, -EINVAL, "NodeName stands twice on the line")
                                : hostlist_parse(w->value, &l->nodes, fail);
        if (strcasecmp(w->key, "Name") == 0)
                free_and_strdup(&l->name, w->value);
        else if (strcasecmp(w->key, "Type") == 0)
                free_and_strdup(&l->type, w->value);
        else if (strcasecmp(w->key, "Count") == 0)
                return gres_conf_line_set_count(l, w->value, fail);
        else if (strcasecmp(w->key, "File") == 0)
                return add_files(l, w->value, fail);
        else if (strcasecmp(w->key, "Flags") == 0)
                return gres_conf_line_set_flags(l, w->value, fail);
        else if (strcasecmp(w->key, "AutoDetect") == 0)
                return set_detect(l, w->value, fail);
        else if (strcasecmp(w->key, "MultipleFiles") == 0)
                return fail_set(fail, -ENOTSUP, "MultipleFiles is not implemented by Slumber");
        else if (is_cores(w->key))
                return set_cores(l, w->value, fail);
        else if (strcasecmp(w->key, "Links") == 0)
                config_warn(config, line->file, w->line, "%s is not used by Slumber", w->key);
        else
                return fail_set(fail, -EINVAL, "gres.conf has no such key");
        return 0;
}

static void gres_conf_line_done(struct gres_conf_line *l) {
        hostlist_free(l->nodes);
        free(l->name);
        free(l->type);
        texts_free(l->files, l->n_files);
        bitset_free(l->cores);
        free(l->where);
}

/* Checks a line of shards: File= is the GPU with Count= shards; Type and Cores are the GPU's. */
static int check_shards(const struct gres_conf_line *l, struct fail *fail) {
        if (l->n_files > 1)
                return fail_set(fail, -EINVAL,
                                "Name=%s: one File= was expected on a line, that of the GPU "
                                "which has Count= %s",
                                l->name, streq(l->name, "mps") ? "mps" : "shards");
        if (l->none && !l->n_files)
                return fail_set(fail, -EINVAL, "Name=%s: Count=0 wants the File= of a GPU",
                                l->name);
        return 0;
}

/* Returns whether list ("a,b", any case; may be NULL) has the word. */
static bool word_in_list(const char *list, const char *word) {
        return list && option_has(list, word);
}

static int check_line(const struct gres_conf_line *l, const struct config *config,
                struct fail *fail) {
        if (!l->name)
                return l->type || l->count || l->n_files || l->cores
                                       ? fail_set(fail, -EINVAL, "Name= is missing")
                                       : 0;
        if (!word_in_list(config->gres_types, l->name))
                return fail_set(fail, -EINVAL, "Name=%.50s is not in GresTypes of slurm.conf",
                                l->name);
        if (gres_is_shard(l->name))
                return check_shards(l, fail);
        if (l->none)
                return fail_set(fail, -EINVAL,
                                "Count=0: a number above 0 was expected, perhaps with K, M or G");
        if (l->n_files && l->count && l->count != l->n_files)
                return fail_set(fail, -EINVAL, "Count=%llu does not go with %zu files",
                                (unsigned long long)l->count, l->n_files);
        if (l->cores && l->count > FILES_MAX)
                return fail_set(fail, -EINVAL,
                                "Cores= does not go with Count=%llu: %d at most were expected",
                                (unsigned long long)l->count, FILES_MAX);
        return 0;
}

static int gres_conf_take_line(struct config_line *line, void *user, struct fail *fail) {
        struct config *config = user;
        struct gres_conf_line l = { 0 };
        size_t i = 0;
        int r = 0;

        for (; r >= 0 && i < line->n; i++)
                r = gres_conf_line_take_word(config, &l, line, &line->words[i], fail);
        if (r < 0)
                fail_prefix(fail, r, "%s line %u: %.50s", line->file, line->words[i - 1].line,
                                line->words[i - 1].key);
        else if ((r = check_line(&l, config, fail)) < 0)
                fail_prefix(fail, r, "%s line %u", line->file, line->words[0].line);
        if (r < 0 || (!l.name && !l.detect)) {
                gres_conf_line_done(&l);
                return r;
        }
        if (!l.name)
                l.name = xstrdup("");
        if (!l.count && !l.none && (!l.n_files || gres_is_shard(l.name)))
                l.count = 1;
        if (gres_is_shard(l.name))
                l.cores = bitset_free(l.cores);
        l.where = xasprintf("%s line %u", line->file, line->words[0].line);
        config->gres_cores |= l.cores != NULL;
        config->gres_lines = xrenew(config->gres_lines, config->n_gres_lines + 1);
        config->gres_lines[config->n_gres_lines++] = l;
        return 0;
}

void gres_conf_done(struct config *config) {
        for (size_t i = 0; i < config->n_gres_lines; i++)
                gres_conf_line_done(&config->gres_lines[i]);
        free(TAKE(config->gres_lines));
        config->n_gres_lines = 0;
}

/* ---- a node's part ---- */

/* A line for the node overrides a line for all nodes. */
enum gres_detect config_gres_detect(const struct config *config, const char *node) {
        enum gres_detect all = GRES_DETECT_OFF;

        for (size_t i = 0; i < config->n_gres_lines; i++) {
                const struct gres_conf_line *l = &config->gres_lines[i];
                if (l->detect && l->nodes && hostlist_has(l->nodes, node))
                        return l->detect;
                if (l->detect && !l->nodes)
                        all = l->detect;
        }
        return all;
}

/* Returns the default variables for GPUs: those of the vendor if detected, else all. */
static unsigned env_of(const struct config *config, const char *node) {
        switch (config_gres_detect(config, node)) {
        case GRES_DETECT_NVML:
                return GRES_ENV_NVIDIA | GRES_ENV_OPENCL;
        case GRES_DETECT_RSMI:
                return GRES_ENV_AMD | GRES_ENV_OPENCL;
        case GRES_DETECT_UNSAID:
        case GRES_DETECT_OFF:
        case GRES_DETECT_MAX:
                break;
        }
        return GRES_ENV_NVIDIA | GRES_ENV_AMD | GRES_ENV_OPENCL | GRES_ENV_INTEL;
}

static bool gres_conf_line_means(const struct gres_conf_line *l, const char *node,
                const struct gres_item *item) {
        return (!l->nodes || hostlist_has(l->nodes, node)) && streq(l->name, item->name) &&
               (!item->type || !l->type || streq(l->type, item->type) || gres_is_shard(l->name));
}

static bool gres_file_is_taken(const struct gres_device *devices, size_t n, const char *file) {
        for (size_t i = 0; i < n; i++)
                for (size_t k = 0; k < devices[i].n_files; k++)
                        if (streq(devices[i].files[k], file))
                                return true;
        return false;
}

static bool has_file(const struct gres_conf_line *l, const char *file) {
        for (size_t i = 0; i < l->n_files; i++)
                if (streq(l->files[i], file))
                        return true;
        return false;
}

/* Sets the cores near each unit: units with files first, in order of the files; then units without,
   in order of the lines. */
static void gres_device_find_near(const struct config *config, const char *node,
                const struct gres_item *item, struct gres_device *d) {
        if (!config->gres_cores || item->count > FILES_MAX)
                return;
        d->near = xnew0(const struct bitset *, item->count);
        uint64_t at = d->n_files;
        for (size_t i = 0; i < config->n_gres_lines; i++) {
                const struct gres_conf_line *l = &config->gres_lines[i];
                if (!gres_conf_line_means(l, node, item))
                        continue;
                for (size_t k = 0; k < d->n_files && l->n_files; k++)
                        if (!d->near[k] && has_file(l, d->files[k]))
                                d->near[k] = l->cores;
                for (uint64_t k = 0; k < l->count && !l->n_files && at < item->count; k++)
                        d->near[at++] = l->cores;
        }
}

static void gres_device_find(const struct config *config, const char *node,
                const struct gres_item *item, struct gres_device *all, size_t n) {
        struct gres_device *d = &all[n];
        bool named = false;

        for (size_t i = 0; i < config->n_gres_lines; i++) {
                const struct gres_conf_line *l = &config->gres_lines[i];
                if (!gres_conf_line_means(l, node, item))
                        continue;
                named = true;
                d->env |= l->env ? l->env : env_of(config, node);
                d->count += l->n_files ? 0 : l->count;
                for (size_t k = 0; k < l->n_files && d->n_files < item->count; k++) {
                        if (gres_file_is_taken(all, n + 1, l->files[k]))
                                continue;
                        d->files = xrenew(d->files, d->n_files + 1);
                        d->files[d->n_files++] = l->files[k];
                }
        }
        d->count += d->n_files;
        gres_device_find_near(config, node, item, d);
        if (named)
                return;
        if (!streq(item->name, "gpu")) /* only counted: the count of slurm.conf */
                d->count = item->count;
        else if (config_gres_detect(config, node) > GRES_DETECT_OFF) { /* as many as are detected */
                d->count = item->count;
                d->env = env_of(config, node);
        }
}

/* True if shards of that type are parts of the GPU item. */
static bool gres_gpu_has_shards(const struct gres_item *gpu, const struct gres_item *shards) {
        return streq(gpu->name, "gpu") &&
               (!shards->type || (gpu->type && streq(gpu->type, shards->type)));
}

/* Returns the shards of a GPU by lines with File=. *ret_any: such lines exist, and GPUs without a
   line have no shards. */
static uint64_t shards_of_file(const struct config *config, const char *node,
                const struct gres_item *item, const char *file, bool *ret_any) {
        uint64_t count = 0;

        for (size_t i = 0; i < config->n_gres_lines; i++) {
                const struct gres_conf_line *l = &config->gres_lines[i];
                if (!l->n_files || !gres_conf_line_means(l, node, item))
                        continue;
                *ret_any = true;
                if (file && has_file(l, file))
                        count += l->count;
        }
        return count;
}

/* Distributes shards to GPUs: by file, or evenly, the first GPUs taking the remainder. */
static void find_shards(const struct config *config, const char *node, const struct gres_list *has,
                struct gres_device *all, size_t at) {
        const struct gres_item *item = &has->list[at];
        struct gres_device *d = &all[at];
        uint64_t gpus = 0, n = 0, left = item->count, eligible = 0;
        bool by_file = false;

        for (size_t i = 0; i < has->n; i++) {
                gpus += streq(has->list[i].name, "gpu") ? has->list[i].count : 0;
                eligible += gres_gpu_has_shards(&has->list[i], item) ? has->list[i].count : 0;
        }
        d->n_shards = (size_t)MIN(gpus, (uint64_t)FILES_MAX);
        d->shards = xnew0(uint32_t, d->n_shards + 1);
        (void)shards_of_file(config, node, item, NULL, &by_file);
        for (size_t i = 0, nth = 0; i < has->n; i++)
                for (uint64_t k = 0; k < has->list[i].count && streq(has->list[i].name, "gpu") &&
                                     n < d->n_shards;
                                k++, n++) {
                        if (!gres_gpu_has_shards(&has->list[i], item))
                                continue;
                        const char *file = k < all[i].n_files ? all[i].files[k] : NULL;
                        uint64_t even = item->count / eligible + (nth++ < item->count % eligible);
                        uint64_t count = by_file ? shards_of_file(config, node, item, file,
                                                                   &by_file)
                                                 : even;
                        d->shards[n] = (uint32_t)MIN(count, left);
                        left -= d->shards[n];
                }
        d->count = item->count - left;
}

struct gres_device *config_gres_devices(const struct config *config, const char *node,
                const struct gres_list *has) {
        size_t n = has ? has->n : 0;
        struct gres_device *devices = xnew0(struct gres_device, n + 1);

        for (size_t i = 0; i < n; i++)
                if (!gres_is_shard(has->list[i].name))
                        gres_device_find(config, node, &has->list[i], devices, i);
        for (size_t i = 0; i < n; i++)
                if (gres_is_shard(has->list[i].name))
                        find_shards(config, node, has, devices, i);
        return devices;
}

void gres_devices_free(struct gres_device *devices, size_t n) {
        for (size_t i = 0; i < n; i++) {
                free(devices[i].files);
                free(devices[i].near);
                free(devices[i].shards);
        }
        free(devices);
}

/* ---- slurm.conf ---- */

/* Checks that the node has GPUs for its shards, and not too many of either. */
static int check_node_shards(const struct config_node *node, const struct gres_list *has,
                struct fail *fail) {
        uint64_t gpus = 0, shards = 0;
        const char *kind = NULL;

        for (size_t i = 0; i < has->n; i++)
                gpus = streq(has->list[i].name, "gpu")
                                       ? MIN(gpus + has->list[i].count, UINT64_MAX / 2)
                                       : gpus;
        for (size_t i = 0; i < has->n; i++) {
                const struct gres_item *item = &has->list[i];
                size_t k = 0;
                if (!gres_is_shard(item->name))
                        continue;
                while (k < has->n && !gres_gpu_has_shards(&has->list[k], item))
                        k++;
                if (k == has->n)
                        return fail_set(fail, -EINVAL,
                                        "NodeName=%s Gres=%.100s: %s%s%s wants gpu%s%s, of "
                                        "which it is a part",
                                        node->name, node->gres, item->name, item->type ? ":" : "",
                                        strempty(item->type), item->type ? ":" : "",
                                        strempty(item->type));
                if (kind && !streq(kind, item->name))
                        return fail_set(fail, -EINVAL,
                                        "NodeName=%s Gres=%.100s: the GPUs of a node have either "
                                        "shard or mps",
                                        node->name, node->gres);
                kind = item->name;
                shards = MIN(shards + item->count, UINT64_MAX / 2);
                if (shards > GRES_SHARDS_MAX || gpus > FILES_MAX)
                        return fail_set(fail, -E2BIG,
                                        "NodeName=%s Gres=%.100s: %d shards of %d GPUs are the "
                                        "most that a node may have",
                                        node->name, node->gres, GRES_SHARDS_MAX, FILES_MAX);
        }
        return 0;
}

static int gres_node_check(const struct config *config, const struct config_node *node,
                struct fail *fail) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;
        int r = gres_list_parse(strempty(node->gres), GRES_CONFIGURED, &list, fail);

        for (size_t i = 0; r >= 0 && list && i < list->n; i++) {
                if (!word_in_list(config->gres_types, list->list[i].name))
                        return fail_set(fail, -EINVAL,
                                        "NodeName=%s Gres=%.100s: %s is not in GresTypes",
                                        node->name, node->gres, list->list[i].name);
        }
        if (r >= 0 && list)
                r = check_node_shards(node, list, fail);
        return r;
}

/* Checks that the node has the cores named by its lines, and not too many different core sets. */
static int gres_node_check_cores(const struct config *config, const struct config_node *node,
                const struct gres_list *has, struct fail *fail) {
        uint32_t cores = node->boards * node->sockets * node->cores;
        const struct bitset *seen[GRES_NEAR_MAX];
        size_t n = 0;

        if (cores == 0 || node->cpus % cores)
                cores = node->cpus;
        for (size_t i = 0; i < config->n_gres_lines; i++) {
                const struct gres_conf_line *l = &config->gres_lines[i];
                bool meant = false;
                for (size_t k = 0; l->cores && k < has->n && !meant; k++)
                        meant = gres_conf_line_means(l, node->name, &has->list[k]);
                for (size_t k = 0; k < n && meant; k++)
                        meant = l->cores->bits != seen[k]->bits || !bitset_equal(l->cores, seen[k]);
                if (!meant)
                        continue;
                _cleanup_free_ char *text = bitset_text(l->cores);
                if (l->cores->bits > cores)
                        return fail_set(fail, -EINVAL,
                                        "%s: Cores=%.100s: node %s has %u cores, numbers from 0 to %u were expected",
                                        l->where, text, node->name, cores, cores - 1);
                if (n == GRES_NEAR_MAX)
                        return fail_set(fail, -E2BIG,
                                        "%s: Cores=%.100s: node %s has more than %d different ones",
                                        l->where, text, node->name, GRES_NEAR_MAX);
                seen[n++] = l->cores;
        }
        return 0;
}

static int check_node_cores(const struct config *config, const struct config_node *node,
                struct fail *fail) {
        _cleanup_(gres_list_freep) struct gres_list *has = NULL;
        int r = gres_list_parse(strempty(node->gres), GRES_CONFIGURED, &has, fail);

        return r >= 0 && has ? gres_node_check_cores(config, node, has, fail) : r;
}

static int check_all_cores(const struct config *config, struct fail *fail) {
        int r = 0;

        for (size_t i = 0; r >= 0 && i < config->n_nodes && config->gres_cores; i++)
                r = check_node_cores(config, &config->nodes[i], fail);
        return r;
}

/* True if two lines disagree about AutoDetect= of a node; *ret: the node, or "all". */
static bool detect_differs(const struct gres_conf_line *a, const struct gres_conf_line *b,
                const char **ret) {
        if (!a->detect || !b->detect || a->detect == b->detect || !a->nodes != !b->nodes)
                return false;
        *ret = a->nodes ? NULL : "all";
        for (size_t i = 0; a->nodes && i < hostlist_count(a->nodes) && !*ret; i++)
                if (hostlist_has(b->nodes, hostlist_get(a->nodes, i)))
                        *ret = hostlist_get(a->nodes, i);
        return *ret;
}

/* True if the line's GPUs need a File=: neither detected nor count_only. */
static bool wants_file(const struct config *config, const struct gres_conf_line *l) {
        if (l->n_files || l->count_only || !streq(l->name, "gpu"))
                return false;
        for (size_t i = 0; i < config->n_nodes; i++)
                if ((!l->nodes || hostlist_has(l->nodes, config->nodes[i].name)) &&
                                config_gres_detect(config, config->nodes[i].name) <=
                                                GRES_DETECT_OFF)
                        return true;
        return false;
}

static int check_detection(const struct config *config, struct fail *fail) {
        for (size_t i = 0; i < config->n_gres_lines; i++) {
                const struct gres_conf_line *l = &config->gres_lines[i];
                const char *node;
                if (wants_file(config, l))
                        return fail_set(fail, -EINVAL,
                                        "%s: Name=gpu wants File=, Flags=CountOnly or AutoDetect=",
                                        l->where);
                for (size_t k = 0; k < i; k++)
                        if (detect_differs(&config->gres_lines[k], l, &node))
                                return fail_set(fail, -EINVAL,
                                                "%s: AutoDetect=%s: node %s has AutoDetect=%s "
                                                "already",
                                                l->where, gres_detect_names[l->detect], node,
                                                gres_detect_names[config->gres_lines[k].detect]);
        }
        return 0;
}

int config_check_node_gres(const struct config *config, const struct config_node *node,
                struct fail *fail) {
        int r = node->gres ? gres_node_check(config, node, fail) : 0;

        return r >= 0 && config->gres_cores ? check_node_cores(config, node, fail) : r;
}

int gres_conf_parse(struct config *config, const char *name, const char *text, size_t size,
                struct fail *fail) {
        int r = config_lines(name, NULL, text, size, gres_conf_take_line, config, fail);

        r = r < 0 ? r : check_detection(config, fail);
        return r < 0 ? r : check_all_cores(config, fail);
}

int config_check_gres(struct config *config, struct fail *fail) {
        const char *last = NULL;
        int failed = 0;

        for (size_t i = 0; i < config->n_nodes; i++) {
                const char *gres = config->nodes[i].gres;
                bool other = gres &&
                             /* most nodes equal the preceding one */
                             !(last && streq(last, gres));
                int r = other ? gres_node_check(config, &config->nodes[i], fail) : 0;
                last = gres;
                if (r < 0 && (!fail || !fail->all))
                        return r;
                if (r < 0) {
                        _cleanup_free_ char *place = config_place(config, fail->text);
                        failed = fail_prefix(fail, r, "%s", place);
                        (void)fail_keep(fail);
                }
        }
        return failed < 0 ? failed : check_all_cores(config, fail);
}
