/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --json by reflection: each field of a message becomes a key with its name, so that a new field of
 * the protocol appears without further code. Three tables have the exceptions that clients expect:
 * another name, a list instead of a text, or Slurm's object for numbers that may be unset
 * ({"set":..,"infinite":..,"number":..}). A job's JobSpec is merged into the job, as clients
 * expect. */
#include "commands/json.h"

#include "commands/document.h"
#include "commands/job_text.h"
#include "commands/node_text.h"
#include "lib/printable.h"

#include <json-c/json.h>

enum shape {
        SHAPE_PLAIN,
        SHAPE_TIME,    /* usec since 1970 -> number object in seconds */
        SHAPE_MINUTES, /* usec -> number object in minutes, NO_LIMIT is infinite */
        SHAPE_SECONDS, /* usec -> plain seconds */
        SHAPE_SPAN,    /* usec -> number object in seconds, NO_LIMIT is infinite */
        SHAPE_COUNT,   /* number object */
        SHAPE_WORDS,   /* "a,b" -> list */
        SHAPE_STATE,   /* "A+B" -> list */
        SHAPE_EXIT,    /* wait status -> {"return_code":..,"signal":..} */
        SHAPE_DROP,    /* contained in another key */
};
struct rename {
        const char *field, *key; /* key NULL: the field's name */
        enum shape shape;
};

