/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of PBS and LSF: a table of letters for each says which option of sbatch a letter means
 * and how its value is converted. Letters in the table without an option, and letters in no table,
 * are reported to the caller as not read. */
#include "commands/submit/script_foreign.h"

#include "lib/timetext.h"
#include "lib/wordlist.h"

#include <ctype.h>
#include <sys/stat.h>

struct reading {
        const struct option_table *table;
        void *to;
        void (*not_read)(const char *text, void *user);
        void *user;
        struct script_line *line;
        const char *letter; /* "-l" */
        struct fail *fail;
};

struct letter {
        const char *word;   /* "-l", "-cwd" */
        bool alone;         /* takes no value */
        const char *option; /* NULL: value() sets options itself; with value NULL: not read */
        /* Returns the value for the option, which the caller frees; NULL: options are already
           set, or *ret < 0 with fail. */
        char *(*value)(struct reading *r, const char *value, int *ret);
};

/* Sets an option of sbatch. Options borrow their texts, so the line keeps a copy. */
static int foreign_option_set(struct reading *r, const char *option, const char *value) {
        struct script_line *line = r->line;

        if (value) {
                line->kept = xrenew(line->kept, line->n_kept + 1);
                value = line->kept[line->n_kept++] = xstrdup(value);
        }
        return options_set(r->table, option, value, r->to, r->fail);
}

/* ---- PBS ---- */

/* Converts "100mb" or "2gb" to Slurm's suffixes; a number without a unit is in MB. */
static char *plain_size(const char *value) {
        size_t n = strlen(value);

        if (n > 2 && tolower((unsigned char)value[n - 1]) == 'b' &&
                        isalpha((unsigned char)value[n - 2]))
                n--;
        return xstrndup(value, n);
}

static int pbs_size_set(struct reading *r, const char *option, const char *value) {
        _cleanup_free_ char *size = plain_size(value);

        return foreign_option_set(r, option, size);
}

static int foreign_number_set(struct reading *r, const char *option, uint64_t n) {
        char text[24];

        snprintf(text, sizeof text, "%llu", (unsigned long long)n);
        return foreign_option_set(r, option, text);
}

/* The value of -l nodes=: parts of COUNT or NAME, then :ppn=N, :gpus=N, and properties, which
   are features. */
struct chunk {
        uint64_t nodes, per_node; /* of all parts */
        uint64_t tasks, gpus;
        char *names, *features;
};

static int foreign_number_read(const struct reading *r, const char *text, uint64_t *ret) {
        return uint_parse(text, 1, 1000000, ret) < 0
                               ? fail_set(r->fail, -EINVAL, "Invalid number \"%.100s\"", text)
                               : 0;
}

static int chunk_part_read(const struct reading *r, char *part, struct chunk *c) {
        char *rest = NULL, *word = strtok_r(part, ":", &rest);
        uint64_t nodes = 1, per_node = 1;
        int ret = 0;

        if (!word)
                return fail_set(r->fail, -EINVAL, "Invalid node specification");
        if (uint_parse(word, 1, 1000000, &nodes) < 0)
                text_add_word(&c->names, ",", "%s", word);
        while (ret >= 0 && (word = strtok_r(NULL, ":", &rest))) {
                if (strncmp(word, "ppn=", 4) == 0)
                        ret = foreign_number_read(r, word + 4, &per_node);
                else if (strncmp(word, "gpus=", 5) == 0)
                        ret = foreign_number_read(r, word + 5, &c->gpus);
                else
                        text_add_word(&c->features, "&", "%s", word);
        }
        c->nodes += nodes;
        c->tasks += nodes * per_node;
        c->per_node = MAX(c->per_node, per_node);
        return ret;
}

static int set_chunk(struct reading *r, const struct chunk *c) {
        int ret = foreign_number_set(r, "nodes", c->nodes);

        if (ret >= 0 && c->names)
                ret = foreign_option_set(r, "nodelist", c->names);
        if (ret >= 0 && c->per_node > 1)
                ret = foreign_number_set(r, "ntasks", c->tasks);
        if (ret >= 0 && c->gpus) {
                _cleanup_free_ char *gres = xasprintf("gpu:%llu", (unsigned long long)c->gpus);
                ret = foreign_option_set(r, "gres", gres);
        }
        return ret >= 0 && c->features ? foreign_option_set(r, "constraint", c->features) : ret;
}

