/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/maker/home_files.h - homes that commands of this host visit, in the spool
 *
 *     SPOOL/homes/JOB       a packed HomeAt without request, for root alone
 *
 * A killed slumberd has written it before its command's step began.  What a power failure takes
 * belongs to a command that has ended by it. */
#pragma once

#include "lib/wire.h"

#define HOME_FILE_MAX ((size_t)64 << 10)

int home_file_write(uint32_t job, const uint8_t *data, size_t size); /* or as it was */
void home_file_remove(uint32_t job);
/* Calls found for each, which says whether it is one: others are removed, and the log says so. */
void home_files_read(bool (*found)(uint32_t job, const uint8_t *data, size_t size, void *user),
                void *user);
