/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/steps/bcast_config.h - BcastParameters and BcastExclude of the controller's
   slurm.conf */
#pragma once

#include "lib/wire.h"

struct bcast_config {
        char *dest_dir;    /* DestDir; NULL: the current folder */
        char *compression; /* compression as written; NULL: not set */
        char *exclude;     /* BcastExclude; NULL: unknown */
        bool send_libs;
};

/* Returns -EINVAL with fail set for invalid BcastParameters. The caller calls
   bcast_config_done() in any case. */
int bcast_config_read(struct wire *w, struct bcast_config *ret, struct fail *fail);
void bcast_config_done(struct bcast_config *c);
/* Returns true if the library of --compress or Compression= compresses; false for "none". Prints
   an error for an unknown name and returns false, as in Slurm: scripts naming a library of
   earlier releases (zlib) get uncompressed copies. */
bool bcast_compresses(const char *library);
/* Returns the absolute path of name, relative to DestDir or the current folder; the caller frees
   the path. */
char *bcast_config_path(const struct bcast_config *c, const char *name);