static int pbs_nodes_set(struct reading *r, const char *option, const char *value) {
        struct chunk c = { 0 };
        int ret = 0;

        (void)option;
        if (!*value)
                return fail_set(r->fail, -EINVAL, "Invalid node specification");
        for_each_word(part, value, "+")
                if ((ret = chunk_part_read(r, part, &c)) < 0)
                        break;
        if (ret >= 0)
                ret = set_chunk(r, &c);
        free(c.names);
        free(c.features);
        return ret;
}

static int pbs_tasks_per_node_set(struct reading *r, const char *option, const char *value) {
        int ret = foreign_option_set(r, option, value);

        return ret < 0 ? ret : foreign_option_set(r, "mincpus", value);
}

static int set_gpus(struct reading *r, const char *option, const char *value) {
        _cleanup_free_ char *gres = xasprintf("gpu:%s", streq(value, "true") ? "1" : value);

        return foreign_option_set(r, option, gres);
}

/* Handles "2:ncpus=4:mem=2gb": a number of nodes, then resources of each node. */
static int set_select(struct reading *r, const char *option, const char *value);

static const struct resource {
        const char *name, *option;
        int (*set)(struct reading *r, const char *option, const char *value);
} resources[] = {
        /* resources of -l */
        { "walltime", "time", foreign_option_set },
        { "cput", "time", foreign_option_set },
        { "pcput", "time", foreign_option_set },
        { "nodes", "nodes", pbs_nodes_set },
        { "select", "nodes", set_select },
        { "ncpus", "mincpus", foreign_option_set },
        { "mpiprocs", "ntasks-per-node", pbs_tasks_per_node_set },
        { "mem", "mem", pbs_size_set },
        { "file", "tmp", pbs_size_set },
        { "nice", "nice", foreign_option_set },
        { "proc", "constraint", foreign_option_set },
        { "naccelerators", "gres", set_gpus },
        { "accelerator", "gres", set_gpus },
        { "ngpus", "gres", set_gpus },
};

static int set_resource(struct reading *r, const char *word) {
        const char *equals = strchr(word, '=');
        _cleanup_free_ char *text = xasprintf("%s %s", r->letter, word);

        for (size_t i = 0; equals && i < ELEMENTSOF(resources); i++)
                if (strncmp(word, resources[i].name, (size_t)(equals - word)) == 0 &&
                                strlen(resources[i].name) == (size_t)(equals - word))
                        return resources[i].set(r, resources[i].option, equals + 1);
        r->not_read(text, r->user);
        return 0;
}

static int set_select(struct reading *r, const char *option, const char *value) {
        _cleanup_free_ char *copy = xstrdup(value);
        char *rest = NULL, *word = strtok_r(copy, ":", &rest);
        uint64_t nodes;
        int ret = word ? foreign_number_read(r, word, &nodes)
                       : fail_set(r->fail, -EINVAL, "Invalid node specification");

        if (ret >= 0)
                ret = foreign_option_set(r, option, word);
        while (ret >= 0 && (word = strtok_r(NULL, ":", &rest)))
                ret = set_resource(r, word);
        return ret;
}

static char *take_resources(struct reading *r, const char *value, int *ret) {
        *ret = 0;
        for_each_word(word, value, ",")
                if ((*ret = set_resource(r, word)) < 0)
                        break;
        return NULL;
}

/* Handles "depend=afterok:1" and "umask=077". */
static char *take_attribute(struct reading *r, const char *value, int *ret) {
        _cleanup_free_ char *text = xasprintf("%s %s", r->letter, value);
        uint64_t mask;

        *ret = 0;
        if (strncmp(value, "depend=", 7) == 0) {
                *ret = foreign_option_set(r, "dependency", value + 7);
        } else if (strncmp(value, "umask=", 6) == 0) {
                char *end;
                mask = strtoul(value + 6, &end, 8);
                if (!isdigit((unsigned char)value[6]) || *end || mask > 0777)
                        *ret = fail_set(r->fail, -EINVAL, "Invalid umask \"%.100s\"", value + 6);
                else
                        umask((mode_t)mask); /* the job gets sbatch's umask */
        } else {
                r->not_read(text, r->user);
        }
        return NULL;
}

