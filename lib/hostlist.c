/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Host lists. Names are stored expanded: an array of entries in list order; the bytes in blocks
 * that never move (hostlist_get() lends pointers into them); and an open-addressing hash from name
 * to index, to find duplicates at once. Brackets exist only in text.
 *
 * Parsing goes word by word: word_split() splits a word into pieces (literal text, then ranges);
 * word_check() computes the number of names and checks it against HOSTLIST_MAX; only then
 * word_expand() creates the names. After a failure the list under construction is freed.
 *
 * Printing compresses the number at the end of names, over neighbours only, to keep the order. A
 * name joins a range only if parsing the range gives exactly this name again: width == MAX(width of
 * the first, digits).
 *
 * Invariants: entries are distinct (except with repeats); slots is a power of two and at least
 * twice the number of entries. */
#include "lib/hostlist.h"

#include <ctype.h>

#define RESERVE_FROM 64 /* smaller words grow the list name by name */
#define BLOCK_FIRST  256
#define BLOCK_SIZE   65536
#define SLOTS_FIRST  16
#define PIECES_MAX   16 /* bracket groups of one word: real systems have two or three */
#define DIGITS_MAX   18 /* fits uint64_t, with room to count one further */

struct entry {
        const char *name;
        uint32_t hash;
};

struct block {
        struct block *next;
        char data[];
};

struct hostlist {
        struct entry *entries;
        size_t n, allocated;
        uint32_t *slots; /* index + 1, 0 = free */
        size_t n_slots;
        struct block *blocks;
        size_t block_used, block_size; /* of the newest block */
        bool repeats;                  /* duplicate names are kept */
};

struct range {
        uint64_t first, last;
        unsigned width;
};

struct piece { /* literal text, followed by one of the ranges */
        const char *literal;
        size_t length;
        size_t range, n_ranges;
};

struct word {
        struct piece pieces[PIECES_MAX + 1]; /* the last piece is only literal */
        size_t n_pieces;
        struct range *ranges;
        size_t n_ranges, allocated;
};

/* isdigit() looks up the locale for every byte: most of the time spent on a large list. */
static bool is_digit(char c) {
        return c >= '0' && c <= '9';
}

/* ---- the set ---- */

struct hostlist *hostlist_new(void) {
        struct hostlist *hl = xnew0(struct hostlist, 1);

        hl->n_slots = SLOTS_FIRST;
        hl->slots = xnew0(uint32_t, hl->n_slots);
        return hl;
}

struct hostlist *hostlist_free(struct hostlist *hl) {
        if (!hl)
                return NULL;
        while (hl->blocks) {
                struct block *b = hl->blocks;
                hl->blocks = b->next;
                free(b);
        }
        free(hl->slots);
        free(hl->entries);
        free(hl);
        return NULL;
}

/* Seeded with the list's address, unknown outside: names cannot be chosen to collide. */
static uint32_t name_hash(const struct hostlist *hl, const char *name, size_t length) {
        uint64_t h = (uintptr_t)hl * UINT64_C(0x9e3779b97f4a7c15);

        for (size_t i = 0; i < length; i++) {
                h ^= (unsigned char)name[i];
                h *= UINT64_C(0x100000001b3);
                h ^= h >> 29;
        }
        return (uint32_t)(h ^ h >> 32);
}

/* Returns the slot of name, or the free slot for name. */
static size_t find_slot(const struct hostlist *hl, const char *name, size_t length, uint32_t hash) {
        size_t mask = hl->n_slots - 1, s = hash & mask;

        for (; hl->slots[s]; s = (s + 1) & mask) {
                const struct entry *e = &hl->entries[hl->slots[s] - 1];
                if (e->hash == hash && strncmp(e->name, name, length) == 0 && !e->name[length])
                        break;
        }
        return s;
}

