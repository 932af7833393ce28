/* SPDX-License-Identifier: GPL-3.0-or-later */
/* requests FILE: what comes of each request of an admin in each state of a node, compared with a
 * matrix. requests --show FILE: writes down what happens instead.
 *
 * A block of the matrix is a state: "= NAME NODE STATE", then how a node comes into it ("conf LINE"
 * of slurm.conf; "at TIME COMMAND" as in a story; "now COMMAND" without the turn that would follow
 * from it), then one row for each request: "WORD STATE", "WORD refused" or "WORD STATE -> STATE",
 * where the second is what has come of it ten seconds later. Each request has a cluster of its own,
 * and after every turn the rules of check.c must hold. */
#include "controller/nodes/node_events.h"
#include "tests/scenario/story.h"

#define LATER (10 * USEC_PER_SEC)

static const char head[] =
                "ClusterName=story\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/story-state\n"
                "SuspendProgram=/bin/true\nResumeProgram=/bin/true\nResumeFailProgram=/bin/true\n"
                "RebootProgram=/bin/true\nSuspendTime=1000\nSuspendTimeout=30\nResumeTimeout=60\n"
                "SuspendRate=0\nResumeRate=0\nSelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\n"
                "NodeName=n1 CPUs=2 RealMemory=1000\nNodeName=c[1-2] CPUs=2 State=CLOUD\n"
                "PartitionName=p Nodes=ALL Default=YES\n";

static const char *const words[] = { "power_up", "power_down", "power_down_asap",
        "power_down_force", "resume", "undrain", "drain", "down", "fail", "future", "idle",
        "noresp", "cancel_reboot" };

struct block {
        size_t line;
        char name[40], node[16], text[128];
        char *conf;
        const char *setup[16]; /* borrowed from the file's lines */
        size_t n_setup;
        char got[ELEMENTSOF(words)][256], want[ELEMENTSOF(words)][256];
};

static char *wrong;

void story_out(struct story *s, const char *format, ...) {
} /* not used */

static void on_turn(struct world *w, void *user) {
        char *sentence = world_check(w);

        if (wrong)
                free(sentence);
        else
                wrong = sentence;
}

/* "at 1.5s submit ...", "now admin ..." */
static int set_up(struct story *s, const char *line, struct fail *fail) {
        _cleanup_free_ char *copy = xstrdup(line);
        char *list[WORDS_MAX], *save = NULL;
        size_t n = 0, first = 1;

        for (char *p = strtok_r(copy, " ", &save); p && n < WORDS_MAX;
                        p = strtok_r(NULL, " ", &save))
                list[n++] = p;
        bool at = streq(list[0], "at");
        if (at && n > 1) {
                world_advance(s->w, s->w->start + (usec_t)(strtod(list[1], NULL) * 1e6));
                first = 2;
        }
        int r = n > first ? story_command(s, list + first, n - first, fail) : 0;
        if (r >= 0 && at)
                world_turn(s->w);
        return r;
}

/* One cell: a world in the state of b, the request, what is seen then and later. */
static int try(struct block *b, size_t k, struct fail *fail) {
        _cleanup_(world_freep) struct world *w = NULL;
        _cleanup_free_ char *conf = xasprintf("%s%s", head, b->conf ? b->conf : "");
        int r = world_new(conf, &w, fail);

        if (r < 0)
                return r;
        struct story s = { .w = w };
        w->after_turn = on_turn;
        for (size_t i = 0; i < b->n_setup; i++) {
                r = set_up(&s, b->setup[i], fail);
                if (r < 0)
                        return r;
        }
        struct node *n = cluster_node(w->c, b->node);
        if (!n)
                return fail_set(fail, -ENOENT, "there is no node %s", b->node);
        _cleanup_free_ char *before = node_state_text(n), *then = NULL, *later = NULL;
        if (!streq(before, b->text))
                return fail_set(fail, -EINVAL, "%s is %s and not %s", b->node, before, b->text);
        bool granted = node_admin(w->c, n, words[k], "r", 0, w->now) == SLUMBER_OK;
        then = node_state_text(n);
        if (!granted && !streq(then, before))
                return fail_set(fail, -EINVAL, "%s was refused and has changed %s", words[k],
                                b->node);
        world_turn(w);
        world_advance(w, w->now + LATER);
        later = node_state_text(n);
        if (!granted)
                snprintf(b->got[k], sizeof b->got[k], "refused");
        else if (streq(then, later))
                snprintf(b->got[k], sizeof b->got[k], "%s", then);
        else
                snprintf(b->got[k], sizeof b->got[k], "%s -> %s", then, later);
        if (!wrong)
                return 0;
        fail_set(fail, -EINVAL, "after %s: %s", words[k], wrong);
        free(TAKE(wrong));
        return -EINVAL;
}

