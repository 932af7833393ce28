/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of job_desc's fields, a row each: name, functions by which a script reads and sets the
 * field, form of an update's value, place in JobSpec, key of scontrol update. Fields of one of the
 * kinds have their row in job_fields.h. Fields of Slurm without a counterpart in Slumber are in the
 * list foreign[]: they read as not set, and a script cannot set them. */
#include "submit/fields.h"
#include "submit/fields_private.h"

#include "controller/model/job_fields.h"
#include "lib/mailtype.h"
#include "lib/timetext.h"
#include "lib/wordlist.h"

#include <lauxlib.h>
#include <math.h>

#define VALUE FIELD_VALUE

/* Replaces a text of an unpacked message. */
static void message_text_set(char **text, const char *value) {
        if (*text != protobuf_c_empty_string)
                free(*text);
        *text = isempty(value) ? (char *)(uintptr_t)protobuf_c_empty_string : xstrdup(value);
}

#define SPEC(type, r, f) ((type *)(void *)((char *)(r)->spec + (f)->at))

static void field_fail(lua_State *L, const struct request *r, const struct field *f,
                const char *what) __attribute__((noreturn));
static void field_fail(lua_State *L, const struct request *r, const struct field *f,
                const char *what) {
        luaL_error(L, "%s.%s: %s", r->name, f->name, what);
        abort(); /* luaL_error() does not return */
}

/* ---- kinds: texts ---- */

static void push_text(lua_State *L, const char *text) {
        if (isempty(text))
                lua_pushnil(L);
        else
                lua_pushstring(L, text);
}

/* Returns the text of a value being set; nil and "" both mean not set. */
static const char *text_given(lua_State *L, const struct request *r, const struct field *f) {
        size_t size = 0;
        const char *text;

        if (lua_isnil(L, VALUE))
                return "";
        if (!lua_isstring(L, VALUE))
                field_fail(L, r, f, "a string or nil was expected");
        text = lua_tolstring(L, VALUE, &size);
        if (strlen(text) != size)
                field_fail(L, r, f, "the string has a zero byte");
        return text;
}

static void desc_get_text(lua_State *L, const struct request *r, const struct field *f) {
        push_text(L, *SPEC(char *, r, f));
}

static void desc_set_text(lua_State *L, struct request *r, const struct field *f) {
        message_text_set(SPEC(char *, r, f), text_given(L, r, f));
}

/* Adds "gres/" to each name of a list. "gpu:2", "gres:gpu:2" (an older form of Slurm) and
   "gres/gpu:2" mean the same; names with another "TYPE/" stay. */
static char *gres_text(const char *text) {
        char *all = xstrdup("");

        for (const char *p = text; *p;) {
                size_t n = strcspn(p, ",");
                bool named = strncmp(p, "gres/", 5) == 0, old = strncmp(p, "gres:", 5) == 0,
                     other = !named && memchr(p, '/', n) != NULL;
                size_t skip = named || old ? 5 : 0;
                text_add_word(&all, ",", "%s%.*s", other ? "" : "gres/", (int)(n - skip), p + skip);
                p += n + (p[n] == ',');
        }
        return all;
}

static void desc_set_gres(lua_State *L, struct request *r, const struct field *f) {
        _cleanup_free_ char *text = gres_text(text_given(L, r, f));

        message_text_set(SPEC(char *, r, f), text);
}

/* ---- kinds: numbers ---- */

static void push_u64(lua_State *L, uint64_t n) {
        if (n <= INT64_MAX)
                lua_pushinteger(L, (lua_Integer)n);
        else
                lua_pushnumber(L, (lua_Number)n);
}

/* Reads a number or its text. Returns false for nil and for NO_VAL of any width: not set. */
static bool number_given(lua_State *L, const struct request *r, const struct field *f,
                uint64_t most, uint64_t *ret) {
        int is_number = 0;
        lua_Number n = lua_tonumberx(L, VALUE, &is_number);

        if (lua_isnil(L, VALUE))
                return false;
        if (!is_number || isnan(n))
                field_fail(L, r, f, "a number or nil was expected");
        if (n == LUA_NO_VAL || (n == LUA_NO_VAL16 && most <= UINT16_MAX) ||
                        n >= (lua_Number)LUA_NO_VAL64)
                return false;
        if (n < 0 || n > (lua_Number)most)
                field_fail(L, r, f, "the number is out of range");
        *ret = lua_isinteger(L, VALUE) ? (uint64_t)lua_tointeger(L, VALUE) : (uint64_t)n;
        return true;
}

static uint64_t number_or_none(lua_State *L, const struct request *r, const struct field *f,
                uint64_t most) {
        uint64_t n = 0;

        return number_given(L, r, f, most, &n) ? n : 0;
}

static void desc_get_u32(lua_State *L, const struct request *r, const struct field *f) {
        uint32_t n = *SPEC(uint32_t, r, f);

        lua_pushinteger(L, n ? n : LUA_NO_VAL);
}

static void desc_get_u16(lua_State *L, const struct request *r, const struct field *f) {
        uint32_t n = *SPEC(uint32_t, r, f);

        lua_pushinteger(L, n ? MIN(n, UINT16_MAX) : LUA_NO_VAL16);
}

