/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/steps/bcast.h - protocol between sbcast and its receivers, on the receivers' standard
 * input
 *
 * The first line names the compression of everything after the line: files and folders, then a last
 * line:
 *
 *   SLUMBER-BCAST none|zstd
 *   file MODE KEEP-TIMES ATIME MTIME FORCE SIZE PATH    MODE: octal; KEEP-TIMES, FORCE: 0 or 1;
 *                                                       times: seconds since 1970
 *   SIZE bytes
 *   folder PATH                                         made if missing
 *   end
 *
 * A receiver without the last line has not received everything. */
#pragma once

#include "lib/fail.h"

#define BCAST_MAGIC    "SLUMBER-BCAST "
#define BCAST_LINE_MAX 8192
#define BCAST_BLOCK    ((size_t)8 << 20) /* bytes; default of --size */

/* Variable of the srun starting the receivers: the receivers' step takes no step number of
   srun's. */
#define BCAST_STEP "SLUMBER_BCAST_STEP"

/* Variable of the sbcast started by srun --bcast: the job id means a single component, also for
   the leader. Before sending, sbcast prints the file's path on standard output: "1 PATH" with
   libraries in PATH_libs, "0 PATH" without. */
#define BCAST_TELL "SLUMBER_BCAST_TELL"

/* Hidden command on each node: reads fd 0, writes files. Returns the exit code. */
int bcast_receive_main(int argc, char **argv);
