/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AutoDetect of gres.conf
 *
 * A vendor's library is loaded in a child process, as the library may crash or hang, once while
 * slumberd runs and before the node registers. The child reports in lines:
 *
 *     file TAB type TAB cores TAB links       a GPU
 *     ! TAB text                              a problem
 *
 * A found GPU goes to an entry of the node's Gres whose type is part of the library's type; entries
 * with longer types come first. */
#include "agent/machine/gpus_known.h"

#include "agent/hardware/gpu_detect.h"
#include "lib/gres.h"
#include "lib/log.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/epoll.h>
#include <sys/wait.h>

#define GPUS_WAIT   (20 * USEC_PER_SEC) /* a driver may have to be loaded first */
#define OUTPUT_SIZE (256 * 1024)        /* room for GPUS_FOUND_MAX lines */

struct gpu_known {
        char *file, *type, *cores;
        bool taken;
};

struct gpus_answer {
        char *how;
        struct gpu_known *list;
        size_t n;
        char *problem; /* NULL: no problem */
};

struct gpus_known {
        sd_event *event;
        void (*answered)(void *user);
        void *user;
        struct gpus_answer *answer; /* NULL: no library asked yet */
        struct gpus_asking *asking; /* the library being asked; NULL: none */
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

/* A library that hangs in the kernel outlives slumberd: the child keeps only the pipe, not
 * slumberd's locks and connections. */
static void gpus_child_run(const char *how, int output) __attribute__((noreturn));
static void gpus_child_run(const char *how, int output) {
        if (dup2(output, STDERR_FILENO + 1) < 0 || close_range(STDERR_FILENO + 2, UINT_MAX, 0) < 0)
                _exit(1);
        FILE *out = fdopen(STDERR_FILENO + 1, "w");
        if (!out)
                _exit(1);
        say_found(how, out);
        _exit(fflush(out) == 0 ? 0 : 1);
}

static char *gpus_next_field(char **line) {
        return *line ? strsep(line, "\t") : (char *)(uintptr_t) "";
}

static void gpus_answer_parse_line(struct gpus_answer *k, char *line) {
        char *file = gpus_next_field(&line), *type = gpus_next_field(&line),
             *cores = gpus_next_field(&line);

        if (streq(file, "!")) {
                free(k->problem);
                k->problem = xasprintf("AutoDetect=%s: %.1000s", k->how, type);
                return;
        }
        if (*file != '/' || k->n == GPUS_FOUND_MAX)
                return;
        k->list = xrenew(k->list, k->n + 1);
        k->list[k->n++] = (struct gpu_known){ .file = xstrdup(file),
                .type = xstrdup(type),
                .cores = xstrdup(cores) };
}

static void gpus_answer_free(struct gpus_answer *k) {
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

/* ---- running the child ---- */

struct gpus_asking {
        struct gpus_known *gpus;
        char *how;
        pid_t pid;
        int output;
        sd_event_source *readable, *ended, *limit;
        char *text; /* output so far */
        size_t n;
};

static int gpus_on_reaped(sd_event_source *source, const siginfo_t *info, void *user) {
        (void)source, (void)info, (void)user;
        return 0;
}

/* Kills a child that has not ended; the child may end much later. */
static struct gpus_asking *gpus_asking_free(struct gpus_asking *q, bool has_ended) {
        sd_event_source_disable_unref(q->readable);
        sd_event_source_disable_unref(q->ended);
        sd_event_source_disable_unref(q->limit);
        if (q->output >= 0)
                close(q->output);
        if (q->pid > 0 && !has_ended) {
                (void)kill(q->pid, SIGKILL);
                (void)sd_event_add_child(q->gpus->event, NULL, q->pid, WEXITED, gpus_on_reaped,
                                NULL);
        }
        free(q->text);
        free(q->how);
        free(q);
        return NULL;
}

/* Stores the answer. problem (taken over) replaces the library's text; NULL: text is used. */
static void gpus_answer_store(struct gpus_known *g, const char *how, char *text, char *problem) {
        struct gpus_answer *k = xnew0(struct gpus_answer, 1);
        char *line;

        k->how = xstrdup(how);
        k->problem = problem;
        while (!problem && (line = strsep(&text, "\n")))
                if (*line)
                        gpus_answer_parse_line(k, line);
        if (g->answer)
                gpus_answer_free(g->answer);
        g->answer = k;
        log_info("AutoDetect=%s: %zu GPUs", how, k->n);
        if (k->problem)
                log_warning(0, "%s", k->problem);
}

static void gpus_asking_conclude(struct gpus_asking *q, bool has_ended, char *problem) {
        struct gpus_known *g = q->gpus;

        q->text[q->n] = 0;
        gpus_answer_store(g, q->how, q->text, problem);
        g->asking = gpus_asking_free(q, has_ended);
        g->answered(g->user);
}

/* false: the output exceeds OUTPUT_SIZE. */
static bool gpus_read_more(struct gpus_asking *q) {
        ssize_t got;

        do {
                got = read(q->output, q->text + q->n, OUTPUT_SIZE - 1 - q->n);
                q->n += got > 0 ? (size_t)got : 0;
        } while (q->n < OUTPUT_SIZE - 1 && (got > 0 || (got < 0 && errno == EINTR)));
        if (got == 0) /* the SIGCHLD handler takes the end */
                (void)sd_event_source_set_enabled(q->readable, SD_EVENT_OFF);
        return q->n < OUTPUT_SIZE - 1;
}

static int gpus_on_output(sd_event_source *source, int fd, uint32_t events, void *user) {
        struct gpus_asking *q = user;

        (void)source, (void)fd, (void)events;
        if (!gpus_read_more(q))
                gpus_asking_conclude(q, false,
                                xasprintf("AutoDetect=%s: the library says too much", q->how));
        return 0;
}

static int gpus_on_ended(sd_event_source *source, const siginfo_t *info, void *user) {
        struct gpus_asking *q = user;
        char *problem = NULL;

        (void)source;
        if (info->si_code != CLD_EXITED || info->si_status != 0)
                problem = xasprintf("AutoDetect=%s: the library has crashed (%s %d)", q->how,
                                info->si_code == CLD_EXITED ? "exit status" : "signal",
                                info->si_status);
        else if (!gpus_read_more(q))
                problem = xasprintf("AutoDetect=%s: the library says too much", q->how);
        gpus_asking_conclude(q, true, problem);
        return 0;
}

static int gpus_on_limit(sd_event_source *source, uint64_t usec, void *user) {
        struct gpus_asking *q = user;

        (void)source, (void)usec;
        gpus_asking_conclude(q, false,
                        xasprintf("AutoDetect=%s: the library has not answered within %d s", q->how,
                                        (int)(GPUS_WAIT / USEC_PER_SEC)));
        return 0;
}

static int gpus_asking_start(struct gpus_asking *q) {
        sd_event *event = q->gpus->event;
        int ends[2];

        if (pipe2(ends, O_CLOEXEC) < 0)
                return -errno;
        q->output = ends[0];
        _cleanup_close_ int theirs = ends[1];
        if (fcntl(q->output, F_SETFL, O_NONBLOCK) < 0)
                return -errno;
        q->pid = fork();
        if (q->pid == 0)
                gpus_child_run(q->how, theirs);
        if (q->pid < 0)
                return -errno;
        int r = sd_event_add_child(event, &q->ended, q->pid, WEXITED, gpus_on_ended, q);
        if (r >= 0)
                r = sd_event_add_io(event, &q->readable, q->output, EPOLLIN, gpus_on_output, q);
        if (r >= 0)
                r = sd_event_add_time_relative(event, &q->limit, CLOCK_MONOTONIC, GPUS_WAIT, 0,
                                gpus_on_limit, q);
        return r;
}

bool gpus_being_asked(const struct gpus_known *g) {
        return g->asking != NULL;
}

bool gpus_asked(const struct gpus_known *g, const char *how) {
        return isempty(how) || (g->answer && streq(g->answer->how, how));
}

const char *gpus_way(const struct gpus_known *g) {
        return g->answer ? g->answer->how : "";
}

void gpus_ask(struct gpus_known *g, const char *how) {
        if (gpus_asked(g, how) || (g->asking && streq(g->asking->how, how)))
                return;
        if (g->asking)
                g->asking = gpus_asking_free(g->asking, false);
        struct gpus_asking *q = xnew0(struct gpus_asking, 1);
        *q = (struct gpus_asking){ .gpus = g, .how = xstrdup(how), .output = -1 };
        q->text = xmalloc(OUTPUT_SIZE);
        log_info("AutoDetect=%s: the library is asked", how);
        int r = gpus_asking_start(q);
        if (r >= 0) {
                g->asking = q;
                return;
        }
        gpus_answer_store(g, how, NULL,
                        xasprintf("AutoDetect=%s: the library cannot be asked: %s", how,
                                        strerror(-r)));
        gpus_asking_free(q, false);
}

struct gpus_known *gpus_known_new(sd_event *event, void (*answered)(void *user), void *user) {
        struct gpus_known *g = xnew0(struct gpus_known, 1);

        *g = (struct gpus_known){ .event = event, .answered = answered, .user = user };
        return g;
}

struct gpus_known *gpus_known_free(struct gpus_known *g) {
        if (!g)
                return NULL;
        if (g->asking)
                gpus_asking_free(g->asking, false);
        if (g->answer)
                gpus_answer_free(g->answer);
        free(g);
        return NULL;
}

/* ---- GPUs of the node ---- */

static struct gpu_known *find_file(struct gpus_answer *k, const char *file) {
        for (size_t i = 0; i < k->n; i++)
                if (!k->list[i].taken && streq(k->list[i].file, file))
                        return &k->list[i];
        return NULL;
}

/* Removes files of gres.conf that are not files of found GPUs, with a warning. */
static void keep_found(struct gpus_answer *k, const char *node, Slumber__GresDevice *d) {
        size_t n = 0;

        for (size_t i = 0; i < d->n_files; i++) {
                struct gpu_known *gpu = find_file(k, d->files[i]);
                if (gpu) {
                        gpu->taken = true;
                        d->files[n++] = d->files[i];
                        continue;
                }
                log_warning(0, "gres/gpu of node %s: AutoDetect=%s does not find %s", node, k->how,
                                d->files[i]);
                free(d->files[i]);
        }
        d->n_files = n;
}

/* Adds found GPUs up to the entry's count. */
static void give_found(struct gpus_answer *k, Slumber__GresDevice *d) {
        uint64_t wanted = d->count;

        d->count = 0;
        for (size_t i = 0; i < k->n && d->n_files < wanted; i++) {
                struct gpu_known *gpu = &k->list[i];
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

/* Fills in the near cores of each GPU, in the order of the entries. */
static void gpus_fill_cores(const struct gpus_answer *k, Slumber__GresDevice *const *gres,
                size_t n_gres, Slumber__GresReport *report) {
        for (size_t i = 0; i < n_gres; i++)
                for (size_t f = 0; f < gres[i]->n_files && streq(gres[i]->name, "gpu"); f++) {
                        char *cores = (char *)(uintptr_t) "";
                        for (size_t g = 0; g < k->n; g++)
                                if (streq(k->list[g].file, gres[i]->files[f]))
                                        cores = k->list[g].cores;
                        report->cores = xrenew(report->cores, report->n_cores + 1);
                        report->cores[report->n_cores++] = cores;
                }
}

void gpus_find(struct gpus_known *g, const char *node, Slumber__GresDevice **gres, size_t n_gres,
                Slumber__GresReport *report) {
        struct gpus_answer *k = g->answer;
        _cleanup_free_ Slumber__GresDevice **items = xnew(Slumber__GresDevice *, n_gres + 1);
        size_t n = 0;
        bool nothing = k->n == 0 && k->problem; /* slurm.conf and gres.conf alone decide */

        for (size_t i = 0; i < k->n; i++)
                k->list[i].taken = false;
        for (size_t i = 0; i < n_gres; i++)
                if (streq(gres[i]->name, "gpu"))
                        items[n++] = gres[i];
        list_sort(items, n, sizeof *items, by_type);
        for (size_t i = 0; i < n; i++)
                if (items[i]->n_files && !nothing)
                        keep_found(k, node, items[i]);
        for (size_t i = 0; i < n; i++)
                if (items[i]->count)
                        give_found(k, items[i]);
        gpus_fill_cores(k, gres, n_gres, report);
        if (k->problem)
                report->problem = k->problem;
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

/* Adds a GPU to a list like "gpu:tesla_t4:2", which counts GPUs of a type. */
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
