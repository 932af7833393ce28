/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/steps/bcast_config.h - BcastParameters and BcastExclude of slurm.conf, as the controller
   has them */
#pragma once

#include "lib/wire.h"

struct bcast_config {
        char *dest_dir;    /* DestDir; NULL: the current folder */
        char *compression; /* Compression, as it is said; NULL: not said */
        char *exclude;     /* BcastExclude; NULL: not known */
        bool send_libs;
};

/* -EINVAL with fail: what BcastParameters says cannot be. The caller calls bcast_config_done() in
   any case. */
int bcast_config_read(struct wire *w, struct bcast_config *ret, struct fail *fail);
void bcast_config_done(struct bcast_config *c);
/* Whether this library of --compress or Compression= compresses.  "none" does not; a name that is
   not known does not either, which an error message says: as with Slurm, scripts that name a
   library of an earlier release (zlib) have their files copied. */
bool bcast_compresses(const char *library);
/* The absolute path of name, which is relative to DestDir or the current folder; the caller frees.
 */
char *bcast_config_path(const struct bcast_config *c, const char *name);
