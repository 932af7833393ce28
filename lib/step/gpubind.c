/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/step/gpubind.h"

#include "lib/timetext.h"

#include <strings.h>

#define EXPECTED                                                                                   \
        "none, closest, single:TASKS, per_task:GPUS, map_gpu:LIST or mask_gpu:LIST was expected, perhaps behind \"verbose,\""

enum gpu_bind_kind {
        GPU_BIND_ALL,      /* "closest": all GPUs, since the GPUs' locality is unknown */
        GPU_BIND_NONE,     /* tasks see no GPUs */
        GPU_BIND_SINGLE,   /* a GPU per task; count consecutive tasks share a GPU */
        GPU_BIND_PER_TASK, /* count GPUs per task, in task order */
        GPU_BIND_MAP,      /* the GPU number in the list */
        GPU_BIND_MASK,     /* the GPUs in the list's bit mask */
};

struct gpu_bind {
        enum gpu_bind_kind kind;
        bool verbose;
        uint32_t count; /* of single and per_task */
        uint64_t *list; /* of map and mask */
        size_t n_list;
};

/* Reads an item "0*4" or "0x3*2". */
static int gpubind_add_item(struct gpu_bind *b, const char *item, bool mask) {
        const char *digits = mask && strncasecmp(item, "0x", 2) == 0 ? item + 2 : item;
        const char *star = strchrnul(digits, '*');
        _cleanup_free_ char *number = xstrndup(digits, (size_t)(star - digits));
        uint64_t value = 0, times = 1;
        char *end;

        if (mask) {
                if (!*number || strlen(number) > 16 ||
                                strspn(number, "0123456789abcdefABCDEF") != strlen(number))
                        return -EINVAL;
                value = strtoull(number, &end, 16);
        } else if (uint_parse(number, 0, GPU_BIND_MAX - 1, &value) < 0)
                return -EINVAL;
        if ((*star && uint_parse(star + 1, 1, GPU_BIND_MAX, &times) < 0) ||
                        b->n_list + times > GPU_BIND_MAX)
                return -EINVAL;
        b->list = xrenew(b->list, b->n_list + times);
        while (times--)
                b->list[b->n_list++] = value;
        return 0;
}

static int gpubind_set_list(struct gpu_bind *b, const char *text, bool mask) {
        _cleanup_free_ char *copy = xstrdup(text);
        char *rest = copy;
        int r = 0;

        b->kind = mask ? GPU_BIND_MASK : GPU_BIND_MAP;
        for (char *item; r >= 0 && (item = strsep(&rest, ","));)
                r = gpubind_add_item(b, item, mask);
        return r;
}

static int gpubind_set_count(struct gpu_bind *b, enum gpu_bind_kind kind, const char *text) {
        uint64_t n;

        if (uint_parse(text, 1, GPU_BIND_MAX, &n) < 0)
                return -EINVAL;
        b->kind = kind;
        b->count = (uint32_t)n;
        return 0;
}

static int set_how(struct gpu_bind *b, const char *how) {
        static const struct {
                const char *word;
                enum gpu_bind_kind kind;
        } words[] = { { "none", GPU_BIND_NONE }, { "closest", GPU_BIND_ALL },
                { "single:", GPU_BIND_SINGLE }, { "per_task:", GPU_BIND_PER_TASK },
                { "map_gpu:", GPU_BIND_MAP }, { "mask_gpu:", GPU_BIND_MASK } };

        for (size_t i = 0; i < ELEMENTSOF(words); i++) {
                size_t n = strlen(words[i].word);
                if (strncasecmp(how, words[i].word, n) != 0)
                        continue;
                if (words[i].kind == GPU_BIND_MAP || words[i].kind == GPU_BIND_MASK)
                        return gpubind_set_list(b, how + n, words[i].kind == GPU_BIND_MASK);
                if (words[i].kind == GPU_BIND_SINGLE || words[i].kind == GPU_BIND_PER_TASK)
                        return gpubind_set_count(b, words[i].kind, how + n);
                b->kind = words[i].kind;
                return how[n] ? -EINVAL : 0;
        }
        return -EINVAL;
}

int gpu_bind_parse(const char *text, struct gpu_bind **ret, struct fail *fail) {
        _cleanup_(gpu_bind_freep) struct gpu_bind *b = xnew0(struct gpu_bind, 1);
        const char *how = text;

        if (strncasecmp(how, "verbose,", 8) == 0) {
                b->verbose = true;
                how += 8;
        }
        if (set_how(b, how) < 0)
                return fail_set(fail, -EINVAL, "\"%.100s\": " EXPECTED, text);
        *ret = TAKE(b);
        return 0;
}

static struct gpu_bind *new_count(enum gpu_bind_kind kind, uint32_t count) {
        struct gpu_bind *b = xnew0(struct gpu_bind, 1);

        b->kind = kind;
        b->count = count;
        return b;
}

struct gpu_bind *gpu_bind_single(uint32_t tasks) {
        return new_count(GPU_BIND_SINGLE, tasks);
}

struct gpu_bind *gpu_bind_per_task(uint32_t n) {
        return new_count(GPU_BIND_PER_TASK, n);
}

struct gpu_bind *gpu_bind_free(struct gpu_bind *b) {
        if (b)
                free(b->list);
        free(b);
        return NULL;
}

char *gpu_bind_tres(const char *text) {
        return *text ? xasprintf("gres/gpu:%s", text) : NULL;
}

bool gpu_bind_is_none(const struct gpu_bind *b) {
        return b->kind == GPU_BIND_NONE;
}

bool gpu_bind_is_verbose(const struct gpu_bind *b) {
        return b->verbose;
}

bool gpu_bind_has(const struct gpu_bind *b, size_t task, size_t at, size_t all, size_t number) {
        uint64_t item = b->n_list ? b->list[task % b->n_list] : 0;

        switch (b->kind) {
        case GPU_BIND_ALL:
                return true;
        case GPU_BIND_NONE:
                return false;
        case GPU_BIND_SINGLE:
                return all && at == task / b->count % all;
        case GPU_BIND_PER_TASK:
                return at / b->count == task;
        case GPU_BIND_MAP:
                return number == item;
        case GPU_BIND_MASK:
                return number < 64 && item >> number & 1;
        }
        return false;
}
