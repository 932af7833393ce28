/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes docs/slurm.conf.md: every key of slurm.conf, from the tables that read the file. */
#include "lib/config/config_private.h"

static const char head[] =
                "# Keys of slurm.conf\n"
                "\n"
                "Made from `lib/config/config_keys.c` and `lib/config/config_guards.c` by `tests/tools/configdoc`; a test compares it. Keys of nodes,\n"
                "partitions and other lines are in slurm.conf(5). `slumberctld --check` tells the same of a file at hand.\n"
                "\n"
                "| word | what becomes of the key |\n"
                "|---|---|\n"
                "| acts | Slumber does what it says |\n"
                "| shown | it is kept and shown; nothing in Slumber depends on it |\n"
                "| harmless | a warning where it is set to other than its default; nothing that restricts, checks or protects is lost |\n"
                "| guard | it restricts, checks or protects and is not implemented: set to other than its default, it is refused, unless "
                "`accept_missing` of slumber.yaml names it |\n"
                "\n"
                "Where nothing stands under default, the key is not set.\n"
                "\n"
                "| key | default | | what is lost or why |\n"
                "|---|---|---|---|\n";

/* In a cell of a table. */
static void cell(const char *text, const char *unit) {
        bool number = text && *text && text[strspn(text, "0123456789")] == 0;

        for (const char *p = strempty(text); *p; p++) {
                if (*p == '|')
                        putchar('\\');
                putchar(*p);
        }
        fputs(number ? strempty(unit) : "", stdout);
        fputs(" | ", stdout);
}

static void key_row(const struct config_key *key) {
        static const char *const uses[] = {
                [USE_ACTS] = "acts",
                [USE_SHOWN] = "shown",
                [USE_HARMLESS] = "harmless",
                [USE_GUARDS] = "guard",
        };

        printf("| %s | ", key->name);
        cell(key->text, key->unit);
        printf("%s | %s |\n", uses[key->use], strempty(key->note));
}

static void words(const char *list) {
        const char *before = "";

        for (const char *p = strempty(list); *p; p += strcspn(p, "|"), p += *p == '|') {
                fputs(before, stdout);
                fwrite(p, 1, strcspn(p, "|"), stdout);
                before = ", ";
        }
        fputs(" |", stdout);
}

static int by_name(const void *a, const void *b) {
        const struct config_key *const *x = a, *const *y = b;

        return strcasecmp((*x)->name, (*y)->name);
}

int main(void) {
        size_t n, n_words, n_sorted = 0;
        const struct config_key *keys = config_keys(&n),
                                **sorted = xnew(const struct config_key *, n);
        const struct config_words *lists = config_words(&n_words);

        for (size_t i = 0; i < n; i++)
                if (keys[i].type != KEY_SHOWN)
                        sorted[n_sorted++] = &keys[i];
        qsort(sorted, n_sorted, sizeof sorted[0], by_name);
        fputs(head, stdout);
        for (size_t i = 0; i < n_sorted; i++)
                key_row(sorted[i]);
        free(sorted);
        fputs("\n## Keys that are lists of options\n\nWhat becomes of any other word "
              "stands in the last column; one that is one or\ntwo letters off a word that acts or "
              "guards refuses the start in every list.\n\n"
              "| key | act | guard | harmless | other words |\n|---|---|---|---|---|\n",
                        stdout);
        for (size_t i = 0; i < n_words; i++) {
                printf("| %s | ", lists[i].key);
                words(lists[i].acts);
                putchar(' ');
                words(lists[i].guards);
                putchar(' ');
                words(lists[i].harmless);
                puts(lists[i].lenient ? " a warning |" : " refused |");
        }
        return 0;
}
