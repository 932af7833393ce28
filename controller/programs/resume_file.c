/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/programs/resume_file.h"

#include "lib/printable.h"

#include <json-c/json.h>

static char *valid_utf8(const char *text) {
        static const char replacement[] = "\xef\xbf\xbd";
        char *clean = xmalloc(strlen(text) * (sizeof replacement - 1) + 1), *to = clean;

        while (*text) {
                size_t n = utf8_length(text);

                memcpy(to, n ? text : replacement, n ? n : sizeof replacement - 1);
                to += n ? n : sizeof replacement - 1;
                text += n ? n : 1;
        }
        *to = 0;
        return clean;
}

static void resume_file_add_text(json_object *object, const char *key, const char *text) {
        _cleanup_free_ char *clean = valid_utf8(text);

        json_object_object_add(object, key, json_object_new_string(clean));
}

static void add_optional(json_object *object, const char *key, const char *text) {
        if (isempty(text))
                json_object_object_add(object, key, NULL);
        else
                resume_file_add_text(object, key, text);
}

static json_object *resume_file_job_object(const struct resume_job *job) {
        json_object *o = json_object_new_object();

        add_optional(o, "extra", job->extra);
        if (job->exclusive)
                resume_file_add_text(o, "exclusive", job->exclusive);
        json_object_object_add(o, "job_id", json_object_new_int64(job->id));
        add_optional(o, "features", job->features);
        resume_file_add_text(o, "nodes_alloc", job->nodes_alloc ? job->nodes_alloc : "");
        resume_file_add_text(o, "nodes_resume", job->nodes_resume ? job->nodes_resume : "");
        resume_file_add_text(o, "oversubscribe", job->oversubscribe ? job->oversubscribe : "OK");
        add_optional(o, "partition", job->partition);
        if (job->exclusive)
                json_object_object_add(o, "priority", json_object_new_int64(job->priority));
        add_optional(o, "reservation", job->reservation);
        return o;
}

char *resume_file_text(const struct resume_job *jobs, size_t n_jobs, const char *all_nodes) {
        json_object *file = json_object_new_object(), *list = json_object_new_array();

        assert(jobs || n_jobs == 0);
        assert(all_nodes);

        for (size_t i = 0; i < n_jobs; i++)
                json_object_array_add(list, resume_file_job_object(&jobs[i]));
        json_object_object_add(file, "jobs", list);
        resume_file_add_text(file, "all_nodes_resume", all_nodes);
        char *text = xstrdup(json_object_to_json_string_ext(file,
                        JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
        json_object_put(file);
        return text;
}
