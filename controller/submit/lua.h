/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/submit/lua.h - job_submit.lua: run by a child (slumber-submit --worker), one request
 * at a time, users in turn
 *
 * slumberctld does not block on the child. A child without an answer in time is killed, with all
 * its processes, and the next request gets a new child. */
#pragma once

#include "controller/loop/controller.h"

#define LUA_TIME_LIMIT  (8 * USEC_PER_SEC)  /* for one request */
#define LUA_WAITING_MAX 10000               /* requests */
#define LUA_BYTES_MAX   ((size_t)256 << 20) /* bytes of all waiting requests */
#define LUA_TELL_AFTER  (3 * USEC_PER_SEC)  /* wait after which a command is told the reason */

struct lua;
/* Called once with the answer to a request, never from within lua_ask(). The callee may take parts
   out of reply; NULL: no answer, and why has the reason. */
typedef void lua_answer_t(Slumber__RuleReply *reply, const char *why, void *user);

/* path: of the script. Returns NULL after logging an error. */
struct lua *lua_new(struct controller *ctl, const char *path);
struct lua *lua_free(struct lua *l); /* takes NULL, returns NULL; calls no callbacks */
/* Starts a new child, with fresh Lua modules, for the next request. */
void lua_restart(struct lua *l);
/* Queues a request. from: the command, which is told the reason of a long wait. Returns 0, or
   -EBUSY if too many requests of request->uid wait (turns.h). */
int lua_ask(struct lua *l, const Slumber__RuleRequest *request, const struct address *from,
                lua_answer_t *answer, void *user);
/* Drops the answer for user. */
void lua_forget(struct lua *l, const void *user);
/* Checks whether config can be used with the script beside slurm.conf. Returns 0, or a negative
   errno with file and line in fail. Blocks, for LUA_TIME_LIMIT at most. */
int lua_check(const struct config *config, struct fail *fail);
