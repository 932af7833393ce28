/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two pictures of each case, as PNG and as SVG, drawn by gnuplot as a child that is given a script:
 *
 *   nodes   what each node does over time, jobs in colours of their own (in turns).  Few nodes are drawn exactly, with the names
 *           of the jobs.  Many are cells of a raster: a row is one node or several, and shows what most of them do most of the time,
 *           so that a large cluster is as legible as a small one.
 *   series  jobs that wait and run, nodes by what they do, and watts, over time, as means of a column of the picture.
 *
 * Scripts and data stay beside the pictures, so that they can be changed and drawn again.  The child has no shell and works in that
 * folder; the only words that come from outside, names of jobs and nodes, are written if they consist of harmless letters. */
#include "sim/io/io.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#define COLUMNS   1200  /* of a raster, and points of a series */
#define ROWS_MAX  500   /* of a raster */
#define EXACT_MAX 64    /* nodes that are drawn exactly... */
#define BOXES_MAX 20000 /* ... with at most so many changes, which is what viewers of SVG take without delay */
#define TICS_MAX  32    /* names of nodes at the side */
#define LETTER    7     /* pixels of a letter of a job's name */

extern char **environ;

static const char *const colours[SIM_STATE_MAX] = {
        [SIM_IDLE] = "#e4e9dc", [SIM_BUSY] = "#3f7fc9", [SIM_BOOTING] = "#f39c1f", [SIM_GOING_DOWN] = "#a878c8", [SIM_OFF] = "#4a4f58",
        [SIM_OUT] = "#d0021b",
};
static const char *const names[SIM_STATE_MAX] = { "idle", "busy", "booting", "going down", "off", "out of service" };
/* Of running jobs: blue to green, away from what the other states have, and light enough for their names. */
static const char *const shades[] = { "#6f9fdc", "#7cc47f", "#8cc6f0", "#4db3a6", "#a9c4e4", "#8a97dc", "#c3d97e", "#5fb4c4" };
/* From the bottom of a stack up. */
static const enum sim_state stack[SIM_STATE_MAX] = { SIM_BUSY, SIM_IDLE, SIM_BOOTING, SIM_GOING_DOWN, SIM_OFF, SIM_OUT };

static const char *colour_of(enum sim_state state, uint32_t job) {
        return state == SIM_BUSY && job != SIM_NO_JOB ? shades[job % ELEMENTSOF(shades)] : colours[state];
}

static unsigned rgb_of(const char *colour) {
        return (unsigned)strtoul(colour + 1, NULL, 16);
}

