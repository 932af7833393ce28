/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slumber-submit runs job_submit.lua in a process of its own, so that no script can stop or delay
 * the controller. slumber-submit also runs cli_filter.lua for commands, and checks both files by
 * hand. */
#include "submit/filter.h"
#include "submit/job_submit.h"

#include "lib/options.h"
#include "lib/printable.h"

struct args {
        const char *check, *check_filter;
        /* SlurmUser, if the controller asks; UINT32_MAX: the command line of a user */
        uint32_t owner;
        bool worker, filter;
};

static const struct option_row rows[] = {
        { "check", 'c', OPTION_TEXT, offsetof(struct args, check), NULL, "file",
                        "read this job_submit.lua as the controller would, and run what is outside of its functions" },
        { "check-filter", 0, OPTION_TEXT, offsetof(struct args, check_filter), NULL, "file",
                        "likewise this cli_filter.lua" },
        { "filter", 0, OPTION_FLAG, offsetof(struct args, filter), NULL, NULL, NULL },
        { "owner", 0, OPTION_NUMBER, offsetof(struct args, owner), NULL, "uid",
                        "the file may belong to this user, too" },
        { "worker", 0, OPTION_FLAG, offsetof(struct args, worker), NULL, NULL, NULL },
        OPTION_ROWS_HELP('h'),
};

static const struct option_table table = {
        .program = "slumber-submit",
        .rows = rows,
        .n_rows = ELEMENTSOF(rows),
        .own = true,
};

static int script_file_check(const struct script_kind *kind, const char *path, uid_t owner) {
        _cleanup_(script_said_done) struct script_said said = { 0 };
        _cleanup_free_ char *text = NULL;
        struct script *script = NULL;
        struct fail fail = { 0 };
        size_t size = 0;
        int r = script_read(path, owner, &text, &size, &fail);

        if (r >= 0)
                r = script_load(kind, path, text, size, &said, &script, &fail);
        for (size_t i = 0; i < said.n_lines; i++)
                printable_fprintf(stderr, "slumber-submit: lua: %s\n", said.lines[i]->text);
        if (r < 0 && owner != UINT32_MAX) /* the controller reads one line */
                printf("%s\n", fail.text);
        else if (r < 0)
                printable_fprintf(stderr, "slumber-submit: error: %s\n", fail.text);
        script_free(script);
        return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv) {
        struct args args = { .owner = UINT32_MAX };

        standard_streams_open();
        int r = options_only(&table, argc, argv, &args);
        if (r < 0)
                return EXIT_FAILURE;
        if (r == OPTIONS_DONE)
                return EXIT_SUCCESS;
        if (args.filter)
                return submit_filter(STDIN_FILENO);
        if (args.worker)
                return submit_worker(STDIN_FILENO);
        if (args.check)
                return script_file_check(&job_submit_script, args.check, args.owner);
        if (args.check_filter)
                return script_file_check(&filter_script, args.check_filter, args.owner);
        options_usage(&table, stderr);
        return EXIT_FAILURE;
}
