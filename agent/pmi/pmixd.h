/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/pmi/pmixd.h - private to slumberpmixd */
#pragma once

#include "agent/pmi/pmix_line.h"

#include <pmix.h>
#include <pmix_server.h>

/* Sends first and data in a message to the step daemon. May be called from any thread; the
   process exits if the step daemon is gone or the message too large. */
void pmixd_say(enum pmix_line_kind kind, uint32_t number, const void *first, size_t first_size,
                const void *data, size_t size);

/* ---- pmixd_names.c ---- */
void names_begin(const char *space, uint32_t tasks); /* must be called first; space is borrowed */
/* Handles the step daemon's answer to question number: a PMIX_LINE_NAME followed by a zero byte. */
void names_answered(uint32_t number, const uint8_t *data, size_t size);
/* Callbacks for the library's struct pmix_server_module_t */
pmix_status_t names_publish(const pmix_proc_t *proc, const pmix_info_t info[], size_t n,
                pmix_op_cbfunc_t done, void *user);
pmix_status_t names_lookup(const pmix_proc_t *proc, char **keys, const pmix_info_t info[], size_t n,
                pmix_lookup_cbfunc_t told, void *user);
pmix_status_t names_unpublish(const pmix_proc_t *proc, char **keys, const pmix_info_t info[],
                size_t n, pmix_op_cbfunc_t done, void *user);
