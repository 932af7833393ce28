/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws two pictures of each case, as PNG and SVG, by gnuplot, a child process with the script
 * pictures.gnuplot:
 *
 *   nodes    state of each node over time. Few nodes are drawn exactly, with the names of jobs.
 *            Many nodes are a raster: a row is one or several nodes and shows their most frequent
 *            state, so that a large cluster is as legible as a small one.
 *   series   pending and running jobs, nodes by state, and watts over time, averaged per column of
 *            the picture.
 *
 * This file computes the data; the script documents its arguments and data files, and has all
 * drawing. The data stay beside the pictures, for redrawing. The child runs without shell in that
 * folder; words from outside are arguments, or data restricted to harmless letters. */
#include "sim/io/io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <sys/wait.h>

#define SCRIPT    "pictures.gnuplot"
#define COLUMNS   1200 /* columns of a raster, points of a series */
#define ROWS_MAX  500  /* rows of a raster */
#define EXACT_MAX 64   /* maximum nodes drawn exactly */
/* Maximum changes of nodes drawn exactly: SVG viewers handle as many without delay. */
#define BOXES_MAX 20000
#define TICS_MAX  32 /* node names at the axis */
#define LETTER    7  /* pixels per letter of a job's name */
#define ARGS_MAX  8  /* arguments of the script */

extern char **environ;