static void desc_set_u32(lua_State *L, struct request *r, const struct field *f) {
        *SPEC(uint32_t, r, f) = (uint32_t)number_or_none(L, r, f, UINT32_MAX - 2);
}

static void desc_set_u16(lua_State *L, struct request *r, const struct field *f) {
        *SPEC(uint32_t, r, f) = (uint32_t)number_or_none(L, r, f, UINT16_MAX);
}

/* Reads num_tasks, which the user or the script must have set; tasks_set says so. */
static void desc_get_tasks(lua_State *L, const struct request *r, const struct field *f) {
        uint32_t n = *SPEC(uint32_t, r, f);

        lua_pushinteger(L, n && (r->spec->tasks_set || r->job) ? n : LUA_NO_VAL);
}

static void desc_set_tasks(lua_State *L, struct request *r, const struct field *f) {
        uint64_t n = 0;
        bool given = number_given(L, r, f, UINT32_MAX - 2, &n);

        *SPEC(uint32_t, r, f) = (uint32_t)n;
        r->spec->tasks_set = given || r->spec->ntasks_per_node;
}

static void desc_set_tasks_per_node(lua_State *L, struct request *r, const struct field *f) {
        desc_set_u16(L, r, f);
        r->spec->tasks_set |= *SPEC(uint32_t, r, f) != 0;
}

static void desc_get_minutes(lua_State *L, const struct request *r, const struct field *f) {
        uint64_t t = *SPEC(uint64_t, r, f);

        lua_pushinteger(L, t == NO_LIMIT ? LUA_INFINITE
                           : t == 0      ? LUA_NO_VAL
                                         : (lua_Integer)DIV_ROUND_UP(t, 60 * USEC_PER_SEC));
}

static void desc_set_minutes(lua_State *L, struct request *r, const struct field *f) {
        uint64_t n = number_or_none(L, r, f, UINT32_MAX);

        *SPEC(uint64_t, r, f) = n == LUA_INFINITE ? NO_LIMIT : n * 60 * USEC_PER_SEC;
}

/* A time of day in seconds since 1970; 0: not set. */
static void desc_get_time(lua_State *L, const struct request *r, const struct field *f) {
        lua_pushinteger(L, (lua_Integer)(*SPEC(uint64_t, r, f) / USEC_PER_SEC));
}

static void desc_set_time(lua_State *L, struct request *r, const struct field *f) {
        *SPEC(uint64_t, r, f) = number_or_none(L, r, f, UINT32_MAX * UINT64_C(4)) * USEC_PER_SEC;
}

static void desc_get_seconds(lua_State *L, const struct request *r, const struct field *f) {
        uint64_t t = *SPEC(uint64_t, r, f);

        lua_pushinteger(L, t ? (lua_Integer)(t / USEC_PER_SEC) : LUA_NO_VAL);
}

static void desc_get_flag(lua_State *L, const struct request *r, const struct field *f) {
        lua_pushinteger(L, *SPEC(protobuf_c_boolean, r, f) != 0);
}

static bool flag_given(lua_State *L, const struct request *r, const struct field *f, bool *ret) {
        uint64_t n = 0;

        if (lua_isboolean(L, VALUE)) {
                *ret = lua_toboolean(L, VALUE);
                return true;
        }
        bool given = number_given(L, r, f, UINT8_MAX, &n);
        *ret = n != 0;
        return given;
}

static void desc_set_flag(lua_State *L, struct request *r, const struct field *f) {
        bool on = false;

        (void)flag_given(L, r, f, &on);
        *SPEC(protobuf_c_boolean, r, f) = on;
}

/* JobSpec's choices: 0 default, 1 yes, 2 no. */
static void desc_get_choice(lua_State *L, const struct request *r, const struct field *f) {
        uint32_t n = *SPEC(uint32_t, r, f);

        lua_pushinteger(L, n == 0 ? LUA_NO_VAL16 : n == 1);
}

static void desc_set_choice(lua_State *L, struct request *r, const struct field *f) {
        bool on = false, given = flag_given(L, r, f, &on);

        *SPEC(uint32_t, r, f) = !given ? 0 : on ? 1 : 2;
}

/* ---- fields with functions of their own ---- */

/* pn_min_memory is in MB per node, or per CPU if the highest bit is set. */
#define PER_CPU (UINT64_C(1) << 63)

static void desc_get_memory(lua_State *L, const struct request *r, const struct field *f) {
        const Slumber__JobSpec *s = r->spec;

        (void)f;
        push_u64(L, s->mem_per_cpu        ? PER_CPU | s->mem_per_cpu
                        : s->mem_per_node ? s->mem_per_node
                        : s->all_memory   ? 0
                                          : LUA_NO_VAL64);
}

/* Sets the memory, in MB per node or per CPU. An update marks both keys as changed: update_end()
   then writes the key with a value and drops the other. */
