/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scontrol update, create and delete: finds the entity meant by the words (entities) and sends a
 * request; updates of jobs are one request per job. Mistakes visible without the controller
 * (unknown key, invalid state, a drain without a reason) are reported before a request is sent. */
#include "commands/jobid.h"
#include "commands/query.h"
#include "commands/scontrol/scontrol.h"
#include "commands/setting.h"
#include "lib/errors.h"
#include "lib/timetext.h"
#include "lib/wire.h"
#include "lib/wordlist.h"

#include <strings.h>

/* ---- update nodename= ---- */

static int update_refuse_setting(const struct scontrol *s, const char *word) {
        scontrol_refuse("Update of this parameter is not supported: %s", word);
        return scontrol_refuse("Request aborted");
}

/* A NodeUpdate together with the storage of optional fields. */
struct node_change {
        Slumber__NodeUpdate update;
        Slumber__Text texts[16];
        size_t n_texts;
        Slumber__Number weight, resume_after;
        bool any;
};

/* clang-format off */
static const struct node_key {
        const char *key;
        size_t least;
        size_t offset; /* of a Text in NodeUpdate */
} node_keys[] = {
        { "ActiveFeatures", 3, offsetof(Slumber__NodeUpdate, active_features) },
        { "AvailableFeatures", 3, offsetof(Slumber__NodeUpdate, features) },
        { "Features", 1, offsetof(Slumber__NodeUpdate, features) },
        { "Comment", 1, offsetof(Slumber__NodeUpdate, comment) },
        { "Extra", 1, offsetof(Slumber__NodeUpdate, extra) },
        { "InstanceId", 9, offsetof(Slumber__NodeUpdate, instance_ids) },
        { "InstanceType", 9, offsetof(Slumber__NodeUpdate, instance_types) },
        { "NodeAddr", 5, offsetof(Slumber__NodeUpdate, addresses) },
        { "NodeHostName", 5, offsetof(Slumber__NodeUpdate, hostnames) },
        { "Reason", 3, offsetof(Slumber__NodeUpdate, reason) },
        { "Topology", 1, offsetof(Slumber__NodeUpdate, topology) },
};
/* clang-format on */

/* Returns 0, or -ENOENT if the key is not in the table. */
static int set_node_text(struct node_change *c, const struct setting *setting) {
        for (size_t i = 0; i < ELEMENTSOF(node_keys); i++) {
                Slumber__Text *value = &c->texts[c->n_texts];

                if (!setting_is(setting, node_keys[i].key, node_keys[i].least))
                        continue;
                if (c->n_texts >= ELEMENTSOF(c->texts))
                        return -ENOENT;
                slumber__text__init(value);
                value->value = message_text(setting->value);
                if (streq(setting->value, "(null)"))
                        value->value = message_text("");
                *(Slumber__Text **)((char *)&c->update + node_keys[i].offset) = value;
                c->n_texts++;
                return 0;
        }
        return -ENOENT;
}

static int set_node_state(const struct scontrol *s, struct node_change *c, const char *value) {
        const char *word = node_state_word(value);

        if (word) {
                c->update.state = message_text(word);
                return 0;
        }
        scontrol_refuse("Invalid input: state=%s", value);
        scontrol_refuse("Request aborted");
        scontrol_refuse("Valid states are: NoResp DRAIN FAIL FUTURE RESUME POWER_DOWN POWER_UP "
                        "UNDRAIN");
        scontrol_refuse("Not all states are valid given a node's prior state");
        return -EINVAL;
}

static int set_node_weight(const struct scontrol *s, struct node_change *c, const char *value) {
        uint64_t n;

        if (uint_parse(value, 0, UINT32_MAX - 1, &n) < 0) {
                scontrol_refuse("scontrol: error: Weight value (%s) is not a valid number", value);
                return -EINVAL;
        }
        slumber__number__init(&c->weight);
        c->weight.value = n;
        c->update.weight = &c->weight;
        return 0;
}

/* value: seconds; -1 cancels an earlier ResumeAfter. */
static int set_node_resume_after(const struct scontrol *s, struct node_change *c,
                const char *value) {
        uint64_t n = NO_LIMIT;

        if (!streq(value, "-1") && uint_parse(value, 1, UINT32_MAX - 2, &n) < 0) {
                scontrol_refuse("Invalid ResumeAfter value: %s", value);
                scontrol_refuse("Request aborted");
                return -EINVAL;
        }
        slumber__number__init(&c->resume_after);
        c->resume_after.value = n;
        c->update.resume_after = &c->resume_after;
        return 0;
}

