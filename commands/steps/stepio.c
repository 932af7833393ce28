/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands/steps/stepio.h"

#include "lib/wire.h"

#include <ctype.h>

#define LINE_MAX_KEPT                                                                              \
        (64u << 10)  /* maximum size of one rank's unfinished line; a longer line is split up */
#define WIDTH_MAX 10 /* maximum width of a number in a file name, as in Slurm */

/* ---- output ---- */

struct rank_line { /* a rank's unfinished line, with label */
        char *text;
        size_t size, allocated;
        uint64_t taken, told; /* bytes taken, and bytes acknowledged to the sender */
        bool untold;          /* the rank is in step_output.untold */
};

struct step_output {
        int fd;
        bool label, broken;
        int width;
        uint32_t num_tasks;
        struct rank_line *lines; /* by rank */
        uint32_t *untold;        /* ranks with bytes to acknowledge */
        size_t n_untold;
};

struct step_output *step_output_new(int fd, uint32_t num_tasks, bool label) {
        struct step_output *o = xnew0(struct step_output, 1);

        o->fd = fd;
        o->label = label;
        o->num_tasks = num_tasks;
        o->width = snprintf(NULL, 0, "%u", num_tasks ? num_tasks - 1 : 0);
        o->lines = xnew0(struct rank_line, MAX(num_tasks, 1u));
        o->untold = xnew(uint32_t, MAX(num_tasks, 1u));
        return o;
}

struct step_output *step_output_free(struct step_output *o) {
        if (!o)
                return NULL;
        for (uint32_t i = 0; i < o->num_tasks; i++)
                free(o->lines[i].text);
        free(o->lines);
        free(o->untold);
        free(o);
        return NULL;
}

/* Writes data; does nothing after an error. */
static int output_put(struct step_output *o, const char *data, size_t size) {
        int r = o->broken ? 0 : fd_write(o->fd, data, size);

        o->broken |= r < 0;
        return r;
}

static void rank_line_keep(struct rank_line *line, const char *data, size_t size) {
        if (line->size + size > line->allocated) {
                line->allocated = (line->size + size) * 2;
                line->text = xrenew(line->text, line->allocated);
        }
        memcpy(line->text + line->size, data, size);
        line->size += size;
}

/* Writes label, kept text, data and, if missing, a newline in one write, so that lines of other
   programs on the terminal are not mixed in. */
static int output_put_line(struct step_output *o, uint32_t rank, const char *data, size_t size) {
        struct rank_line *line = &o->lines[rank];
        size_t room = 16 + line->size + size + 1, n;
        _cleanup_free_ char *text = xmalloc(room);

        n = (size_t)snprintf(text, room, "%*u: ", o->width, rank);
        if (line->size)
                memcpy(text + n, line->text, line->size);
        n += line->size;
        if (size)
                memcpy(text + n, data, size);
        n += size;
        if (text[n - 1] != '\n')
                text[n++] = '\n';
        line->size = 0;
        return output_put(o, text, n);
}

static int output_write_lines(struct step_output *o, uint32_t rank, const char *p, size_t size) {
        const char *end = p + size;
        int r = 0;

        while (p < end && r == 0) {
                const char *newline = memchr(p, '\n', (size_t)(end - p));
                size_t n = newline ? (size_t)(newline - p) + 1 : (size_t)(end - p);

                if (newline || o->lines[rank].size + n > LINE_MAX_KEPT)
                        r = output_put_line(o, rank, p, n);
                else
                        rank_line_keep(&o->lines[rank], p, n);
                p += n;
        }
        return r;
}

int step_output_write(struct step_output *o, uint32_t rank, uint64_t offset, const void *data,
                size_t size) {
        if (rank >= o->num_tasks)
                return -EINVAL;
        struct rank_line *line = &o->lines[rank];
        if (offset > line->taken)
                return 0;
        /* known bytes, too: a repeating sender has missed the acknowledgement */
        if (!line->untold) {
                line->untold = true;
                o->untold[o->n_untold++] = rank;
        }
        size_t known = (size_t)MIN(line->taken - offset, (uint64_t)size);
        line->taken += size - known;
        const char *p = (const char *)data + known;
        return o->label ? output_write_lines(o, rank, p, size - known)
                        : output_put(o, p, size - known);
}