static void memory_is(struct request *r, uint64_t node, uint64_t cpu) {
        if (r->update) {
                r->changed[field_named("min_mem_per_node") - fields] = FIELD_CHANGED;
                r->changed[field_named("min_mem_per_cpu") - fields] = FIELD_CHANGED;
        }
        r->spec->all_memory = false;
        r->spec->mem_per_node = node;
        r->spec->mem_per_cpu = cpu;
        r->spec->mem_per_gpu = 0;
        r->spec->plain_sizes &= ~7u;
}

static void desc_set_memory(lua_State *L, struct request *r, const struct field *f) {
        uint64_t n = 0;
        bool given = !lua_isinteger(L, VALUE) || lua_tointeger(L, VALUE) >= 0;

        if (!given) /* the script set the highest bit by | MEM_PER_CPU */
                n = (uint64_t)lua_tointeger(L, VALUE);
        else
                given = number_given(L, r, f, UINT64_MAX, &n);
        memory_is(r, n & PER_CPU ? 0 : n, n & PER_CPU ? n & ~PER_CPU : 0);
        r->spec->all_memory = given && n == 0;
}

/* Memory in MB; nil: not asked for. */
static void desc_get_mb(lua_State *L, const struct request *r, const struct field *f) {
        bool all = r->spec->all_memory && f->at == offsetof(Slumber__JobSpec, mem_per_node);

        if (*SPEC(uint64_t, r, f) || all)
                push_u64(L, *SPEC(uint64_t, r, f));
        else
                lua_pushnil(L);
}

static void desc_set_mem_per_node(lua_State *L, struct request *r, const struct field *f) {
        uint64_t n = 0;
        bool given = number_given(L, r, f, INT64_MAX, &n);

        memory_is(r, n, 0);
        r->spec->all_memory = given && n == 0;
}

/* 0 in an update means all memory of the job's nodes. */
static void desc_set_mem_per_cpu(lua_State *L, struct request *r, const struct field *f) {
        uint64_t n = 0;
        bool given = number_given(L, r, f, INT64_MAX, &n);

        memory_is(r, 0, n);
        r->spec->all_memory = r->update && given && n == 0;
}

static const struct {
        uint32_t shared, asked;
} shares[] = {
        { 0, SLUMBER__SHARE__SHARE_NO },
        { 1, SLUMBER__SHARE__SHARE_YES },
        { 2, SLUMBER__SHARE__SHARE_USER },
        { 3, SLUMBER__SHARE__SHARE_MCS },
};

static void desc_get_shared(lua_State *L, const struct request *r, const struct field *f) {
        (void)f;
        for (size_t i = 0; i < ELEMENTSOF(shares); i++)
                if (shares[i].asked == (uint32_t)r->spec->oversubscribe) {
                        lua_pushinteger(L, shares[i].shared);
                        return;
                }
        lua_pushinteger(L, LUA_NO_VAL16);
}

static void desc_set_shared(lua_State *L, struct request *r, const struct field *f) {
        uint64_t n = 0;

        if (!number_given(L, r, f, ELEMENTSOF(shares) - 1, &n))
                r->spec->oversubscribe = SLUMBER__SHARE__SHARE_OK;
        else
                r->spec->oversubscribe = (Slumber__Share)shares[n].asked;
}

/* As in Slurm (CORE_SPEC_THREAD): the number counts threads */
#define LUA_SPEC_THREADS UINT32_C(0x8000)

static void desc_get_core_spec(lua_State *L, const struct request *r, const struct field *f) {
        const Slumber__JobSpec *s = r->spec;

        (void)f;
        lua_pushinteger(L, s->thread_spec ? (s->thread_spec | LUA_SPEC_THREADS)
                           : s->core_spec ? s->core_spec - 1
                                          : LUA_NO_VAL16);
}

static void desc_set_core_spec(lua_State *L, struct request *r, const struct field *f) {
        uint64_t n = 0;
        bool given = number_given(L, r, f, UINT16_MAX - 2, &n), threads = n & LUA_SPEC_THREADS;

        r->spec->thread_spec = given && threads ? (uint32_t)n & ~LUA_SPEC_THREADS : 0;
        r->spec->core_spec = given && !threads ? (uint32_t)n + 1 : 0;
}

static void desc_get_reboot(lua_State *L, const struct request *r, const struct field *f) {
        (void)f;
        lua_pushinteger(L, r->spec->reboot ? 1 : LUA_NO_VAL16);
}

static void desc_set_reboot(lua_State *L, struct request *r, const struct field *f) {
        uint64_t n = 0;

        r->spec->reboot = number_given(L, r, f, 1, &n) && n;
}

static void desc_get_priority(lua_State *L, const struct request *r, const struct field *f) {
        uint32_t n = *SPEC(uint32_t, r, f);

        lua_pushinteger(L, r->job ? r->job->priority : r->spec->hold ? 0 : n ? n : LUA_NO_VAL);
}

static void desc_set_priority(lua_State *L, struct request *r, const struct field *f) {
        uint64_t n = 0;

        r->spec->hold = number_given(L, r, f, UINT32_MAX, &n) && n == 0;
        if (n > UINT32_MAX - 2 && !r->update) /* INFINITE releases the job */
                n = 0;
        *SPEC(uint32_t, r, f) = (uint32_t)n;
}

