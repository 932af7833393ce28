/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sinfo -v: the options in effect and the data that the format needs, in Slurm's order. */
#include "commands/show/sinfo.h"
#include "lib/options.h"

#include <ctype.h>

/* Flags of Slurm's sinfo -v and the fields setting each flag. */
static const struct {
        const char *label;     /* padded as in Slurm */
        const char *fields[2]; /* second: NULL if one field */
} flags[] = {
        { "alloc_mem_flag  = ", { "AllocMem" } },
        { "avail_flag      = ", { "Available" } },
        { "comment_flag    = ", { "Comment" } },
        { "cpus_flag       = ", { "CPUs" } },
        { "default_time_flag =", { "DefaultTime" } },
        { "disk_flag       = ", { "Disk" } },
        { "extra_flag      = ", { "Extra" } },
        { "features_flag   = ", { "Features" } },
        { "features_flag_act = ", { "features_act" } },
        { "groups_flag     = ", { "Groups" } },
        { "gres_flag       = ", { "Gres" } },
        { "gres_used_flag  = ", { "GresUsed" } },
        { "job_size_flag   = ", { "Size" } },
        { "max_time_flag   = ", { "Time" } },
        { "memory_flag     = ", { "Memory" } },
        { "partition_flag  = ", { "Partition", "PartitionName" } },
        { "port_flag       = ", { "Port" } },
        { "priority_job_factor_flag   = ", { "PriorityJobFactor" } },
        { "priority_tier_flag   = ", { "PriorityTier", "Priority" } },
        { "reason_flag     = ", { "Reason" } },
        { "reason_timestamp_flag = ", { "TimeStamp" } },
        { "reason_user_flag = ", { "User", "UserLong" } },
        { "reservation_flag = ", { "Reservation" } },
        { "root_flag       = ", { "Root" } },
        { "oversubscribe_flag      = ", { "OverSubscribe" } },
        { "state_flag      = ", { "StateCompact", "StateLong" } },
        { "statecomplete_flag = ", { "StateComplete" } },
        { "weight_flag     = ", { "Weight" } },
};

static const char *truth_word(bool yes) {
        return yes ? "true" : "false";
}

static bool format_shows_field(const struct format *format, const char *name) {
        for (size_t i = 0; name && i < format->n_columns; i++)
                if (format->columns[i].field && streq(name, format->columns[i].field->name))
                        return true;
        return false;
}

static bool shows_one(const struct format *format, const char *const names[2]) {
        return format_shows_field(format, names[0]) || format_shows_field(format, names[1]);
}

/* Returns the columns by long names, such as "partition:9 ,nodelist:0"; the caller frees the
   text. */
static char *format_text(const struct format *format) {
        char *text = NULL;
        size_t size;
        FILE *f = memstream_open(&text, &size);

        for (size_t i = 0; i < format->n_columns; i++) {
                const struct column *c = &format->columns[i];

                if (i)
                        fputc(',', f);
                for (const char *p = c->field ? c->field->name : ""; *p; p++)
                        fputc(tolower((unsigned char)*p), f);
                if (c->field)
                        fprintf(f, ":%s%u", c->right ? "." : "", c->width);
                fputs(strempty(c->suffix), f);
        }
        memstream_close(f);
        return text;
}

void sinfo_say(const struct option_table *table, const struct format *format, bool filtering,
                bool all, FILE *out) {
        _cleanup_free_ char *columns = format_text(format);
        static const char *const by_node[2] = { "NodeHost", "NodeAddr" }, *const by_partition[2] = {
                "Partition",
                "PartitionName",
        };
        const struct option_setting settings[] = {
                { "dead", "dead", "false" },
                { "exact", "exact", "0" },
                { "filtering", NULL, truth_word(filtering) },
                { "format", NULL, columns },
                { "iterate", "iterate", "0" },
                { "long", "long", "false" },
                { "no_header", "noheader", "false" },
                { "node_field", NULL, truth_word(shows_one(format, by_node)) },
                { "node_format", "Node", "false" },
                { "nodes", "nodes", "n/a" },
                { "part_field", NULL, truth_word(shows_one(format, by_partition)) },
                { "partition", "partition", "n/a" },
                { "responding", "responding", "false" },
                { "states", "states", "(null)" },
                { "sort", "sort", "(null)" },
                { "summarize", "summarize", "false" },
                { "verbose", "verbose", "0" },
        };
        options_say_settings(table, settings, ELEMENTSOF(settings), out);
        fprintf(out, "all_flag        = %s\n", truth_word(all));
        for (size_t i = 0; i < ELEMENTSOF(flags); i++)
                fprintf(out, "%s%s\n", flags[i].label,
                                truth_word(shows_one(format, flags[i].fields)));
        fputs("-----------------------------\n\n", out);
}
