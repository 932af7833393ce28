/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of functions for each format: JSON is printed by json-c, YAML by libyaml's emitter. Texts
 * are quoted in YAML, so that "123", "no" and "" stay texts; keys, numbers, null, true and false
 * are plain. */
#include "commands/document.h"
#include "lib/options.h"

#include <json-c/json.h>
#include <yaml.h>

struct form {
        void (*begin)(FILE *out);
        void (*key)(const char *key, bool first);
        void (*begin_list)(void);
        void (*record)(struct json_object *o, bool first);
        void (*end_list)(void);
        void (*value)(struct json_object *o);
        void (*end)(void);
};

/* ---- JSON ---- */

static FILE *json_out;

static void json_value(struct json_object *o) {
        fputs(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
                                                                JSON_C_TO_STRING_NOSLASHESCAPE),
                        json_out);
}

static void json_begin(FILE *out) {
        json_out = out;
        fputs("{\n", out);
}

static void json_key(const char *key, bool first) {
        fprintf(json_out, "%s\"%s\": ", first ? "" : ",\n", key);
}

static void json_begin_list(void) {
        fputs("[\n", json_out);
}

static void json_record(struct json_object *o, bool first) {
        if (!first)
                fputs(",\n", json_out);
        json_value(o);
}

static void json_close_list(void) {
        fputs("\n]", json_out);
}

static void json_end(void) {
        fputs("\n}\n", json_out);
}

static const struct form json_form = {
        json_begin,
        json_key,
        json_begin_list,
        json_record,
        json_close_list,
        json_value,
        json_end,
};

/* ---- YAML ---- */

static yaml_emitter_t emitter;

static void yaml_emit(yaml_event_t *event) {
        if (!yaml_emitter_emit(&emitter, event)) {
                fprintf(stderr, "cannot write YAML: %s\n", strempty(emitter.problem));
                exit(EXIT_FAILURE);
        }
}

static void yaml_emit_scalar(const char *text, bool quoted) {
        yaml_event_t event;

        yaml_scalar_event_initialize(&event, NULL, NULL, (const yaml_char_t *)text,
                        (int)strlen(text), !quoted, quoted,
                        quoted ? YAML_DOUBLE_QUOTED_SCALAR_STYLE : YAML_PLAIN_SCALAR_STYLE);
        yaml_emit(&event);
}

static void yaml_begin_sequence(void) {
        yaml_event_t event;

        yaml_sequence_start_event_initialize(&event, NULL, NULL, 1, YAML_BLOCK_SEQUENCE_STYLE);
        yaml_emit(&event);
}

static void yaml_end_sequence(void) {
        yaml_event_t event;

        yaml_sequence_end_event_initialize(&event);
        yaml_emit(&event);
}

static void yaml_begin_mapping(void) {
        yaml_event_t event;

        yaml_mapping_start_event_initialize(&event, NULL, NULL, 1, YAML_BLOCK_MAPPING_STYLE);
        yaml_emit(&event);
}

static void yaml_end_mapping(void) {
        yaml_event_t event;

        yaml_mapping_end_event_initialize(&event);
        yaml_emit(&event);
}

/* Recursion is limited by the nesting of protocol messages: a few levels. */
static void yaml_value(struct json_object *o) {
        switch (json_object_get_type(o)) {
        case json_type_object:
                yaml_begin_mapping();
                json_object_object_foreach(o, key, value) {
                        yaml_emit_scalar(key, false);
                        yaml_value(value);
                }
                yaml_end_mapping();
                break;
        case json_type_array:
                yaml_begin_sequence();
                for (size_t i = 0; i < json_object_array_length(o); i++)
                        yaml_value(json_object_array_get_idx(o, i));
                yaml_end_sequence();
                break;
        case json_type_string:
                yaml_emit_scalar(json_object_get_string(o), true);
                break;
        case json_type_null:
        case json_type_boolean:
        case json_type_int:
        case json_type_double:
                yaml_emit_scalar(o ? json_object_to_json_string(o) : "null", false);
                break;
        }
}

static void yaml_begin(FILE *out) {
        yaml_event_t event;

        yaml_emitter_initialize(&emitter);
        yaml_emitter_set_output_file(&emitter, out);
        yaml_emitter_set_unicode(&emitter, 1);
        yaml_emitter_set_width(&emitter, -1);
        yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING);
        yaml_emit(&event);
        yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 0);
        yaml_emit(&event);
        yaml_begin_mapping();
}

static void yaml_key(const char *key, bool first) {
        yaml_emit_scalar(key, false);
}

static void yaml_record(struct json_object *o, bool first) {
        yaml_value(o);
}

static void yaml_end(void) {
        yaml_event_t event;

        yaml_end_mapping();
        yaml_document_end_event_initialize(&event, 1);
        yaml_emit(&event);
        yaml_stream_end_event_initialize(&event);
        yaml_emit(&event);
        yaml_emitter_delete(&emitter);
}

static const struct form yaml_form = {
        yaml_begin,
        yaml_key,
        yaml_begin_sequence,
        yaml_record,
        yaml_end_sequence,
        yaml_value,
        yaml_end,
};

/* ---- a document in the chosen format ---- */

static const struct form *form = &json_form;
static bool first_record;

static void form_begin(const char *key, FILE *out) {
        form->begin(out);
        form->key(key, true);
}

void document_begin_list(const char *key, FILE *out) {
        form_begin(key, out);
        form->begin_list();
        first_record = true;
}

void document_record(struct json_object *o) {
        form->record(o, first_record);
        first_record = false;
        json_object_put(o);
}

void document_end_list(void) {
        form->end_list();
}

void document_begin(const char *key, struct json_object *o, FILE *out) {
        form_begin(key, out);
        form->value(o);
        json_object_put(o);
}

void document_value(const char *key, struct json_object *o) {
        form->key(key, false);
        form->value(o);
        json_object_put(o);
}

void document_end(void) {
        form->end();
}

/* ---- options ---- */

/* Versions in Slurm 25.05; all have equal keys. */
static const char *const parsers[] = { "v0.0.40", "v0.0.41", "v0.0.42", "v0.0.43" };

static int form_choose_parser(const struct form *to, bool *field, const char *value,
                struct fail *fail) {
        const char *name = value && strncmp(value, "data_parser/", 12) == 0 ? value + 12 : value;
        size_t i = 0;

        if (value && streq(value, "list")) {
                puts("Possible data_parser plugins:");
                for (i = 0; i < ELEMENTSOF(parsers); i++)
                        printf("data_parser/%s\n", parsers[i]);
                return OPTIONS_DONE;
        }
        while (name && i < ELEMENTSOF(parsers) && !streq(parsers[i], name))
                i++;
        if (i == ELEMENTSOF(parsers))
                return fail_set(fail, -EINVAL, "there is no data parser \"%s\", only %s to %s",
                                value, parsers[0], parsers[i - 1]);
        form = to;
        *field = true;
        return 0;
}

int document_as_json(void *field, const char *value, struct fail *fail) {
        return form_choose_parser(&json_form, field, value, fail);
}

int document_as_yaml(void *field, const char *value, struct fail *fail) {
        return form_choose_parser(&yaml_form, field, value, fail);
}