static bool offset_given(lua_State *L, const struct request *r, const struct field *f,
                int32_t *ret) {
        uint64_t n = 0;

        if (!number_given(L, r, f, UINT32_MAX - 2, &n))
                return false;
        *ret = (int32_t)((int64_t)n - NICE_OFFSET);
        return true;
}

static void desc_get_nice(lua_State *L, const struct request *r, const struct field *f) {
        int32_t n = *SPEC(int32_t, r, f);

        lua_pushinteger(L, n ? NICE_OFFSET + n : LUA_NO_VAL);
}

static void desc_set_nice(lua_State *L, struct request *r, const struct field *f) {
        int32_t n = 0;

        (void)offset_given(L, r, f, &n);
        *SPEC(int32_t, r, f) = n;
}

static void desc_get_admin_comment(lua_State *L, const struct request *r, const struct field *f) {
        (void)f;
        push_text(L, r->job         ? r->job->admin_comment
                        : r->submit ? r->submit->admin_comment
                                    : strempty(r->admin_comment));
}

static void desc_set_admin_comment(lua_State *L, struct request *r, const struct field *f) {
        const char *text = text_given(L, r, f);

        if (r->submit)
                message_text_set(&r->submit->admin_comment, text);
        else
                free_and_strdup(&r->admin_comment, text);
}

static void desc_get_end_time(lua_State *L, const struct request *r, const struct field *f) {
        (void)f;
        lua_pushinteger(L, (lua_Integer)((r->job ? r->job->end_time : r->end_time) / USEC_PER_SEC));
}

static void desc_set_end_time(lua_State *L, struct request *r, const struct field *f) {
        if (!r->update)
                field_fail(L, r, f, "it can be changed by an update only");
        r->end_time = number_or_none(L, r, f, UINT32_MAX * UINT64_C(4)) * USEC_PER_SEC;
}

static void desc_get_site_factor(lua_State *L, const struct request *r, const struct field *f) {
        int32_t n = r->job ? r->job->site_factor : r->site_factor;

        (void)f;
        lua_pushinteger(L, n ? NICE_OFFSET + n : LUA_NO_VAL);
}

static void desc_set_site_factor(lua_State *L, struct request *r, const struct field *f) {
        if (!r->update)
                field_fail(L, r, f, "it can be changed by an update only");
        r->site_factor = 0;
        (void)offset_given(L, r, f, &r->site_factor);
}

/* The CPUs of the job's tasks; an update may ask for more. */
static void desc_get_num_cpus(lua_State *L, const struct request *r, const struct field *f) {
        uint64_t tasks = (uint64_t)r->spec->num_tasks * MAX(1u, r->spec->cpus_per_task),
                 n = r->job      ? r->job->num_cpus
                     : r->update ? r->num_cpus
                                 : r->spec->tasks_set * tasks;

        (void)f;
        lua_pushinteger(L, n ? (lua_Integer)n : LUA_NO_VAL);
}

static void desc_set_num_cpus(lua_State *L, struct request *r, const struct field *f) {
        if (!r->update)
                field_fail(L, r, f, "it follows from num_tasks and cpus_per_task");
        r->num_cpus = (uint32_t)number_or_none(L, r, f, UINT32_MAX - 2);
}

static void desc_set_wait4switch(lua_State *L, struct request *r, const struct field *f) {
        *SPEC(uint64_t, r, f) = number_or_none(L, r, f, UINT32_MAX) * USEC_PER_SEC;
}

/* A delay of 0 is stored as 1 us, because 0 in JobSpec means the cluster's DelayBoot. */
static void desc_set_delay_boot(lua_State *L, struct request *r, const struct field *f) {
        uint64_t n = 0;
        bool given = number_given(L, r, f, UINT32_MAX - 2, &n);

        *SPEC(uint64_t, r, f) = given ? MAX(n * USEC_PER_SEC, (uint64_t)1) : 0;
}

static void desc_get_kill_on_node_fail(lua_State *L, const struct request *r,
                const struct field *f) {
        (void)f;
        lua_pushinteger(L, r->spec->no_kill ? 0 : LUA_NO_VAL16);
}

static void desc_set_kill_on_node_fail(lua_State *L, struct request *r, const struct field *f) {
        bool on = true, given = flag_given(L, r, f, &on);

        r->spec->no_kill = given && !on;
}

/* Reads as "gres/gpu:2", made from one number of JobSpec. */
static void desc_get_per_gpu(lua_State *L, const struct request *r, const struct field *f) {
        uint64_t n = f->at == offsetof(Slumber__JobSpec, mem_per_gpu) ? *SPEC(uint64_t, r, f)
                                                                      : *SPEC(uint32_t, r, f);

        if (n)
                lua_pushfstring(L, "gres/gpu:%I", (LUAI_UACINT)n);
        else
                lua_pushnil(L);
}