static bool is_harmless(const char *text) {
        return *text &&
               text[strspn(text,
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:+-")] ==
                               0;
}

/* ---- time ---- */

static const struct unit {
        const char *name;
        usec_t length;
} units[] = {
        { "seconds", USEC_PER_SEC },
        { "minutes", 60 * USEC_PER_SEC },
        { "hours", 3600 * USEC_PER_SEC },
        { "days", 86400 * USEC_PER_SEC },
};

/* Returns the largest unit of which the time has at least five. */
static const struct unit *picture_unit(usec_t end) {
        size_t i = ELEMENTSOF(units) - 1;

        while (i > 0 && end < 5 * units[i].length)
                i--;
        return &units[i];
}

/* ---- states of nodes ---- */

struct picture {
        const struct report *r;
        const struct sim_case *k;
        const struct unit *unit;
        usec_t end;
        const char *dir, *script; /* dir: folder of the data; script: path of the script */
        FILE *data;
        /* nodes */
        size_t nodes, rows, each; /* each: nodes per row */
        /* Index of each node among the nodes shown; UINT32_MAX: not shown. */
        uint32_t *place;
        uint32_t *shown; /* inverse of place */
        size_t n_boxes;
        usec_t *time;  /* raster: [row][column][SIM_STATE_MAX] */
        uint32_t *job; /* raster: [row][column], the last job */
};

typedef void (*spell_fn)(struct picture *p, uint32_t node, enum sim_state state, uint32_t job,
                usec_t from, usec_t until);

/* Calls f for each period of a shown node in one state. */
static void for_each_spell(struct picture *p, spell_fn f) {
        const struct sim_result *r = &p->k->result;
        struct now {
                usec_t since;
                uint32_t job;
                enum sim_state state;
        } *now = xnew(struct now, r->n_nodes + 1);

        for (size_t i = 0; i < r->n_nodes; i++)
                now[i] = (struct now){ 0, SIM_NO_JOB, SIM_OUT };
        for (size_t i = 0; i < r->n_changes; i++) {
                const struct sim_change *ch = &r->changes[i];
                struct now *n = &now[ch->node];
                if (p->place[ch->node] != UINT32_MAX && MIN(ch->at, p->end) > n->since)
                        f(p, ch->node, n->state, n->job, n->since, MIN(ch->at, p->end));
                *n = (struct now){ ch->at, ch->job, ch->state };
        }
        for (uint32_t i = 0; i < r->n_nodes; i++)
                if (p->place[i] != UINT32_MAX && p->end > now[i].since)
                        f(p, i, now[i].state, now[i].job, now[i].since, p->end);
        free(now);
}

static void count_box(struct picture *p, uint32_t node, enum sim_state state, uint32_t job,
                usec_t from, usec_t until) {
        p->n_boxes++;
}

static double in_units(const struct picture *p, usec_t t) {
        return (double)t / (double)p->unit->length;
}

static void write_box(struct picture *p, uint32_t node, enum sim_state state, uint32_t job,
                usec_t from, usec_t until) {
        usec_t pixel = p->end / COLUMNS;

        /* a gap, since the next job may have the same colour */
        if (state == SIM_BUSY && until - from > 4 * pixel)
                until -= pixel;
        fprintf(p->data, "%.6g\t%.6g\t%u\t%u\t%u\n", in_units(p, from), in_units(p, until),
                        p->place[node], (unsigned)state, job);
}

/* Adds a period to the cells of the raster that it covers. */
static void picture_paint(struct picture *p, uint32_t node, enum sim_state state, uint32_t job,
                usec_t from, usec_t until) {
        size_t row = p->place[node] / p->each;

        for (size_t c = (size_t)((__uint128_t)from * COLUMNS / p->end); c < COLUMNS; c++) {
                usec_t begin = (usec_t)((__uint128_t)p->end * c / COLUMNS),
                       end = (usec_t)((__uint128_t)p->end * (c + 1) / COLUMNS);
                if (begin >= until)
                        break;
                p->time[(row * COLUMNS + c) * SIM_STATE_MAX + state] +=
                                MIN(until, end) - MIN(MAX(from, begin), MIN(until, end));
                if (state == SIM_BUSY)
                        p->job[row * COLUMNS + c] = job;
        }
}

/* Writes two bytes per cell, row by row: the most frequent state, and the low byte of the job's
   number. */
static void write_cells(struct picture *p) {
        p->time = xnew0(usec_t, p->rows * COLUMNS * SIM_STATE_MAX);
        p->job = xnew0(uint32_t, p->rows * COLUMNS);
        for_each_spell(p, picture_paint);
        for (size_t i = 0; i < p->rows * COLUMNS; i++) {
                const usec_t *t = &p->time[i * SIM_STATE_MAX];
                int most = 0;
                for (int s = 1; s < SIM_STATE_MAX; s++)
                        if (t[s] > t[most])
                                most = s;
                fputc(most, p->data);
                fputc((int)(p->job[i] & 255), p->data);
        }
}

static void write_spells(struct picture *p) {
        for_each_spell(p, write_box);
}

static void write_names(struct picture *p) {
        size_t step = DIV_ROUND_UP(p->rows, (size_t)TICS_MAX);
        size_t steps[] = { 1, 2, 4, 5, 8, 10, 16, 20, 25, 32, 50 };

        for (size_t i = 0; i < ELEMENTSOF(steps); i++)
                if (steps[i] >= step) {
                        step = steps[i];
                        break;
                }
        for (size_t row = 0; row < p->rows; row += step) {
                const char *name = p->k->c->nodes[p->shown[row * p->each]]->name;
                fprintf(p->data, "%zu\t%s\n", row, is_harmless(name) ? name : "?");
        }
}

/* Writes the names of jobs with enough width, once, in the middle of the job's first adjacent
   nodes. */
static void write_labels(struct picture *p) {
        fputs("0\t0\t\n", p->data); /* gnuplot needs at least one label */
        for (size_t i = 0; i < p->k->result.n_jobs; i++) {
                const struct sim_job *j = &p->k->result.jobs[i];
                const char *name = p->r->t->jobs[i].name;
                size_t first, n = 1;
                if (j->n_ranges == 0 || !is_harmless(name) ||
                                p->place[j->ranges[0].from] == UINT32_MAX ||
                                (double)(j->end - j->start) / (double)p->end * COLUMNS <
                                                (double)(LETTER * (strlen(name) + 1)))
                        continue;
                first = p->place[j->ranges[0].from];
                while (n < j->ranges[0].n && p->place[j->ranges[0].from + n] == first + n)
                        n++;
                fprintf(p->data, "%.6g\t%.6g\t%s\n",
                                in_units(p, j->start + (j->end - j->start) / 2),
                                (double)(first + (n - 1) / 2), name);
        }
}

/* ---- series ---- */

struct mean {
        double pending, running, nodes[SIM_STATE_MAX], watts, length;
};

static void add_point(const struct picture *p, const struct sim_point *at, usec_t until,
                struct mean *means) {
        for (size_t c = (size_t)((__uint128_t)at->at * COLUMNS / p->end); c < COLUMNS; c++) {
                usec_t begin = (usec_t)((__uint128_t)p->end * c / COLUMNS),
                       end = (usec_t)((__uint128_t)p->end * (c + 1) / COLUMNS);
                if (begin >= until)
                        break;
                usec_t from = MAX(begin, at->at), to = MIN(end, until);
                double length = to > from ? (double)(to - from) : 0;
                means[c].length += length;
                means[c].pending += length * at->pending;
                means[c].running += length * at->running;
                means[c].watts += length * (double)at->milliwatts / 1000;
                for (int s = 0; s < SIM_STATE_MAX; s++)
                        means[c].nodes[s] += length * at->nodes[s];
        }
}

/* Writes time, pending and running jobs, watts, and nodes by state. */
static void write_means(struct picture *p) {
        const struct sim_result *r = &p->k->result;
        _cleanup_free_ struct mean *means = xnew0(struct mean, COLUMNS);

        for (size_t i = 0; i < r->n_points; i++) {
                usec_t until = i + 1 < r->n_points ? r->points[i + 1].at : p->end;
                if (r->points[i].at < p->end)
                        add_point(p, &r->points[i], MIN(until, p->end), means);
        }
        for (size_t c = 0; c < COLUMNS; c++) {
                const struct mean *m = &means[c];
                double length = m->length > 0 ? m->length : 1;
                fprintf(p->data, "%.6g\t%.6g\t%.6g\t%.6g",
                                in_units(p, p->end) * ((double)c + 0.5) / COLUMNS,
                                m->pending / length, m->running / length, m->watts / length);
                for (int s = 0; s < SIM_STATE_MAX; s++)
                        fprintf(p->data, "\t%.9g", m->nodes[s] / length);
                fputc('\n', p->data);
        }
}

static size_t most_jobs(const struct sim_result *r) {
        size_t most = 0;

        for (size_t i = 0; i < r->n_points; i++)
                most = MAX(most, (size_t)MAX(r->points[i].pending, r->points[i].running));
        return most;
}

/* ---- gnuplot ---- */

/* Returns the script's path: beside the program in a build folder, else as installed. The caller
   frees. */
static char *script_path(void) {
        char self[PATH_MAX] = "";
        ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
        char *slash = n > 0 ? strrchr(self, '/') : NULL;

        if (slash) {
                *slash = 0;
                char *beside = xasprintf("%s/" SCRIPT, self);
                if (access(beside, F_OK) == 0)
                        return beside;
                free(beside);
        }
        return xstrdup(PICTURES_FOLDER "/" SCRIPT);
}

/* Runs argv, NULL-terminated, in folder dir (may be NULL); what: purpose, for errors. */
static int run_gnuplot(const char *dir, char *const *argv, const char *what, struct fail *fail) {
        posix_spawn_file_actions_t actions;
        int status = 0;
        pid_t pid;

        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        if (dir)
                posix_spawn_file_actions_addchdir_np(&actions, dir);
        int r = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
        posix_spawn_file_actions_destroy(&actions);
        if (r == ENOENT)
                return fail_set(fail, -r,
                                "--pictures: there is no gnuplot in PATH, which draws them (package gnuplot-nox)");
        if (r != 0)
                return fail_set(fail, -r, "--pictures: gnuplot cannot be started: %s", strerror(r));
        while (waitpid(pid, &status, 0) < 0)
                if (errno != EINTR)
                        return fail_set(fail, -errno, "--pictures: gnuplot is lost: %s",
                                        strerror(errno));
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
                return fail_set(fail, -EIO, "--pictures: gnuplot has failed on %s", what);
        return 0;
}

int pictures_check(struct fail *fail) {
        char *argv[] = { (char *)(uintptr_t) "gnuplot", (char *)(uintptr_t) "--version", NULL };
        _cleanup_free_ char *script = script_path();

        if (access(script, R_OK) < 0)
                return fail_set(fail, -errno,
                                "--pictures: %s, which gnuplot draws them by, cannot be read: %s",
                                script, strerror(errno));
        return run_gnuplot(NULL, argv, "--version", fail);
}

static int write_data(struct picture *p, const char *name, void (*write)(struct picture *p),
                struct fail *fail) {
        _cleanup_free_ char *path = xasprintf("%s/%s", p->dir, name);

        p->data = fopen(path, "we");
        if (!p->data)
                return fail_set(fail, -errno, "%s: %s", path, strerror(errno));
        write(p);
        bool bad = ferror(p->data);
        if (fclose(TAKE(p->data)) != 0 || bad)
                return fail_set(fail, -EIO, "%s: cannot be written: %s", path, strerror(errno));
        return 0;
}

/* Draws a picture. args: the script's arguments after name, title, unit and end; NULL-terminated if
   fewer. */
static int picture_draw(const struct picture *p, const char *name, const char *what,
                char *const args[ARGS_MAX - 4], struct fail *fail) {
        const char *label = p->r->n > 1 ? p->k->label : "";
        size_t nodes = p->k->result.n_nodes, jobs = p->k->result.n_jobs;
        _cleanup_free_ char *title = xasprintf("%s, %zu node%s, %zu job%s%s%s: %s",
                        p->k->c->config->cluster_name, nodes, nodes == 1 ? "" : "s", jobs,
                        jobs == 1 ? "" : "s", *label ? ", " : "", label, what);
        _cleanup_free_ char *end = xasprintf("%.9g", in_units(p, p->end)),
                            *picture = xasprintf("%s/%s", p->dir, name);
        char *argv[4 + ARGS_MAX + 1] = { (char *)(uintptr_t) "gnuplot", (char *)(uintptr_t) "-d",
                (char *)(uintptr_t) "-c", (char *)(uintptr_t)p->script, (char *)(uintptr_t)name,
                title, (char *)(uintptr_t)p->unit->name, end };

        for (size_t i = 0; i < ARGS_MAX - 4 && args[i]; i++)
                argv[8 + i] = args[i];
        return run_gnuplot(p->dir, argv, picture, fail);
}

static int draw_nodes(struct picture *p, struct fail *fail) {
        bool exact = p->nodes <= EXACT_MAX && p->n_boxes <= BOXES_MAX;
        int r;

        p->each = exact ? 1 : DIV_ROUND_UP(p->nodes, (size_t)ROWS_MAX);
        p->rows = DIV_ROUND_UP(p->nodes, p->each);
        r = write_data(p, "names.dat", write_names, fail);
        if (r >= 0)
                r = exact ? write_data(p, "spells.dat", write_spells, fail)
                          : write_data(p, "cells.dat", write_cells, fail);
        if (r >= 0 && exact)
                r = write_data(p, "labels.dat", write_labels, fail);
        if (r < 0)
                return r;
        _cleanup_free_ char *rows = xasprintf("%zu", p->rows),
                            *columns = xasprintf("%d", exact ? 0 : COLUMNS);
        return picture_draw(p, "nodes", "what the nodes do",
                        (char *const[ARGS_MAX - 4]){ rows, columns }, fail);
}

static int draw_series(struct picture *p, struct fail *fail) {
        const struct sim_result *result = &p->k->result;
        bool watts = result->knows_watts;
        int r = write_data(p, "means.dat", write_means, fail);

        if (r < 0)
                return r;
        _cleanup_free_ char *nodes = xasprintf("%zu", result->n_nodes),
                            *most = xasprintf("%zu", most_jobs(result));
        _cleanup_free_ char *peak = watts ? xasprintf("%.9g", p->k->sums.watts_max) : NULL;
        _cleanup_free_ char *mean = watts ? xasprintf("%.9g", p->k->sums.watts_mean) : NULL;
        return picture_draw(p, "series", watts ? "jobs, nodes and power" : "jobs and nodes",
                        (char *const[ARGS_MAX - 4]){ nodes, most, peak, mean }, fail);
}

int pictures_draw(const struct report *r, const struct sim_case *k, const struct bitset *nodes,
                const char *dir, struct fail *fail) {
        struct picture p = {
                .r = r,
                .k = k,
                .end = MAX(k->result.end, (usec_t)1),
                .dir = dir,
                .nodes = bitset_count(nodes),
                .each = 1,
        };
        _cleanup_free_ char *script = script_path();
        uint32_t n = 0;
        int res = 0;

        p.script = script;
        p.unit = picture_unit(p.end);
        p.place = xnew(uint32_t, k->result.n_nodes + 1);
        p.shown = xnew(uint32_t, p.nodes + 1);
        for (uint32_t i = 0; i < k->result.n_nodes; i++) {
                p.place[i] = bitset_has(nodes, i) ? n : UINT32_MAX;
                if (p.place[i] != UINT32_MAX)
                        p.shown[n++] = i;
        }
        for_each_spell(&p, count_box);
        if (p.nodes > 0)
                res = draw_nodes(&p, fail);
        if (res >= 0)
                res = draw_series(&p, fail);
        free(p.place);
        free(p.shown);
        free(p.time);
        free(p.job);
        return res;
}
