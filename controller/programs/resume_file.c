/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/programs/resume_file.h"

#include <json-c/json.h>

/* The length of the UTF-8 character at s, 0 when there is none: no overlong forms, no surrogates, nothing
   beyond U+10FFFF. */
static size_t utf8_length(const unsigned char *s) {
        static const struct {
                unsigned char from, to, second_from, second_to;
                size_t length;
        } forms[] = {
                {0x01,  0x7f, 0x00, 0xff, 1},
                { 0xc2, 0xdf, 0x80, 0xbf, 2},
                { 0xe0, 0xe0, 0xa0, 0xbf, 3},
                { 0xe1, 0xec, 0x80, 0xbf, 3},
                { 0xed, 0xed, 0x80, 0x9f, 3},
                { 0xee, 0xef, 0x80, 0xbf, 3},
                { 0xf0, 0xf0, 0x90, 0xbf, 4},
                { 0xf1, 0xf3, 0x80, 0xbf, 4},
                { 0xf4, 0xf4, 0x80, 0x8f, 4},
        };
        size_t f = 0;

        while (f < ELEMENTSOF(forms) && (s[0] < forms[f].from || s[0] > forms[f].to))
                f++;
        if (f == ELEMENTSOF(forms))
                return 0;
        if (forms[f].length > 1 && (s[1] < forms[f].second_from || s[1] > forms[f].second_to))
                return 0;
        for (size_t i = 2; i < forms[f].length; i++)
                if ((s[i] & 0xc0) != 0x80)
                        return 0;
        return forms[f].length;
}

static char *valid_utf8(const char *text) {
        static const char replacement[] = "\xef\xbf\xbd";
        char *clean = xmalloc(strlen(text) * (sizeof replacement - 1) + 1), *to = clean;

        while (*text) {
                size_t n = utf8_length((const unsigned char *)text);

                memcpy(to, n ? text : replacement, n ? n : sizeof replacement - 1);
                to += n ? n : sizeof replacement - 1;
                text += n ? n : 1;
        }
        *to = 0;
        return clean;
}

static void add_text(json_object *object, const char *key, const char *text) {
        _cleanup_free_ char *clean = valid_utf8(text);

        json_object_object_add(object, key, json_object_new_string(clean));
}

static void add_optional(json_object *object, const char *key, const char *text) {
        if (isempty(text))
                json_object_object_add(object, key, NULL);
        else
                add_text(object, key, text);
}

static json_object *job_object(const struct resume_job *job) {
        json_object *o = json_object_new_object();

        add_optional(o, "extra", job->extra);
        json_object_object_add(o, "job_id", json_object_new_int64(job->id));
        add_optional(o, "features", job->features);
        add_text(o, "nodes_alloc", job->nodes_alloc ? job->nodes_alloc : "");
        add_text(o, "nodes_resume", job->nodes_resume ? job->nodes_resume : "");
        add_text(o, "oversubscribe", job->oversubscribe ? job->oversubscribe : "OK");
        add_optional(o, "partition", job->partition);
        add_optional(o, "reservation", job->reservation);
        return o;
}

char *resume_file_text(const struct resume_job *jobs, size_t n_jobs, const char *all_nodes) {
        json_object *file = json_object_new_object(), *list = json_object_new_array();

        assert(jobs || n_jobs == 0);
        assert(all_nodes);

        for (size_t i = 0; i < n_jobs; i++)
                json_object_array_add(list, job_object(&jobs[i]));
        json_object_object_add(file, "jobs", list);
        add_text(file, "all_nodes_resume", all_nodes);
        char *text = xstrdup(json_object_to_json_string_ext(
                        file, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
        json_object_put(file);
        return text;
}
