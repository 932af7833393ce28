/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Serves cli_filter.lua to one sbatch, srun or salloc, the parent of this process: the command's
 * options are a Lua table. The process has the user's rights. */
#include "submit/filter.h"

#include "lib/wire.h"
#include "submit/script.h"

#include <fcntl.h>
#include <lauxlib.h>
#include <signal.h>
#include <sys/prctl.h>

const struct script_kind filter_script = {
        .functions = { "slurm_cli_setup_defaults", "slurm_cli_pre_submit",
                        "slurm_cli_post_submit" },
        .n_functions = 3,
};

struct filter {
        struct wire *wire;
        struct script *script; /* NULL: not read yet */
        Slumber__FilterRequest *request;
        bool changed[OPTIONS_MAX]; /* by option of the request: changed by the script */
};

/* ---- the table of options ---- */

static Slumber__FilterOption *option_find(const Slumber__FilterRequest *m, const char *name) {
        for (size_t i = 0; i < m->n_options; i++)
                if (streq(m->options[i]->name, name))
                        return m->options[i];
        return NULL;
}

static struct filter *filter_of(lua_State *L) {
        return lua_touserdata(L, lua_upvalueindex(1));
}

/* Reads an option; --signal that is not set reads as in Slurm. */
static int option_get(lua_State *L) {
        const Slumber__FilterRequest *m = filter_of(L)->request;
        const char *name = strempty(lua_tostring(L, 2));
        const Slumber__FilterOption *o = option_find(m, name);

        if (streq(name, "type"))
                lua_pushstring(L, m->command);
        else if (o && o->foreign)
                lua_pushliteral(L, "invalid-context");
        else if (o && o->said)
                lua_pushstring(L, o->value);
        else if (o && streq(name, "signal"))
                lua_pushliteral(L, "0@0");
        else
                lua_pushnil(L);
        return 1;
}

static void text_set(char **text, const char *value) {
        if (*text != protobuf_c_empty_string)
                free(*text);
        *text = xstrdup(value);
}

/* nil and false remove an option; true sets an option without an argument. */
static int option_set(lua_State *L) {
        struct filter *f = filter_of(L);
        const char *name = luaL_checkstring(L, 2);
        Slumber__FilterOption *o = option_find(f->request, name);
        bool off = lua_isnil(L, 3) || (lua_isboolean(L, 3) && !lua_toboolean(L, 3));

        if (!o || o->foreign)
                return luaL_error(L, "options[\"%s\"]: %s has no such option", name,
                                f->request->command);
        const char *value = off ? "" : lua_isboolean(L, 3) ? "set" : luaL_checkstring(L, 3);
        for (size_t i = 0; i < f->request->n_options; i++)
                if (f->request->options[i] == o)
                        f->changed[i] = true;
        text_set(&o->value, value);
        o->said = !off;
        return 0;
}

static void push_options(lua_State *L, struct filter *f) {
        lua_newtable(L);
        lua_newtable(L);
        lua_pushlightuserdata(L, f);
        lua_pushcclosure(L, option_get, 1);
        lua_setfield(L, -2, "__index");
        lua_pushlightuserdata(L, f);
        lua_pushcclosure(L, option_set, 1);
        lua_setfield(L, -2, "__newindex");
        lua_setmetatable(L, -2);
}

/* ---- slurm.json_cli_options() ---- */

static void add_json(luaL_Buffer *b, const char *text) {
        luaL_addchar(b, '"');
        for (; *text; text++) {
                char code[8];
                if ((unsigned char)*text >= 0x20 && *text != '"' && *text != '\\') {
                        luaL_addchar(b, *text);
                        continue;
                }
                (void)snprintf(code, sizeof code, "\\u%04x", (unsigned)(unsigned char)*text);
                luaL_addstring(b, code);
        }
        luaL_addchar(b, '"');
}

static int json_options(lua_State *L) {
        const Slumber__FilterRequest *m = filter_of(L)->request;
        luaL_Buffer b;

        luaL_buffinit(L, &b);
        luaL_addchar(&b, '{');
        for (size_t i = 0; i < m->n_options; i++) {
                const Slumber__FilterOption *o = m->options[i];
                if (!o->said || o->foreign)
                        continue;
                add_json(&b, o->name);
                luaL_addchar(&b, ':');
                add_json(&b, o->value);
                luaL_addchar(&b, ',');
        }
        luaL_addstring(&b, "\"argv\":[");
        for (size_t i = 0; i < m->n_arguments; i++) {
                if (i)
                        luaL_addchar(&b, ',');
                add_json(&b, m->arguments[i]);
        }
        luaL_addstring(&b, "]}");
        luaL_pushresult(&b);
        return 1;
}

