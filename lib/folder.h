/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/folder.h - lists folders and removes whole trees */
#pragma once

#include "lib/base.h"

/* Returns names in the folder except those beginning with a dot; folders_only: only names of
   folders. NULL-terminated, empty if the folder cannot be read; the caller frees names and list. */
char **folder_list(const char *path, bool folders_only);

/* Removes the folder name of dir (AT_FDCWD: working folder) with all contents, at any depth. Only
   the caller may be able to replace the folder; contents may belong to a user changing them
   meanwhile. Follows no link and enters no other file system. 0: gone or missing before; otherwise
   a negative errno with some contents left. */
int folder_remove(int dir, const char *name);
