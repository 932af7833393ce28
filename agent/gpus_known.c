/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AutoDetect of gres.conf.  A vendor's library is loaded into a child, since it may crash or hang,
 * once while slumberd runs; the child says in lines what it has found:
 *
 *     file TAB type TAB cores TAB links       one for each GPU
 *     ! TAB text                              what is wrong
 *
 * What is found goes to the items of the node's Gres whose type is part of the type that the library
 * says, the longest types first. */
#include "agent/agent.h"
#include "agent/gpu_detect.h"
#include "lib/gres.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>

#define GPUS_WAIT   (20 * USEC_PER_SEC) /* a driver that must be loaded first takes some */
#define OUTPUT_SIZE (256 * 1024)        /* GPUS_FOUND_MAX lines of sane length */

struct gpu_known {
        char *file, *type, *cores;
        bool taken;
};

struct gpus_known {
        char *how;
        struct gpu_known *list;
        size_t n;
        char *problem; /* NULL: none */
};

/* ---- in the child ---- */

static void say_found(const char *how, FILE *out) {
        struct gpus_found *g = xnew0(struct gpus_found, 1);
        struct fail fail = { 0 };

        if (gpus_detect(how, g, &fail) < 0)
                fprintf(out, "!\t%s\n", fail.text);
        else if (g->problems)
                fprintf(out, "!\t%s\n", g->problems);
        for (size_t i = 0; i < g->n; i++) {
                _cleanup_free_ char *cores = gpu_cores(&g->list[i]), *links = gpu_links(g, i);
                fprintf(out, "%s\t%s\t%s\t%s\n", g->list[i].file, g->list[i].type, strempty(cores),
                                links);
        }
        gpus_found_done(g);
        free(g);
}

static pid_t start(const char *how, int *ret_output) {
        int ends[2];

        if (pipe2(ends, O_CLOEXEC) < 0)
                return -errno;
        pid_t pid = fork();
        if (pid == 0) {
                FILE *out = fdopen(ends[1], "w");
                if (out) {
                        say_found(how, out);
                        (void)fflush(out);
                }
                _exit(out ? 0 : 1);
        }
        int e = errno;
        close(ends[1]);
        if (pid < 0) {
                close(ends[0]);
                return -e;
        }
        *ret_output = ends[0];
        return pid;
}

/* ---- what it says ---- */

/* All of it until it ends; false: it has not ended in time, or says too much. */
static bool read_all(int fd, char *text) {
        usec_t until = now_boottime() + GPUS_WAIT;
        size_t n = 0;

        while (n < OUTPUT_SIZE - 1) {
                usec_t now = now_boottime();
                struct pollfd p = { .fd = fd, .events = POLLIN };
                if (now >= until || (poll(&p, 1, (int)((until - now) / USEC_PER_MSEC) + 1) < 0 &&
                                                    errno != EINTR))
                        return false;
                if (!p.revents)
                        continue;
                ssize_t got = read(fd, text + n, OUTPUT_SIZE - 1 - n);
                if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) {
                        text[n] = 0;
                        return got == 0;
                }
                n += got > 0 ? (size_t)got : 0;
        }
        return false;
}

static char *next_word(char **line) {
        return *line ? strsep(line, "\t") : (char *)(uintptr_t) "";
}

static void take_line(struct gpus_known *k, char *line) {
        char *file = next_word(&line), *type = next_word(&line), *cores = next_word(&line);

        if (streq(file, "!")) {
                free(k->problem);
                k->problem = xasprintf("AutoDetect=%s: %.1000s", k->how, type);
                return;
        }
        if (*file != '/' || k->n == GPUS_FOUND_MAX)
                return;
        k->list = xrenew(k->list, k->n + 1);
        k->list[k->n++] = (struct gpu_known){
                .file = xstrdup(file), .type = xstrdup(type), .cores = xstrdup(cores)
        };
}

static void known_free(struct gpus_known *k) {
        for (size_t i = 0; i < k->n; i++) {
                free(k->list[i].file);
                free(k->list[i].type);
                free(k->list[i].cores);
        }
        free(k->list);
        free(k->problem);
        free(k->how);
        free(k);
}

static struct gpus_known *ask(const char *how) {
        struct gpus_known *k = xnew0(struct gpus_known, 1);
        _cleanup_free_ char *text = xmalloc(OUTPUT_SIZE);
        int output, status = 0;
        char *rest = text, *line;

        k->how = xstrdup(how);
        pid_t pid = start(how, &output);
        if (pid < 0) {
                k->problem = xasprintf("AutoDetect=%s: %s", how, strerror(-pid));
                return k;
        }
        bool all = read_all(output, text);
        close(output);
        if (!all)
                (void)kill(pid, SIGKILL);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
                ;
        if (!all)
                k->problem = xasprintf("AutoDetect=%s: the library has not answered within %d s, "
                                       "or says too much",
                                how, (int)(GPUS_WAIT / USEC_PER_SEC));
        else if (status != 0)
                k->problem = xasprintf("AutoDetect=%s: the library has crashed (status 0x%x)", how,
                                (unsigned)status);
        while (all && status == 0 && (line = strsep(&rest, "\n")))
                if (*line)
                        take_line(k, line);
        return k;
}

void gpus_known_done(struct agent *a) {
        if (a->gpus)
                known_free(TAKE(a->gpus));
}

/* ---- which node's they are ---- */

static struct gpu_known *find_file(struct gpus_known *k, const char *file) {
        for (size_t i = 0; i < k->n; i++)
                if (!k->list[i].taken && streq(k->list[i].file, file))
                        return &k->list[i];
        return NULL;
}