static int node_change_set(const struct scontrol *s, struct node_change *c,
                const struct setting *setting) {
        char sign[2] = { setting->sign, 0 };

        if (!setting->sign && setting_is(setting, "NodeName", 3)) {
                c->update.nodes = message_text(setting->value);
                return 0;
        }
        c->any = true;
        if (!setting->sign && setting_is(setting, "State", 1))
                return set_node_state(s, c, setting->value);
        if (!setting->sign && setting_is(setting, "Weight", 1))
                return set_node_weight(s, c, setting->value);
        if (!setting->sign && setting_is(setting, "ResumeAfter", 3))
                return set_node_resume_after(s, c, setting->value);
        if (!setting->sign && set_node_text(c, setting) == 0)
                return 0;
        scontrol_refuse("Update of this parameter is not supported: %s%s=%s", setting->key, sign,
                        setting->value);
        scontrol_refuse("Request aborted");
        return -ENOTSUP;
}

static bool needs_reason(const Slumber__NodeUpdate *u) {
        if (u->reason && *u->reason->value)
                return false;
        return streq(u->state, "DOWN") || streq(u->state, "DRAIN") || streq(u->state, "FAIL");
}

static int update_named_nodes(const struct scontrol *s, struct setting *settings, size_t n) {
        struct node_change c = { 0 };

        slumber__node_update__init(&c.update);
        for (size_t i = 0; i < n; i++)
                if (node_change_set(s, &c, &settings[i]) < 0)
                        return EXIT_FAILURE;
        if (!c.any)
                return scontrol_refuse("No changes specified");
        if (needs_reason(&c.update))
                return scontrol_refuse("%s", slumber_error_text(SLUMBER_NODE_REASON_MISSING));
        ENVELOPE(envelope, NODE_UPDATE, node_update, &c.update);
        return scontrol_ask(s, &envelope, "slurm_update");
}

/* ---- update jobid=, update partitionname= ---- */

struct key_values {
        Slumber__KeyValue *values;
        Slumber__KeyValue **pointers;
        char **keys; /* "Nodes+" for Nodes+=... */
        size_t n;
};

static void key_values_fill(struct key_values *kv, const struct setting *settings, size_t n) {
        kv->values = xnew0(Slumber__KeyValue, MAX(n, (size_t)1));
        kv->pointers = xnew0(Slumber__KeyValue *, MAX(n, (size_t)1));
        kv->keys = xnew0(char *, MAX(n, (size_t)1));
        for (kv->n = 0; kv->n < n; kv->n++) {
                const struct setting *from = &settings[kv->n];
                Slumber__KeyValue *to = &kv->values[kv->n];

                slumber__key_value__init(to);
                kv->keys[kv->n] = xasprintf("%s%.1s", from->key, from->sign ? &from->sign : "");
                to->key = kv->keys[kv->n];
                to->value = message_text(from->value);
                kv->pointers[kv->n] = to;
        }
}

static void key_values_done(struct key_values *kv) {
        texts_free(kv->keys, kv->n);
        free(kv->pointers);
        free(kv->values);
}

/* Makes Slurm's checks before the request. */
static int check_job_setting(const struct scontrol *s, const struct setting *setting) {
        usec_t limit;

        if (!setting_is(setting, "TimeLimit", 5) || setting->sign || *setting->value == '+' ||
                        *setting->value == '-')
                return 0;
        if (limit_parse(setting->value, &limit, NULL) == 0)
                return 0;
        scontrol_refuse("scontrol: error: Invalid TimeLimit value");
        return -EINVAL;
}

static bool is_size(const struct setting *setting) {
        return setting_is(setting, "NumNodes", 8) || setting_is(setting, "ReqNodes", 8) ||
               setting_is(setting, "NodeList", 8) || setting_is(setting, "ReqNodeList", 8);
}

/* Returns true if the caller is a process of the job. */
static bool job_is_own(const struct job_id *id) {
        uint64_t own;

        return !id->tasks &&
               uint_parse(strempty(getenv("SLURM_JOB_ID")), 1, UINT32_MAX, &own) == 0 &&
               own == id->job;
}