static void fill_slots(struct hostlist *hl) {
        size_t mask = hl->n_slots - 1;

        memset(hl->slots, 0, hl->n_slots * sizeof *hl->slots);
        for (size_t i = 0; i < hl->n; i++) {
                size_t s = hl->entries[i].hash & mask;
                while (hl->slots[s])
                        s = (s + 1) & mask;
                hl->slots[s] = (uint32_t)i + 1;
        }
}

/* Copies name into the newest block; a name longer than a block gets its own. */
static const char *store_name(struct hostlist *hl, const char *name, size_t length) {
        if (!hl->blocks || hl->block_used + length + 1 > hl->block_size) {
                size_t next = hl->block_size ? MIN(hl->block_size * 2, (size_t)BLOCK_SIZE)
                                             : BLOCK_FIRST;
                hl->block_size = MAX(next, length + 1);
                struct block *b = xmalloc(sizeof *b + hl->block_size);
                b->next = hl->blocks;
                hl->blocks = b;
                hl->block_used = 0;
        }
        char *p = hl->blocks->data + hl->block_used;
        memcpy(p, name, length);
        p[length] = 0;
        hl->block_used += length + 1;
        return p;
}

static void hostlist_add_name(struct hostlist *hl, const char *name, size_t length) {
        uint32_t hash = name_hash(hl, name, length);
        size_t s = find_slot(hl, name, length, hash);

        if (hl->slots[s] && !hl->repeats)
                return;
        GROW(hl->entries, hl->allocated, hl->n);
        hl->entries[hl->n] = (struct entry){ store_name(hl, name, length), hash };
        hl->n++;
        if (!hl->slots[s])
                hl->slots[s] = (uint32_t)hl->n;
        if (hl->n * 2 <= hl->n_slots)
                return;
        hl->n_slots *= 4;
        hl->slots = xrenew(hl->slots, hl->n_slots);
        fill_slots(hl);
}

/* Allocates for more names at once. */
static void hostlist_reserve(struct hostlist *hl, size_t more) {
        size_t slots = hl->n_slots;

        if (hl->n + more > hl->allocated) {
                hl->allocated = hl->n + more;
                hl->entries = xrenew(hl->entries, hl->allocated);
        }
        while ((hl->n + more) * 2 > slots)
                slots *= 2;
        if (slots == hl->n_slots)
                return;
        hl->n_slots = slots;
        hl->slots = xrenew(hl->slots, slots);
        fill_slots(hl);
}

void hostlist_push(struct hostlist *hl, const char *name) {
        assert(hl);
        assert(name);

        hostlist_add_name(hl, name, strlen(name));
}

size_t hostlist_count(const struct hostlist *hl) {
        assert(hl);

        return hl->n;
}

const char *hostlist_get(const struct hostlist *hl, size_t i) {
        assert(hl);
        assert(i < hl->n);

        return hl->entries[i].name;
}

size_t hostlist_index(const struct hostlist *hl, const char *name) {
        assert(hl);
        assert(name);

        size_t length = strlen(name);
        uint32_t slot = hl->slots[find_slot(hl, name, length, name_hash(hl, name, length))];
        return slot ? slot - 1 : SIZE_MAX;
}

bool hostlist_has(const struct hostlist *hl, const char *name) {
        return hostlist_index(hl, name) != SIZE_MAX;
}

/* ---- parsing ---- */

static bool is_host_separator(char c) {
        return c == ',' || c == ' ' || c == '\t' || c == '\n';
}

static bool is_name_char(char c) {
        return isalnum((unsigned char)c) || (c && strchr("._-+:@", c));
}

static int host_number_parse(const char **p, uint64_t *ret, unsigned *ret_width,
                struct fail *fail) {
        uint64_t v = 0;
        unsigned width = 0;

        for (; is_digit(**p); (*p)++) {
                if (++width > DIGITS_MAX)
                        return fail_set(fail, -EINVAL, "a number has more than %d digits",
                                        DIGITS_MAX);
                v = v * 10 + (uint64_t)(**p - '0');
        }
        if (width == 0)
                return fail_set(fail, -EINVAL, "a number is missing in its brackets");
        *ret = v;
        *ret_width = width;
        return 0;
}