uint64_t step_output_taken(const struct step_output *o, uint32_t rank) {
        return rank < o->num_tasks ? o->lines[rank].taken : 0;
}

bool step_output_untold(struct step_output *o, size_t least, uint32_t *ret_rank) {
        for (size_t i = o->n_untold; i-- > 0;) {
                uint32_t rank = o->untold[i];
                struct rank_line *line = &o->lines[rank];

                if (line->taken - line->told < least)
                        continue;
                o->untold[i] = o->untold[--o->n_untold];
                line->untold = false;
                line->told = line->taken;
                *ret_rank = rank;
                return true;
        }
        return false;
}

int step_output_finish(struct step_output *o, uint32_t rank) {
        if (rank >= o->num_tasks)
                return -EINVAL;
        if (!o->label || o->lines[rank].size == 0)
                return 0;
        return output_put_line(o, rank, NULL, 0);
}

/* ---- input ---- */

struct input_node {
        char *name;
        uint64_t taken;
        bool gone;
};

struct input_piece { /* bytes up to end are for rank, or RANK_ALL */
        uint64_t end;
        uint32_t rank;
};

struct step_input {
        struct input_node *nodes;
        size_t n;
        uint8_t *kept; /* bytes from kept_at to sent: sent, but not taken by all nodes */
        uint64_t kept_at, sent;
        struct input_piece *pieces; /* pieces of kept, in order */
        size_t n_pieces, a_pieces;
        bool ended;
};

struct step_input *step_input_new(const char *const *nodes, size_t n) {
        struct step_input *i = xnew0(struct step_input, 1);

        i->nodes = xnew0(struct input_node, MAX(n, (size_t)1));
        i->n = n;
        for (size_t k = 0; k < n; k++)
                i->nodes[k].name = xstrdup(nodes[k]);
        return i;
}

struct step_input *step_input_free(struct step_input *i) {
        if (!i)
                return NULL;
        for (size_t k = 0; k < i->n; k++)
                free(i->nodes[k].name);
        free(i->nodes);
        free(i->kept);
        free(i->pieces);
        free(i);
        return NULL;
}

/* Returns the number of bytes taken by every remaining node. */
static uint64_t taken_by_all(const struct step_input *i) {
        uint64_t least = i->sent;

        for (size_t k = 0; k < i->n; k++)
                if (!i->nodes[k].gone)
                        least = MIN(least, i->nodes[k].taken);
        return least;
}

size_t step_input_room(const struct step_input *i) {
        return step_input_unwanted(i) ? 0 : STEP_WINDOW - (size_t)(i->sent - i->kept_at);
}

static void add_piece(struct step_input *i, uint32_t rank) {
        if (i->n_pieces == 0 || i->pieces[i->n_pieces - 1].rank != rank) {
                GROW(i->pieces, i->a_pieces, i->n_pieces);
                i->pieces[i->n_pieces++].rank = rank;
        }
        i->pieces[i->n_pieces - 1].end = i->sent;
}

uint64_t step_input_add(struct step_input *i, uint32_t rank, const void *data, size_t size,
                bool end) {
        uint64_t offset = i->sent;

        assert(size <= STEP_WINDOW - (size_t)(i->sent - i->kept_at));
        if (!i->kept)
                i->kept = xmalloc(STEP_WINDOW);
        if (size)
                memcpy(i->kept + (i->sent - i->kept_at), data, size);
        i->sent += size;
        i->ended |= end;
        if (size)
                add_piece(i, rank);
        return offset;
}

static void forget_taken(struct step_input *i) {
        size_t n = (size_t)(taken_by_all(i) - i->kept_at);

        if (n == 0)
                return;
        i->kept_at += n;
        size_t gone = 0;
        while (gone < i->n_pieces && i->pieces[gone].end <= i->kept_at)
                gone++;
        i->n_pieces -= gone;
        memmove(i->pieces, i->pieces + gone, i->n_pieces * sizeof i->pieces[0]);
        memmove(i->kept, i->kept + n, (size_t)(i->sent - i->kept_at));
}