static int parse_row(struct block *b, const char *line, struct fail *fail) {
        size_t len = strcspn(line, " ");

        for (size_t k = 0; k < ELEMENTSOF(words); k++)
                if (strlen(words[k]) == len && memcmp(words[k], line, len) == 0) {
                        snprintf(b->want[k], sizeof b->want[k], "%s",
                                        line + len + strspn(line + len, " "));
                        return 0;
                }
        return fail_set(fail, -EINVAL, "\"%s\" is no row of a matrix", line);
}

static int parse(struct block *b, const char *line, struct fail *fail) {
        if (strncmp(line, "at ", 3) == 0 || strncmp(line, "now ", 4) == 0) {
                assert(b->n_setup < ELEMENTSOF(b->setup));
                b->setup[b->n_setup++] = line;
                return 0;
        }
        if (strncmp(line, "conf ", 5) == 0) {
                _cleanup_free_ char *before = b->conf;
                b->conf = xasprintf("%s%s\n", before ? before : "", line + 5);
                return 0;
        }
        return parse_row(b, line, fail);
}

/* The number of cells that are not as they should be. */
static size_t run(struct block *b, const char *path, bool show, struct fail *fail) {
        size_t bad = 0;

        for (size_t k = 0; k < ELEMENTSOF(words); k++) {
                if (try(b, k, fail) < 0) {
                        fprintf(stderr, "%s:%zu: %s: %s\n", path, b->line, b->name, fail->text);
                        return bad + 1;
                }
                if (show) {
                        printf("%-17s %s\n", words[k], b->got[k]);
                } else if (!streq(b->got[k], b->want[k])) {
                        fprintf(stderr, "%s:%zu: %s, %s:\n  written   %s\n  happened  %s\n", path,
                                        b->line, b->name, words[k],
                                        *b->want[k] ? b->want[k] : "(nothing)", b->got[k]);
                        bad++;
                }
        }
        return bad;
}

static size_t finish(struct block *b, const char *path, bool show) {
        struct fail fail = { 0 };
        size_t bad = *b->name ? run(b, path, show, &fail) : 0;

        free(b->conf);
        *b = (struct block){ 0 };
        return bad;
}

int main(int argc, char **argv) {
        bool show = argc == 3 && streq(argv[1], "--show");
        const char *path = argv[argc - 1];
        _cleanup_fclose_ FILE *f = argc > 1 ? fopen(path, "re") : NULL;
        char *lines[2000], *line = NULL;
        size_t n = 0, size = 0, bad = 0;
        struct block b = { 0 };
        struct fail fail = { 0 };

        if (!f) {
                fprintf(stderr, "usage: requests [--show] FILE\n");
                return 2;
        }
        while (n < ELEMENTSOF(lines) && getline(&line, &size, f) >= 0) {
                line[strcspn(line, "\n")] = 0;
                lines[n++] = xstrdup(line);
        }
        for (size_t i = 0; i < n; i++) {
                if (!*lines[i] || *lines[i] == '#')
                        continue;
                bool begins = *lines[i] == '=';
                if (begins)
                        bad += finish(&b, path, show);
                b.line = begins ? i + 1 : b.line;
                if (show && (begins || strncmp(lines[i], "conf ", 5) == 0 ||
                                            strncmp(lines[i], "at ", 3) == 0 ||
                                            strncmp(lines[i], "now ", 4) == 0))
                        printf("%s\n", lines[i]);
                if (begins ? sscanf(lines[i], "= %39s %15s %127s", b.name, b.node, b.text) != 3
                           : parse(&b, lines[i], &fail) < 0) {
                        fprintf(stderr, "%s:%zu: %s\n", path, i + 1,
                                        begins ? "= NAME NODE STATE was expected" : fail.text);
                        return 2;
                }
        }
        bad += finish(&b, path, show);
        while (n)
                free(lines[--n]);
        free(line);
        free(wrong);
        return bad ? 1 : 0;
}