static int parse_range(const char **p, struct range *ret, struct fail *fail) {
        unsigned last_width;
        int r = host_number_parse(p, &ret->first, &ret->width, fail);

        if (r < 0)
                return r;
        ret->last = ret->first;
        if (**p != '-')
                return 0;
        (*p)++;
        r = host_number_parse(p, &ret->last, &last_width, fail);
        if (r < 0)
                return r;
        if (ret->last < ret->first)
                return fail_set(fail, -EINVAL, "a range ends before it begins");
        return 0;
}

/* Parses from behind "[" (*p) to behind "]". */
static int parse_ranges(struct word *w, const char **p, struct fail *fail) {
        for (;;) {
                GROW(w->ranges, w->allocated, w->n_ranges);
                int r = parse_range(p, &w->ranges[w->n_ranges], fail);
                if (r < 0)
                        return r;
                w->n_ranges++;
                char c = **p;
                if (c != ',' && c != ']')
                        return fail_set(fail, -EINVAL,
                                        c ? "only numbers may stand in brackets"
                                          : "a bracket is not closed");
                (*p)++;
                if (c == ']')
                        return 0;
        }
}

static int word_split(struct word *w, const char **p, struct fail *fail) {
        w->n_pieces = w->n_ranges = 0;
        for (;;) {
                struct piece *piece = &w->pieces[w->n_pieces++];
                *piece = (struct piece){ .literal = *p, .range = w->n_ranges };
                while (is_name_char(**p))
                        (*p)++;
                piece->length = (size_t)(*p - piece->literal);
                if (!**p || is_host_separator(**p))
                        return 0;
                if (**p != '[')
                        return fail_set(fail, -EINVAL,
                                        "a name has a character that is not allowed");
                if (w->n_pieces > PIECES_MAX)
                        return fail_set(fail, -E2BIG, "a name has more than %d brackets",
                                        PIECES_MAX);
                (*p)++;
                int r = parse_ranges(w, p, fail);
                if (r < 0)
                        return r;
                piece->n_ranges = w->n_ranges - piece->range;
        }
}

static unsigned count_digits(uint64_t v) {
        unsigned n = 1;

        while (v >= 10) {
                v /= 10;
                n++;
        }
        return n;
}

/* Counts the names of the word and checks each name's length; creates nothing. */
static int word_check(const struct word *w, size_t room, size_t *ret, struct fail *fail) {
        uint64_t total = 1;
        size_t length = 0;

        for (size_t i = 0; i < w->n_pieces; i++) {
                const struct piece *piece = &w->pieces[i];
                uint64_t names = piece->n_ranges == 0;
                unsigned digits = 0;
                for (size_t k = 0; k < piece->n_ranges; k++) {
                        const struct range *range = &w->ranges[piece->range + k];
                        if (range->last - range->first >= HOSTLIST_MAX)
                                names = HOSTLIST_MAX + 1;
                        else
                                names += range->last - range->first + 1;
                        names = MIN(names, (uint64_t)HOSTLIST_MAX + 1);
                        digits = MAX(digits, MAX(range->width, count_digits(range->last)));
                }
                length += piece->length + digits;
                total *= names;
                if (total > room)
                        return fail_set(fail, -E2BIG, "more than %d names", HOSTLIST_MAX);
        }
        if (length > HOSTLIST_NAME_MAX)
                return fail_set(fail, -ENAMETOOLONG, "a name has more than %d characters",
                                HOSTLIST_NAME_MAX);
        *ret = (size_t)total;
        return 0;
}

static size_t host_number_put(char *buf, uint64_t v, unsigned width) {
        unsigned digits = MAX(width, count_digits(v));

        for (unsigned i = digits; i-- > 0; v /= 10)
                buf[i] = (char)('0' + v % 10);
        return digits;
}