/* ---- one call ---- */

static int filter_script_read(struct filter *f, struct script_said *said, struct fail *fail) {
        const Slumber__FilterRequest *m = f->request;
        _cleanup_free_ char *text = NULL;
        size_t size = 0;

        if (f->script)
                return 0;
        int r = script_read(m->script, m->owner, &text, &size, fail);
        if (r >= 0)
                r = script_load(&filter_script, m->script, text, size, said, &f->script, fail);
        if (r < 0)
                return r;
        lua_State *L = script_begin(f->script, "slurm_cli_pre_submit");
        lua_pushlightuserdata(L, f);
        lua_pushcclosure(L, json_options, 1);
        script_set(f->script, "json_cli_options");
        return 0;
}

static int filter_call(struct filter *f, struct script_said *said, int64_t *ret,
                struct fail *fail) {
        const Slumber__FilterRequest *m = f->request;
        lua_State *L = script_begin(f->script, m->function);

        if (streq(m->function, "slurm_cli_post_submit")) {
                lua_pushinteger(L, m->offset);
                lua_pushinteger(L, m->job);
                lua_pushinteger(L, m->step);
                return script_call(f->script, 3, said, ret, fail);
        }
        push_options(L, f);
        if (streq(m->function, "slurm_cli_setup_defaults"))
                lua_pushboolean(L, m->early);
        else
                lua_pushinteger(L, m->offset);
        return script_call(f->script, 2, said, ret, fail);
}

/* The options that the script has changed. */
struct changes {
        Slumber__KeyValue rows[OPTIONS_MAX], *set[OPTIONS_MAX];
        char *cleared[OPTIONS_MAX];
};

static void changes_fill(struct changes *c, const struct filter *f, Slumber__FilterReply *reply) {
        for (size_t i = 0; i < f->request->n_options; i++) {
                Slumber__FilterOption *o = f->request->options[i];
                if (!f->changed[i])
                        continue;
                if (!o->said) {
                        c->cleared[reply->n_cleared++] = o->name;
                        continue;
                }
                Slumber__KeyValue *kv = c->set[reply->n_set] = &c->rows[reply->n_set];
                slumber__key_value__init(kv);
                kv->key = o->name;
                kv->value = o->value;
                reply->n_set++;
        }
        reply->set = c->set;
        reply->cleared = c->cleared;
}

static int filter_answer(struct filter *f, Envelope *request) {
        Slumber__FilterReply m = SLUMBER__FILTER_REPLY__INIT;
        _cleanup_(script_said_done) struct script_said said = { 0 };
        _cleanup_free_ struct changes *changes = xnew0(struct changes, 1);
        struct fail fail = { 0 };

        f->request = request->filter_request;
        if (f->request->n_options > OPTIONS_MAX)
                return -EMSGSIZE;
        memset(f->changed, 0, sizeof f->changed);
        int r = filter_script_read(f, &said, &fail);
        if (r >= 0)
                r = filter_call(f, &said, &m.code, &fail);
        if (r < 0)
                m.failure = fail.text;
        changes_fill(changes, f, &m);
        m.log = said.lines;
        m.n_log = said.n_lines;
        ENVELOPE(env, FILTER_REPLY, filter_reply, &m);
        env.reply_to = request->id;
        return wire_send(f->wire, &env);
}

int submit_filter(int fd) {
        /* Programs started by the script must not inherit the socket */
        int own = fcntl(fd, F_DUPFD_CLOEXEC, 3), null = open("/dev/null", O_RDWR | O_CLOEXEC);
        _cleanup_free_ struct filter *f = xnew0(struct filter, 1);
        int r = 0;

        if (own < 0 || null < 0 || dup2(null, fd) < 0)
                return EXIT_FAILURE;
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        f->wire = wire_new(own);
        while (r >= 0) {
                _cleanup_envelope_ Envelope *env = NULL;
                r = wire_receive(f->wire, USEC_INFINITY, &env);
                if (r >= 0)
                        r = env->body_case == SLUMBER__ENVELOPE__BODY_FILTER_REQUEST
                                            ? filter_answer(f, env)
                                            : -EBADMSG;
        }
        script_free(f->script);
        wire_free(f->wire);
        return r == -ECONNRESET ? EXIT_SUCCESS : EXIT_FAILURE;
}
