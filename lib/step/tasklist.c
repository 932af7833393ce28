/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/step/tasklist.h"

#include "lib/timetext.h"

struct task_list {
        struct hostlist *nodes;
        uint32_t *node; /* index in nodes, for each task */
        size_t n, allocated;
        uint32_t most;
        uint32_t *tasks; /* number of tasks of each node, while adding */
        size_t a_tasks;
};

struct task_list *task_list_new(uint32_t most) {
        struct task_list *l = xnew0(struct task_list, 1);

        l->nodes = hostlist_new();
        l->most = most ? most : TASK_LIST_MAX;
        return l;
}

struct task_list *task_list_free(struct task_list *l) {
        if (l) {
                hostlist_free(l->nodes);
                free(l->node);
                free(l->tasks);
        }
        free(l);
        return NULL;
}

/* Counts a task of the node; returns the new number. */
static uint32_t count_task(struct task_list *l, size_t node) {
        size_t before = l->a_tasks;

        while (node >= l->a_tasks)
                GROW(l->tasks, l->a_tasks, l->a_tasks);
        memset(l->tasks + before, 0, (l->a_tasks - before) * sizeof l->tasks[0]);
        return ++l->tasks[node];
}

static int task_list_add_task(struct task_list *l, const char *name, struct fail *fail) {
        hostlist_push(l->nodes, name);
        size_t node = hostlist_index(l->nodes, name);
        if (count_task(l, node) > l->most)
                return fail_set(fail, -ERANGE, "more than %u tasks are listed for %.100s", l->most,
                                name);
        GROW(l->node, l->allocated, l->n);
        l->node[l->n++] = (uint32_t)node;
        return 0;
}

/* Returns the length of a word, which ends at a comma or blank outside brackets. */
static size_t task_list_word_length(const char *p) {
        size_t n = 0;

        for (bool inside = false; p[n] && (inside || !strchr(", \t\r\n", p[n])); n++)
                inside = p[n] == '[' || (inside && p[n] != ']');
        return n;
}

static int task_list_add_word(struct task_list *l, char *word, struct fail *fail) {
        _cleanup_(hostlist_freep) struct hostlist *names = NULL;
        char *star = strrchr(word, '*');
        uint64_t times = 1;

        if (star && uint_parse(star + 1, 1, TASK_LIST_MAX, &times) < 0)
                return fail_set(fail, -EINVAL,
                                "\"%.100s\": no number of tasks from 1 to %d behind the *", word,
                                TASK_LIST_MAX);
        if (star)
                *star = 0;
        int r = hostlist_parse(word, &names, fail);
        if (r < 0)
                return r;
        if (hostlist_count(names) == 0)
                return fail_set(fail, -EINVAL, "no node before *%llu", (unsigned long long)times);
        if (hostlist_count(names) * times > TASK_LIST_MAX - l->n)
                return fail_set(fail, -E2BIG, "more than %d tasks are listed", TASK_LIST_MAX);
        for (uint64_t k = 0; r >= 0 && k < times; k++)
                for (size_t i = 0; r >= 0 && i < hostlist_count(names); i++)
                        r = task_list_add_task(l, hostlist_get(names, i), fail);
        return r;
}

int task_list_add(struct task_list *l, const char *text, struct fail *fail) {
        for (const char *p = text + strspn(text, ", \t\r\n"); *p; p += strspn(p, ", \t\r\n")) {
                size_t n = task_list_word_length(p);
                _cleanup_free_ char *word = xstrndup(p, n);
                int r = task_list_add_word(l, word, fail);
                if (r < 0)
                        return r;
                p += n;
        }
        return 0;
}

void task_list_cut(struct task_list *l, size_t n) {
        struct hostlist *nodes = hostlist_new();

        l->n = MIN(l->n, n);
        for (size_t i = 0; i < l->a_tasks; i++)
                l->tasks[i] = 0;
        for (size_t i = 0; i < l->n; i++) { /* original order: indexes stay valid */
                hostlist_push(nodes, hostlist_get(l->nodes, l->node[i]));
                l->tasks[l->node[i]]++;
        }
        hostlist_free(l->nodes);
        l->nodes = nodes;
}

size_t task_list_tasks(const struct task_list *l) {
        return l->n;
}

const struct hostlist *task_list_nodes(const struct task_list *l) {
        return l->nodes;
}

size_t task_list_node(const struct task_list *l, size_t task) {
        assert(task < l->n);
        return l->node[task];
}

/* A name takes about its length plus its entry in the list's index. */
size_t task_list_size(const struct task_list *l) {
        size_t size = (l->allocated + l->a_tasks) * sizeof l->node[0];

        for (size_t i = 0; i < hostlist_count(l->nodes); i++)
                size += strlen(hostlist_get(l->nodes, i)) + 4 * sizeof(char *);
        return size;
}

/* Compresses maximal ranges without repeated names, one after the other. */
char *task_list_text(const struct task_list *l) {
        /* index behind the node's last task */
        _cleanup_free_ size_t *seen = xnew0(size_t, hostlist_count(l->nodes) + 1);
        _cleanup_free_ const char **names = xnew(const char *, l->n + 1);
        char *text = NULL;
        size_t size;
        FILE *out = memstream_open(&text, &size);

        for (size_t from = 0, to = 0; from < l->n; from = to) {
                for (; to < l->n && seen[l->node[to]] <= from; to++) {
                        seen[l->node[to]] = to + 1;
                        names[to - from] = hostlist_get(l->nodes, l->node[to]);
                }
                _cleanup_free_ char *part = hostlist_compress(names, to - from);
                fprintf(out, "%s%s", from ? "," : "", part);
        }
        memstream_close(out);
        return text;
}
