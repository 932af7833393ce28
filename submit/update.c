/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prepares an update of a job for slurm_job_modify(): settings become fields of job_desc, and
 * fields changed by the script become settings again. */
#include "submit/fields.h"
#include "submit/fields_private.h"

#include "lib/mailtype.h"
#include "lib/timetext.h"

#include <lauxlib.h>

/* ---- settings become fields ---- */

static bool push_number(lua_State *L, const char *text, uint64_t add) {
        uint64_t n = 0;

        if (uint_parse(text, 0, INT64_MAX >> 20, &n) < 0)
                return false;
        lua_pushinteger(L, (lua_Integer)(n + add));
        return true;
}

static bool push_minutes(lua_State *L, const char *text) {
        usec_t limit = 0;

        if (limit_parse(text, &limit, NULL) < 0)
                return false;
        lua_pushinteger(L, limit == NO_LIMIT ? LUA_INFINITE
                                             : (lua_Integer)DIV_ROUND_UP(limit, 60 * USEC_PER_SEC));
        return true;
}

static bool push_delay(lua_State *L, const char *text) {
        usec_t delay = 0;

        if (limit_parse(text, &delay, NULL) < 0 || delay == NO_LIMIT)
                return false;
        lua_pushinteger(L, (lua_Integer)(delay / USEC_PER_SEC));
        return true;
}

static bool push_clock(lua_State *L, const char *text) {
        usec_t t = 0;

        if (!streq(text, "0") && time_parse(text, now_realtime(), &t, NULL) < 0)
                return false;
        lua_pushinteger(L, (lua_Integer)(t / USEC_PER_SEC));
        return true;
}

static bool push_yes_no(lua_State *L, const char *text) {
        bool yes = strcasecmp(text, "yes") == 0 || streq(text, "1");

        lua_pushinteger(L, yes);
        return yes || strcasecmp(text, "no") == 0 || streq(text, "0");
}

static bool push_offset(lua_State *L, const char *text) {
        bool negative = *text == '-';
        uint64_t n = 0;

        if (uint_parse(text + negative, 0, INT32_MAX, &n) < 0)
                return false;
        lua_pushinteger(L, (lua_Integer)(NICE_OFFSET + (negative ? -(int64_t)n : (int64_t)n)));
        return true;
}

static bool push_mails(lua_State *L, const char *text) {
        uint32_t types = 0;
        lua_Integer n = 0;

        if (mail_type_parse(text, &types, NULL) < 0)
                return false;
        for (size_t i = 0; i < n_mail_bits; i++)
                n |= types & mail_bits[i].ours ? mail_bits[i].slurm : 0;
        lua_pushinteger(L, n);
        return true;
}

/* Pushes the maximum of "2-4" (the number, if single) or the wait of "2@5:00". */
static bool push_second(lua_State *L, enum field_form form, const char *text) {
        const char *mark = strchr(text, form == FORM_NODES ? '-' : '@');
        usec_t wait = 0;

        if (form == FORM_NODES)
                return push_number(L, mark ? mark + 1 : text, 0);
        if (!mark || duration_parse(mark + 1, &wait, NULL) < 0)
                return false;
        lua_pushinteger(L, (lua_Integer)(wait / USEC_PER_SEC));
        return true;
}

static bool push_first(lua_State *L, const char *text) {
        _cleanup_free_ char *first = xstrndup(text, strcspn(text, "-@"));

        return push_number(L, first, 0);
}

/* Returns false for a malformed value, which may have been left on the stack. */
static bool push_value(lua_State *L, enum field_form form, const char *text) {
        switch (form) {
        case FORM_NUMBER:
                return push_number(L, text, 0);
        case FORM_MINUTES:
                return push_minutes(L, text);
        case FORM_DELAY:
                return push_delay(L, text);
        case FORM_CLOCK:
        case FORM_CLOCK_OR_NONE:
                return push_clock(L, text);
        case FORM_YES_NO:
                return push_yes_no(L, text);
        case FORM_OFFSET:
                return push_offset(L, text);
        case FORM_MAILS:
                return push_mails(L, text);
        case FORM_NODES:
        case FORM_SWITCHES:
                return push_first(L, text);
        case FORM_TEXT:
        default:
                lua_pushstring(L, text);
                return true;
        }
}

/* Notes a value that JobSpec stores as not set, so that the script can read the value all the
   same. Returns false if the script could not see the value. */
static bool field_keep_said(lua_State *L, struct request *r, const struct field *f) {
        struct field_said *said = &r->said[f - fields];

        f->get(L, r, f);
        if (!field_reads_unset(L, -1, f))
                return true;
        if (field_reads_unset(L, FIELD_VALUE, f))
                return false;
        bool is_number = lua_type(L, FIELD_VALUE) == LUA_TNUMBER;
        *said = (struct field_said){ is_number ? SAID_NUMBER : SAID_NO_TEXT,
                is_number ? lua_tointeger(L, FIELD_VALUE) : 0 };
        return is_number || lua_rawlen(L, FIELD_VALUE) == 0;
}

static bool field_take_setting(lua_State *L, struct request *r, const struct field *f,
                const char *text, bool second) {
        lua_settop(L, FIELD_VALUE - 1);
        if (!(second ? push_second(L, f->form, text) : push_value(L, f->form, text)))
                return false;
        f->set(L, r, f);
        return field_keep_said(L, r, f);
}

