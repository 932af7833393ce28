/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "submit/job_submit.h"

#include "submit/fields_private.h"

#include <lua.h>

const struct script_kind job_submit_script = {
        .functions = { "slurm_job_submit", "slurm_job_modify" },
        .n_functions = 2,
};

/* ---- part_list, slurm.reservations: plain tables by name ---- */

static void table_set_number(lua_State *L, const char *name, uint64_t value) {
        lua_pushinteger(L, (lua_Integer)value);
        lua_setfield(L, -2, name);
}

static void table_set_string(lua_State *L, const char *name, const char *value) {
        if (isempty(value))
                return;
        lua_pushstring(L, value);
        lua_setfield(L, -2, name);
}

/* "ALL" restricts nobody and reads as nil. */
static void table_set_list(lua_State *L, const char *name, const char *value) {
        table_set_string(L, name, streq(value, "ALL") ? NULL : value);
}

static uint64_t minutes_number(uint64_t t, uint64_t unset) {
        return t == NO_LIMIT ? LUA_INFINITE : t == 0 ? unset : t / (60 * USEC_PER_SEC);
}

/* Returns the number in OverSubscribe=YES:4, with Slurm's bit for FORCE. */
static uint64_t max_share(const char *text) {
        const char *colon = strchr(text, ':');
        uint64_t n = colon ? strtoul(colon + 1, NULL, 10) : streq(text, "EXCLUSIVE") ? 0 : 1;

        return strncmp(text, "FORCE", 5) == 0 ? n | 0x8000 : n;
}

/* Returns Slurm's number of a partition's state. */
static uint64_t state_up(const char *state) {
        static const struct {
                const char *state;
                uint64_t number;
        } states[] = { { "UP", 3 }, { "DOWN", 1 }, { "DRAIN", 2 }, { "INACTIVE", 0 } };

        for (size_t i = 0; i < ELEMENTSOF(states); i++)
                if (streq(states[i].state, state))
                        return states[i].number;
        return 0;
}

#define PER_CPU (UINT64_C(1) << 63)

static void table_set_memory(lua_State *L, const char *name, uint64_t node, uint64_t cpu) {
        lua_pushnumber(L, (lua_Number)(cpu ? PER_CPU | cpu : node));
        lua_setfield(L, -2, name);
}

static void push_partition(lua_State *L, const Slumber__Partition *p) {
        lua_createtable(L, 0, 24);
        table_set_string(L, "name", p->name);
        table_set_string(L, "nodes", p->nodes);
        table_set_number(L, "flag_default", p->is_default);
        table_set_number(L, "max_time", minutes_number(p->max_time, LUA_INFINITE));
        table_set_number(L, "default_time", minutes_number(p->default_time, LUA_NO_VAL));
        table_set_number(L, "min_nodes", p->min_nodes);
        table_set_number(L, "max_nodes", p->max_nodes);
        table_set_number(L, "priority", p->priority_job_factor);
        table_set_number(L, "priority_job_factor", p->priority_job_factor);
        table_set_number(L, "priority_tier", p->priority_tier);
        table_set_number(L, "state_up", state_up(p->state));
        table_set_number(L, "total_nodes", p->total_nodes);
        table_set_number(L, "total_cpus", p->total_cpus);
        table_set_number(L, "max_share", max_share(p->oversubscribe));
        table_set_number(L, "grace_time", p->grace_time);
        table_set_memory(L, "def_mem_per_cpu", p->def_mem_per_node, p->def_mem_per_cpu);
        table_set_memory(L, "def_mem_per_node", p->def_mem_per_node, 0);
        table_set_memory(L, "max_mem_per_cpu", p->max_mem_per_node, p->max_mem_per_cpu);
        table_set_memory(L, "max_mem_per_node", p->max_mem_per_node, 0);
        table_set_list(L, "allow_accounts", p->allow_accounts);
        table_set_list(L, "allow_alloc_nodes", p->alloc_nodes);
        table_set_list(L, "allow_groups", p->allow_groups);
        table_set_list(L, "allow_qos", p->allow_qos);
        table_set_string(L, "deny_accounts", p->deny_accounts);
        table_set_string(L, "deny_qos", p->deny_qos);
        table_set_string(L, "qos", p->qos);
        table_set_string(L, "billing_weights_str", p->billing_weights);
}

static void push_partitions(lua_State *L, const Slumber__RuleRequest *m) {
        lua_createtable(L, 0, (int)m->n_partitions);
        for (size_t i = 0; i < m->n_partitions; i++) {
                push_partition(L, m->partitions[i]);
                lua_setfield(L, -2, m->partitions[i]->name);
        }
}

