/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/store/move.h - copies state and accounts from one engine to the other
 * (slumberctld --move-store) */
#pragma once

#include "lib/fail.h"

#include <stddef.h>

struct store_moved {
        size_t jobs, rows, accounts; /* rows of the state, of which jobs; rows of the accounts */
};

/* Copies all rows of the store from into the store to and compares both. A store is
   "sqlite:FOLDER" or a postgresql:// address. No controller may use either; to must be empty, and is
   unchanged after a failure. from is never changed. */
int store_move(const char *from, const char *to, struct store_moved *ret, struct fail *fail);