static const struct rename job_names[] = {
        { "id", "job_id", SHAPE_PLAIN },
        { "uid", "user_id", SHAPE_PLAIN },
        { "gid", "group_id", SHAPE_PLAIN },
        { "user", "user_name", SHAPE_PLAIN },
        { "group", "group_name", SHAPE_PLAIN },
        { "state", NULL, SHAPE_DROP },
        { "reason", NULL, SHAPE_DROP },
        { "reason_name", "state_reason", SHAPE_PLAIN },
        { "reason_text", "state_description", SHAPE_PLAIN },
        { "priority", NULL, SHAPE_COUNT },
        { "submit_time", NULL, SHAPE_TIME },
        { "eligible_time", NULL, SHAPE_TIME },
        { "accrue_time", NULL, SHAPE_TIME },
        { "start_time", NULL, SHAPE_TIME },
        { "end_time", NULL, SHAPE_TIME },
        { "resize_time", NULL, SHAPE_TIME },
        { "resize_ran", NULL, SHAPE_DROP },
        { "suspend_time", NULL, SHAPE_TIME },
        { "pre_suspend", "pre_sus_time", SHAPE_SECONDS },
        { "run_time", NULL, SHAPE_SECONDS },
        { "time_limit", NULL, SHAPE_MINUTES },
        { "last_sched_eval", "last_sched_evaluation", SHAPE_TIME },
        { "restarts", "restart_cnt", SHAPE_PLAIN },
        { "num_nodes", "node_count", SHAPE_COUNT },
        { "num_cpus", "cpus", SHAPE_COUNT },
        { "exit_code", NULL, SHAPE_EXIT },
        { "derived_exit_code", NULL, SHAPE_EXIT },
        { "sched_nodes", "scheduled_nodes", SHAPE_PLAIN },
        { "preempt_time", NULL, SHAPE_TIME },
        { "preempt_eligible_time", "preemptable_time", SHAPE_TIME },
        { "resume_expected", NULL, SHAPE_TIME },
        { "grace_end", NULL, SHAPE_TIME },
        { "mem_per_node", "memory_per_node", SHAPE_COUNT },
        { "mem_per_cpu", "memory_per_cpu", SHAPE_COUNT },
        { "configure_time", NULL, SHAPE_TIME },
        { "begin_time", NULL, SHAPE_TIME },
        { "deadline", NULL, SHAPE_TIME },
        { "num_tasks", "tasks", SHAPE_COUNT },
        { "cpus_per_task", NULL, SHAPE_COUNT },
        { "ntasks_per_node", "tasks_per_node", SHAPE_COUNT },
        { "req_nodes", "required_nodes", SHAPE_PLAIN },
        { "exc_nodes", "excluded_nodes", SHAPE_PLAIN },
        { "work_dir", "current_working_directory", SHAPE_PLAIN },
        { "std_in", NULL, SHAPE_DROP },
        { "std_out", NULL, SHAPE_DROP },
        { "std_err", NULL, SHAPE_DROP },
        { "batch", "batch_flag", SHAPE_PLAIN },
        { "submit_host", "allocating_node", SHAPE_PLAIN },
        { "hold", NULL, SHAPE_PLAIN },
        { "depends", "dependency", SHAPE_PLAIN },
        { "dependency", NULL, SHAPE_DROP }, /* as requested */
        { "array", NULL, SHAPE_DROP },
        { "array_job", "array_job_id", SHAPE_COUNT },
        { "array_task", "array_task_id", SHAPE_COUNT },
        { "array_waiting", "array_task_string", SHAPE_PLAIN },
        { "array_limit", "array_max_tasks", SHAPE_COUNT },
        { "array_failed", NULL, SHAPE_DROP },
        { "het_job", "het_job_id", SHAPE_COUNT },
        { "het_offset", "het_job_offset", SHAPE_COUNT },
        { "het_size", "het_job_size", SHAPE_COUNT },
        { "energy", NULL, SHAPE_DROP }, /* in tres_alloc_str */
        { "draws", NULL, SHAPE_DROP },
        { "batch_energy", NULL, SHAPE_DROP },
        { "holder_pid", NULL, SHAPE_DROP }, /* internal, like the next two */
        { "holder_start", NULL, SHAPE_DROP },
        { "holder_space", NULL, SHAPE_DROP },
        { "spec", NULL, SHAPE_DROP }, /* merged into the job */
        { "delay_boot", NULL, SHAPE_SECONDS },
        { "core_spec", NULL, SHAPE_DROP },
        { "thread_spec", NULL, SHAPE_DROP },
};
static const struct rename node_names[] = {
        { "state_text", "state", SHAPE_STATE },
        { "features", NULL, SHAPE_WORDS },
        { "active_features", NULL, SHAPE_WORDS },
        { "reason_time", "reason_changed_at", SHAPE_TIME },
        { "reason_user", "reason_set_by_user", SHAPE_PLAIN },
        { "boot_time", NULL, SHAPE_TIME },
        { "start_time", "slurmd_start_time", SHAPE_TIME },
        { "last_busy", NULL, SHAPE_TIME },
        { "last_response", NULL, SHAPE_TIME },
        { "energy", NULL, SHAPE_DROP }, /* replaced by Slurm's energy object */
        { "power_request", NULL, SHAPE_TIME },
        { "suspended_at", NULL, SHAPE_TIME },
        { "observed_at", NULL, SHAPE_TIME },
        { "off_read_at", NULL, SHAPE_TIME },
        { "deadline", NULL, SHAPE_TIME },
        { "retry_at", NULL, SHAPE_TIME },
        { "resume_after", NULL, SHAPE_TIME },
        { "suspend_time", NULL, SHAPE_DROP }, /* in power: suspend_time in force */
        { "confirmed", NULL, SHAPE_TIME },
        { "cpus_alloc", "alloc_cpus", SHAPE_PLAIN },
        { "cpus_effective", "effective_cpus", SHAPE_PLAIN },
        { "core_spec", "specialized_cores", SHAPE_PLAIN },
        { "cpu_spec", "specialized_cpus", SHAPE_PLAIN },
        { "mem_spec", "specialized_memory", SHAPE_PLAIN },
        { "mem_alloc", "alloc_memory", SHAPE_PLAIN },
        { "lost_since", NULL, SHAPE_TIME },
        { "bmc_power", NULL, SHAPE_DROP }, /* replaced by a word, like the next two */
        { "next", NULL, SHAPE_DROP },
        { "owner", NULL, SHAPE_DROP },
        { "tres", NULL, SHAPE_DROP }, /* replaced by the complete TRES */
        { "tres_alloc", NULL, SHAPE_DROP },
        { "alike", NULL, SHAPE_DROP }, /* internal, like the following */
        { "n_alike", NULL, SHAPE_DROP },
        { "billing", NULL, SHAPE_DROP },
        { "clock_set", NULL, SHAPE_DROP },
        { "sharing_cpus", NULL, SHAPE_DROP },
};
static const struct rename partition_names[] = {
        { "max_time", NULL, SHAPE_MINUTES },
        { "default_time", NULL, SHAPE_MINUTES },
        { "max_nodes", NULL, SHAPE_COUNT },
        { "max_cpus_per_node", NULL, SHAPE_COUNT },
};
static const struct rename power_names[] = {
        { "since", NULL, SHAPE_TIME },
        { "deadline", NULL, SHAPE_TIME },
        { "suspend_time", NULL, SHAPE_SPAN },
        { "suspend_timeout", NULL, SHAPE_SPAN },
        { "resume_timeout", NULL, SHAPE_SPAN },
};
static const struct rename reservation_names[] = {
        { "start_time", NULL, SHAPE_TIME },
        { "end_time", NULL, SHAPE_TIME },
        { "nodes", "node_list", SHAPE_PLAIN },
        { "num_nodes", "node_count", SHAPE_PLAIN },
        { "num_cores", "core_count", SHAPE_PLAIN },
        { "flags_text", "flags", SHAPE_WORDS },
        { "max_start_delay", NULL, SHAPE_SECONDS },
        { "purge", NULL, SHAPE_DROP },
        { "flags", NULL, SHAPE_DROP }, /* internal, like the following */
        { "node_count", NULL, SHAPE_DROP },
        { "idle_since", NULL, SHAPE_DROP },
        { "creator", NULL, SHAPE_DROP },
        { "ahead", NULL, SHAPE_DROP },
        { "over", NULL, SHAPE_DROP },
};
#define FIELDS_MAX 128 /* maximum fields of a message */
struct names {
        const struct rename *rows;
        size_t n;
        const struct rename *const *
                        /* Entry for each field of the message, to avoid searching for each
                           record; or NULL */
                        index;
};
static const struct names no_names;