static void push_reservation(lua_State *L, const Slumber__Reservation *r) {
        lua_createtable(L, 0, 12);
        table_set_string(L, "name", r->name);
        table_set_string(L, "accounts", r->accounts);
        table_set_string(L, "users", r->users);
        table_set_string(L, "groups", r->groups);
        table_set_string(L, "features", r->features);
        table_set_string(L, "licenses", r->licenses);
        table_set_string(L, "node_list", r->nodes);
        table_set_string(L, "partition", r->partition);
        table_set_number(L, "node_cnt", r->num_nodes);
        table_set_number(L, "core_cnt", r->num_cores);
        table_set_number(L, "start_time", r->start_time / USEC_PER_SEC);
        table_set_number(L, "end_time", r->end_time / USEC_PER_SEC);
        table_set_number(L, "duration", (r->end_time - r->start_time) / (60 * USEC_PER_SEC));
        lua_pushboolean(L, r->active);
        lua_setfield(L, -2, "active");
}

static void set_reservations(lua_State *L, struct script *s, const Slumber__RuleRequest *m) {
        lua_createtable(L, 0, (int)m->n_reservations);
        for (size_t i = 0; i < m->n_reservations; i++) {
                push_reservation(L, m->reservations[i]);
                lua_setfield(L, -2, m->reservations[i]->name);
        }
        script_set(s, "reservations");
}

/* ---- the calls ---- */

static int call_submit(struct script *s, Slumber__RuleRequest *m, struct script_said *said,
                Slumber__RuleReply *reply, struct fail *fail) {
        struct request r = { .spec = m->submit->spec,
                .script = m->submit->script,
                .submit = m->submit,
                .about = m,
                .name = "job_desc" };
        lua_State *L = script_begin(s, "slurm_job_submit");

        set_reservations(L, s, m);
        fields_push(L, &r);
        push_partitions(L, m);
        lua_pushinteger(L, m->uid);
        int result = script_call(s, 3, said, &reply->code, fail);
        if (!r.new_script && m->submit->script) {
                slumber__job_script__free_unpacked(m->submit->script, NULL);
                m->submit->script = NULL;
        }
        reply->submit = m->submit;
        return result;
}

static int call_modify(struct script *s, Slumber__RuleRequest *m, struct script_said *said,
                Slumber__RuleReply *reply, struct fail *fail) {
        _cleanup_free_ enum field_change *changed = xnew0(enum field_change, n_fields);
        _cleanup_free_ struct field_said *told = xnew0(struct field_said, n_fields);
        Slumber__JobSpec *spec = xnew(Slumber__JobSpec, 1);
        struct request r = { .spec = spec,
                .about = m,
                .update = m->update,
                .changed = changed,
                .said = told,
                .name = "job_desc" };
        struct request job = { .spec = m->job->spec,
                .job = m->job,
                .about = m,
                .name = "job_rec",
                .fixed = true };
        int result = 0;

        slumber__job_spec__init(spec);
        lua_State *L = script_begin(s, "slurm_job_modify");
        set_reservations(L, s, m);
        const Slumber__KeyValue *hidden = update_begin(L, &r);
        memset(changed, 0, n_fields * sizeof *changed); /* only the script's changes count */
        if (hidden) {
                said->told = xasprintf("%s=%.100s: job_submit.lua cannot be told of this value",
                                hidden->key, hidden->value);
                reply->code = -1;
        } else {
                fields_push(L, &r);
                fields_push(L, &job);
                push_partitions(L, m);
                lua_pushinteger(L, m->uid);
                result = script_call(s, 4, said, &reply->code, fail);
                if (result >= 0)
                        update_end(script_begin(s, "slurm_job_modify"), &r);
        }
        reply->update = m->update;
        slumber__job_spec__free_unpacked(spec, NULL);
        free(r.admin_comment);
        return result;
}

static bool is_update(const Slumber__RuleRequest *m) {
        return m->update && m->job && m->job->spec;
}

void job_submit_call(struct script *s, Slumber__RuleRequest *m, struct script_said *said,
                Slumber__RuleReply *reply, struct fail *fail) {
        int r = m->submit && m->submit->spec ? call_submit(s, m, said, reply, fail)
                : is_update(m)               ? call_modify(s, m, said, reply, fail)
                                             : fail_set(fail, -EBADMSG, "the request is malformed");

        if (r < 0)
                reply->failure = fail->text;
        reply->told = said->told ? said->told : reply->told;
}