/* Takes the wait of "2@5:00". */
static bool wait_take_setting(lua_State *L, struct request *r, const char *text) {
        const struct field *wait = field_named("wait4switch");

        lua_settop(L, FIELD_VALUE - 1);
        if (!push_second(L, FORM_SWITCHES, text))
                return false;
        wait->set(L, r, wait);
        return field_keep_said(L, r, wait);
}

static bool update_take_setting(lua_State *L, struct request *r, const Slumber__KeyValue *s) {
        bool told = true;

        for (size_t i = 0; i < n_fields; i++) {
                const struct field *f = &fields[i];
                if (!f->key || !streq(f->key, s->key))
                        continue;
                told &= field_take_setting(L, r, f, s->value, streq(f->name, "max_nodes"));
                if (f->form == FORM_SWITCHES && strchr(s->value, '@'))
                        told &= wait_take_setting(L, r, s->value);
        }
        return told;
}

static int take_protected(lua_State *L) {
        struct request *r = lua_touserdata(L, 1);

        lua_pushboolean(L, update_take_setting(L, r, lua_touserdata(L, 2)));
        return 1;
}

const Slumber__KeyValue *update_begin(lua_State *L, struct request *r) {
        const Slumber__KeyValue *hidden = NULL;

        for (size_t i = 0; i < r->update->n_settings; i++) {
                lua_pushcfunction(L, take_protected);
                lua_pushlightuserdata(L, r);
                lua_pushlightuserdata(L, r->update->settings[i]);
                bool told = lua_pcall(L, 2, 1, 0) == LUA_OK && lua_toboolean(L, -1);
                lua_pop(L, 1);
                hidden = !told && !hidden ? r->update->settings[i] : hidden;
        }
        return hidden;
}

/* ---- fields become settings ---- */

static char *mails_value(lua_Integer n) {
        uint32_t types = 0;

        for (size_t i = 0; i < n_mail_bits; i++)
                types |= n & mail_bits[i].slurm ? mail_bits[i].ours : 0;
        return mail_type_text(types);
}

static char *nodes_value(const struct request *r) {
        uint32_t min = MAX(1u, r->spec->min_nodes), max = MAX(min, r->spec->max_nodes);

        return xasprintf("%u-%u", min, max);
}

/* Returns the setting's text for the field's value on top of the stack; NULL: not set. */
static char *value_text(lua_State *L, const struct request *r, enum field_form form) {
        lua_Integer n = lua_isinteger(L, -1) ? lua_tointeger(L, -1)
                                             : (lua_Integer)lua_tonumber(L, -1);

        if (lua_isnil(L, -1) || (form != FORM_TEXT && (n == LUA_NO_VAL || n == LUA_NO_VAL16)))
                return NULL;
        switch (form) {
        case FORM_MINUTES:
                return n == LUA_INFINITE ? xstrdup("UNLIMITED") : xasprintf("%lld", (long long)n);
        case FORM_DELAY:
                return xasprintf("%lld:%02lld", (long long)(n / 60), (long long)(n % 60));
        case FORM_CLOCK:
                return n ? xasprintf("uts%lld", (long long)n) : NULL;
        case FORM_CLOCK_OR_NONE:
                return n ? xasprintf("uts%lld", (long long)n) : xstrdup("0");
        case FORM_OFFSET:
                return xasprintf("%lld", (long long)(n - (lua_Integer)NICE_OFFSET));
        case FORM_MAILS:
                return mails_value(n);
        case FORM_NODES:
                return nodes_value(r);
        case FORM_TEXT:
                return xstrdup(strempty(lua_tostring(L, -1)));
        case FORM_NUMBER:
        case FORM_YES_NO:
        case FORM_SWITCHES:
        default:
                return xasprintf("%lld", (long long)n);
        }
}

static void setting_drop(Slumber__JobUpdate *m, const char *key) {
        size_t n = 0;

        for (size_t i = 0; i < m->n_settings; i++)
                if (streq(m->settings[i]->key, key))
                        slumber__key_value__free_unpacked(m->settings[i], NULL);
                else
                        m->settings[n++] = m->settings[i];
        m->n_settings = n;
}

static void setting_append(Slumber__JobUpdate *m, const char *key, char *value) {
        Slumber__KeyValue *kv = xnew(Slumber__KeyValue, 1);

        slumber__key_value__init(kv);
        kv->key = xstrdup(key);
        kv->value = value;
        m->settings = xrenew(m->settings, m->n_settings + 1);
        m->settings[m->n_settings++] = kv;
}

void update_end(lua_State *L, struct request *r) {
        for (size_t i = 0; i < n_fields; i++) {
                const struct field *f = &fields[i];
                if (r->changed[i] == FIELD_AS_IT_WAS)
                        continue;
                f->get(L, r, f);
                char *value = r->changed[i] == FIELD_EMPTIED ? xstrdup("")
                                                             : value_text(L, r, f->form);
                lua_pop(L, 1);
                setting_drop(r->update, f->key);
                if (value)
                        setting_append(r->update, f->key, value);
        }
}