static int update_one_job(const struct scontrol *s, const struct job_id *id, struct key_values *kv,
                bool sized) {
        Slumber__JobUpdate update = SLUMBER__JOB_UPDATE__INIT;
        struct fail fail = { 0 };
        uint32_t code;

        update.id = id->job;
        if (id->tasks)
                update.tasks = id->tasks;
        update.settings = kv->pointers;
        update.n_settings = kv->n;
        ENVELOPE(envelope, JOB_UPDATE, job_update, &update);
        if (scontrol_call(&envelope, NULL, &code, &fail) < 0) {
                _cleanup_free_ char *name = job_id_text(id);
                return scontrol_complain(s, "%s for job %s",
                                s->quiet ? fail.text : scontrol_refusal(code, &fail), name);
        }
        return sized && job_is_own(id) ? scontrol_resized(id->job) : EXIT_SUCCESS;
}

static int update_ids(const struct scontrol *s, const struct id_list *list,
                const struct setting *settings, size_t n) {
        _cleanup_(key_values_done) struct key_values kv = { 0 };
        int rc = n ? EXIT_SUCCESS : scontrol_refuse("No changes specified");

        bool sized = false;

        for (size_t i = 0; i < n; i++)
                sized |= is_size(&settings[i]);
        for (size_t i = 0; i < n && rc == EXIT_SUCCESS; i++)
                if (check_job_setting(s, &settings[i]) < 0)
                        rc = EXIT_FAILURE;
        key_values_fill(&kv, settings, n);
        if (rc == EXIT_SUCCESS)
                for (size_t i = 0; i < list->n; i++)
                        rc |= update_one_job(s, &list->ids[i], &kv, sized);
        return rc;
}

static int update_job(const struct scontrol *s, struct setting *settings, size_t n) {
        _cleanup_free_ struct id_list *list = xnew0(struct id_list, 1);
        _cleanup_free_ char *words = xstrdup(settings[0].value);
        int rc = EXIT_FAILURE;

        id_list_add(s, list, words);
        if (!list->bad)
                rc = update_ids(s, list, settings + 1, n - 1);
        id_list_done(list);
        return rc;
}

/* ---- update stepid= ---- */

/* Updates TimeLimit only, as in Slurm; a job id without a step means all steps of the job. */
static int update_step(const struct scontrol *s, struct setting *settings, size_t n) {
        _cleanup_(key_values_done) struct key_values kv = { 0 };
        Slumber__JobUpdate update = SLUMBER__JOB_UPDATE__INIT;
        _cleanup_(job_id_done) struct job_id id = { 0 };
        char number[16] = "";
        int r = job_id_parse(settings[0].value, &id);

        if (r < 0 || (id.tasks && *id.tasks != '+')) {
                scontrol_refuse("Invalid StepID parameter: %s=%s", settings[0].key,
                                settings[0].value);
                return scontrol_refuse("Request aborted");
        }
        update.id = id.job;
        if (id.tasks) /* "12+1" */
                update.tasks = id.tasks;
        if (id.has_step)
                snprintf(number, sizeof number, "%u", id.step);
        settings[0] = (struct setting){ .key = "StepId", .value = number };
        for (size_t i = 1; i < n; i++) {
                if (!setting_is(&settings[i], "TimeLimit", 5) || settings[i].sign) {
                        _cleanup_free_ char *word = xasprintf("%s=%s", settings[i].key,
                                        settings[i].value);
                        return update_refuse_setting(s, word);
                }
                settings[i].key = "TimeLimit";
        }
        if (n < 2)
                return scontrol_refuse("No changes specified");
        key_values_fill(&kv, settings, n);
        update.settings = kv.pointers;
        update.n_settings = kv.n;
        ENVELOPE(envelope, JOB_UPDATE, job_update, &update);
        return scontrol_ask(s, &envelope, "slurm_update");
}

static bool is_of_user(const Job *j, const char *user) {
        uint64_t uid;

        return streq(j->user, user) ||
               (uint_parse(user, 0, UINT32_MAX, &uid) == 0 && j->uid == uid);
}

static bool has_id(const struct id_list *list, uint32_t id) {
        for (size_t i = list->n; i > 0; i--) /* tasks of an array are close together */
                if (list->ids[i - 1].job == id)
                        return true;
        return false;
}

