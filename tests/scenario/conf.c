/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The configuration of a story: one text, which has the lines of all files. */
#include "tests/scenario/world.h"

/* Lines that begin with such a word are another file's. */
static const struct {
        const char *word, *file;
} conf_files[] = {
        { "", "slurm.conf" },
        { "yaml ", "slumber.yaml" },
        { "gres.conf ", "gres.conf" },
        { "topology.conf ", "topology.conf" },
        { "resources.yaml ", "resources.yaml" },
        { "topology.yaml ", "topology.yaml" },
};

static size_t file_of(const char *line) {
        size_t i = ELEMENTSOF(conf_files) - 1;

        while (strncmp(line, conf_files[i].word, strlen(conf_files[i].word)) != 0)
                i--;
        return i;
}

/* A file without lines is not there. */
static int write_lines(const char *path, const char *text, size_t file, struct fail *fail) {
        _cleanup_fclose_ FILE *f = NULL;
        bool some = file == 0;

        for (const char *line = text; *line && !some; line += line[0] == '\n') {
                some = file_of(line) == file;
                line += strcspn(line, "\n");
        }
        if (!some)
                return 0;
        f = fopen(path, "we");
        for (const char *line = text; f && *line;) {
                size_t n = strcspn(line, "\n"), skip = strlen(conf_files[file].word);
                if (file_of(line) == file)
                        fprintf(f, "%.*s\n", (int)(n - skip), line + skip);
                line += n + (line[n] == '\n');
        }
        return f && fflush(f) == 0 && !ferror(f) ? 0
                                                 : fail_set(fail, -EIO, "cannot write %s", path);
}

int world_read_conf(const char *text, struct config **ret, struct fail *fail) {
        char folder[] = "/tmp/story-XXXXXX", *paths[ELEMENTSOF(conf_files)];
        int r = 0;

        if (!mkdtemp(folder))
                return fail_set(fail, -errno, "cannot make a folder in /tmp");
        for (size_t i = 0; i < ELEMENTSOF(paths); i++) {
                paths[i] = xasprintf("%s/%s", folder, conf_files[i].file);
                if (r >= 0)
                        r = write_lines(paths[i], text, i, fail);
        }
        if (r >= 0)
                r = config_read(paths[0], ret, fail);
        for (size_t i = 0; i < ELEMENTSOF(paths); i++) {
                unlink(paths[i]);
                free(paths[i]);
        }
        rmdir(folder);
        return r;
}
