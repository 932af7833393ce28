/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "submit/script.h"

#include "lib/errors.h"
#include "lib/timetext.h"
#include "submit/fields.h"

#include <fcntl.h>
#include <lauxlib.h>
#include <lualib.h>
#include <sys/stat.h>
#include <syslog.h>

#define HOOK_EVERY 1000000 /* Lua instructions */

struct script {
        lua_State *L;
        size_t memory;         /* bytes in use */
        uint64_t instructions; /* of the current call */
        struct script_said *said;
};

/* ---- reading the file ---- */

int script_read(const char *path, uid_t owner, char **ret, size_t *ret_size, struct fail *fail) {
        struct stat st;
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

        if (fd < 0 || fstat(fd, &st) < 0) {
                int r = -errno;
                return fail_set(fail, r, "%.300s: %s", path, strerror(-r));
        }
        if (!S_ISREG(st.st_mode))
                return fail_set(fail, -EACCES, "%.300s is not a file", path);
        if ((st.st_uid != 0 && st.st_uid != geteuid() && st.st_uid != owner) || st.st_mode & 022)
                return fail_set(fail, -EPERM,
                                "%.300s may be written by others than root and SlurmUser", path);
        if ((size_t)st.st_size > SCRIPT_SIZE_MAX)
                return fail_set(fail, -EFBIG, "%.300s is larger than 4 MiB", path);
        _cleanup_free_ char *text = xmalloc((size_t)st.st_size + 1);
        ssize_t n = read(fd, text, (size_t)st.st_size);
        if (n != st.st_size)
                return fail_set(fail, -EIO, "%.300s cannot be read", path);
        text[n] = 0;
        *ret = TAKE(text);
        *ret_size = (size_t)n;
        return 0;
}

/* ---- log and messages to the user ---- */

static struct script *script_of(lua_State *L) {
        return *(struct script **)lua_getextraspace(L);
}

static void say_log(struct script_said *said, int level, const char *text) {
        /* said is NULL while a finalizer runs in lua_close() */
        if (!said || said->n_lines >= SCRIPT_LINES_MAX)
                return;
        GROW(said->lines, said->a_lines, said->n_lines);
        Slumber__RuleLine *line = xnew(Slumber__RuleLine, 1);
        slumber__rule_line__init(line);
        line->level = (uint32_t)level;
        line->text = xstrdup(text);
        said->lines[said->n_lines++] = line;
}

void script_say_log(struct script_said *said, int level, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        _cleanup_free_ char *text = xvasprintf(format, ap);
        va_end(ap);
        say_log(said, level, text);
}

static void say_user(struct script_said *said, const char *text) {
        _cleanup_free_ char *before = said ? said->told : NULL;

        if (!said)
                return;
        said->told = before && said->n_told >= SCRIPT_LINES_MAX
                                     ? TAKE(before)
                                     : xasprintf("%s%s%s", strempty(before), before ? "\n" : "",
                                                       text);
        said->n_told++;
}

void script_said_done(struct script_said *said) {
        for (size_t i = 0; i < said->n_lines; i++) {
                free(said->lines[i]->text);
                free(said->lines[i]);
        }
        free(said->lines);
        free(said->told);
        *said = (struct script_said){ 0 };
}

/* Returns string.format() of the arguments; a single argument is a format, too. */
static const char *message_format(lua_State *L) {
        int n = lua_gettop(L);

        lua_pushvalue(L, lua_upvalueindex(1));
        lua_insert(L, 1);
        lua_call(L, n, 1);
        return strempty(lua_tostring(L, -1));
}

static int log_line(lua_State *L) {
        const char *text = message_format(L);

        say_log(script_of(L)->said, (int)lua_tointeger(L, lua_upvalueindex(2)), text);
        return 0;
}

static int user_line(lua_State *L) {
        say_user(script_of(L)->said, message_format(L));
        return 0;
}

/* ---- the table slurm ---- */

static const struct {
        const char *name;
        int level;
} log_functions[] = {
        { "error", LOG_ERR },
        { "log_error", LOG_ERR },
        { "log_info", LOG_INFO },
        { "log_verbose", LOG_DEBUG },
        { "log_debug", LOG_DEBUG },
        { "log_debug2", LOG_DEBUG },
        { "log_debug3", LOG_DEBUG },
        { "log_debug4", LOG_DEBUG },
};

static const char *const user_functions[] = { "log_user", "user_msg" };