struct pick { /* a group's number in the name being created */
        uint64_t number;
        unsigned width;
};

static void add_picked(struct hostlist *hl, const struct word *w, const struct pick *picks) {
        char buf[HOSTLIST_NAME_MAX + 1];
        size_t used = 0;

        for (size_t i = 0; i < w->n_pieces; i++) {
                const struct piece *piece = &w->pieces[i];
                memcpy(buf + used, piece->literal, piece->length);
                used += piece->length;
                if (piece->n_ranges)
                        used += host_number_put(buf + used, picks[i].number, picks[i].width);
        }
        hostlist_add_name(hl, buf, used);
}

/* Slurm's order, important where two lists correspond (NodeName and NodeAddr): the last group
   varies fastest, then the first, then the second and so on. PIECES_MAX bounds the recursion. */
static void word_expand(struct hostlist *hl, const struct word *w, size_t level,
                struct pick *picks) {
        size_t groups = w->n_pieces - 1;

        if (level == groups) {
                add_picked(hl, w, picks);
                return;
        }
        size_t i = level + 1 == groups ? level : groups - 2 - level;
        const struct piece *piece = &w->pieces[i];
        for (size_t k = 0; k < piece->n_ranges; k++) {
                const struct range *range = &w->ranges[piece->range + k];
                picks[i].width = range->width;
                for (uint64_t v = range->first; v <= range->last; v++) {
                        picks[i].number = v;
                        word_expand(hl, w, level + 1, picks);
                }
        }
}

static int parse_words(struct hostlist *hl, struct word *w, const char *text, struct fail *fail) {
        struct pick picks[PIECES_MAX + 1];
        size_t room = HOSTLIST_MAX, names = 0;

        for (const char *p = text;;) {
                while (is_host_separator(*p))
                        p++;
                if (!*p)
                        return 0;
                int r = word_split(w, &p, fail);
                if (r < 0)
                        return r;
                r = word_check(w, room, &names, fail);
                if (r < 0)
                        return r;
                room -= names;
                if (names >= RESERVE_FROM)
                        hostlist_reserve(hl, names);
                word_expand(hl, w, 0, picks);
        }
}

static int hostlist_parse_any(const char *text, bool repeats, struct hostlist **ret,
                struct fail *fail) {
        _cleanup_(hostlist_freep) struct hostlist *hl = NULL;
        struct word w = { 0 };

        assert(text);
        assert(ret);

        hl = hostlist_new();
        hl->repeats = repeats;
        int r = parse_words(hl, &w, text, fail);
        free(w.ranges);
        if (r < 0)
                return fail_prefix(fail, r, "host list \"%.*s%s\"", 100, text,
                                strlen(text) > 100 ? "..." : "");
        *ret = TAKE(hl);
        return 0;
}

int hostlist_parse(const char *text, struct hostlist **ret, struct fail *fail) {
        return hostlist_parse_any(text, false, ret, fail);
}

int hostlist_parse_repeats(const char *text, struct hostlist **ret, struct fail *fail) {
        return hostlist_parse_any(text, true, ret, fail);
}

/* ---- sorting and printing ---- */

struct key {
        const char *name;
        size_t prefix;  /* bytes before the number at the end */
        unsigned width; /* 0: no number */
        uint64_t number;
};

static struct key host_key_of(const char *name) {
        size_t length = strlen(name), prefix = length;
        struct key key = { .name = name };

        while (prefix > 0 && is_digit(name[prefix - 1]))
                prefix--;
        if (length - prefix > DIGITS_MAX)
                prefix = length;
        key.prefix = prefix;
        key.width = (unsigned)(length - prefix);
        for (size_t i = prefix; i < length; i++)
                key.number = key.number * 10 + (uint64_t)(name[i] - '0');
        return key;
}

static bool same_prefix(const struct key *a, const struct key *b) {
        return a->prefix == b->prefix && memcmp(a->name, b->name, a->prefix) == 0;
}