static void desc_set_per_gpu(lua_State *L, struct request *r, const struct field *f) {
        const char *text = text_given(L, r, f), *colon = strrchr(text, ':');
        bool memory = f->at == offsetof(Slumber__JobSpec, mem_per_gpu);
        uint64_t n = 0;

        if (*text && (!strstr(text, "gpu") || !colon ||
                                     uint_parse(colon + 1, 1, memory ? UINT32_MAX : UINT16_MAX,
                                                     &n) < 0))
                field_fail(L, r, f, "\"gres/gpu:NUMBER\" was expected");
        if (memory)
                memory_is(r, 0, 0);
        if (memory)
                *SPEC(uint64_t, r, f) = n;
        else
                *SPEC(uint32_t, r, f) = (uint32_t)n;
}

static void desc_get_bitflags(lua_State *L, const struct request *r, const struct field *f) {
        const Slumber__JobSpec *s = r->spec;

        (void)f;
        lua_pushinteger(L, (lua_Integer)((s->kill_on_invalid_dep == 1 ? LUA_KILL_INV_DEP : 0) |
                                           (s->kill_on_invalid_dep == 2 ? LUA_NO_KILL_INV_DEP : 0) |
                                           (s->spread_job ? LUA_SPREAD_JOB : 0) |
                                           (s->use_min_nodes ? LUA_USE_MIN_NODES : 0) |
                                           (s->gres_binding == 1 ? LUA_GRES_ENFORCE_BIND : 0) |
                                           (s->gres_binding == 2 ? LUA_GRES_DISABLE_BIND : 0)));
}

static void desc_set_bitflags(lua_State *L, struct request *r, const struct field *f) {
        uint64_t n = number_or_none(L, r, f, INT64_MAX);
        Slumber__JobSpec *s = r->spec;

        s->kill_on_invalid_dep = n & LUA_KILL_INV_DEP ? 1 : n & LUA_NO_KILL_INV_DEP ? 2 : 0;
        s->spread_job = n & LUA_SPREAD_JOB;
        s->use_min_nodes = n & LUA_USE_MIN_NODES;
        s->gres_binding = n & LUA_GRES_ENFORCE_BIND ? 1 : n & LUA_GRES_DISABLE_BIND ? 2 : 0;
}

const struct mail_bit mail_bits[] = {
        { 0x1, MAIL_BEGIN, "MAIL_JOB_BEGIN" },
        { 0x2, MAIL_END, "MAIL_JOB_END" },
        { 0x4, MAIL_FAIL, "MAIL_JOB_FAIL" },
        { 0x8, MAIL_REQUEUE, "MAIL_JOB_REQUEUE" },
        { 0x10, MAIL_TIME_LIMIT, "MAIL_JOB_TIME100" },
        { 0x20, MAIL_TIME_LIMIT_90, "MAIL_JOB_TIME90" },
        { 0x40, MAIL_TIME_LIMIT_80, "MAIL_JOB_TIME80" },
        { 0x80, MAIL_TIME_LIMIT_50, "MAIL_JOB_TIME50" },
        { 0x100, MAIL_STAGE_OUT, "MAIL_JOB_STAGE_OUT" },
        { 0x200, MAIL_ARRAY_TASKS, "MAIL_ARRAY_TASKS" },
        { 0x400, MAIL_INVALID_DEPEND, "MAIL_INVALID_DEPEND" },
};
const size_t n_mail_bits = ELEMENTSOF(mail_bits);

static void desc_get_mail_type(lua_State *L, const struct request *r, const struct field *f) {
        uint32_t n = 0;

        for (size_t i = 0; i < n_mail_bits; i++)
                n |= *SPEC(uint32_t, r, f) & mail_bits[i].ours ? mail_bits[i].slurm : 0;
        lua_pushinteger(L, n);
}

static void desc_set_mail_type(lua_State *L, struct request *r, const struct field *f) {
        uint64_t n = number_or_none(L, r, f, UINT16_MAX);
        uint32_t types = 0;

        for (size_t i = 0; i < n_mail_bits; i++)
                types |= n & mail_bits[i].slurm ? mail_bits[i].ours : 0;
        *SPEC(uint32_t, r, f) = types;
}

/* ---- fields that are only read, and the script ---- */

static void desc_get_user_id(lua_State *L, const struct request *r, const struct field *f) {
        (void)f;
        lua_pushinteger(L, r->job ? r->job->uid : r->about->uid);
}

static void desc_get_group_id(lua_State *L, const struct request *r, const struct field *f) {
        (void)f;
        lua_pushinteger(L, r->job ? r->job->gid : r->about->gid);
}

static void desc_get_het_job_offset(lua_State *L, const struct request *r, const struct field *f) {
        const Slumber__Number *asked = r->about->het_offset;

        (void)f;
        if (r->job)
                lua_pushinteger(L, r->job->het_job ? r->job->het_offset : LUA_NO_VAL);
        else
                lua_pushinteger(L, asked ? (lua_Integer)asked->value : LUA_NO_VAL);
}

static void desc_get_user_name(lua_State *L, const struct request *r, const struct field *f) {
        (void)f;
        push_text(L, r->job ? r->job->user : r->about->user);
}

static void desc_get_default_account(lua_State *L, const struct request *r, const struct field *f) {
        (void)f;
        push_text(L, r->about->default_account);
}

static void desc_get_default_qos(lua_State *L, const struct request *r, const struct field *f) {
        (void)f;
        push_text(L, r->about->default_qos);
}

