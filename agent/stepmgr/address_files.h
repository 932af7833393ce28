/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/stepmgr/address_files.h - files in the spool with the addresses of step managers, for
 * commands of this host
 *
 *     SPOOL/homes/JOB       a packed HomeAt without request, for root alone
 *
 * The file is written before the command's step begins, so that a restarted slumberd finds the
 * file. A power failure may lose the file, but also ends the command. */
#pragma once

#include "lib/wire.h"

#define HOME_FILE_MAX ((size_t)64 << 10)

/* on failure the old file stays */
int stepmgr_address_file_write(uint32_t job, const uint8_t *data, size_t size);
void stepmgr_address_file_remove(uint32_t job);
/* Calls found for each file; false: the content is invalid, and the file is removed with a
   warning. */
void stepmgr_address_files_read(
                bool (*found)(uint32_t job, const uint8_t *data, size_t size, void *user),
                void *user);