/* A job's name may have any bytes, but JSON is UTF-8: invalid bytes become U+FFFD. */
static json_object *any_text(const char *s) {
        _cleanup_free_ char *out = xmalloc(3 * strlen(s) + 1);
        size_t used = 0, n;

        for (const char *p = s; *p; p += MAX(n, (size_t)1)) {
                n = utf8_length(p);
                memcpy(out + used, n ? p : "\xef\xbf\xbd", n ? n : 3);
                used += n ? n : 3;
        }
        return json_object_new_string_len(out, (int)used);
}

struct json_object *json_text(const char *s) {
        return any_text(s ? s : "");
}

static struct json_object *json_uint(uint64_t n) {
        return json_object_new_uint64(n);
}

struct json_object *json_number_object(bool set, bool infinite, uint64_t value) {
        struct json_object *o = json_object_new_object();

        json_object_object_add(o, "set", json_object_new_boolean(set));
        json_object_object_add(o, "infinite", json_object_new_boolean(infinite));
        json_object_object_add(o, "number", json_uint(set && !infinite ? value : 0));
        return o;
}

static struct json_object *json_words(const char *s, const char *separators) {
        struct json_object *list = json_object_new_array();

        for (const char *p = s ? s : ""; *p;) {
                size_t n = strcspn(p, separators);

                if (n)
                        json_object_array_add(list, json_object_new_string_len(p, (int)n));
                p += n + (p[n] != 0);
        }
        return list;
}

/* ---- reflection ---- */

static struct names message_names(const ProtobufCMessage *child) {
        return child->descriptor == &slumber__power__descriptor
                               ? (struct names){ power_names, ELEMENTSOF(power_names), NULL }
                               : no_names;
}

static struct json_object *message_object(const ProtobufCMessage *message, struct names names);

static size_t element_size(ProtobufCType type) {
        static const size_t sizes[] = {
                [PROTOBUF_C_TYPE_INT64] = 8,
                [PROTOBUF_C_TYPE_SINT64] = 8,
                [PROTOBUF_C_TYPE_SFIXED64] = 8,
                [PROTOBUF_C_TYPE_UINT64] = 8,
                [PROTOBUF_C_TYPE_FIXED64] = 8,
                [PROTOBUF_C_TYPE_DOUBLE] = 8,
                [PROTOBUF_C_TYPE_BOOL] = sizeof(protobuf_c_boolean),
                [PROTOBUF_C_TYPE_STRING] = sizeof(char *),
                [PROTOBUF_C_TYPE_MESSAGE] = sizeof(void *),
                [PROTOBUF_C_TYPE_BYTES] = sizeof(ProtobufCBinaryData),
        };

        return (size_t)type < ELEMENTSOF(sizes) && sizes[type] ? sizes[type] : 4;
}