/* The kind of hold of a held job under update (ALLOC_SID_ADMIN_HOLD or ALLOC_SID_USER_HOLD). */
static void desc_get_alloc_sid(lua_State *L, const struct request *r, const struct field *f) {
        uint32_t n = r->update ? r->about->held : r->spec->submit_pid;

        (void)f;
        lua_pushinteger(L, n ? n : LUA_NO_VAL);
}

static void desc_get_job_id(lua_State *L, const struct request *r, const struct field *f) {
        (void)f;
        lua_pushinteger(L, r->job ? r->job->id : r->about->job ? r->about->job->id : LUA_NO_VAL);
}

/* Slurm's number of the state: the names in lib/state have Slurm's order. */
static void desc_get_job_state(lua_State *L, const struct request *r, const struct field *f) {
        (void)f;
        if (r->job)
                lua_pushinteger(L, (lua_Integer)r->job->state);
        else
                lua_pushnil(L);
}

static void desc_get_immediate(lua_State *L, const struct request *r, const struct field *f) {
        (void)f;
        lua_pushinteger(L, r->submit && r->submit->immediate);
}

static void desc_get_script(lua_State *L, const struct request *r, const struct field *f) {
        (void)f;
        if (r->script)
                lua_pushlstring(L, (const char *)r->script->script.data, r->script->script.len);
        else
                lua_pushnil(L);
}

static void desc_set_script(lua_State *L, struct request *r, const struct field *f) {
        size_t size = 0;
        const char *text = lua_tolstring(L, VALUE, &size);

        if (!r->script)
                field_fail(L, r, f, "only a batch job has one");
        if (!text || size < 2 || strncmp(text, "#!", 2) != 0)
                field_fail(L, r, f, "a text that begins with #! was expected");
        uint8_t *copy = xmalloc(size); /* the script may contain bytes of 0 */
        memcpy(copy, text, size);
        free(r->script->script.data);
        r->script->script.data = copy;
        r->script->script.len = size;
        r->new_script = true;
}

static size_t n_arguments(const struct request *r) {
        return r->script ? r->script->n_arguments + 1 : 0;
}

static void desc_get_argc(lua_State *L, const struct request *r, const struct field *f) {
        (void)f;
        lua_pushinteger(L, (lua_Integer)n_arguments(r));
}

/* Index 0 is the script's path. */
static void desc_get_argv(lua_State *L, const struct request *r, const struct field *f) {
        (void)f;
        lua_newtable(L);
        for (size_t i = 0; i < n_arguments(r); i++) {
                lua_pushstring(L, i ? r->script->arguments[i - 1] : r->spec->command);
                lua_rawseti(L, -2, (lua_Integer)i);
        }
}

/* ---- the environment of a batch job ---- */

static char **variable_find(const Slumber__JobScript *s, const char *name) {
        size_t n = strlen(name);

        for (size_t i = 0; i < s->n_environment; i++)
                if (strncmp(s->environment[i], name, n) == 0 && s->environment[i][n] == '=')
                        return &s->environment[i];
        return NULL;
}

static int script_env_get(lua_State *L) {
        const struct request *r = lua_touserdata(L, lua_upvalueindex(1));
        const char *name = luaL_checkstring(L, 2);
        char **at = variable_find(r->script, name);

        if (at)
                lua_pushstring(L, *at + strlen(name) + 1);
        else
                lua_pushnil(L);
        return 1;
}

static void variable_remove(Slumber__JobScript *s, char **at) {
        free(*at);
        memmove(at, at + 1, (size_t)(s->environment + s->n_environment - at - 1) * sizeof *at);
        s->n_environment--;
}

static int script_env_set(lua_State *L) {
        struct request *r = lua_touserdata(L, lua_upvalueindex(1));
        const char *name = luaL_checkstring(L, 2);
        Slumber__JobScript *s = r->script;
        char **at = variable_find(s, name);

        if (!*name || strchr(name, '='))
                luaL_error(L, "%s.environment: \"%s\" is no name of a variable", r->name, name);
        r->new_script = true;
        if (lua_isnil(L, VALUE)) {
                if (at)
                        variable_remove(s, at);
                return 0;
        }
        char *variable = xasprintf("%s=%s", name, luaL_checkstring(L, VALUE));
        if (!at) {
                s->environment = xrenew(s->environment, s->n_environment + 1);
                at = &s->environment[s->n_environment++];
                *at = NULL;
        }
        free(*at);
        *at = variable;
        return 0;
}

/* Pushes a table whose accesses call get and set; both find r in their first upvalue. */
static void push_proxy(lua_State *L, struct request *r, lua_CFunction get, lua_CFunction set) {
        lua_newtable(L);
        lua_newtable(L);
        lua_pushlightuserdata(L, r);
        lua_pushcclosure(L, get, 1);
        lua_setfield(L, -2, "__index");
        lua_pushlightuserdata(L, r);
        lua_pushcclosure(L, set, 1);
        lua_setfield(L, -2, "__newindex");
        lua_setmetatable(L, -2);
}