/* Adds unfinished jobs of the name, an array once; false: too many jobs. */
static bool id_list_add_named(struct id_list *list, const struct job_list *jobs, const char *name,
                const char *user) {
        for (size_t i = 0; i < jobs->n_jobs; i++) {
                const Job *j = jobs->jobs[i];
                if (!streq(j->spec->name, name) || (user && !is_of_user(j, user)) ||
                                (j->array_job && has_id(list, j->array_job)))
                        continue;
                if (list->n == ID_LIST_MAX)
                        return false;
                list->ids[list->n++] = (struct job_id){ .job = j->array_job ? j->array_job
                                                                            : j->id };
        }
        return true;
}

/* Handles "jobname=X [userid=U] ...": all jobs of this name. */
static int update_named_jobs(const struct scontrol *s, struct setting *settings, size_t n) {
        _cleanup_free_ struct id_list *list = xnew0(struct id_list, 1);
        _cleanup_(job_list_done) struct job_list jobs = { 0 };
        _cleanup_(wire_freep) struct wire *w = NULL;
        Slumber__JobQuery query = SLUMBER__JOB_QUERY__INIT;
        const char *user = NULL;
        struct fail fail = { 0 };
        size_t kept = 1;

        for (size_t i = 1; i < n; i++)
                if (setting_is(&settings[i], "UserId", 4))
                        user = settings[i].value;
                else
                        settings[kept++] = settings[i];
        query.with_hidden = true;
        if (command_connect(&w, &fail) < 0 || query_jobs(w, &query, &jobs, NULL, &fail) < 0)
                return scontrol_refuse("slurm_update error: %s", fail.text);
        if (!id_list_add_named(list, &jobs, settings[0].value, user))
                return scontrol_refuse("scontrol: error: More than %d jobs are named '%s'",
                                ID_LIST_MAX, settings[0].value);
        return list->n ? update_ids(s, list, settings + 1, kept - 1)
                       : scontrol_refuse("scontrol: error: No jobs with name '%s'",
                                         settings[0].value);
}

static int check_partition_setting(const struct scontrol *s, const struct setting *setting) {
        static const char *const states[] = { "UP", "DOWN", "DRAIN", "INACTIVE" };

        if (!setting_is(setting, "State", 2))
                return 0;
        for (size_t i = 0; i < ELEMENTSOF(states); i++)
                if (strcasecmp(states[i], setting->value) == 0)
                        return 0;
        scontrol_refuse("scontrol: error: Invalid input: state=%s", setting->value);
        scontrol_refuse("scontrol: error: Acceptable State values are UP, DOWN, DRAIN and INACTIVE");
        return -EINVAL;
}

/* Sends the request of a verb with refusals of the form "WHAT: why", as in Slurm. */
static int ask_for(Envelope *request, const char *what) {
        struct fail fail = { 0 };
        uint32_t code;

        if (scontrol_call(request, NULL, &code, &fail) < 0)
                return scontrol_refuse("%s: %s", what, scontrol_refusal(code, &fail));
        return EXIT_SUCCESS;
}

static int send_partition(const struct scontrol *s, struct setting *settings, size_t n,
                bool create) {
        _cleanup_(key_values_done) struct key_values kv = { 0 };
        Slumber__PartitionUpdate update = SLUMBER__PARTITION_UPDATE__INIT;

        for (size_t i = 1; i < n; i++)
                if (check_partition_setting(s, &settings[i]) < 0)
                        return EXIT_FAILURE;
        key_values_fill(&kv, settings + 1, n - 1);
        update.name = message_text(settings[0].value);
        update.settings = kv.pointers;
        update.n_settings = kv.n;
        update.create = create;
        ENVELOPE(envelope, PARTITION_UPDATE, partition_update, &update);
        return create ? ask_for(&envelope, "Error creating the partition")
                      : scontrol_ask(s, &envelope, "slurm_update");
}

static int update_partition(const struct scontrol *s, struct setting *settings, size_t n) {
        if (n < 2)
                return scontrol_refuse("scontrol: error: No changes specified");
        return send_partition(s, settings, n, false);
}

static int create_partition(const struct scontrol *s, struct setting *settings, size_t n) {
        return send_partition(s, settings, n, true);
}

static int delete_partition(const struct setting *named) {
        Slumber__PartitionUpdate update = SLUMBER__PARTITION_UPDATE__INIT;
        _cleanup_free_ char *what = xasprintf("delete_partition %.100s=%.100s", named->key,
                        named->value);

        update.name = message_text(named->value);
        update.remove = true;
        ENVELOPE(envelope, PARTITION_UPDATE, partition_update, &update);
        return ask_for(&envelope, what);
}

