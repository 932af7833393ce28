/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/submit/lua.h - job_submit.lua: run by a child, slumber-submit --worker, one request
 * after the other, of users in turn
 *
 * Nothing waits for the child.  One that does not answer in time is killed, with what it has
 * started, and the next request gets a new one. */
#pragma once

#include "controller/loop/controller.h"

#define LUA_TIME_LIMIT  (8 * USEC_PER_SEC)  /* of one request */
#define LUA_WAITING_MAX 10000               /* requests */
#define LUA_BYTES_MAX   ((size_t)256 << 20) /* the same */
#define LUA_TELL_AFTER  (3 * USEC_PER_SEC)  /* a request that waits so long is told what for */

struct lua;
/* The answer to a request, which may be taken out of it; NULL: none comes, and why says so.  Called
   once, never from within lua_ask(). */
typedef void lua_answer_t(Slumber__RuleReply *reply, const char *why, void *user);

/* path: of the script. */
struct lua *lua_new(struct controller *ctl, const char *path);
struct lua *lua_free(struct lua *l); /* takes NULL, returns NULL; answers nothing */
/* The child and its modules are started anew with the next request. */
void lua_restart(struct lua *l);
/* from: the command, which is told where it waits for long.  -EBUSY: too many of request->uid's
   wait (turns.h). */
int lua_ask(struct lua *l, const Slumber__RuleRequest *request, const struct address *from,
                lua_answer_t *answer, void *user);
/* user is gone: its answer is dropped. */
void lua_forget(struct lua *l, const void *user);
/* May the configuration be used with the script beside it?  The sentence in fail has file and line.
   Blocks, LUA_TIME_LIMIT at most. */
int lua_check(const struct config *config, struct fail *fail);