static bool is_harmless(const char *text) {
        return *text && text[strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:+-")] == 0;
}

/* ---- time ---- */

static const struct unit {
        const char *name;
        usec_t length;
} units[] = { { "seconds", USEC_PER_SEC }, { "minutes", 60 * USEC_PER_SEC }, { "hours", 3600 * USEC_PER_SEC }, { "days", 86400 * USEC_PER_SEC } };

/* The largest of which there are five. */
static const struct unit *unit_of(usec_t end) {
        size_t i = ELEMENTSOF(units) - 1;

        while (i > 0 && end < 5 * units[i].length)
                i--;
        return &units[i];
}

/* ---- what the nodes do ---- */

struct picture {
        const struct report *r;
        const struct sim_case *k;
        const struct unit *unit;
        usec_t end;
        const char *dir;
        FILE *script;
        /* nodes */
        size_t nodes, rows, each; /* each: nodes to a row */
        uint32_t *place;          /* of each node, among those that are shown; UINT32_MAX: not shown */
        uint32_t *shown;          /* and back */
        size_t n_boxes;
        usec_t *time;  /* of a raster: [row][column][SIM_STATE_MAX] */
        uint32_t *job; /* [row][column]: the one that was last there */
};

typedef void (*spell_fn)(struct picture *p, uint32_t node, enum sim_state state, uint32_t job, usec_t from, usec_t until);

/* Each time that a shown node spent with one thing. */
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

static void count_box(struct picture *p, uint32_t node, enum sim_state state, uint32_t job, usec_t from, usec_t until) {
        p->n_boxes++;
}

static double in_units(const struct picture *p, usec_t t) {
        return (double)t / (double)p->unit->length;
}

static void write_box(struct picture *p, uint32_t node, enum sim_state state, uint32_t job, usec_t from, usec_t until) {
        usec_t pixel = p->end / COLUMNS;

        if (state == SIM_BUSY && until - from > 4 * pixel) /* the next job may have the same colour */
                until -= pixel;
        fprintf(p->script, "%.6g %.6g %u %u\n", in_units(p, from), in_units(p, until), p->place[node],
                        rgb_of(colour_of(state, job)));
}

/* Into the cells that it touches. */
static void paint(struct picture *p, uint32_t node, enum sim_state state, uint32_t job, usec_t from, usec_t until) {
        size_t row = p->place[node] / p->each;

        for (size_t c = (size_t)((__uint128_t)from * COLUMNS / p->end); c < COLUMNS; c++) {
                usec_t begin = (usec_t)((__uint128_t)p->end * c / COLUMNS), end = (usec_t)((__uint128_t)p->end * (c + 1) / COLUMNS);
                if (begin >= until)
                        break;
                p->time[(row * COLUMNS + c) * SIM_STATE_MAX + state] += MIN(until, end) - MIN(MAX(from, begin), MIN(until, end));
                if (state == SIM_BUSY)
                        p->job[row * COLUMNS + c] = job;
        }
}

static const char *cell_colour(const struct picture *p, size_t cell) {
        const usec_t *t = &p->time[cell * SIM_STATE_MAX];
        int most = 0;

        for (int s = 1; s < SIM_STATE_MAX; s++)
                if (t[s] > t[most])
                        most = s;
        return colour_of((enum sim_state)most, p->job[cell]);
}

/* The raster as bytes, row by row. */
static int write_raster(struct picture *p, struct fail *fail) {
        _cleanup_free_ char *path = xasprintf("%s/nodes.rgb", p->dir);
        _cleanup_fclose_ FILE *f = fopen(path, "we");

        if (!f)
                return fail_set(fail, -errno, "%s: %s", path, strerror(errno));
        p->time = xnew0(usec_t, p->rows * COLUMNS * SIM_STATE_MAX);
        p->job = xnew0(uint32_t, p->rows * COLUMNS);
        for_each_spell(p, paint);
        for (size_t i = 0; i < p->rows * COLUMNS; i++) {
                unsigned rgb = rgb_of(cell_colour(p, i));
                fputc((int)(rgb >> 16 & 255), f);
                fputc((int)(rgb >> 8 & 255), f);
                fputc((int)(rgb & 255), f);
        }
        if (fflush(f) != 0 || ferror(f))
                return fail_set(fail, -EIO, "%s: cannot be written: %s", path, strerror(errno));
        return 0;
}

/* ---- scripts ---- */

static void write_head(const struct picture *p, const char *name, unsigned width, unsigned height) {
        fprintf(p->script,
                        "# Drawn by gnuplot: gnuplot %s.gnuplot\n"
                        "do for [kind in 'png svg'] {\n"
                        "if (kind eq 'png') { set terminal pngcairo size %u,%u font 'Sans,11' background 'white' noenhanced } else "
                        "{ set terminal svg size %u,%u font 'Sans,13' background 'white' noenhanced }\n"
                        "set output '%s.'.kind\n",
                        name, width, height, width, height, name);
}

static void write_title(const struct picture *p, const char *what) {
        const char *cluster = p->k->c->config->cluster_name, *label = p->k->label;

        fprintf(p->script, "set title '%s%s%zu node%s, %zu job%s%s%s: %s'\n", is_harmless(cluster) ? cluster : "", is_harmless(cluster) ? ", " : "",
                        p->k->result.n_nodes, p->k->result.n_nodes == 1 ? "" : "s", p->k->result.n_jobs, p->k->result.n_jobs == 1 ? "" : "s", p->r->n > 1 ? ", " : "",
                        p->r->n > 1 && label[strcspn(label, "'\\\n\r")] == 0 ? label : "", what);
}

/* The time below, from edge to edge. */
static void write_time_axis(const struct picture *p) {
        fprintf(p->script, "set xrange [0:%.9g]\nset tics out nomirror\n", in_units(p, p->end));
}

static void write_names(struct picture *p) {
        size_t shown = p->rows == p->nodes ? p->nodes : p->rows, step = DIV_ROUND_UP(shown, (size_t)TICS_MAX);
        size_t steps[] = { 1, 2, 4, 5, 8, 10, 16, 20, 25, 32, 50 };

        for (size_t i = 0; i < ELEMENTSOF(steps); i++)
                if (steps[i] >= step) {
                        step = steps[i];
                        break;
                }
        fputs("set ytics (", p->script);
        for (size_t row = 0; row < shown; row += step) {
                const char *name = p->k->c->nodes[p->shown[row * p->each]]->name;
                fprintf(p->script, "%s'%s' %zu", row ? ", " : "", is_harmless(name) ? name : "?", row);
        }
        fprintf(p->script, ")\nset yrange [%zu.5:-0.5]\n", shown - 1);
}

static void write_keys(const struct picture *p) {
        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                fprintf(p->script, ", NaN with boxes linecolor rgb '%s' title '%s'", i == SIM_BUSY ? shades[0] : colours[i],
                                i == SIM_BUSY ? "a job, in colours by turns" : names[i]);
        fputc('\n', p->script);
}

/* Each job that is wide enough has its name once, in the middle of its first nodes that are neighbours. */
static void write_labels(struct picture *p) {
        fputs("$jobs << END\n0 0 \"\"\n", p->script);
        for (size_t i = 0; i < p->k->result.n_jobs; i++) {
                const struct sim_job *j = &p->k->result.jobs[i];
                const char *name = p->r->t->jobs[i].name;
                size_t first, n = 1;
                if (j->n_ranges == 0 || !is_harmless(name) || p->place[j->ranges[0].from] == UINT32_MAX ||
                                (double)(j->end - j->start) / (double)p->end * COLUMNS < (double)(LETTER * (strlen(name) + 1)))
                        continue;
                first = p->place[j->ranges[0].from];
                while (n < j->ranges[0].n && p->place[j->ranges[0].from + n] == first + n)
                        n++;
                fprintf(p->script, "%.6g %.6g \"%s\"\n", in_units(p, j->start + (j->end - j->start) / 2),
                                (double)(first + (n - 1) / 2), name);
        }
        fputs("END\n", p->script);
}

static int write_nodes(struct picture *p, struct fail *fail) {
        bool exact = p->nodes <= EXACT_MAX && p->n_boxes <= BOXES_MAX;
        int r = 0;

        p->each = exact ? 1 : DIV_ROUND_UP(p->nodes, (size_t)ROWS_MAX);
        p->rows = DIV_ROUND_UP(p->nodes, p->each);
        if (exact) {
                fputs("$spells << END\n", p->script);
                for_each_spell(p, write_box);
                fputs("END\n", p->script);
                write_labels(p);
        } else
                r = write_raster(p, fail);
        write_head(p, "nodes", 1400, (unsigned)(exact ? 180 + MAX((size_t)8, p->nodes) * (p->nodes > 32 ? 14 : 24) : 860));
        write_title(p, "what the nodes do");
        write_time_axis(p);
        write_names(p);
        fprintf(p->script,
                        "set xlabel '%s'\nset key below horizontal maxrows 1 Left reverse samplen 1.5 width -2\n"
                        "set style fill solid 1.0 noborder\nset border 3\nset lmargin 12\n",
                        p->unit->name);
        if (exact)
                fputs("plot $spells using (($1+$2)/2):3:1:2:($3-0.44):($3+0.44):4 with boxxyerror linecolor rgb variable notitle, "
                      "$jobs using 1:2:3 with labels font ',9' textcolor rgb '#101820' notitle",
                                p->script);
        else
                fprintf(p->script,
                                "plot 'nodes.rgb' binary array=(%d,%zu) format='%%uchar%%uchar%%uchar' origin=(%.9g,0) dx=%.9g dy=1 "
                                "using 1:2:3 with rgbimage notitle",
                                COLUMNS, p->rows, in_units(p, p->end) / (2 * COLUMNS), in_units(p, p->end) / COLUMNS);
        write_keys(p);
        fputs("unset output\n}\n", p->script);
        return r;
}

/* ---- over time ---- */

struct mean {
        double pending, running, nodes[SIM_STATE_MAX], watts, length;
};

static void add_point(const struct picture *p, const struct sim_point *at, usec_t until, struct mean *means) {
        for (size_t c = (size_t)((__uint128_t)at->at * COLUMNS / p->end); c < COLUMNS; c++) {
                usec_t begin = (usec_t)((__uint128_t)p->end * c / COLUMNS), end = (usec_t)((__uint128_t)p->end * (c + 1) / COLUMNS);
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

/* Time, waiting, running, watts, and the nodes as they are stacked. */
static void write_means(const struct picture *p) {
        const struct sim_result *r = &p->k->result;
        _cleanup_free_ struct mean *means = xnew0(struct mean, COLUMNS);

        for (size_t i = 0; i < r->n_points; i++) {
                usec_t until = i + 1 < r->n_points ? r->points[i + 1].at : p->end;
                if (r->points[i].at < p->end)
                        add_point(p, &r->points[i], MIN(until, p->end), means);
        }
        fputs("$means << END\n", p->script);
        for (size_t c = 0; c < COLUMNS; c++) {
                const struct mean *m = &means[c];
                double length = m->length > 0 ? m->length : 1, sum = 0;
                fprintf(p->script, "%.6g %.6g %.6g %.6g", in_units(p, p->end) * ((double)c + 0.5) / COLUMNS, m->pending / length,
                                m->running / length, m->watts / length);
                for (size_t s = 0; s < ELEMENTSOF(stack); s++)
                        fprintf(p->script, " %.6g", (sum += m->nodes[stack[s]]) / length);
                fputc('\n', p->script);
        }
        fputs("END\n", p->script);
}

static size_t most_jobs(const struct sim_result *r) {
        size_t most = 0;

        for (size_t i = 0; i < r->n_points; i++)
                most = MAX(most, (size_t)MAX(r->points[i].pending, r->points[i].running));
        return most;
}

/* There are no halves of them. */
static void write_count_axis(const struct picture *p, const char *what, size_t most) {
        fprintf(p->script, "set ylabel '%s'\nset ytics %s\n", what, most < 10 ? "1" : "autofreq");
}

static void write_series(const struct picture *p) {
        bool watts = p->k->result.knows_watts;
        double peak = p->k->sums.watts_max;
        const char *unit = peak >= 1e6 ? "MW" : peak >= 1e3 ? "kW" : "W";
        double per = peak >= 1e6 ? 1e6 : peak >= 1e3 ? 1e3 : 1;

        write_means(p);
        write_head(p, "series", 1400, watts ? 900 : 640);
        fprintf(p->script, "set multiplot layout %d,1\n", watts ? 3 : 2);
        write_time_axis(p);
        fputs("set border 3\nset lmargin 12\nset rmargin 22\nset key outside right top Left reverse samplen 1.5\nset style fill solid 1.0 noborder\n"
              "set grid ytics linecolor rgb '#d8d8d8'\nset yrange [0:*]\n",
                        p->script);
        write_title(p, watts ? "jobs, nodes and power" : "jobs and nodes");
        write_count_axis(p, "jobs", most_jobs(&p->k->result));
        fputs("plot $means using 1:2 with filledcurves x1 linecolor rgb '#f0c9a0' title 'waiting', "
              "'' using 1:2 with lines linewidth 1.5 linecolor rgb '#c8641e' notitle, "
              "'' using 1:3 with lines linewidth 1.5 linecolor rgb '#2f6fc4' title 'running'\nunset title\n",
                        p->script);
        write_count_axis(p, "nodes", p->k->result.n_nodes);
        fprintf(p->script, "set yrange [0:%zu]\n", p->k->result.n_nodes);
        if (!watts)
                fprintf(p->script, "set xlabel '%s'\n", p->unit->name);
        fputs("plot", p->script);
        for (size_t s = ELEMENTSOF(stack); s-- > 0;)
                fprintf(p->script, "%s using 1:%zu with filledcurves x1 linecolor rgb '%s' title '%s'", s + 1 < ELEMENTSOF(stack) ? ", ''" : " $means",
                                5 + s, colours[stack[s]], names[stack[s]]);
        if (watts)
                fprintf(p->script,
                                "\nset ylabel '%s'\nset ytics autofreq\nset xlabel '%s'\nset yrange [0:*]\n"
                                "plot $means using 1:($4/%g) with filledcurves x1 linecolor rgb '#f6dd8a' title 'power', "
                                "'' using 1:($4/%g) with lines linewidth 1.5 linecolor rgb '#b58900' notitle, "
                                "%g with lines dashtype 2 linecolor rgb '#606060' title 'mean'",
                                unit, p->unit->name, per, per, p->k->sums.watts_mean / per);
        fputs("\nunset multiplot\nunset output\n}\n", p->script);
}

/* ---- the child ---- */

/* argv, in dir; output: what becomes of its standard output. */
static int run_gnuplot(const char *dir, const char *argument, struct fail *fail) {
        char *argv[] = { (char *)(uintptr_t) "gnuplot", (char *)(uintptr_t) "-d", (char *)(uintptr_t)argument, NULL };
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
                return fail_set(fail, -r, "--pictures: there is no gnuplot in PATH, which draws them (package gnuplot-nox)");
        if (r != 0)
                return fail_set(fail, -r, "--pictures: gnuplot cannot be started: %s", strerror(r));
        while (waitpid(pid, &status, 0) < 0)
                if (errno != EINTR)
                        return fail_set(fail, -errno, "--pictures: gnuplot is lost: %s", strerror(errno));
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
                return fail_set(fail, -EIO, "--pictures: gnuplot has failed on %s%s%s", dir ? dir : "", dir ? "/" : "", argument);
        return 0;
}

int pictures_check(struct fail *fail) {
        return run_gnuplot(NULL, "--version", fail);
}

static int draw(struct picture *p, const char *name, int (*write)(struct picture *p, struct fail *fail), struct fail *fail) {
        _cleanup_free_ char *file = xasprintf("%s.gnuplot", name), *path = xasprintf("%s/%s", p->dir, file);
        int r;

        p->script = fopen(path, "we");
        if (!p->script)
                return fail_set(fail, -errno, "%s: %s", path, strerror(errno));
        r = write(p, fail);
        bool bad = ferror(p->script);
        if ((fclose(p->script) != 0 || bad) && r >= 0)
                r = fail_set(fail, -EIO, "%s: cannot be written: %s", path, strerror(errno));
        return r < 0 ? r : run_gnuplot(p->dir, file, fail);
}

static int write_series_of(struct picture *p, struct fail *fail) {
        write_series(p);
        return 0;
}

int pictures_draw(const struct report *r, const struct sim_case *k, const struct bitset *nodes, const char *dir, struct fail *fail) {
        struct picture p = { .r = r, .k = k, .end = MAX(k->result.end, (usec_t)1), .dir = dir, .nodes = bitset_count(nodes), .each = 1 };
        uint32_t n = 0;
        int res = 0;

        p.unit = unit_of(p.end);
        p.place = xnew(uint32_t, k->result.n_nodes + 1);
        p.shown = xnew(uint32_t, p.nodes + 1);
        for (uint32_t i = 0; i < k->result.n_nodes; i++) {
                p.place[i] = bitset_has(nodes, i) ? n : UINT32_MAX;
                if (p.place[i] != UINT32_MAX)
                        p.shown[n++] = i;
        }
        for_each_spell(&p, count_box);
        if (p.nodes > 0)
                res = draw(&p, "nodes", write_nodes, fail);
        if (res >= 0)
                res = draw(&p, "series", write_series_of, fail);
        free(p.place);
        free(p.shown);
        free(p.time);
        free(p.job);
        return res;
}
