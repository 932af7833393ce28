/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/pmi/pmixd.h - inside slumberpmixd */
#pragma once

#include "agent/pmi/pmix_line.h"

#include <pmix.h>
#include <pmix_server.h>

/* To the step daemon: first, then data.  From any thread; where it is gone, or too much is said,
   the process ends. */
void pmixd_say(enum pmix_line_kind kind, uint32_t number, const void *first, size_t first_size,
                const void *data, size_t size);

/* ---- pmixd_names.c ---- */
void names_begin(const char *space, uint32_t tasks); /* of the step; space is borrowed */
/* What the step daemon says to question number: a PMIX_LINE_NAME, with a 0 behind it. */
void names_answered(uint32_t number, const uint8_t *data, size_t size);
/* Of the library's struct pmix_server_module_t. */
pmix_status_t names_publish(const pmix_proc_t *proc, const pmix_info_t info[], size_t n,
                pmix_op_cbfunc_t done, void *user);
pmix_status_t names_lookup(const pmix_proc_t *proc, char **keys, const pmix_info_t info[], size_t n,
                pmix_lookup_cbfunc_t told, void *user);
pmix_status_t names_unpublish(const pmix_proc_t *proc, char **keys, const pmix_info_t info[],
                size_t n, pmix_op_cbfunc_t done, void *user);