void step_input_taken(struct step_input *i, const char *node, uint64_t taken) {
        for (size_t k = 0; k < i->n; k++) {
                struct input_node *n = &i->nodes[k];

                if (isempty(node) || streq(n->name, node))
                        n->taken = MAX(n->taken, MIN(taken, i->sent));
        }
        forget_taken(i);
}

static const struct input_node *node_find(const struct step_input *i, const char *name) {
        for (size_t k = 0; k < i->n; k++)
                if (streq(i->nodes[k].name, name))
                        return &i->nodes[k];
        return NULL;
}

/* Returns the number of bytes from offset from on for a single rank; at most most. */
static size_t piece_rest(const struct step_input *i, uint64_t from, size_t most, uint32_t *rank) {
        size_t k = 0;

        while (k < i->n_pieces && i->pieces[k].end <= from)
                k++;
        if (k == i->n_pieces)
                return 0;
        *rank = i->pieces[k].rank;
        return (size_t)MIN(i->pieces[k].end - from, (uint64_t)most);
}

bool step_input_again(const struct step_input *i, const char *node, size_t part_max,
                struct step_input_part *part) {
        const struct input_node *n = node_find(i, node);
        uint64_t from;

        if (!n || n->gone || !i->kept || part->end)
                return false;
        from = part->data ? part->offset + part->size : MAX(n->taken, i->kept_at);
        if (from >= i->sent && !i->ended)
                return false;
        part->offset = from;
        part->data = i->kept + (from - i->kept_at);
        part->rank = RANK_ALL;
        part->size = piece_rest(i, from, part_max, &part->rank);
        /* the end is for all tasks, so never in a piece for one rank */
        part->end = i->ended && from + part->size == i->sent && part->rank == RANK_ALL;
        return part->size > 0 || part->end;
}

void step_input_gone(struct step_input *i, const char *node) {
        for (size_t k = 0; k < i->n; k++)
                if (streq(i->nodes[k].name, node))
                        i->nodes[k].gone = true;
        forget_taken(i);
}

bool step_input_unwanted(const struct step_input *i) {
        for (size_t k = 0; k < i->n; k++)
                if (!i->nodes[k].gone)
                        return false;
        return true;
}

/* ---- files ---- */

bool step_file_has(const char *pattern, const char *letters) {
        for (const char *p = pattern; (p = strchr(p, '%'));) {
                p += 1 + strspn(p + 1, "0123456789");
                if (*p && strchr(letters, *p))
                        return true;
                if (*p)
                        p++;
        }
        return false;
}

#define NO_ARRAY_TASK 4294967294u /* Slurm's value of %a without an array */

/* Prints the value of a letter; false: unknown letter. */
static bool file_name_put_letter(FILE *f, char letter, int width,
                const struct step_file_names *names) {
        switch (letter) {
        case 'j':
                fprintf(f, "%0*u", width, names->job);
                return true;
        case 'A':
                fprintf(f, "%0*u", width, names->array_job ? names->array_job : names->job);
                return true;
        case 'a':
                fprintf(f, "%0*u", width, names->array_job ? names->array_task : NO_ARRAY_TASK);
                return true;
        case 's':
                fprintf(f, "%0*u", width, names->step);
                return true;
        case 'J':
                fprintf(f, "%u.%u", names->job, names->step);
                return true;
        case 'u':
                fputs(names->user, f);
                return true;
        case 'x':
                fputs(names->name, f);
                return true;
        case '%':
                fputc('%', f);
                return true;
        default:
                return false;
        }
}

char *step_file_name(const char *pattern, const struct step_file_names *names) {
        char *text = NULL;
        size_t size;
        FILE *f = memstream_open(&text, &size);

        for (const char *p = pattern; *p;) {
                size_t digits = *p == '%' ? strspn(p + 1, "0123456789") : 0;
                int width = digits ? (int)strtoul(digits > 3 ? "10" : p + 1, NULL, 10) : 0;

                if (*p == '%' && p[1 + digits] &&
                                file_name_put_letter(f, p[1 + digits], MIN(width, WIDTH_MAX),
                                                names))
                        p += 2 + digits;
                else
                        fputc(*p++, f);
        }
        memstream_close(f);
        return text;
}