static void desc_get_environment(lua_State *L, const struct request *r, const struct field *f) {
        (void)f;
        if (r->script)
                push_proxy(L, (struct request *)(uintptr_t)r, script_env_get, script_env_set);
        else
                lua_pushnil(L);
}

/* ---- the list ---- */

/* clang-format off */
#define AT(field)     offsetof(Slumber__JobSpec, field)
#define READ(name)    desc_get_##name, NULL, FORM_TEXT, 0, NULL
#define OWN(name)     desc_get_##name, desc_set_##name
#define MB(name)      desc_get_mb, desc_set_##name
#define SECONDS(name) desc_get_seconds, desc_set_##name

/* The kinds of job_fields.h, without KIND_ there */
#define KIND_TEXT         desc_get_text, desc_set_text, FORM_TEXT
#define KIND_GRES         desc_get_text, desc_set_gres, FORM_TEXT
#define KIND_NUMBER       desc_get_u32, desc_set_u32, FORM_NUMBER
#define KIND_SHORT        desc_get_u16, desc_set_u16, FORM_NUMBER
#define KIND_NODES        desc_get_u32, desc_set_u32, FORM_NODES
#define KIND_MINUTES      desc_get_minutes, desc_set_minutes, FORM_MINUTES
#define KIND_TIME         desc_get_time, desc_set_time, FORM_CLOCK
#define KIND_TIME_OR_NONE desc_get_time, desc_set_time, FORM_CLOCK_OR_NONE
#define KIND_FLAG         desc_get_flag, desc_set_flag, FORM_YES_NO
#define KIND_CHOICE       desc_get_choice, desc_set_choice, FORM_NUMBER

const struct field fields[] = {
        { "admin_comment", OWN(admin_comment), FORM_TEXT, 0, "AdminComment" },
        { "alloc_node", desc_get_text, NULL, FORM_TEXT, AT(submit_host), NULL },
        { "alloc_sid", READ(alloc_sid) },
        { "argc", READ(argc) },
        { "argv", READ(argv) },
        { "array_inx", KIND_TEXT, AT(array), "ArrayTaskThrottle" },
        { "bitflags", OWN(bitflags), FORM_TEXT, 0, NULL },
        { "core_spec", OWN(core_spec), FORM_TEXT, 0, "CoreSpec" },
        { "cpus_per_tres", OWN(per_gpu), FORM_TEXT, AT(cpus_per_gpu), NULL },
        { "default_account", READ(default_account) },
        { "default_qos", READ(default_qos) },
        { "delay_boot", SECONDS(delay_boot), FORM_DELAY, AT(delay_boot), "DelayBoot" },
        { "environment", READ(environment) },
        { "end_time", OWN(end_time), FORM_CLOCK, 0, "EndTime" },
        { "gres", KIND_GRES, AT(tres_per_node), "Gres" },
        { "group_id", READ(group_id) },
        { "het_job_offset", READ(het_job_offset) },
        { "immediate", READ(immediate) },
        { "job_id", READ(job_id) },
        { "job_state", READ(job_state) },
        { "kill_on_node_fail", OWN(kill_on_node_fail), FORM_TEXT, 0, NULL },
        { "mail_type", OWN(mail_type), FORM_MAILS, AT(mail_type), "MailType" },
        { "max_cpus", OWN(num_cpus), FORM_NUMBER, 0, "NumCPUs" },
        { "mem_per_tres", OWN(per_gpu), FORM_TEXT, AT(mem_per_gpu), NULL },
        { "min_cpus", OWN(num_cpus), FORM_NUMBER, 0, "NumCPUs" },
        { "min_mem_per_cpu", MB(mem_per_cpu), FORM_NUMBER, AT(mem_per_cpu), "MinMemoryCPU" },
        { "min_mem_per_node", MB(mem_per_node), FORM_NUMBER, AT(mem_per_node), "MinMemoryNode" },
        { "nice", OWN(nice), FORM_OFFSET, AT(nice), "Nice" },
        { "ntasks_per_node", desc_get_u16, desc_set_tasks_per_node, FORM_NUMBER,
                AT(ntasks_per_node), "TasksPerNode" },
        { "ntasks_per_tres", KIND_SHORT, AT(ntasks_per_gpu), NULL },
        { "num_tasks", OWN(tasks), FORM_NUMBER, AT(num_tasks), "NumTasks" },
        { "pn_min_cpus", KIND_SHORT, AT(min_cpus_node), "MinCPUsNode" },
        { "pn_min_memory", OWN(memory), FORM_TEXT, 0, NULL },
        { "pn_min_tmp_disk", KIND_NUMBER, AT(tmp_disk), "MinTmpDiskNode" },
        { "priority", OWN(priority), FORM_NUMBER, AT(priority), "Priority" },
        { "req_switch", desc_get_u32, desc_set_u32, FORM_SWITCHES, AT(switches), "Switches" },
        { "reboot", OWN(reboot), FORM_TEXT, 0, "Reboot" },
        { "script", OWN(script), FORM_TEXT, 0, NULL },
        { "shared", OWN(shared), FORM_YES_NO, 0, "OverSubscribe" },
        { "site_factor", OWN(site_factor), FORM_OFFSET, 0, "SiteFactor" },
        { "sockets_per_board", KIND_SHORT, AT(sockets_per_node), NULL },
        { "submit_line", desc_get_text, NULL, FORM_TEXT, AT(submit_line), NULL },
        { "user_id", READ(user_id) },
        { "user_name", READ(user_name) },
        { "wait4switch", SECONDS(wait4switch), FORM_NUMBER, AT(switch_wait), "wait-for-switch" },
#define X(field, key, lua) { #field, KIND_##lua, AT(field), key },
        JOB_TEXTS_LUA(X)
        JOB_VALUES_LUA(X)
#undef X
};