static uint64_t integer_at(ProtobufCType type, const void *at) {
        return element_size(type) == 8 ? *(const uint64_t *)at : *(const uint32_t *)at;
}

static struct json_object *value_at(const ProtobufCFieldDescriptor *f, const void *at) {
        const ProtobufCMessage *child;

        switch (f->type) {
        case PROTOBUF_C_TYPE_STRING:
                return json_text(*(char *const *)at);
        case PROTOBUF_C_TYPE_BOOL:
                return json_object_new_boolean(*(const protobuf_c_boolean *)at);
        case PROTOBUF_C_TYPE_INT32:
        case PROTOBUF_C_TYPE_SINT32:
        case PROTOBUF_C_TYPE_SFIXED32:
                return json_object_new_int(*(const int32_t *)at);
        case PROTOBUF_C_TYPE_INT64:
        case PROTOBUF_C_TYPE_SINT64:
        case PROTOBUF_C_TYPE_SFIXED64:
                return json_object_new_int64(*(const int64_t *)at);
        case PROTOBUF_C_TYPE_MESSAGE:
                child = *(ProtobufCMessage *const *)at;
                return child ? message_object(child, message_names(child)) : NULL;
        case PROTOBUF_C_TYPE_BYTES:
                return json_uint(((const ProtobufCBinaryData *)at)
                                                 /* size: scripts are not shown */
                                                 ->len);
        case PROTOBUF_C_TYPE_FLOAT:
                return json_object_new_double((double)*(const float *)at);
        case PROTOBUF_C_TYPE_DOUBLE:
                return json_object_new_double(*(const double *)at);
        case PROTOBUF_C_TYPE_UINT32:
        case PROTOBUF_C_TYPE_FIXED32:
        case PROTOBUF_C_TYPE_UINT64:
        case PROTOBUF_C_TYPE_FIXED64:
        case PROTOBUF_C_TYPE_ENUM:
                break;
        }
        return json_uint(integer_at(f->type, at));
}

static struct json_object *repeated_values(const ProtobufCFieldDescriptor *f, const char *base) {
        struct json_object *list = json_object_new_array();
        size_t n = *(const size_t *)(const void *)(base + f->quantifier_offset);
        const char *items = *(const char *const *)(const void *)(base + f->offset);

        for (size_t i = 0; i < n; i++)
                json_object_array_add(list, value_at(f, items + i * element_size(f->type)));
        return list;
}

static struct json_object *shaped_value(enum shape shape, const ProtobufCFieldDescriptor *f,
                const void *at) {
        uint64_t n = f->type == PROTOBUF_C_TYPE_STRING ? 0 : integer_at(f->type, at);
        bool none = n == NO_LIMIT || (f->type == PROTOBUF_C_TYPE_UINT32 && n == UINT32_MAX);
        struct json_object *o;

        switch (shape) {
        case SHAPE_TIME:
                return json_number_object(n != 0, none, n / USEC_PER_SEC);
        case SHAPE_MINUTES:
                return json_number_object(n != 0, none, n / USEC_PER_SEC / 60);
        case SHAPE_SPAN: /* 0 is a value, too */
                return json_number_object(true, none, n / USEC_PER_SEC);
        case SHAPE_SECONDS:
                return json_uint(n / USEC_PER_SEC);
        case SHAPE_COUNT:
                return json_number_object(true, none, n);
        case SHAPE_WORDS:
                return json_words(*(char *const *)at, ",&|");
        case SHAPE_STATE:
                return json_words(*(char *const *)at, "+");
        case SHAPE_EXIT:
                o = json_object_new_object();
                json_object_object_add(o, "return_code",
                                json_number_object(true, false, n >> 8 & 0xff));
                json_object_object_add(o, "signal", json_uint(n & 0x7f));
                return o;
        case SHAPE_PLAIN:
        case SHAPE_DROP:
                break;
        }
        return value_at(f, at);
}

static const struct rename *rename_of(struct names names, const char *field) {
        for (const struct rename *row = names.rows; row < names.rows + names.n; row++)
                if (streq(row->field, field))
                        return row;
        return NULL;
}