static const struct {
        const char *name;
        int64_t value;
} constants[] = {
        { "SUCCESS", 0 },
        { "ERROR", -1 },
        { "FAILURE", -1 },
        { "NO_VAL", LUA_NO_VAL },
        { "NO_VAL8", 0xfe },
        { "NO_VAL16", LUA_NO_VAL16 },
        { "INFINITE", LUA_INFINITE },
        { "INFINITE16", 0xffff },
        { "KILL_INV_DEP", LUA_KILL_INV_DEP },
        { "NO_KILL_INV_DEP", LUA_NO_KILL_INV_DEP },
        { "SPREAD_JOB", LUA_SPREAD_JOB },
        { "USE_MIN_NODES", LUA_USE_MIN_NODES },
        { "GRES_ENFORCE_BIND", LUA_GRES_ENFORCE_BIND },
        { "GRES_DISABLE_BIND", LUA_GRES_DISABLE_BIND },
        { "NICE_OFFSET", 0x80000000 },
        { "ALLOC_SID_ADMIN_HOLD", 1 },
        { "ALLOC_SID_USER_HOLD", 2 },
        { "JOB_SHARED_NONE", 0 },
        { "JOB_SHARED_OK", 1 },
        { "JOB_SHARED_USER", 2 },
        { "JOB_SHARED_MCS", 3 },
        { "SHARED_FORCE", 0x8000 },
        { "ESLURM_JOB_MISSING_SIZE_SPECIFICATION", 2008 }, /* errors that only scripts return */
        { "ESLURM_PATHNAME_TOO_LONG", 2012 },
        { "ESLURM_NOT_SUPPORTED", 2030 },
};

/* Sets slurm.NAME to the error number for each error of Slurm. */
static void set_errors(lua_State *L) {
        const char *name;

        for (size_t i = 0; i < SLUMBER_ERROR_MAX; i++)
                if ((name = slumber_error_name((enum slumber_error)i))) {
                        lua_pushinteger(L, slumber_error_number((enum slumber_error)i));
                        lua_setfield(L, -2, name);
                }
}

static void set_functions(lua_State *L) {
        lua_getglobal(L, "string");
        lua_getfield(L, -1, "format");
        lua_remove(L, -2);
        for (size_t i = 0; i < ELEMENTSOF(log_functions); i++) {
                lua_pushvalue(L, -1);
                lua_pushinteger(L, log_functions[i].level);
                lua_pushcclosure(L, log_line, 2);
                lua_setfield(L, -3, log_functions[i].name);
        }
        for (size_t i = 0; i < ELEMENTSOF(user_functions); i++) {
                lua_pushvalue(L, -1);
                lua_pushcclosure(L, user_line, 1);
                lua_setfield(L, -3, user_functions[i]);
        }
        lua_pop(L, 1);
}

/* Sets a 64-bit constant beyond Lua's signed integers, as a float. */
static void set_float(lua_State *L, const char *name, lua_Number value) {
        lua_pushnumber(L, value);
        lua_setfield(L, -2, name);
}

/* Converts a limit such as "1-12:00" to minutes; NO_VAL: malformed. */
static int lua_time_minutes(lua_State *L) {
        usec_t limit = 0;
        int r = limit_parse(luaL_checkstring(L, 1), &limit, NULL);

        lua_pushinteger(L, r < 0 ? LUA_NO_VAL
                           : limit == NO_LIMIT
                                           ? LUA_INFINITE
                                           : (lua_Integer)DIV_ROUND_UP(limit, 60 * USEC_PER_SEC));
        return 1;
}

static void set_slurm(lua_State *L) {
        lua_newtable(L);
        set_functions(L);
        lua_pushcfunction(L, lua_time_minutes);
        lua_setfield(L, -2, "time_str2mins");
        for (size_t i = 0; i < ELEMENTSOF(constants); i++) {
                lua_pushinteger(L, constants[i].value);
                lua_setfield(L, -2, constants[i].name);
        }
        set_float(L, "NO_VAL64", (lua_Number)LUA_NO_VAL64);
        set_float(L, "INFINITE64", (lua_Number)UINT64_MAX);
        set_float(L, "MEM_PER_CPU", 0x1p63);
        for (size_t i = 0; i < n_mail_bits; i++) {
                lua_pushinteger(L, mail_bits[i].slurm);
                lua_setfield(L, -2, mail_bits[i].name);
        }
        set_errors(L);
        lua_setglobal(L, "slurm");
}

void script_set(struct script *s, const char *name) {
        lua_getglobal(s->L, "slurm");
        lua_insert(s->L, -2);
        lua_setfield(s->L, -2, name);
        lua_pop(s->L, 1);
}

/* ---- limits ---- */