const size_t n_fields = ELEMENTSOF(fields);

/* Fields of Slurm without a counterpart in Slumber, and the value read: nil or NO_VAL of a
   width. */
static const struct {
        const char *name;
        enum { NOTHING, NONE16, NONE32, NONE64 } width;
} foreign[] = {
        { "acctg_freq", NOTHING }, { "boards_per_node", NONE16 }, { "burst_buffer", NOTHING },
        { "clusters", NOTHING }, { "cluster_features", NOTHING },
        { "container_id", NOTHING }, { "cpu_freq_gov", NONE32 },
        { "cpu_freq_max", NONE32 }, { "cpu_freq_min", NONE32 },
        { "group_number", NONE32 },
        { "network", NOTHING },
        { "ntasks_per_board", NONE16 }, { "power_flags", NONE16 },
        { "selinux_context", NOTHING }, { "spank_job_env", NOTHING }, { "tres_bind", NOTHING },
        { "tres_freq", NOTHING }, { "x11", NOTHING },
};
/* clang-format on */

const struct field *field_named(const char *name) {
        for (size_t i = 0; i < ELEMENTSOF(fields); i++)
                if (streq(fields[i].name, name))
                        return &fields[i];
        return NULL;
}

bool field_reads_unset(lua_State *L, int at, const struct field *f) {
        bool is_short = f->get == desc_get_u16 || f->get == desc_get_choice ||
                        f->get == desc_get_shared || f->get == desc_get_core_spec ||
                        f->get == desc_get_reboot;
        lua_Number n = lua_type(L, at) == LUA_TNUMBER ? lua_tonumber(L, at) : 0;

        return lua_isnil(L, at) || n == LUA_NO_VAL || n >= (lua_Number)LUA_NO_VAL64 ||
               (is_short && n == LUA_NO_VAL16);
}

/* A setting of 0 in an update or "" reads as 0 or "", unlike a field the update does not name. */
static void push_said(lua_State *L, const struct request *r, const struct field *f) {
        const struct field_said *said = &r->said[f - fields];

        if (said->kind == SAID_AS_STORED || r->changed[f - fields] != FIELD_AS_IT_WAS ||
                        !field_reads_unset(L, -1, f))
                return;
        lua_pop(L, 1);
        if (said->kind == SAID_NUMBER)
                lua_pushinteger(L, (lua_Integer)said->number);
        else
                lua_pushstring(L, "");
}

static void push_foreign(lua_State *L, const char *name) {
        for (size_t i = 0; i < ELEMENTSOF(foreign); i++)
                if (streq(foreign[i].name, name) && foreign[i].width != NOTHING) {
                        push_u64(L, foreign[i].width == NONE16       ? LUA_NO_VAL16
                                        : foreign[i].width == NONE32 ? LUA_NO_VAL
                                                                     : LUA_NO_VAL64);
                        return;
                }
        lua_pushnil(L);
}

static int request_get(lua_State *L) {
        const struct request *r = lua_touserdata(L, lua_upvalueindex(1));
        const char *name = lua_tostring(L, 2);
        const struct field *f = name ? field_named(name) : NULL;

        if (f)
                f->get(L, r, f);
        else
                push_foreign(L, strempty(name));
        if (f && r->update)
                push_said(L, r, f);
        return 1;
}

static int request_set(lua_State *L) {
        struct request *r = lua_touserdata(L, lua_upvalueindex(1));
        const char *name = luaL_checkstring(L, 2);
        const struct field *f = field_named(name);

        if (r->fixed || (f && !f->set))
                return luaL_error(L, "%s.%s can be read only", r->name, name);
        if (f && r->update && !f->key)
                return luaL_error(L, "%s.%s cannot be changed by an update", r->name, name);
        if (f) {
                f->set(L, r, f);
                if (r->update)
                        r->changed[f - fields] = streq(strempty(lua_tostring(L, VALUE)),
                                                                 "") && !lua_isnil(L, VALUE)
                                                                 ? FIELD_EMPTIED
                                                                 : FIELD_CHANGED;
                return 0;
        }
        push_foreign(L, name);
        bool unset = lua_isnil(L, VALUE) || streq(strempty(lua_tostring(L, VALUE)), "");
        if (!unset && !lua_rawequal(L, VALUE, -1))
                return luaL_error(L, "%s.%s cannot be set: it is not implemented", r->name, name);
        return 0;
}

void fields_push(lua_State *L, struct request *r) {
        push_proxy(L, r, request_get, request_set);
}
