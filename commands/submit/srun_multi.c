/* SPDX-License-Identifier: GPL-3.0-or-later */
/* srun --multi-prog: srun reads and checks the file; the nodes get its text unchanged. */
#include "commands/submit/srun.h"

#include "lib/step/multiprog.h"

/* Each node gets the file; enough for a line for each of 16,384 tasks */
#define FILE_SIZE_MAX (1u << 20)

int srun_read_multi_prog(struct srun *s, struct fail *fail) {
        _cleanup_free_ char *text = xmalloc(FILE_SIZE_MAX + 1);
        FILE *in = fopen(s->argv[0], "re");
        int r;

        if (!in)
                return fail_set(fail, -errno, "--multi-prog: %s: %s", s->argv[0], strerror(errno));
        size_t n = fread(text, 1, FILE_SIZE_MAX + 1, in);
        bool bad = ferror(in);
        fclose(in);
        if (bad || n > FILE_SIZE_MAX || memchr(text, 0, n))
                return fail_set(fail, -EINVAL,
                                "--multi-prog: %s: a text of at most %u bytes was expected",
                                s->argv[0], FILE_SIZE_MAX);
        text[n] = 0;
        r = multiprog_check(text, s->o.num_tasks, fail);
        if (r < 0)
                return fail_prefix(fail, r, "--multi-prog: %s", s->argv[0]);
        s->multi_prog = TAKE(text);
        return 0;
}