static void *lua_allocate(void *user, void *p, size_t before, size_t size) {
        struct script *s = user;

        before = p ? before : 0; /* if p is NULL, Lua passes the object's kind in before */
        if (size > before && s->memory - before + size > SCRIPT_MEMORY)
                return NULL;
        s->memory = s->memory - before + size;
        if (size == 0) {
                free(p);
                return NULL;
        }
        return realloc(p, size);
}

static void instructions_count(lua_State *L, lua_Debug *ar) {
        struct script *s = script_of(L);

        (void)ar;
        s->instructions += HOOK_EVERY;
        if (s->instructions >= SCRIPT_INSTRUCTIONS)
                luaL_error(L, "it has run for more than %d instructions", SCRIPT_INSTRUCTIONS);
}

/* ---- the script ---- */

/* Lua looks for modules in the script's folder first. */
static void set_path(lua_State *L, const char *path) {
        const char *slash = strrchr(path, '/');
        _cleanup_free_ char *folder = slash ? xstrndup(path, (size_t)(slash - path)) : xstrdup(".");

        lua_getglobal(L, "package");
        lua_getfield(L, -1, "path");
        lua_pushfstring(L, "%s/?.lua;%s", folder, lua_tostring(L, -1));
        lua_setfield(L, -3, "path");
        lua_pop(L, 2);
}

/* Takes the text of the error that Lua has left on the stack. Always returns -EIO. */
static int lua_fail(lua_State *L, struct fail *fail) {
        const char *text = lua_tostring(L, -1);

        fail_set(fail, -EIO, "%s", text ? text : "an error without a text");
        lua_settop(L, 0);
        return -EIO;
}

/* Skips a first line "#!..." but keeps its newline, so that line numbers stay right. */
static void skip_interpreter(const char **text, size_t *size) {
        if (*size == 0 || **text != '#')
                return;
        const char *end = memchr(*text, '\n', *size);
        end = end ? end : *text + *size;
        *size -= (size_t)(end - *text);
        *text = end;
}

static int script_run(struct script *s, const struct script_kind *kind, const char *path,
                const char *text, size_t size, struct fail *fail) {
        _cleanup_free_ char *name = xasprintf("@%s", path);

        skip_interpreter(&text, &size);
        if (luaL_loadbufferx(s->L, text, size, name, "t") != LUA_OK ||
                        lua_pcall(s->L, 0, 0, 0) != LUA_OK)
                return lua_fail(s->L, fail);
        for (size_t i = 0; i < kind->n_functions; i++) {
                bool there = lua_getglobal(s->L, kind->functions[i]) == LUA_TFUNCTION;
                lua_settop(s->L, 0);
                if (!there)
                        return fail_set(fail, -EINVAL, "%.200s: there is no function %s", path,
                                        kind->functions[i]);
        }
        return 0;
}

int script_load(const struct script_kind *kind, const char *path, const char *text, size_t size,
                struct script_said *said, struct script **ret, struct fail *fail) {
        struct script *s = xnew0(struct script, 1);

        s->L = lua_newstate(lua_allocate, s);
        if (!s->L)
                out_of_memory();
        *(struct script **)lua_getextraspace(s->L) = s;
        luaL_openlibs(s->L);
        set_slurm(s->L);
        set_path(s->L, path);
        lua_sethook(s->L, instructions_count, LUA_MASKCOUNT, HOOK_EVERY);
        s->said = said;
        int r = script_run(s, kind, path, text, size, fail);
        s->said = NULL;
        if (r < 0) {
                script_free(s);
                return r;
        }
        *ret = s;
        return 0;
}

struct script *script_free(struct script *s) {
        if (!s)
                return NULL;
        lua_sethook(s->L, NULL, 0, 0);
        lua_close(s->L);
        free(s);
        return NULL;
}

lua_State *script_begin(struct script *s, const char *function) {
        lua_settop(s->L, 0);
        lua_getglobal(s->L, function);
        return s->L;
}

int script_call(struct script *s, int n_arguments, struct script_said *said, int64_t *ret,
                struct fail *fail) {
        int is_number = 0;

        s->instructions = 0;
        s->said = said;
        int r = lua_pcall(s->L, n_arguments, 1, 0);
        s->said = NULL;
        if (r != LUA_OK)
                return lua_fail(s->L, fail);
        *ret = (int64_t)lua_tonumberx(s->L, -1, &is_number);
        if (!is_number) /* as in Slurm */
                script_say_log(said, LOG_INFO, "non-numeric return code");
        lua_settop(s->L, 0);
        return 0;
}