static struct names names_index(const struct rename *rows, size_t n,
                const ProtobufCMessageDescriptor *descriptor,
                const struct rename *index[FIELDS_MAX]) {
        struct names names = { rows, n, NULL };

        assert(descriptor->n_fields <= FIELDS_MAX);
        for (unsigned i = 0; i < descriptor->n_fields; i++)
                index[i] = rename_of(names, descriptor->fields[i].name);
        names.index = index;
        return names;
}

/* Adds the fields of message that are not yet in o. */
static void add_fields(struct json_object *o, const ProtobufCMessage *message, struct names names) {
        for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
                const ProtobufCFieldDescriptor *f = &message->descriptor->fields[i];
                const struct rename *rename = names.index ? names.index[i]
                                                          : rename_of(names, f->name);
                enum shape shape = rename ? rename->shape : SHAPE_PLAIN;
                const char *key = rename && rename->key ? rename->key : f->name;
                const char *base = (const char *)message;

                if (shape == SHAPE_DROP || json_object_object_get_ex(o, key, NULL))
                        continue;
                json_object_object_add(o, key,
                                f->label == PROTOBUF_C_LABEL_REPEATED
                                                ? repeated_values(f, base)
                                                : shaped_value(shape, f, base + f->offset));
        }
}

static struct json_object *message_object(const ProtobufCMessage *message, struct names names) {
        struct json_object *o = json_object_new_object();

        add_fields(o, message, names);
        return o;
}

/* ---- documents ---- */

struct job_names {
        struct names job, spec;
};

/* null: determined by the nodes */
static void json_add_spec(struct json_object *o, const Slumber__JobSpec *spec) {
        const bool threads = spec && spec->thread_spec, cores = spec && spec->core_spec;

        json_object_object_add(o, "core_spec", cores ? json_uint(spec->core_spec - 1) : NULL);
        json_object_object_add(o, "thread_spec", threads ? json_uint(spec->thread_spec) : NULL);
}

static struct json_object *json_job_object(const Job *job, const struct job_names *names) {
        struct json_object *o = message_object(&job->base, names->job),
                           *states = json_object_new_array();
        struct scratch s = { 0 };
        int shown = job_shown(job);

        if (job->spec)
                add_fields(o, &job->spec->base, names->spec);
        json_add_spec(o, job->spec);
        json_object_array_add(states, json_text(job_shown_long((int)job->state)));
        if (shown != (int)job->state)
                json_object_array_add(states, json_text(job_shown_long(shown)));
        json_object_object_add(o, "job_state", states);
        json_object_object_add(o, "standard_input", json_text(job_shown_file(job, JOB_STDIN, &s)));
        json_object_object_add(o, "standard_output",
                        json_text(job_shown_file(job, JOB_STDOUT, &s)));
        json_object_object_add(o, "standard_error", json_text(job_shown_file(job, JOB_STDERR, &s)));
        json_object_object_add(o, "tres_req_str", json_text(job_tres(job, false, &s)));
        json_object_object_add(o, "tres_alloc_str",
                        json_text(isempty(job->nodes) ? "" : job_tres(job, true, &s)));
        scratch_done(&s);
        return o;
}

/* Slurm's object, and Slumber's saved energy; watts and joules. */
static struct json_object *energy_object(const Slumber__Energy *e, uint32_t heartbeat) {
        struct json_object *o = json_object_new_object();
        bool known = e && e->from && e->at > e->from;

        json_object_object_add(o, "average_watts",
                        json_uint(known ? (uint64_t)((double)e->used * 1000 /
                                                          (double)(e->at - e->from))
                                        : 0));
        json_object_object_add(o, "consumed_energy", json_uint(e ? e->used / 1000 : 0));
        json_object_object_add(o, "saved_energy", json_uint(e ? e->saved / 1000 : 0));
        json_object_object_add(o, "current_watts",
                        json_number_object(heartbeat || (e && e->from), false,
                                        heartbeat ? heartbeat
                                        : e       ? e->draws / 1000
                                                  : 0));
        json_object_object_add(o, "last_collected", json_uint(e ? e->at / USEC_PER_SEC : 0));
        return o;
}

/* INVALID is Slurm's word for a reboot without a requested state. */
static struct json_object *state_after_reboot(const Node *node) {
        const char *next = node_next_word(node);

        return json_words(next ? next : "INVALID", ",");
}