static char *mail_types(struct reading *r, const char *value, int *ret) {
        static const struct {
                char letter;
                const char *type;
        } types[] = { { 'a', "FAIL" }, { 'b', "BEGIN" }, { 'e', "END" }, { 'n', "NONE" } };
        char *list = NULL;

        *ret = 0;
        for (const char *p = value; *p; p++) {
                size_t i = 0;
                while (i < ELEMENTSOF(types) && types[i].letter != *p)
                        i++;
                if (i == ELEMENTSOF(types)) {
                        *ret = fail_set(r->fail, -EINVAL,
                                        "Invalid mail type \"%.100s\": letters of abe, or n",
                                        value);
                        free(list);
                        return NULL;
                }
                text_add_word(&list, ",", "%s", types[i].type);
        }
        return list;
}

static char *pbs_requeue_set(struct reading *r, const char *value, int *ret) {
        *ret = streq(value, "y") ? foreign_option_set(r, "requeue", NULL)
               : streq(value, "n")
                               ? foreign_option_set(r, "no-requeue", NULL)
                               : fail_set(r->fail, -EINVAL, "\"%.100s\" is neither y nor n", value);
        return NULL;
}

/* Converts "[[[CC]YY]MMDD]hhmm[.SS]"; other values are taken as a time in Slurm's format. */
static char *pbs_date_convert(struct reading *r, const char *value, int *ret) {
        size_t n = strspn(value, "0123456789");
        const char *s = value, *seconds = value[n] == '.' ? value + n + 1 : "00";

        (void)r;
        *ret = 0;
        if ((value[n] && value[n] != '.') || strlen(seconds) != 2)
                return xstrdup(value);
        switch (n) {
        case 4:
                return xasprintf("%.2s:%.2s:%s", s, s + 2, seconds);
        case 8:
                return xasprintf("%.2s/%.2s-%.2s:%.2s:%s", s, s + 2, s + 4, s + 6, seconds);
        case 10:
                return xasprintf("20%.2s-%.2s-%.2sT%.2s:%.2s:%s", s, s + 2, s + 4, s + 6, s + 8,
                                seconds);
        case 12:
                return xasprintf("%.4s-%.2s-%.2sT%.2s:%.2s:%s", s, s + 4, s + 6, s + 8, s + 10,
                                seconds);
        default:
                return xstrdup(value);
        }
}

static const struct letter pbs[] = {
        { "-A", false, "account", NULL },
        { "-a", false, "begin", pbs_date_convert },
        { "-C", false, NULL, NULL },
        { "-c", false, NULL, NULL },
        { "-e", false, "error", NULL },
        { "-h", true, "hold", NULL },
        { "-I", true, NULL, NULL },
        { "-J", false, "array", NULL },
        { "-j", false, NULL, NULL },
        { "-k", false, NULL, NULL },
        { "-l", false, NULL, take_resources },
        { "-M", false, "mail-user", NULL },
        { "-m", false, "mail-type", mail_types },
        { "-N", false, "job-name", NULL },
        { "-o", false, "output", NULL },
        { "-p", false, "nice", NULL },
        { "-q", false, "partition", NULL },
        { "-r", false, NULL, pbs_requeue_set },
        { "-S", false, NULL, NULL },
        { "-t", false, "array", NULL },
        { "-u", false, NULL, NULL },
        { "-V", true, NULL, NULL }, /* default in Slurm */
        { "-v", false, "export", NULL },
        { "-W", false, NULL, take_attribute },
        { "-z", true, NULL, NULL },
        { NULL, false, NULL, NULL },
};

/* ---- LSF ---- */

/* Converts "[HOURS:]MINUTES". */
static char *run_limit(struct reading *r, const char *value, int *ret) {
        (void)r;
        *ret = 0;
        return strchr(value, ':') ? xasprintf("%s:00", value) : xstrdup(value);
}