static int update_config(const struct scontrol *s, struct setting *settings, size_t n) {
        static const char *const keys[] = {
                "SuspendExcNodes",
                "SuspendExcParts",
                "SuspendExcStates",
        };
        _cleanup_(key_values_done) struct key_values kv = { 0 };
        Slumber__ConfigUpdate update = SLUMBER__CONFIG_UPDATE__INIT;

        for (size_t i = 0; i < n; i++) {
                size_t k = 0;
                while (k < ELEMENTSOF(keys) && !setting_is(&settings[i], keys[k], 11))
                        k++;
                if (k == ELEMENTSOF(keys))
                        return scontrol_refuse(
                                        "scontrol: error: Update of this parameter is not supported: %s=%s",
                                        settings[i].key, settings[i].value);
                settings[i].key = keys[k];
        }
        key_values_fill(&kv, settings, n);
        update.settings = kv.pointers;
        update.n_settings = kv.n;
        ENVELOPE(envelope, CONFIG_UPDATE, config_update, &update);
        return scontrol_ask(s, &envelope, "slurm_update");
}

/* ---- update ---- */

static int refuse_entity(const struct scontrol *s, struct setting *settings, size_t n) {
        scontrol_refuse("scontrol: error: update %s= is not implemented by Slumber yet",
                        settings[0].key);
        return EXIT_FAILURE;
}

/* Entities; the first row named by any word decides. */
static const struct entity {
        const char *key;
        size_t least;
        int (*update)(const struct scontrol *s, struct setting *settings, size_t n);
} entities[] = {
        { "JobId", 3, update_job },          /* first: partition= is a key of jobs */
        { "JobName", 4, update_named_jobs }, /* reservationname= is a key of jobs */
        { "ReservationName", 3, scontrol_update_reservation }, /* partitionname= is a key of
                                                                  reservations */
        { "NodeName", 3, update_named_nodes },
        { "PartitionName", 3, update_partition },
        { "StepId", 4, update_step },
        { "SlurmctldDebug", 9, refuse_entity },
        { "SuspendExcNodes", 11, update_config },
        { "SuspendExcParts", 11, update_config },
        { "SuspendExcStates", 11, update_config },
        { "FrontendName", 3, refuse_entity },
};

/* Finds the entity and moves the setting with the entity's name to the front. */
static const struct entity *update_find_entity(struct setting *settings, size_t n) {
        for (size_t e = 0; e < ELEMENTSOF(entities); e++)
                for (size_t i = 0; i < n; i++) {
                        struct setting named = settings[i];

                        if (!setting_is(&named, entities[e].key, entities[e].least))
                                continue;
                        memmove(settings + 1, settings, i * sizeof *settings);
                        settings[0] = named;
                        return &entities[e];
                }
        return NULL;
}

/* Sets *ret for a word without "="; false: word is no such word. */
static bool set_alone(const char *word, struct setting *ret) {
        static const struct {
                const char *word, *value;
                size_t least;
        } alone[] = {
                { "Skip", "", 4 }, /* of a reservation */
                { "Nice", "100", 2 },
                { "ResetAccrueTime", "", 5 },
        };
        const struct setting typed = { .key = word };

        for (size_t i = 0; i < ELEMENTSOF(alone); i++)
                if (setting_is(&typed, alone[i].word, alone[i].least)) {
                        *ret = (struct setting){ .key = alone[i].word, .value = alone[i].value };
                        return true;
                }
        return false;
}

/* Returns true for "update job 7 ...": the id is the next word. */
static bool id_follows(const char *word) {
        size_t n = strlen(word);

        return n >= 3 && n <= strlen("JobId") && strncasecmp(word, "JobId", n) == 0;
}

/* Returns true if word is a key of a job and the next argument the value ("TimeLimit 5"): n
   settings were read before, and the first names a job. */
static bool value_follows(const struct setting *settings, size_t n, const char *word) {
        return n > 0 &&
               (setting_is(&settings[0], "JobId", 3) || setting_is(&settings[0], "JobName", 4)) &&
               !strchr(word, '=');
}

