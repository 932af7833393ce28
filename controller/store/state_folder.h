/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/store/state_folder.h - the folder StateSaveLocation: owner, mode, and one controller
 * at a time */
#pragma once

#include "lib/fail.h"

struct state_folder;

/* Creates the folder with mode 0700 if only its last component is missing, checks owner and mode,
   and takes the lock FOLDER/slumber.lock. Errors, with a sentence in fail: not a folder, another
   user's, writable for others, in use by another controller (-EBUSY). */
int state_folder_open(const char *path, struct state_folder **ret, struct fail *fail);
/* Unlocks the folder and frees f (may be NULL). Returns NULL. */
struct state_folder *state_folder_close(struct state_folder *f);
/* Like state_folder_close(), and removes the lock file and the folder if created by f. */
struct state_folder *state_folder_abandon(struct state_folder *f);
DEFINE_CLEANUP(struct state_folder *, state_folder_abandon)

const char *state_folder_path(const struct state_folder *f);
/* Makes the names of files in the folder durable. */
int state_folder_sync(const struct state_folder *f, struct fail *fail);
/* Opens PATH, created with mode 0600 if missing; *ret_made: created. Returns a descriptor, or -1
   and errno. */
int state_file_open(const char *path, bool *ret_made);