/* Adds texts under Slurm's keys which the record has in parts. */
static void add_node_texts(struct json_object *o, const Node *node) {
        _cleanup_free_ char *tres = node_tres_text(node), *used = node_tres_used_text(node);
        const char *owner = strempty(node->owner); /* "alice(1000)" */

        json_object_object_add(o, "tres", json_text(tres));
        json_object_object_add(o, "tres_used", json_text(used));
        json_object_object_add(o, "owner",
                        json_object_new_string_len(owner, (int)strcspn(owner, "(")));
        json_object_object_add(o, "bmc_power", json_text(node_bmc_word(node)));
        json_object_object_add(o, "next_state_after_reboot", state_after_reboot(node));
}

static struct json_object *json_node_object(const Node *node, struct names names) {
        struct json_object *o = message_object(&node->base, names);
        const Slumber__Hardware *now = node->registered, *h = node->configured;

        if (h) {
                json_object_object_add(o, "cpus", json_uint(h->cpus));
                json_object_object_add(o, "boards", json_uint(h->boards));
                json_object_object_add(o, "sockets", json_uint(h->sockets));
                json_object_object_add(o, "cores", json_uint(h->cores));
                json_object_object_add(o, "threads", json_uint(h->threads));
                json_object_object_add(o, "real_memory", json_uint(h->real_memory));
                json_object_object_add(o, "temporary_disk", json_uint(h->tmp_disk));
        }
        add_node_texts(o, node);
        json_object_object_add(o, "alloc_idle_cpus",
                        json_uint(node_cpus(node) - MIN(node->cpus_alloc, node_cpus(node))));
        json_object_object_add(o, "energy", energy_object(node->energy, node->watts));
        json_object_object_add(o, "architecture", json_text(now ? now->arch : ""));
        json_object_object_add(o, "operating_system", json_text(now ? now->os : ""));
        json_object_object_add(o, "cpu_load", json_uint(now ? now->load : 0));
        json_object_object_add(o, "free_mem",
                        json_number_object(now != NULL, false, now ? now->free_memory : 0));
        return o;
}

static struct json_object *meta_object(void) {
        struct json_object *o = json_object_new_object(), *slurm = json_object_new_object();
        struct json_object *version = json_object_new_object();
        static const char *const parts[] = { "major", "minor", "micro" };
        const char *p = SLURM_VERSION;

        for (size_t i = 0; i < ELEMENTSOF(parts); i++) {
                size_t n = strcspn(p, ".");

                json_object_object_add(version, parts[i], json_object_new_string_len(p, (int)n));
                p += n + (p[n] != 0);
        }
        json_object_object_add(slurm, "version", version);
        json_object_object_add(slurm, "release", json_text(SLURM_VERSION));
        json_object_object_add(o, "slurm", slurm);
        json_object_object_add(o, "slumber", json_text(SLUMBER_VERSION));
        return o;
}

/* Ends a document with the values that follow the records. */
static void end_document(usec_t now) {
        document_value("last_update", json_number_object(now != 0, false, now / USEC_PER_SEC));
        document_value("meta", meta_object());
        document_value("errors", json_object_new_array());
        document_value("warnings", json_object_new_array());
        document_end();
}

void json_end_list(usec_t now) {
        document_end_list();
        end_document(now);
}

void json_print_object(const char *key, struct json_object *o, usec_t now, FILE *out) {
        document_begin(key, o, out);
        end_document(now);
}

struct json_jobs {
        FILE *out;
        size_t n;
        const struct rename *job_index[FIELDS_MAX], *spec_index[FIELDS_MAX];
        struct job_names names;
};

struct json_jobs *json_jobs_new(FILE *out) {
        struct json_jobs *j = xnew0(struct json_jobs, 1);

        j->out = out;
        j->names = (struct job_names){
                names_index(job_names, ELEMENTSOF(job_names), &slumber__job__descriptor,
                                j->job_index),
                names_index(job_names, ELEMENTSOF(job_names), &slumber__job_spec__descriptor,
                                j->spec_index),
        };
        return j;
}

void json_jobs_add(struct json_jobs *j, const Job *job) {
        if (j->n++ == 0)
                document_begin_list("jobs", j->out);
        document_record(json_job_object(job, &j->names));
}