/* The files of gres.conf that are no GPU's are told of, and do not count. */
static void keep_found(struct agent *a, Slumber__GresDevice *d) {
        size_t n = 0;

        for (size_t i = 0; i < d->n_files; i++) {
                struct gpu_known *gpu = find_file(a->gpus, d->files[i]);
                if (gpu) {
                        gpu->taken = true;
                        d->files[n++] = d->files[i];
                        continue;
                }
                log_warning(0, "gres/gpu of node %s: AutoDetect=%s does not find %s", a->node,
                                a->gpus->how, d->files[i]);
                free(d->files[i]);
        }
        d->n_files = n;
}

/* As many as the node is said to have. */
static void give_found(struct agent *a, Slumber__GresDevice *d) {
        uint64_t wanted = d->count;

        d->count = 0;
        for (size_t i = 0; i < a->gpus->n && d->n_files < wanted; i++) {
                struct gpu_known *gpu = &a->gpus->list[i];
                if (gpu->taken || !strcasestr(gpu->type, d->type))
                        continue;
                gpu->taken = true;
                d->files = xrenew(d->files, d->n_files + 1);
                d->files[d->n_files++] = xstrdup(gpu->file);
        }
}

static int by_type(const void *x, const void *y) {
        Slumber__GresDevice *const *a = x, *const *b = y;
        size_t m = strlen((*a)->type), n = strlen((*b)->type);

        return m > n ? -1 : m < n;
}

/* Near each GPU, in the order of the node's items. */
static void fill_cores(struct agent *a, Slumber__GresReport *report) {
        for (size_t i = 0; i < a->n_gres; i++)
                for (size_t f = 0; f < a->gres[i]->n_files && streq(a->gres[i]->name, "gpu"); f++) {
                        char *cores = (char *)(uintptr_t) "";
                        for (size_t k = 0; k < a->gpus->n; k++)
                                if (streq(a->gpus->list[k].file, a->gres[i]->files[f]))
                                        cores = a->gpus->list[k].cores;
                        report->cores = xrenew(report->cores, report->n_cores + 1);
                        report->cores[report->n_cores++] = cores;
                }
}

void gpus_find(struct agent *a, const char *how, Slumber__GresReport *report) {
        _cleanup_free_ Slumber__GresDevice **items = xnew(Slumber__GresDevice *, a->n_gres + 1);
        size_t n = 0;

        if (!a->gpus || !streq(a->gpus->how, how)) {
                gpus_known_done(a);
                a->gpus = ask(how);
                log_info("AutoDetect=%s: %zu GPUs", how, a->gpus->n);
                if (a->gpus->problem)
                        log_warning(0, "%s", a->gpus->problem);
        }
        bool nothing = a->gpus->n == 0 && a->gpus->problem; /* then what gres.conf says counts */
        for (size_t i = 0; i < a->gpus->n; i++)
                a->gpus->list[i].taken = false;
        for (size_t i = 0; i < a->n_gres; i++)
                if (streq(a->gres[i]->name, "gpu"))
                        items[n++] = a->gres[i];
        qsort(items, n, sizeof *items, by_type);
        for (size_t i = 0; i < n; i++)
                if (items[i]->n_files && !nothing)
                        keep_found(a, items[i]);
        for (size_t i = 0; i < n; i++)
                if (items[i]->count)
                        give_found(a, items[i]);
        fill_cores(a, report);
        if (a->gpus->problem)
                report->problem = a->gpus->problem;
}

/* ---- slumberd -G, -C ---- */

static const char *const ways[] = { "nvml", "rsmi" };

void gpus_print(FILE *out) {
        for (size_t w = 0; w < ELEMENTSOF(ways); w++) {
                struct gpus_found *g = xnew0(struct gpus_found, 1);
                struct fail fail = { 0 };
                if (gpus_detect(ways[w], g, &fail) < 0)
                        fprintf(stderr, "slumberd: AutoDetect=%s: %s\n", ways[w], fail.text);
                else if (g->problems)
                        fprintf(stderr, "slumberd: AutoDetect=%s: %s\n", ways[w], g->problems);
                for (size_t i = 0; i < g->n; i++) {
                        _cleanup_free_ char *cores = gpu_cores(&g->list[i]),
                                            *links = gpu_links(g, i);
                        fprintf(out,
                                        "Gres Name=gpu Type=%s Count=1 Index=%zu File=%s%s%s "
                                        "Links=%s AutoDetect=%s\n",
                                        *g->list[i].type ? g->list[i].type : "(null)", i,
                                        g->list[i].file, cores ? " Cores=" : "", strempty(cores),
                                        links, ways[w]);
                }
                gpus_found_done(g);
                free(g);
        }
}

/* "gpu:tesla_t4:2": those of a type together. */
static void add_to_list(struct gres_list **list, const char *type) {
        for (size_t i = 0; *list && i < (*list)->n; i++)
                if (streq(strempty((*list)->list[i].type), type)) {
                        (*list)->list[i].count++;
                        return;
                }
        gres_list_add(list, (struct gres_item){ .name = xstrdup("gpu"),
                                            .type = *type ? xstrdup(type) : NULL,
                                            .count = 1 });
}

char *gpus_gres_text(void) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;

        for (size_t w = 0; w < ELEMENTSOF(ways); w++) {
                struct gpus_found *g = xnew0(struct gpus_found, 1);
                if (gpus_detect(ways[w], g, NULL) >= 0)
                        for (size_t i = 0; i < g->n; i++)
                                add_to_list(&list, g->list[i].type);
                gpus_found_done(g);
                free(g);
        }
        return gres_list_text(list, "");
}
