/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands/steps/bcast_config.h"

#include "commands/command.h"
#include "lib/wordlist.h"

#include <strings.h>

bool bcast_compresses(const char *library) {
        if (streq(library, "lz4") || streq(library, "zstd"))
                return true;
        if (!streq(library, "none"))
                command_error("sbcast",
                                "Compression type '%.50s' unknown, disabling compression support.",
                                library);
        return false;
}

static int bcast_parse_word(struct bcast_config *c, const char *word, struct fail *fail) {
        static const char dest_dir[] = "DestDir=", compression[] = "Compression=";
        const char *value = strchr(word, '=') ? strchr(word, '=') + 1 : "";

        if (strcasecmp(word, "send_libs") == 0) {
                c->send_libs = true;
        } else if (strncasecmp(word, dest_dir, strlen(dest_dir)) == 0) {
                if (*value != '/')
                        return fail_set(fail, -EINVAL,
                                        "BcastParameters of slurm.conf: DestDir=%s is not an absolute path",
                                        value);
                free_and_strdup(&c->dest_dir, value);
        } else if (strncasecmp(word, compression, strlen(compression)) == 0) {
                free_and_strdup(&c->compression, value);
        }
        return 0;
}

static int bcast_parse_parameters(struct bcast_config *c, const char *text, struct fail *fail) {
        int r;

        for_each_word(w, text, ", ")
                if ((r = bcast_parse_word(c, w, fail)) < 0)
                        return r;
        return 0;
}

int bcast_config_read(struct wire *w, struct bcast_config *ret, struct fail *fail) {
        Slumber__ConfigQuery query = SLUMBER__CONFIG_QUERY__INIT;
        _cleanup_envelope_ Envelope *reply = NULL;
        ENVELOPE(request, CONFIG_QUERY, config_query, &query);
        int r = wire_call(w, &request, &reply, NULL, fail);

        if (r >= 0 && reply->body_case != SLUMBER__ENVELOPE__BODY_CONFIG_LIST)
                r = fail_set(fail, -EPROTO, "the controller answered something else");
        for (size_t i = 0; r >= 0 && i < reply->config_list->n_settings; i++) {
                const Slumber__KeyValue *s = reply->config_list->settings[i];
                if (streq(s->value, "(null)"))
                        continue;
                if (streq(s->key, "BcastExclude"))
                        free_and_strdup(&ret->exclude, s->value);
                else if (streq(s->key, "BcastParameters"))
                        r = bcast_parse_parameters(ret, s->value, fail);
        }
        return r;
}

void bcast_config_done(struct bcast_config *c) {
        free(c->dest_dir);
        free(c->compression);
        free(c->exclude);
}

char *bcast_config_path(const struct bcast_config *c, const char *name) {
        _cleanup_free_ char *here = *name == '/' || c->dest_dir ? NULL : getcwd(NULL, 0);
        const char *folder = *name == '/' ? NULL : c->dest_dir ? c->dest_dir : here;

        return xasprintf("%s%s%s", strempty(folder), folder ? "/" : "", name);
}