void json_jobs_end(struct json_jobs *j, usec_t now) {
        if (j->n == 0)
                document_begin_list("jobs", j->out);
        json_end_list(now);
}

struct json_jobs *json_jobs_free(struct json_jobs *j) {
        free(j);
        return NULL;
}

void json_print_nodes(const Node *const *nodes, size_t n, usec_t now, FILE *out) {
        const struct rename *index[FIELDS_MAX];
        struct names names = names_index(node_names, ELEMENTSOF(node_names),
                        &slumber__node__descriptor, index);

        document_begin_list("nodes", out);
        for (size_t i = 0; i < n; i++)
                document_record(json_node_object(nodes[i], names));
        json_end_list(now);
}

void json_print_power(const Node *const *nodes, size_t n, usec_t now, FILE *out) {
        document_begin_list("power", out);
        for (size_t i = 0; i < n; i++) {
                if (!nodes[i]->power)
                        continue;
                struct json_object *o = message_object(&nodes[i]->power->base,
                                message_names(&nodes[i]->power->base));
                json_object_object_add(o, "state", json_words(nodes[i]->state_text, "+"));
                json_object_object_add(o, "veto", json_text(nodes[i]->veto));
                json_object_object_add(o, "bmc_power", json_text(node_bmc_word(nodes[i])));
                json_object_object_add(o, "observed_at",
                                json_number_object(nodes[i]->observed_at != 0, false,
                                                nodes[i]->observed_at / USEC_PER_SEC));
                document_record(o);
        }
        json_end_list(now);
}

void json_print_reservations(const Slumber__ReservationList *list, FILE *out) {
        struct names names = { reservation_names, ELEMENTSOF(reservation_names), NULL };

        document_begin_list("reservations", out);
        for (size_t i = 0; i < list->n_reservations; i++) {
                const Slumber__Reservation *r = list->reservations[i];
                struct json_object *o = message_object(&r->base, names),
                                   *purge = json_object_new_object();
                json_object_object_add(purge, "time",
                                json_number_object(r->purge != 0, false, r->purge / USEC_PER_SEC));
                json_object_object_add(o, "purge_completed", purge);
                document_record(o);
        }
        json_end_list(list->now);
}

void json_print_accounts(const char *name, const Slumber__AcctList *list, bool first, FILE *out) {
        if (first)
                document_begin_list(name, out);
        for (size_t i = 0; i < list->n_rows; i++) {
                struct json_object *o = json_object_new_object();
                for (size_t k = 0; k < list->n_columns && k < list->rows[i]->n_values; k++) {
                        char key[64];
                        snprintf(key, sizeof key, "%s", list->columns[k]);
                        for (char *p = key; *p; p++)
                                *p |= *p >= 'A' && *p <= 'Z' ? 0x20 : 0;
                        json_object_object_add(o, key, json_text(list->rows[i]->values[k]));
                }
                document_record(o);
        }
}

void json_end_accounts(void) {
        json_end_list(0);
}

/* Like slurmrestd: plain numbers, 0 for a missing end. */
void json_print_instances(Slumber__Instance *const *instances, size_t n, usec_t now, FILE *out) {
        document_begin_list("instances", out);
        for (size_t i = 0; i < n; i++) {
                struct json_object *o = json_object_new_object(), *time = json_object_new_object();
                json_object_object_add(o, "cluster", json_text(instances[i]->cluster));
                json_object_object_add(o, "extra", json_text(instances[i]->extra));
                json_object_object_add(o, "instance_id", json_text(instances[i]->instance_id));
                json_object_object_add(o, "instance_type", json_text(instances[i]->instance_type));
                json_object_object_add(o, "node_name", json_text(instances[i]->node));
                json_object_object_add(time, "time_end",
                                json_uint(instances[i]->time_end / USEC_PER_SEC));
                json_object_object_add(time, "time_start",
                                json_uint(instances[i]->time_start / USEC_PER_SEC));
                json_object_object_add(o, "time", time);
                document_record(o);
        }
        json_end_list(now);
}

void json_print_partitions(const Partition *const *partitions, size_t n, usec_t now, FILE *out) {
        struct names names = { partition_names, ELEMENTSOF(partition_names), NULL };

        document_begin_list("partitions", out);
        for (size_t i = 0; i < n; i++)
                document_record(message_object(&partitions[i]->base, names));
        json_end_list(now);
}