/* Converts KB per CPU, or a number with a unit, to Slurm's sizes. */
static char *lsf_memory_convert(struct reading *r, const char *value, int *ret) {
        uint64_t kb;

        (void)r;
        *ret = 0;
        return uint_parse(value, 0, UINT64_MAX / 2, &kb) < 0
                               ? plain_size(value)
                               : xasprintf("%llu", (unsigned long long)(kb + 1023) / 1024);
}

static char *first_number(struct reading *r, const char *value, int *ret) {
        (void)r;
        *ret = 0;
        return xstrndup(value, strcspn(value, ","));
}

/* Converts "n1 n2" to a list with commas. */
static char *lsf_hosts_convert(struct reading *r, const char *value, int *ret) {
        char *list = xstrdup(value);

        (void)r;
        *ret = 0;
        for (char *p = list; *p; p++)
                *p = isspace((unsigned char)*p) ? ',' : *p;
        return list;
}

static const struct letter lsf[] = {
        { "-cwd", false, "chdir", NULL },
        { "-e", false, "error", NULL },
        { "-J", false, "job-name", NULL },
        { "-M", false, "mem-per-cpu", lsf_memory_convert },
        { "-m", false, "nodelist", lsf_hosts_convert },
        { "-n", false, "ntasks", first_number },
        { "-o", false, "output", NULL },
        { "-q", false, "partition", NULL },
        { "-W", false, "time", run_limit },
        { "-x", true, "exclusive", NULL },
        { NULL, false, NULL, NULL },
};

/* ---- a line ---- */

/* Returns the longest letter of the table with which the word begins; NULL: none. */
static const struct letter *letter_find(const struct letter *letters, const char *word) {
        const struct letter *found = NULL;

        for (const struct letter *l = letters; l->word; l++)
                if (strncmp(word, l->word, strlen(l->word)) == 0 &&
                                (strlen(l->word) == 2 || streq(word, l->word)) &&
                                (!found || strlen(l->word) > strlen(found->word)))
                        found = l;
        return found;
}

static int letter_apply(struct reading *r, const struct letter *l, const char *value) {
        _cleanup_free_ char *made = NULL,
                            *text = xasprintf("%s%s%s", l->word, value ? " " : "", strempty(value));
        int ret = 0;

        r->letter = l->word;
        if (!l->option && !l->value) {
                if (strcmp(l->word, "-V") != 0)
                        r->not_read(text, r->user);
                return 0;
        }
        if (l->value)
                made = l->value(r, value, &ret);
        if (ret >= 0 && l->option && (made || !l->value))
                ret = foreign_option_set(r, l->option, l->value ? made : value);
        return ret < 0 ? fail_prefix(r->fail, ret, "%.200s", text) : ret;
}

int script_foreign(const struct option_table *table, struct script_line *line, void *to,
                void (*not_read)(const char *text, void *user), void *user, struct fail *fail) {
        struct reading r = { .table = table,
                .to = to,
                .not_read = not_read,
                .user = user,
                .line = line,
                .fail = fail };
        const struct letter *letters = line->kind == SCRIPT_PBS ? pbs : lsf;
        int ret = 0;

        for (int i = 1; i < line->argc && ret >= 0; i++) {
                const char *word = line->argv[i],
                           *next = i + 1 < line->argc ? line->argv[i + 1] : NULL;
                const struct letter *l = letter_find(letters, word);
                bool joined = l && !l->alone && word[strlen(l->word)];

                if (word[0] != '-')
                        return fail_set(fail, -EINVAL, "Invalid argument: %.200s", word);
                if (!l) { /* the next word may be the value */
                        _cleanup_free_ char *text = next && next[0] != '-'
                                                                    ? xasprintf("%s %s", word, next)
                                                                    : xstrdup(word);
                        not_read(text, user);
                        i += next && next[0] != '-';
                        continue;
                }
                if (!l->alone && !joined && !next)
                        return fail_set(fail, -EINVAL, "option requires an argument -- '%s'",
                                        l->word + 1);
                ret = letter_apply(&r, l, l->alone ? NULL : joined ? word + strlen(l->word) : next);
                i += !l->alone && !joined;
        }
        return ret;
}
