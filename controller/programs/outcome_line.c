/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/programs/outcome_line.h"

#include "lib/printable.h"

#include <json-c/json.h>

#define DEPTH_MAX 4

struct outcome_line {
        char node[256];
        char text[OUTCOME_TEXT_MAX + 1];
        struct outcome outcome; /* text: the member above, or NULL */
};

struct outcome_feed {
        char line[OUTCOME_LINE_MAX];
        size_t size;
        bool too_long; /* the rest of the line is ignored */
        outcome_on_line *on_line;
        outcome_on_mistake *on_mistake;
        void *user;
};

struct outcome_feed *outcome_feed_new(outcome_on_line *on_line, outcome_on_mistake *on_mistake,
                void *user) {
        struct outcome_feed *f = xnew0(struct outcome_feed, 1);

        f->on_line = on_line;
        f->on_mistake = on_mistake;
        f->user = user;
        return f;
}

struct outcome_feed *outcome_feed_free(struct outcome_feed *f) {
        free(f);
        return NULL;
}

static struct json_object *parse_json(const char *line, size_t size) {
        struct json_tokener *tokener = json_tokener_new_ex(DEPTH_MAX);

        json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
        struct json_object *o = json_tokener_parse_ex(tokener, line, (int)size);
        if (json_tokener_get_error(tokener) != json_tokener_success ||
                        json_tokener_get_parse_end(tokener) < size) {
                json_object_put(o);
                o = NULL;
        }
        json_tokener_free(tokener);
        return o;
}

/* Returns NULL if the key is absent, null, no text, or contains a zero byte. */
static const char *outcome_json_text(struct json_object *o, const char *key) {
        struct json_object *v = NULL;

        if (!json_object_object_get_ex(o, key, &v) || !json_object_is_type(v, json_type_string))
                return NULL;
        const char *text = json_object_get_string(v);
        return strlen(text) == (size_t)json_object_get_string_len(v) ? text : NULL;
}

static int outcome_parse_node(struct json_object *o, struct outcome_line *ret, struct fail *fail) {
        const char *node = outcome_json_text(o, "node");

        if (isempty(node) || strlen(node) >= sizeof ret->node)
                return fail_set(fail, -EINVAL, "\"node\" is not a name");
        for (const char *p = node; *p; p++)
                if (*p <= ' ' || *p > '~')
                        return fail_set(fail, -EINVAL, "\"node\" is not a name");
        strcpy(ret->node, node);
        return 0;
}

static int take_kind(struct json_object *o, struct outcome_line *ret, struct fail *fail) {
        struct json_object *ok = NULL;
        const char *error = outcome_json_text(o, "error");

        if (!json_object_object_get_ex(o, "ok", &ok) || !json_object_is_type(ok, json_type_boolean))
                return fail_set(fail, -EINVAL, "\"ok\" is neither true nor false");
        ret->outcome.kind = OUTCOME_OK;
        if (json_object_get_boolean(ok))
                return 0;
        int kind = error ? outcome_kind_parse(error) : -1;
        if (kind <= OUTCOME_OK)
                return fail_set(fail, -EINVAL,
                                "\"error\" is none of capacity, no-power, no-boot, bad-config, fatal, common");
        ret->outcome.kind = (enum outcome_kind)kind;
        return 0;
}

static int take_pause(struct json_object *o, struct outcome_line *ret, struct fail *fail) {
        const double longest = (double)OUTCOME_PAUSE_MAX / USEC_PER_SEC;
        struct json_object *v = NULL;

        if (!json_object_object_get_ex(o, "retry_after", &v) || !v)
                return 0;
        double seconds = json_object_get_double(v);
        bool number = json_object_is_type(v, json_type_int) ||
                      json_object_is_type(v, json_type_double);
        if (!number || !(seconds >= 0))
                return fail_set(fail, -EINVAL, "\"retry_after\" is not a number of seconds");
        ret->outcome.retry_after = (usec_t)(MIN(seconds, longest) * USEC_PER_SEC);
        return 0;
}

static void outcome_parse_reading(struct json_object *o, struct outcome_line *ret) {
        int seen = node_observed_parse(strempty(outcome_json_text(o, "power")));

        ret->outcome.seen = seen == OBSERVED_OFF || seen == OBSERVED_ON ? (enum node_observed)seen
                                                                        : OBSERVED_NOTHING;
}

/* Takes one line, cut at a character boundary; control characters are made visible. */
static void take_text(struct json_object *o, struct outcome_line *ret) {
        char line[sizeof ret->text];
        const char *text = outcome_json_text(o, "text");
        size_t n = text ? strlen(text) : 0;

        if (n > OUTCOME_TEXT_MAX)
                for (n = OUTCOME_TEXT_MAX; n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80;)
                        n--;
        for (size_t i = 0; i < n; i++)
                line[i] = (unsigned char)text[i] < ' ' || text[i] == 0x7f ? ' ' : text[i];
        line[n] = '\0';
        printable_copy(ret->text, sizeof ret->text, line);
        ret->outcome.text = n ? ret->text : NULL;
}

/* size excludes the newline.  -EINVAL with fail: invalid line. */
static int outcome_parse_line(const char *line, size_t size, struct outcome_line *ret,
                struct fail *fail) {
        struct json_object *o = size < OUTCOME_LINE_MAX ? parse_json(line, size) : NULL;

        memset(ret, 0, sizeof *ret);
        if (!o || !json_object_is_type(o, json_type_object)) {
                json_object_put(o);
                return fail_set(fail, -EINVAL, "not a JSON object");
        }
        int r = outcome_parse_node(o, ret, fail);
        if (r >= 0)
                r = take_kind(o, ret, fail);
        if (r >= 0)
                r = take_pause(o, ret, fail);
        if (r >= 0) {
                outcome_parse_reading(o, ret);
                take_text(o, ret);
        }
        json_object_put(o);
        return r;
}

static void outcome_feed_end_line(struct outcome_feed *f) {
        struct outcome_line line;
        struct fail fail = { 0 };

        if (f->too_long)
                (void)fail_set(&fail, -EINVAL, "longer than %d bytes", OUTCOME_LINE_MAX - 1);
        else if (f->size && outcome_parse_line(f->line, f->size, &line, &fail) >= 0)
                f->on_line(line.node, &line.outcome, f->user);
        if (*fail.text)
                f->on_mistake(&fail, f->user);
        f->size = 0;
        f->too_long = false;
}

void outcome_feed_add(struct outcome_feed *f, const char *data, size_t size) {
        while (size) {
                const char *newline = memchr(data, '\n', size);
                size_t n = newline ? (size_t)(newline - data) : size;

                if (f->size + n >= OUTCOME_LINE_MAX)
                        f->too_long = true;
                else
                        memcpy(f->line + f->size, data, n);
                f->size = f->too_long ? 0 : f->size + n;
                if (!newline)
                        return;
                outcome_feed_end_line(f);
                data += n + 1;
                size -= n + 1;
        }
}

void outcome_feed_end(struct outcome_feed *f) {
        outcome_feed_end_line(f);
}
