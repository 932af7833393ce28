/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/folder.h - what is in a folder, and its removal with all that is in it */
#pragma once

#include "lib/base.h"

/* Names in the folder, without those that begin with a dot; folders_only: those of folders.
   NULL-terminated, empty where it cannot be read; the caller frees all. */
char **folder_list(const char *path, bool folders_only);

/* Removes the folder name of dir (AT_FDCWD: of the working folder), which only the caller can
   replace, with all in it, which may be another user's who is changing it: no link is followed, no
   other file system is entered, the depth does not matter.  0: it is gone, or was not there; else a
   negative errno, and something is left. */
int folder_remove(int dir, const char *name);