int scontrol_update(const struct scontrol *s, int argc, char **argv) {
        size_t n = argc > 1 ? (size_t)argc - 1 : 0;
        _cleanup_free_ struct setting *settings = xnew0(struct setting, n + 1);
        const struct entity *entity;
        size_t used = 0;

        if (n == 0)
                return scontrol_refuse("too few arguments for %s keyword", argv[0]);
        for (size_t i = 0; i < n; i++) {
                _cleanup_free_ char *word = xstrdup(argv[i + 1]);

                if (i + 1 < n && (id_follows(word) || (i > 0 && !set_alone(word, &settings[used]) &&
                                                                      value_follows(settings, used,
                                                                                      word)))) {
                        settings[used++] = (struct setting){ .key = argv[i + 1],
                                .value = argv[i + 2] };
                        i++;
                } else if (setting_parse(argv[i + 1], &settings[used]) == 0 ||
                                (i > 0 && set_alone(word, &settings[used])))
                        used++;
                else if (i > 0)
                        return update_refuse_setting(s, word);
        }
        entity = update_find_entity(settings, used);
        if (!entity) {
                scontrol_refuse("No valid entity in update command");
                return scontrol_refuse("Input line must include \"NodeName\", \"PartitionName\", "
                                       "\"Reservation\", "
                                       "\"JobId\", or \"SlurmctldDebug\"");
        }
        return entity->update(s, settings, used);
}

/* ---- create, delete ---- */

/* Accepts "part" or "nodename=n1": at least four letters of entity. */
static bool names_entity(const char *word, const char *entity) {
        size_t n = strcspn(word, "=");

        return n >= 4 && n <= strlen(entity) && strncasecmp(word, entity, n) == 0;
}

/* Joins KEY=VALUE words to a line of slurm.conf; the caller frees *ret. */
static int node_line(int argc, char **argv, char **ret) {
        char *line = xstrdup("");

        for (int i = 1; i < argc; i++) {
                const char *equals = strchr(argv[i], '=');
                if (!equals || strchr(equals, '"')) {
                        free(line);
                        return scontrol_refuse(
                                        "scontrol: error: Unknown parameter %s: KEY=VALUE without quotes was expected",
                                        argv[i]);
                }
                text_add_word(&line, " ", "%.*s=\"%s\"", (int)(equals - argv[i]), argv[i],
                                equals + 1);
        }
        *ret = line;
        return 0;
}

static int create_nodes(const struct scontrol *s, int argc, char **argv) {
        _cleanup_free_ char *line = NULL;
        Slumber__NodeUpdate update = SLUMBER__NODE_UPDATE__INIT;

        if (node_line(argc, argv, &line) != 0)
                return EXIT_FAILURE;
        update.create = line;
        ENVELOPE(envelope, NODE_UPDATE, node_update, &update);
        return ask_for(&envelope, "Error creating the node(s)");
}

static int delete_nodes(const struct setting *named) {
        Slumber__NodeUpdate update = SLUMBER__NODE_UPDATE__INIT;
        _cleanup_free_ char *what = xasprintf("delete_node %.100s=%.100s", named->key,
                        named->value);

        update.nodes = message_text(named->value);
        update.remove = true;
        ENVELOPE(envelope, NODE_UPDATE, node_update, &update);
        return ask_for(&envelope, what);
}

int scontrol_create(const struct scontrol *s, int argc, char **argv) {
        _cleanup_free_ struct setting *settings = xnew0(struct setting, (size_t)argc);
        size_t n = 0;

        if (argc >= 2 && names_entity(argv[1], "nodename") && strchr(argv[1], '='))
                return create_nodes(s, argc, argv);
        if (argc < 2 || !names_entity(argv[1], "partitionname") || !strchr(argv[1], '='))
                return scontrol_create_reservation(s, argc, argv);
        for (int i = 1; i < argc; i++) {
                _cleanup_free_ char *word = xstrdup(argv[i]);
                if (setting_parse(argv[i], &settings[n++]) < 0)
                        return update_refuse_setting(s, word);
        }
        return create_partition(s, settings, n);
}

int scontrol_delete(const struct scontrol *s, int argc, char **argv) {
        bool nodes = argc >= 2 && names_entity(argv[1], "nodename");
        struct setting setting;

        if (argc < 2 || argc > 3 || (!nodes && !names_entity(argv[1], "partitionname")) ||
                        (argc == 3) == !!strchr(argv[1], '='))
                return scontrol_delete_reservation(s, argc, argv);
        if (argc == 3) /* "delete partition small" */
                setting = (struct setting){ .key = argv[1], .value = argv[2] };
        else
                (void)setting_parse(argv[1], &setting);
        return nodes ? delete_nodes(&setting) : delete_partition(&setting);
}
