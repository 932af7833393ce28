/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PowerAction: named programs, used in place of a path by SuspendProgram, ResumeProgram,
 * ResumeFailProgram, RebootProgram and single requests. */
#include "lib/config/config_private.h"
#include "lib/wordlist.h"

#define ACTIONS_MAX   100
#define WORDS_MAX     64
#define NAME_MAX_SIZE 64

void config_action_done(struct config_action *a) {
        free(a->name);
        free(a->program);
        texts_free(a->words, a->n_words);
        *a = (struct config_action){ 0 };
}

const struct config_action *config_action(const struct config *config, const char *name) {
        for (size_t i = 0; name && i < config->n_actions; i++)
                if (streq(config->actions[i].name, name))
                        return &config->actions[i];
        return NULL;
}

static int action_name_check(const struct config *config, const char *name, struct fail *fail) {
        if (isempty(name) || strlen(name) > NAME_MAX_SIZE || strpbrk(name, "/ \t,=\"'"))
                return fail_set(fail, -EINVAL,
                                "\"%.100s\" cannot be the name of an action: at most %d letters, digits and signs but "
                                "/ , = were expected",
                                strempty(name), NAME_MAX_SIZE);
        if (config_action(config, name))
                return fail_set(fail, -EEXIST, "%s is named twice", name);
        return config->n_actions < ACTIONS_MAX
                               ? 0
                               : fail_set(fail, -E2BIG, "more than %d actions", ACTIONS_MAX);
}

static int action_words_split(struct config_action *a, struct fail *fail) {
        for_each_word(w, a->program, " \t") {
                if (a->n_words == WORDS_MAX)
                        return fail_set(fail, -E2BIG, "Program: more than %d words", WORDS_MAX);
                a->words = xrenew(a->words, a->n_words + 1);
                a->words[a->n_words++] = xstrdup(w);
        }
        if (a->n_words && a->words[0][0] == '/')
                return 0;
        return fail_set(fail, -EINVAL,
                        "Program: \"%.200s\" is not an absolute path, with or without arguments",
                        strempty(a->program));
}

void config_action_line_done(struct config_action_line *l) {
        free(l->name);
        free(l->location);
        free(l->program);
}

int config_action_add(struct config *config, const struct config_action_line *l,
                struct fail *fail) {
        struct config_action a = { .name = xstrdup(l->name),
                .program = xstrdup(l->program),
                .on_nodes = l->location && streq(l->location, "SLURMD") };
        int r = action_name_check(config, l->name, fail);

        if (r >= 0 && !l->location)
                r = fail_set(fail, -EINVAL, "Location is missing: slurmctld or slurmd");
        if (r >= 0)
                r = action_words_split(&a, fail);
        if (r < 0) {
                config_action_done(&a);
                return r;
        }
        config->actions = xrenew(config->actions, config->n_actions + 1);
        config->actions[config->n_actions++] = a;
        return 0;
}

int config_actions_check(struct config *config, struct fail *fail) {
        const struct {
                const char *key, *value;
                bool off; /* the node may be off and cannot run the program */
        } keys[] = {
                { "SuspendProgram", config->suspend_program, false },
                { "ResumeProgram", config->resume_program, true },
                { "ResumeFailProgram", config->resume_fail_program, true },
                { "RebootProgram", config->reboot_program, false },
        };

        for (size_t i = 0; i < ELEMENTSOF(keys); i++) {
                const char *value = keys[i].value;
                const struct config_action *a = config_action(config, value);
                if (isempty(value) || strchr(value, '/')) /* a path is checked elsewhere */
                        continue;
                if (!a)
                        return fail_set(fail, -ENOENT,
                                        "%s: \"%.200s\" is neither an absolute path nor the name of a PowerAction",
                                        keys[i].key, value);
                if (a->on_nodes && keys[i].off)
                        return fail_set(fail, -EINVAL,
                                        "%s: PowerAction %s has Location=slurmd, and nodes without power run nothing",
                                        keys[i].key, value);
        }
        return 0;
}