static int compare_numbers(uint64_t a, uint64_t b) {
        return (a > b) - (a < b);
}

static int compare_keys(const void *pa, const void *pb) {
        const struct key *a = pa, *b = pb;
        int c = memcmp(a->name, b->name, MIN(a->prefix, b->prefix));

        if (c == 0)
                c = compare_numbers(a->prefix, b->prefix);
        if (c == 0)
                c = compare_numbers(a->width > 0, b->width > 0);
        if (c == 0)
                c = compare_numbers(a->number, b->number);
        return c ? c : compare_numbers(a->width, b->width);
}

void hostlist_sort(struct hostlist *hl) {
        assert(hl);

        _cleanup_free_ struct key *keys = xnew(struct key, hl->n);
        for (size_t i = 0; i < hl->n; i++)
                keys[i] = host_key_of(hl->entries[i].name);
        size_t sorted = 1;
        while (sorted < hl->n && compare_keys(&keys[sorted - 1], &keys[sorted]) <= 0)
                sorted++;
        if (sorted >= hl->n)
                return;
        list_sort(keys, hl->n, sizeof *keys, compare_keys);
        for (size_t i = 0; i < hl->n; i++)
                hl->entries[i] = (struct entry){ keys[i].name,
                        name_hash(hl, keys[i].name, strlen(keys[i].name)) };
        fill_slots(hl);
}

struct text {
        char *buf;
        size_t used, allocated;
};

static void text_add(struct text *t, const char *s, size_t n) {
        while (t->used + n + 1 > t->allocated) {
                t->allocated = t->allocated ? t->allocated * 2 : 64;
                t->buf = xrenew(t->buf, t->allocated);
        }
        memcpy(t->buf + t->used, s, n);
        t->used += n;
        t->buf[t->used] = 0;
}

static bool host_key_continues(const struct key *first, const struct key *last,
                const struct key *next) {
        return next->number == last->number + 1 &&
               next->width == MAX(first->width, count_digits(next->number));
}

struct printer {
        struct text text;
        struct key first, last; /* range not yet written; first.name NULL: none */
        bool bracket;           /* the word has several names */
};

static void print_range(struct printer *p) {
        text_add(&p->text, p->first.name + p->first.prefix, p->first.width);
        if (p->last.number == p->first.number)
                return;
        text_add(&p->text, "-", 1);
        text_add(&p->text, p->last.name + p->last.prefix, p->last.width);
}

static void end_word(struct printer *p) {
        print_range(p);
        if (p->bracket)
                text_add(&p->text, "]", 1);
        p->bracket = false;
}

static void print_name(struct printer *p, const char *name) {
        struct key key = host_key_of(name);
        bool joins = p->first.name && p->first.width && key.width && same_prefix(&p->first, &key);

        if (joins && !p->bracket)
                text_add(&p->text, "[", 1);
        p->bracket |= joins;
        if (joins && host_key_continues(&p->first, &p->last, &key)) {
                p->last = key;
                return;
        }
        if (joins)
                print_range(p);
        else if (p->first.name)
                end_word(p);
        if (p->first.name)
                text_add(&p->text, ",", 1);
        if (!joins)
                text_add(&p->text, name, key.prefix);
        p->first = p->last = key;
}

char *hostlist_text(const struct hostlist *hl) {
        struct printer p = { 0 };

        assert(hl);

        text_add(&p.text, "", 0);
        for (size_t i = 0; i < hl->n; i++)
                print_name(&p, hl->entries[i].name);
        if (p.first.name)
                end_word(&p);
        return p.text.buf;
}

char *hostlist_compress(const char *const *names, size_t n) {
        _cleanup_(hostlist_freep) struct hostlist *hl = hostlist_new();

        assert(names || n == 0);

        for (size_t i = 0; i < n; i++)
                hostlist_push(hl, names[i]);
        return hostlist_text(hl);
}
